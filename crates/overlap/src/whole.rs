//! Which writes have no order among themselves, where each is of a place of its own: those of whole files, and
//! of rows that have a key.
//!
//! What adds to a table, a file or a list has an order by nature (numbers that a database gives, the time of
//! creation); rows that are taken away may be referred to by others; and who answers requests sees in
//! which order they come.

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_effects::{Resource, Step, Summaries, SummaryLocation};
use headstart_ir::{FileIr, Inst, InstId, Key, PropKey};
use rustc_hash::FxHashSet;

use crate::naming::{Written, keys_handed, parts};
use crate::site::name_of;

/// What writes a whole file or takes it away, or makes a folder; `Sync` behind it is left out.
const OF_FILES: [&str; 29] = [
    "chmod",
    "chown",
    "copy",
    "copyFile",
    "cp",
    "emptyDir",
    "ensureDir",
    "ensureFile",
    "lchown",
    "lutimes",
    "mkdir",
    "mkdirp",
    "mkdirs",
    "outputFile",
    "outputJSON",
    "outputJson",
    "remove",
    "rename",
    "rimraf",
    "rm",
    "symlink",
    "truncate",
    "unlink",
    "utimes",
    "writeFile",
    "writeFileAtomic",
    "writeJSON",
    "writeJson",
    "write-file-atomic",
];

/// What changes a row, or sets what a key stands for.
const OF_ROWS: [&str; 25] = [
    "DeleteCommand",
    "DeleteItemCommand",
    "DeleteObjectCommand",
    "PutCommand",
    "PutItemCommand",
    "PutObjectCommand",
    "UpdateCommand",
    "UpdateItemCommand",
    "expire",
    "findByIdAndUpdate",
    "findOneAndReplace",
    "findOneAndUpdate",
    "hSet",
    "hmset",
    "hset",
    "put",
    "replaceOne",
    "set",
    "setEx",
    "setItem",
    "setex",
    "update",
    "updateMany",
    "updateOne",
    "upsert",
];

/// What changes what a key of Redis stands for: keys do not refer to one another, and members of a set have no
/// order.
const OF_KEYS: [&str; 12] = [
    "del", "hDel", "hdel", "hincrby", "incr", "incrby", "sAdd", "sRem", "sadd", "srem", "unlink",
    "zadd",
];

/// What adds or takes away, or takes part in building a query that does.
const ADDS: [&str; 12] = [
    "add",
    "create",
    "del",
    "delete",
    "deleteFrom",
    "destroy",
    "from",
    "insert",
    "insertInto",
    "into",
    "push",
    "values",
];

/// How many functions are looked through, and values within one another.
const MOST_FUNCTIONS: usize = 64;
const DEEPEST: u32 = 12;

/// Whether all that a step writes of some kinds are whole places, as far as that is known.
pub(crate) fn writes_whole(
    summaries: &Summaries<'_>,
    function: FunctionRef,
    step: &Step,
    kinds: &[Resource],
) -> bool {
    Whole { summaries, kinds, seen: FxHashSet::default() }.is_step(function, step)
}

/// Whether a call may be one that changes rows that are there, or sets what keys stand for: a function of the program,
/// or what a library calls so.
pub(crate) fn may_change_rows(summaries: &Summaries<'_>, at: InstRef) -> bool {
    let callees = summaries.graph.callees(at);
    if !callees.functions.is_empty() {
        return true;
    }
    let mut names = Vec::new();
    called_names(summaries.graph.files()[at.file as usize], at.inst, DEEPEST, &mut names);
    names.iter().any(|it| OF_ROWS.contains(&it.as_str()) || OF_KEYS.contains(&it.as_str()))
}

struct Whole<'a, 'p> {
    summaries: &'a Summaries<'p>,
    kinds: &'a [Resource],
    seen: FxHashSet<FunctionRef>,
}

impl Whole<'_, '_> {
    fn is_step(&mut self, function: FunctionRef, step: &Step) -> bool {
        let written = self.written(step);
        if written.is_empty() {
            return true;
        }
        let ir = self.summaries.graph.files()[function.file as usize];
        let call = match ir.inst(step.at) {
            Inst::Await(value) => value,
            _ => step.at,
        };
        let callees = self.summaries.graph.callees(InstRef { file: function.file, inst: call });
        let called = callees.functions.iter().chain(&callees.callbacks);
        if called.clone().next().is_some() {
            return called.clone().all(|&it| self.is_function(it));
        }
        let members = callees.modelled.iter().map(|it| (it.module, self.summaries.graph.name(it)));
        let members: Vec<_> = members.collect();
        let mut names = Vec::new();
        for (_, member) in &members {
            names.extend(member.rsplit(['.', '#']).next().map(str::to_owned));
        }
        called_names(ir, call, DEEPEST, &mut names);
        let is = |all: &[&str]| {
            names.iter().any(|it| all.contains(&it.strip_suffix("Sync").unwrap_or(it.as_str())))
        };
        written.into_iter().all(|kind| match kind {
            Resource::File => is(&OF_FILES),
            // Who answers requests sees them come.
            Resource::Network if members.iter().all(|it| !it.0.contains("aws-sdk")) => false,
            _ if members.iter().all(|it| it.0.contains("redis")) && is(&OF_KEYS) => true,
            _ => is(&OF_ROWS) && !is(&ADDS) && !moves_key(ir, call) && !refers(ir, call),
        })
    }

    fn is_function(&mut self, function: FunctionRef) -> bool {
        if !self.seen.insert(function) {
            return true;
        }
        if self.seen.len() > MOST_FUNCTIONS {
            return false;
        }
        let ir = self.summaries.graph.files()[function.file as usize];
        let of = ir.function(function.function);
        let steps = self.summaries.steps(function, of.first, of.end);
        // A query that is built first is sent where it is waited for; others are there already.
        let waits_only = |step: &Step| {
            matches!(ir.inst(step.at), Inst::Await(value)
                if steps.iter().any(|it| it.at == value && !self.written(it).is_empty()))
        };
        let own: Vec<&Step> =
            steps.iter().map(AsRef::as_ref).filter(|it: &&Step| !waits_only(it)).collect();
        own.into_iter().all(|it| self.is_step(function, it))
    }

    /// The kinds of what a step writes.
    fn written(&self, step: &Step) -> Vec<Resource> {
        let all = step.now.writes.iter().chain(&step.later.writes);
        let mut found: Vec<Resource> = all
            .filter_map(|it| match it {
                SummaryLocation::Resource(kind, _) if !it.is_log() => Some(*kind),
                _ => None,
            })
            .filter(|it| self.kinds.contains(it))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// What is called in a chain of calls, and the classes of what it is handed: `update` and `set` of
/// `db.update(users).set(…)`, `PutCommand` of `client.send(new PutCommand(…))`.
fn called_names(ir: &FileIr, call: InstId, depth: u32, names: &mut Vec<String>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let (callee, args) = match ir.inst(call) {
        Inst::CallMethod { object, method, args } => {
            called_names(ir, object, depth, names);
            (method, args)
        }
        Inst::Call { callee, args } => (callee, args),
        _ => return,
    };
    names.push(name_of(ir, callee));
    for &arg in ir.args(args) {
        if let Inst::New { callee, .. } = ir.inst(arg) {
            names.push(name_of(ir, callee));
        }
    }
}

/// Keys by which a change of a row makes or finds other rows, or adds to the end of a list.
const REFERRING: [&str; 6] =
    ["$push", "connect", "connectOrCreate", "createMany", "disconnect", "parentId"];

/// Whether a call is handed an object, at whatever depth, that refers to other rows, or adds to a list.
fn refers(ir: &FileIr, call: InstId) -> bool {
    let first = parts(ir, call).and_then(|it| it.1.first().copied());
    // `upsert({ where, create, update })`
    let is_one = |object: InstId, key: &str| {
        REFERRING.contains(&key) || key == "create" && Some(object) != first
    };
    keys_handed(ir, call)
        .any(|(object, key)| ir.inst(object) == Inst::Object && is_one(object, key))
}

/// Whether an update gives a row a key, by which another one may be known until then: `{ where: { id }, data: { id: next } }`.
fn moves_key(ir: &FileIr, call: InstId) -> bool {
    let Some(&first) = parts(ir, call).and_then(|it| it.1.first()) else { return false };
    let written = Written { ir, end: call };
    let under = |key: &str| written.member(first, key);
    let (Some(chosen), Some(data)) = (under("where"), under("data").or_else(|| under("update")))
    else {
        return false;
    };
    let is_name = |it: &PropKey| matches!(it.get(), Key::Name(_));
    let keys = |object: InstId| written.members(object).filter_map(|it| it.0).filter(is_name);
    let chosen: Vec<PropKey> = keys(chosen).collect();
    keys(data).any(|it| chosen.contains(&it))
}
