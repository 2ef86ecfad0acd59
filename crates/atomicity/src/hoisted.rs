//! Functions whose statements cannot stand in a block of their own.
//!
//! What a function declares with `function` at its top belongs to the whole of it, and in a block to that block
//! (ECMA-262, 14.2.1 and B.3.2). In most functions nobody can tell; in the others the statements stay where they are.

use std::collections::BTreeSet;

use oxc_ast::ast;

/// What the code of a function declares, whatever blocks it stands in.
#[derive(Default)]
pub(crate) struct Declared {
    /// With `function`, each as often as that is written.
    pub(crate) functions: Vec<String>,
    /// With `var`.
    pub(crate) vars: BTreeSet<String>,
    /// Whether it may declare more by `eval`.
    pub(crate) evaluates: bool,
}

/// Whether statements mean something else in a block. `parameters`: the names of the function's. `is_strict`: a
/// function in a block within it is seen nowhere else.
pub(crate) fn is_bound_to_top(
    statements: &[ast::Statement<'_>],
    mut declared: Declared,
    parameters: &BTreeSet<String>,
    is_strict: bool,
) -> bool {
    let mut top = BTreeSet::new();
    for name in statements.iter().filter_map(function_name) {
        if let Some(at) = declared.functions.iter().position(|it| it == name) {
            declared.functions.swap_remove(at);
        }
        if !top.insert(name.to_owned()) {
            return true;
        }
    }
    if !top.is_disjoint(&declared.vars) {
        return true;
    }
    let within = &declared.functions;
    let is_shared = |name: &String| top.contains(name) || declared.vars.contains(name);
    let is_named = !top.is_disjoint(parameters) || declared.evaluates && !top.is_empty();
    !is_strict && (is_named || within.iter().any(is_shared))
}

/// The name that a statement declares with `function`, also behind labels.
fn function_name<'s>(statement: &'s ast::Statement<'_>) -> Option<&'s str> {
    match statement {
        ast::Statement::FunctionDeclaration(it) => it.id.as_ref().map(|it| it.name.as_str()),
        ast::Statement::LabeledStatement(it) => function_name(&it.body),
        _ => None,
    }
}
