//! A listing of a file's IR, for tests and for debugging: what can be read, not what can be parsed
//! again.
//!
//! Each function has a header and then its statements as an indented tree, their instructions one
//! a line in evaluation order. Behind the functions come the classes, the variables, and what the
//! file imports and exports.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::{
    ArgsId, BlockId, Class, ClassMember, DeclKind, Declarator, Export, ExportSource, FileIr,
    FileKind, Function, FunctionId, FunctionKind, Import, Imported, Inst, InstId, Key, Literal,
    LoopKind, MemberKind, ModuleRequest, NameId, PatternShape, PropKey, RequestId, RequestKind,
    Resolution, Stmt, StmtId, StmtKind, TypeHint, VarId, VarKind, Variable,
};

/// The listing of a file. It is the same for the same file on every machine.
#[must_use]
pub fn dump(ir: &FileIr) -> String {
    let mut listing = Listing { ir, out: String::new(), depth: 0, shared: shared_names(ir) };
    for (index, function) in ir.functions.iter().enumerate() {
        listing.function(FunctionId::new(index), function);
    }
    for (index, class) in ir.classes.iter().enumerate() {
        listing.class(index, class);
    }
    listing.variables();
    listing.module();
    listing.comments();
    listing.out
}

/// The names that more than one variable has: these variables are shown with their number.
fn shared_names(ir: &FileIr) -> BTreeSet<&str> {
    let mut seen = BTreeSet::new();
    ir.variables.iter().map(|it| ir.name(it.name)).filter(|&name| !seen.insert(name)).collect()
}

/// A block inside a statement.
struct Part {
    label: String,
    block: BlockId,
    /// Whether it stands behind the conditional stretches before it even where it is empty of
    /// instructions: `finally`.
    is_behind: bool,
}

impl Part {
    fn new(label: impl Into<String>, block: BlockId) -> Self {
        Self { label: label.into(), block, is_behind: false }
    }
}

struct Listing<'a> {
    ir: &'a FileIr,
    out: String,
    depth: usize,
    shared: BTreeSet<&'a str>,
}

impl Listing<'_> {
    fn line(&mut self, text: &str) {
        let indent = self.depth * 2;
        // Writing to a string does not fail.
        let _ = writeln!(self.out, "{:indent$}{text}", "");
    }

    fn function(&mut self, id: FunctionId, function: &Function) {
        self.line(&self.function_header(id, function));
        self.depth += 1;
        self.range(function.first, function.end, &[Part::new("", function.body)]);
        self.depth -= 1;
    }

    fn function_header(&self, id: FunctionId, function: &Function) -> String {
        let mut header = format!("fn {} ", id.index());
        if function.is_async {
            header.push_str("async ");
        }
        header.push_str(function_kind(function.kind));
        if function.is_generator {
            header.push('*');
        }
        if let Some(name) = function.name {
            let _ = write!(header, " {}", self.ir.name(name));
        }
        if let Some(parent) = function.parent {
            let (params, created) = (function.params, function.created.index());
            let _ = write!(header, "({params}) in fn {} at %{created}", parent.index());
        }
        if function.suspend_points > 0 {
            let _ = write!(header, " suspends {}", function.suspend_points);
        }
        if function.has_dynamic_scope {
            header.push_str(" dynamic");
        }
        header
    }

    /// The instructions from `first` up to `end`, with the statements of `parts` among them.
    fn range(&mut self, first: InstId, end: InstId, parts: &[Part]) {
        let mut open: Vec<usize> = vec![];
        let mut parts = parts.iter().filter(|it| !self.ir.block(it.block).is_empty()).peekable();
        let mut next = first.index();
        loop {
            if let Some(part) = parts.next_if(|it| !it.is_behind && self.begins(it) == next) {
                next = self.part(part);
                continue;
            }
            while open.last().is_some_and(|&end| end <= next) {
                open.pop();
                self.close();
            }
            if let Some(part) = parts.next_if(|it| self.begins(it) == next) {
                next = self.part(part);
                continue;
            }
            if next >= end.index() {
                return;
            }
            open.extend(self.instruction(InstId::new(next)));
            next += 1;
        }
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn begins(&self, part: &Part) -> usize {
        let first = self.ir.block(part.block).first();
        first.map_or(usize::MAX, |&stmt| self.ir.stmt(stmt).first.index())
    }

    /// The statements of a block; returns the instruction behind them.
    fn part(&mut self, part: &Part) -> usize {
        if !part.label.is_empty() {
            self.line(&format!("{}:", part.label));
            self.depth += 1;
        }
        let mut end = 0;
        for &stmt in self.ir.block(part.block) {
            end = self.statement(stmt);
        }
        if !part.label.is_empty() {
            self.depth -= 1;
        }
        end
    }

    fn statement(&mut self, id: StmtId) -> usize {
        let ir = self.ir;
        let stmt = ir.stmt(id);
        self.line(&self.statement_header(stmt));
        self.depth += 1;
        self.range(stmt.first, stmt.end, &parts(&stmt.kind));
        self.depth -= 1;
        stmt.end.index()
    }

    fn statement_header(&self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Expression { value } => format!("expression {}", value_of(*value)),
            StmtKind::Declaration { kind, is_exported, declarators } => {
                let export = if *is_exported { "export " } else { "" };
                let items: Vec<String> = declarators.iter().map(|it| self.declarator(it)).collect();
                format!("{export}{} {}", keyword(*kind), items.join(", "))
            }
            StmtKind::Return => "return".to_owned(),
            StmtKind::Throw => "throw".to_owned(),
            StmtKind::If { .. } => "if".to_owned(),
            StmtKind::Loop { kind, .. } => loop_kind(*kind).to_owned(),
            StmtKind::Try(parts) if parts.handler_reads_error => "try, error read".to_owned(),
            StmtKind::Try(_) => "try".to_owned(),
            StmtKind::Switch { .. } => "switch".to_owned(),
            StmtKind::Block(_) => "block".to_owned(),
            StmtKind::Break { .. } => "break".to_owned(),
            StmtKind::Continue { .. } => "continue".to_owned(),
            StmtKind::Inert => "inert".to_owned(),
            StmtKind::Other => "other".to_owned(),
        }
    }

    fn declarator(&self, it: &Declarator) -> String {
        let mut text = match it.shape {
            PatternShape::Name(var) => self.var(var),
            PatternShape::Properties => "{properties}".to_owned(),
            PatternShape::Elements => "[elements]".to_owned(),
            PatternShape::Complex => "(pattern)".to_owned(),
        };
        if let Some(value) = it.value {
            let _ = write!(text, " = {}", value_of(value));
        }
        if it.is_plain_await {
            text.push_str(" plain await");
        }
        text
    }

    /// One instruction; returns the end of the stretch that it opens, if it does.
    fn instruction(&mut self, id: InstId) -> Option<usize> {
        let inst = self.ir.inst(id);
        if let Inst::Conditional { test, end } = inst {
            self.line(&format!("if {} {{", value_of(test)));
            self.depth += 1;
            return Some(end.index());
        }
        let text =
            self.effect(inst).unwrap_or_else(|| format!("{} = {}", value_of(id), self.value(inst)));
        self.line(&text);
        None
    }

    /// An instruction whose value nobody uses.
    fn effect(&self, inst: Inst) -> Option<String> {
        Some(match inst {
            Inst::StoreVar { var, value } => {
                format!("store {} = {}", self.var(var), value_of(value))
            }
            Inst::StoreGlobal { name, value } => {
                format!("store global {} = {}", self.ir.name(name), value_of(value))
            }
            Inst::Set { object, key, value } => {
                format!("set {} {} = {}", value_of(object), self.key(key), value_of(value))
            }
            Inst::Accessor { object, key, function, is_setter } => {
                let kind = if is_setter { "setter" } else { "getter" };
                let (object, key) = (value_of(object), self.key(key));
                format!("{kind} {object} {key} = fn {}", function.index())
            }
            Inst::Return(value) => format!("return {}", value_of(value)),
            Inst::Throw(value) => format!("throw {}", value_of(value)),
            Inst::CopyProps { object, value } => {
                format!("copy {} from {}", value_of(object), value_of(value))
            }
            Inst::Dispose { suspends: true } => "dispose async".to_owned(),
            Inst::Dispose { suspends: false } => "dispose".to_owned(),
            _ => return None,
        })
    }

    fn value(&self, inst: Inst) -> String {
        match inst {
            Inst::Literal(literal) => self.literal(literal),
            Inst::LoadVar(var) => format!("load {}", self.var(var)),
            Inst::LoadGlobal(name) => format!("global {}", self.ir.name(name)),
            Inst::Get { object, key } => format!("get {} {}", value_of(object), self.key(key)),
            Inst::Delete { object, key } => {
                format!("delete {} {}", value_of(object), self.key(key))
            }
            Inst::Call { callee, args } => format!("call {} {}", value_of(callee), self.args(args)),
            Inst::CallMethod { object, method, args } => {
                format!("call {} on {} {}", value_of(method), value_of(object), self.args(args))
            }
            Inst::New { callee, args } => format!("new {} {}", value_of(callee), self.args(args)),
            Inst::Require(request) => format!("require {}", self.request_name(request)),
            Inst::DynamicImport { specifier, request } => match request {
                Some(request) => {
                    format!("import {} {}", value_of(specifier), self.request_name(request))
                }
                None => format!("import {}", value_of(specifier)),
            },
            Inst::Closure(function) => format!("closure fn {}", function.index()),
            Inst::Class(class) => format!("class {}", class.index()),
            Inst::Array(args) => format!("array {}", self.args(args)),
            Inst::Template(args) => format!("template {}", self.args(args)),
            Inst::Jsx(args) => format!("jsx {}", self.args(args)),
            Inst::Param(position) => format!("param {position}"),
            Inst::RestParam(position) => format!("params from {position}"),
            other => operator(other),
        }
    }

    fn literal(&self, literal: Literal) -> String {
        match literal {
            Literal::Undefined => "undefined".to_owned(),
            Literal::Null => "null".to_owned(),
            Literal::Boolean(value) => value.to_string(),
            Literal::Number(None) => "number".to_owned(),
            Literal::Number(Some(value)) => value.to_string(),
            Literal::BigInt => "bigint".to_owned(),
            Literal::RegExp { .. } => "regexp".to_owned(),
            Literal::String(text) => format!("{:?}", self.ir.name(text)),
            Literal::LongString => "long string".to_owned(),
        }
    }

    fn args(&self, args: ArgsId) -> String {
        let items: Vec<String> = self.ir.args(args).iter().map(|&it| value_of(it)).collect();
        format!("({})", items.join(", "))
    }

    fn key(&self, key: PropKey) -> String {
        match key.get() {
            Key::Name(name) if is_identifier(self.ir.name(name)) => {
                format!(".{}", self.ir.name(name))
            }
            Key::Name(name) => format!("[{:?}]", self.ir.name(name)),
            Key::Private(name) => format!(".#{}", self.ir.name(name)),
            Key::Computed(value) => format!("[{}]", value_of(value)),
        }
    }

    fn var(&self, var: VarId) -> String {
        let name = self.ir.name(self.ir.variable(var).name);
        if self.shared.contains(name) { format!("{name}@{}", var.index()) } else { name.to_owned() }
    }

    fn request_name(&self, request: RequestId) -> String {
        format!("{:?}", self.ir.name(self.ir.request(request).specifier))
    }

    fn optional_name(&self, name: Option<NameId>) -> &str {
        name.map_or("(no name)", |name| self.ir.name(name))
    }

    fn class(&mut self, index: usize, class: &Class) {
        let mut header = format!("class {index} {}", self.optional_name(class.name));
        if let Some(value) = class.super_class {
            let _ = write!(header, " extends {}", value_of(value));
        }
        self.line(&header);
        self.depth += 1;
        for member in &class.members {
            self.line(&self.member(member));
        }
        for (what, function) in [("fields", class.field_init), ("statics", class.static_init)] {
            if let Some(function) = function {
                self.line(&format!("{what} fn {}", function.index()));
            }
        }
        self.depth -= 1;
    }

    fn member(&self, member: &ClassMember) -> String {
        let is_static = if member.is_static { "static " } else { "" };
        let kind = member_kind(member.kind);
        format!("{is_static}{kind} {} fn {}", self.key(member.key), member.function.index())
    }

    fn variables(&mut self) {
        let ir = self.ir;
        for (index, variable) in ir.variables.iter().enumerate() {
            let name = self.var(VarId::new(index));
            self.line(&format!("variable {name}: {}", variable_facts(ir, variable)));
        }
    }

    fn module(&mut self) {
        let ir = self.ir;
        if ir.kind == FileKind::Module {
            self.line("module");
        }
        for request in &ir.requests {
            self.line(&self.request(request));
        }
        for import in &ir.imports {
            self.line(&self.import(import));
        }
        for export in &ir.exports {
            self.line(&self.export(export));
        }
    }

    fn request(&self, request: &ModuleRequest) -> String {
        let specifier = self.ir.name(request.specifier);
        let kind = match request.kind {
            RequestKind::Import => "import",
            RequestKind::TypeOnly => "types",
            RequestKind::Dynamic => "dynamic",
            RequestKind::Require => "require",
            RequestKind::Mocked => "mocked",
        };
        match request.resolution {
            Resolution::Pending => format!("request {specifier:?} {kind}"),
            other => format!("request {specifier:?} {kind}: {other:?}"),
        }
    }

    fn import(&self, import: &Import) -> String {
        let what = match import.imported {
            Imported::Name(name) => format!("{:?}", self.ir.name(name)),
            Imported::Default => "default".to_owned(),
            Imported::Namespace => "*".to_owned(),
        };
        let (local, from) = (self.var(import.local), self.request_name(import.request));
        format!("import {local} = {what} of {from}")
    }

    fn export(&self, export: &Export) -> String {
        let name = export.name.map_or("*".to_owned(), |name| format!("{:?}", self.ir.name(name)));
        let source = match export.source {
            ExportSource::Local(var) => self.var(var),
            ExportSource::Value(value) => value_of(value),
            ExportSource::From(request, name) => {
                format!("{:?} of {}", self.ir.name(name), self.request_name(request))
            }
            ExportSource::All(request) => format!("* of {}", self.request_name(request)),
        };
        format!("export {name} = {source}")
    }

    /// Comments with a meaning, and literals over several lines: their places, in bytes.
    fn comments(&mut self) {
        let ir = self.ir;
        for at in &ir.ignores {
            self.line(&format!("ignore at {at}"));
        }
        for pinned in &ir.pinned_comments {
            let (span, attached_to) = (pinned.span, pinned.attached_to);
            self.line(&format!("pinned {}..{} to {attached_to}", span.start, span.end));
        }
        for span in &ir.multiline_strings {
            self.line(&format!("multiline {}..{}", span.start, span.end));
        }
    }
}

fn value_of(inst: InstId) -> String {
    format!("%{}", inst.index())
}

/// An instruction that names nothing of the file.
fn operator(inst: Inst) -> String {
    let one = |name: &str, value: InstId| format!("{name} {}", value_of(value));
    let two = |name: &str, a: InstId, b: InstId| format!("{name} {}, {}", value_of(a), value_of(b));
    match inst {
        Inst::Spread(value) => one("spread", value),
        Inst::Pure1(value) => one("pure", value),
        Inst::Convert(value) => one("convert", value),
        Inst::Pure2(left, right) => two("pure", left, right),
        Inst::Has { key, object } => two("in", key, object),
        Inst::InstanceOf { value, class } => two("instanceof", value, class),
        Inst::Operator { left, right, plus: true, .. } => two("plus", left, right),
        Inst::Operator { left, right, plus: false, .. } => two("operator", left, right),
        Inst::Select(left, right) => two("select", left, right),
        Inst::Await(value) => one("await", value),
        Inst::Yield(value) => one("yield", value),
        Inst::YieldAll(value) => one("yield all", value),
        Inst::Iterate(value) => one("iterate", value),
        Inst::IterateAsync(value) => one("iterate async", value),
        Inst::EnumerateKeys(value) => one("keys", value),
        Inst::Rest(value) => one("rest", value),
        Inst::Object => "object".to_owned(),
        Inst::Caught => "caught".to_owned(),
        Inst::This => "this".to_owned(),
        Inst::Super => "super".to_owned(),
        Inst::Arguments => "arguments".to_owned(),
        Inst::NewTarget => "new.target".to_owned(),
        Inst::ImportMeta => "import.meta".to_owned(),
        _ => "opaque".to_owned(),
    }
}

/// The blocks of a statement, in the order of their instructions.
fn parts(kind: &StmtKind) -> Vec<Part> {
    match kind {
        StmtKind::If { then, otherwise } => {
            let otherwise = otherwise.map(|block| Part::new("else", block));
            [Part::new("then", *then)].into_iter().chain(otherwise).collect()
        }
        StmtKind::Loop { body, .. } => vec![Part::new("body", *body)],
        StmtKind::Block(block) => vec![Part::new("", *block)],
        StmtKind::Switch { cases } => {
            let label = |index: usize| format!("case {index}");
            cases.iter().enumerate().map(|(at, &it)| Part::new(label(at), it)).collect()
        }
        StmtKind::Try(parts) => {
            let handler = parts.handler.map(|block| Part::new("catch", block));
            let finalizer = parts
                .finalizer
                .map(|block| Part { is_behind: true, ..Part::new("finally", block) });
            let block = Part::new("guarded", parts.block);
            [Some(block), handler, finalizer].into_iter().flatten().collect()
        }
        _ => vec![],
    }
}

fn variable_facts(ir: &FileIr, variable: &Variable) -> String {
    let mut facts = var_kind(variable.kind).to_owned();
    match ir.functions.get(variable.owner.index()) {
        Some(_) => facts.push_str(&format!(" of fn {}", variable.owner.index())),
        None => facts.push_str(" of no function"),
    }
    facts.push_str(&format!(", writes {}", variable.writes));
    if let Some(init) = variable.init {
        facts.push_str(&format!(", init {}", value_of(init)));
    }
    if let Some(class) = variable.class {
        facts.push_str(&format!(", class {}", class.index()));
    }
    let flags = [
        (variable.hint == TypeHint::String, "string"),
        (variable.hint == TypeHint::OtherPrimitive, "primitive"),
        (variable.hint == TypeHint::BigInt, "bigint"),
        (variable.is_written_in_loop, "written in loop"),
        (variable.is_captured, "captured"),
        (variable.is_written_by_closure, "written by closure"),
        (variable.is_stable(), "stable"),
    ];
    for (_, text) in flags.into_iter().filter(|(holds, _)| *holds) {
        facts.push_str(", ");
        facts.push_str(text);
    }
    facts
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '$')
}

fn function_kind(kind: FunctionKind) -> &'static str {
    match kind {
        FunctionKind::Module => "top level",
        FunctionKind::Function => "function",
        FunctionKind::Arrow => "arrow",
        FunctionKind::Method => "method",
        FunctionKind::Constructor => "constructor",
        FunctionKind::Accessor => "accessor",
        FunctionKind::FieldInit => "fields",
        FunctionKind::StaticInit => "statics",
    }
}

fn member_kind(kind: MemberKind) -> &'static str {
    match kind {
        MemberKind::Constructor => "constructor",
        MemberKind::Method => "method",
        MemberKind::Getter => "getter",
        MemberKind::Setter => "setter",
    }
}

fn keyword(kind: DeclKind) -> &'static str {
    match kind {
        DeclKind::Var => "var",
        DeclKind::Let => "let",
        DeclKind::Const => "const",
        DeclKind::Using => "using",
        DeclKind::AwaitUsing => "await using",
    }
}

fn loop_kind(kind: LoopKind) -> &'static str {
    match kind {
        LoopKind::For => "for",
        LoopKind::While => "while",
        LoopKind::DoWhile => "do while",
        LoopKind::ForIn => "for in",
        LoopKind::ForOf => "for of",
        LoopKind::ForAwait => "for await",
    }
}

fn var_kind(kind: VarKind) -> &'static str {
    match kind {
        VarKind::Const => "const",
        VarKind::Let => "let",
        VarKind::Var => "var",
        VarKind::Param => "parameter",
        VarKind::Function => "function",
        VarKind::Class => "class",
        VarKind::Import => "import",
        VarKind::Catch => "catch",
        VarKind::Other => "other",
    }
}
