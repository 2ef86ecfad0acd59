//! Whom functions call, and what they return of it.

use oxc_ast::ast;
use oxc_semantic::SymbolFlags;
use oxc_span::GetSpan;

use super::collect::Collector;
use super::{Call, Facts, Value};
use crate::member::{name_of_callee, place_of_callee};

impl Collector<'_> {
    pub(super) fn note_async(&mut self, (is_async, asks): (bool, bool), typed: bool) {
        if let Some(&index) = self.stack.last() {
            self.facts.functions[index].is_async = is_async;
            self.facts.functions[index].asks = asks;
            self.facts.functions[index].typed = typed;
        }
    }

    /// Notes what a function calls: of `f.call(…)`, also `f`. `spreads`: with arguments that no text counts.
    pub(super) fn called(&mut self, callee: &ast::Expression<'_>, spreads: bool) {
        let callee = callee.get_inner_expression();
        if callee.is_function() || callee.is_super() {
            return;
        }
        let symbol = match callee {
            ast::Expression::Identifier(it) => {
                it.reference_id.get().and_then(|it| self.scoping.get_reference(it).symbol_id())
            }
            _ => None,
        };
        let object = callee.as_member_expression().map(|it| it.object());
        let name = last_name(callee);
        if let (Some(object), Some("call" | "apply")) = (object, name.as_deref()) {
            self.called(object, spreads);
        }
        if self.stack.is_empty() {
            self.facts.top_calls.extend(name.clone());
        }
        if let Some(&index) = self.stack.last() {
            let is_super = object.is_some_and(ast::Expression::is_super);
            let value = match symbol {
                Some(it) if self.scoping.symbol_flags(it).contains(SymbolFlags::Import) => {
                    Value::No
                }
                Some(it)
                    if self.facts.declared_at.get(&it) == Some(&0)
                        && self.scoping.symbol_redeclarations(it).is_empty() =>
                {
                    Value::Passed
                }
                Some(_) => Value::Element,
                None if name.is_none() => Value::Element,
                None => Value::No,
            };
            let name = name.unwrap_or_default();
            let at = place_of_callee(callee).start;
            self.facts.functions[index].calls.push(Call {
                at,
                name,
                symbol,
                is_super,
                value,
                spreads,
            });
        }
    }

    /// Notes what a call is passed directly.
    pub(super) fn passes(&mut self, it: &ast::CallExpression<'_>) {
        let name = last_name(&it.callee).unwrap_or_default();
        for argument in it.arguments.iter().filter_map(ast::Argument::as_expression) {
            if argument.is_function() || argument.is_identifier_reference() {
                let span = argument.span();
                self.facts.passed.insert((span.start, span.end), name.clone());
            }
        }
    }

    /// Notes that a value is put under a name.
    pub(super) fn stored(&mut self, name: Option<String>, value: &ast::Expression<'_>) {
        let value = value.get_inner_expression();
        let is_other = !(value.is_function() || value.is_literal());
        self.facts.stored.extend(name.filter(|_| is_other));
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
        callee => name_of(callee.as_member_expression()?),
    }
}

/// The name of a member, as far as the text shows it.
pub(super) fn name_of(it: &ast::MemberExpression<'_>) -> Option<String> {
    match it {
        ast::MemberExpression::PrivateFieldExpression(it) => Some(it.field.name.to_string()),
        member => member.static_property_name().map(str::to_owned),
    }
}

impl Facts {
    /// Whether a call is one of a fast function for certain that leaves the look at what it gives to its callers.
    pub(crate) fn is_fast(&self, it: &ast::CallExpression<'_>) -> bool {
        name_of_callee(&it.callee).is_some_and(|it| {
            self.fast_calls.contains(&it.start)
                && !self.guarded.contains_key(&it.start)
                && !self.in_place_calls.contains(&it.start)
        })
    }

    /// Whether what a call calls has become a fast function itself. That looks at what it gives.
    pub(crate) fn is_in_place(&self, it: &ast::CallExpression<'_>) -> bool {
        name_of_callee(&it.callee).is_some_and(|it| self.in_place_calls.contains(&it.start))
    }
}
