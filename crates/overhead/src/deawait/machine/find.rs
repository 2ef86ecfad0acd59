//! Where the machine of a function is.

use oxc_ast::ast::{self, Argument, Expression, Statement};
use oxc_semantic::{Scoping, SymbolId};
use oxc_span::Span;

use super::super::Reason;
use super::super::cleanup::root_symbol;
use super::super::helpers::{Helpers, Holds, symbol_of};
use super::super::known::Helper;
use super::op::Try;

/// How a machine is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    /// TypeScript and swc.
    TypeScript,
    /// Babel.
    Regenerator,
}

/// A machine.
#[derive(Debug)]
pub(super) struct Found<'t, 'a> {
    pub(super) dialect: Dialect,
    /// The statement that returns it.
    pub(super) statement: Span,
    pub(super) function: &'t ast::Function<'a>,
    /// What the machine knows of itself: the parameter of its function.
    pub(super) context: SymbolId,
    /// It gets the `this` of the function around.
    pub(super) has_this: bool,
    pub(super) helper: Option<SymbolId>,
    pub(super) own_mentions: usize,
    /// The `try` statements, where they are listed.
    pub(super) tries: Vec<Try>,
}

/// Finds the machine that a function returns.
pub(super) fn find<'t, 'a>(
    it: &'t ast::Function<'a>,
    helpers: &Helpers,
    scoping: &Scoping,
) -> Result<Found<'t, 'a>, Reason> {
    let none = "what is passed to the helper is no generator";
    let body = it.body.as_ref().filter(|_| !it.r#async && !it.generator).ok_or(none)?;
    let Some(Statement::ReturnStatement(last)) = body.statements.last() else { return Err(none) };
    let Some(Expression::CallExpression(call)) = &last.argument else { return Err(none) };
    let found = |dialect, function: &'t Argument<'a>, has_this, own_mentions, tries| {
        let function = function_of(function).ok_or(none)?;
        let context = function.params.items.first();
        let context = context.and_then(|it| it.pattern.get_binding_identifier());
        let context = context.and_then(|it| it.symbol_id.get()).ok_or(none)?;
        Ok(Found {
            dialect,
            statement: last.span,
            function,
            context,
            has_this,
            helper: root_of(&call.callee, scoping),
            own_mentions,
            tries,
        })
    };
    let is_this = |it: Option<&Argument<'_>>| matches!(it, Some(Argument::ThisExpression(_)));
    if helpers.callee(&call.callee, scoping) == Some(Helper::Generator) {
        return match call.arguments.as_slice() {
            [this, function] => {
                let has_this = is_this(Some(this));
                found(Dialect::TypeScript, function, has_this, 0, Vec::new())
            }
            _ => Err(none),
        };
    }
    if regenerator_member(&call.callee, helpers, scoping)
        .is_some_and(|it| ["wrap", "w"].contains(&it))
    {
        let function = call.arguments.first().ok_or(none)?;
        let own = call.arguments.get(1).and_then(Argument::as_expression);
        let own_mentions = usize::from(own.is_some_and(Expression::is_identifier_reference));
        let tries = match call.arguments.get(3) {
            None => Vec::new(),
            Some(Argument::ArrayExpression(it)) => listed(it).ok_or("its table is odd")?,
            Some(_) => return Err("its table is odd"),
        };
        let has_this = is_this(call.arguments.get(2));
        return found(Dialect::Regenerator, function, has_this, own_mentions, tries);
    }
    Err(none)
}

/// The function in `mark(function …)`, of Babel's generators, and whose `mark` it is.
pub(in super::super) fn marked<'t, 'a>(
    it: &'t Expression<'a>,
    helpers: &Helpers,
    scoping: &Scoping,
) -> Option<(&'t ast::Function<'a>, Option<SymbolId>)> {
    let Expression::CallExpression(call) = it else { return None };
    let name = regenerator_member(&call.callee, helpers, scoping)?;
    match call.arguments.as_slice() {
        [function] if ["mark", "m"].contains(&name) => {
            Some((function_of(function)?, root_of(&call.callee, scoping)))
        }
        _ => None,
    }
}

fn function_of<'t, 'a>(it: &'t Argument<'a>) -> Option<&'t ast::Function<'a>> {
    match it.as_expression()?.without_parentheses() {
        Expression::FunctionExpression(it) => Some(it),
        _ => None,
    }
}

/// The name of a member of Babel's generators: of `_regenerator()`, `_regenerator.default`,
/// `_regeneratorRuntime` or the global `regeneratorRuntime`.
fn regenerator_member<'t>(
    callee: &'t Expression<'_>,
    helpers: &Helpers,
    scoping: &Scoping,
) -> Option<&'t str> {
    let Expression::StaticMemberExpression(member) = callee else { return None };
    let is_regenerator = match member.object.without_parentheses() {
        Expression::Identifier(it) => match symbol_of(it, scoping) {
            None => it.name == "regeneratorRuntime",
            Some(_) => helpers.held(it, scoping) == Some(Holds::Helper(Helper::Regenerator)),
        },
        object @ Expression::StaticMemberExpression(_) => {
            helpers.callee(object, scoping) == Some(Helper::Regenerator)
        }
        Expression::CallExpression(call) => {
            call.arguments.is_empty()
                && helpers.callee(&call.callee, scoping) == Some(Helper::RegeneratorFunction)
        }
        _ => false,
    };
    is_regenerator.then_some(member.property.name.as_str())
}

/// The variable at the root of `name`, `name.member` or `name().member`.
fn root_of(callee: &Expression<'_>, scoping: &Scoping) -> Option<SymbolId> {
    match callee.without_parentheses() {
        Expression::StaticMemberExpression(member) => match &member.object {
            Expression::CallExpression(call) => root_of(&call.callee, scoping),
            object => root_of(object, scoping),
        },
        callee => root_symbol(callee, scoping),
    }
}

/// The `try` statements of Babel's table.
fn listed(table: &ast::ArrayExpression<'_>) -> Option<Vec<Try>> {
    table
        .elements
        .iter()
        .map(|row| match row {
            ast::ArrayExpressionElement::ArrayExpression(row) => try_of(row),
            _ => None,
        })
        .collect()
}

/// `[start, catch, finally, end]`, any but the first left out.
pub(super) fn try_of(row: &ast::ArrayExpression<'_>) -> Option<Try> {
    let mut labels = row.elements.iter().map(label_or_nothing);
    let start = labels.next()??;
    let mut next = || labels.next().unwrap_or(Some(None));
    Some(Try { start: start?, catch: next()?, finally: next()?, end: next()? })
}

/// The label that an element is; nothing at all if it is something else.
fn label_or_nothing(it: &ast::ArrayExpressionElement<'_>) -> Option<Option<u32>> {
    match it {
        ast::ArrayExpressionElement::Elision(_) | ast::ArrayExpressionElement::NullLiteral(_) => {
            Some(None)
        }
        it => Some(Some(label(it.as_expression()?)?)),
    }
}

/// The label that an expression is.
pub(super) fn label(it: &Expression<'_>) -> Option<u32> {
    let Expression::NumericLiteral(it) = it else { return None };
    let is_label = it.value >= 0.0 && it.value < 1e6 && it.value.fract() == 0.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    is_label.then_some(it.value as u32)
}
