//! The temporary file a replacement is written to before it takes the file's name.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// A finished temporary file; removed when dropped without having been renamed.
pub(super) struct Temporary {
    path: PathBuf,
    renamed: bool,
    /// Locked as long as it is in use: a process that cannot see this one's id does not remove it.
    file: File,
}

impl Temporary {
    /// Writes `content` to a new file in `folder` and flushes it to disk.
    pub(super) fn write(
        folder: &Path,
        content: &[u8],
        permissions: Permissions,
    ) -> io::Result<Temporary> {
        let (path, file) = create(folder)?;
        // Where a file system has no locks, the id of the process has to do.
        let _ = file.try_lock();
        let mut temporary = Temporary { path, renamed: false, file };
        fill(&mut temporary.file, content, permissions)?;
        Ok(temporary)
    }

    pub(super) fn rename_to(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.renamed {
            // The failure that led here is the one to report.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn fill(file: &mut File, content: &[u8], permissions: Permissions) -> io::Result<()> {
    file.write_all(content)?;
    // After the content, because writing clears the set-user-id bits.
    file.set_permissions(permissions)?;
    file.sync_all()
}

fn create(folder: &Path) -> io::Result<(PathBuf, File)> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // Until the bits of the old file are copied, nobody else may read what may be private.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".headstart-{}-{number}.tmp", process::id()));
        match options.open(&path) {
            Ok(file) => return Ok((path, file)),
            // Left by a killed process with the same id, as is common in containers.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Removes the temporary files that killed runs left in `folder`.
///
/// Only files named `.headstart-<pid>-<n>.tmp` whose process no longer lives are removed, and of
/// those only what nobody has locked: the process may live where its id means nothing here, as in
/// another container.
/// Failures are passed over: a file left behind does no harm.
/// [`replace_file`](crate::replace_file) calls this once per folder and process.
pub fn remove_stale_temporaries(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(writer_of) else {
            continue;
        };
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && !is_alive(pid) && !is_locked(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process that made a temporary file, by its name; `None` for any other file.
fn writer_of(name: &str) -> Option<u32> {
    let inner = name.strip_prefix(".headstart-")?.strip_suffix(".tmp")?;
    let (pid, number) = inner.split_once('-')?;
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if number.is_empty() || !all_digits(number) || !all_digits(pid) {
        return None;
    }
    pid.parse().ok()
}

/// Whether a process holds the lock on a file. One that may not be opened is somebody else's.
fn is_locked(path: &Path) -> bool {
    match File::open(path) {
        Ok(file) => matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)),
        Err(_) => true,
    }
}

/// In doubt a process counts as alive.
fn is_alive(pid: u32) -> bool {
    if pid == process::id() || !cfg!(unix) {
        return true;
    }
    if Path::new("/proc/self").exists() {
        return Path::new("/proc").join(pid.to_string()).exists();
    }
    is_listed(pid)
}

/// For Unix systems without `/proc`, such as macOS. Reached only when a temporary file of
/// another process was found, hence rarely.
fn is_listed(pid: u32) -> bool {
    let output = process::Command::new("ps").args(["-p", &pid.to_string()]).output();
    // POSIX leaves the code of a failure open; 1 is what `ps` gives where it found nothing.
    output.map_or(true, |output| output.status.code() != Some(1))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use crate::testing::TempDir;

    /// Above the largest process id Linux can be set to give out.
    const NEVER_ALIVE: u32 = 4_000_000_000;

    #[test]
    fn only_files_of_dead_processes_are_removed() {
        let folder = TempDir::new();
        let own = format!(".headstart-{}-0.tmp", process::id());
        let init = ".headstart-1-0.tmp".to_owned();
        let dead = format!(".headstart-{NEVER_ALIVE}-17.tmp");
        for name in [&own, &init, &dead] {
            folder.file(name, b"half");
        }
        remove_stale_temporaries(folder.path());
        let mut kept = [own, init];
        kept.sort();
        assert_eq!(folder.names(), kept);
    }

    #[test]
    fn a_file_that_is_in_use_is_kept() {
        let folder = TempDir::new();
        let path = folder.file(&format!(".headstart-{NEVER_ALIVE}-1.tmp"), b"half");
        let file = File::open(&path).unwrap();
        file.lock().unwrap();
        remove_stale_temporaries(folder.path());
        assert_eq!(folder.names().len(), 1);
        drop(file);
        remove_stale_temporaries(folder.path());
        assert_eq!(folder.names().len(), 0);
    }

    #[test]
    fn files_with_other_names_are_kept() {
        let folder = TempDir::new();
        let names = [
            ".headstart-4000000000-.tmp",
            ".headstart-4000000000-1.tmp.js",
            ".headstart-4000000000-1-2.tmp",
            ".headstart-4000000000.tmp",
            ".headstart-+4000000000-1.tmp",
            ".headstart-99999999999-1.tmp",
            ".headstart--1.tmp",
            "headstart-4000000000-1.tmp",
        ];
        for name in names {
            folder.file(name, b"");
        }
        fs::create_dir(folder.path().join(".headstart-4000000000-2.tmp")).unwrap();
        remove_stale_temporaries(folder.path());
        assert_eq!(folder.names().len(), names.len() + 1);
    }

    #[test]
    fn a_missing_folder_is_passed_over() {
        remove_stale_temporaries(Path::new("/nonexistent/folder"));
    }

    #[cfg(unix)]
    #[test]
    fn ps_tells_the_living_from_the_dead() {
        let own = process::id().to_string();
        let usable = process::Command::new("ps").args(["-p", &own]).output();
        if !usable.is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: no `ps -p` here, so in doubt every process counts as alive");
            return;
        }
        assert!(is_listed(process::id()));
        let mut child = process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        assert!(!is_listed(child.id()));
    }

    #[test]
    fn a_name_in_use_is_stepped_over() {
        let folder = TempDir::new();
        let permissions = fs::metadata(folder.file("a.js", b"")).unwrap().permissions();
        // The counter is shared with tests that run meanwhile, so a range of names is taken.
        let (first, _) = create(folder.path()).unwrap();
        let name = first.file_name().unwrap().to_str().unwrap();
        let number = name.rsplit_once('-').unwrap().1.strip_suffix(".tmp").unwrap();
        let number: u32 = number.parse().unwrap();
        for taken in number + 1..number + 200 {
            folder.file(&format!(".headstart-{}-{taken}.tmp", process::id()), b"old");
        }
        let temporary = Temporary::write(folder.path(), b"new", permissions).unwrap();
        assert_eq!(fs::read(&temporary.path).unwrap(), b"new");
    }
}
