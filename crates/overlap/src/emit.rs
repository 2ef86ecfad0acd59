//! Writing a plan as source text, the way a careful person would.

use headstart_edit::{Edit, SourceText};
use headstart_ir::{DeclKind, FileIr, NameId, Span};
use rustc_hash::FxHashSet;

use crate::finding::{Form, Plan, PlannedRead};

/// The longest line that is written; longer ones are broken.
const LINE_WIDTH: usize = 80;

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
    /// Every identifier of the file.
    taken: FxHashSet<&'a str>,
    /// One level of indentation, where the line itself does not tell.
    unit: &'a str,
}

impl<'a> Emitter<'a> {
    /// An emitter for the file `ir` with the text `source`.
    #[must_use]
    pub fn new(ir: &'a FileIr, source: &'a SourceText) -> Self {
        let names = (0..ir.names.len()).map(|index| ir.name(NameId::new(index)));
        Self {
            source,
            comments: &ir.comments,
            taken: names.collect(),
            unit: indent_unit(source.text()),
        }
    }

    /// The edits that carry out `plan`.
    ///
    /// # Errors
    /// Where the text is not the one that the plan was made for.
    pub fn emit(&self, plan: &Plan) -> Result<Vec<Edit>, EmitError> {
        let (start, end) = (plan.span.start, plan.span.end);
        if self.source.text().get(start as usize..end as usize).is_none() {
            return Err(EmitError::OtherText);
        }
        let writer = Writer::new(self, plan);
        let text = match plan.form {
            Form::All => writer.all(),
            Form::Named => writer.named(&self.taken),
        };
        let text = self.source.with_newlines(&text);
        Ok(vec![Edit { start, end, text }])
    }

    /// The comments inside a span.
    fn comments_in(&self, span: Span) -> &'a [Span] {
        let first = self.comments.partition_point(|it| it.start < span.start);
        let behind = self.comments.partition_point(|it| it.start < span.end);
        self.comments.get(first..behind).unwrap_or(&[])
    }
}

struct Writer<'a> {
    plan: &'a Plan,
    text: &'a str,
    /// White space before the first statement.
    indent: &'a str,
    /// One level of indentation.
    unit: &'a str,
    /// `;` where the last statement has one.
    semicolon: &'a str,
    /// For each read, the comments that stand around it in the group, in order.
    comments: Vec<Vec<Span>>,
}

impl<'a> Writer<'a> {
    fn new(emitter: &Emitter<'a>, plan: &'a Plan) -> Self {
        let text = emitter.source.text();
        let indent = emitter.source.indentation(plan.span.start);
        let ends_with_semicolon = plan.span.text(text).ends_with(';');
        let mut writer = Self {
            plan,
            text,
            indent,
            unit: if indent.starts_with('\t') { "\t" } else { emitter.unit },
            semicolon: if ends_with_semicolon { ";" } else { "" },
            comments: Vec::new(),
        };
        writer.comments = writer.assign_comments(emitter.comments_in(plan.span));
        writer
    }

    fn snippet(&self, span: Span) -> &'a str {
        span.text(self.text)
    }

    /// Gives every comment of the group that is not inside a pattern or an operation to a read:
    /// one that ends the line of a statement to that statement, any other to the next.
    fn assign_comments(&self, comments: &[Span]) -> Vec<Vec<Span>> {
        let reads = &self.plan.reads;
        let mut assigned = vec![Vec::new(); reads.len()];
        for &comment in comments {
            let is_kept = reads
                .iter()
                .any(|read| read.operation.contains(comment) || read.pattern.contains(comment));
            if is_kept {
                continue;
            }
            let next = reads.iter().position(|read| comment.start < read.statement.end);
            let next = next.unwrap_or(reads.len() - 1);
            let trails = next > 0
                && comment.start >= reads[next - 1].statement.end
                && !self.text[reads[next - 1].statement.end as usize..comment.start as usize]
                    .contains('\n');
            assigned[if trails { next - 1 } else { next }].push(comment);
        }
        assigned
    }

    fn keyword(&self) -> &'static str {
        match self.plan.keyword {
            DeclKind::Var => "var",
            DeclKind::Let => "let",
            _ => "const",
        }
    }

    /// `const [a, b] = await Promise.all([…])`
    fn all(&self) -> String {
        let reads = &self.plan.reads;
        let patterns: Vec<&str> = reads.iter().map(|it| self.snippet(it.pattern)).collect();
        let has_line_breaks = patterns.iter().any(|pattern| pattern.contains('\n'));
        let types = self.tuple_type();
        let one_line = format!("[{}]{types}", patterns.join(", "));
        let binding = if has_line_breaks || self.indent.len() + one_line.len() > LINE_WIDTH {
            let inner = format!("{}{}", self.indent, self.unit);
            let lines: Vec<String> =
                patterns.iter().map(|pattern| format!("{inner}{pattern},\n")).collect();
            format!("[\n{}{}]{types}", lines.concat(), self.indent)
        } else {
            one_line
        };
        let head = format!("{} {binding} = await Promise.all([", self.keyword());
        match self.flat_operations(&head) {
            Some(operations) => format!("{head}{operations}]){}", self.semicolon),
            None => format!("{head}\n{}{}]){}", self.elements(), self.indent, self.semicolon),
        }
    }

    /// The operations on the line of `head`, where they fit and carry no comments.
    fn flat_operations(&self, head: &str) -> Option<String> {
        let operations: Vec<&str> =
            self.plan.reads.iter().map(|it| self.snippet(it.operation)).collect();
        let joined = operations.join(", ");
        let fits = self.indent.len() + head.len() + joined.len() + 3 <= LINE_WIDTH;
        let is_plain = !head.contains('\n')
            && !joined.contains('\n')
            && self.comments.iter().all(Vec::is_empty);
        (fits && is_plain).then_some(joined)
    }

    fn elements(&self) -> String {
        let inner = format!("{}{}", self.indent, self.unit);
        let mut text = String::new();
        for (read, comments) in self.plan.reads.iter().zip(&self.comments) {
            let (before, behind) = self.split_comments(read, comments);
            for comment in before {
                text.push_str(&format!("{inner}{}\n", self.snippet(comment)));
            }
            text.push_str(&format!("{inner}{},", self.indented(read)));
            for comment in behind {
                text.push_str(&format!(" {}", self.snippet(comment)));
            }
            text.push('\n');
        }
        text
    }

    /// The comments of a read that go above it, and those that go behind it on its line.
    fn split_comments(&self, read: &PlannedRead, comments: &[Span]) -> (Vec<Span>, Vec<Span>) {
        comments.iter().partition(|comment| comment.start < read.statement.end)
    }

    /// The operation, its further lines one level deeper. Lines inside template literals are part
    /// of a string and stay as they are.
    fn indented(&self, read: &PlannedRead) -> String {
        let operation = self.snippet(read.operation);
        let mut text = String::with_capacity(operation.len() + 16);
        let mut offset = read.operation.start;
        for line in operation.split_inclusive('\n') {
            let in_template = read
                .templates
                .iter()
                .any(|template| template.start < offset && offset < template.end);
            if offset > read.operation.start && !in_template && !line.trim().is_empty() {
                text.push_str(self.unit);
            }
            text.push_str(line);
            offset += u32::try_from(line.len()).unwrap_or(0);
        }
        text
    }

    fn tuple_type(&self) -> String {
        let types: Vec<&str> = self
            .plan
            .reads
            .iter()
            .map(|read| self.snippet(read.annotation).trim_start_matches(':').trim())
            .filter(|annotation| !annotation.is_empty())
            .collect();
        if types.len() < self.plan.reads.len() {
            return String::new();
        }
        format!(": [{}]", types.join(", "))
    }

    /// Promises with names, awaited in the original order. Each but the first has a handler from
    /// the moment it exists, so that its failure is not unhandled while an earlier one is awaited.
    fn named(&self, taken: &FxHashSet<&str>) -> String {
        let mut names: Vec<String> = Vec::new();
        for read in &self.plan.reads {
            let name = self.promise_name(read, taken, &names);
            names.push(name);
        }
        let mut lines: Vec<String> = Vec::new();
        for ((read, name), comments) in self.plan.reads.iter().zip(&names).zip(&self.comments) {
            let (before, behind) = self.split_comments(read, comments);
            lines.extend(before.iter().map(|&comment| self.snippet(comment).to_owned()));
            let behind: String =
                behind.iter().map(|&it| format!(" {}", self.snippet(it))).collect();
            let operation = self.snippet(read.operation);
            lines.push(format!("const {name} = {operation}{}{behind}", self.semicolon));
        }
        for name in &names[1..] {
            lines.push(format!("{name}.catch(() => {{}}){}", self.semicolon));
        }
        for (read, name) in self.plan.reads.iter().zip(&names) {
            lines.push(format!(
                "{} {}{} = await {name}{}",
                self.keyword(),
                self.snippet(read.pattern),
                self.snippet(read.annotation),
                self.semicolon
            ));
        }
        lines.join(&format!("\n{}", self.indent))
    }

    fn promise_name(
        &self,
        read: &PlannedRead,
        taken: &FxHashSet<&str>,
        others: &[String],
    ) -> String {
        let stem = if read.is_name { self.snippet(read.pattern) } else { &read.callee };
        let plain = format!("{stem}Promise");
        let is_free = |name: &String| !taken.contains(name.as_str()) && !others.contains(name);
        if is_free(&plain) {
            return plain;
        }
        (2u32..).map(|number| format!("{plain}{number}")).find(is_free).unwrap_or(plain)
    }
}

/// One level of indentation, told from the indented lines of a file.
fn indent_unit(text: &str) -> &str {
    let widths = text.lines().filter_map(|line| {
        let width = line.len() - line.trim_start_matches(' ').len();
        let starts_comment = line.trim_start().starts_with('*');
        (width > 0 && !starts_comment && width < line.len()).then_some(width)
    });
    match widths.min() {
        None if text.lines().any(|line| line.starts_with('\t')) => "\t",
        Some(1) | None => "  ",
        Some(width) => &"        "[..width.min(8)],
    }
}
