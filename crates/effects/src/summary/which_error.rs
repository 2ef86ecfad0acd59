//! Functions whose errors somebody tells apart: a handler around a call of them, directly or through others, asks which
//! error it is. There the error has to be the one that the original would have met first (the contract, trap 11).

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_ir::{BlockId, FileIr, Inst, InstId, StmtKind, TryParts, VarId};
use rustc_hash::FxHashSet;

use super::Summaries;

/// Through how many values an error is followed: `error.response.data.code`.
const DEEPEST: u32 = 6;

impl Summaries<'_> {
    /// Whether somebody tells the errors of a function apart.
    #[must_use]
    pub fn asks_which_error(&self, function: FunctionRef) -> bool {
        self.which_error.get_or_init(|| self.all_asked_which()).contains(&function)
    }

    fn all_asked_which(&self) -> FxHashSet<FunctionRef> {
        let mut called = Vec::new();
        for (file, ir) in (0..).zip(self.graph.files()) {
            let mut call = |inst| {
                self.graph.for_each_function(InstRef { file, inst }, &mut |it| called.push(it));
            };
            for stmt in &ir.stmts {
                let StmtKind::Try(parts) = &stmt.kind else { continue };
                if let Some((first, end)) = tried(ir, parts) {
                    FileIr::range(first, end).for_each(&mut call);
                }
            }
            for inst in (0..ir.insts.len()).map(InstId::new) {
                if let Some(caught) = handled(ir, inst) {
                    call(caught);
                }
            }
        }
        self.led_to(called, None)
    }
}

/// The instructions of a block whose handler asks which error it is.
fn tried(ir: &FileIr, parts: &TryParts) -> Option<(InstId, InstId)> {
    let range = |block: BlockId| ir.range_of_block(block);
    let (first, end) = range(parts.block)?;
    let (_, behind) = parts.handler.filter(|_| parts.handler_reads_error).and_then(range)?;
    tells_apart(ir, (end, behind), Inst::Caught).then_some((first, end))
}

/// The call whose promise gets a handler, by `catch` or `then`, that asks which error it is.
fn handled(ir: &FileIr, inst: InstId) -> Option<InstId> {
    let (object, name) = ir.method_call(inst)?;
    let Inst::CallMethod { args, .. } = ir.inst(inst) else { return None };
    let position = match name {
        "catch" => 0,
        "then" => 1,
        _ => return None,
    };
    let Inst::Closure(handler) = ir.inst(*ir.args(args).get(position)?) else { return None };
    let body = ir.function(handler);
    tells_apart(ir, (body.first, body.end), Inst::Param(0)).then_some(object)
}

/// Whether some code asks which error it has been given.
fn tells_apart(ir: &FileIr, (first, end): (InstId, InstId), error: Inst) -> bool {
    let all = || FileIr::range(first, end);
    let names: Vec<VarId> = all()
        .filter_map(|it| match ir.inst(it) {
            Inst::StoreVar { var, value } if is_of(ir, value, error, &[], DEEPEST) => Some(var),
            _ => None,
        })
        .collect();
    let is_error = |value: InstId| is_of(ir, value, error, &names, DEEPEST);
    all().any(|it| match ir.inst(it) {
        Inst::InstanceOf { value, .. } => is_error(value),
        Inst::Pure2(left, right) | Inst::Operator { left, right, plus: false, .. } => {
            is_error(left) || is_error(right)
        }
        Inst::Conditional { test, .. } => match ir.inst(test) {
            Inst::Call { args, .. } => ir.args(args).iter().any(|&it| is_error(it)),
            // Whether there is one at all decides whether the handler runs.
            it if it == error => false,
            _ => is_error(test),
        },
        _ => false,
    })
}

/// Whether a value is an error, or something of it.
fn is_of(ir: &FileIr, value: InstId, error: Inst, names: &[VarId], depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let of = |it| is_of(ir, it, error, names, depth);
    match ir.inst(value) {
        Inst::LoadVar(var) => names.contains(&var),
        Inst::Get { object, .. } | Inst::CallMethod { object, .. } => of(object),
        Inst::Pure1(it) => of(it),
        it => it == error,
    }
}
