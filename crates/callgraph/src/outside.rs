//! What the program puts on objects that are not its own: arrays and other objects that built-in functions make, data
//! from outside (`JSON.parse`, `path.parse`).

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

    /// What the program has put under a name on an object that is not its own goes to a node. Hardly ever there is
    /// anything: until there is, it is only noted.
    pub(crate) fn load_put(&mut self, object: Object, key: Key, to: Node) {
        match self.existing_prop(object, key) {
            Some(from) => self.flow.edge(from, to),
            None => self.awaiting_put.entry((object, key)).or_default().push(to),
        }
    }

    /// As [`Self::load_put`], of whatever is put there under names.
    pub(crate) fn load_all_put(&mut self, object: Object, to: Node) {
        if self.is_not_followed(object) {
            return;
        }
        match self.existing_prop(object, Key::ALL) {
            Some(from) => self.flow.edge(from, to),
            None if self.has_named(object) => {
                let from = self.prop(object, Key::ALL);
                self.flow.edge(from, to);
            }
            None => self.awaiting_put.entry((object, Key::ALL)).or_default().push(to),
        }
    }

    fn has_named(&self, object: Object) -> bool {
        let mut keys = self.props.of_object.get(&object).into_iter().flatten();
        keys.any(|&key| self.is_put(object, key))
    }

    /// Whether a property is one that the program puts on what is not its own.
    fn is_put(&self, object: Object, key: Key) -> bool {
        matches!(self.objects.kind(object), Kind::Typed(..))
            && key.is_property()
            && !self.is_element_key(key)
            && !self.names.text(key).is_empty()
    }

    /// A property of an object has got its node: those who wait for it get what it holds.
    pub(crate) fn connect_put(&mut self, object: Object, key: Key, node: Node) {
        if self.awaiting_put.is_empty() {
            return;
        }
        for to in self.awaiting_put.remove(&(object, key)).unwrap_or_default() {
            self.flow.edge(node, to);
        }
        if self.is_put(object, key)
            && let Some(waiting) = self.awaiting_put.remove(&(object, Key::ALL))
        {
            let all = self.prop(object, Key::ALL);
            waiting.into_iter().for_each(|to| self.flow.edge(all, to));
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
