//! A query of one table behind a change of rows in another one: `prisma.user.update(…)`, then `prisma.post.findMany(…)`.

use headstart_effects::{Assumption, Code, Resource, SummaryLocation};
use headstart_ir::{FileIr, Inst, InstId, Key};

use crate::crossing::Mover;
use crate::naming::parts;
use crate::siblings::is_alone;
use crate::unit::{Scope, Unit};

/// What changes rows that are there, and nothing else: neither adds nor takes away what others refer to.
const CHANGES: [&str; 2] = ["update", "updateMany"];

/// What only asks.
const ASKS: [&str; 8] = [
    "aggregate",
    "count",
    "findFirst",
    "findFirstOrThrow",
    "findMany",
    "findUnique",
    "findUniqueOrThrow",
    "groupBy",
];

/// The package whose clients have a property for each table.
const PACKAGE: &str = "@prisma/client";

/// The options by which a query asks for rows of other tables along with its own.
const RELATIONS: [&str; 2] = ["_count", "include"];

/// How deep conditions are looked into.
const DEEPEST: u32 = 6;

/// A call of a query on one table of a client.
struct Query<'a> {
    client: InstId,
    table: &'a str,
    method: &'a str,
    options: Option<InstId>,
}

impl Mover {
    /// That a query asks for no row that a statement changes, where that changes those of another table and the query
    /// names no relation to it.
    pub(crate) fn asks_another_table(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        places: [&SummaryLocation; 2],
    ) -> Option<Assumption> {
        let is_connection =
            |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(Resource::Connection, _));
        let site = unit.site.as_ref().filter(|_| places.into_iter().all(is_connection))?;
        let (change, query) = (query(scope, site.operation)?, query(scope, self.operation)?);
        let ir = scope.analysis.ir;
        let is_apart = CHANGES.contains(&change.method)
            && ASKS.contains(&query.method)
            && ir.are_alike(change.client, query.client)
            && change.table != query.table
            && query.options.is_none_or(|it| is_of_one_table(ir, it, DEEPEST))
            && change.options.is_some_and(|it| is_of_one_table(ir, it, DEEPEST))
            && is_alone(scope, unit, site, Resource::Connection);
        let reason = Code::AnotherTable.with(&[query.table]);
        is_apart.then(|| Assumption::new(reason, unit.stmt.span))
    }
}

/// The query that a call is, where a model says that it is one of a client with a property for each table.
fn query<'p>(scope: &Scope<'_, 'p>, call: InstId) -> Option<Query<'p>> {
    let ir = scope.analysis.ir;
    let (of, method) = ir.method_call(call)?;
    let (_, args) = parts(ir, call)?;
    let Inst::Get { object: client, key } = ir.inst(of) else { return None };
    let Key::Name(table) = key.get() else { return None };
    let callees = scope.summaries.graph.callees(scope.analysis.at(call));
    let is_of_package = callees.functions.is_empty()
        && !callees.modelled.is_empty()
        && callees.modelled.iter().all(|it| it.module == PACKAGE);
    let table = ir.name(table);
    is_of_package.then(|| Query { client, table, method, options: args.first().copied() })
}

/// Whether options of a query name no relation to another table, as far as they are written out: what is compared with
/// is no object, or one of operators.
fn is_of_one_table(ir: &FileIr, options: InstId, depth: u32) -> bool {
    const PARTS: [&str; 5] = ["data", "orderBy", "select", "where", "having"];
    const OPERATORS: [&str; 29] = [
        "AND",
        "NOT",
        "OR",
        "contains",
        "decrement",
        "divide",
        "endsWith",
        "equals",
        "gt",
        "gte",
        "has",
        "hasEvery",
        "hasSome",
        "in",
        "increment",
        "isEmpty",
        "lt",
        "lte",
        "mode",
        "multiply",
        "not",
        "notIn",
        "nulls",
        "push",
        "search",
        "set",
        "sort",
        "startsWith",
        "unset",
    ];
    let Some(depth) = depth.checked_sub(1) else { return false };
    if let Inst::Array(elements) = ir.inst(options) {
        return ir.args(elements).iter().all(|&it| is_of_one_table(ir, it, depth));
    }
    if ir.inst(options) != Inst::Object {
        return true;
    }
    let end = ir.function(ir.function_at(options)).end;
    let is_outer = depth + 1 == DEEPEST;
    FileIr::range(options, end).all(|id| match ir.inst(id) {
        Inst::Set { object, key, value } if object == options => match key.get() {
            Key::Name(name) if is_outer => {
                let name = ir.name(name);
                !RELATIONS.contains(&name)
                    && (!PARTS.contains(&name) || is_of_one_table(ir, value, depth))
            }
            // A column, or an operator: below a column, only operators stand.
            Key::Name(name) => {
                let is_operator = OPERATORS.contains(&ir.name(name));
                let is_object = ir.inst(value) == Inst::Object;
                let below = || only_operators(ir, value, &OPERATORS);
                !RELATIONS.contains(&ir.name(name))
                    && (!is_object || (is_operator && is_of_one_table(ir, value, depth)) || below())
            }
            Key::Private(_) | Key::Computed(_) => true,
        },
        _ => true,
    })
}

/// Whether all keys of an object literal are some words.
fn only_operators(ir: &FileIr, literal: InstId, words: &[&str]) -> bool {
    let end = ir.function(ir.function_at(literal)).end;
    FileIr::range(literal, end).all(|id| match ir.inst(id) {
        Inst::Set { object, key, .. } if object == literal => {
            matches!(key.get(), Key::Name(name) if words.contains(&ir.name(name)))
        }
        _ => true,
    })
}
