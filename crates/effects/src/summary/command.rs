//! Commands that a function runs for its callers: what runs is in its parameters, so whether it only
//! reads is decided where the function is called (`models/commands.json` says which commands do).

use headstart_callgraph::{AbstractObject, InstRef, PathKey};
use headstart_ir::{FileIr, Inst, InstId, Key, Literal};
use headstart_models::{
    Condition, IndexUse, command_index_use, command_may_only_read, command_only_reads,
    knows_program, line_index_use, line_only_reads,
};

use super::place::{CommandLine, Location, Root, Which, Word};
use super::roots::Roots;
use super::text::Asked;
use super::{Summary, Waiting};

/// What a call decides of a command line of its callee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Decided {
    /// The command is known to only read; what it does with the index of a repository.
    Reads(Option<IndexUse>),
    /// It depends on what this function is given in turn.
    Open(CommandLine),
    /// It may do anything.
    Anything,
}

/// Longer lists of words are not followed.
const MOST_WORDS: usize = 32;

/// Whether a variable of the environment decides no more than how a command words its answer, whether
/// it asks, and how it is shown (POSIX.1-2017, XBD 8.2; https://no-color.org; git(1)).
fn is_plain_variable(name: &str) -> bool {
    matches!(
        name,
        "CI" | "COLUMNS"
            | "FORCE_COLOR"
            | "GIT_OPTIONAL_LOCKS"
            | "GIT_TERMINAL_PROMPT"
            | "LANG"
            | "LANGUAGE"
            | "LINES"
            | "NO_COLOR"
            | "TERM"
            | "TZ"
    ) || name.starts_with("LC_")
}

impl Roots<'_, '_> {
    /// The command line that a call runs, as far as it is known.
    pub(crate) fn command_line(&self, when: &Condition, args: &[InstId]) -> Option<CommandLine> {
        let Condition::Command { program, arguments } = when else { return None };
        if !args.iter().all(|&it| self.keeps_meaning(it)) {
            return None;
        }
        let program = self.word(*args.get(*program)?);
        let arguments = match arguments.map(|position| args.get(position)) {
            None => None,
            Some(None) => Some(Vec::new()),
            Some(Some(&list)) => Some(self.words_of(list)?),
        };
        Some(CommandLine { program, arguments })
    }

    /// Whether an argument of a call that runs a command, if it has an environment for that, leaves it
    /// the same command: `PATH`, `GIT_DIR`, `PAGER`, `LD_PRELOAD` and their like make it another.
    fn keeps_meaning(&self, arg: InstId) -> bool {
        let graph = &self.all.graph;
        let env = graph.key_named("env");
        self.literals(self.at(arg)).into_iter().all(|options| {
            let is_as_made =
                graph.value_objects(options).iter().all(|&it| graph.is_as_made(it, env, true));
            is_as_made
                && self.set_in(options).into_iter().all(|(key, value)| match key {
                    Some("env") => self.is_plain_environment(value),
                    _ => true,
                })
        })
    }

    /// Whether variables of the environment decide no more than how a command words its answer; those
    /// of this process may be among them.
    fn is_plain_environment(&self, value: InstRef) -> bool {
        let graph = &self.all.graph;
        let is_own = |it: InstRef| graph.environment(it) == (true, true);
        let literals = self.literals(value);
        let is_one = literals.len() == 1 && graph.objects(value).len() == 1;
        let Some(&literal) = literals.first().filter(|_| is_one) else { return is_own(value) };
        let is_known = |(key, _): (Option<&str>, InstRef)| key.is_some_and(is_plain_variable);
        self.set_in(literal).into_iter().all(is_known)
            && self.copied_in(literal).into_iter().all(is_own)
            && graph
                .value_objects(literal)
                .iter()
                .all(|&it| graph.is_as_made(it, PathKey::ANY, true))
    }

    /// The object literals of the program that a value may be.
    fn literals(&self, value: InstRef) -> Vec<InstRef> {
        let is_literal = |it: AbstractObject| match it {
            AbstractObject::Made(at) => {
                let ir = self.all.graph.files()[at.file as usize];
                (ir.inst(at.inst) == Inst::Object).then_some(at)
            }
            _ => None,
        };
        self.all.graph.objects(value).into_iter().filter_map(is_literal).collect()
    }

    /// The keys of an object literal with their values; no key where that is not known.
    fn set_in(&self, literal: InstRef) -> Vec<(Option<&str>, InstRef)> {
        let ir = self.all.graph.files()[literal.file as usize];
        self.instructions_behind(literal)
            .filter_map(|id| match ir.inst(id) {
                Inst::Set { object, key, value } if object == literal.inst => {
                    let key = match key.get() {
                        Key::Name(name) => Some(ir.name(name)),
                        Key::Private(_) | Key::Computed(_) => None,
                    };
                    Some((key, InstRef { inst: value, ..literal }))
                }
                _ => None,
            })
            .collect()
    }

    /// What is spread into an object literal.
    fn copied_in(&self, literal: InstRef) -> Vec<InstRef> {
        let ir = self.all.graph.files()[literal.file as usize];
        self.instructions_behind(literal)
            .filter_map(|id| match ir.inst(id) {
                Inst::CopyProps { object, value } if object == literal.inst => {
                    Some(InstRef { inst: value, ..literal })
                }
                _ => None,
            })
            .collect()
    }

    /// The instructions from one to the end of its function.
    fn instructions_behind(&self, at: InstRef) -> impl Iterator<Item = InstId> + use<> {
        let function = self.all.graph.function_at(at);
        let ir = self.all.graph.files()[at.file as usize];
        FileIr::range(at.inst, ir.function(function.function).end)
    }

    fn word(&self, value: InstId) -> Word {
        if let Some(text) = self.text(value) {
            return Word::Text(text);
        }
        let ir = self.ir();
        let template = match ir.inst(value) {
            Inst::LoadVar(var) if ir.variable(var).owner == self.function.function => {
                self.all.graph.always(self.function.file, var).map(|it| ir.inst(it))
            }
            it => Some(it),
        };
        match template {
            Some(Inst::Template(parts)) => {
                let part = |&it: &InstId| match ir.inst(it) {
                    Inst::Template(_) => Word::Unknown,
                    _ => self.word(it),
                };
                Word::joined(ir.args(parts).iter().map(part).collect())
            }
            _ => self.parameter_behind(value).map_or(Word::Unknown, Word::Held),
        }
    }

    /// The words in a list that nothing changes once it is made.
    fn words_of(&self, list: InstId) -> Option<Vec<Word>> {
        let ir = self.ir();
        match ir.inst(list) {
            Inst::Literal(Literal::Undefined) => Some(Vec::new()),
            Inst::Array(elements) => {
                let mut words = Vec::new();
                for &element in ir.args(elements) {
                    self.words_at(element, &mut words)?;
                }
                self.is_unchanged(list).then_some(words)
            }
            Inst::RestParam(position) => Some(vec![Word::From(position)]),
            Inst::LoadVar(var) => {
                let owner = ir.variable(var).owner;
                let always = self.all.graph.always(self.function.file, var)?;
                match ir.inst(always) {
                    Inst::Array(_) | Inst::RestParam(_) if owner == self.function.function => {
                        self.words_of(always)
                    }
                    Inst::RestParam(_) => {
                        Some(vec![Word::All(Root::Variable(self.function.file, var))])
                    }
                    _ => Some(vec![Word::All(self.parameter_behind(list)?)]),
                }
            }
            _ => Some(vec![Word::All(self.parameter_behind(list)?)]),
        }
    }

    /// The words that an element of a list, or an argument of a call, stands for.
    fn words_at(&self, element: InstId, words: &mut Vec<Word>) -> Option<()> {
        match self.ir().inst(element) {
            Inst::Spread(list) => words.extend(self.words_of(list)?),
            _ => words.push(self.word(element)),
        }
        (words.len() <= MOST_WORDS).then_some(())
    }

    /// Whether nothing in the program changes a list, and nobody else may.
    fn is_unchanged(&self, list: InstId) -> bool {
        let objects = self.all.graph.value_objects(self.at(list));
        objects.iter().all(|&it| self.all.graph.is_as_made(it, PathKey::ANY, false))
    }

    /// What a command line of a callee is at a call with these arguments, spreads as they stand.
    pub(crate) fn decide(&self, line: &CommandLine, args: Option<&[InstId]>) -> Decided {
        self.line_at(line, args).map_or(Decided::Anything, CommandLine::decide)
    }

    fn line_at(&self, line: &CommandLine, args: Option<&[InstId]>) -> Option<CommandLine> {
        let program = match self.bound_words(&line.program, args)?.as_slice() {
            [word] if !matches!(word, Word::All(_) | Word::From(_)) => word.clone(),
            _ => return None,
        };
        let Some(of_callee) = &line.arguments else {
            return Some(CommandLine { program, arguments: None });
        };
        let mut words = Vec::new();
        for word in of_callee {
            words.extend(self.bound_words(word, args)?);
        }
        (words.len() <= MOST_WORDS).then_some(CommandLine { program, arguments: Some(words) })
    }

    /// What a word of a callee is at a call.
    fn bound_words(&self, word: &Word, args: Option<&[InstId]>) -> Option<Vec<Word>> {
        let one = |word: Word| Some(vec![word]);
        match word {
            Word::Text(_) | Word::Unknown => Some(vec![word.clone()]),
            Word::Joined(parts) => {
                let mut bound = Vec::new();
                for part in parts {
                    match self.bound_words(part, args)?.as_slice() {
                        [it] if !matches!(it, Word::All(_) | Word::From(_)) => {
                            bound.push(it.clone())
                        }
                        _ => return None,
                    }
                }
                one(Word::joined(bound))
            }
            Word::Held(Root::Parameter(position)) => one(self.word(self.nth(*position, args?)?)),
            Word::All(Root::Parameter(position)) => match args?.get(*position as usize) {
                None if !self.has_spread(args?) => Some(Vec::new()),
                _ => self.words_of(self.nth(*position, args?)?),
            },
            Word::From(position) => {
                let args = args?;
                let first = (*position as usize).min(args.len());
                if self.has_spread(&args[..first]) {
                    return None;
                }
                let mut words = Vec::new();
                for &arg in &args[first..] {
                    self.words_at(arg, &mut words)?;
                }
                Some(words)
            }
            Word::Held(Root::Variable(file, var)) | Word::All(Root::Variable(file, var)) => {
                let is_mine = *file == self.function.file
                    && self.ir().variable(*var).owner == self.function.function;
                if !is_mine {
                    return Some(vec![word.clone()]);
                }
                let value = self.all.graph.always(*file, *var)?;
                match word {
                    Word::All(_) => self.words_of(value),
                    _ => one(self.word(value)),
                }
            }
            _ => None,
        }
    }

    /// The argument at a position, where no list is spread in front of it.
    pub(super) fn nth(&self, position: u32, args: &[InstId]) -> Option<InstId> {
        let upto = args.get(..=position as usize)?;
        if self.has_spread(upto) { None } else { upto.last().copied() }
    }

    fn has_spread(&self, args: &[InstId]) -> bool {
        args.iter().any(|&it| matches!(self.ir().inst(it), Inst::Spread(_)))
    }

    /// What the promise of a callee waits for, where that depends on the commands and queries that a
    /// call makes it run.
    pub(crate) fn settling_at(&self, callee: &Summary, args: Option<&[InstId]>) -> Waiting {
        if callee.settling != Waiting::AnswersToReading {
            return callee.settling;
        }
        let of_lines = callee.command_lines().map(|line| match self.decide(line, args) {
            Decided::Reads(_) => Waiting::Answers,
            Decided::Open(_) => Waiting::AnswersToReading,
            Decided::Anything => Waiting::Waits,
        });
        let of_queries = callee.queries().map(|query| match self.ask(query, args) {
            Asked::Reads => Waiting::Answers,
            Asked::Open(_) => Waiting::AnswersToReading,
            Asked::Anything => Waiting::Waits,
        });
        let worst = of_lines.chain(of_queries).max();
        worst.filter(|_| !callee.is_too_much).unwrap_or(Waiting::Waits)
    }
}

impl CommandLine {
    /// Whether it only reads. Whatever one word turns out to be may make no difference.
    pub(crate) fn decide(self) -> Decided {
        let is_list = |it: &Word| matches!(it, Word::All(_) | Word::From(_));
        let is_open = |it: &Word| is_list(it) || it.is_held();
        let has_list = self.words().any(is_list);
        let words: Vec<Option<&str>> = self.words().map(Word::text).collect();
        let (only_reads, may_only_read) = match self.program.text() {
            None => (false, self.program.may_name_program()),
            Some(line) if self.arguments.is_none() => (line_only_reads(line), false),
            // How many words there are is not known either.
            Some(program) if has_list => (false, knows_program(program)),
            Some(program) => {
                let may_only_read = command_may_only_read(program, &words);
                (command_only_reads(program, &words), may_only_read)
            }
        };
        if only_reads {
            Decided::Reads(match (self.program.text(), &self.arguments) {
                (Some(line), None) => line_index_use(line),
                (Some(program), Some(_)) => command_index_use(program, &words),
                (None, _) => None,
            })
        } else if may_only_read && (is_open(&self.program) || self.words().any(is_open)) {
            Decided::Open(self)
        } else {
            Decided::Anything
        }
    }

    fn words(&self) -> impl Iterator<Item = &Word> {
        self.arguments.iter().flatten()
    }
}

impl Word {
    /// Words that are written one behind the other.
    fn joined(parts: Vec<Word>) -> Self {
        let texts: Option<String> = parts.iter().map(Word::text).collect();
        texts.map_or(Word::Joined(parts), Word::Text)
    }

    fn text(&self) -> Option<&str> {
        match self {
            Word::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is what parameters hold, with nothing in it that nobody knows.
    fn is_held(&self) -> bool {
        match self {
            Word::Held(_) => true,
            Word::Joined(parts) => {
                parts.iter().any(Word::is_held)
                    && parts.iter().all(|it| it.is_held() || it.text().is_some())
            }
            Word::Text(_) | Word::Unknown | Word::All(_) | Word::From(_) => false,
        }
    }

    /// Whether a line that begins with it may run a program whose lines are known.
    fn may_name_program(&self) -> bool {
        let Word::Joined(parts) = self else { return true };
        let first = parts.first().and_then(Word::text).unwrap_or_default();
        first.split_once(' ').is_none_or(|(program, _)| knows_program(program))
    }
}

impl Summary {
    /// The command lines that callers decide.
    fn command_lines(&self) -> impl Iterator<Item = &CommandLine> {
        self.effects().flat_map(|it| &it.writes).filter_map(|it| match it {
            Location::Resource(_, Which::Unless(line)) => Some(&**line),
            _ => None,
        })
    }
}
