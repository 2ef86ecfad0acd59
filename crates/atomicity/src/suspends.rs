//! Whether code suspends the function that it stands in, and what variables that has.

use std::collections::BTreeSet;

use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::ScopeFlags;

/// Looks for `await`, `yield` and `for await` that belong to one function, and for variables of some names. One for both:
/// what goes over a tree is large.
#[derive(Default)]
pub(crate) struct Suspends<'n> {
    found: bool,
    names: BTreeSet<&'n str>,
    is_var: bool,
    declares: bool,
}

impl<'n> Suspends<'n> {
    /// Whether a function declares one of some names with `var`.
    pub(crate) fn declares(statements: &[ast::Statement<'_>], names: BTreeSet<&'n str>) -> bool {
        let mut it = Self { names, ..Self::default() };
        for statement in statements {
            it.visit_statement(statement);
        }
        it.declares
    }

    pub(crate) fn in_statements(statements: &[ast::Statement<'_>]) -> bool {
        let mut it = Self::default();
        for statement in statements {
            it.visit_statement(statement);
        }
        it.found
    }

    pub(crate) fn in_expression(expression: &ast::Expression<'_>) -> bool {
        let mut it = Self::default();
        it.visit_expression(expression);
        it.found
    }
}

impl<'a> Visit<'a> for Suspends<'_> {
    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ast::ArrowFunctionExpression<'a>) {}

    fn visit_await_expression(&mut self, _: &ast::AwaitExpression<'a>) {
        self.found = true;
    }

    fn visit_yield_expression(&mut self, _: &ast::YieldExpression<'a>) {
        self.found = true;
    }

    fn visit_for_of_statement(&mut self, it: &ast::ForOfStatement<'a>) {
        self.found |= it.r#await;
        walk::walk_for_of_statement(self, it);
    }

    fn visit_variable_declaration(&mut self, it: &ast::VariableDeclaration<'a>) {
        self.found |= it.kind == ast::VariableDeclarationKind::AwaitUsing;
        self.is_var = it.kind == ast::VariableDeclarationKind::Var;
        walk::walk_variable_declaration(self, it);
        self.is_var = false;
    }

    fn visit_binding_identifier(&mut self, it: &ast::BindingIdentifier<'a>) {
        self.declares |= self.is_var && self.names.contains(it.name.as_str());
    }
}
