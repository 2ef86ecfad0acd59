//! Several awaits of one statement whose operations could start together.

use headstart_effects::{
    Assumption, Code, Effects, Known, Overlap, Stretch, SummaryLocation, Waiting,
};
use headstart_ir::{DeclKind, FileIr, Inst, InstId, StmtKind};

use crate::block::Surroundings;
use crate::cleanup;
use crate::crossing::{Mover, comes_to_an_end};
use crate::finding::{Finding, Level, Plan};
use crate::gain::cost;
use crate::log;
use crate::pending;
use crate::reading::{disturbed, shared_handle};
use crate::repeated::has_repeated;
use crate::site::Site;
use crate::unit::{Scope, Unit};
use crate::words;

/// Awaits of one statement whose operations may start together.
pub(crate) struct Gathering<'p> {
    /// Two or more, in order.
    pub(crate) sites: Vec<Site<'p>>,
    assumptions: Vec<Assumption>,
}

impl<'p> Gathering<'p> {
    /// Whether the operations of `sites` may start together, where the instruction `from` begins: what
    /// is certain there is `known`. What is evaluated from there to `until` does not wait for them any more.
    pub(crate) fn of(
        scope: Scope<'_, 'p>,
        unit: &Unit<'p>,
        surroundings: &Surroundings,
        sites: Vec<Site<'p>>,
        (from, until): (InstId, InstId),
        known: &Known,
    ) -> Option<Self> {
        // When one fails, what the others write would still be going on, or should not have begun.
        if sites.len() < 2 || !sites.iter().all(Site::only_reads) {
            return None;
        }
        let ir = scope.analysis.ir;
        let mut assumptions = assumptions(scope, unit, &sites, (from, until), known)?;
        let mut blockers = Vec::new();
        let first = ir.span(sites[0].operation);
        let stretches = sites.iter().filter_map(|it| it.stretch.as_ref().ok());
        let effects: Vec<&Effects> = stretches.map(|it| &it.effects).collect();
        surroundings.judge(scope, (first, &effects), &mut assumptions, &mut blockers);
        if surroundings.is_told_apart {
            assumptions.push(Assumption::new(Code::AnyErrorWillDo, first));
        }
        // When one fails, the others are still under way.
        for site in &sites {
            let Ok(stretch) = &site.stretch else { continue };
            let span = ir.span(site.operation);
            let cleanup = cleanup::conflict(scope, site.operation, span, &stretch.effects);
            blockers.extend(cleanup.blocker);
            assumptions.extend(cleanup.assumptions);
        }
        blockers.is_empty().then_some(Self { sites, assumptions })
    }

    /// What a rewrite reports that carries this out.
    pub(crate) fn finding(self, ir: &FileIr, rule: &'static str, plan: Plan) -> Finding {
        let names = |sites: &[Site<'_>]| -> Vec<String> {
            sites.iter().map(|it| words::quoted(ir, it.operation)).collect()
        };
        let effects = |it: &Site<'_>| Some(cost(&it.stretch.as_ref().ok()?.effects));
        let costs: Vec<u64> = self.sites.iter().filter_map(effects).collect();
        let slowest = costs.iter().copied().max().unwrap_or(0);
        let awaits: Vec<_> = self.sites.iter().map(|it| ir.span(it.suspension)).collect();
        Finding {
            rule,
            level: if self.assumptions.is_empty() { Level::Safe } else { Level::Likely },
            range: awaits[1],
            message: words::message(&names(&self.sites[..1]), &names(&self.sites[1..])),
            overlaps: awaits[..1].iter().chain(&awaits[2..]).copied().collect(),
            crosses: vec![awaits[0]],
            assumptions: self.assumptions,
            blockers: Vec::new(),
            gain: costs.iter().sum::<u64>() - slowest,
            plan: Some(plan),
        }
    }
}

/// What that takes for granted; none where it is not possible. All that the statement evaluates
/// between `from` and `until` may be evaluated while they are under way, or behind all of them then.
fn assumptions(
    scope: Scope<'_, '_>,
    unit: &Unit<'_>,
    sites: &[Site<'_>],
    (from, until): (InstId, InstId),
    known: &Known,
) -> Option<Vec<Assumption>> {
    let last = sites.last()?;
    let is_other =
        |id: &InstId| !sites.iter().any(|site| site.first <= *id && *id <= site.suspension);
    let rest: Vec<InstId> =
        FileIr::range(from, until).filter(|it| is_other(it) && !binds(scope, unit, *it)).collect();
    let others = scope.analysis.stretch_among(rest.iter().copied(), from, known).ok()?;
    let is_plain = others.started.is_empty() && others.effects.writes.is_empty();
    // What is converted is converted when the others are under way, and not before.
    let mut found = others.assumptions.clone();
    let moved = Mover::new(&scope, last.first, last.operation, others);
    found.extend(moved.suspension(&scope).ok()?);
    let calls = |it: &InstId| {
        matches!(
            scope.analysis.ir.inst(*it),
            Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. }
        )
    };
    if !is_plain || (!found.is_empty() && rest.iter().any(calls)) {
        return None;
    }
    for site in &sites[1..] {
        let stretch = site.stretch.as_ref().ok()?.clone();
        let mover = Mover::new(&scope, site.first, site.operation, stretch);
        if mover.reads.iter().any(|it| unit.writes.contains(it)) {
            return None;
        }
        found.extend(mover.suspension(&scope).ok()?);
        let effects = &mover.stretch.effects;
        found.extend(pending::conflict(&scope, effects, (from, site.operation)).ok()?);
    }
    found.extend(sites[0].stretch.as_ref().ok()?.assumptions.iter().cloned());
    let end = InstId::new(sites[0].operation.index() + 1);
    let of_first = scope.analysis.ir.span(sites[0].operation);
    found.extend(scope.no_code_within((sites[0].first, end), of_first));
    found.extend(together(scope, sites)?);
    Some(found)
}

/// Whether an instruction gives a name its value that the statement declares, and that no closure looks at: whatever
/// starts in between does not need it.
fn binds(scope: Scope<'_, '_>, unit: &Unit<'_>, at: InstId) -> bool {
    let ir = scope.analysis.ir;
    let is_plain = matches!(unit.stmt.kind, StmtKind::Declaration { kind, .. }
        if matches!(kind, DeclKind::Const | DeclKind::Let));
    matches!(ir.inst(at), Inst::StoreVar { var, .. }
        if is_plain && unit.writes.contains(&var) && !ir.variable(var).is_captured)
}

/// What it takes that operations are under way together; none where one of them changes what another
/// reads, and so on.
fn together(scope: Scope<'_, '_>, sites: &[Site<'_>]) -> Option<Vec<Assumption>> {
    if has_repeated(&scope, sites) {
        return None;
    }
    let analysis = scope.analysis;
    let mut found = Vec::new();
    let repeating = sites[0].stretch.as_ref().ok()?.started.iter();
    for &(at, waiting) in repeating {
        found.extend((waiting == Waiting::Repeats).then(|| comes_to_an_end(analysis.ir.span(at))));
    }
    // Of those that move, it is said where their suspension is judged.
    let of_first = sites[0].stretch.as_ref().ok()?;
    found.extend(log::order(&scope, &of_first.effects, analysis.ir.span(sites[0].operation)));
    for (index, site) in sites.iter().enumerate().skip(1) {
        let stretch = site.stretch.as_ref().ok()?;
        for earlier in &sites[..index] {
            let other = earlier.stretch.as_ref().ok()?;
            let is_cut = (stretch.ends && !earlier.writes_nothing())
                || (other.ends && !site.writes_nothing());
            if stretch.locks || other.locks || is_cut {
                return None;
            }
            let clash = |a: &SummaryLocation, b: &SummaryLocation| {
                let is_none = log::are_lines(a, b) || log::selects(&scope, a);
                !is_none && crate::unit::overlap(&scope, a, b) != Overlap::No
            };
            let changes = |a: &Stretch, b: &Stretch| {
                let used = || b.reads().chain(&b.effects.writes);
                a.effects.writes.iter().any(|it| used().any(|of| clash(it, of)))
            };
            let is_apart = !changes(other, stretch) && !changes(stretch, other);
            if !is_apart || disturbed(&scope, &stretch.effects, &other.effects).is_some() {
                return None;
            }
            if other.lingers {
                found.push(Assumption::new(
                    Code::LeftGoingOnTogether,
                    analysis.ir.span(earlier.operation),
                ));
            }
            let calls = (earlier.first, InstId::new(earlier.operation.index() + 1));
            found.extend(shared_handle(analysis, calls, site.operation).ok()?);
        }
        if stretch.gives {
            found.push(Assumption::new(
                Code::OthersDoNotFailElseNobodyCloses,
                analysis.ir.span(site.operation),
            ));
        }
        if stretch.abandons {
            found.push(Assumption::new(
                Code::OthersDoNotFailElseNothingHandles,
                analysis.ir.span(site.operation),
            ));
        }
    }
    Some(found)
}
