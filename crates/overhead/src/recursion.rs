//! Which functions count how deep their calls are, so that recursion cannot overflow the stack.
//!
//! Every way from a function back to itself has to pass one that counts. A call of a name is one of the
//! function that the name is bound to; a call of a method, or of a name that may be bound to anything,
//! is one of every function of the file that is called like that and that may be held under another
//! name; whoever makes a function, or mentions it other than to call it, may call it; a call of what
//! is held in a variable, under a computed name or under one that the file puts values under may be one
//! of any function that is used as a value; and so may one of what is not known, of accessors and of all
//! else that runs without a call ([`crate::implicit`]). Where the program is known, its call graph says instead which
//! functions count ([`crate::Known::counting`]); else what is imported may call whatever the file exports, where something has the
//! directive.
//!
//! Where no function becomes what it asks for by its directive, fast functions are run by one another at the call sites that
//! were found, and by nothing else: whatever else calls one of them calls an async function, which waits
//! before it runs one. So only those calls count.

use std::collections::BTreeMap;

use headstart_ir::order;
use oxc_semantic::SymbolId;
use oxc_span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{Call, Called, Facts, FunctionFacts, Value};
use crate::implicit::{Implicit, calls_back};
use crate::stack::{cost_known, costs};

/// How many functions that call one another are looked at one by one. In larger sets, all count.
const SEARCHED: usize = 64;

/// Whom the functions of a file call, and what else may call.
pub(crate) struct Graph {
    pub(crate) callees: Vec<FxHashSet<usize>>,
    /// Those that are called with arguments that no text counts.
    pub(crate) spread: Vec<FxHashSet<usize>>,
    /// Those that the engine calls, behind frames of its own.
    pub(crate) native: Vec<FxHashSet<usize>>,
    /// What stands for whatever is held anywhere: functions of other files may lie on the way to that.
    pub(crate) held: usize,
}

impl Graph {
    fn new(size: usize, held: usize) -> Self {
        let none = || vec![FxHashSet::default(); size];
        Self { callees: none(), spread: none(), native: none(), held }
    }

    /// A graph in which names that many functions may be held under have nodes of their own.
    fn with_names((size, held): (usize, usize), names: &Names<'_>) -> Self {
        let mut graph = Self::new(size + names.shared.len(), held);
        for (name, &node) in &names.shared {
            graph.callees[node].extend(&names.held[name]);
        }
        graph
    }

    fn call(&mut self, index: usize, callee: usize, spreads: bool) {
        self.callees[index].insert(callee);
        if spreads {
            self.spread[index].insert(callee);
        }
    }
}

/// Which functions count how deep their calls are.
#[derive(Debug, Default)]
pub(crate) struct Counting {
    /// By the index of the function, for how much each call of it counts.
    pub(crate) costs: FxHashMap<usize, u32>,
    /// Functions that become what they ask for and may come to call themselves without passing one that counts.
    pub(crate) uncounted: FxHashSet<usize>,
}

/// Which functions count. `at_once`: where the names of callees begin whose calls are awaited at once; `asked`: functions
/// that become what they ask for; `cannot`: those that cannot count.
pub(crate) fn counting(
    facts: &Facts,
    (implicit, at_once): (&Implicit, &FxHashSet<u32>),
    (asked, cannot): (&FxHashSet<usize>, &FxHashSet<usize>),
) -> Counting {
    let can = |it: &usize| {
        let function = facts.functions.get(*it);
        function.is_some_and(|function| !cannot.contains(it) && !function.awaits.is_empty())
    };
    let from_outside = || {
        let all = facts.functions.iter().enumerate().filter(|(index, _)| can(index));
        all.filter_map(|(index, it)| {
            let between = facts.known.counting.get(&it.span.start)?;
            Some((index, cost_known(facts, index, *between)))
        })
    };
    // Its call graph sees what the names of one file only suggest: all ways but those by which something comes to
    // a function that anything may call.
    if facts.shares_depth && asked.is_empty() {
        return Counting { costs: from_outside().collect(), ..Counting::default() };
    }
    let graph =
        if asked.is_empty() { found(facts, (implicit, at_once)) } else { callees(facts, implicit) };
    let can_break = |it: &usize| can(it) && (!facts.shares_depth || asked.contains(it));
    let mut costs = costs(facts, &graph, &break_cycles(&graph.callees, &can_break));
    let uncounted =
        if facts.shares_depth { in_cycles(&graph, asked, &costs) } else { FxHashSet::default() };
    for (index, cost) in from_outside() {
        costs.entry(index).or_insert(cost);
    }
    Counting { costs, uncounted }
}

/// Those of some functions that may come to call themselves without passing one that is counted.
fn in_cycles(
    graph: &Graph,
    functions: &FxHashSet<usize>,
    counted: &FxHashMap<usize, u32>,
) -> FxHashSet<usize> {
    let all = 0..graph.callees.len();
    let others = all.filter(|it| !counted.contains_key(it)).collect();
    let inside = cycles(&graph.callees, &others).concat();
    inside.into_iter().filter(|it| functions.contains(it)).collect()
}

/// Few functions, of those that `can` be, that every way from a node back to itself passes.
#[must_use]
pub fn break_cycles(
    callees: &[FxHashSet<usize>],
    can: &dyn Fn(&usize) -> bool,
) -> FxHashSet<usize> {
    let mut counting = FxHashSet::default();
    let mut open = cycles(callees, &(0..callees.len()).collect());
    while let Some(cycle) = open.pop() {
        let inside: FxHashSet<usize> = cycle.iter().copied().collect();
        if !cycle.iter().all(can) {
            let beside = beside_others(callees, &inside, can);
            let left = inside.into_iter().filter(|it| can(it) && !beside.contains(it)).collect();
            counting.extend(beside);
            open.extend(cycles(callees, &left));
            continue;
        }
        if cycle.len() > SEARCHED {
            counting.extend(cycle);
            continue;
        }
        let candidates = cycle.iter().copied();
        // Those that most ways pass: functions that call themselves have to, in any case.
        let ways = |function: usize| {
            let out = callees[function].iter().filter(|it| inside.contains(it)).count();
            let into = cycle.iter().filter(|it| callees[**it].contains(&function)).count();
            (callees[function].contains(&function), out * into)
        };
        let Some(best) = candidates.max_by_key(|it| (ways(*it), usize::MAX - *it)) else {
            continue;
        };
        counting.insert(best);
        let left = inside.into_iter().filter(|it| *it != best).collect();
        open.extend(cycles(callees, &left));
    }
    counting
}

/// Functions that each way through a node that is none passes: those that lead to such, or those that such lead to.
fn beside_others(
    callees: &[FxHashSet<usize>],
    inside: &FxHashSet<usize>,
    can: &dyn Fn(&usize) -> bool,
) -> FxHashSet<usize> {
    let (mut callers, mut called) = (FxHashSet::default(), FxHashSet::default());
    for node in inside {
        let next = callees[*node].iter().copied().filter(|it| inside.contains(it));
        if !can(node) {
            called.extend(next.filter(can));
        } else if next.into_iter().any(|it| !can(&it)) {
            callers.insert(*node);
        }
    }
    if called.len() < callers.len() { called } else { callers }
}

/// Whose fast functions each function may call where it awaits a call at once. Behind the functions stands
/// one that is none: whatever may be called that is held anywhere.
fn found(facts: &Facts, (implicit, at_once): (&Implicit, &FxHashSet<u32>)) -> Graph {
    let held = facts.functions.len();
    let names = Names::of(facts, held + 1);
    let mut graph = Graph::with_names((held + 1, held), &names);
    for (index, function) in facts.functions.iter().enumerate() {
        if !is_only_called(facts, function) {
            graph.call(held, index, false);
        }
        for call in function.calls.iter().filter(|it| at_once.contains(&it.at)) {
            for it in names.called(index, call) {
                graph.call(index, it, call.spreads);
            }
            // A method may stand under another name, too.
            let may_be_other = facts.stored.contains(&call.name)
                || implicit.accessors.contains_key(&call.name)
                || implicit.reflects;
            if call.symbol.is_none() && may_be_other {
                graph.call(index, held, call.spreads);
            }
        }
    }
    graph
}

/// Whom each function may call, as far as the file shows. Behind the functions stand three that are none:
/// whatever may be called that is passed on, whatever may be that is held anywhere, and what runs anywhere.
fn callees(facts: &Facts, implicit: &Implicit) -> Graph {
    let passed = facts.functions.len();
    let held = passed + 1;
    let anywhere = passed + 2;
    let names = Names::of(facts, anywhere + 1);
    let mut graph = Graph::with_names((anywhere + 1, held), &names);
    graph.call(held, passed, false);
    graph.callees[anywhere].extend(&implicit.anywhere);
    let accessors: FxHashSet<usize> = implicit.accessors.values().flatten().copied().collect();
    for (&index, does) in &implicit.does {
        let named = does.names.iter().filter_map(|it| implicit.accessors.get(it));
        graph.callees[index].extend(named.flatten());
        if does.any_name {
            graph.callees[index].extend(&accessors);
        }
        if does.copies {
            graph.native[index].extend(accessors.iter().copied().chain([anywhere]));
        }
        for class in &does.makes {
            graph.callees[index].extend(implicit.made(*class));
        }
        if does.calls_out {
            graph.call(index, held, false);
        }
    }
    for (index, function) in facts.functions.iter().enumerate() {
        graph.call(index, anywhere, false);
        let calls_back =
            |span: Span| facts.passed.get(&(span.start, span.end)).is_some_and(|it| calls_back(it));
        if let Some(parent) = function.parent {
            graph.call(parent, index, false);
            graph.native[parent].extend(Some(index).filter(|_| calls_back(function.span)));
        }
        if !is_only_called(facts, function) || is_exported(facts, function) {
            graph.call(held, index, false);
        }
        if names.is_value(index, function) {
            graph.call(passed, index, false);
        }
        for mention in function.bound.iter().flat_map(|it| facts.mentions(*it)) {
            if let (Some(holder), Called::No, false) =
                (mention.function, mention.called, mention.write)
            {
                let to = facts.passed.get(&(mention.span.start, mention.span.end));
                graph.call(holder, index, to.is_some_and(|it| it == "apply"));
                graph.native[holder].extend(Some(index).filter(|_| calls_back(mention.span)));
            }
        }
        for call in &function.calls {
            for it in names.called(index, call) {
                graph.call(index, it, call.spreads);
            }
            match call.value {
                _ if names.exact(call).is_some() => {}
                _ if facts.stored.contains(&call.name) => graph.call(index, held, call.spreads),
                Value::Element => graph.call(index, held, call.spreads),
                Value::Passed => graph.call(index, passed, call.spreads),
                Value::No => {}
            }
        }
    }
    graph
}

/// What the names of a file may mean.
struct Names<'f> {
    facts: &'f Facts,
    /// The function that a variable is bound to.
    bound: FxHashMap<SymbolId, usize>,
    /// The functions that may be held under a name.
    held: FxHashMap<&'f str, Vec<usize>>,
    /// The nodes of names that more than [`SEARCHED`] functions may be held under: calls by such a name lead there,
    /// as each of them would lead to each of the functions.
    shared: BTreeMap<&'f str, usize>,
}

impl<'f> Names<'f> {
    /// `free`: the first index that is no node's.
    fn of(facts: &'f Facts, free: usize) -> Self {
        let mut names = Self {
            facts,
            bound: FxHashMap::default(),
            held: FxHashMap::default(),
            shared: BTreeMap::default(),
        };
        for (index, function) in facts.functions.iter().enumerate() {
            names.bound.extend(function.bound.iter().map(|symbol| (*symbol, index)));
            if !is_only_called(facts, function) {
                for name in &function.names {
                    names.held.entry(name).or_default().push(index);
                }
            }
        }
        let many = names.held.iter().filter(|(_, all)| all.len() > SEARCHED);
        names.shared = many.map(|(name, _)| (*name, 0)).collect();
        names.shared.values_mut().zip(free..).for_each(|(node, index)| *node = index);
        names
    }

    /// The function that a call is one of, where its name says so.
    fn exact(&self, call: &Call) -> Option<usize> {
        call.symbol.and_then(|it| self.bound.get(&it)).copied()
    }

    /// The functions that a call in function `index` may be one of, by its name, or the node of that.
    fn called(&self, index: usize, call: &Call) -> impl Iterator<Item = usize> {
        let exact = self.exact(call);
        let name = call.name.as_str();
        let shared = self.shared.get(name).filter(|_| exact.is_none()).copied();
        let others = self.held.get(name).filter(|_| exact.is_none() && shared.is_none());
        let others = others.into_iter().flatten().copied();
        others.filter(move |it| !(call.is_super && *it == index)).chain(exact).chain(shared)
    }

    /// Whether a function is used as a value that may be called later than the function that it is passed
    /// to runs: until then, who passed it on is on the stack, too.
    fn is_value(&self, index: usize, function: &FunctionFacts) -> bool {
        let stays = |start: u32, end: u32| {
            self.facts.passed.get(&(start, end)).is_some_and(|name| self.only_calls(name))
        };
        let span = function.span;
        let is_read = function.names.iter().any(|it| self.facts.read.contains(it));
        let is_held = function.names.is_empty() && !stays(span.start, span.end);
        let mut mentions = function.bound.iter().flat_map(|it| self.facts.mentions(*it));
        let is_mentioned = mentions
            .any(|it| it.called == Called::No && !it.write && !stays(it.span.start, it.span.end));
        is_read || is_held && !self.facts.functions[index].hoisted || is_mentioned
    }

    /// Whether what is called like that does nothing to its parameters but call them, as far as it is in
    /// the file.
    fn only_calls(&self, name: &str) -> bool {
        let bound = self.facts.functions.iter().enumerate();
        let bound = bound.filter(|(_, it)| it.names.iter().any(|it| it == name));
        bound.map(|it| it.0).all(|index| {
            let own = self.facts.owned.get(&index).into_iter().flatten();
            let mut params = own.filter(|it| self.facts.declared_at.get(it) == Some(&0));
            !self.facts.functions[index].uses.arguments
                && params.all(|it| {
                    self.facts.mentions(*it).all(|it| it.called == Called::Plainly && !it.write)
                })
        })
    }
}

/// Whether the names that a function is bound to are never written, and mentioned only to call it.
pub(crate) fn is_only_called(facts: &Facts, function: &FunctionFacts) -> bool {
    function.has_home
        && function
            .bound
            .iter()
            .all(|it| facts.mentions(*it).all(|it| it.called == Called::Plainly && !it.write))
}

/// Whether other files may call a function by a name.
fn is_exported(facts: &Facts, function: &FunctionFacts) -> bool {
    function.bound.iter().any(|it| facts.exported.contains(it))
}

/// Whether an async function of the file returns what a function gives, by its name, without awaiting
/// it.
pub(crate) fn is_returned(facts: &Facts, function: usize) -> bool {
    let function = &facts.functions[function];
    function.names.iter().any(|it| facts.returned.contains(it))
        || facts.returned_at.contains(&(function.span.start, function.span.end))
}

/// The strongly connected components with a cycle in them, of the graph on `nodes`.
pub(crate) fn cycles(callees: &[FxHashSet<usize>], nodes: &FxHashSet<usize>) -> Vec<Vec<usize>> {
    let mut all: Vec<usize> = nodes.iter().copied().collect();
    order::sort(&mut all);
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    for &node in &all {
        finish(callees, nodes, node, &mut seen, &mut order);
    }
    let mut callers: FxHashMap<usize, FxHashSet<usize>> = FxHashMap::default();
    for &node in &all {
        for &callee in callees[node].iter().filter(|it| nodes.contains(it)) {
            callers.entry(callee).or_default().insert(node);
        }
    }
    let mut taken = FxHashSet::default();
    let mut components = Vec::new();
    while let Some(root) = order.pop() {
        let (mut component, mut open) = (Vec::new(), vec![root]);
        while let Some(node) = open.pop() {
            if taken.insert(node) {
                component.push(node);
                open.extend(callers.get(&node).into_iter().flatten());
            }
        }
        let cyclic = component.len() > 1 || callees[root].contains(&root);
        if cyclic && !component.is_empty() {
            order::sort(&mut component);
            components.push(component);
        }
    }
    components
}

/// Appends what can be reached from a node, callees first.
pub(crate) fn finish(
    callees: &[FxHashSet<usize>],
    nodes: &FxHashSet<usize>,
    node: usize,
    seen: &mut FxHashSet<usize>,
    order: &mut Vec<usize>,
) {
    let mut open = vec![(node, false)];
    while let Some((node, done)) = open.pop() {
        if done {
            order.push(node);
        } else if seen.insert(node) {
            open.push((node, true));
            open.extend(
                callees[node].iter().filter(|it| nodes.contains(it)).map(|&it| (it, false)),
            );
        }
    }
}
