//! Parameters of a fast function.
//!
//! What may throw while parameters are bound (defaults, patterns) rejects the promise of an async
//! function. So it moves into the body, where it is caught; the list keeps its length.

use oxc_ast::ast::{self, Expression};
use oxc_semantic::{Scoping, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::UnaryOperator;

use crate::facts::{Facts, FunctionFacts, TypeText};
use crate::lower::{Lowered, UNTYPED_PARAM, Unsupported, takes_name};
use crate::rope::{Edits, Rope, rope};

/// The parameters, as they are to be.
#[derive(Debug, Default)]
pub(crate) struct Params {
    replaced: Vec<(Span, Rope)>,
    /// What the list keeps the names of, as it is in front of the body.
    aliases: Rope,
    binds: Vec<(Span, Rope)>,
}

/// Where parameters are bound.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// The function.
    pub(crate) function: usize,
    /// What moves goes into a block of the body, where names of the list may be declared again; in TypeScript,
    /// whoever reads the declarations sees them.
    pub(crate) in_block: bool,
    /// Whether each has to keep its type for those who call the function.
    pub(crate) keeps_types: bool,
}

impl Params {
    /// What has to move, if anything.
    pub(crate) fn of(
        it: &ast::FormalParameters<'_>,
        (facts, scoping): (&mut Facts, &Scoping),
        edits: &Edits,
        place: Place,
    ) -> Lowered<Self> {
        let keeps_names = place.in_block && facts.typescript;
        let mut params = Self::default();
        let moved = moved(it);
        for item in it.items.iter().filter(|it| moved.contains(&it.span)) {
            if !item.decorators.is_empty() {
                return Err(Unsupported("a parameter with a decorator that may throw"));
            }
            let known = (&*facts, scoping);
            let stays = facts.typescript && stays(item, known, place.function, keeps_names);
            let type_ = place.keeps_types.then(|| literal_type(item, known)).flatten();
            if place.keeps_types && !stays && type_.is_none() {
                check_type(item, facts, place.function)?;
            }
            let name = facts.fresh("$p");
            let own = params.keep_name(&item.pattern, &name, keeps_names);
            let listed = own.as_ref().unwrap_or(&name);
            let slot = match type_.filter(|_| !stays) {
                // As an annotation, decorators would see it.
                Some(type_) => rope![listed, " = void 0 as any as ", type_],
                None => slot(item, (listed, stays), edits, (facts.typescript, place.keeps_types)),
            };
            let value = if stays { rope![&name] } else { value(item, &name, edits) };
            let pattern = edits.render(item.pattern.span());
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

/// What a parameter that is bound elsewhere gets there, of what the list has under a name.
fn value(it: &ast::FormalParameter<'_>, name: &str, edits: &Edits) -> Rope {
    let Some(default) = &it.initializer else { return rope![name] };
    let text = edits.render(default.span());
    // A function without a name gets that of the parameter.
    let default = match it.pattern.get_binding_identifier() {
        Some(id) if takes_name(default) => {
            let name = id.name.as_str();
            rope!["{ ", name, ": ", text, " }.", name]
        }
        _ => text,
    };
    rope![name, " === void 0 ? ", default, " : ", name]
}

/// What stands in the list for a parameter that is bound elsewhere, so that who calls sees the same list: as
/// long, and of the same types. `stays`: with its default.
fn slot(
    it: &ast::FormalParameter<'_>,
    (name, stays): (&str, bool),
    edits: &Edits,
    (typescript, keeps_types): (bool, bool),
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
        Some(value) if stays => rope![name, " = ", edits.render(value.span())],
        // Never evaluated: its type is nearly that of the parameter.
        Some(value) if it.pattern.is_binding_identifier() => {
            rope![name, " = false ? ", edits.render(value.span()), " : void 0"]
        }
        // What it is passed to may say its type.
        None if keeps_types => rope![name, mark],
        _ => rope![name, mark, ": any", default],
    }
}

/// The type that a parameter has by its default, where that is a variable whose first value is a literal.
fn literal_type(
    it: &ast::FormalParameter<'_>,
    (facts, scoping): (&Facts, &Scoping),
) -> Option<&'static str> {
    let Expression::Identifier(default) = it.initializer.as_ref()?.get_inner_expression() else {
        return None;
    };
    let is_plain = it.type_annotation.is_none() && it.pattern.is_binding_identifier();
    let symbol = scoping.get_reference(default.reference_id.get()?).symbol_id()?;
    match facts.says_type.get(&symbol)? {
        TypeText::Primitive(it) if is_plain => Some(it),
        _ => None,
    }
}

/// Refuses a parameter whose type would not be what it is, or on which the type of another one, or of the
/// function, rests by a name that is no more.
fn check_type(it: &ast::FormalParameter<'_>, facts: &Facts, function: usize) -> Lowered {
    let is_name = it.pattern.is_binding_identifier();
    let says_type = it.type_annotation.is_some() || is_name && it.initializer.is_none();
    let FunctionFacts { span, body, .. } = facts.functions[function];
    let is_asked = |it: &ast::BindingIdentifier<'_>| {
        let places = it.symbol_id.get().and_then(|it| facts.queried.get(&it));
        places.is_some_and(|all| all.iter().any(|&at| span.start <= at && at < body))
    };
    let goes = !is_name && it.pattern.get_binding_identifiers().into_iter().any(is_asked);
    if says_type && !goes { Ok(()) } else { Err(Unsupported(UNTYPED_PARAM)) }
}

/// Whether the default of a parameter that does not say its type may stay in the list: evaluating it there does
/// nothing, never throws, and means the same.
fn stays(
    it: &ast::FormalParameter<'_>,
    (facts, scoping): (&Facts, &Scoping),
    function: usize,
    keeps_names: bool,
) -> bool {
    let Some(default) = &it.initializer else { return false };
    if it.type_annotation.is_some() || !it.pattern.is_binding_identifier() {
        return false;
    }
    let is_own = |symbol: Option<SymbolId>| {
        symbol.is_some_and(|it| facts.owner.get(&it) == Some(&Some(function)))
    };
    if default.get_inner_expression().is_function() {
        let span = default.span();
        let from = facts.mentions.partition_point(|it| it.span.start < span.start);
        let inside = facts.mentions[from..].iter().take_while(|it| it.span.start < span.end);
        return keeps_names && !inside.into_iter().any(|it| is_own(it.symbol));
    }
    is_plain(default, &|it| {
        let id = it.reference_id.get();
        match id.and_then(|it| scoping.get_reference(it).symbol_id()) {
            Some(it) => !is_own(Some(it)) && facts.is_constant(scoping, it, function),
            None => ["undefined", "NaN", "Infinity"].contains(&it.name.as_str()),
        }
    })
}

/// Whether evaluating this does nothing and never throws. `is_set`: whether a variable has its value, which it
/// keeps.
fn is_plain(it: &Expression<'_>, is_set: &dyn Fn(&ast::IdentifierReference<'_>) -> bool) -> bool {
    match it.get_inner_expression() {
        Expression::Identifier(it) => is_set(it),
        Expression::TemplateLiteral(it) => it.expressions.is_empty(),
        Expression::UnaryExpression(it) => {
            it.operator != UnaryOperator::UnaryPlus && it.argument.is_literal()
        }
        Expression::ArrayExpression(it) => {
            it.elements.iter().all(|it| it.as_expression().is_some_and(|it| is_plain(it, is_set)))
        }
        Expression::ObjectExpression(it) => it.properties.iter().all(|it| match it {
            ast::ObjectPropertyKind::ObjectProperty(it) => {
                !it.computed && !it.method && is_plain(&it.value, is_set)
            }
            ast::ObjectPropertyKind::SpreadProperty(_) => false,
        }),
        it => it.is_literal(),
    }
}

/// The type of what takes all other arguments, as it stands behind its name.
fn rest_type(it: &ast::FormalParameterRest<'_>, edits: &Edits) -> Rope {
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
