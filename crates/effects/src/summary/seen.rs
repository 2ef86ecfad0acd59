//! Calls of which runs of the program have shown what they touch.
//!
//! A call that was seen to read, and to do nothing else, counts as one that is written like a read: findings that
//! rest on that are `likely`, and say how often it was seen. One that was seen to write is no read, whatever it is called.

use headstart_callgraph::{CallGraph, FunctionRef, InstRef};
use headstart_ir::{FileIr, Inst, InstId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::readers::calls_behind;
use super::{Calls, Summaries};
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
        if behind.is_chain || sight.does == SeenTo::Read {
            found.extend(behind.calls.into_iter().map(|inst| (InstRef { inst, ..at }, at)));
        }
    }
    found
}

/// What the calls of a program are known by.
pub(super) struct Known<'k> {
    /// The functions that each may come to.
    pub(super) calls: &'k Calls,
    pub(super) sights: &'k Sights,
    /// The awaits that calls stand in.
    pub(super) seen: &'k FxHashMap<InstRef, InstRef>,
    /// The calls that are written like reads.
    pub(super) by_name: &'k FxHashSet<InstRef>,
}

/// The functions that do more, in some run or on some way that none has taken, than a call of them may have shown: they come to
/// an await that was seen to do more than read, or, where nothing in between was seen, to one that no run has come to and of
/// which nobody knows what it does.
pub(super) fn do_more(graph: &CallGraph<'_>, known: &Known<'_>) -> FxHashSet<FunctionRef> {
    if known.sights.is_empty() {
        return FxHashSet::default();
    }
    let (mut more, mut open): (Vec<FunctionRef>, Vec<FunctionRef>) = (Vec::new(), Vec::new());
    for (file, ir) in (0..).zip(graph.files()) {
        for (inst, _) in ir.insts.iter().enumerate().filter(|it| matches!(it.1, Inst::Await(_))) {
            let at = InstRef { file, inst: InstId::new(inst) };
            match known.sights.get(&at).map(|it| it.does) {
                Some(SeenTo::Read) => {}
                Some(SeenTo::Write | SeenTo::Unclear) => more.push(graph.function_at(at)),
                None if known.is_known(graph, at) => {}
                None => open.push(graph.function_at(at)),
            }
        }
    }
    let mut found = all_above(more, &known.callers());
    found.extend(all_above(open, &known.callers_unseen(graph)));
    found
}

impl Known<'_> {
    /// Whether it is known what an await comes to.
    fn is_known(&self, graph: &CallGraph<'_>, at: InstRef) -> bool {
        let ir = graph.files()[at.file as usize];
        let Inst::Await(value) = ir.inst(at.inst) else { return true };
        calls_behind(ir, value).calls.into_iter().all(|inst| {
            let call = InstRef { inst, ..at };
            self.by_name.contains(&call) || graph.callees(call).obstacle().is_none()
        })
    }

    /// The functions that may come to each function.
    fn callers(&self) -> Callers {
        let mut callers = Callers::default();
        for (&caller, callees) in self.calls {
            for &callee in callees {
                callers.entry(callee).or_default().push(caller);
            }
        }
        callers
    }

    /// The same, by calls that were not seen to read in all runs.
    fn callers_unseen(&self, graph: &CallGraph<'_>) -> Callers {
        let mut callers = Callers::default();
        for (file, ir) in (0..).zip(graph.files()) {
            for (inst, what) in ir.insts.iter().enumerate() {
                let at = InstRef { file, inst: InstId::new(inst) };
                let is_call =
                    matches!(what, Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. });
                if !is_call || self.seen.get(&at).is_some_and(|it| self.reads(*it)) {
                    continue;
                }
                let callees = graph.callees(at);
                for &callee in callees.functions.iter().chain(&callees.callbacks) {
                    callers.entry(callee).or_default().push(graph.function_at(at));
                }
            }
        }
        callers
    }

    fn reads(&self, at: InstRef) -> bool {
        self.sights.get(&at).is_some_and(|it| it.does == SeenTo::Read)
    }
}

type Callers = FxHashMap<FunctionRef, Vec<FunctionRef>>;

/// Some functions, and all that may come to them.
fn all_above(mut pending: Vec<FunctionRef>, callers: &Callers) -> FxHashSet<FunctionRef> {
    let mut found = FxHashSet::default();
    while let Some(function) = pending.pop() {
        if found.insert(function) {
            pending.extend(callers.get(&function).into_iter().flatten());
        }
    }
    found
}
