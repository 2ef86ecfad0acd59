//! What the command line and the API ask for.

use std::collections::BTreeMap;
use std::path::PathBuf;

use headstart_effects::Logs;
use headstart_overlap::{Errors, Level};
use serde::Deserialize;

use crate::evidence::{Evidence, EvidenceNote};
use crate::profile::ProfiledPlace;

/// A request, one kind a command.
#[derive(Debug, Deserialize)]
#[serde(tag = "command", rename_all = "lowercase")]
pub(crate) enum Request {
    Check(CheckRequest),
    Fix(FixRequest),
    Explain(ExplainRequest),
    CallGraph(CallGraphRequest),
    Effects(EffectsRequest),
    Ask(AskRequest),
    Models(ModelsRequest),
    Rules(RulesRequest),
    Whole(WholeRequest),
}

/// What every command has.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Common {
    /// The folder that relative paths start from, absolute.
    pub(crate) cwd: PathBuf,
    #[serde(default)]
    pub(crate) include_tests: bool,
    #[serde(default)]
    pub(crate) errors: ErrorMode,
    #[serde(default)]
    pub(crate) logs: LogMode,
    #[serde(default)]
    pub(crate) exclude: Vec<String>,
    /// The folder that the globs of `exclude` are relative to, absolute; `cwd` where none is given.
    #[serde(default)]
    pub(crate) exclude_from: Option<PathBuf>,
    /// The folder that is one program with all below it, absolute.
    #[serde(default)]
    pub(crate) project_root: Option<PathBuf>,
    #[serde(default)]
    pub(crate) color: bool,
    /// What a person says that functions of the program do, by `FILE#NAME`.
    #[serde(default)]
    pub(crate) assume: BTreeMap<String, String>,
    /// The folder that the files of these names are relative to, absolute; `cwd` where none is given.
    #[serde(default)]
    pub(crate) assume_from: Option<PathBuf>,
    /// What runs of the program have shown of its awaits.
    #[serde(default)]
    pub(crate) evidence: Evidence,
    /// What is wrong with recordings of that.
    #[serde(default)]
    pub(crate) evidence_notes: Vec<EvidenceNote>,
    /// Packages to be analysed from their source.
    #[serde(default)]
    pub(crate) deps: Vec<String>,
    /// Model files of the user's own, absolute.
    #[serde(default)]
    pub(crate) models: Vec<PathBuf>,
    /// How many threads to use; all cores where none is given.
    #[serde(default)]
    pub(crate) threads: Option<usize>,
    /// Columns of the terminal.
    #[serde(default = "default_width")]
    pub(crate) width: usize,
    /// Whether the process ends when it has the answer.
    #[serde(default)]
    pub(crate) is_last: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CheckRequest {
    #[serde(flatten)]
    pub(crate) common: Common,
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) level: LevelName,
    pub(crate) format: Format,
    pub(crate) deny: Deny,
    /// Whether each finding of the report carries its pretty form.
    #[serde(default)]
    pub(crate) rendered: bool,
    /// What a trace says of places of the program.
    #[serde(default)]
    pub(crate) profile: Vec<ProfiledPlace>,
    /// The level of `fix` for which each finding of the report says whether it is applied.
    #[serde(default)]
    pub(crate) applied: Option<LevelName>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FixRequest {
    #[serde(flatten)]
    pub(crate) common: Common,
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) level: LevelName,
    #[serde(default)]
    pub(crate) diff: bool,
    /// The ids of the findings to apply; all where none are given.
    pub(crate) only: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ExplainRequest {
    #[serde(flatten)]
    pub(crate) common: Common,
    pub(crate) target: Target,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EffectsRequest {
    #[serde(flatten)]
    pub(crate) common: Common,
    pub(crate) target: FunctionTarget,
    pub(crate) format: EffectsFormat,
}

/// A file, and perhaps a line whose function is meant.
#[derive(Debug, Deserialize)]
pub(crate) struct FunctionTarget {
    pub(crate) file: PathBuf,
    /// 1-based.
    pub(crate) line: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskRequest {
    #[serde(flatten)]
    pub(crate) common: Common,
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) format: EffectsFormat,
    /// How many questions are wanted at most.
    pub(crate) most: usize,
}

/// The forms of effects, and of questions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EffectsFormat {
    Pretty,
    Json,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallGraphRequest {
    #[serde(flatten)]
    pub(crate) common: Common,
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) format: GraphFormat,
}

/// What a whole program shows of its async functions.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WholeRequest {
    #[serde(flatten)]
    pub(crate) common: Common,
    pub(crate) paths: Vec<PathBuf>,
}

/// The forms of a call graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum GraphFormat {
    Pretty,
    Json,
    Dot,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ModelsRequest {
    #[serde(flatten)]
    pub(crate) common: Common,
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct RulesRequest {
    #[serde(flatten)]
    pub(crate) common: Common,
    /// The one that is asked about; all where none is named.
    pub(crate) name: Option<String>,
    /// Whether the answer is to be JSON.
    #[serde(default)]
    pub(crate) json: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    pub(crate) file: PathBuf,
    /// 1-based.
    pub(crate) line: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    Pretty,
    Json,
    Sarif,
    Github,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LevelName {
    Safe,
    Likely,
    Hint,
}

impl From<LevelName> for Level {
    fn from(name: LevelName) -> Self {
        match name {
            LevelName::Safe => Level::Safe,
            LevelName::Likely => Level::Likely,
            LevelName::Hint => Level::Hint,
        }
    }
}

/// The level from which on a finding makes `check` fail.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Deny {
    Safe,
    Likely,
    Hint,
    None,
}

impl Deny {
    pub(crate) fn level(self) -> Option<Level> {
        match self {
            Deny::Safe => Some(Level::Safe),
            Deny::Likely => Some(Level::Likely),
            Deny::Hint => Some(Level::Hint),
            Deny::None => None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ErrorMode {
    #[default]
    One,
    Exact,
}

/// Whether the order of log lines matters.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LogMode {
    #[default]
    InOrder,
    AnyOrder,
}

impl From<LogMode> for Logs {
    fn from(mode: LogMode) -> Self {
        match mode {
            LogMode::InOrder => Logs::InOrder,
            LogMode::AnyOrder => Logs::AnyOrder,
        }
    }
}

impl From<ErrorMode> for Errors {
    fn from(mode: ErrorMode) -> Self {
        match mode {
            ErrorMode::One => Errors::One,
            ErrorMode::Exact => Errors::Exact,
        }
    }
}

impl Request {
    pub(crate) fn common(&self) -> &Common {
        match self {
            Request::Check(request) => &request.common,
            Request::Fix(request) => &request.common,
            Request::Explain(request) => &request.common,
            Request::CallGraph(request) => &request.common,
            Request::Effects(request) => &request.common,
            Request::Ask(request) => &request.common,
            Request::Models(request) => &request.common,
            Request::Rules(request) => &request.common,
            Request::Whole(request) => &request.common,
        }
    }
}

fn default_width() -> usize {
    100
}
