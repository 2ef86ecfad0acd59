//! State and code that no place stands for, told by how a file is written: objects that the language makes itself
//! and hands to nobody by name (`import.meta`, `new.target`), methods that it calls at the end of things, settings
//! of the platform. What comes by them does not show what it reads, writes or runs.

use headstart_ir::{
    Class, FileIr, Function, FunctionKind, Imported, Inst, InstId, Key, MemberKind,
};

use crate::bent::{is_well_known_symbol, name_of};
use crate::shapes::held;
use crate::summary::matches::FOUND;

/// What may be looked at of the class that a constructor makes an object of: nobody counts by it.
const OF_CLASSES: [&str; 3] = ["captureStackTrace", "name", "prototype"];

/// Methods that set something for the whole process, or run what they are given when something is made.
const SETTING: [&str; 4] =
    ["addInitializer", "setDefaultResultOrder", "setServers", "setSourceMapsEnabled"];

/// Accessors that the language reads without a word in the program.
const READ_SILENTLY: [&str; 4] = ["done", "next", "return", "then"];

/// Keys of the language under which natives look for a method, or for a mark.
const ASKED_FOR: [&str; 8] = [
    "isConcatSpreadable",
    "match",
    "matchAll",
    "replace",
    "search",
    "species",
    "split",
    "toStringTag",
];

/// The first place in a file where something comes by such a way.
pub(crate) fn first_unplaced(ir: &FileIr) -> Option<InstId> {
    let found = (0..ir.insts.len()).map(InstId::new).find(|&id| {
        let inst = ir.inst(id);
        hands_on(ir, inst) || is_by_marker(ir, inst)
    });
    found.or_else(|| by_class(ir)).or_else(|| by_constructor(ir))
}

/// Whether an instruction uses an object that only the language names otherwise than by looking at a property, or
/// by comparing it.
fn hands_on(ir: &FileIr, inst: Inst) -> bool {
    match inst {
        Inst::Get { object, key } => {
            ir.inst(object) == Inst::NewTarget && !OF_CLASSES.contains(&name_of(ir, key.get()))
        }
        Inst::Pure1(_) | Inst::Pure2(..) | Inst::Conditional { .. } => false,
        _ => {
            let mut does = false;
            inst.for_each_operand(ir, &mut |it| {
                does |= matches!(ir.inst(it), Inst::ImportMeta | Inst::NewTarget);
            });
            does && !matches!(inst, Inst::CallMethod { object, .. } if ir.inst(object) == Inst::ImportMeta)
        }
    }
}

/// Whether code runs, or state is set, by way of a name that only the platform knows.
fn is_by_marker(ir: &FileIr, inst: Inst) -> bool {
    let is_custom = |it: InstId| {
        matches!(ir.inst(it), Inst::Get { object, key }
            if name_of(ir, key.get()) == "custom" && is_called_promisify(ir, object))
    };
    match inst {
        Inst::Set { object, key, value } => match key.get() {
            Key::Computed(key) => is_custom(key) || is_asked_for(ir, key),
            Key::Name(name) if ir.name(name) == "return" => {
                ir.inst(object) == Inst::Object && matches!(ir.inst(value), Inst::Closure(_))
            }
            _ => false,
        },
        // What lists are told by, natives read of whatever looks like one.
        Inst::Accessor { key, .. } => match key.get() {
            Key::Name(name) => {
                let name = ir.name(name);
                READ_SILENTLY.contains(&name)
                    || name == "length"
                    || name.bytes().all(|it| it.is_ascii_digit())
            }
            Key::Computed(key) => is_iterator(ir, key),
            Key::Private(_) => false,
        },
        Inst::Get { object, key } => {
            let name = name_of(ir, key.get());
            // What is written through one view of the same bytes, another one reads.
            name == "buffer"
                || matches!(ir.inst(object), Inst::LoadGlobal(it) if ir.name(it) == "RegExp")
                    && FOUND.contains(&name)
        }
        Inst::New { callee, .. } => {
            matches!(ir.inst(callee), Inst::LoadGlobal(it) if ir.name(it) == "DataView")
        }
        Inst::CallMethod { object, method, args } => {
            let Inst::Get { key, .. } = ir.inst(method) else { return false };
            let is_marked = |&it: &InstId| is_iterator(ir, it);
            let is_of_performance = matches!(ir.inst(object), Inst::LoadGlobal(name)
                if ir.name(name) == "performance");
            match name_of(ir, key.get()) {
                "defineProperty" => ir.args(args).get(1).is_some_and(is_marked),
                "clearMarks" | "mark" | "measure" => is_of_performance,
                // `Array.from.call(Class, list)`, `bind.apply(f, list)`
                name @ ("apply" | "call") => {
                    is_maker(ir, object)
                        || is_passing(ir, object)
                        // An object that is taken for a list.
                        || (name == "apply" && ir.args(args).iter().skip(1).any(|&it| is_object(ir, it)))
                }
                // What is no object becomes one, with what it is given.
                "assign" => {
                    let first = ir.args(args).first().map(|&it| ir.inst(it));
                    matches!(first, Some(Inst::Literal(_) | Inst::Template(_)))
                }
                name => SETTING.contains(&name),
            }
        }
        _ => false,
    }
}

/// `Symbol.iterator`, `Symbol.asyncIterator`
fn is_iterator(ir: &FileIr, value: InstId) -> bool {
    matches!(ir.inst(value), Inst::Get { key, .. }
        if matches!(name_of(ir, key.get()), "iterator" | "asyncIterator"))
}

fn is_called_promisify(ir: &FileIr, value: InstId) -> bool {
    match ir.inst(value) {
        Inst::LoadVar(var) => {
            let import = ir.import_of(var);
            match import.map(|it| it.imported) {
                Some(Imported::Name(name)) => ir.name(name) == "promisify",
                _ => ir.name(ir.variable(var).name) == "promisify",
            }
        }
        Inst::Get { key, .. } => name_of(ir, key.get()) == "promisify",
        _ => false,
    }
}

/// `Symbol.replace` and its like: natives ask what they are given for a method or a mark under such a key.
fn is_asked_for(ir: &FileIr, value: InstId) -> bool {
    is_well_known_symbol(ir, value)
        && matches!(ir.inst(value), Inst::Get { key, .. }
            if ASKED_FOR.contains(&name_of(ir, key.get())))
}

/// Whether a value is an object that is written out, or a name for one.
fn is_object(ir: &FileIr, value: InstId) -> bool {
    ir.inst(value) == Inst::Object || held(ir, value) == Some(Inst::Object)
}

/// `bind`, `call` or `apply` of a function.
fn is_passing(ir: &FileIr, value: InstId) -> bool {
    matches!(ir.inst(value), Inst::Get { key, .. }
        if matches!(name_of(ir, key.get()), "apply" | "bind" | "call"))
}

/// `Array.from`, `Array.of`
fn is_maker(ir: &FileIr, value: InstId) -> bool {
    let Inst::Get { object, key } = ir.inst(value) else { return false };
    matches!(name_of(ir, key.get()), "from" | "of")
        && matches!(ir.inst(object), Inst::LoadGlobal(name) if ir.name(name) == "Array")
}

/// The first class with a method that the language calls when nobody goes on with it, with an accessor that it
/// reads silently, or with a constructor that methods of the platform call.
fn by_class(ir: &FileIr) -> Option<InstId> {
    let is_silent = |class: &Class| {
        class.members.iter().any(|it| {
            let name = name_of(ir, it.key.get());
            match it.kind {
                MemberKind::Getter => READ_SILENTLY.contains(&name),
                MemberKind::Method => name == "return",
                _ => false,
            }
        })
    };
    let makes = |class: &Class| {
        let is_array = |it: InstId| {
            matches!(ir.inst(it), Inst::LoadGlobal(name)
                if matches!(ir.name(name), "Array" | "Promise") || ir.name(name).ends_with("Array"))
        };
        class.super_class.is_some_and(is_array)
            && class.members.iter().any(|it| it.kind == MemberKind::Constructor)
    };
    let is_one = |inst: &Inst| {
        matches!(*inst, Inst::Class(class)
            if is_silent(ir.class(class)) || makes(ir.class(class)))
    };
    ir.insts.iter().position(is_one).map(InstId::new)
}

/// The first place in a constructor that goes by the class of what is made: `this.constructor.count++`.
fn by_constructor(ir: &FileIr) -> Option<InstId> {
    let is_constructor = |it: &&Function| it.kind == FunctionKind::Constructor;
    let is_class = |it: InstId| {
        matches!(ir.inst(it), Inst::Get { object, key }
            if ir.inst(object) == Inst::This && name_of(ir, key.get()) == "constructor")
    };
    let goes_by = |id: InstId| match ir.inst(id) {
        Inst::Get { object, key } => {
            is_class(object) && !OF_CLASSES.contains(&name_of(ir, key.get()))
        }
        Inst::Set { object, .. } => is_class(object),
        Inst::StoreVar { value, .. } => is_class(value),
        _ => false,
    };
    let mut bodies = ir.functions.iter().filter(is_constructor);
    bodies.find_map(|it| FileIr::range(it.first, it.end).find(|&id| goes_by(id)))
}
