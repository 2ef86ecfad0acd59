//! `--format github`: workflow commands that GitHub shows as annotations in a diff.

use std::fmt::Write as _;

use crate::report::CheckReport;

/// One `::warning` or `::notice` line a finding.
pub(crate) fn check(report: &CheckReport) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        let command = if finding.level == "safe" { "warning" } else { "notice" };
        let mut message = finding.message.clone();
        for assumption in &finding.assumptions {
            let _ = write!(message, "\nassumes: {assumption}");
        }
        for blocker in &finding.blockers {
            let _ = write!(message, "\nblocked: {}", blocker.reason);
        }
        let (start, end) = (finding.range.start, finding.range.end);
        let _ = writeln!(
            text,
            "::{command} file={},line={},endLine={},col={},title={}::{}",
            property(&finding.file),
            start.line,
            end.line,
            start.column,
            property(&format!("headstart {} ({})", finding.rule, finding.level)),
            data(&message)
        );
    }
    text
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_command_is_escaped() {
        assert_eq!(data("50%\nx"), "50%25%0Ax");
        assert_eq!(property("a,b:c"), "a%2Cb%3Ac");
    }
}
