//! Functions that may throw what nobody has written: a property of nothing is read, something that is no function
//! is called. What an `async` function throws rejects its promise; any other throws at whoever calls it, who may have
//! started something by then that nobody would wait for any more (the contract, S3).

use headstart_callgraph::{FunctionRef, InstRef, Modelled};
use headstart_ir::{FileIr, Inst, InstId, Key, Literal, VarId, VarKind};
use headstart_models::{Call, PromiseKind, ResultKind};

use super::Summaries;

/// Through how many calls, and how many values one behind the other, it is looked.
const DEEPEST: u32 = 8;

/// Globals of the language that are values, not members that a model lists.
const VALUES: [&str; 4] = ["undefined", "NaN", "Infinity", "globalThis"];

impl Summaries<'_> {
    /// Whether a call of a function of the program may throw before it returns though nothing in it says so.
    /// What models say of what it calls is counted elsewhere, and so is what a value runs that nobody knows.
    #[must_use]
    pub fn may_stumble(&self, function: FunctionRef) -> bool {
        self.stumbles(function, DEEPEST)
    }

    fn stumbles(&self, function: FunctionRef, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return true };
        let ir = self.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        if data.is_async || data.is_generator {
            return false;
        }
        if let Some(&known) = self.stumbling.part(&function).get(&function) {
            return known;
        }
        let file = function.file;
        let found = FileIr::range(data.first, data.end)
            .any(|inst| self.stumbles_at(InstRef { file, inst }, steps));
        self.stumbling.part(&function).insert(function, found);
        found
    }

    fn stumbles_at(&self, at: InstRef, steps: u32) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let is_there = |inst: InstId| self.is_there(InstRef { inst, ..at }, steps);
        match ir.inst(at.inst) {
            Inst::Get { object, key } | Inst::Set { object, key, .. } => {
                matches!(key.get(), Key::Private(_)) && ir.inst(object) != Inst::This
                    || !is_there(object)
            }
            Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } => {
                let callees = self.callees(at);
                let calls_back =
                    |it: &Modelled<'_>| it.call.is_some_and(|it| !it.callbacks.is_empty());
                (callees.functions.is_empty()
                    && callees.modelled.is_empty()
                    && callees.classes.is_empty())
                    || (callees.callbacks.is_empty() && callees.modelled.iter().any(calls_back))
                    || callees.functions.iter().any(|&it| self.stumbles(it, steps))
            }
            // Numbers of the two kinds cannot be put together.
            Inst::Literal(Literal::BigInt) => true,
            Inst::StoreVar { var, .. } => {
                let variable = ir.variable(var);
                variable.kind == VarKind::Const && variable.init != Some(at.inst)
            }
            Inst::LoadGlobal(name) => !self.is_known_global(at, ir.name(name)),
            Inst::Iterate(of) | Inst::IterateAsync(of) | Inst::Spread(of) | Inst::Rest(of) => {
                !is_there(of)
            }
            Inst::Has { .. } | Inst::InstanceOf { .. } | Inst::Opaque | Inst::Require(_) => true,
            Inst::Class(class) => {
                let class = ir.class(class);
                class.super_class.is_some() || class.static_init.is_some()
            }
            _ => false,
        }
    }

    fn is_known_global(&self, at: InstRef, name: &str) -> bool {
        VALUES.contains(&name) || self.graph.is_fixed_value(at) || self.is_assigned_global(name)
    }

    /// Whether a value is certainly neither `undefined` nor `null`.
    fn is_there(&self, at: InstRef, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let ir = self.graph.files()[at.file as usize];
        let is_there = |inst: InstId| self.is_there(InstRef { inst, ..at }, steps);
        match ir.inst(at.inst) {
            Inst::Literal(literal) => !matches!(literal, Literal::Undefined | Literal::Null),
            Inst::LoadVar(var) => match self.graph.imported(at.file, var) {
                Some((file, var)) => self.holds_something(file, var, steps),
                None => ir.variable(var).kind == VarKind::Import,
            },
            Inst::Select(left, right) => is_there(left) && is_there(right),
            Inst::Call { .. } | Inst::CallMethod { .. } => self.gives_something(at),
            Inst::Get { object, key } => {
                let key = self.graph.key(at.file, key);
                self.graph.is_fixed_value(at)
                    || self.graph.is_object_member(InstRef { inst: object, ..at }, key)
            }
            Inst::LoadGlobal(_) => self.graph.is_fixed_value(at),
            Inst::Closure(_)
            | Inst::Class(_)
            | Inst::Array(_)
            | Inst::Object
            | Inst::New { .. }
            | Inst::Template(_)
            | Inst::Pure1(_)
            | Inst::Pure2(..)
            | Inst::Operator { .. }
            | Inst::Convert(_)
            | Inst::Rest(_)
            | Inst::RestParam(_)
            | Inst::Arguments
            | Inst::Require(_)
            | Inst::ImportMeta
            | Inst::This
            | Inst::Super => true,
            _ => false,
        }
    }

    /// Whether a variable holds something from its declaration on.
    fn holds_something(&self, file: u32, var: VarId, steps: u32) -> bool {
        let variable = self.graph.files()[file as usize].variable(var);
        if variable.class.is_some() {
            return true;
        }
        let value = self.graph.always(file, var).or_else(|| self.only_value(file, var));
        value.is_some_and(|inst| self.is_there(InstRef { file, inst }, steps))
    }

    /// What a constant is given.
    fn only_value(&self, file: u32, var: VarId) -> Option<InstId> {
        let ir = self.graph.files()[file as usize];
        ir.initial_value(var).filter(|_| ir.variable(var).writes == 1)
    }

    /// Whether a call of members that models describe gives something: a text, a list.
    fn gives_something(&self, at: InstRef) -> bool {
        let callees = self.callees(at);
        let gives = |row: &Call| {
            row.promise != PromiseKind::No
                || matches!(
                    row.result,
                    ResultKind::String
                        | ResultKind::Array
                        | ResultKind::Object
                        | ResultKind::Function
                        | ResultKind::Receiver
                )
        };
        callees.obstacle().is_none()
            && callees.functions.is_empty()
            && !callees.modelled.is_empty()
            && callees.modelled.iter().all(|it| it.call.is_some_and(gives))
    }
}
