//! Calls: what is passed to whom.

use headstart_ir::{FunctionKind, MemberKind};
use headstart_models::{Call, Receiver, Resource, ResultKind};

use crate::awaiting::Awaiting;
use crate::flow::Constraint;
use crate::ids::{Key, MemberId, Node, Object, SiteId, TypeId};
use crate::implicit::ITERATOR;
use crate::native::Native;
use crate::object::{Cause, Kind, Origin};
use crate::site::{Arg, How, Site};
use crate::solver::Solver;

impl<'p> Solver<'p> {
    /// A call may be one of `object`.
    pub(crate) fn call(&mut self, site: SiteId, object: Object) {
        let data = self.site(site);
        if self.decorate(site, self.objects.kind(object)) {
            return;
        }
        match self.objects.kind(object) {
            Kind::Function(function) => self.enter(site, function),
            Kind::Class(class) => self.construct(site, class),
            Kind::Member(member) => {
                self.modelled.insert((data.origin, member));
                self.displace(site, member);
                self.call_member(site, member);
            }
            Kind::Promisified(member) => {
                self.modelled.insert((data.origin, member));
                self.displace(site, member);
                self.call_promisified(site, member);
            }
            Kind::Bound(bound) => self.call_bound(site, bound),
            Kind::PromisifiedFunction(of) => self.call_promisified_function(site, of),
            Kind::Resolver(promise) => {
                let value = self.prop(promise, Key::VALUE);
                if let Some(arg) = self.site_args(site).first() {
                    self.constrain(arg.node, Constraint::Await { to: value });
                }
            }
            Kind::NodeCallback(promise) => {
                let value = self.prop(promise, Key::VALUE);
                if let Some(arg) = self.site_args(site).get(1) {
                    self.flow.edge(arg.node, value);
                }
            }
            Kind::Typed(ty, _) => {
                if let Some(member) = self.members.call_of_type(ty) {
                    self.modelled.insert((data.origin, member));
                    self.call_member(site, member);
                }
            }
            Kind::Data => {
                self.pass_on(site);
                self.give(data.result, Kind::Data);
            }
            Kind::Described(..) => {
                self.pass_on(site);
                self.give_unknown(data.result, Cause::Entry);
            }
            Kind::Unknown(cause) => {
                self.pass_on(site);
                self.flow.edge(data.this, self.escaped);
                self.give_unknown(data.result, cause.of_result());
            }
            _ => {}
        }
    }

    /// A member of a model that is called by way of a value: its row speaks of arguments and a receiver that
    /// are not those of the instruction. One that changes memory may change all of it.
    fn displace(&mut self, site: SiteId, member: MemberId) {
        let data = self.site(site);
        // Iterating calls `next` of an iterator of the platform, and is known to.
        let is_step = self.members.get(member).native == Some(Native::Next) && !data.gives_this;
        if self.stores_in_listed(site, member) {
            return self.changes_unseen(site);
        }
        if (data.depth == 0 && data.how != How::Callback) || is_step {
            return;
        }
        let changes = self.changes_memory(member, data.how == How::New);
        if changes
            || (data.is_bound && self.goes_by_arguments(member))
            || self.is_bound_method(data, member)
        {
            self.changes_unseen(site);
        }
    }

    /// Whether a method of the language is called that `bind` has been told what it is on: `const get =
    /// map.get.bind(map)`. What it reads and gives its row says of what a call is on.
    fn is_bound_method(&self, data: Site, member: MemberId) -> bool {
        let described = self.members.get(member);
        let is_value = |row: &Call| row.result != ResultKind::Undefined;
        data.by_bind
            && matches!(described.module, "ecmascript" | "globals" | "web")
            && (described.of_type.is_some()
                || data.is_bound && described.call(false).is_none_or(|(_, row)| is_value(row)))
    }

    /// Whether a member of a model that stores something is handed it as a list: `Object.assign(...[to, from])`. What
    /// it is stored in stands in the list.
    fn stores_in_listed(&self, site: SiteId, member: MemberId) -> bool {
        self.site_args(site).first().is_some_and(|it| it.is_spread)
            && self.members.get(member).native.is_some_and(Native::stores_in_argument)
    }

    /// Whether a member of a model changes what it is on or is given.
    pub(crate) fn changes_memory(&self, member: MemberId, is_new: bool) -> bool {
        let described = self.members.get(member);
        let stores = described.native.is_some_and(Native::stores);
        stores
            || described.call(is_new).is_some_and(|(_, call)| {
                call.keeps || call.receiver == Receiver::Writes || call.changes_arguments()
            })
    }

    /// Whether it depends on arguments what a member of a model reads and writes outside memory.
    fn goes_by_arguments(&self, member: MemberId) -> bool {
        let is_of = |it: &Resource| it.position().is_some();
        self.members.get(member).call(false).is_some_and(|(_, call)| {
            call.reads.iter().chain(&call.writes).any(is_of) || !call.cases.is_empty()
        })
    }

    /// What nobody knows is called with what is passed.
    fn pass_on(&mut self, site: SiteId) {
        self.escape_arguments(site);
        let args = self.site_args(site);
        self.hand_on(&args);
    }

    /// Somebody of whom nobody knows gets some arguments.
    pub(crate) fn hand_on(&mut self, args: &[Arg]) {
        for arg in args {
            self.flow.edge(arg.node, self.passed_on);
        }
    }

    /// Unknown code may do anything with what is passed.
    pub(crate) fn escape_arguments(&mut self, site: SiteId) {
        for arg in self.site_args(site) {
            self.flow.edge(arg.node, self.escaped);
        }
    }

    /// A function of the program is called.
    fn enter(&mut self, site: SiteId, function: u32) {
        let data = self.site(site);
        let nodes = self.functions[function as usize];
        self.pass(site, function);
        match data.how {
            How::New => {
                let instance = self.object(Kind::FunctionInstance(function));
                self.heirs(instance);
                self.flow.add(data.result, instance);
                self.flow.add(nodes.this, instance);
            }
            How::Call | How::Callback
                if self.takes_receiver(function)
                    || self.taken_methods.contains(&function)
                    || (data.gives_this && self.class_of.contains_key(&function)) =>
            {
                self.flow.edge(data.this, nodes.this);
            }
            _ => {}
        }
        self.flow.edge(nodes.result, data.result);
        self.record(data.origin, function, data.how == How::Callback);
    }

    /// Whether `this` of a function is what it is called on: that of arrow functions and of methods
    /// of classes is known without.
    pub(crate) fn takes_receiver(&self, function: u32) -> bool {
        let reference = self.numbering.function_of(function);
        let kind = self.files[reference.file as usize].function(reference.function).kind;
        kind != FunctionKind::Arrow && !self.class_of.contains_key(&function)
    }

    /// An instance of a class of the program is made, or its constructor called by `super`.
    fn construct(&mut self, site: SiteId, class: u32) {
        let data = self.site(site);
        if data.how != How::Super {
            self.give(data.result, Kind::Instance(class));
            self.give(self.instances[class as usize], Kind::Instance(class));
        }
        let (file, id) = self.numbering.class_of(class);
        let ir = self.files[file];
        let is_callback = data.how == How::Callback;
        self.constructed.insert((data.origin, class));
        if let Some(fields) = ir.class(id).field_init {
            let fields = self.number_of(file, fields);
            self.record(data.origin, fields, is_callback);
        }
        let members = &ir.class(id).members;
        let constructor = members.iter().find(|it| it.kind == MemberKind::Constructor);
        match constructor {
            Some(constructor) => {
                let function = self.number_of(file, constructor.function);
                self.pass(site, function);
                let result = self.functions[function as usize].result;
                self.flow.edge(result, data.result);
                self.record(data.origin, function, is_callback);
            }
            None => {
                self.construct_by_parent(class, data.origin);
                let callee = self.parents[class as usize];
                let args = self.site_args(site);
                let result = Node::NONE;
                let (this, how, depth) =
                    (self.instances[class as usize], How::Super, data.depth + 1);
                self.new_site(Site { callee, this, how, result, depth, ..data }, &args);
            }
        }
    }

    /// A class turns out to extend an object.
    pub(crate) fn extended(&mut self, class: u32, object: Object) {
        match self.objects.kind(object) {
            Kind::Class(parent) if parent != class => {
                let (instances, statics) =
                    (self.instances[class as usize], self.statics[class as usize]);
                self.flow.edge(instances, self.instances[parent as usize]);
                self.flow.edge(statics, self.statics[parent as usize]);
            }
            Kind::Function(parent) => {
                let this = self.functions[parent as usize].this;
                let heirs = self.instances[class as usize];
                self.flow.edge(heirs, this);
                let prototype = self.prototype_of(parent);
                self.constrain(prototype, Constraint::Inherit { heirs });
            }
            // Code that nobody has seen holds the instances.
            Kind::Unknown(_) => {
                self.flow.edge(self.instances[class as usize], self.escaped);
            }
            _ => {}
        }
    }

    /// What awaiting an object gives.
    pub(crate) fn await_object(&mut self, object: Object, to: Node) {
        match self.objects.kind(object) {
            Kind::Typed(ty, origin) => {
                let promise = self.types.promise;
                if self.members.is_a(ty, promise) {
                    let value = self.prop(object, Key::VALUE);
                    self.flow.edge(value, to);
                    if origin == Origin::Outside {
                        self.give(to, Kind::Data);
                    }
                }
                match self.members.awaited(ty) {
                    Some((module, call)) => {
                        self.value_of_row(to, module, call, u32::MAX);
                    }
                    None if !self.members.is_a(ty, promise) => self.flow.add(to, object),
                    None => {}
                }
            }
            Kind::Literal(_) | Kind::Instance(_) | Kind::FunctionInstance(_) => {
                self.flow.add(to, object);
                self.await_thenable(object, to);
            }
            _ => self.flow.add(to, object),
        }
    }

    /// An object with a method `then` is asked by it.
    fn await_thenable(&mut self, object: Object, to: Node) {
        if !self.has_then {
            return;
        }
        let promise = self.typed(self.types.promise, Origin::Entries(object.0));
        let value = self.prop(promise, Key::VALUE);
        self.flow.edge(value, to);
        if self.thenables.contains_key(&object) {
            return;
        }
        let origin = u32::MAX;
        let then = self.flow.node();
        self.thenables.insert(object, then);
        self.load(object, Key::THEN, then, origin);
        let this = self.flow.node();
        self.flow.add(this, object);
        let resolver = self.holding(Kind::Resolver(promise));
        let site = Site { this, ..Self::plain_site(then, origin, How::Callback) };
        let arg = Arg { node: resolver, is_spread: false };
        self.new_site(site, &[arg, arg]);
    }

    /// What iterating an object gives.
    pub(crate) fn iterate(&mut self, object: Object, key: Key, to: Node, origin: u32) {
        match self.objects.kind(object) {
            Kind::Typed(ty, from) => {
                // `list[Symbol.iterator] = …`
                if self.sets_iterators && from != Origin::Outside && self.is_collection_type(ty) {
                    let prototype = self.prop(object, Key::PROTO);
                    if let Some(key) = self.names.get(ITERATOR) {
                        let own = self.prop(object, key);
                        self.constrain(
                            prototype,
                            Constraint::Load { key, to: own, origin: u32::MAX },
                        );
                    }
                    self.iterate_own(object, to, origin);
                }
                if self.members.is_a(ty, self.types.map) {
                    let entries = self.entries_of(object);
                    return self.flow.add(to, entries);
                }
                self.run_generator(ty, from, origin);
                self.elements(object, key, to);
            }
            Kind::Literal(_) | Kind::Instance(_) | Kind::FunctionInstance(_) => {
                self.iterate_own(object, to, origin);
            }
            Kind::Data | Kind::Unknown(_) => self.flow.add(to, object),
            Kind::Described(..) => self.give_unknown(to, Cause::Entry),
            _ => {}
        }
    }

    /// Whether objects of a type are arrays, sets or maps.
    pub(crate) fn is_collection_type(&self, ty: TypeId) -> bool {
        let data = self.members.type_data(ty);
        data.module.module == "ecmascript" && matches!(data.name, "Array" | "Map" | "Set")
    }

    /// Whether going over an array, a set or a map may run code of the program: it has an iterator of its own
    /// or another prototype, or all of its type do.
    pub(crate) fn iterates_by_program(&self, object: Object) -> bool {
        let Kind::Typed(ty, _) = self.objects.kind(object) else { return false };
        let holds =
            |key: Key| self.existing_prop(object, key).is_some_and(|it| !self.flow.is_empty(it));
        if holds(Key::PROTO) {
            return true;
        }
        let Some(key) = self.names.get(ITERATOR).filter(|_| self.sets_iterators) else {
            return false;
        };
        let is_of_all = |&(of, under): &(Object, Key)| match self.objects.kind(of) {
            Kind::Member(member) => {
                under == key && self.members.get(member).prototype_of == Some(ty)
            }
            _ => false,
        };
        holds(key)
            || holds(key.getter())
            || self.replaced.contains_key(&(object, key))
            || self.replaced.keys().any(is_of_all)
    }

    /// The body of a generator of the program runs where what a call of it gives is iterated (ECMA-262,
    /// 27.5.3.3).
    pub(crate) fn run_generator(&mut self, ty: TypeId, from: Origin, origin: u32) {
        let is_generator = ty == self.types.generator || ty == self.types.async_generator;
        if let Origin::Function(function) = from
            && is_generator
            && origin != u32::MAX
        {
            self.record(origin, function, true);
        }
    }

    /// An object with an iterator of its own (ECMA-262, 7.4).
    fn iterate_own(&mut self, object: Object, to: Node, origin: u32) {
        self.when_there(object, Key::ELEMENT, Awaiting::Edge(to));
        // An iterator may be its own iterator: what it gives, and runs, is worked out once.
        if let Some(&runs) = self.iterated.get(&object) {
            return self.runs(runs, origin);
        }
        let runs = self.flow.node();
        self.iterated.insert(object, runs);
        for name in ["@@iterator", "@@asyncIterator"] {
            let Some(key) = self.names.get(name) else { continue };
            let method = match self.objects.kind(object) {
                Kind::Typed(..) => {
                    let method = self.flow.node();
                    self.load(object, key, method, u32::MAX);
                    method
                }
                _ => self.reading(object, key).value,
            };
            self.constrain(method, Constraint::IterateBy { object, method, origin });
        }
    }

    /// An object has something that gives its iterator, which `callee` holds: hardly any has, so that it is called
    /// then. What nobody knows gives what nobody knows.
    pub(crate) fn iterate_by(&mut self, method: Object, object: Object, callee: Node, origin: u32) {
        if let Kind::Unknown(cause) = self.objects.kind(method) {
            self.flow.add(self.escaped, object);
            let elements = self.prop(object, Key::ELEMENT);
            return self.give_unknown(elements, cause.of_result());
        }
        if !self.iterating.insert((object, callee)) {
            return;
        }
        let (elements, this) = (self.prop(object, Key::ELEMENT), self.node_of(object));
        let iterator = self.flow.node();
        let how = How::Callback;
        let site = Site { this, result: iterator, ..Self::plain_site(callee, origin, how) };
        self.new_site(site, &[]);
        self.constrain(iterator, Constraint::iterate(elements, u32::MAX));
        let next = self.next_of_iterator(iterator, elements, origin);
        let Some(&runs) = self.iterated.get(&object) else { return };
        for method in [callee, next] {
            self.constrain(method, Constraint::PassKnown { to: runs });
        }
    }

    /// `iterator.next().value`; returns what `next` may be.
    fn next_of_iterator(&mut self, iterator: Node, elements: Node, origin: u32) -> Node {
        let next = self.flow.node();
        let key = self.names.key("next");
        self.constrain(iterator, Constraint::Load { key, to: next, origin: u32::MAX });
        let step = self.flow.node();
        let site =
            Site { this: iterator, result: step, ..Self::plain_site(next, origin, How::Callback) };
        self.new_site(site, &[]);
        let result = self.flow.node();
        self.constrain(step, Constraint::Await { to: result });
        let key = Key::ITERATOR_VALUE;
        self.constrain(result, Constraint::Load { key, to: elements, origin: u32::MAX });
        next
    }

    fn call_bound(&mut self, site: SiteId, bound: SiteId) {
        let data = self.site(site);
        let of = self.site(bound);
        let mut args: Vec<Arg> = self.site_args(bound).into_iter().skip(1).collect();
        args.extend(self.site_args(site));
        let this = self.site_args(bound).first().map_or(Node::NONE, |it| it.node);
        // `this` of a `bind` is the function that is bound.
        let depth = data.depth + 1;
        let is_bound = data.is_bound || self.site_args(bound).len() > 1;
        let site = Site {
            callee: of.this,
            this,
            depth,
            gives_this: true,
            by_bind: true,
            is_bound,
            ..data
        };
        self.new_site(site, &args);
    }

    fn call_promisified_function(&mut self, site: SiteId, of: SiteId) {
        let data = self.site(site);
        let promise = self.typed(self.types.promise, Origin::Inst(data.origin, 0));
        self.flow.add(data.result, promise);
        let Some(&function) = self.site_args(of).first() else { return };
        // The callback is called with an error and a value.
        let callback = self.holding(Kind::NodeCallback(promise));
        let mut args = self.site_args(site);
        args.push(Arg { node: callback, is_spread: false });
        let site =
            Site { callee: function.node, result: Node::NONE, depth: data.depth + 1, ..data };
        self.new_site(site, &args);
    }
}
