//! Stages of the front end on texts in memory, one thread: `stages [--rounds N] FOLDER…`. Prints
//! CPU seconds per 100k lines of parsing alone and of parsing, scopes and lowering; the rounds of
//! the two are interleaved and the median is taken.

use std::path::PathBuf;

use headstart_bench::cpu_seconds;
use headstart_frontend::{
    LoadOptions, Progress, check_syntax, load, parse_to_ir, thread_pool, without_bom,
};
use serde_json::json;

fn main() {
    let mut rounds = 5;
    let mut folders = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--rounds" {
            rounds = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(rounds);
        } else {
            folders.push(PathBuf::from(argument));
        }
    }
    // The parser needs the stack of a worker thread.
    let Ok(pool) = thread_pool(Some(1)) else { return };
    for folder in folders {
        pool.install(|| measure(&folder, rounds));
    }
}

fn measure(folder: &PathBuf, rounds: usize) {
    let options = LoadOptions {
        root: folder.clone(),
        paths: vec![folder.clone()],
        include_tests: true,
        ..LoadOptions::default()
    };
    let Ok(program) = load(&options, &Progress::default()) else { return };
    let lines: u64 = program.files.iter().map(|file| u64::from(file.ir.lines)).sum();
    let texts: Vec<(PathBuf, String)> = program
        .files
        .into_iter()
        .filter_map(|file| std::fs::read_to_string(&file.path).ok().map(|text| (file.path, text)))
        .collect();
    let (mut parse, mut lower) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        parse.push(timed(|| {
            for (path, text) in &texts {
                let _ = check_syntax(path, without_bom(text));
            }
        }));
        lower.push(timed(|| {
            for (path, text) in &texts {
                let _ = parse_to_ir(path, without_bom(text), 0);
            }
        }));
    }
    let per_100k = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2] / (lines as f64 / 1e5)
    };
    println!(
        "{}",
        json!({
            "folder": folder, "lines": lines,
            "parsePer100k": per_100k(&mut parse), "parseScopesLowerPer100k": per_100k(&mut lower),
        })
    );
}

fn timed(work: impl FnOnce()) -> f64 {
    let before = cpu_seconds();
    work();
    cpu_seconds() - before
}
