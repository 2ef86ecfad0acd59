//! The same of what lies outside of the program: a row, a file or an entry is looked up, the function waits for the answer,
//! and then it is created since it was not there, or changed from what it was.

use headstart_effects::{Effects, Locations, SummaryLocation};
use headstart_ir::{FileIr, Inst, InstId, Key, Literal, NameId, VarId};
use rustc_hash::FxHashSet;

use super::slices::Slices;
use super::{Body, Depends, Race, called};
use crate::site::name_of;

/// Words of what one has for oneself, or may fill again.
const OWN: &[&str] = &[
    "cache", "cached", "config", "file", "json", "manifest", "memo", "package", "redis", "settings",
];

/// Through how many names a value is followed.
const MOST_NAMES: usize = 6;

/// The first words of the names of calls that look something up.
const READS: &[&str] = &[
    "check", "count", "exist", "exists", "fetch", "find", "first", "get", "has", "is", "load",
    "lookup", "read", "select", "stat",
];
/// Of those that put something there which was not.
const CREATES: &[&str] = &[
    "add", "append", "book", "create", "enqueue", "give", "insert", "put", "register", "save",
    "write",
];
/// And of those that change what is there.
const CHANGES: &[&str] = &[
    "decrement",
    "increment",
    "patch",
    "persist",
    "put",
    "replace",
    "save",
    "set",
    "update",
    "write",
];

impl Body<'_, '_> {
    /// The pair that a call which changes something outside is the end of.
    pub(super) fn race_outside(&self, write: InstId) -> Option<Race> {
        let ir = self.ir();
        let name = called(ir, write)?;
        let of = receiver(ir, write).map(|it| name_of(ir, it)).unwrap_or_default();
        // What fills a cache may be put there by all; the settings of one who works here are nobody else's.
        let is_own = |it: &String| OWN.contains(&it.as_str());
        if is_harmless_twice(name) {
            return None;
        }
        if words_of(name).iter().chain(&words_of(&of)).any(is_own) {
            return None;
        }
        let creates = begins_with(name, CREATES);
        let changes = begins_with(name, CHANGES);
        if !(creates || changes)
            || !self.is_waited_for(write)
            || !self.may_touch(write, |it| &it.writes)
        {
            return None;
        }
        let of = |read: InstId, depends| {
            let wait = self.wait_between(read, write)?;
            Some(Race { read, wait, write, depends })
        };
        if creates && let Some(read) = self.created_where_absent(write) {
            return of(read, Depends::Runs);
        }
        let updated = changes.then(|| self.updated_from(write)).flatten();
        updated.and_then(|(read, depends)| of(read, depends))
    }

    /// Whether somebody waits for what a call gives: it is no plain value.
    fn is_waited_for(&self, call: InstId) -> bool {
        let ir = self.ir();
        let function = ir.function(self.scope.function);
        FileIr::range(call, function.end).skip(1).any(|it| match ir.inst(it) {
            Inst::Await(value) => value == call,
            Inst::Return(value) => value == call && function.is_async,
            Inst::Array(args) => ir.args(args).contains(&call),
            _ => false,
        })
    }

    /// Whether a call may read, or write, something outside, as far as anybody knows.
    fn may_touch(&self, call: InstId, of: impl Fn(&Effects) -> &Locations) -> bool {
        let steps =
            self.scope.summaries.steps(self.scope.at(), call, InstId::new(call.index() + 1));
        let is_outside = |it: &SummaryLocation| it.place().is_none() && !it.is_log();
        let touches = |it: &Effects| of(it).iter().any(is_outside);
        steps.iter().any(|it| it.is_anything || it.effects().any(touches))
    }

    /// The lookup whose answer, that something is not there, has a call create it.
    fn created_where_absent(&self, write: InstId) -> Option<InstId> {
        let absent = self.slices.absent(write);
        let mut found = absent.into_iter().filter_map(|value| self.lookup(self.whole(value)));
        found.rfind(|read| self.is_about_same(*read, write))
    }

    /// What is asked whether it is there: of a list, whether anything is in it.
    fn whole(&self, value: InstId) -> InstId {
        let ir = self.ir();
        let Inst::Get { object, key } = ir.inst(value) else { return value };
        let is_part = match key.get() {
            Key::Name(name) => ir.name(name) == "length" || ir.name(name) == "size",
            Key::Computed(at) => matches!(ir.inst(at), Inst::Literal(Literal::Number(Some(0)))),
            Key::Private(_) => false,
        };
        if is_part { object } else { value }
    }

    /// The call whose answer a value is, or that it is taken from where it is taken apart.
    fn lookup(&self, value: InstId) -> Option<InstId> {
        let ir = self.ir();
        let mut value = value;
        for _ in 0..MOST_NAMES {
            value = match ir.inst(value) {
                Inst::Await(it) | Inst::Iterate(it) => it,
                Inst::LoadVar(var) => self.slices.stored(var, value)?,
                Inst::Call { .. } | Inst::CallMethod { .. } => {
                    let looks = |name: &str| match receiver(ir, value) {
                        // What is not called like a change is taken for a question to the same thing.
                        Some(_) => !begins_with(name, CREATES) && !begins_with(name, CHANGES),
                        None => begins_with(name, READS),
                    };
                    let is_lookup = called(ir, value).is_some_and(looks)
                        && (self.is_waited_for(value) || is_sync(ir, value))
                        && self.may_touch(value, |it| &it.reads);
                    return is_lookup.then_some(value);
                }
                _ => return None,
            };
        }
        None
    }

    /// Whether two calls are about the same thing: they are called on the same, are about the same by their names, and
    /// are handed the same, or the one what the other gave.
    fn is_about_same(&self, read: InstId, write: InstId) -> bool {
        let ir = self.ir();
        let on_given = |it| self.lookup(it) == Some(read);
        let (of_read, of_write) = (receiver(ir, read), receiver(ir, write));
        if of_write.is_some_and(on_given) {
            return true;
        }
        let name = |it| called(ir, it).map(nouns).unwrap_or_default();
        let (asked, changed) = (name(read), name(write));
        let shares = asked.iter().any(|it| changed.contains(it));
        let is_same = match (of_read, of_write) {
            (Some(a), Some(b)) => {
                ir.are_alike(a, b) && (shares || asked.is_empty() || changed.is_empty())
            }
            (None, None) => shares,
            _ => false,
        };
        let (given, put) = (self.given(read), self.given(write));
        let takes = || {
            let within = self.slices.written_in(&arguments(ir, write));
            within.into_iter().any(|it| matches!(ir.inst(it), Inst::LoadVar(_)) && on_given(it))
        };
        is_same && (!given.is_disjoint(&put) || takes())
    }

    /// The variables that a call is handed, at whatever depth.
    fn given(&self, call: InstId) -> FxHashSet<VarId> {
        let ir = self.ir();
        let within = self.slices.written_in(&arguments(ir, call));
        let load = |it: InstId| match ir.inst(it) {
            Inst::LoadVar(var) if !is_context(ir.name(ir.variable(var).name)) => Some(var),
            _ => None,
        };
        within.into_iter().filter_map(load).collect()
    }

    /// The lookup whose answer a call puts back changed, and whether the call runs by it or is handed it.
    fn updated_from(&self, write: InstId) -> Option<(InstId, Depends)> {
        let args = arguments(self.ir(), write);
        let put = self.put_by(write, &args);
        let changed = put.iter().find_map(|&(name, value)| self.changed_from(write, name, value));
        let of_value = changed.map(|it| (it, Depends::Value));
        // `if (row.state === …) …; await update({ state: … })`
        let tests = || self.slices.behind(&self.slices.controls(write));
        of_value.or_else(|| {
            let tests = tests();
            let mut fields = put.iter().filter(|it| !self.is_in_filter(&args, it.0));
            let found =
                fields.find_map(|&(name, value)| self.checked(write, &tests, (name, value)));
            found.map(|it| (it, Depends::Runs))
        })
    }

    /// The properties that a call puts somewhere, with their values: those of the literals that it is handed, and what has
    /// been given to an object that it is handed or called on: `row.count += 1; await row.save()`.
    fn put_by(&self, write: InstId, args: &[InstId]) -> Vec<(NameId, InstId)> {
        let ir = self.ir();
        let within = self.slices.written_in(args);
        let variable = |it: InstId| match ir.inst(it) {
            Inst::LoadVar(var) => Some(var),
            _ => None,
        };
        let handed = receiver(ir, write).into_iter().chain(args.iter().copied());
        let entities: FxHashSet<VarId> = handed.filter_map(variable).collect();
        let holds = |it: InstId| {
            within.contains(&it) && ir.inst(it) == Inst::Object
                || variable(it).is_some_and(|it| entities.contains(&it))
        };
        let all = FileIr::range(self.slices.first(), write);
        all.filter_map(|it| match ir.inst(it) {
            Inst::Set { object, key, value } if holds(object) => match key.get() {
                Key::Name(name) => Some((name, value)),
                Key::Private(_) | Key::Computed(_) => None,
            },
            _ => None,
        })
        .collect()
    }

    /// The lookup of whose answer a property is made, of the same property: `{ count: row.count + 1 }`.
    fn changed_from(&self, write: InstId, name: NameId, value: InstId) -> Option<InstId> {
        let made = self.slices.made_of(&[value]);
        let is_changed = made.iter().any(|&it| changes_value(self.ir(), it));
        is_changed.then(|| self.read_among(write, &made, name)).flatten().map(|it| it.1)
    }

    /// The lookup whose answer is asked for a property before a call puts another value there.
    fn checked(
        &self,
        write: InstId,
        tests: &[InstId],
        (name, value): (NameId, InstId),
    ) -> Option<InstId> {
        let (read, lookup) = self.read_among(write, tests, name)?;
        (!self.is_compared_with(read, value)).then_some(lookup)
    }

    /// Where some instructions read a property of the answer of a lookup that is about the same as a call, and the lookup.
    fn read_among(
        &self,
        write: InstId,
        among: &[InstId],
        name: NameId,
    ) -> Option<(InstId, InstId)> {
        let ir = self.ir();
        let reads = |&it: &InstId| match ir.inst(it) {
            Inst::Get { object, key } if key.get() == Key::Name(name) => Some((it, object)),
            _ => None,
        };
        let (read, object) = among.iter().find_map(reads)?;
        let lookup = self.lookup(object).filter(|it| self.is_about_same(*it, write))?;
        Some((read, lookup))
    }

    /// Whether what is handed to a call says of which it is by a property as well: `update({ id, state: "open" }, …)`,
    /// `update({ where: { id, state: "open" }, … })`; or by all that has been read.
    fn is_in_filter(&self, args: &[InstId], name: NameId) -> bool {
        let ir = self.ir();
        let filters: Vec<InstId> = match args {
            [first, _, ..] => vec![*first],
            [only] => self.slices.property_of(*only, &["where", "filter"]),
            [] => Vec::new(),
        };
        let within = self.slices.written_in(&filters);
        within.iter().any(|&it| match ir.inst(it) {
            Inst::Object => self.slices.sets(it, name),
            Inst::LoadVar(_) => self.lookup(it).is_some(),
            _ => false,
        })
    }

    /// Whether a value is compared with another one, which is then put in its place: only what differs is written.
    fn is_compared_with(&self, read: InstId, value: InstId) -> bool {
        let ir = self.ir();
        let all = FileIr::range(self.slices.first(), value);
        let mut operators = all.filter_map(|it| match ir.inst(it) {
            Inst::Pure2(left, right) | Inst::Operator { left, right, .. } => Some((left, right)),
            _ => None,
        });
        operators.any(|(left, right)| {
            (left == read && ir.are_alike(right, value))
                || (right == read && ir.are_alike(left, value))
        })
    }
}

/// Whether an instruction makes something else of what it is handed.
fn changes_value(ir: &FileIr, at: InstId) -> bool {
    match ir.inst(at) {
        Inst::Operator { .. } | Inst::Convert(_) | Inst::Spread(_) | Inst::CopyProps { .. } => true,
        Inst::Object => true,
        Inst::CallMethod { .. } => {
            let name = ir.method_call(at).map_or("", |it| it.1);
            matches!(name, "concat" | "filter" | "map" | "slice" | "replace")
        }
        _ => false,
    }
}

/// The words of a name behind the first, save those that say how.
fn nouns(name: &str) -> Vec<String> {
    const HOW: [&str; 26] = [
        "all", "and", "any", "async", "by", "data", "details", "exists", "first", "for", "from",
        "id", "ids", "in", "info", "is", "many", "of", "one", "or", "sync", "throw", "to",
        "unique", "with", "record",
    ];
    let singular = |it: String| it.strip_suffix('s').map_or(it.clone(), str::to_owned);
    let words = words_of(name).into_iter().skip(1);
    words.filter(|it| !HOW.contains(&it.as_str())).map(singular).collect()
}

/// Whether a name says that doing it again changes nothing: `createIfNotExists`.
pub(super) fn is_harmless_twice(name: &str) -> bool {
    const WORDS: [&str; 5] = ["ifmissing", "ifneeded", "ifnotexist", "orupdate", "upsert"];
    let name = name.to_ascii_lowercase();
    WORDS.iter().any(|it| name.contains(it))
}

/// The words of a name, in small letters.
pub(super) fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    for letter in name.chars() {
        if letter.is_uppercase() || letter == '_' {
            words.push(String::new());
        }
        if let (Some(last), true) = (words.last_mut(), letter.is_alphanumeric()) {
            last.extend(letter.to_lowercase());
        }
    }
    words.retain(|it| !it.is_empty());
    words
}

/// What a call is handed.
fn arguments(ir: &FileIr, call: InstId) -> Vec<InstId> {
    match ir.inst(call) {
        Inst::Call { args, .. } | Inst::CallMethod { args, .. } => ir.args(args).to_vec(),
        _ => Vec::new(),
    }
}

/// What a call is called on.
fn receiver(ir: &FileIr, call: InstId) -> Option<InstId> {
    match ir.inst(call) {
        Inst::CallMethod { object, .. } => Some(object),
        _ => None,
    }
}

/// Whether the first word of a name is one of some.
fn begins_with(name: &str, words: &[&str]) -> bool {
    words_of(name).first().is_some_and(|it| words.contains(&it.as_str()))
}

/// Whether a call is one that its name says to be synchronous: `existsSync`.
fn is_sync(ir: &FileIr, call: InstId) -> bool {
    called(ir, call).is_some_and(|it| it.ends_with("Sync"))
}

/// Whether a variable is only the surroundings of a call.
fn is_context(name: &str) -> bool {
    const NAMES: [&str; 16] = [
        "app", "client", "config", "context", "ctx", "db", "log", "logger", "options", "opts",
        "pool", "prisma", "req", "request", "res", "response",
    ];
    NAMES.contains(&name)
}

impl Slices<'_> {
    /// The values that are not there where an instruction runs: `!value`, `value === null`, `list.length === 0`.
    fn absent(&self, at: InstId) -> Vec<InstId> {
        let ir = self.ir();
        let mut absent = Vec::new();
        for (test, holds) in self.decided(at) {
            let mut pending = vec![(test, holds)];
            while let Some((value, holds)) = pending.pop() {
                if let Some(inner) = ir.negated(value) {
                    pending.push((inner, !holds));
                    continue;
                }
                match ir.inst(value) {
                    Inst::Select(left, right) if holds && ir.is_conjunction(value) => {
                        pending.extend([(left, true), (right, true)]);
                    }
                    Inst::Select(left, right) if !holds && ir.is_disjunction(value) => {
                        pending.extend([(left, false), (right, false)]);
                    }
                    Inst::Pure2(left, right) | Inst::Operator { left, right, .. } => {
                        let is_none = |it| {
                            matches!(
                                ir.inst(it),
                                Inst::Literal(
                                    Literal::Null | Literal::Undefined | Literal::Number(Some(0))
                                )
                            ) || matches!(ir.inst(it), Inst::LoadGlobal(name) if ir.name(name) == "undefined")
                        };
                        let is_equal = !ir.is_inequality(value);
                        if is_none(right) && is_equal == holds {
                            absent.push(left);
                        } else if is_none(left) && is_equal == holds {
                            absent.push(right);
                        }
                    }
                    _ if !holds => absent.push(value),
                    _ => {}
                }
            }
        }
        absent
    }
}
