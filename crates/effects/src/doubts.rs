//! Places where the program may replace what models describe, without a name that says what: members of a
//! module whose name is computed, globals that text may set which is run as code (the contract, trap 26).

use headstart_callgraph::is_global_object;
use headstart_ir::{FileIr, FileKind, Inst, InstId, Key, Literal, VarId, VarKind};
use headstart_models::Models;

use crate::api::{Api, FileNames, GLOBALS};
use crate::summary::{Doubt, OpenHook};

/// How many steps a value is followed back.
const LONGEST_TRACE: u32 = 12;

/// What sets properties of its first argument, under a name that is its second where there is one.
const SETTERS: [&str; 5] =
    ["assign", "defineProperty", "defineProperties", "set", "setPrototypeOf"];

/// What runs text in the realm of the program (documentation of Node, "vm").
const RUNNERS: [&str; 3] = ["runInThisContext", "compileFunction", "Script"];

/// Notes the places of one file.
pub(crate) fn collect(names: &FileNames<'_>, models: &Models, into: &mut Vec<OpenHook>) {
    let ir = names.ir;
    let mut note = |module: &str, member: Option<&str>, inst: InstId| {
        let member = member.map(str::to_owned);
        let is_known = |it: &OpenHook| {
            it.doubt == Doubt::Replaced && it.module == module && it.member == member
        };
        if !into.iter().any(is_known) {
            let at = names.at(inst);
            into.push(OpenHook { doubt: Doubt::Replaced, module: module.to_owned(), member, at });
        }
    };
    for (index, inst) in ir.insts.iter().enumerate() {
        let id = InstId::new(index);
        match *inst {
            Inst::Set { object, key, .. } | Inst::Delete { object, key }
                if is_unresolved(names, object, LONGEST_TRACE) =>
            {
                note(ANY, name_of_key(ir, key.get()), id);
            }
            Inst::Call { callee, args } | Inst::New { callee, args }
                if runs_text(names, callee) && !is_harmless(ir, ir.args(args)) =>
            {
                note(GLOBALS, None, id);
            }
            Inst::CallMethod { method, args, .. } => {
                let args = ir.args(args);
                if runs_text(names, method) && !is_harmless(ir, args) {
                    note(GLOBALS, None, id);
                }
                if let Some(name) = set_by_call(names, id) {
                    note(ANY, name, id);
                }
            }
            Inst::Opaque if runs_directly(ir, id) => note(GLOBALS, None, id),
            _ => {}
        }
    }
    if is_script(ir) {
        for variable in &ir.variables {
            let is_top = variable.owner.index() == 0;
            let is_global =
                matches!(variable.kind, VarKind::Var | VarKind::Function | VarKind::Other);
            let name = ir.name(variable.name);
            let is_modelled = || models.member(GLOBALS, &[name]).is_some();
            if is_top && is_global && is_modelled() {
                note(GLOBALS, Some(name), variable.init.unwrap_or(ir.functions[0].first));
            }
        }
    }
}

/// Any module.
const ANY: &str = "*";

impl<'p> FileNames<'p> {
    /// The module, or the global object, that a call gives: `createRequire(…)("fs")`,
    /// `process.getBuiltinModule("fs")`, `new Function("return this")()`.
    pub(crate) fn given_by(&self, call: InstId, steps: u32) -> Option<Api<'p>> {
        let (callee, args) = match self.ir.inst(call) {
            Inst::Call { callee, args } | Inst::CallMethod { method: callee, args, .. } => {
                (callee, self.ir.args(args))
            }
            _ => return None,
        };
        if gives_global_object(self.ir, callee) {
            return Some(Api { specifier: GLOBALS, path: Vec::new() });
        }
        let Some(Inst::Literal(Literal::String(name))) = args.first().map(|&it| self.ir.inst(it))
        else {
            return None;
        };
        let specifier = headstart_models::without_prefix(self.ir.name(name));
        loads_modules(self, callee, steps).then(|| Api { specifier, path: Vec::new() })
    }
}

/// `new Function("return this")`, called.
fn gives_global_object(ir: &FileIr, callee: InstId) -> bool {
    let (Inst::New { callee, args } | Inst::Call { callee, args }) = ir.inst(callee) else {
        return false;
    };
    let &[text] = ir.args(args) else { return false };
    let Inst::Literal(Literal::String(text)) = ir.inst(text) else { return false };
    let is_function =
        matches!(ir.inst(callee), Inst::LoadGlobal(name) if ir.name(name) == "Function");
    is_function && ir.name(text).trim().trim_end_matches(';').trim_end() == "return this"
}

/// Whether calling a value loads the module that its argument names: what `createRequire` gives,
/// `process.getBuiltinModule`, `require` under a name that is computed.
fn loads_modules(names: &FileNames<'_>, callee: InstId, steps: u32) -> bool {
    let ir = names.ir;
    let Some(steps) = steps.checked_sub(1) else { return false };
    let has_path = |value: InstId, of: &[(&str, &[&str])]| {
        let api = names.trace(value, steps);
        api.is_some_and(|api| of.iter().any(|it| it.0 == api.specifier && it.1 == api.path))
    };
    match ir.inst(callee) {
        Inst::LoadGlobal(name) => ir.name(name) == "require",
        Inst::LoadVar(var) if has_init(ir, var).is_some() => {
            has_init(ir, var).is_some_and(|it| loads_modules(names, it, steps))
        }
        Inst::Call { callee, .. } | Inst::CallMethod { method: callee, .. } => has_path(
            callee,
            &[("module", &["createRequire"]), ("module", &["Module", "createRequire"])],
        ),
        _ => has_path(
            callee,
            &[
                ("process", &["getBuiltinModule"]),
                (GLOBALS, &["process", "getBuiltinModule"]),
                (GLOBALS, &["module", "require"]),
            ],
        ),
    }
}

/// Whether a value is, or is read of, a module whose name is computed.
fn is_unresolved(names: &FileNames<'_>, value: InstId, steps: u32) -> bool {
    let ir = names.ir;
    let Some(steps) = steps.checked_sub(1) else { return false };
    let again = |it: InstId| is_unresolved(names, it, steps);
    match ir.inst(value) {
        Inst::Await(of) | Inst::Get { object: of, .. } => again(of),
        Inst::Select(left, right) => again(left) || again(right),
        Inst::DynamicImport { request, .. } => request.is_none(),
        Inst::LoadVar(var) => match ir.variable(var).init.map(|it| ir.inst(it)) {
            Some(Inst::StoreVar { value, .. }) => again(value),
            _ => false,
        },
        Inst::Call { callee, args } | Inst::CallMethod { method: callee, args, .. } => {
            let name = ir.args(args).first().map(|&it| ir.inst(it));
            let is_text = matches!(name, None | Some(Inst::Literal(Literal::String(_))));
            !is_text && loads_modules(names, callee, steps)
        }
        _ => false,
    }
}

/// What a variable always holds.
fn has_init(ir: &FileIr, var: VarId) -> Option<InstId> {
    let variable = ir.variable(var);
    match ir.inst(variable.init.filter(|_| variable.is_stable())?) {
        Inst::StoreVar { value, .. } => Some(value),
        _ => None,
    }
}

fn name_of_key(ir: &FileIr, key: Key) -> Option<&str> {
    match key {
        Key::Name(name) | Key::Private(name) => Some(ir.name(name)),
        Key::Computed(_) => None,
    }
}

/// What a call sets of a module whose name is computed: the name of the member, or any.
fn set_by_call<'p>(names: &FileNames<'p>, call: InstId) -> Option<Option<&'p str>> {
    let ir = names.ir;
    let Inst::CallMethod { object, method, args } = ir.inst(call) else { return None };
    let Inst::Get { key, .. } = ir.inst(method) else { return None };
    let args = ir.args(args);
    let (target, name) = match name_of_key(ir, key.get())? {
        "__defineGetter__" | "__defineSetter__" => (object, args.first()),
        setter if SETTERS.contains(&setter) => {
            let of = matches!(ir.inst(object), Inst::LoadGlobal(name)
                if matches!(ir.name(name), "Object" | "Reflect"));
            (*args.first().filter(|_| of)?, args.get(1))
        }
        _ => return None,
    };
    let text = match name.map(|&it| ir.inst(it)) {
        Some(Inst::Literal(Literal::String(name))) => Some(ir.name(name)),
        _ => None,
    };
    is_unresolved(names, target, LONGEST_TRACE).then_some(text)
}

/// Whether a global function of this name runs text as code.
pub(crate) fn is_runner(name: &str) -> bool {
    matches!(name, "eval" | "Function")
}

/// Whether what is called runs text as code of the whole program: `Function`, `eval` under another
/// name, `vm.runInThisContext`.
fn runs_text(names: &FileNames<'_>, callee: InstId) -> bool {
    let ir = names.ir;
    match ir.inst(callee) {
        Inst::LoadGlobal(name) if is_runner(ir.name(name)) => return true,
        Inst::Get { object, key } if is_global_object_load(ir, object) => {
            return name_of_key(ir, key.get()).is_some_and(is_runner);
        }
        _ => {}
    }
    names.api(callee).is_some_and(|api| {
        api.specifier == "vm" && api.path.last().is_some_and(|it| RUNNERS.contains(it))
    })
}

/// Whether a value is the global object, by one of its names.
pub(crate) fn is_global_object_load(ir: &FileIr, value: InstId) -> bool {
    matches!(ir.inst(value), Inst::LoadGlobal(name) if is_global_object(ir.name(name)))
}

/// Whether the text that is run can be read, and sets nothing.
pub(crate) fn is_harmless(ir: &FileIr, args: &[InstId]) -> bool {
    args.iter().all(|&arg| match ir.inst(arg) {
        Inst::Literal(Literal::String(text)) => {
            let text = ir.name(text);
            !["=", "define", "assign", "Reflect", "eval", "delete"]
                .iter()
                .any(|it| text.contains(it))
        }
        Inst::Literal(literal) => literal != Literal::LongString,
        _ => false,
    })
}

/// Whether an instruction is a direct `eval`.
pub(crate) fn runs_directly(ir: &FileIr, at: InstId) -> bool {
    let of = ir.functions.iter().rfind(|it| it.first <= at && at < it.end);
    of.is_some_and(|it| it.has_dynamic_scope)
}

/// Whether a file may be a script of a page: what it declares is global then.
fn is_script(ir: &FileIr) -> bool {
    let is_commonjs = |inst: &Inst| match *inst {
        Inst::Require(_) => true,
        Inst::LoadGlobal(name) | Inst::StoreGlobal { name, .. } => {
            matches!(ir.name(name), "require" | "module" | "exports" | "__dirname" | "__filename")
        }
        _ => false,
    };
    ir.kind == FileKind::Script && !ir.insts.iter().any(is_commonjs)
}
