//! A fast function beside the async one.
//!
//! Purpose: where some uses of a function see its promise, or call it before they have waited themselves,
//! it has to stay an async function; those that have, and await it at once, call a fast function beside
//! it. Input: what the fast function consists of. Output: edits that put both in place of the function.

use oxc_span::Span;

use crate::comments::{Ending, with_comments};
use crate::convert::{AsyncFunction, Converter};
use crate::params::Params;
use crate::rewrite::Within;
use crate::rope::{Rope, rope};
use crate::sites::forms::{Beside, Place};
use crate::sites::{Declarator, Export, Naming};
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
        self.put_fast(&AsyncFunction { ending: Ending::No, ..*it }, params, parts);
        if let Place::Member { literal } = beside.place {
            return self.put_member(it, beside, literal);
        }
        if matches!(beside.place, Place::Value) {
            return self.put_value(it, beside);
        }
        if let Place::Declaration(name) | Place::Inner(name) | Place::Private { key: name, .. } =
            beside.place
        {
            self.edits.replace(name, Rope::text(&beside.name));
        }
        let span = match beside.place {
            Place::Private { element, .. } => element,
            _ => function,
        };
        let fast = self.edits.render(span);
        self.restart(it);
        if let Place::Inner(_) = beside.place {
            let mark = self.runtime.mark();
            let list = rope![&beside.method, ", ", fast, self.applied(it.index)];
            let text = rope![self.edits.render(span), "\n", mark, "(", list, ");"];
            return self.edits.replace(span, text);
        }
        if beside.is_held {
            let stamp = self.runtime.stamp_function();
            let applied = self.applied(it.index);
            let list = rope![&beside.method, ", ", &beside.name, applied];
            self.lifted.push(rope![";", stamp, "(", list, ");\n"]);
        }
        let Place::Declarator(Declarator { span, keyword, export }) = beside.place else {
            return self.edits.replace(span, rope![self.edits.render(span), "\n", fast]);
        };
        let fast = rope![&beside.name, " = ", fast];
        match export {
            // Not to be exported itself, it has a statement of its own.
            Export::First(export) => {
                let places = (self.top, export.start);
                let first = with_comments(self.source, &self.comments, places);
                let at = if first < export.start { Span::sized(first, 2) } else { export };
                let next = at.source_text(self.source);
                self.edits.replace(at, rope![keyword, " ", fast, ";\n", next]);
            }
            _ => self.edits.replace(span, rope![fast, ", ", self.edits.render(span)]),
        }
    }

    /// Has an expression make both, and the async function hold the fast one. It keeps the name that it got from where
    /// it stood.
    fn put_value(&mut self, it: &AsyncFunction<'_, '_>, beside: &Beside) {
        let span = self.facts.functions[it.index].span;
        let fast = self.edits.render(span);
        self.restart(it);
        let plain = self.edits.render(span);
        let plain = named(plain, &beside.method);
        self.facts.marked.insert(span.start, (plain.clone(), fast.clone()));
        let mark = self.runtime.mark();
        let text = rope![mark, "(", plain, ", ", fast, self.applied(it.index), ")"];
        let text = if self.facts.keeps_types { self.typed(span, &text) } else { text };
        self.edits.replace(span, text);
    }

    /// Has the object of a literal that is being made hold the fast function of a method.
    fn put_member(&mut self, it: &AsyncFunction<'_, '_>, beside: &Beside, literal: u32) {
        let fast = rope!["function ", self.edits.render(self.facts.functions[it.index].span)];
        self.restart(it);
        let name = &beside.method;
        let members = self.members.entry(literal).or_default();
        members.append(&rope![", \"", name, "\", ", named(fast, name)]);
    }

    /// Has an object hold the fast functions of its methods; `span`: the literal that makes it.
    pub(crate) fn close_literal(&mut self, span: Span) {
        let Some(list) = self.members.remove(&span.start) else { return };
        let members = self.runtime.members();
        self.edits.replace(Span::sized(span.start, 1), rope![members, "({"]);
        self.edits.replace(Span::new(span.end - 1, span.end), rope!["}", list, ")"]);
        // A call would hide what stands around it from it, and have types go in circles that follow from its own.
        if self.facts.keeps_types {
            let text = self.edits.render(span);
            let text = self.typed(span, &text);
            self.edits.replace(span, text);
        }
    }

    /// What is said of a fast function that is to be called on an object.
    fn applied(&self, function: usize) -> &'static str {
        let it = &self.facts.functions[function];
        if it.uses.this && !it.is_arrow { ", true" } else { "" }
    }

    /// A text of the type that what stands in a place had, which is written there once more, and never evaluated.
    pub(crate) fn typed(&mut self, span: Span, text: &Rope) -> Rope {
        let never = self.runtime.never();
        let was = span.source_text(self.source);
        rope!["(", never, " ? ", was, " : ", text, " as never)"]
    }

    /// Makes the edits of the async function that it was, and stays.
    fn restart(&mut self, it: &AsyncFunction<'_, '_>) {
        self.edits.rollback(self.begins);
        // They were shared for the fast function, so nothing is in the way.
        let _ = self.share_templates(it.index);
        if self.within == Within::All {
            self.edit_awaits(it, 0);
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
        let twin = std::mem::take(&mut parts.behind);
        self.put_fast(it, params, parts);
        let fast = rope!["function ", self.edits.render(self.facts.functions[it.index].span)];
        // Stack traces show it by the name of the method. (Where that is defined as a property, programs take twice as long: V8 no
        // longer takes the function for constant.)
        let fast = named(fast, &beside.method);
        self.restart(it);
        let home = if is_static { "this" } else { "this.prototype" };
        let install = self.runtime.install(&beside.name);
        let key = self.facts.member_keys.get(&beside.method).cloned().unwrap_or_default();
        let method = format!("{home}.{}", beside.method);
        let more = rope![
            twin,
            install,
            "(",
            home,
            ", ",
            key,
            ", ",
            method,
            ", ",
            &beside.name,
            " = ",
            fast,
            ");\n"
        ];
        let block = self.blocks.entry(class).or_default();
        block.append(&more);
        let text = rope!["{\nstatic {\n", &*block, "}"];
        self.edits.replace(Span::sized(class, 1), text);
    }
}

/// A function that is called `name`, if that can be said by where it stands.
fn named(function: Rope, name: &str) -> Rope {
    match Naming::after(name) {
        Naming::Name(name) if !name.is_empty() => {
            rope!["({ ", &name, ": ", function, " }).", &name]
        }
        _ => function,
    }
}
