//! How much of the stack a call of a function takes.
//!
//! V8 gives each variable of a function a register of its own, in whatever block it stands, and so each
//! temporary that lives across statements; the arguments of the calls that are being put together stand in
//! further ones, and are pushed. A register is a word.

use oxc_ast::ast;

use super::FunctionFacts;
use super::collect::Collector;

/// What each call takes, whatever it does: what is saved, the receiver, and what the engine puts between two
/// functions (adaptors, built-in functions that call back).
pub const EACH: u32 = 24;

/// What a function holds besides its variables, in words.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    /// Arguments of calls being put together now.
    open: u32,
    /// The most of them at once.
    most: u32,
    /// Operands that a fast function keeps in temporaries, as an `await` stands behind them.
    kept: u32,
}

impl FunctionFacts {
    /// The words of stack that a call takes at most, about, also as a fast function; `variables`: its own.
    pub(crate) fn words(&self, variables: usize) -> u32 {
        let variables = u32::try_from(variables).unwrap_or(u32::MAX);
        let awaits = u32::try_from(self.awaits.len()).unwrap_or(u32::MAX);
        // Where the function hands over, it notes the variables of blocks, and what it awaits.
        let (notes, temps) =
            if self.is_async { (variables, awaits.saturating_mul(2)) } else { (0, 0) };
        [variables, notes, temps, self.held.most, self.held.kept]
            .into_iter()
            .fold(EACH, u32::saturating_add)
    }
}

impl Collector<'_> {
    /// Walks over what needs so many operands at once.
    pub(super) fn holding(&mut self, operands: usize, walk: impl FnOnce(&mut Self)) {
        let operands = u32::try_from(operands).unwrap_or(u32::MAX);
        let Some(&index) = self.stack.last() else { return walk(self) };
        let held = &mut self.facts.functions[index].held;
        let outer = held.open;
        held.open = outer.saturating_add(operands);
        held.most = held.most.max(held.open);
        walk(self);
        self.facts.functions[index].held.open = outer;
    }

    /// Notes an `await`: the operands in front of it have to be kept.
    pub(super) fn keeps(&mut self) {
        if let Some(&index) = self.stack.last() {
            let held = &mut self.facts.functions[index].held;
            held.kept = held.kept.saturating_add(held.open);
        }
    }
}

/// Whether a call has as many arguments as a value has elements.
pub(super) fn spreads(it: &ast::CallExpression<'_>) -> bool {
    let applies =
        it.callee.as_member_expression().and_then(ast::MemberExpression::static_property_name);
    applies == Some("apply") || it.arguments.iter().any(ast::Argument::is_spread)
}
