//! Functions and classes whose text is read: it may run where nothing is that the file has.

use oxc_span::Span;

use super::Sites;
use crate::facts::Facts;

/// Why they stay.
const READ: &str = "its text is read, or its frame is looked for in stacks";

impl Sites {
    /// Leaves all as it is that stands in a function or class whose text is read in the file, or by the rest of its program.
    pub(super) fn leave_texts(&mut self, facts: &Facts) {
        let spans = self.texts(facts);
        if spans.is_empty() {
            return;
        }
        let is_in = |place: u32| {
            let next = spans.partition_point(|it| it.start <= place);
            next > 0 && place < spans[next - 1].end
        };
        for (&index, candidate) in &mut self.candidates {
            if is_in(facts.functions[index].span.start) {
                candidate.off = Some(READ);
            }
        }
        self.at_once.retain(|it| !is_in(*it));
        self.guardable.retain(|it, _| !is_in(*it));
        self.members.values_mut().for_each(|all| all.retain(|it| !is_in(*it)));
    }

    /// Where they stand, none in another.
    fn texts(&self, facts: &Facts) -> Vec<Span> {
        let functions = facts.functions.iter().filter(|it| {
            it.bound.iter().any(|it| self.as_text.contains(it))
                || it.names.iter().any(|it| self.members_as_text.contains(it))
                || facts.known.texts.contains(&it.span.start)
        });
        let classes = self.classes.iter();
        let classes = classes
            .filter(|it| self.as_text.contains(it.0) || facts.known.texts.contains(&it.1.start));
        let mut spans: Vec<Span> =
            functions.map(|it| it.span).chain(classes.map(|it| *it.1)).collect();
        headstart_ir::order::sort_by_key(&mut spans, |it| it.start);
        let mut end = 0;
        spans.retain(|it| {
            let is_outer = it.start >= end;
            end = end.max(it.end);
            is_outer
        });
        spans
    }
}
