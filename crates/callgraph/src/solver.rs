//! The analysis: its state and its main loop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use headstart_ir::{Decoration, FileIr, FunctionId, InstId, MemberKind};
use headstart_models::Models;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::accessor::{AccessorCall, Setting};
use crate::awaiting::Absent;
use crate::convert::Taken;
use crate::extension::Extended;
use crate::flow::{Constraint, Flow};
use crate::ids::{Key, Node, Numbering, Object, SiteId, TypeId, id};
use crate::implicit::ManyMethods;
use crate::listed::ElementCallbacks;
use crate::member::{BuiltinTypes, Members};
use crate::modules::{Exports, Takers};
use crate::names::Interner;
use crate::object::{Cause, Kind, Objects, Origin};
use crate::platform_getters::PlatformGetters;
use crate::props::Props;
use crate::reading::Readings;
use crate::site::{Arg, Edge, FunctionNodes, How, Site};
use crate::widened::Widened;

/// How many calls that native functions make or pass on at one place are followed. Where there are more, unknown
/// code is taken to make them.
const MOST_CALLBACKS: u32 = 200;
/// How many calls that belong to no instruction are passed on more than once.
const MOST_SHARED_CALLS: u32 = 10_000;
/// Calls that more native functions pass on are not followed.
const DEEPEST_CALL: u8 = 4;

/// The state of the analysis.
#[derive(Debug)]
pub(crate) struct Solver<'p> {
    pub(crate) files: &'p [&'p FileIr],
    /// Whether somebody wants the analysis stopped.
    stop: &'p AtomicBool,
    pub(crate) numbering: Numbering,
    pub(crate) names: Interner<'p>,
    /// The keys with the names of each file, once all are met.
    pub(crate) keys_of_names: Vec<Vec<Key>>,
    pub(crate) flow: Flow,
    pub(crate) objects: Objects<'p>,
    pub(crate) members: Members<'p>,
    pub(crate) types: BuiltinTypes,
    pub(crate) props: Props,
    pub(crate) functions: Vec<FunctionNodes>,
    /// The node of each variable and instruction that has one.
    pub(crate) variables: Vec<Node>,
    pub(crate) values: Vec<Node>,
    pub(crate) globals: FxHashMap<&'p str, Node>,
    /// The nodes of the variables `exports` and `module` of each file.
    pub(crate) module_variables: FxHashMap<Kind<'p>, Node>,
    /// The objects that each class's `this` may be, and the classes themselves with those that
    /// extend them.
    pub(crate) instances: Vec<Node>,
    pub(crate) statics: Vec<Node>,
    /// The value that each class extends.
    pub(crate) parents: Vec<Node>,
    /// The class that each method belongs to.
    pub(crate) class_of: FxHashMap<u32, u32>,
    /// The methods and initialisers whose `this` is their class.
    pub(crate) static_functions: FxHashSet<u32>,
    /// The keys that instances of each class certainly have of their own or from it.
    pub(crate) declared: Vec<FxHashSet<Key>>,
    pub(crate) sites: Vec<Site>,
    pub(crate) args: Vec<Arg>,
    pub(crate) edges: FxHashSet<Edge>,
    /// Classes of which a call makes an instance, by instruction.
    pub(crate) constructed: FxHashSet<(u32, u32)>,
    /// Members that are called, by instruction.
    pub(crate) modelled: FxHashSet<(u32, crate::ids::MemberId)>,
    pub(crate) natives: Vec<(SiteId, crate::native::Native)>,
    /// Constraints that are still to be applied to an object that was there before them.
    pub(crate) pending: Vec<(Constraint, Object)>,
    /// What the files export, who may export a name, and who takes in what others export.
    pub(crate) exports: FxHashMap<usize, Arc<Exports<'p>>>,
    pub(crate) exporters: FxHashMap<Key, Arc<FxHashSet<usize>>>,
    pub(crate) takers: Option<Takers<'p>>,
    /// What reads of properties give.
    pub(crate) readings: Readings,
    /// Which objects' properties are copied to which.
    pub(crate) copies: FxHashSet<(Object, Object, u32)>,
    pub(crate) copied_to: FxHashMap<Object, Vec<(Object, u32)>>,
    /// How many properties are copied into each object.
    pub(crate) copied_keys: FxHashMap<Object, u32>,
    /// How many objects are copied into each.
    pub(crate) copied_from: FxHashMap<Object, u32>,
    /// What each class declares: the functions under a key, static or not.
    pub(crate) class_members: FxHashMap<(u32, Key, bool), Vec<(MemberKind, u32)>>,
    /// What each class declares under keys that are not known, static or not.
    pub(crate) computed_members: FxHashMap<(u32, bool), Vec<(MemberKind, u32)>>,
    /// The names of properties that the program reads without calling them at once.
    pub(crate) taken_names: FxHashSet<&'p str>,
    /// The methods of classes that may be called on what is no instance: the program takes out what is called so.
    pub(crate) taken_methods: FxHashSet<u32>,
    /// What those who read an object by name may find that was written under computed keys.
    /// With whether it is a name that a class or a literal declares.
    pub(crate) dynamic: FxHashMap<(Object, bool), Node>,
    /// What converting each object to a primitive calls.
    pub(crate) converted: FxHashMap<Object, Node>,
    /// How many objects written under computed keys go to a node.
    pub(crate) computed: FxHashMap<Node, u32>,
    /// Properties that have been given what an annotation says.
    pub(crate) filled: FxHashSet<Node>,
    /// The functions that methods of lists call with their elements.
    pub(crate) element_callbacks: ElementCallbacks,
    /// What is stored in what literals make, after they have; [`Key::ALL`] for any key.
    pub(crate) changed: FxHashSet<(Object, Key)>,
    /// What is put under the keys of members of modules and of their objects, and where.
    pub(crate) replaced: FxHashMap<(Object, Key), u32>,
    /// The names that the program assigns on the global object.
    pub(crate) assigned_globals: FxHashSet<Key>,
    /// What is deleted: the object, the key, and where.
    pub(crate) deleted: Vec<(Node, Key, u32)>,
    /// The names that literals declare.
    pub(crate) literal_keys: FxHashSet<(Object, Key)>,
    /// What storing under keys of objects runs.
    pub(crate) settings: FxHashMap<(Object, Key), Setting>,
    /// What inherits from each object.
    pub(crate) heirs: FxHashMap<Object, Node>,
    /// The classes that others extend, once somebody has asked.
    pub(crate) extended: OnceLock<Extended>,
    /// Whether the program changes prototypes.
    pub(crate) sets_prototypes: bool,
    /// The functions whose results are given again: React's `cache`.
    pub(crate) cached: FxHashSet<u32>,
    /// Whether it may put iterators of its own into lists, sets and maps, or what has some before them.
    pub(crate) sets_iterators: bool,
    /// Where more functions are called than are followed.
    pub(crate) too_many: FxHashSet<u32>,
    /// Whether the program puts an object of its own on data from outside.
    pub(crate) puts_on_data: bool,
    /// Who waits for properties that objects do not have so far.
    pub(crate) absent: Absent,
    /// Where something is called that changes what only the value says by way of which it is called.
    pub(crate) displaced: FxHashSet<u32>,
    /// What those may change, and what is changed by way of a Proxy.
    pub(crate) changed_unseen: Node,
    /// What goes to somebody of whom nobody knows: to calls of unknown code, to who catches it, to generators
    /// that are sent something, to who waits for an event.
    pub(crate) passed_on: Node,
    /// What taking each object calls.
    pub(crate) serialised: FxHashMap<(Object, Taken), Node>,
    /// Whether the program gives objects accessors of their own.
    pub(crate) has_own_accessors: bool,
    /// What may have been written under a computed key.
    pub(crate) computed_key: Object,
    /// The methods that the iteration of each object calls.
    pub(crate) iterated: FxHashMap<Object, Node>,
    /// The objects that have iterators of their own, with what gives them.
    pub(crate) iterating: FxHashSet<(Object, Node)>,
    /// The nodes that hold one object each.
    alone: FxHashMap<Object, Node>,
    /// The calls of known methods: the method, and what it is called on.
    pub(crate) known_calls: FxHashSet<(Object, Object)>,
    /// How many calls native functions make at each instruction.
    pub(crate) callbacks_at: FxHashMap<u32, u32>,
    /// Objects whose `then` has been asked for.
    pub(crate) thenables: FxHashMap<Object, Node>,
    /// Reads that have been carried on to a prototype.
    pub(crate) read_on: FxHashSet<(Node, Key, Node, bool)>,
    /// Whether the program has a method `then` of its own.
    pub(crate) has_then: bool,
    /// Whether the program has a generator.
    pub(crate) has_generators: bool,
    /// The methods that convert objects, as far as the program has any of its own.
    pub(crate) conversions: Vec<Key>,
    /// `toJSON`, where the program has any of its own.
    pub(crate) to_json: Option<Key>,
    /// The keys of methods of the program that the platform calls of objects that it is given, and of those
    /// that extend what it has.
    pub(crate) implicit: Vec<Key>,
    pub(crate) own_implicit: Vec<Key>,
    /// All that the program has under those names.
    pub(crate) implicit_methods: ManyMethods,
    /// The same of those that only what the platform makes is asked for, and what extends that.
    pub(crate) running_methods: ManyMethods,
    /// Those of both that what extends something of the platform has.
    pub(crate) own_methods: ManyMethods,
    /// All methods by which waiting goes on.
    pub(crate) then_methods: Node,
    /// Whether classes of the program may extend what the platform has.
    pub(crate) extends_platform: bool,
    /// Whether classes of the program have getters.
    pub(crate) has_getters: bool,
    /// The names under which the program stores something in an object that is there.
    pub(crate) set_names: FxHashSet<Key>,
    /// The keys of methods of the program by which operations may convert what they send.
    pub(crate) sent_by: Vec<Key>,
    /// The keys of accessors that `Object.defineProperty` may make; [`Key::DYNAMIC`] for any.
    pub(crate) defined: FxHashSet<Key>,
    /// The calls of accessors, with where each is made.
    pub(crate) accessor_calls: FxHashMap<(Object, u32, bool), AccessorCall>,
    /// The getters that the program gives prototypes of the platform.
    pub(crate) platform_getters: Vec<PlatformGetters<'p>>,
    /// The keys of all setters.
    pub(crate) setters: FxHashSet<Key>,
    /// The positions of the elements of patterns in the file at hand.
    pub(crate) positions: FxHashMap<InstId, u32>,
    pub(crate) string: Node,
    pub(crate) number: Node,
    pub(crate) boolean: Node,
    pub(crate) data: Node,
    /// What unknown code may have.
    pub(crate) escaped: Node,
    pub(crate) is_escaped: FxHashSet<Object>,
    /// What members of models get as options, and that of it which nobody else has had.
    pub(crate) options: Node,
    pub(crate) handed_over: FxHashSet<Object>,
    /// The files that a test runner puts something in the place of.
    pub(crate) mocked: FxHashSet<usize>,
    /// What is stored through sets that are widened.
    pub(crate) widened: Widened,
    /// Functions that something calls.
    pub(crate) reached: Vec<bool>,
    /// The calls of decorators.
    pub(crate) decorations: FxHashMap<u32, &'p Decoration>,
    /// What is copied over objects, or stored in them under computed keys: the object, what, and where.
    pub(crate) copied_over: FxHashMap<(Object, Node), u32>,
}

impl<'p> Solver<'p> {
    /// # Errors
    /// A model that the language needs is not there.
    pub(crate) fn new(
        files: &'p [&'p FileIr],
        models: &'p Models,
        stop: &'p AtomicBool,
    ) -> Result<Self, String> {
        let numbering = Numbering::new(files);
        let mut members = Members::new(models);
        let types = BuiltinTypes {
            object: members.language_type("Object")?,
            function: members.language_type("Function")?,
            string: members.language_type("String")?,
            number: members.language_type("Number")?,
            boolean: members.language_type("Boolean")?,
            array: members.language_type("Array")?,
            promise: members.language_type("Promise")?,
            map: members.language_type("Map")?,
            regexp: members.language_type("RegExp")?,
            generator: members.language_type("Generator")?,
            async_generator: members.language_type("AsyncGenerator")?,
            bytes: members.bytes(files)?,
        };
        let instructions = numbering.insts();
        let mut flow = Flow::new(instructions);
        let objects = Objects::new(&numbering);
        let (string, number, boolean) = (flow.node(), flow.node(), flow.node());
        let (data, escaped, options) = (flow.node(), flow.node(), flow.node());
        let (changed_unseen, passed_on) = (flow.node(), flow.node());
        let functions = (0..numbering.functions())
            .map(|_| FunctionNodes {
                result: Node::NONE,
                this: Node::NONE,
                params: Node::NONE,
                count: 0,
                rest: Node::NONE,
                arguments: Node::NONE,
            })
            .collect();
        let classes = numbering.classes() as usize;
        let mut solver = Self {
            files,
            stop,
            variables: vec![Node::NONE; numbering.variables() as usize],
            values: vec![Node::NONE; numbering.insts() as usize],
            reached: vec![false; numbering.functions() as usize],
            instances: vec![Node::NONE; classes],
            statics: vec![Node::NONE; classes],
            parents: vec![Node::NONE; classes],
            declared: vec![FxHashSet::default(); classes],
            exports: FxHashMap::default(),
            exporters: FxHashMap::default(),
            takers: None,
            readings: Readings::new(numbering.insts()),
            decorations: crate::decorated::decorations(files, &numbering),
            copied_over: FxHashMap::default(),
            numbering,
            names: Interner::new(),
            keys_of_names: Vec::new(),
            flow,
            objects,
            members,
            types,
            props: Props::new(instructions),
            functions,
            globals: FxHashMap::default(),
            module_variables: FxHashMap::default(),
            class_of: FxHashMap::default(),
            static_functions: FxHashSet::default(),
            sites: Vec::with_capacity(instructions as usize / 4),
            args: Vec::with_capacity(instructions as usize / 4),
            edges: FxHashSet::default(),
            constructed: FxHashSet::default(),
            modelled: FxHashSet::default(),
            natives: Vec::new(),
            pending: Vec::new(),
            copies: FxHashSet::default(),
            copied_to: FxHashMap::default(),
            copied_keys: FxHashMap::default(),
            copied_from: FxHashMap::default(),
            class_members: FxHashMap::default(),
            computed_members: FxHashMap::default(),
            taken_names: FxHashSet::default(),
            taken_methods: FxHashSet::default(),
            string,
            number,
            boolean,
            data,
            escaped,
            is_escaped: FxHashSet::default(),
            options,
            handed_over: FxHashSet::default(),
            dynamic: FxHashMap::default(),
            converted: FxHashMap::default(),
            computed: FxHashMap::default(),
            filled: FxHashSet::default(),
            element_callbacks: ElementCallbacks::default(),
            changed: FxHashSet::default(),
            replaced: FxHashMap::default(),
            assigned_globals: FxHashSet::default(),
            deleted: Vec::new(),
            literal_keys: FxHashSet::default(),
            settings: FxHashMap::default(),
            heirs: FxHashMap::default(),
            extended: OnceLock::new(),
            sets_prototypes: false,
            cached: FxHashSet::default(),
            sets_iterators: false,
            too_many: FxHashSet::default(),
            puts_on_data: false,
            absent: Absent::new(instructions),
            displaced: FxHashSet::default(),
            changed_unseen,
            passed_on,
            serialised: FxHashMap::default(),
            has_own_accessors: false,
            computed_key: Object(0),
            callbacks_at: FxHashMap::default(),
            iterated: FxHashMap::default(),
            iterating: FxHashSet::default(),
            alone: FxHashMap::default(),
            known_calls: FxHashSet::default(),
            thenables: FxHashMap::default(),
            read_on: FxHashSet::default(),
            has_then: false,
            has_generators: files.iter().any(|it| it.functions.iter().any(|it| it.is_generator)),
            conversions: Vec::new(),
            positions: FxHashMap::default(),
            to_json: None,
            sent_by: Vec::new(),
            implicit: Vec::new(),
            own_implicit: Vec::new(),
            implicit_methods: ManyMethods::NONE,
            running_methods: ManyMethods::NONE,
            own_methods: ManyMethods::NONE,
            then_methods: Node::NONE,
            extends_platform: false,
            has_getters: false,
            set_names: FxHashSet::default(),
            defined: FxHashSet::default(),
            accessor_calls: FxHashMap::default(),
            platform_getters: Vec::new(),
            setters: FxHashSet::default(),
            mocked: crate::spied::mocked(files),
            widened: Widened::default(),
        };
        for (node, ty) in [(string, types.string), (number, types.number), (boolean, types.boolean)]
        {
            let object = solver.object(Kind::Typed(ty, Origin::Outside));
            solver.flow.add(node, object);
        }
        let anything = solver.object(Kind::Unknown(Cause::TooMany));
        let narrowed = solver.object(Kind::Unknown(Cause::Narrowed));
        solver.flow.set_anything(anything, narrowed, [escaped, options]);
        solver.computed_key = solver.object(Kind::Unknown(Cause::ComputedKey));
        let object = solver.object(Kind::Data);
        solver.flow.add(data, object);
        Ok(solver)
    }

    /// Whether somebody wants the analysis stopped: then what it has found is not complete.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Runs until nothing new flows anywhere, or somebody stops it.
    pub(crate) fn solve(&mut self) {
        loop {
            while let Some((constraint, object)) = self.pending.pop() {
                self.apply(constraint, object);
            }
            if self.is_stopped() {
                return;
            }
            let Some((node, fresh)) = self.flow.next() else { return };
            if node == self.escaped {
                for &object in &fresh {
                    self.escape_object(object);
                }
            } else if node == self.options {
                for &object in &fresh {
                    self.hand_over_options(object);
                }
            }
            let mut next = self.flow.first_constraint(node);
            while let Some((constraint, following)) = self.flow.constraint(next) {
                if self.is_stopped() {
                    return;
                }
                for &object in &fresh {
                    self.apply(constraint, object);
                }
                next = following;
            }
        }
    }

    /// Nothing is found out any more: gives back the memory of what was needed for that alone.
    pub(crate) fn finish(&mut self) {
        self.flow.finish(&[self.changed_unseen, self.passed_on]);
        self.readings = Readings::new(self.numbering.insts());
        self.widened.forget_reads();
        self.absent = Absent::new(0);
        self.read_on = FxHashSet::default();
        self.known_calls = FxHashSet::default();
        self.accessor_calls = FxHashMap::default();
        self.settings = FxHashMap::default();
        self.serialised = FxHashMap::default();
        self.converted = FxHashMap::default();
        self.iterated = FxHashMap::default();
        self.alone = FxHashMap::default();
        self.heirs = FxHashMap::default();
        self.dynamic = FxHashMap::default();
        self.computed = FxHashMap::default();
        self.copies = FxHashSet::default();
        self.copied_to = FxHashMap::default();
        self.callbacks_at = FxHashMap::default();
    }

    fn apply(&mut self, constraint: Constraint, object: Object) {
        self.flow.note_work(1);
        if self.flow.is_narrowed(object) {
            return self.apply_to_many(constraint, object);
        }
        match constraint {
            Constraint::Load { key, to, origin } => self.load(object, key, to, origin),
            Constraint::Store { key, from, origin } => self.store(object, key, from, origin),
            Constraint::LoadInherited { key, to, origin } => {
                self.load_inherited(object, key, to, origin);
            }
            Constraint::LoadHidden { key, to, origin } => {
                self.load_hidden(object, key, to, origin);
            }
            Constraint::StoreInherited { key, from, origin } => {
                self.store_inherited(object, key, from, origin);
            }
            Constraint::Call(site) => self.call(site, object),
            Constraint::MethodByName(site) => self.method_by_name(site, object),
            Constraint::HandedOver(site) => self.handed_to_call(site, object),
            Constraint::Extended(class) => self.extended(class, object),
            Constraint::Dynamic { to } => self.read_dynamic(object, to),
            Constraint::Replacing { to } => self.read_replacing(object, to),
            Constraint::Computed { to } => self.read_computed(object, to),
            Constraint::Await { to } => self.await_object(object, to),
            Constraint::Getter { to, origin } => self.call_getter(object, to, origin),
            Constraint::ComputedGetter { object: of, to, origin } => {
                self.call_computed_getter(object, of, to, origin);
            }
            Constraint::StoreAccessor { key, from, origin } => {
                self.store_accessor(object, key, from, origin);
            }
            Constraint::Setter { from, origin } => self.call_setter(object, from, origin),
            Constraint::ComputedSetter { from, origin } => {
                self.call_computed_setter(object, from, origin);
            }
            Constraint::Accessor { heirs } => self.has_accessor(object, heirs),
            Constraint::Inherit { heirs } => self.inherit_from(object, heirs),
            Constraint::Prototype { of } => {
                let heirs = self.heirs(of);
                self.inherit_from(object, heirs);
            }
            Constraint::Serialise { to, by } => self.serialise(object, to, by),
            Constraint::Heir { to } => self.heir(object, to),
            Constraint::PassKnown { to } => {
                if self.is_known_method(object) {
                    self.flow.add(to, object);
                }
            }
            Constraint::CallKnown { on, to } => self.call_known(object, on, to),
            Constraint::Many { to } => self.give_unknown(to, Cause::TooMany),
            Constraint::Run { origin } => self.run(object, origin),
            Constraint::RunKnown { origin } => self.run_known(object, origin),
            Constraint::Convert { origin } => self.convert(object, origin),
            Constraint::Iterate { to, key, origin } => self.iterate(object, key, to, origin),
            Constraint::IterateBy { object: of, method, origin } => {
                self.iterate_by(object, of, method, origin);
            }
            Constraint::Mix => self.mix(object),
            Constraint::Options => self.escape_options(object),
            Constraint::Keep => self.keep_globally(object),
            Constraint::PutOnData => self.put_on_data(object),
            Constraint::All { array, origin } => self.all_of(object, array, origin),
            Constraint::Held { to, origin } => self.held(object, to, origin),
            Constraint::Nested { to } => self.nested(object, to),
            Constraint::Completed { to } => self.completed(object, to),
            Constraint::CopyTo { target, origin } => {
                self.copy_properties(object, target, origin);
            }
            Constraint::Receiver { site, native } => self.native_receiver(site, native, object),
        }
    }

    /// Attaches a constraint to a node.
    pub(crate) fn constrain(&mut self, node: Node, constraint: Constraint) {
        for object in self.flow.constrain(node, constraint) {
            self.pending.push((constraint, object));
        }
    }

    /// Goes on with a read at what an object inherits from. Prototypes may run in circles.
    pub(crate) fn read_on(&mut self, node: Node, constraint: Constraint) {
        let (key, to, is_hidden) = match constraint {
            Constraint::Load { key, to, .. } | Constraint::LoadInherited { key, to, .. } => {
                (key, to, false)
            }
            Constraint::LoadHidden { key, to, .. } => (key, to, true),
            _ => return,
        };
        if self.read_on.insert((node, key, to, is_hidden)) {
            self.constrain(node, constraint);
        }
    }

    /// A node that holds one object.
    pub(crate) fn holding(&mut self, kind: Kind<'p>) -> Node {
        let node = self.flow.node();
        let object = self.object(kind);
        self.flow.add(node, object);
        node
    }

    /// The node that holds one object and nothing else: who calls a method of it, or the function that it is, calls
    /// what this node holds. Nothing else may flow there.
    pub(crate) fn node_of(&mut self, object: Object) -> Node {
        if let Some(&node) = self.alone.get(&object) {
            return node;
        }
        let node = self.flow.node();
        self.flow.add(node, object);
        self.alone.insert(object, node);
        node
    }

    /// Adds an object to a node.
    pub(crate) fn give(&mut self, node: Node, kind: Kind<'p>) {
        let object = self.object(kind);
        self.flow.add(node, object);
    }

    /// Nobody knows what a node may be.
    pub(crate) fn give_unknown(&mut self, node: Node, cause: Cause<'p>) {
        let object = self.object(Kind::Unknown(cause));
        self.flow.add(node, object);
    }

    /// The node of a property of an object.
    pub(crate) fn prop(&mut self, object: Object, key: Key) -> Node {
        if let Some(node) = self.props.get(object, key) {
            return node;
        }
        let node = self.flow.node();
        self.props.insert(object, key, node);
        if key == Key::ALL {
            for key in self.props.keys(object) {
                if key.is_property() && key != Key::DYNAMIC {
                    let from = self.prop(object, key);
                    self.flow.edge(from, node);
                }
            }
            let dynamic = self.prop(object, Key::DYNAMIC);
            self.constrain(dynamic, Constraint::Computed { to: node });
        } else if key.is_property()
            && key != Key::DYNAMIC
            && let Some(all) = self.props.get(object, Key::ALL)
        {
            self.flow.edge(node, all);
        }
        for (to, origin) in self.copied_to.get(&object).cloned().unwrap_or_default() {
            self.copy_property(object, key, to, origin);
        }
        self.connect_escaped(object, key, node);
        self.connect_accessor(object, key, node);
        self.connect_element(object, key, node);
        self.connect_awaiting(object, key, node);
        self.connect_put(object, key);
        self.connect_method(object, key, node);
        node
    }

    /// What a class itself declares under a key; everything under [`Key::DYNAMIC`].
    pub(crate) fn class_member(
        &self,
        class: u32,
        key: Key,
        is_static: bool,
    ) -> Vec<(MemberKind, u32)> {
        self.class_members.get(&(class, key, is_static)).cloned().unwrap_or_default()
    }

    /// Something is stored in an object that was there before; the node that it is to go to.
    pub(crate) fn changed_prop(&mut self, object: Object, key: Key) -> Node {
        if matches!(self.objects.kind(object), Kind::Literal(_) | Kind::Typed(_, Origin::Inst(..)))
        {
            self.changed.extend([(object, key), (object, Key::ALL)]);
        }
        self.props.has_prototypes |=
            matches!(self.objects.kind(object), Kind::Prototype(_) | Kind::FunctionPrototype(_));
        self.prop(object, key)
    }

    /// The node of a property, where it has been met.
    pub(crate) fn existing_prop(&self, object: Object, key: Key) -> Option<Node> {
        self.props.get(object, key)
    }

    pub(crate) fn number_of(&self, file: usize, function: FunctionId) -> u32 {
        self.numbering.function(file, function)
    }

    /// A call of `callee` with nothing, to be completed.
    pub(crate) fn plain_site(callee: Node, origin: u32, how: How) -> Site {
        let (this, result) = (Node::NONE, Node::NONE);
        Site {
            callee,
            this,
            result,
            args: 0,
            count: 0,
            origin,
            how,
            depth: 0,
            gives_this: false,
            by_bind: false,
            is_bound: false,
        }
    }

    pub(crate) fn new_site(&mut self, site: Site, args: &[Arg]) -> SiteId {
        // What other calls lead to counts, too: where each of several callees passes a call on to
        // several, their number grows with every step.
        let is_derived = site.how == How::Callback || site.depth > 0;
        let is_shared = site.origin == u32::MAX;
        let is_too_many = is_derived && (!is_shared || site.depth > 1) && {
            let count = self.callbacks_at.entry(site.origin).or_default();
            *count += 1;
            *count > if is_shared { MOST_SHARED_CALLS } else { MOST_CALLBACKS }
        };
        if site.depth > DEEPEST_CALL || is_too_many {
            for node in args.iter().map(|it| it.node).chain([site.this, site.callee]) {
                self.flow.edge(node, self.escaped);
            }
            self.give_unknown(site.result, Cause::TooMany);
            self.note_too_many(site.origin);
            return SiteId(u32::MAX);
        }
        let number = self.number_site(site, args);
        self.constrain(site.callee, Constraint::Call(number));
        number
    }

    /// A site that nobody looks at by himself.
    pub(crate) fn number_site(&mut self, site: Site, args: &[Arg]) -> SiteId {
        let start = id(self.args.len());
        self.args.extend_from_slice(args);
        self.sites.push(Site { args: start, count: id(args.len()), ..site });
        SiteId(id(self.sites.len() - 1))
    }

    pub(crate) fn site(&self, site: SiteId) -> Site {
        self.sites[site.index()]
    }

    pub(crate) fn site_args(&self, site: SiteId) -> Vec<Arg> {
        let Site { args, count, .. } = self.site(site);
        self.args[args as usize..(args + count) as usize].to_vec()
    }

    /// The object of a kind.
    pub(crate) fn object(&mut self, kind: Kind<'p>) -> Object {
        let count = self.objects.len();
        let object = self.objects.get(kind);
        if self.objects.len() > count {
            self.flow.note_shape(object, self.types.shape(kind));
            // What is narrowed is let through by annotations.
            if let Kind::Unknown(cause) = kind
                && cause != Cause::Narrowed
            {
                self.flow.note_unknown(object);
            }
        }
        object
    }

    /// An object of a type, made at a place.
    pub(crate) fn typed(&mut self, ty: TypeId, origin: Origin) -> Object {
        self.object(Kind::Typed(ty, origin))
    }
}
