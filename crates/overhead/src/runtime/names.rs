//! The names of the helpers.

use crate::facts::Facts;

#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) hold: String,
    pub(super) promise: String,
    pub(super) intrinsic: String,
    pub(super) object: String,
    pub(super) fail: String,
    pub(super) native: String,
    pub(super) is_native: String,
    pub(super) depth: String,
    pub(super) turn: Turn,
    pub(super) reject: String,
    pub(super) early: String,
    pub(super) given: String,
    pub(super) adopt: String,
    pub(super) own: String,
    pub(super) never: String,
    pub(super) call: String,
    pub(super) returned: String,
    pub(super) guarded: String,
    pub(super) awaited: String,
    pub(super) other: String,
    pub(super) via: String,
    pub(super) pick: String,
    pub(super) miss: String,
    pub(super) missed: String,
    pub(super) plain: String,
    pub(super) noted: String,
    pub(super) checked: String,
    pub(super) adopted: String,
    pub(super) taken: String,
    pub(super) over: String,
    pub(super) over_at: String,
    pub(super) last: String,
    pub(super) settled: String,
    pub(super) of: String,
    pub(super) store: String,
    pub(super) shared: String,
    pub(super) held: String,
    pub(super) applied: String,
    pub(super) members: String,
    pub(super) stamp: String,
    pub(super) mark: String,
    pub(super) install: String,
    pub(super) items: Items,
    pub(super) array_values: String,
    pub(super) array_next: String,
    pub(super) is_array: String,
}

/// The functions that drive an iterator by hand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Items {
    pub(crate) items: String,
    pub(crate) step: String,
    pub(crate) close: String,
    pub(crate) abort: String,
}

/// What functions that call themselves hand over by when their calls are too deep.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turn {
    /// The function that gives how many calls went before, or throws if these are too many.
    pub(crate) turn: String,
    /// The variable that holds that while what was handed over runs.
    pub(crate) chain: String,
}

impl Names {
    /// Names that the file does not have.
    pub(super) fn new(facts: &mut Facts) -> Self {
        let mut name = |wanted: &str| facts.fresh_global(wanted);
        Self {
            hold: name("$hold"),
            promise: name("$promise"),
            intrinsic: name("$Promise"),
            object: name("$object"),
            fail: name("$fail"),
            native: name("$native"),
            is_native: name("$isNative"),
            depth: name("$depth"),
            turn: Turn { turn: name("$turn"), chain: name("$chain") },
            reject: name("$reject"),
            early: name("$early"),
            given: name("$given"),
            adopt: name("$adopt"),
            own: name("$own"),
            never: name("$never"),
            call: name("$call"),
            returned: name("$returned"),
            guarded: name("$guarded"),
            awaited: name("$awaited"),
            other: name("$other"),
            via: name("$via"),
            pick: name("$pick"),
            miss: name("$miss"),
            missed: name("$missed"),
            plain: name("$plain"),
            noted: name("$noted"),
            checked: name("$checked"),
            adopted: name("$adopted"),
            taken: name("$taken"),
            over: name("$over"),
            over_at: name("$overAt"),
            last: name("$last"),
            settled: name("$settled"),
            of: name("$of"),
            store: name("$store"),
            shared: name("$shared"),
            held: name("$held"),
            applied: name("$applied"),
            members: name("$members"),
            stamp: name("$stamp"),
            mark: name("$mark"),
            install: name("$install"),
            items: Items {
                items: name("$items"),
                step: name("$step"),
                close: name("$close"),
                abort: name("$abort"),
            },
            array_values: name("$values"),
            array_next: name("$next"),
            is_array: name("$isArray"),
        }
    }
}
