//! Types of results that TypeScript infers from where the results go.
//!
//! The type of a call of a generic function may come from the place of its result: in
//! `const user: User = await getJson(url)`, the annotation decides what `getJson<T>` gives (TypeScript
//! Handbook, "Contextual Typing"). In `Promise.all([getJson(url)])` that is lost, so such a call only
//! moves where its type can be written out.

use headstart_effects::FileAnalysis;
use headstart_ir::{Declarator, FileIr, FunctionId, Inst, InstId, PatternShape, Stmt, StmtKind};

use crate::site::Binding;

/// Where the type of a result comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResultType {
    /// From the operation itself.
    Operation,
    /// Perhaps from an annotation that can be written at its promise, too: `Promise<User>`.
    Annotation,
    /// Perhaps from where it goes, in a way that cannot be written elsewhere.
    Place,
}

/// Where the type of the result of `operation` comes from, which is awaited in `stmt`.
pub(crate) fn result_type(
    analysis: &FileAnalysis<'_>,
    stmt: &Stmt,
    operation: InstId,
    binding: Binding<'_>,
) -> ResultType {
    let ir = analysis.ir;
    let is_call = matches!(ir.inst(operation), Inst::Call { .. } | Inst::CallMethod { .. });
    if !ir.is_typescript || !is_call || ir.has_type_arguments(operation) {
        return ResultType::Operation;
    }
    let annotated = match binding {
        Binding::Unused => return ResultType::Operation,
        Binding::Declared(_, it) if !has_annotation(it) => match it.shape {
            PatternShape::Name(_) => return ResultType::Operation,
            _ => None,
        },
        Binding::Declared(_, it) => Some(it),
        Binding::Within => None,
    };
    let Some(summaries) = analysis.summaries else { return ResultType::Place };
    let callees = summaries.graph.callees(analysis.at(operation));
    let functions = || {
        let files = summaries.graph.files();
        callees.functions.iter().map(|it| files[it.file as usize].function(it.function))
    };
    let is_generic = functions().any(|it| it.is_generic);
    // A function of a package may be generic, too: where nothing asks for a type, it has its own.
    let is_foreign = callees.is_empty || !callees.unknown.is_empty();
    if !(is_generic || is_foreign && asks_for_type(analysis, stmt, operation)) {
        return ResultType::Operation;
    }
    // What an async function returns is a `Promise`, and nothing more special.
    let is_promise =
        !is_foreign && callees.modelled.is_empty() && functions().all(|it| it.is_async);
    match annotated {
        Some(it) if is_promise && it.has_plain_annotation => match it.shape {
            PatternShape::Name(_) => ResultType::Annotation,
            _ => ResultType::Place,
        },
        _ => ResultType::Place,
    }
}

fn has_annotation(it: &Declarator) -> bool {
    it.annotation.start < it.annotation.end
}

/// Whether a statement says what type the results in it have to have.
fn asks_for_type(analysis: &FileAnalysis<'_>, stmt: &Stmt, operation: InstId) -> bool {
    let ir = analysis.ir;
    match &stmt.kind {
        StmtKind::Declaration { declarators, .. } => declarators.iter().any(has_annotation),
        StmtKind::Return => ir.function(function_at(analysis, operation)).has_return_type,
        _ => FileIr::range(operation, stmt.end)
            .any(|id| matches!(ir.inst(id), Inst::StoreVar { .. } | Inst::Set { .. })),
    }
}

fn function_at(analysis: &FileAnalysis<'_>, at: InstId) -> FunctionId {
    let summaries = analysis.summaries;
    summaries.map_or(FunctionId::new(0), |it| it.graph.function_at(analysis.at(at)).function)
}
