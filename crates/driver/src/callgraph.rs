//! `headstart callgraph`

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use headstart_callgraph::{CallGraph, Counts, FunctionRef, InstRef};
use headstart_edit::SourceText;
use headstart_effects::call_graph;
use headstart_frontend::{Phase, Progress, SourceFile};
use headstart_ir::{ClassId, FileIr, FunctionId, FunctionKind, Span};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::analyse::{read_again, skipped, stats, warnings};
use crate::paths::{real, shown};
use crate::programs::{Loaded, Programs};
use crate::render::pretty::plural;
use crate::render::{Style, nothing_read, skipped_notices};
use crate::report::{SkippedReport, Stats, VERSION, WarningReport};
use crate::request::{CallGraphRequest, GraphFormat};
use crate::respond::Response;

/// The result of `callgraph`, in the form that other analysers of JavaScript use, too. A place is
/// `file:startLine:startColumn:endLine:endColumn`, where `file` is an index into `files`; lines and
/// columns are counted from one.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "CallGraphReport"))]
pub(crate) struct GraphReport {
    /// Of this form; a form that could break a reader gets a new number.
    #[cfg_attr(test, ts(type = "1"))]
    version: u32,
    files: Vec<String>,
    /// The places of the functions, by number. The top level of a module is a function too.
    #[cfg_attr(test, ts(type = "Readonly<Record<string, string>>"))]
    functions: BTreeMap<usize, String>,
    /// The places of the calls, by number.
    #[cfg_attr(test, ts(type = "Readonly<Record<string, string>>"))]
    calls: BTreeMap<usize, String>,
    /// Which function may call which.
    #[cfg_attr(test, ts(type = "readonly (readonly [caller: number, callee: number])[]"))]
    fun2fun: BTreeSet<(usize, usize)>,
    /// Which call may call which function.
    #[cfg_attr(test, ts(type = "readonly (readonly [call: number, callee: number])[]"))]
    call2fun: BTreeSet<(usize, usize)>,
    /// The calls of functions outside of the program that a model describes.
    #[cfg_attr(test, ts(type = "readonly (readonly [call: number, name: string])[]"))]
    modelled: BTreeSet<(usize, String)>,
    /// The calls that may call something unknown, and why.
    #[cfg_attr(test, ts(type = "readonly (readonly [call: number, reason: string])[]"))]
    unresolved: BTreeSet<(usize, String)>,
    skipped: Vec<SkippedReport>,
    warnings: Vec<WarningReport>,
    stats: Stats,
}

pub(crate) fn run(request: &CallGraphRequest, progress: &Progress) -> Response {
    match graph(request, progress) {
        Ok(response) => response,
        Err(message) => Response::failed(&message),
    }
}

fn graph(request: &CallGraphRequest, progress: &Progress) -> Result<Response, String> {
    let common = &request.common;
    let base = real(&common.cwd);
    let mut programs = Programs::of(common, &request.paths)?;
    let mut report = GraphReport { version: VERSION, ..GraphReport::default() };
    let mut names = Vec::new();
    let mut counts = Counts::default();
    while let Some(loaded) = programs.next(progress)? {
        let program = &loaded.program;
        progress.begin(Phase::Analysing, program.files.len());
        let irs: Vec<&FileIr> = program.files.iter().map(|file| &file.ir).collect();
        let graph = call_graph(&irs, &programs.models, progress.cancelled())?;
        if request.format == GraphFormat::Pretty {
            counts.add(graph.counts(&|file| loaded.covers(&program.files[file])));
        } else {
            Builder::new(&loaded, &graph, &base, &mut report, &mut names).collect()?;
        }
        report.stats.add(&stats(program, &|file| loaded.covers(file)));
        report.skipped.extend(skipped(&program.skipped, &base));
        report.warnings.extend(warnings(&program.warnings, &base));
    }
    let stdout = match request.format {
        GraphFormat::Pretty => summary(&counts, report.stats.files),
        GraphFormat::Dot => dot(&report, &names),
        GraphFormat::Json => serde_json::to_string(&report).unwrap_or_default() + "\n",
    };
    Ok(respond(request, stdout, &report))
}

fn respond(request: &CallGraphRequest, stdout: String, report: &GraphReport) -> Response {
    let style = Style { color: request.common.color, width: request.common.width };
    let mut stderr = match request.format {
        GraphFormat::Json => String::new(),
        _ => skipped_notices(&report.skipped, &report.warnings, style),
    };
    let is_empty = report.stats.files == 0;
    if is_empty {
        stderr.push_str(&nothing_read(&request.paths, &report.skipped));
    }
    let exit_code = if is_empty { 2 } else { 0 };
    let report = serde_json::to_value(report).unwrap_or_default();
    Response { exit_code, stdout, stderr, report }
}

/// How much is understood, for a person.
fn summary(counts: &Counts, files: usize) -> String {
    let percent = |part: usize| 100.0 * part as f64 / counts.calls.max(1) as f64;
    let (all, files) = (plural(counts.all, "call"), plural(files, "file"));
    if counts.calls == 0 {
        return format!("{all} in {files}, none of them inside a function that waits.\n");
    }
    let mut text = format!(
        "{all} in {files}, {} of them inside functions that wait: {} ({:.1}%) of these go to known \
         code.\n",
        counts.calls,
        counts.known,
        percent(counts.known)
    );
    if !counts.unknown.is_empty() {
        text.push_str("The others may do anything:\n");
    }
    for (cause, count) in counts.causes() {
        let _ = writeln!(text, "{count:>8}  {:>4.1}%  {cause}", percent(count));
    }
    text
}

/// Numbers files, functions and calls of one program while it collects the edges; goes on from what
/// the report has of others.
struct Builder<'a> {
    loaded: &'a Loaded,
    graph: &'a CallGraph<'a>,
    base: &'a Path,
    report: &'a mut GraphReport,
    /// The names of the functions, by their numbers.
    names: &'a mut Vec<String>,
    /// The texts of the files that are mentioned, by their place in the program, with the numbers
    /// that the files have in the report.
    sources: FxHashMap<u32, (usize, SourceText)>,
    /// By file and span: a constructor is the class that it belongs to.
    functions: FxHashMap<(u32, Span), usize>,
    /// The classes whose constructors are functions, by the constructor.
    classes: FxHashMap<FunctionRef, ClassId>,
}

impl<'a> Builder<'a> {
    fn new(
        loaded: &'a Loaded,
        graph: &'a CallGraph<'a>,
        base: &'a Path,
        report: &'a mut GraphReport,
        names: &'a mut Vec<String>,
    ) -> Self {
        let (functions, sources) = (FxHashMap::default(), FxHashMap::default());
        let mut classes = FxHashMap::default();
        for (file, source) in (0..).zip(&loaded.program.files) {
            for (index, class) in source.ir.classes.iter().enumerate() {
                for member in &class.members {
                    if member.kind == headstart_ir::MemberKind::Constructor {
                        let at = FunctionRef { file, function: member.function };
                        classes.insert(at, ClassId::new(index));
                    }
                }
            }
        }
        Self { loaded, graph, base, report, names, sources, functions, classes }
    }

    /// All functions of the files that were named, and whatever their calls may call.
    fn collect(&mut self) -> Result<(), String> {
        let files = &self.loaded.program.files;
        let covered: Vec<(u32, &SourceFile)> =
            (0..).zip(files).filter(|(_, it)| self.loaded.covers(it)).collect();
        for &(file, _) in &covered {
            self.file(file)?;
        }
        for &(file, source) in &covered {
            for index in 0..source.ir.functions.len() {
                let function = FunctionId::new(index);
                self.function(FunctionRef { file, function })?;
            }
            for class in &source.ir.classes {
                self.place(file, class.span, class.name)?;
            }
        }
        for &(file, _) in &covered {
            for call in self.graph.calls(file) {
                self.call(call)?;
            }
        }
        Ok(())
    }

    fn ir(&self, file: u32) -> &'a FileIr {
        &self.loaded.program.files[file as usize].ir
    }

    /// The text of a file and its number in the report.
    fn file(&mut self, file: u32) -> Result<&(usize, SourceText), String> {
        match self.sources.entry(file) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => {
                let file = &self.loaded.program.files[file as usize];
                let name = shown(&file.path, self.base);
                let source = read_again(file).map_err(|reason| format!("{name}: {reason}"))?;
                self.report.files.push(name);
                Ok(new.insert((self.report.files.len() - 1, source)))
            }
        }
    }

    fn function(&mut self, at: FunctionRef) -> Result<usize, String> {
        let ir = self.ir(at.file);
        let function = ir.function(at.function);
        let span = match self.classes.get(&at) {
            Some(&class) => ir.class(class).span,
            None if function.kind == FunctionKind::Module => {
                let end = self.file(at.file)?.1.text().len();
                Span::new(0, u32::try_from(end).unwrap_or(u32::MAX))
            }
            None => function.span,
        };
        self.place(at.file, span, function.name)
    }

    fn place(
        &mut self,
        file: u32,
        span: Span,
        name: Option<headstart_ir::NameId>,
    ) -> Result<usize, String> {
        if let Some(&id) = self.functions.get(&(file, span)) {
            return Ok(id);
        }
        let id = self.names.len();
        let text = self.place_text(file, span)?;
        self.functions.insert((file, span), id);
        self.report.functions.insert(id, text);
        let name = name.map_or("(anonymous)", |name| self.ir(file).name(name));
        self.names.push(name.to_owned());
        Ok(id)
    }

    /// A place as `file:startLine:startColumn:endLine:endColumn`.
    fn place_text(&mut self, file: u32, span: Span) -> Result<String, String> {
        let (number, source) = self.file(file)?;
        let (start, end) = (source.position(span.start), source.position(span.end));
        Ok(format!("{number}:{}:{}:{}:{}", start.line, start.column, end.line, end.column))
    }

    fn call(&mut self, call: InstRef) -> Result<(), String> {
        let id = self.report.calls.len();
        let text = self.place_text(call.file, self.ir(call.file).span(call.inst))?;
        self.report.calls.insert(id, text);
        let caller = self.function(self.graph.function_at(call))?;
        let callees = self.graph.callees(call);
        let mut targets: Vec<usize> = Vec::new();
        for &function in callees.functions.iter().chain(&callees.callbacks) {
            let kind = self.ir(function.file).function(function.function).kind;
            if kind != FunctionKind::FieldInit {
                targets.push(self.function(function)?);
            }
        }
        for class in &callees.classes {
            let of = self.ir(class.file).class(class.class);
            targets.push(self.place(class.file, of.span, of.name)?);
        }
        for target in targets {
            self.report.call2fun.insert((id, target));
            self.report.fun2fun.insert((caller, target));
        }
        self.report.modelled.extend(callees.modelled.iter().map(|it| (id, self.graph.name(it))));
        for cause in &callees.unknown {
            self.report.unresolved.insert((id, cause.to_string()));
        }
        if callees.unknown.is_empty()
            && let Some(obstacle) = callees.obstacle()
        {
            self.report.unresolved.insert((id, obstacle.to_owned()));
        }
        Ok(())
    }
}

/// The functions and which calls which, for Graphviz.
fn dot(report: &GraphReport, names: &[String]) -> String {
    let mut text = String::from("digraph calls {\n  node [shape=box];\n");
    for ((id, place), name) in report.functions.iter().zip(names) {
        let (file, rest) = place.split_once(':').unwrap_or((place, ""));
        let file = file.parse::<usize>().ok().and_then(|it| report.files.get(it));
        let line = rest.split(':').next().unwrap_or_default();
        let label = format!("{name}\\n{}:{line}", file.map_or("", String::as_str));
        let _ = writeln!(text, "  f{id} [label=\"{}\"];", label.replace('"', "\\\""));
    }
    for (from, to) in &report.fun2fun {
        let _ = writeln!(text, "  f{from} -> f{to};");
    }
    text.push_str("}\n");
    text
}
