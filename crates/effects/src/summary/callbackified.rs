//! Functions whose failures callbacks are told of: what `util.callbackify` is given (documentation of Node,
//! "util.callbackify"). Such a callback is a caller that sees them fail (the contract, trap 32).

use headstart_callgraph::{AbstractObject, FunctionRef, InstRef, Modelled};
use rustc_hash::FxHashSet;

use super::Summaries;
use super::row::arguments;
use crate::facts::mentions;

const NAME: &str = "callbackify";

impl Summaries<'_> {
    /// Whether a callback is told where a function fails, and may do anything then.
    #[must_use]
    pub fn tells_callback(&self, function: FunctionRef) -> bool {
        self.callbackified.get_or_init(|| self.find_callbackified()).contains(&function)
    }

    fn find_callbackified(&self) -> FxHashSet<FunctionRef> {
        let files = self.graph.files();
        if !files.iter().any(|ir| mentions(ir, NAME)) {
            return FxHashSet::default();
        }
        let is_it = |it: &Modelled<'_>| self.graph.name(it).ends_with(NAME);
        let calls = (0..).zip(files).flat_map(|(file, _)| self.graph.calls(file));
        let calls = calls.filter(|&at| self.graph.callees(at).modelled.iter().any(is_it));
        let given = calls.filter_map(|at| {
            let ir = files[at.file as usize];
            let inst = *ir.args(arguments(ir.inst(at.inst))?).first()?;
            Some(InstRef { inst, ..at })
        });
        let functions = given.flat_map(|at| self.graph.objects(at));
        functions
            .filter_map(|it| match it {
                AbstractObject::Function(function) => Some(function),
                _ => None,
            })
            .collect()
    }
}
