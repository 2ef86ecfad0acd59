//! Elements of arrays. The first few are told apart where they are written and read by their index;
//! [`Key::ELEMENT`] has what is written under others, and is read with each.

use headstart_ir::{FileIr, Inst, InstId, LoopKind, Stmt, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::Constraint;
use crate::ids::{Key, Node, Object};
use crate::object::{Kind, Origin};
use crate::solver::Solver;

impl Solver<'_> {
    /// A property of an object has got its node: that of an element is one of those with an index.
    pub(crate) fn connect_element(&mut self, object: Object, key: Key, node: Node) {
        if key == Key::ANY_INDEX {
            for key in self.props.keys(object) {
                if self.is_index(key) {
                    let from = self.prop(object, key);
                    self.flow.edge(from, node);
                }
            }
        } else if self.is_index(key)
            && let Some(all) = self.existing_prop(object, Key::ANY_INDEX)
        {
            self.flow.edge(node, all);
        }
    }

    /// Whether a key is a number.
    pub(crate) fn is_index(&self, key: Key) -> bool {
        let name = self.names.text(key);
        !name.is_empty() && name.bytes().all(|it| it.is_ascii_digit())
    }

    /// Whether a key names an element: a number, or what is not known.
    pub(crate) fn is_element_key(&self, key: Key) -> bool {
        matches!(key, Key::DYNAMIC | Key::ELEMENT) || self.is_index(key)
    }

    /// What is read under the key of an element.
    pub(crate) fn load_element(&mut self, object: Object, key: Key, to: Node) {
        let with_index = if self.is_index(key) { key } else { Key::ANY_INDEX };
        for key in [with_index, Key::ELEMENT] {
            let from = self.prop(object, key);
            self.flow.edge(from, to);
        }
    }

    /// The elements of an array, or what else an object of a type holds: the one under a key, or any.
    pub(crate) fn elements(&mut self, object: Object, key: Key, to: Node) {
        let Kind::Typed(ty, origin) = self.objects.kind(object) else { return };
        if ty == self.types.string {
            return self.flow.edge(self.string, to);
        }
        self.load_element(object, key, to);
        if origin == Origin::Outside {
            self.give(to, Kind::Data);
        }
    }

    /// `[key, value]` of a map.
    pub(crate) fn entries_of(&mut self, map: Object) -> Object {
        let entries = self.typed(self.types.array, Origin::Entries(map.0));
        // What stands at an index of a list is an element, too.
        for (position, key) in [(0, Key::MAP_KEY), (1, Key::ELEMENT), (1, Key::ANY_INDEX)] {
            let to = self.prop(entries, Key::element(position));
            let from = self.prop(map, key);
            self.flow.edge(from, to);
        }
        entries
    }

    /// What a list holds (ECMA-262, 23.1.3.13.1).
    pub(crate) fn nested(&mut self, object: Object, to: Node) {
        if matches!(self.objects.kind(object), Kind::Typed(ty, _) if ty == self.types.array) {
            self.elements(object, Key::ELEMENT, to);
        }
    }

    /// What `yield*` of an object gives (ECMA-262, 15.5.5).
    pub(crate) fn completed(&mut self, object: Object, to: Node) {
        match self.objects.kind(object) {
            Kind::Typed(ty, _)
                if ty == self.types.generator || ty == self.types.async_generator =>
            {
                let returned = self.prop(object, Key::VALUE);
                self.flow.edge(returned, to);
            }
            _ => self.iterate(object, Key::ELEMENT, to, u32::MAX),
        }
    }

    /// The elements of an array are moved: each may be anywhere.
    pub(crate) fn mix(&mut self, object: Object) {
        if matches!(self.objects.kind(object), Kind::Typed(..)) {
            let from = self.prop(object, Key::ANY_INDEX);
            let to = self.changed_prop(object, Key::ELEMENT);
            self.flow.edge(from, to);
        }
    }

    /// `Promise.all(list)` is fulfilled with what each element of the list is, in that order.
    pub(crate) fn all_of(&mut self, list: Object, array: Object, origin: u32) {
        if !matches!(self.objects.kind(list), Kind::Typed(ty, _) if ty == self.types.array) {
            let (each, to) = (self.flow.node(), self.prop(array, Key::ELEMENT));
            self.iterate(list, Key::ELEMENT, each, origin);
            return self.constrain(each, Constraint::Await { to });
        }
        let indices = (0..Key::INDICES).map(Key::element);
        for key in indices.chain([Key::ELEMENT]) {
            let (from, to) = (self.prop(list, key), self.prop(array, key));
            self.constrain(from, Constraint::Await { to });
        }
    }
}

/// The positions of the steps of iteration that are elements of a pattern: `[first, second] = value`
/// takes one after the other of the same value.
pub(crate) fn pattern_positions(ir: &FileIr) -> FxHashMap<InstId, u32> {
    let heads: FxHashSet<InstId> = ir.stmts.iter().filter_map(|it| loop_head(ir, it)).collect();
    let mut counts: FxHashMap<(InstId, u32, u32), u32> = FxHashMap::default();
    let mut positions = FxHashMap::default();
    for (index, inst) in ir.insts.iter().enumerate() {
        let id = InstId::new(index);
        let Inst::Iterate(value) = *inst else { continue };
        if heads.contains(&id) {
            continue;
        }
        let span = ir.span(id);
        let count = counts.entry((value, span.start, span.end)).or_default();
        positions.insert(id, *count);
        *count += 1;
    }
    positions
}

/// The step of iteration that a loop makes.
fn loop_head(ir: &FileIr, stmt: &Stmt) -> Option<InstId> {
    let StmtKind::Loop { kind: LoopKind::ForOf, .. } = stmt.kind else { return None };
    FileIr::range(stmt.first, stmt.end).find(|&id| {
        let next = ir.inst(InstId::new(id.index() + 1));
        matches!(ir.inst(id), Inst::Iterate(_))
            && matches!(next, Inst::Conditional { end, .. } if end >= stmt.end)
    })
}
