//! Rewrites that are known to be wrong are caught, and rewrites that are known to be right are not.
#![allow(clippy::unwrap_used, missing_docs)]

use headstart_oracle::{RIGHT, Seeded, Summary, WRONG, generate, generate_with, run};

/// Programs that are tried at once.
const STEP: u64 = 128;

/// Programs within which each wrong rewrite has to be caught, and no right one flagged.
const WITHIN: u64 = 4 * STEP;

/// Without adversaries: what is right in other programs is not in those.
fn check(seeded: &Seeded, first: u64, count: u64) -> Summary {
    let rewriter = |program: &_| Ok(seeded.apply(program).map(|it| it.to_string()));
    run(count, first, &|seed| generate_with(seed, None), &rewriter).unwrap()
}

#[test]
fn wrong_rewrites_are_caught() {
    let is_caught = |seeded: &Seeded| {
        (0..WITHIN)
            .step_by(usize::try_from(STEP).unwrap())
            .any(|first| !check(seeded, first, STEP).found.is_empty())
    };
    let missed: Vec<&str> = WRONG.iter().filter(|it| !is_caught(it)).map(|it| it.name).collect();
    assert!(missed.is_empty(), "not caught: {missed:?}");
}

#[test]
fn right_rewrites_are_not_flagged() {
    for seeded in RIGHT {
        let summary = check(seeded, 0, WITHIN);
        assert!(summary.changed > 50, "{}: only {} changed", seeded.name, summary.changed);
        let flagged = summary.found.first().map(|it| (it.seed, &it.violation));
        assert_eq!(flagged, None, "{}", seeded.name);
    }
}

#[test]
fn a_program_that_stays_as_it_is_is_not_flagged() {
    let summary = run(WITHIN, 0, &generate, &|program| Ok(Some(program.to_string()))).unwrap();
    let flagged = summary.found.first().map(|it| (it.seed, &it.violation));
    assert_eq!(flagged, None);
    assert_eq!((summary.changed, summary.invalid), (WITHIN, 0), "every generated program runs");
}
