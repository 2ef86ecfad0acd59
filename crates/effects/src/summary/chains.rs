//! Calls that only complete one that is written like a read: `s3.getObject(key).promise()`,
//! `Orders.find(query).sort(order).lean()`, the body of its answer; and queries that are written out:
//! `` sql`SELECT …` ``.

use headstart_callgraph::{CallGraph, InstRef};
use headstart_ir::{FileIr, Inst, InstId};
use rustc_hash::FxHashSet;

use super::Summaries;
use super::names::is_store;
use super::query::{HOLE, Reading, reading};
use super::readers::{callee_name, has_order, name_of};
use super::row::arguments;
use super::told::written_text;

/// How many calls a chain may have.
const LONGEST_CHAIN: u32 = 8;

/// The names of methods that only choose among what is read, put it in order, or have it read.
const COMPLETING: [&str; 24] = [
    "all",
    "asc",
    "desc",
    "eq",
    "exec",
    "executeTakeFirst",
    "from",
    "groupBy",
    "having",
    "include",
    "innerJoin",
    "lean",
    "leftJoin",
    "limit",
    "offset",
    "order",
    "orderBy",
    "populate",
    "project",
    "promise",
    "skip",
    "sort",
    "toArray",
    "where",
];

/// The names of methods of an answer that read its body (Fetch, 5.3).
const BODIES: [&str; 6] = ["arrayBuffer", "blob", "bytes", "formData", "json", "text"];

/// How answers are called.
const ANSWERS: [&str; 6] = ["answer", "r", "reply", "res", "resp", "response"];

/// The names of methods of a database with which a query begins that only reads.
const SELECTING: [&str; 4] = ["select", "selectDistinct", "selectDistinctOn", "selectFrom"];

/// The names of what runs the query that it is handed.
const RUNNING: [&str; 14] = [
    "$queryRaw",
    "all",
    "any",
    "execute",
    "many",
    "manyOrNone",
    "one",
    "oneOrNone",
    "query",
    "queryRows",
    "raw",
    "rows",
    "sql",
    "unsafe",
];

/// Adds the calls that only complete one of `reads`.
pub(super) fn complete(
    graph: &CallGraph<'_>,
    waited: &FxHashSet<InstRef>,
    reads: &mut FxHashSet<InstRef>,
) {
    let completed = |at: &&InstRef| {
        let ir = graph.files()[at.file as usize];
        let of = |inst| InstRef { inst, ..**at };
        let is_plain = |arg: &InstId| !graph.may_be_function(of(*arg));
        let begins = |it| reads.contains(&of(it)) || begins_selection(ir, it);
        let is_answer = || answered(ir, at.inst).is_some_and(|it| reads.contains(&of(it)));
        !reads.contains(at)
            && (completes(ir, at.inst, &is_plain).is_some_and(begins) || is_answer())
    };
    let found: Vec<InstRef> = waited.iter().filter(completed).copied().collect();
    reads.extend(found);
}

/// The call that another one only completes.
fn completes(ir: &FileIr, call: InstId, is_plain: &dyn Fn(&InstId) -> bool) -> Option<InstId> {
    let mut at = call;
    for _ in 0..LONGEST_CHAIN {
        let Inst::CallMethod { object, args, .. } = ir.inst(at) else { return None };
        let is_one = callee_name(ir, at).is_some_and(|it| COMPLETING.contains(&it));
        if !is_one || !ir.args(args).iter().all(is_plain) {
            return (at != call).then_some(at);
        }
        at = object;
    }
    None
}

/// The call whose answer a call reads the body of: `const response = await api.get(url); await response.json();`.
fn answered(ir: &FileIr, call: InstId) -> Option<InstId> {
    if let Inst::CallMethod { object, args, .. } = ir.inst(call)
        && let (Some("then"), &[reaction]) = (callee_name(ir, call), ir.args(args))
    {
        // `api.get(url).then((response) => response.json())`
        let Inst::Closure(function) = ir.inst(reaction) else { return None };
        let body = ir.function(function);
        let last = FileIr::range(body.first, body.end).next_back().map(|it| ir.inst(it));
        let gives_body = |it| body_of(ir, it).is_some_and(|of| ir.inst(of) == Inst::Param(0));
        return matches!(last, Some(Inst::Return(it)) if gives_body(it)).then_some(object);
    }
    match ir.inst(body_of(ir, call)?) {
        Inst::Await(call) => Some(call),
        _ => None,
    }
}

/// The value of the variable whose body a call reads.
fn body_of(ir: &FileIr, call: InstId) -> Option<InstId> {
    let Inst::CallMethod { object, args, .. } = ir.inst(call) else { return None };
    let is_body = callee_name(ir, call).is_some_and(|it| BODIES.contains(&it));
    let Inst::LoadVar(var) = ir.inst(object) else { return None };
    let is_once = ir.variable(var).writes == 1;
    ir.initial_value(var).filter(|_| is_body && is_once && ir.args(args).is_empty())
}

/// Whether a call reads the body of what a function is given, which is called like an answer: `response.json()`.
pub(super) fn reads_body_of_answer(ir: &FileIr, call: InstId) -> bool {
    let is_answer = || match ir.inst(call) {
        Inst::CallMethod { object, .. } => {
            name_of(ir, object).is_some_and(|it| ANSWERS.contains(&it))
        }
        _ => false,
    };
    body_of(ir, call).is_some_and(|it| matches!(ir.inst(it), Inst::Param(_))) && is_answer()
}

/// Whether a call begins to put a query together that only reads: `db.select()`.
fn begins_selection(ir: &FileIr, call: InstId) -> bool {
    let Inst::CallMethod { object, .. } = ir.inst(call) else { return false };
    let is_one = callee_name(ir, call).is_some_and(|it| SELECTING.contains(&it));
    is_one && name_of(ir, object).is_some_and(is_store)
}

/// Whether a call is one of what another call gives: `Orders.find(query).sort(order)`.
pub(super) fn is_on_call(ir: &FileIr, call: InstId) -> bool {
    let Inst::CallMethod { object, .. } = ir.inst(call) else { return false };
    matches!(ir.inst(object), Inst::Call { .. } | Inst::CallMethod { .. })
}

/// Whether a call gives what the call that it is on gives, or a part of it.
pub(super) fn hands_on(ir: &FileIr, call: InstId) -> bool {
    callee_name(ir, call)
        .is_some_and(|it| matches!(it, "then" | "catch" | "finally") || COMPLETING.contains(&it))
}

impl Summaries<'_> {
    /// Whether a call is handed a query, written out, that only reads.
    #[must_use]
    pub(crate) fn is_written_query(&self, call: InstRef) -> bool {
        is_written_query(self.graph.files()[call.file as usize], call.inst)
    }

    /// The call whose name says what a chain of calls reads.
    pub(super) fn named_in_chain(&self, call: InstRef) -> InstRef {
        let ir = self.graph.files()[call.file as usize];
        let of = |inst| InstRef { inst, ..call };
        let named = completes(ir, call.inst, &|_| true).or_else(|| answered(ir, call.inst)).map(of);
        named.filter(|it| self.is_waited_read(*it)).unwrap_or(call)
    }
}

/// Whether a call is handed a query, written out, that only reads, and called like what runs it.
pub(super) fn is_written_query(ir: &FileIr, call: InstId) -> bool {
    let is_running = || callee_name(ir, call).is_some_and(|it| RUNNING.contains(&it));
    let args = arguments(ir.inst(call)).map(|it| ir.args(it)).unwrap_or_default();
    let is_free = || match ir.inst(call) {
        Inst::CallMethod { object, .. } => !has_order(ir, object),
        _ => true,
    };
    let first = args.first().filter(|_| is_running() && is_free());
    let Some(&first) = first else { return false };
    let text = match ir.inst(first) {
        // The texts of a tag. What is put in is a value, unless it is made by a call: another part of the query.
        Inst::Array(_) if !args[1..].iter().all(|&it| is_value(ir, it)) => return false,
        Inst::Array(texts) => {
            let texts: Vec<String> =
                ir.args(texts).iter().map(|&it| written_text(ir, it)).collect();
            texts.join(&String::from(HOLE))
        }
        _ => written_text(ir, first),
    };
    let is_tag = matches!(ir.inst(first), Inst::Array(_));
    match reading(&text) {
        Reading::Reads => true,
        // What it begins with has to be known.
        Reading::Selects => is_tag && !text.trim_start().starts_with(HOLE),
        Reading::Anything => false,
    }
}

/// Whether a value is none that a call makes.
fn is_value(ir: &FileIr, value: InstId) -> bool {
    match ir.inst(value) {
        Inst::LoadVar(var) => match ir.initial_value(var) {
            Some(it) => !matches!(
                ir.inst(it),
                Inst::Call { .. } | Inst::CallMethod { .. } | Inst::Select(..)
            ),
            None => true,
        },
        it => matches!(
            it,
            Inst::Literal(_)
                | Inst::Get { .. }
                | Inst::Template(_)
                | Inst::Operator { .. }
                | Inst::Param(_)
        ),
    }
}
