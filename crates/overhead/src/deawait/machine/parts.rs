//! What stands in which `try`, and where a jump leads.
//!
//! A part is a range of states that one loop goes over: all of them, those that a `try` protects, or
//! those of a `finally` block. The states of a `catch` block belong to the part around the `try`: the
//! handler does no more than to go there.

use super::super::Reason;
use super::op::{States, Try};

/// What a part is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    All,
    /// Protected by a `catch` block, which begins at this label.
    Caught(u32),
    /// Protected by a `finally` block, which begins and ends at these.
    Finalized(u32, u32),
    Finally,
}

/// A range of states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) kind: Kind,
    /// The first label, and that behind the last.
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) parent: usize,
}

/// The parts of a machine; the first one is all of it.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    /// Whether going to the first label of a part from inside stays inside.
    pub(super) first_is_inside: bool,
}

const ODD: Reason = "its `try` statements are not as a compiler writes them";

impl Parts {
    /// The parts of a machine.
    pub(super) fn of(states: &States, first_is_inside: bool) -> Result<Self, Reason> {
        let mut parts = vec![Part { kind: Kind::All, from: 0, to: u32::MAX, parent: 0 }];
        let part = |kind, from, to| Part { kind, from, to, parent: 0 };
        for &Try { start, catch, finally, end } in &states.tries {
            if let Some(finally) = finally {
                let end = end.ok_or(ODD)?;
                parts.push(part(Kind::Finalized(finally, end), start, finally));
                parts.push(part(Kind::Finally, finally, end));
            }
            if let Some(catch) = catch {
                parts.push(part(Kind::Caught(catch), start, catch));
            }
        }
        let has = |label: u32| states.states.iter().any(|it| it.label == label);
        for (index, it) in parts.iter().enumerate().skip(1) {
            if it.from >= it.to || !has(it.from) || !has(it.to) {
                return Err(ODD);
            }
            for other in &parts[index + 1..] {
                let apart = it.to <= other.from || other.to <= it.from;
                let same = it.from == other.from && it.to == other.to;
                if same || !apart && !contains(it, other) && !contains(other, it) {
                    return Err(ODD);
                }
            }
        }
        // The outer ones first.
        parts[1..].sort_by_key(|it| (it.from, std::cmp::Reverse(it.to)));
        for index in 1..parts.len() {
            let inner = parts[index];
            let parent = (0..index).rev().find(|&it| contains(&parts[it], &inner));
            parts[index].parent = parent.unwrap_or(0);
        }
        Ok(Self { parts, first_is_inside })
    }

    /// The innermost part that a label is in.
    pub(super) fn part_of(&self, label: u32) -> usize {
        let inside = |it: &Part| it.from <= label && label < it.to;
        self.parts.iter().rposition(inside).unwrap_or(0)
    }

    /// Whether `outer` is `inner` or around it.
    pub(super) fn is_around(&self, outer: usize, inner: usize) -> bool {
        let mut at = inner;
        loop {
            if at == outer {
                return true;
            }
            if at == 0 {
                return false;
            }
            at = self.parts[at].parent;
        }
    }

    /// Where a jump from part `from` to `label` leads: the part whose loop goes on, and the label
    /// that it goes on with.
    pub(super) fn target(
        &self,
        from: usize,
        label: u32,
        abrupt: bool,
    ) -> Result<(usize, u32), Reason> {
        // Going to a `finally` block from what it protects is to be done with that.
        let done = self.parts.iter().enumerate().find_map(|(index, it)| match it.kind {
            Kind::Finalized(finally, end) if finally == label && self.is_around(index, from) => {
                Some(end)
            }
            _ => None,
        });
        if let Some(end) = done {
            return self.target(from, end, true);
        }
        let mut to = self.part_of(label);
        while to != 0 && self.parts[to].from == label && self.parts[to].kind != Kind::Finally {
            if self.first_is_inside && self.is_around(to, from) {
                break;
            }
            to = self.parts[to].parent;
        }
        if !self.is_around(to, from) {
            return Err("its state machine jumps into a `try` statement");
        }
        let mut at = from;
        while at != to {
            if !abrupt && !matches!(self.parts[at].kind, Kind::Caught(_)) {
                return Err(ODD);
            }
            at = self.parts[at].parent;
        }
        Ok((to, label))
    }
}

fn contains(outer: &Part, inner: &Part) -> bool {
    outer.from <= inner.from && inner.to <= outer.to
}
