//! Members that the text names: `o.m`, and `o["m"]`, which is the same.

use oxc_ast::ast::Expression;
use oxc_span::{GetSpan, Span};

use crate::rope::{Rope, rope};

/// A member by its name.
#[derive(Clone, Copy)]
pub(crate) struct Named<'t, 'a> {
    /// What it is read of.
    pub(crate) object: &'t Expression<'a>,
    pub(crate) name: &'t str,
    /// Where the name stands, with its quotation marks.
    pub(crate) span: Span,
    is_quoted: bool,
    /// `o?.m`
    pub(crate) optional: bool,
}

/// What an expression names, if it is such a member.
pub(crate) fn named<'t, 'a>(it: &'t Expression<'a>) -> Option<Named<'t, 'a>> {
    match it {
        Expression::StaticMemberExpression(it) => Some(Named {
            object: &it.object,
            name: it.property.name.as_str(),
            span: it.property.span,
            is_quoted: false,
            optional: it.optional,
        }),
        Expression::ComputedMemberExpression(it) => {
            let Expression::StringLiteral(key) = &it.expression else { return None };
            Some(Named {
                object: &it.object,
                name: key.value.as_str(),
                span: key.span,
                is_quoted: true,
                optional: it.optional,
            })
        }
        _ => None,
    }
}

impl Named<'_, '_> {
    /// The text that reads it of what is written as `object`.
    pub(crate) fn read_of(&self, object: impl Into<Rope>, source: &str) -> Rope {
        let name = self.span.source_text(source);
        if self.is_quoted {
            rope![object.into(), "[", name, "]"]
        } else {
            rope![object.into(), ".", name]
        }
    }
}

/// Where the name begins of what is called, if it has one.
pub(crate) fn name_of_callee(it: &Expression<'_>) -> Option<Span> {
    match it.without_parentheses() {
        Expression::Identifier(it) => Some(it.span),
        Expression::PrivateFieldExpression(it) => Some(it.field.span),
        it => named(it).map(|it| it.span),
    }
}

/// The same, or where all of it stands.
pub(crate) fn place_of_callee(it: &Expression<'_>) -> Span {
    name_of_callee(it).unwrap_or_else(|| it.without_parentheses().span())
}
