//! Who writes what, in the whole program: whether a place may change while others run.

use std::sync::{Mutex, PoisonError};

use headstart_callgraph::{AbstractObject, FunctionRef, InstRef, Native, PathKey};
use headstart_ir::{FileIr, FunctionKind, Inst, InstId, Key, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Summaries;
use super::place::{Location, Place, Resource, Root};

/// Whether a place may change while others run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stability {
    /// Nothing in the program writes it once it is there.
    Fixed,
    /// This function may write it.
    Written(FunctionRef),
    /// Nobody knows what else holds it.
    Unknown,
}

/// The writes of all functions, by what they write. What a constructor does to the object that it
/// makes is not among them: nobody else has it yet.
#[derive(Debug, Default)]
pub(crate) struct Writers {
    /// The writes of properties. The lists below have their positions in it.
    writes: Vec<(FunctionRef, Place)>,
    /// Those of properties whose names are known, and those under each name.
    named: Vec<u32>,
    properties: FxHashMap<PathKey, Vec<u32>>,
    /// Writes of properties whose names are not known, and of all below something.
    any: Vec<u32>,
    variables: FxHashMap<(u32, VarId), Vec<FunctionRef>>,
    /// Who changes what is no place in memory, and is read like one: the first of each kind.
    settings: FxHashMap<Resource, FunctionRef>,
    /// Whose properties each list writes, as far as it has been looked through.
    searched: Mutex<FxHashMap<Among, Written>>,
}

/// The writes that are searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Among {
    /// Those under a name; under all names for [`PathKey::ANY`].
    Named(PathKey),
    /// Those whose names are not known.
    Any,
}

/// Whose properties some writes are of, as far as they have been looked through: what each write is of is
/// worked out once, and no write behind those that answer.
#[derive(Debug, Default)]
struct Written {
    /// The first write of a property of each object: its place in the list, and who writes.
    of: FxHashMap<AbstractObject, (usize, FunctionRef)>,
    /// The first of which it is not known what it writes to.
    of_unknown: Option<(usize, FunctionRef)>,
    /// How many have been looked through.
    count: usize,
}

impl Written {
    /// Who writes a property of one of some objects first, as far as is known.
    fn first(&self, holders: &[AbstractObject]) -> Option<FunctionRef> {
        let known = holders.iter().filter_map(|it| self.of.get(it).copied());
        known.chain(self.of_unknown).min().map(|it| it.1)
    }

    /// Looks through the next write.
    fn note(&mut self, writer: FunctionRef, holders: Option<&[AbstractObject]>) {
        let found = (self.count, writer);
        self.count += 1;
        match holders {
            Some(holders) => {
                for &holder in holders {
                    self.of.entry(holder).or_insert(found);
                }
            }
            None => {
                self.of_unknown.get_or_insert(found);
            }
        }
    }
}

impl Writers {
    fn of(all: &Summaries<'_>) -> Self {
        let mut writers = Self::default();
        for file in (0..).zip(all.graph.files()).map(|(file, _)| file) {
            for function in all.graph.functions(file) {
                let summary = all.of(function);
                let both = [&summary.before, &summary.after];
                let is_loading = all.is_module(function) && !all.structure(function).waits;
                for location in both.into_iter().flat_map(|it| &it.writes) {
                    match location {
                        Location::Memory(place) => writers.note(function, place),
                        Location::Resource(kind, _) if kind.is_setting() && !is_loading => {
                            writers.settings.entry(*kind).or_insert(function);
                        }
                        Location::Resource(..) => {}
                    }
                }
            }
            writers.own_variables(file, all.graph.files()[file as usize], all);
        }
        writers
    }

    fn note(&mut self, function: FunctionRef, place: &Place) {
        let key = if place.is_deep { Some(PathKey::ANY) } else { place.keys.last().copied() };
        let Some(key) = key else {
            if let Root::Variable(file, var) = place.root {
                self.variables.entry((file, var)).or_default().push(function);
            }
            return;
        };
        let position = u32::try_from(self.writes.len()).unwrap_or(u32::MAX);
        self.writes.push((function, *place));
        if key == PathKey::ANY {
            self.any.push(position);
        } else {
            self.named.push(position);
            self.properties.entry(key).or_default().push(position);
        }
    }

    /// Who may write a property of some objects under a key, the first that is found.
    fn first_under(
        &self,
        all: &Summaries<'_>,
        key: PathKey,
        holders: &[AbstractObject],
    ) -> Option<FunctionRef> {
        let first = |among| self.first_among(all, among, holders);
        first(Among::Named(key)).or_else(|| first(Among::Any))
    }

    fn first_among(
        &self,
        all: &Summaries<'_>,
        among: Among,
        holders: &[AbstractObject],
    ) -> Option<FunctionRef> {
        let list: &[u32] = match among {
            Among::Any => &self.any,
            Among::Named(PathKey::ANY) => &self.named,
            Among::Named(key) => self.properties.get(&key).map_or(&[], Vec::as_slice),
        };
        let mut searched = self.searched.lock().unwrap_or_else(PoisonError::into_inner);
        let written = searched.entry(among).or_default();
        if let Some(found) = written.first(holders) {
            return Some(found);
        }
        if written.count >= list.len() {
            return None;
        }
        let sought: FxHashSet<AbstractObject> = holders.iter().copied().collect();
        while let Some((writer, place)) =
            list.get(written.count).and_then(|&it| self.writes.get(it as usize))
        {
            all.note_asked();
            let others = all.holders(*writer, place);
            let is_it = others.as_ref().is_none_or(|it| it.iter().any(|it| sought.contains(it)));
            written.note(*writer, others.as_deref());
            if is_it {
                return Some(*writer);
            }
        }
        None
    }

    /// What a function assigns of its own is in no summary.
    fn own_variables(&mut self, file: u32, ir: &FileIr, all: &Summaries<'_>) {
        for (at, inst) in ir.insts.iter().enumerate() {
            let Inst::StoreVar { var, .. } = *inst else { continue };
            let at = InstId::new(at);
            let variable = ir.variable(var);
            if variable.writes > 1 && variable.init != Some(at) {
                let function = all.graph.function_at(InstRef { file, inst: at });
                self.variables.entry((file, var)).or_default().push(function);
            }
        }
    }
}

impl Writers {
    /// All writes of properties, each with what is written.
    pub(super) fn places(&self) -> impl Iterator<Item = &(FunctionRef, Place)> {
        self.writes.iter()
    }
}

impl Summaries<'_> {
    pub(super) fn writers(&self) -> &Writers {
        self.writers.get_or_init(|| Writers::of(self))
    }

    /// A function that changes what the process is, or a module or a browser keeps, once the program is loaded.
    #[must_use]
    pub fn changes_setting(&self, kind: Resource) -> Option<FunctionRef> {
        self.writers().settings.get(&kind).copied()
    }

    fn is_module(&self, function: FunctionRef) -> bool {
        let ir = self.graph.files()[function.file as usize];
        ir.function(function.function).kind == FunctionKind::Module
    }

    /// Whether a place that a function reads may change while others run.
    #[must_use]
    pub fn stability(&self, function: FunctionRef, place: &Place) -> Stability {
        if place.is_deep {
            let is_variable = matches!(place.root, Root::Variable(..));
            return match self.root_stability(place) {
                // Where it is supposed that nobody changes what is known, nothing of it is looked at.
                Stability::Fixed if self.supposes() && is_variable => Stability::Fixed,
                Stability::Fixed if self.supposes() => Stability::Unknown,
                Stability::Fixed => self.deep_stability(function, place),
                changing => changing,
            };
        }
        let Some(&key) = place.keys.last() else { return self.root_stability(place) };
        if key == PathKey::ANY {
            return self.state_stability(function, place);
        }
        // Who gives it a value is not part of the program.
        if !self.call_sites().given.contains(&key) {
            return Stability::Unknown;
        }
        let Some(holders) = self.holders(function, place) else { return Stability::Unknown };
        if holders.iter().any(|it| !is_of_the_program(it)) {
            return Stability::Unknown;
        }
        if self.is_changed_unseen(function, place) {
            return Stability::Unknown;
        }
        if self.supposes() {
            return Stability::Fixed;
        }
        match self.writers().first_under(self, key, &holders) {
            Some(writer) => Stability::Written(writer),
            None if self.is_passed_on(function, place) => Stability::Unknown,
            None => Stability::Fixed,
        }
    }

    /// Whether somebody of whom nobody knows is handed what holds a place; a private field is nobody else's.
    fn is_passed_on(&self, function: FunctionRef, place: &Place) -> bool {
        let Some(start) = super::conflict::start(function, place.root) else { return true };
        let Some((&key, way)) = place.keys.split_last() else { return true };
        !self.graph.is_private(key)
            && self.graph.reached_objects(start, way).iter().any(|&it| self.graph.is_passed_on(it))
    }

    /// Whether something that no instruction says may change what holds a place.
    fn is_changed_unseen(&self, function: FunctionRef, place: &Place) -> bool {
        let Some(start) = super::conflict::start(function, place.root) else { return false };
        let Some((_, way)) = place.keys.split_last() else { return false };
        self.graph.reached_objects(start, way).iter().any(|&it| self.graph.is_changed_unseen(it))
    }

    /// Whether a call is one of some that the analysis knows: `promise.finally(…)`. What has a method of
    /// that name and is not known is taken for a promise.
    #[must_use]
    pub fn reacts(&self, call: InstRef, natives: &[Native]) -> bool {
        let callees = self.callees(call);
        let by_name = || callees.obstacle().and_then(|_| self.named_reaction(call));
        callees.modelled.iter().any(|it| it.native.is_some_and(|it| natives.contains(&it)))
            || by_name().is_some_and(|it| natives.contains(&it))
    }

    pub(super) fn named_reaction(&self, call: InstRef) -> Option<Native> {
        let ir = self.graph.files()[call.file as usize];
        let Inst::CallMethod { method, .. } = ir.inst(call.inst) else { return None };
        let Inst::Get { key, .. } = ir.inst(method) else { return None };
        let Key::Name(name) = key.get() else { return None };
        match ir.name(name) {
            "then" => Some(Native::Then),
            "catch" => Some(Native::Catch),
            "finally" => Some(Native::Finally),
            _ => None,
        }
    }

    /// Whether the program assigns a member that a model calls constant.
    #[must_use]
    pub fn is_assigned_member(&self, key: PathKey) -> bool {
        self.assigned_members.contains(&key)
    }

    fn root_stability(&self, place: &Place) -> Stability {
        match place.root {
            Root::Variable(file, var) => {
                let variable = self.graph.files()[file as usize].variable(var);
                if self.supposes() {
                    return Stability::Fixed;
                }
                let writer = self.writers().variables.get(&(file, var)).and_then(|it| it.first());
                match writer {
                    Some(&writer) => Stability::Written(writer),
                    None if variable.is_stable() => Stability::Fixed,
                    None => Stability::Unknown,
                }
            }
            Root::Global | Root::Unknown => Stability::Unknown,
            _ => Stability::Fixed,
        }
    }
}

/// Whether all who can write to an object are in the program.
pub(super) fn is_of_the_program(object: &AbstractObject) -> bool {
    matches!(
        object,
        AbstractObject::Made(_)
            | AbstractObject::Instance(_)
            | AbstractObject::Class(_)
            | AbstractObject::Prototype(_)
            | AbstractObject::InstanceOf(_)
            | AbstractObject::Exports(_)
            | AbstractObject::Fixed
    )
}
