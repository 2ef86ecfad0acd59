//! What classes and objects have as members, and under which names.

use oxc_ast::ast::{self, Expression, PropertyKey};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Naming;

/// Where the classes begin that are evaluated once, by a statement of the file itself.
pub(super) fn root_classes(program: &ast::Program<'_>) -> FxHashSet<u32> {
    let mut starts = FxHashSet::default();
    let declared = |it: &ast::VariableDeclaration<'_>| {
        it.declarations.iter().filter_map(|it| it.init.as_ref()).filter_map(class_of).collect()
    };
    for statement in &program.body {
        let found: Vec<u32> = match statement {
            ast::Statement::ClassDeclaration(it) => vec![it.span.start],
            ast::Statement::VariableDeclaration(it) => declared(it),
            ast::Statement::ExportDeclaration(it) => match &it.declaration {
                ast::Declaration::ClassDeclaration(it) => vec![it.span.start],
                ast::Declaration::VariableDeclaration(it) => declared(it),
                _ => Vec::new(),
            },
            ast::Statement::ExportDefaultDeclaration(it) => match &it.declaration {
                ast::ExportDefaultDeclarationKind::ClassDeclaration(it) => vec![it.span.start],
                _ => Vec::new(),
            },
            ast::Statement::ExpressionStatement(it) => match &it.expression {
                Expression::AssignmentExpression(it) => class_of(&it.right).into_iter().collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        starts.extend(found);
    }
    starts
}

fn class_of(it: &Expression<'_>) -> Option<u32> {
    match it {
        Expression::ClassExpression(it) => Some(it.span.start),
        _ => None,
    }
}

/// What a function under a key is named after.
pub(super) fn key_name(key: &PropertyKey<'_>, computed: bool) -> Naming {
    match key.static_name() {
        Some(name) if !computed => Naming::after(&name),
        _ => Naming::Unknown,
    }
}

/// Where the methods of a class begin that no other member may take the place of.
pub(super) fn own_methods(body: &ast::ClassBody<'_>) -> Vec<u32> {
    let mut named: FxHashMap<(bool, String), Vec<u32>> = FxHashMap::default();
    for element in &body.body {
        let (key, computed, is_static, start) = match element {
            ast::ClassElement::MethodDefinition(it) if it.value.body.is_some() => {
                (&it.key, it.computed, it.r#static, it.span.start)
            }
            ast::ClassElement::AccessorProperty(it) => {
                (&it.key, it.computed, it.r#static, it.span.start)
            }
            _ => continue,
        };
        if computed && !is_symbol(key) {
            return Vec::new();
        }
        if let Some(name) = key.static_name() {
            named.entry((is_static, name.to_string())).or_default().push(start);
        }
    }
    named.into_values().filter(|it| it.len() == 1).flatten().collect()
}

/// Where the methods of an object begin that nothing which comes behind them takes the place of, and whose names can stand between
/// quotation marks as they are.
pub(super) fn lasting_methods(it: &ast::ObjectExpression<'_>) -> Vec<u32> {
    let mut behind = FxHashSet::default();
    let mut lasting = Vec::new();
    for property in it.properties.iter().rev() {
        let ast::ObjectPropertyKind::ObjectProperty(property) = property else { break };
        // What a number is called is for the language to say.
        let is_name = matches!(
            &property.key,
            PropertyKey::StaticIdentifier(_) | PropertyKey::StringLiteral(_)
        );
        let name = property.key.static_name().filter(|_| is_name && !property.computed);
        let Some(name) = name else { break };
        let is_plain =
            name.bytes().all(|it| matches!(it, b' '..=b'~') && it != b'"' && it != b'\\');
        if behind.insert(name.to_string()) && property.method && is_plain {
            lasting.push(property.span.start);
        }
    }
    lasting
}

/// Whether a key is `Symbol.something`.
fn is_symbol(it: &PropertyKey<'_>) -> bool {
    matches!(it, PropertyKey::StaticMemberExpression(it) if it.object.is_specific_id("Symbol"))
}
