//! `assume` in the configuration: what a person says that functions of the program do.
//!
//! A key is `FILE#NAME`, the file relative to the configuration and the name as `headstart effects` prints it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use headstart_callgraph::FunctionRef;
use headstart_effects::{Answers, Does, Summaries};
use headstart_frontend::{SourceFile, Warning, WarningKind};
use headstart_ir::{FileIr, FunctionId};

use crate::names::function_name;
use crate::paths::real;
use crate::programs::Loaded;
use crate::request::Common;

/// What a person says of functions, as far as it is about one program.
pub(crate) struct Assumed<'a> {
    /// What is said of its functions.
    pub(crate) answers: Answers,
    /// Of which function each key speaks.
    keys: BTreeMap<FunctionRef, &'a str>,
    /// What is wrong with keys.
    pub(crate) warnings: Vec<Warning>,
}

/// What the configuration says of functions of a program.
pub(crate) fn assumed<'a>(common: &'a Common, loaded: &Loaded) -> Assumed<'a> {
    let mut all =
        Assumed { answers: Answers::default(), keys: BTreeMap::new(), warnings: Vec::new() };
    for (key, answer) in &common.assume {
        let Some((path, name)) = split(common, key) else { continue };
        let files = (0..).zip(&loaded.program.files);
        let Some((index, file)) = files.into_iter().find(|it| it.1.path == path) else { continue };
        let Some(does) = does(answer) else { continue };
        let found: Vec<FunctionId> = named(&file.ir, name);
        for &function in &found {
            let function = FunctionRef { file: index, function };
            all.answers.insert(function, does);
            all.keys.insert(function, key);
        }
        if found.is_empty() {
            all.warnings.push(no_such_function(file, key, name));
        }
    }
    all
}

impl Assumed<'_> {
    /// What code is known to contradict.
    pub(crate) fn contradictions(
        &self,
        summaries: &Summaries<'_>,
        files: &[SourceFile],
    ) -> Vec<Warning> {
        let said = |it: FunctionRef| {
            let key = self.keys.get(&it)?;
            let path = files.get(it.file as usize)?.path.clone();
            let message = format!(
                "`assume` says of `{key}` that it changes nothing, but it writes outside the program, or takes a lock (`headstart effects` says where); that answer is not used: take it out"
            );
            Some(Warning { kind: WarningKind::Assume, path, message })
        };
        summaries.contradicted().into_iter().filter_map(said).collect()
    }
}

/// The key of a function, for a configuration in the folder `from`.
pub(crate) fn key_of(from: &Path, file: &SourceFile, function: FunctionId) -> String {
    let path = file.path.strip_prefix(from).unwrap_or(&file.path);
    let path = path.to_string_lossy().replace('\\', "/");
    format!("{path}#{}", function_name(&file.ir, function))
}

/// The folder that the files of keys are relative to.
pub(crate) fn base(common: &Common) -> PathBuf {
    real(common.assume_from.as_deref().unwrap_or(&common.cwd))
}

/// Keys that name no file that is there.
pub(crate) fn nowhere(common: &Common) -> Vec<Warning> {
    let missing = |key: &&String| split(common, key).is_none_or(|(path, _)| !path.is_file());
    let said = |key: &String| {
        let path = base(common).join(key.rsplit_once('#').map_or(key.as_str(), |it| it.0));
        let message = format!(
            "`assume` speaks of `{key}`: there is no such file; a key is FILE#NAME, with the file relative to the configuration"
        );
        Warning { kind: WarningKind::Assume, path, message }
    };
    common.assume.keys().filter(missing).map(said).collect()
}

fn split<'a>(common: &Common, key: &'a str) -> Option<(PathBuf, &'a str)> {
    let (file, name) = key.rsplit_once('#')?;
    Some((real(&base(common).join(file)), name))
}

fn does(answer: &str) -> Option<Does> {
    Does::ALL.iter().find(|it| it.0 == answer).map(|it| it.1)
}

/// The functions of a file that have a name.
fn named(ir: &FileIr, name: &str) -> Vec<FunctionId> {
    let all = (1..ir.functions.len()).map(FunctionId::new);
    all.filter(|&it| function_name(ir, it) == name).collect()
}

fn no_such_function(file: &SourceFile, key: &str, name: &str) -> Warning {
    let message = format!(
        "`assume` speaks of `{key}`: there is no function `{name}` in that file; `headstart effects` lists those that there are"
    );
    Warning { kind: WarningKind::Assume, path: file.path.clone(), message }
}
