//! How much of what a call may do its runs have shown.
//!
//! A run shows one way through a function. Another may write, where something has expired: an `await` on it that did not run in
//! the call, but was seen to write elsewhere, or of which nobody knows anything, says that not all was seen. What a package does
//! may hang on what it is told.

use std::cell::RefCell;
use std::rc::Rc;

use headstart_callgraph::{CallGraph, FunctionRef, InstRef, Modelled};
use headstart_ir::{FileIr, Inst, Key, VarKind};
use headstart_models::Resource as Row;
use rustc_hash::{FxHashMap, FxHashSet};

use super::names::{gives_value, is_deed, is_write_elsewhere, takes_orders};
use super::place::{Location, Root};
use super::readers::{CallsBehind, callee, callee_name, calls_behind};
use super::written::{Clients, Method, handlers, is_loaded_by_value, method, written_arguments};
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
    clients: Clients,
}

impl Shown {
    /// Picks them from calls that were seen to read.
    pub(super) fn of(read: &FxHashSet<InstRef>, known: &Known<'_, '_>) -> Self {
        let calls = read.iter().filter_map(|it| Some((*it, known.shown(*it)?))).collect();
        Self { calls, clients: known.clients.clone() }
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

    /// Whether a call of code that nobody knows is one of something of which others were seen to touch something: it does more
    /// than compute, as a rule.
    pub(super) fn is_of_client(&self, call: InstRef) -> bool {
        self.shown.clients.are_asked(&self.graph, call)
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
    clients: Clients,
    /// By what methods are called on, the functions that those of code that nobody knows were handed: any of them may run in each
    /// call on it.
    handlers: FxHashMap<&'p str, Vec<FunctionRef>>,
    /// What stands in functions, of those that somebody has asked for.
    bodies: RefCell<FxHashMap<FunctionRef, Rc<Body>>>,
    /// Whether all that functions do is known, of those that somebody has asked for.
    settled: RefCell<FxHashMap<FunctionRef, bool>>,
    /// Those of which that is so, as far as is known, in the order in which they were asked for.
    settling: RefCell<Vec<FunctionRef>>,
}

/// What stands in a function.
#[derive(Default)]
struct Body {
    awaits: Vec<InstRef>,
    /// Calls whose promises it may hand on without an `await`, where they are not all that it waits for.
    handed_on: Vec<InstRef>,
    /// Calls that make what `for await` goes over, of which no run says what they do.
    iterated: Vec<InstRef>,
    calls: Vec<InstRef>,
}

/// How a function may be reached.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Way {
    /// It ran, or is one of few: of very many only those count that ran.
    counts: bool,
    /// What it gives is waited for.
    is_waited: bool,
}

impl Way {
    const CERTAIN: Self = Self { counts: true, is_waited: true };

    /// What holds of either.
    fn or(self, other: Self) -> Self {
        Self { counts: self.counts || other.counts, is_waited: self.is_waited || other.is_waited }
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
        let touches = |it: &(&InstRef, &InstRef)| {
            graph.callees(*it.0).obstacle().is_some()
                && sights.get(it.1).is_some_and(|it| it.does != SeenTo::Nothing)
        };
        let clients = Clients::of(graph, seen.iter().filter(touches).map(|it| *it.0));
        // Nothing is shown where nothing was seen.
        let handlers = if seen.is_empty() { FxHashMap::default() } else { handlers(graph) };
        let (bodies, settled) = (RefCell::default(), RefCell::default());
        let settling = RefCell::default();
        Self {
            graph,
            sights,
            seen,
            waited,
            by_name,
            writing,
            clients,
            handlers,
            bodies,
            settled,
            settling,
        }
    }

    /// The functions that ran in a call though its callees do not come to them; none where runs have not shown what it may do.
    ///
    /// They have where each `await` that its functions may come to has run in it, or was seen to do no more than read elsewhere, or
    /// is known, and nothing that is called like a write is left to itself. Of calls that may come to any of few functions all
    /// count, of very many those that were seen to run.
    fn shown(&self, call: InstRef) -> Option<Box<[FunctionRef]>> {
        let at = *self.seen.get(&call)?;
        let sight = self.sights.get(&at)?;
        // Which of several calls it was, nobody knows.
        if self.behind(at).has_choice && !self.has_run(call, sight) {
            return None;
        }
        let is_foreign = self.graph.callees(call).functions.is_empty();
        if self.hangs_on_values(call) || is_foreign && self.is_told(call) {
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
        // Those without an `await` of their own leave no trace.
        let of = method(self.graph, call).and_then(|it| it.1).filter(|_| is_foreign);
        let handed = of.and_then(|it| self.handlers.get(it)).map_or(&[][..], Vec::as_slice);
        let called_back = Way { counts: true, is_waited: false };
        self.walk(handed.iter().map(|it| (*it, called_back)).collect(), sight, &mut found)?;
        beside.extend(handed);
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
                || both.counts && !self.is_shown_body(&body, both.is_waited, sight)
            {
                return None;
            }
            pending.extend(body.calls.iter().flat_map(|&it| self.called(it, sight, both)));
        }
        Some(())
    }

    fn is_shown_body(&self, body: &Body, is_waited: bool, sight: &Sight) -> bool {
        let is_shown = |it: &InstRef| match sight.has_run(*it) {
            true => self.is_one_call(*it, sight),
            false => self.is_harmless(*it),
        };
        // Where that is all that a function waits for, it has run where anything was seen.
        let is_all = body.awaits.is_empty() && body.handed_on.len() == 1;
        let handed_on = if is_all { &[][..] } else { &body.handed_on };
        body.awaits.iter().all(is_shown)
            && body.iterated.iter().all(|it| self.is_settled(*it))
            && !(is_waited && handed_on.iter().any(|it| !self.is_settled(*it)))
            && !body.calls.iter().any(|it| self.is_left_alone(*it))
    }

    /// Whether an await that has run has shown what it may do: it is of one call, or its others are known.
    fn is_one_call(&self, at: InstRef, sight: &Sight) -> bool {
        let has_choice = self.behind(at).has_choice;
        let is_shown =
            |it: &InstRef| !has_choice || self.has_run(*it, sight) || self.is_settled(*it);
        self.calls_of(at).iter().all(|it| is_shown(it) && !self.is_handed_over(*it))
    }

    /// Whether all that a call may call has run.
    fn has_run(&self, call: InstRef, sight: &Sight) -> bool {
        let functions = &self.graph.callees(call).functions;
        !functions.is_empty() && functions.iter().all(|it| self.ran(*it, sight))
    }

    /// Whether a function is known to have run: an `await` in it has.
    fn ran(&self, function: FunctionRef, sight: &Sight) -> bool {
        self.body(function).awaits.iter().any(|at| sight.has_run(*at))
    }

    /// Whether all that a call may do is known, whichever way it takes: nothing of it rests on what runs have shown of calls that
    /// are told something else.
    fn is_settled(&self, call: InstRef) -> bool {
        if self.by_name.contains(&call) {
            return true;
        }
        let callees = self.graph.callees(call);
        if callees.modelled.iter().any(writes) {
            return false;
        }
        if callees.obstacle().is_some() {
            return self.is_called(call, gives_value);
        }
        callees.functions.iter().chain(&callees.callbacks).all(|it| self.is_settled_function(*it))
    }

    fn is_settled_function(&self, function: FunctionRef) -> bool {
        if let Some(known) = self.settled.borrow().get(&function) {
            return *known;
        }
        // What calls itself does what it does without that.
        let before = self.settling.borrow().len();
        self.settled.borrow_mut().insert(function, true);
        self.settling.borrow_mut().push(function);
        let body = self.body(function);
        let is_settled = body.awaits.iter().all(|it| self.is_harmless(*it))
            && body.iterated.iter().all(|it| self.is_settled(*it))
            && body.handed_on.iter().all(|it| self.is_settled(*it))
            && !body.calls.iter().any(|it| self.is_left_alone(*it))
            && body.calls.iter().all(|it| {
                let callees = self.graph.callees(*it);
                let all = callees.functions.iter().chain(&callees.callbacks);
                all.into_iter().all(|it| self.is_settled_function(*it))
            });
        if !is_settled {
            // What rested on it is asked again.
            for it in self.settling.borrow_mut().drain(before..) {
                self.settled.borrow_mut().remove(&it);
            }
            self.settled.borrow_mut().insert(function, false);
        }
        is_settled
    }

    /// Whether what code does that nobody sees hangs on values which other runs may bring: what is called is handed over, or was
    /// seen to write when it was told something else.
    fn hangs_on_values(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let callees = self.graph.callees(call);
        let writes = || method(self.graph, call).is_some_and(|it| self.writing.contains(&it));
        self.is_handed_over(call)
            || callees.obstacle().is_some()
                && callees.functions.is_empty()
                && writes()
                && !written_arguments(ir, call.inst).any(|it| it)
    }

    /// Whether what is called, of which not all is known, is a parameter, one of several, under a key that is computed, or of a
    /// module that a value names.
    fn is_handed_over(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let is_one_of_several = match callee(ir, call.inst).map(|it| ir.inst(it)) {
            Some(Inst::LoadVar(var)) => {
                let made = ir.initial_value(var).map(|it| ir.inst(it));
                ir.variable(var).kind == VarKind::Param || matches!(made, Some(Inst::Select(..)))
            }
            Some(Inst::Select(..)) => true,
            Some(Inst::Get { key, object }) => {
                matches!(key.get(), Key::Computed(_)) || is_loaded_by_value(ir, object)
            }
            _ => false,
        };
        is_one_of_several && self.graph.callees(call).obstacle().is_some()
    }

    /// The functions that a call may come to when it was seen to do something; `way` is that to the function around it.
    fn called(&self, call: InstRef, sight: &Sight, way: Way) -> Vec<(FunctionRef, Way)> {
        let callees = self.graph.callees(call);
        let is_one_of_few = callees.obstacle().is_none() && callees.functions.len() <= MOST_TARGETS;
        // What stands in no await is handed on, or left alone.
        let is_waited = self.waited.contains(&call);
        let all = callees.functions.iter().chain(&callees.callbacks);
        all.filter_map(|&it| {
            let counts = way.counts && is_one_of_few || self.ran(it, sight);
            let may_run = counts || self.body(it).awaits.is_empty();
            may_run.then_some((it, Way { counts, is_waited }))
        })
        .collect()
    }

    /// Whether an await of which nobody knows whether it runs does no more than read.
    fn is_harmless(&self, at: InstRef) -> bool {
        match self.sights.get(&at).map(|it| it.does) {
            Some(SeenTo::Read | SeenTo::Nothing) => {
                !self.calls_of(at).into_iter().any(|it| self.is_told(it))
            }
            Some(SeenTo::Write | SeenTo::Unclear) => false,
            None => self.calls_of(at).into_iter().all(|it| self.is_settled(it)),
        }
    }

    /// The calls that an await waits for.
    fn behind(&self, at: InstRef) -> CallsBehind {
        let ir = self.graph.files()[at.file as usize];
        match ir.inst(at.inst) {
            Inst::Await(value) => calls_behind(ir, value),
            _ => CallsBehind::default(),
        }
    }

    fn calls_of(&self, at: InstRef) -> Vec<InstRef> {
        let calls = self.behind(at).calls;
        calls.into_iter().map(|inst| InstRef { inst, ..at }).collect()
    }

    /// Whether it is known what a call comes to, and that is no write.
    fn is_known_call(&self, call: InstRef) -> bool {
        let callees = || self.graph.callees(call);
        self.by_name.contains(&call)
            || callees().obstacle().is_none() && !callees().modelled.iter().any(writes)
    }

    /// Whether what a call does hangs on what it is told: a statement, the name of a command, what to call.
    fn is_told(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let is_written_down = written_arguments(ir, call.inst).next() == Some(true);
        self.hangs_on_values(call) || self.is_called(call, takes_orders) && !is_written_down
    }

    /// Whether a call of code that nobody knows, which nobody waits for, is called like a write: where that ran, it was seen, but
    /// nobody knows whether it did.
    fn is_left_alone(&self, call: InstRef) -> bool {
        if self.waited.contains(&call) || self.is_known_call(call) {
            return false;
        }
        // What is asked of a client is more than computed, as a rule.
        self.is_called(call, |it| is_write_elsewhere(it) || is_deed(it))
            || self.clients.are_asked(self.graph, call)
    }

    fn is_called(&self, call: InstRef, is_one: impl Fn(&str) -> bool) -> bool {
        callee_name(self.graph.files()[call.file as usize], call.inst).is_some_and(is_one)
    }

    fn body(&self, function: FunctionRef) -> Rc<Body> {
        let mut bodies = self.bodies.borrow_mut();
        Rc::clone(bodies.entry(function).or_insert_with(|| Rc::new(Body::of(self.graph, function))))
    }
}

/// Whether the row of a member says that it writes what others see.
fn writes(it: &Modelled<'_>) -> bool {
    let others_see = |it: &Row| !matches!(it, Row::Connection | Row::Log);
    it.call.is_some_and(|row| row.writes.iter().any(others_see))
}

impl Body {
    fn of(graph: &CallGraph<'_>, function: FunctionRef) -> Self {
        let ir = graph.files()[function.file as usize];
        let data = ir.function(function.function);
        let mut body = Self::default();
        for inst in FileIr::range(data.first, data.end) {
            let at = InstRef { file: function.file, inst };
            let behind = |value| {
                let calls = calls_behind(ir, value).calls;
                calls.into_iter().map(move |inst| InstRef { inst, ..at })
            };
            match ir.inst(inst) {
                Inst::Await(_) => body.awaits.push(at),
                Inst::Return(value) => body.handed_on.extend(behind(value)),
                Inst::IterateAsync(value) => body.iterated.extend(behind(value)),
                Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } => {
                    body.calls.push(at);
                }
                _ => {}
            }
        }
        body
    }
}
