//! Calls of which runs of the program have shown what they touch.
//!
//! A call that was seen to read, and to do nothing else, counts as one that is written like a read: findings that
//! rest on that are `likely`, and say how often it was seen. One that was seen to write is no read, whatever it is called.

use headstart_callgraph::InstRef;
use headstart_ir::{FileIr, Inst};
use rustc_hash::FxHashMap;

use super::Summaries;
use super::readers::calls_behind;
use crate::sights::{SeenTo, Sight, Sights};

impl Summaries<'_> {
    /// What was seen of the `await` that a call stands in.
    #[must_use]
    pub fn sight(&self, call: InstRef) -> Option<&Sight> {
        self.sights.get(self.seen.get(&call)?)
    }

    /// Whether a call was seen to change something.
    pub(crate) fn is_seen_to_write(&self, call: InstRef) -> bool {
        self.sight(call).is_some_and(|it| it.does == SeenTo::Write)
    }

    /// Whether a call was seen to touch nothing.
    #[must_use]
    pub fn was_seen_to_touch_nothing(&self, call: InstRef) -> bool {
        self.sight(call).is_some_and(|it| it.does == SeenTo::Nothing)
    }

    /// Whether only runs have shown that a call reads: its name does not say so.
    #[must_use]
    pub fn is_read_by_runs_alone(&self, call: InstRef) -> bool {
        self.is_seen_to_read(call) && !self.by_name.contains(&call)
    }
}

/// The calls that awaits wait for, each with the await. All of a list is seen at once, so a write may be of any: it is
/// said of none of them.
pub(super) fn seen_calls(files: &[&FileIr], sights: &Sights) -> FxHashMap<InstRef, InstRef> {
    let mut found = FxHashMap::default();
    for (&at, sight) in sights {
        let Some(ir) = files.get(at.file as usize) else { continue };
        let Inst::Await(value) = ir.inst(at.inst) else { continue };
        let behind = calls_behind(ir, value);
        if behind.is_chain || matches!(sight.does, SeenTo::Read | SeenTo::Nothing) {
            found.extend(behind.calls.into_iter().map(|inst| (InstRef { inst, ..at }, at)));
        }
    }
    found
}
