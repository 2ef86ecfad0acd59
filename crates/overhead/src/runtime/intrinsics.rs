//! What the helpers know the language by.

use super::{Names, Runtime};

impl Runtime {
    /// What the other helpers know the language by. The class of promises is found when it is asked for
    /// first, which is when the file begins, or earlier; `then` is that of all promises, and nothing where
    /// something has replaced that already, since `return` calls what stands there, and `await` does not. What
    /// belongs to the engine is known by its text, which says its name: those of functions that programs bind, and
    /// of proxies, do not. Engines print it in two ways.
    pub(super) fn intrinsics_source(&self) -> String {
        let Names { promise, intrinsic, object, native, is_native, .. } = &self.names;
        let mut text = String::new();
        if self.looks_at_values() || self.uses_items {
            text += &format!(
                "function {object}(value) {{ \
                 return typeof value === \"object\" ? value !== null : typeof value === \"function\"; }} \
                 function {is_native}(value, name) {{ \
                 if (typeof value !== \"function\") return false; \
                 const text = {object}.toString.call(value), begin = \"function \" + name + \"() {{\"; \
                 return text === begin + \" [native code] }}\" || text === begin + \"\\n    [native code]\\n}}\"; }} "
            );
        }
        if self.looks_at_values() {
            text += &format!(
                "var {intrinsic}; \
                 function {promise}() {{ return {intrinsic} || ({intrinsic} = (async () => {{}})().constructor); }} \
                 var {native} = ((then) => \
                 {is_native}(then, \"then\") ? then : void 0)({promise}().prototype.then); "
            );
        }
        text
    }
}
