//! What else the analysis knows: what values may be, and where variables come from.

use headstart_ir::{
    Export, ExportSource, FileIr, FunctionId, Imported, Inst, InstId, MemberKind, PropKey,
    RequestId, Resolution, VarId,
};
use headstart_models::Member;

use crate::graph::CallGraph;
use crate::ids::{ClassRef, FunctionRef, InstRef, Key, Node, Object, id};
use crate::object::{Cause, Kind, Origin};
use crate::solver::Solver;
use crate::typing::Declared;

/// Through how many modules an import is followed to what it names.
const LONGEST_IMPORT: usize = 8;
/// In how many files a name is looked for that modules hand on with `export *`.
const MOST_REEXPORTS: usize = 256;

/// The key of a property in an access path: a name, or any.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PathKey(u32);

impl PathKey {
    pub(crate) fn key(self) -> Key {
        Key(self.0)
    }

    /// A number in the order of keys.
    #[must_use]
    #[inline]
    pub fn rank(self) -> u32 {
        self.0
    }

    /// One that no other is less than.
    pub const LEAST: Self = Self(0);

    /// An element, or a property whose name is not known.
    pub const ANY: Self = Self(Key::DYNAMIC.0);
}

/// What a value may be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AbstractObject {
    /// An object that an instruction makes: a literal, an array, the result of a modelled call.
    Made(InstRef),
    /// What belongs to the calls of a function: its promise, `arguments`, a rest parameter.
    OfCall(FunctionRef),
    /// An instance of a class.
    Instance(ClassRef),
    /// A class.
    Class(ClassRef),
    /// The prototype of a class.
    Prototype(ClassRef),
    /// A function.
    Function(FunctionRef),
    /// What `new` of a function makes.
    InstanceOf(FunctionRef),
    /// What a CommonJS file exports.
    Exports(u32),
    /// `module` of a CommonJS file.
    Module(u32),
    /// Something that no code of the program can change: a namespace, a string, a member of a
    /// module.
    Fixed,
    /// Data from outside.
    Data,
    /// An object of the platform, or of a package, that the program did not make.
    Outside,
    /// Anything.
    Unknown,
}

/// What a file exports under a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exported {
    /// A variable of this file.
    Variable(u32, VarId),
    /// A value that has no name: `export default {…}`.
    Value(InstRef),
    /// Nobody knows.
    Unknown,
}

impl<'p> Solver<'p> {
    /// What an object of a kind is.
    pub(crate) fn abstracted(&self, kind: Kind<'p>) -> AbstractObject {
        let numbering = &self.numbering;
        let inst = |number| {
            numbering.inst_of(number).map_or(AbstractObject::Outside, AbstractObject::Made)
        };
        let function = |number| numbering.function_of(number);
        let class = |number| {
            let (file, class) = numbering.class_of(number);
            ClassRef { file: id(file), class }
        };
        match kind {
            Kind::Function(number) => AbstractObject::Function(function(number)),
            Kind::Class(number) => AbstractObject::Class(class(number)),
            Kind::Prototype(number) => AbstractObject::Prototype(class(number)),
            Kind::Instance(number) => AbstractObject::Instance(class(number)),
            Kind::FunctionPrototype(number) => AbstractObject::Function(function(number)),
            Kind::FunctionInstance(number) => AbstractObject::InstanceOf(function(number)),
            Kind::Literal(number) | Kind::Typed(_, Origin::Inst(number, _)) => inst(number),
            Kind::Typed(_, Origin::Function(number) | Origin::Rest(number))
            | Kind::Typed(_, Origin::Arguments(number)) => AbstractObject::OfCall(function(number)),
            Kind::Typed(ty, Origin::Outside) => {
                let types = &self.types;
                let is_primitive = [types.string, types.number, types.boolean].contains(&ty);
                if is_primitive { AbstractObject::Fixed } else { AbstractObject::Outside }
            }
            // The pairs of a map are a part of it.
            Kind::Typed(ty, Origin::Entries(map)) if ty == self.types.array => {
                self.abstracted(self.objects.kind(Object(map)))
            }
            Kind::Typed(..) | Kind::Environment => AbstractObject::Outside,
            Kind::Exports(file) => AbstractObject::Exports(file),
            Kind::Module(file) => AbstractObject::Module(file),
            Kind::Data => AbstractObject::Data,
            Kind::Unknown(_) | Kind::Described(..) => AbstractObject::Unknown,
            Kind::Namespace(_)
            | Kind::Member(_)
            | Kind::Promisified(_)
            | Kind::Bound(_)
            | Kind::PromisifiedFunction(_)
            | Kind::Resolver(_)
            | Kind::NodeCallback(_) => AbstractObject::Fixed,
        }
    }
}

impl<'p> CallGraph<'p> {
    /// What a value may be; nothing for primitives, and for what nothing flows to.
    #[must_use]
    pub fn objects(&self, at: InstRef) -> Vec<AbstractObject> {
        let number = self.solver.numbering.inst(at.file as usize, at.inst);
        self.objects_of(self.solver.values[number as usize])
    }

    fn objects_of(&self, node: Node) -> Vec<AbstractObject> {
        let mut found: Vec<AbstractObject> =
            self.solver.flow.objects(node).map(|it| self.abstracted[it.index()]).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a value is an object of a type of a model, and nothing else.
    #[must_use]
    pub fn is_of_type(&self, at: InstRef, module: &str, name: &str) -> bool {
        let number = self.solver.numbering.inst(at.file as usize, at.inst);
        let mut objects = self.solver.flow.objects(self.solver.values[number as usize]);
        let name = name.rsplit('#').next().unwrap_or(name);
        let mut is_any = false;
        let fits = objects.all(|object| match self.solver.objects.kind(object) {
            Kind::Typed(ty, _) => {
                let data = self.solver.members.type_data(ty);
                is_any = true;
                data.name == name && data.module.module == module
            }
            // What it is made of: nothing that `new` gives is an object literal.
            Kind::Literal(_) | Kind::Data => true,
            _ => false,
        });
        is_any && fits
    }

    /// Whether somebody has put a method of its own on an object by which it is converted to a primitive.
    #[must_use]
    pub fn has_own_text(&self, object: &AbstractObject) -> bool {
        self.own_texts.contains(object)
    }

    /// Whether a value may be an object of a type of a model, among others.
    #[must_use]
    pub fn may_be_of_type(&self, at: InstRef, module: &str, name: &str) -> bool {
        self.kinds(at).any(|kind| match kind {
            Kind::Typed(ty, _) => {
                let data = self.solver.members.type_data(ty);
                data.module.module == module && data.name == name
            }
            _ => false,
        })
    }

    /// Whether a value may stand for an open file: a `FileHandle`, or a number and nothing else, which may be a
    /// descriptor. What is something else, too, may be a number only because lists are followed as a whole.
    #[must_use]
    pub fn may_be_open_file(&self, at: InstRef) -> bool {
        let number = self.solver.types.number;
        let mut kinds = self.kinds(at).peekable();
        let is_number = kinds.peek().is_some()
            && kinds.all(|kind| matches!(kind, Kind::Typed(ty, _) if ty == number));
        is_number || self.may_be_of_type(at, "fs/promises", "FileHandle")
    }

    /// Whether a value may be an iterator of the language, which gives each thing once.
    #[must_use]
    pub fn may_be_iterator(&self, at: InstRef) -> bool {
        self.may_be_of_type(at, "ecmascript", "Iterator")
    }

    /// Whether a value may be a promise.
    #[must_use]
    pub fn may_be_promise(&self, at: InstRef) -> bool {
        let promise = self.solver.types.promise;
        self.kinds(at).any(|kind| matches!(kind, Kind::Typed(ty, _) if ty == promise))
    }

    /// Whether a value that somebody waits for may be an object with a method `then` of the program: what
    /// that does, nobody knows.
    #[must_use]
    pub fn may_be_thenable(&self, at: InstRef) -> bool {
        let solver = &self.solver;
        if solver.thenables.is_empty() {
            return false;
        }
        let number = solver.numbering.inst(at.file as usize, at.inst);
        let mut objects = solver.flow.objects(solver.values[number as usize]);
        // What unknown code may have put into an object of the program is another question.
        let is_own = |it: Object| {
            matches!(
                solver.objects.kind(it),
                Kind::Function(_) | Kind::Bound(_) | Kind::PromisifiedFunction(_)
            )
        };
        let has_then = |then: &Node| solver.flow.objects(*then).any(is_own);
        objects.any(|it| solver.thenables.get(&it).is_some_and(has_then))
    }

    /// Whether a value certainly has no `then`, so that awaiting it gives the value itself: objects of
    /// types that list none, and of classes where the program has no method of that name.
    #[must_use]
    pub fn is_no_thenable(&self, at: InstRef) -> bool {
        let solver = &self.solver;
        let mut kinds = self.kinds(at).peekable();
        kinds.peek().is_some()
            && kinds.all(|kind| match kind {
                Kind::Typed(ty, _) => {
                    solver.members.awaited_row(ty).is_none() && !solver.members.lists(ty, "then")
                }
                Kind::Instance(class) => {
                    !solver.has_then && solver.parents[class as usize].is_none()
                }
                Kind::Literal(_) => !solver.has_then,
                Kind::Data | Kind::Environment => true,
                _ => false,
            })
    }

    /// Whether a value is a text or an address as the platform makes them, and nothing else: no
    /// request, which has a method of its own.
    #[must_use]
    pub fn is_address(&self, at: InstRef) -> bool {
        let types = &self.solver.types;
        let mut kinds = self.kinds(at).peekable();
        kinds.peek().is_some()
            && kinds.all(|kind| match kind {
                Kind::Typed(ty, _) => {
                    let data = self.solver.members.type_data(ty);
                    let is_url =
                        data.name == "URL" && matches!(data.module.module.as_str(), "web" | "url");
                    is_url || [types.string, types.number, types.boolean].contains(&ty)
                }
                Kind::Data | Kind::Environment => true,
                _ => false,
            })
    }

    /// Whether a value is a member of a module, and nothing else.
    #[must_use]
    pub fn is_member(&self, at: InstRef, module: &str, path: &[&str]) -> bool {
        let mut kinds = self.kinds(at).peekable();
        kinds.peek().is_some()
            && kinds.all(|kind| match kind {
                Kind::Member(member) => {
                    let data = self.solver.members.get(member);
                    data.module == module && data.of_type.is_none() && data.path == path
                }
                _ => false,
            })
    }

    /// Whether storing something under a key of a value may change a setting that later operations
    /// depend on, whatever module they are of: `tls.DEFAULT_MAX_VERSION`.
    #[must_use]
    pub fn is_setting(&self, at: InstRef, key: Option<&str>) -> bool {
        let members = &self.solver.members;
        self.kinds(at).any(|kind| match kind {
            Kind::Member(member) => {
                let data = members.get(member);
                let path: Vec<&str> = data.path.iter().copied().chain(key).collect();
                let below = || members.models().member(data.module, &path);
                data.row.is_some_and(|(_, row)| row.setting)
                    || below().is_some_and(|(_, row)| row.setting)
            }
            _ => false,
        })
    }

    /// Whether a value may be a function of the program, and something else too.
    #[must_use]
    pub fn is_one_of_several(&self, at: InstRef) -> bool {
        let number = self.solver.numbering.inst(at.file as usize, at.inst);
        let objects = self.solver.flow.objects(self.solver.values[number as usize]);
        let mut all = objects.map(|it| self.abstracted[it.index()]);
        let is_own = |it: AbstractObject| matches!(it, AbstractObject::Function(_));
        let Some(first) = all.next() else { return false };
        let (mut has_own, mut has_other) = (is_own(first), false);
        for object in all {
            has_own |= is_own(object);
            has_other |= object != first;
            if has_own && has_other {
                return true;
            }
        }
        false
    }

    /// What a function returns, by the instructions whose values that are.
    pub fn returned_values(
        &self,
        function: FunctionRef,
    ) -> impl Iterator<Item = InstRef> + use<'_, 'p> {
        let ir = self.solver.files[function.file as usize];
        let data = ir.function(function.function);
        FileIr::range(data.first, data.end).filter_map(move |it| match ir.inst(it) {
            Inst::Return(inst) => Some(InstRef { file: function.file, inst }),
            _ => None,
        })
    }

    /// Whether a value may be a member of a module that writes something outside memory when it is called.
    #[must_use]
    pub fn may_hold_writer(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| match kind {
            Kind::Member(member) | Kind::Promisified(member) => {
                let row = self.solver.members.get(member).call(false);
                row.is_some_and(|(_, it)| !it.writes.is_empty() || it.goes_on)
            }
            _ => false,
        })
    }

    /// Whether a value is a member of a module that nothing changes, or the module.
    #[must_use]
    pub fn is_fixed_value(&self, at: InstRef) -> bool {
        let mut kinds = self.kinds(at).peekable();
        kinds.peek().is_some()
            && kinds.all(|kind| match kind {
                Kind::Member(member) => self.solver.members.get(member).of_type.is_none(),
                Kind::Namespace(_) => true,
                _ => false,
            })
    }

    /// Whether a value may be an object that the platform or a package brings for all: `globalThis`, `process`, a class.
    #[must_use]
    pub fn may_be_platform(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| match kind {
            Kind::Member(member) => self.solver.members.get(member).of_type.is_none(),
            _ => false,
        })
    }

    /// Whether a value may be `process`.
    #[must_use]
    pub fn is_process(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| match kind {
            Kind::Member(member) => {
                let data = self.solver.members.get(member);
                data.of_type.is_none()
                    && matches!(
                        (data.module, data.path.as_slice()),
                        ("process", [] | ["default"]) | ("globals", ["process"])
                    )
            }
            _ => false,
        })
    }

    /// Whether a value is a member of a module of which its model tells nothing but that it is there:
    /// `Error.stackTraceLimit`. Who assigns it changes what it is.
    #[must_use]
    pub fn is_untold_member(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| match kind {
            Kind::Member(member) => {
                let row = self.solver.members.get(member).row;
                row.is_some_and(|(_, row)| row.anything && row.call.is_none())
            }
            _ => false,
        })
    }

    /// Whether an instruction that is no call runs code of the program, or may: a getter, a setter,
    /// a conversion, an iterator.
    #[must_use]
    pub fn has_accessor(&self, at: InstRef) -> bool {
        let mut found = self.runs_too_much(at);
        self.for_each_function(at, &mut |_| found = true);
        found
    }

    /// Whether an instruction runs more functions than are followed.
    #[must_use]
    pub fn runs_too_much(&self, at: InstRef) -> bool {
        let number = self.solver.numbering.inst(at.file as usize, at.inst);
        self.solver.too_many.contains(&number)
    }

    /// Whether reading a property, or setting it, runs an accessor and does nothing else, whatever
    /// the object is.
    #[must_use]
    pub fn is_accessor(&self, object: InstRef, key: PathKey, of: MemberKind) -> bool {
        let number = self.solver.numbering.inst(object.file as usize, object.inst);
        let mut objects = self.solver.flow.objects(self.solver.values[number as usize]).peekable();
        key != PathKey::ANY
            && objects.peek().is_some()
            && objects.all(|it| self.solver.certainly_has(it, Key(key.0), of))
    }

    pub(crate) fn kinds(&self, at: InstRef) -> impl Iterator<Item = Kind<'p>> + '_ {
        let number = self.solver.numbering.inst(at.file as usize, at.inst);
        let node = self.solver.values[number as usize];
        self.solver.flow.objects(node).map(|object| self.solver.objects.kind(object))
    }

    /// The key of a property.
    #[must_use]
    pub fn key(&self, file: u32, key: PropKey) -> PathKey {
        let key = self.solver.known_key(file as usize, key);
        PathKey(if self.solver.is_element_key(key) { Key::DYNAMIC.0 } else { key.0 })
    }

    /// The key with a name.
    #[must_use]
    pub fn key_named(&self, name: &str) -> PathKey {
        PathKey(self.solver.names.get(name).unwrap_or(Key::DYNAMIC).0)
    }

    /// The name of a key; none where it is any.
    #[must_use]
    pub fn key_text(&self, key: PathKey) -> Option<String> {
        if let Some(name) = self.solver.names.private_text(Key(key.0)) {
            return Some(format!("#{name}"));
        }
        let text = self.solver.names.text(Key(key.0));
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Whether a key is that of a private field: `#name`.
    #[must_use]
    pub fn is_private(&self, key: PathKey) -> bool {
        self.solver.names.private_text(Key(key.0)).is_some()
    }

    /// Whether a function that is called may be bound; the call of `bind` that makes it, where it is
    /// one and nothing else.
    #[must_use]
    pub fn bound_at(&self, callee: InstRef) -> Option<Option<InstRef>> {
        let is_bound = |kind: &Kind<'_>| matches!(kind, Kind::Bound(_));
        self.kinds(callee).find(is_bound)?;
        let mut kinds = self.kinds(callee);
        let only = match (kinds.next(), kinds.next()) {
            (Some(Kind::Bound(site)), None) => Some(self.solver.site(site).origin),
            _ => None,
        };
        Some(only.and_then(|origin| self.solver.numbering.inst_of(origin)))
    }

    /// Whether a value is a map, whose elements are pairs.
    #[must_use]
    pub fn is_map(&self, at: InstRef) -> bool {
        let map = self.solver.types.map;
        let mut kinds = self.kinds(at).peekable();
        kinds.peek().is_some() && kinds.all(|kind| matches!(kind, Kind::Typed(ty, _) if ty == map))
    }

    /// Whether a value may be a map.
    #[must_use]
    pub fn may_be_map(&self, at: InstRef) -> bool {
        let map = self.solver.types.map;
        self.kinds(at).any(|kind| matches!(kind, Kind::Typed(ty, _) if ty == map))
    }

    /// Whether a value is an array, a set, a map or data from outside, and nothing else: going over it
    /// runs no code of the program.
    #[must_use]
    pub fn is_collection(&self, at: InstRef) -> bool {
        let mut kinds = self.kinds(at).peekable();
        kinds.peek().is_some()
            && kinds.all(|kind| match kind {
                Kind::Typed(ty, _) => {
                    self.solver.is_collection_type(ty) && self.is_gone_over_by_platform(kind)
                }
                Kind::Data => true,
                _ => false,
            })
    }

    /// Whether nobody has given an object an iterator of its own, or another prototype.
    fn is_gone_over_by_platform(&self, kind: Kind<'p>) -> bool {
        let object = self.solver.objects.existing(kind);
        object.is_none_or(|it| !self.solver.iterates_by_program(it))
    }

    /// Whether a value is an array, and nothing else.
    #[must_use]
    pub fn is_array(&self, at: InstRef) -> bool {
        let array = self.solver.types.array;
        let mut kinds = self.kinds(at).peekable();
        kinds.peek().is_some()
            && kinds.all(|kind| {
                matches!(kind, Kind::Typed(ty, _) if ty == array)
                    && self.is_gone_over_by_platform(kind)
            })
    }

    /// Whether a value may be a `Request` that the program shows, or an object that it has made itself.
    #[must_use]
    pub fn may_be_request(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| match kind {
            Kind::Typed(ty, _) => self.solver.members.type_data(ty).name.ends_with("Request"),
            Kind::Instance(_) | Kind::Literal(_) => true,
            _ => false,
        })
    }

    /// Whether a value may be `arguments`, which is like a list and has none of its methods.
    #[must_use]
    pub fn may_be_arguments(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| matches!(kind, Kind::Typed(_, Origin::Arguments(_))))
    }

    /// Whether a value may be what a generator gives: going over it runs code of the program.
    #[must_use]
    pub fn may_be_generator(&self, at: InstRef) -> bool {
        let types = &self.solver.types;
        self.kinds(at).any(|kind| {
            matches!(kind, Kind::Typed(ty, _) if [types.generator, types.async_generator].contains(&ty))
        })
    }

    /// The variable behind a property of a namespace: `store.counter` after
    /// `import * as store from "./store.js"`.
    #[must_use]
    pub fn namespace_member(&self, object: InstRef, key: PathKey) -> Option<(u32, VarId)> {
        let mut kinds = self.kinds(object);
        let Some(Kind::Namespace(file)) = kinds.next() else { return None };
        let name = self.key_text(key)?;
        let ir = self.solver.files[file as usize];
        let is_it = |it: &&Export| it.name.is_some_and(|it| ir.name(it) == name);
        match ir.exports.iter().find(is_it)?.source {
            ExportSource::Local(var) => self.imported(file, var),
            _ => None,
        }
    }

    /// The file whose namespace an object is.
    #[must_use]
    pub fn namespace_of(&self, id: crate::ObjectId) -> Option<u32> {
        match self.solver.objects.kind(id.0) {
            Kind::Namespace(file) => Some(file),
            _ => None,
        }
    }

    /// Whether an import is of a file of the program.
    #[must_use]
    pub fn is_own_import(&self, file: u32, var: VarId) -> bool {
        let ir = self.solver.files[file as usize];
        let import = ir.imports.iter().find(|it| it.local == var);
        import.is_some_and(|it| {
            !matches!(it.imported, Imported::Namespace)
                && matches!(ir.request(it.request).resolution, Resolution::File(_))
        })
    }

    /// What a file exports under a key, or under any; nothing where that is not known.
    #[must_use]
    pub fn exported_under(&self, file: u32, key: PathKey) -> Vec<Exported> {
        let ir = self.solver.files[file as usize];
        let name = (key != PathKey::ANY).then(|| self.key_text(key));
        let is_meant = |it: &&Export| match (&name, it.name) {
            (None, _) | (_, None) => true,
            (Some(name), Some(it)) => name.as_deref() == Some(ir.name(it)),
        };
        let found = ir.exports.iter().filter(is_meant).map(|export| match export.source {
            ExportSource::Local(var) => {
                self.imported(file, var).map(|(file, var)| Exported::Variable(file, var))
            }
            ExportSource::Value(inst) => Some(Exported::Value(InstRef { file, inst })),
            ExportSource::From(request, of) => self
                .exported(file, request, ir.name(of))
                .map(|(file, var)| Exported::Variable(file, var)),
            ExportSource::All(_) => None,
        });
        found.map(|it| it.unwrap_or(Exported::Unknown)).collect()
    }

    /// The variables behind all properties of a namespace, as far as it is one: `Object.values(store)`.
    pub fn namespace_members(&self, object: InstRef) -> impl Iterator<Item = (u32, VarId)> {
        let file = match self.kinds(object).next() {
            Some(Kind::Namespace(file)) => Some(file),
            _ => None,
        };
        file.into_iter().flat_map(move |file| {
            let exports = self.solver.files[file as usize].exports.iter();
            exports.filter_map(move |it| match it.source {
                ExportSource::Local(var) => self.imported(file, var),
                _ => None,
            })
        })
    }

    /// Whether a value may be `process.env`, and whether it is nothing else.
    #[must_use]
    pub fn environment(&self, at: InstRef) -> (bool, bool) {
        let is_it = |kind: Kind<'_>| kind == Kind::Environment;
        let may_be = self.kinds(at).any(is_it);
        (may_be, may_be && self.kinds(at).all(is_it))
    }

    /// Whether a value is `module` of its CommonJS file.
    #[must_use]
    pub fn module_object(&self, at: InstRef) -> Option<u32> {
        match self.kinds(at).next()? {
            Kind::Module(file) => Some(file),
            _ => None,
        }
    }

    /// Whether a value is no object: what cannot be changed flows to it, and nothing else. Data that a
    /// function of the language has made, as `JSON.parse` does, has nothing flow to it.
    #[must_use]
    pub fn is_primitive(&self, at: InstRef) -> bool {
        let objects = self.objects(at);
        !objects.is_empty() && objects.iter().all(|it| *it == AbstractObject::Fixed)
    }

    /// Whether a value is a function that `util.promisify` made, and nothing else.
    #[must_use]
    pub fn is_promisified(&self, at: InstRef) -> bool {
        // What the model says of the result is there, too.
        let mut kinds = self.kinds(at).filter(|it| !matches!(it, Kind::Typed(..))).peekable();
        kinds.peek().is_some()
            && kinds.all(|it| matches!(it, Kind::Promisified(_) | Kind::PromisifiedFunction(_)))
    }

    /// Whether a value may be what `util.promisify` made of a function of the program.
    #[must_use]
    pub fn may_be_promisified(&self, at: InstRef) -> bool {
        self.kinds(at).any(|it| matches!(it, Kind::PromisifiedFunction(_)))
    }

    /// Whether a value settles a promise, and does nothing else: the first arguments of an executor.
    #[must_use]
    pub fn is_resolver(&self, at: InstRef) -> bool {
        let mut kinds = self.kinds(at).peekable();
        kinds.peek().is_some() && kinds.all(|kind| matches!(kind, Kind::Resolver(_)))
    }

    /// Whether a value may be a function that settles a promise.
    #[must_use]
    pub fn may_settle(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| matches!(kind, Kind::Resolver(_)))
    }

    /// Whether reading a property gives what a model calls constant, of objects that nothing but the
    /// platform has made: `response.ok`.
    #[must_use]
    pub fn is_constant_member(&self, object: InstRef, key: PathKey) -> bool {
        self.has_member_row(object, key, |row| row.constant && !row.anything)
    }

    /// Whether reading a property gives an object that is there always, of objects that nothing but the
    /// platform or a package has made: `prisma.user`.
    #[must_use]
    pub fn is_object_member(&self, object: InstRef, key: PathKey) -> bool {
        self.has_member_row(object, key, |row| row.constant && row.is_a.is_some() && !row.anything)
    }

    /// Whether a value may be an object of the platform whose parts are objects that change with it, as
    /// those of an address do.
    #[must_use]
    pub fn has_parts(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| matches!(kind, Kind::Typed(ty, _) if self.type_has_parts(ty)))
    }

    /// Whether a property is one of those that change such parts.
    #[must_use]
    pub fn is_part(&self, object: InstRef, key: PathKey) -> bool {
        let Some(name) = self.key_text(key) else { return self.has_parts(object) };
        self.kinds(object).any(|kind| match kind {
            Kind::Typed(ty, _) => {
                self.type_has_parts(ty) && self.solver.members.row_in_type(ty, &name).is_some()
            }
            _ => false,
        })
    }

    fn type_has_parts(&self, ty: crate::ids::TypeId) -> bool {
        let data = self.solver.members.type_data(ty);
        matches!(data.module.module.as_str(), "web" | "url" | "util")
            && data.row.members.values().any(|row| {
                let name = row.is_a.as_deref();
                !row.constant && name.is_some_and(|it| !it.starts_with("ecmascript#"))
            })
    }

    /// Whether there are functions whose calls may give what an earlier call has given.
    #[must_use]
    pub fn caches(&self) -> bool {
        !self.solver.cached.is_empty()
    }

    /// Whether calls of a function may give what an earlier call has given: React's `cache(f)`.
    #[must_use]
    pub fn is_cached(&self, function: FunctionRef) -> bool {
        let number = || self.solver.numbering.function(function.file as usize, function.function);
        !self.solver.cached.is_empty() && self.solver.cached.contains(&number())
    }

    /// Whether a value may be an object for whose property a model has a row that says that it never
    /// changes.
    #[must_use]
    pub fn may_be_constant_member(&self, object: InstRef, name: &str) -> bool {
        self.kinds(object).any(|kind| match kind {
            Kind::Typed(ty, _) => {
                self.solver.members.row_in_type(ty, name).is_some_and(|row| row.constant)
            }
            _ => false,
        })
    }

    /// Whether the types of all that an object may be have a row for a property that is such a one.
    fn has_member_row(&self, object: InstRef, key: PathKey, is_it: fn(&Member) -> bool) -> bool {
        let Some(name) = self.key_text(key) else { return false };
        let mut kinds = self.kinds(object).peekable();
        kinds.peek().is_some()
            && kinds.all(|kind| match kind {
                Kind::Typed(ty, _) => self.solver.members.row_in_type(ty, &name).is_some_and(is_it),
                _ => false,
            })
    }

    /// Whether nobody knows what a value is, or may be.
    #[must_use]
    pub fn is_unknown(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| matches!(kind, Kind::Unknown(_) | Kind::Described(..)))
    }

    /// Whether a value may be an object that the platform has made for the program: bytes, an address.
    #[must_use]
    pub fn is_of_platform(&self, at: InstRef) -> bool {
        let types = &self.solver.types;
        self.kinds(at).any(|kind| {
            matches!(kind, Kind::Typed(ty, _)
                if ![types.string, types.number, types.boolean].contains(&ty))
        })
    }

    /// Whether a value is read of something whose model says that it may do anything.
    #[must_use]
    pub fn is_beyond_model(&self, at: InstRef) -> bool {
        // What the language and the web have is the object's own.
        let is_other = |module: &str| !matches!(module, "ecmascript" | "globals" | "web");
        self.kinds(at).any(|kind| match kind {
            Kind::Unknown(Cause::Model(module)) => is_other(module),
            Kind::Member(member) => {
                let data = self.solver.members.get(member);
                let is_anything = data.row.is_some_and(|(_, row)| row.anything);
                data.of_type.is_some() && is_other(data.module) && is_anything
            }
            _ => false,
        })
    }

    /// Whether a value may be an object of which nobody knows what it is, and no annotation says it either.
    /// An error that was caught is taken to be a plain one.
    #[must_use]
    pub fn is_foreign(&self, at: InstRef) -> bool {
        let solver = &self.solver;
        let number = solver.numbering.inst(at.file as usize, at.inst);
        let mut node = solver.values[number as usize];
        // The graph has no node for a value that nothing flows on from: its variable has one.
        if let (true, Inst::LoadVar(var)) =
            (node.is_none(), solver.files[at.file as usize].inst(at.inst))
        {
            node = solver.variables[solver.numbering.variable(at.file as usize, var) as usize];
        }
        solver.flow.objects(node).any(
            |it| matches!(solver.objects.kind(it), Kind::Unknown(cause) if cause != Cause::Caught),
        )
    }

    /// As [`Self::is_foreign`], of what is iterated: an annotation that says that it is an iterator does not
    /// say what that runs.
    #[must_use]
    pub fn may_be_foreign_iterator(&self, at: InstRef) -> bool {
        let is_iterator = |ty| {
            let data = self.solver.members.type_data(ty);
            data.module.module == "ecmascript"
                && matches!(data.name, "Iterator" | "Generator" | "AsyncGenerator")
        };
        self.kinds(at)
            .any(|kind| matches!(kind, Kind::Typed(ty, Origin::Outside) if is_iterator(ty)))
            || self.is_foreign(at)
    }

    /// What TypeScript's annotations say that a value certainly is.
    #[must_use]
    pub fn declared(&self, at: InstRef) -> Option<Declared> {
        self.solver.declared(at.file as usize, at.inst)
    }

    /// Whether a value may be a function or a class of the program, or one made from them.
    #[must_use]
    pub fn may_be_function(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| {
            matches!(
                kind,
                Kind::Function(_)
                    | Kind::Class(_)
                    | Kind::Bound(_)
                    | Kind::PromisifiedFunction(_)
                    | Kind::Resolver(_)
                    | Kind::NodeCallback(_)
            )
        })
    }

    /// The value that a variable always has.
    #[must_use]
    pub fn always(&self, file: u32, var: VarId) -> Option<InstId> {
        self.solver.always(file as usize, var)
    }

    /// The variable of another file that an import binding is.
    #[must_use]
    pub fn imported(&self, file: u32, var: VarId) -> Option<(u32, VarId)> {
        let (mut file, mut var) = (file, var);
        for _ in 0..LONGEST_IMPORT {
            let ir = self.solver.files[file as usize];
            let Some(import) = ir.imports.iter().find(|import| import.local == var) else {
                return Some((file, var));
            };
            let name = match import.imported {
                Imported::Name(name) => ir.name(name),
                Imported::Default => "default",
                Imported::Namespace => return None,
            };
            (file, var) = self.exported(file, import.request, name)?;
        }
        None
    }

    /// The variable that another module exports under a name, be it one of a third.
    fn exported(&self, file: u32, request: RequestId, name: &'p str) -> Option<(u32, VarId)> {
        self.exported_by(file, request, name, &mut Vec::new())
    }

    /// The same, with the files that have been looked through, each for a name.
    fn exported_by(
        &self,
        file: u32,
        request: RequestId,
        name: &'p str,
        seen: &mut Vec<(u32, &'p str)>,
    ) -> Option<(u32, VarId)> {
        let ir = self.solver.files[file as usize];
        let Resolution::File(to) = ir.request(request).resolution else { return None };
        if seen.len() >= MOST_REEXPORTS || seen.contains(&(to.0, name)) {
            return None;
        }
        seen.push((to.0, name));
        let other = self.solver.files[to.0 as usize];
        let is_it = |it: &&Export| it.name.is_some_and(|it| other.name(it) == name);
        if let Some(export) = other.exports.iter().find(is_it) {
            return match export.source {
                ExportSource::Local(local) => Some((to.0, local)),
                ExportSource::From(from, of) => self.exported_by(to.0, from, other.name(of), seen),
                ExportSource::Value(_) | ExportSource::All(_) => None,
            };
        }
        // `export *` leaves out the default.
        let mut stars = other.exports.iter().filter_map(|it| match it.source {
            ExportSource::All(from) if it.name.is_none() && name != "default" => Some(from),
            _ => None,
        });
        stars.find_map(|from| self.exported_by(to.0, from, name, seen))
    }

    /// The function that has the `this` of another: an arrow function has that around it.
    #[must_use]
    pub fn receiving(&self, function: FunctionRef) -> FunctionRef {
        let file = function.file as usize;
        FunctionRef {
            function: self.solver.receiving_function(file, function.function),
            ..function
        }
    }

    /// The functions of a file.
    pub fn functions(&self, file: u32) -> impl Iterator<Item = FunctionRef> + use<> {
        let count = self.solver.files[file as usize].functions.len();
        (0..count).map(move |index| FunctionRef { file, function: FunctionId::new(index) })
    }

    /// Whether a class extends one of the platform, itself or through others.
    #[must_use]
    pub fn extends_platform(&self, class: ClassRef) -> bool {
        let number = self.solver.numbering.class(class.file as usize, class.class);
        !self.solver.platform_types(Kind::Instance(number)).is_empty()
    }

    /// The class that a method, constructor or initialiser belongs to.
    #[must_use]
    pub fn class_of(&self, function: FunctionRef) -> Option<ClassRef> {
        let number = self.solver.numbering.function(function.file as usize, function.function);
        let &class = self.solver.class_of.get(&number)?;
        let (file, class) = self.solver.numbering.class_of(class);
        Some(ClassRef { file: id(file), class })
    }
}
