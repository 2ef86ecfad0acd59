//! What a thread has looked at to follow the value at hand back.

use std::cell::{Cell, RefCell};

use headstart_callgraph::{ObjectId, PathKey};
use smallvec::SmallVec;

thread_local! {
    /// How many values have been looked at; none where none is at hand.
    static COUNT: Cell<Option<u32>> = const { Cell::new(None) };
    /// The fresh objects whose literals are being looked into.
    static LITERALS: RefCell<Vec<(ObjectId, PathKey)>> = const { RefCell::new(Vec::new()) };
}

/// The following of one value, with all that it leads to. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Trail(());

impl Trail {
    /// Begins to follow a value; none where it belongs to another one that is followed.
    pub(crate) fn begin() -> Option<Self> {
        COUNT.get().is_none().then(|| {
            COUNT.set(Some(0));
            Self(())
        })
    }

    /// Counts a value that is looked at; how many there were before it.
    pub(crate) fn count() -> u32 {
        let count = COUNT.get();
        COUNT.set(count.map(|it| it.saturating_add(1)));
        count.unwrap_or_default()
    }

    /// Whether as many values have been looked at as may be.
    pub(crate) fn is_at_end(most: u32) -> bool {
        COUNT.get().is_some_and(|it| it >= most)
    }
}

impl Drop for Trail {
    fn drop(&mut self) {
        COUNT.set(None);
    }
}

/// The looking into a literal. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct InLiteral(());

/// The literals that are being looked into, each for a key.
pub(crate) type Literals = SmallVec<[(ObjectId, PathKey); 2]>;

impl InLiteral {
    /// Those that are: what leads back to them is left out.
    pub(crate) fn all() -> Literals {
        LITERALS.with_borrow(|all| all.iter().copied().collect())
    }

    /// Whether a literal is being looked into for a key.
    pub(crate) fn is_open(literal: ObjectId, key: PathKey) -> bool {
        LITERALS.with_borrow(|all| all.contains(&(literal, key)))
    }

    /// Begins to look into a literal for a key; none where that is under way, or `most` are.
    pub(crate) fn begin(literal: ObjectId, key: PathKey, most: usize) -> Option<Self> {
        LITERALS.with_borrow_mut(|all| {
            let is_new = all.len() < most && !all.contains(&(literal, key));
            is_new.then(|| {
                all.push((literal, key));
                Self(())
            })
        })
    }
}

impl Drop for InLiteral {
    fn drop(&mut self) {
        LITERALS.with_borrow_mut(Vec::pop);
    }
}
