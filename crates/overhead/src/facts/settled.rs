//! Which variables have their value, and keep it, whenever a function runs.

use oxc_semantic::{Scoping, SymbolFlags, SymbolId};
use rustc_hash::FxHashSet;

use super::{Facts, is_root};
use crate::carry::contains;

impl Facts {
    /// Whether reading a variable gives the same value at any time while a function runs that mentions it.
    pub(crate) fn is_constant(&self, scoping: &Scoping, symbol: SymbolId, function: usize) -> bool {
        let flags = scoping.symbol_flags(symbol);
        // A `var` has no value at first, an import's changes when its module says so, and that of an enum or a
        // namespace comes with one of its parts.
        let is_var = flags.contains(SymbolFlags::FunctionScopedVariable)
            && self.declared_at.get(&symbol).is_some_and(|&at| at > 0);
        let others = SymbolFlags::Import
            | SymbolFlags::Enum
            | SymbolFlags::EnumMember
            | SymbolFlags::Namespace
            | SymbolFlags::Ambient;
        let changes = scoping.symbol_is_mutated(symbol)
            || !scoping.symbol_redeclarations(symbol).is_empty()
            || self.leaking.contains(scoping.symbol_name(symbol));
        if is_var || changes || flags.intersects(others) {
            return false;
        }
        let owner = self.owner.get(&symbol).copied().flatten();
        if owner == Some(function) {
            return true;
        }
        let is_hidden = self.has_eval
            || owner.is_none() && self.functions[function].in_namespace
            || self.is_shared(scoping, symbol) && !flags.contains(SymbolFlags::ConstVariable);
        !is_hidden && self.has_value(scoping, symbol, function)
    }

    /// Whether other scripts of a page may see a variable.
    pub(crate) fn is_shared(&self, scoping: &Scoping, symbol: SymbolId) -> bool {
        self.may_be_script && is_root(scoping, symbol)
    }

    /// Whether a variable from around a function has been given its first value whenever that runs.
    fn has_value(&self, scoping: &Scoping, symbol: SymbolId, function: usize) -> bool {
        let flags = scoping.symbol_flags(symbol);
        if flags.intersects(SymbolFlags::Function | SymbolFlags::FunctionExpression) {
            return true;
        }
        // The cases of a `switch` may be entered behind a declaration.
        if self.in_own_head.contains(&symbol)
            || self.switches.contains(&scoping.symbol_scope_id(symbol))
        {
            return false;
        }
        let owner = self.owner.get(&symbol).copied().flatten();
        let maker = self.child_of(owner, function);
        let it = &self.functions[maker];
        if it.bound.contains(&symbol) || it.class == Some(symbol) {
            return true;
        }
        let set = match (self.declared_at.get(&symbol), owner) {
            (Some(0), Some(owner)) if !flags.contains(SymbolFlags::CatchVariable) => {
                self.functions[owner].body
            }
            (Some(&set), _) => set,
            (None, _) => return false,
        };
        set <= self.runs_from(scoping, owner, maker, &mut FxHashSet::default())
    }

    /// The first place in the code of `owner` from which on a function directly inside it may run.
    fn runs_from(
        &self,
        scoping: &Scoping,
        owner: Option<usize>,
        function: usize,
        seen: &mut FxHashSet<usize>,
    ) -> u32 {
        let it = &self.functions[function];
        if !it.hoisted {
            return it.span.start;
        }
        if !seen.insert(function) {
            return u32::MAX;
        }
        let Some(&name) = it.bound.first() else { return 0 };
        let is_known = !self.exported.contains(&name)
            && !self.is_shared(scoping, name)
            && !self.leaking.contains(scoping.symbol_name(name))
            && scoping.symbol_redeclarations(name).is_empty();
        if !is_known {
            return 0;
        }
        let places = self.mentions(name).map(|mention| match mention.function {
            at if at == owner => mention.span.start,
            None => 0,
            Some(inner) => self.runs_from(scoping, owner, self.child_of(owner, inner), seen),
        });
        places.min().unwrap_or(u32::MAX)
    }

    /// The function directly inside `outer`, or at the top of the file, through which `inner` stands in it.
    fn child_of(&self, outer: Option<usize>, inner: usize) -> usize {
        let mut at = inner;
        while self.functions[at].parent != outer
            && let Some(parent) = self.functions[at].parent
        {
            at = parent;
        }
        at
    }

    /// Whether a variable is mentioned in a namespace that it does not belong to: what other parts of that
    /// export is known there by name.
    pub(crate) fn may_mean_another(&self, scoping: &Scoping, symbol: SymbolId) -> bool {
        let declared = scoping.symbol_span(symbol);
        let foreign: Vec<_> =
            self.namespaces.iter().filter(|it| !contains(**it, declared)).collect();
        !foreign.is_empty()
            && self.mentions(symbol).any(|it| foreign.iter().any(|part| contains(**part, it.span)))
    }
}
