//! The programs that the paths of a request belong to: each project is one of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use headstart_frontend::{
    LoadError, LoadOptions, Parsed, Program, Progress, Projects, SourceFile, Texts, Walked,
};
use headstart_ir::order::sort;
use headstart_models::Models;
use rustc_hash::FxHashSet;

use crate::paths::real;
use crate::request::Common;

/// Gives one program after the other, so that only one of them takes memory at a time.
///
/// The program of a path is the project that it belongs to ([`Projects`]), whole, whichever part of
/// it is named: the whole program decides what holds. A path in no project is a program itself (of a
/// file, the folder that it is in). A folder that holds other projects brings all of them along. One of
/// those that imports files of the project around it is a part of that: it runs the same code.
pub(crate) struct Programs<'a> {
    common: &'a Common,
    pub(crate) models: Models,
    projects: Arc<Projects>,
    /// What is to be reported on, absolute and with links resolved.
    named: Vec<PathBuf>,
    /// The roots of programs that have not been loaded yet, each with what else is named of it.
    waiting: BTreeMap<PathBuf, Vec<PathBuf>>,
    begun: FxHashSet<PathBuf>,
    /// The projects inside each that are a part of it.
    parts: BTreeMap<PathBuf, Vec<PathBuf>>,
    /// The dependencies that are to be analysed and are installed nowhere so far.
    missing_deps: Vec<String>,
    /// What counts instead of what these files hold.
    texts: Arc<Texts>,
    /// The files of earlier programs, and what folders hold.
    parsed: Arc<Parsed>,
    walked: Arc<Walked>,
}

impl<'a> Programs<'a> {
    /// The programs of `paths`; of the current folder, where none are named.
    ///
    /// # Errors
    /// A path that does not exist, and models that cannot be used.
    pub(crate) fn of(common: &'a Common, paths: &[PathBuf]) -> Result<Self, String> {
        let mut named = Vec::new();
        for path in paths {
            named.push(existing(&common.cwd.join(path))?);
        }
        if named.is_empty() {
            named.push(real(&common.cwd));
        }
        let projects = Arc::new(Projects::new(common.project_root.as_deref().map(real)));
        let mut programs = Self {
            common,
            models: crate::models::load(common)?,
            projects,
            waiting: BTreeMap::new(),
            begun: FxHashSet::default(),
            parts: BTreeMap::new(),
            missing_deps: common.deps.clone(),
            named,
            texts: Arc::default(),
            parsed: Arc::default(),
            walked: Arc::default(),
        };
        programs.enqueue_named();
        Ok(programs)
    }

    /// The same programs, where some files are about to hold something else.
    pub(crate) fn with_texts(self, texts: Arc<Texts>) -> Self {
        Self { texts, ..self }
    }

    fn enqueue_named(&mut self) {
        let mut without = Vec::new();
        for path in &self.named {
            let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
            match self.projects.root_of(folder) {
                Some(root) => self.waiting.entry(root).or_default().push(path.clone()),
                None => without.push((folder.to_path_buf(), path.clone())),
            }
        }
        // In order, so that what lies in another folder that is named comes behind it.
        sort(&mut without);
        let mut last: Option<PathBuf> = None;
        for (folder, path) in without {
            let root = last.filter(|it| folder.starts_with(it)).unwrap_or(folder);
            self.waiting.entry(root.clone()).or_default().push(path);
            last = Some(root);
        }
    }

    /// Loads the next program; none where there are no more.
    ///
    /// # Errors
    /// What keeps a program from being loaded, and a cancelled run.
    pub(crate) fn next(&mut self, progress: &Progress) -> Result<Option<Loaded>, String> {
        let Some((root, paths)) = self.waiting.pop_first() else {
            return match self.missing_deps.first() {
                Some(name) => Err(not_installed(name)),
                None => Ok(None),
            };
        };
        self.begun.insert(root.clone());
        let loaded = self.load(root, paths.clone(), progress)?;
        self.with_parts(loaded, paths, progress).map(Some)
    }

    /// A program with the projects inside it that import its files.
    fn with_parts(
        &mut self,
        loaded: Loaded,
        mut paths: Vec<PathBuf>,
        progress: &Progress,
    ) -> Result<Loaded, String> {
        let root = loaded.root.clone();
        let is_inside = |it: &&PathBuf| it.starts_with(&root) && **it != root;
        let inside: Vec<PathBuf> = self.waiting.keys().filter(is_inside).cloned().collect();
        if inside.is_empty() || !self.common.deps.is_empty() {
            return Ok(loaded);
        }
        let own: FxHashSet<PathBuf> = loaded.own_code().map(|it| it.path.clone()).collect();
        self.keep(loaded.program.files);
        for part in inside {
            let named = self.waiting.get(&part).cloned().unwrap_or_default();
            let inner = self.load(part.clone(), named.clone(), progress)?.program.files;
            let reaches = inner.iter().any(|it| it.is_foreign && own.contains(&it.path));
            self.keep(inner);
            if reaches {
                self.waiting.remove(&part);
                self.begun.insert(part.clone());
                self.parts.entry(root.clone()).or_default().push(part);
                paths.extend(named);
            }
        }
        self.load(root, paths, progress)
    }

    /// Loads a program that has been loaded before.
    ///
    /// # Errors
    /// As for [`Self::next`].
    pub(crate) fn again(&mut self, root: PathBuf, progress: &Progress) -> Result<Loaded, String> {
        self.load(root, Vec::new(), progress)
    }

    fn load(
        &mut self,
        root: PathBuf,
        mut paths: Vec<PathBuf>,
        progress: &Progress,
    ) -> Result<Loaded, String> {
        let deps = self.dependencies(&root);
        let parts = self.parts.get(&root).cloned().unwrap_or_default();
        paths.push(root.clone());
        paths.extend(parts.iter().chain(&deps).cloned());
        let options = LoadOptions {
            root: self.common.cwd.clone(),
            paths,
            include_tests: self.common.include_tests,
            exclude: self.common.exclude.clone(),
            exclude_from: self.common.exclude_from.as_deref().map(real),
            projects: Some(Arc::clone(&self.projects)),
            texts: Arc::clone(&self.texts),
            parsed: Arc::clone(&self.parsed),
            walked: Arc::clone(&self.walked),
        };
        let mut program = headstart_frontend::load(&options, progress)
            .map_err(|error: LoadError| error.to_string())?;
        // Nobody edits a package that is installed.
        for file in &mut program.files {
            file.is_generated |= deps.iter().any(|folder| file.path.starts_with(folder));
        }
        for nested in std::mem::take(&mut program.nested) {
            if covers(&self.named, &nested) && !self.begun.contains(&nested) {
                let root = self.projects.root_of(&nested).filter(|it| !self.begun.contains(it));
                let waiting =
                    self.waiting.entry(root.unwrap_or_else(|| nested.clone())).or_default();
                if !waiting.contains(&nested) {
                    waiting.push(nested);
                }
            }
        }
        let named = self.named.clone();
        let unread = program.skipped.iter().map(|it| it.path.clone()).find(|it| may_load(it));
        program.skipped.retain(|it| covers(&named, &it.path));
        program.warnings.retain(|it| covers(&named, &it.path));
        Ok(Loaded { program, root, parts, unread, named })
    }

    /// Whether there are programs that have not been loaded yet.
    pub(crate) fn has_more(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Keeps the files of a program that is done with, for those to come. Installed packages are marked
    /// for the program that has them.
    pub(crate) fn keep(&self, files: Vec<SourceFile>) {
        if self.has_more() && self.common.deps.is_empty() {
            self.parsed.keep(files);
        }
    }

    /// The folders of the dependencies that are to be analysed and are installed for a program.
    fn dependencies(&mut self, root: &Path) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        for name in &self.common.deps {
            let above = root.ancestors().chain(self.common.cwd.ancestors());
            let mut installed = above.map(|folder| folder.join("node_modules").join(name));
            if let Some(folder) = installed.find(|folder| folder.is_dir()) {
                folders.push(real(&folder));
                self.missing_deps.retain(|it| it != name);
            }
        }
        folders
    }
}

/// A program, and what of it is to be reported on.
pub(crate) struct Loaded {
    pub(crate) program: Program,
    /// Where it begins, absolute.
    pub(crate) root: PathBuf,
    /// Where the projects inside it begin that are a part of it.
    pub(crate) parts: Vec<PathBuf>,
    /// A file of the program that could not be read, and that may load others and change them.
    pub(crate) unread: Option<PathBuf>,
    named: Vec<PathBuf>,
}

impl Loaded {
    /// The files of the program that somebody writes, and that no import has brought along.
    fn own_code(&self) -> impl Iterator<Item = &SourceFile> {
        self.program.files.iter().filter(|it| !it.is_foreign && !it.is_generated)
    }

    /// Whether a file of the program is to be reported on.
    pub(crate) fn covers(&self, file: &SourceFile) -> bool {
        !file.is_foreign && covers(&self.named, &file.path)
    }
}

/// Whether a file that could not be read or parsed may load others: nothing is known of what it does with them.
fn may_load(path: &Path) -> bool {
    let loads = |text: Vec<u8>| {
        [&b"import"[..], b"require"]
            .iter()
            .any(|word| text.windows(word.len()).any(|it| it == *word))
    };
    headstart_frontend::has_source_extension(path)
        // A pipe would have it wait.
        && path.is_file()
        && std::fs::read(path).map_or(true, loads)
}

fn covers(named: &[PathBuf], path: &Path) -> bool {
    named.iter().any(|it| path.starts_with(it))
}

fn existing(path: &Path) -> Result<PathBuf, String> {
    match std::fs::canonicalize(path) {
        Ok(real) => Ok(real),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(LoadError::NoSuchPath(path.to_path_buf()).to_string())
        }
        // What is wrong with it is said when it is read.
        Err(_) => Ok(path.to_path_buf()),
    }
}

fn not_installed(name: &str) -> String {
    format!("the package `{name}`, named as a dependency to analyse, is not installed; install it")
}
