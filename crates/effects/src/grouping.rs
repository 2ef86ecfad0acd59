//! Many assumptions, told in few sentences: nobody reads twenty lines that say the same of twenty names.

use headstart_ir::Span;

use crate::location::{Assumption, Elsewhere};
use crate::reasons::{Code, Reason};

/// So many are told one by one.
const FEW: usize = 3;
/// So many names stand in a sentence, and places behind it; the others are counted.
const MOST_NAMED: usize = 3;

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
    Said(Reason),
    /// The same, of what nearly always holds: that code which gets hold of an object leaves it as it is.
    Left(Reason),
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
    /// The same, as the query says that it is handed.
    Selects,
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
            | Kind::Selects
            | Kind::InVain => false,
        }
    }

    /// What nearly always holds, and shares its sentence with nothing.
    #[must_use]
    pub(crate) fn usual() -> Self {
        Self { kind: Kind::Usual, names: Vec::new() }
    }

    /// What is said of one operation, said of several.
    #[must_use]
    pub fn said(reason: &Reason) -> Self {
        Self { kind: Kind::Said(of_several(reason)), names: Vec::new() }
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
            other.reason == it.reason && (!it.reason.code.is_about_place() || other.span == it.span)
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
    let reason = sentence(&kind, &names, &others).unwrap_or(first.reason);
    Some(Assumption { reason, elsewhere, span: first.span, topic: first.topic })
}

fn add_new<T: Clone + PartialEq>(all: &mut Vec<T>, more: &[T]) {
    for it in more {
        if !all.contains(it) {
            all.push(it.clone());
        }
    }
}

/// What is said of one operation, as it is said of several.
fn of_several(reason: &Reason) -> Reason {
    let code = match reason.code {
        Code::ClientRunsNoCode => Code::SeveralClientsRunNoCode,
        Code::NobodyReachesIntoClient => Code::NobodyReachesIntoSeveral,
        Code::AroundItOnlyLooksOn => Code::AroundSeveralOnlyLooksOn,
        Code::CleanupWritesNone => Code::SeveralCleanupWritesNone,
        Code::UnknownCleanupWritesNone => Code::SeveralUnknownCleanupWritesNone,
        other => other,
    };
    reason.as_said_by(code)
}

/// What is said of several names; none where the sentence about one of them says it all.
fn sentence(kind: &Kind, names: &[String], others: &[String]) -> Option<Reason> {
    let list = listed(names);
    if names.len() == 1 && !matches!(kind, Kind::Apart(..) | Kind::InVain) {
        return None;
    }
    let code = match kind {
        Kind::Said(reason) | Kind::Left(reason) => return Some(reason.clone()),
        Kind::Apart(operation, _) => {
            return Some(Code::SeveralNotTheSame.with(&[&list, operation, &listed(others)]));
        }
        Kind::Set(operation) => {
            return Some(Code::DoesNotDependOnWhatIsSet.with(&[operation, &list]));
        }
        Kind::Language | Kind::Usual => return None,
        Kind::Initialised => Code::SeveralInitialised,
        Kind::Unchanged => Code::SeveralUnchanged,
        Kind::Converted => Code::SeveralToStringRunNoCode,
        Kind::Alone => Code::HoldsItAlone,
        Kind::Plain => Code::SeveralPlainData,
        Kind::Computes => Code::SeveralUnknownOnlyCompute,
        Kind::Reads => Code::SeveralOnlyReadByName,
        Kind::Selects => Code::SeveralOnlyReadByQuery,
        Kind::Same => Code::SeveralReplacedDoTheSame,
        Kind::Text => Code::SeveralAreStrings,
        Kind::Property => Code::SeveralPlainProperties,
        Kind::InVain if names.len() == 1 => Code::ReadInVainOnTheWay,
        Kind::InVain => Code::SeveralReadInVain,
        Kind::There => Code::SeveralMethodHoldersAreThere,
    };
    Some(code.with(&[&list]))
}

/// That a call alone holds an object that it gets itself, of which it changes the property that `keys` lead to.
pub(crate) fn alone_at(keys: &str, span: Span) -> Assumption {
    let shown = if keys.is_empty() { "[…]" } else { keys.trim_start_matches('.') };
    let name = format!("`{shown}`");
    Assumption::new(Code::HoldsItAlone.with(&[&name]), span).on(Topic::new(Kind::Alone, name))
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
