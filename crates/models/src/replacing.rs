//! Packages that replace globals when they are loaded, or are there to do so: `models/replacing.json`.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

/// What is known of one package.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Package {
    #[serde(rename = "documentation")]
    _documentation: String,
    /// The globals, or members of modules as `module#member`.
    replaces: Vec<String>,
}

/// The globals, by name, and members of modules, as `module#member`, that a package replaces where the
/// program imports it.
#[must_use]
pub fn globals_replaced_by(specifier: &str) -> &'static [String] {
    static PACKAGES: OnceLock<FxHashMap<String, Package>> = OnceLock::new();
    // A test holds that the file fits.
    let read = || serde_json::from_str(include_str!("../../../models/replacing.json"));
    let packages = PACKAGES.get_or_init(|| read().unwrap_or_default());
    let mut name = specifier;
    loop {
        if let Some(package) = packages.get(name) {
            return &package.replaces;
        }
        match name.rsplit_once('/') {
            Some((rest, _)) => name = rest,
            None => return &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_known_by_what_they_export_too() {
        assert!(globals_replaced_by("isomorphic-fetch").contains(&"fetch".to_owned()));
        assert!(globals_replaced_by("msw/node").contains(&"fetch".to_owned()));
        assert!(globals_replaced_by("lodash").is_empty());
    }
}
