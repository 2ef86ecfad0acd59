//! Waiting that no rewrite takes away: what stands in its way, by name.

use headstart_effects::{Blocker, Waiting};
use headstart_ir::{FileIr, InstId, Span, StmtKind};

use crate::crossing::Obstacle;
use crate::finding::{Finding, Level};
use crate::independent_awaits::callee_text;
use crate::schedule::Planner;
use crate::site::{Site, touches_outside};
use crate::unit::{Scope, Unit};

pub(crate) const RULE: &str = "blocked-awaits";

/// Operations that follow one another and are kept apart by something that can be named.
pub(crate) fn find<'p>(scope: Scope<'_, 'p>, units: &[Unit<'p>], frozen: &[bool]) -> Vec<Finding> {
    let planner = Planner { scope, units, is_strict: false, may_wait: true, is_eager: false };
    let mut findings = Vec::new();
    let mut before: Option<usize> = None;
    for (index, unit) in units.iter().enumerate() {
        let lead = before.filter(|_| !frozen[index]);
        if let (Some(lead), true) = (lead, reads_outside(scope, unit)) {
            let site = unit.site.as_ref();
            let own = site.and_then(|it| it.stretch.as_ref().err()).cloned();
            let blocker = own.or_else(|| match planner.obstacle(index, lead) {
                Some(Obstacle::Blocked(blocker)) => Some(blocker),
                _ => None,
            });
            findings.extend(blocker.map(|it| hint(scope, &units[lead], unit, it)));
        }
        if unit.suspends && touches_outside(&unit.effects) {
            before = Some(index);
        }
    }
    findings
}

/// Whether a statement waits for an operation that is known to read from outside, though computing
/// what it is given may do more.
fn reads_outside(scope: Scope<'_, '_>, unit: &Unit<'_>) -> bool {
    let Some(site) = &unit.site else { return false };
    if site.stretch.is_ok() {
        return site.fixed.is_none();
    }
    let next = InstId::new(site.operation.index() + 1);
    let steps = scope.summaries.steps(scope.at(), site.operation, next);
    let (waiting, _) = scope.summaries.waiting(scope.at(), site.operation);
    let only_reads = steps
        .iter()
        .all(|it| !it.is_anything && it.now.writes.is_empty() && it.later.writes.is_empty());
    let is_outside = steps.iter().any(|it| touches_outside(&it.now) || touches_outside(&it.later));
    only_reads && is_outside && waiting <= Waiting::Answers
}

fn hint(scope: Scope<'_, '_>, before: &Unit<'_>, unit: &Unit<'_>, blocker: Blocker) -> Finding {
    Finding {
        rule: RULE,
        level: Level::Hint,
        range: unit.stmt.span,
        message: format!(
            "`{}` starts only when `{}` has ended",
            name(scope, unit),
            name(scope, before)
        ),
        overlaps: vec![before.stmt.span],
        crosses: suspensions(scope, before),
        assumptions: Vec::new(),
        blockers: vec![blocker],
        gain: 0,
        plan: None,
    }
}

/// The suspensions of a statement.
pub(crate) fn suspensions(scope: Scope<'_, '_>, unit: &Unit<'_>) -> Vec<Span> {
    let ir = scope.analysis.ir;
    match &unit.site {
        Some(site) => vec![ir.span(site.suspension)],
        None => FileIr::range(unit.stmt.first, unit.stmt.end)
            .filter(|&id| ir.inst(id).is_suspend_point())
            .map(|id| ir.span(id))
            .collect(),
    }
}

/// What a statement waits for, in a word.
pub(crate) fn name(scope: Scope<'_, '_>, unit: &Unit<'_>) -> String {
    let ir = scope.analysis.ir;
    let what = |site: &Site<'_>| callee_text(ir, site.operation);
    match (&unit.site, &unit.stmt.kind) {
        (Some(site), _) => what(site),
        (None, StmtKind::If { .. }) => "if".to_owned(),
        (None, StmtKind::Loop { .. }) => "the loop".to_owned(),
        (None, StmtKind::Try(_)) => "try".to_owned(),
        (None, _) => "the statement before it".to_owned(),
    }
}
