//! Functions of modules that come as parameters: a caller may hand over its own.

use super::forms::{self, Form};
use super::{Generator, Program};

const OWN: &str =
    "const own = async (path) => {\n  await writeFile(\"b\", path);\n  return path;\n};";

const fn form(head: &'static str, calls: &'static [&'static str], callee: &'static str) -> Form {
    Form {
        declared: OWN,
        within: Some((head, calls)),
        first: (callee, "\"a\", \"utf8\""),
        second: "\"b\"",
    }
}

const FORMS: &[Form] = &[
    form("async function both(load)", &["return await both(own)"], "load"),
    form("async function both(fs)", &["return await both({ readFile: own })"], "fs.readFile"),
    form(
        "async function both(load = readFile)",
        &["const one = await both()", "return [one, await both(own)]"],
        "load",
    ),
    form(
        "async function both({ load })",
        &[
            "const ways = [readFile, own]",
            "const one = await both({ load: ways[0] })",
            "return [one, await both({ load: ways[1] })]",
        ],
        "load",
    ),
    form("async function both(load)", &["return await both(own.bind(undefined))"], "load"),
    form("async function both(...loads)", &["return await both(readFile, own)"], "loads[1]"),
];

pub(super) fn program(generator: &mut Generator) -> Program {
    forms::program(generator, FORMS)
}
