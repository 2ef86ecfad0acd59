//! The `this` of a generator, where a variable stands for it outside.
//!
//! Purpose: an async function in place of a call gets as `this` what is around it, so mentions of the
//! generator's `this` become the name of the variable that the helper was given. That name has to mean that
//! variable wherever it is put. TypeScript writes `var _this = this;` in each function that has arrow functions, and
//! so hides one `_this` behind another of the same value: such a declaration goes.

use oxc_ast::ast::{self, Expression, Statement};
use oxc_semantic::{ScopeId, Scoping, SymbolFlags, SymbolId};
use oxc_span::{GetSpan, Span};

use super::Reason;
use super::names::Places;
use crate::carry::contains;
use crate::facts::Facts;
use crate::patch::Patch;

/// Where a generator mentions its `this`, that of arrow functions in it included.
#[derive(Debug, Default)]
pub(crate) struct OwnThis {
    /// The mentions, each with the innermost scope around it.
    pub(super) mentions: Vec<(Span, Option<ScopeId>)>,
    aliases: Vec<Alias>,
}

/// `var name = this;` at the start of a generator.
#[derive(Clone, Copy, Debug)]
struct Alias {
    symbol: SymbolId,
    value: Span,
    /// What goes if the declaration does.
    cut: Span,
    /// What stands there instead.
    instead: &'static str,
}

/// What stands for the `this` of a generator.
#[derive(Debug)]
pub(crate) struct StandIn {
    pub(crate) name: String,
    /// The variable of the generator that goes, since it has that name and that value.
    alias: Option<Alias>,
}

impl OwnThis {
    /// Looks for variables of the generator that hold its `this`.
    pub(super) fn find_aliases(
        &mut self,
        body: &ast::FunctionBody<'_>,
        (facts, scoping, source): (&Facts, &Scoping, &str),
    ) {
        for (index, statement) in body.statements.iter().enumerate() {
            let Some(declaration) = plain_declaration(statement) else { return };
            let all = &declaration.declarations;
            for (at, it) in all.iter().enumerate().filter(|(_, it)| is_this(it)) {
                let id = it.id.get_binding_identifier();
                let Some(symbol) = id.and_then(|id| id.symbol_id.get()) else { continue };
                if !keeps_value(symbol, facts, scoping) {
                    continue;
                }
                let (cut, instead) = match (at.checked_sub(1), all.get(at + 1)) {
                    (Some(before), _) => (Span::new(all[before].span.end, it.span.end), ""),
                    (None, Some(next)) => (Span::new(it.span.start, next.span.start), ""),
                    (None, None) => (declaration.span, end_before(source, statement, index)),
                };
                let value = it.init.as_ref().map_or(it.span, GetSpan::span);
                self.aliases.push(Alias { symbol, value, cut, instead });
            }
        }
    }

    /// How a variable stands for it, if it can.
    pub(crate) fn stand_in(
        &self,
        outer: SymbolId,
        facts: &Facts,
        scoping: &Scoping,
    ) -> Result<StandIn, Reason> {
        let name = scoping.symbol_name(outer);
        let alias = self.aliases.iter().find(|it| scoping.symbol_name(it.symbol) == name).copied();
        let is_meant = |(span, scope): &(Span, Option<ScopeId>)| {
            let found = scope.and_then(|it| scoping.find_binding(it, name.into()));
            found == Some(outer)
                || alias.is_some_and(|it| found == Some(it.symbol) || contains(it.value, *span))
        };
        // A function in a block of sloppy code is a variable around the block, too, which is no binding here.
        if facts.leaking.contains(name) || !self.mentions.iter().all(is_meant) {
            return Err("the generator has a variable named like what holds `this`");
        }
        Ok(StandIn { name: name.to_owned(), alias })
    }

    /// Writes what stands for it.
    pub(super) fn write(&self, patch: &mut Patch, this: &StandIn) {
        if let Some(alias) = &this.alias {
            patch.replace(alias.cut, alias.instead);
        }
        for (span, _) in &self.mentions {
            if !this.alias.is_some_and(|it| contains(it.cut, *span)) {
                patch.replace(*span, this.name.as_str());
            }
        }
    }
}

impl StandIn {
    /// Whether a variable of the generator of this name goes.
    pub(crate) fn removes(&self, name: &str) -> bool {
        self.alias.is_some() && self.name == name
    }
}

/// A `var` that does nothing which somebody could see: no function could have seen the variable of an alias behind
/// it without a value.
fn plain_declaration<'t, 'a>(
    statement: &'t Statement<'a>,
) -> Option<&'t ast::VariableDeclaration<'a>> {
    let Statement::VariableDeclaration(it) = statement else { return None };
    let is_plain = |it: &ast::VariableDeclarator<'_>| {
        it.id.is_binding_identifier()
            && it.init.as_ref().is_none_or(|init| {
                init.is_literal() || is_this(it) || init.is_specific_id("arguments")
            })
    };
    (it.kind.is_var() && it.declarations.iter().all(is_plain)).then_some(it)
}

fn is_this(it: &ast::VariableDeclarator<'_>) -> bool {
    matches!(it.init, Some(Expression::ThisExpression(_)))
}

/// Whether a variable has its value for good where it is given to a helper at `at`: it is declared in front of
/// that, and not anew in each round of a loop.
pub(super) fn is_settled(
    symbol: SymbolId,
    at: u32,
    (places, facts, scoping): (&Places, &Facts, &Scoping),
) -> bool {
    let declared_at = facts.declared_at.get(&symbol).copied().unwrap_or(0);
    let is_var = scoping.symbol_flags(symbol).contains(SymbolFlags::FunctionScopedVariable);
    let runs_once = declared_at == 0 || !is_var || places.run_once.contains(&symbol);
    declared_at <= at && runs_once && keeps_value(symbol, facts, scoping)
}

/// Whether a variable never gets another value than that of its only declaration.
fn keeps_value(symbol: SymbolId, facts: &Facts, scoping: &Scoping) -> bool {
    !scoping.symbol_is_mutated(symbol)
        && scoping.symbol_redeclarations(symbol).is_empty()
        && !facts.deleted.contains(&symbol)
}

/// What has to stand where a statement goes: what is in front of it must not go on behind it.
fn end_before(source: &str, statement: &Statement<'_>, index: usize) -> &'static str {
    let before = source.get(..statement.span().start as usize).unwrap_or_default();
    let is_ended = before.trim_end().ends_with([';', '{']);
    if is_ended || index == 0 && !before.trim_end().ends_with(['"', '\'']) { "" } else { ";" }
}
