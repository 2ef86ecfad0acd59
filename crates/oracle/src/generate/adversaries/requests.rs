//! Requests whose method does not stand in the call: it is in a `Request`, in options that come from
//! elsewhere, or in what those inherit.

use super::{Generator, Program, call, code, function, give, read};
use crate::tree::{Expr, Stmt};

/// Where the method is: what has to be declared first, in the function, and the arguments of `fetch`.
const FORMS: &[(&str, &str)] = &[
    ("", "new Request(URL, { method: METHOD, body: \"n\" })"),
    ("const request1 = new Request(URL, { method: METHOD })", "request1"),
    ("const request1 = { request: new Request(URL, { method: METHOD }) }", "request1.request"),
    ("", "new Request(URL, { method: METHOD }).clone()"),
    ("", "new Request(new Request(URL, { method: METHOD }))"),
    ("", "new Put(URL)"),
    ("", "build(URL)"),
    ("const [request1] = [new Request(URL, { method: METHOD })]", "request1"),
    ("const options1 = { method: METHOD }", "URL, options1"),
    ("const options1 = { method: \"GET\" };\n  options1.method = METHOD", "URL, options1"),
    ("const options1 = { method: METHOD }", "URL, { ...options1 }"),
    ("const options1 = { method: METHOD }", "URL, { cache: \"default\", ...options1 }"),
    ("", "URL, Object.assign({}, { method: METHOD })"),
    ("", "URL, { __proto__: { method: METHOD } }"),
    ("let method1 = \"GET\";\n  method1 = METHOD", "URL, { method: method1 }"),
    ("const key1 = [\"met\", \"hod\"].join(\"\")", "URL, { [key1]: METHOD }"),
    ("", "URL, { method: choose() }"),
    ("", "URL, { get method() { return METHOD; } }"),
];

pub(super) fn program(generator: &mut Generator) -> Program {
    let (before, args) = FORMS[generator.below(FORMS.len())];
    let method = generator.pick(&["\"PUT\"", "\"DELETE\"", "\"POST\"", "\"PUT\"", "VERB"]);
    let host = generator.pick(&["one.example", "two.example"]);
    let url = format!("\"https://{host}/{}\"", generator.letter());
    let fill = |text: &str| text.replace("METHOD", method).replace("URL", &url);
    let (before, args) = (fill(before), fill(args));
    let other = format!("\"https://{host}/{}\"", generator.letter());

    let mut body = Vec::new();
    if !before.is_empty() {
        body.push(Stmt::Expr(Expr::code(before)));
    }
    let is_handed_on = args.starts_with("new ") && generator.chance(30);
    let first =
        if is_handed_on { call("v1", "send", &[&args]) } else { read("v1", "fetch", &[&args]) };
    let second = read("v2", "fetch", &[&other]);
    let third = read("v3", "readFile", &["\"a\"", "\"utf8\""]);
    let mut rest = vec![first, second];
    if generator.chance(30) {
        rest.reverse();
    }
    if generator.chance(40) {
        let at = generator.below(3);
        rest.insert(at, third);
    }
    body.extend(rest);
    body.push(give("[v1, v2]"));
    Program {
        items: vec![
            code("const VERB = \"PUT\";"),
            code(
                "class Put extends Request {\n  constructor(url) {\n    super(url, { method: \"PUT\" });\n  }\n}",
            ),
            code("const build = (url) => new Request(url, { method: \"PUT\" });"),
            code("const choose = () => [\"PUT\"][0];"),
            function(
                "async function send(request)",
                vec![read("v4", "fetch", &["request"]), give("v4")],
            ),
            function("export async function main()", body),
        ],
    }
}
