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
/// program imports it. A `*` in a path stands for any one part of it; the longest path that fits says it.
#[must_use]
pub fn globals_replaced_by(specifier: &str) -> &'static [String] {
    static PACKAGES: OnceLock<FxHashMap<String, Package>> = OnceLock::new();
    // A test holds that the file fits.
    let read = || serde_json::from_str(include_str!("../../../models/replacing.json"));
    let packages = PACKAGES.get_or_init(|| read().unwrap_or_default());
    let fitting = packages.iter().filter_map(|(path, it)| Some((fit(path, specifier)?, it)));
    fitting.max_by_key(|(fit, _)| *fit).map_or(&[], |(_, it)| &it.replaces)
}

/// How well a path fits a specifier that leads to it, or below it: how many parts it has, and how many of
/// those are written out.
fn fit(path: &str, specifier: &str) -> Option<(usize, usize)> {
    let mut rest = specifier.split('/');
    let (mut parts, mut written) = (0, 0);
    for part in path.split('/') {
        let is_same = rest.next()? == part;
        if !is_same && part != "*" {
            return None;
        }
        parts += 1;
        written += usize::from(is_same);
    }
    Some((parts, written))
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

    #[test]
    fn a_part_of_a_package_may_replace_less() {
        let replaces = |it: &str| globals_replaced_by(it).contains(&"Promise".to_owned());
        assert!(
            replaces("core-js") && replaces("core-js/stable") && replaces("core-js/es/promise")
        );
        assert!(replaces("core-js/actual/array") && replaces("core-js/actual/array/from-async"));
        assert!(!replaces("core-js/features/array/to-sorted"));
        assert!(!replaces("core-js/features/array/virtual/at"));
    }
}
