//! A fast function beside the async one, which only calls it.
//!
//! Purpose: where some uses of a function see its promise, it has to stay an async function; those
//! that await it at once call a fast function beside it. Input: what the fast function consists of.
//! Output: edits that put both in place of the function.

use oxc_span::{GetSpan, Span};

use crate::convert::{AsyncFunction, Body, Converter};
use crate::params::Params;
use crate::rope::{Rope, rope};
use crate::sites::choose::{Beside, Place};
use crate::sites::{Declarator, Export};
use crate::write::Parts;

impl Converter<'_> {
    /// Puts the fast function beside the async one.
    pub(crate) fn put_beside(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        beside: &Beside,
        params: &Params,
        parts: Parts<'_>,
    ) {
        let function = self.facts.functions[it.index].span;
        if let Place::Block { class, is_static } = beside.place {
            return self.put_stamped(it, beside, params, (parts, class, is_static));
        }
        let mark = self.edits.mark();
        self.put_fast(&AsyncFunction { begins_element: false, ..*it }, params, parts);
        if let Place::Declaration(name) | Place::Private { key: name, .. } = beside.place {
            self.edits.replace(name, Rope::text(&beside.name));
        }
        let span = match beside.place {
            Place::Private { element, .. } => element,
            _ => function,
        };
        let fast = self.edits.render(span);
        self.edits.rollback(mark);
        self.call_fast(it, beside);
        let Place::Declarator(Declarator { span, keyword, export }) = beside.place else {
            return self.edits.replace(span, rope![self.edits.render(span), "\n", fast]);
        };
        let fast = rope![&beside.name, " = ", fast];
        match export {
            // Not to be exported itself, it has a statement of its own.
            Export::First(export) => {
                self.edits.replace(export, rope![keyword, " ", fast, ";\nexport"]);
            }
            _ => self.edits.replace(span, rope![fast, ", ", self.edits.render(span)]),
        }
    }

    /// Puts the fast function of a method into a static block of its class, at whose start all methods
    /// are there, and nothing of the program has run that could have replaced one.
    fn put_stamped(
        &mut self,
        it: &AsyncFunction<'_, '_>,
        beside: &Beside,
        params: &Params,
        (mut parts, class, is_static): (Parts<'_>, u32, bool),
    ) {
        let mark = self.edits.mark();
        let twin = std::mem::take(&mut parts.behind);
        self.put_fast(it, params, parts);
        let fast = rope!["function ", self.edits.render(self.facts.functions[it.index].span)];
        self.edits.rollback(mark);
        self.call_fast(it, beside);
        let method = format!("this{}.{}", if is_static { "" } else { ".prototype" }, beside.method);
        let stamp = self.runtime.stamp(&beside.name);
        let more = rope![twin, stamp, "(", method, ", ", &beside.name, " = ", fast, ");\n"];
        let block = self.blocks.entry(class).or_default();
        block.append(&more);
        let text = rope!["{\nstatic {\n", &*block, "}"];
        self.edits.replace(Span::sized(class, 1), text);
    }

    /// Has the async function call the fast one.
    fn call_fast(&mut self, it: &AsyncFunction<'_, '_>, beside: &Beside) {
        let arguments = self.pass_on(it);
        let function = &self.facts.functions[it.index];
        let (uses, is_arrow, name) = (function.uses, function.is_arrow, &beside.name);
        let call = match beside.place {
            Place::Private { .. } if uses.arguments => {
                rope!["this.", name, "(...arguments)"]
            }
            Place::Private { .. } => rope!["this.", name, "(", arguments, ")"],
            _ if uses.arguments && !is_arrow => rope![name, ".apply(this, arguments)"],
            _ if uses.this && !is_arrow => {
                let rest = if arguments.0.is_empty() { "" } else { ", " };
                rope![name, ".call(this", rest, arguments, ")"]
            }
            _ => rope![name, "(", arguments, ")"],
        };
        let (span, text) = match it.body {
            Body::Statements(body) => {
                (body.span, rope!["{\n", self.directives(body), "return ", call, ";\n}"])
            }
            Body::Expression(body) => (body.span(), call),
        };
        self.edits.replace(span, text);
    }

    /// The parameters as arguments. What defaults and patterns do happens in the fast function; the
    /// list keeps its length.
    fn pass_on(&mut self, it: &AsyncFunction<'_, '_>) -> Rope {
        let mut arguments: Vec<String> = Vec::new();
        for item in &it.params.items {
            let plain = item.pattern.get_binding_identifier();
            if let (Some(id), None) = (plain, &item.initializer) {
                arguments.push(id.name.to_string());
                continue;
            }
            // Nothing else in this function has a name.
            let name = match plain {
                Some(id) => id.name.to_string(),
                None => self.facts.fresh("$p"),
            };
            let slot = crate::params::slot(item, &name, self.edits, self.facts.typescript);
            self.edits.replace(item.span, slot);
            arguments.push(name);
        }
        if let Some(rest) = &it.params.rest {
            let name = match rest.rest.argument.get_binding_identifier() {
                Some(id) => id.name.to_string(),
                None => {
                    let name = self.facts.fresh("$p");
                    let type_ = crate::params::rest_type(rest, self.edits);
                    self.edits.replace(rest.span, rope!["...", &name, type_]);
                    name
                }
            };
            arguments.push(format!("...{name}"));
        }
        Rope::text(arguments.join(", "))
    }
}
