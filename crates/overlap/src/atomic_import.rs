//! Where a file takes `atomic` of `headstart-activities` from, or would.

use headstart_effects::{ACTIVITIES, is_atomic};
use headstart_ir::{FileIr, FileKind, Inst, RequestKind, Stmt, StmtKind, VarId};

/// Whether a statement is a literal by itself, as directives are: `"use strict"`.
pub(crate) fn is_directive(ir: &FileIr, stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Expression { value } if matches!(ir.inst(value), Inst::Literal(_)))
}

/// How a file gets it.
#[derive(Clone, Debug)]
pub(crate) struct AtomicImport {
    /// What it is called in the file, where that has it.
    pub(crate) name: Option<String>,
    /// Where its line goes, in bytes: behind the imports, or in front of all that runs.
    at: Option<u32>,
    is_module: bool,
}

impl AtomicImport {
    pub(crate) fn of(ir: &FileIr) -> Self {
        let mut vars = (0..ir.variables.len()).map(VarId::new);
        let name = vars.find(|&it| is_atomic(ir, it));
        let of_imports = || {
            let all = ir.requests.iter().filter(|it| it.kind == RequestKind::Import);
            all.map(|it| it.span.end).max()
        };
        let of_code = || {
            let body = ir.functions.first().map(|it| ir.block(it.body)).unwrap_or_default();
            let mut stmts = body.iter().map(|&it| ir.stmt(it));
            stmts.find(|it| !is_directive(ir, it)).map(|it| it.span.start)
        };
        let is_module = ir.kind == FileKind::Module;
        Self {
            name: name.map(|it| ir.name(ir.variable(it).name).to_owned()),
            at: of_imports().filter(|_| is_module).or_else(of_code),
            is_module,
        }
    }

    /// The line under a name, and where it goes in a text.
    pub(crate) fn line(&self, name: &str, text: &str, end: &str) -> (u32, String) {
        let at = self.at.unwrap_or(0) as usize;
        let is_behind = text.get(..at).is_some_and(|it| it.ends_with(['"', '\'']));
        let quote = if text.matches('\'').count() > text.matches('"').count() { '\'' } else { '"' };
        let taken = if name == "atomic" {
            name.to_owned()
        } else if self.is_module {
            format!("atomic as {name}")
        } else {
            format!("atomic: {name}")
        };
        let line = if self.is_module {
            format!("import {{ {taken} }} from {quote}{ACTIVITIES}{quote}{end}\n")
        } else {
            format!("const {{ {taken} }} = require({quote}{ACTIVITIES}{quote}){end}\n")
        };
        if !is_behind {
            return (self.at.unwrap_or(0), line);
        }
        let next = text.get(at..).and_then(|it| it.find('\n')).map(|it| at + it + 1);
        match next.and_then(|it| u32::try_from(it).ok()) {
            Some(next) => (next, line),
            None => (u32::try_from(text.len()).unwrap_or(0), format!("\n{line}")),
        }
    }
}
