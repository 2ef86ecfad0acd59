//! Classes.

use headstart_ir::{
    BlockForm, BlockId, Class, ClassMember, FunctionKind, Inst, InstId, Key, MemberKind, NameId,
    PropKey, StmtKind,
};
use oxc_ast::ast::{self, ClassElement, MethodDefinitionKind};
use oxc_span::GetSpan;

use super::{
    Lowerer, convert,
    decorate::WrittenDecorators,
    function::{BodyNode, PendingBody},
    var_of,
};

impl<'a> Lowerer<'a> {
    pub(super) fn class(&mut self, class: &'a ast::Class<'a>, name: Option<NameId>) -> InstId {
        let mut written = WrittenDecorators::default();
        let of_class = self.decorators(&class.decorators);
        let super_class = class.heritage.as_ref().map(|it| self.expression(&it.expression));
        let own_name = class.id.as_ref().map(|id| self.name(id.name.as_str()));
        if class.r#type == ast::ClassType::ClassExpression
            && let Some(var) = class.id.as_ref().and_then(var_of)
        {
            self.declare(var);
        }
        let members = self.members(class, &mut written);
        let fields = self.field_types(class);
        let field_init = self.queue_fields(class, false);
        let static_init = self.queue_fields(class, true);
        let id = self.new_class(Class {
            name: own_name.or(name),
            span: convert(class.span),
            super_class,
            members: members.into_boxed_slice(),
            fields,
            field_init,
            static_init,
        });
        // Inside the class its name is the class from the start.
        if let Some(var) = class.id.as_ref().and_then(var_of)
            && let Some(variable) = self.ir.variables.get_mut(var.index())
        {
            variable.class = Some(id);
        }
        let value = self.emit(Inst::Class(id), class.span);
        self.decorate(id, value, &of_class, &written)
    }

    fn members(
        &mut self,
        class: &'a ast::Class<'a>,
        written: &mut WrittenDecorators,
    ) -> Vec<ClassMember> {
        let mut members = Vec::new();
        for element in &class.body.body {
            match element {
                ClassElement::MethodDefinition(method) => {
                    members.extend(self.member_of(method, written));
                }
                ClassElement::PropertyDefinition(field) if is_type_only(field) => {}
                ClassElement::PropertyDefinition(field) => {
                    let decorators = self.decorators(&field.decorators);
                    // The key is computed once, with the class; its initialiser runs later.
                    let key = self.field_key(&field.key, field.computed, !decorators.is_empty());
                    written.note_field(decorators, key, field.r#static);
                }
                ClassElement::AccessorProperty(field) => {
                    let decorators = self.decorators(&field.decorators);
                    let key = self.field_key(&field.key, field.computed, !decorators.is_empty());
                    written.note_field(decorators, key, field.r#static);
                }
                ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => {}
            }
        }
        members
    }

    /// The key of a field, where it is computed or somebody asks for it.
    fn field_key(
        &mut self,
        key: &'a ast::PropertyKey<'a>,
        computed: bool,
        is_asked: bool,
    ) -> Option<PropKey> {
        (computed || is_asked).then(|| self.class_key(key, computed))
    }

    /// The key of a member. One that is computed is converted with the class (ECMA-262, 15.7.10).
    fn class_key(&mut self, key: &'a ast::PropertyKey<'a>, computed: bool) -> PropKey {
        let found = self.property_key(key, computed);
        if let Key::Computed(value) = found.get() {
            self.emit(Inst::Convert(value), key.span());
        }
        found
    }

    fn member_of(
        &mut self,
        method: &'a ast::MethodDefinition<'a>,
        written: &mut WrittenDecorators,
    ) -> Option<ClassMember> {
        let decorators = self.decorators(&method.decorators);
        method.value.body.as_ref()?;
        // Those of parameters run with the class, not with each call.
        for decorator in method.value.params.items.iter().flat_map(|param| &param.decorators) {
            self.expression(&decorator.expression);
            self.emit(Inst::Opaque, decorator.span);
        }
        let key = self.class_key(&method.key, method.computed);
        let (kind, function_kind) = match method.kind {
            MethodDefinitionKind::Constructor => {
                (MemberKind::Constructor, FunctionKind::Constructor)
            }
            MethodDefinitionKind::Method => (MemberKind::Method, FunctionKind::Method),
            MethodDefinitionKind::Get => (MemberKind::Getter, FunctionKind::Accessor),
            MethodDefinitionKind::Set => (MemberKind::Setter, FunctionKind::Accessor),
        };
        let name = match key.get() {
            Key::Name(name) | Key::Private(name) => Some(name),
            Key::Computed(_) => None,
        };
        let function = self.queue_function(&method.value, function_kind, name);
        let is_decorated = !method.decorators.is_empty();
        written.note_member(decorators, (key, kind, function), method.r#static);
        Some(ClassMember { key, kind, is_static: method.r#static, is_decorated, function })
    }

    /// Queues the function that runs the fields (and static blocks) of a class, if it has any.
    fn queue_fields(
        &mut self,
        class: &'a ast::Class<'a>,
        is_static: bool,
    ) -> Option<headstart_ir::FunctionId> {
        let any = class.body.body.iter().any(|element| match element {
            ClassElement::PropertyDefinition(field) => {
                field.r#static == is_static && !is_type_only(field)
            }
            ClassElement::AccessorProperty(field) => field.r#static == is_static,
            ClassElement::StaticBlock(_) => is_static,
            ClassElement::MethodDefinition(_) | ClassElement::TSIndexSignature(_) => false,
        });
        any.then(|| {
            let kind = if is_static { FunctionKind::StaticInit } else { FunctionKind::FieldInit };
            let function = self.new_function(kind, class.span);
            let body = BodyNode::Fields { class, is_static };
            self.queue.push_back(PendingBody { function, body });
            function
        })
    }

    pub(super) fn field_initialisers(
        &mut self,
        class: &'a ast::Class<'a>,
        is_static: bool,
    ) -> BlockId {
        let mut items = Vec::new();
        for element in &class.body.body {
            match element {
                ClassElement::PropertyDefinition(field)
                    if field.r#static == is_static && !is_type_only(field) =>
                {
                    let first = self.next();
                    self.field(&field.key, field.computed, field.value.as_ref(), field.span);
                    items.push(self.finish_stmt(StmtKind::Other, field.span, first));
                }
                ClassElement::AccessorProperty(field) if field.r#static == is_static => {
                    let first = self.next();
                    self.field(&field.key, field.computed, field.value.as_ref(), field.span);
                    items.push(self.finish_stmt(StmtKind::Other, field.span, first));
                }
                ClassElement::StaticBlock(block) if is_static => {
                    let first = self.next();
                    let body = self.statements(&block.body);
                    items.push(self.finish_stmt(StmtKind::Block(body), block.span, first));
                }
                _ => {}
            }
        }
        self.block(&items, BlockForm::List)
    }

    fn field(
        &mut self,
        key: &'a ast::PropertyKey<'a>,
        computed: bool,
        value: Option<&'a ast::Expression<'a>>,
        span: oxc_span::Span,
    ) {
        let object = self.emit(Inst::This, span);
        let key = if computed {
            // Its value was computed with the class, in another function.
            let unknown = self.emit(Inst::Opaque, span);
            headstart_ir::PropKey::new(Key::Computed(unknown))
        } else {
            self.property_key(key, false)
        };
        let name = match key.get() {
            Key::Name(name) | Key::Private(name) => Some(name),
            Key::Computed(_) => None,
        };
        let value = match value {
            Some(value) => self.named_expression(value, name),
            None => self.undefined(span),
        };
        self.emit(Inst::Set { object, key, value }, span);
    }
}

/// `declare x: T` and `abstract x: T` describe a field that something else makes.
fn is_type_only(field: &ast::PropertyDefinition<'_>) -> bool {
    field.declare || field.r#type == ast::PropertyDefinitionType::TSAbstractPropertyDefinition
}
