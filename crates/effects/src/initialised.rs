//! Whether a variable of an outer scope certainly has its value when a function runs.

use headstart_ir::{FileIr, FunctionId, Inst, InstId, VarId, VarKind};

use headstart_models::CallsBack;

use crate::api::FileAnalysis;
use crate::known::Known;

/// How deep an argument is looked into.
const DEEPEST_ARGUMENT: u32 = 6;

impl FileAnalysis<'_> {
    /// Whether `var` is initialised whenever the instruction `point` of `function` is reached: a
    /// read of it that moves there from further down cannot hit its temporal dead zone.
    #[must_use]
    pub fn is_initialised(
        &self,
        var: VarId,
        function: FunctionId,
        point: InstId,
        known: &Known,
    ) -> bool {
        let variable = self.ir.variable(var);
        if self.is_platform_import(var) || known.is_initialised(var) {
            return true;
        }
        let (owner, declared) = (variable.owner, variable.declared);
        let has_dead_zone = matches!(variable.kind, VarKind::Const | VarKind::Let | VarKind::Class);
        if owner == function {
            return !has_dead_zone || self.has_run(owner, declared, point);
        }
        self.is_created_after(function, owner, declared)
            || (owner.index() == 0
                && self.runs_always(owner, declared)
                && self.runs_before_any_call(declared))
    }

    /// Whether what stands before `inst` has run wherever `point`, in the same function and in the
    /// scope of what it declares, is reached. In a `switch`, the scope goes on in other cases.
    fn has_run(&self, function: FunctionId, inst: InstId, point: InstId) -> bool {
        inst <= point
            && FileIr::range(self.ir.function(function).first, inst).all(|id| {
                match self.ir.inst(id) {
                    Inst::Conditional { end, .. } => end < inst || end > point,
                    _ => true,
                }
            })
    }

    /// Whether an instruction of a function runs whenever the function is run to its end.
    pub(crate) fn runs_always(&self, function: FunctionId, inst: InstId) -> bool {
        FileIr::range(self.ir.function(function).first, inst).all(|id| match self.ir.inst(id) {
            Inst::Conditional { end, .. } => end <= inst,
            _ => true,
        })
    }

    /// Whether `function`, or the function around it that `owner` creates, is created only where
    /// what stands before the instruction `inst` of `owner` has run.
    fn is_created_after(&self, function: FunctionId, owner: FunctionId, inst: InstId) -> bool {
        let mut inner = function;
        loop {
            let Some(parent) = self.ir.function(inner).parent else { return false };
            if parent == owner {
                return self.has_run(owner, inst, self.ir.function(inner).created);
            }
            inner = parent;
        }
    }

    /// Whether no function of the file can be called before the instruction `init` of its top
    /// level has run.
    fn runs_before_any_call(&self, init: InstId) -> bool {
        if self.facts.is_in_cycle(self.file) {
            return false;
        }
        let first = self.ir.function(FunctionId::new(0)).first;
        FileIr::range(first, init).all(|id| self.calls_nothing(id))
    }

    fn calls_nothing(&self, id: InstId) -> bool {
        let ir = self.ir;
        let is_primitive = |value| Known::default().is_primitive(self, value);
        match ir.inst(id) {
            Inst::Literal(_)
            | Inst::LoadVar(_)
            | Inst::LoadGlobal(_)
            | Inst::StoreVar { .. }
            | Inst::Closure(_)
            | Inst::Object
            | Inst::Array(_)
            | Inst::ImportMeta
            | Inst::Pure1(_)
            | Inst::Pure2(..)
            | Inst::Select(..)
            | Inst::Conditional { .. }
            | Inst::Require(_) => true,
            Inst::Template(parts) => ir.args(parts).iter().all(|&part| is_primitive(part)),
            Inst::InstanceOf { class, .. } => self.is_plain_constructor(class),
            Inst::Operator { left, right, .. } => is_primitive(left) && is_primitive(right),
            Inst::Set { object, .. } => self.is_own_object(object),
            Inst::Get { object, .. } => {
                ir.inst(object) == Inst::ImportMeta
                    || self.is_environment(object)
                    || self.is_own_object(object)
                    || self.is_platform_member(id)
            }
            Inst::New { callee, args } => {
                let is_known = self.is_plain_constructor(callee)
                    || self.is_package_member(callee)
                    || self.operation(id, &Known::default()).is_ok();
                is_known && self.hands_over_data(args)
            }
            Inst::Call { callee, args } | Inst::CallMethod { method: callee, args, .. } => {
                self.operation(id, &Known::default())
                    .is_ok_and(|operation| operation.model.calls_back != CallsBack::Now)
                    || (self.is_package_member(callee) && self.hands_over_data(args))
            }
            _ => false,
        }
    }

    /// An object literal, or what a CommonJS module exports: nobody has it yet.
    fn is_own_object(&self, object: InstId) -> bool {
        match self.ir.inst(object) {
            Inst::Object => true,
            Inst::LoadGlobal(name) => matches!(self.ir.name(name), "exports" | "module"),
            Inst::Get { object, .. } => matches!(self.ir.inst(object),
                Inst::LoadGlobal(name) if self.ir.name(name) == "module"),
            _ => false,
        }
    }

    /// `process.env`
    fn is_environment(&self, value: InstId) -> bool {
        self.summaries.graph.environment(self.at(value)).1
    }

    /// Whether a value holds no function of this file: primitives, what packages have made, and literals
    /// of such.
    fn is_foreign(&self, value: InstId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let ir = self.ir;
        if Known::default().is_primitive(self, value) || self.is_platform_member(value) {
            return true;
        }
        match ir.inst(value) {
            Inst::Array(elements) => ir.args(elements).iter().all(|&it| self.is_foreign(it, depth)),
            Inst::Select(left, right) => {
                self.is_foreign(left, depth) && self.is_foreign(right, depth)
            }
            Inst::Get { object, .. } => self.is_environment(object),
            Inst::New { callee, args } | Inst::Call { callee, args } => {
                self.is_package_member(callee)
                    && ir.args(args).iter().all(|&it| self.is_foreign(it, depth))
            }
            Inst::LoadVar(var) => {
                let variable = ir.variable(var);
                let init = variable.init.filter(|_| variable.is_stable());
                match init.map(|it| ir.inst(it)) {
                    Some(Inst::StoreVar { value, .. }) => self.is_foreign(value, depth),
                    _ => false,
                }
            }
            Inst::Object => {
                let end = InstId::new(ir.insts.len());
                FileIr::range(value, end).all(|id| match ir.inst(id) {
                    Inst::Set { object, value: held, .. } if object == value => {
                        self.is_foreign(held, depth)
                    }
                    Inst::CopyProps { object, .. } | Inst::Accessor { object, .. } => {
                        object != value
                    }
                    _ => true,
                })
            }
            _ => false,
        }
    }

    fn is_plain_constructor(&self, callee: InstId) -> bool {
        const PLAIN: [&str; 9] =
            ["Map", "Set", "WeakMap", "WeakSet", "URL", "Date", "Array", "RegExp", "Error"];
        matches!(self.ir.inst(callee),
            Inst::LoadGlobal(name) if PLAIN.contains(&self.ir.name(name)))
    }

    /// Code of a package does not know the functions of this file, unless it is given one.
    fn is_package_member(&self, callee: InstId) -> bool {
        self.api(callee).is_some_and(|api| !api.specifier.starts_with('.'))
            && self.leads_to_package(callee)
    }

    /// Whether a value is an object literal of primitives.
    fn is_plain_literal(&self, value: InstId) -> bool {
        let known = Known::default();
        let end = InstId::new(self.ir.insts.len());
        self.ir.inst(value) == Inst::Object
            && FileIr::range(value, end).all(|id| match self.ir.inst(id) {
                Inst::Set { object, value: held, .. } if object == value => {
                    known.is_primitive(self, held)
                }
                Inst::CopyProps { object, .. } | Inst::Accessor { object, .. } => object != value,
                _ => true,
            })
    }

    /// Whether no argument can hold a function of this file.
    fn hands_over_data(&self, args: headstart_ir::ArgsId) -> bool {
        let known = Known::default();
        self.ir.args(args).iter().all(|&argument| {
            known.is_primitive(self, argument)
                || self.is_plain_literal(argument)
                || self.is_platform_member(argument)
                || self.is_foreign(argument, DEEPEST_ARGUMENT)
        })
    }
}
