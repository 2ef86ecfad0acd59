//! What fills a cache: a function looks for something, gives it back where it finds it, and else works it out and
//! keeps it for who comes next.
//!
//! `const hit = users.get(id); if (hit) return hit; const user = await load(id); users.set(id, user); return user`
//!
//! Whoever comes first fills it, and whoever comes later finds it there; if two come at once, both work it out and
//! the later one keeps what the first has kept. That this is the same is not proved: what rests on it says so.

use headstart_callgraph::InstRef;
use headstart_ir::{
    FileIr, Function, FunctionId, Inst, InstId, Key, Literal, NameId, PropKey, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Summaries;
use super::connecting::notes_connection;

/// Through how many values a look is followed.
const LONGEST_TRACE: usize = 48;
/// Where more places of a function look for the same, the others are not taken for looks.
const MOST_LOOKS: usize = 16;

/// Conditions further up are not looked at.
const MOST_CONDITIONS: usize = 64;

/// How the names of methods and functions begin that look for something which may have been kept.
const LOOKS: [&str; 9] =
    ["get", "has", "read", "load", "peek", "lookup", "retrieve", "match", "exists"];
/// How those begin that keep something.
const KEEPS: [&str; 6] = ["set", "put", "write", "save", "store", "keep"];
/// What may stand behind either, and says how, not what.
const WAYS: [&str; 6] = ["async", "sync", "ex", "px", "nx", "with"];

/// The instructions of a file that fill a cache, each with how.
#[derive(Debug, Default)]
pub(super) struct Fills {
    fills: FxHashMap<InstId, Filling>,
    /// Where the caches are asked that are filled then.
    looks: FxHashSet<InstId>,
}

/// How a cache is filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filling {
    /// By the first: what it works out is kept before anyone else can look, and all others wait for that.
    Once,
    /// By all who come while the first still works it out, each entry by those who ask for it.
    ByKey,
    /// By all who come while the first still works it out, and there is one entry.
    ByAll,
    /// It is no cache: something is connected or set up, or that this is so is noted.
    Notes,
    /// It is no cache: a list is sorted in its place, which changes nothing where that has been done.
    Sorts,
    /// It is no cache: something is added to a set that is only gone through as a whole.
    Collects,
}

/// What is looked for, and where that is kept.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kept {
    /// A variable of a function around.
    Variable(VarId),
    /// A property.
    Property(NameId),
    /// A property whose name is worked out.
    Element,
    /// What methods or functions of a name give and take: the name without `get` and `set`, in small letters.
    Behind(String),
}

/// A store that may fill a cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Store {
    pub(super) at: InstId,
    /// Where its function, or a function around it, has got to by then.
    pub(super) behind: InstId,
}

impl Fills {
    pub(super) fn of(ir: &FileIr) -> Self {
        let mut found = Self::default();
        let inner = stores_around(ir);
        for index in 0..ir.functions.len() {
            let data = Looks::of(ir, FunctionId::new(index), &inner);
            if data.is_guarded {
                data.fills(&mut found);
            }
        }
        found.take_back(ir);
        found.note_connections(ir);
        found.note_sorting(ir);
        let set_up = super::initialising::initialising(ir);
        found.fills.extend(set_up.map(|it| (it, Filling::Notes)));
        let additions = super::collecting::additions(ir).into_iter();
        found.fills.extend(additions.map(|it| (it, Filling::Collects)));
        found
    }

    /// A list that all who use it sort in its place first is the same for all of them (ECMA-262, 23.1.3.30: the order
    /// of what compares equal stays).
    fn note_sorting(&mut self, ir: &FileIr) {
        let all = (0..ir.insts.len()).map(InstId::new);
        let sorts = all.filter(|&it| {
            matches!(ir.inst(it), Inst::CallMethod { args, .. } if ir.args(args).len() <= 1)
                && super::readers::callee_name(ir, it) == Some("sort")
        });
        self.fills.extend(sorts.map(|it| (it, Filling::Sorts)));
    }

    /// What notes that something is connected makes no difference to who finds that out for itself.
    fn note_connections(&mut self, ir: &FileIr) {
        let all = (0..ir.insts.len()).map(InstId::new);
        let notes = all.filter(|&it| notes_connection(ir, it));
        self.fills.extend(notes.map(|it| (it, Filling::Notes)));
    }

    /// How an instruction fills a cache, if it does.
    pub(super) fn get(&self, at: InstId) -> Option<Filling> {
        self.fills.get(&at).copied()
    }

    /// Whether an instruction asks a cache which is filled where nothing is found.
    pub(super) fn is_look(&self, at: InstId) -> bool {
        self.looks.contains(&at)
    }

    /// Where a function that stands in one which fills a cache empties that again, the next one fills it again:
    /// `pending = load().finally(() => { pending = null })`, `pages.set(name, load().catch(() => pages.delete(name)))`.
    fn take_back(&mut self, ir: &FileIr) {
        let mut filling: FxHashMap<VarId, Vec<FunctionId>> = FxHashMap::default();
        for (index, function) in ir.functions.iter().enumerate() {
            for id in FileIr::range(function.first, function.end) {
                if let (Some(var), true) = (kept_in(ir, id), self.fills.contains_key(&id)) {
                    filling.entry(var).or_default().push(FunctionId::new(index));
                }
            }
        }
        if filling.is_empty() {
            return;
        }
        for function in &ir.functions {
            for id in FileIr::range(function.first, function.end) {
                if let Some(of) = emptied(ir, id).and_then(|it| filling.get(&it))
                    && around(ir, function).any(|it| of.contains(&it))
                {
                    self.fills.insert(id, Filling::Once);
                }
            }
        }
    }
}

impl Summaries<'_> {
    /// How an instruction fills a cache, if it does.
    #[must_use]
    pub fn filling(&self, at: InstRef) -> Option<Filling> {
        self.fills.get(at.file as usize)?.get(at.inst)
    }

    /// Whether an instruction fills a cache: what it keeps, the function has looked for first.
    pub(crate) fn is_fill(&self, at: InstRef) -> bool {
        self.filling(at).is_some()
    }

    /// Whether some instructions of a file ask a cache that is filled where nothing is found.
    #[must_use]
    pub fn asks_cache(&self, file: u32, first: InstId, end: InstId) -> bool {
        let fills = self.fills.get(file as usize);
        fills.is_some_and(|fills| FileIr::range(first, end).any(|it| fills.is_look(it)))
    }
}

/// What functions keep in variables around them, by the function that makes them:
/// `load().then((it) => { kept = it })`.
type StoresAround = FxHashMap<FunctionId, Vec<(Kept, Store)>>;

fn stores_around(ir: &FileIr) -> StoresAround {
    let mut found = StoresAround::default();
    for (index, function) in ir.functions.iter().enumerate() {
        let Some(parent) = function.parent else { continue };
        let own = [parent, FunctionId::new(index)];
        for at in FileIr::range(function.first, function.end) {
            if let Inst::StoreVar { var, .. } = ir.inst(at)
                && !own.contains(&ir.variable(var).owner)
            {
                let store = Store { at, behind: function.created };
                found.entry(parent).or_default().push((Kept::Variable(var), store));
            }
        }
    }
    found
}

/// The variable that an instruction keeps something in, or in what it holds.
fn kept_in(ir: &FileIr, store: InstId) -> Option<VarId> {
    match ir.inst(store) {
        Inst::StoreVar { var, .. } => Some(var),
        Inst::Set { object, .. } | Inst::CallMethod { object, .. } => match ir.inst(object) {
            Inst::LoadVar(var) => Some(var),
            _ => None,
        },
        _ => None,
    }
}

/// The variable that an instruction empties, or takes an entry from.
fn emptied(ir: &FileIr, at: InstId) -> Option<VarId> {
    let is_delete =
        || super::readers::callee_name(ir, at).is_some_and(|it| matches!(it, "delete" | "del"));
    match ir.inst(at) {
        Inst::StoreVar { var, value } => is_empty(ir, value).then_some(var),
        Inst::CallMethod { .. } if is_delete() => kept_in(ir, at),
        Inst::Delete { object, .. } => match ir.inst(object) {
            Inst::LoadVar(var) => Some(var),
            _ => None,
        },
        _ => None,
    }
}

/// The functions around one.
fn around<'f>(ir: &'f FileIr, function: &Function) -> impl Iterator<Item = FunctionId> + 'f {
    std::iter::successors(function.parent, |&it| ir.function(it).parent)
}

/// Whether a value says that there is none.
pub(super) fn is_empty(ir: &FileIr, value: InstId) -> bool {
    match ir.inst(value) {
        Inst::Literal(it) => matches!(it, Literal::Undefined | Literal::Null),
        Inst::LoadGlobal(name) => ir.name(name) == "undefined",
        _ => false,
    }
}

/// Where a function looks for something, and what it does with that.
pub(super) struct Looks<'f> {
    pub(super) ir: &'f FileIr,
    pub(super) id: FunctionId,
    function: &'f Function,
    pub(super) looks: FxHashMap<Kept, Vec<InstId>>,
    pub(super) stores: Vec<(Kept, Store)>,
    /// What each variable of the file gets in the function, in order.
    assigned: FxHashMap<VarId, Vec<(InstId, InstId)>>,
    pub(super) conditions: Vec<(InstId, InstId, InstId)>,
    returned: Vec<(InstId, InstId)>,
    /// Whether it keeps something, and something depends on a condition.
    is_guarded: bool,
}

impl<'f> Looks<'f> {
    fn of(ir: &'f FileIr, id: FunctionId, inner: &StoresAround) -> Self {
        let function = ir.function(id);
        let mut found = Self {
            ir,
            id,
            function,
            looks: FxHashMap::default(),
            stores: Vec::new(),
            assigned: FxHashMap::default(),
            conditions: Vec::new(),
            returned: Vec::new(),
            is_guarded: false,
        };
        let all = || FileIr::range(function.first, function.end);
        found.is_guarded = all().any(|id| matches!(ir.inst(id), Inst::Conditional { .. }));
        if found.is_guarded {
            all().for_each(|id| found.note_store(id));
            found.stores.extend(inner.get(&id).into_iter().flatten().cloned());
            found.looks = found.stores.iter().map(|it| (it.0.clone(), Vec::new())).collect();
            found.is_guarded = !found.stores.is_empty();
        }
        if found.is_guarded {
            all().for_each(|id| found.note(id));
        }
        found
    }

    /// Notes what may be kept for later.
    fn note_store(&mut self, at: InstId) {
        let ir = self.ir;
        let kept = match ir.inst(at) {
            Inst::StoreVar { var, .. } if self.is_around(var) => Some(Kept::Variable(var)),
            Inst::Set { object, key, .. } if ir.inst(object) != Inst::Object => {
                Some(Kept::of_key(key))
            }
            Inst::Call { .. } | Inst::CallMethod { .. } => super::readers::callee_name(ir, at)
                .and_then(|name| what_of(name, &KEEPS))
                .map(Kept::Behind),
            _ => None,
        };
        self.stores.extend(kept.map(|it| (it, Store { at, behind: at })));
    }

    /// Notes what else a function does that keeps something.
    fn note(&mut self, id: InstId) {
        let ir = self.ir;
        match ir.inst(id) {
            Inst::Conditional { test, end } => self.conditions.push((id, test, end)),
            Inst::Return(value) => self.returned.push((id, value)),
            Inst::StoreVar { var, value } => {
                self.assigned.entry(var).or_default().push((id, value));
            }
            Inst::LoadVar(var) if self.is_around(var) => self.look(&Kept::Variable(var), id),
            Inst::Get { key, .. } => self.look(&Kept::of_key(key), id),
            Inst::Has { .. } => self.look(&Kept::Element, id),
            Inst::Call { .. } | Inst::CallMethod { .. } => {
                let name = super::readers::callee_name(ir, id);
                if let Some(what) = name.and_then(|name| what_of(name, &LOOKS)) {
                    self.look(&Kept::Behind(what), id);
                }
            }
            _ => {}
        }
    }

    /// Whether a variable is one of a function around, which others see.
    fn is_around(&self, var: VarId) -> bool {
        self.ir.variable(var).owner != self.id
    }

    /// Notes where something is looked for that is kept.
    fn look(&mut self, kept: &Kept, at: InstId) {
        if let Some(looks) = self.looks.get_mut(kept).filter(|it| it.len() < MOST_LOOKS) {
            looks.push(at);
        }
    }

    /// Adds the stores of the function that fill a cache.
    fn fills(&self, found: &mut Fills) {
        let mut guards = FxHashSet::default();
        let mut others = Vec::new();
        for (kept, store) in &self.stores {
            match self.guard_of_fill(kept, *store) {
                Some(guard) => {
                    guards.insert(guard);
                    self.add(found, kept, *store);
                }
                None => others.push((kept, *store)),
            }
        }
        for (kept, store) in others.iter().filter(|it| notes_connection(self.ir, it.1.at)) {
            found.fills.extend(self.connecting_behind(kept, *store));
        }
        // What is looked at with it, and set with it: until when it holds.
        for (kept, store) in others.into_iter().filter(|_| !guards.is_empty()) {
            if self.is_kept_with(kept, store, &guards) {
                self.add(found, kept, store);
            }
        }
    }

    fn add(&self, found: &mut Fills, kept: &Kept, store: Store) {
        let filling = self.filling(kept, store);
        found.fills.insert(store.at, filling);
        let connecting = self.connecting(store).filter(|_| filling == Filling::Once);
        found.fills.extend(connecting.map(|it| (it, Filling::Notes)));
        let looks = self.looks.get(kept).into_iter().flatten();
        found.looks.extend(looks.filter(|&&it| it < store.behind));
    }

    /// Whether a store is of what the guard of a cache looks at, too, and is worked out anew.
    fn is_kept_with(&self, kept: &Kept, store: Store, guards: &FxHashSet<InstId>) -> bool {
        let looks = self.looks_of(kept, store);
        let of_guards = self.conditions.iter().filter(|it| guards.contains(&it.0));
        let is_again = |it: &InstId| self.rests_on(*it, At::Before(store.behind), &looks);
        !looks.is_empty()
            && !self.values(store.at).iter().any(is_again)
            && of_guards.filter(|it| it.0 < store.behind).any(|&(at, test, _)| {
                looks.iter().any(|&it| it < at) && self.rests_on(test, At::Before(at), &looks)
            })
    }

    /// Where the function looks for what a store keeps.
    pub(super) fn looks_of(&self, kept: &Kept, store: Store) -> Vec<InstId> {
        let looks = self.looks.get(kept).into_iter().flatten().copied();
        looks.filter(|&it| self.is_of_same(it, store.at)).collect()
    }

    /// The condition that guards a store, if that fills a cache.
    fn guard_of_fill(&self, kept: &Kept, store: Store) -> Option<InstId> {
        let looks = self.looks_of(kept, store);
        if looks.is_empty() {
            return None;
        }
        let values = self.values(store.at);
        let beside = self.looks_beside(kept, store);
        let is_again =
            values.iter().any(|&it| self.rests_on(it, At::Before(store.behind), &beside));
        let is_cache = !is_again
            && values.iter().any(|&it| self.is_worked_out(it, store))
            && values.iter().all(|&it| self.is_the_same(it, store))
            && !self.is_taken_as_list(store.at)
            && !self.has_placeholder(kept, store)
            && self.returned.iter().any(|it| self.rests_on(it.1, At::Any, &looks));
        self.guard_of(store, &looks).filter(|_| is_cache)
    }

    /// The condition that lets a store be reached only where nothing has been found.
    fn guard_of(&self, store: Store, looks: &[InstId]) -> Option<InstId> {
        let before = self.conditions.partition_point(|it| it.0 < store.behind);
        let nearest = self.conditions[..before].iter().rev().take(MOST_CONDITIONS);
        let guards = |&&(at, test, end): &&(InstId, InstId, InstId)| {
            (end > store.behind || self.leaves((at, end), looks))
                && looks.iter().any(|&it| it < at)
                && self.rests_on(test, At::Before(at), looks)
        };
        nearest.into_iter().find(guards).map(|it| it.0)
    }

    /// How a store fills its cache.
    pub(super) fn filling(&self, kept: &Kept, store: Store) -> Filling {
        let looks = self.looks_of(kept, store).into_iter();
        let last = looks.filter(|&it| it < store.behind).max();
        let waits = |it: InstId| self.ir.inst(it).is_suspend_point();
        match (last, kept) {
            (Some(last), _)
                if store.at == store.behind && !FileIr::range(last, store.at).any(waits) =>
            {
                Filling::Once
            }
            (_, Kept::Variable(_) | Kept::Property(_)) => Filling::ByAll,
            _ => Filling::ByKey,
        }
    }

    /// Whether a function is left within a condition with what was looked for.
    fn leaves(&self, (at, end): (InstId, InstId), looks: &[InstId]) -> bool {
        let is_within = |it: InstId| at < it && it < end;
        self.returned.iter().any(|it| is_within(it.0) && self.rests_on(it.1, At::Any, looks))
    }

    /// Whether a look is for what a store keeps.
    fn is_of_same(&self, look: InstId, store: InstId) -> bool {
        let ir = self.ir;
        match (ir.inst(look), ir.inst(store)) {
            (Inst::LoadVar(one), Inst::StoreVar { var: other, .. }) => one == other,
            (Inst::Get { object: one, key }, Inst::Set { object: other, key: set, .. }) => {
                ir.are_alike(one, other) && ir.are_alike_keys(key, set)
            }
            // `name in pages`
            (Inst::Has { object: one, key }, Inst::Set { object: other, key: set, .. }) => {
                matches!(set.get(), Key::Computed(set) if ir.are_alike(key, set))
                    && ir.are_alike(one, other)
            }
            (
                Inst::CallMethod { object: one, args, .. },
                Inst::CallMethod { object: other, args: set, .. },
            ) => {
                let (asked, kept) = (ir.args(args), ir.args(set));
                ir.are_alike(one, other) && self.is_same_entry(asked, kept)
            }
            (Inst::Call { args, .. }, Inst::Call { args: set, .. }) => {
                self.is_same_entry(ir.args(args), ir.args(set))
            }
            _ => false,
        }
    }

    /// Whether what is asked for is what is kept: by the same name, or both without one.
    fn is_same_entry(&self, asked: &[InstId], kept: &[InstId]) -> bool {
        match (asked, kept) {
            ([], [_]) => true,
            ([asked, ..], [name, _, ..]) => self.ir.are_alike(*asked, *name),
            _ => false,
        }
    }

    /// What a store keeps.
    pub(super) fn values(&self, store: InstId) -> Vec<InstId> {
        match self.ir.inst(store) {
            Inst::StoreVar { value, .. } | Inst::Set { value, .. } => vec![value],
            Inst::Call { args, .. } | Inst::CallMethod { args, .. } => match self.ir.args(args) {
                [_, values @ ..] if !values.is_empty() => values.to_vec(),
                only => only.to_vec(),
            },
            _ => Vec::new(),
        }
    }

    /// Whether a value is what a call gives, or is made of that. What a function keeps that is called with the result
    /// is that.
    pub(super) fn is_worked_out(&self, value: InstId, store: Store) -> bool {
        let is_call = |it: InstId| {
            matches!(
                self.ir.inst(it),
                Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } | Inst::Await(_)
            )
        };
        let is_given = store.at != store.behind && !matches!(self.ir.inst(value), Inst::Literal(_));
        is_given || self.reaches(value, At::Before(store.behind), &is_call)
    }

    pub(super) fn rests_on(&self, value: InstId, at: At, looks: &[InstId]) -> bool {
        self.reaches(value, at, &|it| looks.contains(&it))
    }

    /// Whether a value is made of one that something holds of.
    pub(super) fn reaches(&self, value: InstId, at: At, is_it: &dyn Fn(InstId) -> bool) -> bool {
        let ir = self.ir;
        let mut pending = vec![value];
        let mut seen: Vec<InstId> = Vec::new();
        while let Some(value) = pending.pop() {
            if is_it(value) {
                return true;
            }
            if seen.contains(&value) || seen.len() > LONGEST_TRACE {
                continue;
            }
            seen.push(value);
            match ir.inst(value) {
                Inst::LoadVar(var) => {
                    let assigned = self.assigned.get(&var).map(Vec::as_slice).unwrap_or_default();
                    match at {
                        At::Any => pending.extend(assigned.iter().map(|it| it.1)),
                        At::Before(at) => {
                            let of = assigned.iter().rfind(|it| it.0 < value.min(at));
                            pending.extend(of.map(|it| it.1));
                        }
                    }
                }
                Inst::Object => {
                    let end = self.function.end;
                    pending.extend(FileIr::range(value, end).filter_map(|id| match ir.inst(id) {
                        Inst::Set { object, value: held, .. } if object == value => Some(held),
                        _ => None,
                    }));
                }
                it => it.for_each_operand(ir, &mut |it| pending.push(it)),
            }
        }
        false
    }
}

/// Which assignments of a variable count.
#[derive(Clone, Copy)]
pub(super) enum At {
    /// All of the function.
    Any,
    /// The last one before an instruction.
    Before(InstId),
}

impl Kept {
    fn of_key(key: PropKey) -> Self {
        match key.get() {
            Key::Name(name) | Key::Private(name) => Self::Property(name),
            Key::Computed(_) => Self::Element,
        }
    }
}

/// What a name says is looked for or kept, where it begins with one of some verbs: `cache` of `readCache`,
/// nothing of `get` and of `setex`.
fn what_of(name: &str, verbs: &[&str]) -> Option<String> {
    let verb = verbs.iter().find(|it| name.starts_with(**it))?;
    let rest = &name[verb.len()..];
    // `settle` and `getaway` are other words.
    let is_word =
        rest.is_empty() || rest.starts_with(|it: char| it.is_ascii_uppercase() || it == '_');
    let rest = rest.trim_start_matches('_').to_ascii_lowercase();
    let what = WAYS.iter().find_map(|way| rest.strip_suffix(way)).unwrap_or(&rest);
    (is_word || WAYS.contains(&rest.as_str())).then(|| what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_told_by_names() {
        let of = |name: &str, verbs: &[&str]| what_of(name, verbs);
        assert_eq!(of("get", &LOOKS).as_deref(), Some(""));
        assert_eq!(of("setex", &KEEPS).as_deref(), Some(""));
        assert_eq!(of("setEx", &KEEPS).as_deref(), Some(""));
        assert_eq!(of("readCache", &LOOKS), of("writeCache", &KEEPS));
        assert_eq!(of("getItemAsync", &LOOKS), of("setItem", &KEEPS));
        assert_eq!(of("settle", &KEEPS), None);
        assert_eq!(of("hasOwn", &LOOKS).as_deref(), Some("own"));
        assert_eq!(of("find", &LOOKS), None);
    }
}
