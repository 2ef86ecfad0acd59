//! Objects in one list, sometimes more than the analysis tells apart: what is put into all of them is put
//! into each, under a name that it declares itself.

use super::{Generator, Program, call, code, function, give, read};
use crate::tree::Item;

/// How many objects there are where they are more than one set tells apart.
const MANY: usize = 100;

/// How what an object does is replaced, for all in `list`.
const WAYS: &[&str] = &[
    "for (const it of list) it.load = patched",
    "for (const it of list) it[[\"lo\", \"ad\"].join(\"\")] = patched",
    "list.forEach((it) => {\n  it.load = patched;\n})",
    "for (let i = 0; i < list.length; i += 1) list[i].load = patched",
    "for (const it of list) Object.assign(it, { load: patched })",
    "for (const it of list) Object.defineProperty(it, \"load\", { value: patched })",
    "for (const it of list) Object.defineProperties(it, { load: { value: patched } })",
    "for (const it of list) Reflect.set(it, \"load\", patched)",
    "for (const it of new Set(list)) it.load = patched",
    "for (const { it } of list.map((it) => ({ it }))) it.load = patched",
    "for (const it of list) Object.setPrototypeOf(it, { load: patched }), delete it.load",
];

/// What the function does that is put there.
const PATCHES: &[&str] = &[
    "async function patched(file) {\n  await writeFile(\"b\", file);\n  return file;\n}",
    "async function patched(file) {\n  const text = await readFile(file, \"utf8\");\n  await writeFile(\"b\", `${text}+`);\n  return text;\n}",
];

pub(super) fn program(generator: &mut Generator) -> Program {
    let (way, patch) = (generator.pick(WAYS), generator.pick(PATCHES));
    let count = if generator.chance(60) { MANY } else { 3 };
    let names: Vec<String> = (0..count).map(|it| format!("o{it}")).collect();
    let is_class = generator.chance(50);
    let declared: Vec<String> = names.iter().map(|name| declaration(name, is_class)).collect();
    // What is told apart is what comes first.
    let one = &names[count - 1 - generator.below(3)];
    let mut items: Vec<Item> = vec![
        code(format!("{};", declared.join(";\n"))),
        code(format!("const list = [{}];", names.join(", "))),
        code(patch),
    ];
    match way.replace("it.load", "it.constructor.prototype.load") {
        of_class if is_class && generator.chance(20) => items.push(code(format!("{of_class};"))),
        _ => items.push(code(format!("{way};"))),
    }
    let callee = format!("{one}.load");
    let body = vec![
        call("v1", &callee, &["\"a\""]),
        read("v2", "readFile", &["\"b\"", "\"utf8\""]),
        give("[v1, v2]"),
    ];
    items.push(function("export async function main()", body));
    Program { items }
}

/// An object that reads a file.
fn declaration(name: &str, is_class: bool) -> String {
    let method = "async load(file) { return await readFile(file, \"utf8\"); }";
    if is_class {
        format!("const {name} = new (class {{ {method} }})()")
    } else {
        format!("const {name} = {{ {method} }}")
    }
}
