//! Functions that rewritten code calls, and that are put at the end of its file once.

/// A function that is put at the end of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Helper {
    /// Starts operations ahead of the loop that waits for them. Each gets a promise of its own, which
    /// takes an error that is thrown right away, starts what is lazy, and has a handler from the moment it
    /// exists (the contract, S3); who ends the loop early starts no more.
    StartAhead,
    /// The same, at the end of the body of a function whose closing brace stands at this byte: the text of
    /// that function may run where nothing else of its file does.
    StartAheadWithin(u32),
    /// `atomic` of `headstart-activities`, which the file takes from there at its top.
    Atomic,
}

/// How the types of a helper are said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Types {
    /// Not at all: JavaScript.
    None,
    /// TypeScript.
    Written,
    /// JavaScript that TypeScript checks (`// @ts-check`): in a comment.
    InComments,
}

const CHECKED_START_AHEAD: &str = "\
/**
 * Goes over items in order, each with the promise of what `start` gives for it; up to `limit` are started ahead.
 *
 * @template [T=any], [R=unknown]
 * @param {Iterable<T>} items
 * @param {number} limit
 * @param {(item: T) => R | PromiseLike<R> | undefined} start
 * @returns {Generator<[T, Promise<R>], void, undefined>}
 */
function* startAhead(items, limit, start) {
  /** @type {[T, Promise<R>][]} */
  const started = [];
  for (const item of items) {
    /** @type {Promise<R>} */
    const promise = new Promise((resolve) => resolve(/** @type {R} */ (start(item))));
    promise.catch(() => {});
    started.push([item, promise]);
    if (started.length === limit) yield* started.splice(0, 1);
  }
  yield* started;
}
";

const START_AHEAD: &str = "\
/** Goes over items in order, each with the promise of what `start` gives for it; up to `limit` are started ahead. */
function* startAhead(items, limit, start) {
  const started = [];
  for (const item of items) {
    const promise = new Promise((resolve) => resolve(start(item)));
    promise.catch(() => {});
    started.push([item, promise]);
    if (started.length === limit) yield* started.splice(0, 1);
  }
  yield* started;
}
";

const TYPED_START_AHEAD: &str = "\
/** Goes over items in order, each with the promise of what `start` gives for it; up to `limit` are started ahead. */
function* startAhead<T = any, R = unknown>(
  items: Iterable<T>,
  limit: number,
  start: (item: T) => R | PromiseLike<R> | undefined,
): Generator<[T, Promise<R>], void, undefined> {
  const started: [T, Promise<R>][] = [];
  for (const item of items) {
    const promise = new Promise<R>((resolve) => resolve(start(item) as R | PromiseLike<R>));
    promise.catch(() => {});
    started.push([item, promise]);
    if (started.length === limit) yield* started.splice(0, 1);
  }
  yield* started;
}
";

impl Helper {
    /// The name that it has where that is free.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::StartAhead | Self::StartAheadWithin(_) => "startAhead",
            Self::Atomic => "atomic",
        }
    }

    /// The closing brace of the function that it stands in, in bytes; none for one at the end of the file.
    pub(crate) fn within(self) -> Option<u32> {
        match self {
            Self::StartAhead | Self::Atomic => None,
            Self::StartAheadWithin(brace) => Some(brace),
        }
    }

    /// Its text under a name, in the style of a file.
    pub(crate) fn text(self, name: &str, types: Types, unit: &str, ends: bool) -> String {
        let text = match types {
            Types::None => START_AHEAD,
            Types::Written => TYPED_START_AHEAD,
            Types::InComments => CHECKED_START_AHEAD,
        };
        let named = text.replace(&format!("* {}", self.name()), &format!("* {name}"));
        let indented = named.replace("  ", unit);
        if ends { indented } else { indented.replace(";\n", "\n") }
    }
}
