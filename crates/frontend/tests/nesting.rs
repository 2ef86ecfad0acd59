//! The deepest nesting that a worker thread takes without a look at the text: each construct as
//! deep as a file of that size can have it. An overflow ends the test process.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use headstart_frontend::{UNCHECKED_BYTES, parse_to_ir, thread_pool};

/// File ending, text before, text repeated, text behind (as often).
const CONSTRUCTS: &[(&str, &str, &str, &str)] = &[
    ("js", "", "[", "]"),
    ("js", "", "(", ")"),
    ("js", "", "{", "}"),
    ("js", "", "!", ""),
    ("js", "", "-+", "1"),
    ("js", "", "a=>", ""),
    ("js", "", "a=", ""),
    ("js", "", "a?", ":1"),
    ("js", "", "a?1:", ""),
    ("js", "", "a**", ""),
    ("js", "", "a+", ""),
    ("js", "", "a&&", ""),
    ("js", "", "a.", ""),
    ("js", "", "a?.", ""),
    ("js", "", "a(", ")"),
    ("js", "", "a[", "]"),
    ("js", "", "`${", "}`"),
    ("js", "", "new ", ""),
    ("js", "", "do ", ""),
    ("js", "", "if(a)", ""),
    ("js", "", "if(a);else ", ""),
    ("js", "", "for(;;)", ""),
    ("js", "", "a:", ""),
    ("js", "", "()=>{", "}"),
    ("js", "", "function f(){", "}"),
    ("js", "", "({a:", "})"),
    ("js", "", "class A{[", "]}"),
    ("js", "", "class A extends ", "{}"),
    ("js", "async()=>", "await ", ""),
    ("js", "let ", "[", "]"),
    ("js", "let ", "{a:", "}"),
    ("js", "", "a=[", "]"),
    ("jsx", "", "<a>", "</a>"),
    ("jsx", "", "<a b={", "}/>"),
    ("ts", "let a:", "(", ")"),
    ("ts", "let a:", "A<", ">"),
    ("ts", "let a:", "[", "]"),
    ("ts", "let a:", "{a:", "}"),
    ("ts", "let a:", "A extends B?", ":C"),
    ("ts", "let a:", "keyof ", ""),
    ("ts", "let a:", "()=>", ""),
    ("ts", "", "<A>", ""),
    ("ts", "", "namespace A{", "}"),
    ("ts", "", "a!", ""),
];

#[test]
fn a_worker_takes_the_deepest_nesting_of_a_small_file() {
    let pool = thread_pool(Some(1)).unwrap();
    for (extension, before, open, close) in CONSTRUCTS {
        let levels = UNCHECKED_BYTES / open.len();
        for balanced in [true, false] {
            let behind = if balanced { close.repeat(levels) } else { String::new() };
            let text = format!("{before}{}1{behind}", open.repeat(levels));
            let path = format!("deep.{extension}");
            let parsed = pool.install(|| parse_to_ir(Path::new(&path), &text, 0).is_ok());
            println!("{extension} {before}{open} x {levels}: parses: {parsed}");
        }
    }
}
