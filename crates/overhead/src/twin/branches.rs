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
        rope!["if (", test, ") ", self.block(then, falls), self.otherwise(otherwise, falls)]
    }

    /// What stands behind the first branch of an `if`; one `if` after the other is no nesting.
    pub(super) fn otherwise(&mut self, nodes: &[Node], falls: bool) -> Rope {
        match nodes {
            [] => Rope::default(),
            [node @ Node::If { .. }] if range_of(node).is_some() => {
                rope![" else ", self.node(node, falls)]
            }
            [node @ Node::If { .. }] if falls => rope![" else ", self.plain(node, false)],
            _ => rope![" else ", self.block(nodes, falls)],
        }
    }

    /// The case to run is found first, so that the twin can name it instead: by a `switch` of its own, since
    /// expressions in one another, one for each case, would be too deep for an engine where there are many.
    pub(super) fn switch(&mut self, it: &Switch, falls: bool) -> Rope {
        let held = &it.chosen;
        self.locals.insert(held.clone());
        let mut select = rope!["switch (", &it.discriminant, ") {\n"];
        let mut resume = Vec::new();
        let mut otherwise = it.cases.len();
        let mut cases = Rope::default();
        let mut declared = Vec::new();
        let mut reached = falls;
        for (index, (test, body)) in it.cases.iter().enumerate() {
            let number = index.to_string();
            match test {
                Some(test) => {
                    let case = rope!["case (", test, "): ", held, " = ", &number, "; break;\n"];
                    select.append(&case);
                }
                None => otherwise = index,
            }
            if let Some((_, last)) = range(body) {
                resume.push(format!("if ({} <= {last}) {held} = {number};\n", self.at()));
            }
            for node in body {
                self.declare_first(node, true, true, &mut declared);
            }
            cases.append(&rope!["case ", &number, ":\n", self.case(body, reached)]);
            reached |= range(body).is_some();
        }
        select.append(&rope!["default: ", held, " = ", otherwise.to_string(), ";\n}\n"]);
        // The sites of a case come behind those of the cases in front of it.
        resume.reverse();
        let chosen = match (falls, resume.is_empty()) {
            (true, false) => rope!["if (", self.at(), ") {\n", resume.concat(), "} else ", select],
            (true, true) => select,
            (false, _) => resume.concat().into(),
        };
        let text = rope![chosen, label(&it.labels), "switch (", held, ") {\n", cases, "}"];
        if declared.is_empty() {
            text
        } else {
            rope!["{\nlet ", declared.join(", "), ";\n", text, "\n}"]
        }
    }

    /// The statements of a case, whose variables the whole `switch` has.
    fn case(&mut self, nodes: &[Node], mut falls: bool) -> Rope {
        let mut out = Rope::default();
        let last_site = nodes.iter().rposition(|it| range_of(it).is_some());
        for (index, node) in nodes.iter().enumerate() {
            let later = last_site.is_some_and(|it| it > index);
            let Some((_, last)) = range_of(node) else {
                if falls {
                    let text = self.plain(node, true);
                    out.append(&match later {
                        true => rope!["if (!", self.at(), ") {\n", text, "\n}\n"],
                        false => rope![text, "\n"],
                    });
                }
                continue;
            };
            let text = match node {
                Node::Site(site) => self.site(*site, falls, later),
                node => self.node(node, falls),
            };
            let whole = matches!(node, Node::Site(_)) || !later;
            out.append(&if whole {
                rope![text, "\n"]
            } else {
                rope!["if (", self.at(), " <= ", last.to_string(), ") {\n", text, "\n}\n"]
            });
            falls = true;
        }
        out
    }
}
