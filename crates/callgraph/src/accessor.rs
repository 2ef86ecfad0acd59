//! Getters and setters, and what they are called on (ECMA-262, 10.1.8 and 10.1.9).
//!
//! Those of classes are known from the start. Others stand in properties of their own, beside what
//! an object holds under the same key; [`Key::ALL`] has all of an object.

use crate::awaiting::Awaiting;
use crate::flow::Constraint;
use crate::ids::{Key, MemberId, Node, Object, SiteId};
use crate::object::Kind;
use crate::reading::RunsId;
use crate::site::{Arg, How, Site};
use crate::solver::Solver;
use headstart_ir::MemberKind;
use smallvec::SmallVec;

/// How many getters under computed keys are called for a read by name.
const MOST_GETTERS: usize = 3;

/// How many classes that one may extend, whether itself or by others, are looked through. No chain is
/// longer.
const MOST_ANCESTORS: usize = 32;

/// A call of an accessor that everybody shares who reads or stores by way of it at one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccessorCall {
    /// What is stored; none where it is read.
    value: Node,
    /// What it gives; none where something is stored.
    result: Node,
}

/// What storing under a key of an object does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// What is stored.
    value: Node,
    /// What storing runs.
    runs: RunsId,
    /// Whether a setter certainly takes it.
    is_taken: bool,
}

impl Solver<'_> {
    /// Everything that inherits from an object, itself included: what accessors found there are
    /// called on.
    pub(crate) fn heirs(&mut self, object: Object) -> Node {
        if let Some(&node) = self.heirs.get(&object) {
            return node;
        }
        let kind = self.objects.kind(object);
        let node = match kind {
            Kind::Instance(class) | Kind::Prototype(class) => self.instances[class as usize],
            Kind::Class(class) => self.statics[class as usize],
            _ => self.flow.node(),
        };
        if !matches!(kind, Kind::Prototype(_)) {
            self.flow.add(node, object);
        }
        self.heirs.insert(object, node);
        if let Kind::FunctionInstance(function) = kind {
            let prototype = self.prototype_of(function);
            self.constrain(prototype, Constraint::Inherit { heirs: node });
        }
        node
    }

    /// What has `prototype` as its prototype has its accessors, too.
    pub(crate) fn inherit_from(&mut self, prototype: Object, heirs: Node) {
        let to = self.heirs(prototype);
        self.flow.edge(heirs, to);
    }

    /// The node of what a function's `prototype` may be.
    pub(crate) fn prototype_of(&mut self, function: u32) -> Node {
        let object = self.object(Kind::Function(function));
        let prototype = self.prop(object, Key::PROTOTYPE);
        self.give(prototype, Kind::FunctionPrototype(function));
        prototype
    }

    /// A property of an object has got its node: what it may be an accessor or a prototype for.
    pub(crate) fn connect_accessor(&mut self, object: Object, key: Key, node: Node) {
        if key == Key::PROTO && self.has_set_prototype(self.objects.kind(object)) {
            self.constrain(node, Constraint::Prototype { of: object });
        }
        if !key.is_accessor() {
            return;
        }
        let heirs = self.heirs(object);
        let all = if key.of_getter().is_some() { Key::ALL.getter() } else { Key::ALL.setter() };
        if key != all {
            let all = self.prop(object, all);
            self.flow.edge(node, all);
            self.constrain(node, Constraint::Accessor { heirs });
        }
    }

    /// A function is an accessor: whoever calls it, it is called on what has it.
    pub(crate) fn has_accessor(&mut self, accessor: Object, heirs: Node) {
        if let Kind::Function(function) = self.objects.kind(accessor)
            && self.takes_receiver(function)
        {
            self.flow.edge(heirs, self.functions[function as usize].this);
        }
    }

    /// Does something with the accessors that an access to a key may run: literals have theirs from the start, others
    /// are made by `Object.defineProperty`.
    pub(crate) fn with_accessors(
        &mut self,
        object: Object,
        key: Key,
        of: fn(Key) -> Key,
        awaiting: Awaiting,
    ) {
        let (accessor, is_defined) = match key {
            Key::DYNAMIC => (of(Key::ALL), !self.defined.is_empty()),
            _ => (of(key), self.defined.contains(&key)),
        };
        if is_defined || self.existing_prop(object, accessor).is_some() {
            self.when_there(object, accessor, awaiting);
        }
    }

    /// Whether accessors under computed keys may be run by an access by name. Only the program puts something under
    /// the names that a class or a literal declares.
    fn may_be_computed(&mut self, object: Object, key: Key, of: fn(Key) -> Key) -> bool {
        let is_defined = self.defined.contains(&Key::DYNAMIC);
        if !is_defined && self.existing_prop(object, of(Key::DYNAMIC)).is_none() {
            return false;
        }
        let name = self.names.text(key);
        let is_inherited = self.members.of_type(self.types.object, key, name).is_some();
        let is_declared = match self.objects.kind(object) {
            Kind::Instance(class) | Kind::Prototype(class) => self.is_declared(class, key),
            _ => self.literal_keys.contains(&(object, key)),
        };
        !is_declared && !is_inherited && key != Key::DYNAMIC && key.is_property()
    }

    /// Whether a class, or what it extends, declares something under a key for its instances. Where
    /// there is very much that it may extend, that is not looked through.
    fn is_declared(&mut self, class: u32, key: Key) -> bool {
        let mut classes = vec![class];
        let mut next = 0;
        while let Some(&class) = classes.get(next) {
            next += 1;
            if self.declared[class as usize].contains(&key) {
                return true;
            }
            let parents: SmallVec<[Object; 4]> =
                self.flow.objects(self.parents[class as usize]).collect();
            for parent in parents {
                match self.objects.kind(parent) {
                    Kind::Class(parent)
                        if classes.len() < MOST_ANCESTORS && !classes.contains(&parent) =>
                    {
                        classes.push(parent);
                    }
                    Kind::Member(parent) if self.makes_with(parent, key) => return true,
                    _ => {}
                }
            }
        }
        false
    }

    /// Whether what `new` of a member makes has a member of its own under a key.
    pub(crate) fn makes_with(&mut self, class: MemberId, key: Key) -> bool {
        let name = self.names.text(key);
        let ty = self.instance_type_of(class);
        ty.is_some_and(|ty| self.members.of_type(ty, key, name).is_some())
    }

    /// What the getters of an object under a key return goes to a node.
    pub(crate) fn load_accessor(&mut self, object: Object, key: Key, to: Node, origin: u32) {
        self.load_platform_getters(object, key, to, origin);
        let calls = Awaiting::Constraint(Constraint::Getter { to, origin });
        self.with_accessors(object, key, Key::getter, calls);
        if self.may_be_computed(object, key, Key::getter) {
            self.when_there(object, Key::DYNAMIC.getter(), Awaiting::Getters { to, origin });
        }
    }

    /// A getter of an object is called.
    pub(crate) fn call_getter(&mut self, getter: Object, to: Node, origin: u32) {
        let call = self.call_accessor(getter, origin, false);
        self.flow.edge(call.result, to);
    }

    /// A getter under a computed key may be called for what is read by name: hardly ever this one, so
    /// that what it returns is not followed.
    pub(crate) fn call_computed_getter(
        &mut self,
        getter: Object,
        object: Object,
        to: Node,
        origin: u32,
    ) {
        let computed = self.prop(object, Key::DYNAMIC.getter());
        if self.flow.objects(computed).count() > MOST_GETTERS {
            // As bundles define them for their exports.
            self.flow.add(self.escaped, getter);
            self.note_too_many(origin);
        } else {
            self.call_getter(getter, self.escaped, origin);
        }
        self.flow.add(to, self.computed_key);
    }

    /// A setter of an object is called with a value.
    pub(crate) fn call_setter(&mut self, setter: Object, from: Node, origin: u32) {
        let call = self.call_accessor(setter, origin, true);
        self.flow.edge(from, call.value);
    }

    /// A setter under a computed key may be called with a value that is stored by name: hardly ever
    /// this one, so that the value is not followed.
    pub(crate) fn call_computed_setter(&mut self, setter: Object, from: Node, origin: u32) {
        self.flow.edge(from, self.escaped);
        let value = self.flow.node();
        self.flow.add(value, self.computed_key);
        self.call_setter(setter, value, origin);
    }

    /// An accessor is called; what it is called on is known. Those who read or store at one place, and all who do
    /// so at none, share the call: each getter of a file that is bundled stands in front of each reader.
    fn call_accessor(&mut self, accessor: Object, origin: u32, is_setter: bool) -> AccessorCall {
        let origin = self.origin_of_accessor(accessor, origin);
        if let Some(&known) = self.accessor_calls.get(&(accessor, origin, is_setter)) {
            return known;
        }
        let callee = self.node_of(accessor);
        let (value, result) = match is_setter {
            true => (self.flow.node(), Node::NONE),
            false => (Node::NONE, self.flow.node()),
        };
        let call = AccessorCall { value, result };
        self.accessor_calls.insert((accessor, origin, is_setter), call);
        let site = Site { result, ..Self::plain_site(callee, origin, How::Callback) };
        let args = [Arg { node: value, is_spread: false }];
        self.new_site(site, &args[..usize::from(is_setter)]);
        call
    }

    /// Whether a value that is stored under a key may go to a setter.
    pub(crate) fn may_be_set(&self, key: Key) -> bool {
        match key {
            Key::DYNAMIC => !self.setters.is_empty(),
            _ => self.setters.contains(&key) || self.setters.contains(&Key::DYNAMIC),
        }
    }

    /// A value goes to the setters that an object has or inherits under a key; whether one certainly
    /// takes it.
    pub(crate) fn store_accessor(
        &mut self,
        object: Object,
        key: Key,
        from: Node,
        origin: u32,
    ) -> bool {
        if !self.may_be_set(key) {
            return false;
        }
        let setting = self.setting(object, key);
        self.store_by(setting, from, origin);
        setting.is_taken
    }

    /// A value goes to the setters of a setting, and an instruction runs them.
    pub(crate) fn store_by(&mut self, setting: Setting, from: Node, origin: u32) {
        self.flow.edge(from, setting.value);
        self.runs_what(setting.runs, origin);
    }

    /// The setters that an object has or inherits under a key, called with all that is stored there.
    fn setting(&mut self, object: Object, key: Key) -> Setting {
        if let Some(&known) = self.settings.get(&(object, key)) {
            return known;
        }
        let (value, runs) = (self.flow.node(), self.readings.later());
        // Prototypes may run in circles.
        let setting = Setting { value, runs, is_taken: false };
        self.settings.insert((object, key), setting);
        let is_taken = self.store_by_accessors(object, key, value, runs.0);
        let setting = Setting { is_taken, ..setting };
        self.settings.insert((object, key), setting);
        setting
    }

    /// The setters that an object has under computed keys, called for what is stored by name.
    pub(crate) fn computed_setters(&mut self, object: Object, setters: Node) -> Setting {
        let key = Key::DYNAMIC.setter();
        if let Some(&known) = self.settings.get(&(object, key)) {
            return known;
        }
        let setting =
            Setting { value: self.flow.node(), runs: self.readings.later(), is_taken: false };
        self.settings.insert((object, key), setting);
        let (from, origin) = (setting.value, setting.runs.0);
        self.constrain(setters, Constraint::ComputedSetter { from, origin });
        setting
    }

    fn store_by_accessors(&mut self, object: Object, key: Key, from: Node, origin: u32) -> bool {
        let calls = Awaiting::Constraint(Constraint::Setter { from, origin });
        self.with_accessors(object, key, Key::setter, calls);
        if self.may_be_computed(object, key, Key::setter) {
            self.when_there(object, Key::DYNAMIC.setter(), Awaiting::Setters { from, origin });
        }
        let kind = self.objects.kind(object);
        let next = Constraint::StoreAccessor { key, from, origin };
        let is_taken = match kind {
            Kind::Instance(class) => {
                let prototype = self.object(Kind::Prototype(class));
                self.store_accessor(prototype, key, from, origin)
            }
            Kind::Prototype(class) => {
                let is_taken = self.store_by_setter((class, key, false), from, origin);
                if !is_taken {
                    let parent = self.parents[class as usize];
                    self.constrain(parent, Constraint::StoreInherited { key, from, origin });
                }
                is_taken
            }
            Kind::Class(class) => {
                let is_taken = self.store_by_setter((class, key, true), from, origin);
                if !is_taken {
                    self.constrain(self.parents[class as usize], next);
                }
                is_taken
            }
            Kind::FunctionInstance(function) => {
                let prototype = self.prototype_of(function);
                self.constrain(prototype, next);
                false
            }
            // An accessor takes the place of a value.
            _ => self.existing_prop(object, key.setter()).is_some() && !self.defined.contains(&key),
        };
        if self.has_set_prototype(kind) {
            let prototype = self.prop(object, Key::PROTO);
            self.constrain(prototype, next);
        }
        is_taken
    }

    /// Whether an object may have another prototype than the one that its kind has.
    pub(crate) fn has_set_prototype(&self, kind: Kind<'_>) -> bool {
        match kind {
            Kind::Instance(_)
            | Kind::FunctionInstance(_)
            | Kind::Prototype(_)
            | Kind::Class(_)
            | Kind::Function(_) => self.sets_prototypes,
            _ => true,
        }
    }

    /// A value goes to the setters that instances of the class `object` inherit.
    pub(crate) fn store_inherited(&mut self, object: Object, key: Key, from: Node, origin: u32) {
        match self.objects.kind(object) {
            Kind::Class(class) => {
                let prototype = self.object(Kind::Prototype(class));
                self.store_accessor(prototype, key, from, origin);
            }
            Kind::Function(function) => {
                let prototype = self.prototype_of(function);
                self.constrain(prototype, Constraint::StoreAccessor { key, from, origin });
            }
            _ => {}
        }
    }

    /// A value goes to the setters that a class itself declares; whether that is all that happens.
    fn store_by_setter(
        &mut self,
        (class, key, is_static): (u32, Key, bool),
        from: Node,
        origin: u32,
    ) -> bool {
        let mut is_set = false;
        for (kind, function) in self.class_member(class, key, is_static) {
            if kind == MemberKind::Setter {
                let nodes = self.functions[function as usize];
                if nodes.count > 0 {
                    self.flow.edge(from, nodes.params);
                }
                self.record(origin, function, true);
                is_set = true;
            }
        }
        is_set && key != Key::DYNAMIC
    }

    /// Whether an object certainly has a getter or a setter under a key, from its literal or its
    /// class, and no value that takes its place.
    pub(crate) fn certainly_has(&self, object: Object, key: Key, of: MemberKind) -> bool {
        let holds = |key: Key| {
            let own = self.existing_prop(object, key);
            own.is_some_and(|own| !self.flow.is_empty(own))
        };
        // A setter that is inherited leaves its value with the object, too, as far as is known.
        if self.defined.contains(&key) || (of == MemberKind::Getter && holds(key)) {
            return false;
        }
        match self.objects.kind(object) {
            Kind::Instance(class) => self.certainly_declares((class, key, false), of),
            Kind::Class(class) => self.certainly_declares((class, key, true), of),
            _ => {
                let accessor = if of == MemberKind::Getter { key.getter() } else { key.setter() };
                self.existing_prop(object, accessor).is_some()
            }
        }
    }

    /// Whether all that a class may be by what it extends declares an accessor, and nothing before it.
    fn certainly_declares(
        &self,
        (class, key, is_static): (u32, Key, bool),
        of: MemberKind,
    ) -> bool {
        let mut classes = vec![class];
        let mut next = 0;
        while let Some(&class) = classes.get(next) {
            next += 1;
            let declared = self.class_member(class, key, is_static);
            if declared.iter().any(|it| it.0 == of) {
                continue;
            }
            let parents = self.parents[class as usize];
            if !declared.is_empty() || self.flow.is_empty(parents) {
                return false;
            }
            for parent in self.flow.objects(parents) {
                let Kind::Class(parent) = self.objects.kind(parent) else { return false };
                // It may run in a circle, and then has none.
                if classes.contains(&parent) || classes.len() >= MOST_ANCESTORS {
                    return false;
                }
                classes.push(parent);
            }
        }
        true
    }

    /// `Object.defineProperty(object, key, descriptor)`
    pub(crate) fn define_property(&mut self, site: SiteId, object: Object) {
        let Some(descriptor) = self.site_args(site).get(2).copied() else { return };
        let key = self.string_argument(site, 1).unwrap_or(Key::DYNAMIC);
        self.describe(descriptor.node, object, key, self.site(site).origin);
    }

    /// `Object.defineProperties(object, descriptors)`, and what `Object.create` does with those.
    pub(crate) fn define_properties(&mut self, site: SiteId, object: Object) {
        let Some(descriptors) = self.site_args(site).get(1).copied() else { return };
        let origin = self.site(site).origin;
        self.note_replaced(object, Key::DYNAMIC, origin);
        let each = self.flow.node();
        self.constrain(descriptors.node, Constraint::Held { to: each, origin });
        self.describe(each, object, Key::DYNAMIC, origin);
    }

    /// What an object has under a key is put into a descriptor, which others may change.
    pub(crate) fn describe_own(&mut self, site: SiteId, object: Object, key: Key) {
        let descriptor = self.object(Kind::Literal(self.site(site).origin));
        let value = self.names.key("value");
        let value = self.prop(descriptor, value);
        self.load(object, key, value, u32::MAX);
        for (name, of) in [("get", key.getter()), ("set", key.setter())] {
            let name = self.names.key(name);
            let to = self.prop(descriptor, name);
            let from = self.prop(object, of);
            self.flow.edge(from, to);
        }
    }

    /// A descriptor says what an object has under a key.
    fn describe(&mut self, descriptor: Node, object: Object, key: Key, origin: u32) {
        if self.objects.kind(object) == Kind::Data {
            return self.store_in_data(descriptor);
        }
        for (name, to) in [("value", key), ("get", key.getter()), ("set", key.setter())] {
            self.note_replaced(object, to, origin);
            if self.is_many(object) {
                self.store_widely(key, origin);
            }
            let to = self.changed_prop(object, to);
            if name == "get" {
                self.collect_platform_getters(object, key, to);
            }
            let key = self.names.key(name);
            self.constrain(descriptor, Constraint::Load { key, to, origin });
        }
    }
}
