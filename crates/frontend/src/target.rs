//! What version of the language the TypeScript compiler writes, and which modules.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use oxc_resolver::TsConfig;
use serde_json::Value;

use crate::substituted::DEPENDENCIES;
use crate::tsconfigs::parsed;

/// The versions of `module` with which the compiler's own default is a later one (TypeScript Handbook, `target`).
const OF_NODE: [&str; 4] = ["node16", "node18", "node20", "nodenext"];

/// How many configuration files are followed that extend one another.
const DEEPEST: u32 = 6;

/// The first version of the compiler whose default is a later one.
const LATER: u32 = 6;

/// Whether a configuration has files compiled to ECMAScript 5 or earlier, where loops go over arrays only. Without a
/// word of it the installed compiler decides; where none is installed, it is taken to be a later one.
pub(crate) fn compiles_to_es5(config: &TsConfig) -> bool {
    let options = &config.compiler_options;
    let is_of_node =
        options.module.as_ref().is_some_and(|it| OF_NODE.contains(&it.to_lowercase().as_str()));
    let is_es5 = match &options.target {
        Some(target) => matches!(target.to_lowercase().as_str(), "es3" | "es5"),
        None => !is_of_node && compiler_version(config.directory()).is_some_and(|it| it < LATER),
    };
    is_es5 && !iterates(config.path(), DEEPEST)
}

/// Whether a configuration has `import()` compiled to `require` (TypeScript Handbook, `module`).
pub(crate) fn compiles_to_require(config: &TsConfig) -> bool {
    let module = config.compiler_options.module.as_ref();
    module.is_some_and(|it| matches!(it.to_lowercase().as_str(), "commonjs" | "umd"))
}

/// The nearest configuration of the compiler, or of what an editor checks, above a folder.
pub(crate) fn nearest_config(folder: &Path) -> Option<PathBuf> {
    let named = |folder: &Path| {
        ["tsconfig.json", "jsconfig.json"]
            .map(|it| folder.join(it))
            .into_iter()
            .find(|it| it.is_file())
    };
    folder.ancestors().find_map(named)
}

/// Whether a configuration file, or one that it extends by its path, has everything gone over by its iterator.
fn iterates(path: &Path, steps: u32) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return false };
    let text = std::fs::read_to_string(path).ok();
    let Some(config) = text.and_then(|it| parsed(&it)) else { return false };
    let option = config.get("compilerOptions").and_then(|it| it.get("downlevelIteration"));
    if let Some(option) = option.and_then(Value::as_bool) {
        return option;
    }
    let extended = match config.get("extends") {
        Some(Value::Array(all)) => all.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    let folder = path.parent().unwrap_or(path);
    let relative = extended.iter().filter_map(Value::as_str).filter(|it| it.starts_with('.'));
    relative.rev().any(|it| {
        let named = folder.join(it);
        let file = if named.is_file() { named } else { folder.join(format!("{it}.json")) };
        iterates(&file, steps)
    })
}

/// The first version of the compiler that keeps narrowed types in functions, where the variable is never assigned again
/// (TypeScript 5.4, "Preserved Narrowing in Closures Following Last Assignments").
const KEEPS_NARROWING: (u32, u32) = (5, 4);

/// Whether a manifest asks for a compiler that keeps narrowed types in functions, in the oldest version that it allows;
/// nothing where it asks for none. A version that does not stand there (`catalog:`, `latest`) may be any.
pub(crate) fn asks_for_narrowing(manifest: &Value) -> Option<bool> {
    let asked = DEPENDENCIES.iter().find_map(|it| manifest.get(it)?.get("typescript"))?.as_str()?;
    Some(oldest(asked).is_some_and(|it| it >= KEEPS_NARROWING))
}

/// The oldest version that a range allows, as far as it says so: `^5.4.2`, `~5.6`, `>=5.5 <6`.
fn oldest(range: &str) -> Option<(u32, u32)> {
    let version = range.trim_start_matches(['^', '~', '>', '=', 'v', ' ']);
    let mut numbers = version.split(['.', ' ', '-', '|']);
    let major = numbers.next()?.parse().ok()?;
    let minor = numbers.next().and_then(|it| it.parse().ok()).unwrap_or(0);
    (!range.contains("||") && !range.starts_with('<')).then_some((major, minor))
}

/// The major version of the compiler that is installed for a folder.
fn compiler_version(folder: &Path) -> Option<u32> {
    let manifest = |it: &Path| it.join("node_modules/typescript/package.json");
    let text = folder.ancestors().find_map(|it| std::fs::read_to_string(manifest(it)).ok())?;
    let manifest = Value::from_str(&text).ok()?;
    manifest.get("version")?.as_str()?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_an_oldest_version() {
        for (range, version) in [
            ("^5.4.2", Some((5, 4))),
            ("~5.6", Some((5, 6))),
            ("5.9.3", Some((5, 9))),
            (">=5.5 <6", Some((5, 5))),
            ("6", Some((6, 0))),
            ("5.8.0-beta", Some((5, 8))),
            ("catalog:", None),
            ("latest", None),
            ("<6", None),
            ("^4 || ^5.4", None),
        ] {
            assert_eq!(oldest(range), version, "{range}");
        }
    }

    #[test]
    fn manifests_ask_for_compilers() {
        let asks = |text: &str| asks_for_narrowing(&Value::from_str(text).unwrap_or_default());
        assert_eq!(asks(r#"{ "devDependencies": { "typescript": "^5.9.0" } }"#), Some(true));
        assert_eq!(asks(r#"{ "devDependencies": { "typescript": "^5.1.0" } }"#), Some(false));
        assert_eq!(asks(r#"{ "devDependencies": { "typescript": "catalog:" } }"#), Some(false));
        assert_eq!(asks(r#"{ "devDependencies": {} }"#), None);
    }
}
