//! Objects that are other than what they look like: a Proxy, a base that gives another object than the one that is
//! made, an error with accessors, lists with methods of their own, ways from one frame or module to the one around.
//! What natives do with such an object runs code, or reaches what no path leads to.

use headstart_ir::{Class, FileIr, Inst, InstId, Key, MemberKind};

use crate::bent::{is_prototype, name_of, returns_other};
use crate::summary::is_new_proxy;

/// Methods that natives and rewritten loops ask a list for.
const OF_LISTS: [&str; 8] =
    ["at", "concat", "entries", "forEach", "keys", "map", "slice", "values"];

/// The first place in a file that makes such an object, or takes such a way.
pub(crate) fn first_odd_shape(ir: &FileIr) -> Option<InstId> {
    ir.insts.iter().position(|&inst| is_odd(ir, inst)).map(InstId::new)
}

fn is_odd(ir: &FileIr, inst: Inst) -> bool {
    match inst {
        Inst::New { .. } | Inst::CallMethod { .. } => is_new_proxy(ir, inst),
        Inst::Class(class) => {
            let class = ir.class(class);
            extends_odd(ir, class) || (class.name.is_none() && gives_other(ir, class))
        }
        Inst::Set { object, key, value } => {
            sets_odd(ir, object, name_of(ir, key.get()), value) || leads_up(ir, object)
        }
        Inst::Get { object, key } => {
            leads_up(ir, object)
                || (name_of(ir, key.get()) == "callee" && ir.inst(object) == Inst::Arguments)
        }
        _ => false,
    }
}

/// `list.constructor = …`, which natives make lists with; `list.keys = …`. That of a prototype is what it was.
fn sets_odd(ir: &FileIr, object: InstId, key: &str, value: InstId) -> bool {
    let is_fresh = matches!(ir.inst(object), Inst::Object | Inst::This);
    match key {
        "constructor" => !is_prototype(ir, object) && !is_fresh,
        _ => {
            OF_LISTS.contains(&key)
                && matches!(ir.inst(value), Inst::Closure(_))
                && matches!(held(ir, object), Some(Inst::Array(_)))
        }
    }
}

/// Something of `module.parent` or `module.children`: other modules.
fn leads_up(ir: &FileIr, object: InstId) -> bool {
    matches!(ir.inst(object), Inst::Get { object, key }
        if matches!(name_of(ir, key.get()), "children" | "parent")
            && matches!(ir.inst(object), Inst::LoadGlobal(name) if ir.name(name) == "module"))
}

/// Whether a class extends what is made by a call of `new`, or a function that returns something, or is an error
/// with accessors: who catches it reads them as if they were fields.
fn extends_odd(ir: &FileIr, class: &Class) -> bool {
    let Some(parent) = class.super_class else { return false };
    let is_made = |inst: Option<Inst>| match inst {
        Some(Inst::New { .. }) => true,
        Some(Inst::Closure(function)) => returns_other(ir, function),
        _ => false,
    };
    is_made(Some(ir.inst(parent)))
        || is_made(held(ir, parent))
        || (has_accessors(class) && is_error(ir, parent, 8))
}

/// Whether the constructor of a class may give another object than the one that is made.
pub(crate) fn gives_other(ir: &FileIr, class: &Class) -> bool {
    let mut constructors = class.members.iter().filter(|it| it.kind == MemberKind::Constructor);
    constructors.any(|it| returns_other(ir, it.function))
}

fn has_accessors(class: &Class) -> bool {
    let is_one = |kind: MemberKind| matches!(kind, MemberKind::Getter | MemberKind::Setter);
    class.members.iter().any(|it| is_one(it.kind) && !it.is_static)
}

/// Whether a class is `Error`, another error of the language or of a package by its name, or extends one.
fn is_error(ir: &FileIr, class: InstId, steps: u32) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return true };
    match ir.inst(class) {
        Inst::LoadGlobal(name) => ir.name(name).ends_with("Error"),
        Inst::LoadVar(var) => match ir.variable(var).class {
            Some(class) => ir.class(class).super_class.is_some_and(|it| is_error(ir, it, steps)),
            None => ir.name(ir.variable(var).name).ends_with("Error"),
        },
        Inst::Get { key, .. } => {
            matches!(key.get(), Key::Name(name) if ir.name(name).ends_with("Error"))
        }
        _ => false,
    }
}

/// What a variable is given where it is declared.
pub(crate) fn held(ir: &FileIr, value: InstId) -> Option<Inst> {
    let Inst::LoadVar(var) = ir.inst(value) else { return None };
    ir.initial_value(var).map(|it| ir.inst(it))
}
