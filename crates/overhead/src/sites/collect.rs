//! The walk that finds call sites, what holds the functions, and what forbids a fast form.

use oxc_ast::ast::{self, Expression, PropertyKey};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, Scoping, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::members::{key_name, lasting_methods, own_methods, root_classes};
use super::paths::{self, Path};
use super::{
    Binding, Candidate, Declarator, Export, Method, Naming, PrivateName, PrivateUse, Reaches, Sites,
};
use crate::DIRECTIVE;
use crate::facts::{Facts, has_decorators};
use crate::member::named;
use headstart_frontend::asks;

/// Calls that take functions as text to another realm, where helpers of this file are not known.
const CARRIES_TEXT: [&str; 13] = [
    "$$eval",
    "$eval",
    "addInitScript",
    "evaluate",
    "evaluateAll",
    "evaluateHandle",
    "evaluateOnNewDocument",
    "execute",
    "executeAsync",
    "executeAsyncScript",
    "executeScript",
    "mock",
    "waitForFunction",
];

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
        let asks = body.is_some_and(asks);
        let index = self.facts.by_span.get(&(span.start, span.end)).copied();
        if let (true, Some(index)) = (is_async && !asks, index) {
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

impl<'a> Visit<'a> for Collector<'_> {
    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        let Some(body) = &it.body else { return walk::walk_function(self, it, flags) };
        let declared = it.id.as_ref().and_then(|id| id.symbol_id.get());
        if let (Some(symbol), true) = (declared, it.is_function_declaration()) {
            self.ahead = Binding::Declaration(symbol);
            if self.export != Export::No {
                self.sites.exported.insert(symbol);
            }
        }
        if matches!(self.ahead, Binding::Other) && it.is_expression() {
            self.ahead = self.value(it.span.start);
        }
        self.function(
            (it.span, it.r#async && !it.generator),
            Some(body),
            |this| paths::of_body(body, this.scoping, &|name| this.private(name)),
            |this| walk::walk_function(this, it, flags),
        );
    }

    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        let body = match &it.body {
            ast::ArrowFunctionBody::FunctionBody(body) => Some(&**body),
            _ => None,
        };
        let path = |this: &Self| {
            let private = |name: &str| this.private(name);
            match (&it.body, it.body.as_expression()) {
                (ast::ArrowFunctionBody::FunctionBody(body), _) => {
                    paths::of_body(body, this.scoping, &private)
                }
                (_, Some(body)) => paths::of_expression(body, this.scoping, &private),
                _ => Path::Return,
            }
        };
        if matches!(self.ahead, Binding::Other) {
            self.ahead = self.value(it.span.start);
        }
        self.function((it.span, it.r#async), body, path, |this| {
            if let (true, Some(body)) = (it.r#async, it.body.as_expression()) {
                this.at_once(body);
            }
            walk::walk_arrow_function_expression(this, it);
        });
    }

    fn visit_await_expression(&mut self, it: &ast::AwaitExpression<'a>) {
        self.at_once(&it.argument);
        walk::walk_await_expression(self, it);
    }

    /// What an async function returns is awaited: but inside `try`, a throw would be caught where a
    /// rejection is not.
    fn visit_return_statement(&mut self, it: &ast::ReturnStatement<'a>) {
        let open = self.functions.last().is_some_and(|it| it.is_async && it.tries == 0);
        self.returns_at_top |= self.functions.is_empty();
        if let (true, Some(argument)) = (open, &it.argument) {
            self.at_once(argument);
        }
        walk::walk_return_statement(self, it);
    }

    fn visit_try_statement(&mut self, it: &ast::TryStatement<'a>) {
        self.guarded(|this| walk::walk_try_statement(this, it));
    }

    /// A throw closes an iterator in another way than a return does.
    fn visit_for_of_statement(&mut self, it: &ast::ForOfStatement<'a>) {
        self.guarded(|this| walk::walk_for_of_statement(this, it));
    }

    fn visit_export_declaration(&mut self, it: &ast::ExportDeclaration<'a>) {
        self.export = Export::First(Span::sized(it.span.start, 6));
        walk::walk_export_declaration(self, it);
        self.export = Export::No;
    }

    fn visit_export_default_declaration(&mut self, it: &ast::ExportDefaultDeclaration<'a>) {
        self.export = Export::First(Span::sized(it.span.start, 6));
        if let Some(it) = it.declaration.as_expression() {
            self.named(it, Naming::after("default"));
        }
        walk::walk_export_default_declaration(self, it);
        self.export = Export::No;
    }

    fn visit_variable_declaration(&mut self, it: &ast::VariableDeclaration<'a>) {
        let outer = self.keyword;
        self.keyword = match it.kind {
            ast::VariableDeclarationKind::Const => "const",
            ast::VariableDeclarationKind::Let => "let",
            ast::VariableDeclarationKind::Var => "var",
            _ => "",
        };
        walk::walk_variable_declaration(self, it);
        self.keyword = outer;
    }

    fn visit_variable_declarator(&mut self, it: &ast::VariableDeclarator<'a>) {
        if self.export != Export::No {
            let names = it.id.get_binding_identifiers();
            self.sites.exported.extend(names.iter().filter_map(|id| id.symbol_id.get()));
        }
        let symbol = it.id.get_binding_identifier().and_then(|id| id.symbol_id.get());
        if let (Some(symbol), Some(true), false) =
            (symbol, it.init.as_ref().map(Expression::is_function), self.keyword.is_empty())
        {
            let declarator =
                Declarator { span: it.span, keyword: self.keyword, export: self.export };
            self.ahead = Binding::Declarator { symbol, declarator };
        }
        if let (Some(name), Some(init)) = (it.id.get_identifier_name(), &it.init) {
            self.named(init, Naming::after(&name));
        }
        let export = std::mem::replace(&mut self.export, Export::No);
        walk::walk_variable_declarator(self, it);
        self.ahead = Binding::Other;
        self.export = if export == Export::No { Export::No } else { Export::Later };
    }

    fn visit_class(&mut self, it: &ast::Class<'a>) {
        self.export = Export::No;
        let names = it.body.body.iter().filter_map(|it| match it.property_key() {
            Some(PropertyKey::PrivateIdentifier(key)) => Some(key.name.to_string()),
            _ => None,
        });
        let privates = names.collect();
        // A decorator may put something else in the place of a method, before or behind what is added here.
        let is_plain = self.once.contains(&it.span.start) && !has_decorators(it);
        let methods = is_plain.then_some(it.body.span.start);
        self.classes.push(Class { start: it.span.start, privates, methods });
        if let Some(symbol) = it.id.as_ref().and_then(|id| id.symbol_id.get()) {
            self.sites.classes.insert(symbol, it.span);
        }
        if methods.is_some() {
            self.methods.extend(own_methods(&it.body));
        }
        walk::walk_class(self, it);
        self.classes.pop();
    }

    fn visit_object_expression(&mut self, it: &ast::ObjectExpression<'a>) {
        if !self.is_literal && !self.awaits_in(it.span) {
            self.owned
                .extend(lasting_methods(it).into_iter().map(|method| (method, it.span.start)));
        }
        walk::walk_object_expression(self, it);
    }

    fn visit_object_property(&mut self, it: &ast::ObjectProperty<'a>) {
        if it.method || it.kind != ast::PropertyKind::Init {
            self.members.insert(it.value.span().start);
        }
        if let (true, Some(&literal)) = (it.method, self.owned.get(&it.span.start))
            && let Some(name) = it.key.static_name()
        {
            self.ahead = Binding::Member { name: name.to_string(), literal };
        }
        self.named(&it.value, key_name(&it.key, it.computed));
        walk::walk_object_property(self, it);
    }

    fn visit_ts_as_expression(&mut self, it: &ast::TSAsExpression<'a>) {
        let is_const = it.type_annotation.is_const_type_reference();
        let outer = self.is_literal;
        self.is_literal |= is_const;
        walk::walk_ts_as_expression(self, it);
        self.is_literal = outer;
    }

    fn visit_property_definition(&mut self, it: &ast::PropertyDefinition<'a>) {
        if let Some(value) = &it.value {
            self.named(value, key_name(&it.key, it.computed));
        }
        walk::walk_property_definition(self, it);
    }

    fn visit_accessor_property(&mut self, it: &ast::AccessorProperty<'a>) {
        it.value.iter().for_each(|value| self.named(value, Naming::Unknown));
        walk::walk_accessor_property(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &ast::AssignmentExpression<'a>) {
        if let ast::AssignmentTarget::AssignmentTargetIdentifier(id) = &it.left {
            self.named(&it.right, Naming::after(&id.name));
        }
        walk::walk_assignment_expression(self, it);
    }

    fn visit_assignment_pattern(&mut self, it: &ast::AssignmentPattern<'a>) {
        self.named(&it.right, Naming::Unknown);
        walk::walk_assignment_pattern(self, it);
    }

    fn visit_assignment_target_with_default(&mut self, it: &ast::AssignmentTargetWithDefault<'a>) {
        self.named(&it.init, Naming::Unknown);
        walk::walk_assignment_target_with_default(self, it);
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        it: &ast::AssignmentTargetPropertyIdentifier<'a>,
    ) {
        it.init.iter().for_each(|it| self.named(it, Naming::Unknown));
        walk::walk_assignment_target_property_identifier(self, it);
    }

    fn visit_formal_parameter(&mut self, it: &ast::FormalParameter<'a>) {
        it.initializer.iter().for_each(|it| self.named(it, Naming::Unknown));
        walk::walk_formal_parameter(self, it);
    }

    fn visit_method_definition(&mut self, it: &ast::MethodDefinition<'a>) {
        self.visit_decorators(&it.decorators);
        self.visit_property_key(&it.key);
        let plain = it.kind == ast::MethodDefinitionKind::Method && it.decorators.is_empty();
        let is_static = it.r#static;
        self.ahead = Binding::Other;
        self.members.insert(it.value.span.start);
        if let (true, PropertyKey::PrivateIdentifier(key)) = (plain, &it.key)
            && let Some(name) = self.private(&key.name)
        {
            self.ahead = Binding::Private { name, element: it.span, key: key.span, is_static };
        }
        if let (true, PropertyKey::StaticIdentifier(key)) = (plain, &it.key)
            && let Some(&Class { methods: Some(class), .. }) = self.classes.last()
            && self.methods.contains(&it.span.start)
        {
            let name = key.name.to_string();
            self.ahead = Binding::Method(Method { name, is_static, class });
        }
        self.visit_function(&it.value, ScopeFlags::Function);
    }

    fn visit_private_field_expression(&mut self, it: &ast::PrivateFieldExpression<'a>) {
        if let Some(name) = self.private(&it.field.name) {
            let called = self.callee == Some(it.field.span);
            self.sites.privates.push(PrivateUse { name, span: it.field.span, called });
        }
        self.visit_expression(&it.object);
    }

    fn visit_call_expression(&mut self, it: &ast::CallExpression<'a>) {
        // V8 cuts a stack at the frame of the function that it is given.
        let is_looked_for = it.callee_name() == Some("captureStackTrace");
        if it.callee.is_specific_id("String") || is_looked_for {
            it.arguments.iter().filter_map(|it| it.as_expression()).for_each(|it| self.text_of(it));
        }
        if let Expression::PrivateFieldExpression(it) = &it.callee {
            self.callee = Some(it.field.span);
        }
        let outer = self.off;
        if it.callee_name().is_some_and(|name| CARRIES_TEXT.contains(&name)) {
            self.off = Some("its text may be taken to another realm");
        }
        walk::walk_call_expression(self, it);
        self.off = outer;
    }

    fn visit_static_member_expression(&mut self, it: &ast::StaticMemberExpression<'a>) {
        if it.property.name == "toString" {
            self.text_of(&it.object);
        }
        walk::walk_static_member_expression(self, it);
    }

    fn visit_binary_expression(&mut self, it: &ast::BinaryExpression<'a>) {
        // Sums of numbers are not told apart from those of texts, but for what is one.
        let is_sum = it.operator == ast::BinaryOperator::Addition;
        if is_sum && (ends_in_text(&it.left) || ends_in_text(&it.right)) {
            self.text_of(&it.left);
            self.text_of(&it.right);
        }
        walk::walk_binary_expression(self, it);
    }

    fn visit_template_literal(&mut self, it: &ast::TemplateLiteral<'a>) {
        it.expressions.iter().for_each(|it| self.text_of(it));
        walk::walk_template_literal(self, it);
    }
}
