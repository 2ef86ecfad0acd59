//! The analysis does as much work for each instruction of a program that is twice as large: counted,
//! not timed, on families of programs that grow.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use headstart_bench::load_folder;
use headstart_effects::{Session, Told};
use headstart_frontend::thread_pool;
use headstart_ir::FileIr;
use headstart_models::Models;
use headstart_overlap::{Errors, find};

/// The work for each instruction: of the call graph, of the summaries. More than the limits of
/// `crates/callgraph/src/flow.rs` and `crates/effects/src/summary/mod.rs` let through, for what is on
/// its way when they are reached.
const MOST_CALLGRAPH_WORK: u64 = 200;
const MOST_SUMMARIES_WORK: u64 = 25;
/// The same of finding: what single instructions do, who writes what they read, and which statements an
/// operation is tried in front of.
const MOST_ASKED: u64 = 100;

/// The program with `count` parts.
type Family = fn(usize) -> Vec<(String, String)>;

fn one(text: String) -> Vec<(String, String)> {
    vec![("a.js".to_owned(), text)]
}

/// The text of all parts.
fn each(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

/// Functions that call one another in a circle.
fn circle(count: usize) -> Vec<(String, String)> {
    one(each(count, |it| {
        let next = (it + 1) % count;
        format!("export function f{it}(a) {{ a.x{it} = 1; return f{next}(a) }}\n")
    }))
}

/// A function that calls itself with what it was given and more, for ever another value.
fn spiral(count: usize) -> Vec<(String, String)> {
    one(each(count, |it| {
        format!(
            "function g{it}(a, b) {{ const c = a ? b.k{it} : a; return g{it}(b, {{ a, c }}) ?? a }}\n\
             export const h{it} = (a) => g{it}(a, {{ k{it}: a }});\n"
        )
    }))
}

/// Awaits in one block.
fn awaits(count: usize) -> Vec<(String, String)> {
    let body = each(count, |it| format!("  const v{it} = await readFile('f{it}');\n"));
    one(format!(
        "import {{ readFile }} from 'node:fs/promises';\nexport async function f() {{\n{body}}}\n"
    ))
}

/// Classes with properties under computed names, in one list.
fn classes(count: usize) -> Vec<(String, String)> {
    let classes = each(count, |it| {
        format!(
            "class C{it} {{ set(k, v) {{ this[k] = v }} get p{it}() {{ return this.q }} }}\nall.push(new C{it}());\n"
        )
    });
    one(format!(
        "const all = [];\n{classes}export function f(k, v) {{ for (const it of all) {{ it.set(k, v); it[k](); it.p1 }} }}\n"
    ))
}

/// Classes each of which may extend any of the others.
fn mixins(count: usize) -> Vec<(String, String)> {
    let classes = each(count, |it| {
        format!(
            "bases[{it}] = class extends bases[pick()] {{ m{it}() {{ return super.m1() }} }};\n"
        )
    });
    one(format!(
        "const bases = [];\nfunction pick() {{ return Math.random() }}\n\
         Object.defineProperty(bases, pick(), {{ get() {{ return 1 }} }});\n{classes}\
         export function f() {{ const o = new bases[pick()](); o.m1(); o.x; o.y; return o.z }}\n"
    ))
}

/// Modules that take in what one another export.
fn modules(count: usize) -> Vec<(String, String)> {
    let file = |it: usize| {
        let mut text = format!("export function f{it}() {{ return {it} }}\n");
        for other in [(it + 1) % count, (it * 2) % count] {
            writeln!(text, "export * from './m{other}.js';").unwrap();
        }
        writeln!(
            text,
            "import {{ f{0} }} from './m{1}.js';\nf{0}();",
            (it + 7) % count,
            (it + 1) % count
        )
        .unwrap();
        (format!("m{it}.js"), text)
    };
    (0..count).map(file).collect()
}

/// One file that exports very many functions.
fn exports(count: usize) -> Vec<(String, String)> {
    one(each(count, |it| format!("export function f{it}(a) {{ return a + {it} }}\n")))
}

/// Objects each of which takes in the one before.
fn spreads(count: usize) -> Vec<(String, String)> {
    one(each(count, |it| match it.checked_sub(1) {
        Some(last) => format!("export const o{it} = {{ ...o{last}, k{it}: () => o{last} }};\n"),
        None => "export const o0 = { k: 1 };\n".to_owned(),
    }))
}

/// A registry of handlers, called by name.
fn registry(count: usize) -> Vec<(String, String)> {
    let handlers =
        each(count, |it| format!("handlers[name({it})] = (a) => {{ a.done{it} = handlers }};\n"));
    one(format!(
        "const handlers = {{}};\nfunction name(it) {{ return 'h' + it }}\n{handlers}\
         export function run(it, a) {{ return handlers[name(it)](a) }}\n"
    ))
}

/// A large object literal.
fn literal(count: usize) -> Vec<(String, String)> {
    let keys = each(count, |it| format!("  k{it}: () => all.k{it},\n"));
    one(format!("export const all = {{\n{keys}}};\nexport const get = (key) => all[key]();\n"))
}

/// A long chain of reactions.
fn chain(count: usize) -> Vec<(String, String)> {
    let steps = each(count, |it| format!("  p = p.then((a) => ({{ a, n: {it} }}));\n"));
    one(format!("export function f(p) {{\n{steps}  return p;\n}}\n"))
}

/// A `switch` with many cases.
fn cases(count: usize) -> Vec<(String, String)> {
    let cases = each(count, |it| format!("    case {it}: s = {{ last: s }}; break;\n"));
    one(format!(
        "export function f(s, op) {{\n  for (;;) switch (op()) {{\n{cases}    default: return s.last;\n  }}\n}}\n"
    ))
}

/// What many may be, given to each other.
fn crowd(count: usize) -> Vec<(String, String)> {
    let parts = each(count, |it| {
        format!(
            "all.push({{ get v() {{ return all }}, set w{it}(a) {{ all.push(a) }}, toString() {{ return this.v }} }});\n\
             all.forEach((a) => {{ a.w{it} = a.v; a['x' + a] = a; a.m{it}?.call(a, ...all) }});\n"
        )
    });
    one(format!("const all = [];\n{parts}export default all;\n"))
}

/// A property that is read again and again, and that many write on other objects.
fn fields(count: usize) -> Vec<(String, String)> {
    let writers = each(count, |it| {
        format!("const p{it} = {{ k: 'a' }};\nexport function w{it}() {{ p{it}.k = 'b'; }}\n")
    });
    let reads = each(count, |it| format!("  const v{it} = await readFile(o.k + '{it}');\n"));
    one(format!(
        "import {{ readFile }} from 'node:fs/promises';\nconst o = {{ k: 'a' }};\n{writers}\
         export async function f() {{\n{reads}}}\n"
    ))
}

/// Operations behind each of which much may run when it fails.
fn handlers(count: usize) -> Vec<(String, String)> {
    let reads = each(count, |it| format!("    const v{it} = await readFile('f{it}');\n"));
    let behind = each(count, |it| format!("  g(await readFile('g{it}'), {it});\n"));
    one(format!(
        "import {{ readFile }} from 'node:fs/promises';\nfunction g(a, b) {{ return a + b }}\n\
         export async function f() {{\n  try {{\n{reads}  }} catch {{}}\n{behind}}}\n"
    ))
}

/// Text made of what objects hold that hold one another, and much else.
fn conversions(count: usize) -> Vec<(String, String)> {
    let nodes = each(30, |node| {
        let held = each(20, |it| format!("k{}: [{it}], ", node * 20 + it));
        format!("const n{node} = {{ {held}next: all }};\nall.push(n{node});\n")
    });
    let parts = "${all[0].next}".repeat(8);
    let texts = each(count, |it| format!("export const t{it} = () => `{parts}`;\n"));
    one(format!("const all = [];\n{nodes}{texts}"))
}

fn work(files: &[(String, String)]) -> (u64, u64, u64, u64) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    measured(folder.path())
}

fn measured(folder: &Path) -> (u64, u64, u64, u64) {
    let program = load_folder(folder, false).unwrap();
    let never = AtomicBool::new(false);
    let models = Models::builtin().unwrap();
    let irs: Vec<&FileIr> = program.files.iter().map(|file| &file.ir).collect();
    let instructions: usize = irs.iter().map(|ir| ir.insts.len()).sum();
    let session = Session::new(&irs, &models, Told::default(), &never).unwrap();
    let summaries = &session.summaries;
    for analysis in session.files() {
        let _found = find(&analysis, summaries, Errors::One);
    }
    (instructions as u64, summaries.graph.work(), summaries.work(), summaries.asked())
}

#[test]
fn work_grows_with_the_program() {
    let families: [(&str, Family, usize); 16] = [
        ("functions in a circle", circle, 2000),
        ("functions that call themselves", spiral, 500),
        ("awaits in a block", awaits, 2000),
        ("classes with computed properties", classes, 500),
        ("classes that extend any other", mixins, 200),
        ("modules that take in one another", modules, 200),
        ("exports of one file", exports, 42_000),
        ("objects that take in one another", spreads, 1000),
        ("handlers by name", registry, 1000),
        ("a large literal", literal, 4000),
        ("a chain of reactions", chain, 1000),
        ("a large switch", cases, 2000),
        ("a crowd", crowd, 200),
        ("a property that many write", fields, 1000),
        ("operations with much behind them", handlers, 200),
        ("text of what objects hold", conversions, 1000),
    ];
    let pool = thread_pool(Some(1)).unwrap();
    let mut over = Vec::new();
    for (name, family, count) in families {
        for count in [count, 2 * count] {
            let (instructions, callgraph, summaries, asked) = pool.install(|| work(&family(count)));
            // Small programs have as much as a program of some size.
            let size = instructions.max(20_000);
            let row = format!(
                "{name} {count}: {} {} {}",
                callgraph / size,
                summaries / size,
                asked / size
            );
            eprintln!("{row}");
            if callgraph > MOST_CALLGRAPH_WORK * size
                || summaries > MOST_SUMMARIES_WORK * size
                || asked > MOST_ASKED * size
            {
                over.push(row);
            }
        }
    }
    assert!(over.is_empty(), "more work for each instruction than the limits allow: {over:#?}");
}
