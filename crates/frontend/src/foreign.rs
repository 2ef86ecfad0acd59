//! Files that a program imports, though they were not found among its own: those of other projects, tests,
//! and what git ignores. They are part of it, but nothing is reported in them.

use std::path::{Path, PathBuf};

use headstart_ir::order;
use rustc_hash::FxHashSet;

use crate::discover::{Excluded, has_source_extension};
use crate::program::{LoadError, LoadOptions, Program, load_files, resolve_files};
use crate::progress::Progress;
use crate::resolve::Resolver;

/// Adds the files that imports lead to, and what those import in turn. What the configuration excludes,
/// and a file that cannot be loaded, stays outside.
///
/// # Errors
/// A cancelled run.
pub(crate) fn add_foreign(
    program: &mut Program,
    resolver: &mut Resolver<'_>,
    excluded: &Excluded,
    options: &LoadOptions,
    progress: &Progress,
) -> Result<(), LoadError> {
    let mut tried: FxHashSet<PathBuf> = FxHashSet::default();
    let mut importers = 0..program.files.len();
    loop {
        let mut new: Vec<PathBuf> = resolver.take_outside().into_iter().collect();
        new.retain(|it| is_code(it) && !excluded.has(it) && tried.insert(it.clone()));
        if new.is_empty() {
            return Ok(());
        }
        // The order of loading must not depend on the threads.
        order::sort(&mut new);
        let first = program.files.len();
        let mut unreadable = Vec::new();
        for loaded in load_files(new, options, progress)? {
            match loaded {
                Ok(mut file) => {
                    file.is_foreign = true;
                    program.files.push(file);
                }
                Err(skipped) => unreadable.push(skipped.path),
            }
        }
        resolver.note_unreadable(unreadable);
        resolver.extend(&program.files[first..], u32::try_from(first).unwrap_or(u32::MAX));
        resolve_files(&mut program.files[importers], resolver);
        importers = first..program.files.len();
        resolve_files(&mut program.files[first..], resolver);
    }
}

/// Whether a file that an import leads to is code that is no installed package's.
fn is_code(file: &Path) -> bool {
    let is_installed = file.components().any(|it| it.as_os_str() == "node_modules");
    has_source_extension(file) && !is_installed
}
