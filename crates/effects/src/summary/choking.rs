//! Instructions that throw because of what a value is: a symbol or an object without a text is put into one, numbers of
//! the two kinds are put together, what is no function is called.

use headstart_callgraph::{InstRef, Native};
use headstart_ir::{FileIr, Inst, InstId, Key, Literal};
use headstart_models::{Argument, PromiseKind};

use super::Summaries;
use crate::bent::{is_well_known_symbol, name_of};

/// Globals that browsers have, and other platforms perhaps not.
const NOT_EVERYWHERE: [&str; 3] = ["document", "navigator", "window"];

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
            Inst::Get { key, .. } => {
                matches!(key.get(), Key::Computed(key) if is_odd(key) && !is_well_known_symbol(ir, key))
            }
            Inst::Set { object, key, value } => {
                name_of(ir, key.get()) == "length"
                    && self.graph.may_be_of_type(of(object), "ecmascript", "Array")
                    && !matches!(ir.inst(value), Inst::Literal(_))
            }
            Inst::Spread(value) | Inst::Iterate(value) => self.graph.may_be_no_iterable(of(value)),
            Inst::New { callee, .. } => self.graph.may_be_no_constructor(of(callee)),
            Inst::Call { callee, args } => {
                self.graph.may_be_no_function(of(callee))
                    || self.graph.may_be_class(of(callee))
                    || self.refuses_arguments(at, ir.args(args))
            }
            Inst::CallMethod { method, args, .. } => {
                let is_pattern = |&it: &InstId| {
                    self.graph.may_be_of_type(of(it), "ecmascript", "RegExp")
                        && matches!(ir.inst(method), Inst::Get { key, .. }
                            if WITHOUT_PATTERN.contains(&name_of(ir, key.get())))
                };
                let args = ir.args(args);
                self.graph.may_be_no_function(of(method))
                    || args.iter().any(is_pattern)
                    || self.refuses_arguments(at, args)
            }
            _ => false,
        }
    }

    /// Whether something of the language or the platform that is called does not take what it is given.
    fn refuses_arguments(&self, at: InstRef, args: &[InstId]) -> bool {
        let of = |inst: InstId| InstRef { inst, ..at };
        let refuses = |(kind, &arg): (&Argument, &InstId)| match kind {
            Argument::Function => self.graph.may_be_no_function(of(arg)),
            Argument::Primitive | Argument::String | Argument::OptionalString => {
                let is_odd = self.odd.without_text || self.odd.big_integers;
                is_odd && !self.is_written(of(arg))
            }
            _ => false,
        };
        self.callees(at).modelled.iter().any(|member| match member.call {
            // What it returns a promise for, that is rejected for.
            Some(row) => {
                row.promise == PromiseKind::No && row.arguments.iter().zip(args).any(refuses)
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
        Self { without_text: has(makes_textless), big_integers: has(makes_big) }
    }
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
        _ => false,
    }
}
