//! Names by which it is known what the functions of the language run.

/// Methods of the language and of its hosts that call nothing but what is passed to them, if that, with
/// names that programs give to little else.
pub(super) const KNOWN: &[&str] = &[
    "abs",
    "add",
    "all",
    "allSettled",
    "at",
    "catch",
    "ceil",
    "charAt",
    "charCodeAt",
    "clear",
    "codePointAt",
    "concat",
    "copyWithin",
    "cos",
    "debug",
    "delete",
    "endsWith",
    "entries",
    "error",
    "every",
    "exec",
    "exp",
    "fill",
    "filter",
    "finally",
    "find",
    "findIndex",
    "findLast",
    "flat",
    "flatMap",
    "floor",
    "forEach",
    "freeze",
    "from",
    "fromEntries",
    "get",
    "getTime",
    "has",
    "hasOwn",
    "hypot",
    "includes",
    "indexOf",
    "info",
    "isArray",
    "isInteger",
    "isNaN",
    "join",
    "keys",
    "lastIndexOf",
    "log",
    "map",
    "match",
    "matchAll",
    "max",
    "min",
    "now",
    "of",
    "padEnd",
    "padStart",
    "parse",
    "parseFloat",
    "parseInt",
    "pop",
    "pow",
    "push",
    "race",
    "random",
    "reduce",
    "reduceRight",
    "reject",
    "repeat",
    "replace",
    "replaceAll",
    "resolve",
    "reverse",
    "round",
    "set",
    "shift",
    "sign",
    "sin",
    "slice",
    "some",
    "sort",
    "splice",
    "split",
    "sqrt",
    "startsWith",
    "subarray",
    "substring",
    "test",
    "then",
    "toFixed",
    "toISOString",
    "toLowerCase",
    "toUpperCase",
    "trim",
    "trimEnd",
    "trimStart",
    "trunc",
    "unshift",
    "values",
    "warn",
];

/// Methods by which functions become accessors or traps, or that read all properties of what they get.
pub(super) const REFLECTS: &[&str] = &[
    "assign",
    "create",
    "defineProperties",
    "defineProperty",
    "__defineGetter__",
    "__defineSetter__",
];

/// Functions that read all properties of what they get, behind frames of the engine's own.
pub(super) const COPIES: &[&str] = &[
    "assign",
    "create",
    "defineProperties",
    "entries",
    "fromEntries",
    "getOwnPropertyDescriptors",
    "keys",
    "ownKeys",
    "stringify",
    "structuredClone",
    "values",
];

/// Functions that call what they are passed behind such frames.
pub(super) const CALLS_BACK: &[&str] = &["parse", "replace", "stringify"];

/// Whether functions that are passed to what is called like that run behind frames of the engine's own.
pub(crate) fn calls_back(name: &str) -> bool {
    is_in(CALLS_BACK, name)
}

/// Names under which the language looks for functions of the program.
pub(super) const LOOKED_FOR: &[&str] =
    &["next", "return", "throw", "toJSON", "toString", "valueOf"];

pub(super) fn is_in(list: &[&str], name: &str) -> bool {
    list.contains(&name)
}

/// Whether functions of this name may be accessors that are defined, or traps of proxies.
pub(super) fn is_trap(name: &str) -> bool {
    ["apply", "construct", "deleteProperty", "get", "has", "ownKeys", "set"].contains(&name)
}
