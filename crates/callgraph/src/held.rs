//! What objects hold, for those who follow values through them.

use headstart_ir::{Inst, Literal, VarId};

use crate::facts::{AbstractObject, PathKey};
use crate::graph::CallGraph;
use crate::ids::{FunctionRef, InstRef, Key, Node, Object};
use crate::object::Kind;

/// How many objects that one inherits from are looked through.
const MOST_PROTOTYPES: usize = 16;

/// An object of the analysis: finer than [`AbstractObject`], which several of them may be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub(crate) Object);

/// The set of the objects that a value may be. Values that are always the same share one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SetId(Node);

impl CallGraph<'_> {
    /// The objects that a value may be.
    #[must_use]
    pub fn value_objects(&self, at: InstRef) -> Vec<ObjectId> {
        self.set_objects(self.value_set(at))
    }

    /// The set of the objects that a value may be.
    #[must_use]
    pub fn value_set(&self, at: InstRef) -> SetId {
        let number = self.solver.numbering.inst(at.file as usize, at.inst);
        SetId(self.solver.values[number as usize])
    }

    /// The objects in a set.
    #[must_use]
    pub fn set_objects(&self, set: SetId) -> Vec<ObjectId> {
        self.ids(set.0)
    }

    /// Those of some objects by which it is known what they are: where they may be very many things, only what stands
    /// for all that nobody knows.
    #[must_use]
    pub fn telling(&self, mut objects: Vec<ObjectId>) -> Vec<ObjectId> {
        if objects.iter().any(|it| self.solver.is_many(it.0)) {
            objects.retain(|it| self.object(*it) == AbstractObject::Unknown);
        }
        objects
    }

    /// The objects that a variable may be, as far as they lead to calls; none of one of which nobody has asked.
    #[must_use]
    pub fn variable_objects(&self, file: u32, var: VarId) -> Vec<ObjectId> {
        let number = self.solver.numbering.variable(file as usize, var);
        self.ids(self.solver.variables[number as usize])
    }

    /// The objects that a parameter may be.
    #[must_use]
    pub fn parameter_objects(&self, function: FunctionRef, position: u32) -> Vec<ObjectId> {
        let nodes = self.solver.functions[self.number(function)];
        if position < nodes.count {
            self.ids(Node(nodes.params.0 + position))
        } else {
            self.ids(nodes.rest)
        }
    }

    /// The objects that `this` may be.
    #[must_use]
    pub fn receiver_objects(&self, function: FunctionRef) -> Vec<ObjectId> {
        self.ids(self.solver.functions[self.number(function)].this)
    }

    fn number(&self, function: FunctionRef) -> usize {
        self.solver.numbering.function(function.file as usize, function.function) as usize
    }

    fn ids(&self, node: Node) -> Vec<ObjectId> {
        self.solver.flow.objects(node).map(ObjectId).collect()
    }

    /// What an object is.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> AbstractObject {
        self.abstracted[id.0.index()]
    }

    /// What an object itself may hold under a key, and what its getters give. One that nobody else
    /// has had (`is_alone`) holds what the program puts there.
    #[must_use]
    pub fn held(&self, id: ObjectId, key: PathKey, is_alone: bool) -> Vec<ObjectId> {
        let is_declared = match self.solver.objects.kind(id.0) {
            Kind::Instance(class) => self.solver.declared[class as usize].contains(&key.key()),
            Kind::Literal(_) => is_alone && !self.solver.changed.contains(&(id.0, Key::DYNAMIC)),
            _ => false,
        };
        let mut found = Vec::new();
        let mut take = |key: Key| {
            let Some(node) = self.solver.existing_prop(id.0, key) else { return };
            let is_left_alone = key == Key::DYNAMIC && is_declared;
            let objects = self.solver.flow.objects(node);
            let objects = objects.filter(|&it| !is_left_alone || self.solver.may_replace(it));
            found.extend(objects.map(ObjectId));
        };
        if key == PathKey::ANY {
            let named = self.solver.props.keys(id.0).into_iter();
            named.filter(|key| key.is_held()).for_each(take);
        } else {
            take(key.key());
            take(Key::DYNAMIC);
        }
        for prototype in self.prototypes(id.0) {
            for key in [key.key(), Key::DYNAMIC] {
                let node = self.solver.existing_prop(prototype, key);
                let objects = node.into_iter().flat_map(|it| self.solver.flow.objects(it));
                found.extend(objects.map(ObjectId));
            }
            found.extend(self.given_by_getters(prototype, key));
        }
        found.extend(self.given_by_getters(id.0, key));
        if !is_alone && self.solver.is_stored_widely(id.0, key.key()) {
            found.extend(self.solver.flow.anything().map(ObjectId));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What an object inherits from, as far as the program has put something there: the `prototype` of
    /// the function or class that makes it, what `Object.create` is given.
    pub(crate) fn prototypes(&self, object: Object) -> Vec<Object> {
        let solver = &self.solver;
        let mut found: Vec<Object> = Vec::new();
        let mut pending = vec![object];
        while let Some(it) = pending.pop().filter(|_| found.len() < MOST_PROTOTYPES) {
            let by_kind = match solver.objects.kind(it) {
                Kind::FunctionInstance(function) => {
                    let function = solver.objects.existing(Kind::Function(function));
                    function.and_then(|it| solver.existing_prop(it, Key::PROTOTYPE))
                }
                _ => None,
            };
            let by_store = solver.existing_prop(it, Key::PROTO);
            let both = by_kind.into_iter().chain(by_store);
            let mut next: Vec<Object> = both.flat_map(|it| solver.flow.objects(it)).collect();
            if let Kind::Instance(class) = solver.objects.kind(it) {
                let classes = solver.ancestors(class);
                let of_each = classes.iter().map(|&it| Kind::Prototype(it));
                next.extend(of_each.filter_map(|it| solver.objects.existing(it)));
            }
            for prototype in next {
                if prototype != object && !found.contains(&prototype) {
                    found.push(prototype);
                    pending.push(prototype);
                }
            }
        }
        found
    }

    /// What the getters give that a literal has under a key.
    fn given_by_getters(&self, object: Object, key: PathKey) -> Vec<ObjectId> {
        if !self.solver.has_own_accessors || key == PathKey::ANY {
            return Vec::new();
        }
        let getters = self.solver.existing_prop(object, key.key().getter());
        let getters = getters.into_iter().flat_map(|node| self.solver.flow.objects(node));
        let results = getters.filter_map(|it| match self.solver.objects.kind(it) {
            Kind::Function(function) => Some(self.solver.functions[function as usize].result),
            _ => None,
        });
        results.flat_map(|node| self.ids(node)).collect()
    }

    /// Whether something changes an object, perhaps, and no instruction says so: a method of the platform that is
    /// bound, a Proxy.
    #[must_use]
    pub fn is_changed_unseen(&self, id: ObjectId) -> bool {
        let flow = &self.solver.flow;
        let node = self.solver.changed_unseen;
        flow.contains(node, id.0) || (flow.is_widened(node) && self.is_in_other_hands(id))
    }

    /// Whether somebody has got hold of an object of whom nobody knows: unknown code, who catches it. What
    /// nobody knows is one of those.
    #[must_use]
    pub fn is_in_other_hands(&self, id: ObjectId) -> bool {
        self.solver.is_in_other_hands(id.0) || self.is_passed_on(id)
    }

    /// Whether the program itself hands an object to somebody of whom nobody knows.
    #[must_use]
    pub fn is_passed_on(&self, id: ObjectId) -> bool {
        let flow = &self.solver.flow;
        let node = self.solver.passed_on;
        flow.contains(node, id.0) || (flow.is_widened(node) && self.solver.is_in_other_hands(id.0))
    }

    /// Whether storing something under a key of an object may change what its methods see: the
    /// elements of a list, what a type of the platform has under that name.
    #[must_use]
    pub fn has_state_under(&self, id: ObjectId, key: PathKey) -> bool {
        let Kind::Typed(ty, _) = self.solver.objects.kind(id.0) else { return true };
        let Some(name) = self.key_text(key) else { return true };
        let is_index = name.bytes().all(|it| it.is_ascii_digit());
        is_index || self.solver.members.row_in_type(ty, &name).is_some()
    }

    /// Whether an object is a regular expression that matching does not change: it is a literal, or made of a text,
    /// without the flags `g` and `y` (ECMA-262, 22.2.7.2).
    #[must_use]
    pub fn is_steady_pattern(&self, id: ObjectId) -> bool {
        self.moves_on(id) == Some(false)
    }

    /// Whether an object is a regular expression whose flags are known.
    #[must_use]
    pub fn has_known_flags(&self, id: ObjectId) -> bool {
        self.moves_on(id).is_some()
    }

    /// Whether matching changes an object, where that is a regular expression whose flags are known.
    fn moves_on(&self, id: ObjectId) -> Option<bool> {
        let AbstractObject::Made(at) = self.object(id) else { return None };
        match self.solver.files[at.file as usize].inst(at.inst) {
            Inst::Literal(Literal::RegExp { moves, .. }) => Some(moves),
            Inst::New { callee, args } | Inst::Call { callee, args } => {
                let of = |inst| InstRef { inst, ..at };
                let ir = self.solver.files[at.file as usize];
                let is_made = self.is_member(of(callee), "globals", &["RegExp"]);
                match ir.args(args) {
                    // Another regular expression would bring its own flags.
                    &[text] if is_made && self.is_primitive(of(text)) => Some(false),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether an object has under a key what its literal says, and nothing else: nothing in the
    /// program stores anything there, nor does unknown code where that has had it.
    #[must_use]
    pub fn is_as_made(&self, id: ObjectId, key: PathKey, is_alone: bool) -> bool {
        let solver = &self.solver;
        let is_changed = |key: Key| solver.changed.contains(&(id.0, key));
        let by_name = match key {
            PathKey::ANY => is_changed(Key::ALL),
            key => is_changed(key.key()) || is_changed(Key::DYNAMIC),
        };
        !by_name && (is_alone || !solver.is_escaped.contains(&id.0))
    }
}
