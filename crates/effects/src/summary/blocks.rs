//! Atomic blocks of `headstart-activities` (`docs/atomic.md`), and which functions run in one.

use headstart_callgraph::{AbstractObject, FunctionRef, InstRef};
use headstart_ir::{FileIr, Imported, Inst, InstId, Key, RequestId, VarId};
use rustc_hash::FxHashSet;

use super::Summaries;

/// The package that atomic blocks come from.
pub const ACTIVITIES: &str = "headstart-activities";

/// Whether a request is for it.
fn asks(ir: &FileIr, request: RequestId) -> bool {
    let specifier = ir.name(ir.request(request).specifier);
    specifier == ACTIVITIES
        || specifier.strip_prefix(ACTIVITIES).is_some_and(|it| it.starts_with('/'))
}

/// Whether a file takes anything from the package of atomic blocks.
#[must_use]
pub fn uses_activities(ir: &FileIr) -> bool {
    (0..ir.requests.len()).map(RequestId::new).any(|it| asks(ir, it))
}

/// Whether a variable is what the package calls `atomic`.
#[must_use]
pub fn is_atomic(ir: &FileIr, var: VarId) -> bool {
    let is_name = |key: Key| matches!(key, Key::Name(name) if ir.name(name) == "atomic");
    if let Some(import) = ir.import_of(var) {
        let is_it = matches!(import.imported, Imported::Name(name) if ir.name(name) == "atomic");
        return is_it && asks(ir, import.request);
    }
    let Some(Inst::Get { object, key }) = ir.initial_value(var).map(|it| ir.inst(it)) else {
        return false;
    };
    matches!(ir.inst(object), Inst::Require(request) if asks(ir, request)) && is_name(key.get())
}

/// Whether a call opens an atomic block.
#[must_use]
pub fn opens_block(ir: &FileIr, call: InstId) -> bool {
    match ir.inst(call) {
        Inst::Call { callee, .. } => {
            matches!(ir.inst(callee), Inst::LoadVar(var) if is_atomic(ir, var))
        }
        Inst::CallMethod { object, .. } => {
            let is_package = match ir.inst(object) {
                Inst::LoadVar(var) => ir.import_of(var).is_some_and(|it| asks(ir, it.request)),
                Inst::Require(request) => asks(ir, request),
                _ => false,
            };
            is_package && ir.method_call(call).is_some_and(|it| it.1 == "atomic")
        }
        _ => false,
    }
}

impl Summaries<'_> {
    /// Whether a function may run in an atomic block: what it starts and no longer waits for where something fails would
    /// outlive that.
    #[must_use]
    pub fn runs_in_block(&self, function: FunctionRef) -> bool {
        self.in_blocks.get_or_init(|| self.all_in_blocks()).contains(&function)
    }

    /// All that do.
    fn all_in_blocks(&self) -> FxHashSet<FunctionRef> {
        let mut pending = Vec::new();
        for (file, ir) in (0..).zip(self.graph.files()).filter(|it| uses_activities(it.1)) {
            let calls = (0..ir.insts.len()).map(InstId::new).filter(|&it| opens_block(ir, it));
            for call in calls {
                let (Inst::Call { args, .. } | Inst::CallMethod { args, .. }) = ir.inst(call)
                else {
                    continue;
                };
                let Some(&body) = ir.args(args).first() else { continue };
                let objects = self.graph.objects(InstRef { file, inst: body });
                pending.extend(objects.into_iter().filter_map(|it| match it {
                    AbstractObject::Function(it) => Some(it),
                    _ => None,
                }));
            }
        }
        self.led_to(pending, None)
    }
}
