//! `finally` with an `await` in it: how the block ended is written down, and done again after.
//!
//! ```js
//! try { return f(); } finally { await g(); }
//! // becomes
//! out: try { kind = 2; value = f(); break out; kind = 0; } catch (e) { kind = 1; value = e; }
//! await g();
//! if (kind === 1) throw value; if (kind === 2) return value;
//! ```

use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::ScopeFlags;
use oxc_span::{GetSpan, Span};

use super::operands::opening;
use super::{Lowered, Lowerer, UNTYPED, Unsupported};
use crate::plan::{CatchParam, Handler, Node, Returned, Try};
use crate::results::looked_at;
use crate::rope::{Rope, rope};

/// The innermost block whose `finally` awaits.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Breaks out of the block.
    out: String,
    kind: String,
    value: String,
}

impl Region {
    /// Notes a `return` and leaves the block.
    fn returned(&self, value: &Rope) -> Rope {
        rope![&self.kind, " = 2; ", &self.value, " = ", value, "; break ", &self.out, ";"]
    }
}

impl Lowerer<'_> {
    /// `return value`, as it is done here.
    pub(super) fn return_node(&self, text: Rope, is_primitive: bool) -> Node {
        match &self.region {
            Some(region) => Node::Raw(region.returned(&text)),
            None => Node::Return(Some(Returned { text, is_primitive })),
        }
    }

    /// A `try` whose `finally` awaits.
    pub(super) fn try_with_await(
        &mut self,
        it: &ast::TryStatement<'_>,
        finalizer: &ast::BlockStatement<'_>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        let (kind, value) = (self.temp(), self.temp());
        let region = Region {
            out: self.facts.fresh("$out"),
            kind: self.temp_name(kind).to_owned(),
            value: self.temp_name(value).to_owned(),
        };
        let (jumps, returns) = self.note_exits(it, &region)?;
        out.push(self.assign_temp(value, &"void 0".into()));
        let outer = self.region.replace(region.clone());
        self.guarded += 1;
        let mut block = Vec::new();
        let result = self.guarded_part(it, &mut block);
        // Not in front of the block: a `finally` in it may have overridden an end written down.
        block.push(self.assign_temp(kind, &"0".into()));
        self.guarded -= 1;
        self.region = outer;
        result?;
        let noted = Node::Raw(rope![&region.kind, " = 1;"]);
        let handler = Handler { param: CatchParam::Temp(value), body: vec![noted] };
        let guarded = Node::Try(Box::new(Try { block, handler: Some(handler), finalizer: None }));
        out.push(Node::Block { labels: vec![region.out.clone()], body: vec![guarded] });
        let mut last = Vec::new();
        self.in_scope(finalizer.scope_id.get(), |this| {
            this.open_boxes(false, &mut last);
            this.statements(&finalizer.body, false, &mut last)
        })?;
        out.push(Node::Block { labels: Vec::new(), body: last });
        self.redo(&region, (&jumps, returns), out);
        Ok(())
    }

    /// The block and the `catch` clause.
    fn guarded_part(&mut self, it: &ast::TryStatement<'_>, block: &mut Vec<Node>) -> Lowered {
        if it.handler.is_some() {
            return self.plain_try(it, None, block);
        }
        self.in_scope(it.block.scope_id.get(), |this| {
            this.open_boxes(false, block);
            this.statements(&it.block.body, false, block)
        })
    }

    /// Writes a `return` of a statement that only the twin runs once more: what was written for it before hides edits within, and
    /// what the fast function does there, it never comes to.
    pub(super) fn return_again(&mut self, it: &ast::ReturnStatement<'_>) {
        self.edits.forget(it.span);
        let Some(region) = self.region.clone() else { return };
        let value = it.argument.as_ref().map_or("void 0".into(), |it| self.unnamed(it));
        self.edits.replace(it.span, rope!["{ ", region.returned(&value), " }"]);
    }

    /// Ends as the block did.
    fn redo(&self, region: &Region, (jumps, returns): (&[String], bool), out: &mut Vec<Node>) {
        let Region { kind, value, .. } = region;
        out.push(Node::Raw(rope!["if (", kind, " === 1) throw ", value, ";"]));
        if returns {
            let text = match self.region {
                // Types follow from it, and nothing is returned by a value.
                _ if self.facts.infers(self.function) => "void 0".into(),
                Some(_) => Rope::text(value),
                None => looked_at(&Rope::text(value), self.way(), self.results, None),
            };
            let returned = vec![self.return_node(text, false)];
            let test = rope![kind, " === 2"];
            out.push(Node::If { test, then: returned, otherwise: Vec::new() });
        }
        for (index, jump) in jumps.iter().enumerate() {
            out.push(Node::Raw(rope![
                "if (",
                kind,
                " === ",
                (index + 3).to_string(),
                ") ",
                jump,
                ";"
            ]));
        }
    }

    /// Has each statement that leaves the block note it; returns the jumps, and whether any returns.
    fn note_exits(
        &mut self,
        it: &ast::TryStatement<'_>,
        region: &Region,
    ) -> Lowered<(Vec<String>, bool)> {
        let mut exits = Exits::default();
        exits.visit_block_statement(&it.block);
        if let Some(handler) = &it.handler {
            exits.visit_catch_clause(handler);
        }
        if self.region.is_some() && !exits.jumps.is_empty() {
            return Err(Unsupported("a jump out of two `finally` blocks that await"));
        }
        if self.facts.infers(self.function) && exits.returns.iter().any(|it| it.1.is_some()) {
            return Err(Unsupported(UNTYPED));
        }
        for (span, argument) in &exits.returns {
            let value = match argument {
                None => "void 0".into(),
                Some((it, opening)) => self.opened(*it, *opening),
            };
            self.edits.replace(*span, rope!["{ ", region.returned(&value), " }"]);
        }
        let mut jumps: Vec<String> = Vec::new();
        for (span, jump) in &exits.jumps {
            let known = jumps.iter().position(|it| it == jump);
            let index = known.unwrap_or_else(|| {
                jumps.push(jump.clone());
                jumps.len() - 1
            });
            let number = (index + 3).to_string();
            let text = rope!["{ ", &region.kind, " = ", number, "; break ", &region.out, "; }"];
            self.edits.replace(*span, text);
        }
        Ok((jumps, !exits.returns.is_empty()))
    }
}

/// What is returned, and what has to stand in front of it where it is noted.
type Noted = (Span, Option<&'static str>);

/// Finds what leaves a block.
#[derive(Default)]
struct Exits {
    returns: Vec<(Span, Option<Noted>)>,
    jumps: Vec<(Span, String)>,
    labels: Vec<String>,
    loops: u32,
    switches: u32,
}

impl Exits {
    fn jump(
        &mut self,
        span: Span,
        word: &str,
        label: Option<&ast::LabelIdentifier<'_>>,
        inside: bool,
    ) {
        match label {
            Some(label) if self.labels.iter().any(|it| it.as_str() == label.name.as_str()) => {}
            Some(label) => self.jumps.push((span, format!("{word} {}", label.name))),
            None if inside => {}
            None => self.jumps.push((span, word.to_owned())),
        }
    }
}

impl<'a> Visit<'a> for Exits {
    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}
    fn visit_arrow_function_expression(&mut self, _: &ast::ArrowFunctionExpression<'a>) {}
    fn visit_class(&mut self, _: &ast::Class<'a>) {}

    fn visit_return_statement(&mut self, it: &ast::ReturnStatement<'a>) {
        self.returns.push((it.span, it.argument.as_ref().map(|it| (it.span(), opening(it)))));
    }

    fn visit_break_statement(&mut self, it: &ast::BreakStatement<'a>) {
        self.jump(it.span, "break", it.label.as_ref(), self.loops + self.switches > 0);
    }

    fn visit_continue_statement(&mut self, it: &ast::ContinueStatement<'a>) {
        self.jump(it.span, "continue", it.label.as_ref(), self.loops > 0);
    }

    fn visit_labeled_statement(&mut self, it: &ast::LabeledStatement<'a>) {
        self.labels.push(it.label.name.to_string());
        walk::walk_labeled_statement(self, it);
        self.labels.pop();
    }

    fn visit_switch_statement(&mut self, it: &ast::SwitchStatement<'a>) {
        self.switches += 1;
        walk::walk_switch_statement(self, it);
        self.switches -= 1;
    }

    fn visit_statement(&mut self, it: &ast::Statement<'a>) {
        let is_loop = u32::from(it.is_iteration_statement());
        self.loops += is_loop;
        walk::walk_statement(self, it);
        self.loops -= is_loop;
    }
}
