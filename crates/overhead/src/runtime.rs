//! The few functions that generated code needs, put at the top of a file that needs them.
//!
//! They are `function`s and `var`s, so that code which runs before the file's own (modules that
//! import one another in a cycle) finds them: without fuel, and with every array iterated as any
//! iterable is, until the file itself has run.
//!
//! They mention hardly any name of the language: a file may have a `Promise`, an `Array` or a `TypeError`
//! of its own, and programs replace the global ones while they run. What the language itself goes on
//! using is had from literals, from async functions and from what the engine throws.

mod depths;
mod held;
mod intrinsics;
mod items;
mod looks;
mod names;
mod picks;

use oxc_semantic::{Scoping, SymbolFlags};

use crate::facts::Facts;
use crate::results::ResultNames;
use crate::rope::Rope;
use names::Names;
pub(crate) use names::{Items, Turn};

/// How many variables the helpers hand over that call a twin.
pub(crate) const MOST_HANDED: usize = 6;

/// The names of the helpers, and which of them are needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runtime {
    names: Names,
    /// How the file can name what iteration goes by.
    symbol: &'static str,
    /// How it can name what is thrown when a variable is used too early.
    reference_error: &'static str,
    refusal: Option<&'static str>,
    uses_hold: bool,
    uses_depth: bool,
    uses_turn: bool,
    uses_items: bool,
    uses_reject: bool,
    uses_early: bool,
    uses_given: bool,
    uses_own: bool,
    uses_never: bool,
    uses_call: bool,
    uses_returned: bool,
    uses_guarded: bool,
    uses_awaited: bool,
    uses_other: bool,
    uses_via: bool,
    uses_plain: bool,
    uses_pick: bool,
    uses_miss: bool,
    uses_noted: bool,
    uses_checked: bool,
    uses_adopted: bool,
    uses_taken: bool,
    uses_over: bool,
    uses_over_at: bool,
    uses_last: bool,
    uses_of: bool,
    /// Whether something asks a function for its fast one.
    pub(crate) uses_held: bool,
    /// Whether something asks one for what it calls on an object.
    pub(crate) uses_applied: bool,
    /// Whether methods hold their fast ones themselves, since objects may be proxies.
    has_proxies: bool,
    /// Whether the file has a `globalThis` of its own.
    hides_global: bool,
    uses_stamp: bool,
    uses_mark: bool,
    uses_members: bool,
    uses_install: bool,
    /// The variables with the symbols under which objects hold fast methods, and the names of these.
    pub(crate) member_keys: Vec<(String, String)>,
    /// Whether the files of the program share one counter of how deep calls are.
    shares_depth: bool,
    /// The fast functions of methods, for which the file needs variables.
    stamped: Vec<String>,
    /// Variables that code at the top of the file needs.
    declared: Option<String>,
}

impl Runtime {
    /// With names that the file does not have.
    pub(crate) fn new(facts: &mut Facts, scoping: &Scoping) -> Self {
        let has_own = |name: &str| hides(scoping, name);
        let symbol = if has_own("Symbol") { "globalThis.Symbol" } else { "Symbol" };
        let reference_error =
            if has_own("ReferenceError") { "globalThis.ReferenceError" } else { "ReferenceError" };
        let refusal = refusal(scoping, facts);
        let has_proxies = facts.has_proxies();
        let mut names = Names::new(facts);
        let hides_global = has_own("globalThis");
        let shares_depth = facts.shares_depth && !hides_global;
        if shares_depth {
            names.turn.chain = format!("{}.chain", names.depth);
        }
        Self {
            names,
            symbol,
            reference_error,
            refusal,
            shares_depth,
            hides_global,
            has_proxies,
            ..Self::default()
        }
    }

    /// Why nothing in the file can be converted, if so.
    pub(crate) fn refusal(&self) -> Option<&'static str> {
        self.refusal
    }

    /// The function that makes of a value, and of what was read as its `then`, what `await` may read
    /// `then` of.
    pub(crate) fn hold(&mut self) -> String {
        self.uses_hold = true;
        self.names.hold.clone()
    }

    fn counter(&self) -> String {
        let depth = &self.names.depth;
        if self.shares_depth { format!("{depth}.depth") } else { depth.clone() }
    }

    /// How many calls of functions that call themselves are on the stack.
    pub(crate) fn depth(&mut self) -> String {
        self.uses_depth = true;
        self.counter()
    }

    /// What functions hand over by whose calls are too deep.
    pub(crate) fn turn(&mut self) -> Turn {
        self.uses_turn = true;
        self.names.turn.clone()
    }

    /// The function that makes a rejected promise.
    pub(crate) fn reject(&mut self) -> String {
        self.uses_reject = true;
        self.names.reject.clone()
    }

    /// The function that gives back what it gets, a function that is to be called without `this`.
    pub(crate) fn own(&mut self) -> String {
        self.uses_own = true;
        self.names.own.clone()
    }

    /// In TypeScript, the variable that is never true.
    pub(crate) fn never(&mut self) -> String {
        self.uses_never = true;
        self.names.never.clone()
    }

    /// What calls the first argument with the second one as `this`, and reads no property of what it calls: that may
    /// have a `call` of its own, or none. What cannot be called throws once all arguments are there, as it does
    /// in a call. It names nothing of the language, which a file may have of its own.
    pub(crate) fn caller(&self, typescript: bool) -> String {
        let base = self.callable(typescript);
        if typescript { format!("{base}.call") } else { format!("{base}.call.call") }
    }

    /// What has the `call` and the `apply` of the language.
    pub(crate) fn callable(&self, typescript: bool) -> String {
        let call = &self.names.call;
        if typescript { format!("{call}()") } else { call.clone() }
    }

    /// Notes whether some text uses it.
    pub(crate) fn note_call(&mut self, text: &Rope) {
        self.uses_call |= text.mentions(&self.names.call);
        self.uses_other |= text.mentions(&self.names.other);
        self.uses_via |= text.mentions(&self.names.via);
        self.uses_plain |= text.mentions(&self.names.plain);
        self.uses_held |= self.uses_plain;
        self.uses_pick |= text.mentions(&self.names.pick);
        self.uses_miss |= self.uses_pick || text.mentions(&self.names.miss);
        self.uses_noted |= text.mentions(&self.names.noted);
        self.uses_checked |= text.mentions(&self.names.checked);
        self.uses_adopted |= text.mentions(&self.names.adopted);
    }

    /// In TypeScript, the function that gives back what it gets, as what awaiting it gives.
    pub(crate) fn of(&mut self) -> String {
        self.uses_of = true;
        self.names.of.clone()
    }

    /// What is to be awaited of what a fast function gave, and of what was read as its `then`.
    pub(crate) fn taken(&mut self) -> String {
        self.uses_taken = true;
        self.names.taken.clone()
    }

    /// The function that calls a twin with a value and what was read as its `then`, and notes its promise; `numbered`: with
    /// the number of the site, too.
    pub(crate) fn over(&mut self, numbered: bool) -> String {
        self.uses_taken = true;
        let (uses, name) = if numbered {
            (&mut self.uses_over_at, &self.names.over_at)
        } else {
            (&mut self.uses_over, &self.names.over)
        };
        *uses = true;
        name.clone()
    }

    /// The same, where nothing was read.
    pub(crate) fn adopted(&mut self) -> String {
        self.uses_adopted = true;
        self.names.adopted.clone()
    }

    /// What calls the first argument with the second one as `this`, as [`Runtime::caller`] does, and notes what that gives as to be
    /// awaited, where a fast function may be called in its stead.
    pub(crate) fn other(&self) -> &str {
        &self.names.other
    }

    /// What makes a function that calls the one it gets so.
    pub(crate) fn via(&self) -> &str {
        &self.names.via
    }

    /// What gives the fast form of a function, or what calls it so.
    pub(crate) fn plain(&self) -> &str {
        &self.names.plain
    }

    /// What picks the object that a fast method is called on.
    pub(crate) fn pick(&self) -> &str {
        &self.names.pick
    }

    /// What notes a value so.
    pub(crate) fn noted(&self) -> &str {
        &self.names.noted
    }

    /// What makes sure, once it is called, that a value can be.
    pub(crate) fn checked(&self) -> &str {
        &self.names.checked
    }

    /// The variable with the promise that was given back last to be awaited.
    pub(crate) fn last(&mut self) -> String {
        self.uses_last = true;
        self.last_place()
    }

    fn last_place(&self) -> String {
        let Names { last, depth, .. } = &self.names;
        if self.shares_depth { format!("{depth}.last") } else { last.clone() }
    }

    /// What looks at the results of fast functions; `then` and `result` are variables of these.
    pub(crate) fn results(&self, then: &str, result: &str, is_raw: bool) -> ResultNames {
        let Names { returned, guarded, awaited, other, via, adopted, taken, .. } = &self.names;
        ResultNames {
            then: then.to_owned(),
            result: result.to_owned(),
            returned: returned.clone(),
            guarded: guarded.clone(),
            awaited: awaited.clone(),
            other: other.clone(),
            via: via.clone(),
            miss: self.names.miss.clone(),
            plain: self.names.plain.clone(),
            adopted: adopted.clone(),
            taken: taken.clone(),
            is_raw,
        }
    }

    /// Notes which of that a fast function uses.
    pub(crate) fn note_results(&mut self, fast: &Rope) {
        self.uses_returned |= fast.mentions(&self.names.returned);
        self.uses_guarded |= fast.mentions(&self.names.guarded);
        self.uses_awaited |= fast.mentions(&self.names.awaited);
        self.uses_taken |= fast.mentions(&self.names.taken);
    }

    /// The function that gives back a box that may not have its value yet, if it has; else what throws once it
    /// is read or, what is assigned being evaluated before, written.
    pub(crate) fn early(&mut self) -> String {
        self.uses_early = true;
        self.names.early.clone()
    }

    /// The function that gives back what an async function returned before it ever waited, so that who
    /// awaits that waits as many ticks as for a promise of it: what may be a thenable, as a promise.
    pub(crate) fn given(&mut self) -> String {
        self.uses_given = true;
        self.names.given.clone()
    }

    /// The function that gives the fast function that a function holds, if that uses no `this`.
    pub(crate) fn held(&self) -> String {
        self.names.held.clone()
    }

    /// The function that gives the fast function that a function holds, to be called on an object.
    pub(crate) fn applied(&self) -> String {
        self.names.applied.clone()
    }

    /// The function that gives the methods of a new object their fast ones, and gives it back.
    pub(crate) fn members(&mut self) -> String {
        self.uses_members = true;
        self.names.members.clone()
    }

    /// The function that puts beside a method the fast one that a variable, which is declared, is to hold.
    pub(crate) fn install(&mut self, variable: &str) -> String {
        self.stamped.push(variable.to_owned());
        self.uses_install = true;
        self.names.install.clone()
    }

    /// The function that gives a function its fast one.
    pub(crate) fn stamp_function(&mut self) -> String {
        self.uses_stamp = true;
        self.names.stamp.clone()
    }

    /// The function that gives a function made by an expression its fast one, and gives it back.
    pub(crate) fn mark(&mut self) -> String {
        self.uses_mark = true;
        self.names.mark.clone()
    }

    /// Declares variables for code at the top of the file.
    pub(crate) fn declare(&mut self, variables: &str) {
        self.declared = Some(variables.to_owned());
    }

    /// The functions that drive iterators.
    pub(crate) fn items(&mut self) -> Items {
        self.uses_items = true;
        self.names.items.clone()
    }

    /// The source text of what is needed, on one line.
    pub(crate) fn source(&self, typescript: bool) -> String {
        let mut text = self.untyped_source();
        if self.uses_call {
            let body = if typescript { "return $call.call;" } else { "" };
            text += &format!("function $call() {{ {body} }} ").replace("$call", &self.names.call);
        }
        if typescript { self.typed(text) } else { text }
    }

    fn untyped_source(&self) -> String {
        let mut text = self.intrinsics_source();
        if self.uses_hold {
            text += &self.hold_source();
        }
        if self.uses_items || self.needs_other() || self.uses_checked {
            text += &self.fail_source();
        }
        text += &self.results_source();
        let Names { early, own, .. } = &self.names;
        let reference_error = self.reference_error;
        let has_depth = self.uses_depth || self.notes_last() && self.shares_depth;
        if self.uses_store() || has_depth && self.shares_depth {
            text += &self.shared_source();
        }
        if has_depth {
            text += &self.depth_source();
        }
        if self.notes_last() && !self.shares_depth {
            text += &format!("var {}; ", self.names.last);
        }
        if self.uses_turn {
            text += &self.turn_source();
        }
        if let Some(declared) = &self.declared {
            text += &format!("var {declared}; ");
        }
        if self.uses_reject {
            text += &self.reject_source();
        }
        if self.uses_early {
            text += &format!(
                "function {early}(box, name) {{ if (\"v\" in box) return box; \
                 const fail = () => {{ throw new {reference_error}(\"Cannot access '\" + name + \"' before initialization\"); }}; \
                 return {{ get v() {{ return fail(); }}, set v(value) {{ \"v\" in box ? box.v = value : fail(); }} }}; }} "
            );
        }
        if self.uses_given {
            let Names { given, adopt, .. } = &self.names;
            text += &format!(
                "async function {adopt}(value) {{ return value; }} \
                 function {given}(value) {{ \
                 return typeof value === \"object\" && value !== null || typeof value === \"function\" ? {adopt}(value) : value; }} "
            );
        }
        if self.uses_never {
            text += &format!("var {}: any; ", self.names.never);
        }
        if self.uses_own {
            text += &format!("function {own}(value) {{ return value; }} ");
        }
        text += &self.held_source();
        text += &self.pick_source();
        if self.uses_items {
            text += &self.items_source();
        }
        text + &self.ready_source()
    }
}

/// Whether the top of a file has a variable of this name, behind which the global one cannot be seen.
fn hides(scoping: &Scoping, name: &str) -> bool {
    let own = scoping
        .symbol_ids()
        .find(|&it| scoping.symbol_name(it) == name && crate::facts::is_root(scoping, it));
    own.is_some_and(|it| {
        let types = SymbolFlags::TypeAlias | SymbolFlags::Interface;
        !types.contains(scoping.symbol_flags(it))
    })
}

/// Why the helpers cannot have what they need in a file, if so: it hides the names of the language, and
/// the way around them, too.
fn refusal(scoping: &Scoping, facts: &Facts) -> Option<&'static str> {
    let hidden = ["Symbol", "ReferenceError"].into_iter().any(|it| hides(scoping, it));
    // What stands at the top of a script may be a property of the global object.
    let around = facts.may_be_script || hides(scoping, "globalThis");
    (hidden && around).then_some("the file has a `Symbol` or a `ReferenceError` of its own")
}
