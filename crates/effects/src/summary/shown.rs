//! How much of what a call may do its runs have shown.
//!
//! A run shows one way through a function. Another may write, where something has expired: an `await` on it that did not run in
//! the call, but was seen to write elsewhere, or of which nobody knows anything, says that not all was seen. What a package does
//! may hang on what it is told.

use std::cell::RefCell;
use std::rc::Rc;

use headstart_callgraph::{CallGraph, FunctionRef, InstRef, Modelled};
use headstart_ir::{FileIr, Inst, InstId, Literal, VarKind};
use headstart_models::Resource as Row;
use rustc_hash::{FxHashMap, FxHashSet};

use super::chains::is_on_call;
use super::names::{is_write_elsewhere, is_write_name};
use super::place::{Location, Root};
use super::readers::{callee, callee_name, calls_behind, name_of};
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
        beside.is_some_and(|it| it.iter().all(|it| self.of(*it).disturbs_nobody(call.file)))
    }
}

impl Summary {
    /// Whether it changes nothing but what it makes, or is handed, and what only another file than this one can name.
    fn disturbs_nobody(&self, file: u32) -> bool {
        let is_own = |it: &Location| match it {
            Location::Memory(place) => match place.root {
                Root::Parameter(_) | Root::Made(_) => true,
                Root::Variable(of, _) => of != file,
                _ => false,
            },
            Location::Resource(..) => true,
        };
        !self.is_too_much && self.effects().flat_map(|it| &it.writes).all(is_own)
    }
}

/// What a method is called, with what it is called on.
type Method<'p> = (&'p str, Option<&'p str>);

/// What the calls of a program are known by.
pub(super) struct Known<'k, 'p> {
    graph: &'k CallGraph<'p>,
    sights: &'k Sights,
    /// The awaits that calls stand in.
    seen: &'k FxHashMap<InstRef, InstRef>,
    /// The calls that something waits for.
    waited: &'k FxHashSet<InstRef>,
    /// The calls that are written like reads.
    by_name: &'k FxHashSet<InstRef>,
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

/// How likely it is that a function runs where its callers come to where it is called.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Likely {
    /// It is one of very many, and did not run.
    #[default]
    Hardly,
    /// It is one of few, and did not run.
    Perhaps,
    /// It ran, or is the only one.
    Certainly,
}

/// How a function may be reached.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Way {
    runs: Likely,
    /// What it gives is waited for.
    is_waited: bool,
}

impl Way {
    const CERTAIN: Self = Self { runs: Likely::Certainly, is_waited: true };

    /// What holds of either.
    fn or(self, other: Self) -> Self {
        Self { runs: self.runs.max(other.runs), is_waited: self.is_waited || other.is_waited }
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
    /// is known, and nothing that is called like a write is left to itself. Of calls that may come to any of several functions
    /// those count that were seen to run, and what others of few are known to write.
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
            if found.len() > MOST_FUNCTIONS
                || both.runs > Likely::Hardly && !self.is_shown_body(&body, both, sight)
            {
                return None;
            }
            pending.extend(body.calls.iter().flat_map(|&it| self.called(it, sight, both)));
        }
        Some(())
    }

    fn is_shown_body(&self, body: &Body, way: Way, sight: &Sight) -> bool {
        let is_shown = |it: &InstRef| {
            let is_harmless = match way.runs {
                Likely::Certainly => self.is_harmless(*it),
                Likely::Perhaps | Likely::Hardly => !self.is_written(*it),
            };
            is_harmless || sight.has_run(*it)
        };
        body.awaits.iter().all(is_shown)
            && !(way.is_waited && body.handed_on.iter().any(|it| self.is_unknown_write(*it)))
            && !body.calls.iter().any(|it| self.is_left_alone(*it))
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
        let is_told = |it: &InstId| {
            matches!(ir.inst(*it), Inst::Literal(Literal::String(_) | Literal::LongString))
        };
        let args = || arguments(ir.inst(call.inst)).map(|it| ir.args(it)).unwrap_or_default();
        let writes = || method(self.graph, call).is_some_and(|it| self.writing.contains(&it));
        is_handed_over || callees.functions.is_empty() && writes() && !args().iter().any(is_told)
    }

    /// The functions that a call may come to when it was seen to do something; `way` is that to the function around it.
    fn called(&self, call: InstRef, sight: &Sight, way: Way) -> Vec<(FunctionRef, Way)> {
        let callees = self.graph.callees(call);
        let runs = match (callees.obstacle(), callees.functions.len()) {
            (None, 0..=1) => way.runs,
            (None, 2..=MOST_TARGETS) => way.runs.min(Likely::Perhaps),
            _ => Likely::Hardly,
        };
        // What stands in no await is handed on, or left alone.
        let is_waited = self.waited.contains(&call);
        let all = callees.functions.iter().chain(&callees.callbacks);
        all.filter_map(|&it| {
            let body = self.body(it);
            let has_run = body.awaits.iter().any(|at| sight.has_run(*at));
            let runs = if has_run { Likely::Certainly } else { runs };
            let may_run = runs > Likely::Hardly || body.awaits.is_empty();
            may_run.then_some((it, Way { runs, is_waited }))
        })
        .collect()
    }

    /// Whether an await of which nobody knows whether it runs does no more than read.
    fn is_harmless(&self, at: InstRef) -> bool {
        match self.sights.get(&at).map(|it| it.does) {
            Some(SeenTo::Read | SeenTo::Nothing) => true,
            Some(SeenTo::Write | SeenTo::Unclear) => false,
            None => self.calls_of(at).into_iter().all(|it| self.is_known_call(it)),
        }
    }

    /// Whether an await is known to write, or called like that.
    fn is_written(&self, at: InstRef) -> bool {
        match self.sights.get(&at).map(|it| it.does) {
            Some(does) => does == SeenTo::Write,
            None => self.calls_of(at).into_iter().any(|it| self.is_unknown_write(it)),
        }
    }

    fn calls_of(&self, at: InstRef) -> Vec<InstRef> {
        let ir = self.graph.files()[at.file as usize];
        let Inst::Await(value) = ir.inst(at.inst) else { return Vec::new() };
        let calls = calls_behind(ir, value).calls;
        calls.into_iter().map(|inst| InstRef { inst, ..at }).collect()
    }

    /// Whether it is known what a call comes to, and that is no write.
    fn is_known_call(&self, call: InstRef) -> bool {
        let callees = || self.graph.callees(call);
        let writes = |it: &Modelled<'_>| {
            it.call.is_some_and(|row| {
                row.writes.iter().any(|it| !matches!(it, Row::Connection | Row::Log))
            })
        };
        self.by_name.contains(&call)
            || callees().obstacle().is_none() && !callees().modelled.iter().any(writes)
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
