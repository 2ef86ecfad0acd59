//! Calls of code that nobody knows, and that are written like reads: `await api.getUser(id)`.
//!
//! Most of what a program waits for is behind clients that are made at run time: what they do is rarely
//! known to the end. Their names say it: who reads `await orders.findMany(…)` takes it to look something
//! up, outside the program, and to change nothing. Findings that rest on that say so, by name, and are
//! `likely` at best (the contract, "Levels"). Nothing is said of calls that are not waited for: those are
//! rarely reads of something outside.

use headstart_callgraph::{Callees, Cause, FunctionRef, InstRef, Modelled};
use headstart_ir::{FileIr, Inst, InstId, Key};
use rustc_hash::FxHashSet;

use super::bind::Binding;
use super::compute::Computation;
use super::order::When;
use super::place::{Location, Resource, Root, Which};
use super::row::arguments;
use super::{Assumed, Effects, Summaries, Summary, Waiting};

/// How many steps the names of receivers are looked at: `this.db.orders.findMany`.
const LONGEST_RECEIVER: u32 = 6;

/// The first words of names of functions that look something up.
const READS: [&str; 17] = [
    "count", "describe", "exists", "fetch", "find", "get", "has", "is", "list", "load", "lookup",
    "lstat", "query", "read", "retrieve", "search", "stat",
];

/// Those that say so only with another word behind them: `resolveUser`, `readConfig`, not
/// `reader.read()`, which takes the next piece, nor `db.query(…)`, which may be anything.
const READS_SOMETHING: [&str; 3] = ["describe", "query", "read"];

/// Words in a name by which a call does more than look: it changes or makes something, takes the next of
/// a row, takes or gives what has to be given back, asks a person, gives something else each time, or
/// looks at what a browser shows.
const DOES_MORE: [&str; 98] = [
    "accept",
    "acquire",
    "add",
    "allocate",
    "answer",
    "append",
    "batch",
    "begin",
    "body",
    "buffer",
    "byte",
    "bytes",
    "cancel",
    "char",
    "choice",
    "chunk",
    "claim",
    "clear",
    "close",
    "compute",
    "confirm",
    "confirmation",
    "connect",
    "connection",
    "consume",
    "cookies",
    "create",
    "cursor",
    "decr",
    "decrement",
    "delete",
    "dequeue",
    "destroy",
    "drain",
    "element",
    "enqueue",
    "ensure",
    "exclusive",
    "execute",
    "flush",
    "free",
    "generate",
    "handle",
    "headers",
    "import",
    "incr",
    "increment",
    "init",
    "initialize",
    "input",
    "insert",
    "install",
    "invoke",
    "iterator",
    "lease",
    "line",
    "lock",
    "locked",
    "modify",
    "more",
    "mutate",
    "mutex",
    "next",
    "nonce",
    "packet",
    "piece",
    "poll",
    "pool",
    "pop",
    "port",
    "prompt",
    "push",
    "put",
    "random",
    "reader",
    "ready",
    "refresh",
    "register",
    "remove",
    "replace",
    "reply",
    "reset",
    "response",
    "save",
    "select",
    "selection",
    "semaphore",
    "send",
    "sequence",
    "shift",
    "stream",
    "sync",
    "take",
    "temp",
    "tick",
    "transaction",
    "unlock",
    "upload",
];

/// More of them, behind `And`, `Or` and the like: `getOrCreate`, `findOneAndUpdate`, `loadOnce`.
const JOINS: [&str; 4] = ["and", "or", "once", "then"];

/// What may follow `Or` in a read: `findOrFail`.
const FAILS: [&str; 6] = ["default", "empty", "fail", "null", "throw", "undefined"];

/// The first words of names of functions that write.
const WRITES: [&str; 28] = [
    "add",
    "append",
    "bump",
    "clear",
    "commit",
    "create",
    "decrement",
    "delete",
    "destroy",
    "emit",
    "enqueue",
    "increment",
    "insert",
    "modify",
    "patch",
    "persist",
    "post",
    "publish",
    "push",
    "put",
    "remove",
    "save",
    "send",
    "set",
    "store",
    "update",
    "upsert",
    "write",
];

/// Words in names of functions that ask a person, or end the program.
const ASKS: [&str; 10] = [
    "ask", "confirm", "exit", "inquire", "inquirer", "kill", "prompt", "prompts", "question",
    "redirect",
];

/// Receivers that have a place in an order, or one user at a time: transactions, cursors, pages of a
/// browser, queues.
const ORDERED: [&str; 39] = [
    "browser",
    "channel",
    "conn",
    "connection",
    "cursor",
    "device",
    "driver",
    "editor",
    "element",
    "frame",
    "inquirer",
    "iterator",
    "lexer",
    "limiter",
    "locator",
    "lock",
    "mutex",
    "page",
    "parser",
    "port",
    "prompt",
    "prompter",
    "prompts",
    "queue",
    "reader",
    "readline",
    "rl",
    "runner",
    "scanner",
    "screen",
    "semaphore",
    "serial",
    "socket",
    "stdin",
    "stream",
    "terminal",
    "transaction",
    "trx",
    "tx",
];

impl Computation<'_, '_> {
    /// What is known of a function that may do anything, as far as it concerns the memory of the program;
    /// seen from the caller.
    pub(super) fn known_memory(
        &self,
        summary: &Summary,
        function: FunctionRef,
        binding: &Binding,
    ) -> Effects {
        let assumed = summary.assumed.iter().flat_map(|it| [&it.before, &it.after]);
        let mut known = Effects::default();
        for effects in [&summary.before, &summary.after].into_iter().chain(assumed) {
            let is_memory = |it: &&Location| matches!(it, Location::Memory(_));
            // What a read keeps for the next one is a cache.
            let is_handed = |it: &&Location| match it {
                Location::Memory(place) => matches!(place.root, Root::Parameter(_) | Root::This),
                Location::Resource(..) => false,
            };
            let own = Effects {
                reads: effects.reads.iter().filter(is_memory).cloned().collect(),
                writes: effects.writes.iter().filter(is_handed).cloned().collect(),
            };
            known.join(self.translate(&own, function, binding));
        }
        known
    }

    /// A call that may do anything, and only reads if its name is right: something outside, what it is
    /// handed, and what is known of its own.
    pub(crate) fn reads_by_name(&mut self, id: InstId, known: Effects, when: When) {
        let inst = self.ir.inst(id);
        let args = arguments(inst).map(|it| self.ir.args(it).to_vec());
        let receiver = match inst {
            Inst::CallMethod { object, .. } => Some(object),
            _ => None,
        };
        let goes_on = When { after: true, ..when };
        for value in args.unwrap_or_default().into_iter().chain(receiver) {
            self.read_deep(value, goes_on);
        }
        self.read(Location::Resource(Resource::Outside, Which::Any), goes_on);
        let reads = std::iter::once(self.roots.at(id)).collect();
        self.anything_but(id, Some(Assumed { reads, after: known, ..Assumed::default() }));
    }
}

impl Summaries<'_> {
    /// Whether what a function of the program does, where it is called here, is taken from its name: it may
    /// do anything, and nothing is known of it that is more than looking.
    pub(crate) fn is_read_of(&self, call: InstRef, function: FunctionRef) -> bool {
        let summary = self.of(function);
        let waits = summary.waits || summary.settling != Waiting::Settles;
        (summary.is_anything() || summary.settling == Waiting::Unknown)
            && waits
            && !(summary.does_more || summary.passes_on || summary.asks)
            && !fills(summary)
            && self.is_waited_read(call)
    }

    /// Whether something waits for a call.
    pub(crate) fn is_waited(&self, call: InstRef) -> bool {
        self.waited.contains(&call)
    }

    /// Whether a call is waited for and called like something that writes.
    pub(crate) fn is_called_like_a_write(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let is_write =
            |name: &str| words(name).first().is_some_and(|it| WRITES.contains(&it.as_str()));
        self.waited.contains(&call) && callee_name(ir, call.inst).is_some_and(is_write)
    }

    /// Whether a call is one of what a table or a registry holds: `hooks[name](…)`.
    pub(crate) fn is_dispatched(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let callee = match ir.inst(call.inst) {
            Inst::CallMethod { method, .. } => method,
            Inst::Call { callee, .. } => callee,
            _ => return false,
        };
        matches!(ir.inst(callee), Inst::Get { key, .. } if matches!(key.get(), Key::Computed(_)))
    }

    /// Whether a call is written like a question to a person, or ends the program.
    pub(crate) fn is_called_like_a_question(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let is_question = |name: &str| words(name).iter().any(|it| ASKS.contains(&it.as_str()));
        callee_name(ir, call.inst).is_some_and(is_question)
    }

    /// Whether a call is waited for, written like a read, and handed no function.
    pub(crate) fn is_waited_read(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        self.waited.contains(&call)
            && is_read_call(ir, call.inst)
            && !self.is_on_ordered_class(call)
            && arguments(ir.inst(call.inst)).is_some_and(|args| {
                ir.args(args).iter().all(|&arg| {
                    let at = InstRef { file: call.file, inst: arg };
                    !matches!(ir.inst(arg), Inst::Closure(_))
                        && !self.graph.may_be_function(at)
                        && !is_ordered(ir, arg, LONGEST_RECEIVER)
                        && !holds_ordered(ir, arg, call.inst)
                })
            })
    }

    /// Whether a call is one of a method of `this`, in a class that is called like something whose calls
    /// have an order: `class PostgresQueryRunner`.
    fn is_on_ordered_class(&self, call: InstRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let Inst::CallMethod { object, .. } = ir.inst(call.inst) else { return false };
        if ir.inst(object) != Inst::This {
            return false;
        }
        let function = self.graph.function_at(call).function;
        let is_own =
            |it: &&headstart_ir::Class| it.members.iter().any(|it| it.function == function);
        let name = ir.classes.iter().find(is_own).and_then(|it| it.name);
        name.is_some_and(|it| is_ordered_name(ir.name(it)))
    }

    /// Whether what a call of code that nobody knows does is taken from its name: it reads something
    /// outside the program, and is waited for.
    pub(crate) fn is_taken_to_read(&self, call: InstRef, callees: &Callees<'_>) -> bool {
        let is_open = |it: &Cause<'_>| !matches!(it, Cause::Model(_) | Cause::Opaque);
        let is_top = |it: &Modelled<'_>| it.call.is_none() && it.native.is_none();
        !callees.unknown.is_empty()
            && callees.unknown.iter().all(is_open)
            && !callees.modelled.iter().any(is_top)
            && self.is_waited_read(call)
    }
}

/// The calls of each file that something waits for: their value is awaited, returned, or put into a list
/// that is.
pub(super) fn waited_calls(files: &[&FileIr]) -> FxHashSet<InstRef> {
    let mut found = FxHashSet::default();
    for (file, ir) in (0..).zip(files) {
        for inst in &ir.insts {
            let mut pending = match *inst {
                Inst::Await(value) | Inst::Return(value) => vec![value],
                _ => continue,
            };
            while let Some(value) = pending.pop() {
                match ir.inst(value) {
                    Inst::Call { args, .. } => {
                        found.insert(InstRef { file, inst: value });
                        pending.extend(lists(ir, args));
                    }
                    Inst::CallMethod { object, args, .. } => {
                        found.insert(InstRef { file, inst: value });
                        pending.extend(lists(ir, args));
                        // `read().catch(…)`
                        if matches!(ir.inst(object), Inst::Call { .. } | Inst::CallMethod { .. }) {
                            pending.push(object);
                        }
                    }
                    Inst::Select(left, right) => pending.extend([left, right]),
                    _ => {}
                }
            }
        }
    }
    found
}

/// The elements of the lists that a call is handed.
fn lists(ir: &FileIr, args: headstart_ir::ArgsId) -> Vec<InstId> {
    let elements = ir.args(args).iter().filter_map(|&arg| match ir.inst(arg) {
        Inst::Array(elements) => Some(ir.args(elements).iter().copied()),
        _ => None,
    });
    elements.flatten().collect()
}

/// Whether a call is written like one that looks something up.
fn is_read_call(ir: &FileIr, call: InstId) -> bool {
    let is_free = match ir.inst(call) {
        Inst::CallMethod { object, .. } => !is_ordered(ir, object, LONGEST_RECEIVER),
        _ => true,
    };
    is_free && callee_name(ir, call).is_some_and(is_read_name)
}

/// The name of what a call calls.
fn callee_name(ir: &FileIr, call: InstId) -> Option<&str> {
    let callee = match ir.inst(call) {
        Inst::CallMethod { method, .. } => method,
        Inst::Call { callee, .. } => callee,
        _ => return None,
    };
    match ir.inst(callee) {
        Inst::LoadVar(var) => Some(ir.name(ir.variable(var).name)),
        Inst::LoadGlobal(name) => Some(ir.name(name)),
        Inst::Get { key, .. } => match key.get() {
            Key::Name(name) | Key::Private(name) => Some(ir.name(name)),
            Key::Computed(_) => None,
        },
        _ => None,
    }
}

/// Whether a function is known to change what it is handed: a list that it fills.
fn fills(summary: &Summary) -> bool {
    let assumed = summary.assumed.iter().flat_map(|it| [&it.before, &it.after]);
    let mut writes =
        [&summary.before, &summary.after].into_iter().chain(assumed).flat_map(|it| &it.writes);
    writes
        .any(|it| matches!(it, Location::Memory(place) if matches!(place.root, Root::Parameter(_))))
}

/// Whether something outside the program is certainly written.
pub(super) fn writes_outside(effects: &Effects) -> bool {
    effects.writes.iter().any(|it| match it {
        Location::Resource(_, Which::Queried(_) | Which::Unless(_)) | Location::Memory(_) => false,
        Location::Resource(kind, _) => is_outside(*kind),
    })
}

/// Whether a resource lies outside the program.
fn is_outside(kind: Resource) -> bool {
    matches!(
        kind,
        Resource::File
            | Resource::Handle
            | Resource::Network
            | Resource::Process
            | Resource::Connection
            | Resource::Storage
            | Resource::Input
            | Resource::Output
            | Resource::ProcessState
            | Resource::WorkingDirectory
            | Resource::Environment
    )
}

/// Whether a receiver is called like something whose calls have an order.
fn is_ordered(ir: &FileIr, value: InstId, steps: u32) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return true };
    let is_one = is_ordered_name;
    match ir.inst(value) {
        Inst::LoadVar(var) => is_one(ir.name(ir.variable(var).name)),
        Inst::LoadGlobal(name) => is_one(ir.name(name)),
        Inst::Get { object, key } => match key.get() {
            Key::Name(name) | Key::Private(name) => {
                is_one(ir.name(name)) || is_ordered(ir, object, steps)
            }
            Key::Computed(_) => is_ordered(ir, object, steps),
        },
        Inst::Call { callee, .. } | Inst::New { callee, .. } => is_ordered(ir, callee, steps),
        Inst::CallMethod { method, .. } => is_ordered(ir, method, steps),
        Inst::Await(value) => is_ordered(ir, value, steps),
        _ => false,
    }
}

/// Whether a name is that of something whose calls have an order.
fn is_ordered_name(name: &str) -> bool {
    // A `traceSession` is something that is looked up.
    name == "session" || words(name).iter().any(|it| ORDERED.contains(&it.as_str()))
}

/// Whether an object of options, which is complete before `end`, holds something whose calls have an order:
/// `{ transaction }`, or the request that carries one.
fn holds_ordered(ir: &FileIr, options: InstId, end: InstId) -> bool {
    ir.inst(options) == Inst::Object
        && FileIr::range(options, end).any(|id| match ir.inst(id) {
            Inst::Set { object, key, .. } if object == options => match key.get() {
                Key::Name(name) => ir.name(name) == "req" || is_ordered_name(ir.name(name)),
                Key::Private(_) | Key::Computed(_) => false,
            },
            _ => false,
        })
}

/// Whether a name says that what it names looks something up, and does nothing else.
fn is_read_name(name: &str) -> bool {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((&first, rest)) = words.split_first() else { return false };
    let is_read = READS.contains(&first) && !(rest.is_empty() && READS_SOMETHING.contains(&first));
    let does_more = |(at, word): (usize, &&str)| {
        let joins = JOINS.contains(word) && rest.get(at + 1).is_none_or(|it| !FAILS.contains(it));
        joins || DOES_MORE.contains(word)
    };
    is_read && !rest.iter().enumerate().any(does_more)
}

/// The words of a name, in small letters: `getHTMLBody`, `get_html_body`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let letters: Vec<char> = name.chars().collect();
    let mut is_new = true;
    for (at, &letter) in letters.iter().enumerate() {
        if !letter.is_alphabetic() {
            is_new = true;
            continue;
        }
        let before = at.checked_sub(1).map(|it| letters[it]);
        let is_next_small = letters.get(at + 1).is_some_and(|it| it.is_lowercase());
        let begins =
            letter.is_uppercase() && (before.is_some_and(char::is_lowercase) || is_next_small);
        if is_new || begins {
            words.push(String::new());
        }
        is_new = false;
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        assert_eq!(words("getHTMLBody"), ["get", "html", "body"]);
        assert_eq!(words("_find_by_id2"), ["find", "by", "id"]);
        assert_eq!(words("$isOK"), ["is", "ok"]);
        assert!(words("_").is_empty());
    }

    #[test]
    fn reads_are_told_by_their_names() {
        let reads = [
            "getUser",
            "findMany",
            "findFirstOrThrow",
            "fetch",
            "listPullRequests",
            "countRows",
            "readConfig",
            "hasAccess",
            "isMember",
            "find_by_id",
            "getOrNull",
        ];
        for name in reads {
            assert!(is_read_name(name), "{name}");
        }
        let others = [
            "read",
            "next",
            "getNext",
            "getOrCreate",
            "findOneAndUpdate",
            "getConnection",
            "query",
            "getFreePort",
            "fetchAndStore",
            "loadOnce",
            "getter",
            "issue",
            "hash",
            "settle",
            "getReader",
            "create",
            "save",
            "widget",
        ];
        for name in others {
            assert!(!is_read_name(name), "{name}");
        }
    }
}
