//! Prints a plan as the fast function: not async, the control flow as it was, and at each site a
//! check that hands over to the twin.
//!
//! With one site, the function hands over right there. With several, each only notes its number and
//! leaves the body for one place behind it: that is shorter, and V8 inlines functions by the length
//! of their bytecode. What is handed over is declared for the whole function then, or noted, too.

mod loops;

use std::collections::HashMap;

use headstart_ir::order;
use oxc_semantic::{Scoping, SymbolFlags, SymbolId};
use rustc_hash::FxHashSet;

use crate::carry::Form;
use crate::plan::{CatchParam, Declare, Node, Site, SiteKind, Switch, Target, Try};
use crate::rope::{Rope, rope};
use crate::runtime::{MOST_HANDED, Runtime};
use crate::shape::{self, Shape};

/// Prints one fast function.
pub(crate) struct Fast<'x> {
    shape: Shape<'x>,
    runtime: &'x mut Runtime,
    /// Whether the twin gets the number of the site.
    numbered: bool,
    /// The definition of a twin that stands in the function: where it hands over, since each call would make it else.
    nested: Rope,
    shared: Option<Shared>,
    /// Whether all that is awaited comes from fast functions that have not looked at it, or none does; `None` if some does.
    gives_raw: Option<bool>,
    /// Of the `for … of` loops that are open, the temporary with the iteration and the variable with the index in an array.
    arrays: Vec<(String, String)>,
    /// Whether the flag is mentioned.
    flagged: bool,
    /// Whether the call is counted here.
    entered: bool,
    /// Whether statements were left out, which nothing leads to.
    dropped: bool,
    /// The names of the `var`s.
    vars: &'x [String],
}

/// How a function hands over in one place.
struct Shared {
    /// Variables that are declared for the whole function.
    hoisted: FxHashSet<SymbolId>,
    /// Where variables that are not are noted.
    notes: HashMap<SymbolId, String>,
    /// Where the value awaited is.
    value: String,
}

impl<'x> Fast<'x> {
    /// `note` makes a name under which a variable is noted.
    pub(crate) fn new(
        (shape, runtime): (Shape<'x>, &'x mut Runtime),
        (numbered, vars, nested): (bool, &'x [String], Option<Rope>),
        scoping: &Scoping,
        note: impl FnMut(SymbolId) -> String,
    ) -> Self {
        let mut raw = shape.plan.sites.iter().filter(|it| it.awaits()).map(|it| it.is_raw);
        let gives_raw = raw.next().filter(|first| raw.all(|it| it == *first));
        let in_one_place = shape.plan.sites.len() > 1 || nested.is_some();
        let shared = (in_one_place && !shape.exact).then(|| Shared::of(&shape, scoping, note));
        Self {
            shape,
            runtime,
            numbered,
            nested: nested.unwrap_or_default(),
            shared,
            gives_raw,
            arrays: Vec::new(),
            flagged: false,
            entered: false,
            dropped: false,
            vars,
        }
    }

    /// The statements of the body, declarations of temporaries included.
    pub(crate) fn body(&mut self) -> Rope {
        self.statements().resolved(true)
    }

    fn statements(&mut self) -> Rope {
        let mut statements = self.nodes(&self.shape.plan.body);
        let names = self.shape.names;
        let ends = ends(&self.shape.plan.body);
        if self.shared.is_some() {
            let end = if ends { Rope::default() } else { self.exit(None) };
            let tail = self.tail();
            statements = rope![&names.over, ": {\n", statements, end, "\n}\n", tail, "\n"];
        } else if let (Some(counted), false) = (self.shape.limits.counted, ends) {
            statements = rope![statements, counted.leave(names), ";\n"];
        }
        if self.dropped && !self.vars.is_empty() {
            statements = rope!["var ", self.vars.join(", "), ";\n", statements];
        }
        self.runtime.note_results(&statements);
        let declared = self.declared(&statements);
        if declared.is_empty() {
            return statements;
        }
        // A `let` has a bytecode for its first value, too.
        rope!["var ", declared.join(", "), ";\n", statements]
    }

    /// What is declared for the whole function.
    fn declared(&self, statements: &Rope) -> Vec<String> {
        let (shape, names) = (&self.shape, self.shape.names);
        let waits = shape.plan.sites.iter().any(Site::awaits);
        // What each function has comes first: when names are made short, they get the same ones in each,
        // which compresses well.
        let temps = shape.plan.temps.iter().enumerate();
        let temps = temps.filter(|it| Some(it.0) != shape.plan.plain);
        let mut all: Vec<String> = temps.map(|it| it.1.clone()).collect();
        let reads_then = waits && !shape.exact || statements.mentions(&names.then);
        all.extend(reads_then.then(|| names.then.clone()));
        all.extend((waits && shape.exact).then(|| names.value.clone()));
        if let Some(shared) = &self.shared {
            all.extend(self.numbered.then(|| names.at.clone()));
            all.extend((waits && shared.value == names.value).then(|| names.value.clone()));
            let mut hoisted: Vec<SymbolId> = shared.hoisted.iter().copied().collect();
            order::sort(&mut hoisted);
            all.extend(hoisted.into_iter().map(|it| (shape.name)(it)));
            let params = shape.carry.params.iter();
            all.extend(params.filter_map(|(symbol, _)| shared.notes.get(symbol).cloned()));
        }
        if shape.has_fuel() {
            all.push(format!("{} = {}", names.fuel, crate::fuel::FIRST));
        }
        crate::plan::visit(&shape.plan.body, &mut |node| {
            if let Node::ForOf(it) = node {
                all.extend(it.array.iter().flat_map(|it| [it.list.clone(), it.index.clone()]));
            }
        });
        if self.flagged {
            all.push(names.flag.clone());
        }
        if shape.limits.counted.is_some() || statements.mentions(&names.result) {
            all.push(names.result.clone());
        }
        all
    }

    fn nodes(&mut self, nodes: &[Node]) -> Rope {
        let mut out = Rope::default();
        let mut over = false;
        for node in nodes {
            // Functions are there from the start of their block.
            if over && !matches!(node, Node::Hoisted(_)) {
                self.dropped = true;
                continue;
            }
            out.append(&self.node(node));
            out.push("\n");
            over |= self.shape.exact && matches!(node, Node::Site(_));
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
            Node::Declare(it) if self.is_hoisted(&it.symbols) => rope![it.assignment(), ";"],
            Node::Declare(it) => rope![declaration(it), ";"],
            Node::Site(index) => self.site(*index),
            Node::Return(None) => self.exit(None),
            Node::Return(Some(value)) if self.shape.exact && !value.is_primitive => {
                let given = self.runtime.given();
                self.exit(Some(&rope![given, "((", &value.text, "))"]))
            }
            Node::Return(Some(value)) => self.exit(Some(&value.text)),
            Node::TailAwait(value, _) => self.exit(Some(value)),
            Node::If { test, then, otherwise } => {
                let text = rope!["if (", test, ") ", self.block(then)];
                match &otherwise[..] {
                    [] => text,
                    // One after the other is no nesting.
                    [it @ Node::If { .. }] => rope![text, " else ", self.node(it)],
                    _ => rope![text, " else ", self.block(otherwise)],
                }
            }
            Node::Loop(it) => self.loop_(it),
            Node::ForOf(it) => self.for_of(it),
            Node::Switch(it) => self.switch(it),
            Node::Try(it) => self.try_(it),
            Node::Block { labels, body } => rope![label(labels), self.block(body)],
        }
    }

    fn is_hoisted(&self, symbols: &[SymbolId]) -> bool {
        let hoisted = self.shared.as_ref().map(|it| &it.hoisted);
        hoisted.is_some_and(|it| symbols.first().is_some_and(|symbol| it.contains(symbol)))
    }

    /// `return value`
    fn exit(&self, value: Option<&Rope>) -> Rope {
        match (self.shape.limits.counted.filter(|_| self.entered), value) {
            (Some(it), Some(value)) => it.returned(self.shape.names, value),
            (Some(it), None) => rope![it.leave(self.shape.names), ";\nreturn;"],
            (None, Some(value)) => rope!["return ", value, ";"],
            (None, None) => "return;".into(),
        }
    }

    /// Returns what the twin does, with something kept for it before. Where that awaits before all else, nothing of it has to be counted.
    fn exit_over(&self, kept: &str, call: &Rope) -> Rope {
        let call = &rope![kept, call];
        let enters = self.shape.plan.sites.iter().any(|it| matches!(it.kind, SiteKind::Enter));
        match self.shape.limits.counted {
            Some(it) if !enters => {
                rope!["return ", it.leave(self.shape.names), ", ", call, ";"]
            }
            _ => self.exit(Some(call)),
        }
    }

    fn site(&mut self, index: usize) -> Rope {
        let site = &self.shape.plan.sites[index];
        let over = self.hand_over(index);
        let typed = |operand: &Rope| match &self.shape.of {
            Some(of) => rope![of, "(", operand, ")"],
            None => operand.clone(),
        };
        match &site.kind {
            SiteKind::Await(operand) if self.shape.exact => {
                rope![&self.shape.names.value, " = ", operand, ";\n", over]
            }
            SiteKind::Await(operand) => {
                let target = self.shape.target(site);
                let count = self.shape.count(index, crate::fuel::FIRST);
                let names = self.shape.names;
                let (declared, value) = match site.target {
                    Target::Variable(symbol) if !self.is_hoisted(&[symbol]) => {
                        (rope!["let ", &target, " = ", typed(operand), ";\n"], rope![&target])
                    }
                    _ => (Rope::default(), rope!["(", &target, " = ", typed(operand), ")"]),
                };
                let test = rope![shape::looks(names, site.gives, &value, &target), count];
                rope![declared, "if (", test, ") ", over]
            }
            SiteKind::Yield(_) | SiteKind::Enter => {
                // Types follow from what stands behind it, so TypeScript is to take it for reachable.
                let over = if self.shape.of.is_some() { rope!["if (1) ", over] } else { over };
                match site.target {
                    // Never reached, but declared.
                    Target::Variable(symbol) if !self.is_hoisted(&[symbol]) => {
                        rope![over, "\nlet ", self.shape.target(site), ";"]
                    }
                    _ => over,
                }
            }
            SiteKind::Entry => {
                self.entered = true;
                let test = self.shape.limits.test(self.shape.names, self.shape.name);
                rope!["if (", test, ") ", over]
            }
        }
    }

    /// The statement that hands over at a site.
    fn hand_over(&mut self, index: usize) -> Rope {
        let site = &self.shape.plan.sites[index];
        let indices = self.arrays.iter().map(|(items, index)| format!("{items}.index = {index}"));
        let mut kept: Vec<String> = indices.collect();
        kept.extend(site.flagged.then(|| format!("{} = true", self.shape.names.flag)));
        self.flagged |= site.flagged;
        let is_mixed = site.is_raw && self.gives_raw.is_none();
        match &self.shared {
            Some(shared) => {
                let taken = is_mixed.then(|| self.runtime.taken());
                let mut notes = self.notes(shared, index, taken.as_deref());
                notes.extend(kept);
                notes.push(format!("break {};", self.shape.names.over));
                match &notes[..] {
                    [only] => only.as_str().into(),
                    all => rope!["{ ", all.join("; "), " }"],
                }
            }
            None => {
                let value = match site.kind {
                    SiteKind::Await(_) if self.shape.exact => self.shape.names.value.clone(),
                    SiteKind::Await(_) => self.shape.target(site),
                    _ => String::new(),
                };
                let carried = &self.shape.carry.at[index];
                let mut arguments: Vec<String> = Vec::new();
                for (symbol, _) in &self.shape.carry.params {
                    let needed = carried.contains(symbol);
                    arguments.push(if needed { (self.shape.name)(*symbol) } else { "0".into() });
                }
                let at = number(index, site).to_string();
                let call = self.call(at, (value, site.is_raw), arguments);
                let kept: String = kept.into_iter().map(|it| it + ", ").collect();
                self.exit_over(&kept, &call)
            }
        }
    }

    /// What a site notes before it leaves the body.
    fn notes(&self, shared: &Shared, index: usize, taken: Option<&str>) -> Vec<String> {
        let site = &self.shape.plan.sites[index];
        let mut notes = Vec::new();
        for (symbol, _) in &self.shape.carry.params {
            if let (Some(note), true) =
                (shared.notes.get(symbol), self.shape.carry.at[index].contains(symbol))
            {
                notes.push(format!("{note} = {}", (self.shape.name)(*symbol)));
            }
        }
        let names = self.shape.names;
        match site.kind {
            SiteKind::Await(_) => {
                let target = self.shape.target(site);
                let value = &shared.value;
                if target != *value {
                    notes.push(format!("{value} = {target}"));
                }
                // Others are handed over in the same place.
                if let Some(taken) = taken {
                    notes.push(format!("{value} = {taken}({value}, {})", names.then));
                    notes.push(format!("{} = void 0", names.then));
                }
            }
            // What was read of another value.
            SiteKind::Yield(_) | SiteKind::Enter
                if self.shape.plan.sites.iter().any(Site::awaits) =>
            {
                notes.push(format!("{} = void 0", names.then));
            }
            _ => {}
        }
        if self.numbered {
            notes.push(format!("{} = {}", names.at, number(index, site)));
        }
        notes
    }

    /// Where a function with several sites hands over.
    fn tail(&mut self) -> Rope {
        let Some(shared) = &self.shared else { return Rope::default() };
        let waits = self.shape.plan.sites.iter().any(Site::awaits);
        let value = if waits { shared.value.clone() } else { String::new() };
        let params = self.shape.carry.params.iter();
        let arguments = params
            .map(|(symbol, _)| {
                shared.notes.get(symbol).cloned().unwrap_or_else(|| (self.shape.name)(*symbol))
            })
            .collect();
        let at = self.shape.names.at.clone();
        let call = self.call(at, (value, self.gives_raw == Some(true)), arguments);
        rope![&self.nested, self.exit_over("", &call)]
    }

    /// The call of the twin, whose promise is noted. `value` is empty where nothing is awaited. What is only looked at by
    /// helpers goes to one that calls the twin: what stands here decides how much V8 inlines of the callers, and is
    /// hardly ever run.
    fn call(&mut self, at: String, (value, is_raw): (String, bool), carried: Vec<String>) -> Rope {
        let shape = &self.shape;
        let temps = shape.carry.temps.iter().map(|&it| shape.plan.temps[it].clone());
        let carried: Vec<String> = carried.into_iter().chain(temps).collect();
        if is_raw && !value.is_empty() && shape.by_helper && carried.len() <= MOST_HANDED {
            let over = self.runtime.over(self.numbered);
            let this = if shape.this { "this" } else { "0" }.to_owned();
            let at = self.numbered.then_some(at);
            let arguments = [shape.twin.to_owned(), this].into_iter().chain(at);
            let arguments = arguments.chain([value, shape.names.then.clone()]).chain(carried);
            return rope![over, "(", arguments.collect::<Vec<_>>().join(", "), ")"];
        }
        let value = match value.as_str() {
            "" => "0".to_owned(),
            _ if shape.exact => value,
            _ => shape::hold(self.runtime, shape.names, &value, is_raw),
        };
        let mut arguments = if self.numbered { vec![at, value] } else { vec![value] };
        arguments.extend(carried);
        // The twin compares the number of the site, and is to find one.
        let least = usize::from(self.numbered);
        while arguments.len() > least && arguments.last().is_some_and(|it| it == "0") {
            arguments.pop();
        }
        let call = self.shape.call(&arguments);
        match &self.shape.last {
            Some(last) => rope![last, " = ", call],
            None => call,
        }
    }

    fn switch(&mut self, it: &Switch) -> Rope {
        let mut text = rope![label(&it.labels), "switch (", &it.discriminant, ") {\n"];
        for (test, body) in &it.cases {
            match test {
                Some(test) => text.append(&rope!["case ", test, ":\n"]),
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
            let flag = &self.shape.names.flag;
            text = rope![text, " finally {\nif (!", flag, ") ", finalizer, "\n}"];
        }
        text
    }
}

impl Shared {
    fn of(shape: &Shape<'_>, scoping: &Scoping, mut note: impl FnMut(SymbolId) -> String) -> Self {
        let hoisted = shape.hoisted();
        let mut notes = HashMap::new();
        for (symbol, param) in &shape.carry.params {
            let flags = scoping.symbol_flags(*symbol);
            let is_var = flags.contains(SymbolFlags::FunctionScopedVariable)
                && !flags.intersects(SymbolFlags::CatchVariable | SymbolFlags::Function);
            if is_var || hoisted.contains(symbol) {
                continue;
            }
            let own = shape.form(*symbol) == Form::Function;
            notes.insert(*symbol, if own { note(*symbol) } else { param.clone() });
        }
        let mut targets =
            shape.plan.sites.iter().filter(|it| it.awaits()).map(|it| shape.target(it));
        let first = targets.next();
        let same = first.filter(|first| targets.all(|it| it == *first));
        let same = same.filter(|first| shape.plan.temps.contains(first));
        Self { hoisted, notes, value: same.unwrap_or_else(|| shape.names.value.clone()) }
    }
}

/// The number under which the twin knows a site: 0 at the start, which nothing is skipped on the way to.
fn number(index: usize, site: &Site) -> usize {
    if matches!(site.kind, SiteKind::Entry) { 0 } else { index + 1 }
}

/// Whether some statements end in a `return` on every way.
fn ends(nodes: &[Node]) -> bool {
    match nodes.last() {
        Some(Node::Return(_) | Node::TailAwait(..)) => true,
        Some(Node::If { then, otherwise, .. }) => ends(then) && ends(otherwise),
        _ => false,
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

pub(crate) fn or_nothing(text: &Option<Rope>) -> Rope {
    text.clone().unwrap_or_default()
}

pub(crate) fn label(labels: &[String]) -> String {
    labels.iter().map(|it| format!("{it}: ")).collect()
}
