//! Resolving module requests.
//!
//! Nearly all relative imports name a file of the program, so they are looked up in the list of
//! its files without a system call. The rest goes to `oxc_resolver`, once for each package of the
//! program and specifier.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use headstart_ir::{FileId, Inst, RequestKind, Resolution, Stmt, StmtKind};
use oxc_resolver::{ResolveError, ResolveOptions, TsConfig, TsconfigDiscovery};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::builtins::is_builtin;
use crate::program::{SourceFile, Warning, WarningKind};
use crate::source::without_bom;
use crate::target::{compiles_to_es5, compiles_to_require, nearest_config};
use crate::tsconfigs::{Disk, LeftOut};
use crate::workspace::{Workspace, split_package};

/// Endings tried for a specifier without one, in order. TypeScript comes first: where both are
/// there, the other was compiled from it.
const EXTENSIONS: [&str; 8] = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

/// Folders that packages are compiled into from `src`.
const OUTPUT_FOLDERS: [&str; 4] = ["dist", "lib", "build", "out"];

/// What a written ending may stand for in TypeScript.
const SUBSTITUTES: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".js", ".jsx"]),
    (".jsx", &[".tsx", ".jsx"]),
    (".mjs", &[".mts", ".mjs"]),
    (".cjs", &[".cts", ".cjs"]),
];

/// What looks on the disk.
type OnDisk = oxc_resolver::ResolverGeneric<Disk>;

/// Answers what a specifier leads to.
pub(crate) struct Resolver<'w> {
    files: FxHashMap<Arc<str>, FileId>,
    /// Their paths without endings: of what has none of them, no ending has to be tried.
    stems: FxHashSet<Arc<str>>,
    workspace: &'w Workspace,
    with_tsconfig: OnDisk,
    without_tsconfig: OnDisk,
    /// What Node itself finds for `require`, and for `import`.
    of_node: [OnDisk; 2],
    /// What `tsconfig.json` files extend that stands nowhere.
    left_out: Arc<Mutex<BTreeSet<LeftOut>>>,
    /// Answers for specifiers that are not relative, by folder of the importer's package.
    answers: Mutex<FxHashMap<(PathBuf, String, bool), Resolution>>,
    /// Whether what is installed under a name has another one, by folder of the importer's package.
    substituted: Mutex<FxHashMap<(PathBuf, String), bool>>,
    /// The folders that have been asked whether packages are installed in them.
    with_packages: Mutex<FxHashMap<PathBuf, bool>>,
    /// Whether what a configuration is for is compiled to ECMAScript 5, by its path.
    for_es5: Mutex<FxHashMap<PathBuf, bool>>,
    /// Whether the compiler checks the JavaScript of a folder.
    checked: Mutex<FxHashMap<PathBuf, bool>>,
    /// Files that imports lead to, outside of the program and of installed packages.
    outside: Mutex<FxHashSet<PathBuf>>,
    /// Files that cannot be read or parsed.
    unreadable: FxHashSet<PathBuf>,
    warnings: Mutex<FxHashSet<Warning>>,
    missing_packages: Mutex<FxHashMap<PathBuf, FxHashSet<String>>>,
}

/// The file whose requests are resolved.
pub(crate) struct Importer {
    path: PathBuf,
    folder: String,
    is_typescript: bool,
    package: PathBuf,
}

impl<'w> Resolver<'w> {
    /// A resolver for the program with the given files.
    pub(crate) fn new(files: &[SourceFile], workspace: &'w Workspace) -> Self {
        let disk = Disk::new(workspace.packages().clone());
        let left_out = disk.left_out();
        let options_of_bundlers = options(Some(TsconfigDiscovery::Auto));
        let with_tsconfig = OnDisk::new_with_file_system(disk, options_of_bundlers);
        let without_tsconfig = with_tsconfig.clone_with_options(options(None));
        let of_node =
            ["require", "import"].map(|it| with_tsconfig.clone_with_options(options_of_node(it)));
        let mut resolver = Self {
            files: FxHashMap::default(),
            stems: FxHashSet::default(),
            workspace,
            with_tsconfig,
            without_tsconfig,
            of_node,
            left_out,
            answers: Mutex::default(),
            substituted: Mutex::default(),
            with_packages: Mutex::default(),
            for_es5: Mutex::default(),
            checked: Mutex::default(),
            outside: Mutex::default(),
            unreadable: FxHashSet::default(),
            warnings: Mutex::default(),
            missing_packages: Mutex::default(),
        };
        resolver.extend(files, 0);
        resolver
    }

    /// Takes files into the program: `files` are numbered from `first` on.
    pub(crate) fn extend(&mut self, files: &[SourceFile], first: u32) {
        for (file, id) in files.iter().zip(first..) {
            let path = file.path.to_string_lossy();
            let stem = EXTENSIONS.iter().find_map(|it| path.strip_suffix(it));
            self.stems.extend(stem.map(Arc::from));
            self.files.insert(Arc::from(path), FileId(id));
        }
        // What led outside may now lead to one of them.
        lock(&self.answers).retain(|_, answer| *answer != Resolution::Outside);
    }

    /// Takes note of files that cannot be read or parsed.
    pub(crate) fn note_unreadable(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        self.unreadable.extend(paths);
        lock(&self.answers).retain(|_, answer| *answer != Resolution::Outside);
    }

    /// The file that cannot be read among those that a path (absolute, perhaps without ending) may mean.
    fn is_unreadable(&self, path: &str) -> bool {
        if self.unreadable.is_empty() {
            return false;
        }
        let has = |path: String| self.unreadable.contains(Path::new(&path));
        let ends = |stem: &str| EXTENSIONS.iter().any(|ending| has(format!("{stem}{ending}")));
        let substituted = SUBSTITUTES.iter().any(|(written, substitutes)| {
            let stem = path.strip_suffix(written);
            stem.is_some_and(|stem| substitutes.iter().any(|it| has(format!("{stem}{it}"))))
        });
        has(path.to_owned()) || substituted || ends(path) || ends(&format!("{path}/index"))
    }

    /// The files outside of the program that imports have led to since this was last asked.
    pub(crate) fn take_outside(&self) -> FxHashSet<PathBuf> {
        std::mem::take(&mut lock(&self.outside))
    }

    /// Whether loops of a file are compiled to ECMAScript 5; not told of a file without any.
    pub(crate) fn compiles_to_es5(&self, file: &SourceFile) -> bool {
        let has_loop = |it: &Stmt| matches!(it.kind, StmtKind::Loop { .. });
        let asks = || file.ir.stmts.iter().any(has_loop);
        let Some(config) = self.compiler_config(file, asks) else { return false };
        let mut known = lock(&self.for_es5);
        *known.entry(config.path().to_path_buf()).or_insert_with(|| compiles_to_es5(&config))
    }

    /// Whether `import()` of a file is compiled to `require`; not told of a file without any.
    pub(crate) fn compiles_to_require(&self, file: &SourceFile) -> bool {
        let has_import = |it: &Inst| matches!(it, Inst::DynamicImport { .. });
        let asks = || file.ir.insts.iter().any(has_import);
        self.compiler_config(file, asks).is_some_and(|it| compiles_to_require(&it))
    }

    /// The configuration of the compiler for a TypeScript file of the program, where that has something in it that asks.
    fn compiler_config(
        &self,
        file: &SourceFile,
        asks: impl FnOnce() -> bool,
    ) -> Option<Arc<TsConfig>> {
        let is_compiled = file.ir.is_typescript && !file.is_foreign && asks();
        is_compiled.then(|| self.with_tsconfig.find_tsconfig(&file.path).ok().flatten()).flatten()
    }

    /// Whether the compiler checks a file that is no TypeScript; not told of one that waits for nothing.
    pub(crate) fn checks(&self, file: &SourceFile) -> bool {
        let waits = |it: &Inst| matches!(it, Inst::Await(_));
        if file.ir.is_typescript || file.is_foreign || !file.ir.insts.iter().any(waits) {
            return false;
        }
        let Some(folder) = file.path.parent() else { return false };
        let mut known = lock(&self.checked);
        *known.entry(folder.to_path_buf()).or_insert_with(|| {
            let Some(config) = nearest_config(folder) else { return false };
            let found = self.with_tsconfig.resolve_tsconfig(&config);
            found.is_ok_and(|it| it.compiler_options.check_js == Some(true))
        })
    }

    /// Whether the compiler of a file is one that keeps narrowed types in functions.
    pub(crate) fn keeps_narrowing(&self, file: &SourceFile) -> bool {
        file.ir.is_typescript
            && !file.is_foreign
            && file.path.parent().is_some_and(|it| self.workspace.keeps_narrowing(it))
    }

    /// What is the same for all requests of one file.
    pub(crate) fn importer(&self, path: &Path) -> Importer {
        let folder = path.parent().unwrap_or(path);
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        Importer {
            path: path.to_path_buf(),
            folder: folder.to_string_lossy().into_owned(),
            is_typescript: matches!(extension, "ts" | "tsx" | "mts" | "cts"),
            package: self.workspace.package_folder(folder).to_path_buf(),
        }
    }

    /// What `specifier` leads to when `importer` asks for it.
    pub(crate) fn resolve(
        &self,
        importer: &Importer,
        specifier: &str,
        kind: RequestKind,
    ) -> Resolution {
        // Loaders take `?raw` and the like; the file is the same.
        let bare = specifier.split_once('?').map_or(specifier, |(path, _)| path);
        if bare.starts_with("./") || bare.starts_with("../") || bare == "." || bare == ".." {
            return self.relative(importer, bare, kind);
        }
        if is_builtin(bare) {
            return Resolution::Builtin;
        }
        let is_required = kind == RequestKind::Require;
        let key = (importer.package.clone(), bare.to_owned(), is_required);
        if let Some(&known) = lock(&self.answers).get(&key) {
            return known;
        }
        let resolution = self.named(importer, bare, kind);
        lock(&self.answers).insert(key, resolution);
        resolution
    }

    fn relative(&self, importer: &Importer, specifier: &str, kind: RequestKind) -> Resolution {
        // `import` takes it for an address, in which characters may be written by their numbers.
        if specifier.contains('%') {
            return Resolution::Outside;
        }
        let path = join(&importer.folder, specifier);
        if !names_folder(specifier) {
            if kind != RequestKind::TypeOnly && self.is_open(importer, &path, kind) {
                // Nobody has looked at what is loaded there: it may be any of several.
                return Resolution::Outside;
            }
            if let Some(file) = self.loaded_by_node(importer, &path, kind) {
                return Resolution::File(file);
            }
            if let Some(file) = self.file_in_program(&path, importer.is_typescript) {
                return Resolution::File(file);
            }
        }
        if let Some(found) = self.folder(importer, specifier, &path, kind) {
            return found;
        }
        if let Some(file) = self.source_of_output(&path) {
            return Resolution::File(file);
        }
        if self.is_unreadable(&path) {
            return Resolution::Unreadable;
        }
        if Path::new(&path).is_file() {
            lock(&self.outside).insert(PathBuf::from(path));
            return Resolution::Outside;
        }
        match self.on_disk(importer, specifier, kind) {
            Err(Open) => return Resolution::Outside,
            Ok(Some(found)) => return found,
            Ok(None) => {}
        }
        if has_declaration(&path) { Resolution::Outside } else { Resolution::Missing }
    }

    /// The main file of the folder `path`, where it is part of the program: what its
    /// `package.json` says, else its index file.
    fn folder(
        &self,
        importer: &Importer,
        specifier: &str,
        path: &str,
        kind: RequestKind,
    ) -> Option<Resolution> {
        let index = self.index_in_program(path)?;
        let main = match self.workspace.has_package(Path::new(path)) {
            true => match self.on_disk(importer, specifier, kind) {
                Err(Open) => return Some(Resolution::Outside),
                Ok(main) => main,
            },
            false => None,
        };
        let is_open = main.is_none()
            && kind != RequestKind::TypeOnly
            && self.endings(&format!("{path}/index")).count() > 1;
        if is_open {
            let node = self.files.get(format!("{path}/index.js").as_str());
            let of_node = node.filter(|_| is_of_node(importer, kind));
            return Some(of_node.map_or(Resolution::Outside, |&it| Resolution::File(it)));
        }
        main.filter(|it| *it != Resolution::Outside).or(Some(Resolution::File(index)))
    }

    /// The files of the program that a path without an ending may mean.
    fn endings(&self, path: &str) -> impl Iterator<Item = FileId> {
        let endings: &[&str] = if self.stems.contains(path) { &EXTENSIONS } else { &[] };
        endings
            .iter()
            .filter_map(move |ending| self.files.get(format!("{path}{ending}").as_str()).copied())
    }

    /// The file that Node finds for `require("./path")` in JavaScript (Node, "All together",
    /// `LOAD_AS_FILE`).
    fn loaded_by_node(&self, importer: &Importer, path: &str, kind: RequestKind) -> Option<FileId> {
        if !is_of_node(importer, kind) {
            return None;
        }
        [path.to_owned(), format!("{path}.js")]
            .iter()
            .find_map(|it| self.files.get(it.as_str()))
            .copied()
    }

    /// Whether who loads the file decides what a path without an ending means: each compiler, bundler
    /// and loader tries the endings in an order of its own.
    fn is_open(&self, importer: &Importer, path: &str, kind: RequestKind) -> bool {
        if self.files.contains_key(path) || self.loaded_by_node(importer, path, kind).is_some() {
            return false;
        }
        let mut files = self.endings(path);
        let (Some(_), second) = (files.next(), files.next()) else { return false };
        if second.is_some() || importer.is_typescript {
            return second.is_some();
        }
        // What only a compiler finds stands beside what Node finds.
        let is_script = ["js", "jsx", "mjs", "cjs"]
            .iter()
            .any(|ending| self.files.contains_key(format!("{path}.{ending}").as_str()));
        let has_data = || Path::new(&format!("{path}.json")).is_file();
        !is_script && (self.endings(&format!("{path}/index")).next().is_some() || has_data())
    }

    /// What is built (or will be) is compiled from the file of the same name below `src`.
    fn source_of_output(&self, path: &str) -> Option<FileId> {
        OUTPUT_FOLDERS.iter().find_map(|folder| {
            let at = path.rfind(&format!("/{folder}/"))?;
            let (package, rest) = (&path[..at], &path[at + folder.len() + 2..]);
            // With or without the folder that the compiler has left out.
            self.in_program(&format!("{package}/src/{rest}"), true)
                .or_else(|| self.in_program(&format!("{package}/{rest}"), true))
        })
    }

    /// The file of the program that `path` (absolute, perhaps without ending) names, or the index
    /// file of the folder that it names.
    fn in_program(&self, path: &str, is_typescript: bool) -> Option<FileId> {
        self.file_in_program(path, is_typescript).or_else(|| self.index_in_program(path))
    }

    fn file_in_program(&self, path: &str, is_typescript: bool) -> Option<FileId> {
        let file = |path: &str| self.files.get(path).copied();
        if !is_typescript && let Some(found) = file(path) {
            return Some(found);
        }
        for (written, substitutes) in SUBSTITUTES {
            if let Some(stem) = path.strip_suffix(written) {
                let found = substitutes.iter().find_map(|ending| file(&format!("{stem}{ending}")));
                if found.is_some() {
                    return found;
                }
            }
        }
        file(path).or_else(|| self.endings(path).next())
    }

    fn index_in_program(&self, path: &str) -> Option<FileId> {
        self.endings(&format!("{path}/index")).next()
    }

    fn named(&self, importer: &Importer, specifier: &str, kind: RequestKind) -> Resolution {
        let Ok(on_disk) = self.on_disk(importer, specifier, kind) else {
            return Resolution::Outside;
        };
        let found = on_disk
            .filter(|found| *found != Resolution::Outside)
            .or_else(|| self.in_workspace(importer, specifier))
            .or(on_disk);
        let is_file = matches!(found, Some(Resolution::File(_)));
        if !is_file && self.is_substituted(importer, specifier) {
            return Resolution::Outside;
        }
        if let Some(found) = found {
            return found;
        }
        if kind != RequestKind::TypeOnly && could_be_package(specifier) {
            let (name, _) = split_package(specifier);
            lock(&self.missing_packages)
                .entry(importer.package.clone())
                .or_default()
                .insert(name.to_owned());
        }
        Resolution::Missing
    }

    /// Whether another package is installed under the name of one: a manifest of the program says so, or its own.
    pub(crate) fn is_substituted(&self, importer: &Importer, specifier: &str) -> bool {
        if !could_be_package(specifier) {
            return false;
        }
        if self.workspace.is_substituted(specifier) {
            return true;
        }
        let (name, _) = split_package(specifier);
        let key = (importer.package.clone(), name.to_owned());
        if let Some(&known) = lock(&self.substituted).get(&key) {
            return known;
        }
        let found = self.installed_name(Path::new(&importer.folder), name);
        let found = found.is_some_and(|it| it != name);
        lock(&self.substituted).insert(key, found);
        found
    }

    /// The name that a package gives itself that is installed under a name, as seen from a folder.
    fn installed_name(&self, folder: &Path, name: &str) -> Option<String> {
        let mut with = folder.ancestors().filter(|it| self.has_packages(it));
        let manifest = with.find_map(|it| {
            let installed = it.join("node_modules").join(name).join("package.json");
            std::fs::read_to_string(installed).ok()
        })?;
        let manifest: serde_json::Value = serde_json::from_str(without_bom(&manifest)).ok()?;
        Some(manifest.get("name")?.as_str()?.to_owned())
    }

    /// Whether packages are installed in a folder.
    fn has_packages(&self, folder: &Path) -> bool {
        let mut known = lock(&self.with_packages);
        if let Some(&known) = known.get(folder) {
            return known;
        }
        let found = folder.join("node_modules").is_dir();
        known.insert(folder.to_path_buf(), found);
        found
    }

    /// A package of the program itself, installed or not. What it exports is usually compiled, so
    /// where that is not there, its source is meant.
    fn in_workspace(&self, importer: &Importer, specifier: &str) -> Option<Resolution> {
        let (folder, rest) = self.workspace.package(specifier)?;
        let exported = self.workspace.exported(folder, rest);
        let folder = folder.to_string_lossy();
        let exported = exported.map(|it| format!("{folder}/{it}"));
        let candidates = if rest.is_empty() {
            vec![
                format!("{folder}/src/index"),
                format!("{folder}/src/main"),
                format!("{folder}/index"),
            ]
        } else {
            vec![format!("{folder}/{rest}"), format!("{folder}/src/{rest}")]
        };
        candidates
            .iter()
            .find_map(|path| self.in_program(path, importer.is_typescript))
            .or_else(|| self.source_of_output(&format!("{folder}/{rest}")))
            .or_else(|| {
                let path = exported.as_deref()?;
                self.in_program(path, importer.is_typescript)
                    .or_else(|| self.source_of_output(path))
            })
            .map(Resolution::File)
            .or(Some(Resolution::Package))
    }

    /// What the file system says; none where nothing is found. Where Node finds another file of the
    /// program than bundlers do (`require` and `import` under `exports`, `main` and `module`), Node
    /// decides for JavaScript, and nobody for what is compiled first.
    fn on_disk(
        &self,
        importer: &Importer,
        specifier: &str,
        kind: RequestKind,
    ) -> Result<Option<Resolution>, Open> {
        let found = self.of_bundlers(importer, specifier);
        let Some(Resolution::File(file)) = found.filter(|_| kind != RequestKind::TypeOnly) else {
            return Ok(found);
        };
        let of_node = &self.of_node[usize::from(kind != RequestKind::Require)];
        let folder = importer.path.parent().unwrap_or(&importer.path);
        let in_program = |it: oxc_resolver::Resolution| {
            self.files.get(it.path().to_string_lossy().as_ref()).copied()
        };
        match of_node.resolve(folder, specifier).ok().and_then(in_program) {
            Some(other) if other != file && importer.is_typescript => Err(Open),
            Some(other) => Ok(Some(Resolution::File(other))),
            None => Ok(found),
        }
    }

    fn of_bundlers(&self, importer: &Importer, specifier: &str) -> Option<Resolution> {
        let found = match self.with_tsconfig.resolve_file(&importer.path, specifier) {
            Err(error) if is_tsconfig_error(&error) => {
                self.warn_tsconfig(importer, &error);
                self.without_tsconfig.resolve_file(&importer.path, specifier)
            }
            other => other,
        };
        match found {
            Ok(resolution) => {
                let path = resolution.path();
                let in_package = path.components().any(|part| part.as_os_str() == "node_modules");
                let text = path.to_string_lossy();
                Some(match self.files.get(text.as_ref()) {
                    Some(&file) => Resolution::File(file),
                    None if in_package => Resolution::Package,
                    None if self.unreadable.contains(path) => Resolution::Unreadable,
                    None => {
                        lock(&self.outside).insert(path.to_path_buf());
                        Resolution::Outside
                    }
                })
            }
            Err(ResolveError::Builtin { .. }) => Some(Resolution::Builtin),
            Err(ResolveError::Ignored(_)) => Some(Resolution::Outside),
            Err(_) => None,
        }
    }

    fn warn_tsconfig(&self, importer: &Importer, error: &ResolveError) {
        if let ResolveError::Json(json) = error {
            let message = format!(
                "cannot be read as JSON: {}; what it says of entries and packages is not followed: \
                 correct it",
                json.message
            );
            let path = json.path.clone();
            lock(&self.warnings).insert(Warning { kind: WarningKind::Tsconfig, path, message });
            return;
        }
        let path = match error {
            ResolveError::TsconfigLoadFailed { path, .. }
            | ResolveError::TsconfigNotFound(path)
            | ResolveError::TsconfigSelfReference(path)
                if path.is_absolute() =>
            {
                path.clone()
            }
            _ => importer.package.join("tsconfig.json"),
        };
        let message = format!(
            "cannot be used ({error}); its `paths` are not followed: \
             install the packages it extends, or correct it"
        );
        lock(&self.warnings).insert(Warning { kind: WarningKind::Tsconfig, path, message });
    }

    /// The warnings that came up, in any order.
    pub(crate) fn into_warnings(self) -> Vec<Warning> {
        let mut warnings: Vec<Warning> = unlocked(self.warnings).into_iter().collect();
        warnings.extend(lock(&self.left_out).iter().map(|it| Warning {
            kind: WarningKind::Tsconfig,
            path: it.by.clone(),
            message: format!(
                "extends `{}`, which is not installed; what that says of `paths` is not followed: \
                 install it",
                it.name
            ),
        }));
        let missing = unlocked(self.missing_packages);
        let manifest =
            missing.keys().map(|it| it.join("package.json")).filter(|it| it.is_file()).min();
        if let Some(path) = manifest {
            let names: BTreeSet<&str> = missing.values().flatten().map(String::as_str).collect();
            let shown: Vec<&str> = names.iter().take(3).copied().collect();
            let more = match names.len().saturating_sub(3) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            warnings.push(Warning {
                kind: WarningKind::Packages,
                path,
                message: format!(
                    "not installed: {}{more}; calls into packages that have no model may do \
                     anything",
                    shown.join(", ")
                ),
            });
        }
        warnings
    }
}

fn options(tsconfig: Option<TsconfigDiscovery>) -> ResolveOptions {
    let owned = |items: &[&str]| items.iter().map(|&item| item.to_owned()).collect();
    let mut extensions: Vec<String> = owned(&EXTENSIONS);
    extensions.extend([".json".to_owned(), ".node".to_owned(), ".d.ts".to_owned()]);
    ResolveOptions {
        tsconfig,
        extensions,
        extension_alias: SUBSTITUTES
            .iter()
            .map(|(written, substitutes)| ((*written).to_owned(), owned(substitutes)))
            .collect(),
        condition_names: owned(&["node", "node-addons", "import", "require", "default", "types"]),
        main_fields: owned(&["module", "main", "types"]),
        builtin_modules: true,
        ..ResolveOptions::default()
    }
}

/// Which file is meant depends on who loads it.
#[derive(Debug)]
struct Open;

/// What Node itself goes by: `main`, and the conditions of the way it is asked.
fn options_of_node(condition: &str) -> ResolveOptions {
    let owned = |items: &[&str]| items.iter().map(|&item| item.to_owned()).collect();
    ResolveOptions {
        extensions: owned(&[".js", ".json", ".node"]),
        condition_names: owned(&["node", "node-addons", "module-sync", condition, "default"]),
        main_fields: owned(&["main"]),
        builtin_modules: true,
        ..ResolveOptions::default()
    }
}

/// Whether Node itself answers a request: `require` in JavaScript.
fn is_of_node(importer: &Importer, kind: RequestKind) -> bool {
    !importer.is_typescript && kind == RequestKind::Require
}

/// Whether a specifier can name a package, and is no alias such as `@/x`, `~/x` or `#x`, and no
/// address such as `https://x` or `virtual:x`.
fn could_be_package(specifier: &str) -> bool {
    let name = specifier.strip_prefix('@').unwrap_or(specifier);
    name.starts_with(|first: char| first.is_ascii_alphanumeric()) && !name.contains(':')
}

/// Whether a relative specifier names a folder and cannot mean the file beside it: `..`, `./a/`.
fn names_folder(specifier: &str) -> bool {
    matches!(specifier.rsplit('/').next(), Some("" | "." | ".."))
}

/// Whether `path` has types and perhaps no code: it may be written with the ending of the code.
fn has_declaration(path: &str) -> bool {
    const WRITTEN: [(&str, &str); 5] = [
        ("", ".d.ts"),
        (".js", ".d.ts"),
        (".jsx", ".d.ts"),
        (".mjs", ".d.mts"),
        (".cjs", ".d.cts"),
    ];
    WRITTEN.iter().any(|(written, ending)| {
        let stem = path.strip_suffix(written);
        stem.is_some_and(|stem| Path::new(&format!("{stem}{ending}")).is_file())
    })
}

fn is_tsconfig_error(error: &ResolveError) -> bool {
    matches!(
        error,
        ResolveError::TsconfigNotFound(_)
            | ResolveError::TsconfigSelfReference(_)
            | ResolveError::TsconfigCircularExtend(_)
            | ResolveError::TsconfigLoadFailed { .. }
            | ResolveError::Json(_)
    )
}

/// `folder/specifier` with `.` and `..` worked out on the text.
fn join(folder: &str, specifier: &str) -> String {
    let mut path = folder.trim_end_matches('/').to_owned();
    for part in specifier.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                let end = path.rfind('/').unwrap_or(0);
                path.truncate(end);
            }
            part => {
                path.push('/');
                path.push_str(part);
            }
        }
    }
    path
}

/// The content of a mutex. Another thread's panic leaves these maps whole.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unlocked<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_worked_out() {
        assert_eq!(join("/a/b", "./c"), "/a/b/c");
        assert_eq!(join("/a/b", "../c/d"), "/a/c/d");
        assert_eq!(join("/a", "../../c"), "/c");
        assert_eq!(join("/a/b", ".."), "/a");
    }

    #[test]
    fn builtin_modules_are_known_with_and_without_prefix() {
        for name in ["fs", "node:fs", "fs/promises", "node:test", "path"] {
            assert!(is_builtin(name), "{name}");
        }
        for name in ["fs-extra", "./fs", "paths", "path/x"] {
            assert!(!is_builtin(name), "{name}");
        }
    }
}
