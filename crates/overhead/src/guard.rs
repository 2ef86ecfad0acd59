//! The text of a call of a method that may have a fast form.
//!
//! ```js
//! await o.m(x);
//! // the operand becomes
//! Reflect.apply((m = o.m, m != null && (f = m[key]) && f.of === m) ? f.fast : m, o, [x])
//! ```
//!
//! `o.m` is read once, in its place. A fast method belongs to one function object: what overrides or
//! replaces the method has none, and neither has what only got copies of its properties. With `m?.[key]`
//! instead, V8 no longer sees that all of it is constant, and takes three times as long.

use oxc_ast::ast::Argument;
use oxc_span::GetSpan;

use crate::rope::{Edits, Rope, rope};

/// The fast method of a method, or the method itself; `read` reads it first.
pub(crate) fn fast_of(read: &Rope, method: &Rope, found: &str, key: &str) -> Rope {
    rope![
        "(",
        read,
        method,
        " != null && (",
        found,
        " = ",
        method,
        "[",
        key,
        "]) && ",
        found,
        ".of === ",
        method,
        ") ? ",
        found,
        ".fast : ",
        method
    ]
}

/// Calls `target`: not by way of its own `call`, which need not be what it is for functions.
pub(crate) fn applied(
    target: &Rope,
    receiver: &Rope,
    arguments: &[Argument<'_>],
    edits: &Edits,
) -> Rope {
    let mut text = rope!["Reflect.apply(", target, ", ", receiver, ", ["];
    for (index, argument) in arguments.iter().enumerate() {
        text.push(if index > 0 { ", " } else { "" });
        text.append(&edits.render(argument.span()));
    }
    text.push("])");
    text
}
