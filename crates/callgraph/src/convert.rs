//! What native code runs of an object where it converts, serialises or enumerates it.

use crate::awaiting::Awaiting;
use crate::flow::Constraint;
use crate::ids::{Key, Node, Object, SiteId};
use crate::object::{Kind, Origin};
use crate::site::{How, Site};
use crate::solver::Solver;

/// Who takes an object, and for what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Taken {
    /// `JSON.stringify`
    Json,
    /// An operation that takes it elsewhere.
    Sent,
    /// The platform, as an argument.
    Native,
    /// The platform, as what one of its own methods is called on.
    Own,
    /// The same, of a method that every object has.
    Every,
    /// The platform, as an error that it fills in: its trace begins with its name and its message.
    Error,
    /// What waits for it.
    Then,
}

impl Taken {
    /// Whether it is what a method or constructor of the platform is on.
    pub(crate) fn is_of_receiver(self) -> bool {
        matches!(self, Self::Own | Self::Every | Self::Error)
    }
}

impl Solver<'_> {
    /// What a node holds is converted to primitives at an instruction.
    pub(crate) fn convert_node(&mut self, node: Node, origin: u32) {
        if !self.conversions.is_empty() {
            self.constrain(node, Constraint::Convert { origin });
        }
    }

    /// An object is converted by methods of its own, where the program gives it any (ECMA-262, 7.1.1).
    pub(crate) fn convert(&mut self, object: Object, origin: u32) {
        if matches!(self.objects.kind(object), Kind::Typed(_, Origin::Outside)) {
            return;
        }
        let called = self.called_by_conversion(object);
        self.runs(called, origin);
    }

    /// The functions that converting an object to a primitive calls. They are called here, for all
    /// conversions alike.
    fn called_by_conversion(&mut self, object: Object) -> Node {
        if let Some(&called) = self.converted.get(&object) {
            return called;
        }
        let called = self.flow.node();
        self.converted.insert(object, called);
        let origin = self.readings.number(called);
        for key in self.conversions.clone() {
            let method = self.call_method(object, key, Node::NONE, origin);
            self.flow.edge(method, called);
        }
        // A list is converted by converting its elements (ECMA-262, 23.1.3.36).
        if self.is_list(object) {
            let elements = self.flow.node();
            self.elements(object, Key::ELEMENT, elements);
            self.constrain(elements, Constraint::Convert { origin });
        }
        called
    }

    fn is_list(&self, object: Object) -> bool {
        matches!(self.objects.kind(object), Kind::Typed(ty, origin)
            if ty == self.types.array && origin != Origin::Outside)
    }

    pub(crate) fn is_made_by_program(&self, object: Object) -> bool {
        matches!(
            self.objects.kind(object),
            Kind::Instance(_) | Kind::Literal(_) | Kind::FunctionInstance(_)
        )
    }

    /// Calls a method of an object, if it may have it; returns what the method may be.
    pub(crate) fn call_method(
        &mut self,
        object: Object,
        key: Key,
        result: Node,
        origin: u32,
    ) -> Node {
        if !self.may_have(object, key) {
            return Node::NONE;
        }
        let callee = self.flow.node();
        self.load(object, key, callee, origin);
        let this = self.node_of(object);
        // Who converts the object calls what is returned here.
        let site = Site { this, result, ..Self::plain_site(callee, u32::MAX, How::Callback) };
        self.new_site(site, &[]);
        callee
    }

    /// Whether an object may have a method of the program under a key: those of literals and classes
    /// are there from the start.
    pub(crate) fn may_have(&self, object: Object, key: Key) -> bool {
        let is_made = self.is_made_by_program(object);
        if self.has_getter(object, key) || is_made && self.defined.contains(&Key::DYNAMIC) {
            return true;
        }
        let is_set = self.set_names.contains(&key) || self.defined.contains(&key);
        match self.objects.kind(object) {
            Kind::Literal(_) => {
                is_set
                    || self.existing_prop(object, key).is_some()
                    || self.existing_prop(object, Key::PROTO).is_some()
            }
            Kind::Instance(class) => {
                is_set
                    || !self.class_member(class, key, false).is_empty()
                    || !self.parents[class as usize].is_none()
                    || self.existing_prop(object, key).is_some()
            }
            Kind::FunctionInstance(_) => true,
            Kind::Class(class) => {
                is_set
                    || !self.class_member(class, key, true).is_empty()
                    || !self.parents[class as usize].is_none()
            }
            // What the platform makes has methods of its own, unless the program puts others there.
            Kind::Function(_) | Kind::Typed(_, Origin::Inst(..)) => is_set,
            _ => false,
        }
    }

    /// `JSON.stringify(value)` calls `toJSON` and getters of all that is below the value
    /// (ECMA-262, 25.5.2).
    pub(crate) fn stringify(&mut self, site: SiteId) {
        if self.to_json.is_none() && !self.has_own_accessors {
            return;
        }
        let origin = self.site(site).origin;
        if let Some(&value) = self.site_args(site).first() {
            let called = self.flow.node();
            self.constrain(value.node, Constraint::Serialise { to: called, by: Taken::Json });
            self.constrain(called, Constraint::Run { origin });
        }
    }

    /// What an operation sends, it may convert as it likes: the instruction `origin` calls the methods
    /// for that of all that is below a value.
    pub(crate) fn send(&mut self, value: Node, origin: u32) {
        if self.sent_by.is_empty() && !self.has_own_accessors {
            return;
        }
        let called = self.flow.node();
        self.constrain(value, Constraint::Serialise { to: called, by: Taken::Sent });
        self.constrain(called, Constraint::Run { origin });
    }

    /// What taking an object calls goes to a node.
    pub(crate) fn serialise(&mut self, object: Object, to: Node, by: Taken) {
        let called = match by {
            Taken::Json | Taken::Sent => self.called_when_taken(object, by),
            Taken::Native | Taken::Own | Taken::Every | Taken::Error | Taken::Then => {
                self.called_by_platform(object, by)
            }
        };
        self.flow.edge(called, to);
    }

    /// The functions that converting an object calls. They are called here, for all conversions alike.
    fn called_when_taken(&mut self, object: Object, by: Taken) -> Node {
        if let Some(&called) = self.serialised.get(&(object, by)) {
            return called;
        }
        let is_ours = self.is_made_by_program(object);
        if !is_ours && !matches!(self.objects.kind(object), Kind::Typed(..)) {
            return Node::NONE;
        }
        let called = self.flow.node();
        self.serialised.insert((object, by), called);
        let below = self.flow.node();
        let keys = match by {
            Taken::Sent => self.sent_by.clone(),
            _ => self.to_json.into_iter().collect(),
        };
        for key in keys {
            let method = self.call_method(object, key, below, u32::MAX);
            self.flow.edge(method, called);
        }
        self.with_accessors(object, Key::DYNAMIC, Key::getter, Awaiting::Edge(called));
        self.held(object, below, u32::MAX);
        self.constrain(below, Constraint::Serialise { to: called, by });
        called
    }

    /// Something calls a function at an instruction, beside what else does.
    pub(crate) fn run(&mut self, object: Object, origin: u32) {
        match self.objects.kind(object) {
            Kind::Function(function) => self.record(origin, function, true),
            Kind::Unknown(_) => {
                self.note_too_many(origin);
            }
            _ => {}
        }
    }

    /// What an object holds: elements of arrays, values of maps, not `[key, value]`.
    pub(crate) fn held(&mut self, object: Object, to: Node, origin: u32) {
        match self.objects.kind(object) {
            Kind::Typed(..) => {
                self.elements(object, Key::ELEMENT, to);
                self.load_all_put(object, to);
                self.load_accessor(object, Key::DYNAMIC, to, origin);
            }
            Kind::Function(_) | Kind::Class(_) => {
                self.load(object, Key::DYNAMIC, to, origin);
            }
            Kind::Literal(_) | Kind::Instance(_) | Kind::FunctionInstance(_) => {
                let all = self.prop(object, Key::ALL);
                self.flow.edge(all, to);
                self.load_accessor(object, Key::DYNAMIC, to, origin);
            }
            Kind::Namespace(_) | Kind::Exports(_) => self.load(object, Key::DYNAMIC, to, origin),
            _ => self.iterate(object, Key::ELEMENT, to, origin),
        }
    }
}
