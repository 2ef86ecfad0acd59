//! Abstract objects: one for each place of the program that makes objects, one for each class's
//! instances, and those that come from outside.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::ids::{MemberId, Numbering, Object, SiteId, TypeId, id};

/// What an object is. Numbers are those of [`Numbering`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind<'p> {
    /// A function of the program.
    Function(u32),
    /// A class of the program.
    Class(u32),
    /// The prototype of a class.
    Prototype(u32),
    /// The instances of a class.
    Instance(u32),
    /// The prototype that comes with a function.
    FunctionPrototype(u32),
    /// What `new` of a function makes.
    FunctionInstance(u32),
    /// An object literal, or another object without a type, by its instruction.
    Literal(u32),
    /// An object of a modelled type.
    Typed(TypeId, Origin),
    /// The namespace of an ES module, by the index of its file.
    Namespace(u32),
    /// What a CommonJS module exports at first.
    Exports(u32),
    /// `module` of a CommonJS module.
    Module(u32),
    /// A member of a modelled module or type, or a module.
    Member(MemberId),
    /// A member behind `util.promisify`.
    Promisified(MemberId),
    /// What `bind` returns; the call of it.
    Bound(SiteId),
    /// A function behind `util.promisify`; the call of it.
    PromisifiedFunction(SiteId),
    /// What settles a promise: the first argument of an executor.
    Resolver(Object),
    /// A callback `(error, value)` that settles a promise.
    NodeCallback(Object),
    /// What an annotation describes as an object with certain properties: the file and the type.
    Described(u32, u32),
    /// `process.env`
    Environment,
    /// Data from outside, with no function of the program in it.
    Data,
    /// Anything, and why.
    Unknown(Cause<'p>),
}

/// Where an object of a modelled type comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Origin {
    /// An instruction. One may make several, told apart by a number.
    Inst(u32, u8),
    /// A call of an `async` function or a generator.
    Function(u32),
    /// Parameters in an array: `...rest`.
    Rest(u32),
    /// `arguments`.
    Arguments(u32),
    /// The entries of another object: `map.entries()`.
    Entries(u32),
    /// What an annotation describes: the file and the type.
    Described(u32, u32),
    /// Nobody in the program made it.
    Outside,
}

/// Why nobody knows what something is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause<'p> {
    /// It comes from a package without a model.
    Package(&'p str),
    /// It comes from an import that leads out of the program.
    Outside(&'p str),
    /// The model of a member of a module says that it may do anything.
    Model(&'p str),
    /// A member that the model of its module does not list.
    NoSuchMember(&'p str),
    /// Code that nobody knows returned it.
    Result,
    /// A name that the program does not declare and no model lists.
    Global(&'p str),
    /// A parameter of a function that code outside the program may call.
    Entry,
    /// A property of an object that unknown code has had in its hands.
    Escaped,
    /// A parameter of a function that a modelled call calls back.
    Callback,
    /// A caught error.
    Caught,
    /// It is data from outside: the program takes it to have a method.
    Data,
    /// A module whose name is computed.
    ComputedModule,
    /// It may have been written under a computed key.
    ComputedKey,
    /// It may be too many things to tell apart.
    TooMany,
    /// The same, of a type that an annotation names.
    Narrowed,
    /// It comes from a module that a test runner puts something in the place of.
    Mocked,
    /// It is something of the platform or of a package that changes what it is on or is given, called by way of a
    /// value: bound, handed over, by `apply`. What it changes is not where its call says.
    Displaced,
    /// A decorator that nobody knows may have put something in its place; the decorator.
    Decorated(&'p str),
    /// Syntax that the analysis does not describe: `with`, `eval`, what a decorator is told.
    Opaque,
}

impl fmt::Display for Cause<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Package(name) => write!(f, "comes from `{name}`, which has no model"),
            Self::Outside(name) => {
                write!(f, "comes from `{name}`, which is no part of the program")
            }
            Self::Model(module) => {
                write!(f, "comes from what may do anything, says the model of `{module}`")
            }
            Self::NoSuchMember(module) => {
                write!(f, "is not listed by the model of `{module}`")
            }
            Self::Result => f.write_str("was returned by code that nobody knows"),
            Self::Global(name) => write!(f, "`{name}` is declared nowhere in the program"),
            Self::Entry => f.write_str("is passed in by code outside the program"),
            Self::Escaped => f.write_str("is held by an object that unknown code has had"),
            Self::Callback => f.write_str("is passed in by a library"),
            Self::Caught => f.write_str("was caught: any error"),
            Self::Data => f.write_str("is data from outside the program"),
            Self::ComputedModule => f.write_str("comes from a module whose name is computed"),
            Self::ComputedKey => f.write_str("may be what was written under a computed key"),
            Self::TooMany | Self::Narrowed => f.write_str("may be very many things"),
            Self::Mocked => f.write_str("may be what a test puts in its place"),
            Self::Decorated("") => f.write_str("may be what a decorator puts in its place"),
            Self::Decorated(name) => {
                write!(f, "may be what the decorator `{name}` puts in its place")
            }
            Self::Displaced => f.write_str(
                "changes what it is on or is given, and is bound, handed over or passed on",
            ),
            Self::Opaque => f.write_str("comes from `with`, `eval` or a decorator"),
        }
    }
}

impl Cause<'_> {
    /// Why nobody knows what a call returns.
    pub(crate) fn of_result(self) -> Self {
        match self {
            Self::Package(_) | Self::Outside(_) | Self::Global(_) | Self::Decorated(_) => {
                Self::Result
            }
            other => other,
        }
    }

    /// The cause in a word or two, for counting.
    #[must_use]
    pub fn category(&self) -> &'static str {
        match self {
            Self::Package(_) => "package without a model",
            Self::Outside(_) => "file outside the program",
            Self::Model(_) | Self::NoSuchMember(_) => "model says anything",
            Self::Result => "returned by unknown code",
            Self::Global(_) => "unknown global",
            Self::Entry => "passed in from outside",
            Self::Escaped => "object in unknown hands",
            Self::Callback => "passed in by a library",
            Self::Caught => "caught error",
            Self::Data => "data from outside",
            Self::ComputedModule => "computed module name",
            Self::ComputedKey => "written under a computed key",
            Self::TooMany | Self::Narrowed => "very many possibilities",
            Self::Mocked => "replaced by a test",
            Self::Decorated(_) => "decorated",
            Self::Displaced => "called by way of a value",
            Self::Opaque => "with, eval, decorators",
        }
    }
}

/// All objects. Functions and classes have fixed numbers; the others get theirs when they are met.
#[derive(Debug)]
pub(crate) struct Objects<'p> {
    functions: u32,
    classes: u32,
    others: Vec<Kind<'p>>,
    numbers: FxHashMap<Kind<'p>, Object>,
}

impl<'p> Objects<'p> {
    pub(crate) fn new(numbering: &Numbering) -> Self {
        Self {
            functions: numbering.functions(),
            classes: numbering.classes(),
            others: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    pub(crate) fn get(&mut self, kind: Kind<'p>) -> Object {
        if let Some(known) = self.existing(kind) {
            return known;
        }
        let first = self.functions + 3 * self.classes;
        self.others.push(kind);
        let object = Object(first + id(self.others.len() - 1));
        self.numbers.insert(kind, object);
        object
    }

    /// The object of a kind, where it was met.
    pub(crate) fn existing(&self, kind: Kind<'p>) -> Option<Object> {
        let (functions, classes) = (self.functions, self.classes);
        match kind {
            Kind::Function(number) => Some(Object(number)),
            Kind::Class(number) => Some(Object(functions + number)),
            Kind::Prototype(number) => Some(Object(functions + classes + number)),
            Kind::Instance(number) => Some(Object(functions + 2 * classes + number)),
            _ => self.numbers.get(&kind).copied(),
        }
    }

    pub(crate) fn kind(&self, object: Object) -> Kind<'p> {
        let Some(rest) = object.0.checked_sub(self.functions) else {
            return Kind::Function(object.0);
        };
        let Some(rest) = rest.checked_sub(self.classes) else { return Kind::Class(rest) };
        let Some(rest) = rest.checked_sub(self.classes) else { return Kind::Prototype(rest) };
        let Some(rest) = rest.checked_sub(self.classes) else { return Kind::Instance(rest) };
        self.others.get(rest as usize).copied().unwrap_or(Kind::Data)
    }

    pub(crate) fn len(&self) -> usize {
        self.functions as usize + 3 * self.classes as usize + self.others.len()
    }
}
