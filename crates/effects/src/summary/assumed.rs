//! What a function does if the code that nobody knows, which it calls, only computes.
//!
//! Where a callee is not known a summary says so: it may do anything. The rest of what the function
//! does is kept beside that, with the calls that would have to be harmless: a person may know that
//! they are.

use std::collections::BTreeSet;

use headstart_callgraph::{Callees, Cause, FunctionRef, InstRef, Modelled};
use headstart_ir::{Inst, InstId};

use super::bind::Binding;
use super::compute::Computation;
use super::order::When;
use super::place::{Location, Resource, Which};
use super::plain::is_many;
use super::readers::writes_outside;
use super::row::arguments;
use super::told::is_told_to_change;
use super::{Effects, Summaries, Summary};
use crate::sights::{SeenTo, Sight};

/// Where more calls would have to be harmless, nobody checks them all.
const MOST_CALLS: usize = 4;
/// Where more have to be what their names say, nobody checks that either.
const MOST_READS: usize = 12;
/// Where more methods are shown that a call may be of, it is not taken to be of one of them.
const MOST_SHOWN: usize = 4;
/// Where more is read and written, it is not told apart which objects that the program makes are read.
const MOST_LOCATIONS: usize = 96;

/// What is done beside calling code that nobody knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assumed {
    /// The calls of which nobody knows what they do.
    pub calls: BTreeSet<InstRef>,
    /// The calls of which nobody knows either what they do, and which are written like reads.
    pub reads: BTreeSet<InstRef>,
    /// The functions of the program of which a person says what they do.
    pub answered: BTreeSet<FunctionRef>,
    /// The first call of something that is called like a logger, and of which nobody knows either what
    /// it does: that only logs.
    pub logs: Option<InstRef>,
    /// Whether a call that is written like a read is known to write lines of the log, too.
    pub reports: bool,
    /// The first place where something that nobody knows is used as text, a number or a list: that is what
    /// it is.
    pub plain: Option<InstRef>,
    /// The first place where an element of JSX is made, or a list of them: that runs no component.
    pub elements: Option<InstRef>,
    /// The first call of a method of the program that something may have been put in the place of: it is
    /// still there.
    pub kept: Option<InstRef>,
    /// The first call that ends the program: it does not come to that.
    pub ends: Option<InstRef>,
    /// The first call that is taken by its name, and comes to asking a person or ending the program far down: it does
    /// not come to that.
    pub asks: Option<InstRef>,
    /// Whether a call of code that nobody knows is left out, since runs have shown what it does outside of the program: only
    /// a call that was seen itself may rest on that.
    pub(crate) is_seen: bool,
    /// What is done before the first wait, as far as it is not part of the summary itself.
    pub before: Effects,
    /// What is done after it.
    pub after: Effects,
}

impl Assumed {
    /// What is done before the first wait, and after it.
    pub(crate) fn effects(&self) -> [&Effects; 2] {
        [&self.before, &self.after]
    }

    /// Whether all that is taken for granted is that calls do what their names say.
    #[must_use]
    pub fn is_by_name(&self) -> bool {
        self.calls.is_empty()
    }

    /// Whether none of what is taken for granted is about code that nobody knows.
    fn is_nothing_called(&self) -> bool {
        self.calls.is_empty() && self.reads.is_empty()
    }

    fn join(&mut self, other: Self) {
        self.rest_on(&other);
        self.before.join(other.before);
        self.after.join(other.after);
    }

    /// Takes for granted what the other does, too.
    fn rest_on(&mut self, other: &Self) {
        self.calls.extend(&other.calls);
        self.reads.extend(&other.reads);
        self.answered.extend(&other.answered);
        self.logs = self.logs.into_iter().chain(other.logs).min();
        self.reports |= other.reports;
        self.plain = self.plain.into_iter().chain(other.plain).min();
        self.elements = self.elements.into_iter().chain(other.elements).min();
        self.kept = self.kept.into_iter().chain(other.kept).min();
        self.ends = self.ends.into_iter().chain(other.ends).min();
        self.asks = self.asks.into_iter().chain(other.asks).min();
        self.is_seen |= other.is_seen;
    }

    /// Tells no longer apart which objects are read that the program makes, where very much is read.
    fn blur(&mut self) {
        if self.before.len() + self.after.len() > MOST_LOCATIONS {
            self.before.blur_reads();
            self.after.blur_reads();
        }
    }

    fn is_too_much(&self) -> bool {
        self.calls.len() > MOST_CALLS
            || self.reads.len() > MOST_READS
            || self.before.len() + self.after.len() > MOST_LOCATIONS
    }
}

impl Computation<'_, '_> {
    /// A call of code that nobody knows.
    pub(crate) fn unknown_call(&mut self, id: InstId, callees: &Callees<'_>) {
        let at = self.roots.at(id);
        let all = self.roots.all;
        self.summary.does_more |= all.is_called_like_a_write(at)
            || all.is_dispatched(at)
            || is_told_to_change(self.ir, id);
        let is_seen = |it: &Sight| matches!(it.does, SeenTo::Read | SeenTo::Write);
        let assumed = match all.sight(at) {
            Some(sight) if is_seen(sight) => {
                self.is_handed_no_code(id).then(|| Assumed { is_seen: true, ..Assumed::default() })
            }
            _ if all.is_of_client(at) => None,
            _ => self
                .may_be_harmless(id, callees)
                .then(|| Assumed { calls: BTreeSet::from([at]), ..Assumed::default() }),
        };
        self.anything_but(id, assumed);
    }

    /// A call of a function that may do anything.
    pub(crate) fn unknown_callee(
        &mut self,
        id: InstId,
        summary: &Summary,
        function: FunctionRef,
        binding: &Binding,
        when: When,
    ) {
        self.grant(&summary.granted);
        self.summary.locks |= summary.locks;
        self.summary.gives |= summary.gives;
        self.abandon_through(summary);
        self.leave_through(summary, function, binding);
        let known = self.take_assumed(id);
        let (Some(mut all), Some(inner)) = (known, summary.assumed.as_deref()) else { return };
        let (at, roots) = (self.roots.at(id), self.roots.all);
        // `register` that asks `api.get({ command: "register" })` does not read.
        if !inner.reads.is_empty() && roots.is_called_like_a_deed(at) {
            return;
        }
        // What was seen to write does more than what is taken for granted of what it calls.
        let is_known = || summary.effects().chain(inner.effects()).any(writes_outside);
        if !inner.is_nothing_called() && roots.is_seen_to_write(at) && !is_known() {
            return;
        }
        let call = (function, binding);
        all.rest_on(inner);
        let (mut before, mut after) = (Effects::default(), Effects::default());
        for effects in [&summary.before, &inner.before] {
            self.translate_at(effects, call, when, (&mut before, &mut after));
        }
        for effects in [&summary.after, &inner.after] {
            self.translate(effects, call, &mut after);
        }
        if roots.sight(at).is_some_and(|it| it.does == SeenTo::Read) {
            after.reads.insert(Location::Resource(Resource::Outside, Which::Any));
        }
        if roots.is_fill(at) {
            (before, after) = (before.filling(at), after.filling(at));
        }
        all.before.join(before);
        all.after.join(after);
        self.keep_assumed(all);
    }

    /// An instruction may do anything; `assumed` is what is known of it.
    pub(super) fn anything_but(&mut self, id: InstId, assumed: Option<Assumed>) {
        let known = self.take_assumed(id);
        let (Some(mut all), Some(assumed)) = (known, assumed) else { return };
        all.join(assumed);
        self.keep_assumed(all);
    }

    /// An instruction may do anything: what is done beside that so far, to be kept with what is known of it;
    /// none where that cannot be told any more. What is not kept is forgotten.
    fn take_assumed(&mut self, id: InstId) -> Option<Box<Assumed>> {
        let is_first = self.summary.anything.is_empty();
        let known = self.summary.assumed.take();
        self.anything(id);
        known.or_else(|| is_first.then(Box::default))
    }

    fn keep_assumed(&mut self, mut all: Box<Assumed>) {
        all.blur();
        if !all.is_too_much() {
            self.summary.assumed = Some(all);
        }
    }

    /// Whether somebody may know of a call that it only computes: it is given no function to call,
    /// and what is called is not known to do anything.
    fn may_be_harmless(&self, id: InstId, callees: &Callees<'_>) -> bool {
        let is_open = |cause: &Cause<'_>| {
            !matches!(
                cause,
                Cause::Model(_)
                    | Cause::TooMany
                    | Cause::Opaque
                    | Cause::ComputedModule
                    | Cause::Displaced
            )
        };
        let is_top = |it: &Modelled<'_>| it.call.is_none() && it.native.is_none();
        let causes = &callees.unknown;
        // What is called like a write does not only compute.
        !causes.is_empty()
            && !self.roots.all.is_called_like_a_write(self.roots.at(id))
            && causes.iter().all(is_open)
            && !callees.modelled.iter().any(is_top)
            && self.is_handed_no_code(id)
    }

    /// Whether a call is given no function to call.
    fn is_handed_no_code(&self, id: InstId) -> bool {
        arguments(self.ir.inst(id)).is_some_and(|args| {
            self.ir.args(args).iter().all(|&arg| {
                !matches!(self.ir.inst(arg), Inst::Closure(_) | Inst::Spread(_))
                    && !self.roots.all.graph.may_be_function(self.roots.at(arg))
            })
        })
    }
}

impl Summaries<'_> {
    /// Whether it is known which function a call runs, if what a finding takes for granted of it holds.
    pub(super) fn is_known_to_run(&self, call: InstRef, callees: &Callees<'_>) -> bool {
        self.is_kept(call, callees) || self.is_implied(call, callees)
    }

    /// Whether a call is one of methods that the program shows, if nothing else stands in their place: what it is on may
    /// be very many things, or have been in other hands.
    pub(super) fn is_kept(&self, call: InstRef, callees: &Callees<'_>) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let Inst::CallMethod { object, .. } = ir.inst(call.inst) else { return false };
        // Where sets are not told apart any more, all that is in one of them is in all.
        let is_blurred = callees.unknown.iter().any(is_many);
        let is_replaced = |it: &Cause<'_>| match it {
            Cause::TooMany | Cause::Narrowed | Cause::Escaped | Cause::ComputedKey => true,
            Cause::Entry => is_blurred || ir.inst(object) == Inst::This,
            Cause::Result
            | Cause::Callback
            | Cause::Caught
            | Cause::Data
            | Cause::Package(_)
            | Cause::Outside(_)
            | Cause::NoSuchMember(_)
            | Cause::Model(_) => is_blurred,
            _ => false,
        };
        let shown = callees.functions.len() + callees.modelled.len();
        (1..=MOST_SHOWN).contains(&shown)
            && callees.modelled.iter().all(|it| it.call.is_some())
            && callees.unknown.iter().all(is_replaced)
    }
}
