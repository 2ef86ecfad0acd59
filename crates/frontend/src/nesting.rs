//! How deep a text can nest, guessed from above without parsing it.
//!
//! The parser is recursive, so a file that nests a hundred thousand deep would end the process,
//! not just its own analysis. The estimate decides how much stack a file gets, and whether it is
//! parsed at all.

/// Stack that one level may take, in bytes: parsing, scope analysis and lowering each stay under
/// two thirds of it (measured with the constructs of `tests/nesting.rs`).
const BYTES_PER_LEVEL: usize = 3 << 10;

/// Stack that every worker thread has, in bytes. Only touched pages count as memory.
pub(crate) const WORKER_STACK: usize = 512 << 20;

/// Texts of at most this many bytes are parsed without a look at their nesting: no text nests
/// deeper than it is long.
pub const UNCHECKED_BYTES: usize = WORKER_STACK / BYTES_PER_LEVEL;

/// The most stack that a single file may get, in bytes.
const LARGEST_STACK: usize = 4 << 30;

/// What parsing a text takes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// A worker's own stack is enough.
    Worker,
    /// A thread of its own with this much stack, in bytes.
    Thread(usize),
    /// More than there is.
    TooDeep,
}

/// What parsing `text` takes at the most.
pub(crate) fn need(text: &str) -> Need {
    if text.len() <= UNCHECKED_BYTES {
        return Need::Worker;
    }
    let bytes = depth_bound(text.as_bytes()).saturating_mul(BYTES_PER_LEVEL);
    if bytes <= WORKER_STACK {
        Need::Worker
    } else if bytes <= LARGEST_STACK {
        Need::Thread(bytes)
    } else {
        Need::TooDeep
    }
}

/// Whether a thread of [`thread_pool`](crate::thread_pool) has stack enough for `text`.
#[must_use]
pub fn fits_worker(text: &str) -> bool {
    need(text) == Need::Worker
}

/// An upper estimate of the nesting depth: open brackets, and in each the operators since the last
/// separator, since prefix operators, `=>`, `?:` and `=` nest to the right without brackets.
/// Strings are not told apart from code; brackets in them that have no partner make the result
/// larger, or are forgotten at the next closing bracket of the code.
fn depth_bound(text: &[u8]) -> usize {
    let mut outer: Vec<usize> = Vec::new();
    let mut here = 0usize;
    let mut below = 0usize;
    let mut keywords = 0usize;
    let mut deepest = 0usize;
    for (index, &byte) in text.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => {
                outer.push(here);
                below += here + 1;
                here = 0;
            }
            b')' | b']' | b'}' => {
                // `<` may be a comparison, so its level ends with the bracket around it.
                if let Some(level) = outer.pop() {
                    below = below.saturating_sub(level + 1);
                    here = level;
                }
            }
            b';' | b',' => here = 0,
            b'!' | b'~' | b'-' | b'+' | b'=' | b'?' | b':' | b'*' => here += 1,
            b'e' | b'f' | b'w' | b'o' | b't' | b'd' if ends_statement_keyword(text, index) => {
                keywords += 1;
            }
            _ => {}
        }
        deepest = deepest.max(below + here);
    }
    deepest + keywords.min(text.len() / 8)
}

/// Whether a keyword that nests without brackets ends at `index`.
fn ends_statement_keyword(text: &[u8], index: usize) -> bool {
    const KEYWORDS: [&[u8]; 8] =
        [b"else", b"if", b"while", b"do", b"new", b"typeof", b"await", b"void"];
    let head = &text[..=index];
    let starts_word = |length: usize| {
        head.len() == length
            || !matches!(head[head.len() - length - 1], b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'.')
    };
    KEYWORDS.iter().any(|keyword| head.ends_with(keyword) && starts_word(keyword.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_files_need_no_scan() {
        assert_eq!(need("[".repeat(1000).as_str()), Need::Worker);
    }

    #[test]
    fn a_long_flat_file_stays_with_the_worker() {
        assert_eq!(need(&"f(a, [b], {c: d});\n".repeat(100_000)), Need::Worker);
    }

    #[test]
    fn a_deep_file_gets_a_thread_and_a_deeper_one_is_refused() {
        assert!(matches!(need(&"[".repeat(400_000)), Need::Thread(_)));
        assert_eq!(need(&"!".repeat(19 << 20)), Need::TooDeep);
    }
}
