//! Removes helpers that nothing uses any more.

use oxc_ast::ast::Expression;
use oxc_semantic::{Scoping, SymbolId};
use oxc_span::Span;
use rustc_hash::FxHashMap;

use super::helpers::{Helpers, symbol_of};
use super::names::Places;
use crate::facts::Facts;
use crate::patch::Patch;

/// Removes the helpers in the file all of whose uses are `gone`, and what only they need.
pub(crate) fn remove_unused(
    (source, facts): (&str, &Facts),
    (helpers, places): (&Helpers, &Places),
    gone: &FxHashMap<SymbolId, usize>,
    patch: &mut Patch,
) {
    let is_module =
        ["import ", "export ", "exports", "require("].iter().any(|it| source.contains(it));
    if !is_module {
        // Another script may use what this one declares.
        return;
    }
    let mut removed: Vec<Span> = Vec::new();
    for (symbol, statement) in &helpers.declared {
        let uses = gone.get(symbol).copied().unwrap_or(0);
        let outside = facts
            .mentions(*symbol)
            .filter(|it| it.span.start < statement.start || statement.end < it.span.end);
        let unused = uses > 0 && outside.count() == uses;
        if unused && !places.exported.contains(symbol) && !statement.is_empty() {
            removed.push(*statement);
        }
    }
    for (symbol, statement) in helpers.steps() {
        let only_there = facts.mentions(symbol).all(|mention| {
            removed.iter().any(|it| it.start <= mention.span.start && mention.span.end <= it.end)
        });
        let is_needed = facts.mentions(symbol).next().is_some();
        if !removed.is_empty() && is_needed && only_there && !places.exported.contains(&symbol) {
            removed.push(statement);
        }
    }
    for span in removed {
        let rest = source.get(span.end as usize..).unwrap_or_default();
        let line_break =
            if rest.starts_with("\r\n") { 2 } else { u32::from(rest.starts_with('\n')) };
        patch.replace(Span::new(span.start, span.end + line_break), "");
    }
}

/// The variable that a callee is, or is a member of.
pub(crate) fn root_symbol(it: &Expression<'_>, scoping: &Scoping) -> Option<SymbolId> {
    match it.without_parentheses() {
        Expression::Identifier(it) => symbol_of(it, scoping),
        Expression::StaticMemberExpression(it) => root_symbol(&it.object, scoping),
        Expression::SequenceExpression(it) => root_symbol(it.expressions.last()?, scoping),
        _ => None,
    }
}
