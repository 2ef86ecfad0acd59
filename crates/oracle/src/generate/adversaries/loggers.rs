//! Functions that are called like those of a logger, and do more than write lines.

use super::forms::{self, Form};
use super::{Generator, Program};

const fn form(declared: &'static str, callee: &'static str, second: &'static str) -> Form {
    Form { declared, within: None, first: (callee, "\"x\""), second }
}

const FORMS: &[Form] = &[
    form(
        "const logger = { info: async (text) => await writeFile(\"b\", text) };",
        "logger.info",
        "\"b\"",
    ),
    form(
        "const log = {\n  debug(text) {\n    state.path = \"b\";\n    return Promise.resolve(text);\n  },\n};",
        "log.debug",
        "state.path",
    ),
    form(
        "class Logger {\n  async warn(text) {\n    this.last = text;\n    await appendFile(\"b\", text);\n  }\n}\nconst logger = new Logger();",
        "logger.warn",
        "\"b\"",
    ),
    form(
        "const logger = {};\nlogger.error = async (text) => {\n  state.count += 1;\n  return text;\n};",
        "logger.error",
        "`d/${state.count}`",
    ),
    form(
        "async function log(text) {\n  await rename(\"a\", \"b\");\n  return text;\n}",
        "log",
        "\"b\"",
    ),
    form(
        "const levels = [\"info\", \"warn\"];\nconst logger = {};\nfor (const level of levels) logger[level] = async (text) => await writeFile(\"b\", `${level} ${text}`);",
        "logger.info",
        "\"b\"",
    ),
];

pub(super) fn program(generator: &mut Generator) -> Program {
    forms::program(generator, FORMS)
}
