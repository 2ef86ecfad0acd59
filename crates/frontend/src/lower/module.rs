//! Imports and exports.

use headstart_ir::{
    Export, ExportSource, Import, Imported, Inst, RequestKind, StmtKind, VarId, VarKind,
};
use oxc_ast::ast::{self, ImportDeclarationSpecifier, ModuleExportName};

use super::{Lowerer, var_of};

impl<'a> Lowerer<'a> {
    pub(super) fn import_declaration(&mut self, it: &'a ast::ImportDeclaration<'a>) {
        let kind =
            if it.import_kind.is_type() { RequestKind::TypeOnly } else { RequestKind::Import };
        let request = self.request(it.source.value.as_str(), it.source.span, kind);
        for specifier in it.specifiers.iter().flatten() {
            let (local, imported) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(it) => {
                    let name = self.export_name(&it.imported);
                    let imported = if it.imported.name() == "default" {
                        Imported::Default
                    } else {
                        Imported::Name(name)
                    };
                    (&it.local, imported)
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => {
                    (&it.local, Imported::Default)
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => {
                    (&it.local, Imported::Namespace)
                }
            };
            if let Some(local) = var_of(local) {
                self.import(Import { local, request, imported });
            }
        }
    }

    fn export_name(&mut self, name: &'a ModuleExportName<'a>) -> headstart_ir::NameId {
        let text = match name {
            ModuleExportName::IdentifierName(it) => it.name.as_str(),
            ModuleExportName::IdentifierReference(it) => it.name.as_str(),
            ModuleExportName::StringLiteral(it) => it.value.as_str(),
        };
        self.name(text)
    }

    pub(super) fn export_declaration(&mut self, it: &'a ast::ExportDeclaration<'a>) -> StmtKind {
        let mut kind = self.declaration(&it.declaration);
        if let StmtKind::Declaration { is_exported, .. } = &mut kind {
            *is_exported = true;
        }
        for identifier in declared_names(&it.declaration) {
            self.export_local(identifier);
        }
        kind
    }

    fn export_local(&mut self, identifier: &'a ast::BindingIdentifier<'a>) {
        if let Some(var) = var_of(identifier) {
            if self.namespace_depth > 0 {
                self.expose(var);
                return;
            }
            let name = Some(self.name(identifier.name.as_str()));
            self.export(Export { name, source: ExportSource::Local(var) });
        }
    }

    /// A variable that a namespace exports is a property of an object: anyone may assign it.
    fn expose(&mut self, var: VarId) {
        if let Some(variable) = self.ir.variables.get_mut(var.index())
            && variable.kind != VarKind::Const
        {
            variable.writes += 1;
            variable.init = None;
            variable.is_captured = true;
            variable.is_written_by_closure = true;
        }
    }

    pub(super) fn export_default(&mut self, it: &'a ast::ExportDefaultDeclaration<'a>) -> StmtKind {
        use ast::ExportDefaultDeclarationKind as D;
        let name = Some(self.name("default"));
        let source = match &it.declaration {
            D::FunctionDeclaration(function) => match function.id.as_ref().and_then(var_of) {
                // Hoisted with the other function declarations.
                Some(var) => ExportSource::Local(var),
                None if function.body.is_none() => return StmtKind::Inert,
                None => return StmtKind::Other,
            },
            D::ClassDeclaration(class) => match class.id.as_ref().and_then(var_of) {
                Some(var) => {
                    self.class_declaration(class);
                    ExportSource::Local(var)
                }
                None => ExportSource::Value(self.class(class, name)),
            },
            D::TSInterfaceDeclaration(_) => return StmtKind::Inert,
            declaration => match declaration.as_expression() {
                Some(expression) => ExportSource::Value(self.named_expression(expression, name)),
                None => return StmtKind::Inert,
            },
        };
        self.export(Export { name, source });
        StmtKind::Other
    }

    /// `export default function () {}`: hoisted, though it has no name to call it by.
    pub(super) fn export_nameless_function(&mut self, function: &'a ast::Function<'a>) {
        if function.body.is_some() {
            let name = Some(self.name("default"));
            let source = ExportSource::Value(self.function_expression(function, name));
            self.export(Export { name, source });
        }
    }

    pub(super) fn export_named(&mut self, it: &'a ast::ExportNamedDeclaration<'a>) {
        for specifier in &it.specifiers {
            if let Some(var) = self.local_of(&specifier.local) {
                let name = Some(self.export_name(&specifier.exported));
                self.export(Export { name, source: ExportSource::Local(var) });
            }
        }
    }

    fn local_of(&self, name: &'a ModuleExportName<'a>) -> Option<VarId> {
        match name {
            ModuleExportName::IdentifierReference(it) => self.variable_of(it),
            ModuleExportName::IdentifierName(_) | ModuleExportName::StringLiteral(_) => None,
        }
    }

    pub(super) fn export_from(&mut self, it: &'a ast::ExportFromDeclaration<'a>) {
        let kind =
            if it.export_kind.is_type() { RequestKind::TypeOnly } else { RequestKind::Import };
        let request = self.request(it.source.value.as_str(), it.source.span, kind);
        for specifier in &it.specifiers {
            let local = self.export_name(&specifier.local);
            let name = Some(self.export_name(&specifier.exported));
            self.export(Export { name, source: ExportSource::From(request, local) });
        }
    }

    pub(super) fn export_all(&mut self, it: &'a ast::ExportAllDeclaration<'a>) {
        let kind =
            if it.export_kind.is_type() { RequestKind::TypeOnly } else { RequestKind::Import };
        let request = self.request(it.source.value.as_str(), it.source.span, kind);
        let name = it.exported.as_ref().map(|name| self.export_name(name));
        self.export(Export { name, source: ExportSource::All(request) });
    }

    pub(super) fn export_assignment(&mut self, it: &'a ast::TSExportAssignment<'a>) -> StmtKind {
        let value = self.expression(&it.expression);
        let name = Some(self.name("export="));
        self.export(Export { name, source: ExportSource::Value(value) });
        StmtKind::Other
    }

    pub(super) fn import_equals(&mut self, it: &'a ast::TSImportEqualsDeclaration<'a>) -> StmtKind {
        let Some(var) = var_of(&it.id) else {
            return StmtKind::Inert;
        };
        if let ast::TSModuleReference::ExternalModuleReference(reference) = &it.module_reference {
            let kind =
                if it.import_kind.is_type() { RequestKind::TypeOnly } else { RequestKind::Require };
            let source = &reference.expression;
            let request = self.request(source.value.as_str(), source.span, kind);
            self.import(Import { local: var, request, imported: Imported::Namespace });
        } else {
            // An alias of a namespace member, which may be a type and nothing at run time.
            let value = self.emit(Inst::Opaque, it.span);
            self.initialise(var, value, it.span);
        }
        StmtKind::Inert
    }
}

fn declared_names<'a>(
    declaration: &'a ast::Declaration<'a>,
) -> Vec<&'a ast::BindingIdentifier<'a>> {
    match declaration {
        ast::Declaration::VariableDeclaration(it) => {
            it.declarations.iter().flat_map(|it| it.id.get_binding_identifiers()).collect()
        }
        ast::Declaration::FunctionDeclaration(it) => it.id.iter().collect(),
        ast::Declaration::ClassDeclaration(it) => it.id.iter().collect(),
        ast::Declaration::TSEnumDeclaration(it) => vec![&it.id],
        ast::Declaration::TSNamespaceDeclaration(it) => vec![&it.id],
        ast::Declaration::TSImportEqualsDeclaration(it) => vec![&it.id],
        _ => vec![],
    }
}
