//! Specifications by example, in Markdown.
//!
//! A heading of the second level or deeper begins a case. Its first line in code font is the
//! verdict: `safe`, `likely`, `safe` and `likely`, `hint`, `none`, or `not safe`, which leaves the
//! lower levels open; lines that begin with `- assumes` or `- in the way:` are the assumptions and
//! blockers that have to be reported, in order, `- logs in any order` is a setting, and `- why not:` is what `explain` says of an await of
//! the program. Code blocks whose
//! info string ends in `before` are the program (`file=NAME` names further files); the block that
//! ends in `after` is what `fix` makes of its first file. Every other text and block is prose.
//!
//! Effects have cases of their own: blocks `js` or `ts` are the program (`js store.js` names a
//! file, `main.js` and `main.ts` need no name), and the block `effects` is what
//! `headstart effects main.js` has to print of its functions.

mod case;
mod effects;
mod parse;

pub use case::{Case, Verdict, findings, run};
pub use effects::{EffectsCase, FunctionEffects, differences, parse_effects, run_effects};
pub use parse::parse;
