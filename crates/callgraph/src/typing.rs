//! What type annotations say of values that have none themselves: of properties of annotated objects,
//! of what annotated functions return, of the elements of annotated arrays.

use headstart_ir::{
    ClassId, ExportSource, FileIr, FunctionId, Imported, Inst, InstId, Key as IrKey, Literal,
    MemberKind, NameId, RequestId, Resolution, Type, TypeRef, VarId, VarKind,
};
use smallvec::SmallVec;

use crate::flow::{Filter, Shapes};
use crate::solver::Solver;
use crate::types::LONGEST_TYPE;

/// How far the type of a value is looked for.
const LONGEST_VALUE: u32 = 12;

/// What the name of a type means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning<'p> {
    /// The instances of a class of the program.
    Class(usize, ClassId),
    /// What an interface or an alias stands for, in the file that declares it.
    Type(usize, TypeRef),
    /// An export of a package.
    Package(&'p str, &'p str),
}

/// Which types are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asking {
    /// What the value is, where it is an object at all.
    Whatever,
    /// Only what annotations say for certain: there may be no element under an index.
    Certain,
}

/// What an annotation says that a value certainly is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declared {
    /// A string.
    String,
    /// A big integer, or something that may be one.
    BigInt,
    /// Something whose properties can be read: neither `undefined` nor `null`.
    There,
}

/// Types of the platform that leave no room for `undefined`.
const PLAIN_GLOBALS: [&str; 12] = [
    "Promise",
    "Map",
    "Set",
    "WeakMap",
    "WeakSet",
    "Date",
    "Error",
    "RegExp",
    "URL",
    "Buffer",
    "Uint8Array",
    "AbortSignal",
];

/// Types that a value has one of, each with its file.
pub(crate) type Typing = SmallVec<[(usize, TypeRef); 2]>;

impl<'p> Solver<'p> {
    /// Lets types narrow the values of a file that have no annotation themselves.
    pub(crate) fn narrow_values(&mut self, file: usize) {
        let ir = self.files[file];
        self.note_element_callbacks(file);
        for index in 0..ir.insts.len() {
            let inst = InstId::new(index);
            let is_own = matches!(
                ir.inst(inst),
                Inst::Get { .. }
                    | Inst::Call { .. }
                    | Inst::CallMethod { .. }
                    | Inst::Await(_)
                    | Inst::Iterate(_)
                    | Inst::Param(_)
            );
            if !is_own {
                continue;
            }
            let asking = Asking::Whatever;
            let Some(typing) = self.typing(file, inst, asking, LONGEST_VALUE) else { continue };
            let mut all = Filter::nothing();
            let is_known = typing.iter().all(|&(file, ty)| {
                self.resolve(file, ty, LONGEST_TYPE).map(|it| all.or(it)).is_some()
            });
            // An assertion is what its author believes: what is known stays.
            let is_asserted = ir.typed_value(inst).is_some_and(|it| it.is_asserted);
            if is_known {
                if is_asserted || all.shapes == Shapes::NONE {
                    all.shapes = Shapes::ALL;
                }
                let node = self.value(file, inst);
                self.flow.set_filter(node, all);
            }
        }
    }

    /// The types that a value has one of.
    pub(crate) fn typing(
        &self,
        file: usize,
        inst: InstId,
        asking: Asking,
        steps: u32,
    ) -> Option<Typing> {
        let steps = steps.checked_sub(1)?;
        let ir = self.files[file];
        let is_certain = asking == Asking::Certain;
        if let Some(found) = ir.typed_value(inst)
            && !(is_certain && found.is_asserted)
        {
            return Some(Typing::from_slice(&[(file, found.ty)]));
        }
        match ir.inst(inst) {
            Inst::LoadVar(var) => {
                let ty = ir.variable(var).ty;
                if !ty.is_unknown() {
                    return Some(Typing::from_slice(&[(file, ty)]));
                }
                self.typing(file, self.always(file, var)?, asking, steps)
            }
            Inst::Get { object, key } => {
                if let Some((file, class)) = self.class_of_this(file, object) {
                    let (IrKey::Name(name) | IrKey::Private(name)) = key.get() else { return None };
                    return self.property_of_class(file, class, ir.name(name), steps);
                }
                let of = self.typing(file, object, asking, steps)?;
                match key.get() {
                    IrKey::Name(name) => self.property(&of, ir.name(name), steps),
                    // There may be none under an index.
                    IrKey::Computed(_) if !is_certain => self.element_types(&of, steps),
                    IrKey::Computed(_) | IrKey::Private(_) => None,
                }
            }
            // A pattern may ask for more than there is, a loop does not.
            Inst::Iterate(of) if !is_certain || is_step_of_loop(ir, inst) => {
                let of = self.typing(file, of, asking, steps)?;
                self.element_types(&of, steps)
            }
            Inst::Await(promise) => {
                let promise = self.typing(file, promise, asking, steps)?;
                promise.iter().map(|&(file, ty)| self.awaited_type(file, ty)).collect()
            }
            Inst::Call { callee, .. } => self.call_type(file, callee, steps),
            Inst::CallMethod { method, .. } => {
                let Inst::Get { object, key } = ir.inst(method) else { return None };
                let (IrKey::Name(name) | IrKey::Private(name)) = key.get() else { return None };
                if let Some((file, class)) = self.class_of_this(file, object) {
                    let (file, method) = self.method_of(file, class, ir.name(name), steps)?;
                    return returned(self.files[file], file, method);
                }
                let of = self.typing(file, object, asking, steps)?;
                self.returned_by_list(&of, ir.name(name), asking)
                    .or_else(|| self.returned_by_method(&of, ir.name(name), steps))
            }
            Inst::Param(position) => self.type_of_element(file, inst, position, asking, steps),
            Inst::Array(elements) => match *ir.args(elements) {
                [only] => self.spread_list(file, only, asking, steps),
                _ => None,
            },
            Inst::Select(left, right) => {
                let mut all = self.typing_of_part(file, left, asking, steps)?;
                all.extend(self.typing_of_part(file, right, asking, steps)?);
                Some(all)
            }
            _ => None,
        }
    }

    /// The class that `this` is an instance of.
    pub(crate) fn class_of_this(&self, file: usize, value: InstId) -> Option<(usize, ClassId)> {
        let Inst::This = self.files[file].inst(value) else { return None };
        let function = self.receiving_function(file, self.function_at(file, value));
        let number = self.number_of(file, function);
        let class = self.class_of.get(&number).filter(|_| !self.static_functions.contains(&number));
        class.map(|&class| self.numbering.class_of(class))
    }

    fn typing_of_part(
        &self,
        file: usize,
        part: InstId,
        asking: Asking,
        steps: u32,
    ) -> Option<Typing> {
        match self.files[file].inst(part) {
            Inst::Literal(Literal::Undefined | Literal::Null) => {
                (asking == Asking::Whatever).then(Typing::new)
            }
            _ => self.typing(file, part, asking, steps),
        }
    }

    /// What a value certainly is, as annotations say it; none where they do not, or leave room for
    /// `undefined` and `null`.
    pub(crate) fn declared(&self, file: usize, inst: InstId) -> Option<Declared> {
        let typing = self.typing(file, inst, Asking::Certain, LONGEST_VALUE)?;
        self.declared_as(&typing, LONGEST_TYPE)
    }

    fn declared_as(&self, typing: &[(usize, TypeRef)], steps: u32) -> Option<Declared> {
        let mut all = None;
        for &(file, ty) in typing {
            let one = self.declared_type(file, ty, steps)?;
            let of_both = |it: Declared| match (it, one) {
                (Declared::BigInt, _) | (_, Declared::BigInt) => Declared::BigInt,
                (Declared::String, Declared::String) => Declared::String,
                _ => Declared::There,
            };
            all = Some(all.map_or(one, of_both));
        }
        all
    }

    fn declared_type(&self, file: usize, ty: TypeRef, steps: u32) -> Option<Declared> {
        let steps = steps.checked_sub(1)?;
        let ir = self.files[file];
        match ir.types.get(ty.index())? {
            Type::Unknown | Type::Nothing => None,
            Type::String => Some(Declared::String),
            Type::BigInt => Some(Declared::BigInt),
            Type::Number | Type::Boolean | Type::Array(_) | Type::Object(_) => {
                Some(Declared::There)
            }
            Type::Named(_) | Type::Member(..) => match self.meaning_of_type(file, ty, steps)? {
                Meaning::Class(..) => Some(Declared::There),
                Meaning::Type(file, ty) => self.declared_type(file, ty, steps),
                Meaning::Package(..) => None,
            },
            Type::Global(name, _) => {
                PLAIN_GLOBALS.contains(&ir.name(*name)).then_some(Declared::There)
            }
            Type::Union(types) => {
                let each: Typing = types.iter().map(|&ty| (file, ty)).collect();
                self.declared_as(&each, steps)
            }
            Type::Intersection(types) => {
                types.iter().find_map(|&ty| self.declared_type(file, ty, steps))
            }
        }
    }

    /// What `await` makes of a type.
    fn awaited_type(&self, file: usize, ty: TypeRef) -> Option<(usize, TypeRef)> {
        let ir = self.files[file];
        match ir.types.get(ty.index())? {
            Type::Global(name, value) if matches!(ir.name(*name), "Promise" | "PromiseLike") => {
                (!value.is_unknown()).then_some((file, *value))
            }
            Type::String | Type::Number | Type::BigInt | Type::Boolean | Type::Array(_) => {
                Some((file, ty))
            }
            _ => None,
        }
    }

    fn property(&self, of: &Typing, name: &str, steps: u32) -> Option<Typing> {
        let mut all = Typing::new();
        for &(file, ty) in of {
            all.extend(self.property_of(file, ty, name, steps)?);
        }
        Some(all)
    }

    fn property_of(&self, file: usize, ty: TypeRef, name: &str, steps: u32) -> Option<Typing> {
        let steps = steps.checked_sub(1)?;
        let ir = self.files[file];
        match ir.types.get(ty.index())? {
            Type::Nothing => Some(Typing::new()),
            Type::Object(properties) => {
                let (_, ty) = properties.iter().find(|(it, _)| ir.name(*it) == name)?;
                Some(Typing::from_slice(&[(file, *ty)]))
            }
            Type::Named(_) | Type::Member(..) => match self.meaning_of_type(file, ty, steps)? {
                Meaning::Type(file, ty) => self.property_of(file, ty, name, steps),
                Meaning::Class(file, class) => self.property_of_class(file, class, name, steps),
                Meaning::Package(..) => None,
            },
            Type::Union(types) => {
                let of = types.iter().map(|&ty| (file, ty)).collect();
                self.property(&of, name, steps)
            }
            Type::Intersection(types) => {
                types.iter().find_map(|&ty| self.property_of(file, ty, name, steps))
            }
            _ => None,
        }
    }

    fn property_of_class(
        &self,
        file: usize,
        class: ClassId,
        name: &str,
        steps: u32,
    ) -> Option<Typing> {
        let ir = self.files[file];
        let fields = &ir.class(class).fields;
        if let Some((_, ty)) = fields.iter().find(|(it, _)| ir.name(*it) == name) {
            return Some(Typing::from_slice(&[(file, *ty)]));
        }
        if let Some(getter) = member(ir, class, name, MemberKind::Getter) {
            return returned(ir, file, getter);
        }
        let Meaning::Class(file, parent) = self.class_extended(file, class, steps)? else {
            return None;
        };
        self.property_of_class(file, parent, name, steps.checked_sub(1)?)
    }

    pub(crate) fn class_extended(
        &self,
        file: usize,
        class: ClassId,
        steps: u32,
    ) -> Option<Meaning<'p>> {
        let ir = self.files[file];
        match ir.inst(ir.class(class).super_class?) {
            Inst::LoadVar(var) => self.meaning_of(file, var, steps),
            _ => None,
        }
    }

    pub(crate) fn element_types(&self, of: &Typing, steps: u32) -> Option<Typing> {
        let mut all = Typing::new();
        for &(file, ty) in of {
            all.extend(self.element_types_of(file, ty, steps)?);
        }
        Some(all)
    }

    fn element_types_of(&self, file: usize, ty: TypeRef, steps: u32) -> Option<Typing> {
        let steps = steps.checked_sub(1)?;
        let ir = self.files[file];
        match ir.types.get(ty.index())? {
            Type::Nothing => Some(Typing::new()),
            Type::Array(element) => {
                (!element.is_unknown()).then(|| Typing::from_slice(&[(file, *element)]))
            }
            Type::Global(name, element) if matches!(ir.name(*name), "Set" | "ReadonlySet") => {
                (!element.is_unknown()).then(|| Typing::from_slice(&[(file, *element)]))
            }
            Type::Named(_) | Type::Member(..) => match self.meaning_of_type(file, ty, steps)? {
                Meaning::Type(file, ty) => self.element_types_of(file, ty, steps),
                _ => None,
            },
            Type::Union(types) => {
                let of = types.iter().map(|&ty| (file, ty)).collect();
                self.element_types(&of, steps)
            }
            _ => None,
        }
    }

    /// What a call of a declared function gives, where the function says it.
    fn call_type(&self, file: usize, callee: InstId, steps: u32) -> Option<Typing> {
        let ir = self.files[file];
        let Inst::LoadVar(var) = ir.inst(callee) else { return None };
        let (file, function) = self.function_named(file, var, steps)?;
        returned(self.files[file], file, function)
    }

    /// The function that a name always stands for.
    fn function_named(&self, file: usize, var: VarId, steps: u32) -> Option<(usize, FunctionId)> {
        let steps = steps.checked_sub(1)?;
        let ir = self.files[file];
        let variable = ir.variable(var);
        if variable.kind == VarKind::Import {
            let (request, name) = imported(ir, var)?;
            let Resolution::File(to) = ir.request(request).resolution else { return None };
            return self.function_exported(to.0 as usize, name, steps);
        }
        let value = ir.initial_value(var)?;
        match ir.inst(value) {
            Inst::Closure(function) if variable.writes == 1 => Some((file, function)),
            _ => None,
        }
    }

    fn function_exported(
        &self,
        file: usize,
        name: &str,
        steps: u32,
    ) -> Option<(usize, FunctionId)> {
        let steps = steps.checked_sub(1)?;
        let ir = self.files[file];
        ir.exports.iter().find_map(|export| match (export.name, export.source) {
            (Some(it), ExportSource::Local(var)) if ir.name(it) == name => {
                self.function_named(file, var, steps)
            }
            (Some(it), ExportSource::From(request, from)) if ir.name(it) == name => {
                let Resolution::File(to) = ir.request(request).resolution else { return None };
                self.function_exported(to.0 as usize, ir.name(from), steps)
            }
            (None, ExportSource::All(request)) => {
                let Resolution::File(to) = ir.request(request).resolution else { return None };
                self.function_exported(to.0 as usize, name, steps)
            }
            _ => None,
        })
    }

    fn returned_by_method(&self, of: &Typing, name: &str, steps: u32) -> Option<Typing> {
        let mut all = Typing::new();
        for &(file, ty) in of {
            match self.meaning_of_type(file, ty, steps)? {
                Meaning::Class(file, class) => {
                    let (file, method) = self.method_of(file, class, name, steps)?;
                    all.extend(returned(self.files[file], file, method)?);
                }
                _ => return None,
            }
        }
        Some(all)
    }

    fn method_of(
        &self,
        file: usize,
        class: ClassId,
        name: &str,
        steps: u32,
    ) -> Option<(usize, FunctionId)> {
        let steps = steps.checked_sub(1)?;
        if let Some(method) = member(self.files[file], class, name, MemberKind::Method) {
            return Some((file, method));
        }
        match self.class_extended(file, class, steps)? {
            Meaning::Class(file, parent) => self.method_of(file, parent, name, steps),
            _ => None,
        }
    }

    fn meaning_of_type(&self, file: usize, ty: TypeRef, steps: u32) -> Option<Meaning<'p>> {
        match self.files[file].types.get(ty.index())? {
            Type::Named(var) => self.meaning_of(file, *var, steps),
            Type::Member(var, name) => self.meaning_of_member(file, *var, *name, steps),
            _ => None,
        }
    }

    /// What a name stands for where it is used as a type.
    pub(crate) fn meaning_of(&self, file: usize, var: VarId, steps: u32) -> Option<Meaning<'p>> {
        let ir = self.files[file];
        let variable = ir.variable(var);
        if let Some(class) = variable.class {
            return Some(Meaning::Class(file, class));
        }
        if variable.kind == VarKind::Import {
            let (request, name) = imported(ir, var)?;
            return self.meaning_imported(file, request, name, steps);
        }
        let mut declared = ir.type_declarations.iter().filter(|(it, _)| *it == var);
        match (declared.next(), declared.next()) {
            (Some(&(_, ty)), None) => Some(Meaning::Type(file, ty)),
            _ => None,
        }
    }

    /// A member of what a name stands for: `fs.Stats`.
    pub(crate) fn meaning_of_member(
        &self,
        file: usize,
        var: VarId,
        name: NameId,
        steps: u32,
    ) -> Option<Meaning<'p>> {
        let ir = self.files[file];
        let import = ir.import_of(var)?;
        self.meaning_imported(file, import.request, ir.name(name), steps)
    }

    fn meaning_imported(
        &self,
        file: usize,
        request: RequestId,
        name: &'p str,
        steps: u32,
    ) -> Option<Meaning<'p>> {
        let steps = steps.checked_sub(1)?;
        let request = self.files[file].request(request);
        let specifier = self.files[file].name(request.specifier);
        match request.resolution {
            Resolution::File(to) if !self.members.models().is_generated(specifier) => {
                self.meaning_exported(to.0 as usize, name, steps)
            }
            _ => Some(Meaning::Package(specifier, name)),
        }
    }

    /// A type that a file exports: by its declarations, whose exports the IR does not list, else by
    /// what it exports.
    fn meaning_exported(&self, file: usize, name: &'p str, steps: u32) -> Option<Meaning<'p>> {
        let ir = self.files[file];
        let named = |id: NameId| ir.name(id) == name;
        let declared = ir.type_declarations.iter().find(|(var, _)| named(ir.variable(*var).name));
        if let Some(&(var, _)) = declared {
            return self.meaning_of(file, var, steps);
        }
        ir.exports.iter().find_map(|export| match (export.name, export.source) {
            (Some(it), ExportSource::Local(var)) if named(it) => self.meaning_of(file, var, steps),
            (Some(it), ExportSource::From(request, from)) if named(it) => {
                self.meaning_imported(file, request, ir.name(from), steps)
            }
            (None, ExportSource::All(request)) => {
                match self.meaning_imported(file, request, name, steps) {
                    Some(Meaning::Package(..)) => None,
                    found => found,
                }
            }
            _ => None,
        })
    }
}

/// What an import binding asks for.
fn imported(ir: &FileIr, var: VarId) -> Option<(RequestId, &str)> {
    let import = ir.import_of(var)?;
    match import.imported {
        Imported::Name(name) => Some((import.request, ir.name(name))),
        Imported::Default => Some((import.request, "default")),
        Imported::Namespace => None,
    }
}

/// A member of a class that is not static.
fn member(ir: &FileIr, class: ClassId, name: &str, kind: MemberKind) -> Option<FunctionId> {
    let is_it = |key: IrKey| matches!(key, IrKey::Name(it) if ir.name(it) == name);
    let members = &ir.class(class).members;
    let found = members.iter().find(|it| !it.is_static && it.kind == kind && is_it(it.key.get()));
    Some(found?.function)
}

/// What a function says that it returns.
fn returned(ir: &FileIr, file: usize, function: FunctionId) -> Option<Typing> {
    let function = ir.function(function);
    let says = !function.returns.is_unknown() && !function.is_generator;
    says.then(|| Typing::from_slice(&[(file, function.returns)]))
}

/// Whether a step of iteration is that of a loop: what follows runs only if there is an item. Behind an
/// element of a pattern, what runs only sometimes is its default.
fn is_step_of_loop(ir: &FileIr, step: InstId) -> bool {
    match ir.inst(InstId::new(step.index() + 1)) {
        Inst::Conditional { test, end } if test == step => {
            !matches!(ir.inst(end), Inst::Select(of, _) if of == step)
        }
        _ => false,
    }
}
