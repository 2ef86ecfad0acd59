//! What single instructions of a function do, seen from inside it.

use std::collections::BTreeSet;

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_ir::{FileIr, FunctionId, Inst, InstId, RequestKind, Resolution};
use rustc_hash::FxHashSet;

use super::compute::Computation;
use super::order::When;
use super::place::{Location, Root};
use super::{Assumed, Effects, Summaries, Summary, Waiting};

/// How many functions are searched for a `throw`; where there are more, there is one.
const MOST_CALLEES: usize = 200;

/// An instruction that reads and writes more locations than this may do anything.
const MOST_LOCATIONS: usize = 1000;

/// What one instruction does, with all that it calls. Objects that the function has made are named
/// as well; its own variables are not, save by the closures that are called.
#[derive(Clone, Debug)]
pub struct Step {
    /// The instruction.
    pub at: InstId,
    /// What it reads and writes before it returns.
    pub now: Effects,
    /// What it has started reads and writes later, while others may run.
    pub later: Effects,
    /// Whether it may do anything.
    pub is_anything: bool,
    /// What it does beside the above if code that nobody knows only computes; none where it does
    /// not call such code, or nothing can be told.
    pub assumed: Option<Box<Assumed>>,
    /// What it leaves going on, whoever waits for it.
    pub left: BTreeSet<Location>,
    /// Whether what it does may go on when it has returned.
    pub goes_on: bool,
    /// Whether it may take a lock.
    pub locks: bool,
    /// Whether it may give something that somebody has to close.
    pub gives: bool,
    /// Whether what it calls may throw, or what it waits for be rejected.
    pub throws: bool,
}

impl<'p> Summaries<'p> {
    /// What the instructions from `first` up to `end`, not included, do; those that do nothing are
    /// left out. What is thrown and caught among them does not count as thrown.
    #[must_use]
    pub fn steps(&self, function: FunctionRef, first: InstId, end: InstId) -> Vec<Step> {
        let mut computation = self.computation(function);
        computation.roots.is_local = true;
        computation.caught.retain(|&(from, to)| from >= first && to <= end);
        FileIr::range(first, end)
            .filter_map(|at| {
                computation.summary = Summary::default();
                computation.goes_on = false;
                computation.instruction(at, When { before: true, after: false });
                let is_too_much = computation.is_full();
                let done = std::mem::take(&mut computation.summary);
                let is_anything = is_too_much || done.is_anything();
                let does_something =
                    is_anything || done.throws || !done.before.is_empty() || !done.after.is_empty();
                does_something.then_some(Step {
                    at,
                    now: done.before,
                    later: done.after,
                    is_anything,
                    assumed: done.assumed.filter(|_| !is_too_much),
                    left: done.left,
                    goes_on: computation.goes_on,
                    locks: done.locks,
                    gives: done.gives,
                    throws: done.throws,
                })
            })
            .collect()
    }

    /// The `import()`s among some instructions, and in the functions that those call, which load
    /// something whose evaluation may be noticed: it does more than declare, or takes part in a cycle,
    /// so that the order matters.
    #[must_use]
    pub fn loud_imports(&self, file: u32, first: InstId, end: InstId) -> Vec<InstRef> {
        let mut pending: Vec<InstRef> =
            FileIr::range(first, end).map(|inst| InstRef { file, inst }).collect();
        let mut seen: FxHashSet<FunctionRef> = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(at) = pending.pop() {
            if self.loads(at) && !self.is_quiet_import(at) {
                found.push(at);
            }
            self.graph.for_each_function(at, &mut |callee| {
                if seen.len() < MOST_CALLEES && seen.insert(callee) {
                    let body = self.graph.files()[callee.file as usize].function(callee.function);
                    let insts = FileIr::range(body.first, body.end);
                    pending.extend(insts.map(|inst| InstRef { file: callee.file, inst }));
                }
            });
        }
        found.sort_unstable();
        found
    }

    fn is_quiet_import(&self, at: InstRef) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let Inst::DynamicImport { request: Some(request), .. } = ir.inst(at.inst) else {
            return false;
        };
        match ir.request(request).resolution {
            Resolution::Builtin => true,
            Resolution::File(file) => self.loads_quietly(file.0),
            _ => false,
        }
    }

    /// Whether the modules that are loaded with a file import one another in a circle.
    fn loads_cycle(&self, file: u32) -> bool {
        let mut open: FxHashSet<u32> = FxHashSet::default();
        let mut done: FxHashSet<u32> = FxHashSet::default();
        let mut way = vec![(file, false)];
        while let Some((file, is_left)) = way.pop() {
            if is_left {
                open.remove(&file);
                done.insert(file);
                continue;
            }
            if done.contains(&file) || !open.insert(file) {
                continue;
            }
            way.push((file, true));
            let ir = self.graph.files()[file as usize];
            for request in &ir.requests {
                let is_static = matches!(request.kind, RequestKind::Import | RequestKind::Require);
                let Resolution::File(to) = request.resolution else { continue };
                if is_static && open.contains(&to.0) {
                    return true;
                }
                if is_static {
                    way.push((to.0, false));
                }
            }
        }
        false
    }

    /// Whether loading a file, with all that it imports, changes nothing but what the files declare,
    /// and comes out the same in whatever order files are loaded.
    #[must_use]
    pub fn loads_quietly(&self, file: u32) -> bool {
        if self.loads_cycle(file) {
            return false;
        }
        let mut pending = vec![file];
        let mut seen: FxHashSet<u32> = pending.iter().copied().collect();
        while let Some(file) = pending.pop() {
            let ir = self.graph.files()[file as usize];
            let summary = self.of(FunctionRef { file, function: FunctionId::new(0) });
            let both = [&summary.before, &summary.after];
            let is_own = |location: &Location| match location {
                Location::Memory(place) => match place.root {
                    Root::Variable(of, _) | Root::Exports(of) => of == file,
                    Root::Static(class) | Root::Instance(class) => class.file == file,
                    Root::Made(at) => at.file == file,
                    _ => false,
                },
                Location::Resource(..) => false,
            };
            let changes = both.into_iter().flat_map(|it| &it.writes).any(|it| !is_own(it));
            if summary.is_anything() || changes || summary.waits {
                return false;
            }
            let needed = ir
                .requests
                .iter()
                .filter(|it| matches!(it.kind, RequestKind::Import | RequestKind::Require));
            for request in needed {
                match request.resolution {
                    Resolution::Builtin => {}
                    Resolution::File(to) => {
                        if seen.insert(to.0) {
                            pending.push(to.0);
                        }
                    }
                    _ => return false,
                }
            }
        }
        true
    }

    /// The arguments of a call that it reads from by name: what a pipe or an open file gives, it gives
    /// once.
    #[must_use]
    pub fn consumed(&self, call: InstRef) -> Vec<InstId> {
        let ir = self.graph.files()[call.file as usize];
        let Some(args) = super::row::arguments(ir.inst(call.inst)).map(|it| ir.args(it)) else {
            return Vec::new();
        };
        let callees = self.callees(call);
        let of_functions = callees.functions.iter().flat_map(|&it| &self.of(it).consumes);
        let mut found: Vec<InstId> =
            of_functions.filter_map(|&it| args.get(it as usize).copied()).collect();
        let rows = callees.modelled.iter().filter_map(|it| it.call);
        found.extend(rows.flat_map(|row| row.consumed(args)));
        found
    }

    pub(crate) fn computation(&self, function: FunctionRef) -> Computation<'_, 'p> {
        Computation::new(self, &self.stores, function, MOST_LOCATIONS)
    }

    /// What awaiting a value of a function waits for, and whether it may be rejected.
    #[must_use]
    pub fn waiting(&self, function: FunctionRef, value: InstId) -> (Waiting, bool) {
        self.computation(function).roots.waiting(value)
    }

    /// Whether a call may run a `throw` of the program that nobody catches: a check that was put there
    /// on purpose.
    #[must_use]
    pub fn throws_on_purpose(&self, call: InstRef) -> bool {
        let mut pending = self.callees(call).functions.clone();
        let mut seen: FxHashSet<FunctionRef> = pending.iter().copied().collect();
        while let Some(function) = pending.pop() {
            let summary = self.of(function);
            if !summary.throws && !summary.rejects {
                continue;
            }
            let ir = self.graph.files()[function.file as usize];
            let data = ir.function(function.function);
            for inst in FileIr::range(data.first, data.end) {
                if matches!(ir.inst(inst), Inst::Throw(_)) || seen.len() > MOST_CALLEES {
                    return true;
                }
                let at = InstRef { file: function.file, inst };
                self.graph.for_each_function(at, &mut |callee| {
                    if seen.insert(callee) {
                        pending.push(callee);
                    }
                });
            }
        }
        false
    }

    /// Whether a call of a function gives an object that it has made, and nobody else holds.
    #[must_use]
    pub fn is_fresh_result(&self, function: FunctionRef, call: InstId) -> bool {
        self.computation(function).roots.is_fresh(call)
    }

    /// What the instructions from `first` up to `end` do, taken together.
    #[must_use]
    pub fn effects_of(&self, function: FunctionRef, first: InstId, end: InstId) -> Effects {
        let mut all = Effects::default();
        for step in self.steps(function, first, end) {
            all.join(step.now);
            all.join(step.later);
        }
        all
    }
}
