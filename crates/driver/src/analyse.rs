//! Loading a program and finding what can be rewritten.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use headstart_edit::{Edit, SourceText};
use headstart_effects::{
    Assumption, Code, Elsewhere, FileAnalysis, Logs, ProgramFacts, Session, Summaries,
    program_facts,
};
use headstart_frontend::{
    LoadError, Phase, Program, Progress, Skipped, SourceFile, Texts, Warning, WarningKind,
};
use headstart_ir::order::{sort, sort_by, sort_by_key};
use headstart_ir::{FileIr, Inst, Span};
use headstart_models::Models;
use headstart_overlap::{ATOMICITY, Emitter, Errors, Explanation, Finding, Level};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::alone::runs_alone;
use crate::assume::{assumed, nowhere};
use crate::confirm::Guests;
use crate::evidence::{Seen, measure, notes, told};
use crate::paths::{real, repository, shown};
use crate::profile::Observed;
use crate::programs::{Loaded, Programs};
use crate::report::{SkippedReport, Stats, WarningReport};
use crate::request::Common;

/// What was found in all programs that were asked about.
#[derive(Default)]
pub(crate) struct Analysis {
    /// The files that have findings, sorted by path.
    pub(crate) found: Vec<FileFindings>,
    /// The files that were not looked at.
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) stats: Stats,
    /// What was asked about one line; none where its file was not looked at.
    pub(crate) answer: Option<Answer>,
}

/// A line that somebody asks about.
pub(crate) struct Question<'a> {
    pub(crate) path: &'a Path,
    pub(crate) line: u32,
}

/// What there is to say about a line.
pub(crate) struct Answer {
    pub(crate) source: SourceText,
    pub(crate) explanations: Vec<Explanation>,
    /// All awaits of the file.
    pub(crate) awaits: Vec<Span>,
}

/// The findings of one file, with the text they are about.
pub(crate) struct FileFindings {
    pub(crate) path: PathBuf,
    pub(crate) source: SourceText,
    pub(crate) findings: Vec<Located>,
    /// Whether it is none of what its project is for: a script around it, an example, documentation.
    pub(crate) is_aside: bool,
}

/// A finding with its edits.
pub(crate) struct Located {
    /// Stays the same while the code of the finding does.
    pub(crate) id: String,
    pub(crate) finding: Finding,
    pub(crate) edits: Vec<Edit>,
    /// What a trace of the running program says of it, if there is one.
    pub(crate) observed: Option<Observed>,
    /// What `headstart observe` has seen of it.
    pub(crate) seen: Option<Seen>,
}

/// Loads the programs that `paths` belong to, and finds in them all that can be rewritten in what is
/// named. Runs on the threads of the caller's pool.
pub(crate) fn analyse(
    common: &Common,
    paths: &[PathBuf],
    progress: &Progress,
    question: Option<&Question<'_>>,
) -> Result<Analysis, String> {
    look_at(common, Programs::of(common, paths)?, progress, question)
}

/// The same, where some files are about to hold something else.
pub(crate) fn analyse_with(
    common: &Common,
    paths: &[PathBuf],
    texts: Arc<Texts>,
    progress: &Progress,
) -> Result<Analysis, String> {
    look_at(common, Programs::of(common, paths)?.with_texts(texts), progress, None)
}

fn look_at(
    common: &Common,
    mut programs: Programs<'_>,
    progress: &Progress,
    question: Option<&Question<'_>>,
) -> Result<Analysis, String> {
    let begun = Instant::now();
    let mut analysis = Analysis::default();
    let mut guests = Guests::default();
    while let Some(loaded) = programs.next(progress)? {
        remove_leftovers(&loaded);
        let is_last = common.is_last && !programs.has_more();
        let asked = (question, is_last);
        one_program(common, &loaded, &programs.models, progress, asked, &mut analysis)?;
        guests.note(&loaded);
        analysis.warnings.extend(loaded.program.warnings);
        analysis.skipped.extend(loaded.program.skipped);
        programs.keep(loaded.program.files);
    }
    analysis.warnings.extend(nowhere(common));
    analysis.warnings.extend(notes(common));
    measure(common, &mut analysis.found);
    guests.confirm(common, &mut programs, progress, &mut analysis.found)?;
    sort_by(&mut analysis.found, |a, b| a.path.cmp(&b.path));
    number_alike(&mut analysis.found);
    sort_by(&mut analysis.skipped, |a, b| a.path.cmp(&b.path));
    sort(&mut analysis.warnings);
    analysis.stats.elapsed_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(analysis)
}

/// Tells findings of different programs apart that have the same name: a file may stand at the same
/// place in two repositories.
fn number_alike(found: &mut [FileFindings]) {
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    for located in found.iter_mut().flat_map(|file| &mut file.findings) {
        let count = seen.entry(located.id.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            located.id = format!("{}.{count}", located.id);
        }
    }
}

/// Clears the folders of a program of what a killed `fix` left in them.
fn remove_leftovers(loaded: &Loaded) {
    let files = loaded.program.files.iter().filter(|it| !it.is_foreign);
    let folders: FxHashSet<&Path> = files.filter_map(|it| it.path.parent()).collect();
    folders.into_iter().for_each(headstart_edit::remove_stale_temporaries);
}

/// `is_last`: the process ends with the answer, so that what is known need not be given back first.
fn one_program(
    common: &Common,
    loaded: &Loaded,
    models: &Models,
    progress: &Progress,
    (question, is_last): (Option<&Question<'_>>, bool),
    analysis: &mut Analysis,
) -> Result<(), String> {
    let program = &loaded.program;
    progress.begin(Phase::Analysing, program.files.len());
    let irs: Vec<&FileIr> = program.files.iter().map(|file| &file.ir).collect();
    // Nothing is found where nothing waits, however much of other projects is imported there.
    if question.is_none() && !program.files.iter().any(|it| loaded.covers(it) && waits(it)) {
        let facts = program_facts(&irs, models, progress.cancelled())?;
        program.files.iter().for_each(|_| progress.step());
        analysis.stats.add(&stats(program, &|file| loaded.covers(file)));
        analysis.warnings.extend(patch_warnings(loaded, &facts));
        return Ok(());
    }
    let asked: Vec<usize> =
        (0..irs.len()).filter(|&it| loaded.covers(&program.files[it])).collect();
    // Of a small project that imports a large one, little has to be known.
    let assumed = assumed(common, loaded);
    let told = told(common, loaded, assumed.answers.clone());
    let session = if asked.len() * 2 < irs.len() {
        Session::about(&asked, &irs, models, told, progress.cancelled())?
    } else {
        Session::new(&irs, models, told, progress.cancelled())?
    };
    let kept;
    let about: &Session<'_> = if is_last {
        Box::leak(Box::new(session))
    } else {
        kept = session;
        &kept
    };
    let mut said = patch_warnings(loaded, &about.facts);
    said.extend(assumed.contradictions(&about.summaries, &program.files));
    said.extend(assumed.warnings);
    let look_in = |session, is_first: bool| {
        let finder = Finder { question, ..Finder::new(common, loaded, session) };
        let look = |(index, file): (usize, &SourceFile)| {
            if is_first {
                progress.step();
            }
            let is_asked = loaded.covers(file) && !progress.is_cancelled();
            is_asked.then(|| finder.look(index, file))
        };
        // One by one: what takes long in a few files is not known before.
        program.files.par_iter().with_max_len(1).enumerate().map(look).collect()
    };
    let whole;
    let mut looked: Vec<Option<Result<Looked, String>>> = look_in(about, true);
    let finds = |it: &Looked| it.answer.is_some() || !matches!(it.found, Ok(None));
    let has_found = || looked.iter().flatten().flatten().any(finds);
    if about.summaries.lacks() || about.summaries.has_supposed() && has_found() {
        whole = about.whole()?;
        looked = look_in(&whole, false);
    }
    // What was found when somebody stopped it is not complete.
    if progress.is_cancelled() {
        return Err(LoadError::Cancelled.to_string());
    }
    let mut changed = Vec::new();
    for (looked, file) in looked.into_iter().zip(&program.files) {
        let Some(looked) = looked.transpose()? else { continue };
        analysis.stats.io_awaits += looked.io_awaits;
        if looked.answer.is_some() {
            analysis.answer = looked.answer;
        }
        match looked.found {
            Ok(found) => analysis.found.extend(found),
            Err(message) => {
                let path = file.path.clone();
                changed.push(Warning { kind: WarningKind::Changed, path, message });
            }
        }
    }
    analysis.stats.add(&stats(program, &|file| loaded.covers(file)));
    analysis.warnings.extend(said);
    analysis.warnings.extend(changed);
    Ok(())
}

/// Whether any function of a file may wait: nothing is found in the others.
fn waits(file: &SourceFile) -> bool {
    file.ir.functions.iter().any(|it| it.suspend_points > 0)
}

/// What is needed to look at the files of a program, one by one, on any thread.
pub(crate) struct Finder<'a, 'p> {
    pub(crate) session: &'p Session<'p>,
    pub(crate) errors: Errors,
    pub(crate) logs: Logs,
    pub(crate) question: Option<&'a Question<'a>>,
    /// What names of findings are relative to in the project, and in those that are a part of it, by where
    /// they begin.
    pub(crate) roots: Vec<(&'a Path, PathBuf)>,
    pub(crate) places: Places<'a>,
    /// A file that could not be read and may change others.
    unread: Option<String>,
}

/// What there is in a file.
struct Looked {
    io_awaits: usize,
    answer: Option<Answer>,
    /// Its findings; why they cannot be written out.
    found: Result<Option<FileFindings>, String>,
}

impl<'a, 'p> Finder<'a, 'p> {
    /// One that looks at the files of a project as a session sees them, and is asked nothing.
    pub(crate) fn new(common: &Common, loaded: &'a Loaded, session: &'p Session<'p>) -> Self {
        let base = real(&common.cwd);
        Self {
            session,
            errors: Errors::from(common.errors),
            logs: common.logs.into(),
            question: None,
            roots: std::iter::once(&loaded.root)
                .chain(&loaded.parts)
                .map(|it| (it.as_path(), repository(it)))
                .collect(),
            unread: loaded.unread.as_deref().map(|it| shown(it, &base)),
            places: Places { files: &loaded.program.files, base },
        }
    }

    /// Names what stands in other files; lowers what is `safe` where a file could not be read that may change
    /// others.
    fn complete(&self, finding: &mut Finding) {
        self.places.complete_finding(finding);
        if let (Some(unread), Level::Safe) = (&self.unread, finding.level) {
            finding.level = Level::Likely;
            let reason = Code::UnreadFileChangesNothing.with(&[unread]);
            finding.assumptions.push(Assumption::new(reason, finding.range));
        }
    }

    /// What is found in one file, by its index in the program.
    pub(crate) fn findings(&self, index: usize, file: &SourceFile) -> Vec<Finding> {
        let analysis = self.session.file(index).with_logs(self.logs);
        let mut findings = self.find(&analysis, file);
        findings.iter_mut().for_each(|it| self.complete(it));
        findings
    }

    fn find(&self, analysis: &FileAnalysis<'p>, file: &SourceFile) -> Vec<Finding> {
        if file.is_generated {
            return Vec::new();
        }
        let mut found = headstart_overlap::find(analysis, &self.session.summaries, self.errors);
        if runs_alone(&file.path, self.root_of(&file.path)) {
            found.retain(|it| it.rule != ATOMICITY);
        }
        found
    }

    /// Looks at one file, by its index in the program.
    ///
    /// # Errors
    /// A file that cannot be read again, if something is asked about it.
    fn look(&self, index: usize, file: &SourceFile) -> Result<Looked, String> {
        let analysis = self.session.file(index).with_logs(self.logs);
        let summaries = &self.session.summaries;
        let mut findings = self.find(&analysis, file);
        let question = self.question.filter(|it| it.path == file.path);
        let answer = question
            .map(|it| answer(it, file, &analysis, summaries, &findings, &self.places))
            .transpose()?;
        let io_awaits = headstart_overlap::count_io_awaits(&analysis, summaries);
        findings.iter_mut().for_each(|it| self.complete(it));
        Ok(Looked { io_awaits, answer, found: locate(file, findings, self.root_of(&file.path)) })
    }

    /// What names of findings in a file are relative to: the same, whatever else is named.
    fn root_of(&self, file: &'a Path) -> &Path {
        let around = self.roots.iter().filter(|(begin, _)| file.starts_with(begin));
        around.max_by_key(|(begin, _)| begin.as_os_str().len()).map_or(file, |(_, root)| root)
    }
}

impl Analysis {
    /// The findings of `level` and surer, each with its file: what saves most waiting first, by an
    /// estimate; what saves as much in the order of their places. What only developers run, or read, comes
    /// last.
    pub(crate) fn ordered(&self, level: Level) -> Vec<(&FileFindings, &Located)> {
        let mut all: Vec<(&FileFindings, &Located)> = Vec::new();
        for file in &self.found {
            all.extend(file.findings.iter().map(|it| (file, it)));
        }
        all.retain(|(_, it)| it.finding.level <= level);
        sort_by_key(&mut all, |(file, it)| (file.is_aside, std::cmp::Reverse(it.finding.gain)));
        // What was measured comes before what is estimated.
        let waited = |it: &Located| {
            let traced = it.observed.map(|it| it.waited_ms);
            traced.or_else(|| it.seen.map(|it| it.needless_ms)).unwrap_or(-1.0)
        };
        sort_by(&mut all, |(_, one), (_, other)| waited(other).total_cmp(&waited(one)));
        all
    }
}

/// Whether a file of a project is none of what it is for: scripts around it, examples, documentation.
fn is_aside(path: &Path, root: &Path) -> bool {
    const ASIDE: [&str; 14] = [
        ".github",
        "bench",
        "benchmark",
        "benchmarks",
        "ci",
        "demo",
        "demos",
        "docs",
        "example",
        "examples",
        "playground",
        "script",
        "scripts",
        "templates",
    ];
    let inside = path.strip_prefix(root).unwrap_or(path);
    let folders = inside.parent().into_iter().flat_map(Path::components);
    folders.filter_map(|it| it.as_os_str().to_str()).any(|it| ASIDE.contains(&it))
}

/// Names places in other files.
pub(crate) struct Places<'a> {
    pub(crate) files: &'a [SourceFile],
    pub(crate) base: PathBuf,
}

impl Places<'_> {
    fn complete_finding(&self, finding: &mut Finding) {
        for it in &mut finding.assumptions {
            it.reason.append(&self.named(&it.elsewhere));
        }
        for it in &mut finding.blockers {
            it.reason.append(&self.named(&it.elsewhere));
        }
    }

    /// What stands behind a sentence: the places that it speaks of, each called by the one before it;
    /// nothing where it speaks of none.
    fn named(&self, elsewhere: &[Elsewhere]) -> String {
        let places: Vec<String> = elsewhere.iter().filter_map(|it| self.name(it)).collect();
        if places.is_empty() { String::new() } else { format!(" ({})", places.join(" → ")) }
    }

    fn shown(&self, file: &SourceFile) -> String {
        shown(&file.path, &self.base)
    }

    fn name(&self, place: &Elsewhere) -> Option<String> {
        let file = self.files.get(place.file)?;
        let name = self.shown(file);
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
    places: &Places<'_>,
) -> Result<Answer, String> {
    let source = read_again(file).map_err(|reason| format!("{}: {reason}", places.shown(file)))?;
    let awaits = file.ir.insts.iter().zip(&file.ir.spans);
    let awaits = awaits.filter(|(inst, _)| matches!(inst, Inst::Await(_)));
    let mut answer = Answer {
        awaits: awaits.map(|(_, &span)| span).collect(),
        source,
        explanations: Vec::new(),
    };
    if let Some(span) = line_span(&answer.source, question.line) {
        let findings: Vec<&Finding> = findings.iter().collect();
        answer.explanations = headstart_overlap::explain(analysis, summaries, &findings, span);
    }
    for it in &mut answer.explanations {
        for sentence in it.effects.iter_mut().chain(&mut it.reasons) {
            sentence.text.push_str(&places.named(&sentence.elsewhere));
        }
    }
    Ok(answer)
}

/// The stretch of a line, counted from 1; none where there is no such line.
pub(crate) fn line_span(source: &SourceText, line: u32) -> Option<Span> {
    let is_there = (1..=source.line_count()).contains(&line);
    is_there.then(|| Span::new(source.line_start(line), source.line_start(line + 1)))
}

/// Says where the program replaces parts of modules, since what their models say then holds only if
/// that does the same.
fn patch_warnings(loaded: &Loaded, facts: &ProgramFacts) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = Vec::new();
    for patch in &facts.patches {
        let Some(file) = loaded.program.files.get(patch.file) else { continue };
        if !loaded.covers(file) {
            continue;
        }
        let line = read_again(file).map_or(1, |source| source.line_of(patch.span(&file.ir).start));
        let message = format!(
            "line {line} may replace members of `{}`, or have them run code of the program: \
             findings that rest on what they do say so",
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
            Located { id, finding, edits, observed: None, seen: None }
        })
        .collect();
    let is_aside = is_aside(&file.path, root);
    Ok(Some(FileFindings { path: file.path.clone(), source, findings, is_aside }))
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
    let takes_in =
        |it: &Finding| findings.iter().any(|other| other.level < it.level && touches(it, other));
    let mut edits = vec![Vec::new(); findings.len()];
    let mut write = |emitter: &mut Emitter<'_>, is_one: &dyn Fn(&Finding) -> bool| {
        for (finding, edits) in findings.iter().zip(&mut edits).filter(|it| is_one(it.0)) {
            let Some(plan) = &finding.plan else { continue };
            *edits = emitter.emit(plan).map_err(|_| changed_message())?;
        }
        Ok::<(), String>(())
    };
    // What stands beside both comes first: its names are free in either case.
    let mut of_both = Emitter::new(ir, source);
    write(&mut of_both, &|it| !is_taken_in(it) && !takes_in(it))?;
    write(&mut of_both.clone(), &|it| is_taken_in(it))?;
    write(&mut of_both, &|it| takes_in(it) && !is_taken_in(it))?;
    Ok(edits)
}

/// The text of a file that was loaded before.
pub(crate) fn read_again(file: &SourceFile) -> Result<SourceText, String> {
    if let Some(text) = &file.text {
        return SourceText::from_bytes(text.as_bytes().to_vec()).map_err(|it| it.to_string());
    }
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
pub(crate) fn skipped(skipped: &[Skipped], base: &Path) -> Vec<SkippedReport> {
    let report = |it: &Skipped| SkippedReport {
        file: shown(&it.path, base),
        reason: it.reason.clone(),
        line: it.position.map(|(line, _)| line),
        column: it.position.map(|(_, column)| column),
    };
    skipped.iter().map(report).collect()
}

/// The warnings, as a report names them.
pub(crate) fn warnings(warnings: &[Warning], base: &Path) -> Vec<WarningReport> {
    let report = |it: &Warning| WarningReport {
        file: shown(&it.path, base),
        reason: it.message.clone(),
        kind: Some(it.kind),
    };
    warnings.iter().map(report).collect()
}
