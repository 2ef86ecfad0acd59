//! Functions that are handed to others, told apart by call site: `retry(() => read(a))` does what `retry` does
//! by itself, and what that closure does, not what every caller of `retry` hands over.
//!
//! Beside its summary, a function that calls what it is given has another one, without that, and with the
//! parameters that it calls (functional summaries: Sharir and Pnueli, 1981, with the functions that are handed over
//! as the only context). At a call that hands over closures made right there, that one counts, and theirs;
//! everywhere else the whole.

use headstart_callgraph::{AbstractObject, FunctionRef, InstRef, PathKey, Start};
use headstart_ir::{Class, FileIr, FunctionId, FunctionKind, Inst, InstId, Key, PropKey};

use super::bind::{Argument, Binding};
use super::compute::Computation;
use super::order::When;
use super::place::{Location, Root};
use super::roots::{LONGEST_TRACE, Rooted, Roots};
use super::row::arguments;
use super::{Summaries, Summary, Waiting};

/// How many functions one parameter may stand for.
const MOST_FUNCTIONS: usize = 8;
/// How many parameters a function may call.
const MOST_APPLIED: usize = 8;
/// How far behind a call somebody waits for it.
const FARTHEST_USE: usize = 64;
/// How deep in a parameter what is called may lie.
const MOST_KEYS: usize = 2;
/// Through how many functions a parameter is followed that is passed on, and how many calls of each are looked at.
const DEEPEST_PASSING: u32 = 3;
const MOST_SITES: usize = 32;

/// What a parameter is given that is called.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Given {
    /// What a parameter of the function holds.
    Of(u32, Vec<PathKey>),
    /// Nothing that was there before.
    New,
    /// Something else.
    Other,
}

/// A parameter that a function calls, or what is below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Applied {
    /// Whose parameter it is: the function itself, or one around it.
    owner: FunctionRef,
    position: u32,
    /// The way to what is called.
    keys: Vec<PathKey>,
    /// Whether it is called before the function first waits.
    before: bool,
    /// Whether it is called after that.
    after: bool,
    /// Whether what it gives is waited for, or returned, at once.
    is_waited: bool,
    /// What it is given, one by one; none where that is not known.
    given: Option<Vec<Given>>,
}

impl Applied {
    fn is_same(&self, other: &Self) -> bool {
        (self.owner, self.position, &self.keys) == (other.owner, other.position, &other.keys)
    }
}

/// What a function does without what the parameters do that it calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bare {
    pub(super) summary: Summary,
    pub(super) applied: Vec<Applied>,
}

/// A function that a call hands over, and how it is called.
struct HandedOver {
    function: FunctionRef,
    how: Applied,
}

/// A call told apart: the callee by itself, the functions that it is handed, and the parameters of the caller, and
/// of functions around that, which it passes on.
pub(super) struct ToldApart<'s> {
    pub(super) bare: &'s Summary,
    handed: Vec<HandedOver>,
    passed_on: Vec<Applied>,
    /// Whether that rests on nobody putting other functions in the place of those.
    pub(super) supposes: bool,
}

/// The functions below an argument.
struct Closures {
    all: Vec<FunctionRef>,
    /// Whether others may stand in their place, since many such arguments are not told apart.
    supposes: bool,
}

/// A parameter of a function, and the way to something below it.
pub(super) type BelowParameter = (FunctionRef, u32, Vec<PathKey>);

impl Summaries<'_> {
    /// Whether a call of a function may be told apart by what it hands over below a parameter: if no caller makes
    /// that right there, nobody asks what the function does without it.
    fn is_told_apart(&self, parameter: &BelowParameter) -> bool {
        let part = self.told_apart.part(&parameter.0);
        if let Some(&known) = part.get(parameter) {
            return known;
        }
        drop(part);
        let found = self.is_handed_over(parameter, DEEPEST_PASSING);
        self.told_apart.part(&parameter.0).insert(parameter.clone(), found);
        found
    }

    fn is_handed_over(&self, (owner, position, keys): &BelowParameter, depth: u32) -> bool {
        let sites = self.callers(*owner);
        let is_handed = |at: &InstRef| {
            let ir = self.graph.files()[at.file as usize];
            let (Inst::Call { args, .. } | Inst::CallMethod { args, .. }) = ir.inst(at.inst) else {
                return false;
            };
            let Some(&arg) = ir.args(args).get(*position as usize) else { return true };
            let function = self.graph.function_at(*at);
            let caller = Roots {
                all: self,
                stores: &[],
                function,
                waits: false,
                is_local: false,
                is_bare: false,
            };
            match caller.parameter_of(arg) {
                Some((owner, position, mut way)) => {
                    way.extend(keys);
                    let Some(depth) = depth.checked_sub(1) else { return true };
                    way.len() <= MOST_KEYS && self.is_handed_over(&(owner, position, way), depth)
                }
                None => caller.closures(arg, keys).is_some(),
            }
        };
        sites.len() > MOST_SITES || sites.iter().any(is_handed)
    }

    /// Whether a function is another one or stands in it.
    fn is_in(&self, inner: FunctionRef, outer: FunctionRef) -> bool {
        let ir = self.graph.files()[inner.file as usize];
        let mut at = Some(inner.function);
        let same_file = inner.file == outer.file;
        std::iter::from_fn(|| {
            let here = at?;
            at = ir.function(here).parent;
            Some(here)
        })
        .any(|it: FunctionId| same_file && it == outer.function)
    }
}

impl<'a> Roots<'a, '_> {
    /// The parameter that a value always is, of this function or of one around it, or is read of.
    fn parameter_of(&self, value: InstId) -> Option<BelowParameter> {
        let ir = self.ir();
        if ir.function(self.function.function).is_generator {
            return None;
        }
        let mut keys: Vec<PathKey> = Vec::new();
        let mut at = value;
        // Variables may be given to one another in a circle.
        for _ in 0..LONGEST_TRACE {
            match ir.inst(at) {
                Inst::Param(position) => {
                    keys.reverse();
                    let owner = self.all.graph.function_at(self.at(at));
                    let is_plain = !ir.function(owner.function).has_dynamic_scope;
                    return is_plain.then_some((owner, position, keys));
                }
                Inst::LoadVar(var) => at = self.all.graph.always(self.function.file, var)?,
                Inst::Get { object, key } if keys.len() < MOST_KEYS => {
                    keys.push(self.key_of(key));
                    at = object;
                }
                _ => return None,
            }
        }
        None
    }

    /// The parameter that a call calls, or below which lies what it calls: a function that was written for
    /// that, no method of a class.
    fn called_parameter(&self, call: InstId, callee: InstId) -> Option<BelowParameter> {
        let found = self.parameter_of(callee)?;
        let callees = self.all.callees(self.at(call));
        let is_closure = |it: &FunctionRef| {
            let ir = self.all.graph.files()[it.file as usize];
            let is_member =
                |class: &Class| class.members.iter().any(|of| of.function == it.function);
            let is_plain = matches!(
                ir.function(it.function).kind,
                FunctionKind::Function | FunctionKind::Arrow
            );
            is_plain || !ir.classes.iter().any(is_member)
        };
        let is_handed = found.2.is_empty()
            || callees.modelled.is_empty() && callees.functions.iter().all(is_closure);
        (is_handed && self.all.is_told_apart(&found)).then_some(found)
    }

    fn key_of(&self, key: PropKey) -> PathKey {
        match key.get() {
            Key::Computed(_) => PathKey::ANY,
            _ => self.all.graph.key(self.function.file, key),
        }
    }

    /// What a call of a function of the program does, told apart; none where that is not known.
    pub(super) fn told_apart(&self, call: InstId, function: FunctionRef) -> Option<ToldApart<'a>> {
        let bare = self.all.bare.get(&function)?;
        let ir = self.ir();
        let (callee, args) = match ir.inst(call) {
            Inst::Call { callee, args } | Inst::CallMethod { method: callee, args, .. } => {
                (callee, ir.args(args))
            }
            _ => return None,
        };
        let is_plain = self.all.callees(self.at(call)).modelled.is_empty()
            && self.all.graph.bound_at(self.at(callee)).is_none()
            && !args.iter().any(|&it| matches!(ir.inst(it), Inst::Spread(_)));
        if !is_plain {
            return None;
        }
        let mut told = ToldApart {
            bare: &bare.summary,
            handed: Vec::new(),
            passed_on: Vec::new(),
            supposes: false,
        };
        for how in &bare.applied {
            if how.owner != function {
                told.passed_on.push(self.around(how)?);
                continue;
            }
            let Some(&arg) = args.get(how.position as usize) else { continue };
            let of = self.parameter_of(arg).filter(|_| self.is_bare);
            match of {
                Some((owner, position, mut keys)) => {
                    keys.extend(&how.keys);
                    if keys.len() > MOST_KEYS {
                        return None;
                    }
                    let given = self.given_on(how, args);
                    told.passed_on.push(Applied { owner, position, keys, given, ..how.clone() });
                }
                None => {
                    let closures = self.closures(arg, &how.keys)?;
                    if closures.supposes && changes_below(&bare.summary, how.position) {
                        return None;
                    }
                    told.supposes |= closures.supposes;
                    for function in closures.all {
                        if !self.gives_as_expected(function, how) {
                            return None;
                        }
                        told.handed.push(HandedOver { function, how: how.clone() });
                    }
                }
            }
        }
        Some(told)
    }

    /// What a function by itself does that something else calls and that calls parameters of functions around
    /// it, and those parameters. `is_waited`: whether what it gives is waited for at once.
    pub(super) fn called_by_others(
        &self,
        function: FunctionRef,
        is_waited: bool,
    ) -> Option<(&'a Summary, Vec<Applied>)> {
        let bare = self.all.bare.get(&function).filter(|_| self.is_bare)?;
        let each = bare.applied.iter().map(|it| {
            let around = self.around(it).filter(|_| it.owner != function)?;
            Some(Applied { is_waited: it.is_waited && is_waited, given: None, ..around })
        });
        Some((&bare.summary, each.collect::<Option<_>>()?))
    }

    /// A parameter of a function around, where this one is looked at by itself.
    fn around(&self, how: &Applied) -> Option<Applied> {
        let is_around = self.is_bare && self.all.is_in(self.function, how.owner);
        is_around.then(|| Applied { given: None, ..how.clone() })
    }

    /// What is passed to something that is called, as callers of this function see it.
    fn given(&self, value: InstId) -> Given {
        match self.parameter_of(value) {
            Some((owner, position, keys)) if owner == self.function => Given::Of(position, keys),
            _ if self.rooted(value).iter().all(|it| matches!(it, Rooted::Made(_))) => Given::New,
            _ => Given::Other,
        }
    }

    /// What a callee passes on, as callers of this function see it.
    fn given_on(&self, how: &Applied, args: &[InstId]) -> Option<Vec<Given>> {
        let of = |it: &Given| match it {
            Given::Of(position, keys) => {
                match args.get(*position as usize).map(|&it| self.given(it)) {
                    Some(Given::Of(position, mut way)) => {
                        way.extend(keys);
                        Given::Of(position, way)
                    }
                    Some(Given::New) | None => Given::New,
                    Some(Given::Other) => Given::Other,
                }
            }
            other => other.clone(),
        };
        how.given.as_ref().map(|all| all.iter().map(of).collect())
    }

    /// The functions below an argument, where this function makes all of them.
    fn closures(&self, arg: InstId, keys: &[PathKey]) -> Option<Closures> {
        let objects = self.all.graph.reached(Start::Value(self.at(arg)), keys);
        let own = |it: &AbstractObject| match it {
            AbstractObject::Function(function) => {
                let data =
                    self.all.graph.files()[function.file as usize].function(function.function);
                let is_made_here = function.file == self.function.file
                    && data.parent == Some(self.function.function);
                (is_made_here && !data.is_generator).then_some(*function)
            }
            _ => None,
        };
        // Who is handed very many objects may have given them to others, as far as that can be told.
        let supposes = objects.contains(&AbstractObject::Unknown)
            && keys.len() == 1
            && self.is_written_out(arg, |value| !self.all.graph.is_unknown(self.at(value)));
        let is_without = || {
            matches!(self.ir().inst(arg), Inst::Literal(_)) || self.is_written_out(arg, |_| true)
        };
        let is_known = !objects.is_empty() || is_without();
        if is_known && objects.len() <= MOST_FUNCTIONS {
            let known = objects.iter().filter(|it| !supposes || **it != AbstractObject::Unknown);
            let all = known.map(own).collect::<Option<_>>()?;
            Some(Closures { all, supposes })
        } else {
            None
        }
    }

    /// Whether a value is an object that is written out where it is handed over, and something holds of all that is
    /// in it.
    fn is_written_out(&self, arg: InstId, holds: impl Fn(InstId) -> bool) -> bool {
        let ir = self.ir();
        let function = ir.function(self.function.function);
        let fits = |it: InstId| match ir.inst(it) {
            Inst::CopyProps { object, .. } | Inst::Accessor { object, .. } => object != arg,
            Inst::Set { object, value, .. } => object != arg || holds(value),
            _ => true,
        };
        ir.inst(arg) == Inst::Object && FileIr::range(function.first, function.end).all(fits)
    }

    /// Whether it shows in the summary of a function what comes of what it gives: nobody waits for what it
    /// does not wait for itself, and waiting for what it gives starts nothing.
    fn gives_as_expected(&self, function: FunctionRef, how: &Applied) -> bool {
        let ir = self.all.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        if data.is_async {
            return how.is_waited;
        }
        let graph = &self.all.graph;
        let mut given = graph.returned_values(function);
        if how.is_waited {
            given.all(|it| !self.all.is_lazy(it) && !graph.may_be_thenable(it))
        } else {
            given.all(|it| !graph.may_be_promise(it) && graph.awaited(it).is_empty())
        }
    }

    /// What the promise of a call waits for that is told apart, and whether it may be rejected.
    pub(super) fn settling_apart(
        &self,
        call: InstId,
        function: FunctionRef,
    ) -> Option<(Waiting, bool)> {
        let told = self.told_apart(call, function)?;
        let mut waiting = told.bare.settling;
        let mut rejects = told.bare.rejects;
        for it in &told.handed {
            let summary = self.all.of(it.function);
            if it.how.is_waited {
                waiting = waiting.and(summary.settling);
            }
            rejects |= summary.rejects || summary.throws;
        }
        Some((waiting, rejects))
    }
}

/// Whether a function changes something below what it is handed at a position, or may.
fn changes_below(summary: &Summary, position: u32) -> bool {
    let is_below = |it: &Location| match it {
        Location::Memory(place) => place.root == Root::Parameter(position) || place.is_unknown(),
        Location::Resource(..) => false,
    };
    summary.is_too_much || summary.effects().flat_map(|it| &it.writes).any(is_below)
}

impl Computation<'_, '_> {
    /// Whether a call is one of a parameter, which counts where the function is called; notes it.
    pub(super) fn applies_parameter(&mut self, id: InstId, when: When) -> bool {
        let (Inst::Call { callee, .. } | Inst::CallMethod { method: callee, .. }) =
            self.ir.inst(id)
        else {
            return false;
        };
        let Some((owner, position, keys)) = self.roots.called_parameter(id, callee) else {
            return false;
        };
        self.has_applied = true;
        if !self.roots.is_bare || self.applied.len() >= MOST_APPLIED {
            return false;
        }
        let is_waited = self.is_waited_at_once(id);
        let args = arguments(self.ir.inst(id)).map(|it| self.ir.args(it)).unwrap_or_default();
        let is_spread = args.iter().any(|&it| matches!(self.ir.inst(it), Inst::Spread(_)));
        let given = (!is_spread).then(|| args.iter().map(|&it| self.roots.given(it)).collect());
        let (before, after) = (when.before, when.after);
        self.pass_on(Applied { owner, position, keys, before, after, is_waited, given });
        true
    }

    /// Whether a value is what a parameter gave that is called, so that its callers know what it is.
    pub(super) fn is_applied(&self, value: InstId) -> bool {
        self.roots.is_bare
            && match self.ir.inst(value) {
                Inst::Select(left, right) => self.is_applied(left) && self.is_applied(right),
                Inst::Call { callee, .. } | Inst::CallMethod { method: callee, .. } => {
                    self.roots.called_parameter(value, callee).is_some()
                        && self.is_waited_at_once(value)
                }
                _ => false,
            }
    }

    /// `await f()`, `return f()`, `return test ? f() : g()`.
    pub(super) fn is_waited_at_once(&self, id: InstId) -> bool {
        let end = self.ir.function(self.roots.function.function).end;
        let mut value = id;
        for next in FileIr::range(InstId::new(id.index() + 1), end).take(FARTHEST_USE) {
            match self.ir.inst(next) {
                Inst::Await(of) if of == value => return true,
                Inst::Return(of) if of == value => return !self.structure.cleans_up,
                // What stands in between runs where this does not.
                Inst::Select(left, right) if left == value || right == value => value = next,
                _ => {}
            }
        }
        false
    }

    fn pass_on(&mut self, one: Applied) {
        match self.applied.iter_mut().find(|it| it.is_same(&one)) {
            Some(known) => {
                known.before |= one.before;
                known.after |= one.after;
                known.is_waited &= one.is_waited;
                if known.given != one.given {
                    known.given = None;
                }
            }
            None => self.applied.push(one),
        }
    }

    /// The effects of the functions that a call hands over to its callee, and the parameters that it passes on.
    pub(super) fn handed_over(
        &mut self,
        id: InstId,
        callee: FunctionRef,
        told: ToldApart<'_>,
        when: When,
    ) {
        let ir = self.roots.all.graph.files()[callee.file as usize];
        let is_async = ir.function(callee.function).is_async;
        let is_waited = self.is_waited_at_once(id);
        for HandedOver { function, how } in told.handed {
            let when = When { before: how.before && when.before, after: how.after || when.after };
            let is_later = is_async || !how.before;
            let binding = self.bind_given(id, &how);
            let is_waited = is_waited && how.is_waited;
            self.called_back_waited(id, function, &binding, when, (is_later, is_waited));
        }
        let waited = |how: Applied| Applied { is_waited: how.is_waited && is_waited, ..how };
        self.pass_on_all(told.passed_on.into_iter().map(waited).collect(), when);
    }

    /// What a function that is handed over is given, where the call passes it on.
    fn bind_given(&self, id: InstId, how: &Applied) -> Binding {
        let args = arguments(self.ir.inst(id)).map(|it| self.ir.args(it)).unwrap_or_default();
        let of = |it: &Given| match it {
            Given::Of(position, keys) => match args.get(*position as usize) {
                Some(&arg) => self.argument_below(arg, keys),
                None => Argument::fresh(),
            },
            Given::New => Argument::fresh(),
            Given::Other => Argument::default(),
        };
        let arguments = how.given.as_ref().map(|all| all.iter().map(of).collect());
        Binding { arguments, ..Binding::UNKNOWN }
    }

    /// Parameters are called where a callee calls them.
    pub(super) fn pass_on_all(&mut self, all: Vec<Applied>, when: When) {
        for how in all {
            let before = how.before && when.before;
            let after = how.after || when.after;
            self.pass_on(Applied { before, after, ..how });
        }
    }
}
