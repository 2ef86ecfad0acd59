//! One async function to a fast function and its twin.
//!
//! Purpose: decides what kind of twin a function can have, puts both together and writes them as
//! edits. Input: an async function that is no generator, its inner functions converted already.
//! Output: edits of its text, and the text of the twin where that stands elsewhere; or the reason
//! why the function stays as it is, with no edit made.

use std::collections::{BTreeSet, HashMap};

use oxc_ast::ast;
use oxc_semantic::{ScopeId, Scoping, SymbolFlags, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::carry::{Boxed, Carrier, Carry, Form, contains};
use crate::facts::{Called, Facts, VarDeclaration, is_root};
use crate::fast::{Fast, Shape};
use crate::lower::{Lowered, Lowerer, Unsupported};
use crate::params::Params;
use crate::plan::{Plan, SiteKind};
use crate::rope::{Edits, Rope, rope};
use crate::runtime::Runtime;
use crate::sites::choose::Beside;
use crate::twin::Twin;

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
    /// It begins a class element, so that what comes before it must be ended.
    pub(crate) begins_element: bool,
    pub(crate) entry: Entry<'t>,
}

/// How callers come to the fast function.
#[derive(Clone, Copy)]
pub(crate) enum Entry<'t> {
    /// It asks for it: whoever calls it does, and a throw becomes a rejection.
    Asked,
    /// All that call it await it at once, so that a throw is as good as a rejection.
    InPlace,
    /// Some do; others call an async function.
    Beside(&'t Beside),
}

/// What a converted function consists of.
pub(crate) struct Parts {
    /// Whether it may come to call itself.
    recursive: bool,
    fast: Rope,
    /// The twin, where that stands in the function.
    nested: Rope,
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
}

/// What the conversion of a file shares.
pub(crate) struct Converter<'x> {
    pub(crate) source: &'x str,
    pub(crate) scoping: &'x Scoping,
    pub(crate) facts: &'x mut Facts,
    pub(crate) edits: &'x mut Edits,
    pub(crate) runtime: &'x mut Runtime,
    pub(crate) keep_frames: bool,
    /// Whether code without directives is strict.
    pub(crate) strict: bool,
    /// The twins that stand at the end of the file.
    pub(crate) lifted: Vec<Rope>,
    pub(crate) at: String,
    pub(crate) value: String,
    pub(crate) flag: String,
    pub(crate) fuel: String,
    /// Variables in boxes that functions already converted mention: their boxes are decided before
    /// any function is converted.
    pub(crate) shared: FxHashMap<SymbolId, (String, bool)>,
    /// The functions converted so far.
    pub(crate) converted: FxHashSet<usize>,
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
        shared: &FxHashMap<SymbolId, (String, bool)>,
    ) -> Self {
        let (at, value) = (facts.fresh("$at"), facts.fresh("$value"));
        let (flag, fuel) = (facts.fresh("$over"), facts.fresh("$fuel"));
        let mut converter = Self {
            source,
            scoping,
            facts,
            edits,
            runtime,
            keep_frames: false,
            strict: program.source_type.is_strict() || program.has_use_strict_directive(),
            lifted: Vec::new(),
            at,
            value,
            flag,
            fuel,
            shared: shared.clone(),
            converted: FxHashSet::default(),
            wanted: Vec::new(),
            broken: Vec::new(),
        };
        converter.share();
        converter
    }

    /// Converts a function. `recursive`: whether it may come to call itself.
    pub(crate) fn convert(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        recursive: bool,
    ) -> Lowered<Placement> {
        let mark = self.edits.mark();
        let result = self.try_convert(it, recursive);
        if result.is_err() {
            self.edits.rollback(mark);
            let owned = self.facts.owned.get(&it.index).into_iter().flatten();
            if owned.into_iter().any(|symbol| self.shared.contains_key(symbol)) {
                self.broken.push(it.index);
            }
        }
        result
    }

    fn try_convert(&mut self, it: &AsyncFunction<'_, '_>, recursive: bool) -> Lowered<Placement> {
        self.check(it)?;
        let mark = self.edits.mark();
        let mut boxed = FxHashMap::default();
        let mut unboxed = FxHashSet::default();
        let (mut plan, mut carry) = self.plan(it, recursive, &boxed, &mut unboxed)?;
        if !carry.boxes.is_empty() {
            let wanted = carry.boxes.clone();
            loop {
                self.edits.rollback(mark);
                boxed = self.make_boxes(it, &wanted, &unboxed)?;
                let known = unboxed.len();
                (plan, carry) = self.plan(it, recursive, &boxed, &mut unboxed)?;
                if unboxed.len() == known {
                    break;
                }
            }
        }
        if let Some(reason) = carry.failed {
            return Err(Unsupported(reason));
        }
        if !carry.boxes.is_empty() {
            return Err(Unsupported("closures hold variables in a way that is not followed"));
        }
        let params = Params::of(it.params, self.facts, self.edits)?;
        let owned = self.facts.owned.get(&it.index).into_iter().flatten();
        if owned.into_iter().any(|it| self.shared.contains_key(it) && !boxed.contains_key(it)) {
            return Err(Unsupported(
                "functions in it share variables in a way that is not followed",
            ));
        }
        let placement = self.write(it, &params, &plan, carry, &boxed)?;
        self.converted.insert(it.index);
        Ok(placement)
    }

    fn plan(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        recursive: bool,
        boxed: &FxHashMap<SymbolId, String>,
        unboxed: &mut FxHashSet<SymbolId>,
    ) -> Lowered<(Plan, Carry)> {
        let entry = recursive && !self.facts.functions[it.index].awaits.is_empty();
        let lowerer = Lowerer::new(
            (self.source, self.scoping),
            self.facts,
            self.edits,
            (self.keep_frames, boxed, unboxed),
            it.index,
            it.scope,
        );
        let plan = match it.body {
            Body::Statements(body) => lowerer.body(&body.statements, entry)?,
            Body::Expression(expression) => lowerer.expression_body(expression, entry)?,
        };
        let carry = self.carrier(it.index, &plan, boxed).carry();
        Ok((plan, carry))
    }

    fn carrier<'c>(
        &'c self,
        function: usize,
        plan: &'c Plan,
        boxed: &'c FxHashMap<SymbolId, String>,
    ) -> Carrier<'c> {
        Carrier { facts: self.facts, scoping: self.scoping, function, plan, boxed }
    }

    /// Gives boxes to variables: every mention becomes one of the box's content.
    fn make_boxes(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        wanted: &[Boxed],
        unboxed: &FxHashSet<SymbolId>,
    ) -> Lowered<FxHashMap<SymbolId, String>> {
        let mut boxed = FxHashMap::default();
        let mut open: Vec<Boxed> = wanted.to_vec();
        while let Some(Boxed { symbol, early }) = open.pop() {
            if boxed.contains_key(&symbol) || unboxed.contains(&symbol) {
                continue;
            }
            let flags = self.scoping.symbol_flags(symbol);
            if flags.contains(SymbolFlags::Function) {
                return Err(Unsupported("a function that is assigned to and that closures share"));
            }
            let own = self.scoping.symbol_name(symbol).to_owned();
            if !self.shared.contains_key(&symbol) && self.is_shared(it.index, symbol) {
                self.wanted.push((symbol, early));
                continue;
            }
            let shared = self.shared.get(&symbol).map(|(name, _)| name.clone());
            let is_shared = shared.is_some();
            let name = shared.unwrap_or_else(|| self.facts.fresh(&format!("{own}$")));
            let is_var = flags.contains(SymbolFlags::FunctionScopedVariable)
                && !flags.contains(SymbolFlags::CatchVariable);
            if !is_shared {
                self.box_mentions(symbol, &own, &name, early && !is_var);
            }
            boxed.insert(symbol, name.clone());
            if is_var {
                self.box_var(it, symbol, &name, &mut open)?;
            } else if !flags.intersects(SymbolFlags::Class) {
                let short = self.facts.bound_short.contains(&symbol);
                let key = if short { format!("{own}: ") } else { String::new() };
                self.edits.replace(self.scoping.symbol_span(symbol), rope![key, &name, ".v"]);
            }
        }
        Ok(boxed)
    }

    /// A boxed `var` or parameter. A declaration that declares one becomes an assignment, so all
    /// that it declares are boxed.
    fn box_var(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        symbol: SymbolId,
        name: &str,
        open: &mut Vec<Boxed>,
    ) -> Lowered {
        let declares = |it: &&VarDeclaration| it.symbols.iter().any(|it| it.0 == symbol);
        let all: Vec<VarDeclaration> = self.facts.vars.iter().filter(declares).cloned().collect();
        let is_param = self.facts.declared_at.get(&symbol) == Some(&0);
        let moved = crate::params::moved(it.params);
        let stuck = self.facts.mentions(symbol).any(|mention| {
            mention.span.start < it.params.span.end
                && !moved.iter().any(|moved| {
                    // Its box is made behind the parameter that it is bound by.
                    contains(*moved, mention.span)
                        && moved.start > self.scoping.symbol_span(symbol).end
                })
        });
        if is_param && (stuck || !all.is_empty()) || all.iter().any(|it| it.takes_apart) {
            return Err(Unsupported("a `var` or a parameter that closures change"));
        }
        for it in &all {
            let end = it.span.start + 3;
            self.edits
                .replace(Span::new(it.span.start, end + blanks_after(self.source, end)), "".into());
            it.types.iter().for_each(|span| self.edits.replace(*span, "".into()));
            for &(other, span) in &it.symbols {
                if other == symbol {
                    self.edits.replace(span, rope![name, ".v"]);
                } else {
                    open.push(Boxed { symbol: other, early: false });
                }
            }
        }
        Ok(())
    }

    /// Whether a function inside that has been converted mentions a variable.
    fn is_shared(&self, function: usize, symbol: SymbolId) -> bool {
        self.facts.mentions(symbol).any(|it| {
            let mut at = it.function;
            while let Some(inner) = at.filter(|&inner| inner != function) {
                if self.converted.contains(&inner) {
                    return true;
                }
                at = self.facts.functions[inner].parent;
            }
            false
        })
    }

    /// Has every mention of the shared variables be one of their boxes.
    pub(crate) fn share(&mut self) {
        for (symbol, (name, early)) in self.shared.clone() {
            let own = self.scoping.symbol_name(symbol).to_owned();
            let is_var =
                self.scoping.symbol_flags(symbol).contains(SymbolFlags::FunctionScopedVariable);
            self.box_mentions(symbol, &own, &name, early && !is_var);
        }
    }

    fn box_mentions(&mut self, symbol: SymbolId, own: &str, name: &str, early: bool) {
        let mentions: Vec<_> = self.facts.mentions(symbol).copied().collect();
        for it in mentions {
            let content = if early {
                format!("{}({name}, \"{own}\").v", self.runtime.early())
            } else {
                format!("{name}.v")
            };
            // Called, it must not get the box as `this`; an expression in front of it that ends
            // without a semicolon must not become a call.
            let content = match it.called {
                Called::Plainly => format!("{}({content})", self.runtime.own()),
                Called::ByNew => format!("({content})"),
                Called::No => content,
            };
            let key = if it.shorthand { format!("{own}: ") } else { String::new() };
            self.edits.replace(it.span, rope![key, content]);
        }
    }

    fn write(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        params: &Params,
        plan: &Plan,
        mut carry: Carry,
        boxed: &FxHashMap<SymbolId, String>,
    ) -> Lowered<Placement> {
        let forms = self.forms(it.index, plan, &carry, boxed);
        for (symbol, name) in &mut carry.params {
            if forms.get(symbol).is_some_and(|it| *it != Form::Function) {
                *name = self.facts.fresh(&format!("{name}$"));
            }
        }
        let placement = self.placement(it, plan);
        let uses_this = self.facts.functions[it.index].uses.this;
        let base = self.facts.functions[it.index].name.clone().unwrap_or_default();
        let base: String =
            base.chars().filter(|it| it.is_alphanumeric() || "_$".contains(*it)).collect();
        let twin_name = self.facts.fresh(&format!(
            "{}$rest",
            if base.starts_with(|it: char| it.is_ascii_digit()) { "" } else { &base }
        ));
        let scoping = self.scoping;
        let name = |symbol: SymbolId| {
            boxed.get(&symbol).cloned().unwrap_or_else(|| scoping.symbol_name(symbol).to_owned())
        };
        let shape = || Shape {
            plan,
            carry: &carry,
            name: &name,
            twin: &twin_name,
            this: uses_this && placement == Placement::Lifted,
            flag: &self.flag,
            fuel: &self.fuel,
        };
        let mut fast = Fast { shape: shape(), runtime: self.runtime, flagged: false }.body();
        let moved = crate::params::moved(it.params);
        let mut binds = boxes_of_params(it.params.span, &moved, boxed, scoping);
        for (part, bind) in params.binds() {
            binds = rope![binds, bind, boxes_of_params(*part, &[], boxed, scoping)];
        }
        fast = rope![binds, fast];
        let mut twin = Rope::default();
        if placement != Placement::None {
            let mut printer = Twin {
                shape: shape(),
                runtime: self.runtime,
                forms: &forms,
                at: &self.at,
                value: &self.value,
                locals: BTreeSet::new(),
                failed: None,
            };
            let body = printer.body();
            if let Some(reason) = printer.failed {
                return Err(Unsupported(reason));
            }
            twin = self.twin_text(it, &twin_name, &carry, plan, placement, body);
        }
        let recursive = plan.sites.first().is_some_and(|it| matches!(it.kind, SiteKind::Entry));
        let nested = if placement == Placement::Nested { twin.clone() } else { Rope::default() };
        let parts = Parts { recursive, fast, nested };
        match it.entry {
            Entry::Beside(beside) => self.put_beside(it, beside, params, parts),
            Entry::Asked | Entry::InPlace => self.put_fast(it, params, parts),
        }
        if placement == Placement::Lifted {
            self.lifted.push(twin);
        }
        Ok(placement)
    }

    fn twin_text(
        &self,
        it: &AsyncFunction<'_, '_>,
        name: &str,
        carry: &Carry,
        plan: &Plan,
        placement: Placement,
        body: Rope,
    ) -> Rope {
        let mut names = vec![self.at.as_str(), self.value.as_str()];
        names.extend(carry.params.iter().map(|(_, name)| name.as_str()));
        names.extend(carry.temps.iter().map(|&index| plan.temps[index].as_str()));
        let names = names.join(", ");
        if placement == Placement::Nested {
            return rope!["const ", name, " = async (", names, ") => {\n", body, "};\n"];
        }
        let strict = if self.strict || !self.is_strict(it) { "" } else { "\"use strict\";\n" };
        rope!["async function ", name, "(", names, ") {\n", strict, body, "}\n"]
    }

    fn is_strict(&self, it: &AsyncFunction<'_, '_>) -> bool {
        it.scope.is_some_and(|scope| self.scoping.scope_flags(scope).is_strict_mode())
    }

    /// Puts the fast function in place of the async one.
    pub(crate) fn put_fast(&mut self, it: &AsyncFunction<'_, '_>, params: &Params, parts: Parts) {
        let end = it.async_.end + blanks_after(self.source, it.async_.end);
        let instead = if it.begins_element { ";" } else { "" };
        self.edits.replace(Span::new(it.async_.start, end), instead.into());
        params.edit(self.edits);
        let (span, directives) = match it.body {
            Body::Statements(body) => (body.span, self.directives(body)),
            Body::Expression(it) => (it.span(), Rope::default()),
        };
        let Parts { recursive, fast, nested } = parts;
        let handler = match it.entry {
            Entry::Asked => {
                rope![" catch (error) {\nreturn ", self.runtime.reject(), "(error);\n}"]
            }
            Entry::InPlace | Entry::Beside(_) => Rope::default(),
        };
        let (begin, unwind) = if recursive {
            let depth = self.runtime.depth();
            (rope!["++", &depth, ";\n"], rope![" finally {\n--", depth, ";\n}"])
        } else {
            (Rope::default(), Rope::default())
        };
        let fast = if handler.0.is_empty() && !recursive {
            fast
        } else {
            rope!["try {\n", fast, "}", handler, unwind, "\n"]
        };
        self.edits.replace(span, rope!["{\n", directives, nested, begin, fast, "}"]);
    }

    /// The directives of the body but for the one that asks for the conversion.
    pub(crate) fn directives(&self, body: &ast::FunctionBody<'_>) -> Rope {
        let mut text = Rope::default();
        for it in body.directives.iter().filter(|it| it.directive != crate::DIRECTIVE) {
            text = rope![text, "\"", it.directive.as_str(), "\";\n"];
        }
        text
    }

    fn forms(
        &self,
        function: usize,
        plan: &Plan,
        carry: &Carry,
        boxed: &FxHashMap<SymbolId, String>,
    ) -> HashMap<SymbolId, Form> {
        let carrier = self.carrier(function, plan, boxed);
        let own = self.facts.owned.get(&function).into_iter().flatten();
        let mut forms: HashMap<SymbolId, Form> =
            own.map(|&symbol| (symbol, carrier.form(symbol))).collect();
        let _ = carry;
        // The variables of one head are declared in one way.
        for around in &plan.loops {
            if around.head.iter().any(|it| forms.get(it).is_some_and(|it| *it == Form::Block)) {
                forms.extend(around.head.iter().map(|&it| (it, Form::Block)));
            }
        }
        forms
    }

    fn placement(&self, it: &AsyncFunction<'_, '_>, plan: &Plan) -> Placement {
        if plan.sites.is_empty() {
            return Placement::None;
        }
        let uses = self.facts.functions[it.index].uses;
        let tied = uses.super_ || uses.arguments || uses.new_target || uses.private_names;
        if tied || self.mentions_outer(it.index) { Placement::Nested } else { Placement::Lifted }
    }

    /// Whether a function uses variables of functions, blocks or classes around it, or its own name.
    fn mentions_outer(&self, function: usize) -> bool {
        let span = self.facts.functions[function].span;
        let from = self.facts.mentions.partition_point(|it| it.span.start < span.start);
        self.facts.mentions[from..].iter().take_while(|it| it.span.start < span.end).any(|it| {
            self.facts.leaking.contains(it.span.source_text(self.source))
                || it.symbol.is_some_and(|symbol| {
                    let declared = self.scoping.symbol_span(symbol);
                    let inside = span.start <= declared.start && declared.end <= span.end;
                    let own_name = inside
                        && self
                            .scoping
                            .symbol_flags(symbol)
                            .contains(SymbolFlags::FunctionExpression)
                        && self.facts.owner.get(&symbol) == Some(&Some(function));
                    own_name || !inside && !is_root(self.scoping, symbol)
                })
        })
    }
}

/// Boxes for the parameters in a part of the list that need them.
fn boxes_of_params(
    part: Span,
    moved: &[Span],
    boxed: &FxHashMap<SymbolId, String>,
    scoping: &Scoping,
) -> Rope {
    let mut all: Vec<(&SymbolId, &String)> = boxed
        .iter()
        .filter(|(symbol, _)| {
            let span = scoping.symbol_span(**symbol);
            contains(part, span) && !moved.iter().any(|moved| contains(*moved, span))
        })
        .collect();
    all.sort_unstable();
    let mut text = Rope::default();
    for (&symbol, name) in all {
        text = rope![text, "const ", name, " = { v: ", scoping.symbol_name(symbol), " };\n"];
    }
    text
}

fn blanks_after(source: &str, at: u32) -> u32 {
    let rest = source.get(at as usize..).unwrap_or_default();
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    u32::try_from(blanks).unwrap_or(0)
}
