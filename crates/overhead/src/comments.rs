//! Comments, and what must not come between them and what they are about.
//!
//! What reads documentation (TypeScript, TypeDoc) takes a comment for that of a declaration if nothing but space
//! stands between the two, and if it does not stand behind other code in its line.

use oxc_ast::ast;
use oxc_span::{GetSpan, Span};

use crate::patch::Patch;
use crate::rope::Rope;

/// Where to end what stands in front of a class element that loses the word it begins with, as a field may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// It is ended.
    No,
    /// In place of the word.
    InPlace,
    /// In front of this, which goes on to stand there: comments belong to the element.
    Before(Span),
}

/// The comments of a file, in their order.
pub(crate) fn comments(program: &ast::Program<'_>) -> Vec<Span> {
    program.comments.iter().map(|it| it.span).collect()
}

/// Where the comments begin that stand directly in front of a place, but not in front of `top`; the place where there
/// are none.
pub(crate) fn with_comments(text: &str, comments: &[Span], (top, place): (u32, u32)) -> u32 {
    let mut at = place;
    loop {
        let before = text.get(..at as usize).unwrap_or_default().trim_end().len();
        let behind = comments.partition_point(|it| (it.end as usize) < before);
        match comments.get(behind).filter(|it| it.end as usize == before && it.start >= top) {
            Some(it) => at = it.start,
            None => return at,
        }
    }
}

/// How what stands in front of a class element is ended.
pub(crate) fn ending(text: &str, comments: &[Span], element: u32) -> Ending {
    let first = with_comments(text, comments, (0, element));
    let before = text.get(..first as usize).unwrap_or_default().trim_end();
    if before.ends_with([';', '{']) {
        return Ending::No;
    }
    if first == element {
        return Ending::InPlace;
    }
    let next = text.get(before.len()..).and_then(|it| it.chars().next());
    let at = u32::try_from(before.len()).unwrap_or(u32::MAX);
    Ending::Before(Span::sized(at, next.map_or(0, |it| u32::try_from(it.len_utf8()).unwrap_or(0))))
}

/// What says where the source map of a text is, as ECMA-426 has it: in what the text becomes, it is of no use, and
/// leads those astray who believe it.
const MAP: &str = "sourceMappingURL=";

/// A text without the comments that name its source map; `None` where there are none.
pub(crate) fn without_map(program: &ast::Program<'_>, text: &str) -> Option<Rope> {
    let mut patch = Patch::of(text);
    for it in &program.comments {
        let content = it.content_span().source_text(text);
        let named = content.strip_prefix(['#', '@']).map(str::trim_start);
        if named.is_some_and(|it| it.starts_with(MAP)) {
            patch.replace(it.span, "");
        }
    }
    let all = Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX));
    (!patch.is_empty()).then(|| patch.render(all))
}

/// Whether a text may have such comments.
pub(crate) fn may_name_map(text: &str) -> bool {
    text.contains(MAP)
}

/// What has to stand between code that is put at `top` and the comments of the first statement behind it.
pub(crate) fn gap(program: &ast::Program<'_>, text: &str, top: u32) -> &'static str {
    let first = program.body.first().map_or(0, |it| it.span().start);
    let comment = program.comments.iter().map(|it| it.span).find(|it| it.start >= top);
    let Some(comment) = comment.filter(|it| it.end <= first) else { return "" };
    let between = text.get(top as usize..comment.start as usize).unwrap_or_default();
    if between.contains('\n') { "" } else { "\n" }
}
