//! Fixtures for durations, gaps, chains, branching and concurrency, with the numbers worked out by hand.

use crate::histogram::Curve;
use crate::report::ViewReport;
use crate::tests::script::{Event, REACTION, TIMER, begin, end, init, measured};

fn macrotasks(events: &[Event]) -> ViewReport {
    measured(events, usize::MAX).macrotasks
}

/// A curve of values in units that each have a bucket of their own.
fn curve(values: &[u64]) -> Curve {
    let mut buckets: Vec<(f64, u64)> = Vec::new();
    for value in values {
        let milliseconds = *value as f64 / 10_000.0;
        match buckets.last_mut() {
            Some((last, times)) if *last == milliseconds => *times += 1,
            _ => buckets.push((milliseconds, 1)),
        }
    }
    Curve {
        count: values.len() as u64,
        sum: values.iter().sum::<u64>() as f64 / 10_000.0,
        max: values.iter().max().copied().unwrap_or(0) as f64 / 10_000.0,
        buckets,
    }
}

/// Two tasks: 1 leads to 3, 2 to 4; they run in the order 1, 2, 3, 4.
fn two_tasks() -> Vec<Event> {
    vec![
        init(TIMER),
        init(TIMER),
        begin(TIMER, 1, 0),
        init(TIMER),
        end(2),
        begin(TIMER, 2, 1),
        init(TIMER),
        end(3),
        begin(TIMER, 3, 1),
        end(4),
        begin(TIMER, 4, 1),
        end(5),
    ]
}

#[test]
fn durations_are_from_begin_to_end() {
    let view = macrotasks(&two_tasks());
    assert_eq!(view.durations.once, curve(&[2, 3, 4, 5]));
    assert_eq!(view.durations.own, curve(&[2, 3, 4, 5]));
    assert_eq!(view.durations.recurring, curve(&[]));
}

#[test]
fn what_runs_inside_is_not_the_outer_ones_own() {
    let view = macrotasks(&[
        init(TIMER),
        begin(TIMER, 1, 0),
        init(TIMER),
        begin(TIMER, 2, 3),
        end(4),
        end(5),
    ]);
    assert_eq!(view.durations.once, curve(&[4, 12]));
    assert_eq!(view.durations.own, curve(&[4, 8]));
    assert_eq!(view.gaps.inside, 1);
}

#[test]
fn a_gap_is_interrupted_by_whatever_begins_in_it() {
    let view = macrotasks(&two_tasks());
    // 3 begins 5 after 1 ends, with 2 in between; 4 begins 6 after 2 ends, with 3 in between.
    assert_eq!(view.gaps.other_tree, curve(&[5, 6]));
    assert_eq!(view.gaps.uninterrupted, curve(&[]));
}

#[test]
fn a_gap_may_be_interrupted_by_its_own_tree_only_or_by_nothing() {
    // 1 registers 2 and 3, which run one after the other.
    let view = macrotasks(&[
        init(TIMER),
        begin(TIMER, 1, 0),
        init(TIMER),
        init(TIMER),
        end(1),
        begin(TIMER, 2, 7),
        end(1),
        begin(TIMER, 3, 2),
        end(1),
    ]);
    assert_eq!(view.gaps.uninterrupted, curve(&[7]));
    assert_eq!(view.gaps.own_tree, curve(&[10]));
    assert_eq!(view.branching.once, [(0, 2), (2, 1)]);
    // While 2 runs, 3 is still to run.
    assert_eq!(view.concurrency.live, [(0, 2), (1, 1)]);
}

#[test]
fn chains_end_where_an_edge_recurs() {
    // 1 registers an interval (2), whose first run registers 3, and that one 4.
    let view = macrotasks(&[
        init(TIMER),
        begin(TIMER, 1, 0),
        init(TIMER),
        end(1),
        begin(TIMER, 2, 1),
        init(TIMER),
        end(1),
        begin(TIMER, 3, 1),
        init(TIMER),
        end(1),
        begin(TIMER, 2, 1),
        end(1),
        begin(TIMER, 4, 1),
        end(1),
    ]);
    // 2 to 3: 3 units; 3 to 4: 5; 2 to 4: 7. The interval's own runs are no part of a chain that leads to them.
    assert_eq!(view.chains[0].time, curve(&[3, 5]));
    assert_eq!(view.chains[1].time, curve(&[7]));
    assert_eq!(view.chains[2].time, curve(&[]));
    assert_eq!(view.gaps.recurring, curve(&[1, 5]));
}

#[test]
fn without_microtasks_an_entry_has_all_that_follow_it() {
    // 1 registers a reaction, which runs after it and registers 2.
    let events = [
        init(TIMER),
        begin(TIMER, 1, 0),
        init(REACTION),
        end(2),
        begin(REACTION, 1, 1),
        init(TIMER),
        end(3),
        begin(TIMER, 2, 8),
        end(1),
    ];
    let report = measured(&events, usize::MAX);
    assert_eq!(report.microtasks.continuations, 3);
    assert_eq!(report.macrotasks.continuations, 2);
    assert_eq!(report.macrotasks.durations.once, curve(&[1, 6]));
    assert_eq!(report.macrotasks.gaps.uninterrupted, curve(&[8]));
    assert_eq!(report.microtasks.durations.once, curve(&[1, 2, 3]));
    assert_eq!(report.microtasks.gaps.uninterrupted, curve(&[1, 8]));
}
