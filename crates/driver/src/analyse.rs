//! Loading a program and finding what can be rewritten.

use std::path::{Path, PathBuf};
use std::time::Instant;

use headstart_edit::{Edit, SourceText};
use headstart_effects::{Elsewhere, FileAnalysis, ProgramFacts, Summaries, understand};
use headstart_frontend::{
    LoadError, LoadOptions, Phase, Program, Progress, SourceFile, Warning, WarningKind,
};
use headstart_ir::{FileIr, Inst, Span};
use headstart_models::Models;
use headstart_overlap::{Emitter, Errors, Explanation, Finding, Level};
use rustc_hash::FxHashMap;

use crate::paths::{real, repository, shown};
use crate::report::{SkippedReport, Stats, WarningReport};
use crate::request::Common;

/// A program with its findings.
pub(crate) struct Analysis {
    pub(crate) program: Program,
    /// The files that have findings, in the program's order.
    pub(crate) found: Vec<FileFindings>,
    pub(crate) stats: Stats,
    /// What was asked about one line.
    pub(crate) explanations: Vec<Explanation>,
}

/// A line that somebody asks about.
pub(crate) struct Question<'a> {
    pub(crate) path: &'a Path,
    pub(crate) line: u32,
}

/// The findings of one file, with the text they are about.
pub(crate) struct FileFindings {
    /// Index into the program's files.
    pub(crate) file: usize,
    pub(crate) source: SourceText,
    pub(crate) findings: Vec<Located>,
}

/// A finding with its edits.
pub(crate) struct Located {
    /// Stays the same while the code of the finding does.
    pub(crate) id: String,
    pub(crate) finding: Finding,
    pub(crate) edits: Vec<Edit>,
}

/// Loads what `paths` name and finds all that can be rewritten. Runs on the threads of the
/// caller's pool.
pub(crate) fn analyse(
    common: &Common,
    paths: &[PathBuf],
    progress: &Progress,
    question: Option<&Question<'_>>,
) -> Result<Analysis, String> {
    let begun = Instant::now();
    let asked = Asked::new(common, paths);
    let (mut program, models) = load(common, &asked.loaded, progress)?;
    program.skipped.retain(|it| asked.covers(&it.path));
    program.warnings.retain(|it| asked.covers(&it.path));
    progress.begin(Phase::Analysing, program.files.len());
    let irs: Vec<&FileIr> = program.files.iter().map(|file| &file.ir).collect();
    let (facts, summaries) = understand(&irs, &models)?;
    let mut warnings = patch_warnings(&program, &facts);
    warnings.retain(|it| asked.covers(&it.path));
    let errors = Errors::from(common.errors);
    let root = repository(&common.cwd);
    let mut explanations = Vec::new();
    let places = Places { files: &program.files, base: real(&common.cwd) };
    let mut results: Vec<(usize, Result<Option<FileFindings>, String>)> = Vec::new();
    for (index, file) in program.files.iter().enumerate() {
        progress.step();
        if progress.is_cancelled() {
            break;
        }
        if !asked.covers(&file.path) {
            results.push((0, Ok(None)));
            continue;
        }
        let analysis =
            FileAnalysis::new(index, &file.ir, &models, &facts).with_summaries(&summaries);
        let mut findings = if file.is_generated {
            Vec::new()
        } else {
            headstart_overlap::find(&analysis, &summaries, errors)
        };
        if let Some(question) = question.filter(|it| it.path == file.path) {
            explanations = answer(question, file, &analysis, &summaries, &findings)?;
            for sentence in
                explanations.iter_mut().flat_map(|it| it.effects.iter_mut().chain(&mut it.reasons))
            {
                places.complete(&mut sentence.text, &sentence.elsewhere);
            }
        }
        let io_awaits = headstart_overlap::count_io_awaits(&analysis, &summaries);
        for finding in &mut findings {
            for it in &mut finding.assumptions {
                places.complete(it.text.to_mut(), &it.elsewhere);
            }
            for it in &mut finding.blockers {
                places.complete(it.text.to_mut(), &it.elsewhere);
            }
        }
        results.push((io_awaits, locate(index, file, findings, &root)));
    }
    if progress.is_cancelled() {
        return Err(LoadError::Cancelled.to_string());
    }
    let mut stats = stats(&program, &|file| asked.covers(&file.path));
    let mut found = Vec::new();
    for ((io_awaits, result), index) in results.into_iter().zip(0..) {
        stats.io_awaits += io_awaits;
        match result {
            Ok(findings) => found.extend(findings),
            Err(message) => {
                let path = program.files[index].path.clone();
                warnings.push(Warning { kind: WarningKind::Changed, path, message });
            }
        }
    }
    program.warnings.extend(warnings);
    program.warnings.sort();
    stats.elapsed_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(Analysis { program, found, stats, explanations })
}

/// What a command is asked to look at, and what has to be loaded for that: the whole program decides
/// what holds, not the files that are named.
struct Asked {
    named: Vec<PathBuf>,
    loaded: Vec<PathBuf>,
}

impl Asked {
    fn new(common: &Common, paths: &[PathBuf]) -> Self {
        let cwd = real(&common.cwd);
        let named: Vec<PathBuf> = match paths {
            [] => vec![cwd.clone()],
            _ => paths.iter().map(|it| real(&common.cwd.join(it))).collect(),
        };
        let mut loaded = paths.to_vec();
        if named.iter().any(|it| it.starts_with(&cwd)) {
            loaded.push(PathBuf::from("."));
        }
        Self { named, loaded }
    }

    fn covers(&self, path: &Path) -> bool {
        self.named.iter().any(|it| path.starts_with(it))
    }
}

impl Analysis {
    /// The findings of `level` and surer, each with its file: what saves most waiting first, by an
    /// estimate; what saves as much in the order of their places.
    pub(crate) fn ordered(&self, level: Level) -> Vec<(&FileFindings, &Located)> {
        let mut all: Vec<(&FileFindings, &Located)> = Vec::new();
        for file in &self.found {
            all.extend(file.findings.iter().map(|it| (file, it)));
        }
        all.retain(|(_, it)| it.finding.level <= level);
        all.sort_by_key(|(_, it)| std::cmp::Reverse(it.finding.gain));
        all
    }
}

/// Names places in other files.
struct Places<'a> {
    files: &'a [SourceFile],
    base: PathBuf,
}

impl Places<'_> {
    /// Adds the places that a sentence speaks of, each called by the one before it.
    fn complete(&self, text: &mut String, elsewhere: &[Elsewhere]) {
        let places: Vec<String> = elsewhere.iter().filter_map(|it| self.name(it)).collect();
        if !places.is_empty() {
            text.push_str(&format!(" ({})", places.join(" → ")));
        }
    }

    fn name(&self, place: &Elsewhere) -> Option<String> {
        let file = self.files.get(place.file)?;
        let name = shown(&file.path, &self.base);
        Some(match read_again(file) {
            Ok(source) => format!("{name}:{}", source.line_of(place.span.start)),
            Err(_) => name,
        })
    }
}

/// Explains the awaits of the line that is asked about.
fn answer<'p>(
    question: &Question<'_>,
    file: &SourceFile,
    analysis: &FileAnalysis<'p>,
    summaries: &'p Summaries<'p>,
    findings: &[Finding],
) -> Result<Vec<Explanation>, String> {
    let source = read_again(file)?;
    if question.line == 0 || question.line > source.line_count() {
        return Ok(Vec::new());
    }
    let start = source.line_start(question.line);
    let span = Span::new(start, source.line_start(question.line + 1));
    let findings: Vec<&Finding> = findings.iter().collect();
    Ok(headstart_overlap::explain(analysis, summaries, &findings, span))
}

/// Loads what `paths` name, and the models that hold for it.
pub(crate) fn load(
    common: &Common,
    paths: &[PathBuf],
    progress: &Progress,
) -> Result<(Program, Models), String> {
    let models = crate::models::load(common)?;
    let mut paths = if paths.is_empty() { vec![PathBuf::from(".")] } else { paths.to_vec() };
    let deps = common
        .deps
        .iter()
        .map(|name| dependency(&common.cwd, name))
        .collect::<Result<Vec<PathBuf>, String>>()?;
    paths.extend(deps.iter().cloned());
    let options = LoadOptions {
        root: common.cwd.clone(),
        paths,
        include_tests: common.include_tests,
        exclude: common.exclude.clone(),
    };
    let mut program = headstart_frontend::load(&options, progress)
        .map_err(|error: LoadError| error.to_string())?;
    // Nobody edits a package that is installed.
    for file in &mut program.files {
        file.is_generated |= deps.iter().any(|folder| file.path.starts_with(folder));
    }
    Ok((program, models))
}

/// The folder that an installed package is in.
fn dependency(cwd: &Path, name: &str) -> Result<PathBuf, String> {
    let folders = cwd.ancestors().map(|folder| folder.join("node_modules").join(name));
    folders.into_iter().find(|folder| folder.is_dir()).map(|it| real(&it)).ok_or_else(|| {
        format!(
            "the package `{name}`, named as a dependency to analyse, is not installed; install it"
        )
    })
}

/// Says where the program replaces parts of modules, since their models then hold nowhere in it.
fn patch_warnings(program: &Program, facts: &ProgramFacts) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = Vec::new();
    for patch in &facts.patches {
        let Some(file) = program.files.get(patch.file) else { continue };
        let line = read_again(file).map_or(1, |source| source.line_of(patch.span(&file.ir).start));
        let message = format!(
            "line {line} may replace members of `{}`, or have them run code of the program: calls \
             of them are taken to do anything, in the whole program",
            patch.module
        );
        let path = file.path.clone();
        let warning = Warning { kind: WarningKind::Replaced, path, message };
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings
}

/// The size of the files that count.
pub(crate) fn stats(program: &Program, counts: &dyn Fn(&SourceFile) -> bool) -> Stats {
    let mut stats = Stats::default();
    for file in program.files.iter().filter(|it| counts(it)) {
        stats.files += 1;
        stats.lines += u64::from(file.ir.lines);
        stats.functions += file.ir.functions.len();
        stats.awaits += file.ir.insts.iter().filter(|it| matches!(it, Inst::Await(_))).count();
    }
    stats
}

/// Reads the file again, for its text, and writes out the plans.
fn locate(
    index: usize,
    file: &SourceFile,
    findings: Vec<Finding>,
    root: &Path,
) -> Result<Option<FileFindings>, String> {
    if findings.is_empty() {
        return Ok(None);
    }
    let source = read_again(file)?;
    let name = shown(&file.path, root);
    let mut seen = FxHashMap::default();
    let mut edits = write_out(&file.ir, &source, &findings)?;
    let findings = findings
        .into_iter()
        .zip(edits.drain(..))
        .map(|(finding, edits)| {
            let id = id_of(&name, &finding, &source, &mut seen);
            Located { id, finding, edits }
        })
        .collect();
    Ok(Some(FileFindings { file: index, source, findings }))
}

/// The edits of each finding. What takes in others is never applied together with them, so that both
/// may use the same names.
pub(crate) fn write_out(
    ir: &FileIr,
    source: &SourceText,
    findings: &[Finding],
) -> Result<Vec<Vec<Edit>>, String> {
    let span = |it: &Finding| it.plan.as_ref().map(|plan| plan.span);
    let touches = |a: &Finding, b: &Finding| match (span(a), span(b)) {
        (Some(a), Some(b)) => a.start < b.end && b.start < a.end,
        _ => false,
    };
    let is_taken_in =
        |it: &Finding| findings.iter().any(|other| other.level > it.level && touches(it, other));
    let mut edits = vec![Vec::new(); findings.len()];
    for takes_in in [false, true] {
        let mut emitter = Emitter::new(ir, source);
        for (finding, edits) in findings.iter().zip(&mut edits) {
            let Some(plan) = &finding.plan else { continue };
            let is_left_out = if takes_in {
                is_taken_in(finding)
            } else {
                findings.iter().any(|other| other.level < finding.level && touches(finding, other))
            };
            if !is_left_out {
                *edits = emitter.emit(plan).map_err(|_| changed_message())?;
            }
        }
    }
    Ok(edits)
}

/// The text of a file that was loaded before.
pub(crate) fn read_again(file: &SourceFile) -> Result<SourceText, String> {
    let bytes = std::fs::read(&file.path)
        .map_err(|error| format!("cannot be read again: {error}; run again"))?;
    if headstart_frontend::content_hash(&bytes) != file.ir.content_hash {
        return Err(changed_message());
    }
    SourceText::from_bytes(bytes).map_err(|error| error.to_string())
}

fn changed_message() -> String {
    "changed while it was being looked at; run again".to_owned()
}

/// A name for a finding that does not change when code elsewhere in the file does: a hash of the
/// rule, the file's path in its repository and the text of the statement, numbered where that
/// repeats.
fn id_of(
    name: &str,
    finding: &Finding,
    source: &SourceText,
    seen: &mut FxHashMap<u64, u32>,
) -> String {
    let text = format!("{}\0{name}\0{}", finding.rule, finding.range.text(source.text()));
    let hash = headstart_frontend::content_hash(text.as_bytes());
    let count = seen.entry(hash).or_insert(0);
    *count += 1;
    let short = hash & 0xffff_ffff_ffff;
    if *count == 1 { format!("{short:012x}") } else { format!("{short:012x}-{count}") }
}

/// The files that were left out, as a report names them.
pub(crate) fn skipped(program: &Program, base: &Path) -> Vec<SkippedReport> {
    program
        .skipped
        .iter()
        .map(|it| SkippedReport {
            file: shown(&it.path, base),
            reason: it.reason.clone(),
            line: it.position.map(|(line, _)| line),
            column: it.position.map(|(_, column)| column),
        })
        .collect()
}

/// The warnings, as a report names them.
pub(crate) fn warnings(program: &Program, base: &Path) -> Vec<WarningReport> {
    program
        .warnings
        .iter()
        .map(|it| WarningReport {
            file: shown(&it.path, base),
            reason: it.message.clone(),
            kind: Some(it.kind),
        })
        .collect()
}
