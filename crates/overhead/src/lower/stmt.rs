//! Statements.

use oxc_ast::ast::{self, Statement};
use oxc_semantic::SymbolFlags;
use oxc_span::{GetSpan, Span};

use super::{Lowered, Lowerer, Unsupported};
use crate::guard::last_calls;
use crate::plan::{Node, SiteKind};
use crate::results::Way;
use crate::rope::{Rope, rope};

impl Lowerer<'_> {
    /// Statements of one block. `top`: of the function's body.
    pub(super) fn statements(
        &mut self,
        statements: &[Statement<'_>],
        top: bool,
        out: &mut Vec<Node>,
    ) -> Lowered {
        for statement in statements {
            if !self.awaits_in(statement.span()) {
                self.plain(statement, top, out)?;
                continue;
            }
            if self.entry {
                self.position = statement.span().start;
                self.enter_asked(out);
            }
            let lowered = self.attempt(out, |this, out| this.statement(statement, Vec::new(), out));
            match lowered {
                Ok(()) => {}
                // What the block goes on to use cannot be hidden in a statement of the twin.
                Err(reason) if statement.is_declaration() => return Err(reason),
                Err(_) => self.enter(statement, out),
            }
        }
        Ok(())
    }

    /// A statement that only the twin runs.
    fn enter(&mut self, statement: &Statement<'_>, out: &mut Vec<Node>) {
        self.position = statement.span().start;
        let inside = self.boxed.keys().copied().filter(|&symbol| {
            let flags = self.scoping.symbol_flags(symbol);
            let is_var = flags.contains(SymbolFlags::FunctionScopedVariable)
                && !flags.contains(SymbolFlags::CatchVariable);
            !is_var && crate::carry::contains(statement.span(), self.scoping.symbol_span(symbol))
        });
        self.unboxed.extend(inside);
        let target = self.scratch();
        self.adopt_awaits(statement);
        out.push(self.site(SiteKind::Enter, target));
        out.push(Node::TwinOnly {
            text: self.ended(statement),
            vars: self.vars_in(statement.span()),
        });
    }

    /// The names of what a statement declares for the whole function.
    fn vars_in(&self, span: Span) -> Vec<String> {
        let own = self.facts.owned.get(&self.function).into_iter().flatten();
        own.filter(|&&symbol| {
            let flags = self.scoping.symbol_flags(symbol);
            let declared = self.scoping.symbol_span(symbol);
            flags.contains(SymbolFlags::FunctionScopedVariable)
                && !flags.contains(SymbolFlags::CatchVariable)
                && !self.boxed.contains_key(&symbol)
                && crate::carry::contains(span, declared)
        })
        .map(|&symbol| self.scoping.symbol_name(symbol).to_owned())
        .collect()
    }

    /// A statement without `await`.
    fn plain(&mut self, statement: &Statement<'_>, top: bool, out: &mut Vec<Node>) -> Lowered {
        match statement {
            Statement::VariableDeclaration(it) if !it.kind.is_var() => {
                if it.kind.is_using() {
                    return Err(Unsupported("`using` beside an await"));
                }
                self.declaration(it, out)?;
            }
            Statement::ClassDeclaration(it) => {
                let Some(id) = &it.id else { return Err(Unsupported("a class without a name")) };
                let Some(symbol) = id.symbol_id.get() else { return Ok(()) };
                out.push(self.class(it.span, id.span, symbol));
            }
            Statement::FunctionDeclaration(it) => {
                if !top {
                    return Err(Unsupported("a function declared in a block beside an await"));
                }
                let symbol = it.id.as_ref().and_then(|id| id.symbol_id.get());
                if symbol.is_some_and(|it| !self.scoping.symbol_redeclarations(it).is_empty()) {
                    return Err(Unsupported("a function that is declared twice"));
                }
                out.push(Node::Hoisted(self.render(it.span)));
            }
            Statement::TSEnumDeclaration(_) | Statement::TSNamespaceDeclaration(_) => {
                return Err(Unsupported("an enum or a namespace beside an await"));
            }
            Statement::ReturnStatement(it) if self.region.is_none() => match &it.argument {
                Some(it) => self.give_back(it, out),
                None => out.push(Node::Return(None)),
            },
            _ => {
                self.edit_returns(statement);
                out.push(Node::Raw(self.ended(statement)));
            }
        }
        Ok(())
    }

    /// The text of a statement, with the semicolon that a line break may have stood for.
    fn ended(&self, statement: &Statement<'_>) -> Rope {
        let text = self.render(statement.span());
        let whole = matches!(
            statement,
            Statement::BlockStatement(_)
                | Statement::TryStatement(_)
                | Statement::SwitchStatement(_)
                | Statement::FunctionDeclaration(_)
        );
        let source = statement.span().source_text(self.source);
        if whole || source.ends_with(';') { text } else { rope![text, ";"] }
    }

    /// A statement with an `await` in it.
    pub(super) fn statement(
        &mut self,
        statement: &Statement<'_>,
        labels: Vec<String>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        self.inside(|this| this.taken_apart_statement(statement, labels, out))
    }

    fn taken_apart_statement(
        &mut self,
        statement: &Statement<'_>,
        mut labels: Vec<String>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        let depth = self.depth;
        self.position = statement.span().start;
        match statement {
            Statement::ExpressionStatement(it) => self.effect(it, out)?,
            Statement::VariableDeclaration(it) => self.declaration(it, out)?,
            Statement::ReturnStatement(it) => {
                if let Some(argument) = &it.argument {
                    self.returned(argument, out)?;
                }
            }
            Statement::ThrowStatement(it) => {
                self.expression(&it.argument, out)?;
                out.push(Node::Raw(rope!["throw ", self.render(it.argument.span()), ";"]));
            }
            Statement::IfStatement(it) => self.if_statement(it, out)?,
            Statement::BlockStatement(it) => {
                let mut body = Vec::new();
                self.in_scope(it.scope_id.get(), |this| {
                    this.open_boxes(false, &mut body);
                    this.statements(&it.body, false, &mut body)
                })?;
                out.push(Node::Block { labels, body });
            }
            Statement::LabeledStatement(it) => {
                labels.push(it.label.name.to_string());
                match &it.body {
                    Statement::WhileStatement(_)
                    | Statement::DoWhileStatement(_)
                    | Statement::ForStatement(_)
                    | Statement::ForOfStatement(_)
                    | Statement::SwitchStatement(_)
                    | Statement::BlockStatement(_)
                    | Statement::LabeledStatement(_) => self.statement(&it.body, labels, out)?,
                    // Its jumps need the loop right behind the label.
                    Statement::ForInStatement(_) => {
                        return Err(Unsupported("`for … in`"));
                    }
                    other => {
                        let body = self.nested(other)?;
                        out.push(Node::Block { labels, body });
                    }
                }
            }
            Statement::WhileStatement(it) => self.while_loop(it, labels, out)?,
            Statement::DoWhileStatement(it) => self.do_while_loop(it, labels, out)?,
            Statement::ForStatement(it) => self.for_loop(it, labels, out)?,
            Statement::ForOfStatement(it) => self.for_of_loop(it, labels, out)?,
            Statement::SwitchStatement(it) => self.switch(it, labels, out)?,
            Statement::TryStatement(it) => self.try_statement(it, out)?,
            _ => return Err(Unsupported("a statement of a kind that is not taken apart")),
        }
        self.depth = depth;
        Ok(())
    }

    /// The body of a loop or a branch.
    pub(super) fn nested(&mut self, statement: &Statement<'_>) -> Lowered<Vec<Node>> {
        let mut body = Vec::new();
        match statement {
            Statement::BlockStatement(it) => {
                self.in_scope(it.scope_id.get(), |this| {
                    this.open_boxes(false, &mut body);
                    this.statements(&it.body, false, &mut body)
                })?;
            }
            Statement::EmptyStatement(_) => {}
            other => self.statements(std::slice::from_ref(other), false, &mut body)?,
        }
        Ok(body)
    }

    fn effect(&mut self, it: &ast::ExpressionStatement<'_>, out: &mut Vec<Node>) -> Lowered {
        if let ast::Expression::AwaitExpression(awaited) = it.expression.without_parentheses() {
            let target = self.scratch();
            return self.await_into(awaited, target, out);
        }
        self.expression(&it.expression, out)?;
        // What only was opened up for its effects leaves nothing but a name.
        if !self.leaves_temp(&it.expression) {
            out.push(Node::Raw(rope!["(", self.render(it.expression.span()), ");"]));
        }
        Ok(())
    }

    fn if_statement(&mut self, it: &ast::IfStatement<'_>, out: &mut Vec<Node>) -> Lowered {
        let depth = self.depth;
        self.expression(&it.test, out)?;
        let test = self.render(it.test.span());
        self.depth = depth;
        let then = self.nested(&it.consequent)?;
        let otherwise = it.alternate.as_ref().map(|it| self.nested(it)).transpose()?;
        out.push(Node::If { test, then, otherwise: otherwise.unwrap_or_default() });
        Ok(())
    }

    /// `return expression`, with tail awaits taken out where no `try` could notice.
    pub(super) fn returned(
        &mut self,
        expression: &ast::Expression<'_>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        self.inside(|this| this.returned_inside(expression, out))
    }

    fn returned_inside(
        &mut self,
        expression: &ast::Expression<'_>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        let depth = self.depth;
        match expression {
            ast::Expression::ParenthesizedExpression(it) => self.returned(&it.expression, out)?,
            ast::Expression::AwaitExpression(it)
                if self.guarded == 0
                    && !self.keep_frames
                    && !super::expr::never_thenable(&it.argument) =>
            {
                self.expression(&it.argument, out)?;
                self.guard(&it.argument, true);
                let is_raw = self.is_raw(&it.argument);
                let text = match is_raw {
                    true if self.results.is_raw => self.unnamed(&it.argument),
                    true => self.given_back(&it.argument, Way::Taken),
                    false => self.given_back(&it.argument, Way::Awaited),
                };
                out.push(Node::TailAwait(text, is_raw));
            }
            ast::Expression::ConditionalExpression(it) if self.awaits_in(expression.span()) => {
                self.expression(&it.test, out)?;
                let test = self.render(it.test.span());
                self.depth = depth;
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                self.returned(&it.consequent, &mut then)?;
                self.returned(&it.alternate, &mut otherwise)?;
                out.push(Node::If { test, then, otherwise });
            }
            _ => {
                self.expression(expression, out)?;
                self.give_back(expression, out);
            }
        }
        self.depth = depth;
        Ok(())
    }

    /// Returns what is left of an expression. A call that may be one of a fast function is awaited by the twin, too: what that
    /// gives need not be what an async function may return as it is.
    fn give_back(&mut self, it: &ast::Expression<'_>, out: &mut Vec<Node>) {
        self.guard(it, false);
        let is_plain = self.region.is_none() && self.guarded == 0;
        if is_plain && last_calls(it).into_iter().any(|it| self.is_raw_call(it)) {
            let text = match self.results.is_raw {
                true => self.unnamed(it),
                false => self.given_back(it, Way::Taken),
            };
            return out.push(Node::TailAwait(text, true));
        }
        let text = match self.region {
            Some(_) => self.unnamed(it),
            None => self.given_back(it, self.way()),
        };
        out.push(self.return_node(text, is_primitive(it)));
    }
}

/// Whether an expression gives a primitive value, whatever happens.
pub(crate) fn is_primitive(it: &ast::Expression<'_>) -> bool {
    match it.get_inner_expression() {
        ast::Expression::UnaryExpression(_)
        | ast::Expression::BinaryExpression(_)
        | ast::Expression::UpdateExpression(_) => true,
        ast::Expression::LogicalExpression(it) => is_primitive(&it.left) && is_primitive(&it.right),
        ast::Expression::ConditionalExpression(it) => {
            is_primitive(&it.consequent) && is_primitive(&it.alternate)
        }
        _ => super::expr::never_thenable(it),
    }
}
