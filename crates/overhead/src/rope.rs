//! Generated text that remembers which of its parts come from the source.
//!
//! Purpose: what is generated is glued together from pieces of the source and new text, and a
//! source map needs to know which is which. Input: spans of the file's text. Output: a
//! [`Rope`], or the text of one.

use std::collections::BTreeMap;
use std::rc::Rc;

use oxc_span::Span;
use oxc_syntax::identifier::is_identifier_part;

/// A piece of text.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// A part of the source.
    Source(Span),
    /// New text.
    Text(String),
    /// The text that follows belongs to this place of the source.
    Mark(u32),
    /// New text that only the fast function has: what stands in the twin is the second.
    Fast(String, &'static str),
}

impl Piece {
    /// In bytes.
    pub(crate) fn len(&self) -> u32 {
        match self {
            Piece::Source(span) => span.size(),
            Piece::Text(text) => u32::try_from(text.len()).unwrap_or(u32::MAX),
            Piece::Mark(_) => 0,
            Piece::Fast(_, instead) => u32::try_from(instead.len()).unwrap_or(u32::MAX),
        }
    }

    fn source(&self) -> Option<Span> {
        match self {
            Piece::Source(span) => Some(*span),
            Piece::Text(_) | Piece::Mark(_) | Piece::Fast(..) => None,
        }
    }

    /// Its text, given that of the source, in a fast function or in a twin.
    fn text<'t>(&'t self, source: &'t str, fast: bool) -> &'t str {
        match self {
            Piece::Source(span) => span.source_text(source),
            Piece::Text(text) => text,
            Piece::Mark(_) => "",
            Piece::Fast(text, _) if fast => text,
            Piece::Fast(_, instead) => instead,
        }
    }
}

/// What is longer than this, in bytes, is not written twice.
const MOST_OF_NAME: usize = 24;

/// Pieces one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rope(pub(crate) Vec<Piece>);

impl Rope {
    /// New text only.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self(vec![Piece::Text(text.into())])
    }

    /// All of a source.
    pub(crate) fn source(text: &str) -> Self {
        Self(vec![Piece::Source(Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX)))])
    }

    /// The same without new text that it begins with.
    pub(crate) fn without_start(mut self, start: &str) -> Self {
        if let Some(Piece::Text(first)) = self.0.first_mut()
            && let Some(rest) = first.strip_prefix(start)
        {
            *first = rest.to_owned();
        }
        self
    }

    /// A part of the source.
    pub(crate) fn part(span: Span) -> Self {
        Self(vec![Piece::Source(span)])
    }

    /// Appends new text.
    pub(crate) fn push(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.0.push(Piece::Text(text.to_owned())),
        }
    }

    /// Appends another rope.
    pub(crate) fn append(&mut self, other: &Rope) {
        for piece in &other.0 {
            match piece {
                Piece::Text(text) => self.push(text),
                Piece::Source(_) | Piece::Fast(..) | Piece::Mark(_) => self.0.push(piece.clone()),
            }
        }
    }

    /// Says of the text that follows that it stands for this: where traces are to point.
    pub(crate) fn mark(&self) -> Self {
        let source = self.0.iter().find_map(|piece| match piece {
            Piece::Source(span) => Some(Piece::Mark(span.start)),
            _ => None,
        });
        Self(source.into_iter().collect())
    }

    /// As it stands in a fast function, or in a twin.
    pub(crate) fn resolved(&self, fast: bool) -> Rope {
        let mut out = Rope::default();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.push(text),
                Piece::Source(_) | Piece::Mark(_) => out.0.push(piece.clone()),
                Piece::Fast(text, _) if fast => out.push(text),
                Piece::Fast(_, instead) => out.push(instead),
            }
        }
        out
    }

    /// Its text, where that is the same in a fast function and in a twin, and no longer than a name.
    pub(crate) fn plain(&self, source: &str) -> Option<String> {
        let mut text = String::new();
        for piece in &self.0 {
            if let Piece::Fast(..) = piece {
                return None;
            }
            text.push_str(piece.text(source, true));
        }
        (text.len() <= MOST_OF_NAME).then_some(text)
    }

    /// Appends what goes on here in the source, or stands in its place: apart, where two words would become one.
    /// `return(a)` and `(a)in b` have nothing between them that edits would leave.
    fn go_on(&mut self, next: &Rope, source: &str) {
        let meet = |fast: bool| {
            let before = self.0.iter().rev().map(|it| it.text(source, fast));
            let behind = next.0.iter().map(|it| it.text(source, fast));
            let last = before.filter_map(|it| it.chars().next_back()).next();
            let first = behind.filter_map(|it| it.chars().next()).next();
            last.is_some_and(is_identifier_part) && first.is_some_and(begins_word)
        };
        if meet(true) || meet(false) {
            self.push(" ");
        }
        self.append(next);
    }

    /// The text of `span` with edits, in the order of the text; of those that overlap, the first wins.
    pub(crate) fn patched<'e>(
        span: Span,
        edits: impl Iterator<Item = (Span, &'e Rope)>,
        source: &str,
    ) -> Self {
        let mut rope = Self::default();
        let mut at = span.start;
        for (edit, text) in edits {
            if edit.start < at || edit.end > span.end {
                continue;
            }
            if at < edit.start {
                rope.go_on(&Self::part(Span::new(at, edit.start)), source);
            }
            rope.go_on(text, source);
            at = edit.end;
        }
        if at < span.end {
            rope.go_on(&Self::part(Span::new(at, span.end)), source);
        }
        rope
    }

    /// The same text in terms of an older source: this rope is about the text of `inner`.
    pub(crate) fn over(&self, inner: &Rope) -> Rope {
        let starts = inner.starts();
        let mut rope = Rope::default();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => rope.push(text),
                Piece::Source(span) => inner.slice_to(*span, &starts, &mut rope),
                Piece::Mark(at) => rope.0.push(Piece::Mark(inner.source_offset(*at))),
                Piece::Fast(_, instead) => rope.push(instead),
            }
        }
        rope
    }

    /// Where a place of its text was in the source; for new text, where the source goes on.
    pub(crate) fn source_offset(&self, offset: u32) -> u32 {
        let mut at = 0;
        for piece in &self.0 {
            match piece {
                Piece::Source(span) if at + span.size() > offset => {
                    return span.start + offset.saturating_sub(at);
                }
                _ => at += piece.len(),
            }
        }
        self.0.iter().rev().find_map(Piece::source).map_or(0, |span| span.end)
    }

    /// Where each of its pieces begins in its text.
    fn starts(&self) -> Vec<u32> {
        let mut at = 0;
        self.0
            .iter()
            .map(|piece| {
                at += piece.len();
                at - piece.len()
            })
            .collect()
    }

    /// Appends a part of its text to another rope.
    fn slice_to(&self, part: Span, starts: &[u32], rope: &mut Rope) {
        let first = starts.partition_point(|&start| start <= part.start).saturating_sub(1);
        for (piece, &at) in self.0.iter().zip(starts).skip(first) {
            if at >= part.end {
                break;
            }
            let from = part.start.max(at) - at;
            let to = (part.end - at).min(piece.len());
            match piece {
                Piece::Mark(_) if at >= part.start => rope.0.push(piece.clone()),
                _ if from >= to => {}
                Piece::Text(text) => rope.push(text.get(from as usize..to as usize).unwrap_or("")),
                Piece::Fast(_, it) => rope.push(it.get(from as usize..to as usize).unwrap_or("")),
                Piece::Source(span) => {
                    rope.0.push(Piece::Source(Span::sized(span.start + from, to - from)));
                }
                Piece::Mark(_) => {}
            }
        }
    }

    /// Whether some of its new text has a name in it.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        self.0.iter().any(|piece| match piece {
            Piece::Text(text) | Piece::Fast(text, _) => text.contains(name),
            Piece::Source(_) | Piece::Mark(_) => false,
        })
    }

    /// The text, given that of the source.
    pub(crate) fn to_text(&self, source: &str) -> String {
        self.0.iter().map(|it| it.text(source, false)).collect()
    }
}

/// Whether a word may go on with this, also as an escape.
fn begins_word(it: char) -> bool {
    is_identifier_part(it) || it == '\\'
}

impl From<&str> for Rope {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Rope {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

/// Glues text and ropes together: `rope![ "if (", test, ")" ]`.
macro_rules! rope {
    ($($part:expr),* $(,)?) => {{
        let mut rope = $crate::rope::Rope::default();
        $( $crate::rope::Append::append_to(&$part, &mut rope); )*
        rope
    }};
}
pub(crate) use rope;

/// What [`rope!`] takes.
pub(crate) trait Append {
    /// Appends itself.
    fn append_to(&self, rope: &mut Rope);
}

impl Append for Rope {
    fn append_to(&self, rope: &mut Rope) {
        rope.append(self);
    }
}

impl Append for &Rope {
    fn append_to(&self, rope: &mut Rope) {
        rope.append(self);
    }
}

impl Append for &str {
    fn append_to(&self, rope: &mut Rope) {
        rope.push(self);
    }
}

impl Append for String {
    fn append_to(&self, rope: &mut Rope) {
        rope.push(self);
    }
}

impl Append for &String {
    fn append_to(&self, rope: &mut Rope) {
        rope.push(self);
    }
}

/// What has to stand in place of parts of the source, wherever these are printed. Edits may lie
/// inside one another; the outer one wins, since its text was made with the inner one.
#[derive(Debug)]
pub(crate) struct Edits {
    source: Rc<str>,
    /// By start, the longest first.
    by_start: BTreeMap<(u32, u32), Rope>,
    /// What each change replaced, so that it can be taken back.
    journal: Vec<((u32, u32), Option<Rope>)>,
}

impl Edits {
    /// None yet, of a text.
    pub(crate) fn of(source: Rc<str>) -> Self {
        Self { source, by_start: BTreeMap::new(), journal: Vec::new() }
    }

    /// Puts `text` in place of `span`. The last one for a span counts.
    pub(crate) fn replace(&mut self, span: Span, text: Rope) {
        let key = (span.start, u32::MAX - span.end);
        let before = self.by_start.insert(key, text);
        self.journal.push((key, before));
    }

    /// Leaves what stands in `span` as it is, but for edits within.
    pub(crate) fn forget(&mut self, span: Span) {
        let key = (span.start, u32::MAX - span.end);
        if let Some(before) = self.by_start.remove(&key) {
            self.journal.push((key, Some(before)));
        }
    }

    /// Whether anything was edited.
    pub(crate) fn is_empty(&self) -> bool {
        self.by_start.is_empty()
    }

    /// Where the journal stands.
    pub(crate) fn mark(&self) -> usize {
        self.journal.len()
    }

    /// Takes back what was done since `mark`.
    pub(crate) fn rollback(&mut self, mark: usize) {
        while self.journal.len() > mark {
            let Some((key, before)) = self.journal.pop() else { return };
            match before {
                Some(text) => self.by_start.insert(key, text),
                None => self.by_start.remove(&key),
            };
        }
    }

    /// The text of `span` with the edits in it.
    pub(crate) fn render(&self, span: Span) -> Rope {
        let within = self.by_start.range((span.start, 0)..=(span.end, u32::MAX));
        Rope::patched(
            span,
            within.map(|(&(start, end), text)| (Span::new(start, u32::MAX - end), text)),
            &self.source,
        )
    }
}
