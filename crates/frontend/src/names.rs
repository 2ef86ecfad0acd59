//! What names mean. The parser's library resolves what stands in parameters and in the patterns of `catch` clauses
//! before it has seen what follows: a declaration further down, of a function around, is passed over for one outside
//! of that (`const x = 1; function f() { const g = (a = x) => a; var x = 2; }`), and one in the body is taken where
//! parameters do not see it (ECMA-262, 10.2.11 and 14.15.2).

use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, ScopeId, Scoping, SemanticBuilder, Stats, SymbolFlags, SymbolId};
use oxc_span::{GetSpan, Span};

/// The scopes, variables and references of a program; `sizes`: how many there are, about.
#[must_use]
pub fn resolve_names(program: &ast::Program<'_>, sizes: Option<Stats>) -> Scoping {
    resolved(program, sizes).0
}

/// A variable that a type names (`typeof item`; TypeScript Handbook, "Typeof Type Operator"), and where.
pub(crate) type TypeQuery = (SymbolId, Span);

/// What the types of a program have to do with its code.
#[derive(Default)]
pub(crate) struct TypeNames {
    /// The variables that types name.
    pub(crate) queries: Vec<TypeQuery>,
    /// Where types are declared: aliases and interfaces.
    pub(crate) declared: Vec<Span>,
}

/// The same, and what its types have to do with its code.
pub(crate) fn resolved(program: &ast::Program<'_>, sizes: Option<Stats>) -> (Scoping, TypeNames) {
    let builder = SemanticBuilder::new().with_build_nodes(false);
    let builder = match sizes {
        Some(sizes) => builder.with_stats(sizes),
        None => builder,
    };
    let scoping = builder.build(program).semantic.into_scoping();
    let mut heads =
        Heads { scoping, around: Vec::new(), in_query: false, types: TypeNames::default() };
    heads.visit_program(program);
    (heads.scoping, heads.types)
}

/// The heads of functions and of `catch` clauses that are being looked through.
struct Heads {
    scoping: Scoping,
    /// The scope of each, and where its parameters stand.
    around: Vec<(ScopeId, Span)>,
    /// Whether it is within `typeof …` of a type.
    in_query: bool,
    types: TypeNames,
}

impl Heads {
    fn within(&mut self, scope: Option<ScopeId>, span: Span, visit: impl FnOnce(&mut Self)) {
        let Some(scope) = scope else { return visit(self) };
        self.around.push((scope, span));
        visit(self);
        self.around.pop();
    }

    fn is_parameter(&self, symbol: SymbolId, span: Span) -> bool {
        let declared = self.scoping.symbol_span(symbol);
        span.start <= declared.start && declared.end <= span.end
    }

    /// The variable that a name in a head means, found from its scope outwards.
    fn meaning(&self, it: &ast::IdentifierReference<'_>, from: ScopeId) -> Option<SymbolId> {
        let mut scope = Some(from);
        while let Some(at) = scope {
            let found = self.scoping.get_binding(at, it.name);
            let is_value =
                |it: &SymbolId| self.scoping.symbol_flags(*it).can_be_referenced_by_value();
            let head = self.around.iter().find(|(of, _)| *of == at);
            let is_seen =
                |it: &SymbolId| head.is_none_or(|(_, span)| self.is_parameter(*it, *span));
            if let Some(symbol) = found.filter(|it| is_value(it) && is_seen(it)) {
                return Some(symbol);
            }
            scope = self.scoping.scope_parent_id(at);
        }
        None
    }
}

impl<'a> Visit<'a> for Heads {
    fn visit_function(&mut self, it: &ast::Function<'a>, _: ScopeFlags) {
        let params = |heads: &mut Self| heads.visit_formal_parameters(&it.params);
        self.within(it.scope_id.get(), it.params.span, params);
        if let Some(body) = &it.body {
            self.visit_function_body(body);
        }
    }

    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        let params = |heads: &mut Self| heads.visit_formal_parameters(&it.params);
        self.within(it.scope_id.get(), it.params.span, params);
        self.visit_arrow_function_body(&it.body);
    }

    fn visit_catch_clause(&mut self, it: &ast::CatchClause<'a>) {
        if let Some(param) = &it.param {
            let visit = |heads: &mut Self| heads.visit_catch_parameter(param);
            self.within(it.scope_id.get(), param.span(), visit);
        }
        self.visit_block_statement(&it.body);
    }

    fn visit_ts_type_alias_declaration(&mut self, it: &ast::TSTypeAliasDeclaration<'a>) {
        self.types.declared.push(it.span);
        walk::walk_ts_type_alias_declaration(self, it);
    }

    fn visit_ts_interface_declaration(&mut self, it: &ast::TSInterfaceDeclaration<'a>) {
        self.types.declared.push(it.span);
        walk::walk_ts_interface_declaration(self, it);
    }

    fn visit_ts_type_query(&mut self, it: &ast::TSTypeQuery<'a>) {
        let around = std::mem::replace(&mut self.in_query, true);
        walk::walk_ts_type_query(self, it);
        self.in_query = around;
    }

    fn visit_identifier_reference(&mut self, it: &ast::IdentifierReference<'a>) {
        walk::walk_identifier_reference(self, it);
        let named = it.reference_id.get().filter(|_| self.in_query);
        if let Some(symbol) = named.and_then(|id| self.scoping.get_reference(id).symbol_id()) {
            self.types.queries.push((symbol, it.span));
        }
        let Some(id) = it.reference_id.get().filter(|_| !self.around.is_empty()) else { return };
        let reference = self.scoping.get_reference(id);
        let (Some(before), true) = (reference.symbol_id(), reference.flags().is_value()) else {
            return;
        };
        // Those of a `catch` clause are kept with its body.
        let is_caught = self.scoping.symbol_flags(before).contains(SymbolFlags::CatchVariable);
        if is_caught && self.around.iter().any(|(_, span)| self.is_parameter(before, *span)) {
            return;
        }
        let Some(meant) = self.meaning(it, reference.scope_id()).filter(|it| *it != before) else {
            return;
        };
        self.scoping.delete_resolved_reference(before, id);
        self.scoping.get_reference_mut(id).set_symbol_id(meant);
        self.scoping.add_resolved_reference(meant, id);
    }
}
