//! What is below the objects that a call of a function makes itself: it may be older.

use headstart_callgraph::{AbstractObject, Exported, FunctionRef, InstRef, ObjectId, PathKey};
use headstart_ir::{Inst, InstId, PropKey};
use rustc_hash::FxHashSet;

use super::place::{Place, Root};
use super::roots::{Asked, LONGEST_TRACE, Rooted, Roots, sorted};
use super::row::arguments;
use super::trail::InLiteral;

/// How many things that keys lead to are told apart.
const MOST_FOUND: usize = 128;
/// How many fresh objects are looked through for all that is below something. What is below more may
/// be anything.
const MOST_BELOW: usize = 512;

/// How many objects are told apart that a query or a client keeps.
const MOST_KEPT: usize = 32;

/// How many literals are looked into for one value, one within the other.
const MOST_NESTED: usize = 2;

impl Roots<'_, '_> {
    /// The roots of objects: what this function makes itself is told from what is older.
    pub(crate) fn of_objects(&self, objects: Vec<ObjectId>) -> Vec<Rooted> {
        objects.into_iter().filter_map(|it| self.of_object(it)).collect()
    }

    fn of_object(&self, id: ObjectId) -> Option<Rooted> {
        if let Some(file) = self.all.graph.namespace_of(id) {
            return Some(Rooted::At(Place::new(Root::Exports(file))));
        }
        let object = self.all.graph.object(id);
        match object {
            AbstractObject::Fixed | AbstractObject::Data | AbstractObject::Outside => None,
            // Which call has made an iterator is not told apart.
            AbstractObject::OfCall(of) if self.is_generator(of) => {
                Some(Rooted::At(Place::new(Root::Unknown)))
            }
            _ => match self.place_of(object) {
                Some(place) => Some(Rooted::At(place)),
                None => Some(Rooted::Made(id)),
            },
        }
    }

    pub(super) fn is_generator(&self, function: FunctionRef) -> bool {
        let ir = self.all.graph.files()[function.file as usize];
        ir.function(function.function).is_generator
    }

    /// Objects that a call of this function makes.
    pub(crate) fn made(&self, objects: Vec<ObjectId>) -> impl Iterator<Item = Rooted> {
        let graph = &self.all.graph;
        objects.into_iter().filter_map(|id| match graph.object(id) {
            AbstractObject::Fixed | AbstractObject::Data | AbstractObject::Outside => None,
            AbstractObject::Unknown => Some(Rooted::At(Place::new(Root::Unknown))),
            _ => Some(Rooted::Made(id)),
        })
    }

    /// What is under a key of something.
    pub(crate) fn step(&self, of: Rooted, key: PathKey, steps: u32, into: &mut Vec<Rooted>) {
        match of {
            Rooted::At(place) => match place.root {
                Root::Exports(file) if place.keys.is_empty() => self.exported(file, key, into),
                _ => into.push(Rooted::At(place.then(key))),
            },
            // What holds the pairs of others has them under names: `Object.fromEntries(pairs).first`.
            Rooted::Holding(held) => into.push(*held),
            Rooted::Made(id) => {
                let before = into.len();
                self.held_by(id, key, steps, into);
                // An object of the platform that belongs to another has no number of its own.
                if self.is_local && into.len() == before {
                    into.extend(self.place_made(id).map(|it| Rooted::At(it.then(key))));
                }
            }
        }
    }

    /// What a file exports under a key: a variable, or a value that has no name.
    fn exported(&self, file: u32, key: PathKey, into: &mut Vec<Rooted>) {
        let graph = &self.all.graph;
        let exported = graph.exported_under(file, key);
        if exported.is_empty() {
            return into.push(Rooted::At(Place::new(Root::Exports(file)).then(key)));
        }
        for export in exported {
            match export {
                Exported::Variable(file, var) => {
                    into.push(Rooted::At(Place::new(Root::Variable(file, var))));
                }
                Exported::Value(at) => into.extend(self.of_objects(graph.value_objects(at))),
                Exported::Unknown => into.push(Rooted::At(Place::new(Root::Unknown))),
            }
        }
    }

    /// What is found by following keys.
    pub(crate) fn steps_below(&self, of: Vec<Rooted>, keys: &[PathKey]) -> Vec<Rooted> {
        Self::following(|| {
            let mut found = of;
            for &key in keys {
                let mut next = Vec::new();
                // Many things hold the same few: those that are there already go before they are sorted.
                let (mut seen, mut distinct) = (FxHashSet::default(), 0);
                for it in found {
                    self.step(it, key, LONGEST_TRACE / 2, &mut next);
                    if next.len() > distinct + MOST_FOUND {
                        let new = next.split_off(distinct);
                        next.extend(new.into_iter().filter(|it| seen.insert(it.clone())));
                        distinct = next.len();
                    }
                    if distinct > MOST_FOUND {
                        break;
                    }
                }
                // Of very many things it is not told apart what each holds: it is anything.
                found = sorted(next);
                if found.len() > MOST_FOUND {
                    found = vec![Rooted::At(Place::new(Root::Unknown))];
                }
            }
            found
        })
    }

    /// What a fresh object holds: what its literal says by where that comes from, the rest by the
    /// objects that it may be.
    fn held_by(&self, id: ObjectId, key: PathKey, steps: u32, into: &mut Vec<Rooted>) {
        // What it holds is put there by something that it holds: nothing new.
        if InLiteral::is_open(id, key) && self.own(id).is_some() {
            return;
        }
        let is_alone = self.is_alone(id);
        if let Some(_looking) = InLiteral::begin(id, key, MOST_NESTED)
            && (self.held_by_own(id, key, steps, into)
                || self.held_by_literal(id, key, steps, into))
        {
            return;
        }
        let held = || self.all.graph.held(id, key, is_alone);
        into.extend(self.known_roots(Asked::Held(id, key, is_alone), held));
    }

    /// What an object holds that is a literal of this function, which nobody else has before that returns.
    fn own(&self, id: ObjectId) -> Option<impl Iterator<Item = (Option<PropKey>, InstId)>> {
        let graph = &self.all.graph;
        let AbstractObject::Made(at) = graph.object(id) else { return None };
        let is_here = graph.function_at(at) == self.function;
        is_here.then(|| self.stores[at.file as usize].own(self.ir(), at.inst)).flatten()
    }

    /// What such a literal holds under a key; whether it is one.
    fn held_by_own(&self, id: ObjectId, key: PathKey, steps: u32, into: &mut Vec<Rooted>) -> bool {
        let (Some(held), Some(steps)) = (self.own(id), steps.checked_sub(1)) else { return false };
        for (_, value) in held.filter(|it| self.is_under(self.function.file, it.0, key)) {
            self.collect(value, steps, into);
        }
        true
    }

    /// Whether what a literal of a file says of a key may be under another one.
    fn is_under(&self, file: u32, set: Option<PropKey>, key: PathKey) -> bool {
        let set = set.map_or(PathKey::ANY, |it| self.all.graph.key(file, it));
        set == key || set == PathKey::ANY || key == PathKey::ANY
    }

    /// What the literal of a fresh object says that it holds; whether that is all.
    fn held_by_literal(
        &self,
        id: ObjectId,
        key: PathKey,
        steps: u32,
        into: &mut Vec<Rooted>,
    ) -> bool {
        let graph = &self.all.graph;
        let (AbstractObject::Made(at), Some(steps)) = (graph.object(id), steps.checked_sub(1))
        else {
            return false;
        };
        let Some(held) = self.stores[at.file as usize].literal(at.inst) else { return false };
        let is_here = graph.function_at(at) == self.function;
        let is_as_made = graph.is_as_made(id, key, self.is_alone(id));
        for &(_, value) in held.iter().filter(|it| self.is_under(at.file, it.0, key)) {
            if is_here {
                self.collect(value, steps, into);
            } else if is_as_made {
                self.held_elsewhere(InstRef { inst: value, ..at }, into);
            }
        }
        is_as_made
    }

    /// Whether nobody else changes a fresh object while this function runs: unknown code runs where it
    /// is called, which is an effect of its own, or while the function waits.
    fn is_alone(&self, id: ObjectId) -> bool {
        if !self.waits {
            return true;
        }
        match self.all.graph.object(id) {
            AbstractObject::Made(at) => {
                let ir = self.all.graph.files()[at.file as usize];
                self.stores[at.file as usize].is_private(ir, at.inst)
            }
            _ => false,
        }
    }

    /// A value that a literal of another function is made with: what is made with it is as fresh.
    fn held_elsewhere(&self, value: InstRef, into: &mut Vec<Rooted>) {
        let graph = &self.all.graph;
        let objects = graph.value_objects(value);
        match graph.files()[value.file as usize].inst(value.inst) {
            Inst::Object | Inst::Array(_) | Inst::Closure(_) => into.extend(self.made(objects)),
            _ => into.extend(self.of_objects(objects)),
        }
    }

    /// The places of what is found by following keys from something.
    pub(crate) fn places_below(
        &self,
        of: &[Rooted],
        keys: &[PathKey],
        is_deep: bool,
    ) -> Vec<Place> {
        sorted(if is_deep {
            Self::following(|| self.all_below(self.steps_below(of.to_vec(), keys)))
        } else {
            self.held_places(of, keys)
        })
    }

    /// The places themselves that keys lead to: those of fresh objects do not count.
    fn held_places(&self, of: &[Rooted], keys: &[PathKey]) -> Vec<Place> {
        let Some((&last, way)) = keys.split_last() else { return self.places(of.to_vec()) };
        self.places(self.steps_below(of.to_vec(), way))
            .into_iter()
            .map(|it| it.then(last))
            .collect()
    }

    /// What an object keeps of what it was made with, and is not its alone: a list in the condition of a query, the
    /// headers of a client.
    pub(crate) fn kept_places(&self, value: InstId) -> Vec<Place> {
        sorted(Self::following(|| {
            let graph = &self.all.graph;
            let mut found = Vec::new();
            let mut pending = Vec::new();
            let held = |id| {
                let held = graph.held(id, PathKey::ANY, self.is_alone(id)).into_iter();
                held.chain(graph.kept(id)).collect::<Vec<_>>()
            };
            let mut seen: FxHashSet<ObjectId> =
                graph.value_objects(self.at(value)).into_iter().collect();
            let mut objects: Vec<ObjectId> = seen.iter().flat_map(|&it| held(it)).collect();
            self.kept_by_makers(value, &mut FxHashSet::default(), &mut pending);
            while let Some(it) = pending.pop() {
                match it {
                    Rooted::Holding(it) => pending.push(*it),
                    Rooted::Made(id) => objects.push(id),
                    Rooted::At(place) => match self.standing_at(&place) {
                        ids if ids.is_empty() => found.push(Rooted::At(place)),
                        ids => objects.extend(ids),
                    },
                }
            }
            while let Some(id) = objects.pop() {
                if !seen.insert(id) {
                    continue;
                }
                // What a literal holds has places of its own. Of very many it is not told apart what each holds.
                let object = graph.object(id);
                if matches!(object, AbstractObject::Made(_)) && seen.len() <= MOST_KEPT {
                    objects.extend(held(id));
                }
                let is_known = !matches!(object, AbstractObject::Unknown | AbstractObject::Outside);
                if is_known && !graph.is_keeper_object(id) && !self.is_only_handed(id) {
                    found.extend(self.of_object(id));
                }
                if found.len() > MOST_KEPT {
                    break;
                }
            }
            self.all_below(found)
        }))
    }

    /// What the calls are given that make an object which keeps that: `db.select().from(table).where(condition)`.
    fn kept_by_makers(&self, value: InstId, seen: &mut FxHashSet<InstId>, into: &mut Vec<Rooted>) {
        if seen.len() > MOST_BELOW || !seen.insert(value) {
            return;
        }
        let ir = self.ir();
        let receiver = match ir.inst(value) {
            Inst::LoadVar(var) => {
                let always = self.all.graph.always(self.function.file, var);
                let several = self.stores[self.function.file as usize].several.get(&var);
                for &stored in always.iter().chain(several.into_iter().flatten()) {
                    self.kept_by_makers(stored, seen, into);
                }
                return;
            }
            Inst::CallMethod { object, .. } => Some(object),
            Inst::Call { .. } | Inst::New { .. } => None,
            _ => return,
        };
        let callees = self.all.callees(self.at(value));
        if !callees.modelled.iter().any(|it| self.all.graph.keeps_given(it)) {
            return;
        }
        let args = arguments(ir.inst(value)).map(|it| ir.args(it)).unwrap_or_default();
        for &arg in args.iter().filter(|it| !self.all.graph.is_primitive(self.at(**it))) {
            self.collect(arg, LONGEST_TRACE / 2, into);
        }
        if let Some(receiver) = receiver {
            self.kept_by_makers(receiver, seen, into);
        }
    }

    /// Whether an object is a literal that the program has nowhere but in a call that it is given to.
    fn is_only_handed(&self, id: ObjectId) -> bool {
        let AbstractObject::Made(at) = self.all.graph.object(id) else { return false };
        let ir = self.all.graph.files()[at.file as usize];
        self.stores.get(at.file as usize).is_some_and(|it| it.is_only_handed(ir, at.inst))
    }

    /// What stands for all that is below very much.
    pub(super) fn anything_below() -> Place {
        let mut place = Place::new(Root::Unknown).then(PathKey::ANY).then(PathKey::ANY);
        place.is_deep = true;
        place
    }

    /// The objects that a place is, where it is what an instruction makes.
    fn standing_at(&self, place: &Place) -> Vec<ObjectId> {
        let (Root::Made(at), []) = (place.root, &*place.keys) else { return Vec::new() };
        let graph = &self.all.graph;
        let mut objects = graph.value_objects(at);
        objects.retain(|it| graph.object(*it) == AbstractObject::Made(at));
        objects
    }

    /// Everything below roots that is older than this call.
    fn all_below(&self, of: Vec<Rooted>) -> Vec<Place> {
        let mut places = Vec::new();
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        let mut pending = of;
        while let Some(it) = pending.pop() {
            if seen.len() > MOST_BELOW {
                places.push(Self::anything_below());
                break;
            }
            match it {
                Rooted::At(mut place) => {
                    place.is_deep = true;
                    places.push(place);
                }
                Rooted::Holding(held) => pending.push(*held),
                Rooted::Made(id) => {
                    if seen.insert(id) {
                        if let Some(mut place) = self.place_made(id).filter(|_| self.is_local) {
                            place.is_deep = true;
                            places.push(place);
                        }
                        self.held_by(id, PathKey::ANY, LONGEST_TRACE / 2, &mut pending);
                    }
                }
            }
        }
        places
    }
}
