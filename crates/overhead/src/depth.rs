//! Functions that count how deep their calls are, since they may call themselves.
//!
//! Async functions survive recursion that ordinary ones overflow the stack with: each awaits first.
//! So a fast function that may call itself counts, and hands over when too many of its calls are on
//! the stack. It does so in front of the first statement that awaits: what stands before that runs on
//! the stack of the caller in async functions, too. It sets the counter back where it ends: a
//! `finally` would do it in one place, but costs more than all the rest of it.

use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::ScopeFlags;
use oxc_span::{GetSpan, Span};

use crate::rope::{Edits, Piece, Rope, rope};
use crate::shape::Names;

/// A function that counts.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    /// The counter.
    pub(crate) depth: String,
    /// How deep it may go.
    pub(crate) limit: u32,
}

impl Counted {
    /// Counts the call; whether it is too deep.
    pub(crate) fn enter(&self, names: &Names) -> String {
        format!("({} = {} + 1) > {}", self.depth, names.level, self.limit)
    }

    /// Sets the counter back.
    pub(crate) fn leave(&self, names: &Names) -> String {
        format!("{} = {}", self.depth, names.level)
    }

    /// Returns a value, once the counter is set back: what computes the value is still counted.
    pub(crate) fn returned(&self, names: &Names, value: &Rope) -> Rope {
        let result = &names.result;
        rope!["return ", result, " = (", value, "), ", self.leave(names), ", ", result, ";"]
    }

    /// Has each `return` in some statements set the counter back.
    pub(crate) fn edit(&self, names: &Names, body: &[ast::Statement<'_>], edits: &mut Edits) {
        let mut returns = Returns::default();
        body.iter().for_each(|it| returns.visit_statement(it));
        for (span, argument) in returns.0 {
            let leave = self.leave(names);
            let text = match argument {
                None => fast(format!("{{ {leave}; return; }}"), "return;"),
                Some((argument, true)) => {
                    rope!["return ", fast(format!("{leave}, "), ""), edits.render(argument), ";"]
                }
                Some((argument, false)) => {
                    let (begin, end) = (format!("{} = (", names.result), &names.result);
                    let end = fast(format!("), {leave}, {end}"), "");
                    rope!["return ", fast(begin, ""), edits.render(argument), end, ";"]
                }
            };
            edits.replace(span, text);
        }
    }
}

fn fast(text: String, instead: &'static str) -> Rope {
    Rope(vec![Piece::Fast(text, instead)])
}

/// The `return`s of a function, with what they return, and whether that calls nothing.
#[derive(Default)]
struct Returns(Vec<(Span, Option<(Span, bool)>)>);

impl<'a> Visit<'a> for Returns {
    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}
    fn visit_arrow_function_expression(&mut self, _: &ast::ArrowFunctionExpression<'a>) {}
    fn visit_class(&mut self, _: &ast::Class<'a>) {}

    fn visit_return_statement(&mut self, it: &ast::ReturnStatement<'a>) {
        let argument = it.argument.as_ref().map(|it| (it.span(), calls_nothing(it)));
        self.0.push((it.span, argument));
        walk::walk_return_statement(self, it);
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
