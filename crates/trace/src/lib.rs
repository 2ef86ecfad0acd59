//! Reads traces of how a program waits (docs/trace-format.md) and measures them: continuation trees, as in section 2
//! of the paper on atomicity. A trace is read twice, one thread after the other, and never held in memory.

mod analyse;
mod census;
mod decode;
mod event;
mod export;
mod file;
mod follow;
mod histogram;
mod id_set;
mod layout;
mod macrotasks;
mod measures;
mod place_table;
mod report;
mod tree_table;
mod units;

#[cfg(test)]
mod tests;

pub use analyse::analyse;
pub use export::{ExportFormat, export};
pub use file::{Metadata, OpenError, TraceFile};
pub use report::Report;
