//! What the analysis has found out.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use headstart_ir::{FileIr, FunctionId, Inst, InstId};
use headstart_models::{Call, Member, Models, Module, PromiseKind, ResultKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::awaited::awaitables;
use crate::by_inst::{ByInst, Marked};
use crate::facts::AbstractObject;
use crate::handed::AllHanded;
use crate::held::ObjectId;
use crate::ids::{ClassRef, FunctionRef, InstRef, Key, MemberId, Node, Object};
use crate::member::Awaited;
use crate::native::Native;
use crate::object::{Cause, Kind};
use crate::per_thread::PerThread;
use crate::reach::Reaches;
use crate::shared::Shared;
use crate::solver::Solver;

/// What is said of an analysis that was stopped.
pub const STOPPED: &str = "interrupted before anything was written";

/// The calls of a program.
#[derive(Debug)]
pub struct CallGraph<'p> {
    pub(crate) solver: Solver<'p>,
    /// The functions of the program that each instruction may call, and whether a native function
    /// does it.
    edges: ByInst<(u32, bool)>,
    modelled: ByInst<MemberId>,
    constructed: ByInst<u32>,
    /// What each object is, by its number: it is asked for far more often than there are objects.
    pub(crate) abstracted: Vec<AbstractObject>,
    /// Those that have a method of their own by which they are converted to a primitive.
    pub(crate) own_texts: FxHashSet<AbstractObject>,
    /// The lists, iterators and literals of instructions that make several.
    pub(crate) made_together: FxHashMap<InstRef, Vec<Object>>,
    /// The objects whose models say what waiting for them does.
    pub(crate) awaitables: FxHashMap<Object, Awaited<'p>>,
    /// What the instructions call that call something, as far as somebody has asked.
    called: Called<'p>,
    /// The function that each instruction stands in.
    function_of: Vec<FunctionId>,
    /// What has been found at the end of paths.
    pub(crate) reaches: PerThread<Reaches>,
    /// What unknown code has been handed, once somebody has asked.
    pub(crate) handed: OnceLock<AllHanded<'p>>,
}

/// What instructions call: it is asked for again and again.
#[derive(Debug, Default)]
struct Called<'p> {
    /// Those that call something.
    calling: Marked,
    known: Vec<OnceLock<Arc<Callees<'p>>>>,
    /// Of calls of which nothing is known but why: most are, and many are alike.
    unknown: Shared<FxHashMap<Vec<Cause<'p>>, Arc<Callees<'p>>>>,
    nothing: Callees<'p>,
}

/// What one call may call.
#[derive(Clone, Debug, Default)]
pub struct Callees<'p> {
    /// Functions of the program.
    pub functions: Vec<FunctionRef>,
    /// Functions of the program that a native or modelled function calls back.
    pub callbacks: Vec<FunctionRef>,
    /// Classes of the program whose constructors run, written or implied.
    pub classes: Vec<ClassRef>,
    /// Members of modules that have a model, by name, each with its row if it has one.
    pub modelled: Vec<Modelled<'p>>,
    /// Why it may be something else; nothing where all callees are known.
    pub unknown: Vec<Cause<'p>>,
    /// Whether nothing that can be called was found.
    pub is_empty: bool,
}

impl Callees<'_> {
    /// Whether nothing is known of them but why.
    fn is_only_unknown(&self) -> bool {
        let is_known = !self.functions.is_empty()
            || !self.callbacks.is_empty()
            || !self.classes.is_empty()
            || !self.modelled.is_empty();
        !is_known && !self.is_empty && !self.unknown.is_empty()
    }

    /// Gives back the memory that is not used: there are as many of these as calls, and each stays.
    fn shrink(&mut self) {
        self.functions.shrink_to_fit();
        self.callbacks.shrink_to_fit();
        self.classes.shrink_to_fit();
        self.modelled.shrink_to_fit();
        self.unknown.shrink_to_fit();
    }
}

/// Members of the language that hold values, and are read where something looks at an object.
const READ: [&str; 4] = ["__proto__", "constructor", "length", "name"];

/// A member of a modelled module that is called.
#[derive(Clone, Debug)]
pub struct Modelled<'p> {
    /// Its module's specifier.
    pub module: &'p str,
    member: MemberId,
    /// Its module and row.
    pub row: Option<(&'p Module, &'p Member)>,
    /// The row that the call goes by.
    pub call: Option<&'p Call>,
    /// What the analysis itself knows of it: `Function.prototype.call`.
    pub native: Option<Native>,
    /// Whether the instruction runs it beside what it calls: to convert what it is given, to go over it. It does not
    /// get the arguments.
    pub is_implied: bool,
}

/// How many calls there are of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All calls.
    pub all: usize,
    /// Those inside functions that wait.
    pub calls: usize,
    /// Those of `calls` all of whose callees are functions of the program or members with a model.
    pub known: usize,
    /// The other ones of `calls`, by cause.
    pub unknown: FxHashMap<&'static str, usize>,
}

impl Counts {
    /// Adds what was counted in another program.
    pub fn add(&mut self, other: Self) {
        self.all += other.all;
        self.calls += other.calls;
        self.known += other.known;
        for (cause, count) in other.unknown {
            *self.unknown.entry(cause).or_default() += count;
        }
    }

    /// The causes with how many calls they keep from being understood, the most frequent first.
    #[must_use]
    pub fn causes(&self) -> Vec<(&'static str, usize)> {
        let mut causes: Vec<(&'static str, usize)> =
            self.unknown.iter().map(|(&cause, &count)| (cause, count)).collect();
        causes.sort_unstable_by_key(|&(cause, count)| (std::cmp::Reverse(count), cause));
        causes
    }
}

impl<'p> CallGraph<'p> {
    /// Analyses a program. Setting `stop` ends the analysis soon.
    ///
    /// # Errors
    /// Models that lack a type of the language, and that it was stopped.
    pub fn build(
        files: &'p [&'p FileIr],
        models: &'p Models,
        stop: &'p AtomicBool,
    ) -> Result<Self, String> {
        let mut solver = Solver::new(files, models, stop)?;
        solver.generate();
        solver.escape_roots();
        solver.flow.set_limit(solver.numbering.insts());
        solver.flow.lay_out();
        solver.solve();
        // What nothing calls may call what nothing else does.
        while !solver.is_stopped() && solver.enter_unreached() {
            solver.solve();
        }
        if solver.is_stopped() {
            return Err(STOPPED.to_owned());
        }
        solver.note_deleted();
        solver.note_keys();
        solver.finish();
        let count = solver.numbering.insts();
        let of_edges = std::mem::take(&mut solver.edges).into_iter();
        let edges =
            ByInst::new(count, of_edges.map(|it| (it.origin, (it.function, it.is_callback))));
        let modelled = ByInst::new(count, solver.modelled.iter().copied());
        let constructed = ByInst::new(count, std::mem::take(&mut solver.constructed).into_iter());
        let abstracted = abstracted(&solver);
        let own_texts = own_texts(&solver, &abstracted);
        let made_together = made_together(&solver, &abstracted);
        let awaitables = awaitables(&solver);
        let function_of = functions_of(files);
        let called = Called::default();
        Ok(Self {
            solver,
            edges,
            modelled,
            constructed,
            made_together,
            abstracted,
            own_texts,
            awaitables,
            called,
            function_of,
            reaches: PerThread::default(),
            handed: OnceLock::new(),
        }
        .numbered())
    }

    /// With a place for what each instruction calls that calls something.
    fn numbered(mut self) -> Self {
        let calls = |ir: &FileIr, inst: InstId, number: u32| {
            callee(ir, inst).is_some()
                || !self.edges.of(number).is_empty()
                || !self.constructed.of(number).is_empty()
                || !self.modelled.of(number).is_empty()
                || self.solver.too_many.contains(&number)
                || self.solver.displaced.contains(&number)
        };
        let all = self
            .solver
            .files
            .iter()
            .flat_map(|ir| (0..ir.insts.len()).map(move |inst| (*ir, InstId::new(inst))));
        let all = (0..).zip(all).filter(|&(number, (ir, inst))| calls(ir, inst, number));
        let calling = Marked::new(self.solver.numbering.insts(), all.map(|it| it.0));
        let known = (0..calling.len()).map(|_| OnceLock::new()).collect();
        self.called = Called { calling, known, ..Called::default() };
        self
    }

    /// Whether somebody wants stopped what is done with the graph: then nobody looks at what comes of it.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.solver.is_stopped()
    }

    /// The files of the program.
    #[must_use]
    pub fn files(&self) -> &'p [&'p FileIr] {
        self.solver.files
    }

    /// What an instruction calls: a call, `new`, or the read of a property with a getter.
    #[must_use]
    pub fn callees(&self, at: InstRef) -> &Callees<'p> {
        let number = self.solver.numbering.inst(at.file as usize, at.inst);
        let place = self.called.calling.place(number);
        match place.and_then(|place| self.called.known.get(place)) {
            Some(known) => known.get_or_init(|| self.shared(self.find_callees(at))),
            None => &self.called.nothing,
        }
    }

    /// Callees of which nothing is known but why, once for all calls of which the same is.
    fn shared(&self, callees: Callees<'p>) -> Arc<Callees<'p>> {
        if !callees.is_only_unknown() {
            return Arc::new(callees);
        }
        let mut known = self.called.unknown.part(&callees.unknown);
        match known.get(&callees.unknown) {
            Some(known) => Arc::clone(known),
            None => {
                let unknown = callees.unknown.clone();
                Arc::clone(known.entry(unknown).or_insert(Arc::new(callees)))
            }
        }
    }

    fn find_callees(&self, at: InstRef) -> Callees<'p> {
        let number = self.solver.numbering.inst(at.file as usize, at.inst);
        let mut callees = Callees::default();
        for &(function, is_callback) in self.edges.of(number) {
            let function = self.solver.numbering.function_of(function);
            let to = if is_callback { &mut callees.callbacks } else { &mut callees.functions };
            to.push(function);
        }
        for &class in self.constructed.of(number) {
            let (file, class) = self.solver.numbering.class_of(class);
            callees.classes.push(ClassRef { file: crate::ids::id(file), class });
        }
        let ir = self.solver.files[at.file as usize];
        let is_new = match ir.inst(at.inst) {
            Inst::New { .. } => true,
            Inst::Call { callee, .. } => ir.inst(callee) == Inst::Super,
            _ => false,
        };
        let is_implied = self.implied_members(at);
        for &member in self.modelled.of(number) {
            let data = self.solver.members.get(member);
            // What an instruction runs beside what it calls is called, whatever that makes.
            let is_implied = is_implied(member);
            let call = data.call(is_new && !is_implied).map(|(_, call)| call);
            let (module, row, native) = (data.module, data.row, data.native);
            let is_read =
                || data.path.last().is_some_and(|it| READ.contains(it)) || data.is_text_of_error();
            if is_implied && module == "ecmascript" && call.is_none() && is_read() {
                continue;
            }
            callees.modelled.push(Modelled { module, member, row, call, native, is_implied });
        }
        if let Some(callee) = callee(ir, at.inst) {
            let node = self.callee_node(at.file as usize, callee, at.inst);
            let mut is_empty = true;
            for object in self.solver.flow.objects(node) {
                match self.solver.objects.kind(object) {
                    Kind::Unknown(cause) => callees.unknown.push(cause),
                    Kind::Data => callees.unknown.push(Cause::Data),
                    Kind::Described(..) => callees.unknown.push(Cause::Entry),
                    kind if is_callable(kind) => {}
                    _ => continue,
                }
                is_empty = false;
            }
            callees.is_empty = is_empty;
        }
        if self.solver.too_many.contains(&number) {
            callees.unknown.push(Cause::TooMany);
        }
        if self.solver.displaced.contains(&number) {
            callees.unknown.push(Cause::Displaced);
        }
        callees.unknown.sort_unstable();
        callees.unknown.dedup();
        // Data is what a member of a known type was read from as well.
        if !callees.modelled.is_empty() || !callees.functions.is_empty() {
            callees.unknown.retain(|it| *it != Cause::Data);
        }
        callees.shrink();
        callees
    }

    /// Which modelled members an instruction runs without calling them: to convert what it is given, to go over it. None
    /// can be told where what is called calls others by way of a value.
    fn implied_members(&self, at: InstRef) -> impl Fn(MemberId) -> bool + use<> {
        let ir = self.solver.files[at.file as usize];
        let mut is_open = false;
        let mut called: FxHashSet<MemberId> = FxHashSet::default();
        if let Some(callee) = callee(ir, at.inst) {
            let node = self.callee_node(at.file as usize, callee, at.inst);
            for object in self.solver.flow.objects(node) {
                match self.solver.objects.kind(object) {
                    Kind::Member(member) | Kind::Promisified(member) => {
                        is_open |= self.solver.members.get(member).native.is_some_and(calls_values);
                        called.insert(member);
                    }
                    Kind::Typed(..) | Kind::Bound(_) => is_open = true,
                    _ => {}
                }
            }
        }
        move |member| !is_open && !called.contains(&member)
    }

    fn callee_node(&self, file: usize, callee: InstId, call: InstId) -> Node {
        let solver = &self.solver;
        if solver.files[file].inst(callee) == Inst::Super {
            let function = solver.receiving_function(file, solver.function_at(file, call));
            let number = solver.numbering.function(file, function);
            return solver
                .class_of
                .get(&number)
                .map_or(Node::NONE, |&class| solver.parents[class as usize]);
        }
        solver.values[solver.numbering.inst(file, callee) as usize]
    }

    /// Calls `visit` with every function of the program that an instruction may call, itself or by a
    /// native function that it calls.
    pub fn for_each_function(&self, at: InstRef, visit: &mut dyn FnMut(FunctionRef)) {
        let number = self.solver.numbering.inst(at.file as usize, at.inst);
        for &(function, _) in self.edges.of(number) {
            visit(self.solver.numbering.function_of(function));
        }
    }

    /// The name of a member as a person writes it: `fs.readFile`.
    #[must_use]
    pub fn name(&self, member: &Modelled<'_>) -> String {
        self.solver.members.get(member.member).name()
    }

    /// Whether a member is a method of a type of the language.
    #[must_use]
    pub fn is_method_of(&self, member: &Modelled<'_>, ty: &str) -> bool {
        let data = self.solver.members.get(member.member);
        data.module == "ecmascript" && data.of_type == Some(ty) && !data.path.is_empty()
    }

    /// Whether what a call gives keeps what the call is given and is on, and looks at it later: a client, a query
    /// that is built.
    #[must_use]
    pub fn keeps_given(&self, member: &Modelled<'_>) -> bool {
        let (Some(row), Some((module, _))) = (member.call, member.row) else { return false };
        let models = self.solver.members.models();
        row.promise == PromiseKind::No
            && (row.types().any(|it| models.keeps_given(module, it))
                || row.result == ResultKind::Receiver && self.is_on_keeper(member))
    }

    /// Whether a member is one of objects that keep what the calls are given that make them.
    #[must_use]
    pub fn is_on_keeper(&self, member: &Modelled<'_>) -> bool {
        let of_type = self.solver.members.get(member.member).of_type;
        let models = self.solver.members.models();
        of_type.zip(member.row).is_some_and(|(it, (module, _))| models.keeps_given(module, it))
    }

    /// Whether an object that is waited for keeps what the calls are given that make it.
    #[must_use]
    pub fn is_keeper(&self, awaited: &Awaited<'_>) -> bool {
        self.solver.members.models().keeps_given(awaited.module, awaited.of_type)
    }

    /// What an object keeps of what its makers were given.
    #[must_use]
    pub fn kept(&self, id: ObjectId) -> Vec<ObjectId> {
        let node = self.solver.existing_prop(id.0, Key::KEPT);
        node.into_iter().flat_map(|it| self.solver.flow.objects(it)).map(ObjectId).collect()
    }

    /// Whether an object keeps what the calls are given that make it.
    #[must_use]
    pub fn is_keeper_object(&self, id: ObjectId) -> bool {
        let Kind::Typed(ty, _) = self.solver.objects.kind(id.0) else { return false };
        let data = self.solver.members.type_data(ty);
        self.solver.members.models().keeps_given(data.module, data.name)
    }

    /// Whether a call of an object goes by a member: `client(address)`.
    #[must_use]
    pub fn is_call_of_object(&self, member: &Modelled<'_>) -> bool {
        let data = self.solver.members.get(member.member);
        data.of_type.is_some() && data.path.is_empty()
    }

    /// How many names stand between an object and a member of its type: two in `client.chat.completions.create`.
    #[must_use]
    pub fn names_between(&self, member: &Modelled<'_>) -> usize {
        self.solver.members.get(member.member).path.len().saturating_sub(1)
    }

    /// The function that an instruction stands in.
    #[must_use]
    pub fn function_at(&self, at: InstRef) -> FunctionRef {
        let number = self.solver.numbering.inst(at.file as usize, at.inst);
        FunctionRef { file: at.file, function: self.function_of[number as usize] }
    }

    /// The calls of a file, in order.
    pub fn calls(&self, file: u32) -> impl Iterator<Item = InstRef> + '_ {
        let ir = self.solver.files[file as usize];
        let is_call = |inst: &Inst| {
            matches!(inst, Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. })
        };
        ir.insts
            .iter()
            .enumerate()
            .filter(move |(_, inst)| is_call(inst))
            .map(move |(index, _)| InstRef { file, inst: InstId::new(index) })
    }

    /// How many calls there are in the files that `counts_in` names by their index, and how many of those
    /// inside functions that wait are understood.
    #[must_use]
    pub fn counts(&self, counts_in: &dyn Fn(usize) -> bool) -> Counts {
        let mut counts = Counts::default();
        let files = 0..self.solver.files.len();
        for file in files.filter(|&file| counts_in(file)) {
            let ir = self.solver.files[file];
            for call in self.calls(crate::ids::id(file)) {
                counts.all += 1;
                if !waits(ir, self.solver.function_at(file, call.inst)) {
                    continue;
                }
                counts.calls += 1;
                match self.callees(call).obstacle() {
                    None => counts.known += 1,
                    Some(cause) => *counts.unknown.entry(cause).or_default() += 1,
                }
            }
        }
        counts
    }

    /// How much has been done to find all that out: sets and constraints made, objects handed on.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.solver.flow.work()
    }

    /// The size of the analysis: nodes and objects.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.solver.flow.len(), self.solver.objects.len())
    }
}

/// Whether it calls what it is on or given, and hands that the rest of its arguments.
fn calls_values(native: Native) -> bool {
    use Native::{Apply, Bind, Call, ReflectApply, ReflectConstruct};
    matches!(native, Apply | Bind | Call | ReflectApply | ReflectConstruct)
}

impl Callees<'_> {
    /// Why the call may do anything, in a word or two; none where all its callees are known.
    #[must_use]
    pub fn obstacle(&self) -> Option<&'static str> {
        if let Some(cause) = self.unknown.first() {
            return Some(cause.category());
        }
        let is_top = |it: &Modelled<'_>| it.call.is_none() && it.native.is_none();
        if self.modelled.iter().any(is_top) {
            return Some("model says anything");
        }
        let is_empty = self.classes.is_empty()
            && self.functions.is_empty()
            && self.callbacks.is_empty()
            && self.modelled.is_empty();
        (is_empty && self.is_empty).then_some("nothing known flows here")
    }
}

/// The objects of the program that have a method of their own by which they are converted to a primitive.
fn own_texts(solver: &Solver<'_>, abstracted: &[AbstractObject]) -> FxHashSet<AbstractObject> {
    use AbstractObject::{Data, Fixed, Outside, Unknown};
    if solver.conversions.is_empty() {
        return FxHashSet::default();
    }
    let is_function = |object: Object| {
        matches!(solver.objects.kind(object), Kind::Function(_) | Kind::Unknown(_))
    };
    let has = |object: Object, key: &Key| {
        (*key == Key::DYNAMIC || solver.conversions.contains(key))
            && solver
                .existing_prop(object, *key)
                .is_some_and(|it| solver.flow.objects(it).any(is_function))
    };
    let own = solver.props.all().filter(|(object, key)| has(*object, key));
    // Who has got hold of an object, of whom nobody knows, may have put one there.
    let handed =
        [solver.escaped, solver.passed_on].into_iter().flat_map(|it| solver.flow.objects(it));
    let all = own.map(|it| it.0).chain(handed).map(|it| abstracted[it.index()]);
    all.filter(|it| !matches!(it, Data | Fixed | Outside | Unknown)).collect()
}

/// The lists, iterators and literals of each instruction that makes several: one may be held by another.
fn made_together(
    solver: &Solver<'_>,
    abstracted: &[AbstractObject],
) -> FxHashMap<InstRef, Vec<Object>> {
    let mut first: FxHashMap<InstRef, Object> = FxHashMap::default();
    let mut together: FxHashMap<InstRef, Vec<Object>> = FxHashMap::default();
    for (index, object) in abstracted.iter().enumerate() {
        let AbstractObject::Made(at) = *object else { continue };
        let object = Object(crate::ids::id(index));
        let may_hold = match solver.objects.kind(object) {
            Kind::Typed(ty, _) => {
                ty == solver.types.array || solver.members.type_data(ty).name == "Iterator"
            }
            Kind::Literal(_) => true,
            _ => false,
        };
        if !may_hold {
            continue;
        }
        if let Some(&first) = first.get(&at) {
            together.entry(at).or_insert_with(|| vec![first]).push(object);
        } else {
            first.insert(at, object);
        }
    }
    together
}

/// What each object is, by its number.
fn abstracted(solver: &Solver<'_>) -> Vec<AbstractObject> {
    let objects = (0..solver.objects.len()).map(|it| Object(crate::ids::id(it)));
    objects.map(|it| solver.abstracted(solver.objects.kind(it))).collect()
}

/// The function that each instruction of the program stands in, by the number of the instruction.
fn functions_of(files: &[&FileIr]) -> Vec<FunctionId> {
    let mut all = Vec::with_capacity(files.iter().map(|ir| ir.insts.len()).sum());
    for ir in files {
        let mut function = 0;
        for inst in (0..ir.insts.len()).map(InstId::new) {
            while ir.functions.get(function + 1).is_some_and(|next| next.first <= inst) {
                function += 1;
            }
            all.push(FunctionId::new(function));
        }
    }
    all
}

fn callee(ir: &FileIr, call: InstId) -> Option<InstId> {
    match ir.inst(call) {
        Inst::Call { callee, .. } | Inst::New { callee, .. } => Some(callee),
        Inst::CallMethod { method, .. } => Some(method),
        _ => None,
    }
}

/// Whether a function waits: it is async, or the top level of a module that waits.
fn waits(ir: &FileIr, function: FunctionId) -> bool {
    let function = ir.function(function);
    let is_wait = |id| match ir.inst(id) {
        // A generator that is not async hands values out: it waits for nothing.
        Inst::Yield(_) | Inst::YieldAll(_) => false,
        inst => inst.is_suspend_point(),
    };
    function.is_async || FileIr::range(function.first, function.end).any(is_wait)
}

fn is_callable(kind: Kind<'_>) -> bool {
    matches!(
        kind,
        Kind::Function(_)
            | Kind::Class(_)
            | Kind::Member(_)
            | Kind::Promisified(_)
            | Kind::Bound(_)
            | Kind::PromisifiedFunction(_)
            | Kind::Resolver(_)
            | Kind::NodeCallback(_)
            | Kind::Typed(..)
    )
}
