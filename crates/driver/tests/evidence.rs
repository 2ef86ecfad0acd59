//! What runs have shown makes findings `likely`, refutes them, and makes none `safe` (invariant 17).
#![allow(clippy::unwrap_used, missing_docs)]

use headstart_driver::{Progress, run};
use serde_json::{Value, json};

/// Something that was seen: the text of the await, and what it did.
type Seen<'a> = (&'a str, &'a [&'a str]);

/// The levels of the findings in a module of which something was seen.
fn levels(text: &str, seen: &[Seen<'_>]) -> Vec<String> {
    levels_within(text, seen, &[])
}

/// The same, where awaits have run in the calls of others: each of these, and one of those in it, by their texts.
fn levels_within(text: &str, seen: &[Seen<'_>], within: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("package.json"), r#"{"type":"module"}"#).unwrap();
    let file = folder.path().join("page.js");
    std::fs::write(&file, text).unwrap();
    let evidence: Vec<Value> = seen
        .iter()
        .map(|(at, operations)| {
            let before = &text[..text.find(at).unwrap()];
            let line = before.matches('\n').count() + 1;
            let column = before.len() - before.rfind('\n').map_or(0, |it| it + 1) + 1;
            let operations: Vec<Value> =
                operations.iter().map(|it| json!({ "what": it, "times": 5 })).collect();
            let place = |at: &str| seen.iter().position(|it| it.0 == at).unwrap();
            let inner: Vec<usize> =
                within.iter().filter(|it| it.0 == *at).map(|it| place(it.1)).collect();
            json!({
                "file": file, "line": line, "column": column, "calls": 5, "ms": 10.0,
                "operations": operations, "inner": inner
            })
        })
        .collect();
    let request = json!({
        "command": "check", "cwd": folder.path(), "paths": ["."], "level": "likely",
        "format": "json", "deny": "none", "evidence": evidence
    });
    let response = run(&request.to_string(), &Progress::default());
    let report: Value = serde_json::from_str::<Value>(&response).unwrap()["report"].take();
    let findings = report["findings"].as_array().unwrap().iter();
    findings.map(|it| it["level"].as_str().unwrap().to_owned()).collect()
}

const SELECT: &str = "sql postgresql SELECT a FROM b WHERE c = $1";
const TWO: &str = "export async function page(kit, id) {
  const one = await kit.one(id);
  const two = await kit.two(id);
  return [one, two];
}
";
const NAMED: &str = "export async function page(kit, id) {
  const one = await kit.getOne(id);
  const two = await kit.getTwo(id);
  return [one, two];
}
";

#[test]
fn calls_that_were_seen_to_read() {
    let both =
        |one: &[&str], two: &[&str]| levels(TWO, &[("await kit.one", one), ("await kit.two", two)]);
    assert_eq!(levels(TWO, &[]), [""; 0]);
    assert_eq!(both(&[SELECT], &["http GET https://host/a", "dns host"]), ["likely"]);
    assert_eq!(both(&["redis GET", "fs read a"], &["mongodb find users"]), ["likely"]);
    for other in [
        "sql postgresql UPDATE b SET a = ?",
        "sql postgresql SELECT a FROM b FOR UPDATE",
        "sql postgresql SELECT next_number(?)",
        "redis INCR",
        "http POST https://host/a",
        "fs write a",
        "process git",
        "connect mail:25",
        "send mail:25",
        "message thread",
        "later",
        "more",
        "cut off",
    ] {
        assert_eq!(both(&[SELECT], &[SELECT, other]), [""; 0], "{other}");
        assert_eq!(both(&[SELECT, other], &[SELECT]), [""; 0], "{other}");
    }
    assert_eq!(both(&[SELECT], &[]), [""; 0], "what touched nothing may do anything");
    assert_eq!(levels(TWO, &[("await kit.two", &[SELECT])]), [""; 0]);
}

#[test]
fn calls_that_were_seen_to_write() {
    assert_eq!(levels(NAMED, &[]), ["likely"]);
    assert_eq!(levels(NAMED, &[("await kit.getOne", &["redis INCR"])]), [""; 0]);
    assert_eq!(levels(NAMED, &[("await kit.getTwo", &["fs write a"])]), [""; 0]);
    // Nobody knows what these do: their names stand.
    assert_eq!(levels(NAMED, &[("await kit.getOne", &["connect mail:25"])]), ["likely"]);
    assert_eq!(levels(NAMED, &[("await kit.getOne", &[])]), ["likely"]);
    let within = NAMED.replace("kit.getTwo(id)", "load(kit, id)")
        + "function load(kit, id) {\n  return kit.getTwo(id);\n}\n";
    assert_eq!(levels(&within, &[]), ["likely"]);
    assert_eq!(levels(&within, &[("await load", &["redis INCR"])]), [""; 0]);
}

#[test]
fn functions_of_the_program() {
    let text = TWO.replace("kit.two(id)", "gather(kit, id)")
        + "async function gather(kit, id) {\n  const found = await kit.other(id);\n  return found.name;\n}\n";
    let seen: [Seen<'_>; 3] =
        [("await kit.one", &[SELECT]), ("await gather", &[SELECT]), ("await kit.other", &[SELECT])];
    let ran = ("await gather", "await kit.other");
    assert_eq!(levels_within(&text, &seen, &[ran]), ["likely"]);
    assert_eq!(levels(&text, &seen), ["likely"], "elsewhere it only read");
    // What it was seen to write for others, or may do where nobody has been, it may do for this call, too.
    let branching = text.replace(
        "return found.name;",
        "if (found.old) return await kit.renew(found);\n  return found.name;",
    );
    let renewed =
        |seen_there: &[Seen<'_>]| levels_within(&branching, &[&seen, seen_there].concat(), &[ran]);
    assert_eq!(renewed(&[]), [""; 0], "no run has come there");
    assert_eq!(renewed(&[("await kit.renew", &["redis SET"])]), [""; 0]);
    assert_eq!(renewed(&[("await kit.renew", &["redis GET"])]), ["likely"]);
    // What runs in its own calls is seen there, whatever it does for others.
    let shared: [Seen<'_>; 3] = [seen[0], seen[1], ("await kit.other", &["redis SET"])];
    assert_eq!(levels_within(&text, &shared, &[ran]), ["likely"]);
    assert_eq!(levels(&text, &shared), [""; 0], "it did not run there");
    let unseen = [shared[0], shared[2]];
    assert_eq!(levels(&text, &unseen), [""; 0], "the call itself has to be seen");
    // What it hands on without an `await` nobody has seen.
    let handing = branching.replace("return await kit.renew(found)", "return kit.updateOne(found)");
    assert_eq!(levels_within(&handing, &seen, &[ran]), [""; 0]);
    // Of what may be any of several functions, all count.
    let dispatched = format!(
        "const first = {{ gather }}, second = {{ gather: keep }};
{text}async function keep(kit, id) {{
  const kept = await kit.keep(id);
  return kept.name;
}}
"
    )
    .replace("await gather(kit, id)", "await (id ? first : second).gather(kit, id)");
    let ran = ("await (id", "await kit.other");
    let levels_where = |text: &str, keeps: &[Seen<'_>]| {
        let seen: [Seen<'_>; 3] = [seen[0], ("await (id", &[SELECT]), seen[2]];
        levels_within(text, &[&seen, keeps].concat(), &[ran])
    };
    assert_eq!(levels_where(&dispatched, &[]), [""; 0], "no run has come there");
    assert_eq!(levels_where(&dispatched, &[("await kit.keep", &[SELECT])]), ["likely"]);
    assert_eq!(levels_where(&dispatched, &[("await kit.keep", &["redis SET"])]), [""; 0]);
    let updating = dispatched.replace("kit.keep", "kit.updateOne");
    assert_eq!(levels_where(&updating, &[]), [""; 0], "as its name says");
    let filling = TWO
        .replace("kit.two(id)", "gather(kit, list)")
        .replace("kit.one(id)", "gather(kit, list)")
        + "const list = [];\nasync function gather(kit, into) {\n  const found = await kit.other(into.length);\n  into.push(found);\n  return found;\n}\n";
    let filled: [Seen<'_>; 3] = [
        ("await gather(kit, list);\n  const two", &[SELECT]),
        ("await gather(kit, list);\n  return", &[SELECT]),
        ("await kit.other", &[SELECT]),
    ];
    assert_eq!(levels(&filling, &filled), [""; 0], "it changes what it is handed");
    // What it changes in the program counts, whatever was seen.
    let changing = text.replace("return found.name;", "seen = found;\n  return seen;")
        + "let seen = null;\nexport const last = () => seen;\n";
    let changing = changing.replace("kit.one(id)", "kit.one(id, seen)");
    assert_eq!(levels(&changing, &seen), [""; 0]);
    // What it is known to write may not have come up in a test.
    let writing = format!("import fs from \"node:fs/promises\";\n{text}").replace(
        "return found.name;",
        "if (found.bad) await fs.writeFile(\"a\", \"b\");\n  return found.name;",
    );
    assert_eq!(levels(&writing, &seen), [""; 0]);
}

/// Ways of a function that no run has come to may do anything, unless all of it is known.
#[test]
fn ways_that_no_run_has_come_to() {
    let with = |unseen: &str, beside: &str| {
        let text = format!(
            "{}async function gather(kit, id) {{\n  const found = await kit.other(id);\n  {unseen}\n  return found.name;\n}}\n{beside}",
            TWO.replace("kit.two(id)", "gather(kit, id)")
        );
        let seen: [Seen<'_>; 3] = [
            ("await kit.one", &[SELECT]),
            ("await gather", &[SELECT]),
            ("await kit.other", &[SELECT]),
        ];
        levels_within(&text, &seen, &[("await gather", "await kit.other")])
    };
    assert_eq!(with("", ""), ["likely"]);
    assert_eq!(with("if (found.old) found.names = found.list.map(String);", ""), ["likely"]);
    for unseen in [
        "if (found.old) return kit.renew(found);",
        "if (found.old) kit.renew(found);",
        "if (found.old) found.later = kit.renew(found);",
        "if (found.old) await renew(kit, found);",
        "if (found.old) found.all = await renewAll(kit, [found]);",
        "for await (const it of kit.steps(found)) if (it) break;",
    ] {
        let helpers = "const renew = (kit, it) => kit.renew(it);
const renewAll = (kit, all) => Promise.all(all.map((it) => kit.renew(it)));
";
        assert_eq!(with(unseen, helpers), [""; 0], "{unseen}");
    }
}

/// A package may call what it was handed once, in any of its calls.
#[test]
fn handlers_that_were_handed_over() {
    let with = |handler: &str| {
        let text = format!(
            "import {{ kit }} from \"kit\";\nlet reads = 0;\nkit.on(\"read\", {handler});\n{}",
            TWO.replace("page(kit, id)", "page(id)").replace("return [", "return [reads, ")
        );
        levels(&text, &[("await kit.one", &[SELECT]), ("await kit.two", &[SELECT])])
    };
    assert_eq!(with("(it) => it.length"), ["likely"]);
    assert_eq!(with("() => { reads += 1; }"), [""; 0]);
    assert_eq!(with("async (it) => { await kit.renew(it); }"), [""; 0]);
}

#[test]
fn what_is_told_by_a_value_what_to_do() {
    // The same `await` reads for one caller, and may write for another.
    let text = TWO.replace("kit.two(id)", "gather(kit, id)")
        + "async function gather(kit, id) {
  const found = await ask(kit, \"SELECT a FROM b\");
  if (found.old) await ask(kit, \"UPDATE b SET a = 1\");
  return found;
}
async function ask(kit, sql) {
  const all = await kit.query(sql);
  return all[0];
}
";
    let seen: [Seen<'_>; 4] = [
        ("await kit.one", &[SELECT]),
        ("await gather", &[SELECT]),
        ("await ask(kit, \"SELECT", &[SELECT]),
        ("await kit.query", &[SELECT]),
    ];
    let ran = [
        ("await gather", "await ask(kit, \"SELECT"),
        ("await gather", "await kit.query"),
        ("await ask(kit, \"SELECT", "await kit.query"),
    ];
    assert_eq!(levels_within(&text, &seen, &ran), [""; 0]);
    let known = text.replace("UPDATE b SET a = 1", "SELECT b FROM a");
    assert_eq!(levels_within(&known, &seen, &ran), [""; 0], "of which nobody has seen it either");
    let both = |call: &str| {
        let text = TWO.replace("kit.two(id)", call);
        let at = text.find("const two = ").map(|it| &text[it + 12..]).unwrap();
        let at = at.lines().next().unwrap().trim_end_matches(';').to_owned();
        levels(&text, &[("await kit.one", &[SELECT]), (&at, &[SELECT])])
    };
    assert_eq!(both("kit.two(id)"), ["likely"]);
    assert_eq!(both("(id ? kit.two(id) : kit.three(id))"), [""; 0], "nobody knows which of them");
    assert_eq!(both("kit[id](id)"), [""; 0]);
    assert_eq!(both("kit.run(id)"), [""; 0]);
    let plugin = "export async function page(kit, id) {
  const plugin = await import(`./plugin-${id}.js`);
  const one = await plugin.go(id);
  const two = await kit.two(id);
  return [one, two];
}
";
    let seen: [Seen<'_>; 2] = [("await plugin.go", &[SELECT]), ("await kit.two", &[SELECT])];
    assert_eq!(levels(plugin, &seen), [""; 0], "another module may be loaded");
}

#[test]
fn calls_whose_order_matters_though_they_read() {
    let seen: [Seen<'_>; 2] = [("await kit.one", &[SELECT]), ("await kit.two", &[SELECT])];
    let checks = TWO.replace("const one = await", "await").replace("[one, two]", "two");
    assert_eq!(levels(&checks, &seen), [""; 0], "what nobody takes the result of is a check");
    let handed = TWO.replace("kit.two(id)", "kit.two(() => id)");
    assert_eq!(levels(&handed, &seen), [""; 0], "a function that is called meanwhile");
    let ordered = TWO.replace("kit", "trx");
    let seen: [Seen<'_>; 2] = [("await trx.one", &[SELECT]), ("await trx.two", &[SELECT])];
    assert_eq!(levels(&ordered, &seen), [""; 0], "one transaction");
}

#[test]
fn what_is_proved_stays_so() {
    let text = "import fs from \"node:fs/promises\";
const one = await fs.readFile(\"a\", \"utf8\");
const two = await fs.readFile(\"b\", \"utf8\");
console.log(one + two);
";
    let expected = levels(text, &[]);
    assert_eq!(levels(text, &[("await fs.readFile(\"a", &["fs read a"])]), expected);
    assert_eq!(expected.len(), 1);
}

#[test]
fn names_that_say_more() {
    for name in ["getNext", "connect", "claim", "upload", "openSession", "call"] {
        let text = TWO.replace("kit.two", &format!("kit.{name}"));
        let at = format!("await kit.{name}");
        assert_eq!(
            levels(&text, &[("await kit.one", &[SELECT]), (&at, &[SELECT])]),
            [""; 0],
            "{name}"
        );
    }
}

#[test]
fn what_hangs_on_values() {
    let seen: [Seen<'_>; 2] = [("await kit.one", &[SELECT]), ("await bring", &[SELECT])];
    let handed = TWO.replace("kit.two(id)", "bring(id)").replace("(kit, id)", "(kit, id, bring)");
    assert_eq!(levels(&handed, &seen), [""; 0], "a parameter is whatever a caller brings");
    let told = |first: &str| {
        TWO.replace("kit.two(id)", &format!("kit.run({first}, id)"))
            + "export const note = async (kit) => {\n  const it = await kit.run(\"write\", 1);\n  return it;\n};\n"
    };
    let run = |first: &str| {
        let at = format!("await kit.run({first}");
        levels(
            &told(first),
            &[
                ("await kit.one", &[SELECT]),
                (&at, &[SELECT]),
                ("await kit.run(\"write\"", &["redis SET"]),
            ],
        )
    };
    assert_eq!(run("id.kind"), [""; 0], "it wrote where it was told something else");
    assert_eq!(run("\"read\""), ["likely"]);
    let called_back = TWO.replace("kit.two(id)", "kit.two(id, { done: () => id })");
    let seen: [Seen<'_>; 2] = [("await kit.one", &[SELECT]), ("await kit.two", &[SELECT])];
    assert_eq!(levels(&called_back, &seen), [""; 0], "a function that is called meanwhile");
}

#[test]
fn what_runs_beside() {
    let gather = |body: &str| {
        TWO.replace("kit.two(id)", "gather(kit, id)")
            + &format!(
                "async function gather(kit, id) {{\n  {body}\n  const found = await kit.other(id);\n  return found.name;\n}}\n"
            )
    };
    let seen: [Seen<'_>; 3] =
        [("await kit.one", &[SELECT]), ("await gather", &[SELECT]), ("await kit.other", &[SELECT])];
    let ran = ("await gather", "await kit.other");
    let left = |body: &str| levels_within(&gather(body), &seen, &[ran]);
    assert_eq!(left(""), ["likely"]);
    assert_eq!(left("if (id.old) kit.updateOne(id);"), [""; 0], "nobody waits for it");
    // A handler that somebody else calls.
    let handler = |body: &str| {
        format!(
            "const all = [];\nexport async function handler(kit, id) {{\n  const it = await kit.third(id);\n  {body}\n  return it;\n}}\n{TWO}"
        )
    };
    let seen: [Seen<'_>; 3] = [
        ("await kit.one", &[SELECT]),
        ("await kit.two", &[SELECT]),
        ("await kit.third", &[SELECT]),
    ];
    let ran = ("await kit.two", "await kit.third");
    assert_eq!(levels_within(&handler(""), &seen, &[ran]), ["likely"]);
    assert_eq!(
        levels_within(&handler("all.push(it);"), &seen, &[ran]),
        [""; 0],
        "it changes a list"
    );
    assert_eq!(levels(&handler("all.push(it);"), &seen), ["likely"], "it did not run there");
}

#[test]
fn what_is_there_for_all_is_nobodys_alone() {
    let of = |shared: &str| {
        format!(
            "import {{ kit, store }} from \"kit\";
async function item(id) {{
  const found = await kit.find(id);
  const it = {shared};
  it.count++;
  return it.count + found.count;
}}
export async function page(id) {{
  const one = await item(id);
  const two = await item(id + 1);
  return [one, two];
}}
"
        )
    };
    for shared in ["store.getStore()", "process.counted", "kit.shared.counts"] {
        assert_eq!(levels(&of(shared), &[]), [""; 0], "{shared}");
    }
    assert_eq!(levels(&of("found"), &[]), ["likely"], "what was read");
}

#[test]
fn what_touched_nothing_overlaps_nothing() {
    let none: &[&str] = &[];
    let named = TWO.replace("kit.two", "kit.getTwo");
    assert_eq!(levels(&named, &[("await kit.one", &[SELECT])]), ["likely"]);
    let seen: [Seen<'_>; 2] = [("await kit.one", &[SELECT]), ("await kit.getTwo", none)];
    assert_eq!(levels(&named, &seen), [""; 0], "only runs say that the other reads");
    let seen: [Seen<'_>; 2] = [("await kit.getOne", &[SELECT]), ("await kit.getTwo", none)];
    assert_eq!(levels(NAMED, &seen), ["likely"], "their names do");
}
