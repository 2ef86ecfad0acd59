//! From instructions to constraints.

use headstart_ir::{
    ArgsId, ClassId, FileIr, FunctionId, Inst, InstId, Key as IrKey, Literal, Type, VarKind,
};

use crate::element::pattern_positions;
use crate::flow::Constraint;
use crate::ids::{Key, Node, SiteId};
use crate::object::{Cause, Kind, Origin};
use crate::site::{Arg, How, Site};
use crate::solver::Solver;

/// How deep what is thrown is looked into: an error, its options, what those hold.
const DEEPEST_THROWN: u32 = 3;

impl<'p> Solver<'p> {
    /// Makes the constraints of the whole program.
    pub(crate) fn generate(&mut self) {
        for file in 0..self.files.len() {
            self.note_taken(file);
        }
        for file in 0..self.files.len() {
            self.declare_classes(file);
            self.declare_functions(file);
        }
        self.find_assigned_globals();
        for file in 0..self.files.len() {
            self.link_imports(file);
        }
        for file in 0..self.files.len() {
            if !self.is_stopped() {
                self.narrow_by_types(file);
            }
        }
        for file in 0..self.files.len() {
            if !self.is_stopped() {
                self.generate_file(file);
            }
        }
        let to = self.passed_on;
        self.constrain(to, Constraint::Held { to, origin: u32::MAX });
        self.find_implicit_methods();
        if !self.conversions.is_empty() {
            for file in 0..self.files.len() {
                self.generate_conversions(file);
            }
        }
        self.setters.extend(self.defined.iter().copied());
        self.note_getters();
    }

    fn generate_file(&mut self, file: usize) {
        let ir = self.files[file];
        self.positions = pattern_positions(ir);
        for index in 0..ir.functions.len() {
            let id = FunctionId::new(index);
            let function = ir.function(id);
            // What uses the rest parameter or `arguments` needs their nodes before it is called.
            for inst in headstart_ir::FileIr::range(function.first, function.end) {
                self.instruction(file, id, inst);
            }
        }
    }

    fn instruction(&mut self, file: usize, function: FunctionId, id: InstId) {
        let ir = self.files[file];
        let origin = self.numbering.inst(file, id);
        match ir.inst(id) {
            Inst::StoreVar { var, value } => self.store_variable(file, var, value),
            Inst::Delete { object, key } => {
                // What is read and written is named by keys, wherever they stand.
                let key = self.key(file, key);
                let holder = self.value(file, object);
                self.deleted.push((holder, key, origin));
            }
            Inst::StoreGlobal { name, value } => {
                self.names.key(ir.name(name));
                let name = ir.name(name);
                let variable = self.module_variable(file, name);
                let to = variable.unwrap_or_else(|| self.global_named(name));
                if variable.is_none()
                    && let Some(root) = self.members.root("globals")
                {
                    let (globals, key) = (self.object(Kind::Member(root)), self.names.key(name));
                    self.note_replaced(globals, key, origin);
                    if self.is_kept_globally(root, key) {
                        let (from, to) = (self.value(file, value), self.prop(globals, key));
                        self.flow.edge(from, to);
                    }
                }
                let from = self.value(file, value);
                self.flow.edge(from, to);
            }
            Inst::Get { object, key } => self.get(file, function, id, object, key),
            Inst::Set { object, key, value } => {
                let key = self.key(file, key);
                let from = self.value(file, value);
                if ir.inst(object) == Inst::Super {
                    self.set_of_super(file, function, key, from, origin);
                } else {
                    self.set(file, object, key, from, origin);
                }
            }
            Inst::Accessor { object, key, function, is_setter } => {
                let key = self.key(file, key);
                self.has_own_accessors = true;
                if is_setter {
                    self.setters.insert(key);
                } else {
                    self.readings.note_getter(key);
                }
                let key = if is_setter { key.setter() } else { key.getter() };
                let object = self.literal_object(file, object);
                let to = self.prop(object, key);
                let function = self.number_of(file, function);
                self.give(to, Kind::Function(function));
            }
            Inst::Call { callee, args } => {
                let how = if ir.inst(callee) == Inst::Super { How::Super } else { How::Call };
                let callee = self.callee(file, function, callee);
                self.call_site(file, id, args, Self::plain_site(callee, origin, how));
            }
            Inst::CallMethod { object, method, args } => {
                self.note_definition(file, method, args);
                self.note_spied(file, id);
                let callee = self.value(file, method);
                let this = match ir.inst(object) {
                    Inst::Super => self.this_of(file, function),
                    _ => self.value(file, object),
                };
                let site = Site { this, ..Self::plain_site(callee, origin, How::Call) };
                let site = self.call_site(file, id, args, site);
                if self.is_by_unknown_name(file, method) {
                    self.constrain(this, Constraint::MethodByName(site));
                }
            }
            Inst::New { callee, args } => {
                let callee = self.value(file, callee);
                self.call_site(file, id, args, Self::plain_site(callee, origin, How::New));
            }
            Inst::Class(class) => self.class(file, class, origin),
            Inst::Array(args) => self.array(file, id, args),
            Inst::CopyProps { object, value } => {
                let target = self.literal_object(file, object);
                let from = self.value(file, value);
                self.constrain(from, Constraint::CopyTo { target, origin });
            }
            Inst::Select(left, right) => {
                let to = self.value(file, id);
                for from in [left, right] {
                    let from = self.value(file, from);
                    self.flow.edge(from, to);
                }
            }
            Inst::Await(value) => {
                let (from, to) = (self.value(file, value), self.value(file, id));
                self.constrain(from, Constraint::Await { to });
            }
            Inst::Rest(value) => self.rest(file, id, value),
            Inst::Iterate(value) => {
                let (from, to) = (self.value(file, value), self.value(file, id));
                let key = self.positions.get(&id).map_or(Key::ELEMENT, |&it| Key::element(it));
                self.constrain(from, Constraint::Iterate { to, key, origin });
            }
            Inst::IterateAsync(value) => {
                let (from, to) = (self.value(file, value), self.value(file, id));
                let each = self.flow.node();
                self.constrain(from, Constraint::iterate(each, origin));
                self.constrain(each, Constraint::Await { to });
            }
            Inst::Spread(value) => {
                // Iterating runs code wherever the elements go.
                let from = self.value(file, value);
                self.constrain(from, Constraint::iterate(Node::NONE, origin));
            }
            Inst::Yield(value) => {
                let from = self.value(file, value);
                let to = self.yielded(file, function);
                self.constrain(from, Constraint::Await { to });
                // What `next` is given.
                let sent = self.value(file, id);
                self.give_unknown(sent, Cause::Entry);
            }
            Inst::YieldAll(value) => {
                let from = self.value(file, value);
                let to = self.yielded(file, function);
                self.constrain(from, Constraint::iterate(to, origin));
                // What `return` is given from outside may come of it, too.
                let returned = self.value(file, id);
                self.constrain(from, Constraint::Completed { to: returned });
                self.give_unknown(returned, Cause::Entry);
            }
            Inst::Return(value) => self.returned(file, function, value),
            Inst::Throw(value) => self.thrown(file, value, id, DEEPEST_THROWN),
            Inst::DynamicImport { request, .. } => self.dynamic_import(file, id, request),
            Inst::Jsx(args) => {
                for &arg in ir.args(args) {
                    let arg = match ir.inst(arg) {
                        Inst::Spread(value) => value,
                        _ => arg,
                    };
                    let from = self.value(file, arg);
                    self.flow.edge(from, self.escaped);
                }
            }
            Inst::RestParam(_) => {
                let number = self.number_of(file, function);
                let array = self.typed(self.types.array, Origin::Rest(number));
                self.functions[number as usize].rest = self.prop(array, Key::ELEMENT);
            }
            Inst::Arguments => {
                let function = self.receiving_function(file, function);
                let number = self.number_of(file, function);
                let array = self.typed(self.types.array, Origin::Arguments(number));
                self.functions[number as usize].arguments = self.prop(array, Key::ELEMENT);
            }
            // What these are is the node of their value.
            Inst::Literal(_)
            | Inst::LoadVar(_)
            | Inst::LoadGlobal(_)
            | Inst::Require(_)
            | Inst::Closure(_)
            | Inst::Object
            | Inst::Template(_)
            | Inst::Pure1(_)
            | Inst::Convert(_)
            | Inst::Pure2(..)
            | Inst::Has { .. }
            | Inst::InstanceOf { .. }
            | Inst::Operator { .. }
            | Inst::Conditional { .. }
            | Inst::EnumerateKeys(_)
            | Inst::Param(_)
            | Inst::Caught
            | Inst::This
            | Inst::Super
            | Inst::NewTarget
            | Inst::ImportMeta
            | Inst::Dispose { .. }
            | Inst::Opaque => {}
        }
    }

    /// Notes what is converted, where the program has methods for that.
    fn generate_conversions(&mut self, file: usize) {
        let ir = self.files[file];
        for index in 0..ir.insts.len() {
            let id = InstId::new(index);
            let origin = self.numbering.inst(file, id);
            let operands: Vec<InstId> = match ir.inst(id) {
                Inst::Template(parts) => ir.args(parts).to_vec(),
                Inst::Operator { left, right, .. } => vec![left, right],
                Inst::Convert(value)
                | Inst::Has { key: value, .. }
                | Inst::InstanceOf { class: value, .. } => vec![value],
                Inst::Get { key, .. } | Inst::Set { key, .. } | Inst::Delete { key, .. } => {
                    match key.get() {
                        IrKey::Computed(value) => vec![value],
                        _ => continue,
                    }
                }
                _ => continue,
            };
            for operand in operands {
                let node = self.value(file, operand);
                self.convert_node(node, origin);
            }
        }
    }

    fn store_variable(&mut self, file: usize, var: headstart_ir::VarId, value: InstId) {
        let variable = self.files[file].variable(var);
        let to = self.variable(file, var);
        let from = self.value(file, value);
        // A variable that has always the same value has that value's node.
        self.flow.edge(from, to);
        if variable.kind == VarKind::Catch {
            self.give_unknown(to, Cause::Caught);
        }
    }

    /// `Object.defineProperty(object, key, …)` and its like may make accessors or change prototypes.
    fn note_definition(&mut self, file: usize, method: InstId, args: ArgsId) {
        let ir = self.files[file];
        let Inst::Get { key, .. } = ir.inst(method) else { return };
        let IrKey::Name(name) = key.get() else { return };
        let key = match ir.name(name) {
            "defineProperty" => match ir.args(args).get(1).map(|&it| ir.inst(it)) {
                Some(Inst::Literal(headstart_ir::Literal::String(name))) => {
                    self.names.key(ir.name(name))
                }
                // `Symbol.iterator`
                Some(Inst::Get { key, .. }) => {
                    self.sets_iterators |=
                        matches!(key.get(), IrKey::Name(name) if ir.name(name) == "iterator");
                    Key::DYNAMIC
                }
                _ => Key::DYNAMIC,
            },
            "__defineGetter__" | "__defineSetter__" => {
                match ir.args(args).first().map(|&it| ir.inst(it)) {
                    Some(Inst::Literal(headstart_ir::Literal::String(name))) => {
                        self.names.key(ir.name(name))
                    }
                    _ => Key::DYNAMIC,
                }
            }
            "defineProperties" => Key::DYNAMIC,
            "create" if ir.args(args).len() > 1 => Key::DYNAMIC,
            // `Reflect.set(object, "toString", …)`
            "set" => {
                if let Some(Inst::Literal(Literal::String(name))) =
                    ir.args(args).get(1).map(|&it| ir.inst(it))
                {
                    self.set_names.insert(self.names.key(ir.name(name)));
                }
                return;
            }
            "setPrototypeOf" => {
                self.sets_prototypes |= !self.restores_prototype(file, args);
                return;
            }
            _ => return,
        };
        self.has_own_accessors = true;
        self.defined.insert(key);
        if let Some(class) = ir.args(args).first().and_then(|&it| of_platform_prototype(ir, it)) {
            self.note_platform_getter(class, key);
        }
    }

    fn get(
        &mut self,
        file: usize,
        function: FunctionId,
        id: InstId,
        object: InstId,
        key: headstart_ir::PropKey,
    ) {
        let origin = self.numbering.inst(file, id);
        let key = self.key(file, key);
        let to = self.value(file, id);
        if self.files[file].inst(object) == Inst::Super {
            return self.get_of_super(file, function, key, to, origin);
        }
        let from = self.value(file, object);
        self.constrain(from, Constraint::Load { key, to, origin });
    }

    fn get_of_super(&mut self, file: usize, function: FunctionId, key: Key, to: Node, origin: u32) {
        let function = self.receiving_function(file, function);
        let number = self.number_of(file, function);
        let Some(&class) = self.class_of.get(&number) else {
            return self.give_unknown(to, Cause::Opaque);
        };
        let parent = self.parent(class);
        if self.is_static(number) {
            self.constrain(parent, Constraint::Load { key, to, origin });
        } else {
            self.constrain(parent, Constraint::LoadInherited { key, to, origin });
        }
    }

    /// `super.x = value` runs a setter of the parent, else it sets a property of `this`.
    fn set_of_super(
        &mut self,
        file: usize,
        function: FunctionId,
        key: Key,
        from: Node,
        origin: u32,
    ) {
        let function = self.receiving_function(file, function);
        let number = self.number_of(file, function);
        if let Some(&class) = self.class_of.get(&number) {
            let parent = self.parent(class);
            self.constrain(
                parent,
                if self.is_static(number) {
                    Constraint::StoreAccessor { key, from, origin }
                } else {
                    Constraint::StoreInherited { key, from, origin }
                },
            );
        }
        let this = self.functions[number as usize].this;
        self.constrain(this, Constraint::Store { key, from, origin });
    }

    fn set(&mut self, file: usize, object: InstId, key: Key, from: Node, origin: u32) {
        if self.files[file].inst(object) == Inst::Object {
            // Nobody else has the object yet.
            let object = self.literal_object(file, object);
            self.literal_keys.insert((object, key));
            let to = self.prop(object, key);
            self.flow.edge(from, to);
            if let Some(Kind::Function(function)) = self.only(from)
                && !self.class_of.contains_key(&function)
            {
                self.flow.add(self.functions[function as usize].this, object);
            }
            return;
        }
        self.sets_prototypes |= key == Key::PROTO;
        self.set_names.insert(key);
        let object = self.value(file, object);
        self.constrain(object, Constraint::Store { key, from, origin });
    }

    /// The one object that a node holds so far.
    fn only(&self, node: Node) -> Option<Kind<'p>> {
        let mut objects = self.flow.objects(node);
        let first = objects.next()?;
        objects.next().is_none().then(|| self.objects.kind(first))
    }

    fn this_of(&self, file: usize, function: FunctionId) -> Node {
        let function = self.receiving_function(file, function);
        self.functions[self.number_of(file, function) as usize].this
    }

    fn callee(&mut self, file: usize, function: FunctionId, callee: InstId) -> Node {
        if self.files[file].inst(callee) != Inst::Super {
            return self.value(file, callee);
        }
        let function = self.receiving_function(file, function);
        let number = self.number_of(file, function);
        match self.class_of.get(&number) {
            Some(&class) => self.parent(class),
            None => Node::NONE,
        }
    }

    /// The node of what a class extends.
    fn parent(&mut self, class: u32) -> Node {
        let known = self.parents[class as usize];
        if !known.is_none() {
            return known;
        }
        let (file, id) = self.numbering.class_of(class);
        let Some(parent) = self.files[file].class(id).super_class else { return Node::NONE };
        let node = self.value(file, parent);
        self.parents[class as usize] = node;
        node
    }

    fn class(&mut self, file: usize, id: ClassId, origin: u32) {
        let number = self.numbering.class(file, id);
        let parent = self.parent(number);
        self.constrain(parent, Constraint::Extended(number));
        if let Some(initialiser) = self.files[file].class(id).static_init {
            let function = self.number_of(file, initialiser);
            self.record(origin, function, false);
        }
    }

    /// Whether a method is read under a name that is not known, and may be one of the platform's: what is under a
    /// number is an element.
    fn is_by_unknown_name(&mut self, file: usize, method: InstId) -> bool {
        let ir = self.files[file];
        let Inst::Get { key, .. } = ir.inst(method) else { return false };
        let IrKey::Computed(name) = key.get() else { return false };
        // `names[Symbol.iterator]()`
        let is_symbol = |it: InstId| {
            matches!(ir.inst(it), Inst::Get { object, .. }
                if matches!(ir.inst(object), Inst::LoadGlobal(name) if ir.name(name) == "Symbol"))
        };
        self.key(file, key) == Key::DYNAMIC && !is_number(ir, name) && !is_symbol(name)
    }

    fn call_site(&mut self, file: usize, id: InstId, args: ArgsId, site: Site) -> SiteId {
        let result = self.value(file, id);
        let args: Vec<Arg> = self.files[file]
            .args(args)
            .iter()
            .map(|&arg| match self.files[file].inst(arg) {
                Inst::Spread(value) => Arg { node: self.value(file, value), is_spread: true },
                _ => Arg { node: self.value(file, arg), is_spread: false },
            })
            .collect();
        self.new_site(Site { result, ..site }, &args)
    }

    fn array(&mut self, file: usize, id: InstId, args: ArgsId) {
        let number = self.numbering.inst(file, id);
        self.value(file, id);
        let array = self.typed(self.types.array, Origin::Inst(number, 0));
        let mut is_spread = false;
        for (position, &arg) in (0..).zip(self.files[file].args(args)) {
            let value = match self.files[file].inst(arg) {
                Inst::Spread(value) => Some(value),
                _ => None,
            };
            is_spread |= value.is_some();
            let key = if is_spread { Key::ELEMENT } else { Key::element(position) };
            let to = self.prop(array, key);
            let from = self.value(file, value.unwrap_or(arg));
            if value.is_some() {
                self.constrain(from, Constraint::iterate(to, self.numbering.inst(file, arg)));
            } else {
                self.flow.edge(from, to);
            }
        }
    }

    /// `{...rest}` copies properties, `[...rest]` takes elements; which of them is not told apart.
    fn rest(&mut self, file: usize, id: InstId, value: InstId) {
        let number = self.numbering.inst(file, id);
        self.value(file, id);
        let from = self.value(file, value);
        let object = self.object(Kind::Literal(number));
        self.constrain(from, Constraint::CopyTo { target: object, origin: number });
        let array = self.typed(self.types.array, Origin::Inst(number, 0));
        let elements = self.prop(array, Key::ELEMENT);
        self.constrain(from, Constraint::iterate(elements, number));
    }

    /// What is thrown comes to whoever catches it. An object that is made for that is not told apart from
    /// others there, but what it is made with is.
    fn thrown(&mut self, file: usize, value: InstId, at: InstId, depth: u32) {
        let ir = self.files[file];
        match (ir.inst(value), depth.checked_sub(1)) {
            (Inst::Literal(_) | Inst::Template(_), _) => {}
            (Inst::New { args, .. }, Some(depth)) => {
                ir.args(args).iter().for_each(|&arg| self.thrown(file, arg, at, depth));
            }
            (Inst::Object, Some(depth)) => {
                for id in FileIr::range(value, at) {
                    match ir.inst(id) {
                        Inst::Set { object, value: held, .. } if object == value => {
                            self.thrown(file, held, at, depth);
                        }
                        Inst::CopyProps { object, value: from } if object == value => {
                            self.thrown(file, from, at, depth);
                        }
                        _ => {}
                    }
                }
            }
            _ => {
                let from = self.value(file, value);
                self.flow.edge(from, self.passed_on);
            }
        }
    }

    fn yielded(&mut self, file: usize, function: FunctionId) -> Node {
        let number = self.number_of(file, function);
        let is_async = self.files[file].function(function).is_async;
        let ty = if is_async { self.types.async_generator } else { self.types.generator };
        let generator = self.typed(ty, Origin::Function(number));
        self.prop(generator, Key::ELEMENT)
    }

    fn returned(&mut self, file: usize, id: FunctionId, value: InstId) {
        let number = self.number_of(file, id);
        let function = self.files[file].function(id);
        let from = self.value(file, value);
        if function.is_generator {
            let ty =
                if function.is_async { self.types.async_generator } else { self.types.generator };
            let generator = self.typed(ty, Origin::Function(number));
            let to = self.prop(generator, Key::VALUE);
            self.constrain(from, Constraint::Await { to });
        } else if function.is_async {
            let promise = self.typed(self.types.promise, Origin::Function(number));
            let to = self.prop(promise, Key::VALUE);
            self.constrain(from, Constraint::Await { to });
        } else {
            let to = self.functions[number as usize].result;
            self.flow.edge(from, to);
        }
    }
}

/// The class of the platform whose prototype a value is: `Object.prototype`.
fn of_platform_prototype(ir: &headstart_ir::FileIr, value: InstId) -> Option<&str> {
    let Inst::Get { object, key } = ir.inst(value) else { return None };
    let is_prototype = matches!(key.get(), IrKey::Name(name) if ir.name(name) == "prototype");
    match ir.inst(object) {
        Inst::LoadGlobal(class) if is_prototype => Some(ir.name(class)),
        _ => None,
    }
}

/// Whether a value is certainly a number: a literal, what an annotation says, a counter that only literals and
/// updates are stored in.
fn is_number(ir: &FileIr, value: InstId) -> bool {
    match ir.inst(value) {
        Inst::Literal(Literal::Number(_)) => true,
        Inst::LoadVar(var) => {
            let variable = ir.variable(var);
            matches!(ir.types.get(variable.ty.index()), Some(Type::Number))
                || (variable.writes > 1
                    && matches!(variable.init.map(|it| ir.inst(it)), Some(Inst::StoreVar { value, .. })
                        if matches!(ir.inst(value), Inst::Literal(Literal::Number(_)))))
        }
        _ => false,
    }
}
