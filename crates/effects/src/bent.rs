//! State that no place stands for: prototypes that are changed, what is put on those of the language, globals, whether
//! an object can be changed. What reads it does not show what it reads.

use headstart_ir::{FileIr, FunctionId, Imported, Inst, InstId, Key, Literal, Resolution, VarId};
use headstart_models::without_prefix;
use rustc_hash::FxHashSet;

use crate::doubts::is_global_object_load;
use crate::shapes::{first_odd_shape, gives_other};
use crate::sloppy::first_sloppy;
use crate::unplaced::first_unplaced;

/// What says whether an object can be changed, and what asks for that.
const FREEZING: [&str; 3] = ["freeze", "preventExtensions", "seal"];
const ASKING: [&str; 3] = ["isExtensible", "isFrozen", "isSealed"];

/// Methods that the language calls by their names when it needs a value of another kind.
pub(crate) const CONVERTING: [&str; 3] = ["toJSON", "toString", "valueOf"];

/// The members of `process` that have a place of their own.
const WITH_A_PLACE: [&str; 2] = ["env", "exitCode"];

/// The methods that change a list.
const CHANGING: [&str; 9] =
    ["copyWithin", "fill", "pop", "push", "reverse", "shift", "sort", "splice", "unshift"];

/// The first place in a file that changes such state.
pub(crate) fn first_bent(ir: &FileIr) -> Option<InstId> {
    let all = || ir.insts.iter().enumerate().map(|(index, &inst)| (InstId::new(index), inst));
    let reads = |names: &'static [&'static str]| {
        all().find(move |&(_, inst)| {
            matches!(inst, Inst::Get { key, .. } if names.contains(&name_of(ir, key.get())))
        })
    };
    // What a module does while it is loaded, it does before anything of it runs.
    let is_later = |it: InstId| !ir.is_at_top(it);
    let shared = Shared::of(ir);
    let bends = |id, inst| bends(ir, inst) || (is_later(id) && shared.bends_later(ir, inst));
    let bent = all().find(|&(id, inst)| bends(id, inst));
    let sloppy = || first_sloppy(ir).or_else(|| first_swap(ir));
    let found = bent.or_else(|| reads(&ASKING).and(reads(&FREEZING))).map(|it| it.0);
    found.or_else(sloppy).or_else(|| first_unplaced(ir)).or_else(|| first_odd_shape(ir))
}

pub(crate) fn name_of(ir: &FileIr, key: Key) -> &str {
    match key {
        Key::Name(name) => ir.name(name),
        _ => "",
    }
}

fn bends(ir: &FileIr, inst: Inst) -> bool {
    match inst {
        Inst::Get { key, .. } => matches!(name_of(ir, key.get()), "__proto__" | "hasInstance"),
        Inst::Set { object, key, value } => match name_of(ir, key.get()) {
            "prepareStackTrace" => true,
            _ if ir.inst(object) == Inst::ImportMeta => true,
            "__proto__" => {
                let is_new = matches!(ir.inst(value), Inst::Literal(_) | Inst::Await(_));
                ir.inst(object) != Inst::Object || !is_new
            }
            _ => is_global_object_load(ir, object) || is_own_prototype(ir, object),
        },
        Inst::CallMethod { object, method, args } => {
            let Inst::Get { key, .. } = ir.inst(method) else { return false };
            let args = ir.args(args);
            let first = args.first().map(|&it| ir.inst(it));
            let of = is_reflection(ir, object);
            let changes = match name_of(ir, key.get()) {
                "create" => of && !matches!(first, Some(Inst::Literal(Literal::Null))),
                // A class mends its own instance that way.
                "setPrototypeOf" => of && first != Some(Inst::This),
                _ => false,
            };
            let reaches = |it: &InstId| is_global_object_load(ir, *it) || is_own_prototype(ir, *it);
            changes || (of && args.iter().any(reaches))
        }
        _ => false,
    }
}

/// The first class that extends one of the file whose constructor returns something else: its fields are put on
/// that.
fn first_swap(ir: &FileIr) -> Option<InstId> {
    let returning: Vec<bool> = ir.classes.iter().map(|it| gives_other(ir, it)).collect();
    let swaps = |inst: &Inst| {
        let Inst::Class(class) = *inst else { return false };
        let parent = ir.class(class).super_class.map(|it| ir.inst(it));
        let Some(Inst::LoadVar(var)) = parent else { return false };
        ir.variable(var).class.is_some_and(|it| returning[it.index()])
    };
    ir.insts.iter().position(swaps).map(InstId::new)
}

/// Whether a function may return an object that is not its `this`.
pub(crate) fn returns_other(ir: &FileIr, function: FunctionId) -> bool {
    let body = ir.function(function);
    FileIr::range(body.first, body.end).any(|it| match ir.inst(it) {
        Inst::Return(value) => !matches!(ir.inst(value), Inst::This | Inst::Literal(_)),
        _ => false,
    })
}

/// The variables of a file that hold what everything shares.
#[derive(Default)]
struct Shared {
    /// `process` itself.
    processes: FxHashSet<VarId>,
    /// A list of it, as `process.argv` is.
    lists: FxHashSet<VarId>,
    /// `Buffer`.
    buffers: FxHashSet<VarId>,
    /// Modules of the platform as a whole.
    modules: FxHashSet<VarId>,
    /// What they export: `constants` of `os`.
    members: FxHashSet<VarId>,
    /// Classes that others of the file extend.
    parents: FxHashSet<VarId>,
}

impl Shared {
    fn of(ir: &FileIr) -> Self {
        let mut found = Self::default();
        for it in &ir.imports {
            let module = without_prefix(ir.name(ir.request(it.request).specifier));
            let into = match (module, it.imported) {
                ("process", Imported::Name(name)) if WITH_A_PLACE.contains(&ir.name(name)) => {
                    continue;
                }
                ("process", Imported::Name(_)) => &mut found.lists,
                ("process", _) => &mut found.processes,
                ("buffer", Imported::Name(name)) if ir.name(name) == "Buffer" => &mut found.buffers,
                _ if ir.request(it.request).resolution != Resolution::Builtin => continue,
                (_, Imported::Name(_)) => &mut found.members,
                _ => &mut found.modules,
            };
            into.insert(it.local);
        }
        for inst in &ir.insts {
            let Inst::StoreVar { var, value } = *inst else { continue };
            let into = match ir.inst(value) {
                Inst::Require(it) if ir.request(it).resolution == Resolution::Builtin => {
                    &mut found.modules
                }
                Inst::Get { .. } if found.is_member(ir, value) => &mut found.members,
                Inst::Get { .. } if found.is_list(ir, value) => &mut found.lists,
                _ => continue,
            };
            into.insert(var);
        }
        let parents = ir.classes.iter().filter_map(|it| match ir.inst(it.super_class?) {
            Inst::LoadVar(var) => ir.variable(var).class.map(|_| var),
            _ => None,
        });
        found.parents.extend(parents);
        found
    }

    /// Whether an instruction changes what objects inherit, what they are converted to, or state of the language
    /// and the platform that nobody has to name to go by it: `Buffer.poolSize`, `Error.stackTraceLimit`,
    /// `process.argv`.
    fn bends_later(&self, ir: &FileIr, inst: Inst) -> bool {
        match inst {
            Inst::Set { object, key, .. } | Inst::Delete { object, key } => {
                let name = name_of(ir, key.get());
                let converts = match key.get() {
                    Key::Name(_) => name == "prototype" || CONVERTING.contains(&name),
                    Key::Private(_) => false,
                    Key::Computed(key) => is_well_known_symbol(ir, key),
                };
                let is_new = matches!(ir.inst(object), Inst::Object | Inst::Class(_));
                (converts && !is_new)
                    || self.is_inherited(ir, object)
                    || self.is_platform(ir, object, name)
            }
            Inst::CallMethod { object, method, args } => {
                let Inst::Get { key, .. } = ir.inst(method) else { return false };
                let reaches = |it: &InstId| {
                    self.is_platform(ir, *it, "")
                        || self.is_process(ir, *it)
                        || self.is_inherited(ir, *it)
                };
                let name = name_of(ir, key.get());
                (CHANGING.contains(&name)
                    && (self.is_list(ir, object) || self.is_member(ir, object)))
                    || name == "inherits"
                    || (is_reflection(ir, object) && ir.args(args).first().is_some_and(reaches))
            }
            _ => false,
        }
    }

    /// Whether other objects inherit what an object has: a prototype, a class that another one of the file
    /// extends.
    fn is_inherited(&self, ir: &FileIr, object: InstId) -> bool {
        match ir.inst(object) {
            Inst::Get { .. } => is_prototype(ir, object),
            Inst::CallMethod { method, .. } => {
                matches!(ir.inst(method), Inst::Get { key, .. }
                    if name_of(ir, key.get()) == "getPrototypeOf")
            }
            Inst::LoadVar(var) => self.parents.contains(&var),
            _ => false,
        }
    }

    /// Whether a member of an object is state of the language or the platform.
    fn is_platform(&self, ir: &FileIr, object: InstId, member: &str) -> bool {
        match ir.inst(object) {
            Inst::LoadGlobal(name) => match ir.name(name) {
                "Buffer" | "Error" => true,
                "module" => member != "exports",
                _ => false,
            },
            Inst::LoadVar(var) if self.buffers.contains(&var) => true,
            _ => {
                self.is_member(ir, object)
                    || !WITH_A_PLACE.contains(&member) && self.is_list(ir, object)
            }
        }
    }

    /// What a module of the platform exports: `http.STATUS_CODES`.
    fn is_member(&self, ir: &FileIr, value: InstId) -> bool {
        match ir.inst(value) {
            Inst::LoadVar(var) => self.members.contains(&var),
            Inst::Get { object, .. } => match ir.inst(object) {
                Inst::LoadVar(var) => self.modules.contains(&var),
                Inst::Require(it) => ir.request(it).resolution == Resolution::Builtin,
                _ => false,
            },
            _ => false,
        }
    }

    fn is_process(&self, ir: &FileIr, value: InstId) -> bool {
        match ir.inst(value) {
            Inst::LoadGlobal(name) => ir.name(name) == "process",
            Inst::LoadVar(var) => self.processes.contains(&var),
            _ => false,
        }
    }

    /// `process.argv`, or a variable that holds it.
    fn is_list(&self, ir: &FileIr, value: InstId) -> bool {
        match ir.inst(value) {
            Inst::LoadVar(var) => self.lists.contains(&var),
            Inst::Get { object, key } => {
                self.is_process(ir, object) && !WITH_A_PLACE.contains(&name_of(ir, key.get()))
            }
            _ => false,
        }
    }
}

/// `Symbol.name`
pub(crate) fn is_well_known_symbol(ir: &FileIr, key: InstId) -> bool {
    matches!(ir.inst(key), Inst::Get { object, .. }
        if matches!(ir.inst(object), Inst::LoadGlobal(name) if ir.name(name) == "Symbol"))
}

/// `Object`, `Reflect`
fn is_reflection(ir: &FileIr, object: InstId) -> bool {
    matches!(ir.inst(object), Inst::LoadGlobal(it)
        if matches!(ir.name(it), "Object" | "Reflect"))
}

/// `Account.prototype`
pub(crate) fn is_prototype(ir: &FileIr, value: InstId) -> bool {
    matches!(ir.inst(value), Inst::Get { key, .. } if name_of(ir, key.get()) == "prototype")
}

/// `Array.prototype`: of a class that no file declares.
pub(crate) fn is_own_prototype(ir: &FileIr, value: InstId) -> bool {
    is_prototype(ir, value)
        && matches!(ir.inst(value), Inst::Get { object, .. }
            if matches!(ir.inst(object), Inst::LoadGlobal(_)))
}
