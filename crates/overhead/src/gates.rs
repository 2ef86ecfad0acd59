//! The gate of atomic blocks, as a pass behind the others: what they have made free of waiting needs none.

use std::path::Path;

use headstart_atomicity::{Ungated, gate};
use headstart_frontend::SyntaxError;
use oxc_ast::ast;
use oxc_span::Span;

use crate::Options;
use crate::patch::Patch;
use crate::rope::Rope;

/// The text with the gate in it; nothing where nothing suspends.
/// `twins`: the functions that fast ones go on as.
pub(crate) fn rope(
    program: &ast::Program<'_>,
    text: &str,
    (options, twins): (Options, &[String]),
) -> Option<Rope> {
    let Options { commonjs, keep_types, .. } = options;
    let options = headstart_atomicity::Options { commonjs, keep_types };
    let gated = gate(program, text, options, twins);
    let mut patch = Patch::of(text);
    for edit in gated.edits {
        patch.replace(Span::new(edit.start, edit.end), edit.text);
    }
    let all = Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX));
    (!patch.is_empty()).then(|| patch.render(all))
}

/// What of a file does not pass the gate.
///
/// # Errors
/// The file does not parse.
pub(crate) fn ungated(path: &Path, text: &str) -> Result<Vec<Ungated>, SyntaxError> {
    headstart_frontend::with_syntax_tree(path, text, |program| {
        gate(program, text, headstart_atomicity::Options::default(), &[]).ungated
    })
}
