//! Which functions of a file run in an atomic block and nowhere else (`docs/atomic.md`).
//!
//! Inside a block no other task goes on, so what waits for nothing need not let others go first: continuations
//! of a block may be fused, also where all other ticks are kept (paper 5, Continuation Fusion).
//!
//! Purpose: the bodies that are handed to `atomic`. Input: the syntax tree with its names resolved. Output:
//! indexes of functions in the facts. A body by its name counts where that is mentioned as a body only.

use oxc_ast::ast::{self, Argument, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{Scoping, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Binding, Sites};
use crate::facts::Facts;

/// The package whose `atomic` makes blocks.
const PACKAGE: &str = "headstart-activities";

/// Whether a text may make blocks at all.
pub(crate) fn may_have(text: &str) -> bool {
    text.contains(PACKAGE)
}

/// The functions that run in blocks only.
pub(super) fn functions(
    program: &ast::Program<'_>,
    (scoping, facts, sites): (&Scoping, &Facts, &Sites),
) -> FxHashSet<usize> {
    let mut names = Names { scoping, of: FxHashMap::default() };
    names.visit_program(program);
    let mut bodies = Bodies { names: &names, literals: Vec::new(), named: FxHashMap::default() };
    bodies.visit_program(program);
    let literals = bodies.literals.iter().filter_map(|it| facts.by_span.get(&(it.start, it.end)));
    let is_body_only = |symbol: SymbolId| {
        let handed = bodies.named.get(&symbol).map_or(0, Vec::len);
        handed > 0 && facts.mentions(symbol).count() == handed && !sites.exported.contains(&symbol)
    };
    let named = sites.candidates.iter().filter(|(_, it)| match it.binding {
        Binding::Declaration(symbol) | Binding::Declarator { symbol, .. } => {
            is_body_only(symbol) && !scoping.symbol_is_mutated(symbol) && !sites.shares_globals
        }
        _ => false,
    });
    literals.copied().chain(named.map(|it| *it.0)).collect()
}

/// What a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// `atomic` itself.
    Atomic,
    /// All that the package exports.
    Package,
}

/// What variables get of the package.
struct Names<'x> {
    scoping: &'x Scoping,
    of: FxHashMap<SymbolId, Meaning>,
}

impl Names<'_> {
    fn note(&mut self, it: &ast::BindingIdentifier<'_>, meaning: Meaning) {
        let symbol = it.symbol_id.get().filter(|it| !self.scoping.symbol_is_mutated(*it));
        self.of.extend(symbol.map(|it| (it, meaning)));
    }

    /// What a call makes a block with.
    fn makes_block(&self, callee: &Expression<'_>) -> bool {
        match callee.get_inner_expression() {
            Expression::Identifier(it) => self.meaning(it) == Some(Meaning::Atomic),
            Expression::StaticMemberExpression(it) => {
                it.property.name == "atomic"
                    && matches!(&it.object, Expression::Identifier(it)
                        if self.meaning(it) == Some(Meaning::Package))
            }
            _ => false,
        }
    }

    fn meaning(&self, it: &ast::IdentifierReference<'_>) -> Option<Meaning> {
        let symbol = self.scoping.get_reference(it.reference_id.get()?).symbol_id()?;
        self.of.get(&symbol).copied()
    }
}

impl<'a> Visit<'a> for Names<'_> {
    fn visit_import_declaration(&mut self, it: &ast::ImportDeclaration<'a>) {
        if it.source.value != PACKAGE {
            return;
        }
        for specifier in it.specifiers.iter().flatten() {
            match specifier {
                ast::ImportDeclarationSpecifier::ImportSpecifier(it)
                    if it.imported.name() == "atomic" =>
                {
                    self.note(&it.local, Meaning::Atomic);
                }
                ast::ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => {
                    self.note(&it.local, Meaning::Package);
                }
                _ => {}
            }
        }
    }

    fn visit_variable_declarator(&mut self, it: &ast::VariableDeclarator<'a>) {
        walk::walk_variable_declarator(self, it);
        let Some(Expression::CallExpression(call)) = &it.init else { return };
        let package = matches!(call.arguments.first(), Some(Argument::StringLiteral(it)) if it.value == PACKAGE);
        if !package || !call.callee.is_specific_id("require") {
            return;
        }
        if let Some(name) = it.id.get_binding_identifier() {
            self.note(name, Meaning::Package);
        }
        if let ast::BindingPattern::ObjectPattern(pattern) = &it.id {
            for property in &pattern.properties {
                let name = property.value.get_binding_identifier();
                if let (Some(name), true) = (name, property.key.is_specific_static_name("atomic")) {
                    self.note(name, Meaning::Atomic);
                }
            }
        }
    }
}

/// What is handed to `atomic`.
struct Bodies<'x> {
    names: &'x Names<'x>,
    /// Functions that stand there.
    literals: Vec<Span>,
    /// Where variables stand there.
    named: FxHashMap<SymbolId, Vec<Span>>,
}

impl<'a> Visit<'a> for Bodies<'_> {
    fn visit_call_expression(&mut self, it: &ast::CallExpression<'a>) {
        if self.names.makes_block(&it.callee)
            && let Some(body) = it.arguments.first().and_then(Argument::as_expression)
        {
            match body.get_inner_expression() {
                Expression::Identifier(it) => {
                    let reference = it.reference_id.get();
                    let symbol =
                        reference.and_then(|it| self.names.scoping.get_reference(it).symbol_id());
                    if let Some(symbol) = symbol {
                        self.named.entry(symbol).or_default().push(it.span);
                    }
                }
                body if body.is_function() => self.literals.push(body.span()),
                _ => {}
            }
        }
        walk::walk_call_expression(self, it);
    }
}
