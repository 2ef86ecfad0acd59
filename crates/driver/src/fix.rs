//! `headstart fix`

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use headstart_edit::{FolderLock, LockError, replace_file, unified_diff};
use headstart_frontend::{Phase, Progress, Texts};
use headstart_overlap::Level;

use crate::analyse::{Analysis, FileFindings, Located, analyse, analyse_with, skipped, warnings};
use crate::paths::{real, repository, shown};
use crate::render::{self, Style};
use crate::report::{FailedReport, FixReport, FixedReport, VERSION};
use crate::request::FixRequest;
use crate::respond::Response;

/// How often what has been rewritten is looked at again: taking awaits of an expression together makes
/// an operation that may start earlier. What is found then is right by itself, and the third look finds
/// nothing.
pub(crate) const MOST_ROUNDS: u32 = 6;

/// What is to become of the files that have findings.
#[derive(Default)]
struct Rewriting {
    /// The files as they shall be.
    rewritten: BTreeMap<PathBuf, Rewritten>,
    /// Of each file, why findings are left out.
    left_out: BTreeMap<PathBuf, Vec<String>>,
}

/// A file as it shall be.
struct Rewritten {
    /// The ids of the findings that were applied.
    applied: Vec<String>,
    /// The bytes of the file before and after.
    old: Vec<u8>,
    new: Vec<u8>,
}

/// What became of the findings of a file.
struct Outcome {
    /// None where nothing is applied.
    rewritten: Option<Rewritten>,
    /// Of each finding that is left out, why.
    left_out: Vec<String>,
}

pub(crate) fn run(request: &FixRequest, progress: &Progress) -> Response {
    let common = &request.common;
    // Held from before the files are read until the last is written.
    let _locks = match locks(request) {
        Ok(locks) => locks,
        Err(error) => return Response::failed(&error.to_string()),
    };
    let analysis = match analyse(common, &request.paths, progress, None) {
        Ok(analysis) => analysis,
        Err(message) => return Response::failed(&message),
    };
    let base = real(&common.cwd);
    let mut report = FixReport {
        version: VERSION,
        fixed: Vec::new(),
        failed: Vec::new(),
        interrupted: false,
        diff: request.diff.then(String::new),
        skipped: skipped(&analysis.skipped, &base),
        warnings: warnings(&analysis.warnings, &base),
        stats: analysis.stats,
    };
    let rewriting = match rounds(request, &analysis.found, &base, progress) {
        Ok(rewriting) => rewriting,
        Err(message) => return Response::failed(&message),
    };
    progress.begin(Phase::Writing, rewriting.rewritten.len());
    let mut failures = rewriting.left_out;
    for (path, file) in rewriting.rewritten {
        progress.step();
        if progress.is_cancelled() {
            report.interrupted = true;
            break;
        }
        match carry_out(&file, &path, request, progress, &mut report) {
            Ok(()) => {
                let (file, findings) = (shown(&path, &base), file.applied);
                report.fixed.push(FixedReport { file, findings });
            }
            Err(reason) => failures.entry(path).or_default().push(reason),
        }
    }
    for (path, reasons) in failures {
        let failed = |reason| FailedReport { file: shown(&path, &base), reason };
        report.failed.extend(reasons.into_iter().map(failed));
    }
    respond(request, &analysis, report)
}

/// Applies what is found, looks again at what comes of that, and so on until nothing is found any more:
/// then a second `fix` changes nothing. Findings that are named are applied, and nothing else.
fn rounds(
    request: &FixRequest,
    found: &[FileFindings],
    base: &Path,
    progress: &Progress,
) -> Result<Rewriting, String> {
    let mut rewriting = Rewriting::default();
    let mut texts = Texts::default();
    let mut more = rewriting.apply(found, request, base, &mut texts);
    for _ in 1..MOST_ROUNDS {
        if !more || request.only.is_some() {
            break;
        }
        let now = Arc::new(texts.clone());
        let analysis = analyse_with(&request.common, &request.paths, now, progress)?;
        more = rewriting.apply(&analysis.found, request, base, &mut texts);
    }
    Ok(rewriting)
}

impl Rewriting {
    /// Applies what is found; whether that changes anything.
    fn apply(
        &mut self,
        found: &[FileFindings],
        request: &FixRequest,
        base: &Path,
        texts: &mut Texts,
    ) -> bool {
        let mut more = false;
        for file in found {
            let path = &file.path;
            let outcome = rewrite(file, &shown(path, base), request);
            // What has been left out is found again.
            if !outcome.left_out.is_empty() {
                self.left_out.entry(path.clone()).or_insert(outcome.left_out);
            }
            let Some(new) = outcome.rewritten else { continue };
            more = true;
            texts.insert(path.clone(), String::from_utf8_lossy(&new.new).into());
            match self.rewritten.get_mut(path) {
                Some(known) => {
                    known.applied.extend(new.applied);
                    known.new = new.new;
                }
                None => {
                    self.rewritten.insert(path.clone(), new);
                }
            }
        }
        more
    }
}

/// Holds the repositories of all that is named, so that no other run writes there meanwhile.
fn locks(request: &FixRequest) -> Result<Vec<FolderLock>, LockError> {
    if request.diff {
        return Ok(Vec::new());
    }
    let cwd = &request.common.cwd;
    let mut folders: BTreeSet<PathBuf> =
        request.paths.iter().map(|it| repository_of(&cwd.join(it))).collect();
    if folders.is_empty() {
        folders.insert(repository(cwd));
    }
    folders.iter().map(|folder| FolderLock::acquire(folder)).collect()
}

/// The repository of a file or folder; of the folder, where there is none.
fn repository_of(path: &Path) -> PathBuf {
    if path.is_dir() { repository(path) } else { repository(path.parent().unwrap_or(path)) }
}

/// The file with all findings applied that the request asks for.
fn rewrite(file: &FileFindings, name: &str, request: &FixRequest) -> Outcome {
    let level = Level::from(request.level);
    let text = file.source.text();
    let wanted = |it: &&Located| request.only.as_ref().is_none_or(|only| only.contains(&it.id));
    let asked: Vec<&Located> = file.findings.iter().filter(wanted).collect();
    let done = file.apply(&asked, level);
    let left_out = done.left_out.iter().map(|(index, error)| {
        let finding = asked[*index];
        let line = file.source.line_of(finding.finding.range.start);
        format!(
            "{name}:{line}: finding {} is left as it was: with it, the file would not parse \
             ({error}); please report this, with the code around the line",
            finding.id
        )
    });
    let left_out = left_out.collect();
    let applied: Vec<String> = done.applied.iter().map(|&it| asked[it].id.clone()).collect();
    let rewritten = (!applied.is_empty()).then(|| Rewritten {
        applied,
        old: file.source.to_bytes(text),
        new: file.source.to_bytes(&done.text),
    });
    Outcome { rewritten, left_out }
}

/// Writes the file, or its difference where only that is asked for.
fn carry_out(
    rewritten: &Rewritten,
    path: &Path,
    request: &FixRequest,
    progress: &Progress,
    report: &mut FixReport,
) -> Result<(), String> {
    let Some(diff) = &mut report.diff else {
        return replace_file(path, &rewritten.old, &rewritten.new, progress.cancelled())
            .map_err(|error| error.to_string());
    };
    // `git apply` takes names relative to the top of the repository.
    let name = shown(path, &repository(&request.common.cwd));
    let old = String::from_utf8_lossy(&rewritten.old);
    let new = String::from_utf8_lossy(&rewritten.new);
    diff.push_str(&unified_diff(&name, &name, &old, &new));
    Ok(())
}

fn respond(request: &FixRequest, analysis: &Analysis, report: FixReport) -> Response {
    let common = &request.common;
    let style = Style { color: common.color, width: common.width };
    let nothing_read = analysis.stats.files == 0;
    let is_complete = !nothing_read && report.failed.is_empty() && !report.interrupted;
    let exit_code = if is_complete { 0 } else { 2 };
    let mut stderr = render::skipped_notices(&report.skipped, &report.warnings, style);
    if nothing_read {
        stderr.push_str(&render::nothing_read(&request.paths, &report.skipped));
    }
    let summary = render::pretty::fixed(&report);
    let stdout = match &report.diff {
        Some(diff) => {
            stderr.push_str(&summary);
            diff.clone()
        }
        None => summary,
    };
    if report.interrupted {
        stderr.push_str("error: interrupted: every file is as it was or done; run again\n");
    }
    for failed in &report.failed {
        stderr.push_str(&format!("error: {}\n", failed.reason));
    }
    let report = serde_json::to_value(&report).unwrap_or_default();
    Response { exit_code, stdout, stderr, report }
}
