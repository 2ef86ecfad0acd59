//! `--format sarif`: SARIF 2.1.0 (OASIS Standard), for code scanning.

use serde_json::{Value, json};

use crate::report::{CheckReport, FindingReport, Range};

/// The report as one SARIF log.
pub(crate) fn check(report: &CheckReport) -> String {
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "headstart",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": [{
                    "id": "independent-awaits",
                    "shortDescription": { "text": "Independent operations wait for one another" },
                    "help": { "text": "Start the operations together, or earlier, and wait where their results are needed." }
                }]
            } },
            "columnKind": "utf16CodeUnits",
            "results": report.findings.iter().map(result).collect::<Vec<Value>>(),
        }]
    });
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn result(finding: &FindingReport) -> Value {
    let related: Vec<Value> = finding
        .overlaps
        .iter()
        .map(|range| {
            json!({
                "physicalLocation": location(&finding.file, *range),
                "message": { "text": "would run at the same time" }
            })
        })
        .collect();
    let mut value = json!({
        "ruleId": finding.rule,
        "level": if finding.level == "safe" { "warning" } else { "note" },
        "message": { "text": message(finding) },
        "locations": [{ "physicalLocation": location(&finding.file, finding.range) }],
        "relatedLocations": related,
        "partialFingerprints": { "headstartId/v1": finding.id },
        "properties": { "level": finding.level },
    });
    if let Some(replacements) = &finding.replacement {
        let replacements: Vec<Value> = replacements
            .iter()
            .map(|it| {
                json!({ "deletedRegion": region(it.range), "insertedContent": { "text": it.text } })
            })
            .collect();
        value["fixes"] = json!([{
            "description": { "text": "Start the operations together" },
            "artifactChanges": [{
                "artifactLocation": { "uri": uri(&finding.file) },
                "replacements": replacements
            }]
        }]);
    }
    value
}

fn message(finding: &FindingReport) -> String {
    let mut text = finding.message.clone();
    for assumption in &finding.assumptions {
        text.push_str(&format!(" Assumes: {assumption}."));
    }
    for blocker in &finding.blockers {
        text.push_str(&format!(" Blocked: {}.", blocker.reason));
    }
    text
}

fn location(file: &str, range: Range) -> Value {
    json!({ "artifactLocation": { "uri": uri(file) }, "region": region(range) })
}

fn region(range: Range) -> Value {
    json!({
        "startLine": range.start.line, "startColumn": range.start.column,
        "endLine": range.end.line, "endColumn": range.end.column
    })
}

/// A relative path as a URI reference (RFC 3986).
fn uri(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    if path.starts_with('/') {
        text.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' | b'@' => {
                text.push(char::from(byte));
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("src/a b/é.ts"), "src/a%20b/%C3%A9.ts");
    }
}
