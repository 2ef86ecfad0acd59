//! Operations in the array of a `Promise.all` of which another one needs an earlier result: those that do not start
//! earlier by themselves, and are waited for where they were.
//!
//! `const user = await findUser(id); const [posts, tags] = await Promise.all([findPosts(user), findTags()])`

use std::sync::Arc;

use headstart_callgraph::Native;
use headstart_effects::{Assumption, Resource, Step, SummaryLocation};
use headstart_ir::{FileIr, Inst, InstId, VarId};
use rustc_hash::FxHashSet;

use crate::block::Block;
use crate::gain::cost;
use crate::site::{Site, site_of};
use crate::unit::{Scope, Unit, variables};

/// The statements of a block, where those that wait for such a `Promise.all` have the first of those operations for
/// theirs; none where there is no such statement.
pub(crate) fn with_members<'p>(block: &Block<'_, 'p>) -> Option<Vec<Unit<'p>>> {
    let mut given: FxHashSet<VarId> = FxHashSet::default();
    let mut found: Vec<(usize, Site<'p>)> = Vec::new();
    for (index, unit) in block.units.iter().enumerate() {
        if !given.is_empty() {
            found.extend(member(block, unit, &given).map(|it| (index, it)));
        }
        if unit.takes_time() {
            given.extend(&unit.writes);
        }
    }
    if found.is_empty() {
        return None;
    }
    let mut units = block.units.clone();
    for (index, site) in found {
        units[index].site = Some(site);
    }
    Some(units)
}

/// The first operations that stand one behind the other in the array of a `Promise.all` and need nothing of what is
/// `given` before, where the whole does.
fn member<'p>(
    block: &Block<'_, 'p>,
    unit: &Unit<'p>,
    given: &FxHashSet<VarId>,
) -> Option<Site<'p>> {
    let scope = &block.scope;
    let ir = scope.analysis.ir;
    let whole = unit.site.as_ref().filter(|it| it.guard.is_none())?;
    let elements = elements_of_all(scope, whole.operation)?;
    let needs = |first: InstId, last: InstId| {
        let (reads, _) = variables(ir, first, InstId::new(last.index() + 1));
        reads.iter().any(|it| given.contains(it))
    };
    if elements.len() < 2 || !needs(whole.first, whole.operation) {
        return None;
    }
    let known = block.known(unit);
    let site = |element: InstId| {
        let is_call = matches!(ir.inst(element), Inst::Call { .. } | Inst::CallMethod { .. });
        let wait = (whole.suspension, element);
        let site = is_call.then(|| site_of(scope.analysis, unit.stmt, wait, &known, &[]))??;
        (site.fixed.is_none() && !needs(site.first, element)).then_some(site)
    };
    let sites: Vec<Option<Site<'p>>> = elements.iter().map(|&it| site(it)).collect();
    let first = sites.iter().position(Option::is_some)?;
    let run = || sites[first..].iter().map_while(Option::as_ref);
    let end = first + run().count();
    // The others are waited for as long as before: only what takes longer than those makes the whole shorter.
    let others = elements[..first].iter().chain(&elements[end..]);
    let others: Option<Vec<u64>> = others.map(|&it| takes(scope, unit, it)).collect();
    let longest_other = others?.into_iter().max().unwrap_or(0);
    let mut own = elements[first..end].iter().filter_map(|&it| takes(scope, unit, it));
    if !own.any(|it| it > longest_other) {
        return None;
    }
    let of_run: Vec<&Site<'p>> = run().collect();
    let (last, before) = of_run.split_last()?;
    let granted = in_front(scope, unit, of_run.first()?)?;
    let before = before.iter().map(|it| (*it).clone()).collect();
    Some((*last).clone().behind(scope.analysis, before, granted, &known))
}

/// The elements of the array of a `Promise.all`, where that is written out.
pub(crate) fn elements_of_all<'p>(scope: &Scope<'_, 'p>, call: InstId) -> Option<&'p [InstId]> {
    let ir = scope.analysis.ir;
    let Inst::CallMethod { args, .. } = ir.inst(call) else { return None };
    let &[list] = ir.args(args) else { return None };
    let Inst::Array(elements) = ir.inst(list) else { return None };
    scope.summaries.reacts(scope.analysis.at(call), &[Native::All]).then(|| ir.args(elements))
}

/// What waiting for an element of an array typically takes, in microseconds; none where nobody knows what it does.
fn takes(scope: &Scope<'_, '_>, unit: &Unit<'_>, element: InstId) -> Option<u64> {
    let ir = scope.analysis.ir;
    let span = ir.span(element);
    let first = FileIr::range(unit.stmt.first, element).find(|it| span.contains(ir.span(*it)));
    let (first, end) = (first.unwrap_or(element), InstId::new(element.index() + 1));
    let steps = scope.summaries.steps(scope.at(), first, end);
    let is_outside =
        |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(Resource::Outside, _));
    let is_known = |it: &Arc<Step>| {
        !it.is_anything && !it.now.reads.iter().chain(&it.later.reads).any(is_outside)
    };
    let of_step = |it: &Arc<Step>| cost(&it.now).max(cost(&it.later));
    let is_all_known = steps.iter().all(is_known);
    is_all_known.then(|| steps.iter().map(of_step).max().unwrap_or(0))
}

/// What an operation takes for granted that starts before what stands in front of it in its statement; none where that
/// may do more than read.
fn in_front(scope: &Scope<'_, '_>, unit: &Unit<'_>, site: &Site<'_>) -> Option<Vec<Assumption>> {
    let ir = scope.analysis.ir;
    let (needs, _) = variables(ir, site.first, InstId::new(site.operation.index() + 1));
    let sets =
        |at: InstId| matches!(ir.inst(at), Inst::StoreVar { var, .. } if needs.contains(&var));
    let fails = scope.fails_in_front(unit.stmt, site).is_some();
    if fails || FileIr::range(unit.stmt.first, site.first).any(sets) {
        return None;
    }
    let mut granted = Vec::new();
    for step in scope.summaries.steps(scope.at(), unit.stmt.first, site.first) {
        granted.extend(only_reads(scope, unit, &step)?);
    }
    Some(granted)
}

fn only_reads(scope: &Scope<'_, '_>, unit: &Unit<'_>, step: &Arc<Step>) -> Option<Vec<Assumption>> {
    let is_own = |it| scope.analysis.is_made_within(it, (unit.stmt.first, step.at));
    let mut writes = step.now.writes.iter().chain(&step.later.writes);
    if step.locks || !writes.all(is_own) {
        return None;
    }
    let Some(assumed) = step.assumed.as_deref() else {
        return (!step.is_anything).then(Vec::new);
    };
    let mut writes = assumed.before.writes.iter().chain(&assumed.after.writes);
    let only_reads = assumed.ends.is_none() && writes.all(is_own);
    only_reads.then(|| scope.analysis.harmless(assumed, scope.analysis.ir.span(step.at)))
}
