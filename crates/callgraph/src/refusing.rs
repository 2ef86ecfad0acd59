//! Values that refuse what is done with them: what cannot be called, made an object of, iterated or put together
//! with others.

use headstart_ir::FunctionKind;

use crate::graph::CallGraph;
use crate::ids::{FunctionRef, InstRef};
use crate::object::Kind;

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
