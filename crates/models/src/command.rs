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
    /// Options that change nothing of that, in front of the other arguments, and how many values
    /// follow each.
    #[serde(default)]
    in_front: FxHashMap<String, usize>,
    /// Options with which it may write after all.
    #[serde(default)]
    unless: Vec<String>,
    /// Arguments that begin like this bring the index of the repository up to date, as far as files
    /// have not changed: what they print does not depend on it.
    #[serde(default)]
    refreshes_index: Vec<Vec<String>>,
    /// Arguments that begin like this show the index as it is.
    #[serde(default)]
    shows_index: Vec<Vec<String>>,
    /// The option in front of the other arguments that keeps it from doing so.
    leaves_index: Option<String>,
    /// Why lines are listed as they are, for people.
    #[serde(default, rename = "notes")]
    _notes: FxHashMap<String, String>,
}

/// What a command that only reads does with the index of a repository, which is no part of what it
/// prints or all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexUse {
    /// It brings the index up to date.
    Refreshes,
    /// It shows what the index says, up to date or not.
    Shows,
}

impl Program {
    /// The arguments behind the options that change nothing.
    fn behind_options<'a, 'b>(&self, arguments: &'a [Option<&'b str>]) -> &'a [Option<&'b str>] {
        let mut rest = arguments;
        let values = |it: &Option<&str>| it.and_then(|it| self.in_front.get(it));
        while let Some(&values) = rest.first().and_then(values) {
            rest = rest.get(1 + values..).unwrap_or_default();
        }
        rest
    }

    /// `unknown`: what an argument that is not known counts as, wherever it stands.
    fn only_reads(&self, arguments: &[Option<&str>], unknown: bool) -> bool {
        if arguments.iter().flatten().any(|it| asks_for_more(it)) {
            return false;
        }
        let arguments = self.behind_options(arguments);
        // What follows `--` is no option (POSIX, Utility Syntax Guidelines, 10).
        let mut options = arguments.iter().take_while(|it| **it != Some("--"));
        if options.any(|it| it.map_or(!unknown, |it| self.is_forbidden(it))) {
            return false;
        }
        let is = |word: &str, argument: &Option<&str>| argument.map_or(unknown, |it| it == word);
        let begins = |words: &Vec<String>| {
            words.len() <= arguments.len() && words.iter().zip(arguments).all(|(a, b)| is(a, b))
        };
        let is_exactly = |words: &Vec<String>| {
            words.len() == arguments.len()
                && words.iter().zip(arguments).all(|(word, argument)| {
                    is(word, argument)
                        || (word == "*" && argument.is_some_and(|it| !it.starts_with('-')))
                })
        };
        self.reads_only.iter().any(begins) || self.reads_only_alone.iter().any(is_exactly)
    }

    /// What it does with the index. What is not known may be anything.
    fn index_use(&self, arguments: &[Option<&str>]) -> Option<IndexUse> {
        let words = self.behind_options(arguments);
        let begins = |lines: &[Vec<String>]| {
            lines.iter().any(|line| {
                line.len() <= words.len()
                    && line.iter().zip(words).all(|(word, it)| it.is_none_or(|it| it == word))
            })
        };
        let in_front = arguments.iter().take(arguments.len() - words.len());
        let is_left = |it: &Option<&str>| it.is_some() && *it == self.leaves_index.as_deref();
        if begins(&self.shows_index) {
            Some(IndexUse::Shows)
        } else if begins(&self.refreshes_index) && !in_front.into_iter().any(is_left) {
            Some(IndexUse::Refreshes)
        } else {
            None
        }
    }

    fn is_forbidden(&self, argument: &str) -> bool {
        self.unless.iter().any(|option| {
            argument
                .strip_prefix(option.as_str())
                .is_some_and(|it| it.is_empty() || it.starts_with('='))
        })
    }
}

/// Whether an argument makes more of a command than a look at files: reading a device takes what is there, placeholders
/// of signatures (gitformat-pretty, `%G?`) run another program, and what git keeps for itself git changes when it looks.
fn asks_for_more(argument: &str) -> bool {
    argument.starts_with("/dev/")
        || argument.starts_with("/proc/")
        || argument.contains("%G")
        || argument.split('/').any(|it| it == ".git")
}

fn programs() -> &'static FxHashMap<String, Program> {
    static PROGRAMS: OnceLock<FxHashMap<String, Program>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        serde_json::from_str(include_str!("../../../models/commands.json")).unwrap_or_default()
    })
}

/// Whether some command lines of a program are known to only read.
#[must_use]
pub fn knows_program(program: &str) -> bool {
    programs().contains_key(program)
}

/// Whether a program with these arguments only reads, whatever those are that are not known.
#[must_use]
pub fn command_only_reads(program: &str, arguments: &[Option<&str>]) -> bool {
    programs().get(program).is_some_and(|it| it.only_reads(arguments, false))
}

/// Whether a program with these arguments could only read, if those were right that are not known.
#[must_use]
pub fn command_may_only_read(program: &str, arguments: &[Option<&str>]) -> bool {
    programs().get(program).is_some_and(|it| it.only_reads(arguments, true))
}

/// What a program with these arguments, which only reads, does with the index of a repository.
#[must_use]
pub fn command_index_use(program: &str, arguments: &[Option<&str>]) -> Option<IndexUse> {
    programs().get(program)?.index_use(arguments)
}

/// The same for a line for a shell.
#[must_use]
pub fn line_index_use(line: &str) -> Option<IndexUse> {
    let mut words = line.split(' ').filter(|it| !it.is_empty());
    command_index_use(words.next()?, &words.map(Some).collect::<Vec<_>>())
}

/// Whether a line for a shell is one command that only reads: no character that means anything to a
/// shell.
#[must_use]
pub fn line_only_reads(line: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || " -_./=:,@%+".contains(it);
    let mut words = line.split(' ').filter(|it| !it.is_empty());
    match words.next() {
        Some(program) if line.chars().all(is_plain) => {
            command_only_reads(program, &words.map(Some).collect::<Vec<_>>())
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
        let only_reads = |program, words: &[&'static str]| {
            let known = |it: &&'static str| (*it != "?").then_some(*it);
            command_only_reads(program, &words.iter().map(known).collect::<Vec<_>>())
        };
        assert!(only_reads("git", &["status", "--short"]));
        assert!(only_reads("git", &["rev-parse", "HEAD"]));
        assert!(!only_reads("git", &["reset", "--hard"]));
        assert!(!only_reads("git", &["diff", "--output=file"]));
        // A stale index is shown as a change where another process holds its lock.
        assert!(only_reads("git", &["describe", "--dirty"]));
        assert!(!only_reads("git", &["describe", "--broken"]));
        // These run programs that the configuration names.
        assert!(!only_reads("git", &["cat-file", "--textconv", "HEAD:a"]));
        assert!(!only_reads("git", &["cat-file", "--filters", "HEAD:a"]));
        assert!(!only_reads("git", &["log", "-1", "--show-signature"]));
        // These show what reading fetches.
        assert!(!only_reads("git", &["count-objects"]));
        assert!(!only_reads("git", &["rev-list", "--objects", "--missing=print", "HEAD"]));
        assert!(only_reads("git", &["--no-optional-locks", "-C", "?", "status"]));
        assert!(!only_reads("git", &["-C", "status"]));
        assert!(!only_reads("git", &["-C", "a", "-c", "core.pager=x", "status"]));
        assert!(!only_reads("git", &["log", "?"]));
        assert!(!only_reads("git", &["log", "-1", "--format=%h %G?"]));
        assert!(!only_reads("cat", &["/dev/stdin"]));
        assert!(!only_reads("stat", &[".git/index"]));
        assert!(only_reads("cat", &[".gitignore"]));
        assert!(!only_reads("arch", &["-x86_64", "make"]));
        assert!(only_reads("git", &["log", "--", "?"]));
        assert!(!only_reads("git", &["?", "--", "log"]));
        assert!(!only_reads("rm", &["-r"]));
        assert!(line_only_reads("git status"));
        assert_eq!(line_index_use("git status"), Some(IndexUse::Refreshes));
        assert_eq!(line_index_use("git --no-optional-locks status"), None);
        assert_eq!(line_index_use("git -C a diff-files"), Some(IndexUse::Shows));
        assert_eq!(line_index_use("git log"), None);
        assert!(!line_only_reads("git status; rm -r ."));
        assert!(!line_only_reads("git log > file"));
    }
}
