//! What the program puts on objects that are not its own: arrays and other objects that built-in functions make, data
//! from outside (`JSON.parse`, `path.parse`).

use crate::awaiting::Awaiting;
use crate::facts::AbstractObject;
use crate::flow::Constraint;
use crate::graph::CallGraph;
use crate::ids::{InstRef, Key, Node, Object};
use crate::object::{Kind, Origin};
use crate::solver::Solver;

impl Solver<'_> {
    /// A value goes to a property of data from outside. What is read there is not taken for it: that would make
    /// everything of all data. Who changes something by way of data takes for granted that it is none of these.
    pub(crate) fn store_in_data(&mut self, from: Node) {
        self.flow.edge(from, self.escaped);
        self.flow.edge(from, self.passed_on);
        if !self.puts_on_data {
            self.constrain(from, Constraint::PutOnData);
        }
    }

    /// An object is put on data from outside.
    pub(crate) fn put_on_data(&mut self, object: Object) {
        let is_unknown = matches!(self.objects.kind(object), Kind::Unknown(_));
        self.puts_on_data |= !is_unknown && !self.is_not_followed(object);
    }

    /// What the program has put under a name on an object that is not its own goes to a node.
    pub(crate) fn load_put(&mut self, object: Object, key: Key, to: Node) {
        self.when_there(object, key, Awaiting::Edge(to));
    }

    /// As [`Self::load_put`], of whatever is put there under names.
    pub(crate) fn load_all_put(&mut self, object: Object, to: Node) {
        if self.is_not_followed(object) {
            return;
        }
        if self.has_named(object) {
            self.prop(object, Key::ALL);
        }
        self.load_put(object, Key::ALL, to);
    }

    fn has_named(&self, object: Object) -> bool {
        self.props.keys(object).into_iter().any(|key| self.is_put(object, key))
    }

    /// Whether a property is one that the program puts on what is not its own.
    fn is_put(&self, object: Object, key: Key) -> bool {
        matches!(self.objects.kind(object), Kind::Typed(..))
            && key.is_property()
            && !self.is_element_key(key)
            && !self.names.text(key).is_empty()
    }

    /// A property of an object has got its node: those who wait for all that is put there get what it holds.
    pub(crate) fn connect_put(&mut self, object: Object, key: Key) {
        if self.is_put(object, key) && self.absent.is_awaited(object, Key::ALL) {
            self.prop(object, Key::ALL);
        }
    }

    /// Whether nothing that is put on an object is followed: it is a primitive value, or stands for data.
    fn is_not_followed(&self, object: Object) -> bool {
        let types = [self.types.string, self.types.number, self.types.boolean];
        match self.objects.kind(object) {
            Kind::Data | Kind::Environment => true,
            Kind::Typed(ty, Origin::Outside) => types.contains(&ty),
            _ => false,
        }
    }
}

impl CallGraph<'_> {
    /// Whether the program puts an object of its own on data from outside.
    #[must_use]
    pub fn puts_on_data(&self) -> bool {
        self.solver.puts_on_data
    }

    /// Whether a value may be data from outside.
    #[must_use]
    pub fn may_be_data(&self, at: InstRef) -> bool {
        self.kinds(at).any(|it| it == Kind::Data)
    }

    /// Whether a value may be an object that a built-in function or a package has made.
    #[must_use]
    pub fn may_be_made_outside(&self, at: InstRef) -> bool {
        let number = self.solver.numbering.inst(at.file as usize, at.inst);
        let mut objects = self.solver.flow.objects(self.solver.values[number as usize]);
        objects.any(|it| self.abstracted[it.index()] == AbstractObject::Outside)
    }
}
