//! Classes that are handed to functions, which construct them: what a constructor does, nobody sees at the call.

use super::forms::{self, Form};
use super::{Generator, Program};

const fn form(declared: &'static str, second: &'static str) -> Form {
    Form { declared, within: None, first: ("run", "Step"), second }
}

const FORMS: &[Form] = &[
    form(
        "class Step {\n  constructor() {\n    state.path = \"b\";\n  }\n}\nasync function run(Of) {\n  const text = await readFile(\"a\", \"utf8\");\n  return [new Of(), text].length;\n}",
        "state.path",
    ),
    form(
        "class Step {\n  constructor() {\n    this.done = writeFile(\"b\", \"w\");\n  }\n}\nasync function run(Of) {\n  await new Of().done;\n  return \"done\";\n}",
        "\"b\"",
    ),
    form(
        "class Step {\n  kept = (state.count += 1);\n}\nasync function run(Of) {\n  const made = Reflect.construct(Of, []);\n  return await readFile(`a/${made.kept}`, \"utf8\");\n}",
        "`d/${state.count}`",
    ),
    form(
        "class Base {\n  constructor() {\n    this.set();\n  }\n\n  set() {}\n}\nclass Step extends Base {\n  set() {\n    state.path = \"b\";\n  }\n}\nasync function run(Of) {\n  const make = (Inner) => new Inner();\n  make(Of);\n  return await readFile(\"a\", \"utf8\");\n}",
        "state.path",
    ),
    form(
        "class Step {\n  constructor(text) {\n    state.path = text;\n  }\n}\nasync function run(Of) {\n  const text = await readFile(\"a\", \"utf8\");\n  return [`d/${text}`].map((it) => new Of(it)).length;\n}",
        "state.path",
    ),
];

pub(super) fn program(generator: &mut Generator) -> Program {
    forms::program(generator, FORMS)
}
