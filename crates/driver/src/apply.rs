//! Applying findings to a text.

use headstart_edit::{Edit, EditSet};
use headstart_frontend::{check_early_errors, check_syntax};
use headstart_ir::order::{sort, sort_by_key};
use headstart_overlap::{Finding, Level};

use crate::analyse::{FileFindings, Located};

/// The edits of the findings up to a level, and which of them they are.
pub(crate) fn apply(
    text: &str,
    findings: &[(&Finding, &[Edit])],
    level: Level,
) -> (EditSet, Vec<usize>) {
    let mut order = in_order(findings, level);
    let mut edits = EditSet::new(text);
    order.retain(|&it| edits.push_group(findings[it].1.to_vec()).is_ok());
    sort(&mut order);
    (edits, order)
}

/// The findings up to a level in the order in which they are applied. What rests on assumptions and
/// takes in what is safe comes first: it does more.
fn in_order(findings: &[(&Finding, &[Edit])], level: Level) -> Vec<usize> {
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.retain(|&it| findings[it].0.level <= level && !findings[it].1.is_empty());
    sort_by_key(&mut order, |&it| std::cmp::Reverse(findings[it].0.level));
    order
}

/// A text with findings applied.
pub(crate) struct Applied {
    pub(crate) text: String,
    /// The findings that are, by their numbers.
    pub(crate) applied: Vec<usize>,
    /// Those that are left out since the text would not parse with them, and the error.
    pub(crate) left_out: Vec<(usize, String)>,
}

/// Applies the findings up to a level, but for those with which the text would not parse any more.
fn apply_what_parses(
    text: &str,
    findings: &[(&Finding, &[Edit])],
    level: Level,
    parses: &dyn Fn(&str) -> Result<(), String>,
) -> Applied {
    let (edits, applied) = apply(text, findings, level);
    let all = edits.apply(text);
    if applied.is_empty() || parses(&all).is_ok() {
        return Applied { text: all, applied, left_out: Vec::new() };
    }
    let mut done = Applied { text: text.to_owned(), applied: Vec::new(), left_out: Vec::new() };
    let mut edits = EditSet::new(text);
    for index in in_order(findings, level) {
        let mut with = edits.clone();
        if with.push_group(findings[index].1.to_vec()).is_err() {
            continue;
        }
        let one_more = with.apply(text);
        match parses(&one_more) {
            Ok(()) => {
                (edits, done.text) = (with, one_more);
                done.applied.push(index);
            }
            Err(error) => done.left_out.push((index, error)),
        }
    }
    sort(&mut done.applied);
    done
}

impl FileFindings {
    /// The text with the given findings of the file applied, up to a level, but for those with which it
    /// would not parse any more; their numbers are places in the list that is given.
    pub(crate) fn apply(&self, findings: &[&Located], level: Level) -> Applied {
        let text = self.source.text();
        let all: Vec<(&Finding, &[Edit])> =
            findings.iter().map(|it| (&it.finding, it.edits.as_slice())).collect();
        // A text with early errors of its own is only held to parse.
        let check = match check_early_errors(&self.path, text) {
            Ok(()) => check_early_errors,
            Err(_) => check_syntax,
        };
        let parses = |text: &str| check(&self.path, text).map_err(|it| it.message);
        apply_what_parses(text, &all, level, &parses)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use headstart_ir::Span;

    use super::*;

    fn finding() -> Finding {
        Finding {
            rule: "test",
            level: Level::Safe,
            range: Span::new(0, 0),
            message: String::new(),
            overlaps: Vec::new(),
            crosses: Vec::new(),
            assumptions: Vec::new(),
            blockers: Vec::new(),
            gain: 0,
            plan: None,
        }
    }

    #[test]
    fn only_the_finding_with_which_the_text_does_not_parse_is_left_out() {
        let edit =
            |at: u32, text: &str| vec![Edit { start: at, end: at + 1, text: text.to_owned() }];
        let (first, wrong, last) = (edit(0, "x"), edit(2, "const"), edit(4, "z"));
        let finding = finding();
        let all = [
            (&finding, first.as_slice()),
            (&finding, wrong.as_slice()),
            (&finding, last.as_slice()),
        ];
        let parses = |text: &str| check_syntax(Path::new("a.js"), text).map_err(|it| it.message);
        let done = apply_what_parses("a;b;c", &all, Level::Safe, &parses);
        assert_eq!(done.text, "x;b;z");
        assert_eq!(done.applied, [0, 2]);
        assert_eq!(done.left_out.iter().map(|it| it.0).collect::<Vec<_>>(), [1]);
    }
}
