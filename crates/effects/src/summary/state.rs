//! The state of objects that methods look at: the entries of a map, the elements of a list.

use std::sync::Arc;

use headstart_callgraph::{FunctionRef, InstRef, ObjectId, PathKey};
use headstart_ir::{FileIr, Inst, InstId, Key, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::conflict::start;
use super::place::Place;
use super::writers::is_of_the_program;
use super::{Stability, Summaries};

/// How many variables a value is followed back through.
const LONGEST_TRACE: usize = 8;

/// What is written, by the objects that are, each with the first who does so.
#[derive(Debug, Default)]
pub(crate) struct Holdings {
    of_object: FxHashMap<ObjectId, Vec<(PathKey, FunctionRef)>>,
    /// Somebody who writes objects that are not known.
    everywhere: Option<FunctionRef>,
}

impl Holdings {
    fn of(all: &Summaries<'_>) -> Self {
        let mut found = Self::default();
        let mut seen: FxHashSet<(ObjectId, PathKey)> = FxHashSet::default();
        for (writer, place) in all.writers().places() {
            if all.graph.is_stopped() {
                break;
            }
            let Some(objects) = all.written_objects(*writer, place) else {
                found.everywhere.get_or_insert(*writer);
                continue;
            };
            let key = place.keys.last().filter(|_| !place.is_deep).copied();
            for &object in objects.iter() {
                let key = key.unwrap_or(PathKey::ANY);
                if seen.insert((object, key)) {
                    found.of_object.entry(object).or_default().push((key, *writer));
                }
            }
        }
        found
    }
}

impl Summaries<'_> {
    /// The objects that a write of a place changes, where the program made them; none where that
    /// cannot be told. What nobody knows is something that unknown code has had in its hands.
    fn written_objects(&self, function: FunctionRef, place: &Place) -> Option<Arc<[ObjectId]>> {
        if place.is_unknown() {
            return Some(Arc::default());
        }
        let start = start(function, place.root)?;
        if !place.is_deep {
            let (_, way) = place.keys.split_last()?;
            return Some(self.graph.reached_objects(start, way));
        }
        self.graph.reached_below(start, &place.keys)
    }

    /// Whether what methods of an object look at may change while others run.
    pub(super) fn state_stability(&self, function: FunctionRef, place: &Place) -> Stability {
        let objects = match (start(function, place.root), place.keys.split_last()) {
            (Some(start), Some((_, way))) => self.graph.reached_objects(start, way),
            _ => Arc::default(),
        };
        if objects.is_empty() {
            return Stability::Unknown;
        }
        self.stability_of(&objects)
    }

    /// Whether anything that can be reached from what a place holds may change while others run.
    pub(super) fn deep_stability(&self, function: FunctionRef, place: &Place) -> Stability {
        match self.written_objects(function, place) {
            Some(objects) => self.stability_of(&objects),
            None => Stability::Unknown,
        }
    }

    /// Whether what methods of some objects look at may change while others run.
    fn stability_of(&self, objects: &[ObjectId]) -> Stability {
        let is_known = |it: &ObjectId| is_of_the_program(&self.graph.object(*it));
        if !objects.iter().all(is_known) {
            return Stability::Unknown;
        }
        if self.supposes() {
            return Stability::Fixed;
        }
        let holdings = self.holdings.get_or_init(|| Holdings::of(self));
        let changes = |object: &ObjectId| {
            let written = holdings.of_object.get(object)?;
            let is_state = |(key, _): &&(PathKey, FunctionRef)| {
                *key == PathKey::ANY || self.graph.has_state_under(*object, *key)
            };
            written.iter().find(is_state).map(|it| it.1)
        };
        if let Some(writer) = objects.iter().find_map(changes).or(holdings.everywhere) {
            return Stability::Written(writer);
        }
        let is_shared = objects.iter().any(|it| self.graph.is_in_other_hands(*it));
        if is_shared { Stability::Unknown } else { Stability::Fixed }
    }

    /// Whether a value is a Proxy that the program makes: looking at it runs code.
    #[must_use]
    pub fn is_proxy(&self, value: InstRef) -> bool {
        if !self.has_proxies {
            return false;
        }
        let mut at = value;
        for _ in 0..LONGEST_TRACE {
            let ir = self.graph.files()[at.file as usize];
            match ir.inst(at.inst) {
                Inst::LoadVar(var) => {
                    let (file, var) = match ir.variable(var).kind {
                        VarKind::Import => match self.graph.imported(at.file, var) {
                            Some(found) => found,
                            None => return false,
                        },
                        _ => (at.file, var),
                    };
                    match self.graph.always(file, var) {
                        Some(inst) => at = InstRef { file, inst },
                        None => return false,
                    }
                }
                // `Proxy.revocable(…).proxy`
                Inst::Get { object, key } if matches!(key.get(), Key::Name(name) if ir.name(name) == "proxy") =>
                {
                    at.inst = object;
                }
                inst => return is_new_proxy(ir, inst),
            }
        }
        false
    }
}

/// Whether a file makes a Proxy.
pub(super) fn makes_proxies(ir: &FileIr) -> bool {
    ir.insts.iter().any(|&inst| is_new_proxy(ir, inst))
}

/// Whether an instruction makes a Proxy.
pub(crate) fn is_new_proxy(ir: &FileIr, inst: Inst) -> bool {
    let is_proxy =
        |it: InstId| matches!(ir.inst(it), Inst::LoadGlobal(name) if ir.name(name) == "Proxy");
    match inst {
        Inst::New { callee, .. } => is_proxy(callee),
        // `Proxy.revocable(…)`
        Inst::CallMethod { object, .. } => is_proxy(object),
        _ => false,
    }
}
