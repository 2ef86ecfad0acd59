//! That objects of which nobody knows what they are run no code where they are read, converted or iterated
//! (the contract, trap 18).

use std::collections::BTreeSet;

use headstart_callgraph::InstRef;
use headstart_effects::{Assumption, Code, Elsewhere, Topic, TopicKind, value_text};
use headstart_ir::Span;

use crate::unit::Scope;

/// How many values are named.
const MOST_NAMED: usize = 3;

impl Scope<'_, '_> {
    /// One sentence about all values that a statement touches; none where it touches none.
    pub(crate) fn plain_data(&self, touched: &BTreeSet<InstRef>, span: Span) -> Option<Assumption> {
        let mut names: Vec<String> = Vec::new();
        let mut elsewhere = Vec::new();
        for at in touched {
            let ir = self.summaries.graph.files()[at.file as usize];
            let name = value_text(ir, at.inst);
            let of_value = ir.span(at.inst);
            let is_here = at.file as usize == self.analysis.file && span.contains(of_value);
            if !is_here {
                elsewhere.push(Elsewhere { file: at.file as usize, span: of_value });
            }
            if !names.contains(&name) {
                names.push(name);
            }
        }
        // Who looks at `o` looks at `o.x`.
        let is_below = |it: &String, of: &String| {
            it.strip_prefix(of.as_str()).is_some_and(|rest| rest.starts_with(['.', '[']))
        };
        let all = names.clone();
        names.retain(|it| !all.iter().any(|of| is_below(it, of)));
        let mut each: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
        let topic = Topic { kind: TopicKind::Plain, names: each.clone() };
        each.truncate(MOST_NAMED);
        let (last, before) = each.split_last()?;
        let reason = match before {
            [] => Code::PlainData.with(&[last]),
            _ => Code::SeveralPlainData.with(&[&format!("{} and {last}", before.join(", "))]),
        };
        elsewhere.truncate(MOST_NAMED);
        Some(Assumption { elsewhere, ..Assumption::new(reason, span) }.on(topic))
    }
}
