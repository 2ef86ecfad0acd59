//! `headstart rules`: what the rewrites are.

use headstart_overlap::{Meta, rules};
use serde_json::{Value, json};

use crate::request::RulesRequest;
use crate::respond::Response;

pub(crate) fn run(request: &RulesRequest) -> Response {
    let is_wanted = |it: &&Meta| request.name.as_ref().is_none_or(|name| name == it.id);
    let wanted: Vec<&Meta> = rules().filter(is_wanted).collect();
    if wanted.is_empty() {
        let name = request.name.as_deref().unwrap_or_default();
        let known: Vec<&str> = rules().map(|it| it.id).collect();
        return Response::failed(&format!(
            "no rule is called \"{name}\"; there are {}",
            known.join(", ")
        ));
    }
    let report = json!({ "rules": wanted.iter().map(|it| described(it)).collect::<Vec<Value>>() });
    let stdout = match request.json {
        true => format!("{}\n", serde_json::to_string_pretty(&report).unwrap_or_default()),
        false => wanted.iter().map(|it| pretty(it)).collect::<Vec<String>>().join("\n"),
    };
    Response { stdout, report, ..Response::default() }
}

fn described(meta: &Meta) -> Value {
    json!({
        "id": meta.id,
        "summary": meta.summary,
        "description": meta.description,
        "help": meta.help,
        "edits": meta.edits,
        "levels": meta.levels.iter().map(|it| it.name()).collect::<Vec<&str>>(),
        "page": meta.page(),
    })
}

fn pretty(meta: &Meta) -> String {
    let levels: Vec<&str> = meta.levels.iter().map(|it| it.name()).collect();
    let mut text = format!("{} ({})\n", meta.id, levels.join(", "));
    for part in [meta.description, meta.help] {
        for line in wrapped(part) {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text.push_str(&format!("  {}\n", meta.page()));
    text
}

/// A text in lines of at most 90 characters, broken between words.
fn wrapped(text: &str) -> Vec<String> {
    const MOST: usize = 90;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < MOST => line.push_str(&format!(" {word}")),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
