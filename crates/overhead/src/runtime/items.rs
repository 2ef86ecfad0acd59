//! The helpers that drive iterators.

use super::{Items, Names, Runtime};

impl Runtime {
    /// Of an array, `next` is done by hand, where all that takes part
    /// is the engine's, but what programs put beside it, a `return`, is called.
    pub(super) fn items_source(&self) -> String {
        let Names { items, object, fail, is_native, array_values, array_next, is_array, .. } =
            &self.names;
        let Items { items, step, close, abort } = items;
        let symbol = self.symbol;
        format!(
            "var {array_values} = [][{symbol}.iterator], {is_array} = [].constructor.isArray, {array_next}; \
             if ({is_native}({array_values}, \"values\") && {is_native}({is_array}, \"isArray\")) {array_next} = [][{symbol}.iterator]().next; \
             if (!{is_native}({array_next}, \"next\")) {array_values} = void 0; \
             function {items}(from) {{ \
             const iterate = from === void 0 || from === null ? void 0 : from[{symbol}.iterator]; \
             if (typeof iterate !== \"function\") {fail}(\"\", from === null ? \"null\" : typeof from, \" is not iterable\"); \
             const iterator = {object}.call.call(iterate, from); \
             if (iterate === {array_values} && {is_array}(from) && iterator.next === {array_next} && iterator.return === void 0) \
             return {{ array: from, index: 0, iterator, next: void 0, open: false, value: void 0 }}; \
             if (!{object}(iterator)) {fail}(\"Result of the Symbol.iterator method \", iterator, \" is not an object\"); \
             return {{ array: null, index: 0, iterator, next: iterator.next, open: false, value: void 0 }}; }} \
             function {step}(it) {{ \
             it.open = false; \
             if (it.array !== null) {{ \
             if (it.index >= it.array.length) return false; \
             it.value = it.array[it.index++]; \
             return it.open = true; }} \
             const result = {object}.call.call(it.next, it.iterator); \
             if (!{object}(result)) {fail}(\"Iterator result \", result, \" is not an object\"); \
             if (result.done) return false; \
             it.value = result.value; \
             return it.open = true; }} \
             function {close}(it) {{ \
             if (!it.open) return; \
             it.open = false; \
             const close = it.iterator.return; \
             if (close === void 0 || close === null) return; \
             const result = {object}.call.call(close, it.iterator); \
             if (!{object}(result)) {fail}(\"Iterator result \", result, \" is not an object\"); }} \
             function {abort}(it) {{ \
             try {{ if (it.open) {{ it.open = false; const close = it.iterator.return; if (close !== void 0 && close !== null) {object}.call.call(close, it.iterator); }} }} catch {{}} }} "
        )
    }
}
