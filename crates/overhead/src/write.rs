//! A converted function as edits of its text: the fast function in its place, the twin where it may
//! stand.

use std::collections::HashMap;

use oxc_ast::ast;
use oxc_semantic::{SymbolFlags, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::FxHashMap;

use crate::Ticks;
use crate::boxes::boxes_of_params;
use crate::carry::{Carry, Form};
use crate::comments::Ending;
use crate::convert::{AsyncFunction, Body, Converter, Entry, Placement, blanks_after};
use crate::depth::{Counted, Limits};
use crate::facts::{Mention, is_root};
use crate::fast::Fast;
use crate::lower::{Lowered, Unsupported};
use crate::params::Params;
use crate::plan::Plan;
use crate::rope::{Rope, rope};
use crate::shape::{Names, Shape};
use crate::sites::forms::Home;
use crate::twin::Twin;

/// What a converted function consists of.
pub(crate) struct Parts<'p> {
    counted: Option<&'p Counted>,
    fast: Rope,
    /// The twin, where that stands in the function.
    nested: Rope,
    /// The twin, where that stands in the class.
    pub(crate) behind: Rope,
}

impl Converter<'_> {
    /// Writes both functions.
    pub(crate) fn write(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        params: &Params,
        (plan, mut carry): (&Plan, Carry),
        limits: Limits<'_>,
        boxed: &FxHashMap<SymbolId, String>,
    ) -> Lowered<Placement> {
        let forms = self.forms(it.index, plan, boxed);
        for (symbol, name) in &mut carry.params {
            if forms.get(symbol).is_some_and(|it| *it != Form::Function) {
                *name = self.facts.fresh(&format!("{name}$"));
            }
        }
        let placement = match carry.common.is_empty() {
            true => self.placement(it, plan),
            false => Placement::Nested,
        };
        let twin_name = self.twin_name(it.index);
        let called_as = match (placement, it.entry.home()) {
            (Placement::Class, Home::Private { .. }) => format!("this.#{twin_name}"),
            _ => twin_name.clone(),
        };
        let by_call = placement == Placement::Lifted
            || called_as == twin_name && placement == Placement::Class;
        let exact = self.options.ticks == Ticks::Exact;
        let counts =
            if exact { vec![false; plan.sites.len()] } else { crate::fuel::counting(plan) };
        let vars = self.vars(it, boxed);
        let of = self.facts.infers(it.index).then(|| self.runtime.of());
        let hands_over = matches!(it.entry, Entry::Beside(_)) && placement != Placement::None;
        let last = (hands_over && !exact).then(|| self.runtime.last());
        let Self { scoping, facts, runtime, names, .. } = self;
        let scoping = *scoping;
        let name = |symbol: SymbolId| {
            boxed.get(&symbol).cloned().unwrap_or_else(|| scoping.symbol_name(symbol).to_owned())
        };
        let shape = || Shape {
            plan,
            carry: &carry,
            forms: &forms,
            name: &name,
            names,
            twin: &called_as,
            this: facts.functions[it.index].uses.this && by_call,
            counts: &counts,
            limits,
            of: of.clone(),
            last: last.clone(),
            // A private method is called on its object.
            by_helper: last.is_some() && !facts.typescript && called_as == twin_name,
            exact,
        };
        let (mut body, mut numbered) = (Rope::default(), true);
        if placement != Placement::None {
            let mut printer = Twin::new(shape(), runtime);
            body = printer.body();
            numbered = printer.numbered;
            if let Some(reason) = printer.failed {
                return Err(Unsupported(reason));
            }
        }
        runtime.note_call(&body);
        let nested = (placement == Placement::Nested).then(|| {
            let params = twin_params(names, (plan, &carry, numbered));
            nested_twin(&twin_name, &params, facts.typescript, &body)
        });
        let (in_front, at_end) = if exact { (nested, None) } else { (None, nested) };
        let shape = shape();
        let note = |symbol| facts.fresh(&format!("{}$", scoping.symbol_name(symbol)));
        let mut fast = Fast::new((shape, runtime), (numbered, &vars, at_end), scoping, note).body();
        let moved = crate::params::moved(it.params);
        let mut binds = boxes_of_params(it.params.span, &moved, boxed, scoping);
        for (part, bind) in params.binds() {
            binds = rope![binds, bind, boxes_of_params(*part, &[], boxed, scoping)];
        }
        fast = rope![binds, fast];
        runtime.note_call(&fast);
        let nested = in_front.unwrap_or_default();
        if let Some(plain) = plan.plain {
            let begin = rope!["(", &plan.temps[plain], ", "];
            self.edits.replace(Span::sized(it.params.span.start, 1), begin);
        }
        let mut parts = Parts { counted: limits.counted, fast, nested, behind: Rope::default() };
        if matches!(placement, Placement::Lifted | Placement::Class) {
            let twin = self.twin_text(it, &twin_name, (plan, &carry, numbered), placement, body);
            match placement {
                Placement::Class => parts.behind = twin,
                _ => self.lifted.push(twin),
            }
        }
        match it.entry {
            Entry::Beside(beside) => self.put_beside(it, beside, params, parts),
            Entry::Asked | Entry::InPlace(_) => self.put_fast(it, params, parts),
        }
        Ok(placement)
    }

    /// The names of the `var`s of a function.
    fn vars(&self, it: &AsyncFunction<'_, '_>, boxed: &FxHashMap<SymbolId, String>) -> Vec<String> {
        let own = self.facts.owned.get(&it.index).into_iter().flatten();
        let vars = own.filter(|&&symbol| {
            let flags = self.scoping.symbol_flags(symbol);
            let other = SymbolFlags::CatchVariable | SymbolFlags::Function;
            flags.contains(SymbolFlags::FunctionScopedVariable)
                && !flags.intersects(other)
                && !boxed.contains_key(&symbol)
                && self.scoping.symbol_span(symbol).start >= it.params.span.end
        });
        vars.map(|&symbol| self.scoping.symbol_name(symbol).to_owned()).collect()
    }

    /// A name for the twin of a function.
    fn twin_name(&mut self, function: usize) -> String {
        let base = self.facts.functions[function].name.clone().unwrap_or_default();
        let base: String =
            base.chars().filter(|it| it.is_alphanumeric() || "_$".contains(*it)).collect();
        let base = if base.starts_with(|it: char| it.is_ascii_digit()) { "" } else { &base };
        let name = self.facts.fresh_global(&format!("{base}$rest"));
        self.twins.push(name.clone());
        name
    }

    fn twin_text(
        &self,
        it: &AsyncFunction<'_, '_>,
        name: &str,
        (plan, carry, numbered): (&Plan, &Carry, bool),
        placement: Placement,
        body: Rope,
    ) -> Rope {
        let names = twin_params(self.names, (plan, carry, numbered));
        // What types are inferred from is the fast function.
        let type_ = if self.facts.typescript { ": Promise<never>" } else { "" };
        if let (Placement::Class, Home::Private { is_static }) = (placement, it.entry.home()) {
            let modifier = if is_static { "static " } else { "" };
            return rope![
                "\n", modifier, "async #", name, "(", names, ")", type_, " {\n", body, "}"
            ];
        }
        let strict = if self.strict || !self.is_strict(it) { "" } else { "\"use strict\";\n" };
        rope!["async function ", name, "(", names, ")", type_, " {\n", strict, body, "}\n"]
    }

    fn is_strict(&self, it: &AsyncFunction<'_, '_>) -> bool {
        it.scope.is_some_and(|scope| self.scoping.scope_flags(scope).is_strict_mode())
    }

    /// Puts the fast function in place of the async one.
    pub(crate) fn put_fast(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        params: &Params,
        parts: Parts<'_>,
    ) {
        let end = it.async_.end + blanks_after(self.source, it.async_.end);
        let instead = if it.ending == Ending::InPlace { ";" } else { "" };
        self.edits.replace(Span::new(it.async_.start, end), instead.into());
        if let Ending::Before(next) = it.ending {
            self.edits.replace(next, rope![";", next.source_text(self.source)]);
        }
        params.edit(self.edits);
        let (span, directives) = match it.body {
            Body::Statements(body) => (body.span, self.directives(body)),
            Body::Expression(it) => (it.span(), Rope::default()),
        };
        let Parts { counted, fast, nested, behind } = parts;
        let level = &self.names.level;
        let begin = counted.map(|it| format!("const {level} = {};\n", it.depth));
        let leave = counted.map(|it| format!("{};\n", it.leave(self.names)));
        let caught = match (it.entry, leave) {
            (Entry::Asked, leave) => {
                let reject = self.runtime.reject();
                Some(rope![leave.unwrap_or_default(), "return ", reject, "(error);\n"])
            }
            (_, leave) => leave.map(|leave| rope![leave, "throw error;\n"]),
        };
        let fast = match caught {
            Some(caught) => rope!["try {\n", fast, "} catch (error) {\n", caught, "}\n"],
            None => fast,
        };
        let begin = begin.unwrap_or_default();
        let aliases = params.aliases();
        let text = rope!["{\n", directives, aliases, nested, begin, fast, "}", behind];
        self.edits.replace(span, text);
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
        boxed: &FxHashMap<SymbolId, String>,
    ) -> HashMap<SymbolId, Form> {
        let carrier = self.carrier(function, plan, boxed);
        let own = self.facts.owned.get(&function).into_iter().flatten();
        let mut forms: HashMap<SymbolId, Form> =
            own.map(|&symbol| (symbol, carrier.form(symbol))).collect();
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
        let tied = self.facts.functions[it.index].in_namespace
            || uses.super_
            || uses.arguments
            || uses.new_target
            || uses.private_names;
        if !tied && !self.mentions_outer(it.index) {
            return Placement::Lifted;
        }
        match it.entry.home() {
            _ if uses.arguments || uses.new_target => Placement::Nested,
            Home::Private { .. } | Home::Block => Placement::Class,
            Home::Elsewhere => Placement::Nested,
        }
    }

    /// Whether a function uses variables of functions, blocks or classes around it, or its own name.
    fn mentions_outer(&self, function: usize) -> bool {
        let span = self.facts.functions[function].span;
        let from = self.facts.mentions.partition_point(|it| it.span.start < span.start);
        self.facts.mentions[from..].iter().take_while(|it| it.span.start < span.end).any(|it| {
            self.facts.leaking.contains(it.span.source_text(self.source))
                || it.in_own_class && (self.is_replaced(it) || self.facts.is_early(it.symbol))
                || it.symbol.is_some_and(|symbol| {
                    let declared = self.scoping.symbol_span(symbol);
                    let inside = span.start <= declared.start && declared.end <= span.end;
                    let is_expression =
                        self.scoping.symbol_flags(symbol).contains(SymbolFlags::FunctionExpression);
                    // The name of a declared function is a variable of the code around it.
                    let own_name = inside
                        && self.facts.functions[function].bound.contains(&symbol)
                        && (is_expression || !is_root(self.scoping, symbol));
                    own_name || !inside && !is_root(self.scoping, symbol)
                })
        })
    }

    /// Whether the variable around a class may hold another than the class, in which it still has its name.
    fn is_replaced(&self, name: &Mention) -> bool {
        self.facts.may_be_script
            || self.facts.has_eval
            || name.symbol.is_some_and(|it| self.scoping.symbol_is_mutated(it))
    }
}

/// The parameters of a twin.
fn twin_params(names: &Names, (plan, carry, numbered): (&Plan, &Carry, bool)) -> String {
    let at = numbered.then_some(names.at.as_str());
    let mut all: Vec<&str> = at.into_iter().collect();
    all.push(&names.value);
    all.extend(carry.params.iter().map(|(_, name)| name.as_str()));
    all.extend(carry.temps.iter().map(|&index| plan.temps[index].as_str()));
    all.join(", ")
}

/// The definition of a twin that stands in its function.
fn nested_twin(name: &str, params: &str, typescript: bool, body: &Rope) -> Rope {
    // What types are inferred from is the fast function.
    let type_ = if typescript { ": Promise<never>" } else { "" };
    rope!["const ", name, " = async (", params, ")", type_, " => {\n", body, "};\n"]
}
