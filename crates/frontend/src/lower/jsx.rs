//! JSX: an element is a call of the project's factory with its tag, attributes and children.

use headstart_ir::{Inst, InstId, Key, Literal, PropKey};
use oxc_ast::ast;

use super::Lowerer;

impl<'a> Lowerer<'a> {
    pub(super) fn jsx_element(&mut self, element: &'a ast::JSXElement<'a>) -> InstId {
        let opening = &element.opening_element;
        let mut values = vec![self.jsx_name(&opening.name)];
        for attribute in &opening.attributes {
            match attribute {
                ast::JSXAttributeItem::Attribute(it) => {
                    if let Some(value) = &it.value {
                        values.push(self.jsx_attribute(value));
                    }
                }
                ast::JSXAttributeItem::SpreadAttribute(it) => {
                    let value = self.expression(&it.argument);
                    values.push(self.emit(Inst::Spread(value), it.span));
                }
            }
        }
        self.jsx_children(&element.children, &mut values);
        let args = self.list(&values);
        self.emit(Inst::Jsx(args), element.span)
    }

    pub(super) fn jsx_fragment(&mut self, fragment: &'a ast::JSXFragment<'a>) -> InstId {
        let mut values = Vec::new();
        self.jsx_children(&fragment.children, &mut values);
        let args = self.list(&values);
        self.emit(Inst::Jsx(args), fragment.span)
    }

    fn jsx_children(&mut self, children: &'a [ast::JSXChild<'a>], values: &mut Vec<InstId>) {
        for child in children {
            match child {
                ast::JSXChild::Text(_) => {}
                ast::JSXChild::Element(it) => values.push(self.jsx_element(it)),
                ast::JSXChild::Fragment(it) => values.push(self.jsx_fragment(it)),
                ast::JSXChild::ExpressionContainer(it) => {
                    if let Some(expression) = it.expression.as_expression() {
                        values.push(self.expression(expression));
                    }
                }
                ast::JSXChild::Spread(it) => {
                    let value = self.expression(&it.expression);
                    values.push(self.emit(Inst::Spread(value), it.span));
                }
            }
        }
    }

    fn jsx_attribute(&mut self, value: &'a ast::JSXAttributeValue<'a>) -> InstId {
        match value {
            ast::JSXAttributeValue::StringLiteral(it) => self.string(it),
            ast::JSXAttributeValue::ExpressionContainer(it) => {
                match it.expression.as_expression() {
                    Some(expression) => self.expression(expression),
                    None => self.undefined(it.span),
                }
            }
            ast::JSXAttributeValue::Element(it) => self.jsx_element(it),
            ast::JSXAttributeValue::Fragment(it) => self.jsx_fragment(it),
        }
    }

    fn jsx_name(&mut self, name: &'a ast::JSXElementName<'a>) -> InstId {
        match name {
            ast::JSXElementName::Identifier(it) => {
                let name = self.name(it.name.as_str());
                self.emit(Inst::Literal(Literal::String(name)), it.span)
            }
            ast::JSXElementName::IdentifierReference(it) => self.load(it),
            ast::JSXElementName::NamespacedName(it) => {
                self.emit(Inst::Literal(Literal::LongString), it.span)
            }
            ast::JSXElementName::MemberExpression(it) => self.jsx_member(it),
            ast::JSXElementName::ThisExpression(it) => self.emit(Inst::This, it.span),
        }
    }

    fn jsx_member(&mut self, member: &'a ast::JSXMemberExpression<'a>) -> InstId {
        let object = match &member.object {
            ast::JSXMemberExpressionObject::IdentifierReference(it) => self.load(it),
            ast::JSXMemberExpressionObject::MemberExpression(it) => self.jsx_member(it),
            ast::JSXMemberExpressionObject::ThisExpression(it) => self.emit(Inst::This, it.span),
        };
        let key = PropKey::new(Key::Name(self.name(member.property.name.as_str())));
        self.emit(Inst::Get { object, key }, member.span)
    }
}
