//! The models that come with Headstart, and how a member is found in them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::yaml::{json_of, module_of};
use crate::{Member, Module};

/// A file of `models/`.
struct Builtin {
    file: &'static str,
    /// The specifiers, and `module#member`, that lead to it, with blanks between them.
    names: &'static str,
    packed: &'static [u8],
}

/// Every file of `models/`.
fn builtin() -> impl Iterator<Item = Builtin> {
    let index = include_str!(concat!(env!("OUT_DIR"), "/models.index"));
    let mut rest: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/models.packed"));
    index.lines().filter_map(move |line| {
        let mut parts = line.split('\t');
        let (file, names) = (parts.next()?, parts.next()?);
        let (packed, behind) = rest.split_at_checked(parts.next()?.parse().ok()?)?;
        rest = behind;
        Some(Builtin { file, names, packed })
    })
}

/// A model file that cannot be used.
#[derive(Clone, Debug)]
pub struct ModelError {
    /// The file.
    pub file: String,
    /// What is wrong, and where.
    pub message: String,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.message)
    }
}

impl std::error::Error for ModelError {}

/// What all models have in common, and are packed behind.
fn dictionary() -> &'static [u8] {
    static DICTIONARY: OnceLock<Vec<u8>> = OnceLock::new();
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/dictionary.packed"));
    DICTIONARY.get_or_init(|| miniz_oxide::inflate::decompress_to_vec(packed).unwrap_or_default())
}

/// The JSON of a model, as `build.rs` has packed it; nothing where that cannot be read.
fn unpack(packed: &[u8]) -> Vec<u8> {
    let Some((length, packed)) = packed.split_first_chunk() else { return Vec::new() };
    let dictionary = dictionary();
    let mut all = dictionary.to_vec();
    all.resize(dictionary.len() + u32::from_le_bytes(*length) as usize, 0);
    let mut state = DecompressorOxide::new();
    let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, ..) = decompress(&mut state, packed, &mut all, dictionary.len(), flags);
    if status == TINFLStatus::Done { all.split_off(dictionary.len()) } else { Vec::new() }
}

/// All models of a run. Those that come along are read when they are first asked for.
#[derive(Debug, Default)]
pub struct Models {
    modules: Vec<Entry>,
    /// Index into `modules` by specifier (without `node:`) or `module#member`.
    by_name: FxHashMap<String, usize>,
    /// Every specifier of `by_name`, what stands behind `#` left out.
    specifiers: FxHashSet<String>,
    /// Specifiers with a `*`, each with its index into `modules`, by [`Pattern::group`]: there are hundreds,
    /// and modules are asked for often.
    patterns: FxHashMap<String, Vec<(Pattern, usize)>>,
    /// How many members stand behind one another in a name of `by_name`, at most.
    deepest: usize,
}

/// A model that may not have been read yet.
#[derive(Debug, Default)]
struct Entry {
    /// JSON, packed.
    packed: &'static [u8],
    module: OnceLock<Option<Module>>,
}

impl Entry {
    /// The model; none where its file does not fit the schema, which a test holds does not happen.
    fn get(&self) -> Option<&Module> {
        self.module.get_or_init(|| serde_json::from_slice(&unpack(self.packed)).ok()).as_ref()
    }
}

impl Models {
    /// The models that come with Headstart.
    ///
    /// # Errors
    /// Two files for one module; a test holds that there are none.
    pub fn builtin() -> Result<Self, ModelError> {
        let mut models = Self::default();
        for builtin in builtin() {
            let entry = Entry { packed: builtin.packed, module: OnceLock::new() };
            models.add_entry(builtin.file, builtin.names.split(' '), entry)?;
        }
        Ok(models)
    }

    /// Adds one model file, given as YAML, and returns how many rows it has.
    ///
    /// # Errors
    /// Text that is no YAML or does not fit the schema, or a module that has a model already.
    pub fn add(&mut self, file: &str, text: &str) -> Result<usize, ModelError> {
        let module = json_of(text).and_then(|it| module_of(&it.to_string()));
        let module = module.map_err(|message| ModelError { file: file.to_owned(), message })?;
        let names: Vec<String> = module.also.iter().chain([&module.module]).cloned().collect();
        let rows = rows(&module.members) + rows(&module.types);
        let entry = Entry { packed: &[], module: OnceLock::from(Some(module)) };
        self.add_entry(file, names.iter().map(String::as_str), entry)?;
        Ok(rows)
    }

    fn add_entry<'a>(
        &mut self,
        file: &str,
        names: impl Iterator<Item = &'a str>,
        entry: Entry,
    ) -> Result<(), ModelError> {
        let index = self.modules.len();
        for name in names {
            let specifier = name.split('#').next().unwrap_or(name);
            self.specifiers.insert(specifier.to_owned());
            self.deepest = self.deepest.max(name.split('#').count() - 1);
            if let Some(pattern) = Pattern::of(name) {
                let group = pattern.group().to_owned();
                self.patterns.entry(group).or_default().push((pattern, index));
            }
            if self.by_name.insert(name.to_owned(), index).is_some() {
                let message = format!("`{name}` has a model already");
                return Err(ModelError { file: file.to_owned(), message });
            }
        }
        self.modules.push(entry);
        Ok(())
    }

    /// The member that `path` leads to from the module with the given specifier: `("fs",
    /// ["promises", "readFile"])` and `("node:fs/promises", ["readFile"])` lead to the same.
    #[must_use]
    pub fn member(&self, specifier: &str, path: &[&str]) -> Option<(&Module, &Member)> {
        // `fs.promises` is a module of its own as well as a member of `fs`: the longest wins.
        (0..path.len().min(self.deepest + 1)).rev().find_map(|split| {
            let (to_module, within) = path.split_at(split);
            let module = self.module(specifier, to_module)?;
            let (first, rest) = module.without_default(within).split_first()?;
            let member = module.member(first)?;
            let member = rest.iter().try_fold(member, |member, step| member.member(step))?;
            Some((module, member))
        })
    }

    /// The type that a model names: `Pool`, one of `module` itself, or `pg#Pool`.
    #[must_use]
    pub fn type_named<'m>(
        &'m self,
        module: &'m Module,
        name: &str,
    ) -> Option<(&'m Module, &'m str, &'m Member)> {
        let (module, name) = match name.split_once('#') {
            Some((specifier, name)) => (self.module(specifier, &[])?, name),
            None => (module, name),
        };
        let (name, member) = module.types.get_key_value(name)?;
        Some((module, name, member))
    }

    /// Whether objects of a type keep what the calls are given, and are on, that make them, and look at that in
    /// operations of their own: clients, queries that are built, and parts of such.
    #[must_use]
    pub fn keeps_given(&self, module: &Module, name: &str) -> bool {
        self.type_named(module, name).is_some_and(|(module, _, ty)| {
            let of_base = || ty.extends.as_ref().is_some_and(|it| self.keeps_given(module, it));
            ty.keeps_given() || of_base()
        })
    }

    /// The modelled module that `path` leads to: `("fs", ["promises"])` is `fs/promises`.
    #[must_use]
    pub fn module(&self, specifier: &str, path: &[&str]) -> Option<&Module> {
        let specifier = without_prefix(specifier);
        let index = match path {
            [] => self.by_name.get(specifier).copied().or_else(|| self.by_pattern(specifier)),
            _ if !self.specifiers.contains(specifier) => None,
            _ => self.by_name.get(&key(specifier, path)).copied(),
        };
        self.modules.get(index?)?.get()
    }

    /// The module of the first pattern that a specifier fits.
    fn by_pattern(&self, specifier: &str) -> Option<usize> {
        self.fitting(specifier).map(|it| it.1).min()
    }

    /// The patterns that a specifier fits, each with its index into `modules`.
    fn fitting(&self, specifier: &str) -> impl Iterator<Item = &(Pattern, usize)> {
        let plain = without_extension(specifier);
        let ends = [last_part(specifier), plain.map_or("", last_part)];
        let groups = [first_folder(specifier), ends[0], ends[1]];
        let of_groups = groups.into_iter().filter(|it| !it.is_empty()).chain([""]);
        let all = of_groups.filter_map(|it| self.patterns.get(it)).flatten();
        all.filter(move |(pattern, _)| pattern.fits(specifier))
    }

    /// The modelled modules that a module holds or is: `fs` holds `fs/promises`.
    pub fn modules_within(&self, specifier: &str, path: &[&str]) -> impl Iterator<Item = &Module> {
        let name = key(specifier, path);
        self.by_name.iter().filter_map(move |(key, &index)| {
            let rest = key.strip_prefix(name.as_str())?;
            let is_within = rest.is_empty() || rest.starts_with('#');
            self.modules.get(index).filter(|_| is_within)?.get()
        })
    }

    /// Whether a module has a model, or something in it has one.
    #[must_use]
    pub fn has_module(&self, specifier: &str) -> bool {
        self.specifiers.contains(without_prefix(specifier)) || self.by_pattern(specifier).is_some()
    }

    /// Whether a specifier names code that a package generates within the program, wherever that lies:
    /// `@/generated/prisma/client`.
    #[must_use]
    pub fn is_generated(&self, specifier: &str) -> bool {
        self.fitting(specifier).any(|(pattern, _)| pattern.head.is_empty())
    }
}

impl Module {
    /// The row of a member that is read from the module. What only the default export has is found
    /// too: in CommonJS that is the module.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Member> {
        if name == "default" && self.default.is_some() {
            return self.default.as_ref();
        }
        let of_default = || self.default.as_ref().and_then(|it| it.members.find(name));
        self.members.find(name).or_else(of_default)
    }
}

impl Module {
    /// What a path leads to: a default export of which only calls are described has the members of the module.
    fn without_default<'a, 'n>(&self, path: &'a [&'n str]) -> &'a [&'n str] {
        let only_calls = self.default.as_ref().is_some_and(|it| it.members.is_empty());
        match path {
            ["default", rest @ ..] if only_calls && !rest.is_empty() => rest,
            path => path,
        }
    }
}

impl Member {
    /// For a type: whether its objects keep what the calls are given, and are on, that make them.
    #[must_use]
    pub fn keeps_given(&self) -> bool {
        self.keeps || self.builds || self.lazy.is_some()
    }

    /// The row of a member of this one.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Member> {
        self.members.find(name)
    }
}

/// How many rows there are, those of members of members too.
fn rows(members: &BTreeMap<String, Member>) -> usize {
    members.values().map(|member| 1 + rows(&member.members)).sum()
}

/// A specifier with a `*`: what stands in front of that and behind.
#[derive(Debug)]
struct Pattern {
    head: String,
    tail: String,
}

impl Pattern {
    fn of(name: &str) -> Option<Self> {
        let (head, tail) = name.split_once('*')?;
        Some(Self { head: head.to_owned(), tail: tail.to_owned() })
    }

    /// Whether a specifier fits; files may be named with their extension.
    fn fits(&self, specifier: &str) -> bool {
        let Some(rest) = specifier.strip_prefix(self.head.as_str()) else { return false };
        let without = || without_extension(rest);
        rest.ends_with(&self.tail)
            || (self.head.is_empty() && without().is_some_and(|it| it.ends_with(&self.tail)))
    }

    /// What every specifier that fits has: the first folder, with the slash behind it, or what stands behind
    /// the last one, with that. Nothing where the pattern has neither.
    fn group(&self) -> &str {
        match first_folder(&self.head) {
            "" => last_part(&self.tail),
            folder => folder,
        }
    }
}

/// What stands in front of the first slash, with that; nothing where there is none.
fn first_folder(name: &str) -> &str {
    name.find('/').map_or("", |it| &name[..=it])
}

/// What stands behind the last slash, with that; nothing where there is none.
fn last_part(name: &str) -> &str {
    name.rfind('/').map_or("", |it| &name[it..])
}

/// A specifier that names a file, without its extension.
fn without_extension(specifier: &str) -> Option<&str> {
    const EXTENSIONS: [&str; 4] = [".js", ".ts", ".mjs", ".mts"];
    EXTENSIONS.iter().find_map(|it| specifier.strip_suffix(it))
}

/// A specifier as models name it: without `node:`.
#[must_use]
pub fn without_prefix(specifier: &str) -> &str {
    specifier.strip_prefix("node:").unwrap_or(specifier)
}

/// The name that a model is kept under: `module#member`.
fn key(specifier: &str, path: &[&str]) -> String {
    let mut key = without_prefix(specifier).to_owned();
    for step in path {
        key.push('#');
        key.push_str(step);
    }
    key
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
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
        assert_eq!(
            models.member("fs", &["readFile"]).map(|(module, _)| &*module.module),
            Some("fs")
        );
        assert!(models.member("fs", &["noSuchMember"]).is_none());
    }

    #[test]
    fn a_row_that_does_not_fit_is_named_with_its_place() {
        let mut models = Models::default();
        let text = "module: m\ndocumentation: d\nmembers:\n  f: { documentation: x, cal: {} }\n";
        let error = models.add("m.yml", text).unwrap_err().to_string();
        assert!(error.starts_with("m.yml: `members.f`: unknown field `cal`"), "{error}");
    }

    fn with_row(row: &str) -> String {
        format!("module: m\ndocumentation: d\nmembers:\n  {row}\n")
    }

    #[test]
    fn a_bare_name_is_no_truth_value() {
        for name in ["n", "N", "y", "yes", "no", "on", "off"] {
            let call = format!("{{ options: [{name}], result: data, type: {name} }}");
            let text = with_row(&format!("{name}: {{ documentation: x, call: {call} }}"));
            let mut models = Models::default();
            models.add("m.yml", &text).unwrap();
            let (_, member) = models.member("m", &[name]).unwrap();
            let call = member.call.as_ref().unwrap();
            assert_eq!(
                (call.options.as_slice(), call.is_a.as_deref()),
                (&[name.to_owned()][..], Some(name))
            );
        }
    }

    #[test]
    fn a_truth_value_is_no_name_and_is_refused_with_its_line() {
        for name in ["true", "False", "null", "~"] {
            let mut models = Models::default();
            let row =
                format!("f: {{ documentation: x, call: {{ options: [{name}], result: data }} }}");
            let error = models.add("m.yml", &with_row(&row)).unwrap_err().to_string();
            assert!(error.starts_with("m.yml: ") && error.contains("line 4"), "{error}");
            assert!(error.contains("has to stand in quotes"), "{error}");
        }
        let mut models = Models::default();
        let row = "f: { documentation: x, call: { options: [], result: data, type: true } }";
        let error = models.add("m.yml", &with_row(row)).unwrap_err().to_string();
        assert!(
            error.starts_with("m.yml: `members.f.call.type`: invalid type: boolean"),
            "{error}"
        );
    }

    #[test]
    fn every_row_rests_on_documentation() {
        let models = Models::builtin().unwrap();
        for (Builtin { file, .. }, entry) in builtin().zip(&models.modules) {
            let read = serde_json::from_slice::<Module>(&unpack(entry.packed));
            let module = read.unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(module.documentation.starts_with("https://"), "{}", module.module);
            assert_documented(&module.module, &module.members);
            for (name, member) in &module.types {
                let path = format!("{}#{name}", module.module);
                assert_documented(&path, &member.members);
                assert_types_exist(&models, &module, &path, member);
            }
            for (name, member) in &module.members {
                assert_types_exist(&models, &module, name, member);
            }
        }
    }

    fn assert_types_exist(models: &Models, module: &Module, path: &str, member: &Member) {
        let calls = [&member.call, &member.construct, &member.awaited];
        let of_calls = calls.into_iter().flatten().flat_map(|call| [&call.is_a, &call.elements]);
        let with = calls.into_iter().flatten().filter_map(|call| call.elements_with.as_ref());
        let of_options = with.map(|it| &it.is_a);
        for name in of_calls.chain([&member.is_a, &member.extends]).flatten().chain(of_options) {
            let is_there = models.type_named(module, name).is_some();
            assert!(is_there, "{}: {path}: no type {name}", module.module);
        }
        for (name, member) in &member.members {
            assert_types_exist(models, module, &format!("{path}.{name}"), member);
        }
    }

    fn assert_documented(path: &str, members: &BTreeMap<String, Member>) {
        for (name, member) in members {
            let path = format!("{path}.{name}");
            let page = &member.documentation;
            // The build has looked at those that may do anything, and left their pages out.
            let has_page = page.starts_with('#') || page.starts_with("https://");
            assert!(has_page || member.anything, "{path}: {page}");
            let is_used = member.call.is_some() || member.construct.is_some();
            let is_space = !member.members.is_empty();
            let is_used = is_used || member.awaited.is_some();
            // A constant may have a type.
            let is_plain = !is_used && !is_space && !member.constant;
            let is_object = member.is_a.is_some() && is_plain;
            let kinds = [member.constant, member.anything, is_used || is_space, is_object];
            assert_eq!(kinds.iter().filter(|it| **it).count(), 1, "{path}: one kind of row");
            assert_documented(&path, &member.members);
        }
    }
}
