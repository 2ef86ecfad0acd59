//! Operations on files, hosts, tables, commands and keys.

use super::Generator;
use super::results::{Ends, Helper};
use super::scope::{Kind, Place, Scope};
use crate::tree::{Effect, Expr, Operation};

impl Operation {
    fn new(callee: &str, effect: Effect, args: &[&str]) -> Self {
        let args = args.iter().map(|arg| Expr::code(*arg)).collect();
        Self { callee: callee.to_owned(), args, effect }
    }
}

impl Generator {
    /// An operation that only reads, and what it gives.
    pub(super) fn read(&mut self, scope: &Scope) -> (Operation, Kind) {
        let is_anywhere = scope.place == Place::Main && !scope.is_marked;
        let features = self.features;
        match self.below(20) {
            0 | 1 if features.fetch && scope.place == Place::Main => self.get(scope),
            2 | 3 if features.database && is_anywhere => self.select(scope),
            4 | 5 if features.git && is_anywhere => self.git_read(),
            6 if features.store && is_anywhere => {
                let key = format!("\"k{}\"", self.below(3));
                (Operation::new("redis.get", Effect::Read, &[&key]), Kind::Text)
            }
            9 if features.documents && is_anywhere => {
                let filter = format!("{{ k: {} }}", self.text(scope));
                (Operation::new("documents.findOne", Effect::Read, &[&filter]), Kind::Document)
            }
            7 | 8 if self.has_helper(Ends::Checks) && scope.place != Place::Helper => {
                self.helper(scope, Ends::Checks)
            }
            _ => self.file_read(scope),
        }
    }

    /// An operation that reads a file or a folder.
    pub(super) fn file_read(&mut self, scope: &Scope) -> (Operation, Kind) {
        let path = self.path(scope);
        if scope.place == Place::Other && self.chance(40) {
            let path = format!("\"{}\"", self.pick(PATHS));
            return (Operation::new("lstat", Effect::Read, &[&path]), Kind::Stat);
        }
        match self.below(10) {
            0 | 1 => (Operation::new("stat", Effect::Read, &[&path]), Kind::Stat),
            2 => (Operation::new("readdir", Effect::Read, &[&path]), Kind::List),
            3 if self.chance(50) => {
                (Operation::new("access", Effect::Read, &[&path]), Kind::Nothing)
            }
            _ => (Operation::new("readFile", Effect::Read, &[&path, "\"utf8\""]), Kind::Text),
        }
    }

    fn get(&mut self, scope: &Scope) -> (Operation, Kind) {
        let url = self.url(scope);
        (Operation::new("fetch", Effect::Read, &[&url]), Kind::Response)
    }

    fn url(&mut self, scope: &Scope) -> String {
        let host = match scope.is_marked {
            true => format!("t{}.example", self.mark()),
            false => self.pick(&["one.example", "two.example"]).to_owned(),
        };
        format!("\"https://{host}/{}\"", self.letter())
    }

    fn select(&mut self, scope: &Scope) -> (Operation, Kind) {
        let table = self.pick(TABLES);
        let database = self.pick(&["pool", "pool", "client"]);
        let callee = format!("{database}.query");
        if self.chance(30) {
            let sql = format!("\"SELECT * FROM {table} WHERE v = $1\"");
            let values = format!("[{}]", self.text(scope));
            return (Operation::new(&callee, Effect::Read, &[&sql, &values]), Kind::Rows);
        }
        let sql = format!("\"SELECT * FROM {table}\"");
        (Operation::new(&callee, Effect::Read, &[&sql]), Kind::Rows)
    }

    fn git_read(&mut self) -> (Operation, Kind) {
        let args = self.pick(&[
            "[\"status\", \"--porcelain\"]",
            "[\"rev-parse\", \"HEAD\"]",
            "[\"config\", \"--get\", \"user.name\"]",
            "[\"log\", \"-1\"]",
            "[\"diff\", \"--stat\"]",
        ]);
        (Operation::new("run", Effect::Read, &["\"git\"", args]), Kind::Output)
    }

    /// A call of a function of the program, which gets a folder of its own.
    pub(super) fn helper(&mut self, scope: &Scope, other_than: Ends) -> (Operation, Kind) {
        let fitting: Vec<Helper> =
            self.helpers.iter().filter(|it| it.ends != other_than).cloned().collect();
        let Helper { name: callee, kind, .. } = fitting[self.below(fitting.len())].clone();
        let folder = match scope.place {
            _ if scope.is_marked => format!("\"t{}\"", self.mark()),
            Place::Other => "\"o\"".to_owned(),
            _ => format!("\"{}\"", self.pick(&["h", "k", "d"])),
        };
        (Operation::new(&callee, Effect::Call, &[&folder]), kind)
    }

    /// An operation that writes.
    pub(super) fn write(&mut self, scope: &Scope) -> Operation {
        let is_anywhere = scope.place == Place::Main && !scope.is_marked;
        let features = self.features;
        let text = self.text(scope);
        match self.below(12) {
            0 if features.fetch && scope.place == Place::Main => {
                let url = self.url(scope);
                let options = format!("{{ method: \"POST\", body: {text} }}");
                Operation::new("fetch", Effect::Write, &[&url, &options])
            }
            1 if features.database && is_anywhere => {
                let sql = format!("\"INSERT INTO {} VALUES ($1)\"", self.pick(TABLES));
                let database = self.pick(&["pool.query", "client.query"]);
                Operation::new(database, Effect::Write, &[&sql, &format!("[{text}]")])
            }
            2 if features.git && is_anywhere => {
                let args = self.pick(&[
                    "[\"add\", \".\"]",
                    "[\"commit\", \"-m\", \"x\"]",
                    "[\"config\", \"user.name\", \"y\"]",
                ]);
                Operation::new("run", Effect::Write, &["\"git\"", args])
            }
            3 if features.store && is_anywhere => {
                let key = format!("\"k{}\"", self.below(3));
                Operation::new("redis.set", Effect::Write, &[&key, &text])
            }
            4 if features.documents && is_anywhere => {
                let document = format!("{{ k: {text} }}");
                Operation::new("documents.insertOne", Effect::Write, &[&document])
            }
            _ => self.file_write(scope, &text),
        }
    }

    fn file_write(&mut self, scope: &Scope, text: &str) -> Operation {
        let path = self.path(scope);
        let write = |callee, args: &[&str]| Operation::new(callee, Effect::Write, args);
        match self.below(12) {
            0 | 1 => write("appendFile", &[&path, text]),
            2 => write("mkdir", &[&path, "{ recursive: true }"]),
            3 | 4 => write("rm", &[&path, "{ recursive: true, force: true }"]),
            5 => write("rename", &[&path, &self.path(scope)]),
            6 => write("copyFile", &[&path, &self.path(scope)]),
            _ => write("writeFile", &[&path, text]),
        }
    }

    /// A path that is this place's own to use, as source text.
    pub(super) fn path(&mut self, scope: &Scope) -> String {
        let name = self.pick(PATHS);
        if scope.is_marked {
            return format!("\"t{}/{name}\"", self.mark());
        }
        match scope.place {
            Place::Helper => return format!("`${{dir}}/{name}`"),
            Place::Method => return format!("`${{this.dir}}/{name}`"),
            Place::Other => return format!("\"o/{name}\""),
            Place::Main => {}
        }
        match self.below(20) {
            0 | 1 => match self.variable(scope) {
                Some((variable, kind)) => {
                    format!("`d/${{{}}}`", super::scope::as_text(&variable, kind))
                }
                None => format!("`d/{name}`"),
            },
            2 => format!("join(ROOT, \"{name}\")"),
            3 => format!("ROOT + \"/{name}\""),
            4 if !scope.assignable.is_empty() => {
                let index = self.below(scope.assignable.len());
                format!("`d/${{{}}}`", scope.assignable[index])
            }
            5 if self.features.shared => "`d/${state.label}`".to_owned(),
            6 if self.features.ids => "`n/${nextId()}`".to_owned(),
            7 if self.features.ids => "`n/${ids.next().value}`".to_owned(),
            8 if self.features.class => "store.next".to_owned(),
            _ => format!("\"{name}\""),
        }
    }

    /// A mark of its own for each operation whose error is told apart.
    fn mark(&mut self) -> usize {
        self.marks += 1;
        self.marks
    }
}

const PATHS: &[&str] = &["a", "b", "c", "d", "e", "d/x", "d/y"];
const TABLES: &[&str] = &["users", "items"];
