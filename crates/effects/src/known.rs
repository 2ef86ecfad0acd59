//! What is certain at a point of a function because of what has run before it.

use headstart_ir::{FileIr, FunctionId, Inst, InstId, Key, Literal, TypeHint, VarId};
use headstart_models::{ResultKind, Throws};
use rustc_hash::FxHashSet;

use crate::api::FileAnalysis;

/// How deep a value is looked into.
const DEEPEST_VALUE: u32 = 16;

/// What is certain at a point: only instructions that have run whenever it is reached count.
#[derive(Debug, Default)]
pub struct Known {
    /// Variables that hold strings, since a call that throws for anything else has returned.
    strings: FxHashSet<VarId>,
    /// Variables that have been read, so that they are initialised.
    read: FxHashSet<VarId>,
}

impl Known {
    /// What is certain where the instruction `point` of `function` begins.
    #[must_use]
    pub fn at(analysis: &FileAnalysis<'_>, function: FunctionId, point: InstId) -> Self {
        let mut known = Self::default();
        let ir = analysis.ir;
        let mut next = ir.function(function).first.index();
        while next < point.index() {
            let id = InstId::new(next);
            next += 1;
            match ir.inst(id) {
                // What runs only sometimes and is over by now may not have run.
                Inst::Conditional { end, .. } if end <= point => next = end.index(),
                inst => known.learn(analysis, inst),
            }
        }
        known
    }

    /// Takes in an instruction that has certainly run.
    pub fn learn(&mut self, analysis: &FileAnalysis<'_>, inst: Inst) {
        match inst {
            Inst::LoadVar(var) | Inst::StoreVar { var, .. } => {
                self.read.insert(var);
            }
            Inst::Call { callee, args } => self.learn_call(analysis, callee, args),
            Inst::CallMethod { method, args, .. } => self.learn_call(analysis, method, args),
            _ => {}
        }
    }

    fn learn_call(
        &mut self,
        analysis: &FileAnalysis<'_>,
        callee: InstId,
        args: headstart_ir::ArgsId,
    ) {
        let call = analysis.model(callee).and_then(|(_, member)| member.call.as_ref());
        if call.is_some_and(|call| call.throws == Throws::UnlessStrings) {
            for &argument in analysis.ir.args(args) {
                if let Inst::LoadVar(var) = analysis.ir.inst(argument)
                    && analysis.ir.variable(var).is_stable()
                {
                    self.strings.insert(var);
                }
            }
        }
    }

    /// Whether a variable is certainly initialised.
    #[must_use]
    pub fn is_initialised(&self, var: VarId) -> bool {
        self.read.contains(&var)
    }

    /// Whether a value is certainly a string.
    #[must_use]
    pub fn is_string(&self, analysis: &FileAnalysis<'_>, value: InstId) -> bool {
        self.string_within(analysis, value, DEEPEST_VALUE)
    }

    fn string_within(&self, analysis: &FileAnalysis<'_>, value: InstId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let ir = analysis.ir;
        let again = |value| self.string_within(analysis, value, depth);
        match ir.inst(value) {
            Inst::Literal(Literal::String(_) | Literal::LongString) | Inst::Template(_) => true,
            Inst::Operator { left, right, plus: true } => again(left) || again(right),
            Inst::Select(left, right) => again(left) && again(right),
            Inst::LoadGlobal(name) => matches!(ir.name(name), "__dirname" | "__filename"),
            Inst::Get { object, key } => is_module_place(ir, object, key.get()),
            Inst::LoadVar(var) => {
                let variable = ir.variable(var);
                self.strings.contains(&var)
                    || variable.hint == TypeHint::String
                    || (variable.is_stable()
                        && variable.init.is_some_and(|init| match ir.inst(init) {
                            Inst::StoreVar { value, .. } => again(value),
                            _ => false,
                        }))
            }
            Inst::Call { .. } | Inst::CallMethod { .. } => {
                analysis.result(value) == Some(ResultKind::String)
            }
            Inst::Await(promise) => analysis.result(promise) == Some(ResultKind::String),
            _ => false,
        }
    }

    /// Whether converting a value to a string or number runs no code and does not throw.
    #[must_use]
    pub fn is_primitive(&self, analysis: &FileAnalysis<'_>, value: InstId) -> bool {
        match analysis.ir.inst(value) {
            Inst::Literal(literal) => literal != Literal::RegExp,
            Inst::Pure1(_) | Inst::Pure2(..) | Inst::Convert(_) | Inst::Operator { .. } => true,
            Inst::LoadVar(var) if analysis.ir.variable(var).hint == TypeHint::OtherPrimitive => {
                true
            }
            _ => self.is_string(analysis, value),
        }
    }
}

/// `import.meta.dirname` and the like.
pub(crate) fn is_module_place(ir: &FileIr, object: InstId, key: Key) -> bool {
    let Key::Name(name) = key else { return false };
    ir.inst(object) == Inst::ImportMeta && matches!(ir.name(name), "dirname" | "filename" | "url")
}
