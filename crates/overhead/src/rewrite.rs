//! One pass over a text: the functions that are converted, with what the file needs for them.
//!
//! Input: the syntax tree and its text, what is known from outside, which functions are left. Output: the new text, and what became
//! of each async function. Boxes that functions share, and which functions can count their calls, are known only once all are
//! converted, so it goes over them until nothing new turns up.

use std::rc::Rc;

use headstart_frontend::resolve_names;
use headstart_ir::order;
use oxc_ast::ast;
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::convert::Converter;
use crate::facts::Facts;
use crate::implicit::Implicit;
use crate::recursion::Counting;
use crate::report::FunctionReport;
use crate::rope::{Edits, Rope, rope};
use crate::runtime::Runtime;
use crate::select::{Pass, Selector};
use crate::shape::Names;
use crate::sites::Reaches;
use crate::sites::choose::{Chosen, choose};
use crate::{Functions, Known, Options, Ticks, comments, recursion, sites};

/// A new text, if anything changes, what became of the functions, and the names of the twins.
pub(crate) type Rewritten = (Option<Rope>, Vec<FunctionReport>, Vec<String>);

/// Which code runs fast functions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    All,
    /// That of atomic blocks only.
    Blocks,
}

/// Which functions may not be converted, by their start positions in the text as it is now.
pub(crate) type IsCold<'c> = &'c dyn Fn(u32) -> bool;

/// Drops ticks in atomic blocks, where all others are kept.
pub(crate) fn fuse(
    program: &ast::Program<'_>,
    text: &str,
    options: Options,
    is_cold: IsCold<'_>,
) -> Rewritten {
    let options = Options { ticks: Ticks::Relaxed, ..options };
    rewrite(program, text, (options, Within::Blocks), (None, &FxHashSet::default(), is_cold))
}

/// The new text, or `None` where nothing changes.
pub(crate) fn rewrite(
    program: &ast::Program<'_>,
    text: &str,
    (options, within): (Options, Within),
    (known, left, is_cold): (Option<&Known>, &FxHashSet<u32>, IsCold<'_>),
) -> Rewritten {
    let scoping = &resolve_names(program, None);
    let mut facts = Facts::collect(program, scoping);
    facts.note_script(program, text, options.commonjs == Some(true));
    facts.note_language(program, options.keep_types);
    facts.note_directives(program);
    facts.note_cold(is_cold);
    facts.enters_context =
        options.ticks == Ticks::Relaxed && CONTEXT.iter().any(|it| text.contains(it));
    facts.shares_depth = known.is_some();
    facts.known = known.cloned().unwrap_or_default();
    let names = Names::new(&mut facts);
    let fresh = Runtime::new(&mut facts, scoping);
    // Functions that stay as they are cannot count how deep they are called.
    let mut cannot_count = FxHashSet::default();
    let implicit = Implicit::collect(program, scoping, &facts);
    let mut shared = FxHashMap::default();
    let mut banned = FxHashSet::default();
    let automatic = options.functions == Functions::All
        && options.ticks == Ticks::Relaxed
        && !facts.enters_context
        && facts.withs.is_empty();
    let mut sites = automatic.then(|| sites::collect(program, scoping, &facts));
    if within == Within::Blocks {
        let Some(sites) = &mut sites else { return (None, Vec::new(), Vec::new()) };
        sites.keep_to_blocks(program, scoping, &facts);
    }
    let at_once = sites.as_ref().map(|it| it.at_once.clone()).unwrap_or_default();
    let mut counted_for = None;
    let mut counting = Counting::default();
    let mut unfit = FxHashMap::default();
    // Boxes that inner functions share are known only when the function around them is converted.
    let source: Rc<str> = text.into();
    let (edits, runtime, functions, lifted, twins) = loop {
        let mut runtime = fresh.clone();
        let mut edits = Edits::of(Rc::clone(&source));
        let chosen = sites
            .as_ref()
            .map_or_else(Chosen::default, |sites| choose(sites, &mut facts, scoping, &unfit));
        let asked: FxHashSet<usize> =
            facts.asking().filter(|it| !chosen.forms.contains_key(it)).collect();
        let functions = (asked, cannot_count.len());
        if counted_for.as_ref() != Some(&functions) {
            let (asked, _) = &functions;
            counting = recursion::counting(&facts, (&implicit, &at_once), (asked, &cannot_count));
            counted_for = Some(functions);
        }
        facts.guarded.clone_from(&chosen.guarded);
        let has_proxies = facts.has_proxies();
        let asks =
            |what: fn(&Reaches) -> bool| chosen.guarded.values().any(|it| what(it) || has_proxies);
        runtime.uses_held |= asks(|it| it.values);
        runtime.uses_applied |= asks(|it| it.owned || it.called);
        if let Some(sites) = &sites {
            facts.note_member_keys(sites, &chosen);
        }
        runtime.member_keys =
            facts.member_keys.iter().map(|it| (it.1.clone(), facts.held_as(it.0))).collect();
        order::sort(&mut runtime.member_keys);
        facts.fast_calls.clone_from(&chosen.fast);
        facts.in_place_calls.clone_from(&chosen.in_place);
        facts.held = runtime.held();
        facts.applied = runtime.applied();
        facts.callable = runtime.callable(facts.typescript);
        facts.caller = runtime.caller(facts.typescript);
        facts.renamed.clone_from(&chosen.renamed);
        facts.places = sites.as_ref().map(|it| it.places.clone()).unwrap_or_default();
        let converter = Converter::new(
            (program, text, scoping),
            (&mut facts, &mut edits, &mut runtime),
            &names,
            &shared,
        );
        let mut selector =
            Selector::new(converter, (&counting, &banned, &chosen), left, (options, within));
        selector.run(program);
        if within == Within::All {
            selector.converter.edit_top(program);
        }
        selector.converter.put_templates();
        let Pass { functions, lifted, twins, wanted, broken, converted, unfit: more } =
            selector.finish();
        let mut again = false;
        for function in counting.costs.keys().filter(|it| !converted.contains(it)) {
            again |= cannot_count.insert(*function);
        }
        // What stays as it is has no boxes to share.
        let owner = |symbol: &SymbolId| facts.owner.get(symbol).copied().flatten();
        let stays: FxHashSet<usize> =
            broken.iter().copied().chain(more.iter().map(|it| it.0)).collect();
        let wanted: Vec<_> = wanted
            .into_iter()
            .filter(|(symbol, _)| owner(symbol).is_some_and(|it| !stays.contains(&it)))
            .collect();
        let goes_on: FxHashSet<usize> =
            wanted.iter().filter_map(|(symbol, _)| owner(symbol)).chain(converted).collect();
        let known = shared.len();
        shared.retain(|symbol, _| {
            owner(symbol).is_some_and(|it| goes_on.contains(&it) && !stays.contains(&it))
        });
        again |= known > shared.len();
        banned.extend(&broken);
        for (symbol, early) in &wanted {
            let name = facts.fresh(&format!("{}$", scoping.symbol_name(*symbol)));
            shared.insert(*symbol, (name, *early));
        }
        again |= !more.is_empty();
        unfit.extend(more);
        if wanted.is_empty() && broken.is_empty() && !again {
            break (edits, runtime, functions, lifted, twins);
        }
    };
    if edits.is_empty() {
        return (None, functions, twins);
    }
    let whole = Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX));
    let top = top_of(program, text);
    let begin = after_hashbang(program, text);
    let head = edits.render(Span::new(0, begin));
    let mut out = rope![&head, edits.render(Span::new(begin, top))];
    let separator = if program.directives.is_empty() { "" } else { ";" };
    if facts.typescript {
        out = rope![head, UNCHECKED, edits.render(Span::new(begin, top))];
    }
    let helpers = runtime.source(facts.typescript);
    let gap = if helpers.is_empty() { "" } else { comments::gap(program, text, top) };
    out = rope![out, separator, &helpers, gap, edits.render(Span::new(top, whole.end)), "\n"];
    lifted.iter().for_each(|twin| out.append(twin));
    (Some(out), functions, twins)
}

/// What a file mentions in which something may call `enterWith`: that changes the context of all that the
/// running microtask still does, and of nothing else. In an async function that has waited, that is its own
/// code; in a fast one, it would be that of its callers, too.
const CONTEXT: [&str; 3] = ["enterWith", "AsyncLocalStorage", "async_hooks"];

/// What TypeScript is told of its output: that was checked before, and code that is entered in its middle
/// is beyond what it can follow. Declared types stay what they were.
const UNCHECKED: &str = "// @ts-nocheck\n";

/// Words by which comments at the start of a file speak to compilers, test runners and what documents modules,
/// which look for them there only.
const PRAGMAS: [&str; 13] = [
    "@copyright",
    "@file",
    "@flow",
    "@jest",
    "@jsx",
    "@license",
    "@module",
    "@packageDocumentation",
    "@preserve",
    "@ts-",
    "@vitest",
    "<reference",
    "<amd-",
];

/// Where statements may be put in front of all others.
pub(crate) fn top_of(program: &ast::Program<'_>, text: &str) -> u32 {
    if let Some(last) = program.directives.last() {
        return last.span.end;
    }
    let first = program.body.first().map_or(0, |it| it.span().start);
    let leading = program.comments.iter().take_while(|it| it.span.end <= first);
    let speaking = leading.filter(|it| {
        let comment = it.span.source_text(text);
        comment.starts_with("/*!") || PRAGMAS.iter().any(|word| comment.contains(word))
    });
    match speaking.last() {
        Some(last) => after_blank(text, after_line(text, last.span.end)).min(first),
        None => after_hashbang(program, text),
    }
}

/// Where the text begins behind what a shell reads.
fn after_hashbang(program: &ast::Program<'_>, text: &str) -> u32 {
    program.hashbang.as_ref().map_or(0, |it| after_line(text, it.span.end))
}

/// Behind an empty line, if one begins at a place: that tells a comment on the file from one on what comes next.
fn after_blank(text: &str, place: u32) -> u32 {
    let next = after_line(text, place);
    let line = text.get(place as usize..next as usize).unwrap_or_default();
    if line.trim().is_empty() { next } else { place }
}

/// Where the line after a place begins.
fn after_line(text: &str, place: u32) -> u32 {
    let rest = text.get(place as usize..).unwrap_or_default();
    let line = rest.find('\n').map_or(rest.len(), |at| at + 1);
    place + u32::try_from(line).unwrap_or(0)
}
