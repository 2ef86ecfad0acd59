//! The string table of one file: each distinct string once, end to end in one buffer.

use crate::NameId;

/// The distinct strings of a file.
#[derive(Debug, Default)]
pub struct Names {
    text: Box<str>,
    /// Where each string ends in `text`; it starts where the one before it ends.
    ends: Box<[u32]>,
}

impl Names {
    /// The string with the given id; `""` for an id of another file.
    #[must_use]
    pub fn get(&self, id: NameId) -> &str {
        let index = id.index();
        let start = match index.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or(0),
            None => 0,
        };
        let end = self.ends.get(index).copied().unwrap_or(start);
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// Adds a string that no other part of the file has; its id.
    pub fn add(&mut self, string: &str) -> NameId {
        let all = std::mem::take(self);
        let mut builder = NamesBuilder { text: all.text.into(), ends: all.ends.into() };
        let id = builder.push(string);
        *self = builder.finish();
        id
    }

    /// Whether one of them is this string; looks at all.
    #[must_use]
    pub fn has(&self, string: &str) -> bool {
        (0..self.len()).any(|it| self.get(NameId::new(it)) == string)
    }

    /// How many distinct strings there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes held on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.text.len() + self.ends.len() * size_of::<u32>()
    }
}

/// Fills a [`Names`]. It does not look for repetitions: its user keeps a map that borrows from the
/// source text, which is cheaper than owning every key.
#[derive(Debug, Default)]
pub struct NamesBuilder {
    text: String,
    ends: Vec<u32>,
}

impl NamesBuilder {
    /// Appends a string and returns its id.
    pub fn push(&mut self, string: &str) -> NameId {
        let id = NameId::new(self.ends.len());
        self.text.push_str(string);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        id
    }

    /// The finished table.
    #[must_use]
    pub fn finish(self) -> Names {
        Names { text: self.text.into_boxed_str(), ends: self.ends.into_boxed_slice() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_back_by_id() {
        let mut builder = NamesBuilder::default();
        let ids: Vec<NameId> = ["", "a", "bé", ""].iter().map(|s| builder.push(s)).collect();
        let names = builder.finish();
        let back: Vec<&str> = ids.iter().map(|&id| names.get(id)).collect();
        assert_eq!(back, ["", "a", "bé", ""]);
        assert_eq!(names.get(NameId::new(99)), "");
    }
}
