//! One block of a function, as rewrites look at it.

use std::cell::OnceCell;

use headstart_effects::{Assumption, Blocker, Code, Course, Effects, Known};
use headstart_ir::{BlockForm, DeclKind, FunctionKind, Span, StmtKind};
use rustc_hash::FxHashSet;

use crate::finalizer;
use crate::unit::{Scope, Unit};
use crate::walk::Context;

/// A block with the statements between its first and its last that wait.
pub(crate) struct Block<'a, 'p> {
    pub(crate) scope: Scope<'a, 'p>,
    pub(crate) units: Vec<Unit<'p>>,
    /// What is certain where each statement begins, once somebody has asked.
    course: OnceCell<Course>,
    /// How its statements stand in the source.
    pub(crate) form: BlockForm,
    pub(crate) surroundings: Surroundings,
}

impl<'a, 'p> Block<'a, 'p> {
    pub(crate) fn new(
        scope: Scope<'a, 'p>,
        units: Vec<Unit<'p>>,
        form: BlockForm,
        surroundings: Surroundings,
    ) -> Self {
        Self { scope, units, course: OnceCell::new(), form, surroundings }
    }

    /// What is certain where a statement begins.
    pub(crate) fn known(&self, unit: &Unit<'_>) -> Known {
        self.course.get_or_init(|| self.scope.course(&self.units)).at(unit.stmt.first)
    }

    /// Whether two statements declare one name: an early error (ECMA-262, 14.2.1), and no program.
    pub(crate) fn declares_twice(&self) -> bool {
        let mut seen = FxHashSet::default();
        let is_lexical = |unit: &&Unit<'_>| matches!(unit.stmt.kind, StmtKind::Declaration { kind, .. } if kind != DeclKind::Var);
        let declared = self.units.iter().filter(is_lexical).flat_map(|it| &it.writes);
        declared.into_iter().any(|it| !seen.insert(*it))
    }
}

/// What encloses a block, as far as it decides how its statements may be rewritten.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings {
    pub(crate) context: Context,
    /// Whether the error has to be the one that the original would have met first.
    pub(crate) is_exact: bool,
    /// Whether somebody who calls the function, directly or through others, asks which error it is.
    pub(crate) is_told_apart: bool,
}

impl Surroundings {
    /// What encloses a place may forbid the rewrite, or rest it on an assumption.
    pub(crate) fn judge(
        &self,
        scope: Scope<'_, '_>,
        (span, operations): (Span, &[&Effects]),
        assumptions: &mut Vec<Assumption>,
        blockers: &mut Vec<Blocker>,
    ) {
        let function = scope.analysis.ir.function(scope.function);
        if self.context.disposes {
            blockers.push(Blocker::new(Code::CleanupMeanwhile, span));
        } else if self.context.has_finalizer {
            match finalizer::meets(scope, span, operations) {
                Ok(found) => assumptions.extend(found),
                Err(blocker) => blockers.push(blocker),
            }
        }
        if function.has_dynamic_scope {
            blockers.push(Blocker::new(Code::DynamicScope, span));
        }
        if function.kind == FunctionKind::Module {
            assumptions.push(Assumption::new(Code::TopLevelTiming, span));
        }
    }
}
