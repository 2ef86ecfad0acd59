//! The function inside: what runs between the waits, as a generator.
//!
//! Purpose: says how the body of a generator reads as that of an async function. Input: the generator
//! that is passed to a helper. Output: what has to change in it, or why it cannot be restored.

use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, Scoping};
use oxc_span::Span;

use super::Reason;
use crate::facts::{Facts, Uses};
use crate::patch::Patch;

/// A generator that is to become an async function.
#[derive(Debug)]
pub(crate) struct Generator {
    /// From the bracket in front of its parameters to the one behind.
    pub(crate) params: Span,
    /// How many arguments it names in front of the first that may be left out.
    pub(crate) length: usize,
    pub(crate) has_params: bool,
    /// Its body, braces included.
    pub(crate) body: Span,
    pub(crate) uses: Uses,
    /// Says `use strict` itself.
    pub(crate) own_strict: bool,
    /// The names of its variables.
    pub(crate) names: Vec<String>,
    change: Change,
}

/// What changes inside.
#[derive(Debug, Default)]
struct Change {
    yields: Vec<Yield>,
    /// Its own `this`, that of arrow functions in it included.
    this: Vec<Span>,
}

#[derive(Debug)]
struct Yield {
    span: Span,
    /// What is waited for has to be put into brackets.
    brackets: bool,
}

impl Generator {
    /// Reads a generator.
    pub(crate) fn read(
        it: &ast::Function<'_>,
        facts: &Facts,
        scoping: &Scoping,
    ) -> Result<Self, Reason> {
        let (Some(body), true) = (&it.body, it.generator && !it.r#async) else {
            return Err("what is passed to the helper is no generator");
        };
        let mut finder = Finder::default();
        finder.visit_formal_parameters(&it.params);
        finder.visit_function_body(body);
        if finder.odd {
            return Err("it yields as no compiler writes it");
        }
        let mut read = read_function(it, body, facts, scoping)?;
        read.change = Change { yields: finder.yields, this: finder.this };
        Ok(read)
    }

    /// Writes what changes inside it; `this` is what stands for it outside, if it has another name.
    pub(crate) fn write(&self, patch: &mut Patch, this: Option<&str>) {
        for it in &self.change.yields {
            patch.replace(
                Span::sized(it.span.start, 5),
                if it.brackets { "await (" } else { "await" },
            );
            if it.brackets {
                // The space that was behind `yield` is in front of what is waited for.
                patch.insert(it.span.end, ")");
            }
        }
        for span in self.change.this.iter().filter(|_| this.is_some()) {
            patch.replace(*span, this.unwrap_or_default());
        }
    }

    /// Its body without the braces.
    pub(crate) fn inside(&self) -> Span {
        Span::new(self.body.start + 1, self.body.end - 1)
    }
}

fn read_function(
    it: &ast::Function<'_>,
    body: &ast::FunctionBody<'_>,
    facts: &Facts,
    scoping: &Scoping,
) -> Result<Generator, Reason> {
    let key = (it.span.start, it.span.end);
    let index = *facts.by_span.get(&key).ok_or("it is not understood")?;
    let uses = facts.functions[index].uses;
    if uses.eval {
        return Err("it calls `eval`, which may look at anything");
    }
    if uses.new_target {
        return Err("it asks for `new.target`");
    }
    let own_name = it.id.as_ref().and_then(|id| id.symbol_id.get());
    if own_name.is_some_and(|it| facts.mentions(it).next().is_some()) {
        return Err("the generator mentions itself");
    }
    let names = it.scope_id.get().map_or_else(Vec::new, |scope| {
        scoping.get_bindings(scope).keys().map(ToString::to_string).collect()
    });
    Ok(Generator {
        params: it.params.span,
        length: length(&it.params),
        has_params: it.params.has_parameter(),
        body: body.span,
        uses,
        own_strict: body.has_use_strict_directive(),
        names,
        change: Change::default(),
    })
}

/// The `length` of a function.
pub(crate) fn length(params: &ast::FormalParameters<'_>) -> usize {
    params.items.iter().take_while(|it| it.initializer.is_none()).count()
}

#[derive(Default)]
struct Finder {
    yields: Vec<Yield>,
    this: Vec<Span>,
    odd: bool,
}

impl<'a> Visit<'a> for Finder {
    fn visit_yield_expression(&mut self, it: &ast::YieldExpression<'a>) {
        match &it.argument {
            Some(argument) if !it.delegate => {
                let brackets = !is_unary(argument);
                self.yields.push(Yield { span: it.span, brackets });
            }
            _ => self.odd = true,
        }
        walk::walk_yield_expression(self, it);
    }

    fn visit_await_expression(&mut self, _: &ast::AwaitExpression<'a>) {
        self.odd = true;
    }

    fn visit_this_expression(&mut self, it: &ast::ThisExpression) {
        self.this.push(it.span);
    }

    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}

    // Only `this` is the generator's own there.
    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        let mut inner = Self::default();
        walk::walk_arrow_function_expression(&mut inner, it);
        self.this.append(&mut inner.this);
    }

    fn visit_property_definition(&mut self, it: &ast::PropertyDefinition<'a>) {
        self.visit_decorators(&it.decorators);
        self.visit_property_key(&it.key);
    }

    fn visit_static_block(&mut self, _: &ast::StaticBlock<'a>) {}
}

/// Whether an expression may stand behind `await` as it is.
fn is_unary(it: &Expression<'_>) -> bool {
    !matches!(
        it,
        Expression::ArrowFunctionExpression(_)
            | Expression::AssignmentExpression(_)
            | Expression::BinaryExpression(_)
            | Expression::ConditionalExpression(_)
            | Expression::LogicalExpression(_)
            | Expression::PrivateInExpression(_)
            | Expression::SequenceExpression(_)
            | Expression::TSAsExpression(_)
            | Expression::TSSatisfiesExpression(_)
            | Expression::YieldExpression(_)
    )
}

/// The generator that an argument is.
pub(crate) fn generator_argument<'t, 'a>(
    it: &'t ast::Argument<'a>,
) -> Option<&'t ast::Function<'a>> {
    match it.as_expression()?.without_parentheses() {
        Expression::FunctionExpression(it) => Some(it),
        _ => None,
    }
}
