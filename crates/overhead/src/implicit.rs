//! What functions run without calling it by a name: accessors, constructors, iterators, conversions, and
//! what code that is not known has got hold of.
//!
//! Purpose: whether a function may come back to itself is asked of all that it runs. Input: the syntax tree
//! with its names resolved, and the facts. Output: [`Implicit`]. A property that is read may run every
//! accessor of that name, one under a computed name every accessor of the file; what is called by a name
//! that neither the file nor the language knows may call everything that is held anywhere.

mod names;

use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, Scoping, SymbolFlags, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::Facts;
use names::{COPIES, KNOWN, LOOKED_FOR, REFLECTS, is_in, is_trap};

pub(crate) use names::calls_back;

/// What is run without a call of it.
#[derive(Debug, Default)]
pub(crate) struct Implicit {
    /// By function, what it does.
    pub(crate) does: FxHashMap<usize, Does>,
    /// The accessors, by their names.
    pub(crate) accessors: FxHashMap<String, Vec<usize>>,
    /// What may run anywhere: generators, conversions, accessors under computed names.
    pub(crate) anywhere: Vec<usize>,
    /// What runs when an object of a class is made, by the class.
    classes: FxHashMap<u32, Class>,
    by_symbol: FxHashMap<SymbolId, u32>,
    /// Whether functions become accessors or traps in other ways than by their form.
    pub(crate) reflects: bool,
}

/// What a function does that may run other functions.
#[derive(Debug, Default)]
pub(crate) struct Does {
    /// The names of the properties that it reads or writes.
    pub(crate) names: FxHashSet<String>,
    /// Whether it reads or writes properties under names that do not stand there.
    pub(crate) any_name: bool,
    /// The classes that it makes objects of; nothing where that is not known.
    pub(crate) makes: Vec<Option<SymbolId>>,
    /// Whether it calls what is not known.
    pub(crate) calls_out: bool,
    /// Whether it has the engine read all properties of something: accessors of these run behind frames of the
    /// engine's own.
    pub(crate) copies: bool,
}

#[derive(Debug, Default)]
struct Class {
    parts: Vec<usize>,
    /// The class that it extends, where it does; nothing inside where that is not known.
    extends: Option<Option<SymbolId>>,
}

impl Implicit {
    /// Gathers it.
    pub(crate) fn collect(program: &ast::Program<'_>, scoping: &Scoping, facts: &Facts) -> Self {
        let known: FxHashSet<&str> =
            facts.functions.iter().flat_map(|it| &it.names).map(String::as_str).collect();
        let reflects = facts.names.contains("Proxy")
            || facts.functions.iter().flat_map(|it| &it.calls).any(|it| is_in(REFLECTS, &it.name))
            || facts.top_calls.iter().any(|it| is_in(REFLECTS, it));
        let mut walker = Walker {
            scoping,
            facts,
            known,
            function: None,
            class: None,
            found: Self { reflects, ..Self::default() },
        };
        walker.visit_program(program);
        walker.found
    }

    /// What runs when an object is made of a class; of any, where it is not known.
    pub(crate) fn made(&self, class: Option<SymbolId>) -> Vec<usize> {
        let mut parts = Vec::new();
        let mut seen = FxHashSet::default();
        let mut next = class;
        while let Some(symbol) = next {
            // A class of another file, or of the language.
            let Some(class) = self.by_symbol.get(&symbol).and_then(|it| self.classes.get(it))
            else {
                return parts;
            };
            if !seen.insert(symbol) {
                return parts;
            }
            parts.extend(&class.parts);
            match class.extends {
                None => return parts,
                Some(extended) => next = extended,
            }
        }
        self.classes.values().flat_map(|it| it.parts.iter().copied()).collect()
    }
}

struct Walker<'x> {
    scoping: &'x Scoping,
    facts: &'x Facts,
    /// The names of the functions of the file.
    known: FxHashSet<&'x str>,
    /// The function that the walk is in.
    function: Option<usize>,
    /// The class whose body it is in.
    class: Option<u32>,
    found: Implicit,
}

impl Walker<'_> {
    fn does(&mut self, note: impl FnOnce(&mut Does)) {
        if let Some(function) = self.function {
            note(self.found.does.entry(function).or_default());
        }
    }

    fn index(&self, span: Span) -> Option<usize> {
        self.facts.by_span.get(&(span.start, span.end)).copied()
    }

    fn inside(&mut self, function: Option<usize>, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.function, function);
        let class = self.class.take();
        walk(self);
        (self.function, self.class) = (outer, class);
    }

    fn touches(&mut self, name: Option<&str>) {
        self.does(|it| match name {
            Some(name) => drop(it.names.insert(name.to_owned())),
            None => it.any_name = true,
        });
    }

    /// Notes that the rest of an object's properties is read.
    fn rests(&mut self) {
        self.does(|it| {
            it.copies = true;
            it.any_name = true;
        });
    }

    /// The class that an expression names: nothing where it may be any. A name of no variable of the file
    /// is one of the language.
    fn class_of(&self, it: &Expression<'_>) -> Option<Option<SymbolId>> {
        let Expression::Identifier(it) = it.get_inner_expression() else { return Some(None) };
        let symbol =
            it.reference_id.get().and_then(|it| self.scoping.get_reference(it).symbol_id());
        let symbol = symbol?;
        let flags = self.scoping.symbol_flags(symbol);
        let is_fixed =
            flags.intersects(SymbolFlags::Class | SymbolFlags::Import | SymbolFlags::Function);
        Some((is_fixed && !self.scoping.symbol_is_mutated(symbol)).then_some(symbol))
    }

    fn calls(&mut self, callee: &Expression<'_>, arguments: &[ast::Argument<'_>]) {
        let callee = callee.get_inner_expression();
        let name = match callee {
            Expression::Identifier(it) => {
                let symbol =
                    it.reference_id.get().and_then(|it| self.scoping.get_reference(it).symbol_id());
                let is_import = symbol
                    .is_some_and(|it| self.scoping.symbol_flags(it).contains(SymbolFlags::Import));
                let copies = symbol.is_none() && is_in(COPIES, &it.name);
                return self.does(|it| {
                    it.calls_out |= is_import;
                    it.copies |= copies;
                    it.any_name |= copies;
                });
            }
            callee => callee.as_member_expression().and_then(|it| it.static_property_name()),
        };
        let Some(name) = name else { return };
        // `Object.values(o)`, `Reflect.get(o, k)`: whose methods these names are, the text does not say in general.
        let object = callee.as_member_expression().map(|it| it.object().get_inner_expression());
        let reflects = object.is_some_and(|it| {
            ["Object", "Reflect", "JSON", "globalThis"].iter().any(|name| it.is_specific_id(name))
        });
        // Maps and arrays have these, too, which read no properties.
        let is_other = ["entries", "keys", "values"].contains(&name) && !reflects;
        let copies = is_in(COPIES, name) && !is_other;
        self.does(|it| {
            it.copies |= copies;
            it.any_name |= copies || reflects;
        });
        // What is passed directly is known to run here: it stands here, or is mentioned.
        let passes_other = arguments.iter().any(|it| {
            it.as_expression().is_none_or(|it| {
                let it = it.get_inner_expression();
                it.is_member_expression() || matches!(it, Expression::CallExpression(_))
            })
        });
        let takes_functions =
            ["every", "filter", "find", "findIndex", "findLast", "flatMap", "forEach"]
                .contains(&name)
                || [
                    "from",
                    "map",
                    "reduce",
                    "reduceRight",
                    "replace",
                    "replaceAll",
                    "some",
                    "sort",
                ]
                .contains(&name);
        let is_known = self.known.contains(name)
            || ["apply", "bind", "call"].contains(&name)
            || is_in(KNOWN, name) && !(takes_functions && passes_other);
        self.does(|it| it.calls_out |= !is_known);
    }

    /// What a method or a property of an object literal is, besides one that is called.
    fn note_kind(
        &mut self,
        function: usize,
        is_accessor: bool,
        name: Option<&str>,
        is_computed: bool,
    ) {
        match name {
            Some(name) if is_accessor && !is_computed => {
                self.found.accessors.entry(name.to_owned()).or_default().push(function);
            }
            _ if is_accessor || is_computed => self.found.anywhere.push(function),
            Some(name) if is_in(LOOKED_FOR, name) || self.found.reflects && is_trap(name) => {
                self.found.anywhere.push(function);
            }
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for Walker<'_> {
    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        let function = self.index(it.span);
        if it.generator {
            self.found.anywhere.extend(function);
        }
        self.inside(function, |this| walk::walk_function(this, it, flags));
    }

    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        let function = self.index(it.span);
        self.inside(function, |this| walk::walk_arrow_function_expression(this, it));
    }

    fn visit_class(&mut self, it: &ast::Class<'a>) {
        let extends = it.heritage.as_ref().map(|it| self.class_of(&it.expression));
        // One of the language runs nothing of the program.
        let extends = extends.flatten();
        self.found.classes.insert(it.span.start, Class { parts: Vec::new(), extends });
        if let Some(symbol) = it.id.as_ref().and_then(|it| it.symbol_id.get()) {
            self.found.by_symbol.insert(symbol, it.span.start);
        }
        let outer = self.class.replace(it.span.start);
        walk::walk_class(self, it);
        self.class = outer;
    }

    fn visit_method_definition(&mut self, it: &ast::MethodDefinition<'a>) {
        if let Some(function) = self.index(it.value.span) {
            let name = it.key.name();
            let is_computed = it.computed && it.key.static_name().is_none();
            match it.kind {
                ast::MethodDefinitionKind::Constructor => {
                    let class = self.class.and_then(|it| self.found.classes.get_mut(&it));
                    class.into_iter().for_each(|it| it.parts.push(function));
                }
                kind => {
                    let is_accessor = kind != ast::MethodDefinitionKind::Method;
                    self.note_kind(function, is_accessor, name.as_deref(), is_computed);
                }
            }
        }
        walk::walk_method_definition(self, it);
    }

    fn visit_property_definition(&mut self, it: &ast::PropertyDefinition<'a>) {
        self.visit_property_key(&it.key);
        let Some(value) = &it.value else { return };
        let function = self.index(value.span());
        // A function that is the value has the place of the field, which stands around it.
        let part = match function {
            Some(function) if value.is_function() => self.facts.functions[function].parent,
            other => other,
        };
        if let (false, Some(part), Some(class)) = (it.r#static, part, self.class) {
            let class = self.found.classes.get_mut(&class);
            class.into_iter().for_each(|it| it.parts.push(part));
        }
        self.inside(part, |this| this.visit_expression(value));
    }

    fn visit_object_property(&mut self, it: &ast::ObjectProperty<'a>) {
        if let Some(function) = self.index(it.value.span()) {
            let is_accessor = it.kind != ast::PropertyKind::Init;
            let name = it.key.static_name();
            let is_computed = it.computed && name.is_none();
            self.note_kind(function, is_accessor, name.as_deref(), is_computed);
        }
        walk::walk_object_property(self, it);
    }

    fn visit_static_member_expression(&mut self, it: &ast::StaticMemberExpression<'a>) {
        self.touches(Some(&it.property.name));
        walk::walk_static_member_expression(self, it);
    }

    fn visit_computed_member_expression(&mut self, it: &ast::ComputedMemberExpression<'a>) {
        if !it.expression.is_number_literal() {
            self.touches(it.static_property_name().as_ref().map(|it| it.as_str()));
        }
        walk::walk_computed_member_expression(self, it);
    }

    fn visit_private_field_expression(&mut self, it: &ast::PrivateFieldExpression<'a>) {
        self.touches(Some(&it.field.name));
        walk::walk_private_field_expression(self, it);
    }

    fn visit_binding_property(&mut self, it: &ast::BindingProperty<'a>) {
        self.touches(it.key.static_name().as_deref());
        walk::walk_binding_property(self, it);
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        it: &ast::AssignmentTargetPropertyIdentifier<'a>,
    ) {
        self.touches(Some(&it.binding.name));
        walk::walk_assignment_target_property_identifier(self, it);
    }

    fn visit_assignment_target_property_property(
        &mut self,
        it: &ast::AssignmentTargetPropertyProperty<'a>,
    ) {
        self.touches(it.name.static_name().as_deref());
        walk::walk_assignment_target_property_property(self, it);
    }

    fn visit_object_expression(&mut self, it: &ast::ObjectExpression<'a>) {
        let spreads = it.properties.iter().any(ast::ObjectPropertyKind::is_spread);
        self.does(|it| it.copies |= spreads);
        walk::walk_object_expression(self, it);
    }

    fn visit_object_pattern(&mut self, it: &ast::ObjectPattern<'a>) {
        if it.rest.is_some() {
            self.rests();
        }
        walk::walk_object_pattern(self, it);
    }

    fn visit_object_assignment_target(&mut self, it: &ast::ObjectAssignmentTarget<'a>) {
        if it.rest.is_some() {
            self.rests();
        }
        walk::walk_object_assignment_target(self, it);
    }

    fn visit_spread_element(&mut self, it: &ast::SpreadElement<'a>) {
        self.touches(None);
        walk::walk_spread_element(self, it);
    }

    fn visit_new_expression(&mut self, it: &ast::NewExpression<'a>) {
        if let Some(class) = self.class_of(&it.callee) {
            self.does(|it| it.makes.push(class));
        }
        walk::walk_new_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &ast::CallExpression<'a>) {
        self.calls(&it.callee, &it.arguments);
        walk::walk_call_expression(self, it);
    }

    fn visit_tagged_template_expression(&mut self, it: &ast::TaggedTemplateExpression<'a>) {
        self.calls(&it.tag, &[]);
        walk::walk_tagged_template_expression(self, it);
    }
}
