//! Decorators that nobody knows. One of the program is called like any function, and what it returns goes
//! where the front end says ([`Decoration`]).

use headstart_ir::{Decorated, Decoration, FileIr, Inst};
use rustc_hash::FxHashMap;

use crate::ids::{Numbering, SiteId};
use crate::object::{Cause, Kind};
use crate::solver::Solver;

/// The calls of decorators, by the numbers of their instructions.
pub(crate) fn decorations<'p>(
    files: &'p [&'p FileIr],
    numbering: &Numbering,
) -> FxHashMap<u32, &'p Decoration> {
    let of_file = |(file, ir): (usize, &'p &'p FileIr)| {
        ir.decorations.iter().map(move |it| (numbering.inst(file, it.call), it))
    };
    files.iter().enumerate().flat_map(of_file).collect()
}

impl<'p> Solver<'p> {
    /// Whether a call is one of a decorator that may do anything; then that is taken care of.
    pub(crate) fn decorate(&mut self, site: SiteId, decorator: Kind<'p>) -> bool {
        let origin = self.site(site).origin;
        let Some(&decoration) = self.decorations.get(&origin) else { return false };
        let is_unknown = match decorator {
            Kind::Unknown(_) | Kind::Data | Kind::Described(..) => true,
            Kind::Member(member) => self.members.get(member).call(false).is_none(),
            _ => false,
        };
        if !is_unknown {
            return false;
        }
        let Some(at) = self.numbering.inst_of(origin) else { return false };
        let file = at.file as usize;
        let (replaced, function) = match decoration.target {
            // What unknown code makes of a class is told by who has it in their hands.
            Decorated::Class(_) => (false, None),
            Decorated::Field { function, .. } => (false, function),
            Decorated::Method(function) => (true, Some(function)),
        };
        if let Some(function) = function {
            let function = self.number_of(file, function);
            self.give(self.escaped, Kind::Function(function));
        }
        if replaced {
            let name = decoration.name.map_or("", |it| self.files[file].name(it));
            let result = self.site(site).result;
            self.give_unknown(result, Cause::Decorated(name));
        }
        true
    }

    /// The decorators of a class's members under whose keys nobody knows what reading and writing runs:
    /// those of fields and accessors, but for those that certainly return nothing.
    pub(crate) fn decorated_fields(&self) -> Vec<(u32, &'p Decoration)> {
        let mut found: Vec<(u32, &'p Decoration)> = Vec::new();
        for (&origin, &decoration) in &self.decorations {
            let Decorated::Field { .. } = decoration.target else { continue };
            if !self.is_understood(origin) {
                found.push((origin, decoration));
            }
        }
        found.sort_unstable_by_key(|it| it.0);
        found
    }

    /// Whether a decorator is one of the program, and returns nothing.
    fn is_understood(&self, origin: u32) -> bool {
        let Some(at) = self.numbering.inst_of(origin) else { return false };
        let ir = self.files[at.file as usize];
        let Inst::Call { callee, .. } = ir.inst(at.inst) else { return false };
        let value = |inst| self.values[self.numbering.inst(at.file as usize, inst) as usize];
        let mut callees = self.flow.objects(value(callee)).peekable();
        callees.peek().is_some()
            && callees.all(|it| matches!(self.objects.kind(it), Kind::Function(_)))
            && self.flow.is_empty(value(at.inst))
    }
}
