//! The text of a call of what may have a fast form, of which only what is called knows.
//!
//! ```js
//! await o.m(x);
//! // a method of a class, whose fast one stands beside it under a symbol
//! (m = o.m, o[key] != null && m === o[key].of ? o : miss(o, m))[key](x)
//! // the same in an async function that stays as it is
//! pick(o, o.m, o[key])[key](x)
//! // the same where it may only be called if something else holds, or gets something else passed
//! (m = o.m, (f = o[key]) != null && f.of === m) ? o[key](x) : other(m, o, x)
//! // a function that holds its fast one itself
//! (m = o.m, f = held(m)) ? f(x) : other(m, o, x)
//! // one that may use `this`
//! (m = o.m, f = applied(m)) ? call(f, o, x) : other(m, o, x)
//! // the same by way of its `call`
//! (m = g.call, m === Function.prototype.call && (f = applied(g))) ? f.call(x) : other(m, g, x)
//! ```
//!
//! `miss` gives an object that calls `o.m` by the name of the fast method (`runtime/picks.rs`), so that the call stands there
//! once: V8 inlines functions by the length of their bytecode.
//!
//! `o.m` is read once, in its place. A fast function belongs to one function object: what overrides or
//! replaces a method has none, and neither has what only got copies of its properties. All are calls as programs write them, since
//! V8 learns only at such what it calls: by way of `Reflect.apply`, nothing is inlined but what it takes for constant. With `m?.[key]`
//! instead, it no longer sees that all of it is constant, and takes three times as long.

use oxc_ast::ast::{Argument, CallExpression, Class, ClassElement, Expression};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use headstart_ir::order;

use crate::facts::Facts;
use crate::member::named;
use crate::rope::{Edits, Rope, rope};
use crate::sites::choose::Chosen;
use crate::sites::forms::{Beside, Form, Place};
use crate::sites::{Reaches, Sites};

/// Calls with arguments up to this length, in bytes, are written twice.
const SHORT: u32 = 120;

/// What a call asks, and of what.
pub(crate) struct Asked<'a> {
    /// What comes first: it reads what is called into `function`.
    pub(crate) read: Rope,
    /// What has to hold beside all else, with `&&` behind it.
    pub(crate) only_if: Rope,
    pub(crate) function: Rope,
    /// The object whose method it is; none of a call of a name.
    pub(crate) receiver: Option<Rope>,
    /// A variable for what is found.
    pub(crate) found: &'a str,
    /// The variable with the symbol under which the object may hold a fast method.
    pub(crate) member_key: Option<&'a str>,
    /// Of the file: what functions are asked by, and what calls one with a `this`.
    pub(crate) facts: &'a Facts,
    /// What calls a function with a `this` where the result is awaited, and need not be one of a fast function.
    pub(crate) other: Option<Other<'a>>,
    pub(crate) reaches: Reaches,
    /// `call` or `apply`, where that is what is called.
    pub(crate) by: &'static str,
}

/// By which of the two methods of functions a callee is called, if by one.
pub(crate) fn by_way(callee: &Expression<'_>) -> &'static str {
    match named(callee.without_parentheses()) {
        Some(it) if it.name == "apply" => "apply",
        _ => "call",
    }
}

/// The helpers for calls of what is no fast function, where the result is awaited.
#[derive(Clone, Copy)]
pub(crate) struct Other<'a> {
    /// Makes such a call.
    pub(crate) call: &'a str,
    /// Makes a function that does.
    pub(crate) function: &'a str,
    /// Where the call may be one of many in one another, which have to be as deep as before: notes what it gives, and makes sure
    /// that it can be called, without a function of its own on the stack.
    pub(crate) flat: Option<[&'a str; 2]>,
}

/// The call of a fast method, or else of what `read` has just put into the variable `method`. `miss`: the helper; in `typescript`, the
/// type follows from what it gives.
pub(crate) fn picked(
    (miss, key, typescript): (&str, &str, bool),
    (read, receiver, method): (&Rope, &Rope, &Rope),
    list: &Rope,
) -> Rope {
    let fast = rope![receiver, "[", key, "]"];
    let test = rope![&fast, " != null && ", method, " === ", &fast, ".of"];
    let other = rope![miss, "(", receiver, ", ", method, ")"];
    let own = if typescript { rope![receiver, " as never"] } else { receiver.clone() };
    rope!["(", read, test, " ? ", own, " : ", other, ")[", key, "](", list, ")"]
}

/// One way to find a fast function: whether there is one, it, and how it is called.
struct Way {
    test: Rope,
    target: Rope,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A fast method, on the object that holds it.
    Method,
    /// What a function holds, which uses no `this`.
    Value,
    /// What a function holds, on the object that this was read of.
    Applied,
    /// What a function holds, by way of `call` or `apply`.
    Called,
}

impl Asked<'_> {
    /// `gets_more`: a fast method gets more than was passed, so what gives itself for every key, as proxies may, is none.
    fn ways(&self, gets_more: bool) -> Vec<Way> {
        let Self { only_if, function, .. } = self;
        let Facts { held, applied, callable, .. } = self.facts;
        let (found, has_proxies) = (self.found, self.facts.has_proxies());
        let mut ways = Vec::new();
        if let (true, Some(receiver), Some(key)) =
            (self.reaches.methods && !has_proxies, &self.receiver, self.member_key)
        {
            let target = rope![receiver, "[", key, "]"];
            let holds = rope!["(", found, " = ", &target, ") != null && ", found];
            let test = rope![only_if, holds, ".of === ", function];
            let own = rope![" && ", found, " !== ", function];
            let test = if gets_more { rope![test, own] } else { test };
            ways.push(Way { test, target, kind: Kind::Method });
        }
        if let (true, Some(receiver)) = (self.reaches.called, &self.receiver) {
            let own = rope![function, " === ", callable, ".", self.by];
            let asks = rope![only_if, own, " ? ", applied, "(", receiver, ") : void 0"];
            let test = rope![found, " = ", asks];
            return vec![Way { test, target: rope![found, ".", self.by], kind: Kind::Called }];
        }
        let takes_object = self.reaches.owned || has_proxies && self.reaches.any();
        let (ask, kind) = match self.receiver {
            Some(_) if takes_object => (applied, Kind::Applied),
            _ => (held, Kind::Value),
        };
        if self.reaches.values || kind == Kind::Applied {
            let test = rope![only_if, "(", found, " = ", ask, "(", function, "))"];
            ways.push(Way { test, target: rope![found], kind });
        }
        ways
    }

    /// The text of the call; `list`: its arguments, which may be written more than once if it `repeats` them; `of_method`: those of the
    /// fast method, where they are others.
    pub(crate) fn call(&self, list: &Rope, of_method: Option<&Rope>, repeats: bool) -> Rope {
        let receiver = self.receiver.clone().unwrap_or_else(|| Rope::text("void 0"));
        let separator = if list.0.is_empty() { "" } else { ", " };
        let applied = |caller: &str, target: &Rope| {
            rope![caller, "(", target, ", ", &receiver, separator, list, ")"]
        };
        let mut chosen = match self.other {
            Some(Other { flat: Some([noted, checked]), .. }) if repeats => {
                let function = rope![checked, "(", &self.function, ")"];
                rope![noted, "(", applied(&self.facts.caller, &function), ")"]
            }
            Some(other) if repeats => applied(other.call, &self.function),
            Some(other) => rope![other.function, "(", &self.function, ")"],
            None if repeats => applied(&self.facts.caller, &self.function),
            None => self.function.clone(),
        };
        let ways = self.ways(of_method.is_some());
        for (index, way) in ways.iter().enumerate().rev() {
            let read = if index == 0 { self.read.clone() } else { Rope::default() };
            let fast = &way.target;
            let list = of_method.filter(|_| way.kind == Kind::Method).unwrap_or(list);
            let fast = match way.kind {
                _ if !repeats => fast.clone(),
                Kind::Applied => applied(&self.facts.caller, fast),
                Kind::Method | Kind::Value | Kind::Called => rope![fast, "(", list, ")"],
            };
            let fast = if self.facts.typescript { rope![fast, " as never"] } else { fast };
            chosen = rope!["(", read, &way.test, ") ? ", fast, " : ", chosen];
        }
        if ways.is_empty() {
            chosen = rope![&self.read, chosen];
        }
        if repeats {
            return rope!["(", chosen, ")"];
        }
        // What is called by way of its `call` is what that is read of.
        let is_called = ways.iter().any(|it| it.kind == Kind::Called);
        let or = if is_called { rope![self.found, " || "] } else { Rope::default() };
        rope![&self.facts.caller, "((", chosen, "), ", or, &receiver, separator, list, ")"]
    }
}

/// The calls of which one may give what an expression does.
pub(crate) fn last_calls<'t, 'a>(it: &'t Expression<'a>) -> Vec<&'t CallExpression<'a>> {
    match it.get_inner_expression() {
        Expression::CallExpression(it) => vec![it],
        Expression::ConditionalExpression(it) => {
            [last_calls(&it.consequent), last_calls(&it.alternate)].concat()
        }
        Expression::LogicalExpression(it) => last_calls(&it.right),
        _ => Vec::new(),
    }
}

/// Visits what the function around a class evaluates of it: what it extends, and keys.
pub(crate) fn visit_around<'a>(it: &Class<'a>, visitor: &mut impl Visit<'a>) {
    it.heritage.iter().for_each(|it| visitor.visit_expression(&it.expression));
    for element in &it.body.body {
        let key = match element {
            ClassElement::MethodDefinition(it) => it.computed.then_some(&it.key),
            ClassElement::PropertyDefinition(it) => it.computed.then_some(&it.key),
            ClassElement::AccessorProperty(it) => it.computed.then_some(&it.key),
            _ => None,
        };
        key.into_iter().for_each(|it| visitor.visit_property_key(it));
    }
}

/// The text of arguments.
pub(crate) fn listed(arguments: &[Argument<'_>], edits: &Edits) -> Rope {
    let texts = arguments.iter().map(|it| edits.render(it.span()));
    texts.reduce(|list, it| rope![list, ", ", it]).unwrap_or_default()
}

impl Facts {
    /// What a call of this callee may find: the variable with the symbol under which objects hold methods of its name, and what it
    /// reaches.
    pub(crate) fn asked_of(&self, callee: &Expression<'_>) -> (Option<&str>, Reaches) {
        let (start, key) = match named(callee.without_parentheses()) {
            Some(member) => (member.span.start, self.member_keys.get(member.name)),
            None => (callee.without_parentheses().span().start, None),
        };
        let key = key.map(String::as_str);
        (key, self.guarded.get(&start).copied().unwrap_or(Reaches::METHODS))
    }

    /// The variable with the symbol of a method that is called, where nothing but a fast method may be found, and it gets what is
    /// passed to the method.
    pub(crate) fn picked_by(&self, callee: &Expression<'_>) -> Option<&str> {
        let member = named(callee.without_parentheses())?;
        let (key, reaches) = self.asked_of(callee);
        let is_own = reaches == Reaches::METHODS && !self.has_proxies();
        key.filter(|_| is_own && self.plain_at(member.name).is_none())
    }

    /// The position of the argument that fast methods of a name get the fast form of, if they do.
    pub(crate) fn plain_at(&self, method: &str) -> Option<usize> {
        if self.typescript || self.has_proxies() {
            return None;
        }
        let begin = format!("{method}(");
        let all = &self.known.plain;
        let found = all.get(all.partition_point(|it| *it < begin))?;
        found.strip_prefix(&begin)?.strip_suffix(')')?.parse().ok()
    }

    /// The name of the symbol under which objects hold fast methods of a name: it says which argument these get the fast form of.
    pub(crate) fn held_as(&self, method: &str) -> String {
        match self.plain_at(method) {
            Some(position) => format!("{method}({position})"),
            None => method.to_owned(),
        }
    }

    /// Gives variables to the symbols under which objects hold fast methods that the file calls, or makes.
    pub(crate) fn note_member_keys(&mut self, sites: &Sites, chosen: &Chosen) {
        let called = |all: &Vec<u32>| {
            all.iter().any(|it| chosen.guarded.get(it).is_some_and(|it| it.methods))
        };
        let called = sites.members.iter().filter(|it| called(it.1)).map(|it| it.0.clone());
        let made = chosen.forms.values().filter_map(|it| match it {
            Form::Beside(Beside { method, place: Place::Block { .. }, .. }) => Some(method.clone()),
            _ => None,
        });
        let mut names: Vec<String> = called.chain(made).collect();
        order::sort(&mut names);
        names.dedup();
        for name in names {
            if !self.member_keys.contains_key(&name) {
                let variable = self.fresh_global("$key");
                self.member_keys.insert(name, variable);
            }
        }
    }

    /// Whether arguments may be written more than once: they are short, and make nothing that is one thing for all who see it.
    pub(crate) fn may_repeat(&self, arguments: &[Argument<'_>]) -> bool {
        let (Some(first), Some(last)) = (arguments.first(), arguments.last()) else { return true };
        let span = Span::new(first.span().start, last.span().end);
        let next = self.functions.partition_point(|inner| inner.span.start < span.start);
        let has_function = self.functions.get(next).is_some_and(|it| it.span.start < span.end);
        span.size() <= SHORT && !has_function && !self.has_template(arguments)
    }

    /// Whether there is a tagged template in some arguments.
    pub(crate) fn has_template(&self, arguments: &[Argument<'_>]) -> bool {
        let (Some(first), Some(last)) = (arguments.first(), arguments.last()) else { return false };
        let next = self.templates.partition_point(|inner| inner.quasi.start < first.span().start);
        self.templates.get(next).is_some_and(|it| it.quasi.start < last.span().end)
    }
}
