//! Whether an operation may start together with the ones before it.

use headstart_effects::{Assumption, Blocker, FileAnalysis, Known, Location, Stretch};
use headstart_ir::{FileIr, FunctionId, Inst, InstId, VarId, VarKind};

use crate::site::Site;

/// What stands between a site and the sites before it in the same group.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// It may start with them, if the assumptions hold.
    Joins(Vec<Assumption>),
    /// It needs something that an earlier one produces.
    Depends(Blocker),
    /// It might join, but something that is not understood stands in the way.
    Blocked(Blocker),
}

/// Decides whether `site` may start together with `earlier`, which stand right before it.
pub(crate) fn joins(
    analysis: &FileAnalysis<'_>,
    function: FunctionId,
    earlier: &[Site<'_>],
    site: &Site<'_>,
    known: &Known,
) -> Verdict {
    let stretch = match analysis.stretch(site.first(), site.operation.call, known) {
        Ok(stretch) => stretch,
        Err(blocker) => return Verdict::Blocked(blocker),
    };
    if let Some(blocker) = dependence(analysis, earlier, site) {
        return Verdict::Depends(blocker);
    }
    let mut assumptions = site.operation.assumptions.clone();
    assumptions.extend(stretch.assumptions.iter().cloned());
    for (location, at) in &stretch.refs {
        match crossing(analysis, function, location, *at, known) {
            Ok(assumption) => assumptions.extend(assumption),
            Err(blocker) => return Verdict::Blocked(blocker),
        }
    }
    assumptions.extend(mutable_path(analysis, site));
    match shared_handle(analysis, earlier, site) {
        Ok(assumption) => assumptions.extend(assumption),
        Err(blocker) => return Verdict::Depends(blocker),
    }
    assumptions.extend(working_directory(analysis, site, &stretch));
    Verdict::Joins(assumptions)
}

/// The site reads a name that an earlier one binds.
fn dependence(
    analysis: &FileAnalysis<'_>,
    earlier: &[Site<'_>],
    site: &Site<'_>,
) -> Option<Blocker> {
    let ir = analysis.ir;
    let bound: Vec<VarId> = earlier.iter().flat_map(|it| bound_by(analysis, it)).collect();
    if bound_by(analysis, site).iter().any(|var| bound.contains(var)) {
        let span = site.declarator.pattern;
        return Some(Blocker { text: "`{}` is bound a second time", span });
    }
    FileIr::range(site.first(), site.operation.call).find_map(|id| match ir.inst(id) {
        Inst::LoadVar(var) if bound.contains(&var) => Some(Blocker {
            text: "it needs `{}`, which the operation before it produces",
            span: ir.span(id),
        }),
        _ => None,
    })
}

/// The variables that a site's statement binds.
pub(crate) fn bound_by(analysis: &FileAnalysis<'_>, site: &Site<'_>) -> Vec<VarId> {
    let ir = analysis.ir;
    FileIr::range(site.suspension, site.stmt.end)
        .filter_map(|id| match ir.inst(id) {
            Inst::StoreVar { var, .. } => Some(var),
            _ => None,
        })
        .collect()
}

/// Reading `location` would move from behind a suspension to before it (the contract, S5).
fn crossing(
    analysis: &FileAnalysis<'_>,
    function: FunctionId,
    location: &Location,
    at: InstId,
    known: &Known,
) -> Result<Option<Assumption>, Blocker> {
    let span = analysis.ir.span(at);
    match location {
        Location::Variable(var) => variable_crossing(analysis, function, *var, at, known)
            .map(|text| text.map(|text| Assumption { text, span })),
        // The stretch itself has put down what it takes for granted.
        Location::Property(_) | Location::Region(_) => Ok(None),
    }
}

fn variable_crossing(
    analysis: &FileAnalysis<'_>,
    function: FunctionId,
    var: VarId,
    at: InstId,
    known: &Known,
) -> Result<Option<&'static str>, Blocker> {
    let variable = analysis.ir.variable(var);
    let is_local = variable.owner == function;
    // A function that a model describes: that nobody replaces it is part of the model.
    if analysis.model(at).is_some() {
        return Ok(None);
    }
    if variable.kind == VarKind::Other {
        let span = analysis.ir.span(at);
        return Err(Blocker { text: "`{}` has several declarations", span });
    }
    let is_visible = !is_local || variable.is_written_by_closure;
    let is_reachable = analysis
        .ir
        .functions
        .get(variable.owner.index())
        .is_some_and(|owner| owner.has_dynamic_scope);
    let may_change = (!variable.is_stable() && is_visible)
        || is_reachable
        || analysis.facts.is_live_import(analysis.file, var);
    if may_change {
        return Ok(Some("nothing assigns `{}` while the operation before it is pending"));
    }
    if analysis.is_initialised(var, function, at, known) {
        return Ok(None);
    }
    Ok(Some("`{}` is initialised before this function runs"))
}

/// A path may be an object that can be changed, such as a URL.
fn mutable_path(analysis: &FileAnalysis<'_>, site: &Site<'_>) -> Option<Assumption> {
    let ir = analysis.ir;
    let paths = site.operation.reads.iter().filter_map(|region| region.which);
    let mut held = paths.filter(|&path| matches!(ir.inst(path), Inst::LoadVar(_)));
    let path = held.find(|&path| may_be_fresh_object(ir, path, LONGEST_TRACE))?;
    Some(Assumption {
        text: "`{}` is not changed while the operation before it is pending",
        span: ir.span(path),
    })
}

/// How many steps a value is followed back.
const LONGEST_TRACE: u32 = 6;

/// Whether a value may be an object that the file constructs.
fn may_be_fresh_object(ir: &FileIr, value: InstId, steps: u32) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return true };
    match ir.inst(value) {
        Inst::New { .. } => true,
        Inst::Select(left, right) => {
            may_be_fresh_object(ir, left, steps) || may_be_fresh_object(ir, right, steps)
        }
        Inst::LoadVar(var) => ir.insts.iter().any(|inst| match *inst {
            Inst::StoreVar { var: stored, value } if stored == var => {
                may_be_fresh_object(ir, value, steps)
            }
            _ => false,
        }),
        _ => false,
    }
}

/// Two reads through one open file move the same position.
fn shared_handle(
    analysis: &FileAnalysis<'_>,
    earlier: &[Site<'_>],
    site: &Site<'_>,
) -> Result<Option<Assumption>, Blocker> {
    let ir = analysis.ir;
    let Some(handle) = site.operation.maybe_handle else {
        return Ok(None);
    };
    let others = earlier.iter().filter_map(|it| it.operation.maybe_handle);
    let path = analysis.access_path(handle);
    let mut assumption = None;
    for other in others {
        if analysis.access_path(other) == path {
            let span = ir.span(handle);
            return Err(Blocker { text: "`{}` may be an open file, read twice", span });
        }
        assumption = Some(Assumption {
            text: "`{}` is a path, not the open file that the operation before it reads",
            span: ir.span(handle),
        });
    }
    Ok(assumption)
}

/// Relative paths mean what the working directory says when the operation starts.
fn working_directory(
    analysis: &FileAnalysis<'_>,
    site: &Site<'_>,
    stretch: &Stretch,
) -> Option<Assumption> {
    let reads_it = !site.operation.reads.is_empty()
        || stretch.refs.iter().any(|(it, _)| matches!(it, Location::Region(_)));
    (analysis.facts.changes_working_directory && reads_it).then(|| Assumption {
        text: "nothing changes the working directory before `{}` starts",
        span: analysis.ir.span(site.operation.call),
    })
}
