//! What the program keeps on the global object: a client that outlives a reload, a registry.
//!
//! Under a name that the program itself assigns there, and that the platform does not know, is what the
//! program has put there. A client that is kept under such a name is not in unknown hands for that.

use headstart_ir::{FileIr, Inst, InstId};

use crate::ids::{Key, MemberId, Node, Object};
use crate::object::Kind;
use crate::solver::Solver;
use crate::value::is_global_object;

/// How many variables the global object is followed through.
const LONGEST_ALIAS: u32 = 4;

impl<'p> Solver<'p> {
    /// Finds the names that the program assigns on the global object.
    pub(crate) fn find_assigned_globals(&mut self) {
        for file in 0..self.files.len() {
            let ir = self.files[file];
            for inst in (0..ir.insts.len()).map(InstId::new) {
                let Inst::Set { object, key, .. } = ir.inst(inst) else { continue };
                if !self.is_the_global_object(file, object) {
                    continue;
                }
                let key = self.key(file, key);
                let name = self.names.text(key);
                if key.is_named() && !name.is_empty() && !self.is_platform_global(key, name) {
                    self.assigned_globals.insert(key);
                }
            }
        }
    }

    fn is_the_global_object(&self, file: usize, value: InstId) -> bool {
        let ir: &FileIr = self.files[file];
        let mut value = value;
        for _ in 0..LONGEST_ALIAS {
            match ir.inst(value) {
                Inst::LoadGlobal(name) => return is_global_object(ir.name(name)),
                Inst::LoadVar(var) => match self.always(file, var) {
                    Some(always) => value = always,
                    None => return false,
                },
                _ => return false,
            }
        }
        false
    }

    fn is_platform_global(&mut self, key: Key, name: &'p str) -> bool {
        // The platform calls what it finds there: `onmessage`, `onunload`.
        let root = self.members.root("globals");
        name.starts_with("on")
            || root.is_some_and(|root| self.members.member(root, key, name).is_some())
    }

    fn is_global_root(&self, member: MemberId) -> bool {
        let data = self.members.get(member);
        data.module == "globals" && data.of_type.is_none() && data.path.is_empty()
    }

    /// What a name of the global object may be, where the program assigns it.
    pub(crate) fn assigned_global(&mut self, member: MemberId, key: Key) -> Option<[Node; 2]> {
        let is_assigned = self.assigned_globals.contains(&key) && self.is_global_root(member);
        let object = is_assigned.then(|| self.object(Kind::Member(member)))?;
        Some([self.prop(object, key), self.prop(object, Key::DYNAMIC)])
    }

    /// Whether something that is stored in a member goes under such a name.
    pub(crate) fn is_kept_globally(&self, member: MemberId, key: Key) -> bool {
        self.assigned_globals.contains(&key) && self.is_global_root(member)
    }

    /// What is kept on the global object: others may call what is a function, or holds one.
    pub(crate) fn keep_globally(&mut self, object: Object) {
        let is_ours = match self.objects.kind(object) {
            Kind::Instance(_) => true,
            Kind::Typed(ty, _) => {
                let module = self.members.type_data(ty).module.module.as_str();
                module != "ecmascript" || ty == self.types.map
            }
            _ => false,
        };
        if !is_ours {
            self.flow.add(self.escaped, object);
        }
    }
}
