//! The packages of the program itself: every `package.json` outside `node_modules`.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use crate::program::{Warning, WarningKind};
use crate::source::without_bom;
use crate::substituted;
use crate::target;

/// The packages of the program by name and by folder.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    by_name: FxHashMap<String, PathBuf>,
    /// What the packages in these folders export.
    exports: FxHashMap<PathBuf, Value>,
    folders: FxHashSet<PathBuf>,
    /// The names under which something else is installed.
    substituted: FxHashSet<String>,
    /// Whether the TypeScript that a manifest in these folders asks for keeps narrowed types in functions.
    compilers: FxHashMap<PathBuf, bool>,
    /// The manifests that are no JSON.
    pub(crate) warnings: Vec<Warning>,
}

impl Workspace {
    /// Reads the names of the given `package.json` files. One that cannot be read names nothing, and is
    /// warned of.
    /// `folders` are those that hold a `package.json` or a `tsconfig.json`.
    pub(crate) fn new(manifests: &[PathBuf], folders: FxHashSet<PathBuf>) -> Self {
        let mut workspace = Self { folders, ..Self::default() };
        for path in manifests {
            let Some(folder) = path.parent() else {
                continue;
            };
            let Ok(text) = std::fs::read_to_string(path) else {
                continue;
            };
            match serde_json::from_str::<Value>(without_bom(&text)) {
                Ok(manifest) => {
                    substituted::collect(&manifest, folder, &mut workspace.substituted);
                    if let Some(is_recent) = target::asks_for_narrowing(&manifest) {
                        workspace.compilers.insert(folder.to_path_buf(), is_recent);
                    }
                    if let Some(exports) = manifest.get("exports") {
                        workspace.exports.insert(folder.to_path_buf(), exports.clone());
                    }
                    if let Some(name) = manifest.get("name").and_then(Value::as_str) {
                        let entry = workspace.by_name.entry(name.to_owned());
                        entry.or_insert_with(|| folder.to_path_buf());
                    }
                }
                Err(error) => workspace.warnings.push(unreadable(path, &error)),
            }
        }
        workspace
    }

    /// The folders of the packages, by name.
    pub(crate) fn packages(&self) -> &FxHashMap<String, PathBuf> {
        &self.by_name
    }

    /// Whether what is installed under the name of a package may be something else.
    pub(crate) fn is_substituted(&self, specifier: &str) -> bool {
        self.substituted.contains(split_package(specifier).0)
    }

    /// The nearest folder at or above `folder` with a `package.json` or a `tsconfig.json`, else
    /// `folder` itself: within it, a specifier that is not relative always means the same.
    pub(crate) fn package_folder<'f>(&self, folder: &'f Path) -> &'f Path {
        folder.ancestors().find(|it| self.folders.contains(*it)).unwrap_or(folder)
    }

    /// Whether the nearest manifest that asks for TypeScript asks for one that keeps narrowed types in functions.
    pub(crate) fn keeps_narrowing(&self, folder: &Path) -> bool {
        folder.ancestors().find_map(|it| self.compilers.get(it)).copied().unwrap_or(false)
    }

    /// Whether a `package.json` or a `tsconfig.json` stands in the folder.
    pub(crate) fn has_package(&self, folder: &Path) -> bool {
        self.folders.contains(folder)
    }

    /// What the package in a folder exports under a path inside it, relative to the folder.
    pub(crate) fn exported(&self, folder: &Path, inside: &str) -> Option<String> {
        exported(self.exports.get(folder)?, inside)
    }

    /// The folder of the package that `specifier` names, and the path inside it (`""` for the
    /// package itself).
    pub(crate) fn package<'a>(&self, specifier: &'a str) -> Option<(&Path, &'a str)> {
        let (name, rest) = split_package(specifier);
        self.by_name.get(name).map(|folder| (folder.as_path(), rest))
    }
}

fn unreadable(path: &Path, error: &serde_json::Error) -> Warning {
    let message = format!(
        "cannot be read as JSON: {error}; what it says of the package (`type`, `exports`, `bin`, \
         `workspaces`) is not followed: correct it"
    );
    Warning { kind: WarningKind::Manifest, path: path.to_path_buf(), message }
}

/// The file that a package exports under a path inside it (`""` for the package itself), relative to its
/// folder: the first that any condition gives, but for types.
fn exported(exports: &Value, inside: &str) -> Option<String> {
    let key = if inside.is_empty() { ".".to_owned() } else { format!("./{inside}") };
    let target = match exports {
        Value::Object(all) if all.keys().any(|it| it.starts_with('.')) => match all.get(&key) {
            Some(target) => first_target(target).map(str::to_owned),
            None => all.iter().find_map(|(pattern, target)| {
                let (before, behind) = pattern.split_once('*')?;
                let star = key.strip_prefix(before)?.strip_suffix(behind)?;
                Some(first_target(target)?.replace('*', star))
            }),
        },
        one if inside.is_empty() => first_target(one).map(str::to_owned),
        _ => None,
    };
    target.map(|it| it.trim_start_matches("./").to_owned())
}

fn first_target(target: &Value) -> Option<&str> {
    match target {
        Value::String(path) => Some(path),
        Value::Array(all) => all.iter().find_map(first_target),
        Value::Object(conditions) => {
            let mut of_code = conditions.iter().filter(|(name, _)| !name.starts_with("types"));
            of_code.find_map(|(_, it)| first_target(it))
        }
        _ => None,
    }
}

/// Splits `@scope/name/path` into package name and the path behind it.
pub(crate) fn split_package(specifier: &str) -> (&str, &str) {
    let parts = if specifier.starts_with('@') { 2 } else { 1 };
    let end =
        specifier.match_indices('/').nth(parts - 1).map_or(specifier.len(), |(index, _)| index);
    (&specifier[..end], specifier[end..].trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_names_end_at_the_right_slash() {
        assert_eq!(split_package("a"), ("a", ""));
        assert_eq!(split_package("a/b/c"), ("a", "b/c"));
        assert_eq!(split_package("@a/b"), ("@a/b", ""));
        assert_eq!(split_package("@a/b/c"), ("@a/b", "c"));
    }
}
