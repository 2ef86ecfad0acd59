//! Pools that have one connection: what they are asked for waits for what they were asked before, so
//! that nothing overlaps (the contract, S7).

use headstart_callgraph::{AbstractObject, CallGraph, FunctionRef, InstRef, ObjectId};
use headstart_ir::{FileIr, Inst, InstId, Key, Literal};
use headstart_models::{Argument, Call};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Summaries;
use super::row::arguments;

/// The pools of one connection that functions ask, themselves or by what they call, once somebody has
/// asked.
#[derive(Debug, Default)]
pub(crate) struct Pools {
    /// Where such pools are made.
    made: FxHashSet<InstRef>,
    functions: FxHashMap<FunctionRef, FxHashSet<ObjectId>>,
}

impl Summaries<'_> {
    /// Whether some instructions of a function ask a pool of one connection that others of it ask, too.
    #[must_use]
    pub fn shares_only_connection(
        &self,
        function: FunctionRef,
        one: (InstId, InstId),
        other: (InstId, InstId),
    ) -> bool {
        let pools = self.pools.get_or_init(|| Pools::of(self));
        if pools.made.is_empty() {
            return false;
        }
        let asked = |range| pools.asked(&self.graph, function, range);
        let of_one: FxHashSet<ObjectId> = asked(one);
        !of_one.is_empty() && !of_one.is_disjoint(&asked(other))
    }
}

impl Pools {
    /// From what asks pools up to all that calls that.
    fn of(all: &Summaries<'_>) -> Self {
        let graph = &all.graph;
        let calls = || (0..).zip(graph.files()).flat_map(|(file, _)| graph.calls(file));
        let made: FxHashSet<InstRef> = calls().filter(|&at| makes_pool_of_one(graph, at)).collect();
        let mut pools = Self { made, functions: FxHashMap::default() };
        if pools.made.is_empty() {
            return pools;
        }
        let pending: Vec<(FunctionRef, ObjectId)> = calls()
            .flat_map(|at| {
                let function = graph.function_at(at);
                pools.asked_by(graph, at).into_iter().map(move |it| (function, it))
            })
            .collect();
        let functions = &mut pools.functions;
        all.spread_to_callers(pending, |function, pool| {
            functions.entry(function).or_default().insert(pool)
        });
        pools
    }

    /// The pools that a call asks itself.
    fn asked_by(&self, graph: &CallGraph<'_>, at: InstRef) -> Vec<ObjectId> {
        let ir = graph.files()[at.file as usize];
        let Inst::CallMethod { object, .. } = ir.inst(at.inst) else { return Vec::new() };
        let is_pool = |it: &ObjectId| match graph.object(*it) {
            AbstractObject::Made(made) => self.made.contains(&made),
            _ => false,
        };
        let mut objects = graph.value_objects(InstRef { inst: object, ..at });
        objects.retain(is_pool);
        objects
    }

    /// The pools that instructions of a function ask.
    fn asked(
        &self,
        graph: &CallGraph<'_>,
        function: FunctionRef,
        (first, end): (InstId, InstId),
    ) -> FxHashSet<ObjectId> {
        let mut found = FxHashSet::default();
        for inst in FileIr::range(first, end) {
            let at = InstRef { file: function.file, inst };
            found.extend(self.asked_by(graph, at));
            graph.for_each_function(at, &mut |callee| {
                found.extend(self.functions.get(&callee).into_iter().flatten());
            });
        }
        found
    }
}

/// Whether a call makes a pool that is told to have one connection.
fn makes_pool_of_one(graph: &CallGraph<'_>, at: InstRef) -> bool {
    let ir = graph.files()[at.file as usize];
    let Some(args) = arguments(ir.inst(at.inst)).map(|it| ir.args(it)) else { return false };
    let callees = graph.callees(at);
    callees.modelled.iter().filter_map(|it| it.call).any(|row| {
        let given = || options(row, args).into_iter();
        row.limit.as_ref().is_some_and(|limit| given().any(|it| is_one(graph, at, it, limit)))
    })
}

fn options(row: &Call, args: &[InstId]) -> Vec<InstId> {
    let is_options = |(kind, _): &(&Argument, &InstId)| **kind == Argument::Options;
    row.arguments.iter().zip(args).filter(is_options).map(|(_, &it)| it).collect()
}

/// Whether options have the number one under a key.
fn is_one(graph: &CallGraph<'_>, at: InstRef, options: InstId, limit: &str) -> bool {
    graph.objects(InstRef { inst: options, ..at }).into_iter().any(|it| {
        let AbstractObject::Made(literal) = it else { return false };
        let ir = graph.files()[literal.file as usize];
        let end = ir.function(graph.function_at(literal).function).end;
        FileIr::range(literal.inst, end).any(|id| match ir.inst(id) {
            Inst::Set { object, key, value } if object == literal.inst => {
                matches!(key.get(), Key::Name(name) if ir.name(name) == limit)
                    && ir.inst(value) == Inst::Literal(Literal::Number(Some(1)))
            }
            _ => false,
        })
    })
}
