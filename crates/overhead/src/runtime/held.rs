//! The helpers that give functions and objects their fast functions, and ask functions for theirs.
//!
//! A function holds its fast one under a symbol, with itself beside it, since other functions may get copies of its properties. In a
//! program that makes proxies, it holds it as a private element, of which these see nothing; and so do methods, which objects else
//! hold the fast ones of. That is slower: V8 folds fewer of the calls.

use super::{Names, Runtime};

impl Runtime {
    /// What all files of a program share, by its name; of their own where the global object takes nothing more.
    pub(super) fn shared_source(&self) -> String {
        let shared = &self.names.shared;
        let symbol = self.symbol;
        if self.hides_global {
            return format!("function {shared}(name, make) {{ return make(); }} ");
        }
        format!(
            "function {shared}(name, make) {{ \
             const key = {symbol}.for(name); let it = globalThis[key]; \
             if (!it) {{ it = make(); try {{ globalThis[key] = it; }} catch {{}} }} \
             return it; }} "
        )
    }

    /// What keeps private elements of functions. Before the file has run, it gives nothing.
    fn store_source(&self) -> String {
        let Names { store, shared, held, .. } = &self.names;
        format!(
            "var {store} = {shared}(\"headstart.held\", () => {{ \
             class Base {{ constructor(f) {{ return f; }} }} \
             class Held extends Base {{ #fast; \
             constructor(f, fast) {{ super(f); this.#fast = fast; }} \
             static give(f, fast) {{ if (#fast in f) f.#fast = fast; else new Held(f, fast); }} \
             static of(f) {{ return typeof f === \"function\" && #fast in f ? f.#fast : void 0; }} }} \
             return Held; }}); \
             function {held}() {{}} {held} = {store}.of; "
        )
    }

    pub(super) fn uses_store(&self) -> bool {
        self.has_proxies && (self.holds() || self.uses_install)
    }

    /// Whether functions hold their fast ones, or are asked for them.
    fn holds(&self) -> bool {
        self.uses_held || self.uses_stamp || self.uses_mark
    }

    /// The helpers, and the variables that they need.
    pub(super) fn held_source(&self) -> String {
        let symbol = self.symbol;
        let mut variables = Vec::new();
        if self.holds() && !self.has_proxies {
            variables.push(format!("{} = {symbol}.for(\"headstart.fast\")", self.names.held));
        }
        for (variable, name) in &self.member_keys {
            variables.push(format!("{variable} = {symbol}.for(\"headstart.fast.{name}\")"));
        }
        variables.extend(self.stamped.iter().cloned());
        let mut text = String::new();
        if !variables.is_empty() {
            text += &format!("var {}; ", variables.join(", "));
        }
        if self.uses_store() {
            text += &self.store_source();
        }
        text + &self.stamp_source() + &self.install_source() + &self.mark_source()
    }

    /// What is frozen keeps no fast function.
    fn stamp_source(&self) -> String {
        let Names { store, stamp, held, .. } = &self.names;
        if !self.uses_stamp {
            return String::new();
        }
        let give = if self.has_proxies {
            format!("{store}.give(f, fast)")
        } else {
            format!(
                "own.defineProperty(f, {held}, {{ value: {{ of: f, fast }}, configurable: true }})"
            )
        };
        format!(
            "function {stamp}(f, fast) {{ const own = ({{}}).constructor; \
             if (typeof f === \"function\" && own.isExtensible(f)) {give}; }} "
        )
    }

    fn install_source(&self) -> String {
        let Names { store, install, .. } = &self.names;
        if !self.uses_install {
            return String::new();
        }
        let give = if self.has_proxies {
            format!("{store}.give(method, fast);")
        } else {
            "const define = ({}).constructor.defineProperty; \
             define(fast, \"of\", { value: method, configurable: true, writable: true }); \
             define(home, key, { value: fast, configurable: true, writable: true });"
                .to_owned()
        };
        format!(
            "function {install}(home, key, method, fast) {{ if (typeof method !== \"function\") return; {give} }} "
        )
    }

    /// To define a property takes six times as long, and functions may be made often.
    fn mark_source(&self) -> String {
        let Names { store, mark, held, .. } = &self.names;
        if !self.uses_mark {
            return String::new();
        }
        let give = if self.has_proxies {
            format!("if ({store}) {store}.give(f, fast);")
        } else {
            format!("if ({held}) f[{held}] = {{ of: f, fast }};")
        };
        format!("function {mark}(f, fast) {{ {give} return f; }} ")
    }
}
