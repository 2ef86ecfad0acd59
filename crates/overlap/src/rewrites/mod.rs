//! The rewrites: one file each, with a page of the same name in `docs/` and specifications.
//!
//! A rewrite looks at one block, or one loop, and proposes findings ([`Find`]); `arbiter` settles which of
//! them are reported. All that is said of rewrites elsewhere (SARIF, `headstart rules`, the index of
//! `docs/`) comes from their [`Meta`].

use headstart_effects::Blocker;

use crate::arbiter::{Proposal, Proposals};
use crate::block::Block;
use crate::finding::{Finding, Level};
use crate::loops::Loop;
use crate::unit::Scope;

/// What a rewrite is, for those who only see its name.
#[derive(Clone, Copy, Debug)]
pub struct Meta {
    /// The name that its findings carry; its page is `docs/NAME.md`.
    pub id: &'static str,
    /// What is wrong where it finds something, in a few words.
    pub summary: &'static str,
    /// What it finds, in a sentence or two.
    pub description: &'static str,
    /// What to do about it.
    pub help: &'static str,
    /// What its edits do; none where it has no edits.
    pub edits: Option<&'static str>,
    /// The same in a few words, beside a finding.
    pub remedy: &'static str,
    /// What is written at the code that a finding is about, where that is not that it waits.
    pub here: Option<&'static str>,
    /// What is written at the code that a finding waits for, or with, where that stands before it.
    pub waits_for: &'static str,
    /// The levels that its findings may have.
    pub levels: &'static [Level],
}

impl Meta {
    /// Its page, from the top of the repository.
    #[must_use]
    pub fn page(&self) -> String {
        format!("docs/{}.md", self.id)
    }
}

/// One rewrite.
#[derive(Clone, Copy)]
pub(crate) struct Rewrite {
    pub(crate) meta: Meta,
    pub(crate) find: Find,
}

/// What a rewrite looks at.
#[derive(Clone, Copy)]
pub(crate) enum Find {
    /// The statements of a block, with what those before it have proposed.
    Block(for<'p> fn(&Block<'_, 'p>, &Proposals<'p>) -> Vec<Proposal<'p>>),
    /// A loop over some items.
    Loop(fn(&Loop<'_, '_>) -> Result<Finding, Blocker>),
    /// A function that waits.
    Function(fn(Scope<'_, '_>) -> Vec<Finding>),
}

/// Registers rewrites, in the order in which they look at a block.
macro_rules! register {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*
        pub(crate) const REWRITES: &[Rewrite] = &[$($name::REWRITE),*];
    };
}

register! {
    awaits_inside_promise_all,
    awaits_in_one_expression,
    independent_iterations,
    independent_awaits,
    blocked_awaits,
    sequential_reduce,
    atomicity,
}

pub use atomicity::ATOMICITY;

/// What all rewrites are, in the order in which they look at a block.
pub fn rules() -> impl Iterator<Item = &'static Meta> {
    REWRITES.iter().map(|it| &it.meta)
}

/// The rewrite of a name, with its place among [`rules`].
#[must_use]
pub fn rule(id: &str) -> Option<(usize, &'static Meta)> {
    rules().enumerate().find(|(_, meta)| meta.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewrites_differ_in_all_that_is_said_of_them() {
        let all: Vec<&Meta> = rules().collect();
        for (index, one) in all.iter().enumerate() {
            assert!(!one.levels.is_empty(), "{}", one.id);
            for other in &all[index + 1..] {
                assert_ne!(one.id, other.id);
                assert_ne!(one.summary, other.summary);
                assert_ne!(one.description, other.description);
                assert_ne!(one.help, other.help);
                assert!(one.edits.is_none() || one.edits != other.edits, "{}", one.id);
            }
        }
    }
}
