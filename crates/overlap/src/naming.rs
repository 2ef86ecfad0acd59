//! What calls say of the places that they write, as they are written: what chooses a row, what is called like an
//! order or a limit, and what stands for one connection.

use headstart_effects::{Blocker, Code, Resource, Step, SummaryLocation, Which};
use headstart_ir::{FileIr, Inst, InstId, Key, Literal, NameId, PropKey};

use crate::unit::Scope;
use crate::words;

/// How many values within one another are looked through.
pub(crate) const DEEPEST: u32 = 12;

/// What is called like this adds to one place, or is about an order that somebody sees, or about a limit.
const IN_ORDER: [&str; 37] = [
    "append",
    "apply",
    "begin",
    "commit",
    "count",
    "decr",
    "decrement",
    "dispatch",
    "emit",
    "enqueue",
    "event",
    "exec",
    "execute",
    "incr",
    "increment",
    "ingest",
    "lock",
    "log",
    "migrate",
    "next",
    "notify",
    "poll",
    "pop",
    "print",
    "publish",
    "push",
    "queue",
    "replay",
    "retry",
    "rollback",
    "run",
    "schedule",
    "seed",
    "send",
    "step",
    "throttle",
    "transaction",
];

/// The values of a stretch of code, as they are written.
#[derive(Clone, Copy)]
pub(crate) struct Written<'p> {
    pub(crate) ir: &'p FileIr,
    /// Where the stretch ends.
    pub(crate) end: InstId,
}

/// What a call is made on, and what it is handed.
pub(crate) fn parts(ir: &FileIr, call: InstId) -> Option<(Option<InstId>, &[InstId])> {
    match ir.inst(call) {
        Inst::Call { args, .. } | Inst::New { args, .. } => Some((None, ir.args(args))),
        Inst::CallMethod { object, args, .. } => Some((Some(object), ir.args(args))),
        _ => None,
    }
}

/// The keys of the objects that are written out in what a call is handed, at whatever depth, with the objects.
pub(crate) fn keys_handed(ir: &FileIr, call: InstId) -> impl Iterator<Item = (InstId, &str)> {
    let span = ir.span(call);
    let is_before = |it: &InstId| !span.contains(ir.span(*it));
    let start = FileIr::range(InstId::new(0), call).rev().find(is_before);
    FileIr::range(start.unwrap_or(InstId::new(0)), call).filter_map(|it| match ir.inst(it) {
        Inst::Set { object, key, .. } => match key.get() {
            Key::Name(name) => Some((object, ir.name(name))),
            _ => None,
        },
        _ => None,
    })
}

impl Written<'_> {
    /// What an object that is written out has, with its names.
    pub(crate) fn members(
        &self,
        object: InstId,
    ) -> impl Iterator<Item = (Option<PropKey>, InstId)> + '_ {
        let after = FileIr::range(object, self.end);
        after.filter_map(move |id| match self.ir.inst(id) {
            Inst::Set { object: of, key, value } if of == object => Some((Some(key), value)),
            Inst::CopyProps { object: of, value } if of == object => Some((None, value)),
            _ => None,
        })
    }

    /// Whether a word is in a text that is written out in a value.
    pub(crate) fn mentions(&self, value: InstId, word: &str, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if let Inst::Literal(Literal::String(text)) = self.ir.inst(value) {
            return self.ir.name(text).contains(word);
        }
        let mut found = false;
        let visit = &mut |it| found |= self.mentions(it, word, depth);
        self.ir.inst(value).for_each_operand(self.ir, visit);
        found
    }

    /// What a call is handed that is called like a transaction, or like one connection: by itself, as its
    /// object, or among its options.
    pub(crate) fn connection(&self, value: InstId) -> Option<InstId> {
        let is_one = |it: NameId| {
            let name = self.ir.name(it).to_lowercase();
            CONNECTIONS.iter().any(|one| name == *one)
        };
        match self.ir.inst(value) {
            Inst::LoadVar(var) => is_one(self.ir.variable(var).name).then_some(value),
            Inst::Get { object, key } => match key.get() {
                Key::Name(name) if is_one(name) => Some(value),
                _ => self.connection(object),
            },
            Inst::Object => self.members(value).find_map(|(key, held)| match key?.get() {
                Key::Name(name) if is_one(name) => Some(held),
                _ => None,
            }),
            _ => None,
        }
    }

    /// The word in what names the things that a call is about, by which they may tell that others are there: `DONE`,
    /// `current`. `is_own`, whether a function of the program is called, which may name them by any argument.
    pub(crate) fn tells_of_others(&self, call: InstId, is_own: bool) -> Option<&'static str> {
        let (_, args) = parts(self.ir, call)?;
        // `copyFile(from, to)`
        let named = if is_own { args } else { &args[..args.len().min(2)] };
        named.iter().find_map(|&it| self.told_in(it, &TELLING, DEEPEST))
    }

    /// The word in what a request is handed by which it has something done: `/api/reload`.
    pub(crate) fn has_something_done(&self, call: InstId) -> Option<&'static str> {
        let (_, args) = parts(self.ir, call)?;
        args.iter().find_map(|&it| self.told_in(it, &DOING, DEEPEST))
    }

    fn told_in(&self, value: InstId, words: &[&'static str], depth: u32) -> Option<&'static str> {
        let depth = depth.checked_sub(1)?;
        let told = |name: NameId| word_in(self.ir.name(name), words);
        let of_all = |args: &[InstId]| args.iter().find_map(|&it| self.told_in(it, words, depth));
        match self.ir.inst(value) {
            Inst::Literal(Literal::String(text)) => told(text),
            Inst::LoadVar(var) => told(self.ir.variable(var).name),
            Inst::LoadGlobal(name) => told(name),
            Inst::Get { key, .. } => match key.get() {
                Key::Name(name) => told(name),
                _ => None,
            },
            Inst::Object => match self.chosen(value) {
                Some(chosen) => self.told_in(chosen, words, depth),
                None => self
                    .members(value)
                    .filter(|it| self.is_identity(it.0))
                    .find_map(|(_, it)| self.told_in(it, words, depth)),
            },
            Inst::New { args, .. }
            | Inst::Call { args, .. }
            | Inst::CallMethod { args, .. }
            | Inst::Template(args) => of_all(self.ir.args(args)),
            Inst::Operator { left, right, plus: true, .. } => of_all(&[left, right]),
            _ => None,
        }
    }

    /// What an object that is written out has under a name.
    pub(crate) fn member(&self, object: InstId, key: &str) -> Option<InstId> {
        let Inst::Object = self.ir.inst(object) else { return None };
        self.members(object).find_map(|(of, value)| match of?.get() {
            Key::Name(name) if self.ir.name(name) == key => Some(value),
            _ => None,
        })
    }

    /// Whether a key is what things are known by.
    pub(crate) fn is_identity(&self, key: Option<PropKey>) -> bool {
        match key.map(|it| it.get()) {
            Some(Key::Name(name)) => IDENTITIES.contains(&self.ir.name(name)),
            _ => false,
        }
    }

    /// What chooses the rows that a query is about, where its argument says so: `{ where: … }`.
    pub(crate) fn chosen(&self, argument: InstId) -> Option<InstId> {
        let Inst::Object = self.ir.inst(argument) else { return None };
        self.members(argument).find_map(|(key, value)| match key?.get() {
            Key::Name(name) if CHOOSES.contains(&self.ir.name(name)) => Some(value),
            _ => None,
        })
    }
}

/// What a transaction, or one connection of several, is called.
const CONNECTIONS: [&str; 8] =
    ["conn", "connection", "session", "t", "transaction", "trx", "tx", "txn"];

/// The packages of those who ask that changes are made one after the other, and how they are called in the code
/// of others (GitHub, "Best practices for using the REST API").
const LIMITS_CHANGES: (&str, &str) = ("octokit", "github");

/// What tells, by being there, that other things are.
const TELLING: [&str; 26] = [
    "active",
    "complete",
    "completed",
    "current",
    "done",
    "enabled",
    "finished",
    "flag",
    "head",
    "index",
    "latest",
    "live",
    "lock",
    "lockfile",
    "manifest",
    "marker",
    "ok",
    "owner",
    "pid",
    "pointer",
    "published",
    "ready",
    "sentinel",
    "status",
    "success",
    "symlink",
];

/// The keys of conditions, and of what two rows give to one another.
const CONDITIONS: [&str; 12] = [
    "ConditionExpression",
    "IfMatch",
    "IfNoneMatch",
    "NX",
    "decrement",
    "email",
    "increment",
    "nx",
    "order",
    "position",
    "slug",
    "username",
];

/// What a request is for that does not only read, or asks about what has been written just before.
const DOING: [&str; 14] = [
    "flush",
    "health",
    "hook",
    "invalidate",
    "localhost",
    "notify",
    "ping",
    "purge",
    "ready",
    "refresh",
    "reload",
    "revalidate",
    "trigger",
    "webhook",
];

/// Lists whose items have an order.
const IN_TURN: [&str; 13] = [
    "changes",
    "commands",
    "deltas",
    "events",
    "history",
    "journal",
    "log",
    "logs",
    "migrations",
    "patches",
    "ordered",
    "queue",
    "sorted",
];

/// What things are known by.
const IDENTITIES: [&str; 12] =
    ["Key", "PK", "_id", "file", "filename", "id", "key", "name", "path", "pk", "sk", "slug"];

/// The names under which queries are told which rows they are about, and requests which object.
const CHOOSES: [&str; 5] = ["where", "filter", "Key", "key", "Item"];

/// Whether there are several places of a kind, which a program can name.
pub(crate) fn has_places(kind: Resource) -> bool {
    matches!(kind, Resource::File | Resource::Network | Resource::Connection | Resource::Storage)
}

/// The word by which a call is called like what keeps an order, or a limit. What a library calls `send`, or `incr`,
/// where it is known what that changes, says nothing of the kind.
pub(crate) fn keeps_order(scope: Scope<'_, '_>, call: InstId) -> Option<&'static str> {
    let callees = scope.summaries.graph.callees(scope.analysis.at(call));
    let is_told = |it: &str| TOLD_BY_KEY.iter().any(|told| it.contains(told));
    let is_of_library = callees.functions.is_empty()
        && !callees.modelled.is_empty()
        && callees.modelled.iter().all(|it| is_told(it.module));
    if is_of_library { None } else { in_order(&words::callee_text(scope.analysis.ir, call)) }
}

/// The packages of which each operation says by a key what it changes.
const TOLD_BY_KEY: [&str; 2] = ["aws-sdk", "redis"];

/// The word in a name that speaks of an order: `append` of `fs.appendLine`.
fn in_order(callee: &str) -> Option<&'static str> {
    word_in(callee.rsplit('.').next().unwrap_or(callee), &IN_ORDER)
}

/// The word by which a list is called like what has an order.
pub(crate) fn in_order_of_items(name: &str) -> Option<&'static str> {
    word_in(name, &IN_TURN)
}

/// The name of a list, or of what holds it.
pub(crate) fn name_of_list(ir: &FileIr, items: InstId) -> Option<&str> {
    match ir.inst(items) {
        Inst::LoadVar(var) => Some(ir.name(ir.variable(var).name)),
        Inst::Get { key, .. } => match key.get() {
            Key::Name(name) => Some(ir.name(name)),
            _ => None,
        },
        _ => None,
    }
}

/// The first of some words that a name, or a text, has.
fn word_in(name: &str, among: &[&'static str]) -> Option<&'static str> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && was_small || !letter.is_ascii_alphanumeric() {
            words.push(String::new());
        }
        was_small = letter.is_ascii_lowercase();
        if let Some(last) = words.last_mut() {
            last.extend(letter.to_lowercase().filter(|it| it.is_alphanumeric()));
        }
    }
    among.iter().copied().find(|it| words.iter().any(|word| word == it))
}

/// That a call is not made on one connection, such as that of a transaction, and that whoever it asks
/// takes several changes at once.
///
/// # Errors
/// It is, or does not.
pub(crate) fn is_apart(
    scope: Scope<'_, '_>,
    call: InstId,
    step: &Step,
    (object, args): (Option<InstId>, &[InstId]),
    written: Written<'_>,
) -> Result<(), Blocker> {
    let analysis = scope.analysis;
    let ir = analysis.ir;
    let handed = args.iter().copied().chain(object);
    if let Some(one) = handed.into_iter().find_map(|it| written.connection(it)) {
        return Err(Blocker::new(Code::OneConnection, ir.span(one)));
    }
    let callees = scope.summaries.graph.callees(analysis.at(call));
    let mut locations = locations(step);
    let is_host = |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(_, Which::Named(host)) if host.contains(LIMITS_CHANGES.1));
    let is_limited = callees.modelled.iter().any(|it| it.module.contains(LIMITS_CHANGES.0))
        || words::callee_text(ir, call).to_lowercase().contains(LIMITS_CHANGES.1)
        || locations.any(is_host)
        || args.iter().any(|&it| written.mentions(it, LIMITS_CHANGES.1, DEEPEST));
    if is_limited {
        return Err(Blocker::new(Code::OneChangeAtATime, ir.span(call)));
    }
    Ok(())
}

/// Whether a call is handed a condition, under which it is meant to fail, or what two rows give to one another.
pub(crate) fn has_condition(ir: &FileIr, call: InstId) -> bool {
    keys_handed(ir, call).any(|it| CONDITIONS.contains(&it.1))
}

/// The kind of what is not in memory, and no line of a log.
pub(crate) fn kind(location: &SummaryLocation) -> Option<Resource> {
    match location {
        SummaryLocation::Resource(kind, _) if !location.is_log() => Some(*kind),
        _ => None,
    }
}

/// Whether a step reads or writes something of some kinds.
pub(crate) fn touches(step: &Step, kinds: &[Resource]) -> bool {
    locations(step).any(|it| kind(it).is_some_and(|it| kinds.contains(&it)))
}

/// Whether a step writes something of some kinds.
pub(crate) fn writes(step: &Step, kinds: &[Resource]) -> bool {
    let mut written = step.now.writes.iter().chain(&step.later.writes);
    written.any(|it| kind(it).is_some_and(|it| kinds.contains(&it)))
}

/// What a step reads and writes for certain.
pub(crate) fn locations(step: &Step) -> impl Iterator<Item = &SummaryLocation> {
    [&step.now, &step.later].into_iter().flat_map(|it| it.reads.iter().chain(&it.writes))
}
