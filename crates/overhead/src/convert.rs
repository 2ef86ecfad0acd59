//! One async function to a fast function and its twin.
//!
//! Purpose: decides what kind of twin a function can have, puts both together and writes them as
//! edits. Input: an async function that is no generator, its inner functions converted already.
//! Output: edits of its text, and the text of the twin where that stands elsewhere; or the reason
//! why the function stays as it is, with no edit made.

use oxc_ast::ast;
use oxc_semantic::{ScopeId, Scoping, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::carry::{Carrier, Carry};
use crate::comments::Ending;
use crate::depth::{Counted, Limits};
use crate::facts::Facts;
use crate::lower::{Lowered, Lowerer, UNTYPED, Unsupported};
use crate::params::{Params, Place};
use crate::plan::{Plan, SiteKind};
use crate::results::Known;
use crate::returns;
use crate::rewrite::Within;
use crate::rope::{Edits, Rope};
use crate::runtime::Runtime;
use crate::shape::Names;
use crate::sites::forms::{Beside, Home};
use crate::{Options, Ticks, sites};

/// An async function, whatever its syntax.
#[derive(Clone, Copy)]
pub(crate) struct AsyncFunction<'t, 'a> {
    /// Its index in the facts.
    pub(crate) index: usize,
    pub(crate) scope: Option<ScopeId>,
    pub(crate) params: &'t ast::FormalParameters<'a>,
    pub(crate) body: Body<'t, 'a>,
    /// The word `async`.
    pub(crate) async_: Span,
    /// How what comes before it is ended, if it begins a class element.
    pub(crate) ending: Ending,
    pub(crate) entry: Entry<'t>,
}

/// How callers come to the fast function.
#[derive(Clone, Copy)]
pub(crate) enum Entry<'t> {
    /// It asks for it: whoever calls it does, and a throw becomes a rejection.
    Asked,
    /// All that call it have waited, and await it at once, so that a throw is as good as a rejection.
    InPlace(Home),
    /// Some do, and have waited before; others call the async function that it was.
    Beside(&'t Beside),
}

impl Entry<'_> {
    /// What the fast function belongs to.
    pub(crate) fn home(self) -> Home {
        match self {
            Entry::Asked => Home::Elsewhere,
            Entry::InPlace(home) => home,
            Entry::Beside(beside) => beside.home(),
        }
    }
}

/// What a function runs.
#[derive(Clone, Copy)]
pub(crate) enum Body<'t, 'a> {
    Statements(&'t ast::FunctionBody<'a>),
    Expression(&'t ast::Expression<'a>),
}

/// Where the twin of a converted function stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Placement {
    /// It never has to wait itself.
    None,
    /// At the end of the file.
    Lifted,
    /// In the function, which some of what it uses ties it to.
    Nested,
    /// In the class, as a private method or in a static block.
    Class,
}

/// What the conversion of a file shares.
pub(crate) struct Converter<'x> {
    pub(crate) source: &'x str,
    pub(crate) scoping: &'x Scoping,
    pub(crate) facts: &'x mut Facts,
    pub(crate) edits: &'x mut Edits,
    pub(crate) runtime: &'x mut Runtime,
    pub(crate) options: Options,
    /// Where the edits of the function begin that is converted now.
    pub(crate) begins: usize,
    /// Whether code without directives is strict.
    pub(crate) strict: bool,
    /// The functions that declare others in blocks of sloppy code.
    pub(crate) declares_in_blocks: FxHashSet<usize>,
    /// Where code is put in front of all other.
    pub(crate) top: u32,
    /// The comments of the file.
    pub(crate) comments: Vec<Span>,
    /// The twins that stand at the end of the file.
    pub(crate) lifted: Vec<Rope>,
    /// The names of all twins.
    pub(crate) twins: Vec<String>,
    /// Whether only atomic blocks run fast functions.
    pub(crate) within: Within,
    /// The tagged templates whose strings a function at the end of the file has.
    pub(crate) templates: Vec<usize>,
    /// What stands in a static block of a class, by where its body begins.
    pub(crate) blocks: FxHashMap<u32, Rope>,
    /// The names of methods of objects and their fast functions, each with a comma in front, by where the literals begin.
    pub(crate) members: FxHashMap<u32, Rope>,
    pub(crate) names: &'x Names,
    /// Variables in boxes that functions already converted mention: their boxes are decided before
    /// any function is converted.
    pub(crate) shared: FxHashMap<SymbolId, (String, bool)>,
    /// The functions converted so far.
    pub(crate) converted: FxHashSet<usize>,
    /// By the function, how many converted ones stand in one another in it, at most.
    pub(crate) levels: FxHashMap<usize, u32>,
    /// The functions that were not, with awaits that were edited.
    pub(crate) touched: FxHashSet<usize>,
    /// Variables that have to become shared.
    pub(crate) wanted: Vec<(SymbolId, bool)>,
    /// Functions whose shared variables did not get boxes after all.
    pub(crate) broken: Vec<usize>,
}

impl<'x> Converter<'x> {
    /// To convert a file, of whose variables `shared` are in boxes with these names.
    pub(crate) fn new(
        (program, source, scoping): (&ast::Program<'_>, &'x str, &'x Scoping),
        (facts, edits, runtime): (&'x mut Facts, &'x mut Edits, &'x mut Runtime),
        names: &'x Names,
        shared: &FxHashMap<SymbolId, (String, bool)>,
    ) -> Self {
        facts.marked.clear();
        let in_blocks = facts.functions.iter().filter(|it| it.in_sloppy_block);
        let declares_in_blocks = in_blocks.filter_map(|it| it.parent).collect();
        let mut converter = Self {
            source,
            scoping,
            facts,
            edits,
            runtime,
            options: Options::default(),
            begins: 0,
            strict: program.source_type.is_strict() || program.has_use_strict_directive(),
            declares_in_blocks,
            top: crate::rewrite::top_of(program, source),
            comments: crate::comments::comments(program),
            lifted: Vec::new(),
            twins: Vec::new(),
            within: Within::All,
            templates: Vec::new(),
            blocks: FxHashMap::default(),
            members: FxHashMap::default(),
            names,
            shared: shared.clone(),
            converted: FxHashSet::default(),
            levels: FxHashMap::default(),
            touched: FxHashSet::default(),
            wanted: Vec::new(),
            broken: Vec::new(),
        };
        converter.share();
        converter
    }

    /// Converts a function. `cost`: what its calls count for, if it has to count them.
    pub(crate) fn convert(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        cost: Option<u32>,
    ) -> Lowered<Placement> {
        let mark = self.edits.mark();
        self.begins = mark;
        let templates = self.templates.len();
        let result = self.try_convert(it, cost);
        if result.is_err() {
            self.edits.rollback(mark);
            self.templates.truncate(templates);
            let owned = self.facts.owned.get(&it.index).into_iter().flatten();
            if owned.into_iter().any(|symbol| self.shared.contains_key(symbol)) {
                self.broken.push(it.index);
            }
        }
        result
    }

    fn try_convert(&mut self, it: &AsyncFunction<'_, '_>, cost: Option<u32>) -> Lowered<Placement> {
        self.check(it)?;
        if let Entry::Beside(_) = it.entry {
            let mut owned = self.facts.owned.get(&it.index).into_iter().flatten();
            if owned.any(|it| self.shared.contains_key(it)) {
                return Err(Unsupported(
                    "functions in it share its variables, which it would have twice",
                ));
            }
        }
        let plain = self.plain_parameter(it)?;
        self.share_templates(it.index)?;
        for (span, name) in self.facts.renamed.get(&Some(it.index)).into_iter().flatten() {
            self.edits.replace(*span, Rope::text(name));
        }
        let counted = cost
            .filter(|_| self.options.ticks == Ticks::Relaxed)
            .map(|cost| Counted { depth: self.runtime.depth(), cost });
        let limits = Limits { counted: counted.as_ref(), list: self.list_of(it) };
        let mark = self.edits.mark();
        let mut boxed = FxHashMap::default();
        let mut unboxed = FxHashSet::default();
        let (mut plan, mut carry) = self.plan(it, (limits, plain), &boxed, &mut unboxed)?;
        if let (Entry::Beside(_), false) = (it.entry, carry.boxes.is_empty()) {
            carry = self.carry_in_common(it.index, &plan, carry);
        }
        if !carry.boxes.is_empty() {
            let wanted = carry.boxes.clone();
            loop {
                self.edits.rollback(mark);
                boxed = self.make_boxes(it, &wanted, &unboxed)?;
                let known = unboxed.len();
                (plan, carry) = self.plan(it, (limits, plain), &boxed, &mut unboxed)?;
                if unboxed.len() == known {
                    break;
                }
            }
        }
        // What a box holds is of any type, unless it has one from the start, or a literal says it.
        let typed = |symbol: &SymbolId| {
            self.facts.declared_at.get(symbol) == Some(&0)
                || self.facts.says_type.contains_key(symbol)
        };
        if self.facts.infers(it.index) && !boxed.keys().all(typed) {
            return Err(Unsupported(UNTYPED));
        }
        if let Some(reason) = carry.failed {
            return Err(Unsupported(reason));
        }
        if !carry.boxes.is_empty() {
            return Err(Unsupported("closures hold variables in a way that is not followed"));
        }
        let place = self.place_of_params(it);
        let params = Params::of(it.params, (self.facts, self.scoping), self.edits, place)?;
        let owned = self.facts.owned.get(&it.index).into_iter().flatten();
        if owned.into_iter().any(|it| self.shared.contains_key(it) && !boxed.contains_key(it)) {
            return Err(Unsupported(
                "functions in it share variables in a way that is not followed",
            ));
        }
        let placement = self.write(it, &params, (&plan, carry), limits, &boxed)?;
        self.converted.insert(it.index);
        self.note_level(it.index);
        Ok(placement)
    }

    /// Where the parameters of a function are bound, and who sees the types of its list: its callers, unless all
    /// of them are known and stand in the file.
    fn place_of_params(&self, it: &AsyncFunction<'_, '_>) -> Place {
        let is_queried = || {
            let bound = &self.facts.functions[it.index].bound;
            bound.iter().any(|it| self.facts.queried.contains_key(it))
        };
        let shows_types = match it.entry {
            Entry::Asked => true,
            Entry::InPlace(_) => is_queried(),
            Entry::Beside(_) => false,
        };
        Place {
            function: it.index,
            in_block: matches!(it.entry, Entry::Asked),
            keeps_types: self.facts.keeps_types && shows_types,
        }
    }

    /// The parameter of which a fast method gets the fast form, too, in front of all others; what it does with it may be anything.
    fn plain_parameter(&self, it: &AsyncFunction<'_, '_>) -> Lowered<Option<Option<SymbolId>>> {
        let Entry::Beside(Beside { method, place: sites::forms::Place::Block { .. }, .. }) =
            it.entry
        else {
            return Ok(None);
        };
        let Some(position) = self.facts.plain_at(method) else { return Ok(None) };
        if self.facts.functions[it.index].uses.arguments {
            return Err(Unsupported(
                "it uses `arguments`, and methods of its name get functions to call",
            ));
        }
        let item = it.params.items.get(position).filter(|it| it.initializer.is_none());
        let name = item.and_then(|it| it.pattern.get_binding_identifier());
        let symbol = name.and_then(|it| it.symbol_id.get());
        Ok(Some(symbol.filter(|it| self.is_constant(*it))))
    }

    fn is_constant(&self, symbol: SymbolId) -> bool {
        self.scoping.symbol_redeclarations(symbol).is_empty()
            && !self.scoping.symbol_is_mutated(symbol)
    }

    /// The rest parameter, which is looked at before calls go on; not where it may be something else by then.
    fn list_of(&self, it: &AsyncFunction<'_, '_>) -> Option<SymbolId> {
        if self.options.ticks == Ticks::Exact {
            return None;
        }
        let name = it.params.rest.as_ref()?.rest.argument.get_binding_identifier()?;
        name.symbol_id.get().filter(|it| self.is_constant(*it))
    }

    /// Lets the functions around one know that it was converted.
    fn note_level(&mut self, function: usize) {
        let level = 1 + self.levels.get(&function).copied().unwrap_or(0);
        let mut around = self.facts.functions[function].parent;
        while let Some(outer) = around.filter(|it| self.levels.get(it).is_none_or(|it| *it < level))
        {
            self.levels.insert(outer, level);
            around = self.facts.functions[outer].parent;
        }
    }

    fn plan(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        (limits, plain): (Limits<'_>, Option<Option<SymbolId>>),
        boxed: &FxHashMap<SymbolId, String>,
        unboxed: &mut FxHashSet<SymbolId>,
    ) -> Lowered<(Plan, Carry)> {
        let is_raw = matches!(it.entry, Entry::Beside(_)) && self.options.ticks == Ticks::Relaxed;
        let results = self.runtime.results(&self.names.then, &self.names.result, is_raw);
        if let (Ticks::Exact, Body::Statements(body)) = (self.options.ticks, it.body) {
            // What is returned is looked at only once the loop or the block is cleaned up.
            let known = Known { facts: self.facts, scoping: self.scoping };
            let found = returns::returns(&body.statements, known);
            if found.iter().any(|it| it.is_cleaned_up && !it.is_primitive) {
                return Err(Unsupported(
                    "with exact ticks, returns out of a `finally` or `for … of`",
                ));
            }
            let given = self.runtime.given();
            returns::give(&given, &found, self.edits);
        }
        if let (Some(counted), Body::Statements(body)) = (limits.counted, it.body) {
            let first = self.facts.functions[it.index].first_wait().map_or(0, |it| it.start);
            let before = body.statements.partition_point(|it| it.span().end <= first);
            let known = Known { facts: self.facts, scoping: self.scoping };
            let body = (&body.statements[before..], known);
            counted.edit(self.names, body, &results, self.edits);
        }
        let mut lowerer = Lowerer::new(
            (self.source, self.scoping),
            self.facts,
            self.edits,
            (self.options, boxed, unboxed),
            &results,
            it.index,
            it.scope,
        );
        if let Some(parameter) = plain {
            lowerer.take_plain(parameter);
        }
        if limits.is_any() {
            lowerer.ask_at_entry(limits.counted.is_some());
        }
        let plan = match it.body {
            Body::Statements(body) => lowerer.body(&body.statements)?,
            Body::Expression(expression) => lowerer.expression_body(expression)?,
        };
        let enters = plan.sites.iter().any(|it| matches!(it.kind, SiteKind::Enter));
        if enters && self.facts.infers(it.index) {
            return Err(Unsupported(UNTYPED));
        }
        let carry = self.carrier(it.index, &plan, boxed).carry();
        Ok((plan, carry))
    }

    /// What a fast function beside the async one carries: closures in it that share its variables do not know the names
    /// of boxes, which the async one has no use for.
    fn carry_in_common(&self, function: usize, plan: &Plan, carry: Carry) -> Carry {
        let is_possible = self.options.ticks == Ticks::Relaxed
            && !self.facts.functions[function].uses.super_
            && !self.facts.infers(function);
        let boxed = FxHashMap::default();
        let found =
            is_possible.then(|| self.carrier(function, plan, &boxed).carry_in_common(&carry.boxes));
        found.flatten().unwrap_or(carry)
    }

    pub(crate) fn carrier<'c>(
        &'c self,
        function: usize,
        plan: &'c Plan,
        boxed: &'c FxHashMap<SymbolId, String>,
    ) -> Carrier<'c> {
        Carrier { facts: self.facts, scoping: self.scoping, function, plan, boxed }
    }
}

pub(crate) fn blanks_after(source: &str, at: u32) -> u32 {
    let rest = source.get(at as usize..).unwrap_or_default();
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    u32::try_from(blanks).unwrap_or(0)
}
