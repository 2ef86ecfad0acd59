//! Functions that ask for the same whatever they are given: a list that is fetched, and of which one entry is taken.
//! Who starts several of them at once asks as often for one thing, which whoever comes second may have found kept.

use headstart_callgraph::FunctionRef;
use headstart_ir::{FileIr, FunctionId, Inst, InstId, VarId};
use rustc_hash::FxHashSet;

use crate::unit::Scope;

impl Scope<'_, '_> {
    /// Whether a call is of one function of the program that waits for things, and for none that depends on its
    /// arguments.
    pub(crate) fn asks_the_same_for_all(&self, call: InstId) -> bool {
        let graph = &self.summaries.graph;
        let callees = graph.callees(self.analysis.at(call));
        let [FunctionRef { file, function }] = *callees.functions else { return false };
        let ir = graph.files()[file as usize];
        let is_only = callees.modelled.is_empty() && callees.unknown.is_empty();
        is_only && ir.function(function).is_async && waits_for_the_same(ir, function)
    }
}

/// Whether nothing that a function waits for depends on its parameters, and it waits for something.
fn waits_for_the_same(ir: &FileIr, function: FunctionId) -> bool {
    let body = ir.function(function);
    let mut told = Told::default();
    let mut waits = false;
    // What is given a value in a turn of a loop may be read at the start of the next.
    for _ in 0..2 {
        for id in FileIr::range(body.first, body.end) {
            told.take(ir, id);
        }
    }
    let mut is_chosen = false;
    for id in FileIr::range(body.first, body.end) {
        // What stands behind a test of a parameter, or in it, may be waited for with some of them only.
        is_chosen |= matches!(ir.inst(id), Inst::Conditional { .. }) && told.insts.contains(&id);
        if ir.inst(id).is_suspend_point() {
            waits = true;
            if is_chosen || told.insts.contains(&id) {
                return false;
            }
        }
    }
    waits
}

/// What of a function depends on its parameters.
#[derive(Default)]
struct Told {
    insts: FxHashSet<InstId>,
    variables: FxHashSet<VarId>,
}

impl Told {
    fn take(&mut self, ir: &FileIr, id: InstId) {
        let inst = ir.inst(id);
        let mut is_told = match inst {
            Inst::Param(_) | Inst::RestParam(_) | Inst::Arguments => true,
            Inst::LoadVar(var) => self.variables.contains(&var),
            Inst::Closure(function) => self.is_captured(ir, function),
            _ => false,
        };
        inst.for_each_operand(ir, &mut |it| is_told |= self.insts.contains(&it));
        if !is_told {
            return;
        }
        self.insts.insert(id);
        match inst {
            Inst::StoreVar { var, .. } => {
                self.variables.insert(var);
            }
            // What is put into an object, or given to a method of it, it holds.
            Inst::Set { object, .. } | Inst::CallMethod { object, .. } => {
                self.insts.insert(object);
                if let Inst::LoadVar(var) = ir.inst(object) {
                    self.variables.insert(var);
                }
            }
            _ => {}
        }
    }

    /// Whether a function that is made there reads what depends on them.
    fn is_captured(&self, ir: &FileIr, function: FunctionId) -> bool {
        let body = ir.function(function);
        FileIr::range(body.first, body.end).any(|id| match ir.inst(id) {
            Inst::LoadVar(var) => self.variables.contains(&var),
            Inst::Closure(inner) => self.is_captured(ir, inner),
            _ => false,
        })
    }
}
