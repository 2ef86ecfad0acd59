//! The call graph: which functions each call may call.
//!
//! Andersen's points-to analysis over the whole program: inclusion constraints between the values
//! of a program, solved by propagating the differences; field-sensitive, with one object for each
//! place that makes one and one for the instances of each class, and insensitive to the context of
//! calls. Calls are resolved on the fly, as the functions that may be called turn up. What comes
//! from code that nobody has seen is an object of its own that says why ([`Cause`]): a call of it
//! may do anything.
//!
//! After L. O. Andersen, "Program Analysis and Specialization for the C Programming Language"
//! (1994), chapter 4; the objects and the treatment of modules, prototypes and promises follow the
//! language (ECMA-262).

mod accessor;
mod awaited;
mod awaiting;
mod built;
mod by_inst;
mod call;
mod chains;
mod convert;
mod declare;
mod decorated;
mod element;
mod escape;
mod extension;
mod facts;
mod flow;
mod generate;
mod global;
mod graph;
mod handed;
mod held;
mod ids;
mod implicit;
mod listed;
mod member;
mod model_call;
mod modules;
mod names;
mod native;
mod native_call;
mod object;
mod outside;
mod pass;
mod per_thread;
mod platform_getters;
mod promise_call;
mod property;
mod props;
mod reach;
mod reading;
mod refusing;
mod replaced;
mod replacing;
mod sets;
mod shared;
mod site;
mod solver;
mod spied;
mod taken;
mod types;
mod typing;
mod value;
mod widened;

pub use built::Ingredient;
pub use facts::{AbstractObject, Exported, PathKey};
pub use graph::{CallGraph, Callees, Counts, Modelled, STOPPED};
pub use handed::{Handed, Handing};
pub use held::{ObjectId, SetId};
pub use ids::{ClassRef, FunctionRef, InstRef};
pub use member::Awaited;
pub use native::Native;
pub use object::Cause;
pub use per_thread::PerThread;
pub use reach::Start;
pub use replaced::{Hooked, Replacement};
pub use shared::Shared;
pub use typing::Declared;
pub use value::is_global_object;
