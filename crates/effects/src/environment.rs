//! Whether a program sets the environment, or a property of `process`, while it runs: much of the platform goes by that
//! without a word, such as the time zone of dates, folders, and programs that are started.

use headstart_ir::{FileIr, Inst, InstId, VarId};
use headstart_models::without_prefix;
use rustc_hash::FxHashSet;

use crate::bent::name_of;

/// The first place in a function of a file that does so.
pub(crate) fn first_set(ir: &FileIr) -> Option<InstId> {
    let environments = environments(ir);
    let mut all = (0..ir.insts.len()).map(InstId::new);
    all.find(|&id| !ir.is_at_top(id) && sets_environment(ir, ir.inst(id), &environments))
}

/// The variables of a file that hold the environment, or `process`.
fn environments(ir: &FileIr) -> FxHashSet<VarId> {
    let of_process = |it: &&headstart_ir::Import| {
        without_prefix(ir.name(ir.request(it.request).specifier)) == "process"
    };
    let mut found: FxHashSet<VarId> =
        ir.imports.iter().filter(of_process).map(|it| it.local).collect();
    for inst in &ir.insts {
        if let Inst::StoreVar { var, value } = *inst
            && is_environment(ir, value, &found)
        {
            found.insert(var);
        }
    }
    found
}

fn is_environment(ir: &FileIr, value: InstId, of: &FxHashSet<VarId>) -> bool {
    match ir.inst(value) {
        Inst::LoadVar(var) => of.contains(&var),
        Inst::Get { object, key } => {
            let is_process = match ir.inst(object) {
                Inst::LoadGlobal(name) => ir.name(name) == "process",
                Inst::LoadVar(var) => of.contains(&var),
                _ => false,
            };
            is_process && name_of(ir, key.get()) == "env"
        }
        _ => false,
    }
}

/// Whether an instruction sets something in the environment, or a property of `process`.
fn sets_environment(ir: &FileIr, inst: Inst, of: &FxHashSet<VarId>) -> bool {
    match inst {
        Inst::Set { object, key, .. } | Inst::Delete { object, key } => {
            let is_process = matches!(ir.inst(object), Inst::LoadGlobal(name) if ir.name(name) == "process")
                && name_of(ir, key.get()) != "exitCode";
            is_process || is_environment(ir, object, of)
        }
        Inst::CallMethod { method, args, .. } => {
            let Inst::Get { key, .. } = ir.inst(method) else { return false };
            matches!(name_of(ir, key.get()), "assign" | "defineProperty" | "deleteProperty" | "set")
                && ir.args(args).first().is_some_and(|&it| is_environment(ir, it, of))
        }
        _ => false,
    }
}
