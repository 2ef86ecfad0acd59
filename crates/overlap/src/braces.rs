//! Braces around a statement that stands alone, where another one is put before it.

use std::borrow::Cow;

use headstart_edit::Edit;
use headstart_ir::{BlockForm, Span};

use crate::emit::Emitter;
use crate::layout::{line_starts, width};
use crate::write::Writer;

/// The braces around one statement.
pub(crate) struct Braces<'a> {
    /// What stands between the token before the statement and the statement.
    before: Span,
    /// What belongs to it behind the statement.
    behind: Span,
    /// What the statement begins with then, and did not before: `return `.
    keyword: &'static str,
    /// What ends the statement then, and did not before.
    semicolon: &'static str,
    /// White space at the start of the line that they open on.
    indent: &'a str,
    /// Where lines of the statement start that move to one level below that.
    lines: Vec<u32>,
}

impl<'a> Writer<'a> {
    /// Plans braces where the statement stands alone: what is put before it stands on a line of its own
    /// between them.
    pub(crate) fn put_braces(&mut self, emitter: &'a Emitter<'_>) {
        let statement = Span::new(self.plan.pieces[self.pieces.0].statement.start, self.end);
        let ends_with = if emitter.has_semicolons { ";" } else { "" };
        let (outer, keyword, semicolon) = match self.plan.form {
            BlockForm::Single(start) => (Span::new(start, self.end), "", ""),
            BlockForm::Concise(span) => (span, "return ", ends_with),
            BlockForm::List | BlockForm::Fixed => return,
        };
        let indent = emitter.source.indentation(outer.start);
        let inner = format!("{indent}{}", self.unit);
        // What is written in functions within it may take the place of lines of theirs.
        let moves = emitter.source.indentation(statement.start) == indent
            && !emitter.has_function_in(statement);
        let lines =
            if moves { line_starts(self.text, statement, self.strings) } else { Vec::new() };
        self.braces = Some(Braces {
            before: Span::new(outer.start, statement.start),
            behind: Span::new(self.end, outer.end),
            keyword,
            semicolon,
            indent,
            lines,
        });
        (self.column, self.is_inline, self.semicolon) = (width(&inner), false, ends_with);
        self.indent = Cow::Owned(inner);
    }

    /// A statement that stands alone becomes a block of what its script puts before it and itself.
    pub(crate) fn in_braces(&self, braces: &Braces<'_>) -> Vec<Edit> {
        let (piece, _) = self.pieces;
        let before = self.script_before(piece);
        let opening = format!(" {{\n{}{before}{}", self.indent, braces.keyword);
        let closing = format!("{}\n{}}}", braces.semicolon, braces.indent);
        let edit = |span: Span, text: String| Edit { start: span.start, end: span.end, text };
        let within = self.edits_of(piece);
        let is_kept = |at: &u32| !within.iter().any(|it| it.start <= *at && *at <= it.end);
        let moved = braces.lines.iter().copied().filter(is_kept);
        let moved: Vec<Edit> =
            moved.map(|at| edit(Span::new(at, at), self.unit.to_owned())).collect();
        let mut edits = vec![edit(braces.before, opening)];
        edits.extend(within);
        edits.extend(moved);
        edits.push(edit(braces.behind, closing));
        edits
    }
}
