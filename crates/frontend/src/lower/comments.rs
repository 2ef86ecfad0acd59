//! What comments say to tools, to Headstart, and to whoever would start things together.

use headstart_ir::PinnedComment;
use oxc_ast::ast;

use super::{Lowerer, convert};

/// Words by which people say that things happen one after the other because they have to.
const IN_ORDER: [&str; 9] = [
    "in sequence",
    "in series",
    "not in parallel",
    "one after the other",
    "one at a time",
    "one by one",
    "order matters",
    "sequential",
    "serially",
];

/// How people speak of a limit that somebody else sets.
const LIMITS: [&str; 2] = ["rate limit", "rate-limit"];

/// Words by which they say that they keep to it, and not only that something is about limits.
const KEPT: [&str; 14] = [
    "against", "avoid", "because", "due to", "exceed", "hammer", "hit", "limited", "prevent",
    "respect", "risk", "stay", "throttl", "trip",
];

/// Words by which they say that this is to change.
const TO_CHANGE: [&str; 4] = ["fixme", "instead of", "refactor", "todo"];

impl<'a> Lowerer<'a> {
    pub(super) fn comments(&mut self, program: &ast::Program<'a>) {
        for comment in &program.comments {
            let span = convert(comment.span);
            self.ir.comments.push(span);
            let body = span.text(self.source).trim_start_matches(['/', '*', ' ', '\t']);
            if !comment.is_jsdoc() && is_in_order(body) {
                self.ir.in_order.push(comment.attached_to);
            }
            if body.starts_with("headstart-ignore") {
                self.ir.ignores.push(comment.attached_to);
            } else if is_directive(body) {
                let attached_to = comment.attached_to;
                let before = self.source.get(..span.start as usize).unwrap_or_default();
                let line = before.rsplit('\n').next().unwrap_or_default();
                let code = line.trim_end();
                let gap = if code.is_empty() { 0 } else { line.len() - code.len() };
                let follows = span.start - u32::try_from(gap).unwrap_or(0);
                self.ir.pinned_comments.push(PinnedComment { span, attached_to, follows });
            }
        }
    }
}

/// Whether a comment says that what stands behind it waits on purpose.
fn is_in_order(body: &str) -> bool {
    let body = body.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|it| body.contains(it));
    (says(&IN_ORDER) || says(&LIMITS) && says(&KEPT)) && !says(&TO_CHANGE)
}

/// Whether a comment (its text without what opens it) tells a tool something about the code it
/// stands at.
fn is_directive(body: &str) -> bool {
    const DIRECTIVES: [&str; 22] = [
        "@ts-",
        "eslint-disable",
        "eslint-enable",
        "prettier-ignore",
        "istanbul ignore",
        "v8 ignore",
        "c8 ignore",
        "node:coverage",
        "biome-ignore",
        "oxlint-disable",
        "oxlint-enable",
        "tslint:",
        "deno-lint-ignore",
        "dprint-ignore",
        "@vite-ignore",
        "$FlowFixMe",
        "$FlowIgnore",
        "NOSONAR",
        "noinspection",
        "nosemgrep",
        "#region",
        "#endregion",
    ];
    let is_magic = body
        .strip_prefix("webpack")
        .is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_uppercase()));
    is_magic
        || DIRECTIVES.iter().any(|directive| body.starts_with(directive))
        || ["@type ", "@type{", "@satisfies"].iter().any(|tag| body.contains(tag))
}

#[cfg(test)]
mod tests {
    use super::is_in_order;

    #[test]
    fn comments_that_ask_for_an_order() {
        for text in [
            "Sequential on purpose: hammering the API only risks rate limits",
            "one at a time, the pool has one connection",
            "do not run these in series",
            "stay under the rate limit",
            "GitHub is rate-limited",
        ] {
            assert!(is_in_order(text), "{text}");
        }
        for text in [
            "TODO: do not do this sequentially",
            "sorted in order",
            "instead of one by one",
            "the configuration of rate limits",
        ] {
            assert!(!is_in_order(text), "{text}");
        }
    }
}
