//! The effects of one call: those of its callees, translated to the caller.

use std::collections::BTreeSet;

use headstart_callgraph::{Callees, FunctionRef, InstRef, Modelled, Native, PathKey};
use headstart_ir::{Inst, InstId, Key, PropKey, VarKind};
use headstart_models::{Argument, Call, CallsBack, Flow, PromiseKind, Receiver};

use super::asking::Asking;
use super::awaits::gives_callback;
use super::bind::Binding;
use super::compute::Computation;
use super::names::is_waiting_name;
use super::order::When;
use super::place::{Location, Resource, Root, Which};
use super::plain::is_many;
use super::readers::{callee, drop_written_outside, writes_outside};
use super::row::arguments;
use super::{Assumed, Summary};

/// Where more has to hold for what models say, nobody checks it all.
const MOST_GRANTED: usize = 8;

/// Methods of the platform that have listeners called which are registered anywhere (DOM, 2.9; Node.js,
/// `diagnostics_channel`, `worker_threads`, `async_hooks`).
const FIRING: [&str; 5] = ["abort", "dispatchEvent", "postMessage", "publish", "runInAsyncScope"];

impl<'p> Computation<'_, 'p> {
    /// A call, or what else calls functions.
    pub(crate) fn call_itself(&mut self, id: InstId, when: When) {
        let all = self.roots.all;
        let callees = all.callees(self.roots.at(id));
        if all.is_called_like_a_question(self.roots.at(id)) {
            self.summary.asks = Asking::Itself;
        }
        if self.applies_parameter(id, when) {
            return;
        }
        if self.pauses_before_retry(id) {
            // Nobody else sees the timer.
            self.read(Location::Resource(Resource::Clock, Which::Any), when);
            return self.throw(id);
        }
        if self.may_log(id, callees) {
            return self.logs(id, when);
        }
        let at = self.roots.at(id);
        if self.wakes(id, callees) {
            self.summary.left.insert(Location::Resource(Resource::File, Which::Any));
        }
        let is_implied = all.is_implied(at, callees);
        if all.is_exit(callees) {
            let ends = Some(at);
            self.throw(id);
            self.anything_but(id, Some(Assumed { ends, ..Assumed::default() }));
        } else if all.is_taken_to_read(at, callees) {
            self.reads_by_name(id, Assumed::default(), when);
        } else if self.is_plain_method(id, callees) {
            self.plain_method(id, when);
        } else if all.is_kept(at, callees) && callees.obstacle().is_some() {
            let kept = Some(self.roots.at(id));
            self.anything_but(id, Some(Assumed { kept, ..Assumed::default() }));
        } else if is_implied {
            self.taken_as_plain(id);
        } else if callees.obstacle().is_some() {
            self.unknown_call(id, callees);
        }
        let inst = self.ir.inst(id);
        let args: Vec<InstId> =
            arguments(inst).map(|args| self.ir.args(args).to_vec()).unwrap_or_default();
        let passed = self.passed(inst, &args, &callees.modelled);
        if self.calls_unknown(inst, &args, &callees.modelled) {
            self.anything(id);
        }
        for &function in &callees.functions {
            self.callee(id, function, &passed, when);
        }
        let later = callees.modelled.iter().any(|it| calls_later(it));
        let when_called_back = if later { When { before: false, after: true } } else { when };
        for &function in &callees.callbacks {
            if self.roots.is_generator(function) {
                // It is iterated, at once or while the operation is under way.
                let is_operation =
                    |it: &Modelled<'_>| it.call.is_some_and(|row| row.promise != PromiseKind::No);
                let goes_on = later || callees.modelled.iter().any(is_operation);
                let when = When { after: when.after || goes_on, ..when };
                self.called_back(id, function, &Binding::UNKNOWN, when, false);
                continue;
            }
            let is_handed = || {
                function.file == self.roots.function.file
                    && args.iter().any(|&it| self.ir.inst(it) == Inst::Closure(function.function))
            };
            if self.is_turning(function, || is_implied && !is_handed()) {
                self.taken_as_plain(id);
                continue;
            }
            let binding = self.bind_callback(inst, &args, &callees.modelled);
            let is_executor =
                callees.modelled.iter().any(|it| it.native == Some(Native::PromiseConstructor));
            self.called_back(id, function, &binding, when_called_back, later || is_executor);
        }
        self.waits_within(inst, &args, callees, when);
        let receiver = match inst {
            Inst::CallMethod { object, .. } => Some(object),
            _ => None,
        };
        let passing = callees.modelled.iter().find_map(|it| it.native.filter(|it| passes_on(*it)));
        if let Some(&list) = passing.and_then(list_passed).and_then(|it| args.get(it)) {
            self.take_elements(list, when);
        }
        for member in &callees.modelled {
            if member.native.is_some_and(passes_on) {
                continue;
            }
            // It is not called with the arguments, but on them, to convert them.
            let takes = |row: &Call| self.roots.is_covered(row, member.module, &args);
            if all.is_turning_method(member) && (is_implied || !member.call.is_some_and(takes)) {
                receiver.iter().chain(&args).for_each(|&it| self.read_as_text(it, when));
                continue;
            }
            match passing {
                None if member.is_implied => self.member(id, receiver, &[], member, when),
                None => self.member(id, receiver, &args, member, when),
                Some(Native::Call) => {
                    let rest = args.get(1..).unwrap_or_default();
                    self.member(id, args.first().copied(), rest, member, when);
                }
                Some(Native::Apply) => match args.get(1).map(|&list| self.ir.inst(list)) {
                    Some(Inst::Array(list)) => {
                        let list = self.ir.args(list).to_vec();
                        self.member(id, args.first().copied(), &list, member, when);
                    }
                    _ => self.anything(id),
                },
                Some(_) => self.anything(id),
            }
        }
    }

    /// Whether a call lets time pass where something has failed, so that it is tried again later.
    pub(super) fn pauses_before_retry(&self, call: InstId) -> bool {
        let name = self.ir.function(self.roots.function.function).name;
        // `waitForPort`: what follows relies on what that waits for.
        let waits = || name.is_some_and(|it| is_waiting_name(self.ir.name(it)));
        self.structure.handlers.contains(call) && !waits() && self.roots.is_pause(call)
    }

    /// Whether a call lets somebody go on who waits elsewhere, and whom nobody looks for: it settles a promise whose
    /// executor is over, or has listeners called. What those write goes on when the call has returned.
    fn wakes(&self, id: InstId, callees: &Callees<'_>) -> bool {
        let Some(callee) = callee(self.ir, id) else { return false };
        let settles = || self.roots.all.graph.may_settle(self.roots.at(callee));
        match self.ir.inst(callee) {
            Inst::LoadVar(var) => self.ir.variable(var).kind != VarKind::Param && settles(),
            Inst::Get { key, .. } => {
                let fires = |name| FIRING.contains(&self.ir.name(name));
                let is_named = matches!(key.get(), Key::Name(name) if fires(name));
                is_named && !callees.modelled.is_empty() || settles()
            }
            _ => false,
        }
    }

    /// Whether a native or modelled function is given a function to call that nobody knows.
    fn calls_unknown(&self, inst: Inst, args: &[InstId], modelled: &[Modelled<'p>]) -> bool {
        let is_unknown = |value: InstId| self.roots.all.graph.is_unknown(self.roots.at(value));
        modelled.iter().filter(|it| !it.is_implied).any(|member| match member.native {
            Some(Native::Call | Native::Apply) => match inst {
                Inst::CallMethod { object, .. } => is_unknown(object),
                _ => true,
            },
            Some(Native::ReflectApply | Native::ReflectConstruct) => {
                args.first().is_none_or(|&it| is_unknown(it))
            }
            Some(Native::Then | Native::Catch | Native::Finally | Native::PromiseConstructor) => {
                args.iter().any(|&it| is_unknown(it))
            }
            Some(_) => false,
            None => member.call.is_some_and(|row| {
                let may_call = |position: usize| {
                    let kind = row.arguments.get(position).copied().or(row.rest);
                    let is_function = matches!(
                        kind,
                        Some(
                            headstart_models::Argument::Function
                                | headstart_models::Argument::OptionsOrFunction
                        )
                    );
                    let is_listed = row.callbacks.iter().any(|it| it.argument == position);
                    is_listed || (is_function && row.calls_back != CallsBack::No)
                };
                args.iter().enumerate().any(|(at, &it)| may_call(at) && is_unknown(it))
            }),
        })
    }

    /// The effects of a function of the program that is called.
    fn callee(&mut self, id: InstId, function: FunctionRef, binding: &Binding, when: When) {
        match self.roots.told_apart(id, function) {
            Some(told) => {
                if told.supposes {
                    let kept = Some(self.roots.at(id));
                    self.anything_but(id, Some(Assumed { kept, ..Assumed::default() }));
                }
                self.by_summary(id, (function, told.bare), binding, when, false);
                self.handed_over(id, function, told, when);
            }
            None => self.called_back(id, function, binding, when, false),
        }
    }

    /// The effects of a function that something else calls.
    pub(super) fn called_back(
        &mut self,
        id: InstId,
        function: FunctionRef,
        binding: &Binding,
        when: When,
        is_later: bool,
    ) {
        let gives_it = || gives_what_callbacks_give(self.roots.all.callees(self.roots.at(id)));
        let is_waited = self.roots.is_bare && gives_it() && self.is_waited_at_once(id);
        self.called_back_waited(id, function, binding, when, (is_later, is_waited));
    }

    /// The same, where `is_waited` says whether what the function gives is waited for at once.
    pub(super) fn called_back_waited(
        &mut self,
        id: InstId,
        function: FunctionRef,
        binding: &Binding,
        when: When,
        (is_later, is_waited): (bool, bool),
    ) {
        match self.roots.called_by_others(function, is_waited) {
            Some((bare, passed_on)) => {
                self.by_summary(id, (function, bare), binding, when, is_later);
                self.pass_on_all(passed_on, when);
            }
            None => {
                let whole = self.roots.all.called(function);
                self.by_summary(id, (function, whole), binding, when, is_later);
            }
        }
    }

    /// The effects of a function by one of its summaries.
    fn by_summary(
        &mut self,
        id: InstId,
        (function, summary): (FunctionRef, &Summary),
        binding: &Binding,
        when: When,
        is_later: bool,
    ) {
        let all = self.roots.all;
        let at = self.roots.at(id);
        self.has_applied |= all.bare.contains_key(&function);
        self.summary.asks = self.summary.asks.min(summary.asks.seen_by_caller(at));
        self.summary.reports |= summary.reports && !self.structure.handlers.contains(id);
        if all.is_waited(at) {
            self.summary.passes_on |=
                summary.changes_files || (summary.does_more && !all.is_waited_read(at));
        }
        self.summary.puts |= summary.is_anything() && all.is_called_like_a_write(at);
        if all.is_read_of(at, function) {
            let after = self.known_memory(id, summary, function, binding);
            let (reports, asks) = (summary.reports, summary.asks.far());
            return self.reads_by_name(
                id,
                Assumed { reports, asks, after, ..Assumed::default() },
                when,
            );
        }
        self.summary.throws_shared |= summary.throws_shared;
        self.summary.touched.take_in(&summary.touched, when);
        if summary.is_anything() {
            // Whatever else it does is part of that.
            self.unknown_callee(id, summary, function, binding, when);
        } else {
            self.effects_of(summary, function, binding, when);
        }
        if summary.throws && !is_later {
            self.throw(id);
        }
    }

    fn effects_of(
        &mut self,
        summary: &Summary,
        function: FunctionRef,
        binding: &Binding,
        when: When,
    ) {
        self.summary.locks |= summary.locks;
        self.summary.gives |= summary.gives;
        self.abandon_through(summary);
        self.grant(&summary.granted);
        self.consume_through(summary, binding);
        let mut own = std::mem::take(&mut self.summary.before);
        let mut later = std::mem::take(&mut self.summary.after);
        let call = (function, binding);
        self.translate_at(&summary.before, call, when, (&mut own, &mut later));
        self.translate(&summary.after, call, &mut later);
        (self.summary.before, self.summary.after) = (own, later);
        self.leave_through(summary, function, binding);
    }

    /// Takes over what has to hold for calls to do what is said of them. Of very many some are named.
    pub(crate) fn grant(&mut self, calls: &BTreeSet<InstRef>) {
        for &call in calls {
            if self.summary.granted.len() < MOST_GRANTED {
                self.summary.granted.insert(call);
            }
        }
    }

    /// The parameters that a callee reads from, as parameters of this function.
    fn consume_through(&mut self, callee: &Summary, binding: &Binding) {
        let values = callee.consumes.iter().filter_map(|&it| binding.value(it));
        let named = values.filter_map(|it| self.roots.parameter_behind(it));
        self.summary.consumes.extend(named.filter_map(position));
    }

    /// The effects of a member of a module or type.
    fn member(
        &mut self,
        id: InstId,
        receiver: Option<InstId>,
        args: &[InstId],
        member: &Modelled<'p>,
        when: When,
    ) {
        if self.roots.all.is_replaced(member) {
            self.grant(&BTreeSet::from([self.roots.at(id)]));
        }
        if let Some(native) = member.native
            && (member.call.is_none() || !matches!(native, Native::On | Native::Off | Native::Emit))
        {
            self.native(receiver, args, native, when);
            if member.call.is_none() {
                return;
            }
        }
        let Some(row) = member.call else { return };
        let (case, _) = self.roots.case(row, member.module, args);
        if row.assumes.is_some()
            || case.is_some_and(|it| it.assumes.is_some())
            || self.roots.has_untold_options(row, member.module, args)
        {
            self.grant(&BTreeSet::from([self.roots.at(id)]));
        }
        self.summary.locks |= self.roots.locks(row, args);
        self.summary.gives |= row.gives.is_some();
        let named = row.consumed(args).filter_map(|it| self.roots.parameter_behind(it));
        self.summary.consumes.extend(named.filter_map(position));
        if member.native.is_none() && !self.roots.is_covered(row, member.module, args) {
            self.write_all_below(row, args, when);
            return self.anything(id);
        }
        if !self.only_keeps(row, member) {
            self.looked_into(row, args, when);
        }
        // What texts are asked, natives ask whatever they are called on: `trim.call(list)`.
        let of_texts = self.roots.all.graph.is_method_of(member, "String");
        if let Some(object) = receiver.filter(|_| of_texts) {
            self.read_as_text(object, when);
        }
        for (position, &arg) in args.iter().enumerate() {
            let kind = row.arguments.get(position).copied().or(row.rest);
            // `Buffer.from(list)`, `text.localeCompare(other, list)`
            let is_made_of = of_texts
                || matches!(
                    kind,
                    Some(Argument::Primitive | Argument::String | Argument::OptionalString)
                );
            // Who writes something is taken to look at it; a pattern is asked where it goes on.
            let is_written = member.module == "globals" && row.mutates.contains(&position);
            if is_made_of && !is_written {
                // `new Headers(object)`: elsewhere a plain object has no text of its own.
                let is_new = matches!(self.ir.inst(id), Inst::New { .. });
                self.read_converted(arg, |made| is_new || made != Inst::Object, when);
                if is_new && kind == Some(Argument::Primitive) {
                    self.read_deep(arg, when);
                }
            }
        }
        let mut resources =
            self.roots.resources(row, member.module, args, &self.roots.objects_on(id));
        if self.roots.all.is_seen_to_read(self.roots.at(id))
            && !self.roots.locks(row, args)
            && drop_written_outside(&mut resources)
        {
            self.reads_by_name(id, Assumed::default(), when);
        }
        self.summary.does_more |= writes_outside(&resources);
        self.summary.changes_files |= resources.writes.iter().any(|it| {
            matches!(
                it,
                Location::Resource(Resource::File, Which::Any | Which::Named(_) | Which::Held(_))
            )
        });
        let input = Location::Resource(Resource::Input, Which::Any);
        if resources.reads.contains(&input) || resources.writes.contains(&input) {
            self.summary.asks = Asking::Itself;
        }
        self.summary.reports |=
            resources.writes.iter().any(Location::is_log) && !self.structure.handlers.contains(id);
        if row.goes_on {
            self.summary.left.extend(resources.writes.iter().cloned());
        }
        self.add(resources, when);
        self.receiver(receiver, row, member, when);
        if row.promise != PromiseKind::No && self.roots.all.graph.is_on_keeper(member) {
            let called =
                callee(self.ir, id).filter(|_| self.roots.all.graph.is_call_of_object(member));
            if let Some(object) = receiver.or(called) {
                self.read_kept(object, member, when);
            }
        }
        for &position in &row.mutates {
            let Some(&arg) = args.get(position) else { continue };
            if self.roots.matches_anew(member, arg) {
                self.grant(&BTreeSet::from([self.roots.at(id)]));
            } else if !self.is_steady_pattern(arg) && !self.roots.is_restarted(arg) {
                self.write_below(arg, PathKey::ANY, when);
            }
        }
        self.write_all_below(row, args, when);
        // What it puts there, or gives, it has looked for at whatever depth.
        if !row.mutates_below.is_empty() || row.returns.contains(&Flow::Below) {
            args.iter().for_each(|&it| self.read_deep(it, when));
        }
        for flow in row.callbacks.iter().flat_map(|it| &it.with).chain(&row.returns) {
            if let Flow::Elements(position) = flow
                && let Some(&arg) = args.get(*position)
            {
                self.take_elements(arg, when);
            }
        }
        if self.roots.row_throws(row, args) {
            self.throw(id);
        }
        self.enumerate(args, row, member, when);
    }

    /// What lies below some arguments is written.
    fn write_all_below(&mut self, row: &Call, args: &[InstId], when: When) {
        for &arg in row.mutates_below.iter().filter_map(|&it| args.get(it)) {
            self.write_deep(arg, when);
        }
    }

    /// What a call does to the object that it is on.
    fn receiver(
        &mut self,
        receiver: Option<InstId>,
        row: &Call,
        member: &Modelled<'p>,
        when: When,
    ) {
        let Some(object) = receiver else { return };
        let matches = || self.roots.all.graph.name(member) != "RegExp.compile";
        match row.receiver {
            Receiver::None => {}
            Receiver::Writes if self.is_steady_pattern(object) && matches() => {}
            Receiver::Reads => {
                self.read_below(object, PathKey::ANY, when);
                if self.roots.all.graph.name(member) == "Array.flat" {
                    self.read_deep(object, when);
                }
                // `url.toString()`
                if self.roots.all.graph.has_parts(self.roots.at(object)) {
                    self.read_parts(object, when);
                }
            }
            Receiver::ReadsBelow => {
                self.read_below(object, PathKey::ANY, when);
                self.read_deep(object, when);
                self.read_kept(object, member, when);
            }
            Receiver::Writes => {
                self.write_below(object, PathKey::ANY, when);
            }
        }
    }

    /// Whether a value is a regular expression that matching does not change.
    fn is_steady_pattern(&self, value: InstId) -> bool {
        self.roots.is_each_pattern(value, |graph, it| graph.is_steady_pattern(it))
    }

    /// What native functions without a row do.
    fn native(&mut self, receiver: Option<InstId>, args: &[InstId], native: Native, when: When) {
        match native {
            Native::Assign => {
                if let Some(&target) = args.first() {
                    self.write_below(target, PathKey::ANY, when);
                }
                for &source in args.iter().skip(1) {
                    self.read_below(source, PathKey::ANY, when);
                }
            }
            Native::DefineProperties | Native::Create => {
                if let (Native::DefineProperties, Some(&target)) = (native, args.first()) {
                    self.write_below(target, PathKey::ANY, when);
                }
                if let Some(&described) = args.get(1) {
                    self.read_deep(described, when);
                }
            }
            Native::SetPrototypeOf
            | Native::DefineProperty
            | Native::Inherits
            | Native::ReflectSet
            | Native::ReflectDelete => {
                // The value goes to the receiver, where one is given.
                let receiver = args.get(3).filter(|_| native == Native::ReflectSet);
                for &target in args.first().into_iter().chain(receiver) {
                    self.write_below(target, PathKey::ANY, when);
                }
            }
            // What it is made of are pairs.
            Native::MapConstructor => {
                if let Some(&list) = args.first() {
                    self.take_elements(list, when);
                    self.read_deep(list, when);
                }
            }
            Native::SetConstructor | Native::All | Native::AllSettled | Native::Race => {
                if let Some(&list) = args.first() {
                    self.take_elements(list, when);
                }
            }
            Native::StoreElements(_)
            | Native::MapSet
            | Native::On
            | Native::Off
            | Native::Next
            | Native::DefineAccessor { .. } => {
                if let Some(object) = receiver {
                    self.write_below(object, PathKey::ANY, when);
                }
            }
            Native::ObjectEntries => {
                if let Some(&object) = args.first() {
                    self.take_elements(object, when);
                }
            }
            // What lists hold that stand in them is joined, too.
            Native::Concat | Native::Entries | Native::Emit | Native::Join => {
                if let Some(object) = receiver {
                    self.read_below(object, PathKey::ANY, when);
                    if native == Native::Join {
                        self.read_deep(object, when);
                        for &separator in args {
                            self.read_as_text(separator, when);
                        }
                    }
                }
            }
            // What these call and give back is in the call graph.
            Native::Bind
            | Native::Call
            | Native::Apply
            | Native::ReflectApply
            | Native::ReflectConstruct
            | Native::ReflectGet
            | Native::OwnDescriptor
            | Native::OwnDescriptors
            | Native::GetPrototypeOf
            | Native::Then
            | Native::Catch
            | Native::Finally
            | Native::Resolve
            | Native::PromiseConstructor
            | Native::WithResolvers
            | Native::Promisify
            | Native::Cache
            | Native::Keep(_) => {}
        }
    }

    /// The effects of the methods that convert or iterate an object.
    pub(crate) fn conversion(&mut self, id: InstId, when: When) {
        self.run_implied(id, &Binding::UNKNOWN, when);
    }

    /// The effects of the getter or setter behind an access, and of what converts its key.
    pub(crate) fn accessor(&mut self, id: InstId, object: InstId, key: PropKey, when: When) {
        let value = match self.ir.inst(id) {
            Inst::Set { value, .. } => vec![self.argument(value)],
            _ => Vec::new(),
        };
        // Methods that convert the key are not called on the object.
        let binding = match key.get() {
            Key::Computed(_) => Binding::UNKNOWN,
            _ => {
                Binding { arguments: Some(value), this: Some(self.argument(object)), listed: None }
            }
        };
        self.run_implied(id, &binding, when);
    }

    /// The effects of functions that an instruction calls without being a call.
    fn run_implied(&mut self, id: InstId, binding: &Binding, when: When) {
        let callees = self.roots.all.callees(self.roots.at(id));
        if callees.obstacle().is_some() {
            self.taken_as_plain(id);
        }
        let of_maker = self.binding_of_maker(id);
        let is_of_many = callees.unknown.iter().any(is_many);
        for &function in &callees.callbacks {
            if self.is_turning(function, || is_of_many) {
                self.taken_as_plain(id);
                continue;
            }
            let of_maker = of_maker.as_ref().filter(|_| self.roots.is_generator(function));
            self.callee(id, function, of_maker.unwrap_or(binding), when);
        }
    }

    /// What a generator was made with that is iterated where it is made: `for (const x of steps(n))`.
    fn binding_of_maker(&self, id: InstId) -> Option<Binding> {
        let (Inst::Iterate(made)
        | Inst::IterateAsync(made)
        | Inst::Spread(made)
        | Inst::YieldAll(made)) = self.ir.inst(id)
        else {
            return None;
        };
        let inst = self.ir.inst(made);
        let args = self.ir.args(arguments(inst)?).to_vec();
        let callees = self.roots.all.callees(self.roots.at(made));
        let is_own = callees.obstacle().is_none()
            && callees.modelled.is_empty()
            && callees.functions.iter().all(|&it| self.roots.is_generator(it));
        is_own.then(|| self.passed(inst, &args, &callees.modelled))
    }
}

/// Whether a call gives what the function gives that it calls: `context.with(active, f)`.
fn gives_what_callbacks_give(callees: &Callees<'_>) -> bool {
    let gives = |it: &Modelled<'_>| it.native.is_none() && it.call.is_some_and(gives_callback);
    // What nobody knows of it is said of the call.
    callees.functions.is_empty()
        && !callees.modelled.is_empty()
        && callees.modelled.iter().all(gives)
}

/// Which parameter of the function a root is.
fn position(root: Root) -> Option<u32> {
    match root {
        Root::Parameter(position) => Some(position),
        _ => None,
    }
}

/// The position of the list whose elements a native passes on.
fn list_passed(native: Native) -> Option<usize> {
    match native {
        Native::Apply | Native::ReflectConstruct => Some(1),
        Native::ReflectApply => Some(2),
        _ => None,
    }
}

/// Whether a native function calls what it is on, or is given, as its caller would.
fn passes_on(native: Native) -> bool {
    matches!(native, Native::Call | Native::Apply | Native::ReflectApply | Native::ReflectConstruct)
}

pub(crate) fn calls_later(member: &Modelled<'_>) -> bool {
    match member.native {
        Some(Native::Then | Native::Catch | Native::Finally) => true,
        Some(_) => false,
        None => member.call.is_some_and(|row| row.calls_back == CallsBack::Later),
    }
}
