//! What a thread has looked at to follow the value at hand back.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use headstart_callgraph::{FunctionRef, ObjectId, PathKey};
use headstart_ir::VarId;
use rustc_hash::FxHashMap;

use super::roots::Rooted;

thread_local! {
    /// How many values have been looked at; none where none is at hand.
    static COUNT: Cell<Option<u32>> = const { Cell::new(None) };
    /// Where what variables hold has been found to come from: variables that get their values from one another
    /// in a loop would be followed twice as often with each step.
    static STORED: RefCell<FxHashMap<Stored, Rc<[Rooted]>>> = RefCell::default();
    /// The fresh objects whose literals are being looked into.
    static LITERALS: RefCell<Vec<(ObjectId, PathKey)>> = const { RefCell::new(Vec::new()) };
}

/// A variable of a function that is followed back so many steps, with what else decides what is found: whether
/// its own objects are named, and whether what it is handed counts.
pub(crate) type Stored = (FunctionRef, VarId, u32, bool, bool);

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

    /// Where what a variable holds comes from, worked out once on the way.
    pub(crate) fn stored(of: Stored, find: impl FnOnce() -> Vec<Rooted>) -> Rc<[Rooted]> {
        if let Some(known) = STORED.with_borrow(|it| it.get(&of).cloned()) {
            return known;
        }
        let found: Rc<[Rooted]> = find().into();
        // Inside of a literal, what leads back to it is left out.
        if COUNT.get().is_some() && LITERALS.with_borrow(Vec::is_empty) {
            STORED.with_borrow_mut(|it| it.insert(of, Rc::clone(&found)));
        }
        found
    }
}

impl Drop for Trail {
    fn drop(&mut self) {
        COUNT.set(None);
        STORED.with_borrow_mut(FxHashMap::clear);
    }
}

/// The looking into a literal. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct InLiteral(());

impl InLiteral {
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
