//! Methods that the platform calls of objects that it is given, or that extend what it has: an object of the
//! program that has one of those under its name may run it wherever a native or modelled function gets hold
//! of it (ECMA-262, 7.1.1, 7.3.22, 20.1.3.6, 22.1.3, 22.2.6, 24.1.1.1, 27.2.4).

use headstart_ir::{Class, Inst, InstId, MemberKind, Resolution};
use headstart_models::Argument;
use rustc_hash::FxHashSet;

use crate::awaiting::Awaiting;
use crate::convert::Taken;
use crate::extension::Extension;
use crate::flow::Constraint;
use crate::ids::{Key, MemberId, Node, Object, SiteId};
use crate::names::Symbol;
use crate::native::Native;
use crate::object::{Kind, Origin};
use crate::site::How;
use crate::solver::Solver;
use crate::value::INSPECTION;

/// By what an object is converted to a primitive, and asked whether something is an instance of it.
const CONVERTING: [&str; 4] = ["toString", "valueOf", "@@toPrimitive", "@@hasInstance"];

/// What gives the iterator of an object.
pub(crate) const ITERATOR: &str = "@@iterator";

/// JSON, node-postgres, mysql and mysql2, BSON, dates: by what operations convert what they send, beside
/// what strings are made of.
const SENDING: [&str; 5] = ["toJSON", "toPostgres", "toSqlString", "toBSON", "toISOString"];

/// What native functions ask of their arguments, beside that.
const ASKING: [&str; 12] = [
    "toLocaleString",
    "toJSON",
    "@@toStringTag",
    "@@isConcatSpreadable",
    "@@species",
    "@@match",
    "@@matchAll",
    "@@replace",
    "@@search",
    "@@split",
    "@@iterator",
    "@@asyncIterator",
];

/// What they ask of what their own methods are called on.
const RUNNING: [&str; 5] = ["exec", "then", "constructor", "flags", "next"];

/// Members of globals that ask nothing of the objects that they are given, or only what those have of their
/// own, which is followed elsewhere.
const ASKING_NOTHING: [(&str, &[&str]); 8] = [
    (
        "Object",
        &[
            "assign",
            "entries",
            "freeze",
            "getOwnPropertyDescriptors",
            "getOwnPropertyNames",
            "getOwnPropertySymbols",
            "getPrototypeOf",
            "is",
            "isExtensible",
            "isFrozen",
            "isSealed",
            "keys",
            "preventExtensions",
            "seal",
            "setPrototypeOf",
            "values",
        ],
    ),
    ("Reflect", &["getPrototypeOf", "isExtensible", "ownKeys", "preventExtensions"]),
    ("Array", &["isArray"]),
    ("ArrayBuffer", &["isView"]),
    ("Buffer", &["isBuffer"]),
    ("Number", &["isFinite", "isInteger", "isNaN", "isSafeInteger"]),
    ("Boolean", &[]),
    ("WeakRef", &[]),
];

/// What streams call of what implements one (documentation of Node, "Implementing a stream").
const HOOKS: [&str; 8] =
    ["_read", "_write", "_writev", "_transform", "_flush", "_final", "_construct", "_destroy"];

/// Of what a class may extend, so many classes are looked through.
const MOST_ANCESTORS: usize = 32;

/// Methods of which nobody tells which one runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ManyMethods {
    /// The methods.
    each: Node,
    /// Something unknown, where there is any of them.
    any: Node,
}

impl ManyMethods {
    pub(crate) const NONE: Self = Self { each: Node::NONE, any: Node::NONE };
}

impl<'p> Solver<'p> {
    /// Finds out which of these methods the program has.
    pub(crate) fn find_implicit_methods(&mut self) {
        let mut declared: FxHashSet<Key> = self.class_members.keys().map(|it| it.1).collect();
        declared.extend(self.props.all().map(|it| it.1.without_accessor()));
        declared.extend(self.set_names.iter().chain(&self.defined).copied());
        let found = |solver: &Self, names: &[&str]| -> Vec<Key> {
            let keys = names.iter().filter_map(|it| solver.names.get(it));
            keys.filter(|it| declared.contains(it)).collect()
        };
        self.conversions = found(self, &CONVERTING);
        self.sets_iterators |= self.names.get(ITERATOR).is_some_and(|key| {
            self.set_names.contains(&key) || self.literal_keys.iter().any(|it| it.1 == key)
        });
        self.to_json = found(self, &["toJSON"]).first().copied();
        self.sent_by = found(self, &SENDING);
        self.sent_by.extend(self.conversions.clone());
        self.has_then = declared.contains(&Key::THEN);
        self.implicit = self.conversions.clone();
        self.implicit.extend(found(self, &ASKING));
        self.implicit.extend(self.names.known_symbol(Symbol::Named(INSPECTION)));
        self.own_implicit = self.implicit.clone();
        self.own_implicit.extend(found(self, &RUNNING));
        self.collect_implicit_methods();
        let is_getter = |it: &(MemberKind, u32)| it.0 == MemberKind::Getter;
        self.has_getters = self.class_members.values().any(|it| it.iter().any(is_getter));
        let files = self.files.iter().enumerate();
        self.extends_platform = files
            .flat_map(|(file, ir)| ir.classes.iter().map(move |class| (file, class)))
            .any(|(file, class)| self.may_extend_platform(file, class));
    }

    /// Collects what stands under these names in classes and literals; what is stored there goes to it, too.
    fn collect_implicit_methods(&mut self) {
        self.implicit_methods = self.many_methods();
        self.running_methods = self.many_methods();
        self.own_methods = self.many_methods();
        self.then_methods = self.flow.node();
        let of_classes: Vec<(u32, Key)> =
            self.class_members.keys().map(|&(class, key, _)| (class, key)).collect();
        for (class, key) in of_classes {
            if !self.own_implicit.contains(&key) {
                continue;
            }
            let functions: Vec<u32> = [true, false]
                .into_iter()
                .flat_map(|is_static| self.class_member(class, key, is_static))
                .map(|it| it.1)
                .collect();
            for to in self.methods_under(key, self.extension(class)) {
                for &function in &functions {
                    self.give(to, Kind::Function(function));
                }
            }
        }
        let all = self.props.all();
        let named: Vec<(Object, Key)> =
            all.filter(|it| self.own_implicit.contains(&it.1)).collect();
        for (object, key) in named {
            if let Some(node) = self.existing_prop(object, key) {
                self.collect_implicit(object, key, node);
            }
        }
    }

    fn many_methods(&mut self) -> ManyMethods {
        let many = ManyMethods { each: self.flow.node(), any: self.flow.node() };
        self.constrain(many.each, Constraint::Many { to: many.any });
        many
    }

    /// What is stored under a key of an object may be a method that the platform calls.
    pub(crate) fn collect_implicit(&mut self, object: Object, key: Key, from: Node) {
        let extension = match self.objects.kind(object) {
            Kind::Instance(class) | Kind::Class(class) | Kind::Prototype(class) => {
                self.extension(class)
            }
            Kind::Typed(..)
            | Kind::Unknown(_)
            | Kind::FunctionInstance(_)
            | Kind::FunctionPrototype(_) => Extension::OfPlatform,
            _ if self.existing_prop(object, Key::PROTO).is_some() => Extension::OfPlatform,
            _ => Extension::None,
        };
        for to in self.methods_under(key, extension) {
            self.constrain(from, Constraint::PassKnown { to });
        }
    }

    /// Where a method goes that stands under a key. What the platform's own methods ask of what they are on
    /// (`exec`), they ask of what extends that.
    fn methods_under(&self, key: Key, extension: Extension) -> Vec<Node> {
        let mut to = Vec::new();
        if key == Key::THEN {
            to.push(self.then_methods);
        }
        if self.implicit.contains(&key) {
            to.push(self.implicit_methods.each);
        } else if extension != Extension::None {
            to.push(self.running_methods.each);
        }
        if extension == Extension::OfPlatform {
            to.push(self.own_methods.each);
        }
        to
    }

    /// What taking hold of one of very many objects may run: nobody tells which method, where there is any.
    pub(crate) fn methods_of_many(&self, by: Taken) -> Vec<Node> {
        match by {
            Taken::Then => vec![self.then_methods],
            Taken::Own => vec![self.own_methods.any],
            Taken::Every | Taken::Error | Taken::Native | Taken::Json | Taken::Sent => {
                vec![self.implicit_methods.any, self.running_methods.any]
            }
        }
    }

    /// A native or modelled function gets hold of its arguments, and of what it is called on.
    pub(crate) fn taken_by_platform(&mut self, site: SiteId, member: MemberId) {
        let data = self.site(site);
        let native = self.members.get(member).native;
        let ty = self.members.get(member).of_type;
        let of_type = ty.is_some();
        let is_error = self.is_error(member);
        if data.how == How::Super {
            self.construct_native(site, is_error);
        } else if of_type && !native.is_some_and(passes_on) {
            let by = if ty == Some("Object") { Taken::Every } else { Taken::Own };
            self.take(data.this, by, data.origin);
        }
        if !of_type && data.how == How::Call && self.extends_platform {
            self.made_by_heir(site);
        }
        let name = self.members.get(member).path.last().copied();
        let sorts = of_type && matches!(name, Some("sort" | "toSorted"));
        if sorts && self.site_args(site).is_empty() {
            // The elements are converted where nobody says how they compare (ECMA-262, 23.1.3.30.2).
            self.convert_node(data.this, data.origin);
        }
        let waits = matches!(
            native,
            Some(Native::All | Native::AllSettled | Native::Race | Native::Resolve)
        );
        if waits && self.has_then {
            for arg in self.site_args(site) {
                self.take(arg.node, Taken::Then, data.origin);
            }
        }
        if data.gives_this && of_type {
            self.take(data.this, Taken::Native, data.origin);
        }
        if native.is_some_and(keeps) || self.asks_nothing(member) {
            return;
        }
        let is_text = ty == Some("String");
        let compares = self.members.get(member).module == "ecmascript" && !is_text;
        // `Buffer.from(object)` takes what its row does not cover, too.
        let is_open = self.members.get(member).module == "buffer"
            || self.members.get(member).path.first() == Some(&"Buffer");
        let row = self.members.get(member).call(data.how == How::New);
        for (position, arg) in self.site_args(site).into_iter().enumerate() {
            let kind = row.and_then(|(_, it)| it.arguments.get(position).copied().or(it.rest));
            let is_taken = match kind {
                // What causes an error is only kept.
                Some(Argument::Options) => !is_error,
                None | Some(Argument::Primitive | Argument::String | Argument::OptionalString) => {
                    true
                }
                // `includes`, `indexOf` and their like only compare.
                Some(Argument::Data) => !compares,
                Some(Argument::Any) => false,
                // `text.replace(pattern, object)`
                Some(Argument::Function) if is_text => true,
                Some(
                    Argument::Path
                    | Argument::PathOrHandle
                    | Argument::Function
                    | Argument::OptionsOrFunction,
                ) => is_open,
            };
            if is_taken {
                self.take(arg.node, Taken::Native, data.origin);
            }
        }
    }

    /// `A.resolve(1)`, `A.from(list)`: a static method of the platform that is called on a class of the
    /// program makes instances of that.
    fn made_by_heir(&mut self, site: SiteId) {
        let data = self.site(site);
        if !data.this.is_none() && !data.result.is_none() {
            self.constrain(data.this, Constraint::Heir { to: data.result });
        }
    }

    /// The same, of one class.
    pub(crate) fn heir(&mut self, object: Object, to: Node) {
        if let Kind::Class(class) = self.objects.kind(object)
            && !self.platform_types(Kind::Instance(class)).is_empty()
        {
            self.give(to, Kind::Instance(class));
        }
    }

    fn asks_nothing(&self, member: MemberId) -> bool {
        let described = self.members.get(member);
        let path = described.path.as_slice();
        described.module == "globals"
            && ASKING_NOTHING.iter().any(|(space, names)| match *path {
                [first] => first == *space && names.is_empty(),
                [first, name] => first == *space && names.contains(&name),
                _ => false,
            })
    }

    fn take(&mut self, value: Node, by: Taken, origin: u32) {
        let is_possible = match by {
            Taken::Then => self.has_then,
            _ if by.is_of_receiver() => !self.own_implicit.is_empty() || self.extends_platform,
            _ => {
                !self.implicit.is_empty()
                    || self.has_own_accessors
                    || self.extends_platform
                    || self.has_getters
            }
        };
        if value.is_none() || !is_possible {
            return;
        }
        let to = self.runs_at(origin);
        self.constrain(value, Constraint::Serialise { to, by });
    }

    /// Whether a class of the program with members of its own may extend one of the platform: what it extends
    /// is no class that the program names.
    fn may_extend_platform(&self, file: usize, class: &Class) -> bool {
        let ir = self.files[file];
        let is_of_program = |value: InstId| match ir.inst(value) {
            Inst::LoadVar(var) => {
                let imported = || {
                    let import = ir.import_of(var)?;
                    Some(matches!(ir.request(import.request).resolution, Resolution::File(_)))
                };
                ir.variable(var).class.is_some() || imported() == Some(true)
            }
            _ => false,
        };
        let has_members = class.members.iter().any(|it| it.kind != MemberKind::Constructor);
        has_members && class.super_class.is_some_and(|it| !is_of_program(it))
    }

    /// The functions that the platform calls of an object. They are called here, for all alike.
    pub(crate) fn called_by_platform(&mut self, object: Object, by: Taken) -> Node {
        if let Some(&called) = self.serialised.get(&(object, by)) {
            return called;
        }
        let kind = self.objects.kind(object);
        let is_followed = match kind {
            Kind::Instance(_)
            | Kind::Literal(_)
            | Kind::FunctionInstance(_)
            | Kind::Class(_)
            | Kind::Function(_) => true,
            Kind::Typed(_, origin) => origin != Origin::Outside,
            _ => false,
        };
        if !is_followed || by == Taken::Error && !self.has_own_header(kind) {
            return Node::NONE;
        }
        let called = self.flow.node();
        self.serialised.insert((object, by), called);
        let origin = self.readings.number(called);
        for key in self.keys_of_taken(kind, by) {
            self.call_known_method(object, key, called, origin);
        }
        if by != Taken::Then {
            self.ask_heir(kind, origin);
        }
        let is_held = matches!(kind, Kind::Typed(..) | Kind::Literal(_));
        if !by.is_of_receiver() && is_held {
            let below = self.flow.node();
            self.held(object, below, origin);
            self.constrain(below, Constraint::Serialise { to: called, by });
        }
        if let (Taken::Native, Kind::Instance(class)) = (by, kind) {
            // Options are read by name, wherever they come from.
            for class in self.ancestors(class) {
                self.run_getters(class, origin);
            }
        }
        if by == Taken::Native && self.is_made_by_program(object) {
            self.with_accessors(object, Key::DYNAMIC, Key::getter, Awaiting::Edge(called));
            self.iterate_if_it_can(object, origin);
        }
        called
    }

    /// Whether it is what every object has from the language: its `constructor` is looked at and not called,
    /// and `toString` asks for nothing but a tag, which is followed by its own name (ECMA-262, 20.1.3.6).
    pub(crate) fn is_of_every_object(&self, object: Object) -> bool {
        let Kind::Member(member) = self.objects.kind(object) else { return false };
        let described = self.members.get(member);
        let name = described.path.last().copied();
        described.of_type == Some("Object") && matches!(name, Some("constructor" | "toString"))
    }

    /// Iterates an object that has an iterator of its own.
    fn iterate_if_it_can(&mut self, object: Object, origin: u32) {
        let iterators = ["@@iterator", "@@asyncIterator"];
        let can = iterators
            .iter()
            .filter_map(|it| self.names.get(it))
            .any(|it| self.implicit.contains(&it));
        if can {
            self.iterate(object, Key::ELEMENT, Node::NONE, origin);
        }
    }

    /// A class of the program, and the classes of the program that it may extend.
    pub(crate) fn ancestors(&self, class: u32) -> Vec<u32> {
        let mut found = vec![class];
        let mut next = 0;
        while let Some(&class) = found.get(next) {
            next += 1;
            for parent in self.flow.objects(self.parents[class as usize]) {
                if let Kind::Class(parent) = self.objects.kind(parent)
                    && found.len() < MOST_ANCESTORS
                    && !found.contains(&parent)
                {
                    found.push(parent);
                }
            }
        }
        found
    }

    /// What an instance of a class of the program has from the platform: the members that its class, or one
    /// that it extends, extends; with the classes on the way.
    pub(crate) fn platform_types(&self, kind: Kind<'p>) -> Vec<(MemberId, u32)> {
        let Kind::Instance(class) = kind else { return Vec::new() };
        let classes = self.ancestors(class);
        let mut types = Vec::new();
        for &class in &classes {
            for parent in self.flow.objects(self.parents[class as usize]) {
                if let Kind::Member(member) = self.objects.kind(parent) {
                    types.push(member);
                }
            }
        }
        let of = types.into_iter().flat_map(|it| classes.iter().map(move |&class| (it, class)));
        of.collect()
    }

    /// The keys under which methods of the platform call those of the object that they are on.
    pub(crate) fn own_keys(&mut self, kind: Kind<'p>) -> Vec<Key> {
        let types = self.platform_types(kind);
        let mut keys = self.own_implicit.clone();
        if types.is_empty() {
            return if matches!(kind, Kind::Instance(_)) { Vec::new() } else { keys };
        }
        for (member, class) in types {
            let declared: Vec<Key> = self.declared[class as usize].iter().copied().collect();
            for key in declared {
                let is_hook = HOOKS.contains(&self.names.text(key));
                if is_hook || self.makes_with(member, key) {
                    keys.push(key);
                }
            }
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// What the platform asks of a class of the program that extends one of its own: what lists and promises
    /// are made with (ECMA-262, 10.4.2.2), and its accessors.
    fn ask_heir(&mut self, kind: Kind<'p>, origin: u32) {
        let asked = self.names.get("@@species");
        let mut classes: Vec<u32> =
            self.platform_types(kind).into_iter().map(|(_, class)| class).collect();
        classes.dedup();
        for class in classes {
            let of_class = self.object(Kind::Class(class));
            let to = self.flow.node();
            if let Some(key) = asked {
                self.load(of_class, key, to, origin);
            }
            self.run_getters(class, origin);
        }
    }

    fn run_getters(&mut self, class: u32, origin: u32) {
        for (of, function) in self.class_member(class, Key::DYNAMIC, false) {
            if of == MemberKind::Getter {
                self.record(origin, function, true);
            }
        }
    }

    /// Whether a member of the globals is a class of errors.
    fn is_error(&self, member: MemberId) -> bool {
        let described = self.members.get(member);
        let is_class = |name: &str| name.ends_with("Error") && name != "SuppressedError";
        described.module == "globals"
            && matches!(*described.path.as_slice(), [name] if is_class(name))
    }

    /// Whether what an error begins with runs code of the program.
    fn has_own_header(&self, kind: Kind<'p>) -> bool {
        let Kind::Instance(class) = kind else { return true };
        let keys = ["name", "message", "stack", "cause"].map(|it| self.names.get(it));
        let mut all = self.ancestors(class).into_iter();
        all.any(|class| {
            keys.iter().flatten().any(|&key| {
                let members = self.class_member(class, key, false);
                members.iter().any(|it| it.0 == MemberKind::Getter)
            })
        })
    }

    /// A constructor of the platform takes what it has made of a class.
    fn take_new(&mut self, class: u32, is_error: bool, origin: u32) {
        let by = if is_error { Taken::Error } else { Taken::Own };
        self.take(self.instances[class as usize], by, origin);
    }

    /// `super(…)` of a class that extends one of the platform: that may call methods of the new object,
    /// as `new Map(entries)` calls `set`.
    fn construct_native(&mut self, site: SiteId, is_error: bool) {
        let origin = self.site(site).origin;
        let Some(at) = self.numbering.inst_of(origin) else { return };
        let file = at.file as usize;
        let function = self.receiving_function(file, self.function_at(file, at.inst));
        let number = self.number_of(file, function);
        if let Some(&class) = self.class_of.get(&number) {
            self.take_new(class, is_error, origin);
        }
    }

    /// The same, where a class has no constructor of its own.
    pub(crate) fn construct_by_parent(&mut self, class: u32, origin: u32) {
        let parents = self.flow.objects(self.parents[class as usize]);
        let members: Vec<MemberId> = parents
            .filter_map(|it| match self.objects.kind(it) {
                Kind::Member(member) => Some(member),
                _ => None,
            })
            .collect();
        let has_methods = || {
            let members = self.class_member(class, Key::DYNAMIC, false);
            members.iter().any(|it| it.0 != MemberKind::Constructor)
        };
        if !members.is_empty() && has_methods() {
            let is_error = members.iter().all(|&it| self.is_error(it));
            self.take_new(class, is_error, origin);
        }
    }
}

/// Whether a native function passes on a call, and does nothing else with what it is on.
fn passes_on(native: Native) -> bool {
    matches!(
        native,
        Native::Bind
            | Native::Call
            | Native::Apply
            | Native::Then
            | Native::Catch
            | Native::Finally
            | Native::On
            | Native::Off
            | Native::Emit
    )
}

/// Whether a native function keeps what it is given, or hands it on, and asks nothing of it.
fn keeps(native: Native) -> bool {
    passes_on(native)
        || matches!(
            native,
            Native::ReflectApply
                | Native::ReflectConstruct
                | Native::SetPrototypeOf
                | Native::GetPrototypeOf
                | Native::Inherits
                | Native::StoreElements(_)
                | Native::MapSet
                | Native::Entries
                | Native::SetConstructor
                | Native::MapConstructor
                | Native::All
                | Native::AllSettled
                | Native::Race
                | Native::Resolve
                | Native::PromiseConstructor
                | Native::WithResolvers
                | Native::Promisify
                | Native::Next
        )
}
