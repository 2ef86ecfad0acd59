//! A fixture for each shape of a potentially atomic subtree, with the numbers worked out by hand.

use crate::measures::Shapes;
use crate::tests::script::{Event, TIMER, begin, end, init, measured};

/// Units in a millisecond.
const MS: u64 = 10_000;

/// A timer that runs for nothing, `after` units after what came before, and registers so many.
fn run(id: u64, after: u64, registers: usize) -> Vec<Event> {
    let mut events = vec![begin(TIMER, id, after)];
    events.extend(std::iter::repeat_n(init(TIMER), registers));
    events.push(end(0));
    events
}

/// What there is within 1 and within 100 ms. The first continuation is the timer 1.
fn shapes(runs: &[Vec<Event>]) -> (Shapes, Shapes) {
    let mut events = vec![init(TIMER)];
    events.extend(runs.iter().flatten());
    let report = measured(&events, usize::MAX);
    let at = |limit: f64| {
        let rows = &report.macrotasks.subtrees;
        rows.iter().find(|it| it.0 == limit).map_or(Shapes::default(), |it| it.1)
    };
    (at(1.0), at(100.0))
}

fn linear(total: u64) -> Shapes {
    Shapes { total, linear_loose: total, linear_strict: total, ..Shapes::default() }
}

#[test]
fn a_chain_is_linear() {
    // 1 at 0, 2 at 0.5 ms, 3 at 1 ms.
    let found = shapes(&[run(1, 0, 1), run(2, MS / 2, 1), run(3, MS / 2, 0)]);
    assert_eq!(found, (linear(1), linear(1)));
}

#[test]
fn one_that_is_longer_than_the_limit_counts_as_its_longest_parts() {
    // 1 to 4, each 0.5 ms after its parent: within 1 ms, {1, 2, 3} and {2, 3, 4}.
    let found = shapes(&[run(1, 0, 1), run(2, MS / 2, 1), run(3, MS / 2, 1), run(4, MS / 2, 0)]);
    assert_eq!(found, (linear(2), linear(1)));
}

#[test]
fn alone_a_continuation_is_none() {
    // 2 comes a second after 1.
    let found = shapes(&[run(1, 0, 1), run(2, 1000 * MS, 0)]);
    assert_eq!(found, (Shapes::default(), Shapes::default()));
}

#[test]
fn branches_that_live_long_are_multi() {
    // 1 leads to 2 at once, and to 3 and 4 after a second: two children outside, with the same parent.
    let loose = shapes(&[run(1, 0, 3), run(2, 0, 0), run(3, 1000 * MS, 0), run(4, 0, 0)]);
    let expected = Shapes { total: 1, multi_loose: 1, contained_loose: 1, ..Shapes::default() };
    assert_eq!(loose, (expected, expected));
    // 1 leads to 2 and 3, and 2 to 4; 3 and 4 come after a second, and have different parents.
    let strict = shapes(&[run(1, 0, 2), run(2, 0, 1), run(3, 1000 * MS, 0), run(4, 0, 0)]);
    let expected = Shapes { total: 1, multi_loose: 1, multi_strict: 1, ..Shapes::default() };
    assert_eq!(strict, (expected, expected));
}

#[test]
fn a_branch_that_ends_inside_is_contained() {
    // 1 leads to 2 and 3; 3, which runs first, to nothing; 2, after it, to 4 after a second.
    let strict = shapes(&[run(1, 0, 2), run(3, 0, 0), run(2, 0, 1), run(4, 1000 * MS, 0)]);
    let expected =
        Shapes { total: 1, contained_loose: 1, contained_strict: 1, ..Shapes::default() };
    assert_eq!(strict, (expected, expected));
    // The same, but the one without children is the last.
    let loose = shapes(&[run(1, 0, 2), run(2, 0, 1), run(3, 0, 0), run(4, 1000 * MS, 0)]);
    let expected = Shapes { total: 1, contained_loose: 1, ..Shapes::default() };
    assert_eq!(loose, (expected, expected));
}

#[test]
fn recurring_edges_are_cut_and_count_for_the_strict_form_of_linear() {
    // 1 registers an interval and 3; the interval runs twice, after a second.
    let interval = Event::Init { kind: TIMER, recurring: true, root: false, line: None };
    let first = vec![begin(TIMER, 1, 0), interval, init(TIMER), end(0)];
    let found = shapes(&[first, run(3, 0, 0), run(2, 1000 * MS, 0), run(2, 0, 0)]);
    let expected = Shapes { total: 1, linear_loose: 1, ..Shapes::default() };
    assert_eq!(found, (expected, expected));
}

#[test]
fn what_branches_and_is_over_has_no_shape() {
    let found = shapes(&[run(1, 0, 2), run(2, 0, 0), run(3, 0, 0)]);
    let expected = Shapes { total: 1, ..Shapes::default() };
    assert_eq!(found, (expected, expected));
}
