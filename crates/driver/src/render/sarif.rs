//! `--format sarif`: SARIF 2.1.0 (OASIS Standard), for code scanning.

use std::path::Path;

use headstart_overlap::{Meta, rule, rules};
use serde_json::{Value, json};

use crate::report::{CheckReport, FindingReport, Range};

/// The name of the folder that relative places start from (SARIF 2.1.0, 3.14.14).
const BASE: &str = "%SRCROOT%";

/// The report as one SARIF log. `base` is the folder that its names of files are relative to.
pub(crate) fn check(report: &CheckReport, base: &Path) -> String {
    let folder = base.to_string_lossy().replace('\\', "/");
    // 3.14.14: the URI of a folder ends in one slash.
    let folder = uri(&format!("{}/", folder.trim_end_matches('/')));
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "headstart",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules().map(descriptor).collect::<Vec<Value>>(),
            } },
            "originalUriBaseIds": { BASE: {
                "uri": folder,
                "description": { "text": "The folder that headstart ran in." }
            } },
            "columnKind": "utf16CodeUnits",
            "results": report.findings.iter().map(result).collect::<Vec<Value>>(),
        }]
    });
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn descriptor(rule: &Meta) -> Value {
    json!({
        "id": rule.id,
        "shortDescription": { "text": rule.summary },
        "fullDescription": { "text": rule.description },
        "help": { "text": rule.help },
        "defaultConfiguration": { "level": if rule.edits.is_some() { "warning" } else { "note" } },
    })
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
    let known = rule(finding.rule);
    let mut value = json!({
        "ruleId": finding.rule,
        "ruleIndex": known.map(|(index, _)| index),
        "level": if finding.level == "safe" { "warning" } else { "note" },
        "message": { "text": message(finding) },
        "locations": [{ "physicalLocation": location(&finding.file, finding.range) }],
        "relatedLocations": related,
        "partialFingerprints": { "headstartId/v1": finding.id },
        "properties": {
            "level": finding.level,
            "assumptionCodes": finding.assumption_codes,
            "blockerCodes": finding.blockers.iter().map(|it| it.code).collect::<Vec<&str>>(),
        },
    });
    if let Some(replacements) = &finding.replacement {
        let replacements: Vec<Value> = replacements
            .iter()
            .map(|it| {
                json!({ "deletedRegion": region(it.range), "insertedContent": { "text": it.text } })
            })
            .collect();
        value["fixes"] = json!([{
            "description": { "text": known.and_then(|(_, rule)| rule.edits) },
            "artifactChanges": [{
                "artifactLocation": artifact(&finding.file),
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
    json!({ "artifactLocation": artifact(file), "region": region(range) })
}

/// Where a file is: relative to the folder that the command runs in, absolute outside of it.
fn artifact(file: &str) -> Value {
    match is_absolute(file) {
        true => json!({ "uri": uri(file) }),
        false => json!({ "uri": uri(file), "uriBaseId": BASE }),
    }
}

fn is_absolute(path: &str) -> bool {
    // A drive of Windows; a file may have a colon in its name elsewhere.
    let is_drive = |it: &[u8]| it.first().is_some_and(u8::is_ascii_alphabetic) && &it[1..] == b":/";
    path.starts_with('/') || path.as_bytes().get(..3).is_some_and(is_drive)
}

fn region(range: Range) -> Value {
    json!({
        "startLine": range.start.line, "startColumn": range.start.column,
        "endLine": range.end.line, "endColumn": range.end.column
    })
}

/// A path as a URI reference (RFC 3986), that of an absolute one as in RFC 8089.
fn uri(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    let is_absolute = is_absolute(path);
    if is_absolute {
        text.push_str(if path.starts_with('/') { "file://" } else { "file:///" });
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' | b'@' => {
                text.push(char::from(byte));
            }
            // The letter of a drive is followed by one; elsewhere it would end the scheme.
            b':' if is_absolute => text.push(':'),
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
        assert_eq!(uri("a:b.ts"), "a%3Ab.ts");
        assert_eq!(uri("/"), "file:///");
        assert_eq!(uri("/src/a.ts"), "file:///src/a.ts");
        assert_eq!(uri("C:/src/a.ts"), "file:///C:/src/a.ts");
    }
}
