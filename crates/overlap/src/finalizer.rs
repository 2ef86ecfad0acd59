//! `finally` around operations: whether what it does could meet one that is still under way, when another has
//! failed (the contract, trap 19).
//!
//! Who closes, gives back or ends something there relies on that nothing is under way any more. Who only notes that
//! it is over, in a variable, in a field, in a log or on the screen, does not: `finally { this.loading = false; }`,
//! `finally { setLoading(false); }`.

use headstart_callgraph::InstRef;
use headstart_effects::{
    Assumption, Blocker, Code, Effects, Overlap, Resource, Step, SummaryLocation,
};
use headstart_ir::{BlockId, FileIr, Inst, InstId, Key, Span, StmtKind};

use crate::site::name_of;
use crate::unit::Scope;

/// Words in the names of what is shown while something goes on.
const SHOWN: [&str; 18] = [
    "active",
    "busy",
    "creating",
    "deleting",
    "disabled",
    "downloading",
    "fetching",
    "loading",
    "pending",
    "processing",
    "progress",
    "refreshing",
    "running",
    "saving",
    "sending",
    "submitting",
    "updating",
    "uploading",
];

/// What is taken for granted so that operations may be under way while `finally` blocks around `span` run.
///
/// # Errors
/// One of them does more than note something, an operation looks at what it notes, or changes something itself.
pub(crate) fn meets(
    scope: Scope<'_, '_>,
    span: Span,
    operations: &[&Effects],
) -> Result<Vec<Assumption>, Blocker> {
    let ir = scope.analysis.ir;
    let mut found = vec![Assumption::usual(Code::NotedInFinally, span)];
    let blocked = || Blocker::new(Code::CleanupMeanwhile, span);
    let changes =
        |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(..)) && !it.is_log();
    let is_changing = operations.iter().flat_map(|it| &it.writes).any(changes);
    for (first, end) in around(ir, span) {
        if is_changing {
            return Err(blocked());
        }
        let at = InstRef { file: scope.at().file, inst: first };
        let function = scope.summaries.graph.function_at(at);
        let steps = scope.summaries.steps(function, first, end);
        let mut steps = steps.iter().peekable();
        for id in FileIr::range(first, end) {
            let step = steps.next_if(|it| it.at == id);
            if !notes(ir, id, step.map(|it| &**it)) {
                return Err(blocked());
            }
            let Some(step) = step else { continue };
            let is_met = |written: &SummaryLocation| {
                let used = operations.iter().flat_map(|it| it.reads.iter().chain(&it.writes));
                used.into_iter()
                    .any(|it| scope.summaries.overlap(function, it, written) == Overlap::Yes)
            };
            if step.effects().flat_map(|it| &it.writes).any(is_met) {
                return Err(blocked());
            }
            if let Some(assumed) = &step.assumed {
                found.extend(scope.analysis.harmless(assumed, ir.span(id)));
            }
        }
    }
    Ok(found)
}

/// The instructions of the `finally` blocks around a place.
fn around(ir: &FileIr, span: Span) -> impl Iterator<Item = (InstId, InstId)> {
    let is_in =
        move |block: BlockId| ir.block(block).iter().any(|&it| ir.stmt(it).span.contains(span));
    ir.stmts.iter().filter(move |it| it.span.contains(span)).filter_map(move |it| match &it.kind {
        StmtKind::Try(parts) => {
            parts.finalizer.filter(|&it| !is_in(it)).and_then(|it| ir.range_of_block(it))
        }
        _ => None,
    })
}

/// Whether an instruction does no more than note something: `step` is what it does, if it does anything. What is
/// called may let somebody go on, whatever it writes.
fn notes(ir: &FileIr, id: InstId, step: Option<&Step>) -> bool {
    if ir.inst(id).is_suspend_point() {
        return false;
    }
    let is_plain = |step: &Step| !step.is_anything && !step.lingers && !step.goes_on;
    let all = |step: &Step, is_noted: &dyn Fn(&SummaryLocation) -> bool| {
        step.effects().flat_map(|it| &it.writes).all(is_noted)
    };
    match ir.inst(id) {
        Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } => {
            let is_line = |it: &SummaryLocation| {
                matches!(it, SummaryLocation::Resource(Resource::Log | Resource::Timers, _))
            };
            let is_logged =
                |it: &Step| is_plain(it) && !it.now.writes.is_empty() && all(it, &is_line);
            step.is_some_and(is_logged) || shows(ir, id)
        }
        _ => step.is_none_or(|it| {
            is_plain(it) && all(it, &|it| matches!(it, SummaryLocation::Memory(_)))
        }),
    }
}

/// Whether a call is called like what shows whether something goes on: `setLoading(false)`, `set({ loading: false })`.
fn shows(ir: &FileIr, call: InstId) -> bool {
    let (name, args) = match ir.inst(call) {
        Inst::Call { callee, args } => (name_of(ir, callee), args),
        Inst::CallMethod { object, method, args } if ir.inst(object) == Inst::This => {
            (name_of(ir, method), args)
        }
        _ => return false,
    };
    let is_shown = |name: &str| {
        let lower = name.to_ascii_lowercase();
        SHOWN.iter().any(|it| lower.contains(it))
    };
    let holds_shown = || {
        ir.args(args).iter().any(|&arg| {
            ir.inst(arg) == Inst::Object
                && FileIr::range(arg, call).any(|id| match ir.inst(id) {
                    Inst::Set { object, key, .. } if object == arg => {
                        matches!(key.get(), Key::Name(key) if is_shown(ir.name(key)))
                    }
                    _ => false,
                })
        })
    };
    match name.strip_prefix("set") {
        Some("" | "State") => holds_shown(),
        Some(rest) => rest.starts_with(char::is_uppercase) && is_shown(rest),
        None => false,
    }
}
