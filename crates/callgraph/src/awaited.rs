//! Objects whose models say what waiting for them does.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::CallGraph;
use crate::held::ObjectId;
use crate::ids::{FunctionRef, InstRef, Node, Object, TypeId, id};
use crate::member::Awaited;
use crate::object::{Kind, Origin};
use crate::solver::Solver;

/// What waiting for objects does, of those whose models say so.
pub(crate) fn awaitables<'p>(solver: &Solver<'p>) -> FxHashMap<Object, Awaited<'p>> {
    let mut rows: FxHashMap<TypeId, Option<Awaited<'p>>> = FxHashMap::default();
    let objects = (0..solver.objects.len()).map(|it| Object(id(it)));
    let awaited = objects.filter_map(|object| {
        let Kind::Typed(ty, origin) = solver.objects.kind(object) else { return None };
        let row = (*rows.entry(ty).or_insert_with(|| solver.members.awaited_row(ty)))?;
        let made_at = match origin {
            Origin::Inst(number, _) => solver.numbering.inst_of(number),
            _ => None,
        };
        Some((object, Awaited { made_at, object: Some(ObjectId(object)), ..row }))
    });
    awaited.collect()
}

impl<'p> CallGraph<'p> {
    /// What waiting for a value does, for each object that it may be whose model describes that: queries
    /// that are built first, requests that can be waited for.
    #[must_use]
    pub fn awaited(&self, at: InstRef) -> Vec<Awaited<'p>> {
        let number = self.solver.numbering.inst(at.file as usize, at.inst);
        self.awaited_in(self.solver.values[number as usize])
    }

    fn awaited_in(&self, value: Node) -> Vec<Awaited<'p>> {
        if self.awaitables.is_empty() {
            return Vec::new();
        }
        let objects = self.solver.flow.objects(value);
        objects.filter_map(|it| self.awaitables.get(&it).copied()).collect()
    }

    /// The same of what a function of the program returns, as it stands.
    #[must_use]
    pub fn awaited_result(&self, function: FunctionRef) -> Vec<Awaited<'p>> {
        let number = self.solver.numbering.function(function.file as usize, function.function);
        self.awaited_in(self.solver.functions[number as usize].result)
    }

    /// The same of what a value holds: the elements of a list.
    #[must_use]
    pub fn awaited_elements(&self, at: InstRef) -> Vec<Awaited<'p>> {
        if self.awaitables.is_empty() {
            return Vec::new();
        }
        let solver = &self.solver;
        let number = solver.numbering.inst(at.file as usize, at.inst);
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        let mut found = Vec::new();
        for list in solver.flow.objects(solver.values[number as usize]) {
            let keys = solver.props.keys(list).into_iter().filter(|key| key.is_held());
            let held = keys.filter_map(|key| solver.existing_prop(list, key));
            let fresh: Vec<Node> = held.filter(|&it| seen.insert(it)).collect();
            found.extend(fresh.into_iter().flat_map(|it| self.awaited_in(it)));
        }
        found
    }

    /// Whether a value is an object whose model says what waiting for it does, and nothing else.
    #[must_use]
    pub fn is_awaitable(&self, at: InstRef) -> bool {
        let number = self.solver.numbering.inst(at.file as usize, at.inst);
        let mut objects = self.solver.flow.objects(self.solver.values[number as usize]).peekable();
        objects.peek().is_some() && objects.all(|it| self.awaitables.contains_key(&it))
    }
}
