//! Prints a plan as the async twin: the same body, entered at any of its sites.
//!
//! The twin gets the number of a site. Until it is there, everything in front of the site is
//! skipped; loops, branches and `try` blocks around it are entered by their normal way, with their
//! tests skipped. Then the number becomes 0, and everything is as in the function it came from, with
//! real awaits where something has to be waited for. What no site leads to is left out.

use std::collections::{BTreeSet, HashMap};

use oxc_semantic::SymbolId;

use crate::carry::Form;
use crate::fast::{Shape, label, or_nothing};
use crate::plan::{
    CatchParam, Declare, ForOf, Head, Loop, Node, SiteKind, Switch, Target, Try, range, range_of,
};
use crate::rope::{Rope, rope};
use crate::runtime::Runtime;

/// Prints twins.
pub(crate) struct Twin<'x> {
    pub(crate) shape: Shape<'x>,
    pub(crate) runtime: &'x mut Runtime,
    /// How each variable is declared.
    pub(crate) forms: &'x HashMap<SymbolId, Form>,
    /// The parameter with the number of the site, and that with the value awaited there.
    pub(crate) at: &'x str,
    pub(crate) value: &'x str,
    /// Variables declared for the whole function.
    pub(crate) locals: BTreeSet<String>,
    /// What cannot be printed, if anything.
    pub(crate) failed: Option<&'static str>,
}

impl Twin<'_> {
    /// The statements of the body, declarations included.
    pub(crate) fn body(&mut self) -> Rope {
        let statements = self.nodes(&self.shape.plan.body, false);
        for (index, name) in self.shape.plan.temps.iter().enumerate() {
            if !self.shape.carry.temps.contains(&index) {
                self.locals.insert(name.clone());
            }
        }
        if self.shape.has_fuel() {
            self.locals.insert(self.shape.refuel());
        }
        if self.locals.is_empty() {
            return statements;
        }
        let locals: Vec<&str> = self.locals.iter().map(String::as_str).collect();
        rope!["let ", locals.join(", "), ";\n", statements]
    }

    fn param(&self, symbol: SymbolId) -> Option<&str> {
        let params = &self.shape.carry.params;
        params.iter().find(|it| it.0 == symbol).map(|it| it.1.as_str())
    }

    fn form(&self, symbol: SymbolId) -> Form {
        self.forms.get(&symbol).cloned().unwrap_or(Form::Function)
    }

    /// The nodes of one block. `falls`: whether control may come here in the normal way.
    fn nodes(&mut self, nodes: &[Node], mut falls: bool) -> Rope {
        let mut out = Rope::default();
        let mut declared = Vec::new();
        let mut skipped = Rope::default();
        for (index, node) in nodes.iter().enumerate() {
            let later = range(&nodes[index + 1..]).is_some();
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
                            rope![
                                "if (",
                                self.at,
                                " <= ",
                                last.to_string(),
                                ") {\n",
                                self.node(node, falls),
                                "\n}"
                            ]
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
    fn flush(&self, skipped: &mut Rope, out: &mut Rope) {
        if !skipped.0.is_empty() {
            let text = std::mem::take(skipped);
            out.append(&rope!["if (!", self.at, ") {\n", text, "}\n"]);
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
        for symbol in symbols {
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
                let carried = it.symbols.iter().any(|&symbol| self.param(symbol).is_some());
                if later || carried {
                    self.keep_others(it, later);
                    rope![assignment(it), ";"]
                } else {
                    rope![declaration(it), ";"]
                }
            }
            Node::Return(None) => "return;".into(),
            Node::Return(Some(value)) => rope!["return ", value, ";"],
            Node::TailAwait(value) => rope!["return await ", value, ";"],
            Node::If { test, then, otherwise } => {
                let mut text = rope!["if (", test, ") ", self.block(then, true)];
                if !otherwise.is_empty() {
                    text = rope![text, " else ", self.block(otherwise, true)];
                }
                text
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
            if self.param(symbol).is_none() {
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
        let (at, number) = (self.at, (index + 1).to_string());
        let here = if later { format!("{at} === {number}") } else { String::new() };
        let refuel = if self.shape.has_fuel() { self.shape.refuel() + ";" } else { String::new() };
        let target = self.shape.target(site);
        match &site.kind {
            SiteKind::Await(operand) => {
                let awaitable = self.runtime.awaitable();
                if !falls {
                    let wait = rope![
                        at,
                        " = 0; ",
                        operand.mark(),
                        &target,
                        " = await ",
                        awaitable,
                        "(",
                        self.value,
                        "); ",
                        refuel
                    ];
                    return when(&here, wait);
                }
                let mut check = rope![self.runtime.pending(), "(", &target, " = ", operand, ")"];
                if Shape::burns_fuel(site) {
                    check = rope![check, " || --", self.shape.fuel, " < 0"];
                }
                let and = if later { format!("{here} && ") } else { String::new() };
                let resume = format!("{and}({at} = 0, {target} = {}, true)", self.value);
                rope![
                    "if (",
                    at,
                    " ? ",
                    resume,
                    " : ",
                    check,
                    ") { ",
                    operand.mark(),
                    &target,
                    " = await ",
                    awaitable,
                    "(",
                    &target,
                    "); ",
                    refuel,
                    " }"
                ]
            }
            SiteKind::Yield(operand) => {
                let wait = rope![at, " = 0; ", target, " = await ", operand, "; ", refuel];
                let test = if falls && later { format!("!{at} || {here}") } else { here };
                when(&test, wait)
            }
            SiteKind::Enter => when(&here, rope![at, " = 0;"]),
            SiteKind::Entry => when(&here, rope![at, " = 0; await void 0; ", refuel]),
        }
    }

    fn if_(&mut self, test: &Rope, then: &[Node], otherwise: &[Node], falls: bool) -> Rope {
        let (first, second) = (range(then), range(otherwise));
        let at = self.at;
        let test = match (first, second, falls) {
            (Some(_), None, false) => return self.block(then, false),
            (None, Some(_), false) => return self.block(otherwise, false),
            (Some(_), None, true) => rope![at, " || (", test, ")"],
            (None, _, _) => rope!["!", at, " && (", test, ")"],
            (Some((_, last)), Some(_), true) => {
                rope![at, " ? ", at, " <= ", last.to_string(), " : (", test, ")"]
            }
            (Some((_, last)), Some(_), false) => rope![at, " <= ", last.to_string()],
        };
        let mut text = rope!["if (", test, ") ", self.block(then, falls)];
        if !otherwise.is_empty() {
            text = rope![text, " else ", self.block(otherwise, falls)];
        }
        text
    }

    fn loop_(&mut self, it: &Loop, falls: bool) -> Rope {
        let at = self.at;
        let label = label(&it.labels);
        let body = self.block(&it.body, true);
        let skip = |test: &Rope| rope![at, " || (", test, ")"];
        match &it.head {
            Head::While(test) => rope![label, "while (", skip(test), ") ", body],
            Head::DoWhile(test) => rope![label, "do ", body, " while (", test, ");"],
            Head::For { declares, init, test, update } => {
                let init = self.for_init(declares, init.as_ref(), falls);
                let test = test.as_ref().map(skip);
                rope![
                    label,
                    "for (",
                    init,
                    "; ",
                    or_nothing(&test),
                    "; ",
                    or_nothing(update),
                    ") ",
                    body
                ]
            }
        }
    }

    fn for_init(&mut self, declares: &[Declare], init: Option<&Rope>, falls: bool) -> Rope {
        let at = self.at;
        if declares.is_empty() {
            let run = init.filter(|_| falls);
            return run.map(|init| rope![at, " || (", init, ")"]).unwrap_or_default();
        }
        let own =
            declares.iter().any(|it| it.symbols.iter().any(|&it| self.form(it) != Form::Function));
        if own {
            return self.for_init_of_round(declares, falls);
        }
        for &symbol in declares.iter().flat_map(|it| &it.symbols) {
            if self.param(symbol).is_none() {
                self.locals.insert((self.shape.name)(symbol));
            }
        }
        if !falls {
            return Rope::default();
        }
        let mut text = rope![at, " || ("];
        for (index, it) in declares.iter().enumerate() {
            text = rope![text, if index > 0 { ", " } else { "" }, bare_assignment(it)];
        }
        rope![text, ")"]
    }

    /// Variables of which each round has its own stay declared by the loop.
    fn for_init_of_round(&mut self, declares: &[Declare], falls: bool) -> Rope {
        let mut text = rope!["let "];
        for (index, it) in declares.iter().enumerate() {
            let [symbol] = it.symbols[..] else {
                self.failed = Some("a loop takes apart what closures in it hold");
                return Rope::default();
            };
            let name = (self.shape.name)(symbol);
            if it.pattern.0.len() != 1 {
                self.failed = Some("a loop takes apart what closures in it hold");
            }
            let carried = self.param(symbol).unwrap_or("void 0").to_owned();
            let value = match (&it.init, falls) {
                (Some(init), true) => rope![self.at, " ? ", carried, " : ", init],
                _ => rope![carried],
            };
            text = rope![text, if index > 0 { ", " } else { "" }, name, " = ", value];
        }
        text
    }

    fn for_of(&mut self, it: &ForOf, falls: bool) -> Rope {
        let items = self.shape.plan.temps[it.items].clone();
        let names = self.runtime.items();
        let begin = if falls {
            rope![self.at, " || (", &items, " = ", &names.items, "(", &it.iterable, "));\n"]
        } else {
            Rope::default()
        };
        let body = self.block(&it.body, true);
        rope![
            begin,
            "try {\n",
            label(&it.labels),
            "while (",
            self.at,
            " || ",
            &names.step,
            "(",
            &items,
            ")) ",
            body,
            "\n} catch (error) {\n",
            &names.abort,
            "(",
            &items,
            ");\nthrow error;\n} finally {\n",
            &names.close,
            "(",
            &items,
            ");\n}"
        ]
    }

    /// The case to run is found by an expression, so that the twin can name it instead.
    fn switch(&mut self, it: &Switch, falls: bool) -> Rope {
        let at = self.at;
        let held = self.shape.plan.temps[it.held].clone();
        let mut select = rope!["(", &held, " = ", &it.discriminant, ", "];
        let mut resume = String::new();
        let mut otherwise = it.cases.len();
        let mut cases = Rope::default();
        let mut declared = Vec::new();
        let mut reached = falls;
        for (index, (test, body)) in it.cases.iter().enumerate() {
            match test {
                Some(test) => {
                    select = rope![select, &held, " === (", test, ") ? ", index.to_string(), " : "];
                }
                None => otherwise = index,
            }
            if let Some((_, last)) = range(body) {
                resume += &format!("{at} <= {last} ? {index} : ");
            }
            for node in body {
                self.declare_first(node, true, true, &mut declared);
            }
            cases = rope![cases, "case ", index.to_string(), ":\n", self.case(body, reached)];
            reached |= range(body).is_some();
        }
        let select = rope![select, otherwise.to_string(), ")"];
        let chosen = match (falls, resume.is_empty()) {
            (true, false) => rope![at, " ? ", resume, "0 : ", select],
            (true, true) => select,
            (false, _) => rope![resume, "0"],
        };
        let text = rope![label(&it.labels), "switch (", chosen, ") {\n", cases, "}"];
        if declared.is_empty() {
            text
        } else {
            rope!["{\nlet ", declared.join(", "), ";\n", text, "\n}"]
        }
    }

    /// The statements of a case, whose variables the whole `switch` has.
    fn case(&mut self, nodes: &[Node], falls: bool) -> Rope {
        let mut text = Rope::default();
        let inner = self.nodes_of_case(nodes, falls);
        text.append(&inner);
        text
    }

    fn nodes_of_case(&mut self, nodes: &[Node], mut falls: bool) -> Rope {
        let mut out = Rope::default();
        for (index, node) in nodes.iter().enumerate() {
            let later = range(&nodes[index + 1..]);
            let Some((_, last)) = range_of(node) else {
                if falls {
                    let text = self.plain(node, true);
                    out = match later {
                        Some(_) => rope![out, "if (!", self.at, ") {\n", text, "\n}\n"],
                        None => rope![out, text, "\n"],
                    };
                }
                continue;
            };
            let text = match node {
                Node::Site(site) => self.site(*site, falls, later.is_some()),
                node => self.node(node, falls),
            };
            let whole = matches!(node, Node::Site(_)) || later.is_none();
            out = if whole {
                rope![out, text, "\n"]
            } else {
                rope![out, "if (", self.at, " <= ", last.to_string(), ") {\n", text, "\n}\n"]
            };
            falls = true;
        }
        out
    }

    fn try_(&mut self, it: &Try, falls: bool) -> Rope {
        let handler_sites = it.handler.as_ref().and_then(|it| range(&it.body));
        let enter = handler_sites.map(|(first, _)| {
            let thrown = self.thrown(it);
            rope!["if (", self.at, " >= ", first.to_string(), ") throw ", thrown, ";\n"]
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

/// A declarator whose variables are declared elsewhere.
fn assignment(it: &Declare) -> Rope {
    rope!["(", bare_assignment(it), ")"]
}

fn bare_assignment(it: &Declare) -> Rope {
    let value = it.init.clone().unwrap_or_else(|| "void 0".into());
    rope![&it.pattern, " = ", value]
}
