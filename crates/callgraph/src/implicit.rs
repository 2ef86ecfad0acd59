//! Methods that the platform calls of objects that it is given, or that extend what it has: an object of the
//! program that has one of those under its name may run it wherever a native or modelled function gets hold
//! of it (ECMA-262, 7.1.1, 7.3.22, 20.1.3.6, 22.1.3, 22.2.6, 24.1.1.1, 27.2.4).

use headstart_ir::MemberKind;
use headstart_models::Argument;
use rustc_hash::FxHashSet;

use crate::convert::Taken;
use crate::flow::Constraint;
use crate::ids::{Key, MemberId, Node, Object, SiteId};
use crate::names::Symbol;
use crate::native::Native;
use crate::object::{Kind, Origin};
use crate::site::How;
use crate::solver::Solver;
use crate::value::INSPECTION;

/// By what an object is converted to a primitive, and asked whether something is an instance of it.
const CONVERTING: [&str; 4] = ["toString", "valueOf", "@@toPrimitive", "@@hasInstance"];

/// JSON, node-postgres, mysql and mysql2, BSON, dates: by what operations convert what they send, beside
/// what strings are made of.
const SENDING: [&str; 5] = ["toJSON", "toPostgres", "toSqlString", "toBSON", "toISOString"];

/// What native functions ask of their arguments, beside that.
const ASKING: [&str; 12] = [
    "toLocaleString",
    "toJSON",
    "@@toStringTag",
    "@@isConcatSpreadable",
    "@@species",
    "@@match",
    "@@matchAll",
    "@@replace",
    "@@search",
    "@@split",
    "@@iterator",
    "@@asyncIterator",
];

/// What they ask of what their own methods are called on.
const RUNNING: [&str; 5] = ["exec", "then", "constructor", "flags", "next"];

/// Of what a class may extend, so many classes are looked through.
const MOST_ANCESTORS: usize = 32;

impl<'p> Solver<'p> {
    /// Finds out which of these methods the program has.
    pub(crate) fn find_implicit_methods(&mut self) {
        let mut declared: FxHashSet<Key> = self.class_members.keys().map(|it| it.1).collect();
        declared.extend(self.props.of_object.values().flatten().map(|it| it.without_accessor()));
        declared.extend(self.set_names.iter().chain(&self.defined).copied());
        let found = |solver: &Self, names: &[&str]| -> Vec<Key> {
            let keys = names.iter().filter_map(|it| solver.names.get(it));
            keys.filter(|it| declared.contains(it)).collect()
        };
        self.conversions = found(self, &CONVERTING);
        self.to_json = found(self, &["toJSON"]).first().copied();
        self.sent_by = found(self, &SENDING);
        self.sent_by.extend(self.conversions.clone());
        self.has_then = declared.contains(&Key::THEN);
        self.implicit = self.conversions.clone();
        self.implicit.extend(found(self, &ASKING));
        self.implicit.extend(self.names.known_symbol(Symbol::Named(INSPECTION)));
        self.own_implicit = self.implicit.clone();
        self.own_implicit.extend(found(self, &RUNNING));
    }

    /// A native or modelled function gets hold of its arguments, and of what it is called on.
    pub(crate) fn taken_by_platform(&mut self, site: SiteId, member: MemberId) {
        let data = self.site(site);
        let native = self.members.get(member).native;
        let of_type = self.members.get(member).of_type.is_some();
        if data.how == How::Super {
            self.construct_native(site);
        } else if of_type && !native.is_some_and(passes_on) {
            self.take(data.this, Taken::Own, data.origin);
        }
        let waits = matches!(
            native,
            Some(Native::All | Native::AllSettled | Native::Race | Native::Resolve)
        );
        if waits && self.has_then {
            for arg in self.site_args(site) {
                self.take(arg.node, Taken::Then, data.origin);
            }
        }
        if native.is_some_and(keeps) {
            return;
        }
        let is_language = self.members.get(member).module == "ecmascript";
        let row = self.members.get(member).call(data.how == How::New);
        for (position, arg) in self.site_args(site).into_iter().enumerate() {
            let kind = row.and_then(|(_, it)| it.arguments.get(position).copied().or(it.rest));
            let is_taken = match kind {
                None | Some(Argument::Primitive | Argument::Options) => true,
                // `includes`, `indexOf` and their like only compare.
                Some(Argument::Data) => !is_language,
                Some(
                    Argument::Path
                    | Argument::PathOrHandle
                    | Argument::String
                    | Argument::OptionalString
                    | Argument::Function
                    | Argument::OptionsOrFunction,
                ) => false,
            };
            if is_taken {
                self.take(arg.node, Taken::Native, data.origin);
            }
        }
    }

    fn take(&mut self, value: Node, by: Taken, origin: u32) {
        let is_possible = match by {
            Taken::Then => self.has_then,
            Taken::Own => !self.own_implicit.is_empty() || self.extends_platform(),
            _ => !self.implicit.is_empty() || self.has_own_accessors,
        };
        if value.is_none() || !is_possible {
            return;
        }
        let called = self.flow.node();
        self.constrain(value, Constraint::Serialise { to: called, by });
        self.runs(called, origin);
    }

    /// Whether any class of the program extends something.
    fn extends_platform(&self) -> bool {
        self.parents.iter().any(|it| !it.is_none())
    }

    /// The functions that the platform calls of an object. They are called here, for all alike.
    pub(crate) fn called_by_platform(&mut self, object: Object, by: Taken) -> Node {
        if let Some(&called) = self.serialised.get(&(object, by)) {
            return called;
        }
        let kind = self.objects.kind(object);
        let is_followed = match kind {
            Kind::Instance(_)
            | Kind::Literal(_)
            | Kind::FunctionInstance(_)
            | Kind::Class(_)
            | Kind::Function(_) => true,
            Kind::Typed(_, origin) => origin != Origin::Outside,
            _ => false,
        };
        if !is_followed {
            return Node::NONE;
        }
        let called = self.flow.node();
        self.serialised.insert((object, by), called);
        let origin = self.readings.number(called);
        let keys = match by {
            Taken::Then => vec![Key::THEN],
            Taken::Own => self.own_keys(kind),
            Taken::Native | Taken::Json | Taken::Sent => self.implicit.clone(),
        };
        for key in keys {
            let method = self.call_method(object, key, Node::NONE, origin);
            self.flow.edge(method, called);
        }
        let is_held = matches!(kind, Kind::Typed(..) | Kind::Literal(_));
        if by != Taken::Own && is_held {
            let below = self.flow.node();
            self.held(object, below, origin);
            self.constrain(below, Constraint::Serialise { to: called, by });
        }
        if by == Taken::Native && self.is_made_by_program(object) {
            if let Some(getter) = self.accessor_prop(object, Key::DYNAMIC, Key::getter) {
                self.flow.edge(getter, called);
            }
            self.iterate_if_it_can(object, origin);
        }
        called
    }

    /// Iterates an object that has an iterator of its own.
    fn iterate_if_it_can(&mut self, object: Object, origin: u32) {
        let iterators = ["@@iterator", "@@asyncIterator"];
        let can = iterators
            .iter()
            .filter_map(|it| self.names.get(it))
            .any(|it| self.implicit.contains(&it));
        if can {
            self.iterate(object, Key::ELEMENT, Node::NONE, origin);
        }
    }

    /// The keys under which methods of the platform call those of the object that they are on.
    fn own_keys(&mut self, kind: Kind<'p>) -> Vec<Key> {
        let mut keys = self.own_implicit.clone();
        let Kind::Instance(class) = kind else { return keys };
        let mut classes = vec![class];
        let mut types: Vec<MemberId> = Vec::new();
        let mut next = 0;
        while let Some(&class) = classes.get(next) {
            next += 1;
            let parents: Vec<Object> = self.flow.objects(self.parents[class as usize]).collect();
            for parent in parents {
                match self.objects.kind(parent) {
                    Kind::Class(parent)
                        if classes.len() < MOST_ANCESTORS && !classes.contains(&parent) =>
                    {
                        classes.push(parent);
                    }
                    Kind::Member(member) => types.push(member),
                    _ => {}
                }
            }
        }
        if types.is_empty() {
            return Vec::new();
        }
        let declared: Vec<Key> =
            classes.iter().flat_map(|&it| self.declared[it as usize].iter().copied()).collect();
        for key in declared {
            // Streams call what begins with an underscore (documentation of Node, "Implementing a stream").
            let is_hook = self.names.text(key).starts_with('_');
            if is_hook || types.iter().any(|&it| self.makes_with(it, key)) {
                keys.push(key);
            }
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// `super(…)` of a class that extends one of the platform: that may call methods of the new object,
    /// as `new Map(entries)` calls `set`.
    fn construct_native(&mut self, site: SiteId) {
        let origin = self.site(site).origin;
        let Some(at) = self.numbering.inst_of(origin) else { return };
        let file = at.file as usize;
        let function = self.receiving_function(file, self.function_at(file, at.inst));
        let number = self.number_of(file, function);
        if let Some(&class) = self.class_of.get(&number) {
            self.take(self.instances[class as usize], Taken::Own, origin);
        }
    }

    /// The same, where a class has no constructor of its own.
    pub(crate) fn construct_by_parent(&mut self, class: u32, origin: u32) {
        let has_member = self
            .flow
            .objects(self.parents[class as usize])
            .any(|it| matches!(self.objects.kind(it), Kind::Member(_)));
        let has_methods = || {
            let members = self.class_member(class, Key::DYNAMIC, false);
            members.iter().any(|it| it.0 != MemberKind::Constructor)
        };
        if has_member && has_methods() {
            self.take(self.instances[class as usize], Taken::Own, origin);
        }
    }
}

/// Whether a native function passes on a call, and does nothing else with what it is on.
fn passes_on(native: Native) -> bool {
    matches!(
        native,
        Native::Bind
            | Native::Call
            | Native::Apply
            | Native::Then
            | Native::Catch
            | Native::Finally
            | Native::On
            | Native::Off
            | Native::Emit
    )
}

/// Whether a native function keeps what it is given, or hands it on, and asks nothing of it.
fn keeps(native: Native) -> bool {
    passes_on(native)
        || matches!(
            native,
            Native::ReflectApply
                | Native::ReflectConstruct
                | Native::SetPrototypeOf
                | Native::GetPrototypeOf
                | Native::Inherits
                | Native::StoreElements(_)
                | Native::MapSet
                | Native::Entries
                | Native::SetConstructor
                | Native::MapConstructor
                | Native::All
                | Native::AllSettled
                | Native::Race
                | Native::Resolve
                | Native::PromiseConstructor
                | Native::WithResolvers
                | Native::Promisify
                | Native::Next
        )
}
