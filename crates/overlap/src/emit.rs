//! Writing a plan as source text, the way a careful person would.

use headstart_edit::{Edit, SourceText};
use headstart_ir::{DeclKind, FileIr, NameId, Span};
use rustc_hash::FxHashSet;

use crate::finding::{Form, Plan, PlannedRead};
use crate::layout::{LINE_WIDTH, indent_further_lines, indent_unit, width};

/// Why a plan cannot be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmitError {
    /// The text is not the one that the plan was made for.
    OtherText,
}

/// Writes the plans of one file.
#[derive(Debug)]
pub struct Emitter<'a> {
    source: &'a SourceText,
    /// The comments of the file, in order.
    comments: &'a [Span],
    /// String and template tokens over several lines, in order.
    strings: &'a [Span],
    /// Every identifier of the file, and those that plans have added.
    taken: FxHashSet<String>,
    /// One level of indentation, where the line itself does not tell.
    unit: String,
}

impl<'a> Emitter<'a> {
    /// An emitter for the file `ir` with the text `source`.
    #[must_use]
    pub fn new(ir: &'a FileIr, source: &'a SourceText) -> Self {
        let names = (0..ir.names.len()).map(|index| ir.name(NameId::new(index)).to_owned());
        Self {
            source,
            comments: &ir.comments,
            strings: &ir.multiline_strings,
            taken: names.collect(),
            unit: indent_unit(source.text(), &ir.multiline_strings, &ir.comments),
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
        let names = match plan.form {
            Form::All => Vec::new(),
            Form::Named => self.promise_names(plan),
        };
        let writer = Writer::new(self, plan);
        let text = match plan.form {
            Form::All => writer.all(),
            Form::Named => writer.named(&names),
        };
        let text = self.source.with_newlines(&text);
        Ok(vec![Edit { start: plan.span.start, end: writer.end, text }])
    }

    fn promise_names(&mut self, plan: &Plan) -> Vec<String> {
        let text = self.source.text();
        let stems = plan
            .reads
            .iter()
            .map(|read| if read.is_name { read.pattern.text(text) } else { read.callee.as_str() });
        stems.map(|stem| free_name(&format!("{stem}Promise"), &mut self.taken)).collect()
    }

    /// The comments inside a span.
    fn comments_in(&self, span: Span) -> &'a [Span] {
        let first = self.comments.partition_point(|it| it.start < span.start);
        let behind = self.comments.partition_point(|it| it.start < span.end);
        self.comments.get(first..behind).unwrap_or(&[])
    }
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

struct Writer<'a> {
    plan: &'a Plan,
    text: &'a str,
    strings: &'a [Span],
    /// White space at the start of the line that the group starts on.
    indent: &'a str,
    /// One level of indentation.
    unit: &'a str,
    /// Columns before the group on its line.
    column: usize,
    /// Whether the group stands on one line together with other code: it stays there.
    is_inline: bool,
    /// `;` where the last statement has one.
    semicolon: &'a str,
    /// The end of what is replaced.
    end: u32,
    /// For each read, the comments that stand around it in the group, in order.
    comments: Vec<Vec<Span>>,
}

impl<'a> Writer<'a> {
    fn new(emitter: &'a Emitter<'_>, plan: &'a Plan) -> Self {
        let text = emitter.source.text();
        let start = plan.span.start;
        let indent = emitter.source.indentation(start);
        let line_start = emitter.source.line_start(emitter.source.line_of(start));
        let before = Span::new(line_start, start).text(text);
        let last_end = plan.reads.last().map_or(plan.span.end, |read| read.declarator_end);
        // In a style without semicolons, one may stand before the *next* statement; the parser
        // counts it to this one.
        let behind = Span::new(last_end, plan.span.end).text(text);
        let has_semicolon = behind.ends_with(';') && !behind.contains('\n');
        let end = if has_semicolon { plan.span.end } else { last_end };
        let is_inline = before.len() > indent.len() && !plan.span.text(text).contains('\n');
        let mut writer = Self {
            plan,
            text,
            strings: emitter.strings,
            indent,
            unit: if indent.starts_with('\t') { "\t" } else { &emitter.unit },
            column: width(before),
            is_inline,
            semicolon: if has_semicolon { ";" } else { "" },
            end,
            comments: Vec::new(),
        };
        writer.comments = writer.assign_comments(emitter.comments_in(Span::new(start, end)));
        writer
    }

    fn snippet(&self, span: Span) -> &'a str {
        span.text(self.text)
    }

    /// Gives every comment of the group that is not inside what is copied to a read: one that ends
    /// the line of a statement to that statement, any other to the next.
    fn assign_comments(&self, comments: &[Span]) -> Vec<Vec<Span>> {
        let reads = &self.plan.reads;
        let mut assigned = vec![Vec::new(); reads.len()];
        for &comment in comments {
            let is_copied = reads.iter().any(|read| {
                read.operation.contains(comment)
                    || read.pattern.contains(comment)
                    || read.annotation.contains(comment)
            });
            if is_copied {
                continue;
            }
            let next = reads.iter().position(|read| comment.start < read.statement.end);
            let next = next.unwrap_or(reads.len() - 1);
            let trails = next > 0 && self.ends_line_of(comment, &reads[next - 1], &reads[next]);
            assigned[if trails { next - 1 } else { next }].push(comment);
        }
        assigned
    }

    /// Whether a comment stands behind `before` on its line, and nothing behind the comment.
    fn ends_line_of(&self, comment: Span, before: &PlannedRead, next: &PlannedRead) -> bool {
        let gap = Span::new(before.statement.end.min(comment.start), comment.start);
        let rest = Span::new(comment.end, next.statement.start.max(comment.end));
        comment.start >= before.statement.end
            && !self.snippet(gap).contains('\n')
            && self.snippet(rest).contains('\n')
    }

    /// `const [a, b] = await Promise.all([…])`
    fn all(&self) -> String {
        let keyword = keyword(self.plan.reads.first().map(|read| read.keyword));
        let head = format!("{keyword} {} = await Promise.all([", self.binding(keyword));
        match self.flat_operations(&head) {
            Some(operations) => format!("{head}{operations}]){}", self.semicolon),
            None => format!("{head}\n{}{}]){}", self.elements(), self.indent, self.semicolon),
        }
    }

    /// `[a, b]`, with its type, over several lines where one is too long.
    fn binding(&self, keyword: &str) -> String {
        let reads = &self.plan.reads;
        let patterns: Vec<&str> = reads.iter().map(|it| self.snippet(it.pattern)).collect();
        let types = self.types();
        let annotation =
            if types.is_empty() { String::new() } else { format!(": [{}]", types.join(", ")) };
        let one_line = format!("[{}]{annotation}", patterns.join(", "));
        let rest = keyword.len() + " ".len() + " = await Promise.all([".len();
        let fits = self.column + rest + width(&one_line) <= LINE_WIDTH;
        if self.is_inline || (fits && !one_line.contains('\n')) {
            return one_line;
        }
        let inner = format!("{}{}", self.indent, self.unit);
        let list = |items: Vec<String>| -> String {
            let lines = items.into_iter().map(|item| format!("{inner}{item},\n"));
            format!("[\n{}{}]", lines.collect::<String>(), self.indent)
        };
        let patterns = list(reads.iter().map(|it| self.deeper(it.pattern)).collect());
        let last_line = format!("{}]{annotation} = await Promise.all([", self.indent);
        if width(&last_line) <= LINE_WIDTH {
            return format!("{patterns}{annotation}");
        }
        format!("{patterns}: {}", list(types.iter().map(|&it| it.to_owned()).collect()))
    }

    /// The type annotations, none where there are none.
    fn types(&self) -> Vec<&'a str> {
        self.plan
            .reads
            .iter()
            .map(|read| self.snippet(read.annotation).trim_start_matches(':').trim())
            .filter(|annotation| !annotation.is_empty())
            .collect()
    }

    /// The operations on the line of `head`, where they fit and carry no comments.
    fn flat_operations(&self, head: &str) -> Option<String> {
        let with_comments = |(read, comments): (&PlannedRead, &Vec<Span>)| {
            let comments = comments.iter().map(|&it| self.snippet(it));
            comments.chain([self.snippet(read.operation)]).collect::<Vec<&str>>().join(" ")
        };
        let operations: Vec<String> =
            self.plan.reads.iter().zip(&self.comments).map(with_comments).collect();
        let joined = operations.join(", ");
        let before = match head.rsplit_once('\n') {
            Some((_, last)) => width(last),
            None => self.column + width(head),
        };
        let fits = self.is_inline || before + width(&joined) + "]);".len() <= LINE_WIDTH;
        let has_comments = self.comments.iter().any(|it| !it.is_empty());
        let is_plain = !joined.contains('\n') && (self.is_inline || !has_comments);
        (fits && is_plain).then_some(joined)
    }

    fn elements(&self) -> String {
        let inner = format!("{}{}", self.indent, self.unit);
        let mut text = String::new();
        for (read, comments) in self.plan.reads.iter().zip(&self.comments) {
            for &comment in comments.iter().filter(|it| it.start < read.statement.end) {
                text.push_str(&format!("{inner}{}\n", self.deeper(comment)));
            }
            text.push_str(&format!("{inner}{},", self.deeper(read.operation)));
            for &comment in comments.iter().filter(|it| it.start >= read.statement.end) {
                text.push_str(&format!(" {}", self.snippet(comment)));
            }
            text.push('\n');
        }
        text
    }

    /// The text of a span, its further lines one level deeper; strings stay as they are.
    fn deeper(&self, span: Span) -> String {
        indent_further_lines(self.text, span, self.unit, self.strings)
    }

    /// Promises with names, awaited where the original did. Each but the first has a handler from
    /// the moment it exists, so that its failure is not unhandled while an earlier one is awaited.
    fn named(&self, names: &[String]) -> String {
        let reads = || self.plan.reads.iter().zip(names);
        let mut lines: Vec<String> = Vec::new();
        for ((read, name), comments) in reads().zip(&self.comments) {
            let (above, behind): (Vec<&Span>, Vec<&Span>) =
                comments.iter().partition(|it| it.start < read.statement.end);
            lines.extend(above.iter().map(|&&it| self.snippet(it).to_owned()));
            let operation = self.snippet(read.operation);
            let mut line = format!("const {name} = {operation}{}", self.separator());
            for &&comment in &behind {
                line.push_str(&format!(" {}", self.snippet(comment)));
            }
            lines.push(line);
        }
        for name in names.iter().skip(1) {
            lines.push(format!("{name}.catch(() => {{}}){}", self.separator()));
        }
        for (index, (read, name)) in reads().enumerate() {
            let is_last = index + 1 == names.len();
            let end = if is_last { self.semicolon } else { self.separator() };
            let keyword = keyword(Some(read.keyword));
            let binding =
                format!("{}{}", self.snippet(read.pattern), self.snippet(read.annotation));
            lines.push(format!("{keyword} {binding} = await {name}{end}"));
        }
        let between = if self.is_inline { " ".to_owned() } else { format!("\n{}", self.indent) };
        lines.join(&between)
    }

    /// What ends a statement that is not the last: on one line there has to be a semicolon.
    fn separator(&self) -> &'a str {
        if self.is_inline { ";" } else { self.semicolon }
    }
}

fn keyword(kind: Option<DeclKind>) -> &'static str {
    match kind {
        Some(DeclKind::Var) => "var",
        Some(DeclKind::Let) => "let",
        _ => "const",
    }
}
