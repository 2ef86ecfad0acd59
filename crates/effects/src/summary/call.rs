//! The effects of one call: those of its callees, translated to the caller.

use headstart_callgraph::{FunctionRef, Modelled, Native, PathKey};
use headstart_ir::{Inst, InstId};
use headstart_models::{Call, CallsBack, Flow, Receiver};

use super::compute::Computation;
use super::order::When;
use super::place::{Location, Place, Root, Which};
use super::row::arguments;
use super::{Effects, Summary};

/// What the places of a callee's summary are at a call.
struct Binding {
    /// Each argument; none where they are not known one by one.
    arguments: Option<Vec<Argument>>,
    /// The places of `this`; none where it is not known.
    this: Option<Vec<Place>>,
}

/// What is passed at one position.
#[derive(Clone, Default)]
struct Argument {
    /// The places that hold it; none where that is not known.
    places: Option<Vec<Place>>,
    /// The value itself.
    value: Option<InstId>,
}

impl Argument {
    fn at(places: Vec<Place>) -> Self {
        Self { places: Some(places), value: None }
    }
}

impl Binding {
    /// What is passed is not known one by one: what may be in the parameters is looked at.
    const UNKNOWN: Self = Self { arguments: None, this: None };
}

impl<'p> Computation<'_, 'p> {
    /// A call, or what else calls functions.
    pub(crate) fn call(&mut self, id: InstId, when: When) {
        let all = self.roots.all;
        let callees = all.callees(self.roots.at(id));
        if callees.obstacle().is_some() {
            self.anything(id);
        }
        let inst = self.ir.inst(id);
        let args: Vec<InstId> =
            arguments(inst).map(|args| self.ir.args(args).to_vec()).unwrap_or_default();
        let passed = self.passed(inst, &args, &callees.modelled);
        if self.calls_unknown(inst, &args, &callees.modelled) {
            self.anything(id);
        }
        for &function in &callees.functions {
            self.callee(id, function, &passed, when);
        }
        let later = callees.modelled.iter().any(|it| calls_later(it));
        let when_called_back = if later { When { before: false, after: true } } else { when };
        for &function in &callees.callbacks {
            let binding = self.bind_callback(inst, &args, &callees.modelled);
            let is_executor =
                callees.modelled.iter().any(|it| it.native == Some(Native::PromiseConstructor));
            self.called_back(id, function, &binding, when_called_back, later || is_executor);
        }
        for member in &callees.modelled {
            self.member(id, inst, &args, member, when);
        }
    }

    /// What a call passes to the functions that it calls, perhaps by `call` and `apply`.
    fn passed(&self, inst: Inst, args: &[InstId], modelled: &[Modelled<'p>]) -> Binding {
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
        match callee.and_then(|it| self.roots.all.graph.bound_arguments(self.roots.at(it))) {
            Some(_) => callee.map_or(Binding::UNKNOWN, |callee| self.bind_bound(callee, args)),
            None => self.bind(inst, args),
        }
    }

    /// `f.call(this, …)`
    fn bind_call(&self, args: &[InstId], passed: &[InstId]) -> Binding {
        let this = args.first().map(|&it| self.roots.of(it)).unwrap_or_default();
        Binding { arguments: self.bind_arguments(passed), this: Some(this) }
    }

    /// What was bound comes first, and `this` is what was bound.
    fn bind_bound(&self, callee: InstId, args: &[InstId]) -> Binding {
        let graph = &self.roots.all.graph;
        let Some(at) = graph.bound_at(self.roots.at(callee)) else { return Binding::UNKNOWN };
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
        let bind = |&arg: &InstId| Argument { places: Some(self.roots.of(arg)), value: Some(arg) };
        (!has_spread).then(|| args.iter().map(bind).collect())
    }

    /// Whether a native or modelled function is given a function to call that nobody knows.
    fn calls_unknown(&self, inst: Inst, args: &[InstId], modelled: &[Modelled<'p>]) -> bool {
        let is_unknown = |value: InstId| self.roots.all.graph.is_unknown(self.roots.at(value));
        modelled.iter().any(|member| match member.native {
            Some(Native::Call | Native::Apply) => match inst {
                Inst::CallMethod { object, .. } => is_unknown(object),
                _ => true,
            },
            Some(Native::ReflectApply | Native::ReflectConstruct) => {
                args.first().is_none_or(|&it| is_unknown(it))
            }
            Some(Native::Then | Native::Catch | Native::Finally | Native::PromiseConstructor) => {
                args.iter().any(|&it| is_unknown(it))
            }
            Some(_) => false,
            None => member.call.is_some_and(|row| {
                let may_call = |position: usize| {
                    let kind = row.arguments.get(position).copied().or(row.rest);
                    let is_function = matches!(
                        kind,
                        Some(
                            headstart_models::Argument::Function
                                | headstart_models::Argument::OptionsOrFunction
                        )
                    );
                    let is_listed = row.callbacks.iter().any(|it| it.argument == position);
                    is_listed || (is_function && row.calls_back != CallsBack::No)
                };
                args.iter().enumerate().any(|(at, &it)| may_call(at) && is_unknown(it))
            }),
        })
    }

    /// Arguments become parameters.
    fn bind(&self, inst: Inst, args: &[InstId]) -> Binding {
        let arguments = self.bind_arguments(args);
        let this = match inst {
            Inst::CallMethod { object, .. } if self.ir.inst(object) == Inst::Super => {
                Some(vec![Place::new(Root::This)])
            }
            Inst::CallMethod { object, .. } => Some(self.roots.of(object)),
            Inst::Call { callee, .. } if self.ir.inst(callee) == Inst::Super => {
                Some(vec![Place::new(Root::This)])
            }
            // What `new` makes is fresh.
            Inst::New { .. } => Some(Vec::new()),
            _ => None,
        };
        Binding { arguments, this }
    }

    /// What a native or modelled function passes to one that it calls back.
    fn bind_callback(&self, inst: Inst, args: &[InstId], modelled: &[Modelled<'p>]) -> Binding {
        let [only] = modelled else { return Binding::UNKNOWN };
        let Some(row) = only.call.filter(|_| only.native.is_none()) else {
            return Binding::UNKNOWN;
        };
        let Some(callback) = row.callbacks.first().filter(|_| row.callbacks.len() == 1) else {
            return Binding::UNKNOWN;
        };
        let receiver = match inst {
            Inst::CallMethod { object, .. } => self.roots.of(object),
            _ => Vec::new(),
        };
        let argument =
            |position: usize| args.get(position).map(|&arg| self.roots.of(arg)).unwrap_or_default();
        let below = |places: Vec<Place>| -> Vec<Place> {
            places.into_iter().map(|it| it.then(PathKey::ANY)).collect()
        };
        let mut bound = Vec::new();
        for flow in &callback.with {
            bound.push(match flow {
                Flow::Argument(position) => Argument::at(argument(*position)),
                Flow::Elements(position) => Argument::at(below(argument(*position))),
                Flow::Receiver => Argument::at(receiver.clone()),
                Flow::ReceiverElements => match inst {
                    Inst::CallMethod { object, .. } => {
                        Argument::at(self.roots.under(object, PathKey::ANY))
                    }
                    _ => Argument::default(),
                },
                Flow::Data | Flow::Type(_) => Argument::at(Vec::new()),
                _ => Argument::default(),
            });
        }
        Binding { arguments: Some(bound), this: None }
    }

    /// The effects of a function of the program that is called.
    fn callee(&mut self, id: InstId, function: FunctionRef, binding: &Binding, when: When) {
        let summary = self.roots.all.of(function).clone();
        self.effects_of(&summary, function, binding, when);
        if summary.is_anything() {
            self.anything(id);
        }
        if summary.throws {
            self.throw(id);
        }
    }

    /// The effects of a function that something else calls.
    fn called_back(
        &mut self,
        id: InstId,
        function: FunctionRef,
        binding: &Binding,
        when: When,
        is_later: bool,
    ) {
        let summary = self.roots.all.of(function).clone();
        self.effects_of(&summary, function, binding, when);
        if summary.is_anything() {
            self.anything(id);
        }
        if summary.throws && !is_later {
            self.throw(id);
        }
    }

    fn effects_of(
        &mut self,
        summary: &Summary,
        function: FunctionRef,
        binding: &Binding,
        when: When,
    ) {
        let before = self.translate(&summary.before, function, binding);
        self.add(before, when);
        let after = self.translate(&summary.after, function, binding);
        self.add(after, When { before: false, after: true });
    }

    fn translate(&self, effects: &Effects, function: FunctionRef, binding: &Binding) -> Effects {
        let all = |locations: &std::collections::BTreeSet<Location>| {
            locations.iter().flat_map(|it| self.translate_one(it, function, binding)).collect()
        };
        Effects { reads: all(&effects.reads), writes: all(&effects.writes) }
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
                .filter(|it| !self.is_own_variable(it))
                .map(Location::Memory)
                .collect(),
            Location::Resource(resource, Which::Held(place)) => {
                let which = self.translate_name(place, binding);
                vec![Location::Resource(*resource, which)]
            }
            other => vec![other.clone()],
        }
    }

    /// What a resource is called that the callee knows by a parameter.
    fn translate_name(&self, place: &Place, binding: &Binding) -> Which {
        let value = match place.root {
            Root::Parameter(position) => binding
                .arguments
                .as_ref()
                .and_then(|arguments| arguments.get(position as usize)?.value),
            Root::Variable(file, var) => {
                let is_own = file == self.roots.function.file
                    && self.ir.variable(var).owner == self.roots.function.function;
                if !is_own {
                    return Which::Held(place.clone());
                }
                self.roots.all.graph.always(file, var)
            }
            _ => None,
        };
        let Some(value) = value else { return Which::Any };
        if let Some(text) = self.roots.text(value) {
            return Which::Named(text);
        }
        match self.roots.parameter_behind(value) {
            Some(root) => Which::Held(Place::new(root)),
            None => Which::Any,
        }
    }

    /// What is under a key of an object literal that is passed.
    fn of_literal(&self, argument: &Argument, place: &Place) -> Option<Vec<Place>> {
        let value = argument.value.filter(|&it| self.ir.inst(it) == Inst::Object)?;
        let (&key, rest) = place.keys.split_first()?;
        let end = self.ir.function(self.roots.function.function).end;
        let mut found = Vec::new();
        for id in headstart_ir::FileIr::range(value, end) {
            let Inst::Set { object, key: set, value: held } = self.ir.inst(id) else { continue };
            if object == value && self.roots.all.graph.key(self.roots.function.file, set) == key {
                let inner = Place {
                    root: place.root,
                    keys: rest.iter().copied().collect(),
                    ..place.clone()
                };
                // The property itself is the literal's, which is fresh.
                if !rest.is_empty() || place.is_deep {
                    found.extend(self.roots.of(held).into_iter().map(|it| it.join(&inner)));
                }
            }
        }
        Some(found)
    }

    /// A variable of this function is nobody else's: its own calls do not see it. A property of
    /// what it holds is one of what it was given.
    fn is_own_variable(&self, place: &Place) -> bool {
        match place.root {
            Root::Variable(file, var) => {
                file == self.roots.function.file
                    && place.keys.is_empty()
                    && self.ir.variable(var).owner == self.roots.function.function
                    && !self.is_module()
            }
            _ => false,
        }
    }

    fn translate_place(
        &self,
        place: &Place,
        function: FunctionRef,
        binding: &Binding,
    ) -> Vec<Place> {
        let join = |places: &[Place]| -> Vec<Place> {
            places.iter().map(|it| it.clone().join(place)).collect()
        };
        let by_objects = |objects: Vec<headstart_callgraph::AbstractObject>| {
            let places: Vec<Place> =
                objects.into_iter().filter_map(|it| self.roots.place_of(it)).collect();
            join(&places)
        };
        match place.root {
            Root::Parameter(position) => match &binding.arguments {
                Some(arguments) => match arguments.get(position as usize) {
                    Some(argument) => match &argument.places {
                        Some(places) if places.is_empty() => {
                            self.of_literal(argument, place).unwrap_or_default()
                        }
                        Some(places) => join(places),
                        None => by_objects(self.roots.all.graph.parameter(function, position)),
                    },
                    None => Vec::new(),
                },
                None => by_objects(self.roots.all.graph.parameter(function, position)),
            },
            Root::This => {
                let mine = self.roots.all.graph.receiving(self.roots.function);
                let theirs = self.roots.all.graph.receiving(function);
                if mine == theirs {
                    return vec![place.clone()];
                }
                match &binding.this {
                    Some(places) => join(places),
                    None => by_objects(self.roots.all.graph.receiver(theirs)),
                }
            }
            Root::Variable(file, var)
                if file == self.roots.function.file
                    && !place.keys.is_empty()
                    && self.ir.variable(var).owner == self.roots.function.function
                    && !self.is_module() =>
            {
                join(&self.roots.of_variable(var))
            }
            _ => vec![place.clone()],
        }
    }

    /// The effects of a member of a module or type.
    fn member(
        &mut self,
        id: InstId,
        inst: Inst,
        args: &[InstId],
        member: &Modelled<'p>,
        when: When,
    ) {
        if let Some(native) = member.native
            && (member.call.is_none() || !matches!(native, Native::On | Native::Emit))
        {
            self.native(inst, args, native, when);
            if member.call.is_none() {
                return;
            }
        }
        let Some(row) = member.call else { return };
        if member.native.is_none() && !self.roots.is_covered(row, args) {
            return self.anything(id);
        }
        let resources = self.roots.resources(row, member.module, args);
        self.add(resources, when);
        self.receiver(inst, row, when);
        for &position in &row.mutates {
            if let Some(&arg) = args.get(position) {
                self.write_below(arg, PathKey::ANY, when);
            }
        }
        for flow in row.callbacks.iter().flat_map(|it| &it.with).chain(&row.returns) {
            if let Flow::Elements(position) = flow
                && let Some(&arg) = args.get(*position)
            {
                self.read_below(arg, PathKey::ANY, when);
            }
        }
        if self.roots.row_throws(row, args) {
            self.throw(id);
        }
        self.enumerate(args, member, when);
    }

    /// `Object.keys` and its like read what an object holds, `JSON.stringify` all that is below.
    fn enumerate(&mut self, args: &[InstId], member: &Modelled<'p>, when: When) {
        let Some(&object) = args.first() else { return };
        match self.roots.all.graph.name(member).as_str() {
            "Object.keys" | "Object.values" | "Object.entries" | "Object.getOwnPropertyNames" => {
                self.read_below(object, PathKey::ANY, when);
            }
            "JSON.stringify" | "structuredClone" => {
                for mut place in self.roots.of(object) {
                    place.is_deep = true;
                    self.read(Location::Memory(place), when);
                }
            }
            _ => {}
        }
    }

    /// What a call does to the object that it is on.
    fn receiver(&mut self, inst: Inst, row: &Call, when: When) {
        let Inst::CallMethod { object, .. } = inst else { return };
        match row.receiver {
            Receiver::None => {}
            Receiver::Reads => self.read_below(object, PathKey::ANY, when),
            Receiver::Writes => {
                self.write_below(object, PathKey::ANY, when);
            }
        }
    }

    /// What native functions without a row do.
    fn native(&mut self, inst: Inst, args: &[InstId], native: Native, when: When) {
        match native {
            Native::Assign => {
                if let Some(&target) = args.first() {
                    self.write_below(target, PathKey::ANY, when);
                }
                for &source in args.iter().skip(1) {
                    self.read_below(source, PathKey::ANY, when);
                }
            }
            Native::SetPrototypeOf | Native::DefineProperty | Native::Inherits => {
                if let Some(&target) = args.first() {
                    self.write_below(target, PathKey::ANY, when);
                }
            }
            Native::MapConstructor
            | Native::SetConstructor
            | Native::All
            | Native::AllSettled
            | Native::Race => {
                if let Some(&list) = args.first() {
                    self.read_below(list, PathKey::ANY, when);
                }
            }
            Native::StoreElements(_) | Native::MapSet | Native::On | Native::Next => {
                if let Inst::CallMethod { object, .. } = inst {
                    self.write_below(object, PathKey::ANY, when);
                }
            }
            Native::Concat | Native::Entries | Native::Emit | Native::Join => {
                if let Inst::CallMethod { object, .. } = inst {
                    self.read_below(object, PathKey::ANY, when);
                }
            }
            _ => {}
        }
    }

    /// The effects of the getter or setter behind an access.
    pub(crate) fn accessor(&mut self, id: InstId, object: InstId, when: When) {
        let callees = self.roots.all.callees(self.roots.at(id));
        let binding = Binding { arguments: Some(Vec::new()), this: Some(self.roots.of(object)) };
        for &function in &callees.callbacks {
            self.callee(id, function, &binding, when);
        }
    }
}

fn calls_later(member: &Modelled<'_>) -> bool {
    match member.native {
        Some(Native::Then | Native::Catch | Native::Finally) => true,
        Some(_) => false,
        None => member.call.is_some_and(|row| row.calls_back == CallsBack::Later),
    }
}
