//! The programs of `tests/oracle` are judged as they say.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use headstart_models::Models;
use headstart_oracle::{Expected, Fixture, Node, Pair, parse_fixtures, rewrite};
use headstart_overlap::Level;

fn fixtures() -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle");
    let mut paths: Vec<_> = folder.read_dir().unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|it| it == "md"));
    let read = |path| parse_fixtures(&std::fs::read_to_string(path).unwrap()).unwrap();
    paths.into_iter().flat_map(read).collect()
}

/// What is wrong with a fixture; none where it is judged as it says.
fn problem(fixture: &Fixture, node: &mut Node, models: &Models) -> Option<String> {
    let fixed = || rewrite(&fixture.before, models, Level::Safe).unwrap();
    let rewritten = fixture.after.clone().or_else(fixed)?;
    let pair = Pair { original: fixture.before.clone(), rewritten, seed: 1 };
    let verdict = node.check_one(&pair).unwrap();
    assert!(!verdict.invalid, "{} does not run", fixture.name);
    let broken = verdict.violation.map(|it| format!("{}: {}", it.rule, it.detail));
    match (&fixture.expected, broken) {
        (Expected::Allowed | Expected::Fix, broken) => broken,
        (Expected::Broken(rule), Some(broken)) if broken.starts_with(rule) => None,
        (Expected::Broken(rule), broken) => Some(format!("{broken:?} instead of {rule}")),
    }
}

#[test]
fn every_fixture_is_judged_as_it_says() {
    let models = Models::builtin().unwrap();
    let mut node = Node::start().unwrap();
    let fixtures = fixtures();
    assert!(fixtures.len() > 20, "only {} fixtures", fixtures.len());
    let problems: Vec<String> = fixtures
        .iter()
        .filter_map(|it| problem(it, &mut node, &models).map(|text| format!("{}: {text}", it.name)))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
