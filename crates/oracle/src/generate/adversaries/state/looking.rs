//! Ways by which a program looks at an object that it has declared.

/// Other ways to it: what is declared behind it, and what is looked at then.
pub(super) const WAYS: &[(&str, &str)] = &[
    ("const way = ((it) => it).bind(null, kept)", "way()"),
    ("const way = ((one, two) => two).bind(null, 1).bind(null, kept)", "way()"),
    ("const way = Object.entries({ kept })[0]", "way[1]"),
    ("const way = [...Object.entries({ kept }).values()][0]", "way[1]"),
    ("const way = new Map([[\"kept\", kept]])", "way.get(\"kept\")"),
    ("const way = new Map([[\"kept\", kept]])", "[...way].map(([key, it]) => it)[0]"),
    ("const way = new Map([[\"kept\", [kept]]])", "[...way].flatMap(([key, it]) => it)[0]"),
    ("const way = [[kept]].flat()", "way[0]"),
    ("const way = { get kept() { return kept; } }", "way.kept"),
    ("class Way { held = kept; } const way = new Way()", "way.held"),
    ("let way; way ??= kept", "way"),
    ("let way; for (const it of [kept]) way = it", "way"),
];
