//! Functions whose statements cannot stand in a block of their own.

use std::collections::BTreeSet;

use oxc_ast::ast;

use crate::suspends::Suspends;

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
    Suspends::declares(statements, functions)
}
