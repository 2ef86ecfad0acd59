//! Loops of a twin.

use super::Twin;
use crate::carry::Form;
use crate::fast::{label, or_nothing};
use crate::plan::{Declare, ForOf, Head, Loop};
use crate::rope::{Rope, rope};
use crate::shape;

impl Twin<'_> {
    pub(super) fn loop_(&mut self, it: &Loop, falls: bool) -> Rope {
        let at = self.at();
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
        if declares.is_empty() {
            let run = init.filter(|_| falls);
            return run.map(|init| rope![self.at(), " || (", init, ")"]).unwrap_or_default();
        }
        let own =
            declares.iter().any(|it| it.symbols.iter().any(|&it| self.form(it) != Form::Function));
        if own {
            return self.for_init_of_round(declares, falls);
        }
        for symbol in shape::symbols(declares) {
            if !self.shape.is_there(symbol) {
                self.locals.insert((self.shape.name)(symbol));
            }
        }
        if !falls {
            return Rope::default();
        }
        let mut text = rope![self.at(), " || ("];
        for (index, it) in declares.iter().enumerate() {
            text = rope![text, if index > 0 { ", " } else { "" }, it.assignment()];
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
            let carried = self.param(symbol).unwrap_or("void 0").to_owned();
            let value = match (&it.init, falls) {
                (Some(init), true) => rope![self.at(), " ? ", carried, " : ", init],
                _ => rope![carried],
            };
            text = rope![text, if index > 0 { ", " } else { "" }, name, " = ", value];
        }
        text
    }

    pub(super) fn for_of(&mut self, it: &ForOf, falls: bool) -> Rope {
        let items = self.shape.plan.temps[it.items].clone();
        let names = self.runtime.items();
        let begin = if falls {
            rope![self.at(), " || (", &items, " = ", &names.items, "(", &it.iterable, "));\n"]
        } else {
            Rope::default()
        };
        let body = self.block(&it.body, true);
        rope![
            begin,
            "try {\n",
            label(&it.labels),
            "while (",
            self.at(),
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
}
