//! Variables whose type TypeScript takes from what becomes of them: arrays without elements at first, whose
//! elements are what is put into them by `push`, `unshift` and assignments, by the name of the variable.

use oxc_ast::ast;

use super::collect::Collector;

impl Collector<'_> {
    /// Notes whether TypeScript takes the type of a variable from what becomes of it.
    pub(super) fn note_evolving(&mut self, it: &ast::VariableDeclarator<'_>) {
        let symbol = it.id.get_binding_identifier().and_then(|id| id.symbol_id.get());
        let Some(symbol) = symbol.filter(|_| it.type_annotation.is_none()) else { return };
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
