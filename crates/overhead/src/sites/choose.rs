//! Which functions get a fast form, and which form.

use headstart_ir::order;
use oxc_semantic::{Scoping, SymbolFlags, SymbolId};
use oxc_span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::forms::{Beside, Form, Home, Place};
use super::paths::Awaited;
use super::{
    Binding, Candidate, Export, LONG, Naming, PrivateName, PrivateUse, Reaches, Sites, Waited,
};
use crate::facts::{Facts, is_root};
use crate::lower::UNTYPED;
use crate::report::{COLD, Calls};

/// What is chosen.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    /// By the function's index in the facts.
    pub(crate) forms: FxHashMap<usize, Form>,
    /// Names at call sites, and those of the fast functions, by the function that the sites stand in.
    pub(crate) renamed: FxHashMap<Option<usize>, Vec<(Span, String)>>,
    /// Where the names of methods begin that may have a fast form when they are called.
    pub(crate) guarded: FxHashMap<u32, Reaches>,
    /// Where the names of callees begin whose calls have a fast form and are awaited at once.
    pub(crate) fast: FxHashSet<u32>,
    /// Of those, where the names begin of functions that become fast ones themselves.
    pub(crate) in_place: FxHashSet<u32>,
    /// The functions whose awaits may be edited if they are not converted, and in how many loops at
    /// least.
    pub(crate) editable: FxHashMap<usize, u32>,
    /// Why the others stay as they are.
    pub(crate) reasons: FxHashMap<usize, String>,
    /// Where each function is mentioned.
    pub(crate) calls: FxHashMap<usize, Calls>,
}

const WAITS: &str = "it always waits for something";
const UNNAMED: &str = "it has no name of which this file knows all uses";

/// Chooses among the candidates; `unfit` could not be converted.
pub(crate) fn choose(
    sites: &Sites,
    facts: &mut Facts,
    scoping: &Scoping,
    unfit: &FxHashMap<usize, String>,
) -> Chosen {
    let mut chooser = Chooser::new(sites, facts, scoping);
    let mut chosen = Chosen::default();
    let mut open: Vec<usize> = Vec::new();
    for (&index, candidate) in &sites.candidates {
        let calls = chooser.calls(candidate);
        let awaited = calls.awaited;
        chosen.calls.insert(index, calls);
        let reason = chooser.against(index, candidate, awaited).map(str::to_owned);
        let reason = reason.or_else(|| {
            let is_method = matches!(candidate.binding, Binding::Method(_));
            let uses = &chooser.facts.functions[index].uses;
            (is_method && uses.super_).then(|| "it uses `super`".to_owned())
        });
        match unfit.get(&index).cloned().or(reason) {
            Some(reason) => drop(chosen.reasons.insert(index, reason)),
            None => open.push(index),
        }
    }
    order::sort(&mut open);
    chooser.hold(&open);
    let mut guarded = FxHashSet::default();
    for index in chooser.worthwhile(&open, &mut chosen) {
        let candidate = &sites.candidates[&index];
        if let Binding::Method(method) = &candidate.binding {
            // All methods of a name are called at the same places.
            if guarded.insert(&method.name) {
                let members = || sites.members.get(&method.name).into_iter().flatten();
                chosen.fast.extend(members().filter(|it| sites.at_once.contains(it)));
                chosen.guarded.extend(members().map(|it| (*it, Reaches::METHODS)));
            }
        }
        let uses = chooser.uses(candidate);
        match chooser.form(index, &uses) {
            Ok(form) => {
                let named = uses.iter().filter(|it| sites.at_once.contains(&it.start));
                let named: Vec<&Span> = named.filter(|_| !form.is_value()).collect();
                chosen.fast.extend(named.iter().map(|it| it.start));
                match &form {
                    Form::InPlace(_) => chosen.in_place.extend(named.iter().map(|it| it.start)),
                    Form::Beside(beside) => {
                        for it in named {
                            let Some(place) = sites.places.get(&it.start) else { continue };
                            let renamed = chosen.renamed.entry(place.function).or_default();
                            renamed.push((*it, beside.name.clone()));
                        }
                    }
                }
                chosen.forms.insert(index, form);
            }
            Err(reason) => drop(chosen.reasons.insert(index, reason.to_owned())),
        }
    }
    if !chooser.hides_reflect {
        let more = sites.guardable.iter().filter(|it| sites.at_once.contains(it.0));
        for (start, reaches) in more {
            let is_method = chosen.guarded.get(start).is_some_and(|it| it.methods);
            if chosen.fast.insert(*start) || is_method {
                let methods = is_method || reaches.methods;
                chosen.guarded.insert(*start, Reaches { methods, ..*reaches });
            }
        }
    }
    chosen.renamed.values_mut().for_each(|all| all.sort_unstable_by_key(|it| it.0.start));
    chosen
}

/// The function that a name means.
#[derive(Default)]
struct Holders {
    variables: FxHashMap<SymbolId, usize>,
    privates: FxHashMap<PrivateName, usize>,
    methods: FxHashMap<String, Vec<usize>>,
}

struct Chooser<'x> {
    sites: &'x Sites,
    facts: &'x mut Facts,
    scoping: &'x Scoping,
    holders: Holders,
    /// The uses of each private name.
    privates: FxHashMap<&'x PrivateName, Vec<&'x PrivateUse>>,
    /// By the name of a method, how often one is called.
    members: FxHashMap<&'x str, Calls>,
    /// Whether a variable hides the `Reflect` of the language.
    hides_reflect: bool,
}

impl<'x> Chooser<'x> {
    fn new(sites: &'x Sites, facts: &'x mut Facts, scoping: &'x Scoping) -> Self {
        let mut privates: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for it in &sites.privates {
            privates.entry(&it.name).or_default().push(it);
        }
        let calls = |all: &Vec<u32>| {
            let awaited = all.iter().filter(|it| sites.at_once.contains(it)).count();
            Calls { awaited, other: all.len() - awaited }
        };
        let members = sites.members.iter().map(|(name, all)| (name.as_str(), calls(all)));
        let hides_reflect =
            facts.names.contains("Reflect") && scoping.symbol_names().any(|it| it == "Reflect");
        Self {
            sites,
            scoping,
            holders: Holders::default(),
            privates,
            members: members.collect(),
            hides_reflect,
            facts,
        }
    }

    /// How often a function is mentioned, and how.
    fn calls(&self, it: &Candidate) -> Calls {
        if let Binding::Method(it) = &it.binding {
            return self.members.get(it.name.as_str()).copied().unwrap_or_default();
        }
        let uses = self.uses(it);
        let awaited = uses.iter().filter(|it| self.sites.at_once.contains(&it.start)).count();
        Calls { awaited, other: uses.len() - awaited }
    }

    /// Where a function is mentioned that is no public method.
    fn uses(&self, it: &Candidate) -> Vec<Span> {
        match &it.binding {
            Binding::Declaration(symbol) | Binding::Declarator { symbol, .. } => {
                self.facts.mentions(*symbol).map(|it| it.span).collect()
            }
            Binding::Private { name, .. } => {
                self.privates.get(name).into_iter().flatten().map(|it| it.span).collect()
            }
            Binding::Method(_)
            | Binding::Value { .. }
            | Binding::Member { .. }
            | Binding::Other => Vec::new(),
        }
    }

    /// What forbids a fast form.
    fn against(&self, index: usize, it: &Candidate, awaited: usize) -> Option<&'static str> {
        if it.off.is_some() {
            return it.off;
        }
        if self.facts.cold.contains(&index) {
            return Some(COLD);
        }
        if self.facts.has_eval {
            return Some("the file calls `eval`, which may do anything to its names");
        }
        if self.shows_itself(index) {
            return Some("it uses its own name for more than calls that it awaits at once");
        }
        match &it.binding {
            Binding::Other => return Some(UNNAMED),
            Binding::Value { name } => return self.against_value(index, name),
            Binding::Member { name, .. } => return self.against_member(index, name),
            Binding::Private { name, .. } => {
                let mut uses = self.privates.get(name).into_iter().flatten();
                if uses.any(|it| !it.called) {
                    return Some("it is used as a value, and so may be called on anything");
                }
            }
            Binding::Method(_) if self.hides_reflect => {
                return Some("the file has a `Reflect` of its own");
            }
            Binding::Method(it) if it.name == "then" => {
                return Some("it makes its object a thenable");
            }
            Binding::Method(_) => {
                let reason = "no call of a method of this name is awaited at once in this file";
                return self.against_unreached(index, awaited, reason);
            }
            Binding::Declaration(symbol) | Binding::Declarator { symbol, .. } => {
                let reason = self.against_variable(*symbol);
                if reason.is_some() {
                    return reason;
                }
            }
        }
        self.against_unreached(index, awaited, "nothing in this file awaits its result at once")
    }

    /// `reason`, where nothing reaches a function; that it always waits, where no caller could change that.
    fn against_unreached(
        &self,
        index: usize,
        awaited: usize,
        reason: &'static str,
    ) -> Option<&'static str> {
        if awaited > 0 || self.is_reached_by_others(index) {
            return None;
        }
        let passes = |it: &Awaited| !matches!(it, Awaited::Operation);
        let can_end = self.sites.candidates[&index].path.can_end(&passes);
        Some(if can_end { reason } else { WAITS })
    }

    fn against_value(&self, index: usize, name: &Naming) -> Option<&'static str> {
        if !self.is_reached_by_others(index) {
            return Some(UNNAMED);
        }
        // What `this` is in a property that is a function, only the place of that says.
        let it = &self.facts.functions[index];
        let is_of_place = self.facts.keeps_types && it.uses.this && !it.is_arrow;
        if is_of_place || !self.may_stand_twice(index) {
            return Some(UNTYPED);
        }
        (*name == Naming::Unknown)
            .then_some("it is named after something that its place only hints at")
    }

    fn against_member(&self, index: usize, name: &str) -> Option<&'static str> {
        if !self.is_reached_by_others(index) {
            return Some(UNNAMED);
        }
        if self.facts.functions[index].uses.super_ {
            return Some("it uses `super`");
        }
        (name == "then").then_some("it makes its object a thenable")
    }

    /// Whether a function may say once more what type it has, where types are to be kept.
    fn may_stand_twice(&self, index: usize) -> bool {
        !self.facts.keeps_types || self.facts.functions[index].span.size() <= LONG
    }

    /// Whether calls that the file does not know by a name may reach a function.
    fn is_reached_by_others(&self, index: usize) -> bool {
        self.facts.known.reached.contains(&self.facts.functions[index].span.start)
    }

    /// Whether a function expression does with its own name what has to see a promise, or itself.
    fn shows_itself(&self, index: usize) -> bool {
        let own = self.facts.owned.get(&index).into_iter().flatten();
        own.filter(|it| self.scoping.symbol_flags(**it).contains(SymbolFlags::FunctionExpression))
            .flat_map(|it| self.facts.mentions(*it))
            .any(|it| !self.sites.at_once.contains(&it.span.start))
    }

    fn against_variable(&self, symbol: SymbolId) -> Option<&'static str> {
        let name = self.scoping.symbol_name(symbol);
        if self.scoping.symbol_is_mutated(symbol) || self.facts.leaking.contains(name) {
            return Some("its name is assigned to");
        }
        if !self.scoping.symbol_redeclarations(symbol).is_empty() {
            return Some(if self.facts.typescript {
                "its name is declared more than once, as overloads do"
            } else {
                "its name is declared more than once"
            });
        }
        if self.facts.may_mean_another(self.scoping, symbol) {
            return Some("a namespace mentions its name, which may mean another there");
        }
        let flags = self.scoping.symbol_flags(symbol);
        let is_shared = flags
            .intersects(SymbolFlags::Function | SymbolFlags::FunctionScopedVariable)
            && is_root(self.scoping, symbol);
        if is_shared && self.sites.shares_globals {
            return Some("it may be a global of a script, which other scripts may assign to");
        }
        let scope = self.scoping.scope_flags(self.scoping.symbol_scope_id(symbol));
        let in_block = !(scope.is_function() || scope.is_top());
        if flags.contains(SymbolFlags::Function) && in_block && !scope.is_strict_mode() {
            return Some("a function declared in a block of sloppy code");
        }
        None
    }

    fn hold(&mut self, open: &[usize]) {
        for &index in open {
            match &self.sites.candidates[&index].binding {
                Binding::Declaration(symbol) | Binding::Declarator { symbol, .. } => {
                    self.holders.variables.insert(*symbol, index);
                }
                Binding::Private { name, .. } => {
                    self.holders.privates.insert(name.clone(), index);
                }
                Binding::Method(it) => {
                    self.holders.methods.entry(it.name.clone()).or_default().push(index);
                }
                Binding::Value { .. } | Binding::Member { .. } | Binding::Other => {}
            }
        }
    }

    /// Those that can end without waiting, taking it that those that they await can.
    fn worthwhile(&self, open: &[usize], chosen: &mut Chosen) -> Vec<usize> {
        let mut left: Vec<usize> = open.to_vec();
        loop {
            let is_left = |index: &usize| left.binary_search(index).is_ok();
            let may_end = |index: &usize| is_left(index) || self.facts.functions[*index].asks;
            let names = self.holders.methods.iter().filter(|(_, all)| all.iter().any(may_end));
            let names: FxHashSet<&str> = names.map(|it| it.0.as_str()).collect();
            let reached: FxHashSet<&str> =
                names.iter().copied().filter(|it| self.is_method_reached(it, &left)).collect();
            let passes = |it: &Awaited| match it {
                Awaited::Variable(symbol) => match self.holders.variables.get(symbol) {
                    Some(index) => may_end(index),
                    None => {
                        self.scoping.symbol_flags(*symbol).contains(SymbolFlags::Function)
                            || self.sites.guardable_variables.contains(symbol)
                    }
                },
                Awaited::Private(name) => {
                    let index = self.holders.privates.get(name);
                    index.is_some_and(may_end)
                }
                Awaited::Member(name) => {
                    names.contains(name.as_str()) || self.sites.guardable_members.contains(name)
                }
                Awaited::Passed => true,
                Awaited::Operation => false,
            };
            let ends = |index: &usize| self.sites.candidates[index].path.can_end(&passes);
            let (next, out): (Vec<usize>, Vec<usize>) = left
                .iter()
                .partition(|index| ends(index) && self.is_reached(**index, &left, &reached));
            for index in &out {
                let reason = if ends(index) {
                    "who awaits it at once has not waited for anything before"
                } else {
                    WAITS
                };
                chosen.reasons.insert(*index, reason.to_owned());
            }
            if out.is_empty() {
                for (&index, it) in &self.sites.candidates {
                    let least_loops = u32::from(!it.path.can_end(&passes));
                    if it.off.is_none() && self.may_run_fast(Some(index)) {
                        chosen.editable.insert(index, least_loops);
                    }
                }
                return next;
            }
            left = next;
        }
    }

    /// Whether a function may run fast functions once it has waited.
    fn may_run_fast(&self, function: Option<usize>) -> bool {
        let is_cold = function.is_some_and(|it| self.facts.cold.contains(&it));
        let in_blocks = |all: &FxHashSet<usize>| function.is_some_and(|it| all.contains(&it));
        !is_cold && self.sites.blocks.as_ref().is_none_or(in_blocks)
    }

    /// Whether some call of it may come from what has waited, or from a fast function of those `left`; `methods`: the
    /// names of methods of which that is so.
    fn is_reached(&self, index: usize, left: &[usize], methods: &FxHashSet<&str>) -> bool {
        if self.is_reached_by_others(index) {
            return true;
        }
        let candidate = &self.sites.candidates[&index];
        if let Binding::Method(it) = &candidate.binding {
            return methods.contains(it.name.as_str());
        }
        self.is_any_reached(self.uses(candidate).iter().map(|it| it.start), left)
    }

    fn is_method_reached(&self, name: &str, left: &[usize]) -> bool {
        self.is_any_reached(self.sites.members.get(name).into_iter().flatten().copied(), left)
    }

    fn is_any_reached(&self, mut uses: impl Iterator<Item = u32>, left: &[usize]) -> bool {
        uses.any(|it| {
            let place = self.sites.places.get(&it).filter(|_| self.sites.at_once.contains(&it));
            place.is_some_and(|place| {
                let is_fast = |it: usize| left.binary_search(&it).is_ok();
                (place.waited != Waited::Never && self.may_run_fast(place.function))
                    || place.function.is_some_and(is_fast)
            })
        })
    }

    fn form(&mut self, index: usize, uses: &[Span]) -> Result<Form, &'static str> {
        let it = &self.sites.candidates[&index];
        let is_value = self.is_reached_by_others(index);
        let all_fast = uses.iter().all(|it| {
            let place = self.sites.places.get(&it.start);
            let has_waited = place
                .is_some_and(|it| it.waited == Waited::Surely && self.may_run_fast(it.function));
            has_waited && self.sites.at_once.contains(&it.start)
        });
        let all_fast = all_fast && !self.facts.keeps_text(index);
        match &it.binding {
            Binding::Private { name, element, key, is_static } => {
                let is_static = *is_static;
                if all_fast {
                    return Ok(Form::InPlace(Home::Private { is_static }));
                }
                let base = &name.1;
                let name = format!("#{}", self.facts.fresh(&format!("{base}$fast")));
                let place = Place::Private { element: *element, key: *key, is_static };
                let is_held = false;
                Ok(Form::Beside(Beside { name, method: base.clone(), place, is_held }))
            }
            Binding::Method(it) => {
                let name = self.facts.fresh_global(&format!("{}$fast", it.name));
                let place = Place::Block { class: it.class, is_static: it.is_static };
                let is_held = false;
                Ok(Form::Beside(Beside { name, method: it.name.clone(), place, is_held }))
            }
            Binding::Declaration(symbol) | Binding::Declarator { symbol, .. } => {
                if all_fast && !uses.is_empty() && !self.sites.exported.contains(symbol) {
                    return Ok(Form::InPlace(Home::Elsewhere));
                }
                if !is_root(self.scoping, *symbol) {
                    let is_declarator = matches!(&it.binding, Binding::Declarator { .. });
                    let name = Naming::after(self.scoping.symbol_name(*symbol));
                    if let (Naming::Name(method), true) =
                        (name, is_value && is_declarator && self.may_stand_twice(index))
                    {
                        let (name, place) = (String::new(), Place::Value);
                        return Ok(Form::Beside(Beside { name, method, place, is_held: true }));
                    }
                    if is_value && !is_declarator {
                        let method = self.scoping.symbol_name(*symbol).to_owned();
                        let name = self.facts.fresh_global(&format!("{method}$fast"));
                        let place = Place::Inner(self.scoping.symbol_span(*symbol));
                        return Ok(Form::Beside(Beside { name, method, place, is_held: true }));
                    }
                    return Err(
                        "it belongs to a function, and some of its callers see its promise, or have not waited yet",
                    );
                }
                let place = match &it.binding {
                    Binding::Declarator { declarator, .. } => Place::Declarator(*declarator),
                    _ => Place::Declaration(self.scoping.symbol_span(*symbol)),
                };
                if matches!(place, Place::Declarator(it) if it.export == Export::Later) {
                    return Err("it is exported together with others");
                }
                let base = self.scoping.symbol_name(*symbol);
                let name = self.facts.fresh_global(&format!("{base}$fast"));
                let method = base.to_owned();
                Ok(Form::Beside(Beside { name, method, place, is_held: is_value }))
            }
            Binding::Value { name } => {
                let method = match name {
                    Naming::Name(name) => name.clone(),
                    _ => String::new(),
                };
                let (name, place) = (String::new(), Place::Value);
                Ok(Form::Beside(Beside { name, method, place, is_held: true }))
            }
            Binding::Member { name: method, literal } => {
                let (name, place) = (String::new(), Place::Member { literal: *literal });
                let method = method.clone();
                Ok(Form::Beside(Beside { name, method, place, is_held: true }))
            }
            Binding::Other => Err(UNNAMED),
        }
    }
}
