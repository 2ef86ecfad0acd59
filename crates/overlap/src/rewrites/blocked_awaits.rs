//! Waiting that no rewrite takes away: what stands in its way, by name.

use headstart_effects::{Blocker, Waiting};
use headstart_ir::InstId;

use super::{Find, Meta, Rewrite};
use crate::arbiter::{Proposal, Proposals};
use crate::block::Block;
use crate::crossing::Obstacle;
use crate::finding::{Finding, Level};
use crate::log::only_lines;
use crate::schedule::{BlockFacts, Planner};
use crate::site::{Site, touches_outside};
use crate::unit::{Scope, Unit};
use crate::words;

pub(super) const REWRITE: Rewrite = Rewrite {
    meta: Meta {
        id: "blocked-awaits",
        summary: "Something keeps an operation waiting for another",
        description: "An operation that reads from outside the program starts only when another has \
                      ended, though it needs nothing from it: what stands between them may not be \
                      crossed. There is no rewrite.",
        help: "Look at what is named as standing in the way. Where it does not matter, move it or \
               start the operation before it.",
        edits: None,
        remedy: "start them together",
        here: None,
        waits_for: "for this to end",
        levels: &[Level::Hint],
    },
    find: Find::Block(find),
};

/// Operations that follow one another and are kept apart by something that can be named.
fn find<'p>(block: &Block<'_, 'p>, proposals: &Proposals<'p>) -> Vec<Proposal<'p>> {
    let Block { scope, units, .. } = block;
    let scope = *scope;
    let planner = Planner {
        scope,
        units,
        is_strict: false,
        may_wait: true,
        is_eager: false,
        facts: &BlockFacts::default(),
    };
    let mut found = Vec::new();
    let mut before: Option<usize> = None;
    for (index, unit) in units.iter().enumerate() {
        let lead = before.filter(|_| !proposals.touches(index));
        // What a cache is asked for is there to save what is done where it finds nothing.
        let asks_cache = |lead: &Unit<'_>| {
            scope.summaries.asks_cache(scope.at().file, lead.stmt.first, lead.stmt.end)
        };
        if let Some(lead) = lead
            && reads_outside(scope, unit)
            && !asks_cache(&units[lead])
        {
            let site = unit.site.as_ref();
            let own = site.and_then(|it| it.stretch.as_ref().err()).cloned();
            let blocker = own.or_else(|| match planner.obstacle(index, lead) {
                Some(Obstacle::Blocked(blocker)) => Some(blocker),
                _ => None,
            });
            let hint = blocker.map(|it| hint(scope, &units[lead], unit, it));
            found.extend(hint.map(|it| Proposal::of(it, (index, index))));
        }
        if unit.suspends && touches_outside(&unit.effects) {
            before = Some(index);
        }
    }
    found
}

/// Whether a statement waits for an operation that is known to read from outside, though computing
/// what it is given may do more.
fn reads_outside(scope: Scope<'_, '_>, unit: &Unit<'_>) -> bool {
    // What runs only sometimes may be what is right as it is.
    let always = |it: &&Site<'_>| it.guard.is_none();
    let Some(site) = unit.site.as_ref().filter(always) else { return false };
    if site.stretch.is_ok() {
        return site.fixed.is_none();
    }
    let next = InstId::new(site.operation.index() + 1);
    let steps = scope.summaries.steps(scope.at(), site.operation, next);
    let (waiting, _) = scope.summaries.waiting(scope.at(), site.operation);
    let only_reads = steps
        .iter()
        .all(|it| !it.is_anything && only_lines(&it.now) && only_lines(&it.later));
    let is_outside = steps.iter().any(|it| touches_outside(&it.now) || touches_outside(&it.later));
    only_reads && is_outside && waiting <= Waiting::Answers
}

fn hint(scope: Scope<'_, '_>, before: &Unit<'_>, unit: &Unit<'_>, blocker: Blocker) -> Finding {
    Finding {
        rule: REWRITE.meta.id,
        level: Level::Hint,
        range: unit.stmt.span,
        message: format!(
            "{} starts only when {} has ended",
            words::name(scope, unit),
            words::name(scope, before)
        ),
        overlaps: vec![before.stmt.span],
        crosses: words::suspensions(scope, before),
        assumptions: Vec::new(),
        blockers: vec![blocker],
        gain: 0,
        plan: None,
    }
}
