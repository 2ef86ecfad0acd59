//! Operations of clients that may have been given code which runs inside them (trap 27), and methods that
//! somebody may have replaced.

use headstart_callgraph::Handing;
use headstart_effects::{Assumption, Doubt, Elsewhere, OpenHook, Topic, TopicKind};
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
            Doubt::InOtherHands(how) => left_alone(how, open),
        };
        let elsewhere = vec![Elsewhere { file, span: of_client }];
        let mut topic = Topic::said(&text);
        // What a client was made with, its author has written; all else nearly always is as it seems.
        let is_usual = open.doubt != Doubt::Options;
        if let (true, TopicKind::Said(text)) = (is_usual, &topic.kind) {
            topic.kind = TopicKind::Left(text.clone());
        }
        Some(Assumption { elsewhere, ..Assumption::new(text, span) }.on(topic))
    }
}

/// That what unknown code was handed, or is put over it, is left as it is.
fn left_alone(how: Handing, handed: &OpenHook) -> String {
    let named = |name: &str, else_it_is: &str| match name {
        "" => else_it_is.to_owned(),
        name => format!("`{name}`"),
    };
    let of = named(handed.member.as_deref().unwrap_or_default(), "what it is given");
    let decorator = named(&handed.module, "that is written there");
    match how {
        Handing::Given => {
            let by = named(&handed.module, "code that nobody knows");
            format!("{by} leaves the methods and properties of {of} as they are")
        }
        Handing::Extended => {
            let by = named(&handed.module, "what it extends");
            format!("{by} leaves the methods and properties of {of}, which extends it, as they are")
        }
        Handing::Decorated => {
            format!(
                "the decorator {decorator} leaves the methods and properties of {of} as they are"
            )
        }
        Handing::CopiedOver => {
            let of = named(handed.member.as_deref().unwrap_or_default(), "an object");
            format!("what is copied over {of} has no methods that take the place of its own")
        }
        Handing::Field => {
            let of = named(handed.member.as_deref().unwrap_or_default(), "the property");
            format!("the decorator {decorator} has no code run where {of} is read or written")
        }
    }
}
