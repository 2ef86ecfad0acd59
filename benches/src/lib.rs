//! Readings of the running process (Linux).

use std::fs;

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
