//! Where a program begins: the project that a path belongs to.
//!
//! The project of a folder is the nearest folder at or above it that holds a `package.json`, the
//! list of a workspace or `.git`. A package that a workspace above it lists belongs to the workspace.
//! A `package.json` that says no more than how its files are loaded (`{"type": "module"}`, as below
//! `dist/esm`) belongs to the package around it, where there is one.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

/// The files that make their folder the root of a project.
const MANIFEST: &str = "package.json";
const PNPM: &str = "pnpm-workspace.yaml";
const LERNA: &str = "lerna.json";
const REPOSITORY: &str = ".git";

/// What a `package.json` says of how its files are loaded: one that says nothing else makes no
/// project of its own.
const LOADING: [&str; 12] = [
    "$schema",
    "browser",
    "exports",
    "imports",
    "main",
    "module",
    "react-native",
    "sideEffects",
    "type",
    "types",
    "typings",
    "unpkg",
];

/// A larger manifest is none.
const LARGEST_MANIFEST: u64 = 4 << 20;

/// Says which project a folder belongs to; remembers what it has read.
#[derive(Debug, Default)]
pub struct Projects {
    /// The root that the configuration names: whatever lies in it belongs to it.
    given: Option<PathBuf>,
    seen: Mutex<FxHashMap<PathBuf, Arc<Marks>>>,
}

/// What a folder holds that is about projects.
#[derive(Debug, Default)]
struct Marks {
    manifest: Option<Manifest>,
    /// It names packages below it, or is where a repository begins.
    is_root: bool,
    is_repository: bool,
    listed: Option<Listed>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manifest {
    Package,
    /// It only says how files are loaded.
    Loading,
}

/// The packages that a workspace lists, by globs relative to it.
#[derive(Debug)]
struct Listed {
    with: Gitignore,
    without: Gitignore,
}

impl Projects {
    /// Projects as the file system has them, but for what lies in `given` (absolute, with links
    /// resolved): all of that is one project.
    #[must_use]
    pub fn new(given: Option<PathBuf>) -> Self {
        Self { given, seen: Mutex::default() }
    }

    /// The root of the project that `folder` (absolute, with links resolved) belongs to; none where
    /// nothing at or above it begins a project.
    #[must_use]
    pub fn root_of(&self, folder: &Path) -> Option<PathBuf> {
        if let Some(given) = self.given.as_deref().filter(|it| folder.starts_with(it)) {
            return Some(given.to_path_buf());
        }
        let nearest = self.nearest(folder)?;
        let has_manifest = self.marks(nearest).manifest.is_some();
        let workspace = if has_manifest { self.workspace_of(nearest) } else { None };
        Some(workspace.unwrap_or(nearest).to_path_buf())
    }

    /// Whether a folder may be the root of a project.
    pub(crate) fn is_marked(&self, folder: &Path) -> bool {
        let marks = self.marks(folder);
        marks.is_root || marks.manifest.is_some()
    }

    fn nearest<'f>(&self, folder: &'f Path) -> Option<&'f Path> {
        let mut outermost = None;
        for at in folder.ancestors() {
            let marks = self.marks(at);
            match marks.manifest {
                Some(Manifest::Package) => return Some(at),
                Some(Manifest::Loading) => outermost = Some(at),
                None => {}
            }
            if marks.is_root {
                return outermost.or(Some(at));
            }
        }
        outermost
    }

    /// The nearest workspace above a package that lists it, in the same repository.
    fn workspace_of<'f>(&self, package: &'f Path) -> Option<&'f Path> {
        for at in package.ancestors().skip(1) {
            let marks = self.marks(at);
            let way = package.strip_prefix(at).unwrap_or(package);
            if marks.listed.as_ref().is_some_and(|it| it.lists(way)) {
                return Some(at);
            }
            if marks.is_repository {
                return None;
            }
        }
        None
    }

    fn marks(&self, folder: &Path) -> Arc<Marks> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = seen.get(folder) {
            return Arc::clone(known);
        }
        let marks = Arc::new(Marks::read(folder));
        seen.insert(folder.to_path_buf(), Arc::clone(&marks));
        marks
    }
}

impl Marks {
    fn read(folder: &Path) -> Self {
        let manifest = read(&folder.join(MANIFEST)).map(|text| parse(&text));
        let mut globs = manifest.as_ref().map(globs_of_manifest).unwrap_or_default();
        let pnpm = read(&folder.join(PNPM));
        let lerna = read(&folder.join(LERNA));
        globs.extend(pnpm.as_deref().map(globs_of_pnpm).unwrap_or_default());
        if let Some(text) = &lerna {
            globs.extend(globs_of_lerna(&parse(text), globs.is_empty()));
        }
        let is_repository = folder.join(REPOSITORY).exists();
        Self {
            manifest: manifest.as_ref().map(Manifest::of),
            is_root: is_repository || pnpm.is_some() || lerna.is_some(),
            is_repository,
            listed: (!globs.is_empty()).then(|| Listed::new(&globs)),
        }
    }
}

impl Manifest {
    fn of(manifest: &Option<Map<String, Value>>) -> Self {
        let only_loading =
            |it: &Map<String, Value>| it.keys().all(|key| LOADING.contains(&key.as_str()));
        // One that does not parse is somebody's package in the middle of an edit.
        match manifest.as_ref().is_some_and(only_loading) {
            true => Self::Loading,
            false => Self::Package,
        }
    }
}

impl Listed {
    fn new(globs: &[String]) -> Self {
        let (mut with, mut without) = (GitignoreBuilder::new(""), GitignoreBuilder::new(""));
        for glob in globs {
            let (builder, glob) = match glob.strip_prefix('!') {
                Some(rest) => (&mut without, rest),
                None => (&mut with, glob.as_str()),
            };
            let glob = glob.trim_start_matches("./").trim_matches('/');
            // A glob that cannot be read lists nothing; the package manager complains about it.
            let _ = builder.add_line(None, &format!("/{glob}"));
        }
        let build = |it: GitignoreBuilder| it.build().unwrap_or_else(|_| Gitignore::empty());
        Self { with: build(with), without: build(without) }
    }

    fn lists(&self, way: &Path) -> bool {
        self.with.matched(way, true).is_ignore() && !self.without.matched(way, true).is_ignore()
    }
}

/// The text of a regular file; none where there is none that can be read.
fn read(path: &Path) -> Option<String> {
    let kind = std::fs::metadata(path).ok()?;
    let fits = kind.is_file() && kind.len() <= LARGEST_MANIFEST;
    fits.then(|| std::fs::read_to_string(path).unwrap_or_default())
}

fn parse(text: &str) -> Option<Map<String, Value>> {
    serde_json::from_str(crate::source::without_bom(text)).ok()
}

/// `workspaces` of npm and yarn: a list, or an object with the list under `packages`.
fn globs_of_manifest(manifest: &Option<Map<String, Value>>) -> Vec<String> {
    let field = manifest.as_ref().and_then(|it| it.get("workspaces"));
    strings(field.map(|it| it.get("packages").unwrap_or(it)))
}

/// Lerna lists packages itself, unless it leaves that to the package manager.
fn globs_of_lerna(lerna: &Option<Map<String, Value>>, is_alone: bool) -> Vec<String> {
    match lerna.as_ref().and_then(|it| it.get("packages")) {
        None if is_alone => vec!["packages/*".to_owned()],
        listed => strings(listed),
    }
}

/// The list of strings under `packages`: all that such a file needs to be read for. A parser of the
/// whole of YAML would make the addon larger than it may be.
fn globs_of_pnpm(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| without_comment(line).trim_end());
    let mut rest = lines.filter(|line| !line.is_empty());
    let Some(first) = rest.find_map(|line| line.strip_prefix("packages:")) else {
        return Vec::new();
    };
    match first.trim_start().strip_prefix('[') {
        Some(start) => {
            let lines: Vec<&str> = std::iter::once(start).chain(rest).collect();
            let all = lines.join(" ");
            let list = all.split(']').next().unwrap_or_default();
            list.split(',').map(unquoted).filter(|glob| !glob.is_empty()).collect()
        }
        None => rest.map_while(|line| line.trim_start().strip_prefix('-')).map(unquoted).collect(),
    }
}

/// A line of YAML up to its comment, which begins behind a space or with the line.
fn without_comment(line: &str) -> &str {
    let starts = line.match_indices('#').map(|(at, _)| at);
    let mut starts = starts.filter(|&at| at == 0 || line[..at].ends_with([' ', '\t']));
    starts.next().map_or(line, |at| &line[..at])
}

fn unquoted(text: &str) -> String {
    let text = text.trim();
    let inner = ['"', '\'']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote).and_then(|it| it.strip_suffix(quote)));
    inner.unwrap_or(text).to_owned()
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packages_of_pnpm_are_read_in_all_ways_that_lists_are_written() {
        let expected = ["packages/*", "!**/test/**", "apps/a#b"];
        let texts = [
            "packages:\n  - 'packages/*'\n  - \"!**/test/**\"\n  - apps/a#b\n",
            "catalog:\n  x: 1\n\npackages: # all\n\n# these\n- packages/* # one\n- '!**/test/**'\n- apps/a#b\nother:\n  - x\n",
            "packages: ['packages/*', \"!**/test/**\", apps/a#b]\r\nother: []\r\n",
            "packages: [\n  'packages/*', # one\n  '!**/test/**',\n  apps/a#b,\n]\nother: [x]\n",
        ];
        for text in texts {
            assert_eq!(globs_of_pnpm(text), expected, "{text}");
        }
        for text in ["", "other:\n  - x\n", "packages:\n", "packages: []\n"] {
            assert_eq!(globs_of_pnpm(text), Vec::<String>::new(), "{text}");
        }
    }
}
