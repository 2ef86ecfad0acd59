//! Loops with a head: `for`, `for … in`, `for … of`, `for await`.

use headstart_ir::{Inst, InstId, LoopHead, LoopKind, StmtKind};
use oxc_ast::ast::{self, Statement};
use oxc_span::GetSpan;

use super::assign::pattern_shape;
use super::stmt::decl_kind;
use super::{Lowerer, convert};

impl<'a> Lowerer<'a> {
    pub(super) fn for_statement(&mut self, it: &'a ast::ForStatement<'a>) -> StmtKind {
        match &it.init {
            Some(ast::ForStatementInit::VariableDeclaration(declaration)) => {
                self.variable_declaration(declaration);
            }
            Some(init) => {
                if let Some(expression) = init.as_expression() {
                    self.expression(expression);
                }
            }
            None => {}
        }
        let test = match &it.test {
            Some(test) => self.expression(test),
            None => self.undefined(it.span),
        };
        let conditional = self.open(test, it.body.span());
        let body = self.body(&it.body);
        if let Some(update) = &it.update {
            self.expression(update);
        }
        self.close(conditional);
        if let Some(ast::ForStatementInit::VariableDeclaration(declaration)) = &it.init {
            self.dispose_of_head(declaration, it.body.span());
        }
        // Nothing counts up to an end: it is another way to write `while`.
        let is_while = it.test.is_none() || it.update.is_none();
        let kind = if is_while { LoopKind::While } else { LoopKind::For };
        StmtKind::Loop { kind, body, head: None }
    }

    /// What the head of a loop declares with `using` ends with its scope.
    fn dispose_of_head(
        &mut self,
        declaration: &ast::VariableDeclaration<'a>,
        span: oxc_span::Span,
    ) {
        if declaration.kind.is_using() {
            let suspends = declaration.kind == ast::VariableDeclarationKind::AwaitUsing;
            self.emit(Inst::Dispose { suspends }, span);
        }
    }

    /// `for (var key = first() in object)`: sloppy code may still say so (ECMA-262, B.3.5).
    fn head_initialiser(&mut self, declaration: &'a ast::VariableDeclaration<'a>) {
        for declarator in &declaration.declarations {
            if let Some(init) = &declarator.init {
                let value = self.expression(init);
                self.bind(&declarator.id, value);
            }
        }
    }

    pub(super) fn for_each(
        &mut self,
        kind: LoopKind,
        left: &'a ast::ForStatementLeft<'a>,
        right: &'a ast::Expression<'a>,
        body: &'a Statement<'a>,
    ) -> StmtKind {
        if let ast::ForStatementLeft::VariableDeclaration(declaration) = left {
            self.head_initialiser(declaration);
        }
        let value = self.expression(right);
        let inst = match kind {
            LoopKind::ForIn => Inst::EnumerateKeys(value),
            LoopKind::ForAwait => Inst::IterateAsync(value),
            _ => Inst::Iterate(value),
        };
        let item = self.emit(inst, left.span());
        let conditional = self.open(item, body.span());
        match left {
            ast::ForStatementLeft::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    self.bind(&declarator.id, item);
                }
            }
            _ => {
                if let Some(target) = left.as_assignment_target() {
                    self.assign_target(target, item);
                }
            }
        }
        let block = self.body(body);
        if let ast::ForStatementLeft::VariableDeclaration(declaration) = left {
            self.dispose_of_head(declaration, body.span());
        }
        self.close(conditional);
        StmtKind::Loop { kind, body: block, head: head(left, right, value).map(Box::new) }
    }
}

/// What a loop goes over, where it declares one pattern for each item.
fn head(
    left: &ast::ForStatementLeft<'_>,
    right: &ast::Expression<'_>,
    items: InstId,
) -> Option<LoopHead> {
    let ast::ForStatementLeft::VariableDeclaration(declaration) = left else { return None };
    let [declarator] = declaration.declarations.as_slice() else { return None };
    Some(LoopHead {
        keyword: decl_kind(declaration.kind),
        pattern: convert(declarator.id.span()),
        shape: pattern_shape(&declarator.id),
        items,
        items_span: convert(right.span()),
    })
}
