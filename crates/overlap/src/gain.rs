//! How much waiting a finding would save: an estimate, for the order in which findings are shown.

use headstart_effects::{Effects, Resource, SummaryLocation};

use crate::schedule::Schedule;
use crate::unit::Unit;

/// What waiting for a resource typically takes, in microseconds. The figures are round on purpose:
/// they order findings and promise nothing. A request within a region of a cloud takes some
/// milliseconds, across the internet some ten; starting a process some ms; a query on an index
/// about one; a file in the page cache 0.1.
fn typical(kind: Resource) -> u64 {
    match kind {
        Resource::Network => 50_000,
        Resource::Process => 10_000,
        Resource::Connection => 2_000,
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

/// The microseconds that the moved operations would no longer add, about: each overlaps what it
/// no longer waits for.
pub(crate) fn gain(units: &[Unit<'_>], schedule: &Schedule, moved: &[usize]) -> u64 {
    let overlapped = |unit: &usize| {
        let slot = schedule.slots.iter().find(|it| {
            it.early.contains(unit) || (it.units.len() > 1 && it.units.contains(unit))
        })?;
        let other = slot.units.iter().find(|it| *it != unit)?;
        Some(cost(&units[*other].effects).min(cost(&units[*unit].effects)))
    };
    moved.iter().filter_map(overlapped).sum()
}

/// How long a block waits in an order, in microseconds: an estimate, to compare orders by.
pub(crate) fn duration(units: &[Unit<'_>], schedule: &Schedule) -> u64 {
    let mut now = 0;
    let mut ends = vec![0; units.len()];
    let takes =
        |unit: usize| if units[unit].suspends { cost(&units[unit].effects).max(1) } else { 0 };
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
