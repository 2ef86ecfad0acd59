//! Which awaits count rounds of loops, so that other microtasks get their turn.
//!
//! A loop that polls for what another microtask does would never end if nothing in it ever waited.
//! So each round of a loop that awaits at all passes one await that counts. Each call has a counter of
//! its own: whatever runs for ever has a loop that does, or overflows the stack.

use crate::plan::{Node, Plan, SiteKind};

/// How many rounds pass before a call gives other microtasks their turn for the first time. Most
/// loops end before that and never leave the fast function, which is quicker than its twin; those that do
/// not take some milliseconds, since a round that waits for nothing takes some ten nanoseconds. By a clock
/// it would be fairer, and no run would be like the one before.
pub(crate) const FIRST: u32 = 262_144;

/// How many rounds pass from then on.
pub(crate) const NEXT: u32 = 256;

/// Of each site, whether it counts: in each round, the first await that is passed.
pub(crate) fn counting(plan: &Plan) -> Vec<bool> {
    let mut counts = vec![false; plan.sites.len()];
    walk(&plan.body, false, plan, &mut counts);
    counts
}

/// Walks over a block. `owed`: whether the round of the loop around it has not been counted yet when
/// the block begins; returns whether that may still be so at its end.
fn walk(nodes: &[Node], mut owed: bool, plan: &Plan, counts: &mut [bool]) -> bool {
    for node in nodes {
        owed = match node {
            Node::Site(index) => match plan.sites[*index].kind {
                SiteKind::Await(_) => {
                    counts[*index] = owed;
                    false
                }
                SiteKind::Yield(_) => false,
                SiteKind::Enter | SiteKind::Entry => owed,
            },
            Node::If { then, otherwise, .. } => {
                let one = walk(then, owed, plan, counts);
                walk(otherwise, owed, plan, counts) || one
            }
            // There may be no round.
            Node::Loop(it) => {
                walk(&it.body, true, plan, counts);
                owed
            }
            Node::ForOf(it) => {
                walk(&it.body, true, plan, counts);
                owed
            }
            Node::Switch(it) => {
                for (_, body) in &it.cases {
                    walk(body, owed, plan, counts);
                }
                owed
            }
            Node::Try(it) => {
                let one = walk(&it.block, owed, plan, counts);
                it.handler.as_ref().is_some_and(|it| walk(&it.body, owed, plan, counts)) || one
            }
            Node::Block { labels, body } => {
                walk(body, owed, plan, counts) || owed && !labels.is_empty()
            }
            Node::Raw(_)
            | Node::TwinOnly { .. }
            | Node::Hoisted(_)
            | Node::Declare(_)
            | Node::Return(_)
            | Node::TailAwait(..) => owed,
        };
    }
    owed
}
