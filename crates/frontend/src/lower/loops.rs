//! Loops with a head: `for`, `for … in`, `for … of`, `for await`.

use headstart_ir::{Inst, InstId, LoopHead, LoopKind, LoopOver, Span, StmtKind};
use oxc_ast::ast::{self, Expression, Statement};
use oxc_span::GetSpan;
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, UpdateOperator};

use super::assign::pattern_shape;
use super::expr::index;
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
        let head = self.positions(it, test).map(Box::new);
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
        StmtKind::Loop { kind, body, head }
    }

    /// `let i = 0; i < items.length; i++`, `let i = 1; i <= count; i++`, where the test has become the
    /// instruction `test`.
    fn positions(&self, it: &ast::ForStatement<'_>, test: InstId) -> Option<LoopHead> {
        let Counted { declaration, first, is_last, bound } = counted(it)?;
        let pattern = &declaration.declarations.first()?.id;
        let Inst::Operator { right, .. } = self.ir.inst(test) else { return None };
        let list = length_of(bound).filter(|_| first == 0 && !is_last);
        let (over, items, span) = match (list, self.ir.inst(right)) {
            (Some(list), Inst::Get { object, .. }) => (LoopOver::Positions, object, list.span()),
            _ => (LoopOver::Numbers { first, is_last }, right, bound.span()),
        };
        Some(LoopHead {
            over,
            span: Span::new(declaration.span.start, it.update.as_ref()?.span().end),
            keyword: decl_kind(declaration.kind),
            pattern: convert(pattern.span()),
            shape: pattern_shape(pattern),
            items,
            items_span: convert(span),
        })
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
        let head = head(kind, left, right, value).map(Box::new);
        StmtKind::Loop { kind, body: block, head }
    }
}

/// The head of a loop that counts by one.
struct Counted<'s, 'a> {
    declaration: &'s ast::VariableDeclaration<'a>,
    /// The first number.
    first: u8,
    /// Whether the bound is the last number.
    is_last: bool,
    /// What is compared with.
    bound: &'s Expression<'a>,
}

/// `let i = 0; i < count; i++` and its like.
fn counted<'s, 'a>(it: &'s ast::ForStatement<'a>) -> Option<Counted<'s, 'a>> {
    let Some(ast::ForStatementInit::VariableDeclaration(declaration)) = &it.init else {
        return None;
    };
    let [declarator] = declaration.declarations.as_slice() else { return None };
    let name = declarator.id.get_binding_identifier()?.name.as_str();
    let is_name =
        |it: &Expression<'_>| it.get_identifier_reference().is_some_and(|it| it.name == name);
    let Some(Expression::NumericLiteral(first)) = &declarator.init else { return None };
    let Some(Expression::BinaryExpression(test)) = &it.test else { return None };
    let is_last = match test.operator {
        BinaryOperator::LessThan => false,
        BinaryOperator::LessEqualThan => true,
        _ => return None,
    };
    let by_one = match it.update.as_ref()? {
        Expression::UpdateExpression(update) => {
            update.operator == UpdateOperator::Increment
                && update.argument.get_identifier_name() == Some(name)
        }
        Expression::AssignmentExpression(update) => {
            update.operator == AssignmentOperator::Addition
                && matches!(&update.left, ast::AssignmentTarget::AssignmentTargetIdentifier(it) if it.name == name)
                && matches!(&update.right, Expression::NumericLiteral(it) if it.value == 1.0)
        }
        _ => false,
    };
    let first = index(first.value)?;
    (by_one && is_name(&test.left)).then_some(Counted {
        declaration,
        first,
        is_last,
        bound: &test.right,
    })
}

/// The list of `list.length`, where that is a name, or a member of one.
fn length_of<'s, 'a>(it: &'s Expression<'a>) -> Option<&'s Expression<'a>> {
    let Expression::StaticMemberExpression(it) = it else { return None };
    let is_length = it.property.name == "length" && !it.optional && is_member_of_name(&it.object);
    is_length.then_some(&it.object)
}

/// `a`, `a.b`, `this.a.b`.
fn is_member_of_name(it: &Expression<'_>) -> bool {
    let mut it = it;
    while let Expression::StaticMemberExpression(member) = it {
        if member.optional {
            return false;
        }
        it = &member.object;
    }
    matches!(it, Expression::Identifier(_) | Expression::ThisExpression(_))
}

/// What a loop goes over, where it declares one pattern for each item.
fn head(
    kind: LoopKind,
    left: &ast::ForStatementLeft<'_>,
    right: &ast::Expression<'_>,
    items: InstId,
) -> Option<LoopHead> {
    let ast::ForStatementLeft::VariableDeclaration(declaration) = left else { return None };
    let [declarator] = declaration.declarations.as_slice() else { return None };
    // `for (const key in a, b)`, `for (var key = first() in object)`
    let is_odd = matches!(right, Expression::SequenceExpression(_)) || declarator.init.is_some();
    if is_odd {
        return None;
    }
    Some(LoopHead {
        over: if kind == LoopKind::ForIn { LoopOver::Keys } else { LoopOver::Values },
        span: Span::new(declaration.span.start, right.span().end),
        keyword: decl_kind(declaration.kind),
        pattern: convert(declarator.id.span()),
        shape: pattern_shape(&declarator.id),
        items,
        items_span: convert(right.span()),
    })
}
