//! A small project that imports a large one: little is computed of the large one, and the same is found as if
//! all were (docs/programs.md).
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::Path;

use headstart_driver::{Progress, run};
use serde_json::{Value, json};

const STATE: &str = "
export const state = { url: 'a' };
export function change(url) { state.url = url; }
export function fail(text) { throw new Error(text); }
";

const APP: &str = "
import { readFile } from 'node:fs/promises';
import { state, fail } from '../state.js';
import '../one.js';
import '../two.js';

export async function changed() {
  const one = await readFile('one');
  const two = await readFile(state.url);
  return [one, two];
}

export async function checked(name) {
  const one = await readFile('one');
  if (!one.length) fail(name);
  const two = await readFile('two');
  return [one, two];
}

export async function plain() {
  const one = await readFile('one');
  const two = await readFile('two');
  return [one, two];
}
";

/// The findings in `tools/app.js`, where `path` is checked and `tools` has so many files beside it.
fn findings(path: &str, others: usize) -> Vec<Value> {
    let root = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = root.path().join(name);
        fs::create_dir_all(file.parent().unwrap_or(Path::new(""))).unwrap();
        fs::write(file, text).unwrap();
    };
    write("package.json", r#"{ "name": "main", "type": "module" }"#);
    write("tools/package.json", r#"{ "name": "tools", "type": "module" }"#);
    write("state.js", STATE);
    write("one.js", "export const one = 1;");
    write("two.js", "export const two = 2;");
    write("tools/app.js", APP);
    for number in 0..others {
        write(&format!("tools/other{number}.js"), "export const other = 0;");
    }
    let request = json!({
        "command": "check", "cwd": root.path(), "paths": [path],
        "level": "hint", "format": "json", "deny": "none", "threads": 1
    });
    let response = run(&request.to_string(), &Progress::default());
    let report = serde_json::from_str::<Value>(&response).unwrap()["report"].take();
    let found = report["findings"].as_array().unwrap().iter();
    found.filter(|it| it["file"].as_str() == Some("tools/app.js")).cloned().collect()
}

#[test]
fn as_much_is_known_as_of_a_large_one() {
    let of_small = findings("tools", 0);
    assert_eq!(of_small, findings("tools", 8));
    let assumes =
        |text: &str| of_small.iter().any(|it| it["assumptions"].to_string().contains(text));
    assert!(of_small.len() > 1, "{of_small:?}");
    assert!(assumes("nothing changes it"), "a file of the large one changes it: {of_small:?}");
}

#[test]
fn nothing_is_different_behind_the_project_that_it_imports() {
    assert_eq!(findings("tools", 0), findings(".", 0));
}
