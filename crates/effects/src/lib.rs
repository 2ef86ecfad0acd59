//! What code reads and writes: MOD and REF over access paths and resources.
//!
//! After section 4 of the Resynchronizer paper, with one rule turned round: what is not understood
//! may do anything, it never counts as doing nothing.

mod answers;
mod api;
mod bent;
mod call;
mod called_by_natives;
mod doubts;
mod environment;
mod facts;
mod grouping;
mod handed;
mod initialised;
mod known;
mod links;
mod location;
mod named_inputs;
mod one_program;
mod reasons;
mod session;
mod shapes;
mod sights;
mod sloppy;
mod sql_sessions;
mod started;
mod stretch;
mod summary;
mod there;
mod unplaced;
mod unread;
mod unseen;

pub use answers::{Answers, Does};
pub use api::{Api, FileAnalysis, Logs};
pub use call::Operation;
pub use facts::{Patch, ProgramFacts};
pub use grouping::{Kind as TopicKind, Topic, grouped};
pub use known::{Course, Known};
pub use location::{AccessPath, Assumption, Blocker, Elsewhere, Location, Region, Root};
pub use reasons::{Code, Reason};
pub use session::{Session, call_graph, program_facts};
pub use sights::{SeenTo, Sight, Sights, Told};
pub use started::{keys_text, place_text, value_text};
pub use stretch::Stretch;
pub use summary::only_reads;
pub use summary::{
    ACTIVITIES, Assumed, Doubt, Effects, Filling, Location as SummaryLocation, Locations, Open,
    OpenHook, Overlap, Pending, Place, QueryText, Reading, Resource, Root as PlaceRoot, Stability,
    Step, Summaries, Summary, Touched, UnderWay, Waiting, Which, is_atomic, opens_block,
    uses_activities,
};
