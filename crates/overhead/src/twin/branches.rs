//! `if` and `switch` of a twin.

use super::Twin;
use crate::fast::label;
use crate::plan::{Node, Switch, range, range_of};
use crate::rope::{Rope, rope};

impl Twin<'_> {
    pub(super) fn if_(
        &mut self,
        test: &Rope,
        then: &[Node],
        otherwise: &[Node],
        falls: bool,
    ) -> Rope {
        let (first, second) = (range(then), range(otherwise));
        match (first, second, falls) {
            (Some(_), None, false) => return self.block(then, false),
            (None, Some(_), false) => return self.block(otherwise, false),
            _ => {}
        }
        let at = self.at();
        let test = match (first, second, falls) {
            (Some(_), None, _) => rope![at, " || (", test, ")"],
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

    /// The case to run is found by an expression, so that the twin can name it instead.
    pub(super) fn switch(&mut self, it: &Switch, falls: bool) -> Rope {
        let at = self.at();
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
    fn case(&mut self, nodes: &[Node], mut falls: bool) -> Rope {
        let mut out = Rope::default();
        for (index, node) in nodes.iter().enumerate() {
            let later = range(&nodes[index + 1..]);
            let Some((_, last)) = range_of(node) else {
                if falls {
                    let text = self.plain(node, true);
                    out = match later {
                        Some(_) => rope![out, "if (!", self.at(), ") {\n", text, "\n}\n"],
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
                rope![out, "if (", self.at(), " <= ", last.to_string(), ") {\n", text, "\n}\n"]
            };
            falls = true;
        }
        out
    }
}
