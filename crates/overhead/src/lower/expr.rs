//! Expressions: what stands in front of an `await` is evaluated first, and kept.
//!
//! Output guarantee: after [`Lowerer::expression`] the edits in the expression's span are what is
//! left of it: no `await`, and nothing that the statements put in front of it have evaluated.

use oxc_ast::ast::{self, Expression};
use oxc_span::GetSpan;
use oxc_syntax::operator::UnaryOperator;

use super::{Lowered, Lowerer, Unsupported};
use crate::plan::{Node, SiteKind, Target};
use crate::rope::rope;

impl Lowerer<'_> {
    /// Takes the awaits out of an expression.
    pub(super) fn expression(&mut self, it: &Expression<'_>, out: &mut Vec<Node>) -> Lowered {
        if !self.awaits_in(it.span()) {
            return Ok(());
        }
        self.inside(|this| this.taken_apart_expression(it, out))
    }

    fn taken_apart_expression(&mut self, it: &Expression<'_>, out: &mut Vec<Node>) -> Lowered {
        match it {
            Expression::AwaitExpression(it) => {
                let depth = self.depth;
                self.expression(&it.argument, out)?;
                // The operand's temporaries are done with when the value is there.
                self.depth = depth;
                let temp = self.temp();
                self.push_await(it, Target::Temp(temp), out);
                self.leave_temp(it.span, temp);
                Ok(())
            }
            Expression::ParenthesizedExpression(it) => self.expression(&it.expression, out),
            Expression::TSAsExpression(it) => self.expression(&it.expression, out),
            Expression::TSSatisfiesExpression(it) => self.expression(&it.expression, out),
            Expression::TSNonNullExpression(it) => self.expression(&it.expression, out),
            Expression::TSTypeAssertion(it) => self.expression(&it.expression, out),
            Expression::UnaryExpression(it) => self.unary(it, out),
            Expression::UpdateExpression(it) => match &it.argument {
                ast::SimpleAssignmentTarget::StaticMemberExpression(it) => {
                    self.expression(&it.object, out)
                }
                ast::SimpleAssignmentTarget::ComputedMemberExpression(it) => {
                    self.operands(&[&it.object, &it.expression], out)
                }
                _ => Err(unknown()),
            },
            Expression::BinaryExpression(it) => self.operands(&[&it.left, &it.right], out),
            Expression::StaticMemberExpression(it) if !it.optional => {
                self.expression(&it.object, out)
            }
            Expression::PrivateFieldExpression(it) if !it.optional => {
                self.expression(&it.object, out)
            }
            Expression::ComputedMemberExpression(it) if !it.optional => {
                self.operands(&[&it.object, &it.expression], out)
            }
            Expression::PrivateInExpression(it) => self.expression(&it.right, out),
            Expression::LogicalExpression(it) => self.logical(it, out),
            Expression::ConditionalExpression(it) => self.conditional(it, out),
            Expression::SequenceExpression(it) => self.sequence(it, out),
            Expression::TemplateLiteral(it) => self.template(it, out),
            Expression::ArrayExpression(it) => self.array(it, out),
            Expression::ObjectExpression(it) => self.object(it, out),
            Expression::AssignmentExpression(it) => self.assignment(it, out),
            Expression::CallExpression(it) => self.call(it, out),
            Expression::NewExpression(it) => self.new_expression(it, out),
            Expression::ChainExpression(it) => self.chain(it, out),
            Expression::ImportExpression(it) if it.options.is_none() => {
                self.expression(&it.source, out)
            }
            _ => Err(unknown()),
        }
    }

    /// `target = await …`
    pub(super) fn await_into(
        &mut self,
        it: &ast::AwaitExpression<'_>,
        target: Target,
        out: &mut Vec<Node>,
    ) -> Lowered {
        self.expression(&it.argument, out)?;
        self.push_await(it, target, out);
        Ok(())
    }

    /// The site of an `await` whose operand has no more `await` in it.
    fn push_await(&mut self, it: &ast::AwaitExpression<'_>, target: Target, out: &mut Vec<Node>) {
        self.guard(&it.argument, true);
        let operand = self.unnamed(&it.argument);
        let kind = if never_thenable(&it.argument) && !self.exact {
            SiteKind::Yield(operand)
        } else {
            SiteKind::Await(operand)
        };
        let site = self.site(kind, target);
        let is_raw = self.is_raw(&it.argument);
        let gives = if is_raw { self.gives(&it.argument) } else { None };
        if let Some(site) = self.plan.sites.last_mut() {
            site.is_raw = is_raw;
            site.gives = gives;
        }
        out.push(site);
    }

    /// `a && await b`: opened up.
    fn logical(&mut self, it: &ast::LogicalExpression<'_>, out: &mut Vec<Node>) -> Lowered {
        self.expression(&it.left, out)?;
        let left = self.unnamed(&it.left);
        if !self.awaits_in(it.right.span()) {
            return Ok(());
        }
        let temp = self.temp();
        out.push(self.assign_temp(temp, &left));
        let name = self.temp_name(temp).to_owned();
        let test = match it.operator {
            ast::LogicalOperator::And => rope![&name],
            ast::LogicalOperator::Or => rope!["!", &name],
            ast::LogicalOperator::Coalesce => rope![&name, " === null || ", &name, " === void 0"],
        };
        let then = self.assign_to_temp(&it.right, temp)?;
        out.push(Node::If { test, then, otherwise: Vec::new() });
        self.leave_temp(it.span, temp);
        Ok(())
    }

    fn conditional(&mut self, it: &ast::ConditionalExpression<'_>, out: &mut Vec<Node>) -> Lowered {
        self.expression(&it.test, out)?;
        if !self.awaits_in(it.consequent.span()) && !self.awaits_in(it.alternate.span()) {
            return Ok(());
        }
        let test = self.render(it.test.span());
        let temp = self.temp();
        let then = self.assign_to_temp(&it.consequent, temp)?;
        let otherwise = self.assign_to_temp(&it.alternate, temp)?;
        out.push(Node::If { test, then, otherwise });
        self.leave_temp(it.span, temp);
        Ok(())
    }

    /// Statements that evaluate an expression into a temporary.
    pub(super) fn assign_to_temp(
        &mut self,
        it: &Expression<'_>,
        temp: usize,
    ) -> Lowered<Vec<Node>> {
        let depth = self.depth;
        let mut out = Vec::new();
        if let Expression::AwaitExpression(awaited) = it.get_inner_expression() {
            self.await_into(awaited, Target::Temp(temp), &mut out)?;
        } else {
            self.expression(it, &mut out)?;
            out.push(self.assign_temp(temp, &self.unnamed(it)));
        }
        self.depth = depth;
        Ok(out)
    }

    fn unary(&mut self, it: &ast::UnaryExpression<'_>, out: &mut Vec<Node>) -> Lowered {
        self.expression(&it.argument, out)?;
        let operand = it.argument.get_inner_expression();
        let names_nothing =
            !operand.is_member_expression() && !matches!(operand, Expression::ChainExpression(_));
        if it.operator == UnaryOperator::Delete && names_nothing {
            // Strict code must not delete a variable, which is what a temporary is.
            let value = rope!["(0, ", self.render(it.argument.span()), ")"];
            self.edits.replace(it.argument.span(), value);
        }
        Ok(())
    }

    fn sequence(&mut self, it: &ast::SequenceExpression<'_>, out: &mut Vec<Node>) -> Lowered {
        let last = it.expressions.iter().rposition(|it| self.awaits_in(it.span())).unwrap_or(0);
        for (index, expression) in it.expressions.iter().enumerate().take(last + 1) {
            self.expression(expression, out)?;
            if index < it.expressions.len() - 1 {
                out.push(Node::Raw(rope!["(", self.render(expression.span()), ");"]));
            }
        }
        let first_left = if last < it.expressions.len() - 1 { last + 1 } else { last };
        let only = it.expressions.len() - first_left == 1;
        if only && self.leaves_temp(&it.expressions[first_left]) {
            let temp = self.render(it.expressions[first_left].get_inner_expression().span());
            self.edits.replace(it.span, temp);
            return Ok(());
        }
        // By itself, what is left could be what a method is called of, what is deleted, or what gets the
        // name of what it is assigned to.
        let mut rest = if only { rope!["(0, "] } else { rope!["("] };
        for (index, expression) in it.expressions[first_left..].iter().enumerate() {
            rest.push(if index > 0 { ", " } else { "" });
            rest.append(&self.render(expression.span()));
        }
        rest.push(")");
        self.edits.replace(it.span, rest);
        Ok(())
    }

    /// The parts of a template are made strings one after the other.
    fn template(&mut self, it: &ast::TemplateLiteral<'_>, out: &mut Vec<Node>) -> Lowered {
        let last = it.expressions.iter().rposition(|it| self.awaits_in(it.span())).unwrap_or(0);
        for (index, part) in it.expressions.iter().enumerate().take(last + 1) {
            self.expression(part, out)?;
            if index < last && !part.is_literal() {
                let temp = self.temp();
                let text = rope!["`${", self.render(part.span()), "}`"];
                out.push(self.assign_temp(temp, &text));
                self.leave_temp(part.span(), temp);
            }
        }
        Ok(())
    }

    fn array(&mut self, it: &ast::ArrayExpression<'_>, out: &mut Vec<Node>) -> Lowered {
        let last = it.elements.iter().rposition(|it| self.awaits_in(it.span())).unwrap_or(0);
        for (index, element) in it.elements.iter().enumerate().take(last + 1) {
            self.element(element.as_expression(), spread_element(element), index < last, out)?;
        }
        Ok(())
    }

    /// An element of an array or an argument of a call, spread or not.
    pub(super) fn element(
        &mut self,
        plain: Option<&Expression<'_>>,
        spread: Option<&ast::SpreadElement<'_>>,
        keep: bool,
        out: &mut Vec<Node>,
    ) -> Lowered {
        if let Some(spread) = spread {
            self.expression(&spread.argument, out)?;
            if keep {
                let temp = self.temp();
                let all = rope!["[...", self.render(spread.argument.span()), "]"];
                out.push(self.assign_temp(temp, &all));
                self.leave_temp(spread.argument.span(), temp);
            }
        } else if let Some(plain) = plain {
            self.expression(plain, out)?;
            if keep {
                self.keep(plain, out);
            }
        }
        Ok(())
    }
}

fn spread_element<'t, 'a>(
    it: &'t ast::ArrayExpressionElement<'a>,
) -> Option<&'t ast::SpreadElement<'a>> {
    match it {
        ast::ArrayExpressionElement::SpreadElement(it) => Some(it),
        _ => None,
    }
}

pub(super) fn unknown() -> Unsupported {
    Unsupported("an await in an expression of a kind that is not taken apart")
}

/// Whether awaiting this only ever yields: literals and the like.
pub(crate) fn never_thenable(it: &Expression<'_>) -> bool {
    let it = it.get_inner_expression();
    it.is_undefined()
        || it.is_void()
        || matches!(
            it,
            Expression::BooleanLiteral(_)
                | Expression::NullLiteral(_)
                | Expression::NumericLiteral(_)
                | Expression::BigIntLiteral(_)
                | Expression::StringLiteral(_)
                | Expression::TemplateLiteral(_)
        )
}
