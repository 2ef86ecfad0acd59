//! A call of a helper that runs a generator at once.
//!
//! Forms: TypeScript's `__awaiter(this, arguments, void 0, function* () { … })`, esbuild's
//! `__async(this, null, function* () { … })`, and, of Babel and swc,
//! `_asyncToGenerator(function* () { … })()`, with `.call(this)` or `.apply(this, arguments)`.

use oxc_ast::ast::{self, Argument, Expression};
use oxc_semantic::{Scoping, SymbolId};
use oxc_span::{GetSpan, Span};

use super::Reason;
use super::helpers::{Helpers, symbol_of};
use super::known::Helper;

/// A generator that is run at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'t, 'a> {
    pub(crate) span: Span,
    pub(crate) helper: Helper,
    pub(crate) this: This,
    pub(crate) arguments: Arguments<'t, 'a>,
    /// What is passed as `this` and as arguments; nothing where the generator is made a function of.
    pub(crate) passed: Option<(Span, Option<Span>)>,
    pub(crate) generator: &'t Argument<'a>,
}

/// What a generator gets as `this`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum This {
    /// That of the code around it.
    Same,
    /// None.
    Undefined,
    /// A variable.
    Variable(SymbolId),
    /// Something else.
    Computed,
}

/// What it is called with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arguments<'t, 'a> {
    None,
    /// The `arguments` of the function around it.
    Same,
    /// These values.
    List(&'t ast::ArrayExpression<'a>),
    /// Something else.
    Computed,
}

impl<'t, 'a> Call<'t, 'a> {
    /// Reads a call; nothing if it is none of a helper.
    pub(crate) fn read(
        it: &'t ast::CallExpression<'a>,
        helpers: &Helpers,
        scoping: &Scoping,
    ) -> Option<Result<Self, Reason>> {
        if it.optional {
            return None;
        }
        match helpers.callee(&it.callee, scoping) {
            Some(helper @ (Helper::Awaiter | Helper::Async)) => {
                Some(Self::awaiter(it, helper, scoping))
            }
            Some(_) => None,
            None => Self::made(it, helpers, scoping),
        }
    }

    fn awaiter(
        it: &'t ast::CallExpression<'a>,
        helper: Helper,
        scoping: &Scoping,
    ) -> Result<Self, Reason> {
        let (this, arguments, generator) = match (helper, it.arguments.as_slice()) {
            (Helper::Awaiter, [this, arguments, promise, generator]) => {
                let is_usual = match promise {
                    Argument::Identifier(it) => {
                        it.name == "Promise" && symbol_of(it, scoping).is_none()
                    }
                    _ => is_nothing(promise),
                };
                if !is_usual {
                    return Err("it makes promises of a class of its own");
                }
                (this, arguments, generator)
            }
            (Helper::Async, [this, arguments, generator]) => (this, arguments, generator),
            _ => return Err("the helper is not called as its compiler calls it"),
        };
        Ok(Self {
            span: it.span,
            helper,
            this: This::read(this, scoping),
            passed: Some((this.span(), (!is_nothing(arguments)).then(|| arguments.span()))),
            arguments: Arguments::read(arguments, scoping),
            generator,
        })
    }

    /// A call of what `asyncToGenerator` makes.
    fn made(
        it: &'t ast::CallExpression<'a>,
        helpers: &Helpers,
        scoping: &Scoping,
    ) -> Option<Result<Self, Reason>> {
        let (made, how) = match it.callee.without_parentheses() {
            Expression::CallExpression(made) => (made, ""),
            Expression::StaticMemberExpression(member) => match &member.object {
                Expression::CallExpression(made) => (made, member.property.name.as_str()),
                _ => return None,
            },
            _ => return None,
        };
        let generator = made_of(made, helpers, scoping)?;
        let made = |this, arguments| {
            let helper = Helper::ToGenerator;
            Ok(Self { span: it.span, helper, this, arguments, passed: None, generator })
        };
        Some(match (how, it.arguments.as_slice()) {
            ("", []) => made(This::Undefined, Arguments::None),
            ("call", [this]) => made(This::read(this, scoping), Arguments::None),
            ("apply", [this, arguments]) => {
                made(This::read(this, scoping), Arguments::read(arguments, scoping))
            }
            _ => Err("what the helper makes is called in a way that no compiler writes"),
        })
    }
}

/// The generator of which `asyncToGenerator` makes a function.
pub(crate) fn made_of<'t, 'a>(
    it: &'t ast::CallExpression<'a>,
    helpers: &Helpers,
    scoping: &Scoping,
) -> Option<&'t Argument<'a>> {
    if it.optional || helpers.callee(&it.callee, scoping) != Some(Helper::ToGenerator) {
        return None;
    }
    match it.arguments.as_slice() {
        [generator] => Some(generator),
        _ => None,
    }
}

/// Whether an argument is `void 0` or `null`.
fn is_nothing(it: &Argument<'_>) -> bool {
    it.as_expression().is_some_and(|it| it.is_void_0() || it.is_null())
}

impl This {
    fn read(it: &Argument<'_>, scoping: &Scoping) -> Self {
        match it.as_expression().map(Expression::without_parentheses) {
            Some(Expression::ThisExpression(_)) => Self::Same,
            Some(Expression::Identifier(it)) => match symbol_of(it, scoping) {
                Some(symbol) => Self::Variable(symbol),
                None => Self::Computed,
            },
            _ if is_nothing(it) => Self::Undefined,
            _ => Self::Computed,
        }
    }
}

impl<'t, 'a> Arguments<'t, 'a> {
    fn read(it: &'t Argument<'a>, scoping: &Scoping) -> Self {
        match it.as_expression().map(Expression::without_parentheses) {
            Some(Expression::Identifier(it))
                if it.name == "arguments" && symbol_of(it, scoping).is_none() =>
            {
                Self::Same
            }
            Some(Expression::ArrayExpression(it)) if it.elements.iter().all(is_name) => {
                Self::List(it)
            }
            _ if is_nothing(it) => Self::None,
            _ => Self::Computed,
        }
    }

    /// Whether they are the parameters given, one by one: `[a, ...b]` of `(a, ...b)`.
    pub(crate) fn are_all_of(&self, params: &ast::FormalParameters<'_>, scoping: &Scoping) -> bool {
        let Self::List(list) = self else { return false };
        let mut symbols = params
            .items
            .iter()
            .map(|it| it.pattern.get_binding_identifier().and_then(|id| id.symbol_id.get()));
        let rest = params
            .rest
            .as_ref()
            .map(|it| it.rest.argument.get_binding_identifier().and_then(|id| id.symbol_id.get()));
        let is = |it: &ast::IdentifierReference<'_>, symbol: Option<SymbolId>| {
            symbol.is_some() && symbol_of(it, scoping) == symbol
        };
        let (last, first) = match (&rest, list.elements.split_last()) {
            (Some(_), Some((last, first))) => (Some(last), first),
            (None, _) => (None, list.elements.as_slice()),
            _ => return false,
        };
        let rest_is_same = match (last, rest) {
            (Some(ast::ArrayExpressionElement::SpreadElement(it)), Some(symbol)) => {
                matches!(&it.argument, Expression::Identifier(it) if is(it, symbol))
            }
            (None, None) => true,
            _ => false,
        };
        rest_is_same
            && first.len() == params.items.len()
            && first.iter().all(|element| {
                let symbol = symbols.next().flatten();
                matches!(element, ast::ArrayExpressionElement::Identifier(it) if is(it, symbol))
            })
    }
}

/// Whether an element of an array is a variable, or all that is in one.
fn is_name(it: &ast::ArrayExpressionElement<'_>) -> bool {
    match it {
        ast::ArrayExpressionElement::Identifier(_) => true,
        ast::ArrayExpressionElement::SpreadElement(it) => it.argument.is_identifier_reference(),
        _ => false,
    }
}

/// The source of a call's arguments, brackets left out.
pub(crate) fn inside_brackets(list: &ast::ArrayExpression<'_>) -> Span {
    let span = list.span();
    Span::new(span.start + 1, span.end - 1)
}
