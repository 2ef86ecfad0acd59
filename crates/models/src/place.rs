//! Where in a model file something does not fit.
//!
//! Purpose: a model is read as YAML into JSON, and only then held against the schema, so that one reader of the
//! schema serves all of them. An error of that reader names a byte of the JSON, which nobody sees; this names
//! the keys that lead to it, which stand in the YAML too.

/// The keys that lead to what ends at `end` in `json`: `members.readFile.call.reads[1]`. Empty for the outermost
/// object. `json` is what a serialiser wrote: on one line, without spaces.
pub(crate) fn place(json: &str, end: usize) -> String {
    let mut path: Vec<Step> = Vec::new();
    let mut rest = json.get(..end).unwrap_or(json);
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' { quoted(rest) } else { first.len_utf8() };
        let (token, behind) = rest.split_at(length);
        match (first, path.last_mut()) {
            ('{', _) => path.push(Step::Key("")),
            ('[', _) => path.push(Step::Index(0)),
            ('}' | ']', _) => drop(path.pop()),
            (',', Some(Step::Index(index))) => *index += 1,
            // A key that is not allowed is read before its colon.
            (',', Some(Step::Key(key))) => *key = "",
            ('"', Some(Step::Key(key))) if behind.starts_with(':') => {
                *key = token.trim_matches('"')
            }
            _ => {}
        }
        rest = behind;
    }
    let mut text = String::new();
    for step in path {
        match step {
            Step::Key("") => {}
            Step::Key(key) if text.is_empty() => text.push_str(key),
            Step::Key(key) => text.extend([".", key]),
            Step::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}

/// A step on the way into nested values.
enum Step<'j> {
    /// The key that was read last; empty before the first.
    Key(&'j str),
    /// The position in a list.
    Index(usize),
}

/// How many bytes the string takes that `text` begins with, its quotes included.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !escaped => return at + 1,
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn keys_and_positions_lead_to_a_place() {
        let json = r#"{"a":1,"b":{"c":[{},{"d \"e":{"f":2}}],"g":3}}"#;
        for (text, expected) in [
            (r#""a""#, ""),
            (r#""a":"#, "a"),
            (r#""b":{"#, "b"),
            (r#""c":[{},"#, "b.c[1]"),
            (r#""f":2"#, r#"b.c[1].d \"e.f"#),
            (r#""g":"#, "b.g"),
            (r#""g""#, "b"),
        ] {
            let end = json.find(text).map(|at| at + text.len()).unwrap_or_default();
            assert_eq!(place(json, end), expected, "{text}");
        }
        assert_eq!(place(json, 1_000), "");
    }
}
