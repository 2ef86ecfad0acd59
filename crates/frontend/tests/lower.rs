//! What source becomes in the IR. Each file below `tests/lower` is a source, a line `---`, and the
//! listing of its IR; the file is named after the source (`chains.ts.txt` is TypeScript). With
//! `UPDATE=1` the listings are written anew, to be read before they are kept: the order of the
//! instructions is the order of evaluation in ECMA-262.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use headstart_frontend::parse_to_ir;
use headstart_ir::{BlockForm, BlockId, FileIr, FunctionId, Inst, InstId, dump};

const SEPARATOR: &str = "\n---\n";

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower");
    let mut paths: Vec<PathBuf> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "txt"));
    paths.sort();
    paths
}

/// The source of a case, with its last line break, and the listing expected.
fn read(path: &Path) -> (String, String) {
    let text = std::fs::read_to_string(path).unwrap();
    match text.split_once(SEPARATOR) {
        Some((source, expected)) => (format!("{source}\n"), expected.to_owned()),
        None => (text, String::new()),
    }
}

fn lower(path: &Path, source: &str) -> FileIr {
    let named = path.with_extension("");
    parse_to_ir(&named, source, 0).unwrap_or_else(|error| {
        panic!("{}: {} at {}", named.display(), error.message, error.offset)
    })
}

#[test]
fn each_case_has_its_listing() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut wrong = String::new();
    for path in cases() {
        let (source, expected) = read(&path);
        let actual = dump(&lower(&path, &source));
        if actual == expected {
            continue;
        }
        if update {
            std::fs::write(&path, format!("{}{SEPARATOR}{actual}", source.trim_end())).unwrap();
        } else {
            let name = path.display();
            writeln!(wrong, "{name}:\n{}", first_difference(&expected, &actual)).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}UPDATE=1 writes the listings anew");
}

fn first_difference(expected: &str, actual: &str) -> String {
    let mut pairs = expected.lines().zip(actual.lines()).zip(1..);
    match pairs.find(|((expected, actual), _)| expected != actual) {
        Some(((expected, actual), line)) => {
            format!("  line {line} of the listing\n  expected {expected}\n  found    {actual}")
        }
        None => {
            format!(
                "  {} lines expected, {} found",
                expected.lines().count(),
                actual.lines().count()
            )
        }
    }
}

/// The body of an arrow function in parentheses begins behind the `=>`, whatever white space is in them.
#[test]
fn a_concise_body_begins_behind_its_arrow() {
    for blank in ["", " ", "\n", "\u{a0}", "\u{feff}", "\u{2028}"] {
        let source = format!("export const f = async () => ({blank}{{ a: await g() }});\n");
        let ir = lower(Path::new("main.js.txt"), &source);
        let forms = (0..ir.blocks.len()).map(|it| ir.block_form(BlockId::new(it)));
        let starts: Vec<u32> = forms
            .filter_map(|it| match it {
                BlockForm::Concise(span) => Some(span.start),
                _ => None,
            })
            .collect();
        assert_eq!(starts, ["export const f = async () =>".len() as u32], "{source:?}");
    }
}

#[test]
fn each_case_keeps_the_rules_of_the_ir() {
    for path in cases() {
        let (source, _) = read(&path);
        let ir = lower(&path, &source);
        ranges_are_whole(&ir, &path);
        operands_come_first(&ir, &path);
        statements_nest(&ir, &path);
    }
}

/// Each function owns a range of the instructions, one behind the other, and counts what suspends.
fn ranges_are_whole(ir: &FileIr, path: &Path) {
    let mut next = 0;
    for function in &ir.functions {
        assert_eq!(function.first.index(), next, "{}", path.display());
        next = function.end.index();
        let suspends = FileIr::range(function.first, function.end)
            .filter(|&id| ir.inst(id).is_suspend_point())
            .count();
        assert_eq!(function.suspend_points as usize, suspends, "{}", path.display());
    }
    assert_eq!(next, ir.insts.len(), "{}", path.display());
    assert_eq!(ir.insts.len(), ir.spans.len(), "{}", path.display());
}

/// What decides a conditional stretch is known before it, and the stretch ends in its function.
fn operands_come_first(ir: &FileIr, path: &Path) {
    for index in 0..ir.functions.len() {
        let function = ir.function(FunctionId::new(index));
        for id in FileIr::range(function.first, function.end) {
            if let Inst::Conditional { test, end } = ir.inst(id) {
                assert!(function.first <= test && test < id, "{}: {id:?}", path.display());
                assert!(id < end && end <= function.end, "{}: {id:?}", path.display());
            }
        }
    }
}

/// The statements of a block follow one another inside the function.
fn statements_nest(ir: &FileIr, path: &Path) {
    for index in 0..ir.blocks.len() {
        let block = ir.block(headstart_ir::BlockId::new(index));
        let mut next = InstId::new(0);
        for &stmt in block {
            let stmt = ir.stmt(stmt);
            assert!(next <= stmt.first && stmt.first <= stmt.end, "{}: {stmt:?}", path.display());
            next = stmt.end;
        }
    }
}
