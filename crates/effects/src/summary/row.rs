//! What a row of a model says about one call.

use headstart_callgraph::{AbstractObject, InstRef, ObjectId, PathKey};
use headstart_ir::{ArgsId, Inst, InstId, Key, Literal};
use headstart_models::{Argument, Call, Case, Condition, IndexUse, Lock, Resource as Row, Throws};

use super::command::Decided;
use super::locations::Locations;
use super::place::{Location, Place, Resource, Root, Which};
use super::roots::{LONGEST_TRACE, Roots};
use super::text::Asked;
use super::{Effects, Summaries};

/// What is taken for granted of options that nobody knows.
pub(crate) const TOLD: &str = "the options hold nothing that changes what it does";

impl Summaries<'_> {
    /// Whether a call has options that may hold what the row of its model does not cover.
    pub(crate) fn has_untold_options(&self, call: InstRef, row: &Call) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let args = arguments(ir.inst(call.inst)).map(|it| ir.args(it)).unwrap_or_default();
        let computation = self.computation(self.graph.function_at(call));
        computation.roots.has_untold_options(row, args)
    }
}

impl Roots<'_, '_> {
    /// Whether a row covers a call: no more arguments than it lists, no function where it lists
    /// none, no option that it does not.
    pub(crate) fn is_covered(&self, row: &Call, module: &str, args: &[InstId]) -> bool {
        let ir = self.ir();
        args.iter().enumerate().all(|(position, &arg)| {
            let kind = row.arguments.get(position).copied().or(row.rest);
            let is_listed = row.callbacks.iter().any(|it| it.argument == position);
            match (kind, ir.inst(arg)) {
                // At the place of a callback options may stand.
                _ if is_listed && ir.inst(arg) != Inst::Object => true,
                // What the language brings ignores further arguments (ECMA-262, 18): `text.toString("utf8")`.
                (None, _) => module == "ecmascript" && self.all.graph.is_primitive(self.at(arg)),
                (Some(Argument::Function | Argument::OptionsOrFunction), Inst::Closure(_)) => true,
                (Some(Argument::Any), _) => true,
                (_, Inst::Closure(_)) => false,
                (Some(Argument::Options | Argument::OptionsOrFunction), Inst::Object) => {
                    self.option_keys(arg).is_some_and(|keys| {
                        let listed = || row.options.iter().chain(&row.observers);
                        keys.iter().all(|key| listed().any(|it| it == key))
                    })
                }
                _ => true,
            }
        })
    }

    /// Whether the options of a call may hold what its row does not cover: they are neither written there nor a
    /// text, such as an encoding, and there are options that change what the call does.
    pub(crate) fn has_untold_options(&self, row: &Call, args: &[InstId]) -> bool {
        args.iter().enumerate().any(|(position, &arg)| {
            matches!(
                row.arguments.get(position),
                Some(Argument::Options | Argument::OptionsOrFunction)
            ) && !row.options.is_empty()
                && !self.is_told(row, arg)
        })
    }

    /// Whether an argument for options is known to hold only what a row covers: a text, a list of arguments that
    /// may stand in their place, an object that stays as its literal makes it.
    fn is_told(&self, row: &Call, arg: InstId) -> bool {
        let graph = &self.all.graph;
        if matches!(self.ir().inst(arg), Inst::Literal(_) | Inst::Object | Inst::Closure(_))
            || graph.is_primitive(self.at(arg))
        {
            return true;
        }
        let listed = |key: &str| row.options.iter().chain(&row.observers).any(|it| it == key);
        let is_told = |id: &ObjectId| match graph.object(*id) {
            // A rest parameter.
            AbstractObject::OfCall(_) => true,
            AbstractObject::Made(at) => match graph.files()[at.file as usize].inst(at.inst) {
                Inst::Array(_) | Inst::Rest(_) => true,
                Inst::Object => {
                    let keys = self.keys_of(at);
                    graph.is_as_made(*id, PathKey::ANY, false)
                        && keys.is_some_and(|it| it.into_iter().all(listed))
                }
                _ => false,
            },
            _ => false,
        };
        let objects = graph.value_objects(self.at(arg));
        !objects.is_empty() && objects.iter().all(is_told)
    }

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
                self.option_keys(literal).map(|keys| keys.contains(&key))
            }
            Some(_) => None,
        };
        match lock {
            Lock::Always => true,
            Lock::With(key) => has(key).unwrap_or(true),
            Lock::Without(key) => !has(key).unwrap_or(false),
            Lock::Flags(position) => args.get(*position).is_some_and(|&it| self.is_exclusive(it)),
            Lock::Mode(position) => args.get(*position).is_some_and(|&it| !self.is_nothing(it)),
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

    /// The keys of an object literal of the function; none where one is not known.
    pub(super) fn option_keys(&self, literal: InstId) -> Option<Vec<&str>> {
        self.keys_of(self.at(literal))
    }

    fn keys_of(&self, literal: InstRef) -> Option<Vec<&str>> {
        let ir = self.all.graph.files()[literal.file as usize];
        let end = ir.function(self.all.graph.function_at(literal).function).end;
        let literal = literal.inst;
        let mut keys = Vec::new();
        for id in headstart_ir::FileIr::range(literal, end) {
            match ir.inst(id) {
                Inst::Set { object, key, .. } if object == literal => match key.get() {
                    Key::Name(name) => keys.push(ir.name(name)),
                    Key::Private(_) | Key::Computed(_) => return None,
                },
                Inst::CopyProps { object, .. } | Inst::Accessor { object, .. }
                    if object == literal =>
                {
                    return None;
                }
                _ => {}
            }
        }
        Some(keys)
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

    /// The text of a document in GraphQL, perhaps one that a tag only puts together.
    fn document(&self, value: InstId) -> Option<String> {
        let ir = self.ir();
        let value = match ir.inst(value) {
            Inst::LoadVar(var) => self.all.graph.always(self.function.file, var)?,
            _ => value,
        };
        let Inst::Call { callee, args } = ir.inst(value) else { return self.text(value) };
        const TAGS: [(&str, &[&str]); 3] =
            [("graphql-request", &["gql"]), ("graphql-tag", &["gql"]), ("graphql-tag", &[])];
        let is_tag = TAGS.iter().any(|it| self.all.graph.is_member(self.at(callee), it.0, it.1));
        let Inst::Array(texts) = ir.inst(*ir.args(args).first().filter(|_| is_tag)?) else {
            return None;
        };
        match ir.args(texts) {
            [only] => self.text(*only),
            _ => None,
        }
    }

    /// The resources that a call reads and writes, which is on one of some objects.
    pub(crate) fn resources(
        &self,
        row: &Call,
        module: &str,
        args: &[InstId],
        on: &[ObjectId],
    ) -> Effects {
        let case = row.cases.iter().find(|case| self.applies(&case.when, module, args));
        let (reads, writes) = match case {
            Some(case) => (&case.reads, &case.writes),
            None => (&row.reads, &row.writes),
        };
        let of_index = case.and_then(|it| self.index_use(&it.when, args));
        let locate = |it: &Row| self.resource(*it, module, args);
        let mut writes: Locations = writes.iter().map(locate).collect();
        // Who writes something is taken to look at it.
        let mut reads: Locations =
            reads.iter().map(locate).filter(|it| !writes.contains(it)).collect();
        let open = |case| self.open_case(case, args);
        if let (None, Some((which, case))) = (case, row.cases.iter().find_map(open)) {
            let always: Locations = case.writes.iter().map(locate).collect();
            let read: Locations = case.reads.iter().map(locate).collect();
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
        let (kind, position) = match row {
            Row::File(position) => (Resource::File, Some(position)),
            Row::Tree(position) => {
                let which = args.get(position).and_then(|&it| self.text(it));
                return Location::Resource(Resource::File, which.map_or(Which::Any, Which::Named));
            }
            Row::AnyFile => (Resource::File, None),
            Row::Handle(position) => (Resource::Handle, Some(position)),
            Row::Network(position) => (Resource::Network, Some(position)),
            Row::AnyNetwork => (Resource::Network, None),
            Row::Process(position) => (Resource::Process, Some(position)),
            Row::AnyProcess => (Resource::Process, None),
            Row::WorkingDirectory => (Resource::WorkingDirectory, None),
            Row::Environment => (Resource::Environment, None),
            Row::Clock => (Resource::Clock, None),
            Row::Randomness => (Resource::Randomness, None),
            Row::Output => (Resource::Output, None),
            Row::Log => (Resource::Log, None),
            Row::Input => (Resource::Input, None),
            Row::Connection => {
                let store = store_of(module).map(str::to_owned);
                return Location::Resource(
                    Resource::Connection,
                    store.map_or(Which::Any, Which::Named),
                );
            }
            Row::Storage => (Resource::Storage, None),
            Row::Timers => (Resource::Timers, None),
            Row::ProcessState => (Resource::ProcessState, None),
            Row::ModuleState => {
                return Location::Resource(Resource::ModuleState, Which::Named(module.to_owned()));
            }
        };
        let which = position.and_then(|it| args.get(it)).map_or(Which::Any, |&it| self.which(it));
        Location::Resource(kind, which)
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
            Condition::Query(_) | Condition::QueryIn { .. } => {
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

    /// As [`Self::method`], of the options at a position; where there are none, they name no method.
    fn method_at(&self, args: &[InstId], position: usize) -> Option<bool> {
        args.get(position).map_or(Some(false), |&options| self.method(options))
    }

    /// Whether options name a method that only reads; `Some(false)` where they name none, none where
    /// they may name another.
    fn method(&self, options: InstId) -> Option<bool> {
        let ir = self.ir();
        match ir.inst(options) {
            Inst::Literal(Literal::Undefined) => return Some(false),
            Inst::Object => {}
            _ => return None,
        }
        // What it inherits may name one.
        if self.option_keys(options)?.contains(&"__proto__") {
            return None;
        }
        let end = ir.function(self.function.function).end;
        let mut found = Some(false);
        for id in headstart_ir::FileIr::range(options, end) {
            match ir.inst(id) {
                Inst::Set { object, key, value } if object == options => {
                    let Key::Name(name) = key.get() else { continue };
                    let text = self.text(value);
                    match ir.name(name) {
                        "method" => found = text.filter(|it| is_reading_method(it)).map(|_| true),
                        // What a request takes from a cache, or puts there, another one sees.
                        "cache" if !text.is_some_and(|it| leaves_cache(&it)) => return None,
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Whether what is asked for is an address, or a request whose method only reads.
    fn only_gets(&self, input: InstId) -> bool {
        self.is_text(input) || self.reading_request(input, LONGEST_REQUEST)
    }

    fn is_text(&self, value: InstId) -> bool {
        self.is_string(value) || self.all.graph.is_address(self.at(value))
    }

    /// Whether a value is certainly a `Request` whose method only reads: where it is made, the method
    /// is there.
    fn reading_request(&self, request: InstId, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let ir = self.ir();
        match ir.inst(request) {
            Inst::LoadVar(var) => {
                let always = self.all.graph.always(self.function.file, var);
                let is_own = ir.variable(var).owner == self.function.function;
                always.filter(|_| is_own).is_some_and(|it| self.reading_request(it, steps))
            }
            Inst::New { callee, args }
                if self.all.graph.is_member(self.at(callee), "globals", &["Request"]) =>
            {
                let args = ir.args(args);
                match (self.method_at(args, 1), args.first()) {
                    (Some(true), _) => true,
                    (Some(false), Some(&input)) => {
                        self.is_text(input) || self.reading_request(input, steps)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Whether a call may throw before it returns.
    pub(crate) fn row_throws(&self, row: &Call, args: &[InstId]) -> bool {
        match row.throws {
            Throws::Never => {
                let converts = |position: usize| {
                    let kind = row.arguments.get(position).copied().or(row.rest);
                    kind == Some(Argument::Primitive)
                };
                // Converting an object may run code of its own, which may throw.
                args.iter().enumerate().any(|(position, &arg)| {
                    converts(position)
                        && matches!(self.ir().inst(arg), Inst::Object | Inst::Array(_))
                })
            }
            Throws::May => true,
            Throws::UnlessStrings => {
                let needed = row.arguments.iter().filter(|it| **it == Argument::String).count();
                args.len() < needed
                    || args.iter().enumerate().any(|(position, &arg)| {
                        let kind = row.arguments.get(position).copied().or(row.rest);
                        let is_text = matches!(
                            kind,
                            Some(Argument::String | Argument::OptionalString | Argument::Primitive)
                        );
                        is_text && !self.is_string(arg)
                    })
            }
        }
    }

    fn is_string(&self, value: InstId) -> bool {
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

/// How many requests are made from one another.
const LONGEST_REQUEST: u32 = 4;

/// Whether a method of HTTP only reads (RFC 9110, 9.2.1).
/// Whether a document in GraphQL has operations of the kind `query`, and no other (GraphQL specification,
/// 2.3).
fn only_asks(document: &str) -> bool {
    let mut depth = 0_u32;
    let mut asks = false;
    let mut word = String::new();
    let mut is_head = true;
    for sign in document.chars().chain([' ']) {
        // Texts and comments may hold anything.
        if matches!(sign, '"' | '#') {
            return false;
        }
        if sign.is_alphanumeric() || sign == '_' {
            word.push(sign);
            continue;
        }
        let name = std::mem::take(&mut word);
        if depth == 0 && is_head && !name.is_empty() {
            match name.as_str() {
                "query" => asks = true,
                "fragment" => {}
                _ => return false,
            }
            is_head = false;
        }
        match sign {
            '{' | '(' | '[' => {
                asks |= depth == 0 && is_head && sign == '{';
                depth += 1;
            }
            '}' | ')' | ']' => {
                let Some(outer) = depth.checked_sub(1) else { return false };
                depth = outer;
                is_head = depth == 0 && sign == '}';
            }
            _ => {}
        }
    }
    asks && depth == 0
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

fn is_reading_method(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "get" | "head")
}

/// Whether a request with this mode neither asks a cache first nor is there to fill it (Fetch, 2.2.5).
fn leaves_cache(mode: &str) -> bool {
    matches!(mode, "default" | "no-store")
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
