//! What both printers know of a function.

use std::collections::HashMap;

use oxc_semantic::SymbolId;
use rustc_hash::FxHashSet;

use crate::carry::{Carry, Form};
use crate::depth::Limits;
use crate::facts::Facts;
use crate::facts::gives::{Gives, is_other};
use crate::plan::{Declare, Head, Node, Plan, Site, Target};
use crate::rope::{Rope, rope};
use crate::runtime::Runtime;

/// Names of variables in generated functions: none of the file's, the same in each function.
#[derive(Debug)]
pub(crate) struct Names {
    /// The number of the site where the twin takes over.
    pub(crate) at: String,
    /// The value awaited there.
    pub(crate) value: String,
    /// What was read as `then` of the value awaited last.
    pub(crate) then: String,
    /// The flag that keeps `finally` from running.
    pub(crate) flag: String,
    /// The rounds that may pass before others get their turn.
    pub(crate) fuel: String,
    /// The label behind which the fast function hands over.
    pub(crate) over: String,
    /// What a function that counts its calls returns.
    pub(crate) result: String,
    /// How deep such a call is.
    pub(crate) level: String,
    /// A method that is called, what it has of a fast one, and the object it is called on: in functions
    /// that stay as they are.
    pub(crate) method: String,
    pub(crate) found: String,
    pub(crate) holder: String,
    /// Whether the activation has waited: in those that stay, too.
    pub(crate) waited: String,
}

impl Names {
    pub(crate) fn new(facts: &mut Facts) -> Self {
        Self {
            at: facts.fresh("$at"),
            value: facts.fresh("$value"),
            then: facts.fresh("$then"),
            flag: facts.fresh("$over"),
            fuel: facts.fresh("$fuel"),
            over: facts.fresh("$rest"),
            result: facts.fresh("$result"),
            level: facts.fresh("$level"),
            method: facts.fresh("$method"),
            found: facts.fresh("$found"),
            holder: facts.fresh("$holder"),
            waited: facts.fresh("$waited"),
        }
    }
}

/// One function, as it is printed.
pub(crate) struct Shape<'x> {
    pub(crate) plan: &'x Plan,
    pub(crate) carry: &'x Carry,
    /// How each variable is declared.
    pub(crate) forms: &'x HashMap<SymbolId, Form>,
    /// The name of a variable in the function.
    pub(crate) name: &'x dyn Fn(SymbolId) -> String,
    pub(crate) names: &'x Names,
    /// The name of the twin.
    pub(crate) twin: &'x str,
    /// Whether the twin is called with `this`.
    pub(crate) this: bool,
    /// Of each site, whether it counts the rounds of loops.
    pub(crate) counts: &'x [bool],
    pub(crate) limits: Limits<'x>,
    /// In TypeScript, the function that types depend on which nothing says, if there are any.
    pub(crate) of: Option<String>,
    /// Where what is given back to be awaited is noted, if it is.
    pub(crate) last: Option<String>,
    /// Whether a helper may call the twin, and note that: types would not follow from its result.
    pub(crate) by_helper: bool,
    /// Whether no tick may be taken away: the fast function hands over at the first await it meets.
    pub(crate) exact: bool,
}

impl Shape<'_> {
    /// The name of what a site assigns to.
    pub(crate) fn target(&self, site: &Site) -> String {
        match site.target {
            Target::Temp(index) => self.plan.temps[index].clone(),
            Target::Variable(symbol) => (self.name)(symbol),
        }
    }

    /// The call of the twin with these arguments.
    pub(crate) fn call(&self, arguments: &[String]) -> Rope {
        let (call, this) = match (self.this, arguments.is_empty()) {
            (true, true) => (".call", "this"),
            (true, false) => (".call", "this, "),
            (false, _) => ("", ""),
        };
        rope![self.twin, call, "(", this, arguments.join(", "), ")"]
    }

    /// The names of all that the twin gets beside the number of the site and the value.
    pub(crate) fn carried(&self) -> impl Iterator<Item = &str> {
        let params = self.carry.params.iter().map(|(_, name)| name.as_str());
        params.chain(self.carry.temps.iter().map(|&it| self.plan.temps[it].as_str()))
    }

    /// Whether the function counts rounds.
    pub(crate) fn has_fuel(&self) -> bool {
        let sites = self.plan.sites.iter().zip(self.counts);
        sites.into_iter().any(|(site, counts)| *counts && own_counter(site).is_none())
    }

    pub(crate) fn form(&self, symbol: SymbolId) -> Form {
        self.forms.get(&symbol).cloned().unwrap_or(Form::Function)
    }

    /// The name under which the twin gets a variable, if it does.
    pub(crate) fn param(&self, symbol: SymbolId) -> Option<&str> {
        let params = &self.carry.params;
        params.iter().find(|it| it.0 == symbol).map(|it| it.1.as_str())
    }

    /// Whether the twin stands in the function and has this variable in common with it.
    pub(crate) fn is_common(&self, symbol: SymbolId) -> bool {
        self.carry.common.contains(&symbol)
    }

    /// Whether the twin has a variable from the start: handed over, or in common.
    pub(crate) fn is_there(&self, symbol: SymbolId) -> bool {
        self.param(symbol).is_some() || self.is_common(symbol)
    }

    /// The part of a test that counts a round, and is true after so many, a power of two.
    pub(crate) fn count(&self, site: usize, rounds: u32) -> String {
        if !self.counts[site] {
            return String::new();
        }
        match own_counter(&self.plan.sites[site]) {
            Some(symbol) => {
                let last = rounds - 1;
                format!(" || ({} & {last}) === {last}", (self.name)(symbol))
            }
            None => format!(" || --{} < 0", self.names.fuel),
        }
    }

    /// The variables whose declarations become assignments when the function hands over in one
    /// place: those that are handed over, and what is declared together with them.
    pub(crate) fn hoisted(&self) -> FxHashSet<SymbolId> {
        let mut hoisted = FxHashSet::default();
        let carried = |it: &SymbolId| self.is_there(*it);
        let whole = |symbols: &[SymbolId]| {
            symbols.iter().all(|it| self.form(*it) == Form::Function) && symbols.iter().any(carried)
        };
        crate::plan::visit(&self.plan.body, &mut |node| match node {
            Node::Declare(it) if it.keyword != "class" && whole(&it.symbols) => {
                hoisted.extend(&it.symbols)
            }
            Node::Site(index) => match self.plan.sites[*index].target {
                Target::Variable(symbol) if whole(&[symbol]) => hoisted.extend([symbol]),
                _ => {}
            },
            Node::Loop(it) => {
                if let Head::For { declares, .. } = &it.head {
                    let all: Vec<SymbolId> = symbols(declares).collect();
                    if whole(&all) {
                        hoisted.extend(all);
                    }
                }
            }
            _ => {}
        });
        hoisted
    }
}

/// The variable that counts the rounds of the only loop around a site, if there is one. The rounds of
/// a loop in another may be too few ever to count.
fn own_counter(site: &Site) -> Option<SymbolId> {
    match &site.loops[..] {
        [only] => only.counter,
        _ => None,
    }
}

/// All variables that some declarators declare.
pub(crate) fn symbols(declares: &[Declare]) -> impl Iterator<Item = SymbolId> {
    declares.iter().flat_map(|it| it.symbols.iter().copied())
}

/// `(then = value?.then)`, what stands in front of the value and what behind: whether something may
/// have to be waited for.
///
/// This stands at each await, so that each has its own inline cache: in a function that all share, V8
/// soon knows too many kinds of objects to read `then` of. It is as short as can be: values with a
/// `then` that cannot be called are told apart by the helper that says what to await, and wait a tick.
/// `then` is read once: what was read goes on to that helper.
pub(crate) fn check(names: &Names) -> [String; 2] {
    [format!("({} = ", names.then), "?.then)".to_owned()]
}

/// The test whether a value may have to be waited for, which first asks whether it is of the type that it is likely to be of.
/// `again`: the name of what holds it then.
pub(crate) fn looks(names: &Names, gives: Gives, value: &Rope, again: &str) -> Rope {
    let [before, behind] = check(names);
    match gives {
        Some(name) => rope![is_other(name, value, again), " && ", before, again, behind],
        None => rope![before, value, behind],
    }
}

/// The call of the helper that makes of a value, and of what was read as its `then`, what to await.
pub(crate) fn hold(runtime: &mut Runtime, names: &Names, value: &str, is_raw: bool) -> String {
    let helper = if is_raw { runtime.taken() } else { runtime.hold() };
    format!("{helper}({value}, {})", names.then)
}
