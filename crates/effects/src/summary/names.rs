//! What the names of functions and receivers say: which look something up, write, ask a person, or have an
//! order. The words are those of a name in camel case or with underscores.

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

/// Whether a name begins like that of a function that writes.
pub(super) fn is_write_name(name: &str) -> bool {
    words(name).first().is_some_and(|it| WRITES.contains(&it.as_str()))
}

/// Whether a name is that of a function that asks a person, or ends the program.
pub(super) fn is_question_name(name: &str) -> bool {
    words(name).iter().any(|it| ASKS.contains(&it.as_str()))
}

/// Whether a name is that of something whose calls have an order.
pub(super) fn is_ordered_name(name: &str) -> bool {
    // A `traceSession` is something that is looked up.
    name == "session" || words(name).iter().any(|it| ORDERED.contains(&it.as_str()))
}

/// Whether a name says that what it names looks something up, and does nothing else.
pub(super) fn is_read_name(name: &str) -> bool {
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
