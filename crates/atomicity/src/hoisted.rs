//! Functions whose statements cannot stand in a block of their own.

use std::collections::BTreeSet;

use oxc_ast::ast;

/// The names that some statements declare with `function`; none where one of them is declared twice.
pub(crate) fn functions(statements: &[ast::Statement<'_>]) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for statement in statements {
        if let ast::Statement::FunctionDeclaration(it) = statement
            && let Some(id) = &it.id
            && !names.insert(id.name.to_string())
        {
            return None;
        }
    }
    Some(names)
}
