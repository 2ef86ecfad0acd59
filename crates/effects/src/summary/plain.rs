//! Values that nobody knows, where the program uses them as text, numbers or lists: `name.trim()`.
//!
//! Of what comes from outside nobody knows which methods it has; an object of the program that is turned
//! into text runs a method of its own. Who reads `this.subject.slice(0, 8)` takes it for what it is written
//! like. Findings that rest on that say so, once for all of it, and are `likely` at best.

use headstart_callgraph::{
    AbstractObject, Callees, Cause, FunctionRef, InstRef, Modelled, PathKey,
};
use headstart_ir::{Inst, InstId, Key};

use super::compute::Computation;
use super::order::When;
use super::row::arguments;
use super::{Assumed, Summaries};

/// Methods of strings, numbers, dates, regular expressions and lists that only look (ECMA-262, 21 to 23), and
/// that hardly anything else has under the same name.
const LOOKING: [&str; 61] = [
    "at",
    "charAt",
    "charCodeAt",
    "codePointAt",
    "concat",
    "endsWith",
    "entries",
    "every",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flat",
    "flatMap",
    "forEach",
    "getTime",
    "includes",
    "indexOf",
    "isWellFormed",
    "join",
    "keys",
    "lastIndexOf",
    "localeCompare",
    "map",
    "match",
    "matchAll",
    "normalize",
    "padEnd",
    "padStart",
    "reduce",
    "reduceRight",
    "repeat",
    "replace",
    "replaceAll",
    "slice",
    "some",
    "split",
    "startsWith",
    "substr",
    "substring",
    "test",
    "toFixed",
    "toISOString",
    "toLocaleLowerCase",
    "toLocaleString",
    "toLocaleUpperCase",
    "toLowerCase",
    "toPrecision",
    "toReversed",
    "toSorted",
    "toSpliced",
    "toString",
    "toUpperCase",
    "toWellFormed",
    "trim",
    "trimEnd",
    "trimStart",
    "valueOf",
    "values",
    "with",
];

/// Methods of lists that change them (ECMA-262, 23.1.3).
const CHANGING: [&str; 9] =
    ["copyWithin", "fill", "pop", "push", "reverse", "shift", "sort", "splice", "unshift"];

/// Methods of lists and strings that make a new list.
const MAKING: [&str; 9] =
    ["concat", "filter", "flat", "flatMap", "map", "slice", "split", "toReversed", "toSorted"];

/// Those that call the function that they are handed, and need one.
pub(super) const NEED_A_FUNCTION: [&str; 12] = [
    "every",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flatMap",
    "forEach",
    "map",
    "reduce",
    "reduceRight",
    "some",
];

/// Those that call one, and do without.
const TAKE_A_FUNCTION: [&str; 3] = ["replace", "replaceAll", "sort"];

/// Those that stores and queues have as well, where something waits for them.
const AMBIGUOUS: [&str; 12] = [
    "at", "entries", "fill", "find", "keys", "match", "pop", "push", "shift", "splice", "values",
    "with",
];

/// The methods that turn an object into text, a number, or what is sent (ECMA-262, 7.1.1, 25.5.2).
const TURNING: [&str; 5] = ["toString", "valueOf", "toJSON", "toISOString", "toLocaleString"];

impl Computation<'_, '_> {
    /// Whether a call of code that nobody knows is written like a method of text, a number or a list, and
    /// all that it is handed to call is known.
    pub(super) fn is_plain_method(&self, id: InstId, callees: &Callees<'_>) -> bool {
        let Inst::CallMethod { method, args, .. } = self.ir.inst(id) else { return false };
        let is_top = |it: &Modelled<'_>| it.call.is_none() && it.native.is_none();
        let Some(name) = self.plain_name(method) else { return false };
        let may_be_called = |arg: InstId| {
            let at = self.roots.at(arg);
            !matches!(self.ir.inst(arg), Inst::Closure(_)) && self.roots.all.graph.is_unknown(at)
        };
        let args = self.ir.args(args);
        let is_other = AMBIGUOUS.contains(&name) && self.roots.all.is_waited(self.roots.at(id))
            || (NEED_A_FUNCTION.contains(&name) || TAKE_A_FUNCTION.contains(&name))
                && args.iter().any(|&it| may_be_called(it))
            || args.iter().any(|&it| matches!(self.ir.inst(it), Inst::Spread(_)));
        let is_anything =
            callees.unknown.iter().any(|it| matches!(it, Cause::Opaque | Cause::Displaced))
                || callees.modelled.iter().any(is_top);
        callees.obstacle().is_some() && !is_anything && !is_other
    }

    /// A call that does what methods of text, numbers and lists do under its name, if it is on one.
    pub(super) fn plain_method(&mut self, id: InstId, when: When) {
        let Inst::CallMethod { object, method, .. } = self.ir.inst(id) else { return };
        let is_change = self.plain_name(method).is_some_and(|it| CHANGING.contains(&it));
        if !is_change {
            self.read_below(object, PathKey::ANY, when);
        } else if self.roots.is_local || !self.is_own_list(object) {
            self.write_below(object, PathKey::ANY, when);
        }
        self.taken_as_plain(id);
    }

    /// Whether a value is a list that this call of the function makes of what nobody knows: `data.map(f)`, if
    /// that is a list. Nobody outside has seen it when it is changed.
    fn is_own_list(&self, value: InstId) -> bool {
        self.roots.made_by(value).is_some_and(|made| {
            let at = self.roots.at(made);
            let Inst::CallMethod { method, .. } = self.ir.inst(made) else { return false };
            self.plain_name(method).is_some_and(|it| MAKING.contains(&it))
                && self.roots.all.graph.function_at(at) == self.roots.function
                && self.is_plain_method(made, self.roots.all.callees(at))
        })
    }

    /// Whether a function may do anything that is only run where a value is turned into text, or, by `is_of_many`,
    /// where one is taken apart that may be very many things.
    pub(super) fn is_turning(
        &self,
        function: FunctionRef,
        is_of_many: impl FnOnce() -> bool,
    ) -> bool {
        let ir = self.roots.all.graph.files()[function.file as usize];
        let name = ir.function(function.function).name;
        self.roots.all.of(function).is_anything()
            && (name.is_some_and(|it| TURNING.contains(&ir.name(it))) || is_of_many())
    }

    /// An instruction may do anything, and does not if values are what they are used as.
    pub(super) fn taken_as_plain(&mut self, id: InstId) {
        let plain = Some(self.roots.at(id));
        self.anything_but(id, Some(Assumed { plain, ..Assumed::default() }));
    }

    /// The name of a method of text, numbers or lists that a callee has.
    fn plain_name(&self, method: InstId) -> Option<&str> {
        let Inst::Get { key, .. } = self.ir.inst(method) else { return None };
        let Key::Name(name) = key.get() else { return None };
        let name = self.ir.name(name);
        (LOOKING.contains(&name) || CHANGING.contains(&name)).then_some(name)
    }
}

/// Whether nobody knows something since it may be very many things.
pub(super) fn is_many(cause: &Cause<'_>) -> bool {
    matches!(cause, Cause::TooMany | Cause::Narrowed)
}

impl Summaries<'_> {
    /// Whether a call is one of a known function of the language or a package, which may be given very many
    /// things, and what it runs of those is all that nobody knows.
    pub(super) fn is_implied(&self, call: InstRef, callees: &Callees<'_>) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let (Inst::Call { callee, .. }
        | Inst::New { callee, .. }
        | Inst::CallMethod { method: callee, .. }) = ir.inst(call.inst)
        else {
            return false;
        };
        let args = arguments(ir.inst(call.inst)).map(|it| ir.args(it)).unwrap_or_default();
        // What it is handed to call is known.
        let is_known = |position: usize| {
            args.get(position).is_none_or(|&arg| {
                let at = InstRef { file: call.file, inst: arg };
                matches!(ir.inst(arg), Inst::Closure(_)) || !self.graph.may_be_function(at)
            })
        };
        let is_plain = |it: &Modelled<'_>| {
            self.is_turning_method(it)
                || it.call.is_some_and(|row| row.callbacks.iter().all(|it| is_known(it.argument)))
        };
        let callee = InstRef { file: call.file, inst: callee };
        !callees.unknown.is_empty()
            && callees.unknown.iter().all(is_many)
            && callees.functions.is_empty()
            && !callees.modelled.is_empty()
            && callees.modelled.iter().all(is_plain)
            && !self.graph.objects(callee).contains(&AbstractObject::Unknown)
    }

    /// Whether a member is what objects of the language have to become text, a number or what is sent.
    pub(super) fn is_turning_method(&self, member: &Modelled<'_>) -> bool {
        let name = || self.graph.name(member);
        member.module == "ecmascript"
            && name().rsplit('.').next().is_some_and(|it| TURNING.contains(&it))
    }
}
