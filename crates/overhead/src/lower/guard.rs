//! Calls of methods whose promise is awaited at once: the fast method is called, if there is one.

use oxc_ast::ast::{self, Argument, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::ScopeFlags;
use oxc_span::GetSpan;

use super::Lowerer;
use crate::facts::gives::Gives;
use crate::guard::{Asked, Other, by_way, last_calls, listed, picked, visit_around};
use crate::member::named;
use crate::results::Way;
use crate::rope::{Rope, rope};

impl Lowerer<'_> {
    /// Guards the calls whose promise is that of the expression, which may be awaited.
    pub(super) fn guard(&mut self, it: &Expression<'_>, awaited: bool) {
        match it {
            Expression::CallExpression(it) => self.guard_call(it, awaited),
            Expression::ParenthesizedExpression(it) => self.guard(&it.expression, awaited),
            Expression::TSAsExpression(it) => self.guard(&it.expression, awaited),
            Expression::TSSatisfiesExpression(it) => self.guard(&it.expression, awaited),
            Expression::TSNonNullExpression(it) => self.guard(&it.expression, awaited),
            Expression::ConditionalExpression(it) => {
                self.guard_branch(&it.consequent, awaited);
                self.guard_branch(&it.alternate, awaited);
            }
            Expression::LogicalExpression(it) => self.guard_branch(&it.right, awaited),
            _ => {}
        }
    }

    /// The same of a part of it, beside others that need not be calls.
    fn guard_branch(&mut self, it: &Expression<'_>, awaited: bool) {
        self.guard(it, awaited);
        if awaited && self.is_raw(it) {
            let text = rope![&self.results.adopted, "(", self.render(it.span()), ")"];
            self.edits.replace(it.span(), text);
        }
    }

    /// Whether an expression gives what a fast function does, or what was noted.
    pub(super) fn is_raw(&self, it: &Expression<'_>) -> bool {
        matches!(it.get_inner_expression(), Expression::CallExpression(it) if self.is_raw_call(it))
    }

    pub(super) fn is_raw_call(&self, it: &ast::CallExpression<'_>) -> bool {
        self.asks(it) || self.facts.is_fast(it) || self.is_plain(it)
    }

    /// What a call of a method is likely to give.
    pub(super) fn gives(&self, it: &Expression<'_>) -> Gives {
        let Expression::CallExpression(it) = it.get_inner_expression() else { return None };
        self.facts.gives(named(&it.callee)?.name)
    }

    /// Whether a call calls the parameter that holds a fast form.
    fn is_plain(&self, it: &ast::CallExpression<'_>) -> bool {
        let Expression::Identifier(name) = &it.callee else { return false };
        let is_asked = self.facts.guarded.contains_key(&name.span.start);
        is_asked && self.is_plain_parameter(&it.callee)
    }

    fn is_plain_parameter(&self, it: &Expression<'_>) -> bool {
        let Expression::Identifier(name) = it else { return false };
        let reference = name.reference_id.get().map(|it| self.scoping.get_reference(it));
        self.plain.is_some() && reference.and_then(|it| it.symbol_id()) == self.plain
    }

    /// The position of the argument that a fast method of the name that is called gets the fast form of.
    fn plain_at(&self, it: &ast::CallExpression<'_>) -> Option<usize> {
        self.facts.plain_at(named(&it.callee)?.name)
    }

    /// Edits what a statement without an `await` returns: guards the calls, and has the values looked at.
    pub(super) fn edit_returns(&mut self, it: &ast::Statement<'_>) {
        Statements { lowerer: self, guards: 0, does: Does::Return }.visit_statement(it);
    }

    /// Has what fast functions give looked at, in a statement that only the twin runs.
    pub(super) fn adopt_awaits(&mut self, it: &ast::Statement<'_>) {
        Statements { lowerer: self, guards: 0, does: Does::Adopt }.visit_statement(it);
    }

    /// Whether a call asks what it calls for its fast form: that is of any type.
    pub(super) fn asks(&self, it: &ast::CallExpression<'_>) -> bool {
        let name = match (&it.callee, named(&it.callee)) {
            (_, Some(member)) if !member.optional => member.span,
            (Expression::Identifier(name), _) => name.span,
            _ => return false,
        };
        let known = self.facts.guarded.contains_key(&name.start);
        // All arguments have to be there, each in its place.
        let has_own_list = self.plain_at(it).is_some()
            && (it.arguments.iter().any(Argument::is_spread)
                || self.awaits_in_arguments(&it.arguments));
        known && !has_own_list && !self.is_plain(it) && !it.optional
    }

    /// The text of a call that asks what it calls for its fast form; `kept`: its arguments, where `read` evaluates them.
    pub(super) fn asked(
        &mut self,
        it: &ast::CallExpression<'_>,
        (read, function, receiver): (Rope, Rope, Option<Rope>),
        (kept, awaited): (Option<(Rope, Option<Rope>)>, bool),
    ) -> Rope {
        if let (Some(key), Some(receiver), true) =
            (self.facts.picked_by(&it.callee), &receiver, awaited && kept.is_none())
        {
            let list = listed(&it.arguments, self.edits);
            let typescript = self.facts.typescript;
            return picked(
                (&self.results.miss, key, typescript),
                (&read, receiver, &function),
                &list,
            );
        }
        let found = self.temp();
        let facts = &*self.facts;
        let (member_key, reaches) = facts.asked_of(&it.callee);
        let asked = Asked {
            read,
            only_if: Rope::default(),
            function,
            receiver,
            found: self.temp_name(found),
            member_key,
            facts,
            other: awaited.then_some(Other {
                call: &self.results.other,
                function: &self.results.via,
                flat: None,
            }),
            reaches,
            by: by_way(&it.callee),
        };
        let repeats = kept.is_some() || facts.may_repeat(&it.arguments);
        let (list, of_method) = kept.unwrap_or_else(|| (listed(&it.arguments, self.edits), None));
        asked.call(&list, of_method.as_ref(), repeats)
    }

    fn guard_call(&mut self, it: &ast::CallExpression<'_>, awaited: bool) {
        if !self.asks(it) || self.awaits_in_arguments(&it.arguments) {
            return;
        }
        let depth = self.depth;
        let function = self.temp();
        let (callee, receiver) = match named(&it.callee) {
            Some(member) => {
                let (object, receiver) = self.holder(member.object);
                (member.read_of(object, self.source), Some(receiver))
            }
            None => (self.render(it.callee.span()), None),
        };
        let function = Rope::text(self.temp_name(function));
        let mut read = rope![&function, " = ", callee, ", "];
        let picks = awaited && self.facts.picked_by(&it.callee).is_some();
        let kept = match self.plain_at(it) {
            _ if picks => None,
            Some(position) => Some(self.keep_for_both(&it.arguments, position, &mut read)),
            None => self.keep_arguments(&it.arguments, &mut read).map(|it| (it, None)),
        };
        let text = self.asked(it, (read, function, receiver), (kept, awaited));
        self.edits.replace(it.span, text);
        self.depth = depth;
    }

    /// Has temporaries keep arguments that must not be written twice, so that the calls are as programs write them; gives
    /// the list of these.
    fn keep_arguments(&mut self, arguments: &[Argument<'_>], read: &mut Rope) -> Option<Rope> {
        if self.facts.may_repeat(arguments) || arguments.iter().any(Argument::is_spread) {
            return None;
        }
        let mut list = Rope::default();
        for argument in arguments.iter().filter_map(Argument::as_expression) {
            list.push(if list.0.is_empty() { "" } else { ", " });
            let text = self.unnamed(argument);
            if self.is_stable(argument) && !argument.is_function() {
                list.append(&text);
                continue;
            }
            let temp = self.temp();
            let name = self.temp_name(temp);
            read.append(&rope![name, " = ", text, ", "]);
            list.push(name);
        }
        Some(list)
    }

    /// The list of arguments, and that for a fast method, which gets the fast form of the one at a position in front of all. Each is
    /// evaluated once.
    fn keep_for_both(
        &mut self,
        arguments: &[Argument<'_>],
        position: usize,
        read: &mut Rope,
    ) -> (Rope, Option<Rope>) {
        let (mut list, mut form) = (Rope::default(), Rope::text("void 0"));
        for (index, argument) in arguments.iter().filter_map(Argument::as_expression).enumerate() {
            let marked = self.facts.marked.get(&argument.span().start);
            let marked = marked.filter(|_| index == position && argument.is_function()).cloned();
            let mut text = match &marked {
                // It would get the name of what it is assigned to.
                Some((function, _)) => rope!["(0, ", function, ")"],
                None => self.unnamed(argument),
            };
            if !self.is_stable(argument) || argument.is_function() {
                let temp = self.temp();
                let name = Rope::text(self.temp_name(temp));
                read.append(&rope![&name, " = ", text, ", "]);
                text = name;
            }
            if index == position {
                form = match (marked, self.plan.plain) {
                    (Some((_, fast)), _) => fast,
                    (None, Some(own)) if self.is_plain_parameter(argument) => {
                        Rope::text(self.temp_name(own))
                    }
                    _ => rope![&self.results.plain, "(", &text, ")"],
                };
            }
            list.push(if index > 0 { ", " } else { "" });
            list.append(&text);
        }
        let of_method = rope![form, if list.0.is_empty() { "" } else { ", " }, &list];
        (list, Some(of_method))
    }

    /// What a method is read of, and what it is called on: the same, read once.
    fn holder(&mut self, object: &Expression<'_>) -> (Rope, Rope) {
        let text = self.render(object.span());
        match object {
            Expression::Super(_) => (text, Rope::text("this")),
            object if self.is_stable(object) => (text.clone(), text),
            _ => {
                let holder = self.temp();
                let name = self.temp_name(holder);
                (rope!["(", name, " = ", text, ")"], Rope::text(name))
            }
        }
    }
}

/// What is edited in statements that are printed as they are. One visitor does both: each is 8 kB of code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    /// What they return.
    Return,
    /// What they await.
    Adopt,
}

struct Statements<'l, 'x> {
    lowerer: &'l mut Lowerer<'x>,
    guards: u32,
    does: Does,
}

impl Statements<'_, '_> {
    fn guarded(&mut self, walk: impl FnOnce(&mut Self)) {
        self.guards += 1;
        walk(self);
        self.guards -= 1;
    }
}

impl<'a> Visit<'a> for Statements<'_, '_> {
    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}
    fn visit_arrow_function_expression(&mut self, _: &ast::ArrowFunctionExpression<'a>) {}

    fn visit_class(&mut self, it: &ast::Class<'a>) {
        if self.does == Does::Adopt {
            visit_around(it, self);
        }
    }

    fn visit_await_expression(&mut self, it: &ast::AwaitExpression<'a>) {
        walk::walk_await_expression(self, it);
        if self.does == Does::Return {
            return;
        }
        for call in last_calls(&it.argument) {
            let Lowerer { facts, results, edits, .. } = &*self.lowerer;
            if facts.is_fast(call) || self.lowerer.is_plain(call) {
                let text = rope![&results.adopted, "(", edits.render(call.span), ")"];
                self.lowerer.edits.replace(call.span, text);
            }
        }
    }

    fn visit_return_statement(&mut self, it: &ast::ReturnStatement<'a>) {
        if self.does == Does::Adopt {
            walk::walk_return_statement(self, it);
            self.lowerer.return_again(it);
            return;
        }
        let Some(argument) = &it.argument else { return };
        self.lowerer.guard(argument, false);
        let way = if self.guards > 0 { Way::Guarded } else { self.lowerer.way() };
        let text = self.lowerer.given_back(argument, way);
        self.lowerer.edits.replace(argument.span(), text);
    }

    fn visit_for_of_statement(&mut self, it: &ast::ForOfStatement<'a>) {
        self.guarded(|this| walk::walk_for_of_statement(this, it));
    }

    fn visit_try_statement(&mut self, it: &ast::TryStatement<'a>) {
        if it.finalizer.is_some() {
            return self.guarded(|this| walk::walk_try_statement(this, it));
        }
        self.guarded(|this| this.visit_block_statement(&it.block));
        it.handler.iter().for_each(|it| self.visit_catch_clause(it));
    }
}
