//! What a call that is written like a read is told: whether that says that it does more.
//!
//! `api.fetchJson("/items", { method: "POST" })` is no read, whatever its name is, nor is
//! `db.getFirst("INSERT …")`. What is written out says it, at whatever depth, and what a constant of the file
//! stands for.

use headstart_ir::{FileIr, Inst, InstId, Key, Literal, PropKey};
use rustc_hash::FxHashMap;

use super::names::begins_with;
use super::query::HOLE;
use super::row::arguments;

/// Keys that say that something is changed, or locked, where what they hold is not `false`.
const WRITING_KEYS: [&str; 14] = [
    "body",
    "create",
    "createIfMissing",
    "createIfNone",
    "delete",
    "forUpdate",
    "insert",
    "lock",
    "remove",
    "save",
    "set",
    "update",
    "upsert",
    "write",
];

/// Keys of what chooses what is read, or how it is shown: what is in them are names of columns.
const CHOOSING_KEYS: [&str; 11] = [
    "attributes",
    "columns",
    "fields",
    "filter",
    "include",
    "match",
    "orderBy",
    "params",
    "select",
    "sort",
    "where",
];

/// The words with which statements of SQL begin that change something or run something, and those of GraphQL.
const STATEMENTS: [&str; 24] = [
    "alter",
    "begin",
    "call",
    "commit",
    "copy",
    "create",
    "delete",
    "drop",
    "exec",
    "execute",
    "grant",
    "insert",
    "lock",
    "merge",
    "mutation",
    "replace",
    "revoke",
    "rollback",
    "savepoint",
    "set",
    "truncate",
    "update",
    "upsert",
    "vacuum",
];

/// What a query does besides reading, wherever it stands in it.
const WITHIN: [&str; 8] = [
    " for share",
    " for update",
    " returning ",
    "for no key update",
    "nextval(",
    "pg_advisory",
    "set_config(",
    "setval(",
];

/// The methods of requests that change something (RFC 9110, 9.2.1).
const CHANGING: [&str; 4] = ["DELETE", "PATCH", "POST", "PUT"];

/// The methods of requests that only read.
const READING: [&str; 3] = ["GET", "HEAD", "OPTIONS"];

/// How many values a call may be told; of what is told more, nobody knows what it says.
const MOST_VALUES: usize = 4096;

/// How many constants and parts of texts within one another are looked through.
const DEEPEST: u32 = 6;

/// Whether a call is told, or may be, that it does more than look something up. `is_function` says whether a
/// value may be a function of the program, which it would be for the call to run.
pub(super) fn is_told_more(
    ir: &FileIr,
    call: InstId,
    name: &str,
    is_function: &dyn Fn(InstId) -> bool,
) -> bool {
    let Some(args) = arguments(ir.inst(call)).map(|it| ir.args(it)) else { return false };
    // `send("post", url)`
    let is_method_first = args.len() > 1
        && args.first().is_some_and(|&it| is_one_of(&text(ir, it, DEEPEST), &CHANGING));
    let is_request = begins_with(name, "fetch") || name == "ofetch";
    let parts = args.iter().map(|&it| (it, Part::Argument)).collect();
    is_method_first
        || (is_request && args.get(1).is_some_and(|&it| !is_written_out(ir, it, call)))
        || Told { ir, is_function }.says_more(parts, call, DEEPEST)
}

/// Whether a call is handed a statement, written out, that changes something: `pool.query("UPDATE …")`.
pub(super) fn is_told_to_change(ir: &FileIr, call: InstId) -> bool {
    let args = arguments(ir.inst(call)).map_or(&[] as &[InstId], |it| ir.args(it));
    args.iter().any(|&it| is_change(&text(ir, it, DEEPEST)))
}

/// Where a value stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// It is an argument.
    Argument,
    /// It is part of one.
    Option,
    /// It is part of what chooses what is read.
    Choice,
    /// What is made of it is handed on: only texts in it say something.
    Made,
}

struct Told<'a> {
    ir: &'a FileIr,
    is_function: &'a dyn Fn(InstId) -> bool,
}

impl Told<'_> {
    /// Whether one of some values, all of which are complete before `end`, says that more is done.
    fn says_more(&self, mut parts: FxHashMap<InstId, Part>, end: InstId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return true };
        let lowest = |it: &FxHashMap<InstId, Part>| it.keys().copied().min();
        let Some(mut first) = lowest(&parts) else { return false };
        // What is put into an object stands behind it, and what it is made of before.
        for (count, id) in FileIr::range(InstId::new(0), end).rev().enumerate() {
            if id < first {
                break;
            }
            if count >= MOST_VALUES {
                return true;
            }
            let mut within = Vec::new();
            let says = match self.ir.inst(id) {
                Inst::Set { object, key, value } => match parts.get(&object) {
                    Some(&part) => self.member(part, key, value, &mut within),
                    None => false,
                },
                Inst::CopyProps { object, value } => {
                    within.extend(parts.get(&object).map(|&part| (value, part)));
                    false
                }
                Inst::Accessor { object, .. } => {
                    parts.get(&object).is_some_and(|it| *it != Part::Made)
                }
                _ => match parts.get(&id) {
                    Some(&part) => self.value(id, part, depth, &mut within),
                    None => false,
                },
            };
            if says {
                return true;
            }
            for (value, part) in within {
                first = first.min(value);
                parts.insert(value, part);
            }
        }
        false
    }

    /// Whether a value itself says so; `within` gets what it is made of.
    fn value(&self, id: InstId, part: Part, depth: u32, within: &mut Vec<(InstId, Part)>) -> bool {
        let inner = if part == Part::Argument { Part::Option } else { part };
        match self.ir.inst(id) {
            // A text that is not kept may be any statement.
            Inst::Literal(Literal::LongString) => part == Part::Argument,
            Inst::Literal(Literal::String(_)) | Inst::Template(_) => {
                is_change(&text(self.ir, id, DEEPEST))
            }
            Inst::Operator { plus: true, .. } => is_change(&text(self.ir, id, DEEPEST)),
            Inst::Closure(_) | Inst::Class(_) => part != Part::Made,
            Inst::Array(elements) => {
                within.extend(self.ir.args(elements).iter().map(|&it| (it, inner)));
                false
            }
            Inst::New { args, .. } => {
                within.extend(self.ir.args(args).iter().map(|&it| (it, inner)));
                false
            }
            Inst::Call { args, .. } | Inst::CallMethod { args, .. } => {
                within.extend(self.ir.args(args).iter().map(|&it| (it, Part::Made)));
                false
            }
            Inst::Spread(value) => {
                within.push((value, inner));
                false
            }
            Inst::Await(value) => {
                within.push((value, Part::Made));
                false
            }
            Inst::Select(one, other) => {
                within.extend([(one, part), (other, part)]);
                false
            }
            Inst::LoadVar(_) => match constant(self.ir, id) {
                // An item of a list, a member: what it holds does not stand here, and how the variable is used says
                // whether it is a function.
                Some((value, _))
                    if matches!(self.ir.inst(value), Inst::Get { .. } | Inst::Iterate(_)) =>
                {
                    part != Part::Made && (self.is_function)(id)
                }
                Some((value, end)) => {
                    let parts = std::iter::once((value, part)).collect();
                    self.says_more(parts, end, depth)
                }
                None => part != Part::Made && (self.is_function)(id),
            },
            _ => part != Part::Made && (self.is_function)(id),
        }
    }

    /// Whether what an object has under a key says so.
    fn member(
        &self,
        part: Part,
        key: PropKey,
        value: InstId,
        within: &mut Vec<(InstId, Part)>,
    ) -> bool {
        let inner = if part == Part::Argument { Part::Option } else { part };
        let Key::Name(name) = key.get() else {
            within.push((value, inner));
            return false;
        };
        let name = self.ir.name(name);
        let is_choice = inner == Part::Option && CHOOSING_KEYS.contains(&name);
        within.push((value, if is_choice { Part::Choice } else { inner }));
        if inner != Part::Option {
            return false;
        }
        let none = matches!(
            self.ir.inst(value),
            Inst::Literal(Literal::Boolean(false) | Literal::Null | Literal::Undefined)
        );
        match name {
            "method" => !is_one_of(&text(self.ir, value, DEEPEST), &READING),
            // Of what a list is made, too: `{ type: "book" }`.
            "type" => is_one_of(&text(self.ir, value, DEEPEST), &CHANGING),
            _ => WRITING_KEYS.contains(&name) && !none,
        }
    }
}

/// Whether all that is said in an argument of a call is written there.
fn is_written_out(ir: &FileIr, argument: InstId, call: InstId) -> bool {
    let copies =
        |id: InstId| matches!(ir.inst(id), Inst::CopyProps { object, .. } if object == argument);
    match ir.inst(argument) {
        Inst::Literal(_) | Inst::Template(_) | Inst::Array(_) | Inst::New { .. } => true,
        Inst::Object => !FileIr::range(argument, call).any(copies),
        _ => false,
    }
}

/// The value of a constant, and where it is complete.
fn constant(ir: &FileIr, load: InstId) -> Option<(InstId, InstId)> {
    let Inst::LoadVar(var) = ir.inst(load) else { return None };
    let variable = ir.variable(var);
    let init = variable.init.filter(|_| variable.is_stable())?;
    match ir.inst(init) {
        Inst::StoreVar { value, .. } => Some((value, init)),
        _ => None,
    }
}

/// What is known of a text; [`HOLE`] stands for the rest.
fn text(ir: &FileIr, value: InstId, depth: u32) -> String {
    let unknown = || String::from(HOLE);
    let Some(depth) = depth.checked_sub(1) else { return unknown() };
    match ir.inst(value) {
        Inst::Literal(Literal::String(name)) => ir.name(name).to_owned(),
        Inst::Template(parts) => {
            ir.args(parts).iter().map(|&it| text(ir, it, depth)).collect::<String>()
        }
        Inst::Operator { left, right, plus: true, .. } => {
            text(ir, left, depth) + &text(ir, right, depth)
        }
        Inst::LoadVar(_) => match constant(ir, value) {
            Some((value, _)) => text(ir, value, depth),
            None => unknown(),
        },
        _ => unknown(),
    }
}

/// The text of a value as far as it is written out; [`HOLE`] stands for the rest.
pub(super) fn written_text(ir: &FileIr, value: InstId) -> String {
    text(ir, value, DEEPEST)
}

fn is_one_of(text: &str, methods: &[&str]) -> bool {
    methods.iter().any(|it| it.eq_ignore_ascii_case(text))
}

/// Whether a text is a statement that changes something, or the method of a request that does.
fn is_change(text: &str) -> bool {
    let text = behind_comments(text);
    let end = text.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(text.len());
    let (first, rest) = text.split_at(end);
    let lower = first.to_ascii_lowercase();
    // `DELETE`, `BEGIN`, or a word of somebody's own.
    let is_whole = rest.trim_end_matches(';').is_empty() && first == first.to_ascii_uppercase();
    let goes_on = rest.starts_with(|it: char| it.is_whitespace() || matches!(it, '{' | '('));
    if CHANGING.contains(&first) && (is_whole || goes_on) {
        return true;
    }
    if STATEMENTS.contains(&lower.as_str()) && (is_whole || goes_on) {
        return true;
    }
    if !text.contains(|it: char| it.is_whitespace() || it == '(') {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    let is_word = |it: &&str| STATEMENTS.contains(it);
    let changes_within =
        |it: &str| it.split(|it: char| !it.is_ascii_alphabetic()).any(|it| is_word(&it));
    let plain = lower.split_whitespace().collect::<Vec<_>>().join(" ") + " ";
    WITHIN.iter().any(|it| plain.contains(it))
        || plain.contains("} mutation ")
        || (plain.starts_with("with ") && changes_within(&plain))
}

/// A text without the white space and the comments that it begins with.
fn behind_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let behind = if rest.starts_with("--") || rest.starts_with('#') {
            rest.split_once('\n').map_or("", |it| it.1)
        } else if rest.starts_with("/*") {
            rest.split_once("*/").map_or("", |it| it.1)
        } else {
            return rest;
        };
        rest = behind.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_change_something() {
        for text in [
            "INSERT INTO a VALUES (1)",
            "delete from a",
            "\n  -- why\n  update a set b = 1",
            "BEGIN",
            "COMMIT;",
            "POST",
            "PUT /items",
            "mutation { add }",
            "mutation Add($a: Int) { add(a: $a) }",
            "fragment A on B { c } mutation D { e }",
            "SELECT nextval('a')",
            "SELECT a FROM b\n FOR UPDATE",
            "WITH a AS (DELETE FROM b RETURNING c) SELECT c FROM a",
        ] {
            assert!(is_change(text), "{text}");
        }
        for text in [
            "",
            "SELECT a FROM b",
            "update",
            "set",
            "query { a }",
            "created",
            "WITH a AS (SELECT 1) SELECT 2",
        ] {
            assert!(!is_change(text), "{text}");
        }
    }
}
