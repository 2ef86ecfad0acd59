//! Objects that a function gets from code that nobody knows, and changes: `const found = await api.find(id);
//! found.url = url; return found`. They are hardly ever anyone else's, which nobody knows.

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_ir::{FileIr, Inst, InstId, VarKind};

use super::place::{Location, Place, Root};
use super::readers::callee;
use super::row::arguments;
use super::{Summaries, Summary};

/// Through how many steps it is looked where an object comes from.
const LONGEST_WAY: u32 = 8;

impl Summaries<'_> {
    /// Whether all that a call of functions of the program changes in what nobody knows is what they get themselves: not
    /// what they are handed, or are called on.
    #[must_use]
    pub fn changes_fetched(&self, call: InstRef) -> bool {
        let function = self.graph.function_at(call);
        if let Some(&known) = self.fetching.part(&function).get(&call) {
            return known;
        }
        let found = self.is_fetching(call, function);
        self.fetching.part(&function).insert(call, found);
        found
    }

    fn is_fetching(&self, call: InstRef, function: FunctionRef) -> bool {
        let ir = self.graph.files()[call.file as usize];
        let inst = ir.inst(call.inst);
        let (Some(args), callees) = (arguments(inst).map(|it| ir.args(it)), self.callees(call))
        else {
            return false;
        };
        let receiver = match inst {
            Inst::CallMethod { object, .. } => Some(object),
            _ => None,
        };
        let is_spread = args.iter().any(|&it| matches!(ir.inst(it), Inst::Spread(_)));
        // What else is called has no summary to look at.
        let are_known = !callees.functions.is_empty()
            && callees.modelled.is_empty()
            && callees.classes.is_empty()
            && callee(ir, call.inst)
                .is_none_or(|it| self.graph.bound_at(InstRef { inst: it, ..call }).is_none());
        let is_known = |value: Option<InstId>| {
            value.is_none_or(|it| !self.places_of(function, it).iter().any(Place::is_unknown))
        };
        are_known
            && callees.functions.iter().all(|&it| {
                // Errors that the program keeps are caught and changed, too.
                let summary = self.of(it);
                // Who gets nothing from such code changes something else: what the platform exports.
                (!written(summary).any(Place::is_unknown) || summary.is_anything())
                    && !summary.throws_shared
                    && !self.changes_shared(it)
                    && written(summary).all(|place| match place.root {
                        Root::Parameter(position) => {
                            !is_spread && is_known(args.get(position as usize).copied())
                        }
                        Root::This => is_known(receiver),
                        _ => true,
                    })
            })
    }
}

impl Summaries<'_> {
    /// Whether a function changes what others have by its nature, though nobody knows what it is: a member of a global or of an
    /// import, what is there for whoever asks (`storage.getStore()`).
    fn changes_shared(&self, function: FunctionRef) -> bool {
        let ir = self.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        FileIr::range(data.first, data.end).any(|it| match ir.inst(it) {
            Inst::Set { object, .. } => {
                is_there_for_all(ir, object, LONGEST_WAY)
                    && self.places_of(function, object).iter().any(Place::is_unknown)
            }
            _ => false,
        })
    }
}

fn is_there_for_all(ir: &FileIr, value: InstId, steps: u32) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return false };
    match ir.inst(value) {
        Inst::LoadGlobal(_) => true,
        Inst::LoadVar(var) => {
            ir.variable(var).kind == VarKind::Import
                || ir.initial_value(var).is_some_and(|it| is_there_for_all(ir, it, steps))
        }
        Inst::Get { object, .. } => is_there_for_all(ir, object, steps),
        Inst::Call { args, .. } | Inst::CallMethod { args, .. } => ir.args(args).is_empty(),
        _ => false,
    }
}

/// The places in memory that a function writes, if what is taken for granted of it holds.
fn written(summary: &Summary) -> impl Iterator<Item = &Place> {
    summary.effects().flat_map(|it| it.writes.iter()).filter_map(|it| match it {
        Location::Memory(place) => Some(place),
        Location::Resource(..) => None,
    })
}
