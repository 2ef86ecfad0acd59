//! TypeScript's own declarations that exist at run time: enums and namespaces.

use headstart_ir::{Inst, InstId, Key, Literal, PropKey, StmtKind};
use oxc_ast::ast;

use super::{Lowerer, var_of};

impl<'a> Lowerer<'a> {
    /// An enum is an object built where it stands.
    pub(super) fn enum_declaration(&mut self, it: &'a ast::TSEnumDeclaration<'a>) -> StmtKind {
        if it.declare {
            return StmtKind::Inert;
        }
        let object = self.emit(Inst::Object, it.span);
        for member in &it.body.members {
            let key = self.enum_key(&member.id);
            let value = match &member.initializer {
                Some(initializer) => self.expression(initializer),
                None => self.emit(Inst::Literal(Literal::Number(None)), member.span),
            };
            self.emit(Inst::Set { object, key, value }, member.span);
        }
        self.store_name(&it.id, object);
        StmtKind::Other
    }

    fn enum_key(&mut self, name: &'a ast::TSEnumMemberName<'a>) -> PropKey {
        let text = match name {
            ast::TSEnumMemberName::Identifier(it) => it.name.as_str(),
            ast::TSEnumMemberName::String(it) | ast::TSEnumMemberName::ComputedString(it) => {
                it.value.as_str()
            }
            ast::TSEnumMemberName::ComputedTemplateString(it) => {
                return PropKey::new(Key::Computed(self.template(it)));
            }
        };
        PropKey::new(Key::Name(self.name(text)))
    }

    fn store_name(&mut self, name: &'a ast::BindingIdentifier<'a>, value: InstId) {
        if let Some(var) = var_of(name) {
            self.initialise(var, value, name.span);
        }
    }

    /// A namespace runs its body where it stands, in a function of its own that is called once;
    /// the IR puts the body in line.
    pub(super) fn namespace(&mut self, it: &'a ast::TSNamespaceDeclaration<'a>) -> StmtKind {
        if it.declare {
            return StmtKind::Inert;
        }
        let object = self.emit(Inst::Object, it.span);
        self.store_name(&it.id, object);
        self.namespace_depth += 1;
        let kind = match &it.body {
            ast::TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => self.namespace(inner),
            ast::TSNamespaceDeclarationBody::TSModuleBlock(block) => {
                StmtKind::Block(self.statements(&block.body))
            }
        };
        self.namespace_depth -= 1;
        kind
    }
}
