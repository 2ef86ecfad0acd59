//! What the text of a file says of its variables and literals.

use headstart_ir::{FileIr, FunctionId, Inst, InstId, Key, PropKey, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is stored in the variables and literals of a file.
#[derive(Debug, Default)]
pub(crate) struct Stores {
    /// The values of variables that are assigned more than once.
    pub(crate) several: FxHashMap<VarId, Vec<InstId>>,
    /// The variable that always holds what an instruction makes.
    pub(crate) named: FxHashMap<InstId, VarId>,
    /// What object and array literals are made with, where the text says all of it.
    literals: FxHashMap<InstId, Vec<(Option<PropKey>, InstId)>>,
    /// What is put into object literals after they are made, by who has them in a variable.
    later: FxHashMap<InstId, Vec<(Option<PropKey>, InstId)>>,
    /// The literals, and lists that calls make, that may get into other hands before the function that makes them
    /// returns.
    shared: FxHashSet<InstId>,
    /// Those that methods are called on which may give them to somebody else.
    exposed: FxHashSet<InstId>,
    /// The literals that stand in another.
    within: FxHashMap<InstId, InstId>,
    /// Those that another literal holds, by whatever name.
    held: FxHashSet<InstId>,
    /// Those that are more than an argument, or a part of one that is written there.
    reached: FxHashSet<InstId>,
    /// The first instruction that gives one away, by whichever of these ways.
    given: FxHashMap<InstId, InstId>,
    /// Those that are put into others of the same function, and which: who gives those away gives them away, too.
    put_into: FxHashMap<InstId, Vec<InstId>>,
}

/// Methods of arrays that give the array itself to nobody.
const KEEPING: [&str; 14] = [
    "at",
    "concat",
    "entries",
    "includes",
    "indexOf",
    "join",
    "keys",
    "lastIndexOf",
    "pop",
    "push",
    "shift",
    "slice",
    "splice",
    "unshift",
];

/// Methods of sets and maps that give the collection itself to nobody but who uses what they give.
const KEEPING_COLLECTION: [&str; 9] =
    ["add", "clear", "delete", "entries", "get", "has", "keys", "set", "values"];

/// Those of them that give the collection itself.
const GIVING_ITSELF: [&str; 2] = ["add", "set"];

/// Methods of lists that put what they are given into them.
const PUTTING: [&str; 2] = ["push", "unshift"];

/// Methods of lists, sets and maps that give nothing of what is in them.
const TAKING_NOTHING: [&str; 9] =
    ["add", "clear", "delete", "has", "includes", "indexOf", "push", "set", "unshift"];

/// How many others one may be put into, as far as is looked.
const MOST_HOLDERS: usize = 8;

/// What makes a collection with `new`.
const COLLECTIONS: [&str; 2] = ["Map", "Set"];

/// Methods of strings and arrays that make a list which is nobody else's.
const MAKING: [&str; 8] =
    ["concat", "filter", "flat", "flatMap", "map", "slice", "split", "toSorted"];

/// How deep literals stand in one another, as far as is looked.
const DEEPEST_LITERAL: u32 = 8;

impl Stores {
    pub(crate) fn of(ir: &FileIr) -> Self {
        let mut stores = Self::default();
        for (index, inst) in ir.insts.iter().enumerate() {
            stores.note(ir, InstId::new(index), *inst);
        }
        for (index, function) in ir.functions.iter().enumerate() {
            for id in FileIr::range(function.first, function.end) {
                stores.note_uses(ir, FunctionId::new(index), id);
            }
        }
        if !stores.put_into.is_empty() {
            stores.note_taken_out(ir);
        }
        stores
    }

    /// What is taken out of something is given away there, unless it is only asked for where another one is put in if
    /// there is none: `groups.get(name) ?? []`.
    fn note_taken_out(&mut self, ir: &FileIr) {
        let mut inner: FxHashMap<InstId, Vec<InstId>> = FxHashMap::default();
        for (&literal, holders) in &self.put_into {
            holders.iter().for_each(|it| inner.entry(*it).or_default().push(literal));
        }
        let mut taken: FxHashMap<InstId, InstId> = FxHashMap::default();
        for (index, &inst) in ir.insts.iter().enumerate() {
            let of = taken_from(ir, inst).and_then(|it| literal_behind(ir, it));
            if let Some(holder) = of.filter(|it| inner.contains_key(it)) {
                taken.insert(InstId::new(index), holder);
            }
        }
        let mut given: Vec<(InstId, InstId)> = Vec::new();
        for (index, &inst) in ir.insts.iter().enumerate() {
            let id = InstId::new(index);
            let is_one = match inst {
                Inst::Get { .. } => true,
                Inst::CallMethod { method, .. } => is_named(ir, method, &["at", "get"]),
                _ => false,
            };
            if let Some(&holder) = taken.get(&id).filter(|_| !is_one) {
                given.push((holder, id));
            }
            inst.for_each_operand(ir, &mut |operand| {
                let Some(&holder) = taken.get(&operand) else { return };
                let is_asked = match inst {
                    Inst::Conditional { .. } | Inst::Pure1(_) | Inst::Pure2(..) => true,
                    Inst::CallMethod { method, .. } => method == operand,
                    Inst::Select(one, other) => [one, other].into_iter().any(|it| {
                        let literal = literal_behind(ir, it);
                        literal.is_some_and(|it| inner[&holder].contains(&it))
                    }),
                    _ => false,
                };
                if !is_asked {
                    given.push((holder, operand));
                }
            });
        }
        for (holder, at) in given {
            inner[&holder].iter().for_each(|it| self.give(*it, at));
        }
    }

    fn note(&mut self, ir: &FileIr, id: InstId, inst: Inst) {
        match inst {
            Inst::StoreVar { var, value } if ir.variable(var).writes > 1 => {
                self.several.entry(var).or_default().push(value);
            }
            Inst::StoreVar { var, value } => {
                self.named.insert(value, var);
            }
            Inst::Object => {
                self.literals.insert(id, Vec::new());
            }
            Inst::Array(args) => {
                let args = ir.args(args);
                if !args.iter().any(|&it| matches!(ir.inst(it), Inst::Spread(_))) {
                    self.literals.insert(id, args.iter().map(|&it| (None, it)).collect());
                }
                self.within.extend(args.iter().map(|&it| (it, id)));
            }
            Inst::Set { object, key, value } if ir.inst(object) == Inst::Object => {
                self.within.insert(value, object);
                if let Some(held) = self.literals.get_mut(&object) {
                    held.push((Some(key), value));
                }
            }
            Inst::CopyProps { object, .. } | Inst::Accessor { object, .. } => {
                self.literals.remove(&object);
            }
            _ => {}
        }
    }

    /// Notes the literals that an instruction gives to somebody else.
    fn note_uses(&mut self, ir: &FileIr, function: FunctionId, id: InstId) {
        let inst = ir.inst(id);
        let is_array = |value: InstId| {
            let mut literals = literals_behind(ir, value).peekable();
            literals.peek().is_some() && literals.all(|it| ir.inst(it) != Inst::Object)
        };
        let (mut shared, mut held, mut put) = (Vec::new(), Vec::new(), Vec::new());
        inst.for_each_operand(ir, &mut |operand| {
            let is_written_here = match inst {
                Inst::Set { object, value, .. } => {
                    object == operand || (value == operand && ir.inst(object) == Inst::Object)
                }
                Inst::Array(_) | Inst::New { .. } => true,
                Inst::Call { callee, .. } => callee != operand,
                Inst::CallMethod { object, .. } => object != operand,
                _ => false,
            };
            if !is_written_here {
                self.reached.insert(operand);
            }
            let is_kept = match inst {
                Inst::Get { object, .. } | Inst::Delete { object, .. } => object == operand,
                Inst::Set { object, value, .. } => {
                    value != operand || ir.inst(object) == Inst::Object
                }
                Inst::CallMethod { object, .. } => object == operand && is_array(operand),
                Inst::StoreVar { var, .. } => {
                    ir.variable(var).writes == 1 && ir.variable(var).init == Some(id)
                }
                Inst::Array(_)
                | Inst::CopyProps { .. }
                | Inst::Accessor { .. }
                | Inst::Return(_)
                | Inst::Iterate(_)
                | Inst::Spread(_)
                | Inst::Rest(_)
                | Inst::EnumerateKeys(_)
                | Inst::Conditional { .. }
                | Inst::Select(..)
                | Inst::Pure1(_)
                | Inst::Pure2(..) => true,
                _ => false,
            };
            let is_held = match inst {
                Inst::Array(_) | Inst::Accessor { .. } => true,
                Inst::Set { value, .. } => value == operand,
                _ => false,
            };
            // `seen.add(name)` is the set.
            let collection = collection_given(ir, operand);
            let is_kept = is_kept && collection.is_none();
            let others = collection.is_none().then(|| literals_behind(ir, operand));
            let of = ir.function(function);
            let is_within = |it: InstId| of.first <= it && it < of.end;
            for literal in collection.into_iter().chain(others.into_iter().flatten()) {
                let is_here = is_within(literal);
                let holder =
                    holder_of(ir, inst, operand).filter(|&it| is_within(it) && it != literal);
                shared.extend((!is_kept || !is_here).then_some(literal));
                held.extend(is_held.then_some(literal));
                if !is_here {
                    // Nobody knows when a function that stands within runs.
                    self.given.insert(literal, literal);
                } else if let Some(holder) = holder {
                    put.push((literal, holder));
                } else if !is_kept || is_held {
                    self.give(literal, id);
                }
            }
        });
        for (literal, holder) in put {
            self.put_into.entry(literal).or_default().push(holder);
        }
        self.shared.extend(shared);
        self.held.extend(held);
        if let Inst::Set { object, key, value } = inst
            && let Some(literal) = literal_behind(ir, object).filter(|it| *it != object)
        {
            self.later.entry(literal).or_default().push((Some(key), value));
        }
        if let Inst::CallMethod { object, method, .. } = inst {
            for literal in literals_behind(ir, object) {
                if !keeps(ir, literal, method) {
                    self.exposed.insert(literal);
                    self.give(literal, id);
                }
            }
        }
    }

    fn give(&mut self, literal: InstId, at: InstId) {
        let first = self.given.entry(literal).or_insert(at);
        *first = at.min(*first);
    }

    /// What a literal is made with, where the text says all of it.
    pub(crate) fn literal(&self, at: InstId) -> Option<&[(Option<PropKey>, InstId)]> {
        self.literals.get(&at).map(Vec::as_slice)
    }

    /// What an object literal holds from its making on, as long as nobody else has it: what it is made with, and
    /// what the function that makes it puts there. Nothing where the text does not say all of it.
    pub(crate) fn own(
        &self,
        ir: &FileIr,
        at: InstId,
    ) -> Option<impl Iterator<Item = (Option<PropKey>, InstId)>> {
        let is_one = ir.inst(at) == Inst::Object && self.is_private(ir, at);
        let made = self.literals.get(&at).filter(|_| is_one)?;
        Some(made.iter().chain(self.later.get(&at).into_iter().flatten()).copied())
    }

    /// The same of a literal by itself, or of a list that a call makes if it is one of the language's own,
    /// where no method has given it to anybody either: it is nothing that was there before, and nothing else
    /// holds it.
    pub(crate) fn is_unseen(&self, ir: &FileIr, made: InstId) -> bool {
        makes_object(ir, made)
            && !self.exposed.contains(&made)
            && !self.within.contains_key(&made)
            && !self.shared.contains(&made)
    }

    /// Whether nothing but variables of its function holds what an instruction makes, until another one has run.
    pub(crate) fn is_unseen_until(&self, ir: &FileIr, made: InstId, at: InstId) -> bool {
        self.holders(made).is_some_and(|holders| {
            holders.iter().chain([&made]).all(|&it| self.is_ungiven_until(ir, it, at))
        })
    }

    /// What an instruction makes is put into, and what that is put into; none where that are very many.
    pub(crate) fn holders(&self, made: InstId) -> Option<Vec<InstId>> {
        let mut found: Vec<InstId> = Vec::new();
        let mut next = 0;
        let mut of = made;
        loop {
            let outer = self.put_into.get(&of).into_iter().flatten();
            found.extend(outer.filter(|&&it| it != made));
            found.dedup();
            if found.len() > MOST_HOLDERS {
                return None;
            }
            let Some(&more) = found.get(next) else { return Some(found) };
            (of, next) = (more, next + 1);
        }
    }

    fn is_ungiven_until(&self, ir: &FileIr, made: InstId, at: InstId) -> bool {
        // Where a turn of a loop gives it away, the next one is behind that.
        let is_behind = |given: InstId| {
            let mut loops = ir.loops_around(at).filter(|it| made < it.0 || it.1 <= made);
            given > at && loops.all(|it| given >= it.1)
        };
        makes_object(ir, made)
            && !self.within.contains_key(&made)
            && self.given.get(&made).is_none_or(|&given| is_behind(given))
    }

    /// Whether no other literal of its function holds what an instruction makes.
    pub(crate) fn is_by_itself(&self, made: InstId) -> bool {
        !self.held.contains(&made)
    }

    /// Whether a literal is an argument of a call, or a part of one that is, and the program has it nowhere else.
    pub(crate) fn is_only_handed(&self, ir: &FileIr, literal: InstId) -> bool {
        self.is_none_around(ir, literal, &self.reached)
    }

    /// Whether nobody else has a literal before the function that makes it has returned.
    pub(crate) fn is_private(&self, ir: &FileIr, literal: InstId) -> bool {
        self.is_none_around(ir, literal, &self.shared)
    }

    /// Whether neither a literal nor one that it stands in is one of some.
    fn is_none_around(&self, ir: &FileIr, literal: InstId, of: &FxHashSet<InstId>) -> bool {
        let mut at = literal;
        for _ in 0..DEEPEST_LITERAL {
            let is_literal = matches!(ir.inst(at), Inst::Object | Inst::Array(_));
            if !is_literal || of.contains(&at) {
                return false;
            }
            match self.within.get(&at) {
                Some(&outer) => at = outer,
                None => return true,
            }
        }
        false
    }
}

/// What an instruction takes something out of, if it does: an item, a property, all of them.
fn taken_from(ir: &FileIr, inst: Inst) -> Option<InstId> {
    match inst {
        Inst::Get { object, .. } => Some(object),
        Inst::CallMethod { object, method, .. } if !is_named(ir, method, &TAKING_NOTHING) => {
            Some(object)
        }
        Inst::Iterate(of) | Inst::Spread(of) | Inst::Rest(of) => Some(of),
        Inst::CopyProps { value, .. } => Some(value),
        _ => None,
    }
}

/// What a value is put into, where that is an own list, set, map or object of a function.
fn holder_of(ir: &FileIr, inst: Inst, value: InstId) -> Option<InstId> {
    let holder = match inst {
        Inst::Set { object, value: put, .. } if put == value && object != value => object,
        Inst::CallMethod { object, method, args }
            if object != value && ir.args(args).contains(&value) =>
        {
            let made = literal_behind(ir, object)?;
            let names: &[&str] = if makes_collection(ir, made) { &GIVING_ITSELF } else { &PUTTING };
            let is_list = ir.inst(made) != Inst::Object;
            return (is_list && is_named(ir, method, names)).then_some(made);
        }
        _ => return None,
    };
    // What stands in a literal from the beginning is told apart (`within`).
    (ir.inst(holder) != Inst::Object).then(|| literal_behind(ir, holder))?
}

/// The literals that a value may be, each of which is one for certain where it is: `groups.get(name) ?? []`.
fn literals_behind(ir: &FileIr, value: InstId) -> impl Iterator<Item = InstId> {
    let values = match first_value(ir, value).map(|it| (it, ir.inst(it))) {
        Some((_, Inst::Select(one, other))) => [literal_behind(ir, one), literal_behind(ir, other)],
        Some((value, _)) => [makes_object(ir, value).then_some(value), None],
        None => [None, None],
    };
    values.into_iter().flatten()
}

/// The literal, or what is written like a call that makes a list, that a value always is.
fn literal_behind(ir: &FileIr, value: InstId) -> Option<InstId> {
    first_value(ir, value).filter(|&it| makes_object(ir, it))
}

/// What a variable holds at first, or the variable that it is: `const one = []; const other = one`.
fn first_value(ir: &FileIr, mut value: InstId) -> Option<InstId> {
    // Two that are each other's first value hold nothing.
    for _ in 0..=ir.variables.len() {
        let Inst::LoadVar(var) = ir.inst(value) else { break };
        value = ir.initial_value(var)?;
    }
    Some(value)
}

/// The set or map that a call gives which puts something into it.
fn collection_given(ir: &FileIr, call: InstId) -> Option<InstId> {
    let Inst::CallMethod { object, method, .. } = ir.inst(call) else { return None };
    let made = literal_behind(ir, object)?;
    let is_one = makes_collection(ir, made) && is_named(ir, method, &GIVING_ITSELF);
    is_one.then_some(made)
}

/// Whether a method of what an instruction makes gives that to nobody.
fn keeps(ir: &FileIr, made: InstId, method: InstId) -> bool {
    let names: &[&str] = if makes_collection(ir, made) { &KEEPING_COLLECTION } else { &KEEPING };
    is_named(ir, method, names)
}

/// `new Map()`, `new Set(names)`
fn makes_collection(ir: &FileIr, made: InstId) -> bool {
    ir.is_new_of(made, &COLLECTIONS)
}

/// Whether an instruction is a literal, or written like a call that makes a list, or makes a collection.
fn makes_object(ir: &FileIr, made: InstId) -> bool {
    match ir.inst(made) {
        Inst::Object | Inst::Array(_) => true,
        Inst::New { .. } => makes_collection(ir, made),
        Inst::CallMethod { method, .. } => is_named(ir, method, &MAKING),
        _ => false,
    }
}

/// Whether a method has one of these names.
fn is_named(ir: &FileIr, method: InstId, names: &[&str]) -> bool {
    let Inst::Get { key, .. } = ir.inst(method) else { return false };
    matches!(key.get(), Key::Name(name) if names.contains(&ir.name(name)))
}
