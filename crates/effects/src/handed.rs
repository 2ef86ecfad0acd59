//! What a function of the same file does with a module that it is handed.

use headstart_ir::{FileIr, FunctionId, Inst, InstId, Key, VarId};

use crate::api::{Api, FileNames};

impl FileNames<'_> {
    /// Whether the function that `callee` is does nothing with its argument at `position` but call
    /// members of it: `resolve(root, path)` with `path.join(root, …)` inside.
    pub(crate) fn only_calls_members(
        &self,
        callee: InstId,
        position: usize,
        module: &Api<'_>,
    ) -> bool {
        let Some(function) = self.own_function(callee) else { return false };
        if self.ir.function(function).has_dynamic_scope {
            return false;
        }
        match self.parameter(function, position) {
            Some(parameter) => self.is_only_called_on(parameter, module),
            None => false,
        }
    }

    /// The function of this file that a value certainly is.
    fn own_function(&self, value: InstId) -> Option<FunctionId> {
        let Inst::LoadVar(var) = self.ir.inst(value) else { return None };
        let variable = self.ir.variable(var);
        let init = variable.init.filter(|_| variable.is_stable())?;
        let Inst::StoreVar { value, .. } = self.ir.inst(init) else { return None };
        match self.ir.inst(value) {
            Inst::Closure(function) => Some(function),
            _ => None,
        }
    }

    /// The variable that holds a parameter, perhaps with a default.
    fn parameter(&self, function: FunctionId, position: usize) -> Option<VarId> {
        let ir = self.ir;
        let is_it = |value| match ir.inst(value) {
            Inst::Param(index) => index as usize == position,
            Inst::Select(given, _) => {
                matches!(ir.inst(given), Inst::Param(index) if index as usize == position)
            }
            _ => false,
        };
        let body = ir.function(function);
        FileIr::range(body.first, body.end).find_map(|id| match ir.inst(id) {
            Inst::StoreVar { var, value } if is_it(value) => Some(var),
            _ => None,
        })
    }

    /// Whether every use of a variable that holds `module` calls a member of it, or takes one out
    /// that is no module itself.
    fn is_only_called_on(&self, var: VarId, module: &Api<'_>) -> bool {
        let ir = self.ir;
        let is_load = |id: InstId| ir.inst(id) == Inst::LoadVar(var);
        let is_member = |id: InstId| match ir.inst(id) {
            Inst::Get { object, .. } => is_load(object),
            _ => false,
        };
        let is_plain = |id: InstId| match ir.inst(id) {
            Inst::Get { object, key } if is_load(object) => match key.get() {
                Key::Name(name) => !self.is_module_within(module, ir.name(name)),
                Key::Private(_) | Key::Computed(_) => false,
            },
            _ => false,
        };
        ir.insts.iter().all(|&inst| match inst {
            Inst::StoreVar { value, .. } if is_plain(value) => true,
            Inst::Get { object, .. } if is_load(object) => true,
            Inst::CallMethod { object, method, args } if is_member(method) => {
                is_load(object) && !ir.args(args).iter().any(|&it| is_load(it) || is_member(it))
            }
            _ => {
                let mut is_used_otherwise = false;
                inst.for_each_operand(ir, &mut |it| {
                    is_used_otherwise |= is_load(it) || is_member(it);
                });
                !is_used_otherwise
            }
        })
    }
}
