//! Calls of a stretch whose callees the call graph knows: what they do, and what they start.

use std::collections::BTreeSet;

use headstart_callgraph::{Callees, Cause, FunctionRef, InstRef, Modelled, PathKey};
use headstart_ir::{
    FileIr, FunctionId, Inst, InstId, Key, PropKey, RequestId, Resolution, Span, VarId,
};
use headstart_models::{PromiseKind, Throws};

use crate::answers::Does;
use crate::api::{FileAnalysis, GLOBALS};
use crate::grouping::{Kind, Topic, alone_at};
use crate::known::Known;
use crate::location::{Assumption, Blocker, Elsewhere};
use crate::reasons::{Code, Reason};
use crate::stretch::Stretch;
use crate::summary::{
    Assumed, Filling, Location, Place, Resource, Root, Stability, Summaries, Waiting, Which,
};

/// How far the cause of not knowing is followed through calls.
const LONGEST_CHAIN: usize = 12;

/// The modules whose functions have a form of their own for `util.promisify` that may throw.
const THROWING_FORMS: [&str; 2] = ["child_process", "http2"];

impl FileAnalysis<'_> {
    /// A call as part of a stretch.
    pub(crate) fn call_within(
        &self,
        call: InstId,
        callee: InstId,
        (first, known): (InstId, &Known),
        stretch: &mut Stretch,
    ) -> Result<(), Blocker> {
        let computing = self.computing_call(call, callee, known, stretch);
        match computing {
            Ok(()) => self.look(call, first, stretch),
            Err(_) => self.known_call(call, callee, known, stretch),
        }
    }

    /// That what is called may be what a decorator puts in its place, where nobody knows that decorator.
    #[must_use]
    pub fn decorated(&self, call: InstId) -> Option<String> {
        let callees = self.summaries.callees(self.at(call));
        let cause = callees.unknown.iter().find(|it| matches!(it, Cause::Decorated(_)))?;
        Some(cause.to_string())
    }

    fn known_call(
        &self,
        call: InstId,
        callee: InstId,
        known: &Known,
        stretch: &mut Stretch,
    ) -> Result<(), Blocker> {
        let summaries = self.summaries;
        let at = self.at(call);
        let function = summaries.graph.function_at(at);
        let callees = summaries.callees(at);
        if summaries.is_exit(callees) {
            return Err(Blocker::new(Code::EndsTheProgram, self.ir.span(callee)));
        }
        let next = InstId::new(call.index() + 1);
        let steps = summaries.steps(function, call, next);
        let is_assumable = steps.iter().all(|it| !it.is_anything || it.assumed.is_some());
        if let (Some(cause), false) = (callees.obstacle(), is_assumable) {
            let reason = Code::NobodyKnowsWhatItDoes.with(&[cause]);
            return Err(Blocker::new(reason, self.ir.span(callee)));
        }
        let mut cannot_throw = false;
        if callees.functions.is_empty() && !callees.modelled.is_empty() {
            // What else may be called is taken for what its name says: the rows are only a part of that.
            match self.modelled_call(call, callee, known, callees, stretch) {
                Err(blocker) if callees.obstacle().is_none() => return Err(blocker),
                done => cannot_throw = done.unwrap_or(false) && !summaries.trips(at),
            }
        }
        if callees.functions.iter().any(|&it| summaries.may_stumble(it)) {
            stretch
                .assumptions
                .push(Assumption::usual(Code::ThrowsNothingFirst, self.ir.span(call)));
        }
        let there: Vec<Location> =
            stretch.effects.writes.iter().filter(|it| is_of_unknown(it)).cloned().collect();
        for step in steps {
            stretch.gives |= step.gives;
            stretch.abandons |= step.abandons;
            stretch.lingers |= step.lingers;
            stretch.locks |= step.locks;
            stretch.assumptions.extend(self.granted(&step.granted, self.ir.span(call)));
            if let Some(assumed) = &step.assumed {
                stretch.ends |= assumed.ends.is_some();
                stretch.reports |= assumed.reports;
                stretch.assumptions.extend(self.harmless(assumed, self.ir.span(call)));
                stretch.effects.take_in(&assumed.before);
                stretch.effects.take_in(&assumed.after);
                if step.throws && !cannot_throw && summaries.throws_at_once(at) {
                    stretch.throws.get_or_insert(self.ir.span(call));
                }
            } else if step.is_anything {
                let mut blocker = Blocker::new(Code::MayDoAnything, self.ir.span(callee));
                blocker.elsewhere = cause_of(summaries, callees);
                return Err(blocker);
            } else if step.throws && !cannot_throw {
                let span = self.ir.span(call);
                // A `throw` of the program is there to happen.
                if summaries.throws_on_purpose(at) {
                    stretch.throws.get_or_insert(span);
                } else {
                    stretch.assumptions.push(Assumption::new(Code::DoesNotThrow, span));
                }
            }
            stretch.effects.take_in(&step.now);
            stretch.effects.take_in(&step.later);
        }
        self.leave_out_fills(stretch, self.ir.span(call));
        self.leave_out_fetched(call, &there, stretch);
        if summaries.graph.may_be_promise(at)
            || summaries.is_taken_to_read(at, callees)
            || callees.functions.iter().any(|&it| summaries.gives_read(it))
        {
            let (waiting, _) = summaries.waiting(function, call);
            stretch.started.push((call, waiting));
        }
        Ok(())
    }

    /// What a call changes of objects that it gets itself from code that nobody knows is taken to be nobody else's.
    /// `there` is what the stretch writes of such without it.
    fn leave_out_fetched(&self, call: InstId, there: &[Location], stretch: &mut Stretch) {
        let summaries = self.summaries;
        let is_new = |it: &Location| is_of_unknown(it) && !there.contains(it);
        if !stretch.effects.writes.iter().any(is_new) || !summaries.changes_fetched(self.at(call)) {
            return;
        }
        for written in stretch.effects.writes.iter().filter(|it| is_new(it)) {
            stretch.assumptions.extend(self.alone(written, self.ir.span(call)));
        }
        stretch.effects.writes.retain(|it| !is_new(it));
    }

    /// That what is called at `span` alone holds the object that it changes at a location.
    #[must_use]
    pub fn alone(&self, written: &Location, span: Span) -> Option<Assumption> {
        let Location::Memory(place) = written else { return None };
        Some(alone_at(&keys_text(self.summaries, &place.keys), span))
    }

    /// Whether nothing has started of what a value is before somebody waits for it, or may not have.
    #[must_use]
    pub fn is_lazy(&self, value: InstId) -> bool {
        self.summaries.is_lazy(self.at(value))
    }

    /// An operation that starts when it is waited for, or goes on then: what that does is part of the
    /// stretch, too.
    pub fn wait_within(&self, operation: InstId, suspension: InstId, stretch: &mut Stretch) {
        let summaries = self.summaries;
        if summaries.graph.awaited(self.at(operation)).is_empty() {
            return;
        }
        let function = summaries.graph.function_at(self.at(suspension));
        let next = InstId::new(suspension.index() + 1);
        for step in summaries.steps(function, suspension, next) {
            let span = self.ir.span(operation);
            stretch.assumptions.extend(self.granted(&step.granted, span));
            stretch.effects.take_in(&step.now);
            stretch.effects.take_in(&step.later);
        }
        self.leave_out_fills(stretch, self.ir.span(operation));
        let (waiting, _) = summaries.waiting(function, operation);
        stretch.started.push((operation, waiting));
    }

    /// A call of members that models describe; whether their rows say that it does not throw.
    fn modelled_call(
        &self,
        call: InstId,
        callee: InstId,
        known: &Known,
        callees: &Callees<'_>,
        stretch: &mut Stretch,
    ) -> Result<bool, Blocker> {
        let is_native = callees.modelled.iter().any(|it| it.native.is_some());
        if is_native || callees.modelled.len() > 1 {
            return Ok(false);
        }
        let operation = self.operation(call, known)?;
        stretch.assumptions.extend(operation.assumptions.iter().cloned());
        // What is thrown for malformed arguments is thrown for constants always, or never.
        let starts = operation.model.promise != PromiseKind::No
            || !self.summaries.graph.awaited(self.at(call)).is_empty();
        let is_constant =
            starts && operation.model.throws == Throws::May && self.has_constant_arguments(call);
        let is_promisified = self.summaries.graph.is_promisified(self.at(callee));
        // What `util.promisify` makes rejects with what its function throws, unless a module brings a form
        // of its own: that of a command throws where the system does not take it.
        let has_own_form = |it: &Modelled<'_>| {
            it.row.is_some_and(|(module, _)| THROWING_FORMS.contains(&module.module.as_str()))
        };
        let may_throw = callees.modelled.iter().any(has_own_form);
        if is_promisified && may_throw && !self.has_constant_arguments(call) {
            stretch
                .assumptions
                .push(Assumption::usual(Code::ThrowsNothingFirst, self.ir.span(call)));
        }
        Ok(operation.model.throws == Throws::Never || is_constant || is_promisified)
    }

    /// Whether all arguments of a call are literals, or made of literals.
    fn has_constant_arguments(&self, call: InstId) -> bool {
        let ir = self.ir;
        let (Inst::Call { args, .. } | Inst::CallMethod { args, .. }) = ir.inst(call) else {
            return false;
        };
        let end = call;
        ir.args(args).iter().all(|&arg| match ir.inst(arg) {
            Inst::Literal(_) => true,
            Inst::Array(elements) => {
                ir.args(elements).iter().all(|&it| matches!(ir.inst(it), Inst::Literal(_)))
            }
            Inst::Object => FileIr::range(arg, end).all(|id| match ir.inst(id) {
                // A folder that is none makes a command throw.
                Inst::Set { object, key, value } if object == arg => {
                    let name = match key.get() {
                        Key::Name(name) => Some(ir.name(name)),
                        Key::Private(_) | Key::Computed(_) => None,
                    };
                    match name {
                        Some("cwd") => false,
                        Some("env") => self.is_known_environment(value, end),
                        _ => matches!(ir.inst(value), Inst::Literal(_)),
                    }
                }
                Inst::CopyProps { object, .. } | Inst::Accessor { object, .. } => object != arg,
                _ => true,
            }),
            _ => false,
        })
    }

    /// Whether a value is the environment of the program, or an object of literals.
    fn is_known_environment(&self, value: InstId, end: InstId) -> bool {
        let ir = self.ir;
        let is_own = |it: &Summaries<'_>| it.graph.environment(self.at(value)) == (true, true);
        let is_literal = || {
            FileIr::range(value, end).all(|id| match ir.inst(id) {
                Inst::Set { object, value: set, .. } if object == value => {
                    matches!(ir.inst(set), Inst::Literal(_))
                }
                Inst::CopyProps { object, .. } | Inst::Accessor { object, .. } => object != value,
                _ => true,
            })
        };
        is_own(self.summaries) || (ir.inst(value) == Inst::Object && is_literal())
    }

    /// `import("x")`: loading a module runs it.
    pub(crate) fn import_within(&self, at: InstId, request: RequestId, stretch: &mut Stretch) {
        let span = self.ir.span(at);
        let is_quiet = match self.ir.request(request).resolution {
            Resolution::Builtin => true,
            Resolution::File(file) => self.summaries.loads_quietly(file.0),
            _ => false,
        };
        if !is_quiet {
            stretch.assumptions.push(Assumption::new(Code::LoadingIsQuiet, span));
        }
        if self.summaries.loads(self.at(at)) {
            stretch.effects.reads.insert(Location::Resource(Resource::File, Which::Any));
        }
        stretch.started.push((at, Waiting::Settles));
    }

    /// That evaluating what an `import()` loads does nothing that others notice; `span` is where that
    /// is relied on.
    #[must_use]
    pub fn quiet_loading(&self, import: InstRef, span: Span) -> Assumption {
        let summaries = self.summaries;
        let of_import = summaries.graph.files()[import.file as usize].span(import.inst);
        let is_here = import.file as usize == self.file && span.contains(of_import);
        if is_here {
            return Assumption::new(Code::LoadingIsQuiet, of_import);
        }
        let place = Elsewhere { file: import.file as usize, span: of_import };
        Assumption { elsewhere: vec![place], ..Assumption::new(Code::ImportIsQuiet, span) }
    }

    /// The read of a property that runs a getter of the program: what that does is known, and it
    /// changes nothing.
    pub(crate) fn getter(
        &self,
        get: InstId,
        object: InstId,
        known: &Known,
        stretch: &mut Stretch,
    ) -> Result<(), Blocker> {
        let span = self.ir.span(get);
        let summaries = self.summaries;
        let function = summaries.graph.function_at(self.at(get));
        let next = InstId::new(get.index() + 1);
        for step in summaries.steps(function, get, next) {
            if step.is_anything || step.throws || !step.now.writes.is_empty() {
                return Err(Blocker::new(Code::RunsAGetter, span));
            }
            stretch.effects.reads.extend(step.now.reads.iter().cloned());
        }
        if !self.is_there(object, known) {
            stretch
                .assumptions
                .push(Assumption::new(Code::GetterHolderIsThere, self.ir.span(object)));
        }
        Ok(())
    }

    /// Whether a property is read to be called: then the callees say what it may be.
    pub(crate) fn is_called(&self, get: InstId) -> bool {
        self.summaries.is_method_read(self.at(get))
    }

    /// Whether the property that an instruction reads may change while others run.
    pub(crate) fn property_stability(&self, get: InstId) -> Stability {
        let summaries = self.summaries;
        if let Inst::Get { object, key } = self.ir.inst(get) {
            let file = self.at(get).file;
            let key = summaries.graph.key(file, key);
            if summaries.graph.is_constant_member(self.at(object), key)
                && !summaries.is_assigned_member(key)
            {
                return Stability::Fixed;
            }
        }
        let function = summaries.graph.function_at(self.at(get));
        let next = InstId::new(get.index() + 1);
        let mut worst = Stability::Fixed;
        let mut is_any = false;
        for step in summaries.steps(function, get, next) {
            for location in &step.now.reads {
                is_any = true;
                let found = match location {
                    Location::Memory(place) => summaries.stability(function, place),
                    Location::Resource(..) => Stability::Unknown,
                };
                worst = match (worst, found) {
                    (Stability::Unknown, _) | (_, Stability::Unknown) => Stability::Unknown,
                    (Stability::Written(it), _) | (_, Stability::Written(it)) => {
                        Stability::Written(it)
                    }
                    _ => Stability::Fixed,
                };
            }
        }
        let is_fixed = is_any || self.is_private(get);
        if is_fixed { worst } else { Stability::Unknown }
    }

    /// Whether a value is held by a variable of its function that nobody else sees, and was made for
    /// it: its methods are called, its properties read, and that is all.
    #[must_use]
    pub fn is_own_receiver(&self, value: InstId) -> bool {
        let Some((var, function)) = self.fresh_variable(value) else { return false };
        let data = self.ir.function(function);
        FileIr::range(data.first, data.end).all(|id| match self.ir.inst(id) {
            Inst::Get { .. } => true,
            Inst::CallMethod { args, .. } => {
                !self.ir.args(args).iter().any(|&it| self.ir.inst(it) == Inst::LoadVar(var))
            }
            _ => !self.uses(id, var),
        })
    }

    /// Whether a property is read of a fresh result that a local variable holds and nobody else has
    /// by then: all that was done with it is reading properties.
    fn is_private(&self, get: InstId) -> bool {
        let Inst::Get { object, .. } = self.ir.inst(get) else { return false };
        let Some((var, function)) = self.fresh_variable(object) else { return false };
        FileIr::range(self.ir.function(function).first, get).all(|id| match self.ir.inst(id) {
            Inst::Get { .. } => !self.is_called(id),
            _ => !self.uses(id, var),
        })
    }

    /// The variable that a value is read from, and its function, where no other function sees it and it
    /// always holds one fresh result.
    fn fresh_variable(&self, value: InstId) -> Option<(VarId, FunctionId)> {
        let summaries = self.summaries;
        let Inst::LoadVar(var) = self.ir.inst(value) else { return None };
        let function = summaries.graph.function_at(self.at(value));
        let variable = self.ir.variable(var);
        let is_own = variable.owner == function.function && !variable.is_captured;
        let init = variable.init.filter(|_| is_own && variable.is_stable())?;
        let Inst::StoreVar { value: made, .. } = self.ir.inst(init) else { return None };
        let made = match self.ir.inst(made) {
            Inst::Await(promise) => promise,
            _ => made,
        };
        summaries.is_fresh_result(function, made).then_some((var, function.function))
    }

    /// Whether a value of a variable is an operand of an instruction.
    fn uses(&self, id: InstId, var: VarId) -> bool {
        let mut is_used = false;
        self.ir.inst(id).for_each_operand(self.ir, &mut |it| {
            is_used |= self.ir.inst(it) == Inst::LoadVar(var);
        });
        is_used
    }

    /// That code which nobody knows only computes, each call of it; `span` is where it is relied on.
    #[must_use]
    pub fn harmless(&self, assumed: &Assumed, span: Span) -> Vec<Assumption> {
        let summaries = self.summaries;
        let said = |InstRef { file, inst }: InstRef, kind: Kind, code: Code| {
            let ir = summaries.graph.files()[file as usize];
            let name = callee_text(ir, inst);
            let is_here = file as usize == self.file && span.contains(ir.span(inst));
            let topic = Topic::new(kind, format!("`{name}`"));
            let mut assumption = Assumption::new(code.with(&[&name]), span).on(topic);
            if !is_here {
                assumption.elsewhere = vec![Elsewhere { file: file as usize, span: ir.span(inst) }];
            }
            assumption
        };
        let is_fill = |it: &&InstRef| summaries.is_fill(**it);
        let is_seen = |it: &&InstRef| summaries.is_seen_to_read(**it);
        let of_others = |all: &BTreeSet<InstRef>, kind: &Kind, code: Code| -> Vec<Assumption> {
            let others = all.iter().filter(|it| !is_fill(it) && !is_seen(it));
            others.map(|&it| said(it, kind.clone(), code)).collect()
        };
        let each = of_others(&assumed.calls, &Kind::Computes, Code::UnknownOnlyComputes);
        let (selects, reads): (BTreeSet<InstRef>, BTreeSet<InstRef>) =
            assumed.reads.iter().partition(|it| summaries.is_written_query(**it));
        let reads = of_others(&reads, &Kind::Reads, Code::OnlyReadsByName)
            .into_iter()
            .chain(of_others(&selects, &Kind::Selects, Code::OnlyReadsByQuery));
        let fills = assumed.calls.iter().chain(&assumed.reads).copied();
        let fills = fills.filter(|it| is_fill(&it)).filter_map(|it| self.filled(it, span));
        let seen = assumed.reads.iter().filter(is_seen).filter_map(|&it| self.seen(it, span));
        let answered = assumed.answered.iter().filter_map(|&it| self.answered(it, span));
        let logs = assumed.logs.map(|it| self.said_once(Code::LoggersOnlyLog, it, span));
        let left = |it, code: Code| {
            self.said_once(code, it, span).on(Topic::new(Kind::Left(code.into()), ""))
        };
        let plain = assumed.plain.map(|it| left(it, Code::UsedAsWhatItIs));
        let elements = assumed.elements.map(|it| left(it, Code::ElementsRunNothing));
        // Of objects that code which nobody knows has had in its hands, or that may be very many things.
        let kept = assumed.kept.map(|it| left(it, Code::MethodsAreKept));
        // Functions that end the program do so where something is wrong.
        let ends = assumed.ends.map(|it| self.said_once(Code::NothingEndsTheProgram, it, span));
        let asks = assumed.asks.map(|it| self.said_once(Code::NobodyIsAsked, it, span));
        let values = plain.into_iter().chain(elements).chain(kept).chain(ends).chain(asks);
        each.into_iter()
            .chain(reads)
            .chain(seen)
            .chain(answered)
            .chain(fills)
            .chain(logs)
            .chain(values)
            .collect()
    }

    /// That a call only reads, as runs have shown; `span` is where it is relied on.
    fn seen(&self, call: InstRef, span: Span) -> Option<Assumption> {
        let sight = self.summaries.sight(call)?;
        let ir = self.summaries.graph.files()[call.file as usize];
        let calls = match sight.calls {
            1 => "1 call".to_owned(),
            many => format!("{many} calls"),
        };
        let name = callee_text(ir, call.inst);
        let mut said =
            Assumption::new(Code::SeenToRead.with(&[&name, &calls, &sight.touched]), span);
        said.elsewhere = vec![Elsewhere { file: call.file as usize, span: ir.span(call.inst) }];
        Some(said)
    }

    /// That a function does what a person says of it.
    fn answered(&self, function: FunctionRef, span: Span) -> Option<Assumption> {
        let does = match self.summaries.answer(function)? {
            Does::Computes => "only computes",
            Does::Reads => "only reads, and may be under way beside others",
            Does::Logs => "only writes lines of a log",
            Does::Anything => return None,
        };
        let name = self.name_of_function(function).unwrap_or("the function");
        let reason = Code::AnsweredByConfiguration.with(&[name, does]);
        let elsewhere = self.place_of_function(function);
        Some(Assumption { elsewhere, ..Assumption::new(reason, span) })
    }

    /// What is said once of all code: the first place that it is said of, and `span`, where it is relied on.
    fn said_once(&self, code: Code, at: InstRef, span: Span) -> Assumption {
        let mut assumption = Assumption::new(code, span);
        let of_call = self.summaries.graph.files()[at.file as usize].span(at.inst);
        assumption.elsewhere = vec![Elsewhere { file: at.file as usize, span: of_call }];
        assumption
    }

    /// That it does not matter who fills a cache at an instruction; `span` is where it is relied on.
    #[must_use]
    pub fn filled(&self, fill: InstRef, span: Span) -> Option<Assumption> {
        let summaries = self.summaries;
        let ir = summaries.graph.files()[fill.file as usize];
        let what = match ir.inst(fill.inst) {
            Inst::StoreVar { var, .. } => ir.name(ir.variable(var).name).to_owned(),
            Inst::Set { object, key, .. } => property_text(ir, object, key),
            _ => callee_text(ir, fill.inst),
        };
        let reason = match summaries.filling(fill) {
            Some(Filling::Notes) => Code::AnyoneConnectsFirst.into(),
            Some(Filling::Sorts) => Code::SortsAlike.with(&[&what]),
            Some(Filling::Collects) => {
                Code::CollectsInAnyOrder.with(&[what.trim_end_matches(".add")])
            }
            _ => Code::FillsACache.with(&[&what]),
        };
        let elsewhere = vec![Elsewhere { file: fill.file as usize, span: ir.span(fill.inst) }];
        Some(Assumption { elsewhere, ..Assumption::new(reason, span) })
    }

    /// Whether a place is set once, by whoever comes first.
    #[must_use]
    pub fn is_set_once(&self, location: &Location) -> bool {
        self.summaries.set_once(location).is_some()
    }

    /// That it does not matter who sets a place that is set once; none where it is another one. `what` is
    /// the place as a person would write it, `span` where that is relied on.
    #[must_use]
    pub fn set_once(&self, location: &Location, what: &str, span: Span) -> Option<Assumption> {
        let summaries = self.summaries;
        let at = summaries.set_once(location)?;
        let place = summaries.graph.files()[at.file as usize].span(at.inst);
        let elsewhere = vec![Elsewhere { file: at.file as usize, span: place }];
        Some(Assumption { elsewhere, ..Assumption::new(Code::SetOnce.with(&[what]), span) })
    }

    /// What has to hold for some calls to do what their models say, and for parameters that are given back;
    /// `span` is where it is relied on.
    #[must_use]
    pub fn granted(&self, calls: &BTreeSet<InstRef>, span: Span) -> Vec<Assumption> {
        let summaries = self.summaries;
        let mut found: Vec<Assumption> = Vec::new();
        for &at in calls {
            let ir = summaries.graph.files()[at.file as usize];
            if let Inst::LoadVar(given) = ir.inst(at.inst) {
                found.push(no_promise(ir, at, given, span));
                continue;
            }
            let callees = summaries.callees(at);
            let awaited = summaries.graph.awaited(at);
            let mut members = callees.modelled.iter();
            let has_untold = members.any(|it| summaries.has_untold_options(at, it));
            let rows = callees.modelled.iter().filter_map(|it| it.call);
            let rows = rows.chain(awaited.iter().map(|it| it.call));
            let conditions = rows.flat_map(|row| {
                let of_cases = row.cases.iter().filter(|it| summaries.applies(&it.when, at));
                row.assumes.iter().chain(of_cases.filter_map(|it| it.assumes.as_ref()))
            });
            let is_here = at.file as usize == self.file && span.contains(ir.span(at.inst));
            let name = callee_text(ir, at.inst);
            let mut replaced = callees.modelled.iter().filter(|it| summaries.is_replaced(it));
            if let Some(member) = replaced.next() {
                let module = member.row.map_or(member.module, |(module, _)| &module.module);
                found.push(self.same_as(&name, module, span));
            }
            let of_pattern = callees.modelled.iter().any(|it| summaries.matches(it));
            let conditions = conditions.map(|it| Code::ModelCondition.with(&[it, &name]));
            // Of a shared regular expression whose flags nobody knows: matching with it begins at the start of each
            // text (ECMA-262, 22.2.6.8 and 22.2.6.11: so it does with `g`, and without `g` and `y`), and no `exec`
            // or `test` goes on where that stopped.
            let others =
                [(of_pattern, Code::MatchesStartAnew), (has_untold, Code::OptionsChangeNothing)];
            let others = others.into_iter().filter(|it| it.0).map(|it| it.1.with(&[&name]));
            for reason in conditions.chain(others) {
                let mut assumption = Assumption::new(reason, span);
                if !is_here {
                    let span = ir.span(at.inst);
                    assumption.elsewhere = vec![Elsewhere { file: at.file as usize, span }];
                }
                if !found.iter().any(|it| it.reason == assumption.reason) {
                    found.push(assumption);
                }
            }
        }
        found
    }

    /// That what the program puts in the place of something does the same.
    fn same_as(&self, name: &str, module: &str, span: Span) -> Assumption {
        if matches!(module, "ecmascript" | GLOBALS) {
            return Assumption::new(Code::ReplacedLanguageDoesTheSame, span)
                .on(Topic::new(Kind::Language, ""));
        }
        let reason = Code::ReplacedDoesTheSame.with(&[name]);
        let topic = Topic::new(Kind::Same, format!("`{name}`"));
        let mut assumption = Assumption::new(reason, span).on(topic);
        let files = self.summaries.graph.files();
        assumption.elsewhere.extend(self.facts.place_of_patch(module, files));
        assumption
    }

    /// What is said of a value.
    pub(crate) fn topic(&self, kind: Kind, value: InstId) -> Topic {
        Topic::new(kind, format!("`{}`", value_text(self.ir, value)))
    }

    /// What is said of something that a function of the program writes, with `named` where that has a name.
    #[must_use]
    pub fn written_by(
        &self,
        (reason, named): (Reason, Code),
        span: Span,
        writer: FunctionRef,
    ) -> Assumption {
        let reason = match self.name_of_function(writer) {
            Some(name) => reason.and(named, name),
            None => reason,
        };
        Assumption { elsewhere: self.place_of_function(writer), ..Assumption::new(reason, span) }
    }

    /// The name of a function of the program.
    #[must_use]
    pub fn name_of_function(&self, it: FunctionRef) -> Option<&str> {
        let ir = self.summaries.graph.files()[it.file as usize];
        ir.function(it.function).name.map(|name| ir.name(name))
    }

    /// Where a function of the program stands.
    #[must_use]
    pub fn place_of_function(&self, it: FunctionRef) -> Vec<Elsewhere> {
        let ir = self.summaries.graph.files()[it.file as usize];
        vec![Elsewhere { file: it.file as usize, span: ir.function(it.function).span }]
    }
}

/// A property as it is written.
fn property_text(ir: &FileIr, object: InstId, key: PropKey) -> String {
    match key.get() {
        Key::Name(name) => format!("{}.{}", value_text(ir, object), ir.name(name)),
        Key::Private(name) => format!("{}.#{}", value_text(ir, object), ir.name(name)),
        Key::Computed(_) => format!("{}[…]", value_text(ir, object)),
    }
}

/// What is called, as it is written: `logger.warn`.
fn callee_text(ir: &FileIr, call: InstId) -> String {
    match ir.inst(call) {
        Inst::Call { callee, .. } | Inst::New { callee, .. } => value_text(ir, callee),
        Inst::CallMethod { method, .. } => value_text(ir, method),
        _ => "the code".to_owned(),
    }
}

/// A value as it is written, shortened: `request.params.id`.
#[must_use]
pub fn value_text(ir: &FileIr, value: InstId) -> String {
    match ir.inst(value) {
        Inst::LoadVar(var) => ir.name(ir.variable(var).name).to_owned(),
        Inst::LoadGlobal(name) => ir.name(name).to_owned(),
        Inst::This => "this".to_owned(),
        Inst::Get { object, key } => property_text(ir, object, key),
        Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } => {
            format!("{}(…)", callee_text(ir, value))
        }
        _ => "…".to_owned(),
    }
}

/// That a parameter, which is given back at an instruction, is no promise.
fn no_promise(ir: &FileIr, at: InstRef, given: VarId, span: Span) -> Assumption {
    let name = ir.name(ir.variable(given).name);
    let elsewhere = vec![Elsewhere { file: at.file as usize, span: ir.span(at.inst) }];
    Assumption { elsewhere, ..Assumption::new(Code::GivenBackIsNoPromise.with(&[name]), span) }
}

/// Whether a location is somewhere in what nobody knows.
fn is_of_unknown(location: &Location) -> bool {
    matches!(location, Location::Memory(place) if place.is_unknown())
}

/// The way to where what is not known about a call begins: calls of functions of the program, each
/// in the function that the one before it calls. What can be taken for granted is not on it, where
/// something else is.
fn cause_of(summaries: &Summaries<'_>, callees: &Callees<'_>) -> Vec<Elsewhere> {
    let both = |callees: &Callees<'_>| {
        let all = || callees.functions.iter().chain(&callees.callbacks).copied();
        let of = |it: &FunctionRef| summaries.called(*it);
        let open = all().find(|it| of(it).is_anything() && of(it).assumption().is_none());
        open.or_else(|| all().find(|it| of(it).is_anything()))
    };
    let mut way = Vec::new();
    let mut next = both(callees);
    let mut seen: Vec<FunctionRef> = Vec::new();
    while let Some(function) = next.filter(|it| way.len() < LONGEST_CHAIN && !seen.contains(it)) {
        seen.push(function);
        let is_open = |&&inst: &&InstId| {
            let steps = summaries.steps(function, inst, InstId::new(inst.index() + 1));
            steps.iter().any(|it| it.is_anything && it.assumed.is_none())
        };
        let all = &summaries.of(function).anything;
        let Some(&inst) = all.iter().find(is_open).or_else(|| all.first()) else { break };
        let ir = summaries.graph.files()[function.file as usize];
        way.push(Elsewhere { file: function.file as usize, span: ir.span(inst) });
        let inner = summaries.callees(InstRef { file: function.file, inst });
        next = both(inner).filter(|_| inner.obstacle().is_none());
    }
    way
}

/// A place as a person would write it.
#[must_use]
pub fn place_text(summaries: &Summaries<'_>, place: &Place) -> String {
    let file_of = |file: u32| summaries.graph.files()[file as usize];
    let class_name = |file: u32, class| {
        let ir = file_of(file);
        ir.class(class).name.map_or("class", |it| ir.name(it)).to_owned()
    };
    let mut text = match place.root {
        Root::Parameter(position) => format!("argument {}", position + 1),
        Root::This => "this".to_owned(),
        Root::Variable(file, var) => {
            let ir = file_of(file);
            ir.name(ir.variable(var).name).to_owned()
        }
        Root::Global => "globalThis".to_owned(),
        Root::Instance(class) => format!("{}#", class_name(class.file, class.class)),
        Root::Static(class) => class_name(class.file, class.class),
        Root::Exports(_) => "exports".to_owned(),
        Root::Made(_) => "an object".to_owned(),
        Root::Unknown => "something".to_owned(),
    };
    let keys = keys_text(summaries, &place.keys);
    let keys = if text.ends_with('#') { keys.trim_start_matches('.') } else { &keys };
    text.push_str(keys);
    text
}

/// Properties, outermost first, as a person would write them behind what has them: `.name[…]`.
#[must_use]
pub fn keys_text(summaries: &Summaries<'_>, keys: &[PathKey]) -> String {
    let text = |&key: &PathKey| match summaries.graph.key_text(key) {
        Some(name) => format!(".{name}"),
        None => "[…]".to_owned(),
    };
    keys.iter().map(text).collect()
}
