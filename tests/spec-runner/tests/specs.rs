//! Every case of `tests/specs` and `docs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use headstart_spec_runner::{parse, run};

#[test]
fn specifications() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["tests/specs", "docs"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    // The cases whose titles contain this, all of them where it is not set.
    let wanted = std::env::var("SPEC").unwrap_or_default();
    let (mut passed, mut failures) = (0, Vec::new());
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let name = file.strip_prefix(&root).unwrap().display();
        for case in parse(&text).unwrap_or_else(|error| panic!("{name}: {error}")) {
            if !wanted.is_empty() && !case.title.contains(&wanted) {
                continue;
            }
            match run(&case) {
                Ok(()) => passed += 1,
                Err(error) => failures.push(format!("{name}: {}\n{error}\n", case.title)),
            }
        }
    }
    println!("{passed} specifications passed, {} failed", failures.len());
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(passed > 0, "no specification was found");
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            into.push(path);
        }
    }
}
