//! Items that a loop leaves out since it has met them before: `if (seen.has(name)) continue; seen.add(name);`.
//!
//! What a turn reads ahead may be for such an item, which is met in a turn that is still to come: it is read in vain then.
//! The other way round nothing is missed, since a set that is only added to never forgets.

use headstart_effects::{Assumption, Code, PlaceRoot, SummaryLocation};
use headstart_ir::{FileIr, Inst, InstId, VarId};
use rustc_hash::FxHashSet;

use crate::deciding::When;
use crate::loops::{Loop, Needed, Turn};
use crate::words;

/// Takes it that what a turn adds to such sets does not decide what the next ones read; what that rests on.
pub(crate) fn reads_in_vain(it: &Loop<'_, '_>, turn: &mut Turn<'_>) -> Vec<Assumption> {
    if !turn.site.writes_nothing() {
        return Vec::new();
    }
    let analysis = it.scope.analysis;
    let ir = analysis.ir;
    let name = words::callee_text(ir, turn.site.operation);
    let mut sets: FxHashSet<PlaceRoot> = FxHashSet::default();
    let mut found = Vec::new();
    for needed in &turn.needed {
        if let Needed::If(span, test, When::False) = needed
            && let Some(set) = asked(it, *test)
        {
            sets.insert(PlaceRoot::Made(analysis.at(set)));
            found.push(Assumption::new(Code::ReadInVain.with(&[&name]), *span));
        }
    }
    let is_other = |it: &SummaryLocation| match it {
        SummaryLocation::Memory(place) => !sets.contains(&place.root),
        SummaryLocation::Resource(..) => true,
    };
    for stretch in [&mut turn.stretch, &mut turn.guards] {
        stretch.effects.reads.retain(is_other);
        stretch.looked_at.retain(|it| is_other(&it.0));
    }
    found
}

/// The set that a test asks, where the loop only adds to it.
fn asked(it: &Loop<'_, '_>, test: InstId) -> Option<InstId> {
    let ir = it.scope.analysis.ir;
    let var = of_set(ir, test, &["has"])?;
    let made = ir.initial_value(var)?;
    let variable = ir.variable(var);
    let is_own = variable.owner == it.scope.function && !variable.is_captured;
    if !ir.is_new_of(made, &["Set"]) || !is_own || variable.writes != 1 || made >= it.stmt.first {
        return None;
    }
    let calls = FileIr::range(it.stmt.first, it.stmt.end)
        .filter(|&it| of_set(ir, it, &["add", "has"]) == Some(var));
    let uses =
        FileIr::range(it.stmt.first, it.stmt.end).filter(|&it| ir.inst(it) == Inst::LoadVar(var));
    (calls.count() == uses.count()).then_some(made)
}

/// The variable of what a method with one of some names is called on.
fn of_set(ir: &FileIr, call: InstId, names: &[&str]) -> Option<VarId> {
    let (object, _) = ir.method_call(call).filter(|it| names.contains(&it.1))?;
    match ir.inst(object) {
        Inst::LoadVar(var) => Some(var),
        _ => None,
    }
}
