//! State machines that compilers write where there are no generators either.
//!
//! Forms: TypeScript's and swc's `return __generator(this, function (_a) { switch (_a.label) { … } })`,
//! Babel's `mark(function _callee(…) { return wrap(function (_context) { while (1) switch … }) })`.
//! Each state's code stays where it is. What waits becomes an `await`, a jump a `continue` of a loop
//! around the `switch`, and what is protected by `try` gets a loop and a `switch` of its own in a real
//! `try`. Where nothing jumps, loop and `switch` go. One module a step:
//!
//! 1. [`find`]: where the machine is.
//! 2. [`reader`]: its states, and what they do ([`op`]).
//! 3. [`parts`]: what stands in which `try`, and where a jump leads.
//! 4. [`writer`]: what changes in the text.

mod find;
mod op;
mod parts;
mod reader;
mod writer;

use oxc_ast::ast;
use oxc_semantic::{Scoping, SymbolId};
use oxc_span::Span;

use super::Reason;
use super::helpers::Helpers;
use crate::facts::Facts;

pub(super) use find::marked;

/// What changes where a function with a machine becomes an async function.
#[derive(Debug)]
pub(super) struct Machine {
    /// All from the `return` to the first state.
    pub(super) header: Span,
    /// The function that is the machine.
    pub(super) function: Span,
    /// The helper whose call is gone.
    pub(super) helper: Option<SymbolId>,
    /// How often the function around is mentioned by its own name.
    pub(super) own_mentions: usize,
    pub(super) edits: Vec<(Span, String)>,
}

/// Reads the machine of a function, if it has one.
pub(super) fn read(
    it: &ast::Function<'_>,
    facts: &Facts,
    (helpers, scoping): (&Helpers, &Scoping),
) -> Result<Machine, Reason> {
    let found = find::find(it, helpers, scoping)?;
    let key = (found.function.span.start, found.function.span.end);
    let uses = facts.by_span.get(&key).map(|&it| facts.functions[it].uses);
    let uses = uses.ok_or("it is not understood")?;
    if uses.arguments || uses.eval || uses.new_target || uses.this && !found.has_this {
        return Err("its state machine uses what is its own");
    }
    let states = reader::read(&found, facts, scoping)?;
    let edits = writer::write(&states, &found, facts)?;
    Ok(Machine {
        header: states.opening,
        function: found.function.span,
        helper: found.helper,
        own_mentions: found.own_mentions,
        edits,
    })
}
