//! What a file's functions and names are: gathered in one walk before anything is rewritten.
//!
//! Purpose: the passes ask where a name is mentioned, from which function, and what a function
//! uses. Input: the syntax tree with its names resolved. Output: [`Facts`], which hold no tree.

mod calls;
mod collect;
mod directives;
mod evolving;
pub(crate) mod frame;
mod fresh;
pub(crate) mod gives;
mod scopes;
mod settled;
mod typed;

pub(crate) use collect::has_decorators;

use oxc_ast::ast;
use oxc_semantic::{ScopeId, Scoping, SymbolId};
use oxc_span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::known::{Known, SEE_KEYS};
use crate::rope::Rope;
use crate::sites::{CallPlace, Reaches};
use crate::templates::Template;

/// A function, or a part of a class that runs later as one would.
#[derive(Debug)]
pub(crate) struct FunctionFacts {
    pub(crate) span: Span,
    pub(crate) parent: Option<usize>,
    pub(crate) is_arrow: bool,
    /// Declared by a statement: there before the code around it runs.
    pub(crate) hoisted: bool,
    /// Declared in a block of sloppy code, or by a branch without one.
    pub(crate) in_sloppy_block: bool,
    /// It stands in a namespace of TypeScript, of which there may be other parts.
    pub(crate) in_namespace: bool,
    /// Where V8 says that it begins, in CPU profiles: at its parameters; an arrow function, at its start.
    pub(crate) start_position: u32,
    /// Where its body begins.
    pub(crate) body: u32,
    pub(crate) is_async: bool,
    /// Whether it is, and has the directive.
    pub(crate) asks: bool,
    /// Whether it says what it returns.
    pub(crate) typed: bool,
    /// What it uses, its arrow functions included.
    pub(crate) uses: Uses,
    /// Its own `await`s, in order.
    pub(crate) awaits: Vec<Span>,
    /// `for await` and `await using`.
    pub(crate) implicit_awaits: Vec<Span>,
    /// What it calls.
    pub(crate) calls: Vec<Call>,
    /// What it is called, where it has a name or is put where one is.
    pub(crate) name: Option<String>,
    /// All its names: a function with a name may be put where there is another.
    pub(crate) names: Vec<String>,
    /// The variables that it is the first value of, and its own name.
    pub(crate) bound: Vec<SymbolId>,
    /// It is a declaration, or the first value of a variable, and no value besides.
    pub(crate) has_home: bool,
    /// The name of the class that it is a member of, as which it only runs once that has its value.
    pub(crate) class: Option<SymbolId>,
    /// What its `return`s give, if it has any.
    gives: Option<gives::Gives>,
    /// What it holds besides its variables.
    held: frame::Held,
}

impl FunctionFacts {
    /// The first place where it waits.
    pub(crate) fn first_wait(&self) -> Option<Span> {
        self.awaits.iter().chain(&self.implicit_awaits).copied().min_by_key(|it| it.start)
    }
}

/// What a function calls.
#[derive(Debug)]
pub(crate) struct Call {
    /// Where the last name of what it calls begins, if it has one.
    pub(crate) at: u32,
    /// Its last name; empty where it has none.
    pub(crate) name: String,
    /// The variable, where a variable is called.
    pub(crate) symbol: Option<SymbolId>,
    /// It is a method of the class above.
    pub(crate) is_super: bool,
    /// What it calls where no name says so.
    pub(crate) value: Value,
    /// It has as many arguments as some value has elements.
    pub(crate) spreads: bool,
}

/// What is called where no name says what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// A name says it.
    No,
    /// A parameter: what somebody passed on.
    Passed,
    /// An element, a variable that may hold one, what a call gives.
    Element,
}

/// What ties code to the function it stands in.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Uses {
    pub(crate) this: bool,
    pub(crate) super_: bool,
    pub(crate) arguments: bool,
    pub(crate) new_target: bool,
    pub(crate) private_names: bool,
    pub(crate) eval: bool,
}

/// A mention of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mention {
    pub(crate) span: Span,
    pub(crate) symbol: Option<SymbolId>,
    /// Index of the function it stands in; `None` at the top of the file.
    pub(crate) function: Option<usize>,
    pub(crate) write: bool,
    /// It is a property's short form: `{ name }`.
    pub(crate) shorthand: bool,
    pub(crate) called: Called,
    /// It is the name of a class inside of that, which has a variable of its own for it.
    pub(crate) in_own_class: bool,
}

/// How a mention is called, if it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Called {
    No,
    /// As `name(…)` or as the tag of a template.
    Plainly,
    /// It begins what `new` calls.
    ByNew,
}

/// A `var` declaration.
#[derive(Clone, Debug)]
pub(crate) struct VarDeclaration {
    pub(crate) span: Span,
    pub(crate) symbols: Vec<(SymbolId, Span)>,
    /// The types of what it declares, with what stands in front of them.
    pub(crate) types: Vec<Span>,
    /// An object is taken apart.
    pub(crate) takes_apart: bool,
    /// It stands in the head of a loop.
    pub(crate) in_head: bool,
    /// Without the word `var`, it begins with an array of variables and gives them values.
    pub(crate) opens_array: bool,
}

/// What is known about a file.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) functions: Vec<FunctionFacts>,
    pub(crate) by_span: FxHashMap<(u32, u32), usize>,
    /// What async functions give, by their name.
    gives_of: FxHashMap<String, gives::Gives>,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) mentions_of: FxHashMap<SymbolId, Vec<usize>>,
    /// The tagged templates, in the order of the text.
    pub(crate) templates: Vec<Template>,
    /// The `with` statements, in which any name may be that of a property.
    pub(crate) withs: Vec<Span>,
    /// Whether some code calls `eval` directly.
    pub(crate) has_eval: bool,
    /// Whether code outside of functions does.
    pub(crate) evals_at_top: bool,
    /// The parts of namespaces, and of enums.
    namespaces: Vec<Span>,
    /// The scopes of `switch` statements.
    switches: FxHashSet<ScopeId>,
    /// Functions that others may call before the code around them has run.
    pub(crate) exported: FxHashSet<SymbolId>,
    /// Statements of the file whose functions have to stay async.
    stays_async: Vec<Span>,
    /// Where types are those of variables (`typeof x`), by the variable.
    pub(crate) queried: FxHashMap<SymbolId, Vec<u32>>,
    /// Whether a variable is named `arguments`, which functions have of their own.
    pub(crate) binds_arguments: bool,
    /// Variables that sloppy code deletes, or rather does not: those stay.
    pub(crate) deleted: FxHashSet<SymbolId>,
    /// Where the names begin of what is called by way of its fast form, if it has one.
    pub(crate) guarded: FxHashMap<u32, Reaches>,
    /// By the names of methods that have fast ones, the variables with the symbols under which objects hold those.
    pub(crate) member_keys: FxHashMap<String, String>,
    /// The texts of functions made by an expression, by where that begins: of the async one, and of the fast one that it holds.
    pub(crate) marked: FxHashMap<u32, (Rope, Rope)>,
    /// Where the names of callees begin that have a fast form, and whose calls are awaited at once.
    pub(crate) fast_calls: FxHashSet<u32>,
    /// Of those, where the names begin of functions that have become fast ones themselves.
    pub(crate) in_place_calls: FxHashSet<u32>,
    /// By the function that they stand in, names of callees that have a fast form, and the names of these.
    pub(crate) renamed: FxHashMap<Option<usize>, Vec<(Span, String)>>,
    /// By where the names of callees begin, whether what calls them has waited.
    pub(crate) places: FxHashMap<u32, CallPlace>,
    /// Variables whose first value is awaited.
    pub(crate) awaited: FxHashSet<SymbolId>,
    /// The function that gives the fast function that a function holds, if that uses no `this`.
    pub(crate) held: String,
    /// The function that gives what a function holds to be called on an object.
    pub(crate) applied: String,
    /// What has the `call` and the `apply` of the language.
    pub(crate) callable: String,
    /// What calls a function with a `this`.
    pub(crate) caller: String,
    /// All names in the file, so that new ones can be told apart.
    pub(crate) names: FxHashSet<String>,
    /// How many names were made of each wanted one.
    numbers: FxHashMap<String, u32>,
    /// Variables whose type is written down, or said by a first value that is a literal.
    pub(crate) says_type: FxHashMap<SymbolId, TypeText>,
    /// Whether the file is TypeScript.
    pub(crate) typescript: bool,
    /// Whether it is, and what it exports keeps its types.
    pub(crate) keeps_types: bool,
    /// What the rest of the program shows of the file; nothing where that is not known.
    pub(crate) known: Known,
    /// Whether the files of the program share one counter of how deep calls are.
    pub(crate) shares_depth: bool,
    /// Functions that stay as they are since the caller has not named them as worth converting.
    pub(crate) cold: FxHashSet<usize>,
    /// Whether something in the file may change the context of what runs on.
    pub(crate) enters_context: bool,
    /// Whether the file may be a script, whose names at the top other scripts see.
    pub(crate) may_be_script: bool,
    /// What names at the top of the file end with, where other files may see them.
    suffix: String,
    /// Where the declaration that gives a variable its first value ends; 0 where it has one
    /// from the start.
    pub(crate) declared_at: FxHashMap<SymbolId, u32>,
    /// Classes that run code while they are made.
    pub(crate) early_classes: FxHashSet<SymbolId>,
    /// Variables of the head of a `for … of` or `for … in` that what it goes over mentions.
    pub(crate) in_own_head: FxHashSet<SymbolId>,
    /// The function a variable belongs to.
    pub(crate) owner: FxHashMap<SymbolId, Option<usize>>,
    /// The variables of each function.
    pub(crate) owned: FxHashMap<usize, Vec<SymbolId>>,
    /// The `var` declarations.
    pub(crate) vars: Vec<VarDeclaration>,
    /// Variables bound by a property's short form.
    pub(crate) bound_short: FxHashSet<SymbolId>,
    /// The names of functions declared in blocks of sloppy code, which are known around these, too.
    pub(crate) leaking: FxHashSet<String>,
    /// The mentions of each name, in the order of the text.
    pub(crate) by_name: FxHashMap<String, Vec<usize>>,
    /// The names of functions, and of methods of `this`, that async functions call and return without
    /// awaiting them.
    pub(crate) returned: FxHashSet<String>,
    /// The names of properties that are read other than to be called.
    pub(crate) read: FxHashSet<String>,
    /// Functions, and names, that stand directly in the arguments of a call, with the last name of what
    /// that calls.
    pub(crate) passed: FxHashMap<(u32, u32), String>,
    /// The names of properties that the file puts values under other than functions it makes there.
    pub(crate) stored: FxHashSet<String>,
    /// Variables that begin as an empty array: of what kind TypeScript sees by what is put into them.
    pub(crate) evolving: FxHashSet<SymbolId>,
    /// The names of what is called outside of functions.
    pub(crate) top_calls: FxHashSet<String>,
    /// Where that stands.
    pub(crate) returned_at: FxHashSet<(u32, u32)>,
}

/// The text of a type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TypeText {
    /// It stands in the file.
    Written(Span),
    Primitive(&'static str),
}

impl Facts {
    /// Whether function `inner` is `outer` or stands inside it.
    pub(crate) fn is_within(&self, inner: Option<usize>, outer: usize) -> bool {
        let mut at = inner;
        while let Some(index) = at {
            if index == outer {
                return true;
            }
            at = self.functions[index].parent;
        }
        false
    }

    /// Notes whether a file is TypeScript, and if so, whether what it exports keeps its types. Where it need not, one without any types
    /// is taken for what another tool has compiled, and stays JavaScript.
    pub(crate) fn note_language(&mut self, program: &ast::Program<'_>, keep_types: bool) {
        self.typescript =
            program.source_type.is_typescript() && (keep_types || typed::has_types(program));
        self.keeps_types = self.typescript && keep_types;
    }

    /// Whether objects may be proxies that the program makes, or be asked for all that they have: what is read of them or put there is
    /// seen.
    pub(crate) fn has_proxies(&self) -> bool {
        self.known.proxies || SEE_KEYS.iter().any(|it| self.names.contains(*it))
    }

    /// Whether a function of TypeScript has the type that follows from what it does: neither it nor a function around it says
    /// what it returns.
    pub(crate) fn is_untyped(&self, function: usize) -> bool {
        let parent = |index: &usize| self.functions[*index].parent;
        let mut around = std::iter::successors(Some(function), parent);
        self.typescript && !around.any(|it| self.functions[it].typed)
    }

    /// Whether the text of an async function stays as it is, at most with a fast one beside it, since types follow from it that are
    /// to be kept.
    pub(crate) fn keeps_text(&self, function: usize) -> bool {
        self.keeps_types && self.is_untyped(function)
    }

    /// Whether the type that follows from a fast function is to be that which followed from the async one: who calls it has a type by
    /// that, where those are not to be kept in any case.
    pub(crate) fn infers(&self, function: usize) -> bool {
        !self.keeps_types && self.is_untyped(function)
    }

    /// The function directly inside `outer` through which `inner` stands in it.
    pub(crate) fn child_towards(&self, outer: usize, inner: usize) -> usize {
        let mut at = inner;
        while let Some(parent) = self.functions[at].parent {
            if parent == outer {
                break;
            }
            at = parent;
        }
        at
    }

    /// Notes which functions are cold, by their start positions.
    pub(crate) fn note_cold(&mut self, is_cold: impl Fn(u32) -> bool) {
        let all = self.functions.iter().enumerate();
        self.cold = all.filter(|it| is_cold(it.1.start_position)).map(|it| it.0).collect();
    }

    /// Whether a name is that of a class whose static fields run code: outside of the class it has no value then.
    pub(crate) fn is_early(&self, symbol: Option<SymbolId>) -> bool {
        symbol.is_some_and(|it| self.early_classes.contains(&it))
    }

    /// The mentions of a name in a place.
    pub(crate) fn mentions_in(&self, span: Span, name: &str) -> impl Iterator<Item = &Mention> {
        let all = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        let first = all.partition_point(|it| self.mentions[*it].span.start < span.start);
        let found = all[first..].iter().map(|it| &self.mentions[*it]);
        found.take_while(move |it| it.span.start < span.end)
    }

    /// The mentions of a variable.
    pub(crate) fn mentions(&self, symbol: SymbolId) -> impl Iterator<Item = &Mention> {
        self.mentions_of.get(&symbol).into_iter().flatten().map(|&it| &self.mentions[it])
    }
}

/// Whether a symbol is declared at the top of the file.
pub(crate) fn is_root(scoping: &Scoping, symbol: SymbolId) -> bool {
    let scope: ScopeId = scoping.symbol_scope_id(symbol);
    scoping.scope_parent_id(scope).is_none()
}
