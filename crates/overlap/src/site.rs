//! Operations that a statement starts and waits for at once.

use headstart_effects::{
    Assumption, Blocker, Code, Effects, FileAnalysis, Known, PlaceRoot, Resource, Stretch,
    SummaryLocation, Waiting, Which,
};
use headstart_ir::{
    DeclKind, Declarator, FileIr, FunctionId, Inst, InstId, Key, LoopKind, PatternShape, Span,
    Stmt, StmtKind,
};
use headstart_models::ResultKind;

use crate::gates::is_print;
use crate::guarded::Guard;
use crate::inferred::{ResultType, result_type};
use crate::log::{all_select, is_query, writes_lines};
use crate::whole::may_change_rows;
use crate::words::handled;

/// `await operation` that runs whenever its statement does, before any other suspension in it.
#[derive(Clone, Debug)]
pub(crate) struct Site<'p> {
    /// The first instruction of the operation.
    pub(crate) first: InstId,
    /// The operation: a call, or the import of a module.
    pub(crate) operation: InstId,
    /// The `await`.
    pub(crate) suspension: InstId,
    /// Awaits within the operation that a rewrite takes away.
    gone: Vec<InstId>,
    pub(crate) binding: Binding<'p>,
    /// What is called, for messages and for naming a promise: `readFile`.
    pub(crate) callee: String,
    /// What starting the operation does, and what it does until it ends; or why that is not known.
    pub(crate) stretch: Result<Stretch, Blocker>,
    /// Where the type of its result comes from.
    pub(crate) result_type: ResultType,
    /// Whether nothing has started before somebody waits for it: a query that is built first.
    pub(crate) is_lazy: bool,
    /// Whether queries of it that the program puts together only select, whatever is put into them.
    selects: bool,
    /// Why the operation cannot start earlier than where it stands, whatever is before it.
    pub(crate) fixed: Option<Blocker>,
    /// What decides whether it starts, where it does so only sometimes.
    pub(crate) guard: Option<Guard>,
    /// Whether it may throw before there is a promise, which has to be handled where it is waited for.
    pub(crate) is_caught: bool,
    /// Operations that start right before it, and are waited for with it: those in front of it in one array.
    pub(crate) before: Vec<Site<'p>>,
    /// What else it takes for granted where it starts before its statement.
    granted: Vec<Assumption>,
}

/// What of an operation gets another place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moves {
    /// Its start, and perhaps its await. Rows that it changes are asked where it meets others.
    Whole,
    /// The same, with what decides whether it starts.
    Guarded,
    /// Its start, before the turns of a loop that stand before its own: it is waited for where it was, and what
    /// it writes is asked there.
    Start,
}

/// Where the result of an operation goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Binding<'p> {
    /// `const pattern = await operation`, and nothing else.
    Declared(DeclKind, &'p Declarator),
    /// `await operation`, and nothing else.
    Unused,
    /// Anywhere else.
    Within,
}

impl Binding<'_> {
    /// Whether the result goes anywhere.
    pub(crate) fn is_used(self) -> bool {
        !matches!(self, Self::Unused)
    }
}

impl Site<'_> {
    /// Whether a comment stands between `await` and the operation, and goes where the operation takes the place of
    /// both, or a name does.
    pub(crate) fn loses_comment(&self, ir: &FileIr) -> bool {
        let (all, kept) = (ir.span(self.suspension), ir.span(self.operation));
        ir.comments.iter().any(|&it| all.contains(it) && !kept.contains(it))
    }

    /// Takes in what stands before the operation, from the instruction `first` on.
    pub(crate) fn widen(&mut self, analysis: &FileAnalysis<'_>, first: InstId, known: &Known) {
        self.first = first;
        if self.stretch.is_ok() {
            self.stretch = self.stretch_with(analysis, known);
        }
    }

    /// The same where what it throws on purpose, before there is a promise, becomes a rejection of one: that fails where it
    /// is waited for, as before. None where it throws nothing on purpose.
    pub(crate) fn catching(&self, analysis: &FileAnalysis<'_>, known: &Known) -> Option<Self> {
        let throws = |it: &Blocker| it.reason.code == Code::MayThrowFirst;
        self.stretch.as_ref().err().filter(|it| throws(it))?;
        let mut caught = Self { is_caught: true, ..self.clone() };
        caught.stretch = caught.stretch_with(analysis, known);
        let selects = |it: &Stretch| all_select(analysis, caught.operation, &it.effects);
        caught.selects = caught.stretch.as_ref().is_ok_and(selects);
        Some(caught)
    }

    /// What starting the operation does where `known` is certain.
    pub(crate) fn stretch_with(
        &self,
        analysis: &FileAnalysis<'_>,
        known: &Known,
    ) -> Result<Stretch, Blocker> {
        let range = (self.first, self.operation);
        let mut found = stretch_of(analysis, range, self.suspension, &self.gone, known)?;
        if self.is_caught {
            let is_other = |it: &Assumption| {
                !matches!(
                    it.reason.code,
                    Code::DoesNotThrow
                        | Code::HolderIsThere
                        | Code::TakesWhatItIsGiven
                        | Code::ThrowsNothingFirst
                )
            };
            found.assumptions.retain(is_other);
        } else {
            found = found.settled()?;
        }
        found.assumptions.extend(self.granted.iter().cloned());
        Ok(found)
    }

    /// The same with others that start right before it, which takes something else for granted where it starts before
    /// its statement.
    pub(crate) fn behind(
        mut self,
        analysis: &FileAnalysis<'_>,
        before: Vec<Self>,
        granted: Vec<Assumption>,
        known: &Known,
    ) -> Self {
        self.first = before.first().map_or(self.first, |it| it.first);
        self.before = before;
        self.granted = granted;
        self.stretch = self.stretch_with(analysis, known);
        self
    }

    /// Why it cannot start earlier than where it stands, whatever is before it.
    pub(crate) fn why_fixed(&self, analysis: &FileAnalysis<'_>, moves: Moves) -> Option<Blocker> {
        let span = analysis.ir.span(self.operation);
        let stretch = match &self.stretch {
            Ok(stretch) => stretch,
            Err(blocker) => return Some(blocker.clone()),
        };
        let may_write = match moves {
            Moves::Start => true,
            // What a statement writes has an order.
            Moves::Whole => {
                let at = analysis.at(self.operation);
                let summaries = analysis.summaries;
                !summaries.sends_statement(at) && may_change_rows(summaries, at)
            }
            Moves::Guarded => false,
        };
        if let Some(blocker) =
            not_settling(analysis, stretch, self.operation, self.selects, may_write)
        {
            return Some(blocker);
        }
        let is_required = analysis.ir.requires_imports
            && matches!(analysis.ir.inst(self.operation), Inst::DynamicImport { .. });
        if is_required || analysis.summaries.waits_once_only(analysis.at(self.operation)) {
            return Some(Blocker::new(Code::WaitsForNothing.with(&[&self.callee]), span));
        }
        let owns = self.owns_receiver(analysis);
        let is_movable = |it: &&SummaryLocation| match it {
            SummaryLocation::Resource(Resource::File | Resource::Network | Resource::Log, _) => {
                true
            }
            SummaryLocation::Memory(place) => owns && matches!(place.root, PlaceRoot::Made(_)),
            SummaryLocation::Resource(Resource::Connection | Resource::Storage, _) if may_write => {
                true
            }
            SummaryLocation::Resource(..) => self.selects && is_query(it),
        };
        // What it makes itself goes where it goes: `got(url).json()`.
        let is_own =
            |it: &&SummaryLocation| analysis.is_made_within(it, (self.first, self.operation));
        let is_movable =
            |it: &&SummaryLocation| is_movable(it) || is_own(it) || analysis.is_set_once(it);
        if let Some(written) = stretch.effects.writes.iter().find(|it| !is_movable(it)) {
            let what = location_text(analysis, written);
            return Some(Blocker::new(Code::WriteOrder.with(&[&what]), span));
        }
        let at = analysis.at(self.operation);
        if analysis.summaries.never_returns(at) {
            return Some(Blocker::new(Code::AlwaysThrows, span));
        }
        if takes_input(&stretch.effects) {
            return Some(Blocker::new(Code::InputOrder, span));
        }
        if is_print(&self.callee) && writes_lines(&stretch.effects) {
            return Some(Blocker::new(Code::WriteOrder.with(&["what it prints"]), span));
        }
        let is_none = |it: &SummaryLocation| it.is_log() || (self.selects && is_query(it));
        let is_check = moves != Moves::Start && self.is_check(analysis);
        if stretch.effects.writes.iter().all(is_none) && is_check {
            return Some(Blocker::new(Code::OnlyChecks, analysis.ir.span(self.suspension)));
        }
        // What gives the promise may be no call: its type cannot be written there.
        let is_behind_more = moves == Moves::Start || self.guard.is_some();
        let inferred = match self.result_type {
            ResultType::Operation => None,
            ResultType::Annotation if !is_behind_more => None,
            ResultType::Annotation | ResultType::Place => Some(Code::TypeFromPlace),
            ResultType::Loop => Some(Code::TypeFromLoop),
        };
        if let Some(code) = inferred {
            return Some(Blocker::new(code, span));
        }
        if !does_io(analysis, self) {
            return Some(Blocker::new(Code::WaitsForNothingOutside, span));
        }
        None
    }

    /// Whether it is a method of an object that only this function has: what the call does to that,
    /// nobody else sees.
    fn owns_receiver(&self, analysis: &FileAnalysis<'_>) -> bool {
        match analysis.ir.inst(self.operation) {
            Inst::CallMethod { object, .. } => analysis.is_own_receiver(object),
            _ => false,
        }
    }

    /// Whether it changes nothing that anyone else can see, lines of a log aside, and may have another
    /// place.
    pub(crate) fn only_reads(&self) -> bool {
        self.writes_nothing() && self.fixed.is_none()
    }

    /// Whether it is known to change something that others can see, lines of a log aside.
    pub(crate) fn changes_outside(&self) -> bool {
        self.stretch.is_ok() && !self.writes_nothing()
    }

    /// Whether it changes nothing that anyone else can see, lines of a log aside.
    pub(crate) fn writes_nothing(&self) -> bool {
        let is_own = |it: &SummaryLocation| {
            let is_none = it.is_log() || (self.selects && is_query(it));
            matches!(it, SummaryLocation::Memory(_)) || is_none
        };
        self.stretch.as_ref().is_ok_and(|it| it.effects.writes.iter().all(is_own))
    }

    /// Whether nobody looks at the result: what follows relies on its success.
    pub(crate) fn is_check(&self, analysis: &FileAnalysis<'_>) -> bool {
        let gives_nothing = analysis.fulfilment(self.operation) == Some(ResultKind::Undefined);
        match self.binding {
            Binding::Unused => true,
            Binding::Declared(_, declarator) => match declarator.shape {
                PatternShape::Name(var) => gives_nothing || !analysis.ir.variable(var).is_read,
                _ => gives_nothing,
            },
            Binding::Within => gives_nothing,
        }
    }
}

fn not_settling(
    analysis: &FileAnalysis<'_>,
    stretch: &Stretch,
    operation: InstId,
    selects: bool,
    may_write: bool,
) -> Option<Blocker> {
    let worst = stretch.started.iter().max_by_key(|it| it.1);
    let Some(&(at, waiting)) = worst else {
        let is_unknown = analysis.summaries.gives_unknown(analysis.at(operation));
        let code = if is_unknown { Code::PerhapsNoPromise } else { Code::NoPromise };
        return Some(Blocker::new(code, analysis.ir.span(operation)));
    };
    let is_command =
        |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(_, Which::Unless(_)));
    // A query that reads is answered.
    let is_answered = waiting == Waiting::AnswersToReading
        && (selects || may_write)
        && !stretch.effects.writes.iter().any(is_command);
    let span = analysis.ir.span(at);
    let cause = analysis.decorated(at).filter(|_| waiting == Waiting::Unknown);
    why_unclear(analysis, waiting, at).filter(|_| !is_answered).map(|code| match cause {
        Some(cause) => Blocker::new(Code::WaitsForDecorated.with(&[&cause]), span),
        None => Blocker::new(code, span),
    })
}

/// Why the wait for a call is not understood.
pub(crate) fn why_unclear(
    analysis: &FileAnalysis<'_>,
    waiting: Waiting,
    call: InstId,
) -> Option<Code> {
    let is_statement = analysis.summaries.sends_statement(analysis.at(call));
    match waiting {
        Waiting::AnswersToReading | Waiting::Waits if is_statement => Some(Code::MayWrite),
        _ => unclear(waiting),
    }
}

/// Why a wait is not understood.
fn unclear(waiting: Waiting) -> Option<Code> {
    match waiting {
        Waiting::Settles | Waiting::Answers | Waiting::Repeats => None,
        Waiting::AnswersToReading | Waiting::Waits => Some(Code::WaitsForTheProgram),
        Waiting::Unknown => Some(Code::WaitsForUnknown),
    }
}

/// Whether an operation takes time that another could use.
pub(crate) fn does_io(analysis: &FileAnalysis<'_>, site: &Site<'_>) -> bool {
    let Ok(stretch) = &site.stretch else { return false };
    touches_outside(&stretch.effects)
        || stretch.started.iter().any(|&(call, _)| {
            analysis.operation(call, &Known::default()).is_ok_and(|it| it.settles())
        })
}

/// Whether something outside the program is read or written, which takes time.
pub(crate) fn touches_outside(effects: &Effects) -> bool {
    effects.reads.iter().chain(&effects.writes).any(|it| match it {
        SummaryLocation::Resource(kind, _) => is_outside(*kind),
        SummaryLocation::Memory(_) => false,
    })
}

/// Whether a resource lies outside the program, where others may use it.
pub(crate) fn is_outside(kind: Resource) -> bool {
    matches!(
        kind,
        Resource::File
            | Resource::Handle
            | Resource::Network
            | Resource::Process
            | Resource::Connection
            | Resource::Storage
            | Resource::Outside
    )
}

/// Whether what comes in is taken: standard input, a file that reading consumes or that changes by
/// itself.
pub(crate) fn takes_input(effects: &Effects) -> bool {
    reads(effects, Resource::Input) || effects.reads.iter().any(SummaryLocation::is_input)
}

pub(crate) fn reads(effects: &Effects, kind: Resource) -> bool {
    effects.reads.iter().any(|it| matches!(it, SummaryLocation::Resource(it, _) if *it == kind))
}

/// The site of a statement: its first suspension, where that is an `await` that always runs.
pub(crate) fn site<'p>(
    analysis: &FileAnalysis<'p>,
    stmt: &'p Stmt,
    known: &Known,
) -> Option<Site<'p>> {
    let first = *suspensions(analysis.ir, stmt).first()?;
    site_at(analysis, stmt, first, known)
}

/// All awaits of a statement that always run, where each is a site.
pub(crate) fn sites<'p>(
    analysis: &FileAnalysis<'p>,
    stmt: &'p Stmt,
    known: &Known,
) -> Vec<Site<'p>> {
    sites_at(analysis, stmt, &suspensions(analysis.ir, stmt), known)
}

/// Some awaits of a statement, where each is a site.
pub(crate) fn sites_at<'p>(
    analysis: &FileAnalysis<'p>,
    stmt: &'p Stmt,
    awaits: &[InstId],
    known: &Known,
) -> Vec<Site<'p>> {
    let found: Option<Vec<Site<'p>>> =
        awaits.iter().map(|&at| site_at(analysis, stmt, at, known)).collect();
    found.unwrap_or_default()
}

/// The site of an `await`.
pub(crate) fn site_at<'p>(
    analysis: &FileAnalysis<'p>,
    stmt: &'p Stmt,
    suspension: InstId,
    known: &Known,
) -> Option<Site<'p>> {
    site_without(analysis, stmt, suspension, known, &[])
}

/// The site of an `await`, as it is when others within its operation are gone.
pub(crate) fn site_without<'p>(
    analysis: &FileAnalysis<'p>,
    stmt: &'p Stmt,
    suspension: InstId,
    known: &Known,
    gone: &[InstId],
) -> Option<Site<'p>> {
    let Inst::Await(operation) = analysis.ir.inst(suspension) else { return None };
    site_of(analysis, stmt, (suspension, operation), known, gone)
}

/// The site of an operation that an `await` waits for, perhaps among others.
pub(crate) fn site_of<'p>(
    analysis: &FileAnalysis<'p>,
    stmt: &'p Stmt,
    (suspension, operation): (InstId, InstId),
    known: &Known,
    gone: &[InstId],
) -> Option<Site<'p>> {
    let ir = analysis.ir;
    let is_whole = ir.inst(suspension) == Inst::Await(operation);
    let callee = match ir.inst(handled(ir, operation)) {
        Inst::Call { callee, .. } => name_of(ir, callee),
        Inst::CallMethod { object, method, .. } => combined_name(ir, object, method),
        Inst::DynamicImport { .. } => "module".to_owned(),
        _ => return None,
    };
    let span = ir.span(operation);
    let mut first = operation;
    while let Some(before) = first.index().checked_sub(1).map(InstId::new)
        && before >= stmt.first
        && span.contains(ir.span(before))
    {
        first = before;
    }
    let end = InstId::new(operation.index() + 1);
    let stretch = match waiting_closure(ir, first, end) {
        Some(span) => Err(Blocker::new(Code::WaitsWithin, span)),
        None => stretch_of(analysis, (first, operation), suspension, gone, known)
            .and_then(Stretch::settled),
    };
    let binding = if is_whole { binding(stmt, suspension, first) } else { Binding::Within };
    let callee = bound_name(ir, stmt, suspension).filter(|_| is_whole).unwrap_or(callee);
    let mut site = Site {
        first,
        operation,
        suspension,
        gone: gone.to_vec(),
        binding,
        callee,
        result_type: result_type(analysis, stmt, (first, operation), binding),
        is_lazy: analysis.is_lazy(operation),
        selects: stretch.as_ref().is_ok_and(|it| all_select(analysis, operation, &it.effects)),
        stretch,
        fixed: None,
        guard: None,
        is_caught: false,
        before: Vec::new(),
        granted: Vec::new(),
    };
    site.fixed = site.why_fixed(analysis, Moves::Whole);
    Some(site)
}

fn stretch_of(
    analysis: &FileAnalysis<'_>,
    (first, operation): (InstId, InstId),
    suspension: InstId,
    gone: &[InstId],
    known: &Known,
) -> Result<Stretch, Blocker> {
    let end = InstId::new(operation.index() + 1);
    let rest = FileIr::range(first, end).filter(|it| !gone.contains(it));
    let mut stretch = analysis.stretch_that_throws(rest, first, known)?;
    analysis.wait_within(operation, suspension, &mut stretch);
    Ok(stretch)
}

fn binding(stmt: &Stmt, suspension: InstId, first: InstId) -> Binding<'_> {
    match &stmt.kind {
        StmtKind::Expression { value }
            if *value == suspension && stmt.end.index() == suspension.index() + 1 =>
        {
            Binding::Unused
        }
        StmtKind::Declaration { kind, declarators, is_exported: false } => {
            match declarators.as_ref() {
                [declarator]
                    if declarator.value == Some(suspension)
                        && declarator.is_plain_await
                        && declarator.shape != PatternShape::Complex
                        && matches!(kind, DeclKind::Const | DeclKind::Let | DeclKind::Var)
                        && first == stmt.first =>
                {
                    Binding::Declared(*kind, declarator)
                }
                _ => Binding::Within,
            }
        }
        _ => Binding::Within,
    }
}

/// The one name that a statement declares, or that gets the result.
fn bound_name(ir: &FileIr, stmt: &Stmt, suspension: InstId) -> Option<String> {
    let var = match &stmt.kind {
        StmtKind::Declaration { declarators, .. } => match declarators.as_ref() {
            [Declarator { shape: PatternShape::Name(var), .. }] => *var,
            _ => return None,
        },
        _ => match ir.inst(InstId::new(suspension.index() + 1)) {
            Inst::StoreVar { var, value } if value == suspension => var,
            _ => return None,
        },
    };
    Some(ir.name(ir.variable(var).name).to_owned())
}

/// The suspensions of a statement, in order, up to where it runs only sometimes or again and again.
pub(crate) fn suspensions(ir: &FileIr, stmt: &Stmt) -> Vec<InstId> {
    if matches!(stmt.kind, StmtKind::Block(_) | StmtKind::Try(_)) {
        return Vec::new();
    }
    let is_disposing = matches!(stmt.kind, StmtKind::Declaration { kind, .. }
        if matches!(kind, DeclKind::Using | DeclKind::AwaitUsing));
    let is_repeated = matches!(stmt.kind, StmtKind::Loop { kind, .. } if kind != LoopKind::ForOf);
    if is_disposing || is_repeated {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut next = stmt.first;
    while next < stmt.end {
        let inst = ir.inst(next);
        if inst.is_suspend_point() {
            found.push(next);
        }
        next = match inst {
            Inst::Conditional { end, .. } => {
                // What runs only sometimes, and waits, is a suspension of its own kind.
                if FileIr::range(next, end.min(stmt.end)).any(|id| ir.inst(id).is_suspend_point()) {
                    break;
                }
                end
            }
            _ => InstId::new(next.index() + 1),
        };
    }
    found
}

/// A closure that waits, among some instructions: it is a place for findings of its own.
fn waiting_closure(ir: &FileIr, first: InstId, end: InstId) -> Option<Span> {
    FileIr::range(first, end).find_map(|id| match ir.inst(id) {
        Inst::Closure(function) if waits(ir, function) => Some(ir.span(id)),
        _ => None,
    })
}

fn waits(ir: &FileIr, function: FunctionId) -> bool {
    let span = ir.function(function).span;
    ir.functions.iter().any(|it| it.suspend_points > 1 && span.contains(it.span))
}

/// `readFile` of `fs.readFile`.
pub(crate) fn name_of(ir: &FileIr, callee: InstId) -> String {
    match ir.inst(callee) {
        Inst::LoadVar(var) => ir.name(ir.variable(var).name).to_owned(),
        Inst::LoadGlobal(name) => ir.name(name).to_owned(),
        Inst::Get { key, .. } => match key.get() {
            Key::Name(name) | Key::Private(name) => {
                ir.name(name).trim_start_matches('#').to_owned()
            }
            Key::Computed(_) => "result".to_owned(),
        },
        _ => "result".to_owned(),
    }
}

/// The name of what a call calls; empty where it is no call.
pub(crate) fn called_name(ir: &FileIr, call: InstId) -> String {
    match ir.inst(call) {
        Inst::Call { callee, .. } => name_of(ir, callee),
        Inst::CallMethod { method, .. } => name_of(ir, method),
        _ => String::new(),
    }
}

/// The calls of methods that a function is handed to where it is made: the call, the name of the method, the position.
pub(crate) fn handed_to(
    ir: &FileIr,
    function: FunctionId,
) -> impl Iterator<Item = (InstId, String, usize)> {
    let parent = ir.function(function).parent.map(|it| ir.function(it));
    let body = parent.into_iter().flat_map(|it| FileIr::range(it.first, it.end));
    body.filter_map(move |id| {
        let Inst::CallMethod { method, args, .. } = ir.inst(id) else { return None };
        let is_it = |it: &InstId| ir.inst(*it) == Inst::Closure(function);
        let position = ir.args(args).iter().position(is_it)?;
        Some((id, name_of(ir, method), position))
    })
}

/// The name of a method; what it is about for one that only puts promises together.
fn combined_name(ir: &FileIr, object: InstId, method: InstId) -> String {
    let name = name_of(ir, method);
    let is_promise = matches!(ir.inst(object), Inst::LoadGlobal(it) if ir.name(it) == "Promise");
    if is_promise || !is_identifier(&name) { "results".to_owned() } else { name }
}

/// Whether a text has the form of a plain name (ECMA-262, 12.7).
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|it| it.is_ascii_alphabetic() || it == '_' || it == '$')
        && letters.all(|it| it.is_ascii_alphanumeric() || it == '_' || it == '$')
}

/// A location as a person would write it.
pub(crate) fn location_text(analysis: &FileAnalysis<'_>, location: &SummaryLocation) -> String {
    match location {
        SummaryLocation::Memory(place) => {
            format!("`{}`", headstart_effects::place_text(analysis.summaries, place))
        }
        SummaryLocation::Resource(kind, which) => {
            let what = resource_text(*kind);
            match which {
                headstart_effects::Which::Named(name)
                    if !matches!(kind, Resource::Connection | Resource::Log) =>
                {
                    format!("{what} `{name}`")
                }
                _ => what.to_owned(),
            }
        }
    }
}

fn resource_text(kind: Resource) -> &'static str {
    match kind {
        Resource::File => "files",
        Resource::Handle => "what is open behind a handle",
        Resource::Network => "the network",
        Resource::Process => "other processes",
        Resource::Connection => "what it is connected to",
        Resource::Storage => "what the browser stores",
        Resource::Clock => "the clock",
        Resource::Randomness => "randomness",
        Resource::Environment => "the environment",
        Resource::WorkingDirectory => "the working directory",
        Resource::Input => "standard input",
        Resource::Output => "what the user sees",
        Resource::Log => "the log",
        Resource::Outside => "something outside the program",
        Resource::Timers => "timers",
        Resource::ProcessState => "the process itself",
        Resource::ModuleState => "a module's own state",
        Resource::Index | Resource::IndexRefresh => "the index of the repository",
    }
}
