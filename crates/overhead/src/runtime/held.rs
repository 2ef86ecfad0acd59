//! The helpers that give functions and objects their fast functions.

use super::{Names, Runtime};

impl Runtime {
    /// The error is of the class that the engine throws, and says what it says where the stack is full.
    pub(super) fn stamp_source(&self) -> String {
        let Names { key, stamp, mark, install, .. } = &self.names;
        let symbol = self.symbol;
        let mut variables = Vec::new();
        if self.uses_key {
            variables.push(format!("{key} = {symbol}.for(\"headstart.fast\")"));
        }
        for (variable, name) in &self.member_keys {
            variables.push(format!("{variable} = {symbol}.for(\"headstart.fast.{name}\")"));
        }
        variables.extend(self.stamped.iter().cloned());
        if variables.is_empty() {
            return String::new();
        }
        let mut text = format!("var {}; ", variables.join(", "));
        if self.uses_stamp {
            text += &format!(
                "function {stamp}(method, fast) {{ \
                 const own = ({{}}).constructor; \
                 if (typeof method === \"function\" && own.isExtensible(method)) own.defineProperty(method, {key}, {{ value: {{ of: method, fast }}, configurable: true }}); }} "
            );
        }
        if self.uses_install {
            text += &format!(
                "function {install}(home, key, method, fast) {{ \
                 if (typeof method !== \"function\") return; \
                 const define = ({{}}).constructor.defineProperty; define(fast, \"of\", {{ value: method, configurable: true, writable: true }}); \
                 define(home, key, {{ value: fast, configurable: true, writable: true }}); }} "
            );
        }
        if self.uses_mark {
            // To define a property takes six times as long, and functions may be made often.
            text += &format!(
                "function {mark}(f, fast) {{ if ({key}) f[{key}] = {{ of: f, fast }}; return f; }} "
            );
        }
        text
    }
}
