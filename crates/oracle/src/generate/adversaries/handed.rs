//! Callers that change what they have handed to a function, before they wait for it.

use super::forms::{self, Form};
use super::{Generator, Program};

const fn form(head: &'static str, calls: &'static [&'static str], second: &'static str) -> Form {
    Form {
        declared: "",
        within: Some((head, calls)),
        first: ("readFile", "\"a\", \"utf8\""),
        second,
    }
}

const FORMS: &[Form] = &[
    form(
        "async function load(list)",
        &[
            "const list = [\"c\"]",
            "const kept = load(list)",
            "list.push(\"b\")",
            "return await kept",
        ],
        "list[list.length - 1]",
    ),
    form(
        "async function load(list)",
        &[
            "const list = [\"c\", \"b\"]",
            "const kept = load(list)",
            "list.shift()",
            "return await kept",
        ],
        "list[0]",
    ),
    form(
        "async function load(options)",
        &[
            "const options = { path: \"c\" }",
            "const kept = load(options)",
            "options.path = \"b\"",
            "return await kept",
        ],
        "options.path",
    ),
    form(
        "async function load({ options })",
        &[
            "const options = { path: \"c\" }",
            "const kept = load({ options })",
            "Object.assign(options, { path: \"b\" })",
            "return await kept",
        ],
        "options.path",
    ),
    form(
        "async function load(names)",
        &[
            "const names = new Map([[\"k\", \"c\"]])",
            "const kept = load(names)",
            "names.set(\"k\", \"b\")",
            "return await kept",
        ],
        "names.get(\"k\")",
    ),
    form(
        "async function load(names)",
        &[
            "const names = new Set()",
            "const kept = Promise.all([load(names)])",
            "names.add(\"b\")",
            "return await kept",
        ],
        "`d/${names.size}`",
    ),
    form(
        "async function load(list)",
        &[
            "const list = [\"c\", \"b\"]",
            "const change = () => list.reverse()",
            "const kept = load(list).then((it) => it)",
            "change()",
            "return await kept",
        ],
        "list[0]",
    ),
];

pub(super) fn program(generator: &mut Generator) -> Program {
    forms::program(generator, FORMS)
}
