//! What a function becomes, and where its fast one stands.

use oxc_span::Span;

use super::Declarator;

/// The form that a function gets.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// Whoever calls it has waited, and awaits it at once: it becomes the fast function itself.
    InPlace(Home),
    /// It stays the async function that it was, and the fast one stands beside it.
    Beside(Beside),
}

impl Form {
    /// Whether nothing but the async function holds the fast one.
    pub(super) fn is_value(&self) -> bool {
        let Form::Beside(Beside { place, .. }) = self else { return false };
        matches!(place, Place::Value | Place::Inner(_) | Place::Member { .. })
    }
}

/// What the fast function belongs to, as far as its twin may be put there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Home {
    Elsewhere,
    /// It is a private method, and only called as one.
    Private {
        is_static: bool,
    },
    /// It stands in a static block of a class.
    Block,
}

/// A fast function beside the async one.
#[derive(Clone, Debug)]
pub(crate) struct Beside {
    /// Its name, `#` included.
    pub(crate) name: String,
    /// The name of the async one, where that is a method.
    pub(crate) method: String,
    pub(crate) place: Place,
    /// Whether the async function holds the fast one, for calls that do not know either by name.
    pub(crate) is_held: bool,
}

/// Where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// Behind a function declaration, whose name this is.
    Declaration(Span),
    /// In front of a declarator.
    Declarator(Declarator),
    /// Behind a private method, whose name this is.
    Private { element: Span, key: Span, is_static: bool },
    /// In a static block at the start of the class body that begins here; the function is a property
    /// of the class, or of its `prototype`.
    Block { class: u32, is_static: bool },
    /// In an expression, with the async function, which holds it.
    Value,
    /// Behind a declaration in another function, whose name this is; that holds it.
    Inner(Span),
    /// Behind the object of which it is a method: where the literal begins that makes that.
    Member { literal: u32 },
}

impl Beside {
    /// What the fast function belongs to.
    pub(crate) fn home(&self) -> Home {
        match self.place {
            Place::Private { is_static, .. } => Home::Private { is_static },
            Place::Block { .. } => Home::Block,
            _ => Home::Elsewhere,
        }
    }
}
