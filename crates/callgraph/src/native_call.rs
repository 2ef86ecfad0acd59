//! Calls of native functions whose flow of values no row describes.

use headstart_ir::{Inst, Key as IrKey, Literal};
use headstart_models::ResultKind;

use crate::flow::Constraint;
use crate::ids::{Key, MemberId, Node, Object, SiteId, id};
use crate::native::Native;
use crate::object::{Cause, Kind, Origin};
use crate::site::{Arg, How, Site};
use crate::solver::Solver;

impl<'p> Solver<'p> {
    /// Carries out a call; whether that is all it does. Where it is not, its row is looked at, too.
    pub(crate) fn call_native(&mut self, site: SiteId, native: Native, member: MemberId) -> bool {
        let data = self.site(site);
        let args = self.site_args(site);
        let arg = |position: usize| args.get(position).map_or(Node::NONE, |it| it.node);
        match native {
            Native::Bind => self.give(data.result, Kind::Bound(site)),
            Native::Call => {
                let rest: Vec<Arg> = args.iter().copied().skip(1).collect();
                let how = How::Call;
                let (callee, this, depth) = (data.this, arg(0), data.depth + 1);
                self.new_site(Site { callee, this, how, depth, gives_this: true, ..data }, &rest);
            }
            Native::Apply => self.apply_list(data.this, arg(0), arg(1), How::Call, data),
            Native::ReflectApply => self.apply_list(arg(0), arg(1), arg(2), How::Call, data),
            Native::ReflectConstruct => {
                self.apply_list(arg(0), Node::NONE, arg(1), How::New, data);
            }
            Native::Assign => {
                self.flow.edge(arg(0), data.result);
                self.for_each(site, native, arg(0));
            }
            Native::Create => {
                let object = self.object(Kind::Literal(data.origin));
                self.flow.add(data.result, object);
                let prototype = self.prop(object, Key::PROTO);
                self.flow.edge(arg(0), prototype);
                self.define_properties(site, object);
            }
            Native::OwnDescriptor | Native::OwnDescriptors => {
                let descriptor = self.object(Kind::Literal(data.origin));
                self.flow.add(data.result, descriptor);
                if native == Native::OwnDescriptors {
                    // One stands for all, and for the object that they are in.
                    self.store(descriptor, Key::DYNAMIC, data.result, u32::MAX);
                }
                self.for_each(site, native, arg(0));
            }
            Native::SetPrototypeOf => {
                self.flow.edge(arg(0), data.result);
                self.for_each(site, native, arg(0));
            }
            Native::Inherits => self.for_each(site, native, arg(0)),
            // What else they do their rows say.
            Native::ReflectGet | Native::ReflectDelete => {
                self.for_each(site, native, arg(0));
                return false;
            }
            // What is given as the receiver gets the value.
            Native::ReflectSet => {
                self.for_each(site, native, arg(0));
                self.for_each(site, native, arg(3));
                return false;
            }
            Native::Cache => {
                self.flow.edge(arg(0), data.result);
                self.for_each(site, native, arg(0));
            }
            Native::GetPrototypeOf => self.for_each(site, native, arg(0)),
            Native::DefineProperty | Native::DefineProperties => {
                self.flow.edge(arg(0), data.result);
                self.for_each(site, native, arg(0));
            }
            Native::DefineAccessor { .. } => self.for_each(site, native, data.this),
            Native::StoreElements(_) | Native::MapSet => {
                self.for_each(site, native, data.this);
                self.give_result(site, member);
            }
            Native::Entries => {
                self.for_each(site, native, data.this);
                return false;
            }
            Native::Next => {
                // What it is given comes out of a `yield`, or is caught there.
                self.hand_on(&args);
                self.for_each(site, native, data.this);
                return false;
            }
            Native::ObjectEntries => self.for_each(site, native, arg(0)),
            Native::Concat => {
                let array = self.typed(self.types.array, Origin::Inst(data.origin, 1));
                self.flow.add(data.result, array);
                let to = self.prop(array, Key::ELEMENT);
                let asked = self.symbol_key("isConcatSpreadable");
                for node in [data.this].into_iter().chain(args.iter().map(|it| it.node)) {
                    if let Some(key) = asked {
                        let (to, origin) = (self.flow.node(), data.origin);
                        self.constrain(node, Constraint::Load { key, to, origin });
                    }
                    self.constrain(node, Constraint::iterate(to, u32::MAX));
                    self.flow.edge(node, to);
                }
            }
            Native::Join => {
                self.flow.edge(self.string, data.result);
                let elements = self.flow.node();
                self.constrain(data.this, Constraint::Held { to: elements, origin: data.origin });
                self.for_each(site, native, elements);
            }
            Native::MapConstructor | Native::SetConstructor => {
                self.construct_collection(site, native, member);
            }
            Native::On | Native::Emit => {
                // `once(emitter, name)` gives them to who waits for that.
                if native == Native::Emit {
                    self.hand_on(args.get(1..).unwrap_or_default());
                }
                self.for_each(site, native, data.this);
                if native == Native::On {
                    self.flow.edge(data.this, data.result);
                }
            }
            Native::Off => self.flow.edge(data.this, data.result),
            Native::Promisify => {
                self.give(data.result, Kind::PromisifiedFunction(site));
                self.for_each(site, native, arg(0));
            }
            _ => self.call_promise(site, native),
        }
        true
    }

    /// What a method gives that stores something: what it is on, or a list of what that has held.
    fn give_result(&mut self, site: SiteId, member: MemberId) {
        let data = self.site(site);
        match self.members.get(member).call(false).map(|(_, row)| row.result) {
            Some(ResultKind::Receiver) => self.flow.edge(data.this, data.result),
            Some(ResultKind::Array) => {
                let array = self.typed(self.types.array, Origin::Inst(data.origin, 1));
                self.flow.add(data.result, array);
                let (to, origin) = (self.prop(array, Key::ELEMENT), data.origin);
                self.constrain(data.this, Constraint::Held { to, origin });
            }
            _ => {}
        }
    }

    fn apply_list(&mut self, callee: Node, this: Node, list: Node, how: How, data: Site) {
        let list = Arg { node: list, is_spread: true };
        let depth = data.depth + 1;
        self.new_site(Site { callee, this, how, depth, gives_this: true, ..data }, &[list]);
    }

    fn construct_collection(&mut self, site: SiteId, native: Native, member: MemberId) {
        let data = self.site(site);
        let args = self.site_args(site);
        let Some(ty) = self.instance_type_of(member) else { return };
        let object = self.typed(ty, Origin::Inst(data.origin, 1));
        self.flow.add(data.result, object);
        let Some(&first) = args.first() else { return };
        let elements = self.prop(object, Key::ELEMENT);
        if data.how == How::Super {
            // The object of a class that extends it holds them.
            let (key, origin) = (Key::DYNAMIC, data.origin);
            self.constrain(data.this, Constraint::Store { key, from: elements, origin });
        }
        if native == Native::SetConstructor {
            return self.constrain(first.node, Constraint::iterate(elements, data.origin));
        }
        // Keys and values of the entries are not told apart.
        let entries = self.flow.node();
        self.constrain(first.node, Constraint::iterate(entries, data.origin));
        self.constrain(entries, Constraint::iterate(elements, data.origin));
        let keys = self.prop(object, Key::MAP_KEY);
        self.constrain(entries, Constraint::iterate(keys, u32::MAX));
    }

    /// Looks at the call again for each object that `node` may be.
    pub(crate) fn for_each(&mut self, site: SiteId, native: Native, node: Node) {
        self.natives.push((site, native));
        let native = id(self.natives.len() - 1);
        self.constrain(node, Constraint::Receiver { site, native });
    }

    /// What a native call does with one of the objects that it is on.
    pub(crate) fn native_receiver(&mut self, site: SiteId, native: u32, object: Object) {
        let data = self.site(site);
        let args = self.site_args(site);
        let arg = |position: usize| args.get(position).map_or(Node::NONE, |it| it.node);
        let Some(&(_, native)) = self.natives.get(native as usize) else { return };
        match native {
            Native::Assign => {
                let (copied, origin) = (self.flow.node(), data.origin);
                // It sets what it copies (ECMA-262, 20.1.2.1).
                let is_set = self.may_be_set(Key::DYNAMIC);
                for source in args.iter().skip(1) {
                    self.constrain(source.node, Constraint::CopyTo { target: object, origin });
                    if is_set {
                        let to = copied;
                        self.constrain(source.node, Constraint::Held { to, origin: u32::MAX });
                    }
                }
                self.store_accessor(object, Key::DYNAMIC, copied, origin);
            }
            Native::SetPrototypeOf => {
                self.note_replaced(object, Key::DYNAMIC, data.origin);
                if self.is_many(object) {
                    self.store_widely(Key::DYNAMIC, data.origin);
                }
                let prototype = self.prop(object, Key::PROTO);
                self.flow.edge(arg(1), prototype);
            }
            Native::ReflectSet => {
                let key = self.string_argument(site, 1).unwrap_or(Key::DYNAMIC);
                self.store(object, key, arg(2), data.origin);
                self.receives(object, arg(3));
            }
            Native::ReflectGet => {
                let key = self.string_argument(site, 1).unwrap_or(Key::DYNAMIC);
                self.load(object, key, data.result, data.origin);
                self.receives(object, arg(2));
            }
            Native::Cache => match self.objects.kind(object) {
                Kind::Function(function) => {
                    self.cached.insert(function);
                }
                // Nobody notes what it gives again.
                _ => self.give_unknown(data.result, Cause::Result),
            },
            Native::ReflectDelete => {
                let key = self.string_argument(site, 1).unwrap_or(Key::DYNAMIC);
                self.note_replaced(object, key, data.origin);
            }
            Native::DefineAccessor { is_setter } => {
                let key = self.string_argument(site, 0).unwrap_or(Key::DYNAMIC);
                if self.objects.kind(object) == Kind::Data {
                    return self.store_in_data(arg(1));
                }
                let key = if is_setter { key.setter() } else { key.getter() };
                self.note_replaced(object, key, data.origin);
                let to = self.changed_prop(object, key);
                self.flow.edge(arg(0), self.escaped);
                self.flow.edge(arg(1), to);
            }
            Native::Inherits => self.inherit(object, arg(1)),
            Native::GetPrototypeOf => match self.objects.kind(object) {
                Kind::Instance(class) => self.give(data.result, Kind::Prototype(class)),
                Kind::Class(class) => {
                    self.flow.edge(self.parents[class as usize], data.result);
                }
                _ => {
                    let prototype = self.prop(object, Key::PROTO);
                    self.flow.edge(prototype, data.result);
                }
            },
            Native::OwnDescriptor => {
                let key = self.string_argument(site, 1).unwrap_or(Key::DYNAMIC);
                self.describe_own(site, object, key);
            }
            Native::OwnDescriptors => self.describe_own(site, object, Key::DYNAMIC),
            Native::DefineProperty => self.define_property(site, object),
            Native::DefineProperties => self.define_properties(site, object),
            Native::StoreElements(first) => {
                let is_data = self.objects.kind(object) == Kind::Data;
                // What is put on data is not followed.
                let elements = if is_data {
                    self.flow.node()
                } else {
                    self.changed_prop(object, Key::ELEMENT)
                };
                for stored in args.iter().skip(usize::from(first)) {
                    if stored.is_spread {
                        self.constrain(stored.node, Constraint::iterate(elements, u32::MAX));
                    } else {
                        self.flow.edge(stored.node, elements);
                    }
                }
                if is_data {
                    self.store_in_data(elements);
                }
                if !matches!(self.objects.kind(object), Kind::Typed(..)) {
                    self.escape_arguments(site);
                }
            }
            Native::Keep(with_receiver) => {
                if matches!(self.objects.kind(object), Kind::Typed(..)) {
                    let kept = self.prop(object, Key::KEPT);
                    for arg in args {
                        self.flow.edge(arg.node, kept);
                    }
                    if with_receiver {
                        self.flow.edge(data.this, kept);
                    }
                }
            }
            Native::MapSet => {
                for (position, key) in [(0, Key::MAP_KEY), (1, Key::ELEMENT)] {
                    if self.is_many(object) {
                        self.store_widely(key, data.origin);
                    }
                    let to = self.changed_prop(object, key);
                    self.flow.edge(arg(position), to);
                }
            }
            Native::ObjectEntries => {
                let pair = self.typed(self.types.array, Origin::Inst(data.origin, 3));
                let to = self.prop(pair, Key::element(1));
                self.held(object, to, data.origin);
                let list = self.typed(self.types.array, Origin::Inst(data.origin, 2));
                let elements = self.prop(list, Key::ELEMENT);
                self.flow.add(elements, pair);
                self.flow.add(data.result, list);
            }
            Native::Entries => {
                let entries = self.entries_of(object);
                let list = self.typed(self.types.array, Origin::Inst(data.origin, 2));
                let elements = self.prop(list, Key::ELEMENT);
                self.flow.add(elements, entries);
                self.flow.add(data.result, list);
            }
            Native::Join => self.convert(object, data.origin),
            Native::Next => self.next_of(site, object),
            Native::On => self.listen(site, object),
            Native::Emit => self.emit(site, object),
            Native::Promisify => {
                if let Kind::Member(member) = self.objects.kind(object) {
                    self.give(data.result, Kind::Promisified(member));
                }
            }
            _ => {}
        }
    }

    /// Accessors of an object are called on another one: `Reflect.get(object, key, receiver)`.
    fn receives(&mut self, object: Object, receiver: Node) {
        if !receiver.is_none() {
            self.inherit_from(object, receiver);
        }
    }

    /// `util.inherits(Class, Parent)`
    fn inherit(&mut self, class: Object, parent: Node) {
        let Kind::Function(function) = self.objects.kind(class) else { return };
        let prototype = self.object(Kind::FunctionPrototype(function));
        let own = self.prop(class, Key::PROTOTYPE);
        self.flow.add(own, prototype);
        let to = self.prop(prototype, Key::PROTO);
        self.constrain(parent, Constraint::Load { key: Key::PROTOTYPE, to, origin: u32::MAX });
    }

    /// The key that a literal argument names.
    pub(crate) fn string_argument(&mut self, site: SiteId, position: usize) -> Option<Key> {
        let at = self.numbering.inst_of(self.site(site).origin)?;
        let ir = self.files[at.file as usize];
        let args = match ir.inst(at.inst) {
            Inst::Call { args, .. } | Inst::CallMethod { args, .. } | Inst::New { args, .. } => {
                ir.args(args)
            }
            _ => return None,
        };
        match ir.inst(*args.get(position)?) {
            Inst::Literal(Literal::String(name)) => Some(self.names.key(ir.name(name))),
            // `Symbol.iterator`
            Inst::Get { object, key } => match (ir.inst(object), key.get()) {
                (Inst::LoadGlobal(symbol), IrKey::Name(name)) if ir.name(symbol) == "Symbol" => {
                    self.symbol_key(ir.name(name))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The key that stands for a well-known symbol.
    pub(crate) fn symbol_key(&mut self, name: &str) -> Option<Key> {
        let name = match name {
            "iterator" => "@@iterator",
            "asyncIterator" => "@@asyncIterator",
            "toPrimitive" => "@@toPrimitive",
            "hasInstance" => "@@hasInstance",
            "dispose" => "@@dispose",
            "asyncDispose" => "@@asyncDispose",
            "species" => "@@species",
            "toStringTag" => "@@toStringTag",
            "isConcatSpreadable" => "@@isConcatSpreadable",
            "unscopables" => "@@unscopables",
            "match" => "@@match",
            "matchAll" => "@@matchAll",
            "replace" => "@@replace",
            "search" => "@@search",
            "split" => "@@split",
            _ => return None,
        };
        Some(self.names.key(name))
    }

    fn next_of(&mut self, site: SiteId, object: Object) {
        let data = self.site(site);
        let result = self.object(Kind::Literal(data.origin));
        let value = self.prop(result, Key::ITERATOR_VALUE);
        // `return(value)`, and what a `yield` gives again that was given to `next`.
        for arg in self.site_args(site) {
            self.flow.edge(arg.node, value);
        }
        for key in [Key::ELEMENT, Key::VALUE] {
            let from = self.prop(object, key);
            self.flow.edge(from, value);
        }
        if let Kind::Typed(ty, from) = self.objects.kind(object) {
            self.run_generator(ty, from, data.origin);
        }
        let is_async = matches!(self.objects.kind(object),
            Kind::Typed(ty, _) if ty == self.types.async_generator);
        if is_async {
            let promise = self.typed(self.types.promise, Origin::Inst(data.origin, 0));
            let to = self.prop(promise, Key::VALUE);
            self.flow.add(to, result);
            self.flow.add(data.result, promise);
        } else {
            self.flow.add(data.result, result);
        }
    }

    /// `emitter.on(name, listener)`: kept with the emitter; platform emitters call it themselves.
    fn listen(&mut self, site: SiteId, object: Object) {
        let data = self.site(site);
        let args = self.site_args(site);
        let Some(listener) = args.get(1) else { return };
        let event = self.string_argument(site, 0);
        let key = event.map_or(Key::ANY_EVENT, Key::event);
        if self.is_many(object) {
            self.store_widely(key, data.origin);
        }
        let to = self.prop(object, key);
        self.flow.edge(listener.node, to);
        let every = self.prop(object, Key::ANY_EVENT.event());
        self.flow.edge(listener.node, every);
        let is_own = matches!(
            self.objects.kind(object),
            Kind::Instance(_) | Kind::FunctionInstance(_) | Kind::Literal(_)
        ) || matches!(self.objects.kind(object), Kind::Typed(ty, Origin::Inst(..))
            if self.members.type_data(ty).name == "EventEmitter");
        if !is_own {
            let list = self.flow.node();
            let array = self.typed(self.types.array, Origin::Inst(data.origin, 7));
            let elements = self.prop(array, Key::ELEMENT);
            self.give_unknown(elements, Cause::Callback);
            self.flow.add(list, array);
            let args = [Arg { node: list, is_spread: true }];
            let (result, how) = (Node::NONE, How::Callback);
            self.new_site(
                Site {
                    callee: listener.node,
                    this: data.this,
                    result,
                    how,
                    depth: data.depth + 1,
                    ..data
                },
                &args,
            );
        }
    }

    /// `emitter.emit(name, …)` calls what was registered under that name.
    fn emit(&mut self, site: SiteId, object: Object) {
        let data = self.site(site);
        let args: Vec<Arg> = self.site_args(site).into_iter().skip(1).collect();
        let keys = match self.string_argument(site, 0) {
            Some(event) => vec![event.event(), Key::ANY_EVENT],
            None => vec![Key::ANY_EVENT.event(), Key::ANY_EVENT],
        };
        for key in keys {
            let callee = self.prop(object, key);
            self.read_widened(object, key);
            let (result, how) = (Node::NONE, How::Callback);
            self.new_site(
                Site { callee, this: data.this, result, how, depth: data.depth + 1, ..data },
                &args,
            );
        }
    }
}
