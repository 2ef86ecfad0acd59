//! What a whole program shows of its async functions, for `optimize` of a folder (`docs/whole-programs.md`).
//!
//! Input: the paths. Output, as the report: by file, which async functions calls elsewhere may reach, which
//! calls may reach one, and which functions have to count how deep their calls are since they may call
//! themselves by way of other files. All of it rests on the call graph, and on names where that does not know
//! what is called. None of it has to be right for what is called to be: each call asks for that. Only which functions count
//! how deep they are rests on it, and so how deep recursion may go.

use std::collections::BTreeMap;

use headstart_callgraph::{CallGraph, Cause, FunctionRef, InstRef};
use headstart_effects::call_graph;
use headstart_frontend::{Phase, Progress};
use headstart_ir::{FileIr, FunctionId, FunctionKind, Inst};
use headstart_overhead::{Known, SEE_KEYS, break_cycles, words_between};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::called_parameters::{CalledParameters, Passed};
use crate::ending::ending;
use crate::frames::Frames;
use crate::programs::Programs;
use crate::read_texts::read_texts;
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
        // What stands elsewhere in the project stays as it is, and calls no fast form.
        let covered: Vec<bool> = files.iter().map(|it| loaded.covers(it)).collect();
        let mut calls = Calls::of(&graph, &irs, &covered);
        for (file, start) in read_texts(&graph, &irs).into_iter().filter(|it| covered[it.0]) {
            calls.files.entry(file).or_default().texts.insert(start);
        }
        let known = calls.known();
        let mut own = irs.iter().zip(&covered).filter(|it| *it.1);
        let proxies = own.any(|it| SEE_KEYS.iter().any(|name| it.0.names.has(name)));
        for (file, mut known) in known {
            known.proxies = proxies;
            report.files.insert(files[file].path.to_string_lossy().into_owned(), known);
        }
    }
    Ok(report)
}

/// What a call in an async function reaches.
pub(crate) struct Reaching<'g> {
    pub(crate) call: InstRef,
    pub(crate) caller: usize,
    /// The name of the method, where it is one.
    name: Option<&'g str>,
    pub(crate) targets: FxHashSet<usize>,
    /// Whether it may reach what nobody knows.
    is_unknown: bool,
    /// Whether that has nothing of the program but what it was given.
    is_handed: bool,
}

/// The calls that async functions make of async functions.
struct Calls<'g> {
    graph: &'g CallGraph<'g>,
    irs: &'g [&'g FileIr],
    /// The async functions of the files asked for, no generators among them, by their place here.
    functions: Vec<FunctionRef>,
    numbers: FxHashMap<FunctionRef, usize>,
    /// Those of a name that are methods or values, and so may be what a call of that name reaches.
    named: FxHashMap<&'g str, Vec<usize>>,
    /// Whom each calls; behind the functions stand two that are none: whatever unknown code may hand to the program,
    /// and whatever is a value.
    callees: Vec<FxHashSet<usize>>,
    reached: FxHashSet<usize>,
    /// The functions that are methods of classes.
    methods: FxHashSet<usize>,
    /// Those that are not, and may use what they are called on.
    owned: FxHashSet<usize>,
    /// What [`Known::plain`] says of all files.
    plain: Vec<String>,
    /// By the file, where calls stand that reach something.
    files: BTreeMap<usize, Known>,
}

impl<'g> Calls<'g> {
    /// `covered`: of each file, whether it is asked for.
    fn of(graph: &'g CallGraph<'g>, irs: &'g [&'g FileIr], covered: &[bool]) -> Self {
        let mut calls = Self {
            graph,
            irs,
            functions: Vec::new(),
            numbers: FxHashMap::default(),
            named: FxHashMap::default(),
            callees: Vec::new(),
            reached: FxHashSet::default(),
            methods: FxHashSet::default(),
            owned: FxHashSet::default(),
            plain: Vec::new(),
            files: BTreeMap::new(),
        };
        let asked_for = || (0..).zip(irs).filter(|it: &(u32, _)| covered[it.0 as usize]);
        for (file, ir) in asked_for() {
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
        for (file, ir) in asked_for() {
            let members = ir.classes.iter().flat_map(|it| &it.members);
            let members = members.map(|it| FunctionRef { file, function: it.function });
            let numbers = members.filter_map(|it| calls.numbers.get(&it).copied());
            calls.methods.extend(numbers.collect::<Vec<_>>());
        }
        let number = |(number, at): (usize, &FunctionRef)| {
            let is_owned =
                !calls.methods.contains(&number) && uses_this(irs[at.file as usize], at.function);
            is_owned.then_some(number)
        };
        calls.owned = calls.functions.iter().enumerate().filter_map(number).collect();
        let (handed, any) = (calls.functions.len(), calls.functions.len() + 1);
        calls.callees = vec![FxHashSet::default(); any + 1];
        let mut parameters = CalledParameters::new(graph, irs, calls.methods.clone());
        let all = asked_for().flat_map(|(file, _)| graph.calls(file));
        let all: Vec<Reaching<'_>> = all.filter_map(|call| calls.reaching(call)).collect();
        let ends = ending(irs, &calls.functions, &all);
        all.into_iter().for_each(|it| calls.add(it, &ends, &mut parameters));
        parameters.follow();
        for (name, all) in &calls.named {
            let of_methods = all.iter().all(|it| calls.methods.contains(it));
            let ignores = |number: usize, position| {
                let at = calls.functions[number];
                ignores(irs[at.file as usize], at.function, position)
            };
            if let Some(position) = parameters.all_call(all, ignores).filter(|_| of_methods) {
                calls.plain.push(format!("{name}({position})"));
            }
        }
        headstart_ir::order::sort(&mut calls.plain);
        for (caller, passed) in parameters.passed(&calls.numbers) {
            calls.callees[caller].insert(match passed {
                Passed::Function(number) => number,
                Passed::Unknown => any,
            });
        }
        // A function that is asked by itself holds no method's fast one.
        let values = calls.reached.difference(&calls.methods).copied();
        let values: Vec<usize> = values.collect();
        let escaped = graph.escaped_functions();
        let is_escaped = |it: &usize| escaped.contains(&calls.functions[*it]);
        let escaped: Vec<usize> = values.iter().copied().filter(is_escaped).collect();
        calls.callees[handed].extend(escaped);
        calls.callees[any].extend(values);
        calls
    }

    /// What a call in an async function reaches, if it reaches one.
    fn reaching(&self, call: InstRef) -> Option<Reaching<'g>> {
        let ir = self.irs[call.file as usize];
        if !matches!(ir.inst(call.inst), Inst::Call { .. } | Inst::CallMethod { .. }) {
            return None;
        }
        let name = ir.method_call(call.inst).map(|it| it.1);
        let caller = *self.numbers.get(&self.graph.function_at(call))?;
        let callees = self.graph.callees(call);
        let known = callees.functions.iter().filter_map(|it| self.numbers.get(it).copied());
        let mut targets: FxHashSet<usize> = known.collect();
        let is_unknown = callees.is_empty || !callees.unknown.is_empty();
        if is_unknown && let Some(name) = name {
            targets.extend(self.named.get(name).into_iter().flatten());
        }
        let is_handed = !callees.is_empty && callees.unknown.iter().all(is_of_outside);
        (!targets.is_empty()).then_some(Reaching {
            call,
            caller,
            name,
            targets,
            is_unknown,
            is_handed,
        })
    }

    /// `ends`: of each function, whether it can end without waiting.
    fn add(&mut self, it: Reaching<'g>, ends: &[bool], parameters: &mut CalledParameters<'g>) {
        let Reaching { call, caller, name, targets, is_unknown, is_handed } = it;
        // What is called then is what `call` is read of.
        let is_by_way =
            |name: &str| ["call", "apply"].contains(&name) && !self.named.contains_key(name);
        let by_way = name.is_some_and(is_by_way);
        self.note(call, targets.iter().copied().filter(|it| ends[*it]), by_way);
        // Where only methods are asked for, nothing but those of the name can be found.
        let is_any = is_unknown && targets.iter().any(|it| !self.methods.contains(it));
        if parameters.note(call, caller, (&targets, is_any)) {
            return;
        }
        if is_any {
            self.callees[caller].insert(self.functions.len() + usize::from(!is_handed));
        }
        self.callees[caller].extend(&targets);
    }

    /// Notes where a call stands that reaches some functions; `by_way`: of their `call` or `apply`.
    fn note(&mut self, call: InstRef, targets: impl Iterator<Item = usize>, by_way: bool) {
        let end = self.irs[call.file as usize].span(call.inst).end;
        let file = self.files.entry(call.file as usize).or_default();
        for target in targets {
            let is_method = self.methods.contains(&target);
            if by_way && is_method {
                // That holds no fast one itself.
                continue;
            }
            self.reached.insert(target);
            let sites = match (by_way, is_method) {
                (true, _) => &mut file.called,
                (_, true) => &mut file.methods,
                _ => &mut file.values,
            };
            sites.insert(end);
            if !by_way && self.owned.contains(&target) {
                file.owned.insert(end);
            }
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
        let frames = Frames::new(self.irs, &self.functions);
        let counting = break_cycles(&self.callees, &|it| frames.can_count(*it));
        let words = |it: usize| frames.words(it);
        for (number, words) in words_between(&self.callees, &counting, &words) {
            let (file, start) = begin(&number);
            files.entry(file).or_default().counting.insert(start, words);
        }
        files.values_mut().for_each(|it| it.plain.clone_from(&self.plain));
        files
    }
}

/// Whether a function does nothing with what it gets at a position.
fn ignores(ir: &FileIr, id: FunctionId, position: u32) -> bool {
    let function = ir.function(id);
    let takes = |inst: Inst| match inst {
        Inst::Arguments | Inst::RestParam(_) => true,
        Inst::StoreVar { var, value } => {
            ir.variable(var).is_read && matches!(ir.inst(value), Inst::Param(it) if it == position)
        }
        // What is taken apart is no variable.
        Inst::Get { object, .. } => {
            matches!(ir.inst(object), Inst::Param(it) if it == position)
        }
        _ => false,
    };
    !function.has_dynamic_scope
        && !FileIr::range(function.first, function.end).any(|it| takes(ir.inst(it)))
}

/// Whether a function may use what it is called on: it or an arrow function in it mentions that, or it is a method.
fn uses_this(ir: &FileIr, id: FunctionId) -> bool {
    let function = ir.function(id);
    match function.kind {
        FunctionKind::Arrow => false,
        FunctionKind::Method => true,
        _ => {
            FileIr::range(function.first, function.end).any(|it| matches!(ir.inst(it), Inst::This))
        }
    }
}

/// Whether what is not known comes from unknown code, which has nothing of the program but what it was given.
fn is_of_outside(cause: &Cause<'_>) -> bool {
    use Cause::*;
    match cause {
        Package(_) | Outside(_) | Model(_) | NoSuchMember(_) | Result | Global(_) | Entry
        | Escaped | Data | ComputedModule => true,
        Callback | Caught | ComputedKey | TooMany | Narrowed | Mocked | Displaced
        | Decorated(_) | Opaque => false,
    }
}
