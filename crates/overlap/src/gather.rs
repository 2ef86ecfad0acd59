//! Writing several awaits of one statement before it.

use headstart_edit::Edit;
use headstart_ir::Span;

use crate::awaits_in_one_expression::with_parentheses;
use crate::finding::{Gathered, Part};
use crate::layout::{LINE_WIDTH, width};
use crate::write::Writer;

impl Writer<'_> {
    /// Several awaits of a statement, before it.
    pub(crate) fn gather(&self, piece: usize, gathered: &[Gathered]) -> String {
        let names: Vec<&str> = self.gathered_names(piece).iter().map(String::as_str).collect();
        let operations: Vec<&str> = gathered.iter().map(|it| self.snippet(it.operation)).collect();
        let head = format!("const [{}] = await Promise.all([", names.join(", "));
        let joined = operations.join(", ");
        let end = self.separator();
        let is_flat = self.is_inline
            || (!joined.contains('\n')
                && self.column + width(&head) + width(&joined) + "]);".len() <= LINE_WIDTH);
        if is_flat {
            format!("{head}{joined}]){end}")
        } else {
            let inner = format!("{}{}", self.indent, self.unit);
            let lines: String = gathered
                .iter()
                .map(|it| format!("{inner}{},\n", self.outdented(it.operation)))
                .collect();
            format!("{head}\n{lines}{}]){end}", self.indent)
        }
    }

    /// The awaits of a statement become the names of their results.
    pub(crate) fn replaced(&self, piece: usize, gathered: &[Gathered]) -> Vec<Edit> {
        let names = self.gathered_names(piece);
        let edit = |(it, name): (&Gathered, &String)| {
            let awaited = with_parentheses(self.text, it.awaited);
            let (mut start, mut text) = (awaited.start, name.clone());
            if it.is_property && it.name == *name {
                // `{ user: await … }` becomes `{ user }`.
                let before = &self.text[..start as usize];
                let key = before.trim_end().strip_suffix(':').map(str::trim_end);
                if let Some(key) = key.filter(|it| it.ends_with(name.as_str())) {
                    start = u32::try_from(key.len() - name.len()).unwrap_or(start);
                    text.clone_from(name);
                }
            }
            Edit { start, end: awaited.end, text }
        };
        gathered.iter().zip(names).map(edit).collect()
    }

    /// A statement whose awaits stand before it, with its comments.
    pub(crate) fn gathered_statement(&self, piece: usize, gathered: &[Gathered]) -> String {
        let statement = self.plan.pieces[piece].statement;
        let end = if piece == self.pieces.1 { self.end } else { statement.end };
        let (above, behind) = self.around(piece);
        let mut text = String::new();
        for &comment in &above {
            text.push_str(self.snippet(comment));
            text.push_str(&self.between());
        }
        text.push_str(&self.gather(piece, gathered));
        text.push_str(&self.between());
        let mut at = statement.start;
        for edit in self.replaced(piece, gathered) {
            text.push_str(self.snippet(Span::new(at, edit.start)));
            text.push_str(&edit.text);
            at = edit.end;
        }
        text.push_str(self.snippet(Span::new(at, end)));
        for &comment in &behind {
            text.push(' ');
            text.push_str(self.snippet(comment));
        }
        text
    }

    /// The names for the awaits that are put together in a statement: they stand behind those of
    /// promises.
    pub(crate) fn gathered_names(&self, piece: usize) -> &[String] {
        let mut first = self.plan.pieces.len();
        for part in &self.plan.parts {
            if let Part::Gather(of, gathered) = part {
                if *of == piece {
                    return self.names.get(first..first + gathered.len()).unwrap_or(&[]);
                }
                first += gathered.len();
            }
        }
        &[]
    }

    /// The text of an operation whose further lines move to one level below the statement.
    fn outdented(&self, span: Span) -> String {
        let line_start = self.text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let line = &self.text[line_start..];
        let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        let wanted = format!("{}{}", self.indent, self.unit);
        match indent.strip_prefix(wanted.as_str()) {
            Some(more) if !more.is_empty() && self.strings.iter().all(|it| !span.contains(*it)) => {
                self.snippet(span).replace(&format!("\n{indent}"), &format!("\n{wanted}"))
            }
            _ => self.snippet(span).to_owned(),
        }
    }
}
