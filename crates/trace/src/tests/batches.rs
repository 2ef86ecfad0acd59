//! Fixtures for batches of microtasks, with the numbers worked out by hand.

use crate::tests::script::{Event, REACTION, TIMER, begin, end, init, measured};

fn sizes(events: &[Event]) -> Vec<(u64, u64)> {
    measured(events, usize::MAX).batches.size
}

#[test]
fn microtasks_that_follow_one_another_are_a_batch() {
    let events = [
        init(TIMER),
        init(TIMER),
        init(REACTION),
        init(REACTION),
        init(REACTION),
        begin(TIMER, 1, 0),
        end(1),
        begin(REACTION, 1, 2),
        end(3),
        begin(REACTION, 2, 4),
        end(5),
        begin(TIMER, 2, 6),
        end(1),
        begin(REACTION, 3, 1),
        end(7),
    ];
    let report = measured(&events, usize::MAX);
    assert_eq!(report.batches.size, [(1, 1), (2, 1)]);
    assert_eq!(report.batches.time.buckets, [(0.0007, 1), (0.0012, 1)]);
}

#[test]
fn what_runs_inside_a_microtask_does_not_end_its_batch() {
    let events = [
        init(TIMER),
        init(REACTION),
        init(REACTION),
        begin(REACTION, 1, 0),
        begin(TIMER, 1, 1),
        end(1),
        end(1),
        begin(REACTION, 2, 1),
        end(1),
    ];
    assert_eq!(sizes(&events), [(2, 1)]);
}

#[test]
fn a_checkpoint_of_its_own_is_another_batch() {
    let events = [
        init(REACTION),
        init(REACTION),
        begin(REACTION, 1, 0),
        end(1),
        Event::Drain,
        begin(REACTION, 2, 1),
        end(1),
    ];
    assert_eq!(sizes(&events), [(1, 2)]);
}
