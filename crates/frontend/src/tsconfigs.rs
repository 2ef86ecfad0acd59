//! What a `tsconfig.json` extends that is not installed: packages of the program itself are found where they
//! stand, and the rest is left out, so that the file's own `paths` still count.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use oxc_resolver::{FileMetadata, FileSystem, FileSystemOs, ResolveError};
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::workspace::split_package;

/// The file system as resolution sees it.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    /// The folders of the packages of the program.
    packages: FxHashMap<String, PathBuf>,
    left_out: Arc<Mutex<BTreeSet<LeftOut>>>,
}

/// What a `tsconfig.json` extends that stands nowhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LeftOut {
    /// The file that extends it.
    pub(crate) by: PathBuf,
    /// What is extended, as written.
    pub(crate) name: String,
}

/// A configuration file, which may have comments; none where it is no JSON.
pub(crate) fn parsed(text: &str) -> Option<Value> {
    let mut plain = text.to_owned();
    json_strip_comments::strip(&mut plain).ok()?;
    serde_json::from_str(&plain).ok()
}

impl Disk {
    /// With the packages of the program, by name.
    pub(crate) fn new(packages: FxHashMap<String, PathBuf>) -> Self {
        Self { packages, left_out: Arc::default() }
    }

    /// What is noted while files are read.
    pub(crate) fn left_out(&self) -> Arc<Mutex<BTreeSet<LeftOut>>> {
        Arc::clone(&self.left_out)
    }

    /// A `tsconfig.json` without what it extends and is not installed; none where it stays as it is.
    fn mended(&self, path: &Path, text: &str) -> Option<String> {
        let mut config = parsed(text)?;
        let extends = config.get_mut("extends")?;
        let each: Vec<Value> = match extends {
            Value::Array(all) => std::mem::take(all),
            one => vec![one.take()],
        };
        let mut is_mended = false;
        let kept = each.into_iter().filter_map(|it| {
            let Some(name) = it.as_str().filter(|it| self.is_missing(path, it)) else {
                return Some(it);
            };
            is_mended = true;
            let found = self.in_program(name);
            if found.is_none() {
                let left_out = LeftOut { by: path.to_path_buf(), name: name.to_owned() };
                self.left_out.lock().unwrap_or_else(PoisonError::into_inner).insert(left_out);
            }
            found.map(|it| Value::from(it.to_string_lossy()))
        });
        let kept: Vec<Value> = kept.collect();
        *config.get_mut("extends")? = Value::Array(kept);
        is_mended.then(|| config.to_string())
    }

    /// Whether something is the name of a package that is installed nowhere above a file.
    fn is_missing(&self, path: &Path, name: &str) -> bool {
        let is_path = name.starts_with(['.', '/', '#']) || Path::new(name).is_absolute();
        let (package, _) = split_package(name);
        let mut above = path.ancestors().skip(1);
        !is_path && !above.any(|it| it.join("node_modules").join(package).is_dir())
    }

    /// The file of a package of the program that is meant.
    fn in_program(&self, name: &str) -> Option<PathBuf> {
        let (package, rest) = split_package(name);
        let folder = self.packages.get(package)?;
        let named = folder.join(rest);
        let with_ending = PathBuf::from(format!("{}.json", named.display()));
        let inside = named.join("tsconfig.json");
        [named, with_ending, inside].into_iter().find(|it| it.is_file())
    }
}

impl FileSystem for Disk {
    fn new() -> Self {
        Self::default()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        FileSystem::read(&FileSystemOs, path)
    }

    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        let text = FileSystemOs::read_to_string(path)?;
        let is_installed = path.components().any(|it| it.as_os_str() == "node_modules");
        let may_extend = path.extension().is_some_and(|it| it == "json") && !is_installed;
        let mended = may_extend.then(|| self.mended(path, &text)).flatten();
        Ok(mended.unwrap_or(text))
    }

    fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        FileSystemOs::metadata(path)
    }

    fn symlink_metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        FileSystemOs::symlink_metadata(path)
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf, ResolveError> {
        FileSystemOs::read_link(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        FileSystemOs::canonicalize(path)
    }
}
