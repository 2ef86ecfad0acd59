//! Which parameters of a function name what it writes: the path of a file, the key of a row.

use std::collections::BTreeSet;

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_effects::{FileAnalysis, Known, Region, Resource, Step, Summaries};
use headstart_ir::{FileIr, Inst, InstId, Key, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::naming::{DEEPEST, Written, parts, touches, writes};
use crate::words;

/// How deep functions are followed that call one another.
const MOST_CALLS: u32 = 4;

/// What makes a folder, and does nothing where it is there.
const MAKES_FOLDERS: [&str; 5] = ["ensureDir", "mkdir", "mkdirp", "mkdirP", "mkdirs"];

/// A parameter by its position, or what it has under a name.
pub(crate) type Named = (u32, Option<String>);

/// What a function reads and writes: for each use, the parameters that say what it uses.
#[derive(Default)]
pub(crate) struct Uses {
    pub(crate) read: Vec<BTreeSet<Named>>,
    pub(crate) written: Vec<BTreeSet<Named>>,
}

/// Looks through the functions of a program.
pub(crate) struct Naming<'a, 'p> {
    analysis: &'a FileAnalysis<'p>,
    summaries: &'a Summaries<'p>,
    kinds: &'a [Resource],
    seen: FxHashSet<FunctionRef>,
}

/// What in a function is made of its parameters.
struct Body<'p> {
    written: Written<'p>,
    /// What each variable holds that gets its value once.
    stores: FxHashMap<VarId, InstId>,
}

impl<'a, 'p> Naming<'a, 'p> {
    pub(crate) fn new(
        analysis: &'a FileAnalysis<'p>,
        summaries: &'a Summaries<'p>,
        kinds: &'a [Resource],
    ) -> Self {
        Self { analysis, summaries, kinds, seen: FxHashSet::default() }
    }

    /// For each use of the kinds in a function, the parameters that say what it uses. Folders that are made are
    /// left out: making one twice at once does no harm.
    pub(crate) fn parameters(&mut self, of: FunctionRef) -> Uses {
        self.within(of, MOST_CALLS)
    }

    fn within(&mut self, of: FunctionRef, depth: u32) -> Uses {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.seen.insert(of)) else {
            return Uses::default();
        };
        let ir = self.summaries.graph.files()[of.file as usize];
        let function = ir.function(of.function);
        let body = Body::new(ir, (function.first, function.end));
        let steps = self.summaries.steps(of, function.first, function.end);
        let mut found = Uses::default();
        for step in steps.iter().filter(|it| touches(it, self.kinds)) {
            self.step(of, step, &body, depth, &mut found);
        }
        found
    }

    fn step(
        &mut self,
        of: FunctionRef,
        step: &Step,
        body: &Body<'_>,
        depth: u32,
        found: &mut Uses,
    ) {
        let ir = body.written.ir;
        let call = match ir.inst(step.at) {
            Inst::Await(value) => value,
            _ => step.at,
        };
        // What it waits for otherwise has been started by a call.
        let Some((object, args)) = parts(ir, call) else { return };
        let at = InstRef { file: of.file, inst: call };
        let callees = self.summaries.graph.callees(at);
        for &callee in &callees.functions {
            let handed = |named: BTreeSet<Named>| {
                let parts = named.into_iter().filter_map(|(position, key)| {
                    args.get(position as usize).map(|&it| body.part(it, key))
                });
                parts.flatten().collect()
            };
            let Uses { read, written } = self.within(callee, depth);
            found.read.extend(read.into_iter().map(handed));
            found.written.extend(written.into_iter().map(handed));
        }
        if !callees.functions.is_empty() {
            return;
        }
        let name = words::callee_text(ir, call);
        let name = name.rsplit('.').next().unwrap_or(&name);
        if MAKES_FOLDERS.contains(&name.strip_suffix("Sync").unwrap_or(name)) {
            return;
        }
        let is_here = of.file as usize == self.analysis.file;
        let operation = self.analysis.operation(call, &Known::default()).ok().filter(|_| is_here);
        let which = |all: &[Region]| all.iter().filter_map(|it| it.which).collect::<Vec<_>>();
        let (mut written, read) =
            operation.map(|it| (which(&it.writes), which(&it.reads))).unwrap_or_default();
        let is_writing = writes(step, self.kinds);
        if written.is_empty() && (read.is_empty() || is_writing) {
            written.extend(args.iter().find_map(|&it| body.written.chosen(it)));
            if written.is_empty() {
                written.extend(args.iter().take(1).chain(&object));
            }
        }
        for (values, is_written) in [(written, is_writing), (read, false)] {
            if values.is_empty() {
                continue;
            }
            let mut parameters = BTreeSet::new();
            values.into_iter().for_each(|it| body.made_of(it, DEEPEST, &mut parameters));
            let uses = if is_written { &mut found.written } else { &mut found.read };
            uses.push(parameters);
        }
    }
}

impl<'p> Body<'p> {
    fn new(ir: &'p FileIr, (first, end): (InstId, InstId)) -> Self {
        let stores = FileIr::range(first, end).filter_map(|id| match ir.inst(id) {
            Inst::StoreVar { var, value } if ir.variable(var).writes == 1 => Some((var, value)),
            _ => None,
        });
        Self { written: Written { ir, end }, stores: stores.collect() }
    }

    /// What names a part of what a call hands over, or all of it.
    fn part(&self, arg: InstId, key: Option<String>) -> BTreeSet<Named> {
        let mut found = BTreeSet::new();
        let member = key.as_ref().and_then(|key| self.written.member(arg, key));
        self.made_of(member.unwrap_or(arg), DEEPEST, &mut found);
        if member.is_none() && key.is_some() && found.len() == 1 {
            let whole = found.iter().next().filter(|it| it.1.is_none()).map(|it| it.0);
            return whole.map_or(found, |it| BTreeSet::from([(it, key)]));
        }
        found
    }

    /// The parameters that a value is made of, and of nothing that has been waited for.
    fn made_of(&self, value: InstId, depth: u32, found: &mut BTreeSet<Named>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let ir = self.written.ir;
        match ir.inst(value) {
            Inst::Await(_) | Inst::Closure(_) => {}
            Inst::Param(position) => {
                found.insert((position, None));
            }
            Inst::LoadVar(var) => {
                if let Some(&value) = self.stores.get(&var) {
                    self.made_of(value, depth, found);
                }
            }
            Inst::Get { object, key } => {
                let mut of_object = BTreeSet::new();
                self.made_of(object, depth, &mut of_object);
                match key.get() {
                    Key::Name(name) => {
                        let name = ir.name(name);
                        found.extend(of_object.into_iter().map(|(position, key)| {
                            (position, Some(key.unwrap_or_else(|| name.to_owned())))
                        }));
                    }
                    Key::Computed(key) => {
                        found.extend(of_object);
                        self.made_of(key, depth, found);
                    }
                    Key::Private(_) => {}
                }
            }
            Inst::Object => self.written.members(value).for_each(|(_, it)| {
                self.made_of(it, depth, found);
            }),
            inst => inst.for_each_operand(ir, &mut |it| self.made_of(it, depth, found)),
        }
    }
}
