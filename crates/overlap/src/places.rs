//! Writes of the turns of a loop, which may overlap where each turn writes to a place of its own: another file,
//! another row, another address, as the item says.

use std::sync::Arc;

use headstart_callgraph::FunctionRef;
use headstart_effects::{
    Assumption, Blocker, Code, Known, PlaceRoot, Region, Resource, Step, SummaryLocation, Which,
};
use headstart_ir::{Inst, InstId, Span};

use crate::dependence::Dependence;
use crate::log::selects;
use crate::loops::{Loop, Turn};
use crate::named::Naming;
use crate::naming::{
    DEEPEST, has_places, in_order_of_items, is_apart, keeps_order, kind, locations, name_of_list,
    parts, touches,
};
use crate::paths::{reads_beside, reads_beside_of};
use crate::site::location_text;
use crate::whole::writes_whole;

/// What the turns of a loop touch, each at a place of its own.
pub(crate) struct OwnPlaces {
    /// The kinds of what is touched.
    pub(crate) kinds: Vec<Resource>,
    /// What is taken for granted of them.
    pub(crate) assumptions: Vec<Assumption>,
}

impl Loop<'_, '_> {
    /// What the operation of a turn, or the rest of the turn, writes at places that no other turn touches; none
    /// where nothing is written that the operation uses.
    ///
    /// # Errors
    /// What is not certain to be a place of the turn's own, or may not overlap at all.
    pub(crate) fn own_places(&self, turn: &Turn<'_>) -> Result<Option<OwnPlaces>, Blocker> {
        let scope = self.scope;
        let ir = scope.analysis.ir;
        let inside = ir.block(self.body).first().map_or(self.stmt.end, |&it| ir.stmt(it).first);
        let steps = scope.summaries.steps(scope.at(), inside, self.stmt.end);
        let effects = &turn.stretch.effects;
        let written = |it: &SummaryLocation| self.written(it);
        let mut kinds: Vec<Resource> = effects.writes.iter().filter_map(written).collect();
        let writes = !kinds.is_empty();
        // What the operation reads, and the rest of the turn writes.
        let used: Vec<Resource> = effects.reads.iter().filter_map(kind).collect();
        let of_rest = steps.iter().flat_map(|it| it.now.writes.iter().chain(&it.later.writes));
        kinds.extend(of_rest.filter_map(written).filter(|it| used.contains(it)));
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.is_empty() {
            return Ok(None);
        }
        if let Some(&other) = kinds.iter().find(|it| !has_places(**it)) {
            let what = location_text(scope.analysis, &SummaryLocation::Resource(other, Which::Any));
            let reason = Code::WriteOrder.with(&[&what]);
            return Err(Blocker::new(reason, ir.span(turn.site.operation)));
        }
        self.is_about_others(turn, (writes, &kinds), &steps)?;
        let dependence = self.dependence(turn, inside);
        let mut place = None;
        for step in &steps {
            if touches(step, &kinds) {
                let named = self.names_place(step, &kinds, &dependence)?;
                let is_first = [turn.site.operation, turn.site.suspension].contains(&step.at);
                // What the rest of a turn writes keeps its order; what gives a handle is not started ahead anyway.
                let is_checked = is_first && !turn.stretch.gives;
                if is_checked && !writes_whole(scope.summaries, scope.at(), step, &kinds) {
                    return Err(Blocker::new(
                        Code::WritesMoreThanWhole,
                        ir.span(turn.site.operation),
                    ));
                }
                if is_first || place.is_none() {
                    place = Some(named);
                }
            }
        }
        let span = place.unwrap_or(ir.span(turn.site.operation));
        let own = match (writes, kinds.contains(&Resource::File)) {
            (true, false) => Code::EachTurnWritesItsOwn,
            (true, true) => Code::EachTurnWritesItsOwnFile,
            (false, false) => Code::EachTurnUsesItsOwn,
            (false, true) => Code::EachTurnUsesItsOwnFile,
        };
        let mut assumptions = vec![Assumption::new(own, span)];
        if writes {
            assumptions
                .push(Assumption::new(Code::NextTurnsAreUnderWay, ir.span(turn.site.operation)));
        }
        Ok(Some(OwnPlaces { kinds, assumptions }))
    }

    /// That a turn may be about what another one is about, too.
    ///
    /// # Errors
    /// It may: items that come in an order, rows that are looked for before they are added or changed, files that are
    /// moved on.
    fn is_about_others(
        &self,
        turn: &Turn<'_>,
        (writes, kinds): (bool, &[Resource]),
        steps: &[Arc<Step>],
    ) -> Result<(), Blocker> {
        let analysis = self.scope.analysis;
        let (ir, operation) = (analysis.ir, turn.site.operation);
        if let Some(word) = name_of_list(ir, self.head.items).and_then(in_order_of_items) {
            let reason = Code::ItemsInOrder.with(&[word]);
            return Err(Blocker::new(reason, self.head.items_span));
        }
        let is_row = |it: &Resource| matches!(it, Resource::Connection | Resource::Storage);
        if !writes && kinds.iter().any(is_row) {
            return Err(Blocker::new(Code::LooksAtWhatTurnsChange, ir.span(operation)));
        }
        let is_relative = |step: &Arc<Step>| {
            step.at != operation && reads_beside_of(analysis, operation, step.at)
        };
        if kinds.contains(&Resource::File)
            && (reads_beside(analysis, operation) || steps.iter().any(is_relative))
        {
            return Err(Blocker::new(Code::PathsMadeAlike, ir.span(operation)));
        }
        Ok(())
    }

    /// Whether each write of the functions that a call runs is named by something that is made of the item.
    fn names_each(
        &self,
        functions: &[FunctionRef],
        args: &[InstId],
        kinds: &[Resource],
        dependence: &Dependence<'_>,
    ) -> bool {
        functions.iter().all(|&it| {
            let mut naming = Naming::new(self.scope.analysis, self.scope.summaries, kinds);
            naming.parameters(it).written.iter().all(|named| {
                named.iter().any(|(position, key)| {
                    let Some(&arg) = args.get(*position as usize) else { return false };
                    let member = key.as_ref().and_then(|it| dependence.written.member(arg, it));
                    dependence.depends(member.unwrap_or(arg), DEEPEST)
                })
            })
        })
    }

    /// The kind of what is written, where that is more than a line of a log or what a query only selects.
    fn written(&self, location: &SummaryLocation) -> Option<Resource> {
        let is_none = location.is_log() || selects(&self.scope, location);
        kind(location).filter(|_| !is_none)
    }

    /// What of a turn is made of its item.
    fn dependence<'p>(&self, turn: &Turn<'_>, inside: InstId) -> Dependence<'p>
    where
        Self: 'p,
    {
        let ir = self.scope.analysis.ir;
        Dependence::new(ir, (inside, self.stmt.end), turn.items.clone())
    }

    /// What names the place that a call in the turn reads or writes, made of the item.
    ///
    /// # Errors
    /// Nothing does, or it is called like what adds to one place.
    fn names_place(
        &self,
        step: &Step,
        kinds: &[Resource],
        dependence: &Dependence<'_>,
    ) -> Result<Span, Blocker> {
        let analysis = self.scope.analysis;
        let ir = analysis.ir;
        // A query that is built first is sent where it is waited for.
        let call = match ir.inst(step.at) {
            Inst::Await(value) => value,
            _ => step.at,
        };
        let span = ir.span(call);
        let same = |what: Span| Err(Blocker::new(Code::SamePlaceInEachTurn, what));
        // Waiting for what has been started elsewhere, and its like.
        let Some((object, args)) = parts(ir, call) else { return same(span) };
        let made = |it: &InstId| dependence.depends(*it, DEEPEST);
        is_apart(self.scope, call, step, (object, args), dependence.written)?;
        // The model says which argument names it.
        if let Ok(operation) = analysis.operation(call, &Known::default()) {
            let all_of = |it: &[Region]| it.iter().filter_map(|it| it.which).collect::<Vec<_>>();
            let (written, read) = (all_of(&operation.writes), all_of(&operation.reads));
            if let Some(&first) = written.first().or_else(|| read.iter().find(|it| made(it))) {
                let is_own = written.iter().all(made);
                return if is_own { Ok(ir.span(first)) } else { same(span) };
            }
            if !read.is_empty() {
                return same(span);
            }
        }
        if let Some(word) = keeps_order(self.scope, call) {
            return Err(Blocker::new(Code::KeepsAnOrder.with(&[word]), span));
        }
        for location in locations(step).filter(|it| kind(it).is_some_and(|it| kinds.contains(&it)))
        {
            if !self.may_be_own(location, dependence) {
                return same(span);
            }
        }
        if let Some(which) = args.iter().find_map(|&it| dependence.written.chosen(it)) {
            return if made(&which) { Ok(ir.span(which)) } else { same(span) };
        }
        let functions = &self.scope.summaries.graph.callees(analysis.at(call)).functions;
        if !self.names_each(functions, args, kinds, dependence) {
            return same(span);
        }
        let is_statement = self.scope.summaries.sends_statement(analysis.at(call));
        if let Some(&text) = args.first().filter(|it| is_statement && made(it)) {
            return Err(Blocker::new(Code::ItemInAStatement, ir.span(text)));
        }
        // `tables[name].deleteMany()`: the same.
        let object = object.filter(|&it| !dependence.is_chosen_by_name(it));
        // A method of a library names what it is about first; a function of the program may be handed more.
        let asked =
            if functions.is_empty() && !is_statement { &args[..args.len().min(1)] } else { args };
        let named = asked.iter().chain(&object).find(|it| made(it));
        named.map_or_else(|| same(span), |&it| Ok(ir.span(it)))
    }

    /// Whether what a call reads or writes may be another place in each turn.
    fn may_be_own(&self, location: &SummaryLocation, dependence: &Dependence<'_>) -> bool {
        match location {
            // Of hosts and databases, the name says which: not what is in them.
            SummaryLocation::Resource(kind, Which::Named(_)) => *kind != Resource::File,
            SummaryLocation::Resource(_, Which::Held(place)) => match place.root {
                PlaceRoot::Variable(file, var) => {
                    file != self.scope.at().file || dependence.variables.contains(&var)
                }
                _ => true,
            },
            _ => true,
        }
    }
}
