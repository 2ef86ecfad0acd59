//! What the rules are, for those who only see their names.

/// A rule that findings may be of.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The name that findings carry.
    pub id: &'static str,
    /// What is wrong where it finds something, in a few words.
    pub summary: &'static str,
    /// What it finds, in a sentence or two.
    pub description: &'static str,
    /// What to do about it.
    pub help: &'static str,
    /// What its rewrite does; none where it has no rewrite.
    pub rewrite: Option<&'static str>,
}

/// All rules, in the order of their names.
pub const RULES: [Rule; 3] = [
    Rule {
        id: crate::awaits_in_one_expression::RULE,
        summary: "Awaits in one expression wait for one another",
        description: "Several operations that are awaited in one statement read from outside the \
                      program and need nothing from one another, yet each starts only when the one \
                      before it has ended.",
        help: "Start the operations before the statement, together, and put their results where \
               the awaits stood. `headstart fix` does it.",
        rewrite: Some("Start the operations together, before the statement"),
    },
    Rule {
        id: crate::hints::RULE,
        summary: "Something keeps an operation waiting for another",
        description: "An operation that reads from outside the program starts only when another has \
                      ended, though it needs nothing from it: what stands between them may not be \
                      crossed. There is no rewrite.",
        help: "Look at what is named as standing in the way. Where it does not matter, move it or \
               start the operation before it.",
        rewrite: None,
    },
    Rule {
        id: crate::independent_awaits::RULE,
        summary: "Independent operations wait for one another",
        description: "Operations in the same block that read from outside the program need nothing \
                      from one another, yet each starts only when the one before it has ended.",
        help: "Start the operations together with `Promise.all`, or start one earlier and await it \
               where its result is needed. `headstart fix` does it.",
        rewrite: Some("Start the operation earlier, and wait for it where its result is needed"),
    },
];

/// The rule of a name, with its place in [`RULES`].
#[must_use]
pub fn rule(id: &str) -> Option<(usize, &'static Rule)> {
    RULES.iter().enumerate().find(|(_, rule)| rule.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_differ_in_all_that_is_said_of_them() {
        for (index, one) in RULES.iter().enumerate() {
            for other in &RULES[index + 1..] {
                assert!(one.id < other.id);
                assert_ne!(one.summary, other.summary);
                assert_ne!(one.description, other.description);
                assert_ne!(one.help, other.help);
                assert_ne!(one.rewrite, other.rewrite);
            }
        }
    }
}
