//! One run of a command, from the request to what is printed.
//!
//! The addon hands a [`Request`](request::Request) through as JSON and gets a response back as
//! JSON; everything between is here, so that the command line, the API and the tests do the same.

mod alone;
mod analyse;
mod apply;
mod ask;
mod assume;
mod called_parameters;
mod callgraph;
mod check;
mod confirm;
mod effects;
mod ending;
mod evidence;
mod explain;
mod fix;
mod frames;
mod models;
mod names;
mod optimize;
mod paths;
mod profile;
mod programs;
mod read_texts;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod reasons_page;
mod render;
mod report;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod report_types;
mod request;
mod respond;
mod rules;
mod single;
mod whole;

pub use headstart_frontend::{Phase, Progress};
pub use optimize::{Answer, may_be_optimizable, optimize_text};
pub use respond::run;
pub use single::{Fixed, fix_text};
