//! Modules: what imports and `require` give (ECMA-262, 16.2; Node's CommonJS modules).

use headstart_ir::{
    ExportSource, FileIr, FileKind, Imported, InstId, RequestId, RequestKind, Resolution,
};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::Constraint;
use crate::ids::{Key, Node, Object, id};
use crate::object::{Cause, Kind, Origin};
use crate::solver::Solver;

/// What a file exports, by index.
#[derive(Debug, Default)]
pub(crate) struct Exports<'p> {
    named: FxHashMap<&'p str, Vec<usize>>,
    /// `export *`
    all: Vec<usize>,
}

/// Who takes in what others export.
#[derive(Debug, Default)]
pub(crate) struct Takers<'p> {
    /// The files that export something under a name.
    named: FxHashMap<&'p str, Vec<usize>>,
    /// Those that may have anything under any, and those that take it in.
    open: FxHashSet<usize>,
    /// The files with an `export *` of each file.
    of: FxHashMap<usize, Vec<usize>>,
}

impl Takers<'_> {
    /// Files, and those that take in what they export.
    fn closure(&self, files: Vec<usize>) -> FxHashSet<usize> {
        let mut pending = files;
        let mut found = FxHashSet::default();
        while let Some(file) = pending.pop() {
            if found.insert(file) {
                pending.extend(self.of.get(&file).into_iter().flatten());
            }
        }
        found
    }
}

/// How many re-exports are followed.
const LONGEST_REEXPORT: u32 = 32;

impl<'p> Solver<'p> {
    /// Connects the import bindings of a file with what they name.
    pub(crate) fn link_imports(&mut self, file: usize) {
        let ir = self.files[file];
        for import in &ir.imports {
            if ir.request(import.request).kind == RequestKind::TypeOnly {
                continue;
            }
            let node = match import.imported {
                Imported::Name(name) => self.imported(file, import.request, ir.name(name)),
                Imported::Default => self.imported(file, import.request, "default"),
                Imported::Namespace => self.namespace(file, import.request),
            };
            let number = self.numbering.variable(file, import.local) as usize;
            // Files that come before may have asked for it: `export const alias = imported`.
            match self.variables[number] {
                known if known.is_none() => self.variables[number] = node,
                known => self.flow.edge(node, known),
            }
        }
        for (index, variable) in ir.variables.iter().enumerate() {
            if let Some(class) = variable.class {
                let class = self.numbering.class(file, class);
                let node = self.variable(file, headstart_ir::VarId::new(index));
                self.give(node, Kind::Class(class));
            }
        }
    }

    fn is_commonjs(&self, file: usize) -> bool {
        self.files[file].kind == FileKind::Script && self.files[file].exports.is_empty()
    }

    /// What `module.exports` of a file may be.
    fn module_exports(&mut self, file: usize) -> Node {
        let module = self.object(Kind::Module(id(file)));
        let node = self.prop(module, Key::EXPORTS);
        self.give(node, Kind::Exports(id(file)));
        node
    }

    /// What `require` of a request gives.
    pub(crate) fn required(&mut self, file: usize, request: RequestId) -> Node {
        self.namespace(file, request)
    }

    fn namespace(&mut self, file: usize, request: RequestId) -> Node {
        let ir = self.files[file];
        match ir.request(request).resolution {
            _ if self.is_generated(file, request) => self.outside(file, request),
            Resolution::File(to) if self.is_commonjs(to.0 as usize) => {
                let exports = self.module_exports(to.0 as usize);
                self.or_mocked(to.0 as usize, exports)
            }
            Resolution::File(to) => match self.export_equals(to.0 as usize) {
                Some(node) => self.or_mocked(to.0 as usize, node),
                None => self.holding(Kind::Namespace(to.0)),
            },
            _ => self.outside(file, request),
        }
    }

    /// Whether a request leads to code that a package has generated within the program: its model says
    /// more than that code.
    fn is_generated(&self, file: usize, request: RequestId) -> bool {
        let ir = self.files[file];
        self.members.models().is_generated(ir.name(ir.request(request).specifier))
    }

    /// `export = value`
    fn export_equals(&mut self, file: usize) -> Option<Node> {
        let ir = self.files[file];
        let export = &ir.exports[*self.exports_of(file).named.get("export=")?.first()?];
        match export.source {
            ExportSource::Value(value) => Some(self.value(file, value)),
            _ => None,
        }
    }

    /// A module that is no file of the program.
    fn outside(&mut self, file: usize, request: RequestId) -> Node {
        let ir = self.files[file];
        let request = ir.request(request);
        let specifier: &'p str = ir.name(request.specifier);
        let is_package = matches!(request.resolution, Resolution::Builtin | Resolution::Package)
            || !specifier.starts_with('.')
            || self.members.models().is_generated(specifier);
        if is_package && let Some(root) = self.members.root(specifier) {
            return self.holding(Kind::Member(root));
        }
        let node = self.flow.node();
        match request.resolution {
            Resolution::Builtin | Resolution::Package => {
                self.give_unknown(node, Cause::Package(specifier));
            }
            _ if specifier.ends_with(".json") => self.give(node, Kind::Data),
            _ if is_package => self.give_unknown(node, Cause::Package(specifier)),
            _ => self.give_unknown(node, Cause::Outside(specifier)),
        }
        node
    }

    /// What a module exports under a name.
    fn imported(&mut self, file: usize, request: RequestId, name: &'p str) -> Node {
        let key = self.names.key(name);
        match self.files[file].request(request).resolution {
            Resolution::File(to) if !self.is_generated(file, request) => {
                self.exported(to.0 as usize, key, LONGEST_REEXPORT)
            }
            _ => {
                let module = self.outside(file, request);
                let to = self.flow.node();
                self.constrain(module, Constraint::Load { key, to, origin: u32::MAX });
                to
            }
        }
    }

    /// The node of what a file exports under a key.
    fn exported(&mut self, file: usize, key: Key, steps: u32) -> Node {
        if self.is_commonjs(file) {
            let node = self.exported_by_commonjs(file, key);
            return self.or_mocked(file, node);
        }
        if let Some(node) = self.export_equals(file) {
            let to = self.flow.node();
            self.constrain(node, Constraint::Load { key, to, origin: u32::MAX });
            if key == Key::DEFAULT {
                self.flow.edge(node, to);
            }
            return self.or_mocked(file, to);
        }
        let namespace = self.object(Kind::Namespace(id(file)));
        if let Some(node) = self.existing_prop(namespace, key) {
            return node;
        }
        let node = self.prop(namespace, key);
        if self.mocked.contains(&file) {
            self.give_unknown(node, Cause::Mocked);
        }
        if steps > 0 {
            self.link_export(file, key, node, steps - 1);
        }
        node
    }

    /// What a file exports; where a test runner may put something in its place, anything.
    fn or_mocked(&mut self, file: usize, exported: Node) -> Node {
        if !self.mocked.contains(&file) {
            return exported;
        }
        let node = self.flow.node();
        self.flow.edge(exported, node);
        self.give_unknown(node, Cause::Mocked);
        node
    }

    fn exported_by_commonjs(&mut self, file: usize, key: Key) -> Node {
        let exports = self.module_exports(file);
        let to = self.flow.node();
        self.constrain(exports, Constraint::Load { key, to, origin: u32::MAX });
        if key == Key::DEFAULT {
            self.flow.edge(exports, to);
        }
        to
    }

    fn exports_of(&mut self, file: usize) -> Arc<Exports<'p>> {
        if let Some(known) = self.exports.get(&file) {
            return Arc::clone(known);
        }
        let ir = self.files[file];
        let mut exports = Exports::default();
        for (index, export) in ir.exports.iter().enumerate() {
            match export.name {
                Some(name) => exports.named.entry(ir.name(name)).or_default().push(index),
                None => exports.all.push(index),
            }
        }
        let exports = Arc::new(exports);
        self.exports.insert(file, Arc::clone(&exports));
        exports
    }

    /// Whether what `export *` takes in may have something under a key: a file from which only files
    /// can be reached that do not name it has not.
    fn may_export(&mut self, file: usize, export: usize, key: Key) -> bool {
        let ir = self.files[file];
        let ExportSource::All(request) = ir.exports[export].source else { return true };
        match ir.request(request).resolution {
            Resolution::File(to) => {
                let to = to.0 as usize;
                self.exporters(key).contains(&to)
                    || self.takers.as_ref().is_none_or(|it| it.open.contains(&to))
            }
            _ => true,
        }
    }

    /// Whether what `export *` takes in is a file that names what it has under a key.
    fn takes_by_name(&mut self, file: usize, export: usize, key: Key) -> bool {
        let ir = self.files[file];
        let ExportSource::All(request) = ir.exports[export].source else { return false };
        match ir.request(request).resolution {
            Resolution::File(to) => self.exporters(key).contains(&(to.0 as usize)),
            _ => false,
        }
    }

    /// The files that may export something under a key, themselves or by `export *`.
    fn exporters(&mut self, key: Key) -> Arc<FxHashSet<usize>> {
        if let Some(known) = self.exporters.get(&key) {
            return Arc::clone(known);
        }
        if self.takers.is_none() {
            self.takers = Some(self.find_takers());
        }
        let name = self.names.text(key);
        let Some(takers) = &self.takers else { return Arc::default() };
        let named = takers.named.get(name).into_iter().flatten();
        let found = Arc::new(takers.closure(named.copied().collect()));
        self.exporters.insert(key, Arc::clone(&found));
        found
    }

    fn find_takers(&self) -> Takers<'p> {
        let (mut takers, mut open) = (Takers::default(), Vec::new());
        for (file, ir) in self.files.iter().enumerate() {
            let mut is_open = self.is_commonjs(file);
            for export in &ir.exports {
                match (export.name.map(|it| ir.name(it)), export.source) {
                    (Some(name), _) => {
                        is_open |= name == "export=";
                        takers.named.entry(name).or_default().push(file);
                    }
                    (None, ExportSource::All(request)) => match ir.request(request).resolution {
                        Resolution::File(to) => {
                            takers.of.entry(to.0 as usize).or_default().push(file);
                        }
                        _ => is_open = true,
                    },
                    _ => {}
                }
            }
            if is_open {
                open.push(file);
            }
        }
        takers.open = takers.closure(open);
        takers
    }

    fn link_export(&mut self, file: usize, key: Key, to: Node, steps: u32) {
        let ir = self.files[file];
        let name = self.names.text(key);
        let exports = self.exports_of(file);
        let mut meant = exports.named.get(name).cloned().unwrap_or_default();
        // What a file exports by name goes before all that it takes in (ECMA-262, ResolveExport).
        if key != Key::DEFAULT && meant.is_empty() {
            meant.extend(exports.all.iter().filter(|&&it| self.may_export(file, it, key)));
            // What two of them have is none of the two's (ECMA-262, ResolveExport; TypeScript, TS2308): a package beside
            // a file that has it has it not.
            if meant.iter().any(|&it| self.takes_by_name(file, it, key)) {
                meant.retain(|&it| !is_outside(ir, it));
            }
            meant.sort_unstable();
        }
        for export in meant.into_iter().map(|it| &ir.exports[it]) {
            let from = match export.source {
                ExportSource::Local(var) => self.variable(file, var),
                ExportSource::Value(value) => self.value(file, value),
                ExportSource::From(request, from) => {
                    self.reexported(file, request, ir.name(from), steps)
                }
                ExportSource::All(request) if export.name.is_some() => {
                    self.namespace(file, request)
                }
                ExportSource::All(request) => self.reexported(file, request, name, steps),
            };
            self.flow.edge(from, to);
        }
    }

    fn reexported(&mut self, file: usize, request: RequestId, name: &'p str, steps: u32) -> Node {
        let key = self.names.key(name);
        let request_data = self.files[file].request(request);
        if request_data.kind == RequestKind::TypeOnly {
            return Node::NONE;
        }
        match request_data.resolution {
            Resolution::File(to) => self.exported(to.0 as usize, key, steps),
            _ => self.imported(file, request, name),
        }
    }

    /// A property of a namespace.
    pub(crate) fn load_export(&mut self, file: u32, key: Key, to: Node) {
        if key == Key::DYNAMIC {
            for key in self.export_keys(file as usize) {
                let from = self.exported(file as usize, key, LONGEST_REEXPORT);
                self.flow.edge(from, to);
            }
            return;
        }
        let from = self.exported(file as usize, key, LONGEST_REEXPORT);
        self.flow.edge(from, to);
    }

    /// The keys that a file exports.
    fn export_keys(&mut self, file: usize) -> Vec<Key> {
        let mut keys = Vec::new();
        let mut seen = FxHashSet::default();
        let mut files = vec![file];
        while let Some(file) = files.pop() {
            if !seen.insert(file) {
                continue;
            }
            let ir = self.files[file];
            for export in &ir.exports {
                match (export.name, export.source) {
                    (Some(name), _) => keys.push(self.names.key(ir.name(name))),
                    (None, ExportSource::All(request)) => {
                        if let Resolution::File(to) = ir.request(request).resolution {
                            files.push(to.0 as usize);
                        }
                    }
                    _ => {}
                }
            }
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    pub(crate) fn copy_exports(&mut self, file: u32, to: Object) {
        for key in self.export_keys(file as usize) {
            let from = self.exported(file as usize, key, LONGEST_REEXPORT);
            let to = self.prop(to, key);
            self.flow.edge(from, to);
        }
    }

    pub(crate) fn escape_exports(&mut self, file: u32) {
        let escaped = self.escaped;
        self.load_export(file, Key::DYNAMIC, escaped);
        if self.is_commonjs(file as usize) {
            let exports = self.module_exports(file as usize);
            self.flow.edge(exports, escaped);
        }
    }

    /// Lets code outside the program have what the files export that nothing in it imports: their
    /// users are tests, frameworks or other packages.
    pub(crate) fn escape_roots(&mut self) {
        let mut imported = vec![false; self.files.len()];
        for (from, ir) in self.files.iter().enumerate() {
            for request in ir.requests.iter().filter(|it| it.kind.loads()) {
                if let Resolution::File(to) = request.resolution
                    && to.0 as usize != from
                {
                    imported[to.0 as usize] = true;
                }
            }
        }
        for (file, is_imported) in imported.into_iter().enumerate() {
            if !is_imported {
                self.escape_exports(id(file));
            }
        }
    }

    /// `import("x")`
    pub(crate) fn dynamic_import(&mut self, file: usize, at: InstId, request: Option<RequestId>) {
        let number = self.numbering.inst(file, at);
        let to = self.value(file, at);
        let promise = self.typed(self.types.promise, Origin::Inst(number, 0));
        self.flow.add(to, promise);
        let value = self.prop(promise, Key::VALUE);
        match request {
            Some(request) => {
                let from = self.namespace(file, request);
                self.flow.edge(from, value);
                // The namespace of a CommonJS module has its exports as its default, too.
                if let Resolution::File(file) = self.files[file].request(request).resolution
                    && self.is_commonjs(file.0 as usize)
                {
                    let object = self.object(Kind::Literal(number));
                    let default = self.prop(object, Key::DEFAULT);
                    self.flow.edge(from, default);
                    self.flow.add(value, object);
                }
            }
            None => self.give_unknown(value, Cause::ComputedModule),
        }
    }
}

/// Whether an export takes in all of what is no file of the program.
fn is_outside(ir: &FileIr, export: usize) -> bool {
    match ir.exports[export].source {
        ExportSource::All(request) => {
            !matches!(ir.request(request).resolution, Resolution::File(_))
        }
        _ => false,
    }
}
