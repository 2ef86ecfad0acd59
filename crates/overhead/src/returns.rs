//! The `return`s of statements that are printed as they are, in which the fast function does more than
//! its twin.

use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::ScopeFlags;
use oxc_span::{GetSpan, Span};

use crate::results::Known;
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
    /// Whether a `try` or a `for … of` would notice that something throws here.
    pub(crate) is_guarded: bool,
    /// Whether it need not be looked at.
    pub(crate) is_settled: bool,
}

/// Those of a function.
pub(crate) fn returns(body: &[ast::Statement<'_>], known: Known<'_>) -> Vec<Return> {
    let mut returns = Returns { known, found: Vec::new(), cleanups: 0, guards: 0 };
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

struct Returns<'x> {
    known: Known<'x>,
    found: Vec<Return>,
    cleanups: u32,
    guards: u32,
}

impl Returns<'_> {
    fn cleaned_up(&mut self, walk: impl FnOnce(&mut Self)) {
        self.cleanups += 1;
        self.guarded(walk);
        self.cleanups -= 1;
    }

    fn guarded(&mut self, walk: impl FnOnce(&mut Self)) {
        self.guards += 1;
        walk(self);
        self.guards -= 1;
    }
}

impl<'a> Visit<'a> for Returns<'_> {
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
            is_guarded: self.guards > 0,
            is_settled: it.argument.as_ref().is_some_and(|it| self.known.is_settled(it)),
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
        self.guarded(|this| this.visit_block_statement(&it.block));
        it.handler.iter().for_each(|it| self.visit_catch_clause(it));
    }
}

/// Whether evaluating this calls nothing but accessors and conversions at most; also what must not be
/// assigned to a name, which it would take for its own.
fn calls_nothing(it: &Expression<'_>) -> bool {
    match it.get_inner_expression() {
        Expression::Identifier(_)
        | Expression::ThisExpression(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::StringLiteral(_)
        | Expression::FunctionExpression(_)
        | Expression::ArrowFunctionExpression(_)
        | Expression::ClassExpression(_) => true,
        Expression::StaticMemberExpression(it) => calls_nothing(&it.object),
        Expression::PrivateFieldExpression(it) => calls_nothing(&it.object),
        Expression::UnaryExpression(it) => calls_nothing(&it.argument),
        Expression::BinaryExpression(it) => calls_nothing(&it.left) && calls_nothing(&it.right),
        Expression::LogicalExpression(it) => calls_nothing(&it.left) && calls_nothing(&it.right),
        _ => false,
    }
}
