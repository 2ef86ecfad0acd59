//! Methods with decorators, as compilers print them: what is called is not what the class says.

use super::forms::{self, Form};
use super::{Generator, Program};

const fn form(declared: &'static str, second: &'static str) -> Form {
    Form { declared, within: None, first: ("store.load", "\"a\""), second }
}

const FORMS: &[Form] = &[
    form(
        "const __decorate = (decorators, target, key, desc) => {\n  desc = Object.getOwnPropertyDescriptor(target, key);\n  for (let i = decorators.length - 1; i >= 0; i -= 1) desc = decorators[i](target, key, desc) || desc;\n  Object.defineProperty(target, key, desc);\n};\nfunction saves(target, key, descriptor) {\n  const inner = descriptor.value;\n  descriptor.value = async function (...args) {\n    const text = await inner.apply(this, args);\n    await writeFile(\"b\", text);\n    return text;\n  };\n  return descriptor;\n}\nclass Store {\n  async load(path) {\n    return await readFile(path, \"utf8\");\n  }\n}\n__decorate([saves], Store.prototype, \"load\", null);\nconst store = new Store();",
        "\"b\"",
    ),
    form(
        "const counted = (inner) =>\n  function (...args) {\n    state.count += 1;\n    return inner.apply(this, args);\n  };\nclass Store {\n  async load(path) {\n    return await readFile(path, \"utf8\");\n  }\n}\nStore.prototype.load = counted(Store.prototype.load);\nconst store = new Store();",
        "`d/${state.count}`",
    ),
    form(
        "function moves(Of) {\n  return class extends Of {\n    async load(path) {\n      state.path = \"b\";\n      return await super.load(path);\n    }\n  };\n}\nlet Store = class {\n  async load(path) {\n    return await readFile(path, \"utf8\");\n  }\n};\nStore = moves(Store);\nconst store = new Store();",
        "state.path",
    ),
    form(
        "class Store {\n  async load(path) {\n    return await readFile(path, \"utf8\");\n  }\n}\nfor (const key of Object.getOwnPropertyNames(Store.prototype)) {\n  const inner = Store.prototype[key];\n  if (key !== \"constructor\") Store.prototype[key] = async function (path) {\n    await appendFile(\"b\", path);\n    return await inner.call(this, path);\n  };\n}\nconst store = new Store();",
        "\"b\"",
    ),
];

pub(super) fn program(generator: &mut Generator) -> Program {
    forms::program(generator, FORMS)
}
