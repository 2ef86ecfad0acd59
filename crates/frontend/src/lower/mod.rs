//! Lowers one syntax tree to the IR.
//!
//! Functions are lowered one after the other, not inside one another, so that each owns a
//! contiguous range of instructions. A function found on the way is put into a queue; it is
//! lowered after the one it stands in, so that every variable's owner is known before an inner
//! function mentions it.

mod assign;
mod call;
mod class;
mod comments;
mod decorate;
mod expr;
mod function;
mod jsx;
mod loops;
mod module;
mod stmt;
mod tokens;
mod types;
mod typescript;

use std::collections::VecDeque;

use headstart_ir::order;
use headstart_ir::{
    ArgsId, Block, BlockForm, BlockId, Class, Export, FileIr, FileKind, Function, FunctionId,
    FunctionKind, Import, Inst, InstId, Literal, ModuleRequest, NameId, Names, NamesBuilder,
    RequestId, RequestKind, Resolution, Span, Stmt, StmtId, Type, TypeHint, TypeRef, VarId,
    VarKind, Variable,
};
use oxc_ast::ast;
use oxc_semantic::{Scoping, SymbolFlags};
use rustc_hash::FxHashMap;

use self::function::PendingBody;
use crate::names::TypeNames;

/// Strings longer than this are data, not names or paths, and are not kept.
const LONGEST_KEPT_STRING: usize = 256;

/// Owner of a variable whose declaration has not been met yet.
const UNKNOWN_OWNER: usize = u32::MAX as usize;

/// What the caller knows about a file beside its syntax tree.
pub(crate) struct FileFacts {
    pub(crate) kind: FileKind,
    pub(crate) is_typescript: bool,
    pub(crate) content_hash: u64,
    pub(crate) lines: u32,
}

/// Lowers `program`, whose names `scoping` has resolved; `types`: what its types have to do with its code.
pub(crate) fn lower<'a>(
    program: &'a ast::Program<'a>,
    (scoping, types): (&'a Scoping, &TypeNames),
    facts: &FileFacts,
) -> FileIr {
    let mut lowerer = Lowerer::new(scoping, program.source_text, facts);
    lowerer.declare_variables();
    let placed = |span: oxc_span::Span| Span::new(span.start, span.end);
    let queries = types.queries.iter().map(|it| (VarId::new(it.0.index()), placed(it.1)));
    lowerer.ir.type_queries = queries.collect();
    lowerer.ir.declared_types = types.declared.iter().map(|it| placed(*it)).collect();
    lowerer.comments(program);
    lowerer.module_body(program);
    while let Some(pending) = lowerer.queue.pop_front() {
        lowerer.pending_body(pending);
    }
    lowerer.finish()
}

struct Lowerer<'a> {
    scoping: &'a Scoping,
    source: &'a str,
    ir: FileIr,
    names: NamesBuilder,
    name_ids: FxHashMap<&'a str, NameId>,
    queue: VecDeque<PendingBody<'a>>,
    current: FunctionId,
    /// How many suspend points the current function has so far.
    suspend_points: u32,
    /// How many `with` statements and namespaces are open.
    with_depth: u32,
    namespace_depth: u32,
    /// How many loops of the current function are open.
    loop_depth: u32,
    /// `Conditional`s of the optional chains being lowered, to be closed at the chain's end.
    open_chains: Vec<InstId>,
}

impl<'a> Lowerer<'a> {
    fn new(scoping: &'a Scoping, source: &'a str, facts: &FileFacts) -> Self {
        Self {
            scoping,
            source,
            ir: FileIr {
                kind: facts.kind,
                is_typescript: facts.is_typescript,
                is_checked: false,
                is_for_es5: false,
                requires_imports: false,
                keeps_narrowing: false,
                content_hash: facts.content_hash,
                lines: facts.lines,
                names: Names::default(),
                insts: Vec::new(),
                spans: Vec::new(),
                args: Vec::new(),
                arg_starts: Vec::new(),
                stmts: Vec::new(),
                block_items: Vec::new(),
                blocks: Vec::new(),
                functions: Vec::new(),
                classes: Vec::new(),
                decorations: Vec::new(),
                variables: Vec::new(),
                types: vec![Type::Unknown],
                type_declarations: Vec::new(),
                typed_values: Vec::new(),
                typed_calls: Vec::new(),
                type_queries: Vec::new(),
                declared_types: Vec::new(),
                conjunctions: Vec::new(),
                disjunctions: Vec::new(),
                coalescings: Vec::new(),
                inequalities: Vec::new(),
                requests: Vec::new(),
                imports: Vec::new(),
                exports: Vec::new(),
                comments: Vec::new(),
                multiline_strings: Vec::new(),
                pinned_comments: Vec::new(),
                ignores: Vec::new(),
                in_order: Vec::new(),
            },
            names: NamesBuilder::default(),
            // Most names are variables; most others are properties, about as many again.
            name_ids: FxHashMap::with_capacity_and_hasher(
                scoping.symbols_len() * 2,
                Default::default(),
            ),
            queue: VecDeque::new(),
            current: FunctionId::new(0),
            suspend_points: 0,
            with_depth: 0,
            namespace_depth: 0,
            loop_depth: 0,
            open_chains: Vec::new(),
        }
    }

    fn finish(mut self) -> FileIr {
        let end = u32::try_from(self.ir.args.len()).unwrap_or(u32::MAX);
        self.ir.arg_starts.push(end);
        order::sort(&mut self.ir.multiline_strings);
        self.ir.names = self.names.finish();
        self.ir.shrink();
        self.ir
    }

    fn declare_variables(&mut self) {
        for symbol in self.scoping.symbol_ids() {
            let name = self.name(self.scoping.symbol_name(symbol));
            self.ir.variables.push(Variable {
                name,
                kind: var_kind(self.scoping.symbol_flags(symbol)),
                hint: TypeHint::Unknown,
                ty: TypeRef::UNKNOWN,
                owner: FunctionId::new(UNKNOWN_OWNER),
                declared: InstId::new(u32::MAX as usize),
                is_read: false,
                writes: 0,
                init: None,
                is_written_in_loop: false,
                is_captured: false,
                is_written_by_closure: false,
                class: None,
                is_redeclared: !self.scoping.symbol_redeclarations(symbol).is_empty(),
            });
        }
    }

    /// The id of a string. Each distinct string is kept once.
    fn name(&mut self, string: &'a str) -> NameId {
        if let Some(&id) = self.name_ids.get(string) {
            return id;
        }
        let id = self.names.push(string);
        self.name_ids.insert(string, id);
        id
    }

    fn emit(&mut self, inst: Inst, span: oxc_span::Span) -> InstId {
        let id = self.next();
        if inst.is_suspend_point() {
            self.suspend_points += 1;
        }
        self.ir.insts.push(inst);
        self.ir.spans.push(convert(span));
        id
    }

    /// The id that the next instruction will have.
    fn next(&self) -> InstId {
        InstId::new(self.ir.insts.len())
    }

    fn undefined(&mut self, span: oxc_span::Span) -> InstId {
        self.emit(Inst::Literal(Literal::Undefined), span)
    }

    fn list(&mut self, items: &[InstId]) -> ArgsId {
        let id = ArgsId::new(self.ir.arg_starts.len());
        self.ir.arg_starts.push(u32::try_from(self.ir.args.len()).unwrap_or(u32::MAX));
        self.ir.args.extend_from_slice(items);
        id
    }

    /// Opens a stretch that runs only sometimes; [`Self::close`] ends it.
    fn open(&mut self, test: InstId, span: oxc_span::Span) -> InstId {
        let end = self.next();
        self.emit(Inst::Conditional { test, end }, span)
    }

    fn close(&mut self, conditional: InstId) {
        let next = self.next();
        if let Some(Inst::Conditional { end, .. }) = self.ir.insts.get_mut(conditional.index()) {
            *end = next;
        }
    }

    fn block(&mut self, items: &[StmtId], form: BlockForm) -> BlockId {
        let id = BlockId::new(self.ir.blocks.len());
        let start = u32::try_from(self.ir.block_items.len()).unwrap_or(u32::MAX);
        self.ir.block_items.extend_from_slice(items);
        let end = u32::try_from(self.ir.block_items.len()).unwrap_or(u32::MAX);
        self.ir.blocks.push(Block { form, start, end });
        id
    }

    fn push_stmt(&mut self, stmt: Stmt) -> StmtId {
        let id = StmtId::new(self.ir.stmts.len());
        self.ir.stmts.push(stmt);
        id
    }

    fn request(
        &mut self,
        specifier: &'a str,
        span: oxc_span::Span,
        kind: RequestKind,
    ) -> RequestId {
        let specifier = self.name(specifier);
        let id = RequestId::new(self.ir.requests.len());
        self.ir.requests.push(ModuleRequest {
            specifier,
            span: convert(span),
            kind,
            resolution: Resolution::Pending,
        });
        id
    }

    /// Marks where a variable is declared.
    fn declare(&mut self, var: VarId) {
        let (current, next) = (self.current, self.next());
        if let Some(variable) = self.ir.variables.get_mut(var.index()) {
            variable.owner = current;
            variable.declared = next;
        }
    }

    fn variable_of(&self, identifier: &ast::IdentifierReference<'a>) -> Option<VarId> {
        let reference = identifier.reference_id.get()?;
        let symbol = self.scoping.get_reference(reference).symbol_id()?;
        Some(VarId::new(symbol.index()))
    }

    fn load(&mut self, identifier: &ast::IdentifierReference<'a>) -> InstId {
        match self.variable_of(identifier) {
            Some(var) => {
                self.mention(var);
                if let Some(variable) = self.ir.variables.get_mut(var.index()) {
                    variable.is_read = true;
                }
                self.emit(Inst::LoadVar(var), identifier.span)
            }
            None if identifier.name == "undefined" => self.undefined(identifier.span),
            None if identifier.name == "arguments" => {
                self.mark_arguments();
                self.emit(Inst::Arguments, identifier.span)
            }
            None => {
                let name = self.name(identifier.name.as_str());
                self.emit(Inst::LoadGlobal(name), identifier.span)
            }
        }
    }

    fn mention(&mut self, var: VarId) {
        let current = self.current;
        if let Some(variable) = self.ir.variables.get_mut(var.index())
            && variable.owner != current
            && variable.owner.index() != UNKNOWN_OWNER
        {
            variable.is_captured = true;
        }
    }

    /// An assignment.
    fn store(&mut self, var: VarId, value: InstId, span: oxc_span::Span) {
        self.mention(var);
        self.emit(Inst::StoreVar { var, value }, span);
        let (current, in_loop) = (self.current, self.loop_depth > 0);
        if let Some(variable) = self.ir.variables.get_mut(var.index()) {
            variable.writes += 1;
            variable.init = None;
            variable.is_written_in_loop |= in_loop;
            if variable.owner != current && variable.owner.index() != UNKNOWN_OWNER {
                variable.is_written_by_closure = true;
            }
        }
    }

    /// The initialisation that belongs to the declaration of a variable.
    fn initialise(&mut self, var: VarId, value: InstId, span: oxc_span::Span) {
        self.declare(var);
        let inst = self.next();
        self.store(var, value, span);
        if let Some(variable) = self.ir.variables.get_mut(var.index()) {
            variable.init = (variable.writes == 1).then_some(inst);
        }
    }

    /// `arguments` of a sloppy function is another way to its parameters. It belongs to the
    /// nearest function that is no arrow; modules are strict, and there it is a copy.
    fn mark_arguments(&mut self) {
        if self.ir.kind == FileKind::Module {
            return;
        }
        let mut id = self.current;
        while let Some(function) = self.ir.functions.get_mut(id.index()) {
            if function.kind != FunctionKind::Arrow {
                function.has_dynamic_scope = true;
            }
            match function.parent {
                Some(parent) if function.kind == FunctionKind::Arrow => id = parent,
                _ => return,
            }
        }
    }

    /// A direct `eval` can reach the variables of every function around it.
    fn mark_dynamic_scope(&mut self) {
        let mut next = Some(self.current);
        while let Some(id) = next {
            let Some(function) = self.ir.functions.get_mut(id.index()) else { return };
            function.has_dynamic_scope = true;
            next = function.parent;
        }
    }

    /// Notes a string or template token whose text runs over several lines.
    fn note_multiline(&mut self, span: oxc_span::Span) {
        let span = convert(span);
        if span.text(self.source).contains('\n') {
            self.ir.multiline_strings.push(span);
        }
    }

    fn new_function(&mut self, kind: FunctionKind, span: oxc_span::Span) -> FunctionId {
        let id = FunctionId::new(self.ir.functions.len());
        let here = self.next();
        let parent = (id.index() > 0).then_some(self.current);
        let is_in_with = self.with_depth > 0
            || parent
                .and_then(|parent| self.ir.functions.get(parent.index()))
                .is_some_and(|parent| parent.is_in_with);
        self.ir.functions.push(Function {
            kind,
            is_async: false,
            is_generator: false,
            name: None,
            span: convert(span),
            parent,
            created: here,
            first: here,
            end: here,
            body: BlockId::new(u32::MAX as usize),
            params: 0,
            suspend_points: 0,
            returns: TypeRef::UNKNOWN,
            has_return_type: false,
            is_generic: false,
            has_dynamic_scope: is_in_with,
            is_in_with,
        });
        id
    }

    fn new_class(&mut self, class: Class) -> headstart_ir::ClassId {
        let id = headstart_ir::ClassId::new(self.ir.classes.len());
        self.ir.classes.push(class);
        id
    }

    fn import(&mut self, import: Import) {
        let var = import.local;
        self.declare(var);
        self.ir.imports.push(import);
    }

    fn export(&mut self, export: Export) {
        self.ir.exports.push(export);
    }
}

fn convert(span: oxc_span::Span) -> Span {
    Span::new(span.start, span.end)
}

fn var_of(identifier: &ast::BindingIdentifier<'_>) -> Option<VarId> {
    identifier.symbol_id.get().map(|symbol| VarId::new(symbol.index()))
}

fn var_kind(flags: SymbolFlags) -> VarKind {
    if flags.intersects(SymbolFlags::Import | SymbolFlags::TypeImport) {
        VarKind::Import
    } else if flags.intersects(
        SymbolFlags::RegularEnum
            | SymbolFlags::ConstEnum
            | SymbolFlags::ValueModule
            | SymbolFlags::NamespaceModule,
    ) {
        VarKind::Other
    } else if flags.contains(SymbolFlags::CatchVariable) {
        VarKind::Catch
    } else if flags.contains(SymbolFlags::Class) {
        VarKind::Class
    } else if flags.contains(SymbolFlags::Function) {
        VarKind::Function
    } else if flags.contains(SymbolFlags::ConstVariable) {
        VarKind::Const
    } else if flags.contains(SymbolFlags::BlockScopedVariable) {
        VarKind::Let
    } else if flags.contains(SymbolFlags::FunctionScopedVariable) {
        VarKind::Var
    } else {
        VarKind::Other
    }
}
