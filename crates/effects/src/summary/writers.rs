//! Who writes what, in the whole program: whether a place may change while others run.

use headstart_callgraph::{AbstractObject, FunctionRef, InstRef, Native, PathKey};
use headstart_ir::{FileIr, Inst, InstId, Key, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Summaries;
use super::place::{Location, Place, Root};

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
    properties: FxHashMap<PathKey, Vec<(FunctionRef, Place)>>,
    /// Writes of properties whose names are not known, and of all below something.
    any: Vec<(FunctionRef, Place)>,
    variables: FxHashMap<(u32, VarId), Vec<FunctionRef>>,
    /// The properties that the program gives a value somewhere.
    given: FxHashSet<PathKey>,
    /// The instructions that call each function.
    callers: FxHashMap<FunctionRef, Vec<InstRef>>,
}

impl Writers {
    fn of(all: &Summaries<'_>) -> Self {
        let mut writers = Self::default();
        for file in (0..).zip(all.graph.files()).map(|(file, _)| file) {
            for function in all.graph.functions(file) {
                let summary = all.of(function);
                let both = [&summary.before, &summary.after];
                for location in both.into_iter().flat_map(|it| &it.writes) {
                    let Location::Memory(place) = location else { continue };
                    writers.note(function, place);
                }
            }
            writers.calls(file, all);
            writers.own_variables(file, all.graph.files()[file as usize], all);
        }
        writers
    }

    fn note(&mut self, function: FunctionRef, place: &Place) {
        match (place.keys.last(), place.root) {
            _ if place.is_deep => self.any.push((function, place.clone())),
            (Some(&PathKey::ANY), _) => self.any.push((function, place.clone())),
            (Some(&key), _) => {
                self.properties.entry(key).or_default().push((function, place.clone()));
            }
            (None, Root::Variable(file, var)) => {
                self.variables.entry((file, var)).or_default().push(function);
            }
            (None, _) => {}
        }
    }

    fn calls(&mut self, file: u32, all: &Summaries<'_>) {
        let ir = all.graph.files()[file as usize];
        for inst in (0..ir.insts.len()).map(InstId::new) {
            let at = InstRef { file, inst };
            if let Inst::Set { key, .. } = ir.inst(inst) {
                self.given.insert(all.graph.key(file, key));
            }
            all.graph.for_each_function(at, &mut |callee| {
                self.callers.entry(callee).or_default().push(at);
            });
            for callee in all.reacting(at) {
                self.callers.entry(callee).or_default().push(at);
            }
        }
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
        self.properties.values().flatten().chain(&self.any)
    }
}

impl Summaries<'_> {
    pub(super) fn writers(&self) -> &Writers {
        self.writers.get_or_init(|| Writers::of(self))
    }

    /// Whether a place that a function reads may change while others run.
    #[must_use]
    pub fn stability(&self, function: FunctionRef, place: &Place) -> Stability {
        let writers = self.writers();
        let Some(&key) = place.keys.last() else { return self.root_stability(place) };
        if key == PathKey::ANY && !place.is_deep {
            return self.state_stability(function, place);
        }
        // Who gives it a value is not part of the program.
        if !writers.given.contains(&key) {
            return Stability::Unknown;
        }
        let Some(holders) = self.holders(function, place) else { return Stability::Unknown };
        if holders.iter().any(|it| !is_of_the_program(it)) {
            return Stability::Unknown;
        }
        let mut all = writers.properties.get(&key).into_iter().flatten().chain(&writers.any);
        let found = all.find(|(writer, written)| {
            self.holders(*writer, written)
                .is_none_or(|others| others.iter().any(|it| holders.contains(it)))
        });
        found.map_or(Stability::Fixed, |&(writer, _)| Stability::Written(writer))
    }

    /// The instructions that may call a function.
    #[must_use]
    pub fn callers(&self, function: FunctionRef) -> &[InstRef] {
        self.writers().callers.get(&function).map_or(&[], Vec::as_slice)
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

    fn named_reaction(&self, call: InstRef) -> Option<Native> {
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

    /// The functions that are given to what is taken for a promise, though nobody knows it.
    fn reacting(&self, call: InstRef) -> Vec<FunctionRef> {
        if self.named_reaction(call).is_none() || self.graph.callees(call).obstacle().is_none() {
            return Vec::new();
        }
        let ir = self.graph.files()[call.file as usize];
        let Inst::CallMethod { args, .. } = ir.inst(call.inst) else { return Vec::new() };
        let objects =
            ir.args(args).iter().flat_map(|&inst| self.graph.objects(InstRef { inst, ..call }));
        let functions = objects.filter_map(|it| match it {
            AbstractObject::Function(function) => Some(function),
            _ => None,
        });
        functions.collect()
    }

    fn root_stability(&self, place: &Place) -> Stability {
        match place.root {
            Root::Variable(file, var) => {
                let variable = self.graph.files()[file as usize].variable(var);
                let writer = self.writers().variables.get(&(file, var)).and_then(|it| it.first());
                match writer {
                    Some(&writer) => Stability::Written(writer),
                    None if variable.is_stable() => Stability::Fixed,
                    None => Stability::Unknown,
                }
            }
            Root::Global | Root::Unknown => Stability::Unknown,
            _ if place.is_deep => Stability::Unknown,
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
