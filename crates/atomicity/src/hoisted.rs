//! Functions whose statements cannot stand in a block of their own.

use std::collections::BTreeSet;

use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::ScopeFlags;

/// Whether a function declares one name with `function` twice, or with `function` and `var`: in a block that is no
/// program (ECMA-262, 14.2.1).
pub(crate) fn declares_twice(statements: &[ast::Statement<'_>]) -> bool {
    let mut functions = BTreeSet::new();
    for statement in statements {
        if let ast::Statement::FunctionDeclaration(it) = statement
            && let Some(id) = &it.id
            && !functions.insert(id.name.as_str())
        {
            return true;
        }
    }
    if functions.is_empty() {
        return false;
    }
    let mut vars = Vars { functions, found: false };
    for statement in statements {
        vars.visit_statement(statement);
    }
    vars.found
}

/// Looks for variables of the function that have the name of one of its functions.
struct Vars<'n> {
    functions: BTreeSet<&'n str>,
    found: bool,
}

impl<'a> Visit<'a> for Vars<'_> {
    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ast::ArrowFunctionExpression<'a>) {}

    fn visit_variable_declaration(&mut self, it: &ast::VariableDeclaration<'a>) {
        if it.kind == ast::VariableDeclarationKind::Var {
            walk::walk_variable_declaration(self, it);
        }
    }

    fn visit_binding_identifier(&mut self, it: &ast::BindingIdentifier<'a>) {
        self.found |= self.functions.contains(it.name.as_str());
    }
}
