//! What becomes of the proposals of several rewrites for one block.

use crate::finding::{Finding, Level};
use crate::script::Script;
use crate::site::Site;

/// A finding that a rewrite proposes.
#[derive(Debug)]
pub(crate) struct Proposal<'p> {
    pub(crate) finding: Finding,
    /// The first and the last statement of the block that its edits take in.
    pub(crate) units: (usize, usize),
    /// How it rewrites its statement, where it takes in a single one: others may carry that out
    /// together with what they do to it.
    pub(crate) script: Option<Script>,
    /// What its statement waits for once it is rewritten, where that is an operation as a whole.
    pub(crate) becomes: Option<Site<'p>>,
}

impl Proposal<'_> {
    /// A finding that rewrites several statements, or none.
    pub(crate) fn of(finding: Finding, units: (usize, usize)) -> Self {
        Self { finding, units, script: None, becomes: None }
    }
}

/// What has been proposed for a block.
#[derive(Debug, Default)]
pub(crate) struct Proposals<'p>(Vec<Proposal<'p>>);

impl<'p> Proposals<'p> {
    /// Takes in what one more rewrite proposes. What an earlier one has proposed for the same
    /// statement, and as surely, stands.
    pub(crate) fn add(&mut self, proposed: Vec<Proposal<'p>>) {
        for one in proposed {
            let is_same = |it: &&Proposal<'_>| {
                it.script.is_some() && one.script.is_some() && it.units == one.units
            };
            if self.0.iter().find(is_same).is_none_or(|it| it.finding.level > one.finding.level) {
                self.0.push(one);
            }
        }
    }

    /// The surest way to rewrite a single statement by itself, if that is safe.
    pub(crate) fn safe_within(&self, unit: usize) -> Option<&Proposal<'p>> {
        let is_within = |it: &&Proposal<'_>| it.units == (unit, unit) && it.script.is_some();
        self.0.iter().filter(is_within).find(|it| it.finding.level == Level::Safe)
    }

    /// What statements wait for once what is safe is carried out, for those that come after it.
    pub(crate) fn sites(&self) -> impl Iterator<Item = (usize, &Site<'p>)> {
        let safe = self.0.iter().filter(|it| it.finding.level == Level::Safe);
        safe.filter_map(|it| Some((it.units.0, it.becomes.as_ref()?)))
    }

    /// Whether something is proposed for a statement that is not taken in by something else.
    pub(crate) fn touches(&self, unit: usize) -> bool {
        self.0.iter().any(|it| it.units.0 <= unit && unit <= it.units.1)
    }

    /// What is reported. A statement that a safe finding takes in is not reported by itself: its own
    /// rewrite is part of that finding. One that a likely finding takes in is, since who wants no more
    /// than `safe` would miss it.
    pub(crate) fn settle(self) -> Vec<Finding> {
        let taken: Vec<(usize, usize)> = self
            .0
            .iter()
            .filter(|it| it.script.is_none() && it.finding.level == Level::Safe)
            .map(|it| it.units)
            .collect();
        let is_taken = |it: &Proposal<'_>| {
            let (first, last) = it.units;
            it.script.is_some() && taken.iter().any(|by| by.0 <= first && last <= by.1)
        };
        self.0.into_iter().filter(|it| !is_taken(it)).map(|it| it.finding).collect()
    }
}
