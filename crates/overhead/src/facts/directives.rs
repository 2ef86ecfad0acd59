//! What the directives of a file demand of what it exports.

use oxc_ast::ast;
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;

use super::Facts;

/// Directives of files that demand nothing of functions, being for the engine or saying where the file runs.
const DEMANDING_NOTHING: [&str; 4] = ["use strict", "use asm", "use client", crate::DIRECTIVE];

impl Facts {
    /// Notes the statements whose functions have to stay async: those that export something, in a file with a
    /// directive that a tool looks for. Under `"use server"` and `"use cache"`, that refuses other functions.
    pub(crate) fn note_directives(&mut self, program: &ast::Program<'_>) {
        let demands = |it: &ast::Directive<'_>| !DEMANDING_NOTHING.contains(&it.directive.as_str());
        if !program.directives.iter().any(demands) {
            return;
        }
        let exports = program.body.iter().filter(|it| self.exports(it));
        self.stays_async = exports.map(GetSpan::span).collect();
    }

    fn exports(&self, statement: &ast::Statement<'_>) -> bool {
        let is_exported = |id: Option<SymbolId>| id.is_some_and(|it| self.exported.contains(&it));
        match statement {
            ast::Statement::FunctionDeclaration(it) => {
                is_exported(it.id.as_ref().and_then(|it| it.symbol_id.get()))
            }
            ast::Statement::VariableDeclaration(it) => {
                let ids = it.declarations.iter().flat_map(|it| it.id.get_binding_identifiers());
                ids.into_iter().any(|it| is_exported(it.symbol_id.get()))
            }
            it => it.is_module_declaration(),
        }
    }

    /// The functions that have the directive.
    pub(crate) fn asking(&self) -> impl Iterator<Item = usize> {
        (0..self.functions.len()).filter(|it| self.functions[*it].asks)
    }

    /// Whether a function becomes what it asks for, whatever is chosen. In a program that is known as a whole, those that
    /// are awaited at once get a fast form instead: that stays within the calls that the call graph knows, so
    /// it need not count how deep all others are.
    pub(crate) fn is_asked(&self, function: usize) -> bool {
        !self.shares_depth && self.functions[function].asks
    }

    /// Whether a function has to stay async, whatever it asks for.
    pub(crate) fn stays_async(&self, function: usize) -> bool {
        let it = &self.functions[function];
        let at = self.stays_async.partition_point(|part| part.end < it.span.end);
        let around = self.stays_async.get(at);
        it.parent.is_none() && around.is_some_and(|part| crate::carry::contains(*part, it.span))
    }
}
