//! What a rewrite changes, as lines that go and lines that come.

use headstart_edit::{Edit, EditSet, LineChange, SourceText, diff_lines};

use super::Style;

/// How many lines that stay are shown around those that change.
const CONTEXT_LINES: usize = 1;

const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const PLAIN: &str = "\u{1b}[0m";

/// The difference that the edits of a finding make, all of them; empty where there are none.
pub(crate) fn diff(edits: &[Edit], source: &SourceText, style: Style) -> String {
    let (Some(start), Some(end)) =
        (edits.iter().map(|it| it.start).min(), edits.iter().map(|it| it.end).max())
    else {
        return String::new();
    };
    // Only the lines around the edits: a file may be long and have many findings.
    let above = u32::try_from(CONTEXT_LINES).unwrap_or(0);
    let first = source.line_of(start).saturating_sub(above).max(1);
    let last = source.line_of(end).saturating_add(above).min(source.line_count());
    let (from, to) = (source.line_start(first), source.line_start(last + 1));
    let Some(old) = source.text().get(from as usize..to as usize) else { return String::new() };
    let mut within = EditSet::new(old);
    let moved = edits.iter().map(|it| Edit {
        start: it.start - from,
        end: it.end - from,
        text: it.text.clone(),
    });
    if within.push_group(moved.collect()).is_err() {
        return String::new();
    }
    lines(old, &within.apply(old), first as usize, style)
}

fn lines(old: &str, new: &str, first: usize, style: Style) -> String {
    let changes = diff_lines(old, new, CONTEXT_LINES);
    let widest = changes.iter().map(|it| first + it.number).max().unwrap_or(first);
    let width = widest.to_string().len();
    let mut text = String::new();
    for line in changes {
        let (sign, color) = match line.change {
            LineChange::Gap => {
                text.push_str(&format!("{:>width$} …\n", ""));
                continue;
            }
            LineChange::Kept => (' ', ""),
            LineChange::Removed => ('-', RED),
            LineChange::Added => ('+', GREEN),
        };
        let number = first + line.number;
        let shown = format!("{number:>width$} {sign} {}", line.text);
        let shown = shown.trim_end();
        match style.color && !color.is_empty() {
            true => text.push_str(&format!("{color}{shown}{PLAIN}\n")),
            false => text.push_str(&format!("{shown}\n")),
        }
    }
    text
}
