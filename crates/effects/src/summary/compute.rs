//! The summary of one function, from its instructions and the summaries of its callees.

use std::cell::OnceCell;
use std::sync::Arc;

use headstart_callgraph::{FunctionRef, PathKey};
use headstart_ir::{FileIr, FunctionKind, Inst, InstId, Key, MemberKind, PropKey, VarId, VarKind};

use super::applied::Applied;
use super::assumed::Assumed;
use super::order::{Order, When};
use super::place::{Location, Place, Resource, Root, Which};
use super::roots::Roots;
use super::stores::Stores;
use super::structure::Structure;
use super::{Effects, Summaries, Summary, Waiting};

/// The computation of one summary.
pub(crate) struct Computation<'a, 'p> {
    pub(crate) roots: Roots<'a, 'p>,
    pub(crate) ir: &'p FileIr,
    pub(crate) summary: Summary,
    /// Whether what a handler of the function catches does not count as thrown.
    pub(super) catches: bool,
    pub(super) structure: Arc<Structure>,
    /// Where others may run or control may go elsewhere, once somebody has asked.
    pub(super) stops: OnceCell<Vec<InstId>>,
    /// Whether what the instruction at hand does may go on behind it.
    pub(super) goes_on: bool,
    /// How many locations are told apart.
    pub(super) most: usize,
    /// The parameters that it calls, where what they do does not count (`Roots::is_bare`).
    pub(super) applied: Vec<Applied>,
    /// Whether it calls a parameter, or what may.
    pub(super) has_applied: bool,
}

impl<'a, 'p> Computation<'a, 'p> {
    /// At most `most` locations are told apart: what reads and writes more does too much, and what
    /// else it reads and writes is not looked for.
    pub(crate) fn new(
        all: &'a Summaries<'p>,
        stores: &'a [Stores],
        function: FunctionRef,
        most: usize,
    ) -> Self {
        let ir = all.graph.files()[function.file as usize];
        let structure = all.structure(function);
        let waits = structure.waits;
        all.known_roots.get().forget_followed();
        Self {
            roots: Roots { all, stores, function, waits, is_local: false, is_bare: false },
            ir,
            summary: Summary::default(),
            catches: true,
            structure,
            stops: OnceCell::new(),
            goes_on: false,
            most,
            applied: Vec::new(),
            has_applied: false,
        }
    }

    /// The same without what the parameters do that it calls.
    pub(super) fn by_itself(mut self) -> Self {
        self.roots.is_bare = true;
        self
    }

    /// Whether it does too much to tell apart.
    pub(crate) fn is_full(&self) -> bool {
        self.summary.before.len() + self.summary.after.len() > self.most
    }

    pub(crate) fn run(&mut self) -> Summary {
        self.roots.all.known_roots.get().forget_followed();
        let function = self.ir.function(self.roots.function.function);
        let may_throw = |id: InstId| self.may_throw(id);
        let mut order = Order::new(self.ir, self.roots.function.function, &may_throw);
        let times: Vec<When> =
            FileIr::range(function.first, function.end).map(|id| order.step(id)).collect();
        for (id, when) in FileIr::range(function.first, function.end).zip(times) {
            // A scope is left in many ways, and always disposes of what it declared.
            let is_disposal = matches!(self.ir.inst(id), Inst::Dispose { .. });
            let is_reached = when.before || when.after || is_disposal;
            if is_reached && !self.roots.all.graph.is_stopped() {
                self.instruction(id, when);
            }
        }
        if function.is_async {
            let all = self.summary.awaits.iter().map(|it| it.1);
            self.summary.settling = all.fold(self.summary.settling, Waiting::and);
            self.summary.rejects |= self.summary.throws;
            self.summary.throws = false;
        }
        std::mem::take(&mut self.summary)
    }

    /// An instruction, with what it leaves going on: of calls, and of what is called without one by getters,
    /// iterators and conversions.
    pub(super) fn instruction(&mut self, id: InstId, when: When) {
        let left = std::mem::take(&mut self.summary.left);
        let at = self.roots.at(id);
        let is_fill = self.roots.all.is_fill(at);
        let summary = &mut self.summary;
        // What one instruction writes otherwise fills no cache where another one does.
        let is_apart = is_fill || summary.before.has_fills() || summary.after.has_fills();
        if !is_apart {
            self.instruction_itself(id, when);
        } else {
            let before = std::mem::take(&mut summary.before);
            let after = std::mem::take(&mut summary.after);
            let does = (summary.does_more, summary.passes_on, summary.changes_files);
            self.instruction_itself(id, when);
            if is_fill {
                let summary = &mut self.summary;
                (summary.does_more, summary.passes_on, summary.changes_files) = does;
            }
            for (all, rest) in
                [(before, &mut self.summary.before), (after, &mut self.summary.after)]
            {
                let own = std::mem::replace(rest, all);
                rest.join(if is_fill { own.filling(at) } else { own });
            }
        }
        if !self.summary.left.is_empty() {
            self.summary.loose.insert(id);
        }
        self.summary.left.extend(left);
    }

    fn instruction_itself(&mut self, id: InstId, when: When) {
        let ir = self.ir;
        self.converted(id, when);
        self.matched(id, when);
        self.touch(id, when);
        match ir.inst(id) {
            // Its traps may do anything (ECMA-262, 10.5).
            Inst::Get { object, .. }
            | Inst::Set { object, .. }
            | Inst::Delete { object, .. }
            | Inst::Has { object, .. }
            | Inst::InstanceOf { value: object, .. }
            | Inst::CopyProps { value: object, .. }
            | Inst::EnumerateKeys(object)
            | Inst::Rest(object)
                if self.roots.all.is_proxy(self.roots.at(object)) =>
            {
                self.anything(id);
            }
            Inst::LoadVar(var) => self.load(var, when),
            Inst::LoadGlobal(name) if self.roots.all.is_assigned_global(ir.name(name)) => {
                let place = self.roots.global(name);
                self.read(Location::Memory(place), when);
            }
            Inst::Template(_)
            | Inst::Operator { .. }
            | Inst::InstanceOf { .. }
            | Inst::Convert(_)
                if self.roots.all.graph.has_accessor(self.roots.at(id)) =>
            {
                self.conversion(id, when);
            }
            Inst::StoreVar { var, .. } => self.store(var, when),
            Inst::StoreGlobal { name, .. } if self.roots.all.is_assigned_global(ir.name(name)) => {
                let place = self.roots.global(name);
                self.write(Location::Memory(place), when);
            }
            Inst::Get { object, key } => self.get(id, object, key, when),
            Inst::Set { object, key, .. } | Inst::Delete { object, key } => {
                self.set(id, object, key, when);
            }
            Inst::CopyProps { value, .. }
            | Inst::Spread(value)
            | Inst::Iterate(value)
            | Inst::IterateAsync(value)
            | Inst::YieldAll(value)
            | Inst::EnumerateKeys(value)
            | Inst::Has { object: value, .. }
            | Inst::Rest(value) => {
                self.take_elements(value, when);
                if self.roots.all.graph.has_accessor(self.roots.at(id)) {
                    self.conversion(id, when);
                }
                let is_async = ir.function(self.roots.function.function).is_async;
                match ir.inst(id) {
                    Inst::IterateAsync(value) => {
                        self.elements_waited_for(value, when);
                        let (waiting, rejects) = self.roots.waiting_of_iteration(value);
                        self.wait(id, waiting, rejects);
                    }
                    Inst::YieldAll(_) if is_async => self.wait(id, Waiting::Waits, true),
                    _ => {}
                }
            }
            Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } => self.call(id, when),
            Inst::Closure(function) => {
                let made = FunctionRef { function, ..self.roots.function };
                self.summary.does_more |= self.roots.all.of(made).does_more;
            }
            Inst::Jsx(_) => {
                let elements = Some(self.roots.at(id));
                self.anything_but(id, Some(Assumed { elements, ..Assumed::default() }));
            }
            Inst::Opaque => self.anything(id),
            // It calls methods of what `using` has declared.
            Inst::Dispose { suspends } => {
                self.anything(id);
                self.summary.waits |= suspends;
                if suspends {
                    self.summary.settling = Waiting::Unknown;
                }
            }
            Inst::Await(value) => {
                let is_applied = self.is_applied(value);
                let (waiting, rejects) = match is_applied {
                    true => (Waiting::Settles, false),
                    false => self.roots.waiting(value),
                };
                let is_retry = self.pauses_before_retry(value);
                let waiting = if is_retry { Waiting::Repeats } else { waiting };
                let in_loop = self.structure.endless.contains(id);
                let settling = if in_loop { waiting.and(Waiting::Repeats) } else { waiting };
                self.summary.settling = self.summary.settling.and(settling);
                if !is_applied {
                    self.waited_for(value, when);
                }
                self.wait(id, waiting, rejects);
            }
            Inst::Yield(value) => {
                let is_async = ir.function(self.roots.function.function).is_async;
                self.summary.waits |= is_async;
                if is_async {
                    self.waited_for(value, when);
                }
            }
            Inst::DynamicImport { .. } if self.roots.all.loads(self.roots.at(id)) => {
                self.read(Location::Resource(Resource::File, Which::Any), when);
            }
            Inst::Throw(value) => {
                self.summary.throws_shared |= self.roots.may_be_shared_error(value);
                self.throw(id);
            }
            Inst::Return(value) => {
                let is_async = ir.function(self.roots.function.function).is_async;
                if is_async && !self.is_applied(value) {
                    self.waited_for(value, when);
                }
                self.returned(value);
            }
            Inst::Class(class) if ir.class(class).static_init.is_some() => self.call(id, when),
            // These only give values, or say what others do. A new kind has to be put in its place here.
            Inst::Literal(_)
            | Inst::LoadGlobal(_)
            | Inst::StoreGlobal { .. }
            | Inst::Require(_)
            | Inst::DynamicImport { .. }
            | Inst::Class(_)
            | Inst::Array(_)
            | Inst::Object
            | Inst::Accessor { .. }
            | Inst::Template(_)
            | Inst::Pure1(_)
            | Inst::Convert(_)
            | Inst::Pure2(..)
            | Inst::InstanceOf { .. }
            | Inst::Operator { .. }
            | Inst::Conditional { .. }
            | Inst::Select(..)
            | Inst::Param(_)
            | Inst::RestParam(_)
            | Inst::Caught
            | Inst::This
            | Inst::Super
            | Inst::Arguments
            | Inst::NewTarget
            | Inst::ImportMeta => {}
        }
    }

    /// Whether an instruction may throw before it returns.
    pub(super) fn may_throw(&self, id: InstId) -> bool {
        match self.ir.inst(id) {
            Inst::Throw(_) | Inst::Opaque | Inst::Jsx(_) | Inst::Dispose { .. } => true,
            Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } => {
                let callees = self.roots.all.callees(self.roots.at(id));
                let args = super::row::arguments(self.ir.inst(id))
                    .map(|args| self.ir.args(args))
                    .unwrap_or_default();
                callees.obstacle().is_some()
                    || callees.functions.iter().any(|&it| self.roots.all.of(it).throws)
                    || callees.callbacks.iter().any(|&it| self.roots.all.of(it).throws)
                    || callees.modelled.iter().any(|it| {
                        it.call.is_some_and(|row| {
                            self.roots.row_throws(row, args)
                                || !self.roots.is_covered(row, it.module, args)
                        })
                    })
            }
            _ => {
                let at = self.roots.at(id);
                self.roots.all.graph.has_accessor(at) || self.roots.all.may_throw_for_big(at)
            }
        }
    }

    fn wait(&mut self, id: InstId, waiting: Waiting, rejects: bool) {
        self.summary.waits = true;
        self.summary.awaits.push((id, waiting));
        if rejects {
            self.throw(id);
        }
    }

    /// An error arises at an instruction.
    pub(crate) fn throw(&mut self, id: InstId) {
        let is_caught = self.catches && self.structure.catches(id);
        self.summary.throws |= !is_caught;
    }

    pub(crate) fn read(&mut self, location: Location, when: When) {
        if self.is_full() {
            return;
        }
        if when.before {
            self.summary.before.reads.insert(location.clone());
        }
        if when.after {
            self.summary.after.reads.insert(location);
        }
    }

    pub(crate) fn write(&mut self, location: Location, when: When) {
        if self.is_full() {
            return;
        }
        if when.before {
            self.summary.before.writes.insert(location.clone());
        }
        if when.after {
            self.summary.after.writes.insert(location);
        }
    }

    pub(crate) fn add(&mut self, effects: Effects, when: When) {
        for location in effects.reads {
            self.read(location, when);
        }
        for location in effects.writes {
            self.write(location, when);
        }
    }

    /// An instruction may do anything, and nothing more is known of it.
    pub(crate) fn anything(&mut self, id: InstId) {
        self.summary.assumed = None;
        // Instructions are looked at in their order.
        if self.summary.anything.last() != Some(&id) {
            self.summary.anything.push(id);
        }
        self.throw(id);
    }

    fn load(&mut self, var: VarId, when: When) {
        let Some((file, var)) = self.roots.all.graph.imported(self.roots.function.file, var) else {
            return;
        };
        self.read_variable(file, var, when);
    }

    /// Reads a variable, which is a location where it is assigned more than once.
    pub(super) fn read_variable(&mut self, file: u32, var: VarId, when: When) {
        let variable = self.roots.all.graph.files()[file as usize].variable(var);
        let is_own =
            file == self.roots.function.file && variable.owner == self.roots.function.function;
        // One that is declared without a value changes when it gets one.
        let is_fixed = variable.writes == 0
            || (variable.writes == 1 && variable.init.is_some())
            || variable.kind == VarKind::Const;
        if !is_own && !is_fixed {
            self.read(Location::Memory(Place::new(Root::Variable(file, var))), when);
        }
    }

    fn store(&mut self, var: VarId, when: When) {
        if self.ir.variable(var).owner != self.roots.function.function {
            let place = Place::new(Root::Variable(self.roots.function.file, var));
            self.write(Location::Memory(place), when);
        }
    }

    fn get(&mut self, id: InstId, object: InstId, key: PropKey, when: When) {
        let ir = self.ir;
        let at = self.roots.at(id);
        if self.roots.all.graph.has_accessor(at) {
            self.accessor(id, object, key, when);
            let name = self.roots.all.graph.key(self.roots.function.file, key);
            if self.roots.all.graph.is_accessor(self.roots.at(object), name, MemberKind::Getter) {
                return;
            }
        }
        let is_method = self.roots.all.is_method_read(at);
        if let Some(location) = self.platform_field(object, key)
            && (self.is_process(object)
                || !self.roots.all.graph.is_fixed_value(at)
                || self.roots.all.graph.is_untold_member(at))
        {
            self.read(location, when);
        }
        if super::is_global_object(ir, object)
            && matches!(key.get(), Key::Name(name) if self.roots.all.is_assigned_global(ir.name(name)))
        {
            let name = self.roots.all.graph.key(self.roots.function.file, key);
            let place = Place::new(Root::Global).then(name);
            return self.read(Location::Memory(place), when);
        }
        let key = self.roots.all.graph.key(self.roots.function.file, key);
        let of_namespace = self.roots.all.graph.namespace_member(self.roots.at(object), key);
        if let Some((file, var)) = of_namespace {
            return self.read_variable(file, var, when);
        }
        if is_method || self.roots.all.graph.is_fixed_value(at) {
            return;
        }
        if self.roots.all.graph.is_object_member(self.roots.at(object), key)
            && !self.roots.all.is_assigned_member(key)
        {
            return;
        }
        if self.roots.all.graph.module_object(self.roots.at(object)).is_none() {
            self.read_below(object, key, when);
        }
    }

    /// Where a field is of an object of the platform which the program assigns: `process.exitCode`.
    fn platform_field(&self, object: InstId, key: PropKey) -> Option<Location> {
        let Key::Name(name) = key.get() else { return None };
        let all = self.roots.all;
        if !all.is_platform_field(self.ir.name(name)) {
            return None;
        }
        if self.is_process(object) {
            return Some(Location::Resource(Resource::ProcessState, Which::Any));
        }
        let key = || all.graph.key(self.roots.function.file, key);
        let is_field = all.graph.is_fixed_value(self.roots.at(object));
        is_field.then(|| Location::Memory(Place::new(Root::Global).then(key())))
    }

    pub(crate) fn read_below(&mut self, holder: InstId, key: PathKey, when: When) {
        for location in self.below(holder, key) {
            self.read(location, when);
        }
        if key == PathKey::ANY {
            self.read_namespace(holder, when);
        }
    }

    pub(crate) fn write_below(&mut self, holder: InstId, key: PathKey, when: When) {
        for location in self.below(holder, key) {
            self.write(location, when);
        }
        if key == PathKey::ANY && self.roots.all.graph.may_be_platform(self.roots.at(holder)) {
            self.write(Location::Memory(Place::all_of(Root::Global)), when);
            self.write(Location::Resource(Resource::ProcessState, Which::Any), when);
        }
    }

    /// Whether a value is `process`, by whatever name.
    fn is_process(&self, value: InstId) -> bool {
        matches!(self.ir.inst(value), Inst::LoadGlobal(name) if self.ir.name(name) == "process")
            || self.roots.all.graph.is_process(self.roots.at(value))
    }

    /// What is under a key of a value.
    fn below(&self, holder: InstId, key: PathKey) -> Vec<Location> {
        if self.is_full() {
            return Vec::new();
        }
        let (is_environment, is_nothing_else) =
            self.roots.all.graph.environment(self.roots.at(holder));
        let mut found = Vec::new();
        if is_environment {
            found.push(Location::Resource(Resource::Environment, Which::Any));
        }
        if !is_nothing_else {
            found.extend(self.roots.under(holder, key).into_iter().map(Location::Memory));
        }
        found
    }

    fn set(&mut self, id: InstId, object: InstId, key: PropKey, when: When) {
        let ir = self.ir;
        if ir.inst(object) == Inst::Object {
            // Nobody else has it, but its key may be converted.
            if self.roots.all.graph.has_accessor(self.roots.at(id)) {
                self.conversion(id, when);
            }
            return;
        }
        if self.roots.all.graph.has_accessor(self.roots.at(id)) {
            self.accessor(id, object, key, when);
            let name = self.roots.all.graph.key(self.roots.function.file, key);
            // An `accessor` field of a parent is no function of the program.
            let runs = self.roots.all.callees(self.roots.at(id));
            let is_of_parent = ir.inst(object) == Inst::Super
                && runs.callbacks.iter().any(|it| *it != self.roots.function);
            if is_of_parent
                || self.roots.all.graph.is_accessor(self.roots.at(object), name, MemberKind::Setter)
            {
                return;
            }
        }
        if self.changes_setting(object, key) {
            self.write(Location::Resource(Resource::Environment, Which::Any), when);
        }
        if super::is_global_object(self.ir, object) {
            let key = self.roots.all.graph.key(self.roots.function.file, key);
            let place = Place::new(Root::Global).then(key);
            return self.write(Location::Memory(place), when);
        }
        if self.is_process(object) {
            return self.write(Location::Resource(Resource::ProcessState, Which::Any), when);
        }
        if let Some(location) = self.platform_field(object, key) {
            self.write(location, when);
        }
        // `client.defaults.headers.token = …`: what the module does depends on it.
        for module in self.roots.all.graph.modules_behind(self.roots.at(object)) {
            let which = Which::Named(module.to_owned());
            self.write(Location::Resource(Resource::ModuleState, which), when);
        }
        let name = self.roots.all.graph.key(self.roots.function.file, key);
        self.write_below(object, name, when);
        // Setting a part of an address changes the others.
        if self.roots.all.graph.is_part(self.roots.at(object), name) {
            self.write_parts(object, when);
        }
        // A shorter array loses elements (ECMA-262, 10.4.2.4).
        if matches!(key.get(), Key::Name(name) if self.ir.name(name) == "length") {
            self.write_below(object, PathKey::ANY, when);
        }
    }

    /// Whether a store changes what later operations depend on: a setting of a module, or what modules
    /// share under a symbol of the global object.
    fn changes_setting(&self, mut object: InstId, mut key: PropKey) -> bool {
        let is_any =
            |it: PropKey| self.roots.all.graph.key(self.roots.function.file, it) == PathKey::ANY;
        let is_computed = matches!(key.get(), Key::Computed(_)) && is_any(key);
        if super::is_global_object(self.ir, object) && is_computed {
            return true;
        }
        for _ in 0..DEEPEST_SETTING {
            let name = match key.get() {
                Key::Name(name) => Some(self.ir.name(name)),
                Key::Private(_) | Key::Computed(_) => None,
            };
            if self.roots.all.graph.is_setting(self.roots.at(object), name) {
                return true;
            }
            let Inst::Get { object: outer, key: of } = self.ir.inst(object) else { return false };
            (object, key) = (outer, of);
        }
        false
    }

    /// The kind of the function.
    pub(crate) fn is_module(&self) -> bool {
        self.ir.function(self.roots.function.function).kind == FunctionKind::Module
    }
}

/// Settings lie no further below what a module exports: `https.globalAgent.options.ca`.
const DEEPEST_SETTING: usize = 8;
