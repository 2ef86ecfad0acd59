//! State that no place stands for: prototypes that are changed, what is put on those of the language, globals, whether
//! an object can be changed. What reads it does not show what it reads.

use headstart_ir::{FileIr, Inst, InstId, Key, Literal};

use crate::doubts::is_global_object_load;

/// What says whether an object can be changed, and what asks for that.
const FREEZING: [&str; 3] = ["freeze", "preventExtensions", "seal"];
const ASKING: [&str; 3] = ["isExtensible", "isFrozen", "isSealed"];

/// The first place in a file that changes such state.
pub(crate) fn first_bent(ir: &FileIr) -> Option<InstId> {
    let all = || ir.insts.iter().enumerate().map(|(index, &inst)| (InstId::new(index), inst));
    let reads = |names: &'static [&'static str]| {
        all().find(move |&(_, inst)| {
            matches!(inst, Inst::Get { key, .. } if names.contains(&name_of(ir, key.get())))
        })
    };
    let bent = all().find(|&(_, inst)| bends(ir, inst));
    bent.or_else(|| reads(&ASKING).and(reads(&FREEZING))).map(|it| it.0)
}

fn name_of(ir: &FileIr, key: Key) -> &str {
    match key {
        Key::Name(name) => ir.name(name),
        _ => "",
    }
}

fn bends(ir: &FileIr, inst: Inst) -> bool {
    match inst {
        Inst::Get { key, .. } => matches!(name_of(ir, key.get()), "__proto__" | "hasInstance"),
        Inst::Set { object, key, value } => match name_of(ir, key.get()) {
            "prepareStackTrace" => true,
            "__proto__" => {
                let is_new = matches!(ir.inst(value), Inst::Literal(_) | Inst::Await(_));
                ir.inst(object) != Inst::Object || !is_new
            }
            _ => is_global_object_load(ir, object) || is_own_prototype(ir, object),
        },
        Inst::CallMethod { object, method, args } => {
            let Inst::Get { key, .. } = ir.inst(method) else { return false };
            let args = ir.args(args);
            let first = args.first().map(|&it| ir.inst(it));
            let of = matches!(ir.inst(object), Inst::LoadGlobal(it)
                if matches!(ir.name(it), "Object" | "Reflect"));
            let changes = match name_of(ir, key.get()) {
                "create" => of && !matches!(first, Some(Inst::Literal(Literal::Null))),
                // A class mends its own instance that way.
                "setPrototypeOf" => of && first != Some(Inst::This),
                _ => false,
            };
            let reaches = |it: &InstId| is_global_object_load(ir, *it) || is_own_prototype(ir, *it);
            changes || (of && args.iter().any(reaches))
        }
        _ => false,
    }
}

/// `Array.prototype`: of a class that no file declares.
fn is_own_prototype(ir: &FileIr, value: InstId) -> bool {
    match ir.inst(value) {
        Inst::Get { object, key } => {
            matches!(key.get(), Key::Name(name) if ir.name(name) == "prototype")
                && matches!(ir.inst(object), Inst::LoadGlobal(_))
        }
        _ => false,
    }
}
