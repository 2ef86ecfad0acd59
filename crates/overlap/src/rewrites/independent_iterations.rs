//! Loops whose turns wait for one another though none needs what another gives.
//!
//! ## What it does
//! Starts the operation that each turn of a loop waits for first a few turns ahead. All else in the loop
//! stays as it is and runs in the same order, so results, effects and errors come as before.
//!
//! ## Before
//! ```js
//! for (const file of files) {
//!   const text = await readFile(file, "utf8");
//!   entries.push(parse(text));
//! }
//! ```
//!
//! ## After
//! ```js
//! for (const [file, textPromise] of startAhead(files, 8, (file) => readFile(file, "utf8"))) {
//!   const text = await textPromise;
//!   entries.push(parse(text));
//! }
//! ```
//!
//! ## When not
//! See `docs/independent-iterations.md`: a turn that needs what an earlier one has left, one that may end
//! the loop, one that writes what the operation of another one reads or writes.

use headstart_effects::{Assumption, Blocker, Code, Effects, Known, Resource, SummaryLocation};
use headstart_ir::{DeclKind, FileIr, Inst, InstId, Literal, LoopOver, Span};

use super::{Find, Meta, Rewrite};
use crate::cleanup;
use crate::crossing::{Mover, Obstacle};
use crate::finding::{Finding, Level, Plan};
use crate::deciding::{When, is_simple};
use crate::gain::cost;
use crate::helper::Helper;
use crate::loops::{Loop, Needed, Turn};
use crate::met_before::reads_in_vain;
use crate::narrowed::may_lose_type;
use crate::parts::Parts;
use crate::pending;
use crate::places::OwnPlaces;
use crate::reading::disturbed;
use crate::script::{Change, Fit, Fragment, FreshName, Script, Text};
use crate::unit::Unit;
use crate::walk::pinned_comment;
use crate::words;

pub(super) const REWRITE: Rewrite = Rewrite {
    meta: Meta {
        id: "independent-iterations",
        summary: "Turns of a loop wait for one another",
        description: "Each turn of a loop reads from outside the program and waits for that, though \
                      what it reads does not depend on the turns before it.",
        help: "Start what the next turns read ahead of them, and go through the results in order. \
               `headstart fix` does it.",
        edits: Some("Start the operation a few turns ahead, and wait for it where it stands"),
        remedy: "start it a few turns ahead",
        here: None,
        waits_for: "in each turn of this loop",
        levels: &[Level::Safe, Level::Likely],
    },
    find: Find::Loop(find),
};

/// How many operations are under way at the same time, at most.
const LIMIT: &str = "8";

/// How many turns a loop is taken to make, of which nobody knows how many it makes.
const TURNS: u64 = 10;

fn find(it: &Loop<'_, '_>) -> Result<Finding, Blocker> {
    if !matches!(it.head.keyword, DeclKind::Const | DeclKind::Let) {
        return Err(Blocker::new(Code::MoreThanAName, it.head.pattern));
    }
    if let Some(blocker) = changes_items(it) {
        return Err(blocker);
    }
    let mut turn = it.turn()?;
    let in_vain = reads_in_vain(it, &mut turn);
    let units = it.scope.units_of_turn(it.body, turn.site.suspension);
    let mut assumptions = assumptions(it, &turn, &units)?;
    assumptions.extend(in_vain);
    let ir = it.scope.analysis.ir;
    judge_text(it, &turn)?;
    let script = script(ir, it, &turn);
    let waits = ir.span(turn.site.suspension);
    let name = words::callee_text(ir, turn.site.operation);
    let gained = cost(&turn.stretch.effects) * (TURNS - TURNS.div_ceil(8));
    Ok(Finding {
        rule: REWRITE.meta.id,
        level: if assumptions.is_empty() { Level::Safe } else { Level::Likely },
        range: waits,
        message: format!(
            "each turn of the loop waits for its own `{name}`, though the next ones could have \
             started by then"
        ),
        overlaps: vec![Span::new(it.stmt.span.start, it.head.span.end)],
        crosses: vec![waits],
        assumptions,
        blockers: Vec::new(),
        gain: gained,
        plan: Some(Plan::within(it.stmt.span, headstart_ir::BlockForm::Fixed, &script)),
    })
}

/// A call in a loop that is written like a change of what the loop goes over, whatever that is: `queue.add(next)`.
fn changes_items(it: &Loop<'_, '_>) -> Option<Blocker> {
    const CHANGES: [&str; 8] =
        ["add", "clear", "delete", "pop", "push", "shift", "splice", "unshift"];
    let ir = it.scope.analysis.ir;
    let Inst::LoadVar(items) = ir.inst(it.head.items) else { return None };
    let changes = |id: &InstId| {
        ir.method_call(*id).is_some_and(|(object, name)| {
            ir.inst(object) == Inst::LoadVar(items) && CHANGES.contains(&name)
        })
    };
    let found = FileIr::range(it.stmt.first, it.stmt.end).find(changes)?;
    let what = format!("`{}`", ir.name(ir.variable(items).name));
    Some(Blocker::new(Code::ChangesWhatDecides.with(&[&what]), ir.span(found)))
}

/// What it takes for granted that the operation of a turn starts before those of the turns before it have
/// ended, and before what those do behind it.
///
/// # Errors
/// Why that is not possible.
fn assumptions(
    it: &Loop<'_, '_>,
    turn: &Turn<'_>,
    units: &[Unit<'_>],
) -> Result<Vec<Assumption>, Blocker> {
    let scope = it.scope;
    let (ir, operation) = (scope.analysis.ir, turn.site.operation);
    let span = ir.span(operation);
    let own_places = it.own_places(turn)?;
    let writes = !turn.site.writes_nothing();
    // A function of the program that copies a tree makes folders; `mkdir` itself may be there to lock.
    let is_row = scope.analysis.operation(operation, &Known::default()).is_ok();
    let takes_lock = turn.stretch.locks && (is_row || own_places.is_none());
    // When a turn fails, what the others have opened stays open.
    let own_work = [
        (turn.stretch.gives, Code::GivesWhatHasToBeClosed),
        (turn.stretch.abandons, Code::StartsWhatMayFail),
        (turn.stretch.ends && writes, Code::WritesAndMayEnd),
        (takes_lock, Code::LockOfTheTurnBefore),
    ];
    if let Some((_, code)) = own_work.into_iter().find(|it| it.0) {
        return Err(Blocker::new(code, span));
    }
    let own = (operation, InstId::new(operation.index() + 1));
    let effects = &turn.stretch.effects;
    let meets_itself = disturbed(&scope, effects, effects).is_some();
    if meets_itself || scope.summaries.shares_only_connection(scope.at(), own, own) {
        return Err(Blocker::new(Code::WaitsForTheTurnBefore, span));
    }
    it.reads_each_once(effects)?;
    let mut mover = Mover::new(&scope, turn.first, operation, turn.stretch.clone());
    mover.reads.clone_from(&turn.reads);
    let mut of_places = Vec::new();
    if let Some(OwnPlaces { kinds, assumptions }) = own_places {
        mover.own_places = kinds;
        of_places = assumptions;
    }
    let mut found = mover.suspension(&scope)?;
    let guards = Mover::new(&scope, operation, operation, turn.guards.clone());
    found.splice(0..0, of_places);
    for unit in units {
        if let Some(stop) = unit.ends_loop.filter(|_| writes) {
            return Err(Blocker::new(Code::EndsTheLoop, stop));
        }
        if let Some(blocker) = guards.decided_by(&scope, unit) {
            return Err(blocker);
        }
        found.extend(mover.cross(&scope, unit).map_err(Obstacle::into_blocker)?);
    }
    let mut blockers = Vec::new();
    it.surroundings.judge(scope, (span, &[effects]), &mut found, &mut blockers);
    found.extend(pending::conflict(&scope, effects, (it.stmt.first, operation))?);
    let apart = (!mover.own_places.is_empty()).then_some((it.stmt.first, it.stmt.end));
    let cleanup = cleanup::conflict_outside(scope, operation, span, &under_way(effects), apart);
    if let Some(blocker) = blockers.into_iter().chain(cleanup.blocker).next() {
        return Err(blocker);
    }
    found.extend(cleanup.assumptions);
    found.extend(of_items(it));
    found.extend(at_once(effects, span));
    if scope.analysis.may_take_handle(operation) {
        found.push(Assumption::new(Code::ReadsByNames, span));
    }
    Ok(found)
}

/// What may still be read or written when a turn fails: nobody may write any of it then.
fn under_way(effects: &Effects) -> Effects {
    let written = effects.writes.iter().filter(|it| !it.is_log());
    let mut all = effects.clone();
    all.reads.extend(written.cloned());
    all
}

/// That going over the items ahead does nothing else, and gives the same.
fn of_items(it: &Loop<'_, '_>) -> Option<Assumption> {
    let graph = &it.scope.summaries.graph;
    let items = it.scope.analysis.at(it.head.items);
    let (is_plain, code) = match it.head.over {
        LoopOver::Values => {
            let is_plain = graph.is_collection(items) || it.goes_over_collection();
            (is_plain, Code::GoingOverRunsNoCode)
        }
        LoopOver::Positions => (graph.is_array(items), Code::IsAnArray),
        LoopOver::Numbers { .. } => (it.counts_whole(), Code::IsAWholeNumber),
        LoopOver::Keys => {
            (false, Code::InheritsNothing)
        }
    };
    (!is_plain).then(|| Assumption::new(code, it.head.items_span))
}

/// That what is asked stands several requests at once. Files do.
fn at_once(effects: &Effects, span: Span) -> Option<Assumption> {
    let is_asked = |it: &SummaryLocation| {
        matches!(
            it,
            SummaryLocation::Resource(
                Resource::Network | Resource::Connection | Resource::Process,
                _
            )
        )
    };
    effects.reads.iter().chain(&effects.writes).any(is_asked).then(|| Assumption::new(Code::ManyAtOnce, span))
}

/// What is written has to mean what it did: a comment for a tool speaks of the code where it stands, and
/// TypeScript has to know the types that it knew.
fn judge_text(it: &Loop<'_, '_>, turn: &Turn<'_>) -> Result<(), Blocker> {
    let ir = it.scope.analysis.ir;
    if ir.is_for_es5 {
        return Err(Blocker::new(Code::NoGenerators, it.head.span));
    }
    let head = Span::new(it.stmt.span.start, it.head.span.end);
    judge_head(ir, it)?;
    let of_needed = turn.needed.iter().map(|it| it.span());
    let moved = [head, ir.span(turn.site.suspension)].into_iter().chain(of_needed);
    if let Some(comment) = moved.into_iter().find_map(|it| pinned_comment(ir, it)) {
        return Err(Blocker::new(Code::CommentForATool, comment.span));
    }
    if may_lose_type(it, turn) || ir.declares_type_within(it.stmt.span) {
        return Err(Blocker::new(Code::TypeByPlace, ir.span(turn.site.operation)));
    }
    Ok(())
}

/// What is written for the head of a loop over keys or positions takes the place of all of it.
fn judge_head(ir: &FileIr, it: &Loop<'_, '_>) -> Result<(), Blocker> {
    if it.head.over == LoopOver::Values {
        return Ok(());
    }
    let analysis = it.scope.analysis;
    if it.head.over == LoopOver::Positions
        && it.scope.summaries.graph.may_be_arguments(analysis.at(it.head.items))
    {
        return Err(Blocker::new(Code::MayBeArguments, it.head.items_span));
    }
    let is_kept = |comment: Span| it.head.items_span.contains(comment);
    let within = ir.comments.iter().filter(|&&comment| it.head.span.contains(comment));
    if let Some(&comment) = within.into_iter().find(|&&comment| !is_kept(comment)) {
        return Err(Blocker::new(Code::CommentInTheHead, comment));
    }
    let is_taken = |name: &str| ir.variables.iter().any(|it| ir.name(it.name) == name);
    if matches!(it.head.over, LoopOver::Numbers { .. }) && is_taken("Array") {
        return Err(Blocker::new(Code::OtherArray, it.head.items_span));
    }
    if it.head.over == LoopOver::Keys {
        if is_taken("Object") {
            return Err(Blocker::new(Code::OtherObject, it.head.items_span));
        }
        if ir.is_typescript && may_have_typed_keys(ir, it.head.items) {
            return Err(Blocker::new(Code::TypeOfKeys, it.head.items_span));
        }
    }
    Ok(())
}

/// Whether the type of a value may be a type parameter, of whose keys TypeScript then knows more than that
/// they are strings (TypeScript 3.2, `Extract<keyof T, string>`), or an array, whose keys in `for … in` index it.
fn may_have_typed_keys(ir: &FileIr, items: InstId) -> bool {
    match ir.inst(items) {
        Inst::LoadVar(var) => ir.insts.iter().any(|it| match *it {
            Inst::StoreVar { var: stored, value } if stored == var => ir.inst(value) != Inst::Object,
            _ => false,
        }),
        Inst::Object => false,
        _ => true,
    }
}

fn script(ir: &FileIr, it: &Loop<'_, '_>, turn: &Turn<'_>) -> Script {
    let name = || Fragment::Name(0);
    let (pattern, items) = (it.head.pattern, it.head.items_span);
    let operation = ir.span(turn.site.operation);
    let mut over = vec![Fragment::Helper(helper(it)), Fragment::code("(")];
    over.extend(gone_over(it));
    over.extend([Fragment::code(", "), Fragment::code(LIMIT), Fragment::code(", (")]);
    over.extend([written(&turn.parts.in_start, pattern), Fragment::code(") => ")]);
    over.extend(start(ir, turn, operation));
    over.push(Fragment::code(")"));
    let mut declared = vec![Fragment::code("[")];
    declared.extend(turn.uses_item.then(|| written(&turn.parts.in_rest, pattern)));
    declared.extend([Fragment::code(", "), name(), Fragment::code("]")]);
    let mut changes = match it.head.over {
        LoopOver::Values => vec![
            Change { span: pattern, with: declared, fit: Fit::Exact },
            Change { span: items, with: over, fit: Fit::Exact },
        ],
        LoopOver::Keys | LoopOver::Positions | LoopOver::Numbers { .. } => {
            let mut head = vec![Fragment::code("const ")];
            head.extend(declared);
            head.push(Fragment::code(" of "));
            head.extend(over);
            vec![Change { span: it.head.span, with: head, fit: Fit::Exact }]
        }
    };
    let along = turn.needed.iter().filter_map(|it| match *it {
        Needed::Along(span) => Some(Change { span, with: Vec::new(), fit: Fit::Statement }),
        Needed::Statement(_) | Needed::If(..) => None,
    });
    changes.extend(along);
    let narrowed = |it: &Parts| {
        let text = it.in_rest.clone()?;
        Some(Change { span: it.pattern, with: vec![Fragment::Code(text.into())], fit: Fit::Exact })
    };
    changes.extend(turn.parts_again.iter().filter_map(narrowed));
    changes.push(Change { span: operation, with: vec![name()], fit: Fit::Operand });
    let wanted = format!("{}Promise", turn.site.callee);
    let names = vec![FreshName { wanted, may_be_property: true }];
    Script { names, before: Vec::new(), changes }
}

/// A pattern as it is, or with fewer names.
fn written(parts: &Option<String>, pattern: Span) -> Fragment {
    parts.as_ref().map_or(Fragment::Source(pattern), |it| Fragment::Code(it.clone().into()))
}

/// The function that the loop calls: at the end of the file, or in the function around the loop where the text
/// of that may run without the rest of the file.
fn helper(it: &Loop<'_, '_>) -> Helper {
    let scope = it.scope;
    if !scope.summaries.may_run_elsewhere(scope.at()) {
        return Helper::StartAhead;
    }
    let end = scope.analysis.ir.function(scope.function).span.end;
    Helper::StartAheadWithin(end.saturating_sub(1))
}

/// What the loop goes over once it is rewritten.
fn gone_over(it: &Loop<'_, '_>) -> Text {
    let items = Fragment::Source(it.head.items_span);
    match it.head.over {
        LoopOver::Values => vec![items],
        LoopOver::Keys => vec![Fragment::code("Object.keys("), items, Fragment::code(")")],
        LoopOver::Positions => vec![items, Fragment::code(".keys()")],
        LoopOver::Numbers { first, is_last } => numbers(it, items, first, is_last),
    }
}

/// The list of numbers that a loop counts through.
fn numbers(it: &Loop<'_, '_>, bound: Fragment, first: u8, is_last: bool) -> Text {
    // How many fewer they are than the bound.
    let fewer = i16::from(first) - i16::from(is_last);
    let ir = it.scope.analysis.ir;
    let mut text = vec![Fragment::code("Array.from({ length: ")];
    if let Inst::Literal(Literal::Number(Some(number))) = ir.inst(it.head.items) {
        let count = (i16::from(number) - fewer).max(0);
        text.push(Fragment::Code(count.to_string().into()));
        text.push(from(first));
        return text;
    }
    if fewer == 0 || is_simple(ir, it.head.items) {
        text.push(bound);
    } else {
        text.extend([Fragment::code("("), bound, Fragment::code(")")]);
    }
    match fewer {
        0 => {}
        -1 => text.push(Fragment::code(" + 1")),
        _ => text.push(Fragment::Code(format!(" - {fewer}").into())),
    }
    text.push(from(first));
    text
}

/// The end of a list of so many numbers, from the first on.
fn from(first: u8) -> Fragment {
    match first {
        0 => Fragment::code(" }).keys()"),
        _ => Fragment::Code(format!(" }}, (_, index) => index + {first})").into()),
    }
}

/// What starts the operation of one turn, with what it needs before it.
fn start(ir: &FileIr, turn: &Turn<'_>, operation: Span) -> Text {
    let needed = &turn.needed;
    if needed.is_empty() {
        return vec![Fragment::Source(operation)];
    }
    let mut text = vec![Fragment::code("{")];
    for it in needed {
        text.push(Fragment::Line(1));
        match *it {
            Needed::Statement(span) => {
                let parts = turn.parts_again.iter().find(|it| span.contains(it.pattern));
                match parts.filter(|it| it.in_start.is_some()) {
                    Some(Parts { pattern, in_start, .. }) => {
                        text.push(Fragment::Source(Span::new(span.start, pattern.start)));
                        text.push(written(in_start, *pattern));
                        text.push(Fragment::Source(Span::new(pattern.end, span.end)));
                    }
                    None => text.push(Fragment::Source(span)),
                }
                continue;
            }
            Needed::Along(span) => {
                text.push(Fragment::Source(span));
                continue;
            }
            Needed::If(test, value, when) => {
                text.push(Fragment::code("if ("));
                text.extend(leaves(ir, test, value, when));
                text.push(Fragment::code(")"));
            }
        }
        text.extend([Fragment::code(" return undefined"), Fragment::End]);
    }
    text.extend([Fragment::Line(1), Fragment::code("return "), Fragment::Source(operation)]);
    text.extend([Fragment::End, Fragment::Line(0), Fragment::code("}")]);
    text
}

/// The test of which the operation does not start where it is true.
fn leaves(ir: &FileIr, test: Span, value: InstId, when: When) -> Text {
    match when {
        When::True => negated(ir, test, value),
        When::False => vec![Fragment::Source(test)],
        When::Missing if is_simple(ir, value) => {
            vec![Fragment::Source(test), Fragment::code(" != null")]
        }
        When::Missing => {
            vec![Fragment::code("("), Fragment::Source(test), Fragment::code(") != null")]
        }
    }
}

fn negated(ir: &FileIr, test: Span, value: InstId) -> Text {
    if is_simple(ir, value) {
        return vec![Fragment::code("!"), Fragment::Source(test)];
    }
    vec![Fragment::code("!("), Fragment::Source(test), Fragment::code(")")]
}
