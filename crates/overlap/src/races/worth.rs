//! Which races do harm: whether others can come at all while a function waits, and whether it matters who comes first.

use headstart_ir::{FileIr, FunctionId, Inst, InstId, Literal, VarId};

use super::called;
use super::outside::{is_harmless_twice, words_of};
use crate::unit::Scope;

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// Nothing any more: `null`, an empty list, a key that goes.
    Reset,
    /// That something has been done: `true`, a key of a set.
    Note,
    /// Something else.
    Value,
}

/// What a write puts there.
pub(super) fn written(ir: &FileIr, write: InstId) -> Written {
    let value = match ir.inst(write) {
        Inst::StoreVar { value, .. } | Inst::Set { value, .. } => value,
        Inst::Delete { .. } => return Written::Reset,
        _ => {
            return match ir.method_call(write).map(|it| it.1) {
                Some("add") => Written::Note,
                Some("clear" | "delete") => Written::Reset,
                _ => Written::Value,
            };
        }
    };
    match ir.inst(value) {
        Inst::Literal(Literal::Boolean(true)) => Written::Note,
        Inst::Literal(Literal::Undefined | Literal::Null | Literal::Boolean(false)) => {
            Written::Reset
        }
        Inst::LoadGlobal(name) if ir.name(name) == "undefined" => Written::Reset,
        Inst::Pure1(_) if ir.negated(value).is_none() => Written::Reset,
        Inst::Array(args) if ir.args(args).is_empty() => Written::Reset,
        _ => Written::Value,
    }
}

/// The first words of the names of functions that make something which is not to be there twice.
const MAKING: &[&str] = &[
    "acquire",
    "allocate",
    "authenticate",
    "boot",
    "connect",
    "create",
    "establish",
    "init",
    "initialise",
    "initialize",
    "insert",
    "launch",
    "listen",
    "login",
    "mount",
    "open",
    "register",
    "reserve",
    "setup",
    "spawn",
    "start",
    "subscribe",
];

impl Scope<'_, '_> {
    /// Whether what is waited for between two places makes something, where making it twice does harm.
    pub(super) fn makes(&self, from: InstId, to: InstId) -> bool {
        let ir = self.analysis.ir;
        FileIr::range(from, to).filter(|&it| ir.inst(it).is_suspend_point()).any(|it| {
            let Inst::Await(value) = ir.inst(it) else { return false };
            let name = called(ir, value).filter(|it| !is_harmless_twice(it));
            let first = name.and_then(|it| words_of(it).into_iter().next());
            first.is_some_and(|it| MAKING.contains(&it.as_str()))
        })
    }

    /// Whether two calls of the function may be under way at a time that see one variable of a function around it: that is
    /// the module, or the function is handed to what calls it again and again without waiting.
    pub(super) fn may_meet(&self, var: VarId) -> bool {
        let ir = self.analysis.ir;
        let owner = ir.variable(var).owner;
        if ir.function(owner).parent.is_none() {
            return true;
        }
        let mut inner = self.function;
        while let Some(parent) = ir.function(inner).parent {
            let given = handed(ir, parent, inner);
            if let Some(name) = given {
                if is_concurrent(&name) {
                    return true;
                }
                if parent == owner {
                    return false;
                }
            } else if parent == owner {
                return is_kept(ir, parent, inner);
            }
            inner = parent;
        }
        false
    }

    /// The same of what an object holds whose method it is: there is one of it for all who come, as far as its class says.
    pub(super) fn is_of_one(&self) -> bool {
        const SHARED: [&str; 30] = [
            "adapter",
            "api",
            "bot",
            "broker",
            "cache",
            "client",
            "connection",
            "controller",
            "driver",
            "engine",
            "gateway",
            "handler",
            "hub",
            "loader",
            "manager",
            "monitor",
            "plugin",
            "pool",
            "provider",
            "queue",
            "registry",
            "repository",
            "resolver",
            "scheduler",
            "server",
            "service",
            "session",
            "storage",
            "store",
            "watcher",
        ];
        let ir = self.analysis.ir;
        let mut function = Some(self.function);
        while let Some(it) = function {
            let class =
                ir.classes.iter().find(|class| class.members.iter().any(|at| at.function == it));
            if let Some(class) = class {
                let name =
                    class.name.map(|it| ir.name(it).to_ascii_lowercase()).unwrap_or_default();
                return SHARED.iter().any(|it| name.ends_with(it));
            }
            function = ir.function(it).parent;
        }
        false
    }
}

/// What a function is handed to where it is made, by the last name.
fn handed(ir: &FileIr, parent: FunctionId, function: FunctionId) -> Option<String> {
    let around = ir.function(parent);
    FileIr::range(around.first, around.end).find_map(|call| {
        let (Inst::Call { args, .. } | Inst::CallMethod { args, .. } | Inst::New { args, .. }) =
            ir.inst(call)
        else {
            return None;
        };
        let is_given = ir.args(args).iter().any(|&it| ir.inst(it) == Inst::Closure(function));
        is_given.then(|| called(ir, call).unwrap_or_default().to_owned())
    })
}

/// Whether what is called so calls a function several times without waiting for it in between.
fn is_concurrent(name: &str) -> bool {
    const NAMES: [&str; 20] = [
        "addEventListener",
        "addListener",
        "all",
        "command",
        "delete",
        "flatMap",
        "forEach",
        "get",
        "handle",
        "map",
        "on",
        "onRequest",
        "patch",
        "post",
        "put",
        "setInterval",
        "subscribe",
        "useCallback",
        "useMemo",
        "useEffect",
    ];
    NAMES.contains(&name)
}

/// Whether a function that another one makes is kept, so that others may call it.
fn is_kept(ir: &FileIr, parent: FunctionId, function: FunctionId) -> bool {
    let around = ir.function(parent);
    let all = || FileIr::range(around.first, around.end);
    let Some(made) = all().find(|&it| ir.inst(it) == Inst::Closure(function)) else { return false };
    let names: Vec<VarId> = all()
        .filter_map(|it| match ir.inst(it) {
            Inst::StoreVar { var, value } if value == made => Some(var),
            _ => None,
        })
        .collect();
    if names.is_empty() {
        return true;
    }
    let is_callee = |load: InstId| {
        all().any(|it| matches!(ir.inst(it), Inst::Call { callee, .. } if callee == load))
    };
    let loads = (0..ir.insts.len())
        .map(InstId::new)
        .filter(|&it| matches!(ir.inst(it), Inst::LoadVar(var) if names.contains(&var)));
    loads.into_iter().any(|it| !is_callee(it))
}
