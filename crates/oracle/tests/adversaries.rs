//! What adversaries make is not rewritten wrongly, and would be seen if it were.
#![allow(clippy::unwrap_used, missing_docs)]

use headstart_models::Models;
use headstart_oracle::{ADVERSARIES, NAIVE, rewrite, run_with};
use headstart_overlap::Level;

/// Programs of each adversary.
const COUNT: u64 = 256;

#[test]
fn what_fix_makes_of_them_is_right() {
    let models = Models::builtin().unwrap();
    for adversary in ADVERSARIES {
        let fix = |program: &_| rewrite(&ToString::to_string(program), &models, Level::Safe);
        let summary = run_with(&|seed| adversary.generate(seed), COUNT, 0, &fix).unwrap();
        let flagged = summary.found.first().map(|it| (it.seed, &it.violation));
        assert_eq!(flagged, None, "{}", adversary.name);
    }
}

#[test]
fn what_goes_by_the_text_is_caught() {
    for adversary in ADVERSARIES {
        let naive = |program: &_| Ok(NAIVE.apply(program).map(|it| it.to_string()));
        let summary = run_with(&|seed| adversary.generate(seed), COUNT, 0, &naive).unwrap();
        assert_eq!(summary.invalid, 0, "{}: every program runs", adversary.name);
        let (changed, caught) = (summary.changed, summary.found.len());
        assert!(caught > 20, "{}: {caught} of {changed} caught", adversary.name);
    }
}
