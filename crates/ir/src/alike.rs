//! Values that are written alike.

use crate::{FileIr, Inst, InstId, Key, PropKey};

/// How deep values are looked at: `this.cache.users.byName`.
const DEEPEST: u32 = 8;

impl FileIr {
    /// Whether two values are written alike: `this.api` and `this.api`. What their variables hold may have
    /// changed from one to the other.
    #[must_use]
    pub fn are_alike(&self, one: InstId, other: InstId) -> bool {
        one == other || self.are_alike_within(one, other, DEEPEST)
    }

    /// Whether two keys are written alike.
    #[must_use]
    pub fn are_alike_keys(&self, one: PropKey, other: PropKey) -> bool {
        match (one.get(), other.get()) {
            (Key::Computed(one), Key::Computed(other)) => self.are_alike(one, other),
            _ => one == other,
        }
    }

    fn are_alike_within(&self, one: InstId, other: InstId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let alike = |one, other| one == other || self.are_alike_within(one, other, depth);
        match (self.inst(one), self.inst(other)) {
            (Inst::This, Inst::This) => true,
            (Inst::LoadVar(one), Inst::LoadVar(other)) => one == other,
            (Inst::LoadGlobal(one), Inst::LoadGlobal(other)) => one == other,
            (Inst::Literal(one), Inst::Literal(other)) => one == other,
            (Inst::Get { object: one, key }, Inst::Get { object: other, key: of_other }) => {
                let is_same_key = match (key.get(), of_other.get()) {
                    (Key::Computed(one), Key::Computed(other)) => alike(one, other),
                    _ => key == of_other,
                };
                is_same_key && alike(one, other)
            }
            (Inst::Template(one), Inst::Template(other)) => {
                let (one, other) = (self.args(one), self.args(other));
                one.len() == other.len() && one.iter().zip(other).all(|(&a, &b)| alike(a, b))
            }
            (
                Inst::Operator { left, right, plus: true, .. },
                Inst::Operator { left: of_other, right: other, plus: true, .. },
            ) => alike(left, of_other) && alike(right, other),
            _ => false,
        }
    }
}
