//! Members of modelled modules and types, as objects.

use headstart_ir::{Class, FileIr, Imported, Inst, Key as IrKey};
use headstart_models::{Call, Member, Models, Module, without_prefix};
use rustc_hash::FxHashMap;

use crate::flow::Shapes;
use crate::held::ObjectId;
use crate::ids::{InstRef, Key, MemberId, TypeId, id};
use crate::native::Native;
use crate::object::Kind;

/// No chain of types is that long; one that is runs in a circle.
const LONGEST_CHAIN: u32 = 16;

/// A member of a modelled module or type, or a module itself.
#[derive(Clone, Debug)]
pub(crate) struct MemberData<'p> {
    /// The module's specifier.
    pub(crate) module: &'p str,
    /// The type whose objects have it; none for a member of the module itself.
    pub(crate) of_type: Option<&'p str>,
    /// The properties that lead to it.
    pub(crate) path: Vec<&'p str>,
    /// Its row; none for a module itself and for what is not listed.
    pub(crate) row: Option<(&'p Module, &'p Member)>,
    /// What the analysis knows of it beyond its row.
    pub(crate) native: Option<Native>,
    /// The type whose prototype it is: `Array.prototype`.
    pub(crate) prototype_of: Option<TypeId>,
    /// Whether it is a module or within one: its members are looked up by the whole path.
    is_within_module: bool,
}

impl<'p> MemberData<'p> {
    /// The name as a person writes it: `fs.readFile`, `Array.map`.
    pub(crate) fn name(&self) -> String {
        let start = match (self.module, self.of_type) {
            ("ecmascript" | "web" | "globals", of_type) => of_type.unwrap_or_default().to_owned(),
            (module, None) => module.to_owned(),
            (module, Some(of_type)) => format!("{module}.{of_type}"),
        };
        let steps = [start.as_str()].into_iter().chain(self.path.iter().copied());
        steps.filter(|it| !it.is_empty()).collect::<Vec<_>>().join(".")
    }

    /// Whether it is what makes the text of an error: its name and its message, whose getters are known where it is made.
    pub(crate) fn is_text_of_error(&self) -> bool {
        self.of_type == Some("Error") && self.path.last().is_some_and(|it| *it == "toString")
    }

    /// The row that a call of it goes by.
    pub(crate) fn call(&self, is_new: bool) -> Option<(&'p Module, &'p Call)> {
        let (module, member) = self.row?;
        let call = if is_new { &member.construct } else { &member.call };
        Some((module, call.as_ref()?))
    }
}

/// A type of a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypeData<'p> {
    pub(crate) module: &'p Module,
    pub(crate) name: &'p str,
    pub(crate) row: &'p Member,
}

/// What waiting for an object does that a model describes.
#[derive(Clone, Copy, Debug)]
pub struct Awaited<'p> {
    /// The module whose model it is.
    pub module: &'p Module,
    /// The name of the object's type.
    pub of_type: &'p str,
    /// What waiting does.
    pub call: &'p Call,
    /// Whether nothing has started before somebody waits.
    pub is_lazy: bool,
    /// The call that has made the object, where one did.
    pub made_at: Option<InstRef>,
    /// The object.
    pub object: Option<ObjectId>,
}

/// The types that the language itself makes objects of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuiltinTypes {
    pub(crate) object: TypeId,
    pub(crate) function: TypeId,
    pub(crate) string: TypeId,
    pub(crate) number: TypeId,
    pub(crate) boolean: TypeId,
    pub(crate) array: TypeId,
    pub(crate) promise: TypeId,
    pub(crate) map: TypeId,
    pub(crate) regexp: TypeId,
    pub(crate) generator: TypeId,
    pub(crate) async_generator: TypeId,
    /// `Buffer` and `Uint8Array`, where no class of the program extends one of them.
    pub(crate) bytes: Option<[TypeId; 2]>,
}

impl BuiltinTypes {
    /// What annotations can tell of an object.
    pub(crate) fn shape(&self, kind: Kind<'_>) -> Shapes {
        match kind {
            Kind::Typed(ty, _) if ty == self.string => Shapes::STRING,
            Kind::Typed(ty, _) if ty == self.number => Shapes::NUMBER,
            Kind::Typed(ty, _) if ty == self.boolean => Shapes::BOOLEAN,
            Kind::Typed(ty, _) if ty == self.array => Shapes::ARRAY,
            Kind::Typed(ty, _) if self.is_bytes(ty) => Shapes::BYTES,
            Kind::Typed(..) | Kind::Literal(_) | Kind::Described(..) => Shapes::PLAIN,
            Kind::Data => Shapes::DATA,
            _ => Shapes::OTHER,
        }
    }

    /// Whether a type is that of bytes in memory, and only the platform makes such.
    pub(crate) fn is_bytes(&self, ty: TypeId) -> bool {
        self.bytes.is_some_and(|it| it.contains(&ty))
    }
}

/// The members and types met so far.
#[derive(Debug)]
pub(crate) struct Members<'p> {
    models: &'p Models,
    members: Vec<MemberData<'p>>,
    types: Vec<TypeData<'p>>,
    type_ids: FxHashMap<(&'p str, &'p str), TypeId>,
    roots: FxHashMap<&'p str, MemberId>,
    within: FxHashMap<(MemberId, Key), Option<MemberId>>,
    of_type: FxHashMap<(TypeId, Key), Option<MemberId>>,
}

impl<'p> Members<'p> {
    pub(crate) fn new(models: &'p Models) -> Self {
        Self {
            models,
            members: Vec::new(),
            types: Vec::new(),
            type_ids: FxHashMap::default(),
            roots: FxHashMap::default(),
            within: FxHashMap::default(),
            of_type: FxHashMap::default(),
        }
    }

    pub(crate) fn models(&self) -> &'p Models {
        self.models
    }

    pub(crate) fn get(&self, member: MemberId) -> &MemberData<'p> {
        &self.members[member.index()]
    }

    pub(crate) fn type_data(&self, ty: TypeId) -> TypeData<'p> {
        self.types[ty.index()]
    }

    /// The module with the given specifier, where it has a model.
    pub(crate) fn root(&mut self, specifier: &'p str) -> Option<MemberId> {
        let specifier = without_prefix(specifier);
        if let Some(&root) = self.roots.get(specifier) {
            return Some(root);
        }
        if !self.models.has_module(specifier) {
            return None;
        }
        let root = self.push(MemberData {
            module: specifier,
            of_type: None,
            path: Vec::new(),
            row: self.models.module(specifier, &[]).and_then(default_row),
            native: None,
            prototype_of: None,
            is_within_module: true,
        });
        self.roots.insert(specifier, root);
        Some(root)
    }

    fn push(&mut self, data: MemberData<'p>) -> MemberId {
        self.members.push(data);
        MemberId(id(self.members.len() - 1))
    }

    /// The member `name` of another; none where no model lists it.
    pub(crate) fn member(&mut self, of: MemberId, key: Key, name: &'p str) -> Option<MemberId> {
        if let Some(&found) = self.within.get(&(of, key)) {
            return found;
        }
        let found = self.find_member(of, name);
        self.within.insert((of, key), found);
        found
    }

    fn find_member(&mut self, of: MemberId, name: &'p str) -> Option<MemberId> {
        let parent = self.get(of).clone();
        if let Some(ty) = parent.prototype_of {
            return self.find_in_type(ty, name);
        }
        if name == "prototype" {
            let ty = self.instance_type(&parent).or_else(|| self.of_language(&parent))?;
            let path = joined(&parent.path, name);
            return Some(self.push(MemberData {
                path,
                row: None,
                native: None,
                prototype_of: Some(ty),
                ..parent
            }));
        }
        let path = joined(&parent.path, name);
        let is_module = name == "default" && parent.path.is_empty() && parent.is_within_module;
        if is_module
            && self.models.module(parent.module, &[]).is_some_and(|it| it.default.is_none())
        {
            // The default export of a module without one of its own is the module.
            return Some(of);
        }
        if !parent.is_within_module {
            let (module, row) = parent.row?;
            let row = row.member(name)?;
            return Some(self.listed(
                (parent.module, parent.of_type),
                path,
                Some((module, row)),
                false,
            ));
        }
        let models = self.models;
        let row = models.member(parent.module, &path);
        let is_module = models.module(parent.module, &path).is_some();
        if row.is_none() && !is_module {
            // The default export of a module without one of its own is the module.
            return (name == "default" && parent.path.is_empty()).then_some(of);
        }
        let row = row.or_else(|| models.module(parent.module, &path).and_then(default_row));
        Some(self.listed((parent.module, None), path, row, true))
    }

    fn listed(
        &mut self,
        (module, of_type): (&'p str, Option<&'p str>),
        path: Vec<&'p str>,
        row: Option<(&'p Module, &'p Member)>,
        is_within_module: bool,
    ) -> MemberId {
        let native = Native::of(module, of_type, &path);
        let prototype_of = None;
        self.push(MemberData { module, of_type, path, row, native, prototype_of, is_within_module })
    }

    /// The type of the language whose constructor a global is: of some no row says what they make.
    fn of_language(&mut self, parent: &MemberData<'p>) -> Option<TypeId> {
        let [name] = parent.path.as_slice() else { return None };
        let is_global = parent.module == "globals" && parent.of_type.is_none();
        let module = self.models.module("ecmascript", &[]).filter(|_| is_global)?;
        self.type_named(module, name)
    }

    fn instance_type(&mut self, parent: &MemberData<'p>) -> Option<TypeId> {
        let (module, member) = parent.row?;
        let name = member.construct.as_ref()?.is_a.as_deref()?;
        self.type_named(module, name)
    }

    /// Whether a member is a module with a model of its own: `util.types`.
    pub(crate) fn is_module(&self, member: MemberId) -> bool {
        let data = self.get(member);
        data.is_within_module && self.models.module(data.module, &data.path).is_some()
    }

    /// The model of a module.
    pub(crate) fn module(&self, specifier: &str) -> Option<&'p Module> {
        self.models.module(specifier, &[])
    }

    /// A type by the name that a model gives it.
    pub(crate) fn type_named(&mut self, module: &'p Module, name: &str) -> Option<TypeId> {
        let (module, name, row) = self.models.type_named(module, name)?;
        let key = (module.module.as_str(), name);
        if let Some(&ty) = self.type_ids.get(&key) {
            return Some(ty);
        }
        self.types.push(TypeData { module, name, row });
        let ty = TypeId(id(self.types.len() - 1));
        self.type_ids.insert(key, ty);
        Some(ty)
    }

    /// A type of the language.
    ///
    /// # Errors
    /// The name, where the models that come along do not have it.
    pub(crate) fn language_type(&mut self, name: &str) -> Result<TypeId, String> {
        let missing = || format!("the model `ecmascript` has no type `{name}`");
        let module = self.models.module("ecmascript", &[]).ok_or_else(missing)?;
        self.type_named(module, name).ok_or_else(missing)
    }

    /// The types of bytes in memory, where no class of the program extends one of them.
    pub(crate) fn bytes(&mut self, files: &[&FileIr]) -> Result<Option<[TypeId; 2]>, String> {
        const NAMES: [&str; 3] = ["Buffer", "SlowBuffer", "Uint8Array"];
        let extends = |ir: &FileIr, class: &Class| {
            let name = class.super_class.and_then(|it| match ir.inst(it) {
                Inst::LoadGlobal(name) => Some(name),
                Inst::LoadVar(var) => {
                    match ir.imports.iter().find(|it| it.local == var).map(|it| it.imported) {
                        Some(Imported::Name(name)) => Some(name),
                        _ => Some(ir.variable(var).name),
                    }
                }
                Inst::Get { key, .. } => match key.get() {
                    IrKey::Name(name) => Some(name),
                    IrKey::Private(_) | IrKey::Computed(_) => None,
                },
                _ => None,
            });
            name.is_some_and(|it| NAMES.contains(&ir.name(it)))
        };
        let array = self.language_type("Uint8Array")?;
        let module = self.models.module("buffer", &[]);
        let buffer = module.and_then(|it| self.type_named(it, "Buffer"));
        let is_extended = files.iter().any(|ir| ir.classes.iter().any(|it| extends(ir, it)));
        Ok(buffer.filter(|_| !is_extended).map(|it| [it, array]))
    }

    /// The member `name` that objects of a type have; none where the type lists no such.
    pub(crate) fn of_type(&mut self, ty: TypeId, key: Key, name: &'p str) -> Option<MemberId> {
        if let Some(&found) = self.of_type.get(&(ty, key)) {
            return found;
        }
        let found = self.find_in_type(ty, name);
        self.of_type.insert((ty, key), found);
        found
    }

    /// Whether a type lists a member by its name, itself or by what it extends.
    pub(crate) fn lists(&self, ty: TypeId, name: &str) -> bool {
        let data = self.type_data(ty);
        let (mut module, mut row) = (data.module, data.row);
        for _ in 0..LONGEST_CHAIN {
            if row.members.contains_key(name) {
                return true;
            }
            let base = row.extends.as_deref();
            let Some(next) = base.and_then(|it| self.models.type_named(module, it)) else {
                return false;
            };
            (module, row) = (next.0, next.2);
        }
        true
    }

    /// The row of a member of a type, its own or inherited.
    pub(crate) fn row_in_type(&self, ty: TypeId, name: &str) -> Option<&'p Member> {
        let data = self.type_data(ty);
        let (mut module, mut row) = (data.module, data.row);
        // No chain of types is that long; one that is runs in a circle.
        for _ in 0..16 {
            if let Some(row) = row.member(name) {
                return Some(row);
            }
            (module, _, row) = self.models.type_named(module, row.extends.as_deref()?)?;
        }
        None
    }

    fn find_in_type(&mut self, ty: TypeId, name: &'p str) -> Option<MemberId> {
        let found = self.with_bases(ty, |_, data| Some((data, data.row.member(name)?)));
        let (data, row) = found?;
        if let Some(reaction) = self.reaction(ty, name) {
            return Some(reaction);
        }
        let place = (data.module.module.as_str(), Some(data.name));
        Some(self.listed(place, vec![name], Some((data.module, row)), false))
    }

    /// `then` and its like of an object that can be waited for: they do what those of a promise do, and
    /// start it where nobody has.
    fn reaction(&mut self, ty: TypeId, name: &'p str) -> Option<MemberId> {
        if !matches!(name, "then" | "catch" | "finally") || self.awaited(ty).is_none() {
            return None;
        }
        let promise = self.language_type("Promise").ok().filter(|&it| it != ty)?;
        self.find_in_type(promise, name)
    }

    /// Looks at a type and at those that it extends, one after the other.
    fn with_bases<T>(
        &mut self,
        ty: TypeId,
        look: impl Fn(TypeId, TypeData<'p>) -> Option<T>,
    ) -> Option<T> {
        let mut next = Some(ty);
        for _ in 0..LONGEST_CHAIN {
            let ty = next?;
            let data = self.type_data(ty);
            if let Some(found) = look(ty, data) {
                return Some(found);
            }
            let extends = data.row.extends.as_deref();
            next = extends.and_then(|name| self.type_named(data.module, name));
        }
        None
    }

    /// What a call of an object of a type is, where that is listed.
    pub(crate) fn call_of_type(&mut self, ty: TypeId) -> Option<MemberId> {
        let data = self.type_data(ty);
        data.row.call.as_ref()?;
        // No member has this key.
        if let Some(&found) = self.of_type.get(&(ty, Key::VALUE)) {
            return found;
        }
        let place = (data.module.module.as_str(), Some(data.name));
        let member = Some(self.listed(place, Vec::new(), Some((data.module, data.row)), false));
        self.of_type.insert((ty, Key::VALUE), member);
        member
    }

    /// What waiting for an object of a type does, where that is an operation.
    pub(crate) fn awaited(&mut self, ty: TypeId) -> Option<(&'p Module, &'p Call)> {
        self.with_bases(ty, |_, data| Some((data.module, data.row.awaited.as_deref()?)))
    }

    /// As [`Self::awaited`], with what tells whether it has started by then, for those who cannot add
    /// types.
    pub(crate) fn awaited_row(&self, ty: TypeId) -> Option<Awaited<'p>> {
        let data = self.type_data(ty);
        let (mut module, mut row, of_type) = (data.module, data.row, data.name);
        for _ in 0..LONGEST_CHAIN {
            if let Some(call) = &row.awaited {
                let is_lazy = row.lazy.is_some();
                let (made_at, object) = (None, None);
                return Some(Awaited { module, of_type, call, is_lazy, made_at, object });
            }
            (module, _, row) = self.models.type_named(module, row.extends.as_deref()?)?;
        }
        None
    }

    /// Whether a type is another or extends it.
    pub(crate) fn is_a(&mut self, ty: TypeId, other: TypeId) -> bool {
        self.with_bases(ty, |it, _| (it == other).then_some(())).is_some()
    }
}

fn default_row(module: &Module) -> Option<(&Module, &Member)> {
    Some((module, module.default.as_ref()?))
}

fn joined<'p>(path: &[&'p str], name: &'p str) -> Vec<&'p str> {
    path.iter().copied().chain([name]).collect()
}
