//! Queries that packages put together from what their calls are given: whether SQL of the program in them
//! may do more than read.
//!
//! What a call keeps is a part of the query it gives, and of the one that it is on. Names of columns and
//! plain values are none that matter: packages put them in quotes, or send them as parameters. SQL that
//! the program writes itself (`knex.raw(…)`, a template with a tag, the name of a function) goes through
//! the judgement of the texts of queries ([`super::query`]); what is not known of it may do anything.

use headstart_callgraph::{
    AbstractObject, FunctionRef, Ingredient, InstRef, Modelled, ObjectId, PathKey,
};
use headstart_ir::{FileIr, Inst, InstId, Key};
use headstart_models::{Call, Condition, Module, Receiver, Sql, Statement};
use rustc_hash::{FxHashMap, FxHashSet};

use super::fit::entries;
use super::locations::Locations;
use super::place::{Location, Resource, Which};
use super::query::{HOLE, Reading, gives_time, is_plain_part, reading};
use super::roots::Roots;
use super::row::arguments;
use super::text::QueryText;
use super::{Effects, Summaries};

/// How many objects and calls are looked at for one query; one of more may do anything.
const MOST_PARTS: usize = 2000;
/// How many calls up what a query is given is followed, and how many callers of each are looked at.
const DEEPEST_SOURCE: u32 = 6;
const MOST_SOURCES: usize = 32;

/// The calls that queries and parts of queries are put together by, once somebody has asked.
#[derive(Debug, Default)]
pub(crate) struct Built {
    calls: FxHashMap<ObjectId, Vec<InstRef>>,
}

/// What the SQL of the program in a query does; none of it, where there is none, or it only reads.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Parts {
    /// It gives what the clock says.
    gives_time: bool,
    /// It only reads if what nobody knows of it is no more than a part of an expression, such as a parameter.
    is_open: bool,
    /// It may do anything.
    may_write: bool,
}

impl Parts {
    const GIVES_TIME: Self = Self { gives_time: true, is_open: false, may_write: false };
    const OPEN: Self = Self { gives_time: false, is_open: true, may_write: false };
    const MAY_WRITE: Self = Self { gives_time: false, is_open: false, may_write: true };
}

/// The model of a member, where its calls put queries together.
fn builder<'p>(member: &Modelled<'p>) -> Option<&'p Module> {
    member.row.map(|(module, _)| module).filter(|it| it.builds_sql)
}

impl Built {
    fn of(all: &Summaries<'_>) -> Self {
        let graph = &all.graph;
        let mut built = Self::default();
        for at in (0..).zip(graph.files()).flat_map(|(file, _)| graph.calls(file)) {
            let mut modelled = graph.callees(at).modelled.clone();
            modelled.retain(|it| builder(it).is_some());
            if modelled.is_empty() {
                continue;
            }
            let mut keeping = graph.value_objects(at);
            // What is on a query that is never changed gives another one.
            let changes =
                |it: &Modelled<'_>| it.call.is_none_or(|row| row.receiver == Receiver::Writes);
            if let Inst::CallMethod { object, .. } = graph.files()[at.file as usize].inst(at.inst)
                && modelled.iter().any(changes)
            {
                keeping.extend(graph.value_objects(InstRef { inst: object, ..at }));
            }
            keeping.sort_unstable();
            keeping.dedup();
            for object in keeping {
                if graph.ingredient(object) == Ingredient::Built {
                    built.calls.entry(object).or_default().push(at);
                }
            }
        }
        built
    }
}

impl<'p> Summaries<'p> {
    /// What the SQL of the program does that queries of a package hold, and that an operation is given, by
    /// the file of its arguments.
    fn parts(
        &self,
        (module, row): (&'p Module, &Call),
        queries: &[ObjectId],
        (file, args): (u32, &[InstId]),
    ) -> Parts {
        let built = self.built.get_or_init(|| Built::of(self));
        let (objects, calls) = (FxHashSet::default(), FxHashSet::default());
        let modules = vec![module];
        let mut judge =
            Judge { all: self, built, modules, objects, calls, found: Parts::default() };
        for &query in queries {
            judge.object(query);
        }
        for &arg in args {
            judge.value(InstRef { file, inst: arg });
        }
        match row.statement {
            Some(Statement::Receiver) => judge.statements(queries),
            Some(Statement::Argument(position)) => {
                let value = args.get(position).map(|&inst| InstRef { file, inst });
                let objects = value.map(|it| self.graph.value_objects(it)).unwrap_or_default();
                judge.statements(&objects);
            }
            None => {}
        }
        judge.found
    }
}

impl Roots<'_, '_> {
    /// What a query reads that is put together, it may write where SQL in it may do more than read.
    pub(crate) fn by_parts(
        &self,
        effects: &mut Effects,
        row: &Call,
        module: &str,
        args: &[InstId],
        on: &[ObjectId],
    ) {
        let is_connection =
            |it: &Location| matches!(it, Location::Resource(Resource::Connection, _));
        if !effects.reads.iter().any(is_connection) {
            return;
        }
        let Some(module) = self.all.graph.building(module) else { return };
        // The text of a query has been judged as a whole.
        let whole = row.cases.iter().find_map(|it| match it.when {
            Condition::Query(position) | Condition::QueryWithValues(position) => Some(position),
            _ => None,
        });
        let is_part = |at: &usize| whole != Some(*at);
        let args: Vec<InstId> = (0..args.len()).filter(is_part).map(|it| args[it]).collect();
        let on = if whole.is_some() { &[] } else { on };
        let parts = self.all.parts((module, row), on, (self.function.file, &args));
        if parts.may_write {
            let reads = std::mem::take(&mut effects.reads).into_iter();
            let (written, read) = reads.partition(is_connection);
            effects.reads = read;
            effects.writes.extend::<Locations>(written);
            return;
        }
        if parts.gives_time {
            effects.reads.insert(Location::Resource(Resource::Clock, Which::Any));
        }
        if parts.is_open {
            let query = Which::Queried(Box::new(QueryText::select()));
            effects.writes.insert(Location::Resource(Resource::Connection, query));
        }
    }

    /// The objects that a call may be on.
    pub(crate) fn objects_on(&self, call: InstId) -> Vec<ObjectId> {
        match self.ir().inst(call) {
            Inst::CallMethod { object, .. } => self.all.graph.value_objects(self.at(object)),
            _ => Vec::new(),
        }
    }
}

/// Goes over what a query is put together from.
struct Judge<'a, 'p> {
    all: &'a Summaries<'p>,
    built: &'a Built,
    /// The models of what the query is put together by.
    modules: Vec<&'p Module>,
    objects: FxHashSet<ObjectId>,
    calls: FxHashSet<InstRef>,
    found: Parts,
}

impl<'p> Judge<'_, 'p> {
    fn ir(&self, file: u32) -> &'p FileIr {
        self.all.graph.files()[file as usize]
    }

    fn note(&mut self, parts: Parts) {
        self.found.gives_time |= parts.gives_time;
        self.found.is_open |= parts.is_open;
        self.found.may_write |= parts.may_write;
    }

    /// Whether there is nothing left to find out.
    fn is_done(&mut self) -> bool {
        if self.objects.len() + self.calls.len() > MOST_PARTS {
            self.note(Parts::MAY_WRITE);
        }
        self.found.may_write
    }

    fn object(&mut self, object: ObjectId) {
        if self.is_done() || !self.objects.insert(object) {
            return;
        }
        match self.all.graph.ingredient(object) {
            Ingredient::Plain => {}
            Ingredient::Unlisted => self.note(Parts::MAY_WRITE),
            Ingredient::Unknown => self.note(Parts::OPEN),
            Ingredient::Function(function) => self.function(function),
            Ingredient::Holder => {
                // Its class may say what it is in a query: `getSQL()`.
                if let AbstractObject::Instance(_) | AbstractObject::InstanceOf(_) =
                    self.all.graph.object(object)
                {
                    self.note(Parts::OPEN);
                }
                for &held in self.all.graph.held_by_any(object, PathKey::ANY).iter() {
                    self.object(held);
                }
            }
            Ingredient::Built => {
                for &call in self.built.calls.get(&object).into_iter().flatten() {
                    self.call(call);
                }
            }
        }
    }

    /// Objects that are whole statements have to be queries: each begins with the text of one that selects.
    fn statements(&mut self, objects: &[ObjectId]) {
        let selects = |it: &ObjectId| {
            let calls = self.built.calls.get(it).map_or(&[][..], Vec::as_slice);
            let mut tags = calls.iter().filter_map(|&at| Some((at, self.tag(at)?))).peekable();
            tags.peek().is_some()
                && tags.all(|(at, texts)| {
                    self.template(at, texts).is_some_and(|it| reading(&it) != Reading::Anything)
                })
        };
        if objects.is_empty() || !objects.iter().all(selects) {
            self.note(Parts::MAY_WRITE);
        }
    }

    /// Where a call gets the texts of a template, if it is one of a tag.
    fn tag(&self, at: InstRef) -> Option<usize> {
        let callees = self.all.graph.callees(at);
        let mut sql = callees.modelled.iter().filter_map(|it| it.call).flat_map(|it| &it.sql);
        sql.find_map(|it| match it {
            Sql::Template(position) => Some(*position),
            Sql::Text(_) | Sql::Condition(_) | Sql::Function(_) => None,
        })
    }

    /// The text of a call of a tag, where that is known.
    fn template(&self, at: InstRef, texts: usize) -> Option<String> {
        let ir = self.ir(at.file);
        let args = ir.args(arguments(ir.inst(at.inst))?);
        self.joined(InstRef { inst: *args.get(texts)?, ..at })
    }

    /// The texts of a template, with holes for what is put in.
    fn joined(&self, at: InstRef) -> Option<String> {
        let ir = self.ir(at.file);
        let Inst::Array(texts) = ir.inst(at.inst) else { return None };
        let texts = ir.args(texts).iter().map(|&it| self.known(InstRef { inst: it, ..at }));
        let texts: Option<Vec<String>> = texts.collect();
        texts.map(|it| it.join(HOLE.encode_utf8(&mut [0; 4])))
    }

    fn value(&mut self, at: InstRef) {
        let ir = self.ir(at.file);
        match ir.inst(at.inst) {
            Inst::Closure(function) => self.function(FunctionRef { file: at.file, function }),
            Inst::Spread(list) => self.value(InstRef { inst: list, ..at }),
            Inst::Array(elements) => {
                for &element in ir.args(elements) {
                    self.value(InstRef { inst: element, ..at });
                }
            }
            // Nobody else has what stands among the arguments of a call.
            Inst::Object if let Some(entries) = entries(ir, at.inst) => {
                for (_, value) in entries {
                    self.value(InstRef { inst: value, ..at });
                }
            }
            _ => {
                let objects = self.all.graph.value_objects(at);
                if objects.is_empty() {
                    self.note(Parts::OPEN);
                }
                for object in objects {
                    self.object(object);
                }
                self.behind(at, DEEPEST_SOURCE);
            }
        }
    }

    /// A part of a query may go by the name of a text (`sql.raw(…) as any`), of which the call graph believes the
    /// annotation: what a variable and a parameter are given is looked at for itself.
    fn behind(&mut self, at: InstRef, steps: u32) {
        let Some(steps) = steps.checked_sub(1).filter(|_| !self.is_done()) else { return };
        match self.ir(at.file).inst(at.inst) {
            Inst::LoadVar(var) => {
                if let Some(inst) = self.all.graph.always(at.file, var) {
                    self.behind(InstRef { inst, ..at }, steps);
                }
            }
            Inst::Param(position) => {
                let callers = self.all.callers(self.all.graph.function_at(at));
                for &call in callers.iter().take(MOST_SOURCES) {
                    if let Some(given) = self.all.given_at(call, position) {
                        self.behind(given, steps);
                    }
                }
            }
            Inst::Call { .. } | Inst::CallMethod { .. }
                if self.all.graph.callees(at).modelled.iter().any(|it| builder(it).is_some()) =>
            {
                self.call(at);
            }
            _ => {}
        }
    }

    /// What a call has put into what it gives, or into what it is on.
    fn call(&mut self, at: InstRef) {
        if self.is_done() || !self.calls.insert(at) {
            return;
        }
        for member in &self.all.graph.callees(at).modelled {
            let Some(module) = builder(member) else { continue };
            if !self.modules.iter().any(|it| it.module == module.module) {
                self.modules.push(module);
            }
            match member.call {
                Some(row) => {
                    self.note(self.becomes(row, at));
                    self.texts(row, at);
                }
                None => return self.note(Parts::MAY_WRITE),
            }
            self.arguments(at);
        }
        if let Inst::CallMethod { object, .. } = self.ir(at.file).inst(at.inst) {
            for object in self.all.graph.value_objects(InstRef { inst: object, ..at }) {
                self.object(object);
            }
        }
    }

    /// What a query does once a call on it has made it one that writes: `query.del()`. Where the program goes on with
    /// what the call gives, that is waited for, and not the query.
    fn becomes(&self, row: &Call, at: InstRef) -> Parts {
        if row.receiver != Receiver::Writes || row.assumes.is_none() {
            return Parts::default();
        }
        let ir = self.ir(at.file);
        let data = ir.function(self.all.graph.function_at(at).function);
        let mut is_used = false;
        for id in FileIr::range(data.first, data.end) {
            ir.inst(id).for_each_operand(ir, &mut |it| is_used |= it == at.inst);
        }
        if is_used { Parts::OPEN } else { Parts::MAY_WRITE }
    }

    fn arguments(&mut self, at: InstRef) {
        let ir = self.ir(at.file);
        let Some(args) = arguments(ir.inst(at.inst)) else { return };
        for &arg in ir.args(args) {
            self.value(InstRef { inst: arg, ..at });
        }
    }

    /// The SQL among the arguments of a call.
    fn texts(&mut self, row: &Call, at: InstRef) {
        let ir = self.ir(at.file);
        let Some(args) = arguments(ir.inst(at.inst)).map(|it| ir.args(it)) else { return };
        let is_spread = |it: &InstId| matches!(ir.inst(*it), Inst::Spread(_));
        for &sql in &row.sql {
            let (Sql::Text(position)
            | Sql::Condition(position)
            | Sql::Template(position)
            | Sql::Function(position)) = sql;
            if args.iter().take(position + 1).any(is_spread) {
                return self.note(Parts::MAY_WRITE);
            }
            let Some(&arg) = args.get(position) else { continue };
            self.text(sql, InstRef { inst: arg, ..at });
        }
    }

    fn text(&mut self, sql: Sql, at: InstRef) {
        let ir = self.ir(at.file);
        let text = match (sql, ir.inst(at.inst)) {
            (Sql::Text(_) | Sql::Condition(_), Inst::Array(elements)) => {
                for &element in ir.args(elements) {
                    self.text(sql, InstRef { inst: element, ..at });
                }
                return;
            }
            (Sql::Template(_), Inst::Array(_)) => self.joined(at),
            // A function, or a part that has been judged where it was made.
            (Sql::Text(_) | Sql::Condition(_), Inst::Closure(_)) => return,
            (Sql::Text(_) | Sql::Condition(_), _) if self.is_no_text(at) => return,
            (Sql::Function(_), _) => self.known(at).map(|it| format!("{it}()")),
            (Sql::Text(_) | Sql::Condition(_) | Sql::Template(_), _) => self.known(at),
        };
        let parts = match text {
            Some(text) if !is_plain_part(&text) => Parts::MAY_WRITE,
            Some(text) if !matches!(sql, Sql::Condition(_)) && gives_time(&text) => {
                Parts::GIVES_TIME
            }
            Some(_) => Parts::default(),
            None => Parts::MAY_WRITE,
        };
        self.note(parts);
    }

    /// Whether a value is no text for certain: a class, or a part that counts as an argument already.
    fn is_no_text(&self, at: InstRef) -> bool {
        let graph = &self.all.graph;
        let objects = graph.value_objects(at);
        let is_it = |it: &ObjectId| {
            graph.ingredient(*it) != Ingredient::Plain
                || matches!(graph.object(*it), AbstractObject::Class(_))
        };
        !objects.is_empty() && objects.iter().all(is_it)
    }

    /// A text that is known whole.
    fn known(&self, at: InstRef) -> Option<String> {
        let function = self.all.graph.function_at(at);
        self.all.known_text(function, at.inst)
    }

    /// A function that a query is given: what it gives is a part of it, and what it calls may add to it.
    fn function(&mut self, function: FunctionRef) {
        let ir = self.ir(function.file);
        let data = ir.function(function.function);
        for inst in FileIr::range(data.first, data.end) {
            let at = InstRef { file: function.file, inst };
            match ir.inst(inst) {
                Inst::Closure(inner) => {
                    let inner = FunctionRef { file: function.file, function: inner };
                    self.function(inner);
                }
                Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } => {
                    self.call_within(at);
                }
                _ => {}
            }
            if self.is_done() {
                return;
            }
        }
        for object in self.all.graph.returned_objects(function) {
            self.object(object);
        }
    }

    /// A call in a function that a query is given. What it is on the package hands in: the rows of its
    /// types are found by the name.
    fn call_within(&mut self, at: InstRef) {
        let graph = &self.all.graph;
        let callees = graph.callees(at);
        if !callees.functions.is_empty() || !callees.classes.is_empty() {
            return self.note(Parts::MAY_WRITE);
        }
        if !callees.modelled.is_empty() {
            return self.call(at);
        }
        if !self.calls.insert(at) {
            return;
        }
        match self.name_called(at) {
            Called::Handed => {}
            Called::Name(name) => {
                let rows = self.rows(name);
                if rows.is_empty() {
                    return self.note(Parts::MAY_WRITE);
                }
                for row in rows {
                    self.texts(row, at);
                }
            }
            Called::Other => return self.note(Parts::MAY_WRITE),
        }
        self.arguments(at);
    }

    /// The rows of what the packages at hand have under a name.
    fn rows(&self, name: &str) -> Vec<&'p Call> {
        let types = self.modules.iter().flat_map(|it| {
            let of_types = it.types.values().filter_map(|ty| ty.member(name));
            of_types.chain(it.members.get(name))
        });
        types.filter_map(|it| it.call.as_deref()).collect()
    }

    /// What a call calls that is handed in.
    fn name_called(&self, at: InstRef) -> Called<'p> {
        let ir = self.ir(at.file);
        let callee = match ir.inst(at.inst) {
            Inst::CallMethod { method, .. } => method,
            Inst::Call { callee, .. } => callee,
            _ => return Called::Other,
        };
        let always = |var| self.all.graph.always(at.file, var);
        let callee = match ir.inst(callee) {
            Inst::LoadVar(var) => always(var).unwrap_or(callee),
            _ => callee,
        };
        match ir.inst(callee) {
            Inst::Param(_) => Called::Handed,
            Inst::Get { key, .. } => match key.get() {
                Key::Name(name) => Called::Name(ir.name(name)),
                Key::Private(_) | Key::Computed(_) => Called::Other,
            },
            _ => Called::Other,
        }
    }
}

/// What a call in a function calls that a query is given.
enum Called<'p> {
    /// What the function is handed: `eb("id", "=", 1)`.
    Handed,
    /// A member with this name.
    Name(&'p str),
    /// Something else.
    Other,
}
