//! Permissions, links, full disks and killed processes.
//!
//! Some of these need a process of their own: the test starts this test binary again, asking
//! for one of the ignored `inner_…` tests, in surroundings that the shell has prepared.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};

use super::*;

const FOLDER: &str = "HEADSTART_EDIT_TEST_FOLDER";

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

/// The folder an inner test works in; `None` when it was not started by its outer test.
fn inner_folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

/// A shell that runs `script`, in which `"$0" "$@"` is the command of one inner test.
fn inner(script: &str, test: &str, folder: &Path) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact"])
        .arg(format!("replace::tests::hostile::{test}"))
        .env(FOLDER, folder);
    command
}

fn assert_passed(output: &Output) {
    let shown = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}\n{errors}");
    assert!(shown.contains("1 passed"), "{shown}\n{errors}");
}

/// Whether this system lets a plain user mount, in a name space of the process.
fn can_mount() -> bool {
    let folder = TempDir::new();
    let script = "unshare -rm mount -t tmpfs none \"$0\"";
    let tried = Command::new("sh").args(["-c", script]).arg(folder.path()).output();
    let can = tried.is_ok_and(|output| output.status.success());
    if !can {
        eprintln!("skipped: this system does not permit `unshare -rm mount`");
    }
    can
}

#[test]
fn a_link_stays_a_link() {
    let (folder, elsewhere) = (TempDir::new(), TempDir::new());
    let target = elsewhere.file("real.js", b"old");
    let link = folder.path().join("link.js");
    let link_to_link = folder.path().join("again.js");
    symlink(&target, &link).unwrap();
    symlink("link.js", &link_to_link).unwrap();
    replace_file(&link_to_link, b"old", b"new", &GO).unwrap();
    assert_eq!(fs::read_link(&link_to_link).unwrap(), Path::new("link.js"));
    assert_eq!(fs::read_link(&link).unwrap(), target);
    assert_eq!(fs::read(&target).unwrap(), b"new");
    assert_eq!(elsewhere.names(), ["real.js"]);
    assert_eq!(folder.names(), ["again.js", "link.js"]);
}

#[test]
fn a_dangling_link_is_not_found() {
    let folder = TempDir::new();
    let link = folder.path().join("link.js");
    symlink("missing.js", &link).unwrap();
    let error = replace_file(&link, b"", b"new", &GO).unwrap_err();
    assert!(matches!(error, ReplaceError::NotFound { .. }));
}

#[test]
fn the_mode_is_kept() {
    let folder = TempDir::new();
    for bits in [0o644, 0o755, 0o600, 0o666, 0o4755] {
        let file = folder.file("a.js", b"old");
        set_mode(&file, bits);
        replace_file(&file, b"old", b"new", &GO).unwrap();
        assert_eq!(mode(&file), bits);
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn a_read_only_file_is_left() {
    let folder = TempDir::new();
    let file = folder.file("a.js", b"old");
    set_mode(&file, 0o444);
    let error = replace_file(&file, b"old", b"new", &GO).unwrap_err();
    assert!(matches!(error, ReplaceError::ReadOnly { .. }));
    assert_eq!((fs::read(&file).unwrap(), mode(&file)), (b"old".to_vec(), 0o444));
    assert_eq!(folder.names(), ["a.js"]);
}

#[test]
fn a_protected_folder_is_left_even_by_root() {
    let folder = TempDir::new();
    let file = folder.file("a.js", b"old");
    set_mode(folder.path(), 0o555);
    let error = replace_file(&file, b"old", b"new", &GO).unwrap_err();
    set_mode(folder.path(), 0o755);
    assert!(matches!(error, ReplaceError::PermissionDenied { .. }));
    assert_eq!(folder.names(), ["a.js"]);
}

#[test]
fn permissions_of_a_plain_user_are_respected() {
    let folder = TempDir::new();
    if fs::metadata(folder.path()).unwrap().uid() != 0 {
        eprintln!("skipped: only root can make files of another user");
        return;
    }
    let shut = folder.path().join("shut");
    let open = folder.path().join("open");
    for (path, folder_mode, file_mode) in [(&shut, 0o755, 0o666), (&open, 0o777, 0o644)] {
        fs::create_dir(path).unwrap();
        fs::write(path.join("a.js"), b"old").unwrap();
        set_mode(&path.join("a.js"), file_mode);
        set_mode(path, folder_mode);
    }
    // The build folder may not be open to other users, so they get a copy of the binary.
    let binary = folder.path().join("test-binary");
    fs::copy(std::env::current_exe().unwrap(), &binary).unwrap();
    set_mode(&binary, 0o755);
    let run = || {
        Command::new(&binary)
            .args(["--ignored", "--exact"])
            .arg("replace::tests::hostile::inner_denied")
            .env(FOLDER, folder.path())
            .uid(65_534)
            .gid(65_534)
            .output()
    };
    // A test beside this one that starts a process holds the copy open for writing until that runs.
    let is_busy = |it: &std::io::Error| it.kind() == std::io::ErrorKind::ExecutableFileBusy;
    let mut output = run();
    for _ in 0..50 {
        if !output.as_ref().is_err_and(is_busy) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
        output = run();
    }
    assert_passed(&output.unwrap());
}

#[test]
#[ignore = "started by permissions_of_a_plain_user_are_respected"]
fn inner_denied() {
    let Some(folder) = inner_folder() else { return };
    for name in ["shut", "open"] {
        let file = folder.join(name).join("a.js");
        let error = replace_file(&file, b"old", b"new", &GO).unwrap_err();
        assert!(matches!(error, ReplaceError::PermissionDenied { .. }), "{error}");
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.join(name)).unwrap().count(), 1);
    }
}

#[test]
fn a_read_only_file_system_is_left() {
    if !can_mount() {
        return;
    }
    let folder = TempDir::new();
    folder.file("a.js", b"old");
    let script = format!(
        "exec unshare -rm sh -c 'mount --bind \"${FOLDER}\" \"${FOLDER}\" && \
         mount -o remount,bind,ro \"${FOLDER}\" && exec \"$0\" \"$@\"' \"$0\" \"$@\""
    );
    let output = inner(&script, "inner_read_only_file_system", folder.path()).output().unwrap();
    assert_passed(&output);
}

#[test]
#[ignore = "started by a_read_only_file_system_is_left"]
fn inner_read_only_file_system() {
    let Some(folder) = inner_folder() else { return };
    let error = replace_file(&folder.join("a.js"), b"old", b"new", &GO).unwrap_err();
    assert!(matches!(error, ReplaceError::PermissionDenied { .. }), "{error}");
}

#[test]
fn a_full_disk_leaves_the_old_file_and_nothing_else() {
    if !can_mount() {
        return;
    }
    let folder = TempDir::new();
    let script = format!(
        "exec unshare -rm sh -c 'mount -t tmpfs -o size=64k none \"${FOLDER}\" && \
         exec \"$0\" \"$@\"' \"$0\" \"$@\""
    );
    let output = inner(&script, "inner_full_disk", folder.path()).output().unwrap();
    assert_passed(&output);
}

#[test]
#[ignore = "started by a_full_disk_leaves_the_old_file_and_nothing_else"]
fn inner_full_disk() {
    let Some(folder) = inner_folder() else { return };
    let file = folder.join("a.js");
    fs::write(&file, b"old").unwrap();
    let check = |new: &[u8], entries: usize| {
        let error = replace_file(&file, b"old", new, &GO).unwrap_err();
        assert!(matches!(error, ReplaceError::NoSpace { .. }), "{error}");
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), entries);
    };
    check(&vec![b'x'; 1 << 20], 1);
    let filled = fs::write(folder.join("filler"), vec![b'x'; 1 << 20]).unwrap_err();
    assert_eq!(filled.kind(), ErrorKind::StorageFull);
    check(b"new", 2);
    fs::remove_file(folder.join("filler")).unwrap();
    replace_file(&file, b"old", b"new", &GO).unwrap();
}

/// A write that fails half-way on any Unix, where mounting is not permitted.
#[test]
fn a_write_cut_short_leaves_the_old_file_and_nothing_else() {
    let folder = TempDir::new();
    folder.file("a.js", b"old");
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
    let output = inner(script, "inner_write_cut_short", folder.path()).output().unwrap();
    assert_passed(&output);
    assert_eq!(folder.names(), ["a.js"]);
}

#[test]
#[ignore = "started by a_write_cut_short_leaves_the_old_file_and_nothing_else"]
fn inner_write_cut_short() {
    let Some(folder) = inner_folder() else { return };
    let file = folder.join("a.js");
    let error = replace_file(&file, b"old", &vec![b'x'; 1 << 20], &GO).unwrap_err();
    assert!(matches!(error, ReplaceError::Io { .. }), "{error}");
    assert_eq!(fs::read(&file).unwrap(), b"old");
}

const KILLED_OLD: &[u8] = &[b'a'; 400_000];
const KILLED_NEW: &[u8] = &[b'b'; 300_000];

#[test]
fn a_killed_run_leaves_a_whole_file_and_its_rest_is_cleared() {
    let folder = TempDir::new();
    let file = folder.file("a.js", KILLED_OLD);
    let mut left_behind = 0;
    for round in 0..12 {
        fs::write(&file, KILLED_OLD).unwrap();
        let mut child = inner("exec \"$0\" \"$@\"", "inner_replace_forever", folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(40 + round));
        child.kill().unwrap();
        child.wait().unwrap();
        let content = fs::read(&file).unwrap();
        assert!(content == KILLED_OLD || content == KILLED_NEW);
        left_behind += folder.names().len() - 1;
        remove_stale_temporaries(folder.path());
        assert_eq!(folder.names(), ["a.js"]);
    }
    eprintln!("{left_behind} of 12 kills left a temporary file");
}

#[test]
#[ignore = "started by a_killed_run_leaves_a_whole_file_and_its_rest_is_cleared"]
fn inner_replace_forever() {
    let Some(folder) = inner_folder() else { return };
    let file = folder.join("a.js");
    loop {
        replace_file(&file, KILLED_OLD, KILLED_NEW, &GO).unwrap();
        replace_file(&file, KILLED_NEW, KILLED_OLD, &GO).unwrap();
    }
}
