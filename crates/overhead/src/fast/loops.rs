//! Loops of a fast function.

use super::{Fast, label, or_nothing};
use crate::plan::{ArrayNames, Declare, ForOf, Head, Loop};
use crate::rope::{Rope, rope};
use crate::shape;

impl Fast<'_> {
    pub(super) fn loop_(&mut self, it: &Loop) -> Rope {
        let body = self.block(&it.body);
        let label = label(&it.labels);
        match &it.head {
            Head::While(test) => rope![label, "while (", test, ") ", body],
            Head::DoWhile(test) => rope![label, "do ", body, " while (", test, ");"],
            Head::For { declares, init, test, update } => {
                let (test, update) = (or_nothing(test), or_nothing(update));
                let init = self.for_init(declares, init);
                rope![label, "for (", init, "; ", test, "; ", update, ") ", body]
            }
        }
    }

    /// The start of a `for (;;)`.
    fn for_init(&self, declares: &[Declare], init: &Option<Rope>) -> Rope {
        let Some(first) = declares.first() else { return or_nothing(init) };
        let hoisted = shape::symbols(declares).next().is_some_and(|it| self.is_hoisted(&[it]));
        let mut text = if hoisted { Rope::default() } else { rope![first.keyword, " "] };
        for (index, it) in declares.iter().enumerate() {
            let value = it.init.as_ref().map(|init| rope![" = ", init]).unwrap_or_default();
            let one = if hoisted { it.assignment() } else { rope![&it.typed, value] };
            text = rope![text, if index > 0 { ", " } else { "" }, one];
        }
        text
    }

    pub(super) fn for_of(&mut self, it: &ForOf) -> Rope {
        let items = self.shape.plan.temps[it.items].clone();
        self.flagged = true;
        let array = it.array.clone();
        self.arrays.extend(array.iter().map(|array| (items.clone(), array.index.clone())));
        let body = self.block(&it.body);
        if array.is_some() {
            self.arrays.pop();
        }
        let it_runtime = self.runtime.items();
        let (begin, next) = match array {
            Some(ArrayNames { list, index }) => (
                rope![format!("{list} = {items}.array;\n{index} = 0;\n")],
                format!("{list} !== null ? {index} < {list}.length : "),
            ),
            None => (Rope::default(), String::new()),
        };
        let close = rope![&it_runtime.close, "(", &items, ");\n"];
        // Where nothing else leaves the loop, that comes behind it: a `finally` costs more than all the rest.
        let end = if it.leaves {
            rope!["} finally {\nif (!", &self.shape.names.flag, ") ", close, "}"]
        } else {
            rope!["}\n", close]
        };
        rope![
            &items,
            " = ",
            &it_runtime.items,
            "(",
            &it.iterable,
            ");\n",
            begin,
            "try {\n",
            label(&it.labels),
            "while (",
            next,
            &it_runtime.step,
            "(",
            &items,
            ")) ",
            body,
            "\n} catch (error) {\n",
            &it_runtime.abort,
            "(",
            &items,
            ");\nthrow error;\n",
            end
        ]
    }
}
