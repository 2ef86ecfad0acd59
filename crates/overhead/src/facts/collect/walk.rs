//! What the walk does at each kind of node.

use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, SymbolFlags};
use oxc_span::GetSpan;
use oxc_syntax::operator::UnaryOperator;

use super::{Collector, has_decorators};
use crate::asks::asks;
use crate::facts::calls::name_of;
use crate::facts::frame::spreads;
use crate::facts::scopes::owner_of;
use crate::facts::{Called, Mention};
use crate::templates::Template;

impl<'a> Visit<'a> for Collector<'_> {
    fn visit_catch_clause(&mut self, it: &ast::CatchClause<'a>) {
        walk::walk_catch_clause(self, it);
        if let Some(param) = &it.param {
            self.note_caught(param);
        }
    }

    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        // The name of a declaration belongs to the code around it.
        let declares = it.r#type == ast::FunctionType::FunctionDeclaration;
        let is_branch = std::mem::take(&mut self.is_branch);
        let has_home = declares || !self.bound_ahead.is_empty();
        if let Some(id) = &it.id {
            self.names_ahead.extend(self.name_ahead.replace(id.name.to_string()));
            self.bound_ahead.extend(id.symbol_id.get());
        }
        self.enter(it.span, false);
        if let Some(function) = self.facts.functions.last_mut() {
            function.has_home = has_home;
            function.start_position = it.params.span.start;
        }
        let asks = it.r#async && !it.generator && it.body.as_ref().is_some_and(|it| asks(it));
        self.note_async((it.r#async, asks), it.return_type.is_some());
        if let (true, Some(function)) = (declares, self.facts.functions.last_mut()) {
            function.hoisted = true;
            self.note_block(it, is_branch);
        }
        let body = it.body.as_ref().map(|it| it.span);
        self.inside_function(body, |this| walk::walk_function(this, it, flags));
    }

    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        self.enter(it.span, true);
        let asks = matches!(&it.body, ast::ArrowFunctionBody::FunctionBody(body) if it.r#async && asks(body));
        self.note_async((it.r#async, asks), it.return_type.is_some());
        if let Some(body) = it.body.as_expression() {
            self.returns(body);
            self.note_returned(Some(body));
        }
        self.inside_function(Some(it.body.span()), |this| {
            walk::walk_arrow_function_expression(this, it);
        });
    }

    fn visit_property_definition(&mut self, it: &ast::PropertyDefinition<'a>) {
        self.visit_decorators(&it.decorators);
        self.visit_property_key(&it.key);
        if let Some(value) = &it.value {
            let name = it.key.name().map(|it| it.to_string());
            self.stored(name.clone(), value);
            self.later(value.span(), |this| {
                this.name_next(value, name);
                this.visit_expression(value);
            });
        }
    }

    fn visit_static_block(&mut self, it: &ast::StaticBlock<'a>) {
        self.later(it.span, |this| walk::walk_static_block(this, it));
    }

    fn visit_class(&mut self, it: &ast::Class<'a>) {
        let symbol = it.id.as_ref().and_then(|id| id.symbol_id.get());
        self.classes.push(symbol);
        let runs_early = has_decorators(it) || it.body.body.iter().any(is_static_code);
        let outer = std::mem::replace(&mut self.runs_early, runs_early);
        walk::walk_class(self, it);
        self.runs_early = outer;
        self.classes.pop();
        if let Some(symbol) = symbol {
            self.facts.declared_at.insert(symbol, it.span.end);
            if runs_early {
                self.facts.early_classes.insert(symbol);
            }
        }
    }

    fn visit_if_statement(&mut self, it: &ast::IfStatement<'a>) {
        self.visit_expression(&it.test);
        for branch in std::iter::once(&it.consequent).chain(&it.alternate) {
            self.is_branch = matches!(branch, ast::Statement::FunctionDeclaration(_));
            self.visit_statement(branch);
        }
    }

    fn visit_switch_statement(&mut self, it: &ast::SwitchStatement<'a>) {
        self.facts.switches.extend(it.scope_id.get());
        walk::walk_switch_statement(self, it);
    }

    fn visit_ts_module_block(&mut self, it: &ast::TSModuleBlock<'a>) {
        self.facts.namespaces.push(it.span);
        walk::walk_ts_module_block(self, it);
    }

    fn visit_ts_enum_body(&mut self, it: &ast::TSEnumBody<'a>) {
        self.facts.namespaces.push(it.span);
        walk::walk_ts_enum_body(self, it);
    }

    fn visit_export_declaration(&mut self, it: &ast::ExportDeclaration<'a>) {
        self.facts.exported.extend(it.declaration.id().and_then(|it| it.symbol_id.get()));
        if let ast::Declaration::VariableDeclaration(it) = &it.declaration {
            let names = it.declarations.iter().flat_map(|it| it.id.get_symbol_ids());
            self.facts.exported.extend(names);
        }
        walk::walk_export_declaration(self, it);
    }

    fn visit_export_default_declaration(&mut self, it: &ast::ExportDefaultDeclaration<'a>) {
        if let ast::ExportDefaultDeclarationKind::FunctionDeclaration(it) = &it.declaration {
            self.facts.exported.extend(it.id.as_ref().and_then(|it| it.symbol_id.get()));
        }
        walk::walk_export_default_declaration(self, it);
    }

    fn visit_export_specifier(&mut self, it: &ast::ExportSpecifier<'a>) {
        if let ast::ModuleExportName::IdentifierReference(id) = &it.local {
            let reference = id.reference_id.get().map(|it| self.scoping.get_reference(it));
            self.facts.exported.extend(reference.and_then(|it| it.symbol_id()));
        }
        walk::walk_export_specifier(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &ast::VariableDeclarator<'a>) {
        let outer = std::mem::replace(&mut self.declared_at, it.span.end);
        self.visit_binding_pattern(&it.id);
        self.note_evolving(it);
        self.declared_at = 0;
        if let Some(init) = &it.init {
            let name = it.id.get_identifier_name().map(|it| it.to_string());
            self.name_next(init, name);
            if let ast::Expression::AwaitExpression(_) = init.get_inner_expression() {
                let id = it.id.get_binding_identifier();
                self.facts.awaited.extend(id.and_then(|id| id.symbol_id.get()));
            }
            if init.is_function() {
                let id = it.id.get_binding_identifier();
                self.bound_ahead.extend(id.and_then(|id| id.symbol_id.get()));
            }
            self.visit_expression(init);
        }
        self.declared_at = outer;
    }

    fn visit_ts_type_query(&mut self, it: &ast::TSTypeQuery<'a>) {
        self.note_queried(&it.expr_name);
        walk::walk_ts_type_query(self, it);
    }

    fn visit_label_identifier(&mut self, it: &ast::LabelIdentifier<'a>) {
        self.facts.names.insert(it.name.to_string());
    }

    fn visit_with_statement(&mut self, it: &ast::WithStatement<'a>) {
        self.facts.withs.push(it.span);
        walk::walk_with_statement(self, it);
    }

    fn visit_binding_identifier(&mut self, it: &ast::BindingIdentifier<'a>) {
        self.facts.names.insert(it.name.to_string());
        self.facts.binds_arguments |= it.name == "arguments";
        let Some(symbol) = it.symbol_id.get() else { return };
        // A parameter has its first value from the start, also where a `var` declares it again.
        let declared_at = self.facts.declared_at.entry(symbol).or_insert(self.declared_at);
        *declared_at = if *declared_at == 0 { 0 } else { self.declared_at };
        let is_declaration =
            self.stack.last().is_some_and(|&index| self.facts.functions[index].hoisted)
                && self.scoping.symbol_flags(symbol).contains(SymbolFlags::Function);
        let owner = owner_of(self.scoping, symbol, &self.stack, is_declaration);
        let known = self.facts.owner.insert(symbol, owner).is_some();
        if let (false, Some(function)) = (known, owner) {
            self.facts.owned.entry(function).or_default().push(symbol);
        }
    }

    fn visit_identifier_reference(&mut self, it: &ast::IdentifierReference<'a>) {
        self.facts.names.insert(it.name.to_string());
        if it.name == "arguments" {
            self.uses(|uses| uses.arguments = true);
        }
        let Some(id) = it.reference_id.get() else { return };
        let reference = self.scoping.get_reference(id);
        if reference.is_type() && !reference.is_value() {
            return;
        }
        let mention = Mention {
            span: it.span,
            symbol: reference.symbol_id(),
            function: self.stack.last().copied(),
            write: reference.is_write(),
            shorthand: self.shorthand == Some(it.span),
            called: match self.callee {
                Some((span, called)) if span == it.span => called,
                _ => Called::No,
            },
            in_own_class: reference.symbol_id().is_some_and(|it| self.classes.contains(&Some(it))),
        };
        // In a class, its name is a variable of the class.
        if let Some(symbol) = mention.symbol.filter(|_| !mention.in_own_class) {
            self.facts.mentions_of.entry(symbol).or_default().push(self.facts.mentions.len());
        }
        self.facts.by_name.entry(it.name.to_string()).or_default().push(self.facts.mentions.len());
        self.facts.mentions.push(mention);
    }

    fn visit_object_property(&mut self, it: &ast::ObjectProperty<'a>) {
        self.shorthand = it.shorthand.then(|| it.value.span());
        let name = it.key.static_name().map(|it| it.to_string());
        self.stored(name.clone(), &it.value);
        self.visit_property_key(&it.key);
        self.name_next(&it.value, name);
        self.visit_expression(&it.value);
    }

    fn visit_method_definition(&mut self, it: &ast::MethodDefinition<'a>) {
        self.visit_decorators(&it.decorators);
        self.visit_property_key(&it.key);
        self.name_ahead = it.key.name().map(|it| it.to_string());
        self.is_member = !self.runs_early;
        self.visit_function(&it.value, ScopeFlags::Function);
    }

    fn visit_binding_property(&mut self, it: &ast::BindingProperty<'a>) {
        if it.shorthand {
            let id = match &it.value {
                ast::BindingPattern::AssignmentPattern(it) => it.left.get_binding_identifier(),
                other => other.get_binding_identifier(),
            };
            self.facts.bound_short.extend(id.and_then(|id| id.symbol_id.get()));
        }
        walk::walk_binding_property(self, it);
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        it: &ast::AssignmentTargetPropertyIdentifier<'a>,
    ) {
        self.shorthand = Some(it.binding.span);
        walk::walk_assignment_target_property_identifier(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &ast::AssignmentExpression<'a>) {
        if let Some(member) = it.left.as_member_expression() {
            self.stored(name_of(member), &it.right);
        }
        self.visit_assignment_target(&it.left);
        let name = match &it.left {
            ast::AssignmentTarget::AssignmentTargetIdentifier(it) => Some(it.name.to_string()),
            left => left.as_member_expression().and_then(name_of),
        };
        self.note_assigned(it);
        self.name_next(&it.right, name);
        self.visit_expression(&it.right);
    }

    fn visit_member_expression(&mut self, it: &ast::MemberExpression<'a>) {
        if it.span().end != self.callee_end {
            self.facts.read.extend(name_of(it));
        }
        walk::walk_member_expression(self, it);
    }

    fn visit_await_expression(&mut self, it: &ast::AwaitExpression<'a>) {
        if let Some(&index) = self.stack.last() {
            self.facts.functions[index].awaits.push(it.span);
        }
        self.keeps();
        walk::walk_await_expression(self, it);
    }

    fn visit_array_expression(&mut self, it: &ast::ArrayExpression<'a>) {
        self.holding(it.elements.len(), |this| walk::walk_array_expression(this, it));
    }

    fn visit_object_expression(&mut self, it: &ast::ObjectExpression<'a>) {
        self.holding(it.properties.len(), |this| walk::walk_object_expression(this, it));
    }

    fn visit_template_literal(&mut self, it: &ast::TemplateLiteral<'a>) {
        self.holding(it.expressions.len(), |this| walk::walk_template_literal(this, it));
    }

    fn visit_for_of_statement(&mut self, it: &ast::ForOfStatement<'a>) {
        if let (true, Some(&index)) = (it.r#await, self.stack.last()) {
            self.facts.functions[index].implicit_awaits.push(it.span);
        }
        walk::walk_for_of_statement(self, it);
        self.note_head(&it.left, it.right.span());
    }

    fn visit_for_in_statement(&mut self, it: &ast::ForInStatement<'a>) {
        walk::walk_for_in_statement(self, it);
        self.note_head(&it.left, it.right.span());
    }

    fn visit_for_statement_init(&mut self, it: &ast::ForStatementInit<'a>) {
        self.in_head = matches!(it, ast::ForStatementInit::VariableDeclaration(_));
        walk::walk_for_statement_init(self, it);
    }

    fn visit_for_statement_left(&mut self, it: &ast::ForStatementLeft<'a>) {
        self.in_head = matches!(it, ast::ForStatementLeft::VariableDeclaration(_));
        walk::walk_for_statement_left(self, it);
    }

    fn visit_variable_declaration(&mut self, it: &ast::VariableDeclaration<'a>) {
        let in_head = std::mem::take(&mut self.in_head);
        if let (ast::VariableDeclarationKind::AwaitUsing, Some(&index)) =
            (it.kind, self.stack.last())
        {
            self.facts.functions[index].implicit_awaits.push(it.span);
        }
        walk::walk_variable_declaration(self, it);
        if it.kind.is_var() {
            self.note_vars(it, in_head);
        }
    }

    fn visit_return_statement(&mut self, it: &ast::ReturnStatement<'a>) {
        it.argument.iter().for_each(|it| self.returns(it));
        self.note_returned(it.argument.as_ref());
        walk::walk_return_statement(self, it);
    }

    fn visit_this_expression(&mut self, _: &ast::ThisExpression) {
        self.uses(|uses| uses.this = true);
    }

    fn visit_super(&mut self, _: &ast::Super) {
        self.uses(|uses| uses.super_ = true);
    }

    fn visit_unary_expression(&mut self, it: &ast::UnaryExpression<'a>) {
        if let (UnaryOperator::Delete, ast::Expression::Identifier(id)) =
            (it.operator, it.argument.get_inner_expression())
        {
            let reference = id.reference_id.get().map(|it| self.scoping.get_reference(it));
            self.facts.deleted.extend(reference.and_then(|it| it.symbol_id()));
        }
        walk::walk_unary_expression(self, it);
    }

    fn visit_new_target(&mut self, _: &ast::NewTarget) {
        self.uses(|uses| uses.new_target = true);
    }

    fn visit_private_identifier(&mut self, it: &ast::PrivateIdentifier<'a>) {
        // Fast methods and twins get private names, too.
        self.facts.names.insert(it.name.to_string());
        self.uses(|uses| uses.private_names = true);
    }

    fn visit_new_expression(&mut self, it: &ast::NewExpression<'a>) {
        let mut first = &it.callee;
        while let Some(member) = first.as_member_expression() {
            first = member.object();
        }
        match first {
            ast::Expression::Identifier(it) => self.callee = Some((it.span, Called::ByNew)),
            ast::Expression::TaggedTemplateExpression(it) => self.made_by_new = Some(it.span),
            _ => {}
        }
        self.holding(it.arguments.len() + 1, |this| walk::walk_new_expression(this, it));
    }

    fn visit_tagged_template_expression(&mut self, it: &ast::TaggedTemplateExpression<'a>) {
        if let ast::Expression::Identifier(it) = it.tag.get_inner_expression() {
            self.callee = Some((it.span, Called::Plainly));
        }
        self.called(&it.tag, false);
        self.facts.templates.push(Template {
            quasi: it.quasi.span,
            expressions: it.quasi.expressions.iter().map(GetSpan::span).collect(),
            by_new: self.made_by_new == Some(it.span),
            name: None,
        });
        let operands = it.quasi.expressions.len() + 2;
        self.holding(operands, |this| walk::walk_tagged_template_expression(this, it));
    }

    fn visit_call_expression(&mut self, it: &ast::CallExpression<'a>) {
        if it.callee.is_specific_id("eval") {
            self.facts.has_eval = true;
            self.facts.evals_at_top |= self.stack.is_empty();
            self.uses(|uses| uses.eval = true);
        }
        if let ast::Expression::Identifier(it) = it.callee.get_inner_expression() {
            self.callee = Some((it.span, Called::Plainly));
        }
        self.called(&it.callee, spreads(it));
        self.passes(it);
        self.callee_end = it.callee.span().end;
        self.holding(it.arguments.len() + 2, |this| walk::walk_call_expression(this, it));
    }
}

/// Whether a member of a class runs code while the class is made.
fn is_static_code(element: &ast::ClassElement<'_>) -> bool {
    let value = match element {
        ast::ClassElement::StaticBlock(_) => return true,
        ast::ClassElement::PropertyDefinition(it) if it.r#static => it.value.as_ref(),
        ast::ClassElement::AccessorProperty(it) if it.r#static => it.value.as_ref(),
        _ => None,
    };
    value.is_some_and(|it| !it.is_literal() && !it.is_function())
}
