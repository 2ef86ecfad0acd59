//! The ways through a function, as far as waiting goes.
//!
//! A function whose every way through awaits an operation that really waits gains nothing from a fast form. This is about
//! what is worthwhile only: nothing that is right depends on it.

/// The ways through some code, by what is awaited on them.
#[derive(Clone, Debug)]
pub enum Ways<A> {
    /// An `await`.
    Await(A),
    /// One after the other.
    All(Vec<Self>),
    /// One of them.
    Either(Vec<Self>),
    /// `return`
    Return,
    /// `throw`
    Throw,
}

/// Where control may be without having waited.
#[derive(Clone, Copy)]
struct Reached {
    falls: bool,
    returns: bool,
}

impl<A> Ways<A> {
    /// Whether the function can end without waiting, given which awaits may not wait.
    #[must_use]
    pub fn can_end(&self, passes: &impl Fn(&A) -> bool) -> bool {
        let reached = self.reached(passes);
        reached.falls || reached.returns
    }

    fn reached(&self, passes: &impl Fn(&A) -> bool) -> Reached {
        match self {
            Ways::Await(awaited) => Reached { falls: passes(awaited), returns: false },
            Ways::Return => Reached { falls: false, returns: true },
            Ways::Throw => Reached { falls: false, returns: false },
            Ways::Either(paths) => {
                let all: Vec<Reached> = paths.iter().map(|it| it.reached(passes)).collect();
                Reached {
                    falls: all.iter().any(|it| it.falls),
                    returns: all.iter().any(|it| it.returns),
                }
            }
            Ways::All(paths) => {
                let mut reached = Reached { falls: true, returns: false };
                for path in paths {
                    let next = path.reached(passes);
                    reached = Reached { returns: reached.returns || next.returns, ..next };
                    if !next.falls {
                        break;
                    }
                }
                reached
            }
        }
    }
}

/// Built-in functions with names that nothing else has, whose results are no promises. `object`: the name of what it is a method of, where that is one.
#[must_use]
pub fn gives_plain(object: Option<&str>, method: &str) -> bool {
    object.is_some_and(|it| ["JSON", "Math", "Number", "String"].contains(&it))
        || matches!(
            method,
            "charAt"
                | "charCodeAt"
                | "codePointAt"
                | "endsWith"
                | "indexOf"
                | "lastIndexOf"
                | "padEnd"
                | "padStart"
                | "push"
                | "slice"
                | "startsWith"
                | "substring"
                | "toFixed"
                | "toLowerCase"
                | "toUpperCase"
                | "trim"
        )
}
