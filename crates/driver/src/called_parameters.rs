//! Functions that call what they get as a parameter, for the decision which functions count how deep their calls are,
//! and which methods get the fast form of what they are given.
//!
//! `forEach(f)` calls whatever it is given, and in a graph of calls by itself it leads to all of that: what hands it one function
//! seems to call every other one, and nearly everything to call itself. But while it runs, who passed the function on stands below it
//! on the stack. So a call of a parameter is taken for one that the caller makes who passes the function: each way from a function
//! back to itself then passes that caller instead. (A parameter that an inner function calls may be called later, when that caller is
//! gone.)

use headstart_callgraph::{AbstractObject, CallGraph, FunctionRef, InstRef};
use headstart_ir::{FileIr, Inst, InstId};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many parameters of a function are looked at one by one.
const MOST_PARAMETERS: u32 = 16;

/// What a caller passes to be called.
pub(crate) enum Passed {
    /// The async function with this number.
    Function(usize),
    /// Nobody knows what.
    Unknown,
}

/// A call whose arguments may be called.
struct Call {
    at: InstRef,
    caller: usize,
    /// The async functions that it may reach.
    targets: FxHashSet<usize>,
    /// Whether it may reach any that is no method, too.
    is_any: bool,
    /// Whether it calls a parameter itself.
    of_parameter: bool,
}

/// The parameters that async functions call, and the calls that they get them by.
pub(crate) struct CalledParameters<'g> {
    graph: &'g CallGraph<'g>,
    irs: &'g [&'g FileIr],
    /// The async functions that are methods: calls of what nobody knows find none of them.
    methods: FxHashSet<usize>,
    calls: Vec<Call>,
    /// The parameters that functions call, or hand to what does: function and position.
    called: FxHashSet<(usize, u32)>,
    /// Those that they call themselves, for certain.
    direct: FxHashSet<(usize, u32)>,
    /// The positions of those of functions that are no methods.
    of_values: Vec<u32>,
}

impl<'g> CalledParameters<'g> {
    pub(crate) fn new(
        graph: &'g CallGraph<'g>,
        irs: &'g [&'g FileIr],
        methods: FxHashSet<usize>,
    ) -> Self {
        Self {
            graph,
            irs,
            methods,
            calls: Vec::new(),
            called: FxHashSet::default(),
            direct: FxHashSet::default(),
            of_values: Vec::new(),
        }
    }

    /// Notes a call of some async functions, and of any that is no method if it `is_any`. Returns whether what it calls is a
    /// parameter of the function that it stands in.
    pub(crate) fn note(
        &mut self,
        at: InstRef,
        caller: usize,
        (targets, is_any): (&FxHashSet<usize>, bool),
    ) -> bool {
        let position = match self.irs[at.file as usize].inst(at.inst) {
            Inst::Call { callee, .. } => self.parameter(at, callee),
            _ => None,
        };
        if let Some(position) = position {
            self.calls_own(caller, position);
            self.direct.insert((caller, position));
        }
        let of_parameter = position.is_some();
        if !self.arguments(at).is_empty() {
            let targets = targets.clone();
            self.calls.push(Call { at, caller, targets, is_any, of_parameter });
        }
        of_parameter
    }

    /// Follows parameters that are handed on. Call this before what asks for any.
    pub(crate) fn follow(&mut self) {
        let calls = std::mem::take(&mut self.calls);
        // Each round finds parameters that are handed on once more. What calls a parameter hands nothing on for those below it:
        // a function that is given itself would have nobody to be called by.
        let mut known = usize::MAX;
        while known != self.called.len() {
            known = self.called.len();
            for call in calls.iter().filter(|it| !it.of_parameter) {
                for (index, &argument) in self.arguments(call.at).iter().enumerate() {
                    let position = u32::try_from(index).unwrap_or(u32::MAX);
                    let own = self.parameter(call.at, argument);
                    if let (Some(own), true) = (own, self.calls(call, position)) {
                        self.calls_own(call.caller, own);
                    }
                }
            }
        }
        self.calls = calls;
    }

    /// Who passes what to be called; `numbers`: those of the async functions.
    pub(crate) fn passed(&self, numbers: &FxHashMap<FunctionRef, usize>) -> Vec<(usize, Passed)> {
        let mut passed = Vec::new();
        for call in &self.calls {
            let mut is_spread = false;
            for (index, &argument) in self.arguments(call.at).iter().enumerate() {
                let position = u32::try_from(index).unwrap_or(u32::MAX);
                is_spread |=
                    matches!(self.irs[call.at.file as usize].inst(argument), Inst::Spread(_));
                if is_spread && self.calls_some(call) {
                    passed.push((call.caller, Passed::Unknown));
                } else if self.passes(call, argument) && self.calls(call, position) {
                    self.pass(call, argument, numbers, &mut passed);
                }
            }
        }
        passed
    }

    /// Whether it is the caller who passes an argument, and not who called the caller with it.
    fn passes(&self, call: &Call, argument: InstId) -> bool {
        call.of_parameter || self.parameter(call.at, argument).is_none()
    }

    fn pass(
        &self,
        call: &Call,
        argument: InstId,
        numbers: &FxHashMap<FunctionRef, usize>,
        passed: &mut Vec<(usize, Passed)>,
    ) {
        let at = InstRef { file: call.at.file, inst: argument };
        for object in self.graph.value_objects(at) {
            match self.graph.object(object) {
                AbstractObject::Function(function) => {
                    let number = numbers.get(&function).copied();
                    passed.extend(number.map(|it| (call.caller, Passed::Function(it))));
                }
                AbstractObject::Unknown | AbstractObject::Outside => {
                    passed.push((call.caller, Passed::Unknown));
                }
                _ => {}
            }
        }
    }

    /// The position of a parameter that all of some functions call or hand to what does, but for those that do nothing with it, if
    /// there is one: first of all one that any calls itself. `ignores`: whether a function does nothing with one.
    pub(crate) fn all_call(
        &self,
        functions: &[usize],
        ignores: impl Fn(usize, u32) -> bool,
    ) -> Option<u32> {
        let is_called = |it: usize, position: u32| self.called.contains(&(it, position));
        let calls = |position: &u32| {
            functions.iter().any(|it| is_called(*it, *position))
                && functions.iter().all(|it| is_called(*it, *position) || ignores(*it, *position))
        };
        let is_direct =
            |position: &u32| functions.iter().any(|it| self.direct.contains(&(*it, *position)));
        let all = (0..MOST_PARAMETERS).filter(calls);
        all.min_by_key(|it| (!is_direct(it), *it))
    }

    /// Notes that a function calls a parameter.
    fn calls_own(&mut self, function: usize, position: u32) {
        if self.called.insert((function, position))
            && !self.methods.contains(&function)
            && !self.of_values.contains(&position)
        {
            self.of_values.push(position);
        }
    }

    /// The position of the parameter that a value is, of the function in which a call stands.
    fn parameter(&self, call: InstRef, value: InstId) -> Option<u32> {
        let ir = self.irs[call.file as usize];
        let at = match ir.inst(value) {
            Inst::LoadVar(variable) => {
                let variable = ir.variable(variable);
                let is_own = variable.owner == self.graph.function_at(call).function;
                let first = variable.init.filter(|_| is_own && variable.writes == 1)?;
                let Inst::StoreVar { value, .. } = ir.inst(first) else { return None };
                value
            }
            _ => value,
        };
        if let Inst::Param(position) = ir.inst(at) { Some(position) } else { None }
    }

    fn arguments(&self, call: InstRef) -> &'g [InstId] {
        let ir = self.irs[call.file as usize];
        match ir.inst(call.inst) {
            Inst::Call { args, .. } | Inst::CallMethod { args, .. } => ir.args(args),
            _ => &[],
        }
    }

    /// Whether a call may reach what calls its argument at a position.
    fn calls(&self, call: &Call, position: u32) -> bool {
        call.targets.iter().any(|it| self.called.contains(&(*it, position)))
            || call.is_any && self.of_values.contains(&position)
    }

    /// Whether it may reach what calls any of its arguments.
    fn calls_some(&self, call: &Call) -> bool {
        let calls = |position| self.calls(call, position);
        (0..MOST_PARAMETERS).any(calls)
    }
}
