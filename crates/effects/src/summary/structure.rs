//! What the statements of a function say of its instructions.

use headstart_ir::{FileIr, FunctionId, Inst, InstId, LoopKind, StmtKind, TryParts};

/// Stretches of instructions, for those who ask whether one is in any of them.
#[derive(Debug, Default)]
pub(crate) struct Ranges {
    /// In order, none touching another.
    disjoint: Vec<(InstId, InstId)>,
}

impl Ranges {
    pub(crate) fn of(mut ranges: Vec<(InstId, InstId)>) -> Self {
        ranges.sort_unstable();
        let mut disjoint: Vec<(InstId, InstId)> = Vec::new();
        for (first, end) in ranges {
            match disjoint.last_mut() {
                Some(last) if first <= last.1 => last.1 = last.1.max(end),
                _ => disjoint.push((first, end)),
            }
        }
        Self { disjoint }
    }

    pub(crate) fn contains(&self, at: InstId) -> bool {
        let behind = self.disjoint.partition_point(|it| it.0 <= at);
        behind.checked_sub(1).is_some_and(|it| at < self.disjoint[it].1)
    }
}

/// `await f()`, `return f()`: whether what a call gives is waited for as soon as it has returned. Where the
/// function cleans up, code runs behind a `return` that nothing has waited for.
pub(crate) fn is_waited_at_once(ir: &FileIr, call: InstId, cleans_up: bool) -> bool {
    match ir.insts.get(call.index() + 1) {
        Some(Inst::Await(value)) => *value == call,
        Some(Inst::Return(value)) => *value == call && !cleans_up,
        _ => false,
    }
}

/// What is guarded in a function, and which loops need not end.
#[derive(Debug)]
pub(crate) struct Structure {
    /// The blocks whose errors a handler catches, in order.
    caught: Vec<(InstId, InstId)>,
    /// What is in any of them.
    is_caught: Ranges,
    /// The loops that may wait for ever.
    pub(crate) endless: Ranges,
    /// What runs only where something has failed.
    pub(crate) handlers: Ranges,
    /// Whether it has a `finally`.
    pub(crate) cleans_up: bool,
    /// Whether the function may be suspended.
    pub(crate) waits: bool,
}

impl Structure {
    pub(crate) fn of(ir: &FileIr, function: FunctionId) -> Self {
        let data = ir.function(function);
        let waits = FileIr::range(data.first, data.end).any(|it| ir.inst(it).is_suspend_point());
        let (mut caught, mut endless, mut handlers) = (Vec::new(), Vec::new(), Vec::new());
        let mut cleans_up = false;
        let mut blocks = vec![data.body];
        while let Some(block) = blocks.pop() {
            for &id in ir.block(block) {
                let stmt = ir.stmt(id);
                match &stmt.kind {
                    StmtKind::Try(parts) => {
                        cleans_up |= parts.finalizer.is_some();
                        guard(ir, stmt.first, parts, &mut caught);
                        handlers.extend(parts.handler.and_then(|it| ir.range_of_block(it)));
                    }
                    StmtKind::Loop { kind: LoopKind::While | LoopKind::DoWhile, .. } => {
                        endless.push((stmt.first, stmt.end));
                    }
                    _ => {}
                }
                blocks.extend(stmt.kind.nested());
            }
        }
        caught.sort_unstable();
        let is_caught = Ranges::of(caught.clone());
        let (endless, handlers) = (Ranges::of(endless), Ranges::of(handlers));
        Self { caught, is_caught, endless, handlers, cleans_up, waits }
    }

    /// Whether a handler of the function catches what an instruction throws.
    pub(crate) fn catches(&self, at: InstId) -> bool {
        self.is_caught.contains(at)
    }

    /// What is caught within a stretch of the function.
    pub(crate) fn caught_within(&self, first: InstId, end: InstId) -> Ranges {
        let behind = self.caught.partition_point(|it| it.0 < first);
        let from_here = self.caught[behind..].iter().take_while(|it| it.0 < end);
        Ranges::of(from_here.filter(|it| it.1 <= end).copied().collect())
    }
}

/// Notes what the handler of a `try` catches.
fn guard(ir: &FileIr, first: InstId, parts: &TryParts, caught: &mut Vec<(InstId, InstId)>) {
    let last = ir.block(parts.block).last().map(|&it| ir.stmt(it).end);
    // A `return` in `finally` takes the place of an error.
    let returns = parts.finalizer.is_some_and(|it| {
        ir.block(it).iter().any(|&it| matches!(ir.stmt(it).kind, StmtKind::Return))
    });
    if let Some(end) = last.filter(|_| parts.handler.is_some() || returns) {
        caught.push((first, end));
    }
    let of_handler = parts.handler.and_then(|it| ir.block(it).last().copied());
    if let (true, Some(last)) = (returns, of_handler) {
        caught.push((first, ir.stmt(last).end));
    }
}
