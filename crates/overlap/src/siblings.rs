//! Two operations of one function, each for another thing: another file, another row, another key.

use std::collections::BTreeSet;

use headstart_callgraph::{Callees, FunctionRef};
use headstart_effects::{Assumption, Blocker, Code, Resource, Step, SummaryLocation, Which};
use headstart_ir::{Inst, InstId};

use crate::crossing::{Mover, Obstacle};
use crate::named::{Named, Naming, Uses};
use crate::naming::{Written, has_condition, has_places, is_apart, keeps_order, parts, touches};
use crate::paths::may_be_alike;
use crate::site::{Site, location_text};
use crate::unit::{Scope, Unit};
use crate::whole::writes_whole;
use crate::words;

impl Mover {
    /// That what it writes does not lose its place in the order: it starts right behind the start of what the
    /// statement waits for, and where that changes something too, both call one function.
    ///
    /// # Errors
    /// It would.
    pub(crate) fn keeps_order(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        written: &SummaryLocation,
        (is_changing, is_joined): (bool, bool),
    ) -> Result<(), Obstacle> {
        let ir = scope.analysis.ir;
        let span = ir.span(self.operation);
        let blocked = |reason| Err(Obstacle::Blocked(Blocker::new(reason, span)));
        let name = self.name(scope);
        let is_row = matches!(
            written,
            SummaryLocation::Resource(Resource::Connection | Resource::Storage, _)
        );
        let other = unit.site.as_ref().map(|it| it.operation);
        let is_one = other.is_some_and(|it| calls_one(scope, [it, self.operation]));
        let is_apart = is_one && is_joined;
        let is_own = !is_row || self.is_for_another(scope, unit, [written, written]).is_some();
        if (is_changing || is_row) && !(is_apart && is_own) {
            let what = location_text(scope.analysis, written);
            return blocked(Code::WriteOrderOfOperation.with(&[&name, &what]));
        }
        if !is_changing {
            return Ok(());
        }
        let is_own_function =
            |it: InstId| !scope.summaries.graph.callees(scope.analysis.at(it)).functions.is_empty();
        let both = [Some(self.operation), other];
        match both
            .into_iter()
            .flatten()
            .find_map(|it| Written { ir, end: it }.tells_of_others(it, is_own_function(it)))
        {
            Some(word) => blocked(Code::TellsOfOthers.with(&[&name, word])),
            None => Ok(()),
        }
    }

    /// That it changes another thing than a statement does that calls the same; none where they may be about the
    /// same, or where what they change has an order.
    pub(crate) fn is_for_another(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        [read, written]: [&SummaryLocation; 2],
    ) -> Option<Assumption> {
        let site = unit.site.as_ref()?;
        let kind = one_kind(read, written)?;
        let pair = Pair { scope: *scope, calls: [site.operation, self.operation], kind };
        if !pair.is_apart(is_same_place(read, written)) {
            return None;
        }
        if !is_alone(scope, unit, site, kind) {
            return None;
        }
        let name = self.name(scope);
        let code = match kind {
            Resource::File => Code::DifferentFiles,
            _ => Code::DifferentThings,
        };
        Some(Assumption::new(code.with(&[&name]), unit.stmt.span))
    }
}

/// Whether all that a statement touches of a kind is what its operation does: a handler may do more.
pub(crate) fn is_alone(
    scope: &Scope<'_, '_>,
    unit: &Unit<'_>,
    site: &Site<'_>,
    kind: Resource,
) -> bool {
    let steps = scope.summaries.steps(scope.at(), unit.stmt.first, unit.stmt.end);
    let is_of_call = |it: &Step| [site.operation, site.suspension].contains(&it.at);
    steps.iter().filter(|it| touches(it, &[kind])).all(|it| is_of_call(it))
}

/// Whether two calls run one function.
fn calls_one(scope: &Scope<'_, '_>, calls: [InstId; 2]) -> bool {
    let graph = &scope.summaries.graph;
    let [one, other] = calls.map(|it| graph.callees(scope.analysis.at(it)));
    let modelled = |it: &Callees<'_>| {
        let names = it.modelled.iter().map(|it| (it.module.to_owned(), graph.name(it)));
        names.collect::<Vec<_>>()
    };
    one.functions == other.functions
        && one.unknown.is_empty()
        && other.unknown.is_empty()
        && !(one.functions.is_empty() && one.modelled.is_empty())
        && modelled(one) == modelled(other)
}

/// The kind of two locations, where both are of one kind, and there are several places of that.
fn one_kind(one: &SummaryLocation, other: &SummaryLocation) -> Option<Resource> {
    let (SummaryLocation::Resource(a, _), SummaryLocation::Resource(b, _)) = (one, other) else {
        return None;
    };
    (a == b && has_places(*a)).then_some(*a)
}

/// Whether two locations are one for certain.
fn is_same_place(one: &SummaryLocation, other: &SummaryLocation) -> bool {
    match (one, other) {
        // Of hosts and databases, the name says which: not what is in them.
        (
            SummaryLocation::Resource(kind, Which::Named(one)),
            SummaryLocation::Resource(_, Which::Named(other)),
        ) => *kind == Resource::File && one == other,
        (
            SummaryLocation::Resource(_, Which::Held(one)),
            SummaryLocation::Resource(_, Which::Held(other)),
        ) => one == other,
        _ => false,
    }
}

/// What changes rows that are there, and adds none.
const CHANGES: [&str; 5] =
    ["findByIdAndUpdate", "findOneAndUpdate", "update", "updateMany", "updateOne"];

/// Two calls that stand one behind the other.
struct Pair<'s, 'p> {
    scope: Scope<'s, 'p>,
    calls: [InstId; 2],
    kind: Resource,
}

impl<'p> Pair<'_, 'p> {
    /// Whether the two are about different things; a function of the program may make sure of the same folder.
    fn is_apart(&self, is_same_place: bool) -> bool {
        let scope = self.scope;
        let graph = &scope.summaries.graph;
        let one = graph.callees(scope.analysis.at(self.calls[0]));
        (!is_same_place || !one.functions.is_empty())
            && calls_one(&scope, self.calls)
            && self.names_apart(&one.functions)
            && self.calls.iter().all(|&it| self.changes_whole(it))
    }

    /// Whether what a call changes has no order of its own, and is asked of whoever takes several at once.
    fn changes_whole(&self, call: InstId) -> bool {
        let Self { scope, kind, .. } = *self;
        let ir = scope.analysis.ir;
        let Some((object, args)) = parts(ir, call) else { return false };
        // A query that is built first is sent where it is waited for.
        let next = InstId::new(call.index() + 1);
        let waits = matches!(ir.insts.get(next.index()), Some(Inst::Await(of)) if *of == call);
        let end = InstId::new(next.index() + usize::from(waits));
        let steps = scope.summaries.steps(scope.at(), call, end);
        let is_whole = |step: &Step| {
            let written = Written { ir, end };
            writes_whole(scope.summaries, scope.at(), step, &[kind])
                && !has_condition(ir, call)
                && is_apart(scope, call, step, (object, args), written).is_ok()
        };
        let own = (call, end);
        steps.iter().filter(|it| touches(it, &[kind])).all(|it| is_whole(it))
            && keeps_order(scope, call).is_none()
            && !scope.summaries.sends_statement(scope.analysis.at(call))
            && !scope.summaries.shares_only_connection(scope.at(), own, own)
    }

    /// Whether what names the changed place is written differently.
    fn names_apart(&self, functions: &[FunctionRef]) -> bool {
        let ir = self.scope.analysis.ir;
        let [Some((of_one, one)), Some((of_other, other))] = self.calls.map(|it| parts(ir, it))
        else {
            return false;
        };
        if !functions.is_empty() {
            let kinds = [self.kind];
            return functions.iter().all(|&it| {
                let mut naming = Naming::new(self.scope.analysis, self.scope.summaries, &kinds);
                self.uses_others(&naming.parameters(it), one, other)
            });
        }
        // Of files, the model says which argument is a path.
        if self.kind == Resource::File {
            return false;
        }
        let differ = |one: Option<InstId>, other: Option<InstId>| {
            one.zip(other).is_some_and(|(one, other)| self.differ(one, other))
        };
        let of_other_objects = differ(of_one, of_other);
        // What is changed in another table is there; what is added may refer to what another table has.
        let changes = words::callee_text(ir, self.calls[0]);
        if of_other_objects {
            return changes.rsplit('.').next().is_some_and(|it| CHANGES.contains(&it));
        }
        differ(one.first().copied(), other.first().copied())
    }

    /// Whether two calls of a function write different things, and neither reads what the other writes.
    fn uses_others(&self, uses: &Uses, one: &[InstId], other: &[InstId]) -> bool {
        let differ =
            |it: &BTreeSet<Named>| it.iter().any(|it| self.differ_in([it, it], one, other));
        let is_apart = |read: &BTreeSet<Named>, written: &BTreeSet<Named>| {
            read.iter().all(|read| {
                written.iter().all(|it| {
                    self.differ_in([read, it], one, other) && self.differ_in([it, read], one, other)
                })
            })
        };
        let own = |read: &&BTreeSet<Named>| !read.is_empty() && !uses.written.contains(read);
        !uses.written.is_empty()
            && uses.written.iter().all(differ)
            && uses
                .read
                .iter()
                .filter(own)
                .all(|read| uses.written.iter().all(|written| is_apart(read, written)))
    }

    /// Whether two calls hand over different things as what a function names something by.
    fn differ_in(&self, of: [&Named; 2], one: &[InstId], other: &[InstId]) -> bool {
        let part = |call: usize, args: &[InstId]| {
            let (position, key) = of[call];
            let arg = args.get(*position as usize).copied()?;
            let written = self.written()[call];
            Some(key.as_ref().and_then(|key| written.member(arg, key)).unwrap_or(arg))
        };
        match (part(0, one), part(1, other)) {
            (Some(one), Some(other)) => self.differ(one, other),
            _ => false,
        }
    }

    /// What each of the calls is handed, as it is written: that ends where the call stands.
    fn written(&self) -> [Written<'p>; 2] {
        let ir = self.scope.analysis.ir;
        self.calls.map(|end| Written { ir, end })
    }

    /// Whether a value of the first call and one of the second are written differently, in what says which row they are
    /// about where they say that.
    fn differ(&self, one: InstId, other: InstId) -> bool {
        let ir = self.scope.analysis.ir;
        let [of_one, of_other] = self.written();
        match (ir.inst(one), ir.inst(other)) {
            (Inst::New { callee: a, args: one }, Inst::New { callee: b, args: other }) => {
                match (ir.args(one).first(), ir.args(other).first()) {
                    (Some(&one), Some(&other)) => ir.are_alike(a, b) && self.differ(one, other),
                    _ => false,
                }
            }
            (Inst::Object, Inst::Object) => match (of_one.chosen(one), of_other.chosen(other)) {
                (Some(one), Some(other)) => self.differ(one, other),
                // Of what is written out otherwise, only what it is known by says which one it is.
                (None, None) => of_one.members(one).any(|(key, value)| {
                    let same = of_other.members(other).find(|it| it.0 == key);
                    of_one.is_identity(key) && same.is_some_and(|it| self.differ(value, it.1))
                }),
                _ => false,
            },
            _ => !may_be_alike(ir, one, other),
        }
    }
}
