//! Writes that nobody waits for yet: what starts behind them starts late enough to see them, nearly
//! always, and may not start earlier (the contract, trap 33).

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_effects::{Blocker, Effects, Elsewhere, Overlap, Pending, SummaryLocation};
use headstart_ir::{InstId, Span};
use rustc_hash::FxHashSet;

use crate::log::are_lines;
use crate::site::location_text;
use crate::unit::Scope;

/// How many callers up the search goes.
const DEEPEST_CALLER: u32 = 4;
/// How many callers are looked at.
const MOST_CALLERS: usize = 64;

/// Why an operation may not start where the instruction `point` begins: what is under way there writes
/// what it uses, or takes a lock.
pub(crate) fn conflict(
    scope: &Scope<'_, '_>,
    effects: &Effects,
    point: InstId,
    span: Span,
) -> Option<Blocker> {
    let search = Search { scope, effects, span };
    let here = scope.analysis.at(point);
    search
        .at(here, true)
        .or_else(|| search.callers(scope.at(), DEEPEST_CALLER, &mut FxHashSet::default()))
}

struct Search<'a, 's, 'p> {
    scope: &'a Scope<'s, 'p>,
    effects: &'a Effects,
    span: Span,
}

impl Search<'_, '_, '_> {
    /// What is under way at an instruction, as far as its own function has started it.
    fn at(&self, point: InstRef, is_own: bool) -> Option<Blocker> {
        let summaries = self.scope.summaries;
        let ir = summaries.graph.files()[point.file as usize];
        let function = summaries.graph.function_at(point);
        summaries.pending(function).iter().find_map(|pending| {
            let writes = pending.under_way(ir, point.inst)?;
            let is_held = pending.locks && is_own && !writes.is_empty();
            let text = match self.clash(function, writes.iter(), is_own) {
                Some(what) => format!("`{{}}` uses {what}, which may still be written by then"),
                None if is_held => "a lock that `{}` relies on may not be taken by then".to_owned(),
                None => return None,
            };
            Some(self.blocker(&text, point.file, pending))
        })
    }

    fn blocker(&self, text: &str, file: u32, pending: &Pending) -> Blocker {
        let ir = self.scope.summaries.graph.files()[file as usize];
        let place = Elsewhere { file: file as usize, span: ir.span(pending.at) };
        Blocker { elsewhere: vec![place], ..Blocker::new(text.to_owned(), self.span) }
    }

    /// What the operation uses of what is written. What callers write has to be the same for certain.
    fn clash<'w>(
        &self,
        function: FunctionRef,
        writes: impl Iterator<Item = &'w SummaryLocation>,
        is_own: bool,
    ) -> Option<String> {
        for written in writes {
            for used in self.effects.reads.iter().chain(&self.effects.writes) {
                if are_lines(used, written) {
                    continue;
                }
                let found = self.scope.summaries.overlap(function, used, written);
                if found == Overlap::Yes || (is_own && found == Overlap::Alias) {
                    return Some(location_text(self.scope.analysis, used));
                }
            }
        }
        None
    }

    /// What those have started who call the function.
    fn callers(
        &self,
        function: FunctionRef,
        depth: u32,
        seen: &mut FxHashSet<FunctionRef>,
    ) -> Option<Blocker> {
        let depth = depth.checked_sub(1)?;
        if !seen.insert(function) || seen.len() > MOST_CALLERS {
            return None;
        }
        let summaries = self.scope.summaries;
        summaries.callers(function).iter().find_map(|&call| {
            let caller = summaries.graph.function_at(call);
            self.at(call, false).or_else(|| self.callers(caller, depth, seen))
        })
    }
}
