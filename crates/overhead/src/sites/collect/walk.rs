//! What the walk does at each kind of node.

use oxc_ast::ast::{self, Expression, PropertyKey};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::ScopeFlags;
use oxc_span::{GetSpan, Span};

use super::{Class, Collector, ends_in_text};
use crate::facts::has_decorators;
use crate::known::CARRIES_TEXT;
use crate::sites::members::{key_name, lasting_methods, own_methods};
use crate::sites::paths::{self, Path};
use crate::sites::{Binding, Declarator, Export, LONG_LITERAL, Method, Naming, PrivateUse};

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
        let is_long = self.facts.keeps_types && it.span.size() > LONG_LITERAL;
        if !self.is_literal && !is_long && !self.awaits_in(it.span) {
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
            // A name in parentheses gives none (ECMA-262, 13.15.2).
            let is_bare = id.span.start == it.span.start;
            self.named(&it.right, if is_bare { Naming::after(&id.name) } else { Naming::No });
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
            // The call graph says which functions have that name elsewhere.
            if !self.facts.shares_depth {
                let arguments = it.arguments.iter().filter_map(|it| it.as_expression());
                arguments.for_each(|it| self.text_of(it));
            }
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
