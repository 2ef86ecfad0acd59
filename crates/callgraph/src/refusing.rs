//! Values that refuse what is done with them: what cannot be called, made an object of, iterated or put together
//! with others.

use headstart_ir::{FunctionKind, MemberKind};

use crate::PathKey;
use crate::graph::CallGraph;
use crate::ids::{FunctionRef, InstRef, Key, Object};
use crate::object::Kind;

/// How many classes that extend one another are looked through.
const DEEPEST_CLASS: u32 = 16;

impl CallGraph<'_> {
    /// Whether a value may be something that the program makes and that is no function: a number, a text, a list,
    /// an object. Calling it throws (ECMA-262, 7.3.14).
    #[must_use]
    pub fn may_be_no_function(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| match kind {
            Kind::Instance(_) | Kind::Literal(_) => true,
            Kind::Typed(ty, _) => {
                let types = &self.solver.types;
                [types.number, types.string, types.boolean, types.array].contains(&ty)
            }
            _ => false,
        })
    }

    /// Whether a value may be a class of the program, which only `new` calls.
    #[must_use]
    pub fn may_be_class(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| matches!(kind, Kind::Class(_)))
    }

    /// Whether a value may be a function of the program that `new` cannot call: an arrow function, a method, one that
    /// waits.
    #[must_use]
    pub fn may_be_no_constructor(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| match kind {
            Kind::Function(function) => {
                !self.constructs(self.solver.numbering.function_of(function))
            }
            _ => false,
        }) || self.may_be_no_function(at)
    }

    /// Whether each object that a value may be certainly has something to call under a key: a method of its class,
    /// what a literal or a module puts there, a member of a model. Nothing is said of what is not known.
    #[must_use]
    pub fn has_function(&self, object: InstRef, key: PathKey) -> bool {
        let key = key.key();
        let number = self.solver.numbering.inst(object.file as usize, object.inst);
        let node = self.solver.values[number as usize];
        let mut objects = self.solver.flow.objects(node).peekable();
        objects.peek().is_some() && objects.all(|it| self.object_has_function(it, key))
    }

    fn object_has_function(&self, object: Object, key: Key) -> bool {
        let solver = &self.solver;
        let is_changed = |key: Key| {
            solver.changed.contains(&(object, key)) || solver.deleted.iter().any(|it| it.1 == key)
        };
        let is_steady = || !is_changed(key) && !is_changed(Key::DYNAMIC);
        match solver.objects.kind(object) {
            Kind::Instance(class) => {
                self.class_has_method(class, key, false, DEEPEST_CLASS)
                    || solver.declared[class as usize].contains(&key)
                        && self.holds_functions(object, key)
            }
            Kind::Class(class) => self.class_has_method(class, key, true, DEEPEST_CLASS),
            Kind::Literal(_) => {
                solver.literal_keys.contains(&(object, key))
                    && is_steady()
                    && self.holds_functions(object, key)
            }
            Kind::Namespace(_) | Kind::Exports(_) | Kind::Function(_) => {
                is_steady() && self.holds_functions(object, key)
            }
            Kind::Typed(ty, _) => solver.members.row_in_type(ty, solver.names.text(key)).is_some(),
            Kind::Member(_) | Kind::Promisified(_) => true,
            _ => false,
        }
    }

    fn class_has_method(&self, class: u32, key: Key, is_static: bool, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let own = self.solver.class_member(class, key, is_static);
        if !own.is_empty() {
            return own.iter().any(|it| it.0 == MemberKind::Method);
        }
        let mut parents = self.solver.flow.objects(self.solver.parents[class as usize]).peekable();
        parents.peek().is_some()
            && parents.all(|it| match self.solver.objects.kind(it) {
                Kind::Class(parent) => self.class_has_method(parent, key, is_static, steps),
                _ => false,
            })
    }

    /// Whether what an object has under a key is functions and classes, as far as it is something.
    fn holds_functions(&self, object: Object, key: Key) -> bool {
        let Some(node) = self.solver.existing_prop(object, key) else { return false };
        let mut held = self.solver.flow.objects(node).peekable();
        let is_function = |it: Object| {
            matches!(
                self.solver.objects.kind(it),
                Kind::Function(_)
                    | Kind::Class(_)
                    | Kind::Member(_)
                    | Kind::Promisified(_)
                    | Kind::PromisifiedFunction(_)
                    | Kind::Bound(_)
            )
        };
        held.peek().is_some() && held.all(is_function)
    }

    fn constructs(&self, function: FunctionRef) -> bool {
        let data = self.files()[function.file as usize].function(function.function);
        data.kind == FunctionKind::Function && !data.is_async && !data.is_generator
    }

    /// Whether a value may be something of the program that cannot be iterated.
    #[must_use]
    pub fn may_be_no_iterable(&self, at: InstRef) -> bool {
        let number = self.solver.types.number;
        self.kinds(at).any(|kind| match kind {
            Kind::Typed(ty, _) => ty == number,
            Kind::Function(_) | Kind::Class(_) => true,
            _ => false,
        })
    }

    /// Whether a value may be an object of the program that is no list, map or set: it can be iterated only with a
    /// method of its own.
    #[must_use]
    pub fn may_be_own_object(&self, at: InstRef) -> bool {
        self.kinds(at).any(|kind| matches!(kind, Kind::Literal(_) | Kind::Instance(_)))
    }

    /// Whether a value is a text, and nothing else.
    #[must_use]
    pub fn is_text(&self, at: InstRef) -> bool {
        let string = self.solver.types.string;
        let mut kinds = self.kinds(at).peekable();
        kinds.peek().is_some()
            && kinds.all(|kind| matches!(kind, Kind::Typed(ty, _) if ty == string))
    }
}
