//! What summaries are sets of: places in memory and resources, seen from outside a function.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Deref, DerefMut};

use headstart_callgraph::{ClassRef, InstRef, PathKey};
use headstart_ir::VarId;
use headstart_models::IndexUse;

use super::text::QueryText;
use crate::named_inputs::PLAIN_DEVICES;

/// The longest access path that is told apart; a longer one is its prefix of this length, which
/// stands for everything below it.
pub(crate) const LONGEST_PATH: usize = 3;

/// Where an access path of a summary starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// What a parameter holds when the function is called.
    Parameter(u32),
    /// `this`
    This,
    /// A variable, by file.
    Variable(u32, VarId),
    /// `globalThis`: a name that no file declares is a property of it.
    Global,
    /// An instance of a class, however it is reached.
    Instance(ClassRef),
    /// A class.
    Static(ClassRef),
    /// What a CommonJS file exports.
    Exports(u32),
    /// An object by the place that makes it.
    Made(InstRef),
    /// An object that nobody knows.
    Unknown,
}

impl Root {
    /// Whether it is something else for each call of the function that names it.
    pub(super) fn is_of_call(self) -> bool {
        matches!(self, Self::Parameter(_) | Self::This | Self::Unknown)
    }

    /// What tells roots apart, in their order: which of the above it is, and what it is of. Sets of places are
    /// kept in order, so that comparing roots is what summaries do most often.
    #[inline]
    fn rank(self) -> (u8, u64) {
        let pair = |file: u32, index: usize| u64::from(file) << 32 | index as u64;
        match self {
            Self::Parameter(position) => (0, position.into()),
            Self::This => (1, 0),
            Self::Variable(file, var) => (2, pair(file, var.index())),
            Self::Global => (3, 0),
            Self::Instance(class) => (4, pair(class.file, class.class.index())),
            Self::Static(class) => (5, pair(class.file, class.class.index())),
            Self::Exports(file) => (6, file.into()),
            Self::Made(at) => (7, pair(at.file, at.inst.index())),
            Self::Unknown => (8, 0),
        }
    }
}

impl Ord for Root {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Root {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The properties of an access path, outermost first. Sets of places are copied and compared all the time,
/// so it is what can be copied as it is; what is not there is [`PathKey::LEAST`], which no key is less than.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Keys {
    keys: [PathKey; LONGEST_PATH],
    count: u8,
}

impl Keys {
    const NONE: Self = Self { keys: [PathKey::LEAST; LONGEST_PATH], count: 0 };

    /// The keys and how many they are as one number, in their order.
    #[inline]
    fn rank(&self) -> u128 {
        let keys = self.keys.iter().fold(0, |rank, it| rank << 32 | u128::from(it.rank()));
        keys << 8 | u128::from(self.count)
    }

    /// Adds one to fewer than [`LONGEST_PATH`].
    fn push(&mut self, key: PathKey) {
        if let Some(free) = self.keys.get_mut(usize::from(self.count)) {
            *free = key;
            self.count += 1;
        }
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Deref for Keys {
    type Target = [PathKey];

    #[inline]
    fn deref(&self) -> &Self::Target {
        self.keys.get(..usize::from(self.count)).unwrap_or_default()
    }
}

impl DerefMut for Keys {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.keys.get_mut(..usize::from(self.count)).unwrap_or_default()
    }
}

impl<'k> IntoIterator for &'k Keys {
    type Item = &'k PathKey;
    type IntoIter = std::slice::Iter<'k, PathKey>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// An access path: a set of places in memory (paper 1, section 4.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Where it starts.
    pub root: Root,
    /// The properties, outermost first.
    pub keys: Keys,
    /// Whether it stands for all that is below it, too.
    pub is_deep: bool,
}

impl Ord for Place {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let rank = |it: &Self| it.keys.rank() << 1 | u128::from(it.is_deep);
        self.root.cmp(&other.root).then_with(|| rank(self).cmp(&rank(other)))
    }
}

impl PartialOrd for Place {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Place {
    /// The place of one step.
    #[must_use]
    pub fn new(root: Root) -> Self {
        Self { root, keys: Keys::NONE, is_deep: false }
    }

    /// All that is at a root and below.
    pub(super) fn all_of(root: Root) -> Self {
        Self { is_deep: true, ..Self::new(root) }
    }

    /// Whether it stands for all that is at its root and below.
    pub(super) fn is_all_of_root(&self) -> bool {
        self.is_deep && self.keys.is_empty()
    }

    /// Any property of what holds this one.
    #[must_use]
    pub fn beside(mut self) -> Self {
        if let Some(last) = self.keys.last_mut() {
            *last = PathKey::ANY;
        }
        self
    }

    /// A property of what the place holds.
    #[must_use]
    pub fn then(mut self, key: PathKey) -> Self {
        // All that is below holds nothing else.
        if !self.is_deep && self.keys.len() < LONGEST_PATH {
            self.keys.push(key);
        } else {
            self.is_deep = true;
        }
        self
    }

    /// Whether it starts at something that nobody knows.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.root == Root::Unknown
    }

    /// Whether the path is longer than what is told apart.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_deep && self.keys.len() == LONGEST_PATH
    }

    /// The place that `inner` is when its root is what this place holds.
    #[must_use]
    pub fn join(mut self, inner: &Self) -> Self {
        for &key in &inner.keys {
            self = self.then(key);
        }
        self.is_deep |= inner.is_deep;
        self
    }
}

/// A resource outside memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Resource {
    /// Files and folders.
    File,
    /// What is open behind a descriptor or handle.
    Handle,
    /// Hosts.
    Network,
    /// Other processes.
    Process,
    /// What an object is connected to: a database, a browser.
    Connection,
    /// What a browser stores.
    Storage,
    /// The clock.
    Clock,
    /// Randomness.
    Randomness,
    /// Environment variables.
    Environment,
    /// The working directory.
    WorkingDirectory,
    /// Standard input.
    Input,
    /// What a user sees.
    Output,
    /// The lines of a log.
    Log,
    /// Timers.
    Timers,
    /// What the process is.
    ProcessState,
    /// State inside a module.
    ModuleState,
    /// What the index of a repository says of files, up to date or not.
    Index,
    /// That the index of a repository is brought up to date: nobody who does it sees a difference.
    IndexRefresh,
    /// What code that nobody knows reads outside the program: any of what lies there.
    Outside,
}

impl Resource {
    /// Whether reading it is no more than looking at a variable, which the program sets at once: `process.exitCode`.
    pub(crate) fn is_setting(self) -> bool {
        matches!(self, Self::ProcessState | Self::ModuleState | Self::Storage)
    }
}

/// Which of several resources of a kind.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Which {
    /// Any of them.
    Any,
    /// The one with this name: a path, an address, a module.
    Named(String),
    /// The one that a place holds the name of.
    Held(Place),
    /// Any of them, unless this command only reads: who calls decides that.
    Unless(Box<CommandLine>),
    /// Any of them, unless this query only reads: its text says, once it is known.
    Queried(Box<QueryText>),
}

/// A command that a function runs and that its parameters decide.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CommandLine {
    /// What runs; the whole line where there is no list of arguments.
    pub(crate) program: Word,
    /// Its arguments.
    pub(crate) arguments: Option<Vec<Word>>,
}

/// A word of a command line, or several.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Word {
    /// This text.
    Text(String),
    /// What these are, written one behind the other: `` `git ${words}` ``.
    Joined(Vec<Word>),
    /// A word that nobody knows.
    Unknown,
    /// What a parameter holds.
    Held(Root),
    /// The elements of the list that a parameter holds.
    All(Root),
    /// The arguments of the function from a position on.
    From(u32),
}

impl Location {
    /// The place that it is in memory.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Memory(place) => Some(place),
            Self::Resource(..) => None,
        }
    }

    /// What a command does with the index of a repository.
    pub(crate) fn of_index(how: IndexUse) -> Self {
        let kind = match how {
            IndexUse::Refreshes => Resource::IndexRefresh,
            IndexUse::Shows => Resource::Index,
        };
        Self::Resource(kind, Which::Any)
    }

    /// Whether it is a file that reading consumes, or that is another one whenever it is read: standard
    /// input, a terminal, what the kernel shows of itself. A path that is not known counts as that of a
    /// plain file.
    #[must_use]
    pub fn is_input(&self) -> bool {
        let Self::Resource(Resource::File, Which::Named(path)) = self else { return false };
        let path = path.strip_prefix("file://").unwrap_or(path);
        let parts: Vec<&str> = path.split(['/', '\\']).filter(|it| !it.is_empty()).collect();
        let is_pipe = path.starts_with("\\\\") && matches!(parts.first(), Some(&("." | "?")));
        // `..` at the root leads nowhere else; further down it may lead there.
        let mut named: Vec<&str> = Vec::new();
        let mut is_above = path.starts_with('/');
        for part in parts.iter().filter(|it| **it != ".") {
            if *part == ".." {
                is_above |= named.pop().is_none();
            } else {
                named.push(part);
            }
        }
        let is_device = path.starts_with('/')
            || matches!(named.get(1), Some(&("fd" | "self" | "stdin" | "tty")));
        let is_special = is_above
            && is_device
            && matches!(named.first(), Some(&("dev" | "proc")))
            && !PLAIN_DEVICES.contains(&path);
        is_pipe || is_special
    }

    /// Whether it is a file by a path that nobody knows.
    #[must_use]
    pub fn is_some_file(&self) -> bool {
        matches!(self, Self::Resource(Resource::File, which) if !matches!(which, Which::Named(_)))
    }

    /// Whether it is the lines of a log, whose order may matter to nobody.
    #[must_use]
    pub fn is_log(&self) -> bool {
        matches!(self, Self::Resource(Resource::Log, which) if !matches!(which, Which::Named(_)))
    }

    /// The lines of a log that wait to be sent, for who sends them: their place among what is written counts.
    pub(crate) fn waiting_lines() -> Self {
        Self::Resource(Resource::Log, Which::Named("waiting".to_owned()))
    }

    /// Whether it is something outside the program that gives an answer of its own accord: a file, a
    /// host, a process, a database.
    pub(crate) fn is_answered(&self) -> bool {
        matches!(
            self,
            Self::Resource(
                Resource::File | Resource::Network | Resource::Process | Resource::Connection,
                _
            )
        )
    }
}

/// What a function reads or writes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Location {
    /// A place in memory.
    Memory(Place),
    /// A resource.
    Resource(Resource, Which),
}

impl Ord for Location {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Memory(a), Self::Memory(b)) => a.cmp(b),
            (Self::Memory(_), Self::Resource(..)) => Ordering::Less,
            (Self::Resource(..), Self::Memory(_)) => Ordering::Greater,
            (Self::Resource(a, of_a), Self::Resource(b, of_b)) => {
                a.cmp(b).then_with(|| of_a.cmp(of_b))
            }
        }
    }
}

impl PartialOrd for Location {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
