//! What `fix` makes of a text, in memory.

use std::path::Path;

use headstart_edit::{EditSet, SourceText};
use headstart_effects::{FileAnalysis, ProgramFacts};
use headstart_frontend::{check_early_errors, content_hash, parse_to_ir};
use headstart_models::Models;
use headstart_overlap::{Emitter, Errors, Level, find};

/// A text with everything applied up to a level; none where that is nothing.
///
/// # Errors
/// The text does not parse, what comes out does not, or a second time changes something (S4, S8).
pub fn rewrite(text: &str, models: &Models, level: Level) -> Result<Option<String>, String> {
    let Some(fixed) = apply(text, models, level)? else { return Ok(None) };
    match apply(&fixed, models, level)? {
        None => Ok(Some(fixed)),
        Some(again) => Err(format!("the second time changes something:\n{fixed}\n---\n{again}")),
    }
}

fn apply(text: &str, models: &Models, level: Level) -> Result<Option<String>, String> {
    let path = Path::new("program.js");
    let ir = parse_to_ir(path, text, content_hash(text.as_bytes()))
        .map_err(|_| format!("does not parse:\n{text}"))?;
    let facts = ProgramFacts::collect(&[&ir], models);
    let analysis = FileAnalysis::new(0, &ir, models, &facts);
    let source = SourceText::from_bytes(text.as_bytes().to_vec()).map_err(|it| it.to_string())?;
    let mut emitter = Emitter::new(&ir, &source);
    let mut edits = EditSet::new(source.text());
    for finding in find(&analysis, Errors::One) {
        if let Some(plan) = &finding.plan
            && finding.level <= level
        {
            let group = emitter.emit(plan).map_err(|_| "the plan does not fit".to_owned())?;
            // One that clashes with an earlier one waits for the next run.
            let _ = edits.push_group(group);
        }
    }
    if edits.is_empty() {
        return Ok(None);
    }
    let fixed = edits.apply(source.text());
    check_early_errors(path, &fixed).map_err(|it| format!("{}\n{fixed}", it.message))?;
    Ok(Some(fixed))
}
