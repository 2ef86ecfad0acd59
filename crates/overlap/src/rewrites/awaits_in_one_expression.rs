//! Awaits in one expression that wait for one another though none needs what the other gives.
//!
//! ## What it does
//! Finds several awaits in one statement, such as the properties of an object literal, and starts
//! their operations together before the statement.
//!
//! ## Before
//! ```js
//! return { user: await fetchUser(id), teams: await fetchTeams(id) };
//! ```
//!
//! ## After
//! ```js
//! const [user, teams] = await Promise.all([fetchUser(id), fetchTeams(id)]);
//! return { user, teams };
//! ```
//!
//! ## When not
//! See `docs/awaits-in-one-expression.md`: awaits behind `&&`, `?:` and their like, operations that
//! write, anything else in the statement that has an effect or may throw before the last of them.

use headstart_effects::{Assumption, Effects, Known, Overlap, SummaryLocation};
use headstart_ir::{DeclKind, FileIr, Inst, InstId, Key, StmtKind};

use super::{Meta, Rewrite};
use crate::arbiter::{Proposal, Proposals};
use crate::block::{Block, Surroundings};
use crate::cleanup;
use crate::crossing::Mover;
use crate::finding::{Finding, Level, Part, Piece, Plan};
use crate::gain::cost;
use crate::pending;
use crate::reading::{disturbed, shared_handle};
use crate::script::{Change, Fit, Fragment, FreshName, Script};
use crate::site::{Site, is_identifier, sites};
use crate::unit::{Scope, Unit};
use crate::walk::pinned_comment;
use crate::words;

pub(super) const REWRITE: Rewrite = Rewrite {
    meta: Meta {
        id: "awaits-in-one-expression",
        summary: "Awaits in one expression wait for one another",
        description: "Several operations that are awaited in one statement read from outside the \
                      program and need nothing from one another, yet each starts only when the one \
                      before it has ended.",
        help: "Start the operations before the statement, together, and put their results where \
               the awaits stood. `headstart fix` does it.",
        edits: Some("Start the operations together, before the statement"),
        levels: &[Level::Safe, Level::Likely],
    },
    find,
};

fn find(block: &Block<'_, '_>, _: &Proposals) -> Vec<Proposal> {
    let of_unit = |(index, unit)| {
        let (finding, script) = of_unit(block.scope, unit, &block.surroundings)?;
        Some(Proposal { finding, units: (index, index), script: Some(script) })
    };
    block.units.iter().enumerate().filter_map(of_unit).collect()
}

/// The finding of one statement, and how it is rewritten.
fn of_unit<'p>(
    scope: Scope<'_, 'p>,
    unit: &Unit<'p>,
    surroundings: &Surroundings,
) -> Option<(Finding, Script)> {
    let ir = scope.analysis.ir;
    if surroundings.is_exact || !waits_again(ir, unit) || !can_stand_before(ir, unit) {
        return None;
    }
    let known = Known::at(scope.analysis, scope.function, unit.stmt.first);
    let sites = sites(scope.analysis, unit.stmt, &known);
    let (first, rest) = sites.split_first()?;
    // When one fails, what the others write would still be going on, or should not have begun.
    let is_fixed = !sites.iter().all(Site::only_reads);
    if rest.is_empty() || is_fixed {
        return None;
    }
    let mut assumptions = assumptions(scope, unit, &sites, &known)?;
    let mut blockers = Vec::new();
    surroundings.judge(scope, ir.span(first.operation), &mut assumptions, &mut blockers);
    // When one fails, the others are still under way.
    for site in &sites {
        let Ok(stretch) = &site.stretch else { continue };
        let span = ir.span(site.operation);
        let cleanup = cleanup::conflict(scope, site.operation, span, &stretch.effects);
        blockers.extend(cleanup.blocker);
        assumptions.extend(cleanup.assumptions);
    }
    let level = match (blockers.is_empty(), assumptions.is_empty()) {
        (false, _) => return None,
        (true, true) => Level::Safe,
        (true, false) => Level::Likely,
    };
    let names = |sites: &[Site<'_>]| -> Vec<String> {
        sites.iter().map(|it| words::callee_text(ir, it.operation)).collect()
    };
    let costs: Vec<u64> =
        sites.iter().filter_map(|it| Some(cost(&it.stretch.as_ref().ok()?.effects))).collect();
    let slowest = costs.iter().copied().max().unwrap_or(0);
    let script = script(ir, unit, &sites);
    let finding = Finding {
        rule: REWRITE.meta.id,
        level,
        range: ir.span(rest[0].suspension),
        message: words::message(&names(&sites[..1]), &names(rest)),
        overlaps: std::iter::once(first)
            .chain(&rest[1..])
            .map(|it| ir.span(it.suspension))
            .collect(),
        crosses: vec![ir.span(first.suspension)],
        assumptions,
        blockers,
        gain: costs.iter().sum::<u64>() - slowest,
        plan: Some(plan(unit, script.clone())),
    };
    Some((finding, script))
}

/// Whether a statement can get another before it: nothing that it declares is hoisted, and it is
/// no part of a list of its own.
fn can_stand_before(ir: &FileIr, unit: &Unit<'_>) -> bool {
    let is_using = matches!(unit.stmt.kind, StmtKind::Declaration { kind, .. }
        if matches!(kind, DeclKind::Using | DeclKind::AwaitUsing));
    let is_pinned = pinned_comment(ir, unit.stmt.span).is_some();
    !is_using && !is_pinned && unit.unknown.is_none_or(|at| Some(at) > last_await(ir, unit))
}

/// Whether a statement has more than one `await`.
fn waits_again(ir: &FileIr, unit: &Unit<'_>) -> bool {
    let waits = |id: &InstId| ir.inst(*id).is_suspend_point();
    FileIr::range(unit.stmt.first, unit.stmt.end).filter(waits).nth(1).is_some()
}

fn last_await(ir: &FileIr, unit: &Unit<'_>) -> Option<InstId> {
    FileIr::range(unit.stmt.first, unit.stmt.end).rfind(|&id| matches!(ir.inst(id), Inst::Await(_)))
}

/// What the rewrite takes for granted; none where it is not possible. All that the statement
/// evaluates before the last of its awaits is evaluated behind all of them then.
fn assumptions(
    scope: Scope<'_, '_>,
    unit: &Unit<'_>,
    sites: &[Site<'_>],
    known: &Known,
) -> Option<Vec<Assumption>> {
    let last = sites.last()?;
    let is_other =
        |id: &InstId| !sites.iter().any(|site| site.first <= *id && *id <= site.suspension);
    let rest = FileIr::range(unit.stmt.first, last.suspension).filter(is_other);
    let others = scope.analysis.stretch_among(rest, unit.stmt.first, known).ok()?;
    let is_plain = others.started.is_empty()
        && others.effects.writes.is_empty()
        && others.assumptions.is_empty();
    let rest = Mover::new(&scope, last.first, last.operation, others);
    if !is_plain || !rest.suspension(&scope).ok()?.is_empty() {
        return None;
    }
    let mut found = Vec::new();
    for site in &sites[1..] {
        let stretch = site.stretch.as_ref().ok()?.clone();
        let mover = Mover::new(&scope, site.first, site.operation, stretch);
        if mover.reads.iter().any(|it| unit.writes.contains(it)) {
            return None;
        }
        found.extend(mover.suspension(&scope).ok()?);
        let (effects, span) = (&mover.stretch.effects, scope.analysis.ir.span(site.operation));
        if pending::conflict(&scope, effects, unit.stmt.first, span).is_some() {
            return None;
        }
    }
    found.extend(sites[0].stretch.as_ref().ok()?.assumptions.iter().cloned());
    found.extend(together(scope, sites)?);
    Some(found)
}

/// What it takes that operations are under way together; none where one of them changes what another
/// reads, and so on.
fn together(scope: Scope<'_, '_>, sites: &[Site<'_>]) -> Option<Vec<Assumption>> {
    let analysis = scope.analysis;
    let mut found = Vec::new();
    for (index, site) in sites.iter().enumerate().skip(1) {
        let stretch = site.stretch.as_ref().ok()?;
        for earlier in &sites[..index] {
            let other = earlier.stretch.as_ref().ok()?;
            if stretch.locks || other.locks {
                return None;
            }
            let other = &other.effects;
            let clash = |a: &SummaryLocation, b: &SummaryLocation| {
                crate::unit::overlap(&scope, a, b) != Overlap::No
            };
            let changes = |a: &Effects, b: &Effects| {
                a.writes.iter().any(|it| b.reads.iter().chain(&b.writes).any(|of| clash(it, of)))
            };
            let is_apart = !changes(other, &stretch.effects) && !changes(&stretch.effects, other);
            if !is_apart || disturbed(&scope, &stretch.effects, other).is_some() {
                return None;
            }
            let calls = (earlier.first, InstId::new(earlier.operation.index() + 1));
            found.extend(shared_handle(analysis, calls, site.operation).ok()?);
        }
        if stretch.gives {
            let text = "what starts together with `{}` does not fail: else nobody closes what that \
                        gives";
            found.push(Assumption::new(text, analysis.ir.span(site.operation)));
        }
    }
    Some(found)
}

/// `const [a, b] = await Promise.all([…])` before the statement, and the results where the awaits
/// stood.
fn script(ir: &FileIr, unit: &Unit<'_>, sites: &[Site<'_>]) -> Script {
    let mut script = Script::default();
    let mut head = vec![Fragment::code("const [")];
    for (number, site) in sites.iter().enumerate() {
        let key = property(ir, unit, site.suspension);
        if number > 0 {
            head.push(Fragment::code(", "));
        }
        head.push(Fragment::Name(number));
        let fit = if key.is_some() { Fit::Property } else { Fit::Operand };
        let span = ir.span(site.suspension);
        script.changes.push(Change { span, with: vec![Fragment::Name(number)], fit });
        let may_be_property = key.is_some();
        let of_call = || format!("{}Result", words::callee_text(ir, site.operation));
        script.names.push(FreshName { wanted: key.unwrap_or_else(of_call), may_be_property });
    }
    head.push(Fragment::code("] = await Promise.all(["));
    head.push(Fragment::List(sites.iter().map(|it| ir.span(it.operation)).collect()));
    head.push(Fragment::code("])"));
    script.before.push(head);
    script
}

/// The plan that rewrites one statement by itself.
fn plan(unit: &Unit<'_>, script: Script) -> Plan {
    Plan {
        span: unit.stmt.span,
        pieces: vec![Piece { statement: unit.stmt.span, operation: None }],
        parts: vec![Part::Rewritten(0, script)],
    }
}

/// The name of the property of an object literal that a value becomes.
fn property(ir: &FileIr, unit: &Unit<'_>, value: InstId) -> Option<String> {
    FileIr::range(value, unit.stmt.end).find_map(|id| match ir.inst(id) {
        Inst::Set { object, key, value: set }
            if set == value && ir.inst(object) == Inst::Object =>
        {
            match key.get() {
                Key::Name(name) if is_name(ir.name(name)) => Some(ir.name(name).to_owned()),
                _ => None,
            }
        }
        _ => None,
    })
}

/// Whether a text can be the name of a variable (ECMA-262, 12.7): only plain ones are used.
fn is_name(text: &str) -> bool {
    const RESERVED: [&str; 48] = [
        "arguments",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "debugger",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "eval",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "function",
        "if",
        "implements",
        "import",
        "in",
        "instanceof",
        "interface",
        "let",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "typeof",
        "var",
        "void",
        "while",
        "with",
        "yield",
    ];
    is_identifier(text) && !RESERVED.contains(&text)
}
