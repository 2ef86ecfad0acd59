//! Functions that are `async` and wait for nothing, or only until something is there that is set up once: `await
//! this.isReady`. Nobody knows all that they do, but what their text says of their waiting is all there is: nothing would
//! overlap them.

use std::cell::RefCell;

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_ir::{FileIr, Inst, InstId};
use headstart_models::{CallsBack, PromiseKind};
use rustc_hash::FxHashMap;

use super::Summaries;

/// Through how many functions it is looked.
const DEEPEST: u32 = 5;

/// One question, with what has been found of functions for it: those that are still looked at wait, as far as is known.
struct Question<'a, 'p> {
    all: &'a Summaries<'p>,
    found: RefCell<FxHashMap<FunctionRef, bool>>,
}

impl Summaries<'_> {
    /// Whether a call is one of functions of the program that wait for nothing each time.
    #[must_use]
    pub fn waits_once_only(&self, call: InstRef) -> bool {
        let question = Question { all: self, found: RefCell::default() };
        !self.callees(call).functions.is_empty() && question.is_plain_call(call, DEEPEST)
    }
}

impl Question<'_, '_> {
    /// Whether a call waits for nothing each time, or gives no promise.
    fn is_plain_call(&self, call: InstRef, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let callees = self.all.callees(call);
        let graph = &self.all.graph;
        callees.obstacle().is_none()
            && callees.callbacks.is_empty()
            && callees.classes.is_empty()
            && !graph.may_be_thenable(call)
            && (!callees.functions.is_empty()
                || graph.awaited(call).is_empty() && !graph.may_be_promise(call))
            && callees.functions.iter().all(|&it| self.waits_for_nothing(it, steps))
            && callees.modelled.iter().all(|it| {
                it.native.is_none()
                    && it.call.is_some_and(|row| {
                        row.promise == PromiseKind::No && row.calls_back == CallsBack::No
                    })
            })
    }

    fn waits_for_nothing(&self, function: FunctionRef, steps: u32) -> bool {
        if let Some(&known) = self.found.borrow().get(&function) {
            return known;
        }
        self.found.borrow_mut().insert(function, false);
        let found = self.is_without_wait(function, steps);
        self.found.borrow_mut().insert(function, found);
        found
    }

    fn is_without_wait(&self, function: FunctionRef, steps: u32) -> bool {
        let ir = self.all.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        let at = |inst| InstRef { file: function.file, inst };
        let is_plain = |value: InstId| match ir.inst(value) {
            Inst::Call { .. } | Inst::CallMethod { .. } => self.is_plain_call(at(value), steps),
            // A promise that a property holds is there for all.
            Inst::Get { .. } | Inst::Literal(_) => true,
            _ => false,
        };
        let gives_plain = |value: InstId| match ir.inst(value) {
            Inst::Call { .. } | Inst::CallMethod { .. } => is_plain(value),
            // What the module keeps, and this does not set, is there for all.
            Inst::LoadVar(var) if ir.variable(var).owner.index() == 0 => {
                let sets = |it| matches!(ir.inst(it), Inst::StoreVar { var: of, .. } if of == var);
                !FileIr::range(data.first, data.end).any(sets)
            }
            Inst::LoadVar(var) => {
                let variable = ir.variable(var);
                let first = ir.initial_value(var).filter(|_| variable.is_stable());
                first.is_some_and(|it| match ir.inst(it) {
                    Inst::Call { .. } | Inst::CallMethod { .. } => is_plain(it),
                    Inst::LoadVar(_) | Inst::Select(..) | Inst::New { .. } => false,
                    _ => true,
                })
            }
            Inst::New { .. } | Inst::DynamicImport { .. } => false,
            _ => true,
        };
        let returns_value = |value: InstId| match ir.inst(value) {
            Inst::Select(one, other) => gives_plain(one) && gives_plain(other),
            _ => gives_plain(value),
        };
        !data.is_generator
            && FileIr::range(data.first, data.end).all(|id| match ir.inst(id) {
                Inst::Await(value) => is_plain(value),
                Inst::Return(value) => returns_value(value),
                Inst::IterateAsync(_) => false,
                it => !it.is_suspend_point(),
            })
    }
}
