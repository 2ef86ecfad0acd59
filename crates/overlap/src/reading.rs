//! Reads that are not independent of one another: one changes what the other one sees.

use headstart_effects::{
    Assumption, Blocker, Code, Effects, FileAnalysis, Resource, SummaryLocation,
};
use headstart_ir::{FileIr, Inst, InstId, Key, Literal};

use crate::unit::Scope;

/// What one operation reads and another one changes for it, though both only read.
pub(crate) fn disturbed<'e>(
    scope: &Scope<'_, '_>,
    effects: &'e Effects,
    others: &Effects,
) -> Option<&'e SummaryLocation> {
    let is_other =
        |read: &&SummaryLocation| others.reads.iter().any(|it| scope.summaries.disturbs(read, it));
    effects.reads.iter().find(is_other)
}

/// What an object is given: under a key, or copied.
type Member = (Option<Key>, InstId);

/// How many values within one another are compared.
const DEEPEST: u32 = 12;

/// That an operation which is known only by its name is written like one before it: each takes the next of
/// something, or is asked in vain.
fn asks_the_same(
    analysis: &FileAnalysis<'_>,
    (first, end): (InstId, InstId),
    later: InstId,
) -> Option<Blocker> {
    let (ir, summaries) = (analysis.ir, analysis.summaries);
    // What a command says of a repository is another thing when somebody has changed that.
    let is_by_name = || {
        let at = analysis.at(later);
        let next = InstId::new(later.index() + 1);
        let is_process =
            |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(Resource::Process, _));
        summaries.is_read_by_name(at)
            || summaries
                .effects_of(summaries.graph.function_at(at), later, next)
                .reads
                .iter()
                .any(is_process)
    };
    let is_same = |it: InstId| {
        it != later
            && matches!(ir.inst(it), Inst::Call { .. } | Inst::CallMethod { .. })
            && is_written_alike(ir, (it, it), (later, later))
    };
    let found = FileIr::range(first, end).any(is_same) && is_by_name();
    found.then(|| Blocker::new(Code::AskedTwice, ir.span(later)))
}

/// Whether two values are computed in the same way from the same; each is given with the call that it is
/// handed to.
pub(crate) fn is_written_alike(
    ir: &FileIr,
    one: (InstId, InstId),
    other: (InstId, InstId),
) -> bool {
    is_alike_within(ir, one, other, DEEPEST)
}

fn is_alike_within(
    ir: &FileIr,
    (one, one_call): (InstId, InstId),
    (other, other_call): (InstId, InstId),
    depth: u32,
) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let alike = |a, b| is_alike_within(ir, (a, one_call), (b, other_call), depth);
    let all_alike = |a, b| {
        let (a, b): (&[InstId], &[InstId]) = (ir.args(a), ir.args(b));
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| alike(a, b))
    };
    let same_key = |a: Key, b: Key| match (a, b) {
        (Key::Computed(a), Key::Computed(b)) => alike(a, b),
        (a, b) => a == b,
    };
    match (ir.inst(one), ir.inst(other)) {
        // Only short ones are kept.
        (Inst::Literal(Literal::Number(None) | Literal::LongString | Literal::BigInt), _) => false,
        (Inst::Call { callee: a, args }, Inst::Call { callee: b, args: others })
        | (Inst::New { callee: a, args }, Inst::New { callee: b, args: others }) => {
            alike(a, b) && all_alike(args, others)
        }
        (
            Inst::CallMethod { method: a, args, .. },
            Inst::CallMethod { method: b, args: others, .. },
        ) => alike(a, b) && all_alike(args, others),
        (Inst::Get { object: a, key }, Inst::Get { object: b, key: other }) => {
            alike(a, b) && same_key(key.get(), other.get())
        }
        (Inst::Array(a), Inst::Array(b)) | (Inst::Template(a), Inst::Template(b)) => {
            all_alike(a, b)
        }
        (
            Inst::Operator { left, right, plus, .. },
            Inst::Operator { left: a, right: b, plus: other, .. },
        ) => plus == other && alike(left, a) && alike(right, b),
        (Inst::Spread(a), Inst::Spread(b)) | (Inst::Await(a), Inst::Await(b)) => alike(a, b),
        (Inst::Object, Inst::Object) => {
            let parts = |object: InstId, call: InstId| -> Vec<Member> {
                let put = FileIr::range(object, call).filter_map(|it| match ir.inst(it) {
                    Inst::Set { object: of, key, value } if of == object => {
                        Some((Some(key.get()), value))
                    }
                    Inst::CopyProps { object: of, value } if of == object => Some((None, value)),
                    Inst::Accessor { object: of, .. } if of == object => Some((None, it)),
                    _ => None,
                });
                put.collect()
            };
            let (a, b) = (parts(one, one_call), parts(other, other_call));
            let is_same = |(a, b): (&Member, &Member)| {
                let is_key = match (a.0, b.0) {
                    (Some(a), Some(b)) => same_key(a, b),
                    (a, b) => a == b,
                };
                is_key && alike(a.1, b.1)
            };
            a.len() == b.len() && a.iter().zip(&b).all(is_same)
        }
        (
            a @ (Inst::Literal(_)
            | Inst::LoadVar(_)
            | Inst::LoadGlobal(_)
            | Inst::This
            | Inst::Super),
            b,
        ) => a == b,
        _ => false,
    }
}

/// What both take from one thing: the only connection of a pool, or what a name leads to that is read
/// once. What is read by a name that the program is told may be a pipe or an open file: it is read once.
/// Two reads through one open file move the same position.
pub(crate) fn shared_handle(
    analysis: &FileAnalysis<'_>,
    (first, end): (InstId, InstId),
    later: InstId,
) -> Result<Option<Assumption>, Blocker> {
    let summaries = analysis.summaries;
    let consumed = |call: InstId| summaries.consumed(analysis.at(call));
    let function = summaries.graph.function_at(analysis.at(later));
    let own = (later, InstId::new(later.index() + 1));
    if summaries.shares_only_connection(function, own, (first, end)) {
        return Err(Blocker::new(Code::OnlyConnection, analysis.ir.span(later)));
    }
    if let Some(blocker) = asks_the_same(analysis, (first, end), later) {
        return Err(blocker);
    }
    let taken = consumed(later);
    if taken.is_empty() {
        return Ok(None);
    }
    let mut assumption = None;
    for earlier in FileIr::range(first, end) {
        for before in consumed(earlier) {
            for &now in taken.iter().filter(|&&it| !is_constant(analysis, it)) {
                if analysis.access_path(before) == analysis.access_path(now) {
                    return Err(Blocker::new(Code::ReadTwice, analysis.ir.span(now)));
                }
            }
        }
        assumption = assumption.or_else(|| may_be_handles(analysis, earlier, later));
    }
    Ok(assumption)
}

/// Whether a path is the same text always.
fn is_constant(analysis: &FileAnalysis<'_>, path: InstId) -> bool {
    let ir = analysis.ir;
    match ir.inst(path) {
        Inst::Literal(_) => true,
        Inst::LoadVar(var) => {
            let variable = ir.variable(var);
            let init = variable.init.filter(|_| variable.is_stable()).map(|it| ir.inst(it));
            matches!(init, Some(Inst::StoreVar { value, .. })
                if matches!(ir.inst(value), Inst::Literal(_)))
        }
        _ => false,
    }
}

/// What two operations read may be one open file, though they are told different things.
fn may_be_handles(
    analysis: &FileAnalysis<'_>,
    earlier: InstId,
    later: InstId,
) -> Option<Assumption> {
    let known = headstart_effects::Known::default();
    let handle = |call| analysis.operation(call, &known).ok().and_then(|it| it.maybe_handle);
    let (_, handle) = (handle(earlier)?, handle(later)?);
    Some(Assumption::new(Code::PathIsNoHandle, analysis.ir.span(handle)))
}
