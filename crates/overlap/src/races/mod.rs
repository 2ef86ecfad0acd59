//! Where a function looks at something that others may change as well, waits, and then writes it as if it had stayed so: an
//! atomicity violation (paper 5, section 1; `docs/atomicity.md`).
//!
//! Purpose: pairs of a read and a write of one place with a suspend point between them, where the write depends on the
//! read, by its value or by whether it runs. Input: the instructions of one function. Output: at most one pair for each write.

mod outside;
mod shared;
mod slices;
mod worth;

use headstart_ir::{FileIr, FunctionId, Inst, InstId, Key, StmtKind};

use crate::unit::Scope;
use shared::{Place, Shared};
use slices::Slices;
use worth::{Written, written};

/// A read, a wait and a write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race {
    pub(crate) read: InstId,
    pub(crate) wait: InstId,
    pub(crate) write: InstId,
    pub(crate) depends: Depends,
}

/// How a write depends on a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Depends {
    /// Whether it runs at all: check-then-act.
    Runs,
    /// What it writes: a lost update.
    Value,
}

/// The races of a function.
pub(crate) fn races(scope: Scope<'_, '_>) -> Vec<Race> {
    let ir = scope.analysis.ir;
    let function = ir.function(scope.function);
    let all = || FileIr::range(function.first, function.end);
    let waits: Vec<InstId> = all().filter(|&it| ir.inst(it).is_suspend_point()).collect();
    let (Some(&first), false) = (waits.first(), function.has_dynamic_scope) else {
        return Vec::new();
    };
    let shared = Shared { scope };
    let is_late = |it: &InstId| *it > first;
    let written = |it: InstId| shared.written(it).map(|place| (it, place));
    let writes: Vec<(InstId, Place)> = all().filter_map(written).collect();
    let body = Body { scope, shared, slices: Slices::of(ir, function), waits, writes };
    let late = body.writes.iter().filter(|(it, _)| is_late(it));
    let mut found: Vec<Race> = late.filter_map(|(write, place)| body.race(*write, place)).collect();
    let calls = all().filter(|it| is_late(it) && is_call(ir.inst(*it)));
    found.extend(calls.filter_map(|it| body.race_outside(it)));
    // Hardly any function has one, and that looks through those around it.
    if !found.is_empty() && body.is_claimed() {
        found.clear();
    }
    found
}

/// What is known of one function.
struct Body<'a, 'p> {
    scope: Scope<'a, 'p>,
    shared: Shared<'a, 'p>,
    slices: Slices<'p>,
    waits: Vec<InstId>,
    writes: Vec<(InstId, Place)>,
}

impl Body<'_, '_> {
    fn ir(&self) -> &FileIr {
        self.scope.analysis.ir
    }

    /// The pair that a write is the end of.
    fn race(&self, write: InstId, place: &Place) -> Option<Race> {
        let controls = self.slices.controls(write);
        let reads = |of: &[InstId]| -> Vec<InstId> {
            let slice = self.slices.behind(of);
            slice.into_iter().filter(|&it| it < write && self.reads(it, place)).collect()
        };
        let tested = reads(&controls);
        let used: Vec<InstId> = self
            .slices
            .made_of(&self.slices.values(write))
            .into_iter()
            .filter(|&it| it < write && self.reads(it, place))
            .collect();
        let of = |read: InstId, depends| {
            if !self.matters((read, write), place, depends) {
                return None;
            }
            let wait = self.wait_between(read, write)?;
            let last =
                self.waits.iter().rev().find(|&&it| it < write && self.is_on_path(it, write));
            let is_asked_again = |&it: &InstId| last.is_some_and(|&last| it > last);
            let is_valid = tested.iter().any(is_asked_again);
            (!is_valid && !self.is_written_between(place, read, wait)).then_some(Race {
                read,
                wait,
                write,
                depends,
            })
        };
        let runs = tested.iter().rev().find_map(|&it| of(it, Depends::Runs));
        runs.or_else(|| used.iter().rev().find_map(|&it| of(it, Depends::Value)))
    }

    /// Whether it does harm that others come in between.
    fn matters(&self, (read, write): (InstId, InstId), place: &Place, depends: Depends) -> bool {
        let meets = match place.variable() {
            Some(var) => self.scope.may_meet(var),
            None => self.scope.is_of_one(),
        };
        if !meets {
            return false;
        }
        let is_updated = || {
            let made = self.slices.made_of(&self.slices.values(write));
            made.into_iter().any(|it| self.reads(it, place) && !self.is_choice(it))
        };
        match (written(self.ir(), write), depends) {
            (Written::Reset, _) => false,
            (Written::Note, _) => self.scope.makes(read, write),
            (Written::Value, Depends::Value) => !self.is_choice(read),
            (Written::Value, Depends::Runs) => {
                place.is_whole() || is_updated() || self.scope.makes(read, write)
            }
        }
    }

    /// Whether a value decides whether something else takes its place: `x || y`.
    fn is_choice(&self, value: InstId) -> bool {
        let ir = self.ir();
        self.slices
            .conditionals()
            .iter()
            .any(|&(at, _)| matches!(ir.inst(at), Inst::Conditional { test, .. } if test == value))
    }

    fn reads(&self, at: InstId, place: &Place) -> bool {
        self.shared.read(at).is_some_and(|it| it.is_same(self.ir(), place))
    }

    /// The first wait between a read and a write that a run with both of them comes by.
    fn wait_between(&self, read: InstId, write: InstId) -> Option<InstId> {
        let is_between = |it: &&InstId| **it > read && **it < write;
        let is_met = |it: &&InstId| self.is_on_path(**it, write) && self.is_on_path(read, **it);
        (self.is_on_path(read, write))
            .then(|| self.waits.iter().filter(is_between).find(is_met).copied())?
    }

    /// Whether code that has run may be followed by other code behind it: neither is it left in between in any case, nor
    /// do they stand in two branches of one statement.
    fn is_on_path(&self, at: InstId, then: InstId) -> bool {
        let ir = self.ir();
        let leaves = |&(from, end): &(InstId, InstId)| {
            from < at && at < end && end <= then && self.slices.leaves(at, end)
        };
        let holds = |block, it| ir.range_of_block(block).is_some_and(|(a, b)| a <= it && it < b);
        let is_other = |first, other| holds(first, at) && holds(other, then);
        let excludes = |kind: &StmtKind| match kind {
            StmtKind::If { then: yes, otherwise: Some(no) } => is_other(*yes, *no),
            StmtKind::Switch { cases } => {
                let of = |it| cases.iter().position(|&case| holds(case, it));
                matches!((of(at), of(then)), (Some(a), Some(b)) if a != b)
            }
            _ => false,
        };
        !self.slices.conditionals().iter().any(leaves)
            && !self
                .slices
                .stmts()
                .iter()
                .any(|it| it.first <= at && then < it.end && excludes(&it.kind))
    }

    /// Whether a place is written between a read and what waits behind it: whoever comes meanwhile sees that.
    fn is_written_between(&self, place: &Place, read: InstId, wait: InstId) -> bool {
        let is_between = |at: InstId| read < at && at < wait;
        self.writes.iter().any(|(at, it)| is_between(*at) && it.has_part(place))
    }

    /// Whether the function lets nobody in while it is under way: it leaves where something is set, and else sets that
    /// before it waits; or it takes a lock, or runs under one.
    fn is_claimed(&self) -> bool {
        let ir = self.ir();
        let is_claim = |(at, place): &(InstId, Place)| {
            !self.waits.iter().any(|it| it < at && self.is_on_path(*it, *at)) && {
                let controls = self.slices.controls(*at);
                self.slices.behind(&controls).iter().any(|&it| it < *at && self.reads(it, place))
            }
        };
        let function = ir.function(self.scope.function);
        let mut all = FileIr::range(function.first, function.end);
        self.writes.iter().any(is_claim)
            || all.any(|it| called(ir, it).is_some_and(locks))
            || is_under_lock(ir, self.scope.function)
    }
}

/// Whether a function, or one around it, is handed to what keeps others out.
fn is_under_lock(ir: &FileIr, function: FunctionId) -> bool {
    let mut inner = function;
    while let Some(parent) = ir.function(inner).parent {
        let around = ir.function(parent);
        let is_given = |call: InstId| {
            let (Inst::Call { args, .. } | Inst::CallMethod { args, .. }) = ir.inst(call) else {
                return false;
            };
            ir.args(args).iter().any(|&it| ir.inst(it) == Inst::Closure(inner))
                && called(ir, call).is_some_and(locks)
        };
        if FileIr::range(around.first, around.end).any(is_given) {
            return true;
        }
        inner = parent;
    }
    false
}

fn is_call(inst: Inst) -> bool {
    matches!(inst, Inst::Call { .. } | Inst::CallMethod { .. })
}

/// What a call calls, by its last name.
fn called(ir: &FileIr, call: InstId) -> Option<&str> {
    if let Some((_, name)) = ir.method_call(call) {
        return Some(name);
    }
    let Inst::Call { callee, .. } = ir.inst(call) else { return None };
    match ir.inst(callee) {
        Inst::LoadVar(var) => Some(ir.name(ir.variable(var).name)),
        Inst::LoadGlobal(name) => Some(ir.name(name)),
        Inst::Get { key, .. } => match key.get() {
            Key::Name(name) => Some(ir.name(name)),
            Key::Private(_) | Key::Computed(_) => None,
        },
        _ => None,
    }
}

/// Whether something is called as what keeps others out, or lets in one after the other.
fn locks(name: &str) -> bool {
    const WORDS: [&str; 11] = [
        "lock",
        "mutex",
        "exclusive",
        "atomic",
        "transaction",
        "acquire",
        "semaphore",
        "serial",
        "enqueue",
        "debounce",
        "throttle",
    ];
    let name = name.to_ascii_lowercase();
    WORDS.iter().any(|it| name.contains(it))
}
