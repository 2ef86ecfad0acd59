//! Calls of which runs of the program have shown what they touch.
//!
//! A call that was seen to read, and to do nothing else, counts as one that is written like a read: findings that
//! rest on that are `likely`, and say how often it was seen. One that was seen to write is no read, whatever it is called.

use std::cell::RefCell;
use std::rc::Rc;

use headstart_callgraph::{CallGraph, FunctionRef, InstRef};
use headstart_ir::{FileIr, Inst};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Summaries;
use super::names::is_write_name;
use super::readers::{callee_name, calls_behind};
use crate::sights::{SeenTo, Sight, Sights};

impl Summaries<'_> {
    /// What was seen of the `await` that a call stands in.
    #[must_use]
    pub fn sight(&self, call: InstRef) -> Option<&Sight> {
        self.sights.get(self.seen.get(&call)?)
    }

    /// Whether a call was seen to change something.
    pub(crate) fn is_seen_to_write(&self, call: InstRef) -> bool {
        self.sight(call).is_some_and(|it| it.does == SeenTo::Write)
    }

    /// Whether a call was seen to touch nothing.
    #[must_use]
    pub fn was_seen_to_touch_nothing(&self, call: InstRef) -> bool {
        self.sight(call).is_some_and(|it| it.does == SeenTo::Nothing)
    }

    /// Whether only runs have shown that a call reads: its name does not say so.
    #[must_use]
    pub fn is_read_by_runs_alone(&self, call: InstRef) -> bool {
        self.is_seen_to_read(call) && !self.by_name.contains(&call)
    }

    /// Whether a call was seen to read something, and to do nothing else, and is told nothing that has an order.
    pub(crate) fn is_seen_to_read(&self, call: InstRef) -> bool {
        self.seen_to_read.contains(&call)
    }
}

/// The calls that awaits wait for, each with the await. All of a list is seen at once, so a write may be of any: it is
/// said of none of them.
pub(super) fn seen_calls(files: &[&FileIr], sights: &Sights) -> FxHashMap<InstRef, InstRef> {
    let mut found = FxHashMap::default();
    for (&at, sight) in sights {
        let Some(ir) = files.get(at.file as usize) else { continue };
        let Inst::Await(value) = ir.inst(at.inst) else { continue };
        let behind = calls_behind(ir, value);
        if behind.is_chain || matches!(sight.does, SeenTo::Read | SeenTo::Nothing) {
            found.extend(behind.calls.into_iter().map(|inst| (InstRef { inst, ..at }, at)));
        }
    }
    found
}

/// The most functions that are looked at for one call: of one that leads to more nobody says that all was seen.
const MOST_FUNCTIONS: usize = 1000;

/// What the calls of a program are known by.
pub(super) struct Known<'k, 'p> {
    pub(super) graph: &'k CallGraph<'p>,
    pub(super) sights: &'k Sights,
    /// The awaits that calls stand in.
    pub(super) seen: &'k FxHashMap<InstRef, InstRef>,
    /// The calls that something waits for.
    pub(super) waited: &'k FxHashSet<InstRef>,
    /// The calls that are written like reads.
    pub(super) by_name: &'k FxHashSet<InstRef>,
    /// What stands in functions, of those that somebody has asked for.
    bodies: RefCell<FxHashMap<FunctionRef, Rc<Body>>>,
}

/// What stands in a function.
struct Body {
    awaits: Vec<InstRef>,
    /// Calls whose promises it may hand on without an `await`, where they are not all that it waits for.
    handed_on: Vec<InstRef>,
    calls: Vec<InstRef>,
}

/// How a function may be reached.
#[derive(Clone, Copy, Default, PartialEq)]
struct Way {
    /// It runs wherever its callers come to where it is called.
    is_certain: bool,
    /// What it gives is waited for.
    is_waited: bool,
}

impl Way {
    /// What holds of either.
    const fn or(self, other: Self) -> Self {
        Self {
            is_certain: self.is_certain || other.is_certain,
            is_waited: self.is_waited || other.is_waited,
        }
    }
}

impl<'k, 'p> Known<'k, 'p> {
    pub(super) fn new(
        graph: &'k CallGraph<'p>,
        sights: &'k Sights,
        seen: &'k FxHashMap<InstRef, InstRef>,
        waited: &'k FxHashSet<InstRef>,
        by_name: &'k FxHashSet<InstRef>,
    ) -> Self {
        Self { graph, sights, seen, waited, by_name, bodies: RefCell::default() }
    }

    /// Whether runs have shown what a call may do: each await that its functions may come to has run in it, or was seen to do
    /// no more than read elsewhere, or is known, and nothing that is called like a write is handed on without one. Of calls that may come to any of
    /// several functions those count that were seen to run.
    pub(super) fn is_shown(&self, call: InstRef) -> bool {
        let Some(sight) = self.seen.get(&call).and_then(|it| self.sights.get(it)) else {
            return false;
        };
        let mut found: FxHashMap<FunctionRef, Way> = FxHashMap::default();
        let mut pending = self.called(call, sight, Way { is_certain: true, is_waited: true });
        while let Some((function, way)) = pending.pop() {
            let known = found.get(&function).copied();
            let both = known.unwrap_or_default().or(way);
            if known == Some(both) {
                continue;
            }
            found.insert(function, both);
            let body = self.body(function);
            let is_shown = |it: &InstRef| sight.has_run(*it) || self.is_harmless(*it);
            // Most of what functions hand on are values.
            let is_handed_on = |it: &InstRef| {
                !both.is_waited || self.is_known_call(*it) || !self.is_called_like_a_write(*it)
            };
            if found.len() > MOST_FUNCTIONS
                || !body.awaits.iter().all(is_shown)
                || !body.handed_on.iter().all(is_handed_on)
            {
                return false;
            }
            pending.extend(body.calls.iter().flat_map(|&it| self.called(it, sight, both)));
        }
        true
    }

    /// The functions that a call may come to when it was seen to do something; `way` is that to the function around it.
    fn called(&self, call: InstRef, sight: &Sight, way: Way) -> Vec<(FunctionRef, Way)> {
        let callees = self.graph.callees(call);
        let is_one = callees.obstacle().is_none() && callees.functions.len() <= 1;
        let is_certain = way.is_certain && is_one;
        // What stands in no await is handed on, or left alone.
        let is_waited = self.waited.contains(&call);
        let all = callees.functions.iter().chain(&callees.callbacks);
        all.filter_map(|&it| {
            let body = self.body(it);
            let has_run = body.awaits.iter().any(|at| sight.has_run(*at));
            let way = Way { is_certain: is_certain || has_run, is_waited };
            (way.is_certain || body.awaits.is_empty()).then_some((it, way))
        })
        .collect()
    }

    /// Whether an await of which nobody knows whether it runs does no more than read.
    fn is_harmless(&self, at: InstRef) -> bool {
        match self.sights.get(&at).map(|it| it.does) {
            Some(SeenTo::Read | SeenTo::Nothing) => true,
            Some(SeenTo::Write | SeenTo::Unclear) => false,
            None => {
                let ir = self.graph.files()[at.file as usize];
                let Inst::Await(value) = ir.inst(at.inst) else { return true };
                let calls = calls_behind(ir, value).calls;
                calls.into_iter().all(|inst| self.is_known_call(InstRef { inst, ..at }))
            }
        }
    }

    fn is_called_like_a_write(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        callee_name(ir, call.inst).is_some_and(is_write_name)
    }

    /// Whether it is known what a call comes to.
    fn is_known_call(&self, call: InstRef) -> bool {
        self.by_name.contains(&call) || self.graph.callees(call).obstacle().is_none()
    }

    fn body(&self, function: FunctionRef) -> Rc<Body> {
        let mut bodies = self.bodies.borrow_mut();
        Rc::clone(bodies.entry(function).or_insert_with(|| Rc::new(Body::of(self.graph, function))))
    }
}

impl Body {
    fn of(graph: &CallGraph<'_>, function: FunctionRef) -> Self {
        let ir = graph.files()[function.file as usize];
        let data = ir.function(function.function);
        let mut body = Self { awaits: Vec::new(), handed_on: Vec::new(), calls: Vec::new() };
        for inst in FileIr::range(data.first, data.end) {
            let at = InstRef { file: function.file, inst };
            match ir.inst(inst) {
                Inst::Await(_) => body.awaits.push(at),
                Inst::Return(value) => {
                    let calls = calls_behind(ir, value).calls;
                    body.handed_on.extend(calls.into_iter().map(|inst| InstRef { inst, ..at }));
                }
                Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } => {
                    body.calls.push(at);
                }
                _ => {}
            }
        }
        // All that it waits for has run where anything was seen.
        if body.awaits.is_empty() && body.handed_on.len() == 1 {
            body.handed_on.clear();
        }
        body
    }
}
