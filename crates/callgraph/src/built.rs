//! What queries are put together from: objects of types whose models say that they keep what calls are
//! given ([`headstart_models::Member::builds`]).

use headstart_models::Module;

use crate::graph::CallGraph;
use crate::held::ObjectId;
use crate::ids::FunctionRef;
use crate::object::{Cause, Kind, Origin};

/// What an object is that a query may be put together from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ingredient {
    /// A query or a part of one: what calls that make it, or are on it, are given.
    Built,
    /// A function, which gives a part or adds to one.
    Function(FunctionRef),
    /// A list or an object of the program, with what it holds.
    Holder,
    /// What a package gives that puts queries together, and no row describes: it may be SQL.
    Unlisted,
    /// Anything: nobody knows what it is.
    Unknown,
    /// Plain data.
    Plain,
}

impl<'p> CallGraph<'p> {
    /// The model of a module, where its queries are put together from what calls are given.
    #[must_use]
    pub fn building(&self, specifier: &str) -> Option<&'p Module> {
        self.solver.members.module(specifier).filter(|it| it.builds_sql)
    }

    /// What an object is to a query that it is put into.
    #[must_use]
    pub fn ingredient(&self, id: ObjectId) -> Ingredient {
        let solver = &self.solver;
        match solver.objects.kind(id.0) {
            Kind::Typed(ty, origin) => {
                let is_list = [solver.types.array, solver.types.map].contains(&ty);
                let is_built = solver.members.type_data(ty).row.builds;
                match (is_built, is_list) {
                    // Its type is all that the program says of it: `where: SQL`.
                    (true, _) if matches!(origin, Origin::Described(..)) => Ingredient::Unknown,
                    (true, _) => Ingredient::Built,
                    (false, true) => Ingredient::Holder,
                    (false, false) => Ingredient::Plain,
                }
            }
            Kind::Function(number) => Ingredient::Function(solver.numbering.function_of(number)),
            Kind::Literal(_) | Kind::Instance(_) | Kind::FunctionInstance(_) => Ingredient::Holder,
            Kind::Unknown(Cause::Model(module) | Cause::NoSuchMember(module))
                if self.building(module).is_some() =>
            {
                Ingredient::Unlisted
            }
            // An annotation may describe a part of a query by what it has: `{ getSQL(): SQL }`.
            Kind::Unknown(_)
            | Kind::Described(..)
            | Kind::Bound(_)
            | Kind::PromisifiedFunction(_) => Ingredient::Unknown,
            _ => Ingredient::Plain,
        }
    }

    /// The objects that a function returns, as they stand.
    #[must_use]
    pub fn returned_objects(&self, function: FunctionRef) -> Vec<ObjectId> {
        let number = self.solver.numbering.function(function.file as usize, function.function);
        let result = self.solver.functions[number as usize].result;
        self.solver.flow.objects(result).map(ObjectId).collect()
    }
}
