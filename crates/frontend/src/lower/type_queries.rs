//! Variables that types name: `typeof item` in an annotation, an alias, an interface. No instruction reads them.

use headstart_ir::Span;
use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};

use super::Lowerer;

impl<'a> Lowerer<'a> {
    pub(super) fn type_queries(&mut self, program: &ast::Program<'a>) {
        // Most files ask for no type.
        if self.ir.is_typescript && self.source.contains("typeof") {
            Queries { lowerer: self, is_inside: false }.visit_program(program);
        }
    }
}

struct Queries<'l, 'a> {
    lowerer: &'l mut Lowerer<'a>,
    /// Whether it is within `typeof …` of a type.
    is_inside: bool,
}

impl<'a> Visit<'a> for Queries<'_, 'a> {
    fn visit_ts_type_query(&mut self, it: &ast::TSTypeQuery<'a>) {
        let around = std::mem::replace(&mut self.is_inside, true);
        walk::walk_ts_type_query(self, it);
        self.is_inside = around;
    }

    fn visit_identifier_reference(&mut self, it: &ast::IdentifierReference<'a>) {
        if !self.is_inside {
            return;
        }
        if let Some(var) = self.lowerer.variable_of(it) {
            let span = Span::new(it.span.start, it.span.end);
            self.lowerer.ir.type_queries.push((var, span));
        }
    }
}
