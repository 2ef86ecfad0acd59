//! What is certain at a point of a function because of what has run before it.

use std::rc::Rc;

use headstart_ir::{
    ArgsId, FileIr, FunctionId, Inst, InstId, Key, Literal, TypeHint, VarId, VarKind,
};
use headstart_models::{Argument, Checks, ResultKind, Throws};
use rustc_hash::FxHashMap;

use crate::api::FileAnalysis;

/// How deep a value is looked into.
const DEEPEST_VALUE: u32 = 16;

/// What has been learnt, each variable with the instruction that shows it.
#[derive(Debug, Default)]
struct Facts {
    /// Variables that hold strings, since a call that throws for anything else has returned.
    strings: FxHashMap<VarId, InstId>,
    /// Variables that have been read, so that they are initialised.
    read: FxHashMap<VarId, InstId>,
    /// Variables of which a property has been read, so that they hold something.
    objects: FxHashMap<VarId, InstId>,
    /// Variables that have been written.
    written: FxHashMap<VarId, InstId>,
}

/// What is certain at a point: only instructions that have run whenever it is reached count.
#[derive(Debug, Default)]
pub struct Known {
    /// What others have learnt on the way, up to this instruction.
    past: Option<(Rc<Facts>, InstId)>,
    own: Facts,
}

/// What is certain along the statements of a block, gone over once for all of them.
#[derive(Debug)]
pub struct Course(Rc<Facts>);

impl Course {
    /// What is certain up to the instruction `last` of `function`, where a statement of a block begins.
    #[must_use]
    pub fn up_to(analysis: &FileAnalysis<'_>, function: FunctionId, last: InstId) -> Self {
        Self(Rc::new(Known::at(analysis, function, last).own))
    }

    /// What is certain where an earlier statement of the same block begins.
    #[must_use]
    pub fn at(&self, point: InstId) -> Known {
        Known { past: Some((Rc::clone(&self.0), point)), own: Facts::default() }
    }
}

impl Known {
    /// What is certain where the instruction `point` of `function` begins.
    #[must_use]
    pub fn at(analysis: &FileAnalysis<'_>, function: FunctionId, point: InstId) -> Self {
        let mut known = Self::default();
        known.learn(analysis, analysis.ir.function(function).first, point);
        known
    }

    /// Takes in the instructions from `first` up to `point`, not included, where the instruction
    /// `point` is reached. What runs only sometimes and is over by then may not have run.
    pub fn learn(&mut self, analysis: &FileAnalysis<'_>, first: InstId, point: InstId) {
        let mut next = first.index();
        while next < point.index() {
            let at = InstId::new(next);
            let inst = analysis.ir.inst(at);
            next += 1;
            match inst {
                Inst::Conditional { end, .. } if end <= point => next = end.index(),
                Inst::LoadVar(var) => {
                    self.own.read.entry(var).or_insert(at);
                }
                Inst::StoreVar { var, .. } => {
                    self.own.written.entry(var).or_insert(at);
                }
                Inst::Get { object, .. } => {
                    if let Inst::LoadVar(var) = analysis.ir.inst(object)
                        && analysis.ir.variable(var).is_stable()
                    {
                        self.own.objects.entry(var).or_insert(at);
                    }
                }
                Inst::Call { callee, args } => self.learn_call(analysis, at, (callee, args)),
                Inst::CallMethod { method, args, .. } => {
                    self.learn_call(analysis, at, (method, args));
                }
                _ => {}
            }
        }
    }

    /// Whether something has been learnt of a variable.
    fn has(&self, facts: fn(&Facts) -> &FxHashMap<VarId, InstId>, var: VarId) -> bool {
        let is_past = |(past, point): &(Rc<Facts>, InstId)| {
            facts(past).get(&var).is_some_and(|at| at < point)
        };
        facts(&self.own).contains_key(&var) || self.past.as_ref().is_some_and(is_past)
    }

    fn learn_call(
        &mut self,
        analysis: &FileAnalysis<'_>,
        at: InstId,
        (callee, args): (InstId, ArgsId),
    ) {
        let ir = analysis.ir;
        let call = analysis.model(callee).and_then(|(_, member)| member.call.as_ref());
        let Some(call) = call.filter(|call| call.throws == Throws::UnlessStrings) else { return };
        let kind = |position| call.arguments.get(position).copied().or(call.rest);
        for (position, &argument) in ir.args(args).iter().enumerate().rev() {
            if let (Some(Argument::String), Inst::LoadVar(var)) =
                (kind(position), ir.inst(argument))
                && ir.variable(var).is_stable()
                && !analysis.facts.is_live_import(analysis.file, var)
            {
                self.own.strings.entry(var).or_insert(at);
            }
            if call.checks == Checks::Last && !is_relative(ir, argument) {
                return;
            }
        }
    }

    /// Whether a variable is certainly initialised.
    #[must_use]
    pub fn is_initialised(&self, var: VarId) -> bool {
        self.has(|it| &it.read, var) || self.has(|it| &it.written, var)
    }

    /// Whether a variable certainly holds an object, or a primitive that has properties.
    pub(crate) fn is_object(&self, var: VarId) -> bool {
        self.has(|it| &it.objects, var)
    }

    /// Whether the declaration of a variable has certainly run: of `var`, and of what an outer
    /// function declares, that is not a matter of course.
    fn is_set(&self, analysis: &FileAnalysis<'_>, var: VarId) -> bool {
        let variable = analysis.ir.variable(var);
        variable.kind != VarKind::Var
            || self.has(|it| &it.written, var)
            || variable.init.is_some_and(|init| analysis.runs_always(variable.owner, init))
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
        if !matches!(ir.inst(value), Inst::LoadVar(_)) && analysis.is_declared_string(value) {
            return true;
        }
        match ir.inst(value) {
            Inst::Literal(Literal::String(_) | Literal::LongString) | Inst::Template(_) => true,
            Inst::Operator { left, right, plus: true, .. } => again(left) || again(right),
            Inst::Select(left, right) => again(left) && again(right),
            Inst::LoadGlobal(name) => matches!(ir.name(name), "__dirname" | "__filename"),
            Inst::Get { object, key } => is_module_place(ir, object, key.get()),
            Inst::LoadVar(var) => {
                let variable = ir.variable(var);
                self.has(|it| &it.strings, var)
                    || analysis.imports_string(var)
                    || variable.hint == TypeHint::String
                    || (variable.is_stable()
                        && self.is_set(analysis, var)
                        && variable.init.is_some_and(|init| match ir.inst(init) {
                            Inst::StoreVar { value, .. } => again(value),
                            _ => false,
                        }))
            }
            // Each item of a list that is written out.
            Inst::Iterate(items) if is_item_of_loop(ir, value) => match ir.inst(items) {
                Inst::Array(args) => ir.args(args).iter().all(|&it| again(it)),
                _ => false,
            },
            Inst::Call { .. } | Inst::CallMethod { .. } => {
                analysis.result(value) == Some(ResultKind::String)
            }
            Inst::Await(promise) => analysis.fulfilment(promise) == Some(ResultKind::String),
            _ => false,
        }
    }

    /// Whether converting a value to a string or number runs no code and does not throw.
    #[must_use]
    pub fn is_primitive(&self, analysis: &FileAnalysis<'_>, value: InstId) -> bool {
        match analysis.ir.inst(value) {
            Inst::Literal(literal) => !matches!(literal, Literal::RegExp { .. }),
            Inst::Pure1(_)
            | Inst::Pure2(..)
            | Inst::Convert(_)
            | Inst::Has { .. }
            | Inst::InstanceOf { .. }
            | Inst::Operator { .. } => true,
            Inst::LoadVar(var)
                if matches!(
                    analysis.ir.variable(var).hint,
                    TypeHint::OtherPrimitive | TypeHint::BigInt
                ) =>
            {
                true
            }
            Inst::LoadVar(var) if counts(analysis.ir, var) => true,
            _ => self.is_string(analysis, value),
        }
    }
}

/// How many instructions of a function are looked through for what a variable of it gets.
const LONGEST_SEARCH: usize = 10_000;

/// Whether a variable only ever gets numbers and texts that its function writes out or computes, such as the
/// counter of a loop.
fn counts(ir: &FileIr, var: VarId) -> bool {
    let variable = ir.variable(var);
    let is_known = !matches!(variable.kind, VarKind::Other | VarKind::Import | VarKind::Param);
    let Some(owner) = ir.functions.get(variable.owner.index()).filter(|_| is_known) else {
        return false;
    };
    let gives_primitive = |value: InstId| match ir.inst(value) {
        Inst::Literal(literal) => !matches!(literal, Literal::RegExp { .. }),
        Inst::Convert(_) | Inst::Operator { .. } | Inst::Template(_) => true,
        _ => false,
    };
    let size = owner.end.index().saturating_sub(owner.first.index());
    if variable.is_written_by_closure || size > LONGEST_SEARCH {
        return false;
    }
    let mut stores = 0;
    for id in FileIr::range(owner.first, owner.end) {
        if let Inst::StoreVar { var: stored, value } = ir.inst(id)
            && stored == var
        {
            if !gives_primitive(value) {
                return false;
            }
            stores += 1;
        }
    }
    stores == variable.writes
}

/// Whether a step of iteration is the first thing that a loop does in its turn: its value is an item then.
fn is_item_of_loop(ir: &FileIr, step: InstId) -> bool {
    let next = InstId::new(step.index() + 1);
    let bound = InstId::new(step.index() + 2);
    matches!(ir.inst(next), Inst::Conditional { test, .. } if test == step)
        && matches!(ir.inst(bound), Inst::StoreVar { value, .. } if value == step)
}

/// Whether a value is a literal path that is not absolute.
fn is_relative(ir: &FileIr, value: InstId) -> bool {
    match ir.inst(value) {
        Inst::Literal(Literal::String(text)) => {
            !ir.name(text).starts_with(['/', '\\']) && !ir.name(text).contains(':')
        }
        _ => false,
    }
}

/// `import.meta.dirname` and the like.
pub(crate) fn is_module_place(ir: &FileIr, object: InstId, key: Key) -> bool {
    let Key::Name(name) = key else { return false };
    ir.inst(object) == Inst::ImportMeta && matches!(ir.name(name), "dirname" | "filename" | "url")
}
