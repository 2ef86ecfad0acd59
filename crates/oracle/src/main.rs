//! `headstart-oracle [--count N] [--seed N] [--threads N] [--level safe|likely] [--store FOLDER]
//! [--adversary NAME]`
//! `headstart-oracle --show SEED [--adversary NAME]`
//!
//! Generates programs, rewrites them as `fix` does, and runs both under many schedules and sets of
//! failures. Ends with 1 if a rewritten program does what its original may not. The first
//! violations are made small and printed; `--store` keeps them as fixtures. `--show` prints the
//! program of a seed. `--adversary` puts one into every program.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use headstart_models::Models;
use headstart_oracle::{
    ADVERSARIES, Adversary, Fixture, Found, Program, Rewriter, Summary, generate, generate_with,
    reduce, rewrite, run,
};
use headstart_overlap::Level;

/// Violations that are made small and printed.
const SHOWN: usize = 5;

struct Options {
    count: u64,
    seed: u64,
    threads: Option<usize>,
    level: Level,
    store: Option<PathBuf>,
    show: Option<u64>,
    adversary: Option<&'static Adversary>,
}

impl Options {
    fn program(&self, seed: u64) -> Program {
        self.adversary.map_or_else(|| generate(seed), |it| generate_with(seed, Some(it)))
    }
}

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    match check(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        count: 2000,
        seed: 1,
        threads: None,
        level: Level::Safe,
        store: None,
        show: None,
        adversary: None,
    };
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{name}: {value} is no number"));
        match name.as_str() {
            "--count" => options.count = number()?,
            "--seed" => options.seed = number()?,
            "--show" => options.show = Some(number()?),
            "--adversary" => {
                let named = ADVERSARIES.iter().find(|it| it.name == value);
                options.adversary = Some(named.ok_or_else(|| {
                    let all: Vec<&str> = ADVERSARIES.iter().map(|it| it.name).collect();
                    format!("--adversary: {value} is none of {}", all.join(", "))
                })?);
            }
            "--store" => options.store = Some(PathBuf::from(&value)),
            "--threads" => options.threads = usize::try_from(number()?).ok(),
            "--level" => {
                options.level = match value.as_str() {
                    "safe" => Level::Safe,
                    "likely" => Level::Likely,
                    _ => return Err(format!("--level: {value} is neither safe nor likely")),
                }
            }
            _ => return Err(format!("{name} is no option")),
        }
    }
    Ok(options)
}

fn check(options: &Options) -> io::Result<bool> {
    if let Some(seed) = options.show {
        println!("{}", options.program(seed));
        return Ok(true);
    }
    let models = Models::builtin().map_err(|error| io::Error::other(error.to_string()))?;
    let pool = headstart_frontend::thread_pool(options.threads).map_err(io::Error::other)?;
    let begun = Instant::now();
    let fix = |program: &Program| rewrite(&program.to_string(), &models, options.level);
    let summary =
        pool.install(|| run(options.count, options.seed, &|it| options.program(it), &fix))?;
    let seconds = begun.elapsed().as_secs_f64();
    for found in summary.found.iter().take(SHOWN) {
        show(found, &fix, options.store.as_deref())?;
    }
    for found in summary.found.iter().skip(SHOWN) {
        println!("--- program {}: {} (--show {0})", found.seed, found.violation.rule);
    }
    print_summary(&summary, seconds);
    Ok(summary.found.is_empty())
}

/// Makes a violation small, prints it, and stores it where that is asked for.
fn show(found: &Found, fix: &Rewriter<'_>, store: Option<&Path>) -> io::Result<()> {
    let found = reduce(found, fix)?;
    print_found(&found);
    let Some(folder) = store else { return Ok(()) };
    let path = folder.join(format!("program-{}.md", found.seed));
    std::fs::write(&path, Fixture::from(&found).to_string())?;
    println!("--- stored as {}", path.display());
    Ok(())
}

fn print_found(found: &Found) {
    println!("--- program {}: {}", found.seed, found.violation.rule);
    println!("{}\n--- rewritten\n{}", found.program, found.rewritten);
    println!("--- {}", found.violation.detail);
    found.violation.schedule.iter().for_each(|line| println!("    {line}"));
}

fn print_summary(summary: &Summary, seconds: f64) {
    println!(
        "oracle: {} programs, {} changed by fix, {} runs, {seconds:.1} s",
        summary.programs, summary.changed, summary.runs
    );
    if summary.invalid + summary.undecided > 0 {
        println!(
            "{} programs that do not run, {} runs not decided",
            summary.invalid, summary.undecided
        );
    }
    println!("{} violations", summary.found.len());
}
