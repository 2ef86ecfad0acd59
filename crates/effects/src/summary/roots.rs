//! Where values come from: the access paths that lead to them from outside a function.

use headstart_callgraph::{
    AbstractObject, FunctionRef, InstRef, Modelled, ObjectId, PathKey, SetId, Start,
};
use headstart_ir::{FileIr, FunctionKind, Inst, InstId, Key, Literal, MemberKind, VarId, VarKind};
use headstart_models::{Call, Flow, ResultKind};
use rustc_hash::FxHashMap;

use super::Summaries;
use super::place::{Place, Root};
use super::readers::callee;
use super::stores::Stores;
use super::trail::{InLiteral, Literals, Trail};

/// How far a value is followed back.
pub(crate) const LONGEST_TRACE: u32 = 16;
/// Of how many things at most it is looked up what each holds: of more, it is what objects hold.
const MOST_HOLDERS: usize = 24;
/// How many values are looked at, at most, to follow one back: where each may come from several, their
/// number grows with every step. The others are the objects that they may be.
const MOST_TRACED: u32 = 1000;

/// Through how many values and functions it is followed what a cache gives again.
const LONGEST_SHARING: u32 = 6;

/// How many roots are kept for a function; where there are more, they are looked up again.
const MOST_KEPT: usize = 50_000;

/// Where a value may come from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Rooted {
    /// It is what a place holds.
    At(Place),
    /// It is a container that this call of the function makes, and what it holds comes from there.
    Holding(Box<Rooted>),
    /// It is one of the objects that this call of the function makes.
    Made(ObjectId),
}

/// What roots are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Asked {
    /// The objects that a value may be.
    Set(SetId),
    /// What an object holds under a key, perhaps while nobody else has it.
    Held(ObjectId, PathKey, bool),
}

/// The roots of objects, as one function sees them: it asks for the same ones again and again.
#[derive(Debug, Default)]
pub(crate) struct KnownRoots {
    /// The function, and whether what it makes itself is named.
    whose: Option<(FunctionRef, bool)>,
    known: FxHashMap<Asked, Vec<Rooted>>,
    /// What its variables are, as long as what its callees do stays as it is.
    followed: FxHashMap<Followed, Vec<Rooted>>,
    kept: usize,
}

/// A variable that is followed back.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Followed {
    var: VarId,
    /// How many steps at most.
    steps: u32,
    /// [`Roots::is_bare`] and [`Roots::waits`] of who follows it.
    how: (bool, bool),
    /// The literals that are being looked into.
    within: Literals,
}

impl KnownRoots {
    fn get(&self, whose: (FunctionRef, bool), asked: &Asked) -> Option<&[Rooted]> {
        if self.whose != Some(whose) {
            return None;
        }
        self.known.get(asked).map(Vec::as_slice)
    }

    fn keep(&mut self, whose: (FunctionRef, bool), asked: Asked, found: &[Rooted]) {
        self.make_room(whose, found.len());
        self.known.insert(asked, found.to_vec());
    }

    fn followed(&self, whose: (FunctionRef, bool), asked: &Followed) -> Option<&[Rooted]> {
        if self.whose != Some(whose) {
            return None;
        }
        self.followed.get(asked).map(Vec::as_slice)
    }

    fn keep_followed(&mut self, whose: (FunctionRef, bool), asked: Followed, found: Vec<Rooted>) {
        self.make_room(whose, found.len());
        self.followed.insert(asked, found);
    }

    /// Forgets what variables are: a function is gone over again.
    pub(crate) fn forget_followed(&mut self) {
        self.followed.clear();
    }

    fn make_room(&mut self, whose: (FunctionRef, bool), count: usize) {
        if self.whose != Some(whose) || self.kept > MOST_KEPT {
            self.whose = Some(whose);
            self.known.clear();
            self.followed.clear();
            self.kept = 0;
        }
        self.kept += 1 + count;
    }
}

/// The places among roots.
pub(crate) fn at_places(found: Vec<Rooted>) -> Vec<Place> {
    let at = found.into_iter().filter_map(|it| match it {
        Rooted::At(place) => Some(place),
        Rooted::Holding(_) | Rooted::Made(_) => None,
    });
    sorted(at.collect())
}

/// Each of them once. They come as lists in order, one behind the other, which a stable sort only merges.
pub(crate) fn sorted<T: Ord>(mut all: Vec<T>) -> Vec<T> {
    all.sort();
    all.dedup();
    all
}

/// Follows values of one function back.
#[derive(Clone, Copy)]
pub(crate) struct Roots<'a, 'p> {
    pub(crate) all: &'a Summaries<'p>,
    pub(crate) stores: &'a [Stores],
    pub(crate) function: FunctionRef,
    /// Whether what the function makes itself is named as well: for what happens inside it.
    pub(crate) is_local: bool,
    /// Whether the function is looked at without what its parameters do that it calls.
    pub(crate) is_bare: bool,
    /// Whether the function may be suspended.
    pub(crate) waits: bool,
}

impl<'p> Roots<'_, 'p> {
    pub(crate) fn ir(&self) -> &'p FileIr {
        self.all.graph.files()[self.function.file as usize]
    }

    pub(crate) fn at(&self, inst: InstId) -> InstRef {
        InstRef { file: self.function.file, inst }
    }

    /// The places that hold what a value is; none for what the function has made itself, and for
    /// what nobody can change.
    pub(crate) fn of(&self, value: InstId) -> Vec<Place> {
        self.places(self.rooted(value))
    }

    /// The instruction that a value always comes from, where it is a variable; none where there are several.
    pub(super) fn made_by(&self, value: InstId) -> Option<InstId> {
        match self.ir().inst(value) {
            Inst::LoadVar(var) => self.all.graph.always(self.function.file, var),
            _ => Some(value),
        }
    }

    /// The places among roots; what the function makes itself is one where such are named.
    pub(crate) fn places(&self, found: Vec<Rooted>) -> Vec<Place> {
        if !self.is_local {
            return at_places(found);
        }
        let named = found.into_iter().filter_map(|it| match it {
            Rooted::At(place) => Some(place),
            Rooted::Made(id) => self.place_made(id),
            Rooted::Holding(_) => None,
        });
        sorted(named.collect())
    }

    /// The place of an object that the function makes itself.
    pub(crate) fn place_made(&self, id: ObjectId) -> Option<Place> {
        let root = match self.all.graph.object(id) {
            AbstractObject::Made(at) => Root::Made(at),
            AbstractObject::Instance(class) => Root::Instance(class),
            AbstractObject::Class(class) | AbstractObject::Prototype(class) => Root::Static(class),
            AbstractObject::Exports(file) => Root::Exports(file),
            AbstractObject::Fixed
            | AbstractObject::Data
            | AbstractObject::Outside
            | AbstractObject::Module(_) => return None,
            AbstractObject::OfCall(_)
            | AbstractObject::Function(_)
            | AbstractObject::InstanceOf(_)
            | AbstractObject::Unknown => Root::Unknown,
        };
        Some(Place::new(root))
    }

    /// Where a value may come from.
    pub(crate) fn rooted(&self, value: InstId) -> Vec<Rooted> {
        Self::following(|| {
            let mut found = Vec::new();
            self.collect(value, LONGEST_TRACE, &mut found);
            sorted(found)
        })
    }

    /// Follows something back, with all that this leads to counted together.
    pub(crate) fn following<T>(follow: impl FnOnce() -> T) -> T {
        let _trail = Trail::begin();
        follow()
    }

    /// The places that hold what is under a key of a value.
    pub(crate) fn under(&self, value: InstId, key: PathKey) -> Vec<Place> {
        self.places_below(&self.rooted(value), &[key], false)
    }

    pub(crate) fn collect(&self, value: InstId, steps: u32, into: &mut Vec<Rooted>) {
        let Some(steps) = steps.checked_sub(1).filter(|_| Trail::count() < MOST_TRACED) else {
            return into.extend(self.by_objects(value));
        };
        let ir = self.ir();
        match ir.inst(value) {
            Inst::LoadVar(var) => self.variable(value, var, steps, into),
            Inst::Param(position) => {
                into.push(Rooted::At(Place::new(Root::Parameter(position))));
            }
            // A constructor's `this` is what it makes.
            Inst::This | Inst::Super if self.is_constructor() => {
                self.made_here(value, into);
            }
            Inst::This | Inst::Super => into.push(Rooted::At(Place::new(Root::This))),
            Inst::LoadGlobal(name) if self.all.is_assigned_global(ir.name(name)) => {
                into.push(Rooted::At(self.global(name)));
            }
            Inst::Get { object, key }
                if super::is_global_object(ir, object)
                    && matches!(key.get(), Key::Name(name)
                        if self.all.is_assigned_global(ir.name(name))) =>
            {
                let key = self.all.graph.key(self.function.file, key);
                into.push(Rooted::At(Place::new(Root::Global).then(key)));
            }
            Inst::Get { object, key } => {
                let key = self.all.graph.key(self.function.file, key);
                if let Some(file) = self.all.graph.module_object(self.at(object)) {
                    return into.push(Rooted::At(Place::new(Root::Exports(file))));
                }
                // What a getter returns is not what is under its name.
                if self.all.graph.has_accessor(self.at(value)) {
                    into.extend(self.by_objects(value));
                    if self.all.graph.is_accessor(self.at(object), key, MemberKind::Getter) {
                        return;
                    }
                }
                self.below(value, object, key, steps, into);
                if self.is_awaited(object) {
                    self.found_here(value, into);
                }
            }
            // What an iterator of the program gives is not what the object holds.
            Inst::Iterate(_) | Inst::IterateAsync(_)
                if self.all.graph.has_accessor(self.at(value)) =>
            {
                into.extend(self.by_objects(value));
            }
            Inst::Iterate(of) | Inst::IterateAsync(of) => {
                let mut pairs = Vec::new();
                self.below(value, of, PathKey::ANY, steps, &mut pairs);
                if matches!(ir.inst(value), Inst::IterateAsync(_)) {
                    self.found_here(value, into);
                }
                // The elements of a map are fresh pairs.
                let is_map = self.all.graph.is_map(self.at(of));
                let hold = |it| if is_map { Rooted::Holding(Box::new(it)) } else { it };
                into.extend(pairs.into_iter().map(hold));
            }
            Inst::Select(left, right) => {
                self.collect(left, steps, into);
                self.collect(right, steps, into);
            }
            Inst::Await(of) => match ir.inst(of) {
                Inst::DynamicImport { .. } => self.found_here(value, into),
                Inst::Call { .. } | Inst::CallMethod { .. }
                    if self.is_fresh(of) && self.is_promise_only(of) && self.is_of_async(of) =>
                {
                    self.made_here(value, into);
                }
                Inst::Call { .. } | Inst::CallMethod { .. } => {
                    self.found_here(value, into);
                    if self.is_shared(of) {
                        into.push(Rooted::At(Place::new(Root::Unknown)));
                    }
                }
                _ => {
                    self.collect(of, steps, into);
                    // What a promise is fulfilled with is another object than the promise.
                    if self.holds_other(value, of) {
                        self.found_here(value, into);
                    }
                }
            },
            Inst::Call { .. } | Inst::CallMethod { .. } => {
                let before = into.len();
                self.result(value, steps, into);
                self.name_by_place(value, before, into);
            }
            // An array over the memory of another: `new Uint8Array(bytes.buffer)`.
            Inst::New { .. } => {
                let callees = self.all.callees(self.at(value));
                if self.all.may_construct_other(&callees.functions) {
                    self.found_here(value, into);
                }
                self.made_here(value, into);
                let is_view = |it: &Modelled<'_>| {
                    it.native.is_none() && it.call.is_some_and(|row| !row.returns.is_empty())
                };
                if callees.functions.is_empty() && callees.modelled.iter().any(is_view) {
                    self.result(value, steps, into);
                }
            }
            Inst::Object
            | Inst::Array(_)
            | Inst::Closure(_)
            | Inst::Class(_)
            | Inst::Rest(_)
            | Inst::RestParam(_)
            | Inst::Literal(Literal::RegExp { .. }) => {
                self.made_here(value, into);
            }
            Inst::Literal(_) => {}
            // A file of data is one object for all who ask for it.
            Inst::Require(_) => {
                let objects = self.all.graph.value_objects(self.at(value));
                if objects.iter().any(|it| self.all.graph.object(*it) == AbstractObject::Data) {
                    into.push(Rooted::At(Place::new(Root::Unknown)));
                }
                into.extend(self.of_objects(objects));
            }
            Inst::Caught if self.catches_own_errors() => {}
            _ => self.found_here(value, into),
        }
    }

    /// What the function makes by an instruction.
    fn made_here(&self, value: InstId, into: &mut Vec<Rooted>) {
        let before = into.len();
        into.extend(self.made(self.all.graph.value_objects(self.at(value))));
        self.name_by_place(value, before, into);
    }

    /// Whether a call is of functions of the program whose promises are fulfilled with what they return: they are `async`.
    /// Others return a promise, which says nothing of what it is fulfilled with.
    fn is_of_async(&self, call: InstId) -> bool {
        let is_async = |it: &FunctionRef| {
            self.all.graph.files()[it.file as usize].function(it.function).is_async
        };
        self.all.callees(self.at(call)).functions.iter().all(is_async)
    }

    /// Whether a value is what has been waited for.
    fn is_awaited(&self, value: InstId) -> bool {
        let ir = self.ir();
        match ir.inst(value) {
            Inst::Await(_) => true,
            Inst::LoadVar(var) => {
                ir.initial_value(var).is_some_and(|it| matches!(ir.inst(it), Inst::Await(_)))
            }
            _ => false,
        }
    }

    /// Whether a value may be an object that another one is not.
    fn holds_other(&self, value: InstId, other: InstId) -> bool {
        let graph = &self.all.graph;
        let (all, objects) = (graph.value_set(self.at(value)), graph.value_set(self.at(other)));
        all != objects && {
            let objects = graph.set_objects(objects);
            graph.set_objects(all).iter().any(|it| !objects.contains(it))
        }
    }

    /// What the function comes to by an instruction, by the objects that it may be.
    fn found_here(&self, value: InstId, into: &mut Vec<Rooted>) {
        let before = into.len();
        into.extend(self.by_objects(value));
        self.name_by_place(value, before, into);
    }

    /// An object of the platform has no number of its own, nor has a list or an iterator that only stands for
    /// what it holds: where the function's own objects are named, it is the one of its place.
    fn name_by_place(&self, value: InstId, before: usize, into: &mut Vec<Rooted>) {
        let is_unnamed = || into[before..].iter().all(|it| matches!(it, Rooted::Holding(_)));
        if self.is_local && is_unnamed() && !self.all.graph.is_primitive(self.at(value)) {
            into.push(Rooted::At(Place::new(Root::Made(self.at(value)))));
        }
    }

    /// Whether it is the function itself; one that is written in it may run when the object is there.
    fn is_constructor(&self) -> bool {
        let kind = self.ir().function(self.function.function).kind;
        matches!(kind, FunctionKind::Constructor | FunctionKind::FieldInit)
    }

    /// What a call returns: something that a row says is what an argument or the receiver holds, or
    /// what may be there.
    fn result(&self, call: InstId, steps: u32, into: &mut Vec<Rooted>) {
        if self.is_shared(call) {
            into.push(Rooted::At(Place::new(Root::Unknown)));
        }
        if self.is_fresh(call) {
            return self.made_here(call, into);
        }
        let callees = self.all.callees(self.at(call));
        let row = match callees.modelled.as_slice() {
            [only] if callees.functions.is_empty() && only.native.is_none() => only.call,
            _ => None,
        };
        let by_objects = |into: &mut Vec<Rooted>| {
            into.extend(self.by_objects(call));
        };
        let Some(row) = row else {
            if !self.returned_by(call, &callees.functions, steps, into)
                || !callees.modelled.is_empty()
            {
                by_objects(into);
            }
            return;
        };
        let args = super::row::arguments(self.ir().inst(call))
            .map(|args| self.ir().args(args))
            .unwrap_or_default();
        let receiver = match self.ir().inst(call) {
            Inst::CallMethod { object, .. } => Some(object),
            _ => None,
        };
        let is_iterator = row.is_a.as_deref().is_some_and(|it| it.ends_with("Iterator"));
        // `list.reverse()`, `object.valueOf()`
        if let (ResultKind::Receiver, Some(of)) = (row.result, receiver) {
            self.collect(of, steps, into);
        }
        for flow in &row.returns {
            let (of, is_element) = match flow {
                // An iterator goes over the elements, and is not what holds them.
                Flow::Receiver if is_iterator => continue,
                Flow::Receiver => (receiver, false),
                Flow::ReceiverElements | Flow::ReceiverPairs => (receiver, true),
                Flow::Argument(position) => (args.get(*position).copied(), false),
                Flow::Elements(position) => (args.get(*position).copied(), true),
                Flow::Data | Flow::Type(_) => continue,
                Flow::Below => {
                    let mut found = Vec::new();
                    args.iter().for_each(|&it| self.collect(it, steps, &mut found));
                    let below = self.places_below(&sorted(found), &[], true);
                    into.extend(below.into_iter().map(Rooted::At));
                    by_objects(into);
                    continue;
                }
                _ => return by_objects(into),
            };
            let Some(of) = of else { continue };
            let mut found = Vec::new();
            if is_element {
                self.below(call, of, PathKey::ANY, steps, &mut found);
            } else {
                self.collect(of, steps, &mut found);
            }
            let is_container = row.gives_container();
            let hold = |it| if is_container { Rooted::Holding(Box::new(it)) } else { it };
            let are_pairs = *flow == Flow::ReceiverPairs;
            let pairs = are_pairs || (is_element && self.all.graph.may_be_map(self.at(of)));
            let in_pairs = found.iter().filter(|_| pairs).cloned();
            into.extend(in_pairs.map(|it| hold(Rooted::Holding(Box::new(it)))));
            into.extend(found.into_iter().filter(|_| !are_pairs).map(hold));
        }
    }

    /// What functions of the program return, where that is something that they were given; whether
    /// it is.
    fn returned_by(
        &self,
        call: InstId,
        functions: &[FunctionRef],
        steps: u32,
        into: &mut Vec<Rooted>,
    ) -> bool {
        let inst = self.ir().inst(call);
        let args = super::row::arguments(inst).map(|it| self.ir().args(it)).unwrap_or_default();
        let has_spread = args.iter().any(|&it| matches!(self.ir().inst(it), Inst::Spread(_)));
        // What is bound comes in front of what is passed.
        let is_bound = callee(self.ir(), call)
            .is_some_and(|it| self.all.graph.bound_at(self.at(it)).is_some());
        for &function in functions {
            let summary = self.all.of(function);
            if summary.returns_unknown || has_spread || is_bound {
                return false;
            }
            for place in &summary.returned {
                let value = match (place.root, inst) {
                    (Root::This, Inst::CallMethod { object, .. }) => object,
                    (Root::Parameter(position), _) => match args.get(position as usize) {
                        Some(&arg) => arg,
                        None => continue,
                    },
                    _ => return false,
                };
                let mut found = Vec::new();
                self.collect(value, steps, &mut found);
                let found = sorted(found);
                if found.len() > MOST_HOLDERS {
                    return false;
                }
                into.extend(self.steps_below(found, &place.keys));
            }
            if summary.returns_fresh {
                into.extend(self.made(self.all.graph.value_objects(self.at(call))));
            }
        }
        !functions.is_empty()
    }

    /// A name that no file declares.
    pub(crate) fn global(&self, name: headstart_ir::NameId) -> Place {
        let key = self.all.graph.key_named(self.ir().name(name));
        Place::new(Root::Global).then(key)
    }

    /// Whether a value is no object that may have a method `then` of the program.
    fn is_promise_only(&self, value: InstId) -> bool {
        let objects = self.all.graph.objects(self.at(value));
        objects.iter().all(|it| match it {
            AbstractObject::Made(at) => {
                self.all.graph.files()[at.file as usize].inst(at.inst) != Inst::Object
            }
            AbstractObject::Instance(_) => false,
            _ => true,
        })
    }

    fn below(&self, value: InstId, of: InstId, key: PathKey, steps: u32, into: &mut Vec<Rooted>) {
        let mut holders = Vec::new();
        self.collect(of, steps, &mut holders);
        let holders = sorted(holders);
        if holders.is_empty() || holders.len() > MOST_HOLDERS {
            return into.extend(self.by_objects(value));
        }
        let mut found = Vec::new();
        for holder in holders {
            self.step(holder, key, steps, &mut found);
        }
        // What the program has put on what is not its own, it may find on all such.
        if self.all.graph.may_be_made_outside(self.at(of)) {
            let is_known = |it: &Rooted| !matches!(it, Rooted::At(place) if place.is_unknown());
            found.extend(self.by_objects(value).into_iter().filter(is_known));
        }
        into.extend(sorted(found));
    }

    /// What an import is that is no variable of another file: `export default {…}`, a file of data.
    fn nameless_import(&self, var: VarId, into: &mut Vec<Rooted>) {
        let graph = &self.all.graph;
        let file = self.function.file;
        let objects = graph.reached_objects(Start::Variable(file, var), &[]);
        let is_shared = |it: &ObjectId| graph.object(*it) == AbstractObject::Data;
        if objects.iter().any(is_shared) || (objects.is_empty() && graph.is_own_import(file, var)) {
            into.push(Rooted::At(Place::new(Root::Unknown)));
        }
        into.extend(self.of_objects(objects.to_vec()));
    }

    fn variable(&self, value: InstId, var: VarId, steps: u32, into: &mut Vec<Rooted>) {
        let ir = self.ir();
        let variable = ir.variable(var);
        if variable.class.is_some() {
            return into.extend(self.by_objects(value));
        }
        if variable.kind == VarKind::Import {
            match self.all.graph.imported(self.function.file, var) {
                Some((file, var)) => into.push(Rooted::At(self.outer(file, var, value))),
                None => self.nameless_import(var, into),
            }
            return;
        }
        if variable.owner != self.function.function {
            return into.push(Rooted::At(self.outer(self.function.file, var, value)));
        }
        let of_file = &self.stores[self.function.file as usize];
        match self.all.graph.always(self.function.file, var) {
            Some(value) => self.collect(value, steps, into),
            None => match of_file.several.get(&var) {
                Some(values) if values.len() <= 8 => {
                    self.stored_known(var, values, steps / 2, into);
                }
                _ => into.extend(self.in_variable(var)),
            },
        }
    }

    /// Where values come from that are stored in a variable of this function: a closure may store what is its
    /// own.
    /// As [`Self::stored`], of what a variable is given, worked out once for a run of the function: variables
    /// that get their values from one another in a loop would be followed twice as often with each step.
    fn stored_known(&self, var: VarId, values: &[InstId], steps: u32, into: &mut Vec<Rooted>) {
        let whose = (self.function, self.is_local);
        let asked =
            Followed { var, steps, how: (self.is_bare, self.waits), within: InLiteral::all() };
        if let Some(known) = self.all.known_roots.get().followed(whose, &asked) {
            return into.extend_from_slice(known);
        }
        let mut found = Vec::new();
        self.stored(values, steps, &mut found);
        let found = sorted(found);
        into.extend_from_slice(&found);
        // What has come to an end on the way may be more when it is asked for alone.
        if !Trail::is_at_end(MOST_TRACED) {
            self.all.known_roots.get().keep_followed(whose, asked, found);
        }
    }

    fn stored(&self, values: &[InstId], steps: u32, into: &mut Vec<Rooted>) {
        for &value in values {
            if self.all.graph.function_at(self.at(value)) == self.function {
                self.collect(value, steps, into);
            } else {
                into.extend(self.by_objects(value));
            }
        }
    }

    /// The roots of the objects that a variable may be: the call graph does not follow each use of it.
    fn in_variable(&self, var: VarId) -> Vec<Rooted> {
        let start = Start::Variable(self.function.file, var);
        self.of_objects(self.all.graph.reached_objects(start, &[]).to_vec())
    }

    /// Where what a variable of this function is may come from.
    pub(crate) fn of_variable(&self, var: VarId) -> Vec<Rooted> {
        Self::following(|| self.stored_in(var))
    }

    fn stored_in(&self, var: VarId) -> Vec<Rooted> {
        let mut found = Vec::new();
        let of_file = &self.stores[self.function.file as usize];
        match self.all.graph.always(self.function.file, var) {
            Some(value) => self.collect(value, LONGEST_TRACE, &mut found),
            None => match of_file.several.get(&var) {
                Some(values) => self.stored(values, LONGEST_TRACE / 2, &mut found),
                // It is stored once, and not where it is declared: `h ??= value`.
                None => found.extend(self.in_variable(var)),
            },
        }
        found
    }

    /// Whether a value may be a promise.
    pub(crate) fn may_be_promise(&self, value: InstId) -> bool {
        self.all.graph.may_be_promise(self.at(value))
    }

    /// A variable of another function or file: a class that it names is meant itself.
    fn outer(&self, file: u32, var: VarId, value: InstId) -> Place {
        let objects = self.all.graph.objects(self.at(value));
        match objects.as_slice() {
            [AbstractObject::Class(class)] => Place::new(Root::Static(*class)),
            [AbstractObject::Instance(class)] => Place::new(Root::Instance(*class)),
            _ => Place::new(Root::Variable(file, var)),
        }
    }

    /// The roots of the objects that a value may be.
    fn by_objects(&self, value: InstId) -> Vec<Rooted> {
        let set = self.all.graph.value_set(self.at(value));
        let graph = &self.all.graph;
        self.known_roots(Asked::Set(set), || graph.telling(graph.set_objects(set)))
    }

    /// The roots of objects that are looked up by what they are asked for, each once. What objects are
    /// to a function does not depend on what else is known of it.
    pub(super) fn known_roots(
        &self,
        asked: Asked,
        objects: impl FnOnce() -> Vec<ObjectId>,
    ) -> Vec<Rooted> {
        let whose = (self.function, self.is_local);
        if let Some(found) = self.all.known_roots.get().get(whose, &asked) {
            return found.to_vec();
        }
        let found = sorted(self.of_objects(objects()));
        self.all.known_roots.get().keep(whose, asked, &found);
        found
    }

    /// The place of an object that is not reached by a path of this function.
    pub(crate) fn place_of(&self, object: AbstractObject) -> Option<Place> {
        let root = match object {
            AbstractObject::Made(at) => {
                let maker = self.all.graph.function_at(at);
                if maker == self.function {
                    return self.is_local.then(|| Place::new(Root::Made(at)));
                }
                match self.stores[at.file as usize].named.get(&at.inst) {
                    Some(&var) => Root::Variable(at.file, var),
                    None => Root::Made(at),
                }
            }
            AbstractObject::Instance(class) => Root::Instance(class),
            AbstractObject::Class(class) | AbstractObject::Prototype(class) => Root::Static(class),
            AbstractObject::Exports(file) => Root::Exports(file),
            AbstractObject::Function(_)
            | AbstractObject::InstanceOf(_)
            | AbstractObject::Unknown => Root::Unknown,
            AbstractObject::OfCall(_)
            | AbstractObject::Module(_)
            | AbstractObject::Fixed
            | AbstractObject::Data
            | AbstractObject::Outside => return None,
        };
        Some(Place::new(root))
    }

    /// Whether a call is on an object that another one makes, and that nobody else has:
    /// `people.find().sort()`.
    fn is_on_fresh(&self, call: InstId) -> bool {
        let Inst::CallMethod { object, .. } = self.ir().inst(call) else { return false };
        match self.ir().inst(object) {
            Inst::New { .. } => true,
            Inst::Call { .. } | Inst::CallMethod { .. } => self.is_fresh(object),
            _ => false,
        }
    }

    /// Whether a call may give what an earlier one has given, which others have by then.
    fn is_shared(&self, call: InstId) -> bool {
        self.all.graph.caches() && self.is_shared_value(self.at(call), LONGEST_SHARING)
    }

    /// The same of a value, which functions may hand on that call one another.
    fn is_shared_value(&self, at: InstRef, steps: u32) -> bool {
        let graph = &self.all.graph;
        let Some(steps) = steps.checked_sub(1) else { return true };
        let of = |inst| self.is_shared_value(InstRef { inst, ..at }, steps);
        match graph.files()[at.file as usize].inst(at.inst) {
            Inst::Await(value) | Inst::Get { object: value, .. } => of(value),
            Inst::Select(left, right) => of(left) || of(right),
            Inst::LoadVar(var) => graph.always(at.file, var).is_some_and(of),
            Inst::Call { .. } | Inst::CallMethod { .. } => {
                let is_it = |function: &FunctionRef| {
                    graph.is_cached(*function)
                        || graph
                            .returned_values(*function)
                            .any(|it| self.is_shared_value(it, steps))
                };
                self.all.callees(at).functions.iter().any(is_it)
            }
            _ => false,
        }
    }

    /// Whether a call returns an object that is made by it.
    pub(super) fn is_fresh(&self, call: InstId) -> bool {
        let callees = self.all.callees(self.at(call));
        if !callees.unknown.is_empty() || callees.is_empty || self.is_shared(call) {
            return false;
        }
        // What it hands to its callback is not what it returns.
        let is_promisified = |it| self.all.graph.may_be_promisified(self.at(it));
        if callee(self.ir(), call).is_some_and(is_promisified) {
            return false;
        }
        let is_fresh_of = |it: &FunctionRef| {
            let summary = self.all.of(*it);
            summary.returned.is_empty() && !summary.returns_unknown
        };
        callees.functions.iter().all(is_fresh_of)
            && callees.modelled.iter().all(|it| {
                let is_new = |row: &Call| {
                    row.returns.is_empty()
                        && (row.result != ResultKind::Receiver || self.is_on_fresh(call))
                };
                it.native.is_none() && it.call.is_some_and(is_new)
            })
    }
}
