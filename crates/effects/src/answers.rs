//! What a person says that functions of the program do: the answers to `headstart ask`.

use headstart_callgraph::FunctionRef;
use rustc_hash::FxHashMap;

/// What a function does, whatever stands in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Does {
    /// It gives a result, and looks at nothing but what it is handed and what the program holds.
    Computes,
    /// It asks something outside the program besides, and changes nothing there.
    Reads,
    /// It writes lines of a log, or of telemetry, that nothing in the program reads.
    Logs,
    /// It does something else, or may: what its code says counts, and nobody asks again.
    Anything,
}

impl Does {
    /// All of them, each as configurations call it.
    pub const ALL: [(&str, Self); 4] = [
        ("computes", Self::Computes),
        ("reads", Self::Reads),
        ("logs", Self::Logs),
        ("anything", Self::Anything),
    ];
}

/// What a person says of functions of one program. It holds wherever the function is called; what its code is known
/// to write outside the program contradicts it (`Summaries::contradicted`).
pub type Answers = FxHashMap<FunctionRef, Does>;
