//! The names in what the compiler writes.

use crate::RUNTIME;

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

    /// The head of the file; `follows`: whether something stands in front of it.
    pub(crate) fn head(&self, is_commonjs: bool, follows: bool) -> String {
        const EXPORTS: [&str; 8] = ["a", "e", "g", "i", "l", "n", "s", "w"];
        let p = &self.prefix;
        let line = if follows { "\n" } else { "" };
        if is_commonjs {
            let parts = EXPORTS.map(|it| format!("{it}: {p}_{it}")).join(", ");
            format!("{line}const {{ {parts} }} = require(\"{RUNTIME}\"); ")
        } else {
            let parts = EXPORTS.map(|it| format!("{it} as {p}_{it}")).join(", ");
            format!("{line}import {{ {parts} }} from \"{RUNTIME}\"; ")
        }
    }

    /// The variables of a function: its task, what to put back when it suspends, and a value on the way.
    fn variables(&self, is_typed: bool) -> String {
        let p = &self.prefix;
        let any = if is_typed { ": any" } else { "" };
        format!("let {p}_t{any} = {p}_s.c, {p}_b{any} = {p}_t, {p}_v{any};")
    }

    /// In front of the statements of a function.
    pub(crate) fn enter(&self, is_typed: bool) -> String {
        let p = &self.prefix;
        let any = if is_typed { ": any" } else { "" };
        format!(
            " {} const {p}_k{any} = {p}_s.f > 0 ? {p}_e({p}_t) : undefined; try {{",
            self.variables(is_typed)
        )
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

    /// The variables of a module that waits at its top level.
    pub(crate) fn module(&self, is_typed: bool) -> String {
        self.variables(is_typed)
    }

    /// In front of what is waited for.
    pub(crate) fn before_wait(&self) -> String {
        let p = &self.prefix;
        format!("({p}_v = await ({p}_v = ")
    }

    /// Behind it.
    pub(crate) fn after_wait(&self) -> String {
        let p = &self.prefix;
        format!(", {p}_s.c = {p}_b, {p}_b = {p}_s.r, {p}_v), {}, {p}_v)", self.resume())
    }

    /// In front of what a generator gives.
    pub(crate) fn before_yield(&self, is_delegating: bool) -> String {
        let p = &self.prefix;
        let star = if is_delegating { "*" } else { "" };
        format!("({p}_v = yield{star} ({p}_v = ")
    }

    /// Behind it. What resumes it is a call: it goes on in the task of the caller, which goes on itself where it waits.
    pub(crate) fn after_yield(&self) -> String {
        let p = &self.prefix;
        format!(
            ", {p}_s.c = {p}_b, {p}_b = undefined, {p}_v), {p}_b = {p}_s.c, {p}_t = {p}_b === {p}_s.r ? {p}_t : {p}_b, {p}_s.f > 0 && {p}_n({p}_t) && ({p}_b = {p}_s.r, {p}_a(await {p}_w({p}_t))), {p}_s.c = {p}_t, {p}_v)"
        )
    }

    /// The same where it gives nothing.
    pub(crate) fn empty_yield(&self) -> String {
        format!("{}undefined{}", self.before_yield(false), self.after_yield())
    }

    /// What a function does when it has been resumed: it waits while it may not go on, and has its task again.
    fn resume(&self) -> String {
        let p = &self.prefix;
        format!("{p}_s.f > 0 && {p}_n({p}_t) && {p}_a(await {p}_w({p}_t)), {p}_s.c = {p}_t")
    }

    /// The same as a statement.
    pub(crate) fn check(&self) -> String {
        format!(" {}; ", self.resume())
    }

    /// The same at the start of `catch` and `finally`, which run in any case: who is cancelled waits there, too.
    /// A generator that somebody ends comes here from its `yield`.
    pub(crate) fn check_behind_failure(&self, is_generator: bool) -> String {
        let p = &self.prefix;
        let (back, waits) = if is_generator {
            (format!(" if ({p}_b === undefined) {p}_b = {p}_s.c;"), format!("{p}_b = {p}_s.r, "))
        } else {
            (String::new(), String::new())
        };
        format!(
            "{back} {p}_s.f > 0 && {p}_g({p}_t) && ({waits}{p}_a(await {p}_w({p}_t, true))), {p}_s.c = {p}_t; "
        )
    }

    /// In front of what `for await` goes over.
    pub(crate) fn before_items(&self) -> String {
        let p = &self.prefix;
        format!("({p}_v = {p}_i(")
    }

    /// Behind it.
    pub(crate) fn after_items(&self) -> String {
        let p = &self.prefix;
        format!(", {p}_b), {p}_b = {p}_s.r, {p}_v)")
    }
}
