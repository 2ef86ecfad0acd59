//! Values that nobody knows, parts of which go to one operation and other parts to another:
//! `await complete(body.range); await load(body.filters)`. What the one changes in its part is somewhere in
//! what nobody knows, and so is what the other one reads; that they are not the same is for a person to say.

use headstart_callgraph::PathKey;
use headstart_effects::{Assumption, Code, Overlap, Place, SummaryLocation, keys_text, value_text};
use headstart_ir::{FileIr, Inst, InstId, Key, NameId, VarId};

use crate::crossing::Mover;
use crate::unit::{Scope, Unit};

impl Mover {
    /// That what a statement changes in what it is handed is not what the operation reads: one that reads
    /// somewhere in what nobody knows, and is handed other parts. None where it may be handed that part, too.
    pub(crate) fn other_parts(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        (read, written): (&SummaryLocation, &SummaryLocation),
        found: Overlap,
    ) -> Option<Assumption> {
        let (SummaryLocation::Memory(anywhere), SummaryLocation::Memory(changed)) = (read, written)
        else {
            return None;
        };
        let (&last, way) = changed.keys.split_last()?;
        let is_anywhere = anywhere.keys.iter().all(|it| *it == PathKey::ANY);
        let is_open = anywhere.is_unknown() && (found == Overlap::Alias || is_anywhere);
        if !is_open || !changed.is_unknown() || changed.is_deep {
            return None;
        }
        let of_statement = handed(scope, unit.stmt.first, unit.stmt.end);
        let is_holder = |it: &Place| it.is_unknown() && *it.keys == *way && !it.is_deep;
        let (holder, _) = of_statement.iter().find(|(_, places)| places.iter().any(is_holder))?;
        let own = handed(scope, self.first, InstId::new(self.operation.index() + 1));
        let ir = scope.analysis.ir;
        let leads_there = |(value, places): &(InstId, Vec<Place>)| {
            !are_other_parts(ir, *value, *holder) && places.iter().any(|it| may_lead_to(it, way))
        };
        if own.iter().any(leads_there) {
            return None;
        }
        let changed = value_text(ir, *holder) + &keys_text(scope.summaries, &[last]);
        let reason = Code::ChangedPartIsNotRead.with(&[&changed, &self.name(scope)]);
        Some(Assumption::new(reason, unit.stmt.span))
    }
}

/// Whether what is at a place may hold what is found by going on along `way` from something that nobody knows,
/// or be held by it.
fn may_lead_to(place: &Place, way: &[PathKey]) -> bool {
    let is_same = |(a, b): (&PathKey, &PathKey)| a == b || *a == PathKey::ANY || *b == PathKey::ANY;
    place.is_unknown() && place.keys.iter().zip(way).all(is_same)
}

/// Whether two values are different properties of one variable's: `body.range` and `body.filters`.
fn are_other_parts(ir: &FileIr, a: InstId, b: InstId) -> bool {
    let (Some((of_a, a)), Some((of_b, b))) = (path(ir, a), path(ir, b)) else { return false };
    of_a == of_b && a.iter().zip(&b).any(|(a, b)| a != b)
}

/// The variable that a value is read from, and the names of the properties that lead there.
fn path(ir: &FileIr, mut value: InstId) -> Option<(VarId, Vec<NameId>)> {
    let mut names = Vec::new();
    loop {
        match ir.inst(value) {
            Inst::LoadVar(var) => {
                names.reverse();
                return Some((var, names));
            }
            Inst::Get { object, key } => {
                let Key::Name(name) = key.get() else { return None };
                names.push(name);
                value = object;
            }
            _ => return None,
        }
    }
}

/// What the calls among some instructions are handed, and are called on, with the places of that.
fn handed(scope: &Scope<'_, '_>, first: InstId, end: InstId) -> Vec<(InstId, Vec<Place>)> {
    let ir = scope.analysis.ir;
    let values = FileIr::range(first, end).flat_map(|id| {
        let (receiver, args) = match ir.inst(id) {
            Inst::Call { args, .. } | Inst::New { args, .. } => (None, Some(args)),
            Inst::CallMethod { object, args, .. } => (Some(object), Some(args)),
            _ => (None, None),
        };
        let args = args.map(|it| ir.args(it)).unwrap_or_default();
        args.iter().copied().chain(receiver)
    });
    values.map(|it| (it, scope.summaries.places_of(scope.at(), it))).collect()
}
