//! Awaits in one expression that wait for one another though none needs what the other gives.
//!
//! ## What it does
//! Finds several awaits in one statement, such as the properties of an object literal, and starts
//! their operations together before the statement.
//!
//! ## Before
//! ```js
//! return { user: await fetchUser(id), teams: await fetchTeams(id) };
//! ```
//!
//! ## After
//! ```js
//! const [user, teams] = await Promise.all([fetchUser(id), fetchTeams(id)]);
//! return { user, teams };
//! ```
//!
//! ## When not
//! See `docs/awaits-in-one-expression.md`: awaits behind `&&`, `?:` and their like, operations that
//! write, anything else in the statement that has an effect or may throw before the last of them.

use headstart_ir::{BlockForm, DeclKind, FileIr, Inst, InstId, Key, StmtKind};

use super::{Find, Meta, Rewrite};
use crate::arbiter::{Proposal, Proposals};
use crate::block::Block;
use crate::finding::{Finding, Level, Plan};
use crate::gathering::Gathering;
use crate::script::{Change, Fit, Fragment, FreshName, Script};
use crate::site::{Site, is_identifier, sites};
use crate::unit::Unit;
use crate::walk::pinned_comment;
use crate::words;

pub(super) const REWRITE: Rewrite = Rewrite {
    meta: Meta {
        id: "awaits-in-one-expression",
        summary: "Awaits in one expression wait for one another",
        description: "Several operations that are awaited in one statement read from outside the \
                      program and need nothing from one another, yet each starts only when the one \
                      before it has ended.",
        help: "Start the operations before the statement, together, and put their results where \
               the awaits stood. `headstart fix` does it.",
        edits: Some("Start the operations together, before the statement"),
        remedy: "start them together",
        here: None,
        waits_for: "for this to end",
        levels: &[Level::Safe, Level::Likely],
    },
    find: Find::Block(find),
};

fn find<'p>(block: &Block<'_, 'p>, _: &Proposals<'p>) -> Vec<Proposal<'p>> {
    let of_unit = |(index, unit)| {
        let (finding, script) = of_unit(block, unit)?;
        Some(Proposal { finding, units: (index, index), script: Some(script), becomes: None })
    };
    block.units.iter().enumerate().filter_map(of_unit).collect()
}

/// The finding of one statement, and how it is rewritten.
fn of_unit<'p>(block: &Block<'_, 'p>, unit: &Unit<'p>) -> Option<(Finding, Script)> {
    let Block { scope, surroundings, form, .. } = block;
    let scope = *scope;
    let ir = scope.analysis.ir;
    let is_left = surroundings.is_exact || unit.is_ignored || !has_room(*form, unit);
    if is_left || !waits_again(ir, unit) || !can_stand_before(ir, unit) {
        return None;
    }
    let known = block.known(unit);
    let sites = sites(scope.analysis, unit.stmt, &known);
    let range = (unit.stmt.first, sites.last()?.suspension);
    let gathering = Gathering::of(scope, unit, surroundings, sites, range, &known)?;
    if gathering.sites.iter().any(|it| it.loses_comment(ir)) {
        return None;
    }
    let script = script(ir, unit, &gathering.sites);
    let finding = gathering.finding(ir, REWRITE.meta.id, Plan::within(unit.stmt.span, *form, &script));
    Some((finding, script))
}

/// Whether the place of a statement has room for another before it. A statement with blocks of its own
/// gets no braces: those of a statement within it might end where its own would.
fn has_room(form: BlockForm, unit: &Unit<'_>) -> bool {
    match form {
        BlockForm::List => true,
        BlockForm::Single(_) | BlockForm::Concise(_) => unit.stmt.kind.nested().is_empty(),
        BlockForm::Fixed => false,
    }
}

/// Whether a statement can get another before it: nothing that it declares is hoisted, and it is
/// no part of a list of its own.
fn can_stand_before(ir: &FileIr, unit: &Unit<'_>) -> bool {
    let is_using = matches!(unit.stmt.kind, StmtKind::Declaration { kind, .. }
        if matches!(kind, DeclKind::Using | DeclKind::AwaitUsing));
    let is_pinned = pinned_comment(ir, unit.stmt.span).is_some();
    !is_using && !is_pinned && unit.unknown.is_none_or(|at| Some(at) > last_await(ir, unit))
}

/// Whether a statement has more than one `await`.
fn waits_again(ir: &FileIr, unit: &Unit<'_>) -> bool {
    let waits = |id: &InstId| ir.inst(*id).is_suspend_point();
    FileIr::range(unit.stmt.first, unit.stmt.end).filter(waits).nth(1).is_some()
}

fn last_await(ir: &FileIr, unit: &Unit<'_>) -> Option<InstId> {
    FileIr::range(unit.stmt.first, unit.stmt.end).rfind(|&id| matches!(ir.inst(id), Inst::Await(_)))
}

/// `const [a, b] = await Promise.all([…])` before the statement, and the results where the awaits
/// stood.
fn script(ir: &FileIr, unit: &Unit<'_>, sites: &[Site<'_>]) -> Script {
    let mut script = Script::default();
    let mut head = vec![Fragment::code("const [")];
    for (number, site) in sites.iter().enumerate() {
        let key = property(ir, unit, site.suspension);
        if number > 0 {
            head.push(Fragment::code(", "));
        }
        head.push(Fragment::Name(number));
        let fit = if key.is_some() { Fit::Property } else { Fit::Operand };
        let span = ir.span(site.suspension);
        script.changes.push(Change { span, with: vec![Fragment::Name(number)], fit });
        let may_be_property = key.is_some();
        let of_call = || format!("{}Result", words::callee_text(ir, site.operation));
        script.names.push(FreshName { wanted: key.unwrap_or_else(of_call), may_be_property });
    }
    head.push(Fragment::code("] = await Promise.all(["));
    head.push(Fragment::List(sites.iter().map(|it| ir.span(it.operation)).collect()));
    head.push(Fragment::code("])"));
    script.before.push(head);
    script
}

/// The name of the property of an object literal that a value becomes.
fn property(ir: &FileIr, unit: &Unit<'_>, value: InstId) -> Option<String> {
    FileIr::range(value, unit.stmt.end).find_map(|id| match ir.inst(id) {
        Inst::Set { object, key, value: set }
            if set == value && ir.inst(object) == Inst::Object =>
        {
            match key.get() {
                Key::Name(name) if is_name(ir.name(name)) && is_nobodys(ir.name(name)) => {
                    Some(ir.name(name).to_owned())
                }
                _ => None,
            }
        }
        _ => None,
    })
}

/// Whether a name can be given to a variable without hiding what code uses that does not show in the file's
/// instructions: what a rewrite writes itself, what compilers put in (of JSX, of classes, of modules), and
/// `undefined` and its like, which are no names to the analysis.
fn is_nobodys(name: &str) -> bool {
    const USED: [&str; 25] = [
        "Array",
        "Boolean",
        "Error",
        "Fragment",
        "Function",
        "Infinity",
        "Map",
        "Math",
        "NaN",
        "Number",
        "Object",
        "Promise",
        "React",
        "Reflect",
        "Set",
        "String",
        "Symbol",
        "WeakMap",
        "WeakSet",
        "exports",
        "globalThis",
        "module",
        "require",
        "h",
        "undefined",
    ];
    // Helpers of compilers: `__awaiter`. `{ __proto__: value }` sets the prototype, `{ __proto__ }` does
    // not (ECMA-262, 13.2.5.5).
    !USED.contains(&name) && !name.starts_with("__")
}

/// Whether a text can be the name of a variable (ECMA-262, 12.7): only plain ones are used.
fn is_name(text: &str) -> bool {
    const RESERVED: [&str; 48] = [
        "arguments",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "debugger",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "eval",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "function",
        "if",
        "implements",
        "import",
        "in",
        "instanceof",
        "interface",
        "let",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "typeof",
        "var",
        "void",
        "while",
        "with",
        "yield",
    ];
    is_identifier(text) && !RESERVED.contains(&text)
}
