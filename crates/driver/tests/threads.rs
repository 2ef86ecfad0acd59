//! Results do not depend on the number of threads (invariant 6).
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use headstart_driver::{Progress, run};
use serde_json::{Value, json};

fn findings(threads: usize) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let request = json!({
        "command": "check", "cwd": root, "paths": ["examples", "packages", "tests"],
        "level": "hint", "format": "json", "deny": "none", "includeTests": true,
        "threads": threads
    });
    let response = run(&request.to_string(), &Progress::default());
    let mut report: Value = serde_json::from_str::<Value>(&response).unwrap()["report"].take();
    assert!(report["findings"].as_array().is_some_and(|findings| !findings.is_empty()));
    report["stats"]["elapsedMs"] = Value::Null;
    report.to_string()
}

#[test]
fn the_report_is_the_same_for_any_number_of_threads() {
    let one = findings(1);
    for threads in [2, 3, 8] {
        assert_eq!(one, findings(threads), "with {threads} threads");
    }
}
