//! Why a file was not replaced.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The reason a file was left as it was. `path` is the path the caller gave; the message of
/// each variant names it once, says what happened and what to do.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplaceError {
    /// The file has no write permission for anyone.
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The content differs from what the new content was made from.
    ChangedSinceRead {
        /// The file.
        path: PathBuf,
    },
    /// The disk or the user's quota is full.
    NoSpace {
        /// The file.
        path: PathBuf,
    },
    /// The file, or the file a link leads to, does not exist.
    NotFound {
        /// The file.
        path: PathBuf,
    },
    /// The user may not write the file or its folder, or the file system is read-only.
    PermissionDenied {
        /// The file.
        path: PathBuf,
    },
    /// The caller cancelled before the file was replaced.
    Cancelled {
        /// The file.
        path: PathBuf,
    },
    /// Any other failure of the operating system.
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system reported. Part of the message already, hence not
        /// given out as [`Error::source`].
        error: io::Error,
    },
}

impl ReplaceError {
    pub(super) fn from_io(path: &Path, error: io::Error) -> ReplaceError {
        let path = path.to_owned();
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => ReplaceError::NoSpace { path },
            ErrorKind::NotFound | ErrorKind::NotADirectory => ReplaceError::NotFound { path },
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                ReplaceError::PermissionDenied { path }
            }
            _ => ReplaceError::Io { path, error },
        }
    }

    /// The file that was left as it was, as the caller named it.
    pub fn path(&self) -> &Path {
        match self {
            ReplaceError::ReadOnly { path }
            | ReplaceError::ChangedSinceRead { path }
            | ReplaceError::NoSpace { path }
            | ReplaceError::NotFound { path }
            | ReplaceError::PermissionDenied { path }
            | ReplaceError::Cancelled { path }
            | ReplaceError::Io { path, .. } => path,
        }
    }
}

impl fmt::Display for ReplaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.path().display())?;
        let rest = match self {
            ReplaceError::ReadOnly { .. } => {
                "was left unchanged because it is read-only; make it writable and run again"
            }
            ReplaceError::ChangedSinceRead { .. } => {
                "was left unchanged because it changed after it was read; run again to work \
                 from its present content"
            }
            ReplaceError::NoSpace { .. } => {
                "was left unchanged because the disk is full; free some space and run again"
            }
            ReplaceError::NotFound { .. } => {
                "was not written because it no longer exists; restore it or leave it out and \
                 run again"
            }
            ReplaceError::PermissionDenied { .. } => {
                "was left unchanged because you may not write it or its folder; allow writing \
                 both and run again"
            }
            ReplaceError::Cancelled { .. } => {
                "was left unchanged because the run was cancelled; run again to change it"
            }
            ReplaceError::Io { error, .. } => {
                return write!(
                    f,
                    "was left unchanged because writing it failed ({error}); correct that and \
                     run again"
                );
            }
        };
        f.write_str(rest)
    }
}

impl Error for ReplaceError {}
