//! What the functions of a program give, and how they end.

use super::Generator;
use super::scope::{Kind, Scope, as_text};
use crate::tree::{Expr, Stmt};

/// How a function ends. One that throws only sometimes is called as a check, and nowhere else: where its
/// result is kept, a read behind it may be wasted (the contract).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ends {
    /// It gives something, unless an operation fails.
    Gives,
    /// It may throw by itself.
    Checks,
    /// It throws whatever happens.
    Throws,
}

/// A function that may be called with a folder.
#[derive(Clone, Debug)]
pub(super) struct Helper {
    pub(super) name: String,
    /// What it gives.
    pub(super) kind: Kind,
    pub(super) ends: Ends,
}

impl Ends {
    pub(super) fn of(body: &[Stmt]) -> Self {
        let leaves = |stmt: &Stmt, which: fn(&Stmt) -> bool| {
            let mut pending = vec![stmt.clone()];
            while let Some(mut stmt) = pending.pop() {
                if which(&stmt) {
                    return true;
                }
                pending.extend(stmt.blocks_mut().into_iter().flat_map(std::mem::take));
            }
            false
        };
        let throws = |it: &Stmt| leaves(it, |it| matches!(it, Stmt::Throw(_)));
        let returns = |it: &Stmt| leaves(it, |it| matches!(it, Stmt::Return(_)));
        match body.last() {
            Some(Stmt::Throw(_)) if !body.iter().any(returns) => Self::Throws,
            _ if body.iter().any(throws) => Self::Checks,
            _ => Self::Gives,
        }
    }
}

impl Generator {
    pub(super) fn has_helper(&self, other_than: Ends) -> bool {
        self.helpers.iter().any(|it| it.ends != other_than)
    }

    /// Ends the body of a function, and says what the function gives.
    pub(super) fn result(&mut self, scope: &Scope, body: &mut Vec<Stmt>) -> Kind {
        let all = scope.everything();
        let last = scope.variables.last().cloned();
        let (value, kind) = match (self.below(12), last) {
            (0..=2, _) => (format!("[{all}].join(\" \")"), Kind::Text),
            (3, _) => (format!("[{all}].length"), Kind::Number),
            (4 | 5, Some((name, kind))) => {
                (format!("{{ one: {}, all: [{all}] }}", as_text(&name, kind)), Kind::Data)
            }
            (6, _) => (format!("[{all}]"), Kind::Data),
            (7, Some((name, kind))) => (format!("`v ${{{}}}`", as_text(&name, kind)), Kind::Text),
            (8, Some((name, Kind::Text))) => (name, Kind::Text),
            (9, _) => {
                let operation = self.text_read(scope);
                body.push(Stmt::Return(Expr::awaited(operation)));
                return Kind::Text;
            }
            (10, _) => return Kind::Undefined,
            (11, _) if self.chance(30) => {
                body.push(Stmt::Throw(Expr::code(format!("new Error([{all}].join(\" \"))"))));
                return Kind::Text;
            }
            _ => (format!("[{all}].join(\" \")"), Kind::Text),
        };
        body.push(Stmt::Return(Expr::code(value)));
        kind
    }
}
