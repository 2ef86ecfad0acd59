//! Who looks at a variable: statements, and the closures that they may call.

use headstart_ir::{FileIr, FunctionId, Inst, InstId, VarId, VarKind};
use rustc_hash::FxHashSet;

use crate::unit::{Scope, Unit};

/// Whether some instructions call functions of the program, themselves or by what they hand them to.
pub(crate) fn calls(scope: &Scope<'_, '_>, (first, end): (InstId, InstId)) -> bool {
    FileIr::range(first, end).any(|id| {
        let mut found = false;
        scope.summaries.graph.for_each_function(scope.analysis.at(id), &mut |_| found = true);
        found
    })
}

/// The first of some variables that a statement looks at, or a closure that it may call. Where such a variable
/// got its value earlier, the statement would find another one, or one where there was none (ECMA-262, 9.1.1.1.6:
/// the dead zone).
pub(crate) fn looks_at(
    scope: &Scope<'_, '_>,
    unit: &Unit<'_>,
    variables: &FxHashSet<VarId>,
) -> Option<VarId> {
    let ir = scope.analysis.ir;
    let (first, end) = (unit.stmt.first, unit.stmt.end);
    let is_seen = |var: &VarId| {
        unit.reads.contains(var)
            || is_seen_by_closure(ir, scope.function, *var, end) && calls(scope, (first, end))
    };
    variables.iter().copied().filter(is_seen).min()
}

/// Whether a closure that exists before `point` reads or writes a variable of `function`.
pub(crate) fn is_seen_by_closure(
    ir: &FileIr,
    function: FunctionId,
    var: VarId,
    point: InstId,
) -> bool {
    let variable = ir.variable(var);
    if !variable.is_captured && !variable.is_written_by_closure {
        return false;
    }
    let from_earlier_turn = variable.kind == VarKind::Var;
    ir.functions.iter().enumerate().any(|(index, closure)| {
        let mut outermost = FunctionId::new(index);
        while let Some(parent) = ir.function(outermost).parent
            && parent != function
        {
            outermost = parent;
        }
        let is_inside = ir.function(outermost).parent == Some(function);
        let exists = from_earlier_turn || ir.function(outermost).created <= point;
        is_inside
            && exists
            && FileIr::range(closure.first, closure.end).any(|id| match ir.inst(id) {
                Inst::LoadVar(it) | Inst::StoreVar { var: it, .. } => it == var,
                _ => false,
            })
    })
}
