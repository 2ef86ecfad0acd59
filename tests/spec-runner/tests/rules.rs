//! Each rewrite that registers itself has a page, a line in the index of `docs/`, and cases that show
//! what it finds at each of its levels.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use headstart_overlap::{Meta, rules};
use headstart_spec_runner::{findings, parse};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn each_rule_has_a_page_with_its_name() {
    for rule in rules() {
        let text = fs::read_to_string(root().join(rule.page()));
        let text = text.unwrap_or_else(|_| panic!("{} has no page {}", rule.id, rule.page()));
        assert!(text.starts_with(&format!("# {}\n", rule.id)), "{}", rule.page());
        let file = format!("crates/overlap/src/rewrites/{}.rs", rule.id.replace('-', "_"));
        assert!(root().join(&file).exists(), "{} is not in {file}", rule.id);
        assert!(text.contains(&file), "{} does not name {file}", rule.page());
    }
}

#[test]
fn the_index_has_a_line_for_each_rule() {
    let line = |it: &Meta| {
        let levels: Vec<&str> = it.levels.iter().map(|it| it.name()).collect();
        format!("| [{}]({}.md) | {} | {} |\n", it.id, it.id, it.summary, levels.join(", "))
    };
    let expected: String = rules().map(line).collect();
    let path = root().join("docs/README.md");
    let index = fs::read_to_string(&path).unwrap();
    let head = "| rule | what is wrong | levels |\n| --- | --- | --- |\n";
    let (before, behind) = index.split_once(head).expect("docs/README.md has a table of rules");
    let (kept, rest) = behind.split_once("\n\n").unwrap();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, format!("{before}{head}{expected}\n{rest}")).unwrap();
        return;
    }
    assert_eq!(format!("{kept}\n"), expected, "run it with UPDATE=1");
}

#[test]
fn specifications_show_each_level_of_each_rule() {
    for rule in rules() {
        let mut shown: BTreeSet<String> = BTreeSet::new();
        let specs = fs::read_dir(root().join("tests/specs").join(rule.id));
        let specs = specs.unwrap_or_else(|_| panic!("tests/specs/{} is not there", rule.id));
        let specs = specs.map(|it| it.unwrap().path());
        for file in specs.chain([root().join(rule.page())]) {
            for case in parse(&fs::read_to_string(&file).unwrap()).unwrap() {
                let found = findings(&case).unwrap();
                let own = found.iter().filter(|it| it["rule"] == rule.id);
                shown.extend(own.filter_map(|it| it["level"].as_str()).map(str::to_owned));
            }
        }
        let expected: BTreeSet<String> =
            rule.levels.iter().map(|it| it.name().to_owned()).collect();
        assert_eq!(shown, expected, "levels that cases show for {}", rule.id);
    }
}
