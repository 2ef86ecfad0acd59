//! Which functions may come to call themselves.
//!
//! By name: a call of `m` or of `x.m` may be one of any function of the file that is called `m`, and
//! whoever holds a function may call it. Functions that call one another across files are not seen.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::Facts;

/// The indices of the functions that may.
pub(crate) fn recursive(facts: &Facts) -> FxHashSet<usize> {
    let mut named: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    let mut inner: Vec<Vec<usize>> = vec![Vec::new(); facts.functions.len()];
    for (index, function) in facts.functions.iter().enumerate() {
        if let Some(name) = &function.name {
            named.entry(name).or_default().push(index);
        }
        if let Some(parent) = function.parent {
            inner[parent].push(index);
        }
    }
    let callees: Vec<Vec<usize>> = facts
        .functions
        .iter()
        .zip(inner)
        .map(|(function, mut all)| {
            let called = function.calls.iter().filter_map(|name| named.get(name.as_str()));
            all.extend(called.flatten().copied());
            all
        })
        .collect();
    (0..callees.len()).filter(|&start| reaches(&callees, start)).collect()
}

fn reaches(callees: &[Vec<usize>], start: usize) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = callees[start].clone();
    while let Some(next) = open.pop() {
        if next == start {
            return true;
        }
        if seen.insert(next) {
            open.extend(&callees[next]);
        }
    }
    false
}
