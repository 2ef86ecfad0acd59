#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[cfg(unix)]
mod hostile;

use std::time::{Duration, Instant};

use super::*;
use crate::testing::TempDir;

static GO: AtomicBool = AtomicBool::new(false);

fn replacement<'a>(
    target: &'a Path,
    expected: &'a [u8],
    cancelled: &'a AtomicBool,
) -> Replacement<'a> {
    Replacement { path: target, target, expected, cancelled }
}

#[test]
fn the_content_is_replaced_and_nothing_else_is_left() {
    let folder = TempDir::new();
    let file = folder.file("a.js", b"\xEF\xBB\xBFold\r\n");
    replace_file(&file, b"\xEF\xBB\xBFold\r\n", b"\xEF\xBB\xBFnew\r\n", &GO).unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"\xEF\xBB\xBFnew\r\n");
    assert_eq!(folder.names(), ["a.js"]);
}

#[test]
fn changed_content_is_not_replaced() {
    let folder = TempDir::new();
    let file = folder.file("a.js", b"theirs");
    let error = replace_file(&file, b"old", b"new", &GO).unwrap_err();
    assert!(matches!(error, ReplaceError::ChangedSinceRead { .. }));
    assert_eq!(fs::read(&file).unwrap(), b"theirs");
    assert_eq!(folder.names(), ["a.js"]);
}

#[test]
fn a_change_while_the_temporary_is_written_is_noticed() {
    let folder = TempDir::new();
    let file = folder.file("a.js", b"old");
    let replacement = replacement(&file, b"old", &GO);
    let permissions = replacement.check_writable().unwrap();
    let temporary = Temporary::write(folder.path(), b"new", permissions).unwrap();
    assert_eq!(folder.names().len(), 2);
    fs::write(&file, b"theirs").unwrap();
    let error = replacement.commit(temporary).unwrap_err();
    assert!(matches!(error, ReplaceError::ChangedSinceRead { .. }));
    assert_eq!(fs::read(&file).unwrap(), b"theirs");
    assert_eq!(folder.names(), ["a.js"]);
}

#[test]
fn a_cancelled_run_writes_nothing() {
    let folder = TempDir::new();
    let file = folder.file("a.js", b"old");
    let error = replace_file(&file, b"old", b"new", &AtomicBool::new(true)).unwrap_err();
    assert!(matches!(error, ReplaceError::Cancelled { .. }));
    assert_eq!(fs::read(&file).unwrap(), b"old");
    assert_eq!(folder.names(), ["a.js"]);
}

#[test]
fn cancelling_while_the_temporary_is_written_removes_it() {
    let folder = TempDir::new();
    let file = folder.file("a.js", b"old");
    let cancelled = AtomicBool::new(false);
    let replacement = replacement(&file, b"old", &cancelled);
    let permissions = replacement.check_writable().unwrap();
    let temporary = Temporary::write(folder.path(), b"new", permissions).unwrap();
    cancelled.store(true, Ordering::SeqCst);
    let error = replacement.commit(temporary).unwrap_err();
    assert!(matches!(error, ReplaceError::Cancelled { .. }));
    assert_eq!(fs::read(&file).unwrap(), b"old");
    assert_eq!(folder.names(), ["a.js"]);
}

#[test]
fn a_missing_file_is_not_created() {
    let folder = TempDir::new();
    for name in ["missing.js", "missing/a.js"] {
        let error = replace_file(&folder.path().join(name), b"", b"new", &GO).unwrap_err();
        assert!(matches!(error, ReplaceError::NotFound { .. }), "{error}");
    }
    let file = folder.file("a.js", b"");
    let error = replace_file(&file.join("b.js"), b"", b"new", &GO).unwrap_err();
    assert!(matches!(error, ReplaceError::NotFound { .. }), "{error}");
}

#[test]
fn a_folder_is_no_file() {
    let folder = TempDir::new();
    let error = replace_file(folder.path(), b"", b"new", &GO).unwrap_err();
    assert!(matches!(error, ReplaceError::Io { .. }), "{error}");
}

#[test]
fn stale_temporaries_are_cleared_on_the_way() {
    let folder = TempDir::new();
    let file = folder.file("a.js", b"old");
    folder.file(".headstart-4000000000-3.tmp", b"half");
    replace_file(&file, b"old", b"new", &GO).unwrap();
    assert_eq!(folder.names(), ["a.js"]);
}

#[test]
fn readers_never_see_half_a_file() {
    let folder = TempDir::new();
    let (old, new) = (vec![b'a'; 300_000], vec![b'b'; 200_000]);
    let file = folder.file("a.js", &old);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                let seen = fs::read(&file).unwrap();
                assert!(seen == old || seen == new);
            }
        });
        let end = Instant::now() + Duration::from_millis(300);
        while Instant::now() < end {
            replace_file(&file, &old, &new, &GO).unwrap();
            replace_file(&file, &new, &old, &GO).unwrap();
        }
        done.store(true, Ordering::SeqCst);
    });
}

#[test]
fn messages_name_the_path_once_and_a_remedy() {
    let path = || PathBuf::from("src/a.js");
    let errors = [
        ReplaceError::ReadOnly { path: path() },
        ReplaceError::ChangedSinceRead { path: path() },
        ReplaceError::NoSpace { path: path() },
        ReplaceError::NotFound { path: path() },
        ReplaceError::PermissionDenied { path: path() },
        ReplaceError::Cancelled { path: path() },
        ReplaceError::Io { path: path(), error: io::Error::other("odd") },
    ];
    for error in errors {
        let message = error.to_string();
        assert_eq!(message.matches("src/a.js").count(), 1, "{message}");
        assert!(message.contains("run again"), "{message}");
        assert!(!message.contains("  "), "{message}");
    }
}
