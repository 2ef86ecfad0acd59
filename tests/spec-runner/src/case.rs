//! One case: a small program and what Headstart has to say of it.

use std::fs;
use std::path::Path;

use headstart_driver::Progress;
use serde_json::{Value, json};

/// What has to be reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// One finding or more, all `safe`.
    Safe,
    /// One finding or more, all `likely`.
    Likely,
    /// Findings that are `safe`, and others that take them in and are `likely`.
    Both,
    /// One finding or more, all `hint`.
    Hint,
    /// Nothing at any level.
    None,
    /// Nothing that is `safe`.
    NotSafe,
}

/// A case.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// Its heading.
    pub title: String,
    /// What has to be reported.
    pub verdict: Option<Verdict>,
    /// The program: names and texts. The first file is the one that is fixed.
    pub files: Vec<(String, String)>,
    /// The first file after `fix --level likely`.
    pub after: Option<String>,
    /// The assumptions, in order, duplicates left out.
    pub assumptions: Vec<String>,
    /// The blockers, in order.
    pub blockers: Vec<String>,
    /// Whether lines of a log may come in any order.
    pub logs_in_any_order: bool,
    /// What `explain` has to say of the awaits of the first file, among other things.
    pub reasons: Vec<String>,
}

impl Case {
    fn logs(&self) -> &'static str {
        if self.logs_in_any_order { "any-order" } else { "in-order" }
    }
}

/// Runs a case in a folder of its own.
///
/// # Errors
/// What is not as it has to be.
pub fn run(case: &Case) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    write(folder.path(), &case.files)?;
    check_findings(case, folder.path())?;
    let Some((main, before)) = case.files.first() else { return Ok(()) };
    if case.verdict == Some(Verdict::NotSafe) {
        return check_reasons(case, folder.path(), main, before);
    }
    if !case.reasons.is_empty() {
        check_reasons(case, folder.path(), main, before)?;
    }
    let logs = case.logs();
    let fix = json!({ "command": "fix", "level": "likely", "paths": [main], "logs": logs });
    request(folder.path(), &fix)?;
    let fixed = read(&folder.path().join(main))?;
    expect("the fixed file", case.after.as_ref().unwrap_or(before), &fixed)?;
    let again = request(folder.path(), &fix)?;
    expect("the file fixed twice", &fixed, &read(&folder.path().join(main))?)?;
    expect("what the second fix changed", "[]", &again["report"]["fixed"].to_string())
}

/// What `explain` says of all awaits of a file, line by line.
fn check_reasons(case: &Case, folder: &Path, main: &str, text: &str) -> Result<(), String> {
    let mut said = String::new();
    let lines = (1..).zip(text.lines()).filter(|(_, line)| line.contains("await"));
    for (line, _) in lines {
        let target = json!({ "file": main, "line": line });
        let response = request(folder, &json!({ "command": "explain", "target": target }));
        // A line may hold `for await` or the word in a string, and no await.
        said.push_str(response.as_ref().ok().and_then(|it| it["stdout"].as_str()).unwrap_or(""));
    }
    match case.reasons.iter().find(|reason| !said.contains(*reason)) {
        Some(reason) => Err(format!("no await is explained by\n{reason}\nbut\n{said}")),
        None => Ok(()),
    }
}

/// Writes the files of a program.
pub(crate) fn write(folder: &Path, files: &[(String, String)]) -> Result<(), String> {
    for (name, text) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| error.to_string())?;
        }
        fs::write(path, text).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// What is found in the program of a case: the findings of the report, in a folder of its own.
///
/// # Errors
/// What keeps it from being looked at.
pub fn findings(case: &Case) -> Result<Vec<Value>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    write(folder.path(), &case.files)?;
    findings_in(case, folder.path())
}

fn findings_in(case: &Case, folder: &Path) -> Result<Vec<Value>, String> {
    let response = request(
        folder,
        &json!({
            "command": "check", "paths": ["."], "level": "hint", "format": "json", "deny": "none",
            "includeTests": true, "logs": case.logs()
        }),
    )?;
    Ok(response["report"]["findings"].as_array().cloned().unwrap_or_default())
}

fn check_findings(case: &Case, folder: &Path) -> Result<(), String> {
    let findings = findings_in(case, folder)?;
    let expected = match case.verdict {
        Some(Verdict::Safe) => "safe",
        Some(Verdict::Likely) => "likely",
        Some(Verdict::Both) => "safe, likely",
        Some(Verdict::Hint) => "hint",
        Some(Verdict::None) | None => "none",
        Some(Verdict::NotSafe) => return expect_not_safe(&findings),
    };
    let mut levels: Vec<&str> = findings.iter().filter_map(|it| it["level"].as_str()).collect();
    levels.sort_by_key(|it| ["safe", "likely", "hint"].iter().position(|known| known == it));
    levels.dedup();
    let found = if levels.is_empty() { "none".to_owned() } else { levels.join(", ") };
    let detail: Vec<String> = findings
        .iter()
        .map(|it| format!("{} {} {}", it["message"], it["assumptions"], it["blockers"]))
        .collect();
    if found != expected {
        return Err(format!("expected {expected}, got {found}: {}", detail.join("; ")));
    }
    let assumptions: Vec<String> = findings
        .iter()
        .flat_map(|it| it["assumptions"].as_array().cloned().unwrap_or_default())
        .filter_map(|it| it.as_str().map(str::to_owned))
        .collect();
    expect("the assumptions", &case.assumptions.join("\n"), &assumptions.join("\n"))?;
    let blockers: Vec<String> = findings
        .iter()
        .flat_map(|it| it["blockers"].as_array().cloned().unwrap_or_default())
        .filter_map(|it| it["reason"].as_str().map(str::to_owned))
        .collect();
    expect("the blockers", &case.blockers.join("\n"), &blockers.join("\n"))
}

fn expect_not_safe(findings: &[Value]) -> Result<(), String> {
    match findings.iter().find(|it| it["level"] == "safe") {
        Some(finding) => Err(format!("expected nothing safe, got {}", finding["message"])),
        None => Ok(()),
    }
}

/// Runs a command in a folder.
pub(crate) fn request(folder: &Path, body: &Value) -> Result<Value, String> {
    let mut body = body.clone();
    body["cwd"] = json!(folder);
    // Some cases are about what tests do to the rest.
    body["includeTests"] = json!(true);
    let response = headstart_driver::run(&body.to_string(), &Progress::default());
    let response: Value = serde_json::from_str(&response).map_err(|error| error.to_string())?;
    if response["exitCode"] == 2 {
        return Err(format!("the run failed: {}", response["stderr"]));
    }
    Ok(response)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| error.to_string())
}

fn expect(what: &str, expected: &str, found: &str) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    Err(format!("{what}: expected\n{expected}\nbut got\n{found}"))
}
