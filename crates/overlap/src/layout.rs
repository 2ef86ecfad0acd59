//! Widths and indentation.

use headstart_ir::Span;

/// The longest line that is written; longer ones are broken.
pub(crate) const LINE_WIDTH: usize = 80;

/// Columns that a tab takes when widths are measured.
const TAB_WIDTH: usize = 2;

/// The columns of a text on one line, about: characters, with tabs expanded.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(|it| if it == '\t' { TAB_WIDTH } else { 1 }).sum()
}

/// The text of `span`, each further line with `unit` before it. Lines that start inside one of
/// `strings` (in order) are part of a string and stay as they are.
pub(crate) fn indent_further_lines(
    source: &str,
    span: Span,
    unit: &str,
    strings: &[Span],
) -> String {
    let text = span.text(source);
    let mut result = String::with_capacity(text.len() + 16);
    let mut from = 0;
    for start in line_starts(source, span, strings) {
        let at = (start - span.start) as usize;
        result.push_str(&text[from..at]);
        result.push_str(unit);
        from = at;
    }
    result.push_str(&text[from..]);
    result
}

/// Where the further lines of `span` start, but for those that are empty, or part of a string.
pub(crate) fn line_starts(source: &str, span: Span, strings: &[Span]) -> Vec<u32> {
    let mut starts = Vec::new();
    let mut offset = span.start;
    for line in span.text(source).split_inclusive('\n') {
        // A line that starts with `${` starts where a token of the template ends.
        if offset > span.start && !starts_inside(strings, offset) && !line.trim().is_empty() {
            starts.push(offset);
        }
        offset += u32::try_from(line.len()).unwrap_or(0);
    }
    starts
}

/// One level of indentation, told from how much deeper than the line before it an indented line
/// most often is. Lines that start inside strings or comments (each in order) do not count.
pub(crate) fn indent_unit(text: &str, strings: &[Span], comments: &[Span]) -> String {
    let mut spaces = [0usize; 9];
    let mut tabs = 0usize;
    let mut before = 0usize;
    let mut offset = 0u32;
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += u32::try_from(line.len()).unwrap_or(0);
        let body = line.trim_start_matches([' ', '\t']);
        let is_code = !starts_inside(strings, start) && !starts_inside(comments, start);
        if body.trim_end().is_empty() || !is_code {
            continue;
        }
        let indent = &line[..line.len() - body.len()];
        tabs += usize::from(indent.starts_with('\t'));
        let here = indent.len();
        if let Some(count) = here.checked_sub(before).and_then(|by| spaces.get_mut(by)) {
            *count += 1;
        }
        before = here;
    }
    let deeper = (2..spaces.len()).max_by_key(|&by| (spaces[by], std::cmp::Reverse(by)));
    match deeper.filter(|&by| spaces[by] > 0) {
        _ if tabs > 0 && spaces[2..].iter().all(|&count| count < tabs) => "\t".to_owned(),
        Some(by) => " ".repeat(by),
        None => "  ".to_owned(),
    }
}

/// Whether `offset` lies behind the start of one of `spans` (in order) and not behind its end.
fn starts_inside(spans: &[Span], offset: u32) -> bool {
    spans
        .partition_point(|span| span.start < offset)
        .checked_sub(1)
        .and_then(|index| spans.get(index))
        .is_some_and(|span| offset <= span.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_what_the_file_uses() {
        let unit = |text| indent_unit(text, &[], &[]);
        assert_eq!(unit("a\n  b\n    c\nd\n  e"), "  ");
        assert_eq!(unit("a\n\tb\n\t\tc\n"), "\t");
        assert_eq!(unit("a\nb\n"), "  ");
        let licence = "/*\n   licence\n   text\n */\na {\n    b\n}\n";
        assert_eq!(indent_unit(licence, &[], &[Span::new(0, 26)]), "    ");
    }

    #[test]
    fn lines_of_strings_stay() {
        let source = "f(\n  `x\n  y`,\n  z)";
        let all = Span::new(0, u32::try_from(source.len()).unwrap_or(0));
        let strings = [Span::new(5, 11)];
        assert_eq!(indent_further_lines(source, all, "  ", &strings), "f(\n    `x\n  y`,\n    z)");
    }
}
