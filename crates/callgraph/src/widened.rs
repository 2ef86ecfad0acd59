//! What the program stores through sets that are widened: it may go to objects that they do not name.
//!
//! Those are in unknown hands, as all that a widened set may be ([`crate::flow`]). Unknown code leaves
//! alone what stands under the names that a class or a literal declares; the program itself does not.
//! So the keys are noted that it stores something under, and what such an object has under one of them
//! is anything. Each property of an object that is read is looked at twice at most: once the object is
//! in unknown hands, and once something is stored under the key.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::Constraint;
use crate::ids::{Key, Object};
use crate::object::{Cause, Kind};
use crate::solver::Solver;

/// What is stored through widened sets, and where that may be read.
#[derive(Debug, Default)]
pub(crate) struct Widened {
    /// The keys that something is stored under; [`Key::DYNAMIC`] for any.
    stored: FxHashSet<Key>,
    /// The properties that are read.
    read: FxHashSet<(Object, Key)>,
    /// Those of objects that nobody else has had so far.
    own: FxHashMap<Object, Vec<Key>>,
    /// Those of objects in unknown hands, under which nothing has been stored so far.
    intact: FxHashMap<Key, Vec<Object>>,
    /// Methods that a class declares: that a value under a computed key takes the place of one is for findings to
    /// say ([`crate::handed`]), and not for the call graph.
    methods: FxHashSet<(Object, Key)>,
    /// The first of the places where something is stored under a key that is not known.
    computed_at: Option<u32>,
}

fn is_of_platform(kind: Kind<'_>) -> bool {
    matches!(kind, Kind::Typed(..))
}

/// Whether what is stored under a computed key is taken to be none of what an object has under a key.
fn is_spared(
    methods: &FxHashSet<(Object, Key)>,
    (object, kind): (Object, Kind<'_>),
    key: Key,
) -> bool {
    is_of_platform(kind) || methods.contains(&(object, key))
}

impl Widened {
    /// Nobody reads any more.
    pub(crate) fn forget_reads(&mut self) {
        let stored = std::mem::take(&mut self.stored);
        let methods = std::mem::take(&mut self.methods);
        *self = Self { stored, methods, computed_at: self.computed_at, ..Self::default() };
    }

    /// Whether an object of a kind may have something under a key. What is stored under a computed key of an
    /// object of the platform is none of its methods, as where the object is known.
    fn is_stored(&self, (object, kind): (Object, Kind<'_>), key: Key) -> bool {
        self.stored.contains(&key)
            || (self.stored.contains(&Key::DYNAMIC)
                && !is_spared(&self.methods, (object, kind), key))
            || (key == Key::DYNAMIC && !self.stored.is_empty())
    }

    /// The methods that a value under a computed key may take the place of, and where one is stored.
    pub(crate) fn replaced_methods(&self) -> Option<(u32, &FxHashSet<(Object, Key)>)> {
        Some((self.computed_at?, &self.methods))
    }
}

impl Solver<'_> {
    /// Whether an object stands for those that a widened set does not name.
    pub(crate) fn is_many(&self, object: Object) -> bool {
        let kind = self.objects.kind(object);
        matches!(kind, Kind::Unknown(Cause::TooMany | Cause::Narrowed))
    }

    /// Something is stored under a key of objects that a widened set does not name.
    pub(crate) fn store_widely(&mut self, key: Key, origin: u32) {
        if key == Key::DYNAMIC && origin != u32::MAX {
            let first = self.widened.computed_at.map_or(origin, |it| it.min(origin));
            self.widened.computed_at = Some(first);
        }
        if !self.widened.stored.insert(key) {
            return;
        }
        let objects = &self.objects;
        let Widened { intact, methods, .. } = &mut self.widened;
        let reached: Vec<(Object, Key)> = if key == Key::DYNAMIC {
            let take = |(&key, of): (&Key, &mut Vec<Object>)| {
                let reached =
                    of.extract_if(.., |it| !is_spared(methods, (*it, objects.kind(*it)), key));
                reached.map(|it| (it, key)).collect::<Vec<_>>()
            };
            intact.iter_mut().flat_map(take).collect()
        } else {
            let keys = [key, Key::DYNAMIC].into_iter();
            let found = keys.filter_map(|key| Some((key, intact.remove(&key)?)));
            found.flat_map(|(key, of)| of.into_iter().map(move |it| (it, key))).collect()
        };
        for (object, key) in reached {
            self.make_many(object, key);
        }
    }

    /// A property of an object is read that only the program writes.
    pub(crate) fn read_widened(&mut self, object: Object, key: Key) {
        // What the program makes itself is read once for all who read it ([`crate::reading`]).
        if is_of_platform(self.objects.kind(object)) && !self.widened.read.insert((object, key)) {
            return;
        }
        if self.is_within_reach(object) {
            self.read_given(object, key);
        } else {
            self.widened.own.entry(object).or_default().push(key);
        }
    }

    /// Unknown code has got hold of an object: so may have what a widened set does not name.
    pub(crate) fn give_widely(&mut self, object: Object) {
        let mut reached = vec![object];
        if let Kind::Instance(class) | Kind::Class(class) = self.objects.kind(object) {
            reached.push(self.object(Kind::Prototype(class)));
        }
        for object in reached {
            for key in self.widened.own.remove(&object).unwrap_or_default() {
                self.read_given(object, key);
            }
        }
    }

    /// Whether a widened set may lead to an object: its instances lead to a prototype.
    fn is_within_reach(&self, object: Object) -> bool {
        let has =
            |kind| self.objects.existing(kind).is_some_and(|it| self.is_escaped.contains(&it));
        match self.objects.kind(object) {
            Kind::Prototype(class) => has(Kind::Instance(class)) || has(Kind::Class(class)),
            _ => self.is_escaped.contains(&object),
        }
    }

    fn read_given(&mut self, object: Object, key: Key) {
        let kind = self.objects.kind(object);
        if self.is_method(kind, key) {
            self.widened.methods.insert((object, key));
        }
        if self.widened.is_stored((object, kind), key) {
            self.make_many(object, key);
        } else {
            self.widened.intact.entry(key).or_default().push(object);
        }
    }

    /// Whether a class of the program, or one that it extends, declares a method or an accessor under a key.
    fn is_method(&self, kind: Kind<'_>, key: Key) -> bool {
        let (class, is_static) = match kind {
            Kind::Instance(class) | Kind::Prototype(class) => (class, false),
            Kind::Class(class) => (class, true),
            _ => return false,
        };
        let declares = |it: &u32| self.class_members.contains_key(&(*it, key, is_static));
        key.is_property() && (declares(&class) || self.ancestors(class).iter().any(declares))
    }

    fn make_many(&mut self, object: Object, key: Key) {
        let node = self.changed_prop(object, key);
        self.give_unknown(node, Cause::TooMany);
    }

    /// Whether an object may have something under a key that the program stored through a widened set.
    pub(crate) fn is_stored_widely(&self, object: Object, key: Key) -> bool {
        self.is_within_reach(object)
            && self.widened.is_stored((object, self.objects.kind(object)), key)
    }

    /// What happens with the objects of a type that a widened set does not name: what is stored in them
    /// is noted, and what comes from them is as many.
    pub(crate) fn apply_to_many(&mut self, constraint: Constraint, object: Object) {
        let to = match constraint {
            Constraint::Store { key, origin, .. }
            | Constraint::StoreInherited { key, origin, .. }
            | Constraint::StoreAccessor { key, origin, .. } => {
                return self.store_widely(key, origin);
            }
            Constraint::Receiver { site, native } => {
                return self.native_receiver(site, native, object);
            }
            Constraint::Load { to, .. }
            | Constraint::LoadInherited { to, .. }
            | Constraint::LoadHidden { to, .. }
            | Constraint::Dynamic { to }
            | Constraint::Replacing { to }
            | Constraint::Computed { to }
            | Constraint::Await { to }
            | Constraint::Getter { to, .. }
            | Constraint::ComputedGetter { to, .. }
            | Constraint::Iterate { to, .. }
            | Constraint::Nested { to }
            | Constraint::Completed { to }
            | Constraint::Held { to, .. } => to,
            Constraint::IterateBy { object: of, method, origin } => {
                return self.iterate_by(object, of, method, origin);
            }
            Constraint::Serialise { to, by } => {
                return self.methods_of_many(by).into_iter().for_each(|it| self.flow.edge(it, to));
            }
            Constraint::Call(site) => self.site(site).result,
            Constraint::All { array, .. } => self.prop(array, Key::ELEMENT),
            Constraint::CopyTo { target, .. } => self.prop(target, Key::DYNAMIC),
            // What is described says what these do.
            Constraint::Extended(_)
            | Constraint::Heir { .. }
            | Constraint::PassKnown { .. }
            | Constraint::CallKnown { .. }
            | Constraint::Many { .. }
            | Constraint::Setter { .. }
            | Constraint::ComputedSetter { .. }
            | Constraint::Accessor { .. }
            | Constraint::Inherit { .. }
            | Constraint::Prototype { .. }
            | Constraint::Convert { .. }
            | Constraint::Run { .. }
            | Constraint::RunKnown { .. }
            | Constraint::Mix
            | Constraint::HandedOver(_)
            | Constraint::MethodByName(_)
            | Constraint::Keep
            | Constraint::PutOnData
            | Constraint::Options => return,
        };
        self.flow.add(to, object);
    }
}
