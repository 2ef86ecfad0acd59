//! Decorators: functions that are called with what they stand at, and what they return takes its place
//! (ECMA-262 proposal "Decorators"; `experimentalDecorators` of TypeScript, where a descriptor is passed
//! and returned). Which of the two a compiler takes no file says, so that each call is passed what either
//! would.

use headstart_ir::{
    ClassId, Decorated, Decoration, FunctionId, Inst, InstId, Key, Literal, MemberKind, NameId,
    PropKey,
};
use oxc_ast::ast;
use oxc_span::Span;

use super::Lowerer;

/// A decorator that has been evaluated, and is called once its class is there.
#[derive(Clone, Copy)]
pub(super) struct Written {
    value: InstId,
    name: Option<NameId>,
    span: Span,
}

/// What decorators of members are written at.
#[derive(Clone, Copy)]
enum Member {
    Method(PropKey, FunctionId),
    Accessor(PropKey, MemberKind, FunctionId),
    Field(PropKey),
}

/// The decorators of the members of a class.
#[derive(Default)]
pub(super) struct WrittenDecorators {
    of_members: Vec<(Vec<Written>, Member, bool)>,
}

impl WrittenDecorators {
    pub(super) fn note_field(
        &mut self,
        decorators: Vec<Written>,
        key: Option<PropKey>,
        is_static: bool,
    ) {
        if let Some(key) = key.filter(|_| !decorators.is_empty()) {
            self.of_members.push((decorators, Member::Field(key), is_static));
        }
    }

    pub(super) fn note_member(
        &mut self,
        decorators: Vec<Written>,
        (key, kind, function): (PropKey, MemberKind, FunctionId),
        is_static: bool,
    ) {
        let member = match kind {
            MemberKind::Method => Member::Method(key, function),
            MemberKind::Getter | MemberKind::Setter => Member::Accessor(key, kind, function),
            // No compiler takes them there.
            MemberKind::Constructor => return,
        };
        if !decorators.is_empty() {
            self.of_members.push((decorators, member, is_static));
        }
    }
}

impl<'a> Lowerer<'a> {
    /// Evaluates decorators, which are called later.
    pub(super) fn decorators(&mut self, all: &'a [ast::Decorator<'a>]) -> Vec<Written> {
        let mut written = Vec::with_capacity(all.len());
        for decorator in all {
            let name = name_of(&decorator.expression).map(|it| self.name(it));
            let value = self.expression(&decorator.expression);
            written.push(Written { value, name, span: decorator.span });
        }
        written
    }

    /// Calls the decorators of a class and of its members; returns what takes the place of the class.
    pub(super) fn decorate(
        &mut self,
        class: ClassId,
        value: InstId,
        of_class: &[Written],
        members: &WrittenDecorators,
    ) -> InstId {
        for (decorators, member, is_static) in &members.of_members {
            for decorator in decorators.iter().rev() {
                let holder = self.holder(value, *is_static, decorator.span);
                match *member {
                    Member::Method(key, function) => {
                        self.decorate_method(decorator, holder, key, function);
                    }
                    Member::Accessor(key, kind, function) => {
                        let name = if kind == MemberKind::Getter { "get" } else { "set" };
                        let described = Some((name, function));
                        self.decorate_field(decorator, (class, holder), key, described);
                    }
                    Member::Field(key) => {
                        self.decorate_field(decorator, (class, holder), key, None);
                    }
                }
            }
        }
        let mut value = value;
        for decorator in of_class.iter().rev() {
            let context = self.emit(Inst::Opaque, decorator.span);
            let returned = self.decoration(decorator, &[value, context], Decorated::Class(class));
            value = self.emit(Inst::Select(returned, value), decorator.span);
        }
        value
    }

    /// What has a member: the class, or its prototype.
    fn holder(&mut self, class: InstId, is_static: bool, span: Span) -> InstId {
        if is_static {
            return class;
        }
        let key = PropKey::new(Key::Name(self.name("prototype")));
        self.emit(Inst::Get { object: class, key }, span)
    }

    fn decorate_method(
        &mut self,
        decorator: &Written,
        holder: InstId,
        key: PropKey,
        function: FunctionId,
    ) {
        let span = decorator.span;
        let method = self.emit(Inst::Closure(function), span);
        let descriptor = self.emit(Inst::Object, span);
        let value = PropKey::new(Key::Name(self.name("value")));
        self.emit(Inst::Set { object: descriptor, key: value, value: method }, span);
        let target = self.emit(Inst::Select(holder, method), span);
        let name = self.name_or_context(key, span);
        let args = [target, name, descriptor];
        let returned = self.decoration(decorator, &args, Decorated::Method(function));
        let described =
            [descriptor, returned].map(|object| self.emit(Inst::Get { object, key: value }, span));
        for value in [returned, described[0], described[1]] {
            self.emit(Inst::Set { object: holder, key, value }, span);
        }
    }

    fn decorate_field(
        &mut self,
        decorator: &Written,
        (class, holder): (ClassId, InstId),
        key: PropKey,
        described: Option<(&'static str, FunctionId)>,
    ) {
        let span = decorator.span;
        let descriptor = self.emit(Inst::Object, span);
        let mut target = self.emit(Inst::Select(holder, descriptor), span);
        if let Some((name, function)) = described {
            let accessor = self.emit(Inst::Closure(function), span);
            let key = PropKey::new(Key::Name(self.name(name)));
            self.emit(Inst::Set { object: descriptor, key, value: accessor }, span);
            target = self.emit(Inst::Select(target, accessor), span);
        }
        let name = self.name_or_context(key, span);
        let function = described.map(|it| it.1);
        let at = Decorated::Field { class, key, function };
        self.decoration(decorator, &[target, name, descriptor], at);
    }

    /// The second argument: the name of the member, or what the standard calls the context.
    fn name_or_context(&mut self, key: PropKey, span: Span) -> InstId {
        let context = self.emit(Inst::Opaque, span);
        let name = match key.get() {
            Key::Name(name) => self.emit(Inst::Literal(Literal::String(name)), span),
            Key::Computed(value) => value,
            Key::Private(_) => return context,
        };
        self.emit(Inst::Select(name, context), span)
    }

    fn decoration(&mut self, decorator: &Written, args: &[InstId], target: Decorated) -> InstId {
        let args = self.list(args);
        let call = self.emit(Inst::Call { callee: decorator.value, args }, decorator.span);
        self.ir.decorations.push(Decoration { call, name: decorator.name, target });
        call
    }
}

/// What a decorator is called: `a` of `@a`, `@a()` and `@x.a()`.
fn name_of<'a>(decorator: &'a ast::Expression<'a>) -> Option<&'a str> {
    match decorator {
        ast::Expression::Identifier(it) => Some(it.name.as_str()),
        ast::Expression::CallExpression(it) => name_of(&it.callee),
        ast::Expression::StaticMemberExpression(it) => Some(it.property.name.as_str()),
        _ => None,
    }
}
