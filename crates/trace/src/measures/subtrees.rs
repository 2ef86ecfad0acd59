//! Potentially atomic subtrees: continuations that belong together and are over within a limit, by shape (the paper's
//! section 3.3).
//!
//! For a continuation r, S(r) is r and what it leads to, as far as all on the way ends within the limit after r
//! begins. It counts if it has two continuations or more and is no part of S(parent of r). Recurring edges are cut.
//!
//! A continuation d is in S(r) for all r on the way from d up to some `top(d)`, and S(r) counts if and only if r is the
//! top of something. So sums over S(r) are sums over paths, which differences at both ends of each path and one walk
//! from the last to the first give for all r at once.

use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::event::Time;
use crate::follow::{Begun, Node};
use crate::units::milliseconds;

/// The limits in units of 100 ns, ascending: 1, 10 and 100 ms as in the paper, and six between.
pub(crate) const LIMITS: [Time; 9] =
    [10_000, 18_000, 32_000, 56_000, 100_000, 180_000, 320_000, 560_000, 1_000_000];
const LAST_LIMIT: Time = LIMITS[LIMITS.len() - 1];
/// Continuations that are looked at together; few in tests, so that these come to what happens between two looks.
const BLOCK: usize = if cfg!(test) { 8 } else { 1 << 16 };
/// The most that are looked at together, whatever the clock says.
const KEPT: usize = 1 << 20;
/// No place in the window.
const NONE: u32 = u32::MAX;

/// How many subtrees of each shape there are within a limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shapes {
    /// All that count.
    pub total: u64,
    /// No continuation has two children that run once.
    pub linear_loose: u64,
    /// No continuation has two children.
    pub linear_strict: u64,
    /// Two children or more are outside.
    pub multi_loose: u64,
    /// And they have different parents.
    pub multi_strict: u64,
    /// One continuation has no children, and one has a child outside.
    pub contained_loose: u64,
    /// And one begins after the one that has none.
    pub contained_strict: u64,
}

/// Finds the subtrees of one thread.
pub(crate) struct Subtrees {
    shapes: [Shapes; LIMITS.len()],
    /// The continuations of the last moments, in the order in which they begin; before them, those that are counted
    /// already, but lead to one of them.
    window: Vec<Entry>,
    counted: usize,
    /// The ordinal of the first that is not counted.
    base: u64,
    /// How long the window becomes before it is looked at.
    full: usize,
    now: Time,
    /// Continuations that had to be looked at before it was known what they lead to.
    pub(crate) forced: u64,
}

#[derive(Clone, Copy)]
struct Entry {
    begin: Time,
    end: Option<Time>,
    /// The place of the parent in the window, unless the edge is cut or the parent is too long ago.
    parent: Option<u32>,
    once: u32,
    all: u32,
}

impl Default for Subtrees {
    fn default() -> Self {
        Self {
            shapes: Default::default(),
            window: Vec::new(),
            counted: 0,
            base: 0,
            full: BLOCK,
            now: 0,
            forced: 0,
        }
    }
}

impl Subtrees {
    pub(crate) fn begin(&mut self, begun: &Begun<'_>) {
        let Begun { node, parent, .. } = begun;
        self.now = node.begin;
        if self.window.len() >= self.full {
            self.look(false);
        }
        if self.window.len() == self.counted {
            self.base = node.ordinal;
        }
        let parent = if node.recurring { None } else { *parent };
        let parent = parent.and_then(|it| self.place(it.ordinal));
        self.window.push(Entry {
            begin: node.begin,
            end: None,
            parent: parent.map(|it| it as u32),
            once: 0,
            all: 0,
        });
    }

    /// The place in the window of the continuation with this ordinal.
    fn place(&self, ordinal: u64) -> Option<usize> {
        let place = usize::try_from(ordinal.checked_sub(self.base)?).ok()?;
        Some(self.counted + place)
    }

    pub(crate) fn end(&mut self, node: &Node, end: Time) {
        self.now = end;
        let place = self.place(node.ordinal);
        if let Some(entry) = place.and_then(|it| self.window.get_mut(it)) {
            entry.end = Some(end);
            entry.once = u32::try_from(node.children.once).unwrap_or(u32::MAX);
            entry.all = u32::try_from(node.children.all).unwrap_or(u32::MAX);
        }
    }

    pub(crate) fn finish(&mut self) {
        self.look(true);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (sum, more) in self.shapes.iter_mut().zip(&other.shapes) {
            sum.total += more.total;
            sum.linear_loose += more.linear_loose;
            sum.linear_strict += more.linear_strict;
            sum.multi_loose += more.multi_loose;
            sum.multi_strict += more.multi_strict;
            sum.contained_loose += more.contained_loose;
            sum.contained_strict += more.contained_strict;
        }
        self.forced += other.forced;
    }

    /// Each limit in milliseconds, with what there is within it.
    pub(crate) fn report(&self) -> Vec<(f64, Shapes)> {
        let limits = LIMITS.iter().map(|it| milliseconds((*it).into()));
        limits.zip(self.shapes).collect()
    }

    /// Counts the subtrees of those whose descendants are known, and forgets these.
    fn look(&mut self, all: bool) {
        let over = |it: &Entry| it.begin + LAST_LIMIT < self.now;
        let mut known = self.counted + self.window[self.counted..].partition_point(over);
        if all {
            known = self.window.len();
        } else if self.window.len() - (known - self.counted) > KEPT / 2 {
            let enough = self.counted + (self.window.len() - self.counted).div_ceil(2);
            self.forced += (enough - known) as u64;
            known = enough;
        }
        if known > self.counted {
            let forest = Forest::new(&self.window);
            let mut tops = Vec::new();
            for (limit, shapes) in LIMITS.iter().zip(&mut self.shapes) {
                tops = forest.tops(*limit, tops);
                Sums::new(&forest, &tops).count(self.counted..known, shapes);
            }
            self.forget(known);
        }
        self.full = (2 * self.window.len()).max(BLOCK);
    }

    /// Forgets the first `known`, but for those that the others come from: what is in S of one of them counts for no
    /// other. Who those come from makes no difference any more.
    fn forget(&mut self, known: usize) {
        let mut kept: Vec<Entry> = Vec::new();
        let mut places: FxHashMap<u32, u32> = FxHashMap::default();
        for entry in &self.window[known..] {
            let Some(parent) = entry.parent.filter(|it| (*it as usize) < known) else {
                continue;
            };
            places.entry(parent).or_insert_with(|| {
                kept.push(Entry { parent: None, ..self.window[parent as usize] });
                kept.len() as u32 - 1
            });
        }
        self.base += (known - self.counted) as u64;
        self.counted = kept.len();
        for entry in &self.window[known..] {
            let parent = entry.parent.map(|it| match places.get(&it) {
                Some(place) => *place,
                None => (it as usize - known + self.counted) as u32,
            });
            kept.push(Entry { parent, ..*entry });
        }
        self.window = kept;
    }
}

/// The continuations of the window as a forest, by their places in it.
struct Forest<'a> {
    window: &'a [Entry],
    parent: Vec<u32>,
    depth: Vec<u32>,
    /// An ancestor further up, such that any ancestor is a few such steps away (Myers, 1983).
    jump: Vec<u32>,
}

impl<'a> Forest<'a> {
    fn new(window: &'a [Entry]) -> Self {
        let mut forest = Self {
            window,
            parent: Vec::with_capacity(window.len()),
            depth: Vec::with_capacity(window.len()),
            jump: Vec::with_capacity(window.len()),
        };
        for (place, entry) in window.iter().enumerate() {
            forest.add(place as u32, entry.parent);
        }
        forest
    }

    fn add(&mut self, place: u32, parent: Option<u32>) {
        let Some(parent) = parent.filter(|it| *it < place) else {
            self.parent.push(NONE);
            self.depth.push(0);
            self.jump.push(place);
            return;
        };
        let above = parent as usize;
        let jump = self.jump[above] as usize;
        let further = self.jump[jump] as usize;
        let alike = self.depth[above] - self.depth[jump] == self.depth[jump] - self.depth[further];
        self.parent.push(parent);
        self.depth.push(self.depth[above] + 1);
        self.jump.push(if alike { further as u32 } else { parent });
    }

    /// The highest r of each d with d in S(r); `NONE` if it is not even in its own.
    ///
    /// `lower` has the same for a smaller limit, or nothing.
    fn tops(&self, limit: Time, lower: Vec<u32>) -> Vec<u32> {
        let mut tops = Vec::with_capacity(self.window.len());
        for (place, entry) in self.window.iter().enumerate() {
            let Some(earliest) = entry.end.map(|it| it.saturating_sub(limit)) else {
                tops.push(NONE);
                continue;
            };
            if entry.begin < earliest {
                tops.push(NONE);
                continue;
            }
            let parent = self.parent[place];
            let above = if parent == NONE { NONE } else { tops[parent as usize] };
            tops.push(match above {
                NONE => place as u32,
                above if self.window[above as usize].begin >= earliest => above,
                _ => {
                    let from = lower.get(place).copied().unwrap_or(NONE);
                    self.climb(if from == NONE { place as u32 } else { from }, earliest)
                }
            });
        }
        tops
    }

    /// The highest ancestor that does not begin before `earliest`; ancestors begin in order.
    fn climb(&self, from: u32, earliest: Time) -> u32 {
        let reaches = |it: u32| self.window[it as usize].begin >= earliest;
        let mut at = from;
        loop {
            let jump = self.jump[at as usize];
            let parent = self.parent[at as usize];
            if jump != at && reaches(jump) {
                at = jump;
            } else if parent != NONE && reaches(parent) {
                at = parent;
            } else {
                return at;
            }
        }
    }
}

/// What is summed over S(r), for each r.
#[derive(Clone, Copy, Default)]
struct Sum {
    size: i64,
    children: i64,
    branching_once: i64,
    branching_all: i64,
    childless: i64,
    /// The places of those without children: with one of them, which it is.
    childless_places: i64,
    with_outside: i64,
}

impl Sum {
    fn of(entry: &Entry, place: usize) -> Self {
        let childless = i64::from(entry.once == 0);
        Self {
            size: 1,
            children: i64::from(entry.once),
            branching_once: i64::from(entry.once > 1),
            branching_all: i64::from(entry.all > 1),
            childless,
            childless_places: childless * place as i64,
            with_outside: 0,
        }
    }

    fn add(&mut self, other: &Self, sign: i64) {
        self.size += sign * other.size;
        self.children += sign * other.children;
        self.branching_once += sign * other.branching_once;
        self.branching_all += sign * other.branching_all;
        self.childless += sign * other.childless;
        self.childless_places += sign * other.childless_places;
        self.with_outside += sign * other.with_outside;
    }
}

struct Sums<'a> {
    forest: &'a Forest<'a>,
    tops: &'a [u32],
    sums: Vec<Sum>,
    /// Which are the top of something.
    counts: Vec<bool>,
    /// The deepest top of a child, `NONE` if there is none so far.
    deepest: Vec<u32>,
    /// Children in the window.
    seen: Vec<u32>,
    /// The last of S(r).
    last: Vec<u32>,
    /// The nearest on the way up, itself included, whose `last` is not known: union-find.
    open: Vec<u32>,
}

impl<'a> Sums<'a> {
    fn new(forest: &'a Forest<'a>, tops: &'a [u32]) -> Self {
        let length = tops.len();
        Self {
            forest,
            tops,
            sums: vec![Sum::default(); length],
            counts: vec![false; length],
            deepest: vec![NONE; length],
            seen: vec![0; length],
            last: vec![NONE; length],
            open: (0..length as u32).collect(),
        }
    }

    /// Counts S(r) of some, from the last to the first, so that what comes below is there before.
    fn count(mut self, known: Range<usize>, shapes: &mut Shapes) {
        for place in (0..self.tops.len()).rev() {
            self.contribute(place);
            if known.contains(&place) && self.counts[place] {
                self.classify(place, shapes);
            }
            self.hand_up(place);
        }
    }

    fn contribute(&mut self, place: usize) {
        let top = self.tops[place];
        if top == NONE {
            return;
        }
        self.counts[top as usize] = true;
        let entry = &self.forest.window[place];
        let mut sum = Sum::of(entry, place);
        self.sums[place].add(&sum, 1);
        // A child is outside of S(r) for all r below the point where S(r) has all children.
        if entry.once > 0 {
            let bottom = self.bottom(place, entry.once);
            if bottom != NONE {
                self.sums[bottom as usize].with_outside += 1;
            }
            sum.with_outside = 1;
        }
        let above = self.forest.parent[top as usize];
        if above != NONE {
            self.sums[above as usize].add(&sum, -1);
        }
        self.mark_last(place as u32, top);
    }

    /// The highest on the way up for which not all children of `place` are inside.
    fn bottom(&self, place: usize, children: u32) -> u32 {
        if children > self.seen[place] {
            return place as u32;
        }
        match self.deepest[place] {
            NONE => place as u32,
            deepest => self.forest.parent[deepest as usize],
        }
    }

    /// `place` is the last of S(r) for all r up to `top` that have none so far.
    fn mark_last(&mut self, place: u32, top: u32) {
        let least = self.forest.depth[top as usize];
        let mut at = self.find(place);
        while at != NONE && self.forest.depth[at as usize] >= least {
            self.last[at as usize] = place;
            self.open[at as usize] = self.forest.parent[at as usize];
            at = self.find(at);
        }
    }

    fn find(&mut self, from: u32) -> u32 {
        let mut root = from;
        while root != NONE && self.open[root as usize] != root {
            root = self.open[root as usize];
        }
        let mut at = from;
        while at != root {
            at = std::mem::replace(&mut self.open[at as usize], root);
        }
        root
    }

    fn classify(&self, place: usize, shapes: &mut Shapes) {
        let sum = &self.sums[place];
        if sum.size < 2 {
            return;
        }
        let outside = sum.children - (sum.size - 1);
        let contained = sum.childless > 0 && outside > 0;
        let after = sum.childless > 1 || i64::from(self.last[place]) != sum.childless_places;
        shapes.total += 1;
        shapes.linear_loose += u64::from(sum.branching_once == 0);
        shapes.linear_strict += u64::from(sum.branching_all == 0);
        shapes.multi_loose += u64::from(outside > 1);
        shapes.multi_strict += u64::from(outside > 1 && sum.with_outside > 1);
        shapes.contained_loose += u64::from(contained);
        shapes.contained_strict += u64::from(contained && after);
    }

    fn hand_up(&mut self, place: usize) {
        let parent = self.forest.parent[place];
        if parent == NONE {
            return;
        }
        let above = parent as usize;
        let sum = self.sums[place];
        self.sums[above].add(&sum, 1);
        let top = self.tops[place];
        if top == NONE {
            // It is outside whatever its parent is inside of.
            return;
        }
        self.seen[above] += 1;
        let depth = |it: u32| self.forest.depth[it as usize];
        let deepest = self.deepest[above];
        if deepest == NONE || depth(top) > depth(deepest) {
            self.deepest[above] = top;
        }
    }
}
