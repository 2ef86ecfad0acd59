//! Random programs, determined by a seed.

mod adversaries;
mod blocks;
mod idioms;
mod operations;
mod results;
mod scope;

pub use self::adversaries::{ADVERSARIES, Adversary};
use self::results::{Ends, Helper};
use self::scope::{Kind, Place, Scope};
use crate::tree::{Expr, Function, Item, Program, Stmt};

/// What a program uses beside files.
#[derive(Clone, Copy, Debug)]
struct Features {
    fetch: bool,
    database: bool,
    git: bool,
    store: bool,
    documents: bool,
    timers: bool,
    output: bool,
    shared: bool,
    clock: bool,
    class: bool,
    ids: bool,
}

/// Makes one program.
#[derive(Debug)]
struct Generator {
    random: fastrand::Rng,
    features: Features,
    names: usize,
    marks: usize,
    /// The functions that may be called with a folder.
    helpers: Vec<Helper>,
    /// What the method of the class gives, and how it ends.
    load: (Kind, Ends),
}

/// The program of a seed.
#[must_use]
pub fn generate(seed: u64) -> Program {
    generate_with(seed, Adversary::of(seed))
}

/// The program of a seed, with this adversary.
#[must_use]
pub fn generate_with(seed: u64, adversary: Option<&'static Adversary>) -> Program {
    let generator = Generator::new(seed);
    match adversary {
        Some(adversary) => adversary.program(generator),
        None => generator.program(),
    }
}

/// What a program uses beside files.
fn features(random: &mut fastrand::Rng) -> Features {
    let mut has = |percent: u8| random.u8(0..100) < percent;
    Features {
        fetch: has(40),
        database: has(30),
        git: has(30),
        store: has(20),
        documents: has(15),
        timers: has(15),
        output: has(50),
        shared: has(35),
        clock: has(15),
        class: has(25),
        ids: has(15),
    }
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let features = features(&mut random);
        let load = (Kind::Text, Ends::Gives);
        Self { random, features, names: 0, marks: 0, helpers: Vec::new(), load }
    }

    fn program(mut self) -> Program {
        let mut items = self.declarations();
        for _ in 0..self.below(3) {
            let name = self.name("f");
            let (function, kind) = self.helper_function(&name);
            let ends = Ends::of(&function.body);
            items.push(Item::Function(function));
            self.helpers.push(Helper { name, kind, ends });
        }
        if self.features.class {
            items.push(self.class());
            items.push(Item::Code("const store = new Store(\"s\");".to_owned()));
        }
        let has_other = self.features.shared && self.chance(70);
        if has_other {
            items.push(Item::Function(self.other()));
        }
        // Beside another task there are many schedules even of a short one.
        let count = if has_other { 1 + self.below(2) } else { 2 + self.below(3) };
        items.push(Item::Function(self.main(count)));
        Program { items }
    }

    /// A short program around an adversary, which has all that it needs.
    fn around(&mut self, make: adversaries::MakeMain) -> Program {
        let mut scope = Scope::new(Place::Main);
        let (mut items, mut body) = make(self, &mut scope);
        if self.chance(30) {
            let name = self.name("v");
            body.push(adversaries::reads(&name, "\"e\""));
            scope.declare(&name, scope::Kind::Text);
        }
        body.push(Stmt::Return(Expr::code(format!("[{}]", scope.everything()))));
        let head = "export async function main()".to_owned();
        items.push(Item::Function(Function { head, body }));
        Program { items }
    }

    fn declarations(&mut self) -> Vec<Item> {
        let features = self.features;
        let lines = [
            (true, "const ROOT = \"r\";"),
            (true, "const FLAGS = { one: true, two: false };"),
            (features.git, "const run = promisify(execFile);"),
            (features.database, "const pool = new Pool();\nconst client = new Client();"),
            (
                features.documents,
                "const documents = new MongoClient(\"mongodb://m\").db(\"d\").collection(\"notes\");",
            ),
            (features.store, "const redis = new Redis();"),
            (
                features.shared,
                "const state = { count: 0, label: \"l\", isReady: false };\nlet shared = 0;",
            ),
            (
                features.ids,
                "let lastId = 0;\nfunction nextId() {\n  lastId += 1;\n  return lastId;\n}\n\
                 function* counter() {\n  for (let at = 1; ; at += 1) yield at;\n}\n\
                 const ids = counter();",
            ),
        ];
        lines.iter().filter(|it| it.0).map(|(_, text)| Item::Code((*text).to_owned())).collect()
    }

    /// A function that works in a folder it is told, with a guard at its start or without.
    fn helper_function(&mut self, name: &str) -> (Function, Kind) {
        let mut scope = Scope::new(Place::Helper);
        if self.chance(20) {
            // It gives a promise without being async.
            let (operation, kind) = self.file_read(&scope);
            let mut body = Vec::new();
            if self.features.shared && self.chance(30) {
                body.push(Stmt::code("state.count += 1"));
            }
            let text = scope::as_text("it", kind);
            let text = if text == "it" { "`${it}`".to_owned() } else { text };
            let tail = format!(".then((it) => {text})");
            let pieces = vec![crate::tree::Piece::Start(operation), crate::tree::Piece::Code(tail)];
            body.push(Stmt::Return(Expr(pieces)));
            return (Function { head: format!("function {name}(dir)"), body }, Kind::Text);
        }
        let mut body = Vec::new();
        if self.features.shared && self.chance(40) {
            let test = Expr::code(self.pick(&["state.isReady", "shared > 1", "state.count > 2"]));
            let then = vec![Stmt::Return(Expr::code("state.label"))];
            body.push(Stmt::If { test, then, otherwise: Vec::new() });
        }
        let count = 1 + self.below(2);
        body.extend(self.block(&mut scope, count));
        let kind = self.result(&scope, &mut body);
        (Function { head: format!("async function {name}(dir)"), body }, kind)
    }

    fn class(&mut self) -> Item {
        let mut scope = Scope::new(Place::Method);
        let mut load = self.block(&mut scope, 2);
        load.insert(0, Stmt::code("this.count += 1"));
        let kind = self.result(&scope, &mut load);
        self.load = (kind, Ends::of(&load));
        let assign = |line: &str| Stmt::code(line);
        let methods = vec![
            Function {
                head: "constructor(dir)".to_owned(),
                body: vec![assign("this.dir = dir"), assign("this.count = 0")],
            },
            Function {
                head: "get next()".to_owned(),
                body: vec![
                    assign("this.count += 1"),
                    Stmt::Return(Expr::code("`s/${this.count}`")),
                ],
            },
            Function { head: "async load()".to_owned(), body: load },
        ];
        Item::Class("Store".to_owned(), Vec::new(), methods)
    }

    /// What runs beside `main`: it changes shared state, and looks at what `main` does.
    fn other(&mut self) -> Function {
        let mut scope = Scope::new(Place::Other);
        let mut body = vec![self.shared_write("\"b\"")];
        if self.chance(60) {
            body.extend(self.read_run(&mut scope, 1));
            body.push(self.shared_write("\"b2\""));
        }
        let seen = "`${state.count} ${state.label} ${state.isReady} ${shared}`";
        body.push(Stmt::Return(Expr::code(format!("[{seen}, {}]", scope.everything()))));
        Function { head: "export async function other()".to_owned(), body }
    }

    fn main(&mut self, count: usize) -> Function {
        let mut scope = Scope::new(Place::Main);
        let mut body = Vec::new();
        if self.features.timers && self.chance(60) {
            body.extend(self.pause(&mut scope));
        }
        if self.features.clock && self.chance(60) {
            body.extend(self.measured(&mut scope));
        }
        body.extend(self.block(&mut scope, count));
        let everything = scope.everything();
        let shared = if self.features.shared { "state, shared, " } else { "" };
        let at = if self.features.class { "store.count, " } else { "" };
        body.push(Stmt::Return(Expr::code(format!("[{shared}{at}{everything}]"))));
        Function { head: "export async function main()".to_owned(), body }
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn letter(&mut self) -> &'static str {
        self.pick(&["p", "q", "r"])
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.usize(0..bound.max(1))
    }

    fn chance(&mut self, percent: u8) -> bool {
        self.random.u8(0..100) < percent
    }

    fn pick<'t>(&mut self, items: &[&'t str]) -> &'t str {
        items[self.below(items.len())]
    }
}
