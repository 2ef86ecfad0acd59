//! Many assumptions, told in few sentences: nobody reads twenty lines that say the same of twenty names.

use headstart_ir::Span;

use crate::location::{Assumption, Elsewhere};

/// So many are told one by one.
const FEW: usize = 3;
/// So many names stand in a sentence, and places behind it; the others are counted.
const MOST_NAMED: usize = 3;

/// How a sentence begins about what the program puts in the place of what models describe.
pub(crate) const PUT: &str = "what the program puts in the place of";
/// How it ends.
pub(crate) const DOES_THE_SAME: &str = "does nothing else that matters here";

/// What an assumption says, and of what: those that say the same can share a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Topic {
    /// What it says.
    pub kind: Kind,
    /// What it says that of, as it stands in a sentence: "`name`".
    pub names: Vec<String>,
}

/// What an assumption says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// That a variable is initialised.
    Initialised,
    /// That nobody changes what an operation reads, or looks at.
    Unchanged,
    /// That converting something to a string is harmless.
    Converted,
    /// Something else that nearly always holds, and is said of one place.
    Usual,
    /// Something else, of no name: what is said of several operations.
    Said(String),
    /// The same, of what nearly always holds: that code which gets hold of an object leaves it as it is.
    Left(String),
    /// That what a statement writes is not what the operation of this name uses; that of these names.
    Apart(String, Vec<String>),
    /// That the operation of this name does not depend on what a statement sets.
    Set(String),
    /// That a function alone holds the objects of which it changes something.
    Alone,
    /// That looking at an object runs no code.
    Plain,
    /// That code which nobody knows only computes.
    Computes,
    /// That code which nobody knows only reads, as its name says, and may be under way more than once.
    Reads,
    /// That what the program puts in the place of what models describe does the same.
    Same,
    /// That what the program puts in the place of what the language brings does the same.
    Language,
    /// That something is a string.
    Text,
    /// That a property is none that runs code, of something that is there, and stays as it is.
    Property,
    /// That something is there whose method is called.
    There,
    /// That an operation of this name does no harm where it reads in vain.
    InVain,
}

impl Topic {
    /// A topic.
    #[must_use]
    pub fn new(kind: Kind, name: impl Into<String>) -> Self {
        Self { kind, names: vec![name.into()] }
    }

    /// Whether it nearly always holds in programs that work: values are what they seem, and nobody
    /// changes them behind one's back.
    #[must_use]
    pub fn is_minor(&self) -> bool {
        match self.kind {
            Kind::Initialised
            | Kind::Unchanged
            | Kind::Converted
            | Kind::Left(_)
            | Kind::Plain
            | Kind::Text
            | Kind::Property
            | Kind::There
            | Kind::Same
            | Kind::Usual
            | Kind::Language => true,
            Kind::Said(_)
            | Kind::Apart(..)
            | Kind::Set(_)
            | Kind::Alone
            | Kind::Computes
            | Kind::Reads
            | Kind::InVain => false,
        }
    }

    /// What nearly always holds, and shares its sentence with nothing.
    #[must_use]
    pub(crate) fn usual() -> Self {
        Self { kind: Kind::Usual, names: Vec::new() }
    }

    /// What a sentence about `{}` says of several operations.
    #[must_use]
    pub fn said(text: &str) -> Self {
        let of_all = text
            .replace("`{}` uses", "the operations use")
            .replace("`{}` reads", "the operations read");
        Self { kind: Kind::Said(of_all), names: Vec::new() }
    }

    /// Whether another one can share its sentence. What speaks of a place has to speak of the same.
    fn is_alike(&self, span: Span, other: &Self, other_span: Span) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Apart(one, _), Kind::Apart(other, _)) | (Kind::Set(one), Kind::Set(other)) => {
                one == other && span == other_span
            }
            (Kind::Alone, Kind::Alone) => span == other_span,
            (Kind::Usual, _) => false,
            (one, other) => one == other,
        }
    }
}

/// Some assumptions, each sentence that is about no place of its own once; where there are more than a few,
/// those that are alike share a sentence, at the place of the first.
#[must_use]
pub fn grouped(assumptions: Vec<Assumption>) -> Vec<Assumption> {
    let mut each: Vec<Assumption> = Vec::new();
    for it in assumptions {
        let is_same = |other: &Assumption| {
            other.text == it.text && (!it.text.contains("{}") || other.span == it.span)
        };
        if !each.iter().any(is_same) {
            each.push(it);
        }
    }
    if each.len() <= FEW {
        return each;
    }
    let mut found: Vec<Vec<Assumption>> = Vec::new();
    for it in each {
        let is_alike = |group: &Vec<Assumption>| match (&it.topic, group.first()) {
            (Some(topic), Some(Assumption { topic: Some(of), span, .. })) => {
                topic.is_alike(it.span, of, *span)
            }
            _ => false,
        };
        match found.iter_mut().find(|group| is_alike(group)) {
            Some(group) => group.push(it),
            None => found.push(vec![it]),
        }
    }
    found.into_iter().filter_map(together).collect()
}

/// Several that are alike, in one sentence.
fn together(mut group: Vec<Assumption>) -> Option<Assumption> {
    if group.len() == 1 {
        return group.pop();
    }
    let mut elsewhere: Vec<Elsewhere> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for it in &group {
        let Some(topic) = &it.topic else { continue };
        if let Kind::Apart(_, of) = &topic.kind {
            add_new(&mut others, of);
        }
        add_new(&mut names, &topic.names);
        add_new(&mut elsewhere, &it.elsewhere);
    }
    elsewhere.truncate(MOST_NAMED);
    let first = group.into_iter().next()?;
    let kind = first.topic.as_ref()?.kind.clone();
    let text = match sentence(&kind, &names, &others) {
        Some(text) => text.into(),
        None => first.text,
    };
    Some(Assumption { text, elsewhere, span: first.span, topic: first.topic })
}

fn add_new<T: Clone + PartialEq>(all: &mut Vec<T>, more: &[T]) {
    for it in more {
        if !all.contains(it) {
            all.push(it.clone());
        }
    }
}

/// What is said of several names; none where the sentence about one of them says it all.
fn sentence(kind: &Kind, names: &[String], others: &[String]) -> Option<String> {
    let list = listed(names);
    if names.len() == 1 && !matches!(kind, Kind::Apart(..) | Kind::InVain) {
        return None;
    }
    Some(match kind {
        Kind::Initialised => format!("{list} are initialised before this function runs"),
        Kind::Unchanged => {
            format!("nothing changes {list}, which the operations read, in the meantime")
        }
        Kind::Converted => {
            format!("converting {list} to strings runs no code of their own and does not throw")
        }
        Kind::Said(text) | Kind::Left(text) => text.clone(),
        Kind::Apart(operation, _) => format!(
            "what `{{}}` writes ({list}) and what {operation} uses ({}) are not the same",
            listed(others)
        ),
        Kind::Set(operation) => {
            format!("{operation} does not depend on {list}, which `{{}}` sets")
        }
        Kind::Alone => alone(&list),
        Kind::Plain => {
            format!("{list} are plain data: reading and converting them runs no code")
        }
        Kind::Computes => {
            format!("{list}, of which nobody knows what they do, only compute")
        }
        Kind::Reads => {
            format!("{list} only read, as their names say, and may be under way at once")
        }
        Kind::Language | Kind::Usual => return None,
        Kind::Same => format!("{PUT} {list}, or has them run, {DOES_THE_SAME}"),
        Kind::Text => format!("{list} are strings"),
        Kind::Property => format!(
            "{list} are plain properties of objects that are there, and nothing changes them in the \
             meantime"
        ),
        Kind::InVain => {
            let read = if names.len() == 1 { "reads" } else { "read" };
            format!(
                "it does no harm that {list} {read} in vain where `{{}}` or another statement in \
                 between leaves, or fails"
            )
        }
        Kind::There => format!("{list} are there, so that their methods can be called"),
    })
}

/// That what `{}` calls alone holds objects that it gets itself; `list` is what it changes of them.
fn alone(list: &str) -> String {
    format!("`{{}}` alone holds the objects of which it changes {list}")
}

/// That a call alone holds an object that it gets itself, of which it changes the property that `keys` lead to.
pub(crate) fn alone_at(keys: &str, span: Span) -> Assumption {
    let name = format!("`{}`", keys.trim_start_matches('.'));
    Assumption::new(alone(&name), span).on(Topic::new(Kind::Alone, name))
}

/// "`a`, `b` and 3 more"
fn listed(names: &[String]) -> String {
    let named = if names.len() > MOST_NAMED { MOST_NAMED - 1 } else { names.len() };
    let (shown, rest) = names.split_at(named);
    let mut parts: Vec<String> = shown.to_vec();
    if !rest.is_empty() {
        parts.push(format!("{} more", rest.len()));
    }
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}
