//! Whether a variable of an outer scope certainly has its value when a function runs.

use headstart_ir::{FileIr, FunctionId, Inst, InstId, VarId};

use crate::api::FileAnalysis;
use crate::known::Known;

impl FileAnalysis<'_> {
    /// Whether `var` is initialised whenever code of `function` runs: a read of it that moves to
    /// an earlier point of the function cannot hit its temporal dead zone.
    #[must_use]
    pub fn is_initialised(&self, var: VarId, function: FunctionId, known: &Known) -> bool {
        let variable = self.ir.variable(var);
        if variable.owner == function || self.is_platform_import(var) || known.is_initialised(var) {
            return true;
        }
        let Some(init) = variable.init else {
            return false;
        };
        self.is_created_after(function, variable.owner, init)
            || (variable.owner.index() == 0 && self.runs_before_any_call(init))
    }

    /// Whether `function`, or the function around it that `owner` creates, is created only after
    /// the instruction `init` of `owner` has run.
    fn is_created_after(&self, function: FunctionId, owner: FunctionId, init: InstId) -> bool {
        let mut inner = function;
        loop {
            let Some(parent) = self.ir.function(inner).parent else {
                return false;
            };
            if parent == owner {
                return self.ir.function(inner).created > init;
            }
            inner = parent;
        }
    }

    /// Whether no function of the file can be called before the instruction `init` of its top
    /// level has run.
    fn runs_before_any_call(&self, init: InstId) -> bool {
        if self.facts.is_in_cycle(self.file) {
            return false;
        }
        let first = self.ir.function(FunctionId::new(0)).first;
        FileIr::range(first, init).all(|id| self.calls_nothing(id))
    }

    fn calls_nothing(&self, id: InstId) -> bool {
        match self.ir.inst(id) {
            Inst::Literal(_)
            | Inst::LoadVar(_)
            | Inst::StoreVar { .. }
            | Inst::Closure(_)
            | Inst::Object
            | Inst::Array(_)
            | Inst::ImportMeta
            | Inst::Pure1(_)
            | Inst::Pure2(..)
            | Inst::Select(..)
            | Inst::Conditional { .. }
            | Inst::Require(_) => true,
            Inst::LoadGlobal(_) => true,
            Inst::Set { object, .. } => self.ir.inst(object) == Inst::Object,
            Inst::Get { object, .. } => {
                self.ir.inst(object) == Inst::ImportMeta
                    || self.api(id).is_some_and(|api| self.is_platform_member(&api))
            }
            Inst::Call { .. } | Inst::CallMethod { .. } => {
                self.operation(id, &Known::default()).is_ok()
            }
            _ => false,
        }
    }
}
