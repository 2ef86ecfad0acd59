//! How much of what a call may do its runs have shown.
//!
//! A run shows one way through a function. Another may write, where something has expired: an `await` on it that did not run in
//! the call, but was seen to write elsewhere, or of which nobody knows anything, says that not all was seen. What a package does
//! may hang on what it is told.

use std::cell::RefCell;
use std::rc::Rc;

use headstart_callgraph::{CallGraph, FunctionRef, InstRef};
use headstart_ir::{FileIr, Inst, Literal, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::chains::is_on_call;
use super::names::{is_write_elsewhere, is_write_name};
use super::place::{Location, Root};
use super::readers::{callee, callee_name, calls_behind, name_of, writes_outside};
use super::row::arguments;
use super::{Summaries, Summary};
use crate::sights::{SeenTo, Sight, Sights};

/// The most functions that are looked at for one call: of one that leads to more nobody says that all was seen.
const MOST_FUNCTIONS: usize = 1000;
/// Where a call may come to more functions, only those count that ran.
const MOST_TARGETS: usize = 8;

/// The calls that were seen to read, and of which that was all.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// The functions that ran in each though none of its callees is known to come to them: handlers that somebody else calls.
    calls: FxHashMap<InstRef, Box<[FunctionRef]>>,
}

impl Shown {
    /// Picks them from calls that were seen to read.
    pub(super) fn of(read: &FxHashSet<InstRef>, known: &Known<'_, '_>) -> Self {
        Self { calls: read.iter().filter_map(|it| Some((*it, known.shown(*it)?))).collect() }
    }

    /// The calls, each with the functions that ran in it though its callees do not come to them.
    pub(super) fn beside(&self) -> impl Iterator<Item = (InstRef, &[FunctionRef])> {
        self.calls.iter().map(|it| (*it.0, &**it.1))
    }
}

impl Summaries<'_> {
    /// Whether a call was seen to read something, and to do nothing else, and is told nothing that has an order.
    pub(crate) fn is_seen_to_read(&self, call: InstRef) -> bool {
        let beside = self.shown.calls.get(&call);
        beside.is_some_and(|it| it.iter().all(|it| self.of(*it).disturbs_nobody()))
    }
}

impl Summary {
    /// Whether it changes nothing but what it makes, or is handed.
    fn disturbs_nobody(&self) -> bool {
        let is_own = |it: &Location| match it {
            Location::Memory(place) => matches!(place.root, Root::Parameter(_) | Root::Made(_)),
            Location::Resource(..) => true,
        };
        !self.is_too_much
            && self.effects().all(|it| !writes_outside(it) && it.writes.iter().all(is_own))
    }
}

/// What a method is called, with what it is called on.
type Method<'p> = (&'p str, Option<&'p str>);

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
    /// The methods that were seen to write.
    writing: FxHashSet<Method<'p>>,
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
    /// It runs wherever its callers come to where it is called, as far as is known.
    is_certain: bool,
    /// What it gives is waited for.
    is_waited: bool,
}

impl Way {
    const CERTAIN: Self = Self { is_certain: true, is_waited: true };

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
        let writes =
            |it: &(&InstRef, &InstRef)| sights.get(it.1).is_some_and(|it| it.does == SeenTo::Write);
        let written = seen.iter().filter(writes).map(|it| *it.0);
        let writing = written.filter_map(|it| method(graph, it)).collect();
        Self { graph, sights, seen, waited, by_name, writing, bodies: RefCell::default() }
    }

    /// The functions that ran in a call though its callees do not come to them; none where runs have not shown what it may do.
    ///
    /// They have where each `await` that its functions may come to has run in it, or was seen to do no more than read elsewhere, or
    /// is known, and nothing that is called like a write is left to itself. Of calls that may come to any of very many functions
    /// those count that were seen to run.
    fn shown(&self, call: InstRef) -> Option<Box<[FunctionRef]>> {
        let sight = self.seen.get(&call).and_then(|it| self.sights.get(it))?;
        if self.hangs_on_values(call) {
            return None;
        }
        let mut found = FxHashMap::default();
        self.walk(self.called(call, sight, Way::CERTAIN), sight, &mut found)?;
        let mut beside: Vec<FunctionRef> = Vec::new();
        for &at in sight.inner.iter() {
            let function = self.graph.function_at(at);
            let is_known =
                found.contains_key(&function) || function == self.graph.function_at(call);
            if !is_known && beside.last() != Some(&function) {
                beside.push(function);
            }
        }
        let ran = beside.iter().map(|it| (*it, Way::CERTAIN)).collect();
        self.walk(ran, sight, &mut found)?;
        Some(beside.into())
    }

    /// Goes over functions, and all that they come to; nothing where not all was seen.
    fn walk(
        &self,
        mut pending: Vec<(FunctionRef, Way)>,
        sight: &Sight,
        found: &mut FxHashMap<FunctionRef, Way>,
    ) -> Option<()> {
        while let Some((function, way)) = pending.pop() {
            let known = found.get(&function).copied();
            let both = known.unwrap_or_default().or(way);
            if known == Some(both) {
                continue;
            }
            found.insert(function, both);
            let body = self.body(function);
            let is_shown = |it: &InstRef| sight.has_run(*it) || self.is_harmless(*it);
            if found.len() > MOST_FUNCTIONS
                || !body.awaits.iter().all(is_shown)
                || both.is_waited && body.handed_on.iter().any(|it| self.is_unknown_write(*it))
                || body.calls.iter().any(|it| self.is_left_alone(*it))
            {
                return None;
            }
            pending.extend(body.calls.iter().flat_map(|&it| self.called(it, sight, both)));
        }
        Some(())
    }

    /// Whether what code does that nobody sees hangs on values which other runs may bring: what is called is handed over, or was
    /// seen to write when it was told something else.
    fn hangs_on_values(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let callees = self.graph.callees(call);
        if callees.obstacle().is_none() {
            return false;
        }
        let is_handed_over = match callee(ir, call.inst).map(|it| ir.inst(it)) {
            Some(Inst::LoadVar(var)) => {
                let made = ir.initial_value(var).map(|it| ir.inst(it));
                ir.variable(var).kind == VarKind::Param || matches!(made, Some(Inst::Select(..)))
            }
            _ => false,
        };
        let is_told = |it: &headstart_ir::InstId| {
            matches!(ir.inst(*it), Inst::Literal(Literal::String(_) | Literal::LongString))
        };
        let args = || arguments(ir.inst(call.inst)).map(|it| ir.args(it)).unwrap_or_default();
        let writes = || method(self.graph, call).is_some_and(|it| self.writing.contains(&it));
        is_handed_over || callees.functions.is_empty() && writes() && !args().iter().any(is_told)
    }

    /// The functions that a call may come to when it was seen to do something; `way` is that to the function around it.
    fn called(&self, call: InstRef, sight: &Sight, way: Way) -> Vec<(FunctionRef, Way)> {
        let callees = self.graph.callees(call);
        let are_known = callees.obstacle().is_none() && callees.functions.len() <= MOST_TARGETS;
        let is_certain = way.is_certain && are_known;
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

    /// Whether it is known what a call comes to.
    fn is_known_call(&self, call: InstRef) -> bool {
        self.by_name.contains(&call) || self.graph.callees(call).obstacle().is_none()
    }

    /// Whether a call of code that nobody knows is called like a write. (Most of what functions hand on are values.)
    fn is_unknown_write(&self, call: InstRef) -> bool {
        self.is_called(call, is_write_name) && !self.is_known_call(call)
    }

    /// The same of one that nobody waits for: where that ran, it was seen, but nobody knows whether it did.
    fn is_left_alone(&self, call: InstRef) -> bool {
        !self.waited.contains(&call)
            && self.is_called(call, is_write_elsewhere)
            && !self.is_known_call(call)
    }

    fn is_called(&self, call: InstRef, is_one: impl Fn(&str) -> bool) -> bool {
        callee_name(self.graph.files()[call.file as usize], call.inst).is_some_and(is_one)
    }

    fn body(&self, function: FunctionRef) -> Rc<Body> {
        let mut bodies = self.bodies.borrow_mut();
        Rc::clone(bodies.entry(function).or_insert_with(|| Rc::new(Body::of(self.graph, function))))
    }
}

/// How a call is written; none of one that is on another call, where that says what it does.
fn method<'p>(graph: &CallGraph<'p>, call: InstRef) -> Option<Method<'p>> {
    let ir: &'p FileIr = graph.files()[call.file as usize];
    let name = callee_name(ir, call.inst)?;
    let of = match ir.inst(call.inst) {
        Inst::CallMethod { object, .. } => name_of(ir, object),
        _ => None,
    };
    (!is_on_call(ir, call.inst)).then_some((name, of))
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
