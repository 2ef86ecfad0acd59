//! Goes over the functions of a file, the inner ones first, and has those converted that ask for it
//! or were chosen.

use headstart_ir::order;
use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::FxHashSet;

use crate::comments::{Ending, ending};
use crate::convert::{AsyncFunction, Body, Converter, Entry, Placement};
use crate::lower::UNTYPED;
use crate::recursion::Counting;
use crate::report::{COLD, Eased, FunctionReport, Outcome, Sampled};
use crate::rewrite::Within;
use crate::rope::Rope;
use crate::sites::choose::Chosen;
use crate::sites::forms::Form;
use crate::{Options, Ticks};

/// Why a function stays async that a tool demands it of.
const STAYS_ASYNC: &str =
    "a directive of the file is there for a tool, which may demand that what is exported is async";

/// Why a function stays async that nothing can stop when its calls are too deep.
const UNCOUNTED: &str =
    "it may come to call itself, and counts no calls, since it awaits nothing itself";

/// Where the word `async` stands and what it begins, for functions that are methods.
#[derive(Clone, Copy)]
struct Method {
    async_: Span,
    ending: Ending,
}

/// What came of going over a file once.
pub(crate) struct Pass {
    /// In the order of the text.
    pub(crate) functions: Vec<FunctionReport>,
    pub(crate) lifted: Vec<Rope>,
    /// The names of the functions that fast ones go on as.
    pub(crate) twins: Vec<String>,
    /// Variables that have to become shared, for which another pass is needed.
    pub(crate) wanted: Vec<(SymbolId, bool)>,
    /// Functions that must stay as they are, for which one is needed, too.
    pub(crate) broken: Vec<usize>,
    /// Functions whose callers count on a fast function that there is not, with the reason.
    pub(crate) unfit: Vec<(usize, String)>,
    /// Functions that were converted.
    pub(crate) converted: FxHashSet<usize>,
}

/// Goes over a file.
pub(crate) struct Selector<'x> {
    pub(crate) converter: Converter<'x>,
    /// The functions that count how deep their calls are, and for how much each counts.
    counting: &'x Counting,
    banned: &'x FxHashSet<usize>,
    chosen: &'x Chosen,
    /// Where the functions begin that are left alone, since what they become does not parse.
    left: &'x FxHashSet<u32>,
    options: Options,
    /// Where only blocks run fast functions, nothing that asks is converted.
    within: Within,
    unfit: Vec<(usize, String)>,
    reports: Vec<FunctionReport>,
    method: Option<Method>,
}

impl<'x> Selector<'x> {
    pub(crate) fn new(
        mut converter: Converter<'x>,
        (counting, banned, chosen): (&'x Counting, &'x FxHashSet<usize>, &'x Chosen),
        left: &'x FxHashSet<u32>,
        (options, within): (Options, Within),
    ) -> Self {
        converter.options = options;
        converter.within = within;
        let (unfit, reports) = (Vec::new(), Vec::new());
        let method = None;
        Self { converter, counting, banned, chosen, left, options, within, unfit, reports, method }
    }

    /// Converts what is to be converted.
    pub(crate) fn run(&mut self, program: &ast::Program<'_>) {
        self.visit_program(program);
    }

    /// What came of it.
    pub(crate) fn finish(mut self) -> Pass {
        order::sort_by_key(&mut self.reports, |it| it.offset);
        let Converter { lifted, twins, wanted, broken, converted, .. } = self.converter;
        Pass {
            functions: self.reports,
            lifted,
            twins,
            wanted,
            broken,
            converted,
            unfit: self.unfit,
        }
    }

    fn consider(&mut self, it: &AsyncFunction<'_, '_>) {
        let function = &self.converter.facts.functions[it.index];
        let asks = function.asks && self.within == Within::All;
        let name = function.name.clone().unwrap_or_default();
        let chosen = self.chosen;
        let wanted = self.converter.wanted.len();
        let entry = match chosen.forms.get(&it.index) {
            Some(Form::InPlace(home)) => Some(Entry::InPlace(*home)),
            Some(Form::Beside(beside)) => Some(Entry::Beside(beside)),
            None => asks.then_some(Entry::Asked),
        };
        let exact = self.options.ticks == Ticks::Exact;
        let outcome = match entry {
            _ if self.left.contains(&it.async_.start) => kept(crate::recover::MISTAKE),
            Some(_) if self.converter.facts.cold.contains(&it.index) => kept(COLD),
            _ if self.converter.facts.enters_context => kept(
                "the file may call `enterWith`, and what that does would not end with the function",
            ),
            Some(Entry::Asked) if self.converter.facts.stays_async(it.index) => kept(STAYS_ASYNC),
            Some(Entry::Asked) if self.converter.facts.keeps_text(it.index) => kept(UNTYPED),
            Some(Entry::Asked) if self.counting.uncounted.contains(&it.index) => kept(UNCOUNTED),
            Some(_) if exact && self.converter.facts.is_untyped(it.index) => {
                kept("with exact ticks, its type would be lost: it does not say what it returns")
            }
            Some(_) if exact && crate::recursion::is_returned(self.converter.facts, it.index) => {
                kept("with exact ticks: an async function returns what it gives, without `await`")
            }
            None => kept(chosen.reasons.get(&it.index).map_or("it does not ask for it", |it| it)),
            Some(entry) => self.convert(&AsyncFunction { entry, ..*it }),
        };
        // Where it wants shared variables, the next pass may convert it.
        let is_final = self.converter.wanted.len() == wanted;
        if let (Some(Entry::Beside(_)), Outcome::Kept { reason }, true) =
            (entry, &outcome, is_final)
        {
            self.unfit.push((it.index, reason.clone()));
        }
        let mistake = self.left.contains(&it.async_.start);
        let eased = match (&outcome, chosen.editable.get(&it.index)) {
            (Outcome::Kept { .. }, Some(&least_loops)) if !asks && !mistake => {
                self.converter.edit_awaits(it, least_loops)
            }
            _ => Eased::default(),
        };
        let calls = chosen.calls.get(&it.index).copied().unwrap_or_default();
        let offset = it.async_.start;
        let sampled = Sampled::of(&self.converter.facts.functions[it.index]);
        self.reports.push(FunctionReport { name, offset, sampled, calls, eased, mistake, outcome });
    }

    fn convert(&mut self, it: &AsyncFunction<'_, '_>) -> Outcome {
        if self.banned.contains(&it.index) {
            return kept("functions in it share variables in a way that is not followed");
        }
        match self.converter.convert(it, self.counting.costs.get(&it.index).copied()) {
            Ok(placement) => Outcome::Converted { twin: placement.name(), entry: it.entry.name() },
            Err(reason) => kept(reason.0),
        }
    }

    fn index(&self, span: Span) -> Option<usize> {
        self.converter.facts.by_span.get(&(span.start, span.end)).copied()
    }

    fn method(&self, from: u32, key: Span, in_class: bool) -> Option<Method> {
        let Converter { source, comments, .. } = &self.converter;
        let async_ = find_async(source, from, key.start)?;
        let begins_element = in_class && async_.start == from;
        let ending =
            if begins_element { ending(source, comments, async_.start) } else { Ending::No };
        Some(Method { async_, ending })
    }
}

impl Placement {
    fn name(self) -> &'static str {
        match self {
            Placement::None => "none",
            Placement::Lifted => "lifted",
            Placement::Nested => "nested",
            Placement::Class => "class",
        }
    }
}

impl Entry<'_> {
    fn name(self) -> &'static str {
        match self {
            Entry::Asked => "asked",
            Entry::InPlace(_) => "inPlace",
            Entry::Beside(_) => "beside",
        }
    }
}

fn kept(reason: &str) -> Outcome {
    Outcome::Kept { reason: reason.to_owned() }
}

impl<'a> Visit<'a> for Selector<'_> {
    fn visit_method_definition(&mut self, it: &ast::MethodDefinition<'a>) {
        self.visit_decorators(&it.decorators);
        self.visit_property_key(&it.key);
        if it.value.r#async {
            let from = it.decorators.last().map_or(it.span.start, |it| it.span.end);
            self.method = self.method(from, it.key.span(), true);
        }
        self.visit_function(&it.value, ScopeFlags::Function);
    }

    fn visit_object_expression(&mut self, it: &ast::ObjectExpression<'a>) {
        walk::walk_object_expression(self, it);
        self.converter.close_literal(it.span);
    }

    fn visit_object_property(&mut self, it: &ast::ObjectProperty<'a>) {
        self.visit_property_key(&it.key);
        if it.method {
            self.method = self.method(it.span.start, it.key.span(), false);
        }
        self.visit_expression(&it.value);
    }

    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        let method = self.method.take();
        walk::walk_function(self, it, flags);
        let (Some(body), Some(index)) = (&it.body, self.index(it.span)) else { return };
        if !it.r#async || it.generator {
            return;
        }
        let own = Span::sized(it.span.start, 5);
        let function = AsyncFunction {
            index,
            scope: it.scope_id.get(),
            params: &it.params,
            body: Body::Statements(body),
            async_: method.map_or(own, |it| it.async_),
            ending: method.map_or(Ending::No, |it| it.ending),
            entry: Entry::Asked,
        };
        self.consider(&function);
    }

    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        self.method = None;
        walk::walk_arrow_function_expression(self, it);
        let Some(index) = self.index(it.span) else { return };
        if !it.r#async {
            return;
        }
        let body = match &it.body {
            ast::ArrowFunctionBody::FunctionBody(body) => Body::Statements(body),
            other => match other.as_expression() {
                Some(expression) => Body::Expression(expression),
                None => return,
            },
        };
        let function = AsyncFunction {
            index,
            scope: it.scope_id.get(),
            params: &it.params,
            body,
            async_: Span::sized(it.span.start, 5),
            ending: Ending::No,
            entry: Entry::Asked,
        };
        self.consider(&function);
    }
}

/// The word `async` between two places, comments left out.
pub(crate) fn find_async(source: &str, from: u32, to: u32) -> Option<Span> {
    let text = source.get(from as usize..to as usize)?;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if rest.starts_with("async") {
            return Some(Span::sized(from + u32::try_from(at).ok()?, 5));
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    None
}
