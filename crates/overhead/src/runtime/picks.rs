//! The helpers that call a method by the symbol of its fast one.

use super::{Names, Runtime};

impl Runtime {
    /// What is no fast method is called by way of an object that has functions under the symbols of all fast methods that the file
    /// calls, each of which calls what was read. Before the file has run, none of these is a symbol, and all are one.
    pub(super) fn pick_source(&self) -> String {
        let Names { pick, miss, missed, other, fail, .. } = &self.names;
        let mut text = String::new();
        if self.uses_pick {
            text += &format!(
                "function {pick}(self, f, found) {{ return found != null && f === found.of ? self : {miss}(self, f); }} "
            );
        }
        if self.uses_miss {
            let keys = self.member_keys.iter();
            let keys = keys.map(|(key, name)| format!("[{key}]: call(\"{name}\")"));
            let keys = keys.collect::<Vec<_>>().join(", ");
            let first = self.member_keys.first().map_or("", |it| it.0.as_str());
            text += &format!(
                "function {missed}(self, f) {{ this.self = self; this.f = f; }} \
                 function {miss}(self, f) {{ \
                 if (!{missed}.key) {{ \
                 const call = (name) => function (...list) {{ \
                 if (typeof this.f !== \"function\") {fail}(\"(intermediate value).\", name, \" is not a function\"); \
                 return {other}(this.f, this.self, ...list); }}; \
                 {missed}.prototype = {{ {keys} }}; {missed}.key = {first}; }} \
                 return new {missed}(self, f); }} "
            );
        }
        text
    }
}
