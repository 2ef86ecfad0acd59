//! The ways through the functions of a file, by its syntax tree: which of them can end without waiting for anything
//! ([`crate::ways`]).

use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, Scoping, SymbolFlags, SymbolId};

use super::PrivateName;
use crate::member::named;
use crate::ways::{Ways, gives_plain};

/// The ways through some code of a file.
pub(crate) type Path = Ways<Awaited>;

/// What is awaited.
#[derive(Clone, Debug)]
pub(crate) enum Awaited {
    /// A call of a variable.
    Variable(SymbolId),
    /// A call of `o.#name`.
    Private(PrivateName),
    /// A call of `o.name`.
    Member(String),
    /// A call of something that somebody passed in, or a value that was.
    Passed,
    /// What is taken to make a promise that waits.
    Operation,
}

/// The ways through a body.
pub(super) fn of_body(
    body: &ast::FunctionBody<'_>,
    scoping: &Scoping,
    private: &dyn Fn(&str) -> Option<PrivateName>,
) -> Path {
    let mut walker = Walker { scoping, private, path: Vec::new() };
    walker.visit_function_body(body);
    Path::All(walker.path)
}

/// The ways through a body that is an expression.
pub(super) fn of_expression(
    body: &Expression<'_>,
    scoping: &Scoping,
    private: &dyn Fn(&str) -> Option<PrivateName>,
) -> Path {
    let mut walker = Walker { scoping, private, path: Vec::new() };
    walker.visit_expression(body);
    walker.returned(body);
    Path::All(walker.path)
}

fn is_plain(it: &ast::StaticMemberExpression<'_>) -> bool {
    let object = it.object.get_identifier_reference().map(|it| it.name.as_str());
    gives_plain(object, it.property.name.as_str())
}

struct Walker<'x> {
    scoping: &'x Scoping,
    private: &'x dyn Fn(&str) -> Option<PrivateName>,
    path: Vec<Path>,
}

impl Walker<'_> {
    fn part(&mut self, walk: impl FnOnce(&mut Self)) -> Path {
        let outer = std::mem::take(&mut self.path);
        walk(self);
        Path::All(std::mem::replace(&mut self.path, outer))
    }

    fn either(&mut self, paths: Vec<Path>) {
        self.path.push(Path::Either(paths));
    }

    fn awaited(&self, it: &Expression<'_>) -> Awaited {
        match it.get_inner_expression() {
            Expression::CallExpression(it) => self.called(&it.callee),
            Expression::ChainExpression(it) => match &it.expression {
                ast::ChainElement::CallExpression(it) => self.called(&it.callee),
                _ => Awaited::Operation,
            },
            Expression::Identifier(it) => match self.symbol(it) {
                Some(symbol) if self.is_passed(symbol) => Awaited::Passed,
                _ => Awaited::Operation,
            },
            _ => Awaited::Operation,
        }
    }

    fn called(&self, callee: &Expression<'_>) -> Awaited {
        match callee.get_inner_expression() {
            Expression::Identifier(it) => match self.symbol(it) {
                Some(symbol) if self.is_passed(symbol) => Awaited::Passed,
                Some(symbol) => Awaited::Variable(symbol),
                None => Awaited::Operation,
            },
            Expression::PrivateFieldExpression(it) => {
                (self.private)(&it.field.name).map_or(Awaited::Operation, Awaited::Private)
            }
            Expression::StaticMemberExpression(it) if is_plain(it) => Awaited::Passed,
            it => named(it).map_or(Awaited::Operation, |it| Awaited::Member(it.name.to_owned())),
        }
    }

    fn symbol(&self, it: &ast::IdentifierReference<'_>) -> Option<SymbolId> {
        self.scoping.get_reference(it.reference_id.get()?).symbol_id()
    }

    /// What is returned is adopted, which waits for it: `new Promise(…)` and `Promise.name(…)`.
    fn returned(&mut self, it: &Expression<'_>) {
        let class = match it.get_inner_expression() {
            Expression::NewExpression(it) => &it.callee,
            Expression::CallExpression(it) => match it.callee.get_inner_expression() {
                Expression::StaticMemberExpression(it) => &it.object,
                _ => return,
            },
            _ => return,
        };
        if class.is_specific_id("Promise") {
            self.path.push(Path::Await(Awaited::Operation));
        }
    }

    /// Whether a variable is a parameter.
    fn is_passed(&self, symbol: SymbolId) -> bool {
        let declared = self.scoping.symbol_flags(symbol);
        declared.contains(SymbolFlags::FunctionScopedVariable)
            && self.scoping.scope_flags(self.scoping.symbol_scope_id(symbol)).is_function()
    }
}

impl<'a> Visit<'a> for Walker<'_> {
    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}
    fn visit_arrow_function_expression(&mut self, _: &ast::ArrowFunctionExpression<'a>) {}
    fn visit_class(&mut self, _: &ast::Class<'a>) {}

    fn visit_await_expression(&mut self, it: &ast::AwaitExpression<'a>) {
        if let Expression::ConditionalExpression(it) = it.argument.without_parentheses() {
            self.visit_expression(&it.test);
            let ways = [&it.consequent, &it.alternate].map(|it| {
                self.part(|this| {
                    this.visit_expression(it);
                    this.path.push(Path::Await(this.awaited(it)));
                })
            });
            return self.either(ways.into());
        }
        walk::walk_await_expression(self, it);
        self.path.push(Path::Await(self.awaited(&it.argument)));
    }

    fn visit_logical_expression(&mut self, it: &ast::LogicalExpression<'a>) {
        self.visit_expression(&it.left);
        let right = self.part(|this| this.visit_expression(&it.right));
        self.either(vec![right, Path::All(Vec::new())]);
    }

    fn visit_conditional_expression(&mut self, it: &ast::ConditionalExpression<'a>) {
        self.visit_expression(&it.test);
        let ways =
            [&it.consequent, &it.alternate].map(|it| self.part(|this| this.visit_expression(it)));
        self.either(ways.into());
    }

    fn visit_assignment_expression(&mut self, it: &ast::AssignmentExpression<'a>) {
        if !it.operator.is_logical() {
            return walk::walk_assignment_expression(self, it);
        }
        self.visit_assignment_target(&it.left);
        let right = self.part(|this| this.visit_expression(&it.right));
        self.either(vec![right, Path::All(Vec::new())]);
    }

    fn visit_if_statement(&mut self, it: &ast::IfStatement<'a>) {
        self.visit_expression(&it.test);
        let then = self.part(|this| this.visit_statement(&it.consequent));
        let otherwise = self.part(|this| {
            if let Some(it) = &it.alternate {
                this.visit_statement(it);
            }
        });
        self.either(vec![then, otherwise]);
    }

    /// Most loops of this kind fill a buffer or look again, mostly with nothing to do.
    fn visit_while_statement(&mut self, it: &ast::WhileStatement<'a>) {
        self.visit_expression(&it.test);
        let body = self.part(|this| this.visit_statement(&it.body));
        self.either(vec![body, Path::All(Vec::new())]);
    }

    fn visit_for_of_statement(&mut self, it: &ast::ForOfStatement<'a>) {
        if it.r#await {
            self.path.push(Path::Await(Awaited::Operation));
        }
        walk::walk_for_of_statement(self, it);
    }

    fn visit_variable_declaration(&mut self, it: &ast::VariableDeclaration<'a>) {
        walk::walk_variable_declaration(self, it);
        if it.kind.is_await() {
            self.path.push(Path::Await(Awaited::Operation));
        }
    }

    fn visit_switch_statement(&mut self, it: &ast::SwitchStatement<'a>) {
        self.visit_expression(&it.discriminant);
        let mut ways = vec![Path::All(Vec::new())];
        for case in &it.cases {
            ways.push(self.part(|this| this.visit_switch_case(case)));
        }
        self.either(ways);
    }

    /// What handles errors is no way that matters.
    fn visit_try_statement(&mut self, it: &ast::TryStatement<'a>) {
        self.visit_block_statement(&it.block);
        if let Some(it) = &it.finalizer {
            self.visit_block_statement(it);
        }
    }

    fn visit_return_statement(&mut self, it: &ast::ReturnStatement<'a>) {
        walk::walk_return_statement(self, it);
        it.argument.iter().for_each(|it| self.returned(it));
        self.path.push(Path::Return);
    }

    fn visit_throw_statement(&mut self, it: &ast::ThrowStatement<'a>) {
        walk::walk_throw_statement(self, it);
        self.path.push(Path::Throw);
    }
}
