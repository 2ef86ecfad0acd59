//! Whole-file replacement by rename: a reader sees the old file or the new one, never a part.

mod error;
mod lock;
mod temporary;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

pub use error::ReplaceError;
pub use lock::{FolderLock, LockError};
use temporary::Temporary;
pub use temporary::remove_stale_temporaries;

/// Replaces the content of the file at `path` by `new`, provided it still is `expected`.
///
/// The new content is written to a temporary file in the same folder, flushed to disk and
/// renamed over the file, so a crash, a full disk or a cancellation leaves the old file whole.
/// A symbolic link stays a link; the file it leads to is replaced. The permission bits are
/// kept. Being a new file, it belongs to the user who runs this and is no longer joined to
/// other hard links of the old one.
///
/// `cancelled` is read before anything is written and again just before the rename. Another
/// program's write in the moment between the last comparison and the rename cannot be seen.
///
/// # Errors
///
/// Any [`ReplaceError`]; the file is then as it was and no temporary file is left.
pub fn replace_file(
    path: &Path,
    expected: &[u8],
    new: &[u8],
    cancelled: &AtomicBool,
) -> Result<(), ReplaceError> {
    let failed = |error| ReplaceError::from_io(path, error);
    let target = fs::canonicalize(path).map_err(failed)?;
    let replacement = Replacement { path, target: &target, expected, cancelled };
    let permissions = replacement.check_writable()?;
    replacement.check_current()?;
    let folder = target.parent().unwrap_or(Path::new("/"));
    prepare_folder(folder).map_err(failed)?;
    let temporary = Temporary::write(folder, new, permissions).map_err(failed)?;
    replacement.commit(temporary)
}

struct Replacement<'a> {
    /// The path as the caller named it, for messages.
    path: &'a Path,
    /// The same with links resolved.
    target: &'a Path,
    expected: &'a [u8],
    cancelled: &'a AtomicBool,
}

impl Replacement<'_> {
    /// A rename asks only for permission on the folder, so permission on the file has to be
    /// looked at here.
    fn check_writable(&self) -> Result<Permissions, ReplaceError> {
        let failed = |error| ReplaceError::from_io(self.path, error);
        let metadata = fs::metadata(self.target).map_err(failed)?;
        if !metadata.is_file() {
            return Err(failed(io::Error::new(
                ErrorKind::InvalidInput,
                "it is not a regular file",
            )));
        }
        if metadata.permissions().readonly() {
            return Err(ReplaceError::ReadOnly { path: self.path.to_owned() });
        }
        OpenOptions::new().write(true).open(self.target).map_err(failed)?;
        Ok(metadata.permissions())
    }

    fn check_current(&self) -> Result<(), ReplaceError> {
        let path = || self.path.to_owned();
        if self.cancelled.load(Ordering::SeqCst) {
            return Err(ReplaceError::Cancelled { path: path() });
        }
        let current =
            fs::read(self.target).map_err(|error| ReplaceError::from_io(self.path, error))?;
        if current != self.expected {
            return Err(ReplaceError::ChangedSinceRead { path: path() });
        }
        Ok(())
    }

    fn commit(&self, temporary: Temporary) -> Result<(), ReplaceError> {
        self.check_current()?;
        temporary.rename_to(self.target).map_err(|error| ReplaceError::from_io(self.path, error))
    }
}

/// Refuses a folder protected against writing, even for root, whom nothing else would stop,
/// and clears it of what killed processes left there.
fn prepare_folder(folder: &Path) -> io::Result<()> {
    // On Windows the attribute says nothing about creating files in the folder.
    if cfg!(unix) && fs::metadata(folder)?.permissions().readonly() {
        return Err(ErrorKind::PermissionDenied.into());
    }
    static CLEARED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut cleared = CLEARED.lock().unwrap_or_else(PoisonError::into_inner);
    if !cleared.contains(folder) {
        remove_stale_temporaries(folder);
        cleared.insert(folder.to_owned());
    }
    Ok(())
}
