//! What async functions give, by their form: a primitive value need not be asked for its `then`.
//!
//! Only where to look rests on it, never whether: what is of another type is looked at.

use oxc_ast::ast::{self, Expression};
use oxc_syntax::operator::{BinaryOperator, UnaryOperator};

use super::collect::Collector;
use super::{Facts, TypeText};
use crate::rope::{Rope, rope};

/// What `typeof` says of what a function gives: nothing, if that may be one thing or another.
pub(crate) type Gives = Option<&'static str>;

impl Facts {
    /// What those async functions of the file give that have a name.
    pub(crate) fn gives(&self, name: &str) -> Gives {
        self.gives_of.get(name).copied().flatten()
    }

    /// Collects what the async functions of each name give.
    pub(super) fn collect_gives(&mut self) {
        for function in self.functions.iter().filter(|it| it.is_async) {
            let Some(name) = &function.name else { continue };
            let gives = function.gives.unwrap_or(Some("undefined"));
            let known = self.gives_of.entry(name.clone()).or_insert(gives);
            *known = known.filter(|it| Some(*it) == gives);
        }
    }
}

impl Collector<'_> {
    /// Notes what the function that is being read returns in one place.
    pub(super) fn note_returned(&mut self, value: Option<&Expression<'_>>) {
        let gives = value.map_or(Some("undefined"), |it| self.type_of(it));
        let Some(&function) = self.stack.last() else { return };
        let known = &mut self.facts.functions[function].gives;
        *known = Some(known.map_or(gives, |it| it.filter(|it| Some(*it) == gives)));
    }

    /// The type of a value by its form, or by that of its first value, if it is a variable.
    fn type_of(&self, it: &Expression<'_>) -> Gives {
        let both = |a, b| self.type_of(a).filter(|it| Some(*it) == self.type_of(b));
        match it.get_inner_expression() {
            Expression::BooleanLiteral(_) => Some("boolean"),
            Expression::NumericLiteral(_) | Expression::UpdateExpression(_) => Some("number"),
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => Some("string"),
            Expression::UnaryExpression(it) => Some(match it.operator {
                UnaryOperator::LogicalNot | UnaryOperator::Delete => "boolean",
                UnaryOperator::Typeof => "string",
                UnaryOperator::Void => "undefined",
                UnaryOperator::UnaryPlus
                | UnaryOperator::UnaryNegation
                | UnaryOperator::BitwiseNot => "number",
            }),
            Expression::BinaryExpression(it) => Some(self.type_of_operator(it)),
            Expression::LogicalExpression(it) => both(&it.left, &it.right),
            Expression::ConditionalExpression(it) => both(&it.consequent, &it.alternate),
            Expression::Identifier(id) => {
                let reference = self.scoping.get_reference(id.reference_id.get()?);
                match self.facts.says_type.get(&reference.symbol_id()?)? {
                    TypeText::Primitive(name) => Some(*name),
                    TypeText::Written(_) => None,
                }
            }
            _ => None,
        }
    }

    fn type_of_operator(&self, it: &ast::BinaryExpression<'_>) -> &'static str {
        use BinaryOperator::{Addition, In, Instanceof};
        match it.operator {
            In | Instanceof => "boolean",
            it if it.is_equality() || it.is_compare() => "boolean",
            Addition
                if [&it.left, &it.right].iter().any(|it| self.type_of(it) == Some("string")) =>
            {
                "string"
            }
            _ => "number",
        }
    }
}

/// Whether a value is of another type; `again`: what holds it then. That a value is no boolean, V8 finds out by comparing it with both,
/// also where it knows that it is one.
pub(crate) fn is_other(type_: &str, value: &Rope, again: &str) -> Rope {
    match type_ {
        "undefined" => rope![value, " !== void 0"],
        "boolean" => {
            let is_function = rope!["typeof ", again, " === \"function\")"];
            rope!["(typeof ", value, " === \"object\" || ", is_function]
        }
        _ => rope!["typeof ", value, " !== \"", type_, "\""],
    }
}
