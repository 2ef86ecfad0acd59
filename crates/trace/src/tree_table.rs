//! The merged trees of all threads as one.

use rustc_hash::FxHashMap;

use crate::analyse::{Pass, Thread};
use crate::decode::{Dictionary, Site};
use crate::measures::MergedNode;
use crate::place_table::kind_name;
use crate::report::TreeNode;
use crate::units::milliseconds;

/// A node of several threads: its parent, what it is, and where.
type Key = (u32, String, Option<String>);

/// One tree for all threads, with the parents before their children. Threads that do the same (the workers of a
/// pool) share their nodes.
pub(crate) fn tree(threads: &[Thread]) -> Vec<TreeNode> {
    let mut nodes = vec![node(0, "program".to_owned(), None)];
    let mut places: FxHashMap<Key, u32> = FxHashMap::default();
    // Pages: who registered what is known of one run only.
    for thread in threads.iter().filter(|it| it.pass() != Pass::Timing) {
        let dictionary = &thread.decoded.dictionary;
        let mut here: Vec<u32> = Vec::new();
        for (number, merged) in thread.microtasks.merged.nodes.iter().enumerate() {
            if number == 0 {
                here.push(0);
                continue;
            }
            let parent = here[merged.parent as usize];
            let key =
                (parent, kind_name(dictionary, merged.kind).to_owned(), site(dictionary, merged));
            let place = *places.entry(key).or_insert_with_key(|(parent, kind, site)| {
                nodes.push(node(*parent, kind.clone(), site.clone()));
                u32::try_from(nodes.len() - 1).unwrap_or(0)
            });
            here.push(place);
            add(&mut nodes[place as usize], merged, thread.pass() == Pass::Both);
        }
    }
    nodes
}

fn node(parent: u32, kind: String, site: Option<String>) -> TreeNode {
    TreeNode { parent, kind, site, runs: 0, ran: 0.0, waited: 0.0, interrupted: 0 }
}

fn add(node: &mut TreeNode, merged: &MergedNode, timed: bool) {
    node.runs += merged.runs;
    if !timed {
        return;
    }
    node.ran += milliseconds(merged.ran);
    node.waited += milliseconds(merged.waited);
    node.interrupted += merged.interrupted;
}

fn site(dictionary: &Dictionary, merged: &MergedNode) -> Option<String> {
    dictionary.sites.get(merged.site as usize).map(Site::text)
}
