//! What a whole program shows of its async functions, for `optimize` of a folder (`docs/whole-programs.md`).
//!
//! Input: the paths. Output, as the report: by file, which async functions calls elsewhere may reach, which
//! calls may reach one, and which functions have to count how deep their calls are since they may call
//! themselves by way of other files. All of it rests on the call graph, and on names where that does not know
//! what is called. None of it has to be right for the result to be: each call asks what it calls.

use std::collections::BTreeMap;

use headstart_callgraph::{CallGraph, FunctionRef, InstRef};
use headstart_effects::call_graph;
use headstart_frontend::{Phase, Progress};
use headstart_ir::{FileIr, FunctionId, Inst, Key};
use headstart_overhead::{Known, break_cycles};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::programs::Programs;
use crate::request::WholeRequest;
use crate::respond::Response;

/// The answer: by the absolute path of a file.
#[derive(Debug, Default, Serialize)]
struct WholeReport {
    files: BTreeMap<String, Known>,
}

pub(crate) fn run(request: &WholeRequest, progress: &Progress) -> Response {
    match report(request, progress) {
        Ok(report) => Response {
            report: serde_json::to_value(report).unwrap_or_default(),
            ..Response::default()
        },
        Err(message) => Response::failed(&message),
    }
}

fn report(request: &WholeRequest, progress: &Progress) -> Result<WholeReport, String> {
    let mut programs = Programs::of(&request.common, &request.paths)?;
    let mut report = WholeReport::default();
    while let Some(loaded) = programs.next(progress)? {
        let files = &loaded.program.files;
        progress.begin(Phase::Analysing, files.len());
        let irs: Vec<&FileIr> = files.iter().map(|file| &file.ir).collect();
        let graph = call_graph(&irs, &programs.models, progress.cancelled())?;
        let known = Calls::of(&graph, &irs).known();
        for (file, known) in known.into_iter().filter(|it| loaded.covers(&files[it.0])) {
            report.files.insert(files[file].path.to_string_lossy().into_owned(), known);
        }
    }
    Ok(report)
}

/// The calls that async functions make of async functions.
struct Calls<'g> {
    graph: &'g CallGraph<'g>,
    irs: &'g [&'g FileIr],
    /// The async functions, no generators among them, by their place here.
    functions: Vec<FunctionRef>,
    numbers: FxHashMap<FunctionRef, usize>,
    /// Those of a name that are methods or values, and so may be what a call of that name reaches.
    named: FxHashMap<&'g str, Vec<usize>>,
    /// Whom each calls; behind the functions stands one that is none: whatever unknown code may call.
    callees: Vec<FxHashSet<usize>>,
    reached: FxHashSet<usize>,
    /// The functions that are methods of classes.
    methods: FxHashSet<usize>,
    /// By the file, where calls stand that reach something.
    files: BTreeMap<usize, Known>,
}

impl<'g> Calls<'g> {
    fn of(graph: &'g CallGraph<'g>, irs: &'g [&'g FileIr]) -> Self {
        let mut calls = Self {
            graph,
            irs,
            functions: Vec::new(),
            numbers: FxHashMap::default(),
            named: FxHashMap::default(),
            callees: Vec::new(),
            reached: FxHashSet::default(),
            methods: FxHashSet::default(),
            files: BTreeMap::new(),
        };
        for (file, ir) in (0..).zip(irs) {
            for (index, function) in ir.functions.iter().enumerate() {
                if !function.is_async || function.is_generator {
                    continue;
                }
                let number = calls.functions.len();
                let at = FunctionRef { file, function: FunctionId::new(index) };
                calls.functions.push(at);
                calls.numbers.insert(at, number);
                if let Some(name) = function.name {
                    calls.named.entry(ir.name(name)).or_default().push(number);
                }
            }
        }
        for (file, ir) in (0..).zip(irs) {
            let members = ir.classes.iter().flat_map(|it| &it.members);
            let members = members.map(|it| FunctionRef { file, function: it.function });
            let numbers = members.filter_map(|it| calls.numbers.get(&it).copied());
            calls.methods.extend(numbers.collect::<Vec<_>>());
        }
        calls.callees = vec![FxHashSet::default(); calls.functions.len() + 1];
        for file in (0..).zip(irs).map(|it| it.0) {
            graph.calls(file).for_each(|call| calls.add(call));
        }
        // A function that is asked by itself holds no method's fast one.
        let values = calls.reached.difference(&calls.methods).copied();
        let values: Vec<usize> = values.collect();
        calls.callees[calls.functions.len()].extend(values);
        calls
    }

    fn add(&mut self, call: InstRef) {
        let ir = self.irs[call.file as usize];
        let name = match ir.inst(call.inst) {
            Inst::CallMethod { method, .. } => match ir.inst(method) {
                Inst::Get { key, .. } => match key.get() {
                    Key::Name(name) => Some(ir.name(name)),
                    _ => None,
                },
                _ => None,
            },
            Inst::Call { .. } => None,
            _ => return,
        };
        let Some(&caller) = self.numbers.get(&self.graph.function_at(call)) else { return };
        let callees = self.graph.callees(call);
        let known = callees.functions.iter().filter_map(|it| self.numbers.get(it).copied());
        let mut targets: FxHashSet<usize> = known.collect();
        let is_unknown = callees.is_empty || !callees.unknown.is_empty();
        if is_unknown && let Some(name) = name {
            targets.extend(self.named.get(name).into_iter().flatten());
        }
        if targets.is_empty() {
            return;
        }
        // Where only methods are asked for, nothing but those of the name can be found.
        if is_unknown && targets.iter().any(|it| !self.methods.contains(it)) {
            self.callees[caller].insert(self.functions.len());
        }
        self.callees[caller].extend(&targets);
        self.reached.extend(&targets);
        let file = self.files.entry(call.file as usize).or_default();
        for target in &targets {
            let is_method = self.methods.contains(target);
            let sites = if is_method { &mut file.methods } else { &mut file.values };
            sites.insert(ir.span(call.inst).end);
        }
    }

    /// By the file.
    fn known(mut self) -> BTreeMap<usize, Known> {
        let mut files = std::mem::take(&mut self.files);
        let begin = |number: &usize| {
            let at = self.functions[*number];
            (at.file as usize, self.irs[at.file as usize].function(at.function).span.start)
        };
        for (file, start) in self.reached.iter().map(begin) {
            files.entry(file).or_default().reached.insert(start);
        }
        let is_function = |it: &usize| *it < self.functions.len();
        for (file, start) in break_cycles(&self.callees, &is_function).iter().map(begin) {
            files.entry(file).or_default().counting.insert(start);
        }
        files
    }
}
