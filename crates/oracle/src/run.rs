//! Many programs: generate, rewrite, run both, compare.

use std::io;

use headstart_models::Models;
use headstart_overlap::Level;
use rayon::prelude::*;

use crate::generate::generate;
use crate::node::{Node, Pair, Violation};
use crate::rewrite::rewrite;
use crate::tree::Program;

/// Programs that go through one Node process before the next batch.
const BATCH: u64 = 128;

/// What was seen in a run.
#[derive(Debug, Default)]
pub struct Summary {
    /// The programs that were generated.
    pub programs: u64,
    /// Those that the rewrite changed.
    pub changed: u64,
    /// How often a program, original or rewritten, was run under a schedule.
    pub runs: u64,
    /// Runs that could not be judged.
    pub undecided: u64,
    /// Programs that do not run as they are.
    pub invalid: u64,
    /// The violations, by seed.
    pub found: Vec<Found>,
}

/// A program that a rewrite breaks.
#[derive(Debug)]
pub struct Found {
    /// The seed of the program.
    pub seed: u64,
    /// The program.
    pub program: Program,
    /// Its rewritten text.
    pub rewritten: String,
    /// What it does wrong.
    pub violation: Violation,
}

impl Summary {
    fn add(mut self, other: Self) -> Self {
        self.programs += other.programs;
        self.changed += other.changed;
        self.runs += other.runs;
        self.undecided += other.undecided;
        self.invalid += other.invalid;
        self.found.extend(other.found);
        self
    }
}

/// Generates `count` programs, starting with `seed`, and checks what `fix` makes of them. Runs on
/// the threads of the caller's pool, each with a Node process of its own.
///
/// # Errors
/// `node` cannot be started, or ends.
pub fn run(count: u64, seed: u64, level: Level, models: &Models) -> io::Result<Summary> {
    let batches: Vec<u64> = (0..count).step_by(usize::try_from(BATCH).unwrap_or(1)).collect();
    let mut summary = batches
        .par_iter()
        .map_init(Node::start, |node, &start| match node {
            Ok(node) => batch(node, seed + start, BATCH.min(count - start), level, models),
            Err(error) => Err(io::Error::new(error.kind(), format!("node: {error}"))),
        })
        .try_reduce(Summary::default, |left, right| Ok(left.add(right)))?;
    summary.found.sort_by_key(|found| found.seed);
    Ok(summary)
}

fn batch(
    node: &mut Node,
    start: u64,
    count: u64,
    level: Level,
    models: &Models,
) -> io::Result<Summary> {
    let mut summary = Summary { programs: count, ..Summary::default() };
    let mut changed = Vec::new();
    for seed in start..start + count {
        let program = generate(seed);
        let original = program.to_string();
        match rewrite(&original, models, level) {
            Ok(None) => {}
            Ok(Some(rewritten)) => {
                changed.push((seed, program, pair(seed, original, rewritten)));
            }
            Err(problem) => summary.found.push(unprintable(seed, program, problem)),
        }
    }
    summary.changed = changed.len() as u64;
    let pairs: Vec<Pair> = changed.iter().map(|(_, _, pair)| pair.clone()).collect();
    for ((seed, program, pair), verdict) in changed.into_iter().zip(node.check(&pairs)?) {
        summary.runs += verdict.runs;
        summary.undecided += verdict.undecided;
        summary.invalid += u64::from(verdict.invalid);
        if let Some(violation) = verdict.violation {
            summary.found.push(Found { seed, program, rewritten: pair.rewritten, violation });
        }
    }
    Ok(summary)
}

/// A pair, with worlds of its own.
pub(crate) fn pair(seed: u64, original: String, rewritten: String) -> Pair {
    Pair { original, rewritten, seed: u32::try_from(seed & 0xff_ffff).unwrap_or(0) }
}

fn unprintable(seed: u64, program: Program, problem: String) -> Found {
    let violation =
        Violation { rule: "S4 syntax".to_owned(), detail: problem, schedule: Vec::new() };
    Found { seed, program, rewritten: String::new(), violation }
}
