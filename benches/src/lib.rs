//! Readings of the running process, from `/proc` (Linux).

use std::fs;

/// Kernel clock ticks a second; fixed at 100 on every Linux that Node supports.
const TICKS_PER_SECOND: f64 = 100.0;

/// User and system CPU seconds of this process so far, all threads together.
#[must_use]
pub fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The command name stands in parentheses and may itself hold spaces.
    let fields: Vec<&str> =
        stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|it| it.parse().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / TICKS_PER_SECOND
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
