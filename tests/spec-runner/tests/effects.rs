//! Every case of `tests/effects`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use headstart_spec_runner::{differences, parse_effects, run_effects};

/// With fewer functions than these, files are missing.
const FEWEST: usize = 150;

#[test]
fn effects() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = fs::read_dir(root.join("tests/effects")).unwrap();
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    let (mut compared, mut failures) = (0, Vec::new());
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let name = file.strip_prefix(&root).unwrap().display();
        for case in parse_effects(&text).unwrap_or_else(|error| panic!("{name}: {error}")) {
            let mut fail = |what: &str| failures.push(format!("{name}: {}\n{what}\n", case.title));
            match run_effects(&case) {
                Ok(found) => {
                    compared += case.functions.len();
                    differences(&case.functions, &found).iter().for_each(|it| fail(it));
                }
                Err(error) => fail(&error),
            }
        }
    }
    println!("the effects of {compared} functions compared, {} differences", failures.len());
    assert!(failures.is_empty(), "{compared} compared\n\n{}", failures.join("\n"));
    assert!(compared >= FEWEST, "only {compared} functions were compared");
}
