//! How far from a function a person is asked, or the program ended: what `getProject` asks itself is what it is for, and
//! nobody asks two people at once. What happens five calls further down, where a request is refused and somebody has to
//! log in again, is rare, and a finding can say that it takes it not to come to that.

use headstart_callgraph::InstRef;
use headstart_ir::{FileIr, Inst, InstId};
use rustc_hash::FxHashSet;

use super::names::is_question_name;
use super::readers::{callee, callee_name};

/// The modules of frameworks whose `redirect` throws, and asks nobody (Next.js, `redirect`; SvelteKit, `redirect`; React
/// Router, `redirect`).
const ROUTERS: [&str; 7] = [
    "@remix-run/node",
    "@remix-run/react",
    "@sveltejs/kit",
    "@tanstack/react-router",
    "next/navigation",
    "react-router",
    "react-router-dom",
];

/// From so many calls on it is far.
const FAR: u8 = 2;

/// Whether a function may ask a person, or end the program; the nearest way counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Asking {
    /// Its own code does.
    Itself,
    /// What it calls does, so many calls away, by way of this call.
    Calls(u8, InstRef),
    /// Nothing is known that does.
    #[default]
    Never,
}

impl Asking {
    /// What a function asks that is called here, as its caller sees it.
    pub(super) fn seen_by_caller(self, at: InstRef) -> Self {
        match self {
            Self::Itself => Self::Calls(1, at),
            Self::Calls(steps, _) => Self::Calls(steps.saturating_add(1), at),
            Self::Never => Self::Never,
        }
    }

    /// Whether that is what the function is for.
    pub(super) fn is_near(self) -> bool {
        match self {
            Self::Itself => true,
            Self::Calls(steps, _) => steps < FAR,
            Self::Never => false,
        }
    }

    /// The call by way of which it comes to that; none where it is near, or does not.
    pub(super) fn far(self) -> Option<InstRef> {
        match self {
            Self::Calls(_, at) if !self.is_near() => Some(at),
            _ => None,
        }
    }
}

/// The calls of each file that are written like a question to a person, or end the program.
pub(super) fn asking_calls(files: &[&FileIr]) -> FxHashSet<InstRef> {
    let mut found = FxHashSet::default();
    for (file, ir) in (0..).zip(files) {
        let all = (0..ir.insts.len()).map(InstId::new);
        let is_question = |it: &InstId| callee_name(ir, *it).is_some_and(is_question_name);
        let asking = all.filter(is_question).filter(|&it| !is_of_router(ir, it));
        found.extend(asking.map(|inst| InstRef { file, inst }));
    }
    found
}

/// Whether what is called comes from a router: `redirect("/login")`.
fn is_of_router(ir: &FileIr, call: InstId) -> bool {
    let Some(Inst::LoadVar(var)) = callee(ir, call).map(|it| ir.inst(it)) else { return false };
    let import = ir.import_of(var);
    import.is_some_and(|it| ROUTERS.contains(&ir.name(ir.request(it.request).specifier)))
}
