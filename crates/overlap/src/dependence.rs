//! What in a stretch of code is made of some variables: of the item of a loop, of a parameter.

use headstart_ir::{FileIr, Inst, InstId, Key, VarId};
use rustc_hash::FxHashSet;

use crate::naming::{DEEPEST, Written};
use crate::unit::variables;

/// What is made of some variables, and not of what has been waited for.
pub(crate) struct Dependence<'p> {
    pub(crate) written: Written<'p>,
    /// The variables that hold what is made of them.
    pub(crate) variables: FxHashSet<VarId>,
}

impl<'p> Dependence<'p> {
    /// Of the variables given, in the instructions of a range.
    pub(crate) fn new(
        ir: &'p FileIr,
        (first, end): (InstId, InstId),
        variables: FxHashSet<VarId>,
    ) -> Self {
        let mut found = Self { written: Written { ir, end }, variables };
        // What is made of them is made in order; a second look sees what a loop carries.
        for _ in 0..2 {
            for id in FileIr::range(first, end) {
                if let Inst::StoreVar { var, value } = ir.inst(id)
                    && ir.variable(var).writes == 1
                    && found.depends(value, DEEPEST)
                {
                    found.variables.insert(var);
                }
            }
        }
        found
    }

    /// Whether a value is made of the item, and of nothing that has been waited for.
    pub(crate) fn depends(&self, value: InstId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match self.written.ir.inst(value) {
            Inst::Await(_) => false,
            Inst::LoadVar(var) => self.variables.contains(&var),
            Inst::Object => self.written.members(value).any(|(_, it)| self.depends(it, depth)),
            Inst::Closure(function) => {
                let function = self.written.ir.function(function);
                let (reads, _) = variables(self.written.ir, function.first, function.end);
                !reads.is_disjoint(&self.variables)
            }
            inst => {
                let mut found = false;
                inst.for_each_operand(self.written.ir, &mut |it| found |= self.depends(it, depth));
                found
            }
        }
    }

    /// Whether a value is what an object, or what is in it, has under a name that is made of the item.
    pub(crate) fn is_chosen_by_name(&self, value: InstId) -> bool {
        match self.written.ir.inst(value) {
            Inst::Get { object, key } => match key.get() {
                Key::Computed(key) => self.depends(key, DEEPEST),
                _ => self.is_chosen_by_name(object),
            },
            _ => false,
        }
    }
}
