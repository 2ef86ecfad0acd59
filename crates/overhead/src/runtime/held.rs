//! The helpers that give functions and objects their fast functions, and ask functions for theirs.
//!
//! A function holds its fast one as a private element: nothing sees that, and it takes half of the time of a property. One that uses
//! `this` is only found by those that ask for one to call on an object. In a program that makes proxies, which see what is read of them, methods
//! hold theirs so, too, which objects else hold. That is slower: V8 folds fewer of the calls.

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

    /// What keeps private elements of functions: `any` is what an object's function is asked for, `plain` what may be called without
    /// an object. Before the file has run, it gives nothing.
    fn store_source(&self) -> String {
        let Names { store, shared, held, applied, .. } = &self.names;
        let mut text = format!(
            "var {store} = {shared}(\"headstart.functions\", () => {{ \
             class Base {{ constructor(f) {{ return f; }} }} \
             class Held extends Base {{ #any; #plain; \
             constructor(f, fast, plain) {{ super(f); this.#any = fast; this.#plain = plain; }} \
             static give(f, fast, isApplied) {{ const plain = isApplied ? void 0 : fast; \
             if (#any in f) {{ f.#any = fast; f.#plain = plain; }} else new Held(f, fast, plain); }} \
             static plain(f) {{ return typeof f === \"function\" && #plain in f ? f.#plain : void 0; }} \
             static any(f) {{ return typeof f === \"function\" && #any in f ? f.#any : void 0; }} }} \
             return Held; }}); "
        );
        if self.uses_held {
            text += &format!("function {held}() {{}} {held} = {store}.plain; ");
        }
        if self.uses_applied {
            text += &format!("function {applied}() {{}} {applied} = {store}.any; ");
        }
        text
    }

    pub(super) fn uses_store(&self) -> bool {
        let gives = self.uses_stamp || self.uses_mark || self.uses_members;
        let asks = self.uses_held || self.uses_applied;
        gives || asks || self.has_proxies && self.uses_install
    }

    /// The helpers, and the variables that they need.
    pub(super) fn held_source(&self) -> String {
        let symbol = self.symbol;
        let mut variables = Vec::new();
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
        text + &self.stamp_source()
            + &self.install_source()
            + &self.mark_source()
            + &self.members_source()
    }

    /// What is frozen keeps no fast function.
    fn stamp_source(&self) -> String {
        let Names { store, stamp, .. } = &self.names;
        if !self.uses_stamp {
            return String::new();
        }
        format!(
            "function {stamp}(f, fast, isApplied) {{ \
             if (typeof f === \"function\" && ({{}}).constructor.isExtensible(f)) {store}.give(f, fast, isApplied); }} "
        )
    }

    fn install_source(&self) -> String {
        let Names { store, install, .. } = &self.names;
        if !self.uses_install {
            return String::new();
        }
        let give = if self.has_proxies {
            format!("{store}.give(method, fast, true);")
        } else {
            "const define = ({}).constructor.defineProperty; \
             define(fast, \"of\", { __proto__: null, value: method, configurable: true, writable: true }); \
             define(home, key, { __proto__: null, value: fast, configurable: true, writable: true });"
                .to_owned()
        };
        format!(
            "function {install}(home, key, method, fast) {{ if (typeof method !== \"function\") return; {give} }} "
        )
    }

    fn mark_source(&self) -> String {
        let Names { store, mark, .. } = &self.names;
        if !self.uses_mark {
            return String::new();
        }
        format!(
            "function {mark}(f, fast, isApplied) {{ if ({store}) {store}.give(f, fast, isApplied); return f; }} "
        )
    }

    /// The methods that a new object has, and no others in their place.
    fn members_source(&self) -> String {
        let Names { store, members, .. } = &self.names;
        if !self.uses_members {
            return String::new();
        }
        format!(
            "function {members}(object, ...list) {{ \
             if ({store}) for (let at = 0; at < list.length; at += 2) {store}.give(object[list[at]], list[at + 1], true); \
             return object; }} "
        )
    }
}
