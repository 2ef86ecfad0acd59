//! Calls of what may be missing: an entry of a table, what `find` gives, a variable that is set only sometimes. The call
//! graph knows what may be called, not whether there is anything to call (ECMA-262, 7.3.14).

use headstart_callgraph::{AbstractObject, FunctionRef, InstRef};
use headstart_ir::{FileIr, FunctionKind, Inst, InstId, PropKey, StmtKind, VarId, VarKind};

use super::Summaries;

/// Through how many values one behind the other it is looked.
const DEEPEST: u32 = 6;
/// How many calls of a function are looked at for what they hand over.
const MOST_SITES: usize = 32;

impl Summaries<'_> {
    /// Whether a call may call nothing, though functions of the program are what it calls otherwise, or what a variable has
    /// that is not always set.
    #[must_use]
    pub fn may_call_nothing(&self, at: InstRef) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let callee = match ir.inst(at.inst) {
            Inst::Call { callee, .. } | Inst::New { callee, .. } => callee,
            Inst::CallMethod { method, .. } => method,
            _ => return false,
        };
        let callees = self.callees(at);
        let is_own = !callees.functions.is_empty() || !callees.classes.is_empty();
        // `let read; if (fast) read = readFile;`
        let is_set_sometimes = || {
            matches!(ir.inst(callee), Inst::LoadVar(var) if {
                let variable = ir.variable(var);
                matches!(variable.kind, VarKind::Let | VarKind::Var) && variable.init.is_none()
            })
        };
        (is_own || is_set_sometimes())
            && callees.obstacle().is_none()
            && !self.is_callable(InstRef { inst: callee, ..at }, DEEPEST)
    }

    /// Whether a value is certainly a function or a class.
    fn is_callable(&self, at: InstRef, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let ir = self.graph.files()[at.file as usize];
        let of = |inst: InstId| InstRef { inst, ..at };
        match ir.inst(at.inst) {
            Inst::Closure(_) | Inst::Class(_) | Inst::Super | Inst::LoadGlobal(_) => true,
            Inst::LoadVar(var) => self.variable_is_callable(at.file, var, steps),
            Inst::Select(left, right) => {
                self.is_callable(of(left), steps) && self.is_callable(of(right), steps)
            }
            Inst::Param(position) => self.parameter_is_callable(at, position, steps),
            Inst::Get { object, key } => {
                self.graph.is_fixed_value(at) || self.has_function(of(object), key, steps)
            }
            Inst::Call { .. } | Inst::CallMethod { .. } => self.gives_function(at, steps),
            _ => false,
        }
    }

    fn variable_is_callable(&self, file: u32, var: VarId, steps: u32) -> bool {
        let Some((file, var)) = self.graph.imported(file, var) else { return true };
        let ir = self.graph.files()[file as usize];
        let variable = ir.variable(var);
        if variable.class.is_some() || variable.kind == VarKind::Import {
            return true;
        }
        // A `var` is there before its declaration has given it a value.
        let only = || self.only_value(file, var).filter(|_| variable.kind != VarKind::Var);
        let value = self.graph.always(file, var).or_else(only);
        match value {
            Some(inst) => self.is_callable(InstRef { file, inst }, steps),
            None => variable.kind == VarKind::Function && variable.writes <= 1,
        }
    }

    /// Whether every call of a function hands something to call over as a parameter.
    fn parameter_is_callable(&self, at: InstRef, position: u32, steps: u32) -> bool {
        let function = self.graph.function_at(at);
        let sites = self.callers(function);
        let hands_over = |site: &InstRef| {
            let ir = self.graph.files()[site.file as usize];
            let (Inst::Call { args, .. } | Inst::CallMethod { args, .. } | Inst::New { args, .. }) =
                ir.inst(site.inst)
            else {
                return false;
            };
            let is_direct = self.callees(*site).functions.contains(&function)
                || !self.callees(*site).classes.is_empty();
            let arg = ir.args(args).get(position as usize);
            is_direct && arg.is_some_and(|&inst| self.is_callable(InstRef { inst, ..*site }, steps))
        };
        !sites.is_empty() && sites.len() <= MOST_SITES && sites.iter().all(hands_over)
    }

    fn has_function(&self, object: InstRef, key: PropKey, steps: u32) -> bool {
        let key = self.graph.key(object.file, key);
        if !self.graph.has_function(object, key) {
            return false;
        }
        // A literal may be given what is missing, too: `{ load: test ? read : undefined }`.
        self.graph.objects(object).iter().all(|it| match *it {
            AbstractObject::Made(at) => {
                let ir = self.graph.files()[at.file as usize];
                let function = ir.function(self.graph.function_at(at).function);
                let written = ir.span(at.inst);
                let within = FileIr::range(at.inst, function.end)
                    .take_while(|&it| written.contains(ir.span(it)));
                let mut given = within.filter_map(|it| match ir.inst(it) {
                    Inst::Set { object, key: of, value }
                        if object == at.inst && self.graph.key(at.file, of) == key =>
                    {
                        Some(InstRef { file: at.file, inst: value })
                    }
                    _ => None,
                });
                given.all(|it| self.is_callable(it, steps))
            }
            _ => true,
        })
    }

    /// Whether a call gives a function, whichever way it returns.
    fn gives_function(&self, at: InstRef, steps: u32) -> bool {
        let callees = self.callees(at);
        let gives = |&function: &FunctionRef| {
            let ir = self.graph.files()[function.file as usize];
            let data = ir.function(function.function);
            let mut returned = self.graph.returned_values(function).peekable();
            let last = ir.block(data.body).last().map(|&it| &ir.stmt(it).kind);
            let always_returns = data.kind == FunctionKind::Arrow && last.is_none()
                || matches!(last, Some(StmtKind::Return | StmtKind::Throw));
            !data.is_async
                && !data.is_generator
                && always_returns
                && returned.peek().is_some()
                && returned.all(|it| self.is_callable(it, steps))
        };
        let of_model = callees.functions.is_empty() && self.gives_something(at);
        of_model
            || !callees.functions.is_empty()
                && callees.modelled.is_empty()
                && callees.functions.iter().all(gives)
    }
}
