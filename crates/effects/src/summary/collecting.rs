//! Sets of a module that are only added to, emptied, and gone through as a whole: who adds first decides in which order
//! they are gone through, and nothing else.
//!
//! `const secrets = new Set(); const note = (it) => secrets.add(it); const hide = (text) => secrets.forEach(…)`

use headstart_ir::{ExportSource, FileIr, Inst, InstId, Key, VarId, VarKind};
use rustc_hash::FxHashSet;

use super::readers::callee_name;

/// What asks a set for one of its items, or how many there are: that depends on what has been added by then.
const ASKS: [&str; 2] = ["has", "delete"];

/// The calls that add something to such a set.
pub(super) fn additions(ir: &FileIr) -> Vec<InstId> {
    let all = || (0..ir.insts.len()).map(InstId::new);
    let mut adding = all()
        .filter_map(|it| Some((it, ir.method_call(it)?)))
        .filter(|it| it.1.1 == "add")
        .peekable();
    if adding.peek().is_none() {
        return Vec::new();
    }
    let sets = sets_of_module(ir);
    let found: Vec<InstId> =
        adding.filter(|it| is_one_of(ir, it.1.0, &sets)).map(|it| it.0).collect();
    if found.is_empty() || all().any(|it| may_ask(ir, it, &sets)) {
        return Vec::new();
    }
    found
}

/// The sets that a module makes once, and does not export.
fn sets_of_module(ir: &FileIr) -> FxHashSet<VarId> {
    let module = ir.functions.first();
    let all = module.into_iter().flat_map(|it| FileIr::range(it.first, it.end));
    let made = all.filter_map(|id| match ir.inst(id) {
        Inst::StoreVar { var, value } if makes_set(ir, value) => Some(var),
        _ => None,
    });
    let exported: FxHashSet<VarId> = ir
        .exports
        .iter()
        .filter_map(|it| match it.source {
            ExportSource::Local(var) => Some(var),
            _ => None,
        })
        .collect();
    made.filter(|&it| {
        let variable = ir.variable(it);
        variable.owner.index() == 0 && variable.writes == 1 && !exported.contains(&it)
    })
    .collect()
}

fn makes_set(ir: &FileIr, value: InstId) -> bool {
    ir.is_new_of(value, &["Set"])
        && matches!(ir.inst(value), Inst::New { args, .. } if ir.args(args).is_empty())
}

/// Whether a value is one of some variables, or of two: `isGlobal ? all : own`.
fn is_one_of(ir: &FileIr, value: InstId, sets: &FxHashSet<VarId>) -> bool {
    let is_it = |it: InstId| matches!(ir.inst(it), Inst::LoadVar(var) if sets.contains(&var));
    let value = match ir.inst(value) {
        Inst::LoadVar(var) if !sets.contains(&var) && ir.variable(var).writes == 1 => {
            ir.initial_value(var).unwrap_or(value)
        }
        _ => value,
    };
    match ir.inst(value) {
        Inst::Select(one, other) => is_it(one) && is_it(other),
        _ => is_it(value),
    }
}

/// Whether an instruction may ask one of some sets for an item, or how many it has.
fn may_ask(ir: &FileIr, at: InstId, sets: &FxHashSet<VarId>) -> bool {
    let of = match ir.inst(at) {
        Inst::CallMethod { object, .. }
            if callee_name(ir, at).is_some_and(|it| ASKS.contains(&it)) =>
        {
            object
        }
        Inst::Get { object, key } => match key.get() {
            Key::Name(name) if ir.name(name) == "size" => object,
            _ => return false,
        },
        _ => return false,
    };
    let is_another = match ir.inst(of) {
        Inst::LoadVar(var) => {
            let kind = ir.variable(var).kind;
            let is_own = ir
                .initial_value(var)
                .is_some_and(|it| !matches!(ir.inst(it), Inst::Select(..) | Inst::LoadVar(_)));
            !sets.contains(&var) && (kind == VarKind::Import || is_own)
        }
        _ => false,
    };
    !is_another
}
