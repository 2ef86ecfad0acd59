//! Assignments and object literals.

use oxc_ast::ast::{self, AssignmentOperator, AssignmentTarget, Expression};
use oxc_span::GetSpan;

use super::expr::unknown;
use super::{Lowered, Lowerer, UNTYPED, Unsupported};
use crate::plan::Node;
use crate::rope::rope;

impl Lowerer<'_> {
    /// An assignment with an `await` in it.
    pub(super) fn assignment(
        &mut self,
        it: &ast::AssignmentExpression<'_>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        self.target(&it.left, it.operator != AssignmentOperator::Assign, out)?;
        if !self.awaits_in(it.right.span()) {
            return Ok(());
        }
        if it.operator == AssignmentOperator::Assign {
            return self.expression(&it.right, out);
        }
        let left = self.render(it.left.span());
        let temp = self.temp();
        out.push(self.assign_temp(temp, &left));
        let name = self.temp_name(temp).to_owned();
        if it.operator.is_logical() {
            let test = match it.operator {
                AssignmentOperator::LogicalAnd => rope![&name],
                AssignmentOperator::LogicalOr => rope!["!", &name],
                _ => rope![&name, " === null || ", &name, " === void 0"],
            };
            let mut then = self.assign_to_temp(&it.right, temp)?;
            then.push(Node::Raw(rope![left, " = ", &name, ";"]));
            out.push(Node::If { test, then, otherwise: Vec::new() });
            self.leave_temp(it.span, temp);
            return Ok(());
        }
        self.expression(&it.right, out)?;
        let operator = it.operator.as_str().trim_end_matches('=');
        let right = self.render(it.right.span());
        self.edits
            .replace(it.span, rope!["(", left, " = ", name, " ", operator, " (", right, "))"]);
        Ok(())
    }

    /// Evaluates what an assignment target evaluates before the value is. `read`: the target is
    /// read, too.
    fn target(&mut self, it: &AssignmentTarget<'_>, read: bool, out: &mut Vec<Node>) -> Lowered {
        match it {
            AssignmentTarget::AssignmentTargetIdentifier(_) => Ok(()),
            AssignmentTarget::StaticMemberExpression(it) => self.kept(&it.object, out),
            AssignmentTarget::PrivateFieldExpression(it) => self.kept(&it.object, out),
            AssignmentTarget::ComputedMemberExpression(it) => {
                // A key that is read and written is made a property key only once.
                if read && !is_plain_key(&it.expression) {
                    return Err(unknown());
                }
                self.kept(&it.object, out)?;
                self.kept(&it.expression, out)
            }
            AssignmentTarget::ArrayAssignmentTarget(_)
            | AssignmentTarget::ObjectAssignmentTarget(_)
                if !self.awaits_in(it.span()) =>
            {
                Ok(())
            }
            _ => Err(unknown()),
        }
    }

    fn kept(&mut self, it: &Expression<'_>, out: &mut Vec<Node>) -> Lowered {
        if self.evolves(it) && !self.is_stable(it) {
            return Err(Unsupported(UNTYPED));
        }
        self.expression(it, out)?;
        self.keep(it, out);
        Ok(())
    }

    /// An object literal.
    pub(super) fn object(
        &mut self,
        it: &ast::ObjectExpression<'_>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        let last = it.properties.iter().rposition(|it| self.awaits_in(it.span())).unwrap_or(0);
        for (index, property) in it.properties.iter().enumerate().take(last + 1) {
            match property {
                ast::ObjectPropertyKind::SpreadProperty(it) => {
                    self.expression(&it.argument, out)?;
                    if index < last {
                        let temp = self.temp();
                        let copy = rope!["{...", self.render(it.argument.span()), "}"];
                        out.push(self.assign_temp(temp, &copy));
                        self.leave_temp(it.argument.span(), temp);
                    }
                }
                ast::ObjectPropertyKind::ObjectProperty(it) => {
                    if it.computed {
                        // The key is made a property key before the value is evaluated.
                        return Err(unknown());
                    }
                    if it.shorthand {
                        if index < last {
                            self.keep_shorthand(it, out);
                        }
                        continue;
                    }
                    if index < last && super::takes_name(&it.value) {
                        // It gets its name from the key.
                        if !self.is_stable(&it.value) {
                            return Err(unknown());
                        }
                        continue;
                    }
                    self.expression(&it.value, out)?;
                    if index < last {
                        self.keep(&it.value, out);
                    }
                }
            }
        }
        Ok(())
    }

    fn keep_shorthand(&mut self, it: &ast::ObjectProperty<'_>, out: &mut Vec<Node>) {
        if self.is_stable(&it.value) {
            return;
        }
        let key = it.key.static_name().unwrap_or_default().to_string();
        let temp = self.temp();
        // In the place of a variable in a box its key stands, too.
        let value = self.render(it.value.span()).without_start(&format!("{key}: "));
        out.push(self.assign_temp(temp, &value));
        let name = self.temp_name(temp).to_owned();
        self.edits.replace(it.span, rope![key, ": ", name]);
    }
}

/// Whether a key is the same however often it is made a property key.
fn is_plain_key(it: &Expression<'_>) -> bool {
    matches!(
        it.get_inner_expression(),
        Expression::StringLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::UpdateExpression(_)
    )
}
