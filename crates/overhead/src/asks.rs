//! The directive by which async functions ask for something.

use oxc_ast::ast;

/// What a function begins with that may give what it gives without a promise (`docs/optimize.md`).
pub(crate) const DIRECTIVE: &str = "perhaps async";

/// Whether a body begins with the directive, as a string or, as it is also printed, a template.
pub(crate) fn asks(body: &ast::FunctionBody<'_>) -> bool {
    if body.directives.iter().any(|it| it.directive == DIRECTIVE) {
        return true;
    }
    let Some(ast::Statement::ExpressionStatement(first)) = body.statements.first() else {
        return false;
    };
    matches!(&first.expression, ast::Expression::TemplateLiteral(it)
        if it.single_quasi().is_some_and(|text| text == DIRECTIVE))
}
