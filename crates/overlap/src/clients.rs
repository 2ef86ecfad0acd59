//! Operations of clients that may have been given code which runs inside them (trap 27), and methods that
//! somebody may have replaced.

use headstart_callgraph::Handing;
use headstart_effects::{Assumption, Code, Doubt, Elsewhere, OpenHook, Reason, Topic, TopicKind};
use headstart_ir::{InstId, Span};

use crate::unit::Scope;

impl Scope<'_, '_> {
    /// What it takes for the operations among some instructions to be what their models say, where
    /// nobody knows what their clients were made with.
    pub(crate) fn no_code_within(&self, range: (InstId, InstId), span: Span) -> Option<Assumption> {
        let open = self.summaries.open_hook(self.at(), range)?;
        let file = open.at.file as usize;
        let of_client = self.summaries.graph.files()[file].span(open.at.inst);
        let reason = match open.doubt {
            Doubt::Options => Code::ClientRunsNoCode.with(&[&open.module]),
            Doubt::Handed => Code::NobodyReachesIntoClient.with(&[&open.module]),
            Doubt::Observed => Code::AroundItOnlyLooksOn.with(&[&open.module]),
            Doubt::Replaced => Code::NothingInItsPlace.into(),
            Doubt::Server => Code::NotAnsweredByTheProgram.into(),
            Doubt::InOtherHands(how) => left_alone(how, open),
        };
        let elsewhere = vec![Elsewhere { file, span: of_client }];
        let mut topic = Topic::said(&reason);
        // What a client was made with, its author has written; all else nearly always is as it seems.
        let is_usual = open.doubt != Doubt::Options;
        if let (true, TopicKind::Said(all)) = (is_usual, &topic.kind) {
            topic.kind = TopicKind::Left(all.clone());
        }
        Some(Assumption { elsewhere, ..Assumption::new(reason, span) }.on(topic))
    }
}

/// That what unknown code was handed, or is put over it, is left as it is.
fn left_alone(how: Handing, handed: &OpenHook) -> Reason {
    let named = |name: &str, else_it_is: &str| match name {
        "" => else_it_is.to_owned(),
        name => format!("`{name}`"),
    };
    let by = |else_it_is| named(&handed.module, else_it_is);
    let of = |else_it_is| named(handed.member.as_deref().unwrap_or_default(), else_it_is);
    let (given, decorator) = (|| of("what it is given"), || by("that is written there"));
    match how {
        Handing::Given => {
            Code::LeavesWhatItIsGiven.with(&[&by("code that nobody knows"), &given()])
        }
        Handing::Extended => Code::LeavesWhatExtendsIt.with(&[&by("what it extends"), &given()]),
        Handing::Decorated => Code::DecoratorLeavesIt.with(&[&decorator(), &given()]),
        Handing::CopiedOver => Code::CopiedReplacesNoMethods.with(&[&of("an object")]),
        Handing::Stored => Code::ComputedKeysReplaceNoMethods.with(&[&of("a class")]),
        Handing::Field => Code::DecoratorRunsNoCode.with(&[&decorator(), &of("the property")]),
    }
}
