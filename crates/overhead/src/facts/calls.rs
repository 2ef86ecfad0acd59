//! Whom functions call, and what they return of it.

use oxc_ast::ast;
use oxc_span::GetSpan;

use super::Call;
use super::collect::Collector;

impl Collector<'_> {
    pub(super) fn note_async(&mut self, is_async: bool) {
        if let Some(&index) = self.stack.last() {
            self.facts.functions[index].is_async = is_async;
        }
    }

    /// Notes what a function calls: of `f.call(…)`, also `f`.
    pub(super) fn called(&mut self, callee: &ast::Expression<'_>) {
        let symbol = match callee {
            ast::Expression::Identifier(it) => {
                it.reference_id.get().and_then(|it| self.scoping.get_reference(it).symbol_id())
            }
            _ => None,
        };
        let object = callee.as_member_expression().map(|it| it.object());
        let Some(name) = last_name(callee) else { return };
        if let Some(object) = object.filter(|_| ["call", "apply"].contains(&name.as_str())) {
            self.called(object);
        }
        if let Some(&index) = self.stack.last() {
            let is_super = object.is_some_and(ast::Expression::is_super);
            self.facts.functions[index].calls.push(Call { name, symbol, is_super });
        }
    }

    /// Notes what an async function calls and returns.
    pub(super) fn returns(&mut self, it: &ast::Expression<'_>) {
        if !self.stack.last().is_some_and(|&index| self.facts.functions[index].is_async) {
            return;
        }
        match it.get_inner_expression() {
            ast::Expression::ConditionalExpression(it) => {
                self.returns(&it.consequent);
                self.returns(&it.alternate);
            }
            ast::Expression::LogicalExpression(it) => {
                self.returns(&it.left);
                self.returns(&it.right);
            }
            ast::Expression::SequenceExpression(it) => {
                it.expressions.last().into_iter().for_each(|it| self.returns(it));
            }
            ast::Expression::CallExpression(it) => {
                let name = match it.callee.as_member_expression() {
                    // `f.call(…)`, or a method of an object that is not known.
                    Some(it) if !is_own(it.object()) => last_name(it.object()),
                    _ => last_name(&it.callee),
                };
                self.facts.returned.extend(name);
                let callee = it.callee.get_inner_expression().span();
                self.facts.returned_at.insert((callee.start, callee.end));
            }
            _ => {}
        }
    }
}

/// `this` or `super`.
fn is_own(object: &ast::Expression<'_>) -> bool {
    matches!(object, ast::Expression::ThisExpression(_) | ast::Expression::Super(_))
}

/// The last name of what is called.
fn last_name(callee: &ast::Expression<'_>) -> Option<String> {
    match callee.get_inner_expression() {
        ast::Expression::Identifier(it) => Some(it.name.to_string()),
        callee => match callee.as_member_expression()? {
            ast::MemberExpression::PrivateFieldExpression(it) => Some(it.field.name.to_string()),
            member => member.static_property_name().map(str::to_owned),
        },
    }
}
