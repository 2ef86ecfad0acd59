//! What declarations mean: whose variables they are, where names are known besides the block that declares them,
//! and where they have no value.

use oxc_ast::ast;
use oxc_semantic::{Scoping, SymbolId};
use oxc_span::{GetSpan, Span};

use super::collect::Collector;
use super::{Facts, VarDeclaration, is_root};
use crate::carry::contains;

impl Collector<'_> {
    /// Notes whether the function that is entered is declared in a block of sloppy code, or by a branch without
    /// one: if it is not async, it is hoisted out of that (ECMA-262, B.3.2 and B.3.3).
    pub(super) fn note_block(&mut self, it: &ast::Function<'_>, is_branch: bool) {
        let around = it.scope_id.get().and_then(|it| self.scoping.scope_parent_id(it));
        let in_sloppy_block = is_branch
            || around.is_some_and(|around| {
                let flags = self.scoping.scope_flags(around);
                !flags.is_var() && !flags.is_strict_mode()
            });
        if let Some(function) = self.facts.functions.last_mut() {
            function.in_sloppy_block = in_sloppy_block;
        }
        if let (true, Some(id)) = (in_sloppy_block && !it.r#async && !it.generator, &it.id) {
            self.facts.leaking.insert(id.name.to_string());
        }
    }

    /// Notes what a `var` declares.
    pub(super) fn note_vars(&mut self, it: &ast::VariableDeclaration<'_>, in_head: bool) {
        let names = it.declarations.iter().flat_map(|it| it.id.get_binding_identifiers());
        self.facts.vars.push(VarDeclaration {
            span: it.span,
            symbols: names.filter_map(|id| Some((id.symbol_id.get()?, id.span))).collect(),
            types: it.declarations.iter().filter_map(annotation).collect(),
            takes_apart: it.declarations.iter().any(|it| it.id.is_object_pattern()),
            in_head,
            opens_array: it
                .declarations
                .first()
                .is_some_and(|it| it.id.is_array_pattern() && it.init.is_some()),
        });
    }

    /// What a loop goes over knows the variables of its head, though they never have a value there
    /// (ECMA-262, 14.7.5.12 ForIn/OfHeadEvaluation).
    pub(super) fn note_head(&mut self, left: &ast::ForStatementLeft<'_>, right: Span) {
        let ast::ForStatementLeft::VariableDeclaration(it) = left else { return };
        if it.kind.is_var() {
            return;
        }
        let declared = it.declarations.iter().flat_map(|it| it.id.get_binding_identifiers());
        self.note_mentioned(declared, right);
    }

    /// A default in the pattern of a `catch` clause knows the names of the pattern, which may have no value yet.
    pub(super) fn note_caught(&mut self, param: &ast::CatchParameter<'_>) {
        self.note_mentioned(param.pattern.get_binding_identifiers().into_iter(), param.span);
    }

    /// Notes the variable that a type is the one of, or that holds what it is the one of.
    pub(super) fn note_queried(&mut self, it: &ast::TSTypeQueryExprName<'_>) {
        let mut name = match it {
            ast::TSTypeQueryExprName::QualifiedName(it) => &it.left,
            ast::TSTypeQueryExprName::IdentifierReference(it) => return self.note_queried_name(it),
            _ => return,
        };
        while let ast::TSTypeName::QualifiedName(it) = name {
            name = &it.left;
        }
        if let ast::TSTypeName::IdentifierReference(it) = name {
            self.note_queried_name(it);
        }
    }

    fn note_queried_name(&mut self, it: &ast::IdentifierReference<'_>) {
        let reference = it.reference_id.get().map(|it| self.scoping.get_reference(it));
        if let Some(symbol) = reference.and_then(|it| it.symbol_id()) {
            self.facts.queried.entry(symbol).or_default().push(it.span.start);
        }
    }

    /// Notes those of some variables that are mentioned in a part of the text where they may have no value.
    fn note_mentioned<'b, 'c: 'b>(
        &mut self,
        declared: impl Iterator<Item = &'b ast::BindingIdentifier<'c>>,
        part: Span,
    ) {
        for symbol in declared.filter_map(|it| it.symbol_id.get()) {
            if self.facts.mentions(symbol).any(|it| contains(part, it.span)) {
                self.facts.in_own_head.insert(symbol);
            }
        }
    }
}

impl Facts {
    /// Whether a part of the text stands in a namespace of TypeScript, or in an enum.
    pub(super) fn is_in_namespace(&self, part: Span) -> bool {
        self.namespaces.iter().any(|it| contains(*it, part))
    }
}

/// What TypeScript adds to the name of a variable.
fn annotation(it: &ast::VariableDeclarator<'_>) -> Option<Span> {
    let annotation = it.type_annotation.as_ref()?;
    Some(Span::new(it.id.span().end, annotation.span.end))
}

/// The function whose variable a symbol is. The name of a declared function belongs to the
/// function around it, that of a function expression to itself.
pub(super) fn owner_of(
    scoping: &Scoping,
    symbol: SymbolId,
    stack: &[usize],
    declares_function: bool,
) -> Option<usize> {
    if !declares_function {
        // `var` may stand in blocks; all scopes between are the same function's.
        return stack.last().copied().filter(|_| !is_root(scoping, symbol));
    }
    let outer = stack.len().checked_sub(2).map(|at| stack[at]);
    outer.filter(|_| !is_root(scoping, symbol))
}
