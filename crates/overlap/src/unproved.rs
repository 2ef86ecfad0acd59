//! What keeps a finding from being `safe` though nothing near it does: code that is put together while the
//! program runs, and functions that may run at any time and use the same.

use headstart_effects::{Assumption, Effects, Elsewhere};
use headstart_ir::{FileIr, InstId, Span};

use crate::finding::{Finding, Level};
use crate::unit::Scope;

impl Scope<'_, '_> {
    /// Lowers a finding in the function that is `safe` to what is `likely`, with what that rests on, where
    /// the rest of the program leaves room for something else; whether it has done so.
    pub(crate) fn lower_where_open(&self, finding: &mut Finding) -> bool {
        // What is said of models that may not hold is said of the whole file, at the end.
        let relies = self.analysis.relies_on_patched() || self.analysis.facts.replaces_promises();
        if finding.level != Level::Safe || relies {
            return false;
        }
        let assumption = self.unseen(finding.range).or_else(|| self.between(finding));
        let is_open = assumption.is_some();
        if is_open {
            finding.level = Level::Likely;
            finding.assumptions.extend(assumption);
        }
        is_open
    }

    fn unseen(&self, span: Span) -> Option<Assumption> {
        let files = self.summaries.graph.files();
        let place = self.analysis.facts.unseen(self.analysis.file, files)?;
        let text = "code that the program loads or puts together while it runs puts nothing else in the \
                    place of what is called here";
        Some(Assumption { elsewhere: vec![place], ..Assumption::new(text, span) })
    }

    fn between(&self, finding: &Finding) -> Option<Assumption> {
        let ir = self.analysis.ir;
        let span = finding.plan.as_ref()?.span;
        let function = ir.function(self.function);
        let mut effects = Effects::default();
        let within = |it: &InstId| {
            let at = ir.span(*it);
            span.start <= at.start && at.end <= span.end
        };
        let mut all = FileIr::range(function.first, function.end).filter(within);
        if let Some(first) = all.next() {
            let last = all.last().unwrap_or(first);
            let end = InstId::new(last.index() + 1);
            effects = self.summaries.effects_of(self.at(), first, end);
        }
        let at = self.summaries.comes_between(self.at(), span, &effects)?;
        let file = at.file as usize;
        let elsewhere =
            vec![Elsewhere { file, span: self.summaries.graph.files()[file].span(at.inst) }];
        let text = "what may run at any time does not change what is used here in between";
        Some(Assumption { elsewhere, ..Assumption::new(text, finding.range) })
    }
}
