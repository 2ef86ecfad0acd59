//! The `return`s of statements that are printed as they are, in which the fast function does more than
//! its twin.

use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::ScopeFlags;
use oxc_span::{GetSpan, Span};

use crate::rope::{Edits, Piece, Rope, rope};

/// One `return`.
pub(crate) struct Return {
    pub(crate) span: Span,
    pub(crate) argument: Option<Span>,
    /// Whether what it returns calls nothing.
    pub(crate) calls_nothing: bool,
    /// Whether that can be no thenable, by its form.
    pub(crate) is_primitive: bool,
    /// Whether a `finally` or an iterator that is closed comes between it and the caller.
    pub(crate) is_cleaned_up: bool,
}

/// Those of a function.
pub(crate) fn returns(body: &[ast::Statement<'_>]) -> Vec<Return> {
    let mut returns = Returns::default();
    body.iter().for_each(|it| returns.visit_statement(it));
    returns.found
}

/// Has each `return` give back what it returns through a helper.
pub(crate) fn give(helper: &str, returns: &[Return], edits: &mut Edits) {
    for it in returns.iter().filter(|it| !it.is_primitive) {
        let Some(argument) = it.argument else { continue };
        let value = edits.render(argument);
        let text =
            rope!["return ", fast(format!("{helper}(("), ""), value, fast("))".into(), ""), ";"];
        edits.replace(it.span, text);
    }
}

/// Text that only the fast function has.
pub(crate) fn fast(text: String, instead: &'static str) -> Rope {
    Rope(vec![Piece::Fast(text, instead)])
}

#[derive(Default)]
struct Returns {
    found: Vec<Return>,
    cleanups: u32,
}

impl Returns {
    fn cleaned_up(&mut self, walk: impl FnOnce(&mut Self)) {
        self.cleanups += 1;
        walk(self);
        self.cleanups -= 1;
    }
}

impl<'a> Visit<'a> for Returns {
    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}
    fn visit_arrow_function_expression(&mut self, _: &ast::ArrowFunctionExpression<'a>) {}
    fn visit_class(&mut self, _: &ast::Class<'a>) {}

    fn visit_return_statement(&mut self, it: &ast::ReturnStatement<'a>) {
        self.found.push(Return {
            span: it.span,
            argument: it.argument.as_ref().map(GetSpan::span),
            calls_nothing: it.argument.as_ref().is_some_and(calls_nothing),
            is_primitive: it.argument.as_ref().is_some_and(crate::lower::is_primitive),
            is_cleaned_up: self.cleanups > 0,
        });
        walk::walk_return_statement(self, it);
    }

    fn visit_for_of_statement(&mut self, it: &ast::ForOfStatement<'a>) {
        self.cleaned_up(|this| walk::walk_for_of_statement(this, it));
    }

    fn visit_try_statement(&mut self, it: &ast::TryStatement<'a>) {
        if it.finalizer.is_some() {
            return self.cleaned_up(|this| walk::walk_try_statement(this, it));
        }
        walk::walk_try_statement(self, it);
    }
}

/// Whether evaluating this calls nothing but accessors and conversions at most; also what must not be
/// assigned to a name, which it would take for its own.
fn calls_nothing(it: &Expression<'_>) -> bool {
    match it {
        Expression::Identifier(_)
        | Expression::ThisExpression(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::StringLiteral(_)
        | Expression::FunctionExpression(_)
        | Expression::ArrowFunctionExpression(_)
        | Expression::ClassExpression(_) => true,
        Expression::ParenthesizedExpression(it) => calls_nothing(&it.expression),
        Expression::StaticMemberExpression(it) => calls_nothing(&it.object),
        Expression::PrivateFieldExpression(it) => calls_nothing(&it.object),
        Expression::UnaryExpression(it) => calls_nothing(&it.argument),
        Expression::BinaryExpression(it) => calls_nothing(&it.left) && calls_nothing(&it.right),
        Expression::LogicalExpression(it) => calls_nothing(&it.left) && calls_nothing(&it.right),
        _ => false,
    }
}
