//! How a statement is rewritten by itself: what is put before it, and what changes within it.
//!
//! A script is data, made when the text of the file is not at hand; [`Writer`] carries it out later,
//! in the style of the file. Whatever rewrites other than the order of whole statements need is written
//! with it: names that are free, code that moves with its comments and its own changes, lists that are
//! broken where they do not fit.

use std::borrow::Cow;

use headstart_edit::Edit;
use headstart_ir::{BlockForm, Span};

use crate::helper::Helper;
use crate::layout::{LINE_WIDTH, indent_further_lines, width};
use crate::write::Writer;

/// The rewriting of one statement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Script {
    /// The names that it introduces; fragments name them by their number.
    pub names: Vec<FreshName>,
    /// The statements that are put before it, without what ends them.
    pub before: Vec<Text>,
    /// What changes within it, in order; none lies in another one.
    pub changes: Vec<Change>,
}

/// A name that a script introduces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FreshName {
    /// What it is, where that is free; else with the first number that makes it so.
    pub wanted: String,
    /// Whether it may be one that the file has as the name of a property only.
    pub may_be_property: bool,
}

/// Something within a statement that is replaced; an empty span is a place to insert at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// What is replaced.
    pub span: Span,
    /// What takes its place.
    pub with: Text,
    /// What it is a part of.
    pub fit: Fit,
}

/// How what is put in fits into what is around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// As it is.
    Exact,
    /// It needs no parentheses: those that stand around what it replaces, and only hold that together,
    /// go.
    Operand,
    /// Like `Operand`; it is the value of a property, which is written once where both have one name.
    Property,
    /// It is a statement that goes: with its line, where nothing else stands on that.
    Statement,
}

/// Some code.
pub type Text = Vec<Fragment>;

/// A part of some code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fragment {
    /// As it stands.
    Code(Cow<'static, str>),
    /// A name of the script, by its number.
    Name(usize),
    /// Code of the file.
    Source(Span),
    /// The same, its further lines a level deeper.
    Indented(Span),
    /// What is separated by commas, each on a line of its own where one line is too short for all.
    List(Vec<Span>),
    /// The name of a function that is put at the end of the file.
    Helper(Helper),
    /// A new line, so many levels below the statement.
    Line(usize),
    /// The end of a statement.
    End,
}

impl Fragment {
    /// Code that is the same in every script.
    pub(crate) fn code(text: &'static str) -> Self {
        Self::Code(Cow::Borrowed(text))
    }
}

impl Script {
    /// The functions at the end of the file that it calls.
    pub(crate) fn helpers(&self) -> impl Iterator<Item = Helper> + '_ {
        let texts = self.before.iter().chain(self.changes.iter().map(|it| &it.with));
        texts.flatten().filter_map(|it| match it {
            Fragment::Helper(helper) => Some(*helper),
            _ => None,
        })
    }
}

impl Writer<'_> {
    /// What the script of a statement puts before it, each with what ends it and what separates it
    /// from what follows.
    pub(crate) fn script_before(&self, piece: usize) -> String {
        let mut text = String::new();
        let Some(script) = &self.plan.pieces[piece].script else { return text };
        for statement in &script.before {
            text.push_str(&self.render(piece, statement, self.column));
            text.push_str(self.separator());
            text.push_str(&self.between());
        }
        // Behind a `return` of its own it does not begin the line.
        if self.goes_on(piece)
            && !text.is_empty()
            && !matches!(self.plan.form, BlockForm::Concise(_))
        {
            text.push(';');
        }
        text
    }

    /// The changes that the script of a statement makes within it; none lies in another one.
    pub(crate) fn script_edits(&self, piece: usize) -> Vec<Edit> {
        let script = self.plan.pieces[piece].script.iter();
        script.flat_map(|it| &it.changes).map(|it| self.edit(piece, it)).collect()
    }

    /// Code of a statement, with what its script changes in it.
    pub(crate) fn rewritten(&self, piece: usize, span: Span) -> String {
        self.with_edits(span, self.script_edits(piece), &|it| self.snippet(it).to_owned())
    }

    /// Code of the file with the edits that lie within it; `copy` gives the text between them.
    pub(crate) fn with_edits(
        &self,
        span: Span,
        edits: Vec<Edit>,
        copy: &dyn Fn(Span) -> String,
    ) -> String {
        let mut text = String::new();
        let mut at = span.start;
        for edit in edits.into_iter().filter(|it| span.start <= it.start && it.end <= span.end) {
            if edit.start >= at {
                text.push_str(&copy(Span::new(at, edit.start)));
                text.push_str(&edit.text);
                at = edit.end;
            }
        }
        text.push_str(&copy(Span::new(at, span.end)));
        text
    }

    fn edit(&self, piece: usize, change: &Change) -> Edit {
        let text = self.render(piece, &change.with, self.column);
        let as_it_is = match change.fit {
            Fit::Exact => Some(change.span),
            Fit::Statement => Some(with_line(self.text, change.span)),
            Fit::Operand | Fit::Property => None,
        };
        if let Some(span) = as_it_is {
            let text = self.apart(text, (span.start, span.end));
            return Edit { start: span.start, end: span.end, text };
        }
        let replaced = with_parentheses(self.text, change.span);
        let mut start = replaced.start;
        if change.fit == Fit::Property {
            // `{ user: await … }` becomes `{ user }`.
            let before = &self.text[..start as usize];
            let key = before.trim_end().strip_suffix(':').map(str::trim_end);
            if let Some(key) = key.filter(|it| is_word_at_end(it, &text)) {
                start = u32::try_from(key.len() - text.len()).unwrap_or(start);
            }
        }
        let text = self.apart(text, (start, replaced.end));
        Edit { start, end: replaced.end, text }
    }

    /// Some code, with blanks where it would make one word with what stands around its place: `return(await f())`.
    fn apart(&self, mut text: String, (start, end): (u32, u32)) -> String {
        let before = self.text[..start as usize].ends_with(is_of_word);
        let behind = self.text[end as usize..].starts_with(is_of_word);
        if before && text.starts_with(is_of_word) {
            text.insert(0, ' ');
        }
        if behind && text.ends_with(is_of_word) {
            text.push(' ');
        }
        text
    }

    /// Some code, the first line of which begins at a column.
    fn render(&self, piece: usize, text: &[Fragment], column: usize) -> String {
        let names = &self.names.of_scripts[piece];
        let mut out = String::new();
        for (index, fragment) in text.iter().enumerate() {
            match fragment {
                Fragment::Code(code) => out.push_str(code),
                Fragment::Name(number) => {
                    out.push_str(names.get(*number).map_or("", String::as_str));
                }
                Fragment::Source(span) => out.push_str(self.snippet(*span)),
                Fragment::Indented(span) => {
                    out.push_str(&indent_further_lines(self.text, *span, self.unit, self.strings));
                }
                Fragment::Helper(helper) => out.push_str(self.names.helper(*helper)),
                Fragment::Line(_) if self.is_inline => out.push(' '),
                Fragment::Line(levels) => {
                    out.push('\n');
                    out.push_str(&self.indent);
                    out.push_str(&self.unit.repeat(*levels));
                }
                Fragment::End => out.push_str(self.statement_end),
                Fragment::List(items) => {
                    let behind: usize = text[index + 1..].iter().map(code_width).sum();
                    let before = match out.rsplit_once('\n') {
                        Some((_, last)) => width(last),
                        None => column + width(&out),
                    };
                    out.push_str(&self.list(items, before, behind));
                }
            }
        }
        out
    }

    fn list(&self, items: &[Span], before: usize, behind: usize) -> String {
        let flat: Vec<&str> = items.iter().map(|&it| self.snippet(it)).collect();
        let joined = flat.join(", ");
        let fits = before + width(&joined) + behind + ";".len() <= LINE_WIDTH;
        if self.is_inline || (fits && !joined.contains('\n')) {
            return joined;
        }
        let inner = format!("{}{}", self.indent, self.unit);
        let of_item = |it: Span| self.outdented(it, self.snippet(it).to_owned(), &inner);
        let lines: String = items.iter().map(|&it| format!("{inner}{},\n", of_item(it))).collect();
        format!("\n{lines}{}", self.indent)
    }

    /// The text of code, or what it is rewritten to, whose further lines move out to an indentation.
    pub(crate) fn outdented(&self, span: Span, text: String, wanted: &str) -> String {
        let line_start = self.text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let line = &self.text[line_start..];
        let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        match indent.strip_prefix(wanted) {
            Some(more) if !more.is_empty() && self.strings.iter().all(|it| !span.contains(*it)) => {
                text.replace(&format!("\n{indent}"), &format!("\n{wanted}"))
            }
            _ => text,
        }
    }
}

fn code_width(fragment: &Fragment) -> usize {
    match fragment {
        Fragment::Code(code) => width(code),
        Fragment::Helper(helper) => width(helper.name()),
        Fragment::Name(_)
        | Fragment::Source(_)
        | Fragment::Indented(_)
        | Fragment::List(_)
        | Fragment::Line(_)
        | Fragment::End => 0,
    }
}

/// Whether a text ends with a name, and not with a longer one that ends alike.
fn is_word_at_end(text: &str, name: &str) -> bool {
    let before = text.strip_suffix(name);
    before.is_some_and(|it| !it.ends_with(is_of_word))
}

/// Whether a character may be part of a name.
pub(crate) fn is_of_word(it: char) -> bool {
    it.is_alphanumeric() || matches!(it, '_' | '$' | '\u{200c}' | '\u{200d}')
}

/// The span of a statement, with its lines up to the next where nothing else stands on them; else with the
/// blanks up to what stands behind it.
fn with_line(text: &str, statement: Span) -> Span {
    let is_blank = |it: char| it == ' ' || it == '\t';
    let (before, behind) = (&text[..statement.start as usize], &text[statement.end as usize..]);
    let rest = behind.trim_start_matches(is_blank);
    let blanks = u32::try_from(behind.len() - rest.len()).unwrap_or(0);
    let indent = before.len() - before.trim_end_matches(is_blank).len();
    let break_length = if rest.starts_with("\r\n") { 2 } else { u32::from(rest.starts_with('\n')) };
    let begins_line = before[..before.len() - indent].ends_with('\n');
    if begins_line && break_length > 0 {
        let start = statement.start - u32::try_from(indent).unwrap_or(0);
        return Span::new(start, statement.end + blanks + break_length);
    }
    Span::new(statement.start, statement.end + blanks)
}

/// The span of an operand, with the parentheses around it where they are not those of a call.
fn with_parentheses(text: &str, operand: Span) -> Span {
    let (before, behind) = (&text[..operand.start as usize], &text[operand.end as usize..]);
    let is_wrapped = before.ends_with('(') && behind.starts_with(')');
    let outer = before.strip_suffix('(').unwrap_or(before).trim_end();
    let word = &outer[outer.trim_end_matches(is_of_word).len()..];
    let is_operator = !outer.ends_with([')', ']', '}', '`', '"', '\'', '>'])
        && (word.is_empty() || matches!(word, "return" | "typeof" | "void" | "yield"));
    if is_wrapped && is_operator && !outer.is_empty() {
        Span::new(operand.start - 1, operand.end + 1)
    } else {
        operand
    }
}
