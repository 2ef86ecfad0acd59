//! Modules and methods that a test runner puts something in the place of: `vi.mock("./x")`, `vi.spyOn(service, "load")`,
//! `sinon.stub(service, "load")`, `mock.method(service, "load")`. What is there then, the test decides.

use headstart_ir::{FileIr, Inst, InstId, Key as IrKey, Literal, RequestKind, Resolution};
use rustc_hash::FxHashSet;

use crate::flow::Constraint;
use crate::ids::Key;
use crate::object::Cause;
use crate::solver::Solver;

impl Solver<'_> {
    /// Notes what a call replaces, where it is one of a test runner.
    pub(crate) fn note_spied(&mut self, file: usize, call: InstId) {
        let ir = self.files[file];
        let Inst::CallMethod { object, method, args } = ir.inst(call) else { return };
        let &[spied, ref rest @ ..] = ir.args(args) else { return };
        if !is_spying(ir, object, method) {
            return;
        }
        let key = match rest.first().map(|&it| ir.inst(it)) {
            Some(Inst::Literal(Literal::String(name))) => self.names.key(ir.name(name)),
            _ => Key::DYNAMIC,
        };
        let (holder, from) = (self.value(file, spied), self.flow.node());
        self.give_unknown(from, Cause::Mocked);
        let origin = self.numbering.inst(file, call);
        self.constrain(holder, Constraint::Store { key, from, origin });
    }
}

/// The files that test runners are told to replace.
pub(crate) fn mocked(files: &[&FileIr]) -> FxHashSet<usize> {
    let requests = files.iter().flat_map(|ir| &ir.requests);
    let mocked = requests.filter(|it| it.kind == RequestKind::Mocked);
    mocked
        .filter_map(|it| match it.resolution {
            Resolution::File(to) => Some(to.0 as usize),
            _ => None,
        })
        .collect()
}

fn is_spying(ir: &FileIr, object: InstId, method: InstId) -> bool {
    let Some(method) = name_of(ir, method) else { return false };
    let runner = name_of(ir, object).unwrap_or_default();
    match method {
        "spyOn" | "spyOnProperty" => true,
        "stub" | "replace" | "replaceGetter" | "spy" => {
            matches!(runner, "sinon" | "sandbox" | "sinonSandbox")
        }
        "method" | "getter" | "setter" | "property" => runner == "mock",
        "replaceProperty" => runner == "jest",
        _ => false,
    }
}

/// The name that something is read by.
fn name_of(ir: &FileIr, value: InstId) -> Option<&str> {
    match ir.inst(value) {
        Inst::LoadGlobal(name) => Some(ir.name(name)),
        Inst::LoadVar(var) => Some(ir.name(ir.variable(var).name)),
        Inst::Get { key, .. } => match key.get() {
            IrKey::Name(name) => Some(ir.name(name)),
            IrKey::Private(_) | IrKey::Computed(_) => None,
        },
        _ => None,
    }
}
