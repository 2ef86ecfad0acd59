//! Who else may hold an error that is caught.
//!
//! Errors are made where they are thrown, nearly always: what is done to them in a handler is nobody
//! else's business. Where one that something else holds may be thrown, this does not hold.

use headstart_ir::{FileIr, Inst, InstId};

use super::roots::Roots;

/// How far a thrown value is followed back.
const LONGEST_TRACE: u32 = 8;

impl Roots<'_, '_> {
    /// Whether a value that is thrown may be held by something else.
    pub(crate) fn may_be_shared_error(&self, value: InstId) -> bool {
        self.is_shared_within(value, LONGEST_TRACE)
    }

    fn is_shared_within(&self, value: InstId, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return true };
        let ir = self.ir();
        match ir.inst(value) {
            Inst::New { .. }
            | Inst::Call { .. }
            | Inst::CallMethod { .. }
            | Inst::Literal(_)
            | Inst::Template(_)
            | Inst::Object
            // Where it came from has been looked at there.
            | Inst::Caught => false,
            Inst::Select(left, right) => {
                self.is_shared_within(left, steps) || self.is_shared_within(right, steps)
            }
            Inst::LoadVar(var) if ir.variable(var).owner == self.function.function => {
                let always = self.all.graph.always(self.function.file, var);
                always.is_none_or(|value| self.is_shared_within(value, steps))
            }
            _ => true,
        }
    }

    /// Whether the errors that a function catches are its own: none of those that are thrown below
    /// it is held by something else.
    pub(crate) fn catches_own_errors(&self) -> bool {
        let ir = self.ir();
        let function = ir.function(self.function.function);
        FileIr::range(function.first, function.end).all(|id| match ir.inst(id) {
            Inst::Throw(value) => !self.may_be_shared_error(value),
            // `generator.throw(error)`
            Inst::Yield(_) | Inst::YieldAll(_) => false,
            // A promise that others hold gives all of them the same error.
            Inst::Await(promise) => matches!(
                ir.inst(promise),
                Inst::Call { .. } | Inst::CallMethod { .. } | Inst::DynamicImport { .. }
            ),
            Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } => {
                let callees = self.all.callees(self.at(id));
                let both = callees.functions.iter().chain(&callees.callbacks);
                both.into_iter().all(|&it| !self.all.of(it).throws_shared)
            }
            _ => true,
        })
    }
}
