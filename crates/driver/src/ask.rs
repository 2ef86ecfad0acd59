//! `headstart ask`: what a person could say that would make more known.
//!
//! A question is about a function of the program of which nobody knows what it does. It counts the awaits of the
//! functions that call it: as long as it may do anything, none of them can start earlier than it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use headstart_callgraph::FunctionRef;
use headstart_edit::SourceText;
use headstart_effects::{Does, Open, Session};
use headstart_frontend::{Phase, Progress, SourceFile};
use headstart_ir::order::{sort_by, sort_by_key};
use headstart_ir::{FileIr, FunctionId, Inst};
use serde::Serialize;

use crate::analyse::{read_again, skipped, warnings};
use crate::assume::{assumed, base, key_of, nowhere};
use crate::evidence::told;
use crate::names::function_name;
use crate::paths::{real, shown};
use crate::programs::{Loaded, Programs};
use crate::render::pretty::plural;
use crate::render::{Style, nothing_read, skipped_notices};
use crate::report::{Range, SkippedReport, VERSION, WarningReport};
use crate::request::{AskRequest, EffectsFormat};
use crate::respond::Response;

/// The result of `ask`.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AskReport {
    /// Of this form; a form that could break a reader gets a new number.
    #[cfg_attr(test, ts(type = "1"))]
    version: u32,
    /// The questions whose answers most waits for, first; as many as were asked for.
    questions: Vec<QuestionReport>,
    /// How many there are in all.
    all: usize,
    /// How many functions of several awaits are kept from overlapping by something that no question is about.
    beyond: usize,
    skipped: Vec<SkippedReport>,
    warnings: Vec<WarningReport>,
}

/// A question about a function of the program: what does it do?
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Question"))]
pub(crate) struct QuestionReport {
    /// The name of the answer under `assume` in the configuration: `FILE#NAME`.
    key: String,
    name: String,
    file: String,
    range: Range,
    /// How many awaits stand beside calls of it, in how many functions.
    awaits: usize,
    functions: usize,
    /// What it calls, or does, of which nobody knows what that does, and where.
    cause: String,
    cause_file: String,
    cause_range: Range,
    /// The answers that there are.
    answers: Vec<&'static str>,
}

/// What stands before a question in the order.
#[derive(Default)]
struct Tally {
    awaits: usize,
    functions: usize,
    /// The awaits, each shared among all that has to be known in its function.
    share: usize,
    open: Option<Open>,
}

pub(crate) fn run(request: &AskRequest, progress: &Progress) -> Response {
    match ask(request, progress) {
        Ok(response) => response,
        Err(message) => Response::failed(&message),
    }
}

fn ask(request: &AskRequest, progress: &Progress) -> Result<Response, String> {
    let common = &request.common;
    let shown_from = real(&common.cwd);
    let mut programs = Programs::of(common, &request.paths)?;
    let mut report = AskReport { version: VERSION, ..AskReport::default() };
    let mut ranked: Vec<(usize, QuestionReport)> = Vec::new();
    let mut files = 0;
    while let Some(loaded) = programs.next(progress)? {
        files += loaded.program.files.iter().filter(|it| loaded.covers(it)).count();
        let irs: Vec<&FileIr> = loaded.program.files.iter().map(|file| &file.ir).collect();
        progress.begin(Phase::Analysing, irs.len());
        let said = assumed(common, &loaded);
        let told = told(common, &loaded, said.answers);
        let session = Session::new(&irs, &programs.models, told, progress.cancelled())?;
        let mut asking =
            Asking { loaded: &loaded, session: &session, tallies: BTreeMap::new(), beyond: 0 };
        asking.all();
        report.beyond += asking.beyond;
        ranked.extend(asking.questions(&base(common), &shown_from)?);
        report.skipped.extend(skipped(&loaded.program.skipped, &shown_from));
        report.warnings.extend(warnings(&loaded.program.warnings, &shown_from));
        report.warnings.extend(warnings(&said.warnings, &shown_from));
    }
    report.warnings.extend(warnings(&nowhere(common), &shown_from));
    sort_by(&mut ranked, |a, b| b.0.cmp(&a.0).then_with(|| a.1.key.cmp(&b.1.key)));
    report.all = ranked.len();
    report.questions = ranked.into_iter().map(|it| it.1).take(request.most).collect();
    let style = Style { color: common.color, width: common.width };
    let mut stderr = match request.format {
        EffectsFormat::Pretty => skipped_notices(&report.skipped, &report.warnings, style),
        EffectsFormat::Json => String::new(),
    };
    if files == 0 {
        stderr.push_str(&nothing_read(&request.paths, &report.skipped));
    }
    let text = pretty(&report);
    let value = serde_json::to_value(&report).unwrap_or_default();
    let stdout = match request.format {
        EffectsFormat::Pretty => text,
        EffectsFormat::Json => format!("{value:#}\n"),
    };
    Ok(Response { exit_code: if files == 0 { 2 } else { 0 }, stdout, stderr, report: value })
}

/// The questions about one program.
struct Asking<'a> {
    loaded: &'a Loaded,
    session: &'a Session<'a>,
    tallies: BTreeMap<FunctionRef, Tally>,
    beyond: usize,
}

impl Asking<'_> {
    fn all(&mut self) {
        for (index, file) in (0..).zip(&self.loaded.program.files) {
            if !self.loaded.covers(file) || file.is_generated {
                continue;
            }
            for function in 0..file.ir.functions.len() {
                self.function(FunctionRef { file: index, function: FunctionId::new(function) });
            }
        }
    }

    /// What stands in the way in one function. One wait overlaps nothing.
    fn function(&mut self, function: FunctionRef) {
        let summaries = &self.session.summaries;
        let awaits = summaries.count_awaits(function);
        if awaits < 2 {
            return;
        }
        let open = summaries.open_in(function);
        let mut about: Vec<(FunctionRef, Open)> =
            open.iter().filter_map(|it| Some((it.about?, *it))).collect();
        sort_by_key(&mut about, |it| it.0);
        about.dedup_by_key(|it| it.0);
        let is_askable = |it: FunctionRef| {
            let file = self.loaded.program.files.get(it.file as usize);
            file.is_some_and(|it| !it.is_foreign && !it.is_generated)
        };
        about.retain(|it| is_askable(it.0));
        let unasked = open.iter().filter(|it| !it.about.is_some_and(is_askable)).count();
        self.beyond += usize::from(unasked > 0);
        for &(asked, open) in &about {
            let tally = self.tallies.entry(asked).or_default();
            tally.awaits += awaits;
            tally.functions += 1;
            tally.share += 100 * awaits / (about.len() + unasked);
            tally.open.get_or_insert(open);
        }
    }

    fn questions(
        &self,
        from: &Path,
        shown_from: &Path,
    ) -> Result<Vec<(usize, QuestionReport)>, String> {
        let mut sources: BTreeMap<u32, SourceText> = BTreeMap::new();
        let mut found = Vec::new();
        for (&function, tally) in &self.tallies {
            let Some(cause) = tally.open.map(|it| it.cause) else { continue };
            for file in [function.file, cause.file] {
                if let std::collections::btree_map::Entry::Vacant(place) = sources.entry(file) {
                    place.insert(self.source(file, shown_from)?);
                }
            }
            let file = self.file(function.file);
            let cause_file = self.file(cause.file);
            let of_cause = called(&cause_file.ir, cause.inst);
            let question = QuestionReport {
                key: key_of(from, file, function.function),
                name: function_name(&file.ir, function.function),
                file: shown(&file.path, shown_from),
                range: Range::of(
                    file.ir.function(function.function).span,
                    &sources[&function.file],
                ),
                awaits: tally.awaits,
                functions: tally.functions,
                cause: one_line(of_cause.text(sources[&cause.file].text())),
                cause_file: shown(&cause_file.path, shown_from),
                cause_range: Range::of(cause_file.ir.span(cause.inst), &sources[&cause.file]),
                answers: Does::ALL.iter().map(|it| it.0).collect(),
            };
            found.push((tally.share, question));
        }
        Ok(found)
    }

    fn file(&self, index: u32) -> &SourceFile {
        &self.loaded.program.files[index as usize]
    }

    fn source(&self, index: u32, shown_from: &Path) -> Result<SourceText, String> {
        let file = self.file(index);
        let name = || shown(&file.path, shown_from);
        read_again(file).map_err(|reason| format!("{}: {reason}", name()))
    }
}

/// What an instruction calls; the instruction, where it calls nothing.
fn called(ir: &FileIr, inst: headstart_ir::InstId) -> headstart_ir::Span {
    match ir.inst(inst) {
        Inst::Call { callee, .. } | Inst::New { callee, .. } => ir.span(callee),
        Inst::CallMethod { method, .. } => ir.span(method),
        _ => ir.span(inst),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The questions as a person reads them, and how to answer.
fn pretty(report: &AskReport) -> String {
    if report.questions.is_empty() {
        return "There is nothing to ask: no answer about a function of this code would make more known.\n"
            .to_owned();
    }
    let mut text = String::new();
    for (number, question) in (1..).zip(&report.questions) {
        let QuestionReport { name, file, range, cause, cause_file, cause_range, .. } = question;
        let _ = writeln!(text, "{number}. What does `{name}` do? ({file}:{})", range.start.line);
        let place = if cause_file == file {
            format!("line {}", cause_range.start.line)
        } else {
            format!("{cause_file}:{}", cause_range.start.line)
        };
        let _ = writeln!(
            text,
            "   {} in {} stand beside calls of it. Nobody knows what `{cause}` does ({place}).",
            plural(question.awaits, "await"),
            plural(question.functions, "function"),
        );
        let _ = writeln!(text, "   \"{}\": \"…\"", question.key);
        text.push('\n');
    }
    let more = report.all - report.questions.len();
    if more > 0 {
        let _ = writeln!(text, "{more} more: --most {} shows all.\n", report.all);
    }
    text.push_str(
        "Put the answers under \"assume\" in headstart.config.json, each as one of\n\
         \x20 computes  it only gives a result, and changes nothing but what it makes\n\
         \x20 reads     the same, and it asks something outside the program\n\
         \x20 logs      it writes lines of a log, or of telemetry, that the program never reads\n\
         \x20 anything  it does more than that, or may: nobody asks again\n\
         Findings that rest on an answer say so.\n",
    );
    text
}
