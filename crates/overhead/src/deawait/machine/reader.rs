//! Reads the states of a machine, and what they do.
//!
//! Every mention of what the machine knows of itself has to be one that compilers write; if there
//! is any other, or a jump that is not the machine's, the function stays as it is.

use oxc_ast::ast::{self, Argument, Expression, Statement};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, Scoping, SymbolId};
use oxc_span::{GetSpan, Span};

use super::super::Reason;
use super::super::helpers::symbol_of;
use super::find::{Dialect, Found, label, try_of};
use super::op::{Op, State, States, Try};
use crate::facts::Facts;

const ODD: Reason = "its state machine is not as a compiler writes it";

/// Reads a machine.
pub(super) fn read(
    found: &Found<'_, '_>,
    facts: &Facts,
    scoping: &Scoping,
) -> Result<States, Reason> {
    let body = found.function.body.as_ref().ok_or(ODD)?;
    let mut reader = Reader {
        scoping,
        dialect: found.dialect,
        context: found.context,
        out: States { tries: found.tries.clone(), ..States::default() },
        mentions: 0,
        top: Span::default(),
        loops: 0,
        switches: 0,
        odd: !body.directives.is_empty() || found.function.params.items.len() != 1,
    };
    let cases = cases(found.dialect, &body.statements);
    match &cases {
        Some(cases) => reader.cases(cases),
        None if found.dialect == Dialect::TypeScript => {
            // Without a wait there is no `switch`.
            let head = Span::empty(body.statements.first().ok_or(ODD)?.span().start);
            reader.begin(0, head);
            reader.statements(&body.statements);
        }
        None => return Err(ODD),
    }
    let last = match cases {
        Some(cases) => cases.last().ok_or(ODD)?.span.end,
        None => body.statements.last().ok_or(ODD)?.span().end,
    };
    let first = reader.out.states.first().ok_or(ODD)?;
    reader.out.opening = Span::new(found.statement.start, first.head.start);
    reader.out.closing = Span::new(last, found.statement.end);
    // The condition of the `switch` mentions the context, too, once or twice.
    let in_opening = |it: Span| it.end <= reader.out.opening.end;
    let in_head = facts.mentions(found.context).filter(|it| in_opening(it.span)).count();
    let all = facts.mentions(found.context).count();
    let labels_rise = reader.out.states.is_sorted_by(|a, b| a.label < b.label);
    if reader.odd || !labels_rise || all != reader.mentions + in_head || in_head > 2 {
        return Err(ODD);
    }
    check_sent(&reader.out, found.dialect)?;
    Ok(reader.out)
}

/// TypeScript takes what was waited for by a call, which throws where waiting has failed: there has
/// to be one wherever something was waited for, or an error would have been overlooked.
fn check_sent(out: &States, dialect: Dialect) -> Result<(), Reason> {
    if dialect == Dialect::Regenerator {
        return Ok(());
    }
    let state = |label: u32| out.states.iter().find(|it| it.label == label);
    for (index, _, op) in &out.ops {
        match op {
            Op::Wait { to, .. } if !state(*to).is_some_and(|it| it.takes_sent) => return Err(ODD),
            Op::Wait { to, .. } if out.states[*index].label + 1 != *to => return Err(ODD),
            _ => {}
        }
    }
    let waited = |label: u32| {
        out.ops.iter().any(|(_, _, op)| matches!(op, Op::Wait { to, .. } if *to == label))
    };
    let caught = |label: u32| out.tries.iter().any(|it| it.catch == Some(label));
    let all_known =
        out.states.iter().all(|it| !it.takes_sent || waited(it.label) || caught(it.label));
    if all_known { Ok(()) } else { Err(ODD) }
}

/// The cases of `switch (_a.label) { … }` or `while (1) switch (…) { … }`.
fn cases<'t, 'a>(dialect: Dialect, body: &'t [Statement<'a>]) -> Option<&'t [ast::SwitchCase<'a>]> {
    match (dialect, body) {
        (Dialect::TypeScript, [Statement::SwitchStatement(it)]) => {
            let Expression::StaticMemberExpression(tested) = &it.discriminant else { return None };
            (tested.property.name == "label").then_some(&it.cases)
        }
        (Dialect::Regenerator, [Statement::WhileStatement(it)]) => match &it.body {
            Statement::SwitchStatement(inner) if it.test.is_specific_raw_number_literal("1") => {
                Some(&inner.cases)
            }
            _ => None,
        },
        _ => None,
    }
}

struct Reader<'x> {
    scoping: &'x Scoping,
    dialect: Dialect,
    context: SymbolId,
    out: States,
    /// How many mentions of the context were understood.
    mentions: usize,
    /// The statement that is gone over, where it stands in a state itself.
    top: Span,
    /// The loops, and the `switch`es, around what is gone over.
    loops: usize,
    switches: usize,
    odd: bool,
}

impl Reader<'_> {
    fn cases(&mut self, cases: &[ast::SwitchCase<'_>]) {
        for case in cases {
            let known = match &case.test {
                Some(Expression::StringLiteral(it)) if it.value == "end" => {
                    self.out.states.last().map(|it| it.label + 1)
                }
                Some(test) => label(test),
                None => None,
            };
            let Some(label) = known else { return self.odd = true };
            let end = case.consequent.first().map_or(case.span.end, |it| it.span().start);
            self.begin(label, Span::new(case.span.start, end));
            self.statements(&case.consequent);
        }
    }

    fn begin(&mut self, label: u32, head: Span) {
        self.out.states.push(State { label, head, ends: false, takes_sent: false });
    }

    /// The statements of a state, one after the other.
    fn statements(&mut self, statements: &[Statement<'_>]) {
        let mut skip = false;
        for (index, statement) in statements.iter().enumerate() {
            if std::mem::take(&mut skip) {
                continue;
            }
            self.top = statement.span();
            if let Some(state) = self.out.states.last_mut() {
                state.ends = false;
            }
            skip = self.statement(statement, statements.get(index + 1));
        }
    }

    /// Whether the next statement belongs to this one.
    fn statement(&mut self, it: &Statement<'_>, next: Option<&Statement<'_>>) -> bool {
        let top = self.top == it.span();
        if let Some(row) = self.pushed(it) {
            let first =
                self.out.states.last().is_some_and(|state| state.head.end == it.span().start);
            self.odd |= !first || !top;
            self.out.tries.push(row);
            self.note(it.span(), Op::Nothing);
            return false;
        }
        match (self.assigned(it), next) {
            (Some(("next" | "n", Some(to))), Some(Statement::BreakStatement(jump)))
                if jump.label.is_none() && self.loops + self.switches == 0 =>
            {
                self.note(
                    Span::new(it.span().start, jump.span.end),
                    Op::Jump { to, abrupt: false },
                );
                self.ends(top);
                true
            }
            (Some(("next" | "n", Some(to))), Some(Statement::ReturnStatement(wait))) if top => {
                let value = wait.argument.as_ref().map(GetSpan::span);
                self.note(Span::new(it.span().start, wait.span.end), Op::Wait { value, to });
                self.ends(true);
                if let Some(value) = &wait.argument {
                    self.visit_expression(value);
                }
                true
            }
            (Some(("prev" | "p", Some(label))), _) if top => {
                self.begin_inside(label, it.span());
                false
            }
            (Some(("label", Some(to))), None) if top => {
                self.note(it.span(), Op::Next { to });
                false
            }
            (Some(_), _) => {
                self.odd = true;
                false
            }
            (None, _) => {
                self.visit_statement(it);
                false
            }
        }
    }

    /// A mark in the middle of a state begins one.
    fn begin_inside(&mut self, label: u32, span: Span) {
        self.mentions += 1;
        let here = self.out.states.last().map(|it| (it.label, it.head.end));
        if here == Some((label, span.start)) {
            let index = self.out.states.len() - 1;
            self.out.ops.push((index, span, Op::Nothing));
        } else {
            self.begin(label, span);
        }
    }

    fn ends(&mut self, top: bool) {
        if let (true, Some(state)) = (top, self.out.states.last_mut()) {
            state.ends = true;
        }
    }

    /// Something understood that mentions the context once.
    fn note(&mut self, span: Span, op: Op) {
        self.mentions += 1;
        self.note_plain(span, op);
    }

    fn note_plain(&mut self, span: Span, op: Op) {
        let index = self.out.states.len() - 1;
        if matches!(op, Op::Sent) {
            self.out.states[index].takes_sent = true;
        }
        self.out.ops.push((index, span, op));
    }

    fn is_context(&self, it: &Expression<'_>) -> bool {
        matches!(it, Expression::Identifier(it) if symbol_of(it, self.scoping) == Some(self.context))
    }

    /// The name and the label in `_context.name = label;`.
    fn assigned<'t>(&self, it: &'t Statement<'_>) -> Option<(&'t str, Option<u32>)> {
        let Statement::ExpressionStatement(it) = it else { return None };
        let Expression::AssignmentExpression(it) = &it.expression else { return None };
        let ast::AssignmentTarget::StaticMemberExpression(target) = &it.left else { return None };
        let name = target.property.name.as_str();
        let is_own = ["next", "n", "prev", "p", "label"].contains(&name);
        (is_own && self.is_context(&target.object) && it.operator.is_assign())
            .then(|| (name, label(&it.right)))
    }

    /// The labels in `_a.trys.push([…]);`.
    fn pushed(&self, it: &Statement<'_>) -> Option<Try> {
        let Statement::ExpressionStatement(it) = it else { return None };
        let Expression::CallExpression(call) = &it.expression else { return None };
        let Expression::StaticMemberExpression(callee) = &call.callee else { return None };
        let Expression::StaticMemberExpression(list) = &callee.object else { return None };
        let is_push = callee.property.name == "push" && list.property.name == "trys";
        match call.arguments.as_slice() {
            [Argument::ArrayExpression(row)] if is_push && self.is_context(&list.object) => {
                try_of(row)
            }
            _ => None,
        }
    }

    /// What a `return` does to the machine.
    fn returned(&self, it: &ast::ReturnStatement<'_>) -> Option<(Op, bool)> {
        match (self.dialect, it.argument.as_ref()?.without_parentheses()) {
            (Dialect::TypeScript, Expression::ArrayExpression(array)) => {
                Some((self.instruction(array)?, false))
            }
            (Dialect::Regenerator, Expression::CallExpression(call)) => {
                let Expression::StaticMemberExpression(callee) = &call.callee else { return None };
                if !self.is_context(&callee.object) {
                    return None;
                }
                let arguments = call.arguments.as_slice();
                let first = arguments.first().and_then(Argument::as_expression);
                let second = arguments.get(1).and_then(Argument::as_expression);
                let value = second.map(GetSpan::span);
                let to = second.and_then(label);
                let abrupt = |to| Op::Jump { to, abrupt: true };
                let op = match (callee.property.name.as_str(), first) {
                    ("stop", None) => Op::Return { value: None },
                    ("finish" | "f", Some(_)) => Op::EndFinally,
                    ("abrupt", Some(Expression::StringLiteral(kind))) => {
                        match kind.value.as_str() {
                            "return" => Op::Return { value },
                            "break" | "continue" => abrupt(to?),
                            _ => return None,
                        }
                    }
                    ("a", Some(kind)) => match label(kind)? {
                        2 => Op::Return { value },
                        3 => abrupt(to?),
                        _ => return None,
                    },
                    _ => return None,
                };
                Some((op, true))
            }
            _ => None,
        }
    }

    /// TypeScript's `[4, value]` and the like.
    fn instruction(&self, it: &ast::ArrayExpression<'_>) -> Option<Op> {
        let (kind, rest) = it.elements.split_first()?;
        let value = match rest {
            [] => None,
            [value] => Some(value.as_expression()?),
            _ => return None,
        };
        let here = self.out.states.last()?.label;
        Some(match (label(kind.as_expression()?)?, value) {
            (2, value) => Op::Return { value: value.map(GetSpan::span) },
            (3, Some(to)) => Op::Jump { to: label(to)?, abrupt: true },
            (4, value) => Op::Wait { value: value.map(GetSpan::span), to: here + 1 },
            (7, None) => Op::EndFinally,
            _ => return None,
        })
    }
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_statements(&mut self, it: &oxc_allocator::Vec<'a, Statement<'a>>) {
        let mut skip = false;
        for (index, statement) in it.iter().enumerate() {
            if !std::mem::take(&mut skip) {
                skip = self.statement(statement, it.get(index + 1));
            }
        }
    }

    fn visit_return_statement(&mut self, it: &ast::ReturnStatement<'a>) {
        let top = self.top == it.span;
        let Some((op, mentions)) = self.returned(it) else { return self.odd = true };
        // Only what stands in a state itself can wait.
        self.odd |= matches!(op, Op::Wait { .. }) && !top;
        let value = match &op {
            Op::Return { value } | Op::Wait { value, .. } => *value,
            _ => None,
        };
        if mentions {
            self.note(it.span, op);
        } else {
            self.note_plain(it.span, op);
        }
        self.ends(top);
        if let (Some(_), Some(argument)) = (value, &it.argument) {
            match argument.without_parentheses() {
                Expression::ArrayExpression(array) => {
                    let value = array.elements.get(1).and_then(|it| it.as_expression());
                    value.into_iter().for_each(|it| self.visit_expression(it));
                }
                Expression::CallExpression(call) => {
                    let value = call.arguments.get(1).and_then(Argument::as_expression);
                    value.into_iter().for_each(|it| self.visit_expression(it));
                }
                _ => {}
            }
        }
    }

    fn visit_throw_statement(&mut self, it: &ast::ThrowStatement<'a>) {
        let top = self.top == it.span;
        walk::walk_throw_statement(self, it);
        self.ends(top);
    }

    fn visit_call_expression(&mut self, it: &ast::CallExpression<'a>) {
        let sent = match (&it.callee, self.dialect) {
            // `_a.sent()`
            (Expression::StaticMemberExpression(callee), Dialect::TypeScript) => {
                callee.property.name == "sent" && self.is_context(&callee.object)
            }
            // `_context["catch"](0)`
            (Expression::ComputedMemberExpression(callee), Dialect::Regenerator) => {
                matches!(&callee.expression, Expression::StringLiteral(it) if it.value == "catch")
                    && self.is_context(&callee.object)
            }
            (Expression::StaticMemberExpression(callee), Dialect::Regenerator) => {
                callee.property.name == "catch" && self.is_context(&callee.object)
            }
            _ => false,
        };
        if sent {
            self.note(it.span, Op::Sent);
        } else {
            walk::walk_call_expression(self, it);
        }
    }

    fn visit_static_member_expression(&mut self, it: &ast::StaticMemberExpression<'a>) {
        let name = it.property.name.as_str();
        let digits = name.strip_prefix('t').unwrap_or_default();
        let is_kept = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        match (self.is_context(&it.object), self.dialect) {
            (true, Dialect::Regenerator) if ["sent", "v"].contains(&name) => {
                self.note(it.span, Op::Sent);
            }
            (true, Dialect::Regenerator) if is_kept => {
                self.note(it.span, Op::Kept(name.to_owned()));
            }
            _ => walk::walk_static_member_expression(self, it),
        }
    }

    fn visit_break_statement(&mut self, it: &ast::BreakStatement<'a>) {
        self.odd |= it.label.is_none() && self.loops + self.switches == 0;
    }

    fn visit_continue_statement(&mut self, it: &ast::ContinueStatement<'a>) {
        self.odd |= it.label.is_none() && self.loops == 0;
    }

    fn visit_switch_statement(&mut self, it: &ast::SwitchStatement<'a>) {
        self.switches += 1;
        walk::walk_switch_statement(self, it);
        self.switches -= 1;
    }

    fn visit_for_statement(&mut self, it: &ast::ForStatement<'a>) {
        self.loops += 1;
        walk::walk_for_statement(self, it);
        self.loops -= 1;
    }

    fn visit_for_in_statement(&mut self, it: &ast::ForInStatement<'a>) {
        self.loops += 1;
        walk::walk_for_in_statement(self, it);
        self.loops -= 1;
    }

    fn visit_for_of_statement(&mut self, it: &ast::ForOfStatement<'a>) {
        self.loops += 1;
        walk::walk_for_of_statement(self, it);
        self.loops -= 1;
    }

    fn visit_while_statement(&mut self, it: &ast::WhileStatement<'a>) {
        self.loops += 1;
        walk::walk_while_statement(self, it);
        self.loops -= 1;
    }

    fn visit_do_while_statement(&mut self, it: &ast::DoWhileStatement<'a>) {
        self.loops += 1;
        walk::walk_do_while_statement(self, it);
        self.loops -= 1;
    }

    // Whatever mentions the context in a function is not understood.
    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ast::ArrowFunctionExpression<'a>) {}
}
