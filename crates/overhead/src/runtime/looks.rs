//! The helpers that look at what is awaited and returned, and the types of all helpers.

use super::{MOST_HANDED, Names, Runtime};

impl Runtime {
    /// Throws an error of the class that the engine throws where something is of the wrong type.
    pub(super) fn fail_source(&self) -> String {
        let fail = &self.names.fail;
        format!(
            "function {fail}(before, what, behind) {{ \
             if (typeof what === \"symbol\") what = what.toString(); \
             try {{ (void 0)(); }} catch (error) {{ throw new error.constructor(before + what + behind); }} }} "
        )
    }

    /// A promise of this realm needs no `then` at all, and that of a primitive value is not looked at.
    /// Whatever else may be waited for, `then` is read only once: what was read stands in for it.
    pub(super) fn hold_source(&self) -> String {
        let Names { hold, promise, object, native, .. } = &self.names;
        format!(
            "function {hold}(value, then) {{ \
             if (then === {native} || typeof then !== \"function\" || !{object}(value) \
             || value instanceof {promise}() && value.constructor === {promise}()) return value; \
             return {{ then(resolve, reject) {{ return {object}.call.call(then, value, resolve, reject); }} }}; }} "
        )
    }

    /// No `then` that a promise has of its own plays a part where it is awaited, so another promise stands in for such a one.
    /// Where the stack overflows in here, what they are given is handed on, as `await` would be.
    /// What is returned is adopted: its `then` is called, whatever that is, or not at all if it cannot be.
    /// What is awaited is taken for what it is if it is a promise of this realm. Neither looks at the
    /// `then` of a primitive value.
    pub(super) fn results_source(&self) -> String {
        let Names { promise, object, native, returned, guarded, awaited, settled, .. } =
            &self.names;
        let Names { other, via, noted, adopted, taken, over, over_at, fail, .. } = &self.names;
        let last = self.last_place();
        let mut text = String::new();
        if self.uses_plain {
            let Names { plain, held, .. } = &self.names;
            text += &format!(
                "function {plain}(f) {{ return {held}(f) || ((...list) => {other}(f, void 0, ...list)); }} "
            );
        }
        if self.uses_via {
            text += &format!(
                "function {via}(f) {{ return function (...list) {{ return {other}(f, this, ...list); }}; }} "
            );
        }
        if self.needs_other() {
            text += &format!(
                "function {other}(f, self, ...list) {{ \
                 if (typeof f !== \"function\") {fail}(\"\", f === null ? \"null\" : typeof f, \" is not a function\"); \
                 return {noted}({object}.call.call(f, self, ...list)); }} "
            );
        }
        if self.uses_checked {
            let checked = &self.names.checked;
            text += &format!(
                "function {checked}(f) {{ return typeof f === \"function\" ? f : \
                 () => {fail}(\"\", f === null ? \"null\" : typeof f, \" is not a function\"); }} "
            );
        }
        if self.needs_noted() {
            text += &format!(
                "function {noted}(value) {{ try {{ \
                 if (value instanceof {promise}() && value.constructor === {promise}()) \
                 {last} = value = {object}.hasOwnProperty.call(value, \"then\") ? {settled}(value) : value; \
                 }} catch {{}} return value; }} "
            );
        }
        if self.uses_taken {
            text += &format!(
                "function {taken}(value, then) {{ if (value !== {last}) try {{ return {returned}(value, then); }} catch {{}} return value; }} "
            );
        }
        for (uses, over, at) in [(self.uses_over, over, ""), (self.uses_over_at, over_at, "at, ")] {
            let names: Vec<String> = ('a'..).take(MOST_HANDED).map(String::from).collect();
            let list = names.join(", ");
            if uses {
                text += &format!(
                    "function {over}(twin, self, {at}value, then, {list}) {{ return {last} = twin.call(self, {at}{taken}(value, then), {list}); }} "
                );
            }
        }
        if self.uses_adopted {
            text += &format!(
                "function {adopted}(value) {{ if (value !== {last}) try {{ return {guarded}(value); }} catch {{}} return value; }} "
            );
        }
        if self.needs_returned() {
            text += &format!(
                "function {returned}(value, then) {{ \
                 if (then === {native} || !{object}(value)) return value; \
                 if (typeof then === \"function\") return {{ then(resolve, reject) {{ return {object}.call.call(then, value, resolve, reject); }} }}; \
                 return value instanceof {promise}() ? {{ then(resolve) {{ resolve(value); }} }} : value; }} "
            );
        }
        if self.needs_guarded() {
            text += &format!(
                "function {guarded}(value) {{ \
                 if (!(value instanceof {promise}())) return value; \
                 try {{ if (value.then === {native}) return value; }} catch {{}} \
                 return {{ then(resolve) {{ resolve(value); }} }}; }} "
            );
        }
        if self.uses_awaited || self.needs_noted() {
            text += &format!("async function {settled}(value) {{ return await value; }} ");
        }
        if self.uses_awaited {
            let noted = if self.notes_last() { format!("{last} = ") } else { String::new() };
            text += &format!(
                "function {awaited}(value, then) {{ \
                 if (then === {native} || !{object}(value)) return value; \
                 if (value instanceof {promise}() && value.constructor === {promise}()) return {noted}{settled}(value); \
                 if (typeof then !== \"function\") return value; \
                 return {{ then(resolve, reject) {{ return {object}.call.call(then, value, resolve, reject); }} }}; }} "
            );
        }
        text
    }

    /// What makes a rejected promise, where the stack has room for some more calls, and throws where it has not: who gets
    /// the promise has to hand it on before the stack overflows, or its rejection is unhandled. That may be the first
    /// call of a twin, for which V8 takes 17 kB to compile it. So many arguments take 2 kB, and keep V8 from inlining that
    /// away; only errors that may be of the stack need more than a few.
    pub(super) fn reject_source(&self) -> String {
        let Names { reject, .. } = &self.names;
        let room = ", 0".repeat(240);
        format!(
            "function {reject}(error, room) {{ \
             if (room === void 0) {{ \
             if (!{reject}.range) try {{ [].length = -1; }} catch (range) {{ {reject}.range = range.constructor; }} \
             room = error instanceof {reject}.range ? 24 : 2; }} \
             return room ? {reject}(error, room - 1{room}) : (async () => {{ throw error; }})(); }} "
        )
    }

    /// What looks at a promise that a call has given is called once ahead: where the stack is nearly used up, there is no
    /// room to compile it, and the promise would be lost, and its rejection unhandled.
    pub(super) fn ready_source(&self) -> String {
        let Names { noted, taken, adopted, returned, hold, .. } = &self.names;
        let calls = [
            (self.uses_reject && self.uses_returned, format!("{returned}(0, 0); ")),
            (self.uses_reject && self.uses_hold, format!("{hold}(0, 0); ")),
            (self.needs_noted(), format!("{noted}(0); ")),
            (self.uses_taken, format!("{taken}(0, 0); ")),
            (self.uses_adopted, format!("{adopted}(0); ")),
        ];
        calls.into_iter().filter(|it| it.0).map(|it| it.1).collect()
    }

    /// With types, as far as those of what the file exports follow from them.
    pub(super) fn typed(&self, text: String) -> String {
        let Names { hold, reject, returned, guarded, awaited, own, call, items, .. } = &self.names;
        let Names { other, via, pick, miss, noted, checked, members, adopted, taken, .. } =
            &self.names;
        let items = &items.items;
        let heads = [
            (
                format!("{reject}(error, room)"),
                format!("{reject}(error: any, room?: number): Promise<never>"),
            ),
            // What it gives is awaited, which types are not inferred from.
            (format!("{hold}(value, then)"), format!("{hold}(value: any, then: any): never")),
            (format!("{returned}(value, then)"), format!("{returned}<T>(value: T, then: any): T")),
            (format!("{guarded}(value)"), format!("{guarded}<T>(value: T): T")),
            (format!("{taken}(value, then)"), format!("{taken}(value: any, then: any): never")),
            (format!("{miss}(self, f)"), format!("{miss}<F>(self: any, f: F): Record<symbol, F>")),
            (
                format!("{pick}(self, f, found)"),
                format!("{pick}<F>(self: any, f: F, found: any): Record<symbol, F>"),
            ),
            (format!("{via}(f)"), format!("{via}(f: any): any")),
            (
                format!("(...list) {{ return {other}(f, this"),
                format!("(this: any, ...list: any): any {{ return {other}(f, this"),
            ),
            (format!("{noted}(value)"), format!("{noted}<T>(value: T): T")),
            (format!("{checked}(f)"), format!("{checked}<F>(f: F): F")),
            (
                format!("{members}(object, ...list)"),
                format!("{members}<T>(object: T, ...list: any[]): T"),
            ),
            (
                format!("{other}(f, self, ...list)"),
                format!(
                    "{other}<F>(f: 0 extends 1 & F ? F : never, self: any, ...list: any): any; \
                     function {other}<T, A extends any[], R>(f: (this: T, ...list: A) => R, self: T, ...list: A): R; \
                     function {other}(f: any, self: any, ...list: any): any"
                ),
            ),
            (format!("{adopted}(value)"), format!("{adopted}<T>(value: T): T")),
            (format!("{awaited}(value, then)"), format!("{awaited}<T>(value: T, then: any): T")),
            (format!("{own}(value)"), format!("{own}<T>(value: T): T")),
            // What may be anything gives anything.
            (
                format!("{call}()"),
                format!(
                    "{call}(): {{ call: {{ <F>(f: 0 extends 1 & F ? F : never, self: any, ...args: any): any; \
                     <T, A extends any[], R>(f: (this: T, ...args: A) => R, self: T, ...args: A): R }} }}"
                ),
            ),
            (
                format!("{items}(from)"),
                format!("{items}<T>(from: Iterable<T>): {{ value: T, [key: string]: any }}"),
            ),
        ];
        let text = heads.iter().fold(text, |text, (plain, typed)| {
            text.replace(&format!("function {plain}"), &format!("function {typed}"))
        });
        if !self.uses_of {
            return text;
        }
        let of = &self.names.of;
        format!("{text}function {of}<T>(value: T): Awaited<T> {{ return value as any; }} ")
    }

    pub(super) fn looks_at_values(&self) -> bool {
        self.uses_hold
            || self.uses_awaited
            || self.needs_noted()
            || self.needs_returned()
            || self.needs_guarded()
    }

    pub(super) fn needs_noted(&self) -> bool {
        self.needs_other() || self.uses_noted
    }

    pub(super) fn needs_other(&self) -> bool {
        self.uses_other || self.uses_via || self.uses_plain || self.uses_miss
    }

    pub(super) fn needs_returned(&self) -> bool {
        self.uses_returned || self.uses_taken
    }

    pub(super) fn needs_guarded(&self) -> bool {
        self.uses_guarded || self.uses_adopted
    }

    pub(super) fn notes_last(&self) -> bool {
        self.uses_last || self.needs_noted() || self.uses_taken || self.uses_adopted
    }
}
