//! `reduce` with an async callback, of which each call waits for the one before it.
//!
//! ## What it does
//! Points at an operation of the callback that reads from outside the program and stands behind the await of what
//! the calls before have gathered. There is no edit: who goes over the items in a `for … of` loop gets one.
//!
//! ## Before
//! ```js
//! const users = await ids.reduce(async (gathered, id) => {
//!   const list = await gathered;
//!   return [...list, await fetchUser(id)];
//! }, Promise.resolve([]));
//! ```
//!
//! ## When not
//! See `docs/sequential-reduce.md`: where the operation needs what has been gathered, or changes something.

use headstart_effects::{Blocker, Code};
use headstart_ir::{FileIr, Inst, InstId, Span};

use super::{Find, Meta, Rewrite};
use crate::arbiter::{Proposal, Proposals};
use crate::block::Block;
use crate::finding::{Finding, Level};
use crate::site::{Site, handed_to, touches_outside};
use crate::unit::{Scope, Unit, variables};
use crate::words;

pub(super) const REWRITE: Rewrite = Rewrite {
    meta: Meta {
        id: "sequential-reduce",
        summary: "Calls of an async callback of reduce wait for one another",
        description: "The async callback of a `reduce` awaits what the calls before it have gathered, and \
                      reads from outside the program only then, though that needs nothing of it.",
        help: "Go over the items in a `for … of` loop, whose turns `headstart fix` has start ahead; or read all \
               of them with `Promise.all` first.",
        edits: None,
        remedy: "read before what has been gathered is awaited",
        here: None,
        waits_for: "for the calls before to end",
        levels: &[Level::Hint],
    },
    find: Find::Block(find),
};

fn find<'p>(block: &Block<'_, 'p>, _: &Proposals<'p>) -> Vec<Proposal<'p>> {
    let scope = block.scope;
    let ir = scope.analysis.ir;
    // Hardly any block does, so that is asked first.
    let Some(lead) = block.units.iter().position(|it| awaits_gathered(ir, it)) else {
        return Vec::new();
    };
    let Some(reduce) = reducing(scope) else { return Vec::new() };
    let of_unit = |(index, unit): (usize, &Unit<'p>)| {
        let site = unit.site.as_ref().filter(|it| reads(it))?;
        let end = InstId::new(site.operation.index() + 1);
        let (uses, _) = variables(ir, site.first, end);
        let lead = &block.units[lead];
        let is_free = uses.is_disjoint(&lead.writes) && !unit.is_ignored;
        is_free.then(|| Proposal::of(hint(ir, lead, site, reduce), (index, index)))
    };
    block.units.iter().enumerate().skip(lead + 1).find_map(of_unit).into_iter().collect()
}

/// The call of `reduce` that a function is handed to, if it is async.
fn reducing(scope: Scope<'_, '_>) -> Option<InstId> {
    let ir = scope.analysis.ir;
    if !ir.function(scope.function).is_async {
        return None;
    }
    let mut calls = handed_to(ir, scope.function);
    let is_reduce = |method: &str| matches!(method, "reduce" | "reduceRight");
    calls.find(|(_, method, position)| *position == 0 && is_reduce(method)).map(|it| it.0)
}

/// Whether a statement awaits the first parameter of its function: what the calls before have gathered.
fn awaits_gathered(ir: &FileIr, unit: &Unit<'_>) -> bool {
    let is_first = |value: InstId| match ir.inst(value) {
        Inst::LoadVar(var) => {
            ir.initial_value(var).is_some_and(|it| ir.inst(it) == Inst::Param(0))
        }
        it => it == Inst::Param(0),
    };
    FileIr::range(unit.stmt.first, unit.stmt.end)
        .any(|it| matches!(ir.inst(it), Inst::Await(value) if is_first(value)))
}

/// Whether an operation only reads something outside the program.
fn reads(site: &Site<'_>) -> bool {
    site.only_reads() && site.stretch.as_ref().is_ok_and(|it| touches_outside(&it.effects))
}

fn hint(ir: &FileIr, lead: &Unit<'_>, site: &Site<'_>, reduce: InstId) -> Finding {
    let range: Span = ir.span(site.suspension);
    Finding {
        rule: REWRITE.meta.id,
        level: Level::Hint,
        range,
        message: format!(
            "`{}` of each item waits for that of the one before it, though it needs nothing from it",
            words::callee_text(ir, site.operation)
        ),
        overlaps: Vec::new(),
        crosses: vec![lead.stmt.span],
        assumptions: Vec::new(),
        blockers: vec![Blocker::new(Code::HandsPromisesOn, ir.span(reduce))],
        gain: 0,
        plan: None,
    }
}
