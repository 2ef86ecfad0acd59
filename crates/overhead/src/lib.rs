//! Removing the overhead of async code that does not wait.
//!
//! A function that asks for it, or whose callers await it at once, becomes a fast function, which
//! runs like any other until something really has to be waited for, and an async twin that goes on
//! from there. One module a step:
//!
//! 0. [`deawait`]: what a compiler has written as generators becomes async functions again.
//! 1. [`facts`]: what the functions and names of the file are.
//! 2. [`sites`]: which functions are awaited at once, and what becomes of them.
//! 3. [`lower`]: a function's body to a [`plan`], each `await` a statement of its own.
//! 4. [`carry`]: what the fast function hands to its twin.
//! 5. [`fast`] and [`twin`]: the plan, printed twice.
//! 6. [`convert`], [`write`] and [`beside`]: both put together as edits of the text.
//! 7. [`inside`]: awaits of fast functions in those that stay async. Everything else stays as it was.
//! 8. [`wrappers`]: async functions that only hand on a promise become plain ones.

mod asks;
mod beside;
mod boxes;
mod carry;
mod check;
mod comments;
mod convert;
mod deawait;
mod depth;
mod facts;
mod fast;
mod fuel;
mod gates;
mod guard;
mod implicit;
mod inside;
mod known;
mod lower;
mod map;
mod member;
mod params;
mod patch;
mod plan;
mod recover;
mod recursion;
mod report;
mod results;
mod returns;
mod rewrite;
mod rope;
mod runtime;
mod select;
mod shape;
mod show;
mod sites;
mod stack;
mod stages;
mod templates;
mod twin;
mod ways;
mod wrappers;
mod write;

use std::path::{Path, PathBuf};

use asks::DIRECTIVE;
pub use deawait::{Fingerprint, fingerprint};
pub use facts::frame::EACH;
use headstart_atomicity::Ungated;
pub use headstart_frontend::SyntaxError;
use headstart_ir::order;
pub use known::{CARRIES_TEXT, Known, Outside, SEE_KEYS};
use oxc_ast::ast;
pub use recursion::break_cycles;
pub use report::{Calls, Eased, FunctionReport, Outcome, Sampled};
pub use show::{Shown, show};
pub use stack::words_between;
pub use ways::{Ways, gives_plain};

use crate::deawait::Restored;
use crate::recover::Left;
use crate::rewrite::{IsCold, Within, fuse, rewrite};
use crate::rope::Rope;
use crate::stages::Stages;

/// Whether microtasks may come in another order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ticks {
    /// Results and rejections are the same; what waits for nothing takes no ticks.
    #[default]
    Relaxed,
    /// The order of microtasks is the same, too.
    Exact,
}

/// Which functions may be converted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Functions {
    /// Those that ask for it, and those whose promise nobody can see.
    #[default]
    All,
    /// Those that ask for it with the directive.
    Directives,
}

/// What may be done to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether microtasks may come in another order.
    pub ticks: Ticks,
    /// Which functions may be converted.
    pub functions: Functions,
    /// Whether `return await` keeps its place in stack traces.
    pub keep_frames: bool,
    /// Whether to make a source map.
    pub source_map: bool,
    /// Whether what a compiler has written as generators becomes async functions again.
    pub restore: bool,
    /// Whether what a TypeScript file exports keeps its types: functions whose type follows from what they do stay
    /// as they are. Where types are taken off afterwards, none are needed.
    pub keep_types: bool,
    /// Whether the file is a CommonJS module if it is no ECMAScript module, where that is known. Files whose names say
    /// so (`.cjs`, `.cts`) are in any case; others may be scripts, which share what stands at the top.
    pub commonjs: Option<bool>,
    /// Whether tasks keep their identity over each `await`, and wait there for the atomic blocks of others
    /// (`docs/atomic.md`).
    pub atomic: bool,
}

impl Options {
    /// Whether ticks may go in atomic blocks that have to stay elsewhere.
    fn may_fuse(self) -> bool {
        self.atomic && self.ticks == Ticks::Exact && self.functions == Functions::All
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ticks: Ticks::default(),
            functions: Functions::default(),
            keep_frames: false,
            source_map: false,
            restore: true,
            keep_types: true,
            commonjs: None,
            atomic: false,
        }
    }
}

/// A file after its optimisation.
#[derive(Clone, Debug)]
pub struct Optimized {
    /// The new text.
    pub code: String,
    /// The source map as JSON, where one was asked for and something changed.
    pub map: Option<String>,
    /// Every async function, and what became of it.
    pub functions: Vec<FunctionReport>,
    /// Where code of it is called back or resumes outside of the gate, where that is compiled in.
    pub ungated: Vec<Ungated>,
}

/// Optimises the text (without BOM) of a file; `outside`: what is known of it besides.
///
/// # Errors
/// The first syntax error of the text; or, as one of line 0, output that does not parse, which is
/// a bug of this crate.
pub fn optimize(
    path: &Path,
    text: &str,
    options: Options,
    outside: Outside<'_>,
) -> Result<Optimized, SyntaxError> {
    let (code, rope, functions) = transform(path, text, (options, outside))?;
    let ungated = if options.atomic { gates::ungated(path, text)? } else { Vec::new() };
    let file = path.to_string_lossy();
    let wants_map = options.source_map && code != text;
    let map = wants_map.then(|| map::source_map(&rope, &file, text));
    Ok(Optimized { code, map, functions, ungated })
}

/// The new text, where all of it comes from, and what became of the functions.
type Transformed = (String, Rope, Vec<FunctionReport>);

fn transform(
    path: &Path,
    text: &str,
    (options, outside): (Options, Outside<'_>),
) -> Result<Transformed, SyntaxError> {
    transform_if(path, text, (options, outside), headstart_frontend::check_early_errors)
}

/// As [`transform`]; `check` says what is wrong with a text.
fn transform_if(
    path: &Path,
    text: &str,
    (options, outside): (Options, Outside<'_>),
    check: impl Fn(&Path, &str) -> Result<(), SyntaxError>,
) -> Result<Transformed, SyntaxError> {
    let before = read_as(path, text)?;
    let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let commonjs = match extension {
        "cjs" | "cts" => Some(true),
        "mjs" | "mts" => Some(false),
        _ => options.commonjs,
    };
    // What is restored has other functions than those that are named.
    let restores = options.restore && outside.only.is_none();
    let options = Options { commonjs, restore: restores, ..options };
    let restored = restore(&before, text, options)?;
    // What was restored stands elsewhere than what is known.
    let known = outside.known.filter(|_| restored.rope.is_none());
    let outside = Outside { known, ..outside };
    let attempt = |left: &Left| -> Result<Attempt, SyntaxError> {
        let mut attempt = attempt(&before, text, (options, outside), (&restored, left))?;
        attempt.result = attempt.result.and_then(|it| {
            if it.0 != text {
                // The gate may be what makes a module of it.
                let after = if options.atomic { read_as(path, &it.0)? } else { before.clone() };
                check(&after, &it.0)?;
            }
            Ok(it)
        });
        Ok(attempt)
    };
    let first = attempt(&Left::default())?;
    match first.result {
        Ok(result) => Ok(result),
        Err(ref error) => {
            // What is wrong may have been wrong before.
            headstart_frontend::check_early_errors(&before, text)?;
            recover::recover(&first, |left| attempt(left)?.result).ok_or_else(|| broken(error))
        }
    }
}

/// What became of a text.
struct Attempt {
    /// Where its async functions begin.
    offsets: Vec<u32>,
    /// Where those begin in the source that were unwrapped.
    unwrapped: Vec<u32>,
    /// Or why that does not parse.
    result: Result<Transformed, SyntaxError>,
}

/// One go at a file. Fails if the file itself does not parse.
fn attempt(
    read_as: &Path,
    text: &str,
    (options, outside): (Options, Outside<'_>),
    (restored, left): (&Restored, &Left),
) -> Result<Attempt, SyntaxError> {
    let mut stages = Stages::new(text);
    let is_cold = |stages: &Stages<'_>, at| {
        outside.only.is_some_and(|only| !only.contains(&stages.source_offset(at)))
    };
    stages.apply(restored.rope.clone());
    let (rope, mut functions, mut twins) =
        headstart_frontend::with_syntax_tree(read_as, stages.text(), |program| {
            let is_cold = |at| is_cold(&stages, at);
            let given = (outside.known, &left.functions, &is_cold as IsCold<'_>);
            rewrite(program, stages.text(), (options, Within::All), given)
        })?;
    let offsets = functions.iter().map(|it| it.offset).collect();
    stages.trace(&mut functions);
    stages.apply(rope);
    if options.may_fuse() && !left.later && sites::blocks::may_have(stages.text()) {
        let fused = headstart_frontend::with_syntax_tree(read_as, stages.text(), |program| {
            fuse(program, stages.text(), options, &|at| is_cold(&stages, at))
        });
        let (rope, mut reports, more) = match fused {
            Ok(it) => it,
            Err(error) => {
                return Ok(Attempt { offsets, unwrapped: Vec::new(), result: Err(error) });
            }
        };
        twins.extend(more);
        stages.trace(&mut reports);
        reports.iter().for_each(|it| report::fused(&mut functions, it));
        stages.apply(rope);
    }
    let mut unwrapped = Vec::new();
    if options.ticks == Ticks::Relaxed && !options.keep_frames && !left.later {
        let removed = headstart_frontend::with_syntax_tree(read_as, stages.text(), |program| {
            wrappers::remove(program, stages.text(), (options, &|at| is_cold(&stages, at)))
        });
        let (rope, mut reports) = match removed {
            Ok(it) => it,
            Err(error) => return Ok(Attempt { offsets, unwrapped, result: Err(error) }),
        };
        stages.trace(&mut reports);
        unwrapped.extend(reports.iter().filter(|it| it.is_unwrapped()).map(|it| it.offset));
        reports.iter().for_each(|it| report::merge(&mut functions, it));
        stages.apply(rope);
    }
    if options.atomic {
        match headstart_frontend::with_syntax_tree(read_as, stages.text(), |program| {
            gates::rope(program, stages.text(), (options, &twins))
        }) {
            Ok(rope) => stages.apply(rope),
            Err(error) => return Ok(Attempt { offsets, unwrapped, result: Err(error) }),
        }
    }
    if stages.is_changed() && comments::may_name_map(stages.text()) {
        let without = headstart_frontend::with_syntax_tree(read_as, stages.text(), |program| {
            comments::without_map(program, stages.text())
        });
        match without {
            Ok(rope) => stages.apply(rope),
            Err(error) => return Ok(Attempt { offsets, unwrapped, result: Err(error) }),
        }
    }
    functions.splice(0..0, restored.functions.iter().cloned());
    order::sort_by_key(&mut functions, |it| it.offset);
    let (code, rope) = stages.finish();
    Ok(Attempt { offsets, unwrapped, result: Ok((code, rope, functions)) })
}

fn broken(error: &SyntaxError) -> SyntaxError {
    let reason = &error.message;
    let message = format!(
        "what it becomes does not parse ({reason}); that is a mistake of headstart: please report it with the file"
    );
    SyntaxError { message, offset: 0 }
}

/// The text with its async functions restored, as far as that is possible.
fn restore(path: &Path, text: &str, options: Options) -> Result<Restored, SyntaxError> {
    if !options.restore || !deawait::is_worth_a_look(text) {
        return Ok(Restored::default());
    }
    let restored = headstart_frontend::with_syntax_tree(path, text, |program| {
        deawait::restore(program, text, options.ticks)
    })?;
    let parses = restored.rope.as_ref().is_none_or(|rope| {
        headstart_frontend::check_early_errors(path, &rope.to_text(text)).is_ok()
    });
    Ok(if parses { restored } else { restored.left("the file would not parse") })
}

/// The path whose extension says how to read a file: a `.js` file that neither imports nor exports
/// may be CommonJS, where code is only strict if it says so.
fn read_as(path: &Path, text: &str) -> Result<PathBuf, SyntaxError> {
    let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    if ["mjs", "cjs", "ts", "mts", "cts", "tsx"].contains(&extension) {
        return Ok(path.to_owned());
    }
    let is_module = headstart_frontend::with_syntax_tree(path, text, |program| {
        program.body.iter().any(ast::Statement::is_module_declaration)
    })?;
    Ok(if is_module { path.to_owned() } else { path.with_extension("cjs") })
}
