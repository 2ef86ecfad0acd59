//! The models that come with Headstart, and how a member is found in them.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Member, Module};

/// Every file of `models/`: its name and its text.
const BUILTIN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/builtin.rs"));

/// A model file that cannot be used.
#[derive(Clone, Debug)]
pub struct ModelError {
    /// The file.
    pub file: String,
    /// What is wrong, with line and column.
    pub message: String,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.message)
    }
}

impl std::error::Error for ModelError {}

/// All models of a run.
#[derive(Debug, Default)]
pub struct Models {
    modules: Vec<Module>,
    /// Index into `modules` by specifier (without `node:`) or `module#member`.
    by_name: FxHashMap<String, usize>,
    /// Every specifier of `by_name`, what stands behind `#` left out.
    specifiers: FxHashSet<String>,
}

impl Models {
    /// The models that come with Headstart.
    ///
    /// # Errors
    /// A file that does not fit the schema; a test holds that there is none.
    pub fn builtin() -> Result<Self, ModelError> {
        let mut models = Self::default();
        for (file, text) in BUILTIN {
            models.add(file, text)?;
        }
        Ok(models)
    }

    /// Adds one model file.
    ///
    /// # Errors
    /// Text that is no YAML or does not fit the schema, or a module that has a model already.
    pub fn add(&mut self, file: &str, text: &str) -> Result<(), ModelError> {
        let fail = |message: String| ModelError { file: file.to_owned(), message };
        let module: Module =
            serde_saphyr::from_str(text).map_err(|error| fail(error.to_string()))?;
        let index = self.modules.len();
        for name in module.also.iter().chain([&module.module]) {
            let specifier = name.split('#').next().unwrap_or(name);
            self.specifiers.insert(specifier.to_owned());
            if self.by_name.insert(name.clone(), index).is_some() {
                return Err(fail(format!("`{name}` has a model already")));
            }
        }
        self.modules.push(module);
        Ok(())
    }

    /// The member that `path` leads to from the module with the given specifier: `("fs",
    /// ["promises", "readFile"])` and `("node:fs/promises", ["readFile"])` lead to the same.
    #[must_use]
    pub fn member(&self, specifier: &str, path: &[&str]) -> Option<(&Module, &Member)> {
        // `fs.promises` is a module of its own as well as a member of `fs`: the longest wins.
        (0..path.len()).rev().find_map(|split| {
            let (to_module, within) = path.split_at(split);
            let module = self.module(specifier, to_module)?;
            let (first, rest) = within.split_first()?;
            let member = module.members.get(*first)?;
            let member = rest.iter().try_fold(member, |member, step| member.members.get(*step))?;
            Some((module, member))
        })
    }

    /// The modelled module that `path` leads to: `("fs", ["promises"])` is `fs/promises`.
    #[must_use]
    pub fn module(&self, specifier: &str, path: &[&str]) -> Option<&Module> {
        let mut name = specifier.strip_prefix("node:").unwrap_or(specifier).to_owned();
        for step in path {
            name.push('#');
            name.push_str(step);
        }
        self.by_name.get(&name).map(|&index| &self.modules[index])
    }

    /// The modelled modules that a module holds or is: `fs` holds `fs/promises`.
    pub fn modules_within(&self, specifier: &str, path: &[&str]) -> impl Iterator<Item = &Module> {
        let mut name = specifier.strip_prefix("node:").unwrap_or(specifier).to_owned();
        for step in path {
            name.push('#');
            name.push_str(step);
        }
        self.by_name.iter().filter_map(move |(key, &index)| {
            let rest = key.strip_prefix(name.as_str())?;
            (rest.is_empty() || rest.starts_with('#')).then(|| &self.modules[index])
        })
    }

    /// Whether a module has a model, or something in it has one.
    #[must_use]
    pub fn has_module(&self, specifier: &str) -> bool {
        self.specifiers.contains(specifier.strip_prefix("node:").unwrap_or(specifier))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_models_that_come_along_fit_the_schema() {
        let models = Models::builtin().unwrap();
        assert!(models.has_module("node:fs/promises"));
    }

    #[test]
    fn a_member_is_found_on_every_way_to_it() {
        let models = Models::builtin().unwrap();
        for (module, path) in [
            ("fs/promises", vec!["readFile"]),
            ("node:fs/promises", vec!["readFile"]),
            ("fs", vec!["promises", "readFile"]),
            ("node:fs", vec!["promises", "readFile"]),
        ] {
            let (module, member) = models.member(module, &path).unwrap();
            assert_eq!(module.module, "fs/promises");
            assert!(member.call.is_some());
        }
        assert!(models.member("fs", &["readFile"]).is_none());
    }

    #[test]
    fn a_row_that_does_not_fit_is_named_with_its_place() {
        let mut models = Models::default();
        let text = "module: m\ndocumentation: d\nmembers:\n  f: { documentation: x, cal: {} }\n";
        let error = models.add("m.yml", text).unwrap_err().to_string();
        assert!(error.contains("m.yml") && error.contains("cal"), "{error}");
    }

    #[test]
    fn every_row_rests_on_documentation() {
        let models = Models::builtin().unwrap();
        for module in &models.modules {
            assert!(module.documentation.starts_with("https://"), "{}", module.module);
            assert_documented(&module.module, &module.members);
        }
    }

    fn assert_documented(path: &str, members: &BTreeMap<String, Member>) {
        for (name, member) in members {
            let path = format!("{path}.{name}");
            let page = &member.documentation;
            assert!(page.starts_with('#') || page.starts_with("https://"), "{path}: {page}");
            let is_used = member.call.is_some() || member.construct.is_some();
            let is_space = !member.members.is_empty();
            let kinds = [member.constant, member.anything, is_used || is_space];
            assert_eq!(kinds.iter().filter(|it| **it).count(), 1, "{path}: one kind of row");
            assert_documented(&path, &member.members);
        }
    }
}
