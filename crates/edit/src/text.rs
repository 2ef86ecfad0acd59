//! The text of a source file: byte order mark, line endings, lines and columns.

#[cfg(test)]
mod tests;

use std::error::Error;
use std::fmt;

use crate::columns::Columns;

const BOM: &str = "\u{feff}";

/// Why the bytes of a file cannot be taken as source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextError {
    /// The bytes are not UTF-8.
    NotUtf8 {
        /// Offset of the first wrong byte in the file, counting a byte order mark.
        offset: usize,
    },
    /// The file is larger than a 32-bit offset can address.
    TooLarge,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::NotUtf8 { offset } => {
                write!(f, "byte {offset} is not valid UTF-8; save the file as UTF-8")
            }
            TextError::TooLarge => write!(f, "the file is larger than 4 GiB; leave it out"),
        }
    }
}

impl Error for TextError {}

/// A place in a text as editors show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line number, from 1.
    pub line: u32,
    /// Column, from 1, counted in UTF-16 code units.
    pub column: u32,
}

/// The decoded text of one file, with what is needed to write it back in the same form.
///
/// Offsets are bytes into the text without its byte order mark. An offset past the end is
/// taken as the end, and one inside a character as the start of that character.
#[derive(Debug, Clone)]
pub struct SourceText {
    text: String,
    has_bom: bool,
    newline: &'static str,
    /// Offset of the first byte of every line; never empty.
    line_starts: Vec<u32>,
    columns: Columns,
}

impl SourceText {
    /// Decodes the content of a file.
    ///
    /// # Errors
    ///
    /// [`TextError::NotUtf8`] with the offset of the first wrong byte, or
    /// [`TextError::TooLarge`] for a file of 4 GiB and more.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<SourceText, TextError> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(TextError::TooLarge);
        }
        let mut text = String::from_utf8(bytes)
            .map_err(|error| TextError::NotUtf8 { offset: error.utf8_error().valid_up_to() })?;
        let has_bom = text.starts_with(BOM);
        if has_bom {
            text.drain(..BOM.len());
        }
        Ok(SourceText {
            newline: dominant_newline(&text),
            line_starts: line_starts(&text),
            columns: Columns::of(&text),
            text,
            has_bom,
        })
    }

    /// The text, without its byte order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the file starts with a byte order mark.
    pub fn has_bom(&self) -> bool {
        self.has_bom
    }

    /// The line ending most lines have, `"\n"` or `"\r\n"`; `"\n"` where neither prevails, and `"\r"`
    /// where there is no other.
    pub fn newline(&self) -> &'static str {
        self.newline
    }

    /// New text with every `\n` turned into the line ending of the file.
    ///
    /// A `\r\n` stays as it is, so text copied from the file may be part of `text`.
    pub fn with_newlines(&self, text: &str) -> String {
        if self.newline == "\n" {
            return text.to_owned();
        }
        let mut output = String::with_capacity(text.len() + 16);
        for line in text.split_inclusive('\n') {
            match line.strip_suffix('\n') {
                Some(body) => {
                    output.push_str(body.strip_suffix('\r').unwrap_or(body));
                    output.push_str(self.newline);
                }
                None => output.push_str(line),
            }
        }
        output
    }

    /// The bytes to write for `text`: a byte order mark is put back where the file had one.
    pub fn to_bytes(&self, text: &str) -> Vec<u8> {
        let bom = if self.has_bom { BOM } else { "" };
        [bom.as_bytes(), text.as_bytes()].concat()
    }

    /// Number of lines; text after the last line terminator counts as one even when empty.
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }

    /// Line, from 1, that the byte at `offset` is on. A terminator belongs to the line it ends.
    pub fn line_of(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= offset) as u32
    }

    /// Line and column of the byte at `offset`.
    pub fn position(&self, offset: u32) -> Position {
        let offset = self.text.floor_char_boundary(offset as usize);
        let line = self.line_of(offset as u32);
        let start = self.line_start(line) as usize;
        Position { line, column: self.columns.between(&self.text, start, offset) + 1 }
    }

    /// Offset of the first byte of `line`, from 1; the end of the text for a line past it.
    pub fn line_start(&self, line: u32) -> u32 {
        let index = (line as usize).saturating_sub(1);
        let end = self.text.len() as u32;
        self.line_starts.get(index).copied().unwrap_or(end)
    }

    /// Text of `line`, from 1, without its terminator; empty for a line past the end.
    pub fn line_text(&self, line: u32) -> &str {
        let start = self.line_start(line) as usize;
        let end = self.line_start(line.max(1).saturating_add(1)) as usize;
        let line = &self.text[start..end];
        match line.strip_suffix("\r\n") {
            Some(body) => body,
            None => line.strip_suffix(is_line_terminator).unwrap_or(line),
        }
    }

    /// The spaces and tabs that the line of `offset` begins with.
    pub fn indentation(&self, offset: u32) -> &str {
        let line = self.line_text(self.line_of(offset));
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }
}

fn is_line_terminator(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn dominant_newline(text: &str) -> &'static str {
    let crlf = text.matches("\r\n").count();
    let all = text.matches('\n').count();
    if all == 0 && text.contains('\r') {
        return "\r";
    }
    if crlf > all - crlf { "\r\n" } else { "\n" }
}

fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (index, &byte) in bytes.iter().enumerate() {
        let ends_line = match byte {
            b'\n' => true,
            b'\r' => bytes.get(index + 1) != Some(&b'\n'),
            // Last byte of U+2028 or U+2029.
            0xA8 | 0xA9 => bytes[..index].ends_with(&[0xE2, 0x80]),
            _ => false,
        };
        if ends_line {
            starts.push(index as u32 + 1);
        }
    }
    starts
}
