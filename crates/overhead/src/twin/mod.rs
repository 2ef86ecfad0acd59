//! Prints a plan as the async twin: the same body, entered at any of its sites.
//!
//! The twin gets the number of a site. Until it is there, everything in front of the site is
//! skipped; loops, branches and `try` blocks around it are entered by their normal way, with their
//! tests skipped. Then the number becomes 0, and everything is as in the function it came from, with
//! real awaits where something has to be waited for. What no site leads to is left out.

mod branches;
mod loops;

use std::collections::BTreeSet;

use oxc_semantic::SymbolId;

use crate::carry::Form;
use crate::fast::label;
use crate::plan::{CatchParam, Declare, Node, SiteKind, Target, Try, range, range_of};
use crate::rope::{Rope, rope};
use crate::runtime::{Runtime, Turn};
use crate::shape::{self, Shape};

/// Prints one twin.
pub(crate) struct Twin<'x> {
    shape: Shape<'x>,
    runtime: &'x mut Runtime,
    /// Variables declared for the whole function.
    locals: BTreeSet<String>,
    /// Whether anything depends on the number of the site.
    asks: bool,
    /// Whether there is such a number.
    pub(crate) numbered: bool,
    /// What cannot be printed, if anything.
    pub(crate) failed: Option<&'static str>,
}

impl<'x> Twin<'x> {
    pub(crate) fn new(shape: Shape<'x>, runtime: &'x mut Runtime) -> Self {
        let locals = BTreeSet::new();
        Self { shape, runtime, locals, asks: false, numbered: true, failed: None }
    }

    /// The statements of the body, declarations included.
    pub(crate) fn body(&mut self) -> Rope {
        self.statements().resolved(false)
    }

    fn statements(&mut self) -> Rope {
        let mut statements = self.nodes(&self.shape.plan.body, false);
        if !self.asks {
            self.numbered = false;
            statements = self.nodes(&self.shape.plan.body, false);
        }
        for (index, name) in self.shape.plan.temps.iter().enumerate() {
            if !self.shape.carry.temps.contains(&index) {
                self.locals.insert(name.clone());
            }
        }
        if self.shape.has_fuel() {
            self.locals.insert(self.refuel());
        }
        if self.locals.is_empty() {
            return statements;
        }
        let locals: Vec<&str> = self.locals.iter().map(String::as_str).collect();
        rope!["let ", locals.join(", "), ";\n", statements]
    }

    /// The number of the site, where something depends on it.
    fn at(&mut self) -> String {
        self.asks = true;
        self.shape.names.at.clone()
    }

    /// Notes that the site is reached.
    fn arrive(&self) -> String {
        if self.numbered { format!("{} = 0; ", self.shape.names.at) } else { String::new() }
    }

    fn refuel(&self) -> String {
        format!("{} = {}", self.shape.names.fuel, crate::fuel::NEXT)
    }

    fn param(&self, symbol: SymbolId) -> Option<&str> {
        self.shape.param(symbol)
    }

    fn form(&self, symbol: SymbolId) -> Form {
        self.shape.form(symbol)
    }

    /// The nodes of one block. `falls`: whether control may come here in the normal way.
    fn nodes(&mut self, nodes: &[Node], mut falls: bool) -> Rope {
        let mut out = Rope::default();
        let mut declared = Vec::new();
        let mut skipped = Rope::default();
        let last_site = nodes.iter().rposition(|it| range_of(it).is_some());
        for (index, node) in nodes.iter().enumerate() {
            let later = last_site.is_some_and(|it| it > index);
            self.declare_first(node, falls, later, &mut declared);
            match range_of(node) {
                None if !falls => {}
                None => {
                    let text = rope![self.plain(node, later), "\n"];
                    if later { skipped.append(&text) } else { out.append(&text) }
                }
                Some((_, last)) => {
                    self.flush(&mut skipped, &mut out);
                    let text = match node {
                        Node::Site(site) => self.site(*site, falls, later),
                        node if later => {
                            let (at, inner) = (self.at(), self.node(node, falls));
                            rope!["if (", at, " <= ", last.to_string(), ") {\n", inner, "\n}"]
                        }
                        node => self.node(node, falls),
                    };
                    out.append(&rope![text, "\n"]);
                    falls = true;
                }
            }
        }
        self.flush(&mut skipped, &mut out);
        if declared.is_empty() { out } else { rope!["let ", declared.join(", "), ";\n", out] }
    }

    /// Statements that a pending site skips.
    fn flush(&mut self, skipped: &mut Rope, out: &mut Rope) {
        if !skipped.0.is_empty() {
            let text = std::mem::take(skipped);
            out.append(&rope!["if (!", self.at(), ") {\n", text, "}\n"]);
        }
    }

    fn block(&mut self, nodes: &[Node], falls: bool) -> Rope {
        rope!["{\n", self.nodes(nodes, falls), "}"]
    }

    /// Declares what a node declares at the start of the block, where its own place may be skipped.
    fn declare_first(&mut self, node: &Node, falls: bool, later: bool, declared: &mut Vec<String>) {
        let symbols = match node {
            Node::Declare(it) => it.symbols.clone(),
            Node::Site(index) => match self.shape.plan.sites[*index].target {
                Target::Variable(symbol) => vec![symbol],
                Target::Temp(_) => return,
            },
            _ => return,
        };
        let is_site = matches!(node, Node::Site(_));
        for symbol in symbols.into_iter().filter(|it| !self.shape.is_common(*it)) {
            let name = (self.shape.name)(symbol);
            let param = self.param(symbol).map(str::to_owned);
            if param.is_none() && !is_site && !(falls && later) {
                continue;
            }
            match (self.form(symbol), param) {
                (Form::Block | Form::Catch, Some(param)) => {
                    declared.push(format!("{name} = {param}"))
                }
                (Form::Block | Form::Catch, None) => declared.push(name),
                (Form::Function, Some(_)) => {}
                (Form::Function, None) => {
                    self.locals.insert(name);
                }
            }
        }
    }

    /// A node without a site.
    fn plain(&mut self, node: &Node, later: bool) -> Rope {
        match node {
            Node::Raw(text) | Node::TwinOnly { text, .. } => text.clone(),
            // The function is handed over, or nothing here needs it.
            Node::Hoisted(_) => Rope::default(),
            Node::Declare(it) => {
                if later || it.symbols.iter().any(|it| self.shape.is_there(*it)) {
                    self.keep_others(it, later);
                    rope![it.assignment(), ";"]
                } else {
                    rope![declaration(it), ";"]
                }
            }
            Node::Return(None) => "return;".into(),
            Node::Return(Some(value)) => rope!["return ", &value.text, ";"],
            Node::TailAwait(value, false) => rope!["return await ", value, ";"],
            Node::TailAwait(value, true) => {
                rope!["return await ", self.runtime.adopted(), "(", value, ");"]
            }
            Node::If { test, then, otherwise } => {
                rope!["if (", test, ") ", self.block(then, true), self.otherwise(otherwise, true)]
            }
            other => self.node(other, true),
        }
    }

    /// A pattern that is assigned as a whole must have all its variables declared.
    fn keep_others(&mut self, it: &Declare, later: bool) {
        if later {
            return;
        }
        for &symbol in &it.symbols {
            if !self.shape.is_there(symbol) {
                self.locals.insert((self.shape.name)(symbol));
            }
        }
    }

    fn node(&mut self, node: &Node, falls: bool) -> Rope {
        match node {
            Node::If { test, then, otherwise } => self.if_(test, then, otherwise, falls),
            Node::Loop(it) => self.loop_(it, falls),
            Node::ForOf(it) => self.for_of(it, falls),
            Node::Switch(it) => self.switch(it, falls),
            Node::Try(it) => self.try_(it, falls),
            Node::Block { labels, body } => rope![label(labels), self.block(body, falls)],
            other => self.plain(other, false),
        }
    }

    fn site(&mut self, index: usize, falls: bool, later: bool) -> Rope {
        let site = &self.shape.plan.sites[index];
        let number = (index + 1).to_string();
        let later = later && !matches!(site.kind, SiteKind::Entry);
        let here = if later { format!("{} === {number}", self.at()) } else { String::new() };
        let arrive = self.arrive();
        match &site.kind {
            SiteKind::Await(operand) if falls => self.await_again(index, operand, &here),
            SiteKind::Await(operand) => {
                let target = self.shape.target(site);
                let value = &self.shape.names.value;
                when(
                    &here,
                    rope![
                        arrive,
                        operand.mark(),
                        target,
                        " = await ",
                        value,
                        "; ",
                        self.refueled(index)
                    ],
                )
            }
            SiteKind::Yield(operand) => {
                let target = self.shape.target(site);
                let wait = rope![arrive, target, " = await ", operand, "; ", self.refueled(index)];
                // Numbers of sites in front of this one are not met any more.
                let test = if falls && later { format!("{} <= {number}", self.at()) } else { here };
                when(&test, wait)
            }
            SiteKind::Enter => when(&here, arrive.into()),
            SiteKind::Entry => self.enter(),
        }
    }

    /// Where the function hands over because its calls are too deep, or its arguments too many: in front of all other
    /// sites. Waits for the stack to unwind, and calls itself if it counts, so that how many calls went before is known
    /// as long as that runs, and not any more when something else does.
    fn enter(&mut self) -> Rope {
        let (at, value) = (self.at(), &self.shape.names.value);
        if self.shape.limits.counted.is_none() {
            // Other calls are not in this one.
            return rope!["if (!", &at, ") await 0;"];
        }
        let Turn { turn, chain } = self.runtime.turn();
        let mut arguments = vec!["-1".to_owned(), "0".to_owned()];
        arguments.extend(self.shape.carried().map(str::to_owned));
        let again = rope![value, " = ", self.shape.call(&arguments)];
        rope![
            "if (!",
            &at,
            format!(") return await ({chain} = await {turn}(), "),
            again,
            format!(", {chain} = 0, {value});\nif ({at} < 0) {at} = 0;")
        ]
    }

    /// An await that is both resumed at and passed. In loops, what is no promise is not waited for; in
    /// front of them and behind, that would save a tick or two of a call that has waited already.
    fn await_again(&mut self, index: usize, operand: &Rope, here: &str) -> Rope {
        let site = &self.shape.plan.sites[index];
        let target = self.shape.target(site);
        let (names, at) = (self.shape.names, self.at());
        let value = &names.value;
        if site.loops.is_empty() || self.shape.exact {
            let operand = &match site.is_raw && !self.shape.exact {
                true => rope![self.runtime.adopted(), "(", operand, ")"],
                false => operand.clone(),
            };
            // `? ($at = 0, $value) : (q ? … {` would be an arrow function with the type of what it returns to TypeScript.
            let chosen = rope![&at, " && !(", &at, " = 0) ? ", value, " : ", operand];
            let wait = rope![operand.mark(), &target, " = await (", chosen, ");"];
            let test =
                if here.is_empty() { String::new() } else { format!("{at} <= {}", index + 1) };
            return when(&test, wait);
        }
        self.locals.insert(names.then.clone());
        let and = if here.is_empty() { String::new() } else { format!("{here} && ") };
        let resume = format!("{and}({at} = 0, {target} = {value}, true)");
        let count = self.shape.count(index, crate::fuel::NEXT);
        let hold = shape::hold(self.runtime, names, &target, site.is_raw);
        let asked = rope!["(", &target, " = ", operand, ")"];
        let check = rope![shape::looks(names, site.gives, &asked, &target), count];
        let refuel = self.refueled(index);
        let counted = self.shape.limits.counted.is_some();
        let passed = if counted { self.passed() } else { String::new() };
        rope![
            "if (",
            at,
            " ? ",
            resume,
            " : ",
            check,
            ") { ",
            operand.mark(),
            target,
            " = await ",
            hold,
            "; ",
            refuel,
            " }",
            passed
        ]
    }

    /// What a site does that has not waited, where an async function does: the calls behind it are no part of
    /// the chain any more.
    fn passed(&mut self) -> String {
        format!(" else {} = 0;", self.runtime.turn().chain)
    }

    /// What a site does once it has waited.
    fn refueled(&self, index: usize) -> String {
        let in_loop = !self.shape.plan.sites[index].loops.is_empty() && !self.shape.exact;
        if in_loop && self.shape.has_fuel() { self.refuel() + ";" } else { String::new() }
    }

    fn try_(&mut self, it: &Try, falls: bool) -> Rope {
        let handler_sites = it.handler.as_ref().and_then(|it| range(&it.body));
        let enter = handler_sites.map(|(first, _)| {
            let thrown = self.thrown(it);
            rope!["if (", self.at(), " >= ", first.to_string(), ") throw ", thrown, ";\n"]
        });
        let block = self.nodes(&it.block, falls);
        let mut text = rope!["try {\n", enter.unwrap_or_default(), block, "}"];
        if let Some(handler) = &it.handler {
            let (param, bind) = match handler.param {
                CatchParam::None => (String::new(), String::new()),
                CatchParam::Variable(symbol) => {
                    (format!("({}) ", (self.shape.name)(symbol)), String::new())
                }
                CatchParam::Temp(index) => {
                    let name = &self.shape.plan.temps[index];
                    (format!("({name}$) "), format!("{name} = {name}$;\n"))
                }
            };
            text = rope![text, " catch ", param, "{\n", bind, self.nodes(&handler.body, true), "}"];
        }
        if let Some(finalizer) = &it.finalizer {
            text = rope![text, " finally ", finalizer];
        }
        text
    }

    /// What is thrown to get into a `catch` clause again.
    fn thrown(&self, it: &Try) -> String {
        match it.handler.as_ref().map(|it| &it.param) {
            Some(CatchParam::Variable(symbol)) => self.param(*symbol).unwrap_or("0").to_owned(),
            Some(CatchParam::Temp(index)) if self.shape.carry.temps.contains(index) => {
                self.shape.plan.temps[*index].clone()
            }
            _ => "0".to_owned(),
        }
    }
}

/// Statements, under a test if there is one.
fn when(test: &str, statements: Rope) -> Rope {
    if test.is_empty() { statements } else { rope!["if (", test, ") { ", statements, " }"] }
}

/// A declarator as it was.
fn declaration(it: &Declare) -> Rope {
    match (it.keyword, &it.init) {
        ("class", Some(class)) => class.clone(),
        (keyword, Some(init)) => rope![keyword, " ", &it.pattern, " = ", init],
        (keyword, None) => rope![keyword, " ", &it.pattern],
    }
}
