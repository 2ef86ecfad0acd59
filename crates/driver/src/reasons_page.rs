//! `docs/reasons.md`: all codes of reasons and assumptions with their sentences, made from the catalogue.
//!
//! With `UPDATE=1`, the test writes that page.

use std::path::Path;
use std::{env, fs};

use headstart_effects::Code;

const HEAD: &str = "<!-- Made from crates/effects/src/reasons by the test `reasons_page` of crates/driver: change those, and run
it with UPDATE=1. -->

# Reasons and assumptions

What stands in the way of a rewrite, and what a rewrite takes for granted, has a code. The code stays the same
from release to release; the sentence may get clearer. The codes are in `--format json` (`code` of each of
`blockers`, and `assumptionCodes`) and in `--format sarif` (`blockerCodes` and `assumptionCodes` in the `properties`
of a result).

In the sentences, `{}` stands for the piece of source text that they are about, and `{1}`, `{2}`, … for what else
they speak of, such as the name of a function or a kind of thing outside the program. Where several assumptions
are alike, one sentence about all of them takes their place, with a code of its own: most of those begin with
`several`.
";

const BLOCKERS: &str = "
## What stands in the way

Printed as `in the way: …` with a hint, and as `why not: …` by `explain`.

";

const ASSUMPTIONS: &str = "
## What is taken for granted

Printed as `assumes that …` with a finding that is `likely`: it keeps the behaviour if all of that holds.

";

/// The page as it has to be.
fn page() -> String {
    format!(
        "{HEAD}{BLOCKERS}{}{ASSUMPTIONS}{}",
        table(Code::blockers()),
        table(Code::assumptions())
    )
}

/// One row a code, in the order of the alphabet.
fn table(codes: &[Code]) -> String {
    let mut codes = codes.to_vec();
    codes.sort_unstable_by_key(|it| it.id());
    let rows: Vec<String> =
        codes.iter().map(|it| format!("| `{}` | {} |\n", it.id(), it.text())).collect();
    format!("| code | sentence |\n| --- | --- |\n{}", rows.concat())
}

#[test]
fn reasons_page() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reasons.md");
    let made = page();
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(
        kept == made,
        "docs/reasons.md is not what the catalogue says: run the test with UPDATE=1"
    );
}
