//! What is left alone where the text that a file becomes does not parse.
//!
//! That is a mistake of this crate, whatever the file looks like, and must not cost the file: the function
//! that is to blame is found by halving, stays as it is, and its report says so.

use rustc_hash::FxHashSet;

use crate::{Attempt, SyntaxError, Transformed};

/// Why such a function stays as it is.
pub(crate) const MISTAKE: &str =
    "what it becomes does not parse, which is a mistake of headstart: please report it";

/// How many functions are looked for one by one; with more of them, all functions are left alone.
const MOST_CULPRITS: usize = 3;
/// In files with more functions, all are left alone: each attempt takes as long as the whole file.
const MOST_FUNCTIONS: usize = 4_096;

/// What is left alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Left {
    /// Functions, by where they begin.
    pub(crate) functions: FxHashSet<u32>,
    /// Functions that only hand on a promise, all of them.
    pub(crate) wrappers: bool,
}

/// Tries again without what is to blame. `attempt` fails where the text does not parse, as it did in
/// `failed`. Nothing if it does not parse either with every function as it was.
pub(crate) fn recover(
    failed: &Attempt,
    attempt: impl Fn(&Left) -> Result<Transformed, SyntaxError>,
) -> Option<Transformed> {
    let left = |functions: FxHashSet<u32>| Left { functions, wrappers: true };
    if let Ok((code, rope, mut functions)) = attempt(&left(FxHashSet::default())) {
        // One of those that hand on a promise is to blame.
        functions.iter_mut().for_each(|it| it.mistake = failed.unwrapped.contains(&it.offset));
        return Some((code, rope, functions));
    }
    let culprits = culprits(&failed.offsets, |functions| attempt(&left(functions.clone())).is_ok());
    attempt(&left(culprits)).ok()
}

/// The functions that have to be left alone for a text to parse, which it does not without.
fn culprits(offsets: &[u32], parses: impl Fn(&FxHashSet<u32>) -> bool) -> FxHashSet<u32> {
    let all: FxHashSet<u32> = offsets.iter().copied().collect();
    if offsets.len() > MOST_FUNCTIONS || !parses(&all) {
        return all;
    }
    let mut found = FxHashSet::default();
    for _ in 0..MOST_CULPRITS {
        let with = |count: usize| -> FxHashSet<u32> {
            found.iter().chain(&offsets[..count]).copied().collect()
        };
        // Without the first `fails` it does not parse, without the first `does` it does.
        let (mut fails, mut does) = (0, offsets.len());
        while does - fails > 1 {
            let middle = usize::midpoint(fails, does);
            if parses(&with(middle)) { does = middle } else { fails = middle }
        }
        found.insert(offsets[does - 1]);
        if parses(&found) {
            return found;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::cell::Cell;
    use std::path::Path;

    use super::*;
    use crate::{Options, Outcome, transform_if};

    const TEXT: &str = r#"async function a(x) { "perhaps async"; return await b(x); }
async function b(x) { "perhaps async"; return (await c(x)) + 1; }
async function c(x) { "perhaps async"; const y = await x; return y; }
export async function d(x) { "perhaps async"; return [await a(x), await c(x)]; }
"#;

    /// What becomes of the text if it does not parse with one of these in it.
    fn without(faults: &[&str]) -> Result<Transformed, SyntaxError> {
        transform_if(Path::new("a.mjs"), TEXT, Options::default(), |_, code| {
            let fault = faults.iter().find(|it| code.contains(**it));
            let error = |it: &&str| SyntaxError { message: (*it).to_owned(), offset: 0 };
            fault.map_or(Ok(()), |it| Err(error(it)))
        })
    }

    fn mistakes((_, _, functions): &Transformed) -> Vec<&str> {
        functions.iter().filter(|it| it.mistake).map(|it| it.name.as_str()).collect()
    }

    #[test]
    fn only_the_function_to_blame_stays_as_it_is() {
        for (faults, names) in [
            (&["b$rest"][..], &["b"][..]),
            (&["c$rest"], &["c"]),
            (&["b$rest", "c$rest"], &["b", "c"]),
            (&[], &[]),
        ] {
            let result = without(faults).unwrap();
            assert_eq!(mistakes(&result), names);
            let others = result.2.iter().filter(|it| !it.mistake);
            let converted = others.filter(|it| matches!(it.outcome, Outcome::Converted { .. }));
            assert!(converted.count() > 0, "{names:?}");
        }
    }

    #[test]
    fn functions_that_hand_on_a_promise_stay_async() {
        let text = "export async function f(x) { return await g(x); }\nasync function g(x) { for await (const y of x) return y; }";
        let result = transform_if(Path::new("a.mjs"), text, Options::default(), |_, code| {
            let message = "no function".to_owned();
            let is_wrapper = code.contains("export function f");
            if is_wrapper { Err(SyntaxError { message, offset: 0 }) } else { Ok(()) }
        });
        assert_eq!(mistakes(&result.unwrap()), ["f"]);
    }

    #[test]
    fn where_nothing_else_helps_the_file_stays_as_it_is() {
        let result = without(&["async function"]).unwrap();
        assert_eq!(result.0, TEXT);
        assert_eq!(mistakes(&result), ["a", "b", "c", "d"]);
    }

    #[test]
    fn there_is_a_bound() {
        let offsets: Vec<u32> = (0..4_000).collect();
        let attempts = Cell::new(0);
        let found = culprits(&offsets, |left| {
            attempts.set(attempts.get() + 1);
            offsets.iter().filter(|it| *it % 2 == 0).all(|it| left.contains(it))
        });
        assert_eq!(found.len(), offsets.len());
        assert!(attempts.get() < 50, "{}", attempts.get());
    }
}
