//! Two operations of one kind that name their files by different expressions: `remove(a)`, `remove(join(root, "b"))`.

use headstart_effects::{FileAnalysis, Known, Resource, SummaryLocation};
use headstart_ir::{FileIr, Inst, InstId, Key};
use headstart_models::Argument;

/// How deep expressions are compared.
const DEEPEST: u32 = 8;

/// Whether two calls are of one function that a model describes, whose first argument is a path, and the
/// paths that they write to are written differently. That they lead to different files is for a person to say.
pub(crate) fn on_different_paths(
    analysis: &FileAnalysis<'_>,
    (one, other): (InstId, InstId),
    places: [&SummaryLocation; 2],
) -> bool {
    let is_file = |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(Resource::File, _));
    places.into_iter().all(is_file)
        && match (paths(analysis, one), paths(analysis, other)) {
            (Some(one), Some(other)) => {
                let differ = |&a: &InstId, &b: &InstId| !may_be_alike(analysis.ir, a, b);
                let from = |written: &[InstId], used: &[InstId]| {
                    written.iter().all(|it| used.iter().all(|other| differ(it, other)))
                };
                one.row == other.row
                    && from(&one.written, &other.used)
                    && from(&other.written, &one.used)
            }
            _ => false,
        }
}

/// What a call does, and where.
struct Paths {
    /// The module and the function.
    row: (String, String),
    /// The paths that it writes to; the first that it is handed where it writes to none.
    written: Vec<InstId>,
    /// All its paths.
    used: Vec<InstId>,
}

fn paths(analysis: &FileAnalysis<'_>, call: InstId) -> Option<Paths> {
    let ir = analysis.ir;
    let args = match ir.inst(call) {
        Inst::Call { args, .. } | Inst::CallMethod { args, .. } => ir.args(args),
        _ => return None,
    };
    let operation = analysis.operation(call, &Known::default()).ok()?;
    let is_path = |it: &Argument| matches!(it, Argument::Path | Argument::PathOrHandle);
    let arguments = &operation.model.arguments;
    if !arguments.first().is_some_and(|it| is_path(it) || *it == Argument::Data) {
        return None;
    }
    let row = (operation.module.module.clone(), operation.callee.to_owned());
    let mut written: Vec<InstId> = operation.writes.iter().filter_map(|it| it.which).collect();
    if written.is_empty() {
        written.push(*args.first()?);
    }
    let paths = args.iter().zip(arguments).filter(|it| is_path(it.1)).map(|it| *it.0);
    let used = written.iter().copied().chain(paths).collect();
    Some(Paths { row, written, used })
}

/// Whether two expressions may be written alike, or one be the beginning of the other, as the name of a folder
/// is of what lies in it; those that are not understood may.
pub(crate) fn may_be_alike(ir: &FileIr, a: InstId, b: InstId) -> bool {
    let is_beginning =
        |it: InstId, of: InstId| begins(ir, of).is_some_and(|of| ir.are_alike(it, of));
    is_alike(ir, a, b, DEEPEST) || is_beginning(a, b) || is_beginning(b, a)
}

/// What a text begins with that is put together: `root` of `` `${root}/a` `` and of `join(root, "a")`.
fn begins(ir: &FileIr, value: InstId) -> Option<InstId> {
    match ir.inst(value) {
        Inst::Template(parts) => ir.args(parts).first().copied(),
        Inst::Operator { left, plus: true, .. } => Some(begins(ir, left).unwrap_or(left)),
        Inst::Call { args, .. } | Inst::CallMethod { args, .. } => ir.args(args).first().copied(),
        _ => None,
    }
}

fn is_alike(ir: &FileIr, a: InstId, b: InstId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    let all = |a: &[InstId], b: &[InstId]| {
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| is_alike(ir, a, b, depth))
    };
    match (ir.inst(a), ir.inst(b)) {
        (Inst::LoadVar(a), Inst::LoadVar(b)) => a == b,
        (Inst::LoadGlobal(a), Inst::LoadGlobal(b)) => a == b,
        (Inst::This, Inst::This) => true,
        (Inst::Literal(a), Inst::Literal(b)) => a == b,
        (Inst::Get { object: a, key: of_a }, Inst::Get { object: b, key: of_b }) => {
            match (of_a.get(), of_b.get()) {
                (Key::Computed(one), Key::Computed(other)) => {
                    is_alike(ir, one, other, depth) && is_alike(ir, a, b, depth)
                }
                (one, other) => one == other && is_alike(ir, a, b, depth),
            }
        }
        (Inst::Call { callee: a, args: of_a }, Inst::Call { callee: b, args: of_b }) => {
            is_alike(ir, a, b, depth) && all(ir.args(of_a), ir.args(of_b))
        }
        (
            Inst::CallMethod { method: a, args: of_a, .. },
            Inst::CallMethod { method: b, args: of_b, .. },
        ) => is_alike(ir, a, b, depth) && all(ir.args(of_a), ir.args(of_b)),
        (Inst::Template(a), Inst::Template(b)) => all(ir.args(a), ir.args(b)),
        (
            Inst::Operator { left: a, right: of_a, plus: true, .. },
            Inst::Operator { left: b, right: of_b, plus: true, .. },
        ) => is_alike(ir, a, b, depth) && is_alike(ir, of_a, of_b, depth),
        // What is made of parts is not what a name stands for, nor what is made of others.
        (a, b) => {
            let are_known = [a, b].into_iter().all(|it| is_simple(it) || is_put_together(it));
            !(are_known && (is_put_together(a) || is_put_together(b)))
        }
    }
}

/// A name, or a text that is written out.
fn is_simple(inst: Inst) -> bool {
    matches!(inst, Inst::LoadVar(_) | Inst::LoadGlobal(_) | Inst::Literal(_) | Inst::Get { .. })
}

/// What is made of parts.
fn is_put_together(inst: Inst) -> bool {
    matches!(
        inst,
        Inst::Call { .. }
            | Inst::CallMethod { .. }
            | Inst::Template(_)
            | Inst::Operator { plus: true, .. }
    )
}
