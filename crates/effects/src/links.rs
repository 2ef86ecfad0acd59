//! Whether a program makes links: two paths may lead to one file, then.

use headstart_ir::{FileIr, Imported, Inst, InstId};
use headstart_models::without_prefix;

use crate::bent::name_of;

/// Modules that make links.
const MODULES: [&str; 4] = ["fs", "fs/promises", "fs-extra", "graceful-fs"];

/// Their members that do.
const MEMBERS: [&str; 8] = [
    "ensureLink",
    "ensureLinkSync",
    "ensureSymlink",
    "ensureSymlinkSync",
    "link",
    "linkSync",
    "symlink",
    "symlinkSync",
];

/// The first place in a file that takes such a member.
pub(crate) fn first_link(ir: &FileIr) -> Option<InstId> {
    let is_module = |specifier| MODULES.contains(&without_prefix(ir.name(specifier)));
    if !ir.requests.iter().any(|it| is_module(it.specifier)) {
        return None;
    }
    let of_import = || {
        ir.imports.iter().find_map(|it| {
            let is_it = matches!(it.imported, Imported::Name(name) if MEMBERS.contains(&ir.name(name)))
                && is_module(ir.request(it.request).specifier);
            let uses = |inst: &Inst| matches!(*inst, Inst::LoadVar(var) if var == it.local);
            is_it.then(|| ir.insts.iter().position(uses).map(InstId::new)).flatten()
        })
    };
    let takes = |inst: &Inst| matches!(*inst, Inst::Get { key, .. } if MEMBERS.contains(&name_of(ir, key.get())));
    ir.insts.iter().position(takes).map(InstId::new).or_else(of_import)
}
