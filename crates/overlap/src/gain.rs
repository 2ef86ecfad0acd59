//! How much waiting a finding would save: an estimate, for the order in which findings are shown.

use headstart_effects::{Effects, Resource, SummaryLocation};
use headstart_ir::{FileIr, Inst};

use crate::schedule::Schedule;
use crate::site::{Site, name_of};
use crate::unit::Unit;

/// What waiting for a resource typically takes, in microseconds. The figures are round on purpose:
/// they order findings and promise nothing. A request within a region of a cloud takes some
/// milliseconds, across the internet some ten; starting a process some ms; a query on an index
/// about one; a file in the page cache 0.1. What is taken to read by its name is mostly a query.
fn typical(kind: Resource) -> u64 {
    match kind {
        Resource::Network => 50_000,
        Resource::Process => 10_000,
        Resource::Connection | Resource::Outside => 2_000,
        Resource::Storage => 1_000,
        Resource::File | Resource::Handle => 100,
        _ => 0,
    }
}

/// What waiting for an operation with these effects typically takes, in microseconds.
pub(crate) fn cost(effects: &Effects) -> u64 {
    let all = effects.reads.iter().chain(&effects.writes);
    let of_each = all.map(|it| match it {
        SummaryLocation::Resource(kind, _) => typical(*kind),
        SummaryLocation::Memory(_) => 0,
    });
    of_each.max().unwrap_or(0)
}

/// What reads the rest of an answer that has begun to come, as a part of what the answer took.
const REST_OF_ANSWER: u64 = 10;

/// The methods of answers that read the rest of them.
const BODIES: [&str; 7] = ["arrayBuffer", "blob", "buffer", "bytes", "formData", "json", "text"];

/// The same of the operation of a statement.
fn cost_of(ir: &FileIr, unit: &Unit<'_>) -> u64 {
    let method = |of: &Site<'_>| match ir.inst(of.operation) {
        Inst::CallMethod { method, .. } => Some(name_of(ir, method)),
        _ => None,
    };
    let is_rest =
        unit.site.as_ref().and_then(method).is_some_and(|it| BODIES.contains(&it.as_str()));
    let is_asked =
        |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(Resource::Network, _));
    let whole = cost(&unit.effects);
    if is_rest && !unit.effects.writes.iter().any(is_asked) {
        whole / REST_OF_ANSWER
    } else {
        whole
    }
}

/// The microseconds that the moved operations would no longer add, about: each overlaps what it
/// no longer waits for.
pub(crate) fn gain(ir: &FileIr, units: &[Unit<'_>], schedule: &Schedule, moved: &[usize]) -> u64 {
    let overlapped = |unit: &usize| {
        let slot = schedule.slots.iter().find(|it| {
            it.early.contains(unit) || (it.units.len() > 1 && it.units.contains(unit))
        })?;
        let other = slot.units.iter().find(|it| *it != unit)?;
        Some(cost_of(ir, &units[*other]).min(cost_of(ir, &units[*unit])))
    };
    moved.iter().filter_map(overlapped).sum()
}

/// How long a block waits in an order, in microseconds: an estimate, to compare orders by.
pub(crate) fn duration(ir: &FileIr, units: &[Unit<'_>], schedule: &Schedule) -> u64 {
    let mut now = 0;
    let mut ends = vec![0; units.len()];
    let takes =
        |unit: usize| if units[unit].suspends { cost_of(ir, &units[unit]).max(1) } else { 0 };
    for slot in &schedule.slots {
        for &unit in &slot.early {
            ends[unit] = now + takes(unit);
        }
        let longest = slot.units.iter().map(|&it| takes(it)).max().unwrap_or(0);
        now = match slot.units.as_slice() {
            [only] if slot.is_started => now.max(ends[*only]),
            _ => now + longest,
        };
    }
    now
}
