//! Traces written by hand or at random, with what has to come of them.

mod batches;
mod damage;
mod gaps;
mod random;
mod reference;
mod script;
mod subtrees;
