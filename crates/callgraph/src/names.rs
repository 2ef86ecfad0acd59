//! Property keys over the whole program.

use rustc_hash::FxHashMap;

use crate::ids::{Key, id};

impl Key {
    /// The elements of an array, the values of a map, what a generator yields: those whose index is
    /// not told apart.
    pub(crate) const ELEMENT: Self = Self(0);
    /// What a promise is fulfilled with, what a generator returns.
    pub(crate) const VALUE: Self = Self(1);
    /// What was written under a key that is not known.
    pub(crate) const DYNAMIC: Self = Self(2);
    /// Everything that an object holds.
    pub(crate) const ALL: Self = Self(3);
    /// The keys of a map.
    pub(crate) const MAP_KEY: Self = Self(4);
    /// The prototype, where it is not fixed.
    pub(crate) const PROTO: Self = Self(5);
    /// `prototype`
    pub(crate) const PROTOTYPE: Self = Self(6);
    /// `default`
    pub(crate) const DEFAULT: Self = Self(7);
    /// `exports`
    pub(crate) const EXPORTS: Self = Self(8);
    /// `constructor`
    pub(crate) const CONSTRUCTOR: Self = Self(9);
    /// Listeners of events whose name is not known.
    pub(crate) const ANY_EVENT: Self = Self(10);
    /// `then`
    pub(crate) const THEN: Self = Self(11);
    /// `value`, as iterators return it.
    pub(crate) const ITERATOR_VALUE: Self = Self(12);
    /// Elements whose index is known.
    pub(crate) const ANY_INDEX: Self = Self(13);
    /// What an object of a package keeps for later of what its makers were given. The program comes to that by way
    /// of the object no more.
    pub(crate) const KEPT: Self = Self(14);
    const FIRST_INDEX: u32 = 15;
    /// How many elements are told apart.
    pub(crate) const INDICES: u32 = 8;
    const RESERVED: [&'static str; 23] = [
        "",
        "",
        "",
        "",
        "",
        "__proto__",
        "prototype",
        "default",
        "exports",
        "constructor",
        "",
        "then",
        "value",
        "",
        "",
        "0",
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
    ];

    const GETTER: u32 = 1 << 30;
    const SETTER: u32 = 1 << 31;
    const EVENT: u32 = 1 << 29;

    /// The element at an index; [`Self::ELEMENT`] for one that is not told apart.
    pub(crate) fn element(position: u32) -> Self {
        if position < Self::INDICES { Self(Self::FIRST_INDEX + position) } else { Self::ELEMENT }
    }

    /// The getter under this key.
    pub(crate) fn getter(self) -> Self {
        Self(self.0 | Self::GETTER)
    }

    /// The setter under this key.
    pub(crate) fn setter(self) -> Self {
        Self(self.0 | Self::SETTER)
    }

    /// The listeners of the event with this name.
    pub(crate) fn event(self) -> Self {
        Self(self.0 | Self::EVENT)
    }

    /// Whether it is that of a getter or setter.
    pub(crate) fn is_accessor(self) -> bool {
        self.0 & (Self::GETTER | Self::SETTER) != 0
    }

    /// The key whose getter this is.
    pub(crate) fn of_getter(self) -> Option<Self> {
        (self.0 & Self::GETTER != 0).then_some(Self(self.0 & !Self::GETTER))
    }

    /// The key whose getter or setter this is.
    pub(crate) fn without_accessor(self) -> Self {
        Self(self.0 & !(Self::GETTER | Self::SETTER))
    }

    /// Whether it is one name or symbol: no element, and none that stands for any.
    pub(crate) fn is_named(self) -> bool {
        self.0 >= Self::FIRST_INDEX + Self::INDICES
            || matches!(self, Self::PROTO | Self::PROTOTYPE | Self::DEFAULT | Self::EXPORTS)
            || matches!(self, Self::CONSTRUCTOR | Self::THEN | Self::ITERATOR_VALUE)
    }

    /// Whether an object holds something of its own under it.
    pub(crate) fn is_held(self) -> bool {
        self.is_property() || matches!(self, Self::VALUE | Self::MAP_KEY)
    }

    /// Whether it is a property that code can name, or an element.
    pub(crate) fn is_property(self) -> bool {
        self.0 < Self::EVENT
            && !matches!(
                self,
                Self::ALL
                    | Self::PROTO
                    | Self::VALUE
                    | Self::MAP_KEY
                    | Self::ANY_EVENT
                    | Self::ANY_INDEX
                    | Self::KEPT
            )
    }
}

/// The names of all keys.
#[derive(Debug)]
pub(crate) struct Interner<'p> {
    ids: FxHashMap<&'p str, Key>,
    texts: Vec<&'p str>,
    symbols: FxHashMap<Symbol<'p>, Key>,
    privates: FxHashMap<Key, &'p str>,
}

/// A symbol that the program makes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Symbol<'p> {
    /// `Symbol()`, by its instruction.
    Made(u32),
    /// `Symbol.for(name)`
    Named(&'p str),
    /// `#name`: not a symbol, but as little a string.
    Private(&'p str),
}

impl<'p> Interner<'p> {
    pub(crate) fn new() -> Self {
        let mut interner = Self {
            ids: FxHashMap::default(),
            texts: Key::RESERVED.to_vec(),
            symbols: FxHashMap::default(),
            privates: FxHashMap::default(),
        };
        for (index, name) in Key::RESERVED.iter().enumerate() {
            if !name.is_empty() {
                interner.ids.insert(name, Key(id(index)));
            }
        }
        interner
    }

    pub(crate) fn key(&mut self, name: &'p str) -> Key {
        if is_number(name) && !self.ids.contains_key(name) {
            return Key::ELEMENT;
        }
        *self.ids.entry(name).or_insert_with(|| {
            self.texts.push(name);
            Key(id(self.texts.len() - 1))
        })
    }

    /// The key of a private name: no property of the same name.
    pub(crate) fn private(&mut self, name: &'p str) -> Key {
        *self.symbols.entry(Symbol::Private(name)).or_insert_with(|| {
            self.texts.push("");
            self.privates.insert(Key(id(self.texts.len() - 1)), name);
            Key(id(self.texts.len() - 1))
        })
    }

    pub(crate) fn known_private(&self, name: &'p str) -> Option<Key> {
        self.symbols.get(&Symbol::Private(name)).copied()
    }

    /// The private name that a key is.
    pub(crate) fn private_text(&self, key: Key) -> Option<&'p str> {
        self.privates.get(&key).copied()
    }

    /// The key of a symbol that the program makes: the same for the same instruction, or for the
    /// same name of `Symbol.for`.
    pub(crate) fn symbol(&mut self, which: Symbol<'p>) -> Key {
        *self.symbols.entry(which).or_insert_with(|| {
            self.texts.push("");
            Key(id(self.texts.len() - 1))
        })
    }

    /// The key of a symbol, where the program has it.
    pub(crate) fn known_symbol(&self, which: Symbol<'p>) -> Option<Key> {
        self.symbols.get(&which).copied()
    }

    pub(crate) fn get(&self, name: &str) -> Option<Key> {
        self.ids.get(name).copied().or_else(|| is_number(name).then_some(Key::ELEMENT))
    }

    /// The name; `""` for keys that stand for what has none.
    pub(crate) fn text(&self, key: Key) -> &'p str {
        self.texts.get(key.index()).copied().unwrap_or("")
    }
}

/// Whether a name may be how a number is written: `list[-1]` and `list["-1"]` are one (ECMA-262, 7.1.19).
fn is_number(name: &str) -> bool {
    let begins = name.starts_with(|it: char| it.is_ascii_digit() || it == '-');
    matches!(name, "Infinity" | "NaN") || (begins && name.parse::<f64>().is_ok())
}
