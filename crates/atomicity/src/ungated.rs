//! Where code is called back or resumes and no edit reaches it.

use oxc_ast::ast;
use oxc_span::Span;

/// What does not pass the gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UngatedKind {
    /// A function that `then`, `catch` or `finally` gets.
    Handler,
    /// A function that a timer or an event calls: `gated` makes one that waits.
    Callback,
    /// The end of a block with `await using`.
    Disposal,
    /// `yield*`: what it passes on in between.
    Delegation,
    /// A function that stays as it is, since its statements cannot stand in a block.
    Function,
    /// The pattern of `for await`, whose parts are taken before the gate.
    Pattern,
}

/// A place where it does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ungated {
    /// What it is.
    pub kind: UngatedKind,
    /// Where it starts, in bytes.
    pub offset: u32,
}

/// What calls functions back that it is handed.
const CALLERS: [&str; 10] = [
    "addEventListener",
    "addListener",
    "nextTick",
    "on",
    "once",
    "queueMicrotask",
    "setImmediate",
    "setInterval",
    "setTimeout",
    "requestAnimationFrame",
];

/// Whether a call hands a function to what calls it back.
pub(crate) fn called_back(call: &ast::CallExpression<'_>) -> Option<(UngatedKind, Span)> {
    let given = call.arguments.iter().find_map(|it| match it {
        ast::Argument::ArrowFunctionExpression(it) => Some(it.span),
        ast::Argument::FunctionExpression(it) => Some(it.span),
        _ => None,
    })?;
    let name = match &call.callee {
        ast::Expression::Identifier(it) => it.name.as_str(),
        ast::Expression::StaticMemberExpression(it) => it.property.name.as_str(),
        _ => return None,
    };
    let is_member = matches!(call.callee, ast::Expression::StaticMemberExpression(_));
    match name {
        "then" | "catch" | "finally" if is_member => Some((UngatedKind::Handler, given)),
        name if CALLERS.contains(&name) => Some((UngatedKind::Callback, given)),
        _ => None,
    }
}
