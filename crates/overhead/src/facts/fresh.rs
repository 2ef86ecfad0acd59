//! Names that a file does not have yet.

use oxc_ast::ast;

use super::Facts;

impl Facts {
    /// A name that the file does not have yet.
    pub(crate) fn fresh(&mut self, wanted: &str) -> String {
        let number = self.numbers.entry(wanted.to_owned()).or_insert(0);
        loop {
            *number += 1;
            let name = if *number == 1 { wanted.to_owned() } else { format!("{wanted}{number}") };
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }

    /// The same, for what stands at the top of the file: all scripts of a page share their names.
    pub(crate) fn fresh_global(&mut self, wanted: &str) -> String {
        self.fresh(&format!("{wanted}{}", self.suffix))
    }

    /// Tells names at the top apart from those of other files, if the file may be a script. `commonjs`: it
    /// is none, whatever it looks like.
    pub(crate) fn note_script(&mut self, program: &ast::Program<'_>, text: &str, commonjs: bool) {
        self.may_be_script = !commonjs && self.looks_like_script(program);
        if self.may_be_script {
            let hash = headstart_frontend::content_hash(text.as_bytes());
            self.suffix = format!("{:x}", hash & 0xffff_ffff);
        }
    }

    /// Whether a file is no ECMAScript module, and has nothing that only a CommonJS module has.
    fn looks_like_script(&self, program: &ast::Program<'_>) -> bool {
        let returns = |it: &ast::Statement<'_>| matches!(it, ast::Statement::ReturnStatement(_));
        let has = |name: &&str| {
            let mentions = self.by_name.get(*name).into_iter().flatten();
            mentions.map(|&it| &self.mentions[it]).any(|it| it.symbol.is_none())
        };
        let of_common_js = ["require", "module", "exports", "__dirname", "__filename"];
        !program.source_type.is_module()
            && !program.body.iter().any(returns)
            && !of_common_js.iter().any(has)
    }
}
