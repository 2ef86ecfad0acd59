//! Goes over a file and writes the gate into what suspends.

use std::collections::BTreeSet;

use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use crate::hoisted::is_bound_to_top;
use crate::names::Names;
use crate::suspends::Scan;
use crate::ungated::{Ungated, UngatedKind, called_back};
use crate::{Edit, Gated, Options};

/// The edits of a file.
pub(crate) fn compile(
    program: &ast::Program<'_>,
    text: &str,
    options: Options,
    uncounted: &[String],
) -> Gated {
    let mut visitor = Visitor {
        text,
        is_typed: options.keep_types && program.source_type.is_typescript(),
        names: Names::of(text),
        frame: Frame::default(),
        is_strict: is_strict(program),
        wrapped: None,
        scan: None,
        uncounted,
        is_uncounted: false,
        requires: false,
        has_own_require: false,
        found: Gated::default(),
    };
    visitor.visit_program(program);
    let requires = options.commonjs.unwrap_or(visitor.requires);
    let mut found = visitor.found;
    // Those at one place stay in the order in which they were made: what opens from the outside in, what closes from
    // the inside out.
    found.edits.sort_by_key(|it| (it.start, it.end));
    if !found.edits.is_empty() {
        let at = start_of(program);
        let is_module = program.body.iter().any(ast::Statement::is_module_declaration);
        let require = if visitor.has_own_require { "module.require" } else { "require" };
        let head = visitor.names.head((requires && !is_module).then_some(require), at > 0);
        found.edits.insert(0, Edit { start: at, end: at, text: head });
    }
    found
}

/// Where the statements of a file begin, behind its directives.
fn start_of(program: &ast::Program<'_>) -> u32 {
    let hashbang = || program.hashbang.as_ref().map_or(0, |it| it.span.end);
    program.directives.last().map_or_else(hashbang, |it| it.span.end)
}

/// Whether all code of a file is strict.
fn is_strict(program: &ast::Program<'_>) -> bool {
    program.source_type.is_module() || program.has_use_strict_directive()
}

/// What only CommonJS modules have.
const OF_COMMONJS: [&str; 5] = ["require", "module", "exports", "__dirname", "__filename"];

/// What statements begin with that would go on with a parenthesis in front of them, and do not with a `yield`.
const GOES_ON: [char; 8] = ['(', '[', '`', '/', '+', '-', '.', '<'];

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
    match value {
        _ if is_anonymous => ("(0, ", ")"),
        // Only what is returned may be a list without parentheses.
        ast::Expression::SequenceExpression(_) => ("(", ")"),
        _ => ("", ""),
    }
}

/// Whether statements declare what the language waits for at their end.
fn disposes_later(statements: &[ast::Statement<'_>]) -> bool {
    let is_later = |it: &ast::Statement<'_>| matches!(it, ast::Statement::VariableDeclaration(it) if it.kind == ast::VariableDeclarationKind::AwaitUsing);
    statements.iter().any(is_later)
}

struct Visitor<'t> {
    text: &'t str,
    is_typed: bool,
    names: Names,
    frame: Frame,
    is_strict: bool,
    /// A loop around which a block stands already, since it has labels.
    wrapped: Option<Span>,
    /// What is looked for, while nothing is written. One visitor for both: what goes over a tree is large.
    scan: Option<Scan>,
    /// The names of functions that are not counted, and whether the one that comes next is one.
    uncounted: &'t [String],
    is_uncounted: bool,
    /// Whether the file mentions what only CommonJS modules have.
    requires: bool,
    /// Whether it has another `require` somewhere.
    has_own_require: bool,
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

    /// Whether a name is that of a function that another one goes on as.
    fn goes_on(&self, name: &str) -> bool {
        self.uncounted.iter().any(|it| it == name)
    }

    /// Visits what belongs to another function.
    fn within(&mut self, frame: Frame, visit: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.frame, frame);
        visit(self);
        self.frame = around;
    }

    /// What some code of one function has in it: nothing is written meanwhile.
    fn scanned(&mut self, scan: Scan, visit: impl FnOnce(&mut Self)) -> Scan {
        let around = self.scan.replace(scan);
        self.within(Frame::default(), visit);
        std::mem::replace(&mut self.scan, around).unwrap_or_default()
    }

    /// Notes where code jumps to.
    fn note_jump(&mut self, label: Option<&ast::LabelIdentifier<'_>>) {
        if let (Some(scan), Some(label)) = (&mut self.scan, label) {
            scan.jumps.insert(label.name.to_string());
        }
    }

    fn visit_all(&mut self, statements: &[ast::Statement<'_>]) {
        for statement in statements {
            self.visit_statement(statement);
        }
    }

    /// What statements of a function have, or of a generator.
    fn scan_of(&mut self, statements: &[ast::Statement<'_>], is_generator: bool) -> Scan {
        let scan = Scan { is_generator, ..Scan::default() };
        self.scanned(scan, |it| it.visit_all(statements))
    }

    fn suspends(&mut self, statements: &[ast::Statement<'_>], is_generator: bool) -> bool {
        self.scan_of(statements, is_generator).suspends
    }

    /// The names that parameters declare.
    fn names_of(&mut self, parameters: &ast::FormalParameters<'_>) -> BTreeSet<String> {
        let scan = Scan { is_var: true, ..Scan::default() };
        self.scanned(scan, |it| it.visit_formal_parameters(parameters)).declared.vars
    }

    /// Whether a function suspends, and its statements can stand in a block.
    fn can_wait(
        &mut self,
        body: &ast::FunctionBody<'_>,
        parameters: &ast::FormalParameters<'_>,
        is_generator: bool,
    ) -> bool {
        let scan = self.scan_of(&body.statements, is_generator);
        if !scan.suspends {
            return false;
        }
        let names = self.names_of(parameters);
        let is_fixed = is_bound_to_top(&body.statements, scan.declared, &names, self.is_strict);
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

    /// The check of a `catch` clause: a pattern is only taken apart behind it, since that may run anything. Returns
    /// whether a block was opened for that, around the body.
    fn check_in_front_of_handler(&mut self, it: &ast::CatchClause<'_>) -> bool {
        let is_pattern =
            |it: &&ast::CatchParameter<'_>| it.pattern.get_binding_identifier().is_none();
        let Some(parameter) = it.param.as_ref().filter(is_pattern) else {
            self.check_behind_failure(it.body.span);
            return false;
        };
        let (caught, check) =
            (self.names.caught(), self.names.check_behind_failure(self.frame.is_generator));
        self.insert(parameter.span.start, format!("{caught}) {{{check}let "));
        self.replace(parameter.span.end, it.body.span.start, format!(" = {caught}; "));
        true
    }

    /// Whether a `catch` clause suspends.
    fn handles(&mut self, it: &ast::CatchClause<'_>, is_generator: bool) -> bool {
        let scan = Scan { is_generator, ..Scan::default() };
        self.scanned(scan, |this| this.visit_catch_clause(it)).suspends
    }

    /// Where the statements of a function begin, and what separates them from a directive without a semicolon.
    fn start_within(&self, body: &ast::FunctionBody<'_>) -> (u32, &'static str) {
        let Some(last) = body.directives.last() else { return (body.span.start + 1, "") };
        let is_ended = last.span.source_text(self.text).ends_with(';');
        (last.span.end, if is_ended { "" } else { ";" })
    }

    /// The first character behind `at` that is neither white space nor part of a comment, and whether it stands on a
    /// later line.
    fn next_character(&self, at: u32) -> Option<(char, bool)> {
        let mut rest = self.text.get(at as usize..)?;
        let mut is_later = false;
        loop {
            let trimmed =
                rest.trim_start_matches(|it: char| it.is_whitespace() || it == '\u{feff}');
            let comment = comment_length(trimmed);
            let skipped = rest.len() - trimmed.len() + comment;
            is_later |= rest[..skipped].contains(['\n', '\r', '\u{2028}', '\u{2029}']);
            if comment == 0 {
                return trimmed.chars().next().map(|it| (it, is_later));
            }
            rest = &rest[skipped..];
        }
    }

    /// Ends a statement whose end the language finds by itself, and may not find behind a parenthesis (ECMA-262, 12.10).
    fn end_statement(&mut self, statement: Span) {
        let is_ended = || statement.source_text(self.text).ends_with(';');
        if !self.frame.is_active || is_ended() {
            return;
        }
        let next = self.next_character(statement.end);
        if next.is_some_and(|(next, is_later)| is_later && GOES_ON.contains(&next)) {
            self.insert(statement.end, ";".to_owned());
        }
    }

    /// Opens a block around a loop with its labels. Gives whether code jumps from its body to a label further out:
    /// then nothing behind the loop runs, and the gate stands in a `finally`.
    fn open_around(&mut self, at: u32, it: &ast::ForOfStatement<'_>, labels: &[&str]) -> bool {
        let mut scan = self.scanned(Scan::default(), |visitor| visitor.visit_statement(&it.body));
        scan.labels.extend(labels.iter().map(|&it| it.to_owned()));
        let jumps = !scan.jumps.is_subset(&scan.labels);
        self.insert(at, if jumps { "{ try { " } else { "{ " }.to_owned());
        jumps
    }

    /// Closes it.
    fn close_around(&mut self, at: u32, jumps: bool) {
        if jumps {
            let check = self.names.check_behind_failure(self.frame.is_generator);
            self.insert(at, format!(" }} finally {{{check}}}"));
        }
        self.insert(at, format!("{}}}", self.names.check()));
    }

    fn for_await(&mut self, it: &ast::ForOfStatement<'_>) {
        let is_wrapped = self.wrapped == Some(it.span);
        let jumps = !is_wrapped && self.open_around(it.span.start, it, &[]);
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
            self.close_around(it.span.end, jumps);
        }
    }
}

/// How many bytes the comment has that a text begins with.
fn comment_length(text: &str) -> usize {
    if text.starts_with("//") {
        return text.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(text.len());
    }
    if !text.starts_with("/*") {
        return 0;
    }
    text.find("*/").map_or(text.len(), |end| end + 2)
}

impl<'a> Visit<'a> for Visitor<'_> {
    fn visit_program(&mut self, it: &ast::Program<'a>) {
        let is_active = it.source_type.is_module() && self.suspends(&it.body, false);
        if is_active {
            self.insert(start_of(it), self.names.variables(self.is_typed));
        }
        self.within(Frame { is_active, is_generator: false }, |visitor| {
            walk::walk_program(visitor, it);
        });
    }

    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        if let Some(scan) = &mut self.scan {
            if let (true, Some(id)) = (it.is_declaration(), &it.id) {
                scan.declared.functions.push(id.name.to_string());
            }
            return;
        }
        let named = it.id.as_ref().is_some_and(|it| self.goes_on(&it.name));
        let is_counted = !std::mem::take(&mut self.is_uncounted) && !named;
        let body = it.body.as_ref().filter(|_| it.r#async);
        let is_active = body.is_some_and(|body| self.can_wait(body, &it.params, it.generator));
        let frame = Frame { is_active, is_generator: it.generator };
        if let (Some(body), true) = (body, is_active) {
            let (at, end) = self.start_within(body);
            let enter = self.names.enter(self.is_typed, it.generator, is_counted);
            self.insert(at, format!("{end}{enter}"));
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
        let is_counted = !std::mem::take(&mut self.is_uncounted);
        let is_active = it.r#async
            && match &it.body {
                ast::ArrowFunctionBody::FunctionBody(body) => {
                    self.can_wait(body, &it.params, false)
                }
                value => value.as_expression().is_some_and(|it| {
                    self.scanned(Scan::default(), |visitor| visitor.visit_expression(it)).suspends
                }),
            };
        let frame = Frame { is_active, is_generator: false };
        let visit = |visitor: &mut Self| walk::walk_arrow_function_expression(visitor, it);
        if !is_active {
            return self.within(frame, visit);
        }
        let enter = self.names.enter(self.is_typed, false, is_counted);
        let leave = self.names.leave(false);
        let (start, end) = match &it.body {
            ast::ArrowFunctionBody::FunctionBody(body) => {
                let (at, ended) = self.start_within(body);
                ((at, format!("{ended}{enter}")), (body.span.end - 1, leave))
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

    fn visit_variable_declarator(&mut self, it: &ast::VariableDeclarator<'a>) {
        let is_arrow = matches!(it.init, Some(ast::Expression::ArrowFunctionExpression(_)));
        let name = it.id.get_binding_identifier().filter(|_| is_arrow && self.scan.is_none());
        self.is_uncounted = name.is_some_and(|it| self.goes_on(&it.name));
        walk::walk_variable_declarator(self, it);
    }

    fn visit_method_definition(&mut self, it: &ast::MethodDefinition<'a>) {
        if let (ast::PropertyKey::PrivateIdentifier(key), None) = (&it.key, &self.scan) {
            self.is_uncounted = self.goes_on(&key.name);
        }
        walk::walk_method_definition(self, it);
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
        self.insert(it.span.end, format!("{close}{}", self.names.after_yield(it.delegate)));
    }

    fn visit_return_statement(&mut self, it: &ast::ReturnStatement<'a>) {
        if let Some(scan) = &mut self.scan {
            scan.suspends |= scan.is_generator && it.argument.is_some();
        }
        let Some(argument) = &it.argument else { return };
        let waits = self.frame.is_active && self.frame.is_generator;
        if waits {
            let (open, close) = unnamed(argument);
            self.insert(argument.span().start, self.names.before_return() + open);
            self.visit_expression(argument);
            self.insert(argument.span().end, format!("{close}{}", self.names.after_return()));
        } else {
            self.visit_expression(argument);
        }
        self.end_statement(it.span);
    }

    fn visit_throw_statement(&mut self, it: &ast::ThrowStatement<'a>) {
        walk::walk_throw_statement(self, it);
        self.end_statement(it.span);
    }

    /// What begins with a parenthesis would go on with the line in front of it.
    fn visit_expression_statement(&mut self, it: &ast::ExpressionStatement<'a>) {
        let starts = ["await", "yield"].iter().any(|word| self.begins_with(it.span.start, word));
        if self.frame.is_active && starts {
            self.insert(it.span.start, "0, ".to_owned());
        }
        walk::walk_expression_statement(self, it);
        self.end_statement(it.span);
    }

    fn visit_labeled_statement(&mut self, it: &ast::LabeledStatement<'a>) {
        if let Some(scan) = &mut self.scan {
            scan.labels.insert(it.label.name.to_string());
            return walk::walk_labeled_statement(self, it);
        }
        let mut labels = vec![it.label.name.as_str()];
        let mut body = &it.body;
        while let ast::Statement::LabeledStatement(inner) = body {
            labels.push(inner.label.name.as_str());
            body = &inner.body;
        }
        match body {
            ast::Statement::ForOfStatement(awaited)
                if awaited.r#await
                    && self.frame.is_active
                    && self.wrapped != Some(awaited.span) =>
            {
                self.wrapped = Some(awaited.span);
                let jumps = self.open_around(it.span.start, awaited, &labels);
                walk::walk_labeled_statement(self, it);
                self.close_around(it.span.end, jumps);
            }
            _ => walk::walk_labeled_statement(self, it),
        }
    }

    fn visit_break_statement(&mut self, it: &ast::BreakStatement<'a>) {
        self.note_jump(it.label.as_ref());
    }

    fn visit_continue_statement(&mut self, it: &ast::ContinueStatement<'a>) {
        self.note_jump(it.label.as_ref());
    }

    /// What stands in it is the code of another function.
    fn visit_static_block(&mut self, it: &ast::StaticBlock<'a>) {
        if self.scan.is_none() {
            walk::walk_static_block(self, it);
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
        let Frame { is_active, is_generator } = self.frame;
        let tries = is_active && self.suspends(&it.block.body, is_generator);
        let handler = it.handler.as_ref();
        let handles = is_active && handler.is_some_and(|it| self.handles(it, is_generator));
        let opened = handler.filter(|it| tries && self.check_in_front_of_handler(it));
        if let (Some(finalizer), true) = (&it.finalizer, tries || handles) {
            self.check_behind_failure(finalizer.span);
        }
        walk::walk_try_statement(self, it);
        if let Some(handler) = opened {
            self.insert(handler.body.span.end, " }".to_owned());
        }
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
        self.end_statement(it.span);
        let is_later = it.kind == ast::VariableDeclarationKind::AwaitUsing;
        let has_value = it.declarations.iter().all(|it| it.init.is_some());
        if is_later && has_value && self.frame.is_active {
            let is_ended = it.span.source_text(self.text).ends_with(';');
            let end = if is_ended { "" } else { ";" };
            self.insert(it.span.end, format!("{end}{}", self.names.disposal(it.span.start)));
        }
    }

    fn visit_call_expression(&mut self, it: &ast::CallExpression<'a>) {
        if let Some(scan) = &mut self.scan {
            scan.declared.evaluates |= it.callee.is_specific_id("eval");
            return walk::walk_call_expression(self, it);
        }
        if let Some((kind, span)) = called_back(it) {
            self.note(kind, span.start);
        }
        walk::walk_call_expression(self, it);
    }

    /// Where the language waits at the end of a block, what comes behind it goes on as behind any `await`.
    fn visit_block_statement(&mut self, it: &ast::BlockStatement<'a>) {
        let waits = self.scan.is_none() && self.frame.is_active && disposes_later(&it.body);
        if waits {
            self.insert(it.span.start + 1, " try {".to_owned());
        }
        walk::walk_block_statement(self, it);
        if waits {
            let check = self.names.check_behind_failure(self.frame.is_generator);
            self.insert(it.span.end - 1, format!("}} finally {{{check}}} "));
        }
    }

    fn visit_binding_identifier(&mut self, it: &ast::BindingIdentifier<'a>) {
        self.has_own_require |= it.name == "require";
        if let Some(scan) = &mut self.scan
            && scan.is_var
        {
            scan.declared.vars.insert(it.name.to_string());
        }
    }

    fn visit_identifier_reference(&mut self, it: &ast::IdentifierReference<'a>) {
        self.requires |= OF_COMMONJS.contains(&it.name.as_str());
    }
}
