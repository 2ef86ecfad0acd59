//! Calls whose names say that they decide whether what follows may run, or that they do not return.

use headstart_ir::{FileIr, Inst, InstId, Stmt};

use crate::site::{called_name, name_of};

/// A call in a statement whose name says that it decides whether the rest may go on: `requireUser`.
pub(crate) fn gate(ir: &FileIr, stmt: &Stmt) -> Option<InstId> {
    FileIr::range(stmt.first, stmt.end).find(|&id| match ir.inst(id) {
        Inst::Call { callee, .. } => is_gate(&name_of(ir, callee)),
        Inst::CallMethod { object, method, .. } => {
            is_gate(&name_of(ir, method)) || is_of_assert(ir, object)
        }
        _ => false,
    })
}

/// Whether a value is `assert`, or a member of that at whatever depth: `assert.strict.equal(…)`.
fn is_of_assert(ir: &FileIr, mut value: InstId) -> bool {
    while let Inst::Get { object, .. } = ir.inst(value)
        && object < value
    {
        value = object;
    }
    name_of(ir, value) == "assert"
}

/// Whether a function is called like one whose result says that what follows may be done.
pub(crate) fn is_gate(name: &str) -> bool {
    const GATES: [&str; 19] = [
        "acquire", "allow", "assert", "auth", "begin", "can", "check", "confirm", "enforce",
        "ensure", "expect", "guard", "lock", "must", "permit", "require", "throw", "validate",
        "verify",
    ];
    // `canonical` is none; `authorize` and `authenticate` are.
    GATES.iter().any(|gate| begins_with(name, gate, *gate == "auth"))
}

/// Whether a function is called like one that shows something to who runs the program: `printDiff`.
pub(crate) fn is_print(name: &str) -> bool {
    ["display", "echo", "print", "show"].iter().any(|it| begins_with(name, it, false))
}

/// Whether the first word of a name is this one; what goes on in small letters is another word, unless `is_stem` says that
/// it does not matter.
fn begins_with(name: &str, word: &str, is_stem: bool) -> bool {
    let name = name.trim_start_matches(['_', '$', '#']);
    name.split_at_checked(word.len()).is_some_and(|(head, rest)| {
        let goes_on = rest.starts_with(|it: char| it.is_ascii_lowercase());
        head.eq_ignore_ascii_case(word) && (is_stem || !goes_on)
    })
}

/// Whether a call that decides whether the rest may go on says who may do what: `requireUser`, `authorizeRequest`. What
/// stands behind it is for those whom it lets through, whatever it gives.
pub(crate) fn permits(ir: &FileIr, call: InstId) -> bool {
    const PERMITTING: [&str; 6] =
        ["authenticate", "authorise", "authorize", "enforce", "permit", "require"];
    let name = called_name(ir, call);
    let name = name.trim_start_matches(['_', '$', '#']);
    PERMITTING.iter().any(|it| name.starts_with(it))
}

/// Whether a function is called like one that does not return: `redirect("/login")`.
pub(crate) fn is_exit(name: &str) -> bool {
    const EXITS: [&str; 12] = [
        "abort",
        "bail",
        "exit",
        "fail",
        "forbidden",
        "notFound",
        "permanentRedirect",
        "quit",
        "redirect",
        "reject",
        "unauthorized",
        "unreachable",
    ];
    EXITS.contains(&name)
}
