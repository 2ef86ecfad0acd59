//! Getters that the program puts on prototypes of the platform: `Object.defineProperty(Map.prototype, …)`. They are
//! read by what may inherit from those.

use smallvec::SmallVec;

use crate::flow::Constraint;
use crate::ids::{Key, Node, Object};
use crate::object::Kind;
use crate::reading::Reading;
use crate::solver::Solver;

/// The getters that the program gives the prototype of a class of the platform under one key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlatformGetters<'p> {
    /// The name of the class.
    class: &'p str,
    key: Key,
    getters: Node,
    /// What reading them gives and runs: whatever is read reads them, so that it is worked out once.
    reading: Reading,
}

impl<'p> Solver<'p> {
    /// The program gives the prototype of a class of the platform a getter under a key.
    pub(crate) fn note_platform_getter(&mut self, class: &'p str, key: Key) {
        if self.platform_getters.iter().any(|it| it.class == class && it.key == key) {
            return;
        }
        let (getters, reading) = (self.flow.node(), self.new_reading());
        self.platform_getters.push(PlatformGetters { class, key, getters, reading });
        let (to, origin) = (reading.value, reading.runs.0);
        self.constrain(getters, Constraint::Getter { to, origin });
    }

    /// What getters give that the program has put on prototypes of the platform, and an object may inherit.
    pub(crate) fn load_platform_getters(
        &mut self,
        object: Object,
        key: Key,
        to: Node,
        origin: u32,
    ) {
        let readings: SmallVec<[Reading; 2]> = self.platform_getters_of(object, key).collect();
        for reading in readings {
            self.read(reading, to, origin);
        }
    }

    /// What reading a key of an object reads of prototypes of the platform that the program has given getters.
    pub(crate) fn platform_getters_of(
        &self,
        object: Object,
        key: Key,
    ) -> impl Iterator<Item = Reading> + '_ {
        let of_key =
            self.platform_getters.iter().filter(move |it| [key, Key::DYNAMIC].contains(&it.key));
        of_key.filter(move |it| self.may_inherit_from(object, it.class)).map(|it| it.reading)
    }

    /// Whether an object may inherit from the prototype of a class of the platform. Where it got its prototype from
    /// the program, that is looked at by itself.
    fn may_inherit_from(&self, object: Object, class: &str) -> bool {
        if class == "Object" {
            return true;
        }
        match self.objects.kind(object) {
            Kind::Literal(_)
            | Kind::Exports(_)
            | Kind::Module(_)
            | Kind::FunctionInstance(_)
            | Kind::FunctionPrototype(_) => false,
            Kind::Function(_) | Kind::Bound(_) => class == "Function",
            Kind::Instance(of) | Kind::Prototype(of) => !self.parents[of as usize].is_none(),
            Kind::Typed(ty, _) => {
                let data = self.members.type_data(ty);
                // Generators are iterators.
                data.module.module != "ecmascript" || data.name == class || class == "Iterator"
            }
            Kind::Member(_) => self.is_prototype_of(object, class),
            _ => true,
        }
    }

    /// Whether an object is the prototype of a class of the platform.
    fn is_prototype_of(&self, object: Object, class: &str) -> bool {
        let Kind::Member(member) = self.objects.kind(object) else { return false };
        let described = self.members.get(member);
        described.prototype_of.is_some() && described.path.first() == Some(&class)
    }

    /// What stands under a key of an object as a getter is one of those, if the object is such a prototype.
    pub(crate) fn collect_platform_getters(&mut self, object: Object, key: Key, getter: Node) {
        for index in 0..self.platform_getters.len() {
            let of_class = self.platform_getters[index];
            if of_class.key == key && self.is_prototype_of(object, of_class.class) {
                self.flow.edge(getter, of_class.getters);
            }
        }
    }
}
