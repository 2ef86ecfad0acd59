//! Instructions that throw because of what a value is: a symbol or an object without a text is put into one, numbers of
//! the two kinds are put together, what is no function is called.

use headstart_callgraph::{FunctionRef, InstRef, Native};
use headstart_ir::{FileIr, FunctionId, FunctionKind, Inst, InstId, Key, Literal, Type};
use headstart_models::{Argument, PromiseKind};

use super::Summaries;
use super::plain::NEED_A_FUNCTION;
use crate::bent::{is_own_prototype, is_well_known_symbol, name_of};
use crate::shapes::held;

/// Globals that browsers have, and other platforms perhaps not.
const NOT_EVERYWHERE: [&str; 3] = ["document", "navigator", "window"];

/// Classes of the language that only `new` calls.
const ONLY_NEW: [&str; 12] = [
    "ArrayBuffer",
    "DataView",
    "FinalizationRegistry",
    "Map",
    "Promise",
    "Proxy",
    "Set",
    "SharedArrayBuffer",
    "Uint8Array",
    "WeakMap",
    "WeakRef",
    "WeakSet",
];

/// Accessors of the language that only instances have.
const OF_INSTANCES: [&str; 6] = ["buffer", "byteLength", "description", "flags", "size", "source"];

/// Methods of texts that take no pattern.
const WITHOUT_PATTERN: [&str; 3] = ["endsWith", "includes", "startsWith"];

/// Globals that make big integers.
const BIG: [&str; 3] = ["BigInt", "BigInt64Array", "BigUint64Array"];

/// What a program makes that not everything can be done with.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Odd {
    /// Symbols, or objects that cannot be converted to a text.
    without_text: bool,
    big_integers: bool,
}

impl Summaries<'_> {
    /// Whether an instruction may throw because of what the program gives it. Of what comes from outside nothing
    /// is said.
    #[must_use]
    pub fn chokes(&self, at: InstRef) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let of = |inst: InstId| InstRef { inst, ..at };
        let is_odd = |inst: InstId| self.odd.without_text && !self.has_text(of(inst));
        match ir.inst(at.inst) {
            Inst::LoadGlobal(name) => NOT_EVERYWHERE.contains(&ir.name(name)),
            Inst::Template(parts) => ir.args(parts).iter().any(|&it| is_odd(it)),
            Inst::Operator { left, right, .. } => {
                is_odd(left) || is_odd(right) || self.may_mix(of(left), of(right))
            }
            Inst::Convert(value) => {
                is_odd(value) || self.odd.big_integers && !self.is_written(of(value))
            }
            Inst::Get { object, key } => {
                is_own_prototype(ir, object) && OF_INSTANCES.contains(&name_of(ir, key.get()))
                    || matches!(key.get(), Key::Computed(key) if is_odd(key) && !is_well_known_symbol(ir, key))
            }
            Inst::Set { object, key, value } => {
                name_of(ir, key.get()) == "length"
                    && (self.graph.may_be_of_type(of(object), "ecmascript", "Array")
                        && !matches!(ir.inst(value), Inst::Literal(_))
                        || self.is_string(of(object)))
            }
            Inst::Spread(value) | Inst::Iterate(value) => {
                self.graph.may_be_no_iterable(of(value))
                    || self.graph.may_be_own_object(of(value))
                        && self.callees(at).callbacks.is_empty()
            }
            Inst::New { callee, .. } => {
                let value = held(ir, callee).unwrap_or(ir.inst(callee));
                let is_bound = matches!(value, Inst::CallMethod { method, .. }
                    if matches!(ir.inst(method), Inst::Get { key, .. } if name_of(ir, key.get()) == "bind"));
                self.graph.may_be_no_constructor(of(callee)) || is_bound
            }
            Inst::Call { callee, args } => {
                self.graph.may_be_no_function(of(callee))
                    || self.graph.may_be_class(of(callee))
                    || self.is_taken_off(at, callee)
                    || self.refuses_arguments(at, ir.args(args))
            }
            Inst::CallMethod { object, method, args } => {
                let is_called = |among: &[&str]| {
                    matches!(ir.inst(method), Inst::Get { key, .. }
                        if among.contains(&name_of(ir, key.get())))
                };
                let is_pattern = |&it: &InstId| {
                    self.graph.may_be_of_type(of(it), "ecmascript", "RegExp")
                        && is_called(&WITHOUT_PATTERN)
                };
                let args = ir.args(args);
                self.graph.may_be_no_function(of(method))
                    || self.graph.may_be_class(of(method))
                    || is_own_prototype(ir, object)
                    || args.is_empty() && is_called(&NEED_A_FUNCTION)
                    || self.odd.without_text
                        && self.graph.is_text(of(object))
                        && args.iter().any(|&it| !self.has_text(of(it)))
                    || args.iter().any(is_pattern)
                    || self.refuses_arguments(at, args)
            }
            _ => false,
        }
    }

    /// Whether what is called may be a method that has been taken off its object, or a class of the language that only
    /// `new` calls.
    fn is_taken_off(&self, at: InstRef, callee: InstId) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let callees = self.callees(at);
        let is_method = |it: &FunctionRef| {
            let ir = self.graph.files()[it.file as usize];
            let function = ir.function(it.function);
            function.kind == FunctionKind::Method
                && FileIr::range(function.first, function.end).any(|it| ir.inst(it) == Inst::This)
        };
        let is_read = || matches!(held(ir, callee), Some(Inst::Get { .. }));
        callees.functions.iter().any(is_method)
            || matches!(ir.inst(callee), Inst::LoadGlobal(name) if ONLY_NEW.contains(&ir.name(name)))
            || callees.modelled.iter().any(|it| {
                it.module == "ecmascript"
                    && (is_read() || ONLY_NEW.contains(&self.graph.name(it).as_str()))
            })
    }

    /// Whether something of the language or the platform that is called does not take what it is given.
    fn refuses_arguments(&self, at: InstRef, args: &[InstId]) -> bool {
        let of = |inst: InstId| InstRef { inst, ..at };
        let refuses = |(kind, &arg): (&Argument, &InstId)| match kind {
            Argument::Function => {
                self.graph.may_be_no_function(of(arg)) || self.is_no_callback(of(arg))
            }
            Argument::Primitive | Argument::String | Argument::OptionalString => {
                let is_odd = self.odd.without_text || self.odd.big_integers;
                is_odd && !self.is_written(of(arg))
            }
            _ => false,
        };
        self.callees(at).modelled.iter().any(|member| match member.call {
            // What it returns a promise for, that is rejected for.
            Some(row) => {
                let kinds = row.arguments.iter().chain(row.rest.iter().cycle());
                row.promise == PromiseKind::No && kinds.zip(args).any(refuses)
            }
            None => match member.native {
                Some(Native::Join) => self.odd.without_text,
                Some(Native::Promisify) => {
                    args.first().is_none_or(|&it| self.graph.may_be_no_function(of(it)))
                }
                _ => false,
            },
        })
    }

    /// Whether a value is none that can be called back: nothing, or a class that only `new` calls.
    fn is_no_callback(&self, at: InstRef) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let is_none = |it: Inst| match it {
            Inst::Literal(_) => true,
            Inst::LoadGlobal(name) => {
                ir.name(name) == "undefined" || ONLY_NEW.contains(&ir.name(name))
            }
            _ => false,
        };
        self.graph.may_be_class(at)
            || is_none(ir.inst(at.inst))
            || held(ir, at.inst).is_some_and(is_none)
    }

    /// Whether a number of one kind may be put together with one of the other.
    fn may_mix(&self, left: InstRef, right: InstRef) -> bool {
        self.odd.big_integers
            && !(self.is_written(left) && self.is_written(right))
            && !(self.is_string(left) || self.is_string(right))
            && !(self.may_be_big_integer(left) && self.may_be_big_integer(right))
    }

    /// Whether a value certainly has a text: it is one, or a number.
    fn has_text(&self, at: InstRef) -> bool {
        let is_computed = matches!(
            self.graph.files()[at.file as usize].inst(at.inst),
            Inst::Operator { .. } | Inst::Convert(_) | Inst::Pure2(..) | Inst::Literal(_)
        );
        is_computed || self.is_string(at)
    }

    /// Whether a value is a text, or a number that is written where it is used.
    fn is_written(&self, at: InstRef) -> bool {
        let inst = self.graph.files()[at.file as usize].inst(at.inst);
        matches!(inst, Inst::Literal(it) if it != Literal::BigInt) || self.is_string(at)
    }

    fn is_string(&self, at: InstRef) -> bool {
        match self.graph.files()[at.file as usize].inst(at.inst) {
            Inst::Template(_) | Inst::Literal(Literal::String(_) | Literal::LongString) => true,
            _ => self.graph.is_text(at),
        }
    }
}

impl Odd {
    /// What some files make.
    pub(super) fn of(files: &[&FileIr]) -> Self {
        let has = |is_it: fn(&FileIr, Inst) -> bool| {
            files.iter().any(|ir| ir.insts.iter().any(|&inst| is_it(ir, inst)))
        };
        let without_text = has(makes_textless) || files.iter().any(|ir| handles_symbol(ir));
        let says_big = |ir: &&FileIr| ir.types.iter().any(|it| matches!(it, Type::BigInt));
        Self { without_text, big_integers: has(makes_big) || files.iter().any(says_big) }
    }
}

/// Whether a file does something with a symbol of the language but to use it as a key.
fn handles_symbol(ir: &FileIr) -> bool {
    let is_symbol = |it: InstId| {
        matches!(ir.inst(it), Inst::Get { object, .. }
            if matches!(ir.inst(object), Inst::LoadGlobal(name) if ir.name(name) == "Symbol"))
    };
    ir.insts.iter().any(|&inst| match inst {
        Inst::Get { object, .. } | Inst::Delete { object, .. } => is_symbol(object),
        Inst::Set { object, value, .. } => is_symbol(object) || is_symbol(value),
        Inst::CallMethod { object, args, .. } => {
            is_symbol(object) || ir.args(args).iter().any(|&it| is_symbol(it))
        }
        Inst::Accessor { .. } | Inst::Class(_) => false,
        inst => {
            let mut found = false;
            inst.for_each_operand(ir, &mut |it| found |= is_symbol(it));
            found
        }
    })
}

fn makes_big(ir: &FileIr, inst: Inst) -> bool {
    match inst {
        Inst::Literal(literal) => literal == Literal::BigInt,
        Inst::LoadGlobal(name) => BIG.contains(&ir.name(name)),
        _ => false,
    }
}

fn makes_textless(ir: &FileIr, inst: Inst) -> bool {
    let is_global = |it: InstId, wanted: &str| matches!(ir.inst(it), Inst::LoadGlobal(name) if ir.name(name) == wanted);
    match inst {
        Inst::Call { callee, .. } => is_global(callee, "Symbol"),
        Inst::CallMethod { object, method, .. } => {
            let is_create = || matches!(ir.inst(method), Inst::Get { key, .. } if name_of(ir, key.get()) == "create");
            is_global(object, "Symbol") || is_global(object, "Object") && is_create()
        }
        Inst::Get { object, key } => {
            is_global(object, "Symbol") && name_of(ir, key.get()) == "toPrimitive"
        }
        Inst::Set { object, key, value } => match name_of(ir, key.get()) {
            "__proto__" => ir.inst(object) == Inst::Object,
            "toString" | "valueOf" => gives_object(ir, value),
            _ => false,
        },
        Inst::Class(class) => {
            let class = ir.class(class);
            let is_nothing = |it: InstId| ir.inst(it) == Inst::Literal(Literal::Null);
            class.super_class.is_some_and(is_nothing)
                || class.members.iter().any(|it| {
                    matches!(name_of(ir, it.key.get()), "toString" | "valueOf")
                        && returns_object(ir, it.function)
                })
        }
        _ => false,
    }
}

/// Whether a value is a function that gives an object back.
fn gives_object(ir: &FileIr, value: InstId) -> bool {
    matches!(ir.inst(value), Inst::Closure(function) if returns_object(ir, function))
}

fn returns_object(ir: &FileIr, function: FunctionId) -> bool {
    let function = ir.function(function);
    FileIr::range(function.first, function.end).any(|it| match ir.inst(it) {
        Inst::Return(value) => {
            matches!(
                ir.inst(value),
                Inst::Object | Inst::Array(_) | Inst::This | Inst::New { .. } | Inst::Closure(_)
            )
        }
        _ => false,
    })
}
