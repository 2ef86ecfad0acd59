//! One source file.

use crate::{
    ArgsId, Block, BlockForm, BlockId, Class, ClassId, Decoration, Function, FunctionId, Inst,
    InstId, Key, NameId, Names, RequestId, Span, Stmt, StmtId, StmtKind, Type, TypeRef, VarId,
    Variable,
};

/// A file of the program: an index into the program's list of files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// How the source of a file was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// An ES module.
    Module,
    /// A script or a CommonJS module.
    Script,
}

/// A source file in the IR.
#[derive(Debug)]
pub struct FileIr {
    /// Whether it is a module.
    pub kind: FileKind,
    /// Whether it is TypeScript.
    pub is_typescript: bool,
    /// Whether the compiler checks it though it is no TypeScript: `checkJs` (TypeScript Handbook, "Type Checking JavaScript
    /// Files").
    pub is_checked: bool,
    /// Whether the compiler makes ECMAScript 5 of it: it has no generators then, and its loops go over arrays only.
    pub is_for_es5: bool,
    /// Whether the compiler makes `require` of its `import()`, which waits for nothing then (TypeScript, `module`).
    pub requires_imports: bool,
    /// Whether the compiler is known to keep, in functions, the types that tests have narrowed variables to which are
    /// never assigned again (TypeScript 5.4, "Preserved Narrowing in Closures Following Last Assignments").
    pub keeps_narrowing: bool,
    /// Hash of the bytes it was read from, to notice that the file has changed since.
    pub content_hash: u64,
    /// How many lines it has.
    pub lines: u32,
    /// Its strings.
    pub names: Names,
    /// Its instructions.
    pub insts: Vec<Inst>,
    /// The place of each instruction in the source.
    pub spans: Vec<Span>,
    /// The operand lists, end to end.
    pub args: Vec<InstId>,
    /// Where each operand list starts in `args`; one more than there are lists.
    pub arg_starts: Vec<u32>,
    /// Its statements.
    pub stmts: Vec<Stmt>,
    /// The statements of all blocks, end to end.
    pub block_items: Vec<StmtId>,
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// Its functions; the first is the module itself.
    pub functions: Vec<Function>,
    /// Its classes.
    pub classes: Vec<Class>,
    /// The calls of decorators, in order.
    pub decorations: Vec<Decoration>,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// The types that its annotations name; the first says nothing.
    pub types: Vec<Type>,
    /// What its interfaces and type aliases stand for.
    pub type_declarations: Vec<(VarId, TypeRef)>,
    /// What annotations say of values that are no variable, in the order of the values; of several
    /// the last holds.
    pub typed_values: Vec<TypedValue>,
    /// Its calls with type arguments, in order.
    pub typed_calls: Vec<InstId>,
    /// Its variables that types name (`typeof item`; TypeScript Handbook, "Typeof Type Operator"), and where.
    pub type_queries: Vec<(VarId, Span)>,
    /// Where its type aliases and interfaces are declared, in order.
    pub declared_types: Vec<Span>,
    /// The selections that are `&&`, in order.
    pub conjunctions: Vec<InstId>,
    /// The selections that are `||`, in order.
    pub disjunctions: Vec<InstId>,
    /// The selections that are `??`, in order.
    pub coalescings: Vec<InstId>,
    /// The comparisons that are `!==` and `!=`, in order.
    pub inequalities: Vec<InstId>,
    /// What it asks of other modules.
    pub requests: Vec<ModuleRequest>,
    /// Its import bindings.
    pub imports: Vec<Import>,
    /// Its exports.
    pub exports: Vec<Export>,
    /// Its comments, in order.
    pub comments: Vec<Span>,
    /// String and template tokens that hold line breaks: their lines must not be indented.
    pub multiline_strings: Vec<Span>,
    /// Comments that tell a tool something about the code they stand at.
    pub pinned_comments: Vec<PinnedComment>,
    /// Where the statements start that a `headstart-ignore` comment stands above, in bytes.
    pub ignores: Vec<u32>,
    /// The same of a comment that says that things happen one after the other because they have to.
    pub in_order: Vec<u32>,
}

/// What an annotation says of a value that is no variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypedValue {
    /// The value.
    pub value: InstId,
    /// The type.
    pub ty: TypeRef,
    /// Whether it is an assertion, `value as T`: what its author believes. Else the value is what a
    /// pattern with an annotation takes apart.
    pub is_asserted: bool,
}

/// A comment such as `@ts-expect-error`, `eslint-disable-next-line` or `@type`: it means what it
/// says only where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PinnedComment {
    /// The comment.
    pub span: Span,
    /// Where the token starts that it stands before, in bytes.
    pub attached_to: u32,
    /// Where the code ends that stands before it on its line; its own start where there is none.
    pub follows: u32,
}

/// A request for another module.
#[derive(Clone, Debug)]
pub struct ModuleRequest {
    /// The specifier as written.
    pub specifier: NameId,
    /// Where it is written.
    pub span: Span,
    /// How it is asked for.
    pub kind: RequestKind,
    /// What it leads to.
    pub resolution: Resolution,
}

/// How a module is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequestKind {
    /// `import … from`, `export … from`
    Import,
    /// As `Import`, but only for types: erased at run time.
    TypeOnly,
    /// `import()`
    Dynamic,
    /// `require()`, `import x = require()`
    Require,
    /// `vi.mock()`, `jest.mock()`, `mock.module()`: a test runner puts something in its place.
    Mocked,
}

impl RequestKind {
    /// Whether the module is loaded by it.
    #[must_use]
    pub fn loads(self) -> bool {
        matches!(self, Self::Import | Self::Dynamic | Self::Require)
    }
}

/// What a module request leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Resolution {
    /// Not looked up yet.
    #[default]
    Pending,
    /// A file of the program.
    File(FileId),
    /// A file on disk that is not part of the program: ignored by git, a style sheet, a JSON file.
    Outside,
    /// A module of the platform: `node:fs`.
    Builtin,
    /// A package that the program depends on.
    Package,
    /// A file of the program that cannot be read or parsed.
    Unreadable,
    /// Nothing was found.
    Missing,
}

/// An import binding.
#[derive(Clone, Debug)]
pub struct Import {
    /// The local name.
    pub local: VarId,
    /// The module.
    pub request: RequestId,
    /// What of it.
    pub imported: Imported,
}

/// What an import binding names in the other module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Imported {
    /// A named export.
    Name(NameId),
    /// The default export.
    Default,
    /// All of it: `* as ns`, `import ns = require()`.
    Namespace,
}

/// An export.
#[derive(Clone, Debug)]
pub struct Export {
    /// The exported name; none for `export *`.
    pub name: Option<NameId>,
    /// Where it comes from.
    pub source: ExportSource,
}

/// Where an export comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportSource {
    /// A variable of the file.
    Local(VarId),
    /// The value of an expression: `export default x`, `export = x`.
    Value(InstId),
    /// A named export of another module.
    From(RequestId, NameId),
    /// Everything of another module.
    All(RequestId),
}

impl FileIr {
    /// The instruction with the given id; [`Inst::Opaque`] for an id of another file.
    #[must_use]
    pub fn inst(&self, id: InstId) -> Inst {
        self.insts.get(id.index()).copied().unwrap_or(Inst::Opaque)
    }

    /// The loops around an instruction, each with its first instruction and the one behind its last.
    pub fn loops_around(&self, at: InstId) -> impl Iterator<Item = (InstId, InstId)> {
        let is_around = move |it: &&Stmt| {
            matches!(it.kind, StmtKind::Loop { .. }) && it.first <= at && at < it.end
        };
        self.stmts.iter().filter(is_around).map(|it| (it.first, it.end))
    }

    /// The place of an instruction in the source.
    #[must_use]
    pub fn span(&self, id: InstId) -> Span {
        self.spans.get(id.index()).copied().unwrap_or_default()
    }

    /// The operands of a list.
    #[must_use]
    pub fn args(&self, id: ArgsId) -> &[InstId] {
        let start = self.arg_starts.get(id.index()).copied().unwrap_or(0) as usize;
        let end = self.arg_starts.get(id.index() + 1).copied().unwrap_or(0) as usize;
        self.args.get(start..end).unwrap_or(&[])
    }

    /// The statement with the given id.
    #[must_use]
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.index()]
    }

    /// How the statements of a block stand in the source.
    #[must_use]
    pub fn block_form(&self, id: BlockId) -> BlockForm {
        self.blocks.get(id.index()).map_or(BlockForm::Fixed, |it| it.form)
    }

    /// The statements of a block.
    #[must_use]
    pub fn block(&self, id: BlockId) -> &[StmtId] {
        let block = self.blocks.get(id.index()).copied().unwrap_or_default();
        self.block_items.get(block.start as usize..block.end as usize).unwrap_or(&[])
    }

    /// The instructions of a block, up to the one behind its last; none where it has no statements.
    #[must_use]
    pub fn range_of_block(&self, id: BlockId) -> Option<(InstId, InstId)> {
        let (&first, &last) = (self.block(id).first()?, self.block(id).last()?);
        Some((self.stmt(first).first, self.stmt(last).end))
    }

    /// The function with the given id.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The function that an instruction stands in.
    #[must_use]
    pub fn function_at(&self, inst: InstId) -> FunctionId {
        let after = self.functions.partition_point(|it| it.first <= inst);
        FunctionId::new(after.saturating_sub(1))
    }

    /// The class with the given id.
    #[must_use]
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// The variable with the given id.
    #[must_use]
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }

    /// The import binding that a variable is.
    #[must_use]
    pub fn import_of(&self, var: VarId) -> Option<&Import> {
        self.imports.iter().find(|it| it.local == var)
    }

    /// What a variable is given where it is declared, whatever it is given later.
    #[must_use]
    pub fn initial_value(&self, var: VarId) -> Option<InstId> {
        match self.inst(self.variable(var).init?) {
            Inst::StoreVar { value, .. } => Some(value),
            _ => None,
        }
    }

    /// What an instruction negates: `a` of `!a`.
    #[must_use]
    pub fn negated(&self, inst: InstId) -> Option<InstId> {
        let Inst::Pure1(value) = self.inst(inst) else { return None };
        // Of the operators of its kind, only `!` is one letter long.
        (self.span(inst).start + 1 == self.span(value).start).then_some(value)
    }

    /// Whether an instruction is a `new` of a global with one of some names: `new Map()`.
    #[must_use]
    pub fn is_new_of(&self, made: InstId, names: &[&str]) -> bool {
        let Inst::New { callee, .. } = self.inst(made) else { return false };
        matches!(self.inst(callee), Inst::LoadGlobal(name) if names.contains(&self.name(name)))
    }

    /// What a method is called on, and its name; none where the call is another one, or the name is worked out.
    #[must_use]
    pub fn method_call(&self, call: InstId) -> Option<(InstId, &str)> {
        let Inst::CallMethod { object, method, .. } = self.inst(call) else { return None };
        let Inst::Get { key, .. } = self.inst(method) else { return None };
        match key.get() {
            Key::Name(name) => Some((object, self.name(name))),
            Key::Private(_) | Key::Computed(_) => None,
        }
    }

    /// The module request with the given id.
    #[must_use]
    pub fn request(&self, id: RequestId) -> &ModuleRequest {
        &self.requests[id.index()]
    }

    /// The string with the given id.
    #[must_use]
    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id)
    }

    /// The ids from `first` up to `end`, not included.
    pub fn range(first: InstId, end: InstId) -> impl DoubleEndedIterator<Item = InstId> {
        (first.index()..end.index()).map(InstId::new)
    }

    /// Whether an instruction runs while the module is loaded, and not in a function.
    #[must_use]
    pub fn is_at_top(&self, inst: InstId) -> bool {
        self.functions.first().is_some_and(|module| module.first <= inst && inst < module.end)
    }

    /// Whether an instruction from `value` up to `end`, not included, takes what it gives: assigns it, reads a
    /// property of it, hands it on.
    #[must_use]
    pub fn is_taken(&self, value: InstId, end: InstId) -> bool {
        let mut is_taken = false;
        for at in Self::range(value, end) {
            self.inst(at).for_each_operand(self, &mut |it| is_taken |= it == value);
        }
        is_taken
    }

    /// The instructions that read a method which is called right away.
    pub fn method_reads(&self) -> impl Iterator<Item = InstId> {
        self.insts.iter().filter_map(|it| match *it {
            Inst::CallMethod { method, .. } => Some(method),
            _ => None,
        })
    }

    /// What an annotation says of a value that is no variable.
    #[must_use]
    pub fn typed_value(&self, inst: InstId) -> Option<TypedValue> {
        let after = self.typed_values.partition_point(|it| it.value <= inst);
        self.typed_values.get(after.checked_sub(1)?).copied().filter(|it| it.value == inst)
    }

    /// Whether a call has type arguments.
    #[must_use]
    pub fn has_type_arguments(&self, call: InstId) -> bool {
        self.typed_calls.binary_search(&call).is_ok()
    }

    /// Whether a type is declared within a text: code that is moved out of that may not see it.
    #[must_use]
    pub fn declares_type_within(&self, span: Span) -> bool {
        self.declared_types.iter().any(|&it| span.contains(it))
    }

    /// Where types name a variable.
    pub fn queries(&self, var: VarId) -> impl Iterator<Item = Span> {
        self.type_queries.iter().filter(move |it| it.0 == var).map(|it| it.1)
    }

    /// The text of some instructions, from where the first of it starts to where the last ends.
    #[must_use]
    pub fn extent(&self, (first, end): (InstId, InstId)) -> Span {
        let spans = || Self::range(first, end).map(|it| self.span(it));
        let start = spans().map(|it| it.start).min().unwrap_or(0);
        Span::new(start, spans().map(|it| it.end).max().unwrap_or(start))
    }

    /// Whether a value is what `&&` gives.
    #[must_use]
    pub fn is_conjunction(&self, value: InstId) -> bool {
        self.conjunctions.binary_search(&value).is_ok()
    }

    /// Whether a value is what `||` gives.
    #[must_use]
    pub fn is_disjunction(&self, value: InstId) -> bool {
        self.disjunctions.binary_search(&value).is_ok()
    }

    /// Whether a value is what `??` gives.
    #[must_use]
    pub fn is_coalescing(&self, value: InstId) -> bool {
        self.coalescings.binary_search(&value).is_ok()
    }

    /// Whether a value is that of `!==` or `!=`.
    #[must_use]
    pub fn is_inequality(&self, value: InstId) -> bool {
        self.inequalities.binary_search(&value).is_ok()
    }

    /// Brings the lists into their order and gives back the memory that the lists reserved while they grew.
    pub fn shrink(&mut self) {
        self.insts.shrink_to_fit();
        self.spans.shrink_to_fit();
        self.args.shrink_to_fit();
        self.arg_starts.shrink_to_fit();
        self.stmts.shrink_to_fit();
        self.block_items.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.functions.shrink_to_fit();
        self.classes.shrink_to_fit();
        self.decorations.shrink_to_fit();
        self.variables.shrink_to_fit();
        self.types.shrink_to_fit();
        self.type_declarations.shrink_to_fit();
        self.typed_values.sort_by_key(|it| it.value);
        self.typed_values.shrink_to_fit();
        self.typed_calls.shrink_to_fit();
        self.conjunctions.shrink_to_fit();
        self.disjunctions.shrink_to_fit();
        self.coalescings.shrink_to_fit();
        self.inequalities.shrink_to_fit();
        self.requests.shrink_to_fit();
        self.imports.shrink_to_fit();
        self.exports.shrink_to_fit();
        self.comments.shrink_to_fit();
    }
}
