//! Declarations of a block that holds a site: one declarator at a time.

use oxc_ast::ast;
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};

use super::{Lowered, Lowerer, Unsupported};
use crate::plan::{Declare, Node, Target};
use crate::rope::{Rope, rope};

impl Lowerer<'_> {
    /// `let`, `const` or `var`.
    pub(super) fn declaration(
        &mut self,
        it: &ast::VariableDeclaration<'_>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        if it.kind.is_using() {
            return Err(Unsupported("`using` beside an await"));
        }
        for declarator in &it.declarations {
            let depth = self.depth;
            self.position = declarator.span.start;
            self.declarator(it.kind, declarator, out)?;
            self.depth = depth;
        }
        Ok(())
    }

    fn declarator(
        &mut self,
        kind: ast::VariableDeclarationKind,
        it: &ast::VariableDeclarator<'_>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        if self.awaits_in(it.id.span()) {
            return Err(Unsupported("an await in a destructuring pattern"));
        }
        let boxes = symbols_of(&it.id).iter().any(|it| self.boxed.contains_key(it));
        if let (false, Some(symbol), Some(awaited)) = (
            kind.is_var() || boxes,
            it.id.get_binding_identifier().and_then(|id| id.symbol_id.get()),
            it.init.as_ref().and_then(awaited),
        ) {
            return self.await_into(awaited, Target::Variable(symbol), out);
        }
        if let Some(init) = &it.init {
            self.expression(init, out)?;
        }
        let init = it.init.as_ref().map(|init| self.render(init.span()));
        if kind.is_var() && boxes {
            if let Some(value) = init {
                out.push(Node::Raw(rope![self.render(it.id.span()), " = ", value, ";"]));
            }
        } else if kind.is_var() {
            let value = init.map(|it| rope![" = ", it]).unwrap_or_default();
            out.push(Node::Raw(rope!["var ", self.render(it.id.span()), value, ";"]));
        } else {
            self.push_declare(keyword(kind), it, init, out);
        }
        Ok(())
    }

    /// Declares what a declarator declares; what lives in boxes is only assigned.
    pub(super) fn push_declare(
        &self,
        keyword: &'static str,
        it: &ast::VariableDeclarator<'_>,
        init: Option<Rope>,
        out: &mut Vec<Node>,
    ) {
        let names = it.init.as_ref().is_some_and(super::takes_name);
        let symbol = it.id.get_binding_identifier().and_then(|id| id.symbol_id.get());
        let boxed = symbol.filter(|symbol| names && self.boxed.contains_key(symbol));
        let init = match (boxed, init) {
            // What is put into a box gets no name from it.
            (Some(symbol), Some(init)) => {
                let name = self.scoping.symbol_name(symbol);
                Some(rope!["{ ", name, ": ", init, " }.", name])
            }
            (_, init) => init,
        };
        self.push_declared(self.declare(keyword, it, init), out);
    }

    /// The same, of a declaration already made.
    pub(super) fn push_declared(&self, declare: Declare, out: &mut Vec<Node>) {
        if !declare.symbols.iter().any(|it| self.boxed.contains_key(it)) {
            out.push(Node::Declare(declare));
            return;
        }
        for &symbol in declare.symbols.iter().filter(|it| !self.boxed.contains_key(it)) {
            let name = Rope::text(self.scoping.symbol_name(symbol));
            out.push(Node::Declare(Declare {
                keyword: "let",
                symbols: vec![symbol],
                pattern: name.clone(),
                typed: name,
                init: None,
            }));
        }
        let value = declare.init.unwrap_or_else(|| "void 0".into());
        out.push(Node::Raw(rope!["(", declare.pattern, " = ", value, ");"]));
    }

    /// A declarator whose initial value has been rendered.
    pub(super) fn declare(
        &self,
        keyword: &'static str,
        it: &ast::VariableDeclarator<'_>,
        init: Option<Rope>,
    ) -> Declare {
        let pattern = self.render(it.id.span());
        let annotation = it.type_annotation.as_ref().map(|it| self.render(it.span));
        Declare {
            keyword,
            symbols: symbols_of(&it.id),
            typed: rope![&pattern, annotation.unwrap_or_default()],
            pattern,
            init,
        }
    }

    /// A class declaration.
    pub(super) fn class(&self, span: Span, name: Span, symbol: SymbolId) -> Node {
        if let Some(name) = self.boxed.get(&symbol) {
            return Node::Raw(rope![name, ".v = ", self.render(span), ";"]);
        }
        Node::Declare(Declare {
            keyword: "class",
            symbols: vec![symbol],
            pattern: self.render(name),
            typed: Rope::default(),
            init: Some(self.render(span)),
        })
    }
}

/// The `await` that an expression is, types aside.
fn awaited<'t, 'a>(expression: &'t ast::Expression<'a>) -> Option<&'t ast::AwaitExpression<'a>> {
    match expression.get_inner_expression() {
        ast::Expression::AwaitExpression(it) => Some(it),
        _ => None,
    }
}

pub(super) fn keyword(kind: ast::VariableDeclarationKind) -> &'static str {
    match kind {
        ast::VariableDeclarationKind::Var => "var",
        ast::VariableDeclarationKind::Let => "let",
        _ => "const",
    }
}

/// The variables that a pattern declares.
pub(super) fn symbols_of(pattern: &ast::BindingPattern<'_>) -> Vec<SymbolId> {
    pattern.get_binding_identifiers().iter().filter_map(|id| id.symbol_id.get()).collect()
}
