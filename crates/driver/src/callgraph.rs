//! `headstart callgraph`

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use headstart_callgraph::{CallGraph, FunctionRef, InstRef};
use headstart_edit::SourceText;
use headstart_frontend::{Phase, Program, Progress};
use headstart_ir::{ClassId, FileIr, FunctionId, FunctionKind, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::analyse::{load, read_again, skipped, stats, warnings};
use crate::paths::{report_base, shown};
use crate::report::{SkippedReport, Stats, VERSION, WarningReport};
use crate::request::{CallGraphRequest, GraphFormat};
use crate::respond::Response;

/// A call graph in the form that other analysers of JavaScript use, too: places are
/// `file:startLine:startColumn:endLine:endColumn`, with the file's index.
#[derive(Debug, Default, Serialize)]
struct GraphReport {
    version: u32,
    files: Vec<String>,
    functions: BTreeMap<usize, String>,
    calls: BTreeMap<usize, String>,
    fun2fun: BTreeSet<(usize, usize)>,
    call2fun: BTreeSet<(usize, usize)>,
    modelled: BTreeSet<(usize, String)>,
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
    let (program, models) = load(common, &request.paths, progress)?;
    progress.begin(Phase::Analysing, program.files.len());
    let irs: Vec<&FileIr> = program.files.iter().map(|file| &file.ir).collect();
    let graph = CallGraph::build(&irs, &models, &FxHashSet::default())?;
    let base = report_base(&common.cwd, &request.paths);
    if request.format == GraphFormat::Pretty {
        let report = GraphReport {
            version: VERSION,
            skipped: skipped(&program, &base),
            warnings: warnings(&program, &base),
            stats: stats(&program, &|_| true),
            ..GraphReport::default()
        };
        return Ok(respond(summary(&graph), &report));
    }
    let mut builder = Builder::new(&program, &graph);
    builder.report.files = program.files.iter().map(|file| shown(&file.path, &base)).collect();
    builder.report.skipped = skipped(&program, &base);
    builder.report.warnings = warnings(&program, &base);
    builder.collect()?;
    let stdout = match request.format {
        GraphFormat::Dot => dot(&builder),
        _ => serde_json::to_string(&builder.report).unwrap_or_default() + "\n",
    };
    Ok(respond(stdout, &builder.report))
}

fn respond(stdout: String, report: &GraphReport) -> Response {
    let report = serde_json::to_value(report).unwrap_or_default();
    Response { exit_code: 0, stdout, stderr: String::new(), report }
}

/// How much is understood, for a person.
fn summary(graph: &CallGraph<'_>) -> String {
    let counts = graph.counts();
    let percent = |part: usize| 100.0 * part as f64 / counts.calls.max(1) as f64;
    let mut text = format!(
        "{} calls inside functions that wait: {} ({:.1}%) go to known code.\n",
        counts.calls,
        counts.known,
        percent(counts.known)
    );
    if !counts.unknown.is_empty() {
        text.push_str("The others may do anything:\n");
    }
    for (cause, count) in &counts.unknown {
        let _ = writeln!(text, "{count:>8}  {:>4.1}%  {cause}", percent(*count));
    }
    text
}

/// Numbers functions and calls while it collects the edges.
struct Builder<'a> {
    program: &'a Program,
    graph: &'a CallGraph<'a>,
    report: GraphReport,
    /// By file and span: a constructor is the class that it belongs to.
    functions: FxHashMap<(u32, Span), usize>,
    names: BTreeMap<usize, String>,
    /// The classes whose constructors are functions, by the constructor.
    classes: FxHashMap<FunctionRef, ClassId>,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program, graph: &'a CallGraph<'a>) -> Self {
        let report = GraphReport {
            version: VERSION,
            stats: stats(program, &|_| true),
            ..GraphReport::default()
        };
        let (functions, names) = (FxHashMap::default(), BTreeMap::new());
        let mut classes = FxHashMap::default();
        for (file, source) in (0..).zip(&program.files) {
            for (index, class) in source.ir.classes.iter().enumerate() {
                for member in &class.members {
                    if member.kind == headstart_ir::MemberKind::Constructor {
                        let at = FunctionRef { file, function: member.function };
                        classes.insert(at, ClassId::new(index));
                    }
                }
            }
        }
        Self { program, graph, report, functions, names, classes }
    }

    fn collect(&mut self) -> Result<(), String> {
        let mut sources = Vec::with_capacity(self.program.files.len());
        for file in &self.program.files {
            let name = file.path.display();
            sources.push(read_again(file).map_err(|reason| format!("{name}: {reason}"))?);
        }
        for (file, source) in (0..).zip(&self.program.files) {
            for index in 0..source.ir.functions.len() {
                let function = FunctionId::new(index);
                self.function(FunctionRef { file, function }, &sources);
            }
            for class in &source.ir.classes {
                self.place(file, class.span, class.name, &sources);
            }
        }
        for file in (0..).zip(&self.program.files).map(|(file, _)| file) {
            for call in self.graph.calls(file) {
                self.call(call, &sources);
            }
        }
        Ok(())
    }

    fn function(&mut self, at: FunctionRef, sources: &[SourceText]) -> usize {
        let ir = &self.program.files[at.file as usize].ir;
        let function = ir.function(at.function);
        let span = match self.classes.get(&at) {
            Some(&class) => ir.class(class).span,
            None if function.kind == FunctionKind::Module => {
                let end = sources[at.file as usize].text().len();
                Span::new(0, u32::try_from(end).unwrap_or(u32::MAX))
            }
            None => function.span,
        };
        self.place(at.file, span, function.name, sources)
    }

    fn place(
        &mut self,
        file: u32,
        span: Span,
        name: Option<headstart_ir::NameId>,
        sources: &[SourceText],
    ) -> usize {
        if let Some(&id) = self.functions.get(&(file, span)) {
            return id;
        }
        let id = self.functions.len();
        self.functions.insert((file, span), id);
        self.report.functions.insert(id, place(file, span, &sources[file as usize]));
        let ir = &self.program.files[file as usize].ir;
        let name = name.map_or("(anonymous)", |name| ir.name(name));
        self.names.insert(id, name.to_owned());
        id
    }

    fn call(&mut self, call: InstRef, sources: &[SourceText]) {
        let ir = &self.program.files[call.file as usize].ir;
        let id = self.report.calls.len();
        let text = place(call.file, ir.span(call.inst), &sources[call.file as usize]);
        self.report.calls.insert(id, text);
        let caller = self.function(self.graph.function_at(call), sources);
        let callees = self.graph.callees(call);
        let mut targets: Vec<usize> = Vec::new();
        for &function in callees.functions.iter().chain(&callees.callbacks) {
            let kind =
                self.program.files[function.file as usize].ir.function(function.function).kind;
            if kind != FunctionKind::FieldInit {
                targets.push(self.function(function, sources));
            }
        }
        for class in &callees.classes {
            let of = self.program.files[class.file as usize].ir.class(class.class);
            targets.push(self.place(class.file, of.span, of.name, sources));
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
    }
}

fn place(file: u32, span: Span, source: &SourceText) -> String {
    let (start, end) = (source.position(span.start), source.position(span.end));
    format!("{file}:{}:{}:{}:{}", start.line, start.column, end.line, end.column)
}

/// The functions and which calls which, for Graphviz.
fn dot(builder: &Builder<'_>) -> String {
    let mut text = String::from("digraph calls {\n  node [shape=box];\n");
    for (id, name) in &builder.names {
        let place = &builder.report.functions[id];
        let (file, rest) = place.split_once(':').unwrap_or((place, ""));
        let file = file.parse::<usize>().ok().and_then(|it| builder.report.files.get(it));
        let line = rest.split(':').next().unwrap_or_default();
        let label = format!("{name}\\n{}:{line}", file.map_or("", String::as_str));
        let _ = writeln!(text, "  f{id} [label=\"{}\"];", label.replace('"', "\\\""));
    }
    for (from, to) in &builder.report.fun2fun {
        let _ = writeln!(text, "  f{from} -> f{to};");
    }
    text.push_str("}\n");
    text
}
