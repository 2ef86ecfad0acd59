//! What statements and calls are called in what is said of them.

use headstart_ir::{FileIr, Inst, InstId, Span, StmtKind};

use crate::site::Site;
use crate::unit::{Scope, Unit};

/// The suspensions of a statement.
pub(crate) fn suspensions(scope: Scope<'_, '_>, unit: &Unit<'_>) -> Vec<Span> {
    let ir = scope.analysis.ir;
    match &unit.site {
        Some(site) if site.guard.is_none() => vec![ir.span(site.suspension)],
        _ => FileIr::range(unit.stmt.first, unit.stmt.end)
            .filter(|&id| ir.inst(id).is_suspend_point())
            .map(|id| ir.span(id))
            .collect(),
    }
}

/// How a statement is called that may wait for several things, or for none.
const IF: &str = "the `if` before it";

/// What a statement waits for, as it stands in a sentence: "`readFile`", "the `if` before it".
pub(crate) fn name(scope: Scope<'_, '_>, unit: &Unit<'_>) -> String {
    let ir = scope.analysis.ir;
    let what = |site: &Site<'_>| quoted(ir, site.operation);
    match (&unit.site, &unit.stmt.kind) {
        (Some(site), _) => what(site),
        (None, StmtKind::If { .. }) => IF.to_owned(),
        (None, StmtKind::Loop { .. }) => "the loop before it".to_owned(),
        (None, StmtKind::Try(_)) => "the `try` before it".to_owned(),
        (None, _) => "the statement before it".to_owned(),
    }
}

/// What others wait for where they wait for a statement, in the same way.
pub(crate) fn name_of_lead(scope: Scope<'_, '_>, unit: &Unit<'_>) -> String {
    let is_guarded = unit.site.as_ref().is_some_and(|it| it.guard.is_some());
    match unit.stmt.kind {
        StmtKind::If { .. } if is_guarded => IF.to_owned(),
        _ => name(scope, unit),
    }
}

/// What a call calls, as it stands in a sentence.
pub(crate) fn quoted(ir: &FileIr, call: InstId) -> String {
    format!("`{}`", callee_text(ir, call))
}

/// What a call calls, in a word.
pub(crate) fn callee_text(ir: &FileIr, call: InstId) -> String {
    match ir.inst(handled(ir, call)) {
        Inst::Call { callee, .. } => crate::site::name_of(ir, callee),
        Inst::CallMethod { method, .. } => crate::site::name_of(ir, method),
        _ => "import".to_owned(),
    }
}

/// The call whose promise a call only handles: `read()` of `read().catch(…)`.
pub(crate) fn handled(ir: &FileIr, call: InstId) -> InstId {
    let mut found = call;
    while let Inst::CallMethod { object, method, .. } = ir.inst(found)
        && matches!(crate::site::name_of(ir, method).as_str(), "then" | "catch" | "finally")
        && matches!(ir.inst(object), Inst::Call { .. } | Inst::CallMethod { .. })
    {
        found = object;
    }
    found
}

pub(crate) fn message(before: &[String], moved: &[String]) -> String {
    match (before, moved) {
        ([first], [second]) => format!(
            "{second} waits for {first} to end before it starts, though it needs nothing from it"
        ),
        _ => {
            let mut all: Vec<&str> = before.iter().chain(moved).map(String::as_str).collect();
            let count = all.len();
            all.dedup();
            format!(
                "{count} operations wait for one another, though they could run at the same time: \
                 {}",
                all.join(", ")
            )
        }
    }
}
