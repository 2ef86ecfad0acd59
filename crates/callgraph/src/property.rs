//! Reading and writing properties.

use headstart_ir::MemberKind;

use crate::awaiting::Awaiting;
use crate::flow::Constraint;
use crate::ids::{Key, MemberId, Node, Object};
use crate::member::MemberData;
use crate::object::{Cause, Kind, Origin};
use crate::solver::Solver;

/// How many things that are written under computed keys are told apart where they are read.
const MOST_REGISTERED: u32 = 8;

/// How many properties that are copied into an object are told apart, beside those that it sets itself.
const MOST_COPIED: u32 = 100;

/// How many objects that are copied into one are told apart.
const MOST_SOURCES: u32 = 12;

impl<'p> Solver<'p> {
    /// A property of an object goes to a node.
    pub(crate) fn load(&mut self, object: Object, key: Key, to: Node, origin: u32) {
        let kind = self.objects.kind(object);
        match kind {
            Kind::Unknown(_) => return self.flow.add(to, object),
            Kind::Data | Kind::Environment => return self.load_of_data(key, to),
            Kind::Described(file, ty) => return self.load_described(file, ty, key, to),
            Kind::Namespace(file) => return self.load_export(file, key, to),
            Kind::Member(member) => return self.load_of_member(object, member, key, to, origin),
            Kind::Typed(..) => return self.load_of_typed(object, key, to, origin),
            _ => {}
        }
        let reading = self.reading(object, key);
        self.read(reading, to, origin);
    }

    /// What an object of the program has under a key, itself or by what it inherits from.
    pub(crate) fn load_of_object(&mut self, object: Object, key: Key, to: Node, origin: u32) {
        let kind = self.objects.kind(object);
        match kind {
            Kind::Instance(class) => return self.load_of_instance(object, class, key, to, origin),
            Kind::Prototype(class) => {
                return self.load_of_prototype(object, class, key, to, origin);
            }
            Kind::Class(class) => return self.load_of_class(object, class, key, to, origin),
            _ => {}
        }
        self.load_own(object, key, to, origin);
        match kind {
            Kind::Function(function) => {
                if key == Key::PROTOTYPE {
                    self.prototype_of(function);
                }
                self.load_of_set_prototype(object, key, to, origin);
                self.load_of_type(self.types.function, key, to);
            }
            Kind::FunctionInstance(function) => {
                let prototype = self.prototype_of(function);
                self.read_on(prototype, Constraint::Load { key, to, origin });
                self.load_of_set_prototype(object, key, to, origin);
                self.load_computed(object, to, false);
            }
            Kind::FunctionPrototype(function) => {
                if key == Key::CONSTRUCTOR {
                    self.give(to, Kind::Function(function));
                }
                self.load_prototype(object, key, to, origin);
            }
            Kind::Literal(_) | Kind::Exports(_) | Kind::Module(_) => {
                if self.literal_keys.contains(&(object, key)) {
                    self.load_computed(object, to, true);
                } else {
                    self.load_computed(object, to, false);
                }
                self.load_prototype(object, key, to, origin);
            }
            _ => self.load_of_type(self.types.function, key, to),
        }
    }

    /// What an object itself has under a key.
    fn load_own(&mut self, object: Object, key: Key, to: Node, origin: u32) {
        if self.is_element_key(key) && key != Key::DYNAMIC {
            self.load_element(object, key, to);
        } else if key == Key::DYNAMIC {
            let all = self.prop(object, Key::ALL);
            self.flow.edge(all, to);
            self.read_widened(object, Key::ALL);
        } else {
            self.when_there(object, key, Awaiting::Edge(to));
            self.read_widened(object, key);
        }
        self.load_accessor(object, key, to, origin);
    }

    /// What an object inherits that has got another prototype than its kind has.
    fn load_of_set_prototype(&mut self, object: Object, key: Key, to: Node, origin: u32) {
        if self.sets_prototypes {
            let prototype = self.prop(object, Key::PROTO);
            self.read_on(prototype, Constraint::Load { key, to, origin });
        }
    }

    /// A registry: what is written under computed keys is read under computed keys. Few things are
    /// followed; of many, hardly any is meant at one place.
    pub(crate) fn read_computed(&mut self, object: Object, to: Node) {
        let count = self.computed.entry(to).or_default();
        *count += 1;
        if *count <= MOST_REGISTERED {
            self.flow.add(to, object);
        } else {
            self.read_dynamic(object, to);
        }
    }

    /// What was written under some key may be read under any other, which is hardly ever so: it is
    /// not followed, but counts as unknown, and its owner as unknown code that has hold of it.
    pub(crate) fn read_dynamic(&mut self, object: Object, to: Node) {
        match self.objects.kind(object) {
            Kind::Data | Kind::Unknown(_) => self.flow.add(to, object),
            Kind::Typed(ty, Origin::Outside)
                if [self.types.string, self.types.number, self.types.boolean].contains(&ty) =>
            {
                self.flow.add(to, object);
            }
            _ => {
                self.flow.add(self.escaped, object);
                self.flow.add(to, self.computed_key);
            }
        }
    }

    fn load_prototype(&mut self, object: Object, key: Key, to: Node, origin: u32) {
        let prototype = self.prop(object, Key::PROTO);
        self.read_on(prototype, Constraint::Load { key, to, origin });
        self.load_of_type(self.types.object, key, to);
    }

    /// A member that objects of a type have, if it lists one.
    fn load_of_type(&mut self, ty: crate::ids::TypeId, key: Key, to: Node) {
        let name = self.names.text(key);
        if name.is_empty() {
            return;
        }
        let object = self.types.object;
        let found =
            self.members.of_type(ty, key, name).or_else(|| self.members.of_type(object, key, name));
        if let Some(member) = found {
            self.give_member(to, member);
        }
    }

    /// What stands under a computed key of an object any name of which is an object of one type: a
    /// delegate of a client. What else it has are methods, and no method has theirs.
    fn load_any_of_type(&mut self, ty: crate::ids::TypeId, to: Node) {
        let data = self.members.type_data(ty);
        let Some(row) = data.row.members.get("*") else { return };
        let named = row.is_a.as_deref().filter(|_| !row.anything);
        if let Some(ty) = named.and_then(|name| self.members.type_named(data.module, name)) {
            self.give(to, Kind::Typed(ty, Origin::Outside));
        }
    }

    /// The value of a member: an object of a type where its row says so.
    pub(crate) fn give_member(&mut self, to: Node, member: MemberId) {
        let row = self.members.get(member).row;
        if let Some((module, row)) = row
            && let Some(name) = row.is_a.as_deref()
            && let Some(ty) = self.members.type_named(module, name)
        {
            return self.give(to, Kind::Typed(ty, Origin::Outside));
        }
        let described = self.members.get(member);
        if matches!(
            (described.module, described.path.as_slice()),
            ("process", ["env"] | ["default", "env"]) | ("globals", ["process", "env"])
        ) {
            return self.give(to, Kind::Environment);
        }
        let is_data = row.is_some_and(|(_, row)| row.constant && row.call.is_none())
            && !self.members.is_module(member);
        self.give(to, if is_data { Kind::Data } else { Kind::Member(member) });
    }

    fn load_of_data(&mut self, key: Key, to: Node) {
        let types = self.types;
        for ty in [types.array, types.string, types.number] {
            self.load_of_type(ty, key, to);
        }
        self.give(to, Kind::Data);
    }

    fn load_of_typed(&mut self, object: Object, key: Key, to: Node, origin: u32) {
        let Kind::Typed(ty, made) = self.objects.kind(object) else { return };
        let is_element = self.is_element_key(key);
        self.load_accessor(object, key, to, origin);
        let is_outside = made == Origin::Outside;
        if is_outside && ty == self.types.string {
            if is_element {
                self.flow.edge(self.string, to);
            }
        } else if is_element {
            self.load_element(object, key, to);
            if is_outside {
                self.give(to, Kind::Data);
            }
        } else {
            self.load_put(object, key, to);
            if !is_outside {
                self.read_widened(object, key);
            }
        }
        if key == Key::DYNAMIC {
            self.load_all_put(object, to);
        }
        self.load_of_type(ty, key, to);
        if key == Key::DYNAMIC {
            self.load_any_of_type(ty, to);
        }
        let name = self.names.text(key);
        let is_ours = self.members.type_data(ty).module.module == "ecmascript";
        if !is_ours && !name.is_empty() && self.flow.is_empty(to) {
            let module = self.members.type_data(ty).module.module.as_str();
            if self.members.of_type(ty, key, name).is_none() {
                self.give_unknown(to, Cause::NoSuchMember(module));
            }
        }
    }

    fn load_of_member(
        &mut self,
        object: Object,
        member: MemberId,
        key: Key,
        to: Node,
        origin: u32,
    ) {
        if let Some(own) = self.existing_prop(object, key) {
            self.flow.edge(own, to);
        }
        self.load_platform_getters(object, key, to, origin);
        if let Some(kept) = self.assigned_global(member, key) {
            return kept.into_iter().for_each(|it| self.flow.edge(it, to));
        }
        let name = self.names.text(key);
        if name.is_empty() {
            let MemberData { module, .. } = *self.members.get(member);
            return self.give_unknown(to, Cause::NoSuchMember(module));
        }
        let found = self.members.member(member, key, name);
        let function = self.types.function;
        let is_root = self.members.get(member).path.is_empty();
        let found = match found {
            None if !is_root => self.members.of_type(function, key, name),
            found => found,
        };
        match found {
            Some(found) => self.give_member(to, found),
            None => {
                let MemberData { module, .. } = *self.members.get(member);
                self.give_unknown(to, Cause::NoSuchMember(module));
            }
        }
    }

    fn load_of_instance(&mut self, object: Object, class: u32, key: Key, to: Node, origin: u32) {
        self.load_own(object, key, to, origin);
        self.load_of_set_prototype(object, key, to, origin);
        if key == Key::CONSTRUCTOR {
            self.give(to, Kind::Class(class));
        }
        // Only the program puts something under the names that a class declares.
        if self.declared[class as usize].contains(&key) {
            self.load_computed(object, to, true);
        } else if key != Key::DYNAMIC {
            self.load_computed(object, to, false);
        }
        // What the class sets up itself is found before what it may inherit.
        if !self.declared[class as usize].contains(&key)
            || !self.class_member(class, key, false).is_empty()
        {
            let prototype = self.object(Kind::Prototype(class));
            self.load_of_prototype(prototype, class, key, to, origin);
        } else {
            // A field is not there yet while the constructors of its bases run, and others perhaps never.
            let parent = self.parents[class as usize];
            self.read_on(parent, Constraint::LoadHidden { key, to, origin });
        }
    }

    /// What classes of the program that an instance inherits from declare under a key.
    pub(crate) fn load_hidden(&mut self, object: Object, key: Key, to: Node, origin: u32) {
        match self.objects.kind(object) {
            Kind::Class(class) => {
                self.load_declared(class, key, false, to, origin);
                let instance = self.object(Kind::Instance(class));
                if self.declared[class as usize].contains(&key) {
                    self.load_own(instance, key, to, origin);
                }
                let prototype = self.object(Kind::Prototype(class));
                self.load_own(prototype, key, to, origin);
                let parent = self.parents[class as usize];
                self.read_on(parent, Constraint::LoadHidden { key, to, origin });
            }
            Kind::Function(function) => {
                let prototype = self.prototype_of(function);
                self.read_on(prototype, Constraint::Load { key, to, origin });
            }
            _ => {}
        }
    }

    fn load_of_prototype(&mut self, object: Object, class: u32, key: Key, to: Node, origin: u32) {
        self.load_own(object, key, to, origin);
        self.load_computed(object, to, true);
        self.load_of_set_prototype(object, key, to, origin);
        self.load_from_class(class, key, to, origin);
    }

    fn load_of_class(&mut self, object: Object, class: u32, key: Key, to: Node, origin: u32) {
        if key == Key::PROTOTYPE {
            return self.give(to, Kind::Prototype(class));
        }
        self.load_own(object, key, to, origin);
        self.load_computed(object, to, true);
        self.load_of_set_prototype(object, key, to, origin);
        if self.load_declared(class, key, true, to, origin) {
            return;
        }
        let parent = self.parents[class as usize];
        self.read_on(parent, Constraint::Load { key, to, origin });
        self.load_of_type(self.types.function, key, to);
    }

    /// What a class declares under a key, or one that it extends.
    fn load_from_class(&mut self, class: u32, key: Key, to: Node, origin: u32) {
        if key == Key::CONSTRUCTOR {
            self.give(to, Kind::Class(class));
        }
        if self.load_declared(class, key, false, to, origin) && key != Key::DYNAMIC {
            return;
        }
        let parent = self.parents[class as usize];
        if parent.is_none() {
            self.load_of_type(self.types.object, key, to);
        } else {
            self.read_on(parent, Constraint::LoadInherited { key, to, origin });
        }
    }

    /// A method or accessor that a class itself declares; whether there is one.
    fn load_declared(
        &mut self,
        class: u32,
        key: Key,
        is_static: bool,
        to: Node,
        origin: u32,
    ) -> bool {
        let found = self.class_member(class, key, is_static);
        let computed = self.computed_members.get(&(class, is_static)).cloned().unwrap_or_default();
        for &(kind, function) in found.iter().chain(&computed) {
            match kind {
                MemberKind::Method => self.give(to, Kind::Function(function)),
                MemberKind::Getter => {
                    let result = self.functions[function as usize].result;
                    self.flow.edge(result, to);
                    self.record(origin, function, true);
                }
                MemberKind::Constructor | MemberKind::Setter => {}
            }
        }
        !found.is_empty()
    }

    /// As [`Self::load`], from what instances of the class `object` inherit.
    pub(crate) fn load_inherited(&mut self, object: Object, key: Key, to: Node, origin: u32) {
        match self.objects.kind(object) {
            Kind::Class(class) => {
                let prototype = self.object(Kind::Prototype(class));
                self.load(prototype, key, to, origin);
                // Fields that the parent's own instances get.
                let instance = self.object(Kind::Instance(class));
                if self.declared[class as usize].contains(&key) {
                    self.load_own(instance, key, to, origin);
                }
            }
            Kind::Function(function) => {
                let prototype = self.prototype_of(function);
                self.read_on(prototype, Constraint::Load { key, to, origin });
            }
            Kind::Member(member) => match self.instance_type_of(member) {
                Some(ty) => self.load_of_type(ty, key, to),
                None => {
                    let MemberData { module, .. } = *self.members.get(member);
                    self.give_unknown(to, Cause::Model(module));
                }
            },
            Kind::Unknown(_) => self.flow.add(to, object),
            _ => {}
        }
    }

    /// The type of what `new` of a member makes.
    pub(crate) fn instance_type_of(&mut self, member: MemberId) -> Option<crate::ids::TypeId> {
        let (module, row) = self.members.get(member).row?;
        // Nobody calls `new Buffer`: `from` makes one.
        let from = || row.members.get("from")?.call.as_ref();
        let name = row.construct.as_ref().or_else(from)?.is_a.as_deref()?;
        self.members.type_named(module, name)
    }

    /// A value goes to a property of an object.
    pub(crate) fn store(&mut self, object: Object, key: Key, from: Node, origin: u32) {
        match self.objects.kind(object) {
            Kind::Data => return self.store_in_data(from),
            Kind::Unknown(_) | Kind::Described(..) => {
                if self.is_many(object) {
                    self.store_widely(key, origin);
                }
                return self.flow.edge(from, self.escaped);
            }
            Kind::Namespace(_) | Kind::Environment => return,
            Kind::Typed(..) if self.is_element_key(key) => {
                let key = if self.is_index(key) { key } else { Key::ELEMENT };
                let to = self.changed_prop(object, key);
                return self.flow.edge(from, to);
            }
            Kind::Member(member) if self.is_kept_globally(member, key) => {
                self.constrain(from, Constraint::Keep);
            }
            Kind::Typed(_, Origin::Outside) | Kind::Member(_) => {
                self.flow.edge(from, self.escaped);
            }
            _ => {}
        }
        self.note_replaced(object, key, origin);
        if self.own_implicit.contains(&key) {
            self.collect_implicit(object, key, from);
        }
        if key == Key::DYNAMIC {
            self.note_copied_over(object, from, origin);
        }
        if self.store_accessor(object, key, from, origin) {
            return;
        }
        let to = self.changed_prop(object, key);
        self.flow.edge(from, to);
    }

    /// All properties of an object are copied to another.
    pub(crate) fn copy_properties(&mut self, from: Object, to: Object, origin: u32) {
        if from == to {
            return;
        }
        if self.objects.kind(to) == Kind::Data {
            if !matches!(self.objects.kind(from), Kind::Data | Kind::Environment) {
                let all = self.prop(from, Key::ALL);
                self.store_in_data(all);
            }
            return;
        }
        self.changed_prop(to, Key::DYNAMIC);
        if !matches!(self.objects.kind(from), Kind::Literal(_) | Kind::Instance(_)) {
            self.note_replaced(to, Key::DYNAMIC, origin);
            if self.is_many(to) {
                self.store_widely(Key::DYNAMIC, origin);
            }
        }
        match self.objects.kind(from) {
            Kind::Unknown(cause) => {
                let dynamic = self.prop(to, Key::DYNAMIC);
                self.give_unknown(dynamic, cause);
                self.note_copied_over(to, dynamic, origin);
            }
            Kind::Data | Kind::Environment | Kind::Typed(_, Origin::Outside) => {
                let dynamic = self.prop(to, Key::DYNAMIC);
                self.load_all_put(from, dynamic);
                self.give(dynamic, Kind::Data);
            }
            Kind::Described(file, ty) => self.copy_described(file, ty, to),
            Kind::Namespace(file) => self.copy_exports(file, to),
            Kind::Member(member) => {
                let cause = Cause::Model(self.members.get(member).module);
                let dynamic = self.prop(to, Key::DYNAMIC);
                self.give_unknown(dynamic, cause);
            }
            _ => self.copy_known(from, to, origin),
        }
    }

    fn copy_known(&mut self, from: Object, to: Object, origin: u32) {
        if !self.copies.insert((from, to, origin)) {
            return;
        }
        let sources = self.copied_from.entry(to).or_default();
        *sources += 1;
        if *sources > MOST_SOURCES {
            // A copy of very many things is anything, and they are in unknown hands.
            self.flow.add(self.escaped, from);
            let dynamic = self.prop(to, Key::DYNAMIC);
            return self.give_unknown(dynamic, Cause::TooMany);
        }
        self.copied_to.entry(from).or_default().push((to, origin));
        for key in self.props.keys(from) {
            self.copy_property(from, key, to, origin);
        }
    }

    /// Whether so many properties have been copied to an object that another one is not told apart:
    /// each of a row of objects may take in all before it. What an object sets itself always is.
    fn is_copied_enough(&mut self, to: Object, key: Key) -> bool {
        if key == Key::DYNAMIC || self.literal_keys.contains(&(to, key)) {
            return false;
        }
        let count = self.copied_keys.entry(to).or_default();
        *count += 1;
        *count > MOST_COPIED
    }

    /// A property is copied: of an accessor, what its getter returns.
    pub(crate) fn copy_property(&mut self, from: Object, key: Key, to: Object, origin: u32) {
        if key.is_property() || key.of_getter().is_some() {
            self.note_replaced(to, key, origin);
            if self.is_many(to) {
                self.flow.add(self.escaped, from);
                self.store_widely(key.of_getter().unwrap_or(key), origin);
            }
        }
        if let Some(of) = key.of_getter() {
            if of != Key::ALL {
                let (getter, to) = (self.prop(from, key), self.prop(to, of));
                self.constrain(getter, Constraint::Getter { to, origin });
            }
        } else if key.is_property() {
            let source = self.prop(from, key);
            if self.is_copied_enough(to, key) {
                self.flow.edge(source, self.escaped);
                let dynamic = self.prop(to, Key::DYNAMIC);
                return self.give_unknown(dynamic, Cause::TooMany);
            }
            let target = self.prop(to, key);
            self.flow.edge(source, target);
        }
    }
}
