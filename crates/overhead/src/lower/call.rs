//! Calls: the callee is evaluated before the arguments are.

use oxc_ast::ast::{self, Argument, ChainElement, Expression};
use oxc_span::{GetSpan, Span};

use super::expr::unknown;
use super::{Lowered, Lowerer, UNTYPED, Unsupported};
use crate::plan::Node;
use crate::rope::{Rope, rope};

impl Lowerer<'_> {
    /// A call that is not part of an optional chain.
    pub(super) fn call(&mut self, it: &ast::CallExpression<'_>, out: &mut Vec<Node>) -> Lowered {
        if it.optional {
            return Err(unknown());
        }
        if !self.awaits_in_arguments(&it.arguments) {
            return self.expression(&it.callee, out);
        }
        if matches!(it.callee, Expression::Super(_)) || it.callee.is_specific_id("eval") {
            return Err(unknown());
        }
        let receiver = self.method(&it.callee, out)?;
        if receiver.is_none() {
            self.operands(&[&it.callee], out)?;
            self.keep(&it.callee, out);
            if !self.asks(it) {
                return self.arguments(&it.arguments, out);
            }
        }
        self.arguments(&it.arguments, out)?;
        if self.asks(it) {
            let depth = self.depth;
            let method = self.render(it.callee.span());
            let text = self.asked(it, (Rope::default(), method, receiver), (None, true));
            self.depth = depth;
            self.edits.replace(it.span, text);
            return Ok(());
        }
        let Some(receiver) = receiver else { return Ok(()) };
        let call = format!("{}(", self.facts.caller);
        let mut text = rope![call, self.render(it.callee.span()), ", ", receiver];
        for argument in &it.arguments {
            text.push(", ");
            text.append(&self.render(argument.span()));
        }
        text.push(")");
        self.edits.replace(it.span, text);
        Ok(())
    }

    /// Reads the method `o.m` into a temporary; returns the text of `o`. `None` if the callee is
    /// no method.
    fn method(&mut self, callee: &Expression<'_>, out: &mut Vec<Node>) -> Lowered<Option<Rope>> {
        let (object, key) = match callee {
            Expression::StaticMemberExpression(it) if !it.optional => (&it.object, None),
            Expression::PrivateFieldExpression(it) if !it.optional => (&it.object, None),
            Expression::ComputedMemberExpression(it) if !it.optional => {
                (&it.object, Some(&it.expression))
            }
            Expression::ComputedMemberExpression(_)
            | Expression::StaticMemberExpression(_)
            | Expression::PrivateFieldExpression(_)
            | Expression::ChainExpression(_)
            | Expression::ParenthesizedExpression(_)
            | Expression::TSNonNullExpression(_) => return Err(unknown()),
            _ => return Ok(None),
        };
        match key {
            Some(key) => self.operands(&[object, key], out)?,
            None => self.expression(object, out)?,
        }
        self.keep(object, out);
        let receiver = match object {
            Expression::Super(_) => Rope::text("this"),
            object => self.render(object.span()),
        };
        if self.evolves(object) {
            return Err(Unsupported(UNTYPED));
        }
        let temp = self.temp();
        out.push(self.assign_temp(temp, &self.render(callee.span())));
        self.leave_temp(callee.span(), temp);
        Ok(Some(receiver))
    }

    /// `new F(await x)`
    pub(super) fn new_expression(
        &mut self,
        it: &ast::NewExpression<'_>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        self.expression(&it.callee, out)?;
        if self.awaits_in_arguments(&it.arguments) {
            self.keep(&it.callee, out);
            self.arguments(&it.arguments, out)?;
        }
        Ok(())
    }

    pub(super) fn awaits_in_arguments(&self, arguments: &[Argument<'_>]) -> bool {
        arguments.iter().any(|it| self.awaits_in(it.span()))
    }

    fn arguments(&mut self, arguments: &[Argument<'_>], out: &mut Vec<Node>) -> Lowered {
        let last = arguments.iter().rposition(|it| self.awaits_in(it.span())).unwrap_or(0);
        for (index, argument) in arguments.iter().enumerate().take(last + 1) {
            let spread = match argument {
                Argument::SpreadElement(it) => Some(&**it),
                _ => None,
            };
            self.element(argument.as_expression(), spread, index < last, out)?;
        }
        Ok(())
    }

    /// An optional chain, where all that it awaits is what it begins with.
    pub(super) fn chain(&mut self, it: &ast::ChainExpression<'_>, out: &mut Vec<Node>) -> Lowered {
        let first = match &it.expression {
            ChainElement::CallExpression(call) => self.head_of_call(call)?,
            ChainElement::TSNonNullExpression(it) => self.head(&it.expression)?,
            member => match member.as_member_expression() {
                Some(member) => self.head_of_member(member)?,
                None => return Err(unknown()),
            },
        };
        self.expression(first, out)
    }

    fn head<'t, 'a>(&self, it: &'t Expression<'a>) -> Lowered<&'t Expression<'a>> {
        match it {
            Expression::CallExpression(call) => self.head_of_call(call),
            it => match it.as_member_expression() {
                Some(member) => self.head_of_member(member),
                None => Ok(it),
            },
        }
    }

    fn head_of_call<'t, 'a>(&self, it: &'t ast::CallExpression<'a>) -> Lowered<&'t Expression<'a>> {
        if self.awaits_in_arguments(&it.arguments) { Err(unknown()) } else { self.head(&it.callee) }
    }

    fn head_of_member<'t, 'a>(
        &self,
        it: &'t ast::MemberExpression<'a>,
    ) -> Lowered<&'t Expression<'a>> {
        let behind = Span::new(it.object().span().end, it.span().end);
        if self.awaits_in(behind) { Err(unknown()) } else { self.head(it.object()) }
    }
}
