//! One text through the whole line.

use std::path::Path;

use headstart_driver::{Fixed, fix_text};
use headstart_frontend::{check_early_errors, check_syntax, without_bom};
use headstart_models::Models;
use headstart_overlap::Level;

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
    let fixed = match fix_text(path, text, models, Level::Likely)? {
        Fixed::NoProgram => return Ok(Outcome::DoesNotParse),
        Fixed::Unchanged => return Ok(Outcome::Unchanged),
        Fixed::Changed(fixed) => fixed,
    };
    let check = match check_early_errors(path, without_bom(text)) {
        Ok(()) => check_early_errors,
        Err(_) => check_syntax,
    };
    check(path, without_bom(&fixed))
        .map_err(|error| format!("does not parse any more: {}\n{fixed}", error.message))?;
    match fix_text(path, &fixed, models, Level::Likely)? {
        Fixed::NoProgram => Err("parses, but not twice".to_owned()),
        Fixed::Unchanged => Ok(Outcome::Rewritten),
        Fixed::Changed(_) => Err(format!("the second fix changes something:\n{fixed}")),
    }
}
