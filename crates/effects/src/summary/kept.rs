//! What is kept where, and is no cache: it is another thing each time, depends on more than its name, is gone over or
//! counted, or is a mark that somebody works it out.

use headstart_ir::{Inst, InstId, Key, VarId, VarKind};

use super::fills::{At, Kept, Looks, Store};

/// What is asked of something to go over all of it, or to count it.
const AS_LIST: [&str; 6] = ["entries", "forEach", "keys", "length", "size", "values"];

/// What gives something else each time.
const BY_CHANCE: [&str; 6] = ["nanoid", "random", "randomBytes", "randomInt", "randomUUID", "uuid"];

impl Looks<'_> {
    /// Where the function looks for what is kept in the same place, under whatever name.
    pub(super) fn looks_beside(&self, kept: &Kept, store: Store) -> Vec<InstId> {
        let ir = self.ir;
        let looks = self.looks.get(kept).into_iter().flatten().copied();
        let holder = |at: InstId| match ir.inst(at) {
            Inst::Set { object, .. }
            | Inst::Get { object, .. }
            | Inst::Has { object, .. }
            | Inst::CallMethod { object, .. } => Some(object),
            _ => None,
        };
        let of_store = holder(store.at);
        let is_beside = |&it: &InstId| match (holder(it), of_store) {
            (Some(one), Some(other)) => ir.are_alike(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        looks.filter(is_beside).collect()
    }

    /// Whether what is kept is the same whoever works it out: by chance it is not, and where nothing that the function
    /// is given is in the name under which it is kept, it does not depend on that.
    pub(super) fn is_the_same(&self, value: InstId, store: Store) -> bool {
        let ir = self.ir;
        let at = At::Before(store.behind);
        let by_chance = |it: InstId| {
            super::readers::callee_name(ir, it).is_some_and(|it| BY_CHANCE.contains(&it))
        };
        let is_given = |it: InstId| match ir.inst(it) {
            Inst::Param(_) | Inst::RestParam(_) | Inst::Arguments => true,
            Inst::LoadVar(var) => self.is_parameter(var),
            _ => false,
        };
        let name = match ir.inst(store.at) {
            Inst::Set { key, .. } => match key.get() {
                Key::Computed(key) => Some(key),
                Key::Name(_) | Key::Private(_) => None,
            },
            Inst::Call { args, .. } | Inst::CallMethod { args, .. } => match ir.args(args) {
                [name, _, ..] => Some(*name),
                _ => None,
            },
            _ => None,
        };
        let is_told = name.is_some_and(|it| self.reaches(it, at, &is_given));
        !self.reaches(value, at, &by_chance) && (is_told || !self.reaches(value, at, &is_given))
    }

    /// Whether a variable is a parameter of the function itself: one of a function around is given to all alike.
    fn is_parameter(&self, var: VarId) -> bool {
        let variable = self.ir.variable(var);
        variable.owner == self.id && variable.kind == VarKind::Param
    }

    /// Whether something in the file goes over all that is kept, or counts it: then it counts in which order that came.
    pub(super) fn is_taken_as_list(&self, store: InstId) -> bool {
        let ir = self.ir;
        let (Inst::Set { object: held, .. } | Inst::CallMethod { object: held, .. }) =
            ir.inst(store)
        else {
            return false;
        };
        let is_it = |it: InstId| ir.are_alike(it, held);
        (0..ir.insts.len()).map(InstId::new).any(|id| match ir.inst(id) {
            Inst::Iterate(of) | Inst::Spread(of) | Inst::EnumerateKeys(of) => is_it(of),
            Inst::Get { object, key } => {
                matches!(key.get(), Key::Name(name) if AS_LIST.contains(&ir.name(name)))
                    && is_it(object)
            }
            Inst::CallMethod { object, args, .. } => {
                matches!(ir.inst(object), Inst::LoadGlobal(_))
                    && ir.args(args).iter().any(|&it| is_it(it))
            }
            Inst::New { args, .. } => ir.args(args).iter().any(|&it| is_it(it)),
            _ => false,
        })
    }

    /// Whether the same is kept twice, once as no more than a mark that somebody works it out.
    pub(super) fn has_placeholder(&self, kept: &Kept, store: Store) -> bool {
        let is_other = |it: &&(Kept, Store)| it.0 == *kept && it.1.at != store.at;
        self.stores.iter().filter(is_other).any(|(_, other)| {
            other.at == other.behind
                && self.is_same_place(other.at, store.at)
                && !self.values(other.at).iter().any(|&it| self.is_worked_out(it, *other))
        })
    }

    /// Whether two stores keep something in the same place.
    fn is_same_place(&self, one: InstId, other: InstId) -> bool {
        let ir = self.ir;
        match (ir.inst(one), ir.inst(other)) {
            (Inst::StoreVar { var: one, .. }, Inst::StoreVar { var: other, .. }) => one == other,
            (
                Inst::Set { object: one, key, .. },
                Inst::Set { object: other, key: of_other, .. },
            ) => ir.are_alike(one, other) && ir.are_alike_keys(key, of_other),
            (
                Inst::CallMethod { object: one, args, .. },
                Inst::CallMethod { object: other, args: of_other, .. },
            ) => {
                let (name, of_other) = (ir.args(args).first(), ir.args(of_other).first());
                ir.are_alike(one, other)
                    && name.zip(of_other).is_some_and(|(&a, &b)| ir.are_alike(a, b))
            }
            _ => false,
        }
    }
}
