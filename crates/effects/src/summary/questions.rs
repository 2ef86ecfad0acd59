//! What a person could say that would make more known: of which functions of the program nobody knows what they do,
//! and how many awaits stand beside calls of them.

use headstart_callgraph::{Callees, FunctionRef, InstRef};
use headstart_ir::{FunctionId, FunctionKind, Inst, InstId};

use super::Summaries;
use super::steps::Step;

/// How far it is followed through calls where what is not known begins.
const LONGEST_WAY: usize = 12;

/// A call in a function with awaits that may do anything, and that nothing can be taken for granted of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Open {
    /// The call, or what else runs code.
    pub at: InstRef,
    /// The function of the program that a person could be asked about: the last one on the way to what is not known;
    /// none where there is no such function.
    pub about: Option<FunctionRef>,
    /// What is not known in that function.
    pub cause: InstRef,
}

impl Summaries<'_> {
    /// The calls in a function that may do anything, and that nothing can be taken for granted of.
    #[must_use]
    pub fn open_in(&self, function: FunctionRef) -> Vec<Open> {
        let data = self.graph.files()[function.file as usize].function(function.function);
        let steps = self.steps(function, data.first, data.end);
        let open = steps.iter().filter(|it| is_open(it));
        open.map(|it| self.open_at(function, InstRef { file: function.file, inst: it.at }))
            .collect()
    }

    /// The way from a call to what is not known.
    fn open_at(&self, caller: FunctionRef, at: InstRef) -> Open {
        let mut open = Open { at, about: None, cause: at };
        let mut inner = at;
        let mut seen = vec![caller];
        while seen.len() < LONGEST_WAY {
            let Some(function) = self.open_callee(self.callees(inner), &seen) else { break };
            seen.push(function);
            let ir = self.graph.files()[function.file as usize];
            let is_open_at = |&&inst: &&InstId| {
                let next = InstId::new(inst.index() + 1);
                self.steps(function, inst, next).iter().any(|it| is_open(it))
            };
            let all = &self.of(function).anything;
            let cause = all.iter().find(is_open_at).or_else(|| all.first()).copied();
            inner = InstRef {
                file: function.file,
                inst: cause.unwrap_or(ir.function(function.function).first),
            };
            if self.is_askable(function) {
                open = Open { about: Some(function), cause: inner, ..open };
            }
        }
        open
    }

    /// A function that a call runs, that may do anything, and that nothing can be taken for granted of.
    fn open_callee(&self, callees: &Callees<'_>, seen: &[FunctionRef]) -> Option<FunctionRef> {
        let all = callees.functions.iter().chain(&callees.callbacks).copied();
        let is_open = |it: &FunctionRef| {
            let summary = self.called(*it);
            summary.is_anything() && summary.assumption().is_none() && !seen.contains(it)
        };
        all.into_iter().find(is_open)
    }

    /// Whether a person could say what a function does: it has a name, and does the same whatever it is handed to call.
    fn is_askable(&self, function: FunctionRef) -> bool {
        let ir = self.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        let is_member = || {
            ir.classes.iter().any(|it| it.members.iter().any(|it| it.function == function.function))
        };
        let is_code = !matches!(data.kind, FunctionKind::FieldInit | FunctionKind::StaticInit);
        function.function != FunctionId::new(0)
            && is_code
            && (data.name.is_some() || is_member())
            && !self.bare.contains_key(&function)
            && !self.answers.contains_key(&function)
    }

    /// The awaits of a function.
    #[must_use]
    pub fn count_awaits(&self, function: FunctionRef) -> usize {
        let ir = self.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        let all = headstart_ir::FileIr::range(data.first, data.end);
        all.filter(|&it| matches!(ir.inst(it), Inst::Await(_) | Inst::IterateAsync(_))).count()
    }
}

/// Whether an instruction may do anything, and nothing can be taken for granted of it.
fn is_open(step: &Step) -> bool {
    step.is_anything && step.assumed.is_none()
}
