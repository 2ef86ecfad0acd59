//! What keeps a finding from being `safe` though nothing near it does: code that is put together while the
//! program runs, state that no place stands for, sessions of connections, and functions that may run at any
//! time and use the same.

use headstart_effects::{Assumption, Code, Effects, Elsewhere, Resource, SummaryLocation};
use headstart_ir::{FileIr, InstId, Span};

use crate::finding::{Finding, Level};
use crate::unit::Scope;

impl Scope<'_, '_> {
    /// Lowers a finding in the function that is `safe` to what is `likely` where the rest of the program leaves
    /// room for something else; whether it has done so. What that rests on is said of those that are `likely`
    /// already, too.
    pub(crate) fn lower_where_open(&self, finding: &mut Finding) -> bool {
        // What is said of models that may not hold is said of the whole file, at the end.
        let relies = self.analysis.relies_on_patched() || self.analysis.facts.replaces_promises();
        if finding.level == Level::Hint || relies {
            return false;
        }
        let assumption = self.elsewhere(finding.range).or_else(|| self.between(finding));
        let is_lowered = assumption.is_some() && finding.level == Level::Safe;
        if is_lowered {
            finding.level = Level::Likely;
        }
        finding.assumptions.extend(assumption);
        is_lowered
    }

    /// What the program does somewhere, whatever the finding uses.
    fn elsewhere(&self, span: Span) -> Option<Assumption> {
        let files = self.summaries.graph.files();
        let (facts, file) = (self.analysis.facts, self.analysis.file);
        let unseen =
            facts.unseen(file, files).map(|place| (Code::UnseenCodeReplacesNothing, place));
        let bent = || facts.bent(file, files).map(|place| (Code::NothingGoesByPrototypes, place));
        let silent = || {
            facts
                .called_by_natives(file, files)
                .map(|place| (Code::NothingGoesByImplicitCalls, place))
        };
        let environment = || {
            facts
                .sets_environment(file, files)
                .map(|place| (Code::NothingGoesByTheEnvironment, place))
        };
        let (code, place) = unseen.or_else(bent).or_else(silent).or_else(environment)?;
        Some(Assumption { elsewhere: vec![place], ..Assumption::usual(code, span) })
    }

    /// A session that the queries of the finding go by, and that belongs to one connection.
    fn session(&self, effects: &Effects, span: Span) -> Option<Assumption> {
        let asks =
            |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(Resource::Connection, _));
        let files = self.summaries.graph.files();
        effects.reads.iter().chain(&effects.writes).find(|it| asks(it))?;
        let place = self.analysis.facts.changed_session(self.analysis.file, files)?;
        Some(Assumption { elsewhere: vec![place], ..Assumption::usual(Code::OneSession, span) })
    }

    /// A link that the program makes, where files are written: what one path names, another one may, too.
    fn link(&self, effects: &Effects, span: Span) -> Option<Assumption> {
        let is_file =
            |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(Resource::File, _));
        effects.writes.iter().find(|it| is_file(it))?;
        let files = self.summaries.graph.files();
        let place = self.analysis.facts.makes_links(self.analysis.file, files)?;
        Some(Assumption {
            elsewhere: vec![place],
            ..Assumption::usual(Code::NoTwoPathsLeadToOneFile, span)
        })
    }

    /// A file that reading consumes and that the program names, where it reads by a path that nobody knows.
    fn input(&self, effects: &Effects, span: Span) -> Option<Assumption> {
        effects.reads.iter().find(|it| it.is_some_file())?;
        let files = self.summaries.graph.files();
        let place = self.analysis.facts.names_inputs(self.analysis.file, files)?;
        Some(Assumption {
            elsewhere: vec![place],
            ..Assumption::usual(Code::NoPathLeadsToInput, span)
        })
    }

    fn between(&self, finding: &Finding) -> Option<Assumption> {
        let ir = self.analysis.ir;
        let span = finding.plan.as_ref()?.span;
        let function = ir.function(self.function);
        let mut effects = Effects::default();
        let mut range = (function.first, function.first);
        let within = |it: &InstId| span.contains(ir.span(*it));
        let mut all = FileIr::range(function.first, function.end).filter(within);
        if let Some(first) = all.next() {
            let last = all.next_back().unwrap_or(first);
            range = (first, InstId::new(last.index() + 1));
            effects = self.summaries.effects_of(self.at(), range.0, range.1);
        }
        let named = self
            .session(&effects, finding.range)
            .or_else(|| self.link(&effects, finding.range))
            .or_else(|| self.input(&effects, finding.range));
        if named.is_some() {
            return named;
        }
        let between = || {
            self.summaries
                .comes_between(self.at(), span, &effects)
                .map(|at| (at, Code::NothingComesBetween))
        };
        let beside = || {
            let (summaries, facts) = (self.summaries, self.analysis.facts);
            let found = summaries.goes_on_beside(self.at(), range, &effects, facts)?;
            let code = if found.sets_up { Code::AllIsSetUp } else { Code::NobodyBesideUsesIt };
            Some((found.at, code))
        };
        let (at, code) = between().or_else(beside)?;
        let file = at.file as usize;
        let elsewhere =
            vec![Elsewhere { file, span: self.summaries.graph.files()[file].span(at.inst) }];
        Some(Assumption { elsewhere, ..Assumption::usual(code, finding.range) })
    }
}
