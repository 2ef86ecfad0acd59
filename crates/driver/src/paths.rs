//! How paths are shown, and where a project begins.

use std::path::{Path, PathBuf};

/// `path` relative to `base` with forward slashes; unchanged where it lies elsewhere. In all reports
/// `base` is the folder that the command runs in.
pub(crate) fn shown(path: &Path, base: &Path) -> String {
    let relative = path.strip_prefix(base).unwrap_or(path);
    let text = relative.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace('\\', "/") }
}

/// `path` with links resolved; unchanged where that is not possible.
pub(crate) fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The nearest folder at or above `folder` that holds `.git`, else `folder` itself.
pub(crate) fn repository(folder: &Path) -> PathBuf {
    let real = real(folder);
    let found = real.ancestors().find(|it| it.join(".git").exists()).map(Path::to_path_buf);
    found.unwrap_or(real)
}
