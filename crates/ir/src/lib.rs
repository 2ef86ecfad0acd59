//! The intermediate representation that every stage behind the front end works on.
//!
//! One [`FileIr`] per source file, index-based and `Send`, holding no syntax tree and no source
//! text. The code of a file is one list of [`Inst`]s in evaluation order; each function owns a
//! contiguous range of it, and a tree of [`Stmt`]s gives that range its structure. A suspend
//! point is an instruction ([`Inst::is_suspend_point`]), so what runs between two of them is a
//! range of instructions.
//!
//! Memory decides the shape: 24 bytes an instruction with its span, so that the 1.8 million lines
//! of a large monorepo fit in 500 MiB.

mod alike;
mod dump;
mod file;
mod function;
mod ids;
mod inst;
mod names;
pub mod order;
mod stmt;
mod types;

pub use dump::dump;
pub use file::{
    Export, ExportSource, FileId, FileIr, FileKind, Import, Imported, ModuleRequest, PinnedComment,
    RequestKind, Resolution, TypedValue,
};
pub use function::{
    Class, ClassMember, Decorated, Decoration, Function, FunctionKind, MemberKind, TypeHint,
    VarKind, Variable,
};
pub use ids::{
    ArgsId, BlockId, ClassId, FunctionId, InstId, NameId, RequestId, Span, StmtId, VarId,
};
pub use inst::{Inst, Key, Literal, PropKey};
pub use names::{Names, NamesBuilder};
pub use stmt::{
    Block, BlockForm, DeclKind, Declarator, LoopHead, LoopKind, LoopOver, PatternShape, Stmt,
    StmtKind, TryParts,
};
pub use types::{Type, TypeRef};
