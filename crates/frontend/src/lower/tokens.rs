//! What stands between tokens.

use super::Lowerer;

impl Lowerer<'_> {
    /// Where the token ends that stands before a place, with nothing but some characters between the
    /// two; none where that is a comment.
    pub(super) fn end_of_token(&self, place: u32, skipped: fn(char) -> bool) -> Option<u32> {
        let before = self.source.get(..place as usize)?.trim_end_matches(skipped);
        let end = u32::try_from(before.len()).ok()?;
        let next = self.ir.comments.partition_point(|it| it.end < end);
        let is_comment = self.ir.comments.get(next).is_some_and(|it| it.start < end);
        (!is_comment).then_some(end)
    }
}

/// White space of the language: that of Unicode, and the byte order mark, which is none there
/// (ECMA-262, section 12.2).
pub(super) fn is_white_space(it: char) -> bool {
    it.is_whitespace() || it == '\u{feff}'
}
