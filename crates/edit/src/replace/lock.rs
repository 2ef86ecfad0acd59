//! A lock that keeps two runs from changing one folder at the same time.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Holds a folder for this run until dropped; the system releases it too when the process
/// ends in whatever way.
///
/// The lock is advisory and made on the folder itself, so nothing is created on disk. It
/// covers this folder only, not a run on a folder below it. Where a system cannot open a
/// folder (Windows) or a file system cannot lock one (some network file systems) nothing is
/// held; [`replace_file`](crate::replace_file) still refuses files changed by another run.
#[derive(Debug)]
#[must_use = "the folder is released as soon as the lock is dropped"]
pub struct FolderLock {
    _folder: Option<File>,
}

impl FolderLock {
    /// Takes the lock on `folder` without waiting for it.
    ///
    /// # Errors
    ///
    /// [`LockError::Held`] when another run holds it, [`LockError::Io`] when `folder` is not a
    /// folder that can be opened.
    #[cfg(unix)]
    pub fn acquire(folder: &Path) -> Result<FolderLock, LockError> {
        let file = open_folder(folder)
            .map_err(|error| LockError::Io { path: folder.to_owned(), error })?;
        match file.try_lock() {
            Ok(()) => Ok(FolderLock { _folder: Some(file) }),
            Err(std::fs::TryLockError::WouldBlock) => {
                Err(LockError::Held { path: folder.to_owned() })
            }
            // A file system without locks is no reason not to work on it.
            Err(std::fs::TryLockError::Error(_)) => Ok(FolderLock { _folder: None }),
        }
    }

    /// Takes no lock, since a folder cannot be opened on this system.
    ///
    /// # Errors
    ///
    /// None.
    #[cfg(not(unix))]
    pub fn acquire(_folder: &Path) -> Result<FolderLock, LockError> {
        Ok(FolderLock { _folder: None })
    }
}

#[cfg(unix)]
fn open_folder(folder: &Path) -> io::Result<File> {
    // Asked first, because opening a named pipe would wait for a writer.
    if !std::fs::metadata(folder)?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    File::open(folder)
}

/// Why a folder could not be locked. `path` is the folder as the caller named it.
#[derive(Debug)]
#[non_exhaustive]
pub enum LockError {
    /// Another run holds the lock.
    Held {
        /// The folder.
        path: PathBuf,
    },
    /// The folder cannot be opened.
    Io {
        /// The folder.
        path: PathBuf,
        /// What the operating system reported. Part of the message already, hence not
        /// given out as [`Error::source`].
        error: io::Error,
    },
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LockError::Held { path } => write!(
                f,
                "another headstart fix is running in {}; wait for it to end or stop it",
                path.display()
            ),
            LockError::Io { path, error } => write!(
                f,
                "{} could not be opened ({error}); check that it is a folder you may read",
                path.display()
            ),
        }
    }
}

impl Error for LockError {}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use crate::testing::TempDir;

    #[test]
    fn a_folder_is_locked_once_at_a_time() {
        let folder = TempDir::new();
        let first = FolderLock::acquire(folder.path()).unwrap();
        let error = FolderLock::acquire(folder.path()).unwrap_err();
        assert!(matches!(error, LockError::Held { .. }));
        let shown = folder.path().display();
        assert_eq!(
            error.to_string(),
            format!("another headstart fix is running in {shown}; wait for it to end or stop it")
        );
        drop(first);
        let _second = FolderLock::acquire(folder.path()).unwrap();
    }

    #[test]
    fn a_lock_leaves_no_trace_and_does_not_hold_other_folders() {
        let (one, other) = (TempDir::new(), TempDir::new());
        let _one = FolderLock::acquire(one.path()).unwrap();
        let _other = FolderLock::acquire(other.path()).unwrap();
        assert!(one.names().is_empty());
    }

    #[test]
    fn the_lock_holds_through_another_name_of_the_folder() {
        let folder = TempDir::new();
        let parent = TempDir::new();
        let link = parent.path().join("link");
        std::os::unix::fs::symlink(folder.path(), &link).unwrap();
        let _held = FolderLock::acquire(&link).unwrap();
        assert!(FolderLock::acquire(folder.path()).is_err());
    }

    #[test]
    fn only_an_existing_folder_can_be_locked() {
        let folder = TempDir::new();
        let file = folder.file("a.js", b"");
        for path in [file, folder.path().join("missing")] {
            let error = FolderLock::acquire(&path).unwrap_err();
            assert!(matches!(error, LockError::Io { .. }), "{error}");
        }
    }
}
