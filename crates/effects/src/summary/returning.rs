//! Which functions never come back with a value: every way through them ends in a `throw`. Who calls such
//! a one stops there, so nothing behind the call may start in front of it (the contract, S2).

use headstart_callgraph::{FunctionRef, InstRef, Native};
use headstart_ir::{BlockId, Inst, InstId, StmtKind};
use rustc_hash::FxHashSet;

use super::Summaries;
use super::row::arguments;
use super::structure::is_waited_at_once;
use super::throwers::with_throw;

/// How a block may end.
#[derive(Clone, Copy, Default)]
struct Ways {
    /// At its end.
    goes_on: bool,
    /// By `return`.
    returns: bool,
    /// By `break` or `continue`.
    jumps: bool,
}

/// Looks for such functions.
struct Search<'a, 'p> {
    all: &'a Summaries<'p>,
    found: FxHashSet<FunctionRef>,
}

impl Summaries<'_> {
    /// Whether what a call calls, or awaiting that, always throws.
    #[must_use]
    pub fn never_returns(&self, call: InstRef) -> bool {
        let found = self.never_returning.get_or_init(|| Search::run(self));
        !found.is_empty() && (all_in(self, call, found) || gathers_one(self, call, found))
    }
}

/// Whether a call calls nothing but such functions.
fn all_in(all: &Summaries<'_>, call: InstRef, found: &FxHashSet<FunctionRef>) -> bool {
    let callees = all.callees(call);
    !callees.functions.is_empty()
        && callees.modelled.is_empty()
        && callees.obstacle().is_none()
        && callees.functions.iter().all(|it| found.contains(it))
}

/// Whether a call is `Promise.all` of something that always throws: an element of its list, or what is called for each
/// item. That there may be no item is not looked at.
fn gathers_one(all: &Summaries<'_>, call: InstRef, found: &FxHashSet<FunctionRef>) -> bool {
    let callees = all.callees(call);
    let is_all = !callees.modelled.is_empty()
        && callees.modelled.iter().all(|it| it.native == Some(Native::All));
    let ir = all.graph.files()[call.file as usize];
    let list = arguments(ir.inst(call.inst)).and_then(|it| ir.args(it).first().copied());
    let Some(list) = list.filter(|_| is_all) else { return false };
    let at = |inst| InstRef { file: call.file, inst };
    match ir.inst(list) {
        Inst::Array(elements) => ir.args(elements).iter().any(|&it| all_in(all, at(it), found)),
        Inst::CallMethod { .. } => {
            let callbacks = &all.callees(at(list)).callbacks;
            !callbacks.is_empty() && callbacks.iter().all(|it| found.contains(it))
        }
        _ => false,
    }
}

impl Ways {
    fn or(self, other: Self) -> Self {
        Self {
            goes_on: self.goes_on || other.goes_on,
            returns: self.returns || other.returns,
            jumps: self.jumps || other.jumps,
        }
    }
}

impl Search<'_, '_> {
    /// From functions with a `throw` up to all that call them whatever happens.
    fn run(all: &Summaries<'_>) -> FxHashSet<FunctionRef> {
        let mut pending = with_throw(all);
        let mut search = Search { all, found: FxHashSet::default() };
        while let Some(function) = pending.pop() {
            if !search.found.contains(&function) && search.always_throws(function) {
                search.found.insert(function);
                pending.extend(all.callers(function).iter().map(|&it| all.graph.function_at(it)));
            }
        }
        search.found
    }

    fn always_throws(&self, function: FunctionRef) -> bool {
        let ir = self.all.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        if data.is_generator {
            return false;
        }
        // A jump lands within the function: what it ends counts as going on.
        let ways = self.block(function.file, data.body);
        !ways.goes_on && !ways.returns
    }

    fn block(&self, file: u32, block: BlockId) -> Ways {
        let ir = self.all.graph.files()[file as usize];
        let mut ways = Ways { goes_on: true, ..Ways::default() };
        for &stmt in ir.block(block) {
            let stmt = ir.stmt(stmt);
            let of_stmt = match &stmt.kind {
                StmtKind::Throw => Ways::default(),
                StmtKind::Return => {
                    Ways { returns: !self.stops(file, (stmt.first, stmt.end)), ..Ways::default() }
                }
                StmtKind::Break { .. } | StmtKind::Continue { .. } => {
                    Ways { jumps: true, ..Ways::default() }
                }
                StmtKind::If { then, otherwise } => {
                    let open = Ways { goes_on: true, ..Ways::default() };
                    let of_else = otherwise.map_or(open, |it| self.block(file, it));
                    self.block(file, *then).or(of_else)
                }
                // What jumps may end it, or another label around it.
                StmtKind::Block(inner) => {
                    let inner = self.block(file, *inner);
                    Ways { goes_on: inner.goes_on || inner.jumps, ..inner }
                }
                // No turn may be made, no case may fit.
                StmtKind::Loop { .. } | StmtKind::Switch { .. } => {
                    let nested = stmt.kind.nested();
                    let inner = nested.into_iter().map(|it| self.block(file, it));
                    Ways { goes_on: true, ..inner.fold(Ways::default(), Ways::or) }
                }
                StmtKind::Try(parts) => {
                    let of_block = self.block(file, parts.block);
                    let tried = match parts.handler {
                        Some(handler) => of_block.or(self.block(file, handler)),
                        None => of_block,
                    };
                    match parts.finalizer.map(|it| self.block(file, it)) {
                        Some(last) if last.goes_on => tried.or(Ways { goes_on: false, ..last }),
                        Some(last) => last,
                        None => tried,
                    }
                }
                StmtKind::Expression { .. }
                | StmtKind::Declaration { .. }
                | StmtKind::Inert
                | StmtKind::Other => {
                    Ways { goes_on: !self.stops(file, (stmt.first, stmt.end)), ..Ways::default() }
                }
            };
            ways = Ways { goes_on: of_stmt.goes_on, ..ways.or(of_stmt) };
            if !ways.goes_on {
                break;
            }
        }
        ways
    }

    /// Whether some instructions call such a function whatever happens, and see it throw.
    fn stops(&self, file: u32, (first, end): (InstId, InstId)) -> bool {
        if self.found.is_empty() {
            return false;
        }
        let ir = self.all.graph.files()[file as usize];
        let mut next = first;
        while next < end {
            let inst = ir.inst(next);
            if matches!(inst, Inst::Call { .. } | Inst::CallMethod { .. })
                && self.is_seen(file, next)
                && self.never_returns(InstRef { file, inst: next })
            {
                return true;
            }
            next = match inst {
                Inst::Conditional { end, .. } => end,
                _ => InstId::new(next.index() + 1),
            };
        }
        false
    }

    fn never_returns(&self, call: InstRef) -> bool {
        all_in(self.all, call, &self.found) || gathers_one(self.all, call, &self.found)
    }

    /// Whether what a call throws, or its promise is rejected with, arrives at once.
    fn is_seen(&self, file: u32, call: InstId) -> bool {
        let ir = self.all.graph.files()[file as usize];
        let callees = self.all.callees(InstRef { file, inst: call });
        let is_async = |it: &FunctionRef| {
            self.all.graph.files()[it.file as usize].function(it.function).is_async
        };
        is_waited_at_once(ir, call, false) || !callees.functions.iter().any(is_async)
    }
}

impl Summaries<'_> {
    /// Whether `new` may give something else than what it makes: a constructor returns an object (ECMA-262,
    /// 10.2.2), itself or through `super`.
    pub(crate) fn may_construct_other(&self, functions: &[FunctionRef]) -> bool {
        let giving = self.giving.get_or_init(|| {
            let mut giving = FxHashSet::default();
            for (file, ir) in (0..).zip(self.graph.files()) {
                for inst in (0..ir.insts.len()).map(InstId::new) {
                    let at = InstRef { file, inst };
                    if let Inst::Return(inst) = ir.inst(inst)
                        && !matches!(ir.inst(inst), Inst::This | Inst::Literal(_))
                        && !self.graph.is_primitive(InstRef { file, inst })
                    {
                        giving.insert(self.graph.function_at(at));
                    }
                }
            }
            giving
        });
        functions.iter().any(|it| giving.contains(it))
    }
}
