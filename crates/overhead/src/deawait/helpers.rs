//! Finds the helpers that compilers put into a file, or import, to do without async functions.
//!
//! Purpose: what goes through a helper may only be restored if the helper is the compiler's own.
//! Input: the syntax tree with its names resolved. Output: [`Helpers`]: which variables hold one. A
//! helper in the file has to have a [`fingerprint`] that is known, one that is imported to come
//! from the compiler's package; and nothing may assign to either.

use oxc_ast::ast::{self, Expression};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{ScopeFlags, Scoping, SymbolId};
use oxc_span::Span;
use rustc_hash::FxHashMap;

use super::fingerprint::fingerprint;
use super::known::{Helper, KNOWN, MODULES, STEPS};
use crate::facts::Facts;

/// What a variable holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holds {
    /// The helper itself.
    Helper(Helper),
    /// An object whose properties are those of a module of helpers.
    Module(&'static [(&'static str, Helper)]),
}

/// The helpers of a file.
#[derive(Debug, Default)]
pub(crate) struct Helpers {
    pub(crate) by_symbol: FxHashMap<SymbolId, Holds>,
    /// The statements that declare those which stand in the file.
    pub(crate) declared: Vec<(SymbolId, Span)>,
    /// The functions that helpers need, and who needs them.
    steps: FxHashMap<SymbolId, Span>,
    /// Functions named like helpers which are not what a compiler writes.
    pub(crate) modified: Vec<(String, Span)>,
    /// Whether the file has one in sloppy code that makes functions, which get an object as `this` then,
    /// whatever they are called with.
    pub(crate) makes_sloppy: bool,
}

/// The names that a file with helpers has.
pub(crate) const MARKS: [&str; 4] =
    ["__awaiter", "__async", "syncToGenerator", "async_to_generator"];

impl Helpers {
    /// Finds the helpers of a file.
    pub(crate) fn find(
        program: &ast::Program<'_>,
        text: &str,
        scoping: &Scoping,
        facts: &Facts,
    ) -> Self {
        let mut finder = Finder {
            text,
            scoping,
            facts,
            helpers: Self::default(),
            statement: None,
            needs: Vec::new(),
        };
        finder.visit_program(program);
        let Finder { mut helpers, needs, .. } = finder;
        for (symbol, step) in needs {
            if step.is_none_or(|it| !helpers.steps.contains_key(&it)) {
                helpers.by_symbol.remove(&symbol);
                helpers.declared.retain(|it| it.0 != symbol);
            }
        }
        helpers
    }

    /// The helper that the callee of a call is.
    pub(crate) fn callee(&self, callee: &Expression<'_>, scoping: &Scoping) -> Option<Helper> {
        match callee.without_parentheses() {
            Expression::Identifier(it) => match self.held(it, scoping)? {
                Holds::Helper(helper) => Some(helper),
                Holds::Module(_) => None,
            },
            Expression::StaticMemberExpression(it) => {
                let Expression::Identifier(object) = &it.object else { return None };
                match self.held(object, scoping)? {
                    Holds::Module(members) => member(members, &it.property.name),
                    Holds::Helper(_) => None,
                }
            }
            // `(0, module.helper)(…)`
            Expression::SequenceExpression(it) => match it.expressions.as_slice() {
                [zero, last] if zero.is_number_0() => self.callee(last, scoping),
                _ => None,
            },
            _ => None,
        }
    }

    pub(crate) fn held(
        &self,
        it: &ast::IdentifierReference<'_>,
        scoping: &Scoping,
    ) -> Option<Holds> {
        self.by_symbol.get(&symbol_of(it, scoping)?).copied()
    }

    /// The function that a helper in the file needs, with what declares it.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (SymbolId, Span)> {
        self.steps.iter().map(|(symbol, span)| (*symbol, *span))
    }
}

/// Whether a name is one that compilers or bundlers give to a helper.
fn is_named_like_one(name: &str) -> bool {
    let end = |it: char| it == '$' || it == '_' || it.is_ascii_digit();
    let name = name.trim_start_matches('_').trim_end_matches(end);
    ["awaiter", "async", "asyncToGenerator", "async_to_generator"].contains(&name)
}

/// The variable a name stands for.
pub(crate) fn symbol_of(it: &ast::IdentifierReference<'_>, scoping: &Scoping) -> Option<SymbolId> {
    scoping.get_reference(it.reference_id.get()?).symbol_id()
}

fn member(members: &[(&'static str, Helper)], name: &str) -> Option<Helper> {
    members.iter().find(|(it, _)| *it == name).map(|(_, helper)| *helper)
}

/// The members of a module of helpers.
fn module(name: &str) -> Option<&'static [(&'static str, Helper)]> {
    let name = name.strip_suffix(".js").unwrap_or(name);
    MODULES.iter().find(|(names, _)| names.contains(&name)).map(|(_, members)| *members)
}

struct Finder<'x> {
    text: &'x str,
    scoping: &'x Scoping,
    facts: &'x Facts,
    helpers: Helpers,
    /// The variable declaration that is gone over, if it has a single variable.
    statement: Option<Span>,
    /// Helpers, and the function each needs, if there is any of its name.
    needs: Vec<(SymbolId, Option<SymbolId>)>,
}

impl Finder<'_> {
    /// A variable whose value is a function with the text `function`.
    fn function(&mut self, id: &ast::BindingIdentifier<'_>, function: Span, statement: Span) {
        let Some(symbol) = id.symbol_id.get().filter(|it| {
            // Babel's generators put what they make in their own place.
            let outside = |it: Span| it.start < function.start || function.end < it.end;
            self.scoping.symbol_redeclarations(*it).is_empty()
                && !self.facts.mentions(*it).any(|it| it.write && outside(it.span))
        }) else {
            return;
        };
        let text = function.source_text(self.text);
        if text.len() > 12_000 || !["Promise", "next", "throw"].iter().any(|it| text.contains(it)) {
            return;
        }
        let print = fingerprint(text);
        let known = print.as_ref().and_then(|it| KNOWN.iter().find(|known| known.0 == it.hash));
        match (known, print) {
            (Some((_, helper, step)), Some(print)) => {
                let scope = self.scoping.symbol_scope_id(symbol);
                let name = step.and_then(|at| print.names.get(at));
                let needed = name.map(|it| self.scoping.find_binding(scope, it.as_str().into()));
                self.needs.extend(needed.map(|it| (symbol, it)));
                self.helpers.by_symbol.insert(symbol, Holds::Helper(*helper));
                self.helpers.makes_sloppy |= *helper == Helper::ToGenerator
                    && !self.scoping.scope_flags(scope).is_strict_mode();
                self.helpers.declared.push((symbol, statement));
            }
            (None, Some(print)) if STEPS.contains(&print.hash) => {
                self.helpers.steps.insert(symbol, statement);
            }
            _ if is_named_like_one(&id.name) => {
                self.helpers.modified.push((id.name.to_string(), id.span));
            }
            _ => {}
        }
    }

    fn is_constant(&self, symbol: SymbolId) -> bool {
        !self.scoping.symbol_is_mutated(symbol)
            && self.scoping.symbol_redeclarations(symbol).is_empty()
    }

    fn hold(&mut self, id: &ast::BindingIdentifier<'_>, holds: Option<Holds>) {
        if let (Some(symbol), Some(holds)) = (id.symbol_id.get(), holds)
            && self.is_constant(symbol)
        {
            self.helpers.by_symbol.insert(symbol, holds);
        }
    }

    /// The module of helpers that an expression loads, with whether `default` was put around it.
    fn required(&self, it: &Expression<'_>) -> Option<&'static [(&'static str, Helper)]> {
        let Expression::CallExpression(call) = it.without_parentheses() else { return None };
        if let Some(name) = call.common_js_require() {
            let is_global = matches!(&call.callee, Expression::Identifier(it)
                if symbol_of(it, self.scoping).is_none());
            return is_global.then(|| module(&name.value)).flatten();
        }
        let name = call.callee_name()?;
        let interop =
            ["_interopRequire", "__importDefault", "__importStar", "__toESM", "_interop_require"];
        match call.arguments.as_slice() {
            [ast::Argument::CallExpression(inner)]
                if interop.iter().any(|it| name.starts_with(it)) =>
            {
                let name = inner.common_js_require()?;
                module(&name.value)
            }
            _ => None,
        }
    }
}

/// The function in `this && this.name || function …`.
fn function_of(it: &Expression<'_>) -> Option<Span> {
    match it.without_parentheses() {
        Expression::FunctionExpression(it) if !it.r#async && !it.generator => {
            Some(Span::new(it.params.span.start, it.span.end))
        }
        Expression::ArrowFunctionExpression(it) if !it.r#async => Some(it.span),
        Expression::LogicalExpression(it) => {
            let Expression::LogicalExpression(test) = it.left.without_parentheses() else {
                return None;
            };
            let Expression::StaticMemberExpression(earlier) = &test.right else { return None };
            // Bundlers have another name for `this` at the top of a module.
            let same = match (test.left.without_parentheses(), &earlier.object) {
                (Expression::ThisExpression(_), Expression::ThisExpression(_)) => true,
                (Expression::Identifier(it), Expression::Identifier(other)) => {
                    it.name == other.name
                }
                _ => false,
            };
            let right = it.right.without_parentheses();
            (same && right.is_function()).then(|| function_of(right)).flatten()
        }
        _ => None,
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_function(&mut self, it: &ast::Function<'a>, flags: ScopeFlags) {
        if let (Some(id), true) = (&it.id, it.is_declaration() && !it.r#async && !it.generator) {
            self.function(id, Span::new(it.params.span.start, it.span.end), it.span);
        }
        walk::walk_function(self, it, flags);
    }

    fn visit_variable_declaration(&mut self, it: &ast::VariableDeclaration<'a>) {
        self.statement = (it.declarations.len() == 1).then_some(it.span);
        walk::walk_variable_declaration(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &ast::VariableDeclarator<'a>) {
        let statement = self.statement.take();
        if let Some(init) = &it.init {
            match &it.id {
                ast::BindingPattern::BindingIdentifier(id) => {
                    if let Some(function) = function_of(init) {
                        self.function(id, function, statement.unwrap_or_default());
                    }
                    self.hold(id, self.required(init).map(Holds::Module));
                }
                ast::BindingPattern::ObjectPattern(pattern) => {
                    if let Some(members) = self.required(init) {
                        for property in &pattern.properties {
                            let name = property.key.static_name().unwrap_or_default();
                            if let ast::BindingPattern::BindingIdentifier(id) = &property.value {
                                self.hold(id, member(members, &name).map(Holds::Helper));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_import_declaration(&mut self, it: &ast::ImportDeclaration<'a>) {
        let Some(members) = module(&it.source.value) else { return };
        for specifier in it.specifiers.iter().flatten() {
            match specifier {
                ast::ImportDeclarationSpecifier::ImportSpecifier(it) => {
                    let helper = member(members, &it.imported.name());
                    self.hold(&it.local, helper.map(Holds::Helper));
                }
                ast::ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => {
                    self.hold(&it.local, member(members, "default").map(Holds::Helper));
                }
                ast::ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => {
                    self.hold(&it.local, Some(Holds::Module(members)));
                }
            }
        }
    }
}
