//! Values that are no promises and can be awaited: they start when somebody asks for the first time, or do it
//! again each time.

use super::forms::{self, Form};
use super::{Generator, Program};

const ONCE: &str = "class Lazy {\n  constructor(run) {\n    this.run = run;\n  }\n\n  then(yes, no) {\n    this.started ??= this.run();\n    return this.started.then(yes, no);\n  }\n}\nconst lazy = (run) => new Lazy(run);";
const AGAIN: &str = "class Lazy {\n  constructor(run) {\n    this.run = run;\n  }\n\n  then(yes, no) {\n    state.count += 1;\n    return this.run().then(yes, no);\n  }\n}\nconst lazy = (run) => new Lazy(run);";
const PLAIN: &str = "const lazy = (run) => ({\n  then(yes, no) {\n    state.path = \"b\";\n    return run().then(yes, no);\n  },\n});";
const GETTER: &str = "const lazy = (run) => ({\n  get then() {\n    state.count += 1;\n    const started = run();\n    return (yes, no) => started.then(yes, no);\n  },\n});";

const FORMS: &[Form] = &[
    Form {
        declared: ONCE,
        within: None,
        first: ("lazy", "() => writeFile(\"b\", \"w\")"),
        second: "\"b\"",
    },
    Form {
        declared: AGAIN,
        within: None,
        first: ("lazy", "() => readFile(\"a\", \"utf8\")"),
        second: "`d/${state.count}`",
    },
    Form {
        declared: AGAIN,
        within: None,
        first: ("lazy", "() => writeFile(`d/${state.count}`, \"w\")"),
        second: "\"d/1\"",
    },
    Form {
        declared: PLAIN,
        within: None,
        first: ("lazy", "() => readFile(\"a\", \"utf8\")"),
        second: "state.path",
    },
    Form {
        declared: GETTER,
        within: None,
        first: ("lazy", "() => readFile(\"a\", \"utf8\")"),
        second: "`d/${state.count}`",
    },
    Form {
        declared: ONCE,
        within: Some((
            "async function both(kept)",
            &[
                "const kept = lazy(() => appendFile(\"b\", \"w\"))",
                "return await both({ ask: () => kept })",
            ],
        )),
        first: ("kept.ask", ""),
        second: "\"b\"",
    },
];

pub(super) fn program(generator: &mut Generator) -> Program {
    forms::program(generator, FORMS)
}
