//! State that no place stands for: prototypes that are changed, what is put on those of the language, globals, whether
//! an object can be changed. What reads it does not show what it reads.

use headstart_ir::{
    Class, ClassMember, FileIr, FileKind, FunctionId, FunctionKind, Import, Imported, Inst, InstId,
    Key, Literal, MemberKind, PropKey, VarId, Variable,
};
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
    let sloppy = || {
        let is_it = |inst| is_called_sloppily(ir, inst) || shows_parameters(ir, inst);
        all().find(|&(_, inst)| is_it(inst)).or_else(|| all().find(|&(_, inst)| swaps(ir, inst)))
    };
    bent.or_else(|| reads(&ASKING).and(reads(&FREEZING))).or_else(sloppy).map(|it| it.0)
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
            _ if ir.inst(object) == Inst::ImportMeta => true,
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

/// Whether a function is called plainly that uses its `this`: outside of modules and strict code, that is the
/// global object (ECMA-262, 10.2.1.2).
fn is_called_sloppily(ir: &FileIr, inst: Inst) -> bool {
    let Inst::Call { callee, .. } = inst else { return false };
    let Inst::LoadVar(var) = ir.inst(callee) else { return false };
    let closure = ir.variable(var).init.and_then(|it| match ir.inst(it) {
        Inst::StoreVar { value, .. } => Some(ir.inst(value)),
        _ => None,
    });
    let Some(Inst::Closure(function)) = closure else { return false };
    let data = ir.function(function);
    let changes = |it| match ir.inst(it) {
        Inst::Set { object: of, .. } | Inst::Return(of) => ir.inst(of) == Inst::This,
        _ => false,
    };
    ir.kind != FileKind::Module
        && data.kind == FunctionKind::Function
        && FileIr::range(data.first, data.end).any(changes)
}

/// Whether an instruction hands on, or changes, the `arguments` of a function: outside of modules and strict code
/// its parameters are the same (ECMA-262, 10.4.4).
fn shows_parameters(ir: &FileIr, inst: Inst) -> bool {
    let of = match inst {
        Inst::Set { object, value, .. } => [object, value],
        Inst::StoreVar { value, .. } | Inst::Return(value) => [value, value],
        // A parameter that closures change, where `arguments` may show it.
        Inst::Arguments => {
            let owns =
                |it: &Variable| it.is_written_by_closure && ir.function(it.owner).has_dynamic_scope;
            return ir.kind != FileKind::Module && ir.variables.iter().any(owns);
        }
        _ => return false,
    };
    ir.kind != FileKind::Module && of.iter().any(|&it| ir.inst(it) == Inst::Arguments)
}

/// Whether an instruction makes a class that extends one of the file whose constructor returns something else:
/// its fields are put on that.
fn swaps(ir: &FileIr, inst: Inst) -> bool {
    let Inst::Class(class) = inst else { return false };
    let parent = ir.class(class).super_class.map(|it| ir.inst(it));
    let Some(Inst::LoadVar(var)) = parent else { return false };
    let Some(parent) = ir.variable(var).class else { return false };
    let returns = |function: FunctionId| {
        let data = ir.function(function);
        let is_other = |it: InstId| match ir.inst(it) {
            Inst::Return(value) => !matches!(ir.inst(value), Inst::This | Inst::Literal(_)),
            _ => false,
        };
        FileIr::range(data.first, data.end).any(is_other)
    };
    let is_constructor = |it: &&ClassMember| it.kind == MemberKind::Constructor;
    ir.class(parent).members.iter().filter(is_constructor).any(|it| returns(it.function))
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
            (converts && !is_new)
                || is_inherited(ir, object)
                || is_platform(ir, object, name_of(ir, key.get()), lists)
        }
        Inst::CallMethod { object, method, args } => {
            let Inst::Get { key, .. } = ir.inst(method) else { return false };
            let of = matches!(ir.inst(object), Inst::LoadGlobal(it)
                if matches!(ir.name(it), "Object" | "Reflect"));
            let reaches = |it: &InstId| is_platform(ir, *it, "", lists) || is_inherited(ir, *it);
            let name = name_of(ir, key.get());
            (CHANGING.contains(&name) && is_list_of_process(ir, object, lists))
                || name == "inherits"
                || (of && ir.args(args).first().is_some_and(reaches))
        }
        _ => false,
    }
}

fn is_well_known_symbol(ir: &FileIr, key: InstId) -> bool {
    matches!(ir.inst(key), Inst::Get { object, .. }
        if matches!(ir.inst(object), Inst::LoadGlobal(name) if ir.name(name) == "Symbol"))
}

/// Whether other objects inherit what an object has: a prototype, a class that another one of the file extends.
fn is_inherited(ir: &FileIr, object: InstId) -> bool {
    let is_named =
        |key: PropKey, it: &str| matches!(key.get(), Key::Name(name) if ir.name(name) == it);
    match ir.inst(object) {
        Inst::Get { key, .. } => is_named(key, "prototype"),
        Inst::CallMethod { method, .. } => {
            matches!(ir.inst(method), Inst::Get { key, .. } if is_named(key, "getPrototypeOf"))
        }
        Inst::LoadVar(var) => {
            let extends = |class: &Class| {
                class.super_class.is_some_and(|it| ir.inst(it) == Inst::LoadVar(var))
            };
            ir.variable(var).class.is_some() && ir.classes.iter().any(extends)
        }
        _ => false,
    }
}

/// Whether a member of an object is such state.
fn is_platform(ir: &FileIr, object: InstId, member: &str, lists: &FxHashSet<VarId>) -> bool {
    match ir.inst(object) {
        Inst::LoadGlobal(name) => match ir.name(name) {
            "Buffer" | "Error" => true,
            "module" => member != "exports",
            _ => false,
        },
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
