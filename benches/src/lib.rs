//! Readings of the running process (Linux), and what the measurements share.

use std::fs;
use std::path::{Path, PathBuf};

use headstart_frontend::{LoadOptions, Program, Progress, load};

/// The addon's allocator, so that what is measured is what runs.
#[global_allocator]
static ALLOCATOR: mimalloc_safe::MiMalloc = mimalloc_safe::MiMalloc;

/// User and system CPU seconds of this process so far, all threads together, ended ones included.
#[must_use]
pub fn cpu_seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

/// A line of `/proc/self/status` such as `VmHWM` (peak) or `VmRSS` (now), in MiB.
#[must_use]
pub fn memory_mib(line: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib: f64 = status
        .lines()
        .find_map(|it| it.strip_prefix(line)?.strip_prefix(':'))
        .and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .unwrap_or(0.0);
    kib / 1024.0
}

/// Loads a folder as a command would.
///
/// # Errors
/// The folder does not exist, or there is nothing to read.
pub fn load_folder(folder: &Path, include_tests: bool) -> Result<Program, String> {
    let options = LoadOptions {
        root: PathBuf::from(folder),
        paths: vec![PathBuf::from(folder)],
        include_tests,
        ..LoadOptions::default()
    };
    load(&options, &Progress::default()).map_err(|error| error.to_string())
}
