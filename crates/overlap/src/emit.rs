//! Writing a plan as source text, the way a careful person would.

use headstart_edit::{Edit, SourceText};
use headstart_ir::order;
use headstart_ir::{FileIr, Inst, NameId, Span};
use rustc_hash::FxHashSet;

use crate::atomic_import::AtomicImport;
use crate::finding::{Form, Part, Plan};
use crate::helper::{Helper, Types};
use crate::layout::indent_unit;
use crate::script::{FreshName, Script, is_of_word};
use crate::write::Writer;

/// Why a plan cannot be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmitError {
    /// The text is not the one that the plan was made for.
    OtherText,
}

/// Writes the plans of one file.
#[derive(Clone, Debug)]
pub struct Emitter<'a> {
    pub(crate) source: &'a SourceText,
    /// The comments of the file, in order.
    comments: &'a [Span],
    /// String and template tokens over several lines, in order.
    pub(crate) strings: &'a [Span],
    /// The names of variables, and those that the file uses without declaring them.
    declared: FxHashSet<String>,
    /// Every identifier of the file, and those that plans have added for all of it.
    taken: FxHashSet<String>,
    /// The names that plans have added, each with the function that it stands in.
    added: Vec<(String, Span)>,
    /// Its functions, by where they start.
    functions: Vec<Span>,
    /// Whether statements end with semicolons.
    pub(crate) has_semicolons: bool,
    /// One level of indentation, where the line itself does not tell.
    pub(crate) unit: String,
    pub(crate) types: Types,
    /// The functions at the end of the file, or of one, that plans call.
    helpers: Vec<Called>,
    atomic: AtomicImport,
}

/// A function at the end of a file, or of a function.
#[derive(Clone, Debug)]
struct Called {
    helper: Helper,
    name: String,
    /// Its text.
    text: String,
    /// Whether the file has it already.
    is_there: bool,
}

impl<'a> Emitter<'a> {
    /// Whether a name is one of a variable of the file, or one that it uses without declaring it.
    pub(crate) fn declares(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    /// An emitter for the file `ir` with the text `source`.
    #[must_use]
    pub fn new(ir: &'a FileIr, source: &'a SourceText) -> Self {
        let mut functions: Vec<Span> = ir.functions.iter().skip(1).map(|it| it.span).collect();
        order::sort_by_key(&mut functions, |it| it.start);
        let names = (0..ir.names.len()).map(|index| ir.name(NameId::new(index)).to_owned());
        Self {
            source,
            comments: &ir.comments,
            strings: &ir.multiline_strings,
            declared: declared(ir),
            taken: names.collect(),
            added: Vec::new(),
            functions,
            has_semicolons: has_semicolons(source.text()),
            unit: indent_unit(source.text(), &ir.multiline_strings, &ir.comments),
            types: types(ir, source.text()),
            helpers: Vec::new(),
            atomic: AtomicImport::of(ir),
        }
    }

    /// The edits that carry out `plan`. Names that it introduces are taken from then on.
    ///
    /// # Errors
    /// Where the text is not the one that the plan was made for.
    pub fn emit(&mut self, plan: &Plan) -> Result<Vec<Edit>, EmitError> {
        let (start, end) = (plan.span.start as usize, plan.span.end as usize);
        if self.source.text().get(start..end).is_none() {
            return Err(EmitError::OtherText);
        }
        let names = self.names(plan);
        let mut edits = Vec::new();
        for segment in segments(plan) {
            let writer = Writer::new(self, plan, &names, &segment);
            edits.extend(writer.edits());
        }
        let of_plan = plan.pieces.iter().filter_map(|it| it.script.as_ref());
        let mut called: Vec<Helper> = of_plan.flat_map(Script::helpers).collect();
        called.dedup();
        edits.extend(called.into_iter().filter_map(|it| self.put_at_end(it)));
        for edit in &mut edits {
            edit.text = self.source.with_newlines(&edit.text);
        }
        Ok(edits)
    }

    /// The names that a plan introduces.
    fn names(&mut self, plan: &Plan) -> Names {
        let text = self.source.text();
        for script in plan.pieces.iter().filter_map(|it| it.script.as_ref()) {
            script.helpers().for_each(|it| self.name_helper(it));
        }
        let mut names = Names {
            promises: vec![String::new(); plan.pieces.len()],
            before: vec![Vec::new(); plan.pieces.len()],
            of_scripts: vec![Vec::new(); plan.pieces.len()],
            helpers: self.helpers.clone(),
        };
        for (piece, fresh) in plan.pieces.iter().zip(&mut names.of_scripts) {
            let wanted = piece.script.iter().flat_map(|it| &it.names);
            *fresh = wanted.map(|it| self.fresh_name(it, plan.span)).collect();
        }
        let named = plan.parts.iter().flat_map(|part| match part {
            Part::Start(piece) | Part::Lead(piece) => vec![*piece],
            Part::Group(pieces, Form::Named) => pieces.clone(),
            _ => Vec::new(),
        });
        for piece in named {
            let Some(operation) = &plan.pieces[piece].operation else { continue };
            let stem = match &operation.binding {
                Some(binding) if binding.is_name => binding.pattern.text(text),
                _ => operation.callee.as_str(),
            };
            for it in &operation.before {
                let name = self.free_within(&format!("{}Promise", it.callee), plan.span);
                names.before[piece].push(name);
            }
            names.promises[piece] = self.free_within(&format!("{stem}Promise"), plan.span);
        }
        names
    }

    /// What puts a function at the end of the file, for those that are not there already. Several plans
    /// may do so: it is put there once.
    fn put_at_end(&self, helper: Helper) -> Option<Edit> {
        let called = self.helpers.iter().find(|it| it.helper == helper && !it.is_there)?;
        let source = self.source.text();
        if helper == Helper::Atomic {
            let end = if self.has_semicolons { ";" } else { "" };
            let (at, text) = self.atomic.line(&called.name, source, end);
            return Some(Edit { start: at, end: at, text });
        }
        if let Some(brace) = helper.within() {
            return Some(put_before(source, brace, &called.text));
        }
        let end = u32::try_from(source.len()).ok()?;
        let gap = if source.ends_with('\n') { "\n" } else { "\n\n" };
        Some(Edit { start: end, end, text: format!("{gap}{}", called.text) })
    }

    fn text_of(&self, helper: Helper, name: &str) -> String {
        let text = helper.text(name, self.types, &self.unit, self.has_semicolons);
        let Some(brace) = helper.within() else { return text };
        let indent = format!("{}{}", indent_at(self.source.text(), brace), self.unit);
        text.lines().map(|line| format!("{indent}{line}\n")).collect()
    }

    /// Whether a function stands already where it would be put.
    fn is_there(&self, helper: Helper, text: &str) -> bool {
        let source = self.source.text();
        let in_file = self.source.with_newlines(text.trim_start_matches('\n').trim_end());
        match helper.within().map(|it| source.get(..it as usize)) {
            Some(before) => before.is_some_and(|it| it.trim_end().ends_with(in_file.as_str())),
            None => source.contains(in_file.as_str()),
        }
    }

    /// Gives a function at the end of the file its name: the one that it has there already, if it has.
    fn name_helper(&mut self, helper: Helper) {
        if self.helpers.iter().any(|it| it.helper == helper) {
            return;
        }
        let mut name = helper.name().to_owned();
        if helper == Helper::Atomic {
            let known = self.atomic.name.clone();
            let is_there = known.is_some();
            let name = known.unwrap_or_else(|| free_name(&name, &mut self.taken));
            self.helpers.push(Called { helper, name, text: String::new(), is_there });
            return;
        }
        let mut text = self.text_of(helper, &name);
        let is_there = self.is_there(helper, &text);
        if !is_there {
            name = free_name(helper.name(), &mut self.taken);
            text = self.text_of(helper, &name);
        }
        self.helpers.push(Called { helper, name, text, is_there });
    }

    /// A name that a script asks for.
    fn fresh_name(&mut self, name: &FreshName, span: Span) -> String {
        let is_free = name.may_be_property
            && !self.added.iter().any(|it| it.0 == name.wanted)
            && !self.declared.contains(&name.wanted)
            && !is_asked_for_type(self.source.text(), &name.wanted);
        if is_free && self.declared.insert(name.wanted.clone()) {
            self.taken.insert(name.wanted.clone());
            return name.wanted.clone();
        }
        self.free_within(&name.wanted, span)
    }

    /// Whether a function starts in a span.
    pub(crate) fn has_function_in(&self, span: Span) -> bool {
        let first = self.functions.partition_point(|it| it.start < span.start);
        self.functions.get(first).is_some_and(|it| it.start < span.end)
    }

    /// `name`, or `name` with the first number that nothing has in the function around a plan at `span`. A function that
    /// spells a name with an escape may have any name of the file.
    fn free_within(&mut self, name: &str, span: Span) -> String {
        let text = self.source.text();
        let around = self.functions.iter().rfind(|it| it.contains(span)).copied();
        let scope =
            around.unwrap_or_else(|| Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX)));
        let code = scope.text(text);
        let has_escape = code.contains("\\u");
        let is_free = |name: &str| {
            let is_written =
                if has_escape { self.taken.contains(name) } else { has_word(code, name) };
            let meets = |(other, of): &(String, Span)| {
                other == name && (of.contains(scope) || scope.contains(*of))
            };
            !is_written
                && !self.helpers.iter().any(|it| it.name == name)
                && !self.added.iter().any(meets)
        };
        let numbered = (2u32..).map(|number| format!("{name}{number}"));
        let found = std::iter::once(name.to_owned()).chain(numbered).find(|it| is_free(it));
        let free = found.unwrap_or_else(|| name.to_owned());
        self.added.push((free.clone(), scope));
        free
    }

    /// The comments inside a span.
    pub(crate) fn comments_in(&self, span: Span) -> &'a [Span] {
        let first = self.comments.partition_point(|it| it.start < span.start);
        let behind = self.comments.partition_point(|it| it.start < span.end);
        self.comments.get(first..behind).unwrap_or(&[])
    }
}

/// The names that a plan introduces, by piece.
pub(crate) struct Names {
    /// Of promises; empty for those that need none.
    pub(crate) promises: Vec<String>,
    /// Of the promises of those that start right before.
    pub(crate) before: Vec<Vec<String>>,
    /// Of scripts, in their order.
    pub(crate) of_scripts: Vec<Vec<String>>,
    /// Of functions at the end of the file.
    helpers: Vec<Called>,
}

impl Names {
    /// The name of a function at the end of the file.
    pub(crate) fn helper(&self, helper: Helper) -> &str {
        self.helpers
            .iter()
            .find(|it| it.helper == helper)
            .map_or(helper.name(), |it| it.name.as_str())
    }
}

/// Parts of a plan that take the places of the same statements: they are written on their own, so that
/// what does not change is not touched.
pub(crate) struct Segment<'a> {
    pub(crate) parts: &'a [Part],
    /// The first and the last of the statements.
    pub(crate) pieces: (usize, usize),
}

fn segments(plan: &Plan) -> Vec<Segment<'_>> {
    let mut segments = Vec::new();
    let (mut from, mut first, mut last, mut placed) = (0, 0, 0, 0);
    for (index, part) in plan.parts.iter().enumerate() {
        let pieces: &[usize] = match part {
            Part::Keep(piece) => std::slice::from_ref(piece),
            Part::Group(pieces, _) => pieces,
            Part::Start(_) | Part::Lead(_) => continue,
        };
        placed += pieces.len();
        last = pieces.iter().copied().fold(last, usize::max);
        // All that stood before is before, and nothing else.
        if placed == last + 1 {
            segments.push(Segment { parts: &plan.parts[from..=index], pieces: (first, last) });
            (from, first) = (index + 1, last + 1);
        }
    }
    segments
}

/// How types are said in a file.
fn types(ir: &FileIr, text: &str) -> Types {
    let is_checked =
        |it: &Span| it.text(text).trim_start_matches(['/', '*', ' ']).starts_with("@ts-check");
    if ir.is_typescript {
        Types::Written
    } else if ir.is_checked || ir.comments.iter().any(is_checked) {
        Types::InComments
    } else {
        Types::None
    }
}

/// The blanks that the line of a byte begins with.
fn indent_at(text: &str, at: u32) -> &str {
    let start = text.get(..at as usize).and_then(|it| it.rfind('\n')).map_or(0, |it| it + 1);
    let line = text.get(start..).unwrap_or_default();
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Puts lines at the end of the body of a function, before its closing brace.
fn put_before(text: &str, brace: u32, lines: &str) -> Edit {
    let indent = indent_at(text, brace);
    let before = text.get(..brace as usize).unwrap_or_default();
    let begins_line = before.trim_end_matches([' ', '\t']).ends_with('\n');
    if begins_line {
        let start = brace - u32::try_from(indent.len()).unwrap_or(0);
        return Edit { start, end: start, text: format!("\n{lines}") };
    }
    Edit { start: brace, end: brace, text: format!("\n\n{lines}{indent}") }
}

/// The names of the variables of a file, and those that it uses without declaring them.
fn declared(ir: &FileIr) -> FxHashSet<String> {
    let variables = ir.variables.iter().map(|it| ir.name(it.name).to_owned());
    let globals = ir.insts.iter().filter_map(|inst| match *inst {
        Inst::LoadGlobal(name) | Inst::StoreGlobal { name, .. } => Some(ir.name(name).to_owned()),
        _ => None,
    });
    variables.chain(globals).collect()
}

/// Whether a text asks for the type of a name, which then is used though no instruction reads it.
fn is_asked_for_type(text: &str, name: &str) -> bool {
    text.match_indices("typeof").any(|(at, word)| {
        let behind = text[at + word.len()..].trim_start();
        behind.strip_prefix(name).is_some_and(|it| {
            !it.starts_with(|it: char| it.is_alphanumeric() || it == '_' || it == '$')
        })
    })
}

/// Whether a text has a name in it that is not a part of another one.
fn has_word(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|it| it.chars().next_back());
        let behind = text.get(at + name.len()..).and_then(|it| it.chars().next());
        !before.is_some_and(is_of_word) && !behind.is_some_and(is_of_word)
    })
}

/// `name`, or `name` with the first number that makes it free. It is taken from then on.
fn free_name(name: &str, taken: &mut FxHashSet<String>) -> String {
    let mut free = name.to_owned();
    let mut number = 1u32;
    while !taken.insert(free.clone()) {
        number += 1;
        free = format!("{name}{number}");
    }
    free
}

/// Whether statements of a file end with semicolons. What is commented out may come from elsewhere.
fn has_semicolons(text: &str) -> bool {
    let is_comment = |line: &str| line.starts_with("//") || line.starts_with('*');
    let mut lines = text.lines().map(str::trim);
    lines.any(|it| it.ends_with(';') && !is_comment(it))
}
