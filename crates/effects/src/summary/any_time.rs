//! Functions that may run at any time: those that the program gives away as values, so that a timer, a
//! stream, an emitter or a promise calls them when it likes, and those that it starts without waiting for
//! them. What is `safe` has to hold whatever they do in between (the contract, S4).

use std::collections::BTreeSet;

use headstart_callgraph::{AbstractObject, ClassRef, FunctionRef, InstRef, Modelled, Native};
use headstart_ir::{
    Class, FileIr, FunctionId, Inst, InstId, Key, MemberKind, NameId, RequestId, Resolution, Span,
    VarId,
};
use headstart_models::{CallsBack, PromiseKind};
use rustc_hash::FxHashSet;

use super::locations::Locations;
use super::place::{Location, Resource};
use super::structure::is_waited_at_once;
use super::{Effects, Summaries};

/// What may run at any time, once somebody has asked.
#[derive(Debug, Default)]
pub(crate) struct AnyTime {
    functions: BTreeSet<FunctionRef>,
    /// Those of them that somebody may call of whom nobody knows when.
    given: BTreeSet<FunctionRef>,
    /// Where a member of a module that writes something is given away.
    members: Vec<InstRef>,
}

/// Methods that the language or the platform calls by their names: of thenables, iterators, streams.
const CALLED_BY_NAME: [&str; 28] = [
    "_construct",
    "_destroy",
    "_final",
    "_flush",
    "_read",
    "_transform",
    "_write",
    "_writev",
    "abort",
    "addListener",
    "apply",
    "catch",
    "close",
    "construct",
    "destroy",
    "dispatch",
    "emit",
    "final",
    "finally",
    "flush",
    "handleEvent",
    "next",
    "on",
    "return",
    "start",
    "then",
    "throw",
    "transform",
];

/// What starts another process or thread, and does not wait for it.
const STARTING: [&str; 5] = ["Worker", "exec", "execFile", "fork", "spawn"];

impl Summaries<'_> {
    /// What may run at any time and uses what some effects of code within `span` use, so that one of both
    /// writes it: a function of the program, or the place where a member of a module is given away. What
    /// leads to `function` itself runs it, and does not come in between; what the functions do that stand
    /// in that code, and of which nothing is known, its own operations say.
    #[must_use]
    pub fn comes_between(
        &self,
        function: FunctionRef,
        span: Span,
        effects: &Effects,
    ) -> Option<InstRef> {
        let all = self.any_time.get_or_init(|| AnyTime::of(self));
        let ir = |it: &FunctionRef| self.graph.files()[it.file as usize];
        let is_within = |it: &FunctionRef| {
            it.file == function.file && span.contains(ir(it).function(it.function).span)
        };
        let meets = |it: &FunctionRef| {
            let summary = self.of(*it);
            (summary.is_anything() && !is_within(it) && !self.is_end(*it))
                || self.meet(function, effects, &summary.before)
                || self.meet(function, effects, &summary.after)
        };
        let between = all.functions.iter().find(|it| meets(it) && !self.leads_to(**it, function));
        let place =
            |it: &FunctionRef| InstRef { file: it.file, inst: ir(it).function(it.function).first };
        between.map(place).or_else(|| all.members.first().copied()).or_else(|| {
            let mut leaving = self.leaving().filter(|(_, left)| self.meet(function, effects, left));
            leaving.next().map(|(it, _)| place(&it))
        })
    }

    /// What the modules of the program leave going on when they are loaded, and that writes outside memory.
    /// What functions leave that run in front of others is known of their calls.
    fn leaving(&self) -> impl Iterator<Item = (FunctionRef, Effects)> {
        (0..).zip(&self.summaries).filter_map(|(file, all)| {
            let left = &all.first()?.left;
            let module = FunctionRef { file, function: FunctionId::new(0) };
            let writes = || Effects::new(Locations::default(), left.clone());
            (!left.is_empty()).then(|| (module, writes()))
        })
    }

    pub(super) fn meet(&self, function: FunctionRef, a: &Effects, b: &Effects) -> bool {
        let meet = |some: &Locations, others: &Locations| {
            let outside = |it: &&Location| is_shared(it);
            some.iter().filter(outside).any(|a| {
                let is_same = |b: &Location| self.overlap(function, a, b) != super::Overlap::No;
                others.iter().filter(outside).any(is_same)
            })
        };
        meet(&a.reads, &b.writes) || meet(&a.writes, &b.reads) || meet(&a.writes, &b.writes)
    }

    /// Whether the program gives a function away, so that somebody may call it of whom nobody knows when.
    pub(super) fn is_given_away(&self, function: FunctionRef) -> bool {
        self.any_time.get_or_init(|| AnyTime::of(self)).given.contains(&function)
    }

    /// Whether a function runs another one, or makes it.
    fn leads_to(&self, from: FunctionRef, to: FunctionRef) -> bool {
        self.led_to(vec![from], Some(to)).contains(&to)
    }

    /// Some functions, and all that they run or make, directly or through others; no more than is needed to come to
    /// `goal`, where there is one.
    pub(super) fn led_to(
        &self,
        mut pending: Vec<FunctionRef>,
        goal: Option<FunctionRef>,
    ) -> FxHashSet<FunctionRef> {
        let mut seen: FxHashSet<FunctionRef> = FxHashSet::default();
        while let Some(function) = pending.pop() {
            if !seen.insert(function) || self.graph.is_stopped() {
                continue;
            }
            if Some(function) == goal {
                break;
            }
            let ir = self.graph.files()[function.file as usize];
            let data = ir.function(function.function);
            for inst in FileIr::range(data.first, data.end) {
                if let Inst::Closure(made) = ir.inst(inst) {
                    pending.push(FunctionRef { function: made, ..function });
                }
                let at = InstRef { file: function.file, inst };
                self.graph.for_each_function(at, &mut |it| pending.push(it));
            }
        }
        seen
    }
}

/// Whether a location is something outside memory that keeps what is written to it.
fn is_shared(location: &Location) -> bool {
    use Resource::{
        Connection, Environment, File, Handle, Index, Input, ModuleState, Network, Outside,
        Process, Storage, WorkingDirectory,
    };
    let Location::Resource(kind, _) = location else { return false };
    matches!(
        kind,
        File | Handle
            | Network
            | Process
            | Connection
            | Storage
            | Environment
            | WorkingDirectory
            | Input
            | Index
            | ModuleState
            | Outside
    )
}

impl AnyTime {
    fn of(all: &Summaries<'_>) -> Self {
        let mut found = Self::default();
        let taken = taken_names(all);
        for (file, ir) in (0..).zip(all.graph.files()) {
            let given = Given::of(all, file, ir);
            found.values(all, file, ir, &given);
            for (index, class) in ir.classes.iter().enumerate() {
                let class_ref = ClassRef { file, class: headstart_ir::ClassId::new(index) };
                found.methods(all, class_ref, class, &taken);
            }
            found.started(all, file, ir);
            found.loaded(file, ir);
        }
        found
    }

    /// Functions that are given away, accessors, generators.
    fn values(&mut self, all: &Summaries<'_>, file: u32, ir: &FileIr, given: &Given) {
        for (index, &inst) in ir.insts.iter().enumerate() {
            let id = InstId::new(index);
            let at = InstRef { file, inst: id };
            match inst {
                Inst::Closure(function) if given.has(id) => self.add(file, function),
                Inst::Accessor { function, .. } => self.add(file, function),
                Inst::StoreVar { var, value } if given.variables.contains(&var) => {
                    if let Inst::Closure(function) = ir.inst(value) {
                        self.add(file, function);
                    }
                }
                _ if given.has(id) => self.objects(all, at, given.to_others.contains(&id)),
                _ => {}
            }
        }
        for (index, function) in ir.functions.iter().enumerate() {
            if function.is_generator {
                self.add(file, FunctionId::new(index));
            }
        }
    }

    fn add(&mut self, file: u32, function: FunctionId) {
        self.give(FunctionRef { file, function });
    }

    fn give(&mut self, function: FunctionRef) {
        self.functions.insert(function);
        self.given.insert(function);
    }

    /// What a value that is given away may be; `to_others`, who may call methods on it.
    fn objects(&mut self, all: &Summaries<'_>, at: InstRef, to_others: bool) {
        for object in all.graph.objects(at) {
            match object {
                AbstractObject::Function(function) => self.give(function),
                AbstractObject::Instance(class) | AbstractObject::Class(class) if to_others => {
                    let data = &all.graph.files()[class.file as usize].classes[class.class.index()];
                    data.members.iter().for_each(|it| self.add(class.file, it.function));
                }
                _ => {}
            }
        }
        if all.graph.may_hold_writer(at) {
            self.members.push(at);
        }
    }

    /// Methods that somebody else may call.
    fn methods(
        &mut self,
        all: &Summaries<'_>,
        at: ClassRef,
        class: &Class,
        taken: &FxHashSet<&str>,
    ) {
        let ir = all.graph.files()[at.file as usize];
        let extends_other = class.super_class.is_some_and(|it| {
            let parents = all.graph.objects(InstRef { file: at.file, inst: it });
            parents.is_empty() || parents.iter().any(|it| !matches!(it, AbstractObject::Class(_)))
        });
        for member in &class.members {
            let is_named = |it: NameId| {
                let name = ir.name(it);
                taken.contains(name) || CALLED_BY_NAME.contains(&name)
            };
            let is_called = match member.key.get() {
                Key::Name(name) | Key::Private(name) => is_named(name),
                Key::Computed(_) => true,
            };
            let is_accessor = matches!(member.kind, MemberKind::Getter | MemberKind::Setter);
            if is_called || is_accessor || extends_other || member.is_decorated {
                self.add(at.file, member.function);
            }
        }
    }

    /// Modules that wait while they are loaded: others are loaded meanwhile. And those that nobody waits for.
    fn loaded(&mut self, file: u32, ir: &FileIr) {
        let module = |request: RequestId| match ir.request(request).resolution {
            Resolution::File(to) => Some(to.0),
            _ => None,
        };
        if ir.functions.first().is_some_and(|it| it.suspend_points > 0) {
            self.functions.insert(FunctionRef { file, function: FunctionId::new(0) });
        }
        for (index, &inst) in ir.insts.iter().enumerate() {
            if let Inst::DynamicImport { request: Some(request), .. } = inst
                && !is_waited_at_once(ir, InstId::new(index), false)
                && let Some(to) = module(request)
            {
                self.add(to, FunctionId::new(0));
            }
        }
    }

    /// Functions that are started, and not waited for at once, and other processes and threads.
    fn started(&mut self, all: &Summaries<'_>, file: u32, ir: &FileIr) {
        for at in all.graph.calls(file) {
            if is_waited_at_once(ir, at.inst, false) {
                continue;
            }
            let is_other = |it: &Modelled<'_>| {
                let starts = matches!(it.module, "child_process" | "worker_threads" | "cluster");
                let name = all.graph.name(it);
                starts
                    && it.call.is_some_and(|row| row.promise == PromiseKind::No)
                    && !name.ends_with("Sync")
                    && STARTING.iter().any(|start| name.ends_with(start))
            };
            if all.graph.may_be_promise(at) {
                all.graph.for_each_function(at, &mut |it| {
                    self.functions.insert(it);
                });
            } else if all.graph.callees(at).modelled.iter().any(is_other) {
                self.members.push(at);
            }
        }
    }
}

/// What a file gives away: values that are kept somewhere or go on, those of them that somebody else gets,
/// with all that can be called on them, and the variables that hold either.
#[derive(Default)]
struct Given {
    values: FxHashSet<InstId>,
    to_others: FxHashSet<InstId>,
    variables: FxHashSet<VarId>,
}

impl Given {
    fn has(&self, value: InstId) -> bool {
        self.values.contains(&value) || self.to_others.contains(&value)
    }

    /// What is called, kept in a variable, read of or compared is not given away, and neither is what
    /// goes to functions of the program: what those do with it shows.
    fn of(all: &Summaries<'_>, file: u32, ir: &FileIr) -> Self {
        let mut given = Self::default();
        for (index, &inst) in ir.insts.iter().enumerate() {
            let at = InstRef { file, inst: InstId::new(index) };
            match inst {
                Inst::Call { args, .. }
                | Inst::New { args, .. }
                | Inst::CallMethod { args, .. }
                | Inst::Jsx(args) => {
                    let keeps = |it: &&InstId| !is_called_within(all, at, **it);
                    if !is_to_own(all, at) {
                        given.to_others.extend(ir.args(args).iter().filter(keeps));
                    }
                }
                Inst::Array(args) => given.values.extend(ir.args(args)),
                Inst::Set { value, .. }
                | Inst::StoreGlobal { value, .. }
                | Inst::Spread(value)
                | Inst::Return(value)
                | Inst::Throw(value)
                | Inst::Yield(value)
                | Inst::YieldAll(value) => {
                    given.values.insert(value);
                }
                Inst::Select(left, right) => given.values.extend([left, right]),
                _ => {}
            }
        }
        let variable = |it: &InstId| match ir.inst(*it) {
            Inst::LoadVar(var) => Some(var),
            _ => None,
        };
        let all_values = given.values.iter().chain(&given.to_others);
        given.variables = all_values.filter_map(variable).collect();
        given
    }
}

/// Whether a call hands its arguments to functions of the program alone.
fn is_to_own(all: &Summaries<'_>, at: InstRef) -> bool {
    let callees = all.graph.callees(at);
    let is_own = !callees.functions.is_empty() || !callees.classes.is_empty();
    is_own
        && callees.modelled.is_empty()
        && callees.unknown.is_empty()
        && callees.callbacks.is_empty()
}

/// Whether a call only calls the function that one of its arguments is, before it returns, and that
/// leaves nothing going on; or makes another function of it, whose calls show.
fn is_called_within(all: &Summaries<'_>, at: InstRef, arg: InstId) -> bool {
    let callees = all.graph.callees(at);
    if !callees.unknown.is_empty() || callees.modelled.is_empty() {
        return false;
    }
    if callees.modelled.iter().all(|it| it.native == Some(Native::Promisify)) {
        return true;
    }
    let calls_now = |it: &Modelled<'_>| it.call.is_some_and(|it| it.calls_back == CallsBack::Now);
    let ir = all.graph.files()[at.file as usize];
    let Inst::Closure(function) = ir.inst(arg) else { return false };
    let function = FunctionRef { file: at.file, function };
    callees.modelled.iter().all(calls_now)
        && callees.callbacks.contains(&function)
        && leaves_nothing(all, function)
}

/// Whether nothing goes on when a function has returned, as far as it is known.
fn leaves_nothing(all: &Summaries<'_>, function: FunctionRef) -> bool {
    let ir = all.graph.files()[function.file as usize];
    let data = ir.function(function.function);
    let summary = all.of(function);
    let gives_promise =
        || all.graph.returned_values(function).any(|it| all.graph.may_be_promise(it));
    let goes_on = data.is_async || data.is_generator || summary.lingers || !summary.left.is_empty();
    !goes_on && summary.loose.is_empty() && !gives_promise()
}

/// The names of properties that are read without being called.
fn taken_names<'s>(all: &'s Summaries<'_>) -> FxHashSet<&'s str> {
    let mut names = FxHashSet::default();
    for (file, ir) in (0..).zip(all.graph.files()) {
        for (index, inst) in ir.insts.iter().enumerate() {
            let Inst::Get { key, .. } = inst else { continue };
            let Key::Name(name) = key.get() else { continue };
            if !all.is_method_read(InstRef { file, inst: InstId::new(index) }) {
                names.insert(ir.name(name));
            }
        }
    }
    names
}
