//! The helpers that count how deep calls are.

use super::{Names, Runtime, Turn};

impl Runtime {
    /// The counter of how deep calls are. Where files share it, it is a property: of a function, until the file has run.
    pub(super) fn depth_source(&self) -> String {
        let Names { depth, shared, .. } = &self.names;
        if !self.shares_depth {
            return format!("var {depth} = 0; ");
        }
        format!(
            "function {depth}() {{}} {depth} = {shared}(\"headstart.depth\", () => ({{ depth: 0, chain: 0 }})); "
        )
    }

    pub(super) fn turn_source(&self) -> String {
        let Names { turn: Turn { turn, chain }, .. } = &self.names;
        let depth = self.counter();
        let calls = crate::depth::CALLS - 1;
        let most = crate::depth::MOST_CALLS;
        let declared = if self.shares_depth { String::new() } else { format!("var {chain} = 0; ") };
        format!(
            "{declared}function {turn}() {{ \
             const calls = {chain} + ({depth} & {calls}) + 1; \
             if (calls > {most}) try {{ [].length = -1; }} \
             catch (error) {{ throw new error.constructor(\"Maximum call stack size exceeded\"); }} \
             return calls; }} "
        )
    }
}
