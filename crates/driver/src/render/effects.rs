//! Effects as text: `docs/effects.md` defines it.

use std::fmt::Write as _;
use std::path::Path;

use headstart_callgraph::FunctionRef;
use headstart_edit::SourceText;
use headstart_effects::{Effects, Place, PlaceRoot, Resource, Summaries, SummaryLocation, Which};
use headstart_frontend::Program;
use headstart_ir::order::sort;
use headstart_ir::{FileIr, Inst, InstId, VarId};

use crate::effects::{FunctionReport, SetsReport};
use crate::paths::shown;

/// Names places and resources as a person would.
pub(crate) struct Namer<'a, 'p> {
    pub(crate) program: &'a Program,
    pub(crate) summaries: &'a Summaries<'p>,
    pub(crate) base: &'a Path,
    pub(crate) source: &'a SourceText,
}

impl Namer<'_, '_> {
    /// The parameters of a function, as they are written.
    pub(crate) fn parameters(&self, function: FunctionRef) -> Vec<String> {
        let ir = self.ir(function.file);
        let data = ir.function(function.function);
        let mut names = Vec::new();
        for id in FileIr::range(data.first, data.end) {
            match ir.inst(id) {
                Inst::Param(position) => {
                    names.push(match variable_of(ir, function, position) {
                        Some(var) => ir.name(ir.variable(var).name).to_owned(),
                        None => pattern(ir.span(id).text(self.source.text())).to_owned(),
                    });
                }
                Inst::RestParam(_) => {
                    let stored = FileIr::range(id, data.end).find_map(|it| match ir.inst(it) {
                        Inst::StoreVar { var, value } if value == id => Some(var),
                        _ => None,
                    });
                    let name = stored.map_or("[…]", |var| ir.name(ir.variable(var).name));
                    names.push(format!("...{name}"));
                }
                _ => {}
            }
        }
        names
    }

    /// The sets of a function in the order of the alphabet.
    pub(crate) fn sets(&self, function: FunctionRef, effects: &Effects) -> SetsReport {
        let mut writes: Vec<String> =
            effects.writes.iter().map(|it| self.location(function, it)).collect();
        sort(&mut writes);
        writes.dedup();
        let shown = effects.reads.iter().filter(|it| !is_handed_on(it));
        let mut reads: Vec<String> = shown.map(|it| self.location(function, it)).collect();
        sort(&mut reads);
        reads.dedup();
        SetsReport { reads, writes }
    }

    fn location(&self, function: FunctionRef, location: &SummaryLocation) -> String {
        match location {
            SummaryLocation::Memory(place) => self.place(function, place),
            SummaryLocation::Resource(resource, which) => self.resource(function, *resource, which),
        }
    }

    fn place(&self, function: FunctionRef, place: &Place) -> String {
        let mut text = self.root(function, place.root);
        for (index, &key) in place.keys.iter().enumerate() {
            let name = self.summaries.graph.key_text(key);
            match (name, place.root) {
                (Some(name), PlaceRoot::Instance(_)) if index == 0 => {
                    let _ = write!(text, "#{name}");
                }
                (Some(name), _) => {
                    let _ = write!(text, ".{name}");
                }
                (None, _) => text.push_str("[…]"),
            }
        }
        if place.is_deep {
            text.push_str(".…");
        }
        text
    }

    fn root(&self, function: FunctionRef, root: PlaceRoot) -> String {
        match root {
            PlaceRoot::Parameter(position) => {
                let ir = self.ir(function.file);
                match variable_of(ir, function, position) {
                    Some(var) => ir.name(ir.variable(var).name).to_owned(),
                    None => format!("(parameter {})", position + 1),
                }
            }
            PlaceRoot::This => "this".to_owned(),
            PlaceRoot::Variable(file, var) => {
                let ir = self.ir(file);
                self.with_file(function, file, ir.name(ir.variable(var).name))
            }
            PlaceRoot::Global => "globalThis".to_owned(),
            PlaceRoot::Instance(class) | PlaceRoot::Static(class) => {
                let ir = self.ir(class.file);
                ir.class(class.class).name.map_or("(class)", |name| ir.name(name)).to_owned()
            }
            PlaceRoot::Exports(file) => self.with_file(function, file, "exports"),
            PlaceRoot::Made(at) => {
                let file = &self.program.files[at.file as usize];
                let line = if at.file == function.file {
                    self.source.line_of(file.ir.span(at.inst).start)
                } else {
                    crate::analyse::read_again(file)
                        .map_or(0, |source| source.line_of(file.ir.span(at.inst).start))
                };
                if at.file == function.file {
                    format!("{{…}}:{line}")
                } else {
                    format!("{{…}} {}:{line}", shown(&file.path, self.base))
                }
            }
            PlaceRoot::Unknown => "?".to_owned(),
        }
    }

    fn with_file(&self, function: FunctionRef, file: u32, name: &str) -> String {
        if file == function.file {
            return name.to_owned();
        }
        format!("{}:{name}", shown(&self.program.files[file as usize].path, self.base))
    }

    fn ir(&self, file: u32) -> &FileIr {
        &self.program.files[file as usize].ir
    }

    fn resource(&self, function: FunctionRef, resource: Resource, which: &Which) -> String {
        let (one, any) = match resource {
            Resource::File => ("file", "any file"),
            Resource::Handle => ("handle", "any handle"),
            Resource::Network => ("network", "any network"),
            Resource::Process => ("process", "any process"),
            Resource::Connection => ("connection", "connection"),
            Resource::Storage => ("storage", "storage"),
            Resource::Clock => ("clock", "clock"),
            Resource::Randomness => ("randomness", "randomness"),
            Resource::Environment => ("environment", "environment"),
            Resource::WorkingDirectory => ("working directory", "working directory"),
            Resource::Input => ("input", "input"),
            Resource::Output => ("output", "output"),
            Resource::Log => ("log", "log"),
            Resource::Timers => ("timers", "timers"),
            Resource::ProcessState => ("process state", "process state"),
            Resource::Index => ("index of git", "index of git"),
            Resource::Outside => ("something outside", "something outside"),
            Resource::IndexRefresh => ("refreshed index of git", "refreshed index of git"),
            Resource::ModuleState => {
                return match which {
                    Which::Named(module) => format!("state of {module}"),
                    _ => "state of a module".to_owned(),
                };
            }
        };
        match which {
            Which::Any => any.to_owned(),
            Which::Queried(_) => format!("{any} unless the query only reads"),
            Which::Unless(_) => format!("{any} unless the command only reads"),
            Which::Named(_) if resource == Resource::Connection => any.to_owned(),
            Which::Named(name) => format!("{one} \"{name}\""),
            Which::Held(place) => format!("{one} {}", self.place(function, place)),
        }
    }
}

/// Whether a location is all that a parameter holds: what is handed on to an operation is read by it,
/// if it is an object at all.
fn is_handed_on(location: &SummaryLocation) -> bool {
    match location {
        SummaryLocation::Memory(place) => {
            place.is_deep && place.keys.is_empty() && matches!(place.root, PlaceRoot::Parameter(_))
        }
        SummaryLocation::Resource(..) => false,
    }
}

/// The variable that holds a parameter, perhaps with a default.
fn variable_of(ir: &FileIr, function: FunctionRef, position: u32) -> Option<VarId> {
    let data = ir.function(function.function);
    let is_it = |value: InstId| match ir.inst(value) {
        Inst::Param(index) => index == position,
        Inst::Select(given, _) => ir.inst(given) == Inst::Param(position),
        _ => false,
    };
    FileIr::range(data.first, data.end).find_map(|id| match ir.inst(id) {
        Inst::StoreVar { var, value }
            if is_it(value) && ir.span(id).start <= ir.span(value).end =>
        {
            Some(var)
        }
        _ => None,
    })
}

fn pattern(text: &str) -> &'static str {
    if text.starts_with('[') { "[…]" } else { "{…}" }
}

/// All functions, for a person.
pub(crate) fn pretty(functions: &[FunctionReport]) -> String {
    let mut text = String::new();
    let has_several = functions.iter().any(|it| it.file != functions[0].file);
    let mut file = "";
    for function in functions {
        if has_several && function.file != file {
            file = &function.file;
            let _ = writeln!(text, "{file}:\n");
        }
        let _ = writeln!(text, "{}", function.header);
        let before = text.len();
        let mut line = |keyword: &str, rest: &str| {
            let _ = writeln!(text, "  {keyword:<12} {rest}");
        };
        let mut lists =
            vec![("reads", &function.before.reads), ("writes", &function.before.writes)];
        if let Some(after) = &function.after {
            lists.push(("then reads", &after.reads));
            lists.push(("then writes", &after.writes));
        }
        for (keyword, list) in lists {
            if !list.is_empty() {
                line(keyword, &list.join(", "));
            }
        }
        for it in &function.awaits {
            let what = match (it.understood, it.settles) {
                (false, _) => "unknown",
                (true, true) => "settles",
                (true, false) => "waits",
            };
            line("awaits", &format!("{}: {what}", it.text));
        }
        for (is_so, what) in [
            (function.throws == "may", "throws"),
            (function.rejects == "may", "rejects"),
            (!function.settles, "may not settle"),
        ] {
            if is_so {
                let _ = writeln!(text, "  {what}");
            }
        }
        for unknown in &function.unknown {
            let _ = writeln!(text, "  {:<12} {}", "anything", unknown.reason);
        }
        if text.len() == before {
            text.push_str("  nothing\n");
        }
        text.push('\n');
    }
    text
}
