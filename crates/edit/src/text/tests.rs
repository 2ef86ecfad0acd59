#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;
use crate::{Edit, EditSet};

fn source(text: &str) -> SourceText {
    SourceText::from_bytes(text.as_bytes().to_vec()).unwrap()
}

fn at(text: &SourceText, offset: usize) -> (u32, u32) {
    let position = text.position(offset as u32);
    (position.line, position.column)
}

#[test]
fn a_byte_order_mark_is_set_aside_and_put_back() {
    let source = source("\u{feff}a\r\n");
    assert!(source.has_bom());
    assert_eq!(source.text(), "a\r\n");
    assert_eq!(at(&source, 0), (1, 1));
    assert_eq!(source.to_bytes("b\r\n"), "\u{feff}b\r\n".as_bytes());
}

#[test]
fn without_a_byte_order_mark_none_is_added() {
    let source = source("a\u{feff}");
    assert!(!source.has_bom());
    assert_eq!(source.to_bytes(source.text()), "a\u{feff}".as_bytes());
}

#[test]
fn a_wrong_byte_is_named_by_its_offset_in_the_file() {
    let error = SourceText::from_bytes(b"\xEF\xBB\xBFab\xFFc".to_vec()).unwrap_err();
    assert_eq!(error, TextError::NotUtf8 { offset: 5 });
    assert_eq!(error.to_string(), "byte 5 is not valid UTF-8; save the file as UTF-8");
    let utf16 = SourceText::from_bytes(b"\xFF\xFEa\0".to_vec()).unwrap_err();
    assert_eq!(utf16, TextError::NotUtf8 { offset: 0 });
}

#[test]
fn the_prevailing_line_ending_is_found() {
    for (text, newline) in [
        ("", "\n"),
        ("a", "\n"),
        ("a\nb\n", "\n"),
        ("a\r\nb\r\n", "\r\n"),
        ("a\r\nb\r\nc\n", "\r\n"),
        ("a\r\nb\nc\n", "\n"),
        ("a\r\nb\n", "\n"),
        ("a\rb\rc\r\n", "\r\n"),
        ("a\rb\r", "\r"),
    ] {
        assert_eq!(source(text).newline(), newline, "{text:?}");
    }
}

#[test]
fn new_text_takes_the_line_ending_of_the_file() {
    let crlf = source("a\r\n");
    assert_eq!(crlf.with_newlines("x\ny\r\n\n\rz\n"), "x\r\ny\r\n\r\n\rz\r\n");
    assert_eq!(crlf.with_newlines(""), "");
    assert_eq!(source("a\n").with_newlines("x\ny\r\n"), "x\ny\r\n");
}

#[test]
fn a_fix_of_a_crlf_file_with_a_mark_keeps_both() {
    let source = source("\u{feff}const a = await f();\r\nconst b = await g();\r\n");
    let mut set = EditSet::new(source.text());
    set.push_group(vec![Edit { start: 0, end: 0, text: source.with_newlines("// first\n") }])
        .unwrap();
    let written = source.to_bytes(&set.apply(source.text()));
    let expected = "\u{feff}// first\r\nconst a = await f();\r\nconst b = await g();\r\n";
    assert_eq!(written, expected.as_bytes());
}

#[test]
fn every_line_terminator_ends_a_line() {
    let source = source("a\nb\r\nc\rd\u{2028}e\u{2029}f\n");
    let lines: Vec<&str> = (1..=source.line_count()).map(|line| source.line_text(line)).collect();
    assert_eq!(lines, ["a", "b", "c", "d", "e", "f", ""]);
    let starts: Vec<u32> = (1..=7).map(|line| source.line_start(line)).collect();
    assert_eq!(starts, [0, 2, 5, 7, 11, 15, 17]);
}

#[test]
fn characters_that_share_bytes_with_a_terminator_end_no_line() {
    // U+00A8 and U+4028 end in byte A8, U+202A starts with E2 80.
    assert_eq!(source("\u{a8}\u{4028}\u{202a}\u{a9}").line_count(), 1);
}

#[test]
fn columns_count_utf16_code_units() {
    let text = "x\n\té😀z";
    let source = source(text);
    assert_eq!(at(&source, text.find('é').unwrap()), (2, 2));
    assert_eq!(at(&source, text.find('😀').unwrap()), (2, 3));
    assert_eq!(at(&source, text.find('z').unwrap()), (2, 5));
    assert_eq!(at(&source, text.len()), (2, 6));
}

#[test]
fn odd_offsets_are_brought_into_the_text() {
    let source = source("a\r\n😀");
    assert_eq!(at(&source, 2), (1, 3), "between \\r and \\n");
    assert_eq!(at(&source, 5), (2, 1), "inside a character");
    assert_eq!(at(&source, 99), (2, 3), "past the end");
    assert_eq!(at(&source, u32::MAX as usize), (2, 3));
}

#[test]
fn lines_outside_the_text_are_empty() {
    let source = source("ab\ncd");
    assert_eq!(source.line_text(3), "");
    assert_eq!(source.line_text(u32::MAX), "");
    assert_eq!(source.line_start(3), 5);
    assert_eq!((source.line_start(0), source.line_text(0)), (0, "ab"), "line 0 is line 1");
}

#[test]
fn indentation_is_that_of_the_whole_line() {
    let text = "if (a) {\r\n \t b();\r\n   \r\n}";
    let source = source(text);
    assert_eq!(source.indentation(text.find("()").unwrap() as u32), " \t ");
    assert_eq!(source.indentation(text.find("if").unwrap() as u32), "");
    assert_eq!(source.indentation(21), "   ", "a blank line");
    assert_eq!(source.indentation(text.len() as u32), "");
}

#[test]
fn an_empty_file_has_one_empty_line() {
    let source = source("");
    assert_eq!((source.line_count(), source.line_text(1)), (1, ""));
    assert_eq!(at(&source, 0), (1, 1));
}
