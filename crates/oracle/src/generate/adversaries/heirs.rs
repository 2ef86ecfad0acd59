//! Constructors that start something: a class that extends theirs gives the object its fields only behind that, while
//! what has been started waits for the first time.

use super::{Generator, Program, code, function, give};
use crate::tree::{Expr, Stmt};

/// How the constructor starts `this.work()`, which ends what `state.over` waits for.
const STARTS: &[&str] = &[
    "void this.work();",
    "this.work().catch(() => {});",
    "start(this);",
    "const self = this; self.work();",
    "(async () => { await this.work(); })();",
    "void this.run();",
];

/// What the heir has: what stands in its body, what gives a path of it, and what the base has for that.
const FIELDS: &[(&str, &str, &str)] = &[
    ("path = \"b\";", "this.path", ""),
    // Of the base itself: it is there before the constructor starts anything.
    ("", "this.path", "path = \"b\";"),
    ("on = true;", "(this.on ? \"b\" : \"c\")", ""),
    ("of = () => \"b\";", "this.of()", "of() { return \"c\"; }"),
    ("#path = \"b\"; get path() { return this.#path; }", "this.path", ""),
    ("#path = \"b\"; of() { return this.#path; }", "this.of()", "of() { return \"c\"; }"),
    ("constructor() { super(); this.path = \"b\"; }", "this.path", ""),
];

pub(super) fn program(generator: &mut Generator) -> Program {
    let starts = generator.pick(STARTS);
    let (field, path, own) = FIELDS[generator.below(FIELDS.len())];
    let reads = match generator.below(3) {
        0 => format!(
            "const v1 = await readFile(\"a\", \"utf8\");\n      const v2 = await readFile({path}, \"utf8\");\n      seen = [v1, v2];"
        ),
        1 => format!(
            "const v1 = await readFile(\"a\", \"utf8\");\n      const v2 = await this.second();\n      seen = [v1, v2, {path}];"
        ),
        _ => format!(
            "let v2 = \"none\";\n      const v1 = await readFile(\"a\", \"utf8\");\n      if ({path} === \"b\") v2 = await readFile(\"d\", \"utf8\");\n      seen = [v1, v2];"
        ),
    };
    let base = format!(
        "class Base {{\n  constructor() {{\n    {starts}\n  }}\n\n  {own}\n\n  async run() {{\n    await this.work();\n  }}\n\n  \
         async second() {{\n    return await readFile({path}, \"utf8\");\n  }}\n\n  async work() {{\n    let seen;\n    try {{\n      {reads}\n    \
         }} catch (error) {{\n      seen = String(error);\n    }}\n    state.end(seen);\n  }}\n}}"
    );
    let heir = match generator.below(3) {
        0 => {
            format!("class Between extends Base {{}}\nclass Heir extends Between {{\n  {field}\n}}")
        }
        1 => format!("const Heir = class extends Base {{\n  {field}\n}};"),
        _ => format!("class Heir extends Base {{\n  {field}\n}}"),
    };
    let body = vec![Stmt::Expr(Expr::code("new Heir()")), give("await state.over")];
    let items = vec![
        code(
            "const state = {};\nstate.over = new Promise((resolve) => {\n  state.end = resolve;\n});",
        ),
        code("const start = (it) => void it.work();"),
        code(base),
        code(heir),
        function("export async function main()", body),
    ];
    Program { items }
}
