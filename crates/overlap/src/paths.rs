//! Two operations of one kind that name their files by different expressions: `remove(a)`, `remove(join(root, "b"))`.

use headstart_effects::{FileAnalysis, Known, Resource, SummaryLocation};
use headstart_ir::{FileIr, Inst, InstId};
use headstart_models::Argument;

/// How deep expressions are compared.
const DEEPEST: u32 = 8;

/// Whether two calls are of one function that a model describes, whose first argument is a path, and the
/// paths are written differently. That they lead to different files is for a person to say.
pub(crate) fn on_different_paths(
    analysis: &FileAnalysis<'_>,
    (one, other): (InstId, InstId),
    places: [&SummaryLocation; 2],
) -> bool {
    let is_file = |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(Resource::File, _));
    places.into_iter().all(is_file)
        && match (path(analysis, one), path(analysis, other)) {
            (Some((row, a)), Some((of_other, b))) => {
                row == of_other && !may_be_alike(analysis.ir, a, b, DEEPEST)
            }
            _ => false,
        }
}

/// What a call calls, and the path that it is handed first.
fn path(analysis: &FileAnalysis<'_>, call: InstId) -> Option<((String, String), InstId)> {
    let ir = analysis.ir;
    let args = match ir.inst(call) {
        Inst::Call { args, .. } | Inst::CallMethod { args, .. } => ir.args(args),
        _ => return None,
    };
    let operation = analysis.operation(call, &Known::default()).ok()?;
    let is_path = matches!(
        operation.model.arguments.first(),
        Some(Argument::Path | Argument::PathOrHandle | Argument::Data)
    );
    let name = (operation.module.module.clone(), operation.callee.to_owned());
    Some((name, *args.first().filter(|_| is_path)?))
}

/// Whether two expressions may be written alike; those that are not understood may.
fn may_be_alike(ir: &FileIr, a: InstId, b: InstId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    let all = |a: &[InstId], b: &[InstId]| {
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| may_be_alike(ir, a, b, depth))
    };
    match (ir.inst(a), ir.inst(b)) {
        (Inst::LoadVar(a), Inst::LoadVar(b)) => a == b,
        (Inst::Literal(a), Inst::Literal(b)) => a == b,
        (Inst::Get { object: a, key: of_a }, Inst::Get { object: b, key: of_b }) => {
            of_a == of_b && may_be_alike(ir, a, b, depth)
        }
        (Inst::Call { callee: a, args: of_a }, Inst::Call { callee: b, args: of_b }) => {
            may_be_alike(ir, a, b, depth) && all(ir.args(of_a), ir.args(of_b))
        }
        (
            Inst::CallMethod { method: a, args: of_a, .. },
            Inst::CallMethod { method: b, args: of_b, .. },
        ) => may_be_alike(ir, a, b, depth) && all(ir.args(of_a), ir.args(of_b)),
        (Inst::Template(a), Inst::Template(b)) => all(ir.args(a), ir.args(b)),
        (
            Inst::LoadVar(_) | Inst::Literal(_) | Inst::Get { .. },
            Inst::Call { .. } | Inst::CallMethod { .. },
        )
        | (
            Inst::Call { .. } | Inst::CallMethod { .. },
            Inst::LoadVar(_) | Inst::Literal(_) | Inst::Get { .. },
        ) => false,
        _ => true,
    }
}
