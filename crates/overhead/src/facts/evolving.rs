//! Variables whose type TypeScript takes from what becomes of them: arrays without elements at first, whose
//! elements are what is put into them by `push`, `unshift` and assignments, by the name of the variable.

use oxc_ast::ast;
use oxc_span::GetSpan;

use super::TypeText;
use super::collect::Collector;

impl Collector<'_> {
    /// Notes whether TypeScript takes the type of a variable from what becomes of it.
    pub(super) fn note_evolving(&mut self, it: &ast::VariableDeclarator<'_>) {
        let symbol = it.id.get_binding_identifier().and_then(|id| id.symbol_id.get());
        let Some(symbol) = symbol else { return };
        if let Some(annotation) = &it.type_annotation {
            let written = TypeText::Written(annotation.type_annotation.span());
            self.facts.says_type.insert(symbol, written);
            return;
        }
        if let Some(type_) = it.init.as_ref().and_then(primitive) {
            self.facts.says_type.insert(symbol, TypeText::Primitive(type_));
        }
        match &it.init {
            None => drop(self.open.insert(symbol)),
            Some(init) if init.is_null_or_undefined() => drop(self.open.insert(symbol)),
            Some(init) if is_empty_array(init) => drop(self.facts.evolving.insert(symbol)),
            Some(_) => {}
        }
    }

    /// Notes it if an array without elements is assigned to such a variable.
    pub(super) fn note_assigned(&mut self, it: &ast::AssignmentExpression<'_>) {
        let ast::AssignmentTarget::AssignmentTargetIdentifier(id) = &it.left else { return };
        let reference = id.reference_id.get().filter(|_| is_empty_array(&it.right));
        let symbol = reference.and_then(|it| self.scoping.get_reference(it).symbol_id());
        self.facts.evolving.extend(symbol.filter(|it| self.open.contains(it)));
    }
}

fn is_empty_array(it: &ast::Expression<'_>) -> bool {
    matches!(it, ast::Expression::ArrayExpression(it) if it.elements.is_empty())
}

/// The type of a variable that may change, by its first value.
fn primitive(it: &ast::Expression<'_>) -> Option<&'static str> {
    match it {
        ast::Expression::NumericLiteral(_) => Some("number"),
        ast::Expression::StringLiteral(_) | ast::Expression::TemplateLiteral(_) => Some("string"),
        ast::Expression::BooleanLiteral(_) => Some("boolean"),
        _ => None,
    }
}
