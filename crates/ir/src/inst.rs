//! Instructions: what a function does, in evaluation order.

use crate::{ArgsId, ClassId, FileIr, FunctionId, InstId, NameId, RequestId, VarId};

/// One step of evaluation. Its id is also the value that it produces, so operands are ids of
/// earlier instructions of the same function.
///
/// What runs only sometimes stands in the range of a [`Inst::Conditional`]: the right side of
/// `&&`, the parts behind `?.`, a default value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Inst {
    /// A literal.
    Literal(Literal),
    /// The value of a declared variable.
    LoadVar(VarId),
    /// The value of a name that the file does not declare.
    LoadGlobal(NameId),
    /// An assignment to a declared variable; its initialisation too.
    StoreVar {
        /// The variable written.
        var: VarId,
        /// The value it gets.
        value: InstId,
    },
    /// An assignment to a name that the file does not declare.
    StoreGlobal {
        /// The name written.
        name: NameId,
        /// The value it gets.
        value: InstId,
    },
    /// `object.name`, `object[key]`, `object.#name`: may run a getter, throws on null.
    Get {
        /// The object read.
        object: InstId,
        /// The property read.
        key: PropKey,
    },
    /// An assignment to a property: may run a setter.
    Set {
        /// The object written.
        object: InstId,
        /// The property written.
        key: PropKey,
        /// The value it gets.
        value: InstId,
    },
    /// `delete object.name`.
    Delete {
        /// The object written.
        object: InstId,
        /// The property removed.
        key: PropKey,
    },
    /// A call of a value that is no property: `f(x)`, and of a tag: ``f`x` ``.
    Call {
        /// The function called.
        callee: InstId,
        /// The arguments.
        args: ArgsId,
    },
    /// A call of a property: `object.name(x)`, with `object` as `this`.
    CallMethod {
        /// The receiver. A call on `super` has [`Inst::Super`] here.
        object: InstId,
        /// The instruction that read the method: the [`Inst::Get`] of it.
        method: InstId,
        /// The arguments.
        args: ArgsId,
    },
    /// `new C(x)`.
    New {
        /// The constructor.
        callee: InstId,
        /// The arguments.
        args: ArgsId,
    },
    /// `...value` among arguments or elements: iterates the value.
    Spread(InstId),
    /// `require("x")` with a literal, where `require` is not declared by the file.
    Require(RequestId),
    /// `import("x")`; the request is known where the specifier is a literal.
    DynamicImport {
        /// The specifier.
        specifier: InstId,
        /// The request, for a literal specifier.
        request: Option<RequestId>,
    },
    /// A function expression or declaration, evaluated.
    Closure(FunctionId),
    /// A class, evaluated.
    Class(ClassId),
    /// An array literal; a hole is an implied `undefined`.
    Array(ArgsId),
    /// An object literal without its properties, which follow as [`Inst::Set`]s,
    /// [`Inst::Accessor`]s and [`Inst::CopyProps`].
    Object,
    /// A getter or setter of an object literal.
    Accessor {
        /// The object literal.
        object: InstId,
        /// The property.
        key: PropKey,
        /// The function.
        function: FunctionId,
        /// Whether it is the setter.
        is_setter: bool,
    },
    /// `{...value}`: reads every property of the value into the object.
    CopyProps {
        /// The object literal written.
        object: InstId,
        /// The value read.
        value: InstId,
    },
    /// A template literal: converts each part to a string. Text between the parts is a part as well;
    /// what it begins with is kept, parts without blanks, and all of it where it may be a query.
    Template(ArgsId),
    /// An operator of one operand that runs no user code: `!x`, `typeof x`, `void x`.
    Pure1(InstId),
    /// An operator of one operand that converts it: `-x`, `+x`, `~x`, `x++`'s arithmetic.
    Convert(InstId),
    /// An operator of two operands that runs no user code: `===`, `!==`.
    Pure2(InstId, InstId),
    /// `key in object`: asks for a property.
    Has {
        /// The key.
        key: InstId,
        /// The object.
        object: InstId,
    },
    /// `value instanceof class`: asks the class whether the value is one of its instances.
    InstanceOf {
        /// The value.
        value: InstId,
        /// The class, a function, or what has a method `Symbol.hasInstance`.
        class: InstId,
    },
    /// An operator of two operands that may convert them: `+`, `<`, `==`.
    Operator {
        /// The left operand.
        left: InstId,
        /// The right operand.
        right: InstId,
        /// Whether it is `+`, whose result is a string when one operand is.
        plus: bool,
        /// Whether it throws for some big integers (ECMA-262, 6.1.6.2): `/`, `%`, `**`, a shift; by a small
        /// literal that is not zero it throws for none.
        is_partial: bool,
    },
    /// Everything from the next instruction up to `end` (not included) runs only sometimes,
    /// as `test` decides.
    Conditional {
        /// The value that decides.
        test: InstId,
        /// The first instruction that runs again in any case.
        end: InstId,
    },
    /// One of two values, after conditional instructions.
    Select(InstId, InstId),
    /// `await value`: a suspend point.
    Await(InstId),
    /// `yield value`: a suspend point.
    Yield(InstId),
    /// `yield* value`: a suspend point that iterates.
    YieldAll(InstId),
    /// One step of iterating a value (`for … of`, array destructuring): may run user code.
    Iterate(InstId),
    /// One step of asynchronous iteration (`for await`): a suspend point.
    IterateAsync(InstId),
    /// One key of `for … in`.
    EnumerateKeys(InstId),
    /// What is left of a destructured value: `{...rest}`, `[...rest]`.
    Rest(InstId),
    /// The parameter at a position.
    Param(u32),
    /// The parameters from a position on: `...rest`.
    RestParam(u32),
    /// The value caught.
    Caught,
    /// `this`.
    This,
    /// `super`, as a receiver or a callee.
    Super,
    /// `arguments`.
    Arguments,
    /// `new.target`.
    NewTarget,
    /// `import.meta`.
    ImportMeta,
    /// A JSX element or fragment: calls the factory of the project with tag, attributes, children.
    Jsx(ArgsId),
    /// The end of `using` and `await using` scopes: calls disposers; asynchronous ones suspend.
    Dispose {
        /// Whether the resource is disposed of asynchronously.
        suspends: bool,
    },
    /// The end of the function with a value: `return value`, or the body of a short arrow function.
    Return(InstId),
    /// `throw value`
    Throw(InstId),
    /// Something the IR does not describe (`with`, a decorator, a direct `eval`): assume anything.
    Opaque,
}

/// The kind of a literal; the text of strings is kept, other literals have only a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Literal {
    /// `undefined` where it is implied: a missing initialiser or return value.
    Undefined,
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, with its value where that is a small index.
    Number(Option<u8>),
    /// A big integer.
    BigInt,
    /// A regular expression: a fresh object.
    RegExp {
        /// Whether matching moves its `lastIndex`: it has the flag `g` or `y` (ECMA-262, 22.2.7.2).
        moves: bool,
        /// Whether methods of strings begin at the start of their text, whatever its `lastIndex` is, and set that to 0: it has the
        /// flag `g` (22.2.6.8, 22.2.6.11).
        restarts: bool,
    },
    /// A string, with its value.
    String(NameId),
    /// A string that is not kept: too long, or text within a template.
    LongString,
}

/// The key of a property, packed into four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PropKey(u32);

/// What a [`PropKey`] holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// A key known from the text: `.a`, `['a']`.
    Name(NameId),
    /// A private name: `.#a`.
    Private(NameId),
    /// A key computed at run time.
    Computed(InstId),
}

impl PropKey {
    /// Packs a key. Indices above 2^30 do not occur: the front end limits the size of a file.
    #[must_use]
    pub fn new(key: Key) -> Self {
        let (index, tag) = match key {
            Key::Name(name) => (name.index(), 0),
            Key::Private(name) => (name.index(), 1),
            Key::Computed(value) => (value.index(), 2),
        };
        Self((u32::try_from(index).unwrap_or(u32::MAX) << 2) | tag)
    }

    fn for_each_operand(self, visit: &mut dyn FnMut(InstId)) {
        if let Key::Computed(value) = self.get() {
            visit(value);
        }
    }

    /// The key.
    #[must_use]
    pub fn get(self) -> Key {
        let index = (self.0 >> 2) as usize;
        match self.0 & 3 {
            0 => Key::Name(NameId::new(index)),
            1 => Key::Private(NameId::new(index)),
            _ => Key::Computed(InstId::new(index)),
        }
    }
}

impl Inst {
    /// Calls `visit` with every value that the instruction uses, in order.
    pub fn for_each_operand(self, ir: &FileIr, visit: &mut dyn FnMut(InstId)) {
        match self {
            Inst::StoreVar { value, .. }
            | Inst::StoreGlobal { value, .. }
            | Inst::Spread(value)
            | Inst::Pure1(value)
            | Inst::Convert(value)
            | Inst::Await(value)
            | Inst::Yield(value)
            | Inst::YieldAll(value)
            | Inst::Iterate(value)
            | Inst::IterateAsync(value)
            | Inst::EnumerateKeys(value)
            | Inst::Rest(value)
            | Inst::Conditional { test: value, .. }
            | Inst::DynamicImport { specifier: value, .. }
            | Inst::Return(value)
            | Inst::Throw(value) => visit(value),
            Inst::Accessor { object, key, .. } => {
                visit(object);
                key.for_each_operand(visit);
            }
            Inst::Pure2(left, right)
            | Inst::Operator { left, right, .. }
            | Inst::Has { key: left, object: right }
            | Inst::InstanceOf { value: left, class: right }
            | Inst::Select(left, right)
            | Inst::CopyProps { object: left, value: right } => {
                visit(left);
                visit(right);
            }
            Inst::Get { object, key } | Inst::Delete { object, key } => {
                visit(object);
                key.for_each_operand(visit);
            }
            Inst::Set { object, key, value } => {
                visit(object);
                key.for_each_operand(visit);
                visit(value);
            }
            Inst::Call { callee, args } | Inst::New { callee, args } => {
                visit(callee);
                ir.args(args).iter().copied().for_each(visit);
            }
            Inst::CallMethod { object, method, args } => {
                visit(object);
                visit(method);
                ir.args(args).iter().copied().for_each(visit);
            }
            Inst::Array(args) | Inst::Template(args) | Inst::Jsx(args) => {
                ir.args(args).iter().copied().for_each(visit);
            }
            Inst::Class(class) => {
                ir.class(class).super_class.into_iter().for_each(&mut *visit);
                for member in &ir.class(class).members {
                    member.key.for_each_operand(visit);
                }
            }
            Inst::Literal(_)
            | Inst::LoadVar(_)
            | Inst::LoadGlobal(_)
            | Inst::Require(_)
            | Inst::Closure(_)
            | Inst::Object
            | Inst::Param(_)
            | Inst::RestParam(_)
            | Inst::Caught
            | Inst::This
            | Inst::Super
            | Inst::Arguments
            | Inst::NewTarget
            | Inst::ImportMeta
            | Inst::Dispose { .. }
            | Inst::Opaque => {}
        }
    }

    /// Whether the function may be suspended here and other tasks run in between.
    #[must_use]
    pub fn is_suspend_point(self) -> bool {
        matches!(
            self,
            Inst::Await(_)
                | Inst::Yield(_)
                | Inst::YieldAll(_)
                | Inst::IterateAsync(_)
                | Inst::Dispose { suspends: true }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_survive_packing() {
        let keys = [
            Key::Name(NameId::new(0)),
            Key::Private(NameId::new(7)),
            Key::Computed(InstId::new((1 << 30) - 1)),
        ];
        for key in keys {
            assert_eq!(PropKey::new(key).get(), key);
        }
    }

    #[test]
    fn an_instruction_takes_sixteen_bytes() {
        assert!(size_of::<Inst>() <= 16, "{}", size_of::<Inst>());
    }
}
