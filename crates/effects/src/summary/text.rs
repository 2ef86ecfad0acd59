//! Texts that a program puts together, such as queries: what of them is known, and what callers decide.
//!
//! What a function is given may be part of a query that it sends. Whether that only reads is then
//! decided where the function is called, as for commands ([`super::command`]).

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_ir::{FileIr, Inst, InstId, Key, Literal};
use headstart_models::{Condition, Sql};

use super::fit::option_keys;
use super::place::{Location, Resource, Root, Which};
use super::query::{HOLE, Reading, gives_time, reading};
use super::roots::Roots;
use super::row::arguments;
use super::{Summaries, Summary};

/// Texts of more parts than this, and longer ones, are not known.
const MOST_PARTS: usize = 64;
const LONGEST: usize = 32 * 1024;
/// How many steps a value is followed back.
const DEEPEST: u32 = 12;
/// How many calls up the parts of a text are followed, and how many callers are looked at.
const DEEPEST_CALLER: u32 = 4;
const MOST_CALLERS: usize = 32;

/// A text that a function puts together from what it is given.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QueryText {
    parts: Vec<Part>,
}

/// A part of a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Part {
    /// This text.
    Known(String),
    /// What a parameter holds.
    Held(Root),
    /// A text that nobody knows.
    Unknown,
    /// Something in what stands before it has been replaced.
    Replaced,
}

/// What a call decides of the query of its callee.
pub(crate) enum Asked {
    /// It only reads.
    Reads,
    /// What it does depends on what its text becomes.
    Open(QueryText),
    /// It may do anything.
    Anything,
}

impl QueryText {
    fn unknown() -> Self {
        Self { parts: vec![Part::Unknown] }
    }

    /// A query that selects what nobody knows.
    pub(crate) fn select() -> Self {
        Self { parts: vec![Part::Known("select ".to_owned()), Part::Unknown] }
    }

    fn push(&mut self, part: Part) {
        match (self.parts.last_mut(), part) {
            (Some(Part::Known(text)), Part::Known(more)) => text.push_str(&more),
            (_, part) => self.parts.push(part),
        }
    }

    fn is_too_long(&self) -> bool {
        let length = |it: &Part| match it {
            Part::Known(text) => text.len(),
            Part::Held(_) | Part::Unknown | Part::Replaced => 1,
        };
        self.parts.len() > MOST_PARTS || self.parts.iter().map(length).sum::<usize>() > LONGEST
    }

    /// The whole text, where all of it is known.
    fn known(self) -> Option<String> {
        let mut whole = String::new();
        for part in self.parts {
            match part {
                Part::Known(text) => whole.push_str(&text),
                Part::Held(_) | Part::Unknown | Part::Replaced => return None,
            }
        }
        Some(whole)
    }

    /// The text with holes for what is not known.
    fn with_holes(&self) -> String {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Known(known) => text.push_str(&known.replace(HOLE, " ")),
                Part::Held(_) | Part::Unknown => text.push(HOLE),
                Part::Replaced => {}
            }
        }
        text
    }

    /// What it does as a query; what nobody knows is taken to be no more than a part of an expression.
    fn reading(&self) -> Reading {
        reading(&self.with_holes())
    }

    /// Whether it gives what the clock says.
    pub(crate) fn gives_time(&self) -> bool {
        gives_time(&self.with_holes())
    }

    /// What it does as a query, or whether that is for callers to say.
    pub(crate) fn decide(self) -> Asked {
        let is_held = self.parts.iter().any(|it| matches!(it, Part::Held(_)));
        let is_replaced = self.parts.contains(&Part::Replaced);
        match self.reading() {
            Reading::Reads if is_replaced => Asked::Open(self),
            Reading::Reads => Asked::Reads,
            Reading::Selects => Asked::Open(self),
            // It may be one as soon as more of it is known.
            Reading::Anything if is_held && !self.is_known_to_write() => Asked::Open(self),
            Reading::Anything => Asked::Anything,
        }
    }

    /// Whether it begins with the word of a statement that is none of those that read.
    fn is_known_to_write(&self) -> bool {
        let Some(Part::Known(text)) = self.parts.first() else { return false };
        let first = text.trim_start_matches(|it: char| it.is_whitespace() || it == '(');
        let word: String = first.chars().take_while(|it| it.is_alphanumeric()).collect();
        !word.is_empty() && !["select", "with"].contains(&word.to_ascii_lowercase().as_str())
    }

    /// The parameter that it begins with.
    fn head(&self) -> Option<Root> {
        let mut parts = self.parts.iter().filter(|it| match it {
            Part::Known(text) => !text.trim().is_empty(),
            Part::Held(_) | Part::Unknown => true,
            Part::Replaced => false,
        });
        match parts.next() {
            Some(Part::Held(root)) => Some(*root),
            _ => None,
        }
    }

    /// The parameters that stand in it as a whole sub-select: `FROM (…)`.
    fn selected(&self) -> impl Iterator<Item = Root> {
        let is_open = |part: Option<&Part>| matches!(part, Some(Part::Known(it)) if it.trim_end().ends_with('('));
        let is_closed = |part: Option<&Part>| matches!(part, Some(Part::Known(it)) if it.trim_start().starts_with(')'));
        (0..self.parts.len()).filter_map(move |at| match self.parts[at] {
            Part::Held(root) => {
                let before = at.checked_sub(1).and_then(|it| self.parts.get(it));
                let is_whole = is_open(before) && is_closed(self.parts.get(at + 1));
                is_whole.then_some(root)
            }
            Part::Known(_) | Part::Unknown | Part::Replaced => None,
        })
    }

    /// The same text where it begins with a `SELECT`.
    fn as_select(&self) -> Self {
        let mut parts = vec![Part::Known("select ".to_owned())];
        parts.extend(self.parts.iter().cloned());
        Self { parts }
    }
}

impl Roots<'_, '_> {
    /// The query that a call is given, where its row says that this decides what it does.
    pub(crate) fn query(&self, when: &Condition, args: &[InstId]) -> Option<QueryText> {
        match when {
            Condition::Query(position) => {
                let args = args.get(*position..)?;
                self.tagged(args, DEEPEST_CALLER)
                    .or_else(|| Some(self.put_together(*args.first()?)))
            }
            Condition::QueryWithValues(position) => {
                let mut text = self.put_together(*args.get(*position)?);
                let values = args.get(position + 1).map(|&it| match self.ir().inst(it) {
                    Inst::Array(elements) => self.ir().args(elements).to_vec(),
                    _ => vec![it],
                });
                let is_plain = |it: &InstId| self.all.is_no_object(self.at(*it), DEEPEST_CALLER);
                if !values.iter().flatten().all(is_plain) {
                    text.push(Part::Unknown);
                }
                Some(text)
            }
            Condition::QueryIn { position, option } => {
                let value = self.option_value(*args.get(*position)?, option)?;
                Some(self.put_together(value))
            }
            _ => None,
        }
    }

    /// The text of a template with a tag, which gets a list of texts and the values between them. What is put in is a
    /// parameter of the query where it is no object, and may be another part of it else.
    fn tagged(&self, args: &[InstId], steps: u32) -> Option<QueryText> {
        let (&list, values) = args.split_first()?;
        let Inst::Array(texts) = self.ir().inst(list) else { return None };
        let texts = self.ir().args(texts);
        if texts.len() != values.len() + 1 {
            return None;
        }
        let mut whole = QueryText { parts: Vec::new() };
        for (at, &text) in texts.iter().enumerate() {
            match self.text(text) {
                Some(text) => whole.push(Part::Known(text)),
                None => whole.push(Part::Unknown),
            }
            let Some(&value) = values.get(at) else { continue };
            if let Some(part) = self.part_of_query(value, steps) {
                part.parts.into_iter().for_each(|it| whole.push(it));
            } else if self.all.is_no_object(self.at(value), DEEPEST_CALLER) {
                whole.push(Part::Known("?".to_owned()));
            } else {
                whole.push(Part::Unknown);
            }
        }
        Some(whole).filter(|it| !it.is_too_long())
    }

    /// The text of a part that a call of a package makes of what the program writes: `Prisma.sql`.
    fn part_of_query(&self, value: InstId, steps: u32) -> Option<QueryText> {
        let steps = steps.checked_sub(1)?;
        let ir = self.ir();
        let value = match ir.inst(value) {
            Inst::LoadVar(var) => self.all.graph.always(self.function.file, var)?,
            _ => value,
        };
        let args = ir.args(arguments(ir.inst(value))?);
        let callees = self.all.graph.callees(self.at(value));
        let mut made = callees.modelled.iter().filter_map(|it| it.call).flat_map(|it| &it.sql);
        made.find_map(|it| match *it {
            Sql::Template(position) => self.tagged(args.get(position..)?, steps),
            Sql::Text(position) => Some(self.put_together(*args.get(position)?)),
            Sql::Condition(_) | Sql::Function(_) => None,
        })
    }

    /// What an option is in an object literal that nothing else changes.
    fn option_value(&self, options: InstId, option: &str) -> Option<InstId> {
        let ir = self.ir();
        if ir.inst(options) != Inst::Object || option_keys(ir, options)?.contains(&"__proto__") {
            return None;
        }
        let end = ir.function(self.function.function).end;
        let is_it = |id: InstId| match ir.inst(id) {
            Inst::Set { object, key, value } if object == options => match key.get() {
                Key::Name(name) if ir.name(name) == option => Some(value),
                _ => None,
            },
            _ => None,
        };
        FileIr::range(options, end).filter_map(is_it).next_back()
    }

    /// A text with all that is known of it.
    fn put_together(&self, value: InstId) -> QueryText {
        let mut text = QueryText { parts: Vec::new() };
        self.append(value, &mut text, DEEPEST);
        if text.is_too_long() { QueryText::unknown() } else { text }
    }

    fn append(&self, value: InstId, into: &mut QueryText, steps: u32) {
        let Some(steps) = steps.checked_sub(1).filter(|_| !into.is_too_long()) else {
            return into.push(Part::Unknown);
        };
        let ir = self.ir();
        if let Some(text) = self.text(value) {
            return into.push(Part::Known(text));
        }
        match ir.inst(value) {
            Inst::Template(parts) => {
                for &part in ir.args(parts) {
                    self.append(part, into, steps);
                }
            }
            Inst::Operator { left, right, plus: true, .. } if self.is_textual(left, steps) => {
                self.append(left, into, steps);
                self.append(right, into, steps);
            }
            Inst::Literal(Literal::Number(Some(number))) => {
                into.push(Part::Known(number.to_string()));
            }
            Inst::LoadVar(var) => {
                if let Some(root) = self.parameter_behind(value) {
                    return into.push(Part::Held(root));
                }
                match self.all.graph.always(self.function.file, var) {
                    Some(always) if !matches!(ir.inst(always), Inst::Param(_)) => {
                        self.append(always, into, steps);
                    }
                    _ => into.push(Part::Unknown),
                }
            }
            Inst::Param(position) => into.push(Part::Held(Root::Parameter(position))),
            // `sql?.replaceAll(…)`
            Inst::Select(left, right) if self.is_nothing_at_all(right) => {
                self.append(left, into, steps);
            }
            // `query.replace(/…/g, (…) => …)`: parameters that are put in.
            Inst::CallMethod { object, method, .. } if self.replaces(method) => {
                self.append(object, into, steps);
                into.push(Part::Replaced);
            }
            _ => into.push(Part::Unknown),
        }
    }

    fn is_nothing_at_all(&self, value: InstId) -> bool {
        matches!(self.ir().inst(value), Inst::Literal(Literal::Undefined))
    }

    /// Whether a method is the one of texts that replaces parts of them.
    fn replaces(&self, method: InstId) -> bool {
        let Inst::Get { key, .. } = self.ir().inst(method) else { return false };
        matches!(key.get(), Key::Name(name) if matches!(self.ir().name(name), "replace" | "replaceAll"))
    }

    /// Whether a value is a text for certain: `+` puts it together with others then.
    fn is_textual(&self, value: InstId, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        match self.ir().inst(value) {
            Inst::Literal(Literal::String(_) | Literal::LongString) | Inst::Template(_) => true,
            Inst::Operator { left, plus: true, .. } => self.is_textual(left, steps),
            Inst::LoadVar(var) => {
                let always = self.all.graph.always(self.function.file, var);
                self.text(value).is_some() || always.is_some_and(|it| self.is_textual(it, steps))
            }
            _ => false,
        }
    }

    /// What the query of a callee is at a call with these arguments, spreads as they stand.
    pub(crate) fn ask(&self, query: &QueryText, args: Option<&[InstId]>) -> Asked {
        self.text_at(query, args).decide()
    }

    fn text_at(&self, of_callee: &QueryText, args: Option<&[InstId]>) -> QueryText {
        let mut text = QueryText { parts: Vec::new() };
        for part in &of_callee.parts {
            match part {
                Part::Held(Root::Parameter(position)) => {
                    match args.and_then(|args| self.nth(*position, args)) {
                        Some(value) => self.append(value, &mut text, DEEPEST),
                        None => text.push(Part::Unknown),
                    }
                }
                Part::Held(Root::Variable(file, var)) => {
                    let is_mine = *file == self.function.file
                        && self.ir().variable(*var).owner == self.function.function;
                    match self.all.graph.always(*file, *var).filter(|_| is_mine) {
                        Some(value) => self.append(value, &mut text, DEEPEST),
                        None if is_mine => text.push(Part::Unknown),
                        None => text.push(part.clone()),
                    }
                }
                Part::Held(_) => text.push(Part::Unknown),
                Part::Known(_) | Part::Unknown | Part::Replaced => text.push(part.clone()),
            }
        }
        if text.is_too_long() { QueryText::unknown() } else { text }
    }
}

impl Location {
    /// The query that decides whether this is touched at all.
    pub(crate) fn query(&self) -> Option<&QueryText> {
        match self {
            Self::Resource(_, Which::Queried(query)) => Some(query),
            _ => None,
        }
    }
}

impl Summary {
    /// The queries that callers decide.
    pub(crate) fn queries(&self) -> impl Iterator<Item = &QueryText> {
        self.effects().flat_map(|it| &it.writes).filter_map(Location::query)
    }
}

impl Summaries<'_> {
    /// A text that a function puts together, where all of it is known.
    pub(crate) fn known_text(&self, function: FunctionRef, value: InstId) -> Option<String> {
        let roots = Roots {
            all: self,
            stores: &[],
            function,
            is_local: false,
            is_bare: false,
            waits: false,
        };
        roots.put_together(value).known()
    }

    /// Whether a value is no object, also where an annotation says so: what is assigned and what callers give may be a
    /// part of a query under the name of a text (`Prisma.raw(…) as any`).
    fn is_no_object(&self, at: InstRef, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1).filter(|_| self.graph.is_primitive(at)) else {
            return false;
        };
        let ir = self.graph.files()[at.file as usize];
        let inst = |inst| InstRef { inst, ..at };
        match ir.inst(at.inst) {
            Inst::LoadVar(var) => {
                let always = self.graph.always(at.file, var);
                always.is_some_and(|it| {
                    // The call graph believes the annotation of a variable of what it is given, too.
                    let is_its_word = !ir.variable(var).ty.is_unknown()
                        && super::row::arguments(ir.inst(it)).is_some();
                    !is_its_word && self.is_no_object(inst(it), steps)
                })
            }
            Inst::Param(position) => {
                let callers = self.callers(self.graph.function_at(at));
                callers.len() <= MOST_CALLERS
                    && callers.iter().all(|&call| {
                        self.given_at(call, position).is_some_and(|it| self.is_no_object(it, steps))
                    })
            }
            _ => true,
        }
    }

    /// Whether something that a function writes is what a query touches that is a `SELECT`, whatever is
    /// put into it: it writes nothing if that is part of an expression each time. The text of the query
    /// may come from callers, or stand as a sub-select elsewhere in the function.
    #[must_use]
    pub fn only_selects(&self, function: FunctionRef, location: &Location) -> bool {
        let Location::Resource(Resource::Connection | Resource::Network, _) = location else {
            return false;
        };
        let Some(query) = location.query() else { return false };
        // Statement after statement asks for the same texts.
        let known = self.selecting.get().get(&function).and_then(|it| it.get(query).copied());
        known.unwrap_or_else(|| {
            let selects = self.selects(function, query, DEEPEST_CALLER);
            self.selecting.get().entry(function).or_default().insert(query.clone(), selects);
            selects
        })
    }

    fn selects(&self, function: FunctionRef, query: &QueryText, steps: u32) -> bool {
        if query.reading() != Reading::Anything {
            return true;
        }
        let (Some(steps), Some(root)) = (steps.checked_sub(1), query.head()) else { return false };
        if query.as_select().reading() == Reading::Anything {
            return false;
        }
        if self.stands_as_select(function, root) {
            return true;
        }
        let Root::Parameter(_) = root else { return false };
        let callers = self.callers(function);
        !callers.is_empty()
            && callers.len() <= MOST_CALLERS
            && callers.iter().all(|&call| {
                let caller = self.graph.function_at(call);
                let ir = self.graph.files()[call.file as usize];
                let args = super::row::arguments(ir.inst(call.inst)).map(|it| ir.args(it));
                let text = self.computation(caller).roots.text_at(query, args);
                self.selects(caller, &text, steps)
            })
    }

    /// Whether what a parameter holds stands as a whole sub-select in a text of the function.
    fn stands_as_select(&self, function: FunctionRef, root: Root) -> bool {
        let ir = self.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        let computation = self.computation(function);
        FileIr::range(data.first, data.end)
            .filter(|&id| matches!(ir.inst(id), Inst::Template(_)))
            .any(|id| {
                let text = computation.roots.put_together(id);
                text.reading() == Reading::Selects && text.selected().any(|it| it == root)
            })
    }
}
