//! Span edits, collected in groups that are taken whole or refused whole.

mod conflict;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use conflict::Conflict;

/// One change to a text: the bytes `start..end` of the original are replaced by `text`.
///
/// An insertion has `start == end`; a deletion has an empty `text`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Byte offset of the first replaced byte in the original UTF-8 text.
    pub start: u32,
    /// Byte offset just past the last replaced byte in the original UTF-8 text.
    pub end: u32,
    /// The text put in place of the span.
    pub text: String,
}

impl Edit {
    fn span(&self) -> Range<u32> {
        self.start..self.end
    }

    /// Spans that only touch do not clash, since the order of their texts follows from their
    /// offsets; for two insertions at one point no such order exists.
    fn clashes(&self, other: &Edit) -> bool {
        let same_point = self.start == self.end && self.span() == other.span();
        same_point || (self.start < other.end && other.start < self.end)
    }
}

/// Names a group of edits that an [`EditSet`] has taken; numbered from 0 in the order taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(u32);

impl GroupId {
    /// Position of the group among the groups taken, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone)]
struct Taken {
    edit: Edit,
    group: GroupId,
}

/// The edits to one text, none of which overlap. All offsets are bytes into the original.
#[derive(Debug, Clone)]
pub struct EditSet {
    source_len: usize,
    /// Offsets that fall inside a character, ascending. Kept instead of the text itself so
    /// that a set can be stored beside the text it belongs to; empty for ASCII.
    inside_characters: Vec<u32>,
    /// Ascending by (start, end), which is also the order of the texts in the output.
    taken: Vec<Taken>,
    groups: u32,
}

impl EditSet {
    /// An empty set of edits to `source`, of which the first 4 GiB can be edited.
    pub fn new(source: &str) -> EditSet {
        let inside_characters = (0..=u32::MAX)
            .zip(source.bytes())
            .filter(|(_, byte)| byte & 0xC0 == 0x80)
            .map(|(offset, _)| offset)
            .collect();
        EditSet { source_len: source.len(), inside_characters, taken: Vec::new(), groups: 0 }
    }

    /// Whether the set holds no edit, so that [`EditSet::apply`] returns its input.
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// Takes all of `edits`, or none of them. What another group inserts at the same place already, it
    /// shares with that.
    ///
    /// # Errors
    ///
    /// The first [`Conflict`] met: an edit overlaps one taken before or another of its own
    /// group, reaches past the end of the text, has its end before its start, or cuts a
    /// character. The set is then as it was before the call.
    pub fn push_group(&mut self, edits: Vec<Edit>) -> Result<GroupId, Conflict> {
        let group = GroupId(self.groups);
        for edit in edits {
            if let Err(conflict) = self.push(edit, group) {
                self.taken.retain(|taken| taken.group != group);
                return Err(conflict);
            }
        }
        self.groups += 1;
        Ok(group)
    }

    fn push(&mut self, edit: Edit, group: GroupId) -> Result<(), Conflict> {
        self.check_span(&edit)?;
        let at = self
            .taken
            .partition_point(|taken| (taken.edit.start, taken.edit.end) < (edit.start, edit.end));
        // The edits taken do not overlap, so if any clashes, one of the two neighbours does.
        let neighbours = &self.taken[at.saturating_sub(1)..self.taken.len().min(at + 1)];
        let is_shared = |other: &Taken| other.group != group && other.edit == edit;
        if edit.start == edit.end && neighbours.iter().any(is_shared) {
            return Ok(());
        }
        if let Some(other) = neighbours.iter().find(|other| other.edit.clashes(&edit)) {
            return Err(Conflict::Overlap {
                edit: edit.span(),
                taken: other.edit.span(),
                group: (other.group != group).then_some(other.group),
            });
        }
        self.taken.insert(at, Taken { edit, group });
        Ok(())
    }

    fn check_span(&self, edit: &Edit) -> Result<(), Conflict> {
        let span = edit.span();
        if edit.end < edit.start {
            return Err(Conflict::Inverted { edit: span });
        }
        if edit.end as usize > self.source_len {
            return Err(Conflict::OutOfRange { edit: span, source_len: self.source_len });
        }
        for offset in [edit.start, edit.end] {
            if self.inside_characters.binary_search(&offset).is_ok() {
                return Err(Conflict::InsideCharacter { edit: span, offset });
            }
        }
        Ok(())
    }

    /// The text with all edits made; every byte outside them is copied as it is.
    ///
    /// # Panics
    ///
    /// When `source` is not the text the set was made for, because any output would then be
    /// wrong.
    pub fn apply(&self, source: &str) -> String {
        assert_eq!(source.len(), self.source_len, "edits applied to another text");
        let added: usize = self.taken.iter().map(|taken| taken.edit.text.len()).sum();
        let mut output = String::with_capacity(source.len() + added);
        let mut copied = 0;
        for Taken { edit, .. } in &self.taken {
            output.push_str(&source[copied..edit.start as usize]);
            output.push_str(&edit.text);
            copied = edit.end as usize;
        }
        output.push_str(&source[copied..]);
        output
    }

    /// Where the byte at the original offset `old` lies in the output of [`EditSet::apply`].
    ///
    /// A byte that an insertion precedes moves behind the inserted text. A byte that was
    /// replaced has no place of its own; it maps to the start of the text that replaced it.
    pub fn map_offset(&self, old: u32) -> u32 {
        // The part of the original up to `copied` takes up `output` bytes.
        let (mut copied, mut output) = (0u32, 0usize);
        for Taken { edit, .. } in &self.taken {
            if old < edit.start {
                break;
            }
            output += (edit.start - copied) as usize;
            if old < edit.end {
                return saturate(output);
            }
            output += edit.text.len();
            copied = edit.end;
        }
        saturate(output + (old - copied) as usize)
    }
}

fn saturate(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
