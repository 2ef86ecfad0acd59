//! Whoever has started a function, and goes on beside it: `const p = load(); fs.writeFileSync("b.json", text); await
//! p`. What stands behind the call runs before anything that the function waits for is there, and in front of all
//! that it does then (the contract, S2 and S4).

use std::sync::Arc;

use headstart_callgraph::{AbstractObject, FunctionRef, InstRef};
use headstart_ir::{FileIr, FunctionId, FunctionKind, InstId};
use rustc_hash::FxHashSet;

use super::set_up::Used;
use super::{Effects, Step, Summaries};
use crate::facts::ProgramFacts;

/// How many functions that call one another are looked through; behind that, everybody may go on.
const MOST_CALLERS: usize = 256;

/// How many classes are followed that extend one another.
const MOST_PARENTS: usize = 16;

/// A function that is under way beside what runs in another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct UnderWay {
    function: FunctionRef,
    /// Whether it goes on when who has called it, and waits for that, goes on too: nobody waits for what has been
    /// started.
    is_left: bool,
}

/// What is asked of those who go on beside some code.
struct Meeting<'a, 'p> {
    /// The function that the code is a part of.
    function: FunctionRef,
    effects: &'a Effects,
    used: Used<'a, 'p>,
}

/// Who goes on beside some code, and meets it.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    /// Where.
    pub at: InstRef,
    /// Whether something is set up there that the code uses.
    pub sets_up: bool,
}

impl Beside {
    fn uses(at: InstRef) -> Self {
        Self { at, sets_up: false }
    }

    fn sets_up(at: InstRef) -> Self {
        Self { at, sets_up: true }
    }
}

impl Summaries<'_> {
    /// Where somebody who has started `function`, directly or through others, and does not wait for it at once does
    /// something that meets some effects of it: one of both writes what the other uses. So does who sets up what
    /// the instructions in `range` use.
    #[must_use]
    pub fn goes_on_beside(
        &self,
        function: FunctionRef,
        range: (InstId, InstId),
        effects: &Effects,
        facts: &ProgramFacts,
    ) -> Option<Beside> {
        let of = &Meeting { function, effects, used: Used::new(self, function, range) };
        let mut pending = vec![UnderWay { function, is_left: false }];
        let mut seen: FxHashSet<UnderWay> = pending.iter().copied().collect();
        while let Some(callee) = pending.pop() {
            if seen.len() > MOST_CALLERS {
                return Some(Beside::uses(self.first_of(callee.function)));
            }
            let mut next = Vec::new();
            for &at in self.callers(callee.function) {
                if let Some(place) = self.meets_behind(at, callee, of) {
                    return Some(place);
                }
                next.push(self.caller_under_way(at, callee));
            }
            // Behind a module that has been loaded others are: those that import it, and what they import behind it.
            let is_loaded = callee.is_left && callee.function.function == FunctionId::new(0);
            // What it uses of those that load it they have set up behind it.
            let sets_up = || {
                let is_in_cycle = facts.is_in_cycle(callee.function.file as usize);
                is_in_cycle.then(|| self.sets_up_behind(callee.function, of)).flatten()
            };
            let behind_it = || self.meets_loading(Some(callee.function), of).or_else(sets_up);
            // Nobody knows who calls what is given away, and what they do behind that.
            let is_given = || self.is_given_away(callee.function);
            let anywhere = || self.meets_loading(None, of);
            let place = self
                .meets_construction(callee.function, of)
                .or_else(|| is_loaded.then(behind_it).flatten())
                .or_else(|| is_given().then(anywhere).flatten());
            if place.is_some() {
                return place;
            }
            pending.extend(next.into_iter().filter(|it| seen.insert(*it)));
        }
        None
    }

    /// The caller of a function that is under way: that may be so still when the caller has ended.
    fn caller_under_way(&self, at: InstRef, callee: UnderWay) -> UnderWay {
        let caller = self.graph.function_at(at);
        let goes_on = self.behind(caller).calls.contains(&at.inst);
        let is_left = callee.is_left
            || (goes_on && !self.joins(caller).is_waited_for(at.inst))
            || !self.calls_right_away(at, callee.function);
        UnderWay { function: caller, is_left }
    }

    /// Where a caller does something that meets some effects while what it has called is under way.
    fn meets_behind(&self, at: InstRef, callee: UnderWay, of: &Meeting<'_, '_>) -> Option<Beside> {
        let caller = self.graph.function_at(at);
        let goes_on = self.behind(caller).calls.contains(&at.inst);
        if !goes_on && !callee.is_left {
            return None;
        }
        let ir = self.graph.files()[caller.file as usize];
        let end = ir.function(caller.function).end;
        let around = ir.loops_around(at.inst).map(|it| it.0).min().unwrap_or(at.inst);
        let joins = self.joins(caller);
        FileIr::range(around.min(at.inst), end).find_map(|inst| {
            // What reacts to the end of the call runs then.
            let is_beside = inst != at.inst
                && !joins.handlers(at.inst).contains(&inst)
                && (callee.is_left || joins.is_under_way(ir, at.inst, inst))
                && (inst > at.inst || ir.loops_around(at.inst).any(|it| it.0 <= inst));
            let steps = || self.steps(caller, inst, InstId::new(inst.index() + 1));
            let does =
                |it: &Arc<Step>| it.is_anything || self.meet(of.function, of.effects, &it.now);
            let place = InstRef { file: caller.file, inst };
            if !is_beside {
                None
            } else if steps().iter().any(does) {
                Some(Beside::uses(place))
            } else {
                of.used.is_set_up_at(place).then_some(Beside::sets_up(place))
            }
        })
    }

    /// Whether what a function does meets some effects.
    fn meets(&self, other: FunctionRef, of: &Meeting<'_, '_>) -> bool {
        let summary = self.of(other);
        self.meet(of.function, of.effects, &summary.before)
            || self.meet(of.function, of.effects, &summary.after)
    }

    /// A module other than one that sets up, while it is loaded, something that is used.
    fn sets_up_behind(&self, but: FunctionRef, of: &Meeting<'_, '_>) -> Option<Beside> {
        let mut others = self.modules().filter(|it| *it != but);
        others.find_map(|it| of.used.set_up_by(it)).map(Beside::sets_up)
    }

    fn modules(&self) -> impl Iterator<Item = FunctionRef> + use<> {
        let count = u32::try_from(self.graph.files().len()).unwrap_or(u32::MAX);
        (0..count).map(|file| FunctionRef { file, function: FunctionId::new(0) })
    }

    /// A module whose loading meets some effects, but for one.
    fn meets_loading(&self, but: Option<FunctionRef>, of: &Meeting<'_, '_>) -> Option<Beside> {
        let mut others = self.modules().filter(|it| Some(*it) != but);
        others.find(|it| self.meets(*it, of)).map(|it| Beside::uses(self.first_of(it)))
    }

    /// What is run behind a part of a construction, and meets some effects: other initialisers, bodies of constructors,
    /// here or in a class that extends this one.
    fn meets_construction(&self, part: FunctionRef, of: &Meeting<'_, '_>) -> Option<Beside> {
        let is_part = |file: u32, function: FunctionId| {
            matches!(
                self.graph.files()[file as usize].function(function).kind,
                FunctionKind::Constructor | FunctionKind::FieldInit
            )
        };
        if !is_part(part.file, part.function) {
            return None;
        }
        let all = (0u32..).zip(self.graph.files());
        let parts = all.flat_map(|(file, ir)| {
            let functions = (0..ir.functions.len()).map(FunctionId::new);
            functions.map(move |function| FunctionRef { file, function })
        });
        let is_other = |it: &FunctionRef| *it != part && is_part(it.file, it.function);
        parts.filter(is_other).find_map(|it| {
            let meets = self.meets(it, of).then(|| Beside::uses(self.first_of(it)));
            let of_heir = || self.may_inherit(it, part).then(|| of.used.field_set_by(it)).flatten();
            meets.or_else(|| of.used.set_up_by(it).or_else(of_heir).map(Beside::sets_up))
        })
    }

    /// Whether the class that a function belongs to may be one that extends that of another.
    fn may_inherit(&self, heir: FunctionRef, of: FunctionRef) -> bool {
        let Some(goal) = self.graph.class_of(of) else { return false };
        let Some(mut class) = self.graph.class_of(heir) else { return true };
        for _ in 0..MOST_PARENTS {
            let ir = self.graph.files()[class.file as usize];
            let Some(parent) = ir.class(class.class).super_class else { return false };
            let objects = self.graph.objects(InstRef { file: class.file, inst: parent });
            match *objects {
                [AbstractObject::Class(it)] if it == goal => return true,
                [AbstractObject::Class(it)] => class = it,
                // It may be any of them, or what a function has made.
                _ => return true,
            }
        }
        true
    }

    fn first_of(&self, function: FunctionRef) -> InstRef {
        let ir = self.graph.files()[function.file as usize];
        InstRef { file: function.file, inst: ir.function(function.function).first }
    }
}
