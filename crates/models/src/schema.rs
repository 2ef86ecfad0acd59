//! The shape of a model file. `models/schema.json` says the same for editors.

use std::collections::BTreeMap;

use serde::Deserialize;

/// One model file: the members of one module.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Module {
    /// The specifier, without `node:`.
    pub module: String,
    /// Other ways to the same members: a specifier, or `module#member`.
    #[serde(default)]
    pub also: Vec<String>,
    /// The page that the fragments of its members belong to.
    pub documentation: String,
    /// Its members by name.
    pub members: BTreeMap<String, Member>,
}

/// A member of a module, or of another member.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Member {
    /// What the row rests on: an address, or a fragment of the module's page.
    pub documentation: String,
    /// Whether it is a value that never changes.
    #[serde(default)]
    pub constant: bool,
    /// Whether using it may do anything: it is listed so that it is known to have been looked at.
    #[serde(default)]
    pub anything: bool,
    /// What a call of it does; none where it may do anything.
    pub call: Option<Call>,
    /// What `new` of it does; none where it may do anything.
    pub construct: Option<Call>,
    /// Its own members: those of a namespace, or the static ones of a class.
    #[serde(default)]
    pub members: BTreeMap<String, Member>,
}

/// What a call does.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Call {
    /// Whether it returns a promise.
    #[serde(default)]
    pub promise: PromiseKind,
    /// When it throws before it returns.
    #[serde(default)]
    pub throws: Throws,
    /// Which arguments it looks at whatever they are.
    #[serde(default)]
    pub checks: Checks,
    /// What it reads.
    #[serde(default)]
    pub reads: Vec<Resource>,
    /// What it writes.
    #[serde(default)]
    pub writes: Vec<Resource>,
    /// Whether it calls a function that it is given.
    #[serde(default)]
    pub calls_back: CallsBack,
    /// The positions of arguments whose content it changes.
    #[serde(default)]
    pub mutates: Vec<usize>,
    /// What each argument is. A call with more of them is not covered, unless `rest` is there.
    #[serde(default)]
    pub arguments: Vec<Argument>,
    /// What further arguments are.
    pub rest: Option<Argument>,
    /// The keys of the options argument under which the row holds.
    #[serde(default)]
    pub options: Vec<String>,
    /// What it returns, or what its promise is fulfilled with.
    pub result: ResultKind,
    /// What it returns when an encoding is asked for.
    pub result_with_encoding: Option<ResultKind>,
}

/// Whether a call returns a promise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromiseKind {
    /// It does not.
    #[default]
    No,
    /// It returns one that settles without the program's help; every error is a rejection.
    Settles,
    /// It returns one that may wait for the program or for ever: an event, a lock, a timer.
    Waits,
}

/// Whether a call calls a function that it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallsBack {
    /// It does not.
    #[default]
    No,
    /// Before it returns.
    Now,
    /// After it has returned.
    Later,
}

/// When a call throws before it returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Throws {
    /// Never.
    #[default]
    Never,
    /// When an argument declared as a string is none, and for no other reason.
    UnlessStrings,
    /// For other reasons: a malformed value, a missing file.
    May,
}

/// Which arguments a call looks at, so that its return proves them to be strings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Checks {
    /// All of them.
    #[default]
    All,
    /// The last, and those before it as long as what is behind them is relative.
    Last,
}

/// Something outside the objects of the program. A number is the position of the argument that
/// says which.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resource {
    /// The file or folder whose path is the argument at this position.
    File(usize),
    /// Any file or folder.
    AnyFile,
    /// What is open behind the file descriptor, handle or connection at this position.
    Handle(usize),
    /// The host or address at this position.
    Network(usize),
    /// Any host.
    AnyNetwork,
    /// The child process that is started by the command at this position.
    Process(usize),
    /// Any other process.
    AnyProcess,
    /// The working directory of the process.
    WorkingDirectory,
    /// The environment variables.
    Environment,
    /// The clock.
    Clock,
    /// Randomness.
    Randomness,
    /// Standard output, standard error, a log: what a user sees.
    Output,
    /// Standard input.
    Input,
    /// The timers of the process.
    Timers,
    /// What the process is: user, limits, signals, memory, its exit.
    ProcessState,
    /// State inside the module that its members share.
    ModuleState,
}

/// What an argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Argument {
    /// A path: a string, buffer or URL.
    Path,
    /// A path, or an open file whose position the call moves.
    PathOrHandle,
    /// A string.
    String,
    /// A string or nothing.
    OptionalString,
    /// Plain data that is not called back.
    Data,
    /// A function that is called back.
    Function,
    /// An encoding, or an object of options.
    Options,
}

/// What a call returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResultKind {
    /// `undefined`
    Undefined,
    /// A string.
    String,
    /// A fresh array.
    Array,
    /// A fresh object with plain properties.
    Object,
    /// Something else that is fresh or primitive.
    Data,
}
