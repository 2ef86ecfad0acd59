//! What the calls of async functions take of the stack, as far as the IR shows.
//!
//! The program's call graph says which functions count how deep they are; between two that count may lie others,
//! of any file. A register of V8 is a word: each value that a function computes is taken to need one, and each of its
//! variables two, as it notes them where it hands over.

use headstart_callgraph::FunctionRef;
use headstart_ir::{FileIr, Inst};
use headstart_overhead::EACH;
use rustc_hash::FxHashMap;

/// The frames of some functions, by their numbers.
pub(crate) struct Frames(Vec<Frame>);

struct Frame {
    /// Whether the function awaits something: it counts in front of the first statement that does.
    awaits: bool,
    /// Nothing where a call in it has as many arguments as a list has elements.
    words: Option<u32>,
}

impl Frames {
    pub(crate) fn new(irs: &[&FileIr], functions: &[FunctionRef]) -> Self {
        let mut variables: FxHashMap<FunctionRef, u32> = FxHashMap::default();
        for (file, ir) in (0..).zip(irs) {
            for it in &ir.variables {
                *variables.entry(FunctionRef { file, function: it.owner }).or_default() += 1;
            }
        }
        let frame = |at: &FunctionRef| {
            let variables = variables.get(at).copied().unwrap_or_default();
            frame(irs[at.file as usize], *at, variables)
        };
        Self(functions.iter().map(frame).collect())
    }

    /// Whether a function can count how deep it is. What is no function cannot.
    pub(crate) fn can_count(&self, number: usize) -> bool {
        self.0.get(number).is_some_and(|it| it.awaits)
    }

    /// The words that a call takes at most, about; `None` where that has no bound. What is no function takes none.
    pub(crate) fn words(&self, number: usize) -> Option<u32> {
        self.0.get(number).map_or(Some(0), |it| it.words)
    }
}

fn frame(ir: &FileIr, at: FunctionRef, variables: u32) -> Frame {
    let function = ir.function(at.function);
    let (mut awaits, mut spreads, mut values) = (false, false, EACH);
    for id in FileIr::range(function.first, function.end) {
        values = values.saturating_add(1);
        awaits |= matches!(ir.inst(id), Inst::Await(_));
        spreads |= match ir.inst(id) {
            Inst::Call { args, .. } | Inst::CallMethod { args, .. } => {
                ir.args(args).iter().any(|it| matches!(ir.inst(*it), Inst::Spread(_)))
                    || ir.method_call(id).is_some_and(|it| it.1 == "apply")
            }
            _ => false,
        };
    }
    let words = values.saturating_add(variables.saturating_mul(2));
    Frame { awaits, words: (!spreads).then_some(words) }
}
