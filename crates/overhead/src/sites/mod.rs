//! Call sites at which a function's promise is awaited at once, so that nothing else can see it.
//!
//! Purpose: a function whose results are awaited at once need not make a promise there. Input: the
//! syntax tree with its names resolved. Output: [`Sites`], what was found in one walk; and from it
//! [`choose::Chosen`], the functions that get a fast form without asking for it.

pub(crate) mod blocks;
pub(crate) mod choose;
mod collect;
pub(crate) mod forms;
mod members;
mod paths;
mod texts;
mod waited;

use oxc_ast::ast;
use oxc_semantic::{Scoping, SymbolId};
use oxc_span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::Facts;
pub(crate) use collect::collect;
use paths::Path;
pub(crate) use waited::{Place as CallPlace, Waited};

/// What a call may reach that has a fast form, and is asked for it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Reaches {
    /// Methods of classes.
    pub(crate) methods: bool,
    /// Functions that hold their fast ones themselves.
    pub(crate) values: bool,
    /// Those among them that are called on what they are read of, which they may use.
    pub(crate) owned: bool,
    /// A function that is called by way of its `call` or `apply`.
    pub(crate) called: bool,
}

impl Reaches {
    pub(crate) const METHODS: Self =
        Self { methods: true, values: false, owned: false, called: false };

    /// Whether it reaches anything.
    pub(crate) fn any(self) -> bool {
        self != Self::default()
    }
}

/// A private name: where the class begins that declares it, and the name.
pub(crate) type PrivateName = (u32, String);

/// What holds an async function.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// A function declaration.
    Declaration(SymbolId),
    /// `name = async () => …` in a declaration.
    Declarator { symbol: SymbolId, declarator: Declarator },
    /// `async #name() { … }`.
    Private { name: PrivateName, element: Span, key: Span, is_static: bool },
    /// `async name() { … }` of a class that is evaluated once.
    Method(Method),
    /// A function made by an expression; with the name that it gets from where it stands, if that is known.
    Value { name: Naming },
    /// `async name() { … }` of an object that a literal makes, which begins here.
    Member { name: String, literal: u32 },
    /// A method with a computed key, …
    Other,
}

/// The name that a function without one gets from where it stands (ECMA-262, 8.4 `NamedEvaluation`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Naming {
    No,
    Name(String),
    /// It gets one that the text does not say, or not simply.
    Unknown,
}

impl Naming {
    /// After a text, if that can stand in front of a colon.
    pub(crate) fn after(name: &str) -> Self {
        let is_plain = name.bytes().all(|it| it.is_ascii_alphanumeric() || b"_$".contains(&it));
        // That sets the prototype.
        let is_key =
            is_plain && name != "__proto__" && !name.starts_with(|it: char| it.is_ascii_digit());
        if is_key { Self::Name(name.to_owned()) } else { Self::Unknown }
    }
}

/// A public method.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) name: String,
    pub(crate) is_static: bool,
    /// Where the body of its class begins.
    pub(crate) class: u32,
}

/// A declarator that gives a name to a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declarator {
    pub(crate) span: Span,
    /// `const`, `let` or `var`.
    pub(crate) keyword: &'static str,
    pub(crate) export: Export,
}

/// Whether a declaration is exported where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Export {
    No,
    /// Behind the word `export`, as the first or only thing declared.
    First(Span),
    /// Together with others.
    Later,
}

/// A use of a private name.
#[derive(Debug)]
pub(crate) struct PrivateUse {
    pub(crate) name: PrivateName,
    /// The name without what it is read of.
    pub(crate) span: Span,
    /// Whether it is called; else it is a value.
    pub(crate) called: bool,
}

/// Up to this length, in bytes, a function of TypeScript is written once more for its type.
const LONG: u32 = 400;

/// Up to this one, an object with methods is.
const LONG_LITERAL: u32 = 2_000;

/// An async function that is no generator, and that may get a fast form.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) binding: Binding,
    pub(crate) path: Path,
    /// Why it must stay as it is, whoever calls it.
    pub(crate) off: Option<&'static str>,
}

/// What one walk over a file finds.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    /// By the function's index in the facts.
    pub(crate) candidates: FxHashMap<usize, Candidate>,
    /// Where the names of callees begin whose calls are awaited at once.
    pub(crate) at_once: FxHashSet<u32>,
    pub(crate) privates: Vec<PrivateUse>,
    /// By where the names of callees begin, where calls stand.
    pub(crate) places: FxHashMap<u32, CallPlace>,
    /// By its name, where the names of methods begin whose calls are awaited at once.
    pub(crate) members: FxHashMap<String, Vec<u32>>,
    /// Variables exported where they are declared.
    pub(crate) exported: FxHashSet<SymbolId>,
    /// Variables whose value is made a string somewhere, or whose frames are looked for in stacks, and names of members.
    pub(crate) as_text: FxHashSet<SymbolId>,
    pub(crate) members_as_text: FxHashSet<String>,
    /// Where the classes with names stand.
    pub(crate) classes: FxHashMap<SymbolId, Span>,
    /// Whether variables at the top may be seen, and assigned to, by other scripts.
    pub(crate) shares_globals: bool,
    /// Where the names of callees begin that may be an async function of the program by more than their names.
    pub(crate) guardable: FxHashMap<u32, Reaches>,
    /// The names of the methods among them, and the variables.
    pub(crate) guardable_members: FxHashSet<String>,
    pub(crate) guardable_variables: FxHashSet<SymbolId>,
    /// Where only atomic blocks may run fast functions: the functions that run in one.
    pub(crate) blocks: Option<FxHashSet<usize>>,
}

impl Sites {
    /// Leaves fast functions to atomic blocks.
    pub(crate) fn keep_to_blocks(
        &mut self,
        program: &ast::Program<'_>,
        scoping: &Scoping,
        facts: &Facts,
    ) {
        self.blocks = Some(blocks::functions(program, (scoping, facts, self)));
    }
}
