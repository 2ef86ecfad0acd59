//! Operands in their order, and what of them has to be kept while something is awaited.

use oxc_ast::ast::{self, Expression};
use oxc_span::{GetSpan, Span};

use super::{Lowered, Lowerer};
use crate::plan::Node;
use crate::rope::{Piece, Rope, rope};

/// Names of the language that programs do not replace while they run.
const STABLE_GLOBALS: [&str; 19] = [
    "Array",
    "BigInt",
    "Boolean",
    "Date",
    "Error",
    "JSON",
    "Map",
    "Math",
    "Number",
    "Object",
    "Promise",
    "Reflect",
    "RegExp",
    "Set",
    "String",
    "Symbol",
    "TypeError",
    "console",
    "undefined",
];

/// Whether an expression is a function or a class that takes the name of what it is assigned to. Casts of
/// TypeScript go away, and parentheses stand in nobody's way (ECMA-262, 8.4.2 IsAnonymousFunctionDefinition).
pub(crate) fn takes_name(it: &Expression<'_>) -> bool {
    it.get_inner_expression().is_anonymous_function_definition()
}

/// What has to stand in front of the text of an expression so that it may be assigned to a temporary, which must not
/// give it its name; a parenthesis closes it.
pub(super) fn opening(it: &Expression<'_>) -> Option<&'static str> {
    match it {
        Expression::SequenceExpression(_) => Some("("),
        it => takes_name(it).then_some("(0, "),
    }
}

impl Lowerer<'_> {
    /// Operands that are evaluated one after the other.
    pub(super) fn operands(&mut self, all: &[&Expression<'_>], out: &mut Vec<Node>) -> Lowered {
        let last = all.iter().rposition(|it| self.awaits_in(it.span())).unwrap_or(0);
        for (index, operand) in all.iter().enumerate().take(last + 1) {
            self.expression(operand, out)?;
            if index < last {
                self.keep(operand, out);
            }
        }
        Ok(())
    }

    /// Evaluates now what later operands must not change.
    pub(super) fn keep(&mut self, it: &Expression<'_>, out: &mut Vec<Node>) {
        if self.is_stable(it) {
            return;
        }
        let temp = self.temp();
        out.push(self.assign_temp(temp, &self.unnamed(it)));
        self.leave_temp(it.span(), temp);
    }

    /// The text of an expression as it may be assigned to a temporary, which must not give it its name.
    pub(super) fn unnamed(&self, it: &Expression<'_>) -> Rope {
        self.opened(it.span(), opening(it))
    }

    /// The text of an expression with what has to stand in front of it.
    pub(super) fn opened(&self, span: Span, opening: Option<&str>) -> Rope {
        let text = self.render(span);
        match opening {
            Some(opening) => rope![opening, text, ")"],
            None => text,
        }
    }

    /// Leaves a temporary in place of an expression.
    pub(super) fn leave_temp(&mut self, span: Span, temp: usize) {
        let name = Rope::text(self.temp_name(temp));
        self.edits.replace(span, name);
    }

    /// Whether nothing but a temporary is left of an expression.
    pub(super) fn leaves_temp(&self, it: &Expression<'_>) -> bool {
        let rest = self.render(it.get_inner_expression().span());
        matches!(&rest.0[..], [Piece::Text(text)] if self.plan.temps.contains(text))
    }

    /// Whether evaluating this later gives the same, without anybody noticing.
    pub(super) fn is_stable(&self, it: &Expression<'_>) -> bool {
        match it.get_inner_expression() {
            Expression::ThisExpression(_)
            | Expression::Super(_)
            | Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::StringLiteral(_)
            | Expression::AwaitExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_) => true,
            Expression::Identifier(it) => self.is_stable_name(it),
            _ => false,
        }
    }

    /// Whether it is an array whose type follows from what is put into it by its name.
    pub(super) fn evolves(&self, it: &Expression<'_>) -> bool {
        let Expression::Identifier(it) = it.get_inner_expression() else { return false };
        let symbol =
            it.reference_id.get().and_then(|it| self.scoping.get_reference(it).symbol_id());
        self.facts.infers(self.function)
            && symbol.is_some_and(|it| self.facts.evolving.contains(&it))
    }

    fn is_stable_name(&self, it: &ast::IdentifierReference<'_>) -> bool {
        let Some(id) = it.reference_id.get() else { return false };
        match self.scoping.get_reference(id).symbol_id() {
            None => {
                !self.facts.functions[self.function].in_namespace
                    && STABLE_GLOBALS.contains(&it.name.as_str())
            }
            Some(symbol) => self.facts.is_constant(self.scoping, symbol, self.function),
        }
    }
}
