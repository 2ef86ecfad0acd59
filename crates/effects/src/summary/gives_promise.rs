//! Which calls certainly give a promise, and which may give a plain value: `known[key] ?? readFile(key)`.

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_ir::{FileIr, Inst, InstId};
use headstart_models::PromiseKind;

use super::Summaries;

/// Through how many functions a promise is followed.
const DEEPEST: u32 = 6;

impl Summaries<'_> {
    /// Whether a call may give a plain value, or nothing, as far as it is known what it calls.
    #[must_use]
    pub fn may_give_value(&self, call: InstRef) -> bool {
        !self.gives_promise(call, DEEPEST)
    }

    /// Whether a value is a promise, where what it comes from is known at all.
    fn gives_promise(&self, value: InstRef, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let ir = self.graph.files()[value.file as usize];
        let at = |inst: InstId| InstRef { inst, ..value };
        match ir.inst(value.inst) {
            Inst::Call { .. } | Inst::CallMethod { .. } => {
                let callees = self.callees(value);
                callees.functions.iter().all(|&it| self.always_gives_promise(it, depth))
                    && callees.modelled.iter().all(|it| {
                        it.native.is_some()
                            || it.call.is_none_or(|row| row.promise != PromiseKind::No)
                            || !self.graph.awaited(value).is_empty()
                    })
            }
            Inst::New { .. } | Inst::DynamicImport { .. } => self.graph.may_be_promise(value),
            Inst::Select(left, right) => {
                self.gives_promise(at(left), depth) && self.gives_promise(at(right), depth)
            }
            Inst::LoadVar(var) => {
                let always = self.graph.always(value.file, var);
                always.is_some_and(|it| self.gives_promise(at(it), depth))
            }
            _ => false,
        }
    }

    /// Whether a function gives a promise however it ends, as far as what it calls is known.
    fn always_gives_promise(&self, function: FunctionRef, depth: u32) -> bool {
        let ir = self.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        if data.is_async {
            return !data.is_generator;
        }
        let last = FileIr::range(data.first, data.end).last();
        let ends_with_return = last.is_some_and(|last| {
            let is_around =
                |it: InstId| matches!(ir.inst(it), Inst::Conditional { end, .. } if end > last);
            matches!(ir.inst(last), Inst::Return(_))
                && !FileIr::range(data.first, last).any(is_around)
        });
        ends_with_return
            && self.graph.returned_values(function).all(|it| self.gives_promise(it, depth))
    }
}
