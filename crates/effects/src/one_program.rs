//! Files that run in one program: each with all that it loads, and with all that those load which load it.

use headstart_ir::{FileIr, InstId, Resolution};

use crate::location::Elsewhere;

/// The place of it: the file, and the instruction.
type Place = (usize, InstId);

/// For each file, the first place of something that stands in a file which runs in one program with it; empty
/// where there is none.
#[derive(Debug, Default)]
pub(crate) struct Places(Vec<Option<Place>>);

impl Places {
    pub(crate) fn of(files: &[&FileIr], first_in: impl Fn(&FileIr) -> Option<InstId>) -> Self {
        Self(in_one_program(files, |file, ir| first_in(ir).map(|inst| (file, inst))))
    }

    pub(crate) fn with(&self, file: usize, files: &[&FileIr]) -> Option<Elsewhere> {
        let (file, inst) = (*self.0.get(file)?)?;
        Some(Elsewhere { file, span: files.get(file)?.span(inst) })
    }
}

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
