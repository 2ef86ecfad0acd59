//! Operations of clients that may have been given code which runs inside them (trap 27).

use headstart_effects::{Assumption, Doubt, Elsewhere};
use headstart_ir::{InstId, Span};

use crate::unit::Scope;

impl Scope<'_, '_> {
    /// What it takes for the operations among some instructions to be what their models say, where
    /// nobody knows what their clients were made with.
    pub(crate) fn no_code_within(&self, range: (InstId, InstId), span: Span) -> Option<Assumption> {
        let open = self.summaries.open_hook(self.at(), range)?;
        let file = open.at.file as usize;
        let of_client = self.summaries.graph.files()[file].span(open.at.inst);
        let text = match open.doubt {
            Doubt::Options => format!(
                "the options of the client of `{}` that `{{}}` uses hold no code which runs inside its operations",
                open.module
            ),
            Doubt::Handed => format!(
                "nobody who has got hold of a client of `{}` puts code into the operations that `{{}}` uses",
                open.module
            ),
            Doubt::Observed => format!(
                "what the program has put around the operations of `{}` that `{{}}` uses only looks on, or hands them on",
                open.module
            ),
            Doubt::Replaced => {
                "the program puts nothing else in the place of what `{}` calls".to_owned()
            }
            Doubt::Server => {
                "no request that `{}` makes to this machine is answered by the program itself"
                    .to_owned()
            }
        };
        let elsewhere = vec![Elsewhere { file, span: of_client }];
        Some(Assumption { elsewhere, ..Assumption::new(text, span) })
    }
}
