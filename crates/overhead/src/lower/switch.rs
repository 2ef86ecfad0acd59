//! `switch`.

use oxc_ast::ast;
use oxc_span::{GetSpan, Span};

use super::{Lowered, Lowerer, Unsupported};
use crate::carry::contains;
use crate::plan::{Node, Switch, Target};

impl Lowerer<'_> {
    pub(super) fn switch(
        &mut self,
        it: &ast::SwitchStatement<'_>,
        labels: Vec<String>,
        out: &mut Vec<Node>,
    ) -> Lowered {
        if it.cases.iter().filter_map(|case| case.test.as_ref()).any(|it| self.awaits_in(it.span()))
        {
            return Err(Unsupported("an await in the test of a case"));
        }
        self.expression(&it.discriminant, out)?;
        let discriminant = self.render(it.discriminant.span());
        let chosen = self.facts.fresh("$case");
        let mut cases = Vec::new();
        self.in_scope(it.scope_id.get(), |this| {
            this.open_boxes(false, out);
            for case in &it.cases {
                let mut body = Vec::new();
                this.statements(&case.consequent, false, &mut body)?;
                this.check_case(case.span, &body)?;
                cases.push((case.test.as_ref().map(|it| this.render(it.span())), body));
            }
            Ok(())
        })?;
        out.push(Node::Switch(Box::new(Switch { labels, discriminant, chosen, cases })));
        Ok(())
    }

    /// Another case may use a variable that was never given its value.
    fn check_case(&self, span: Span, body: &[Node]) -> Lowered {
        let mut declared = body.iter().flat_map(|node| match node {
            Node::Declare(it) => it.symbols.clone(),
            Node::Site(index) => match self.plan.sites[*index].target {
                Target::Variable(symbol) => vec![symbol],
                Target::Temp(_) => Vec::new(),
            },
            _ => Vec::new(),
        });
        let shared = declared.any(|it| self.facts.mentions(it).any(|it| !contains(span, it.span)));
        if shared { Err(Unsupported("cases share a variable")) } else { Ok(()) }
    }
}
