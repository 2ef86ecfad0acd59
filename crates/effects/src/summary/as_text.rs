//! Functions whose source may be taken as a text and run elsewhere, without what the file around them
//! declares: `new Worker(`(${work})()`, { eval: true })`, `page.evaluate(() => …)`.

use headstart_callgraph::{AbstractObject, FunctionRef, InstRef, Start};
use headstart_ir::{ArgsId, FileIr, FunctionId, Inst, InstId, Key, VarId, VarKind};
use rustc_hash::FxHashSet;

use super::Summaries;

/// What makes a text of what it is given, or runs that.
const TAKERS: [&str; 6] = ["String", "Function", "Blob", "Worker", "SharedWorker", "eval"];

/// The functions of the program that are converted to texts somewhere.
fn find_converted(summaries: &Summaries<'_>) -> FxHashSet<FunctionRef> {
    let mut found = FxHashSet::default();
    let graph = &summaries.graph;
    for (file, ir) in (0u32..).zip(graph.files()) {
        let mut note = |inst: InstId| {
            let functions = objects(summaries, InstRef { file, inst });
            found.extend(functions.iter().filter_map(|it| match *it {
                AbstractObject::Function(function) => Some(function),
                _ => None,
            }));
        };
        for inst in &ir.insts {
            match *inst {
                Inst::Template(parts) => ir.args(parts).iter().for_each(|&it| note(it)),
                Inst::Operator { left, right, plus: true, .. } => {
                    [left, right].into_iter().for_each(&mut note)
                }
                Inst::Call { callee, args } | Inst::New { callee, args }
                    if is_global(ir, callee, &TAKERS) =>
                {
                    handed(ir, args, &mut note);
                }
                Inst::CallMethod { object, method, args } => match method_name(ir, method) {
                    Some("toString") => note(object),
                    Some("call" | "apply") if method_name(ir, object) == Some("toString") => {
                        handed(ir, args, &mut note);
                    }
                    Some("apply") if is_global(ir, object, &["Reflect"]) => {
                        handed(ir, args, &mut note);
                    }
                    Some("concat") => handed(ir, args, &mut note),
                    Some("join") => {
                        if let Inst::Array(elements) = ir.inst(object) {
                            ir.args(elements).iter().for_each(|&it| note(it));
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }
    found
}

/// What a value may be. The call graph has nothing for the reading of a variable that nothing flows on from:
/// what is in the variable it has.
fn objects(summaries: &Summaries<'_>, at: InstRef) -> Vec<AbstractObject> {
    let graph = &summaries.graph;
    let of_value = graph.objects(at);
    let ir = graph.files()[at.file as usize];
    match ir.inst(at.inst) {
        Inst::LoadVar(var) if of_value.is_empty() => {
            let (file, var) = declared(summaries, at.file, var);
            graph.reached(Start::Variable(file, var), &[]).to_vec()
        }
        _ => of_value,
    }
}

/// What a call is given, and the elements of lists that are written out there.
fn handed(ir: &FileIr, args: ArgsId, note: &mut impl FnMut(InstId)) {
    for &arg in ir.args(args) {
        note(arg);
        if let Inst::Array(elements) = ir.inst(arg) {
            ir.args(elements).iter().for_each(|&it| note(it));
        }
    }
}

fn is_global(ir: &FileIr, callee: InstId, names: &[&str]) -> bool {
    match ir.inst(callee) {
        Inst::LoadGlobal(name) => names.contains(&ir.name(name)),
        Inst::LoadVar(var) => names.contains(&ir.name(ir.variable(var).name)),
        _ => false,
    }
}

fn method_name(ir: &FileIr, method: InstId) -> Option<&str> {
    let Inst::Get { key, .. } = ir.inst(method) else { return None };
    match key.get() {
        Key::Name(name) => Some(ir.name(name)),
        Key::Private(_) | Key::Computed(_) => None,
    }
}

/// The variables of the program, each with its file, that are read for more than to call what is in them.
fn find_values(summaries: &Summaries<'_>) -> FxHashSet<(u32, VarId)> {
    let mut found = FxHashSet::default();
    for (file, ir) in (0u32..).zip(summaries.graph.files()) {
        let called: FxHashSet<InstId> = ir
            .insts
            .iter()
            .filter_map(|inst| match *inst {
                Inst::Call { callee, .. } => Some(callee),
                _ => None,
            })
            .collect();
        for id in (0..ir.insts.len()).map(InstId::new) {
            if let Inst::LoadVar(var) = ir.inst(id)
                && !called.contains(&id)
            {
                found.insert(declared(summaries, file, var));
            }
        }
    }
    found
}

/// Where a variable is declared that a file may only import.
fn declared(summaries: &Summaries<'_>, file: u32, var: VarId) -> (u32, VarId) {
    let graph = &summaries.graph;
    match graph.files()[file as usize].variable(var).kind {
        VarKind::Import => graph.imported(file, var).unwrap_or((file, var)),
        _ => (file, var),
    }
}

/// What is taken as a text, or may be, in the whole program.
#[derive(Debug)]
pub(crate) struct Texts {
    /// The functions that are converted to texts somewhere.
    converted: FxHashSet<FunctionRef>,
    /// The variables that are read for more than to call what is in them.
    values: FxHashSet<(u32, VarId)>,
}

impl Summaries<'_> {
    fn texts(&self) -> &Texts {
        let find = || Texts { converted: find_converted(self), values: find_values(self) };
        self.texts.get_or_init(find)
    }

    /// Whether the source of a function, or of one around it, may be taken as a text: it is converted to one
    /// somewhere, or code that nobody knows has it in its hands.
    #[must_use]
    pub fn may_run_elsewhere(&self, function: FunctionRef) -> bool {
        let ir = self.graph.files()[function.file as usize];
        let mut next = Some(function.function);
        while let Some(it) = next {
            let around = FunctionRef { function: it, ..function };
            if self.texts().converted.contains(&around) || self.is_handed_out(ir, around) {
                return true;
            }
            next = ir.function(it).parent;
        }
        false
    }

    /// Whether unknown code has got hold of the value of a function.
    fn is_handed_out(&self, ir: &FileIr, function: FunctionRef) -> bool {
        let Some(parent) = ir.function(function.function).parent else { return false };
        let parent = ir.function(parent);
        let is_it = |it: FunctionId| it == function.function;
        FileIr::range(parent.first, parent.end).any(|inst| {
            let at = InstRef { file: function.file, inst };
            // Who only calls it does not hand it out.
            let is_kept = match ir.insts.get(inst.index() + 1) {
                Some(&Inst::StoreVar { var, value }) if value == inst => {
                    !self.texts().values.contains(&(function.file, var))
                }
                _ => false,
            };
            !is_kept
                && matches!(ir.inst(inst), Inst::Closure(it) if is_it(it))
                && self.graph.value_objects(at).iter().any(|&it| self.graph.is_in_other_hands(it))
        })
    }
}
