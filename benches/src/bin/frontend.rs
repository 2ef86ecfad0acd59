//! Runs the front end on folders: `frontend [--threads N] FOLDER…`. Prints one JSON object a
//! folder: lines, CPU seconds and their ratio per 100k lines, memory, resolution rates.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use headstart_bench::{cpu_seconds, memory_mib};
use headstart_frontend::{LoadOptions, Progress, load, thread_pool};
use headstart_ir::Resolution;
use serde_json::json;

fn main() {
    let mut threads = None;
    let mut folders = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--threads" {
            threads = arguments.next().and_then(|count| count.parse().ok());
        } else {
            folders.push(PathBuf::from(argument));
        }
    }
    for folder in folders {
        measure(&folder, threads);
    }
}

fn measure(folder: &PathBuf, threads: Option<usize>) {
    let options = LoadOptions {
        root: folder.clone(),
        paths: vec![folder.clone()],
        include_tests: true,
        ..LoadOptions::default()
    };
    let (cpu, wall, resident) = (cpu_seconds(), Instant::now(), memory_mib("VmRSS"));
    let loaded =
        thread_pool(threads).and_then(|pool| pool.install(|| load(&options, &Progress::default())));
    let program = match loaded {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            return;
        }
    };
    let (cpu, wall) = (cpu_seconds() - cpu, wall.elapsed().as_secs_f64());
    let lines: u64 = program.files.iter().map(|file| u64::from(file.ir.lines)).sum();
    let count = |size: fn(&headstart_ir::FileIr) -> usize| -> usize {
        program.files.iter().map(|file| size(&file.ir)).sum()
    };
    let mut relative: BTreeMap<&str, u64> = BTreeMap::new();
    let mut others: BTreeMap<&str, u64> = BTreeMap::new();
    for file in &program.files {
        for request in &file.ir.requests {
            let is_relative = file.ir.name(request.specifier).starts_with('.');
            let table = if is_relative { &mut relative } else { &mut others };
            *table.entry(label(request.resolution)).or_default() += 1;
        }
    }
    println!(
        "{}",
        json!({
            "folder": folder, "files": program.files.len(), "skipped": program.skipped.len(),
            "lines": lines, "cpuSeconds": cpu, "wallSeconds": wall,
            "cpuSecondsPer100kLines": cpu / (lines as f64 / 1e5),
            "irMiB": memory_mib("VmRSS") - resident, "peakMiB": memory_mib("VmHWM"),
            "insts": count(|ir| ir.insts.len()), "functions": count(|ir| ir.functions.len()),
            "relativeImports": relative, "otherImports": others,
        })
    );
    for skipped in &program.skipped {
        eprintln!("skipped {}: {} {:?}", skipped.path.display(), skipped.reason, skipped.position);
    }
    for warning in &program.warnings {
        eprintln!("warning {}: {}", warning.path.display(), warning.message);
    }
}

fn label(resolution: Resolution) -> &'static str {
    match resolution {
        Resolution::Pending => "pending",
        Resolution::File(_) => "file",
        Resolution::Outside => "outside",
        Resolution::Builtin => "builtin",
        Resolution::Package => "package",
        Resolution::Missing => "missing",
        Resolution::Unreadable => "unreadable",
    }
}
