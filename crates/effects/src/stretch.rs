//! What evaluating a stretch of instructions reads, and what it takes for granted.

use std::collections::BTreeSet;

use headstart_callgraph::{AbstractObject, InstRef};
use headstart_ir::{FileIr, Inst, InstId, Key, Literal, PropKey, Span};
use headstart_models::{PromiseKind, Resource};

use crate::api::FileAnalysis;
use crate::call::callee_of;
use crate::grouping::Kind;
use crate::known::{Known, is_module_place};
use crate::location::{AccessPath, Assumption, Blocker, Location, Region, Root};
use crate::reasons::Code;
use crate::summary::{
    Effects, Location as SummaryLocation, Locations, Resource as Ambient, Root as PlaceRoot,
    Stability, Throw, Waiting, throws,
};

/// Globals of the platform that can be read without an effect, beside those that have a model.
const PLAIN_GLOBALS: [&str; 6] =
    ["__dirname", "__filename", "process", "globalThis", "NaN", "Infinity"];

/// The effects of a stretch of instructions that computes and starts operations: it does not throw
/// or suspend, and what it calls is known.
#[derive(Clone, Debug, Default)]
pub struct Stretch {
    /// REF of its own instructions, each with the instruction that reads.
    pub refs: Vec<(Location, InstId)>,
    /// What has to hold for it to be free of other effects and not to throw.
    pub assumptions: Vec<Assumption>,
    /// What the functions that it calls read and write, now and later.
    pub effects: Effects,
    /// The places that its own instructions look at beside variables and properties, each with the
    /// instruction: the state of objects that methods of the platform see.
    pub looked_at: Vec<(SummaryLocation, InstId)>,
    /// What is written only where caches are filled, and does not count as written.
    pub filled: Locations,
    /// The calls that start something, with what is known of when it ends.
    pub started: Vec<(InstId, Waiting)>,
    /// Whether it may give something that somebody has to close.
    pub gives: bool,
    /// Whether a promise that it starts on the way may be rejected while nobody handles that.
    pub abandons: bool,
    /// Whether it may end the program.
    pub ends: bool,
    /// Whether what is taken by its name is known to write lines of the log.
    pub reports: bool,
    /// Whether it starts something that nobody waits for, and that changes something when it has returned.
    pub lingers: bool,
    /// Whether it may take a lock.
    pub locks: bool,
    /// A call in it that throws on purpose, before there is a promise.
    pub throws: Option<Span>,
}

impl Stretch {
    /// Takes in what comes behind.
    pub fn join(&mut self, other: Self) {
        self.refs.extend(other.refs);
        self.assumptions.extend(other.assumptions);
        self.effects.join(other.effects);
        self.looked_at.extend(other.looked_at);
        self.filled.join(other.filled);
        self.started.extend(other.started);
        self.gives |= other.gives;
        self.abandons |= other.abandons;
        self.ends |= other.ends;
        self.reports |= other.reports;
        self.lingers |= other.lingers;
        self.locks |= other.locks;
        self.throws = self.throws.or(other.throws);
    }

    /// The same, where nothing in it is thrown on purpose.
    ///
    /// # Errors
    /// The call that throws.
    pub fn settled(self) -> Result<Self, Blocker> {
        match self.throws {
            Some(span) => Err(Blocker::new(Code::MayThrowFirst, span)),
            None => Ok(self),
        }
    }

    /// All that is read of what somebody else may write, save the variables and properties that its own
    /// instructions read.
    pub fn reads(&self) -> impl Iterator<Item = &SummaryLocation> {
        self.effects.reads.iter().chain(self.looked_at.iter().map(|it| &it.0))
    }
}

impl FileAnalysis<'_> {
    /// The effects of the instructions from `first` up to `end`, not included.
    ///
    /// # Errors
    /// The first instruction that does more than compute.
    pub fn stretch(&self, first: InstId, end: InstId, known: &Known) -> Result<Stretch, Blocker> {
        self.stretch_among(FileIr::range(first, end), first, known)
    }

    /// The effects of some instructions, all at or behind `first`.
    ///
    /// # Errors
    /// The first instruction that does more than compute.
    pub fn stretch_among(
        &self,
        ids: impl Iterator<Item = InstId>,
        first: InstId,
        known: &Known,
    ) -> Result<Stretch, Blocker> {
        self.stretch_that_throws(ids, first, known)?.settled()
    }

    /// The same where what it throws becomes a rejection, whatever that is.
    ///
    /// # Errors
    /// The first instruction that does more than compute.
    pub fn stretch_that_throws(
        &self,
        ids: impl Iterator<Item = InstId>,
        first: InstId,
        known: &Known,
    ) -> Result<Stretch, Blocker> {
        let mut stretch = Stretch::default();
        for id in ids {
            self.step(id, first, known, &mut stretch)?;
        }
        Ok(stretch)
    }

    fn step(
        &self,
        id: InstId,
        first: InstId,
        known: &Known,
        stretch: &mut Stretch,
    ) -> Result<(), Blocker> {
        let ir = self.ir;
        let span = ir.span(id);
        let at = self.at(id);
        if self.summaries.chokes(at) || self.summaries.trips(at) {
            stretch.assumptions.push(Assumption::usual(Code::TakesWhatItIsGiven, span));
        }
        if self.summaries.may_call_nothing(at) {
            stretch.assumptions.push(Assumption::usual(Code::CalledIsThere, span));
        }
        match ir.inst(id) {
            Inst::Literal(_)
            | Inst::Object
            | Inst::Array(_)
            | Inst::ImportMeta
            | Inst::Closure(_)
            | Inst::Pure1(_)
            | Inst::Pure2(..)
            | Inst::Select(..)
            | Inst::Conditional { .. } => {}
            Inst::This | Inst::Super => {}
            Inst::LoadVar(var) => stretch.refs.push((Location::Variable(var), id)),
            Inst::LoadGlobal(name)
                if PLAIN_GLOBALS.contains(&ir.name(name)) || self.is_platform_member(id) => {}
            // What the program, or whoever runs it, has put on the global object (ECMA-262, 9.1.1.4).
            Inst::LoadGlobal(_) => {
                let topic = self.topic(Kind::Property, id);
                stretch.assumptions.push(Assumption::new(Code::PlainGlobal, span).on(topic));
            }
            Inst::Convert(value) => {
                self.conversion(value, known, stretch);
                self.look(id, first, stretch)?;
            }
            Inst::Operator { left, right, .. } => {
                self.conversion(left, known, stretch);
                self.conversion(right, known, stretch);
                if self.summaries.may_throw_for_big(self.at(id)) {
                    stretch.assumptions.push(Assumption::new(Code::BigIntegersDoNotThrow, span));
                }
                self.look(id, first, stretch)?;
            }
            Inst::Has { key, .. } => {
                self.conversion(key, known, stretch);
                stretch.assumptions.push(Assumption::usual(Code::AsksAPlainObject, span));
                self.look(id, first, stretch)?;
            }
            Inst::InstanceOf { .. } => {
                stretch.assumptions.push(Assumption::usual(Code::PlainInstanceof, span));
                self.look(id, first, stretch)?;
            }
            Inst::Template(parts) => {
                for &part in ir.args(parts) {
                    self.conversion(part, known, stretch);
                }
                self.look(id, first, stretch)?;
            }
            Inst::Get { object, key } => self.property(id, object, key, known, stretch)?,
            // Building an object literal that the stretch itself creates.
            Inst::Set { object, .. } if object >= first && ir.inst(object) == Inst::Object => {}
            Inst::CopyProps { object, value }
                if object >= first && ir.inst(object) == Inst::Object =>
            {
                self.copied(id, value, stretch);
                self.look(id, first, stretch)?;
            }
            // `{ a, ...rest } = value`
            Inst::Rest(value) => {
                self.copied(id, value, stretch);
                self.look(id, first, stretch)?;
            }
            // `[a, b] = value`, `[...value]`
            Inst::Iterate(value) | Inst::Spread(value) => self.taken(id, value, first, stretch)?,
            Inst::Call { callee, .. }
            | Inst::CallMethod { method: callee, .. }
            | Inst::New { callee, .. } => {
                self.call_within(id, callee, (first, known), stretch)?;
            }
            Inst::DynamicImport { request: Some(request), .. } => {
                self.import_within(id, request, stretch);
            }
            _ => {
                return Err(Blocker::new(Code::MayDoAnything, span));
            }
        }
        Ok(())
    }

    /// What taking an item of a value does and takes for granted; `id` is the instruction that does so.
    ///
    /// # Errors
    /// That runs code of the program, or the next one to take an item gets another one.
    pub fn taken(
        &self,
        id: InstId,
        value: InstId,
        first: InstId,
        stretch: &mut Stretch,
    ) -> Result<(), Blocker> {
        let summaries = self.summaries;
        let graph = &summaries.graph;
        let (at, of) = (self.at(id), self.at(value));
        let next = InstId::new(id.index() + 1);
        let takes = || !summaries.effects_of(graph.function_at(at), id, next).writes.is_empty();
        if graph.may_be_generator(of) || graph.has_accessor(at) || takes() {
            return Err(Blocker::new(Code::RunsAnIterator, self.ir.span(id)));
        }
        // Nothing that is known comes there: it may be `null`.
        let is_text = matches!(
            self.ir.inst(value),
            Inst::Template(_) | Inst::Literal(Literal::String(_) | Literal::LongString)
        );
        let may_be_nothing = !is_text && graph.objects(of).is_empty();
        if graph.may_be_foreign_iterator(of) || may_be_nothing {
            stretch
                .assumptions
                .push(Assumption::usual(Code::TakingApartRunsNoCode, self.ir.span(id)));
        }
        self.look(id, first, stretch)
    }

    /// What copying the properties of a value takes for granted.
    fn copied(&self, copying: InstId, value: InstId, stretch: &mut Stretch) {
        if !self.is_plain_object(copying, value) {
            stretch
                .assumptions
                .push(Assumption::usual(Code::CopyingRunsNoCode, self.ir.span(value)));
        }
    }

    /// Whether copying the properties of a value runs no code: it is data, or made by literals without
    /// getters, and by nothing else.
    fn is_plain_object(&self, copying: InstId, value: InstId) -> bool {
        let summaries = self.summaries;
        let graph = &summaries.graph;
        let objects = graph.objects(self.at(value));
        let is_plain = |it: &AbstractObject| match *it {
            AbstractObject::Made(at) => {
                graph.files()[at.file as usize].inst(at.inst) == Inst::Object
            }
            AbstractObject::Data | AbstractObject::Fixed => true,
            _ => false,
        };
        objects.iter().all(is_plain) && !graph.has_accessor(self.at(copying))
    }

    fn conversion(&self, value: InstId, known: &Known, stretch: &mut Stretch) {
        if !known.is_primitive(self, value) {
            let topic = self.topic(Kind::Converted, value);
            stretch
                .assumptions
                .push(Assumption::new(Code::ToStringRunsNoCode, self.ir.span(value)).on(topic));
        }
    }

    /// What an instruction does to memory beside giving a value, as the summaries have it: methods of
    /// the platform look at the state of objects, and change it; conversions run methods. What the
    /// stretch makes itself nobody else sees.
    ///
    /// # Errors
    /// It may do anything.
    pub fn look(&self, id: InstId, first: InstId, stretch: &mut Stretch) -> Result<(), Blocker> {
        let summaries = self.summaries;
        let function = summaries.graph.function_at(self.at(id));
        let is_conversion = matches!(
            self.ir.inst(id),
            Inst::Convert(_) | Inst::Operator { .. } | Inst::Template(_)
        );
        for step in summaries.steps(function, id, InstId::new(id.index() + 1)) {
            if let Some(assumed) = step.assumed.as_deref().filter(|_| !is_conversion) {
                stretch.ends |= assumed.ends.is_some();
                stretch.reports |= assumed.reports;
                stretch.assumptions.extend(self.harmless(assumed, self.ir.span(id)));
                stretch.effects.join(assumed.before.clone());
                stretch.effects.join(assumed.after.clone());
            } else if step.is_anything && !is_conversion {
                return Err(Blocker::new(Code::MayDoAnything, self.ir.span(id)));
            }
            stretch.gives |= step.gives;
            stretch.abandons |= step.abandons;
            stretch.lingers |= step.lingers;
            stretch.locks |= step.locks;
            let is_seen = |it: &&SummaryLocation| !self.is_made_within(it, (first, id));
            for read in step.now.reads.iter().chain(&step.later.reads).filter(is_seen) {
                match read {
                    SummaryLocation::Memory(_) => stretch.looked_at.push((read.clone(), id)),
                    // Every operation depends on these; where they matter is judged for all at once.
                    SummaryLocation::Resource(
                        Ambient::WorkingDirectory | Ambient::Environment,
                        _,
                    ) => {}
                    SummaryLocation::Resource(..) => {
                        stretch.effects.reads.insert(read.clone());
                    }
                }
            }
            let written = step.now.writes.iter().chain(&step.later.writes);
            let fills =
                |it: &&SummaryLocation| step.now.fill(it).or_else(|| step.later.fill(it)).is_some();
            let others = written.filter(|it| is_seen(it) && !fills(it));
            stretch.effects.writes.extend(others.cloned());
            for effects in [&step.now, &step.later] {
                self.fill(effects.fills().iter().cloned(), stretch, self.ir.span(id));
            }
        }
        self.leave_out_fills(stretch, self.ir.span(id));
        Ok(())
    }

    /// What only fills caches is taken to make no difference.
    pub(crate) fn leave_out_fills(&self, stretch: &mut Stretch, span: Span) {
        let fills = stretch.effects.without_fills();
        self.fill(fills, stretch, span);
    }

    fn fill(
        &self,
        fills: impl IntoIterator<Item = (SummaryLocation, InstRef)>,
        stretch: &mut Stretch,
        span: Span,
    ) {
        for (location, at) in fills {
            // Only between two who ask a cache it makes no difference, not within the function that fills it.
            let is_here = at.file as usize == self.file && span.contains(self.ir.span(at.inst));
            if is_here {
                stretch.effects.writes.insert(location);
                continue;
            }
            // Who connects is said once, however much of it there is.
            let said =
                |new: &Assumption| stretch.assumptions.iter().any(|it| it.reason == new.reason);
            let assumption = self.filled(at, span).filter(|it| !said(it));
            stretch.assumptions.extend(assumption);
            stretch.filled.insert(location);
        }
    }

    /// Whether a place is in an object that the instructions from `first` to `last` make themselves.
    #[must_use]
    pub fn is_made_within(
        &self,
        location: &SummaryLocation,
        (first, last): (InstId, InstId),
    ) -> bool {
        let SummaryLocation::Memory(place) = location else { return false };
        let PlaceRoot::Made(at) = place.root else { return false };
        let is_own = self.at(at.inst) == at && (first..=last).contains(&at.inst);
        is_own && place.keys.len() == 1 && !place.is_deep
    }

    /// The read of a property: safe where all objects it may be of are known, none has a getter of
    /// that name, it is certainly there, and nobody writes the property later.
    fn property(
        &self,
        id: InstId,
        object: InstId,
        key: PropKey,
        known: &Known,
        stretch: &mut Stretch,
    ) -> Result<(), Blocker> {
        if self.is_platform_member(id) || is_module_place(self.ir, object, key.get()) {
            return Ok(());
        }
        let span = self.ir.span(id);
        let of_match = self.summaries.read_of_match(self.at(id));
        stretch.effects.reads.extend(of_match);
        if self.summaries.is_proxy(self.at(object)) {
            return Err(Blocker::new(Code::RunsAProxy, span));
        }
        if self.summaries.graph.has_accessor(self.at(id)) {
            return self.getter(id, object, known, stretch);
        }
        if self.is_called(id) {
            if !self.is_there(object, known) {
                let topic = self.topic(Kind::There, object);
                stretch.assumptions.push(
                    Assumption::new(Code::MethodHolderIsThere, self.ir.span(object)).on(topic),
                );
            }
            return Ok(());
        }
        stretch.refs.push((Location::Property(self.access_path(id)), id));
        let is_there = self.is_there(object, known);
        match self.property_stability(id) {
            Stability::Fixed if is_there => {}
            Stability::Fixed => {
                stretch.assumptions.push(Assumption::usual(Code::HolderIsThere, span));
            }
            Stability::Written(writer) if is_there => {
                let said = (Code::NothingChangesIt.into(), Code::NothingChangesItThoughOneMay);
                stretch.assumptions.push(self.written_by(said, span, writer));
            }
            _ => {
                let topic = self.topic(Kind::Property, id);
                stretch.assumptions.push(Assumption::new(Code::PlainProperty, span).on(topic));
            }
        }
        Ok(())
    }

    /// The access path that a value is read by.
    #[must_use]
    pub fn access_path(&self, value: InstId) -> AccessPath {
        match self.ir.inst(value) {
            Inst::LoadVar(var) => AccessPath::new(Root::Variable(var)),
            Inst::LoadGlobal(name) => AccessPath::new(Root::Global(name)),
            Inst::This => AccessPath::new(Root::This),
            Inst::Get { object, key } => {
                let key = match key.get() {
                    Key::Name(name) | Key::Private(name) => Some(name),
                    Key::Computed(_) => None,
                };
                self.access_path(object).then(key)
            }
            _ => AccessPath::new(Root::Value(value)),
        }
    }

    /// A call is part of a computation where its model says that it only computes.
    pub(crate) fn computing_call(
        &self,
        call: InstId,
        callee: InstId,
        known: &Known,
        stretch: &mut Stretch,
    ) -> Result<(), Blocker> {
        let operation = self.operation(call, known)?;
        let reads_ambient =
            |it: &Region| matches!(it.resource, Resource::WorkingDirectory | Resource::Environment);
        let computes = operation.changes_nothing()
            && operation.model.promise == PromiseKind::No
            && operation.reads.iter().all(reads_ambient);
        if !computes {
            let span = self.ir.span(callee);
            return Err(Blocker::new(Code::DoesMoreThanCompute, span));
        }
        stretch.refs.extend(operation.reads.iter().map(|&it| (Location::Region(it), call)));
        stretch.assumptions.extend(operation.assumptions);
        if operation.has_untold_options {
            let own = BTreeSet::from([self.at(call)]);
            stretch.assumptions.extend(self.granted(&own, self.ir.span(call)));
        }
        if operation.reads.iter().any(|it| it.resource == Resource::Environment) {
            stretch
                .assumptions
                .push(Assumption::new(Code::EnvironmentUnchanged, self.ir.span(call)));
        }
        let args = callee_of(self.ir, call).map(|it| self.ir.args(it.1)).unwrap_or_default();
        throws(operation.model, args, &mut |it| match it {
            Throw::Anything => {
                let span = self.ir.span(call);
                stretch.assumptions.push(Assumption::new(Code::DoesNotThrow, span));
            }
            Throw::UnlessText(argument) if !known.is_string(self, argument) => {
                let topic = self.topic(Kind::Text, argument);
                let span = self.ir.span(argument);
                stretch.assumptions.push(Assumption::new(Code::IsAString, span).on(topic));
            }
            // Methods of objects may run then, and throw.
            Throw::Converting(it) if self.summaries.graph.is_unknown(self.at(it)) => {
                self.conversion(it, known, stretch);
            }
            Throw::UnlessText(_) | Throw::Converting(_) => {}
        });
        Ok(())
    }
}
