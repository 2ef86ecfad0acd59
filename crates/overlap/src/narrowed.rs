//! Types that TypeScript knows where an operation stands, and would not know in a function around it.
//!
//! A test narrows the type of a variable or of a property for the code that it guards, but not for
//! functions in it, unless the variable is never assigned again (TypeScript Handbook, "Narrowing"). Up to TypeScript 5.3
//! that is one that is never assigned at all.

use headstart_effects::{AccessPath, FileAnalysis, Location, Root, Stretch};
use headstart_ir::{FileIr, FunctionId, Inst, InstId, Key, StmtKind, VarId, VarKind};
use rustc_hash::FxHashSet;

use crate::inferred::has_one_type;
use crate::loops::{Loop, Turn};
use crate::site::Site;
use crate::unit::variables;

/// How deep a test is looked into.
const DEEPEST_TEST: u32 = 6;

/// Whether code that starts the operation of a turn in a function of its own may not have the types that
/// it has where it stands.
pub(crate) fn may_lose_type(it: &Loop<'_, '_>, turn: &Turn<'_>) -> bool {
    let closed = Closed {
        function: it.scope.function,
        before: it.stmt.first,
        reads: &turn.reads,
        own: &turn.own,
    };
    closed.may_lose_type(it.scope.analysis, &turn.stretch)
}

/// Whether an operation certainly has the types that it has where it stands in a function of its own around it.
pub(crate) fn keeps_types(analysis: &FileAnalysis<'_>, site: &Site<'_>) -> bool {
    let Ok(stretch) = &site.stretch else { return false };
    let end = InstId::new(site.operation.index() + 1);
    let (reads, _) = variables(analysis.ir, site.first, end);
    let closed = Closed {
        function: analysis.ir.function_at(site.operation),
        before: site.first,
        reads: &reads,
        own: &FxHashSet::default(),
    };
    !closed.may_lose_type(analysis, stretch)
}

/// Code that would stand in a function of its own.
struct Closed<'a> {
    /// The function that it stands in.
    function: FunctionId,
    /// Where that has got to by then.
    before: InstId,
    /// The variables that it reads.
    reads: &'a FxHashSet<VarId>,
    /// Those that the new function has itself.
    own: &'a FxHashSet<VarId>,
}

impl Closed<'_> {
    /// Whether it may not have the types there that it has where it stands.
    fn may_lose_type(&self, analysis: &FileAnalysis<'_>, stretch: &Stretch) -> bool {
        if !analysis.ir.is_typescript {
            return false;
        }
        let is_assigned = |it: &VarId| {
            let variable = analysis.ir.variable(*it);
            // What is declared without a value gets its type later.
            let is_open =
                matches!(variable.kind, VarKind::Let | VarKind::Var) && variable.init.is_none();
            (variable.writes > 1 || is_open && variable.writes > 0)
                && !has_one_type(analysis.ir, variable)
                && !self.keeps_narrowing(analysis.ir, *it)
        };
        if self.reads.iter().any(is_assigned) {
            return true;
        }
        let is_own = |path: &AccessPath| match path.root {
            Root::Variable(var) => self.own.contains(&var),
            _ => false,
        };
        let read: Vec<&AccessPath> = stretch
            .refs
            .iter()
            .filter_map(|(it, _)| match it {
                Location::Property(path) if !is_own(path) => Some(path),
                _ => None,
            })
            .collect();
        !read.is_empty() && self.narrowed(analysis).iter().any(|it| read.contains(&it))
    }

    /// Whether the compiler knows the type of a variable in a function that begins here: nothing assigns it from here on,
    /// nor in the statement of the function's own block that this stands in, and no other function does.
    fn keeps_narrowing(&self, ir: &FileIr, var: VarId) -> bool {
        let variable = ir.variable(var);
        if !ir.keeps_narrowing || variable.owner != self.function || variable.is_written_by_closure
        {
            return false;
        }
        let data = ir.function(self.function);
        let outer = |at: InstId| {
            let mut all = ir.block(data.body).iter().map(|&it| ir.stmt(it));
            all.find(|it| it.first <= at && at < it.end)
        };
        let is_of_function = match variable.kind {
            VarKind::Param => true,
            VarKind::Let => outer(variable.declared)
                .is_some_and(|it| matches!(it.kind, StmtKind::Declaration { .. })),
            _ => false,
        };
        let is_before =
            |at: InstId| at < self.before && outer(at).is_none_or(|it| it.end <= self.before);
        let stores = |it| matches!(ir.inst(it), Inst::StoreVar { var: of, .. } if of == var);
        is_of_function
            && FileIr::range(data.first, data.end).filter(|&it| stores(it)).all(is_before)
    }

    /// What tests and assignments in front of it are about, in its function.
    fn narrowed(&self, analysis: &FileAnalysis<'_>) -> Vec<AccessPath> {
        let ir = analysis.ir;
        let mut paths = Vec::new();
        for id in FileIr::range(ir.function(self.function).first, self.before) {
            match ir.inst(id) {
                Inst::Conditional { test, .. } => tested(analysis, test, DEEPEST_TEST, &mut paths),
                Inst::Set { object, key, .. } => {
                    let name = match key.get() {
                        Key::Name(name) | Key::Private(name) => Some(name),
                        Key::Computed(_) => None,
                    };
                    paths.push(analysis.access_path(object).then(name));
                }
                _ => {}
            }
        }
        paths
    }
}

/// The paths that a test reads.
fn tested(analysis: &FileAnalysis<'_>, test: InstId, depth: u32, into: &mut Vec<AccessPath>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if matches!(analysis.ir.inst(test), Inst::Get { .. }) {
        into.push(analysis.access_path(test));
    }
    let object = match analysis.ir.inst(test) {
        Inst::CallMethod { object, method, .. } if is_of_platform(analysis, test) => {
            Some([object, method])
        }
        _ => None,
    };
    let is_asked = |it: InstId| object.is_some_and(|asked| asked.contains(&it));
    analysis.ir.inst(test).for_each_operand(analysis.ir, &mut |it| {
        if !is_asked(it) {
            tested(analysis, it, depth, into);
        }
    });
}

/// Whether a call is that of a method which says nothing of the type of its object: one of the language, called
/// like those of texts, lists, sets and maps that ask for something in them, and of no function of the program.
fn is_of_platform(analysis: &FileAnalysis<'_>, call: InstId) -> bool {
    const ASKS: [&str; 6] = ["endsWith", "has", "includes", "indexOf", "startsWith", "test"];
    let Inst::CallMethod { method, .. } = analysis.ir.inst(call) else { return false };
    let summaries = analysis.summaries;
    let is_function = || !summaries.graph.callees(analysis.at(call)).functions.is_empty();
    ASKS.contains(&crate::site::name_of(analysis.ir, method).as_str()) && !is_function()
}
