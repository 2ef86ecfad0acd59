//! What functions of the language, models and conversions look into of what they are given: what an object holds,
//! what it is as text, what an iterator has left.

use headstart_callgraph::{AbstractObject, Modelled, Native, PathKey, Start};
use headstart_ir::{Inst, InstId, Key};
use headstart_models::{Argument, Call, PromiseKind};

use super::compute::Computation;
use super::order::When;
use super::place::{Location, Place, Root};
use super::roots::Roots;

/// The globals of the language whose members keep what they are given, or compare it, and do not look into it.
const KEEPING: [&str; 12] = [
    "AbortSignal",
    "Array",
    "Boolean",
    "Error",
    "Number",
    "Promise",
    "WeakRef",
    "clearImmediate",
    "clearTimeout",
    "setImmediate",
    "setInterval",
    "setTimeout",
];

impl<'p> Computation<'_, 'p> {
    /// Whether a member of the language keeps or compares what it is given, and does not look into it.
    pub(super) fn only_keeps(&self, row: &Call, member: &Modelled<'p>) -> bool {
        let is_plain =
            row.promise == PromiseKind::No && row.reads.is_empty() && row.writes.is_empty();
        let name = || self.roots.all.graph.name(member);
        is_plain
            && match member.module {
                "ecmascript" => true,
                // What `enumerate` says of them is all that they look at.
                "globals" => {
                    let name = name();
                    let of = name.split('.').next().unwrap_or_default();
                    matches!(of, "Object" | "Reflect") || KEEPING.contains(&of)
                }
                _ => false,
            }
    }

    /// Data and options that a member is given are read to the bottom.
    pub(super) fn looked_into(&mut self, row: &Call, args: &[InstId], when: When) {
        for (position, &arg) in args.iter().enumerate() {
            let kind = row.arguments.get(position).copied().or(row.rest);
            let is_read = match kind {
                Some(Argument::Data | Argument::Options | Argument::OptionsOrFunction) => true,
                // A path may be an address or bytes, which somebody may change.
                Some(Argument::Path | Argument::PathOrHandle) => {
                    self.roots.all.graph.is_of_platform(self.roots.at(arg))
                }
                _ => false,
            };
            // Who writes something is taken to look at it.
            let is_written =
                row.mutates.contains(&position) || row.mutates_below.contains(&position);
            if !is_read || is_written {
                continue;
            }
            self.read_deep(arg, when);
        }
    }

    /// All that a value holds is read.
    pub(super) fn read_deep(&mut self, value: InstId, when: When) {
        if self.roots.all.graph.is_primitive(self.roots.at(value)) {
            return;
        }
        if self.is_full() {
            return;
        }
        self.read_namespace(value, when);
        let rooted = self.roots.rooted(value);
        self.read_places(self.roots.places_below(&rooted, &[], true), when);
    }

    fn read_places(&mut self, places: Vec<Place>, when: When) {
        for place in places {
            // What nobody knows is read whenever something unknown is called.
            if place.root != Root::Unknown || place == Roots::anything_below() {
                self.read(Location::Memory(place), when);
            }
        }
    }

    /// What an object keeps of what it was made with is read, whatever name of it a member is under:
    /// `client.models.list()`.
    pub(super) fn read_kept(&mut self, object: InstId, member: &Modelled<'p>, when: When) {
        let mut next = Some(object);
        for names in (0..=self.roots.all.graph.names_between(member)).rev() {
            let Some(object) = next else { break };
            self.read_kept_in(object, when);
            next = self.holder(object);
            // What stands below a client looks at that: `client.token = …`.
            if let Some(holder) = next.filter(|_| names > 0) {
                self.read_below(holder, PathKey::ANY, when);
            }
        }
    }

    /// What an object keeps of what it was made with is read.
    pub(super) fn read_kept_in(&mut self, object: InstId, when: When) {
        if !self.is_full() {
            self.read_places(self.roots.kept_places(object), when);
        }
    }

    /// What a value has been read from: `client` for `client.models`.
    fn holder(&self, value: InstId) -> Option<InstId> {
        let ir = self.ir;
        let named = match ir.inst(value) {
            Inst::LoadVar(var) => self.roots.all.graph.always(self.roots.function.file, var)?,
            _ => value,
        };
        match ir.inst(named) {
            Inst::Get { object, .. } => Some(object),
            _ => None,
        }
    }

    /// What parts of an object hold is read: the parameters of an address.
    pub(super) fn read_parts(&mut self, value: InstId, when: When) {
        for place in self.parts(value) {
            self.read(Location::Memory(place), when);
        }
    }

    /// What parts of an object hold is written, with the others.
    pub(super) fn write_parts(&mut self, value: InstId, when: When) {
        self.write_below(value, PathKey::ANY, when);
        for place in self.parts(value) {
            self.write(Location::Memory(place), when);
        }
    }

    fn parts(&self, value: InstId) -> Vec<Place> {
        if self.is_full() {
            return Vec::new();
        }
        let rooted = self.roots.rooted(value);
        self.roots.places_below(&rooted, &[PathKey::ANY, PathKey::ANY], false)
    }

    /// All that a value holds is written, at whatever depth.
    pub(super) fn write_deep(&mut self, value: InstId, when: When) {
        if self.is_full() || self.roots.all.graph.is_primitive(self.roots.at(value)) {
            return;
        }
        let rooted = self.roots.rooted(value);
        for place in self.roots.places_below(&rooted, &[], true) {
            self.write(Location::Memory(place), when);
        }
    }

    /// `Object.keys` and its like read what an object holds, or whether it may be changed, `JSON.stringify` all that
    /// is below.
    pub(super) fn enumerate(
        &mut self,
        args: &[InstId],
        row: &Call,
        member: &Modelled<'p>,
        when: When,
    ) {
        // Who writes something is taken to look at it.
        let Some(&object) = args.first().filter(|_| !row.mutates.contains(&0)) else { return };
        match self.roots.all.graph.name(member).as_str() {
            "Object.is" | "Reflect.apply" | "Reflect.construct" => {}
            name if name.starts_with("Object.") || name.starts_with("Reflect.") => {
                self.take_elements(object, when);
            }
            "JSON.stringify" | "structuredClone" => {
                self.read_namespace(object, when);
                let rooted = self.roots.rooted(object);
                for place in self.roots.places_below(&rooted, &[], true) {
                    self.read(Location::Memory(place), when);
                }
            }
            _ => {}
        }
    }

    /// What an instruction converts to a primitive, it looks at: the elements of a list, the parts of an
    /// address.
    pub(super) fn converted(&mut self, id: InstId, when: When) {
        let ir = self.ir;
        if self.roots.all.may_throw_for_big(self.roots.at(id)) {
            self.throw(id);
        }
        let mut read = |value| self.read_as_text(value, when);
        match ir.inst(id) {
            Inst::Template(parts) => ir.args(parts).iter().copied().for_each(read),
            Inst::Operator { left, right, .. } => [left, right].into_iter().for_each(read),
            Inst::Convert(value) | Inst::Has { key: value, .. } => read(value),
            Inst::Get { key, .. } | Inst::Set { key, .. } | Inst::Delete { key, .. } => {
                if let Key::Computed(value) = key.get() {
                    read(value);
                }
            }
            _ => {}
        }
    }

    /// What an object holds is read; an iterator has given it away then.
    pub(crate) fn take_elements(&mut self, value: InstId, when: When) {
        self.read_below(value, PathKey::ANY, when);
        if self.roots.all.graph.may_be_iterator(self.roots.at(value)) || self.is_entries(value) {
            self.write_below(value, PathKey::ANY, when);
        }
    }

    /// Whether a value is what `entries` of a list, a map or a set gives.
    fn is_entries(&self, value: InstId) -> bool {
        let all = self.roots.all;
        self.roots.made_by(value).is_some_and(|made| {
            matches!(self.ir.inst(made), Inst::CallMethod { .. })
                && all
                    .callees(self.roots.at(made))
                    .modelled
                    .iter()
                    .any(|it| it.native == Some(Native::Entries))
        })
    }

    /// The state of an object that is converted to a primitive. A plain one has no text of its own.
    pub(crate) fn read_as_text(&mut self, value: InstId, when: When) {
        self.read_converted(value, |made| made != Inst::Object, when);
    }

    /// The state of an object that is converted to a primitive, or that the platform takes apart; `counts`,
    /// whether what makes such an object has state that matters.
    pub(crate) fn read_converted(
        &mut self,
        value: InstId,
        counts: impl Fn(Inst) -> bool,
        when: When,
    ) {
        let graph = &self.roots.all.graph;
        let has_state = |object: &AbstractObject| match object {
            AbstractObject::Made(at) => counts(graph.files()[at.file as usize].inst(at.inst)),
            // An error is its name and its message.
            AbstractObject::Instance(class) => graph.extends_platform(*class),
            _ => false,
        };
        let has_state = |object: &AbstractObject| has_state(object) || graph.has_own_text(object);
        if self.is_any_converted(value, has_state) {
            self.read_below(value, PathKey::ANY, when);
            let has_parts = |object: &AbstractObject| match object {
                AbstractObject::Made(at) => graph.has_parts(*at),
                _ => false,
            };
            if self.is_any_converted(value, has_parts) {
                self.read_parts(value, when);
            }
            // A list that stands in a list becomes text, too.
            let is_list = |object: &AbstractObject| match object {
                AbstractObject::Made(at) => {
                    matches!(graph.files()[at.file as usize].inst(at.inst), Inst::Array(_))
                }
                _ => false,
            };
            if self.is_any_converted(value, is_list) {
                self.read_deep(value, when);
            }
        }
    }

    /// Whether one of the objects that a value may be which is converted is such a one: the call graph
    /// does not follow each of those.
    fn is_any_converted(&self, value: InstId, is_it: impl Fn(&AbstractObject) -> bool) -> bool {
        let graph = &self.roots.all.graph;
        let is_known = || graph.objects(self.roots.at(value)).iter().any(&is_it);
        match self.ir.inst(value) {
            Inst::Literal(_) | Inst::Template(_) | Inst::Operator { .. } => false,
            Inst::LoadVar(var) => {
                let imported = graph.imported(self.roots.function.file, var);
                imported.is_some_and(|(file, var)| {
                    graph.reached(Start::Variable(file, var), &[]).iter().any(&is_it)
                })
            }
            Inst::Get { object, key } => {
                let key = graph.key(self.roots.function.file, key);
                let places = self.roots.under(object, key);
                let of = |place: Place| {
                    self.roots.all.holders(self.roots.function, &place.then(PathKey::ANY))
                };
                is_known() || places.into_iter().filter_map(of).any(|it| it.iter().any(&is_it))
            }
            _ => is_known(),
        }
    }

    /// What a namespace shows are variables of its module.
    pub(super) fn read_namespace(&mut self, value: InstId, when: When) {
        let all = self.roots.all;
        for (file, var) in all.graph.namespace_members(self.roots.at(value)) {
            self.read_variable(file, var, when);
        }
    }
}
