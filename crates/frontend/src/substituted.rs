//! Packages that are not what their names say: others are installed under these names, or they are patched.
//! What is known of the packages says nothing of those.

use std::path::Path;

use rustc_hash::FxHashSet;
use serde_json::Value;

/// The fields of a manifest that say which version of a package is installed.
pub(crate) const DEPENDENCIES: [&str; 4] =
    ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/// The fields that say it for all packages that are installed with this one; in those of npm further tables may stand.
const OVERRIDES: [&str; 2] = ["overrides", "resolutions"];

/// The folder that patch-package reads its patches from.
const PATCHES: &str = "patches";

/// How tables of overrides may stand in one another.
const DEEPEST: u32 = 8;

/// Adds the names that a manifest, or the patches beside it, give to something else.
pub(crate) fn collect(manifest: &Value, folder: &Path, names: &mut FxHashSet<String>) {
    for field in DEPENDENCIES {
        collect_table(manifest.get(field), names, 1);
    }
    let of_pnpm = manifest.get("pnpm");
    for field in OVERRIDES {
        collect_table(manifest.get(field), names, DEEPEST);
        collect_table(of_pnpm.and_then(|it| it.get(field)), names, DEEPEST);
    }
    let patched = of_pnpm.and_then(|it| it.get("patchedDependencies")).and_then(Value::as_object);
    names.extend(patched.into_iter().flatten().map(|(key, _)| name_of(key).to_owned()));
    // `fs-extra+11.2.0.patch`, `@scope+name+1.0.0.patch`
    for entry in std::fs::read_dir(folder.join(PATCHES)).into_iter().flatten().flatten() {
        let file = entry.file_name();
        let Some(stem) = file.to_str().and_then(|it| it.strip_suffix(".patch")) else { continue };
        let mut parts = stem.split('+');
        let name = match (parts.next(), parts.next()) {
            (Some(scope), Some(name)) if scope.starts_with('@') => format!("{scope}/{name}"),
            (Some(name), _) => name.to_owned(),
            (None, _) => continue,
        };
        names.insert(name);
    }
}

fn collect_table(table: Option<&Value>, names: &mut FxHashSet<String>, depth: u32) {
    let (Some(depth), Some(Value::Object(table))) = (depth.checked_sub(1), table) else { return };
    for (key, value) in table {
        let name = name_of(key);
        match value {
            Value::String(version) if is_other(name, version) => {
                names.insert(name.to_owned());
            }
            Value::Object(_) => collect_table(Some(value), names, depth),
            _ => {}
        }
    }
}

/// The package that a key of a table is about: `a@1`, `parent/a`, `parent>a`, `**/a`.
fn name_of(key: &str) -> &str {
    let last = key.rsplit('>').next().unwrap_or(key).trim();
    let bare = match last.strip_prefix('@') {
        Some(scoped) => scoped.find('@').map_or(last, |it| &last[..=it]),
        None => last.find('@').map_or(last, |it| &last[..it]),
    };
    let (before, name) = bare.rsplit_once('/').unwrap_or(("", bare));
    let scope = before.rsplit_once('/').map_or(before, |it| it.1);
    if scope.starts_with('@') { &bare[bare.len() - scope.len() - name.len() - 1..] } else { name }
}

/// Whether what is installed is not what the registry has under the name: it comes from elsewhere, or under another
/// name.
fn is_other(name: &str, version: &str) -> bool {
    let (protocol, rest) = version.split_once(':').unwrap_or(("", version));
    match protocol {
        "npm" => {
            name_of(rest.trim_start_matches('/')) != name
                && rest.contains(|it: char| it.is_alphabetic())
        }
        "file" | "link" | "portal" | "patch" | "git" | "github" | "gitlab" | "bitbucket"
        | "gist" | "http" | "https" => true,
        // `owner/name`, `git+ssh://…`
        "" => version.contains('/'),
        _ => protocol.starts_with("git+"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(manifest: &str) -> Vec<String> {
        let mut found = FxHashSet::default();
        let manifest = serde_json::from_str(manifest).unwrap_or_default();
        collect(&manifest, Path::new("/nowhere"), &mut found);
        let mut found: Vec<String> = found.into_iter().collect();
        found.sort();
        found
    }

    #[test]
    fn other_packages_under_a_name() {
        let found = names(
            r#"{ "dependencies": { "a": "npm:b@1", "c": "^1", "d": "npm:d@2", "@s/e": "npm:@s/f@1", "g": "file:./g",
                 "h": "owner/h", "i": "git+ssh://x/i.git", "j": "workspace:*", "k": "npm:^1", "l": "https://x/l.tgz" } }"#,
        );
        assert_eq!(found, ["@s/e", "a", "g", "h", "i", "l"]);
    }

    #[test]
    fn overrides_and_patches() {
        let found = names(
            r#"{ "overrides": { "a": "npm:b@1", "c": { "d@1": "npm:e@1" } }, "resolutions": { "**/f": "npm:g@1", "h": "2" },
                 "pnpm": { "overrides": { "i>j": "link:../j" }, "patchedDependencies": { "@s/k@1.0.0": "patches/k.patch" } } }"#,
        );
        assert_eq!(found, ["@s/k", "a", "d", "f", "j"]);
    }
}
