//! Awaits of fast functions in async functions that stay as they are, and at the top of a file.
//!
//! Purpose: who calls such a function always gets a promise, but what it awaits need not make it wait,
//! once it has waited. Input: an async function that was not converted, or that a fast one stands beside.
//! Output: edits of its awaits, so that those of calls with a fast form only wait if there is something to
//! wait for:
//!
//! ```js
//! await f(x);
//! // where the activation has waited, becomes
//! (then = (value = f$fast(x))?.then) || --fuel < 0 ? (fuel = 256, await hold(value, then)) : value
//! // and where it may have, with what it waits for first noted
//! (then = (value = waited ? f$fast(x) : f(x))?.then) … ? (waited = true, await hold(value, then)) : value
//! ```
//!
//! Where it has not waited, the await stays as it is: see [`crate::sites::Waited`].

use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::ScopeFlags;
use oxc_span::{GetSpan, Span};

use crate::convert::{AsyncFunction, Body, Converter};

use crate::fuel::{FIRST, NEXT};
use crate::guard::{Asked, Other, by_way, last_calls, listed, visit_around};
use crate::member::{name_of_callee, named};
use crate::report::Eased;
use crate::rope::{Rope, rope};
use crate::shape;
use crate::sites::{CallPlace, Waited};

/// Calls up to this length, in bytes, are written twice, so that V8 learns at each what it calls.
const SHORT: u32 = 120;

impl Converter<'_> {
    /// Edits the awaits of a function that stand in `least_loops` loops or more. Returns what was edited.
    pub(crate) fn edit_awaits(&mut self, it: &AsyncFunction<'_, '_>, least_loops: u32) -> Eased {
        let of = self.facts.infers(it.index).then(|| self.runtime.of());
        let mut awaits = Awaits::new(self, Some(it.index), of, least_loops);
        match it.body {
            Body::Statements(body) => awaits.visit_function_body(body),
            Body::Expression(body) => awaits.visit_expression(body),
        }
        let Awaits { eased, fuel, flag, adopts, .. } = awaits;
        if eased.count > 0 || adopts {
            self.touched.insert(it.index);
        }
        if eased.count == 0 {
            return eased;
        }
        let names = self.names;
        let fuel = if fuel { format!(", {} = {FIRST}", names.fuel) } else { String::new() };
        let flag = if flag { format!(", {} = false", names.waited) } else { String::new() };
        let all = [&names.value, &names.then, &names.method, &names.found, &names.holder];
        let all = all.map(String::as_str).join(", ");
        let declared = rope!["let ", all, fuel, flag, ";"];
        match it.body {
            Body::Statements(body) => match body.directives.last() {
                Some(last) => {
                    let text = rope![self.edits.render(last.span), "; ", declared];
                    self.edits.replace(last.span, text);
                }
                None => self.edits.replace(Span::sized(body.span.start, 1), rope!["{ ", declared]),
            },
            Body::Expression(body) => {
                let text = self.edits.render(body.span());
                self.edits.replace(body.span(), rope!["{ ", declared, " return ", text, "; }"]);
            }
        }
        eased
    }

    /// Edits the awaits at the top of a file: they all wait, but what they call may be fast.
    pub(crate) fn edit_top(&mut self, program: &ast::Program<'_>) {
        let mut awaits = Awaits::new(self, None, None, 0);
        awaits.visit_program(program);
        if awaits.flag {
            let names = self.names;
            self.runtime.declare(&format!("{} = false, {}", names.waited, names.value));
        }
    }
}

struct Awaits<'l, 'x> {
    converter: &'l mut Converter<'x>,
    /// The function; none at the top of the file.
    function: Option<usize>,
    /// In TypeScript, what types are inferred by, if any are.
    of: Option<String>,
    /// Whether types that follow from it are to be kept.
    keeps_types: bool,
    least_loops: u32,
    loops: u32,
    /// How many awaits were passed.
    awaits: u32,
    /// Whether this is a part of a class, where awaits stay as they are.
    in_class: bool,
    /// Where the statement begins.
    begins: Option<u32>,
    /// The await that is all of the statement that comes next.
    whole: Option<Span>,
    eased: Eased,
    fuel: bool,
    /// Whether anything asks if the activation has waited.
    flag: bool,
    /// Whether a call was edited, the await of which stays.
    adopts: bool,
}

impl<'l, 'x> Awaits<'l, 'x> {
    /// To edit a function; calls of it that come after a wait for certain are fast from here on.
    fn new(
        converter: &'l mut Converter<'x>,
        function: Option<usize>,
        of: Option<String>,
        least_loops: u32,
    ) -> Self {
        for (span, name) in converter.facts.renamed.get(&function).into_iter().flatten() {
            let place = converter.facts.places.get(&span.start);
            if place.is_some_and(|it| it.waited == Waited::Surely) {
                converter.edits.replace(*span, Rope::text(name));
            }
        }
        let facts = &converter.facts;
        let keeps_types = function.map_or(facts.keeps_types, |it| facts.keeps_text(it));
        Self {
            converter,
            function,
            of,
            keeps_types,
            least_loops,
            loops: 0,
            awaits: 0,
            in_class: false,
            begins: None,
            whole: None,
            eased: Eased::default(),
            fuel: false,
            flag: false,
            adopts: false,
        }
    }

    /// The call that is awaited, if it has a fast form and may come when the activation has waited.
    fn call<'t, 'a>(
        &self,
        it: &'t Expression<'a>,
    ) -> Option<(&'t ast::CallExpression<'a>, Waited)> {
        let Expression::CallExpression(call) = it.without_parentheses() else { return None };
        let callee = name_of_callee(&call.callee)?;
        let facts = &self.converter.facts;
        let waited = facts.places.get(&callee.start)?.waited;
        (facts.fast_calls.contains(&callee.start) && waited != Waited::Never)
            .then_some((call, waited))
    }

    fn is_guarded(&self, name: Span) -> bool {
        self.converter.facts.guarded.contains_key(&name.start)
    }

    /// The fast call, by way of the fast method where it is one of a method that may have one; where it is
    /// not certain that the activation has waited, only if it has.
    fn called(
        &mut self,
        it: &ast::CallExpression<'_>,
        (waited, has_awaits): (Waited, bool),
    ) -> Option<Rope> {
        let Some(member) = named(it.callee.without_parentheses()) else {
            if self.is_guarded(it.callee.without_parentheses().span()) {
                return Some(self.asked_name(it, (waited, has_awaits)));
            }
            return match waited {
                Waited::Surely => Some(self.converter.edits.render(it.span)),
                Waited::Perhaps | Waited::Never => self.chosen(it, has_awaits),
            };
        };
        let edits = &self.converter.edits;
        let names = self.converter.names;
        let object = edits.render(member.object.span());
        let source = self.converter.source;
        let (object, receiver) = match member.object {
            Expression::Super(_) => (object, Rope::text("this")),
            Expression::ThisExpression(_) => (object.clone(), object),
            _ => (rope!["(", &names.holder, " = ", object, ")"], Rope::text(&names.holder)),
        };
        if let (Waited::Surely, Some(key)) = (waited, self.converter.facts.picked_by(&it.callee)) {
            let (holder, of) = match member.object {
                Expression::Super(_) => (receiver.clone(), object),
                _ => (object, receiver.clone()),
            };
            let picked =
                rope![holder, ", ", member.read_of(of, source), ", ", receiver, "[", key, "]"];
            let pick = self.converter.runtime.pick();
            let list = listed(&it.arguments, edits);
            let text = rope![pick, "(", picked, ")[", key, "](", list, ")"];
            self.converter.runtime.note_call(&text);
            return Some(text);
        }
        let read = rope![&names.method, " = ", member.read_of(object, source), ", "];
        let Some(position) = self.converter.facts.plain_at(member.name) else {
            return Some(self.asked(it, (read, Some(receiver), None), (waited, has_awaits)));
        };
        if has_awaits
            || self.converter.facts.has_template(&it.arguments)
            || it.arguments.iter().any(ast::Argument::is_spread)
        {
            return None;
        }
        let (list, of_method, kept) = self.listed_for_fast(&it.arguments, position)?;
        let read = rope![read, kept];
        let lists = Some((list, of_method));
        Some(self.asked(it, (read, Some(receiver), lists), (waited, has_awaits)))
    }

    /// The call of what may have a fast form, which asks for it if the activation has waited.
    fn asked(
        &mut self,
        it: &ast::CallExpression<'_>,
        (read, receiver, lists): (Rope, Option<Rope>, Option<(Rope, Rope)>),
        (waited, has_awaits): (Waited, bool),
    ) -> Rope {
        self.flag |= waited != Waited::Surely;
        let Converter { facts, edits, names, runtime, .. } = &*self.converter;
        let only_if = match waited {
            Waited::Surely => Rope::default(),
            _ => rope![&names.waited, " && "],
        };
        let (member_key, reaches) = facts.asked_of(&it.callee);
        let asked = Asked {
            read,
            only_if,
            function: Rope::text(&names.method),
            receiver,
            found: &names.found,
            member_key,
            facts,
            other: Some(Other {
                call: runtime.other(),
                function: runtime.via(),
                flat: (waited != Waited::Surely).then(|| [runtime.noted(), runtime.checked()]),
            }),
            reaches,
            by: by_way(&it.callee),
        };
        let (list, of_method) = match lists {
            Some((list, of_method)) => (list, Some(of_method)),
            None => (listed(&it.arguments, edits), None),
        };
        let repeats = of_method.is_some() || !has_awaits && facts.may_repeat(&it.arguments);
        let text = asked.call(&list, of_method.as_ref(), repeats);
        self.converter.runtime.note_call(&text);
        text
    }

    /// The list of arguments for a fast method, which gets the fast form of the one at a position in front of all, and what is to be
    /// kept before. `None` where that would be evaluated twice.
    fn listed_for_fast(
        &self,
        arguments: &[ast::Argument<'_>],
        position: usize,
    ) -> Option<(Rope, Rope, Rope)> {
        let Converter { facts, edits, runtime, names, .. } = &*self.converter;
        let (mut list, mut form, mut kept) =
            (Rope::default(), Rope::text("void 0"), Rope::default());
        for (index, argument) in
            arguments.iter().filter_map(ast::Argument::as_expression).enumerate()
        {
            let mut text = edits.render(argument.span());
            if index == position {
                let marked = facts.marked.get(&argument.span().start);
                if let Some((function, fast)) = marked.filter(|_| argument.is_function()) {
                    kept = rope![&names.value, " = (0, ", function, "), "];
                    text = Rope::text(&names.value);
                    form = fast.clone();
                } else if matches!(argument, Expression::Identifier(_)) {
                    form = rope![runtime.plain(), "(", &text, ")"];
                } else {
                    return None;
                }
            }
            list.push(if index > 0 { ", " } else { "" });
            list.append(&text);
        }
        let of_method = rope![form, if list.0.is_empty() { "" } else { ", " }, &list];
        Some((list, of_method, kept))
    }

    /// The call of what a name holds, by way of its fast function, if it has one and the activation has waited.
    fn asked_name(&mut self, it: &ast::CallExpression<'_>, waited: (Waited, bool)) -> Rope {
        let (edits, names) = (&self.converter.edits, self.converter.names);
        let callee = it.callee.without_parentheses().span();
        let read = rope![&names.method, " = ", edits.render(callee), ", "];
        self.asked(it, (read, None, None), waited)
    }

    /// The fast call if the activation has waited, else the call as it is. `has_awaits`: in what is passed.
    fn chosen(&mut self, it: &ast::CallExpression<'_>, has_awaits: bool) -> Option<Rope> {
        let callee = it.callee.without_parentheses();
        let at = match callee {
            Expression::PrivateFieldExpression(it) => it.field.span,
            callee => callee.span(),
        };
        let Converter { facts, edits, names, runtime, .. } = &mut *self.converter;
        let (value, noted) = (&names.value, runtime.noted().to_owned());
        let renamed = facts.renamed.get(&self.function)?;
        let found = renamed.binary_search_by_key(&at.start, |(span, _)| span.start).ok()?;
        let name = &renamed[found].1;
        let is_plain = it.span.size() <= SHORT && !has_awaits && facts.may_repeat(&it.arguments);
        let flag = &names.waited;
        let text = match callee {
            _ if is_plain => {
                let plain = edits.render(it.span);
                let mark = edits.mark();
                edits.replace(at, Rope::text(name));
                let fast = edits.render(it.span);
                edits.rollback(mark);
                rope![flag, " ? ", fast, " : ", &noted, "(", plain, ")"]
            }
            Expression::Identifier(_) => {
                let mark = edits.mark();
                let choice = rope!["(", flag, " ? ", name, " : ", edits.render(at), ")"];
                edits.replace(at, choice);
                let text = edits.render(it.span);
                edits.rollback(mark);
                rope![
                    "(", value, " = ", text, ", ", flag, " || ", &noted, "(", value, "), ", value,
                    ")"
                ]
            }
            _ => return None,
        };
        self.converter.runtime.note_call(&text);
        self.flag = true;
        Some(text)
    }

    /// What an await becomes. Nothing that begins with a parenthesis may begin a statement, which may
    /// stand behind one without a semicolon.
    fn edit(
        &mut self,
        it: &ast::AwaitExpression<'_>,
        (call, text): (&ast::CallExpression<'_>, Rope),
        notes: bool,
    ) {
        let is_raw = !self.converter.facts.is_in_place(call);
        let call = match &self.of {
            Some(of) => rope![of, "(", text, ")"],
            None => text,
        };
        let names = self.converter.names;
        let [before, behind] = shape::check(names);
        let mut first: Vec<String> = Vec::new();
        let mut count = String::new();
        if self.loops > 0 {
            first.push(format!("{} = {NEXT}", names.fuel));
            count = format!(" || --{} < 0", names.fuel);
        }
        if notes {
            // What is called need not be async: the first await of an activation waits in any case.
            first.push(format!("{} = true", names.waited));
            count = format!("{count} || !{}", names.waited);
        }
        let mut wait =
            rope!["await ", shape::hold(self.converter.runtime, names, &names.value, is_raw)];
        if !first.is_empty() {
            wait = rope!["(", first.join(", "), ", ", wait, ")"];
        }
        let chosen =
            rope![before, "(", &names.value, " = ", call, ")", behind, count, " ? ", wait, " : "];
        let text = if self.whole == Some(it.span) {
            rope![&names.value, " = ", chosen, "0"]
        } else {
            let text = rope!["(", chosen, &names.value, ")"];
            self.typed(it.span, text)
        };
        self.converter.edits.replace(it.span, text);
        self.fuel |= self.loops > 0;
    }

    /// A text that is to have the type of what it takes the place of.
    fn typed(&mut self, span: Span, text: Rope) -> Rope {
        if self.keeps_types { self.converter.typed(span, &text) } else { text }
    }

    /// What an await at the top becomes, where a module may have waited.
    fn edit_at_top(
        &mut self,
        it: &ast::AwaitExpression<'_>,
        (call, has_awaits): (&ast::CallExpression<'_>, bool),
    ) {
        let is_method = named(call.callee.without_parentheses()).is_some();
        let Some(text) = (!is_method).then(|| self.chosen(call, has_awaits)).flatten() else {
            return;
        };
        let names = self.converter.names;
        let noted = rope![&names.value, " = ", text, ", ", &names.waited, " = true, "];
        let adopted = self.converter.runtime.adopted();
        let text = rope!["(", noted, adopted, "(", &names.value, "))"];
        let text = rope!["await ", self.typed(call.span, text)];
        self.converter.edits.replace(it.span, text);
    }

    /// Has a call that is fast for certain looked at, where the await of it stays as it is.
    fn adopt(&mut self, call: &ast::CallExpression<'_>) {
        let facts = &self.converter.facts;
        let is_surely = |it: &CallPlace| it.waited == Waited::Surely;
        let place = name_of_callee(&call.callee).and_then(|it| facts.places.get(&it.start));
        if facts.is_fast(call) && place.is_some_and(is_surely) {
            let adopted = self.converter.runtime.adopted();
            let text = self.typed(call.span, self.converter.edits.render(call.span));
            let text = rope![adopted, "(", text, ")"];
            self.converter.edits.replace(call.span, text);
            self.adopts = true;
        }
    }

    fn in_loop(&mut self, walk: impl FnOnce(&mut Self)) {
        self.loops += 1;
        walk(self);
        self.loops -= 1;
    }
}

impl<'a> Visit<'a> for Awaits<'_, '_> {
    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}
    fn visit_arrow_function_expression(&mut self, _: &ast::ArrowFunctionExpression<'a>) {}

    fn visit_class(&mut self, it: &ast::Class<'a>) {
        let in_class = std::mem::replace(&mut self.in_class, true);
        visit_around(it, self);
        self.in_class = in_class;
    }

    fn visit_expression_statement(&mut self, it: &ast::ExpressionStatement<'a>) {
        self.begins = Some(it.span.start);
        self.whole = match &it.expression {
            Expression::AwaitExpression(it) => Some(it.span),
            _ => None,
        };
        walk::walk_expression_statement(self, it);
    }

    fn visit_await_expression(&mut self, it: &ast::AwaitExpression<'a>) {
        let stands = self.whole == Some(it.span) || self.begins != Some(it.span.start);
        let (whole, awaits) = (self.whole, self.awaits);
        walk::walk_await_expression(self, it);
        self.whole = whole;
        let has_awaits = self.awaits > awaits;
        self.awaits += 1;
        let Some((call, waited)) = self.call(&it.argument).filter(|_| !self.in_class) else {
            last_calls(&it.argument).into_iter().for_each(|it| self.adopt(it));
            return;
        };
        if self.function.is_none() {
            match waited {
                Waited::Perhaps => self.edit_at_top(it, (call, has_awaits)),
                _ => self.adopt(call),
            }
        } else if stands
            && self.loops >= self.least_loops
            && let Some(text) = self.called(call, (waited, has_awaits))
        {
            self.eased.add(call.callee.span().source_text(self.converter.source));
            self.edit(it, (call, text), waited == Waited::Perhaps);
        } else {
            self.adopt(call);
        }
    }

    fn visit_for_statement(&mut self, it: &ast::ForStatement<'a>) {
        self.in_loop(|this| walk::walk_for_statement(this, it));
    }

    fn visit_for_in_statement(&mut self, it: &ast::ForInStatement<'a>) {
        self.in_loop(|this| walk::walk_for_in_statement(this, it));
    }

    fn visit_for_of_statement(&mut self, it: &ast::ForOfStatement<'a>) {
        self.in_loop(|this| walk::walk_for_of_statement(this, it));
    }

    fn visit_while_statement(&mut self, it: &ast::WhileStatement<'a>) {
        self.in_loop(|this| walk::walk_while_statement(this, it));
    }

    fn visit_do_while_statement(&mut self, it: &ast::DoWhileStatement<'a>) {
        self.in_loop(|this| walk::walk_do_while_statement(this, it));
    }
}
