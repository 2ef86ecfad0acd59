//! What evaluating a stretch of instructions reads, and what it takes for granted.

use headstart_ir::{FileIr, Inst, InstId, Key, PropKey};
use headstart_models::{Argument, PromiseKind, Resource, Throws};

use crate::api::FileAnalysis;
use crate::known::{Known, is_module_place};
use crate::location::{AccessPath, Assumption, Blocker, Location, Region, Root};

/// Globals of the platform that can be read without an effect.
const PLAIN_GLOBALS: [&str; 11] = [
    "__dirname",
    "__filename",
    "process",
    "globalThis",
    "NaN",
    "Infinity",
    "Math",
    "JSON",
    "Buffer",
    "URL",
    "Object",
];

/// The effects of a stretch of instructions that only computes: it reads, it writes nothing that
/// anyone else can see, it does not suspend.
#[derive(Clone, Debug, Default)]
pub struct Stretch {
    /// REF: what it reads, each with the instruction that does.
    pub refs: Vec<(Location, InstId)>,
    /// What has to hold for it to be free of effects and not to throw.
    pub assumptions: Vec<Assumption>,
}

impl FileAnalysis<'_> {
    /// The effects of the instructions from `first` up to `end`, not included.
    ///
    /// # Errors
    /// The first instruction that does more than compute.
    pub fn stretch(&self, first: InstId, end: InstId, known: &Known) -> Result<Stretch, Blocker> {
        let mut stretch = Stretch::default();
        for id in FileIr::range(first, end) {
            self.step(id, first, known, &mut stretch)?;
        }
        Ok(stretch)
    }

    fn step(
        &self,
        id: InstId,
        first: InstId,
        known: &Known,
        stretch: &mut Stretch,
    ) -> Result<(), Blocker> {
        let ir = self.ir;
        let span = ir.span(id);
        match ir.inst(id) {
            Inst::Literal(_)
            | Inst::Object
            | Inst::ImportMeta
            | Inst::Pure1(_)
            | Inst::Pure2(..)
            | Inst::Select(..)
            | Inst::Conditional { .. } => {}
            Inst::This => {}
            Inst::Array(args) => {
                if let Some(&spread) =
                    ir.args(args).iter().find(|&&it| matches!(ir.inst(it), Inst::Spread(_)))
                {
                    let span = ir.span(spread);
                    return Err(Blocker { text: "`{}` runs an iterator", span });
                }
            }
            Inst::LoadVar(var) => stretch.refs.push((Location::Variable(var), id)),
            Inst::LoadGlobal(name) if PLAIN_GLOBALS.contains(&ir.name(name)) => {}
            Inst::Convert(value) => self.conversion(value, known, stretch),
            Inst::Operator { left, right, .. } | Inst::Has { key: left, object: right } => {
                self.conversion(left, known, stretch);
                self.conversion(right, known, stretch);
            }
            Inst::Template(parts) => {
                for &part in ir.args(parts) {
                    self.conversion(part, known, stretch);
                }
            }
            Inst::Get { object, key } => self.property(id, object, key, stretch),
            // Building an object literal that the stretch itself creates.
            Inst::Set { object, .. } if object >= first && ir.inst(object) == Inst::Object => {}
            Inst::Call { callee, .. }
            | Inst::CallMethod { method: callee, .. }
            | Inst::New { callee, .. } => {
                self.computing_call(id, callee, known, stretch)?;
            }
            _ => {
                return Err(Blocker { text: "`{}` may do anything", span });
            }
        }
        Ok(())
    }

    fn conversion(&self, value: InstId, known: &Known, stretch: &mut Stretch) {
        if !known.is_primitive(self, value) {
            stretch.assumptions.push(Assumption {
                text: "converting `{}` to a string runs no code of its own and does not throw",
                span: self.ir.span(value),
            });
        }
    }

    fn property(&self, id: InstId, object: InstId, key: PropKey, stretch: &mut Stretch) {
        if self.is_platform_member(id) || is_module_place(self.ir, object, key.get()) {
            return;
        }
        stretch.refs.push((Location::Property(self.access_path(id)), id));
        stretch.assumptions.push(Assumption {
            text: "`{}` is a plain property of an object that is there, and nothing changes it in \
                   the meantime",
            span: self.ir.span(id),
        });
    }

    /// The access path that a value is read by.
    #[must_use]
    pub fn access_path(&self, value: InstId) -> AccessPath {
        match self.ir.inst(value) {
            Inst::LoadVar(var) => AccessPath::new(Root::Variable(var)),
            Inst::LoadGlobal(name) => AccessPath::new(Root::Global(name)),
            Inst::This => AccessPath::new(Root::This),
            Inst::Get { object, key } => {
                let key = match key.get() {
                    Key::Name(name) | Key::Private(name) => Some(name),
                    Key::Computed(_) => None,
                };
                self.access_path(object).then(key)
            }
            _ => AccessPath::new(Root::Value(value)),
        }
    }

    /// A call is part of a computation where its model says that it only computes.
    fn computing_call(
        &self,
        call: InstId,
        callee: InstId,
        known: &Known,
        stretch: &mut Stretch,
    ) -> Result<(), Blocker> {
        let operation = self.operation(call, known)?;
        let reads_ambient =
            |it: &Region| matches!(it.resource, Resource::WorkingDirectory | Resource::Environment);
        let computes = operation.changes_nothing()
            && operation.model.promise == PromiseKind::No
            && operation.reads.iter().all(reads_ambient);
        if !computes {
            let span = self.ir.span(callee);
            return Err(Blocker { text: "`{}` does more than compute", span });
        }
        stretch.refs.extend(operation.reads.iter().map(|&it| (Location::Region(it), call)));
        stretch.assumptions.extend(operation.assumptions);
        if operation.model.throws == Throws::May {
            stretch
                .assumptions
                .push(Assumption { text: "`{}` does not throw", span: self.ir.span(call) });
        }
        if operation.reads.iter().any(|it| it.resource == Resource::Environment) {
            stretch.assumptions.push(Assumption {
                text: "nothing changes the environment that `{}` reads",
                span: self.ir.span(call),
            });
        }
        if operation.model.throws != Throws::Never {
            let (Inst::Call { args, .. } | Inst::CallMethod { args, .. } | Inst::New { args, .. }) =
                self.ir.inst(call)
            else {
                return Ok(());
            };
            let needed = operation.model.arguments.iter().filter(|it| **it == Argument::String);
            if self.ir.args(args).len() < needed.count() {
                let span = self.ir.span(call);
                stretch.assumptions.push(Assumption { text: "`{}` does not throw", span });
            }
            for (position, &argument) in self.ir.args(args).iter().enumerate() {
                let kind =
                    operation.model.arguments.get(position).or(operation.model.rest.as_ref());
                let may_throw = matches!(kind, Some(Argument::String | Argument::OptionalString));
                if may_throw && !known.is_string(self, argument) {
                    stretch.assumptions.push(Assumption {
                        text: "`{}` is a string",
                        span: self.ir.span(argument),
                    });
                }
            }
        }
        Ok(())
    }
}
