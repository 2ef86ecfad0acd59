//! What TypeScript's annotations say of values, as far as the analysis uses it.

use crate::{NameId, VarId};

/// A type of a file: an index into [`crate::FileIr::types`]; 0 says nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TypeRef(u32);

impl TypeRef {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self(0);

    /// The type at an index of the list.
    #[must_use]
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(0))
    }

    /// The index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it says nothing.
    #[must_use]
    pub fn is_unknown(self) -> bool {
        self == Self::UNKNOWN
    }
}

/// What an annotation says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// Nothing that is used here.
    Unknown,
    /// `null`, `undefined`, `void`, `never`: no object.
    Nothing,
    /// A string.
    String,
    /// A number.
    Number,
    /// A big integer.
    BigInt,
    /// A boolean.
    Boolean,
    /// `T[]`, `readonly T[]`, a tuple: an array of any of these.
    Array(TypeRef),
    /// What a declared name stands for: a class, an interface, an alias, an import.
    Named(VarId),
    /// A member of what a declared name stands for: `fs.Stats`.
    Member(VarId, NameId),
    /// A name that the file does not declare, with its first type argument: `Promise<T>`.
    Global(NameId, TypeRef),
    /// Any of several.
    Union(Box<[TypeRef]>),
    /// All of several.
    Intersection(Box<[TypeRef]>),
    /// An object with these properties.
    Object(Box<[(NameId, TypeRef)]>),
}
