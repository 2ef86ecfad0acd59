//! What an instruction of a function depends on, by the values that it uses and by the tests that decide whether it runs
//! (M. Weiser, "Program Slicing", 1984).

use headstart_ir::{BlockId, FileIr, Function, Inst, InstId, Key, NameId, Stmt, StmtKind, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many instructions a slice has at most.
const MOST: usize = 400;

/// Finds slices in one function.
pub(super) struct Slices<'p> {
    ir: &'p FileIr,
    first: InstId,
    end: InstId,
    stmts: Vec<&'p Stmt>,
    /// The stores of each variable, in order: where, and the value.
    stores: FxHashMap<VarId, Vec<(InstId, InstId)>>,
    /// What the properties of each object literal get.
    properties: FxHashMap<InstId, Vec<InstId>>,
    /// What runs only sometimes, from the instruction that decides up to its end.
    conditionals: Vec<(InstId, InstId)>,
    /// The last instructions of what leaves it: `return`, `throw`, `break`, `continue`.
    exits: Vec<InstId>,
}

/// What a slice goes through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Through {
    /// Everything.
    All,
    /// Not what calls are handed, nor what is waited for: what they give is another value.
    Parts,
    /// What is written there, and the object literals that it names.
    Literals,
}

impl<'p> Slices<'p> {
    pub(super) fn of(ir: &'p FileIr, function: &Function) -> Self {
        let stmts = statements(ir, function.body);
        let leaves = |it: &&&Stmt| {
            use StmtKind::{Break, Continue, Return, Throw};
            matches!(it.kind, Return | Throw | Break { .. } | Continue { .. })
        };
        let exits = stmts.iter().filter(leaves).map(|it| last_of(it)).collect();
        let mut slices = Self {
            ir,
            first: function.first,
            end: function.end,
            stmts,
            stores: FxHashMap::default(),
            properties: FxHashMap::default(),
            conditionals: Vec::new(),
            exits,
        };
        for at in FileIr::range(function.first, function.end) {
            match ir.inst(at) {
                Inst::StoreVar { var, value } => {
                    slices.stores.entry(var).or_default().push((at, value));
                }
                Inst::Set { object, value, .. } | Inst::CopyProps { object, value }
                    if ir.inst(object) == Inst::Object =>
                {
                    slices.properties.entry(object).or_default().push(value);
                }
                Inst::Conditional { end, .. } => slices.conditionals.push((at, end)),
                _ => {}
            }
        }
        slices
    }

    pub(super) fn ir(&self) -> &'p FileIr {
        self.ir
    }

    /// The first instruction of the function.
    pub(super) fn first(&self) -> InstId {
        self.first
    }

    /// The statements of the function.
    pub(super) fn stmts(&self) -> &[&'p Stmt] {
        &self.stmts
    }

    /// What runs only sometimes, from the instruction that decides up to its end.
    pub(super) fn conditionals(&self) -> &[(InstId, InstId)] {
        &self.conditionals
    }

    /// Whether a function, or a loop, is left between two places.
    pub(super) fn leaves(&self, from: InstId, end: InstId) -> bool {
        self.exits.iter().any(|it| from <= *it && *it < end)
    }

    fn test(&self, conditional: InstId) -> Option<InstId> {
        match self.ir.inst(conditional) {
            Inst::Conditional { test, .. } => Some(test),
            _ => None,
        }
    }

    /// The values that decide whether an instruction runs: of what stands around it, and of what leaves the function, or a
    /// loop, in front of it.
    pub(super) fn controls(&self, at: InstId) -> Vec<InstId> {
        let is_control =
            |&&(from, end): &&(InstId, InstId)| from < at && (at < end || self.leaves(from, end));
        let tests = self.conditionals.iter().filter(is_control);
        tests.filter_map(|it| self.test(it.0)).collect()
    }

    /// The tests of `if` and `&&` that decide whether an instruction runs, each with whether it holds then.
    pub(super) fn decided(&self, at: InstId) -> Vec<(InstId, bool)> {
        let ir = self.ir;
        let branch = |block| {
            let (first, end) = ir.range_of_block(block)?;
            let conditional = InstId::new(first.index().checked_sub(1)?);
            Some((self.test(conditional)?, first, end))
        };
        let mut decided = Vec::new();
        for stmt in self.stmts.iter().filter(|it| it.first < at) {
            let StmtKind::If { then, otherwise } = &stmt.kind else { continue };
            for (block, holds) in [(Some(*then), true), (*otherwise, false)] {
                let Some((test, first, end)) = block.and_then(branch) else { continue };
                if first <= at && at < end {
                    decided.push((test, holds));
                } else if end <= at && stmt.end <= at && self.leaves(first, end) {
                    decided.push((test, !holds));
                }
            }
        }
        for &(from, end) in self.conditionals.iter().filter(|it| it.0 < at && at < it.1) {
            let selects =
                |it: InstId| matches!(ir.inst(it), Inst::Select(..)) && ir.is_conjunction(it);
            if selects(end) {
                decided.extend(self.test(from).map(|it| (it, true)));
            }
        }
        decided
    }

    /// The values of some properties of an object literal, or of what a name has that is one.
    pub(super) fn property_of(&self, value: InstId, names: &[&str]) -> Vec<InstId> {
        let ir = self.ir;
        let within = self.written_in(&[value]);
        let all = within.into_iter().filter(|&it| ir.inst(it) == Inst::Object).take(1);
        let of = |object: InstId| {
            let range = FileIr::range(object, self.end);
            range.filter_map(move |it| match ir.inst(it) {
                Inst::Set { object: of, key, value } if of == object => match key.get() {
                    Key::Name(name) if names.contains(&ir.name(name)) => Some(value),
                    _ => None,
                },
                _ => None,
            })
        };
        all.flat_map(of).collect()
    }

    /// Whether an object literal has a property of a name.
    pub(super) fn sets(&self, object: InstId, name: NameId) -> bool {
        FileIr::range(object, self.end).any(|it| {
            matches!(self.ir.inst(it), Inst::Set { object: of, key, .. } if of == object && key.get() == Key::Name(name))
        })
    }

    /// The values that an instruction writes.
    pub(super) fn values(&self, at: InstId) -> Vec<InstId> {
        match self.ir.inst(at) {
            Inst::StoreVar { value, .. } | Inst::Set { value, .. } => vec![value],
            Inst::CallMethod { args, .. } => self.ir.args(args).to_vec(),
            _ => Vec::new(),
        }
    }

    /// The value that a variable has where it is read; none where there may be several.
    pub(super) fn stored(&self, var: VarId, read: InstId) -> Option<InstId> {
        match *self.reaching(var, read) {
            [(_, value)] => Some(value),
            _ => None,
        }
    }

    /// The stores of a variable that a read of it may see, save those of turns of a loop to come.
    fn reaching(&self, var: VarId, read: InstId) -> &[(InstId, InstId)] {
        let stores = self.stores.get(&var).map_or(&[][..], Vec::as_slice);
        let before = &stores[..stores.partition_point(|it| it.0 < read)];
        let is_certain = |(at, _): &(InstId, InstId)| {
            let mut around = self.conditionals.iter().filter(|it| it.0 < *at && *at < it.1);
            around.all(|it| read < it.1)
        };
        &before[before.iter().rposition(is_certain).unwrap_or(0)..]
    }

    /// What some values are worked out from, in order.
    pub(super) fn behind(&self, values: &[InstId]) -> Vec<InstId> {
        self.slice(values, Through::All)
    }

    /// What they have in them: what is handed to a call does not count, what it is called on does.
    pub(super) fn made_of(&self, values: &[InstId]) -> Vec<InstId> {
        self.slice(values, Through::Parts)
    }

    /// What is written in them, with the object literals that they name.
    pub(super) fn written_in(&self, values: &[InstId]) -> Vec<InstId> {
        self.slice(values, Through::Literals)
    }

    fn slice(&self, values: &[InstId], through: Through) -> Vec<InstId> {
        let mut seen: FxHashSet<InstId> = FxHashSet::default();
        let mut pending = values.to_vec();
        while let Some(value) = pending.pop() {
            if seen.len() > MOST || !seen.insert(value) {
                continue;
            }
            let inst = self.ir.inst(value);
            let is_other = matches!(
                inst,
                Inst::Call { .. } | Inst::New { .. } | Inst::Await(_) | Inst::CallMethod { .. }
            );
            match inst {
                Inst::CallMethod { object, .. } if through == Through::Parts => {
                    pending.push(object)
                }
                _ if is_other && through == Through::Parts => {}
                _ => inst.for_each_operand(self.ir, &mut |it| pending.push(it)),
            }
            pending.extend(self.properties.get(&value).into_iter().flatten());
            if let Inst::LoadVar(var) = inst {
                let follows = |value: InstId| {
                    through != Through::Literals || self.ir.inst(value) == Inst::Object
                };
                let stores = self.reaching(var, value).iter().map(|it| it.1);
                pending.extend(stores.filter(|it| follows(*it)));
            }
        }
        let mut all: Vec<InstId> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }
}

/// All statements of a block and of those within it, in order.
fn statements(ir: &FileIr, body: BlockId) -> Vec<&Stmt> {
    let (mut ids, mut pending) = (Vec::new(), vec![body]);
    while let Some(block) = pending.pop() {
        for &id in ir.block(block) {
            ids.push(id);
            pending.extend(ir.stmt(id).kind.nested());
        }
    }
    ids.sort_unstable();
    ids.into_iter().map(|it| ir.stmt(it)).collect()
}

/// The last instruction of a statement; where it has none, the one in front of it.
fn last_of(stmt: &Stmt) -> InstId {
    InstId::new(stmt.end.index().saturating_sub(1))
}
