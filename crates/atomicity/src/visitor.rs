//! Goes over a file and writes the gate into what suspends.

use std::collections::BTreeSet;

use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use crate::hoisted::functions;
use crate::names::Names;
use crate::suspends::Scan;
use crate::ungated::{Ungated, UngatedKind, called_back};
use crate::{Edit, Gated, Options};

/// The edits of a file.
pub(crate) fn compile(program: &ast::Program<'_>, text: &str, options: Options) -> Gated {
    let mut visitor = Visitor {
        text,
        is_typed: options.keep_types && program.source_type.is_typescript(),
        names: Names::of(text),
        frame: Frame::default(),
        wrapped: None,
        scan: None,
        found: Gated::default(),
    };
    visitor.visit_program(program);
    let mut found = visitor.found;
    // Those at one place stay in the order in which they were made: what opens from the outside in, what closes from
    // the inside out.
    found.edits.sort_by_key(|it| (it.start, it.end));
    if !found.edits.is_empty() {
        let at = start_of(program);
        let is_module = program.body.iter().any(ast::Statement::is_module_declaration);
        let head = visitor.names.head(options.commonjs && !is_module, at > 0);
        found.edits.insert(0, Edit { start: at, end: at, text: head });
    }
    found
}

/// Where the statements of a file begin, behind its directives.
fn start_of(program: &ast::Program<'_>) -> u32 {
    let hashbang = || program.hashbang.as_ref().map_or(0, |it| it.span.end);
    program.directives.last().map_or_else(hashbang, |it| it.span.end)
}

/// Where those of a function begin.
fn start_within(body: &ast::FunctionBody<'_>) -> u32 {
    body.directives.last().map_or(body.span.start + 1, |it| it.span.end)
}

/// The function that code stands in.
#[derive(Clone, Copy, Default)]
struct Frame {
    /// Whether it suspends, and has the variables for that.
    is_active: bool,
    is_generator: bool,
}

/// What stands around a value that would get its name from the variable that it is put into (ECMA-262, 13.15.2).
fn unnamed(value: &ast::Expression<'_>) -> (&'static str, &'static str) {
    let is_anonymous = value.without_parentheses().is_anonymous_function_definition();
    if is_anonymous { ("(0, ", ")") } else { ("", "") }
}

struct Visitor<'t> {
    text: &'t str,
    is_typed: bool,
    names: Names,
    frame: Frame,
    /// A loop around which a block stands already, since it has labels.
    wrapped: Option<Span>,
    /// What is looked for, while nothing is written. One visitor for both: what goes over a tree is large.
    scan: Option<Scan>,
    found: Gated,
}

impl Visitor<'_> {
    fn insert(&mut self, at: u32, text: String) {
        self.found.edits.push(Edit { start: at, end: at, text });
    }

    fn replace(&mut self, start: u32, end: u32, text: String) {
        self.found.edits.push(Edit { start, end, text });
    }

    fn note(&mut self, kind: UngatedKind, offset: u32) {
        self.found.ungated.push(Ungated { kind, offset });
    }

    /// Visits what belongs to another function.
    fn within(&mut self, frame: Frame, visit: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.frame, frame);
        visit(self);
        self.frame = around;
    }

    /// What some code of one function has in it: nothing is written meanwhile.
    fn scanned(&mut self, names: BTreeSet<String>, visit: impl FnOnce(&mut Self)) -> Scan {
        let around = self.scan.replace(Scan { names, ..Scan::default() });
        self.within(Frame::default(), visit);
        std::mem::replace(&mut self.scan, around).unwrap_or_default()
    }

    fn visit_all(&mut self, statements: &[ast::Statement<'_>]) {
        for statement in statements {
            self.visit_statement(statement);
        }
    }

    fn suspends(&mut self, statements: &[ast::Statement<'_>]) -> bool {
        self.scanned(BTreeSet::new(), |it| it.visit_all(statements)).suspends
    }

    /// Whether a function declares one name with `function` twice, or with `function` and `var`: in a block that is no
    /// program (ECMA-262, 14.2.1).
    fn declares_twice(&mut self, statements: &[ast::Statement<'_>]) -> bool {
        let Some(names) = functions(statements) else { return true };
        !names.is_empty() && self.scanned(names, |it| it.visit_all(statements)).declares
    }

    /// Whether a function suspends, and its statements can stand in a block.
    fn can_wait(&mut self, body: &ast::FunctionBody<'_>) -> bool {
        if !self.suspends(&body.statements) {
            return false;
        }
        let is_fixed = self.declares_twice(&body.statements);
        if is_fixed {
            self.note(UngatedKind::Function, body.span.start);
        }
        !is_fixed
    }

    /// Whether a statement begins with a word.
    fn begins_with(&self, at: u32, word: &str) -> bool {
        let rest = self.text.get(at as usize..).unwrap_or_default();
        rest.strip_prefix(word).is_some_and(|it| {
            !it.starts_with(|next: char| next.is_alphanumeric() || matches!(next, '_' | '$'))
        })
    }

    /// The check at the start of a block that runs in any case.
    fn check_behind_failure(&mut self, block: Span) {
        self.insert(block.start + 1, self.names.check_behind_failure(self.frame.is_generator));
    }

    fn for_await(&mut self, it: &ast::ForOfStatement<'_>) {
        let is_wrapped = self.wrapped == Some(it.span);
        if !is_wrapped {
            self.insert(it.span.start, "{ ".to_owned());
        }
        let is_plain = match &it.left {
            ast::ForStatementLeft::VariableDeclaration(declared) => declared
                .declarations
                .iter()
                .all(|it| matches!(it.id, ast::BindingPattern::BindingIdentifier(_))),
            ast::ForStatementLeft::AssignmentTargetIdentifier(_) => true,
            _ => false,
        };
        if !is_plain {
            self.note(UngatedKind::Pattern, it.left.span().start);
        }
        self.visit_for_statement_left(&it.left);
        self.insert(it.right.span().start, self.names.before_items());
        self.visit_expression(&it.right);
        self.insert(it.right.span().end, self.names.after_items());
        let body = it.body.span();
        let is_block = matches!(it.body, ast::Statement::BlockStatement(_));
        if is_block {
            self.insert(body.start + 1, self.names.check());
        } else {
            self.insert(body.start, format!("{{{}", self.names.check()));
        }
        self.visit_statement(&it.body);
        if !is_block {
            self.insert(body.end, " }".to_owned());
        }
        if !is_wrapped {
            self.insert(it.span.end, format!("{}}}", self.names.check()));
        }
    }
}

impl<'a> Visit<'a> for Visitor<'_> {
    fn visit_program(&mut self, it: &ast::Program<'a>) {
        let is_active = it.source_type.is_module() && self.suspends(&it.body);
        if is_active {
            self.insert(start_of(it), self.names.variables(self.is_typed));
        }
        self.within(Frame { is_active, is_generator: false }, |visitor| {
            walk::walk_program(visitor, it);
        });
    }

    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        if self.scan.is_some() {
            return;
        }
        let body = it.body.as_ref().filter(|_| it.r#async);
        let is_active = body.is_some_and(|it| self.can_wait(it));
        let frame = Frame { is_active, is_generator: it.generator };
        if let (Some(body), true) = (body, is_active) {
            self.insert(start_within(body), self.names.enter(self.is_typed));
        }
        self.within(frame, |visitor| walk::walk_function(visitor, it, flags));
        if let (Some(body), true) = (body, is_active) {
            self.insert(body.span.end - 1, self.names.leave(it.generator));
        }
    }

    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        if self.scan.is_some() {
            return;
        }
        let is_active = it.r#async
            && match &it.body {
                ast::ArrowFunctionBody::FunctionBody(body) => self.can_wait(body),
                value => value.as_expression().is_some_and(|it| {
                    self.scanned(BTreeSet::new(), |visitor| visitor.visit_expression(it)).suspends
                }),
            };
        let frame = Frame { is_active, is_generator: false };
        let visit = |visitor: &mut Self| walk::walk_arrow_function_expression(visitor, it);
        if !is_active {
            return self.within(frame, visit);
        }
        let enter = self.names.enter(self.is_typed);
        let leave = self.names.leave(false);
        let (start, end) = match &it.body {
            ast::ArrowFunctionBody::FunctionBody(body) => {
                ((start_within(body), enter), (body.span.end - 1, leave))
            }
            value => (
                (value.span().start, format!("{{{enter} return ")),
                (value.span().end, format!("; {leave} }}")),
            ),
        };
        self.insert(start.0, start.1);
        self.within(frame, visit);
        self.insert(end.0, end.1);
    }

    fn visit_await_expression(&mut self, it: &ast::AwaitExpression<'a>) {
        if let Some(scan) = &mut self.scan {
            scan.suspends = true;
            return;
        }
        if !self.frame.is_active {
            return walk::walk_await_expression(self, it);
        }
        let (open, close) = unnamed(&it.argument);
        let before = self.names.before_wait() + open;
        self.replace(it.span.start, it.argument.span().start, before);
        walk::walk_await_expression(self, it);
        self.insert(it.span.end, format!("{close}{}", self.names.after_wait()));
    }

    fn visit_yield_expression(&mut self, it: &ast::YieldExpression<'a>) {
        if let Some(scan) = &mut self.scan {
            scan.suspends = true;
            return;
        }
        if !(self.frame.is_active && self.frame.is_generator) {
            return walk::walk_yield_expression(self, it);
        }
        if it.delegate {
            self.note(UngatedKind::Delegation, it.span.start);
        }
        let Some(argument) = &it.argument else {
            return self.replace(it.span.start, it.span.end, self.names.empty_yield());
        };
        let (open, close) = unnamed(argument);
        let before = self.names.before_yield(it.delegate) + open;
        self.replace(it.span.start, argument.span().start, before);
        walk::walk_yield_expression(self, it);
        self.insert(it.span.end, format!("{close}{}", self.names.after_yield()));
    }

    /// What begins with a parenthesis would go on with the line in front of it.
    fn visit_expression_statement(&mut self, it: &ast::ExpressionStatement<'a>) {
        let starts = ["await", "yield"].iter().any(|word| self.begins_with(it.span.start, word));
        if self.frame.is_active && starts {
            self.insert(it.span.start, "0, ".to_owned());
        }
        walk::walk_expression_statement(self, it);
    }

    fn visit_labeled_statement(&mut self, it: &ast::LabeledStatement<'a>) {
        let mut body = &it.body;
        while let ast::Statement::LabeledStatement(inner) = body {
            body = &inner.body;
        }
        let awaited = match body {
            ast::Statement::ForOfStatement(it) if it.r#await => Some(it.span),
            _ => None,
        };
        let wraps = self.frame.is_active && awaited.is_some() && self.wrapped != awaited;
        if wraps {
            self.wrapped = awaited;
            self.insert(it.span.start, "{ ".to_owned());
        }
        walk::walk_labeled_statement(self, it);
        if wraps {
            self.insert(it.span.end, format!("{}}}", self.names.check()));
        }
    }

    fn visit_for_of_statement(&mut self, it: &ast::ForOfStatement<'a>) {
        if let Some(scan) = &mut self.scan {
            scan.suspends |= it.r#await;
        }
        if it.r#await && self.frame.is_active {
            self.for_await(it);
        } else {
            walk::walk_for_of_statement(self, it);
        }
    }

    fn visit_try_statement(&mut self, it: &ast::TryStatement<'a>) {
        let tries = self.frame.is_active && self.suspends(&it.block.body);
        let handler = it.handler.as_ref();
        let handles =
            self.frame.is_active && handler.is_some_and(|it| self.suspends(&it.body.body));
        if let (Some(handler), true) = (handler, tries) {
            self.check_behind_failure(handler.body.span);
        }
        if let (Some(finalizer), true) = (&it.finalizer, tries || handles) {
            self.check_behind_failure(finalizer.span);
        }
        walk::walk_try_statement(self, it);
    }

    fn visit_variable_declaration(&mut self, it: &ast::VariableDeclaration<'a>) {
        if let Some(scan) = &mut self.scan {
            scan.suspends |= it.kind == ast::VariableDeclarationKind::AwaitUsing;
            scan.is_var = it.kind == ast::VariableDeclarationKind::Var;
            walk::walk_variable_declaration(self, it);
            if let Some(scan) = &mut self.scan {
                scan.is_var = false;
            }
            return;
        }
        if it.kind == ast::VariableDeclarationKind::AwaitUsing {
            self.note(UngatedKind::Disposal, it.span.start);
        }
        walk::walk_variable_declaration(self, it);
    }

    fn visit_call_expression(&mut self, it: &ast::CallExpression<'a>) {
        if self.scan.is_some() {
            return walk::walk_call_expression(self, it);
        }
        if let Some((kind, span)) = called_back(it) {
            self.note(kind, span.start);
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_binding_identifier(&mut self, it: &ast::BindingIdentifier<'a>) {
        if let Some(scan) = &mut self.scan {
            scan.declares |= scan.is_var && scan.names.contains(it.name.as_str());
        }
    }
}
