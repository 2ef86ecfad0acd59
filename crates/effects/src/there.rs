//! Whether a value is certainly there: reading a property of it does not throw.

use headstart_callgraph::{Declared, FunctionRef, Native};
use headstart_ir::{FileIr, FunctionKind, Inst, InstId, Key, Literal, MemberKind, VarId, VarKind};
use headstart_models::{PromiseKind, ResultKind};

use crate::api::FileAnalysis;
use crate::known::Known;
use crate::summary::Stability;

/// How deep a value is looked into.
const DEEPEST_VALUE: u32 = 6;

impl FileAnalysis<'_> {
    /// Whether a value is certainly an object: reading a property of it does not throw.
    #[must_use]
    pub fn is_there(&self, value: InstId, known: &Known) -> bool {
        self.is_there_within(value, known, DEEPEST_VALUE)
    }

    fn is_there_within(&self, value: InstId, known: &Known, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let ir = self.ir;
        if known.is_string(self, value) || self.is_declared(value) {
            return true;
        }
        match ir.inst(value) {
            Inst::Object
            | Inst::Array(_)
            | Inst::New { .. }
            | Inst::Closure(_)
            | Inst::Class(_)
            | Inst::Template(_)
            | Inst::RestParam(_)
            | Inst::Rest(_)
            | Inst::ImportMeta
            | Inst::DynamicImport { .. }
            | Inst::Arguments => true,
            Inst::Literal(literal) => !matches!(literal, Literal::Undefined | Literal::Null),
            Inst::This => self.has_receiver(value),
            Inst::LoadGlobal(_) => self.is_platform_member(value),
            Inst::LoadVar(var) => known.is_object(var) || self.is_always_object(var, known, depth),
            Inst::Get { object, key } => {
                self.is_object_member(object, key)
                    || self.is_literal_property(object, key.get(), known, depth)
                    || (self.property_stability(value) == Stability::Fixed
                        && self.is_initialised_field(object, key.get(), known, depth))
            }
            Inst::Select(left, right) => {
                self.is_there_within(left, known, depth)
                    && self.is_there_within(right, known, depth)
            }
            Inst::Call { .. } | Inst::CallMethod { .. } => {
                self.gives_object(self.result(value))
                    || self.gives_promise(value)
                    || self.gives_own_receiver(value)
            }
            Inst::Await(promise) => self.gives_object(self.fulfilment(promise)),
            _ => self.is_platform_member(value),
        }
    }

    /// Whether a property is an object that is there always: `prisma.user`.
    fn is_object_member(&self, object: InstId, key: headstart_ir::PropKey) -> bool {
        let summaries = self.summaries;
        let key = summaries.graph.key(self.at(object).file, key);
        summaries.graph.is_object_member(self.at(object), key)
    }

    /// Whether a call gives the object that it is on: a method has been called on it, so it is there.
    fn gives_own_receiver(&self, call: InstId) -> bool {
        self.result(call) == Some(ResultKind::Receiver)
    }

    /// Whether an annotation says that a value is there. A variable has to have got its value.
    fn is_declared(&self, value: InstId) -> bool {
        let is_set = match self.ir.inst(value) {
            Inst::LoadVar(var) => {
                let variable = self.ir.variable(var);
                variable.kind == VarKind::Param && variable.is_stable()
            }
            _ => true,
        };
        is_set && self.summaries.graph.declared(self.at(value)).is_some()
    }

    /// Whether an annotation says that a value is a string.
    pub(crate) fn is_declared_string(&self, value: InstId) -> bool {
        self.summaries.graph.declared(self.at(value)) == Some(Declared::String)
    }

    /// Whether an import is a constant of another file that is given a string.
    pub(crate) fn imports_string(&self, var: VarId) -> bool {
        if self.ir.variable(var).kind != VarKind::Import {
            return false;
        }
        let summaries = self.summaries;
        let file = u32::try_from(self.file).unwrap_or(u32::MAX);
        let Some((file, var)) = summaries.graph.imported(file, var) else { return false };
        let always = summaries.graph.always(file, var);
        let ir = summaries.graph.files()[file as usize];
        always.is_some_and(|it| {
            matches!(
                ir.inst(it),
                Inst::Literal(Literal::String(_) | Literal::LongString) | Inst::Template(_)
            )
        })
    }

    /// Whether a call certainly returns a promise.
    fn gives_promise(&self, call: InstId) -> bool {
        let summaries = self.summaries;
        let callees = summaries.callees(self.at(call));
        let is_async = |it: &FunctionRef| {
            let function = summaries.graph.files()[it.file as usize].function(it.function);
            function.is_async && !function.is_generator
        };
        let is_modelled = callees.modelled.iter().all(|it| match it.native {
            Some(native) => matches!(
                native,
                Native::Then | Native::Catch | Native::Finally | Native::All | Native::AllSettled
            ),
            None => it.call.is_some_and(|row| row.promise != PromiseKind::No),
        });
        callees.obstacle().is_none() && callees.functions.iter().all(is_async) && is_modelled
    }

    fn gives_object(&self, result: Option<ResultKind>) -> bool {
        matches!(
            result,
            Some(
                ResultKind::String | ResultKind::Array | ResultKind::Object | ResultKind::Function
            )
        )
    }

    /// Whether `this` at a place is that of a method or constructor of a class.
    fn has_receiver(&self, value: InstId) -> bool {
        let summaries = self.summaries;
        let function = summaries.graph.function_at(self.at(value));
        let receiving = summaries.graph.receiving(function);
        let is_initialiser = self.ir.function(receiving.function).kind == FunctionKind::StaticInit;
        summaries.graph.class_of(receiving).is_some() && !is_initialiser
    }

    fn is_always_object(&self, var: VarId, known: &Known, depth: u32) -> bool {
        let variable = self.ir.variable(var);
        let is_hoisted = matches!(variable.kind, VarKind::Var | VarKind::Other);
        let init = variable.init.filter(|_| variable.is_stable() && !is_hoisted);
        match init.map(|it| self.ir.inst(it)) {
            Some(Inst::StoreVar { value, .. }) => self.is_there_within(value, known, depth),
            _ => matches!(variable.kind, VarKind::Function | VarKind::Class),
        }
    }

    /// Whether a field of `this` is given an object whenever an instance is made.
    fn is_initialised_field(&self, object: InstId, key: Key, known: &Known, depth: u32) -> bool {
        if self.ir.inst(object) != Inst::This {
            return false;
        }
        let summaries = self.summaries;
        let function = summaries.graph.function_at(self.at(object));
        let receiving = summaries.graph.receiving(function);
        let Some(class) = summaries.graph.class_of(receiving) else { return false };
        let (class, receiving) = (self.ir.class(class.class), receiving.function);
        if !class.members.iter().any(|it| it.function == receiving && !it.is_static) {
            return false;
        }
        let constructor = class
            .members
            .iter()
            .find(|it| it.kind == MemberKind::Constructor)
            .map(|it| it.function);
        [class.field_init, constructor].into_iter().flatten().any(|function| {
            let data = self.ir.function(function);
            FileIr::range(data.first, data.end).any(|id| match self.ir.inst(id) {
                Inst::Set { object, key: set, value } => {
                    self.ir.inst(object) == Inst::This
                        && set.get() == key
                        && self.runs_always(function, id)
                        && self.is_there_within(value, known, depth)
                }
                _ => false,
            })
        })
    }

    /// Whether what a property of an object literal holds is an object.
    fn is_literal_property(&self, object: InstId, key: Key, known: &Known, depth: u32) -> bool {
        let Inst::LoadVar(var) = self.ir.inst(object) else { return false };
        let variable = self.ir.variable(var);
        let init = variable.init.filter(|_| variable.is_stable()).map(|it| self.ir.inst(it));
        let Some(Inst::StoreVar { value: literal, .. }) = init else { return false };
        if self.ir.inst(literal) != Inst::Object {
            return false;
        }
        let end = variable.init.unwrap_or(literal);
        FileIr::range(literal, end).any(|id| match self.ir.inst(id) {
            Inst::Set { object, key: set, value } if object == literal && set.get() == key => {
                self.is_there_within(value, known, depth)
            }
            _ => false,
        })
    }
}
