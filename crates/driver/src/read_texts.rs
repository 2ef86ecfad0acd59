//! Functions and classes whose text a program reads, as what runs it somewhere else does: a worker, another realm, `eval`.
//! They stay as they are (`docs/call-sites.md`, "What stays as it is"): what they would mention is not there.

use headstart_callgraph::{AbstractObject, CallGraph, ClassRef, FunctionRef, InstRef, ObjectId};
use headstart_ir::{FileIr, FunctionKind, Inst, InstId, Key, Literal};
use headstart_overhead::CARRIES_TEXT;

/// How many functions a value may be for which it is believed that it is one: more are most likely anything.
const FEW: usize = 4;
/// The same of methods, of which there are many under one computed name.
const SOME: usize = 8;

/// Where functions and classes begin whose text may be read: the number of the file, and the place.
pub(crate) fn read_texts(graph: &CallGraph<'_>, irs: &[&FileIr]) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    for (file, ir) in (0..).zip(irs) {
        for (index, inst) in ir.insts.iter().enumerate() {
            let at = InstRef { file, inst: InstId::new(index) };
            let (values, is_certain) = read_by(graph, ir, at, *inst);
            for value in values {
                let objects = objects(graph, irs, InstRef { file, inst: value });
                found.extend(believed(irs, objects, (ir, value), is_certain));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The values of which an instruction reads the text, and whether that is what it does for certain.
fn read_by(graph: &CallGraph<'_>, ir: &FileIr, at: InstRef, inst: Inst) -> (Vec<InstId>, bool) {
    match inst {
        Inst::Template(parts) => (ir.args(parts).to_vec(), true),
        // Sums of numbers are not told apart from those of texts, but for what is one.
        Inst::Operator { left, right, plus: true, .. } => {
            (vec![left, right], is_text(ir, left) || is_text(ir, right))
        }
        Inst::Call { callee, args } if is_string(ir, callee) => (ir.args(args).to_vec(), true),
        Inst::CallMethod { object, args, .. } => {
            let list = ir.args(args);
            let values = match ir.method_call(at.inst).map(|it| it.1) {
                Some("toString") => vec![object],
                Some("call" | "apply") if reads(ir, object, "toString") => {
                    list.iter().copied().take(1).collect()
                }
                // V8 cuts a stack at the frame of the function that it is given.
                Some("captureStackTrace") => list.to_vec(),
                Some(name) if CARRIES_TEXT.contains(&name) && is_outside(graph, at) => {
                    list.to_vec()
                }
                _ => Vec::new(),
            };
            (values, true)
        }
        _ => (Vec::new(), true),
    }
}

/// Whether a call reaches nothing of the program.
fn is_outside(graph: &CallGraph<'_>, call: InstRef) -> bool {
    graph.callees(call).functions.is_empty()
}

/// Where what is read begins, of what it may be, as far as that is likely: nothing, where a value may be very many functions.
fn believed(
    irs: &[&FileIr],
    objects: Vec<AbstractObject>,
    (ir, value): (&FileIr, InstId),
    is_certain: bool,
) -> Vec<(usize, u32)> {
    let is_method = |it: &AbstractObject| match it {
        AbstractObject::Function(it) => {
            irs[it.file as usize].function(it.function).kind == FunctionKind::Method
        }
        _ => false,
    };
    let own_name = |it: &AbstractObject| match it {
        AbstractObject::Function(it) => {
            let file = irs[it.file as usize];
            file.function(it.function).name.is_some_and(|name| reads(ir, value, file.name(name)))
        }
        _ => false,
    };
    let (methods, others): (Vec<_>, Vec<_>) = objects.into_iter().partition(is_method);
    let methods = methods.iter().filter(|it| methods.len() <= SOME || own_name(it));
    let methods = methods.filter(|_| is_certain).copied().collect::<Vec<_>>();
    let others = if is_certain || others.len() <= FEW { others } else { Vec::new() };
    methods.into_iter().chain(others).filter_map(|it| place(irs, it)).collect()
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
            Some((file, irs.get(file)?.function(it.function).span.start))
        }
        AbstractObject::Class(it) => {
            let file = it.file as usize;
            Some((file, irs.get(file)?.class(it.class).span.start))
        }
        _ => None,
    }
}
