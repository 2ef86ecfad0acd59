//! Commands that a function runs for its callers: what runs is in its parameters, so whether it only
//! reads is decided where the function is called (`models/commands.json` says which commands do).

use headstart_callgraph::PathKey;
use headstart_ir::{Inst, InstId, Literal};
use headstart_models::{
    Condition, IndexUse, command_index_use, command_may_only_read, command_only_reads,
    knows_program, line_index_use, line_only_reads,
};

use super::place::{CommandLine, Location, Root, Which, Word};
use super::roots::Roots;
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

impl Roots<'_, '_> {
    /// The command line that a call runs, as far as it is known.
    pub(crate) fn command_line(&self, when: &Condition, args: &[InstId]) -> Option<CommandLine> {
        let Condition::Command { program, arguments } = when else { return None };
        let program = self.word(*args.get(*program)?);
        let arguments = match arguments.map(|position| args.get(position)) {
            None => None,
            Some(None) => Some(Vec::new()),
            Some(Some(&list)) => Some(self.words_of(list)?),
        };
        Some(CommandLine { program, arguments })
    }

    fn word(&self, value: InstId) -> Word {
        match self.text(value) {
            Some(text) => Word::Text(text),
            None => self.parameter_behind(value).map_or(Word::Unknown, Word::Held),
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
    fn nth(&self, position: u32, args: &[InstId]) -> Option<InstId> {
        let upto = args.get(..=position as usize)?;
        if self.has_spread(upto) { None } else { upto.last().copied() }
    }

    fn has_spread(&self, args: &[InstId]) -> bool {
        args.iter().any(|&it| matches!(self.ir().inst(it), Inst::Spread(_)))
    }

    /// What the promise of a callee waits for, where that depends on the commands that a call makes it
    /// run.
    pub(crate) fn settling_at(&self, callee: &Summary, args: Option<&[InstId]>) -> Waiting {
        if callee.settling != Waiting::AnswersToReading {
            return callee.settling;
        }
        let mut lines = callee.command_lines().peekable();
        if callee.is_anything() || lines.peek().is_none() {
            return Waiting::Waits;
        }
        lines.fold(Waiting::Answers, |worst, line| {
            worst.max(match self.decide(line, args) {
                Decided::Reads(_) => Waiting::Answers,
                Decided::Open(_) => Waiting::AnswersToReading,
                Decided::Anything => Waiting::Waits,
            })
        })
    }
}

impl CommandLine {
    /// Whether it only reads. Whatever one word turns out to be may make no difference.
    pub(crate) fn decide(self) -> Decided {
        let is_list = |it: &Word| matches!(it, Word::All(_) | Word::From(_));
        let is_open = |it: &Word| is_list(it) || matches!(it, Word::Held(_));
        let has_list = self.words().any(is_list);
        let words: Vec<Option<&str>> = self.words().map(Word::text).collect();
        let (only_reads, may_only_read) = match self.program.text() {
            None => (false, true),
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
    fn text(&self) -> Option<&str> {
        match self {
            Word::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Summary {
    /// The command lines that callers decide.
    fn command_lines(&self) -> impl Iterator<Item = &CommandLine> {
        [&self.before, &self.after].into_iter().flat_map(|it| &it.writes).filter_map(
            |it| match it {
                Location::Resource(_, Which::Unless(line)) => Some(&**line),
                _ => None,
            },
        )
    }
}
