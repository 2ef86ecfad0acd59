//! What classes of the program extend, as far as their text says.

use headstart_ir::{ArgsId, ClassId, Inst, Key as IrKey, Literal};
use rustc_hash::FxHashSet;

use crate::solver::Solver;
use crate::types::LONGEST_TYPE;
use crate::typing::Meaning;

/// What the platform's own methods may be on, beside what it makes itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extension {
    /// Nothing is extended.
    None,
    /// A class of the program that extends nothing, or another such.
    OfProgram,
    /// Something else, which may be of the platform.
    OfPlatform,
}

/// The classes that others of the program extend.
#[derive(Debug, Default)]
pub(crate) struct Extended {
    named: FxHashSet<(usize, ClassId)>,
    /// Whether one extends something that nobody can name, which may be any of them.
    may_be_any: bool,
}

impl Extended {
    fn of(solver: &Solver<'_>) -> Self {
        let mut found = Self::default();
        for (file, ir) in solver.files.iter().enumerate() {
            for class in (0..ir.classes.len()).map(ClassId::new) {
                match solver.class_extended(file, class, LONGEST_TYPE) {
                    Some(Meaning::Class(of, parent)) => {
                        found.named.insert((of, parent));
                    }
                    Some(_) => {}
                    None => {
                        found.may_be_any |= ir.class(class).super_class.is_some_and(|it| {
                            matches!(
                                ir.inst(it),
                                Inst::LoadVar(_) | Inst::Call { .. } | Inst::CallMethod { .. }
                            )
                        });
                    }
                }
            }
        }
        found
    }
}

impl Solver<'_> {
    /// What a class of the program extends.
    pub(crate) fn extension(&self, class: u32) -> Extension {
        if self.sets_prototypes {
            return Extension::OfPlatform;
        }
        if self.parents[class as usize].is_none() {
            return Extension::None;
        }
        let (mut file, mut class) = self.numbering.class_of(class);
        for _ in 0..LONGEST_TYPE {
            if self.files[file].class(class).super_class.is_none() {
                return Extension::OfProgram;
            }
            match self.class_extended(file, class, LONGEST_TYPE) {
                Some(Meaning::Class(outer, parent)) => (file, class) = (outer, parent),
                _ => return Extension::OfPlatform,
            }
        }
        Extension::OfPlatform
    }

    /// Whether an object is given the prototype that `new` has given it (`Object.setPrototypeOf(this,
    /// new.target.prototype)`, which classes that extend errors need under ES5), or none.
    pub(crate) fn restores_prototype(&self, file: usize, args: ArgsId) -> bool {
        let ir = self.files[file];
        let &[object, prototype] = ir.args(args) else { return false };
        let of = match ir.inst(prototype) {
            Inst::Literal(Literal::Null) => return true,
            Inst::Get { object, key } => match key.get() {
                IrKey::Name(name) if ir.name(name) == "prototype" => ir.inst(object),
                _ => return false,
            },
            _ => return false,
        };
        let Some((at, class)) = self.class_of_this(file, object) else { return false };
        match of {
            Inst::NewTarget => true,
            Inst::LoadVar(var) => {
                at == file && ir.variable(var).class == Some(class) && !self.is_extended(at, class)
            }
            _ => false,
        }
    }

    /// Whether a class of the program extends a class, or one that nobody can name.
    fn is_extended(&self, file: usize, class: ClassId) -> bool {
        let extended = self.extended.get_or_init(|| Extended::of(self));
        extended.may_be_any || extended.named.contains(&(file, class))
    }
}
