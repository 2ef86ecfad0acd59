//! What only the whole program shows.

use headstart_ir::{FileIr, Inst, Key, NameId, RequestKind, Resolution};
use headstart_models::Models;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashSet;

use crate::api::FileAnalysis;

/// Facts about the whole program that decide whether models hold and what is initialised when.
#[derive(Debug, Default)]
pub struct ProgramFacts {
    /// Whether any file so much as mentions `chdir`.
    pub changes_working_directory: bool,
    /// Members of modelled modules that the program itself assigns: `("fs/promises",
    /// "readFile")`, or `"*"` for any of them. Their models do not hold.
    pub patched: FxHashSet<(String, String)>,
    /// For each file, whether it imports itself through others: then its functions may run before
    /// its own top level has.
    in_cycle: Vec<bool>,
}

impl ProgramFacts {
    /// Collects the facts from the files of a program, given in the order of their ids.
    #[must_use]
    pub fn collect(files: &[&FileIr], models: &Models) -> Self {
        let mut facts = Self { in_cycle: import_cycles(files), ..Self::default() };
        let none = Self::default();
        for (index, ir) in files.iter().enumerate() {
            facts.changes_working_directory |= mentions(ir, "chdir");
            let has_modelled_request =
                ir.requests.iter().any(|it| models.has_module(ir.name(it.specifier)));
            if has_modelled_request {
                collect_patches(&FileAnalysis::new(index, ir, models, &none), models, &mut facts);
            }
        }
        facts
    }

    /// Whether the file with the given index may be entered before its top level has run. A file
    /// that is not part of the program that was collected is taken to be.
    #[must_use]
    pub fn is_in_cycle(&self, file: usize) -> bool {
        self.in_cycle.get(file).copied().unwrap_or(true)
    }
}

/// For each file, whether it lies on a cycle of imports.
fn import_cycles(files: &[&FileIr]) -> Vec<bool> {
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(files.len(), files.len() * 4);
    let nodes: Vec<NodeIndex> = files.iter().map(|_| graph.add_node(())).collect();
    let mut in_cycle = vec![false; files.len()];
    for (from, ir) in files.iter().enumerate() {
        for request in &ir.requests {
            if let (Resolution::File(to), false) =
                (request.resolution, request.kind == RequestKind::TypeOnly)
            {
                let to = to.0 as usize;
                in_cycle[from] |= from == to;
                if let Some(&node) = nodes.get(to) {
                    graph.add_edge(nodes[from], node, ());
                }
            }
        }
    }
    for component in tarjan_scc(&graph) {
        if component.len() > 1 {
            for node in component {
                in_cycle[node.index()] = true;
            }
        }
    }
    in_cycle
}

fn mentions(ir: &FileIr, name: &str) -> bool {
    (0..ir.names.len()).any(|index| ir.name(NameId::new(index)) == name)
}

/// Notes the members of modelled modules that a file assigns or deletes.
fn collect_patches(analysis: &FileAnalysis<'_>, models: &Models, facts: &mut ProgramFacts) {
    for inst in &analysis.ir.insts {
        let (Inst::Set { object, key, .. } | Inst::Delete { object, key }) = *inst else {
            continue;
        };
        let Some(api) = analysis.api(object) else { continue };
        let name = match key.get() {
            Key::Name(name) => Some(analysis.ir.name(name)),
            Key::Private(_) | Key::Computed(_) => None,
        };
        if let Some(module) = models.module(api.specifier, &api.path) {
            // Where the key is computed, any member may be meant.
            facts.patched.insert((module.module.clone(), name.unwrap_or("*").to_owned()));
        }
        let below: Vec<&str> = api.path.iter().copied().chain(name).collect();
        if let Some(module) = models.module(api.specifier, &below) {
            facts.patched.insert((module.module.clone(), "*".to_owned()));
        }
    }
}
