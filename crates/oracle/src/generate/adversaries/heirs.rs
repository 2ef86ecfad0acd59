//! Constructors that start something: a class that extends theirs gives the object its fields only behind that, while
//! what has been started waits for the first time.

use super::{Generator, Program, code, function, give, read};
use crate::tree::{Expr, Stmt};

/// How the constructor starts `work`.
const STARTS: &[&str] = &[
    "end(this.work());",
    "end(work(this));",
    "const self = this; end(self.work());",
    "end((async () => await this.work())());",
    "end(this.run());",
];

/// How the constructor starts a method `work`, which ends what `state.over` waits for.
const STARTS_METHOD: &[&str] = &[
    "void this.work();",
    "this.work().catch(() => {});",
    "start(this);",
    "const self = this; self.work();",
    "(async () => { await this.work(); })();",
    "void this.run();",
];

/// What the heir has: what stands in its body, what gives a path of it, and what the base has for that.
const FIELDS: &[(&str, &str, &str)] = &[
    ("path = \"b\";", "it.path", ""),
    // Of the base itself: it is there before the constructor starts anything.
    ("", "it.path", "path = \"b\";"),
    ("on = true;", "(it.on ? \"b\" : \"c\")", ""),
    ("of = () => \"b\";", "it.of()", "of() { return \"c\"; }"),
    ("#path = \"b\"; get path() { return this.#path; }", "it.path", ""),
    ("constructor() { super(); this.path = \"b\"; }", "it.path", ""),
];

pub(super) fn program(generator: &mut Generator) -> Program {
    if generator.chance(50) { in_method(generator) } else { in_function(generator) }
}

/// A class that extends the base, directly or through another one.
fn heir(generator: &mut Generator, field: &str) -> String {
    match generator.below(3) {
        0 => {
            format!("class Between extends Base {{}}\nclass Heir extends Between {{\n  {field}\n}}")
        }
        1 => format!("const Heir = class extends Base {{\n  {field}\n}};"),
        _ => format!("class Heir extends Base {{\n  {field}\n}}"),
    }
}

/// What is started is a method.
fn in_method(generator: &mut Generator) -> Program {
    let starts = generator.pick(STARTS_METHOD);
    let (field, path, own) = FIELDS[generator.below(FIELDS.len())];
    let path = path.replace("it.", "this.");
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
    let heir = heir(generator, field);
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

/// What is started is a function that gets the object.
fn in_function(generator: &mut Generator) -> Program {
    let starts = generator.pick(STARTS);
    let (field, path, own) = FIELDS[generator.below(FIELDS.len())];
    let base = format!(
        "class Base {{\n  constructor() {{\n    {starts}\n  }}\n\n  {own}\n\n  work() {{\n    return work(this);\n  }}\n\n  async run() {{\n    \
         return await this.work();\n  }}\n}}"
    );
    let heir = heir(generator, field);
    let mut works = vec![read("v1", "readFile", &["\"a\"", "\"utf8\""])];
    works.push(read("v2", "readFile", &[path, "\"utf8\""]));
    if generator.chance(30) {
        works.push(read("v3", "readFile", &["\"d\"", "\"utf8\""]));
        works.push(give("[v1, v2, v3]"));
    } else {
        works.push(give("[v1, v2]"));
    }
    let items = vec![
        code(
            "const state = {};\nstate.over = new Promise((resolve) => {\n  state.end = resolve;\n});",
        ),
        code(
            "const end = (started) => void started.then(state.end, (error) => state.end(String(error)));",
        ),
        function("async function work(it)", works),
        code(base),
        code(heir),
        function(
            "export async function main()",
            vec![Stmt::Expr(Expr::code("new Heir()")), give("await state.over")],
        ),
    ];
    Program { items }
}
