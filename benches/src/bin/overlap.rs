//! Finding and planning beside the analysis it rests on:
//! `overlap [--tests] [--census | --awaits | --threads] FOLDER…`. Prints CPU seconds of both and the
//! findings by level; with `--census` how often which reason keeps awaits from overlapping, with `--awaits`
//! the reason for each, with `--threads` how much sooner finding is done on two threads than on one.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use headstart_bench::{cpu_seconds, load_folder};
use headstart_effects::{FileAnalysis, Session, Summaries, Told};
use headstart_frontend::{Program, thread_pool};
use headstart_ir::{FileIr, Span};
use headstart_models::Models;
use headstart_overlap::{Errors, Level, census, find};
use rayon::prelude::*;
use serde_json::json;

/// How many reasons are printed, the most frequent first.
const MOST_REASONS: usize = 40;
/// How often finding is timed on one thread and on two.
const ROUNDS: usize = 3;

fn main() {
    let (options, folders): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|it| it.starts_with("--"));
    let has = |name: &str| options.iter().any(|it| it == name);
    let Ok(pool) = thread_pool(Some(1)) else { return };
    let about = match () {
        () if has("--census") => About::Reasons { is_listed: false },
        () if has("--awaits") => About::Reasons { is_listed: true },
        () if has("--threads") => About::Threads,
        () => About::Nothing,
    };
    for folder in folders {
        let done = pool.install(|| measure(Path::new(&folder), has("--tests"), about));
        if let Err(message) = done {
            eprintln!("{folder}: {message}");
        }
    }
}

/// What else is printed.
#[derive(Clone, Copy)]
enum About {
    Nothing,
    Reasons { is_listed: bool },
    Threads,
}

fn measure(folder: &Path, include_tests: bool, about: About) -> Result<(), String> {
    let begun = cpu_seconds();
    let program = load_folder(folder, include_tests)?;
    let never = AtomicBool::new(false);
    let models = Models::builtin().map_err(|error| error.to_string())?;
    let irs: Vec<&FileIr> = program.files.iter().map(|file| &file.ir).collect();
    let lines: u64 = irs.iter().map(|ir| u64::from(ir.lines)).sum();
    let insts: usize = irs.iter().map(|ir| ir.insts.len()).sum();
    let session = Session::new(&irs, &models, Told::default(), &never)?;
    let summaries = &session.summaries;
    let analysed = cpu_seconds();
    let files: Vec<FileAnalysis<'_>> = session.files().collect();
    let mut levels: BTreeMap<&str, usize> = BTreeMap::new();
    for (file, source) in files.iter().zip(&program.files) {
        let found =
            if source.is_generated { Vec::new() } else { find(file, summaries, Errors::One) };
        for finding in found {
            *levels.entry(Level::name(finding.level)).or_default() += 1;
        }
    }
    let done = cpu_seconds();
    let per_100k = |seconds: f64| seconds / (lines as f64 / 1e5);
    println!(
        "{}",
        json!({
            "folder": folder, "lines": lines, "instructions": insts,
            "callgraphWork": summaries.graph.work() as f64 / insts as f64,
            "summariesWork": summaries.work() as f64 / insts as f64, "findings": levels,
            "analysisPer100k": per_100k(analysed - begun),
            "findingPer100k": per_100k(done - analysed),
            "findingShare": (done - analysed) / (analysed - begun),
        })
    );
    match about {
        About::Nothing => {}
        About::Reasons { is_listed } => print_census(&files, summaries, &program, is_listed),
        About::Threads => print_threads(&session, &program)?,
    }
    Ok(())
}

/// How much sooner finding is done on two threads than on one: the median of some rounds, in turn. Each round
/// has a session of its own, since who looks at functions notes what has been worked out.
fn print_threads<'p>(session: &'p Session<'p>, program: &Program) -> Result<(), String> {
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let (one, two) = (seconds_on(1, session, program)?, seconds_on(2, session, program)?);
        ratios.push(one / two);
    }
    ratios.sort_by(f64::total_cmp);
    println!("{}", json!({ "twoThreads": ratios[ROUNDS / 2], "rounds": ratios }));
    Ok(())
}

/// How long finding takes on so many threads, in seconds.
fn seconds_on<'p>(
    threads: usize,
    session: &'p Session<'p>,
    program: &Program,
) -> Result<f64, String> {
    // What files are asked about has to be there as long as the program is.
    let session: &'p Session<'p> = Box::leak(Box::new(session.whole()?));
    let pool = thread_pool(Some(threads)).map_err(|error| error.to_string())?;
    let begun = Instant::now();
    pool.install(|| {
        program.files.par_iter().with_max_len(1).enumerate().for_each(|(index, source)| {
            if !source.is_generated {
                let _found = find(&session.file(index), &session.summaries, Errors::One);
            }
        });
    });
    Ok(begun.elapsed().as_secs_f64())
}

/// The reasons why awaits overlap nothing: each with its place (`is_listed`), or how often it occurs.
fn print_census<'p>(
    files: &[FileAnalysis<'p>],
    summaries: &'p Summaries<'p>,
    program: &Program,
    is_listed: bool,
) {
    let mut texts = Texts { program, read: HashMap::new() };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        for (await_span, reason) in census(file, summaries) {
            let words = reason.map_or("can overlap".to_owned(), |reason| {
                let is_long = is_listed || !reason.text.starts_with("`{}` ");
                let subject =
                    if is_long { texts.words(file.file, reason.span) } else { "`{}`".into() };
                let place = reason.elsewhere.last().map(|it| texts.words(it.file, it.span));
                let cause = place.map(|it| format!(": {it}")).unwrap_or_default();
                format!("{}{cause}", reason.text.replace("{}", &subject))
            });
            if is_listed {
                let path = program.files[file.file].path.display();
                println!("{path}:{}: {words}", texts.line(file.file, await_span));
            } else {
                *counts.entry(words).or_default() += 1;
            }
        }
    }
    let mut sorted: Vec<(String, usize)> = counts.into_iter().collect();
    sorted.sort_by_key(|it| std::cmp::Reverse(it.1));
    for (reason, count) in sorted.into_iter().take(MOST_REASONS) {
        println!("{count:6}  {reason}");
    }
}

/// The texts of files, read again where they are needed.
struct Texts<'a> {
    program: &'a Program,
    read: HashMap<usize, String>,
}

impl Texts<'_> {
    fn of(&mut self, file: usize) -> &str {
        let path = &self.program.files[file].path;
        self.read.entry(file).or_insert_with(|| std::fs::read_to_string(path).unwrap_or_default())
    }

    /// The beginning of a stretch of text, on one line, with the name of its file.
    fn words(&mut self, file: usize, span: Span) -> String {
        let words: Vec<&str> = span.text(self.of(file)).split_whitespace().collect();
        let text: String = words.join(" ").chars().take(60).collect();
        let name = self.program.files[file].path.file_name().unwrap_or_default();
        format!("{text} ({})", name.to_string_lossy())
    }

    fn line(&mut self, file: usize, span: Span) -> usize {
        let before = self.of(file).get(..span.start as usize).unwrap_or_default();
        before.matches('\n').count() + 1
    }
}
