//! `headstart fix`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use headstart_edit::{FolderLock, LockError, replace_file, unified_diff};
use headstart_frontend::{Phase, Progress};
use headstart_overlap::Level;

use crate::analyse::{Analysis, FileFindings, Located, analyse, skipped, warnings};
use crate::paths::{real, repository, shown};
use crate::render::{self, Style};
use crate::report::{FailedReport, FixReport, FixedReport, VERSION};
use crate::request::FixRequest;
use crate::respond::Response;

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
    progress.begin(Phase::Writing, analysis.found.len());
    for file in &analysis.found {
        progress.step();
        if progress.is_cancelled() {
            report.interrupted = true;
            break;
        }
        let path = file.path.as_path();
        let name = shown(path, &base);
        let outcome = rewrite(file, &name, request);
        let mut failures = outcome.left_out;
        if let Some(it) = outcome.rewritten {
            match carry_out(&it, path, request, progress, &mut report) {
                Ok(()) => {
                    let findings = it.applied;
                    report.fixed.push(FixedReport { file: name.clone(), findings });
                }
                Err(reason) => failures.push(reason),
            }
        }
        let failed = |reason| FailedReport { file: name.clone(), reason };
        report.failed.extend(failures.into_iter().map(failed));
    }
    respond(request, &analysis, report)
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
