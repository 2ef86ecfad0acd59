//! Reading one source file.

use std::hash::Hasher;
use std::io::Read;
use std::path::Path;

use rustc_hash::FxHasher;

/// Larger files are data or bundles: parsing them costs seconds and finds nothing.
pub(crate) const LARGEST_FILE: u64 = 20 << 20;

/// A file of at least this size whose lines are this long on average is generated.
const MINIFIED_FROM_BYTES: usize = 8 << 10;
const MINIFIED_LINE_BYTES: usize = 400;

/// Reads a file as UTF-8 text, its BOM included. The error says what is wrong and what to do.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    // Asked first: to open a named pipe is to wait for whoever writes into it.
    let kind = std::fs::metadata(path).map_err(|error| describe(&error))?;
    if let Some(reason) = irregular(&kind.file_type()) {
        return Err(reason);
    }
    let mut file = std::fs::File::open(path).map_err(|error| describe(&error))?;
    let length = file.metadata().map_err(|error| describe(&error))?.len();
    if length > LARGEST_FILE {
        let megabytes = length >> 20;
        return Err(format!(
            "{megabytes} MB is more than the 20 MB a source file may have; \
             name it under `exclude` in the configuration to silence this"
        ));
    }
    let bytes = read_all(&mut file, length).map_err(|error| describe(&error))?;
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        format!("not UTF-8: byte {offset} does not start a character; convert the file to UTF-8")
    })
}

/// What is wrong with something that is neither a file nor a folder, and what to do; none for those.
#[must_use]
pub fn irregular(kind: &std::fs::FileType) -> Option<String> {
    let name = match kind {
        it if it.is_file() || it.is_dir() => return None,
        it => special_name(*it),
    };
    Some(format!("is {name}, not a regular file; save what it gives in a file and name that"))
}

#[cfg(unix)]
fn special_name(kind: std::fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        it if it.is_fifo() => "a named pipe",
        it if it.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn special_name(_kind: std::fs::FileType) -> &'static str {
    "a device"
}

/// All bytes of a file that is expected to have `length` of them. The standard library would ask
/// for its length and position once more.
fn read_all(file: &mut std::fs::File, length: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(0) + 1];
    let mut filled = 0;
    loop {
        match file.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if filled == bytes.len() {
            // It has grown since.
            bytes.resize(filled * 2, 0);
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

fn describe(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::PermissionDenied => {
            "cannot be read: permission denied; check its mode".to_owned()
        }
        std::io::ErrorKind::NotFound => "does not exist any more; run again".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}

/// Whether the text is generated code that nobody edits by hand.
pub(crate) fn is_minified(text: &str, lines: u32) -> bool {
    text.len() >= MINIFIED_FROM_BYTES && text.len() / (lines as usize).max(1) > MINIFIED_LINE_BYTES
}

/// How many lines a text has.
pub(crate) fn count_lines(text: &str) -> u32 {
    let breaks = text.bytes().filter(|&byte| byte == b'\n').count();
    let last = usize::from(!text.is_empty() && !text.ends_with('\n'));
    u32::try_from(breaks + last).unwrap_or(u32::MAX)
}

/// A hash of the bytes of a file, to notice that it has changed. Not cryptographic.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// The text behind the byte order mark, if there is one. Offsets in the IR count from there.
#[must_use]
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lines_are_counted_with_and_without_a_last_line_break() {
        assert_eq!(count_lines(""), 0);
        assert_eq!(count_lines("a"), 1);
        assert_eq!(count_lines("a\n"), 1);
        assert_eq!(count_lines("a\nb"), 2);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_not_opened() {
        assert!(read(Path::new("/dev/zero")).unwrap_err().contains("is a device"));
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe.ts");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        assert!(read(&pipe).unwrap_err().contains("is a named pipe"));
        let socket = dir.path().join("socket.ts");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert!(read(&socket).unwrap_err().contains("is a socket"));
    }

    #[test]
    fn a_byte_that_is_not_utf8_is_named() {
        let dir = std::env::temp_dir().join(format!("headstart-source-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join("latin1.js");
        std::fs::write(&path, b"const a = '\xe9'").unwrap();
        assert!(read(&path).unwrap_err().contains("byte 11"));
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
