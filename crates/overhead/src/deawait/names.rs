//! What an anonymous function would be called at a place, and where none may begin a statement.

use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of places in a file.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Expressions that give their value a name, and the name.
    named: FxHashMap<(u32, u32), String>,
    /// Where statements begin that are expressions, and values that are exported.
    pub(crate) statements: FxHashSet<u32>,
    /// Function declarations directly in a function or the file.
    pub(crate) hoisted: FxHashSet<u32>,
    /// Variables that a `var` directly in a function or the file declares, so that it runs once.
    pub(crate) run_once: FxHashSet<SymbolId>,
    /// Functions that are called with `new`, extended, or asked for their prototype.
    pub(crate) constructed: FxHashSet<String>,
    /// Variables that are exported where they are declared.
    pub(crate) exported: FxHashSet<SymbolId>,
}

impl Places {
    /// Goes over a file.
    pub(crate) fn find(program: &ast::Program<'_>) -> Self {
        let mut places = Self::default();
        places.visit_program(program);
        places
    }

    /// The name that the value of an expression would get.
    pub(crate) fn name(&self, span: Span) -> Option<&str> {
        self.named.get(&(span.start, span.end)).map(String::as_str)
    }

    fn give(&mut self, value: &Expression<'_>, name: Option<impl Into<String>>) {
        if let Some(name) = name {
            let span = value.without_parentheses().span();
            self.named.insert((span.start, span.end), name.into());
        }
    }

    fn hoist(&mut self, statements: &[ast::Statement<'_>]) {
        for it in statements {
            if let ast::Statement::VariableDeclaration(it) = it {
                let ids = it.declarations.iter().flat_map(|it| it.id.get_symbol_ids());
                self.run_once.extend(ids);
            }
            let declaration = match it {
                ast::Statement::FunctionDeclaration(it) => Some(it.span),
                ast::Statement::ExportDeclaration(it) => Some(it.declaration.span()),
                ast::Statement::ExportDefaultDeclaration(it) => Some(it.declaration.span()),
                _ => None,
            };
            self.hoisted.extend(declaration.map(|it| it.start));
        }
    }

    fn construct(&mut self, it: &Expression<'_>) {
        let name = match it.without_parentheses() {
            Expression::Identifier(it) => it.name.to_string(),
            Expression::StaticMemberExpression(it) => it.property.name.to_string(),
            _ => return,
        };
        self.constructed.insert(name);
    }
}

impl<'a> Visit<'a> for Places {
    fn visit_program(&mut self, it: &ast::Program<'a>) {
        self.hoist(&it.body);
        walk::walk_program(self, it);
    }

    fn visit_function_body(&mut self, it: &ast::FunctionBody<'a>) {
        self.hoist(&it.statements);
        walk::walk_function_body(self, it);
    }

    fn visit_expression_statement(&mut self, it: &ast::ExpressionStatement<'a>) {
        self.statements.insert(it.span.start);
        walk::walk_expression_statement(self, it);
    }

    fn visit_export_default_declaration(&mut self, it: &ast::ExportDefaultDeclaration<'a>) {
        self.statements.insert(it.declaration.span().start);
        if let Some(value) = it.declaration.as_expression() {
            self.give(value, Some("default"));
        }
        walk::walk_export_default_declaration(self, it);
    }

    fn visit_export_declaration(&mut self, it: &ast::ExportDeclaration<'a>) {
        match &it.declaration {
            ast::Declaration::VariableDeclaration(it) => {
                let ids = it.declarations.iter().flat_map(|it| it.id.get_symbol_ids());
                self.exported.extend(ids);
            }
            it => self.exported.extend(it.id().and_then(|it| it.symbol_id.get())),
        }
        walk::walk_export_declaration(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &ast::VariableDeclarator<'a>) {
        if let Some(init) = &it.init {
            self.give(init, it.id.get_identifier_name().map(|it| it.to_string()));
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &ast::AssignmentExpression<'a>) {
        self.give(&it.right, it.left.get_identifier_name());
        walk::walk_assignment_expression(self, it);
    }

    fn visit_assignment_pattern(&mut self, it: &ast::AssignmentPattern<'a>) {
        self.give(&it.right, it.left.get_identifier_name().map(|it| it.to_string()));
        walk::walk_assignment_pattern(self, it);
    }

    fn visit_assignment_target_with_default(&mut self, it: &ast::AssignmentTargetWithDefault<'a>) {
        self.give(&it.init, Some(""));
        walk::walk_assignment_target_with_default(self, it);
    }

    fn visit_formal_parameter(&mut self, it: &ast::FormalParameter<'a>) {
        if let Some(init) = &it.initializer {
            self.give(init, it.pattern.get_identifier_name().map(|it| it.to_string()));
        }
        walk::walk_formal_parameter(self, it);
    }

    fn visit_object_property(&mut self, it: &ast::ObjectProperty<'a>) {
        self.give(&it.value, Some(it.key.static_name().unwrap_or_default()));
        walk::walk_object_property(self, it);
    }

    fn visit_property_definition(&mut self, it: &ast::PropertyDefinition<'a>) {
        if let Some(value) = &it.value {
            self.give(value, Some(it.key.static_name().unwrap_or_default()));
        }
        walk::walk_property_definition(self, it);
    }

    fn visit_new_expression(&mut self, it: &ast::NewExpression<'a>) {
        self.construct(&it.callee);
        walk::walk_new_expression(self, it);
    }

    fn visit_class(&mut self, it: &ast::Class<'a>) {
        if let Some(heritage) = &it.heritage {
            self.construct(&heritage.expression);
        }
        walk::walk_class(self, it);
    }

    fn visit_static_member_expression(&mut self, it: &ast::StaticMemberExpression<'a>) {
        if it.property.name == "prototype" {
            self.construct(&it.object);
        }
        walk::walk_static_member_expression(self, it);
    }
}

/// Where a method begins whose name stands at `key`.
pub(crate) fn method_start(source: &str, span: Span, key: Span, computed: bool) -> u32 {
    if !computed {
        return key.start;
    }
    let before = source.get(span.start as usize..key.start as usize).unwrap_or_default();
    let bracket = before.rfind('[').unwrap_or(0);
    span.start + u32::try_from(bracket).unwrap_or(0)
}
