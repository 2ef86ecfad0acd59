//! The whole analysis of each folder: `callgraph [--tests] FOLDER…`. Prints CPU seconds of loading,
//! of the call graph and of the summaries, memory after each and at most, how many calls inside functions that wait
//! are understood, and how many functions may do anything.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use headstart_bench::{cpu_seconds, load_folder, memory_mib};
use headstart_effects::{Session, Summaries, Summary, call_graph};
use headstart_frontend::thread_pool;
use headstart_ir::FileIr;
use headstart_models::Models;
use serde_json::json;

fn main() {
    let (options, folders): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|it| it.starts_with("--"));
    let include_tests = options.iter().any(|it| it == "--tests");
    let Ok(pool) = thread_pool(Some(1)) else { return };
    for folder in folders {
        if let Err(message) = pool.install(|| measure(Path::new(&folder), include_tests)) {
            eprintln!("{folder}: {message}");
        }
    }
}

fn measure(folder: &Path, include_tests: bool) -> Result<(), String> {
    let begun = cpu_seconds();
    let program = load_folder(folder, include_tests)?;
    let (loaded, loaded_mib) = (cpu_seconds(), memory_mib("VmRSS"));
    let never = AtomicBool::new(false);
    let models = Models::builtin().map_err(|error| error.to_string())?;
    let irs: Vec<&FileIr> = program.files.iter().map(|file| &file.ir).collect();
    let lines: u64 = irs.iter().map(|ir| u64::from(ir.lines)).sum();
    let graph = call_graph(&irs, &models, &never)?;
    let (analysed, analysed_mib) = (cpu_seconds(), memory_mib("VmRSS"));
    let analysed_peak = memory_mib("VmHWM");
    let counts = graph.counts(&|_| true);
    let (nodes, objects) = graph.size();
    let counted = cpu_seconds();
    let session = Session::of_graph(&irs, &models, graph)?;
    let summaries = &session.summaries;
    let summarised = cpu_seconds();
    let anything = count(summaries, &irs, Summary::is_anything);
    let per_100k = |seconds: f64| seconds / (lines as f64 / 1e5);
    println!(
        "{}",
        json!({
            "folder": folder, "lines": lines, "nodes": nodes, "objects": objects,
            "loadPer100k": per_100k(loaded - begun),
            "callgraphPer100k": per_100k(analysed - loaded),
            "summariesPer100k": per_100k(summarised - counted),
            "wholePer100k": per_100k(analysed - begun + summarised - counted),
            "functions": count(summaries, &irs, |_| true), "anything": anything,
            "loadedMiB": loaded_mib, "callgraphMiB": analysed_mib, "callgraphPeakMiB": analysed_peak,
            "summariesMiB": memory_mib("VmRSS"), "peakMiB": memory_mib("VmHWM"),
            "calls": counts.calls, "known": counts.known as f64 / counts.calls.max(1) as f64,
            "unknown": counts.causes(),
        })
    );
    Ok(())
}

fn count(summaries: &Summaries<'_>, irs: &[&FileIr], is_counted: fn(&Summary) -> bool) -> usize {
    let files = (0..).zip(irs).map(|(file, _)| file);
    files
        .flat_map(|file| summaries.graph.functions(file))
        .filter(|&function| is_counted(summaries.of(function)))
        .count()
}
