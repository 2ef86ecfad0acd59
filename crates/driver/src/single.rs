//! `fix` of one text in memory, as a program of its own: for tests that make programs.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use headstart_edit::{Edit, SourceText};
use headstart_effects::{Session, Told};
use headstart_frontend::{content_hash, parse_to_ir, without_bom};
use headstart_models::Models;
use headstart_overlap::{Errors, Finding, Level, find};

use crate::analyse::write_out;
use crate::apply::apply;
use crate::fix::MOST_ROUNDS;

/// What became of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fixed {
    /// It does not parse.
    NoProgram,
    /// There is nothing to do.
    Unchanged,
    /// The text with all that was found applied.
    Changed(String),
}

/// Applies to a text everything that is found up to a level, and to what comes of that, until nothing is
/// found any more.
///
/// # Errors
/// Text that is no UTF-8, and models that lack a type of the language.
pub fn fix_text(path: &Path, text: &str, models: &Models, level: Level) -> Result<Fixed, String> {
    let mut fixed = fix_once(path, text, models, level)?;
    for _ in 1..MOST_ROUNDS {
        let Fixed::Changed(text) = &fixed else { break };
        match fix_once(path, text, models, level)? {
            Fixed::Changed(more) => fixed = Fixed::Changed(more),
            Fixed::Unchanged | Fixed::NoProgram => break,
        }
    }
    Ok(fixed)
}

fn fix_once(path: &Path, text: &str, models: &Models, level: Level) -> Result<Fixed, String> {
    let hash = content_hash(text.as_bytes());
    let Ok(ir) = parse_to_ir(path, without_bom(text), hash) else { return Ok(Fixed::NoProgram) };
    let source = SourceText::from_bytes(text.as_bytes().to_vec()).map_err(|it| it.to_string())?;
    let files = [&ir];
    let never = AtomicBool::new(false);
    let session = Session::new(&files, models, Told::default(), &never)?;
    let findings = find(&session.file(0), &session.summaries, Errors::One);
    let edits = write_out(&ir, &source, &findings)?;
    let all: Vec<(&Finding, &[Edit])> =
        findings.iter().zip(&edits).map(|(it, edits)| (it, edits.as_slice())).collect();
    let (edits, applied) = apply(source.text(), &all, level);
    if applied.is_empty() {
        return Ok(Fixed::Unchanged);
    }
    let bytes = source.to_bytes(&edits.apply(source.text()));
    String::from_utf8(bytes).map(Fixed::Changed).map_err(|it| it.to_string())
}
