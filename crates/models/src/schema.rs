//! The shape of a model file. `models/schema.json` says the same for editors.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::members::Members;

/// One model file: the members of one module.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Module {
    /// The specifier, without `node:`.
    pub module: String,
    /// Other ways to the same members: a specifier, or `module#member`.
    #[serde(default)]
    pub also: Vec<String>,
    /// The page that the fragments of its members belong to.
    pub documentation: String,
    /// Whether its queries are put together from what calls are given, which may hold SQL of the program:
    /// what its rows read from a connection they may also write, unless all of that is known to only read.
    #[serde(default)]
    pub builds_sql: bool,
    /// What `import x from` gives, and in CommonJS `require()`, where that can be called or has
    /// members that the module itself has not. Left out, it is the module.
    pub default: Option<Member>,
    /// Its members by name. A `*` in a name stands for any text; an exact name goes first.
    pub members: Members,
    /// The kinds of objects that its calls return, by name: their members are what the objects
    /// have, `call` is a call of the object itself.
    #[serde(default)]
    pub types: BTreeMap<String, Member>,
}

/// A member of a module, of another member or of a type.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Member {
    /// What the row rests on: an address, or a fragment of the module's page.
    pub documentation: String,
    /// Whether it is a value that never changes.
    #[serde(default)]
    pub constant: bool,
    /// Whether using it may do anything: it is listed so that it is known to have been looked at.
    #[serde(default)]
    pub anything: bool,
    /// Whether what is assigned to it, or below it, changes what later operations of any module do.
    #[serde(default)]
    pub setting: bool,
    /// Whether it puts code of the program into operations: those run code that no row describes.
    pub hooks: Option<Hooks>,
    /// The type that its value is of: `Pool`, or `pg#Pool` for one of another module.
    #[serde(rename = "type")]
    pub is_a: Option<String>,
    /// For a type: the type whose members it has too.
    pub extends: Option<String>,
    /// For a type: whether its objects are queries, or parts of one: they keep what the calls are given
    /// that make them and that are on them, and look at that when they start.
    #[serde(default)]
    pub builds: bool,
    /// For a type: whether its objects keep what the calls are given that make them, such as the options of a
    /// client, and look at that in each operation. Those with `builds` or `lazy` do.
    #[serde(default)]
    pub keeps: bool,
    /// For a type: what waiting for the object does, where that starts the operation (a query
    /// that is built first).
    #[serde(rename = "await")]
    pub awaited: Option<Box<Call>>,
    /// For a type with `await`: that nothing has started before somebody waits for the object, and what
    /// waiting for it again does. Left out, it has started when it is made.
    pub lazy: Option<Again>,
    /// What a call of it does; none where it may do anything.
    pub call: Option<Box<Call>>,
    /// What `new` of it does; none where it may do anything.
    pub construct: Option<Box<Call>>,
    /// Its own members: those of a namespace, or the static ones of a class.
    #[serde(default)]
    pub members: Members,
}

/// What waiting again does to an object that starts when it is first waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Again {
    /// It gives the result that is there, or under way.
    Shares,
    /// It starts the operation once more.
    Repeats,
    /// It fails.
    Fails,
}

/// How a member puts code of the program into operations: interceptors, listeners, plugins.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Hooks {
    /// Whether the code is only told of operations: it changes neither what they do nor what they give.
    #[serde(default)]
    pub observes: bool,
    /// The events whose listeners run within operations; all where none is listed.
    #[serde(default)]
    pub events: Vec<String>,
    /// The keys under which the member holds code; all where none is listed. Without `keys` a call
    /// puts in code.
    #[serde(default)]
    pub keys: Vec<String>,
    /// Whose operations run the code: modules, or `module#member`. Left out, its own module's.
    #[serde(default)]
    pub of: Vec<String>,
}

/// What a call does.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Call {
    /// Whether it returns a promise.
    #[serde(default)]
    pub promise: PromiseKind,
    /// When it throws before it returns.
    #[serde(default)]
    pub throws: Throws,
    /// Which arguments it looks at whatever they are.
    #[serde(default)]
    pub checks: Checks,
    /// When it fails because something exists already: programs use that as a lock.
    pub lock: Option<Lock>,
    /// What it gives that somebody has to close, or give back.
    pub gives: Option<Gives>,
    /// Which of its arguments are SQL that becomes a part of a query.
    #[serde(default)]
    pub sql: Vec<Sql>,
    /// What the whole statement is that it sends, where that is a query that is put together.
    pub statement: Option<Statement>,
    /// The option that says how many operations what it makes has under way at the same time.
    pub limit: Option<String>,
    /// What has to hold for the row to be right, where nobody can tell: findings say it.
    pub assumes: Option<String>,
    /// Whether it goes on when it has returned and its promise is settled: a stream, a watcher.
    #[serde(default)]
    pub goes_on: bool,
    /// What it reads.
    #[serde(default)]
    pub reads: Vec<Resource>,
    /// What it writes.
    #[serde(default)]
    pub writes: Vec<Resource>,
    /// Whether it calls a function that it is given.
    #[serde(default)]
    pub calls_back: CallsBack,
    /// What it does to the object that it is called on, in memory.
    #[serde(default)]
    pub receiver: Receiver,
    /// How it calls the functions that it is given. A function argument that is not listed is
    /// called with values that nobody knows.
    #[serde(default)]
    pub callbacks: Vec<Callback>,
    /// Whether the object that it is on keeps what it is given, and looks at that later: rows with
    /// [`Receiver::ReadsBelow`] do.
    #[serde(default)]
    pub keeps: bool,
    /// The positions of arguments whose content it changes.
    #[serde(default)]
    pub mutates: Vec<usize>,
    /// The positions of arguments below which it changes anything, at whatever depth: what it puts there is
    /// what other arguments are or hold, perhaps in new lists and objects.
    #[serde(default)]
    pub mutates_below: Vec<usize>,
    /// What each argument is. A call with more of them is not covered, unless `rest` is there.
    #[serde(default)]
    pub arguments: Vec<Argument>,
    /// What further arguments are.
    pub rest: Option<Argument>,
    /// The keys of the options argument under which the row holds.
    #[serde(default)]
    pub options: Vec<String>,
    /// Options of a client under which its operations print lines, or tell somebody of themselves: the
    /// row holds, and findings say that nothing else comes of it.
    #[serde(default)]
    pub observers: Vec<String>,
    /// What it returns, or what its promise is fulfilled with.
    pub result: ResultKind,
    /// What it returns when an encoding is asked for.
    pub result_with_encoding: Option<ResultKind>,
    /// The type of what it returns, or of what its promise is fulfilled with: `Pool`, or `pg#Pool`
    /// for a type of another module.
    #[serde(rename = "type")]
    pub is_a: Option<String>,
    /// The type of the elements of the array that it returns, or that its promise is fulfilled
    /// with.
    pub elements: Option<String>,
    /// Another type of the elements, where an option asks for it.
    pub elements_with: Option<ElementsWith>,
    /// Values of the program that what it returns may be or hold.
    #[serde(default)]
    pub returns: Vec<Flow>,
    /// Whether what it returns holds what `returns` says, and is none of that itself: a schema that is made of
    /// others.
    #[serde(default)]
    pub holds: bool,
    /// Calls that do less, or something else: the first that applies goes before what stands here.
    #[serde(default)]
    pub cases: Vec<Case>,
}

impl Call {
    /// Whether what it gives holds what `returns` names, and is not that itself: a list, a set, an iterator.
    #[must_use]
    pub fn gives_container(&self) -> bool {
        let is_container =
            |it: &str| ["Iterator", "#Set", "#Map", "#Array"].iter().any(|end| it.ends_with(end));
        let ty = self.is_a.as_deref();
        self.holds
            || self.result == ResultKind::Array
            || ty.is_some_and(|it| is_container(it) || it == "Set")
    }

    /// The types that what it gives may be of.
    pub fn types(&self) -> impl Iterator<Item = &str> {
        self.is_a
            .iter()
            .chain(self.cases.iter().filter_map(|it| it.is_a.as_ref()))
            .map(String::as_str)
    }

    /// Whether it changes what it is given, itself or anything below it.
    #[must_use]
    pub fn changes_arguments(&self) -> bool {
        !self.mutates.is_empty() || !self.mutates_below.is_empty()
    }

    /// Whether it changes nothing that it is given, and calls nobody back.
    #[must_use]
    pub fn leaves_alone(&self) -> bool {
        !self.changes_arguments() && self.calls_back == CallsBack::No
    }

    /// Those of some arguments that it reads from by name, where each may be a pipe or an open file.
    pub fn consumed<'a, T: Copy>(&'a self, arguments: &'a [T]) -> impl Iterator<Item = T> + 'a {
        let is_read = |it: &usize| {
            self.arguments.get(*it) == Some(&Argument::PathOrHandle)
                && self.reads.contains(&Resource::File(*it))
        };
        (0..arguments.len()).filter(is_read).map(|it| arguments[it])
    }
}

/// The type of the elements of what a call returns, where an option is given and is not `false`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ElementsWith {
    /// The key of the option.
    pub option: String,
    /// The type.
    #[serde(rename = "type")]
    pub is_a: String,
}

/// What some calls do that can be told by their arguments.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Case {
    /// Which calls.
    pub when: Condition,
    /// What they read.
    #[serde(default)]
    pub reads: Vec<Resource>,
    /// What they write.
    #[serde(default)]
    pub writes: Vec<Resource>,
    /// The type of what they return, where it is another one.
    #[serde(rename = "type")]
    pub is_a: Option<String>,
    /// What has to hold for the case to be right, where nobody can tell: findings say it.
    pub assumes: Option<String>,
}

/// What tells some calls of a function from others.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// The argument at this position is text known to be an SQL query that only reads.
    Query(usize),
    /// The same, where the values that the argument behind it lists may be SQL, too: `mysql.raw("now()")`.
    QueryWithValues(usize),
    /// An option of the argument at this position is such a text, in an object literal.
    QueryIn {
        /// The position.
        position: usize,
        /// The key.
        option: String,
    },
    /// The argument at this position is SQL that sets something for the session, to a value that does not
    /// depend on who calls: `SET search_path TO …`.
    Setting(usize),
    /// The argument at this position is text known to be a document in GraphQL that only asks.
    Graphql(usize),
    /// The arguments are a command line known to only read: `git status`.
    Command {
        /// The position of the program, or of the whole line.
        program: usize,
        /// The position of the list of arguments.
        arguments: Option<usize>,
    },
    /// The argument at this position is an object of options whose `method` is missing, `GET` or
    /// `HEAD`, or is not given.
    ReadingMethod(usize),
    /// The options at this position name no method, and nobody knows whether what is asked for has one of its own.
    UntoldMethod(usize),
    /// The argument at a position is an object of a type.
    Argument {
        /// The position.
        position: usize,
        /// The type.
        #[serde(rename = "type")]
        is_a: String,
    },
    /// The call has fewer arguments than this: no callback.
    FewerArguments(usize),
}

/// What a call does to the object that it is called on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Receiver {
    /// Nothing in memory that anyone could see.
    #[default]
    None,
    /// It reads what it holds.
    Reads,
    /// It reads what it holds at whatever depth: what has been given to a query that is built, or to a client.
    ReadsBelow,
    /// It changes what it holds: `push`, `set`, the position of a reader.
    Writes,
}

/// How a call calls a function that it is given.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Callback {
    /// The position of the function.
    pub argument: usize,
    /// What it is called with.
    #[serde(default)]
    pub with: Vec<Flow>,
}

/// Where a value comes from.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flow {
    /// The argument at this position.
    Argument(usize),
    /// The elements of the argument at this position, or what an object there holds.
    Elements(usize),
    /// The object that the call is on.
    Receiver,
    /// What the object that the call is on holds.
    ReceiverElements,
    /// Pairs of a position and what the object that the call is on holds there: `list.entries()`.
    ReceiverPairs,
    /// What lists hold that the object that the call is on holds, at whatever depth: `list.flat(depth)`.
    ReceiverLists,
    /// The values of the pairs that the argument at this position holds: `Object.fromEntries(pairs)`.
    Pairs(usize),
    /// What a callback is given that its calls carry along: what one returned before, what the call is given
    /// behind the callback, or the first element of the object that it is on.
    Carried,
    /// What the function at this position returns; where that is a promise, what it is fulfilled
    /// with, if the call itself returns a promise.
    Callback(usize),
    /// An array of what the function at this position returns.
    CallbackElements(usize),
    /// An object of a type.
    Type(String),
    /// Whatever the arguments are, or hold at any depth, and new lists and objects of such.
    Below,
    /// Plain data that holds no function of the program.
    Data,
    /// Nobody knows.
    Unknown,
}

/// Whether a call returns a promise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromiseKind {
    /// It does not.
    #[default]
    No,
    /// It returns one that settles without the program's help; every error is a rejection.
    Settles,
    /// It returns one that waits for an answer from outside for as long as that takes: a server that is not there yet.
    Answers,
    /// It returns one that may wait for the program or for ever: an event, a lock, a timer.
    Waits,
}

/// Whether a call calls a function that it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallsBack {
    /// It does not.
    #[default]
    No,
    /// Before it returns.
    Now,
    /// After it has returned.
    Later,
}

/// When a call throws before it returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Throws {
    /// Never.
    #[default]
    Never,
    /// When an argument declared as a string is none, and for no other reason.
    UnlessStrings,
    /// For other reasons: a malformed value, a missing file.
    May,
}

/// When a call fails where something exists already.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lock {
    /// Always.
    Always,
    /// Where its options do not have this key.
    Without(String),
    /// Where its options have this key.
    With(String),
    /// Where the flags at this position ask for a new file (`wx`, `O_EXCL`), or are not known.
    Flags(usize),
    /// Where the mode at this position is anything but none.
    Mode(usize),
    /// Where an argument is this word, or options have it as a key, in large or small letters: `SET … NX`.
    Word(String),
}

/// What a call gives that somebody has to close.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gives {
    /// An open file or folder, a connection, a temporary folder, a process or worker: it stays until
    /// whoever has it gives it back.
    Handle,
}

/// An argument that becomes a part of a query as it stands, by its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sql {
    /// A text of SQL, or a list of such.
    Text(usize),
    /// The same of a condition or an order: no value of it is given back.
    Condition(usize),
    /// The texts of a template, as a tag gets them; what stands between is put in as a parameter, or is a
    /// part of a query itself.
    Template(usize),
    /// The name of a function that the query calls.
    Function(usize),
}

/// A query that is put together of the program's own SQL, and is all that is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statement {
    /// What the call is on.
    Receiver,
    /// The argument at this position.
    Argument(usize),
}

/// Which arguments a call looks at, so that its return proves them to be strings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Checks {
    /// All of them.
    #[default]
    All,
    /// The last, and those before it as long as what is behind them is relative.
    Last,
}

/// Something outside the objects of the program. A number is the position of the argument that
/// says which.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resource {
    /// The file or folder whose path is the argument at this position.
    File(usize),
    /// The folder at this position with all that is in it, of a copy that goes down into folders: where
    /// its path is not known, it may be in any other, or around it.
    Tree(usize),
    /// Any file or folder.
    AnyFile,
    /// What is open behind the file descriptor, handle or connection at this position.
    Handle(usize),
    /// The host or address at this position.
    Network(usize),
    /// Any host.
    AnyNetwork,
    /// The child process that is started by the command at this position.
    Process(usize),
    /// Any other process.
    AnyProcess,
    /// The working directory of the process.
    WorkingDirectory,
    /// The environment variables.
    Environment,
    /// The clock.
    Clock,
    /// Randomness.
    Randomness,
    /// Standard output, standard error: what a user sees.
    Output,
    /// The lines of a log: the console, what a package for logging prints or collects.
    Log,
    /// Standard input.
    Input,
    /// What the object that the call is on is connected to: a database, a browser, a server.
    Connection,
    /// What a browser stores for a site.
    Storage,
    /// The timers of the process.
    Timers,
    /// What the process is: user, limits, signals, memory, its exit.
    ProcessState,
    /// State inside the module that its members share.
    ModuleState,
}

impl Resource {
    /// The position of the argument that says which it is.
    #[must_use]
    pub fn position(self) -> Option<usize> {
        match self {
            Self::File(at) | Self::Tree(at) | Self::Handle(at) | Self::Network(at) => Some(at),
            Self::Process(at) => Some(at),
            _ => None,
        }
    }
}

/// What an argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Argument {
    /// A path: a string, buffer or URL.
    Path,
    /// A path, or an open file whose position the call moves.
    PathOrHandle,
    /// A string.
    String,
    /// A string or nothing.
    OptionalString,
    /// Plain data that is not called back.
    Data,
    /// Anything, of which only its kind is looked at: nothing of it is called or converted.
    Any,
    /// Anything, converted to a string or number where it is none: a primitive runs no code.
    Primitive,
    /// A function that is called back.
    Function,
    /// An encoding, or an object of options.
    Options,
    /// As `options`, or a function that is called back.
    OptionsOrFunction,
}

/// What a call returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResultKind {
    /// `undefined`
    Undefined,
    /// A string.
    String,
    /// A fresh array.
    Array,
    /// A fresh object with plain properties.
    Object,
    /// A function.
    Function,
    /// The object that the call is on.
    Receiver,
    /// Something else that is fresh or primitive.
    Data,
}
