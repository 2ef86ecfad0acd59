//! Async functions that only hand on a promise.
//!
//! Before `async function f(x) { return await g(x); }`, after `function f(x) { return g(x); }`: one
//! promise and two ticks less a call. Only where `g` is an async function for certain, so that its
//! call never throws and always gives a promise, and where nothing else in `f` can throw. See
//! `docs/wrappers.md`.

use headstart_frontend::resolve_names;
use oxc_ast::ast::{self, Argument, Expression, Statement};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, Scoping, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Options;
use crate::facts::Facts;
use crate::patch::Patch;
use crate::recursion::is_only_called;
use crate::report::{FunctionReport, Outcome};
use crate::rewrite::IsCold;
use crate::rope::Rope;

/// Removes the wrappers of a file; the text is `None` where there are none.
pub(crate) fn remove(
    program: &ast::Program<'_>,
    text: &str,
    (options, is_cold): (Options, IsCold<'_>),
) -> (Option<Rope>, Vec<FunctionReport>) {
    // Most files have none, and what names mean is dear to find out.
    let mut look = Look { finds: false };
    look.visit_program(program);
    if !look.finds {
        return (None, Vec::new());
    }
    let scoping = &resolve_names(program, None);
    let mut facts = Facts::collect(program, scoping);
    facts.note_script(program, text, options.commonjs == Some(true));
    facts.note_language(program, options.keep_types);
    facts.note_cold(is_cold);
    if !facts.withs.is_empty() || facts.has_eval {
        return (None, Vec::new());
    }
    let mut known = Known::new(scoping);
    known.visit_program(program);
    let mut remover = Remover {
        text,
        facts: &facts,
        known: &known,
        patch: Patch::of(text),
        reports: Vec::new(),
        method: None,
    };
    remover.visit_program(program);
    let Remover { patch, reports, .. } = remover;
    let all = Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX));
    ((!patch.is_empty()).then(|| patch.render(all)), reports)
}

/// What is known of the names of a file.
struct Known<'x> {
    scoping: &'x Scoping,
    /// Variables that always hold the same async function, and where they get it; 0 from the start.
    functions: FxHashMap<SymbolId, u32>,
    /// Variables whose value never changes, and where they get it.
    constants: FxHashMap<SymbolId, u32>,
    /// Private async methods of instances.
    methods: FxHashSet<String>,
    /// Private names that are declared twice, or are mentioned other than to be called.
    unclear: FxHashSet<String>,
    called: FxHashSet<u32>,
    /// Function declarations that a sloppy block declares around itself.
    in_blocks: FxHashSet<u32>,
}

impl<'x> Known<'x> {
    fn new(scoping: &'x Scoping) -> Self {
        Self {
            scoping,
            functions: FxHashMap::default(),
            constants: FxHashMap::default(),
            methods: FxHashSet::default(),
            unclear: FxHashSet::default(),
            called: FxHashSet::default(),
            in_blocks: FxHashSet::default(),
        }
    }

    fn is_constant(&self, symbol: SymbolId) -> bool {
        !self.scoping.symbol_is_mutated(symbol)
            && self.scoping.symbol_redeclarations(symbol).is_empty()
    }

    /// Notes the statements of a block; those of a `switch` may be jumped over.
    fn note(&mut self, statements: &[Statement<'_>], in_block: bool) {
        for statement in statements {
            let declaration = match statement {
                Statement::ExportDeclaration(it) => &it.declaration,
                it => match it.as_declaration() {
                    Some(it) => it,
                    None => continue,
                },
            };
            match declaration {
                ast::Declaration::FunctionDeclaration(it) => self.note_function(it, in_block),
                ast::Declaration::VariableDeclaration(it) if it.kind.is_const() => {
                    it.declarations.iter().for_each(|it| self.note_constant(it));
                }
                _ => {}
            }
        }
    }

    fn note_function(&mut self, it: &ast::Function<'_>, in_block: bool) {
        if in_block {
            self.in_blocks.insert(it.span.start);
        }
        let symbol = it.id.as_ref().and_then(|it| it.symbol_id.get());
        let Some(symbol) = symbol.filter(|it| self.is_constant(*it)) else { return };
        self.constants.insert(symbol, 0);
        if it.r#async && !it.generator && it.body.is_some() {
            self.functions.insert(symbol, 0);
        }
    }

    fn note_constant(&mut self, it: &ast::VariableDeclarator<'_>) {
        for symbol in it.id.get_symbol_ids() {
            self.constants.insert(symbol, it.span.end);
        }
        let symbol = it.id.get_binding_identifier().and_then(|it| it.symbol_id.get());
        let is_async = match it.init.as_ref().map(Expression::without_parentheses) {
            Some(Expression::FunctionExpression(it)) => it.r#async && !it.generator,
            Some(Expression::ArrowFunctionExpression(it)) => it.r#async,
            _ => false,
        };
        if let (Some(symbol), true) = (symbol, is_async) {
            self.functions.insert(symbol, it.span.end);
        }
    }
}

impl<'a> Visit<'a> for Known<'_> {
    fn visit_program(&mut self, it: &ast::Program<'a>) {
        self.note(&it.body, false);
        walk::walk_program(self, it);
    }

    fn visit_function_body(&mut self, it: &ast::FunctionBody<'a>) {
        self.note(&it.statements, false);
        walk::walk_function_body(self, it);
    }

    fn visit_block_statement(&mut self, it: &ast::BlockStatement<'a>) {
        self.note(&it.body, true);
        walk::walk_block_statement(self, it);
    }

    fn visit_switch_case(&mut self, it: &ast::SwitchCase<'a>) {
        for it in &it.consequent {
            if let Statement::FunctionDeclaration(it) = it {
                self.in_blocks.insert(it.span.start);
            }
        }
        walk::walk_switch_case(self, it);
    }

    fn visit_method_definition(&mut self, it: &ast::MethodDefinition<'a>) {
        if let ast::PropertyKey::PrivateIdentifier(key) = &it.key {
            let is_async = it.value.r#async && !it.value.generator && !it.r#static;
            let is_new = self.methods.insert(key.name.to_string());
            if !is_async || !is_new || !it.decorators.is_empty() {
                self.unclear.insert(key.name.to_string());
            }
        }
        walk::walk_method_definition(self, it);
    }

    fn visit_property_definition(&mut self, it: &ast::PropertyDefinition<'a>) {
        if let ast::PropertyKey::PrivateIdentifier(key) = &it.key {
            self.unclear.insert(key.name.to_string());
        }
        walk::walk_property_definition(self, it);
    }

    fn visit_call_expression(&mut self, it: &ast::CallExpression<'a>) {
        if let (Expression::PrivateFieldExpression(callee), false) = (&it.callee, it.optional) {
            self.called.insert(callee.span.end);
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_private_field_expression(&mut self, it: &ast::PrivateFieldExpression<'a>) {
        if !self.called.contains(&it.span.end) || it.optional {
            self.unclear.insert(it.field.name.to_string());
        }
        walk::walk_private_field_expression(self, it);
    }
}

/// The method that comes next.
struct Method {
    async_: Span,
    private_name: Option<String>,
}

/// A function that may be a wrapper.
struct Candidate<'t, 'a> {
    span: Span,
    async_: Span,
    is_arrow: bool,
    private_name: Option<String>,
    params: &'t ast::FormalParameters<'a>,
    value: &'t Expression<'a>,
}

struct Remover<'x> {
    text: &'x str,
    facts: &'x Facts,
    known: &'x Known<'x>,
    patch: Patch,
    reports: Vec<FunctionReport>,
    method: Option<Method>,
}

impl Remover<'_> {
    fn consider(&mut self, it: &Candidate<'_, '_>) -> Option<()> {
        let (awaited, call) = handed_on(it.value)?;
        let index = *self.facts.by_span.get(&(it.span.start, it.span.end))?;
        let stays = self.facts.functions[index].in_namespace
            || self.facts.keeps_text(index)
            || self.facts.cold.contains(&index);
        if stays {
            return None;
        }
        let outcome = match self.check(it, call, index)? {
            Ok(()) => {
                let rest = self.text.get(it.async_.end as usize..)?;
                let space = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                let end = it.async_.end + u32::try_from(space).ok()?;
                self.patch.replace(Span::new(it.async_.start, end), "");
                if let Some(awaited) = awaited {
                    self.patch
                        .replace(Span::new(awaited.span.start, awaited.argument.span().start), "");
                }
                Outcome::Unwrapped
            }
            Err(reason) => Outcome::Kept { reason: format!("remains a wrapper: {reason}") },
        };
        let name = self.facts.functions[index].name.clone().unwrap_or_default();
        self.reports.push(FunctionReport::new(name, it.async_.start, outcome));
        Some(())
    }

    /// Whether the call can take the place of the function; nothing if it calls nothing that is
    /// known to be async.
    fn check(
        &self,
        it: &Candidate<'_, '_>,
        call: &ast::CallExpression<'_>,
        index: usize,
    ) -> Option<Result<(), &'static str>> {
        let in_order = match &call.callee {
            Expression::Identifier(callee) => {
                let symbol = self.symbol(callee)?;
                self.is_set(symbol, *self.known.functions.get(&symbol)?, it.span, index)
            }
            Expression::PrivateFieldExpression(callee) => {
                let name = callee.field.name.as_str();
                let is_method = self.known.methods.contains(name)
                    && matches!(callee.object, Expression::ThisExpression(_));
                if !is_method {
                    return None;
                }
                match self.check_private(it, name) {
                    Ok(()) => true,
                    Err(reason) => return Some(Err(reason)),
                }
            }
            _ => return None,
        };
        if !in_order {
            return Some(Err("what it calls may not be there yet"));
        }
        if self.known.in_blocks.contains(&it.span.start) {
            return Some(Err("it is declared in a block"));
        }
        let simple = it
            .params
            .items
            .iter()
            .all(|param| param.pattern.is_binding_identifier() && param.initializer.is_none());
        let rest = it.params.rest.as_ref();
        if !simple || rest.is_some_and(|it| !it.rest.argument.is_binding_identifier()) {
            return Some(Err("its parameters may throw"));
        }
        let harmless = call.arguments.iter().all(|argument| self.is_harmless(argument, it, index));
        if !harmless {
            return Some(Err("what it passes on may throw"));
        }
        let is_hidden = self.is_hidden(it, index);
        Some(is_hidden.then_some(()).ok_or("who gets it may ask whether it is an async function"))
    }

    /// Whether a function is never more than called: libraries promisify what is no `AsyncFunction`, or call it
    /// with a callback.
    fn is_hidden(&self, it: &Candidate<'_, '_>, index: usize) -> bool {
        match &it.private_name {
            Some(name) => !self.known.unclear.contains(name),
            None => {
                let function = &self.facts.functions[index];
                let is_seen = |it: &SymbolId| {
                    self.facts.exported.contains(it)
                        || self.facts.is_shared(self.known.scoping, *it)
                };
                is_only_called(self.facts, function) && !function.bound.iter().any(is_seen)
            }
        }
    }

    /// `this.#g()` throws where `this` has no `#g`: a private method that is only ever called has it.
    fn check_private(&self, it: &Candidate<'_, '_>, callee: &str) -> Result<(), &'static str> {
        if self.known.unclear.contains(callee) {
            return Err("what it calls is not one method");
        }
        match &it.private_name {
            Some(own) if !self.known.unclear.contains(own) && self.known.methods.contains(own) => {
                Ok(())
            }
            _ => Err("it may be called with a `this` that has no such method"),
        }
    }

    fn symbol(&self, it: &ast::IdentifierReference<'_>) -> Option<SymbolId> {
        self.known.scoping.get_reference(it.reference_id.get()?).symbol_id()
    }

    /// Whether a variable that gets its value at `set` has it whenever function `index` runs.
    fn is_set(&self, symbol: SymbolId, set: u32, function: Span, index: usize) -> bool {
        if set == 0 {
            return true;
        }
        let owner = self.facts.owner.get(&symbol).copied().flatten();
        let mut at = Some(index);
        while at != owner {
            let Some(index) = at else { return false };
            if self.facts.functions[index].hoisted {
                return false;
            }
            at = self.facts.functions[index].parent;
        }
        set < function.start
    }

    fn is_harmless(&self, argument: &Argument<'_>, it: &Candidate<'_, '_>, index: usize) -> bool {
        let Some(value) = argument.as_expression() else { return false };
        match value.without_parentheses() {
            Expression::Identifier(id) => match self.symbol(id) {
                None => id.name == "undefined",
                Some(symbol) => {
                    let own = it.params.iter_bindings().any(|param| {
                        param.get_binding_identifier().and_then(|id| id.symbol_id.get())
                            == Some(symbol)
                    });
                    let set = self.known.constants.get(&symbol);
                    own || set.is_some_and(|set| self.is_set(symbol, *set, it.span, index))
                }
            },
            Expression::ThisExpression(_) => !it.is_arrow,
            value => value.is_literal() || value.is_void_0() || value.is_no_substitution_template(),
        }
    }

    fn method(&self, it: &ast::MethodDefinition<'_>) -> Option<Method> {
        let from = it.decorators.last().map_or(it.span.start, |it| it.span.end);
        let async_ = crate::select::find_async(self.text, from, it.key.span().start)?;
        let private_name = match &it.key {
            ast::PropertyKey::PrivateIdentifier(key) if !it.r#static => Some(key.name.to_string()),
            _ => None,
        };
        Some(Method { async_, private_name })
    }
}

/// Whether a file has functions that may be wrappers, by their form.
struct Look {
    finds: bool,
}

impl<'a> Visit<'a> for Look {
    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        let value = it.body.as_ref().filter(|_| it.r#async).and_then(|it| returned(it));
        self.finds |= value.is_some_and(|it| handed_on(it).is_some());
        walk::walk_function(self, it, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        let value = returned_by_arrow(it).filter(|_| it.r#async);
        self.finds |= value.is_some_and(|it| handed_on(it).is_some());
        walk::walk_arrow_function_expression(self, it);
    }
}

/// The call of a function or a private method whose promise a value is, with the `await` around it.
fn handed_on<'t, 'a>(
    value: &'t Expression<'a>,
) -> Option<(Option<&'t ast::AwaitExpression<'a>>, &'t ast::CallExpression<'a>)> {
    let (awaited, value) = match value.without_parentheses() {
        Expression::AwaitExpression(awaited) => (Some(&**awaited), &awaited.argument),
        value => (None, value),
    };
    let Expression::CallExpression(call) = value.without_parentheses() else { return None };
    let is_possible = !call.optional
        && matches!(call.callee, Expression::Identifier(_) | Expression::PrivateFieldExpression(_));
    is_possible.then_some((awaited, &**call))
}

fn returned_by_arrow<'t, 'a>(
    it: &'t ast::ArrowFunctionExpression<'a>,
) -> Option<&'t Expression<'a>> {
    match &it.body {
        ast::ArrowFunctionBody::FunctionBody(body) => returned(body),
        other => other.as_expression(),
    }
}

/// The value that a body does nothing but return.
fn returned<'t, 'a>(body: &'t ast::FunctionBody<'a>) -> Option<&'t Expression<'a>> {
    match body.statements.as_slice() {
        [Statement::ReturnStatement(it)] if body.directives.is_empty() => it.argument.as_ref(),
        _ => None,
    }
}

impl<'a> Visit<'a> for Remover<'_> {
    fn visit_method_definition(&mut self, it: &ast::MethodDefinition<'a>) {
        self.visit_decorators(&it.decorators);
        self.visit_property_key(&it.key);
        self.method = if it.value.r#async { self.method(it) } else { None };
        self.visit_function(&it.value, ScopeFlags::Function);
    }

    fn visit_object_property(&mut self, it: &ast::ObjectProperty<'a>) {
        self.visit_property_key(&it.key);
        if it.method {
            let async_ = crate::select::find_async(self.text, it.span.start, it.key.span().start);
            self.method = async_.map(|async_| Method { async_, private_name: None });
        }
        self.visit_expression(&it.value);
    }

    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        let method = self.method.take();
        if let (true, false, Some(value)) =
            (it.r#async, it.generator, it.body.as_ref().and_then(|it| returned(it)))
        {
            self.consider(&Candidate {
                span: it.span,
                async_: method.as_ref().map_or(Span::sized(it.span.start, 5), |it| it.async_),
                is_arrow: false,
                private_name: method.and_then(|it| it.private_name),
                params: &it.params,
                value,
            });
        }
        walk::walk_function(self, it, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &ast::ArrowFunctionExpression<'a>) {
        self.method = None;
        if let (true, Some(value)) = (it.r#async, returned_by_arrow(it)) {
            self.consider(&Candidate {
                span: it.span,
                async_: Span::sized(it.span.start, 5),
                is_arrow: true,
                private_name: None,
                params: &it.params,
                value,
            });
        }
        walk::walk_arrow_function_expression(self, it);
    }
}
