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

/// A member of a module.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Member {
    /// What the row rests on: an address, or a fragment of the module's page.
    pub documentation: String,
    /// Whether it is a value that never changes.
    #[serde(default)]
    pub constant: bool,
    /// What a call of it does; none where it may do anything.
    pub call: Option<Call>,
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
}

/// When a call throws before it returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Throws {
    /// Never.
    #[default]
    Never,
    /// When an argument declared as a string is none.
    UnlessStrings,
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

/// Something outside the program's memory.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resource {
    /// The file or folder whose path is the argument at this position.
    File(usize),
    /// The working directory of the process.
    WorkingDirectory,
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
