//! Prints a plan as the fast function: not async, the control flow as it was, and at each site a
//! check that hands over to the twin.

use oxc_semantic::SymbolId;

use crate::carry::Carry;
use crate::plan::{
    CatchParam, Declare, ForOf, Head, Loop, Node, Plan, Site, SiteKind, Switch, Target, Try,
};
use crate::rope::{Rope, rope};
use crate::runtime::{DEPTH, Runtime};

/// How many awaits in loops may pass before other microtasks get their turn. Each call has its own:
/// whatever runs for ever has a loop that does, or overflows the stack.
const FUEL: u32 = 256;

/// What both printers know.
pub(crate) struct Shape<'x> {
    pub(crate) plan: &'x Plan,
    pub(crate) carry: &'x Carry,
    /// The name of a variable in the function.
    pub(crate) name: &'x dyn Fn(SymbolId) -> String,
    /// The name of the twin.
    pub(crate) twin: &'x str,
    /// Whether the twin is called with `this`.
    pub(crate) this: bool,
    /// The name of the flag that keeps `finally` from running.
    pub(crate) flag: &'x str,
    /// The name of the counter of rounds.
    pub(crate) fuel: &'x str,
}

impl Shape<'_> {
    /// The name of what a site assigns to.
    pub(crate) fn target(&self, site: &Site) -> String {
        match site.target {
            Target::Temp(index) => self.plan.temps[index].clone(),
            Target::Variable(symbol) => (self.name)(symbol),
        }
    }

    /// Whether a site takes part in keeping other microtasks alive.
    pub(crate) fn burns_fuel(site: &Site) -> bool {
        !site.loops.is_empty() && matches!(site.kind, SiteKind::Await(_))
    }

    /// Whether some site does.
    pub(crate) fn has_fuel(&self) -> bool {
        self.plan.sites.iter().any(Self::burns_fuel)
    }

    /// `name = full`, of the rounds that may pass before other microtasks get their turn.
    pub(crate) fn refuel(&self) -> String {
        format!("{} = {FUEL}", self.fuel)
    }
}

/// Prints fast functions.
pub(crate) struct Fast<'x> {
    pub(crate) shape: Shape<'x>,
    pub(crate) runtime: &'x mut Runtime,
    /// Whether the flag is mentioned.
    pub(crate) flagged: bool,
}

impl Fast<'_> {
    /// The statements of the body, declarations of temporaries included.
    pub(crate) fn body(&mut self) -> Rope {
        let statements = self.nodes(&self.shape.plan.body);
        let mut names: Vec<String> = self.shape.plan.temps.clone();
        if self.shape.has_fuel() {
            names.push(self.shape.refuel());
        }
        if self.flagged {
            names.push(self.shape.flag.to_owned());
        }
        if names.is_empty() {
            return statements;
        }
        rope!["let ", names.join(", "), ";\n", statements]
    }

    fn nodes(&mut self, nodes: &[Node]) -> Rope {
        let mut out = Rope::default();
        for node in nodes {
            out.append(&self.node(node));
            out.push("\n");
        }
        out
    }

    fn block(&mut self, nodes: &[Node]) -> Rope {
        rope!["{\n", self.nodes(nodes), "}"]
    }

    fn node(&mut self, node: &Node) -> Rope {
        match node {
            Node::Raw(text) | Node::Hoisted(text) => text.clone(),
            Node::TwinOnly { vars, .. } if vars.is_empty() => Rope::default(),
            Node::TwinOnly { vars, .. } => rope!["var ", vars.join(", "), ";"],
            Node::Declare(it) => rope![declaration(it), ";"],
            Node::Site(index) => self.site(*index),
            Node::Return(None) => "return;".into(),
            Node::Return(Some(value)) | Node::TailAwait(value) => rope!["return ", value, ";"],
            Node::If { test, then, otherwise } => {
                let mut text = rope!["if (", test, ") ", self.block(then)];
                if !otherwise.is_empty() {
                    text = rope![text, " else ", self.block(otherwise)];
                }
                text
            }
            Node::Loop(it) => self.loop_(it),
            Node::ForOf(it) => self.for_of(it),
            Node::Switch(it) => self.switch(it),
            Node::Try(it) => self.try_(it),
            Node::Block { labels, body } => rope![label(labels), self.block(body)],
        }
    }

    fn site(&mut self, index: usize) -> Rope {
        let site = &self.shape.plan.sites[index];
        let over = self.hand_over(index);
        match &site.kind {
            SiteKind::Await(operand) => {
                let target = self.shape.target(site);
                let fuel = if Shape::burns_fuel(site) {
                    format!(" || --{} < 0", self.shape.fuel)
                } else {
                    String::new()
                };
                let pending = self.runtime.pending();
                if matches!(site.target, Target::Variable(_)) {
                    return rope![
                        "let ", &target, " = ", operand, ";\nif (", pending, "(", &target, ")",
                        fuel, ") ", over
                    ];
                }
                rope!["if (", pending, "(", &target, " = ", operand, ")", fuel, ") ", over]
            }
            SiteKind::Yield(_) | SiteKind::Enter => match site.target {
                // Never reached, but declared.
                Target::Variable(_) => rope![over, "\nlet ", self.shape.target(site), ";"],
                Target::Temp(_) => over,
            },
            SiteKind::Entry => {
                rope!["if (", self.runtime.depth(), " > ", DEPTH.to_string(), ") ", over]
            }
        }
    }

    /// `return twin(…);`
    fn hand_over(&mut self, index: usize) -> Rope {
        let shape = &self.shape;
        let site = &shape.plan.sites[index];
        let value = match site.kind {
            SiteKind::Await(_) => shape.target(site),
            _ => "0".to_owned(),
        };
        let mut arguments = vec![(index + 1).to_string(), value];
        for (symbol, _) in &shape.carry.params {
            let carried = shape.carry.at[index].contains(symbol);
            arguments.push(if carried { (shape.name)(*symbol) } else { "0".to_owned() });
        }
        for temp in &shape.carry.temps {
            let carried = site.temps.contains(temp);
            arguments.push(if carried { shape.plan.temps[*temp].clone() } else { "0".to_owned() });
        }
        while arguments.len() > 2 && arguments.last().is_some_and(|it| it == "0") {
            arguments.pop();
        }
        let flag = if site.flagged { format!("{} = true, ", shape.flag) } else { String::new() };
        let (call, this) = if shape.this { (".call", "this, ") } else { ("", "") };
        rope!["return ", flag, shape.twin, call, "(", this, arguments.join(", "), ");"]
    }

    fn loop_(&mut self, it: &Loop) -> Rope {
        let body = self.block(&it.body);
        let label = label(&it.labels);
        match &it.head {
            Head::While(test) => rope![label, "while (", test, ") ", body],
            Head::DoWhile(test) => rope![label, "do ", body, " while (", test, ");"],
            Head::For { declares, init, test, update } => {
                let (test, update) = (or_nothing(test), or_nothing(update));
                rope![
                    label,
                    "for (",
                    for_init(declares, init),
                    "; ",
                    test,
                    "; ",
                    update,
                    ") ",
                    body
                ]
            }
        }
    }

    fn for_of(&mut self, it: &ForOf) -> Rope {
        let items = self.shape.plan.temps[it.items].clone();
        self.flagged = true;
        let body = self.block(&it.body);
        let it_runtime = self.runtime.items();
        rope![
            &items,
            " = ",
            &it_runtime.items,
            "(",
            &it.iterable,
            ");\ntry {\n",
            label(&it.labels),
            "while (",
            &it_runtime.step,
            "(",
            &items,
            ")) ",
            body,
            "\n} catch (error) {\n",
            &it_runtime.abort,
            "(",
            &items,
            ");\nthrow error;\n} finally {\nif (!",
            self.shape.flag,
            ") ",
            &it_runtime.close,
            "(",
            &items,
            ");\n}"
        ]
    }

    fn switch(&mut self, it: &Switch) -> Rope {
        let mut text = rope![label(&it.labels), "switch (", &it.discriminant, ") {\n"];
        for (test, body) in &it.cases {
            match test {
                Some(test) => text = rope![text, "case ", test, ":\n"],
                None => text.push("default:\n"),
            }
            text.append(&self.nodes(body));
        }
        text.push("}");
        text
    }

    fn try_(&mut self, it: &Try) -> Rope {
        let mut text = rope!["try ", self.block(&it.block)];
        if let Some(handler) = &it.handler {
            let param = match handler.param {
                CatchParam::None => String::new(),
                CatchParam::Variable(symbol) => format!("({}) ", (self.shape.name)(symbol)),
                CatchParam::Temp(index) => format!("({}$) ", self.shape.plan.temps[index]),
            };
            let bind = match handler.param {
                CatchParam::Temp(index) => {
                    let name = &self.shape.plan.temps[index];
                    format!("{name} = {name}$;\n")
                }
                _ => String::new(),
            };
            text = rope![text, " catch ", param, "{\n", bind, self.nodes(&handler.body), "}"];
        }
        if let Some(finalizer) = &it.finalizer {
            self.flagged = true;
            text = rope![text, " finally {\nif (!", self.shape.flag, ") ", finalizer, "\n}"];
        }
        text
    }
}

/// A declarator as it was.
fn declaration(it: &Declare) -> Rope {
    match (it.keyword, &it.init) {
        ("class", Some(class)) => class.clone(),
        (keyword, Some(init)) => rope![keyword, " ", &it.typed, " = ", init],
        (keyword, None) => rope![keyword, " ", &it.typed],
    }
}

/// The start of a `for (;;)`.
fn for_init(declares: &[Declare], init: &Option<Rope>) -> Rope {
    let Some(first) = declares.first() else { return or_nothing(init) };
    let mut text = rope![first.keyword, " "];
    for (index, it) in declares.iter().enumerate() {
        let value = it.init.as_ref().map(|init| rope![" = ", init]).unwrap_or_default();
        text = rope![text, if index > 0 { ", " } else { "" }, &it.typed, value];
    }
    text
}

pub(crate) fn or_nothing(text: &Option<Rope>) -> Rope {
    text.clone().unwrap_or_default()
}

pub(crate) fn label(labels: &[String]) -> String {
    labels.iter().map(|it| format!("{it}: ")).collect()
}
