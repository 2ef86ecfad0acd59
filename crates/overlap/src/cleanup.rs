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
        let last = ir.function(function.function).end;
        for (first, end) in meeting(ir, at.inst, last) {
            if let Some((text, place)) = self.clash(function, first, end) {
                return Some(self.blocker(&text, at.file, ir.span(place)));
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
        let (text, place) = self.clash(function, reaction, next)?;
        Some(self.blocker(&text, at.file, ir.span(place)))
    }

    /// What some instructions write that the operation reads, and the one that does.
    fn clash(&self, function: FunctionRef, first: InstId, end: InstId) -> Option<(String, InstId)> {
        for step in self.scope.summaries.steps(function, first, end) {
            for written in step.now.writes.iter().chain(&step.later.writes) {
                for read in &self.effects.reads {
                    let is_outside = matches!(read, SummaryLocation::Resource(..));
                    if is_outside
                        && self.scope.summaries.overlap(function, read, written) == Overlap::Yes
                    {
                        return Some((location_text(self.scope.analysis, read), step.at));
                    }
                }
            }
        }
        None
    }

    fn blocker(&self, what: &str, file: u32, place: Span) -> Blocker {
        let text =
            format!("what runs when something fails writes {what} while `{{}}` may still read");
        let elsewhere = vec![Elsewhere { file: file as usize, span: place }];
        Blocker { elsewhere, ..Blocker::new(text, self.span) }
    }
}

/// What may run after an instruction has failed, as ranges: handlers and `finally` blocks around it, and
/// all that comes behind a handler, the next turn of a loop included.
fn meeting(ir: &FileIr, at: InstId, last: InstId) -> Vec<(InstId, InstId)> {
    let mut found = Vec::new();
    let mut is_handled = false;
    let range = |block: BlockId| {
        let (&first, &last) = (ir.block(block).first()?, ir.block(block).last()?);
        Some((ir.stmt(first).first, ir.stmt(last).end))
    };
    for stmt in &ir.stmts {
        let StmtKind::Try(parts) = &stmt.kind else { continue };
        if !(stmt.first <= at && at < stmt.end) {
            continue;
        }
        let is_in = |block: BlockId| range(block).is_some_and(|it| it.0 <= at && at < it.1);
        if is_in(parts.block) {
            found.extend(parts.handler.and_then(range));
            if parts.handler.is_some() {
                is_handled = true;
                found.push((stmt.end, last));
            }
        }
        if is_in(parts.block) || parts.handler.is_some_and(is_in) {
            found.extend(parts.finalizer.and_then(range));
        }
    }
    let is_loop = |it: &&headstart_ir::Stmt| {
        matches!(it.kind, StmtKind::Loop { .. }) && it.first <= at && at < it.end
    };
    if is_handled {
        found.extend(ir.stmts.iter().filter(is_loop).map(|it| (it.first, it.end)));
    }
    found
}
