//! The node of each value of the program. Values that are the same have the same node, so that
//! nothing has to flow between them.

use headstart_ir::{
    ExportSource, FileIr, FileKind, FunctionId, FunctionKind, Imported, Inst, InstId, Key as IrKey,
    Literal, NameId, PropKey, Resolution, VarId, VarKind,
};

use crate::ids::{Key, Node, Object};
use crate::names::Symbol;
use crate::object::{Cause, Kind, Origin};
use crate::solver::Solver;

/// How far a variable is followed back to the value it always has.
const LONGEST_ALIAS: u32 = 24;

/// The symbol of the method by which `console` and `util.inspect` print an object, for `Symbol.for`
/// (documentation of Node, "Custom inspection functions on objects").
pub(crate) const INSPECTION: &str = "nodejs.util.inspect.custom";

/// `util.inspect.custom`
fn is_inspection(ir: &headstart_ir::FileIr, object: InstId, key: PropKey) -> bool {
    let is_named =
        |key: PropKey, of: &str| matches!(key.get(), IrKey::Name(name) if ir.name(name) == of);
    let is_inspect = match ir.inst(object) {
        Inst::Get { key, .. } => is_named(key, "inspect"),
        Inst::LoadVar(var) => ir.name(ir.variable(var).name) == "inspect",
        _ => false,
    };
    is_inspect && is_named(key, "custom")
}

/// Whether a global is the global object: `globalThis` and its other names.
#[must_use]
pub fn is_global_object(name: &str) -> bool {
    matches!(name, "globalThis" | "global" | "window" | "self")
}

impl<'p> Solver<'p> {
    /// The node of a value.
    pub(crate) fn value(&mut self, file: usize, inst: InstId) -> Node {
        self.value_within(file, inst, LONGEST_ALIAS)
    }

    fn value_within(&mut self, file: usize, inst: InstId, steps: u32) -> Node {
        let number = self.numbering.inst(file, inst) as usize;
        let known = self.values[number];
        if !known.is_none() {
            return known;
        }
        let node = self.new_value(file, inst, steps);
        self.values[number] = node;
        node
    }

    fn new_value(&mut self, file: usize, inst: InstId, steps: u32) -> Node {
        let ir = self.files[file];
        let number = self.numbering.inst(file, inst);
        match ir.inst(inst) {
            Inst::Literal(literal) => self.literal(literal, number),
            Inst::Template(_) | Inst::EnumerateKeys(_) => self.string,
            Inst::Pure1(_) | Inst::Pure2(..) | Inst::Has { .. } | Inst::InstanceOf { .. } => {
                self.string_or_boolean()
            }
            Inst::Convert(_) => self.number,
            Inst::Operator { plus: true, .. } => self.string_or_number(),
            Inst::Operator { .. } => self.number_or_boolean(),
            Inst::LoadVar(var) => self.variable_within(file, var, steps),
            Inst::LoadGlobal(name) => self.global(file, name),
            Inst::Closure(function) => {
                let function = self.number_of(file, function);
                self.holding(Kind::Function(function))
            }
            Inst::Class(class) => {
                let class = self.numbering.class(file, class);
                self.holding(Kind::Class(class))
            }
            Inst::Object => self.holding(Kind::Literal(number)),
            Inst::Array(_) => {
                let array = self.types.array;
                self.holding(Kind::Typed(array, Origin::Inst(number, 0)))
            }
            Inst::Rest(_) => {
                let node = self.holding(Kind::Literal(number));
                let array = self.types.array;
                self.give(node, Kind::Typed(array, Origin::Inst(number, 0)));
                node
            }
            Inst::Param(position) => {
                let function = self.function_at(file, inst);
                let nodes = self.functions[self.number_of(file, function) as usize];
                if position < nodes.count { Node(nodes.params.0 + position) } else { Node::NONE }
            }
            Inst::RestParam(_) => {
                let function = self.function_at(file, inst);
                let (array, function) = (self.types.array, self.number_of(file, function));
                self.holding(Kind::Typed(array, Origin::Rest(function)))
            }
            Inst::Arguments => {
                let function = self.receiving_function(file, self.function_at(file, inst));
                let (array, function) = (self.types.array, self.number_of(file, function));
                self.holding(Kind::Typed(array, Origin::Arguments(function)))
            }
            Inst::This => self.this_at(file, inst),
            Inst::Caught => {
                let node = self.flow.node();
                self.give_unknown(node, Cause::Caught);
                node
            }
            Inst::Opaque => {
                let node = self.flow.node();
                self.give_unknown(node, Cause::Opaque);
                node
            }
            Inst::ImportMeta => self.data,
            Inst::Require(request) => self.required(file, request),
            Inst::Jsx(_) => self.data,
            Inst::Get { .. }
            | Inst::Call { .. }
            | Inst::CallMethod { .. }
            | Inst::New { .. }
            | Inst::Select(..)
            | Inst::Await(_)
            | Inst::Yield(_)
            | Inst::YieldAll(_)
            | Inst::Iterate(_)
            | Inst::IterateAsync(_)
            | Inst::Super
            | Inst::DynamicImport { .. } => self.flow.node(),
            _ => Node::NONE,
        }
    }

    fn literal(&mut self, literal: Literal, number: u32) -> Node {
        match literal {
            Literal::String(_) | Literal::LongString => self.string,
            Literal::Number(_) | Literal::BigInt => self.number,
            Literal::Boolean(_) => self.boolean,
            Literal::RegExp { .. } => {
                let regexp = self.types.regexp;
                self.holding(Kind::Typed(regexp, Origin::Inst(number, 0)))
            }
            Literal::Undefined | Literal::Null => Node::NONE,
        }
    }

    fn string_or_boolean(&mut self) -> Node {
        self.primitive("@typeof", &[self.string, self.boolean])
    }

    fn string_or_number(&mut self) -> Node {
        self.primitive("@plus", &[self.string, self.number])
    }

    fn number_or_boolean(&mut self) -> Node {
        self.primitive("@operator", &[self.number, self.boolean])
    }

    fn primitive(&mut self, name: &'static str, of: &[Node]) -> Node {
        if let Some(&node) = self.globals.get(name) {
            return node;
        }
        let node = self.flow.node();
        for &from in of {
            self.flow.edge(from, node);
        }
        self.globals.insert(name, node);
        node
    }

    /// The node of a variable.
    pub(crate) fn variable(&mut self, file: usize, var: VarId) -> Node {
        self.variable_within(file, var, LONGEST_ALIAS)
    }

    fn variable_within(&mut self, file: usize, var: VarId, steps: u32) -> Node {
        let number = self.numbering.variable(file, var) as usize;
        let known = self.variables[number];
        if !known.is_none() {
            return known;
        }
        let node = match self.always(file, var) {
            // What an annotation says of one variable it does not say of another.
            Some(value) if !self.is_annotated_copy(file, var, value) && steps > 0 => {
                self.value_within(file, value, steps - 1)
            }
            _ => Node::NONE,
        };
        let node = if node.is_none() { self.flow.node() } else { node };
        self.variables[number] = node;
        node
    }

    fn is_annotated_copy(&self, file: usize, var: VarId, value: InstId) -> bool {
        let ir = self.files[file];
        !ir.variable(var).ty.is_unknown() && matches!(ir.inst(value), Inst::LoadVar(_))
    }

    /// The value that a variable always has.
    pub(crate) fn always(&self, file: usize, var: VarId) -> Option<InstId> {
        let ir = self.files[file];
        let variable = ir.variable(var);
        let is_once = variable.writes == 1
            && !matches!(variable.kind, VarKind::Other | VarKind::Import)
            && variable.class.is_none();
        let init = variable.init.filter(|_| is_once)?;
        match ir.inst(init) {
            Inst::StoreVar { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The function that an instruction stands in.
    pub(crate) fn function_at(&self, file: usize, inst: InstId) -> FunctionId {
        self.files[file].function_at(inst)
    }

    /// The function whose `this` and `arguments` an arrow function sees.
    pub(crate) fn receiving_function(&self, file: usize, function: FunctionId) -> FunctionId {
        let ir = self.files[file];
        let mut id = function;
        while ir.function(id).kind == FunctionKind::Arrow {
            match ir.function(id).parent {
                Some(parent) => id = parent,
                None => break,
            }
        }
        id
    }

    fn this_at(&mut self, file: usize, inst: InstId) -> Node {
        let function = self.receiving_function(file, self.function_at(file, inst));
        if function.index() == 0 {
            return match self.files[file].kind {
                FileKind::Script => self.holding(Kind::Exports(crate::ids::id(file))),
                FileKind::Module => Node::NONE,
            };
        }
        let number = self.number_of(file, function);
        self.functions[number as usize].this
    }

    fn global(&mut self, file: usize, name: NameId) -> Node {
        let ir = self.files[file];
        let text: &'p str = ir.name(name);
        self.module_variable(file, text).unwrap_or_else(|| self.global_named(text))
    }

    /// The node of `exports` or `module` of a file that may be a CommonJS module.
    pub(crate) fn module_variable(&mut self, file: usize, name: &str) -> Option<Node> {
        let ir = self.files[file];
        if ir.kind != FileKind::Script && !ir.exports.is_empty() {
            return None;
        }
        let number = crate::ids::id(file);
        let kind = match name {
            "exports" => Kind::Exports(number),
            "module" => Kind::Module(number),
            _ => return None,
        };
        if let Some(&node) = self.module_variables.get(&kind) {
            return Some(node);
        }
        let node = self.holding(kind);
        self.module_variables.insert(kind, node);
        Some(node)
    }

    /// The node of a global, shared by the whole program.
    pub(crate) fn global_named(&mut self, text: &'p str) -> Node {
        if let Some(&node) = self.globals.get(text) {
            return node;
        }
        let node = self.flow.node();
        self.globals.insert(text, node);
        let root = self.members.root("globals");
        if is_global_object(text) {
            if let Some(root) = root {
                self.give(node, Kind::Member(root));
            }
            return node;
        }
        if matches!(text, "__dirname" | "__filename") {
            self.flow.edge(self.string, node);
            return node;
        }
        let key = self.names.key(text);
        let member = root.and_then(|root| self.members.member(root, key, text));
        match member {
            Some(member) => self.give_member(node, member),
            None => match root.and_then(|root| self.assigned_global(root, key)) {
                Some(kept) => kept.into_iter().for_each(|it| self.flow.edge(it, node)),
                None => self.give_unknown(node, Cause::Global(text)),
            },
        }
        node
    }

    /// The key of a property, where it is known and has been met.
    pub(crate) fn known_key(&self, file: usize, key: PropKey) -> Key {
        let ir = self.files[file];
        let name = match key.get() {
            IrKey::Name(name) => name,
            IrKey::Private(name) => {
                return self.names.known_private(ir.name(name)).unwrap_or(Key::DYNAMIC);
            }
            IrKey::Computed(value) => match ir.inst(value) {
                Inst::Literal(Literal::String(name)) => name,
                Inst::LoadVar(var) => {
                    let constant = self.always_over_files(file, var);
                    let constant =
                        constant.map(|(file, value)| (file, self.files[file].inst(value)));
                    let Some((file, Inst::Literal(Literal::String(name)))) = constant else {
                        return Key::DYNAMIC;
                    };
                    return self.known_name(file, name);
                }
                _ => return Key::DYNAMIC,
            },
        };
        self.known_name(file, name)
    }

    /// The key with a name of a file.
    fn known_name(&self, file: usize, name: NameId) -> Key {
        let known = self.keys_of_names.get(file).and_then(|keys| keys.get(name.index()));
        known.copied().unwrap_or_else(|| self.key_of_text(self.files[file].name(name)))
    }

    fn key_of_text(&self, text: &str) -> Key {
        self.names.get(text).unwrap_or(Key::DYNAMIC)
    }

    /// Notes the keys with the names of each file: whoever looks at the program afterwards asks for them with
    /// every property.
    pub(crate) fn note_keys(&mut self) {
        let keys = |ir: &&FileIr| {
            let names = (0..ir.names.len()).map(|it| ir.name(NameId::new(it)));
            names.map(|it| self.key_of_text(it)).collect()
        };
        self.keys_of_names = self.files.iter().map(keys).collect();
    }

    /// The key of a property, where it is known.
    pub(crate) fn key(&mut self, file: usize, key: PropKey) -> Key {
        let ir = self.files[file];
        match key.get() {
            IrKey::Name(name) => self.names.key(ir.name(name)),
            IrKey::Private(name) => self.names.private(ir.name(name)),
            IrKey::Computed(value) => self.computed_key(file, value),
        }
    }

    fn computed_key(&mut self, file: usize, value: InstId) -> Key {
        self.constant_key(file, value, LONGEST_ALIAS).unwrap_or(Key::DYNAMIC)
    }

    /// The key that a value always is: a string, a number, a symbol.
    fn constant_key(&mut self, file: usize, value: InstId, steps: u32) -> Option<Key> {
        let steps = steps.checked_sub(1)?;
        let ir = self.files[file];
        match ir.inst(value) {
            Inst::Literal(Literal::String(name)) => Some(self.names.key(ir.name(name))),
            Inst::Literal(Literal::Number(Some(index))) => Some(Key::element(index.into())),
            Inst::Literal(Literal::Number(None)) | Inst::Convert(_) => Some(Key::ELEMENT),
            Inst::LoadVar(var) => {
                let (file, value) = self.always_over_files(file, var)?;
                self.constant_key(file, value, steps)
            }
            Inst::Get { object, key } if is_inspection(ir, object, key) => {
                Some(self.names.symbol(Symbol::Named(INSPECTION)))
            }
            Inst::Get { object, key } => {
                let name = self.symbol_member(file, object, key)?;
                self.symbol_key(name)
            }
            Inst::Call { callee, .. } => {
                let Inst::LoadGlobal(global) = ir.inst(callee) else { return None };
                let number = self.numbering.inst(file, value);
                (ir.name(global) == "Symbol").then(|| self.names.symbol(Symbol::Made(number)))
            }
            Inst::CallMethod { object, method, args } => {
                let Inst::Get { key, .. } = ir.inst(method) else { return None };
                let name = self.symbol_member(file, object, key)?;
                let Inst::Literal(Literal::String(of)) = ir.inst(*ir.args(args).first()?) else {
                    return None;
                };
                (name == "for").then(|| self.names.symbol(Symbol::Named(ir.name(of))))
            }
            _ => None,
        }
    }

    /// `Symbol.name`
    fn symbol_member(&self, file: usize, object: InstId, key: PropKey) -> Option<&'p str> {
        let ir = self.files[file];
        let (Inst::LoadGlobal(global), IrKey::Name(name)) = (ir.inst(object), key.get()) else {
            return None;
        };
        (ir.name(global) == "Symbol").then(|| ir.name(name))
    }

    /// As [`Self::always`], through imports as well.
    fn always_over_files(&self, file: usize, var: VarId) -> Option<(usize, InstId)> {
        let ir = self.files[file];
        if ir.variable(var).kind != VarKind::Import {
            return Some((file, self.always(file, var)?));
        }
        let import = ir.import_of(var)?;
        let Resolution::File(to) = ir.request(import.request).resolution else { return None };
        let Imported::Name(name) = import.imported else { return None };
        let (to, name) = (to.0 as usize, ir.name(name));
        let other = self.files[to];
        let is_it = |it: &&headstart_ir::Export| it.name.is_some_and(|it| other.name(it) == name);
        match other.exports.iter().find(is_it)?.source {
            ExportSource::Local(var) => Some((to, self.always(to, var)?)),
            _ => None,
        }
    }

    /// The object that a literal makes.
    pub(crate) fn literal_object(&mut self, file: usize, inst: InstId) -> Object {
        let number = self.numbering.inst(file, inst);
        self.object(Kind::Literal(number))
    }
}
