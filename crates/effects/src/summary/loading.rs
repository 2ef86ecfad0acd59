//! What `import()` loads, and `require` inside of functions: a module that is loaded already takes no time, and does
//! nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use headstart_callgraph::InstRef;
use headstart_ir::{
    FileIr, FunctionId, Inst, InstId, ModuleRequest, RequestId, RequestKind, Resolution,
};
use rustc_hash::FxHashSet;

use super::Summaries;

/// What has been loaded once a file has: the files and packages that it imports, and those that they
/// import.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    files: FxHashSet<u32>,
    packages: BTreeSet<String>,
}

impl Loaded {
    fn holds(&self, ir: &FileIr, request: &ModuleRequest) -> bool {
        match request.resolution {
            Resolution::File(file) => self.files.contains(&file.0),
            _ => self.packages.contains(ir.name(request.specifier)),
        }
    }
}

impl Summaries<'_> {
    /// Whether an `import()` or a `require` may load something: the module is none of the platform, and neither
    /// its file nor another one before it in its function loads it.
    pub(crate) fn may_load(&self, at: InstRef, request: RequestId) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let asked = ir.request(request);
        if asked.resolution == Resolution::Builtin || self.loaded_with(at.file).holds(ir, asked) {
            return false;
        }
        let function = self.graph.function_at(at);
        let first = ir.function(function.function).first;
        FileIr::range(first, at.inst).all(|before| match ir.inst(before) {
            Inst::DynamicImport { request: Some(earlier), .. } | Inst::Require(earlier) => {
                let earlier = ir.request(earlier);
                let is_same = earlier.resolution == asked.resolution
                    && ir.name(earlier.specifier) == ir.name(asked.specifier);
                let brings = match earlier.resolution {
                    Resolution::File(file) => self.loaded_with(file.0).holds(ir, asked),
                    _ => false,
                };
                !is_same && !brings
            }
            _ => true,
        })
    }

    /// What is loaded with a file.
    fn loaded_with(&self, file: u32) -> Arc<Loaded> {
        if let Some(known) = self.loaded.get().get(&file) {
            return Arc::clone(known);
        }
        let mut loaded = Loaded::default();
        let mut pending = vec![file];
        while let Some(file) = pending.pop() {
            if !loaded.files.insert(file) {
                continue;
            }
            let ir = self.graph.files()[file as usize];
            let imported = ir.requests.iter().filter(|it| it.kind == RequestKind::Import);
            for request in imported.chain(required_at_once(ir)) {
                match request.resolution {
                    Resolution::File(to) => pending.push(to.0),
                    _ => {
                        loaded.packages.insert(ir.name(request.specifier).to_owned());
                    }
                }
            }
        }
        let loaded = Arc::new(loaded);
        self.loaded.get().insert(file, Arc::clone(&loaded));
        loaded
    }

    /// Whether an instruction is an `import()`, or a `require` of a function, that may load something.
    #[must_use]
    pub fn loads(&self, at: InstRef) -> bool {
        match self.graph.files()[at.file as usize].inst(at.inst) {
            Inst::DynamicImport { request: Some(request), .. } => self.may_load(at, request),
            Inst::DynamicImport { request: None, .. } => true,
            Inst::Require(request) => {
                self.graph.function_at(at).function != FunctionId::new(0)
                    && self.may_load(at, request)
            }
            _ => false,
        }
    }
}

/// What a file requires while it is loaded.
fn required_at_once(ir: &FileIr) -> impl Iterator<Item = &ModuleRequest> {
    let top = ir.function(FunctionId::new(0));
    FileIr::range(top.first, top.end).filter_map(|it| match ir.inst(it) {
        Inst::Require(request) => Some(ir.request(request)),
        _ => None,
    })
}

/// Whether a file has an `import()`, or a `require` inside of a function.
pub(super) fn has_imports(ir: &FileIr) -> bool {
    let top = ir.functions.first().map_or(InstId::new(0), |it| it.end);
    let is_inside = |index: usize| InstId::new(index) >= top;
    ir.insts.iter().enumerate().any(|(index, it)| {
        matches!(it, Inst::DynamicImport { .. })
            || (matches!(it, Inst::Require(_)) && is_inside(index))
    })
}
