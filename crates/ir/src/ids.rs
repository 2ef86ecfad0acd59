//! Index types. Each is an index into one list of a [`crate::FileIr`] and means nothing in
//! another file.

use serde::{Deserialize, Serialize};

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u32);

        impl $name {
            /// The id of the item at `index`. An index past `u32::MAX` saturates; the front end
            /// refuses files that could have one.
            #[must_use]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            /// The position in the list this id belongs to.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index_type!(
    /// An instruction; also the value that it produces.
    InstId
);
index_type!(
    /// A statement.
    StmtId
);
index_type!(
    /// A list of statements that run one after the other.
    BlockId
);
index_type!(
    /// A function body, the module's own top level included (it is function 0).
    FunctionId
);
index_type!(
    /// A class.
    ClassId
);
index_type!(
    /// A declared variable, parameter, function, class or import binding.
    VarId
);
index_type!(
    /// A string of the file: an identifier, a property key or a literal's text.
    NameId
);
index_type!(
    /// A request for another module: an `import`, a re-export, a `require` or an `import()`.
    RequestId
);
index_type!(
    /// A list of operands: arguments, array elements, template parts.
    ArgsId
);

/// A half-open range of byte offsets into the source text, the BOM not counted.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`, in bytes.
    #[must_use]
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Whether `other` lies inside this span.
    #[must_use]
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The part of `source` that this span covers, or `""` where it does not fit the text.
    #[must_use]
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}
