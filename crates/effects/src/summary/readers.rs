//! Calls of code that nobody knows, and that are written like reads: `await api.getUser(id)`.
//!
//! Most of what a program waits for is behind clients that are made at run time: what they do is rarely
//! known to the end. Their names say it: who reads `await orders.findMany(…)` takes it to look something
//! up, outside the program, and to change nothing. Findings that rest on that say so, by name, and are
//! `likely` at best (the contract, "Levels"). Nothing is said of calls that are not waited for: those are
//! rarely reads of something outside.

use headstart_callgraph::{CallGraph, Callees, Cause, FunctionRef, InstRef, Modelled, PathKey};
use headstart_ir::{
    FileIr, FunctionId, Import, Imported, Inst, InstId, Key, Literal, StmtKind, VarId, VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bind::Binding;
use super::chains::{self, is_written_query, reads_body_of_answer};
use super::compute::Computation;
use super::names::{
    Handed, asks_table, begins_with, is_brought_in, is_class_name, is_deed, is_more_than_seen,
    is_ordered_name, is_ordered_option, is_ordered_receiver, is_own_read_name, is_read_name,
    is_session_name, is_store, is_write_name,
};
use super::order::When;
use super::place::{Location, Place, Resource, Root, Which};
use super::row::arguments;
use super::told::is_told_more;
use super::transactions::{Transaction, transactions};
use super::{Assumed, Effects, Summaries, Summary, Waiting};
use crate::sights::SeenTo;

/// How many steps the names of receivers are looked at: `this.db.orders.findMany`.
const LONGEST_RECEIVER: u32 = 60;

impl Computation<'_, '_> {
    /// What is known of a function that may do anything, as far as it concerns the memory of the program;
    /// seen from the caller.
    pub(super) fn known_memory(
        &self,
        id: InstId,
        summary: &Summary,
        function: FunctionRef,
        binding: &Binding,
    ) -> Effects {
        let mut known = Effects::default();
        let at = self.roots.at(id);
        // What was seen says nothing of the program's own memory.
        let is_seen = self.roots.all.is_seen_to_read(at) && !self.roots.all.is_named_read(at);
        let assumed = summary.assumed.iter().filter(|_| is_seen).flat_map(|it| it.effects());
        for effects in summary.effects().chain(assumed) {
            self.translate(&effects.of_memory(), (function, binding), &mut known);
        }
        without_one_of_many(&mut known);
        known
    }

    /// A call that may do anything, and only reads if its name is right: something outside, what it is
    /// handed, and what is known of its own.
    pub(crate) fn reads_by_name(&mut self, id: InstId, known: Assumed, when: When) {
        let inst = self.ir.inst(id);
        let args = arguments(inst).map(|it| self.ir.args(it).to_vec());
        let receiver = match inst {
            Inst::CallMethod { object, .. } => Some(object),
            _ => None,
        };
        let goes_on = When { after: true, ..when };
        for value in args.unwrap_or_default().into_iter().chain(receiver) {
            self.read_deep(value, goes_on);
        }
        self.read(Location::Resource(Resource::Outside, Which::Any), goes_on);
        let named = self.roots.all.named_in_chain(self.roots.at(id));
        let reads = std::iter::once(named).collect();
        self.anything_but(id, Some(Assumed { reads, ..known }));
    }
}

impl Summaries<'_> {
    /// Whether what a function of the program does, where it is called here, is taken from its name: it may
    /// do anything, and nothing is known of it that is more than looking.
    pub(crate) fn is_read_of(&self, call: InstRef, function: FunctionRef) -> bool {
        let summary = self.of(function);
        let waits = summary.waits || summary.settling != Waiting::Settles;
        (summary.is_anything() || summary.settling == Waiting::Unknown)
            && waits
            && !self.answered.contains_key(&function)
            && !summary.asks.is_near()
            && !self.only_hands_out(function)
            && !self.fills(call, summary.effects())
            && (self.is_named_read_of(call, summary) || self.is_seen_read_of(call, summary))
    }

    /// Whether a call is waited for, written like a read, and told nothing else.
    #[must_use]
    pub fn is_named_read(&self, call: InstRef) -> bool {
        self.by_name.contains(&call)
    }

    fn is_named_read_of(&self, call: InstRef, summary: &Summary) -> bool {
        self.is_named_read(call)
            && !(summary.does_more || summary.passes_on || summary.puts && self.is_own_read(call))
    }

    /// What it is known to write may not have come up, and of its own memory all has to be known.
    fn is_seen_read_of(&self, call: InstRef, summary: &Summary) -> bool {
        let Some(assumed) = summary.assumed.as_deref() else { return false };
        self.is_seen_to_read(call)
            && !summary.effects().chain(assumed.effects()).any(writes_outside)
            && !self.fills(call, assumed.effects())
    }

    /// Whether a function calls nothing, and waits for nothing: what it gives is there already.
    fn only_hands_out(&self, function: FunctionRef) -> bool {
        let ir = self.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        let is_call = |it: InstId| {
            matches!(
                ir.inst(it),
                Inst::Call { .. }
                    | Inst::CallMethod { .. }
                    | Inst::New { .. }
                    | Inst::Await(_)
                    | Inst::DynamicImport { .. }
                    | Inst::Opaque
            )
        };
        data.is_async && !FileIr::range(data.first, data.end).any(is_call)
    }

    /// Whether a function is known to change what this call hands to it: a list that it fills. What is written out
    /// there nobody else has.
    fn fills<'e>(&self, call: InstRef, effects: impl IntoIterator<Item = &'e Effects>) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let args = arguments(ir.inst(call.inst)).map(|it| ir.args(it)).unwrap_or_default();
        let is_spread = args.iter().any(|&it| matches!(ir.inst(it), Inst::Spread(_)));
        let is_own = |position: u32, is_below: bool| {
            !is_spread
                && args.get(position as usize).is_none_or(|&it| match ir.inst(it) {
                    Inst::Object => !is_below,
                    it => matches!(it, Inst::Literal(_)),
                })
        };
        effects.into_iter().flat_map(|it| &it.writes).any(|it| match it {
            Location::Memory(place) => match place.root {
                Root::Parameter(position) => {
                    !is_own(position, place.is_deep || place.keys.len() > 1)
                }
                _ => false,
            },
            Location::Resource(..) => false,
        })
    }

    /// Whether something waits for a call.
    pub(crate) fn is_waited(&self, call: InstRef) -> bool {
        self.waited.contains(&call)
    }

    /// Whether a call is waited for and called like something that writes.
    pub(crate) fn is_called_like_a_write(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        self.waited.contains(&call) && callee_name(ir, call.inst).is_some_and(is_write_name)
    }

    /// Whether a call is called like something that has something done.
    pub(crate) fn is_called_like_a_deed(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        callee_name(ir, call.inst).is_some_and(is_deed)
    }

    /// Whether a call is one of what a table or a registry holds: `hooks[name](…)`.
    pub(crate) fn is_dispatched(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let is_computed = |callee| matches!(ir.inst(callee), Inst::Get { key, .. } if matches!(key.get(), Key::Computed(_)));
        callee(ir, call.inst).is_some_and(is_computed)
    }

    /// Whether a call is written like a question to a person, or ends the program.
    pub(crate) fn is_called_like_a_question(&self, call: InstRef) -> bool {
        self.asking.contains(&call)
    }

    /// Whether a call is waited for, written like a read or seen to be one, and told nothing else.
    pub(crate) fn is_waited_read(&self, call: InstRef) -> bool {
        self.is_named_read(call) || self.is_seen_to_read(call)
    }

    /// Whether the name of what is called says less of code that nobody sees.
    fn is_own_read(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        callee_name(ir, call.inst).is_some_and(is_own_read_name)
    }

    /// Whether what a call does is taken from its name, as far as it may do anything: it only reads.
    #[must_use]
    pub fn is_read_by_name(&self, call: InstRef) -> bool {
        let callees = || self.graph.callees(call);
        self.is_waited_read(call)
            && (callees().obstacle().is_some()
                || callees().functions.iter().any(|&it| self.is_read_of(call, it)))
    }

    /// Whether a function hands on the promise of such a call: `const user = (id) => api.getUser(id)`.
    pub(crate) fn gives_read(&self, function: FunctionRef) -> bool {
        let ir = self.graph.files()[function.file as usize];
        !ir.function(function.function).is_async
            && self
                .graph
                .returned_values(function)
                .any(|it| self.is_taken_to_read(it, self.callees(it)))
    }

    /// Whether what a call of code that nobody knows does is taken from its name: it reads something
    /// outside the program, and is waited for.
    pub(crate) fn is_taken_to_read(&self, call: InstRef, callees: &Callees<'_>) -> bool {
        // What a model says may do anything is no read, whatever it is called; what that gives may be anything, as what
        // comes from a package without a model.
        let is_open = |it: &Cause<'_>| !matches!(it, Cause::Opaque | Cause::Displaced);
        let is_top = |it: &Modelled<'_>| it.call.is_none() && it.native.is_none();
        let is_told =
            || callees.unknown.iter().all(is_open) && !callees.modelled.iter().any(is_top);
        let is_named = || self.is_named_read(call) && is_told() && !self.is_own_read(call);
        callees.obstacle().is_some() && (self.is_seen_to_read(call) || is_named())
    }
}

/// Drops the writes to objects that are only some of very many, where one that stands for all of them is written under
/// the same key: which of them have a place of their own says nothing.
fn without_one_of_many(known: &mut Effects) {
    let unknown = known.writes.iter().filter_map(Location::place).filter(|it| it.is_unknown());
    let of_many: FxHashSet<PathKey> = unknown.filter_map(|it| it.keys.last().copied()).collect();
    let is_one = |place: &Place| {
        matches!(place.root, Root::Made(_) | Root::Variable(..))
            && place.keys.last().is_some_and(|it| of_many.contains(it))
    };
    known.writes.retain(|it| !it.place().is_some_and(is_one));
}

/// The calls of each file that something waits for: their value is awaited, returned, or put into a list
/// that is.
pub(super) fn waited_calls(files: &[&FileIr]) -> FxHashSet<InstRef> {
    let mut found = FxHashSet::default();
    for (file, ir) in (0..).zip(files) {
        let unheard = functions_for_each(ir);
        let of = |function: FunctionId| {
            let data = ir.function(function);
            FileIr::range(data.first, data.end).map(move |at| (function, at))
        };
        for (function, at) in (0..ir.functions.len()).flat_map(|it| of(FunctionId::new(it))) {
            let value = match ir.inst(at) {
                Inst::Return(_) if unheard.contains(&function) => continue,
                Inst::Await(value) | Inst::Return(value) => value,
                _ => continue,
            };
            let calls = calls_behind(ir, value).calls;
            found.extend(calls.into_iter().map(|inst| InstRef { file, inst }));
        }
    }
    found
}

/// The calls whose promises something is made of.
#[derive(Default)]
pub(super) struct CallsBehind {
    pub(super) calls: Vec<InstId>,
    /// Whether they are one chain of calls.
    pub(super) is_chain: bool,
    /// Whether only some of them run.
    pub(super) has_choice: bool,
}

/// The calls whose promises a value is made of.
pub(super) fn calls_behind(ir: &FileIr, value: InstId) -> CallsBehind {
    let mut found = CallsBehind { calls: Vec::new(), is_chain: true, has_choice: false };
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match ir.inst(value) {
            Inst::Call { args, .. } | Inst::CallMethod { args, .. } => {
                found.calls.push(value);
                let listed = lists(ir, args);
                found.is_chain &= listed.is_empty();
                pending.extend(listed);
                // `read().catch(…)`, `find().lean()`
                if let Inst::CallMethod { object, .. } = ir.inst(value)
                    && chains::is_on_call(ir, value)
                    && chains::hands_on(ir, value)
                {
                    pending.push(object);
                }
            }
            Inst::Select(left, right) => {
                found.is_chain = false;
                found.has_choice = true;
                pending.extend([left, right]);
            }
            _ => {}
        }
    }
    found
}

/// The functions of a file whose results nobody takes: `names.forEach((name) => seen.add(name))`.
fn functions_for_each(ir: &FileIr) -> FxHashSet<FunctionId> {
    let handed = ir.insts.iter().filter_map(|it| match *it {
        Inst::CallMethod { method, args, .. } if name_of(ir, method) == Some("forEach") => {
            ir.args(args).first().copied()
        }
        _ => None,
    });
    handed
        .filter_map(|it| match ir.inst(it) {
            Inst::Closure(function) => Some(function),
            _ => None,
        })
        .collect()
}

/// Calls that are waited for and taken to read. They are handed no function, and nothing whose calls have an order.
pub(super) struct TakenToRead {
    /// Those that are written like reads, and told nothing else.
    pub(super) by_name: FxHashSet<InstRef>,
    /// Those that were seen to read.
    pub(super) seen: FxHashSet<InstRef>,
}

/// The calls that are waited for and taken to read; `seen` is what runs have shown of calls.
pub(super) fn taken_to_read(
    graph: &CallGraph<'_>,
    waited: &FxHashSet<InstRef>,
    seen: &FxHashMap<InstRef, SeenTo>,
) -> TakenToRead {
    let files = graph.files();
    let unused = for_their_effect(files);
    let objects: Vec<FxHashSet<VarId>> = files.iter().map(|it| used_as_objects(it)).collect();
    let in_order: Vec<Vec<Transaction>> = files.iter().map(|it| transactions(it)).collect();
    let is_one = |call: &InstRef, by_name: bool| {
        let ir = files[call.file as usize];
        // Of what may be very many things, some are functions.
        let is_object = |it| match ir.inst(it) {
            Inst::LoadVar(var) => objects[call.file as usize].contains(&var),
            _ => false,
        };
        let is_function =
            |it| !is_object(it) && graph.may_be_function(InstRef { file: call.file, inst: it });
        // The number of a page, the text that a cursor is.
        let is_text = |it| graph.is_primitive(InstRef { file: call.file, inst: it });
        let is_plain = |arg: InstId| {
            !is_function(arg)
                && (is_text(arg) || !is_ordered(ir, arg, LONGEST_RECEIVER))
                && !holds_ordered(ir, arg, call.inst, &is_text)
                && (by_name || !holds_function(ir, arg, call.inst, &is_function))
        };
        let args = || arguments(ir.inst(call.inst)).map(|it| ir.args(it)).unwrap_or_default();
        let is_named = || {
            (is_read_call(ir, call.inst)
                || is_written_query(ir, call.inst)
                || reads_body_of_answer(ir, call.inst))
                && callee_name(ir, call.inst)
                    .is_some_and(|name| !is_told_more(ir, call.inst, name, &is_function))
        };
        let does = seen.get(call).copied();
        let is_read = match by_name {
            true => does != Some(SeenTo::Write) && is_named(),
            false => does == Some(SeenTo::Read) && is_free_as_seen(ir, call.inst),
        };
        is_read
            && !unused.contains(call)
            && !in_order[call.file as usize].iter().any(|it| it.holds(ir, call.inst))
            && !is_on_ordered_class(graph, *call)
            && args().iter().all(|&it| is_plain(it))
    };
    let those = |by_name: bool| waited.iter().filter(|it| is_one(it, by_name)).copied().collect();
    let (mut by_name, seen) = (those(true), those(false));
    chains::complete(graph, waited, &mut by_name);
    TakenToRead { by_name, seen }
}

/// The members that functions have, too (ECMA-262, 20.2).
const OF_FUNCTIONS: [&str; 8] =
    ["apply", "bind", "call", "displayName", "length", "name", "prototype", "toString"];

/// The variables of a file of which members are read or set that functions have none of: `config.enabled`.
fn used_as_objects(ir: &FileIr) -> FxHashSet<VarId> {
    let used = ir.insts.iter().filter_map(|it| match *it {
        Inst::Get { object, key } | Inst::Set { object, key, .. } => match key.get() {
            Key::Name(name) if !OF_FUNCTIONS.contains(&ir.name(name)) => Some(object),
            _ => None,
        },
        _ => None,
    });
    used.filter_map(|it| match ir.inst(it) {
        Inst::LoadVar(var) => Some(var),
        _ => None,
    })
    .collect()
}

/// The calls of each file that are waited for, and nobody uses what they give: `await kernel.loadPlugin(it);`
fn for_their_effect(files: &[&FileIr]) -> FxHashSet<InstRef> {
    let mut found = FxHashSet::default();
    for (file, ir) in (0..).zip(files) {
        for stmt in &ir.stmts {
            if let StmtKind::Expression { value } = stmt.kind
                && let Inst::Await(inst) = ir.inst(value)
                && !ir.is_taken(value, stmt.end)
            {
                found.insert(InstRef { file, inst });
            }
        }
    }
    found
}

/// Whether a call is one of a method of `this`, in a class that is called like something whose calls
/// have an order: `class PostgresQueryRunner`.
fn is_on_ordered_class(graph: &CallGraph<'_>, call: InstRef) -> bool {
    let ir = graph.files()[call.file as usize];
    let Inst::CallMethod { object, .. } = ir.inst(call.inst) else { return false };
    if ir.inst(object) != Inst::This {
        return false;
    }
    let function = graph.function_at(call).function;
    let is_own = |it: &&headstart_ir::Class| it.members.iter().any(|it| it.function == function);
    let name = ir.classes.iter().find(is_own).and_then(|it| it.name);
    name.is_some_and(|it| is_ordered_name(ir.name(it)))
}

/// The elements of the lists that a call is handed.
fn lists(ir: &FileIr, args: headstart_ir::ArgsId) -> Vec<InstId> {
    let elements = ir.args(args).iter().filter_map(|&arg| match ir.inst(arg) {
        Inst::Array(elements) => Some(ir.args(elements).iter().copied()),
        _ => None,
    });
    elements.flatten().collect()
}

/// Whether a call is written like one that looks something up.
fn is_read_call(ir: &FileIr, call: InstId) -> bool {
    let Some(name) = callee_name(ir, call) else { return false };
    let args = arguments(ir.inst(call)).map(|it| ir.args(it)).unwrap_or_default();
    let handed = match args {
        [] => Handed::Nothing,
        [one] if matches!(ir.inst(*one), Inst::Literal(Literal::Number(_))) => Handed::OneNumber,
        _ => Handed::Other,
    };
    is_on_free(ir, call, name)
        && (is_read_name(name, handed) || is_asked_session(ir, call, name, handed))
}

/// Whether what a call is on has calls in any order, and is not filled by this one.
fn is_on_free(ir: &FileIr, call: InstId, name: &str) -> bool {
    let Inst::CallMethod { object, .. } = ir.inst(call) else { return true };
    // `vault.loadKey(…)` fills the vault; a module has nothing to fill.
    let fills = begins_with(name, "load") && !is_module(ir, object);
    let is_free = match table(ir, object, name) {
        Some(store) => !store.is_some_and(|it| has_order(ir, it)),
        None => !has_order(ir, object),
    };
    !fills && is_free && !name_of(ir, object).is_some_and(|of| is_brought_in(of, name))
}

/// Whether a call that was seen to read may be under way beside others, as far as names tell: it is not called like
/// something that does more, and on nothing whose calls have an order.
fn is_free_as_seen(ir: &FileIr, call: InstId) -> bool {
    callee_name(ir, call).is_some_and(|it| !is_more_than_seen(it) && is_on_free(ir, call, it))
}

/// Whether a function of a module is asked who has sent the request: `getSession()`. Where that is passed in, it may take
/// the session away.
fn is_asked_session(ir: &FileIr, call: InstId, name: &str, handed: Handed) -> bool {
    let is_imported = match ir.inst(call) {
        Inst::Call { callee, .. } => {
            matches!(ir.inst(callee), Inst::LoadVar(var) if ir.variable(var).kind == VarKind::Import)
        }
        _ => false,
    };
    is_imported && handed == Handed::Nothing && is_session_name(name)
}

/// Whether the calls on a receiver have an order, by its name.
pub(super) fn has_order(ir: &FileIr, receiver: InstId) -> bool {
    name_of(ir, receiver).is_some_and(is_ordered_receiver)
        || is_ordered(ir, receiver, LONGEST_RECEIVER)
}

/// The store of a table that a call asks, whatever the table is called; no store where a class is the table:
/// `prisma.session.findMany(…)`, `Page.countDocuments(…)`. Else none.
fn table(ir: &FileIr, object: InstId, method: &str) -> Option<Option<InstId>> {
    if !asks_table(method) {
        return None;
    }
    let store = match ir.inst(object) {
        Inst::Get { object, .. } => Some(object),
        _ => None,
    };
    let is_store = |it: &InstId| name_of(ir, *it).is_some_and(is_store);
    let is_class = name_of(ir, object).is_some_and(is_class_name);
    store.filter(is_store).map(Some).or_else(|| is_class.then_some(store))
}

/// Whether a value is a module: `import * as shop`, `const shop = require("shop")`.
fn is_module(ir: &FileIr, value: InstId) -> bool {
    let Inst::LoadVar(var) = ir.inst(value) else { return false };
    let is_namespace = |it: &Import| it.local == var && matches!(it.imported, Imported::Namespace);
    let value = ir.initial_value(var).map(|it| ir.inst(it));
    ir.imports.iter().any(is_namespace) || matches!(value, Some(Inst::Require(_)))
}

/// The last name of what is called, or of a receiver: `em` of `this.em`.
pub(super) fn name_of(ir: &FileIr, value: InstId) -> Option<&str> {
    match ir.inst(value) {
        Inst::LoadVar(var) => Some(ir.name(ir.variable(var).name)),
        Inst::LoadGlobal(name) => Some(ir.name(name)),
        Inst::Get { key, .. } => match key.get() {
            Key::Name(name) | Key::Private(name) => Some(ir.name(name)),
            Key::Computed(_) => None,
        },
        _ => None,
    }
}

/// What a call calls; none for what constructs.
pub(super) fn callee(ir: &FileIr, call: InstId) -> Option<InstId> {
    match ir.inst(call) {
        Inst::CallMethod { method: callee, .. } | Inst::Call { callee, .. } => Some(callee),
        _ => None,
    }
}

/// The name of what a call calls.
pub(super) fn callee_name(ir: &FileIr, call: InstId) -> Option<&str> {
    name_of(ir, callee(ir, call)?)
}

/// Whether something outside the program is certainly written.
pub(super) fn writes_outside(effects: &Effects) -> bool {
    effects.writes.iter().any(|it| match it {
        Location::Resource(_, Which::Queried(_) | Which::Unless(_)) | Location::Memory(_) => false,
        Location::Resource(kind, _) => is_outside(*kind),
    })
}

/// Drops what is written outside of the program, or may be; whether that is anything.
pub(super) fn drop_written_outside(effects: &mut Effects) -> bool {
    let all = effects.writes.len();
    let is_inside = |it: &Location| match it {
        Location::Memory(_) => true,
        Location::Resource(kind, _) => !is_outside(*kind),
    };
    effects.writes.retain(is_inside);
    effects.writes.len() < all
}

/// Whether a resource lies outside the program.
fn is_outside(kind: Resource) -> bool {
    matches!(
        kind,
        Resource::File
            | Resource::Handle
            | Resource::Network
            | Resource::Process
            | Resource::Connection
            | Resource::Storage
            | Resource::Input
            | Resource::Output
            | Resource::ProcessState
            | Resource::WorkingDirectory
            | Resource::Environment
    )
}

/// Whether a receiver is called like something whose calls have an order.
fn is_ordered(ir: &FileIr, value: InstId, steps: u32) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return true };
    let is_one = is_ordered_name;
    match ir.inst(value) {
        Inst::LoadVar(var) => is_one(ir.name(ir.variable(var).name)),
        Inst::LoadGlobal(name) => is_one(ir.name(name)),
        Inst::Get { object, key } => match key.get() {
            Key::Name(name) | Key::Private(name) => {
                is_one(ir.name(name)) || is_ordered(ir, object, steps)
            }
            Key::Computed(_) => is_ordered(ir, object, steps),
        },
        Inst::Call { callee, .. } | Inst::New { callee, .. } => is_ordered(ir, callee, steps),
        Inst::CallMethod { method, .. } => is_ordered(ir, method, steps),
        Inst::Await(value) => is_ordered(ir, value, steps),
        _ => false,
    }
}

/// Whether an object of options, which is complete before `end`, holds a function that may be called meanwhile.
fn holds_function(
    ir: &FileIr,
    options: InstId,
    end: InstId,
    is_function: &dyn Fn(InstId) -> bool,
) -> bool {
    holds(ir, options, end, &|_, value| is_function(value))
}

/// The same of something whose calls have an order: `{ transaction }`, or the request that carries one.
fn holds_ordered(
    ir: &FileIr,
    options: InstId,
    end: InstId,
    is_text: &dyn Fn(InstId) -> bool,
) -> bool {
    holds(ir, options, end, &|key, value| match key {
        Key::Name(name) => is_ordered_option(ir.name(name)) && !is_text(value),
        Key::Private(_) | Key::Computed(_) => false,
    })
}

/// Whether an object that is written out, and complete before `end`, has such a property.
fn holds(ir: &FileIr, options: InstId, end: InstId, is_one: &dyn Fn(Key, InstId) -> bool) -> bool {
    ir.inst(options) == Inst::Object
        && FileIr::range(options, end).any(|id| match ir.inst(id) {
            Inst::Set { object, key, value } => object == options && is_one(key.get(), value),
            _ => false,
        })
}
