//! Index types of the analysis, and how things of single files are numbered over the program.

use headstart_ir::{ClassId, FileIr, FunctionId, InstId, VarId};

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub(crate) struct $name(pub(crate) u32);

        impl $name {
            #[allow(dead_code, reason = "not every kind of id is an index into a list")]
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index_type!(
    /// A set of objects that something may be: a variable, a value, a property.
    Node
);
index_type!(
    /// An abstract object.
    Object
);
index_type!(
    /// A property key of the program, or one of the keys that stand for what has no name.
    Key
);
index_type!(
    /// A call, real or made by a native function.
    SiteId
);
index_type!(
    /// A member of a modelled module or type.
    MemberId
);
index_type!(
    /// A type of a model.
    TypeId
);

impl Node {
    /// What holds no object: a primitive without members of interest, nothing.
    pub(crate) const NONE: Self = Self(0);

    pub(crate) fn is_none(self) -> bool {
        self == Self::NONE
    }
}

/// A function of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionRef {
    /// The index of its file.
    pub file: u32,
    /// The function.
    pub function: FunctionId,
}

/// A class of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassRef {
    /// The index of its file.
    pub file: u32,
    /// The class.
    pub class: ClassId,
}

/// An instruction of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InstRef {
    /// The index of its file.
    pub file: u32,
    /// The instruction.
    pub inst: InstId,
}

/// Where the things of each file start in the numbering of the program.
#[derive(Debug)]
pub(crate) struct Numbering {
    functions: Vec<u32>,
    classes: Vec<u32>,
    variables: Vec<u32>,
    insts: Vec<u32>,
}

impl Numbering {
    pub(crate) fn new(files: &[&FileIr]) -> Self {
        Self {
            functions: starts(files, |ir| ir.functions.len()),
            classes: starts(files, |ir| ir.classes.len()),
            variables: starts(files, |ir| ir.variables.len()),
            insts: starts(files, |ir| ir.insts.len()),
        }
    }

    pub(crate) fn functions(&self) -> u32 {
        self.functions.last().copied().unwrap_or(0)
    }

    pub(crate) fn classes(&self) -> u32 {
        self.classes.last().copied().unwrap_or(0)
    }

    pub(crate) fn variables(&self) -> u32 {
        self.variables.last().copied().unwrap_or(0)
    }

    pub(crate) fn insts(&self) -> u32 {
        self.insts.last().copied().unwrap_or(0)
    }

    pub(crate) fn function(&self, file: usize, function: FunctionId) -> u32 {
        self.functions[file] + id(function.index())
    }

    pub(crate) fn class(&self, file: usize, class: ClassId) -> u32 {
        self.classes[file] + id(class.index())
    }

    pub(crate) fn variable(&self, file: usize, var: VarId) -> u32 {
        self.variables[file] + id(var.index())
    }

    pub(crate) fn inst(&self, file: usize, inst: InstId) -> u32 {
        self.insts[file] + id(inst.index())
    }

    pub(crate) fn function_of(&self, number: u32) -> FunctionRef {
        let file = file_of(&self.functions, number);
        let function = FunctionId::new((number - self.functions[file]) as usize);
        FunctionRef { file: id(file), function }
    }

    pub(crate) fn class_of(&self, number: u32) -> (usize, ClassId) {
        let file = file_of(&self.classes, number);
        (file, ClassId::new((number - self.classes[file]) as usize))
    }

    /// The instruction with a number; none for what is numbered beyond them.
    pub(crate) fn inst_of(&self, number: u32) -> Option<InstRef> {
        if number >= self.insts() {
            return None;
        }
        let file = file_of(&self.insts, number);
        let inst = InstId::new((number - self.insts[file]) as usize);
        Some(InstRef { file: id(file), inst })
    }
}

fn starts(files: &[&FileIr], count: fn(&FileIr) -> usize) -> Vec<u32> {
    let mut next = 0;
    let mut starts = Vec::with_capacity(files.len() + 1);
    for ir in files {
        starts.push(next);
        next += id(count(ir));
    }
    starts.push(next);
    starts
}

fn file_of(starts: &[u32], number: u32) -> usize {
    starts.partition_point(|&start| start <= number).saturating_sub(1)
}

/// An index as the analysis keeps it. The IR of a program that memory can hold has fewer than 2^32
/// of anything.
pub(crate) fn id(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
