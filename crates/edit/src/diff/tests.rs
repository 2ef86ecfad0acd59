#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::*;
use crate::testing::{Random, TempDir};

/// Git in `folder`, free of the configuration of whoever runs the tests.
fn git(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .args(arguments)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap());
    command
}

fn git_apply(folder: &Path, diff: &str) {
    let patch = folder.join("the.patch");
    fs::write(&patch, diff).unwrap();
    let output = git(folder, &["apply", "the.patch"]).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}\n{diff}");
    fs::remove_file(patch).unwrap();
}

/// Applies the diff with git and checks that exactly `new` comes out.
fn check(path: &str, old: &str, new: &str) {
    let folder = TempDir::new();
    let file = folder.path().join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, old).unwrap();
    git_apply(folder.path(), &unified_diff(path, path, old, new));
    assert_eq!(fs::read_to_string(&file).unwrap(), new, "from {old:?}");
}

#[test]
fn equal_texts_have_no_diff() {
    assert_eq!(unified_diff("a.js", "a.js", "x\r\n", "x\r\n"), "");
    assert_eq!(unified_diff("a.js", "a.js", "", ""), "");
}

#[test]
fn three_lines_of_context_surround_a_change() {
    let old = "1\n2\n3\n4\n5\n6\n7\n8\n9";
    let diff = unified_diff("src/a.js", "src/a.js", old, &old.replace('5', "five\nV"));
    assert_eq!(
        diff,
        "diff --git a/src/a.js b/src/a.js\n--- a/src/a.js\n+++ b/src/a.js\n\
         @@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+V\n 6\n 7\n 8\n"
    );
}

#[test]
fn a_missing_last_newline_is_marked_on_either_side() {
    let marker = "\\ No newline at end of file\n";
    let diff = unified_diff("a", "a", "x", "x\n");
    assert!(diff.ends_with(&format!("@@ -1 +1 @@\n-x\n{marker}+x\n")));
    let diff = unified_diff("a", "a", "x\n", "x");
    assert!(diff.ends_with(&format!("@@ -1 +1 @@\n-x\n+x\n{marker}")));
}

#[test]
fn git_applies_hand_picked_cases() {
    let many: String = (0..60).map(|line| format!("line {line}\n")).collect();
    let two_hunks = many.replace("line 10\n", "").replace("line 50\n", "x\nline 50\n");
    for (old, new) in [
        ("a\n", "b\n"),
        ("a", "b"),
        ("a\n", "a"),
        ("a", "a\n"),
        ("", "a\n"),
        ("", "a"),
        ("a\n", ""),
        ("a", ""),
        ("", "\n"),
        ("a\r\nb\r\n", "a\r\nB\r\n"),
        ("a\r\nb\r\n", "a\nb\n"),
        ("a\r\nb", "a\r\nb\r\n"),
        ("a\rb\rc\n", "a\rB\rc\n"),
        ("a\r", "a"),
        ("\u{feff}a\n", "\u{feff}b\n"),
        ("\u{feff}a\n", "a\n"),
        ("a\u{2028}b\u{85}c\u{b}d\n", "a\u{2028}B\u{85}c\u{b}d\n"),
        ("a\0b\nc\n", "a\0b\nd\n"),
        ("-- x\n++ y\n@@ -1 +1 @@\n", "--- a/x\n+++ b/y\n"),
        ("trailing  \n\t \n", "trailing\n \t\n\n"),
        (many.as_str(), two_hunks.as_str()),
        (many.as_str(), &many[7..]),
        (many.as_str(), &many[..many.len() - 1]),
    ] {
        check("a.js", old, new);
        check("a.js", new, old);
    }
}

const ODD_PATHS: [&str; 12] = [
    "plain.js",
    "with space.js",
    "two  spaces /in both .js",
    "src/[id]/page.tsx",
    "quo\"te.js",
    "back\\slash.js",
    "caf\u{e9}.ts",
    "日本 語/😀.js",
    "tab\there\nand there.js",
    "bell\u{7}\u{8}\u{b}\u{c}\r\u{1}\u{7f}.js",
    "apo'strophe & $dollar.js",
    "a/b/ b/a/c d.js",
];

#[test]
fn git_finds_files_with_odd_paths() {
    for path in ODD_PATHS {
        check(path, "a\nb\n", "a\nB\n");
    }
}

/// The whole diff, and with it the quoting of paths, is what git itself prints.
#[test]
fn git_prints_the_same() {
    let folder = TempDir::new();
    let run = |arguments: &[&str]| git(folder.path(), arguments).output().unwrap().stdout;
    run(&["init", "-q"]);
    let (old, new) = (" 1\n 2\n 3\n 4\n 5\n 6\n 7", " 1\n 2\n 3\n x\n 5\n 6\n 7\n");
    for path in ODD_PATHS {
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, old).unwrap();
        run(&["--literal-pathspecs", "add", path]);
        fs::write(&file, new).unwrap();
        let printed = run(&["--literal-pathspecs", "diff", "--no-color", "--", path]);
        let printed = String::from_utf8(printed).unwrap();
        let without_index: String =
            printed.split_inclusive('\n').filter(|line| !line.starts_with("index ")).collect();
        assert_eq!(unified_diff(path, path, old, new), without_index);
    }
}

#[test]
fn different_paths_make_a_rename() {
    for (from, to) in [("a.js", "b c.js"), ("a b.js", "caf\u{e9}.js")] {
        let folder = TempDir::new();
        folder.file(from, b"a\nb\n");
        git_apply(folder.path(), &unified_diff(from, to, "a\nb\n", "a\nc\n"));
        assert_eq!(folder.names(), [to]);
        assert_eq!(fs::read(folder.path().join(to)).unwrap(), b"a\nc\n");
    }
}

/// `similar` 2.7 puts the deletion that begins this hunk at the second line of the new text.
#[test]
fn hunk_headers_are_right_after_a_moved_deletion() {
    let (old, new) = ("1\n0\n", "0\n0\n");
    assert!(unified_diff("a", "a", old, new).contains("\n@@ -1,2 +1,2 @@\n"));
    check("a.js", old, new);
}

const RANDOM_LINES: [&str; 16] = [
    "",
    "a",
    "b",
    "}",
    "\tfoo();",
    " x ",
    "é😀",
    "\u{feff}",
    "-- x",
    "++ y",
    "@@ -1 +1 @@",
    "\\ No newline at end of file",
    "diff --git a/x b/x",
    "lone \r return",
    "\r",
    "\u{2028}",
];

fn random_lines(random: &mut Random, ending: &str) -> Vec<String> {
    let count = random.below(30);
    let mut line = || RANDOM_LINES[random.below(RANDOM_LINES.len())].to_owned() + ending;
    (0..count).map(|_| line()).collect()
}

fn mutated(random: &mut Random, lines: &[String], ending: &str) -> Vec<String> {
    let mut lines = lines.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(lines.len() + 1);
        let removed = random.below(3).min(lines.len() - at);
        let mut added = random_lines(random, ending);
        added.truncate(random.below(4));
        lines.splice(at..at + removed, added);
    }
    lines
}

fn random_text(random: &mut Random, lines: &[String]) -> String {
    let mut text = lines.concat();
    if random.below(3) == 0 {
        text.pop();
    }
    if random.below(8) == 0 {
        text.insert(0, '\u{feff}');
    }
    text
}

/// Each round is one patch of many files, so that a diff must also end where the next begins.
#[test]
fn git_applies_random_cases() {
    let mut random = Random::new(42);
    for _ in 0..25 {
        let folder = TempDir::new();
        let mut patch = String::new();
        let mut expected = Vec::new();
        for number in 0..60 {
            let ending = ["\n", "\r\n"][random.below(2)];
            let lines = random_lines(&mut random, ending);
            let other = if random.below(5) == 0 {
                random_lines(&mut random, "\n")
            } else {
                mutated(&mut random, &lines, ending)
            };
            let old = random_text(&mut random, &lines);
            let new = random_text(&mut random, &other);
            let name = format!("f{number}.js");
            let file = folder.file(&name, old.as_bytes());
            patch.push_str(&unified_diff(&name, &name, &old, &new));
            expected.push((file, new));
        }
        git_apply(folder.path(), &patch);
        for (file, new) in expected {
            assert_eq!(fs::read_to_string(file).unwrap(), new);
        }
    }
}

/// A reader may also take the diff from a pipe.
#[test]
fn git_applies_from_standard_input() {
    use std::io::Write as _;
    let folder = TempDir::new();
    let file = folder.file("a.js", b"a\r\n");
    let mut child = git(folder.path(), &["apply", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    let diff = unified_diff("a.js", "a.js", "a\r\n", "b\r\n");
    child.stdin.take().unwrap().write_all(diff.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read(file).unwrap(), b"b\r\n");
}

#[test]
fn lines_are_told_with_their_numbers() {
    let lines = diff_lines("a\nb\nc\nd\ne\nf\n", "a\nB\nb2\nc\nd\ne\n", 1);
    let shown: Vec<String> =
        lines.iter().map(|it| format!("{:?} {} {}", it.change, it.number, it.text)).collect();
    let expected = [
        "Kept 0 a",
        "Removed 1 b",
        "Added 1 B",
        "Added 2 b2",
        "Kept 2 c",
        "Gap 0 ",
        "Kept 4 e",
        "Removed 5 f",
    ];
    assert_eq!(shown, expected);
    assert_eq!(diff_lines("a\n", "a\n", 1), []);
}
