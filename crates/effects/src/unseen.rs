//! Code that runs in the program under a name, or from a text, that is worked out: `import(`./${name}.js`)`,
//! `require(path)`, `eval`. It may be any file and any text, and do what no file shows (the contract, trap 26).

use headstart_ir::{FileIr, Imported, Inst, InstId, Key, ModuleRequest, RequestKind, Resolution};
use headstart_models::without_prefix;

use crate::doubts::{is_global_object_load, is_harmless, is_runner, runs_directly};
use crate::facts::may_be_own_code;

/// The members of Node's `module` that only tell something, or list it.
const TELLING: [&str; 6] = [
    "builtinModules",
    "isBuiltin",
    "findPackageJSON",
    "stripTypeScriptTypes",
    "enableCompileCache",
    "getCompileCacheDir",
];

/// The first place in a file that runs such code, or gets hold of what does.
pub(crate) fn first_unseen(ir: &FileIr) -> Option<InstId> {
    let plain = plain_reads_of_require(ir);
    let all = || ir.insts.iter().enumerate().map(|(index, &inst)| (InstId::new(index), inst));
    all().find(|&(id, inst)| runs_unseen(ir, id, inst, &plain)).map(|it| it.0).or_else(|| {
        let loads = ir.requests.iter().any(|it| it.kind.loads() && leads_to_unseen(ir, it));
        let first = || ir.functions.first().map(|it| it.first);
        (loads || imports_loader(ir)).then(first).flatten()
    })
}

fn runs_unseen(ir: &FileIr, id: InstId, inst: Inst, plain: &[InstId]) -> bool {
    match inst {
        Inst::DynamicImport { request: None, .. } => true,
        Inst::LoadGlobal(name) => ir.name(name) == "require" && !plain.contains(&id),
        Inst::Call { callee, args } | Inst::New { callee, args } => {
            let is_runner =
                matches!(ir.inst(callee), Inst::LoadGlobal(it) if is_runner(ir.name(it)));
            is_runner && !is_harmless(ir, ir.args(args))
        }
        Inst::Get { object, key } => {
            let of = |names: &[&str]| matches!(ir.inst(object), Inst::LoadGlobal(it) if names.contains(&ir.name(it)));
            let Key::Name(key) = key.get() else { return false };
            match ir.name(key) {
                "require" | "_compile" => of(&["module"]),
                "dlopen" => of(&["process"]),
                name => is_runner(name) && is_global_object_load(ir, object),
            }
        }
        Inst::Opaque => runs_directly(ir, id),
        _ => false,
    }
}

/// The reads of `require` that only ask it something: `require.resolve`, `typeof require`.
fn plain_reads_of_require(ir: &FileIr) -> Vec<InstId> {
    let asked = ir.insts.iter().filter_map(|inst| match *inst {
        Inst::Get { object, key } => {
            let Key::Name(key) = key.get() else { return None };
            matches!(ir.name(key), "resolve" | "main").then_some(object)
        }
        Inst::Pure1(value) => Some(value),
        _ => None,
    });
    let is_require =
        |it: &InstId| matches!(ir.inst(*it), Inst::LoadGlobal(name) if ir.name(name) == "require");
    asked.filter(is_require).collect()
}

/// Code of the project that is no part of the program, and text in the place of a name.
fn leads_to_unseen(ir: &FileIr, request: &ModuleRequest) -> bool {
    let specifier = ir.name(request.specifier);
    match request.resolution {
        Resolution::Outside => may_be_own_code(specifier),
        _ => specifier.starts_with("data:") || without_prefix(specifier) == "vm",
    }
}

/// Whether a file gets hold of what loads modules, or changes how they are loaded: Node's `module`.
fn imports_loader(ir: &FileIr) -> bool {
    let is_module = |request| without_prefix(ir.name(ir.request(request).specifier)) == "module";
    let by_import = ir.imports.iter().any(|it| {
        let tells = |name| TELLING.contains(&ir.name(name));
        is_module(it.request) && !matches!(it.imported, Imported::Name(name) if tells(name))
    });
    let requires = |it: &ModuleRequest| {
        let is_called = matches!(it.kind, RequestKind::Require | RequestKind::Dynamic);
        is_called && without_prefix(ir.name(it.specifier)) == "module"
    };
    by_import || ir.requests.iter().any(requires)
}
