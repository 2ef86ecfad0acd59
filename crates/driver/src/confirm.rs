//! Files that run in other projects, too: what is `safe` in them has to be so wherever they run.

use std::path::{Path, PathBuf};

use headstart_effects::{Assumption, Code, Session};
use headstart_frontend::Progress;
use headstart_ir::FileIr;
use headstart_overlap::{Finding, Level};
use rustc_hash::FxHashSet;

use crate::analyse::{FileFindings, Finder};
use crate::assume::assumed;
use crate::evidence::told;
use crate::paths::shown;
use crate::programs::{Loaded, Programs};
use crate::request::Common;

/// The files of other projects that each program has brought along.
#[derive(Default)]
pub(crate) struct Guests(Vec<(PathBuf, FxHashSet<PathBuf>)>);

impl Guests {
    /// Notes those of a program.
    pub(crate) fn note(&mut self, loaded: &Loaded) {
        let foreign = loaded.program.files.iter().filter(|it| it.is_foreign && !it.is_generated);
        let files: FxHashSet<PathBuf> = foreign.map(|it| it.path.clone()).collect();
        if !files.is_empty() {
            self.0.push((loaded.root.clone(), files));
        }
    }

    /// Looks again at the files with `safe` findings that others have brought along, as they run there, and
    /// lowers what is not `safe` there.
    ///
    /// # Errors
    /// What keeps a program from being loaded again, and a cancelled run.
    pub(crate) fn confirm(
        &self,
        common: &Common,
        programs: &mut Programs<'_>,
        progress: &Progress,
        found: &mut [FileFindings],
    ) -> Result<(), String> {
        for (root, files) in &self.0 {
            let is_safe = |it: &FileFindings| {
                files.contains(&it.path)
                    && it.findings.iter().any(|it| it.finding.level == Level::Safe)
            };
            if found.iter().any(is_safe) {
                let loaded = programs.again(root.clone(), progress)?;
                let concerned = found.iter_mut().filter(|it| is_safe(it)).collect();
                confirm_in(common, &loaded, programs, progress, concerned)?;
            }
        }
        Ok(())
    }
}

/// Looks at files as they run in one program.
fn confirm_in(
    common: &Common,
    loaded: &Loaded,
    programs: &Programs<'_>,
    progress: &Progress,
    found: Vec<&mut FileFindings>,
) -> Result<(), String> {
    let files = &loaded.program.files;
    let irs: Vec<&FileIr> = files.iter().map(|file| &file.ir).collect();
    let session = Session::new(
        &irs,
        &programs.models,
        told(common, loaded, assumed(common, loaded).answers),
        progress.cancelled(),
    )?;
    let finder = Finder::new(common, loaded, &session);
    for of_file in found {
        let Some(index) = files.iter().position(|it| it.path == of_file.path) else { continue };
        let there = finder.findings(index, &files[index]);
        for located in &mut of_file.findings {
            lower(&mut located.finding, &there, &loaded.root, &finder.places.base);
        }
    }
    Ok(())
}

/// Lowers a `safe` finding to what the same is in another project.
fn lower(finding: &mut Finding, there: &[Finding], root: &Path, base: &Path) {
    if finding.level != Level::Safe {
        return;
    }
    let same = there.iter().find(|it| it.rule == finding.rule && it.range == finding.range);
    if same.is_some_and(|it| it.level == Level::Safe) {
        return;
    }
    finding.level = Level::Likely;
    finding.assumptions = match same {
        Some(same) if same.level == Level::Likely => same.assumptions.clone(),
        _ => {
            let reason = Code::OtherProjectChangesNothing.with(&[&shown(root, base)]);
            vec![Assumption::new(reason, finding.range)]
        }
    };
}
