//! Restores async functions that a compiler has written as generators behind a helper.
//!
//! Compilers for older targets make a generator at every call of an async function, which costs
//! many times what a native one does. Where the helper is the compiler's own, the text is what it
//! was before, but for a few brackets. One module a step:
//!
//! 1. [`helpers`]: which variables hold a helper, by [`fingerprint`](mod@fingerprint) or by import.
//! 2. [`call`] and [`detached`]: the forms in which compilers use them.
//! 3. [`generator`]: what changes in the function that is passed; [`machine`]: if it is a state
//!    machine.
//! 4. [`function`]: whether the function around becomes async itself; if not, an async arrow
//!    function stands where the call of the helper was.
//! 5. [`own_this`]: what stands for the `this` of a generator that is an arrow function then.
//! 6. [`restorer`]: goes over a file; [`names`]: what a function would be called.

mod call;
mod cleanup;
mod detached;
mod fingerprint;
mod function;
mod generator;
mod helpers;
mod known;
mod machine;
mod names;
mod own_this;
mod params;
mod prelude;
mod restorer;

use headstart_frontend::resolve_names;
use headstart_ir::order;
use oxc_ast::ast;
use oxc_span::Span;

pub use self::fingerprint::{Fingerprint, fingerprint};
use self::helpers::Helpers;
use self::restorer::Restorer;
use crate::Ticks;
use crate::facts::Facts;
use crate::report::{FunctionReport, Outcome};
use crate::rope::Rope;

/// Why something stays as it is.
pub(crate) type Reason = &'static str;

/// A file with its async functions restored.
#[derive(Debug, Default)]
pub(crate) struct Restored {
    /// The text; nothing where it stays the same.
    pub(crate) rope: Option<Rope>,
    /// What was restored, and what was not.
    pub(crate) functions: Vec<FunctionReport>,
}

impl Restored {
    /// Nothing is restored, for a reason.
    pub(crate) fn left(mut self, reason: Reason) -> Self {
        self.rope = None;
        for it in &mut self.functions {
            if let Outcome::Restored { helper, .. } = it.outcome {
                it.outcome = Outcome::not_restored(helper, reason);
            }
        }
        self
    }
}

/// Whether there may be something to restore.
pub(crate) fn is_worth_a_look(text: &str) -> bool {
    helpers::MARKS.iter().any(|mark| text.contains(mark))
}

/// Restores what can be restored. With exact ticks only what takes as many of them afterwards.
pub(crate) fn restore(program: &ast::Program<'_>, text: &str, ticks: Ticks) -> Restored {
    let scoping = &resolve_names(program, None);
    let facts = Facts::collect(program, scoping);
    let helpers = Helpers::find(program, text, scoping, &facts);
    let mut restorer = Restorer::new((text, scoping), &facts, &helpers, ticks);
    let whole_file = refusal(&facts, scoping);
    if let Some(reason) = whole_file {
        restorer.refuse_all(reason);
    }
    restorer.run(program);
    let (patch, mut functions) = restorer.finish();
    for (name, span) in &helpers.modified {
        let reason = "it is named like a helper, but is not what a compiler writes".to_owned();
        let outcome = Outcome::Kept { reason };
        functions.push(FunctionReport::new(name.clone(), span.start, outcome));
    }
    order::sort_by_key(&mut functions, |it| it.offset);
    let all = Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX));
    Restored { rope: (!patch.is_empty()).then(|| patch.render(all)), functions }
}

/// Why nothing in a file can be restored.
fn refusal(facts: &Facts, scoping: &oxc_semantic::Scoping) -> Option<Reason> {
    if facts.names.contains("await") {
        return Some("the file uses `await` as a name");
    }
    if !facts.withs.is_empty() {
        return Some("the file has a `with` statement");
    }
    let own = |name: &str| {
        scoping.symbol_names().any(|it| it == name)
            || facts.by_name.get(name).into_iter().flatten().any(|&it| facts.mentions[it].write)
    };
    own("Promise").then_some("the file has a `Promise` of its own")
}
