//! What `fix` makes of a text, in memory.

use std::path::Path;

use headstart_driver::{Fixed, fix_text};
use headstart_frontend::check_early_errors;
use headstart_models::Models;
use headstart_overlap::Level;

/// A text with everything applied up to a level; none where that is nothing.
///
/// # Errors
/// The text does not parse, what comes out does not, or a second time changes something (S4, S8).
pub fn rewrite(text: &str, models: &Models, level: Level) -> Result<Option<String>, String> {
    let path = Path::new("program.js");
    let fixed = match fix_text(path, text, models, level)? {
        Fixed::NoProgram => return Err(format!("does not parse:\n{text}")),
        Fixed::Unchanged => return Ok(None),
        Fixed::Changed(fixed) => fixed,
    };
    check_early_errors(path, &fixed).map_err(|it| format!("{}\n{fixed}", it.message))?;
    match fix_text(path, &fixed, models, level)? {
        Fixed::Changed(again) => {
            Err(format!("the second time changes something:\n{fixed}\n---\n{again}"))
        }
        Fixed::NoProgram | Fixed::Unchanged => Ok(Some(fixed)),
    }
}
