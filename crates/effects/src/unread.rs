//! Modules of the program that cannot be read, parsed or found: they may put anything in the place of what
//! models describe (the contract, trap 26), for all that runs with them.

use headstart_ir::{FileIr, RequestId, Resolution};
use headstart_models::Models;

use crate::facts::may_be_own_code;
use crate::location::Elsewhere;

/// An import of such a module: the file, and the request in it.
type Import = (usize, RequestId);

/// For each file, an import of a module that cannot be read and runs in one program with it; empty where there
/// are none.
#[derive(Debug, Default)]
pub(crate) struct Unread(Vec<Option<Import>>);

/// For each file, something that stands in it or in a file that runs in one program with it; empty where
/// nothing does. A file runs with all that it loads, and with all that those load which load it.
pub(crate) fn in_one_program<T: Copy>(
    files: &[&FileIr],
    of_file: impl Fn(usize, &FileIr) -> Option<T>,
) -> Vec<Option<T>> {
    let mut first: Vec<Option<T>> =
        files.iter().enumerate().map(|(file, ir)| of_file(file, ir)).collect();
    if first.iter().all(Option::is_none) {
        return Vec::new();
    }
    let loads = loads(files);
    let mut loaded_by: Vec<Vec<usize>> = vec![Vec::new(); files.len()];
    for (from, all) in loads.iter().enumerate() {
        all.iter().filter(|&&to| to < files.len()).for_each(|&to| loaded_by[to].push(from));
    }
    spread(&mut first, &loaded_by);
    spread(&mut first, &loads);
    first
}

impl Unread {
    pub(crate) fn of(files: &[&FileIr], models: &Models) -> Self {
        let of_file = |file, ir: &FileIr| of_file(ir, models).map(|request| (file, request));
        Self(in_one_program(files, of_file))
    }

    pub(crate) fn with(&self, file: usize, files: &[&FileIr]) -> Option<(String, Elsewhere)> {
        let (file, request) = (*self.0.get(file)?)?;
        let ir = files.get(file)?;
        let data = ir.request(request);
        let name = ir.name(data.specifier).trim_start_matches("./").to_owned();
        Some((name, Elsewhere { file, span: data.span }))
    }
}

/// The import of such a module in a file. What a package generates, a model may describe.
fn of_file(ir: &FileIr, models: &Models) -> Option<RequestId> {
    let is_unread = |request: &headstart_ir::ModuleRequest| {
        let specifier = ir.name(request.specifier);
        let is_own = match request.resolution {
            Resolution::Unreadable => true,
            Resolution::Missing => specifier.starts_with('.') && may_be_own_code(specifier),
            Resolution::File(_)
            | Resolution::Outside
            | Resolution::Builtin
            | Resolution::Package
            | Resolution::Pending => false,
        };
        is_own && request.kind.loads() && !models.is_generated(specifier)
    };
    ir.requests.iter().position(is_unread).map(RequestId::new)
}

/// What each file loads.
fn loads(files: &[&FileIr]) -> Vec<Vec<usize>> {
    let of_file = |ir: &&FileIr| {
        let requests = ir.requests.iter().filter(|it| it.kind.loads());
        let files = requests.filter_map(|it| match it.resolution {
            Resolution::File(to) => Some(to.0 as usize),
            _ => None,
        });
        files.collect()
    };
    files.iter().map(of_file).collect()
}

/// Hands on what files have to those that they lead to, the first that comes.
fn spread<T: Copy>(found: &mut [Option<T>], to: &[Vec<usize>]) {
    let mut pending: Vec<usize> = (0..found.len()).filter(|&it| found[it].is_some()).collect();
    while let Some(file) = pending.pop() {
        for &next in &to[file] {
            if let Some(place) = found.get(next)
                && place.is_none()
            {
                found[next] = found[file];
                pending.push(next);
            }
        }
    }
}
