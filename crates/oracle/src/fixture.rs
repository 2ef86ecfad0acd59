//! Programs with what the oracle has to say of them, in Markdown.
//!
//! A heading of the second level begins a fixture. The first line in code font is what is
//! expected: `allowed`, the rule that is broken, or `fix` where the rewritten program is what `fix`
//! makes of it and has to be allowed. Blocks `js before` and `js after` are the programs.

use std::fmt::{self, Display, Formatter};

use crate::run::Found;

/// What the oracle has to say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// The rewritten program keeps the contract.
    Allowed,
    /// What `fix` makes of the program keeps the contract.
    Fix,
    /// It breaks this rule.
    Broken(String),
}

/// A program, and perhaps what it was rewritten to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The heading.
    pub name: String,
    /// What the oracle has to say.
    pub expected: Expected,
    /// The program.
    pub before: String,
    /// The rewritten program.
    pub after: Option<String>,
}

/// The fixtures of a file.
///
/// # Errors
/// A fixture without an expectation or without a program, by its heading.
pub fn parse_fixtures(text: &str) -> Result<Vec<Fixture>, String> {
    let sections = text.split("\n## ").skip(1);
    sections.map(|section| parse_one(section).ok_or_else(|| first_line(section))).collect()
}

fn first_line(section: &str) -> String {
    section.lines().next().unwrap_or_default().trim().to_owned()
}

fn parse_one(section: &str) -> Option<Fixture> {
    let marked = |line: &'static str| move |it: &&str| it.trim() == line;
    let block = |info: &'static str| {
        let lines = section.lines().skip_while(|it| !marked(info)(it)).skip(1);
        let code: Vec<&str> = lines.take_while(|it| !marked("```")(it)).collect();
        (!code.is_empty()).then(|| format!("{}\n", code.join("\n")))
    };
    let verdict = section.lines().find_map(|line| line.strip_prefix('`')?.strip_suffix('`'))?;
    let expected = match verdict {
        "allowed" => Expected::Allowed,
        "fix" => Expected::Fix,
        rule => Expected::Broken(rule.to_owned()),
    };
    let after = block("```js after");
    let is_whole = after.is_some() || expected == Expected::Fix;
    let before = block("```js before").filter(|_| is_whole)?;
    Some(Fixture { name: first_line(section), expected, before, after })
}

impl From<&Found> for Fixture {
    /// What `fix` makes of the program has to be allowed from now on.
    fn from(found: &Found) -> Self {
        Self {
            name: format!("Program {}: {}", found.seed, found.violation.rule),
            expected: Expected::Fix,
            before: found.program.to_string(),
            after: None,
        }
    }
}

impl Display for Fixture {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let expected = match &self.expected {
            Expected::Allowed => "allowed",
            Expected::Fix => "fix",
            Expected::Broken(rule) => rule,
        };
        write!(out, "\n## {}\n\n`{expected}`\n\n```js before\n{}```\n", self.name, self.before)?;
        match &self.after {
            Some(after) => write!(out, "\n```js after\n{after}```\n"),
            None => Ok(()),
        }
    }
}
