//! Tagged templates of functions that are written twice.
//!
//! A tag gets the same object for the strings of a template each time, by the place where the template stands
//! (ECMA-262, 13.2.8.4 GetTemplateObject), and caches go by it. In a fast function and its twin it stands in
//! two places. So one function at the end of the file has it instead, and the tag is called:
//!
//! ```js
//! sql`select ${id}`
//! // becomes
//! sql($strings(), (id))
//! function $strings() { return $own`select ${0}`; }
//! ```

use headstart_ir::order;
use oxc_span::Span;

use crate::convert::Converter;
use crate::lower::{Lowered, Unsupported};
use crate::rope::{Rope, rope};

/// A tagged template.
#[derive(Debug)]
pub(crate) struct Template {
    /// From the backtick at its start to that at its end.
    pub(crate) quasi: Span,
    /// What is put in.
    pub(crate) expressions: Vec<Span>,
    /// What it gives is called by `new`.
    pub(crate) by_new: bool,
    /// The function that has its strings, once there is one.
    pub(crate) name: Option<String>,
}

impl Template {
    /// The stretches of text around what is put in.
    fn strings(&self) -> impl Iterator<Item = Span> {
        let starts =
            std::iter::once(self.quasi.start).chain(self.expressions.iter().map(|it| it.end));
        let ends = self.expressions.iter().map(|it| it.start).chain([self.quasi.end]);
        starts.zip(ends).map(|(start, end)| Span::new(start, end))
    }

    /// The function that has its strings.
    fn function(&self, name: &str, own: &str) -> Rope {
        let mut text = rope!["function ", name, "() { return ", own];
        for (index, part) in self.strings().enumerate() {
            text.push(if index > 0 { "0" } else { "" });
            text.append(&Rope::part(part));
        }
        text.push("; }\n");
        text
    }
}

impl Converter<'_> {
    /// Has the tagged templates of a function get their strings from one place.
    pub(crate) fn share_templates(&mut self, function: usize) -> Lowered {
        let span = self.facts.functions[function].span;
        let from = self.facts.templates.partition_point(|it| it.quasi.start < span.start);
        let to = self.facts.templates.partition_point(|it| it.quasi.start < span.end);
        for index in from..to {
            if self.facts.templates[index].by_new {
                return Err(Unsupported("`new` of what a tagged template gives"));
            }
            let name = match &self.facts.templates[index].name {
                Some(name) => name.clone(),
                None => self.facts.fresh_global("$strings"),
            };
            let template = &mut self.facts.templates[index];
            let last = template.expressions.len();
            for (at, part) in template.strings().enumerate() {
                let before = if at == 0 { rope!["(", &name, "()"] } else { rope![")"] };
                self.edits.replace(part, rope![before, if at == last { ")" } else { ", (" }]);
            }
            template.name = Some(name);
            self.templates.push(index);
        }
        Ok(())
    }

    /// Puts the functions that have the strings at the end of the file.
    pub(crate) fn put_templates(&mut self) {
        order::sort(&mut self.templates);
        self.templates.dedup();
        for &index in &self.templates {
            let template = &self.facts.templates[index];
            if let Some(name) = &template.name {
                self.lifted.push(template.function(name, &self.runtime.own()));
            }
        }
    }
}
