//! Methods of the program that functions of the language call, and accessors that they read, though nothing in the
//! program says so: `valueOf` of what is put into a list of numbers, `has` of what a set is compared with, `join` of
//! a list that becomes a text. Where they change something, what comes by them does not show what it changes.

use headstart_ir::{Class, FileIr, FunctionId, Inst, InstId, Key, Literal, MemberKind, PropKey};

use crate::bent::{CONVERTING, is_well_known_symbol, name_of};

/// Methods of what the language makes that others of its methods call, by the names that heirs give to their own.
const OVERRIDDEN: [&str; 12] = [
    "exec",
    "flags",
    "has",
    "join",
    "keys",
    "lastIndex",
    "resolve",
    "size",
    "then",
    "toISOString",
    "toJSON",
    "toString",
];

/// What is called on lists, patterns and dates without a word where the program has put one there.
const PUT: [&str; 4] = ["exec", "join", "resolve", "toISOString"];

/// Methods of sets that call `has`, `keys` and `size` of what they are given (ECMA-262, 24.2.1.2).
const OF_SETS: [&str; 7] = [
    "difference",
    "intersection",
    "isDisjointFrom",
    "isSubsetOf",
    "isSupersetOf",
    "symmetricDifference",
    "union",
];

/// Parts of an address, which natives read of whatever looks like one.
const OF_ADDRESSES: [&str; 3] = ["href", "pathname", "protocol"];

/// What changes nothing, wherever it is called.
const HARMLESS: [&str; 24] = [
    "String",
    "Number",
    "Boolean",
    "concat",
    "filter",
    "get",
    "has",
    "includes",
    "join",
    "keys",
    "map",
    "padEnd",
    "padStart",
    "replace",
    "slice",
    "split",
    "stringify",
    "toFixed",
    "toISOString",
    "toLowerCase",
    "toString",
    "toUpperCase",
    "trim",
    "values",
];

/// The first place in a file that has such a method, or calls what calls one.
pub(crate) fn first_called_by_natives(ir: &FileIr) -> Option<InstId> {
    let found = ir.insts.iter().position(|&inst| match inst {
        Inst::Class(class) => is_called(ir, ir.class(class)),
        Inst::Set { key, value, .. } => puts(ir, key, value),
        Inst::Accessor { key, function, .. } => {
            OF_ADDRESSES.contains(&name_of(ir, key.get())) && changes(ir, function)
        }
        Inst::CallMethod { method, args, .. } => {
            let Inst::Get { key, .. } = ir.inst(method) else { return false };
            let args = ir.args(args);
            match name_of(ir, key.get()) {
                // An accessor in a list.
                "defineProperty" => args.get(1).is_some_and(|&it| is_index(ir, it)),
                name => OF_SETS.contains(&name) && args.len() == 1,
            }
        }
        _ => false,
    });
    found.map(InstId::new)
}

/// Whether natives call a method of a class, or read an accessor, that changes something.
fn is_called(ir: &FileIr, class: &Class) -> bool {
    let extends_native = class.super_class.is_some_and(|it| {
        matches!(ir.inst(it), Inst::LoadGlobal(name) if {
            let name = ir.name(name);
            matches!(name, "Date" | "Map" | "Promise" | "RegExp" | "Set") || name.ends_with("Array")
        })
    });
    class.members.iter().any(|it| {
        let name = name_of(ir, it.key.get());
        let is_silent = match it.kind {
            MemberKind::Method => converts(ir, it.key),
            MemberKind::Getter => OF_ADDRESSES.contains(&name) || is_tag(ir, it.key),
            MemberKind::Constructor | MemberKind::Setter => false,
        };
        (is_silent || extends_native && OVERRIDDEN.contains(&name)) && changes(ir, it.function)
    })
}

/// Whether a method is put where natives look for one, and changes something.
fn puts(ir: &FileIr, key: PropKey, value: InstId) -> bool {
    let Inst::Closure(function) = ir.inst(value) else { return false };
    (PUT.contains(&name_of(ir, key.get())) || converts(ir, key)) && changes(ir, function)
}

/// Whether a method converts its object.
fn converts(ir: &FileIr, key: PropKey) -> bool {
    match key.get() {
        Key::Name(name) => CONVERTING.contains(&ir.name(name)),
        Key::Computed(key) => is_symbol(ir, key, "toPrimitive"),
        Key::Private(_) => false,
    }
}

fn is_tag(ir: &FileIr, key: PropKey) -> bool {
    matches!(key.get(), Key::Computed(key) if is_symbol(ir, key, "toStringTag"))
}

fn is_symbol(ir: &FileIr, value: InstId, name: &str) -> bool {
    is_well_known_symbol(ir, value)
        && matches!(ir.inst(value), Inst::Get { key, .. } if name_of(ir, key.get()) == name)
}

fn is_index(ir: &FileIr, value: InstId) -> bool {
    match ir.inst(value) {
        Inst::Literal(Literal::Number(_)) => true,
        Inst::Literal(Literal::String(name)) => ir.name(name).bytes().all(|it| it.is_ascii_digit()),
        _ => false,
    }
}

/// Whether a function is written like one that changes something which it does not make itself.
fn changes(ir: &FileIr, function: FunctionId) -> bool {
    let body = ir.function(function);
    FileIr::range(body.first, body.end).any(|id| match ir.inst(id) {
        Inst::StoreVar { var, .. } => ir.variable(var).owner != function,
        Inst::StoreGlobal { .. } | Inst::Delete { .. } => true,
        Inst::Set { object, .. } => ir.inst(object) != Inst::Object,
        Inst::Call { callee, .. } => !matches!(ir.inst(callee), Inst::LoadGlobal(name)
            if HARMLESS.contains(&ir.name(name))),
        Inst::CallMethod { method, .. } => !matches!(ir.inst(method), Inst::Get { key, .. }
            if HARMLESS.contains(&name_of(ir, key.get()))),
        Inst::New { .. } => true,
        _ => false,
    })
}
