//! `fix` of one text in memory, as a program of its own: for tests that make programs.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use headstart_edit::{Edit, EditSet, SourceText};
use headstart_effects::{FileAnalysis, understand};
use headstart_frontend::{content_hash, parse_to_ir, without_bom};
use headstart_models::Models;
use headstart_overlap::{Errors, Finding, Level, find};

use crate::analyse::write_out;

/// What became of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fixed {
    /// It does not parse.
    NoProgram,
    /// There is nothing to do.
    Unchanged,
    /// The text with all that was found applied.
    Changed(String),
}

/// Applies to a text everything that is found up to a level.
///
/// # Errors
/// Text that is no UTF-8, and models that lack a type of the language.
pub fn fix_text(path: &Path, text: &str, models: &Models, level: Level) -> Result<Fixed, String> {
    let hash = content_hash(text.as_bytes());
    let Ok(ir) = parse_to_ir(path, without_bom(text), hash) else { return Ok(Fixed::NoProgram) };
    let source = SourceText::from_bytes(text.as_bytes().to_vec()).map_err(|it| it.to_string())?;
    let files = [&ir];
    let never = AtomicBool::new(false);
    let (facts, summaries) = understand(&files, models, &never)?;
    let analysis = FileAnalysis::new(0, &ir, models, &facts).with_summaries(&summaries);
    let findings = find(&analysis, &summaries, Errors::One);
    let edits = write_out(&ir, &source, &findings)?;
    let all: Vec<(&Finding, &[Edit])> =
        findings.iter().zip(&edits).map(|(it, edits)| (it, edits.as_slice())).collect();
    let (edits, applied) = apply(source.text(), &all, level);
    if applied.is_empty() {
        return Ok(Fixed::Unchanged);
    }
    let bytes = source.to_bytes(&edits.apply(source.text()));
    String::from_utf8(bytes).map(Fixed::Changed).map_err(|it| it.to_string())
}

/// The edits of the findings up to a level, and which of them they are.
pub(crate) fn apply(
    text: &str,
    findings: &[(&Finding, &[Edit])],
    level: Level,
) -> (EditSet, Vec<usize>) {
    let mut order = in_order(findings, level);
    let mut edits = EditSet::new(text);
    order.retain(|&it| edits.push_group(findings[it].1.to_vec()).is_ok());
    order.sort_unstable();
    (edits, order)
}

/// The findings up to a level in the order in which they are applied. What rests on assumptions and
/// takes in what is safe comes first: it does more.
fn in_order(findings: &[(&Finding, &[Edit])], level: Level) -> Vec<usize> {
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.retain(|&it| findings[it].0.level <= level && !findings[it].1.is_empty());
    order.sort_by_key(|&it| std::cmp::Reverse(findings[it].0.level));
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
pub(crate) fn apply_what_parses(
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
    done.applied.sort_unstable();
    done
}

#[cfg(test)]
mod tests {
    use headstart_frontend::check_syntax;
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
