//! Files that are tests by what they hold, whatever their names say: `describe("…", () => …)` at their
//! top level, or a module of a test runner among their imports.

use headstart_ir::{FileIr, FunctionId, Inst, InstId, Key};

/// The modules that only tests import.
const RUNNERS: [&str; 17] = [
    "@jest/globals",
    "@playwright/test",
    "@storybook/jest",
    "@storybook/test",
    "@storybook/testing-library",
    "@testing-library/jest-dom",
    "ava",
    "bun:test",
    "cypress",
    "mocha",
    "node:test",
    "storybook/test",
    "tap",
    "tape",
    "uvu",
    "vitest",
    "zora",
];

/// The globals that a test runner gives to tests, each called with a title and a function.
const GLOBALS: [&str; 6] = ["context", "describe", "it", "specify", "suite", "test"];

/// Whether a file is a test.
pub(crate) fn is_test(ir: &FileIr) -> bool {
    let imports = ir.requests.iter().filter(|it| it.kind.loads());
    let mut names = imports.map(|it| ir.name(it.specifier));
    names.any(|it| RUNNERS.contains(&it)) || has_suite(ir)
}

/// Whether a file describes tests at its top level.
fn has_suite(ir: &FileIr) -> bool {
    let top = ir.function(FunctionId::new(0));
    FileIr::range(top.first, top.end).any(|at| match ir.inst(at) {
        Inst::Call { callee, args, .. } => is_runner(ir, callee) && describes(ir, ir.args(args)),
        Inst::CallMethod { method, args, .. } => {
            // `describe.concurrent`
            matches!(ir.inst(method), Inst::Get { object, key }
                if matches!(key.get(), Key::Name(_)) && is_runner(ir, object))
                && describes(ir, ir.args(args))
        }
        _ => false,
    })
}

fn is_runner(ir: &FileIr, value: InstId) -> bool {
    matches!(ir.inst(value), Inst::LoadGlobal(name) if GLOBALS.contains(&ir.name(name)))
}

/// A title and what is to be done.
fn describes(ir: &FileIr, args: &[InstId]) -> bool {
    let is_title = |it: &InstId| matches!(ir.inst(*it), Inst::Literal(_) | Inst::Template(_));
    args.first().is_some_and(is_title)
        && args
            .get(1..)
            .is_some_and(|rest| rest.iter().any(|it| matches!(ir.inst(*it), Inst::Closure(_))))
}
