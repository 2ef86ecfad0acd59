//! Methods in whose place the program puts others while it runs: `db.query = (text) => …`. Calling one reads the
//! place that it stands in (paper 1, section 4.2: REF of the receiver's property).

use headstart_callgraph::{CallGraph, InstRef, Modelled, Native};
use headstart_ir::{FileIr, Inst, InstId, Key, Literal};
use rustc_hash::FxHashSet;

use super::Summaries;
use crate::bent::name_of;
use crate::facts::ProgramFacts;

/// What puts properties on an object under names that are listed in another one, or handed over.
const SETTERS: [&str; 8] = [
    "assign",
    "create",
    "defineProperties",
    "defineProperty",
    "deleteProperty",
    "extend",
    "set",
    "setPrototypeOf",
];

/// How many instructions an object literal is looked for in.
const LONGEST_LITERAL: usize = 2000;

/// The names under which the program puts something into objects that are there already.
#[derive(Default)]
struct Given<'p> {
    names: FxHashSet<&'p str>,
    /// Whether it does so under names that are worked out.
    any: bool,
}

impl<'p> Given<'p> {
    fn of(files: &'p [&'p FileIr], facts: &ProgramFacts) -> Self {
        let mut given = Self::default();
        for (file, ir) in files.iter().enumerate() {
            // What a module exports is there when others have loaded it, unless it loads them first.
            let is_in_cycle = facts.is_in_cycle(file);
            for (index, &inst) in ir.insts.iter().enumerate() {
                let is_loading = || ir.is_at_top(InstId::new(index));
                if is_in_cycle || !is_export(ir, inst) || !is_loading() {
                    given.note(ir, inst);
                }
            }
        }
        given
    }

    fn note(&mut self, ir: &'p FileIr, inst: Inst) {
        match inst {
            Inst::Set { object, key, value } if ir.inst(object) != Inst::Object => {
                self.note_key(ir, key.get(), Some(value));
            }
            Inst::Delete { key, .. } => self.note_key(ir, key.get(), None),
            Inst::CallMethod { method, args, .. } => {
                let Inst::Get { key, .. } = ir.inst(method) else { return };
                let Key::Name(name) = key.get() else { return };
                if SETTERS.contains(&ir.name(name)) {
                    ir.args(args).iter().for_each(|&it| self.note_argument(ir, it));
                }
            }
            _ => {}
        }
    }

    fn note_key(&mut self, ir: &'p FileIr, key: Key, value: Option<InstId>) {
        match key {
            Key::Name(name) | Key::Private(name) => {
                self.names.insert(ir.name(name));
            }
            Key::Computed(key) => match ir.inst(key) {
                Inst::Literal(Literal::String(name)) => {
                    self.names.insert(ir.name(name));
                }
                Inst::Literal(_) => {}
                _ => self.any |= value.is_none_or(|it| !matches!(ir.inst(it), Inst::Literal(_))),
            },
        }
    }

    /// A name that is handed over, or an object whose properties are.
    fn note_argument(&mut self, ir: &'p FileIr, arg: InstId) {
        match ir.inst(arg) {
            Inst::Literal(Literal::String(name)) => {
                self.names.insert(ir.name(name));
            }
            Inst::Object => {
                for inst in ir.insts.iter().skip(arg.index()).take(LONGEST_LITERAL) {
                    if let Inst::Set { object, key, .. } = *inst
                        && object == arg
                    {
                        self.note_key(ir, key.get(), None);
                    }
                }
            }
            Inst::Literal(_) => {}
            _ => self.any = true,
        }
    }
}

/// Stands for all names of fields, where it is not known which.
const ANY_FIELD: &str = "*";

/// The names of fields that the program assigns of objects of the platform, or of modules: `process.exitCode`.
pub(super) fn platform_fields<'p>(graph: &CallGraph<'p>) -> FxHashSet<&'p str> {
    let mut names = FxHashSet::default();
    for (file, ir) in (0..).zip(graph.files()) {
        let stores = |it: &Modelled<'_>| it.native.is_some_and(Native::stores_in_argument);
        for (index, inst) in ir.insts.iter().enumerate() {
            if let Inst::Set { object, key, .. } | Inst::Delete { object, key } = *inst
                && let Key::Name(name) = key.get()
                && matches!(
                    ir.inst(object),
                    Inst::LoadGlobal(_) | Inst::LoadVar(_) | Inst::Get { .. }
                )
                && graph.is_fixed_value(InstRef { file, inst: object })
            {
                names.insert(ir.name(name));
            }
            if let Inst::Call { args, .. } | Inst::CallMethod { args, .. } = *inst
                && let [object, ..] = ir.args(args)
                && graph.may_be_platform(InstRef { file, inst: *object })
                && let call = (InstRef { file, inst: InstId::new(index) })
                && graph.callees(call).modelled.iter().any(stores)
            {
                names.insert(ANY_FIELD);
            }
        }
    }
    names
}

impl Summaries<'_> {
    /// Whether the program assigns a field of this name of an object of the platform, or may.
    pub(super) fn is_platform_field(&self, name: &str) -> bool {
        self.platform_fields.contains(name) || self.platform_fields.contains(ANY_FIELD)
    }
}

/// The members of objects that models call constant and that the program assigns, or defines anew:
/// `stream.path = …`.
pub(super) fn assigned_members(graph: &CallGraph<'_>) -> FxHashSet<headstart_callgraph::PathKey> {
    let mut keys = FxHashSet::default();
    for (file, ir) in (0..).zip(graph.files()) {
        for inst in &ir.insts {
            let (object, name) = match *inst {
                Inst::Set { object, key, .. } | Inst::Delete { object, key } => match key.get() {
                    Key::Name(name) => (object, name),
                    Key::Private(_) | Key::Computed(_) => continue,
                },
                // `Object.defineProperty(blob, "type", …)`, `Reflect.set(stream, "path", …)`
                Inst::Call { args, .. } | Inst::CallMethod { args, .. } => match ir.args(args) {
                    [object, key, ..] => match ir.inst(*key) {
                        Inst::Literal(Literal::String(name)) => (*object, name),
                        _ => continue,
                    },
                    _ => continue,
                },
                _ => continue,
            };
            let name = ir.name(name);
            if graph.may_be_constant_member(InstRef { file, inst: object }, name) {
                keys.insert(graph.key_named(name));
            }
        }
    }
    keys
}

/// Whether something is put on what a CommonJS module exports: `exports.open = …`, `module.exports.open = …`.
fn is_export(ir: &FileIr, inst: Inst) -> bool {
    let Inst::Set { object, .. } = inst else { return false };
    match ir.inst(object) {
        Inst::LoadGlobal(name) => ir.name(name) == "exports",
        Inst::Get { object, key } => {
            name_of(ir, key.get()) == "exports"
                && matches!(ir.inst(object), Inst::LoadGlobal(name) if ir.name(name) == "module")
        }
        _ => false,
    }
}

/// The reads of methods that are called right away, but for those under names that are given to objects which are
/// there already, and one of several where such names are worked out.
pub(super) fn steady_methods(graph: &CallGraph<'_>, facts: &ProgramFacts) -> FxHashSet<InstRef> {
    let given = Given::of(graph.files(), facts);
    let is_steady = |ir: &FileIr, at: InstRef| match ir.inst(at.inst) {
        Inst::Get { key, .. } => match key.get() {
            // What is put there later may not be there yet.
            Key::Name(name) | Key::Private(name) => {
                let is_given = given.names.contains(ir.name(name));
                !(is_given || given.any && graph.is_one_of_several(at))
            }
            Key::Computed(_) => false,
        },
        _ => true,
    };
    let of_file = |(file, ir): (u32, &&FileIr)| {
        let reads = ir.method_reads().map(move |inst| InstRef { file, inst });
        reads.filter(|&it| is_steady(ir, it)).collect::<Vec<_>>()
    };
    (0..).zip(graph.files()).flat_map(of_file).collect()
}
