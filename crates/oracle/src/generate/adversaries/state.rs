//! State that methods of built-in objects look at: what they give decides which file is read, and an
//! earlier statement changes it.

use super::{Generator, Program, call, code, function, give, read};
use crate::tree::{Expr, Item, Stmt};

/// An object, what changes it, and what its methods say of it: whether it has been changed.
const STATES: &[(&str, &str, &[&str])] = &[
    ("new Map()", "kept.set(\"k\", 1)", &["kept.has(\"k\")", "kept.get(\"k\")", "kept.size"]),
    (
        "new Map([[\"k\", 0]])",
        "kept.set(\"k\", 1)",
        &["kept.get(\"k\")", "[...kept.values()].at(0)"],
    ),
    ("new Set()", "kept.add(\"k\")", &["kept.has(\"k\")", "kept.size", "[...kept].length"]),
    (
        "[\"j\"]",
        "kept.push(\"k\")",
        &[
            "`${kept}` === \"j,k\"",
            "String(kept).length > 2",
            "kept.includes(\"k\")",
            "kept.indexOf(\"k\") > 0",
            "kept.join() === \"j,k\"",
            "kept.at(-1) === \"k\"",
            "kept.some((it) => it === \"k\")",
            "kept.length > 1",
            "1 in kept",
        ],
    ),
    ("[\"j\", \"k\"]", "kept.pop()", &["!kept.includes(\"k\")", "kept.lastIndexOf(\"k\") < 0"]),
    ("/k/g", "kept.test(\"k\")", &["!kept.test(\"k\")", "!kept.exec(\"k\")", "kept.lastIndex"]),
    (
        "new URLSearchParams()",
        "kept.append(\"k\", \"1\")",
        &["kept.has(\"k\")", "kept.get(\"k\")", "kept.toString()", "`${kept}`"],
    ),
    (
        "{}",
        "kept.k = 1",
        &[
            "\"k\" in kept",
            "kept.k",
            "Object.keys(kept).length",
            "Object.entries(kept).length",
            "Object.values(kept)[0]",
            "Object.getOwnPropertyNames(kept).length",
            "Object.getOwnPropertyDescriptor(kept, \"k\")",
            "Object.getOwnPropertyDescriptors(kept).k",
            "Object.hasOwn(kept, \"k\")",
            "Object.assign({}, kept).k",
            "({ ...kept }).k",
            "kept.hasOwnProperty(\"k\")",
            "Reflect.has(kept, \"k\")",
            "Reflect.get(kept, \"k\")",
            "Reflect.ownKeys(kept).length",
            "JSON.stringify(kept).length > 2",
            "structuredClone(kept).k",
            "new Headers(kept).has(\"k\")",
            "new URLSearchParams(kept).has(\"k\")",
            "new Map(Object.entries(kept)).has(\"k\")",
        ],
    ),
    ("{ k: 0 }", "delete kept.k", &["!(\"k\" in kept)", "!Reflect.has(kept, \"k\")"]),
    ("{}", "Object.freeze(kept)", &["Object.isFrozen(kept)", "!Object.isExtensible(kept)"]),
    ("{}", "Object.seal(kept)", &["Object.isSealed(kept)", "!Reflect.isExtensible(kept)"]),
    (
        "{}",
        "kept[Symbol.for(\"k\")] = 1",
        &["kept[Symbol.for(\"k\")]", "Object.getOwnPropertySymbols(kept).length"],
    ),
    (
        "{ toString: () => \"j\" }",
        "kept.toString = () => \"k\"",
        &["`${kept}` === \"k\"", "String(kept) === \"k\"", "kept + \"\" === \"k\""],
    ),
    (
        "{ [Symbol.toPrimitive]: () => 0 }",
        "kept[Symbol.toPrimitive] = () => 1",
        &["+kept", "kept > 0", "`${kept}` === \"1\""],
    ),
    ("{ valueOf: () => 0 }", "kept.valueOf = () => 1", &["+kept", "kept > 0", "kept * 2"]),
    (
        "[\"j\"]",
        "kept[1] = \"k\"",
        &[
            "Buffer.from(kept).length > 1",
            "new Uint8Array(kept).length > 1",
            "({ \"j,k\": 1 })[kept]",
            "new Set(kept).size > 1",
            "Array.from(kept).length > 1",
            "Object.entries(kept).length > 1",
            "kept.entries().toArray?.().length > 1 || [...kept.entries()].length > 1",
            "kept.flat().length > 1",
            "kept > \"j\"",
        ],
    ),
    (
        "new Date(0)",
        "kept.setTime(5)",
        &["+kept", "kept.getTime()", "JSON.stringify(kept).includes(\"5Z\")"],
    ),
    (
        "new URL(\"http://j/\")",
        "kept.pathname = \"k\"",
        &["kept.href.endsWith(\"k\")", "`${kept}`.endsWith(\"k\")"],
    ),
    (
        "new URL(\"http://j/\")",
        "kept.searchParams.set(\"k\", \"1\")",
        &["kept.search", "`${kept}`.endsWith(\"1\")"],
    ),
    ("new Headers()", "kept.set(\"k\", \"1\")", &["kept.has(\"k\")", "[...kept].length"]),
    (
        "Buffer.alloc(2)",
        "kept.write(\"k\")",
        &["kept[0]", "kept.toString()[0] === \"k\"", "kept.subarray(0, 1)[0]"],
    ),
    (
        "new Uint8Array(2)",
        "new DataView(kept.buffer).setInt8(0, 1)",
        &["kept[0]", "kept.at(0)", "kept.some((it) => it)"],
    ),
    ("[1, 2].values()", "kept.next()", &["kept.next().value > 1", "[...kept].length < 2"]),
    (
        "(function* () { yield 0; yield 1; })()",
        "kept.next()",
        &["kept.next().value", "[...kept].length < 2"],
    ),
    ("new AbortController()", "kept.abort()", &["kept.signal.aborted"]),
    ("class { static of = 0; }", "kept.of = 1", &["kept.of", "Object.values(kept)[0]"]),
    ("new Set([1]).values()", "new Set(kept)", &["[...kept].length < 1", "kept.next().done"]),
    ("new Map([[1, 2]]).entries()", "Object.fromEntries(kept)", &["[...kept].length < 1"]),
    (
        "{}",
        "Object.defineProperties(kept, { k: { value: 1 } })",
        &["kept.k", "Reflect.has(kept, \"k\")"],
    ),
    (
        "new (class extends Error {})(\"j\")",
        "kept.message = \"k\"",
        &["`${kept}`.endsWith(\"k\")", "String(kept).endsWith(\"k\")"],
    ),
    (
        "[[\"j\", 1]]",
        "kept[0][0] = \"k\"",
        &[
            "kept.join() === \"k,1\"",
            "`${kept}` === \"k,1\"",
            "kept.flat()[0] === \"k\"",
            "new Map(kept).has(\"k\")",
            "new URLSearchParams(kept).has(\"k\")",
            "Object.fromEntries(kept).k",
        ],
    ),
    ("{ k: { value: 0 } }", "kept.k.value = 1", &["Object.create(null, kept).k"]),
    ("{}", "new Object(kept).k = 1", &["kept.k"]),
    ("{}", "new WeakRef(kept).deref().k = 1", &["kept.k"]),
    ("{ k: 0 }", "kept.k = 1", &["Object.create(kept).k", "({ __proto__: kept }).k"]),
    ("Object.create({ k: 0 })", "Object.getPrototypeOf(kept).k = 1", &["kept.k"]),
    ("{ __proto__: { k: 0 } }", "Object.getPrototypeOf(kept).k = 1", &["kept.k", "kept?.k > 0"]),
];

/// Other ways to it: what is declared behind it, and what is looked at then.
const WAYS: &[(&str, &str)] = &[
    ("const way = ((it) => it).bind(null, kept)", "way()"),
    ("const way = ((one, two) => two).bind(null, 1).bind(null, kept)", "way()"),
    ("const way = Object.entries({ kept })[0]", "way[1]"),
    ("const way = [...Object.entries({ kept }).values()][0]", "way[1]"),
    ("const way = new Map([[\"kept\", kept]])", "way.get(\"kept\")"),
    ("const way = new Map([[\"kept\", kept]])", "[...way].map(([key, it]) => it)[0]"),
    ("const way = new Map([[\"kept\", [kept]]])", "[...way].flatMap(([key, it]) => it)[0]"),
    ("const way = [[kept]].flat()", "way[0]"),
    ("const way = { get kept() { return kept; } }", "way.kept"),
    ("class Way { held = kept; } const way = new Way()", "way.held"),
    ("let way; way ??= kept", "way"),
    ("let way; for (const it of [kept]) way = it", "way"),
];

pub(super) fn program(generator: &mut Generator) -> Program {
    let (made, changes, looks) = STATES[generator.below(STATES.len())];
    let look = looks[generator.below(looks.len())];
    let (mut declaration, mut look) = (format!("const kept = {made}"), look.to_owned());
    let has_way = generator.chance(40);
    if has_way {
        let (way, there) = WAYS[generator.below(WAYS.len())];
        declaration = format!("{declaration}; {way}");
        look = look.replace("kept", there);
    }
    let choice = format!("{look} ? \"b\" : \"c\"");
    let is_local = generator.chance(30);
    let mut items: Vec<Item> = Vec::new();
    let mut body: Vec<Stmt> = Vec::new();
    if is_local {
        body.push(Stmt::Expr(Expr::code(declaration.as_str())));
    } else {
        items.push(code(format!("{declaration};")));
    }
    if is_local || generator.chance(30) {
        body.push(read("v1", "readFile", &["\"a\"", "\"utf8\""]));
        body.push(Stmt::Expr(Expr::code(changes)));
    } else {
        let load = vec![
            read("text", "readFile", &["\"a\"", "\"utf8\""]),
            Stmt::Expr(Expr::code(changes)),
            give("text"),
        ];
        items.push(function("async function load()", load));
        body.push(call("v1", "load", &[]));
    }
    if generator.chance(25) {
        let handed = match (is_local, has_way) {
            (false, _) => "",
            (true, true) => "kept, way",
            (true, false) => "kept",
        };
        items.push(code(format!("const which = ({handed}) => ({choice});")));
        let which = format!("which({handed})");
        body.push(read("v2", "readFile", &[which.as_str(), "\"utf8\""]));
    } else if generator.chance(25) {
        body.push(Stmt::constant("path", Expr::code(choice.as_str())));
        body.push(read("v2", "readFile", &["path", "\"utf8\""]));
    } else {
        body.push(read("v2", "readFile", &[&choice, "\"utf8\""]));
    }
    body.push(give("[v1, v2]"));
    items.push(function("export async function main()", body));
    Program { items }
}
