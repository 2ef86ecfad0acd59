//! Functions that Babel takes apart into a generator and what calls it.
//!
//! Forms: `function f(_x) { return _f.apply(this, arguments); }` beside
//! `function _f() { _f = _asyncToGenerator(function* (a) { … }); return _f.apply(this, arguments); }`,
//! and `function () { var _ref = _asyncToGenerator(…); return function (_x) { return
//! _ref.apply(this, arguments); }; }()` for expressions.

use oxc_ast::ast::{self, Argument, Expression, Statement};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, ScopeId, Scoping, SymbolId};
use oxc_span::Span;
use rustc_hash::FxHashMap;

use super::call::made_of;
use super::generator::{Generator, length};
use super::helpers::{Helpers, symbol_of};
use super::params::are_placeholders;
use crate::facts::Facts;
use crate::patch::Patch;
use crate::rope::rope;

/// A function that only calls another with its own `this` and `arguments`.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    /// What it calls.
    pub(crate) calls: SymbolId,
    pub(crate) span: Span,
    pub(crate) name: Option<String>,
    pub(crate) length: usize,
    /// Where it is declared.
    pub(crate) scope: Option<ScopeId>,
    is_strict: bool,
}

impl Front {
    /// Whether it hands on another `this` than the generator would get without it: an object, always.
    pub(crate) fn changes_this(&self, generator: &Generator) -> bool {
        !self.is_strict && generator.is_strict && generator.uses.this
    }
}

/// The function that makes and replaces itself.
#[derive(Debug)]
pub(crate) struct Back<'t, 'a> {
    pub(crate) symbol: SymbolId,
    pub(crate) span: Span,
    pub(crate) scope: Option<ScopeId>,
    /// The call of the helper.
    pub(crate) call: &'t ast::CallExpression<'a>,
    pub(crate) generator: &'t Argument<'a>,
}

/// An expression whose value is a function with such a front.
#[derive(Debug)]
pub(crate) struct Made<'t, 'a> {
    pub(crate) front: Front,
    /// The call of the helper.
    pub(crate) call: &'t ast::CallExpression<'a>,
    pub(crate) generator: &'t Argument<'a>,
}

/// Reads `function f(_x) { return _f.apply(this, arguments); }`.
pub(crate) fn front(it: &ast::Function<'_>, facts: &Facts, scoping: &Scoping) -> Option<Front> {
    let body = it.body.as_ref()?;
    let [Statement::ReturnStatement(returned)] = body.statements.as_slice() else { return None };
    if it.r#async || it.generator || !body.directives.is_empty() {
        return None;
    }
    let calls = applied(returned.argument.as_ref()?, scoping)?;
    are_placeholders(&it.params, facts, 0).then(|| Front {
        calls,
        span: it.span,
        name: it.id.as_ref().map(|it| it.name.to_string()),
        length: length(&it.params),
        scope: scope_around(it, scoping),
        is_strict: it.scope_id.get().is_some_and(|it| scoping.scope_flags(it).is_strict_mode()),
    })
}

/// Reads `function _f() { _f = helper(…); return _f.apply(this, arguments); }`.
pub(crate) fn back<'t, 'a>(
    it: &'t ast::Function<'a>,
    helpers: &Helpers,
    scoping: &Scoping,
) -> Option<Back<'t, 'a>> {
    let symbol = it.id.as_ref()?.symbol_id.get()?;
    let body = without_directives(it.body.as_ref()?)?;
    let [Statement::ExpressionStatement(made), Statement::ReturnStatement(returned)] = body else {
        return None;
    };
    if it.params.has_parameter() || applied(returned.argument.as_ref()?, scoping)? != symbol {
        return None;
    }
    let Expression::AssignmentExpression(made) = &made.expression else { return None };
    let ast::AssignmentTarget::AssignmentTargetIdentifier(target) = &made.left else {
        return None;
    };
    let Expression::CallExpression(call) = made.right.without_parentheses() else { return None };
    if !made.operator.is_assign() || symbol_of(target, scoping)? != symbol {
        return None;
    }
    let generator = made_of(call, helpers, scoping)?;
    Some(Back { symbol, span: it.span, scope: scope_around(it, scoping), call, generator })
}

/// Reads the expression.
pub(crate) fn made<'t, 'a>(
    it: &'t ast::CallExpression<'a>,
    helpers: &Helpers,
    facts: &Facts,
    scoping: &Scoping,
) -> Option<Made<'t, 'a>> {
    let statements = match it.callee.without_parentheses() {
        Expression::FunctionExpression(it)
            if !it.r#async && !it.generator && it.id.is_none() && !it.params.has_parameter() =>
        {
            without_directives(it.body.as_ref()?)?
        }
        Expression::ArrowFunctionExpression(it) if !it.r#async && !it.params.has_parameter() => {
            without_directives(it.body.as_function_body()?)?
        }
        _ => return None,
    };
    if !it.arguments.is_empty() || it.optional {
        return None;
    }
    let (Statement::VariableDeclaration(declaration), rest) = statements.split_first()? else {
        return None;
    };
    let [declarator] = declaration.declarations.as_slice() else { return None };
    let Expression::CallExpression(call) = declarator.init.as_ref()?.without_parentheses() else {
        return None;
    };
    let symbol = declarator.id.get_binding_identifier()?.symbol_id.get()?;
    let function = returned_function(rest, scoping)?;
    let front = front(function, facts, scoping)?;
    (front.calls == symbol && facts.mentions(symbol).count() == 1)
        .then(|| made_of(call, helpers, scoping))
        .flatten()
        .map(|generator| Made { front, call, generator })
}

/// The statements of a body that says nothing of how they are read.
fn without_directives<'t, 'a>(it: &'t ast::FunctionBody<'a>) -> Option<&'t [Statement<'a>]> {
    it.directives.is_empty().then_some(it.statements.as_slice())
}

fn scope_around(it: &ast::Function<'_>, scoping: &Scoping) -> Option<ScopeId> {
    scoping.scope_parent_id(it.scope_id.get()?)
}

/// The function in `return function …;` or `function name … return name;`.
fn returned_function<'t, 'a>(
    statements: &'t [Statement<'a>],
    scoping: &Scoping,
) -> Option<&'t ast::Function<'a>> {
    match statements {
        [Statement::ReturnStatement(it)] => match it.argument.as_ref()?.without_parentheses() {
            Expression::FunctionExpression(it) => Some(it),
            _ => None,
        },
        [Statement::FunctionDeclaration(function), Statement::ReturnStatement(it)] => {
            let Expression::Identifier(name) = it.argument.as_ref()? else { return None };
            let symbol = function.id.as_ref()?.symbol_id.get()?;
            (symbol_of(name, scoping) == Some(symbol)).then_some(function)
        }
        _ => None,
    }
}

/// The function that `name.apply(this, arguments)` calls.
fn applied(it: &Expression<'_>, scoping: &Scoping) -> Option<SymbolId> {
    let Expression::CallExpression(call) = it else { return None };
    let Expression::StaticMemberExpression(callee) = &call.callee else { return None };
    let Expression::Identifier(object) = &callee.object else { return None };
    let [this, arguments] = call.arguments.as_slice() else { return None };
    let is_whole = matches!(this, Argument::ThisExpression(_))
        && matches!(arguments, Argument::Identifier(it)
            if it.name == "arguments" && symbol_of(it, scoping).is_none());
    (is_whole && callee.property.name == "apply" && !call.optional)
        .then(|| symbol_of(object, scoping))
        .flatten()
}

/// Text that goes to another place, once everything inside it is written.
#[derive(Debug)]
pub(crate) enum Move {
    /// The function that a front and a back are.
    Pair { front: Front, back: Span, params: Span, body: Span },
    /// Parameters that go back to the function around.
    Params { from: Span, to: Span },
    /// What an async function is called with, behind it.
    Call { this: Span, arguments: Option<Span>, to: Span },
}

impl Move {
    /// Where what it is made of stands.
    pub(crate) fn region(&self) -> Span {
        match self {
            Self::Pair { back, .. } => *back,
            Self::Params { from, .. } => *from,
            Self::Call { this, arguments, .. } => arguments.map_or(*this, |it| this.merge(it)),
        }
    }

    /// Writes it.
    pub(crate) fn write(&self, patch: &mut Patch) {
        match self {
            Self::Pair { front, back, params, body } => {
                let name = front.name.as_ref().map_or(String::new(), |it| format!(" {it}"));
                let params = patch.render(*params);
                let body = patch.render(*body);
                patch.replace(front.span, rope!["async function", name, params, " ", body]);
                patch.replace(*back, "");
            }
            Self::Params { from, to } => {
                let text = patch.render(*from);
                patch.replace(*to, text);
            }
            Self::Call { this, arguments, to } => {
                let this = patch.render(*this);
                let text = match arguments {
                    Some(it) => rope![").apply(", this, ", ", patch.render(*it), ")"],
                    None => rope![").call(", this, ")"],
                };
                patch.replace(*to, text);
            }
        }
    }
}

/// The functions of a file that only call another, by what they call.
pub(crate) fn fronts(
    program: &ast::Program<'_>,
    facts: &Facts,
    scoping: &Scoping,
) -> FxHashMap<SymbolId, Vec<Front>> {
    let mut fronts = Fronts { facts, scoping, found: FxHashMap::default() };
    fronts.visit_program(program);
    fronts.found
}

/// Finds the functions that only call another.
struct Fronts<'x> {
    facts: &'x Facts,
    scoping: &'x Scoping,
    found: FxHashMap<SymbolId, Vec<Front>>,
}

impl<'a> Visit<'a> for Fronts<'_> {
    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        if let (true, Some(front)) = (it.is_declaration(), front(it, self.facts, self.scoping)) {
            self.found.entry(front.calls).or_default().push(front);
        }
        walk::walk_function(self, it, flags);
    }
}
