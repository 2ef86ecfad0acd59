//! All that can stand in the way of a rewrite, and all that one can take for granted: each with a code, which
//! stays the same from release to release, and its sentence.
//!
//! The sentences stand in `blockers` and `assumptions`, and nowhere else. In them, `{}` stands for the source
//! text of the place that the sentence is about, and `{1}`, `{2}`, … for what else it speaks of: a name, a place as
//! a person would write it, a kind of thing outside the program, the names of several, what a model asks for.
//! What is put there is made by whoever finds it.

use std::borrow::Cow;
use std::sync::Arc;

#[macro_use]
mod assumptions;
#[macro_use]
mod blockers;

/// Declares [`Code`] with its sentences.
macro_rules! catalogue {
    (
        in_the_way { $($blocker:ident $blocker_id:literal $blocker_text:literal,)* }
        taken_for_granted { $($granted:ident $granted_id:literal $granted_text:literal,)* }
    ) => {
        /// What a sentence says of why something cannot be done, or of what is taken for granted.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Code {
            $(#[doc = $blocker_text] $blocker,)*
            $(#[doc = $granted_text] $granted,)*
        }

        /// What stands in the way.
        const BLOCKERS: &[Code] = &[$(Code::$blocker),*];
        /// What is taken for granted.
        const ASSUMPTIONS: &[Code] = &[$(Code::$granted),*];

        impl Code {
            /// What it is called in reports.
            #[must_use]
            pub fn id(self) -> &'static str {
                match self {
                    $(Self::$blocker => $blocker_id,)*
                    $(Self::$granted => $granted_id,)*
                }
            }

            /// Its sentence, with `{}` where the source text belongs, and `{1}`, `{2}`, … where what else it
            /// speaks of does.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self {
                    $(Self::$blocker => $blocker_text,)*
                    $(Self::$granted => $granted_text,)*
                }
            }
        }
    };
}

assumptions! { blockers! { catalogue! } }

impl Code {
    /// All that can stand in the way, in the order in which they are written down.
    #[must_use]
    pub fn blockers() -> &'static [Self] {
        BLOCKERS
    }

    /// All that can be taken for granted, in that order.
    #[must_use]
    pub fn assumptions() -> &'static [Self] {
        ASSUMPTIONS
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        BLOCKERS.iter().chain(ASSUMPTIONS).copied()
    }

    /// The sentence that speaks of these things beside the source text, in the order of its numbers.
    #[must_use]
    pub fn with(self, holes: &[&str]) -> Reason {
        let holes: Arc<[String]> = holes.iter().map(|&it| it.to_owned()).collect();
        Reason { code: self, holes: Some(holes), behind: None }
    }

    /// Whether its sentence is about a place: those that are about none say the same wherever they are said.
    pub(crate) fn is_about_place(self) -> bool {
        self.text().contains("{}")
    }
}

/// What is said, with what it speaks of: a code and what stands in the holes of its sentence.
///
/// Both are shared, since a reason is copied with everything that rests on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// What is said.
    pub code: Code,
    holes: Option<Arc<[String]>>,
    /// What stands behind the sentence: where that is which it speaks of, once somebody has looked that up.
    behind: Option<Arc<str>>,
}

impl From<Code> for Reason {
    fn from(code: Code) -> Self {
        Self { code, holes: None, behind: None }
    }
}

impl Reason {
    /// The sentence, with `{}` where the source text of its place belongs.
    #[must_use]
    pub fn text(&self) -> Cow<'static, str> {
        let mut text = match &self.holes {
            Some(holes) => Cow::Owned(filled(self.code.text(), holes)),
            None => Cow::Borrowed(self.code.text()),
        };
        if let Some(behind) = &self.behind {
            text.to_mut().push_str(behind);
        }
        text
    }

    /// The same said with another code, and with one more thing that its sentence speaks of.
    #[must_use]
    pub(crate) fn and(&self, code: Code, more: &str) -> Self {
        let holes = self.holes.iter().flat_map(|it| it.iter()).map(String::as_str);
        let holes: Vec<&str> = holes.chain([more]).collect();
        code.with(&holes)
    }

    /// The same said with another code of what it speaks of.
    #[must_use]
    pub(crate) fn as_said_by(&self, code: Code) -> Self {
        Self { code, ..self.clone() }
    }

    /// The same of the operation that is called `name`, where it is said of every one that would cross a
    /// statement.
    #[must_use]
    pub fn of_operation(&self, name: &str) -> Self {
        match (self.code, &self.holes) {
            (Code::DecidesWhetherItStarts, None) => self.code.with(&[name]),
            _ => self.clone(),
        }
    }

    /// Puts something behind the sentence, such as the places that it speaks of.
    pub fn append(&mut self, behind: &str) {
        self.behind = Some(behind).filter(|it| !it.is_empty()).map(Arc::from);
    }
}

/// A sentence with its numbered holes filled; `{}` stays. What is put in is not looked at again.
fn filled(sentence: &str, holes: &[String]) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while let Some((before, behind)) = rest.split_once('{') {
        text.push_str(before);
        let (number, after) = behind.split_once('}').unwrap_or((behind, ""));
        let position = number.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
        match position.and_then(|it| holes.get(it)) {
            Some(hole) => text.push_str(hole),
            None => text.push_str(&format!("{{{number}}}")),
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// How many numbered holes a sentence has; they are numbered without gaps.
    fn holes(text: &str) -> usize {
        let numbers: BTreeSet<usize> =
            text.split('{').skip(1).filter_map(|it| it.split('}').next()?.parse().ok()).collect();
        assert!(numbers.iter().copied().eq(1..=numbers.len()), "{text}");
        numbers.len()
    }

    #[test]
    fn codes_are_kebab_case_and_differ() {
        let mut seen = BTreeSet::new();
        for code in Code::all() {
            let id = code.id();
            let is_word = |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_lowercase());
            assert!(id.split('-').all(is_word), "{id}");
            assert!(seen.insert(id), "{id} is used twice");
        }
    }

    #[test]
    fn sentences_differ() {
        let mut seen = BTreeSet::new();
        for code in Code::all() {
            assert!(seen.insert(code.text()), "{} says what another one says", code.id());
        }
    }

    #[test]
    fn all_holes_are_filled_in_the_order_of_their_numbers() {
        for code in Code::all() {
            let names: Vec<String> = (1..=holes(code.text())).map(|it| format!("<{it}>")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let text = code.with(&names).text().into_owned();
            assert!(names.iter().all(|it| text.contains(it)), "{text}");
            assert_eq!(text.contains("{}"), code.is_about_place(), "{text}");
            assert!(!text.replace("{}", "").contains(['{', '}']), "{text}");
        }
    }

    #[test]
    fn a_sentence_speaks_of_what_it_is_given() {
        let reason = Code::WritesWhatIsRead.with(&["files", "readFile"]);
        assert_eq!(reason.text(), "`{}` writes files, which `readFile` reads");
        let reason = Code::NotTheSame.with(&["`a`", "`b`", "f"]);
        assert_eq!(reason.text(), "`a` of `{}` and `b` of `f` are not the same");
        assert_eq!(Reason::from(Code::MayDoAnything).text(), "`{}` may do anything");
    }

    #[test]
    fn what_is_put_into_a_sentence_has_no_holes_of_its_own() {
        let reason = Code::NotAheadOfItsTurn.with(&["`{}` is `{1}`"]);
        assert_eq!(
            reason.text(),
            "it could not start ahead of its turn in the loop: `{}` is `{1}`"
        );
    }

    #[test]
    fn places_stand_behind_the_sentence_and_tell_reasons_apart() {
        let reason = Reason::from(Code::LoadingIsQuiet);
        let mut there = reason.clone();
        there.append(" (a.js:1 → b.js:2)");
        assert!(there.text().ends_with(" that the rest relies on (a.js:1 → b.js:2)"));
        assert_ne!(reason, there);
    }

    #[test]
    fn an_operation_is_named_where_the_sentence_asks_for_one() {
        let reason = Reason::from(Code::DecidesWhetherItStarts);
        assert_eq!(reason.of_operation("`f`").text(), "`{}` decides whether `f` starts");
        let other = Reason::from(Code::HandsOver);
        assert_eq!(other.of_operation("`f`"), other);
    }
}
