//! The measures again, straight from their definitions: slow, with nothing shared but the way in which distributions are
//! printed.

use std::collections::{BTreeMap, BTreeSet};

use crate::histogram::{Counts, Curve, Histogram};
use crate::measures::Shapes;
use crate::tests::script::{Event, TIMER, space};

/// What a view comes to.
#[derive(Debug, PartialEq)]
pub(crate) struct Measured {
    pub(crate) continuations: u64,
    pub(crate) roots: u64,
    /// Durations of what runs once, of what recurs, and without what runs inside.
    pub(crate) durations: [Curve; 3],
    pub(crate) branching: [Vec<(u64, u64)>; 2],
    /// Uninterrupted, by the own tree, by another, recurring.
    pub(crate) gaps: [Curve; 4],
    pub(crate) inside: u64,
    pub(crate) chains: Vec<Curve>,
    pub(crate) concurrency: [Vec<(u64, u64)>; 2],
    pub(crate) subtrees: Vec<(f64, Shapes)>,
    /// By line: runs, gaps, interrupted, interrupted by another tree, time waited.
    pub(crate) places: BTreeMap<u32, [u64; 5]>,
}

type Key = (usize, u64);

/// One run as it is in the trace.
#[derive(Debug, Clone, Copy)]
struct Run {
    key: Key,
    microtask: bool,
    /// Positions and times of its events.
    begin: (usize, u64),
    end: (usize, u64),
    /// The run that it is inside of.
    outer: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Registration {
    key: Key,
    microtask: bool,
    at: usize,
    by: Option<usize>,
    recurring: bool,
    line: Option<u32>,
}

/// What happens in a trace.
pub(crate) struct History {
    runs: Vec<Run>,
    registrations: Vec<Registration>,
    /// Positions of checkpoints of nothing.
    drains: Vec<usize>,
}

impl History {
    pub(crate) fn new(events: &[Event]) -> Self {
        let mut history = Self { runs: Vec::new(), registrations: Vec::new(), drains: Vec::new() };
        let mut stack: Vec<usize> = Vec::new();
        let mut last = [0, 0];
        let mut time = 0;
        for (at, event) in events.iter().enumerate() {
            match *event {
                Event::Init { kind, recurring, root, line } => {
                    let space = space(kind);
                    last[space] += 1;
                    history.registrations.push(Registration {
                        key: (space, last[space]),
                        microtask: kind != TIMER,
                        at,
                        by: if root { None } else { stack.last().copied() },
                        recurring,
                        line,
                    });
                }
                Event::Begin { kind, id, after } => {
                    time += after;
                    history.runs.push(Run {
                        key: (space(kind), id),
                        microtask: kind != TIMER,
                        begin: (at, time),
                        end: (usize::MAX, time),
                        outer: stack.last().copied(),
                    });
                    stack.push(history.runs.len() - 1);
                }
                Event::End { after } => {
                    time += after;
                    if let Some(run) = stack.pop() {
                        history.runs[run].end = (at, time);
                    }
                }
                Event::Drain => history.drains.push(at),
            }
        }
        history
    }

    /// Which run each run is a part of, where an entry of the host has all microtasks that follow it.
    fn owners(&self) -> Vec<usize> {
        let mut owners: Vec<usize> = Vec::new();
        let mut last_outermost: Option<usize> = None;
        for (number, run) in self.runs.iter().enumerate() {
            let owner = match (run.outer, last_outermost) {
                _ if !run.microtask => number,
                (Some(outer), _) => owners[outer],
                (None, Some(last)) if !self.drained(self.runs[last].end.0, run.begin.0) => {
                    owners[last]
                }
                _ => number,
            };
            owners.push(owner);
            if run.outer.is_none() {
                last_outermost = Some(number);
            }
        }
        owners
    }

    fn drained(&self, from: usize, to: usize) -> bool {
        self.drains.iter().any(|at| *at > from && *at < to)
    }

    /// Batches of microtasks: how long each is, and how many there are in it.
    pub(crate) fn batches(&self) -> (Curve, Vec<(u64, u64)>) {
        let in_microtask = |run: &Run| {
            let mut outer = run.outer;
            while let Some(at) = outer {
                if self.runs[at].microtask {
                    return true;
                }
                outer = self.runs[at].outer;
            }
            false
        };
        let outermost: Vec<&Run> = self.runs.iter().filter(|it| !in_microtask(it)).collect();
        // Positions at which a batch is over.
        let mut edges: Vec<usize> = Vec::new();
        for run in outermost.iter().filter(|it| !it.microtask) {
            edges.extend([run.begin.0, run.end.0]);
        }
        let running =
            |at: usize| self.runs.iter().any(|it| it.microtask && it.begin.0 < at && at < it.end.0);
        edges.extend(self.drains.iter().filter(|at| !running(**at)));
        let mut batches: Vec<Vec<&Run>> = Vec::new();
        for run in outermost.into_iter().filter(|it| it.microtask) {
            let together = batches
                .last()
                .and_then(|it| it.last())
                .is_some_and(|last| !edges.iter().any(|at| *at > last.end.0 && *at < run.begin.0));
            match batches.last_mut() {
                Some(batch) if together => batch.push(run),
                _ => batches.push(vec![run]),
            }
        }
        let times = batches.iter().map(|it| it[it.len() - 1].end.1 - it[0].begin.1);
        (curve(times), counts(batches.iter().map(|it| it.len() as u64)))
    }

    pub(crate) fn measure(&self, microtasks: bool) -> Measured {
        Nodes::new(self, microtasks).measure()
    }
}

/// A continuation of a view.
#[derive(Debug, Clone)]
struct Node {
    key: Key,
    begin: (usize, u64),
    end: (usize, u64),
    parent: Option<usize>,
    /// The continuation that it is inside of.
    outer: Option<usize>,
    recurring: bool,
    line: Option<u32>,
}

struct Nodes<'a> {
    history: &'a History,
    nodes: Vec<Node>,
    /// The continuation that registered, for each registration.
    by: Vec<Option<usize>>,
}

impl<'a> Nodes<'a> {
    fn new(history: &'a History, microtasks: bool) -> Self {
        let own: Vec<usize> = (0..history.runs.len()).collect();
        let owners = if microtasks { own } else { history.owners() };
        let heads: Vec<usize> = (0..owners.len()).filter(|it| owners[*it] == *it).collect();
        let node_of = |run: usize| heads.iter().position(|it| *it == owners[run]);
        let runs_of = |key: Key| heads.iter().filter(|it| history.runs[**it].key == key).count();
        let nodes = heads.iter().map(|head| {
            let run = &history.runs[*head];
            let registration = history.registrations.iter().find(|it| it.key == run.key);
            let parts = history.runs.iter().enumerate().filter(|(at, _)| owners[*at] == *head);
            Node {
                key: run.key,
                begin: run.begin,
                end: parts.map(|(_, it)| it.end).max().unwrap_or(run.end),
                parent: registration.and_then(|it| it.by).and_then(node_of),
                outer: run.outer.and_then(node_of),
                recurring: runs_of(run.key) > 1 || registration.is_some_and(|it| it.recurring),
                line: registration.and_then(|it| it.line),
            }
        });
        Self {
            history,
            nodes: nodes.collect(),
            by: history.registrations.iter().map(|it| it.by.and_then(node_of)).collect(),
        }
    }

    fn measure(&self) -> Measured {
        Measured {
            continuations: self.nodes.len() as u64,
            roots: self.nodes.iter().filter(|it| it.parent.is_none()).count() as u64,
            durations: self.durations(),
            branching: [false, true].map(|recurring| {
                let chosen =
                    (0..self.nodes.len()).filter(|it| self.nodes[*it].recurring == recurring);
                counts(chosen.map(|it| self.children(it, true)))
            }),
            gaps: self.gaps(),
            inside: self.with_parent().filter(|(node, parent)| parent.end.0 > node.begin.0).count()
                as u64,
            chains: (1..4).map(|steps| self.chain(steps)).collect(),
            concurrency: [false, true].map(|cancelled| self.concurrency(cancelled)),
            subtrees: self.subtrees(),
            places: self.places(),
        }
    }

    fn durations(&self) -> [Curve; 3] {
        let length = |it: &Node| it.end.1 - it.begin.1;
        let of = |recurring: bool| {
            curve(self.nodes.iter().filter(|it| it.recurring == recurring).map(length))
        };
        let own = self.nodes.iter().enumerate().map(|(at, node)| {
            let inside = self.nodes.iter().filter(|it| it.outer == Some(at)).map(length);
            length(node) - inside.sum::<u64>()
        });
        [of(false), of(true), curve(own)]
    }

    fn runs(&self, key: Key) -> usize {
        self.nodes.iter().filter(|it| it.key == key).count()
    }

    /// Registrations of a continuation that run.
    fn children(&self, node: usize, recurring: bool) -> u64 {
        let registrations = self.history.registrations.iter().zip(&self.by);
        let own = registrations.filter(|(it, by)| **by == Some(node) && self.runs(it.key) > 0);
        own.filter(|(it, _)| recurring || !(it.recurring || self.runs(it.key) > 1)).count() as u64
    }

    fn with_parent(&self) -> impl Iterator<Item = (&Node, &Node)> {
        self.nodes.iter().filter_map(|it| Some((it, &self.nodes[it.parent?])))
    }

    /// The first of a tree; each run of what recurs is one.
    fn root(&self, mut node: usize) -> usize {
        while let Some(parent) = self.nodes[node].parent.filter(|_| !self.nodes[node].recurring) {
            node = parent;
        }
        node
    }

    /// Whether anything begins in a gap, and whether that is of another tree.
    fn between(&self, node: &Node, parent: &Node) -> (bool, bool) {
        let number = |key: (usize, u64)| self.nodes.iter().position(|it| it.begin == key);
        let tree = number(parent.begin).map(|it| self.root(it));
        let mut inside = self
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, it)| it.begin.0 > parent.end.0 && it.begin.0 < node.begin.0);
        let any = inside.clone().next().is_some();
        (any, inside.any(|(at, _)| Some(self.root(at)) != tree))
    }

    fn gaps(&self) -> [Curve; 4] {
        let mut gaps: [Vec<u64>; 4] = Default::default();
        for (node, parent) in self.with_parent() {
            if parent.end.0 > node.begin.0 {
                continue;
            }
            let kind = match self.between(node, parent) {
                _ if node.recurring => 3,
                (false, _) => 0,
                (_, false) => 1,
                _ => 2,
            };
            gaps[kind].push(node.begin.1 - parent.end.1);
        }
        gaps.map(|it| curve(it.into_iter()))
    }

    fn chain(&self, steps: usize) -> Curve {
        let mut times = Vec::new();
        'nodes: for node in &self.nodes {
            let mut first = node;
            for _ in 0..steps {
                match first.parent {
                    Some(parent) if !first.recurring => first = &self.nodes[parent],
                    _ => continue 'nodes,
                }
            }
            times.push(node.end.1 - first.begin.1);
        }
        curve(times.into_iter())
    }

    fn concurrency(&self, cancelled: bool) -> Vec<(u64, u64)> {
        let live = |node: &Node| {
            let before = self.history.registrations.iter().filter(|it| it.at < node.begin.0);
            let counts = before.filter(|registration| {
                let runs = || self.nodes.iter().filter(|it| it.key == registration.key);
                let later = runs().any(|it| it.begin.0 > node.begin.0);
                later || cancelled && !registration.microtask && runs().count() == 0
            });
            counts.count() as u64
        };
        counts(self.nodes.iter().filter(|it| !it.recurring).map(live))
    }

    /// r and what it leads to within the limit.
    fn subtree(&self, root: usize, limit: u64) -> BTreeSet<usize> {
        let latest = self.nodes[root].begin.1 + limit;
        let mut members = BTreeSet::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let reached = at == root
                || !node.recurring && node.parent.is_some_and(|it| members.contains(&it));
            if reached && node.end.1 <= latest {
                members.insert(at);
            }
        }
        members
    }

    fn subtrees(&self) -> Vec<(f64, Shapes)> {
        let limits: [u64; 9] = [10, 18, 32, 56, 100, 180, 320, 560, 1000].map(|it| it * 1000);
        let shapes = limits.map(|limit| {
            let all: Vec<_> = (0..self.nodes.len()).map(|it| self.subtree(it, limit)).collect();
            let mut shapes = Shapes::default();
            for tree in all.iter().filter(|it| it.len() > 1) {
                let smaller = |other: &BTreeSet<usize>| tree != other && tree.is_subset(other);
                if !all.iter().any(smaller) {
                    self.classify(tree, &mut shapes);
                }
            }
            (limit as f64 / 10_000.0, shapes)
        });
        shapes.to_vec()
    }

    fn classify(&self, tree: &BTreeSet<usize>, shapes: &mut Shapes) {
        let inside = |node: usize| {
            let edges = tree.iter().filter(|it| !self.nodes[**it].recurring);
            edges.filter(|it| self.nodes[**it].parent == Some(node)).count() as u64
        };
        let outside: Vec<u64> =
            tree.iter().map(|it| self.children(*it, false) - inside(*it)).collect();
        let total: u64 = outside.iter().sum();
        let childless: Vec<usize> =
            tree.iter().copied().filter(|it| self.children(*it, false) == 0).collect();
        let contained = !childless.is_empty() && total > 0;
        let after = childless.iter().any(|it| tree.iter().any(|other| other > it));
        let at_most_one = |recurring| tree.iter().all(|it| self.children(*it, recurring) <= 1);
        shapes.total += 1;
        shapes.linear_loose += u64::from(at_most_one(false));
        shapes.linear_strict += u64::from(at_most_one(true));
        shapes.multi_loose += u64::from(total >= 2);
        shapes.multi_strict += u64::from(outside.iter().filter(|it| **it > 0).count() >= 2);
        shapes.contained_loose += u64::from(contained);
        shapes.contained_strict += u64::from(contained && after);
    }

    fn places(&self) -> BTreeMap<u32, [u64; 5]> {
        let mut places: BTreeMap<u32, [u64; 5]> = BTreeMap::new();
        for node in &self.nodes {
            let Some(line) = node.line else { continue };
            let place = places.entry(line).or_default();
            place[0] += 1;
            let parent = node.parent.filter(|_| !node.recurring);
            let parent = parent.map(|it| &self.nodes[it]);
            if let Some(parent) = parent.filter(|it| it.end.0 < node.begin.0) {
                let (any, other) = self.between(node, parent);
                place[1] += 1;
                place[2] += u64::from(any);
                place[3] += u64::from(other);
                place[4] += node.begin.1 - parent.end.1;
            }
        }
        places
    }
}

fn curve(values: impl Iterator<Item = u64>) -> Curve {
    let mut histogram = Histogram::default();
    values.for_each(|it| histogram.add(it));
    histogram.curve()
}

fn counts(values: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let mut counts = Counts::default();
    values.for_each(|it| counts.add(it));
    counts.values()
}
