//! Promises that TypeScript knows as promises: only these have a `catch` there.
//!
//! An operation may be declared to give something else that can be waited for (`PromiseLike<T>`, an interface with a
//! `then`, `unknown`, one of several overloads), whatever it gives when it runs.

use headstart_effects::FileAnalysis;
use headstart_ir::{FileIr, Inst, InstId, Resolution, VarId, VarKind};

/// Whether what an operation gives certainly has the type of a promise, as far as the file is checked.
pub(crate) fn has_promise_type(analysis: &FileAnalysis<'_>, operation: InstId) -> bool {
    let ir = analysis.ir;
    if !ir.is_typescript && !ir.is_checked {
        return true;
    }
    match ir.inst(operation) {
        Inst::DynamicImport { .. } => true,
        Inst::Call { callee, .. } => match ir.inst(callee) {
            Inst::LoadVar(var) if is_declared_here(ir, var) => {
                let callees = analysis.summaries.graph.callees(analysis.at(operation));
                let files = analysis.summaries.graph.files();
                !callees.functions.is_empty()
                    && callees
                        .functions
                        .iter()
                        .all(|it| files[it.file as usize].function(it.function).is_async)
            }
            _ => is_given(ir, callee),
        },
        Inst::CallMethod { object, .. } => is_given(ir, object),
        _ => false,
    }
}

/// Whether a function of the file is declared once: it has no other signatures.
fn is_declared_here(ir: &FileIr, var: VarId) -> bool {
    let variable = ir.variable(var);
    let is_untyped_const = variable.kind == VarKind::Const && variable.ty.is_unknown();
    !variable.is_redeclared && (variable.kind == VarKind::Function || is_untyped_const)
}

/// Whether a name is one that a package or the platform exports.
fn is_of_package(ir: &FileIr, var: VarId) -> bool {
    ir.import_of(var).is_some_and(|it| {
        matches!(ir.request(it.request).resolution, Resolution::Builtin | Resolution::Package)
    })
}

/// Whether a value is what a package, the platform or a constructor gives, or a part of that: the types there are those of
/// what runs. What the program declares in between is not.
fn is_given(ir: &FileIr, value: InstId) -> bool {
    match ir.inst(value) {
        Inst::LoadGlobal(_) | Inst::New { .. } => true,
        Inst::Get { object, .. } => is_given(ir, object),
        Inst::LoadVar(var) => {
            let variable = ir.variable(var);
            let is_made = || {
                matches!(
                    variable.init.map(|it| ir.inst(it)),
                    Some(Inst::StoreVar { value, .. }) if matches!(ir.inst(value), Inst::New { .. })
                )
            };
            is_of_package(ir, var) || (variable.ty.is_unknown() && is_made())
        }
        _ => false,
    }
}
