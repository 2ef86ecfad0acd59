//! Promises that wrap a call with a callback: `new Promise((resolve, reject) => stat(path, …))`.

use headstart_callgraph::InstRef;
use headstart_ir::{BlockId, FileIr, FunctionId, Inst, InstId, StmtKind};
use headstart_models::CallsBack;

use super::Summaries;
use super::place::Location;
use super::roots::Roots;
use super::row::arguments;

/// Whether an executor certainly settles its promise once something outside the program has
/// answered: it always makes a call that reads something outside and calls back later, and who is
/// called back settles it whatever the answer is.
pub(crate) fn settles(roots: Roots<'_, '_>) -> bool {
    let ir = roots.ir();
    let function = ir.function(roots.function.function);
    let body = ir.block(function.body);
    // Only what is not conditional in a body without branches runs in any case.
    body.iter().any(|&stmt| {
        let stmt = ir.stmt(stmt);
        let is_plain = matches!(
            stmt.kind,
            StmtKind::Expression { .. } | StmtKind::Declaration { .. } | StmtKind::Return
        );
        is_plain
            && unconditional(ir, stmt.first, stmt.end).into_iter().any(|at| asks_outside(roots, at))
    })
}

/// Whether a call reads something outside and calls back a function that settles the promise.
fn asks_outside(roots: Roots<'_, '_>, at: InstId) -> bool {
    let (all, ir, file) = (roots.all, roots.ir(), roots.function.file);
    let Some(args) = arguments(ir.inst(at)) else { return false };
    let call = InstRef { file, inst: at };
    let callees = all.callees(call);
    let [only] = callees.modelled.as_slice() else { return false };
    let is_only = callees.functions.is_empty() && callees.obstacle().is_none();
    let Some(row) = only.call.filter(|_| is_only && only.native.is_none()) else { return false };
    let effects = roots.resources(row, only.module, ir.args(args), &roots.objects_on(at));
    let only_reads = effects.writes.iter().all(|it| !it.is_answered())
        && effects.reads.iter().any(Location::is_answered);
    row.calls_back == CallsBack::Later
        && only_reads
        && ir.args(args).iter().any(|&arg| match ir.inst(arg) {
            Inst::Closure(callback) => always_settles(all, ir, file, callback),
            _ => all.graph.is_resolver(InstRef { file, inst: arg }),
        })
}

/// Whether a function calls what settles a promise, however it is left.
fn always_settles(all: &Summaries<'_>, ir: &FileIr, file: u32, function: FunctionId) -> bool {
    let body = ir.function(function).body;
    block_settles(all, ir, file, body) == Some(true)
}

/// Whether a block settles the promise before it is left; none where it may be left without.
fn block_settles(all: &Summaries<'_>, ir: &FileIr, file: u32, block: BlockId) -> Option<bool> {
    for &id in ir.block(block) {
        let stmt = ir.stmt(id);
        let head = match &stmt.kind {
            StmtKind::If { then, otherwise } => {
                let first = block_settles(all, ir, file, *then)?;
                let second = match otherwise {
                    Some(block) => block_settles(all, ir, file, *block)?,
                    None => false,
                };
                if first && second {
                    return Some(true);
                }
                // Who has settled it may go on: settling again does nothing.
                continue;
            }
            StmtKind::Block(inner) => match block_settles(all, ir, file, *inner)? {
                true => return Some(true),
                false => continue,
            },
            StmtKind::Loop { .. } | StmtKind::Try(_) | StmtKind::Switch { .. } => return None,
            _ => unconditional(ir, stmt.first, stmt.end),
        };
        let calls = |at: &InstId| match ir.inst(*at) {
            Inst::Call { callee, .. } => all.graph.is_resolver(InstRef { file, inst: callee }),
            _ => false,
        };
        if head.iter().any(calls) {
            return Some(true);
        }
        if matches!(
            stmt.kind,
            StmtKind::Return | StmtKind::Throw | StmtKind::Break { .. } | StmtKind::Continue { .. }
        ) {
            return None;
        }
    }
    Some(false)
}

/// The instructions among some that run in any case.
fn unconditional(ir: &FileIr, first: InstId, end: InstId) -> Vec<InstId> {
    let mut found = Vec::new();
    let mut next = first;
    while next < end {
        found.push(next);
        next = match ir.inst(next) {
            Inst::Conditional { end: behind, .. } => behind.min(end),
            _ => InstId::new(next.index() + 1),
        };
    }
    found
}
