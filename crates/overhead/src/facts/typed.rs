//! Whether a file whose name says that it is TypeScript has anything of it: another tool may have compiled it before.

use oxc_ast::ast;
use oxc_ast::{AstKind, AstType};
use oxc_ast_visit::Visit;

/// Whether there is syntax in a file that JavaScript does not have.
pub(super) fn has_types(program: &ast::Program<'_>) -> bool {
    let mut finder = Finder(false);
    finder.visit_program(program);
    finder.0
}

struct Finder(bool);

impl<'a> Visit<'a> for Finder {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        let of_typescript =
            AstType::TSThisParameter as u8..=AstType::TSInstantiationExpression as u8;
        self.0 |= match kind {
            AstKind::Decorator(_) => false,
            AstKind::ImportDeclaration(it) => it.import_kind.is_type(),
            AstKind::ImportSpecifier(it) => it.import_kind.is_type(),
            AstKind::ExportSpecifier(it) => it.export_kind.is_type(),
            AstKind::Class(it) => it.r#abstract || it.declare,
            AstKind::FormalParameter(it) => {
                it.optional || it.readonly || it.r#override || it.accessibility.is_some()
            }
            AstKind::MethodDefinition(it) => {
                it.optional || it.r#override || it.accessibility.is_some()
            }
            AstKind::PropertyDefinition(it) => {
                it.optional
                    || it.declare
                    || it.definite
                    || it.readonly
                    || it.r#override
                    || it.accessibility.is_some()
            }
            it => of_typescript.contains(&(it.ty() as u8)),
        };
    }
}
