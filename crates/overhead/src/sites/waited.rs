//! Whether an activation has waited by the time that it makes a call.
//!
//! Until an activation of an async function first waits, it runs in the middle of its caller's code, and
//! what stands behind its first `await` never does (ECMA-262, 27.7.5.3 Await). A fast function runs that
//! at once, so only an activation that has waited itself may call one: then nothing but the microtask it
//! goes on in is on the stack. The same holds for a module, which is in the middle of the evaluation of
//! the modules that import it, until it waits.
//!
//! Purpose: of each call in a file, whether the activation that makes it has waited. Input: the syntax
//! tree. Output: [`Place`]s by where the names of the callees begin. Branches meet in the weaker answer;
//! what is not known to wait has not.

use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::ScopeFlags;
use rustc_hash::FxHashMap;

use crate::facts::Facts;
use crate::member::name_of_callee;

/// Whether an activation has waited at some place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Waited {
    /// On no way to it.
    Never,
    /// On some ways.
    Perhaps,
    /// On all ways.
    Surely,
}

impl Waited {
    fn or(self, other: Self) -> Self {
        if self == other { self } else { Self::Perhaps }
    }
}

/// Where a call stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) waited: Waited,
    /// The function that makes it, by its index in the facts; none at the top of the file.
    pub(crate) function: Option<usize>,
}

/// The places of all calls of names, private and public methods.
pub(super) fn places(program: &ast::Program<'_>, facts: &Facts) -> FxHashMap<u32, Place> {
    let outside = Activation { waited: Waited::Never, can_wait: true, function: None };
    let mut flow = Flow { facts, places: FxHashMap::default(), at: outside, waits: 0 };
    flow.visit_program(program);
    flow.places
}

/// The activation that the walk is in.
#[derive(Clone, Copy)]
struct Activation {
    waited: Waited,
    /// Whether an `await` leaves its caller for good. Each `next()` of an async generator goes on in the
    /// middle of other code.
    can_wait: bool,
    function: Option<usize>,
}

struct Flow<'f> {
    facts: &'f Facts,
    places: FxHashMap<u32, Place>,
    at: Activation,
    /// How many awaits were passed, of all functions.
    waits: u32,
}

impl Flow<'_> {
    /// Walks over a function. What asked for it runs at once up to where it really waits.
    fn function(&mut self, span: oxc_span::Span, can_wait: bool, walk: impl FnOnce(&mut Self)) {
        let function = self.facts.by_span.get(&(span.start, span.end)).copied();
        let waited = if function.is_some_and(|it| self.facts.is_asked(it)) {
            Waited::Surely
        } else {
            Waited::Never
        };
        let outer = std::mem::replace(&mut self.at, Activation { waited, can_wait, function });
        walk(self);
        self.at = outer;
    }

    /// Walks over what may not run.
    fn sometimes(&mut self, walk: impl FnOnce(&mut Self)) {
        let before = self.at.waited;
        walk(self);
        self.at.waited = self.at.waited.or(before);
    }

    /// Walks over what may run again, or be left or entered anywhere.
    fn anyhow(&mut self, walk: impl FnOnce(&mut Self)) {
        let (before, waits) = (self.at.waited, self.waits);
        self.at.waited = before.or(Waited::Surely);
        walk(self);
        let after = if self.waits == waits { before } else { before.or(Waited::Surely) };
        self.at.waited = after;
    }

    /// Walks over one of two ways after the other.
    fn either(&mut self, one: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        let before = self.at.waited;
        one(self);
        let after = std::mem::replace(&mut self.at.waited, before);
        other(self);
        self.at.waited = self.at.waited.or(after);
    }
}

impl<'a> Visit<'a> for Flow<'_> {
    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        let can_wait = it.r#async && !it.generator;
        self.function(it.span, can_wait, |this| walk::walk_function(this, it, flags));
    }

    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        self.function(it.span, it.r#async, |this| {
            walk::walk_arrow_function_expression(this, it);
        });
    }

    fn visit_call_expression(&mut self, it: &ast::CallExpression<'a>) {
        walk::walk_call_expression(self, it);
        let Some(callee) = name_of_callee(&it.callee) else { return };
        let Activation { waited, function, .. } = self.at;
        self.places.insert(callee.start, Place { waited, function });
    }

    fn visit_await_expression(&mut self, it: &ast::AwaitExpression<'a>) {
        walk::walk_await_expression(self, it);
        self.waits += 1;
        if self.at.can_wait {
            self.at.waited = Waited::Surely;
        }
    }

    fn visit_if_statement(&mut self, it: &ast::IfStatement<'a>) {
        self.visit_expression(&it.test);
        self.either(
            |this| this.visit_statement(&it.consequent),
            |this| it.alternate.iter().for_each(|it| this.visit_statement(it)),
        );
    }

    fn visit_conditional_expression(&mut self, it: &ast::ConditionalExpression<'a>) {
        self.visit_expression(&it.test);
        self.either(
            |this| this.visit_expression(&it.consequent),
            |this| this.visit_expression(&it.alternate),
        );
    }

    fn visit_logical_expression(&mut self, it: &ast::LogicalExpression<'a>) {
        self.visit_expression(&it.left);
        self.sometimes(|this| this.visit_expression(&it.right));
    }

    fn visit_assignment_expression(&mut self, it: &ast::AssignmentExpression<'a>) {
        self.visit_assignment_target(&it.left);
        if it.operator.is_logical() {
            self.sometimes(|this| this.visit_expression(&it.right));
        } else {
            self.visit_expression(&it.right);
        }
    }

    fn visit_chain_expression(&mut self, it: &ast::ChainExpression<'a>) {
        self.sometimes(|this| walk::walk_chain_expression(this, it));
    }

    fn visit_assignment_pattern(&mut self, it: &ast::AssignmentPattern<'a>) {
        self.sometimes(|this| walk::walk_assignment_pattern(this, it));
    }

    fn visit_assignment_target(&mut self, it: &ast::AssignmentTarget<'a>) {
        // Defaults in it may not be needed; what is assigned comes before it or after.
        self.sometimes(|this| walk::walk_assignment_target(this, it));
    }

    fn visit_for_statement(&mut self, it: &ast::ForStatement<'a>) {
        it.init.iter().for_each(|it| self.visit_for_statement_init(it));
        self.anyhow(|this| {
            it.test.iter().for_each(|it| this.visit_expression(it));
            let entered = this.at.waited;
            it.update.iter().for_each(|it| this.visit_expression(it));
            this.at.waited = entered;
            this.visit_statement(&it.body);
        });
    }

    fn visit_for_in_statement(&mut self, it: &ast::ForInStatement<'a>) {
        self.visit_expression(&it.right);
        self.anyhow(|this| {
            this.sometimes(|this| this.visit_for_statement_left(&it.left));
            this.visit_statement(&it.body);
        });
    }

    fn visit_for_of_statement(&mut self, it: &ast::ForOfStatement<'a>) {
        self.visit_expression(&it.right);
        self.anyhow(|this| {
            this.sometimes(|this| this.visit_for_statement_left(&it.left));
            this.visit_statement(&it.body);
        });
    }

    fn visit_while_statement(&mut self, it: &ast::WhileStatement<'a>) {
        self.anyhow(|this| walk::walk_while_statement(this, it));
    }

    fn visit_do_while_statement(&mut self, it: &ast::DoWhileStatement<'a>) {
        self.anyhow(|this| {
            let entered = this.at.waited;
            this.visit_statement(&it.body);
            // `continue` comes here from anywhere.
            this.at.waited = this.at.waited.or(entered);
            this.visit_expression(&it.test);
        });
    }

    fn visit_labeled_statement(&mut self, it: &ast::LabeledStatement<'a>) {
        self.anyhow(|this| walk::walk_labeled_statement(this, it));
    }

    fn visit_switch_statement(&mut self, it: &ast::SwitchStatement<'a>) {
        self.visit_expression(&it.discriminant);
        self.anyhow(|this| it.cases.iter().for_each(|it| this.visit_switch_case(it)));
    }

    fn visit_switch_case(&mut self, it: &ast::SwitchCase<'a>) {
        self.anyhow(|this| {
            let entered = this.at.waited;
            it.test.iter().for_each(|it| this.visit_expression(it));
            // What falls through from the case before has not come by the test.
            this.at.waited = entered;
            it.consequent.iter().for_each(|it| this.visit_statement(it));
        });
    }

    fn visit_try_statement(&mut self, it: &ast::TryStatement<'a>) {
        let before = self.at.waited;
        self.visit_block_statement(&it.block);
        let after = self.at.waited;
        if let Some(handler) = &it.handler {
            self.at.waited = before.or(after);
            self.visit_catch_clause(handler);
            self.at.waited = self.at.waited.or(after);
        }
        if let Some(finalizer) = &it.finalizer {
            self.at.waited = before.or(self.at.waited);
            self.visit_block_statement(finalizer);
        }
    }
}
