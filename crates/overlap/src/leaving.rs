//! Statements that leave a block where something is missing or wrong: `if (!user) throw …`, `await assertOpen(id)`.
//!
//! What stands behind one never starts before it at `safe` (the contract, S2). A plain read that needs nothing of
//! what the statement asks for may, if somebody says that reading in vain does no harm: people start such reads
//! together by hand. It is waited for behind the statement, and has a handler until then, so that what the
//! function gives, or throws, stays the same.

use headstart_effects::{
    AccessPath, Assumption, Blocker, Code, Resource, Root, SummaryLocation, Topic, TopicKind,
};
use headstart_ir::{FileIr, Inst, InstId, Key, Literal, NameId, Stmt, StmtKind, VarId, VarKind};
use rustc_hash::FxHashSet;

use crate::crossing::Mover;
use crate::exits::Within;
use crate::site::{Site, called_name, name_of};
use crate::unit::{Scope, Unit, variables};

/// Words that functions are called by whose success is something that others hold on to.
const HOLDING: [&str; 5] = ["acquire", "begin", "lock", "lease", "reserve"];

/// How a statement leaves, and what decides that it does.
#[derive(Clone, Debug)]
pub(crate) struct Leaving {
    /// Why nothing crosses it that may not run in vain.
    pub(crate) blocker: Blocker,
    /// Where what it asks ends: what comes behind runs only if it leaves.
    pub(crate) end: InstId,
    /// What it looks at to decide.
    tested: Vec<AccessPath>,
    /// What that was asked for with.
    behind: Vec<AccessPath>,
    /// Whether it only asks whether there is something that the function goes on with: that was not asked for
    /// to decide.
    is_data: bool,
    /// Whether it throws where a request has failed.
    is_error: bool,
    /// Whether it looks at what came of a change that others see: `SET … NX` takes a lock, and what comes behind is
    /// done under it.
    claims: bool,
    /// Whether it is a wait that fails where something is wrong, and no test.
    is_wait: bool,
}

impl Scope<'_, '_> {
    /// How a statement leaves its block, where all that it does otherwise is to ask for something: `if` whose
    /// block throws, or returns where something is missing.
    pub(crate) fn leaving(&self, stmt: &Stmt, within: Within) -> Option<Leaving> {
        let ir = self.analysis.ir;
        let StmtKind::If { then, otherwise: None } = stmt.kind else { return None };
        let waits = || FileIr::range(stmt.first, stmt.end).any(|it| ir.inst(it).is_suspend_point());
        let block = ir.block(then);
        let (first, last) = (ir.stmt(*block.first()?), ir.stmt(*block.last()?));
        let branch = InstId::new(first.first.index().checked_sub(1)?);
        let Inst::Conditional { test, .. } = ir.inst(branch) else { return None };
        let mut tested = self.paths(stmt.first, branch);
        let (later, _) = variables(ir, stmt.end, ir.function(self.function).end);
        let is_used =
            |it: &AccessPath| matches!(it.root, Root::Variable(var) if later.contains(&var));
        let goes_on_with_it = !tested.is_empty() && tested.iter().all(is_used);
        // What the function goes on with where it stays is what is missing where it leaves.
        let is_missing = asks_for_missing(ir, test)
            || (compares(ir, test) && goes_on_with_it && !gives(ir, last, &tested));
        let is_failure = match last.kind {
            StmtKind::Throw => true,
            StmtKind::Return => is_missing || tells_of_failure(ir, (first.first, last.end)),
            _ => false,
        };
        if within != Within::Block || branch < stmt.first || !is_failure || waits() {
            return None;
        }
        let blocker = Blocker::new(Code::DecidesWhetherItStarts, stmt.span);
        let is_error = matches!(last.kind, StmtKind::Throw) && self.tests_errors(&tested)
            || is_error_class(ir, test);
        let is_data = is_missing && tested.iter().all(is_used);
        if !is_missing {
            // What one property is says which others there are.
            for path in &mut tested {
                path.keys.pop();
            }
        }
        let behind = Vec::new();
        let (claims, is_wait) = (false, false);
        Some(Leaving { blocker, end: branch, tested, behind, is_data, is_error, claims, is_wait })
    }

    /// Whether all that a test looks at is called an error.
    fn tests_errors(&self, tested: &[AccessPath]) -> bool {
        let ir = self.analysis.ir;
        let is_error = |it: &AccessPath| {
            let name = match (it.keys.last(), it.root) {
                (Some(Some(key)), _) => ir.name(*key),
                (None, Root::Variable(var)) => ir.name(ir.variable(var).name),
                _ => return false,
            };
            let name = name.to_ascii_lowercase();
            name == "err" || name.ends_with("error")
        };
        !tested.is_empty() && tested.iter().all(is_error)
    }

    /// Whether a statement asks a database, or another host, by way of a package that is known or by a name that
    /// says so, and for no permission: that this fails says nothing of who may do what.
    fn is_plain_query(&self, unit: &Unit<'_>) -> bool {
        const PERMITTING: [&str; 9] =
            ["access", "allow", "auth", "getuser", "member", "permi", "session", "token", "verif"];
        let Some(site) = &unit.site else { return false };
        let permits = |name: &str| {
            let name = name.to_ascii_lowercase();
            PERMITTING.iter().any(|it| name.contains(it))
        };
        let at = self.analysis.at(site.operation);
        if self.summaries.is_read_by_name(at) {
            return !permits(&called_name(self.analysis.ir, site.operation));
        }
        let graph = &self.summaries.graph;
        let callees = graph.callees(at);
        callees.functions.is_empty()
            && callees.unknown.is_empty()
            && !callees.modelled.is_empty()
            && !callees.modelled.iter().any(|it| permits(&graph.name(it)))
    }

    /// The same of a check: a statement that is there to fail.
    pub(crate) fn leaving_check(&self, unit: &Unit<'_>, blocker: &Blocker) -> Option<Leaving> {
        let stmt = unit.stmt;
        let holds = |at: InstId| {
            let name = called_name(self.analysis.ir, at).to_ascii_lowercase();
            HOLDING.iter().any(|it| name.contains(it)) || self.never_returns(at)
        };
        let is_plain =
            matches!(stmt.kind, StmtKind::Expression { .. } | StmtKind::Declaration { .. });
        if !is_plain || FileIr::range(stmt.first, stmt.end).any(holds) {
            return None;
        }
        let tested = self.paths(stmt.first, stmt.end);
        let (blocker, behind) = (blocker.clone(), Vec::new());
        let (is_data, is_error) = (false, false);
        // What fails where a change says no is a claim: `if ((await updateMany(…)).count === 0) throw …`.
        let claims = unit.site.as_ref().is_some_and(Site::changes_outside);
        let is_wait = true;
        Some(Leaving { blocker, end: stmt.end, tested, behind, is_data, is_error, claims, is_wait })
    }

    /// The access paths that some instructions read, each as long as it is there; without what stays the same
    /// wherever it is read.
    fn paths(&self, first: InstId, end: InstId) -> Vec<AccessPath> {
        let ir = self.analysis.ir;
        let (mut inner, mut methods) = (FxHashSet::default(), FxHashSet::default());
        let mut found = Vec::new();
        for id in FileIr::range(first, end).rev() {
            let is_inner = inner.contains(&id);
            match ir.inst(id) {
                // Of what a method is called on, all may be looked at.
                Inst::CallMethod { method, .. } => {
                    methods.insert(method);
                }
                Inst::Get { .. } if methods.contains(&id) => {}
                Inst::Get { object, .. } => {
                    inner.insert(object);
                    found.extend((!is_inner).then(|| self.analysis.access_path(id)));
                }
                Inst::LoadVar(_) | Inst::This | Inst::Super if !is_inner => {
                    found.push(self.analysis.access_path(id));
                }
                Inst::Closure(_) | Inst::Class(_) => {
                    let (reads, _) = variables(ir, id, InstId::new(id.index() + 1));
                    let bare = |it: VarId| AccessPath::new(Root::Variable(it));
                    found.extend(reads.into_iter().map(bare));
                }
                _ => {}
            }
        }
        found.retain(|it| !self.is_fixed(it));
        found
    }

    fn is_fixed(&self, path: &AccessPath) -> bool {
        let Root::Variable(var) = path.root else { return matches!(path.root, Root::Value(_)) };
        let variable = self.analysis.ir.variable(var);
        let is_of_module = variable.owner.index() == 0 && variable.is_stable();
        variable.kind == VarKind::Import || is_of_module
    }
}

impl Leaving {
    /// Learns what the statements in front of it have asked with for what it looks at.
    pub(crate) fn look_behind(&mut self, scope: &Scope<'_, '_>, units: &[Unit<'_>]) {
        let is_tested = |it: &Unit<'_>| self.tested.iter().any(|path| is_written(it, path));
        let changes = |it: &Unit<'_>| it.site.as_ref().is_some_and(Site::changes_outside);
        self.claims |= !self.is_error && units.iter().any(|it| changes(it) && is_tested(it));
        for unit in units.iter().rev().filter(|it| !self.is_data || it.computation.is_some()) {
            if self.tested.iter().chain(&self.behind).any(|path| is_written(unit, path))
                && !(self.is_error && scope.is_plain_query(unit))
            {
                self.behind.extend(scope.paths(unit.stmt.first, unit.stmt.end));
            }
        }
    }
}

/// Whether a statement gives the variable that a path begins with its value.
fn is_written(unit: &Unit<'_>, path: &AccessPath) -> bool {
    matches!(path.root, Root::Variable(var) if unit.writes.contains(&var))
}

impl Mover {
    /// That it does no harm to run in vain where a statement leaves; the reason why it may not run.
    pub(crate) fn in_vain(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        leaving: &Leaving,
    ) -> Result<Assumption, Blocker> {
        let name = self.name(scope);
        let mut own = scope.paths(self.first, InstId::new(self.operation.index() + 1));
        let roots: Vec<Root> = own.iter().map(|it| it.root).collect();
        let along = self.reads.iter().map(|it| AccessPath::new(Root::Variable(*it)));
        own.extend(along.filter(|it| !roots.contains(&it.root) && !scope.is_fixed(it)));
        let is_apart = |it: &AccessPath| own.iter().all(|of| !meet(it, of));
        let is_apart = leaving.tested.iter().chain(&leaving.behind).all(is_apart)
            && !leaving.tested.iter().any(|it| tells_of_progress(scope, it));
        // A path, an address: that it is used only where it may be is what checks are for.
        let is_answer = |it: &SummaryLocation| {
            use Resource::{Connection, Outside};
            match it {
                SummaryLocation::Memory(_) => true,
                SummaryLocation::Resource(kind, _) => matches!(kind, Connection | Outside),
            }
        };
        let may_run = self.only_looks()
            && is_apart
            && !leaving.claims
            && !is_known_before(scope, leaving)
            && !is_raw(&called_name(scope.analysis.ir, self.operation));
        if !may_run || !self.stretch.reads().all(is_answer) {
            return Err(leaving.blocker.of_operation(&format!("`{name}`")));
        }
        if self.stretch.reports {
            let reason = Code::ReadInVainWithLines.with(&[&name]);
            return Ok(Assumption::new(reason, unit.stmt.span));
        }
        let topic = Topic::new(TopicKind::InVain, format!("`{name}`"));
        Ok(Assumption::new(Code::ReadInVain.with(&[&name]), unit.stmt.span).on(topic))
    }

    /// Whether it changes nothing outside the program.
    fn only_looks(&self) -> bool {
        let is_memory = |it: &SummaryLocation| matches!(it, SummaryLocation::Memory(_));
        !self.stretch.locks
            && !self.stretch.gives
            && !self.stretch.ends
            && self.stretch.effects.writes.iter().all(is_memory)
    }
}

/// Whether what decides is there from the beginning, and nobody has to wait for it: who leaves by that would ask for
/// nothing at all.
fn is_known_before(scope: &Scope<'_, '_>, leaving: &Leaving) -> bool {
    let is_given = |it: &AccessPath| match it.root {
        Root::Variable(var) => {
            let variable = scope.analysis.ir.variable(var);
            variable.kind == VarKind::Param && variable.writes <= 1
        }
        _ => false,
    };
    !leaving.is_wait && !leaving.tested.is_empty() && leaving.tested.iter().all(is_given)
}

/// Whether a call sends a statement as it is written: where that is not possible it fails, and says so in a log.
fn is_raw(name: &str) -> bool {
    name.trim_start_matches('$').starts_with("queryRaw")
}

/// Words for how far something has come that goes on elsewhere, or whether it can be done at all: what is read before
/// that is of no use.
const PROGRESS: [&str; 12] = [
    "available",
    "complete",
    "completed",
    "done",
    "finished",
    "isDone",
    "isReady",
    "isSupported",
    "pending",
    "processing",
    "ready",
    "supported",
];

/// Whether a test asks how far something has come.
fn tells_of_progress(scope: &Scope<'_, '_>, tested: &AccessPath) -> bool {
    let key = tested.keys.last().copied().flatten();
    key.is_some_and(|it| PROGRESS.contains(&scope.analysis.ir.name(it)))
}

/// Whether one path may lead through what another one leads to.
fn meet(a: &AccessPath, b: &AccessPath) -> bool {
    let is_same = |(a, b): (&Option<NameId>, &Option<NameId>)| match (a, b) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    };
    a.root == b.root && a.keys.iter().zip(&b.keys).all(is_same)
}

/// Words by which those are called who make the answer that something is wrong.
const FAILING: [&str; 12] = [
    "badrequest",
    "denied",
    "err",
    "error",
    "fail",
    "failure",
    "forbidden",
    "invalid",
    "left",
    "notfound",
    "reject",
    "unauthorized",
];

/// Whether some instructions make an answer that says that something is wrong: a status that says so or redirects,
/// a property `error`, a function that is called so.
fn tells_of_failure(ir: &FileIr, (first, end): (InstId, InstId)) -> bool {
    let is_nothing = |it: InstId| {
        matches!(
            ir.inst(it),
            Inst::Literal(Literal::Null | Literal::Undefined | Literal::Boolean(false))
        )
    };
    let names_failure = |name: &str| {
        let name: String = name.chars().filter(char::is_ascii_alphabetic).collect();
        let name = name.to_ascii_lowercase();
        FAILING.iter().any(|it| name == *it || (it.len() > 4 && name.contains(it)))
    };
    // Numbers are kept up to 255: those of three digits above that redirect, or say what is wrong.
    let is_status = |it: InstId| {
        let span = ir.span(it);
        ir.inst(it) == Inst::Literal(Literal::Number(None)) && span.end - span.start == 3
    };
    FileIr::range(first, end).any(|id| match ir.inst(id) {
        Inst::Set { key, value, .. } => match key.get() {
            Key::Name(name) if matches!(ir.name(name), "status" | "statusCode" | "code") => {
                is_status(value)
            }
            Key::Name(name) => names_failure(ir.name(name)) && !is_nothing(value),
            _ => false,
        },
        Inst::Call { callee, .. } => names_failure(&name_of(ir, callee)),
        Inst::CallMethod { method, args, .. } => {
            let name = name_of(ir, method);
            names_failure(&name)
                || (name.to_ascii_lowercase().contains("status")
                    && ir.args(args).first().is_some_and(|&it| is_status(it)))
        }
        _ => false,
    })
}

/// Whether a test asks whether what came is an error: `price instanceof Error`, `price instanceof NotFoundError`.
fn is_error_class(ir: &FileIr, test: InstId) -> bool {
    match ir.inst(test) {
        Inst::InstanceOf { value, class } => {
            is_place(ir, value) && name_of(ir, class).ends_with("Error")
        }
        Inst::Select(left, right) => {
            ir.is_disjunction(test) && is_error_class(ir, left) && is_error_class(ir, right)
        }
        _ => false,
    }
}

/// Whether a value is what a place holds: `a`, `a.b`, `a?.b`.
fn is_place(ir: &FileIr, value: InstId) -> bool {
    match ir.inst(value) {
        Inst::LoadVar(_) | Inst::Get { .. } => true,
        Inst::Select(value, missing) => {
            ir.inst(missing) == Inst::Literal(Literal::Undefined)
                && matches!(ir.inst(value), Inst::Get { .. })
        }
        _ => false,
    }
}

/// Whether a test holds where something is not there: `!a`, `!a?.b || !c`.
fn asks_for_missing(ir: &FileIr, test: InstId) -> bool {
    match ir.inst(test) {
        Inst::Pure1(_) => ir.negated(test).is_some_and(|it| is_place(ir, it)),
        Inst::Select(left, right) => {
            ir.is_disjunction(test) && asks_for_missing(ir, left) && asks_for_missing(ir, right)
        }
        _ => false,
    }
}

/// Whether a test compares something with nothing, or a length with a number: `a === null`, `a.length === 0`. By
/// which operator does not show.
fn compares(ir: &FileIr, test: InstId) -> bool {
    let is_length =
        |it: InstId| matches!(ir.inst(it), Inst::Get { .. }) && name_of(ir, it) == "length";
    match ir.inst(test) {
        Inst::Pure2(left, right) | Inst::Operator { left, right, plus: false, .. } => {
            is_place(ir, left)
                && match ir.inst(right) {
                    Inst::Literal(Literal::Number(_)) => is_length(left),
                    Inst::Literal(Literal::Null | Literal::Undefined) => true,
                    Inst::LoadGlobal(name) => ir.name(name) == "undefined",
                    _ => false,
                }
        }
        Inst::Select(left, right) => {
            let asks = |it| asks_for_missing(ir, it) || compares(ir, it);
            ir.is_disjunction(test) && asks(left) && asks(right)
        }
        _ => false,
    }
}

/// Whether a statement hands out what some paths begin with: `return cached;`.
fn gives(ir: &FileIr, stmt: &Stmt, paths: &[AccessPath]) -> bool {
    FileIr::range(stmt.first, stmt.end).any(|it| match ir.inst(it) {
        Inst::LoadVar(var) => paths.iter().any(|it| it.root == Root::Variable(var)),
        _ => false,
    })
}
