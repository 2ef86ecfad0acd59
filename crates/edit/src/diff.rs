//! Unified diffs that `git apply` takes.

#[cfg(test)]
mod tests;

use std::fmt::Write;
use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

const CONTEXT_LINES: usize = 3;

/// The change from `old` to `new` in the format of `git diff`; empty where they are equal.
///
/// Paths are relative to the folder the diff is to be applied in, with `/` between their
/// parts, and are quoted as git quotes them. Different paths make a rename. Content is kept
/// byte for byte, including `\r` and a byte order mark, and a last line without `\n` is
/// marked. As for git, only `\n` ends a line.
///
/// Takes time in proportion to the length times the number of changed lines: milliseconds
/// for the edits of a fix, seconds for two files of 20,000 lines that share none.
pub fn unified_diff(path_old: &str, path_new: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let mut diff = header(path_old, path_new);
    let operations = capture_diff_slices(Algorithm::Myers, &old_lines, &new_lines);
    for hunk in group_diff_ops(realigned(&operations), CONTEXT_LINES) {
        push_hunk(&mut diff, &hunk, &old_lines, &new_lines);
    }
    diff
}

/// What became of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineChange {
    /// It is in both texts.
    Kept,
    /// It is only in the old text.
    Removed,
    /// It is only in the new text.
    Added,
    /// Lines that are in both texts are left out here.
    Gap,
}

/// A line of a difference that a person is to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiffLine<'a> {
    /// What became of it.
    pub change: LineChange,
    /// Its number in the text that it is from (the old one for what is kept), counted from 0.
    pub number: usize,
    /// The line without its end.
    pub text: &'a str,
}

/// The lines that differ, with `context` lines around them.
#[must_use]
pub fn diff_lines<'a>(old: &'a str, new: &'a str, context: usize) -> Vec<DiffLine<'a>> {
    let old_lines: Vec<&str> = old.lines().collect();
    let new_lines: Vec<&str> = new.lines().collect();
    let operations = capture_diff_slices(Algorithm::Myers, &old_lines, &new_lines);
    let mut lines = Vec::new();
    for hunk in group_diff_ops(realigned(&operations), context) {
        if !lines.is_empty() {
            lines.push(DiffLine { change: LineChange::Gap, number: 0, text: "" });
        }
        for operation in hunk {
            let (tag, old, new) = operation.as_tag_tuple();
            let mut push = |change, range: Range<usize>, of: &[&'a str]| {
                lines.extend(range.map(|number| DiffLine { change, number, text: of[number] }));
            };
            if tag == DiffTag::Equal {
                push(LineChange::Kept, old, &old_lines);
            } else {
                push(LineChange::Removed, old, &old_lines);
                push(LineChange::Added, new, &new_lines);
            }
        }
    }
    lines
}

fn header(path_old: &str, path_new: &str) -> String {
    let a = quoted(&format!("a/{path_old}"));
    let b = quoted(&format!("b/{path_new}"));
    let renamed = if path_old == path_new {
        String::new()
    } else {
        let (from, to) = (quoted(path_old), quoted(path_new));
        format!("rename from {from}\nrename to {to}\n")
    };
    let (tab_a, tab_b) = (tab_after(&a), tab_after(&b));
    format!("diff --git {a} {b}\n{renamed}--- {a}{tab_a}\n+++ {b}{tab_b}\n")
}

/// Readers of diffs may take a space in a file name for its end unless a tab follows, which
/// is why git writes one.
fn tab_after(name: &str) -> &'static str {
    if name.contains(' ') { "\t" } else { "" }
}

/// A path as git prints it by default: bare where all bytes are printable ASCII other than
/// `"` and `\`, else as a C string with other bytes in octal.
fn quoted(path: &str) -> String {
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    if path.bytes().all(plain) {
        return path.to_owned();
    }
    let mut quoted = String::from("\"");
    for byte in path.bytes() {
        match short_escape(byte) {
            Some(letter) => quoted.extend(['\\', letter]),
            None if plain(byte) => quoted.push(char::from(byte)),
            None => quoted.push_str(&format!("\\{byte:03o}")),
        }
    }
    quoted.push('"');
    quoted
}

fn short_escape(byte: u8) -> Option<char> {
    Some(match byte {
        0x07 => 'a',
        0x08 => 'b',
        b'\t' => 't',
        b'\n' => 'n',
        0x0B => 'v',
        0x0C => 'f',
        b'\r' => 'r',
        b'"' => '"',
        b'\\' => '\\',
        _ => return None,
    })
}

/// The same operations with both of their indices right.
///
/// When `similar` moves a deletion or insertion to a neater place, the index on the side the
/// operation does not touch keeps its old value. A hunk that begins or ends there would get
/// a wrong header, which git calls a corrupt patch.
fn realigned(operations: &[DiffOp]) -> Vec<DiffOp> {
    let (mut old_index, mut new_index) = (0, 0);
    let mut realigned = Vec::with_capacity(operations.len());
    for operation in operations {
        let (old_len, new_len) = (operation.old_range().len(), operation.new_range().len());
        realigned.push(match operation {
            DiffOp::Equal { len, .. } => DiffOp::Equal { old_index, new_index, len: *len },
            _ => DiffOp::Replace { old_index, old_len, new_index, new_len },
        });
        old_index += old_len;
        new_index += new_len;
    }
    realigned
}

fn push_hunk(diff: &mut String, hunk: &[DiffOp], old_lines: &[&str], new_lines: &[&str]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return;
    };
    let old = line_range(first.old_range().start..last.old_range().end);
    let new = line_range(first.new_range().start..last.new_range().end);
    // Writing to a String cannot fail.
    let _ = writeln!(diff, "@@ -{old} +{new} @@");
    for operation in hunk {
        let (tag, old, new) = operation.as_tag_tuple();
        if tag == DiffTag::Equal {
            push_lines(diff, ' ', &old_lines[old]);
        } else {
            push_lines(diff, '-', &old_lines[old]);
            push_lines(diff, '+', &new_lines[new]);
        }
    }
}

/// Lines are counted from 1, but an empty range is named by the line before it, and a count
/// of 1 is left out.
fn line_range(lines: Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

fn push_lines(diff: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        diff.push(sign);
        diff.push_str(line);
        if !line.ends_with('\n') {
            diff.push_str("\n\\ No newline at end of file\n");
        }
    }
}
