//! The function inside: what runs between the waits, as a generator.
//!
//! Purpose: says how the body of a generator reads as that of an async function. Input: the generator
//! that is passed to a helper. Output: what has to change in it, or why it cannot be restored.

use std::cell::Cell;

use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, ScopeId, Scoping, SymbolId};
use oxc_span::Span;

use super::helpers::Helpers;
use super::own_this::{OwnThis, StandIn};
use super::{Reason, machine};
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
    /// Is strict, for that or for what is around it.
    pub(crate) is_strict: bool,
    /// The names of its variables.
    pub(crate) names: Vec<String>,
    /// Its own `this`.
    pub(crate) this: OwnThis,
    /// The helpers inside that are not used there any more.
    pub(crate) gone: Vec<SymbolId>,
    change: Change,
}

/// What changes inside.
#[derive(Debug, Default)]
struct Change {
    yields: Vec<Yield>,
    machine: Vec<(Span, String)>,
}

#[derive(Debug)]
struct Yield {
    span: Span,
    /// What is waited for has to be put into brackets.
    brackets: bool,
}

impl Generator {
    /// Reads what is passed to a helper.
    pub(crate) fn read(
        argument: &ast::Argument<'_>,
        facts: &Facts,
        helpers: &Helpers,
        (scoping, source): (&Scoping, &str),
    ) -> Result<Self, Reason> {
        let passed = argument.as_expression().map(Expression::without_parentheses);
        let file = (facts, scoping, source);
        match passed.ok_or("what is passed to the helper is no function")? {
            Expression::FunctionExpression(it) if it.generator => Self::native(it, file),
            Expression::FunctionExpression(it) => Self::machine(it, None, helpers, file),
            passed => match machine::marked(passed, helpers, scoping) {
                Some((it, mark)) => Self::machine(it, Some(mark), helpers, file),
                None => Err("what is passed to the helper is no function"),
            },
        }
    }

    fn native(it: &ast::Function<'_>, file: (&Facts, &Scoping, &str)) -> Result<Self, Reason> {
        let body = it.body.as_ref().filter(|_| !it.r#async).ok_or("it is async already")?;
        let mut finder = Finder::within(it.scope_id.get());
        finder.visit_formal_parameters(&it.params);
        finder.visit_function_body(body);
        if finder.odd {
            return Err("it yields as no compiler writes it");
        }
        let mut read = read_function(it, body, file, 0)?;
        read.change.yields = finder.yields;
        read.this.mentions = finder.this;
        Ok(read)
    }

    fn machine(
        it: &ast::Function<'_>,
        mark: Option<Option<SymbolId>>,
        helpers: &Helpers,
        file @ (facts, scoping, _): (&Facts, &Scoping, &str),
    ) -> Result<Self, Reason> {
        let body = it.body.as_ref().ok_or("what is passed to the helper is no function")?;
        let machine = machine::read(it, facts, (helpers, scoping))?;
        let mut finder = Finder::within(it.scope_id.get());
        finder.inside = Some(machine.function);
        finder.visit_formal_parameters(&it.params);
        finder.visit_function_body(body);
        let header = machine.header;
        finder.this.retain(|(it, _)| it.end <= header.start || it.start >= header.end);
        let mut read = read_function(it, body, file, machine.own_mentions)?;
        read.uses.this = !finder.this.is_empty();
        read.this.mentions = finder.this;
        read.change.machine = machine.edits;
        read.gone.extend(mark.flatten());
        read.gone.extend(machine.helper);
        Ok(read)
    }

    /// Writes what changes inside it; `this` is what stands for it outside, if it has another name.
    pub(crate) fn write(&self, patch: &mut Patch, this: Option<&StandIn>) {
        for (span, text) in &self.change.machine {
            patch.replace(*span, text.as_str());
        }
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
        if let Some(this) = this {
            self.this.write(patch, this);
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
    file @ (facts, scoping, _): (&Facts, &Scoping, &str),
    own_mentions: usize,
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
    if own_name.is_some_and(|it| facts.mentions(it).count() > own_mentions) {
        return Err("the generator mentions itself");
    }
    let names = it.scope_id.get().map_or_else(Vec::new, |scope| {
        scoping.get_bindings(scope).keys().map(ToString::to_string).collect()
    });
    let mut this = OwnThis::default();
    this.find_aliases(body, file);
    Ok(Generator {
        params: it.params.span,
        length: length(&it.params),
        has_params: it.params.has_parameter(),
        body: body.span,
        uses,
        own_strict: body.has_use_strict_directive(),
        is_strict: it.scope_id.get().is_some_and(|it| scoping.scope_flags(it).is_strict_mode()),
        names,
        this,
        gone: Vec::new(),
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
    /// With the innermost scope around each.
    this: Vec<(Span, Option<ScopeId>)>,
    scopes: Vec<ScopeId>,
    odd: bool,
    /// A function whose code counts as that around it.
    inside: Option<Span>,
}

impl Finder {
    /// For what stands in a scope.
    fn within(scope: Option<ScopeId>) -> Self {
        Self { scopes: scope.into_iter().collect(), ..Self::default() }
    }
}

impl<'a> Visit<'a> for Finder {
    fn enter_scope(&mut self, _: ScopeFlags, scope: &Cell<Option<ScopeId>>) {
        self.scopes.extend(scope.get());
    }

    fn leave_scope(&mut self) {
        self.scopes.pop();
    }

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
        self.this.push((it.span, self.scopes.last().copied()));
    }

    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        if self.inside == Some(it.span) {
            walk::walk_function(self, it, flags);
        }
    }

    // Only `this` is the generator's own there.
    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        let mut inner = Self::within(self.scopes.last().copied());
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
