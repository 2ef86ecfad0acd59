//! What stands before an operation in a turn of a loop and is computed for it ahead of the turn: either the
//! turn computes it again, and has to get the same, or it goes along as a whole.

use headstart_callgraph::Modelled;
use headstart_effects::{
    Assumption, Blocker, Code, Effects, FileAnalysis, PlaceRoot, SummaryLocation,
};
use headstart_ir::{FileIr, Inst, InstId, Literal, PatternShape, Span, Stmt, StmtKind, VarId};
use headstart_models::ResultKind;
use rustc_hash::FxHashSet;

/// What gives a number or a boolean, wherever the language, the web or Node have something of that name.
const PLAIN: [&str; 26] = [
    "Boolean",
    "Number",
    "charCodeAt",
    "codePointAt",
    "endsWith",
    "every",
    "findIndex",
    "findLastIndex",
    "has",
    "hasOwn",
    "hasOwnProperty",
    "includes",
    "indexOf",
    "isAbsolute",
    "isArray",
    "isFinite",
    "isInteger",
    "isNaN",
    "isSafeInteger",
    "lastIndexOf",
    "localeCompare",
    "parseFloat",
    "parseInt",
    "some",
    "startsWith",
    "test",
];

/// What gives lists of texts.
const TEXTS: [&str; 3] = ["exec", "match", "split"];

/// How many expressions within one another are looked through.
const DEEPEST: u32 = 16;

/// What of some statements that an operation needs goes along as a whole: in their order, whether nothing
/// else in the body of the loop reads what each declares. The last of `statements` stands before `operation`,
/// which is given from its first instruction to the one behind its last.
pub(crate) fn moved_whole(
    ir: &FileIr,
    body: (InstId, InstId),
    statements: &[&Stmt],
    operation: (InstId, InstId),
) -> Vec<bool> {
    let mut along = vec![operation];
    let mut moved: Vec<bool> = Vec::new();
    for stmt in statements.iter().rev() {
        let is_read_elsewhere = is_read_outside(ir, body, &declared(ir, stmt), &along);
        moved.push(!is_read_elsewhere);
        if !is_read_elsewhere {
            along.push((stmt.first, stmt.end));
        }
    }
    moved.reverse();
    moved
}

/// Whether instructions of `body` that are not `along` read one of some variables, a function does that is made there, or
/// a type names it there.
pub(crate) fn is_read_outside(
    ir: &FileIr,
    body: (InstId, InstId),
    variables: &FxHashSet<VarId>,
    along: &[(InstId, InstId)],
) -> bool {
    let is_along = |it: Span| along.iter().any(|&other| ir.extent(other).contains(it));
    let is_named = |var: VarId| ir.queries(var).any(|it| !is_along(it));
    // A function that goes along reads it where it goes.
    let is_seen = |var: VarId| {
        let all = ir.insts.iter().zip(&ir.spans);
        ir.variable(var).is_captured
            && all.filter(|it| *it.0 == Inst::LoadVar(var)).any(|it| !is_along(*it.1))
    };
    variables.iter().any(|&var| is_seen(var) || is_named(var))
        || FileIr::range(body.0, body.1).any(|id| match ir.inst(id) {
            Inst::LoadVar(var) => {
                variables.contains(&var) && !along.iter().any(|it| it.0 <= id && id < it.1)
            }
            _ => false,
        })
}

/// Whether a variable gets an object itself that its declaration makes, and not a part of one: a name of its own, or
/// what is left in `{ id, ...rest }`.
fn is_made_here(ir: &FileIr, stmt: &Stmt, var: VarId) -> bool {
    FileIr::range(stmt.first, stmt.end).any(|id| match ir.inst(id) {
        Inst::StoreVar { var: stored, value } => {
            stored == var && !matches!(ir.inst(value), Inst::Get { .. } | Inst::Iterate(_))
        }
        _ => false,
    })
}

fn declared(ir: &FileIr, stmt: &Stmt) -> FxHashSet<VarId> {
    let stored = FileIr::range(stmt.first, stmt.end).filter_map(|id| match ir.inst(id) {
        Inst::StoreVar { var, .. } => Some(var),
        _ => None,
    });
    stored.collect()
}

/// That a statement which runs ahead of its turn, and again in it, gives the same both times: a primitive
/// value, an object that is there already, or one that nobody tells from another. Up to `operation` it is used for the
/// operation, which may be handed an object that is made again only where it changes none of those; what that rests on.
///
/// # Errors
/// What it may give only once.
pub(crate) fn gives_the_same(
    analysis: &FileAnalysis<'_>,
    (stmt, operation, end): (&Stmt, InstId, InstId),
    (effects, of_operation): (&Effects, Option<&Effects>),
) -> Result<Vec<Assumption>, Blocker> {
    let ir = analysis.ir;
    let may_change = |it: &SummaryLocation| match it {
        SummaryLocation::Memory(place) => {
            use PlaceRoot::{Exports, Global, Static, Variable};
            !matches!(place.root, Variable(..) | Global | Static(_) | Exports(_))
        }
        SummaryLocation::Resource(..) => false,
    };
    let changes_none = of_operation.is_some_and(|it| !it.writes.iter().any(may_change));
    let behind = InstId::new(operation.index() + 1);
    let mut assumptions = Vec::new();
    let StmtKind::Declaration { declarators, .. } = &stmt.kind else { return Ok(assumptions) };
    let declared = declared(ir, stmt);
    for it in declarators {
        // `const { a, ...rest } = item` makes an object.
        let is_same = it.shape != PatternShape::Complex
            && it.value.is_none_or(|value| {
                is_same(analysis, value, DEEPEST)
                    || (it.shape == PatternShape::Elements && holds_texts(analysis, value))
            });
        if is_same {
            continue;
        }
        if it.value.is_some_and(|value| is_taken_for_plain(analysis, value)) {
            assumptions.push(Assumption::new(Code::GivesTheSameAgain, it.span));
            continue;
        }
        let mut made = declared.iter().filter(|&&var| is_made_here(ir, stmt, var));
        // Who is handed one of the two could give it to who has the other.
        let is_handed = |var: VarId| {
            changes_none
                && is_only_looked_at(ir, var, (stmt.end, behind), Some(operation))
                && is_only_looked_at(ir, var, (behind, end), None)
        };
        let mut are_handed = false;
        let are_alike = made.all(|&var| {
            is_only_looked_at(ir, var, (stmt.end, behind), None) || {
                are_handed = true;
                is_handed(var)
            }
        });
        if !are_alike {
            return Err(Blocker::new(Code::AnotherObjectEachTime, it.span));
        }
        if are_handed || !it.value.is_some_and(|value| holds_texts(analysis, value)) {
            assumptions.push(Assumption::new(Code::GivesTheSameAgain, it.span));
        }
    }
    depends_on_inside(effects, stmt.span)?;
    Ok(assumptions)
}

/// That nothing outside the program decides what some code gives which runs ahead of its turn, and again
/// in it.
///
/// # Errors
/// It does.
pub(crate) fn depends_on_inside(effects: &Effects, span: Span) -> Result<(), Blocker> {
    let is_outside = |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(..));
    if effects.reads.iter().any(is_outside) {
        return Err(Blocker::new(Code::AnotherAnswerEachTime, span));
    }
    Ok(())
}

/// Whether some instructions use nothing of a variable but items and properties of its value, or whether there is
/// one: they change nothing of it, and give it to nobody but the operation that may be handed it.
fn is_only_looked_at(
    ir: &FileIr,
    var: VarId,
    (first, end): (InstId, InstId),
    may_be_handed: Option<InstId>,
) -> bool {
    let is_it = |it: InstId| ir.inst(it) == Inst::LoadVar(var);
    !ir.variable(var).is_captured
        && FileIr::range(first, end).all(|id| {
            let inst = ir.inst(id);
            let mut is_used = false;
            inst.for_each_operand(ir, &mut |it| is_used |= is_it(it));
            !is_used
                || match inst {
                    Inst::Get { object, .. } => is_it(object),
                    Inst::Pure1(_) | Inst::Conditional { .. } | Inst::Iterate(_) => true,
                    Inst::Call { .. } | Inst::CallMethod { .. } => may_be_handed == Some(id),
                    _ => false,
                }
        })
}

/// Whether a call gives a list of texts, whenever it gives a list: `split`, `match` and `exec` of the language.
fn holds_texts(analysis: &FileAnalysis<'_>, call: InstId) -> bool {
    let summaries = analysis.summaries;
    let graph = &summaries.graph;
    let callees = graph.callees(analysis.at(call));
    let gives_texts = |it: &Modelled<'_>| {
        let name = graph.name(it);
        it.module == "ecmascript"
            && name.rsplit_once(['.', '#']).is_some_and(|it| TEXTS.contains(&it.1))
    };
    callees.obstacle().is_none()
        && callees.functions.is_empty()
        && !callees.modelled.is_empty()
        && callees.modelled.iter().all(gives_texts)
}

/// Whether computing a value again from the same gives the same value.
fn is_same(analysis: &FileAnalysis<'_>, value: InstId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let has_accessor = || analysis.summaries.graph.has_accessor(analysis.at(value));
    match analysis.ir.inst(value) {
        Inst::Literal(literal) => !matches!(literal, Literal::RegExp { .. }),
        Inst::LoadVar(_)
        | Inst::LoadGlobal(_)
        | Inst::This
        | Inst::ImportMeta
        | Inst::NewTarget
        | Inst::Param(_)
        | Inst::Template(_)
        | Inst::Operator { .. }
        | Inst::Convert(_)
        | Inst::Pure1(_)
        | Inst::Pure2(..)
        | Inst::Has { .. }
        | Inst::InstanceOf { .. } => true,
        Inst::Select(one, other) => {
            is_same(analysis, one, depth) && is_same(analysis, other, depth)
        }
        Inst::Get { .. } => !has_accessor() || is_plain(analysis, value),
        Inst::Call { .. } | Inst::CallMethod { .. } => is_plain(analysis, value),
        _ => false,
    }
}

/// Whether what a call gives is a text, a number or a boolean: functions of the program give it, all of
/// which are known, or a model says so.
fn is_plain(analysis: &FileAnalysis<'_>, call: InstId) -> bool {
    analysis.summaries.graph.callees(analysis.at(call)).obstacle().is_none()
        && gives_plain(analysis, call)
}

/// The same of what a model describes where something else may stand in its place, of which a finding says that it
/// does nothing else.
fn is_taken_for_plain(analysis: &FileAnalysis<'_>, value: InstId) -> bool {
    let is_call = matches!(analysis.ir.inst(value), Inst::Call { .. } | Inst::CallMethod { .. });
    let modelled = || {
        let callees = analysis.summaries.graph.callees(analysis.at(value));
        callees.functions.is_empty() && !callees.modelled.is_empty()
    };
    is_call && modelled() && gives_plain(analysis, value)
}

fn gives_plain(analysis: &FileAnalysis<'_>, call: InstId) -> bool {
    let summaries = analysis.summaries;
    let (graph, at) = (&summaries.graph, analysis.at(call));
    let callees = graph.callees(at);
    let gives_plain = |it: &Modelled<'_>| {
        let is_text = it.call.is_some_and(|it| it.result == ResultKind::String);
        let name = graph.name(it);
        let (of, name) = name.rsplit_once(['.', '#']).unwrap_or(("", name.as_str()));
        is_text || of.ends_with("Math") || PLAIN.contains(&name)
    };
    let is_primitive = || graph.is_primitive(at) && !graph.may_be_function(at);
    !callees.is_empty
        && callees.modelled.iter().all(gives_plain)
        && (callees.functions.is_empty() || is_primitive())
}
