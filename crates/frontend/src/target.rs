//! What version of the language the TypeScript compiler writes.

use std::path::Path;
use std::str::FromStr;

use oxc_resolver::TsConfig;
use serde_json::Value;

/// The versions of `module` with which the compiler's own default is a later one (TypeScript Handbook, `target`).
const OF_NODE: [&str; 4] = ["node16", "node18", "node20", "nodenext"];

/// The first version of the compiler whose default is a later one.
const LATER: u32 = 6;

/// Whether a configuration has files compiled to ECMAScript 5 or earlier, where loops go over arrays only. Without a
/// word of it the installed compiler decides; where none is installed, it is taken to be a later one.
pub(crate) fn compiles_to_es5(config: &TsConfig) -> bool {
    let options = &config.compiler_options;
    let is_of_node =
        options.module.as_ref().is_some_and(|it| OF_NODE.contains(&it.to_lowercase().as_str()));
    match &options.target {
        Some(target) => matches!(target.to_lowercase().as_str(), "es3" | "es5"),
        None => !is_of_node && compiler_version(config.directory()).is_some_and(|it| it < LATER),
    }
}

/// The major version of the compiler that is installed for a folder.
fn compiler_version(folder: &Path) -> Option<u32> {
    let manifest = |it: &Path| it.join("node_modules/typescript/package.json");
    let text = folder.ancestors().find_map(|it| std::fs::read_to_string(manifest(it)).ok())?;
    let manifest = Value::from_str(&text).ok()?;
    manifest.get("version")?.as_str()?.split('.').next()?.parse().ok()
}
