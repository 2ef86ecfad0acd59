//! Blocks and the statements that are in most programs.

use super::Generator;
use super::results::Ends;
use super::scope::{Kind, Place, Scope, as_text};
use crate::tree::{Expr, Function, Handler, Operation, Piece, Stmt};

/// Blocks nest no deeper.
const DEEPEST: usize = 2;

impl Generator {
    /// A block of about `count` statements.
    pub(super) fn block(&mut self, scope: &mut Scope, count: usize) -> Vec<Stmt> {
        let mut block = Vec::new();
        for _ in 0..count {
            block.extend(self.statements(scope));
        }
        block
    }

    fn statements(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let may_nest = scope.depth < DEEPEST;
        match self.below(40) {
            0..=12 => {
                let more = self.below(2);
                self.read_run(scope, 2 + more)
            }
            13..=15 => self.read_run(scope, 1),
            16..=18 => vec![Stmt::Expr(Expr::awaited(self.write(scope)))],
            19 => self.print(scope),
            20 if self.has_helper(Ends::Gives) && scope.place != Place::Helper => {
                let (check, _) = self.helper(scope, Ends::Gives);
                vec![Stmt::Expr(Expr::awaited(check))]
            }
            20 => vec![self.sometimes(scope)],
            21 | 22 => vec![self.guard(scope)],
            23 | 24 if may_nest => vec![self.branch(scope)],
            25 | 26 if may_nest => self.for_each(scope),
            27..=29 if may_nest => self.attempt(scope),
            30 => self.reassigned(scope),
            31 | 32 if self.features.shared => vec![self.shared_write("\"m\"")],
            33 => self.group(scope),
            34 => self.started(scope),
            35 | 36 => self.nested_awaits(scope),
            37..=39 => self.idiom(scope),
            _ => self.read_run(scope, 2),
        }
    }

    /// Reads, one after the other, each into a name of its own.
    pub(super) fn read_run(&mut self, scope: &mut Scope, count: usize) -> Vec<Stmt> {
        (0..count).map(|_| self.read_into_name(scope)).collect()
    }

    fn read_into_name(&mut self, scope: &mut Scope) -> Stmt {
        let (operation, kind) = self.read(scope);
        let name = self.name("v");
        let value = Expr::awaited(operation);
        let (keyword, pattern, kind) = match (self.below(12), kind) {
            (_, Kind::Nothing) => return Stmt::Expr(value),
            (0, Kind::Stat) => ("const", format!("{{ size: {name} = 0 }}"), None),
            (0, Kind::List) => ("const", format!("[{name} = \"none\"]"), Some(Kind::Text)),
            (0, Kind::Output) => ("const", format!("{{ stdout: {name} }}"), Some(Kind::Text)),
            (1, _) => ("let", name.clone(), Some(kind)),
            (2, _) => ("var", name.clone(), Some(kind)),
            _ => ("const", name.clone(), Some(kind)),
        };
        if keyword == "let" && kind == Some(Kind::Text) {
            scope.assignable.push(name.clone());
        }
        if let Some(kind) = kind {
            scope.declare(&name, kind);
        }
        Stmt::Declare { keyword, pattern, value }
    }

    pub(super) fn print(&mut self, scope: &Scope) -> Vec<Stmt> {
        if !self.features.output || scope.place == Place::Other {
            return Vec::new();
        }
        let text = self.text(scope);
        vec![Stmt::code(format!("console.log({text})"))]
    }

    /// `if (…) return`
    fn guard(&mut self, scope: &Scope) -> Stmt {
        let test = Expr::code(self.condition(scope));
        let leave = match self.below(4) {
            0 if scope.is_loop => Stmt::Jump("continue"),
            1 if scope.is_loop => Stmt::Jump("break"),
            0 | 1 => Stmt::Throw(Expr::code(format!("new Error({})", self.text(scope)))),
            _ => Stmt::Return(Expr::code("\"early\"")),
        };
        Stmt::If { test, then: vec![leave], otherwise: Vec::new() }
    }

    /// What is asked before an operation, and perhaps of nothing that was awaited.
    fn test(&mut self, scope: &Scope) -> String {
        if self.chance(40) {
            return self.pick(&["FLAGS.one", "!FLAGS.two", "FLAGS.one || FLAGS.two"]).to_owned();
        }
        self.condition(scope)
    }

    /// `const v = test ? await operation : "none"`, either part; `test && (await operation)` and the like.
    fn sometimes(&mut self, scope: &mut Scope) -> Stmt {
        let test = self.test(scope);
        let (operation, _) = self.read(scope);
        let name = self.name("v");
        let (before, after) = match self.below(8) {
            0..=2 => (format!("({test}) ? "), " : \"none\""),
            3 => (format!("({test}) ? \"none\" : "), ""),
            4 | 5 => (format!("({test}) && "), ""),
            6 => (format!("({test}) || "), ""),
            _ => (format!("(({test}) ? undefined : \"none\") ?? "), ""),
        };
        let before = Piece::Code(format!("`${{{before}("));
        let after = Piece::Code(format!("){after}}}`"));
        let value = Expr(vec![before, Piece::Await(operation), after]);
        scope.declare(&name, Kind::Text);
        Stmt::constant(name.as_str(), value)
    }

    fn branch(&mut self, scope: &Scope) -> Stmt {
        let mut test = Expr::code(self.test(scope));
        if self.chance(20) {
            let path = self.path(scope);
            let operation = Operation {
                callee: "stat".to_owned(),
                args: vec![Expr::code(path)],
                effect: crate::tree::Effect::Read,
            };
            let tail = Piece::Code(").isFile()".to_owned());
            let first =
                if self.chance(50) { format!("({}) && ", self.test(scope)) } else { String::new() };
            test = Expr(vec![Piece::Code(format!("{first}(")), Piece::Await(operation), tail]);
        }
        let then = self.block(&mut scope.inner(), 1);
        let otherwise =
            if self.chance(40) { self.block(&mut scope.inner(), 1) } else { Vec::new() };
        Stmt::If { test, then, otherwise }
    }

    /// A loop over items, which may collect what it reads.
    fn for_each(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let (item, out) = (self.name("item"), self.name("out"));
        let mut inner = scope.inner();
        inner.is_loop = true;
        inner.declare(&item, Kind::Text);
        let mut body = Vec::new();
        if self.chance(60) {
            let (operation, kind) = self.item_read(&item, &inner);
            let name = self.name("v");
            inner.declare(&name, kind);
            body.push(Stmt::constant(name.as_str(), Expr::awaited(operation)));
            if self.chance(70) {
                body.push(Stmt::code(format!("{out}.push({})", as_text(&name, kind))));
            }
        }
        if body.is_empty() || self.chance(40) {
            body.extend(self.block(&mut inner, 1));
        }
        let list = match scope.variables.iter().find(|it| it.1 == Kind::List) {
            Some((name, _)) if self.chance(40) => name.clone(),
            _ => "[\"i\", \"j\", \"d\"]".to_owned(),
        };
        scope.declare(&out, Kind::List);
        let mut stmts = vec![Stmt::constant(out.as_str(), Expr::code("[]"))];
        stmts.extend(self.going_over(&item, list, body));
        stmts
    }

    /// A loop over a list: over its items, its positions, or the keys of an object.
    fn going_over(&mut self, item: &str, list: String, mut body: Vec<Stmt>) -> Vec<Stmt> {
        let of = |head: String, body| Stmt::Loop { head: Expr::code(head), body };
        match self.below(10) {
            0..=5 => vec![of(format!("for (const {item} of {list})"), body)],
            6 => {
                let keys = "{ i: 1, j: 2, d: 3 }";
                vec![of(format!("for (const {item} in {keys})"), body)]
            }
            _ => {
                let (items, at) = (self.name("items"), self.name("at"));
                body.insert(0, Stmt::constant(item, Expr::code(format!("{items}[{at}]"))));
                if self.chance(20) {
                    body.push(Stmt::code(format!("if ({items}.length < 4) {items}.push(\"e\")")));
                }
                let head = format!("for (let {at} = 0; {at} < {items}.length; {at}++)");
                vec![Stmt::constant(items.as_str(), Expr::code(list)), of(head, body)]
            }
        }
    }

    fn item_read(&mut self, item: &str, scope: &Scope) -> (Operation, Kind) {
        let (mut operation, kind) = self.file_read(scope);
        if !scope.is_marked && scope.place == Place::Main {
            operation.args[0] = Expr::code(format!("`d/${{{item}}}`"));
        }
        let kind = if kind == Kind::Nothing { Kind::Text } else { kind };
        if operation.callee == "access" {
            operation.callee = "readFile".to_owned();
        }
        (operation, kind)
    }

    /// `try`, with a handler that tells errors apart or does not, and perhaps a `finally`.
    fn attempt(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let name = self.name("v");
        let tells_apart = !scope.is_marked && scope.place == Place::Main && self.chance(45);
        let mut inner = scope.inner();
        inner.is_marked |= tells_apart;
        let count = 1 + self.below(2);
        let mut block = self.block(&mut inner, count);
        block.push(Stmt::Assign {
            target: name.clone(),
            value: Expr::code(format!("[{}].join(\" \")", inner.everything())),
        });
        let has_handler = tells_apart || self.chance(75);
        let handler = has_handler.then(|| self.handler(scope, &name, tells_apart));
        let finalizer =
            (!has_handler || self.chance(25)).then(|| self.finalizer(scope)).filter(|it| {
                // What cleans up has to do something.
                !it.is_empty() || !has_handler
            });
        let first =
            Stmt::Declare { keyword: "let", pattern: name.clone(), value: Expr::code("\"none\"") };
        scope.declare(&name, Kind::Text);
        vec![first, Stmt::Try { block, handler, finalizer }]
    }

    fn handler(&mut self, scope: &Scope, name: &str, tells_apart: bool) -> Handler {
        let mut body = Vec::new();
        if tells_apart {
            body.push(match self.below(3) {
                0 if self.features.output => Stmt::code("console.log(error.message)"),
                1 => Stmt::Throw(Expr::code("new Error(`in ${error.message}`)")),
                _ => Stmt::code(format!("{name} = error.message")),
            });
        } else if self.chance(50) {
            let mut inner = scope.inner();
            inner.depth = DEEPEST;
            body.extend(self.read_run(&mut inner, 1));
            body.push(Stmt::code(format!("{name} = [{}].join(\" \")", inner.everything())));
        } else if self.chance(30) {
            body.push(Stmt::Return(Expr::code("\"failed\"")));
        }
        Handler { parameter: tells_apart.then(|| "error".to_owned()), body }
    }

    fn finalizer(&mut self, scope: &Scope) -> Vec<Stmt> {
        match self.below(3) {
            0 => self.print(scope),
            1 if self.features.shared => vec![Stmt::code("state.isReady = false")],
            _ => {
                let path = self.path(scope);
                vec![Stmt::Expr(Expr::awaited(Operation {
                    callee: "rm".to_owned(),
                    args: vec![Expr::code(path), Expr::code("{ recursive: true, force: true }")],
                    effect: crate::tree::Effect::Write,
                }))]
            }
        }
    }

    /// A variable that is assigned after it was declared.
    fn reassigned(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let (operation, kind) = self.read(scope);
        if kind != Kind::Text {
            return vec![Stmt::Expr(Expr::awaited(operation))];
        }
        if !scope.assignable.is_empty() && self.chance(60) {
            let target = scope.assignable[self.below(scope.assignable.len())].clone();
            if self.chance(40) {
                let grows = Piece::Code(format!("{target} += "));
                return vec![Stmt::Expr(Expr(vec![grows, Piece::Await(operation)]))];
            }
            return vec![Stmt::Assign { target, value: Expr::awaited(operation) }];
        }
        let name = self.name("v");
        scope.declare(&name, Kind::Text);
        scope.assignable.push(name.clone());
        let keyword = "let";
        let declare =
            Stmt::Declare { keyword, pattern: name.clone(), value: Expr::code("\"old\"") };
        vec![declare, Stmt::Assign { target: name, value: Expr::awaited(operation) }]
    }

    /// A change of state that the other task sees.
    pub(super) fn shared_write(&mut self, who: &str) -> Stmt {
        let label = format!("state.label = {who}");
        let count = self.pick(&["state.count += 1", "state.count = state.count * 2 + 1"]);
        let other = self.pick(&["state.isReady = true", "shared += 1", "shared = state.count"]);
        Stmt::code(match self.below(3) {
            0 => label.as_str(),
            1 => count,
            _ => other,
        })
    }

    /// `await Promise.all([…])`
    fn group(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let mut pieces = vec![Piece::Code("await Promise.all([".to_owned())];
        let mut names = Vec::new();
        for index in 0..2 {
            let (operation, kind) = self.file_read(scope);
            if index > 0 {
                pieces.push(Piece::Code(", ".to_owned()));
            }
            pieces.push(Piece::Start(operation));
            let name = self.name("v");
            names.push((name, kind));
        }
        pieces.push(Piece::Code("])".to_owned()));
        let pattern: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        let statement = Stmt::constant(format!("[{}]", pattern.join(", ")), Expr(pieces));
        names.iter().for_each(|(name, kind)| scope.declare(name, *kind));
        vec![statement]
    }

    /// A promise that is waited for later.
    fn started(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let (operation, kind) = self.file_read(scope);
        let (promise, name) = (self.name("p"), self.name("v"));
        let mut statements =
            vec![Stmt::constant(promise.as_str(), Expr(vec![Piece::Start(operation)]))];
        statements.extend(self.read_run(scope, 1));
        if self.chance(30) {
            statements.extend(self.print(scope));
        }
        statements.push(Stmt::constant(name.as_str(), Expr::code(format!("await {promise}"))));
        scope.declare(&name, kind);
        statements
    }

    /// Operations that are waited for inside expressions.
    fn nested_awaits(&mut self, scope: &mut Scope) -> Vec<Stmt> {
        let (first, second) = (self.text_read(scope), self.text_read(scope));
        let name = self.name("v");
        let code = |text: &str| Piece::Code(text.to_owned());
        let (first, second) = (Piece::Await(first), Piece::Await(second));
        let (pieces, is_text) = match self.below(5) {
            0 => (vec![code("`${"), first, code("} ${"), second, code("}`")], true),
            1 => (vec![code("{ one: "), first, code(", two: "), second, code(" }")], false),
            2 => (vec![code("["), first, code(", "), second, code("].join(\"+\")")], true),
            3 => (vec![code("("), first, code(").length > 2 ? "), second, code(" : \"\"")], true),
            _ => (vec![code("{ [("), first, code(").length]: "), second, code(" }")], false),
        };
        if is_text {
            scope.declare(&name, Kind::Text);
            return vec![Stmt::constant(name, Expr(pieces))];
        }
        let shown = self.name("v");
        scope.declare(&shown, Kind::Text);
        let value = Expr::code(format!("JSON.stringify({name})"));
        vec![Stmt::constant(name, Expr(pieces)), Stmt::constant(shown, value)]
    }

    /// A read that gives a text.
    pub(super) fn text_read(&mut self, scope: &Scope) -> Operation {
        let path = self.path(scope);
        Operation {
            callee: "readFile".to_owned(),
            args: vec![Expr::code(path), Expr::code("\"utf8\"")],
            effect: crate::tree::Effect::Read,
        }
    }

    /// An arrow function as an expression.
    pub(super) fn arrow(head: &str, body: Vec<Stmt>) -> Expr {
        Expr(vec![Piece::Arrow(Function { head: head.to_owned(), body })])
    }
}
