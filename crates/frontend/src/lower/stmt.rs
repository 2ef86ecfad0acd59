//! Statements.

use headstart_ir::{
    BlockForm, BlockId, DeclKind, Declarator, Inst, InstId, LoopKind, NameId, Span, Stmt, StmtId,
    StmtKind, TryParts,
};
use oxc_ast::ast::{self, Statement};
use oxc_span::GetSpan;

use super::{Lowerer, assign::pattern_shape, convert, tokens::is_white_space, var_of};

/// One `if … else` of a chain whose `else` is another `if`.
struct IfLink {
    then: BlockId,
    conditional: InstId,
    inner: oxc_span::Span,
    first: InstId,
}

impl<'a> Lowerer<'a> {
    /// Lowers a list of statements. Function declarations come first, as they are hoisted.
    pub(super) fn statements(&mut self, statements: &'a [Statement<'a>]) -> BlockId {
        for statement in statements {
            self.hoist(statement);
        }
        self.hoisted_statements(statements, BlockForm::List)
    }

    /// As [`Self::statements`], where the function declarations are in scope already.
    fn hoisted_statements(&mut self, statements: &'a [Statement<'a>], form: BlockForm) -> BlockId {
        let disposes = self.disposal(statements);
        let mut items: Vec<StmtId> = Vec::with_capacity(statements.len());
        for statement in statements {
            items.push(self.statement(statement));
        }
        if let Some((suspends, span)) = disposes {
            let first = self.emit(Inst::Dispose { suspends }, span);
            items.push(self.finish_stmt(StmtKind::Other, span, first));
        }
        self.block(&items, form)
    }

    /// Whether the block ends by disposing of what `using` declares in it.
    fn disposal(&self, statements: &'a [Statement<'a>]) -> Option<(bool, oxc_span::Span)> {
        let mut found = None;
        for statement in statements {
            if let Statement::VariableDeclaration(it) = statement {
                let end = oxc_span::Span::new(it.span.end, it.span.end);
                match it.kind {
                    ast::VariableDeclarationKind::AwaitUsing => return Some((true, end)),
                    ast::VariableDeclarationKind::Using => found = Some((false, end)),
                    _ => {}
                }
            }
        }
        found
    }

    /// A statement that may stand alone where a block could be: the body of an `if` or a loop.
    pub(super) fn body(&mut self, statement: &'a Statement<'a>) -> BlockId {
        match statement {
            Statement::BlockStatement(block) => self.statements(&block.body),
            _ => {
                self.hoist(statement);
                let form = self.single_form(statement.span());
                self.hoisted_statements(std::slice::from_ref(statement), form)
            }
        }
    }

    /// How a statement stands that has no braces around it.
    fn single_form(&self, statement: oxc_span::Span) -> BlockForm {
        match self.end_of_token(statement.start, is_white_space) {
            Some(end) => BlockForm::Single(end),
            None => BlockForm::Fixed,
        }
    }

    pub(super) fn finish_stmt(
        &mut self,
        kind: StmtKind,
        span: oxc_span::Span,
        first: InstId,
    ) -> StmtId {
        let end = self.next();
        self.push_stmt(Stmt { kind, span: convert(span), first, end })
    }

    fn statement(&mut self, statement: &'a Statement<'a>) -> StmtId {
        let first = self.next();
        let in_loop = u32::from(statement.is_iteration_statement());
        self.loop_depth += in_loop;
        let kind = self.statement_kind(statement);
        self.loop_depth -= in_loop;
        self.finish_stmt(kind, statement.span(), first)
    }

    fn statement_kind(&mut self, statement: &'a Statement<'a>) -> StmtKind {
        use Statement as S;
        match statement {
            S::ExpressionStatement(it) => {
                let value = self.expression(&it.expression);
                StmtKind::Expression { value }
            }
            S::VariableDeclaration(it) => self.variable_declaration(it),
            S::ReturnStatement(it) => {
                if let Some(argument) = &it.argument {
                    let value = self.expression(argument);
                    self.await_returned(value, argument.span());
                    self.emit(Inst::Return(value), it.span);
                }
                StmtKind::Return
            }
            S::ThrowStatement(it) => {
                let value = self.expression(&it.argument);
                self.emit(Inst::Throw(value), it.span);
                StmtKind::Throw
            }
            S::IfStatement(it) => self.if_statement(it),
            S::ForStatement(it) => self.for_statement(it),
            S::ForInStatement(it) => self.for_each(LoopKind::ForIn, &it.left, &it.right, &it.body),
            S::ForOfStatement(it) => {
                let kind = if it.r#await { LoopKind::ForAwait } else { LoopKind::ForOf };
                self.for_each(kind, &it.left, &it.right, &it.body)
            }
            S::WhileStatement(it) => {
                let test = self.expression(&it.test);
                let body = self.conditional_body(test, &it.body);
                StmtKind::Loop { kind: LoopKind::While, body, head: None }
            }
            S::DoWhileStatement(it) => {
                let body = self.breakable_body(&it.body);
                // `break` skips the test, too.
                let unknown = self.undefined(it.test.span());
                let conditional = self.open(unknown, it.test.span());
                self.expression(&it.test);
                self.close(conditional);
                StmtKind::Loop { kind: LoopKind::DoWhile, body, head: None }
            }
            S::TryStatement(it) => self.try_statement(it),
            S::SwitchStatement(it) => self.switch_statement(it),
            S::BlockStatement(it) => StmtKind::Block(self.statements(&it.body)),
            S::LabeledStatement(it) => {
                let body = self.breakable_body(&it.body);
                // `continue` with a label needs it to stand right before the loop.
                if let Some(block) = self.ir.blocks.get_mut(body.index())
                    && block.form != BlockForm::List
                {
                    block.form = BlockForm::Fixed;
                }
                StmtKind::Block(body)
            }
            S::BreakStatement(it) => StmtKind::Break { is_labelled: it.label.is_some() },
            S::ContinueStatement(it) => StmtKind::Continue { is_labelled: it.label.is_some() },
            S::WithStatement(it) => {
                self.expression(&it.object);
                self.emit(Inst::Opaque, it.span);
                self.mark_dynamic_scope();
                self.with_depth += 1;
                let body = self.body(&it.body);
                self.with_depth -= 1;
                StmtKind::Block(body)
            }
            S::ClassDeclaration(it) => {
                self.class_declaration(it);
                StmtKind::Other
            }
            _ => self.declaration_or_module(statement),
        }
    }

    /// An async generator waits for what it returns (ECMA-262, 14.10.1).
    fn await_returned(&mut self, value: InstId, span: oxc_span::Span) {
        let function = self.ir.functions.get(self.current.index());
        if function.is_some_and(|it| it.is_async && it.is_generator) {
            self.emit(Inst::Await(value), span);
        }
    }

    fn declaration_or_module(&mut self, statement: &'a Statement<'a>) -> StmtKind {
        use Statement as S;
        match statement {
            S::TSEnumDeclaration(it) => self.enum_declaration(it),
            S::TSNamespaceDeclaration(it) => self.namespace(it),
            S::TSInterfaceDeclaration(it) => {
                self.interface(it);
                StmtKind::Inert
            }
            S::TSTypeAliasDeclaration(it) => {
                self.type_alias(it);
                StmtKind::Inert
            }
            S::TSImportEqualsDeclaration(it) => self.import_equals(it),
            S::ImportDeclaration(it) => {
                self.import_declaration(it);
                StmtKind::Inert
            }
            S::ExportDeclaration(it) => self.export_declaration(it),
            S::ExportDefaultDeclaration(it) => self.export_default(it),
            S::ExportNamedDeclaration(it) => {
                self.export_named(it);
                StmtKind::Inert
            }
            S::ExportFromDeclaration(it) => {
                self.export_from(it);
                StmtKind::Inert
            }
            S::ExportAllDeclaration(it) => {
                self.export_all(it);
                StmtKind::Inert
            }
            S::TSExportAssignment(it) => self.export_assignment(it),
            _ => StmtKind::Inert,
        }
    }

    pub(super) fn variable_declaration(
        &mut self,
        it: &'a ast::VariableDeclaration<'a>,
    ) -> StmtKind {
        let kind = decl_kind(it.kind);
        if it.declare {
            return StmtKind::Inert;
        }
        let declarators = it.declarations.iter().map(|it| self.declarator(it)).collect();
        StmtKind::Declaration { kind, is_exported: false, declarators }
    }

    fn declarator(&mut self, it: &'a ast::VariableDeclarator<'a>) -> Declarator {
        self.set_hint(&it.id, it.type_annotation.as_deref(), it.init.as_ref(), false);
        let value = it.init.as_ref().map(|init| {
            let name = self.pattern_name(&it.id);
            let value = self.named_expression(init, name);
            self.set_pattern_type(&it.id, it.type_annotation.as_deref(), value);
            self.bind(&it.id, value);
            value
        });
        if value.is_none() {
            self.declare_pattern(&it.id);
        }
        let pattern = convert(it.id.span());
        let annotation = it
            .type_annotation
            .as_ref()
            .map_or(Span::new(pattern.end, pattern.end), |it| convert(it.span));
        let annotation_text = annotation.text(self.source);
        Declarator {
            pattern,
            annotation,
            span: convert(it.span),
            has_plain_annotation: !annotation_text.contains(['\n', '/'])
                && !annotation_text.contains("typeof"),
            is_plain_await: it.init.as_ref().is_some_and(is_plain_await),
            shape: pattern_shape(&it.id),
            value,
        }
    }

    fn pattern_name(&mut self, pattern: &'a ast::BindingPattern<'a>) -> Option<NameId> {
        match pattern {
            ast::BindingPattern::BindingIdentifier(it) => Some(self.name(it.name.as_str())),
            _ => None,
        }
    }

    /// A body that always begins, but that `break` or `continue` may end early.
    fn breakable_body(&mut self, body: &'a Statement<'a>) -> BlockId {
        let unknown = self.undefined(body.span());
        self.conditional_body(unknown, body)
    }

    pub(super) fn conditional_body(&mut self, test: InstId, body: &'a Statement<'a>) -> BlockId {
        let conditional = self.open(test, body.span());
        let block = self.body(body);
        self.close(conditional);
        block
    }

    /// `else if` chains run to thousands in generated code: one loop, not one call a link.
    fn if_statement(&mut self, it: &'a ast::IfStatement<'a>) -> StmtKind {
        let mut links: Vec<IfLink> = vec![];
        let mut current = it;
        loop {
            let test = self.expression(&current.test);
            let then = self.conditional_body(test, &current.consequent);
            let Some(alternate) = &current.alternate else {
                return self.close_if_chain(links, then, None);
            };
            let conditional = self.open(test, alternate.span());
            let Statement::IfStatement(next) = alternate else {
                let otherwise = self.body(alternate);
                self.close(conditional);
                return self.close_if_chain(links, then, Some(otherwise));
            };
            links.push(IfLink { then, conditional, inner: next.span, first: self.next() });
            current = next;
        }
    }

    /// Builds the nested statements of a chain from its last link back to its first.
    fn close_if_chain(
        &mut self,
        links: Vec<IfLink>,
        mut then: BlockId,
        mut otherwise: Option<BlockId>,
    ) -> StmtKind {
        for link in links.into_iter().rev() {
            let form = self.single_form(link.inner);
            let kind = StmtKind::If { then, otherwise };
            let inner = self.finish_stmt(kind, link.inner, link.first);
            self.close(link.conditional);
            otherwise = Some(self.block(&[inner], form));
            then = link.then;
        }
        StmtKind::If { then, otherwise }
    }

    fn try_statement(&mut self, it: &'a ast::TryStatement<'a>) -> StmtKind {
        // What throws ends the block early, so nothing in it is certain to have run.
        let unknown = self.undefined(it.block.span);
        let conditional = self.open(unknown, it.block.span);
        let block = self.statements(&it.block.body);
        self.close(conditional);
        let mut handler_reads_error = false;
        let handler = it.handler.as_ref().map(|handler| {
            handler_reads_error = self.handler_reads_error(handler);
            let caught = self.emit(Inst::Caught, handler.span);
            let conditional = self.open(caught, handler.span);
            if let Some(param) = &handler.param {
                self.bind(&param.pattern, caught);
            }
            let body = self.statements(&handler.body.body);
            self.close(conditional);
            body
        });
        let finalizer = it.finalizer.as_ref().map(|block| self.statements(&block.body));
        StmtKind::Try(Box::new(TryParts { block, handler, handler_reads_error, finalizer }))
    }

    fn handler_reads_error(&self, handler: &'a ast::CatchClause<'a>) -> bool {
        let Some(param) = &handler.param else {
            return false;
        };
        match &param.pattern {
            ast::BindingPattern::BindingIdentifier(it) => {
                it.symbol_id.get().is_none_or(|symbol| !self.scoping.symbol_is_unused(symbol))
            }
            _ => true,
        }
    }

    fn switch_statement(&mut self, it: &'a ast::SwitchStatement<'a>) -> StmtKind {
        let value = self.expression(&it.discriminant);
        // All cases are one scope.
        for statement in it.cases.iter().flat_map(|case| &case.consequent) {
            self.hoist(statement);
        }
        let tests = self.case_tests(value, &it.cases);
        let mut cases = Vec::with_capacity(it.cases.len());
        for (case, test) in it.cases.iter().zip(tests) {
            let conditional = self.open(test, case.span);
            cases.push(self.hoisted_statements(&case.consequent, BlockForm::List));
            self.close(conditional);
        }
        StmtKind::Switch { cases: cases.into_boxed_slice() }
    }

    /// The tests of the cases up to the one that matches, which all come before any body, and
    /// those behind a `default` too.
    fn case_tests(&mut self, value: InstId, cases: &'a [ast::SwitchCase<'a>]) -> Vec<InstId> {
        let mut is_first = true;
        let mut tests = Vec::with_capacity(cases.len());
        for case in cases {
            tests.push(match &case.test {
                Some(test) if is_first => {
                    is_first = false;
                    self.case_test(value, test)
                }
                // A case before it may have matched.
                Some(test) => {
                    let conditional = self.open(value, test.span());
                    let result = self.case_test(value, test);
                    self.close(conditional);
                    result
                }
                None => value,
            });
        }
        tests
    }

    fn case_test(&mut self, value: InstId, test: &'a ast::Expression<'a>) -> InstId {
        let right = self.expression(test);
        self.emit(Inst::Pure2(value, right), test.span())
    }

    /// Emits the function declarations that `statement` brings into scope.
    fn hoist(&mut self, statement: &'a Statement<'a>) {
        match statement {
            Statement::FunctionDeclaration(function) => self.function_declaration(function),
            Statement::ExportDeclaration(export) => {
                if let ast::Declaration::FunctionDeclaration(function) = &export.declaration {
                    self.function_declaration(function);
                }
            }
            Statement::ExportDefaultDeclaration(export) => {
                if let ast::ExportDefaultDeclarationKind::FunctionDeclaration(function) =
                    &export.declaration
                {
                    match function.id {
                        Some(_) => self.function_declaration(function),
                        None => self.export_nameless_function(function),
                    }
                }
            }
            _ => {}
        }
    }

    fn function_declaration(&mut self, function: &'a ast::Function<'a>) {
        if function.body.is_none() || function.declare {
            return;
        }
        let Some(identifier) = &function.id else {
            return;
        };
        let Some(var) = var_of(identifier) else {
            return;
        };
        let closure = self.function_expression(function, None);
        self.initialise(var, closure, identifier.span);
    }

    pub(super) fn class_declaration(&mut self, class: &'a ast::Class<'a>) {
        if class.declare {
            return;
        }
        let value = self.class(class, None);
        if let Some(identifier) = &class.id
            && let Some(var) = var_of(identifier)
        {
            self.initialise(var, value, identifier.span);
            if let Inst::Class(id) = self.ir.inst(value)
                && let Some(variable) = self.ir.variables.get_mut(var.index())
            {
                variable.class = Some(id);
            }
        }
    }

    /// A declaration behind `export` or inside a namespace.
    pub(super) fn declaration(&mut self, declaration: &'a ast::Declaration<'a>) -> StmtKind {
        match declaration {
            ast::Declaration::VariableDeclaration(it) => self.variable_declaration(it),
            ast::Declaration::ClassDeclaration(it) => {
                self.class_declaration(it);
                StmtKind::Other
            }
            ast::Declaration::TSEnumDeclaration(it) => self.enum_declaration(it),
            ast::Declaration::TSInterfaceDeclaration(it) => {
                self.interface(it);
                StmtKind::Inert
            }
            ast::Declaration::TSTypeAliasDeclaration(it) => {
                self.type_alias(it);
                StmtKind::Inert
            }
            ast::Declaration::TSNamespaceDeclaration(it) => self.namespace(it),
            ast::Declaration::TSImportEqualsDeclaration(it) => self.import_equals(it),
            _ => StmtKind::Inert,
        }
    }
}

/// `await f(…)`, with nothing but parentheses around either part.
fn is_plain_await(init: &ast::Expression<'_>) -> bool {
    match init {
        ast::Expression::AwaitExpression(it) => {
            matches!(
                it.argument,
                ast::Expression::CallExpression(_) | ast::Expression::ImportExpression(_)
            )
        }
        _ => false,
    }
}

/// What declares something.
pub(super) fn decl_kind(kind: ast::VariableDeclarationKind) -> DeclKind {
    match kind {
        ast::VariableDeclarationKind::Var => DeclKind::Var,
        ast::VariableDeclarationKind::Let => DeclKind::Let,
        ast::VariableDeclarationKind::Const => DeclKind::Const,
        ast::VariableDeclarationKind::Using => DeclKind::Using,
        ast::VariableDeclarationKind::AwaitUsing => DeclKind::AwaitUsing,
    }
}
