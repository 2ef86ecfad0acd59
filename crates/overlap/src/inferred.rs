//! Types of results that TypeScript infers from where the results go.
//!
//! The type of a call of a generic function may come from the place of its result: in
//! `const user: User = await getJson(url)`, the annotation decides what `getJson<T>` gives (TypeScript
//! Handbook, "Contextual Typing"). In `Promise.all([getJson(url)])` that is lost, so such a call only
//! moves where its type can be written out.

use headstart_effects::FileAnalysis;
use headstart_ir::{
    Declarator, FileIr, FunctionId, Inst, InstId, Literal, PatternShape, Stmt, StmtKind, Type,
    VarId, Variable,
};

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
    /// Perhaps from itself, were it not where it is: in a loop, it depends on a variable whose type
    /// there depends on what is assigned in the loop (TS7022).
    Loop,
}

impl ResultType {
    /// Whether the operation may have another place, or be waited for together with others.
    pub(crate) fn moves(self) -> bool {
        matches!(self, Self::Operation | Self::Annotation)
    }
}

/// Where the type of the result of an operation comes from, which begins with the instruction `first` and
/// is awaited in `stmt`.
pub(crate) fn result_type(
    analysis: &FileAnalysis<'_>,
    stmt: &Stmt,
    (first, operation): (InstId, InstId),
    binding: Binding<'_>,
) -> ResultType {
    let ir = analysis.ir;
    let is_call = matches!(ir.inst(operation), Inst::Call { .. } | Inst::CallMethod { .. });
    if !ir.is_typescript || !is_call || ir.has_type_arguments(operation) {
        return ResultType::Operation;
    }
    let is_annotated = matches!(binding, Binding::Declared(_, it) if it.has_annotation());
    if binding.is_used() && !is_annotated && depends_on_loop(ir, first, operation) {
        return ResultType::Loop;
    }
    let annotated = match binding {
        Binding::Unused => return ResultType::Operation,
        Binding::Declared(_, it) if !it.has_annotation() => match it.shape {
            PatternShape::Name(_) => return ResultType::Operation,
            _ => None,
        },
        Binding::Declared(_, it) => Some(it),
        Binding::Within => None,
    };
    let summaries = analysis.summaries;
    let callees = summaries.graph.callees(analysis.at(operation));
    let functions = || {
        let files = summaries.graph.files();
        callees.functions.iter().map(|it| files[it.file as usize].function(it.function))
    };
    let is_generic = functions().any(|it| it.is_generic);
    // A function of a package may be generic, too: where nothing asks for a type, it has its own. What is called beside
    // functions of the program has a type that fits theirs.
    let is_foreign = callees.is_empty || !callees.unknown.is_empty();
    let is_all_foreign = is_foreign && functions().next().is_none();
    let may_be_inferred =
        is_generic || (is_all_foreign && asks_for_type(analysis, stmt, operation));
    if !may_be_inferred {
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

/// Whether a statement says what type the results in it have to have.
fn asks_for_type(analysis: &FileAnalysis<'_>, stmt: &Stmt, operation: InstId) -> bool {
    let ir = analysis.ir;
    match &stmt.kind {
        StmtKind::Declaration { declarators, .. } => {
            declarators.iter().any(Declarator::has_annotation)
        }
        StmtKind::Return => ir.function(function_at(analysis, operation)).has_return_type,
        _ => FileIr::range(operation, stmt.end)
            .any(|id| matches!(ir.inst(id), Inst::StoreVar { .. } | Inst::Set { .. })),
    }
}

fn function_at(analysis: &FileAnalysis<'_>, at: InstId) -> FunctionId {
    let summaries = analysis.summaries;
    summaries.graph.function_at(analysis.at(at)).function
}

/// Whether an operation in a loop reads a variable that the loop assigns, and whose type may be another one
/// after each assignment: TypeScript narrows what is declared as one of several types, or without a type.
fn depends_on_loop(ir: &FileIr, first: InstId, operation: InstId) -> bool {
    let changing = |id: InstId| match ir.inst(id) {
        Inst::LoadVar(var) => {
            let variable = ir.variable(var);
            (variable.writes > 1 && !has_one_type(ir, variable)).then_some(var)
        }
        _ => None,
    };
    let read: Vec<VarId> = FileIr::range(first, operation).filter_map(changing).collect();
    let assigns =
        |id: InstId| matches!(ir.inst(id), Inst::StoreVar { var, .. } if read.contains(&var));
    !read.is_empty()
        && ir.loops_around(operation).any(|(first, end)| FileIr::range(first, end).any(assigns))
}

/// Whether a variable certainly has one type from its declaration on, such as the counter of a loop.
pub(crate) fn has_one_type(ir: &FileIr, variable: &Variable) -> bool {
    let annotated = ir.types.get(variable.ty.index());
    let is_plain = matches!(annotated, Some(Type::String | Type::Number | Type::BigInt));
    let value = match ir.insts.get(variable.declared.index()) {
        Some(&Inst::StoreVar { value, .. }) => Some(ir.inst(value)),
        _ => None,
    };
    let is_literal = matches!(
        value,
        Some(
            Inst::Literal(Literal::Number(_) | Literal::String(_) | Literal::LongString)
                | Inst::Template(_)
        )
    );
    is_plain || (is_literal && variable.ty.is_unknown())
}
