//! Functions that are `async` and wait for nothing, or only until something is there that is set up once: `await
//! this.isReady`. Nobody knows all that they do, but what their text says of their waiting is all there is: nothing would
//! overlap them.

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_ir::{FileIr, Inst, InstId};
use headstart_models::{CallsBack, PromiseKind};

use super::Summaries;

/// Through how many functions it is looked.
const DEEPEST: u32 = 5;

impl Summaries<'_> {
    /// Whether a call is one of functions of the program that wait for nothing each time.
    #[must_use]
    pub fn waits_once_only(&self, call: InstRef) -> bool {
        self.is_of_such(call, DEEPEST) && !self.callees(call).functions.is_empty()
    }

    fn is_of_such(&self, call: InstRef, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let callees = self.callees(call);
        callees.obstacle().is_none()
            && callees.callbacks.is_empty()
            && callees.classes.is_empty()
            && !self.graph.may_be_thenable(call)
            && (!callees.functions.is_empty()
                || self.graph.awaited(call).is_empty() && !self.graph.may_be_promise(call))
            && callees.functions.iter().all(|&it| self.is_such(it, steps))
            && callees.modelled.iter().all(|it| {
                it.native.is_none()
                    && it.call.is_some_and(|row| {
                        row.promise == PromiseKind::No && row.calls_back == CallsBack::No
                    })
            })
    }

    fn is_such(&self, function: FunctionRef, steps: u32) -> bool {
        let ir = self.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        let at = |inst| InstRef { file: function.file, inst };
        let is_plain = |value: InstId| match ir.inst(value) {
            Inst::Call { .. } | Inst::CallMethod { .. } => self.is_of_such(at(value), steps),
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
