//! Functions of the language and of Node whose flow of values no row of a model describes.

/// What a native function does with the values that it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Native {
    /// `f.bind(this, …)`
    Bind,
    /// `f.call(this, …)`
    Call,
    /// `f.apply(this, array)`
    Apply,
    /// `Reflect.apply(f, this, array)`
    ReflectApply,
    /// `Reflect.construct(C, array)`
    ReflectConstruct,
    /// `Reflect.get(object, key, receiver)`
    ReflectGet,
    /// `Reflect.set(object, key, value, receiver)`
    ReflectSet,
    /// `Reflect.deleteProperty(object, key)`
    ReflectDelete,
    /// `Object.assign(target, …)`
    Assign,
    /// `Object.create(prototype)`
    Create,
    /// `Object.setPrototypeOf(object, prototype)`
    SetPrototypeOf,
    /// `Object.getOwnPropertyDescriptor(object, key)`
    OwnDescriptor,
    /// `Object.getOwnPropertyDescriptors(object)`
    OwnDescriptors,
    /// `Object.getPrototypeOf(object)`
    GetPrototypeOf,
    /// `util.inherits(Class, Parent)`
    Inherits,
    /// `Object.defineProperty(object, key, descriptor)`
    DefineProperty,
    /// `Object.defineProperties(object, descriptors)`
    DefineProperties,
    /// `array.push(…)`, `set.add(…)`, and what else stores its arguments from a position on.
    StoreElements(u8),
    /// What keeps its arguments for later, and with `true` what it is on, too: a client, a query that is built.
    Keep(bool),
    /// `array.concat(…)`
    Concat,
    /// `array.join(…)`: converts its elements.
    Join,
    /// `map.set(key, value)`
    MapSet,
    /// `map.entries()`, and iterating one.
    Entries,
    /// `Object.entries(object)`
    ObjectEntries,
    /// `new Map(entries)`
    MapConstructor,
    /// `new Set(iterable)`
    SetConstructor,
    /// `promise.then(…)`
    Then,
    /// `promise.catch(…)`
    Catch,
    /// `promise.finally(…)`
    Finally,
    /// `Promise.all(iterable)`
    All,
    /// `Promise.allSettled(iterable)`
    AllSettled,
    /// `Promise.race(iterable)`, `Promise.any(iterable)`
    Race,
    /// `Promise.resolve(value)`
    Resolve,
    /// `new Promise(executor)`
    PromiseConstructor,
    /// `Promise.withResolvers()`
    WithResolvers,
    /// `util.promisify(f)`
    Promisify,
    /// React's `cache(f)` and its like: calls of the result are calls of `f`, or give once more what an
    /// earlier one gave.
    Cache,
    /// `emitter.on(name, listener)` and the like.
    On,
    /// `emitter.off(name, listener)`
    Off,
    /// `emitter.emit(name, …)`
    Emit,
    /// `generator.next(value)`, `generator.return(value)`, `generator.throw(error)`
    Next,
    /// `object.__defineGetter__(key, f)`, `object.__defineSetter__(key, f)`
    DefineAccessor {
        /// Whether it is a setter.
        is_setter: bool,
    },
}

impl Native {
    /// Whether it stores something in what it is on or is given.
    pub(crate) fn stores(self) -> bool {
        matches!(
            self,
            Self::Assign
                | Self::StoreElements(_)
                | Self::MapSet
                | Self::DefineProperty
                | Self::DefineProperties
                | Self::SetPrototypeOf
                | Self::ReflectSet
                | Self::ReflectDelete
        )
    }

    /// Whether it stores something in what it is given first.
    #[must_use]
    pub fn stores_in_argument(self) -> bool {
        self.stores() && !matches!(self, Self::StoreElements(_) | Self::MapSet)
    }

    /// What is known of the member `path` of a module or of one of its types.
    pub(crate) fn of(module: &str, of_type: Option<&str>, path: &[&str]) -> Option<Self> {
        match (module, of_type, path) {
            ("ecmascript", Some(of_type), [name]) => Self::of_language(of_type, name),
            ("globals", None, [name]) => match *name {
                "Promise" => Some(Self::PromiseConstructor),
                "Map" | "WeakMap" => Some(Self::MapConstructor),
                "Set" | "WeakSet" => Some(Self::SetConstructor),
                _ => None,
            },
            ("globals", None, [space, name]) => Self::of_globals(space, name),
            ("util", None, ["promisify"]) => Some(Self::Promisify),
            ("react", None, ["cache"]) | ("next/cache", None, ["unstable_cache"]) => {
                Some(Self::Cache)
            }
            ("util", None, ["inherits"]) => Some(Self::Inherits),
            ("events", Some("EventEmitter"), [name]) => Self::of_emitter(name),
            _ => None,
        }
    }

    fn of_language(of_type: &str, name: &str) -> Option<Self> {
        Some(match (of_type, name) {
            ("Function", "bind") => Self::Bind,
            ("Function", "call") => Self::Call,
            ("Function", "apply") => Self::Apply,
            ("Array", "push" | "unshift" | "fill") | ("Set" | "WeakSet", "add") => {
                Self::StoreElements(0)
            }
            ("Array", "splice") => Self::StoreElements(2),
            ("Array", "join" | "toString" | "toLocaleString") => Self::Join,
            ("Array", "concat") => Self::Concat,
            ("Object", "__defineGetter__") => Self::DefineAccessor { is_setter: false },
            ("Object", "__defineSetter__") => Self::DefineAccessor { is_setter: true },
            ("Map" | "WeakMap", "set") => Self::MapSet,
            ("Map", "entries") => Self::Entries,
            ("Promise", "then") => Self::Then,
            ("Promise", "catch") => Self::Catch,
            ("Promise", "finally") => Self::Finally,
            ("Generator" | "AsyncGenerator", "throw")
            | ("Generator" | "AsyncGenerator" | "Iterator", "next" | "return") => Self::Next,
            _ => return None,
        })
    }

    fn of_globals(space: &str, name: &str) -> Option<Self> {
        Some(match (space, name) {
            ("Object", "assign") => Self::Assign,
            ("Object", "entries") => Self::ObjectEntries,
            ("Object", "create") => Self::Create,
            ("Object" | "Reflect", "setPrototypeOf") => Self::SetPrototypeOf,
            ("Object" | "Reflect", "getPrototypeOf") => Self::GetPrototypeOf,
            ("Object" | "Reflect", "getOwnPropertyDescriptor") => Self::OwnDescriptor,
            ("Object", "getOwnPropertyDescriptors") => Self::OwnDescriptors,
            ("Object" | "Reflect", "defineProperty") => Self::DefineProperty,
            ("Object", "defineProperties") => Self::DefineProperties,
            ("Reflect", "get") => Self::ReflectGet,
            ("Reflect", "set") => Self::ReflectSet,
            ("Reflect", "deleteProperty") => Self::ReflectDelete,
            ("Reflect", "apply") => Self::ReflectApply,
            ("Reflect", "construct") => Self::ReflectConstruct,
            ("Promise", "all") => Self::All,
            ("Promise", "allSettled") => Self::AllSettled,
            ("Promise", "race" | "any") => Self::Race,
            ("Promise", "resolve") => Self::Resolve,
            ("Promise", "withResolvers") => Self::WithResolvers,
            _ => return None,
        })
    }

    fn of_emitter(name: &str) -> Option<Self> {
        Some(match name {
            "on" | "once" | "addListener" | "prependListener" | "prependOnceListener" => Self::On,
            "off" | "removeListener" => Self::Off,
            "emit" => Self::Emit,
            _ => return None,
        })
    }
}
