//! Callers that start a function, and change what it reads before they wait for it.

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

const FORMS: &[Form] = &[
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
