//! A loop over some items, and the operation that each turn of it waits for first.

use headstart_effects::{Blocker, Known, Location, Stretch, SummaryLocation};
use headstart_ir::{
    BlockId, Declarator, FileIr, Inst, InstId, LoopHead, LoopOver, PatternShape, Span, Stmt,
    StmtId, StmtKind, VarId,
};
use rustc_hash::FxHashSet;

use crate::again::{depends_on_inside, gives_the_same, is_read_outside, moved_whole};
use crate::block::Surroundings;
use crate::site::{Moves, Site, site, suspensions};
use crate::unit::{Scope, Within, has_exit, variables};

/// `for (const pattern of items)` and its like, as rewrites look at it.
pub(crate) struct Loop<'a, 'p> {
    pub(crate) scope: Scope<'a, 'p>,
    pub(crate) stmt: &'p Stmt,
    pub(crate) head: &'p LoopHead,
    pub(crate) body: BlockId,
    pub(crate) surroundings: Surroundings,
}

/// The operation that a turn waits for first, with what it takes to start it.
pub(crate) struct Turn<'p> {
    pub(crate) site: Site<'p>,
    /// The first instruction of what is there for the operation alone.
    pub(crate) first: InstId,
    /// What stands before it in the turn and decides whether it starts, or with what; in order.
    pub(crate) needed: Vec<Needed>,
    /// What each turn has for itself of what it reads: the item, and what is computed from that.
    pub(crate) own: FxHashSet<VarId>,
    /// The other variables that it reads.
    pub(crate) reads: FxHashSet<VarId>,
    /// What the tests look at that decide whether it starts.
    pub(crate) guards: Stretch,
    /// Whether what is left of the turn reads the item, or a part of it.
    pub(crate) uses_item: bool,
    /// What starting it does, with all that is needed.
    pub(crate) stretch: Stretch,
}

/// A part of a turn that an operation needs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Needed {
    /// A statement that computes something, which the turn computes again.
    Statement(Span),
    /// A statement that computes something for nothing else: it goes along.
    Along(Span),
    /// It does not start where this is true.
    Unless(Span),
    /// It starts only where this is true.
    If(Span, InstId),
}

impl Needed {
    pub(crate) fn span(self) -> Span {
        match self {
            Self::Statement(span) | Self::Along(span) | Self::Unless(span) | Self::If(span, _) => {
                span
            }
        }
    }
}

/// What stands before the operation in a turn.
enum Before<'p> {
    Statement(&'p Stmt),
    /// A test, from its first instruction up to the branch.
    Test {
        first: InstId,
        branch: InstId,
        is_exit: bool,
    },
}

impl<'a, 'p> Loop<'a, 'p> {
    /// The operation that each turn of it waits for first.
    ///
    /// # Errors
    /// Why nothing could start before its turn has come.
    pub(crate) fn turn(&self) -> Result<Turn<'p>, Blocker> {
        let analysis = self.scope.analysis;
        let ir = analysis.ir;
        let mut before = Vec::new();
        let stmt = self.first_wait(self.body, &mut before)?;
        let known = &mut Known::at(analysis, self.scope.function, self.stmt.first);
        let Some(site) = site(analysis, stmt, known) else {
            return Err(Blocker::new("`{}` waits for something that is no call", stmt.span));
        };
        let after = next(site.operation);
        if let Some(wait) =
            FileIr::range(site.first, after).find(|it| ir.inst(*it).is_suspend_point())
        {
            return Err(Blocker::new("`{}` waits within the operation", ir.span(wait)));
        }
        if let Some(blocker) = site.why_fixed(analysis, Moves::Start) {
            return Err(blocker);
        }
        let (mut needs, _) = variables(ir, site.first, after);
        let items = self.declared()?;
        let mut own = items.clone();
        let mut kept = Vec::new();
        for it in before.iter().rev() {
            if let Some(part) = self.needs(it, &mut needs, &mut own)? {
                kept.push((it, part));
            }
        }
        kept.reverse();
        if items.is_disjoint(&needs) {
            let text = "`{}` asks for the same in each turn: it could be done once, in front";
            return Err(Blocker::new(text, ir.span(site.operation)));
        }
        let mut stretch = self.head_stretch(known)?;
        self.goes_along(&mut kept, (site.first, after));
        let mut guards = Stretch::default();
        for (it, part) in &kept {
            let (first, end) = it.range();
            let computed = self.computing(first, end, known)?;
            match (it, part) {
                (_, Needed::Along(_)) => {}
                (Before::Statement(stmt), _) => gives_the_same(analysis, stmt, &computed.effects)?,
                (Before::Test { .. }, part) => {
                    depends_on_inside(&computed.effects, part.span())?;
                    guards.join(computed.clone());
                }
            }
            stretch.join(computed);
            known.learn(analysis, first, end);
        }
        stretch.join(site.stretch_with(analysis, known)?);
        let is_own = |it: &Location| matches!(it, Location::Variable(var) if own.contains(var));
        stretch.refs.retain(|(it, _)| !is_own(it));
        needs.extend(self.head_reads()?);
        needs.retain(|it| !own.contains(it));
        guards.refs.retain(|(it, _)| !is_own(it));
        let along = kept.iter().filter(|it| matches!(it.1, Needed::Along(_)));
        let mut along: Vec<(InstId, InstId)> = along.map(|it| it.0.range()).collect();
        let first = along.iter().map(|it| it.0).fold(site.first, InstId::min);
        along.push((site.first, after));
        let inside = ir.block(self.body).first().map_or(self.stmt.first, |&it| ir.stmt(it).first);
        let uses_item = is_read_outside(ir, (inside, self.stmt.end), &items, &along);
        let needed = kept.into_iter().map(|it| it.1).collect();
        Ok(Turn { site, first, needed, own, reads: needs, guards, uses_item, stretch })
    }

    /// The variables that the head declares.
    ///
    /// # Errors
    /// Binding them does more than name parts of an item, or they are assigned again.
    fn declared(&self) -> Result<FxHashSet<VarId>, Blocker> {
        let ir = self.scope.analysis.ir;
        let mut own = FxHashSet::default();
        if let (LoopOver::Positions, PatternShape::Name(var)) = (self.head.over, self.head.shape) {
            // It is counted up by the head, and by nothing else.
            let variable = ir.variable(var);
            if variable.writes != 2 || variable.is_written_by_closure {
                let text = "`{}` is counted by more than the head of the loop";
                return Err(Blocker::new(text, self.head.pattern));
            }
            own.insert(var);
            return Ok(own);
        }
        for id in self.binding()? {
            match ir.inst(id) {
                Inst::StoreVar { var, .. } if ir.variable(var).writes == 1 => {
                    own.insert(var);
                }
                Inst::Get { .. } | Inst::Iterate(_) => {}
                _ => return Err(self.unclear_head()),
            }
        }
        Ok(own)
    }

    fn unclear_head(&self) -> Blocker {
        Blocker::new("`{}` does more than name what is gone over", self.head.pattern)
    }

    /// The instructions that bind the pattern of the head to an item.
    fn binding(&self) -> Result<impl Iterator<Item = InstId> + use<>, Blocker> {
        let ir = self.scope.analysis.ir;
        let first = ir.block(self.body).first().map(|&it| ir.stmt(it).first);
        match first.filter(|_| self.head.shape != PatternShape::Complex) {
            Some(first) => Ok(FileIr::range(next(next(self.step()?)), first)),
            None => Err(self.unclear_head()),
        }
    }

    /// The instruction that takes the next item.
    fn step(&self) -> Result<InstId, Blocker> {
        let (step, items) = (next(self.head.items), self.head.items);
        let found = self.scope.analysis.ir.inst(step);
        let is_step = found == Inst::Iterate(items) || found == Inst::EnumerateKeys(items);
        if is_step { Ok(step) } else { Err(self.unclear_head()) }
    }

    /// What a loop over positions looks at in each turn: from the first instruction of `items` up to
    /// `items.length`.
    fn length(&self) -> Result<(InstId, InstId), Blocker> {
        let ir = self.scope.analysis.ir;
        let test = branch(ir, self.body).map(|it| ir.inst(it));
        if let Some(Inst::Conditional { test, .. }) = test
            && let Inst::Operator { left, right, .. } = ir.inst(test)
            && matches!(ir.inst(right), Inst::Get { object, .. } if object == self.head.items)
        {
            return Ok((next(left), right));
        }
        Err(self.unclear_head())
    }

    /// The variables that the head reads again in each turn.
    fn head_reads(&self) -> Result<FxHashSet<VarId>, Blocker> {
        if self.head.over != LoopOver::Positions {
            return Ok(FxHashSet::default());
        }
        let (first, end) = self.length()?;
        Ok(variables(self.scope.analysis.ir, first, end).0)
    }

    /// What taking an item and binding its parts looks at.
    fn head_stretch(&self, known: &Known) -> Result<Stretch, Blocker> {
        let analysis = self.scope.analysis;
        if self.head.over == LoopOver::Positions {
            let (first, length) = self.length()?;
            let mut looked = Stretch::default();
            analysis.look(length, first, &mut looked)?;
            // The length of a list, or of what is taken to be one, changes with its items.
            for (it, _) in &mut looked.looked_at {
                if let SummaryLocation::Memory(place) = it {
                    *place = place.clone().beside();
                }
            }
            looked.join(self.computing(first, length, known)?);
            return Ok(looked);
        }
        let mut stretch = Stretch::default();
        let step = self.step()?;
        let graph = &self.scope.summaries.graph;
        let runs_code = graph.may_be_generator(analysis.at(self.head.items))
            || graph.has_accessor(analysis.at(step));
        if runs_code {
            let text = "going over `{}` runs code between two turns";
            return Err(Blocker::new(text, self.head.items_span));
        }
        analysis.look(step, step, &mut stretch)?;
        // What an iterator gives changes with what it goes over.
        if let Inst::CallMethod { .. } = analysis.ir.inst(self.head.items) {
            analysis.look(self.head.items, step, &mut stretch)?;
        }
        for id in self.binding()? {
            match analysis.ir.inst(id) {
                Inst::Get { .. } => stretch.join(self.computing(id, next(id), known)?),
                Inst::Iterate(_) => analysis.look(id, step, &mut stretch)?,
                _ => {}
            }
        }
        Ok(stretch)
    }

    /// What some instructions do, which only compute.
    fn computing(&self, first: InstId, end: InstId, known: &Known) -> Result<Stretch, Blocker> {
        let ir = self.scope.analysis.ir;
        let is_kept = |it: &InstId| !matches!(ir.inst(*it), Inst::StoreVar { .. });
        let rest = FileIr::range(first, end).filter(is_kept);
        let stretch = self.scope.analysis.stretch_among(rest, first, known)?;
        if stretch.started.is_empty() && stretch.effects.writes.is_empty() {
            return Ok(stretch);
        }
        let span = Span::new(ir.span(first).start, ir.span(previous(end)).end);
        Err(Blocker::new("`{}` does more than compute what the operation needs", span))
    }

    /// Finds out which of the statements that an operation needs are there for nothing else.
    fn goes_along(&self, kept: &mut [(&Before<'p>, Needed)], operation: (InstId, InstId)) {
        let statements: Vec<&Stmt> = kept
            .iter()
            .filter_map(|(it, _)| match it {
                Before::Statement(stmt) => Some(*stmt),
                Before::Test { .. } => None,
            })
            .collect();
        let body = (self.stmt.first, self.stmt.end);
        let moved = moved_whole(self.scope.analysis.ir, body, &statements, operation);
        let parts = kept.iter_mut().filter_map(|(_, part)| match part {
            Needed::Statement(span) => Some((*span, part)),
            _ => None,
        });
        for ((span, part), is_moved) in parts.zip(moved) {
            if is_moved {
                *part = Needed::Along(span);
            }
        }
    }

    /// What the operation needs of something that stands before it.
    ///
    /// # Errors
    /// It cannot be had ahead.
    fn needs(
        &self,
        it: &Before<'p>,
        needs: &mut FxHashSet<VarId>,
        own: &mut FxHashSet<VarId>,
    ) -> Result<Option<Needed>, Blocker> {
        let ir = self.scope.analysis.ir;
        let (first, end) = it.range();
        let (reads, writes) = variables(ir, first, end);
        match it {
            Before::Statement(stmt) => {
                if writes.is_disjoint(needs) {
                    return Ok(None);
                }
                let is_name = |it: &Declarator| {
                    matches!(it.shape, PatternShape::Name(_) | PatternShape::Properties)
                };
                let is_declaration = matches!(
                    &stmt.kind,
                    StmtKind::Declaration { is_exported: false, declarators, .. }
                        if declarators.iter().all(is_name)
                );
                if !is_declaration || writes.iter().any(|&it| ir.variable(it).writes != 1) {
                    let text = "`{}` gives a value to what the operation needs";
                    return Err(Blocker::new(text, stmt.span));
                }
                own.extend(writes);
                needs.extend(reads);
                Ok(Some(Needed::Statement(stmt.span)))
            }
            Before::Test { branch, is_exit, .. } => {
                let Inst::Conditional { test, .. } = ir.inst(*branch) else { return Ok(None) };
                let span = ir.span(test);
                if !writes.is_empty() {
                    let text = "`{}` decides whether the operation starts, and changes something";
                    return Err(Blocker::new(text, span));
                }
                needs.extend(reads);
                Ok(Some(if *is_exit { Needed::Unless(span) } else { Needed::If(span, test) }))
            }
        }
    }

    /// The statement that waits first in a block, whatever it stands in, with what stands before it in
    /// the turn.
    ///
    /// # Errors
    /// Something before it may end the turn in a way that is not a plain test, or it stands where it may
    /// run several times.
    fn first_wait(
        &self,
        block: BlockId,
        before: &mut Vec<Before<'p>>,
    ) -> Result<&'p Stmt, Blocker> {
        let ir = self.scope.analysis.ir;
        for stmt in ir.block(block).iter().map(|&it| ir.stmt(it)) {
            let wait =
                FileIr::range(stmt.first, stmt.end).find(|&it| ir.inst(it).is_suspend_point());
            let Some(wait) = wait else {
                before.push(passed(ir, stmt)?);
                continue;
            };
            if suspensions(ir, stmt).first() == Some(&wait) {
                return Ok(stmt);
            }
            let within = match &stmt.kind {
                StmtKind::Block(inner) => Some(*inner),
                StmtKind::Try(parts) if holds(ir, parts.block, wait) => Some(parts.block),
                StmtKind::If { then, .. } if holds(ir, *then, wait) => {
                    branch(ir, *then).map(|branch| {
                        before.push(Before::Test { first: stmt.first, branch, is_exit: false });
                        *then
                    })
                }
                _ => None,
            };
            return match within {
                Some(inner) => self.first_wait(inner, before),
                None => Err(Blocker::new("`{}` waits only sometimes, or several times", stmt.span)),
            };
        }
        Err(Blocker::new("`{}` waits for nothing", self.stmt.span))
    }
}

impl Before<'_> {
    fn range(&self) -> (InstId, InstId) {
        match self {
            Self::Statement(stmt) => (stmt.first, stmt.end),
            Self::Test { first, branch, .. } => (*first, *branch),
        }
    }
}

fn next(id: InstId) -> InstId {
    InstId::new(id.index() + 1)
}

fn previous(id: InstId) -> InstId {
    InstId::new(id.index().saturating_sub(1))
}

fn holds(ir: &FileIr, block: BlockId, at: InstId) -> bool {
    ir.block(block).iter().any(|&it| ir.stmt(it).first <= at && at < ir.stmt(it).end)
}

/// The branch that leads into a block of an `if`.
fn branch(ir: &FileIr, block: BlockId) -> Option<InstId> {
    let first = ir.block(block).first().map(|&it| ir.stmt(it).first)?;
    let before = first.index().checked_sub(1).map(InstId::new)?;
    matches!(ir.inst(before), Inst::Conditional { .. }).then_some(before)
}

/// A statement that stands before the operation and does not wait.
fn passed<'p>(ir: &'p FileIr, stmt: &'p Stmt) -> Result<Before<'p>, Blocker> {
    if !has_exit(ir, &stmt.kind, Within::Block) {
        return Ok(Before::Statement(stmt));
    }
    let branch = match &stmt.kind {
        StmtKind::If { then, otherwise: None } if only_continues(ir, *then) => branch(ir, *then),
        _ => None,
    };
    match branch {
        Some(branch) => Ok(Before::Test { first: stmt.first, branch, is_exit: true }),
        None => Err(Blocker::new("`{}` decides whether the operation starts", stmt.span)),
    }
}

/// Whether a block is left for the next turn at its end, and only there. What else it does stays in the turn.
fn only_continues(ir: &FileIr, block: BlockId) -> bool {
    let Some((last, rest)) = ir.block(block).split_last() else { return false };
    let leaves = |id: &StmtId| has_exit(ir, &ir.stmt(*id).kind, Within::Block);
    matches!(ir.stmt(*last).kind, StmtKind::Continue { is_labelled: false })
        && !rest.iter().any(leaves)
}
