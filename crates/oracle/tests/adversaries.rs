//! Each adversary is seen by the oracle: a program that stays as it is keeps the contract, one in which
//! reads start early does not, and what `fix` makes of it does.
#![allow(clippy::unwrap_used, missing_docs)]

use headstart_models::Models;
use headstart_oracle::{
    ADVERSARIES, Adversary, EARLY, Program, Rewriter, Summary, generate_with, rewrite, run,
};
use headstart_overlap::Level;

/// Programs of each adversary that are tried.
const COUNT: u64 = 48;

fn check(adversary: &'static Adversary, rewriter: &Rewriter<'_>) -> Summary {
    run(COUNT, 1, &|seed| generate_with(seed, Some(adversary)), rewriter).unwrap()
}

#[test]
fn programs_that_stay_as_they_are_are_not_flagged() {
    for adversary in ADVERSARIES {
        let summary = check(adversary, &|program| Ok(Some(program.to_string())));
        let flagged = summary.found.first().map(|it| (it.seed, &it.violation));
        assert_eq!(flagged, None, "{}", adversary.name);
        assert_eq!((summary.changed, summary.invalid), (COUNT, 0), "{}", adversary.name);
    }
}

#[test]
fn what_starts_early_is_caught() {
    let rewriter = |program: &Program| Ok(EARLY.apply(program).map(|it| it.to_string()));
    for adversary in ADVERSARIES {
        let summary = check(adversary, &rewriter);
        assert!(!summary.found.is_empty(), "{} catches nothing", adversary.name);
    }
}

#[test]
fn what_fix_makes_of_them_keeps_the_contract() {
    let models = Models::builtin().unwrap();
    for adversary in ADVERSARIES {
        let fix = |program: &Program| rewrite(&program.to_string(), &models, Level::Safe);
        let summary = check(adversary, &fix);
        let flagged = summary.found.first().map(|it| (it.seed, &it.violation));
        assert_eq!(flagged, None, "{}", adversary.name);
    }
}
