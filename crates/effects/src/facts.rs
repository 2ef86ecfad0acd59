//! What only the whole program shows.

use std::sync::OnceLock;

use headstart_callgraph::{CallGraph, Hooked, InstRef, Replacement, is_global_object};
use headstart_ir::order;
use headstart_ir::{
    ExportSource, FileIr, Import, Imported, Inst, InstId, Key, Literal, NameId, RequestId,
    RequestKind, Resolution, Span, VarId,
};
use headstart_models::{Models, Module, globals_replaced_by};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashSet;

use crate::answers::Answers;
use crate::api::{Api, FileNames, GLOBALS};
use crate::bent::first_bent;
use crate::call::{callee_of, row_for};
use crate::called_by_natives::first_called_by_natives;
use crate::doubts;
use crate::environment::first_set;
use crate::links::first_link;
use crate::location::Elsewhere;
use crate::named_inputs::first_named_input;
use crate::one_program::Places;
use crate::sights::Sights;
use crate::sql_sessions::first_of_session;
use crate::summary::{Doubt, Grant, OpenHook, fit};
use crate::unread::Unread;
use crate::unseen::first_unseen;

/// How a program says that an emitter hands what listeners reject with to other listeners
/// (documentation of Node, "Capture rejections of promises").
const CAPTURING: [&str; 3] = ["captureRejections", "captureRejectionSymbol", "nodejs.rejection"];

/// Facts about the whole program that decide whether models hold and what is initialised when.
#[derive(Debug, Default)]
pub struct ProgramFacts {
    /// Whether any file so much as mentions `chdir`.
    pub changes_working_directory: bool,
    /// Whether any file so much as mentions that emitters take care of rejected listeners.
    pub captures_rejections: bool,
    /// Members of modelled modules that the program itself assigns, or may: `("fs/promises",
    /// "readFile")`, or `"*"` for any of them. Their models hold only if what is put there does the same.
    pub patched: FxHashSet<(String, String)>,
    /// Where that happens, each member once.
    pub patches: Vec<Patch>,
    /// What a person says that functions of the program do.
    pub(crate) answers: Answers,
    /// What runs have shown of its awaits.
    pub(crate) sights: Sights,
    /// Clients that may have been given code which their operations run.
    pub(crate) open_hooks: Vec<OpenHook>,
    /// Where in that list begins what unknown code has been handed.
    pub(crate) first_handed: usize,
    /// For each file, whether it imports itself through others: then its functions may run before
    /// its own top level has.
    in_cycle: Vec<bool>,
    /// What cannot be read of the programs that each file is a part of.
    unread: Unread,
    unseen: OnceLock<Places>,
    bent: OnceLock<Places>,
    /// Where links are made.
    links: OnceLock<Places>,
    /// Where methods change something that natives call.
    called_by_natives: OnceLock<Places>,
    /// Where files are named that reading consumes.
    inputs: OnceLock<Places>,
    /// Where the environment is set.
    environment: OnceLock<Places>,
    sessions: OnceLock<Places>,
    /// Import bindings, by file, whose value may change: the exporting file assigns it again.
    live_imports: FxHashSet<(usize, VarId)>,
}

/// A place where members of a modelled module may be replaced.
#[derive(Clone, Debug)]
pub struct Patch {
    /// The file, by its index in the program.
    pub file: usize,
    /// Where in it.
    place: Place,
    /// The module.
    pub module: String,
}

/// A place in a file.
#[derive(Clone, Copy, Debug)]
enum Place {
    Inst(InstId),
    Span(Span),
}

impl Patch {
    /// The place in its file.
    #[must_use]
    pub fn span(&self, ir: &FileIr) -> Span {
        match self.place {
            Place::Inst(inst) => ir.span(inst),
            Place::Span(span) => span,
        }
    }
}

impl ProgramFacts {
    /// Collects the facts from the files of a program, given in the order of their ids.
    #[must_use]
    pub fn collect(files: &[&FileIr], models: &Models) -> Self {
        let mut facts = Self {
            in_cycle: import_cycles(files),
            unread: Unread::of(files, models),
            live_imports: live_imports(files),
            ..Self::default()
        };
        let none = Self::default();
        for (index, ir) in files.iter().enumerate() {
            facts.changes_working_directory |= mentions(ir, "chdir");
            facts.captures_rejections |= CAPTURING.iter().any(|it| mentions(ir, it));
            if mentions(ir, "prepareStackTrace") {
                facts.patched.insert((GLOBALS.to_owned(), "captureStackTrace".to_owned()));
            }
            let names = FileNames::new(index, ir, models, &none);
            collect_patches(&names, models, &mut facts);
            doubts::collect(&names, models, &mut facts.open_hooks);
            collect_replacing_packages(index, ir, &mut facts);
            collect_mocks(index, ir, models, &mut facts);
        }
        let servers = || (0u32..).zip(files).find_map(|(file, ir)| Some((file, server(ir)?)));
        if let Some((file, inst)) = servers() {
            let at = InstRef { file, inst };
            facts.open_hooks.push(OpenHook {
                doubt: Doubt::Server,
                module: "http".to_owned(),
                member: None,
                at,
            });
        }
        facts
    }

    /// Takes in what the call graph shows: members that are replaced through other names, and code of
    /// the program that gets into operations.
    pub(crate) fn learn(&mut self, graph: &CallGraph<'_>, models: &Models) {
        // Of several places the first is named.
        let mut replacements = graph.replacements();
        order::sort_by_key(&mut replacements, |it| it.at);
        for replacement in &replacements {
            self.learn_replacement(replacement, models);
        }
        let mut hooked = graph.hooked();
        order::sort_by_key(&mut hooked, |it| it.at);
        for hooked in &hooked {
            self.learn_hooked(hooked);
        }
        if let Some(at) = graph.handed_globals() {
            let (doubt, module) = (Doubt::Replaced, GLOBALS.to_owned());
            self.open_hooks.push(OpenHook { doubt, module, member: None, at });
        }
        self.first_handed = self.open_hooks.len();
        self.open_hooks.extend(graph.handed().iter().map(|it| OpenHook {
            doubt: Doubt::InOtherHands(it.how),
            module: it.by.clone(),
            member: Some(it.of.to_owned()).filter(|it| !it.is_empty()),
            at: it.at,
        }));
    }

    fn learn_replacement(&mut self, replacement: &Replacement<'_>, models: &Models) {
        let at = replacement.at.filter(|it| it.file != u32::MAX);
        let at = at.map(|it| (it.file as usize, it.inst));
        let Replacement { module, path, name, .. } = replacement;
        if replacement.is_of_type {
            let name = path.first().copied().or(*name).unwrap_or("*");
            return self.patch_named(module, name, at);
        }
        // `window.fetch` is `fetch`.
        let is_global = *module == GLOBALS;
        let is_way = |it: &&&str| is_global && is_global_object(it);
        let path: Vec<&str> = path.iter().skip_while(is_way).copied().collect();
        let api = Api { specifier: module, path };
        self.patch_member(&api, *name, at, models);
    }

    fn learn_hooked(&mut self, hooked: &Hooked<'_>) {
        let observes = hooked.hooks.is_some_and(|it| it.observes);
        if let (true, Some(at)) = (hooked.is_open || observes, hooked.at) {
            let module = hooked.module.module.clone();
            // Of several places the first is named.
            let doubt = match hooked.hooks {
                _ if observes && !hooked.is_open => Doubt::Observed,
                Some(_) => Doubt::Handed,
                None => Doubt::Options,
            };
            let is_it = |it: &OpenHook| it.doubt == doubt && it.module == module;
            if !self.open_hooks.iter().any(is_it) {
                self.open_hooks.push(OpenHook { doubt, module, member: None, at });
            }
            return;
        }
        let at = hooked.at.map(|it| (it.file as usize, it.inst));
        let of = hooked.hooks.map(|it| it.of.as_slice()).unwrap_or_default();
        if of.is_empty() {
            self.patch_named(&hooked.module.module, "*", at);
        }
        for target in of {
            let (module, name) = target.split_once('#').unwrap_or((target, "*"));
            self.patch_named(module, name, at);
        }
    }

    /// Notes that a member of a module is not what its model says.
    fn patch_named(&mut self, module: &str, name: &str, at: Option<(usize, InstId)>) {
        if !self.patched.insert((module.to_owned(), name.to_owned())) {
            return;
        }
        if let Some((file, inst)) = at {
            let patch = Patch { file, place: Place::Inst(inst), module: module.to_owned() };
            self.patches.push(patch);
        }
    }

    /// Notes that a member of what `api` is, or any where none is named, is not what a model says.
    fn patch_member(
        &mut self,
        api: &Api<'_>,
        name: Option<&str>,
        at: Option<(usize, InstId)>,
        models: &Models,
    ) {
        let below: Vec<&str> = api.path.iter().copied().chain(name).collect();
        // A whole module that it holds may be replaced.
        for module in models.modules_within(api.specifier, &below) {
            self.patch_named(&module.module, "*", at);
        }
        // The module that it is part of: `Promise.all` is part of the globals.
        let modules = (0..=api.path.len()).rev();
        let mut modules = modules.filter_map(|end| {
            models.module(api.specifier, api.path.get(..end)?).map(|module| (end, module))
        });
        let Some((end, module)) = modules.next() else { return };
        let inner = api.path.get(end..).unwrap_or_default();
        let Some(name) = name else {
            let name = inner.last().copied().unwrap_or("*");
            return self.patch_named(&module.module, name, at);
        };
        // A row that says nothing cannot be wrong: `process.exitCode = 1`.
        let row = models.member(api.specifier, &below).map(|(_, row)| row);
        // Of some functions of the language more is known than their rows say.
        let is_language = module.module == GLOBALS && !inner.is_empty();
        if row.is_some_and(|row| !row.anything || is_language) {
            self.patch_named(&module.module, name, at);
        }
    }

    /// Whether the program puts something in the place of a member of a module, by its path, or may.
    pub(crate) fn is_patched(&self, module: &str, path: &[&str]) -> bool {
        let has = |name: &str| self.patched.contains(&(module.to_owned(), name.to_owned()));
        !self.patched.is_empty() && (has("*") || path.iter().any(|name| has(name)))
    }

    /// Whether the program replaces what rewritten code would call: `Promise.all`, `then` and `catch`.
    #[must_use]
    pub fn replaces_promises(&self) -> bool {
        self.is_patched(GLOBALS, &["Promise", "all"])
            || self.is_patched("ecmascript", &["then", "catch", "Promise"])
    }

    /// Where the program puts something in the place of members of a module.
    pub(crate) fn place_of_patch(&self, module: &str, files: &[&FileIr]) -> Option<Elsewhere> {
        let patch = self.patches.iter().find(|it| it.module == module)?;
        Some(Elsewhere { file: patch.file, span: patch.span(files.get(patch.file)?) })
    }

    /// Whether the value of an import binding may change once it is there.
    #[must_use]
    pub fn is_live_import(&self, file: usize, var: VarId) -> bool {
        self.live_imports.contains(&(file, var))
    }

    /// What runs in one program with a file and cannot be read, if there is such a module: the name that it
    /// is imported by, and where.
    #[must_use]
    pub fn unread(&self, file: usize, files: &[&FileIr]) -> Option<(String, Elsewhere)> {
        self.unread.with(file, files)
    }

    /// Where code runs in one program with a file whose name or text is worked out, if it does.
    #[must_use]
    pub fn unseen(&self, file: usize, files: &[&FileIr]) -> Option<Elsewhere> {
        self.unseen.get_or_init(|| Places::of(files, first_unseen)).with(file, files)
    }

    /// Where state is changed in one program with a file that no place stands for, if it is.
    #[must_use]
    pub fn bent(&self, file: usize, files: &[&FileIr]) -> Option<Elsewhere> {
        self.bent.get_or_init(|| Places::of(files, first_bent)).with(file, files)
    }

    /// Where links are made, in one program with a file, if they are.
    #[must_use]
    pub fn makes_links(&self, file: usize, files: &[&FileIr]) -> Option<Elsewhere> {
        self.links.get_or_init(|| Places::of(files, first_link)).with(file, files)
    }

    /// Where a method changes something that natives call, in one program with a file, if one does.
    #[must_use]
    pub fn called_by_natives(&self, file: usize, files: &[&FileIr]) -> Option<Elsewhere> {
        let places = || Places::of(files, first_called_by_natives);
        self.called_by_natives.get_or_init(places).with(file, files)
    }

    /// Where a file is named that reading consumes, in one program with a file, if one is.
    #[must_use]
    pub fn names_inputs(&self, file: usize, files: &[&FileIr]) -> Option<Elsewhere> {
        self.inputs.get_or_init(|| Places::of(files, first_named_input)).with(file, files)
    }

    /// Where the environment is set while the program runs, in one program with a file, if it is.
    #[must_use]
    pub fn sets_environment(&self, file: usize, files: &[&FileIr]) -> Option<Elsewhere> {
        self.environment.get_or_init(|| Places::of(files, first_set)).with(file, files)
    }

    /// Where a statement stands in one program with a file that changes the session of a connection, or shows
    /// what others do, if one does.
    #[must_use]
    pub fn changed_session(&self, file: usize, files: &[&FileIr]) -> Option<Elsewhere> {
        self.sessions.get_or_init(|| Places::of(files, first_of_session)).with(file, files)
    }

    /// Whether the file with the given index may be entered before its top level has run. A file
    /// that is not part of the program that was collected is taken to be.
    #[must_use]
    pub fn is_in_cycle(&self, file: usize) -> bool {
        self.in_cycle.get(file).copied().unwrap_or(true)
    }
}

/// For each file, whether it lies on a cycle of imports. Code that was not loaded (ignored,
/// excluded, a test, missing) may import anything.
fn import_cycles(files: &[&FileIr]) -> Vec<bool> {
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(files.len() + 1, files.len() * 4);
    let nodes: Vec<NodeIndex> = files.iter().map(|_| graph.add_node(())).collect();
    let outside = graph.add_node(());
    let mut in_cycle = vec![false; files.len() + 1];
    for (from, ir) in files.iter().enumerate() {
        graph.add_edge(outside, nodes[from], ());
        for request in ir.requests.iter().filter(|it| it.kind.loads()) {
            match request.resolution {
                Resolution::File(to) => {
                    in_cycle[from] |= from == to.0 as usize;
                    if let Some(&node) = nodes.get(to.0 as usize) {
                        graph.add_edge(nodes[from], node, ());
                    }
                }
                Resolution::Outside
                | Resolution::Unreadable
                | Resolution::Missing
                | Resolution::Pending
                    if may_be_own_code(ir.name(request.specifier)) =>
                {
                    graph.add_edge(nodes[from], outside, ());
                }
                _ => {}
            }
        }
    }
    for component in tarjan_scc(&graph) {
        if component.len() > 1 {
            for node in component {
                in_cycle[node.index()] = true;
            }
        }
    }
    in_cycle
}

/// Notes what packages that the file imports replace.
fn collect_replacing_packages(file: usize, ir: &FileIr, facts: &mut ProgramFacts) {
    for request in ir.requests.iter().filter(|it| it.kind.loads()) {
        for name in globals_replaced_by(ir.name(request.specifier)) {
            let (module, name) = name.split_once('#').unwrap_or((GLOBALS, name));
            if facts.patched.insert((module.to_owned(), name.to_owned())) {
                let place = Place::Span(request.span);
                facts.patches.push(Patch { file, place, module: module.to_owned() });
            }
        }
    }
}

/// Notes the modules that a test runner replaces: `vi.mock("axios")`. What it does with files of the
/// program, the call graph knows.
fn collect_mocks(file: usize, ir: &FileIr, models: &Models, facts: &mut ProgramFacts) {
    for request in ir.requests.iter().filter(|it| it.kind == RequestKind::Mocked) {
        let name = headstart_models::without_prefix(ir.name(request.specifier));
        let Some(module) = models.module(name, &[]) else { continue };
        if facts.patched.insert((module.module.clone(), "*".to_owned())) {
            let place = Place::Span(request.span);
            facts.patches.push(Patch { file, place, module: module.module.clone() });
        }
    }
}

/// Whether a specifier that leads out of the program may lead to code of the same project.
pub(crate) fn may_be_own_code(specifier: &str) -> bool {
    let name = specifier.rsplit('/').next().unwrap_or(specifier);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let is_code = matches!(
        extension,
        None | Some("js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts")
    );
    // `@/x`, `~/x` and `#x` are aliases.
    let is_own = specifier.starts_with(['.', '~', '#', '/']) || specifier.starts_with("@/");
    is_own && is_code
}

/// How many re-exports are followed.
const LONGEST_REEXPORT: u32 = 8;

/// The import bindings of each file whose value may change.
fn live_imports(files: &[&FileIr]) -> FxHashSet<(usize, VarId)> {
    let mut live = FxHashSet::default();
    for (index, ir) in files.iter().enumerate() {
        for import in &ir.imports {
            if imports_live(files, ir, import, LONGEST_REEXPORT) {
                live.insert((index, import.local));
            }
        }
    }
    live
}

/// Whether the value of an import binding may change.
fn imports_live(files: &[&FileIr], ir: &FileIr, import: &Import, steps: u32) -> bool {
    let name = match import.imported {
        Imported::Name(name) => ir.name(name),
        Imported::Default => "default",
        Imported::Namespace => return false,
    };
    from_live(files, ir, import.request, name, steps)
}

/// Whether what another module exports under a name may change.
fn from_live(files: &[&FileIr], ir: &FileIr, request: RequestId, name: &str, steps: u32) -> bool {
    match ir.request(request).resolution {
        Resolution::File(to) => may_change(files, to.0 as usize, name, steps),
        Resolution::Builtin => false,
        // Nobody has looked.
        Resolution::Package
        | Resolution::Outside
        | Resolution::Unreadable
        | Resolution::Missing
        | Resolution::Pending => true,
    }
}

/// Whether what a file exports under a name may change.
fn may_change(files: &[&FileIr], file: usize, name: &str, steps: u32) -> bool {
    let (Some(ir), Some(steps)) = (files.get(file), steps.checked_sub(1)) else { return true };
    ir.exports.iter().any(|export| {
        let is_meant = export.name.is_none_or(|it| ir.name(it) == name);
        is_meant
            && match export.source {
                ExportSource::Local(var) => match ir.import_of(var) {
                    Some(import) => imports_live(files, ir, import, steps),
                    None => !ir.variable(var).is_stable(),
                },
                ExportSource::Value(_) => false,
                ExportSource::From(request, from) => {
                    from_live(files, ir, request, ir.name(from), steps)
                }
                ExportSource::All(request) => from_live(files, ir, request, name, steps),
            }
    })
}

/// Where a file starts to listen, if it does: with Node's servers and those of all frameworks, that is
/// a call of something with such a name.
fn server(ir: &FileIr) -> Option<InstId> {
    const NAMES: [&str; 5] =
        ["createServer", "createSecureServer", "listen", "serve", "createHttpServer"];
    if !NAMES.iter().any(|it| mentions(ir, it)) {
        return None;
    }
    let is_named = |name: NameId| NAMES.contains(&ir.name(name));
    (0..ir.insts.len()).map(InstId::new).find(|&id| {
        let callee = match ir.inst(id) {
            Inst::CallMethod { method, .. } => method,
            Inst::Call { callee, .. } => callee,
            _ => return false,
        };
        match ir.inst(callee) {
            Inst::Get { key, .. } => matches!(key.get(), Key::Name(name) if is_named(name)),
            Inst::LoadVar(var) => is_named(ir.variable(var).name),
            Inst::LoadGlobal(name) => is_named(name),
            _ => false,
        }
    })
}

pub(crate) fn mentions(ir: &FileIr, name: &str) -> bool {
    (0..ir.names.len()).any(|index| ir.name(NameId::new(index)) == name)
}

/// Notes the members of modelled modules that a file assigns, deletes or hands to someone who may.
fn collect_patches(names: &FileNames<'_>, models: &Models, facts: &mut ProgramFacts) {
    let ir = names.ir;
    for (index, inst) in ir.insts.iter().enumerate() {
        match *inst {
            Inst::Set { object, key, .. } | Inst::Delete { object, key } => {
                let Some(api) = names.api(object) else { continue };
                let name = match key.get() {
                    Key::Name(name) => Some(ir.name(name)),
                    Key::Private(_) | Key::Computed(_) => None,
                };
                let at = (names.file, ir.span(InstId::new(index)));
                patch(&api, name, at, models, facts);
            }
            Inst::Call { callee, args }
            | Inst::CallMethod { method: callee, args, .. }
            | Inst::New { callee, args } => {
                define_accessor(names, InstId::new(index), models, facts);
                // Few calls are handed a module, so that is asked first.
                let handed = handed_modules(names, ir.args(args));
                if !handed.is_empty() && !leaves_alone(names, InstId::new(index), callee) {
                    patch_arguments(names, callee, ir.args(args), &handed, models, facts);
                }
            }
            _ => {}
        }
    }
}

/// Notes `fs.__defineGetter__("readFile", …)` (ECMA-262, B.2.2.2).
fn define_accessor(names: &FileNames<'_>, call: InstId, models: &Models, facts: &mut ProgramFacts) {
    let ir = names.ir;
    let Inst::CallMethod { object, method, args } = ir.inst(call) else { return };
    let Inst::Get { key, .. } = ir.inst(method) else { return };
    let defines = |it| matches!(ir.name(it), "__defineGetter__" | "__defineSetter__");
    if !matches!(key.get(), Key::Name(it) if defines(it)) {
        return;
    }
    let Some(api) = names.api(object) else { return };
    let name = match ir.args(args).first().map(|&it| ir.inst(it)) {
        Some(Inst::Literal(Literal::String(name))) => Some(ir.name(name)),
        _ => None,
    };
    patch(&api, name, (names.file, ir.span(call)), models, facts);
}

/// The arguments that are members of modules, or modules, with their positions.
fn handed_modules<'p>(names: &FileNames<'p>, args: &[InstId]) -> Vec<(usize, Api<'p>)> {
    let with_api = |(position, &argument)| Some((position, names.api(argument)?));
    let found = args.iter().enumerate().filter_map(with_api);
    found.filter(|(_, api)| api.specifier != GLOBALS).collect()
}

/// Whether a call changes nothing that it is handed.
fn leaves_alone(names: &FileNames<'_>, call: InstId, callee: InstId) -> bool {
    let ir = names.ir;
    let is_by_model = || {
        let (module, member) = names.model(callee)?;
        let (row, (_, args)) = (row_for(ir, call, member)?, callee_of(ir, call)?);
        // Nothing is known of values yet.
        let mut is_doubtful = false;
        let mut grant = |it| is_doubtful |= matches!(it, Grant::Spread(_) | Grant::Function(_));
        let fits = fit((ir, row, &module.module), ir.args(args), &|_| false, &mut grant);
        Some(row.writes.is_empty() && row.leaves_alone() && fits.is_ok() && !is_doubtful)
    };
    reads_its_arguments(names, callee) || is_by_model() == Some(true)
}

/// Notes the modules that a call is handed. `spyOn(fs, "rm")` and the like name the member that
/// they replace.
fn patch_arguments(
    names: &FileNames<'_>,
    callee: InstId,
    args: &[InstId],
    handed: &[(usize, Api<'_>)],
    models: &Models,
    facts: &mut ProgramFacts,
) {
    for (position, api) in handed {
        let position = *position;
        if names.only_calls_members(callee, position, api) {
            continue;
        }
        let name = match args.get(position + 1).map(|&next| names.ir.inst(next)) {
            Some(Inst::Literal(Literal::String(name))) if position == 0 => {
                Some(names.ir.name(name))
            }
            _ => None,
        };
        let at = (names.file, names.ir.span(args[position]));
        patch(api, name, at, models, facts);
    }
}

/// Notes that a member of what `api` is, or any member where none is named, may be replaced at
/// `at`.
fn patch(
    api: &Api<'_>,
    name: Option<&str>,
    at: (usize, Span),
    models: &Models,
    facts: &mut ProgramFacts,
) {
    let mut note = |module: &Module, name: &str| {
        // A row that says nothing cannot be wrong: `process.exitCode = 1`.
        let says_nothing = module.members.get(name).is_none_or(|member| member.anything);
        if name != "*" && says_nothing {
            return;
        }
        if facts.patched.insert((module.module.clone(), name.to_owned())) {
            let (file, span) = at;
            let place = Place::Span(span);
            facts.patches.push(Patch { file, place, module: module.module.clone() });
        }
    };
    let whole = models.module(api.specifier, &api.path);
    if let Some(module) = whole {
        note(module, name.unwrap_or("*"));
    }
    let below: Vec<&str> = api.path.iter().copied().chain(name).collect();
    // A whole module that it holds may be replaced.
    for module in models.modules_within(api.specifier, &below) {
        note(module, "*");
    }
}

/// Calls that are known to leave their arguments as they are: `Object.keys(fs)`.
fn reads_its_arguments(names: &FileNames<'_>, callee: InstId) -> bool {
    let ir = names.ir;
    let Inst::Get { object, key } = ir.inst(callee) else { return false };
    // `fs.readdir.bind(fs)`
    let is_own = names.api(object).is_some_and(|api| !api.path.is_empty());
    if is_own
        && matches!(key.get(), Key::Name(it) if matches!(ir.name(it), "bind" | "call" | "apply"))
    {
        return true;
    }
    let (Inst::LoadGlobal(global), Key::Name(name)) = (ir.inst(object), key.get()) else {
        return false;
    };
    match ir.name(global) {
        "Object" => matches!(ir.name(name), "keys" | "entries" | "values" | "freeze"),
        "console" | "JSON" => true,
        _ => false,
    }
}
