//! What keeps a function as it is, whatever its body looks like.

use oxc_semantic::{SymbolFlags, SymbolId};
use oxc_span::Span;

use crate::carry::contains;
use crate::convert::{AsyncFunction, Converter, Entry};
use crate::facts::Mention;
use crate::lower::{Lowered, Unsupported};
use crate::params::moved;

/// With how many awaits a function is converted.
const MOST_AWAITS: usize = 1_000;

/// With how many pairs of an await and a variable it is: each await may hand over each variable.
const MOST_CARRIED: usize = 50_000;

/// How many converted functions may stand in one another: what stands in a function is written with it and
/// with its twin, so each level may double what the one inside it has become.
const MOST_LEVELS: u32 = 5;

impl Converter<'_> {
    /// Refuses what cannot be converted.
    pub(crate) fn check(&self, it: &AsyncFunction<'_, '_>) -> Lowered {
        let function = &self.facts.functions[it.index];
        if self.sees_eval(it.index) {
            return Err(Unsupported("code around it calls `eval`, which may declare any name"));
        }
        if function.uses.eval {
            return Err(Unsupported("calls `eval`, which may look at anything"));
        }
        if let Some(reason) = self.runtime.refusal() {
            return Err(Unsupported(reason));
        }
        let overlaps = |it: &Span| contains(function.span, *it) || contains(*it, function.span);
        if self.facts.withs.iter().any(overlaps) {
            return Err(Unsupported("names in a `with` statement may be those of properties"));
        }
        if self.facts.binds_arguments {
            return Err(Unsupported("the file has a variable named `arguments`"));
        }
        if self.levels.get(&it.index).is_some_and(|it| *it >= MOST_LEVELS) {
            return Err(Unsupported("functions in one another, of which each is written twice"));
        }
        let variables = self.facts.owned.get(&it.index).map_or(0, Vec::len);
        if function.awaits.len() > MOST_AWAITS || function.awaits.len() * variables > MOST_CARRIED {
            return Err(Unsupported("so long that what it becomes would be many times as long"));
        }
        if function.in_sloppy_block {
            return Err(Unsupported("declared in a block of sloppy code, where it is not hoisted"));
        }
        if self.binds_twice(it) {
            return Err(Unsupported(
                "a parameter of a list with patterns or defaults is declared again",
            ));
        }
        if self.hides_from_params(it) {
            return Err(Unsupported(
                "defaults or patterns of its parameters mention a name that its body declares",
            ));
        }
        if self.declares_in_blocks.contains(&it.index) {
            return Err(Unsupported("declares functions in blocks of sloppy code"));
        }
        let sloppy_arguments = function.uses.arguments && !function.is_arrow && !self.strict;
        if sloppy_arguments && !it.params.is_empty() {
            return Err(Unsupported("`arguments` and the parameters are the same in sloppy code"));
        }
        if sloppy_arguments && !matches!(it.entry, Entry::Asked) {
            return Err(Unsupported("`arguments.callee` of sloppy code is the function itself"));
        }
        Ok(())
    }

    /// Whether code around a function calls `eval` directly, which may declare names that the function mentions.
    fn sees_eval(&self, function: usize) -> bool {
        let parent = |index: &usize| self.facts.functions[*index].parent;
        let mut around = std::iter::successors(parent(&function), parent);
        self.facts.evals_at_top || around.any(|it| self.facts.functions[it].uses.eval)
    }

    /// Whether what moves from the list of parameters into the body would mean a variable of the body, which it does
    /// not see in the list (ECMA-262, 10.2.11 FunctionDeclarationInstantiation).
    fn hides_from_params(&self, it: &AsyncFunction<'_, '_>) -> bool {
        let moved = moved(it.params);
        if moved.is_empty() {
            return false;
        }
        let body = self.facts.functions[it.index].body;
        let is_of_body = |symbol: SymbolId| {
            let again = self.scoping.symbol_redeclarations(symbol).iter().map(|it| it.span);
            let is_var =
                self.scoping.symbol_flags(symbol).contains(SymbolFlags::FunctionScopedVariable);
            (is_var || Some(self.scoping.symbol_scope_id(symbol)) == it.scope)
                && again.chain([self.scoping.symbol_span(symbol)]).any(|it| it.start >= body)
        };
        let is_of_list = |symbol| contains(it.params.span, self.scoping.symbol_span(symbol));
        let is_moved = |mention: &Mention| {
            moved.iter().any(|it| contains(*it, mention.span))
                && !mention.symbol.is_some_and(is_of_list)
        };
        let own = self.facts.owned.get(&it.index).into_iter().flatten();
        own.filter(|&&symbol| is_of_body(symbol)).any(|&symbol| {
            let name = self.scoping.symbol_name(symbol);
            self.facts.mentions_in(self.facts.functions[it.index].span, name).any(is_moved)
        })
    }

    /// Whether a `var` or a function of the body has the name of a parameter, and another scope than
    /// the parameters have.
    fn binds_twice(&self, it: &AsyncFunction<'_, '_>) -> bool {
        let simple = it
            .params
            .items
            .iter()
            .all(|it| it.pattern.is_binding_identifier() && it.initializer.is_none());
        if simple && it.params.rest.is_none() {
            return false;
        }
        let own = self.facts.owned.get(&it.index).into_iter().flatten();
        own.filter(|&&symbol| contains(it.params.span, self.scoping.symbol_span(symbol)))
            .any(|&symbol| !self.scoping.symbol_redeclarations(symbol).is_empty())
    }
}
