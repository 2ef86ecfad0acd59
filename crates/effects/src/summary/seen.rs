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
use super::readers::calls_behind;
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

/// The most functions that are looked at for one call: of one that leads to more nobody says that all was seen.
const MOST_FUNCTIONS: usize = 1000;

/// What the calls of a program are known by.
pub(super) struct Known<'k, 'p> {
    pub(super) graph: &'k CallGraph<'p>,
    pub(super) sights: &'k Sights,
    /// The awaits that calls stand in.
    pub(super) seen: &'k FxHashMap<InstRef, InstRef>,
    /// The calls that are written like reads.
    pub(super) by_name: &'k FxHashSet<InstRef>,
    /// What stands in functions, of those that somebody has asked for.
    bodies: RefCell<FxHashMap<FunctionRef, Rc<Body>>>,
}

/// What stands in a function.
struct Body {
    awaits: Vec<InstRef>,
    calls: Vec<InstRef>,
}

impl<'k, 'p> Known<'k, 'p> {
    pub(super) fn new(
        graph: &'k CallGraph<'p>,
        sights: &'k Sights,
        seen: &'k FxHashMap<InstRef, InstRef>,
        by_name: &'k FxHashSet<InstRef>,
    ) -> Self {
        Self { graph, sights, seen, by_name, bodies: RefCell::default() }
    }

    /// Whether runs have shown what a call may do: each await that its functions may come to has run in it, or was seen to
    /// read elsewhere, or is known. Of calls that may come to any of several functions those count that were seen to run.
    pub(super) fn is_shown(&self, call: InstRef) -> bool {
        let Some(sight) = self.seen.get(&call).and_then(|it| self.sights.get(it)) else {
            return false;
        };
        // Whether they are certain to run, as far as their callers do.
        let mut found: FxHashMap<FunctionRef, bool> = FxHashMap::default();
        let mut pending = self.called(call, sight, true);
        while let Some((function, is_certain)) = pending.pop() {
            let known = found.insert(function, is_certain);
            if known.is_some_and(|it| it || !is_certain) {
                found.insert(function, known == Some(true));
                continue;
            }
            if found.len() > MOST_FUNCTIONS {
                return false;
            }
            let body = self.body(function);
            if body.awaits.iter().any(|&it| !sight.has_run(it) && !self.is_harmless(it)) {
                return false;
            }
            pending.extend(body.calls.iter().flat_map(|&it| self.called(it, sight, is_certain)));
        }
        true
    }

    /// The functions that a call may come to when it was seen to do something, each with whether it is certain.
    fn called(&self, call: InstRef, sight: &Sight, is_certain: bool) -> Vec<(FunctionRef, bool)> {
        let callees = self.graph.callees(call);
        let is_certain = is_certain && callees.obstacle().is_none() && callees.functions.len() <= 1;
        let all = callees.functions.iter().chain(&callees.callbacks);
        all.filter_map(|&it| {
            let body = self.body(it);
            let has_run = body.awaits.iter().any(|at| sight.has_run(*at));
            (is_certain || has_run || body.awaits.is_empty()).then_some((it, is_certain || has_run))
        })
        .collect()
    }

    /// Whether an await of which nobody knows whether it runs does nothing but read.
    fn is_harmless(&self, at: InstRef) -> bool {
        match self.sights.get(&at).map(|it| it.does) {
            Some(SeenTo::Read) => true,
            Some(SeenTo::Write | SeenTo::Unclear) => false,
            None => self.is_known(at),
        }
    }

    /// Whether it is known what an await comes to.
    fn is_known(&self, at: InstRef) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let Inst::Await(value) = ir.inst(at.inst) else { return true };
        calls_behind(ir, value).calls.into_iter().all(|inst| {
            let call = InstRef { inst, ..at };
            self.by_name.contains(&call) || self.graph.callees(call).obstacle().is_none()
        })
    }

    fn body(&self, function: FunctionRef) -> Rc<Body> {
        let mut bodies = self.bodies.borrow_mut();
        let body = bodies.entry(function).or_insert_with(|| {
            let ir = self.graph.files()[function.file as usize];
            let data = ir.function(function.function);
            let mut body = Body { awaits: Vec::new(), calls: Vec::new() };
            for inst in FileIr::range(data.first, data.end) {
                let at = InstRef { file: function.file, inst };
                match ir.inst(inst) {
                    Inst::Await(_) => body.awaits.push(at),
                    Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } => {
                        body.calls.push(at);
                    }
                    _ => {}
                }
            }
            Rc::new(body)
        });
        Rc::clone(body)
    }
}
