//! Calls of methods whose promise is awaited at once: the fast method is called, if there is one.

use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::Visit;
use oxc_semantic::ScopeFlags;
use oxc_span::GetSpan;

use super::Lowerer;
use crate::guard::{applied, fast_of};
use crate::rope::{Rope, rope};

impl Lowerer<'_> {
    /// Guards the calls whose promise is that of the expression.
    pub(super) fn guard(&mut self, it: &Expression<'_>) {
        match it {
            Expression::CallExpression(it) => self.guard_call(it),
            Expression::ParenthesizedExpression(it) => self.guard(&it.expression),
            Expression::TSAsExpression(it) => self.guard(&it.expression),
            Expression::TSSatisfiesExpression(it) => self.guard(&it.expression),
            Expression::TSNonNullExpression(it) => self.guard(&it.expression),
            Expression::ConditionalExpression(it) => {
                self.guard(&it.consequent);
                self.guard(&it.alternate);
            }
            Expression::LogicalExpression(it) => self.guard(&it.right),
            _ => {}
        }
    }

    /// Guards the calls that a statement without an `await` returns the promises of.
    pub(super) fn guard_returns(&mut self, it: &ast::Statement<'_>) {
        Returns(self).visit_statement(it);
    }

    /// The method that a call calls, if it may have a fast one.
    pub(super) fn fast_member<'t, 'a>(
        &self,
        it: &'t ast::CallExpression<'a>,
    ) -> Option<&'t ast::StaticMemberExpression<'a>> {
        match &it.callee {
            Expression::StaticMemberExpression(member) => {
                let known = self.facts.guarded.contains(&member.property.span.start);
                (known && !it.optional && !member.optional).then_some(member)
            }
            _ => None,
        }
    }

    fn guard_call(&mut self, it: &ast::CallExpression<'_>) {
        let Some(member) = self.fast_member(it) else { return };
        if self.awaits_in_arguments(&it.arguments) {
            return;
        }
        let depth = self.depth;
        let (method, found) = (self.temp(), self.temp());
        let text = self.render(member.object.span());
        let (object, receiver) = match &member.object {
            Expression::Super(_) => (text, Rope::text("this")),
            object if self.is_stable(object) => (text.clone(), text),
            _ => {
                let holder = self.temp();
                let name = self.temp_name(holder);
                (rope!["(", name, " = ", text, ")"], Rope::text(name))
            }
        };
        let name = Rope::text(self.temp_name(method));
        let read = rope![&name, " = ", object, ".", member.property.name.as_str(), ", "];
        let target = fast_of(&read, &name, self.temp_name(found), &self.facts.fast_key);
        let text = applied(&target, &receiver, &it.arguments, self.edits);
        self.edits.replace(it.span, text);
        self.depth = depth;
    }
}

struct Returns<'l, 'x>(&'l mut Lowerer<'x>);

impl<'a> Visit<'a> for Returns<'_, '_> {
    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}
    fn visit_arrow_function_expression(&mut self, _: &ast::ArrowFunctionExpression<'a>) {}
    fn visit_class(&mut self, _: &ast::Class<'a>) {}

    fn visit_return_statement(&mut self, it: &ast::ReturnStatement<'a>) {
        if let Some(argument) = &it.argument {
            self.0.guard(argument);
        }
    }
}
