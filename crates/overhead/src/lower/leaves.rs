//! Whether something leaves a loop other than by its end, a `break` of its own or a throw.

use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::ScopeFlags;

/// Whether the body of a loop with these labels returns, or jumps to what stands around the loop.
pub(super) fn leaves(body: &ast::Statement<'_>, labels: &[String]) -> bool {
    let mut walker = Leaves { labels: labels.to_vec(), found: false };
    walker.visit_statement(body);
    walker.found
}

struct Leaves {
    /// The labels that are its own, or stand in it.
    labels: Vec<String>,
    found: bool,
}

impl Leaves {
    fn jump(&mut self, label: Option<&ast::LabelIdentifier<'_>>) {
        self.found |=
            label.is_some_and(|it| !self.labels.iter().any(|own| own.as_str() == it.name.as_str()));
    }
}

impl<'a> Visit<'a> for Leaves {
    fn visit_function(&mut self, _: &ast::Function<'a>, _: ScopeFlags) {}
    fn visit_arrow_function_expression(&mut self, _: &ast::ArrowFunctionExpression<'a>) {}
    fn visit_class(&mut self, _: &ast::Class<'a>) {}

    fn visit_return_statement(&mut self, _: &ast::ReturnStatement<'a>) {
        self.found = true;
    }

    fn visit_break_statement(&mut self, it: &ast::BreakStatement<'a>) {
        self.jump(it.label.as_ref());
    }

    fn visit_continue_statement(&mut self, it: &ast::ContinueStatement<'a>) {
        self.jump(it.label.as_ref());
    }

    fn visit_labeled_statement(&mut self, it: &ast::LabeledStatement<'a>) {
        self.labels.push(it.label.name.to_string());
        walk::walk_labeled_statement(self, it);
        self.labels.pop();
    }
}
