//! The coarse view of a trace: a continuation is an entry from the host with all the microtasks that run before the
//! host gets control back. That is what the paper's browser saw.

use crate::event::{Init, Key, Parent, Sink, Time};
use crate::id_set::IdSet;

/// Hands on to a sink what the host's entries do; what a microtask registers is the entry's that it runs after.
///
/// Microtasks that no entry of the host comes before are one continuation, with the first one's parent.
#[derive(Debug, Default)]
pub(crate) struct Macrotasks<S> {
    pub(crate) inner: S,
    microtasks: IdSet,
    /// What runs, outermost first: whether `inner` was told of its begin and still has to be told of its end.
    stack: Vec<bool>,
    /// Where the last entry ended, if `inner` has not been told so far: microtasks may follow.
    open: Option<Time>,
}

impl<S: Sink> Macrotasks<S> {
    pub(crate) fn new(inner: S) -> Self {
        Self { inner, microtasks: IdSet::default(), stack: Vec::new(), open: None }
    }

    fn close(&mut self) {
        if let Some(time) = self.open.take() {
            self.inner.end(time);
        }
    }

    fn is_microtask(&mut self, key: Key) -> bool {
        // Space 1 has nothing else.
        key.parts().0 == 1 || self.microtasks.contains(key)
    }
}

impl<S: Sink> Sink for Macrotasks<S> {
    fn init(&mut self, init: &Init) {
        if init.microtask {
            self.microtasks.insert(init.key);
        }
        let outside = self.stack.is_empty() && init.parent == Parent::Running;
        let parent = if outside { Parent::None } else { init.parent };
        self.inner.init(&Init { parent, ..*init });
    }

    fn begin(&mut self, key: Key, time: Time) {
        let microtask = self.is_microtask(key);
        let follows = !self.stack.is_empty() || self.open.is_some();
        if microtask && follows {
            self.stack.push(false);
            return;
        }
        if self.stack.is_empty() {
            self.close();
        }
        self.inner.begin(key, time);
        self.stack.push(true);
    }

    fn end(&mut self, time: Time) {
        let Some(told) = self.stack.pop() else {
            return;
        };
        if self.stack.is_empty() {
            // An entry that runs inside a microtask has ended already when that does.
            self.open = Some(time);
        } else if told {
            self.inner.end(time);
        }
    }

    fn drain(&mut self, of_last: bool) {
        if !of_last && self.stack.is_empty() {
            self.close();
        }
        self.inner.drain(of_last);
    }

    fn lost(&mut self) {
        self.stack.clear();
        self.open = None;
        self.inner.lost();
    }

    fn finish(&mut self) {
        self.close();
        self.inner.finish();
    }
}
