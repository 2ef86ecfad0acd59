//! edits: span edits with conflict detection, unified diffs, whole-file replacement.
//!
//! The last step of a fix. The passes before it decide *what* to change and say so as spans
//! of the original text; this crate turns those spans into new text without touching any
//! other byte ([`EditSet`], [`SourceText`]), shows the change ([`unified_diff`]) and puts it
//! on disk so that no reader ever sees half a file ([`replace_file`], [`FolderLock`]).
//!
//! It knows nothing about JavaScript beyond its line terminators. Offsets are bytes into the
//! UTF-8 text without a byte order mark.

mod columns;
mod diff;
mod edits;
mod replace;
#[cfg(test)]
mod testing;
mod text;

pub use columns::Columns;
pub use diff::{DiffLine, LineChange, diff_lines, unified_diff};
pub use edits::{Conflict, Edit, EditSet, GroupId};
pub use replace::{FolderLock, LockError, ReplaceError, remove_stale_temporaries, replace_file};
pub use text::{Position, SourceText, TextError};
