//! Command lines that are known to only read: `models/commands.json`.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

/// What is known of a program's command lines.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Program {
    #[serde(rename = "documentation")]
    _documentation: String,
    /// Arguments that begin like this only read.
    #[serde(default)]
    reads_only: Vec<Vec<String>>,
    /// Exactly these arguments only read; `*` is one that is no option.
    #[serde(default)]
    reads_only_alone: Vec<Vec<String>>,
    /// Options with which it may write after all.
    #[serde(default)]
    unless: Vec<String>,
}

fn programs() -> &'static FxHashMap<String, Program> {
    static PROGRAMS: OnceLock<FxHashMap<String, Program>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        serde_json::from_str(include_str!("../../../models/commands.json")).unwrap_or_default()
    })
}

/// Whether a program with these arguments only reads.
#[must_use]
pub fn command_only_reads(program: &str, arguments: &[&str]) -> bool {
    let Some(program) = programs().get(program) else { return false };
    let forbidden = |argument: &&str| {
        program.unless.iter().any(|option| {
            argument
                .strip_prefix(option.as_str())
                .is_some_and(|it| it.is_empty() || it.starts_with('='))
        })
    };
    if arguments.iter().any(forbidden) {
        return false;
    }
    let begins = |words: &Vec<String>| {
        words.len() <= arguments.len() && words.iter().zip(arguments).all(|(a, b)| a == b)
    };
    let is_exactly = |words: &Vec<String>| {
        words.len() == arguments.len()
            && words.iter().zip(arguments).all(|(word, argument)| {
                word == argument || (word == "*" && !argument.starts_with('-'))
            })
    };
    program.reads_only.iter().any(begins) || program.reads_only_alone.iter().any(is_exactly)
}

/// Whether a line for a shell is one command that only reads: no character that means anything to a
/// shell.
#[must_use]
pub fn line_only_reads(line: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || " -_./=:,@%+".contains(it);
    let mut words = line.split(' ').filter(|it| !it.is_empty());
    match words.next() {
        Some(program) if line.chars().all(is_plain) => {
            command_only_reads(program, &words.collect::<Vec<_>>())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_by_their_arguments() {
        assert!(!programs().is_empty());
        assert!(command_only_reads("git", &["status", "--short"]));
        assert!(command_only_reads("git", &["rev-parse", "HEAD"]));
        assert!(!command_only_reads("git", &["reset", "--hard"]));
        assert!(!command_only_reads("git", &["diff", "--output=file"]));
        assert!(!command_only_reads("rm", &["-r"]));
        assert!(line_only_reads("git status"));
        assert!(!line_only_reads("git status; rm -r ."));
        assert!(!line_only_reads("git log > file"));
    }
}
