//! Many programs: generate, rewrite, run both, compare.

use std::io;

use rayon::prelude::*;

use crate::generate::generate;
use crate::node::{Node, Pair, Violation};
use crate::shrink::shrink;
use crate::tree::Program;

/// Programs that go through a Node process at once.
const BATCH: u64 = 128;

/// Programs that are tried to make one small.
const SHRINK_STEPS: usize = 600;

/// The rule that a text breaks which does not parse, or which a second rewrite changes.
const MALFORMED: &str = "S4 syntax, S8 idempotence";

/// What makes another text of a program; none where it has nothing to change. The error is what is
/// wrong with the text.
pub type Rewriter<'r> = dyn Fn(&Program) -> Result<Option<String>, String> + Sync + 'r;

/// What gives the program of a seed.
pub type Source<'s> = dyn Fn(u64) -> Program + Sync + 's;

/// What was seen in a run.
#[derive(Debug, Default)]
pub struct Summary {
    /// The programs that were generated.
    pub programs: u64,
    /// Those that the rewriter changed.
    pub changed: u64,
    /// How often a program, original or rewritten, was run under a schedule.
    pub runs: u64,
    /// Runs that could not be judged: their original has too many schedules.
    pub undecided: u64,
    /// Changed programs that do not run as they are.
    pub invalid: u64,
    /// The violations, by seed.
    pub found: Vec<Found>,
}

/// A program that a rewriter breaks.
#[derive(Clone, Debug)]
pub struct Found {
    /// The seed of the program.
    pub seed: u64,
    /// The program.
    pub program: Program,
    /// What the rewriter makes of it.
    pub rewritten: String,
    /// What that does wrong.
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

/// Generates `count` programs, starting with `seed`, and checks what the rewriter makes of them.
/// Runs on the threads of the caller's pool, each with a Node process of its own.
///
/// # Errors
/// `node` cannot be started, or ends.
pub fn run(count: u64, seed: u64, rewriter: &Rewriter<'_>) -> io::Result<Summary> {
    run_with(&generate, count, seed, rewriter)
}

/// As [`run`], with programs of another source.
///
/// # Errors
/// `node` cannot be started, or ends.
pub fn run_with(
    source: &Source<'_>,
    count: u64,
    seed: u64,
    rewriter: &Rewriter<'_>,
) -> io::Result<Summary> {
    let batches: Vec<u64> = (0..count.div_ceil(BATCH)).map(|index| index * BATCH).collect();
    let mut summary = batches
        .par_iter()
        .map_init(Node::start, |node, &start| match node {
            Ok(node) => batch(node, source, seed + start, BATCH.min(count - start), rewriter),
            Err(error) => Err(io::Error::new(error.kind(), format!("node: {error}"))),
        })
        .try_reduce(Summary::default, |left, right| Ok(left.add(right)))?;
    summary.found.sort_by_key(|found| found.seed);
    Ok(summary)
}

fn batch(
    node: &mut Node,
    source: &Source<'_>,
    start: u64,
    count: u64,
    rewriter: &Rewriter<'_>,
) -> io::Result<Summary> {
    let mut summary = Summary { programs: count, ..Summary::default() };
    let mut changed = Vec::new();
    for seed in start..start + count {
        let program = source(seed);
        match rewriter(&program) {
            Ok(None) => {}
            Ok(Some(rewritten)) => changed.push((seed, program, rewritten)),
            Err(problem) => {
                let violation = malformed(problem);
                summary.found.push(Found { seed, program, rewritten: String::new(), violation });
            }
        }
    }
    summary.changed = changed.len() as u64;
    let pairs: Vec<Pair> =
        changed.iter().map(|(seed, program, rewritten)| pair(*seed, program, rewritten)).collect();
    for ((seed, program, rewritten), verdict) in changed.into_iter().zip(node.check(&pairs)?) {
        summary.runs += verdict.runs;
        summary.undecided += verdict.undecided;
        summary.invalid += u64::from(verdict.invalid);
        if let Some(violation) = verdict.violation {
            summary.found.push(Found { seed, program, rewritten, violation });
        }
    }
    Ok(summary)
}

/// A pair, with worlds that its seed determines.
fn pair(seed: u64, program: &Program, rewritten: &str) -> Pair {
    let seed = u32::try_from(seed & 0xff_ffff).unwrap_or(0);
    Pair { original: program.to_string(), rewritten: rewritten.to_owned(), seed }
}

fn malformed(problem: String) -> Violation {
    Violation { rule: MALFORMED.to_owned(), detail: problem, schedule: Vec::new() }
}

/// The smallest program that could be found that breaks the same rule. Takes as long as hundreds
/// of programs.
///
/// # Errors
/// `node` cannot be started, or ends.
pub fn reduce(found: &Found, rewriter: &Rewriter<'_>) -> io::Result<Found> {
    let mut node = Node::start()?;
    let mut best = found.clone();
    shrink(&found.program, SHRINK_STEPS, &mut |candidate| {
        let rewritten = match rewriter(candidate) {
            Ok(Some(rewritten)) => rewritten,
            Ok(None) => return Ok(false),
            Err(problem) => {
                let is_same = found.violation.rule == MALFORMED;
                if is_same {
                    (best.program, best.violation) = (candidate.clone(), malformed(problem));
                }
                return Ok(is_same);
            }
        };
        let verdict = node.check_one(&pair(found.seed, candidate, &rewritten))?;
        let same = verdict.violation.filter(|it| it.rule == found.violation.rule);
        let Some(violation) = same.filter(|_| !verdict.invalid) else { return Ok(false) };
        best = Found { seed: found.seed, program: candidate.clone(), rewritten, violation };
        Ok::<bool, io::Error>(true)
    })?;
    Ok(best)
}
