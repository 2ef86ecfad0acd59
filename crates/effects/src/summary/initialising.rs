//! What is set up by whoever needs it first, in a function of its own: `if (!this.cache) await this.initialize()`, where
//! `initialize` sets `this.cache`. Who comes first makes no difference to who comes later.

use headstart_ir::{FileIr, FunctionId, Inst, InstId, Key, Literal, NameId, VarId};

/// What is missing where something is set up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    /// `this.cache`
    Own(NameId),
    /// A variable of the module.
    Variable(VarId),
}

/// The calls of a file that set up what is missing.
pub(super) fn initialising(ir: &FileIr) -> impl Iterator<Item = InstId> + '_ {
    let guards = (0..ir.insts.len()).map(InstId::new).filter_map(|id| match ir.inst(id) {
        Inst::Conditional { test, end } => Some((id, end, missing(ir, test)?)),
        _ => None,
    });
    guards.flat_map(move |(first, end, missing)| {
        let sets_up = move |it: &InstId| {
            called(ir, *it, missing).is_some_and(|function| sets(ir, function, missing))
        };
        FileIr::range(first, end).filter(sets_up)
    })
}

/// What a test asks for that may be missing: `!this.cache`, `client === undefined`.
fn missing(ir: &FileIr, test: InstId) -> Option<Missing> {
    let place = match ir.inst(test) {
        Inst::Pure1(_) => ir.negated(test)?,
        Inst::Pure2(value, nothing)
            if matches!(ir.inst(nothing), Inst::Literal(Literal::Null | Literal::Undefined)) =>
        {
            value
        }
        _ => return None,
    };
    match ir.inst(place) {
        Inst::Get { object, key } if ir.inst(object) == Inst::This => match key.get() {
            Key::Name(name) | Key::Private(name) => Some(Missing::Own(name)),
            Key::Computed(_) => None,
        },
        Inst::LoadVar(var) if ir.variable(var).owner.index() == 0 => Some(Missing::Variable(var)),
        _ => None,
    }
}

/// The function of the file that a call calls: a method of the same class, or a function by its name.
fn called(ir: &FileIr, call: InstId, missing: Missing) -> Option<FunctionId> {
    match (missing, ir.inst(call)) {
        (Missing::Own(_), Inst::CallMethod { object, method, .. })
            if ir.inst(object) == Inst::This =>
        {
            let Inst::Get { key, .. } = ir.inst(method) else { return None };
            let own = ir.function_at(call);
            let is_own = |it: &&headstart_ir::Class| it.members.iter().any(|it| it.function == own);
            let class = ir.classes.iter().find(is_own)?;
            let method = class.members.iter().find(|it| it.key == key)?;
            Some(method.function)
        }
        (Missing::Variable(_), Inst::Call { callee, .. }) => {
            let Inst::LoadVar(var) = ir.inst(callee) else { return None };
            match ir.inst(ir.initial_value(var)?) {
                Inst::Closure(function) => Some(function),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a function itself sets what was missing.
fn sets(ir: &FileIr, function: FunctionId, missing: Missing) -> bool {
    let data = ir.function(function);
    FileIr::range(data.first, data.end).any(|it| match (missing, ir.inst(it)) {
        (Missing::Own(name), Inst::Set { object, key, .. }) => {
            let is_it = matches!(key.get(), Key::Name(of) | Key::Private(of) if of == name);
            is_it && ir.inst(object) == Inst::This
        }
        (Missing::Variable(var), Inst::StoreVar { var: of, .. }) => of == var,
        _ => false,
    })
}
