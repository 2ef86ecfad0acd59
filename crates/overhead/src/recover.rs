//! What is left alone where the text that a file becomes does not parse.
//!
//! That is a mistake of this crate, whatever the file looks like, and must not cost the file: the function
//! that is to blame is found by halving, stays as it is, and its report says so. With more of them, each half is
//! halved again, for as long as the attempts last: their number goes by that of the functions, so that all of them
//! together take a time that grows with the file.

use std::collections::VecDeque;
use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::{Attempt, SyntaxError, Transformed};

/// Why such a function stays as it is.
pub(crate) const MISTAKE: &str =
    "what it becomes does not parse, which is a mistake of headstart: please report it";

/// How many attempts are made at least, and how many in files with few functions.
const ATTEMPTS: std::ops::RangeInclusive<usize> = 48..=400;
/// With how many functions in all of the attempts together: each takes as long as the whole file.
const MOST_ATTEMPTED: usize = 200_000;

/// What is left alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Left {
    /// Functions, by where they begin.
    pub(crate) functions: FxHashSet<u32>,
    /// What is done behind the conversion of functions: those that only hand on a promise, and what is fused.
    pub(crate) later: bool,
}

/// Tries again without what is to blame. `attempt` fails where the text does not parse, as it did in
/// `failed`. Nothing if it does not parse either with every function as it was.
pub(crate) fn recover(
    failed: &Attempt,
    attempt: impl Fn(&Left) -> Result<Transformed, SyntaxError>,
) -> Option<Transformed> {
    let left = |functions: FxHashSet<u32>| Left { functions, later: true };
    if let Ok((code, rope, mut functions)) = attempt(&left(FxHashSet::default())) {
        // One of those that hand on a promise is to blame.
        functions.iter_mut().for_each(|it| it.mistake = failed.unwrapped.contains(&it.offset));
        return Some((code, rope, functions));
    }
    let culprits = culprits(&failed.offsets, |functions| attempt(&left(functions.clone())).is_ok());
    attempt(&left(culprits)).ok()
}

/// The functions that have to be left alone for a text to parse, which it does not without. What the attempts
/// do not suffice to tell apart is left alone together.
fn culprits(offsets: &[u32], parses: impl Fn(&FxHashSet<u32>) -> bool) -> FxHashSet<u32> {
    let all: FxHashSet<u32> = offsets.iter().copied().collect();
    let mut search = Search { offsets, parses, left: attempts(offsets.len()) };
    if offsets.is_empty() || !(search.parses)(&all) {
        return all;
    }
    let found = search.run();
    if (search.parses)(&found) { found } else { all }
}

/// How many attempts a file with some functions is worth.
fn attempts(functions: usize) -> usize {
    (MOST_ATTEMPTED / functions.max(1)).clamp(*ATTEMPTS.start(), *ATTEMPTS.end())
}

/// Looks for the functions that are to blame.
struct Search<'o, P> {
    offsets: &'o [u32],
    parses: P,
    /// How many attempts are left.
    left: usize,
}

impl<P: Fn(&FxHashSet<u32>) -> bool> Search<'_, P> {
    /// Halves what is to blame, the longest parts first: so what is not told apart in the end is short.
    fn run(&mut self) -> FxHashSet<u32> {
        let mut found = FxHashSet::default();
        let mut open: VecDeque<Range<usize>> = VecDeque::new();
        open.push_back(0..self.offsets.len());
        while let Some(part) = open.pop_front() {
            if part.len() == 1 || self.left == 0 {
                found.extend(&self.offsets[part]);
                continue;
            }
            let middle = usize::midpoint(part.start, part.end);
            let (first, second) = (part.start..middle, middle..part.end);
            let first_fails = self.fails(&first);
            // One of the two has to.
            let second_fails = !first_fails || self.fails(&second);
            open.extend(first_fails.then_some(first));
            open.extend(second_fails.then_some(second));
        }
        found
    }

    /// Whether the text does not parse with nothing but a part of the functions converted. Without attempts
    /// left, it is taken not to.
    fn fails(&mut self, part: &Range<usize>) -> bool {
        if self.left == 0 {
            return true;
        }
        self.left -= 1;
        let (before, behind) = (&self.offsets[..part.start], &self.offsets[part.end..]);
        !(self.parses)(&before.iter().chain(behind).copied().collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::cell::Cell;
    use std::path::Path;

    use super::*;
    use crate::{Options, Outcome, Outside, transform_if};

    const TEXT: &str = r#"async function a(x) { "perhaps async"; return await b(x); }
async function b(x) { "perhaps async"; return (await c(x)) + 1; }
async function c(x) { "perhaps async"; const y = await x; return y; }
export async function d(x) { "perhaps async"; return [await a(x), await c(x)]; }
"#;

    /// What becomes of the text if it does not parse with one of these in it.
    fn without(faults: &[&str]) -> Result<Transformed, SyntaxError> {
        transform_if(
            Path::new("a.mjs"),
            TEXT,
            (Options::default(), Outside::default()),
            |_, code| {
                let fault = faults.iter().find(|it| code.contains(**it));
                let error = |it: &&str| SyntaxError { message: (*it).to_owned(), offset: 0 };
                fault.map_or(Ok(()), |it| Err(error(it)))
            },
        )
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
        let text = "async function f(x) { return await g(x); }\nf(1);\nasync function g(x) { for await (const y of x) return y; }";
        let result = transform_if(
            Path::new("a.mjs"),
            text,
            (Options::default(), Outside::default()),
            |_, code| {
                let message = "no function".to_owned();
                let is_wrapper = code.starts_with("function f");
                if is_wrapper { Err(SyntaxError { message, offset: 0 }) } else { Ok(()) }
            },
        );
        assert_eq!(mistakes(&result.unwrap()), ["f"]);
    }

    #[test]
    fn where_nothing_else_helps_the_file_stays_as_it_is() {
        let result = without(&["async function"]).unwrap();
        assert_eq!(result.0, TEXT);
        assert_eq!(mistakes(&result), ["a", "b", "c", "d"]);
    }

    /// Which of some functions are found, and in how many attempts.
    fn found_among(count: u32, is_culprit: impl Fn(u32) -> bool) -> (Vec<u32>, usize) {
        let offsets: Vec<u32> = (0..count).collect();
        let attempts = Cell::new(0);
        let found = culprits(&offsets, |left| {
            attempts.set(attempts.get() + 1);
            offsets.iter().filter(|it| is_culprit(**it)).all(|it| left.contains(it))
        });
        let mut found: Vec<u32> = found.into_iter().collect();
        found.sort_unstable();
        (found, attempts.get())
    }

    #[test]
    fn all_functions_to_blame_are_found_however_many() {
        for (count, every) in [(7, 2), (40, 1), (100, 3), (1_000, 200)] {
            let (found, attempts) = found_among(count, |it| it % every == 0);
            let culprits: Vec<u32> = (0..count).filter(|it| it % every == 0).collect();
            assert_eq!(found, culprits, "{count}");
            assert!(attempts <= 2 * count as usize + 2, "{count}: {attempts}");
        }
    }

    #[test]
    fn there_is_a_bound_and_what_is_left_alone_beside_them_is_short() {
        let (found, attempts) = found_among(4_000, |it| it % 2 == 0);
        assert_eq!(found.len(), 4_000);
        assert!(attempts <= 52, "{attempts}");
        let (found, attempts) = found_among(4_000, |it| [5, 900, 901, 3_000].contains(&it));
        assert!(attempts <= 52, "{attempts}");
        assert!([5, 900, 901, 3_000].iter().all(|it| found.contains(it)));
        assert!(found.len() < 100, "{}", found.len());
    }
}
