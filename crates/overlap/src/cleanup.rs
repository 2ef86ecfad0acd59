//! What runs when an operation has failed, and could meet another that is still under way (the
//! contract, trap 19): handlers and `finally` around it, in its function and in those that call it.

use headstart_callgraph::{FunctionRef, InstRef, Native};
use headstart_effects::{Blocker, Effects, Elsewhere, Overlap, Summaries, SummaryLocation};
use headstart_ir::{BlockId, FileIr, Inst, InstId, Span, StmtKind};
use rustc_hash::FxHashSet;

use crate::site::location_text;
use crate::unit::Scope;

/// How many callers up the search goes.
const DEEPEST_CALLER: u32 = 4;
/// How many callers are looked at.
const MOST_CALLERS: usize = 64;

/// Why an operation that starts earlier could be in the way of what cleans up: something that runs
/// when another operation fails writes what this one reads.
pub(crate) fn conflict(
    scope: Scope<'_, '_>,
    at: InstId,
    span: Span,
    effects: &Effects,
) -> Option<Blocker> {
    let search = Search { scope, span, effects };
    let mut seen = FxHashSet::default();
    search.around(scope.analysis.at(at), DEEPEST_CALLER, &mut seen)
}

struct Search<'a, 's, 'p> {
    scope: Scope<'s, 'p>,
    span: Span,
    effects: &'a Effects,
}

impl Search<'_, '_, '_> {
    /// What encloses an instruction in its function, and then what encloses the calls of that.
    fn around(
        &self,
        at: InstRef,
        depth: u32,
        seen: &mut FxHashSet<FunctionRef>,
    ) -> Option<Blocker> {
        let summaries = self.scope.summaries;
        let ir = summaries.graph.files()[at.file as usize];
        let function = summaries.graph.function_at(at);
        for block in cleaning(ir, at.inst) {
            let (Some(&first), Some(&last)) = (ir.block(block).first(), ir.block(block).last())
            else {
                continue;
            };
            let (first, end) = (ir.stmt(first).first, ir.stmt(last).end);
            let place = Span::new(ir.span(first).start, ir.stmt(last).span.end);
            let found = self.clash(function, first, end);
            if let Some(text) = found {
                return Some(self.blocker(&text, at.file, place));
            }
        }
        if let Some(blocker) = self.reaction(summaries, at) {
            return Some(blocker);
        }
        let depth = depth.checked_sub(1)?;
        if !seen.insert(function) || seen.len() > MOST_CALLERS {
            return None;
        }
        summaries.callers(function).iter().find_map(|&caller| self.around(caller, depth, seen))
    }

    /// `call().finally(…)`, `call().catch(…)`
    fn reaction(&self, summaries: &Summaries<'_>, at: InstRef) -> Option<Blocker> {
        let ir = summaries.graph.files()[at.file as usize];
        let function = summaries.graph.function_at(at);
        let end = ir.function(function.function).end;
        let reaction = FileIr::range(at.inst, end).find(|&id| {
            matches!(ir.inst(id), Inst::CallMethod { object, .. } if object == at.inst)
                && summaries
                    .reacts(InstRef { file: at.file, inst: id }, &[Native::Finally, Native::Catch])
        })?;
        let next = InstId::new(reaction.index() + 1);
        let text = self.clash(function, reaction, next)?;
        Some(self.blocker(&text, at.file, ir.span(reaction)))
    }

    /// What some instructions write that the operation reads.
    fn clash(&self, function: FunctionRef, first: InstId, end: InstId) -> Option<String> {
        let done = self.scope.summaries.effects_of(function, first, end);
        for written in &done.writes {
            for read in &self.effects.reads {
                let is_outside = matches!(read, SummaryLocation::Resource(..));
                if is_outside
                    && self.scope.summaries.overlap(function, read, written) == Overlap::Yes
                {
                    return Some(location_text(self.scope.analysis, read));
                }
            }
        }
        None
    }

    fn blocker(&self, what: &str, file: u32, place: Span) -> Blocker {
        let text =
            format!("what runs when something fails writes {what} while `{{}}` may still read");
        let elsewhere = Some(Elsewhere { file: file as usize, span: place });
        Blocker { elsewhere, ..Blocker::new(text, self.span) }
    }
}

/// The handlers and `finally` blocks that may run when an instruction fails.
fn cleaning(ir: &FileIr, at: InstId) -> Vec<BlockId> {
    let mut found = Vec::new();
    for stmt in &ir.stmts {
        let StmtKind::Try(parts) = &stmt.kind else { continue };
        if !(stmt.first <= at && at < stmt.end) {
            continue;
        }
        let guarded = ir.block(parts.block).last().map(|&last| ir.stmt(last).end);
        if guarded.is_some_and(|end| at < end) {
            found.extend(parts.handler);
            found.extend(parts.finalizer);
        } else {
            let handled = parts.handler.and_then(|it| ir.block(it).last().copied());
            if handled.is_some_and(|last| at < ir.stmt(last).end) {
                found.extend(parts.finalizer);
            }
        }
    }
    found
}
