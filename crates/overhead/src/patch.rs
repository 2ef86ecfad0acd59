//! Many small edits of a text.
//!
//! Purpose: restoring a function changes a word here and a bracket there, often several at one
//! place, and leaves what is between. Input: spans with what has to stand there instead. Output: a
//! [`Rope`] of all of the text or a part. Of edits that overlap, the one that begins first wins.

use std::collections::BTreeMap;
use std::rc::Rc;

use oxc_span::Span;

use crate::rope::Rope;

/// Edits in the order of the text; those at one place in the order in which they were made.
#[derive(Debug)]
pub(crate) struct Patch {
    source: Rc<str>,
    edits: BTreeMap<(u32, u32, usize), Rope>,
}

impl Patch {
    /// None yet, of a text.
    pub(crate) fn of(source: &str) -> Self {
        Self { source: source.into(), edits: BTreeMap::new() }
    }

    /// Puts `text` in place of `span`, which may be empty.
    pub(crate) fn replace(&mut self, span: Span, text: impl Into<Rope>) {
        self.edits.insert((span.start, span.end, self.edits.len()), text.into());
    }

    /// Puts `text` in front of what stands at `at`.
    pub(crate) fn insert(&mut self, at: u32, text: &str) {
        self.replace(Span::empty(at), text);
    }

    /// Whether there are no edits.
    pub(crate) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The text of `span` with the edits in it.
    pub(crate) fn render(&self, span: Span) -> Rope {
        let from_here = self.edits.range((span.start, 0, 0)..);
        let edits = from_here.map(|(&(start, end, _), text)| (Span::new(start, end), text));
        let edits = edits.take_while(|(edit, _)| edit.start <= span.end);
        Rope::patched(span, edits, &self.source)
    }
}
