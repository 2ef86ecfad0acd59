//! A function that does nothing but call a helper: it becomes an async function itself.
//!
//! Before `function f(a) { return __awaiter(this, void 0, void 0, function* () { yield g(a); }); }`,
//! after `async function f(a) { await g(a); }`. Also methods and arrow functions, with what compilers
//! put in front of the call, and with parameters that were moved into the generator.

use oxc_ast::ast::{self, Expression, Statement};
use oxc_semantic::{ScopeId, Scoping};
use oxc_span::{GetSpan, Span};

use super::Reason;
use super::call::{Arguments, Call, This};
use super::detached::Move;
use super::generator::{Generator, length};
use super::own_this::StandIn;
use super::{params, prelude};
use crate::facts::Facts;
use crate::patch::Patch;

/// A function, whatever its syntax.
#[derive(Clone, Copy)]
pub(crate) struct Outer<'t, 'a> {
    pub(crate) is_arrow: bool,
    pub(crate) params: &'t ast::FormalParameters<'a>,
    pub(crate) scope: Option<ScopeId>,
    /// Where the word `async` goes.
    pub(crate) async_at: u32,
    pub(crate) body: Body<'t, 'a>,
}

/// What a function runs.
#[derive(Clone, Copy)]
pub(crate) enum Body<'t, 'a> {
    Statements(&'t ast::FunctionBody<'a>),
    Expression(&'t Expression<'a>),
}

/// What changes where a function becomes async as a whole.
#[derive(Debug)]
pub(crate) struct Whole {
    async_at: u32,
    /// Where its own parameters give way to those of the generator.
    params: Option<Span>,
    /// All from the `return` to what follows its value.
    statement: Span,
    is_expression: bool,
    this: Option<StandIn>,
}

impl<'t, 'a> Outer<'t, 'a> {
    /// The call whose value the function returns.
    pub(crate) fn returned(&self) -> Option<&'t ast::CallExpression<'a>> {
        let value = match self.body {
            Body::Expression(it) => it,
            Body::Statements(body) => match body.statements.last()? {
                Statement::ReturnStatement(it) => it.argument.as_ref()?,
                _ => return None,
            },
        };
        match value.without_parentheses() {
            Expression::CallExpression(it) => Some(it),
            _ => None,
        }
    }

    /// Whether the function may be async as a whole, and what changes then.
    pub(crate) fn whole(
        &self,
        call: &Call<'_, '_>,
        generator: &Generator,
        facts: &Facts,
        scoping: &Scoping,
    ) -> Result<Whole, Reason> {
        let is_strict = self.scope.is_some_and(|it| scoping.scope_flags(it).is_strict_mode());
        if generator.own_strict && !is_strict {
            return Err("only the generator is strict");
        }
        let this = match call.this {
            This::Same => None,
            This::Undefined if generator.uses.this => {
                return Err("it uses `this`, which the helper does not get");
            }
            This::Undefined => None,
            This::Variable(symbol) => Some(generator.this.stand_in(symbol, facts, scoping)?),
            This::Computed => return Err("its `this` is computed"),
        };
        let mut outer_names = self.prelude_names(scoping)?;
        let params = self.params(call, generator, facts, scoping, is_strict)?;
        match params {
            Some(_) if !outer_names.is_empty() => {
                return Err("parameters were moved past declarations");
            }
            Some(_) => {}
            None => outer_names.extend(
                self.params
                    .iter_bindings()
                    .flat_map(ast::BindingPattern::get_binding_identifiers)
                    .map(|it| it.name.to_string()),
            ),
        }
        let goes = |name: &str| this.as_ref().is_some_and(|it| it.removes(name));
        let meets = |it: &String| outer_names.contains(it) && !goes(it) || it == "arguments";
        if generator.names.iter().any(meets) {
            return Err("the generator has variables of the same name as the function");
        }
        let (statement, is_expression) = match self.body {
            Body::Expression(it) => (it.span(), true),
            Body::Statements(it) => {
                (it.statements.last().map(GetSpan::span).unwrap_or_default(), false)
            }
        };
        Ok(Whole { async_at: self.async_at, params, statement, is_expression, this })
    }

    fn prelude_names(&self, scoping: &Scoping) -> Result<Vec<String>, Reason> {
        let Body::Statements(body) = self.body else { return Ok(Vec::new()) };
        let Some((_, before)) = body.statements.split_last() else { return Ok(Vec::new()) };
        prelude::names(before, scoping).ok_or("the function does more than to call the helper")
    }

    /// What its own parameters have to be replaced with, if they were moved.
    fn params(
        &self,
        call: &Call<'_, '_>,
        generator: &Generator,
        facts: &Facts,
        scoping: &Scoping,
        is_strict: bool,
    ) -> Result<Option<Span>, Reason> {
        let moved = generator.has_params;
        match call.arguments {
            Arguments::None if moved => {
                return Err("the generator has parameters but no arguments");
            }
            Arguments::None if generator.uses.arguments => {
                return Err("the generator uses `arguments` of its own");
            }
            Arguments::Computed => return Err("its arguments are computed"),
            Arguments::Same if self.is_arrow => {
                return Err("an arrow function hands on `arguments` that are not its own");
            }
            Arguments::Same if !moved && !is_strict && self.params.has_parameter() => {
                return Err("`arguments` and the parameters are the same in sloppy code");
            }
            Arguments::List(_) if generator.uses.arguments => {
                return Err("the generator uses `arguments` of its own");
            }
            Arguments::List(_) if !call.arguments.are_all_of(self.params, scoping) => {
                return Err("the generator gets other arguments than the function");
            }
            _ => {}
        }
        if !moved {
            let harmless = params::are_harmless(self.params, scoping);
            return if harmless { Ok(None) } else { Err("parameters may throw, not reject") };
        }
        let mentions = usize::from(matches!(call.arguments, Arguments::List(_)));
        if !params::are_placeholders(self.params, facts, mentions) {
            return Err("the function uses its parameters beside the generator");
        }
        if length(self.params) != generator.length {
            return Err("the `length` of the function would change");
        }
        Ok(Some(self.params.span))
    }
}

impl Whole {
    /// Writes it.
    pub(crate) fn write(
        &self,
        generator: &Generator,
        (patch, moves): (&mut Patch, &mut Vec<Move>),
    ) {
        patch.insert(self.async_at, "async ");
        moves.extend(self.params.map(|to| Move::Params { from: generator.params, to }));
        // An arrow function's body keeps the braces.
        let inside = if self.is_expression { generator.body } else { generator.inside() };
        patch.replace(Span::new(self.statement.start, inside.start), "");
        generator.write(patch, self.this.as_ref());
        patch.replace(Span::new(inside.end, self.statement.end), "");
    }
}
