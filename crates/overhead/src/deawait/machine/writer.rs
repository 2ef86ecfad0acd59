//! What changes in the text of a machine.

use headstart_ir::order;
use oxc_span::Span;

use super::super::Reason;
use super::find::{Dialect, Found};
use super::op::{Op, States};
use super::parts::{Kind, Parts};
use crate::facts::Facts;

/// The names that the loop uses.
struct Names {
    next: String,
    sent: String,
    after: String,
    error: String,
    run: String,
    kept: String,
}

impl Names {
    /// Names that the file does not have.
    fn fresh(facts: &Facts) -> Self {
        let free = |wanted: &str| {
            let taken = |name: &String| facts.names.contains(name);
            let mut names = (1..).map(|number| match number {
                1 => wanted.to_owned(),
                number => format!("{wanted}{number}_"),
            });
            names.find(|name| !taken(name)).unwrap_or_default()
        };
        Self {
            next: free("$next"),
            sent: free("$sent"),
            after: free("$after"),
            error: free("$error"),
            run: free("$run"),
            kept: free("$kept"),
        }
    }
}

/// The edits that make a machine the rest of an async function.
pub(super) fn write(
    states: &States,
    found: &Found<'_, '_>,
    facts: &Facts,
) -> Result<Vec<(Span, String)>, Reason> {
    let parts = Parts::of(states, found.dialect == Dialect::Regenerator)?;
    let mut writer =
        Writer { states, parts, names: Names::fresh(facts), edits: Vec::new(), is_straight: false };
    writer.is_straight = writer.is_straight();
    for (index, span, op) in &states.ops {
        writer.op(*index, *span, op)?;
    }
    for index in 0..states.states.len() {
        writer.head(index)?;
    }
    writer.frame()?;
    Ok(writer.edits)
}

struct Writer<'x> {
    states: &'x States,
    parts: Parts,
    names: Names,
    edits: Vec<(Span, String)>,
    /// The states come one after the other: neither loop nor `switch` is needed.
    is_straight: bool,
}

impl Writer<'_> {
    fn label(&self, index: usize) -> u32 {
        self.states.states[index].label
    }

    fn part(&self, index: usize) -> usize {
        self.parts.part_of(self.label(index))
    }

    fn is_straight(&self) -> bool {
        let follows = |index: usize, to: u32| {
            self.states.states.get(index + 1).is_some_and(|it| it.label == to)
        };
        self.states.tries.is_empty()
            && self.states.ops.iter().all(|(index, _, op)| match op {
                Op::Jump { .. } | Op::EndFinally => false,
                Op::Wait { to, .. } | Op::Next { to } => follows(*index, *to),
                _ => true,
            })
    }

    /// A jump, with the semicolon.
    fn jump(&self, from: usize, to: u32, abrupt: bool) -> Result<String, Reason> {
        if !self.states.states.iter().any(|it| it.label == to) {
            return Err("its state machine goes to no state");
        }
        let (part, to) = self.parts.target(from, to, abrupt)?;
        let Names { next, run, .. } = &self.names;
        Ok(format!("{next} = {to}; continue {run}{part};"))
    }

    fn op(&mut self, index: usize, span: Span, op: &Op) -> Result<(), Reason> {
        let part = self.part(index);
        let Names { sent, kept, run, .. } = &self.names;
        match op {
            Op::Jump { to, abrupt } => {
                let jump = self.jump(part, *to, *abrupt)?;
                self.edits.push((span, format!("{{ {jump} }}")));
            }
            Op::Wait { value, to } => {
                let next = self.states.states.get(index + 1);
                let follows =
                    next.is_some_and(|it| it.label == *to) && self.part(index + 1) == part;
                let open = format!("{sent} = await (");
                let close = if follows {
                    ");".to_owned()
                } else {
                    format!("); {}", self.jump(part, *to, true)?)
                };
                self.around(span, *value, &open, &close);
            }
            Op::Return { value: None } => self.edits.push((span, "return;".to_owned())),
            Op::Return { value } => self.around(span, *value, "return (", ");"),
            Op::EndFinally => {
                if self.parts.parts[part].kind != Kind::Finally {
                    return Err("its `finally` blocks are not as a compiler writes them");
                }
                self.edits.push((span, format!("break {run}{part};")));
            }
            Op::Next { to } => {
                if self.states.states.get(index + 1).is_none_or(|it| it.label != *to) {
                    return Err("its states are not in order");
                }
                self.edits.push((span, String::new()));
            }
            Op::Nothing => self.edits.push((span, String::new())),
            Op::Sent => self.edits.push((span, sent.clone())),
            Op::Kept(name) => self.edits.push((span, format!("{kept}_{name}"))),
        }
        Ok(())
    }

    /// Puts something around a value that stands in `span`.
    fn around(&mut self, span: Span, value: Option<Span>, open: &str, close: &str) {
        match value {
            Some(value) => {
                self.edits.push((Span::new(span.start, value.start), open.to_owned()));
                self.edits.push((Span::new(value.end, span.end), close.to_owned()));
            }
            None => self.edits.push((span, format!("{open}void 0{close}"))),
        }
    }

    /// What stands in front of a state.
    fn head(&mut self, index: usize) -> Result<(), Reason> {
        let head = self.states.states[index].head;
        if self.is_straight {
            self.edits.push((head, String::new()));
            return Ok(());
        }
        let label = self.label(index);
        let mut text = String::new();
        let mut at = 0;
        if let Some(before) = index.checked_sub(1) {
            let (from, to) = (self.part(before), self.part(index));
            if from != to && !self.states.states[before].ends {
                text += &self.jump(from, label, true)?;
            }
            at = from;
            while !self.parts.is_around(at, to) {
                text += &self.close(at)?;
                at = self.parts.parts[at].parent;
            }
        }
        for part in self.path(at, self.part(index)) {
            text += &self.open(part);
        }
        self.edits.push((head, format!("{text}case {label}: ")));
        Ok(())
    }

    /// The parts from `outer`, which is left out, down to `inner`.
    fn path(&self, outer: usize, inner: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = inner;
        while at != outer {
            path.push(at);
            at = self.parts.parts[at].parent;
        }
        path.reverse();
        path
    }

    fn open(&self, part: usize) -> String {
        let Names { next, after, run, .. } = &self.names;
        let from = self.parts.parts[part].from;
        let cases = format!("{run}{part}: for (;;) switch ({next}) {{ ");
        match self.parts.parts[part].kind {
            // It follows what it belongs to.
            Kind::Finally => format!("finally {{ const {after} = {next}; {next} = {from}; {cases}"),
            _ => format!("case {from}: try {{ {cases}"),
        }
    }

    fn close(&self, part: usize) -> Result<String, Reason> {
        let Names { next, sent, after, error, .. } = &self.names;
        Ok(match self.parts.parts[part].kind {
            Kind::Caught(handler) => {
                let jump = self.jump(self.parts.parts[part].parent, handler, false)?;
                format!(" }} }} catch ({error}) {{ {sent} = {error}; {jump} }} ")
            }
            Kind::Finally => format!(" }} {next} = {after}; }} "),
            Kind::Finalized(..) | Kind::All => " } } ".to_owned(),
        })
    }

    /// What stands around all states.
    fn frame(&mut self) -> Result<(), Reason> {
        let Names { next, sent, run, kept, .. } = &self.names;
        let mut names: Vec<&str> = self
            .states
            .ops
            .iter()
            .filter_map(|(_, _, op)| match op {
                Op::Kept(name) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        order::sort(&mut names);
        names.dedup();
        let takes =
            self.states.ops.iter().any(|(_, _, op)| matches!(op, Op::Wait { .. } | Op::Sent));
        let mut names: Vec<String> = names.iter().map(|it| format!("{kept}_{it}")).collect();
        names.extend(takes.then(|| sent.clone()));
        let names = names.join(", ");
        let (open, close) = if self.is_straight {
            let open = if names.is_empty() { String::new() } else { format!("var {names}; ") };
            (open, String::new())
        } else {
            let names = if names.is_empty() { names } else { format!(", {names}") };
            let start = self.states.states.first().map_or(0, |it| it.label);
            let open = format!("var {next} = {start}{names}; {run}0: for (;;) switch ({next}) {{ ");
            let last = self.states.states.len() - 1;
            if !self.states.states[last].ends || self.part(last) != 0 {
                return Err("its last state goes nowhere");
            }
            (open, " }".to_owned())
        };
        self.edits.push((self.states.opening, open));
        self.edits.push((self.states.closing, close));
        Ok(())
    }
}
