//! Functions.

use headstart_ir::{
    BlockForm, BlockId, FunctionId, FunctionKind, Inst, InstId, NameId, Span, StmtKind, VarKind,
};
use oxc_ast::ast;
use oxc_span::GetSpan;

use super::{Lowerer, tokens::is_white_space, var_of};

/// A body that waits for its turn.
pub(super) struct PendingBody<'a> {
    pub(super) function: FunctionId,
    pub(super) body: BodyNode<'a>,
}

/// The syntax that a body comes from.
pub(super) enum BodyNode<'a> {
    Function(&'a ast::Function<'a>),
    Arrow(&'a ast::ArrowFunctionExpression<'a>),
    Fields { class: &'a ast::Class<'a>, is_static: bool },
}

impl<'a> Lowerer<'a> {
    pub(super) fn module_body(&mut self, program: &'a ast::Program<'a>) {
        let id = self.new_function(FunctionKind::Module, program.span);
        let body = self.statements(&program.body);
        self.finish_function(id, body, 0);
    }

    pub(super) fn pending_body(&mut self, pending: PendingBody<'a>) {
        let id = pending.function;
        self.current = id;
        self.suspend_points = 0;
        self.loop_depth = 0;
        let next = self.next();
        if let Some(function) = self.ir.functions.get_mut(id.index()) {
            function.first = next;
        }
        match pending.body {
            BodyNode::Function(it) => self.function_body(id, it),
            BodyNode::Arrow(it) => self.arrow_body(id, it),
            BodyNode::Fields { class, is_static } => {
                let body = self.field_initialisers(class, is_static);
                self.finish_function(id, body, 0);
            }
        }
    }

    fn finish_function(&mut self, id: FunctionId, body: BlockId, params: usize) {
        let end = self.next();
        let suspend_points = self.suspend_points;
        if let Some(function) = self.ir.functions.get_mut(id.index()) {
            function.end = end;
            function.body = body;
            function.params = u32::try_from(params).unwrap_or(u32::MAX);
            function.suspend_points = suspend_points;
        }
    }

    pub(super) fn function_expression(
        &mut self,
        it: &'a ast::Function<'a>,
        name: Option<NameId>,
    ) -> InstId {
        self.closure(it, FunctionKind::Function, name)
    }

    pub(super) fn method(&mut self, it: &'a ast::Function<'a>, name: Option<NameId>) -> InstId {
        self.closure(it, FunctionKind::Method, name)
    }

    pub(super) fn accessor(
        &mut self,
        it: &'a ast::Function<'a>,
        name: Option<NameId>,
    ) -> FunctionId {
        self.queue_function(it, FunctionKind::Accessor, name)
    }

    fn closure(
        &mut self,
        it: &'a ast::Function<'a>,
        kind: FunctionKind,
        name: Option<NameId>,
    ) -> InstId {
        let function = self.queue_function(it, kind, name);
        self.emit(Inst::Closure(function), it.span)
    }

    pub(super) fn queue_function(
        &mut self,
        it: &'a ast::Function<'a>,
        kind: FunctionKind,
        name: Option<NameId>,
    ) -> FunctionId {
        let id = self.new_function(kind, it.span);
        let own_name = it.id.as_ref().map(|id| self.name(id.name.as_str()));
        if let Some(function) = self.ir.functions.get_mut(id.index()) {
            function.is_async = it.r#async;
            function.is_generator = it.generator;
            function.is_generic = it.type_parameters.is_some();
            function.name = own_name.or(name);
        }
        self.set_return_type(id, it.return_type.as_deref());
        self.queue.push_back(PendingBody { function: id, body: BodyNode::Function(it) });
        id
    }

    pub(super) fn arrow(
        &mut self,
        it: &'a ast::ArrowFunctionExpression<'a>,
        name: Option<NameId>,
    ) -> InstId {
        let id = self.new_function(FunctionKind::Arrow, it.span);
        if let Some(function) = self.ir.functions.get_mut(id.index()) {
            function.is_async = it.r#async;
            function.is_generic = it.type_parameters.is_some();
            function.name = name;
        }
        self.set_return_type(id, it.return_type.as_deref());
        self.queue.push_back(PendingBody { function: id, body: BodyNode::Arrow(it) });
        self.emit(Inst::Closure(id), it.span)
    }

    fn function_body(&mut self, id: FunctionId, it: &'a ast::Function<'a>) {
        self.own_name(it);
        self.parameters(&it.params);
        let body = match &it.body {
            Some(body) => self.statements(&body.statements),
            None => self.block(&[], BlockForm::List),
        };
        self.finish_function(id, body, it.params.items.len());
    }

    /// The name of a function expression is a variable of its own, visible inside only.
    fn own_name(&mut self, it: &'a ast::Function<'a>) {
        if it.r#type == ast::FunctionType::FunctionExpression
            && let Some(identifier) = &it.id
            && let Some(var) = var_of(identifier)
        {
            let value = self.emit(Inst::Closure(self.current), identifier.span);
            self.initialise(var, value, identifier.span);
        }
    }

    fn arrow_body(&mut self, id: FunctionId, it: &'a ast::ArrowFunctionExpression<'a>) {
        self.parameters(&it.params);
        let body = match &it.body {
            ast::ArrowFunctionBody::FunctionBody(body) => self.statements(&body.statements),
            body => {
                let first = self.next();
                if let Some(expression) = body.as_expression() {
                    let value = self.expression(expression);
                    self.emit(Inst::Return(value), body.span());
                }
                let stmt = self.finish_stmt(StmtKind::Return, body.span(), first);
                let form = self.concise_form(it.span, body.span());
                self.block(&[stmt], form)
            }
        };
        self.finish_function(id, body, it.params.items.len());
    }

    /// How the expression of an arrow function stands: nothing but white space and parentheses may be
    /// between the `=>` and the end of the function.
    fn concise_form(&self, arrow: oxc_span::Span, body: oxc_span::Span) -> BlockForm {
        let is_around = |it: char| is_white_space(it) || matches!(it, '(' | ')');
        let behind = self.source.get(body.end as usize..arrow.end as usize);
        let is_plain = behind.is_some_and(|it| it.trim_matches(is_around).is_empty());
        match self.end_of_token(body.start, is_around) {
            Some(start) if is_plain => BlockForm::Concise(Span::new(start, arrow.end)),
            _ => BlockForm::Fixed,
        }
    }

    fn parameters(&mut self, params: &'a ast::FormalParameters<'a>) {
        let mut values = Vec::with_capacity(params.items.len());
        for (index, param) in params.items.iter().enumerate() {
            let position = u32::try_from(index).unwrap_or(u32::MAX);
            let value = self.emit(Inst::Param(position), param.span);
            let value = self.with_default(value, param.initializer.as_deref());
            let annotation = param.type_annotation.as_deref();
            let initialiser = param.initializer.as_deref();
            self.set_hint(&param.pattern, annotation, initialiser, param.optional);
            self.set_pattern_type(&param.pattern, annotation, value);
            self.bind_parameter(&param.pattern, value);
            values.push(value);
        }
        if let Some(rest) = &params.rest {
            let position = u32::try_from(params.items.len()).unwrap_or(u32::MAX);
            let value = self.emit(Inst::RestParam(position), rest.span);
            self.bind_parameter(&rest.rest.argument, value);
        }
        for (param, value) in params.items.iter().zip(values) {
            self.parameter_property(param, value);
        }
    }

    fn bind_parameter(&mut self, pattern: &'a ast::BindingPattern<'a>, value: InstId) {
        self.bind(pattern, value);
        for var in pattern.get_binding_identifiers().into_iter().filter_map(var_of) {
            if let Some(variable) = self.ir.variables.get_mut(var.index()) {
                variable.kind = VarKind::Param;
            }
        }
    }

    /// `constructor(private x)` assigns the field too, once all parameters are bound.
    fn parameter_property(&mut self, param: &'a ast::FormalParameter<'a>, value: InstId) {
        let is_property = param.accessibility.is_some() || param.readonly || param.r#override;
        if let (true, ast::BindingPattern::BindingIdentifier(it)) = (is_property, &param.pattern) {
            let object = self.emit(Inst::This, param.span);
            let key =
                headstart_ir::PropKey::new(headstart_ir::Key::Name(self.name(it.name.as_str())));
            self.emit(Inst::Set { object, key, value }, param.span);
        }
    }
}
