//! Methods that the platform may call of an object that it takes. Hardly any object has one: they are looked for
//! where they may be, and called once they are known.

use crate::convert::Taken;
use crate::flow::Constraint;
use crate::ids::{Key, Node, Object};
use crate::object::Kind;
use crate::site::{How, Site};
use crate::solver::Solver;

impl<'p> Solver<'p> {
    /// Calls a method of an object, if it may have it; what it is goes to a node. What somebody may have stored
    /// under a computed key is none, nor what unknown code may have put there: nearly every program does the
    /// one and has such code, and hardly any means such a method.
    pub(crate) fn call_known_method(&mut self, object: Object, key: Key, to: Node, origin: u32) {
        if !self.may_have(object, key) {
            return;
        }
        let call = Constraint::CallKnown { on: object, to };
        let kind = self.objects.kind(object);
        let is_typed = matches!(kind, Kind::Typed(..));
        let has_prototype = self.existing_prop(object, Key::PROTO).is_some();
        let has_getter = self.has_getter(object, key);
        if is_typed && has_getter {
            let found = self.flow.node();
            self.load(object, key, found, origin);
            self.constrain(found, call);
        } else if is_typed || is_asked_itself(kind) && !has_prototype && !has_getter {
            // Hardly ever it has one: until it does, nothing is there to look at.
            if let Some(own) = self.existing_prop(object, key) {
                self.constrain(own, call);
            }
        } else {
            let reading = self.reading(object, key);
            self.runs_what(reading.runs, origin);
            self.constrain(reading.value, call);
        }
    }

    /// Whether an object, or what the platform has for its kind, has had a getter for a key put on it.
    pub(crate) fn has_getter(&self, object: Object, key: Key) -> bool {
        let keys = [key, Key::DYNAMIC];
        keys.iter().any(|it| self.existing_prop(object, it.getter()).is_some())
            || self.platform_getters_of(object, key).next().is_some()
    }

    /// A property of an object has got its node: the platform may call what that holds, where it has taken the
    /// object before.
    pub(crate) fn connect_method(&mut self, object: Object, key: Key, node: Node) {
        let kind = self.objects.kind(object);
        let name = key.of_getter().unwrap_or(key);
        let is_asked_for = name == Key::THEN
            || self.implicit.contains(&name)
            || self.own_implicit.contains(&name)
            || key == Key::DYNAMIC.getter();
        if !is_asked_for || !is_asked_itself(kind) {
            return;
        }
        for by in [Taken::Native, Taken::Own, Taken::Every, Taken::Error, Taken::Then] {
            let Some(&to) = self.serialised.get(&(object, by)) else { continue };
            for asked in self.keys_of_taken(kind, by) {
                if asked == key {
                    self.constrain(node, Constraint::CallKnown { on: object, to });
                } else if asked == name || name == Key::DYNAMIC {
                    // What a getter gives is a method, too.
                    let origin = self.readings.number(to);
                    self.call_known_method(object, asked, to, origin);
                }
            }
        }
    }

    /// The keys of the methods that the platform calls of an object that it takes.
    pub(crate) fn keys_of_taken(&mut self, kind: Kind<'p>, by: Taken) -> Vec<Key> {
        match by {
            Taken::Then => vec![Key::THEN],
            _ if by.is_of_receiver() => self.own_keys(kind),
            Taken::Native if self.platform_types(kind).is_empty() => self.implicit.clone(),
            _ => self.own_implicit.clone(),
        }
    }

    /// Whether something is known that may be a method of the program.
    pub(crate) fn is_known_method(&self, object: Object) -> bool {
        !matches!(self.objects.kind(object), Kind::Unknown(_)) && !self.is_of_every_object(object)
    }

    /// A method is called on an object, if it is known: hardly ever there is one, so that the call is made then.
    pub(crate) fn call_known(&mut self, method: Object, on: Object, to: Node) {
        if !self.is_known_method(method) {
            return;
        }
        self.flow.add(to, method);
        if self.known_calls.insert((method, on)) {
            let (callee, this) = (self.node_of(method), self.node_of(on));
            let site = Site { this, ..Self::plain_site(callee, u32::MAX, How::Callback) };
            self.new_site(site, &[]);
        }
    }
}

/// Whether an object is asked for its methods by its own properties alone, as long as it has no prototype but that of
/// its kind.
fn is_asked_itself(kind: Kind<'_>) -> bool {
    matches!(kind, Kind::Literal(_) | Kind::Typed(..) | Kind::Function(_))
}
