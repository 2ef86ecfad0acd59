//! What single instructions of a function do, seen from inside it.

use std::collections::BTreeSet;
use std::sync::Arc;

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_ir::{FileIr, FunctionId, Inst, InstId, RequestKind, Resolution};
use headstart_models::{Case, Condition};
use rustc_hash::{FxHashMap, FxHashSet};

use super::compute::Computation;
use super::locations::Locations;
use super::order::When;
use super::place::{Location, Root};
use super::roots::Roots;
use super::{Assumed, Effects, Summaries, Touched, Waiting};

/// How many functions are searched for imports that may be noticed.
const MOST_CALLEES: usize = 200;

/// An instruction that reads and writes more locations than this may do anything.
const MOST_LOCATIONS: usize = 1000;

/// Through how many functions a statement of a database is looked for.
const DEEPEST_STATEMENT: u32 = 6;

/// How much of what single instructions do is kept in each part of the memory: instructions and their
/// locations. Where it is more, all is forgotten, and worked out again for those who ask.
const MOST_KEPT: usize = 100_000;

/// What single instructions do, as far as somebody has asked. The statements of nested blocks, what may
/// clean up behind a failure and what explains a line ask for the same instructions again and again.
#[derive(Debug, Default)]
pub(crate) struct KnownSteps {
    /// For each function, what is known of its instructions, from its first one on.
    known: FxHashMap<FunctionRef, Vec<Known>>,
    kept: usize,
}

/// What is known of an instruction.
#[derive(Clone, Debug)]
enum Known {
    /// Nobody has asked.
    Unasked,
    Nothing,
    Does(Arc<Step>),
}

impl KnownSteps {
    /// What is known of a function of so many instructions.
    fn of(&mut self, function: FunctionRef, count: usize) -> &mut Vec<Known> {
        if self.kept > MOST_KEPT {
            *self = Self::default();
        }
        let kept = &mut self.kept;
        self.known.entry(function).or_insert_with(|| {
            *kept += count;
            vec![Known::Unasked; count]
        })
    }

    fn keep(&mut self, function: FunctionRef, (index, count): (usize, usize), known: Known) {
        let locations = match &known {
            Known::Does(step) => step.now.len() + step.later.len(),
            Known::Nothing | Known::Unasked => 0,
        };
        if let Some(slot) = self.of(function, count).get_mut(index) {
            *slot = known;
            self.kept += locations;
        }
    }
}

/// What one instruction does, with all that it calls. Objects that the function has made are named
/// as well; its own variables are not, save by the closures that are called.
#[derive(Clone, Debug)]
pub struct Step {
    /// The instruction.
    pub at: InstId,
    /// What it reads and writes before it returns.
    pub now: Effects,
    /// What it has started reads and writes later, while others may run.
    pub later: Effects,
    /// Whether it may do anything.
    pub is_anything: bool,
    /// What it does beside the above if code that nobody knows only computes; none where it does
    /// not call such code, or nothing can be told.
    pub assumed: Option<Box<Assumed>>,
    /// What it leaves going on, whoever waits for it.
    pub left: Locations,
    /// Whether what it does may go on when it has returned.
    pub goes_on: bool,
    /// Whether it may take a lock.
    pub locks: bool,
    /// The calls that do what their models say only if something holds that nobody can tell.
    pub granted: BTreeSet<InstRef>,
    /// Whether it may give something that somebody has to close.
    pub gives: bool,
    /// Whether a promise that it starts on the way may be rejected while nobody handles that.
    pub abandons: bool,
    /// Whether it starts something that nobody waits for, and that changes something when it has returned.
    pub lingers: bool,
    /// The values that it reads, converts or iterates and of which nobody knows what that runs.
    pub touched: Touched,
    /// Whether what it calls may throw, or what it waits for be rejected.
    pub throws: bool,
}

impl Step {
    /// What it does before it returns, and later, if what is taken for granted of it holds.
    pub fn effects(&self) -> impl Iterator<Item = &Effects> {
        let assumed = self.assumed.iter().flat_map(|it| it.effects());
        [&self.now, &self.later].into_iter().chain(assumed)
    }

    fn does_something(&self) -> bool {
        self.is_anything
            || self.throws
            || self.lingers
            || !self.now.is_empty()
            || !self.later.is_empty()
            || !self.touched.is_empty()
    }
}

impl<'p> Summaries<'p> {
    /// What the instructions from `first` up to `end`, not included, do; those that do nothing are
    /// left out. What is thrown and caught among them does not count as thrown.
    #[must_use]
    pub fn steps(&self, function: FunctionRef, first: InstId, end: InstId) -> Vec<Arc<Step>> {
        let caught = self.structure(function).caught_within(first, end);
        let body = self.graph.files()[function.file as usize].function(function.function);
        let (begin, count) = (body.first.index(), body.end.index() - body.first.index());
        let mut computation = None;
        let mut found = Vec::new();
        let mut take = |step: &Arc<Step>| {
            if !step.throws || !caught.contains(step.at) {
                found.push(Arc::clone(step));
                return;
            }
            let step = Step { throws: false, ..Step::clone(step) };
            if step.does_something() {
                found.push(Arc::new(step));
            }
        };
        let mut next = first.index();
        while next < end.index() && !self.graph.is_stopped() {
            let mut steps = self.steps.part(&function);
            let known = steps.of(function, count);
            while let Some(known) =
                known.get(next.wrapping_sub(begin)).filter(|_| next < end.index())
            {
                match known {
                    Known::Unasked => break,
                    Known::Nothing => {}
                    Known::Does(step) => take(step),
                }
                next += 1;
            }
            // What is worked out may ask for other steps.
            drop(steps);
            if next >= end.index() {
                break;
            }
            let at = InstId::new(next);
            let step = self.step(function, at, &mut computation);
            step.iter().for_each(&mut take);
            let step = step.map_or(Known::Nothing, Known::Does);
            self.steps.part(&function).keep(function, (next.wrapping_sub(begin), count), step);
            next += 1;
        }
        found
    }

    /// What one instruction of a function does, whoever catches what it throws; none where it does
    /// nothing.
    fn step<'a>(
        &'a self,
        function: FunctionRef,
        at: InstId,
        computation: &mut Option<Computation<'a, 'p>>,
    ) -> Option<Arc<Step>> {
        self.note_asked();
        let computation = computation.get_or_insert_with(|| self.computation(function));
        computation.roots.is_local = true;
        computation.catches = false;
        computation.goes_on = false;
        computation.instruction(at, When { before: true, after: false });
        let is_too_much = computation.is_full();
        let done = std::mem::take(&mut computation.summary);
        let step = Step {
            at,
            is_anything: is_too_much || done.is_anything(),
            now: done.before,
            later: done.after,
            assumed: done.assumed.filter(|it| !is_too_much && !it.is_seen),
            left: done.left,
            goes_on: computation.goes_on,
            locks: done.locks,
            granted: done.granted,
            gives: done.gives,
            abandons: done.abandons,
            lingers: done.lingers,
            touched: done.touched,
            throws: done.throws,
        };
        step.does_something().then(|| Arc::new(step))
    }

    /// The `import()`s among some instructions, and in the functions that those call, which load
    /// something whose evaluation may be noticed: it does more than declare, or takes part in a cycle,
    /// so that the order matters.
    #[must_use]
    pub fn loud_imports(&self, file: u32, first: InstId, end: InstId) -> Vec<InstRef> {
        if !self.has_imports || first >= end {
            return Vec::new();
        }
        let importing = self.importing();
        if !importing.contains(&self.graph.function_at(InstRef { file, inst: first })) {
            return Vec::new();
        }
        let mut found: Vec<InstRef> = Vec::new();
        for inst in FileIr::range(first, end) {
            let at = InstRef { file, inst };
            found.extend(self.is_loud(at).then_some(at));
            self.graph.for_each_function(at, &mut |callee| {
                if importing.contains(&callee) {
                    found.extend(self.loud_imports_of(callee).iter());
                }
            });
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Those of a function and of what it calls.
    fn loud_imports_of(&self, function: FunctionRef) -> Arc<[InstRef]> {
        if let Some(known) = self.loud.part(&function).get(&function) {
            return Arc::clone(known);
        }
        let importing = self.importing();
        let mut pending = vec![function];
        let mut seen: FxHashSet<FunctionRef> = pending.iter().copied().collect();
        let mut found = Vec::new();
        while let Some(of) = pending.pop() {
            let body = self.graph.files()[of.file as usize].function(of.function);
            for inst in FileIr::range(body.first, body.end) {
                let at = InstRef { file: of.file, inst };
                found.extend(self.is_loud(at).then_some(at));
                self.graph.for_each_function(at, &mut |callee| {
                    let is_new = importing.contains(&callee) && seen.len() < MOST_CALLEES;
                    if is_new && seen.insert(callee) {
                        pending.push(callee);
                    }
                });
            }
        }
        let found: Arc<[InstRef]> = found.into();
        self.loud.part(&function).insert(function, Arc::clone(&found));
        found
    }

    /// The functions that may get to an `import()` which loads something, themselves or by what they call.
    fn importing(&self) -> &FxHashSet<FunctionRef> {
        self.importing.get_or_init(|| {
            let mut found = FxHashSet::default();
            for (file, ir) in (0..).zip(self.graph.files()) {
                for (index, inst) in ir.insts.iter().enumerate() {
                    let at = InstRef { file, inst: InstId::new(index) };
                    if matches!(inst, Inst::DynamicImport { .. } | Inst::Require(_))
                        && self.loads(at)
                    {
                        let function = self.graph.function_at(at);
                        self.spread_to_callers(vec![(function, ())], |it, ()| found.insert(it));
                    }
                }
            }
            found
        })
    }

    /// Whether an instruction loads something that others may notice.
    fn is_loud(&self, at: InstRef) -> bool {
        self.loads(at) && !self.is_quiet_import(at)
    }

    fn is_quiet_import(&self, at: InstRef) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let (Inst::DynamicImport { request: Some(request), .. } | Inst::Require(request)) =
            ir.inst(at.inst)
        else {
            return false;
        };
        match ir.request(request).resolution {
            Resolution::Builtin => true,
            Resolution::File(file) => self.loads_quietly(file.0),
            _ => false,
        }
    }

    /// Whether the modules that are loaded with a file import one another in a circle.
    fn loads_cycle(&self, file: u32) -> bool {
        let mut open: FxHashSet<u32> = FxHashSet::default();
        let mut done: FxHashSet<u32> = FxHashSet::default();
        let mut way = vec![(file, false)];
        while let Some((file, is_left)) = way.pop() {
            if is_left {
                open.remove(&file);
                done.insert(file);
                continue;
            }
            if done.contains(&file) || !open.insert(file) {
                continue;
            }
            way.push((file, true));
            let ir = self.graph.files()[file as usize];
            for request in &ir.requests {
                let is_static = matches!(request.kind, RequestKind::Import | RequestKind::Require);
                let Resolution::File(to) = request.resolution else { continue };
                if is_static && open.contains(&to.0) {
                    return true;
                }
                if is_static {
                    way.push((to.0, false));
                }
            }
        }
        false
    }

    /// Whether loading a file, with all that it imports, changes nothing but what the files declare,
    /// and comes out the same in whatever order files are loaded.
    #[must_use]
    pub fn loads_quietly(&self, file: u32) -> bool {
        if let Some(&known) = self.quiet.part(&file).get(&file) {
            return known;
        }
        let found = self.is_loaded_quietly(file);
        self.quiet.part(&file).insert(file, found);
        found
    }

    fn is_loaded_quietly(&self, file: u32) -> bool {
        if self.loads_cycle(file) {
            return false;
        }
        let mut pending = vec![file];
        let mut seen: FxHashSet<u32> = pending.iter().copied().collect();
        while let Some(file) = pending.pop() {
            let ir = self.graph.files()[file as usize];
            let module = FunctionRef { file, function: FunctionId::new(0) };
            if !self.is_computed(module) && self.supposes() {
                return true;
            }
            let summary = self.of(module);
            let both = [&summary.before, &summary.after];
            let is_own = |location: &Location| match location {
                Location::Memory(place) => match place.root {
                    Root::Variable(of, _) | Root::Exports(of) => of == file,
                    Root::Static(class) | Root::Instance(class) => class.file == file,
                    Root::Made(at) => at.file == file,
                    _ => false,
                },
                Location::Resource(..) => false,
            };
            // What it looks at may be another when it is loaded earlier.
            let both = both.into_iter().flat_map(|it| it.writes.iter().chain(&it.reads));
            let is_noticed = both.into_iter().any(|it| !is_own(it));
            if summary.is_anything() || is_noticed || summary.waits {
                return false;
            }
            let needed = ir
                .requests
                .iter()
                .filter(|it| matches!(it.kind, RequestKind::Import | RequestKind::Require));
            for request in needed {
                match request.resolution {
                    Resolution::Builtin => {}
                    Resolution::File(to) => {
                        if seen.insert(to.0) {
                            pending.push(to.0);
                        }
                    }
                    _ => return false,
                }
            }
        }
        true
    }

    /// The arguments of a call that it reads from by name: what a pipe or an open file gives, it gives
    /// once.
    #[must_use]
    pub fn consumed(&self, call: InstRef) -> Vec<InstId> {
        let ir = self.graph.files()[call.file as usize];
        let Some(args) = super::row::arguments(ir.inst(call.inst)).map(|it| ir.args(it)) else {
            return Vec::new();
        };
        let callees = self.callees(call);
        let of_functions = callees.functions.iter().flat_map(|&it| &self.of(it).consumes);
        let mut found: Vec<InstId> =
            of_functions.filter_map(|&it| args.get(it as usize).copied()).collect();
        let rows = callees.modelled.iter().filter_map(|it| it.call);
        found.extend(rows.flat_map(|row| row.consumed(args)));
        found
    }

    /// Whether what may wait for ever in a call is a statement of a database, which may write.
    #[must_use]
    pub fn sends_statement(&self, call: InstRef) -> bool {
        self.sends_within(call, DEEPEST_STATEMENT)
    }

    fn sends_within(&self, call: InstRef, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let is_query =
            |case: &Case| matches!(case.when, Condition::Query(_) | Condition::QueryWithValues(_));
        let callees = self.callees(call);
        let mut rows = callees.modelled.iter().filter_map(|it| it.call);
        let is_sent = |function: &FunctionRef| {
            let ir = self.graph.files()[function.file as usize];
            let awaits = &self.of(*function).awaits;
            let mut long = awaits.iter().filter(|it| it.1 >= Waiting::Waits).peekable();
            long.peek().is_some()
                && long.all(|&(at, _)| match ir.inst(at) {
                    Inst::Await(inst) => {
                        self.sends_within(InstRef { file: function.file, inst }, depth)
                    }
                    _ => false,
                })
        };
        rows.any(|row| row.cases.iter().any(is_query))
            || (!callees.functions.is_empty() && callees.functions.iter().all(is_sent))
    }

    /// What is known of the values of a function.
    pub(crate) fn roots(&self, function: FunctionRef) -> Roots<'_, 'p> {
        let waits = self.structure(function).waits;
        Roots { all: self, stores: &self.stores, function, waits, is_local: false, is_bare: false }
    }

    pub(crate) fn computation(&self, function: FunctionRef) -> Computation<'_, 'p> {
        Computation::new(self, &self.stores, function, MOST_LOCATIONS)
    }

    /// What awaiting a value of a function waits for, and whether it may be rejected.
    #[must_use]
    pub fn waiting(&self, function: FunctionRef, value: InstId) -> (Waiting, bool) {
        self.computation(function).roots.waiting(value)
    }

    /// Whether a call of a function gives an object that it has made, and nobody else holds.
    #[must_use]
    pub fn is_fresh_result(&self, function: FunctionRef, call: InstId) -> bool {
        self.computation(function).roots.is_fresh(call)
    }

    /// What the instructions from `first` up to `end` do, taken together.
    #[must_use]
    pub fn effects_of(&self, function: FunctionRef, first: InstId, end: InstId) -> Effects {
        let mut all = Effects::default();
        for step in self.steps(function, first, end) {
            all.take_in(&step.now);
            all.take_in(&step.later);
        }
        all
    }
}
