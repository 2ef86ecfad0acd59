//! What is at the end of an access path. Paths begin alike, and many things are the same few objects:
//! each set of objects is kept once, and what is under a key of one is worked out once.

use std::sync::Arc;

use headstart_ir::VarId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{AbstractObject, PathKey};
use crate::graph::CallGraph;
use crate::held::ObjectId;
use crate::ids::{ClassRef, FunctionRef, InstRef, Node, Object, id};
use crate::object::Kind;

/// Where an access path starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// A parameter, by its position.
    Parameter(FunctionRef, u32),
    /// `this` of a function.
    This(FunctionRef),
    /// A variable, by file.
    Variable(u32, VarId),
    /// The value of an instruction.
    Value(InstRef),
    /// What an instruction makes: its value, and what that holds of the same making (a list and its pairs).
    Made(InstRef),
    /// The instances of a class.
    Instance(ClassRef),
    /// A class.
    Class(ClassRef),
    /// What a CommonJS file exports.
    Exports(u32),
}

/// How many objects are kept in sets. Where there are more, what is asked again is worked out again.
const MOST_KEPT: usize = 1 << 20;

/// How many objects below something are told apart; below more may be anything.
const MOST_BELOW: usize = 512;

/// So many prototypes are looked at.
const MOST_PROTOTYPES: usize = 64;

/// What has been found at the end of paths. Sets are known by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Reaches {
    sets: Vec<Arc<[ObjectId]>>,
    numbers: FxHashMap<Arc<[ObjectId]>, u32>,
    /// What each object of a set, or of one object, holds under a key.
    under: FxHashMap<(u32, PathKey), u32>,
    held: FxHashMap<(ObjectId, PathKey), u32>,
    /// All that can be reached from the objects of a set; none where that is too much.
    below: FxHashMap<u32, Option<u32>>,
    /// What the objects of a set are, each once; with what they inherit from where that is asked.
    abstracted: FxHashMap<(u32, bool), Arc<[AbstractObject]>>,
    /// How many objects are kept, and how many have been looked at in all.
    kept: usize,
    work: u64,
}

impl Reaches {
    /// The number of a set.
    fn number(&mut self, mut objects: Vec<ObjectId>) -> u32 {
        objects.sort_unstable();
        objects.dedup();
        if let Some(&known) = self.numbers.get(objects.as_slice()) {
            return known;
        }
        let number = id(self.sets.len());
        let objects: Arc<[ObjectId]> = objects.into();
        self.kept += 1 + objects.len();
        self.numbers.insert(Arc::clone(&objects), number);
        self.sets.push(objects);
        number
    }

    fn set(&self, number: u32) -> Arc<[ObjectId]> {
        Arc::clone(&self.sets[number as usize])
    }

    /// Makes room where very much is kept; numbers do not hold any more then.
    fn make_room(&mut self) {
        if self.kept > MOST_KEPT {
            *self = Self { work: self.work, ..Self::default() };
        }
    }
}

impl<'p> CallGraph<'p> {
    /// What may be found by following keys from a start, each once and in order; what is there itself
    /// where there are no keys.
    #[must_use]
    pub fn reached(&self, start: Start, keys: &[PathKey]) -> Arc<[AbstractObject]> {
        self.reached_as(start, keys, false)
    }

    /// The same with what those inherit from that have got a prototype (`Object.create(a)`, `__proto__: a`):
    /// reading a property of them reads it there, where they have none of their own.
    #[must_use]
    pub fn reached_with_prototypes(&self, start: Start, keys: &[PathKey]) -> Arc<[AbstractObject]> {
        self.reached_as(start, keys, self.solver.props.has_prototypes)
    }

    fn reached_as(
        &self,
        start: Start,
        keys: &[PathKey],
        with_prototypes: bool,
    ) -> Arc<[AbstractObject]> {
        let mut known = self.reaches.get();
        known.make_room();
        let set = self.reached_set(&mut known, self.started(start), keys);
        if let Some(found) = known.abstracted.get(&(set, with_prototypes)) {
            return Arc::clone(found);
        }
        let objects = known.set(set);
        let found = match with_prototypes {
            true => self.abstractions(&self.inherited(&objects)),
            false => self.abstractions(&objects),
        };
        known.kept += 1 + found.len();
        known.work += objects.len() as u64;
        let found: Arc<[AbstractObject]> = found.into();
        known.abstracted.insert((set, with_prototypes), Arc::clone(&found));
        found
    }

    /// Objects, and what they inherit from, as far as the program has put something there.
    fn inherited(&self, objects: &[ObjectId]) -> Vec<ObjectId> {
        let mut all = objects.to_vec();
        let prototypes = objects.iter().flat_map(|it| self.prototypes(it.0));
        all.extend(prototypes.take(MOST_PROTOTYPES).map(ObjectId));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What objects are, each once and in order.
    fn abstractions(&self, objects: &[ObjectId]) -> Vec<AbstractObject> {
        let mut found: Vec<AbstractObject> = objects.iter().map(|&it| self.object(it)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What is at the end of a path, as the analysis tells objects apart.
    #[must_use]
    pub fn reached_objects(&self, start: Start, keys: &[PathKey]) -> Arc<[ObjectId]> {
        let started = self.started(start);
        if keys.is_empty() {
            return started.into_iter().map(ObjectId).collect();
        }
        let mut known = self.reaches.get();
        known.make_room();
        let set = self.reached_set(&mut known, started, keys);
        known.set(set)
    }

    /// What is at the end of a path, and all that can be reached from there; none where that is more than
    /// [`MOST_BELOW`] objects.
    #[must_use]
    pub fn reached_below(&self, start: Start, keys: &[PathKey]) -> Option<Arc<[ObjectId]>> {
        let started = self.started(start);
        let mut known = self.reaches.get();
        known.make_room();
        let from = self.reached_set(&mut known, started, keys);
        let found = match known.below.get(&from) {
            Some(&found) => found,
            None => {
                let found = self.all_below(&mut known, from).map(|it| known.number(it));
                known.below.insert(from, found);
                found
            }
        };
        found.map(|it| known.set(it))
    }

    fn all_below(&self, known: &mut Reaches, from: u32) -> Option<Vec<ObjectId>> {
        let mut found = known.set(from).to_vec();
        let mut seen: FxHashSet<ObjectId> = found.iter().copied().collect();
        let mut next = 0;
        while let Some(&object) = found.get(next) {
            next += 1;
            if found.len() > MOST_BELOW {
                return None;
            }
            let held = self.held_set(known, object, PathKey::ANY);
            found.extend(known.sets[held as usize].iter().filter(|it| seen.insert(**it)));
        }
        known.work += found.len() as u64;
        Some(found)
    }

    /// What an object holds under a key, as far as the program and unknown code may have put it there.
    #[must_use]
    pub fn held_by_any(&self, object: ObjectId, key: PathKey) -> Arc<[ObjectId]> {
        let mut known = self.reaches.get();
        known.make_room();
        let set = self.held_set(&mut known, object, key);
        known.set(set)
    }

    /// How many objects have been looked at for those who follow paths on this thread.
    #[must_use]
    pub fn followed(&self) -> u64 {
        self.reaches.get().work
    }

    fn reached_set(&self, known: &mut Reaches, from: Vec<Object>, keys: &[PathKey]) -> u32 {
        let mut set = known.number(from.into_iter().map(ObjectId).collect());
        for &key in keys {
            set = match known.under.get(&(set, key)) {
                Some(&found) => found,
                None => {
                    let mut objects = Vec::new();
                    for &object in known.set(set).iter() {
                        let held = self.held_set(known, object, key);
                        objects.extend_from_slice(&known.sets[held as usize]);
                    }
                    known.work += 1 + objects.len() as u64;
                    let found = known.number(objects);
                    known.under.insert((set, key), found);
                    found
                }
            };
        }
        set
    }

    fn held_set(&self, known: &mut Reaches, object: ObjectId, key: PathKey) -> u32 {
        if let Some(&found) = known.held.get(&(object, key)) {
            return found;
        }
        let held = self.held(object, key, false);
        known.work += 1 + held.len() as u64;
        let found = known.number(held);
        known.held.insert((object, key), found);
        found
    }

    fn started(&self, start: Start) -> Vec<Object> {
        let numbering = &self.solver.numbering;
        let function = |it: FunctionRef| {
            self.solver.functions[numbering.function(it.file as usize, it.function) as usize]
        };
        let class = |it: ClassRef| numbering.class(it.file as usize, it.class);
        let node = match start {
            Start::Parameter(of, position) => {
                let nodes = function(of);
                if position < nodes.count { Node(nodes.params.0 + position) } else { nodes.rest }
            }
            Start::This(of) => function(self.receiving(of)).this,
            Start::Variable(file, var) => {
                let (file, var) = self.imported(file, var).unwrap_or((file, var));
                match self.always(file, var) {
                    Some(value) => {
                        return self.started(Start::Value(InstRef { file, inst: value }));
                    }
                    None => self.solver.variables[numbering.variable(file as usize, var) as usize],
                }
            }
            Start::Value(at) => {
                self.solver.values[numbering.inst(at.file as usize, at.inst) as usize]
            }
            Start::Made(at) => {
                let mut all = self.started(Start::Value(at));
                all.extend(self.made_together.get(&at).into_iter().flatten());
                return all;
            }
            Start::Instance(of) => return self.known(Kind::Instance(class(of))),
            Start::Class(of) => return self.known(Kind::Class(class(of))),
            Start::Exports(file) => return self.known(Kind::Exports(file)),
        };
        self.solver.flow.objects(node).collect()
    }

    fn known(&self, kind: Kind<'p>) -> Vec<Object> {
        self.solver.objects.existing(kind).into_iter().collect()
    }
}
