//! The members of a module, a type or a namespace, and how one is found among them.

use std::collections::BTreeMap;
use std::ops::Deref;

use serde::Deserialize;

use crate::Member;

/// Members by name. A `*` in a name stands for any text; an exact name goes first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "BTreeMap<String, Member>")]
pub struct Members {
    by_name: BTreeMap<String, Member>,
    /// The names with a `*`, those that say most first.
    patterns: Vec<String>,
}

impl Members {
    /// The member of a name; of several patterns that fit, the one that says most of the name.
    pub(crate) fn find(&self, name: &str) -> Option<&Member> {
        let of_pattern = || {
            let fitting = self.patterns.iter().find(|it| matches(it, name))?;
            self.by_name.get(fitting)
        };
        self.by_name.get(name).or_else(of_pattern)
    }
}

impl From<BTreeMap<String, Member>> for Members {
    fn from(by_name: BTreeMap<String, Member>) -> Self {
        let names = by_name.keys().filter(|it| it.contains('*'));
        let mut patterns: Vec<String> = names.cloned().collect();
        // Of those that say as much, the last.
        patterns.reverse();
        patterns.sort_by_key(|it| std::cmp::Reverse(it.len()));
        Self { by_name, patterns }
    }
}

impl Deref for Members {
    type Target = BTreeMap<String, Member>;

    fn deref(&self) -> &Self::Target {
        &self.by_name
    }
}

impl<'m> IntoIterator for &'m Members {
    type Item = (&'m String, &'m Member);
    type IntoIter = std::collections::btree_map::Iter<'m, String, Member>;

    fn into_iter(self) -> Self::IntoIter {
        self.by_name.iter()
    }
}

/// Whether a name fits a pattern with one `*`.
fn matches(pattern: &str, name: &str) -> bool {
    pattern.split_once('*').is_some_and(|(head, tail)| {
        name.len() >= head.len() + tail.len() && name.starts_with(head) && name.ends_with(tail)
    })
}
