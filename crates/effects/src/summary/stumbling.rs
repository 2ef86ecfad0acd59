//! Functions that may throw what nobody has written: a property of nothing is read, something that is no function
//! is called. What an `async` function throws rejects its promise; any other throws at whoever calls it, who may have
//! started something by then that nobody would wait for any more (the contract, S3).

use headstart_callgraph::{AbstractObject, ClassRef, FunctionRef, InstRef, Modelled, Native};
use headstart_ir::{
    ClassMember, FileIr, FunctionId, FunctionKind, Inst, InstId, Key, Literal, MemberKind,
    StmtKind, VarId, VarKind,
};
use headstart_models::{Call, CallsBack, PromiseKind, ResultKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Summaries;
use crate::shapes::held;

/// Through how many calls, and how many values one behind the other, it is looked.
const DEEPEST: u32 = 8;

/// Globals of the language that are values, not members that a model lists.
const VALUES: [&str; 4] = ["undefined", "NaN", "Infinity", "globalThis"];

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum What {
    /// Whether a call throws before it returns.
    Throws,
    /// Whether that, or the promise that it returns is rejected.
    Fails,
}

impl Summaries<'_> {
    /// Whether a call of a function of the program may throw before it returns though nothing in it says so.
    /// What models say of what it calls is counted elsewhere, and so is what a value runs that nobody knows.
    #[must_use]
    pub fn may_stumble(&self, function: FunctionRef) -> bool {
        self.stumbles(function, What::Throws, DEEPEST)
    }

    /// Whether some instructions of a function may throw, or wait for what is rejected, though nothing in them says so:
    /// as [`Self::may_stumble`], of all that they call.
    #[must_use]
    pub fn may_fail_within(&self, function: FunctionRef, first: InstId, end: InstId) -> bool {
        FileIr::range(first, end).any(|inst| {
            self.stumbles_at(InstRef { file: function.file, inst }, What::Fails, DEEPEST)
        })
    }

    /// Whether functions that an instruction runs before it is done, without calling them by their name, may throw:
    /// accessors, what converts or goes over a value, callbacks of the language.
    #[must_use]
    pub fn trips(&self, at: InstRef) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let is_call = matches!(ir.inst(at.inst), Inst::Call { .. } | Inst::CallMethod { .. });
        self.run_at_once(at)
            .iter()
            .any(|&it| is_call && self.of(it).throws || self.stumbles(it, What::Throws, DEEPEST))
    }

    /// The functions that an instruction runs in this way: what they throw is thrown there.
    fn run_at_once(&self, at: InstRef) -> &[FunctionRef] {
        let callees = self.callees(at);
        match self.graph.files()[at.file as usize].inst(at.inst) {
            // What an executor throws rejects its promise.
            Inst::New { .. } => &[],
            Inst::Call { .. } | Inst::CallMethod { .. }
                if !callees.modelled.iter().any(calls_back_now) =>
            {
                &[]
            }
            _ => &callees.callbacks,
        }
    }

    fn stumbles(&self, function: FunctionRef, what: What, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return true };
        let ir = self.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        if what == What::Throws && (data.is_async || data.is_generator) {
            return false;
        }
        if let Some(&known) = self.stumbling.part(&function).get(&(function, what)) {
            return known;
        }
        let file = function.file;
        let structure = self.structure(function);
        let is_caught = |inst| what == What::Fails && structure.catches(inst);
        let found = FileIr::range(data.first, data.end)
            .any(|inst| !is_caught(inst) && self.stumbles_at(InstRef { file, inst }, what, steps));
        self.stumbling.part(&function).insert((function, what), found);
        found
    }

    fn stumbles_at(&self, at: InstRef, what: What, steps: u32) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let is_there = |inst: InstId| self.is_there(InstRef { inst, ..at }, steps);
        if self.chokes(at) {
            return true;
        }
        match ir.inst(at.inst) {
            Inst::Set { object, .. } if what == What::Fails => ir.inst(object) != Inst::Object,
            Inst::StoreGlobal { .. } | Inst::New { .. } | Inst::Class(_) if what == What::Fails => {
                true
            }
            Inst::Get { .. } if what == What::Fails && self.graph.has_accessor(at) => true,
            Inst::Call { .. } | Inst::CallMethod { .. }
                if what == What::Fails && self.may_refuse(at) =>
            {
                true
            }
            Inst::Get { object, key } | Inst::Set { object, key, .. } => {
                matches!(key.get(), Key::Private(_)) && ir.inst(object) != Inst::This
                    || is_odd_private(ir, at.inst)
                    || ir.inst(object) == Inst::This && self.is_plain_function(at)
                    || self.graph.has_accessor(at) && self.runs_into(at, what, steps)
                    || what == What::Fails && ir.inst(object) == Inst::This
                    || !is_there(object)
            }
            Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } => {
                let callees = self.callees(at);
                let calls_back =
                    |it: &Modelled<'_>| it.call.is_some_and(|it| !it.callbacks.is_empty());
                let called_back = match what {
                    What::Throws => self.run_at_once(at),
                    What::Fails => &callees.callbacks,
                };
                (callees.functions.is_empty()
                    && callees.modelled.is_empty()
                    && callees.classes.is_empty())
                    || self.may_call_nothing(at)
                    || (callees.callbacks.is_empty() && callees.modelled.iter().any(calls_back))
                    || callees
                        .classes
                        .iter()
                        .any(|&it| what == What::Fails || self.constructs_with_care(it, DEEPEST))
                    || callees
                        .functions
                        .iter()
                        .chain(called_back)
                        .any(|&it| self.stumbles(it, what, steps))
            }
            // Numbers of the two kinds cannot be put together.
            Inst::Literal(Literal::BigInt) => true,
            Inst::StoreVar { var, .. } => {
                let variable = ir.variable(var);
                variable.init != Some(at.inst)
                    && !matches!(variable.kind, VarKind::Let | VarKind::Var | VarKind::Param)
            }
            // A variable of a block may not be there yet.
            Inst::LoadVar(var) => self.may_be_dead(at, var),
            Inst::Template(_) | Inst::Operator { .. } | Inst::Convert(_) | Inst::Delete { .. } => {
                what == What::Fails && !self.converts_plainly(at) || self.runs_into(at, what, steps)
            }
            Inst::LoadGlobal(name) => !self.is_known_global(at, ir.name(name)),
            Inst::Iterate(of) | Inst::IterateAsync(of) | Inst::Spread(of) | Inst::Rest(of) => {
                let is_generator = |it: &FunctionRef| {
                    self.graph.files()[it.file as usize].function(it.function).is_generator
                };
                !is_there(of)
                    || self.callees(at).callbacks.iter().any(is_generator)
                    || self.runs_into(at, what, steps)
                    || what == What::Fails && !self.graph.is_collection(InstRef { inst: of, ..at })
            }
            Inst::Has { .. } | Inst::InstanceOf { .. } | Inst::Opaque | Inst::Require(_) => true,
            Inst::Class(class) => {
                let class = ir.class(class);
                class.super_class.is_some() || class.static_init.is_some()
            }
            _ => false,
        }
    }

    /// Whether a function of the program that an instruction runs without calling it may throw: an accessor, what
    /// converts a value or goes over it.
    fn runs_into(&self, at: InstRef, what: What, steps: u32) -> bool {
        self.callees(at).callbacks.iter().any(|&it| self.stumbles(it, what, steps))
    }

    /// Whether an instruction stands in a function that may be called on nothing.
    fn is_plain_function(&self, at: InstRef) -> bool {
        let function = self.graph.function_at(at).function;
        let ir = self.graph.files()[at.file as usize];
        ir.function(function).kind == FunctionKind::Function
    }

    /// Whether making an instance of a class goes wrong where a constructor does not call the one of its parent, calls
    /// it twice, or calls methods that use what is not there yet.
    fn constructs_with_care(&self, class: ClassRef, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return true };
        let ir = self.graph.files()[class.file as usize];
        let data = ir.class(class.class);
        let own = data.members.iter().find(|it| it.kind == MemberKind::Constructor);
        let calls_own = |it: &ClassMember| {
            let function = ir.function(it.function);
            FileIr::range(function.first, function.end).any(|it| {
                matches!(ir.inst(it), Inst::CallMethod { object, .. } if ir.inst(object) == Inst::This)
            })
        };
        let Some(parent) = data.super_class else { return own.is_some_and(calls_own) };
        if ir.inst(parent) == Inst::Literal(Literal::Null) {
            return true;
        }
        let parents = self.graph.objects(InstRef { file: class.file, inst: parent });
        own.is_some()
            || parents.iter().any(|it| match it {
                AbstractObject::Class(parent) => self.constructs_with_care(*parent, steps),
                _ => false,
            })
    }

    /// Whether a variable may be looked at before its declaration has run: that is further down, or in a function
    /// around, which may not have got there.
    fn may_be_dead(&self, at: InstRef, var: VarId) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let variable = ir.variable(var);
        let has_dead_zone = matches!(
            variable.kind,
            VarKind::Const | VarKind::Let | VarKind::Class | VarKind::Param
        );
        let function = self.graph.function_at(at).function;
        has_dead_zone
            && match variable.owner == function {
                true => variable.declared > at.inst || self.in_switches().contains(&(at.file, var)),
                false => {
                    let of = FunctionRef { file: at.file, function };
                    !self.is_declared_in_front(at.file, var) && !self.is_made_behind(of, var)
                }
            }
    }

    /// Whether a function is made behind the declaration of a variable of the function around it.
    fn is_made_behind(&self, function: FunctionRef, var: VarId) -> bool {
        let ir = self.graph.files()[function.file as usize];
        let variable = ir.variable(var);
        ir.function(function.function).parent == Some(variable.owner)
            && self.makers().get(&function).is_some_and(|&it| it > variable.declared)
    }

    /// Where each function is made.
    fn makers(&self) -> &FxHashMap<FunctionRef, InstId> {
        self.makers.get_or_init(|| {
            let mut found = FxHashMap::default();
            for (file, ir) in (0..).zip(self.graph.files()) {
                for (inst, &what) in ir.insts.iter().enumerate() {
                    let inst = InstId::new(inst);
                    let Inst::Closure(function) = what else { continue };
                    // A function expression knows itself by its name.
                    let body = ir.function(function);
                    if !(body.first..body.end).contains(&inst) {
                        found.insert(FunctionRef { file, function }, inst);
                    }
                }
            }
            found
        })
    }

    /// The variables that are declared within a `switch`: another case may look at them.
    fn in_switches(&self) -> &FxHashSet<(u32, VarId)> {
        self.in_switches.get_or_init(|| {
            let mut found = FxHashSet::default();
            for (file, ir) in (0..).zip(self.graph.files()) {
                let switches =
                    ir.stmts.iter().filter(|it| matches!(it.kind, StmtKind::Switch { .. }));
                for stmt in switches {
                    found.extend(FileIr::range(stmt.first, stmt.end).filter_map(|it| {
                        match ir.inst(it) {
                            Inst::StoreVar { var, .. } => Some((file, var)),
                            _ => None,
                        }
                    }));
                }
            }
            found
        })
    }

    /// Whether a module declares a variable in front of all that it calls.
    fn is_declared_in_front(&self, file: u32, var: VarId) -> bool {
        let ir = self.graph.files()[file as usize];
        let variable = ir.variable(var);
        let module = ir.function(FunctionId::new(0));
        let calls = |it: InstId| {
            matches!(
                ir.inst(it),
                Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } | Inst::Await(_)
            ) && self.callees(InstRef { file, inst: it }).functions.iter().any(|it| it.file == file)
        };
        variable.owner == FunctionId::new(0)
            && !FileIr::range(module.first, variable.declared).any(calls)
    }

    /// Whether putting values together runs no code and cannot fail: they are texts or numbers.
    fn converts_plainly(&self, at: InstRef) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let mut is_plain = true;
        ir.inst(at.inst).for_each_operand(ir, &mut |inst| {
            is_plain &= self.is_plain_value(InstRef { inst, ..at });
        });
        is_plain
    }

    fn is_plain_value(&self, at: InstRef) -> bool {
        let ir = self.graph.files()[at.file as usize];
        match ir.inst(at.inst) {
            Inst::Literal(it) => !matches!(it, Literal::BigInt),
            Inst::Template(_) | Inst::Pure2(..) => true,
            _ => false,
        }
    }

    /// Whether what a model describes may refuse what it is given: it gives no promise that would say so.
    fn may_refuse(&self, at: InstRef) -> bool {
        let waits = |it: &Modelled<'_>| {
            it.native.is_some_and(|it| matches!(it, Native::Then | Native::Catch | Native::Finally))
                || it.call.is_some_and(|row| row.promise != PromiseKind::No)
        };
        !self.callees(at).modelled.iter().all(waits)
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
            // What a loop takes from a list that is written out.
            Inst::Iterate(of) => match held(ir, of).unwrap_or(ir.inst(of)) {
                Inst::Array(elements) => ir.args(elements).iter().all(|&it| is_there(it)),
                _ => false,
            },
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
    pub(super) fn only_value(&self, file: u32, var: VarId) -> Option<InstId> {
        let ir = self.graph.files()[file as usize];
        ir.initial_value(var).filter(|_| ir.variable(var).writes == 1)
    }

    /// Whether a call of members that models describe gives something: a text, a list.
    pub(super) fn gives_something(&self, at: InstRef) -> bool {
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

/// Whether what a member is given is called before it returns, and throws there.
fn calls_back_now(member: &Modelled<'_>) -> bool {
    let is_later = |it: Native| matches!(it, Native::Then | Native::Catch | Native::Finally);
    member.native.is_some_and(|it| !is_later(it))
        || member.call.is_some_and(|it| it.calls_back == CallsBack::Now)
}

/// Whether a private method is assigned, or an accessor that goes the other way only is used.
fn is_odd_private(ir: &FileIr, inst: InstId) -> bool {
    let (key, is_set) = match ir.inst(inst) {
        Inst::Get { key, .. } => (key, false),
        Inst::Set { key, .. } => (key, true),
        _ => return false,
    };
    if !matches!(key.get(), Key::Private(_)) {
        return false;
    }
    let is_odd = |it: &ClassMember| match it.kind {
        MemberKind::Setter => !is_set,
        MemberKind::Getter | MemberKind::Method => is_set,
        _ => false,
    };
    ir.classes.iter().flat_map(|it| &it.members).any(|it| it.key == key && is_odd(it))
}
