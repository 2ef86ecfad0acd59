//! The types of the reports in TypeScript, made from those that are written here.
//!
//! `packages/headstart/src/report-types.ts` is what they have to be. With `UPDATE=1`, the test writes that
//! file; `npx prettier --write` gives it its layout, which the comparison leaves out of account.

use std::path::Path;
use std::{env, fs};

use ts_rs::{Config, TS};

use crate::{ask, callgraph, effects, evidence, profile, report};

const HEAD: &str = "// Made from the reports of crates/driver by its test `report_types`: change those, and run it with
// UPDATE=1.
/* eslint-disable max-lines -- it is made, and read by nobody */
import type { Level } from \"./levels.js\";
";

/// All types, each after those that it is made of.
fn types() -> String {
    let config = Config::default();
    let mut text = HEAD.to_owned();
    macro_rules! add {
        ($($of:ty),* $(,)?) => {
            $(
                text.push_str(&format!("\n{}", <$of>::docs().unwrap_or_default()));
                text.push_str(&interface(&<$of>::decl(&config)));
            )*
        };
    }
    add!(
        report::Place,
        report::Range,
        report::BlockerReport,
        report::Replacement,
        evidence::Seen,
        profile::Observed,
        report::FindingReport,
        report::SkippedReport,
        report::WarningReport,
        report::Stats,
        report::CheckReport,
        report::FixedReport,
        report::FailedReport,
        report::FixReport,
        callgraph::GraphReport,
        effects::SetsReport,
        effects::AwaitReport,
        effects::UnknownReport,
        effects::FunctionReport,
        effects::EffectsReport,
        ask::QuestionReport,
        ask::AskReport,
    );
    text
}

/// `type X = { a: T, };` as an interface of which nothing can be changed.
fn interface(declared: &str) -> String {
    let body = declared.strip_prefix("type ").and_then(|it| it.strip_suffix(';')).unwrap();
    let (name, fields) = body.split_once(" = ").unwrap();
    let fields = readonly_arrays(fields);
    let mut text = format!("export interface {name} ");
    // A field begins behind the brace, a comma or its comment.
    let mut is_start = false;
    for part in fields.split_inclusive(['{', ',', '\n']) {
        let trimmed = part.trim_start();
        let name = trimmed.split([':', '?']).next().unwrap_or_default();
        let is_name = !name.is_empty() && name.chars().all(|it| it.is_ascii_alphanumeric());
        // The elements of a tuple have names, too.
        let is_element = text.matches('[').count() > text.matches(']').count();
        if is_start && is_name && !is_element && trimmed.len() > name.len() {
            text.push_str(&part[..part.len() - trimmed.len()]);
            text.push_str("readonly ");
            text.push_str(trimmed);
        } else {
            text.push_str(part);
        }
        is_start = part.ends_with(['{', ',', '\n']);
    }
    text.push('\n');
    text
}

/// `Array<Finding>` as `readonly Finding[]`.
fn readonly_arrays(text: &str) -> String {
    let mut parts = text.split("Array<");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (of, rest) = part.split_once('>').unwrap();
        out.push_str(&format!("readonly {of}[]{rest}"));
    }
    out
}

/// What is left of a text when its layout is taken away.
fn bare(text: &str) -> String {
    let text: String = text.chars().filter(|it| !it.is_whitespace()).collect();
    text.replace(';', ",").replace(",}", "}")
}

#[test]
fn report_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = path.join("../../packages/headstart/src/report-types.ts");
    let made = types();
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert_eq!(bare(&kept), bare(&made), "run it with UPDATE=1, then prettier");
}
