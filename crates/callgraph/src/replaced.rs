//! Where the program puts code of its own in place of what models describe, or into it.

use headstart_ir::{FileIr, Inst, InstId, Literal, Type, TypeRef};
use headstart_models::{Argument, Call, Hooks, Member, Module, PromiseKind, Resource};
use rustc_hash::FxHashMap;

use crate::graph::CallGraph;
use crate::ids::{InstRef, Key, MemberId, Object, TypeId};
use crate::native::Native;
use crate::object::{Cause, Kind, Origin};
use crate::solver::Solver;

/// How deep what a type's members are is looked into for what takes code of the program.
const DEEPEST_TYPE: u32 = 3;

/// A member of a module or of a type that the program replaces.
#[derive(Clone, Debug)]
pub struct Replacement<'p> {
    /// The module, as it is asked for; for a member of a type the module whose model has that.
    pub module: &'p str,
    /// Whether it is a member that objects of a type have.
    pub is_of_type: bool,
    /// The properties that lead to what is changed.
    pub path: Vec<&'p str>,
    /// The member that is replaced; any where that is not known.
    pub name: Option<&'p str>,
    /// Where; none where that is not known.
    pub at: Option<InstRef>,
}

/// A place where operations of a module get code of the program that they run.
#[derive(Clone, Debug)]
pub struct Hooked<'p> {
    /// The module whose model says so.
    pub module: &'p Module,
    /// What the row says; none for an option that no row covers.
    pub hooks: Option<&'p Hooks>,
    /// Where; none where an object got into the hands of unknown code.
    pub at: Option<InstRef>,
    /// Whether nobody knows if there is any code at all: what it gets comes from outside.
    pub is_open: bool,
}

/// Stands for every option in a list of them.
const ANY_OPTION: &str = "*";

/// Whether options hold code that operations run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Held {
    /// They hold none.
    Nothing,
    /// Nobody knows.
    Unknown,
    /// They do.
    Code,
}

impl Solver<'_> {
    /// Notes that something is put under a key of an object, where that is a member of a module or an
    /// object that comes from one.
    pub(crate) fn note_replaced(&mut self, object: Object, key: Key, origin: u32) {
        if matches!(self.objects.kind(object), Kind::Member(_) | Kind::Typed(..)) {
            let key = if key.is_accessor() { key.without_accessor() } else { key };
            self.replaced.entry((object, key)).or_insert(origin);
        }
    }

    /// What is deleted is replaced by nothing.
    pub(crate) fn note_deleted(&mut self) {
        for (holder, key, origin) in std::mem::take(&mut self.deleted) {
            let objects: Vec<Object> = self.flow.objects(holder).collect();
            objects.into_iter().for_each(|it| self.note_replaced(it, key, origin));
        }
    }
}

impl<'p> CallGraph<'p> {
    /// All members that the program replaces, in any order.
    #[must_use]
    pub fn replacements(&self) -> Vec<Replacement<'p>> {
        let found = self.solver.replaced.iter();
        found
            .filter_map(|(&(object, key), &origin)| self.replacement(object, key, origin))
            .collect()
    }

    fn replacement(&self, object: Object, key: Key, origin: u32) -> Option<Replacement<'p>> {
        let solver = &self.solver;
        let text = solver.names.text(key);
        // No symbol is the name of what a model describes.
        if text.is_empty() && key.is_named() {
            return None;
        }
        let name = (!text.is_empty()).then_some(text);
        let at = solver.numbering.inst_of(origin);
        let of_type = |ty: TypeId| {
            let data = solver.members.type_data(ty);
            let module = data.module.module.as_str();
            Replacement { module, is_of_type: true, path: Vec::new(), name, at }
        };
        match solver.objects.kind(object) {
            Kind::Member(member) => {
                let data = solver.members.get(member);
                if let Some(ty) = data.prototype_of {
                    return Some(of_type(ty));
                }
                let (module, path) = (data.module, data.path.clone());
                Some(Replacement { module, is_of_type: data.of_type.is_some(), path, name, at })
            }
            // What arrays and maps hold are no members of theirs.
            Kind::Typed(ty, _) => {
                let row = solver.members.row_in_type(ty, name?)?;
                let data = solver.members.type_data(ty);
                let of = (data.module.module.as_str(), Some(data.name));
                let is_known = || Native::of(of.0, of.1, &[text]).is_some();
                (row.call.is_some() || is_known()).then(|| of_type(ty))
            }
            _ => None,
        }
    }

    /// The modules whose models describe where a value comes from, those of the language and the
    /// platform's globals left out: what is stored in it, their members may read.
    #[must_use]
    pub fn modules_behind(&self, at: InstRef) -> Vec<&'p str> {
        let solver = &self.solver;
        let node = solver.values[solver.numbering.inst(at.file as usize, at.inst) as usize];
        let objects = solver.flow.objects(node).map(|it| solver.objects.kind(it));
        let mut found: Vec<&'p str> = objects
            .filter_map(|kind| match kind {
                Kind::Member(member) => Some(solver.members.get(member).module),
                Kind::Typed(ty, _) => Some(solver.members.type_data(ty).module.module.as_str()),
                Kind::Unknown(Cause::Model(module) | Cause::NoSuchMember(module)) => Some(module),
                _ => None,
            })
            .filter(|it| !matches!(*it, "ecmascript" | "globals" | "web" | "process"))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// All places where operations get code of the program, in any order.
    #[must_use]
    pub fn hooked(&self) -> Vec<Hooked<'p>> {
        let solver = &self.solver;
        let mut found = Vec::new();
        for &(origin, member) in &solver.modelled {
            let Some(at) = solver.numbering.inst_of(origin) else { continue };
            self.hooked_by_call(at, member, &mut found);
        }
        for (&(object, key), &origin) in &solver.replaced {
            let name = solver.names.text(key);
            let at = solver.numbering.inst_of(origin);
            let mut note = |module: &'p Module, row: &'p Member, is_whole: bool| {
                let is_meant = |it: &&Hooks| {
                    let is_any = is_whole || name.is_empty() || it.keys.is_empty();
                    it.events.is_empty() && (is_any || it.keys.iter().any(|it| it == name))
                };
                if let Some(hooks) = row.hooks.as_ref().filter(is_meant) {
                    found.push(Hooked { module, hooks: Some(hooks), at, is_open: false });
                }
            };
            match solver.objects.kind(object) {
                Kind::Member(member) => {
                    let data = solver.members.get(member);
                    if let Some((module, row)) = data.row {
                        note(module, row, false);
                        if let Some(inner) = row.member(name) {
                            note(module, inner, true);
                        }
                    }
                }
                Kind::Typed(ty, _) => {
                    if let Some(row) = solver.members.row_in_type(ty, name) {
                        note(solver.members.type_data(ty).module, row, true);
                    }
                }
                _ => {}
            }
        }
        self.hooked_by_reads(&mut found);
        // Very many objects are of few types.
        let mut of_types: FxHashMap<TypeId, Vec<Hooked<'p>>> = FxHashMap::default();
        for &object in &solver.is_escaped {
            match solver.objects.kind(object) {
                Kind::Member(member) => {
                    if let Some((module, row)) = solver.members.get(member).row
                        && let Some(hooks) = &row.hooks
                    {
                        found.push(Hooked { module, hooks: Some(hooks), at: None, is_open: false });
                    }
                }
                Kind::Typed(ty, _) => {
                    let hooked = of_types.entry(ty).or_insert_with(|| {
                        let data = solver.members.type_data(ty);
                        let mut hooked = Vec::new();
                        self.hooks_within(data.module, data.row, DEEPEST_TYPE, &mut hooked);
                        hooked
                    });
                    // Unknown code could put something into a client that it gets: nobody knows.
                    let at = match solver.objects.kind(object) {
                        Kind::Typed(_, Origin::Inst(number, _)) => solver.numbering.inst_of(number),
                        _ => None,
                    };
                    let is_open = at.is_some();
                    found.extend(hooked.iter().map(|it| Hooked { at, is_open, ..it.clone() }));
                }
                _ => {}
            }
        }
        found
    }

    /// Reads of what is there for nothing else: `client.middlewareStack`, `got.defaults`.
    fn hooked_by_reads(&self, found: &mut Vec<Hooked<'p>>) {
        let solver = &self.solver;
        for (file, ir) in solver.files.iter().enumerate() {
            for (index, inst) in ir.insts.iter().enumerate() {
                let Inst::Get { .. } = inst else { continue };
                let inst = InstId::new(index);
                let node = solver.values[solver.numbering.inst(file, inst) as usize];
                for object in solver.flow.objects(node) {
                    let Kind::Member(member) = solver.objects.kind(object) else { continue };
                    let Some((module, row)) = solver.members.get(member).row else { continue };
                    let is_any = |it: &&Hooks| it.events.is_empty() && it.keys.is_empty();
                    if let Some(hooks) = row.hooks.as_ref().filter(is_any) {
                        let at = Some(InstRef { file: crate::ids::id(file), inst });
                        found.push(Hooked { module, hooks: Some(hooks), at, is_open: false });
                    }
                }
            }
        }
    }

    /// What takes code of the program among the members of a type and of what those are.
    fn hooks_within(
        &self,
        module: &'p Module,
        row: &'p Member,
        depth: u32,
        found: &mut Vec<Hooked<'p>>,
    ) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for member in row.members.values() {
            if let Some(hooks) = &member.hooks {
                // Who only listens is not told apart from who listens to something else.
                if hooks.events.is_empty() {
                    found.push(Hooked { module, hooks: Some(hooks), at: None, is_open: false });
                }
            }
            let inner = member.is_a.as_deref().and_then(|name| self.type_row(module, name));
            if let Some((module, row)) = inner {
                self.hooks_within(module, row, depth, found);
            }
        }
    }

    fn type_row(&self, module: &'p Module, name: &str) -> Option<(&'p Module, &'p Member)> {
        let (module, _, row) = self.solver.members.models().type_named(module, name)?;
        Some((module, row))
    }

    /// A call that hands code of the program to operations: of a member that is there for that, or
    /// with an option that its row does not cover.
    fn hooked_by_call(&self, at: InstRef, member: MemberId, found: &mut Vec<Hooked<'p>>) {
        let ir = self.solver.files[at.file as usize];
        let (args, is_new) = match ir.inst(at.inst) {
            Inst::Call { args, .. } | Inst::CallMethod { args, .. } => (ir.args(args), false),
            Inst::New { args, .. } => (ir.args(args), true),
            _ => return,
        };
        let data = self.solver.members.get(member);
        if data.native == Some(Native::On)
            && let Inst::CallMethod { object, .. } = ir.inst(at.inst)
        {
            self.hooked_by_listener(at, object, args.first().copied(), found);
        }
        let Some((module, row)) = data.row else { return };
        if let Some(hooks) = &row.hooks
            && hooks.keys.is_empty()
            && may_be_among(ir, args.first().copied(), &hooks.events)
        {
            found.push(Hooked { module, hooks: Some(hooks), at: Some(at), is_open: false });
        }
        let Some((_, call)) = data.call(is_new) else { return };
        let Some(made) = call.is_a.as_deref().filter(|_| !call.options.is_empty()) else { return };
        // What a client is made with it keeps; what a request is made with is over with it.
        let Some((of, row)) = self.type_row(module, made) else { return };
        if is_record(row) {
            return;
        }
        // So does what a process is started with.
        let is_process = call.writes.contains(&Resource::AnyProcess);
        let is_client =
            call.promise == PromiseKind::No && of.module == module.module && !is_process;
        if !is_client || matches!(of.module.as_str(), "ecmascript" | "globals" | "web") {
            return;
        }
        // Of a stream only that is asked for code: what it does otherwise, no call of the module does.
        let any = [ANY_OPTION.to_owned()];
        let is_stream = row.extends.as_deref().is_some_and(|it| it.starts_with("stream#"));
        let listed = if is_stream { any.as_slice() } else { call.options.as_slice() };
        for (position, &arg) in args.iter().enumerate() {
            let kind = call.arguments.get(position).copied().or(call.rest);
            let is_options = matches!(kind, Some(Argument::Options | Argument::OptionsOrFunction));
            if !is_options {
                continue;
            }
            let options = InstRef { inst: arg, ..at };
            let held = self.held_beside(options, listed);
            if held == Held::Nothing {
                continue;
            }
            // What only looks on may be code; the rest may not.
            let is_open = held == Held::Unknown || self.held_by_others(options, call) != Held::Code;
            found.push(Hooked { module: of, hooks: None, at: Some(at), is_open });
        }
    }

    /// A listener of events that operations of the object tell of.
    fn hooked_by_listener(
        &self,
        at: InstRef,
        emitter: InstId,
        event: Option<InstId>,
        found: &mut Vec<Hooked<'p>>,
    ) {
        let solver = &self.solver;
        let ir = solver.files[at.file as usize];
        let node = solver.values[solver.numbering.inst(at.file as usize, emitter) as usize];
        for object in solver.flow.objects(node) {
            let Kind::Typed(ty, _) = solver.objects.kind(object) else { continue };
            let data = solver.members.type_data(ty);
            if let Some(hooks) = &data.row.hooks
                && may_be_among(ir, event, &hooks.events)
            {
                found.push(Hooked {
                    module: data.module,
                    hooks: Some(hooks),
                    at: Some(at),
                    is_open: false,
                });
            }
        }
    }

    /// Whether options may hold a key that is not listed, or code: a function anywhere in it.
    fn held_beside(&self, options: InstRef, listed: &[String]) -> Held {
        let solver = &self.solver;
        let number = solver.numbering.inst(options.file as usize, options.inst);
        let objects = solver.flow.objects(solver.values[number as usize]);
        objects.map(|it| self.held_by_options(it, listed)).max().unwrap_or(Held::Nothing)
    }

    /// The same of all options but those that only look on.
    fn held_by_others(&self, options: InstRef, call: &Call) -> Held {
        if call.observers.is_empty() {
            return Held::Code;
        }
        let solver = &self.solver;
        let number = solver.numbering.inst(options.file as usize, options.inst);
        let objects = solver.flow.objects(solver.values[number as usize]);
        let of_each = objects.map(|object| match solver.objects.kind(object) {
            Kind::Literal(_) => {
                let held = self.held_by_literal(object);
                let held = held.filter(|(key, _)| {
                    !call.observers.iter().any(|it| it == solver.names.text(*key))
                });
                let held =
                    held.map(|(key, kind)| self.held_under(object, key, kind, &call.options));
                held.max().unwrap_or(Held::Nothing)
            }
            _ => self.held_by_options(object, &call.options),
        });
        of_each.max().unwrap_or(Held::Nothing)
    }

    fn held_by_options(&self, object: Object, listed: &[String]) -> Held {
        match self.solver.objects.kind(object) {
            Kind::Literal(_) | Kind::Exports(_) => {
                let held = self.held_by_literal(object);
                let held = held.map(|(key, kind)| self.held_under(object, key, kind, listed));
                held.max().unwrap_or(Held::Nothing)
            }
            Kind::Unknown(cause) => held_by_unknown(cause),
            Kind::Described(file, ty) => self.held_by_described(file, ty),
            Kind::Instance(_) | Kind::FunctionInstance(_) => Held::Unknown,
            _ => Held::Nothing,
        }
    }

    /// What is under a key of options.
    fn held_under(&self, object: Object, key: Key, kind: Kind<'p>, listed: &[String]) -> Held {
        let name = self.solver.names.text(key);
        if key != Key::DYNAMIC && key != Key::ALL {
            let is_code = self.is_code(kind, DEEPEST_TYPE)
                || !listed.iter().any(|it| it == name || it == ANY_OPTION);
            return if is_code { Held::Code } else { Held::Nothing };
        }
        match kind {
            // What only the constructor has got hold of may be changed later; it has read it by then.
            Kind::Unknown(Cause::Escaped) if !self.solver.is_in_other_hands(object) => {
                Held::Nothing
            }
            Kind::Unknown(cause) => held_by_unknown(cause),
            kind if self.is_code(kind, DEEPEST_TYPE) => Held::Code,
            _ => Held::Nothing,
        }
    }

    /// What an annotation describes holds no code where all that it lists is plain data.
    fn held_by_described(&self, file: u32, ty: u32) -> Held {
        let ir = self.solver.files[file as usize];
        let is_data = |of: &TypeRef| is_plain_data(ir, *of, DEEPEST_TYPE);
        match ir.types.get(ty as usize) {
            Some(Type::Object(properties)) if properties.iter().all(|(_, it)| is_data(it)) => {
                Held::Nothing
            }
            _ => Held::Unknown,
        }
    }

    fn held_by_literal(&self, object: Object) -> impl Iterator<Item = (Key, Kind<'p>)> {
        let solver = &self.solver;
        let keys = solver
            .props
            .keys(object)
            .into_iter()
            .filter(|key| key.is_property() || key.is_accessor());
        keys.flat_map(move |key| {
            let node = solver.existing_prop(object, key);
            let objects = node.into_iter().flat_map(|node| solver.flow.objects(node));
            objects.map(move |it| (key, solver.objects.kind(it)))
        })
    }

    /// Whether something is code of the program, or holds some.
    fn is_code(&self, kind: Kind<'p>, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return true };
        match kind {
            Kind::Function(_)
            | Kind::Class(_)
            | Kind::Instance(_)
            | Kind::FunctionInstance(_)
            | Kind::Bound(_)
            | Kind::Promisified(_)
            | Kind::PromisifiedFunction(_)
            | Kind::Resolver(_)
            | Kind::NodeCallback(_) => true,
            Kind::Literal(_) => self.solver.objects.existing(kind).is_some_and(|object| {
                self.held_by_literal(object).any(|(_, kind)| self.is_code(kind, depth))
            }),
            Kind::Typed(ty, Origin::Inst(..)) if ty == self.solver.types.array => {
                self.solver.objects.existing(kind).is_some_and(|object| {
                    self.held_by_literal(object).any(|(_, kind)| self.is_code(kind, depth))
                })
            }
            Kind::Prototype(_)
            | Kind::FunctionPrototype(_)
            | Kind::Typed(..)
            | Kind::Namespace(_)
            | Kind::Exports(_)
            | Kind::Module(_)
            | Kind::Member(_)
            | Kind::Described(..)
            | Kind::Environment
            | Kind::Data
            | Kind::Unknown(_) => false,
        }
    }
}

/// Whether objects of a type only say what was found, as `fs.Stats` do: they do nothing outside the program,
/// and give nothing that does.
fn is_record(row: &Member) -> bool {
    let only_says = |call: &Call| {
        let touches = !call.reads.is_empty() || !call.writes.is_empty() || call.goes_on;
        call.promise == PromiseKind::No && call.is_a.is_none() && !touches
    };
    row.extends.is_none()
        && row.awaited.is_none()
        && row.hooks.is_none()
        && row.members.iter().all(|(name, it)| {
            // What is private to the platform is not called by programs.
            let is_listed = !it.anything || name == "_*";
            is_listed && it.call.as_deref().is_none_or(only_says)
        })
}

/// Whether what nobody knows may hold code.
fn held_by_unknown(cause: Cause<'_>) -> Held {
    match cause {
        Cause::Data | Cause::Caught => Held::Nothing,
        Cause::Package(_)
        | Cause::Outside(_)
        | Cause::Model(_)
        | Cause::NoSuchMember(_)
        | Cause::Result
        | Cause::Global(_)
        | Cause::Entry
        | Cause::Escaped
        | Cause::Callback
        | Cause::ComputedModule
        | Cause::ComputedKey
        | Cause::TooMany
        | Cause::Narrowed
        | Cause::Displaced
        | Cause::Mocked
        | Cause::Decorated(_)
        | Cause::Opaque => Held::Unknown,
    }
}

/// Whether all that a type allows is text, numbers, truth values, and lists and objects of those.
fn is_plain_data(ir: &FileIr, ty: TypeRef, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let is_data = |of: &TypeRef| is_plain_data(ir, *of, depth);
    match ir.types.get(ty.index()) {
        Some(Type::Nothing | Type::String | Type::Number | Type::BigInt | Type::Boolean) => true,
        Some(Type::Array(of)) => is_data(of),
        Some(Type::Union(all)) => all.iter().all(is_data),
        Some(Type::Object(properties)) => properties.iter().all(|(_, it)| is_data(it)),
        Some(
            Type::Unknown
            | Type::Named(_)
            | Type::Member(..)
            | Type::Global(..)
            | Type::Intersection(_),
        )
        | None => false,
    }
}

/// Whether the event that is listened to may be one of some; any where none are named.
fn may_be_among(ir: &FileIr, event: Option<InstId>, events: &[String]) -> bool {
    if events.is_empty() {
        return true;
    }
    match event.map(|it| ir.inst(it)) {
        Some(Inst::Literal(Literal::String(name))) => events.iter().any(|it| it == ir.name(name)),
        _ => true,
    }
}
