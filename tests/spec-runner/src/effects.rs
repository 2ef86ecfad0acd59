//! What functions read and write: small programs and what is printed of them.

use std::fmt;

use serde_json::json;

use crate::case::{request, write};
use crate::parse::take_block;

/// A program and what its functions do.
#[derive(Clone, Debug, Default)]
pub struct EffectsCase {
    /// Its heading.
    pub title: String,
    /// The program: names and texts.
    pub files: Vec<(String, String)>,
    /// The functions of `main.*`, in order.
    pub functions: Vec<FunctionEffects>,
}

/// What is printed of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionEffects {
    /// Its name and parameters.
    pub header: String,
    /// What it does, a line each, with single spaces.
    pub lines: Vec<String>,
}

impl fmt::Display for FunctionEffects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  {}", self.header)?;
        self.lines.iter().try_for_each(|line| write!(f, "\n    {line}"))
    }
}

/// The cases of a Markdown text. Headings without blocks are prose.
///
/// # Errors
/// A case that is not complete, named by its heading.
pub fn parse_effects(text: &str) -> Result<Vec<EffectsCase>, String> {
    let mut cases: Vec<EffectsCase> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("## ") || line.starts_with("### ") {
            let title = line.trim_start_matches('#').trim().to_owned();
            cases.push(EffectsCase { title, ..EffectsCase::default() });
        } else if let Some(info) = line.strip_prefix("```") {
            let block = take_block(&mut lines);
            if let Some(case) = cases.last_mut() {
                add_block(case, info.trim(), block)?;
            }
        }
    }
    cases.retain(|case| !case.files.is_empty() || !case.functions.is_empty());
    for case in &cases {
        let fail = |what: &str| Err(format!("{}: {what}", case.title));
        if case.functions.is_empty() {
            return fail("no block `effects`");
        }
        if main_file(case).is_none() {
            return fail("no file `main.*`");
        }
        if let Some(empty) = case.functions.iter().find(|it| it.lines.is_empty()) {
            return fail(&format!("nothing stands below {}", empty.header));
        }
    }
    Ok(cases)
}

/// `js`, `ts store.ts`, `effects`.
fn add_block(case: &mut EffectsCase, info: &str, block: String) -> Result<(), String> {
    let words: Vec<&str> = info.split_whitespace().collect();
    match words.as_slice() {
        ["effects"] if case.functions.is_empty() => case.functions = split(&block),
        ["effects"] => return Err(format!("{}: two blocks `effects`", case.title)),
        [extension] => case.files.push((format!("main.{extension}"), block)),
        [_, name] => case.files.push(((*name).to_owned(), block)),
        _ => return Err(format!("{}: what is a block `{info}`?", case.title)),
    }
    Ok(())
}

fn main_file(case: &EffectsCase) -> Option<&str> {
    case.files.iter().map(|(name, _)| name.as_str()).find(|name| name.starts_with("main."))
}

/// A line that begins in the first column is a function, the indented ones below it are its own.
fn split(text: &str) -> Vec<FunctionEffects> {
    let mut functions: Vec<FunctionEffects> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if !line.starts_with(char::is_whitespace) {
            functions.push(FunctionEffects { header: line.trim().to_owned(), lines: Vec::new() });
        } else if let Some(function) = functions.last_mut() {
            let words: Vec<&str> = line.split_whitespace().collect();
            function.lines.push(words.join(" "));
        }
    }
    functions
}

/// What is printed of the functions of a case, run in a folder of its own. A line of the output
/// with nothing below it is no function.
///
/// # Errors
/// What keeps it from being printed.
pub fn run_effects(case: &EffectsCase) -> Result<Vec<FunctionEffects>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    write(folder.path(), &case.files)?;
    let response = request(
        folder.path(),
        &json!({
            "command": "effects", "errors": "one", "exclude": [], "deps": [], "models": [],
            "color": false, "width": 100, "includeTests": false,
            "target": { "file": main_file(case) }, "format": "pretty"
        }),
    )?;
    let text = response["stdout"].as_str().unwrap_or_default();
    let mut functions = split(text);
    functions.retain(|it| !it.lines.is_empty());
    if functions.is_empty() {
        return Err(format!("nothing is printed: {text}{}", response["stderr"]));
    }
    Ok(functions)
}

/// How what is printed differs from what has to be: a text for each function.
#[must_use]
pub fn differences(expected: &[FunctionEffects], found: &[FunctionEffects]) -> Vec<String> {
    let mut differences = Vec::new();
    let mut left: Vec<&FunctionEffects> = found.iter().collect();
    for function in expected {
        let Some(at) = left.iter().position(|it| it.header == function.header) else {
            differences.push(format!("expected\n{function}\nbut it is not there"));
            continue;
        };
        let printed = left.remove(at);
        if printed.lines != function.lines {
            differences.push(format!("expected\n{function}\nbut got\n{printed}"));
        }
    }
    differences.extend(left.iter().map(|it| format!("not expected\n{it}")));
    let order = |of: &[FunctionEffects]| {
        let headers: Vec<&str> = of.iter().map(|it| it.header.as_str()).collect();
        headers.join(", ")
    };
    let (expected, found) = (order(expected), order(found));
    if differences.is_empty() && expected != found {
        differences.push(format!("expected the order\n  {expected}\nbut got\n  {found}"));
    }
    differences
}
