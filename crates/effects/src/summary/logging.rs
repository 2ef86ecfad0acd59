//! Calls that are written like those of a logger: `logger.debug(…)`, `this.log[level](…)`, `log(…)`; or of a
//! span of a trace, which is a line of another log: `span.setAttribute(…)`, `span.end()`.
//!
//! What a logger does is rarely known to the end: its sinks are given to it at run time. Where nobody
//! knows what such a call does, a person may still say at once that it only logs; findings that rest
//! on that say so, and are `likely` at best.

use headstart_callgraph::Callees;
use headstart_ir::{FileIr, Inst, InstId, Key, Literal};

use super::compute::Computation;
use super::order::When;
use super::place::{Location, Resource, Which};
use super::row::arguments;
use super::{Assumed, Summaries};

/// How many steps the name of a receiver is looked for: `getLogger(name).once.debug`.
const LONGEST_NAME: u32 = 4;

/// The methods of loggers that print a line: levels of syslog (RFC 5424, 6.2.1), of log4j, npm and the
/// console, and `log` itself.
const LEVELS: [&str; 18] = [
    "alert", "crit", "critical", "debug", "emerg", "error", "fatal", "fine", "http", "info", "log",
    "notice", "silly", "success", "trace", "verbose", "warn", "warning",
];

/// Packages whose default export is a logger, as programs call it.
const PACKAGES: [&str; 8] =
    ["bunyan", "consola", "log4js", "loglevel", "npmlog", "pino", "signale", "winston"];

/// The methods of a span of OpenTelemetry, or of a trace of Datadog, Sentry and the like, that note something of it
/// (OpenTelemetry, "Tracing API", Span operations).
const SPAN_METHODS: [&str; 16] = [
    "addEvent",
    "addLink",
    "addLinks",
    "addTags",
    "end",
    "finish",
    "recordException",
    "setAttribute",
    "setAttributes",
    "setData",
    "setHttpStatus",
    "setMeasurement",
    "setStatus",
    "setTag",
    "setTags",
    "updateName",
];

impl Computation<'_, '_> {
    /// Whether a call is written like one of a logger, and may do anything.
    pub(crate) fn may_log(&self, id: InstId, callees: &Callees<'_>) -> bool {
        let is_open = || {
            callees.obstacle().is_some()
                || callees.functions.iter().any(|&it| self.roots.all.of(it).is_anything())
        };
        is_log_call(self.ir, id)
            && is_open()
            && arguments(self.ir.inst(id)).is_some_and(|args| {
                self.ir
                    .args(args)
                    .iter()
                    .all(|&arg| !matches!(self.ir.inst(arg), Inst::Closure(_) | Inst::Spread(_)))
            })
    }

    /// A call that may do anything, and only logs if somebody says so: it looks at what it is handed.
    pub(crate) fn logs(&mut self, id: InstId, when: When) {
        let args = arguments(self.ir.inst(id)).map(|it| self.ir.args(it).to_vec());
        for arg in args.unwrap_or_default() {
            self.read_deep(arg, when);
        }
        self.write(Location::Resource(Resource::Log, Which::Any), when);
        self.summary.reports |= !self.structure.handlers.contains(id);
        let logs = Some(self.roots.at(id));
        self.anything_but(id, Some(Assumed { logs, ..Assumed::default() }));
    }
}

impl Summaries<'_> {
    /// Whether what a call does rests on what is said of loggers.
    pub(crate) fn is_taken_to_log(&self, at: headstart_callgraph::InstRef) -> bool {
        let ir = self.graph.files()[at.file as usize];
        is_log_call(ir, at.inst)
            && self.callees(at).functions.iter().any(|&it| self.of(it).is_anything())
    }
}

/// Whether a call is written like one that prints a line of a log.
fn is_log_call(ir: &FileIr, call: InstId) -> bool {
    match ir.inst(call) {
        Inst::CallMethod { object, method, .. } => {
            let Inst::Get { key, .. } = ir.inst(method) else { return false };
            let is_level = match key.get() {
                Key::Name(name) | Key::Private(name) => LEVELS.contains(&ir.name(name)),
                // `logger[level]`
                Key::Computed(key) => !matches!(ir.inst(key), Inst::Literal(Literal::Number(_))),
            };
            let is_noted =
                || matches!(key.get(), Key::Name(name) if SPAN_METHODS.contains(&ir.name(name)));
            (is_level && is_logger(ir, object, LONGEST_NAME)) || (is_noted() && is_span(ir, object))
        }
        Inst::Call { callee, .. } => match ir.inst(callee) {
            Inst::LoadVar(var) => prints_by_name(ir.name(ir.variable(var).name)),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a value is called like a logger, or comes from what is.
fn is_logger(ir: &FileIr, value: InstId, steps: u32) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return false };
    match ir.inst(value) {
        Inst::LoadVar(var) => is_logger_name(ir.name(ir.variable(var).name)),
        Inst::LoadGlobal(name) => is_logger_name(ir.name(name)),
        Inst::Get { object, key } => match key.get() {
            Key::Name(name) | Key::Private(name) => {
                is_logger_name(ir.name(name)) || is_logger(ir, object, steps)
            }
            Key::Computed(_) => is_logger(ir, object, steps),
        },
        Inst::Call { callee, .. } | Inst::CallMethod { method: callee, .. } => {
            is_logger(ir, callee, steps)
        }
        _ => false,
    }
}

/// Whether a value is called like a span: `span`, `this.rootSpan`.
fn is_span(ir: &FileIr, value: InstId) -> bool {
    let name = match ir.inst(value) {
        Inst::LoadVar(var) => ir.name(ir.variable(var).name),
        Inst::Get { key, .. } => match key.get() {
            Key::Name(name) | Key::Private(name) => ir.name(name),
            Key::Computed(_) => "",
        },
        // `span.setAttribute(…).setAttribute(…)`
        Inst::CallMethod { object, .. } if is_log_call(ir, value) => return is_span(ir, object),
        _ => "",
    };
    is_span_name(name)
}

/// `span`, `_span`, `rootSpan`.
fn is_span_name(name: &str) -> bool {
    name.trim_matches(['_', '$', '#']) == "span" || name.ends_with("Span")
}

/// `log`, `logger`, `requestLogger`, `getLogger`, `winston`.
fn is_logger_name(name: &str) -> bool {
    let name = name.trim_matches(['_', '$', '#']).to_ascii_lowercase();
    name == "log"
        || name == "logging"
        || name.ends_with("logger")
        || PACKAGES.contains(&name.as_str())
}

/// `log`, `debug`, `logWarning`.
fn prints_by_name(name: &str) -> bool {
    let name = name.trim_matches(['_', '$']);
    let is_level = |level: &str| LEVELS.contains(&level.to_ascii_lowercase().as_str());
    matches!(name, "log" | "debug" | "logger" | "warn")
        || name.strip_prefix("log").is_some_and(|rest| {
            rest.starts_with(|it: char| it.is_ascii_uppercase()) && is_level(rest)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loggers_are_told_by_their_names() {
        for name in ["log", "logger", "_logger", "#log", "requestLogger", "getLogger"] {
            assert!(is_logger_name(name), "{name}");
        }
        for name in ["catalog", "auditLog", "dialog", "login", "logs"] {
            assert!(!is_logger_name(name), "{name}");
        }
        for name in ["span", "_span", "rootSpan"] {
            assert!(is_span_name(name), "{name}");
        }
        for name in ["spanner", "lifespan", "spans", "getSpan2"] {
            assert!(!is_span_name(name), "{name}");
        }
        assert!(prints_by_name("logWarning"));
        assert!(!prints_by_name("login"));
        assert!(!prints_by_name("logOut"));
    }
}
