//! What a function compiles to, beside what it is.

use std::fmt::Write as _;

use headstart_edit::SourceText;
use headstart_overhead::{Outcome, Shown};

use super::Style;

/// Narrower terminals get one below the other.
const NARROWEST: usize = 90;
/// What stands between the columns.
const BETWEEN: &str = " │ ";

/// A function and what `optimize` makes of it.
pub(crate) fn compiled(shown: &Shown, source: &SourceText, name: &str, style: Style) -> String {
    let own = &shown.report.name;
    let own = if own.is_empty() { "this function" } else { own };
    let line = source.line_of(shown.source.start);
    let mut text = format!("optimize: {}\n  {name}:{line}\n\n", title(own, shown));
    if shown.compiled.is_empty() {
        return text;
    }
    let range = shown.source.start as usize..shown.source.end as usize;
    let before = indented(source.text().get(range).unwrap_or_default());
    let after = indented(&shown.compiled.join("\n\n"));
    if style.width < NARROWEST {
        let _ = writeln!(text, "{}\n\nbecomes\n\n{}", before.join("\n"), after.join("\n"));
    } else {
        text.push_str(&beside(&before, &after, style.width));
    }
    text.push_str(&legend(&shown.compiled));
    text
}

fn title(own: &str, shown: &Shown) -> String {
    match &shown.report.outcome {
        Outcome::Converted { .. } => {
            format!("`{own}` runs like any other function until it really has to wait")
        }
        Outcome::Unwrapped => format!("`{own}` gives back the promise of what it calls"),
        Outcome::Restored { helper, .. } => format!("`{own}` was restored from `{helper}`"),
        Outcome::Kept { reason } => format!("`{own}` stays as it is: {reason}"),
    }
}

/// What generated names mean, as far as there are any.
fn legend(compiled: &[String]) -> String {
    let has = |name: &str| compiled.iter().any(|it| it.contains(name));
    let known = [
        ("$rest", "`…$rest` goes on from place `$at` with `$value`, and really waits"),
        ("$reject(", "`$reject(error)`: a promise that is rejected, as an async function gives"),
        ("$fuel", "`$fuel`: after so many awaits that waited for nothing, one yields"),
        ("$depth", "`$depth`: how deep functions that call themselves may still go"),
    ];
    let lines = known.iter().filter(|(name, _)| has(name)).map(|(_, line)| format!("  {line}\n"));
    let lines: String = lines.collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// Two columns.
fn beside(left: &[String], right: &[String], width: usize) -> String {
    let longest = left.iter().map(|it| it.chars().count()).max().unwrap_or(0);
    let room = width - BETWEEN.chars().count();
    let column = longest.min(room / 2);
    let wrap = |lines: &[String], width: usize| -> Vec<String> {
        lines.iter().flat_map(|line| wrapped(line, width)).collect()
    };
    let (left, right) = (wrap(left, column), wrap(right, room - column));
    let mut text = String::new();
    for row in 0..left.len().max(right.len()) {
        let cell = |of: &[String]| of.get(row).cloned().unwrap_or_default();
        let line = format!("{:column$}{BETWEEN}{}", cell(&left), cell(&right));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// A line in pieces that fit; what follows the first is two deeper.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let indent = line.len() - line.trim_start().len();
    let mut lines = Vec::new();
    let mut rest: Vec<char> = line.chars().collect();
    while rest.len() > width {
        // At a space, where there is one behind the indentation.
        let upto = rest[..=width].iter().rposition(|it| *it == ' ');
        let at = upto.filter(|&it| it > indent + 2).unwrap_or(width);
        let next: Vec<char> = rest.split_off(at);
        lines.push(rest.into_iter().collect());
        let deeper = " ".repeat((indent + 2).min(width / 2));
        rest = deeper.chars().chain(next.into_iter().skip_while(|it| *it == ' ')).collect();
    }
    lines.push(rest.into_iter().collect());
    lines
}

/// Lines indented by the brackets that are open: generated code comes without indentation.
fn indented(text: &str) -> Vec<String> {
    let mut depth = Depth::default();
    text.lines()
        .map(|line| {
            if depth.in_template {
                depth.pass(line);
                return line.to_owned();
            }
            let line = line.trim();
            let closing = line.chars().take_while(|it| ")]}".contains(*it)).count();
            let indent = depth.open.saturating_sub(closing);
            depth.pass(line);
            if line.is_empty() { String::new() } else { format!("{}{line}", "  ".repeat(indent)) }
        })
        .collect()
}

/// How many brackets are open, strings and comments left out.
#[derive(Default)]
struct Depth {
    open: usize,
    in_template: bool,
}

impl Depth {
    fn pass(&mut self, line: &str) {
        let mut quote = self.in_template.then_some('`');
        let mut before = ' ';
        for it in line.chars() {
            match (quote, it) {
                (_, _) if before == '\\' => {
                    before = ' ';
                    continue;
                }
                (Some(open), it) if it == open => quote = None,
                (Some(_), _) => {}
                (None, '/') if before == '/' => break,
                (None, '"' | '\'' | '`') => quote = Some(it),
                (None, '(' | '[' | '{') => self.open += 1,
                (None, ')' | ']' | '}') => self.open = self.open.saturating_sub(1),
                _ => {}
            }
            before = it;
        }
        self.in_template = quote == Some('`');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_indented_by_their_brackets() {
        let text = "function f() {\nif (a(\"{\")) {\nb();\n} else {\nc(`\n  {`);\n}\n}";
        let expected = [
            "function f() {",
            "  if (a(\"{\")) {",
            "    b();",
            "  } else {",
            "    c(`",
            "  {`);",
            "  }",
            "}",
        ];
        assert_eq!(indented(text), expected);
    }

    #[test]
    fn long_lines_are_wrapped_at_spaces() {
        assert_eq!(wrapped("  one two three", 9), ["  one two", "    three"]);
        assert_eq!(wrapped("abcdef", 4), ["abcd", "  ef"]);
    }

    #[test]
    fn columns_stand_side_by_side() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(beside(&lines("a\nbb"), &lines("c"), 40), "a  │ c\nbb │\n");
    }
}
