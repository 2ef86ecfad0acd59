//! Why a group of edits is refused.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use super::GroupId;

/// The reason an edit, and with it its group, was refused. Spans are byte offsets into the
/// original text, half-open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conflict {
    /// The edit overlaps another one, or both insert at the same point.
    Overlap {
        /// Span of the refused edit.
        edit: Range<u32>,
        /// Span of the edit it overlaps.
        taken: Range<u32>,
        /// Group of the edit it overlaps; `None` when both belong to the refused group.
        group: Option<GroupId>,
    },
    /// The edit reaches past the end of the text.
    OutOfRange {
        /// Span of the refused edit.
        edit: Range<u32>,
        /// Length of the original text in bytes.
        source_len: usize,
    },
    /// The edit ends before it starts.
    Inverted {
        /// Span of the refused edit.
        edit: Range<u32>,
    },
    /// The edit starts or ends between the bytes of one character.
    InsideCharacter {
        /// Span of the refused edit.
        edit: Range<u32>,
        /// The end of the span that lies inside a character.
        offset: u32,
    },
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Conflict::Overlap { edit, taken, group } => {
                let whose = match group {
                    Some(_) => "an edit taken before",
                    None => "another edit of the same group",
                };
                write!(f, "the edit of bytes {edit:?} overlaps {whose}, of bytes {taken:?}")
            }
            Conflict::OutOfRange { edit, source_len } => write!(
                f,
                "the edit of bytes {edit:?} reaches past the text, which is bytes 0..{source_len}"
            ),
            Conflict::Inverted { edit } => {
                write!(f, "the edit of bytes {edit:?} ends before it starts")
            }
            Conflict::InsideCharacter { edit, offset } => {
                write!(f, "the edit of bytes {edit:?} cuts the character around byte {offset}")
            }
        }
    }
}

impl Error for Conflict {}
