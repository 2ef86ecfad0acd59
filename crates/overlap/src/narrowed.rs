//! Types that TypeScript knows where an operation stands, and would not know in a function around it.
//!
//! A test narrows the type of a variable or of a property for the code that it guards, but not for
//! functions in it, unless the variable is never assigned again (TypeScript Handbook, "Narrowing").

use headstart_effects::{AccessPath, FileAnalysis, Location, Root};
use headstart_ir::{FileIr, Inst, InstId};

use crate::loops::{Loop, Turn};

/// How deep a test is looked into.
const DEEPEST_TEST: u32 = 6;

/// Whether code that starts the operation of a turn in a function of its own may not have the types that
/// it has where it stands.
pub(crate) fn may_lose_type(it: &Loop<'_, '_>, turn: &Turn<'_>) -> bool {
    let analysis = it.scope.analysis;
    if !analysis.ir.is_typescript {
        return false;
    }
    let is_assigned = |it: &headstart_ir::VarId| analysis.ir.variable(*it).writes > 1;
    if turn.reads.iter().any(is_assigned) {
        return true;
    }
    let of_turn = |path: &AccessPath| match path.root {
        Root::Variable(var) => turn.own.contains(&var),
        _ => false,
    };
    let read: Vec<&AccessPath> = turn
        .stretch
        .refs
        .iter()
        .filter_map(|(it, _)| match it {
            Location::Property(path) if !of_turn(path) => Some(path),
            _ => None,
        })
        .collect();
    !read.is_empty() && narrowed(analysis, it).iter().any(|it| read.contains(&it))
}

/// What tests and assignments in front of a loop are about, in its function.
fn narrowed(analysis: &FileAnalysis<'_>, it: &Loop<'_, '_>) -> Vec<AccessPath> {
    let ir = analysis.ir;
    let mut paths = Vec::new();
    for id in FileIr::range(ir.function(it.scope.function).first, it.stmt.first) {
        match ir.inst(id) {
            Inst::Conditional { test, .. } => tested(analysis, test, DEEPEST_TEST, &mut paths),
            Inst::Set { object, key, .. } => {
                let name = match key.get() {
                    headstart_ir::Key::Name(name) | headstart_ir::Key::Private(name) => Some(name),
                    headstart_ir::Key::Computed(_) => None,
                };
                paths.push(analysis.access_path(object).then(name));
            }
            _ => {}
        }
    }
    paths
}

/// The paths that a test reads.
fn tested(analysis: &FileAnalysis<'_>, test: InstId, depth: u32, into: &mut Vec<AccessPath>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if matches!(analysis.ir.inst(test), Inst::Get { .. }) {
        into.push(analysis.access_path(test));
    }
    analysis.ir.inst(test).for_each_operand(analysis.ir, &mut |it| {
        tested(analysis, it, depth, into);
    });
}
