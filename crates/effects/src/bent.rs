//! State that no place stands for: prototypes that are changed, what is put on those of the language, globals, whether
//! an object can be changed. What reads it does not show what it reads.

use headstart_ir::{FileIr, Import, Imported, Inst, InstId, Key, Literal, VarId};
use headstart_models::without_prefix;
use rustc_hash::FxHashSet;

use crate::doubts::is_global_object_load;

/// What says whether an object can be changed, and what asks for that.
const FREEZING: [&str; 3] = ["freeze", "preventExtensions", "seal"];
const ASKING: [&str; 3] = ["isExtensible", "isFrozen", "isSealed"];

/// Methods that the language calls by their names when it needs a value of another kind.
const CONVERTING: [&str; 3] = ["toJSON", "toString", "valueOf"];

/// The members of `process` that have a place of their own.
const WITH_A_PLACE: [&str; 2] = ["env", "exitCode"];

/// The methods that change a list.
const CHANGING: [&str; 9] =
    ["copyWithin", "fill", "pop", "push", "reverse", "shift", "sort", "splice", "unshift"];

/// The first place in a file that changes such state.
pub(crate) fn first_bent(ir: &FileIr) -> Option<InstId> {
    let all = || ir.insts.iter().enumerate().map(|(index, &inst)| (InstId::new(index), inst));
    let reads = |names: &'static [&'static str]| {
        all().find(move |&(_, inst)| {
            matches!(inst, Inst::Get { key, .. } if names.contains(&name_of(ir, key.get())))
        })
    };
    // What a module does while it is loaded, it does before anything of it runs.
    let is_later = |it: InstId| {
        ir.functions.first().is_none_or(|module| !(module.first <= it && it < module.end))
    };
    let lists = kept_lists(ir);
    let bends = |id, inst| bends(ir, inst) || (is_later(id) && bends_later(ir, inst, &lists));
    let bent = all().find(|&(id, inst)| bends(id, inst));
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

/// Whether an instruction changes what objects inherit, what they are converted to, or state of the language and
/// the platform that nobody has to name to go by it: `Buffer.poolSize`, `Error.stackTraceLimit`, `process.argv`.
fn bends_later(ir: &FileIr, inst: Inst, lists: &FxHashSet<VarId>) -> bool {
    match inst {
        Inst::Set { object, key, .. } | Inst::Delete { object, key } => {
            let converts = match key.get() {
                Key::Name(name) => {
                    let name = ir.name(name);
                    name == "prototype" || CONVERTING.contains(&name)
                }
                Key::Private(_) => false,
                Key::Computed(key) => is_well_known_symbol(ir, key),
            };
            let is_new = matches!(ir.inst(object), Inst::Object | Inst::Class(_));
            (converts && !is_new) || is_platform(ir, object, name_of(ir, key.get()), lists)
        }
        Inst::CallMethod { object, method, args } => {
            let Inst::Get { key, .. } = ir.inst(method) else { return false };
            let of = matches!(ir.inst(object), Inst::LoadGlobal(it)
                if matches!(ir.name(it), "Object" | "Reflect"));
            let reaches = |it: &InstId| is_platform(ir, *it, "", lists);
            (CHANGING.contains(&name_of(ir, key.get())) && is_list_of_process(ir, object, lists))
                || (of && ir.args(args).first().is_some_and(reaches))
        }
        _ => false,
    }
}

fn is_well_known_symbol(ir: &FileIr, key: InstId) -> bool {
    matches!(ir.inst(key), Inst::Get { object, .. }
        if matches!(ir.inst(object), Inst::LoadGlobal(name) if ir.name(name) == "Symbol"))
}

/// Whether a member of an object is such state.
fn is_platform(ir: &FileIr, object: InstId, member: &str, lists: &FxHashSet<VarId>) -> bool {
    match ir.inst(object) {
        Inst::LoadGlobal(name) => matches!(ir.name(name), "Buffer" | "Error"),
        Inst::LoadVar(var) if !lists.contains(&var) => ir.imports.iter().any(|it| {
            let is_buffer =
                matches!(it.imported, Imported::Name(name) if ir.name(name) == "Buffer");
            it.local == var && is_buffer && is_of(ir, it, "buffer")
        }),
        _ => !WITH_A_PLACE.contains(&member) && is_list_of_process(ir, object, lists),
    }
}

/// `process.argv`, or a variable that holds it.
fn is_list_of_process(ir: &FileIr, value: InstId, lists: &FxHashSet<VarId>) -> bool {
    match ir.inst(value) {
        Inst::LoadVar(var) => lists.contains(&var),
        Inst::Get { object, key } => {
            is_process(ir, object) && !WITH_A_PLACE.contains(&name_of(ir, key.get()))
        }
        _ => false,
    }
}

fn is_process(ir: &FileIr, value: InstId) -> bool {
    match ir.inst(value) {
        Inst::LoadGlobal(name) => ir.name(name) == "process",
        Inst::LoadVar(var) => ir.imports.iter().any(|it| {
            it.local == var && !matches!(it.imported, Imported::Name(_)) && is_of(ir, it, "process")
        }),
        _ => false,
    }
}

fn is_of(ir: &FileIr, import: &Import, module: &str) -> bool {
    without_prefix(ir.name(ir.request(import.request).specifier)) == module
}

/// The variables that hold such a list.
fn kept_lists(ir: &FileIr) -> FxHashSet<VarId> {
    let none = FxHashSet::default();
    let held = ir.insts.iter().filter_map(|inst| match *inst {
        Inst::StoreVar { var, value } if is_list_of_process(ir, value, &none) => Some(var),
        _ => None,
    });
    let imported = ir.imports.iter().filter(|it| {
        let is_list =
            matches!(it.imported, Imported::Name(name) if !WITH_A_PLACE.contains(&ir.name(name)));
        is_list && is_of(ir, it, "process")
    });
    held.chain(imported.map(|it| it.local)).collect()
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
