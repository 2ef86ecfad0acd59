//! Operations that go through the same cache.

use headstart_callgraph::InstRef;
use headstart_effects::{Blocker, Code, Filling, SummaryLocation};
use headstart_ir::{FileIr, Inst, InstId};

use crate::crossing::{Mover, Obstacle};
use crate::unit::{Scope, Unit};

impl Mover {
    /// Whether it fills the cache that a location is one of.
    pub(crate) fn fills(&self, location: &SummaryLocation) -> bool {
        self.stretch.filled.contains(location)
    }

    /// Whether it may come to where a statement fills a cache, though nobody knows all that it does.
    pub(crate) fn comes_to(&self, scope: &Scope<'_, '_>, fill: InstRef) -> bool {
        let filler = scope.summaries.graph.function_at(fill);
        scope.summaries.may_come_to(scope.analysis.at(self.operation), filler)
    }

    /// What asks a cache for the same finds it there when the first has ended: nothing overlaps. A cache of one thing is
    /// asked for the same by all.
    ///
    /// # Errors
    /// It does that.
    pub(crate) fn asks_the_same(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        (written, fill): (&SummaryLocation, InstRef),
    ) -> Result<(), Obstacle> {
        let ir = scope.analysis.ir;
        let filling = scope.summaries.filling(fill);
        if matches!(filling, Some(Filling::Sorts | Filling::Collects)) {
            return Ok(());
        }
        let reason = Code::FoundInACache.with(&[&self.name(scope)]);
        let found = Err(Obstacle::Blocked(Blocker::new(reason, unit.stmt.span)));
        // Whoever comes while the first still works it out works out the one thing that is kept once more.
        if filling == Some(Filling::ByAll) && self.fills(written) {
            return found;
        }
        let is_same = |id: InstId| match (ir.inst(id), ir.inst(self.operation)) {
            (Inst::Call { callee, args }, Inst::Call { callee: own, args: of_own })
            | (
                Inst::CallMethod { method: callee, args, .. },
                Inst::CallMethod { method: own, args: of_own, .. },
            ) => {
                let (args, of_own) = (ir.args(args), ir.args(of_own));
                let mut pairs = args.iter().zip(of_own);
                let are_same =
                    args.len() == of_own.len() && pairs.all(|(&a, &b)| ir.are_alike(a, b));
                // `this.http` is what asks, and does not name what is asked for.
                let mut names = args.iter().zip(of_own).skip_while(|(a, _)| is_of_this(ir, **a));
                let is_named_alike = names.next().is_some_and(|(&a, &b)| ir.are_alike(a, b));
                ir.are_alike(callee, own) && (are_same || is_named_alike)
            }
            _ => false,
        };
        let mut others = FileIr::range(unit.stmt.first, unit.stmt.end);
        if !others.any(|it| it != self.operation && is_same(it)) {
            return Ok(());
        }
        found
    }
}

/// Whether a value is `this`, or a member of that.
fn is_of_this(ir: &FileIr, value: InstId) -> bool {
    match ir.inst(value) {
        Inst::This => true,
        Inst::Get { object, .. } => ir.inst(object) == Inst::This,
        _ => false,
    }
}
