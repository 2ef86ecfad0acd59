//! What a function hands to its twin.
//!
//! Purpose: at each site, the variables that are still needed; and which variables cannot be
//! handed over by value. Input: a plan. Output: [`Carry`]. A variable is needed where it is
//! mentioned later in the text, or anywhere in a loop that the site is in and that the variable
//! is declared outside of. By value is right for what no closure shares, and for what does not
//! change after the closure was made; the rest lives in boxes.

use headstart_ir::order;
use oxc_semantic::{Scoping, SymbolFlags, SymbolId};
use oxc_span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{Facts, Mention};
use crate::plan::{LoopSpan, Plan, Site};

/// How a variable is declared in the twin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// For the whole function, under its own name.
    Function,
    /// Where it was declared: another variable may have its name, or each round its own.
    Block,
    /// By the `catch` clause that is entered again.
    Catch,
}

/// What has to be carried where.
#[derive(Debug, Default)]
pub(crate) struct Carry {
    /// The variables that are carried at some site, with the name of the twin's parameter.
    pub(crate) params: Vec<(SymbolId, String)>,
    /// Temporaries that are.
    pub(crate) temps: Vec<usize>,
    /// The variables carried at each site.
    pub(crate) at: Vec<FxHashSet<SymbolId>>,
    /// What must be in boxes.
    pub(crate) boxes: Vec<Boxed>,
    /// What a twin that stands in the function has in common with it.
    pub(crate) common: FxHashSet<SymbolId>,
    /// Why the twin cannot have the same variables, if it cannot.
    pub(crate) failed: Option<&'static str>,
}

/// A variable that closures share with code behind a site.
#[derive(Clone, Debug)]
pub(crate) struct Boxed {
    pub(crate) symbol: SymbolId,
    /// Whether a closure may see it before its declaration has run.
    pub(crate) early: bool,
}

/// Looks at one function.
pub(crate) struct Carrier<'x> {
    pub(crate) facts: &'x Facts,
    pub(crate) scoping: &'x Scoping,
    pub(crate) function: usize,
    pub(crate) plan: &'x Plan,
    /// What is in boxes already: those are never written again.
    pub(crate) boxed: &'x FxHashMap<SymbolId, String>,
}

impl Carrier<'_> {
    /// What the sites of the plan carry.
    pub(crate) fn carry(&self) -> Carry {
        self.carry_but(FxHashSet::default())
    }

    /// What they carry if the twin stands in the function, and has some variables in common with it; `None` if it cannot
    /// have them: that have another scope than the whole function, or that the twin would declare itself.
    pub(crate) fn carry_in_common(&self, wanted: &[Boxed]) -> Option<Carry> {
        let can_be = |it: &Boxed| {
            let flags = self.scoping.symbol_flags(it.symbol);
            let others = SymbolFlags::Class | SymbolFlags::Function | SymbolFlags::CatchVariable;
            let is_param = self.facts.declared_at.get(&it.symbol) == Some(&0);
            (is_param || !it.early && !self.is_var(it.symbol))
                && !flags.intersects(others)
                && self.scoping.symbol_redeclarations(it.symbol).is_empty()
                && self.form(it.symbol) == Form::Function
        };
        wanted
            .iter()
            .all(can_be)
            .then(|| self.carry_but(wanted.iter().map(|it| it.symbol).collect()))
            .filter(|it| it.boxes.is_empty())
    }

    fn carry_but(&self, common: FxHashSet<SymbolId>) -> Carry {
        let mut carry = Carry::default();
        let mut own = self.own_symbols();
        own.retain(|it| !common.contains(it));
        let mut carried: FxHashSet<SymbolId> = FxHashSet::default();
        let mut shadowed: FxHashSet<SymbolId> = FxHashSet::default();
        for site in &self.plan.sites {
            let here: FxHashSet<SymbolId> =
                own.iter().copied().filter(|&symbol| self.needed(symbol, site)).collect();
            carried.extend(&here);
            shadowed.extend(here.iter().filter(|&&symbol| self.is_shadowed(symbol, site, &own)));
            carry.at.push(here);
        }
        let temps: FxHashSet<usize> =
            self.plan.sites.iter().flat_map(|site| site.temps.iter().copied()).collect();
        carry.temps = temps.into_iter().collect();
        order::sort(&mut carry.temps);
        for &symbol in &own {
            if carried.contains(&symbol) {
                carry.params.push((symbol, self.name(symbol)));
            }
            let boxed = self
                .to_box(symbol, carried.contains(&symbol))
                .or_else(|| shadowed.contains(&symbol).then_some(Boxed { symbol, early: false }));
            carry.boxes.extend(boxed);
            carry.failed = carry.failed.or_else(|| self.failure(symbol));
        }
        for &symbol in &common {
            carry.failed = carry.failed.or_else(|| self.failure(symbol));
        }
        carry.common = common;
        carry
    }

    /// The name a variable, or its box, has in the function.
    pub(crate) fn name(&self, symbol: SymbolId) -> String {
        self.boxed
            .get(&symbol)
            .cloned()
            .unwrap_or_else(|| self.scoping.symbol_name(symbol).to_owned())
    }

    /// What makes code throw at a place must go on doing so.
    fn failure(&self, symbol: SymbolId) -> Option<&'static str> {
        let flags = self.scoping.symbol_flags(symbol);
        if flags.contains(SymbolFlags::ConstVariable)
            && self.facts.mentions(symbol).any(|it| it.write)
        {
            return Some("assigns to a constant");
        }
        if flags.contains(SymbolFlags::CatchVariable)
            && !self.scoping.symbol_redeclarations(symbol).is_empty()
        {
            return Some("a `var` has the name of what its `catch` clause catches");
        }
        let declared_at = self.facts.declared_at.get(&symbol).copied().unwrap_or(0);
        let early = !self.is_var(symbol)
            && self
                .facts
                .mentions(symbol)
                .any(|it| it.function == Some(self.function) && it.span.start < declared_at);
        let early = early || self.facts.in_own_head.contains(&symbol);
        early.then_some("uses a variable in front of its declaration")
    }

    fn own_symbols(&self) -> Vec<SymbolId> {
        let all = self.facts.owned.get(&self.function);
        let mut own: Vec<SymbolId> = all
            .into_iter()
            .flatten()
            .copied()
            .filter(|&symbol| {
                let flags = self.scoping.symbol_flags(symbol);
                flags.is_value() && !flags.contains(SymbolFlags::FunctionExpression)
                    || flags.contains(SymbolFlags::CatchVariable)
            })
            .collect();
        order::sort(&mut own);
        own
    }

    fn needed(&self, symbol: SymbolId, site: &Site) -> bool {
        if !site.scopes.contains(&self.scoping.symbol_scope_id(symbol)) {
            return false;
        }
        let is_var = self.is_var(symbol);
        if !is_var && self.declared_at(symbol) > site.position {
            return false;
        }
        self.is_opened(symbol, site)
            || self.facts.mentions(symbol).any(|it| {
                it.span.start >= site.position
                    || site.loops.iter().any(|around| {
                        let outside = is_var
                            || around.head.contains(&symbol)
                            || !contains(around.span, self.scoping.symbol_span(symbol));
                        outside && contains(around.span, it.span)
                    })
            })
    }

    /// Whether a declaration of it runs behind the site, later in the text or in the next round of a loop:
    /// that writes to a box which closures may hold already, and is no mention.
    fn is_opened(&self, symbol: SymbolId, site: &Site) -> bool {
        let again = self.scoping.symbol_redeclarations(symbol).iter().map(|it| it.span);
        let mut declared = again.chain([self.scoping.symbol_span(symbol)]);
        let runs_again = |span: Span| {
            self.is_var(symbol) && site.loops.iter().any(|around| contains(around.span, span))
        };
        self.boxed.contains_key(&symbol)
            && declared.any(|span| span.start >= site.position || runs_again(span))
    }

    /// Whether the name of a variable is another one's at a site, so that a box has to give it a name
    /// of its own.
    fn is_shadowed(&self, symbol: SymbolId, site: &Site, own: &[SymbolId]) -> bool {
        if self.boxed.contains_key(&symbol) {
            return false;
        }
        let depth = |symbol: SymbolId| {
            let scope = self.scoping.symbol_scope_id(symbol);
            site.scopes.iter().position(|it| *it == scope)
        };
        let name = self.scoping.symbol_name(symbol);
        own.iter().any(|&other| {
            !self.boxed.contains_key(&other)
                && self.scoping.symbol_name(other) == name
                && depth(other) > depth(symbol)
        })
    }

    /// Whether it is a `var` or a parameter, that is, there from the start.
    fn is_var(&self, symbol: SymbolId) -> bool {
        self.scoping.symbol_flags(symbol).contains(SymbolFlags::FunctionScopedVariable)
    }

    /// Where it has its first value; a box has it where its block begins.
    fn declared_at(&self, symbol: SymbolId) -> u32 {
        if self.boxed.contains_key(&symbol) {
            return 0;
        }
        self.facts.declared_at.get(&symbol).copied().unwrap_or(0)
    }

    fn to_box(&self, symbol: SymbolId, carried: bool) -> Option<Boxed> {
        if self.boxed.contains_key(&symbol) {
            return None;
        }
        let declared_at = self.declared_at(symbol);
        let is_function = self.scoping.symbol_flags(symbol).contains(SymbolFlags::Function);
        let closures: Vec<u32> =
            self.facts.mentions(symbol).filter_map(|it| self.closure(it)).collect();
        if closures.is_empty() {
            return None;
        }
        let early = closures.iter().any(|&made| made < declared_at);
        let scope = self.scoping.symbol_scope_id(symbol);
        // A declaration behind a site that gives it another value is no mention.
        let again = !is_function && !self.scoping.symbol_redeclarations(symbol).is_empty();
        let split =
            (early || again) && self.plan.sites.iter().any(|site| site.scopes.contains(&scope));
        let changes = if is_function {
            self.scoping.symbol_is_mutated(symbol)
        } else {
            self.changes(symbol, declared_at)
        };
        (split || carried && (changes || early)).then_some(Boxed { symbol, early })
    }

    /// Whether a variable gets another value than its first, updates of loops aside: those happen
    /// on a copy, which no closure has yet unless the head makes one.
    fn changes(&self, symbol: SymbolId, declared_at: u32) -> bool {
        if !self.scoping.symbol_redeclarations(symbol).is_empty() {
            return true;
        }
        let var_with_value = self.is_var(symbol) && declared_at > 0;
        let heads = self.plan.sites.iter().flat_map(|it| &it.loops);
        let updates = heads.filter(|it| it.head.contains(&symbol) && !self.is_split(symbol, it));
        let updates: Vec<Span> = updates.map(|it| it.outside_body).collect();
        var_with_value
            || self
                .facts
                .mentions(symbol)
                .any(|it| it.write && !updates.iter().any(|update| contains(*update, it.span)))
    }

    /// Whether the test or the update of a loop makes a closure with one of its variables, and awaits: what it writes
    /// behind that, the closure sees.
    fn is_split(&self, symbol: SymbolId, it: &LoopSpan) -> bool {
        let declared = it.head.iter().filter_map(|it| self.facts.declared_at.get(it)).max();
        let from = declared.copied().unwrap_or(0).max(it.outside_body.start);
        let behind = |at: u32| from <= at && at < it.outside_body.end;
        let mut awaits = self.facts.functions[self.function].awaits.iter();
        let mut closures = self.facts.mentions(symbol).filter_map(|it| self.closure(it));
        awaits.any(|it| behind(it.start)) && closures.any(behind)
    }

    /// Where the closure is made that a mention is in; 0 for declared functions.
    fn closure(&self, it: &Mention) -> Option<u32> {
        let inner = it.function?;
        if inner == self.function || !self.facts.is_within(Some(inner), self.function) {
            return None;
        }
        let child = &self.facts.functions[self.facts.child_towards(self.function, inner)];
        Some(if child.hoisted { 0 } else { child.span.start })
    }

    /// How the twin declares a variable.
    pub(crate) fn form(&self, symbol: SymbolId) -> Form {
        let flags = self.scoping.symbol_flags(symbol);
        let is_caught = flags.contains(SymbolFlags::CatchVariable);
        if is_caught && !self.boxed.contains_key(&symbol) {
            return Form::Catch;
        }
        // What is caught is declared anew by each entry of its clause, like a variable of a block.
        let declared_by_function = SymbolFlags::FunctionScopedVariable | SymbolFlags::Function;
        if flags.intersects(declared_by_function) && !is_caught {
            return Form::Function;
        }
        let name = self.scoping.symbol_name(symbol);
        let unique = self.boxed.contains_key(&symbol) || self.is_only_one(symbol, name);
        let captured = self.facts.mentions(symbol).any(|it| self.closure(it).is_some());
        let in_loop = captured && (is_caught || !self.is_var(symbol)) && {
            let declared = self.scoping.symbol_span(symbol);
            self.plan.loops.iter().any(|it| contains(it.span, declared))
        };
        if unique && !in_loop { Form::Function } else { Form::Block }
    }

    /// Whether nothing else in the function has this name.
    fn is_only_one(&self, symbol: SymbolId, name: &str) -> bool {
        let own = self.facts.owned.get(&self.function);
        let mut others = own.into_iter().flatten().filter(|&&other| other != symbol);
        if others.any(|&other| self.scoping.symbol_name(other) == name) {
            return false;
        }
        // Something outside the function that it mentions by this name?
        let mut mentions = self.facts.mentions_in(self.facts.functions[self.function].span, name);
        !mentions.any(|it| {
            it.symbol != Some(symbol)
                && self.facts.is_within(it.function, self.function)
                && it.symbol.is_none_or(|symbol| {
                    let owner = self.facts.owner.get(&symbol).copied().flatten();
                    !self.facts.is_within(owner, self.function)
                })
        })
    }
}

pub(crate) fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
