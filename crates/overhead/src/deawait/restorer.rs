//! Goes over a file and restores what it can.

use headstart_ir::order;
use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, Scoping, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Reason;
use super::call::{Arguments, Call, This, inside_brackets, made_of};
use super::cleanup;
use super::detached::{self, Back, Front, Move};
use super::function::{Body, Outer};
use super::generator::Generator;
use super::helpers::Helpers;
use super::known::Helper;
use super::names::{Places, method_start};
use super::own_this::is_settled;
use crate::Ticks;
use crate::facts::Facts;
use crate::patch::Patch;
use crate::report::{FunctionReport, Outcome};
use crate::rope::{Rope, rope};

/// Where the word `async` goes in front of a method's name.
type MethodStart = Option<u32>;

/// Goes over a file.
pub(crate) struct Restorer<'x> {
    source: &'x str,
    scoping: &'x Scoping,
    facts: &'x Facts,
    helpers: &'x Helpers,
    ticks: Ticks,
    places: Places,
    patch: Patch,
    reports: Vec<FunctionReport>,
    /// Calls that are done, by where they begin and end.
    done: FxHashSet<(u32, u32)>,
    /// Functions that only call another, and the functions so called.
    fronts: FxHashMap<SymbolId, Vec<Front>>,
    moves: Vec<Move>,
    /// How many uses of a helper are gone.
    pub(super) gone: FxHashMap<SymbolId, usize>,
    refused: Option<Reason>,
    method: MethodStart,
    /// It is a constructor or an accessor, which cannot be async.
    special: bool,
}

impl<'x> Restorer<'x> {
    pub(crate) fn new(
        (source, scoping): (&'x str, &'x Scoping),
        facts: &'x Facts,
        helpers: &'x Helpers,
        ticks: Ticks,
    ) -> Self {
        Self {
            source,
            scoping,
            facts,
            helpers,
            ticks,
            places: Places::default(),
            patch: Patch::of(source),
            reports: Vec::new(),
            done: FxHashSet::default(),
            fronts: FxHashMap::default(),
            moves: Vec::new(),
            gone: FxHashMap::default(),
            refused: None,
            method: None,
            special: false,
        }
    }

    /// Leaves everything as it is, for a reason.
    pub(crate) fn refuse_all(&mut self, reason: Reason) {
        self.refused = Some(reason);
    }

    /// Restores what is to be restored.
    pub(crate) fn run(&mut self, program: &ast::Program<'_>) {
        self.places = Places::find(program);
        self.visit_program(program);
        // The inner ones first: their text goes into the outer ones.
        order::sort_by_key(&mut self.moves, |it| it.region().size());
        for it in &self.moves {
            it.write(&mut self.patch);
        }
        cleanup::remove_unused(
            (self.source, self.facts),
            (self.helpers, &self.places),
            &self.gone,
            &mut self.patch,
        );
    }

    /// What came of it.
    pub(crate) fn finish(self) -> (Patch, Vec<FunctionReport>) {
        (self.patch, self.reports)
    }

    fn report(
        &mut self,
        at: Span,
        name: Option<&str>,
        helper: Helper,
        result: Result<&'static str, Reason>,
    ) {
        let (name, offset) = match name {
            Some(name) => (name.to_owned(), at.start),
            None => self.function_around(at),
        };
        let outcome = match result {
            Ok(form) => Outcome::Restored { helper: helper.name(), form },
            Err(reason) => Outcome::not_restored(helper.name(), reason),
        };
        self.reports.push(FunctionReport::new(name, offset, outcome));
    }

    /// The name of the function that a place is in, and where it begins.
    fn function_around(&self, at: Span) -> (String, u32) {
        let inside = self
            .facts
            .functions
            .iter()
            .filter(|it| it.span.start <= at.start && at.end <= it.span.end && it.span != at);
        let around = inside.min_by_key(|it| it.span.size());
        around.map_or((String::new(), at.start), |it| {
            (it.name.clone().unwrap_or_default(), it.span.start)
        })
    }

    /// Reads the generator of a helper.
    fn generator(&self, it: &ast::Argument<'_>, helper: Helper) -> Result<Generator, Reason> {
        if let Some(reason) = self.refused {
            return Err(reason);
        }
        if self.ticks == Ticks::Exact && !helper.keeps_ticks() {
            return Err("with exact ticks: waiting takes other ticks than through the helper");
        }
        let read = Generator::read(it, self.facts, self.helpers, (self.scoping, self.source))?;
        let makes_sloppy = helper == Helper::ToGenerator && self.helpers.makes_sloppy;
        if makes_sloppy && read.is_strict && read.uses.this {
            return Err("only the generator is strict, and it uses `this`");
        }
        Ok(read)
    }

    /// Reads a call of a helper. Only a variable that has its value for good stands for `this`.
    fn read_call<'t, 'a>(
        &self,
        it: &'t ast::CallExpression<'a>,
    ) -> Option<Result<Call<'t, 'a>, Reason>> {
        let mut call = Call::read(it, self.helpers, self.scoping)?;
        if let Ok(call) = &mut call
            && let This::Variable(symbol) = call.this
            && !is_settled(symbol, it.span.start, (&self.places, self.facts, self.scoping))
        {
            call.this = This::Computed;
        }
        Some(call)
    }

    /// A function whose body may be a call of a helper.
    fn outer(&mut self, outer: &Outer<'_, '_>) -> Option<()> {
        let returned = outer.returned()?;
        let call = self.read_call(returned)?.ok()?;
        let generator = self.generator(call.generator, call.helper).ok()?;
        let whole = outer.whole(&call, &generator, self.facts, self.scoping);
        match whole {
            Ok(whole) => {
                let out = (&mut self.patch, &mut self.moves);
                whole.write(&generator, out);
                self.count(&generator);
                self.finish_call(returned, call.helper, Ok("async function"));
            }
            Err(reason) => {
                let result = self.in_its_place(&call, &generator).map_err(|_| reason);
                self.finish_call(returned, call.helper, result);
            }
        }
        Some(())
    }

    fn finish_call(
        &mut self,
        it: &ast::CallExpression<'_>,
        helper: Helper,
        result: Result<&'static str, Reason>,
    ) {
        self.done.insert((it.span.start, it.span.end));
        if result.is_ok() {
            self.forget(it);
        } else if helper == Helper::ToGenerator {
            // The function that it makes may be restored without the call.
            return;
        }
        self.report(it.span, None, helper, result);
    }

    /// Notes that helpers inside a generator are no more.
    fn count(&mut self, generator: &Generator) {
        for symbol in &generator.gone {
            *self.gone.entry(*symbol).or_default() += 1;
        }
    }

    /// Notes that a call of a helper is no more, and what it was made with.
    fn forget(&mut self, it: &ast::CallExpression<'_>) {
        let callee = match it.callee.without_parentheses() {
            Expression::StaticMemberExpression(member) => &member.object,
            other => other,
        };
        if let Expression::CallExpression(made) = callee {
            self.done.insert((made.span.start, made.span.end));
            return self.forget(made);
        }
        if let Some(symbol) = cleanup::root_symbol(&it.callee, self.scoping) {
            *self.gone.entry(symbol).or_default() += 1;
        }
    }

    /// An async arrow function, called at once, where the helper was called.
    fn in_place(
        &mut self,
        call: &Call<'_, '_>,
        generator: &Generator,
    ) -> Result<&'static str, Reason> {
        let this = match call.this {
            This::Undefined if generator.uses.this => {
                return Err("it uses `this`, which the helper does not get");
            }
            This::Variable(symbol) => {
                Some(generator.this.stand_in(symbol, self.facts, self.scoping)?)
            }
            This::Computed => return Err("its `this` is computed"),
            This::Same | This::Undefined => None,
        };
        if matches!(call.arguments, Arguments::Computed) {
            return Err("its arguments are computed");
        }
        if generator.uses.arguments || generator.names.iter().any(|it| it == "arguments") {
            return Err("the generator uses `arguments` of its own");
        }
        let void = self.void(call);
        let arguments = match call.arguments {
            Arguments::Same if generator.has_params => Rope::text("...arguments"),
            Arguments::List(list) => self.patch.render(inside_brackets(list)),
            _ => Rope::default(),
        };
        let head = Span::new(call.span.start, generator.params.start);
        self.patch.replace(head, format!("{void}(async "));
        self.patch.replace(Span::new(generator.params.end, generator.body.start), " => ");
        generator.write(&mut self.patch, this.as_ref());
        self.count(generator);
        let tail = Span::new(generator.body.end, call.span.end);
        self.patch.replace(tail, rope![")(", arguments, ")"]);
        Ok("async arrow function in its place")
    }

    /// What makes an expression of what may stand at the start of a statement.
    fn void(&self, call: &Call<'_, '_>) -> &'static str {
        if self.places.statements.contains(&call.span.start) { "void " } else { "" }
    }

    /// An async function that gets what the helper got.
    fn applied(
        &mut self,
        call: &Call<'_, '_>,
        generator: &Generator,
        reason: Reason,
    ) -> Result<&'static str, Reason> {
        let (this, arguments) = call.passed.ok_or(reason)?;
        let head = Span::new(call.span.start, generator.params.start);
        let void = self.void(call);
        self.patch.replace(head, format!("{void}(async function "));
        generator.write(&mut self.patch, None);
        self.count(generator);
        let to = Span::new(generator.body.end, call.span.end);
        self.moves.push(Move::Call { this, arguments, to });
        Ok("async function in its place")
    }

    /// An async arrow function or, where it has a `this` or `arguments` of its own, a function.
    fn in_its_place(
        &mut self,
        call: &Call<'_, '_>,
        generator: &Generator,
    ) -> Result<&'static str, Reason> {
        self.in_place(call, generator).or_else(|reason| self.applied(call, generator, reason))
    }

    /// A function that Babel has taken apart, as an expression.
    fn made(&mut self, it: &ast::CallExpression<'_>) -> Option<()> {
        let made = detached::made(it, self.helpers, self.facts, self.scoping)?;
        let result = self.write_made(it.span, made.generator, Some(&made.front));
        self.finish_made(it.span, made.call, made.front.name.as_deref(), result);
        Some(())
    }

    fn finish_made(
        &mut self,
        at: Span,
        helper_call: &ast::CallExpression<'_>,
        name: Option<&str>,
        result: Result<&'static str, Reason>,
    ) {
        self.done.insert((helper_call.span.start, helper_call.span.end));
        if result.is_ok() {
            self.forget(helper_call);
        }
        self.report(at, Some(name.unwrap_or_default()), Helper::ToGenerator, result);
    }

    /// An async function expression in place of `at`.
    fn write_made(
        &mut self,
        at: Span,
        generator: &ast::Argument<'_>,
        front: Option<&Front>,
    ) -> Result<&'static str, Reason> {
        let generator = self.generator(generator, Helper::ToGenerator)?;
        if front.is_some_and(|it| it.changes_this(&generator)) {
            return Err("only the generator is strict, and it uses `this`");
        }
        if front.map_or(0, |it| it.length) != generator.length {
            return Err("the `length` of the function would change");
        }
        if self.places.statements.contains(&at.start) {
            return Err("it stands at the start of a statement");
        }
        let place = self.places.name(at);
        let name = front.and_then(|it| it.name.as_deref());
        let (open, close) = match (name, place) {
            (Some(name), place) if self.mentions(&generator, name) => {
                if place != Some(name) {
                    return Err("it mentions a function of its own name");
                }
                ("async function".to_owned(), "")
            }
            (Some(name), _) => (format!("async function {name}"), ""),
            (None, Some(_)) => ("(0, async function".to_owned(), ")"),
            (None, None) => ("async function".to_owned(), ""),
        };
        self.patch.replace(Span::new(at.start, generator.params.start), open);
        generator.write(&mut self.patch, None);
        self.count(&generator);
        self.patch.replace(Span::new(generator.body.end, at.end), close);
        Ok("async function")
    }

    /// Whether a name is mentioned in a generator.
    fn mentions(&self, generator: &Generator, name: &str) -> bool {
        let span = Span::new(generator.params.start, generator.body.end);
        self.facts.mentions_in(span, name).next().is_some()
    }

    /// A function declaration that Babel has taken apart.
    fn pair(&mut self, back: &Back<'_, '_>) {
        let front = self.fronts.get(&back.symbol).and_then(|it| it.first());
        let at = front.map_or(back.span, |it| it.span);
        let name = front.and_then(|it| it.name.clone());
        let result = self.write_pair(back);
        self.finish_made(at, back.call, name.as_deref(), result);
    }

    fn write_pair(&mut self, back: &Back<'_, '_>) -> Result<&'static str, Reason> {
        let generator = self.generator(back.generator, Helper::ToGenerator)?;
        let front = match self.fronts.get(&back.symbol).map(Vec::as_slice) {
            Some([front]) => front.clone(),
            _ => return Err("no function calls it, or more than one"),
        };
        if front.changes_this(&generator) {
            return Err("only the generator is strict, and it uses `this`");
        }
        if self.facts.mentions(back.symbol).count() != 3 {
            return Err("it is mentioned elsewhere");
        }
        if front.length != generator.length {
            return Err("the `length` of the function would change");
        }
        let is_strict = front.scope.is_some_and(|it| self.scoping.scope_flags(it).is_strict_mode());
        if front.scope != back.scope
            || !is_strict && !self.places.hoisted.contains(&front.span.start)
        {
            return Err("it is declared in a block");
        }
        if front.name.as_ref().is_some_and(|it| self.places.constructed.contains(it)) {
            return Err("it is called with `new`, or its prototype is used");
        }
        generator.write(&mut self.patch, None);
        self.count(&generator);
        let (params, body) = (generator.params, generator.body);
        self.moves.push(Move::Pair { front, back: back.span, params, body });
        Ok("async function")
    }

    /// Whether a function may be made async at all.
    fn may_be_async(&self, it: &ast::Function<'_>, is_method: bool) -> bool {
        let is_strict = it.scope_id.get().is_some_and(|scope| {
            let outer = self.scoping.scope_parent_id(scope).unwrap_or(scope);
            self.scoping.scope_flags(outer).is_strict_mode()
        });
        let in_block = it.is_declaration() && !self.places.hoisted.contains(&it.span.start);
        let name = it.id.as_ref().map(|it| it.name.as_str());
        let name = name.or_else(|| self.places.name(it.span));
        let constructed = !is_method && name.is_some_and(|it| self.places.constructed.contains(it));
        // A sloppy function in a block is declared around the block, an async one is not.
        !it.r#async && !it.generator && (is_strict || !in_block) && !constructed
    }
}

impl<'a> Visit<'a> for Restorer<'_> {
    fn visit_program(&mut self, it: &ast::Program<'a>) {
        self.fronts = detached::fronts(it, self.facts, self.scoping);
        walk::walk_program(self, it);
    }

    fn visit_method_definition(&mut self, it: &ast::MethodDefinition<'a>) {
        self.visit_decorators(&it.decorators);
        self.visit_property_key(&it.key);
        self.special = it.kind != ast::MethodDefinitionKind::Method;
        let from = it.decorators.last().map_or(it.span.start, |it| it.span.end);
        let span = Span::new(from, it.span.end);
        self.method = Some(method_start(self.source, span, it.key.span(), it.computed));
        self.visit_function(&it.value, ScopeFlags::Function);
    }

    fn visit_object_property(&mut self, it: &ast::ObjectProperty<'a>) {
        self.visit_property_key(&it.key);
        self.special = it.kind != ast::PropertyKind::Init;
        if it.method {
            self.method = Some(method_start(self.source, it.span, it.key.span(), it.computed));
        }
        self.visit_expression(&it.value);
        self.special = false;
    }

    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        let method = self.method.take();
        let special = std::mem::take(&mut self.special);
        if let Some(back) = detached::back(it, self.helpers, self.scoping) {
            self.pair(&back);
        }
        if let (Some(body), false) = (&it.body, special)
            && self.may_be_async(it, method.is_some())
        {
            self.outer(&Outer {
                is_arrow: false,
                params: &it.params,
                scope: it.scope_id.get(),
                async_at: method.unwrap_or(it.span.start),
                body: Body::Statements(body),
            });
        }
        walk::walk_function(self, it, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        self.method = None;
        self.special = false;
        let body = match &it.body {
            ast::ArrowFunctionBody::FunctionBody(body) => Some(Body::Statements(body)),
            other => other.as_expression().map(Body::Expression),
        };
        if let (Some(body), false) = (body, it.r#async) {
            self.outer(&Outer {
                is_arrow: true,
                params: &it.params,
                scope: it.scope_id.get(),
                async_at: it.span.start,
                body,
            });
        }
        walk::walk_arrow_function_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &ast::CallExpression<'a>) {
        let key = (it.span.start, it.span.end);
        if !self.done.contains(&key) && self.made(it).is_none() {
            if let Some(call) = self.read_call(it) {
                let helper = call.as_ref().map_or(Helper::Awaiter, |call| call.helper);
                let result = call.and_then(|call| {
                    let generator = self.generator(call.generator, call.helper)?;
                    self.in_its_place(&call, &generator)
                });
                self.finish_call(it, helper, result);
            } else if let Some(generator) = made_of(it, self.helpers, self.scoping) {
                let result = self.write_made(it.span, generator, None);
                self.finish_made(
                    it.span,
                    it,
                    self.places.name(it.span).map(str::to_owned).as_deref(),
                    result,
                );
            }
        }
        walk::walk_call_expression(self, it);
    }
}
