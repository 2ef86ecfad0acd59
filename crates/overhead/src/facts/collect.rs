//! The walk that gathers the facts of a file.

mod walk;

use headstart_ir::order;
use oxc_ast::ast;
use oxc_ast_visit::Visit;
use oxc_semantic::{Scoping, SymbolId};
use oxc_span::Span;
use rustc_hash::FxHashSet;

use super::frame::Held;
use super::{Called, Facts, FunctionFacts, Uses};

impl Facts {
    /// Gathers the facts of a file.
    pub(crate) fn collect(program: &ast::Program<'_>, scoping: &Scoping) -> Self {
        let mut collector = Collector {
            scoping,
            facts: Facts::default(),
            stack: Vec::new(),
            declared_at: 0,
            shorthand: None,
            classes: Vec::new(),
            is_member: false,
            runs_early: false,
            callee: None,
            made_by_new: None,
            name_ahead: None,
            names_ahead: Vec::new(),
            callee_end: 0,
            in_head: false,
            bound_ahead: Vec::new(),
            open: FxHashSet::default(),
            is_branch: false,
        };
        collector.visit_program(program);
        collector.facts.collect_gives();
        let mut facts = collector.facts;
        order::sort_by_key(&mut facts.templates, |it| it.quasi.start);
        let mentions = &facts.mentions;
        for all in facts.by_name.values_mut() {
            order::sort_by_key(all, |it| mentions[*it].span.start);
        }
        facts
    }
}

/// The walk that gathers them.
pub(super) struct Collector<'s> {
    pub(super) scoping: &'s Scoping,
    pub(super) facts: Facts,
    pub(super) stack: Vec<usize>,
    declared_at: u32,
    shorthand: Option<Span>,
    /// The names of the classes around.
    classes: Vec<Option<SymbolId>>,
    /// The function that comes next is a member of the innermost of them.
    is_member: bool,
    /// Decorators of that, or of its members, or its static fields may run these before it has its value.
    runs_early: bool,
    callee: Option<(Span, Called)>,
    /// The tagged template that begins what `new` calls.
    made_by_new: Option<Span>,
    /// The name of the function that comes next.
    name_ahead: Option<String>,
    /// Other names of it, and variables that it is bound to.
    names_ahead: Vec<String>,
    bound_ahead: Vec<SymbolId>,
    /// Where what is called ends.
    callee_end: u32,
    /// The declaration that comes next stands in the head of a loop.
    in_head: bool,
    /// Variables that neither a type nor a first value says the type of.
    pub(super) open: FxHashSet<SymbolId>,
    /// The function that comes next is a branch of an `if`, without a block.
    is_branch: bool,
}

impl Collector<'_> {
    fn enter(&mut self, span: Span, is_arrow: bool) {
        let index = self.facts.functions.len();
        let name = self.name_ahead.take();
        let is_member = std::mem::take(&mut self.is_member);
        let mut names = std::mem::take(&mut self.names_ahead);
        names.extend(name.clone());
        self.facts.functions.push(FunctionFacts {
            span,
            parent: self.stack.last().copied(),
            is_arrow,
            hoisted: false,
            in_sloppy_block: false,
            in_namespace: self.facts.is_in_namespace(span),
            start_position: span.start,
            body: span.end,
            is_async: false,
            asks: false,
            typed: false,
            uses: Uses::default(),
            awaits: Vec::new(),
            implicit_awaits: Vec::new(),
            calls: Vec::new(),
            name,
            names,
            has_home: !self.bound_ahead.is_empty(),
            gives: None,
            bound: std::mem::take(&mut self.bound_ahead),
            class: self.classes.last().copied().flatten().filter(|_| is_member),
            held: Held::default(),
        });
        self.facts.by_span.insert((span.start, span.end), index);
        self.stack.push(index);
    }

    fn leave(&mut self) {
        let Some(index) = self.stack.pop() else { return };
        let function = &self.facts.functions[index];
        let (uses, is_arrow) = (function.uses, function.is_arrow);
        let Some(&parent) = self.stack.last() else { return };
        let outer = &mut self.facts.functions[parent].uses;
        outer.eval |= uses.eval;
        outer.private_names |= uses.private_names;
        if is_arrow {
            outer.this |= uses.this;
            outer.super_ |= uses.super_;
            outer.arguments |= uses.arguments;
            outer.new_target |= uses.new_target;
        }
    }

    fn uses(&mut self, note: impl Fn(&mut Uses)) {
        if let Some(&index) = self.stack.last() {
            note(&mut self.facts.functions[index].uses);
        }
    }

    /// Names the function that an expression is.
    fn name_next(&mut self, it: &ast::Expression<'_>, name: Option<String>) {
        self.name_ahead = if it.is_function() { name } else { None };
        self.names_ahead.clear();
        self.bound_ahead.clear();
    }

    /// What a class evaluates later belongs to a function of its own.
    fn later(&mut self, span: Span, walk: impl FnOnce(&mut Self)) {
        self.is_member = !self.runs_early;
        self.enter(span, true);
        walk(self);
        self.leave();
    }

    fn inside_function(&mut self, body: Option<Span>, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.declared_at, 0);
        if let (Some(body), Some(&index)) = (body, self.stack.last()) {
            self.facts.functions[index].body = body.start;
        }
        walk(self);
        self.declared_at = outer;
        self.leave();
    }
}

/// Whether a class has decorators, or one of its members.
pub(crate) fn has_decorators(class: &ast::Class<'_>) -> bool {
    !class.decorators.is_empty() || class.body.body.iter().any(ast::ClassElement::has_decorator)
}
