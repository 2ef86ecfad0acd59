//! How much of the stack the calls of a cycle take, from one function that counts to the next.
//!
//! An async function survives recursion however large its calls are, since each begins on an empty stack. So
//! what a fast function counts for is the stack that it takes, and all that may lie between it and the next
//! call that counts: the functions on the longest way. Where that has no bound, it must not stand on the stack
//! twice: between the two, ordinary functions may call themselves as often as the original let them, or as many
//! arguments may be passed as something has elements.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::depth::cost;
use crate::facts::Facts;
use crate::recursion::{Graph, cycles, finish};

/// The words that the engine takes between a function and one that it has to call where it reads all properties of
/// an object, or calls back from where it is not compiled itself: V8 takes up to 2.7 kB (`structuredClone`).
const NATIVE: u32 = 384;

/// The words that functions of other files may take between two of this one: those of a hundred and more.
const OUTSIDE: u32 = 4_096;

/// For how much each of the functions that count does.
pub(crate) fn costs(
    facts: &Facts,
    graph: &Graph,
    counting: &FxHashSet<usize>,
) -> FxHashMap<usize, u32> {
    let mut costs = FxHashMap::default();
    for cycle in cycles(&graph.callees, &(0..graph.callees.len()).collect()) {
        let inside: FxHashSet<usize> = cycle.iter().copied().collect();
        let words = |index: usize| match facts.functions.get(index) {
            _ if graph.spread[index].iter().any(|it| inside.contains(it)) => None,
            Some(it) => {
                let own = it.words(facts.owned.get(&index).map_or(0, Vec::len));
                let native = graph.native[index].iter().any(|it| inside.contains(it));
                Some(if native { own.saturating_add(NATIVE) } else { own })
            }
            None => Some(if index == graph.held { OUTSIDE } else { 0 }),
        };
        for (index, rest) in between(&graph.callees, (&cycle, counting), &words) {
            let own = words(index);
            costs.insert(index, cost(own.zip(rest).map(|(own, rest)| own.saturating_add(rest))));
        }
    }
    costs
}

/// For how much a function does that a call graph says counts; `between`: the words of [`words_between`].
pub(crate) fn cost_known(facts: &Facts, index: usize, between: Option<u32>) -> u32 {
    let function = &facts.functions[index];
    let spreads = function.calls.iter().any(|it| it.spreads);
    let words = function.words(facts.owned.get(&index).map_or(0, Vec::len));
    let between = between.filter(|_| !spreads);
    cost(between.map(|it| words.saturating_add(NATIVE).saturating_add(it)))
}

/// Of each node that counts, the words of the longest way from it through others of its cycles to the next that
/// counts; `None` where that has no bound. `words`: of a node, likewise.
#[must_use]
pub fn words_between(
    callees: &[FxHashSet<usize>],
    counting: &FxHashSet<usize>,
    words: &dyn Fn(usize) -> Option<u32>,
) -> FxHashMap<usize, Option<u32>> {
    let mut found = FxHashMap::default();
    for cycle in cycles(callees, &(0..callees.len()).collect()) {
        found.extend(between(callees, (&cycle, counting), words));
    }
    found
}

/// Those of a cycle that count, with the words of the longest way from each through the others.
fn between(
    callees: &[FxHashSet<usize>],
    (cycle, counting): (&[usize], &FxHashSet<usize>),
    words: &dyn Fn(usize) -> Option<u32>,
) -> Vec<(usize, Option<u32>)> {
    let (counted, others): (Vec<usize>, Vec<usize>) =
        cycle.iter().partition(|it| counting.contains(it));
    let ways = longest(callees, &others.into_iter().collect(), words);
    counted.into_iter().map(|it| (it, furthest(callees, it, &ways))).collect()
}

/// By the node, the words of the longest way through some nodes that begins there; `None` where it has no end.
type Ways = FxHashMap<usize, Option<u32>>;

fn longest(
    callees: &[FxHashSet<usize>],
    nodes: &FxHashSet<usize>,
    words: &dyn Fn(usize) -> Option<u32>,
) -> Ways {
    let mut ways: Ways = cycles(callees, nodes).concat().iter().map(|it| (*it, None)).collect();
    let (mut seen, mut order) = (FxHashSet::default(), Vec::new());
    for &node in nodes {
        finish(callees, nodes, node, &mut seen, &mut order);
    }
    for node in order {
        if !ways.contains_key(&node) {
            let rest = furthest(callees, node, &ways);
            let all = words(node).zip(rest).map(|(own, rest)| own.saturating_add(rest));
            ways.insert(node, all);
        }
    }
    ways
}

/// The longest way on from a node.
fn furthest(callees: &[FxHashSet<usize>], node: usize, ways: &Ways) -> Option<u32> {
    let on = callees[node].iter().filter_map(|it| ways.get(it));
    on.copied().try_fold(0, |most, it| it.map(|it| most.max(it)))
}
