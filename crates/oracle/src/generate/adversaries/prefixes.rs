//! Paths whose beginning is another one each time it is worked out.

use super::forms::{self, Form};
use super::{Generator, Program};

const fn form(declared: &'static str, first: &'static str, second: &'static str) -> Form {
    Form { declared, within: None, first: ("readFile", first), second }
}

const FORMS: &[Form] = &[
    form(
        "const folder = () => `d/${(state.count += 1)}`;",
        "`${folder()}/x`, \"utf8\"",
        "`${folder()}/y`",
    ),
    form(
        "const paths = {\n  get next() {\n    state.count += 1;\n    return `d/${state.count}`;\n  },\n};",
        "`${paths.next}/x`, \"utf8\"",
        "paths.next + \"/y\"",
    ),
    form(
        "function* counter() {\n  for (let at = 1; ; at += 1) yield `d/${at}`;\n}\nconst ids = counter();",
        "`${ids.next().value}/x`, \"utf8\"",
        "`${ids.next().value}/y`",
    ),
    form("const stack = [\"d\", \"e\"];", "`${stack.pop()}/x`, \"utf8\"", "`${stack.pop()}/y`"),
    form(
        "const root = {\n  toString() {\n    state.count += 1;\n    return `d/${state.count}`;\n  },\n};",
        "`${root}/x`, \"utf8\"",
        "`${root}/y`",
    ),
    form("let at = 0;", "join(`d/${at++}`, \"x\"), \"utf8\"", "join(`d/${at++}`, \"y\")"),
    form("const text = /k/g;", "`d/${text.test(\"k\")}/x`, \"utf8\"", "`d/${text.test(\"k\")}/y`"),
];

pub(super) fn program(generator: &mut Generator) -> Program {
    forms::program(generator, FORMS)
}
