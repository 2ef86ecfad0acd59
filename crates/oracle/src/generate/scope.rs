//! What is visible where a statement is generated.

use super::Generator;

/// What a variable holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Text,
    Stat,
    List,
    Response,
    Rows,
    Output,
    Document,
    Number,
    /// An object or list of texts.
    Data,
    Undefined,
    Nothing,
}

/// Whose code it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// The function under test.
    Main,
    /// A function that is called with the folder it works in, `dir`.
    Helper,
    /// A method that works in `this.dir`.
    Method,
    /// The task beside it.
    Other,
}

/// The variables and surroundings of a block.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) place: Place,
    pub(super) variables: Vec<(String, Kind)>,
    /// Variables that may be assigned, all of them text.
    pub(super) assignable: Vec<String>,
    /// In a `try` whose handler tells errors apart: operations carry marks.
    pub(super) is_marked: bool,
    pub(super) is_loop: bool,
    pub(super) depth: usize,
}

impl Scope {
    pub(super) fn new(place: Place) -> Self {
        Self {
            place,
            variables: Vec::new(),
            assignable: Vec::new(),
            is_marked: false,
            is_loop: false,
            depth: 0,
        }
    }

    /// The scope of a block in it.
    pub(super) fn inner(&self) -> Self {
        Self { depth: self.depth + 1, ..self.clone() }
    }

    pub(super) fn declare(&mut self, name: &str, kind: Kind) {
        if kind != Kind::Nothing {
            self.variables.push((name.to_owned(), kind));
        }
    }

    /// Every variable as text, for what a function returns.
    pub(super) fn everything(&self) -> String {
        let texts: Vec<String> =
            self.variables.iter().map(|(name, kind)| as_text(name, *kind)).collect();
        texts.join(", ")
    }
}

/// A variable as a text.
pub(super) fn as_text(name: &str, kind: Kind) -> String {
    match kind {
        Kind::Text | Kind::Nothing => name.to_owned(),
        Kind::Stat => format!("`${{{name}.size}}`"),
        Kind::List => format!("{name}.join(\",\")"),
        Kind::Response => format!("`${{{name}.status}}`"),
        Kind::Rows => format!("{name}.rows[0].v"),
        Kind::Output => format!("{name}.stdout"),
        Kind::Document => format!("{name}.v"),
        Kind::Number | Kind::Undefined => format!("`${{{name}}}`"),
        Kind::Data => format!("JSON.stringify({name})"),
    }
}

/// A condition on a variable, which holds in about every second world.
fn as_condition(name: &str, kind: Kind) -> String {
    match kind {
        Kind::Text | Kind::Nothing => format!("{name}.endsWith(\"1\")"),
        Kind::Stat => format!("{name}.isDirectory()"),
        Kind::List => format!("{name}.includes(\"y1\")"),
        Kind::Response => format!("{name}.ok"),
        Kind::Rows => format!("{name}.rows.length > 1"),
        Kind::Output => format!("{name}.stdout.endsWith(\"1\")"),
        Kind::Document => format!("{name}.v.endsWith(\"1\")"),
        Kind::Number => format!("{name} % 2 === 1"),
        Kind::Data => format!("JSON.stringify({name}).includes(\"1\")"),
        Kind::Undefined => format!("{name} === undefined"),
    }
}

impl Generator {
    /// A text that may depend on what was read.
    pub(super) fn text(&mut self, scope: &Scope) -> String {
        if self.chance(15) {
            return format!("\"w{}\"", self.below(4));
        }
        if self.features.shared && self.chance(15) {
            return self.pick(&["state.label", "`${state.count}`", "`${shared}`"]).to_owned();
        }
        match self.variable(scope) {
            Some((name, kind)) if self.chance(40) => {
                format!("`{}-${{{}}}`", self.letter(), as_text(&name, kind))
            }
            Some((name, kind)) => as_text(&name, kind),
            None => format!("\"w{}\"", self.below(4)),
        }
    }

    /// A condition that may depend on what was read.
    pub(super) fn condition(&mut self, scope: &Scope) -> String {
        if self.features.shared && self.chance(25) {
            return self.pick(&["state.count > 1", "state.isReady", "shared > 0"]).to_owned();
        }
        let Some((name, kind)) = self.variable(scope) else {
            return self.pick(&["FLAGS.one", "FLAGS.two"]).to_owned();
        };
        let condition = as_condition(&name, kind);
        if self.chance(50) { format!("!({condition})") } else { condition }
    }

    pub(super) fn variable(&mut self, scope: &Scope) -> Option<(String, Kind)> {
        let count = scope.variables.len();
        (count > 0).then(|| scope.variables[self.below(count)].clone())
    }
}
