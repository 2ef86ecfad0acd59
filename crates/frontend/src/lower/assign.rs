//! Assignments and patterns.

use headstart_ir::{Inst, InstId, Key, PatternShape, PropKey, TypeHint};
use oxc_ast::ast::{
    self, AssignmentTarget, AssignmentTargetMaybeDefault, AssignmentTargetProperty, BindingPattern,
    Expression,
};
use oxc_span::GetSpan;
use oxc_syntax::operator::AssignmentOperator;

use super::expr::is_partial;
use super::{Lowerer, var_of};

/// A place that can be assigned to, its object and key already evaluated.
#[derive(Clone, Copy)]
enum Place<'a> {
    Variable(&'a ast::IdentifierReference<'a>),
    Property {
        object: InstId,
        key: PropKey,
    },
    /// Something that cannot be assigned to, or that the IR does not describe.
    Unknown,
}

impl<'a> Lowerer<'a> {
    pub(super) fn assignment(&mut self, it: &'a ast::AssignmentExpression<'a>) -> InstId {
        match &it.left {
            AssignmentTarget::ArrayAssignmentTarget(_)
            | AssignmentTarget::ObjectAssignmentTarget(_) => {
                let value = self.expression(&it.right);
                self.assign_target(&it.left, value);
                value
            }
            _ => match it.left.as_simple_assignment_target() {
                Some(target) => self.simple_assignment(it, target),
                None => self.expression(&it.right),
            },
        }
    }

    fn simple_assignment(
        &mut self,
        it: &'a ast::AssignmentExpression<'a>,
        target: &'a ast::SimpleAssignmentTarget<'a>,
    ) -> InstId {
        let place = self.place(target);
        if it.operator == AssignmentOperator::Assign {
            let name = match place {
                Place::Variable(identifier) => Some(self.name(identifier.name.as_str())),
                // ECMA-262 gives it no name, but people do.
                Place::Property { key, .. } => match key.get() {
                    Key::Name(name) => Some(name),
                    Key::Private(_) | Key::Computed(_) => None,
                },
                Place::Unknown => None,
            };
            let value = self.named_expression(&it.right, name);
            self.write(place, value, it.span);
            return value;
        }
        let old = self.read(place, target.span());
        if it.operator.is_logical() {
            let conditional = self.open(old, it.right.span());
            let value = self.expression(&it.right);
            self.write(place, value, it.span);
            self.close(conditional);
            let selected = self.emit(Inst::Select(old, value), it.span);
            match it.operator {
                AssignmentOperator::LogicalOr => self.ir.disjunctions.push(selected),
                AssignmentOperator::LogicalNullish => self.ir.coalescings.push(selected),
                _ => {}
            }
            return selected;
        }
        let right = self.expression(&it.right);
        let plus = it.operator == AssignmentOperator::Addition;
        let operator = it.operator.to_binary_operator();
        let is_partial = operator.is_some_and(|of| is_partial(of, &it.right));
        let value = self.emit(Inst::Operator { left: old, right, plus, is_partial }, it.span);
        self.write(place, value, it.span);
        value
    }

    pub(super) fn update(&mut self, it: &'a ast::UpdateExpression<'a>) -> InstId {
        let place = self.place(&it.argument);
        let old = self.read(place, it.argument.span());
        let value = self.emit(Inst::Convert(old), it.span);
        self.write(place, value, it.span);
        value
    }

    fn place(&mut self, target: &'a ast::SimpleAssignmentTarget<'a>) -> Place<'a> {
        use ast::SimpleAssignmentTarget as T;
        match target {
            T::AssignmentTargetIdentifier(identifier) => Place::Variable(identifier),
            T::StaticMemberExpression(it) => {
                let object = self.expression(&it.object);
                Place::Property { object, key: self.static_key(it) }
            }
            T::ComputedMemberExpression(it) => {
                let object = self.expression(&it.object);
                Place::Property { object, key: self.computed_key(it) }
            }
            T::PrivateFieldExpression(it) => {
                let object = self.expression(&it.object);
                Place::Property { object, key: self.private_key(it) }
            }
            T::TSAsExpression(it) => self.place_in(&it.expression),
            T::TSSatisfiesExpression(it) => self.place_in(&it.expression),
            T::TSNonNullExpression(it) => self.place_in(&it.expression),
            T::TSTypeAssertion(it) => self.place_in(&it.expression),
        }
    }

    /// The place under a type assertion: `(x as any) = 1`.
    fn place_in(&mut self, expression: &'a Expression<'a>) -> Place<'a> {
        match expression.get_inner_expression() {
            Expression::Identifier(identifier) => Place::Variable(identifier),
            Expression::StaticMemberExpression(it) => {
                let object = self.expression(&it.object);
                Place::Property { object, key: self.static_key(it) }
            }
            Expression::ComputedMemberExpression(it) => {
                let object = self.expression(&it.object);
                Place::Property { object, key: self.computed_key(it) }
            }
            Expression::PrivateFieldExpression(it) => {
                let object = self.expression(&it.object);
                Place::Property { object, key: self.private_key(it) }
            }
            other => {
                self.expression(other);
                Place::Unknown
            }
        }
    }

    fn read(&mut self, place: Place<'a>, span: oxc_span::Span) -> InstId {
        match place {
            Place::Variable(identifier) => self.load(identifier),
            Place::Property { object, key } => self.emit(Inst::Get { object, key }, span),
            Place::Unknown => self.emit(Inst::Opaque, span),
        }
    }

    fn write(&mut self, place: Place<'a>, value: InstId, span: oxc_span::Span) {
        match place {
            Place::Variable(identifier) => match self.variable_of(identifier) {
                Some(var) => self.store(var, value, span),
                None => {
                    let name = self.name(identifier.name.as_str());
                    self.emit(Inst::StoreGlobal { name, value }, span);
                }
            },
            Place::Property { object, key } => {
                self.emit(Inst::Set { object, key, value }, span);
            }
            Place::Unknown => {
                self.emit(Inst::Opaque, span);
            }
        }
    }

    /// Assigns `value` to a target that may be a pattern.
    pub(super) fn assign_target(&mut self, target: &'a AssignmentTarget<'a>, value: InstId) {
        match target {
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                for element in &array.elements {
                    let place = element.as_ref().and_then(|it| self.place_of(it));
                    let item = self.emit(Inst::Iterate(value), array.span);
                    if let Some(element) = element {
                        self.assign_maybe_default(element, place, item);
                    }
                }
                self.iterate_nothing(array.elements.len(), array.rest.is_some(), value, array.span);
                if let Some(rest) = &array.rest {
                    self.assign_rest(rest, value);
                }
            }
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                for property in &object.properties {
                    self.assign_property(property, value);
                }
                if let Some(rest) = &object.rest {
                    self.assign_rest(rest, value);
                }
            }
            _ => {
                if let Some(simple) = target.as_simple_assignment_target() {
                    let place = self.place(simple);
                    self.write(place, value, simple.span());
                }
            }
        }
    }

    fn assign_property(&mut self, property: &'a AssignmentTargetProperty<'a>, value: InstId) {
        match property {
            AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(it) => {
                let key = PropKey::new(Key::Name(self.name(it.binding.name.as_str())));
                let item = self.emit(Inst::Get { object: value, key }, it.span);
                let item = self.with_default(item, it.init.as_ref());
                self.write(Place::Variable(&it.binding), item, it.span);
            }
            AssignmentTargetProperty::AssignmentTargetPropertyProperty(it) => {
                let key = self.property_key(&it.name, it.computed);
                let place = self.place_of(&it.binding);
                let item = self.emit(Inst::Get { object: value, key }, it.span);
                self.assign_maybe_default(&it.binding, place, item);
            }
        }
    }

    /// The place of a target that is no pattern: it is evaluated before the value is read
    /// (ECMA-262, 13.15.5.4).
    fn place_of(&mut self, target: &'a AssignmentTargetMaybeDefault<'a>) -> Option<Place<'a>> {
        let target = match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(it) => Some(&it.binding),
            _ => target.as_assignment_target(),
        };
        self.simple_place(target?)
    }

    fn simple_place(&mut self, target: &'a AssignmentTarget<'a>) -> Option<Place<'a>> {
        target.as_simple_assignment_target().map(|simple| self.place(simple))
    }

    /// `...target`: here, too, a place is evaluated before what is left is taken.
    fn assign_rest(&mut self, rest: &'a ast::AssignmentTargetRest<'a>, value: InstId) {
        let place = self.simple_place(&rest.target);
        let item = self.emit(Inst::Rest(value), rest.span);
        match place {
            Some(place) => self.write(place, item, rest.target.span()),
            None => self.assign_target(&rest.target, item),
        }
    }

    /// `[]` takes no element, but asks the value for an iterator.
    fn iterate_nothing(
        &mut self,
        elements: usize,
        has_rest: bool,
        value: InstId,
        span: oxc_span::Span,
    ) {
        if elements == 0 && !has_rest {
            self.emit(Inst::Iterate(value), span);
        }
    }

    fn assign_maybe_default(
        &mut self,
        target: &'a AssignmentTargetMaybeDefault<'a>,
        place: Option<Place<'a>>,
        value: InstId,
    ) {
        let (target, value) = match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(it) => {
                (Some(&it.binding), self.with_default(value, Some(&it.init)))
            }
            _ => (target.as_assignment_target(), value),
        };
        match (place, target) {
            (Some(place), Some(target)) => self.write(place, value, target.span()),
            (None, Some(target)) => self.assign_target(target, value),
            (_, None) => {}
        }
    }

    /// `value`, or the default where it is undefined.
    pub(super) fn with_default(
        &mut self,
        value: InstId,
        default: Option<&'a Expression<'a>>,
    ) -> InstId {
        let Some(default) = default else { return value };
        let conditional = self.open(value, default.span());
        let other = self.expression(default);
        self.close(conditional);
        self.emit(Inst::Select(value, other), default.span())
    }

    /// Binds the names of a pattern, declaring them in the current function.
    pub(super) fn bind(&mut self, pattern: &'a BindingPattern<'a>, value: InstId) {
        match pattern {
            BindingPattern::BindingIdentifier(identifier) => {
                if let Some(var) = var_of(identifier) {
                    self.initialise(var, value, identifier.span);
                }
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    let key = self.property_key(&property.key, property.computed);
                    let item = self.emit(Inst::Get { object: value, key }, property.span);
                    self.bind(&property.value, item);
                }
                if let Some(rest) = &object.rest {
                    let item = self.emit(Inst::Rest(value), rest.span);
                    self.bind(&rest.argument, item);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for element in &array.elements {
                    let item = self.emit(Inst::Iterate(value), array.span);
                    if let Some(element) = element {
                        self.bind(element, item);
                    }
                }
                self.iterate_nothing(array.elements.len(), array.rest.is_some(), value, array.span);
                if let Some(rest) = &array.rest {
                    let item = self.emit(Inst::Rest(value), rest.span);
                    self.bind(&rest.argument, item);
                }
            }
            BindingPattern::AssignmentPattern(it) => {
                let value = self.with_default(value, Some(&it.right));
                self.bind(&it.left, value);
            }
        }
    }

    /// Declares the names of a pattern that gets no value here: `let x;`, `var` in a loop head.
    pub(super) fn declare_pattern(&mut self, pattern: &'a BindingPattern<'a>) {
        for identifier in pattern.get_binding_identifiers() {
            if let Some(var) = var_of(identifier) {
                self.declare(var);
            }
        }
    }

    pub(super) fn set_hint(
        &mut self,
        pattern: &'a BindingPattern<'a>,
        annotation: Option<&'a ast::TSTypeAnnotation<'a>>,
        initialiser: Option<&'a ast::Expression<'a>>,
        optional: bool,
    ) {
        self.set_type(pattern, annotation, initialiser, optional);
        let BindingPattern::BindingIdentifier(identifier) = pattern else {
            return;
        };
        let (Some(var), Some(annotation), false) = (var_of(identifier), annotation, optional)
        else {
            return;
        };
        if let Some(variable) = self.ir.variables.get_mut(var.index()) {
            variable.hint = type_hint(&annotation.type_annotation);
        }
    }
}

/// What binding a pattern may do.
pub(super) fn pattern_shape(pattern: &BindingPattern<'_>) -> PatternShape {
    let is_name =
        |pattern: &BindingPattern<'_>| matches!(pattern, BindingPattern::BindingIdentifier(_));
    match pattern {
        BindingPattern::BindingIdentifier(identifier) => match var_of(identifier) {
            Some(var) => PatternShape::Name(var),
            None => PatternShape::Complex,
        },
        BindingPattern::ObjectPattern(object)
            if object.rest.is_none()
                && object.properties.iter().all(|it| !it.computed && is_name(&it.value)) =>
        {
            PatternShape::Properties
        }
        BindingPattern::ArrayPattern(array)
            if array.rest.is_none() && array.elements.iter().flatten().all(is_name) =>
        {
            PatternShape::Elements
        }
        _ => PatternShape::Complex,
    }
}

fn type_hint(annotation: &ast::TSType<'_>) -> TypeHint {
    match annotation {
        ast::TSType::TSStringKeyword(_) | ast::TSType::TSTemplateLiteralType(_) => TypeHint::String,
        ast::TSType::TSNumberKeyword(_) | ast::TSType::TSBooleanKeyword(_) => {
            TypeHint::OtherPrimitive
        }
        ast::TSType::TSBigIntKeyword(_) => TypeHint::BigInt,
        ast::TSType::TSParenthesizedType(it) => type_hint(&it.type_annotation),
        ast::TSType::TSLiteralType(it) => match &it.literal {
            ast::TSLiteral::StringLiteral(_) | ast::TSLiteral::TemplateLiteral(_) => {
                TypeHint::String
            }
            ast::TSLiteral::BigIntLiteral(_) => TypeHint::BigInt,
            _ => TypeHint::OtherPrimitive,
        },
        ast::TSType::TSUnionType(it) => {
            let mut hints = it.types.iter().map(type_hint);
            let first = hints.next().unwrap_or_default();
            let of_both = |all: TypeHint, it: TypeHint| match (all, it) {
                (TypeHint::BigInt, TypeHint::OtherPrimitive)
                | (TypeHint::OtherPrimitive, TypeHint::BigInt) => TypeHint::BigInt,
                _ if all == it => all,
                _ => TypeHint::Unknown,
            };
            hints.fold(first, of_both)
        }
        _ => TypeHint::Unknown,
    }
}
