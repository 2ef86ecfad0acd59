//! The whole program: discovery, parsing and resolution put together.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use headstart_ir::order;
use headstart_ir::{FileIr, Resolution};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::discover::{Excluded, Walked, discover};
use crate::foreign::add_foreign;
use crate::nesting::{Need, WORKER_STACK, need};
use crate::parse::{SyntaxError, parse_to_ir};
use crate::progress::{Phase, Progress};
use crate::project::Projects;
use crate::resolve::Resolver;
use crate::source::{content_hash, is_minified, read, without_bom};
use crate::testing::is_test;
use crate::workspace::Workspace;

/// What files hold that are about to be written, by their paths.
pub type Texts = FxHashMap<PathBuf, Arc<str>>;

/// Files that were loaded for another program, each taken from here by the next one that it is part of:
/// nothing but what its imports lead to depends on the program.
#[derive(Debug, Default)]
pub struct Parsed(Mutex<FxHashMap<PathBuf, SourceFile>>);

/// Files with more lines together are not kept.
const MOST_LINES_KEPT: usize = 300_000;

impl Parsed {
    /// Keeps the files of a program that is done with, as many as there is room for.
    pub fn keep(&self, files: Vec<SourceFile>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lines: usize = kept.values().map(|it| it.ir.lines as usize).sum();
        for file in files {
            lines += file.ir.lines as usize;
            if lines > MOST_LINES_KEPT {
                return;
            }
            kept.insert(file.path.clone(), file);
        }
    }

    fn take(&self, path: &Path) -> Option<SourceFile> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(path)
    }
}

/// What to load.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The folder that relative paths start from, absolute. Names of files are relative to it.
    pub root: PathBuf,
    /// Files and folders, absolute or relative to `root`.
    pub paths: Vec<PathBuf>,
    /// Whether to look at tests.
    pub include_tests: bool,
    /// Globs, as in a `.gitignore`, of what to leave out.
    pub exclude: Vec<String>,
    /// The folder of that `.gitignore`, absolute; `root` where none is given.
    pub exclude_from: Option<PathBuf>,
    /// Where given, folders below `paths` that are projects of their own are left out.
    pub projects: Option<Arc<Projects>>,
    /// What counts instead of what these files hold.
    pub texts: Arc<Texts>,
    /// What has been parsed before, and is not parsed again.
    pub parsed: Arc<Parsed>,
    /// What has been walked before, and is not walked again.
    pub walked: Arc<Walked>,
}

impl LoadOptions {
    /// The folder that the globs of `exclude` are relative to.
    pub(crate) fn excluding_folder(&self) -> &Path {
        self.exclude_from.as_deref().unwrap_or(&self.root)
    }
}

/// A program in the IR.
#[derive(Debug, Default)]
pub struct Program {
    /// Its files, sorted by path; behind them those that only imports lead to: of other projects, tests,
    /// what git ignores.
    pub files: Vec<SourceFile>,
    /// Folders below what was named that are projects of their own, and are no part of it.
    pub nested: Vec<PathBuf>,
    /// The files that were not analysed.
    pub skipped: Vec<Skipped>,
    /// What the user should know, though nothing was left out for it.
    pub warnings: Vec<Warning>,
}

/// A file of a program.
#[derive(Debug)]
pub struct SourceFile {
    /// Where it is, absolute.
    pub path: PathBuf,
    /// Its code.
    pub ir: FileIr,
    /// Whether it looks like the output of a program: nobody edits it by hand.
    pub is_generated: bool,
    /// Whether it is no part of what was named, and is here only because imports lead to it: nothing is
    /// reported in it.
    pub is_foreign: bool,
    /// What it is about to hold, where that is no longer what is on the disk, its BOM included.
    pub text: Option<Arc<str>>,
}

/// A file that was not analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Where it is, absolute.
    pub path: PathBuf,
    /// Why, and what to do about it.
    pub reason: String,
    /// Line and column (1-based, in UTF-16 units) of a syntax error.
    pub position: Option<(u32, u32)>,
}

/// What a warning is about, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WarningKind {
    /// The program replaces parts of a module, so that its model does not hold.
    Replaced,
    /// A file changed while it was being looked at.
    Changed,
    /// A `package.json` is no JSON.
    Manifest,
    /// A tsconfig cannot be used.
    Tsconfig,
    /// Packages are not installed.
    Packages,
    /// An import leads to nothing.
    MissingFile,
    /// A file is generated, and nothing is reported in it.
    Generated,
    /// What the configuration says of a function cannot be used.
    Assume,
    /// What runs have shown of the program cannot be used.
    Evidence,
}

/// Something the user should know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Warning {
    /// What it is about.
    pub kind: WarningKind,
    /// The file it is about, absolute.
    pub path: PathBuf,
    /// What is wrong, what that means and what to do about it.
    pub message: String,
}

/// Why nothing could be loaded at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// A path that was named does not exist.
    NoSuchPath(PathBuf),
    /// An option cannot be used.
    BadOption(String),
    /// The threads could not be started.
    Threads(String),
    /// The run was cancelled.
    Cancelled,
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSuchPath(path) => {
                write!(f, "{}: no such file or folder; check the spelling", path.display())
            }
            Self::BadOption(reason) => f.write_str(reason),
            Self::Threads(reason) => {
                write!(f, "threads could not be started: {reason}; free memory and run again")
            }
            Self::Cancelled => f.write_str("interrupted before anything was written"),
        }
    }
}

impl std::error::Error for LoadError {}

/// The threads that a run works on, each with stack enough for the parser.
///
/// # Errors
/// Where the system gives no more threads.
pub fn thread_pool(threads: Option<usize>) -> Result<rayon::ThreadPool, LoadError> {
    let mut builder = rayon::ThreadPoolBuilder::new().stack_size(WORKER_STACK);
    if let Some(threads) = threads {
        builder = builder.num_threads(threads);
    }
    builder.build().map_err(|error| LoadError::Threads(error.to_string()))
}

/// Loads the program that `options` name, on the threads of [`thread_pool`]. A file that cannot
/// be read or parsed is skipped and said so; it never stops the others.
///
/// # Errors
/// A path that does not exist, a glob that cannot be read, or a cancelled run.
pub fn load(options: &LoadOptions, progress: &Progress) -> Result<Program, LoadError> {
    progress.begin(Phase::Finding, 0);
    let paths = existing_paths(options)?;
    let found = discover(options, &paths).map_err(LoadError::BadOption)?;
    progress.begin(Phase::Parsing, found.files.len());
    let mut program = Program { nested: found.nested, ..Program::default() };
    for result in load_files(found.files, options, progress)? {
        match result {
            // What imports lead to is loaded all the same.
            Ok(file)
                if !options.include_tests && !paths.contains(&file.path) && is_test(&file.ir) => {}
            Ok(file) => program.files.push(file),
            Err(skipped) => program.skipped.push(skipped),
        }
    }
    for (path, reason) in found.problems {
        program.skipped.push(Skipped { path, reason, position: None });
    }
    order::sort_by(&mut program.skipped, |a, b| a.path.cmp(&b.path));
    let workspace = Workspace::new(&found.manifests, found.package_folders);
    resolve(&mut program, &workspace, options, progress)?;
    Ok(program)
}

/// Loads files, in parallel; what cannot be loaded comes back with the reason.
///
/// # Errors
/// A cancelled run.
pub(crate) fn load_files(
    files: Vec<PathBuf>,
    options: &LoadOptions,
    progress: &Progress,
) -> Result<Vec<Result<SourceFile, Skipped>>, LoadError> {
    let load = |path: PathBuf| {
        progress.step();
        if progress.is_cancelled() {
            return Err(LoadError::Cancelled);
        }
        Ok(match options.parsed.take(&path) {
            Some(file) => Ok(SourceFile { is_foreign: false, ..file }),
            None => load_file(path, &options.texts),
        })
    };
    files.into_par_iter().map(load).collect()
}

fn existing_paths(options: &LoadOptions) -> Result<Vec<PathBuf>, LoadError> {
    let named = options.paths.iter().map(|path| options.root.join(path));
    named
        .map(|path| match std::fs::canonicalize(&path) {
            Ok(real) => Ok(real),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(LoadError::NoSuchPath(path))
            }
            // What is wrong with it is said when it is read.
            Err(_) => Ok(path),
        })
        .collect()
}

fn load_file(path: PathBuf, texts: &Texts) -> Result<SourceFile, Skipped> {
    let skip = |reason: String| Skipped { path: path.clone(), reason, position: None };
    let instead = texts.get(&path).cloned();
    let whole = match &instead {
        Some(text) => Arc::clone(text),
        None => Arc::from(read(&path).map_err(skip)?),
    };
    let text = without_bom(&whole);
    let hash = content_hash(whole.as_bytes());
    let parsed = match need(text) {
        Need::Worker => parse_to_ir(&path, text, hash),
        Need::Thread(stack) => parse_on_own_thread(&path, text, hash, stack),
        Need::TooDeep => return Err(skip("nested too deeply to be parsed".to_owned())),
    };
    match parsed {
        Ok(ir) => {
            let is_generated = is_minified(text, ir.lines);
            Ok(SourceFile { path, ir, is_generated, is_foreign: false, text: instead })
        }
        Err(error) => {
            let position = Some(line_and_column(text, error.offset));
            Err(Skipped { path, reason: format!("does not parse: {}", error.message), position })
        }
    }
}

fn parse_on_own_thread(
    path: &Path,
    text: &str,
    hash: u64,
    stack: usize,
) -> Result<FileIr, SyntaxError> {
    let no_thread = |_| SyntaxError { message: "no memory for its nesting".to_owned(), offset: 0 };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(stack)
            .spawn_scoped(scope, || parse_to_ir(path, text, hash))
            .map_err(no_thread)?;
        thread.join().unwrap_or_else(|_| {
            Err(SyntaxError { message: "the parser gave up".to_owned(), offset: 0 })
        })
    })
}

fn line_and_column(text: &str, offset: u32) -> (u32, u32) {
    let mut offset = (offset as usize).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let column = before[line_start..].encode_utf16().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

/// Fills in what every module request leads to, and loads what other projects have to do with it.
fn resolve(
    program: &mut Program,
    workspace: &Workspace,
    options: &LoadOptions,
    progress: &Progress,
) -> Result<(), LoadError> {
    let mut resolver = Resolver::new(&program.files, workspace);
    resolver.note_unreadable(program.skipped.iter().map(|it| it.path.clone()));
    resolve_files(&mut program.files, &resolver);
    let excluded = Excluded::of(options).map_err(LoadError::BadOption)?;
    add_foreign(program, &mut resolver, &excluded, options, progress)?;
    program.warnings = resolver.into_warnings();
    program.warnings.extend(workspace.warnings.iter().cloned());
    warn_about_files(program);
    Ok(())
}

/// Fills in what the requests of some files lead to.
pub(crate) fn resolve_files(files: &mut [SourceFile], resolver: &Resolver<'_>) {
    files.par_iter_mut().for_each(|file| {
        let importer = resolver.importer(&file.path);
        file.ir.is_checked = resolver.checks(file);
        file.ir.is_for_es5 = resolver.compiles_to_es5(file);
        file.ir.requires_imports = resolver.compiles_to_require(file);
        file.ir.keeps_narrowing = resolver.keeps_narrowing(file);
        for index in 0..file.ir.requests.len() {
            let request = &file.ir.requests[index];
            let specifier = file.ir.names.get(request.specifier);
            let resolution = resolver.resolve(&importer, specifier, request.kind);
            // What is known of a package is known by its name.
            if resolution == Resolution::Outside && resolver.is_substituted(&importer, specifier) {
                let other = format!("{specifier} (another package, or a changed one)");
                file.ir.requests[index].specifier = file.ir.names.add(&other);
            }
            file.ir.requests[index].resolution = resolution;
        }
    });
}

fn warn_about_files(program: &mut Program) {
    for file in program.files.iter().filter(|file| !file.is_foreign) {
        for request in &file.ir.requests {
            let specifier = file.ir.name(request.specifier);
            if request.resolution == Resolution::Missing && specifier.starts_with('.') {
                program.warnings.push(Warning {
                    kind: WarningKind::MissingFile,
                    path: file.path.clone(),
                    message: format!(
                        "imports `{specifier}`, which does not exist; \
                         what comes from it is taken to do anything"
                    ),
                });
            }
        }
    }
    for file in program.files.iter().filter(|it| it.is_generated && !it.is_foreign) {
        let message = "minified or generated: nothing is reported in it; name it under `exclude` \
                       in the configuration if it is no part of the program";
        program.warnings.push(Warning {
            kind: WarningKind::Generated,
            path: file.path.clone(),
            message: message.to_owned(),
        });
    }
    order::sort(&mut program.warnings);
    program.warnings.dedup();
}
