//! Two operations of one kind that name their files by different expressions: `remove(a)`, `remove(join(root, "b"))`.

use headstart_effects::{FileAnalysis, Known, Resource, SummaryLocation};
use headstart_ir::{FileIr, Inst, InstId, Key, Literal};
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

/// Whether a call reads one path and writes another one that are made alike: `` copyFile(`${file}.1`, `${file}.2`) ``.
pub(crate) fn reads_beside(analysis: &FileAnalysis<'_>, call: InstId) -> bool {
    let Some(Paths { written, used, .. }) = paths(analysis, call) else { return false };
    used.iter().any(|it| {
        !written.contains(it) && written.iter().any(|of| are_relatives(analysis.ir, *it, *of))
    })
}

/// Whether what one call reads is made like what another one writes, and is not the same.
pub(crate) fn reads_beside_of(
    analysis: &FileAnalysis<'_>,
    reading: InstId,
    writing: InstId,
) -> bool {
    match (paths(analysis, reading), paths(analysis, writing)) {
        (Some(read), Some(written)) => read.used.iter().any(|it| {
            written
                .written
                .iter()
                .any(|of| !analysis.ir.are_alike(*it, *of) && are_relatives(analysis.ir, *it, *of))
        }),
        _ => false,
    }
}

/// Whether two paths begin alike, or are parts of one list.
fn are_relatives(ir: &FileIr, one: InstId, other: InstId) -> bool {
    let list = |it: InstId| match ir.inst(it) {
        Inst::Get { object, key } if matches!(key.get(), Key::Computed(_)) => Some(object),
        _ => None,
    };
    let is_named = |it: InstId| !matches!(ir.inst(it), Inst::Literal(_));
    let begin = |it: InstId| begins(ir, it).filter(|it| is_named(*it));
    match (begin(one), begin(other), list(one), list(other)) {
        (Some(one), Some(other), ..) | (_, _, Some(one), Some(other)) => ir.are_alike(one, other),
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
    let args = parts(ir, call)?;
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
    let (a, b) = (told(ir, a), told(ir, b));
    let is_beginning =
        |it: InstId, of: InstId| begins(ir, of).is_some_and(|of| is_same(ir, it, of));
    // `join(root, "a")` and `join(root, "a", "b")`
    let is_within = |it: InstId, of: InstId| match (parts(ir, it), parts(ir, of)) {
        (Some(it), Some(of)) => {
            it.len() < of.len() && it.iter().zip(of).all(|(&it, &of)| is_same(ir, it, of))
        }
        _ => false,
    };
    is_alike(ir, a, b, DEEPEST)
        || is_beginning(a, b)
        || is_beginning(b, a)
        || is_within(a, b)
        || is_within(b, a)
}

/// The value of a constant, where that is put together.
fn told(ir: &FileIr, value: InstId) -> InstId {
    let of_constant = match ir.inst(value) {
        Inst::LoadVar(var) if ir.variable(var).writes == 1 => ir.initial_value(var),
        _ => None,
    };
    of_constant.filter(|&it| is_put_together(ir.inst(it))).unwrap_or(value)
}

fn is_same(ir: &FileIr, one: InstId, other: InstId) -> bool {
    let (told_one, told_other) = (told(ir, one), told(ir, other));
    ir.are_alike(one, other)
        || (is_put_together(ir.inst(told_one)) || matches!(ir.inst(told_one), Inst::Literal(_)))
            && is_alike(ir, told_one, told_other, DEEPEST)
}

/// The arguments of a call.
fn parts(ir: &FileIr, value: InstId) -> Option<&[InstId]> {
    match ir.inst(value) {
        Inst::Call { args, .. } | Inst::CallMethod { args, .. } => Some(ir.args(args)),
        _ => None,
    }
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
        (Inst::Literal(Literal::String(a)), Inst::Literal(Literal::String(b))) => {
            plain_path(ir.name(a)) == plain_path(ir.name(b))
        }
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

/// A path without what says nothing: `./a/` and `a`.
fn plain_path(path: &str) -> &str {
    let mut path = path.trim_end_matches('/');
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    path
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
