//! Loops.
//!
//! `while (await test)` and its kin become endless loops that begin with what they await. A
//! `for … of` drives its iterator by hand, since leaving the loop for the twin must not close it.
//! `for … in` and `for await` are left to the twin.

use oxc_ast::ast::{self, AssignmentOperator, Expression, ForStatementInit, ForStatementLeft};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};

use super::declare::keyword;
use super::leaves::leaves;
use super::{Lowered, Lowerer, Unsupported};
use crate::plan::{ArrayNames, Declare, ForOf, Head, Loop, LoopSpan, Node};
use crate::returns::fast;
use crate::rope::{Rope, rope};

impl Lowerer<'_> {
    pub(super) fn while_loop(
        &mut self,
        it: &ast::WhileStatement<'_>,
        labels: Vec<String>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        let around = plain_loop(it.span);
        let (head, body) = self.in_loop(around, |this| {
            let mut body = Vec::new();
            let awaits = this.awaits_in(it.test.span());
            if awaits {
                this.leave_unless(&it.test, &mut body)?;
            }
            body.extend(this.nested(&it.body)?);
            let test = if awaits { Rope::text("true") } else { this.render(it.test.span()) };
            Ok((Head::While(test), body))
        })?;
        out.push(Node::Loop(Box::new(Loop { labels, head, body })));
        Ok(())
    }

    pub(super) fn do_while_loop(
        &mut self,
        it: &ast::DoWhileStatement<'_>,
        labels: Vec<String>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        let around = plain_loop(it.span);
        if !self.awaits_in(it.test.span()) {
            let body = self.in_loop(around, |this| this.nested(&it.body))?;
            let head = Head::DoWhile(self.render(it.test.span()));
            out.push(Node::Loop(Box::new(Loop { labels, head, body })));
            return Ok(());
        }
        let again = self.flag(out);
        let body = self.in_loop(around, |this| {
            let mut later = Vec::new();
            this.leave_unless(&it.test, &mut later)?;
            let mut body = vec![this.unless_first(again, later)];
            body.extend(this.nested(&it.body)?);
            Ok(body)
        })?;
        let head = Head::While(Rope::text("true"));
        out.push(Node::Loop(Box::new(Loop { labels, head, body })));
        Ok(())
    }

    pub(super) fn for_loop(
        &mut self,
        it: &ast::ForStatement<'_>,
        labels: Vec<String>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        self.in_scope(it.scope_id.get(), |this| {
            let (declares, init) = this.for_init(it.init.as_ref(), out)?;
            let symbols: Vec<SymbolId> =
                declares.iter().flat_map(|it| it.symbols.iter().copied()).collect();
            let parts = [it.test.as_ref(), it.update.as_ref()];
            let opened = parts.iter().flatten().any(|part| this.awaits_in(part.span()));
            let again = if opened { Some(this.flag(out)) } else { None };
            let outside_body = Span::new(it.span.start, it.body.span().start);
            let counter = this.counter(it);
            let around = LoopSpan { span: it.span, head: symbols, outside_body, counter };
            let (head, body) = this.in_loop(around, |this| {
                let mut body = Vec::new();
                if let Some(again) = again {
                    // Behind what the head declares.
                    this.position = it.init.as_ref().map_or(it.span.start, |it| it.span().end);
                    this.opened_head(it, again, &mut body)?;
                }
                body.extend(this.nested(&it.body)?);
                let part = |part: Option<&ast::Expression<'_>>| {
                    part.filter(|_| !opened).map(|it| this.render(it.span()))
                };
                let head =
                    Head::For { declares, init, test: part(parts[0]), update: part(parts[1]) };
                Ok((head, body))
            })?;
            out.push(Node::Loop(Box::new(Loop { labels, head, body })));
            Ok(())
        })
    }

    /// The variable of a `for` that counts its rounds: nothing but the update writes it, which adds or
    /// takes away 1.
    fn counter(&self, it: &ast::ForStatement<'_>) -> Option<SymbolId> {
        let Some(ForStatementInit::VariableDeclaration(init)) = &it.init else { return None };
        let [declarator] = &init.declarations[..] else { return None };
        let Some(Expression::NumericLiteral(first)) = &declarator.init else { return None };
        let update = it.update.as_ref()?;
        let is_step = match update {
            Expression::UpdateExpression(_) => true,
            Expression::AssignmentExpression(it) => {
                let adds = matches!(
                    it.operator,
                    AssignmentOperator::Addition | AssignmentOperator::Subtraction
                );
                adds && matches!(&it.right, Expression::NumericLiteral(it) if it.value == 1.0)
            }
            _ => false,
        };
        let symbol = declarator.id.get_binding_identifier()?.symbol_id.get()?;
        let mut writes = self.facts.mentions(symbol).filter(|it| it.write);
        let only = writes.next()?.span;
        let counts = init.kind == ast::VariableDeclarationKind::Let
            && first.value.fract() == 0.0
            && is_step
            && writes.next().is_none()
            && crate::carry::contains(update.span(), only)
            && !self.boxed.contains_key(&symbol);
        counts.then_some(symbol)
    }

    /// What a `for` runs before each round: the update, but not before the first, and the test.
    /// Done in the body, it happens on the round's own copy of the variables, as it has to.
    fn opened_head(
        &mut self,
        it: &ast::ForStatement<'_>,
        again: usize,
        body: &mut Vec<Node>,
    ) -> Lowered {
        let mut later = Vec::new();
        if let Some(update) = &it.update {
            let depth = self.depth;
            self.expression(update, &mut later)?;
            later.push(Node::Raw(rope!["(", self.render(update.span()), ");"]));
            self.depth = depth;
        }
        body.push(self.unless_first(again, later));
        it.test.as_ref().map_or(Ok(()), |test| self.leave_unless(test, body))
    }

    fn for_init(
        &mut self,
        init: Option<&ForStatementInit<'_>>,
        out: &mut Vec<Node>,
    ) -> Lowered<(Vec<Declare>, Option<Rope>)> {
        match init {
            None => Ok((Vec::new(), None)),
            Some(ForStatementInit::VariableDeclaration(it)) if it.kind.is_var() => {
                self.declaration(it, out)?;
                Ok((Vec::new(), None))
            }
            Some(ForStatementInit::VariableDeclaration(it)) => {
                let awaits = self.awaits_in(it.span);
                if it.kind.is_using() || (awaits && it.declarations.len() > 1) {
                    return Err(Unsupported("several awaits in the head of a loop"));
                }
                if it.declarations.iter().any(|it| self.awaits_in(it.id.span())) {
                    return Err(Unsupported("an await in a destructuring pattern"));
                }
                let mut declares = Vec::new();
                for declarator in &it.declarations {
                    let symbols = super::declare::symbols_of(&declarator.id);
                    if symbols
                        .iter()
                        .any(|it| self.boxed.contains_key(it) || self.unboxed.contains(it))
                    {
                        return Err(Unsupported("closures change the variables of a loop"));
                    }
                    let init = match &declarator.init {
                        Some(init) => {
                            self.expression(init, out)?;
                            Some(self.render(init.span()))
                        }
                        None => None,
                    };
                    let declared = self.declare(keyword(it.kind), declarator, init);
                    declares.push(if declarator.id.get_binding_identifier().is_some() {
                        declared
                    } else {
                        self.taken_apart(declared)
                    });
                }
                Ok((declares, None))
            }
            Some(other) => {
                let Some(expression) = other.as_expression() else { return Ok((Vec::new(), None)) };
                self.expression(expression, out)?;
                Ok((Vec::new(), Some(self.render(expression.span()))))
            }
        }
    }

    /// The declaration of the one variable of a pattern, by its name: where each round has its own, that is
    /// given its value when the loop is entered again. What the pattern makes has the first one, as no round has
    /// (ECMA-262, 14.7.4.4 CreatePerIterationEnvironment). Of several variables, it is as it was.
    fn taken_apart(&self, it: Declare) -> Declare {
        let ([symbol], Some(init)) = (&it.symbols[..], &it.init) else { return it };
        let name = Rope::text(self.scoping.symbol_name(*symbol));
        let init = rope!["((", &it.pattern, ") => ", &name, ")(", init, ")"];
        Declare { pattern: name.clone(), typed: name, init: Some(init), ..it }
    }

    pub(super) fn for_of_loop(
        &mut self,
        it: &ast::ForOfStatement<'_>,
        labels: Vec<String>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        if it.r#await || self.awaits_in(it.left.span()) {
            return Err(Unsupported("`for await`"));
        }
        self.expression(&it.right, out)?;
        let iterable = self.render(it.right.span());
        let items = self.temp();
        let value = rope![self.temp_name(items).to_owned(), ".value"];
        // The type of an element would be lost.
        let array = (!self.facts.typescript).then(|| ArrayNames {
            list: self.facts.fresh("$list"),
            index: self.facts.fresh("$index"),
        });
        let value = match &array {
            Some(ArrayNames { list, index }) => {
                rope![fast(format!("{list} !== null ? {list}[{index}++] : "), ""), value]
            }
            None => value,
        };
        let around = plain_loop(it.span);
        let mut body = Vec::new();
        let inner = self.in_scope(it.scope_id.get(), |this| {
            this.in_loop(around, |this| {
                this.open_boxes(false, &mut body);
                this.for_of_binding(&it.left, &value, &mut body)?;
                this.guarded += 1;
                this.finalized += 1;
                let inner = this.nested(&it.body);
                this.guarded -= 1;
                this.finalized -= 1;
                inner
            })
        })?;
        // The body may have names of the loop's variables again, in a scope of its own.
        if matches!(it.body, ast::Statement::BlockStatement(_)) {
            body.push(Node::Block { labels: Vec::new(), body: inner });
        } else {
            body.extend(inner);
        }
        let leaves = leaves(&it.body, &labels);
        out.push(Node::ForOf(Box::new(ForOf { labels, items, array, iterable, leaves, body })));
        Ok(())
    }

    fn for_of_binding(
        &mut self,
        left: &ForStatementLeft<'_>,
        value: &Rope,
        out: &mut Vec<Node>,
    ) -> Lowered {
        let ForStatementLeft::VariableDeclaration(it) = left else {
            let target = self.render(left.span());
            // The parentheses around it do not belong to it, and TypeScript demands them around a type.
            let target = if is_cast(left) { rope!["(", target, ")"] } else { target };
            out.push(Node::Raw(rope!["(", target, " = ", value, ");"]));
            return Ok(());
        };
        let Some(declarator) = it.declarations.first().filter(|_| !it.kind.is_using()) else {
            return Err(Unsupported("`using` beside an await"));
        };
        if it.kind.is_var() {
            let pattern = self.render(declarator.id.span());
            let boxes = super::declare::symbols_of(&declarator.id)
                .iter()
                .any(|it| self.boxed.contains_key(it));
            let keyword = if boxes { "" } else { "var " };
            out.push(Node::Raw(rope![keyword, pattern, " = ", value, ";"]));
        } else {
            self.push_declare(keyword(it.kind), declarator, Some(value.clone()), out);
        }
        Ok(())
    }

    /// `if (!test) break;`
    fn leave_unless(&mut self, test: &ast::Expression<'_>, out: &mut Vec<Node>) -> Lowered {
        let depth = self.depth;
        self.expression(test, out)?;
        out.push(Node::Raw(rope!["if (!(", self.render(test.span()), ")) break;"]));
        self.depth = depth;
        Ok(())
    }

    /// A temporary that says whether a loop has begun.
    fn flag(&mut self, out: &mut Vec<Node>) -> usize {
        let flag = self.temp();
        out.push(self.assign_temp(flag, &Rope::text("false")));
        flag
    }

    fn unless_first(&self, again: usize, later: Vec<Node>) -> Node {
        let name = self.temp_name(again);
        let first = Node::Raw(rope![name, " = true;"]);
        Node::If { test: rope![name], then: later, otherwise: vec![first] }
    }
}

/// Whether a target says its type in place.
fn is_cast(it: &ForStatementLeft<'_>) -> bool {
    matches!(
        it,
        ForStatementLeft::TSAsExpression(_)
            | ForStatementLeft::TSSatisfiesExpression(_)
            | ForStatementLeft::TSNonNullExpression(_)
            | ForStatementLeft::TSTypeAssertion(_)
    )
}

/// A loop that declares nothing for its rounds.
fn plain_loop(span: Span) -> LoopSpan {
    LoopSpan { span, head: Vec::new(), outside_body: Span::empty(span.start), counter: None }
}
