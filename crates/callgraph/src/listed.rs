//! What annotations say of lists reaches what the methods of lists hand on: the elements that callbacks get,
//! and other lists of the same elements.

use headstart_ir::{FunctionId, Inst, InstId, Key as IrKey, Type};
use rustc_hash::FxHashMap;

use crate::solver::Solver;
use crate::typing::{Asking, Typing};

/// The methods of lists that call a function with each element, with the parameters that get one (ECMA-262,
/// 23.1.3).
const WITH_EACH: [(&str, &[u32]); 14] = [
    ("every", &[0]),
    ("filter", &[0]),
    ("find", &[0]),
    ("findIndex", &[0]),
    ("findLast", &[0]),
    ("findLastIndex", &[0]),
    ("flatMap", &[0]),
    ("forEach", &[0]),
    ("map", &[0]),
    ("reduce", &[1]),
    ("reduceRight", &[1]),
    ("some", &[0]),
    ("sort", &[0, 1]),
    ("toSorted", &[0, 1]),
];

/// The methods of lists that give a list of elements of the one that they are on.
const KEEPING: [&str; 5] = ["filter", "reverse", "slice", "sort", "toReversed"];

/// The methods of lists that give an element, or none.
const PICKING: [&str; 5] = ["at", "find", "findLast", "pop", "shift"];

/// Functions that are written where a method calls them with the elements of a list, with that list and the
/// parameters that get them.
pub(crate) type ElementCallbacks = FxHashMap<(usize, FunctionId), (InstId, &'static [u32])>;

impl Solver<'_> {
    /// Notes the functions of a file that are written where a method may call them with elements of a list.
    pub(crate) fn note_element_callbacks(&mut self, file: usize) {
        let ir = self.files[file];
        for &inst in &ir.insts {
            let Inst::CallMethod { object, method, args } = inst else { continue };
            let Inst::Get { key, .. } = ir.inst(method) else { continue };
            let IrKey::Name(name) = key.get() else { continue };
            if let Some(Inst::Closure(function)) = ir.args(args).first().map(|&it| ir.inst(it))
                && let Some(&(_, positions)) = WITH_EACH.iter().find(|it| it.0 == ir.name(name))
            {
                self.element_callbacks.insert((file, function), (object, positions));
            }
        }
    }

    /// The types of a parameter that gets the elements of a list.
    pub(crate) fn type_of_element(
        &self,
        file: usize,
        parameter: InstId,
        position: u32,
        asking: Asking,
        steps: u32,
    ) -> Option<Typing> {
        let function = self.function_at(file, parameter);
        let &(list, positions) = self.element_callbacks.get(&(file, function))?;
        if !positions.contains(&position) {
            return None;
        }
        let lists = self.typing(file, list, asking, steps)?;
        self.is_each_list(&lists).then(|| self.element_types(&lists, steps))?
    }

    /// The types of `[...list]`.
    pub(crate) fn spread_list(
        &self,
        file: usize,
        element: InstId,
        asking: Asking,
        steps: u32,
    ) -> Option<Typing> {
        let Inst::Spread(list) = self.files[file].inst(element) else { return None };
        let lists = self.typing(file, list, asking, steps)?;
        self.is_each_list(&lists).then_some(lists)
    }

    /// The types of what a method of a list gives.
    pub(crate) fn returned_by_list(
        &self,
        of: &Typing,
        name: &str,
        asking: Asking,
    ) -> Option<Typing> {
        if !self.is_each_list(of) {
            return None;
        }
        if KEEPING.contains(&name) {
            return Some(of.clone());
        }
        let is_picked = PICKING.contains(&name) && asking == Asking::Whatever;
        is_picked.then(|| self.element_types(of, 2))?
    }

    fn is_each_list(&self, of: &Typing) -> bool {
        let is_list = |&(file, ty): &(usize, headstart_ir::TypeRef)| {
            matches!(self.files[file].types.get(ty.index()), Some(Type::Array(_)))
        };
        !of.is_empty() && of.iter().all(is_list)
    }
}
