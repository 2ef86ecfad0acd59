//! Expressions.

use headstart_ir::{Inst, InstId, Key, Literal, PropKey};
use oxc_ast::ast::{self, Expression};
use oxc_span::GetSpan;
use oxc_syntax::operator::{BinaryOperator, UnaryOperator};

use super::{LONGEST_KEPT_STRING, Lowerer};

impl<'a> Lowerer<'a> {
    pub(super) fn expression(&mut self, expression: &'a Expression<'a>) -> InstId {
        use Expression as E;
        match expression {
            E::BooleanLiteral(it) => self.literal(Literal::Boolean(it.value), it.span),
            E::NullLiteral(it) => self.literal(Literal::Null, it.span),
            E::NumericLiteral(it) => self.literal(Literal::Number(index(it.value)), it.span),
            E::BigIntLiteral(it) => self.literal(Literal::BigInt, it.span),
            E::RegExpLiteral(it) => {
                let restarts = it.regex.flags.contains(ast::RegExpFlags::G);
                let moves = restarts || it.regex.flags.contains(ast::RegExpFlags::Y);
                self.literal(Literal::RegExp { moves, restarts }, it.span)
            }
            E::StringLiteral(it) => self.string(it),
            E::TemplateLiteral(it) => self.template(it),
            E::Identifier(it) => self.load(it),
            E::Super(it) => self.emit(Inst::Super, it.span),
            E::ThisExpression(it) => self.emit(Inst::This, it.span),
            E::ImportMeta(it) => self.emit(Inst::ImportMeta, it.span),
            E::NewTarget(it) => self.emit(Inst::NewTarget, it.span),
            E::ArrayExpression(it) => self.array(it),
            E::ObjectExpression(it) => self.object(it),
            E::ArrowFunctionExpression(it) => self.arrow(it, None),
            E::FunctionExpression(it) => self.function_expression(it, None),
            E::ClassExpression(it) => self.class(it, None),
            E::AssignmentExpression(it) => self.assignment(it),
            E::UpdateExpression(it) => self.update(it),
            E::AwaitExpression(it) => {
                let value = self.expression(&it.argument);
                self.emit(Inst::Await(value), it.span)
            }
            E::YieldExpression(it) => self.yield_expression(it),
            E::BinaryExpression(it) => self.binary(it),
            E::LogicalExpression(it) => self.logical(it),
            E::PrivateInExpression(it) => {
                // It throws where that is no object.
                let key = self.name(it.left.name.as_str());
                let key = self.literal(Literal::String(key), it.left.span);
                let object = self.expression(&it.right);
                self.emit(Inst::Has { key, object }, it.span)
            }
            E::UnaryExpression(it) => self.unary(it),
            E::ConditionalExpression(it) => self.ternary(it),
            E::SequenceExpression(it) => self.sequence(it),
            E::CallExpression(it) => self.call(it),
            E::NewExpression(it) => self.new_expression(it),
            E::TaggedTemplateExpression(it) => self.tagged_template(it),
            E::ImportExpression(it) => self.import_expression(it),
            E::ChainExpression(it) => self.chain(it),
            E::ParenthesizedExpression(it) => self.expression(&it.expression),
            E::JSXElement(it) => self.jsx_element(it),
            E::JSXFragment(it) => self.jsx_fragment(it),
            E::TSAsExpression(it) => {
                let value = self.expression(&it.expression);
                self.set_value_type(value, &it.type_annotation, true);
                value
            }
            E::TSSatisfiesExpression(it) => self.expression(&it.expression),
            E::TSTypeAssertion(it) => self.expression(&it.expression),
            E::TSNonNullExpression(it) => self.expression(&it.expression),
            E::TSInstantiationExpression(it) => self.expression(&it.expression),
            E::V8IntrinsicExpression(it) => self.emit(Inst::Opaque, it.span),
            E::ComputedMemberExpression(_)
            | E::StaticMemberExpression(_)
            | E::PrivateFieldExpression(_) => self.member_expression(expression),
        }
    }

    fn literal(&mut self, literal: Literal, span: oxc_span::Span) -> InstId {
        self.emit(Inst::Literal(literal), span)
    }

    pub(super) fn string(&mut self, literal: &'a ast::StringLiteral<'a>) -> InstId {
        self.note_multiline(literal.span);
        let is_kept =
            literal.value.len() <= LONGEST_KEPT_STRING || is_query([literal.value.as_str()]);
        let literal_kind = if is_kept {
            Literal::String(self.name(literal.value.as_str()))
        } else {
            Literal::LongString
        };
        self.literal(literal_kind, literal.span)
    }

    pub(super) fn template(&mut self, template: &'a ast::TemplateLiteral<'a>) -> InstId {
        self.note_quasis(template);
        let texts = template.quasis.iter().filter_map(|it| it.value.cooked);
        let is_query = is_query(texts.clone().map(|it| it.as_str()));
        let is_command = texts.clone().next().is_some_and(|it| it.starts_with(COMMAND));
        let has_parts = !template.expressions.is_empty();
        let mut parts: Vec<InstId> = Vec::with_capacity(template.expressions.len() + 1);
        let mut expressions = template.expressions.iter();
        for (index, quasi) in template.quasis.iter().enumerate() {
            let text = quasi.value.cooked.map(|it| it.as_str());
            // What it begins with says where a path leads, a part without blanks which file or key is meant.
            let says = |it: &str| index == 0 || is_command || !it.contains(char::is_whitespace);
            let is_kept = |it: &&str| is_query || (it.len() <= LONGEST_KEPT_STRING && says(it));
            let span = if has_parts { quasi.span } else { template.span };
            match text.filter(is_kept) {
                Some("") if has_parts => {}
                Some(text) => {
                    let name = self.name(text);
                    parts.push(self.emit(Inst::Literal(Literal::String(name)), span));
                }
                None if text == Some("") => {}
                None => parts.push(self.emit(Inst::Literal(Literal::LongString), span)),
            }
            let Some(part) = expressions.next() else { continue };
            let value = self.expression(part);
            parts.push(value);
            // Each is converted before the next is evaluated (ECMA-262, 13.2.8.5).
            let is_followed = self.may_suspend(expressions.as_slice());
            if is_followed && !matches!(self.ir.inst(value), Inst::Literal(_) | Inst::Template(_)) {
                self.emit(Inst::Convert(value), part.span());
            }
        }
        if let (false, [literal]) = (has_parts, parts.as_slice()) {
            return *literal;
        }
        let args = self.list(&parts);
        self.emit(Inst::Template(args), template.span)
    }

    /// Whether the text of expressions has a word by which a function hands over to others.
    fn may_suspend(&self, expressions: &[Expression<'a>]) -> bool {
        let (Some(first), Some(last)) = (expressions.first(), expressions.last()) else {
            return false;
        };
        let range = first.span().start as usize..last.span().end as usize;
        let text = self.source.get(range).unwrap_or_default();
        text.contains("await") || text.contains("yield")
    }

    pub(super) fn note_quasis(&mut self, template: &'a ast::TemplateLiteral<'a>) {
        for quasi in &template.quasis {
            self.note_multiline(quasi.span);
        }
    }

    fn array(&mut self, array: &'a ast::ArrayExpression<'a>) -> InstId {
        let mut items = Vec::with_capacity(array.elements.len());
        for element in &array.elements {
            match element {
                ast::ArrayExpressionElement::SpreadElement(spread) => {
                    items.push(self.spread(spread));
                }
                ast::ArrayExpressionElement::Elision(hole) => {
                    items.push(self.emit(Inst::Literal(Literal::Undefined), hole.span));
                }
                _ => {
                    if let Some(expression) = element.as_expression() {
                        items.push(self.expression(expression));
                    }
                }
            }
        }
        let args = self.list(&items);
        self.emit(Inst::Array(args), array.span)
    }

    pub(super) fn spread(&mut self, spread: &'a ast::SpreadElement<'a>) -> InstId {
        let value = self.expression(&spread.argument);
        self.emit(Inst::Spread(value), spread.span)
    }

    fn object(&mut self, object: &'a ast::ObjectExpression<'a>) -> InstId {
        let id = self.emit(Inst::Object, object.span);
        for property in &object.properties {
            match property {
                ast::ObjectPropertyKind::ObjectProperty(property) => {
                    self.object_property(id, property);
                }
                ast::ObjectPropertyKind::SpreadProperty(spread) => {
                    let value = self.expression(&spread.argument);
                    self.emit(Inst::CopyProps { object: id, value }, spread.span);
                }
            }
        }
        id
    }

    fn object_property(&mut self, object: InstId, property: &'a ast::ObjectProperty<'a>) {
        let key = self.property_key(&property.key, property.computed);
        if property.kind == ast::PropertyKind::Init {
            let hint = match key.get() {
                Key::Name(name) => Some(name),
                Key::Private(_) | Key::Computed(_) => None,
            };
            let value = match &property.value {
                Expression::FunctionExpression(function) if property.method => {
                    self.method(function, hint)
                }
                value => self.named_expression(value, hint),
            };
            self.emit(Inst::Set { object, key, value }, property.span);
        } else if let Expression::FunctionExpression(function) = &property.value {
            let name = match key.get() {
                Key::Name(name) => Some(name),
                Key::Private(_) | Key::Computed(_) => None,
            };
            let function = self.accessor(function, name);
            let is_setter = property.kind == ast::PropertyKind::Set;
            self.emit(Inst::Accessor { object, key, function, is_setter }, property.span);
        }
    }

    /// An expression whose function or class takes the name of what it is assigned to.
    pub(super) fn named_expression(
        &mut self,
        expression: &'a Expression<'a>,
        name: Option<headstart_ir::NameId>,
    ) -> InstId {
        match expression {
            Expression::ArrowFunctionExpression(it) => self.arrow(it, name),
            Expression::FunctionExpression(it) => self.function_expression(it, name),
            Expression::ClassExpression(it) => self.class(it, name),
            _ => self.expression(expression),
        }
    }

    /// The key of a property, its computation emitted where it has one.
    pub(super) fn property_key(
        &mut self,
        key: &'a ast::PropertyKey<'a>,
        computed: bool,
    ) -> PropKey {
        let key = match key {
            ast::PropertyKey::StaticIdentifier(it) => Key::Name(self.name(it.name.as_str())),
            ast::PropertyKey::PrivateIdentifier(it) => Key::Private(self.name(it.name.as_str())),
            ast::PropertyKey::StringLiteral(it) if it.value.len() <= LONGEST_KEPT_STRING => {
                Key::Name(self.name(it.value.as_str()))
            }
            ast::PropertyKey::NumericLiteral(it) if !computed => {
                Key::Name(self.name(it.raw.as_ref().map_or("", |raw| raw.as_str())))
            }
            _ => match key.as_expression() {
                Some(expression) => Key::Computed(self.expression(expression)),
                None => Key::Computed(self.undefined(key.span())),
            },
        };
        PropKey::new(key)
    }

    fn yield_expression(&mut self, it: &'a ast::YieldExpression<'a>) -> InstId {
        let value = match &it.argument {
            Some(argument) => self.expression(argument),
            None => self.undefined(it.span),
        };
        let inst = if it.delegate { Inst::YieldAll(value) } else { Inst::Yield(value) };
        self.emit(inst, it.span)
    }

    /// Long chains of one operator nest to the left thousands deep in generated code, so the left
    /// spine is walked by a loop.
    fn binary(&mut self, expression: &'a ast::BinaryExpression<'a>) -> InstId {
        let mut spine = vec![expression];
        let mut leftmost = &expression.left;
        while let Expression::BinaryExpression(inner) = leftmost {
            spine.push(inner);
            leftmost = &inner.left;
        }
        let mut left = self.expression(leftmost);
        while let Some(node) = spine.pop() {
            let right = self.expression(&node.right);
            left = self.emit(binary_inst(node, left, right), node.span);
            if matches!(
                node.operator,
                BinaryOperator::Inequality | BinaryOperator::StrictInequality
            ) {
                self.ir.inequalities.push(left);
            }
        }
        left
    }

    fn logical(&mut self, expression: &'a ast::LogicalExpression<'a>) -> InstId {
        let mut spine = vec![expression];
        let mut leftmost = &expression.left;
        while let Expression::LogicalExpression(inner) = leftmost {
            spine.push(inner);
            leftmost = &inner.left;
        }
        let mut left = self.expression(leftmost);
        while let Some(node) = spine.pop() {
            let conditional = self.open(left, node.right.span());
            let right = self.expression(&node.right);
            self.close(conditional);
            left = self.emit(Inst::Select(left, right), node.span);
            match node.operator {
                ast::LogicalOperator::And => self.ir.conjunctions.push(left),
                ast::LogicalOperator::Or => self.ir.disjunctions.push(left),
                ast::LogicalOperator::Coalesce => self.ir.coalescings.push(left),
            }
        }
        left
    }

    fn unary(&mut self, it: &'a ast::UnaryExpression<'a>) -> InstId {
        if it.operator == UnaryOperator::Delete {
            return self.delete(it);
        }
        let value = self.expression(&it.argument);
        let inst = match it.operator {
            UnaryOperator::LogicalNot | UnaryOperator::Typeof | UnaryOperator::Void => {
                Inst::Pure1(value)
            }
            _ => Inst::Convert(value),
        };
        self.emit(inst, it.span)
    }

    fn ternary(&mut self, it: &'a ast::ConditionalExpression<'a>) -> InstId {
        let test = self.expression(&it.test);
        let conditional = self.open(test, it.consequent.span());
        let then = self.expression(&it.consequent);
        self.close(conditional);
        let conditional = self.open(test, it.alternate.span());
        let otherwise = self.expression(&it.alternate);
        self.close(conditional);
        self.emit(Inst::Select(then, otherwise), it.span)
    }

    fn sequence(&mut self, it: &'a ast::SequenceExpression<'a>) -> InstId {
        let mut last = None;
        for expression in &it.expressions {
            last = Some(self.expression(expression));
        }
        last.unwrap_or_else(|| self.undefined(it.span))
    }
}

fn binary_inst(node: &ast::BinaryExpression<'_>, left: InstId, right: InstId) -> Inst {
    let operator = node.operator;
    match operator {
        BinaryOperator::StrictEquality | BinaryOperator::StrictInequality => {
            Inst::Pure2(left, right)
        }
        BinaryOperator::In => Inst::Has { key: left, object: right },
        BinaryOperator::Instanceof => Inst::InstanceOf { value: left, class: right },
        _ => Inst::Operator {
            left,
            right,
            plus: operator == BinaryOperator::Addition,
            is_partial: is_partial(operator, &node.right),
        },
    }
}

/// By how many digits a literal big integer may be written that makes no result too large.
const LONGEST_EXPONENT: usize = 4;

/// Whether an operator throws for some big integers on its left.
pub(super) fn is_partial(operator: BinaryOperator, right: &Expression<'_>) -> bool {
    let literal = match right.get_inner_expression() {
        Expression::BigIntLiteral(it) => Some(it.value.as_str()),
        _ => None,
    };
    match operator {
        BinaryOperator::Division | BinaryOperator::Remainder => literal.is_none_or(|it| it == "0"),
        BinaryOperator::Exponential | BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
            literal.is_none_or(|it| it.len() > LONGEST_EXPONENT)
        }
        BinaryOperator::ShiftRightZeroFill => true,
        _ => false,
    }
}

/// A number that may be the index of one of the first elements of an array.
pub(super) fn index(value: f64) -> Option<u8> {
    (0..=u8::MAX).find(|&it| f64::from(it) == value)
}

/// Queries up to this many bytes are kept.
const LONGEST_QUERY: usize = 16 * 1024;

/// How command lines begin whose words are put together: of the programs in `models/commands.json`, hardly any other
/// is run like that.
const COMMAND: &str = "git ";

/// Whether a text may be a query in SQL, or a part of one.
fn is_query<'t>(parts: impl IntoIterator<Item = &'t str>) -> bool {
    let mut length = 0;
    let mut found = false;
    for part in parts {
        length += part.len();
        if length > LONGEST_QUERY {
            return false;
        }
        found = found || has_select(part);
    }
    found
}

/// Whether a text has the word `select`.
fn has_select(text: &str) -> bool {
    let word = b"select";
    let is_part = |it: Option<&u8>| it.is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
    let bytes = text.as_bytes();
    bytes.windows(word.len()).enumerate().any(|(at, it)| {
        let before = at.checked_sub(1).and_then(|it| bytes.get(it));
        it.eq_ignore_ascii_case(word) && !is_part(before) && !is_part(bytes.get(at + word.len()))
    })
}
