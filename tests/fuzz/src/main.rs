//! `headstart-fuzz [--count N] [--seed N] [FILE OR FOLDER…]`
//!
//! Takes source files (those of this repository where none are named), mutates them, and runs each
//! result through parse, lower, find, edit, parse. Fails on a panic, on a rewritten text that does
//! not parse, and on one in which the same level still finds something. A crash of the process
//! itself ends the run with a signal; the case under way is then in `$TMPDIR/headstart-fuzz-*`.

mod mutate;
mod rewrite;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use headstart_models::Models;
use rayon::prelude::*;

use crate::mutate::{Random, mutate};
use crate::rewrite::{Outcome, rewrite};

/// Texts larger than this are slow to mutate and add nothing.
const LARGEST_SEED: u64 = 16 << 10;

struct Options {
    count: usize,
    seed: u64,
    paths: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let options = options();
    let seeds = seeds(&options.paths);
    let Ok(models) = Models::builtin() else {
        eprintln!("error: the models cannot be read; run the tests of headstart-models");
        return ExitCode::from(2);
    };
    let Ok(pool) = headstart_frontend::thread_pool(None) else {
        eprintln!("error: no threads");
        return ExitCode::from(2);
    };
    if seeds.is_empty() {
        eprintln!("error: no source files to start from");
        return ExitCode::from(2);
    }
    // A panic is reported with its case; the default report would be printed for each thread.
    std::panic::set_hook(Box::new(|_| {}));
    let parsed = AtomicUsize::new(0);
    let rewritten = AtomicUsize::new(0);
    let failures: Vec<String> = pool.install(|| {
        (0..options.count)
            .into_par_iter()
            .filter_map(|index| {
                let case = options.seed.wrapping_mul(1_000_003).wrapping_add(index as u64);
                run_case(case, &seeds, &models, &parsed, &rewritten)
            })
            .collect()
    });
    for failure in failures.iter().take(5) {
        eprintln!("{failure}");
    }
    println!(
        "fuzz: {} mutated files, {} parsed, {} rewritten",
        options.count,
        parsed.load(Ordering::Relaxed),
        rewritten.load(Ordering::Relaxed)
    );
    println!("{} passed, {} failed", options.count - failures.len(), failures.len());
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_case(
    case: u64,
    seeds: &[(String, String)],
    models: &Models,
    parsed: &AtomicUsize,
    rewritten: &AtomicUsize,
) -> Option<String> {
    let (name, text) = mutate(seeds, &mut Random(case));
    let result = catch_unwind(AssertUnwindSafe(|| rewrite(Path::new(&name), &text, models)));
    let problem = match result {
        Ok(Ok(Outcome::DoesNotParse)) => return None,
        Ok(Ok(Outcome::Unchanged)) => {
            parsed.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        Ok(Ok(Outcome::Rewritten)) => {
            parsed.fetch_add(1, Ordering::Relaxed);
            rewritten.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        Ok(Err(problem)) => problem,
        Err(panic) => {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message
                .or_else(|| panic.downcast_ref::<&str>().map(|it| (*it).to_owned()))
                .unwrap_or_default();
            format!("panic: {message}")
        }
    };
    Some(format!("case {case} ({name}): {problem}\n{text}\n"))
}

fn options() -> Options {
    let mut options = Options { count: 20_000, seed: 1, paths: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|it| it.parse::<u64>().ok()).unwrap_or(1);
        match argument.as_str() {
            "--count" => options.count = usize::try_from(number()).unwrap_or(1),
            "--seed" => options.seed = number(),
            _ => options.paths.push(PathBuf::from(argument)),
        }
    }
    if options.paths.is_empty() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        options.paths = ["examples", "packages", "tests/specs", "docs"]
            .iter()
            .map(|folder| root.join(folder))
            .collect();
    }
    options
}

/// The texts to start from: source files, and the code blocks of specifications.
fn seeds(paths: &[PathBuf]) -> Vec<(String, String)> {
    let mut seeds = Vec::new();
    let mut pending = paths.to_vec();
    while let Some(path) = pending.pop() {
        let skip = path.ends_with("node_modules") || path.ends_with("dist");
        if path.is_dir() && !skip {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
            entries.sort();
            pending.extend(entries);
        } else if path.metadata().is_ok_and(|it| it.is_file() && it.len() <= LARGEST_SEED) {
            add_seeds(&path, &mut seeds);
        }
    }
    seeds
}

fn add_seeds(path: &Path, seeds: &mut Vec<(String, String)>) {
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    match extension {
        "js" | "ts" | "tsx" | "jsx" | "mjs" | "cjs" | "mts" | "cts" => {
            seeds.push((format!("seed.{extension}"), text));
        }
        "md" => {
            for block in text.split("\n```").skip(1).step_by(2) {
                if let Some((info, code)) = block.split_once('\n')
                    && let Some(extension) = info.split(' ').next()
                    && matches!(extension, "js" | "ts")
                {
                    seeds.push((format!("seed.{extension}"), code.to_owned()));
                }
            }
        }
        _ => {}
    }
}
