//! Rewrites that are known to be wrong are caught, and rewrites that are known to be right are not.
#![allow(clippy::unwrap_used, missing_docs)]

use headstart_oracle::{RIGHT, Seeded, Summary, WRONG, run};

/// Programs within which each wrong rewrite has to be caught.
const WITHIN: u64 = 1000;

fn check(seeded: &Seeded) -> Summary {
    let summary = run(WITHIN, 1, &|program| {
        Ok(seeded.apply(program).map(|rewritten| rewritten.to_string()))
    })
    .unwrap();
    assert!(summary.changed >= 10, "{}: only {} programs changed", seeded.name, summary.changed);
    summary
}

#[test]
fn wrong_rewrites_are_caught() {
    let missed: Vec<&str> =
        WRONG.iter().filter(|it| check(it).found.is_empty()).map(|it| it.name).collect();
    assert!(missed.is_empty(), "not caught: {missed:?}");
}

#[test]
fn right_rewrites_are_not_flagged() {
    for seeded in RIGHT {
        let summary = check(seeded);
        if let Some(found) = summary.found.first() {
            panic!("{}: {}\n{}\n{}", seeded.name, found.violation.rule, found.program, found.rewritten);
        }
    }
}

#[test]
fn a_program_that_stays_as_it_is_is_not_flagged() {
    let summary = run(500, 1, &|program| Ok(Some(program.to_string()))).unwrap();
    assert_eq!((summary.found.len(), summary.changed), (0, 500));
    assert_eq!(summary.invalid, 0, "every generated program runs");
}
