//! The names in what the compiler writes.

use crate::RUNTIME;

/// What happens where a function is resumed whose task is to be cancelled.
#[derive(Clone, Copy)]
enum Cancelled {
    /// It throws the reason.
    Throws,
    /// It goes on: `catch` and `finally` run in any case.
    Stays,
}

/// What is written for each construct, with names that the file has nowhere.
#[derive(Debug)]
pub(crate) struct Names {
    /// What all of them begin with.
    prefix: String,
}

impl Names {
    /// Names that a text does not have.
    pub(crate) fn of(text: &str) -> Self {
        let mut prefix = "$gate".to_owned();
        while text.contains(&prefix) {
            prefix.push('$');
        }
        Self { prefix }
    }

    /// The head of the file; `requires`: what it gets CommonJS modules with, where it is one; `follows`: whether something
    /// stands in front of it.
    pub(crate) fn head(&self, requires: Option<&str>, follows: bool) -> String {
        const EXPORTS: [&str; 10] = ["a", "d", "e", "g", "h", "i", "l", "n", "s", "w"];
        let p = &self.prefix;
        let line = if follows { "\n" } else { "" };
        if let Some(require) = requires {
            let parts = EXPORTS.map(|it| format!("{it}: {p}_{it}")).join(", ");
            format!("{line}const {{ {parts} }} = {require}(\"{RUNTIME}\"); ")
        } else {
            let parts = EXPORTS.map(|it| format!("{it} as {p}_{it}")).join(", ");
            format!("{line}import {{ {parts} }} from \"{RUNTIME}\"; ")
        }
    }

    /// The variables of a function, or of a module that waits at its top level: its task, what to put back when it suspends,
    /// and a value on the way.
    pub(crate) fn variables(&self, is_typed: bool) -> String {
        let p = &self.prefix;
        let any = if is_typed { ": any" } else { "" };
        format!("let {p}_t{any} = {p}_s.c, {p}_b{any} = {p}_t, {p}_v{any};")
    }

    /// In front of the statements of a function.
    pub(crate) fn enter(&self, is_typed: bool, is_generator: bool, is_counted: bool) -> String {
        let p = &self.prefix;
        let any = if is_typed { ": any" } else { "" };
        // A generator is under way only while somebody waits for it.
        let keyword = if is_generator { "let" } else { "const" };
        let counted = if is_counted { self.counted() } else { "undefined".to_owned() };
        format!(" {} {keyword} {p}_k{any} = {counted}; try {{", self.variables(is_typed))
    }

    /// What counts a call that is under way in a block.
    fn counted(&self) -> String {
        let p = &self.prefix;
        format!("{p}_s.f > 0 ? {p}_e({p}_t) : undefined")
    }

    /// Behind them. A generator that somebody ends from outside runs in the task of that.
    pub(crate) fn leave(&self, is_generator: bool) -> String {
        let p = &self.prefix;
        let back = if is_generator {
            format!("if ({p}_b !== undefined) {p}_s.c = {p}_b;")
        } else {
            format!("{p}_s.c = {p}_b;")
        };
        format!("}} finally {{ {back} if ({p}_k !== undefined) {p}_l({p}_k); }}")
    }

    /// In front of what is waited for.
    pub(crate) fn before_wait(&self) -> String {
        let p = &self.prefix;
        format!("({p}_v = await ({p}_v = ")
    }

    /// Behind it.
    pub(crate) fn after_wait(&self) -> String {
        let p = &self.prefix;
        let resume = self.resume(Cancelled::Throws, false);
        format!(
            ", {p}_s.f > 0 && ({p}_v = {p}_h({p}_v, {p}_t)), {p}_s.c = {p}_b, {p}_b = {p}_s.r, {p}_v), {resume}, {p}_v)"
        )
    }

    /// In front of what a generator gives.
    pub(crate) fn before_yield(&self, is_delegating: bool) -> String {
        let p = &self.prefix;
        if is_delegating {
            format!("({p}_v = yield* ({p}_v = {p}_d(")
        } else {
            format!("({p}_v = yield ({p}_v = ")
        }
    }

    /// Behind it. What resumes it is a call: it goes on in the task of the caller, which goes on itself where it waits.
    pub(crate) fn after_yield(&self, is_delegating: bool) -> String {
        let p = &self.prefix;
        let resume = self.resume(Cancelled::Throws, true);
        // What is asked meanwhile goes to another one, and says who asks.
        let note = if is_delegating {
            let asker = format!("{p}_v");
            format!(", {asker} => {{ {}; }})", self.task_of(&asker))
        } else {
            String::new()
        };
        format!(
            "{note}, {p}_s.c = {p}_b, {p}_b = undefined, {p}_k !== undefined && ({p}_k = {p}_l({p}_k)), {p}_v), {}, {resume}, {p}_v)",
            self.asked()
        )
    }

    /// The same where it gives nothing.
    pub(crate) fn empty_yield(&self) -> String {
        format!("{}undefined{}", self.before_yield(false), self.after_yield(false))
    }

    /// What a generator does that somebody has asked: it goes on in the task of that, and is under way again.
    fn asked(&self) -> String {
        let p = &self.prefix;
        let task = self.task_of(&format!("{p}_b"));
        format!("{p}_b = {p}_s.c, {task}, {p}_k = {}", self.counted())
    }

    /// Whose task a generator goes on in that something asks: that of nobody leaves it its own.
    fn task_of(&self, asker: &str) -> String {
        let p = &self.prefix;
        format!("{p}_t = {asker} === {p}_s.r ? {p}_t : {asker}")
    }

    /// In front of what a generator returns: it waits for that, and does nothing afterwards but `catch` and `finally`.
    pub(crate) fn before_return(&self) -> String {
        let p = &self.prefix;
        format!("({p}_v = ")
    }

    /// Behind it.
    pub(crate) fn after_return(&self) -> String {
        let p = &self.prefix;
        format!(", {p}_s.c = {p}_b, {p}_b = {p}_s.r, {p}_v)")
    }

    /// What a function does when it has been resumed: it waits while it may not go on, and has its task again. `is_called`:
    /// whoever has resumed it stands below, and goes on where it waits.
    fn resume(&self, cancelled: Cancelled, is_called: bool) -> String {
        let p = &self.prefix;
        let (asks, stays) = match cancelled {
            Cancelled::Throws => ("n", ""),
            Cancelled::Stays => ("g", ", true"),
        };
        let wait = format!("{p}_a(await {p}_w({p}_t{stays}))");
        let wait = if is_called { format!("({p}_b = {p}_s.r, {wait})") } else { wait };
        format!("{p}_s.f > 0 && {p}_{asks}({p}_t) && {wait}, {p}_s.c = {p}_t")
    }

    /// The same as a statement.
    pub(crate) fn check(&self) -> String {
        format!(" {}; ", self.resume(Cancelled::Throws, false))
    }

    /// The same at the start of `catch` and `finally`. A generator that somebody ends comes here from its `yield`.
    pub(crate) fn check_behind_failure(&self, is_generator: bool) -> String {
        let p = &self.prefix;
        let back = if is_generator {
            format!(" if ({p}_b === undefined) {{ {}; }}", self.asked())
        } else {
            String::new()
        };
        format!("{back} {}; ", self.resume(Cancelled::Stays, is_generator))
    }

    /// The name of what a `catch` clause catches that takes it apart.
    pub(crate) fn caught(&self) -> String {
        format!("{}_x", self.prefix)
    }

    /// In front of what `for await` goes over.
    pub(crate) fn before_items(&self) -> String {
        let p = &self.prefix;
        format!("({p}_v = {p}_i(")
    }

    /// Behind it.
    pub(crate) fn after_items(&self) -> String {
        let p = &self.prefix;
        format!(", () => ({p}_v = {p}_b, {p}_b = {p}_s.r, {p}_v)), {p}_v)")
    }

    /// Behind a declaration with `await using`: what is disposed of first leaves nobody's task behind, since the language
    /// waits then. `number` tells them apart.
    pub(crate) fn disposal(&self, number: u32) -> String {
        let p = &self.prefix;
        format!(
            " using {p}_u{number} = {{ [Symbol.dispose]: () => {{ {p}_s.c = {p}_b; {p}_b = {p}_s.r; }} }};"
        )
    }
}
