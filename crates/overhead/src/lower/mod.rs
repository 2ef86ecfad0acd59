//! From the syntax tree of a function's body to a [`Plan`].
//!
//! Purpose: names every awaited value and takes apart the statements that hold an `await`, so that
//! each `await` becomes a statement of its own and everything in front of it keeps its order.
//! Input: an async function that is no generator. Output: a plan, or why there is none. What a
//! statement cannot be taken apart for becomes a [`SiteKind::Enter`] in front of the statement as
//! it was, which then only the twin runs.

mod assign;
mod call;
mod declare;
mod expr;
mod finally;
mod guard;
mod leaves;
mod loops;
mod operands;
mod stmt;
mod switch;
mod try_catch;

pub(crate) use operands::takes_name;
pub(crate) use stmt::is_primitive;

use headstart_ir::order;
use oxc_ast::ast;
use oxc_semantic::{ScopeId, Scoping, SymbolFlags, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{Facts, Mention, TypeText};
use crate::plan::{Declare, LoopSpan, Node, Plan, Site, SiteKind, Target};
use crate::results::{Known, ResultNames, Way, looked_at};
use crate::rope::{Edits, Rope, rope};
use crate::{Options, Ticks};

/// Why something was left as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported(pub(crate) &'static str);

/// Why a function stays whose type follows from statements that are taken apart too far for that.
pub(crate) const UNTYPED: &str = "its type would be lost: it does not say what it returns";

/// Why a function stays of which a parameter would have another type for those who call it.
pub(crate) const UNTYPED_PARAM: &str = "the type of a parameter would be lost: it does not say it";

pub(crate) type Lowered<T = ()> = Result<T, Unsupported>;

/// What the lowering of one function needs.
pub(crate) struct Lowerer<'x> {
    pub(crate) source: &'x str,
    pub(crate) scoping: &'x Scoping,
    pub(crate) facts: &'x mut Facts,
    pub(crate) edits: &'x mut Edits,
    /// Whether `return await` stays a stack frame of its own.
    pub(crate) keep_frames: bool,
    /// Whether no tick may be taken away.
    exact: bool,
    /// What looks at the values that are returned.
    results: &'x ResultNames,
    /// Variables that live in boxes, and the names of these.
    boxed: &'x FxHashMap<SymbolId, String>,
    /// Variables that cannot: those of loops, and of what only the twin runs.
    unboxed: &'x mut FxHashSet<SymbolId>,
    function: usize,
    awaits: Vec<Span>,
    plan: Plan,
    /// Temporaries in use.
    depth: usize,
    scopes: Vec<ScopeId>,
    loops: Vec<LoopSpan>,
    position: u32,
    /// Whether the site at which a call asks how much of the stack is taken is still to come.
    entry: bool,
    /// Whether calls are counted at all.
    counted: bool,
    /// How many `try` blocks could notice when something is thrown here.
    guarded: u32,
    /// How many `finally` blocks leaving from here would run.
    finalized: u32,
    /// The innermost block whose `finally` awaits.
    region: Option<finally::Region>,
    /// How many statements and expressions that are taken apart are open.
    nesting: u32,
    /// The parameter of which the function gets the fast form, if it does.
    plain: Option<SymbolId>,
}

/// How deep statements and expressions are taken apart. Each may become several in one another, and engines
/// parse them by recursion.
const MOST_NESTED: u32 = 100;

impl<'x> Lowerer<'x> {
    /// To lower the function with index `function`, whose scope is `scope`.
    pub(crate) fn new(
        (source, scoping): (&'x str, &'x Scoping),
        facts: &'x mut Facts,
        edits: &'x mut Edits,
        (options, boxed, unboxed): (
            Options,
            &'x FxHashMap<SymbolId, String>,
            &'x mut FxHashSet<SymbolId>,
        ),
        results: &'x ResultNames,
        function: usize,
        scope: Option<ScopeId>,
    ) -> Self {
        let own = &facts.functions[function];
        let mut awaits: Vec<Span> =
            own.awaits.iter().chain(&own.implicit_awaits).copied().collect();
        order::sort_by_key(&mut awaits, |span| span.start);
        Self {
            source,
            scoping,
            facts,
            edits,
            keep_frames: options.keep_frames || options.ticks == Ticks::Exact,
            exact: options.ticks == Ticks::Exact,
            results,
            boxed,
            unboxed,
            function,
            awaits,
            plan: Plan::default(),
            depth: 0,
            scopes: scope.into_iter().collect(),
            loops: Vec::new(),
            position: 0,
            entry: false,
            counted: false,
            guarded: 0,
            finalized: 0,
            region: None,
            nesting: 0,
            plain: None,
        }
    }

    /// Has the function get the fast form of a parameter, which it calls where it awaits calls of that.
    pub(crate) fn take_plain(&mut self, parameter: Option<SymbolId>) {
        let temp = self.temp();
        self.plan.plain = Some(temp);
        self.plain = parameter;
        let own = Some(self.function);
        let mentions = parameter.into_iter().flat_map(|it| self.facts.mentions(it));
        let is_asked =
            |it: &&Mention| it.function == own && self.facts.guarded.contains_key(&it.span.start);
        let spans: Vec<Span> = mentions.filter(is_asked).map(|it| it.span).collect();
        for span in spans {
            self.edits.replace(span, Rope::text(&self.plan.temps[temp]));
        }
    }

    /// Has a site stand in front of the first statement that awaits; `counted`: where the call is counted.
    pub(crate) fn ask_at_entry(&mut self, counted: bool) {
        self.entry = true;
        self.counted = counted;
    }

    /// Lowers the statements of a body.
    pub(crate) fn body(mut self, statements: &[ast::Statement<'_>]) -> Lowered<Plan> {
        let mut body = Vec::new();
        self.open_boxes(true, &mut body);
        let directive = statements.first().filter(|it| is_directive(it)).map_or(0, |_| 1);
        let statements = &statements[directive..];
        self.statements(statements, true, &mut body)?;
        self.plan.body = body;
        Ok(self.plan)
    }

    /// Lowers the body of an arrow function that is an expression.
    pub(crate) fn expression_body(mut self, expression: &ast::Expression<'_>) -> Lowered<Plan> {
        let mut body = Vec::new();
        self.position = expression.span().start;
        if self.entry {
            self.enter_asked(&mut body);
        }
        self.returned(expression, &mut body)?;
        self.plan.body = body;
        Ok(self.plan)
    }

    /// Boxes for the variables of the innermost scope. `top`: of the function, whose parameters
    /// have theirs already.
    fn open_boxes(&mut self, top: bool, out: &mut Vec<Node>) {
        let Some(scope) = self.scopes.last() else { return };
        let mut all: Vec<(SymbolId, &String)> = self
            .boxed
            .iter()
            .map(|(symbol, name)| (*symbol, name))
            .filter(|(symbol, _)| self.scoping.symbol_scope_id(*symbol) == *scope)
            .filter(|(symbol, _)| {
                let flags = self.scoping.symbol_flags(*symbol);
                let is_param = flags.contains(SymbolFlags::FunctionScopedVariable)
                    && self.facts.declared_at.get(symbol) == Some(&0);
                let is_error = flags.contains(SymbolFlags::CatchVariable)
                    && flags.contains(SymbolFlags::FunctionScopedVariable);
                !(is_error || top && is_param)
            })
            .collect();
        order::sort(&mut all);
        for (symbol, name) in all {
            out.push(Node::Declare(Declare {
                keyword: "const",
                symbols: vec![symbol],
                pattern: Rope::text(name),
                typed: rope![name, self.type_of_box(symbol)],
                init: Some("{}".into()),
            }));
        }
    }

    /// The type of a box, in TypeScript, where one can be written.
    fn type_of_box(&self, symbol: SymbolId) -> String {
        let content = match self.facts.says_type.get(&symbol) {
            Some(TypeText::Written(span)) => span.source_text(self.source),
            Some(TypeText::Primitive(it)) => it,
            None => return String::new(),
        };
        if self.facts.typescript { format!(": {{ v: {content} }}") } else { String::new() }
    }

    fn enter_asked(&mut self, out: &mut Vec<Node>) {
        self.entry = false;
        let target = self.scratch();
        out.push(self.site(SiteKind::Entry, target));
    }

    /// Whether an `await` of this function stands in `span`.
    fn awaits_in(&self, span: Span) -> bool {
        let first = self.awaits.partition_point(|it| it.start < span.start);
        self.awaits.get(first).is_some_and(|it| it.end <= span.end)
    }

    /// What is left of an expression, as it is given back.
    fn given_back(&self, it: &ast::Expression<'_>, way: Way) -> Rope {
        // What counts its calls notes what it returns.
        let text = if self.counted { self.unnamed(it) } else { self.render(it.span()) };
        let known = Known { facts: self.facts, scoping: self.scoping };
        if self.exact || known.is_settled(it) {
            return text;
        }
        let again = if self.is_stable(it) { text.plain(self.source) } else { None };
        looked_at(&text, way, self.results, again.as_deref())
    }

    /// How what is returned here is given back.
    fn way(&self) -> Way {
        if self.guarded > 0 { Way::Guarded } else { Way::Returned }
    }

    fn render(&self, span: Span) -> Rope {
        self.edits.render(span)
    }

    /// A new temporary, in use until `depth` is set back.
    fn temp(&mut self) -> usize {
        let index = self.depth;
        self.depth += 1;
        if index == self.plan.temps.len() {
            let name = self.facts.fresh("$t");
            self.plan.temps.push(name);
        }
        index
    }

    /// The first temporary that is free, without taking it.
    fn scratch(&mut self) -> Target {
        let index = self.temp();
        self.depth = index;
        Target::Temp(index)
    }

    fn temp_name(&self, index: usize) -> &str {
        &self.plan.temps[index]
    }

    /// `temp = value;`
    fn assign_temp(&self, index: usize, value: &Rope) -> Node {
        Node::Raw(rope![self.temp_name(index), " = ", value, ";"])
    }

    /// A site that ends here, with all that has to survive it.
    fn site(&mut self, kind: SiteKind, target: Target) -> Node {
        let own = if let Target::Temp(index) = target { Some(index) } else { None };
        let site = Site {
            kind,
            target,
            position: self.position,
            scopes: self.scopes.clone(),
            loops: self.loops.clone(),
            temps: (0..self.depth).filter(|&index| Some(index) != own).collect(),
            flagged: self.finalized > 0,
            is_raw: false,
            gives: None,
        };
        self.plan.sites.push(site);
        Node::Site(self.plan.sites.len() - 1)
    }

    /// Runs `lower`; if it gives up, everything is as before.
    fn attempt(
        &mut self,
        out: &mut Vec<Node>,
        lower: impl FnOnce(&mut Self, &mut Vec<Node>) -> Lowered,
    ) -> Lowered {
        let mark = self.edits.mark();
        let (sites, nodes) = (self.plan.sites.len(), out.len());
        let state = (
            self.depth,
            self.scopes.len(),
            self.loops.len(),
            self.guarded,
            self.finalized,
            self.position,
        );
        let region = self.region.clone();
        let result = lower(self, out);
        if result.is_err() {
            self.region = region;
            self.edits.rollback(mark);
            self.plan.sites.truncate(sites);
            out.truncate(nodes);
            (self.depth, _, _, self.guarded, self.finalized, self.position) = state;
            self.scopes.truncate(state.1);
            self.loops.truncate(state.2);
        }
        result
    }

    /// Takes apart what stands in something else.
    fn inside(&mut self, lower: impl FnOnce(&mut Self) -> Lowered) -> Lowered {
        if self.nesting == MOST_NESTED {
            return Err(Unsupported("an await in statements or expressions nested too deep"));
        }
        self.nesting += 1;
        let result = lower(self);
        self.nesting -= 1;
        result
    }

    fn in_scope<T>(
        &mut self,
        scope: Option<ScopeId>,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        self.scopes.extend(scope);
        let result = lower(self);
        if scope.is_some() {
            self.scopes.pop();
        }
        result
    }

    fn in_loop<T>(
        &mut self,
        it: LoopSpan,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        self.plan.loops.push(it.clone());
        self.loops.push(it);
        let result = lower(self);
        self.loops.pop();
        result
    }
}

/// Whether a statement is the directive as a template, which is left out.
fn is_directive(it: &ast::Statement<'_>) -> bool {
    let ast::Statement::ExpressionStatement(it) = it else { return false };
    matches!(&it.expression, ast::Expression::TemplateLiteral(it)
        if it.single_quasi().is_some_and(|text| text == crate::DIRECTIVE))
}
