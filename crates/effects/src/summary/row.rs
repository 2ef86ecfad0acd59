//! What a row of a model says about one call.

use headstart_callgraph::ObjectId;
use headstart_ir::{ArgsId, Inst, InstId, Key, Literal};
use headstart_models::{Argument, Call, Case, Condition, IndexUse, Lock, Resource as Row};

use super::Effects;
use super::command::Decided;
use super::fit::{entries, option_keys};
use super::graphql::only_asks;
use super::locations::Locations;
use super::place::{Location, Place, Resource, Root, Which};
use super::roots::{LONGEST_TRACE, Roots};
use super::text::Asked;

impl Roots<'_, '_> {
    /// Whether a call fails where something exists already.
    pub(crate) fn locks(&self, row: &Call, args: &[InstId]) -> bool {
        let Some(lock) = &row.lock else { return false };
        let position = row
            .arguments
            .iter()
            .position(|it| matches!(it, Argument::Options | Argument::OptionsOrFunction));
        let options = position.and_then(|it| args.get(it)).copied();
        let has = |key: &str| match options.map(|it| (it, self.ir().inst(it))) {
            None | Some((_, Inst::Literal(_) | Inst::Closure(_))) => Some(false),
            Some((literal, Inst::Object)) => {
                option_keys(self.ir(), literal).map(|keys| keys.contains(&key))
            }
            Some(_) => None,
        };
        match lock {
            Lock::Always => true,
            Lock::With(key) => has(key).unwrap_or(true),
            Lock::Without(key) => !has(key).unwrap_or(false),
            Lock::Flags(position) => args.get(*position).is_some_and(|&it| self.is_exclusive(it)),
            Lock::Mode(position) => args.get(*position).is_some_and(|&it| !self.is_nothing(it)),
            Lock::Word(word) => args.iter().any(|&it| self.says(it, word)),
        }
    }

    /// Whether an argument is a word, or a literal that holds it as a key or a value; what is spread may.
    fn says(&self, arg: InstId, word: &str) -> bool {
        let ir = self.ir();
        let named = match ir.inst(arg) {
            Inst::LoadVar(var) => self.all.graph.always(self.function.file, var).unwrap_or(arg),
            _ => arg,
        };
        match ir.inst(named) {
            Inst::Spread(_) => true,
            Inst::Array(elements) => ir.args(elements).iter().any(|&it| self.says(it, word)),
            Inst::Object => entries(ir, named).is_none_or(|entries| {
                let says = |&(key, value): &(&str, InstId)| {
                    key.eq_ignore_ascii_case(word) || self.says(value, word)
                };
                entries.iter().any(says)
            }),
            _ => self.text(named).is_some_and(|it| it.eq_ignore_ascii_case(word)),
        }
    }

    /// Whether flags may ask that a file is not there yet: `wx`, `O_EXCL`. Numbers differ between
    /// systems, so only those are told that mean the same everywhere (open(2), `_open`).
    fn is_exclusive(&self, flags: InstId) -> bool {
        match self.ir().inst(flags) {
            Inst::Literal(Literal::Number(Some(number))) => number > 2,
            _ if self.is_nothing(flags) => false,
            _ => self.text(flags).is_none_or(|it| it.contains('x')),
        }
    }

    /// Whether an argument says nothing: it is left out, none, zero, or the callback that comes in its
    /// place.
    fn is_nothing(&self, value: InstId) -> bool {
        match self.ir().inst(value) {
            Inst::Literal(it) => {
                matches!(it, Literal::Undefined | Literal::Null | Literal::Number(Some(0)))
            }
            Inst::Closure(_) => true,
            _ => self.all.graph.is_resolver(self.at(value)),
        }
    }

    /// Whether a text is SQL that sets something for the session, to what is the same for all callers.
    fn sets_session(&self, value: InstId) -> bool {
        const SETTINGS: [&str; 6] = [
            "application_name",
            "lock_timeout",
            "names",
            "search_path",
            "statement_timeout",
            "timezone",
        ];
        let ir = self.ir();
        let head = match ir.inst(value) {
            Inst::Template(parts) => ir.args(parts).first().and_then(|&it| self.text(it)),
            _ => self.text(value),
        };
        let Some(head) = head.map(|it| it.to_lowercase()) else { return false };
        let mut words = head.split_whitespace().filter(|it| *it != "session");
        let sets = words.next() == Some("set")
            && words.next().is_some_and(|it| SETTINGS.contains(&it.trim_end_matches('=')));
        // Nothing but the end may follow a semicolon.
        let is_single = head.trim_end().trim_end_matches(';').find(';').is_none();
        sets && is_single && self.all.is_alike(self.at(value), value)
    }

    /// The case of a row that a call is, if it is one, and what the call reads and writes by the row.
    pub(crate) fn case<'r>(
        &self,
        row: &'r Call,
        module: &str,
        args: &[InstId],
    ) -> (Option<&'r Case>, [&'r [Row]; 2]) {
        let case = row.cases.iter().find(|case| self.applies(&case.when, module, args));
        let (reads, writes) = match case {
            Some(case) => (&case.reads, &case.writes),
            None => (&row.reads, &row.writes),
        };
        (case, [reads, writes])
    }

    /// The resources that a call reads and writes, which is on one of some objects.
    pub(crate) fn resources(
        &self,
        row: &Call,
        module: &str,
        args: &[InstId],
        on: &[ObjectId],
    ) -> Effects {
        let (case, [reads, writes]) = self.case(row, module, args);
        let of_index = case.and_then(|it| self.index_use(&it.when, args));
        let locate = |it: &Row| self.resource(*it, module, args);
        let look = |it: &Row| match it {
            Row::Log => Location::waiting_lines(),
            it => locate(it),
        };
        let mut writes: Locations = writes.iter().map(locate).collect();
        // Who writes something is taken to look at it.
        let mut reads: Locations =
            reads.iter().map(look).filter(|it| !writes.contains(it)).collect();
        let open = |case| self.open_case(case, args);
        if let (None, Some((which, case))) = (case, row.cases.iter().find_map(open)) {
            let always: Locations = case.writes.iter().map(locate).collect();
            let read: Locations = case.reads.iter().map(look).collect();
            reads =
                reads.into_iter().map(|it| unless(it, &read, &which)).chain(read.clone()).collect();
            writes = writes.into_iter().map(|it| unless(it, &always, &which)).collect();
        }
        if self.is_given_descriptor(row, args) {
            let open = Location::Resource(Resource::Handle, Which::Any);
            reads.insert(open.clone());
            reads.insert(Location::Resource(Resource::Input, Which::Any));
            writes.insert(open);
        }
        reads.extend(of_index.map(Location::of_index));
        let mut effects = Effects::new(reads, writes);
        self.by_parts(&mut effects, row, module, args, on);
        if row.cases.iter().filter_map(|it| self.query(&it.when, args)).any(|it| it.gives_time()) {
            effects.reads.insert(Location::Resource(Resource::Clock, Which::Any));
        }
        effects
    }

    /// Whether a call that takes a path is given the number of an open file in its place: whoever reads or writes
    /// that moves its position.
    fn is_given_descriptor(&self, row: &Call, args: &[InstId]) -> bool {
        let graph = &self.all.graph;
        let mut kinds = row.arguments.iter().zip(args);
        kinds.any(|(&kind, &arg)| {
            kind == Argument::PathOrHandle
                && (self.is_number(arg) || graph.may_be_of_type(self.at(arg), "fs", "Descriptor"))
        }) || row.consumed(args).any(|it| graph.may_be_open_file(self.at(it)))
    }

    /// Whether a value is a number that the program names, or is called a descriptor: `process.stdin.fd`.
    fn is_number(&self, value: InstId) -> bool {
        let ir = self.ir();
        let named = match ir.inst(value) {
            Inst::LoadVar(var) => self.all.graph.always(self.function.file, var).unwrap_or(value),
            _ => value,
        };
        match ir.inst(named) {
            Inst::Literal(it) => matches!(it, Literal::Number(_)),
            // `arg === "-" ? 0 : arg`
            Inst::Select(one, other) => [one, other]
                .iter()
                .any(|it| matches!(ir.inst(*it), Inst::Literal(Literal::Number(_)))),
            Inst::Get { key, .. } => matches!(key.get(), Key::Name(name) if ir.name(name) == "fd"),
            _ => false,
        }
    }

    /// A case that callers decide by the command that they name, or by the text of a query.
    fn open_case<'c>(&self, case: &'c Case, args: &[InstId]) -> Option<(Which, &'c Case)> {
        if let Some(query) = self.query(&case.when, args) {
            return match query.decide() {
                Asked::Open(query) => Some((Which::Queried(Box::new(query)), case)),
                Asked::Reads | Asked::Anything => None,
            };
        }
        match self.command_line(&case.when, args)?.decide() {
            Decided::Open(line) => Some((Which::Unless(Box::new(line)), case)),
            _ => None,
        }
    }

    /// What a command that is known to only read does with the index of a repository.
    fn index_use(&self, when: &Condition, args: &[InstId]) -> Option<IndexUse> {
        match self.command_line(when, args)?.decide() {
            Decided::Reads(of_index) => of_index,
            Decided::Open(_) | Decided::Anything => None,
        }
    }

    fn resource(&self, row: Row, module: &str, args: &[InstId]) -> Location {
        let kind = match row {
            Row::Tree(position) => {
                let which = args.get(position).and_then(|&it| self.text(it));
                return Location::Resource(Resource::File, which.map_or(Which::Any, Which::Named));
            }
            Row::File(_) | Row::AnyFile => Resource::File,
            Row::Handle(_) => Resource::Handle,
            Row::Network(_) | Row::AnyNetwork => Resource::Network,
            Row::Process(_) | Row::AnyProcess => Resource::Process,
            Row::WorkingDirectory => Resource::WorkingDirectory,
            Row::Environment => Resource::Environment,
            Row::Clock => Resource::Clock,
            Row::Randomness => Resource::Randomness,
            Row::Output => Resource::Output,
            Row::Log => Resource::Log,
            Row::Input => Resource::Input,
            Row::Connection => {
                let store = store_of(module).map(str::to_owned);
                return Location::Resource(
                    Resource::Connection,
                    store.map_or(Which::Any, Which::Named),
                );
            }
            Row::Storage => Resource::Storage,
            Row::Timers => Resource::Timers,
            Row::ProcessState => Resource::ProcessState,
            Row::ModuleState => {
                return Location::Resource(Resource::ModuleState, Which::Named(module.to_owned()));
            }
        };
        let named = row.position().and_then(|it| args.get(it));
        Location::Resource(kind, named.map_or(Which::Any, |&it| self.which(it)))
    }

    /// What an argument names: a literal, or what a parameter holds.
    fn which(&self, arg: InstId) -> Which {
        if let Some(text) = self.text(arg) {
            return Which::Named(text);
        }
        if let Some(path) = self.input_path(arg) {
            return Which::Named(path);
        }
        match self.parameter_behind(arg) {
            Some(root) => Which::Held(Place::new(root)),
            None => Which::Any,
        }
    }

    /// The parameter whose value an argument is: one of this function, or of one around it.
    pub(crate) fn parameter_behind(&self, value: InstId) -> Option<Root> {
        self.parameter_within(value, LONGEST_TRACE)
    }

    /// In so many steps: variables may be given to one another in a circle.
    fn parameter_within(&self, value: InstId, steps: u32) -> Option<Root> {
        let steps = steps.checked_sub(1)?;
        let ir = self.ir();
        match ir.inst(value) {
            Inst::Param(position) => Some(Root::Parameter(position)),
            Inst::LoadVar(var) => {
                let always = self.all.graph.always(self.function.file, var)?;
                if let (Inst::LoadVar(_), true) =
                    (ir.inst(always), ir.variable(var).owner == self.function.function)
                {
                    return self.parameter_within(always, steps);
                }
                if !matches!(ir.inst(always), Inst::Param(_)) {
                    return None;
                }
                if ir.variable(var).owner == self.function.function {
                    return self.parameter_within(always, steps);
                }
                Some(Root::Variable(self.function.file, var))
            }
            _ => None,
        }
    }

    /// The text of a value that is always the same string.
    pub(crate) fn text(&self, value: InstId) -> Option<String> {
        let ir = self.ir();
        match ir.inst(value) {
            Inst::Literal(Literal::String(name)) => Some(ir.name(name).to_owned()),
            Inst::LoadVar(var) => {
                let always = self.all.graph.always(self.function.file, var)?;
                match ir.inst(always) {
                    Inst::Literal(Literal::String(name)) => Some(ir.name(name).to_owned()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(crate) fn applies(&self, when: &Condition, module: &str, args: &[InstId]) -> bool {
        match when {
            Condition::FewerArguments(count) => args.len() < *count,
            Condition::ReadingMethod(position) => {
                match self.method_at(args, *position) {
                    Some(true) => true,
                    // A request has a method of its own.
                    Some(false) => {
                        *position == 0 || args.first().is_none_or(|&it| self.only_gets(it))
                    }
                    None => false,
                }
            }
            Condition::UntoldMethod(position) => {
                let is_told = |&it: &InstId| self.all.graph.may_be_request(self.at(it));
                self.method_at(args, *position) == Some(false) && !args.first().is_some_and(is_told)
            }
            Condition::Query(_) | Condition::QueryWithValues(_) | Condition::QueryIn { .. } => {
                self.query(when, args).is_some_and(|it| matches!(it.decide(), Asked::Reads))
            }
            Condition::Setting(position) => {
                args.get(*position).is_some_and(|&text| self.sets_session(text))
            }
            Condition::Graphql(position) => args
                .get(*position)
                .and_then(|&document| self.document(document))
                .is_some_and(|document| only_asks(&document)),
            Condition::Command { .. } => self
                .command_line(when, args)
                .is_some_and(|it| matches!(it.decide(), Decided::Reads(_))),
            Condition::Argument { position, is_a } => args.get(*position).is_some_and(|&arg| {
                let module = is_a.split_once('#').map_or(module, |(module, _)| module);
                self.all.graph.is_of_type(self.at(arg), module, is_a)
            }),
        }
    }

    pub(super) fn is_string(&self, value: InstId) -> bool {
        let ir = self.ir();
        match ir.inst(value) {
            Inst::Literal(Literal::String(_) | Literal::LongString) | Inst::Template(_) => true,
            Inst::LoadVar(var) => {
                ir.variable(var).hint == headstart_ir::TypeHint::String
                    || self.text(value).is_some()
            }
            Inst::LoadGlobal(name) => matches!(ir.name(name), "__dirname" | "__filename"),
            _ => false,
        }
    }
}

/// What the clients of a package are connected to, where that is known to be of one kind: `|` stands between
/// kinds that it may be. What is in one of a kind is in none of another.
fn store_of(module: &str) -> Option<&'static str> {
    Some(match module {
        "redis" | "ioredis" | "@upstash/redis" | "@upstash/ratelimit" => "redis",
        "mongodb" | "mongoose" => "mongodb",
        "@clickhouse/client" => "clickhouse",
        "pg"
        | "mysql2"
        | "mysql2/promise"
        | "knex"
        | "kysely"
        | "sequelize"
        | "sequelize-typescript"
        | "@supabase/supabase-js" => "sql",
        "@prisma/client" | "typeorm" | "@mikro-orm/core" => "sql|mongodb",
        "@aws-sdk/client-s3" => "s3",
        "@aws-sdk/client-dynamodb" | "@aws-sdk/lib-dynamodb" => "dynamodb",
        _ if module.starts_with("drizzle-orm/") => "sql",
        _ => return None,
    })
}

/// What a command or a query touches only if it does more than read.
fn unless(location: Location, always: &Locations, which: &Which) -> Location {
    match location {
        Location::Resource(kind, _) if !always.contains(&location) => {
            Location::Resource(kind, which.clone())
        }
        other => other,
    }
}

/// The arguments of a call.
pub(crate) fn arguments(inst: Inst) -> Option<ArgsId> {
    match inst {
        Inst::Call { args, .. } | Inst::CallMethod { args, .. } | Inst::New { args, .. } => {
            Some(args)
        }
        _ => None,
    }
}
