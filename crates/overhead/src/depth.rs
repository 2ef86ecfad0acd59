//! Functions that count how deep their calls are, since they may call themselves.
//!
//! Async functions survive recursion that ordinary ones overflow the stack with: each awaits first.
//! So a fast function that may call itself counts, and hands over when too many of its calls are on
//! the stack. It does so in front of the first statement that awaits: what stands before that runs on
//! the stack of the caller in async functions, too. It sets the counter back where it ends: a
//! `finally` would do it in one place, but costs more than all the rest of it.
//!
//! Recursion without an end overflows the stack in async functions, too, and programs catch that. So what hands
//! over in this way counts how many calls it follows, over all that handed over before it, and throws the same
//! error beyond [`MOST_CALLS`]. That starts at 0 in what has really waited. It costs calls nothing: the counter
//! holds both, levels times [`CALLS`] and calls.
//!
//! Arguments stand on the stack, too, for as long as the call that got them. Where a list of them is spread, they
//! may be very many, and functions that hand them on would have them there once for each. So a function with a
//! rest parameter hands over in the same place where that has more than [`MOST_ARGUMENTS`].

use oxc_ast::ast;
use oxc_semantic::SymbolId;
use oxc_span::Span;

use crate::results::{Known, ResultNames, Way, looked_at};
use crate::returns::{fast, returns};
use crate::rope::{Edits, Rope, rope};
use crate::shape::Names;

/// A function that counts.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    /// The counter.
    pub(crate) depth: String,
    /// How much it counts for: in levels, of which [`LEVELS`] may be on the stack.
    pub(crate) cost: u32,
}

/// How many levels may be on the stack. Each stands for [`WORDS`]: for half of what V8 has by default, 984 kB
/// (`--stack-size`), as what stands around the calls needs some, too.
pub(crate) const LEVELS: u32 = 500;

/// What the counter is divided by: levels are the quotient, calls the rest. More than may be on the stack, which is
/// [`LEVELS`] and the one that is too deep.
pub(crate) const CALLS: u32 = 512;

/// How many calls may follow one another, each in the one before and none having waited but for the stack, before
/// recursion counts as endless. A stack of the usual size has room for some 10,000 small ones.
pub(crate) const MOST_CALLS: u32 = 200_000;

/// The words of stack, of 8 bytes, that a level stands for.
const WORDS: u32 = 128;

/// What a call counts for that may stand on the stack once, but not twice.
pub(crate) const ALONE: u32 = LEVELS / 2 + 1;

/// What a call counts for that takes so many words until the next one counts; `None` where they have no
/// bound.
pub(crate) fn cost(words: Option<u32>) -> u32 {
    words.map_or(ALONE, |it| it.div_ceil(WORDS).clamp(1, ALONE))
}

/// How many arguments a rest parameter may have for the call to go on: 4 kB of the stack.
const MOST_ARGUMENTS: u32 = 512;

/// What is asked at the start of a function, so that its calls do not take too much of the stack.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'x> {
    pub(crate) counted: Option<&'x Counted>,
    /// Its rest parameter.
    pub(crate) list: Option<SymbolId>,
}

impl Limits<'_> {
    pub(crate) fn is_any(&self) -> bool {
        self.counted.is_some() || self.list.is_some()
    }

    /// Whether the call takes too much; `name`: of a variable.
    pub(crate) fn test(&self, names: &Names, name: &dyn Fn(SymbolId) -> String) -> String {
        let depth = self.counted.map(|it| it.enter(names));
        let list = self.list.map(|it| format!("{}.length > {MOST_ARGUMENTS}", name(it)));
        let tests: Vec<String> = depth.into_iter().chain(list).collect();
        tests.join(" || ")
    }
}

impl Counted {
    /// Counts the call; whether it is too deep.
    pub(crate) fn enter(&self, names: &Names) -> String {
        let (one, most) = (self.cost * CALLS + 1, LEVELS * CALLS + CALLS - 1);
        format!("({} = {} + {one}) > {most}", self.depth, names.level)
    }

    /// Sets the counter back.
    pub(crate) fn leave(&self, names: &Names) -> String {
        format!("{} = {}", self.depth, names.level)
    }

    /// Returns a value, once the counter is set back: what computes the value is still counted.
    pub(crate) fn returned(&self, names: &Names, value: &Rope) -> Rope {
        let result = &names.result;
        rope!["return ", result, " = (", value, "), ", self.leave(names), ", ", result, ";"]
    }

    /// Has each `return` in some statements set the counter back; `results`: what looks at their values.
    pub(crate) fn edit(
        &self,
        names: &Names,
        (body, known): (&[ast::Statement<'_>], Known<'_>),
        results: &ResultNames,
        edits: &mut Edits,
    ) {
        let leave = self.leave(names);
        for it in returns(body, known) {
            let looked_at = |argument: Span| {
                let value = edits.render(argument);
                let way = if it.is_guarded { Way::Guarded } else { Way::Returned };
                if it.is_settled { value } else { looked_at(&value, way, results, None) }
            };
            let text = match it.argument {
                None => fast(format!("{{ {leave}; return; }}"), "return;"),
                Some(argument) if it.calls_nothing => {
                    rope!["return ", fast(format!("{leave}, "), ""), looked_at(argument), ";"]
                }
                Some(argument) => {
                    let (begin, end) = (format!("{} = (", names.result), &names.result);
                    let end = fast(format!("), {leave}, {end}"), "");
                    rope!["return ", fast(begin, ""), looked_at(argument), end, ";"]
                }
            };
            edits.replace(it.span, text);
        }
    }
}
