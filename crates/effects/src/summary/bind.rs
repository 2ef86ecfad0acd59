//! What the places of a callee are at a call: its parameters are the caller's arguments.

use headstart_callgraph::{FunctionRef, InstRef, Modelled, Native, ObjectId, PathKey};
use headstart_ir::{FileIr, Inst, InstId, VarId};
use headstart_models::Flow;

use super::Effects;
use super::command::Decided;
use super::compute::Computation;
use super::locations::Locations;
use super::order::When;
use super::place::{Location, Place, Root, Which};
use super::roots::Rooted;
use super::row::arguments;
use super::text::Asked;

/// What the places of a callee's summary are at a call.
pub(crate) struct Binding {
    /// Each argument; none where they are not known one by one.
    pub(crate) arguments: Option<Vec<Argument>>,
    /// `this`; none where it is not known.
    pub(crate) this: Option<Argument>,
    /// The arguments as they stand in the call, spreads included; none where they are not known.
    pub(crate) listed: Option<Vec<InstId>>,
}

/// What is passed at one position.
#[derive(Clone, Default)]
pub(crate) struct Argument {
    /// Where it comes from; none where that is not known.
    rooted: Option<Vec<Rooted>>,
    /// The value, where it is one of the caller.
    value: Option<InstId>,
}

impl Argument {
    /// Nothing that was there before.
    pub(crate) fn fresh() -> Self {
        Self { rooted: Some(Vec::new()), value: None }
    }
}

impl Binding {
    /// What is passed is not known one by one: what may be in the parameters is looked at.
    pub(crate) const UNKNOWN: Self = Self { arguments: None, this: None, listed: None };

    /// The value of the caller that is passed at a position, where that is known.
    pub(crate) fn value(&self, position: u32) -> Option<InstId> {
        self.arguments.as_ref()?.get(position as usize)?.value
    }
}

impl<'p> Computation<'_, 'p> {
    /// What a call passes to the functions that it calls, perhaps by `call` and `apply`.
    pub(crate) fn passed(&self, inst: Inst, args: &[InstId], modelled: &[Modelled<'p>]) -> Binding {
        let natives: Vec<Native> = modelled.iter().filter_map(|it| it.native).collect();
        match natives.as_slice() {
            [] => {}
            [Native::Call] => return self.bind_call(args, args.get(1..).unwrap_or_default()),
            [Native::Apply] => {
                return match args.get(1).map(|&list| self.ir.inst(list)) {
                    None => self.bind_call(args, &[]),
                    Some(Inst::Array(list)) => self.bind_call(args, self.ir.args(list)),
                    Some(_) => Binding::UNKNOWN,
                };
            }
            _ => return Binding::UNKNOWN,
        }
        let callee = match inst {
            Inst::Call { callee, .. } | Inst::New { callee, .. } => Some(callee),
            Inst::CallMethod { method, .. } => Some(method),
            _ => None,
        };
        match callee.and_then(|it| self.roots.all.graph.bound_at(self.roots.at(it))) {
            None => self.bind(inst, args),
            Some(None) => Binding::UNKNOWN,
            Some(Some(at)) => self.bind_bound(at, args),
        }
    }

    /// `f.call(this, …)`
    fn bind_call(&self, args: &[InstId], passed: &[InstId]) -> Binding {
        let this = args.first().map(|&it| self.argument(it)).unwrap_or(Argument::fresh());
        let arguments = self.bind_arguments(passed);
        Binding { arguments, this: Some(this), listed: Some(passed.to_vec()) }
    }

    /// What was bound comes first, and `this` is what was bound.
    fn bind_bound(&self, at: InstRef, args: &[InstId]) -> Binding {
        let graph = &self.roots.all.graph;
        if graph.function_at(at) != self.roots.function {
            return Binding::UNKNOWN;
        }
        let bound = arguments(self.ir.inst(at.inst)).map(|it| self.ir.args(it)).unwrap_or_default();
        let rest = bound.get(1..).unwrap_or_default();
        let passed: Vec<InstId> = rest.iter().chain(args).copied().collect();
        self.bind_call(bound, &passed)
    }

    fn bind_arguments(&self, args: &[InstId]) -> Option<Vec<Argument>> {
        let has_spread = args.iter().any(|&it| matches!(self.ir.inst(it), Inst::Spread(_)));
        (!has_spread).then(|| args.iter().map(|&arg| self.argument(arg)).collect())
    }

    pub(crate) fn argument(&self, value: InstId) -> Argument {
        Argument { rooted: Some(self.roots.rooted(value)), value: Some(value) }
    }

    /// What a value holds at the end of a way, as an argument.
    pub(crate) fn argument_below(&self, value: InstId, keys: &[PathKey]) -> Argument {
        let rooted = self.roots.steps_below(self.roots.rooted(value), keys);
        Argument { rooted: Some(rooted), value: keys.is_empty().then_some(value) }
    }

    /// What a value holds, as an argument.
    pub(crate) fn element(&self, of: InstId) -> Argument {
        let rooted = self.roots.steps_below(self.roots.rooted(of), &[PathKey::ANY]);
        Argument { rooted: Some(rooted), value: None }
    }

    /// Arguments become parameters.
    fn bind(&self, inst: Inst, args: &[InstId]) -> Binding {
        let arguments = self.bind_arguments(args);
        let this = match inst {
            Inst::CallMethod { object, .. } => Some(self.argument(object)),
            Inst::Call { callee, .. } if self.ir.inst(callee) == Inst::Super => {
                Some(self.argument(callee))
            }
            // What `new` makes is fresh.
            Inst::New { .. } => Some(Argument::fresh()),
            _ => None,
        };
        Binding { arguments, this, listed: Some(args.to_vec()) }
    }

    /// What a native or modelled function passes to one that it calls back.
    pub(crate) fn bind_callback(
        &self,
        inst: Inst,
        args: &[InstId],
        modelled: &[Modelled<'p>],
    ) -> Binding {
        let [only] = modelled else { return Binding::UNKNOWN };
        let Some(row) = only.call.filter(|_| only.native.is_none()) else {
            return Binding::UNKNOWN;
        };
        let Some(callback) = row.callbacks.first().filter(|_| row.callbacks.len() == 1) else {
            return Binding::UNKNOWN;
        };
        let receiver = match inst {
            Inst::CallMethod { object, .. } => Some(object),
            _ => None,
        };
        let argument = |position: usize| args.get(position).copied();
        let whole = |value: Option<InstId>| value.map(|it| self.argument(it)).unwrap_or_default();
        let held = |value: Option<InstId>| value.map(|it| self.element(it)).unwrap_or_default();
        let bound = callback.with.iter().map(|flow| match flow {
            Flow::Argument(position) => whole(argument(*position)),
            Flow::Elements(position) => held(argument(*position)),
            Flow::Receiver => whole(receiver),
            Flow::ReceiverElements => held(receiver),
            Flow::Data | Flow::Type(_) => Argument::fresh(),
            _ => Argument::default(),
        });
        let bound = bound.collect();
        Binding { arguments: Some(bound), this: None, listed: None }
    }

    /// Adds what a callee uses to what is known, as it is at a call.
    pub(crate) fn translate(
        &self,
        effects: &Effects,
        (function, binding): (FunctionRef, &Binding),
        into: &mut Effects,
    ) {
        let call = (function, binding);
        if effects.has_fills() || into.has_fills() {
            into.join(self.translate_fills(effects, call));
        } else {
            self.translate_all(&effects.reads, call, &mut into.reads);
            self.translate_all(&effects.writes, call, &mut into.writes);
        }
        into.reads.extend(self.index_uses(effects, binding));
    }

    /// What a callee uses that fills caches.
    fn translate_fills(&self, effects: &Effects, call: (FunctionRef, &Binding)) -> Effects {
        let mut found = Effects::default();
        self.translate_all(&effects.reads, call, &mut found.reads);
        let others = effects.writes.iter().filter(|it| effects.fill(it).is_none());
        self.translate_all(others, call, &mut found.writes);
        for (location, at) in effects.fills() {
            let mut written = Locations::default();
            self.translate_all([location], call, &mut written);
            found.join(Effects::new(Locations::default(), written).filling(*at));
        }
        found
    }

    /// Adds what a callee uses to what is used before and after the first wait, when the call may run.
    pub(super) fn translate_at(
        &self,
        effects: &Effects,
        call: (FunctionRef, &Binding),
        when: When,
        (before, after): (&mut Effects, &mut Effects),
    ) {
        if when.before {
            self.translate(effects, call, before);
        }
        if when.after {
            self.translate(effects, call, after);
        }
    }

    /// As [`Self::translate`], of some locations.
    pub(crate) fn translate_all<'a>(
        &self,
        locations: impl IntoIterator<Item = &'a Location>,
        (function, binding): (FunctionRef, &Binding),
        into: &mut Locations,
    ) {
        let most = into.len() + self.most;
        for location in locations {
            // More than are told apart are not looked for.
            if into.len() > most {
                break;
            }
            if !self.is_same_outside(location) {
                into.extend(self.translate_one(location, function, binding));
            } else if !into.contains(location) {
                into.insert(location.clone());
            }
        }
    }

    /// Whether a location of a callee is the same one for this function, whatever is passed.
    fn is_same_outside(&self, location: &Location) -> bool {
        match location {
            Location::Memory(place) => match place.root {
                Root::Parameter(_) | Root::This => false,
                Root::Variable(file, var) => !self.is_owner(file, var),
                _ => true,
            },
            Location::Resource(_, which) => matches!(which, Which::Any | Which::Named(_)),
        }
    }

    /// What the commands that a call decides do with the index of a repository.
    fn index_uses(&self, effects: &Effects, binding: &Binding) -> Vec<Location> {
        let both = effects.reads.iter().chain(&effects.writes);
        let of_each = both.filter_map(|it| match it {
            Location::Resource(_, Which::Unless(line)) => {
                match self.roots.decide(line, binding.listed.as_deref()) {
                    Decided::Reads(how) => how.map(Location::of_index),
                    Decided::Open(_) | Decided::Anything => None,
                }
            }
            _ => None,
        });
        of_each.collect()
    }

    fn translate_one(
        &self,
        location: &Location,
        function: FunctionRef,
        binding: &Binding,
    ) -> Vec<Location> {
        match location {
            Location::Memory(place) => self
                .translate_place(place, function, binding)
                .into_iter()
                .filter(|it| self.roots.is_local || !self.is_own_variable(it))
                .map(Location::Memory)
                .collect(),
            Location::Resource(resource, Which::Held(place)) => {
                // A closure that is kept beyond the call may be one that was made in another one.
                if matches!(place.root, Root::Variable(..)) && self.outlives(function) {
                    return vec![Location::Resource(*resource, Which::Any)];
                }
                let which = self.translate_name(place, binding);
                vec![Location::Resource(*resource, which)]
            }
            Location::Resource(resource, Which::Unless(line)) => {
                let which = match self.roots.decide(line, binding.listed.as_deref()) {
                    Decided::Reads(_) => return Vec::new(),
                    Decided::Open(line) => Which::Unless(Box::new(line)),
                    Decided::Anything => Which::Any,
                };
                vec![Location::Resource(*resource, which)]
            }
            Location::Resource(resource, Which::Queried(query)) => {
                let which = match self.roots.ask(query, binding.listed.as_deref()) {
                    Asked::Reads => return Vec::new(),
                    Asked::Open(query) => Which::Queried(Box::new(query)),
                    Asked::Anything => Which::Any,
                };
                vec![Location::Resource(*resource, which)]
            }
            other => vec![other.clone()],
        }
    }

    /// Whether a closure is kept in a variable of a function further out than the one that makes it.
    fn outlives(&self, function: FunctionRef) -> bool {
        let ir = self.roots.all.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        let Some(maker) = data.parent.map(|it| ir.function(it)) else { return false };
        // Nothing is further out than a module, which may be long.
        maker.parent.is_some()
            && FileIr::range(maker.first, maker.end).any(|id| match ir.inst(id) {
                Inst::StoreVar { var, value } => {
                    ir.inst(value) == Inst::Closure(function.function)
                        && Some(ir.variable(var).owner) != data.parent
                }
                _ => false,
            })
    }

    /// What a resource is called that the callee knows by a parameter.
    fn translate_name(&self, place: &Place, binding: &Binding) -> Which {
        let value = match place.root {
            Root::Parameter(position) => binding
                .arguments
                .as_ref()
                .and_then(|arguments| arguments.get(position as usize)?.value),
            Root::Variable(file, var) => {
                if !self.is_owner(file, var) {
                    return Which::Held(*place);
                }
                self.roots.all.graph.always(file, var)
            }
            _ => None,
        };
        let Some(value) = value else { return Which::Any };
        if let Some(text) = self.roots.text(value) {
            return Which::Named(text);
        }
        if let Some(path) = self.roots.input_path(value) {
            return Which::Named(path);
        }
        match self.roots.parameter_behind(value) {
            Some(root) => Which::Held(Place::new(root)),
            None => Which::Any,
        }
    }

    /// A variable of this function is nobody else's: its own calls do not see it. A property of
    /// what it holds is one of what it was given.
    fn is_own_variable(&self, place: &Place) -> bool {
        match place.root {
            Root::Variable(file, var) => {
                place.keys.is_empty() && self.is_owner(file, var) && !self.is_module()
            }
            _ => false,
        }
    }

    /// Whether a variable is one of this function.
    fn is_owner(&self, file: u32, var: VarId) -> bool {
        file == self.roots.function.file
            && self.ir.variable(var).owner == self.roots.function.function
    }

    fn translate_place(
        &self,
        place: &Place,
        function: FunctionRef,
        binding: &Binding,
    ) -> Vec<Place> {
        let graph = &self.roots.all.graph;
        let below = |of: &[Rooted]| self.roots.places_below(of, &place.keys, place.is_deep);
        let by_objects = |objects: Vec<ObjectId>| below(&self.roots.of_objects(objects));
        match place.root {
            Root::Parameter(position) => {
                let by_objects = || by_objects(graph.parameter_objects(function, position));
                let Some(arguments) = &binding.arguments else { return by_objects() };
                match arguments.get(position as usize) {
                    Some(Argument { rooted: Some(rooted), .. }) => below(rooted),
                    Some(_) => by_objects(),
                    None => Vec::new(),
                }
            }
            Root::This => {
                let mine = graph.receiving(self.roots.function);
                let theirs = graph.receiving(function);
                if mine == theirs {
                    return vec![*place];
                }
                match &binding.this {
                    Some(Argument { rooted: Some(rooted), .. }) => below(rooted),
                    _ => by_objects(graph.receiver_objects(theirs)),
                }
            }
            Root::Variable(file, var)
                if !place.keys.is_empty() && self.is_owner(file, var) && !self.is_module() =>
            {
                below(&self.roots.of_variable(var))
            }
            _ => vec![*place],
        }
    }
}
