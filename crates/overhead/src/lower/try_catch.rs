//! `try`.

use oxc_ast::ast::{self, BindingPattern};
use oxc_span::GetSpan;

use super::{Lowered, Lowerer, Unsupported};
use crate::plan::{CatchParam, Declare, Handler, Node, Try};
use crate::rope::{Rope, rope};

impl Lowerer<'_> {
    pub(super) fn try_statement(
        &mut self,
        it: &ast::TryStatement<'_>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        match &it.finalizer {
            Some(block) if self.awaits_in(block.span) => self.try_with_await(it, block, out),
            Some(block) => self.plain_try(it, Some(block), out),
            None => self.plain_try(it, None, out),
        }
    }

    /// A `try` without `await` in what is printed as its `finally`.
    pub(super) fn plain_try(
        &mut self,
        it: &ast::TryStatement<'_>,
        finalizer: Option<&ast::BlockStatement<'_>>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        let finalizer = finalizer.map(|it| {
            it.body.iter().for_each(|it| self.edit_returns(it));
            self.render(it.span)
        });
        let finalized = u32::from(finalizer.is_some());
        self.finalized += finalized;
        self.guarded += 1;
        let mut block = Vec::new();
        self.in_scope(it.block.scope_id.get(), |this| {
            this.open_boxes(false, &mut block);
            this.statements(&it.block.body, false, &mut block)
        })?;
        self.guarded -= 1;
        self.guarded += finalized;
        let handler = it.handler.as_ref().map(|it| self.handler(it)).transpose()?;
        self.guarded -= finalized;
        self.finalized -= finalized;
        out.push(Node::Try(Box::new(Try { block, handler, finalizer })));
        Ok(())
    }

    fn handler(&mut self, it: &ast::CatchClause<'_>) -> Lowered<Handler> {
        self.in_scope(it.scope_id.get(), |this| {
            let mut body = Vec::new();
            this.open_boxes(false, &mut body);
            let param = this.in_scope(it.body.scope_id.get(), |this| {
                // The variables of a pattern may belong to the scope of the body.
                this.open_boxes(false, &mut body);
                let param = this.catch_param(it.param.as_ref(), &mut body)?;
                this.statements(&it.body.body, false, &mut body)?;
                Ok(param)
            })?;
            Ok(Handler { param, body })
        })
    }

    /// An error that is taken apart gets a name first, so that the clause can be entered again.
    fn catch_param(
        &mut self,
        param: Option<&ast::CatchParameter<'_>>,
        body: &mut Vec<Node>,
    ) -> Lowered<CatchParam> {
        let Some(param) = param else { return Ok(CatchParam::None) };
        if let BindingPattern::BindingIdentifier(id) = &param.pattern {
            let symbol = id.symbol_id.get().ok_or(Unsupported("an error without a name"))?;
            let Some(name) = self.boxed.get(&symbol) else {
                return Ok(CatchParam::Variable(symbol));
            };
            let temp = self.temp();
            body.push(Node::Declare(Declare {
                keyword: "const",
                symbols: vec![symbol],
                pattern: Rope::text(name),
                typed: Rope::text(name),
                init: Some(rope!["{ v: ", self.temp_name(temp), " }"]),
            }));
            return Ok(CatchParam::Temp(temp));
        }
        if self.awaits_in(param.pattern.span()) {
            return Err(Unsupported("an await in a destructuring pattern"));
        }
        let temp = self.temp();
        let pattern = self.render(param.pattern.span());
        let value = Some(rope![self.temp_name(temp)]);
        let symbols = super::declare::symbols_of(&param.pattern);
        let typed = pattern.clone();
        self.push_declared(Declare { keyword: "let", symbols, typed, pattern, init: value }, body);
        Ok(CatchParam::Temp(temp))
    }
}
