//! What an operation reads that may be there only behind the statements that it starts in front of.
//!
//! `await allow(caller); const name = await find(body.user.id);`: who is not allowed is told so, whatever the body is. Where
//! `find` starts in front of that, what reading `body.user.id` throws becomes a rejection of its promise:
//! `(async () => find(body.user.id))()`.

use headstart_effects::{Assumption, Code, FileAnalysis, Known};
use headstart_ir::{FileIr, Inst, InstId, StmtKind};

use crate::narrowed::keeps_types;
use crate::site::Site;
use crate::unit::Unit;

/// Whether what an operation throws where something is missing has to be handled where it is waited for: it starts, as its
/// `assumptions` say, in front of a statement that may leave, and reads what none of the statements `before` has read.
pub(crate) fn may_lack(
    analysis: &FileAnalysis<'_>,
    site: &Site<'_>,
    assumptions: &[Assumption],
    before: &[Unit<'_>],
) -> bool {
    let leaves =
        |it: &Assumption| matches!(it.reason.code, Code::ReadInVain | Code::ReadInVainWithLines);
    if !assumptions.iter().any(leaves) || !keeps_types(analysis, site) {
        return false;
    }
    let known = Known::at(analysis, analysis.ir.function_at(site.operation), site.first);
    let read: Vec<_> = before
        .iter()
        .filter(|it| is_run_whole(it))
        .flat_map(|unit| {
            let end = unit.site.as_ref().map_or(unit.stmt.end, |it| it.operation);
            holders(analysis.ir, unit.stmt.first, end)
        })
        .map(|it| analysis.access_path(it))
        .collect();
    let end = InstId::new(site.operation.index() + 1);
    holders(analysis.ir, site.first, end)
        .any(|it| !analysis.is_there(it, &known) && !read.contains(&analysis.access_path(it)))
}

/// Whether all that stands in front of the wait of a statement runs.
fn is_run_whole(unit: &Unit<'_>) -> bool {
    matches!(unit.stmt.kind, StmtKind::Declaration { .. } | StmtKind::Expression { .. })
}

/// What properties are read of, as far as that comes from a caller, or was found out on the way.
fn holders(ir: &FileIr, first: InstId, end: InstId) -> impl Iterator<Item = InstId> + '_ {
    FileIr::range(first, end).filter_map(|it| match ir.inst(it) {
        Inst::Get { object, .. } if is_found_out(ir, object) => Some(object),
        _ => None,
    })
}

fn is_found_out(ir: &FileIr, value: InstId) -> bool {
    match ir.inst(value) {
        Inst::Get { object, .. } => is_found_out(ir, object),
        // What stands around the function was put there before it was called.
        Inst::LoadVar(var) => ir.variable(var).owner == ir.function_at(value),
        _ => false,
    }
}
