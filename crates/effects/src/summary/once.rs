//! Places that are set once: a client behind a memo, a registry on the global object.
//!
//! `if (!client) client = create()`, `client ??= create()`: whoever comes first sets it, and whoever comes
//! later finds it there. Two operations that both do this get along, if what they would set is the same.

use headstart_callgraph::{FunctionRef, InstRef, PathKey};
use headstart_ir::{FileIr, FunctionId, Inst, InstId, Literal, VarId, VarKind};
use rustc_hash::FxHashSet;

use super::Summaries;
use super::place::{Location, Place, Root};

/// How far calls are followed up to where they happen only once.
const LONGEST_CHAIN: u32 = 4;
/// How many instructions a value is made of that is looked at.
const LARGEST_VALUE: usize = 64;

impl Summaries<'_> {
    /// Where a place is set, if all that sets it does so only where it is empty, or is reached only from
    /// there, and nothing is waited for in between. That what is set does not depend on who comes first is
    /// looked at, but not proved.
    #[must_use]
    pub fn set_once(&self, location: &Location) -> Option<InstRef> {
        let Location::Memory(place) = location else { return None };
        if let Some(&known) = self.once.get().get(place) {
            return known;
        }
        let found = self.find_set_once(place);
        self.once.get().insert(*place, found);
        found
    }

    fn find_set_once(&self, place: &Place) -> Option<InstRef> {
        let stores = match (place.root, &*place.keys) {
            (Root::Variable(file, var), []) => self.stores_of_variable(file, var),
            (Root::Global, &[key]) if !place.is_deep && key != PathKey::ANY => {
                self.stores_of_global(key)?
            }
            _ => return None,
        };
        // What only loading the module sets is there before any of its functions runs.
        let is_late =
            |it: &&(InstRef, InstId)| self.graph.function_at(it.0).function != FunctionId::new(0);
        let first = stores.iter().find(is_late)?;
        let is_memo = stores.iter().all(|&(at, value)| self.sets_once(at, value, place))
            && !self.is_examined(place);
        is_memo.then_some(first.0)
    }

    /// Whether something else than what sets a variable looks at what it is: that sees who was first.
    fn is_examined(&self, place: &Place) -> bool {
        let Root::Variable(file, var) = place.root else { return false };
        let ir = self.graph.files()[file as usize];
        let insts = || (0..ir.insts.len()).map(InstId::new);
        let guards: FxHashSet<InstId> = insts()
            .filter_map(|id| match ir.inst(id) {
                Inst::Conditional { test, end } => {
                    let sets =
                        |it| matches!(ir.inst(it), Inst::StoreVar { var: of, .. } if of == var);
                    let load = self.looked_at_by(file, (test, end), place)?;
                    FileIr::range(id, end).any(sets).then_some(load)
                }
                _ => None,
            })
            .collect();
        insts().any(|id| {
            let examines = matches!(
                ir.inst(id),
                Inst::Pure1(_)
                    | Inst::Pure2(..)
                    | Inst::Convert(_)
                    | Inst::Operator { .. }
                    | Inst::Template(_)
                    | Inst::Has { .. }
                    | Inst::Conditional { .. }
            );
            let mut is_it = false;
            if examines {
                ir.inst(id).for_each_operand(ir, &mut |it| {
                    is_it |= self.is_load(file, it, place) && !guards.contains(&it);
                });
            }
            is_it
        })
    }

    /// The assignments of a variable, but for one that only says that it is empty.
    fn stores_of_variable(&self, file: u32, var: VarId) -> Vec<(InstRef, InstId)> {
        let ir = self.graph.files()[file as usize];
        let variable = ir.variable(var);
        if variable.owner != FunctionId::new(0)
            || matches!(variable.kind, VarKind::Other | VarKind::Import | VarKind::Param)
        {
            return Vec::new();
        }
        let of_inst = |inst: InstId| match ir.inst(inst) {
            Inst::StoreVar { var: of, value } if of == var => {
                let is_empty =
                    Some(inst) == variable.init && matches!(ir.inst(value), Inst::Literal(_));
                (!is_empty).then_some((InstRef { file, inst }, value))
            }
            _ => None,
        };
        (0..ir.insts.len()).map(InstId::new).filter_map(of_inst).collect()
    }

    /// The assignments of a property of the global object; none where some have no known name.
    fn stores_of_global(&self, key: PathKey) -> Option<Vec<(InstRef, InstId)>> {
        let mut found = Vec::new();
        for (file, ir) in (0u32..).zip(self.graph.files()) {
            for inst in (0..ir.insts.len()).map(InstId::new) {
                match ir.inst(inst) {
                    Inst::Set { object, key: set, value }
                        if super::is_global_object(ir, object) =>
                    {
                        match self.graph.key(file, set) {
                            it if it == key => found.push((InstRef { file, inst }, value)),
                            PathKey::ANY => return None,
                            _ => {}
                        }
                    }
                    Inst::StoreGlobal { name, value }
                        if self.graph.key_text(key).as_deref() == Some(ir.name(name)) =>
                    {
                        found.push((InstRef { file, inst }, value));
                    }
                    _ => {}
                }
            }
        }
        Some(found)
    }

    fn sets_once(&self, at: InstRef, value: InstId, place: &Place) -> bool {
        // What holds no object is a flag, a counter, or empty again.
        let ir = self.graph.files()[at.file as usize];
        let is_mark = match ir.inst(value) {
            Inst::Literal(it) => !matches!(it, Literal::String(_) | Literal::LongString),
            Inst::LoadGlobal(name) => ir.name(name) == "undefined",
            Inst::Pure1(_) | Inst::Pure2(..) | Inst::Convert(_) => true,
            _ => false,
        };
        !is_mark
            && self.is_alike(at, value)
            && (self.is_guarded(at, place) || self.happens_once(at, LONGEST_CHAIN))
    }

    /// Whether an instruction runs only where a place has been looked at right before, so that nobody
    /// can have changed it since.
    fn is_guarded(&self, at: InstRef, place: &Place) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let first = ir.function(self.graph.function_at(at).function).first;
        FileIr::range(first, at.inst).any(|id| {
            let Inst::Conditional { end, .. } = ir.inst(id) else { return false };
            end > at.inst && self.is_tested_by(at.file, id, at.inst, place)
        })
    }

    /// Whether what stands right before a condition finds a place empty, and nothing is waited for between
    /// that and an instruction.
    fn is_tested_by(&self, file: u32, condition: InstId, at: InstId, place: &Place) -> bool {
        let ir = self.graph.files()[file as usize];
        let Inst::Conditional { test, end } = ir.inst(condition) else { return false };
        self.looked_at_by(file, (test, end), place)
            .is_some_and(|load| !FileIr::range(load, at).any(|id| ir.inst(id).is_suspend_point()))
    }

    /// Where the test of a condition, which ends there, looks whether a place is empty: `!x`, `x ?? …`, `x || …`, `x === undefined`,
    /// `typeof x === "undefined"`. Which way round it is nobody looks at.
    fn looked_at_by(
        &self,
        file: u32,
        (test, end): (InstId, InstId),
        place: &Place,
    ) -> Option<InstId> {
        let ir = self.graph.files()[file as usize];
        let is_load = |it: &InstId| self.is_load(file, *it, place);
        let is_empty = |it: InstId| match ir.inst(it) {
            Inst::Literal(it) => {
                matches!(it, Literal::Undefined | Literal::Null | Literal::String(_))
            }
            Inst::LoadGlobal(name) => ir.name(name) == "undefined",
            _ => false,
        };
        let loaded = |it: InstId| match ir.inst(it) {
            Inst::Pure1(of) => Some(of).filter(is_load),
            _ => Some(it).filter(is_load),
        };
        match ir.inst(test) {
            Inst::Pure1(of) => Some(of).filter(is_load),
            Inst::Pure2(left, right) | Inst::Operator { left, right, plus: false, .. } => {
                let of_left = loaded(left).filter(|_| is_empty(right));
                of_left.or_else(|| loaded(right).filter(|_| is_empty(left)))
            }
            // `enabled && !x`
            Inst::Select(left, right) if ir.is_conjunction(test) => self
                .looked_at_by(file, (left, end), place)
                .or_else(|| self.looked_at_by(file, (right, end), place)),
            _ if is_load(&test) => {
                let goes_on =
                    |it: InstId| matches!(ir.inst(it), Inst::Select(left, _) if left == test);
                goes_on(end).then_some(test)
            }
            _ => None,
        }
    }

    /// Whether an instruction reads a place.
    fn is_load(&self, file: u32, value: InstId, place: &Place) -> bool {
        let ir = self.graph.files()[file as usize];
        match (ir.inst(value), place.root) {
            (Inst::LoadVar(var), Root::Variable(of, wanted)) => of == file && var == wanted,
            (Inst::Get { object, key }, Root::Global) => {
                super::is_global_object(ir, object)
                    && place.keys.first() == Some(&self.graph.key(file, key))
            }
            _ => false,
        }
    }

    /// Whether an instruction runs at most once: at the top of a module, where something is set once, or
    /// in a function that is called only from where that is.
    fn happens_once(&self, at: InstRef, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let function = self.graph.function_at(at);
        if function.function == FunctionId::new(0) {
            return true;
        }
        if self.is_in_guarded(at, function) {
            return true;
        }
        // What loading the module calls, functions may call again.
        let is_late = |it: InstRef| self.graph.function_at(it).function != FunctionId::new(0);
        let callers = self.callers(function);
        !callers.is_empty() && callers.iter().all(|&it| is_late(it) && self.happens_once(it, steps))
    }

    /// Whether an instruction stands where a variable of its module is set that has been found empty.
    fn is_in_guarded(&self, at: InstRef, function: FunctionRef) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let data = ir.function(function.function);
        FileIr::range(data.first, at.inst).any(|id| {
            let Inst::Conditional { end, .. } = ir.inst(id) else { return false };
            end > at.inst
                && FileIr::range(id, end).any(|store| match ir.inst(store) {
                    Inst::StoreVar { var, .. } => {
                        let place = Place::new(Root::Variable(at.file, var));
                        ir.variable(var).owner == FunctionId::new(0)
                            && self.is_tested_by(at.file, id, store, &place)
                    }
                    _ => false,
                })
        })
    }

    /// Whether a value does not depend on who calls the function that makes it.
    pub(crate) fn is_alike(&self, at: InstRef, value: InstId) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let mut pending = vec![value];
        let mut seen: Vec<InstId> = Vec::new();
        while let Some(value) = pending.pop() {
            if seen.contains(&value) {
                continue;
            }
            seen.push(value);
            if seen.len() > LARGEST_VALUE {
                return false;
            }
            match ir.inst(value) {
                Inst::Param(_)
                | Inst::RestParam(_)
                | Inst::Rest(_)
                | Inst::Arguments
                | Inst::This
                | Inst::Caught
                | Inst::Await(_)
                | Inst::Yield(_)
                | Inst::Closure(_)
                | Inst::Opaque => return false,
                Inst::Object => {
                    let end = ir.function(self.graph.function_at(at).function).end;
                    pending.extend(FileIr::range(value, end).filter_map(|id| match ir.inst(id) {
                        Inst::Set { object, value: held, .. }
                        | Inst::CopyProps { object, value: held }
                            if object == value =>
                        {
                            Some(held)
                        }
                        _ => None,
                    }));
                }
                Inst::LoadVar(var) => {
                    let variable = ir.variable(var);
                    let is_of_module =
                        variable.owner == FunctionId::new(0) || variable.kind == VarKind::Import;
                    match self.graph.always(at.file, var) {
                        _ if is_of_module => {}
                        Some(init) => pending.push(init),
                        None => return false,
                    }
                }
                _ => ir.inst(value).for_each_operand(ir, &mut |it| pending.push(it)),
            }
        }
        true
    }
}
