//! A fast function beside the async one.
//!
//! Purpose: where some uses of a function see its promise, or call it before they have waited themselves,
//! it has to stay an async function; those that have, and await it at once, call a fast function beside
//! it. Input: what the fast function consists of. Output: edits that put both in place of the function.

use oxc_ast::ast::FormalParameter;
use oxc_span::{GetSpan, Span};

use crate::comments::{Ending, with_comments};
use crate::convert::{AsyncFunction, Body, Converter};
use crate::facts::Call;
use crate::params::Params;
use crate::rope::{Rope, rope};
use crate::sites::choose::{Beside, Place};
use crate::sites::{Declarator, Export};
use crate::write::Parts;
use crate::{Ticks, Within};

/// A body below this length, in bytes, is not replaced by a call.
const SHORT_BODY: u32 = 48;

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
        if matches!(beside.place, Place::Value) {
            return self.put_value(it, beside);
        }
        if let Place::Declaration(name) | Place::Private { key: name, .. } = beside.place {
            self.edits.replace(name, Rope::text(&beside.name));
        }
        let span = match beside.place {
            Place::Private { element, .. } => element,
            _ => function,
        };
        let fast = self.edits.render(span);
        self.restart(it);
        if matches!(beside.place, Place::Declaration(_) | Place::Declarator(_)) {
            self.hand_on(it, &beside.name);
        }
        if beside.is_held {
            let stamp = self.runtime.stamp_function();
            self.lifted.push(rope![";", stamp, "(", &beside.method, ", ", &beside.name, ");\n"]);
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
        let plain = if beside.method.is_empty() {
            plain
        } else {
            rope!["({ ", &beside.method, ": ", plain, " }).", &beside.method]
        };
        let mark = self.runtime.mark();
        self.edits.replace(span, rope![mark, "(", plain, ", ", fast, ")"]);
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

    /// Has the async function do no more than call the fast one, which is shorter, where that does the same: it awaits
    /// nothing, and calls no fast function, so that it does not matter whether its caller has waited.
    fn hand_on(&mut self, it: &AsyncFunction<'_, '_>, fast: &str) {
        let facts = &*self.facts;
        let function = &facts.functions[it.index];
        let uses = function.uses;
        let is_fast =
            |it: &Call| facts.fast_calls.contains(&it.at) || facts.guarded.contains_key(&it.at);
        let waits = !function.awaits.is_empty() || !function.implicit_awaits.is_empty();
        let is_simple = |it: &FormalParameter<'_>| {
            it.pattern.is_binding_identifier() && it.initializer.is_none()
        };
        let (span, has_directives) = match it.body {
            Body::Statements(body) => (body.span, !body.directives.is_empty()),
            Body::Expression(it) => (it.span(), false),
        };
        if waits
            || function.calls.iter().any(is_fast)
            || uses.super_
            || uses.arguments
            || uses.new_target
            || it.params.rest.is_some()
            || !it.params.items.iter().all(is_simple)
            || has_directives
            || span.size() < SHORT_BODY
            || facts.keeps_types
            || self.options.keep_frames
            || self.options.ticks != Ticks::Relaxed
            || self.within != Within::All
        {
            return;
        }
        let mut list: Vec<&str> = if uses.this { vec!["this"] } else { Vec::new() };
        let names = it.params.items.iter().filter_map(|it| it.pattern.get_identifier_name());
        list.extend(names.map(|it| it.as_str()));
        let call = if uses.this { ".call(" } else { "(" };
        let call = format!("{fast}{call}{})", list.join(", "));
        let text = match it.body {
            Body::Statements(_) => format!("{{ return {call}; }}"),
            Body::Expression(_) => call,
        };
        self.edits.replace(span, Rope::text(text));
    }

    /// Whether a method is of a class at the top of the file, which is made once.
    fn is_of_top_class(&self, it: &AsyncFunction<'_, '_>) -> bool {
        let class = it.scope.and_then(|it| self.scoping.scope_parent_id(it));
        let around = class.and_then(|it| self.scoping.scope_parent_id(it));
        around == Some(self.scoping.root_scope_id())
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
        self.restart(it);
        if self.is_of_top_class(it) {
            self.hand_on(it, &beside.name);
        }
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
