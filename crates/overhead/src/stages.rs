//! One pass over the text after the other, and one source map for all.
//!
//! Purpose: each pass reads text and gives a [`Rope`] over what it read. Output: the text as it is
//! now, and the rope that says where all of it comes from in the text as it was at first.

use crate::report::FunctionReport;
use crate::rope::Rope;

/// A text on its way through the passes.
pub(crate) struct Stages<'s> {
    source: &'s str,
    /// The text as it is now, and where it comes from; nothing while it is the source.
    now: Option<(String, Rope)>,
}

impl<'s> Stages<'s> {
    /// A text that no pass has changed.
    pub(crate) fn new(source: &'s str) -> Self {
        Self { source, now: None }
    }

    /// The text as it is now.
    pub(crate) fn text(&self) -> &str {
        self.now.as_ref().map_or(self.source, |(text, _)| text)
    }

    /// Whether a pass has changed it.
    pub(crate) fn is_changed(&self) -> bool {
        self.now.is_some()
    }

    /// What a pass has made of the text; nothing if it is to stay.
    pub(crate) fn apply(&mut self, rope: Option<Rope>) {
        let Some(rope) = rope else { return };
        let text = rope.to_text(self.text());
        let rope = match &self.now {
            Some((_, before)) => rope.over(before),
            None => rope,
        };
        self.now = Some((text, rope));
    }

    /// Where a place of the text as it is now is in the source.
    pub(crate) fn source_offset(&self, offset: u32) -> u32 {
        self.now.as_ref().map_or(offset, |(_, rope)| rope.source_offset(offset))
    }

    /// Lets reports about the text as it is now say where things are in the source.
    pub(crate) fn trace(&self, reports: &mut [FunctionReport]) {
        for it in reports {
            it.offset = self.source_offset(it.offset);
            it.sampled.start_position = self.source_offset(it.sampled.start_position);
        }
    }

    /// The text, and the rope that it comes from.
    pub(crate) fn finish(self) -> (String, Rope) {
        self.now.unwrap_or_else(|| (self.source.to_owned(), Rope::source(self.source)))
    }
}
