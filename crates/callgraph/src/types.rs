//! TypeScript's annotations: what an unknown value is, as far as they say. What is known flows as
//! it is, but that no object gets where strings, numbers, booleans or arrays have to be.

use headstart_ir::{ClassId, FunctionId, NameId, Type, TypeRef, VarId, VarKind};

use crate::flow::{Filter, Shapes};
use crate::ids::{Key, Node, Object, TypeId, id};
use crate::object::{Cause, Kind, Origin};
use crate::solver::Solver;
use crate::typing::Meaning;

/// How far aliases and imports are followed.
pub(crate) const LONGEST_TYPE: u32 = 12;

impl<'p> Solver<'p> {
    /// Lets the annotations of a file narrow what they are about.
    pub(crate) fn narrow_by_types(&mut self, file: usize) {
        let ir = self.files[file];
        if ir.types.len() <= 1 {
            return;
        }
        for (index, variable) in ir.variables.iter().enumerate() {
            if !variable.ty.is_unknown() && variable.kind != VarKind::Import {
                let node = self.variable(file, VarId::new(index));
                self.narrow(file, variable.ty, node);
            }
        }
        for (index, function) in ir.functions.iter().enumerate() {
            if !function.returns.is_unknown() {
                self.narrow_result(file, FunctionId::new(index));
            }
        }
        for index in 0..ir.classes.len() {
            self.narrow_fields(file, ClassId::new(index));
        }
        self.narrow_values(file);
    }

    /// Lets the types of the fields of a class, and of those that it extends, narrow what its instances hold.
    fn narrow_fields(&mut self, file: usize, class: ClassId) {
        let number = self.numbering.class(file, class);
        let instance = self.object(Kind::Instance(number));
        let (mut file, mut class) = (file, class);
        for _ in 0..LONGEST_TYPE {
            let ir = self.files[file];
            for &(name, ty) in &ir.class(class).fields {
                let key = self.names.key(ir.name(name));
                let node = self.prop(instance, key);
                // What a class says itself holds for it.
                if !self.flow.has_filter(node) {
                    self.narrow(file, ty, node);
                }
            }
            let Some(Meaning::Class(outer, parent)) =
                self.class_extended(file, class, LONGEST_TYPE)
            else {
                return;
            };
            (file, class) = (outer, parent);
        }
    }

    fn narrow(&mut self, file: usize, ty: TypeRef, node: Node) {
        if let Some(mut filter) = self.resolve(file, ty, LONGEST_TYPE) {
            if filter.shapes == Shapes::NONE {
                // `void` is said of what nobody looks at.
                filter.shapes = Shapes::ALL;
            }
            self.flow.set_filter(node, filter);
        }
    }

    fn narrow_result(&mut self, file: usize, id: FunctionId) {
        let ir = self.files[file];
        let function = ir.function(id);
        let number = self.number_of(file, id);
        if function.is_generator {
            return;
        }
        if !function.is_async {
            let result = self.functions[number as usize].result;
            return self.narrow(file, function.returns, result);
        }
        if let Some(Type::Global(name, value)) = ir.types.get(function.returns.index())
            && ir.name(*name) == "Promise"
        {
            let promise = self.typed(self.types.promise, Origin::Function(number));
            let node = self.prop(promise, Key::VALUE);
            self.narrow(file, *value, node);
        }
    }

    /// What a type says; none where it says nothing.
    pub(crate) fn resolve(&mut self, file: usize, ty: TypeRef, steps: u32) -> Option<Filter> {
        let steps = steps.checked_sub(1)?;
        let ir = self.files[file];
        let one = |object: Object, shapes: Shapes| Some(Filter::one(object, shapes));
        let at = (id(file), id(ty.index()));
        match ir.types.get(ty.index())? {
            Type::Unknown => None,
            Type::Nothing => Some(Filter::nothing()),
            Type::String => one(self.typed(self.types.string, Origin::Outside), Shapes::STRING),
            Type::Number | Type::BigInt => {
                one(self.typed(self.types.number, Origin::Outside), Shapes::NUMBER)
            }
            Type::Boolean => one(self.typed(self.types.boolean, Origin::Outside), Shapes::BOOLEAN),
            Type::Array(element) => {
                let array = self.typed(self.types.array, Origin::Described(at.0, at.1));
                self.fill(file, *element, array, Key::ELEMENT, steps);
                one(array, Shapes::ARRAY.or(Shapes::OTHER))
            }
            Type::Object(_) => one(self.object(Kind::Described(at.0, at.1)), Shapes::ALL),
            Type::Named(var) => self.resolve_name(file, *var, steps),
            Type::Member(var, name) => self.resolve_member(file, *var, *name, steps),
            Type::Global(name, argument) => self.resolve_global(file, *name, *argument, at, steps),
            Type::Union(types) => {
                let mut all = Filter::nothing();
                for &ty in types {
                    all.or(self.resolve(file, ty, steps)?);
                }
                Some(all)
            }
            Type::Intersection(types) => {
                let mut all: Option<Filter> = None;
                for &ty in types {
                    let Some(filter) = self.resolve(file, ty, steps) else { continue };
                    match &mut all {
                        Some(all) => {
                            let shapes = all.shapes.and(filter.shapes);
                            all.or(filter);
                            all.shapes = shapes;
                        }
                        None => all = Some(filter),
                    }
                }
                all
            }
        }
    }

    /// Gives a property of an object what a type says.
    fn fill(&mut self, file: usize, ty: TypeRef, object: Object, key: Key, steps: u32) {
        let node = self.prop(object, key);
        if !self.filled.insert(node) {
            return;
        }
        match self.resolve(file, ty, steps) {
            Some(filter) => self.pour(filter, node),
            None => self.give_unknown(node, Cause::Entry),
        }
    }

    fn pour(&mut self, filter: Filter, node: Node) {
        for object in filter.objects {
            self.flow.add(node, object);
        }
        for from in filter.nodes {
            self.flow.edge(from, node);
        }
    }

    fn resolve_name(&mut self, file: usize, var: VarId, steps: u32) -> Option<Filter> {
        let meaning = self.meaning_of(file, var, steps)?;
        self.resolve_meaning(meaning, steps)
    }

    fn resolve_meaning(&mut self, meaning: Meaning<'p>, steps: u32) -> Option<Filter> {
        match meaning {
            Meaning::Class(file, class) => {
                let class = self.numbering.class(file, class);
                Some(Filter {
                    objects: Vec::new(),
                    nodes: vec![self.instances[class as usize]],
                    shapes: Shapes::ALL,
                })
            }
            Meaning::Type(file, ty) => self.resolve(file, ty, steps),
            Meaning::Package(specifier, name) => self.type_of_package(specifier, name),
        }
    }

    /// A type of a modelled package.
    fn type_of_package(&mut self, specifier: &'p str, name: &str) -> Option<Filter> {
        let module = self.members.module(specifier)?;
        let named = self.members.type_named(module, name);
        let ty = named.or_else(|| self.class_of_package(specifier, name))?;
        Some(self.of_platform(ty))
    }

    /// What a class makes that a modelled package exports, perhaps by default: `import Redis from
    /// "ioredis"` is a type, too.
    fn class_of_package(&mut self, specifier: &'p str, name: &str) -> Option<TypeId> {
        let root = self.members.root(specifier)?;
        let member = if name == "default" {
            root
        } else {
            let key = self.names.get(name)?;
            self.members.member(root, key, self.names.text(key))?
        };
        self.instance_type_of(member)
    }

    fn resolve_member(
        &mut self,
        file: usize,
        var: VarId,
        name: NameId,
        steps: u32,
    ) -> Option<Filter> {
        let meaning = self.meaning_of_member(file, var, name, steps)?;
        self.resolve_meaning(meaning, steps)
    }

    fn resolve_global(
        &mut self,
        file: usize,
        name: NameId,
        argument: TypeRef,
        at: (u32, u32),
        steps: u32,
    ) -> Option<Filter> {
        let name: &'p str = self.files[file].name(name);
        let made = |object: Object| Some(Filter::one(object, Shapes::ALL));
        if matches!(name, "Promise" | "PromiseLike") {
            let promise = self.typed(self.types.promise, Origin::Described(at.0, at.1));
            self.fill(file, argument, promise, Key::VALUE, steps);
            return made(promise);
        }
        let root = self.members.root("globals")?;
        let key = self.names.key(name);
        let member = self.members.member(root, key, name)?;
        let ty = self.instance_type_of(member)?;
        if matches!(name, "Map" | "Set" | "WeakMap" | "WeakSet") {
            let object = self.typed(ty, Origin::Described(at.0, at.1));
            let elements = self.prop(object, Key::ELEMENT);
            if name == "Set" {
                self.fill(file, argument, object, Key::ELEMENT, steps);
            } else if self.filled.insert(elements) {
                self.give_unknown(elements, Cause::Entry);
            }
            return made(object);
        }
        Some(self.of_platform(ty))
    }

    /// An object of the platform.
    fn of_platform(&mut self, ty: TypeId) -> Filter {
        let shapes = if self.types.is_bytes(ty) { Shapes::BYTES } else { Shapes::ALL };
        Filter::one(self.typed(ty, Origin::Outside), shapes)
    }

    /// A property of what an annotation describes.
    pub(crate) fn load_described(&mut self, file: u32, ty: u32, key: Key, to: Node) {
        let ir = self.files[file as usize];
        let name = self.names.text(key);
        let Some(Type::Object(properties)) = ir.types.get(ty as usize) else { return };
        let listed = properties.iter().find(|(it, _)| ir.name(*it) == name);
        let found = match listed {
            Some(&(_, ty)) => self.resolve(file as usize, ty, LONGEST_TYPE),
            None => None,
        };
        match found {
            Some(filter) => self.pour(filter, to),
            None => self.give_unknown(to, Cause::Entry),
        }
    }

    /// The properties of what an annotation describes go to those of an object.
    pub(crate) fn copy_described(&mut self, file: u32, ty: u32, to: Object) {
        let ir = self.files[file as usize];
        if let Some(Type::Object(properties)) = ir.types.get(ty as usize) {
            for &(name, _) in properties {
                let key = self.names.key(ir.name(name));
                let target = self.prop(to, key);
                self.load_described(file, ty, key, target);
            }
        }
        let dynamic = self.prop(to, Key::DYNAMIC);
        self.give_unknown(dynamic, Cause::Entry);
    }
}
