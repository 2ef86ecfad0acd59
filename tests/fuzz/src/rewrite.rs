//! One text through the whole line.

use std::path::Path;

use headstart_callgraph::CallGraph;
use headstart_edit::{EditSet, SourceText};
use headstart_effects::{FileAnalysis, ProgramFacts, Summaries};
use headstart_frontend::{
    check_early_errors, check_syntax, content_hash, parse_to_ir, without_bom,
};
use headstart_ir::FileIr;
use headstart_models::Models;
use headstart_overlap::{Emitter, Errors, find};
use rustc_hash::FxHashSet;

/// What became of a text.
pub(crate) enum Outcome {
    DoesNotParse,
    Unchanged,
    Rewritten,
}

/// Rewrites `text` and checks what comes out.
///
/// # Errors
/// A text that came out wrong, and how.
pub(crate) fn rewrite(path: &Path, text: &str, models: &Models) -> Result<Outcome, String> {
    let Ok(ir) = parse(path, text) else { return Ok(Outcome::DoesNotParse) };
    let Some(fixed) = apply(&ir, text, models)? else { return Ok(Outcome::Unchanged) };
    let check = match check_early_errors(path, without_bom(text)) {
        Ok(()) => check_early_errors,
        Err(_) => check_syntax,
    };
    check(path, without_bom(&fixed))
        .map_err(|error| format!("does not parse any more: {}\n{fixed}", error.message))?;
    let again = parse(path, &fixed).map_err(|()| "parses, but not twice".to_owned())?;
    match apply(&again, &fixed, models)? {
        None => Ok(Outcome::Rewritten),
        Some(_) => Err(format!("the second fix changes something:\n{fixed}")),
    }
}

fn parse(path: &Path, text: &str) -> Result<FileIr, ()> {
    parse_to_ir(path, without_bom(text), content_hash(text.as_bytes())).map_err(|_| ())
}

/// The text with everything applied that is `safe` or `likely`; none where nothing is.
fn apply(ir: &FileIr, text: &str, models: &Models) -> Result<Option<String>, String> {
    let files = [ir];
    let facts = ProgramFacts::collect(&files, models);
    let graph = CallGraph::build(&files, models, &FxHashSet::default())?;
    let summaries = Summaries::compute(graph);
    let analysis = FileAnalysis::new(0, ir, models, &facts).with_summaries(&summaries);
    let source = SourceText::from_bytes(text.as_bytes().to_vec()).map_err(|it| it.to_string())?;
    let mut emitter = Emitter::new(ir, &source);
    let mut edits = EditSet::new(source.text());
    for finding in find(&analysis, &summaries, Errors::One) {
        if let Some(plan) = &finding.plan {
            let group =
                emitter.emit(plan).map_err(|_| "the plan does not fit its own text".to_owned())?;
            edits.push_group(group).map_err(|it| it.to_string())?;
        }
    }
    if edits.is_empty() {
        return Ok(None);
    }
    let fixed = source.to_bytes(&edits.apply(source.text()));
    String::from_utf8(fixed).map(Some).map_err(|it| it.to_string())
}
