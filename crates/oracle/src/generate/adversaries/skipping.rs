//! Turns of a loop that are given up when something fails: `try { … } catch { continue; }`.

use super::{Generator, Program, call, code, function, give, read, write};
use crate::tree::{Effect, Expr, Handler, Item, Stmt};

/// What the first operation of a turn does to what the second reads.
const FIRSTS: &[&str] = &[
    "async function touch(item) {\n  await writeFile(`d/${item}`, \"w\");\n  return item;\n}",
    "async function touch(item) {\n  await appendFile(\"d/i\", item);\n  return item;\n}",
    "async function touch(item) {\n  const text = await readFile(`a/${item}`, \"utf8\");\n  kept.last = `d/${item}`;\n  return text;\n}",
    "async function touch(item) {\n  const text = await readFile(`a/${item}`, \"utf8\");\n  if (item === \"j\") throw new Error(text);\n  return text;\n}",
];

pub(super) fn program(generator: &mut Generator) -> Program {
    let first = generator.below(FIRSTS.len());
    let path = if first == 2 { "kept.last" } else { "`d/${item}`" };
    // One that may throw by itself is a check.
    let touched =
        if first == 3 { write("touch", &["item"]) } else { call("v1", "touch", &["item"]) };
    let mut block = vec![touched, read("v2", "readFile", &[path, "\"utf8\""])];
    block.push(Stmt::code("out.push(v2)"));
    let leave = if generator.chance(70) { "continue" } else { "break" };
    let handler = Some(Handler { parameter: None, body: vec![Stmt::Jump(leave)] });
    let mut body = vec![Stmt::Try { block, handler, finalizer: None }];
    match generator.below(4) {
        0 => body.push(read("v3", "readFile", &["`e/${item}`", "\"utf8\""])),
        1 => body.push(super::waits("writeFile", Effect::Write, &["`d/j`", "item"])),
        2 => body.push(Stmt::code("out.push(item)")),
        _ => {}
    }
    if generator.chance(30) {
        let test = Expr::code("out.length > 1");
        body.push(Stmt::If { test, then: vec![Stmt::Jump("break")], otherwise: Vec::new() });
    }
    let list = generator.pick(&["[\"i\", \"j\"]", "new Set([\"i\", \"j\"])", "items"]);
    let items: Vec<Item> = vec![
        code("const kept = { last: \"c\" };\nconst items = [\"i\", \"j\"];"),
        code(FIRSTS[first]),
        function(
            "export async function main()",
            vec![
                Stmt::constant("out", Expr::code("[]")),
                Stmt::Loop { head: Expr::code(format!("for (const item of {list})")), body },
                give("out"),
            ],
        ),
    ];
    Program { items }
}
