//! Awaits inside the array of a `Promise.all`, which undo what it is there for.
//!
//! ## What it does
//! Takes away the `await` of operations in the array that `Promise.all` gets, so that they start
//! together and are waited for together.
//!
//! ## Before
//! ```js
//! const [user, teams] = await Promise.all([await fetchUser(id), await fetchTeams(id)]);
//! ```
//!
//! ## After
//! ```js
//! const [user, teams] = await Promise.all([fetchUser(id), fetchTeams(id)]);
//! ```
//!
//! ## When not
//! See `docs/awaits-inside-promise-all.md`: what keeps awaits in one expression apart keeps these.

use headstart_effects::Known;
use headstart_ir::{FileIr, Inst, InstId};

use super::{Find, Meta, Rewrite};
use crate::arbiter::{Proposal, Proposals};
use crate::block::Block;
use crate::finding::{Level, Plan};
use crate::gathering::Gathering;
use crate::members::elements_of_all;
use crate::script::{Change, Fit, Fragment, Script};
use crate::site::{Site, site_without, sites_at, suspensions};
use crate::unit::{Scope, Unit};
use crate::walk::pinned_comment;

pub(super) const REWRITE: Rewrite = Rewrite {
    meta: Meta {
        id: "awaits-inside-promise-all",
        summary: "Awaits inside Promise.all wait for one another",
        description: "The operations in the array of a `Promise.all` are awaited in the array \
                      already, so that each starts only when the one before it has ended.",
        help: "Take the awaits inside the array away: `Promise.all` waits for all that is in it. \
               `headstart fix` does it.",
        edits: Some("Take the awaits inside the array away"),
        remedy: "start them together",
        here: None,
        waits_for: "for this to end",
        levels: &[Level::Safe, Level::Likely],
    },
    find: Find::Block(find),
};

fn find<'p>(block: &Block<'_, 'p>, _: &Proposals<'p>) -> Vec<Proposal<'p>> {
    if block.surroundings.is_exact {
        return Vec::new();
    }
    let of_unit = |(index, unit)| of_unit(block, unit, index);
    block.units.iter().enumerate().filter_map(of_unit).collect()
}

fn of_unit<'p>(block: &Block<'_, 'p>, unit: &Unit<'p>, index: usize) -> Option<Proposal<'p>> {
    let scope = block.scope;
    let ir = scope.analysis.ir;
    if unit.is_ignored || pinned_comment(ir, unit.stmt.span).is_some() {
        return None;
    }
    let (call, awaits) = awaits_of_an_array(scope, unit)?;
    let known = block.known(unit);
    let sites = sites_at(scope.analysis, unit.stmt, &awaits, &known);
    let script = script(ir, &sites)?;
    let from = sites.first()?.first;
    let becomes = whole(scope, unit, call, &awaits);
    let gathering = Gathering::of(scope, unit, &block.surroundings, sites, (from, call), &known)?;
    let plan = Plan::within(unit.stmt.span, block.form, &script);
    let finding = gathering.finding(ir, REWRITE.meta.id, plan);
    Some(Proposal { finding, units: (index, index), script: Some(script), becomes })
}

/// A `Promise.all` of a statement, and the awaits that are elements of its array: there are no others
/// between those.
fn awaits_of_an_array(scope: Scope<'_, '_>, unit: &Unit<'_>) -> Option<(InstId, Vec<InstId>)> {
    let ir = scope.analysis.ir;
    let always = suspensions(ir, unit.stmt);
    FileIr::range(unit.stmt.first, unit.stmt.end).find_map(|call| {
        let elements = elements_of_all(&scope, call)?;
        let is_element = |it: &InstId| elements.contains(it);
        let inner: Vec<InstId> = always.iter().copied().filter(is_element).collect();
        let (first, last) = (*inner.first()?, *inner.last()?);
        let between = FileIr::range(first, last).filter(|&it| ir.inst(it).is_suspend_point());
        (inner.len() > 1 && between.count() + 1 == inner.len()).then_some((call, inner))
    })
}

/// The operation that the statement waits for once the awaits are gone: the `Promise.all`.
fn whole<'p>(
    scope: Scope<'_, 'p>,
    unit: &Unit<'p>,
    call: InstId,
    awaits: &[InstId],
) -> Option<Site<'p>> {
    let next = InstId::new(call.index() + 1);
    let is_awaited = scope.analysis.ir.insts.get(next.index()) == Some(&Inst::Await(call));
    // What is evaluated before the first of them stays before all of them.
    let is_first = suspensions(scope.analysis.ir, unit.stmt).first() == awaits.first();
    (is_awaited && is_first).then(|| site_without(scope.analysis, unit.stmt, next, &Known::default(), awaits))?
}

/// Each await becomes what it waits for; none where a comment stands between the two.
fn script(ir: &FileIr, sites: &[Site<'_>]) -> Option<Script> {
    let mut script = Script::default();
    for site in sites {
        if site.loses_comment(ir) {
            return None;
        }
        let (span, operation) = (ir.span(site.suspension), ir.span(site.operation));
        let with = vec![Fragment::Source(operation)];
        script.changes.push(Change { span, with, fit: Fit::Operand });
    }
    Some(script)
}
