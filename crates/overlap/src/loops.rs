//! A loop over some items, and the operation that each turn of it waits for first.

use headstart_effects::{Blocker, Code, Known, Location, Stretch, SummaryLocation};
use headstart_ir::{
    BlockId, FileIr, FunctionId, Inst, InstId, LoopHead, LoopOver, PatternShape, Span, Stmt,
    StmtKind, VarId,
};
use rustc_hash::FxHashSet;

use crate::again::{depends_on_inside, gives_the_same, is_read_outside, moved_whole};
use crate::block::Surroundings;
use crate::deciding::When;
use crate::first::{Before, FirstWait, branch, first_wait};
use crate::parts::{Parts, Sides};
use crate::site::{Moves, Site, site_at};
use crate::unit::{Scope, variables};

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
    /// The variables that the head declares.
    pub(crate) items: FxHashSet<VarId>,
    /// The other variables that it reads.
    pub(crate) reads: FxHashSet<VarId>,
    /// What the tests look at that decide whether it starts.
    pub(crate) guards: Stretch,
    /// Whether what is left of the turn reads the item, or a part of it.
    pub(crate) uses_item: bool,
    /// What is written for the pattern of the head.
    pub(crate) parts: Parts,
    /// The same for the declarations that the turn computes again.
    pub(crate) parts_again: Vec<Parts>,
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
    /// It starts only where this test gives what it has to.
    If(Span, InstId, When),
}

impl Needed {
    pub(crate) fn span(self) -> Span {
        match self {
            Self::Statement(span) | Self::Along(span) | Self::If(span, ..) => span,
        }
    }
}

impl<'a, 'p> Loop<'a, 'p> {
    /// The operation that each turn of it waits for first.
    ///
    /// # Errors
    /// Why nothing could start before its turn has come.
    pub(crate) fn turn(&self) -> Result<Turn<'p>, Blocker> {
        let analysis = self.scope.analysis;
        let ir = analysis.ir;
        let FirstWait { stmt, wait, before } = first_wait(ir, self.body, self.stmt.span)?;
        let known = &mut Known::at(analysis, self.scope.function, self.stmt.first);
        let Some(site) = site_at(analysis, stmt, wait, known) else {
            return Err(Blocker::new(Code::WaitsForNoCall, stmt.span));
        };
        // What starts turns ahead makes a rejection of what that throws.
        let site = site.catching(analysis, known).unwrap_or(site);
        let after = next(site.operation);
        if let Some(wait) =
            FileIr::range(site.first, after).find(|it| ir.inst(*it).is_suspend_point())
        {
            return Err(Blocker::new(Code::WaitsWithinOperation, ir.span(wait)));
        }
        let fixed = site.why_fixed(analysis, Moves::Start);
        if let Some(blocker) = fixed.or_else(|| self.scope.in_front(stmt, &site)) {
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
            return Err(Blocker::new(Code::SameInEachTurn, ir.span(site.operation)));
        }
        if self.scope.asks_the_same_for_all(site.operation) {
            return Err(Blocker::new(Code::SameForAllItems, ir.span(site.operation)));
        }
        let mut stretch = self.head_stretch(known)?;
        self.goes_along(&mut kept, (site.first, after));
        let mut guards = Stretch::default();
        let of_operation = site.stretch.as_ref().ok().map(|it| it.effects.clone());
        for (it, part) in &kept {
            let (first, end) = it.range();
            let computed = self.computing(first, end, known)?;
            match (it, part) {
                (_, Needed::Along(_)) => {}
                (Before::Statement(stmt), _) => {
                    let place = (*stmt, site.operation, self.inside().1);
                    let effects = (&computed.effects, of_operation.as_ref());
                    let same = gives_the_same(analysis, place, effects)?;
                    stretch.assumptions.extend(same);
                }
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
        needs.retain(|it| !own.contains(it) && !self.is_inner(*it));
        guards.refs.retain(|(it, _)| !is_own(it));
        let along = kept.iter().filter(|it| matches!(it.1, Needed::Along(_)));
        let mut along: Vec<(InstId, InstId)> = along.map(|it| it.0.range()).collect();
        let first = along.iter().map(|it| it.0).fold(site.first, InstId::min);
        along.push((site.first, after));
        let body = self.inside();
        let uses_item = is_read_outside(ir, body, &items, &along);
        let mut starts: Vec<(InstId, InstId)> = kept.iter().map(|it| it.0.range()).collect();
        starts.push((site.first, after));
        let sides = Sides { body, start: &starts, along: &along };
        let head = (self.head.pattern, self.head.shape);
        let bound: Vec<InstId> = if self.counts() { Vec::new() } else { self.binding()?.collect() };
        let parts = sides.parts(ir, &bound, head);
        let again = kept.iter().filter_map(|(it, part)| match (it, part) {
            (Before::Statement(stmt), Needed::Statement(_)) => sides.of_statement(ir, stmt),
            _ => None,
        });
        let parts_again = again.collect();
        let needed = kept.into_iter().map(|it| it.1).collect();
        Ok(Turn {
            site,
            first,
            needed,
            own,
            items,
            reads: needs,
            guards,
            uses_item,
            parts,
            parts_again,
            stretch,
        })
    }

    /// The instructions of the body, without what the head does between two turns.
    fn inside(&self) -> (InstId, InstId) {
        let ir = self.scope.analysis.ir;
        let body = ir.block(self.body);
        let first = body.first().map_or(self.stmt.first, |&it| ir.stmt(it).first);
        let end = body.last().map_or(self.stmt.end, |&it| ir.stmt(it).end);
        (first, end)
    }

    /// The variables that the head declares.
    ///
    /// # Errors
    /// Binding them does more than name parts of an item, or they are assigned again.
    fn declared(&self) -> Result<FxHashSet<VarId>, Blocker> {
        let ir = self.scope.analysis.ir;
        let mut own = FxHashSet::default();
        if let (true, PatternShape::Name(var)) = (self.counts(), self.head.shape) {
            // It is counted up by the head, and by nothing else.
            let variable = ir.variable(var);
            if variable.writes != 2 || variable.is_written_by_closure {
                return Err(Blocker::new(Code::CountedElsewhere, self.head.pattern));
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

    /// Whether a variable is that of a function in this one: nobody else sees it.
    fn is_inner(&self, var: VarId) -> bool {
        let ir = self.scope.analysis.ir;
        let of = |id: FunctionId| ir.functions.get(id.index()).and_then(|it| it.parent);
        let mut around = of(ir.variable(var).owner);
        while let Some(function) = around {
            if function == self.scope.function {
                return true;
            }
            around = of(function);
        }
        false
    }

    /// Whether it goes over positions, or numbers.
    fn counts(&self) -> bool {
        matches!(self.head.over, LoopOver::Positions | LoopOver::Numbers { .. })
    }

    fn unclear_head(&self) -> Blocker {
        Blocker::new(Code::MoreThanNaming, self.head.pattern)
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

    /// What a loop that counts looks at in each turn: from the first instruction of `items` up to
    /// `items.length`, or to what numbers are compared with.
    fn length(&self) -> Result<(InstId, InstId), Blocker> {
        let ir = self.scope.analysis.ir;
        let test = branch(ir, self.body).map(|it| ir.inst(it));
        if let Some(Inst::Conditional { test, .. }) = test
            && let Inst::Operator { left, right, .. } = ir.inst(test)
        {
            let is_length =
                matches!(ir.inst(right), Inst::Get { object, .. } if object == self.head.items);
            match self.head.over {
                LoopOver::Positions if is_length => return Ok((next(left), right)),
                LoopOver::Numbers { .. } if right == self.head.items => {
                    return Ok((next(left), next(right)));
                }
                _ => {}
            }
        }
        Err(self.unclear_head())
    }

    /// The variables that the head reads again in each turn.
    fn head_reads(&self) -> Result<FxHashSet<VarId>, Blocker> {
        if !self.counts() {
            return Ok(FxHashSet::default());
        }
        let (first, end) = self.length()?;
        Ok(variables(self.scope.analysis.ir, first, end).0)
    }

    /// What taking an item and binding its parts looks at.
    fn head_stretch(&self, known: &Known) -> Result<Stretch, Blocker> {
        let analysis = self.scope.analysis;
        if let LoopOver::Numbers { .. } = self.head.over {
            let (first, end) = self.length()?;
            let bound = self.computing(first, end, known)?;
            depends_on_inside(&bound.effects, self.head.items_span)?;
            return Ok(bound);
        }
        if self.head.over == LoopOver::Positions {
            let (first, length) = self.length()?;
            let mut looked = Stretch::default();
            analysis.look(length, first, &mut looked)?;
            // The length of a list, or of what is taken to be one, changes with its items.
            for (it, _) in &mut looked.looked_at {
                if let SummaryLocation::Memory(place) = it {
                    *place = (*place).beside();
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
            return Err(Blocker::new(Code::GoingOverRunsCode, self.head.items_span));
        }
        analysis.look(step, step, &mut stretch)?;
        // What an iterator gives changes with what it goes over.
        if let Inst::CallMethod { .. } = analysis.ir.inst(self.head.items) {
            analysis.look(self.head.items, step, &mut stretch)?;
        }
        for id in self.binding()? {
            match analysis.ir.inst(id) {
                Inst::Get { .. } => stretch.join(self.computing(id, next(id), known)?),
                Inst::Iterate(item) => analysis.taken(id, item, step, &mut stretch)?,
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
        Err(Blocker::new(Code::NeedsMoreThanComputing, span))
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
        let (reads, mut writes) = variables(ir, first, end);
        writes.retain(|&it| !self.is_inner(it));
        match it {
            Before::Statement(stmt) => {
                if writes.is_disjoint(needs) {
                    return Ok(None);
                }
                let is_declaration =
                    matches!(&stmt.kind, StmtKind::Declaration { is_exported: false, .. });
                if !is_declaration || writes.iter().any(|&it| ir.variable(it).writes != 1) {
                    return Err(Blocker::new(Code::GivesWhatItNeeds, stmt.span));
                }
                own.extend(writes);
                needs.extend(reads);
                Ok(Some(Needed::Statement(stmt.span)))
            }
            Before::Test { test, when, .. } => {
                let span = ir.span(*test);
                if !writes.is_empty() {
                    return Err(Blocker::new(Code::DecidesAndChanges, span));
                }
                needs.extend(reads);
                Ok(Some(Needed::If(span, *test, *when)))
            }
        }
    }
}

fn next(id: InstId) -> InstId {
    InstId::new(id.index() + 1)
}

fn previous(id: InstId) -> InstId {
    InstId::new(id.index().saturating_sub(1))
}
