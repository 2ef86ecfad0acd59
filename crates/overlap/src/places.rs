//! Writes of the turns of a loop, which may overlap where each turn writes to a place of its own: another file,
//! another row, another address, as the item says.

use headstart_effects::{
    Assumption, Blocker, Effects, Known, PlaceRoot, Region, Resource, Step, SummaryLocation, Which,
};
use headstart_ir::{FileIr, Inst, InstId, Key, Literal, NameId, PropKey, Span, VarId};
use rustc_hash::FxHashSet;

use crate::log::selects;
use crate::loops::{Loop, Turn};
use crate::site::location_text;
use crate::unit::variables;
use crate::whole::writes_whole;
use crate::words;

/// How many values within one another are looked through.
const DEEPEST: u32 = 12;

/// What is called like this adds to one place, or is about an order that somebody sees, or about a limit.
const IN_ORDER: [&str; 37] = [
    "append",
    "apply",
    "begin",
    "commit",
    "count",
    "decr",
    "decrement",
    "dispatch",
    "emit",
    "enqueue",
    "event",
    "exec",
    "execute",
    "incr",
    "increment",
    "ingest",
    "lock",
    "log",
    "migrate",
    "next",
    "notify",
    "poll",
    "pop",
    "print",
    "publish",
    "push",
    "queue",
    "replay",
    "retry",
    "rollback",
    "run",
    "schedule",
    "seed",
    "send",
    "step",
    "throttle",
    "transaction",
];

/// What the turns of a loop touch, each at a place of its own.
pub(crate) struct OwnPlaces {
    /// The kinds of what is touched.
    pub(crate) kinds: Vec<Resource>,
    /// What is taken for granted of them.
    pub(crate) assumptions: Vec<Assumption>,
}

/// What in the turn of a loop is made of its item, and not of what has been waited for.
struct Dependence<'p> {
    ir: &'p FileIr,
    /// Where the body of the loop ends.
    end: InstId,
    /// The variables that hold what is made of the item.
    variables: FxHashSet<VarId>,
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
            let text = format!("`{{}}` writes {what}: its place in the order matters");
            return Err(Blocker::new(text, ir.span(turn.site.operation)));
        }
        let dependence = self.dependence(turn, inside);
        let mut place = None;
        for step in &steps {
            if touches(step, &kinds) {
                let named = self.names_place(step, &kinds, &dependence)?;
                let is_first = [turn.site.operation, turn.site.suspension].contains(&step.at);
                // What the rest of a turn writes keeps its order; what gives a handle is not started ahead anyway.
                let is_checked = is_first && !turn.stretch.gives;
                if is_checked && !writes_whole(scope.summaries, scope.at(), step, &kinds) {
                    let text = "`{}` does more than write whole files, or change rows that are \
                                there: what it adds, takes away or asks for has an order";
                    return Err(Blocker::new(text, ir.span(turn.site.operation)));
                }
                if is_first || place.is_none() {
                    place = Some(named);
                }
            }
        }
        let span = place.unwrap_or(ir.span(turn.site.operation));
        let does = if writes { "writes to" } else { "reads and writes" };
        let within =
            if kinds.contains(&Resource::File) { ", and none is within another" } else { "" };
        let text =
            format!("each turn {does} a place of its own: `{{}}` differs for each item{within}");
        let mut assumptions = vec![Assumption::new(text, span)];
        if writes {
            let text = "where `{}` fails, those of the next turns are under way, which would not have started";
            assumptions.push(Assumption::new(text, ir.span(turn.site.operation)));
        }
        Ok(Some(OwnPlaces { kinds, assumptions }))
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
        let mut found = Dependence { ir, end: self.stmt.end, variables: turn.items.clone() };
        // What is made of the item is made in order; a second look sees what a loop in the body carries.
        for _ in 0..2 {
            for id in FileIr::range(inside, self.stmt.end) {
                if let Inst::StoreVar { var, value } = ir.inst(id)
                    && ir.variable(var).writes == 1
                    && found.depends(value, DEEPEST)
                {
                    found.variables.insert(var);
                }
            }
        }
        found
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
        let same = |what: Span| {
            let text = "`{}` uses the same place in each turn, or one that the item does not name";
            Err(Blocker::new(text, what))
        };
        let (object, args) = match ir.inst(call) {
            Inst::Call { args, .. } | Inst::New { args, .. } => (None, ir.args(args)),
            Inst::CallMethod { object, args, .. } => (Some(object), ir.args(args)),
            // Waiting for what has been started elsewhere, and its like.
            _ => return same(span),
        };
        let made = |it: &InstId| dependence.depends(*it, DEEPEST);
        self.is_apart(call, step, (object, args), dependence)?;
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
        if let Some(word) = in_order(&words::callee_text(ir, call)) {
            let text = format!("`{{}}` is called like what keeps an order, or a limit (`{word}`)");
            return Err(Blocker::new(text, span));
        }
        let locations = [&step.now, &step.later].into_iter().flat_map(all);
        for location in locations.filter(|it| kind(it).is_some_and(|it| kinds.contains(&it))) {
            if !self.may_be_own(location, dependence) {
                return same(span);
            }
        }
        if let Some(which) = args.iter().find_map(|&it| dependence.chosen(it)) {
            return if made(&which) { Ok(ir.span(which)) } else { same(span) };
        }
        let functions = &self.scope.summaries.graph.callees(analysis.at(call)).functions;
        let is_statement = self.scope.summaries.sends_statement(analysis.at(call));
        if let Some(&text) = args.first().filter(|it| is_statement && made(it)) {
            let why = "the item is part of the statement `{}`: tables may depend on one another";
            return Err(Blocker::new(why, ir.span(text)));
        }
        // `tables[name].deleteMany()`: the same.
        let object = object.filter(|&it| !dependence.is_chosen_by_name(it));
        // A method of a library names what it is about first; a function of the program may be handed more.
        let asked =
            if functions.is_empty() && !is_statement { &args[..args.len().min(1)] } else { args };
        let named = asked.iter().chain(&object).find(|it| made(it));
        named.map_or_else(|| same(span), |&it| Ok(ir.span(it)))
    }

    /// That a call is not made on one connection, such as that of a transaction, and that whoever it asks
    /// takes several changes at once.
    ///
    /// # Errors
    /// It is, or does not.
    fn is_apart(
        &self,
        call: InstId,
        step: &Step,
        (object, args): (Option<InstId>, &[InstId]),
        dependence: &Dependence<'_>,
    ) -> Result<(), Blocker> {
        let analysis = self.scope.analysis;
        let ir = analysis.ir;
        let handed = args.iter().copied().chain(object);
        if let Some(one) = handed.into_iter().find_map(|it| dependence.connection(it)) {
            let text = "`{}` stands for one connection, on which nothing overlaps";
            return Err(Blocker::new(text, ir.span(one)));
        }
        let callees = self.scope.summaries.graph.callees(analysis.at(call));
        let mut locations = [&step.now, &step.later].into_iter().flat_map(all);
        let is_host = |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(_, Which::Named(host)) if host.contains(LIMITS_CHANGES.1));
        let is_limited = callees.modelled.iter().any(|it| it.module.contains(LIMITS_CHANGES.0))
            || words::callee_text(ir, call).to_lowercase().contains(LIMITS_CHANGES.1)
            || locations.any(is_host)
            || args.iter().any(|&it| dependence.mentions(it, LIMITS_CHANGES.1, DEEPEST));
        if is_limited {
            let text = "`{}` asks GitHub, which wants changes one after the other";
            return Err(Blocker::new(text, ir.span(call)));
        }
        Ok(())
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

impl Dependence<'_> {
    /// Whether a value is made of the item, and of nothing that has been waited for.
    fn depends(&self, value: InstId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match self.ir.inst(value) {
            Inst::Await(_) => false,
            Inst::LoadVar(var) => self.variables.contains(&var),
            Inst::Object => self.members(value).any(|(_, it)| self.depends(it, depth)),
            Inst::Closure(function) => {
                let function = self.ir.function(function);
                let (reads, _) = variables(self.ir, function.first, function.end);
                !reads.is_disjoint(&self.variables)
            }
            inst => {
                let mut found = false;
                inst.for_each_operand(self.ir, &mut |it| found |= self.depends(it, depth));
                found
            }
        }
    }

    /// What an object that is written out has, with its names.
    fn members(&self, object: InstId) -> impl Iterator<Item = (Option<PropKey>, InstId)> + '_ {
        let after = FileIr::range(object, self.end);
        after.filter_map(move |id| match self.ir.inst(id) {
            Inst::Set { object: of, key, value } if of == object => Some((Some(key), value)),
            Inst::CopyProps { object: of, value } if of == object => Some((None, value)),
            _ => None,
        })
    }

    /// Whether a word is in a text that is written out in a value.
    fn mentions(&self, value: InstId, word: &str, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if let Inst::Literal(Literal::String(text)) = self.ir.inst(value) {
            return self.ir.name(text).contains(word);
        }
        let mut found = false;
        let visit = &mut |it| found |= self.mentions(it, word, depth);
        self.ir.inst(value).for_each_operand(self.ir, visit);
        found
    }

    /// Whether a value is what an object, or what is in it, has under a name that is made of the item.
    fn is_chosen_by_name(&self, value: InstId) -> bool {
        match self.ir.inst(value) {
            Inst::Get { object, key } => match key.get() {
                Key::Computed(key) => self.depends(key, DEEPEST),
                _ => self.is_chosen_by_name(object),
            },
            _ => false,
        }
    }

    /// What a call is handed that is called like a transaction, or like one connection: by itself, as its
    /// object, or among its options.
    fn connection(&self, value: InstId) -> Option<InstId> {
        let is_one = |it: NameId| {
            let name = self.ir.name(it).to_lowercase();
            CONNECTIONS.iter().any(|one| name == *one)
        };
        match self.ir.inst(value) {
            Inst::LoadVar(var) => is_one(self.ir.variable(var).name).then_some(value),
            Inst::Get { object, key } => match key.get() {
                Key::Name(name) if is_one(name) => Some(value),
                _ => self.connection(object),
            },
            Inst::Object => self.members(value).find_map(|(key, held)| match key?.get() {
                Key::Name(name) if is_one(name) => Some(held),
                _ => None,
            }),
            _ => None,
        }
    }

    /// What chooses the rows that a query is about, where its argument says so: `{ where: … }`.
    fn chosen(&self, argument: InstId) -> Option<InstId> {
        let Inst::Object = self.ir.inst(argument) else { return None };
        self.members(argument).find_map(|(key, value)| match key?.get() {
            Key::Name(name) if CHOOSES.contains(&self.ir.name(name)) => Some(value),
            _ => None,
        })
    }
}

/// What a transaction, or one connection of several, is called.
const CONNECTIONS: [&str; 8] =
    ["conn", "connection", "session", "t", "transaction", "trx", "tx", "txn"];

/// The packages of those who ask that changes are made one after the other, and how they are called in the code
/// of others (GitHub, "Best practices for using the REST API").
const LIMITS_CHANGES: (&str, &str) = ("octokit", "github");

/// The names under which queries are told which rows they are about, and requests which object.
const CHOOSES: [&str; 4] = ["where", "filter", "Key", "key"];

fn kind(location: &SummaryLocation) -> Option<Resource> {
    match location {
        SummaryLocation::Resource(kind, _) if !location.is_log() => Some(*kind),
        _ => None,
    }
}

/// Whether there are several places of a kind, which a program can name.
fn has_places(kind: Resource) -> bool {
    matches!(kind, Resource::File | Resource::Network | Resource::Connection | Resource::Storage)
}

fn all(effects: &Effects) -> impl Iterator<Item = &SummaryLocation> {
    effects.reads.iter().chain(&effects.writes)
}

fn touches(step: &Step, kinds: &[Resource]) -> bool {
    let mut touched = [&step.now, &step.later].into_iter().flat_map(all);
    touched.any(|it| kind(it).is_some_and(|it| kinds.contains(&it)))
}

/// The word in a name that speaks of an order: `append` of `fs.appendLine`.
fn in_order(callee: &str) -> Option<&'static str> {
    let name = callee.rsplit('.').next().unwrap_or(callee);
    let mut words: Vec<String> = vec![String::new()];
    for letter in name.chars() {
        let starts = letter.is_ascii_uppercase() || !letter.is_ascii_alphanumeric();
        if starts {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut() {
            last.extend(letter.to_lowercase().filter(|it| it.is_alphanumeric()));
        }
    }
    IN_ORDER.into_iter().find(|it| words.iter().any(|word| word == it))
}
