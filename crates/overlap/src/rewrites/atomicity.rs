//! Awaits that belong together, and at which others come in between.
//!
//! ## What it does
//! Points at a write that depends on what was read before an `await`, of something that others read and write as well.
//!
//! ## Before
//! ```js
//! if (!sold.has(seat)) {
//!   await charge(guest);
//!   sold.set(seat, guest);
//! }
//! ```
//!
//! ## After
//! ```js
//! await atomic(async () => {
//!   if (!sold.has(seat)) {
//!     await charge(guest);
//!     sold.set(seat, guest);
//!   }
//! });
//! ```
//!
//! ## When not
//! See `docs/atomicity.md`: where what was read is read again behind the `await`, where the function keeps others out, and
//! where what is written is the same whoever comes first.

use headstart_ir::order;
use headstart_effects::{Assumption, Blocker, Code, Reason, uses_activities, value_text};
use headstart_ir::{BlockForm, FileIr, Function, FunctionKind, Span};

use super::{Find, Meta, Rewrite};
use crate::atomic_import::is_directive;
use crate::finding::{Finding, Level, Part, Piece, Plan};
use crate::helper::Helper;
use crate::races::{Depends, Race, races};
use crate::script::{Change, Fit, Fragment, Script};
use crate::unit::Scope;

/// The rule that is about what others do meanwhile.
pub const ATOMICITY: &str = "atomicity";

pub(super) const REWRITE: Rewrite = Rewrite {
    meta: Meta {
        id: ATOMICITY,
        summary: "What was looked at before an await is taken for the same behind it",
        description: "Something that outlives the call is read, the function waits, and then it is written as if nobody \
                      had come in between: two calls at a time both see the old value.",
        help: "Keep the awaits together with `atomic(async () => { … })` of `headstart-activities`; or write before \
               waiting, or look again behind the `await`. For what several processes share, only a transaction or a \
               constraint of the database helps.",
        edits: Some("puts what the function does into an atomic block, where the program uses `headstart-activities`"),
        remedy: "keep others out in between: `atomic(async () => { … })`",
        here: Some("written here"),
        waits_for: "looked at here",
        levels: &[Level::Likely, Level::Hint],
    },
    find: Find::Function(find),
};

fn find(scope: Scope<'_, '_>) -> Vec<Finding> {
    let mut found: Vec<Race> = races(scope);
    // What is written behind one look is one mistake.
    order::sort_by_key(&mut found, |it| (it.read, it.write));
    found.dedup_by_key(|it| it.read);
    found.iter().map(|it| finding(scope, *it)).collect()
}

fn finding(scope: Scope<'_, '_>, race: Race) -> Finding {
    let ir = scope.analysis.ir;
    let (range, wait) = (ir.span(race.write), ir.span(race.wait));
    let what = value_text(ir, race.read);
    let message = match race.depends {
        Depends::Runs => format!(
            "whether this runs was decided by `{what}` before an `await`: two calls at a time may both get here"
        ),
        Depends::Value => format!(
            "what is written here was made of `{what}` before an `await`: what others have written since is lost"
        ),
    };
    let plan = plan(scope);
    let is_hint = plan.is_none();
    let blockers = vec![Blocker::new(Code::OthersRunMeanwhile, wait)];
    let function = ir.function(scope.function);
    let whole = function.name.map_or("the function", |it| ir.name(it));
    let sentences = [Code::OthersAreGated.into(), Code::WaitsForNobodyKeptOut.with(&[whole])];
    let assumptions = sentences.map(|it: Reason| Assumption::new(it, range));
    Finding {
        rule: REWRITE.meta.id,
        level: if is_hint { Level::Hint } else { Level::Likely },
        range,
        message,
        overlaps: vec![ir.span(race.read)],
        crosses: vec![wait],
        assumptions: if is_hint { Vec::new() } else { assumptions.to_vec() },
        blockers: if is_hint { blockers } else { Vec::new() },
        gain: 0,
        plan,
    }
}

/// All that the function does in an atomic block, where the program has those.
fn plan(scope: Scope<'_, '_>) -> Option<Plan> {
    let ir = scope.analysis.ir;
    if !scope.summaries.graph.files().iter().any(|it| uses_activities(it)) {
        return None;
    }
    let function = ir.function(scope.function);
    let span = statements(ir, function)?;
    let with = vec![
        Fragment::code("return "),
        Fragment::Helper(Helper::Atomic),
        Fragment::code("(async () => {"),
        Fragment::Line(1),
        Fragment::Indented(span),
        Fragment::Line(0),
        Fragment::code("})"),
        Fragment::End,
    ];
    let changes = vec![Change { span, with, fit: Fit::Exact }];
    let script = Some(Script { changes, ..Script::default() });
    let pieces = vec![Piece { statement: span, operation: None, script }];
    let form = ir.block_form(function.body);
    Some(Plan { span, form, pieces, parts: vec![Part::Keep(0)] })
}

/// Where the statements of a function stand that can all be those of an arrow function within it.
fn statements(ir: &FileIr, function: &Function) -> Option<Span> {
    let is_fit = function.is_async
        && !function.is_generator
        && matches!(function.kind, FunctionKind::Function | FunctionKind::Arrow | FunctionKind::Method);
    let stmts = ir.block(function.body).iter().map(|&it| ir.stmt(it));
    let mut stmts = stmts.skip_while(|it| is_directive(ir, it));
    let first = stmts.next()?;
    let span = Span::new(first.span.start, stmts.last().unwrap_or(first).span.end);
    let is_plain = !matches!(ir.block_form(function.body), BlockForm::Concise(_));
    (is_fit && is_plain).then_some(span)
}
