//! Parameters of a fast function.
//!
//! What may throw while parameters are bound (defaults, patterns) rejects the promise of an async
//! function. So it moves into the body, where it is caught; the list keeps its length.

use oxc_ast::ast::{self, Expression};
use oxc_span::{GetSpan, Span};

use crate::facts::Facts;
use crate::lower::{Lowered, Unsupported};
use crate::rope::{Edits, Rope, rope};

/// The parameters, as they are to be.
#[derive(Debug, Default)]
pub(crate) struct Params {
    replaced: Vec<(Span, Rope)>,
    /// What the list keeps the names of, as it is in front of the body.
    aliases: Rope,
    binds: Vec<(Span, Rope)>,
}

impl Params {
    /// What has to move, if anything. `in_block`: into a block of the body, where names of the list may
    /// be declared again; in TypeScript, whoever reads the declarations sees them.
    pub(crate) fn of(
        it: &ast::FormalParameters<'_>,
        facts: &mut Facts,
        edits: &Edits,
        in_block: bool,
    ) -> Lowered<Self> {
        let keeps_names = in_block && facts.typescript;
        let mut params = Self::default();
        let moved = moved(it);
        for item in it.items.iter().filter(|it| moved.contains(&it.span)) {
            if !item.decorators.is_empty() {
                return Err(Unsupported("a parameter with a decorator that may throw"));
            }
            let name = facts.fresh("$p");
            let pattern = edits.render(item.pattern.span());
            let own = params.keep_name(&item.pattern, &name, keeps_names);
            let typed = slot(item, own.as_ref().unwrap_or(&name), edits, facts.typescript);
            let (slot, value) = match &item.initializer {
                Some(default) => {
                    let text = edits.render(default.span());
                    // A function without a name gets that of the parameter.
                    let default = match item.pattern.get_binding_identifier() {
                        Some(id) if default.is_anonymous_function_definition() => {
                            let name = id.name.as_str();
                            rope!["{ ", name, ": ", text, " }.", name]
                        }
                        _ => text,
                    };
                    (typed, rope![&name, " === void 0 ? ", default, " : ", &name])
                }
                None => (typed, rope![&name]),
            };
            params.replaced.push((item.span, slot));
            params.binds.push((item.span, rope!["let ", pattern, " = ", value, ";\n"]));
        }
        if let Some(rest) = it.rest.as_ref().filter(|it| moved.contains(&it.span)) {
            let name = facts.fresh("$p");
            let pattern = edits.render(rest.rest.argument.span());
            let type_ = rest_type(rest, edits);
            let own = params.keep_name(&rest.rest.argument, &name, keeps_names);
            let listed = own.as_ref().unwrap_or(&name);
            params.replaced.push((rest.span, rope!["...", listed, type_]));
            params.binds.push((rest.span, rope!["let ", pattern, " = ", name, ";\n"]));
        }
        Ok(params)
    }

    /// The name that a parameter has in the list, if it keeps it there; `name` stands for it in the body.
    fn keep_name(
        &mut self,
        it: &ast::BindingPattern<'_>,
        name: &str,
        keeps_names: bool,
    ) -> Option<String> {
        let own = it.get_binding_identifier().filter(|_| keeps_names)?.name.to_string();
        self.aliases = rope![&self.aliases, "const ", name, " = ", &own, ";\n"];
        Some(own)
    }

    /// The statements that stand in front of the block with what moved.
    pub(crate) fn aliases(&self) -> &Rope {
        &self.aliases
    }

    /// Rewrites the list.
    pub(crate) fn edit(&self, edits: &mut Edits) {
        for (span, text) in &self.replaced {
            edits.replace(*span, text.clone());
        }
    }

    /// The statements that bind what moved, with where it was.
    pub(crate) fn binds(&self) -> &[(Span, Rope)] {
        &self.binds
    }
}

/// What stands in the list for a parameter that is bound elsewhere, so that who calls sees the same list: as
/// long, and of the same types.
pub(crate) fn slot(
    it: &ast::FormalParameter<'_>,
    name: &str,
    edits: &Edits,
    typescript: bool,
) -> Rope {
    // Behind an optional parameter of TypeScript, all have to be.
    let mark = if it.optional { "?" } else { "" };
    let default = if it.initializer.is_some() { " = void 0" } else { "" };
    if let Some(annotation) = &it.type_annotation {
        let type_ = edits.render(Span::new(it.pattern.span().end, annotation.span.end));
        return rope![name, type_, default];
    }
    match &it.initializer {
        _ if !typescript => rope![name, mark, default],
        // Never evaluated: its type is that of the parameter.
        Some(value) if it.pattern.is_binding_identifier() => {
            rope![name, " = false ? ", edits.render(value.span()), " : void 0"]
        }
        _ => rope![name, mark, ": any", default],
    }
}

/// The type of what takes all other arguments, as it stands behind its name.
pub(crate) fn rest_type(it: &ast::FormalParameterRest<'_>, edits: &Edits) -> Rope {
    let annotation = it.type_annotation.as_ref();
    let span = annotation.map(|type_| Span::new(it.rest.span.end, type_.span.end));
    span.map(|it| edits.render(it)).unwrap_or_default()
}

/// The parameters that have to move.
pub(crate) fn moved(it: &ast::FormalParameters<'_>) -> Vec<Span> {
    let rest_moves = it.rest.as_ref().is_some_and(|it| !it.rest.argument.is_binding_identifier());
    let first = it.items.iter().position(may_throw);
    let Some(first) = first.or(rest_moves.then_some(it.items.len())) else { return Vec::new() };
    // Functions see all parameters, also those behind them.
    let first = it.items[..first].iter().position(makes_function).unwrap_or(first);
    let rest = it.rest.as_ref().map(|it| it.span);
    it.items[first..].iter().map(|it| it.span).chain(rest).collect()
}

fn may_throw(it: &ast::FormalParameter<'_>) -> bool {
    if !it.pattern.is_binding_identifier() {
        return true;
    }
    it.initializer.as_ref().is_some_and(|default| !is_harmless(default))
}

fn makes_function(it: &ast::FormalParameter<'_>) -> bool {
    it.initializer.as_ref().is_some_and(|default| default.get_inner_expression().is_function())
}

fn is_harmless(it: &Expression<'_>) -> bool {
    match it.get_inner_expression() {
        Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_) => true,
        Expression::ArrayExpression(it) => it.elements.is_empty(),
        Expression::ObjectExpression(it) => it.properties.is_empty(),
        it => it.is_literal() || it.is_undefined(),
    }
}
