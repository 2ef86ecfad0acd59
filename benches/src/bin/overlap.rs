//! Finding and planning beside the analysis it rests on: `overlap [--tests] [--census] FOLDER…`.
//! Prints CPU seconds of both and the findings by level; with `--census`, why awaits overlap nothing.

use std::collections::BTreeMap;
use std::path::Path;

use headstart_bench::{cpu_seconds, load_folder};
use headstart_callgraph::CallGraph;
use headstart_effects::{FileAnalysis, ProgramFacts, Summaries};
use headstart_frontend::{Program, thread_pool};
use headstart_ir::FileIr;
use headstart_models::Models;
use headstart_overlap::{Errors, Level, census, find};
use rustc_hash::FxHashSet;
use serde_json::json;

/// How many reasons are printed, the most frequent first.
const MOST_REASONS: usize = 40;

fn main() {
    let (options, folders): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|it| it.starts_with("--"));
    let has = |name: &str| options.iter().any(|it| it == name);
    let Ok(pool) = thread_pool(Some(1)) else { return };
    for folder in folders {
        let done = pool.install(|| measure(Path::new(&folder), has("--tests"), has("--census")));
        if let Err(message) = done {
            eprintln!("{folder}: {message}");
        }
    }
}

fn measure(folder: &Path, include_tests: bool, with_census: bool) -> Result<(), String> {
    let begun = cpu_seconds();
    let program = load_folder(folder, include_tests)?;
    let models = Models::builtin().map_err(|error| error.to_string())?;
    let irs: Vec<&FileIr> = program.files.iter().map(|file| &file.ir).collect();
    let lines: u64 = irs.iter().map(|ir| u64::from(ir.lines)).sum();
    let facts = ProgramFacts::collect(&irs, &models);
    let graph = CallGraph::build(&irs, &models, &FxHashSet::default())?;
    let summaries = Summaries::compute_without(graph, facts.patched.clone());
    let analysed = cpu_seconds();
    let files: Vec<FileAnalysis<'_>> = irs
        .iter()
        .enumerate()
        .map(|(file, ir)| FileAnalysis::new(file, ir, &models, &facts).with_summaries(&summaries))
        .collect();
    let mut levels: BTreeMap<&str, usize> = BTreeMap::new();
    for (file, source) in files.iter().zip(&program.files) {
        let found =
            if source.is_generated { Vec::new() } else { find(file, &summaries, Errors::One) };
        for finding in found {
            *levels.entry(Level::name(finding.level)).or_default() += 1;
        }
    }
    let done = cpu_seconds();
    let per_100k = |seconds: f64| seconds / (lines as f64 / 1e5);
    println!(
        "{}",
        json!({
            "folder": folder, "lines": lines, "findings": levels,
            "analysisPer100k": per_100k(analysed - begun),
            "findingPer100k": per_100k(done - analysed),
            "findingShare": (done - analysed) / (analysed - begun),
        })
    );
    if with_census {
        print_census(&files, &summaries, &program);
    }
    Ok(())
}

fn print_census<'p>(files: &[FileAnalysis<'p>], summaries: &'p Summaries<'p>, program: &Program) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        for (reason, elsewhere) in census(file, summaries) {
            let cause = elsewhere.and_then(|it| {
                let path = &program.files[it.file].path;
                let text = std::fs::read_to_string(path).ok()?;
                let words: Vec<&str> = it.span.text(&text).split_whitespace().collect();
                let cause: String = words.join(" ").chars().take(60).collect();
                let name = path.file_name()?.to_string_lossy().into_owned();
                Some(format!(": {cause} ({name})"))
            });
            *counts.entry(format!("{reason}{}", cause.unwrap_or_default())).or_default() += 1;
        }
    }
    let mut sorted: Vec<(String, usize)> = counts.into_iter().collect();
    sorted.sort_by_key(|it| std::cmp::Reverse(it.1));
    for (reason, count) in sorted.into_iter().take(MOST_REASONS) {
        println!("{count:6}  {reason}");
    }
}
