//! Summaries of functions: what each reads and writes, itself and through what it calls, before it
//! first waits and after (paper 1, sections 4.2 to 4.5, over the call graph).
//!
//! Computed for the strongly connected components of the call graph, callees first. Objects that a
//! function makes itself do not count; what it does to parameters is named by access paths and
//! translated at each call. Where a callee is not known the summary says so: it may do anything.

mod abandoned;
mod answered;
mod any_time;
mod applied;
mod as_text;
mod asking;
mod assumed;
mod awaits;
mod beside;
mod big;
mod bind;
mod blocks;
mod built;
mod call;
mod call_sites;
mod callable;
mod callbackified;
mod chains;
mod choking;
mod collecting;
mod command;
mod compute;
mod conflict;
mod connecting;
mod effects;
mod ending;
mod errors;
mod fetched;
mod fills;
mod fit;
mod gives_promise;
mod graphql;
mod handing;
mod hooks;
mod initialising;
mod input;
mod kept;
mod lazy;
mod loading;
mod locations;
mod logging;
mod looking;
mod made;
pub(crate) mod matches;
mod names;
mod once;
mod once_only;
mod order;
mod pattern;
mod pending;
mod place;
mod plain;
mod pools;
mod query;
mod questions;
mod readers;
mod request;
mod returned;
mod returning;
mod roots;
mod row;
mod seen;
mod set_up;
mod shown;
mod state;
mod steps;
mod stores;
mod structure;
mod stumbling;
mod swapped;
mod text;
mod throwers;
mod told;
mod touched;
mod trail;
mod transactions;
mod which_error;
mod words;
mod wrapper;
mod writers;
mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use headstart_callgraph::{CallGraph, Callees, FunctionRef, InstRef, Modelled, PerThread, Shared};
use headstart_ir::{FileIr, FileKind, Inst, InstId, Key, VarId};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::DfsPostOrder;
use rustc_hash::{FxHashMap, FxHashSet};

use self::readers::TakenToRead;
use self::shown::{Known, Shown};
use crate::answers::Answers;
use crate::facts::ProgramFacts;
use crate::sights::Sights;

pub use assumed::Assumed;
pub use blocks::{ACTIVITIES, is_atomic, opens_block, uses_activities};
pub use conflict::Overlap;
pub use effects::Effects;
pub use fills::Filling;
pub(crate) use fit::{Grant, Misfit, Throw, fit, throws};
pub use hooks::{Doubt, OpenHook};
pub use locations::Locations;
pub use pending::{Pending, Reading, UnderWay};
pub use place::{Location, Place, Resource, Root, Which};
pub use query::only_reads;
pub use questions::Open;
pub(crate) use state::is_new_proxy;
pub use steps::Step;
pub use text::QueryText;
pub use touched::Touched;
pub use writers::Stability;

use self::applied::Bare;
use self::asking::Asking;
use self::call_sites::CallSites;
use self::compute::Computation;
use self::fills::Fills;
use self::hooks::Hooking;
use self::loading::Loaded;
use self::roots::KnownRoots;
use self::state::Holdings;
use self::steps::KnownSteps;
use self::stores::Stores;
use self::structure::Structure;
use self::throwers::Throwers;
use self::writers::Writers;

/// A set with more locations than this is not told apart: anything.
const MOST_LOCATIONS: usize = 160;
/// In larger components calls are not told apart by what they hand over: where everything calls everything, that says
/// little, and each function would be gone over twice in each round.
const MOST_TOLD_APART: usize = 32;
/// How often the functions of a component are looked at again before they are given up.
const MOST_ROUNDS: usize = 24;

/// What is known of an awaited value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Waiting {
    /// It settles without the program's help.
    Settles,
    /// It reads something outside the program, and waits for the answer as long as that takes: a
    /// process, a free connection.
    Answers,
    /// The same again and again, in a loop or by calling itself: it settles if that comes to an end.
    Repeats,
    /// As `Answers`, if the commands that the function is given only read; else it may wait for ever.
    AnswersToReading,
    /// It may wait for the program, or for ever.
    Waits,
    /// Nobody knows what it is.
    Unknown,
}

impl Waiting {
    /// What waiting for both waits for. What repeats is not for callers to say.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Repeats, Self::AnswersToReading) | (Self::AnswersToReading, Self::Repeats) => {
                Self::Waits
            }
            (one, other) => one.max(other),
        }
    }
}

/// What one function does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Before it first waits.
    pub before: Effects,
    /// After, in callbacks that are called later, and in what it starts.
    pub after: Effects,
    /// Whether it ever waits.
    pub waits: bool,
    /// Its awaits, each with what is known of what it waits for.
    pub awaits: Vec<(InstId, Waiting)>,
    /// Whether what it throws, or what it calls throws, may be an object that others hold, too.
    pub throws_shared: bool,
    /// The calls that do what their models say only if something holds that nobody can tell, and the parameters
    /// that are given back and are taken for no promises.
    pub granted: BTreeSet<InstRef>,
    /// Whether it may take a lock: it does what fails where something exists already.
    pub locks: bool,
    /// Whether it may give something that somebody has to close.
    pub gives: bool,
    /// Whether its own code is known to do more than look: it writes outside the program, takes a lock,
    /// or waits for what is called like a write.
    pub does_more: bool,
    /// Whether it waits for something of which that is known, and that is not called like a read, or changes files.
    pub passes_on: bool,
    /// Whether it waits for a function of the program that is called like a write, of which nobody knows all that it
    /// does: many only keep what has been read.
    pub puts: bool,
    /// Whether its own code is known to change files, which is more than a cache that a read fills.
    pub changes_files: bool,
    /// Whether it writes lines of the log elsewhere than where something has failed.
    pub reports: bool,
    /// Whether it may ask a person, or end the program, itself or through what it calls.
    pub asks: Asking,
    /// Whether a promise that it starts may be rejected while nobody handles that.
    pub abandons: bool,
    /// Whether it starts something that nobody waits for, and that changes something when it has returned.
    pub lingers: bool,
    /// The parameters that it reads from by name: a pipe or an open file has less to give then.
    pub consumes: BTreeSet<u32>,
    /// The values that it reads, converts or iterates and of which nobody knows what that runs.
    pub touched: Touched,
    /// What it writes outside memory and does not wait for: that goes on when it has ended.
    pub left: Locations,
    /// The calls that go on when they have returned, and are not waited for at once.
    pub loose: BTreeSet<InstId>,
    /// Whether a call may throw.
    pub throws: bool,
    /// Whether the promise that it returns may be rejected.
    pub rejects: bool,
    /// What its promise waits for at worst; what it returns, for a function that is not `async`.
    pub settling: Waiting,
    /// The instructions that may do anything: calls, most of them.
    pub anything: Vec<InstId>,
    /// What it does beside that, if code that nobody knows only computes; none where it cannot be
    /// told.
    pub assumed: Option<Box<Assumed>>,
    /// Whether it does too much to tell apart: anything.
    pub is_too_much: bool,
    /// The places that hold what it returns, where it is not an object that it has made, or none.
    pub returned: Vec<Place>,
    /// Whether it may return something that no place is known of.
    pub returns_unknown: bool,
    /// Whether it may return an object that it has made.
    pub returns_fresh: bool,
}

impl Default for Summary {
    fn default() -> Self {
        Self {
            before: Effects::default(),
            after: Effects::default(),
            waits: false,
            awaits: Vec::new(),
            throws_shared: false,
            granted: BTreeSet::new(),
            locks: false,
            gives: false,
            does_more: false,
            passes_on: false,
            puts: false,
            changes_files: false,
            reports: false,
            asks: Asking::Never,
            abandons: false,
            lingers: false,
            consumes: BTreeSet::new(),
            touched: Touched::default(),
            left: Locations::default(),
            loose: BTreeSet::new(),
            throws: false,
            rejects: false,
            settling: Waiting::Settles,
            anything: Vec::new(),
            assumed: None,
            is_too_much: false,
            returned: Vec::new(),
            returns_unknown: false,
            returns_fresh: false,
        }
    }
}

/// The summaries of all functions of a program.
#[derive(Debug)]
pub struct Summaries<'p> {
    /// The call graph that they rest on.
    pub graph: Arc<CallGraph<'p>>,
    summaries: Vec<Vec<Summary>>,
    /// The same of functions that call what they are given, without that.
    bare: FxHashMap<FunctionRef, Bare>,
    /// The functions whose summaries are computed, where not all are.
    computed: Option<FxHashSet<FunctionRef>>,
    /// Whether somebody has asked for one that is not.
    lacks: AtomicBool,
    /// Whether somebody has been told that nothing writes something, though not all functions were asked.
    supposes: AtomicBool,
    /// What a person says that functions do.
    answers: Answers,
    /// The summaries of those, as their callers see them.
    answered: FxHashMap<FunctionRef, Summary>,
    /// What runs have shown of awaits.
    sights: Sights,
    /// The calls that those awaits wait for, each with its await.
    seen: FxHashMap<InstRef, InstRef>,
    /// Those of them that only read, as was seen, and may be under way beside others.
    shown: Shown,
    /// How many instructions have been gone over.
    work: u64,
    /// How many instructions have been looked at for those who ask, and writes searched.
    asked: AtomicU64,
    /// What is stored in the variables of each file.
    stores: Vec<Stores>,
    /// The instructions of each file that fill a cache.
    fills: Vec<Fills>,
    /// Who calls what, once somebody has asked.
    call_sites: OnceLock<CallSites>,
    /// Who writes what, once somebody has asked.
    writers: OnceLock<Writers>,
    /// The same by the objects that are written, once somebody has asked.
    holdings: OnceLock<Holdings>,
    /// The structure of functions, once somebody has asked.
    structures: Shared<FxHashMap<FunctionRef, Arc<Structure>>>,
    /// What single instructions do, as far as somebody has asked.
    steps: Shared<KnownSteps>,
    /// The roots of objects, as the function at hand sees them.
    known_roots: PerThread<KnownRoots>,
    /// What is loaded with each file that somebody has asked for.
    loaded: PerThread<FxHashMap<u32, Arc<Loaded>>>,
    /// The names that the program assigns without declaring them.
    globals: FxHashSet<&'p str>,
    /// The names of fields of the platform's own objects that the program assigns.
    platform_fields: FxHashSet<&'p str>,
    /// The members that models call constant and that the program assigns.
    assigned_members: FxHashSet<headstart_callgraph::PathKey>,
    /// The reads of methods that are called right away, and that nobody puts something else in the place of.
    methods: FxHashSet<InstRef>,
    /// The calls that something waits for.
    waited: FxHashSet<InstRef>,
    /// Those of them that are written like reads, or fill a cache.
    by_name: FxHashSet<InstRef>,
    /// Those that are written like questions to a person.
    asking: FxHashSet<InstRef>,
    /// Whether the program makes a Proxy.
    has_proxies: bool,
    /// What the program makes that not everything can be done with.
    odd: choking::Odd,
    /// Whether it reads what the last match has found.
    reads_matches: bool,
    /// The variables whose regular expression every match begins anew.
    restarted: FxHashSet<(u32, VarId)>,
    /// Whether it loads modules while it runs: `import()`.
    has_imports: bool,
    /// The functions that return more than plain values, and are no `async` ones, once somebody has asked.
    giving: OnceLock<FxHashSet<FunctionRef>>,
    /// The functions that may get to an `import()` which loads something, once somebody has asked.
    importing: OnceLock<FxHashSet<FunctionRef>>,
    /// The members of modules that the program replaces, by module and name; `*` is any.
    replaced: FxHashSet<(String, String)>,
    /// The clients that may have been given code, and what runs their operations.
    open_hooks: Vec<OpenHook>,
    /// Where in that list begins what unknown code has been handed.
    first_handed: usize,
    hooking: OnceLock<Hooking>,
    throwers: OnceLock<Throwers>,
    /// The functions whose failures callbacks are told of, once somebody has asked.
    callbackified: OnceLock<FxHashSet<FunctionRef>>,
    /// The functions that always throw, once somebody has asked.
    never_returning: OnceLock<FxHashSet<FunctionRef>>,
    /// What may run at any time, once somebody has asked.
    any_time: OnceLock<any_time::AnyTime>,
    /// The functions whose errors somebody tells apart, once somebody has asked.
    which_error: OnceLock<FxHashSet<FunctionRef>>,
    /// The functions that may run in an atomic block, once somebody has asked.
    in_blocks: OnceLock<FxHashSet<FunctionRef>>,
    /// The pools of one connection, and what asks them.
    pools: OnceLock<pools::Pools>,
    /// What queries are put together from.
    built: OnceLock<built::Built>,
    /// Where places are set that are set once, as far as somebody has asked.
    once: PerThread<FxHashMap<Place, Option<InstRef>>>,
    /// Whether the queries of functions only select, as far as somebody has asked.
    selecting: PerThread<FxHashMap<FunctionRef, FxHashMap<QueryText, bool>>>,
    /// Where the calls of each function that somebody has asked for are waited for.
    joins: Shared<FxHashMap<FunctionRef, Arc<pending::Joins>>>,
    /// What goes on in functions, once somebody has asked.
    pending: Shared<FxHashMap<FunctionRef, Arc<Vec<Pending>>>>,
    /// What goes on reading in functions, as far as somebody has asked.
    pending_reads: Shared<FxHashMap<FunctionRef, Arc<Vec<pending::Reading>>>>,
    /// What functions do behind calls that they do not wait for at once, as far as somebody has asked.
    behind: Shared<FxHashMap<FunctionRef, Arc<handing::Behind>>>,
    /// What functions write between calls and where these are waited for, as far as somebody has asked.
    beside: Shared<handing::WritesBeside>,
    /// What functions load that others may notice, and which files load quietly, as far as somebody has asked.
    loud: Shared<FxHashMap<FunctionRef, Arc<[InstRef]>>>,
    quiet: Shared<FxHashMap<u32, bool>>,
    /// Whether calls may be told apart by what they hand over, by parameter, as far as somebody has asked.
    told_apart: Shared<FxHashMap<applied::BelowParameter, bool>>,
    /// Which functions may throw what nobody has written, as far as somebody has asked.
    stumbling: Shared<FxHashMap<(FunctionRef, stumbling::What), bool>>,
    /// Where functions are made, once somebody has asked.
    makers: OnceLock<FxHashMap<FunctionRef, InstId>>,
    /// The variables that are declared within a `switch`, once somebody has asked.
    in_switches: OnceLock<FxHashSet<(u32, headstart_ir::VarId)>>,
    /// The calls that change only what they get themselves, and those that do not.
    fetching: Shared<FxHashMap<InstRef, bool>>,
    /// Who goes on behind a call that leads to a function.
    going_on: Shared<FxHashMap<FunctionRef, handing::CallersBehind>>,
    /// The functions whose source may be taken as a text, once somebody has asked.
    texts: OnceLock<as_text::Texts>,
}

impl<'p> Summaries<'p> {
    /// Computes the summaries of a program of which some facts are known: the models of members that it
    /// replaces do not hold. Where files are named (by their indices), only those of what their functions
    /// call and make, and of what those do.
    #[must_use]
    pub(crate) fn compute(
        graph: Arc<CallGraph<'p>>,
        facts: &ProgramFacts,
        named: Option<&[usize]>,
    ) -> Self {
        let files = graph.files();
        let summaries =
            files.iter().map(|ir| vec![Summary::default(); ir.functions.len()]).collect();
        let stores: Vec<Stores> = files.iter().map(|ir| Stores::of(ir)).collect();
        let mut calls = calls(&graph);
        let (globals, methods) = (assigned_globals(files), swapped::steady_methods(&graph, facts));
        let platform_fields = swapped::platform_fields(&graph);
        let assigned_members = swapped::assigned_members(&graph);
        let reads_matches = matches::are_read(&graph);
        let waited = readers::waited_calls(files);
        let fills: Vec<Fills> = files.iter().map(|ir| Fills::of(ir)).collect();
        let seen = seen::seen_calls(files, &facts.sights);
        let does = seen.iter().filter_map(|it| Some((*it.0, facts.sights.get(it.1)?.does)));
        let TakenToRead { mut by_name, seen: seen_to_read } =
            readers::taken_to_read(&graph, &waited, &does.collect());
        let known = Known::new(&graph, &facts.sights, &seen, &waited, &by_name);
        let shown = Shown::of(&seen_to_read, &known);
        for (call, functions) in shown.beside() {
            calls.entry(graph.function_at(call)).or_default().extend(functions);
        }
        let mut order = components(&calls);
        let fills_cache = |it: &&InstRef| {
            let ir = files[it.file as usize];
            fills[it.file as usize].get(it.inst).is_some() && !chains::is_on_call(ir, it.inst)
        };
        by_name.extend(waited.iter().filter(fills_cache));
        let mut all = Self {
            graph,
            summaries,
            bare: FxHashMap::default(),
            computed: None,
            lacks: AtomicBool::new(false),
            supposes: AtomicBool::new(false),
            answers: facts.answers.clone(),
            sights: facts.sights.clone(),
            seen,
            shown,
            answered: FxHashMap::default(),
            work: 0,
            asked: AtomicU64::new(0),
            stores: Vec::new(),
            fills,
            call_sites: OnceLock::new(),
            writers: OnceLock::new(),
            holdings: OnceLock::new(),
            structures: Shared::default(),
            steps: Shared::default(),
            known_roots: PerThread::default(),
            loaded: PerThread::default(),
            globals,
            methods,
            platform_fields,
            assigned_members,
            waited,
            by_name,
            asking: asking::asking_calls(files),
            odd: choking::Odd::of(files),
            has_proxies: files.iter().any(|ir| state::makes_proxies(ir)),
            reads_matches,
            restarted: pattern::restarted(files),
            has_imports: files.iter().any(|ir| loading::has_imports(ir)),
            giving: OnceLock::new(),
            importing: OnceLock::new(),
            replaced: facts.patched.clone(),
            open_hooks: facts.open_hooks.clone(),
            first_handed: facts.first_handed,
            hooking: OnceLock::new(),
            throwers: OnceLock::new(),
            callbackified: OnceLock::new(),
            never_returning: OnceLock::new(),
            any_time: OnceLock::new(),
            which_error: OnceLock::new(),
            in_blocks: OnceLock::new(),
            pools: OnceLock::new(),
            built: OnceLock::new(),
            once: PerThread::default(),
            selecting: PerThread::default(),
            joins: Shared::default(),
            pending: Shared::default(),
            pending_reads: Shared::default(),
            behind: Shared::default(),
            beside: Shared::default(),
            told_apart: Shared::default(),
            stumbling: Shared::default(),
            makers: OnceLock::new(),
            in_switches: OnceLock::new(),
            fetching: Shared::default(),
            loud: Shared::default(),
            quiet: Shared::default(),
            going_on: Shared::default(),
            texts: OnceLock::new(),
        };
        if let Some(files) = named {
            let computed = all.reached(&calls, files);
            order.retain(|it| it.iter().all(|it| computed.contains(it)));
            all.computed = Some(computed);
        }
        for component in order {
            if all.graph.is_stopped() {
                break;
            }
            all.component(&component, &calls, &stores);
            // Hardly anybody asks for the structure of a function again once its summary is there.
            component.iter().for_each(|it| drop(all.structures.part(it).remove(it)));
        }
        all.stores = stores;
        all
    }

    /// The summary of a function.
    #[must_use]
    pub fn of(&self, function: FunctionRef) -> &Summary {
        self.needs(function);
        &self.summaries[function.file as usize][function.function.index()]
    }

    /// The summary of a function as its callers see it: what a person says of it goes before what its code says.
    #[must_use]
    pub(crate) fn called(&self, function: FunctionRef) -> &Summary {
        self.answered.get(&function).unwrap_or_else(|| self.of(function))
    }

    /// Whether somebody has been told that places never change of which only all summaries tell: what is
    /// found then may be more than there is, or surer than it is, but no less.
    #[must_use]
    pub fn has_supposed(&self) -> bool {
        self.supposes.load(Ordering::Relaxed)
    }

    /// Whether places that may change are taken never to, since not all summaries are computed.
    fn supposes(&self) -> bool {
        let supposes = self.computed.is_some();
        self.supposes.fetch_or(supposes, Ordering::Relaxed);
        supposes
    }

    /// Whether the summary of a function is computed.
    fn is_computed(&self, function: FunctionRef) -> bool {
        self.computed.as_ref().is_none_or(|it| it.contains(&function))
    }

    /// Notes that an answer rests on the summary of a function.
    fn needs(&self, function: FunctionRef) {
        if !self.is_computed(function) {
            self.lacks.store(true, Ordering::Relaxed);
        }
    }

    /// Whether somebody has asked for a summary that was not computed: no answer holds then.
    #[must_use]
    pub fn lacks(&self) -> bool {
        self.lacks.load(Ordering::Relaxed)
    }

    /// How many instructions have been gone over to compute them: the work that was done.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work
    }

    /// How much has been done for those who look inside functions: instructions gone over, writes
    /// searched, statements that operations are tried in front of, objects that paths lead to.
    #[must_use]
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed) + self.graph.followed()
    }

    /// Notes work that has been done for those who ask.
    pub fn note_asked(&self) {
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn is_assigned_global(&self, name: &str) -> bool {
        self.globals.contains(name)
    }

    /// Whether the program replaces a member of a module.
    pub(crate) fn is_replaced(&self, member: &Modelled<'_>) -> bool {
        if self.replaced.is_empty() {
            return false;
        }
        let module = member.row.map_or(member.module, |(module, _)| module.module.as_str());
        let has = |name: &str| self.replaced.contains(&(module.to_owned(), name.to_owned()));
        // `Promise.all` is another one where `Promise` is.
        has("*") || self.graph.name(member).split('.').any(has)
    }

    /// The calls in a function that do what their models say only if what the program puts there does the
    /// same.
    pub fn replaced_within(&self, function: FunctionRef) -> impl Iterator<Item = InstId> {
        let of_call = move |at: &InstRef| {
            let is_here = at.file == function.file && self.graph.function_at(*at) == function;
            is_here && self.callees(*at).modelled.iter().any(|it| self.is_replaced(it))
        };
        self.of(function).granted.iter().filter(move |it| of_call(it)).map(|it| it.inst)
    }

    /// Whether an instruction reads a method that is called right away, and that nobody puts something else
    /// in the place of: then its callees say what it is.
    #[must_use]
    pub fn is_method_read(&self, at: InstRef) -> bool {
        self.methods.contains(&at)
    }

    pub(crate) fn structure(&self, function: FunctionRef) -> Arc<Structure> {
        let mut known = self.structures.part(&function);
        let ir = self.graph.files()[function.file as usize];
        let of = || Arc::new(Structure::of(ir, function.function));
        Arc::clone(known.entry(function).or_insert_with(of))
    }

    /// Whether nobody knows all that a call gives: what it may run, or what that gives back.
    #[must_use]
    pub fn gives_unknown(&self, call: InstRef) -> bool {
        let callees = self.callees(call);
        callees.obstacle().is_some()
            || callees.functions.iter().any(|it| self.of(*it).returns_unknown)
    }

    /// What a call calls.
    pub(crate) fn callees(&self, at: InstRef) -> &Callees<'p> {
        self.graph.callees(at)
    }

    /// The functions of some files, and what they call, make and give to what may be promises, and so on.
    fn reached(&self, calls: &Calls, files: &[usize]) -> FxHashSet<FunctionRef> {
        let files: FxHashSet<usize> = files.iter().copied().collect();
        let is_named = |it: &FunctionRef| files.contains(&(it.file as usize));
        let mut pending: Vec<FunctionRef> = calls.keys().copied().filter(is_named).collect();
        let mut reached: FxHashSet<FunctionRef> = FxHashSet::default();
        while let Some(function) = pending.pop() {
            if !reached.insert(function) {
                continue;
            }
            pending.extend(calls.get(&function).into_iter().flatten());
            let data = self.graph.files()[function.file as usize].function(function.function);
            for inst in FileIr::range(data.first, data.end) {
                pending.extend(self.reacting(InstRef { file: function.file, inst }));
            }
        }
        reached
    }

    /// Computes the summaries of functions that call one another, until none changes. They come in an
    /// order in which callees are before their callers, as far as there is one, and are gone over again
    /// and again in it.
    fn component(&mut self, component: &[FunctionRef], calls: &Calls, stores: &[Stores]) {
        let callers = callers(calls, component);
        let calls_itself = component.len() > 1
            || component.iter().any(|it| calls.get(it).is_some_and(|of| of.contains(it)));
        let is_large = component.len() > MOST_TOLD_APART;
        let mut rounds: Vec<usize> = vec![0; component.len()];
        let mut pending: BTreeSet<usize> = (0..component.len()).collect();
        let mut next = 0;
        while let Some(&index) = pending.range(next..).next().or_else(|| pending.first()) {
            if self.graph.is_stopped() {
                return;
            }
            pending.remove(&index);
            next = index + 1;
            let function = component[index];
            rounds[index] += 1;
            let (summary, bare) =
                self.summary_in((calls_itself, is_large), function, rounds[index], stores);
            let is_same_bare = self.bare.get(&function) == bare.as_ref();
            match bare {
                Some(bare) => self.bare.insert(function, bare),
                None => self.bare.remove(&function),
            };
            self.note_answer(function, &summary);
            let place = &mut self.summaries[function.file as usize][function.function.index()];
            if *place == summary && is_same_bare {
                continue;
            }
            *place = summary;
            let again = callers[index].iter().filter(|&&it| rounds[it] <= MOST_ROUNDS);
            pending.extend(again);
        }
    }

    /// The summary of a function of a component, as far as those of the others are known, and the one without
    /// what it is given to call, if that is another.
    /// `calls_itself`: perhaps by calling others of the component; `is_large`: with very many others.
    fn summary_in(
        &mut self,
        (calls_itself, is_large): (bool, bool),
        function: FunctionRef,
        round: usize,
        stores: &[Stores],
    ) -> (Summary, Option<Bare>) {
        let ir = self.graph.files()[function.file as usize].function(function.function);
        self.work += (ir.end.index() - ir.first.index()) as u64;
        let bounded = |mut summary: Summary| {
            if round > MOST_ROUNDS {
                summary.settle_as_anything();
            } else if summary.before.len() + summary.after.len() > MOST_LOCATIONS {
                summary.give_up();
            }
            if calls_itself && !summary.awaits.is_empty() {
                // Who calls itself may never come to an end.
                summary.settling = summary.settling.and(Waiting::Repeats);
            }
            summary
        };
        let mut whole = Computation::new(self, stores, function, MOST_LOCATIONS);
        let summary = bounded(whole.run());
        if self.answers.contains_key(&function) {
            return (summary, None);
        }
        if !whole.has_applied || is_large || round > MOST_ROUNDS {
            return (summary, None);
        }
        self.work += (ir.end.index() - ir.first.index()) as u64;
        let mut by_itself = Computation::new(self, stores, function, MOST_LOCATIONS).by_itself();
        let bare = bounded(by_itself.run());
        let applied = by_itself.applied;
        (summary, (!applied.is_empty()).then_some(Bare { summary: bare, applied }))
    }
}

/// The functions that each function may call.
type Calls = BTreeMap<FunctionRef, Vec<FunctionRef>>;

/// The callers of each function within a component, by their indices in it.
fn callers(calls: &Calls, component: &[FunctionRef]) -> Vec<Vec<usize>> {
    let within: FxHashMap<FunctionRef, usize> = component.iter().copied().zip(0..).collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); component.len()];
    for (caller, function) in component.iter().enumerate() {
        for callee in calls.get(function).into_iter().flatten() {
            if let Some(&callee) = within.get(callee) {
                callers[callee].push(caller);
            }
        }
    }
    callers
}

impl Summary {
    /// What it does before it first waits, and after, if what is taken for granted of it holds.
    pub(crate) fn effects(&self) -> impl Iterator<Item = &Effects> {
        let assumed = self.assumed.iter().flat_map(|it| it.effects());
        [&self.before, &self.after].into_iter().chain(assumed)
    }

    /// What can be taken for granted of it by whoever calls it.
    #[must_use]
    pub fn assumption(&self) -> Option<&Assumed> {
        self.assumed.as_deref().filter(|it| !it.is_seen)
    }

    /// Whether it may do anything.
    #[must_use]
    pub fn is_anything(&self) -> bool {
        self.is_too_much || !self.anything.is_empty()
    }

    /// What has been looked at too often, and is not looked at again, may do anything: nothing that
    /// holds only so far is kept.
    fn settle_as_anything(&mut self) {
        self.give_up();
        self.locks = true;
        self.does_more = true;
        self.reports = true;
        self.asks = Asking::Itself;
        self.abandons = true;
        self.lingers = true;
        self.throws_shared = true;
        self.settling = Waiting::Unknown;
        self.awaits.iter_mut().for_each(|it| it.1 = Waiting::Unknown);
        self.returned = Vec::new();
        self.returns_unknown = true;
        self.returns_fresh = true;
    }

    /// Too much to tell apart.
    fn give_up(&mut self) {
        self.before = Effects::default();
        self.after = Effects::default();
        self.assumed = None;
        self.left = Locations::default();
        self.is_too_much = true;
        self.throws = true;
        self.rejects = true;
    }
}

fn assigned_globals<'p>(files: &'p [&'p FileIr]) -> FxHashSet<&'p str> {
    let mut names = FxHashSet::default();
    for ir in files {
        for inst in &ir.insts {
            match *inst {
                // These are variables of their file.
                Inst::StoreGlobal { name, .. }
                    if matches!(ir.name(name), "exports" | "module")
                        && ir.kind == FileKind::Script => {}
                Inst::StoreGlobal { name, .. } => {
                    names.insert(ir.name(name));
                }
                Inst::Set { object, key, .. } => {
                    if let (true, Key::Name(name)) = (is_global_object(ir, object), key.get()) {
                        names.insert(ir.name(name));
                    }
                }
                _ => {}
            }
        }
    }
    names
}

/// `globalThis` and its other names.
pub(crate) fn is_global_object(ir: &FileIr, value: InstId) -> bool {
    matches!(ir.inst(value), Inst::LoadGlobal(name)
        if headstart_callgraph::is_global_object(ir.name(name)))
}

/// What each function may call, or makes.
fn calls(graph: &CallGraph<'_>) -> Calls {
    let mut calls = Calls::new();
    for (file, ir) in (0..).zip(graph.files()) {
        // A function expression knows itself by its name, which it may not use.
        let is_named = |closure: InstId| match ir.insts.get(closure.index() + 1) {
            Some(&Inst::StoreVar { var, value }) if value == closure => ir.variable(var).is_read,
            _ => true,
        };
        for function in graph.functions(file) {
            let data = ir.function(function.function);
            let mut found = Vec::new();
            for inst in FileIr::range(data.first, data.end) {
                graph.for_each_function(InstRef { file, inst }, &mut |callee| found.push(callee));
                // What it does counts where it is made, too: whoever gets it may call it.
                if let Inst::Closure(made) = ir.inst(inst)
                    && (made != function.function || is_named(inst))
                {
                    found.push(FunctionRef { file, function: made });
                }
            }
            found.sort_unstable();
            found.dedup();
            calls.insert(function, found);
        }
    }
    calls
}

/// The strongly connected components of the call graph, callees first, and so the functions of each as
/// far as that goes: in the order in which a walk leaves them.
fn components(calls: &Calls) -> Vec<Vec<FunctionRef>> {
    let mut graph: DiGraph<FunctionRef, ()> = DiGraph::new();
    let nodes: FxHashMap<FunctionRef, NodeIndex> =
        calls.keys().map(|&function| (function, graph.add_node(function))).collect();
    for (function, callees) in calls {
        for callee in callees {
            if let (Some(&from), Some(&to)) = (nodes.get(function), nodes.get(callee)) {
                graph.add_edge(from, to, ());
            }
        }
    }
    let mut left = vec![0; graph.node_count()];
    let mut walk = DfsPostOrder::empty(&graph);
    let mut count = 0;
    for start in graph.node_indices() {
        walk.move_to(start);
        while let Some(node) = walk.next(&graph) {
            left[node.index()] = count;
            count += 1;
        }
    }
    let components = tarjan_scc(&graph);
    components
        .into_iter()
        .map(|mut component| {
            component.sort_unstable_by_key(|it| left[it.index()]);
            component.into_iter().map(|node| graph[node]).collect()
        })
        .collect()
}
