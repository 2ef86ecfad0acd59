//! What TypeScript's annotations say of values.

use headstart_ir::{FunctionId, InstId, NameId, Type, TypeRef, TypedValue};
use oxc_ast::ast::{self, TSType};

use super::{Lowerer, var_of};

/// Types nested deeper say nothing.
const DEEPEST_TYPE: u32 = 8;

impl<'a> Lowerer<'a> {
    /// Notes what the annotation of a pattern says of the variable that it is.
    pub(super) fn set_type(
        &mut self,
        pattern: &'a ast::BindingPattern<'a>,
        annotation: Option<&'a ast::TSTypeAnnotation<'a>>,
        initialiser: Option<&'a ast::Expression<'a>>,
        is_optional: bool,
    ) {
        let ty = self.declared(annotation, initialiser, is_optional);
        // What another declaration of a `var` says stays.
        if annotation.is_none() && ty.is_unknown() {
            return;
        }
        match pattern {
            ast::BindingPattern::BindingIdentifier(identifier) => {
                if let Some(variable) =
                    var_of(identifier).and_then(|var| self.ir.variables.get_mut(var.index()))
                {
                    variable.ty = ty;
                }
            }
            ast::BindingPattern::ObjectPattern(object) => self.set_property_types(object, ty),
            _ => {}
        }
    }

    /// What the declaration of a name says of it, by its annotation, or by what it is given first.
    fn declared(
        &mut self,
        annotation: Option<&'a ast::TSTypeAnnotation<'a>>,
        initialiser: Option<&'a ast::Expression<'a>>,
        is_optional: bool,
    ) -> TypeRef {
        let ty = match annotation {
            Some(annotation) => self.type_ref(&annotation.type_annotation, DEEPEST_TYPE),
            None => self.inferred(initialiser),
        };
        if is_optional { self.optional(ty) } else { ty }
    }

    /// What TypeScript takes a name without an annotation to be, by what it is given first: `let name = ""`
    /// is a string from then on (handbook, "Type Inference").
    fn inferred(&mut self, initialiser: Option<&'a ast::Expression<'a>>) -> TypeRef {
        use ast::Expression;
        let Some(initialiser) = initialiser.filter(|_| self.ir.is_typescript) else {
            return TypeRef::UNKNOWN;
        };
        let found = match initialiser.get_inner_expression() {
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => Type::String,
            Expression::NumericLiteral(_) => Type::Number,
            Expression::BigIntLiteral(_) => Type::BigInt,
            Expression::BooleanLiteral(_) => Type::Boolean,
            _ => Type::Unknown,
        };
        self.push_type(found)
    }

    /// `{ a, b }: { a: A; b: B }`
    fn set_property_types(&mut self, object: &'a ast::ObjectPattern<'a>, ty: TypeRef) {
        let Some(Type::Object(members)) = self.ir.types.get(ty.index()).cloned() else { return };
        for property in &object.properties {
            let (Some(name), ast::BindingPattern::BindingIdentifier(identifier)) =
                (property.key.static_name(), &property.value)
            else {
                continue;
            };
            let of_name = members.iter().find(|(it, _)| self.is_name(*it, &name));
            if let (Some(&(_, ty)), Some(var)) = (of_name, var_of(identifier))
                && let Some(variable) = self.ir.variables.get_mut(var.index())
            {
                variable.ty = ty;
            }
        }
    }

    /// Notes what an annotation, or an assertion, says of a value.
    pub(super) fn set_value_type(
        &mut self,
        value: InstId,
        annotation: &'a TSType<'a>,
        is_asserted: bool,
    ) {
        let ty = self.type_ref(annotation, DEEPEST_TYPE);
        if !ty.is_unknown() {
            self.ir.typed_values.push(TypedValue { value, ty, is_asserted });
        }
    }

    /// Notes what the annotation of a pattern says of what it takes apart.
    pub(super) fn set_pattern_type(
        &mut self,
        pattern: &'a ast::BindingPattern<'a>,
        annotation: Option<&'a ast::TSTypeAnnotation<'a>>,
        value: InstId,
    ) {
        if let (false, Some(annotation)) =
            (matches!(pattern, ast::BindingPattern::BindingIdentifier(_)), annotation)
        {
            self.set_value_type(value, &annotation.type_annotation, false);
        }
    }

    fn is_name(&self, id: NameId, text: &str) -> bool {
        self.name_ids.get(text) == Some(&id)
    }

    pub(super) fn set_return_type(
        &mut self,
        function: FunctionId,
        annotation: Option<&'a ast::TSTypeAnnotation<'a>>,
    ) {
        let Some(annotation) = annotation else { return };
        let ty = self.type_ref(&annotation.type_annotation, DEEPEST_TYPE);
        if let Some(function) = self.ir.functions.get_mut(function.index()) {
            function.returns = ty;
            function.has_return_type = true;
        }
    }

    pub(super) fn interface(&mut self, it: &'a ast::TSInterfaceDeclaration<'a>) {
        let Some(var) = var_of(&it.id) else { return };
        let own = self.members_type(&it.body.body, DEEPEST_TYPE);
        let mut all = vec![own];
        for heritage in &it.extends {
            if let ast::TSTypeName::IdentifierReference(identifier) = &heritage.type_name
                && let Some(parent) = self.variable_of(identifier)
            {
                all.push(self.push_type(Type::Named(parent)));
            }
        }
        let ty = match all.as_slice() {
            [only] => *only,
            _ => self.push_type(Type::Intersection(all.into_boxed_slice())),
        };
        self.ir.type_declarations.push((var, ty));
    }

    pub(super) fn type_alias(&mut self, it: &'a ast::TSTypeAliasDeclaration<'a>) {
        let Some(var) = var_of(&it.id) else { return };
        let ty = self.type_ref(&it.type_annotation, DEEPEST_TYPE);
        self.ir.type_declarations.push((var, ty));
    }

    /// What annotations say of the fields of a class.
    pub(super) fn field_types(&mut self, class: &'a ast::Class<'a>) -> Box<[(NameId, TypeRef)]> {
        let mut fields = Vec::new();
        for element in &class.body.body {
            match element {
                ast::ClassElement::PropertyDefinition(field) if !field.computed => {
                    let name = match &field.key {
                        ast::PropertyKey::StaticIdentifier(it) => Some(it.name.as_str()),
                        ast::PropertyKey::PrivateIdentifier(it) => Some(it.name.as_str()),
                        _ => None,
                    };
                    let Some(name) = name else { continue };
                    let annotation = field.type_annotation.as_deref();
                    let ty = self.declared(annotation, field.value.as_ref(), field.optional);
                    if annotation.is_some() || !ty.is_unknown() {
                        fields.push((self.name(name), ty));
                    }
                }
                ast::ClassElement::MethodDefinition(method)
                    if method.kind == ast::MethodDefinitionKind::Constructor =>
                {
                    for param in &method.value.params.items {
                        self.parameter_field(param, &mut fields);
                    }
                }
                _ => {}
            }
        }
        fields.into_boxed_slice()
    }

    fn parameter_field(
        &mut self,
        param: &'a ast::FormalParameter<'a>,
        fields: &mut Vec<(NameId, TypeRef)>,
    ) {
        let is_property = param.accessibility.is_some() || param.readonly || param.r#override;
        if let (true, ast::BindingPattern::BindingIdentifier(identifier), Some(annotation)) =
            (is_property, &param.pattern, &param.type_annotation)
        {
            let ty = self.type_ref(&annotation.type_annotation, DEEPEST_TYPE);
            fields.push((self.name(identifier.name.as_str()), ty));
        }
    }

    fn push_type(&mut self, ty: Type) -> TypeRef {
        if ty == Type::Unknown {
            return TypeRef::UNKNOWN;
        }
        self.ir.types.push(ty);
        TypeRef::new(self.ir.types.len() - 1)
    }

    fn type_ref(&mut self, ty: &'a TSType<'a>, depth: u32) -> TypeRef {
        let Some(depth) = depth.checked_sub(1) else { return TypeRef::UNKNOWN };
        let found = match ty {
            TSType::TSStringKeyword(_) | TSType::TSTemplateLiteralType(_) => Type::String,
            TSType::TSNumberKeyword(_) => Type::Number,
            TSType::TSBigIntKeyword(_) => Type::BigInt,
            TSType::TSBooleanKeyword(_) => Type::Boolean,
            TSType::TSNullKeyword(_)
            | TSType::TSUndefinedKeyword(_)
            | TSType::TSVoidKeyword(_)
            | TSType::TSNeverKeyword(_) => Type::Nothing,
            TSType::TSLiteralType(it) => match &it.literal {
                ast::TSLiteral::StringLiteral(_) | ast::TSLiteral::TemplateLiteral(_) => {
                    Type::String
                }
                ast::TSLiteral::BooleanLiteral(_) => Type::Boolean,
                ast::TSLiteral::BigIntLiteral(_) => Type::BigInt,
                _ => Type::Number,
            },
            TSType::TSParenthesizedType(it) => return self.type_ref(&it.type_annotation, depth),
            TSType::TSTypeOperatorType(it)
                if it.operator == ast::TSTypeOperatorOperator::Readonly =>
            {
                return self.type_ref(&it.type_annotation, depth);
            }
            TSType::TSArrayType(it) => Type::Array(self.type_ref(&it.element_type, depth)),
            TSType::TSTupleType(it) => self.tuple(it, depth),
            TSType::TSUnionType(it) => {
                let types = it.types.iter().map(|it| self.type_ref(it, depth)).collect();
                Type::Union(types)
            }
            TSType::TSIntersectionType(it) => {
                let types = it.types.iter().map(|it| self.type_ref(it, depth)).collect();
                Type::Intersection(types)
            }
            TSType::TSTypeLiteral(it) => return self.members_type(&it.members, depth),
            TSType::TSTypeReference(it) => self.reference(it, depth),
            _ => Type::Unknown,
        };
        self.push_type(found)
    }

    /// `T | undefined`
    fn optional(&mut self, ty: TypeRef) -> TypeRef {
        if ty.is_unknown() {
            return ty;
        }
        let nothing = self.push_type(Type::Nothing);
        self.push_type(Type::Union(Box::new([ty, nothing])))
    }

    fn tuple(&mut self, tuple: &'a ast::TSTupleType<'a>, depth: u32) -> Type {
        let mut types = Vec::new();
        for element in &tuple.element_types {
            types.push(match element.as_ts_type() {
                Some(ty) => self.type_ref(ty, depth),
                None => TypeRef::UNKNOWN,
            });
        }
        Type::Array(self.push_type(Type::Union(types.into_boxed_slice())))
    }

    fn reference(&mut self, it: &'a ast::TSTypeReference<'a>, depth: u32) -> Type {
        match &it.type_name {
            ast::TSTypeName::IdentifierReference(identifier) => {
                let name = identifier.name.as_str();
                match self.variable_of(identifier) {
                    Some(var) => Type::Named(var),
                    None => {
                        let first = it.type_arguments.as_ref().and_then(|it| it.params.first());
                        let first = first.map_or(TypeRef::UNKNOWN, |ty| self.type_ref(ty, depth));
                        match name {
                            "ReadonlyArray" | "Array" => Type::Array(first),
                            // What they make of a type has its properties.
                            "Readonly" | "Partial" | "Required" | "NonNullable" | "Awaited" => {
                                Type::Union(Box::new([first]))
                            }
                            _ => Type::Global(self.name(name), first),
                        }
                    }
                }
            }
            ast::TSTypeName::QualifiedName(qualified) => match &qualified.left {
                ast::TSTypeName::IdentifierReference(left) => match self.variable_of(left) {
                    Some(var) => Type::Member(var, self.name(qualified.right.name.as_str())),
                    None => Type::Unknown,
                },
                _ => Type::Unknown,
            },
            ast::TSTypeName::ThisExpression(_) => Type::Unknown,
        }
    }

    fn members_type(&mut self, members: &'a [ast::TSSignature<'a>], depth: u32) -> TypeRef {
        let mut properties = Vec::new();
        for member in members {
            if let ast::TSSignature::TSPropertySignature(property) = member
                && !property.computed
                && let ast::PropertyKey::StaticIdentifier(key) = &property.key
                && let Some(annotation) = &property.type_annotation
            {
                let ty = self.type_ref(&annotation.type_annotation, depth);
                let ty = if property.optional { self.optional(ty) } else { ty };
                if !ty.is_unknown() {
                    properties.push((self.name(key.name.as_str()), ty));
                }
            }
        }
        self.push_type(Type::Object(properties.into_boxed_slice()))
    }
}
