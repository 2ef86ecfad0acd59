//! Calls, member accesses and optional chains.

use headstart_ir::{Inst, InstId, Key, Literal, PropKey, RequestKind};
use oxc_ast::ast::{self, Argument, Expression};
use oxc_span::GetSpan;

use super::{LONGEST_KEPT_STRING, Lowerer};

impl<'a> Lowerer<'a> {
    pub(super) fn call(&mut self, call: &'a ast::CallExpression<'a>) -> InstId {
        if let Some(specifier) = self.required_module(call) {
            let request =
                self.request(specifier.value.as_str(), specifier.span, RequestKind::Require);
            return self.emit(Inst::Require(request), call.span);
        }
        if self.is_direct_eval(call) {
            self.arguments(&call.arguments);
            self.mark_dynamic_scope();
            return self.emit(Inst::Opaque, call.span);
        }
        if let Some((object, method)) = self.method_callee(&call.callee) {
            if call.optional {
                self.open_chain_link(method, call.span);
            }
            self.note_mocked(call);
            let args = self.arguments(&call.arguments);
            self.note_type_arguments(call);
            return self.emit(Inst::CallMethod { object, method, args }, call.span);
        }
        let callee = self.expression(&call.callee);
        if call.optional {
            self.open_chain_link(callee, call.span);
        }
        let args = self.arguments(&call.arguments);
        self.note_type_arguments(call);
        self.emit(Inst::Call { callee, args }, call.span)
    }

    /// Notes whether the call that comes next has type arguments.
    fn note_type_arguments(&mut self, call: &ast::CallExpression<'a>) {
        if call.type_arguments.is_some() {
            let next = self.next();
            self.ir.typed_calls.push(next);
        }
    }

    /// The receiver and the read of the method, where the callee is a property.
    fn method_callee(&mut self, callee: &'a Expression<'a>) -> Option<(InstId, InstId)> {
        match callee.without_parentheses() {
            Expression::TSNonNullExpression(it) => self.method_callee(&it.expression),
            inner if inner.is_member_expression() => Some(self.member(inner)),
            _ => None,
        }
    }

    fn required_module(
        &self,
        call: &'a ast::CallExpression<'a>,
    ) -> Option<&'a ast::StringLiteral<'a>> {
        let Expression::Identifier(callee) = &call.callee else {
            return None;
        };
        let [Argument::StringLiteral(specifier)] = call.arguments.as_slice() else {
            return None;
        };
        let is_global = callee.name == "require" && self.variable_of(callee).is_none();
        (is_global && specifier.value.len() <= LONGEST_KEPT_STRING).then_some(specifier)
    }

    /// Notes the module that a call tells a test runner to replace.
    fn note_mocked(&mut self, call: &'a ast::CallExpression<'a>) {
        let Expression::StaticMemberExpression(callee) = call.callee.without_parentheses() else {
            return;
        };
        let runner = match callee.object.without_parentheses() {
            Expression::Identifier(it) => it.name.as_str(),
            Expression::StaticMemberExpression(it) => it.property.name.as_str(),
            _ => return,
        };
        let is_mocking = match runner {
            "jest" | "vi" | "vitest" => matches!(
                callee.property.name.as_str(),
                "mock" | "doMock" | "setMock" | "unstable_mockModule" | "mockModule"
            ),
            "mock" => callee.property.name == "module",
            _ => false,
        };
        let specifier = match call.arguments.first() {
            Some(Argument::StringLiteral(it)) => it,
            // `vi.mock(import("./x"))`
            Some(Argument::ImportExpression(it)) => match &it.source {
                Expression::StringLiteral(it) => it,
                _ => return,
            },
            _ => return,
        };
        if is_mocking && specifier.value.len() <= LONGEST_KEPT_STRING {
            self.request(specifier.value.as_str(), specifier.span, RequestKind::Mocked);
        }
    }

    fn is_direct_eval(&self, call: &ast::CallExpression<'a>) -> bool {
        matches!(call.callee.get_inner_expression(), Expression::Identifier(callee)
            if callee.name == "eval" && self.variable_of(callee).is_none())
    }

    pub(super) fn arguments(&mut self, arguments: &'a [Argument<'a>]) -> headstart_ir::ArgsId {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match argument {
                Argument::SpreadElement(spread) => values.push(self.spread(spread)),
                _ => {
                    if let Some(expression) = argument.as_expression() {
                        values.push(self.expression(expression));
                    }
                }
            }
        }
        self.list(&values)
    }

    pub(super) fn new_expression(&mut self, it: &'a ast::NewExpression<'a>) -> InstId {
        let callee = self.expression(&it.callee);
        let args = self.arguments(&it.arguments);
        self.emit(Inst::New { callee, args }, it.span)
    }

    pub(super) fn tagged_template(&mut self, it: &'a ast::TaggedTemplateExpression<'a>) -> InstId {
        let method = self.method_callee(&it.tag);
        let callee = match method {
            Some((_, method)) => method,
            None => self.expression(&it.tag),
        };
        self.note_quasis(&it.quasi);
        let mut values = vec![self.quasis(&it.quasi)];
        for part in &it.quasi.expressions {
            values.push(self.expression(part));
        }
        let args = self.list(&values);
        match method {
            Some((object, method)) => self.emit(Inst::CallMethod { object, method, args }, it.span),
            None => self.emit(Inst::Call { callee, args }, it.span),
        }
    }

    /// The texts that a tag is given, as far as they are kept.
    fn quasis(&mut self, quasi: &'a ast::TemplateLiteral<'a>) -> InstId {
        let texts: Option<Vec<&str>> =
            quasi.quasis.iter().map(|it| it.value.cooked.map(|it| it.as_str())).collect();
        let kept = texts.filter(|it| it.iter().all(|it| it.len() <= LONGEST_KEPT_STRING));
        let Some(texts) = kept else {
            return self.emit(Inst::Literal(Literal::Undefined), quasi.span);
        };
        let mut parts = Vec::with_capacity(texts.len());
        for (text, of) in texts.into_iter().zip(&quasi.quasis) {
            let name = self.name(text);
            parts.push(self.emit(Inst::Literal(Literal::String(name)), of.span));
        }
        let list = self.list(&parts);
        self.emit(Inst::Array(list), quasi.span)
    }

    pub(super) fn import_expression(&mut self, it: &'a ast::ImportExpression<'a>) -> InstId {
        let request = match &it.source {
            Expression::StringLiteral(source) if source.value.len() <= LONGEST_KEPT_STRING => {
                Some(self.request(source.value.as_str(), source.span, RequestKind::Dynamic))
            }
            _ => None,
        };
        let specifier = self.expression(&it.source);
        if let Some(options) = &it.options {
            self.expression(options);
        }
        self.emit(Inst::DynamicImport { specifier, request }, it.span)
    }

    pub(super) fn member_expression(&mut self, expression: &'a Expression<'a>) -> InstId {
        self.member(expression).1
    }

    /// Lowers a member expression; returns the object and the read of its property.
    fn member(&mut self, expression: &'a Expression<'a>) -> (InstId, InstId) {
        match expression {
            Expression::StaticMemberExpression(it) => {
                let object = self.expression(&it.object);
                self.link_if(it.optional, object, it.span);
                let key = self.static_key(it);
                (object, self.emit(Inst::Get { object, key }, it.span))
            }
            Expression::ComputedMemberExpression(it) => {
                let object = self.expression(&it.object);
                self.link_if(it.optional, object, it.span);
                let key = self.computed_key(it);
                (object, self.emit(Inst::Get { object, key }, it.span))
            }
            Expression::PrivateFieldExpression(it) => {
                let object = self.expression(&it.object);
                self.link_if(it.optional, object, it.span);
                let key = self.private_key(it);
                (object, self.emit(Inst::Get { object, key }, it.span))
            }
            _ => {
                let value = self.expression(expression);
                (value, value)
            }
        }
    }

    pub(super) fn static_key(&mut self, it: &'a ast::StaticMemberExpression<'a>) -> PropKey {
        PropKey::new(Key::Name(self.name(it.property.name.as_str())))
    }

    pub(super) fn private_key(&mut self, it: &'a ast::PrivateFieldExpression<'a>) -> PropKey {
        PropKey::new(Key::Private(self.name(it.field.name.as_str())))
    }

    pub(super) fn computed_key(&mut self, it: &'a ast::ComputedMemberExpression<'a>) -> PropKey {
        let key = match &it.expression {
            Expression::StringLiteral(key) if key.value.len() <= LONGEST_KEPT_STRING => {
                Key::Name(self.name(key.value.as_str()))
            }
            expression => Key::Computed(self.expression(expression)),
        };
        PropKey::new(key)
    }

    fn link_if(&mut self, optional: bool, value: InstId, span: oxc_span::Span) {
        if optional {
            self.open_chain_link(value, span);
        }
    }

    /// `?.`: what follows up to the end of the chain runs only if `value` is not null.
    fn open_chain_link(&mut self, value: InstId, span: oxc_span::Span) {
        let conditional = self.open(value, span);
        self.open_chains.push(conditional);
    }

    pub(super) fn chain(&mut self, chain: &'a ast::ChainExpression<'a>) -> InstId {
        let outer = self.open_chains.len();
        let value = match &chain.expression {
            ast::ChainElement::CallExpression(call) => self.call(call),
            ast::ChainElement::TSNonNullExpression(it) => self.expression(&it.expression),
            ast::ChainElement::StaticMemberExpression(it) => {
                let object = self.expression(&it.object);
                self.link_if(it.optional, object, it.span);
                let key = self.static_key(it);
                self.emit(Inst::Get { object, key }, it.span)
            }
            ast::ChainElement::ComputedMemberExpression(it) => {
                let object = self.expression(&it.object);
                self.link_if(it.optional, object, it.span);
                let key = self.computed_key(it);
                self.emit(Inst::Get { object, key }, it.span)
            }
            ast::ChainElement::PrivateFieldExpression(it) => {
                let object = self.expression(&it.object);
                self.link_if(it.optional, object, it.span);
                let key = self.private_key(it);
                self.emit(Inst::Get { object, key }, it.span)
            }
        };
        for conditional in self.open_chains.split_off(outer) {
            self.close(conditional);
        }
        let missing = self.undefined(chain.span);
        self.emit(Inst::Select(value, missing), chain.span)
    }

    pub(super) fn delete(&mut self, it: &'a ast::UnaryExpression<'a>) -> InstId {
        match it.argument.without_parentheses() {
            Expression::StaticMemberExpression(member) => {
                let object = self.expression(&member.object);
                let key = self.static_key(member);
                self.emit(Inst::Delete { object, key }, it.span)
            }
            Expression::ComputedMemberExpression(member) => {
                let object = self.expression(&member.object);
                let key = self.computed_key(member);
                self.emit(Inst::Delete { object, key }, it.span)
            }
            other => {
                self.expression(other);
                self.emit(Inst::Opaque, other.span())
            }
        }
    }
}
