//! What a loop goes over.

use headstart_effects::{Blocker, Code, Effects, Resource, SummaryLocation, Which};
use headstart_ir::{Inst, InstId, Key, Literal};

use crate::loops::Loop;

/// How many values within one another are looked through.
const DEEPEST: u32 = 6;

/// What gives what a list, a set or a map has, as it is at that time: an iterator.
const ITERATORS: [&str; 3] = ["keys", "values", "entries"];

impl<'p> Loop<'_, 'p> {
    /// Whether the items are what an iterator of a list, a set or a map gives, which runs no code of the
    /// program, or the characters of a text.
    pub(crate) fn goes_over_collection(&self) -> bool {
        let analysis = self.scope.analysis;
        let graph = &self.scope.summaries.graph;
        let items = analysis.at(self.head.items);
        match analysis.ir.inst(self.head.items) {
            Inst::CallMethod { object, method, .. } => {
                let name = match analysis.ir.inst(method) {
                    Inst::Get { key, .. } => key.get(),
                    _ => return false,
                };
                let is_iterator =
                    matches!(name, Key::Name(it) if ITERATORS.contains(&analysis.ir.name(it)));
                is_iterator && graph.is_collection(analysis.at(object))
            }
            _ => graph.is_of_type(items, "ecmascript", "String"),
        }
    }

    /// Whether the number that a loop counts up to is certainly a whole one.
    pub(crate) fn counts_whole(&self) -> bool {
        let analysis = self.scope.analysis;
        let ir = analysis.ir;
        let file = analysis.at(self.head.items).file;
        let is_whole = |it: InstId| matches!(ir.inst(it), Inst::Literal(Literal::Number(Some(_))));
        match ir.inst(self.head.items) {
            Inst::LoadVar(var) => {
                self.scope.summaries.graph.always(file, var).is_some_and(is_whole)
            }
            Inst::Get { object, key } => {
                let is_list = self.scope.summaries.graph.is_collection(analysis.at(object));
                is_list
                    && matches!(key.get(), Key::Name(it) if ["length", "size"].contains(&ir.name(it)))
            }
            _ => is_whole(self.head.items),
        }
    }

    /// That no file among the items is one that reading consumes or that changes by itself, and none is read
    /// twice, as far as they are written out: a pipe has been read by then.
    ///
    /// # Errors
    /// Which one is.
    pub(crate) fn reads_each_once(&self, effects: &Effects) -> Result<(), Blocker> {
        let is_file =
            |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(Resource::File, _));
        if !effects.reads.iter().any(is_file) {
            return Ok(());
        }
        let mut texts = Vec::new();
        self.texts(self.head.items, DEEPEST, &mut texts);
        let ir = self.scope.analysis.ir;
        for &(text, at) in &texts {
            let named = Which::Named(text.to_owned());
            if SummaryLocation::Resource(Resource::File, named).is_input() {
                return Err(Blocker::new(Code::InputOrderOfItems, ir.span(at)));
            }
        }
        let mut sorted: Vec<&str> = texts.iter().map(|it| it.0).collect();
        sorted.sort_unstable();
        if sorted.windows(2).any(|it| it[0] == it[1]) {
            return Err(Blocker::new(Code::FileNamedTwice, self.head.items_span));
        }
        Ok(())
    }

    /// The texts that are written out in a value.
    fn texts(&self, value: InstId, depth: u32, into: &mut Vec<(&'p str, InstId)>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let analysis = self.scope.analysis;
        let ir = analysis.ir;
        match ir.inst(value) {
            Inst::Literal(Literal::String(text)) => into.push((ir.name(text), value)),
            Inst::LoadVar(var) => {
                let file = analysis.at(value).file;
                if let Some(always) = self.scope.summaries.graph.always(file, var) {
                    self.texts(always, depth, into);
                }
            }
            Inst::Array(elements) => {
                for &it in ir.args(elements) {
                    self.texts(it, depth, into);
                }
            }
            // `new Set([…])`
            Inst::New { args, .. } => {
                for &it in ir.args(args) {
                    self.texts(it, depth, into);
                }
            }
            Inst::Spread(list) => self.texts(list, depth, into),
            _ => {}
        }
    }
}
