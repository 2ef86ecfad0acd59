//! What is at the end of an access path.

use headstart_ir::VarId;

use crate::facts::{AbstractObject, PathKey};
use crate::graph::CallGraph;
use crate::held::ObjectId;
use crate::ids::{ClassRef, FunctionRef, InstRef, Node, Object};
use crate::object::Kind;

/// Where an access path starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// A parameter, by its position.
    Parameter(FunctionRef, u32),
    /// `this` of a function.
    This(FunctionRef),
    /// A variable, by file.
    Variable(u32, VarId),
    /// The value of an instruction.
    Value(InstRef),
    /// The instances of a class.
    Instance(ClassRef),
    /// A class.
    Class(ClassRef),
    /// What a CommonJS file exports.
    Exports(u32),
}

impl<'p> CallGraph<'p> {
    /// What may be found by following keys from a start; what is there itself where there are none.
    #[must_use]
    pub fn reached(&self, start: Start, keys: &[PathKey]) -> Vec<AbstractObject> {
        let objects = self.reached_objects(start, keys);
        let mut found: Vec<AbstractObject> =
            objects.into_iter().map(|it| self.object(it)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The same, as the analysis tells objects apart.
    #[must_use]
    pub fn reached_objects(&self, start: Start, keys: &[PathKey]) -> Vec<ObjectId> {
        let mut objects: Vec<ObjectId> = self.started(start).into_iter().map(ObjectId).collect();
        for &key in keys {
            objects = objects.into_iter().flat_map(|it| self.held(it, key, false)).collect();
            objects.sort_unstable();
            objects.dedup();
        }
        objects
    }

    fn started(&self, start: Start) -> Vec<Object> {
        let numbering = &self.solver.numbering;
        let function = |it: FunctionRef| {
            self.solver.functions[numbering.function(it.file as usize, it.function) as usize]
        };
        let class = |it: ClassRef| numbering.class(it.file as usize, it.class);
        let node = match start {
            Start::Parameter(of, position) => {
                let nodes = function(of);
                if position < nodes.count { Node(nodes.params.0 + position) } else { nodes.rest }
            }
            Start::This(of) => function(self.receiving(of)).this,
            Start::Variable(file, var) => {
                let (file, var) = self.imported(file, var).unwrap_or((file, var));
                match self.always(file, var) {
                    Some(value) => {
                        return self.started(Start::Value(InstRef { file, inst: value }));
                    }
                    None => self.solver.variables[numbering.variable(file as usize, var) as usize],
                }
            }
            Start::Value(at) => {
                self.solver.values[numbering.inst(at.file as usize, at.inst) as usize]
            }
            Start::Instance(of) => return self.known(Kind::Instance(class(of))),
            Start::Class(of) => return self.known(Kind::Class(class(of))),
            Start::Exports(file) => return self.known(Kind::Exports(file)),
        };
        self.solver.flow.objects(node).collect()
    }

    fn known(&self, kind: Kind<'p>) -> Vec<Object> {
        self.solver.objects.existing(kind).into_iter().collect()
    }
}
