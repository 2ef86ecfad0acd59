//! Which member of which module a value is.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

use headstart_callgraph::InstRef;
use headstart_ir::{FileIr, Import, Imported, Inst, InstId, Key, Resolution, VarId};
use headstart_models::{Member, Models, Module, without_prefix};
use rustc_hash::FxHashMap;

use crate::facts::ProgramFacts;
use crate::summary::Summaries;

/// The name of the model of what every program has without importing it.
pub(crate) const GLOBALS: &str = "globals";

/// How many steps a value is followed back through variables and properties.
const LONGEST_TRACE: u32 = 16;

/// One file of a program that is understood.
#[derive(Debug)]
pub struct FileAnalysis<'p> {
    /// What its names lead to.
    pub names: FileNames<'p>,
    /// What all functions do.
    pub summaries: &'p Summaries<'p>,
    /// Whether the order of log lines matters.
    pub logs: Logs,
}

impl<'p> Deref for FileAnalysis<'p> {
    type Target = FileNames<'p>;

    fn deref(&self) -> &Self::Target {
        &self.names
    }
}

impl<'p> FileAnalysis<'p> {
    /// What is to know of a file whose names and functions are understood.
    #[must_use]
    pub fn new(names: FileNames<'p>, summaries: &'p Summaries<'p>) -> Self {
        Self { names, summaries, logs: Logs::default() }
    }

    /// The same where the order of log lines matters, or does not.
    #[must_use]
    pub fn with_logs(mut self, logs: Logs) -> Self {
        self.logs = logs;
        self
    }
}

/// One file with what its names lead to: members of the modules that models describe.
#[derive(Debug)]
pub struct FileNames<'p> {
    /// The file.
    pub ir: &'p FileIr,
    /// Its index in the program.
    pub file: usize,
    /// What the program's other files say about it.
    pub facts: &'p ProgramFacts,
    /// Whether somebody has asked for the model of what the program puts something in the place of.
    relies: AtomicBool,
    models: &'p Models,
    imports: FxHashMap<VarId, &'p Import>,
}

/// Whether the order of log lines matters to whoever reads them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Logs {
    /// It may: findings that change it say so.
    #[default]
    InOrder,
    /// It does not, nor do lines of what is done in vain when something else fails.
    AnyOrder,
}

/// A member of a module: `path` read from what `specifier` exports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Api<'p> {
    /// The module, without `node:`; `globals` for what every program has.
    pub specifier: &'p str,
    /// The properties read from it.
    pub path: Vec<&'p str>,
}

impl<'p> FileNames<'p> {
    /// Looks up what a file imports.
    #[must_use]
    pub fn new(file: usize, ir: &'p FileIr, models: &'p Models, facts: &'p ProgramFacts) -> Self {
        let imports = ir.imports.iter().map(|import| (import.local, import)).collect();
        Self { ir, file, facts, relies: AtomicBool::new(false), models, imports }
    }

    /// The member of a module that a value certainly is.
    #[must_use]
    pub fn api(&self, value: InstId) -> Option<Api<'p>> {
        self.trace(value, LONGEST_TRACE)
    }

    /// The model of the member that a value is.
    #[must_use]
    pub fn model(&self, value: InstId) -> Option<(&'p Module, &'p Member)> {
        self.modelled(value).map(|(_, module, member)| (module, member))
    }

    /// As [`Self::model`], with the way that leads to the member.
    pub(crate) fn modelled(&self, value: InstId) -> Option<(Api<'p>, &'p Module, &'p Member)> {
        let api = self.api(value)?;
        let (module, member) = self.models.member(api.specifier, &api.path)?;
        self.note_patched(&module.module, &api.path);
        Some((api, module, member))
    }

    /// Notes that a model is relied on of something that the program puts something in the place of.
    pub(crate) fn note_patched(&self, module: &str, path: &[&str]) {
        if self.facts.is_patched(module, path) {
            self.relies.store(true, Ordering::Relaxed);
        }
    }

    /// Whether what has been said of the file rests on models of what the program puts something in the
    /// place of.
    #[must_use]
    pub fn relies_on_patched(&self) -> bool {
        self.relies.load(Ordering::Relaxed)
    }

    /// An instruction of the file, as the whole program names it.
    #[must_use]
    pub fn at(&self, inst: InstId) -> InstRef {
        InstRef { file: u32::try_from(self.file).unwrap_or(u32::MAX), inst }
    }

    /// Whether reading a value is reading a member that a model lists, or a whole module: it is
    /// there, and nobody changes it.
    #[must_use]
    pub fn is_platform_member(&self, value: InstId) -> bool {
        self.model(value).is_some_and(|(_, member)| !member.anything)
            || self.is_constant_within(value)
            || self
                .api(value)
                .is_some_and(|api| self.models.module(api.specifier, &api.path).is_some())
    }

    /// Whether a value is read of constants of a module: `fs.constants.X_OK`. `process.env` is one
    /// object always, but holds what changes.
    fn is_constant_within(&self, value: InstId) -> bool {
        match self.ir.inst(value) {
            Inst::Get { object, key } if matches!(key.get(), Key::Name(_)) => {
                self.model(object).is_some_and(|(module, member)| {
                    member.constant && !matches!(module.module.as_str(), "process" | "globals")
                })
            }
            _ => false,
        }
    }

    /// Whether the member `name` of a module is a module itself: `fs.promises`, `path.posix`.
    pub(crate) fn is_module_within(&self, module: &Api<'_>, name: &str) -> bool {
        let path: Vec<&str> = module.path.iter().copied().chain([name]).collect();
        self.models.modules_within(module.specifier, &path).next().is_some()
    }

    /// Whether a variable is an import from a module of the platform, which is initialised before
    /// any code of the program runs.
    #[must_use]
    pub fn is_platform_import(&self, var: VarId) -> bool {
        self.imports
            .get(&var)
            .is_some_and(|import| self.ir.request(import.request).resolution == Resolution::Builtin)
    }

    /// Whether a value comes from a package that is installed or from the platform, not from
    /// another file of the program.
    pub(crate) fn leads_to_package(&self, value: InstId) -> bool {
        let Some(api) = self.api(value) else { return false };
        self.ir
            .requests
            .iter()
            .filter(|it| without_prefix(self.ir.name(it.specifier)) == api.specifier)
            .all(|it| !matches!(it.resolution, Resolution::File(_) | Resolution::Outside))
    }

    /// As [`Self::api`], of a value that is followed back through so many steps.
    pub(crate) fn trace(&self, value: InstId, steps: u32) -> Option<Api<'p>> {
        let steps = steps.checked_sub(1)?;
        match self.ir.inst(value) {
            Inst::LoadVar(var) => self.trace_variable(var, steps),
            Inst::Require(request) => Some(self.module(request)),
            Inst::LoadGlobal(name) => {
                let path = vec![self.ir.name(name)];
                let is_modelled = self.models.member(GLOBALS, &path).is_some()
                    || self.models.module(GLOBALS, &path).is_some();
                is_modelled.then_some(Api { specifier: GLOBALS, path })
            }
            Inst::Get { object, key } => {
                let Key::Name(name) = key.get() else {
                    return None;
                };
                let mut api = self.trace(object, steps)?;
                // The default export of a module of the platform is the module.
                let is_default = api.path.is_empty()
                    && self.ir.name(name) == "default"
                    && !self.is_of_program(api.specifier);
                if !is_default {
                    api.path.push(self.ir.name(name));
                }
                Some(api)
            }
            Inst::Await(promise) => match self.ir.inst(promise) {
                Inst::DynamicImport { request: Some(request), .. } => Some(self.module(request)),
                _ => None,
            },
            Inst::Call { .. } | Inst::CallMethod { .. } => self.given_by(value, steps),
            _ => None,
        }
    }

    fn trace_variable(&self, var: VarId, steps: u32) -> Option<Api<'p>> {
        if let Some(import) = self.imports.get(&var) {
            let mut api = self.module(import.request);
            if let Imported::Name(name) = import.imported {
                api.path.push(self.ir.name(name));
            }
            return Some(api);
        }
        let variable = self.ir.variable(var);
        let init = variable.init.filter(|_| variable.is_stable())?;
        match self.ir.inst(init) {
            Inst::StoreVar { value, .. } => self.trace(value, steps),
            _ => None,
        }
    }

    /// Whether a specifier leads to a file of the program, whose default export may change.
    fn is_of_program(&self, specifier: &str) -> bool {
        self.ir.requests.iter().any(|it| {
            without_prefix(self.ir.name(it.specifier)) == specifier
                && matches!(it.resolution, Resolution::File(_))
        })
    }

    fn module(&self, request: headstart_ir::RequestId) -> Api<'p> {
        let specifier = self.ir.name(self.ir.request(request).specifier);
        Api { specifier: without_prefix(specifier), path: Vec::new() }
    }
}
