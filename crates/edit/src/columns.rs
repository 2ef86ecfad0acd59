//! Columns of a text in UTF-16 code units, found in the same time on long lines as on short ones.

/// The distance of two marks, in bytes.
const STRIDE: usize = 1 << 10;

/// How many UTF-16 code units of a text stand in front of every so many of its bytes.
#[derive(Debug, Clone)]
pub struct Columns {
    /// Nothing for a text in ASCII, of which each byte is a unit.
    marks: Vec<u32>,
}

impl Columns {
    /// Reads a text once.
    #[must_use]
    pub fn of(text: &str) -> Self {
        if text.is_ascii() {
            return Self { marks: Vec::new() };
        }
        let mut marks = vec![0];
        let mut units: u32 = 0;
        for (at, it) in text.char_indices() {
            // A character that reaches over a mark counts as one in front of it.
            if at >= marks.len() * STRIDE {
                marks.push(units);
            }
            units += it.len_utf16() as u32;
        }
        Self { marks }
    }

    /// How many units stand between two places of the text that it was made of, both at the start of a character.
    #[must_use]
    pub fn between(&self, text: &str, start: usize, end: usize) -> u32 {
        if self.marks.is_empty() {
            return u32::try_from(end.saturating_sub(start)).unwrap_or(u32::MAX);
        }
        self.before(text, end).saturating_sub(self.before(text, start))
    }

    fn before(&self, text: &str, offset: usize) -> u32 {
        let mark = (offset / STRIDE).min(self.marks.len() - 1);
        let from = text.ceil_char_boundary(mark * STRIDE);
        let rest = text.get(from..offset).unwrap_or_default();
        self.marks[mark] + rest.encode_utf16().count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::Columns;

    #[test]
    fn are_those_of_counting_from_the_start() {
        let texts =
            ["", "a", "ä", "a𝒳", &"x".repeat(5_000), &"a€𝒳é".repeat(1_200), &"𝒳".repeat(600)];
        for text in texts {
            let columns = Columns::of(text);
            let starts: Vec<usize> =
                text.char_indices().map(|it| it.0).chain([text.len()]).collect();
            for (place, &end) in starts.iter().enumerate().step_by(7) {
                let start = starts[place / 3];
                let counted = text[start..end].encode_utf16().count();
                assert_eq!(columns.between(text, start, end) as usize, counted, "{start}..{end}");
            }
        }
    }
}
