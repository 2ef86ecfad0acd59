//! What fast functions give back, where it may be a promise that is not what it seems.
//!
//! Who calls a fast function awaits what it gives back. For nearly every value that is what `return` in an
//! async function does with it, too; but `await` takes a promise of this realm for what it is, whatever
//! `then` it has of its own, and `return` calls that (ECMA-262, 27.7.5.3 Await and 27.2.1.3.2 Promise
//! Resolve Functions). So what is returned is looked at: `then` is read, as `return` does, and unless it is
//! that of all promises, something stands in for the value that awaits as the value would be returned.
//! What a tail call gives back, on the other hand, was awaited.
//!
//! Where only calls that ask for it run a fast function, the look is theirs, who look at each result in any case: what it gives back is
//! taken as it would be returned, but for promises that are noted as to be awaited (the twin's, and those of calls of anything else).
//!
//! Purpose: which returned expressions need that look, and its text. The helpers are in [`Runtime`].

use oxc_ast::ast::{self, AssignmentOperator, Expression};
use oxc_semantic::{Scoping, SymbolId};

use crate::facts::Facts;
use crate::returns::fast;
use crate::rope::{Rope, rope};

/// The names that the look needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResultNames {
    /// What was read as `then`.
    pub(crate) then: String,
    /// The value.
    pub(crate) result: String,
    /// The helper for what is returned.
    pub(crate) returned: String,
    /// The helper for what is returned where code of the function is still to run.
    pub(crate) guarded: String,
    /// The helper for what is awaited and returned.
    pub(crate) awaited: String,
    /// The helper that calls what is no fast function, for what is awaited.
    pub(crate) other: String,
    /// The one that makes a function that calls so.
    pub(crate) via: String,
    /// The one that gives what calls a method by the symbol of its fast one.
    pub(crate) miss: String,
    /// The one that gives the fast form of what is passed.
    pub(crate) plain: String,
    /// The helper for what a fast function gives, where that is awaited or given back at once.
    pub(crate) adopted: String,
    /// The helper for what a fast function gives that has a `then`.
    pub(crate) taken: String,
    /// Whether all that run the function look at what it gives back.
    pub(crate) is_raw: bool,
}

/// How a value is given back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    Returned,
    /// Out of a `try` or a `for … of`: `then` must not be read, and must not throw, before these end.
    Guarded,
    Awaited,
    /// It comes from a fast function that has not looked at it.
    Taken,
}

/// What is known of the names in an expression.
#[derive(Clone, Copy)]
pub(crate) struct Known<'x> {
    pub(crate) facts: &'x Facts,
    pub(crate) scoping: &'x Scoping,
}

/// The text that gives a value back in the fast function; in the twin, it is as it was. `again`: the value may be read
/// once more, by this text.
pub(crate) fn looked_at(text: &Rope, way: Way, names: &ResultNames, again: Option<&str>) -> Rope {
    let ResultNames { then, result, returned, guarded, awaited, taken, .. } = names;
    if names.is_raw && way != Way::Awaited {
        return text.clone();
    }
    let helper = match way {
        Way::Taken => taken,
        Way::Returned => returned,
        Way::Awaited => awaited,
        Way::Guarded => {
            return rope![fast(format!("{guarded}(("), ""), text, fast("))".into(), "")];
        }
    };
    // The fewer bytecodes a function has, the more of those that it calls V8 inlines.
    if let Some(value) = again {
        let behind = format!("?.then) ? {helper}({value}, {then}) : {value}");
        return rope![fast(format!("({then} = "), ""), text, fast(behind, "")];
    }
    let behind = format!("))?.then) ? {helper}({result}, {then}) : {result}");
    rope![fast(format!("({then} = ({result} = ("), ""), text, fast(behind, "")]
}

impl Known<'_> {
    /// Whether a value can be no promise but one that nobody has changed: by the form of the expression.
    pub(crate) fn is_settled(self, it: &Expression<'_>) -> bool {
        match it.get_inner_expression() {
            // Had it been one, it would have been waited for.
            Expression::AwaitExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::ClassExpression(_)
            | Expression::ObjectExpression(_)
            | Expression::ArrayExpression(_)
            | Expression::RegExpLiteral(_)
            | Expression::ImportExpression(_) => true,
            Expression::ConditionalExpression(it) => {
                self.is_settled(&it.consequent) && self.is_settled(&it.alternate)
            }
            Expression::LogicalExpression(it) => {
                self.is_settled(&it.left) && self.is_settled(&it.right)
            }
            Expression::SequenceExpression(it) => {
                it.expressions.last().is_some_and(|it| self.is_settled(it))
            }
            Expression::AssignmentExpression(it) if it.operator == AssignmentOperator::Assign => {
                self.is_settled(&it.right)
            }
            Expression::NewExpression(it) => self.is_plain_class(&it.callee),
            Expression::Identifier(id) => self.symbol(id).is_some_and(|it| self.was_awaited(it)),
            it => crate::lower::is_primitive(it),
        }
    }

    /// Whether it is the name of a class of the language that makes no promises, or only new ones.
    fn is_plain_class(self, it: &Expression<'_>) -> bool {
        let Expression::Identifier(it) = it else { return false };
        let plain =
            ["Array", "Date", "Error", "Map", "Promise", "RangeError", "Set", "TypeError", "URL"];
        self.symbol(it).is_none() && plain.contains(&it.name.as_str())
    }

    fn symbol(self, it: &ast::IdentifierReference<'_>) -> Option<SymbolId> {
        self.scoping.get_reference(it.reference_id.get()?).symbol_id()
    }

    /// Whether a variable holds what an `await` gave, and nothing else.
    fn was_awaited(self, symbol: SymbolId) -> bool {
        self.facts.awaited.contains(&symbol)
            && !self.scoping.symbol_is_mutated(symbol)
            && self.scoping.symbol_redeclarations(symbol).is_empty()
    }
}
