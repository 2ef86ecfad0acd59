//! What the names of functions and receivers say: which look something up, write, ask a person, or have an
//! order. The words are those of a name in camel case or with underscores.

use smallvec::SmallVec;

/// The first words of names of functions that look something up.
const READS: [&str; 17] = [
    "count", "describe", "exists", "fetch", "find", "get", "has", "is", "list", "load", "lookup",
    "lstat", "query", "read", "retrieve", "search", "stat",
];

/// Those that say so only with another word behind them: `resolveUser`, `readConfig`, not
/// `reader.read()`, which takes the next piece, nor `db.query(…)`, which may be anything.
const READS_SOMETHING: [&str; 3] = ["describe", "query", "read"];

/// First words of what only looks where nothing else is known of it: of functions of the program whose bodies are
/// seen. Of others, `resolve` closes a thread as well as it finds a name. They say so only with another word, too.
const OWN_READS: [&str; 31] = [
    "aggregate",
    "analyze",
    "calculate",
    "can",
    "collect",
    "compare",
    "compute",
    "convert",
    "detect",
    "determine",
    "discover",
    "download",
    "estimate",
    "extract",
    "filter",
    "format",
    "gather",
    "guess",
    "identify",
    "infer",
    "inspect",
    "locate",
    "match",
    "measure",
    "parse",
    "present",
    "resolve",
    "scan",
    "serialize",
    "should",
    "summarize",
];

/// What may stand in front of the word that says it: `tryReadManifest`, `safeGetUser`.
const CAREFUL: [&str; 4] = ["maybe", "safe", "safely", "try"];

/// Whole names of what looks at files.
const LOOKS_AT_FILES: [&str; 6] = ["access", "glob", "globby", "readdir", "readlink", "realpath"];

/// What something is found by, and may stand behind `And` and `Or`: `getProjectByNameOrId`.
const FOUND_BY: [&str; 18] = [
    "alias", "code", "domain", "email", "guid", "handle", "hash", "id", "ids", "key", "name",
    "number", "path", "slug", "tag", "url", "username", "uuid",
];

/// Words in a name by which a call does more than look: it changes or makes something, takes the next of
/// a row, takes or gives what has to be given back, asks a person, gives something else each time, or
/// looks at what a browser shows.
const DOES_MORE: [&str; 105] = [
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
    "consume",
    "cookies",
    "create",
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
    "lock",
    "locked",
    "login",
    "logout",
    "migrate",
    "migrations",
    "modify",
    "more",
    "mutate",
    "mutation",
    "mutex",
    "next",
    "nonce",
    "packet",
    "patch",
    "piece",
    "poll",
    "pop",
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
    "submit",
    "sync",
    "take",
    "temp",
    "tick",
    "tmp",
    "transaction",
    "unique",
    "unlock",
    "up",
    "update",
    "upload",
    "uuid",
];

/// Those of them that are things: what is got is another one where they say what that is, and not only of what, or by
/// what it is found: `getLock`, not `getLockCounter`, nor `findByUuid`.
const THINGS: [&str; 7] =
    ["confirmation", "lock", "migrations", "response", "stream", "transaction", "uuid"];

/// What is no data when it is loaded, but code, which runs then: `loadPlugins`.
const CODE: [&str; 30] = [
    "adapter",
    "adapters",
    "addon",
    "addons",
    "command",
    "commands",
    "component",
    "components",
    "controller",
    "controllers",
    "driver",
    "drivers",
    "extension",
    "extensions",
    "handler",
    "handlers",
    "hook",
    "hooks",
    "listener",
    "listeners",
    "loader",
    "loaders",
    "middleware",
    "middlewares",
    "module",
    "modules",
    "plugin",
    "plugins",
    "script",
    "scripts",
];

/// Words by which `read` takes the next piece of something: `readNumber`, `readUntil`.
const PIECES: [&str; 26] = [
    "bit", "bits", "bool", "boolean", "double", "event", "exactly", "field", "float", "frame",
    "fully", "int", "long", "number", "object", "record", "short", "stdin", "string", "struct",
    "token", "tokens", "uint", "until", "varint", "varuint",
];

/// Words by which what is got is another one each time, is taken by who gets it, is decided by a person,
/// or is opened.
const TAKEN: [&str; 13] = [
    "approval",
    "completion",
    "consent",
    "decision",
    "del",
    "feedback",
    "fd",
    "intent",
    "lockfile",
    "many",
    "new",
    "updates",
    "verification",
];

/// The same, where they say what is got, and not only of what: `getTicket`, not `getTicketPrices`.
const HANDED_OUT: [&str; 12] = [
    "browser", "claims", "client", "invite", "media", "password", "runner", "session", "share",
    "socket", "ticket", "worker",
];

/// The same, whatever the verb: `readLine`, `findPort`, not `listLineItems`.
const HANDED_OUT_BY_ANY: [&str; 5] = ["connection", "cursor", "line", "pool", "port"];

/// What stands behind the word that says what is got: `getWorkerFor`.
const PREPOSITIONS: [&str; 9] = ["at", "by", "for", "from", "in", "into", "of", "to", "with"];

/// What `fetch` takes from a queue, changes on a server, or brings into a repository.
const FETCHED: [&str; 8] = ["job", "jobs", "origin", "post", "remote", "tags", "task", "tasks"];

/// What `fetch` of such a receiver brings something into.
const REPOSITORIES: [&str; 3] = ["git", "remote", "repo"];

/// What a call is handed, as far as names ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Handed {
    Nothing,
    OneNumber,
    Other,
}

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

/// First words in names of functions that have something done elsewhere.
const DEEDS: [&str; 35] = [
    "activate",
    "approve",
    "assign",
    "book",
    "buy",
    "cancel",
    "charge",
    "close",
    "deactivate",
    "delete",
    "deploy",
    "destroy",
    "disable",
    "enable",
    "grant",
    "insert",
    "invite",
    "invoke",
    "notify",
    "order",
    "pay",
    "persist",
    "provision",
    "publish",
    "purchase",
    "refund",
    "register",
    "remove",
    "revoke",
    "send",
    "submit",
    "subscribe",
    "transfer",
    "trigger",
    "unsubscribe",
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

/// How names begin, beside those that write, of what takes something, moves on or sets something up: that what is called was seen
/// to read says nothing of where it stands then.
const SETS_UP: [&str; 17] = [
    "ack",
    "apply",
    "cd",
    "configure",
    "drop",
    "enter",
    "mark",
    "open",
    "process",
    "reserve",
    "seek",
    "set",
    "setup",
    "sign",
    "start",
    "switch",
    "use",
];

/// Whether a name begins like that of a function that writes where others see it: what is put into a map, made or counted is rarely
/// more than that.
pub(super) fn is_write_elsewhere(name: &str) -> bool {
    const ELSEWHERE: [&str; 11] = [
        "commit", "destroy", "enqueue", "insert", "patch", "persist", "publish", "save", "send",
        "update", "upsert",
    ];
    words(name).first().is_some_and(|it| ELSEWHERE.contains(&it))
}

/// Whether a name is that of a method of lists, texts, maps and the like, which gives a value.
pub(super) fn gives_value(name: &str) -> bool {
    const GIVES: [&str; 42] = [
        "assign",
        "at",
        "concat",
        "entries",
        "every",
        "filter",
        "find",
        "findIndex",
        "flat",
        "flatMap",
        "forEach",
        "format",
        "from",
        "fromEntries",
        "get",
        "has",
        "includes",
        "indexOf",
        "isArray",
        "join",
        "keys",
        "map",
        "match",
        "max",
        "min",
        "now",
        "padStart",
        "parse",
        "reduce",
        "replace",
        "reverse",
        "slice",
        "some",
        "sort",
        "split",
        "startsWith",
        "stringify",
        "toISOString",
        "toLowerCase",
        "toString",
        "trim",
        "values",
    ];
    GIVES.contains(&name)
}

/// Whether a name is that of a function that keeps what it is handed, to call it later.
pub(super) fn registers(name: &str) -> bool {
    const KEEPS: [&str; 8] =
        ["hook", "intercept", "listen", "on", "once", "register", "subscribe", "tap"];
    words(name).first().is_some_and(|it| KEEPS.contains(&it))
}

/// Whether a name asks whether something is so.
pub(super) fn asks_whether(name: &str) -> bool {
    const ASKS: [&str; 6] = ["are", "can", "has", "is", "may", "should"];
    words(name).first().is_some_and(|it| ASKS.contains(&it))
}

/// Whether a name is that of a function that does what it is told: a statement, a command, a request.
pub(super) fn takes_orders(name: &str) -> bool {
    const TOLD: [&str; 17] = [
        "apply", "call", "command", "dispatch", "do", "exec", "execute", "fetch", "handle",
        "invoke", "perform", "process", "query", "raw", "request", "run", "send",
    ];
    words(name).first().is_some_and(|it| TOLD.contains(&it))
}

/// Whether a name says that calls have an order, or do more than what they were seen to read.
pub(super) fn is_more_than_seen(name: &str) -> bool {
    // Of what puts a query together.
    const QUERIES: [&str; 2] = ["select", "selection"];
    let all = words(name);
    let begins = |it: &str| {
        [&WRITES[..], &DEEDS, &SETS_UP].iter().any(|list| list.contains(&it))
            || DOES_MORE.contains(&it) && !QUERIES.contains(&it)
    };
    // What is called is none of these.
    matches!(name, "call" | "bind")
        || all.first().is_some_and(begins)
        || all.iter().any(|it| it == "next")
}

/// Whether a name begins like that of a function that writes.
pub(super) fn is_write_name(name: &str) -> bool {
    words(name).first().is_some_and(|it| WRITES.contains(&it))
}

/// Whether a name begins like that of a function that has something done elsewhere: what it calls by names such as
/// `get` is no reading, then.
pub(super) fn is_deed(name: &str) -> bool {
    words(name).first().is_some_and(|it| DEEDS.contains(&it))
}

/// Whether a name is that of a function that asks a person, or ends the program.
pub(super) fn is_question_name(name: &str) -> bool {
    let of_name = words(name);
    let is_read = of_name.first().is_some_and(|it| READS.contains(&it));
    let all: SmallVec<[&str; 8]> = of_name.iter().collect();
    let is_text = |at: usize| is_read && is_said_to_model(&all, at);
    (0..all.len()).any(|at| ASKS.contains(&all[at]) && !is_text(at))
}

/// Whether a word of a read is the text that is said to a model, `getPrompt`: a person is asked by `promptFor`,
/// `getPromptAnswer`.
fn is_said_to_model(words: &[&str], at: usize) -> bool {
    at + 1 == words.len() && matches!(words[at], "prompt" | "prompts")
}

/// Whether a name is that of something whose calls have an order.
pub(super) fn is_ordered_name(name: &str) -> bool {
    // A `traceSession` is something that is looked up.
    name == "session" || words(name).iter().any(|it| ORDERED.contains(&it))
}

/// Whether a decorator is called like one that has a method run in a transaction: `@Transactional()`,
/// `@InjectTransactionManager()`.
pub(super) fn is_transactional(name: &str) -> bool {
    words(name).iter().any(|it| it.starts_with("transaction"))
}

/// Whether a name is that of what a transaction is handed on in: `sharedContext`, `manager`.
pub(super) fn is_context_name(name: &str) -> bool {
    words(name).last().is_some_and(|it| matches!(it, "context" | "ctx" | "manager"))
}

/// Whether an option of this name holds something whose calls have an order: `{ transaction }`, the request that carries
/// one. What is said of such a thing is none: `pageId`, `queueName`; nor is the number of a page.
pub(super) fn is_ordered_option(name: &str) -> bool {
    let words = words(name);
    let last = words.last();
    matches!(name, "req" | "session")
        || last.is_some_and(|it| it != "page" && ORDERED.contains(&it))
}

/// Whether a function is called like what waits until something is there.
pub(super) fn is_waiting_name(name: &str) -> bool {
    const WAITING: [&str; 7] = ["await", "poll", "ready", "until", "wait", "watch", "when"];
    words(name).iter().any(|it| WAITING.contains(&it))
}

/// What stands for a database, where each of its members is a table: `prisma.session`, `db.query.pages`.
const STORES: [&str; 7] = ["database", "db", "knex", "models", "orm", "prisma", "query"];

/// How questions to a table begin.
const TABLE_QUESTIONS: [&str; 3] = ["count", "exists", "find"];

/// Whether a method that is called so asks a table, if its receiver is one.
pub(super) fn asks_table(method: &str) -> bool {
    words(method).first().is_some_and(|it| TABLE_QUESTIONS.contains(&it))
}

/// Whether a member of what has this name is a table.
pub(super) fn is_store(name: &str) -> bool {
    words(name).last().is_some_and(|it| STORES.contains(&it))
}

/// Whether a name is that of a class, which a table may have: `Page`.
pub(super) fn is_class_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase)
}

/// Whether what a receiver is called is something with an order, or with something in it that a call sets
/// for those behind it: the entities that a unit of work knows, what somebody is signed in with.
pub(super) fn is_ordered_receiver(name: &str) -> bool {
    const UNITS_OF_WORK: [&str; 4] = ["em", "entityManager", "qr", "transactionalEntityManager"];
    let signs_in = |it: &str| matches!(it, "authentication" | "credentials");
    is_ordered_name(name) || UNITS_OF_WORK.contains(&name) || words(name).iter().any(signs_in)
}

/// Whether a name says that what it names looks something up, and does nothing else, where it is handed so
/// much.
pub(super) fn is_read_name(name: &str, handed: Handed) -> bool {
    let words = words(name);
    let words: SmallVec<[&str; 8]> = words.iter().collect();
    let words = without_care(&words);
    let Some((&first, rest)) = words.split_first() else { return false };
    let is_own = OWN_READS.contains(&first);
    let is_one = READS.contains(&first) || is_own;
    let is_read = is_one && !(rest.is_empty() && (is_own || READS_SOMETHING.contains(&first)))
        // `localPathExists`
        || rest.last() == Some(&"exists") && !DOES_MORE.contains(&first) && !WRITES.contains(&first)
        || rest.is_empty() && LOOKS_AT_FILES.contains(&first);
    let finds = rest.contains(&"by");
    let is_found_by = |at: usize| rest[..at].contains(&"by");
    let is_text = |at: usize| is_one && is_said_to_model(rest, at);
    let does_more = |(at, word): (usize, &&str)| {
        let is_plain = |it: &&str| FAILS.contains(it) || finds && FOUND_BY.contains(it);
        let joins = JOINS.contains(word) && rest.get(at + 1).is_none_or(|it| !is_plain(it));
        let is_key = first == "find" && *word == "unique";
        joins
            || DOES_MORE.contains(word)
                && !is_key
                && !is_text(at)
                && !(THINGS.contains(word) && (!is_what(rest, at) || is_found_by(at)))
            || HANDED_OUT_BY_ANY.contains(word) && is_what(rest, at)
    };
    // What runs may do more than what is asked of it: `getExecOutput`, `queryExec`.
    is_read
        && !rest.contains(&"exec")
        && !rest.iter().enumerate().any(does_more)
        && match first {
            "read" => !rest.iter().any(|it| PIECES.contains(it)),
            "load" => !rest.iter().any(|it| CODE.contains(it)),
            "get" | "fetch" => !takes(first, rest, handed),
            "query" => !rest.contains(&"post"),
            _ => true,
        }
}

/// Whether a name says that a session is got: `getSession`, `getCurrentSession`.
pub(super) fn is_session_name(name: &str) -> bool {
    let words = words(name);
    let words: SmallVec<[&str; 8]> = words.iter().collect();
    matches!(
        *words,
        ["get" | "load" | "fetch", "session"] | ["get" | "load" | "fetch", _, "session"]
    )
}

/// Whether what a name says is only believed of a function of the program.
pub(super) fn is_own_read_name(name: &str) -> bool {
    let words = words(name);
    let words: SmallVec<[&str; 8]> = words.iter().collect();
    without_care(&words).first().is_some_and(|it| OWN_READS.contains(it))
}

/// The words of a name without one in front that says how carefully it is done.
fn without_care<'w, 'n>(words: &'w [&'n str]) -> &'w [&'n str] {
    match words {
        [careful, rest @ ..] if CAREFUL.contains(careful) => rest,
        all => all,
    }
}

/// Whether a word says what is got, and not only of what.
fn is_what(words: &[&str], at: usize) -> bool {
    words.get(at + 1).is_none_or(|it| PREPOSITIONS.contains(it))
}

/// Whether what is got or fetched is taken from where it was, or is another one each time.
fn takes(verb: &str, what: &[&str], handed: Handed) -> bool {
    let is_taken = |(at, word): (usize, &&str)| match *word {
        // A cursor gives the next ones.
        "row" | "rows" => handed != Handed::Other,
        // What a code is exchanged for.
        "token" | "tokens" => verb == "get" && handed != Handed::Nothing && is_what(what, at),
        "channel" => verb == "get" && is_what(what, at),
        word if verb == "fetch" && FETCHED.contains(&word) => true,
        word => TAKEN.contains(&word) || (HANDED_OUT.contains(&word) && is_what(what, at)),
    };
    what.iter().enumerate().any(is_taken)
}

/// Whether a name begins with this word.
pub(super) fn begins_with(name: &str, word: &str) -> bool {
    words(name).first() == Some(word)
}

/// Whether a call brings something into a repository: `git.fetch()`, `remote.fetch(…)`.
pub(super) fn is_brought_in(receiver: &str, method: &str) -> bool {
    let (of, method) = (words(receiver), words(method));
    let is_one = of.last().is_some_and(|it| REPOSITORIES.contains(&it));
    let is_git = of.last() == Some("git");
    method.first() == Some("fetch") && is_one && (method.iter().len() == 1 || is_git)
}

/// The words of a name, in small letters.
struct Words {
    letters: String,
    /// Where each word ends in them.
    ends: SmallVec<[usize; 8]>,
}

impl Words {
    fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        let begin = |at: usize| at.checked_sub(1).map_or(0, |it| self.ends[it]);
        (0..self.ends.len()).map(move |at| &self.letters[begin(at)..self.ends[at]])
    }

    fn first(&self) -> Option<&str> {
        self.iter().next()
    }

    fn last(&self) -> Option<&str> {
        self.iter().next_back()
    }
}

/// The words of a name: `getHTMLBody`, `get_html_body`.
fn words(name: &str) -> Words {
    let mut words = Words { letters: String::with_capacity(name.len()), ends: SmallVec::new() };
    let mut is_new = true;
    let mut before: Option<char> = None;
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let before = before.replace(letter);
        if !letter.is_alphabetic() {
            is_new = true;
            continue;
        }
        let is_next_small = letters.peek().is_some_and(|it| it.is_lowercase());
        let begins =
            letter.is_uppercase() && (before.is_some_and(char::is_lowercase) || is_next_small);
        if is_new || begins {
            words.ends.push(words.letters.len());
        }
        is_new = false;
        words.letters.extend(letter.to_lowercase());
        if let Some(end) = words.ends.last_mut() {
            *end = words.letters.len();
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        let words_of = |name: &str| words(name).iter().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words_of("getHTMLBody"), ["get", "html", "body"]);
        assert_eq!(words_of("_find_by_id2"), ["find", "by", "id"]);
        assert_eq!(words_of("$isOK"), ["is", "ok"]);
        assert!(words_of("_").is_empty());
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
            "getSettings",
            "fetchPage",
            "getTokenBalance",
            "getTicketPrices",
            "getJob",
            "getPost",
            "getRows",
            "findUniqueOrThrow",
            "getProjectByNameOrId",
            "findByNameAndEmail",
            "tryReadManifest",
            "localPathExists",
            "fileExists",
            "resolveScope",
            "findAllByUserUuid",
            "findOneByUuid",
            "getLockCounter",
            "getResponseCount",
            "realpath",
        ];
        for name in reads {
            assert!(is_read_name(name, Handed::Other), "{name}");
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
            "readNumber",
            "readUInt32LE",
            "readUntil",
            "getNewAddress",
            "getToken",
            "getWorkerFor",
            "fetchJobs",
            "fetchPost",
            "fetchTags",
            "getUpdates",
            "fetchMutation",
            "queryExec",
            "getExecOutput",
            "findForUpdate",
            "findByIdAndUpdate",
            "getNameOrId",
            "tryCreate",
            "createIfNotExists",
            "ensureExists",
            "getUniqueName",
            "getUuid",
            "getLock",
            "getLockFor",
            "findByUuidAndUpdate",
            "resolve",
        ];
        for name in others {
            assert!(!is_read_name(name, Handed::Other), "{name}");
        }
    }

    #[test]
    fn rows_are_taken_from_cursors() {
        for handed in [Handed::Nothing, Handed::OneNumber] {
            assert!(!is_read_name("getRow", handed));
        }
        assert!(is_read_name("getToken", Handed::Nothing));
        assert!(!is_read_name("getToken", Handed::OneNumber));
    }

    #[test]
    fn receivers_have_orders() {
        for name in ["em", "entityManager", "qr", "userCredentials", "tx"] {
            assert!(is_ordered_receiver(name), "{name}");
        }
        assert!(!is_ordered_receiver("manager"));
        assert!(is_brought_in("git", "fetchAll"));
        assert!(is_brought_in("repo", "fetch"));
        assert!(!is_brought_in("repo", "fetchUser"));
    }
}
