//! Source maps of ropes.
//!
//! Output guarantee: each piece of the source that is in the output is mapped where it begins, where
//! a line of it begins, and where a word does, so that both debuggers and traces find names. What was
//! put in front of a piece on its line (`await`, say) is mapped to that piece.

use headstart_edit::Columns;
use oxc_sourcemap::SourceMapBuilder;

use crate::rope::{Piece, Rope};

/// The source map of `rope`, as JSON.
pub(crate) fn source_map(rope: &Rope, file: &str, source: &str) -> String {
    let mut builder = SourceMapBuilder::default();
    let id = builder.add_source_and_content(file, source);
    let lines = Lines::of(source);
    let mut to = Place::default();
    for (index, piece) in rope.0.iter().enumerate() {
        let (text, mut from) = match piece {
            Piece::Text(text) => {
                let next = rope.0.get(index + 1..).and_then(first_source);
                let start = text.rfind('\n').map_or(0, |at| at + 1);
                to.pass_all(&text[..start]);
                if let (Some(at), false) = (next, start == text.len()) {
                    let from = lines.place(source, at as usize);
                    builder.add_token(to.line, to.column, from.line, from.column, Some(id), None);
                }
                to.pass_all(&text[start..]);
                continue;
            }
            // Resolved when functions are printed.
            Piece::Fast(_, instead) => {
                to.pass_all(instead);
                continue;
            }
            Piece::Mark(at) => {
                let from = lines.place(source, *at as usize);
                builder.add_token(to.line, to.column, from.line, from.column, Some(id), None);
                continue;
            }
            Piece::Source(span) => {
                (span.source_text(source), lines.place(source, span.start as usize))
            }
        };
        let mut in_word = false;
        for (offset, character) in text.char_indices() {
            let is_word = character.is_alphanumeric() || "_$#".contains(character);
            let begins = offset == 0 || to.column == 0 || is_word && !in_word;
            in_word = is_word;
            if begins && character != '\n' {
                builder.add_token(to.line, to.column, from.line, from.column, Some(id), None);
            }
            to.pass(character);
            from.pass(character);
        }
    }
    builder.into_sourcemap().to_json_string()
}

/// Where the first piece of the source among `pieces` begins, if it is on the line they begin on.
fn first_source(pieces: &[Piece]) -> Option<u32> {
    for piece in pieces {
        match piece {
            Piece::Source(span) => return Some(span.start),
            Piece::Mark(at) => return Some(*at),
            Piece::Text(text) if text.contains('\n') => return None,
            Piece::Text(_) | Piece::Fast(..) => {}
        }
    }
    None
}

/// A place in a text, from 0, columns in UTF-16 code units.
#[derive(Clone, Copy, Default)]
struct Place {
    line: u32,
    column: u32,
}

impl Place {
    fn pass_all(&mut self, text: &str) {
        text.chars().for_each(|it| self.pass(it));
    }

    fn pass(&mut self, character: char) {
        if character == '\n' {
            (self.line, self.column) = (self.line + 1, 0);
        } else {
            self.column += if character as u32 > 0xFFFF { 2 } else { 1 };
        }
    }
}

/// Where the lines of a text begin.
struct Lines {
    starts: Vec<usize>,
    columns: Columns,
}

impl Lines {
    fn of(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        Self { starts, columns: Columns::of(text) }
    }

    fn place(&self, text: &str, offset: usize) -> Place {
        let line = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        Place { line, column: self.columns.between(text, start, offset) }
    }
}
