//! The walk that finds call sites, what holds the functions, and what forbids a fast form.

mod walk;

use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::Visit;
use oxc_semantic::{Scoping, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::members::root_classes;
use super::paths::Path;
use super::{Binding, Candidate, Export, Naming, PrivateName, Reaches, Sites};
use crate::DIRECTIVE;
use crate::facts::Facts;
use crate::member::named;

/// Walks over a file.
pub(crate) fn collect(program: &ast::Program<'_>, scoping: &Scoping, facts: &Facts) -> Sites {
    let mut collector = Collector {
        scoping,
        facts,
        sites: Sites::default(),
        ahead: Binding::Other,
        export: Export::No,
        keyword: "",
        functions: Vec::new(),
        classes: Vec::new(),
        methods: FxHashSet::default(),
        off: None,
        returns_at_top: false,
        callee: None,
        once: root_classes(program),
        naming: FxHashMap::default(),
        members: FxHashSet::default(),
        owned: FxHashMap::default(),
        is_literal: false,
    };
    collector.visit_program(program);
    let returns_at_top = collector.returns_at_top;
    let mut sites = collector.sites;
    sites.places = super::waited::places(program, facts);
    sites.shares_globals = !returns_at_top && facts.may_be_script;
    sites.leave_texts(facts);
    sites
}

/// A function that the walk is inside of.
struct Open {
    /// Its index in the facts.
    index: Option<usize>,
    /// Async, and no generator: what it returns is awaited.
    is_async: bool,
    /// How many `try` statements and iterations the walk is inside of.
    tries: u32,
}

/// A class that the walk is inside of.
struct Class {
    start: u32,
    /// The private names that it declares.
    privates: FxHashSet<String>,
    /// Where its body begins, if it is evaluated once.
    methods: Option<u32>,
}

struct Collector<'x> {
    scoping: &'x Scoping,
    facts: &'x Facts,
    sites: Sites,
    /// What holds the function that comes next.
    ahead: Binding,
    /// How the declaration that the walk is in is exported.
    export: Export,
    keyword: &'static str,
    functions: Vec<Open>,
    classes: Vec<Class>,
    /// Where the methods begin that nothing else in their class has the name of.
    methods: FxHashSet<u32>,
    /// Why the functions here stay as they are.
    off: Option<&'static str>,
    /// Whether a statement outside of all functions returns, as only CommonJS modules do.
    returns_at_top: bool,
    /// The private name that is called next.
    callee: Option<Span>,
    /// Where the classes begin that are evaluated once.
    once: FxHashSet<u32>,
    /// By where functions without a name of their own begin, what they are named after.
    naming: FxHashMap<u32, Naming>,
    /// Where functions begin that are methods or accessors.
    members: FxHashSet<u32>,
    /// By where methods of objects begin that nothing behind them takes the place of, where the literals do.
    owned: FxHashMap<u32, u32>,
    /// Whether this is a part of what TypeScript takes for constant as it is written.
    is_literal: bool,
}

impl Collector<'_> {
    /// Notes the callees of calls whose promises nobody else sees once `it` is awaited.
    fn at_once(&mut self, it: &Expression<'_>) {
        match it.get_inner_expression() {
            Expression::CallExpression(it) => self.called(it, false),
            Expression::ChainExpression(it) => {
                if let ast::ChainElement::CallExpression(it) = &it.expression {
                    self.called(it, true);
                }
            }
            Expression::ConditionalExpression(it) => {
                self.at_once(&it.consequent);
                self.at_once(&it.alternate);
            }
            // The left side is looked at, and a promise is always true.
            Expression::LogicalExpression(it) => self.at_once(&it.right),
            Expression::SequenceExpression(it) => {
                if let Some(last) = it.expressions.last() {
                    self.at_once(last);
                }
            }
            _ => {}
        }
    }

    fn called(&mut self, it: &ast::CallExpression<'_>, in_chain: bool) {
        // What names mean where the text is taken is unknown.
        if self.off.is_some() {
            return;
        }
        let known = &self.facts.known;
        let [methods, values, owned, called] =
            [&known.methods, &known.values, &known.owned, &known.called]
                .map(|all| !in_chain && all.contains(&it.span.end));
        let reaches = Reaches { methods, values, owned, called };
        let callee = match it.callee.without_parentheses() {
            Expression::Identifier(it) => {
                if let (true, Some(symbol)) = (values, self.symbol(it)) {
                    self.sites.guardable_variables.insert(symbol);
                    self.sites.guardable.insert(it.span.start, reaches);
                }
                it.span
            }
            Expression::PrivateFieldExpression(it) => it.field.span,
            it if !in_chain => {
                let Some(it) = named(it) else { return };
                if reaches.any() {
                    self.sites.guardable.insert(it.span.start, reaches);
                    self.sites.guardable_members.insert(it.name.to_owned());
                }
                self.sites.members.entry(it.name.to_owned()).or_default().push(it.span.start);
                it.span
            }
            _ => return,
        };
        self.sites.at_once.insert(callee.start);
    }

    /// Walks over what could tell a throw from a rejection that is returned.
    fn guarded(&mut self, walk: impl FnOnce(&mut Self)) {
        let add = |more: u32, less: u32, this: &mut Self| {
            if let Some(open) = this.functions.last_mut() {
                open.tries = open.tries + more - less;
            }
        };
        add(1, 0, self);
        walk(self);
        add(0, 1, self);
    }

    /// Whether the function that the walk is in awaits something in a place.
    fn awaits_in(&self, place: Span) -> bool {
        let Some(index) = self.functions.last().and_then(|it| it.index) else { return false };
        let awaits = &self.facts.functions[index].awaits;
        let next = awaits.partition_point(|it| it.start < place.start);
        awaits.get(next).is_some_and(|it| it.start < place.end)
    }

    fn private(&self, name: &str) -> Option<PrivateName> {
        resolve(&self.classes, name)
    }

    fn symbol(&self, it: &ast::IdentifierReference<'_>) -> Option<SymbolId> {
        self.scoping.get_reference(it.reference_id.get()?).symbol_id()
    }

    /// Notes what an expression names, which is made a string.
    fn text_of(&mut self, it: &Expression<'_>) {
        match it.get_inner_expression() {
            Expression::Identifier(it) => self.sites.as_text.extend(self.symbol(it)),
            it => {
                let name = named(it).map(|it| it.name.to_owned());
                self.sites.members_as_text.extend(name);
            }
        }
    }

    /// Notes what an expression is named after, if it is a function without a name.
    fn named(&mut self, it: &Expression<'_>, name: Naming) {
        let it = it.get_inner_expression();
        if it.is_function() && it.is_anonymous_function_definition() {
            self.naming.insert(it.span().start, name);
        }
    }

    /// What holds a function made by an expression that begins there.
    fn value(&mut self, start: u32) -> Binding {
        if self.members.contains(&start) {
            return Binding::Other;
        }
        Binding::Value { name: self.naming.remove(&start).unwrap_or(Naming::No) }
    }

    /// Walks over a function; `path` is asked for when it is one to consider.
    fn function(
        &mut self,
        (span, is_async): (Span, bool),
        body: Option<&ast::FunctionBody<'_>>,
        path: impl FnOnce(&Self) -> Path,
        walk: impl FnOnce(&mut Self),
    ) {
        let binding = std::mem::replace(&mut self.ahead, Binding::Other);
        let (export, outer) = (std::mem::replace(&mut self.export, Export::No), self.off);
        let known = |it: &ast::Directive<'_>| ["use strict", DIRECTIVE].contains(&&*it.directive);
        if body.is_some_and(|it| !it.directives.iter().all(known)) {
            self.off = Some("its directive is there for a tool that takes it somewhere else");
        }
        let index = self.facts.by_span.get(&(span.start, span.end)).copied();
        let is_asked = index.is_some_and(|it| self.facts.is_asked(it));
        if let (true, Some(index)) = (is_async && !is_asked, index) {
            let candidate = Candidate { binding, path: path(self), off: self.off };
            self.sites.candidates.insert(index, candidate);
        }
        self.functions.push(Open { index, is_async, tries: 0 });
        walk(self);
        self.functions.pop();
        (self.export, self.off) = (export, outer);
    }
}

/// What a private name means inside some classes.
fn resolve(classes: &[Class], name: &str) -> Option<PrivateName> {
    let class = classes.iter().rev().find(|it| it.privates.contains(name))?;
    Some((class.start, name.to_owned()))
}

/// Whether an expression is a text, or a sum with one at an end.
fn ends_in_text(it: &Expression<'_>) -> bool {
    let is_text = |it: &Expression<'_>| {
        matches!(
            it.get_inner_expression(),
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_)
        )
    };
    match it.get_inner_expression() {
        Expression::BinaryExpression(it) => is_text(&it.left) || is_text(&it.right),
        it => is_text(it),
    }
}
