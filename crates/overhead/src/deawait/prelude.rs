//! What compilers put in front of the call of a helper: `var _this = this` and the like.

use oxc_ast::ast::{self, Expression, Statement};
use oxc_semantic::Scoping;

use super::helpers::symbol_of;

/// The names that statements declare; nothing if one of them does more than to declare variables
/// whose values cannot fail and cannot be seen.
pub(crate) fn names(statements: &[Statement<'_>], scoping: &Scoping) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for statement in statements {
        let Statement::VariableDeclaration(declaration) = statement else { return None };
        if declaration.kind.is_using() {
            return None;
        }
        for it in &declaration.declarations {
            let id = it.id.get_binding_identifier()?;
            if !it.init.as_ref().is_none_or(|init| is_harmless(init, scoping)) {
                return None;
            }
            names.push(id.name.to_string());
        }
    }
    Some(names)
}

fn is_harmless(it: &Expression<'_>, scoping: &Scoping) -> bool {
    match it.without_parentheses() {
        Expression::ThisExpression(_) => true,
        Expression::Identifier(it) => {
            symbol_of(it, scoping).is_none() && ["arguments", "undefined"].contains(&&*it.name)
        }
        Expression::CallExpression(it) => is_super_object(it, scoping),
        it => it.is_literal() || it.is_void_0() || it.is_function(),
    }
}

/// TypeScript's `Object.create(null, { name: { get: () => super.name } })`.
fn is_super_object(it: &ast::CallExpression<'_>, scoping: &Scoping) -> bool {
    let Expression::StaticMemberExpression(callee) = &it.callee else { return false };
    let is_object = matches!(&callee.object, Expression::Identifier(it)
        if it.name == "Object" && symbol_of(it, scoping).is_none());
    let [ast::Argument::NullLiteral(_), ast::Argument::ObjectExpression(members)] =
        it.arguments.as_slice()
    else {
        return false;
    };
    is_object
        && callee.property.name == "create"
        && members.properties.iter().all(|member| {
            member.as_property().is_some_and(|member| {
                !member.computed
                    && matches!(&member.value, Expression::ObjectExpression(it)
                        if it.properties.iter().all(|it| it.as_property()
                            .is_some_and(|it| !it.computed && it.value.is_function())))
            })
        })
}
