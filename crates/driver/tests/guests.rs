//! What is `safe` in a file is so in every project that runs it (docs/programs.md).
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::Path;

use headstart_driver::{Progress, run};
use serde_json::{Value, json};

const READS: &str = "
import { readFile } from 'node:fs/promises';
export const hooks = { after(text) {} };
async function read(path) {
  const text = await readFile(path, 'utf8');
  hooks.after(text);
  return text;
}
export async function both() {
  const one = await read('one.txt');
  const two = await read('two.txt');
  return one + two;
}
";

const SETS: &str = "
import { both, hooks } from 'READS';
import fs from 'node:fs';
hooks.after = (text) => fs.writeFileSync('two.txt', text);
console.log(await both());
";

/// The levels and the assumptions of what is found in the file that reads.
fn found(reads: &str, sets: Option<(&str, &str)>, packages: &[&str]) -> Vec<(String, String)> {
    let root = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = root.path().join(name);
        fs::create_dir_all(file.parent().unwrap_or(Path::new(""))).unwrap();
        fs::write(file, text).unwrap();
    };
    for folder in packages {
        write(&format!("{folder}/package.json"), r#"{ "name": "it", "type": "module" }"#);
    }
    write(reads, READS);
    if let Some((name, request)) = sets {
        write(name, &SETS.replace("READS", request));
    }
    let request = json!({
        "command": "check", "cwd": root.path(), "paths": ["."],
        "level": "hint", "format": "json", "deny": "none", "threads": 1
    });
    let response = run(&request.to_string(), &Progress::default());
    let report = serde_json::from_str::<Value>(&response).unwrap()["report"].take();
    let found = report["findings"].as_array().unwrap().iter();
    found
        .map(|it| (it["level"].as_str().unwrap().to_owned(), it["assumptions"].to_string()))
        .collect()
}

#[test]
fn by_itself_it_is_safe() {
    let found = found("main.js", None, &["."]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "safe");
}

#[test]
fn a_project_inside_that_sets_a_hook_is_looked_at_too() {
    let found = found("main.js", Some(("bench/run.js", "../main.js")), &[".", "bench"]);
    assert!(found.iter().all(|it| it.0 != "safe"), "{found:?}");
}

#[test]
fn a_project_around_that_sets_a_hook_is_looked_at_too() {
    let found = found("lib/main.js", Some(("run.js", "./lib/main.js")), &[".", "lib"]);
    assert!(found.iter().all(|it| it.0 != "safe"), "{found:?}");
}

#[test]
fn a_project_inside_that_changes_nothing_changes_no_level() {
    let found = found("main.js", Some(("bench/run.js", "../other.js")), &[".", "bench"]);
    assert_eq!(found[0].0, "safe");
}
