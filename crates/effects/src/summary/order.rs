//! What may run before a function first waits, and what after.

use headstart_ir::{FileIr, FunctionId, Inst, InstId, LoopKind, Stmt, StmtKind};

use super::structure::Ranges;

/// When an instruction may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct When {
    /// Before the function has waited.
    pub(crate) before: bool,
    /// After.
    pub(crate) after: bool,
}

impl When {
    const NEVER: Self = Self { before: false, after: false };

    fn or(self, other: Self) -> Self {
        Self { before: self.before || other.before, after: self.after || other.after }
    }
}

/// A stretch that runs only sometimes.
struct Open {
    end: InstId,
    test: InstId,
    /// When it is skipped.
    skipped: When,
}

/// Where a turn of a loop begins: what is iterated is evaluated once.
fn turn_start(ir: &FileIr, stmt: &Stmt, kind: LoopKind) -> InstId {
    if !matches!(kind, LoopKind::ForOf | LoopKind::ForIn | LoopKind::ForAwait) {
        return stmt.first;
    }
    let is_head = |id: &InstId| match ir.inst(*id) {
        Inst::Iterate(_) | Inst::IterateAsync(_) | Inst::EnumerateKeys(_) => {
            let next = InstId::new(id.index() + 1);
            matches!(ir.inst(next), Inst::Conditional { end, .. } if end >= stmt.end)
        }
        _ => false,
    };
    FileIr::range(stmt.first, stmt.end).find(is_head).unwrap_or(stmt.first)
}

/// Walks the instructions of a function in order, and says of each when it may run.
pub(crate) struct Order<'a> {
    ir: &'a FileIr,
    /// A generator that is not `async` goes on while it is iterated.
    is_async: bool,
    may_throw: &'a dyn Fn(InstId) -> bool,
    now: When,
    open: Vec<Open>,
    /// The instructions that suspend the function, in order.
    suspensions: Vec<InstId>,
    /// The loops that wait: what is in them may run after.
    loops: Ranges,
    /// The blocks that a handler guards, in order: what throws in them goes on behind them.
    guarded: Vec<(InstId, InstId)>,
}

impl<'a> Order<'a> {
    pub(crate) fn new(
        ir: &'a FileIr,
        function: FunctionId,
        may_throw: &'a dyn Fn(InstId) -> bool,
    ) -> Self {
        let data = ir.function(function);
        // The body of an asynchronous generator starts with its first `next`.
        let is_started = !(data.is_async && data.is_generator);
        let mut order = Self {
            ir,
            is_async: data.is_async,
            may_throw,
            now: When { before: is_started, after: !is_started },
            open: Vec::new(),
            suspensions: FileIr::range(data.first, data.end)
                .filter(|&it| ir.inst(it).is_suspend_point())
                .collect(),
            loops: Ranges::default(),
            guarded: Vec::new(),
        };
        order.collect(data.body);
        order
    }

    /// Whether a stretch may suspend the function.
    fn suspends(&self, first: InstId, end: InstId) -> bool {
        let next = self.suspensions.partition_point(|&it| it < first);
        self.suspensions.get(next).is_some_and(|&it| it < end)
    }

    fn collect(&mut self, block: headstart_ir::BlockId) {
        let ir = self.ir;
        let mut loops = Vec::new();
        let mut blocks = vec![block];
        while let Some(block) = blocks.pop() {
            for &stmt in ir.block(block) {
                let stmt = ir.stmt(stmt);
                match &stmt.kind {
                    StmtKind::Loop { kind, body, .. } => {
                        let waits = self.is_async && self.suspends(stmt.first, stmt.end);
                        if waits || *kind == LoopKind::ForAwait {
                            loops.push((turn_start(ir, stmt, *kind), stmt.end));
                        }
                        blocks.push(*body);
                    }
                    StmtKind::If { then, otherwise } => {
                        blocks.push(*then);
                        blocks.extend(otherwise);
                    }
                    StmtKind::Try(parts) => {
                        let end = ir.block(parts.block).last().map(|&it| ir.stmt(it).end);
                        if let Some(end) = end {
                            self.guarded.push((stmt.first, end));
                        }
                        blocks.push(parts.block);
                        blocks.extend(parts.handler);
                        blocks.extend(parts.finalizer);
                    }
                    StmtKind::Switch { cases } => blocks.extend(cases.iter().copied()),
                    StmtKind::Block(block) => blocks.push(*block),
                    _ => {}
                }
            }
        }
        self.loops = Ranges::of(loops);
        self.guarded.sort_unstable();
    }

    /// Whether a block that a handler guards begins with a stretch, or with the instruction before it,
    /// and ends with it at the latest.
    fn is_guarded(&self, id: InstId, end: InstId) -> bool {
        let before = InstId::new(id.index().saturating_sub(1));
        let first = self.guarded.partition_point(|it| it.0 < before);
        self.guarded[first..].iter().take_while(|it| it.0 <= id).any(|it| it.1 <= end)
    }

    /// Whether the stretch behind `first` may be left by an error before it certainly waits.
    fn may_throw_before_waiting(&self, first: InstId, end: InstId) -> bool {
        let mut nested_until = first;
        for id in FileIr::range(first, end).skip(1) {
            let inst = self.ir.inst(id);
            if let Inst::Conditional { end, .. } = inst {
                nested_until = nested_until.max(end);
            }
            if inst.is_suspend_point() && id >= nested_until {
                return false;
            }
            if (self.may_throw)(id) || matches!(inst, Inst::Return(_)) {
                return true;
            }
        }
        true
    }

    /// When an instruction may run. Instructions are to be asked for one after the other.
    pub(crate) fn step(&mut self, id: InstId) -> When {
        while let Some(open) = self.open.pop_if(|open| open.end <= id) {
            let skipped = match self.ir.inst(id) {
                // The other branch: it runs where this one did not.
                Inst::Conditional { test, end } if test == open.test && end > id => {
                    let after_first = self.now;
                    self.now = open.skipped;
                    self.open.push(Open { end, test: id, skipped: after_first });
                    return self.now;
                }
                _ => open.skipped,
            };
            self.now = self.now.or(skipped);
        }
        if self.loops.contains(id) && self.now != When::NEVER {
            self.now.after = true;
        }
        let now = self.now;
        match self.ir.inst(id) {
            Inst::Conditional { test, end } => {
                // What throws in a guarded block may have waited before.
                let waits = self.is_async && self.suspends(id, end);
                let mut skipped = now;
                if waits && self.is_guarded(id, end) {
                    skipped.after = true;
                    skipped.before &= self.may_throw_before_waiting(id, end);
                }
                self.open.push(Open { end, test, skipped });
            }
            Inst::Return(_) | Inst::Throw(_) => self.now = When::NEVER,
            Inst::Yield(_) | Inst::YieldAll(_) if !self.is_async => {}
            inst if inst.is_suspend_point() => self.now = When { before: false, after: true },
            _ => {}
        }
        now
    }
}
