//! Functions and classes whose text a program reads, as what runs it somewhere else does: a worker, another realm, `eval`.
//! They stay as they are (`docs/call-sites.md`, "What stays as it is"): what they would mention is not there.

use headstart_callgraph::{AbstractObject, CallGraph, ClassRef, FunctionRef, InstRef, ObjectId};
use headstart_ir::{FileIr, FunctionKind, Inst, InstId, Key, Literal};

/// Where functions and classes begin whose text may be read: the number of the file, and the place.
pub(crate) fn read_texts(graph: &CallGraph<'_>, irs: &[&FileIr]) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    for (file, ir) in (0..).zip(irs) {
        for (index, inst) in ir.insts.iter().enumerate() {
            for value in read_by(ir, InstId::new(index), *inst) {
                let objects = objects(graph, irs, InstRef { file, inst: value });
                found.extend(objects.into_iter().filter_map(|it| place(irs, it)));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The values of which an instruction reads the text.
fn read_by(ir: &FileIr, at: InstId, inst: Inst) -> Vec<InstId> {
    match inst {
        Inst::Template(parts) => ir.args(parts).to_vec(),
        // Sums of numbers are not told apart from those of texts, but for what is one.
        Inst::Operator { left, right, plus: true, .. }
            if is_text(ir, left) || is_text(ir, right) =>
        {
            vec![left, right]
        }
        Inst::Call { callee, args } if is_string(ir, callee) => ir.args(args).to_vec(),
        Inst::CallMethod { object, args, .. } => match ir.method_call(at) {
            Some((_, "toString")) => vec![object],
            Some((_, "call" | "apply")) if reads(ir, object, "toString") => {
                ir.args(args).iter().copied().take(1).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// What a value may be. That of a variable is followed only where something is done with it that leads to calls, and a conversion is
/// nothing such.
fn objects(graph: &CallGraph<'_>, irs: &[&FileIr], at: InstRef) -> Vec<AbstractObject> {
    let known = |all: Vec<ObjectId>| all.into_iter().map(|it| graph.object(it)).collect();
    let Inst::LoadVar(var) = irs[at.file as usize].inst(at.inst) else {
        return known(graph.value_objects(at));
    };
    let (file, var) = graph.imported(at.file, var).unwrap_or((at.file, var));
    let ir = irs[file as usize];
    match ir.initial_value(var).map(|it| ir.inst(it)) {
        Some(Inst::Closure(function)) => {
            vec![AbstractObject::Function(FunctionRef { file, function })]
        }
        Some(Inst::Class(class)) => vec![AbstractObject::Class(ClassRef { file, class })],
        Some(Inst::Param(position)) => {
            let function = ir.variable(var).owner;
            known(graph.parameter_objects(FunctionRef { file, function }, position))
        }
        _ => known(graph.variable_objects(file, var)),
    }
}

/// Whether a value is a text, or a sum that begins or ends with one.
fn is_text(ir: &FileIr, value: InstId) -> bool {
    let is_one = |it: InstId| {
        matches!(
            ir.inst(it),
            Inst::Template(_) | Inst::Literal(Literal::String(_) | Literal::LongString)
        )
    };
    match ir.inst(value) {
        Inst::Operator { left, right, plus: true, .. } => is_one(left) || is_one(right),
        _ => is_one(value),
    }
}

fn is_string(ir: &FileIr, callee: InstId) -> bool {
    matches!(ir.inst(callee), Inst::LoadGlobal(name) if ir.name(name) == "String")
}

/// Whether a value is what was read of a property.
fn reads(ir: &FileIr, value: InstId, property: &str) -> bool {
    let Inst::Get { key, .. } = ir.inst(value) else { return false };
    matches!(key.get(), Key::Name(name) if ir.name(name) == property)
}

fn place(irs: &[&FileIr], object: AbstractObject) -> Option<(usize, u32)> {
    match object {
        AbstractObject::Function(it) => {
            let file = it.file as usize;
            let function = irs.get(file)?.function(it.function);
            // That is taken from its class only where nobody knows what is: any value may be one.
            (function.kind != FunctionKind::Method).then_some((file, function.span.start))
        }
        AbstractObject::Class(it) => {
            let file = it.file as usize;
            Some((file, irs.get(file)?.class(it.class).span.start))
        }
        _ => None,
    }
}
