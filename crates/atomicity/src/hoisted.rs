//! Functions whose statements cannot stand in a block of their own.

use oxc_ast::ast;

/// The names that some statements declare with `function`, or that one of them is declared twice.
pub(crate) fn declared_twice(statements: &[ast::Statement<'_>]) -> Result<Vec<String>, ()> {
    let mut names: Vec<String> = Vec::new();
    for statement in statements {
        if let ast::Statement::FunctionDeclaration(it) = statement
            && let Some(id) = &it.id
        {
            if names.iter().any(|name| id.name == name.as_str()) {
                return Err(());
            }
            names.push(id.name.to_string());
        }
    }
    Ok(names)
}
