//! The front end: from paths to a [`Program`] in the IR.
//!
//! Finds the source files, parses and lowers them in parallel, drops each syntax tree at once, and
//! resolves what the files import from one another. It is the only crate that imports the parser.

mod builtins;
mod discover;
mod foreign;
mod lower;
mod names;
mod nesting;
mod parse;
mod program;
mod progress;
mod project;
mod resolve;
mod source;
mod substituted;
mod target;
mod testing;
mod tsconfigs;
mod workspace;

pub use discover::{Walked, has_source_extension, is_test_path};
pub use names::resolve_names;
pub use nesting::{UNCHECKED_BYTES, fits_worker};
pub use parse::{SyntaxError, check_early_errors, check_syntax, parse_to_ir, with_syntax_tree};
pub use program::{
    LoadError, LoadOptions, Parsed, Program, Skipped, SourceFile, Texts, Warning, WarningKind,
    load, thread_pool,
};
pub use progress::{Phase, Progress};
pub use project::Projects;
pub use source::{content_hash, irregular, without_bom};
