//! Statements that go on making an object of the function: `since.setMonth(since.getMonth() - 1)`, `headers.set("a", "b")`,
//! `options.cwd = folder`. Like the declaration of the object they move along with an operation that needs it.

use headstart_effects::{Known, PlaceRoot, Stretch, SummaryLocation};
use headstart_ir::{FileIr, Inst, InstId, Stmt, StmtId, StmtKind, VarId, VarKind};
use rustc_hash::FxHashSet;

use crate::site::name_of;
use crate::unit::{Scope, merged};

/// Objects of the platform whose methods give themselves to nobody but a function that they are handed.
const MADE: [&str; 5] = ["Date", "FormData", "Headers", "URL", "URLSearchParams"];

/// Methods of these, and of lists, sets and maps, that give nothing which sees what is put there later.
const METHODS: [&str; 9] =
    ["add", "append", "at", "delete", "has", "includes", "indexOf", "join", "push"];

/// The variable whose object a statement changes, where it does nothing else, and nobody but the statements of its own
/// block has that; with what it does.
pub(crate) fn building(
    scope: &Scope<'_, '_>,
    (block, stmt): (&[StmtId], &Stmt),
    known: &Known,
) -> Option<(VarId, Stretch)> {
    let ir = scope.analysis.ir;
    let StmtKind::Expression { value } = stmt.kind else { return None };
    let (var, set) = built(ir, stmt, value)?;
    let variable = ir.variable(var);
    let made = ir.initial_value(var).filter(|_| variable.is_stable())?;
    // What a handler around the block, or the next turn of a loop, could see is none.
    let is_of_block = matches!(variable.kind, VarKind::Const | VarKind::Let)
        && block.iter().map(|&it| ir.stmt(it)).any(|it| {
            matches!(it.kind, StmtKind::Declaration { .. }) && it.first <= made && made < it.end
        });
    let is_own = is_of_block
        && variable.owner == scope.function
        && !variable.is_captured
        && is_kept(ir, var, (made, stmt.end))
        && (scope.summaries.is_alone_until(scope.analysis.at(made), stmt.end)
            || ir.is_new_of(made, &MADE));
    if !is_own {
        return None;
    }
    let end = set.unwrap_or(stmt.end);
    let mut stretch = scope.analysis.stretch(stmt.first, end, known).ok()?;
    if let Some(set) = set {
        let mut members = FileIr::range(made, stmt.end).map(|it| ir.inst(it));
        let has_setters =
            members.any(|it| matches!(it, Inst::Accessor { object, .. } if object == made));
        let steps = scope.summaries.steps(scope.at(), set, stmt.end);
        // Setters of the platform may throw: `list.length = -1`, `url.href = "x"`.
        if ir.inst(made) != Inst::Object
            || has_setters
            || steps.iter().any(|it| it.is_anything || it.throws)
        {
            return None;
        }
        stretch.effects.join(merged(&steps));
    }
    let is_of_it = |it: &SummaryLocation| match it {
        SummaryLocation::Memory(place) => place.root == PlaceRoot::Made(scope.analysis.at(made)),
        SummaryLocation::Resource(..) => false,
    };
    let builds = stretch.started.is_empty() && stretch.effects.writes.iter().all(is_of_it);
    builds.then_some((var, stretch))
}

/// Whether nothing but methods that give nothing of what goes on living in it are called on what a variable holds, and
/// it is handed to nobody, between two instructions of its function: an iterator sees what is put there later.
fn is_kept(ir: &FileIr, var: VarId, (first, end): (InstId, InstId)) -> bool {
    let is_it = |it: InstId| ir.inst(it) == Inst::LoadVar(var);
    let mut methods = FxHashSet::default();
    for id in FileIr::range(first, end) {
        if let Inst::CallMethod { object, method, .. } = ir.inst(id)
            && is_it(object)
        {
            let name = name_of(ir, method);
            let is_plain = METHODS.contains(&name.as_str())
                || ["get", "set", "to"].iter().any(|it| name.starts_with(it));
            if !is_plain {
                return false;
            }
            methods.insert(method);
        }
    }
    FileIr::range(first, end).all(|id| {
        let inst = ir.inst(id);
        let own = match inst {
            Inst::Set { object, .. } | Inst::CallMethod { object, .. } => Some(object),
            // What is read of it is a method that is called, or a property of an object that has no methods.
            Inst::Get { object, .. }
                if methods.contains(&id) || !matches!(ir.inst(first), Inst::Array(_)) =>
            {
                Some(object)
            }
            _ => None,
        };
        let mut is_handed = false;
        inst.for_each_operand(ir, &mut |it| is_handed |= is_it(it) && own != Some(it));
        !is_handed
    })
}

/// The variable that a statement calls a method of, or sets a property of; with what does that.
fn built(ir: &FileIr, stmt: &Stmt, value: InstId) -> Option<(VarId, Option<InstId>)> {
    let sets = |it: InstId| match ir.inst(it) {
        Inst::Set { object, .. } => Some((it, object)),
        _ => None,
    };
    let mut set = FileIr::range(stmt.first, stmt.end).filter_map(sets);
    let (set, object) = match (set.next(), set.next(), ir.inst(value)) {
        (None, _, Inst::CallMethod { object, .. }) => (None, object),
        (Some((set, object)), None, _) => (Some(set), object),
        _ => return None,
    };
    match ir.inst(object) {
        Inst::LoadVar(var) => Some((var, set)),
        _ => None,
    }
}
