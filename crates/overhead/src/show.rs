//! What a function compiles to, for people to look at.
//!
//! Purpose: finds the parts of the optimised text that come from one function: its fast form, its
//! twin at the end of the file, the async function beside it. Input: where in the source the
//! function begins. Output: those parts as text, in the order of the file. It rests on the rope alone,
//! which says of each stretch of the output where it comes from.

use std::ops::Range;
use std::path::Path;

use oxc_ast::ast;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::ScopeFlags;
use oxc_span::{GetSpan, Span};

use crate::report::FunctionReport;
use crate::rope::{Piece, Rope};
use crate::{Options, Outside, SyntaxError, transform};

/// An async function and what became of it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The function as it is, in bytes of the source.
    pub source: Range<u32>,
    /// What became of it.
    pub report: FunctionReport,
    /// The functions that it became, in the order of the output; none where it stays as it is.
    pub compiled: Vec<String>,
}

/// Shows the async functions whose head or directives touch a stretch of the text, such as a line.
///
/// # Errors
/// The first syntax error of the text.
pub fn show(
    path: &Path,
    text: &str,
    options: Options,
    place: &Range<u32>,
) -> Result<Vec<Shown>, SyntaxError> {
    let functions = functions_of(path, text)?;
    let touches =
        |it: &&Function| it.is_async && it.head.start < place.end && it.head.end > place.start;
    let asked: Vec<&Function> = functions.iter().filter(touches).collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let (code, rope, reports) = transform(path, text, (options, Outside::default()))?;
    let after = functions_of(path, &code)?;
    let origins = Origins::of(&rope);
    let shown = asked.into_iter().filter_map(|it| {
        let is_its = |report: &&FunctionReport| {
            it.span.start <= report.offset && report.offset < it.head.end
        };
        let report = reports.iter().find(is_its)?.clone();
        let parts = origins.parts(it.span, &after);
        let compiled: Vec<String> =
            parts.into_iter().map(|part| part.source_text(&code).to_owned()).collect();
        let is_same = compiled.len() == 1 && compiled[0] == it.span.source_text(text);
        let compiled = if is_same { Vec::new() } else { compiled };
        Some(Shown { source: it.span.start..it.span.end, report, compiled })
    });
    Ok(shown.collect())
}

/// A function, whatever its syntax; a method with its name.
struct Function {
    span: Span,
    /// Up to the first statement of its body.
    head: Span,
    is_async: bool,
}

fn functions_of(path: &Path, text: &str) -> Result<Vec<Function>, SyntaxError> {
    headstart_frontend::with_syntax_tree(path, text, |program| {
        let mut collector = Collector::default();
        collector.visit_program(program);
        collector.functions
    })
}

#[derive(Default)]
struct Collector {
    functions: Vec<Function>,
    /// The class element or property that the next function is the value of.
    element: Option<Span>,
}

impl Collector {
    fn push(&mut self, own: Span, body: Option<&ast::FunctionBody<'_>>, is_async: bool) {
        let span = self.element.take().unwrap_or(own);
        let end = body.map_or(own.end, |body| {
            body.statements.first().map_or(body.span.end, |first| first.span().start)
        });
        self.functions.push(Function { span, head: Span::new(span.start, end), is_async });
    }
}

impl<'a> Visit<'a> for Collector {
    fn visit_method_definition(&mut self, it: &ast::MethodDefinition<'a>) {
        self.visit_decorators(&it.decorators);
        self.visit_property_key(&it.key);
        self.element = Some(it.span);
        self.visit_function(&it.value, ScopeFlags::Function);
    }

    fn visit_object_property(&mut self, it: &ast::ObjectProperty<'a>) {
        self.visit_property_key(&it.key);
        self.element = it.method.then_some(it.span);
        self.visit_expression(&it.value);
        self.element = None;
    }

    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        self.push(it.span, it.body.as_deref(), it.r#async && !it.generator);
        walk::walk_function(self, it, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        let body = match &it.body {
            ast::ArrowFunctionBody::FunctionBody(body) => Some(&**body),
            _ => None,
        };
        self.push(it.span, body, it.r#async);
        walk::walk_arrow_function_expression(self, it);
    }
}

/// Which stretches of the output come from where in the source.
struct Origins(Vec<(Span, Span)>);

impl Origins {
    fn of(rope: &Rope) -> Self {
        let mut at = 0;
        let mut origins = Vec::new();
        for piece in &rope.0 {
            if let Piece::Source(span) = piece {
                origins.push((Span::sized(at, span.size()), *span));
            }
            at += piece.len();
        }
        Self(origins)
    }

    /// The outermost of `functions` that come from `source` and from nothing else.
    fn parts(&self, source: Span, functions: &[Function]) -> Vec<Span> {
        let mut parts: Vec<Span> = Vec::new();
        for function in functions {
            let is_within = parts.iter().any(|part| part.contains_inclusive(function.span));
            if !is_within && self.is_from(function.span, source) {
                parts.push(function.span);
            }
        }
        parts
    }

    fn is_from(&self, output: Span, source: Span) -> bool {
        let first = self.0.partition_point(|(to, _)| to.end <= output.start);
        let mut within =
            self.0[first..].iter().take_while(|(to, _)| to.start < output.end).peekable();
        within.peek().is_some()
            && within.all(|(to, from)| {
                let start = from.start + output.start.saturating_sub(to.start);
                let end = from.end - to.end.saturating_sub(output.end);
                source.start <= start && end <= source.end
            })
    }
}
