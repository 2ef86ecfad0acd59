//! Functions, classes and variables.

use crate::{BlockId, ClassId, FunctionId, InstId, NameId, PropKey, Span, TypeRef};

/// A function body with all that belongs to it. The top level of a module is one, and so are the
/// field initialisers and the static blocks of a class.
#[derive(Clone, Debug)]
pub struct Function {
    /// What it is in the source.
    pub kind: FunctionKind,
    /// Whether it is `async`.
    pub is_async: bool,
    /// Whether it is a generator.
    pub is_generator: bool,
    /// Its name where the source gives it one, or the name of what it is assigned to.
    pub name: Option<NameId>,
    /// Its place in the source.
    pub span: Span,
    /// The function it stands in; none for the module.
    pub parent: Option<FunctionId>,
    /// Where its parent creates it: the instruction behind what has run by then.
    pub created: InstId,
    /// Its first instruction.
    pub first: InstId,
    /// The instruction behind its last.
    pub end: InstId,
    /// Its statements.
    pub body: BlockId,
    /// How many parameters it declares, a rest parameter not counted.
    pub params: u32,
    /// How many suspend points it has, nested functions not counted.
    pub suspend_points: u32,
    /// What its annotation says that it returns.
    pub returns: TypeRef,
    /// Whether it has an annotation of what it returns.
    pub has_return_type: bool,
    /// Whether it has type parameters: what it returns may depend on where that goes.
    pub is_generic: bool,
    /// Whether `arguments` or a direct `eval` may see its parameters and variables, or it stands in a
    /// `with` statement.
    pub has_dynamic_scope: bool,
    /// Whether it stands in a `with` statement, where any name may be a property.
    pub is_in_with: bool,
}

/// What a function is in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    /// The top level of a module or script.
    Module,
    /// A function declaration or expression.
    Function,
    /// An arrow function.
    Arrow,
    /// A method of an object or a class.
    Method,
    /// A constructor.
    Constructor,
    /// A getter or setter.
    Accessor,
    /// The initialisers of the instance fields of a class, run at construction.
    FieldInit,
    /// The static fields and blocks of a class, run where the class is evaluated.
    StaticInit,
}

/// A class.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: Option<NameId>,
    /// Its place in the source.
    pub span: Span,
    /// The value of `extends`.
    pub super_class: Option<InstId>,
    /// Its members, fields excepted.
    pub members: Box<[ClassMember]>,
    /// What annotations say of its fields, parameter properties included.
    pub fields: Box<[(NameId, TypeRef)]>,
    /// The function that initialises instance fields.
    pub field_init: Option<FunctionId>,
    /// The function that runs static fields and blocks.
    pub static_init: Option<FunctionId>,
}

/// A method or accessor of a class.
#[derive(Clone, Debug)]
pub struct ClassMember {
    /// Its key.
    pub key: PropKey,
    /// What it is.
    pub kind: MemberKind,
    /// Whether it is static.
    pub is_static: bool,
    /// Whether a decorator gets hold of it, and may put something around it.
    pub is_decorated: bool,
    /// Its function.
    pub function: FunctionId,
}

/// A call of a decorator (ECMA-262 proposal "Decorators"; TypeScript's `experimentalDecorators`). It
/// stands behind the class that it is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decoration {
    /// The call.
    pub call: InstId,
    /// What the decorator is called, where it has a name.
    pub name: Option<NameId>,
    /// What it is written at.
    pub target: Decorated,
}

/// What a decorator is written at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decorated {
    /// A class: what the decorator returns takes its place.
    Class(ClassId),
    /// A method: what the decorator returns, or puts into the descriptor, takes its place.
    Method(FunctionId),
    /// A field, an `accessor` or a getter or setter: the decorator may make accessors of it.
    Field {
        /// Its class.
        class: ClassId,
        /// Its key.
        key: PropKey,
        /// Its getter or setter.
        function: Option<FunctionId>,
    },
}

/// What a class member is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberKind {
    /// The constructor.
    Constructor,
    /// A method.
    Method,
    /// A getter.
    Getter,
    /// A setter.
    Setter,
}

/// A declared variable, parameter, function, class or import binding.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: NameId,
    /// How it is declared.
    pub kind: VarKind,
    /// What its type annotation says of it.
    pub hint: TypeHint,
    /// The same in full.
    pub ty: TypeRef,
    /// The function whose scope holds it.
    pub owner: FunctionId,
    /// Where its declaration has run: the instruction behind it. Before, `let`, `const` and `class`
    /// cannot be read.
    pub declared: InstId,
    /// Whether anything reads it.
    pub is_read: bool,
    /// How often it is written, its initialisation included.
    pub writes: u32,
    /// The instruction that initialises it with its declaration, where nothing else writes it.
    pub init: Option<InstId>,
    /// Whether it is initialised inside a loop: once a turn.
    pub is_written_in_loop: bool,
    /// Whether a function other than its owner reads or writes it.
    pub is_captured: bool,
    /// Whether a function other than its owner writes it.
    pub is_written_by_closure: bool,
    /// The class it names, for a class declaration.
    pub class: Option<ClassId>,
    /// Whether it is declared more than once: a function with overloads, too.
    pub is_redeclared: bool,
}

impl Variable {
    /// Whether its value never changes once it is initialised, as far as anyone can see who holds
    /// on to it across a suspension.
    #[must_use]
    pub fn is_stable(&self) -> bool {
        match self.kind {
            VarKind::Const | VarKind::Import => true,
            VarKind::Function | VarKind::Class => self.writes <= 1,
            // One variable for all turns of a loop: who captures it sees it change.
            VarKind::Var if self.is_captured && self.is_written_in_loop => false,
            VarKind::Param | VarKind::Let | VarKind::Var | VarKind::Catch => self.init.is_some(),
            VarKind::Other => false,
        }
    }
}

/// How a variable is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// `const`, `using`
    Const,
    /// `let`
    Let,
    /// `var`
    Var,
    /// A parameter.
    Param,
    /// A function's name.
    Function,
    /// A class's name.
    Class,
    /// An import binding.
    Import,
    /// The parameter of `catch`.
    Catch,
    /// An enum, a namespace, or several declarations merged.
    Other,
}

/// What a type annotation says of a variable, as far as it is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TypeHint {
    /// Nothing known.
    #[default]
    Unknown,
    /// A string.
    String,
    /// A number, boolean, null or undefined: converts without running user code.
    OtherPrimitive,
    /// A big integer, or another primitive: converts without running user code, but some operators throw.
    BigInt,
}
