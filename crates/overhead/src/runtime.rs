//! The few functions that generated code needs, put at the top of a file that needs them.
//!
//! They are `function`s and `var`s, so that code which runs before the file's own (modules that
//! import one another in a cycle) finds them: without fuel, and with every array iterated as any
//! iterable is, until the file itself has run.
//!
//! They mention hardly any name of the language: a file may have a `Promise`, an `Array` or a `TypeError`
//! of its own, and programs replace the global ones while they run. What the language itself goes on
//! using is had from literals, from async functions and from what the engine throws.

use oxc_semantic::{Scoping, SymbolFlags};

use crate::facts::Facts;
use crate::results::ResultNames;
use crate::rope::Rope;

/// The names of the helpers, and which of them are needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runtime {
    names: Names,
    /// How the file can name what iteration goes by.
    symbol: &'static str,
    /// How it can name what is thrown when a variable is used too early.
    reference_error: &'static str,
    refusal: Option<&'static str>,
    uses_hold: bool,
    uses_depth: bool,
    uses_turn: bool,
    uses_items: bool,
    uses_reject: bool,
    uses_early: bool,
    uses_given: bool,
    uses_own: bool,
    uses_call: bool,
    uses_returned: bool,
    uses_guarded: bool,
    uses_awaited: bool,
    uses_other: bool,
    uses_via: bool,
    uses_noted: bool,
    uses_adopted: bool,
    uses_taken: bool,
    uses_last: bool,
    uses_of: bool,
    /// Whether something asks a function for its fast one.
    pub(crate) uses_key: bool,
    uses_stamp: bool,
    uses_mark: bool,
    uses_install: bool,
    /// The variables with the symbols under which objects hold fast methods, and the names of these.
    pub(crate) member_keys: Vec<(String, String)>,
    /// Whether the files of the program share one counter of how deep calls are.
    shares_depth: bool,
    /// The fast functions of methods, for which the file needs variables.
    stamped: Vec<String>,
    /// Variables that code at the top of the file needs.
    declared: Option<String>,
}

#[derive(Clone, Debug, Default)]
struct Names {
    hold: String,
    promise: String,
    intrinsic: String,
    object: String,
    fail: String,
    native: String,
    is_native: String,
    depth: String,
    turn: Turn,
    reject: String,
    early: String,
    given: String,
    adopt: String,
    own: String,
    call: String,
    returned: String,
    guarded: String,
    awaited: String,
    other: String,
    via: String,
    noted: String,
    adopted: String,
    taken: String,
    last: String,
    settled: String,
    of: String,
    key: String,
    stamp: String,
    mark: String,
    install: String,
    items: Items,
    array_values: String,
    array_next: String,
    is_array: String,
}

/// The functions that drive an iterator by hand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Items {
    pub(crate) items: String,
    pub(crate) step: String,
    pub(crate) close: String,
    pub(crate) abort: String,
}

/// What functions that call themselves hand over by when their calls are too deep.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turn {
    /// The function that gives how many calls went before, or throws if these are too many.
    pub(crate) turn: String,
    /// The variable that holds that while what was handed over runs.
    pub(crate) chain: String,
}

impl Runtime {
    /// With names that the file does not have.
    pub(crate) fn new(facts: &mut Facts, scoping: &Scoping) -> Self {
        let has_own = |name: &str| hides(scoping, name);
        let symbol = if has_own("Symbol") { "globalThis.Symbol" } else { "Symbol" };
        let reference_error =
            if has_own("ReferenceError") { "globalThis.ReferenceError" } else { "ReferenceError" };
        let refusal = refusal(scoping, facts);
        let mut name = |wanted: &str| facts.fresh_global(wanted);
        let names = Names {
            hold: name("$hold"),
            promise: name("$promise"),
            intrinsic: name("$Promise"),
            object: name("$object"),
            fail: name("$fail"),
            native: name("$native"),
            is_native: name("$isNative"),
            depth: name("$depth"),
            turn: Turn { turn: name("$turn"), chain: name("$chain") },
            reject: name("$reject"),
            early: name("$early"),
            given: name("$given"),
            adopt: name("$adopt"),
            own: name("$own"),
            call: name("$call"),
            returned: name("$returned"),
            guarded: name("$guarded"),
            awaited: name("$awaited"),
            other: name("$other"),
            via: name("$via"),
            noted: name("$noted"),
            adopted: name("$adopted"),
            taken: name("$taken"),
            last: name("$last"),
            settled: name("$settled"),
            of: name("$of"),
            key: name("$fast"),
            stamp: name("$stamp"),
            mark: name("$mark"),
            install: name("$install"),
            items: Items {
                items: name("$items"),
                step: name("$step"),
                close: name("$close"),
                abort: name("$abort"),
            },
            array_values: name("$values"),
            array_next: name("$next"),
            is_array: name("$isArray"),
        };
        let mut names = names;
        let shares_depth = facts.shares_depth && !has_own("globalThis");
        if shares_depth {
            names.turn.chain = format!("{}.chain", names.depth);
        }
        Self { names, symbol, reference_error, refusal, shares_depth, ..Self::default() }
    }

    /// Why nothing in the file can be converted, if so.
    pub(crate) fn refusal(&self) -> Option<&'static str> {
        self.refusal
    }

    /// The function that makes of a value, and of what was read as its `then`, what `await` may read
    /// `then` of.
    pub(crate) fn hold(&mut self) -> String {
        self.uses_hold = true;
        self.names.hold.clone()
    }

    fn counter(&self) -> String {
        let depth = &self.names.depth;
        if self.shares_depth { format!("{depth}.depth") } else { depth.clone() }
    }

    /// How many calls of functions that call themselves are on the stack.
    pub(crate) fn depth(&mut self) -> String {
        self.uses_depth = true;
        self.counter()
    }

    /// What functions hand over by whose calls are too deep.
    pub(crate) fn turn(&mut self) -> Turn {
        self.uses_turn = true;
        self.names.turn.clone()
    }

    /// The function that makes a rejected promise.
    pub(crate) fn reject(&mut self) -> String {
        self.uses_reject = true;
        self.names.reject.clone()
    }

    /// The function that gives back what it gets, a function that is to be called without `this`.
    pub(crate) fn own(&mut self) -> String {
        self.uses_own = true;
        self.names.own.clone()
    }

    /// What calls the first argument with the second one as `this`, and reads no property of what it calls: that may
    /// have a `call` of its own, or none. What cannot be called throws once all arguments are there, as it does
    /// in a call. It names nothing of the language, which a file may have of its own.
    pub(crate) fn caller(&self, typescript: bool) -> String {
        let call = &self.names.call;
        if typescript { format!("{call}().call") } else { format!("{call}.call.call") }
    }

    /// Notes whether some text uses it.
    pub(crate) fn note_call(&mut self, text: &Rope) {
        self.uses_call |= text.mentions(&self.names.call);
        self.uses_other |= text.mentions(&self.names.other);
        self.uses_via |= text.mentions(&self.names.via);
        self.uses_noted |= text.mentions(&self.names.noted);
        self.uses_adopted |= text.mentions(&self.names.adopted);
    }

    /// In TypeScript, the function that gives back what it gets, as what awaiting it gives.
    pub(crate) fn of(&mut self) -> String {
        self.uses_of = true;
        self.names.of.clone()
    }

    /// What is to be awaited of what a fast function gave, and of what was read as its `then`.
    pub(crate) fn taken(&mut self) -> String {
        self.uses_taken = true;
        self.names.taken.clone()
    }

    /// The same, where nothing was read.
    pub(crate) fn adopted(&mut self) -> String {
        self.uses_adopted = true;
        self.names.adopted.clone()
    }

    /// What calls the first argument with the second one as `this`, as [`Runtime::caller`] does, and notes what that gives as to be
    /// awaited, where a fast function may be called in its stead.
    pub(crate) fn other(&self) -> &str {
        &self.names.other
    }

    /// What makes a function that calls the one it gets so.
    pub(crate) fn via(&self) -> &str {
        &self.names.via
    }

    /// What notes a value so.
    pub(crate) fn noted(&self) -> &str {
        &self.names.noted
    }

    /// The variable with the promise that was given back last to be awaited.
    pub(crate) fn last(&mut self) -> String {
        self.uses_last = true;
        self.last_place()
    }

    fn last_place(&self) -> String {
        let Names { last, depth, .. } = &self.names;
        if self.shares_depth { format!("{depth}.last") } else { last.clone() }
    }

    /// What looks at the results of fast functions; `then` and `result` are variables of these.
    pub(crate) fn results(&self, then: &str, result: &str, is_raw: bool) -> ResultNames {
        let Names { returned, guarded, awaited, other, via, adopted, taken, .. } = &self.names;
        ResultNames {
            then: then.to_owned(),
            result: result.to_owned(),
            returned: returned.clone(),
            guarded: guarded.clone(),
            awaited: awaited.clone(),
            other: other.clone(),
            via: via.clone(),
            adopted: adopted.clone(),
            taken: taken.clone(),
            is_raw,
        }
    }

    /// Notes which of that a fast function uses.
    pub(crate) fn note_results(&mut self, fast: &Rope) {
        self.uses_returned |= fast.mentions(&self.names.returned);
        self.uses_guarded |= fast.mentions(&self.names.guarded);
        self.uses_awaited |= fast.mentions(&self.names.awaited);
        self.uses_taken |= fast.mentions(&self.names.taken);
    }

    /// The function that gives back a box that may not have its value yet, if it has; else what throws once it
    /// is read or, what is assigned being evaluated before, written.
    pub(crate) fn early(&mut self) -> String {
        self.uses_early = true;
        self.names.early.clone()
    }

    /// The function that gives back what an async function returned before it ever waited, so that who
    /// awaits that waits as many ticks as for a promise of it: what may be a thenable, as a promise.
    pub(crate) fn given(&mut self) -> String {
        self.uses_given = true;
        self.names.given.clone()
    }

    /// The symbol under which a function holds its fast one.
    pub(crate) fn key(&self) -> String {
        self.names.key.clone()
    }

    /// The function that puts beside a method the fast one that a variable, which is declared, is to hold.
    pub(crate) fn install(&mut self, variable: &str) -> String {
        self.stamped.push(variable.to_owned());
        self.uses_install = true;
        self.names.install.clone()
    }

    /// The function that gives a function its fast one.
    pub(crate) fn stamp_function(&mut self) -> String {
        (self.uses_key, self.uses_stamp) = (true, true);
        self.names.stamp.clone()
    }

    /// The function that gives a function made by an expression its fast one, and gives it back.
    pub(crate) fn mark(&mut self) -> String {
        (self.uses_key, self.uses_mark) = (true, true);
        self.names.mark.clone()
    }

    /// Declares variables for code at the top of the file.
    pub(crate) fn declare(&mut self, variables: &str) {
        self.declared = Some(variables.to_owned());
    }

    /// The functions that drive iterators.
    pub(crate) fn items(&mut self) -> Items {
        self.uses_items = true;
        self.names.items.clone()
    }

    /// The source text of what is needed, on one line.
    pub(crate) fn source(&self, typescript: bool) -> String {
        let mut text = self.untyped_source();
        if self.uses_call {
            let body = if typescript { "return $call.call;" } else { "" };
            text += &format!("function $call() {{ {body} }} ").replace("$call", &self.names.call);
        }
        if typescript { self.typed(text) } else { text }
    }

    /// With types, as far as those of what the file exports follow from them.
    fn typed(&self, text: String) -> String {
        let Names { hold, reject, returned, guarded, awaited, own, call, items, .. } = &self.names;
        let Names { other, via, noted, adopted, taken, .. } = &self.names;
        let items = &items.items;
        let heads = [
            (format!("{reject}(error)"), format!("{reject}(error: any): Promise<never>")),
            // What it gives is awaited, which types are not inferred from.
            (format!("{hold}(value, then)"), format!("{hold}(value: any, then: any): never")),
            (format!("{returned}(value, then)"), format!("{returned}<T>(value: T, then: any): T")),
            (format!("{guarded}(value)"), format!("{guarded}<T>(value: T): T")),
            (format!("{taken}(value, then)"), format!("{taken}(value: any, then: any): never")),
            (format!("{via}(f)"), format!("{via}(f: any): any")),
            (
                format!("(...list) {{ return {other}(f, this"),
                format!("(this: any, ...list: any): any {{ return {other}(f, this"),
            ),
            (format!("{noted}(value)"), format!("{noted}<T>(value: T): T")),
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

    fn untyped_source(&self) -> String {
        let mut text = self.intrinsics_source();
        if self.uses_hold {
            text += &self.hold_source();
        }
        text += &self.results_source();
        let Names { reject, early, own, .. } = &self.names;
        let reference_error = self.reference_error;
        if self.uses_depth || self.notes_last() && self.shares_depth {
            text += &self.depth_source();
        }
        if self.notes_last() && !self.shares_depth {
            text += &format!("var {}; ", self.names.last);
        }
        if self.uses_turn {
            text += &self.turn_source();
        }
        if let Some(declared) = &self.declared {
            text += &format!("var {declared}; ");
        }
        if self.uses_reject {
            text += &format!("async function {reject}(error) {{ throw error; }} ");
        }
        if self.uses_early {
            text += &format!(
                "function {early}(box, name) {{ if (\"v\" in box) return box; \
                 const fail = () => {{ throw new {reference_error}(\"Cannot access '\" + name + \"' before initialization\"); }}; \
                 return {{ get v() {{ return fail(); }}, set v(value) {{ \"v\" in box ? box.v = value : fail(); }} }}; }} "
            );
        }
        if self.uses_given {
            let Names { given, adopt, .. } = &self.names;
            text += &format!(
                "async function {adopt}(value) {{ return value; }} \
                 function {given}(value) {{ \
                 return typeof value === \"object\" && value !== null || typeof value === \"function\" ? {adopt}(value) : value; }} "
            );
        }
        if self.uses_own {
            text += &format!("function {own}(value) {{ return value; }} ");
        }
        text += &self.stamp_source();
        if self.uses_items {
            text += &self.items_source();
        }
        text
    }

    fn looks_at_values(&self) -> bool {
        self.uses_hold
            || self.uses_awaited
            || self.needs_noted()
            || self.needs_returned()
            || self.needs_guarded()
    }

    fn needs_noted(&self) -> bool {
        self.needs_other() || self.uses_noted
    }

    fn needs_other(&self) -> bool {
        self.uses_other || self.uses_via
    }

    fn needs_returned(&self) -> bool {
        self.uses_returned || self.uses_taken
    }

    fn needs_guarded(&self) -> bool {
        self.uses_guarded || self.uses_adopted
    }

    fn notes_last(&self) -> bool {
        self.uses_last || self.needs_noted() || self.uses_taken || self.uses_adopted
    }

    /// What the other helpers know the language by. The class of promises is found when it is asked for
    /// first, which is when the file begins, or earlier; `then` is that of all promises, and nothing where
    /// something has replaced that already, since `return` calls what stands there, and `await` does not. What
    /// belongs to the engine is known by its text, which says its name: those of functions that programs bind, and
    /// of proxies, do not. Engines print it in two ways.
    fn intrinsics_source(&self) -> String {
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

    /// A promise of this realm needs no `then` at all, and that of a primitive value is not looked at.
    /// Whatever else may be waited for, `then` is read only once: what was read stands in for it.
    fn hold_source(&self) -> String {
        let Names { hold, promise, object, native, .. } = &self.names;
        format!(
            "function {hold}(value, then) {{ \
             if (then === {native} || typeof then !== \"function\" || !{object}(value) \
             || value instanceof {promise}() && value.constructor === {promise}()) return value; \
             return {{ then(resolve, reject) {{ return {object}.call.call(then, value, resolve, reject); }} }}; }} "
        )
    }

    /// What is returned is adopted: its `then` is called, whatever that is, or not at all if it cannot be.
    /// What is awaited is taken for what it is if it is a promise of this realm. Neither looks at the
    /// `then` of a primitive value.
    fn results_source(&self) -> String {
        let Names { promise, object, native, returned, guarded, awaited, settled, .. } =
            &self.names;
        let Names { other, via, noted, adopted, taken, .. } = &self.names;
        let last = self.last_place();
        let mut text = String::new();
        if self.uses_via {
            text += &format!(
                "function {via}(f) {{ return function (...list) {{ return {other}(f, this, ...list); }}; }} "
            );
        }
        if self.needs_other() {
            text += &format!(
                "function {other}(f, self, ...list) {{ return {noted}({object}.call.call(f, self, ...list)); }} "
            );
        }
        if self.needs_noted() {
            text += &format!(
                "function {noted}(value) {{ \
                 if (value instanceof {promise}() && value.constructor === {promise}()) {last} = value; return value; }} "
            );
        }
        if self.uses_taken {
            text += &format!(
                "function {taken}(value, then) {{ return value === {last} ? value : {returned}(value, then); }} "
            );
        }
        if self.uses_adopted {
            text += &format!(
                "function {adopted}(value) {{ return value === {last} ? value : {guarded}(value); }} "
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
        if self.uses_awaited {
            text += &format!(
                "async function {settled}(value) {{ return await value; }} \
                 function {awaited}(value, then) {{ \
                 if (then === {native} || !{object}(value)) return value; \
                 if (value instanceof {promise}() && value.constructor === {promise}()) return {settled}(value); \
                 if (typeof then !== \"function\") return value; \
                 return {{ then(resolve, reject) {{ return {object}.call.call(then, value, resolve, reject); }} }}; }} "
            );
        }
        text
    }

    /// The error is of the class that the engine throws, and says what it says where the stack is full.
    fn stamp_source(&self) -> String {
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
                 if (typeof method === \"function\") ({{}}).constructor.defineProperty(method, {key}, {{ value: {{ of: method, fast }}, configurable: true }}); }} "
            );
        }
        if self.uses_install {
            text += &format!(
                "function {install}(home, key, method, fast) {{ \
                 if (typeof method !== \"function\") return; \
                 const define = ({{}}).constructor.defineProperty; define(fast, \"of\", {{ value: method }}); \
                 define(home, key, {{ value: fast, configurable: true }}); }} "
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

    /// The counter of how deep calls are. Where files share it, it is a property: of a function, until the file has run.
    fn depth_source(&self) -> String {
        let Names { depth, .. } = &self.names;
        if !self.shares_depth {
            return format!("var {depth} = 0; ");
        }
        let place = format!("globalThis[{}.for(\"headstart.depth\")]", self.symbol);
        format!(
            "function {depth}() {{}} {depth} = {place} || ({place} = {{ depth: 0, chain: 0 }}); "
        )
    }

    fn turn_source(&self) -> String {
        let Names { turn: Turn { turn, chain }, .. } = &self.names;
        let depth = self.counter();
        let calls = crate::depth::CALLS - 1;
        let most = crate::depth::MOST_CALLS;
        let declared = if self.shares_depth { String::new() } else { format!("var {chain} = 0; ") };
        format!(
            "{declared}function {turn}() {{ \
             const calls = {chain} + ({depth} & {calls}) + 1; \
             if (calls > {most}) try {{ [].length = -1; }} \
             catch (error) {{ throw new error.constructor(\"Maximum call stack size exceeded\"); }} \
             return calls; }} "
        )
    }

    /// Errors are of the class that the engine throws. Of an array, `next` is done by hand, where all that takes part
    /// is the engine's, but what programs put beside it, a `return`, is called.
    fn items_source(&self) -> String {
        let Names { items, object, fail, is_native, array_values, array_next, is_array, .. } =
            &self.names;
        let Items { items, step, close, abort } = items;
        let symbol = self.symbol;
        format!(
            "function {fail}(before, what, behind) {{ \
             if (typeof what === \"symbol\") what = what.toString(); \
             try {{ (void 0)(); }} catch (error) {{ throw new error.constructor(before + what + behind); }} }} \
             var {array_values} = [][{symbol}.iterator], {is_array} = [].constructor.isArray, {array_next}; \
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

/// Whether the top of a file has a variable of this name, behind which the global one cannot be seen.
fn hides(scoping: &Scoping, name: &str) -> bool {
    let own = scoping
        .symbol_ids()
        .find(|&it| scoping.symbol_name(it) == name && crate::facts::is_root(scoping, it));
    own.is_some_and(|it| {
        let types = SymbolFlags::TypeAlias | SymbolFlags::Interface;
        !types.contains(scoping.symbol_flags(it))
    })
}

/// Why the helpers cannot have what they need in a file, if so: it hides the names of the language, and
/// the way around them, too.
fn refusal(scoping: &Scoping, facts: &Facts) -> Option<&'static str> {
    let hidden = ["Symbol", "ReferenceError"].into_iter().any(|it| hides(scoping, it));
    // What stands at the top of a script may be a property of the global object.
    let around = facts.may_be_script || hides(scoping, "globalThis");
    (hidden && around).then_some("the file has a `Symbol` or a `ReferenceError` of its own")
}
