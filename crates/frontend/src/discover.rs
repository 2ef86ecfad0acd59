//! Finding the source files below the named paths.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use headstart_ir::order;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, WalkBuilder};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use crate::program::LoadOptions;
use crate::project::Projects;

/// Endings of the files that hold code. Type declarations (`.d.ts`) hold none.
const EXTENSIONS: [&str; 8] = ["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts"];

/// What runs JavaScript, as the first line of a script names it.
const RUNTIMES: [&str; 4] = ["node", "nodejs", "bun", "tsx"];

/// So much of a first line is looked at, in bytes.
const LONGEST_SHEBANG: usize = 256;

/// Folders of packages that are installed, never the user's own code.
const INSTALLED: [&str; 3] = ["node_modules", "bower_components", "jspm_packages"];

/// Hidden folders that hold no code of a project: what version control, package managers and builds keep there.
const KEPT_BY_TOOLS: [&str; 20] = [
    ".angular",
    ".cache",
    ".docusaurus",
    ".expo",
    ".git",
    ".hg",
    ".next",
    ".nuxt",
    ".nx",
    ".nyc_output",
    ".output",
    ".parcel-cache",
    ".pnpm-store",
    ".serverless",
    ".svelte-kit",
    ".svn",
    ".turbo",
    ".vercel",
    ".wrangler",
    ".yarn",
];

/// Folders whose files are tests or serve tests.
const TEST_FOLDERS: [&str; 9] =
    ["__tests__", "__mocks__", "__fixtures__", "test", "tests", "spec", "specs", "e2e", "cypress"];

/// What discovery found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// Source files, sorted, each once.
    pub(crate) files: Vec<PathBuf>,
    /// `package.json` files outside installed packages, sorted.
    pub(crate) manifests: Vec<PathBuf>,
    /// Folders outside installed packages that hold a `package.json` or a `tsconfig.json`.
    pub(crate) package_folders: FxHashSet<PathBuf>,
    /// Folders that are projects of their own, and were left out for that.
    pub(crate) nested: Vec<PathBuf>,
    /// Paths that could not be looked at, with the reason.
    pub(crate) problems: Vec<(PathBuf, String)>,
}

impl Found {
    fn take(&mut self, other: &Self) {
        self.files.extend_from_slice(&other.files);
        self.manifests.extend_from_slice(&other.manifests);
        self.package_folders.extend(other.package_folders.iter().cloned());
        self.nested.extend_from_slice(&other.nested);
        self.problems.extend_from_slice(&other.problems);
    }
}

/// What is below the folders that have been walked, for those who load several programs, or one again: they
/// leave out the same, and tell the same projects apart.
#[derive(Debug, Default)]
pub struct Walked(Mutex<FxHashMap<PathBuf, Arc<Found>>>);

impl Walked {
    fn below(&self, folder: &Path, rules: &Arc<Walk>) -> Arc<Found> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let walked =
            known.entry(folder.to_path_buf()).or_insert_with(|| Arc::new(walk(folder, rules)));
        Arc::clone(walked)
    }
}

/// Finds the source files below `paths` (absolute). A file that is named is taken whatever its
/// name says; a folder is walked as git would: ignored files are left out, links are not followed; so
/// is what tools keep in hidden folders, and hidden files that hold no code. Where `options` tell projects apart, so are those below it.
///
/// # Errors
/// A glob of `exclude` that cannot be read.
pub(crate) fn discover(options: &LoadOptions, paths: &[PathBuf]) -> Result<Found, String> {
    let mut found = Found::default();
    let excluded = matcher(options.excluding_folder(), &options.exclude)?;
    let projects = options.projects.clone();
    let rules = Arc::new(Walk { include_tests: options.include_tests, excluded, projects });
    let paths: BTreeSet<&PathBuf> = paths.iter().collect();
    for path in paths {
        if path.is_dir() {
            if !rules.leaves_out(path, options) {
                found.take(&options.walked.below(path, &rules));
            }
        } else if has_source_extension(path) {
            found.files.push(path.clone());
        } else {
            let reason = "not a JavaScript or TypeScript file; name one that ends in \
                          .js, .jsx, .ts, .tsx, .mjs, .cjs, .mts or .cts";
            found.problems.push((path.clone(), reason.to_owned()));
        }
    }
    add_commands(&mut found, &Excluded::of(options)?);
    for list in [&mut found.files, &mut found.manifests, &mut found.nested] {
        order::sort(list);
        list.dedup();
    }
    Ok(found)
}

/// What the configuration leaves out.
#[derive(Debug)]
pub(crate) struct Excluded {
    globs: Gitignore,
    folder: PathBuf,
}

impl Excluded {
    /// # Errors
    /// A glob that cannot be read.
    pub(crate) fn of(options: &LoadOptions) -> Result<Self, String> {
        let folder = options.excluding_folder().to_path_buf();
        Ok(Self { globs: matcher(&folder, &options.exclude)?, folder })
    }

    /// Whether a file, or a folder that it is in, is left out.
    pub(crate) fn has(&self, file: &Path) -> bool {
        file.starts_with(&self.folder)
            && self.globs.matched_path_or_any_parents(file, false).is_ignore()
    }
}

/// What is left out on a walk.
struct Walk {
    include_tests: bool,
    excluded: Gitignore,
    projects: Option<Arc<Projects>>,
}

impl Walk {
    /// Whether the folder that a run stands in is itself excluded: a folder that is named is not.
    fn leaves_out(&self, path: &Path, options: &LoadOptions) -> bool {
        let is_current = std::fs::canonicalize(&options.root).is_ok_and(|it| it == path);
        is_current
            && path.starts_with(options.excluding_folder())
            && self.excluded.matched_path_or_any_parents(path, true).is_ignore()
    }
}

fn walk(folder: &Path, rules: &Arc<Walk>) -> Found {
    let mut found = Found::default();
    let base = folder.to_path_buf();
    let project = rules.projects.as_ref().and_then(|it| it.root_of(folder));
    let nested: Arc<Mutex<Vec<PathBuf>>> = Arc::default();
    let (rules, others) = (Arc::clone(rules), Arc::clone(&nested));
    let walker = WalkBuilder::new(folder)
        .require_git(false)
        .hidden(false)
        // What is committed decides, not what one machine ignores on top of it.
        .git_global(false)
        .git_exclude(false)
        .ignore(false)
        .follow_links(false)
        .filter_entry(move |entry| {
            if !keep(entry, &base, &rules) {
                return false;
            }
            let is_nested = is_of_another_project(entry, project.as_deref(), &rules);
            if is_nested {
                others
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(entry.path().to_path_buf());
            }
            !is_nested
        })
        .build();
    for entry in walker {
        match entry {
            Ok(entry) => note(entry, &mut found),
            Err(error) => found.problems.push((path_of(&error, folder), reason_of(&error))),
        }
    }
    found.nested.append(&mut nested.lock().unwrap_or_else(PoisonError::into_inner));
    found
}

/// Whether a folder begins, or is, a project other than the one that is looked at.
fn is_of_another_project(entry: &DirEntry, project: Option<&Path>, rules: &Walk) -> bool {
    let Some(projects) = &rules.projects else { return false };
    entry.depth() > 0
        && entry.file_type().is_some_and(|kind| kind.is_dir())
        && projects.is_marked(entry.path())
        && projects.root_of(entry.path()).as_deref() != project
}

fn matcher(root: &Path, exclude: &[String]) -> Result<Gitignore, String> {
    let fail = |error: ignore::Error| {
        format!("`exclude` has a glob that cannot be read: {error}; correct it")
    };
    let mut builder = GitignoreBuilder::new(root);
    for glob in exclude {
        builder.add_line(None, glob).map_err(fail)?;
    }
    builder.build().map_err(fail)
}

/// Adds the files that the manifests name under `bin`, where Node runs them and their names do not show
/// it: what the first line says decides.
fn add_commands(found: &mut Found, excluded: &Excluded) {
    let mut commands = Vec::new();
    for manifest in &found.manifests {
        let Some(folder) = manifest.parent() else { continue };
        let named = commands_of(manifest).into_iter().map(|it| folder.join(it));
        // As the walk names files: `./bin/tool` is `bin/tool`.
        let named = named.filter_map(|it| std::fs::canonicalize(it).ok());
        let is_own = |it: &PathBuf| {
            it.starts_with(folder)
                && it.extension().is_none()
                && !it
                    .components()
                    .any(|part| INSTALLED.iter().any(|name| part.as_os_str() == *name))
        };
        commands.extend(named.filter(is_own).filter(|it| !excluded.has(it) && runs_node(it)));
    }
    found.files.extend(commands);
}

/// What a manifest lists under `bin`: one file, or several by the names of their commands.
fn commands_of(manifest: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(manifest).unwrap_or_default();
    let parsed: Option<Value> = serde_json::from_str(crate::source::without_bom(&text)).ok();
    match parsed.as_ref().and_then(|it| it.get("bin")) {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Object(several)) => {
            several.values().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the first line of a file says that Node is to run it, or something that runs what Node does.
fn runs_node(file: &Path) -> bool {
    let mut start = [0; LONGEST_SHEBANG];
    let is_file = std::fs::metadata(file).is_ok_and(|it| it.is_file());
    let mut read = || std::fs::File::open(file).and_then(|mut it| it.read(&mut start)).unwrap_or(0);
    let length = if is_file { read() } else { 0 };
    let text = String::from_utf8_lossy(&start[..length]);
    let line = text.lines().next().unwrap_or_default();
    let words = line.strip_prefix("#!").unwrap_or_default().split([' ', '/', '\t']);
    let mut words = words.filter(|it| !it.is_empty());
    words.any(|it| RUNTIMES.contains(&it))
}

fn note(entry: DirEntry, found: &mut Found) {
    if !entry.file_type().is_some_and(|kind| kind.is_file()) {
        return;
    }
    let path = entry.into_path();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if matches!(name, "package.json" | "tsconfig.json") {
        found.package_folders.extend(path.parent().map(Path::to_path_buf));
        if name == "package.json" {
            found.manifests.push(path);
        }
    } else if has_source_extension(&path) {
        found.files.push(path);
    }
}

fn keep(entry: &DirEntry, base: &Path, rules: &Walk) -> bool {
    if entry.depth() == 0 {
        return true;
    }
    let name = entry.file_name().to_str().unwrap_or_default();
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    // `.releaserc.js` is code of the project; what Yarn writes there is none of it.
    let is_code = || has_source_extension(entry.path()) && !name.starts_with(".pnp.");
    if name.starts_with('.') && !is_folder && !is_code() {
        return false;
    }
    if INSTALLED.contains(&name)
        || KEPT_BY_TOOLS.contains(&name)
        || rules.excluded.matched(entry.path(), is_folder).is_ignore()
    {
        return false;
    }
    if !is_folder && is_minified_name(entry.path()) {
        return false;
    }
    rules.include_tests || entry.path().strip_prefix(base).map_or(true, |path| !is_test_path(path))
}

/// Whether a path ends as files of JavaScript and TypeScript do that hold code.
#[must_use]
pub fn has_source_extension(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    let is_declaration = matches!(extension, "ts" | "mts" | "cts")
        && (stem.ends_with(".d") || stem.rsplit_once(".d.").is_some());
    EXTENSIONS.contains(&extension) && !is_declaration
}

/// Whether a path (relative to the folder that is looked at) is a test or serves tests.
#[must_use]
pub fn is_test_path(relative: &Path) -> bool {
    let in_test_folder = relative.components().any(|component| match component {
        Component::Normal(name) => name.to_str().is_some_and(|name| TEST_FOLDERS.contains(&name)),
        _ => false,
    });
    let name = relative.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    in_test_folder || (has_source_extension(relative) && is_test_name(name))
}

fn is_test_name(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    [".test", ".spec", ".e2e", ".cy", "-test", "-spec", "_test", "_spec"]
        .iter()
        .any(|suffix| stem.ends_with(suffix))
        || matches!(stem, "test" | "spec")
}

/// Whether a file is by its name what a minifier has made of another: `jquery.min.js`.
fn is_minified_name(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    has_source_extension(path) && stem.ends_with(".min")
}

fn path_of(error: &ignore::Error, folder: &Path) -> PathBuf {
    match error {
        ignore::Error::WithPath { path, .. } => path.clone(),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err, folder)
        }
        ignore::Error::Loop { child, .. } => child.clone(),
        _ => folder.to_path_buf(),
    }
}

fn reason_of(error: &ignore::Error) -> String {
    match error.io_error().map(std::io::Error::kind) {
        Some(std::io::ErrorKind::PermissionDenied) => {
            "cannot be read: permission denied; check its mode".to_owned()
        }
        _ => format!("cannot be read: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_told_by_folder_and_by_name() {
        for path in ["test/a.js", "src/__tests__/a.ts", "src/a.test.tsx", "a-spec.js", "test.js"] {
            assert!(is_test_path(Path::new(path)), "{path}");
        }
        for path in ["src/a.js", "src/latest.js", "src/testing.ts", "contest/a.js"] {
            assert!(!is_test_path(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn minified_files_are_told_by_name() {
        assert!(is_minified_name(Path::new("assets/jquery.min.js")));
        for path in ["min.js", "src/a.min.css", "src/admin.js", "src/a.min.test.js"] {
            assert!(!is_minified_name(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn declarations_are_no_source() {
        assert!(has_source_extension(Path::new("a.ts")));
        assert!(has_source_extension(Path::new("a.d.js")));
        assert!(!has_source_extension(Path::new("a.d.ts")));
        assert!(!has_source_extension(Path::new("a.d.css.ts")));
        assert!(!has_source_extension(Path::new("a.css")));
    }
}
