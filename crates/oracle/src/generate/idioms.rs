//! Patterns from real programs that are easy to rewrite wrongly (the traps of the contract).

use super::Generator;
use super::results::Ends;
use super::scope::{Kind, Place, Scope, as_text};
use crate::tree::{Effect, Expr, Handler, Operation, Piece, Stmt};

impl Generator {
    pub(super) fn idiom(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let is_free = scope.place == Place::Main && !scope.is_marked;
        match self.below(14) {
            0 => self.stat_guard(scope),
            1 => self.captured(scope),
            2 if self.features.shared => self.staleness(scope),
            3 => self.report_success(scope),
            4 if self.features.clock && is_free => self.measured(scope),
            5 if self.features.timers && is_free => self.pause(scope),
            6 if is_free => self.retry(scope),
            7 if is_free => self.carried(scope),
            8 => self.dynamic_keys(scope),
            9 => self.cleanup(scope),
            10 if self.features.class && is_free => self.method_calls(scope),
            11 if is_free => self.mapped(scope),
            12 if self.features.shared => self.crossing(scope),
            13 => self.swallowed(scope),
            _ => self.read_run(scope, 2),
        }
    }

    fn operation(callee: &str, effect: Effect, args: &[&str]) -> Expr {
        let args = args.iter().map(|arg| Expr::code(*arg)).collect();
        Expr::awaited(Operation { callee: callee.to_owned(), args, effect })
    }

    /// Trap 1: a folder is listed only where it is one.
    fn stat_guard(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let (path, info, list) = (self.path(scope), self.name("v"), self.name("v"));
        scope.declare(&info, Kind::Stat);
        scope.declare(&list, Kind::List);
        let leave = vec![Stmt::Return(Expr::code("\"no folder\""))];
        let test = Expr::code(format!("!{info}.isDirectory()"));
        vec![
            Stmt::constant(info.as_str(), Self::operation("stat", Effect::Read, &[&path])),
            Stmt::If { test, then: leave, otherwise: Vec::new() },
            Stmt::constant(list.as_str(), Self::operation("readdir", Effect::Read, &[&path])),
        ]
    }

    /// Traps 3 and 24: a closure that reads or writes a variable between two operations.
    fn captured(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let (variable, closure, first, second) =
            (self.name("v"), self.name("g"), self.name("v"), self.name("v"));
        let one = self.text_read(scope);
        let path = match scope.place {
            Place::Main if !scope.is_marked => format!("`d/${{{variable}}}`"),
            _ => self.path(scope),
        };
        let change = Stmt::code(format!("{variable} += \"x\""));
        let declare =
            Stmt::Declare { keyword: "let", pattern: variable.clone(), value: Expr::code("\"y\"") };
        for name in [&first, &second, &variable] {
            scope.declare(name, Kind::Text);
        }
        let mut statements = vec![
            declare,
            Stmt::constant(closure.as_str(), Self::arrow("() =>", vec![change])),
            Stmt::constant(first.as_str(), Expr::awaited(one)),
            Stmt::code(format!("{closure}()")),
            Stmt::constant(
                second.as_str(),
                Self::operation("readFile", Effect::Read, &[&path, "\"utf8\""]),
            ),
        ];
        if self.chance(30) {
            statements.swap(2, 3);
        }
        statements
    }

    /// Trap 5: has somebody else changed it meanwhile?
    fn staleness(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let before = self.name("before");
        let field = self.pick(&["state.count", "state.label", "shared"]);
        let mut statements = vec![Stmt::constant(before.as_str(), Expr::code(field))];
        statements.extend(self.read_run(scope, 1));
        statements.push(Stmt::If {
            test: Expr::code(format!("{field} !== {before}")),
            then: vec![Stmt::Return(Expr::code("\"stale\""))],
            otherwise: Vec::new(),
        });
        statements.extend(self.read_run(scope, 1));
        statements
    }

    /// Trap 6: what is printed says that something has happened.
    fn report_success(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let mut statements = vec![Stmt::Expr(Expr::awaited(self.write(scope)))];
        if scope.place == Place::Main {
            statements.push(Stmt::code("console.log(\"done\")"));
        }
        statements.extend(self.read_run(scope, 1));
        statements
    }

    /// Trap 13: how long something takes.
    pub(super) fn measured(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let (start, took) = (self.name("start"), self.name("took"));
        let clock = self.pick(&["Date.now()", "performance.now()"]);
        let mut statements = vec![Stmt::constant(start.as_str(), Expr::code(clock))];
        let count = 1 + self.below(2);
        statements.extend(self.read_run(scope, count));
        let value = Expr::code(format!("`${{{clock} - {start}}}`"));
        statements.push(Stmt::constant(took.as_str(), value));
        scope.declare(&took, Kind::Text);
        statements
    }

    /// A deliberate wait (S6).
    pub(super) fn pause(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let mut statements = self.read_run(scope, 1);
        statements.push(Stmt::Expr(Self::operation("setTimeout", Effect::Timer, &["10"])));
        statements.extend(self.read_run(scope, 1));
        statements
    }

    /// Trap 17: again, if it failed.
    fn retry(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let (name, attempt) = (self.name("v"), self.name("attempt"));
        let (operation, kind) = self.file_read(scope);
        let bound = self.name("v");
        let kind = if kind == Kind::Nothing { Kind::Text } else { kind };
        let value = match operation.callee.as_str() {
            "access" => Expr::awaited(self.text_read(scope)),
            _ => Expr::awaited(operation),
        };
        let block = vec![
            Stmt::constant(bound.as_str(), value),
            Stmt::code(format!("{name} = {}", as_text(&bound, kind))),
            Stmt::Jump("break"),
        ];
        let handler = Some(Handler { parameter: None, body: self.print(scope) });
        scope.declare(&name, Kind::Text);
        let declare = |keyword, pattern: &str, value: &str| Stmt::Declare {
            keyword,
            pattern: pattern.to_owned(),
            value: Expr::code(value),
        };
        let mut statements = vec![declare("let", &name, "\"none\"")];
        // The head counts, so that no part of the loop can be taken away and leave it endless.
        let head = if self.chance(50) {
            statements.push(declare("let", &attempt, "0"));
            format!("while ({attempt}++ < 2)")
        } else {
            format!("for (let {attempt} = 0; {attempt} < 2; {attempt} += 1)")
        };
        let body = vec![Stmt::Try { block, handler, finalizer: None }];
        statements.push(Stmt::Loop { head: Expr::code(head), body });
        statements
    }

    /// Traps 16 and 17: each turn needs what the one before found, or writes what it reads.
    fn carried(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let (cursor, page) = (self.name("v"), self.name("page"));
        let (path, value) = (format!("`d/${{{cursor}}}`"), self.name("v"));
        let read = Self::operation("readFile", Effect::Read, &[&path, "\"utf8\""]);
        let mut body = vec![Stmt::constant(value.as_str(), read)];
        if self.chance(50) {
            body.push(Stmt::code(format!("{cursor} = {value}")));
        } else {
            let text = format!("{value} + {page}");
            body.push(Stmt::Expr(Self::operation("writeFile", Effect::Write, &[&path, &text])));
        }
        scope.declare(&cursor, Kind::Text);
        vec![
            Stmt::Declare { keyword: "let", pattern: cursor, value: Expr::code("\"x\"") },
            Stmt::Loop {
                head: Expr::code(format!("for (let {page} = 0; {page} < 2; {page} += 1)")),
                body,
            },
        ]
    }

    /// Trap 8: writes under computed keys.
    fn dynamic_keys(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let (object, value, shown) = (self.name("o"), self.name("v"), self.name("v"));
        let read = self.text_read(scope);
        let key = format!("{object}[{value}]");
        let path = match scope.place {
            Place::Main if !scope.is_marked => format!("`d/${{{key} ?? \"n\"}}`"),
            _ => self.path(scope),
        };
        let second = self.name("v");
        scope.declare(&value, Kind::Text);
        scope.declare(&second, Kind::Text);
        scope.declare(&shown, Kind::Text);
        vec![
            Stmt::constant(object.as_str(), Expr::code("{ n: 0 }")),
            Stmt::constant(value.as_str(), Expr::awaited(read)),
            Stmt::code(format!("{key} = \"k\"")),
            Stmt::constant(
                second.as_str(),
                Self::operation("readFile", Effect::Read, &[&path, "\"utf8\""]),
            ),
            Stmt::constant(shown.as_str(), Expr::code(format!("JSON.stringify({object})"))),
        ]
    }

    /// Trap 19: what is used is removed when it is no longer needed.
    fn cleanup(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let (first, second) = (self.name("v"), self.name("v"));
        let folder = match scope.place {
            Place::Main if !scope.is_marked => "tmp".to_owned(),
            Place::Helper => "${dir}".to_owned(),
            Place::Method => "${this.dir}".to_owned(),
            _ => return self.read_run(scope, 2),
        };
        let file = |name: &str| format!("`{folder}/{name}`");
        let read = |path: &str| Self::operation("readFile", Effect::Read, &[path, "\"utf8\""]);
        let out = self.name("v");
        let block = vec![
            Stmt::constant(first.as_str(), read(&file("a"))),
            Stmt::constant(second.as_str(), read(&file("b"))),
            Stmt::code(format!("{out} = {first} + {second}")),
        ];
        let whole = format!("`{folder}`");
        let finalizer = vec![Stmt::Expr(Self::operation(
            "rm",
            Effect::Write,
            &[&whole, "{ recursive: true, force: true }"],
        ))];
        scope.declare(&out, Kind::Text);
        vec![
            Stmt::Declare { keyword: "let", pattern: out, value: Expr::code("\"none\"") },
            Stmt::Try { block, handler: None, finalizer: Some(finalizer) },
        ]
    }

    /// Methods that count, and a getter that does.
    fn method_calls(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let (first, second) = (self.name("v"), self.name("v"));
        let load = Self::operation("store.load", Effect::Call, &[]);
        let read = Self::operation("readFile", Effect::Read, &["store.next", "\"utf8\""]);
        let (kind, ends) = self.load;
        let load = if ends == Ends::Checks {
            Stmt::Expr(load)
        } else {
            scope.declare(&first, kind);
            Stmt::constant(first.as_str(), load)
        };
        scope.declare(&second, Kind::Text);
        vec![load, Stmt::constant(second.as_str(), read)]
    }

    /// `Promise.all(list.map(async …))`
    fn mapped(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let name = self.name("v");
        let mut inner = Scope::new(Place::Main);
        inner.depth = 2;
        inner.declare("item", Kind::Text);
        let mut body = self.read_run(&mut inner, 1);
        body.push(Stmt::Return(Expr::code(format!("[{}].join(\" \")", inner.everything()))));
        let arrow = Self::arrow("async (item) =>", body);
        let mut pieces = vec![Piece::Code("await Promise.all([\"i\", \"j\"].map(".to_owned())];
        pieces.extend(arrow.0);
        pieces.push(Piece::Code("))".to_owned()));
        scope.declare(&name, Kind::List);
        vec![Stmt::constant(name.as_str(), Expr(pieces))]
    }

    /// S5: shared state is written or read between two operations.
    fn crossing(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let mut statements = self.read_run(scope, 1);
        if self.chance(50) {
            statements.push(self.shared_write("\"m\""));
        } else {
            let name = self.name("v");
            let seen = self.pick(&["`${state.count}`", "state.label", "`${shared}`"]);
            statements.push(Stmt::constant(name.as_str(), Expr::code(seen)));
            scope.declare(&name, Kind::Text);
        }
        statements.extend(self.read_run(scope, 1));
        statements
    }

    /// An operation whose failure is of no interest, and something after it.
    fn swallowed(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let block = vec![Stmt::Expr(Expr::awaited(self.write(scope)))];
        let handler = Some(Handler { parameter: None, body: Vec::new() });
        let mut statements = vec![Stmt::Try { block, handler, finalizer: None }];
        statements.extend(self.print(scope));
        statements.extend(self.read_run(scope, 1));
        statements
    }
}
