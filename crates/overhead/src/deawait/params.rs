//! Parameters that cannot fail.
//!
//! Code that goes through a helper evaluates parameters before there is a promise: what they throw is
//! thrown at the caller. An async function would reject. Where they might throw, they have to stay
//! outside.

use oxc_ast::ast::{self, Expression};
use oxc_semantic::Scoping;

use super::helpers::symbol_of;
use crate::facts::Facts;

/// Whether nothing that the parameters do can throw, or be seen at all.
pub(crate) fn are_harmless(params: &ast::FormalParameters<'_>, scoping: &Scoping) -> bool {
    let simple = |it: &ast::BindingPattern<'_>| it.is_binding_identifier();
    let rest = params.rest.as_ref();
    rest.is_none_or(|it| simple(&it.rest.argument))
        && params.items.iter().enumerate().all(|(index, it)| {
            let earlier = &params.items[..index];
            simple(&it.pattern)
                && it.decorators.is_empty()
                && it.initializer.as_ref().is_none_or(|it| is_harmless(it, earlier, scoping))
        })
}

/// Whether a default value cannot throw.
fn is_harmless(
    it: &Expression<'_>,
    earlier: &[ast::FormalParameter<'_>],
    scoping: &Scoping,
) -> bool {
    match it.without_parentheses() {
        Expression::UnaryExpression(it) => {
            use oxc_syntax::operator::UnaryOperator as Op;
            matches!(it.operator, Op::LogicalNot | Op::Void | Op::UnaryNegation)
                && it.argument.is_literal()
                && !matches!(it.argument, Expression::BigIntLiteral(_))
        }
        Expression::Identifier(it) => match symbol_of(it, scoping) {
            None => it.name == "undefined",
            Some(symbol) => earlier.iter().any(|it| {
                it.pattern.get_binding_identifier().and_then(|id| id.symbol_id.get())
                    == Some(symbol)
            }),
        },
        Expression::ArrayExpression(it) => it.elements.is_empty(),
        Expression::ObjectExpression(it) => it.properties.is_empty(),
        it => it.is_literal() || it.is_no_substitution_template() || it.is_function(),
    }
}

/// Whether parameters are plain names that nothing but `allowed` mentions holds on to.
pub(crate) fn are_placeholders(
    params: &ast::FormalParameters<'_>,
    facts: &Facts,
    allowed: usize,
) -> bool {
    let rest = params.rest.iter().map(|it| &it.rest.argument);
    let plain = params.items.iter().all(|it| it.initializer.is_none() && it.decorators.is_empty());
    plain
        && params.items.iter().map(|it| &it.pattern).chain(rest).all(|it| {
            let symbol = it.get_binding_identifier().and_then(|id| id.symbol_id.get());
            symbol.is_some_and(|it| facts.mentions(it).count() == allowed)
        })
}
