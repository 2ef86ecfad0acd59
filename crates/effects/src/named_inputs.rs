//! Whether a program names files that reading consumes, or that are others whenever they are read (`/dev/stdin`,
//! `/proc/self/io`): a path that nobody knows may be put together of that, then.

use headstart_ir::{FileIr, Inst, InstId, Literal};

/// Files there that are the same for everybody.
pub(crate) const PLAIN_DEVICES: [&str; 5] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The first text in a file that names such a file, or a folder of them.
pub(crate) fn first_named_input(ir: &FileIr) -> Option<InstId> {
    let names = |inst: &Inst| match *inst {
        Inst::Literal(Literal::String(name)) => names_input(ir.name(name)),
        _ => false,
    };
    ir.insts.iter().position(names).map(InstId::new)
}

/// Whether a text names such a file, however it leads there.
fn names_input(text: &str) -> bool {
    if PLAIN_DEVICES.contains(&text) || (text.contains("://") && !text.starts_with("file:")) {
        return false;
    }
    let is_folder = |it: &str| {
        let rest = text.strip_prefix(it);
        rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
    };
    let inside = |it: &str| text.contains(it);
    ["/dev", "/proc", "dev/stdin", "dev/fd", "proc/self"].iter().any(|it| is_folder(it))
        || ((inside("..") || text.starts_with("file:")) && (inside("/dev/") || inside("/proc/")))
}

#[cfg(test)]
mod tests {
    use super::names_input;

    #[test]
    fn names_of_inputs() {
        for input in [
            "/dev/stdin",
            "/dev",
            "/dev/",
            "dev/stdin",
            "file:///dev/stdin",
            "../../dev/stdin",
            "/tmp/../dev/fd/0",
            "/proc/self/fd/0",
        ] {
            assert!(names_input(input), "{input}");
        }
        for other in
            ["/dev/null", "/devices", "https://example.org/dev/x", "src/dev/x.ts", "dev", "process"]
        {
            assert!(!names_input(other), "{other}");
        }
    }
}
