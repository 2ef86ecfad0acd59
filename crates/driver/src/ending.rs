//! Which async functions of a program can end without waiting for anything, across files.
//!
//! The others gain nothing from a fast form, and calls that reach nothing else gain nothing from asking for one
//! (`docs/whole-programs.md`). What an `await` inside one file waits for is judged as `sites/paths.rs` of
//! `crates/overhead` does. This is about what is worthwhile only: nothing that is right depends on it.

use headstart_callgraph::FunctionRef;
use headstart_ir::{
    BlockId, DeclKind, FileIr, Inst, InstId, Key, LoopKind, StmtId, StmtKind, VarKind,
};
use headstart_overhead::{Ways, gives_plain};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::whole::Reaching;

/// What is awaited.
#[derive(Clone, Copy, Debug)]
enum Awaited<'x> {
    /// A call that reaches async functions of the program, by their numbers.
    Call(&'x FxHashSet<usize>),
    /// What may be no promise.
    Passed,
    /// What is taken to make a promise that waits.
    Operation,
}

/// By the call in a function, what it reaches.
type Targets<'x> = FxHashMap<InstId, &'x FxHashSet<usize>>;

/// Of each function, whether it can end without waiting, taking it that those that it awaits can.
pub(crate) fn ending(
    irs: &[&FileIr],
    functions: &[FunctionRef],
    calls: &[Reaching<'_>],
) -> Vec<bool> {
    let mut targets = vec![Targets::default(); functions.len()];
    let mut callers = vec![Vec::new(); functions.len()];
    for it in calls {
        targets[it.caller].insert(it.call.inst, &it.targets);
        it.targets.iter().for_each(|target| callers[*target].push(it.caller));
    }
    let all = functions.iter().zip(&targets);
    let ways: Vec<Ways<Awaited<'_>>> =
        all.map(|(it, targets)| ways(irs[it.file as usize], *it, targets)).collect();
    let mut left = vec![true; functions.len()];
    let mut open: Vec<usize> = (0..functions.len()).collect();
    while let Some(number) = open.pop() {
        let passes = |it: &Awaited<'_>| match it {
            Awaited::Call(targets) => targets.iter().any(|it| left[*it]),
            Awaited::Passed => true,
            Awaited::Operation => false,
        };
        if left[number] && !ways[number].can_end(&passes) {
            left[number] = false;
            open.append(&mut callers[number]);
        }
    }
    left
}

/// The ways through a function.
fn ways<'x>(ir: &'x FileIr, at: FunctionRef, targets: &'x Targets<'x>) -> Ways<Awaited<'x>> {
    let function = ir.function(at.function);
    let mut walker = Walker { ir, targets, ways: Vec::new() };
    // Defaults of parameters stand in front of the statements.
    let begin = ir.range_of_block(function.body).map_or(function.end, |it| it.0);
    walker.instructions(function.first, begin);
    walker.block(function.body);
    Ways::All(walker.ways)
}

struct Walker<'x> {
    ir: &'x FileIr,
    targets: &'x Targets<'x>,
    ways: Vec<Ways<Awaited<'x>>>,
}

impl<'x> Walker<'x> {
    fn part(&mut self, walk: impl FnOnce(&mut Self)) -> Ways<Awaited<'x>> {
        let outer = std::mem::take(&mut self.ways);
        walk(self);
        Ways::All(std::mem::replace(&mut self.ways, outer))
    }

    fn block(&mut self, block: BlockId) {
        self.ir.block(block).iter().for_each(|it| self.statement(*it));
    }

    fn statement(&mut self, id: StmtId) {
        let ir = self.ir;
        let stmt = ir.stmt(id);
        let nested = stmt.kind.nested();
        let ranges: Vec<(InstId, InstId)> =
            nested.iter().filter_map(|it| ir.range_of_block(*it)).collect();
        let first = ranges.first().map_or(stmt.end, |it| it.0);
        let behind = ranges.last().map_or(stmt.end, |it| it.1);
        if matches!(stmt.kind, StmtKind::Loop { kind: LoopKind::ForAwait, .. }) {
            self.ways.push(Ways::Await(Awaited::Operation));
        }
        self.instructions(stmt.first, first);
        match &stmt.kind {
            StmtKind::If { .. } | StmtKind::Switch { .. } => self.either(&nested),
            // Most loops of this kind fill a buffer or look again, mostly with nothing to do.
            StmtKind::Loop { kind: LoopKind::While, .. } => self.either(&nested),
            // What handles errors is no way that matters.
            StmtKind::Try(parts) => {
                [parts.block].into_iter().chain(parts.finalizer).for_each(|it| self.block(it));
            }
            StmtKind::Return => self.ways.push(Ways::Return),
            StmtKind::Throw => self.ways.push(Ways::Throw),
            StmtKind::Declaration { kind: DeclKind::AwaitUsing, .. } => {
                self.ways.push(Ways::Await(Awaited::Operation));
            }
            _ => nested.iter().for_each(|it| self.block(*it)),
        }
        self.instructions(behind, stmt.end);
    }

    /// One of some blocks, or none.
    fn either(&mut self, blocks: &[BlockId]) {
        let parts = blocks.iter().map(|it| self.part(|this| this.block(*it)));
        let mut parts: Vec<Ways<Awaited<'x>>> = parts.collect();
        parts.push(Ways::All(Vec::new()));
        self.ways.push(Ways::Either(parts));
    }

    fn instructions(&mut self, first: InstId, end: InstId) {
        let mut at = first;
        while at < end {
            let next = InstId::new(at.index() + 1);
            at = match self.ir.inst(at) {
                // That of a nested statement goes beyond what stands in front of it.
                Inst::Conditional { end: behind, .. } if behind <= end && behind > at => {
                    let part = self.part(|this| this.instructions(next, behind));
                    self.ways.push(Ways::Either(vec![part, Ways::All(Vec::new())]));
                    behind
                }
                Inst::Await(value) => {
                    let awaited = self.awaited(value);
                    self.ways.push(awaited);
                    next
                }
                Inst::IterateAsync(_) => {
                    self.ways.push(Ways::Await(Awaited::Operation));
                    next
                }
                // What is returned is adopted, which waits for it.
                Inst::Return(value) if self.is_promise(value) => {
                    self.ways.push(Ways::Await(Awaited::Operation));
                    next
                }
                _ => next,
            };
        }
    }

    fn awaited(&self, value: InstId) -> Ways<Awaited<'x>> {
        if let Some(targets) = self.targets.get(&value) {
            return Ways::Await(Awaited::Call(targets));
        }
        let is_passed = match self.ir.inst(value) {
            Inst::Select(one, other) => {
                return Ways::Either(vec![self.awaited(one), self.awaited(other)]);
            }
            Inst::Call { callee, .. } => self.is_passed(callee),
            Inst::CallMethod { object, method, .. } => self.gives_plain(object, method),
            _ => self.is_passed(value),
        };
        Ways::Await(if is_passed { Awaited::Passed } else { Awaited::Operation })
    }

    /// The name of a value, where it is a global one.
    fn global(&self, value: InstId) -> Option<&str> {
        match self.ir.inst(value) {
            Inst::LoadGlobal(name) => Some(self.ir.name(name)),
            _ => None,
        }
    }

    /// Whether a value is `new Promise(…)` or `Promise.name(…)`.
    fn is_promise(&self, value: InstId) -> bool {
        match self.ir.inst(value) {
            Inst::CallMethod { object, .. } => self.global(object) == Some("Promise"),
            _ => self.ir.is_new_of(value, &["Promise"]),
        }
    }

    /// Whether a value is a parameter or a variable that may be one, or a function of the file.
    fn is_passed(&self, value: InstId) -> bool {
        match self.ir.inst(value) {
            Inst::Param(_) | Inst::RestParam(_) => true,
            Inst::LoadVar(var) => {
                let variable = self.ir.variable(var);
                let is_inner = self.ir.function(variable.owner).parent.is_some();
                match variable.kind {
                    VarKind::Param | VarKind::Function => true,
                    VarKind::Var => is_inner,
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn gives_plain(&self, object: InstId, method: InstId) -> bool {
        let Inst::Get { key, .. } = self.ir.inst(method) else { return false };
        match key.get() {
            Key::Name(name) => gives_plain(self.global(object), self.ir.name(name)),
            Key::Private(_) => true,
            Key::Computed(_) => false,
        }
    }
}
