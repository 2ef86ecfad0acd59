//! Effects of modules as data: the rows of `models/*.yml`.
//!
//! A row says what a member of a module reads and writes, when it throws and what it returns, and
//! names the documentation it rests on. A member without a row may do anything.

mod builtin;
mod command;
mod members;
mod place;
mod replacing;
mod schema;
mod yaml;

pub use builtin::{ModelError, Models, without_prefix};
pub use command::{
    IndexUse, command_index_use, command_may_only_read, command_only_reads, knows_program,
    line_index_use, line_only_reads,
};
pub use members::Members;
pub use replacing::globals_replaced_by;
pub use schema::{
    Again, Argument, Call, Callback, CallsBack, Case, Checks, Condition, Flow, Gives, Hooks, Lock,
    Member, Module, PromiseKind, Receiver, Resource, ResultKind, Sql, Statement, Throws,
};
