//! What is there before anything flows: the nodes of functions and classes.

use headstart_ir::{
    ClassId, FunctionId, FunctionKind, Inst, InstId, Key as IrKey, MemberKind, PropKey,
};
use rustc_hash::FxHashSet;

use crate::ids::{Key, Node};
use crate::object::{Kind, Origin};
use crate::site::FunctionNodes;
use crate::solver::Solver;

impl Solver<'_> {
    /// Notes what each class declares, and the nodes of its instances.
    pub(crate) fn declare_classes(&mut self, file: usize) {
        let ir = self.files[file];
        for index in 0..ir.classes.len() {
            let id = ClassId::new(index);
            let number = self.numbering.class(file, id);
            self.instances[number as usize] = self.flow.node();
            self.statics[number as usize] = self.holding(Kind::Class(number));
            let class = ir.class(id);
            for member in &class.members {
                let function = self.number_of(file, member.function);
                self.class_of.insert(function, number);
                if member.is_static {
                    self.static_functions.insert(function);
                }
                let key = self.key(file, member.key);
                let entry = (member.kind, function);
                if member.kind == MemberKind::Method && self.is_taken(file, member.key) {
                    self.taken_methods.insert(function);
                }
                let mut note = |key| {
                    let at = (number, key, member.is_static);
                    self.class_members.entry(at).or_default().push(entry);
                };
                if member.kind == MemberKind::Setter {
                    self.setters.insert(key);
                }
                if key == Key::DYNAMIC {
                    let at = (number, member.is_static);
                    self.computed_members.entry(at).or_default().push(entry);
                }
                if member.kind != MemberKind::Constructor {
                    note(key);
                    if key != Key::DYNAMIC {
                        note(Key::DYNAMIC);
                    }
                    if !member.is_static {
                        self.declared[number as usize].insert(key);
                    }
                }
            }
            for initialiser in [class.field_init, class.static_init].into_iter().flatten() {
                let function = self.number_of(file, initialiser);
                self.class_of.insert(function, number);
                if class.static_init == Some(initialiser) {
                    self.static_functions.insert(function);
                }
            }
            self.declare_fields(file, id, number);
        }
    }

    /// Notes the names of properties that a file reads without calling them at once.
    pub(crate) fn note_taken(&mut self, file: usize) {
        let ir = self.files[file];
        let called: FxHashSet<InstId> = ir.method_reads().collect();
        for at in (0..ir.insts.len()).map(InstId::new) {
            if let Inst::Get { key, .. } = ir.inst(at)
                && let IrKey::Name(name) | IrKey::Private(name) = key.get()
                && !called.contains(&at)
            {
                self.taken_names.insert(ir.name(name));
            }
        }
    }

    /// Whether the program takes out what has a name, or it has none that is known.
    fn is_taken(&self, file: usize, key: PropKey) -> bool {
        match key.get() {
            IrKey::Name(name) | IrKey::Private(name) => {
                self.taken_names.contains(self.files[file].name(name))
            }
            IrKey::Computed(_) => true,
        }
    }

    /// Notes the fields that a class or its constructor sets.
    fn declare_fields(&mut self, file: usize, class: ClassId, number: u32) {
        let ir = self.files[file];
        let class = ir.class(class);
        let constructor = class
            .members
            .iter()
            .find(|it| it.kind == MemberKind::Constructor)
            .map(|it| it.function);
        for function in [class.field_init, constructor].into_iter().flatten() {
            let function = ir.function(function);
            for id in headstart_ir::FileIr::range(function.first, function.end) {
                if let Inst::Set { object, key, .. } = ir.inst(id)
                    && ir.inst(object) == Inst::This
                    && !matches!(key.get(), IrKey::Computed(_))
                {
                    let key = self.key(file, key);
                    self.declared[number as usize].insert(key);
                }
            }
        }
    }

    /// Makes the nodes of each function.
    pub(crate) fn declare_functions(&mut self, file: usize) {
        let ir = self.files[file];
        for index in 0..ir.functions.len() {
            let id = FunctionId::new(index);
            let number = self.number_of(file, id);
            let function = ir.function(id);
            let this = match self.class_of.get(&number) {
                Some(&class) => {
                    let is_static = self.is_static(number);
                    let all = if is_static { &self.statics } else { &self.instances };
                    let own = all[class as usize];
                    // It may be called on others, which are none of its class for that.
                    if self.taken_methods.contains(&number) {
                        let this = self.flow.node();
                        self.flow.edge(own, this);
                        this
                    } else {
                        own
                    }
                }
                None => self.flow.node(),
            };
            let params = self.flow.nodes(function.params);
            let result = self.flow.node();
            self.functions[number as usize] = FunctionNodes {
                result,
                this,
                params,
                count: function.params,
                rest: Node::NONE,
                arguments: Node::NONE,
            };
            if function.is_generator {
                let ty = if function.is_async {
                    self.types.async_generator
                } else {
                    self.types.generator
                };
                self.give(result, Kind::Typed(ty, Origin::Function(number)));
            } else if function.is_async {
                let promise = self.types.promise;
                self.give(result, Kind::Typed(promise, Origin::Function(number)));
            }
            let is_entered =
                matches!(function.kind, FunctionKind::Module | FunctionKind::StaticInit);
            self.reached[number as usize] |= is_entered;
        }
    }

    /// Whether `this` of a method or initialiser of a class is the class itself.
    pub(crate) fn is_static(&self, function: u32) -> bool {
        self.static_functions.contains(&function)
    }
}
