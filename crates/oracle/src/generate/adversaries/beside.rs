//! Callers that start a function, and change what it reads, or set up what it uses, before they wait for it.

use super::forms::{self, Form};
use super::{Generator, Program};

const fn form(declared: &'static str, calls: &'static [&'static str]) -> Form {
    Form {
        declared,
        within: Some(("async function load()", calls)),
        first: ("readFile", "\"a\", \"utf8\""),
        second: "\"b\"",
    }
}

/// One in which something is set up behind the start.
const fn later(declared: &'static str, calls: &'static [&'static str]) -> Form {
    Form { second: "name()", ..form(declared, calls) }
}

const FORMS: &[Form] = &[
    later(
        "function name() {\n  return NAME;\n}\nconst kept = load().catch((error) => error.name);\nconst NAME = \"b\";",
        &["return await kept"],
    ),
    later(
        "function name() {\n  return new Name().b;\n}\nconst kept = load().catch((error) => error.name);\nclass Name {\n  b = \"b\";\n}",
        &["return await kept"],
    ),
    later(
        "function name() {\n  return find();\n}\nconst kept = load().catch((error) => error.name);\nconst find = () => \"b\";",
        &["return await kept"],
    ),
    later(
        "const api = {};\nconst name = () => api.find?.() ?? \"c\";",
        &["const kept = load()", "api.find = () => \"b\"", "return await kept"],
    ),
    later(
        "class Api {}\nconst name = () => new Api().find?.() ?? \"c\";",
        &["const kept = load()", "Api.prototype.find = () => \"b\"", "return await kept"],
    ),
    form("", &["const kept = load()", "writeFileSync(\"b\", \"new\")", "return await kept"]),
    form("", &["const kept = load()", "appendFileSync(\"b\", \"more\")", "return await kept"]),
    form(
        "const again = async () => await load();",
        &["const kept = again()", "writeFileSync(\"b\", \"new\")", "return await kept"],
    ),
    form(
        "const change = () => writeFileSync(\"b\", \"new\");",
        &["const kept = load().then((it) => it)", "change()", "return await kept"],
    ),
    form(
        "",
        &[
            "const kept = [\"x\"].map(() => load())",
            "writeFileSync(\"b\", \"new\")",
            "return await Promise.all(kept)",
        ],
    ),
    form(
        "class Service {\n  constructor() {\n    this.ready = load();\n    writeFileSync(\"b\", \"new\");\n  }\n}",
        &["const service = new Service()", "return await service.ready"],
    ),
    form(
        "function start() {\n  return { ready: load() };\n}",
        &["const kept = start()", "writeFileSync(\"b\", \"new\")", "return await kept.ready"],
    ),
    form(
        "async function begin() {\n  const kept = load();\n  await null;\n  writeFileSync(\"b\", \"new\");\n  return await kept;\n}",
        &["return await begin()"],
    ),
];

pub(super) fn program(generator: &mut Generator) -> Program {
    forms::program(generator, FORMS)
}
