//! Random traces, measured and compared with the reference.

use std::collections::BTreeMap;

use crate::report::{Report, ViewReport};
use crate::tests::reference::{History, Measured};
use crate::tests::script::{Event, REACTION, TICK, TIMER, init, measured, space};

/// A program that does something at random, as a host would run it.
struct Program {
    random: fastrand::Rng,
    events: Vec<Event>,
    last: [u64; 2],
    /// What waits for its turn.
    timers: Vec<u64>,
    microtasks: Vec<(u32, u64)>,
    /// How long things take: some programs are all of short, some of long ones.
    scale: u64,
    left: usize,
}

impl Program {
    fn new(seed: u64, length: usize) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let scale = [1, 20, 400, 8_000, 60_000][random.usize(0..5)];
        Self {
            random,
            events: Vec::new(),
            last: [0, 0],
            timers: Vec::new(),
            microtasks: Vec::new(),
            scale,
            left: length,
        }
    }

    fn events(mut self) -> Vec<Event> {
        self.register(None);
        while self.left > 0 {
            if self.timers.is_empty() {
                // A microtask that no entry comes before, or something new of the host.
                if self.random.bool() {
                    self.register(Some(TIMER));
                } else {
                    self.register(Some(REACTION));
                    if self.random.bool() {
                        self.events.push(Event::Drain);
                    }
                    self.drain();
                }
                continue;
            }
            let place = self.random.usize(0..self.timers.len());
            let id = self.timers[place];
            // An interval stays.
            if !self.random.bool() || self.random.bool() {
                self.timers.swap_remove(place);
            }
            self.run(TIMER, id, 0);
            self.drain();
        }
        self.events
    }

    fn time(&mut self) -> u64 {
        if self.random.u8(0..4) == 0 { 0 } else { self.random.u64(0..=self.scale) }
    }

    fn register(&mut self, kind: Option<u32>) {
        let kind =
            kind.unwrap_or_else(|| [TIMER, TICK, REACTION, REACTION][self.random.usize(0..4)]);
        let line = self.random.bool().then(|| self.random.u32(1..5));
        let recurring = self.random.u8(0..16) == 0;
        let root = self.random.u8(0..24) == 0;
        self.events.push(Event::Init { kind, recurring, root, line });
        let space = space(kind);
        self.last[space] += 1;
        let id = self.last[space];
        match self.random.u8(0..8) {
            // It never runs.
            0 => (),
            _ if kind == TIMER => self.timers.push(id),
            _ => self.microtasks.push((kind, id)),
        }
    }

    fn run(&mut self, kind: u32, id: u64, depth: u32) {
        self.left = self.left.saturating_sub(1);
        let after = self.time();
        self.events.push(Event::Begin { kind, id, after });
        for _ in 0..self.random.u32(0..4) {
            match self.random.u8(0..8) {
                // Something runs inside it.
                0 if depth < 3 && !self.timers.is_empty() => {
                    let place = self.random.usize(0..self.timers.len());
                    let inner = self.timers.swap_remove(place);
                    self.run(TIMER, inner, depth + 1);
                }
                1 if depth < 3 && kind == TIMER => self.drain_within(depth),
                2 => {
                    // It is registered and runs inside.
                    self.events.push(init(TIMER));
                    self.last[0] += 1;
                    let inner = self.last[0];
                    if depth < 3 {
                        self.run(TIMER, inner, depth + 1);
                    }
                }
                _ if self.left > 0 => self.register(None),
                _ => (),
            }
        }
        let after = self.time();
        self.events.push(Event::End { after });
    }

    fn drain_within(&mut self, depth: u32) {
        for (kind, id) in std::mem::take(&mut self.microtasks) {
            self.run(kind, id, depth + 1);
        }
    }

    fn drain(&mut self) {
        while !self.microtasks.is_empty() {
            let (kind, id) = self.microtasks.remove(0);
            self.run(kind, id, 0);
        }
    }
}

fn view(report: &ViewReport, places: BTreeMap<u32, [u64; 5]>) -> Measured {
    let ViewReport { durations, branching, gaps, concurrency, .. } = report.clone();
    Measured {
        continuations: report.continuations,
        roots: report.roots,
        durations: [durations.once, durations.recurring, durations.own],
        branching: [branching.once, branching.recurring],
        gaps: [gaps.uninterrupted, gaps.own_tree, gaps.other_tree, gaps.recurring],
        inside: gaps.inside,
        chains: report.chains.iter().map(|it| it.time.clone()).collect(),
        concurrency: [concurrency.live, concurrency.with_cancelled],
        subtrees: report.subtrees.clone(),
        places,
    }
}

fn places(report: &Report) -> BTreeMap<u32, [u64; 5]> {
    let mut places: BTreeMap<u32, [u64; 5]> = BTreeMap::new();
    for place in &report.places {
        let waited = (place.waited * 10_000.0).round() as u64;
        let numbers =
            [place.runs, place.gaps, place.interrupted, place.interrupted_by_other_tree, waited];
        let sums = places.entry(place.line).or_default();
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
    }
    places
}

/// Compares one trace in both views.
fn compare(seed: u64, length: usize) {
    let events = Program::new(seed, length).events();
    let history = History::new(&events);
    let report = measured(&events, 1 + seed as usize % 97);
    let fine = history.measure(true);
    assert_eq!(view(&report.microtasks, places(&report)), fine, "microtasks, seed {seed}");
    let coarse = Measured { places: BTreeMap::new(), ..history.measure(false) };
    assert_eq!(view(&report.macrotasks, BTreeMap::new()), coarse, "macrotasks, seed {seed}");
    let batches = (report.batches.time, report.batches.size);
    assert_eq!(batches, history.batches(), "batches, seed {seed}");
    assert_eq!(report.extent.lost_chunks, 0, "seed {seed}");
    let runs: u64 = report.tree.iter().map(|it| it.runs).sum();
    assert_eq!(runs, report.microtasks.continuations, "tree, seed {seed}");
}

#[test]
fn a_thousand_random_traces_are_measured_as_the_definitions_say() {
    for seed in 0..1000 {
        compare(seed, 4 + seed as usize % 60);
    }
}

#[test]
fn so_are_a_few_long_ones() {
    for seed in 0..4 {
        compare(1_000_000 + seed, 400);
    }
}
