//! What a trace is a sequence of, one for each thread.

/// A moment, in units of 100 ns since the recording began.
pub(crate) type Time = u64;

/// The identity of a registration within its thread: an id and the space that it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key(u64);

impl Key {
    /// Of a resource (timer, socket, request).
    #[must_use]
    pub(crate) const fn resource(id: u64) -> Self {
        Self(id << 1)
    }

    /// Of a promise, where the recorder numbers these by themselves.
    #[must_use]
    pub(crate) const fn promise(id: u64) -> Self {
        Self(id << 1 | 1)
    }

    /// The number in its space, which is 1 for promises.
    #[must_use]
    pub(crate) const fn parts(self) -> (usize, u64) {
        ((self.0 & 1) as usize, self.0 >> 1)
    }
}

/// Who registered something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parent {
    /// What ran at that time, if anything did.
    Running,
    /// Whoever sent a message, maybe in another thread.
    Message,
    /// Nothing.
    None,
}

/// The registration of a continuation, or of a promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Init {
    /// Whose.
    pub(crate) key: Key,
    /// The number of its type in its thread.
    pub(crate) kind: u32,
    /// Who registered it.
    pub(crate) parent: Parent,
    /// Whether it runs in a microtask checkpoint.
    pub(crate) microtask: bool,
    /// Where that stands in the source, as the number of a site in its thread, with how many registrations it
    /// stands for.
    pub(crate) site: Option<(u32, u64)>,
    /// Whether it may run several times by what it is.
    pub(crate) recurring: bool,
}

/// Is told the events of one thread, in their order.
pub(crate) trait Sink {
    /// A registration.
    fn init(&mut self, init: &Init);
    /// A continuation begins to run.
    fn begin(&mut self, key: Key, time: Time);
    /// The innermost one that runs ends.
    fn end(&mut self, time: Time);
    /// A microtask checkpoint begins, of what ran before it or of nothing.
    fn drain(&mut self, _of_last: bool) {}
    /// Events are missing here: nothing is known of what runs.
    fn lost(&mut self) {}
    /// There are no more events.
    fn finish(&mut self) {}
}
