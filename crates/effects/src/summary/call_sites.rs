//! Which instructions call each function, and which properties the program gives a value: what the call
//! graph alone tells.

use headstart_callgraph::{AbstractObject, FunctionRef, InstRef, PathKey};
use headstart_ir::{Inst, InstId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Summaries;
use super::row::arguments;

/// How many callers of callers are looked at.
const MOST_CALLERS: usize = 1000;

/// The calls of a program, by what they call, once somebody has asked.
#[derive(Debug, Default)]
pub(crate) struct CallSites {
    /// The properties that the program gives a value somewhere.
    pub(super) given: FxHashSet<PathKey>,
    /// The instructions that call each function.
    callers: FxHashMap<FunctionRef, Vec<InstRef>>,
}

impl CallSites {
    fn of(all: &Summaries<'_>) -> Self {
        let mut sites = Self::default();
        for (file, ir) in (0..).zip(all.graph.files()) {
            for inst in (0..ir.insts.len()).map(InstId::new) {
                let at = InstRef { file, inst };
                if let Inst::Set { key, .. } = ir.inst(inst) {
                    sites.given.insert(all.graph.key(file, key));
                }
                all.graph.for_each_function(at, &mut |callee| {
                    sites.callers.entry(callee).or_default().push(at);
                });
                for callee in all.reacting(at) {
                    sites.callers.entry(callee).or_default().push(at);
                }
            }
        }
        sites
    }
}

impl Summaries<'_> {
    pub(super) fn call_sites(&self) -> &CallSites {
        self.call_sites.get_or_init(|| CallSites::of(self))
    }

    /// The instructions that may call a function.
    #[must_use]
    pub fn callers(&self, function: FunctionRef) -> &[InstRef] {
        self.call_sites().callers.get(&function).map_or(&[], Vec::as_slice)
    }

    /// What a call gives its callees at a position, where it calls them itself: not by way of `bind` or `apply`.
    pub(super) fn given_at(&self, call: InstRef, position: u32) -> Option<InstRef> {
        let ir = self.graph.files()[call.file as usize];
        let at = |inst| InstRef { inst, ..call };
        let callee = match ir.inst(call.inst) {
            Inst::Call { callee, .. } | Inst::New { callee, .. } => callee,
            Inst::CallMethod { method, .. } => method,
            _ => return None,
        };
        let is_direct = self.graph.bound_at(at(callee)).is_none()
            && self.graph.callees(call).modelled.is_empty();
        let args = arguments(ir.inst(call.inst)).filter(|_| is_direct)?;
        ir.args(args).get(position as usize).map(|&it| at(it))
    }

    /// Whether a call may come to a function of the program, as far as a limited number of its callers shows.
    #[must_use]
    pub fn may_come_to(&self, call: InstRef, target: FunctionRef) -> bool {
        let callees = self.graph.callees(call);
        let (mut seen, mut comes) = (FxHashSet::default(), false);
        self.spread_to_callers(vec![(target, ())], |function, ()| {
            let is_new = !comes && seen.len() < MOST_CALLERS && seen.insert(function);
            comes |= is_new && callees.functions.contains(&function);
            is_new && !comes
        });
        comes
    }

    /// Hands on what is found in functions to all that call them, and to what calls those: as long as
    /// `note` says that it is news.
    pub(super) fn spread_to_callers<T: Copy>(
        &self,
        mut pending: Vec<(FunctionRef, T)>,
        mut note: impl FnMut(FunctionRef, T) -> bool,
    ) {
        while let Some((function, found)) = pending.pop() {
            if note(function, found) {
                let callers = self.callers(function).iter();
                pending.extend(callers.map(|&at| (self.graph.function_at(at), found)));
            }
        }
    }

    /// The functions that are given to what is taken for a promise, though nobody knows it.
    pub(super) fn reacting(&self, call: InstRef) -> Vec<FunctionRef> {
        if self.named_reaction(call).is_none() || self.graph.callees(call).obstacle().is_none() {
            return Vec::new();
        }
        let ir = self.graph.files()[call.file as usize];
        let Inst::CallMethod { args, .. } = ir.inst(call.inst) else { return Vec::new() };
        let objects =
            ir.args(args).iter().flat_map(|&inst| self.graph.objects(InstRef { inst, ..call }));
        let functions = objects.filter_map(|it| match it {
            AbstractObject::Function(function) => Some(function),
            _ => None,
        });
        functions.collect()
    }
}
