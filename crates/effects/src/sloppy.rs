//! What scripts and CommonJS modules that are not strict show: `this` of functions that are called plainly, or by the
//! platform, is the global object, and `arguments` are the parameters (ECMA-262, 10.2.1.2, 10.4.4).

use headstart_ir::{
    FileIr, FileKind, FunctionId, FunctionKind, Inst, InstId, Key, Literal, VarId, Variable,
};
use rustc_hash::FxHashSet;

use crate::bent::name_of;

/// The first place in a file that shows either; modules are strict.
pub(crate) fn first_sloppy(ir: &FileIr) -> Option<InstId> {
    if ir.kind == FileKind::Module { None } else { Sloppy::of(ir).first() }
}

/// What a file has that shows either.
struct Sloppy<'f> {
    ir: &'f FileIr,
    /// The functions that change their `this`, or return it.
    by_this: FxHashSet<FunctionId>,
    /// The names under which objects have such functions.
    names: FxHashSet<&'f str>,
    /// The variables of constructors: something is made with them, or is on their prototype.
    constructors: FxHashSet<VarId>,
    /// Whether closures change a parameter that `arguments` may show.
    changes_parameters: bool,
}

impl<'f> Sloppy<'f> {
    fn of(ir: &'f FileIr) -> Self {
        let owns =
            |it: &Variable| it.is_written_by_closure && ir.function(it.owner).has_dynamic_scope;
        let mut found = Self {
            ir,
            by_this: by_this(ir),
            names: FxHashSet::default(),
            constructors: FxHashSet::default(),
            changes_parameters: ir.variables.iter().any(owns),
        };
        if !found.by_this.is_empty() {
            ir.insts.iter().for_each(|&inst| found.note(inst));
        }
        found
    }

    fn note(&mut self, inst: Inst) {
        match inst {
            Inst::Set { key, value, .. } if self.is_by_this(value) => {
                self.names.insert(name_of(self.ir, key.get()));
            }
            Inst::New { callee: it, .. } => self.constructors.extend(self.variable(it)),
            Inst::Get { object, key } if name_of(self.ir, key.get()) == "prototype" => {
                self.constructors.extend(self.variable(object));
            }
            _ => {}
        }
    }

    fn first(&self) -> Option<InstId> {
        let shows = |&inst: &Inst| self.calls(inst) || self.shows_parameters(inst);
        self.ir.insts.iter().position(shows).map(InstId::new)
    }

    /// Whether it is a call, without an object, of a function that uses its `this`, or hands one to others to call.
    fn calls(&self, inst: Inst) -> bool {
        if self.by_this.is_empty() {
            return false;
        }
        match inst {
            Inst::CallMethod { method, args, .. } => {
                let args = self.ir.args(args);
                self.is_called_on_nothing(method, args) || self.are_handed_over(args)
            }
            Inst::Call { callee, args } => {
                self.is_taken_off(callee) || self.are_handed_over(self.ir.args(args))
            }
            Inst::New { args, .. } => self.are_handed_over(self.ir.args(args)),
            _ => false,
        }
    }

    /// `f.call(null)`
    fn is_called_on_nothing(&self, method: InstId, args: &[InstId]) -> bool {
        let Inst::Get { key, .. } = self.ir.inst(method) else { return false };
        let is_nothing = |it: &InstId| {
            matches!(self.ir.inst(*it), Inst::Literal(Literal::Null | Literal::Undefined))
        };
        let this = match name_of(self.ir, key.get()) {
            "apply" if args.len() == 3 => args.get(1),
            "apply" | "bind" | "call" => args.first(),
            _ => return false,
        };
        this.is_none_or(is_nothing)
    }

    /// `list.forEach(count)`, `setImmediate(object.count)`; what is made with `new` is no callback.
    fn are_handed_over(&self, args: &[InstId]) -> bool {
        args.iter().any(|&it| match self.variable(it) {
            Some(var) if self.constructors.contains(&var) => false,
            _ => self.is_taken_off(it),
        })
    }

    /// Whether a value is such a function: itself, in a variable, or read of an object.
    fn is_taken_off(&self, value: InstId) -> bool {
        let is_read = |it: InstId| {
            matches!(self.ir.inst(it), Inst::Get { key, .. }
                if matches!(key.get(), Key::Name(name) if self.names.contains(self.ir.name(name))))
        };
        let held = self.variable(value).and_then(|var| self.ir.initial_value(var));
        let is_it = |it: InstId| self.is_by_this(it) || is_read(it);
        is_it(value) || held.is_some_and(is_it)
    }

    fn is_by_this(&self, value: InstId) -> bool {
        matches!(self.ir.inst(value), Inst::Closure(function) if self.by_this.contains(&function))
    }

    fn variable(&self, value: InstId) -> Option<VarId> {
        match self.ir.inst(value) {
            Inst::LoadVar(var) => Some(var),
            _ => None,
        }
    }

    /// Whether it hands on the `arguments` of a function, changes them, or shows what closures change.
    fn shows_parameters(&self, inst: Inst) -> bool {
        let is_it = |it: InstId| self.ir.inst(it) == Inst::Arguments;
        match inst {
            Inst::Set { object, value, .. } => is_it(object) || is_it(value),
            Inst::StoreVar { value, .. } | Inst::Return(value) => is_it(value),
            Inst::Arguments => self.changes_parameters,
            _ => false,
        }
    }
}

/// The functions that change their `this`, or return it, themselves or in an arrow function; classes are strict.
fn by_this(ir: &FileIr) -> FxHashSet<FunctionId> {
    let of_classes: FxHashSet<FunctionId> =
        ir.classes.iter().flat_map(|it| &it.members).map(|it| it.function).collect();
    let is_this = |it| match ir.inst(it) {
        Inst::Set { object: of, .. } | Inst::Return(of) => ir.inst(of) == Inst::This,
        _ => false,
    };
    let mut found = FxHashSet::default();
    for (index, function) in ir.functions.iter().enumerate() {
        if !FileIr::range(function.first, function.end).any(is_this) {
            continue;
        }
        let mut id = FunctionId::new(index);
        while let (FunctionKind::Arrow, Some(parent)) =
            (ir.function(id).kind, ir.function(id).parent)
        {
            id = parent;
        }
        let takes = matches!(ir.function(id).kind, FunctionKind::Function | FunctionKind::Method);
        if takes && !of_classes.contains(&id) {
            found.insert(id);
        }
    }
    found
}
